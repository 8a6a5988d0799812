/* tests/parts/test_spectral.c: rigid parts of creatures with known parts, and invariances:
   threads, order, scale; static and strange input. */
#include "parts/face_clusters.h"
#include "parts/seed_distances.h"
#include "parts/spanning_poses.h"
#include "parts/spectral.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>
#include <string.h>

static ossai_spectral_parts find(test_surface *t, const ossai_spectral_options *options)
{
	ossai_spectral_parts p;
	assert_ok(t->context, ossai_spectral_parts_make(t->context, &t->arena, &t->s, options, &p));
	uint32_t most = 0;
	for (size_t f = 0; f < t->s.face_count; f++) most = p.part_of_face[f] > most ? p.part_of_face[f] : most;
	assert_int_equal(most + 1, p.part_count);
	for (size_t i = 0; i < p.seeds.count; i++) assert_true(p.part_of_seed[i] < p.part_count);
	for (size_t i = 1; i < p.eigenvalue_count; i++) assert_true(p.eigenvalues[i] <= p.eigenvalues[i - 1]);
	return p;
}

static ossai_spectral_parts find_bones(test_surface *t, int bones)
{
	ossai_spectral_options options = ossai_spectral_default();
	options.bones = bones;
	return find(t, &options);
}

static size_t same_number(const void *arg, size_t found)
{
	(void)found;
	return *(const size_t *)arg;
}

/* parts of the seeds that there are, of more seeds, and fewer than were found */
static void more_parts_are_those_of_a_call_for_them(void **state)
{
	(void)state;
	static const size_t wanted[] = {40, 90, 2};
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_QUADRUPED, 3000, 6);
	const ossai_spectral_parts shown = find_bones(&t, 0);
	assert_true(shown.shown_count == shown.part_count && shown.part_count > 2 && shown.part_count < 40);
	for (int i = 0; i < 3; i++) {
		ossai_spectral_options options = ossai_spectral_default();
		options.more = same_number;
		options.more_arg = &wanted[i];
		const ossai_spectral_parts more = find(&t, &options);
		const ossai_spectral_parts alone = i == 2 ? shown : find_bones(&t, (int)wanted[i]);
		assert_int_equal(more.shown_count, shown.part_count);
		assert_int_equal(more.part_count, alone.part_count);
		assert_int_equal(more.seeds.count, alone.seeds.count);
		assert_memory_equal(more.part_of_face, alone.part_of_face, t.s.face_count * sizeof *more.part_of_face);
	}
	test_surface_end(&t);
}

/* ---- distances ---- */

static void distances_are_those_of_a_plain_sum(void **state)
{
	(void)state;
	enum { POSES = 11, SEEDS = 90 };
	test_surface t = test_surface_grid(3, 14, 6, POSES);
	test_surface_shake(&t, 0.05, 2);
	uint32_t vertex[SEEDS];
	for (uint32_t i = 0; i < SEEDS; i++) vertex[i] = i + 3;
	const ossai_seeds seeds = {SEEDS, vertex};
	static double deviation[SEEDS * SEEDS], mean[SEEDS * SEEDS];
	assert_ok(t.context, ossai_seed_distances(t.context, &t.s, &seeds, deviation, mean));
	for (size_t i = 0; i < SEEDS; i++) {
		for (size_t j = 0; j < SEEDS; j++) {
			double d[POSES + 1], sum = 0, square = 0;
			for (size_t k = 0; k < POSES; k++) {
				d[k] = ossai_distance(ossai_pose_point(&t.s, vertex[i], k), ossai_pose_point(&t.s, vertex[j], k));
			}
			d[POSES] = ossai_distance(ossai_rest_point(&t.s, vertex[i]), ossai_rest_point(&t.s, vertex[j]));
			for (size_t k = 0; k <= POSES; k++) sum += d[k] / (POSES + 1);
			for (size_t k = 0; k <= POSES; k++) square += (d[k] - sum) * (d[k] - sum) / (POSES + 1);
			assert_near(mean[i * SEEDS + j], sum, 1e-14);
			assert_near(deviation[i * SEEDS + j], sqrt(square), 1e-10);
		}
	}
	test_surface_end(&t);
}

/* ---- agreement with the truth ---- */

/* adjusted Rand index of two segmentations of the surface, by area: 1 equal, 0 by chance */
static double agreement(const ossai_posed_surface *s, const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count)
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double *both = ossai_arena_zero(&arena, a_count, b_count * sizeof *both);
	double *of_a = ossai_arena_zero(&arena, a_count, sizeof *of_a), *of_b = ossai_arena_zero(&arena, b_count, sizeof *of_b);
	double same = 0, a_sum = 0, b_sum = 0;
	for (size_t f = 0; f < s->face_count; f++) {
		const double share = s->face_area[f] / s->area;
		both[a[f] * b_count + b[f]] += share;
		of_a[a[f]] += share;
		of_b[b[f]] += share;
	}
	for (size_t i = 0; i < a_count * b_count; i++) same += both[i] * both[i];
	for (size_t i = 0; i < a_count; i++) a_sum += of_a[i] * of_a[i];
	for (size_t i = 0; i < b_count; i++) b_sum += of_b[i] * of_b[i];
	ossai_arena_end(&arena);
	test_context_end(context);
	return (same - a_sum * b_sum) / ((a_sum + b_sum) / 2 - a_sum * b_sum);
}

/* a creature with the bone that each face follows most */
typedef struct creature {
	test_surface t;
	uint32_t *truth;
	size_t bones;
} creature;

static creature make_creature(int threads, int kind, double noise)
{
	creature c = {.t = {.context = test_context(threads)}};
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample = NULL;
	options.kind = kind;
	options.faces = 3000;
	options.frames = 30;
	options.noise = noise;
	assert_ok(c.t.context, ossa_sample_create(c.t.context, &options, &sample));
	assert_ok(c.t.context, ossa_mesh_copy(c.t.context, sample->rig->mesh, &c.t.mesh));
	c.t.frames = sample->frames;
	sample->frames = NULL;
	c.t.arena = ossai_arena_begin(c.t.context);
	assert_ok(c.t.context, ossai_posed_surface_make(c.t.context, &c.t.arena, c.t.mesh, c.t.frames, true, &c.t.s));
	const size_t bones = sample->rig->skeleton.bone_count, width = (size_t)sample->rig->weights.influences;
	c.truth = ossai_arena_new(&c.t.arena, c.t.s.face_count, sizeof *c.truth);
	uint32_t *number = ossai_arena_new(&c.t.arena, bones, sizeof *number);
	memset(number, 0xff, bones * sizeof *number);
	for (size_t f = 0; f < c.t.s.face_count; f++) {
		double weight[64] = {0};
		for (size_t i = 0; i < 3 * width; i++) {
			const size_t at = c.t.s.triangles[3 * f + i / width] * width + i % width;
			weight[sample->rig->weights.bones[at]] += sample->rig->weights.values[at];
		}
		size_t best = 0;
		for (size_t b = 1; b < bones; b++) best = weight[b] > weight[best] ? b : best;
		if (number[best] == OSSA_NONE) number[best] = (uint32_t)c.bones++;
		c.truth[f] = number[best];
	}
	ossa_sample_free(c.t.context, sample);
	return c;
}

static double found_agreement(creature *c, const ossai_spectral_options *options)
{
	const ossai_spectral_parts p = find(&c->t, options);
	return agreement(&c->t.s, p.part_of_face, p.part_count, c->truth, c->bones);
}

static double cluster_agreement(creature *c)
{
	ossai_merge_hierarchy h;
	assert_ok(c->t.context, ossai_face_clusters_make(c->t.context, &c->t.arena, &c->t.s, &h));
	uint32_t *of_face = ossai_arena_new(&c->t.arena, c->t.s.face_count, 4);
	uint32_t *scratch = ossai_arena_new(&c->t.arena, c->t.s.face_count, 4);
	const size_t made = ossai_merge_hierarchy_cut(&h, ossai_merge_hierarchy_level(&h, &c->t.s, c->bones, 0), scratch, of_face);
	return agreement(&c->t.s, of_face, made, c->truth, c->bones);
}

static void true_parts_of_creatures_are_found(void **state)
{
	(void)state;
	/* what is reached, less some hundredths */
	static const double least[] = {0.97, 0.82, 0.82, 0.9, 0.82, 0.95, 0.95, 0.95};
	double sum = 0, clusters = 0, published = 0;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind++) {
		creature c = make_creature(2, kind, 0);
		ossai_spectral_options options = ossai_spectral_default();
		options.bones = (int)c.bones;
		const double found = found_agreement(&c, &options);
		options.published = true;
		options.scale = 1;
		options.rounds = 0;
		const double as_published = found_agreement(&c, &options), clustered = cluster_agreement(&c);
		print_message("creature %d, %zu parts: agreement %.3f, as published %.3f, face clusters %.3f\n", kind, c.bones, found,
			as_published, clustered);
		assert_true(found >= least[kind]);
		sum += found;
		published += as_published;
		clusters += clustered;
		test_surface_end(&c.t);
	}
	assert_true(sum > clusters + 0.3);
	assert_true(published > 8 * 0.3 && published < sum);
}

static void noise_of_a_scanner_is_borne(void **state)
{
	(void)state;
	creature c = make_creature(2, OSSA_SAMPLE_BIPED, 0.2);
	ossai_spectral_options options = ossai_spectral_default();
	options.bones = (int)c.bones;
	assert_true(found_agreement(&c, &options) > 0.8);
	test_surface_end(&c.t);
}

static void parts_are_counted_by_share_and_gap(void **state)
{
	(void)state;
	creature c = make_creature(1, OSSA_SAMPLE_OPEN, 0);
	ossai_spectral_options options = ossai_spectral_default();
	size_t before = 1;
	for (double share = 0.5; share < 0.999; share = 1 - (1 - share) / 4) {
		options.share = share;
		const size_t parts = find(&c.t, &options).part_count;
		assert_true(parts >= before);
		before = parts;
	}
	assert_true(before > 8);
	options.share = ossai_spectral_default().share;
	const size_t by_share = find(&c.t, &options).part_count;
	options.gap = true;
	const size_t by_gap = find(&c.t, &options).part_count;
	assert_true(by_share + 2 >= c.bones && by_share <= c.bones + 2);
	assert_true(by_gap + 3 >= c.bones && by_gap <= c.bones + 3);
	test_surface_end(&c.t);
}

/* ---- what must not change it ---- */

static void same_parts_for_any_threads(void **state)
{
	(void)state;
	creature one = make_creature(1, OSSA_SAMPLE_HAND, 0);
	const ossai_spectral_parts a = find_bones(&one.t, 0);
	for (int threads = 2; threads <= 3; threads++) {
		creature more = make_creature(threads, OSSA_SAMPLE_HAND, 0);
		const ossai_spectral_parts b = find_bones(&more.t, 0);
		assert_int_equal(a.part_count, b.part_count);
		assert_memory_equal(a.part_of_face, b.part_of_face, one.t.s.face_count * sizeof *a.part_of_face);
		assert_memory_equal(a.part_of_seed, b.part_of_seed, a.seeds.count * sizeof *a.part_of_seed);
		assert_memory_equal(a.eigenvalues, b.eigenvalues, a.eigenvalue_count * sizeof *a.eigenvalues);
		test_surface_end(&more.t);
	}
	test_surface_end(&one.t);
}

/* a stride that visits all of `count` */
static size_t stride_of(size_t count)
{
	static const size_t primes[] = {7, 11, 13, 17, 19, 23};
	size_t i = 0;
	while (count % primes[i] == 0) i++;
	return primes[i];
}

/* the same surface with other numbers for its vertices and faces, larger and elsewhere */
static test_surface renumber(const test_surface *t)
{
	const size_t count = t->s.vertex_count, faces = t->s.face_count, poses = t->s.pose_count;
	ossa_context *context = test_context(1);
	float *rest = ossa_alloc(context, 3 * count, sizeof *rest), *moved = ossa_alloc(context, 3 * count * poses, sizeof *moved);
	uint32_t *triangles = ossa_alloc(context, 3 * faces, sizeof *triangles);
	const size_t by_vertex = stride_of(count), by_face = stride_of(faces);
	for (size_t v = 0; v < count; v++) {
		const size_t to = (by_vertex * v + 3) % count;
		for (size_t c = 0; c < 3; c++) {
			rest[3 * to + c] = 16 * t->mesh->positions[3 * v + c] + 4;
			for (size_t k = 0; k < poses; k++) {
				moved[3 * (k * count + to) + c] = 16 * t->frames->positions[3 * (k * count + v) + c] - 8;
			}
		}
	}
	for (size_t f = 0; f < faces; f++) {
		for (size_t c = 0; c < 3; c++) {
			triangles[3 * (by_face * f % faces) + c] = (uint32_t)((by_vertex * t->s.triangles[3 * f + c] + 3) % count);
		}
	}
	const test_surface other = test_surface_make(1, count, rest, faces, triangles, poses, moved);
	ossa_free(context, rest);
	ossa_free(context, moved);
	ossa_free(context, triangles);
	test_context_end(context);
	return other;
}

static void order_scale_and_place_change_next_to_nothing(void **state)
{
	(void)state;
	creature c = make_creature(1, OSSA_SAMPLE_SNAKE, 0);
	test_surface other = renumber(&c.t);
	const ossai_spectral_parts a = find_bones(&c.t, (int)c.bones), b = find_bones(&other, (int)c.bones);
	uint32_t *back = ossai_arena_new(&c.t.arena, c.t.s.face_count, sizeof *back);
	const size_t by_face = stride_of(c.t.s.face_count);
	for (size_t f = 0; f < c.t.s.face_count; f++) back[f] = b.part_of_face[by_face * f % c.t.s.face_count];
	/* ties between seeds are broken by their number */
	assert_true(agreement(&c.t.s, a.part_of_face, a.part_count, back, b.part_count) > 0.98);
	test_surface_end(&other);
	test_surface_end(&c.t);
}

/* ---- strange input ---- */

static void frozen_input_is_one_part_and_says_so(void **state)
{
	(void)state;
	for (size_t poses = 1; poses < 4; poses++) {
		test_surface t = test_surface_grid(1, 20, 6, poses);
		for (int bones = 0; bones < 9; bones += 8) {
			const ossai_spectral_parts p = find_bones(&t, bones);
			assert_false(p.moves);
			assert_int_equal(p.part_count, 1);
			assert_true(p.eigenvalues == NULL && p.eigenvalue_count == 0);
		}
		/* it translates and rotates rigidly */
		test_chain chain = test_chain_make(&t, 1, 5);
		(void)chain;
		assert_false(find_bones(&t, 0).moves);
		test_surface_end(&t);
	}
}

static void one_pose_is_enough(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 30, 6, 1);
	const test_chain chain = test_chain_make(&t, 3, 11);
	const ossai_spectral_parts p = find_bones(&t, 3);
	assert_true(p.moves);
	assert_int_equal(p.part_count, 3);
	uint32_t truth[360];
	for (size_t f = 0; f < 360; f++) {
		const uint32_t v = t.s.triangles[3 * f];
		truth[f] = chain.weights.bone[v * chain.weights.width];
		if (chain.weights.count[v] > 1 && chain.weights.value[v * chain.weights.width + 1] > 0.5) {
			truth[f] = chain.weights.bone[v * chain.weights.width + 1];
		}
	}
	assert_true(agreement(&t.s, p.part_of_face, 3, truth, 3) > 0.7);
	test_surface_end(&t);
}

static void more_bones_than_places_are_no_harm(void **state)
{
	(void)state;
	const float p[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1}, moved[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
	const uint32_t triangles[] = {0, 1, 2, 1, 3, 2};
	test_surface t = test_surface_make(1, 4, p, 2, triangles, 1, moved);
	for (int bones = 0; bones < 40; bones += 13) {
		const ossai_spectral_parts parts = find_bones(&t, bones);
		assert_true(parts.moves && parts.part_count >= 1 && parts.part_count <= 2);
	}
	test_surface_end(&t);
}

/* eigenvalues cost the cube of the seeds: five for each bone, but not of hundreds of bones */
static void seeds_do_not_grow_without_end(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 60, 40, 2);
	(void)test_chain_make(&t, 5, 3);
	assert_int_equal(find_bones(&t, 20).seeds.count, 300);
	assert_int_equal(find_bones(&t, 100).seeds.count, 500);
	assert_int_equal(find_bones(&t, 300).seeds.count, 800);
	test_surface_end(&t);
}

static void soup_of_bad_faces_ends_in_parts(void **state)
{
	(void)state;
	enum { POINTS = 40, FACES = 90, POSES = 4 };
	for (uint64_t seed = 1; seed <= 10; seed++) {
		float p[3 * POINTS], moved[3 * POINTS * POSES];
		uint32_t triangles[3 * FACES];
		uint64_t random = seed;
		for (size_t i = 0; i < 3 * POINTS; i++) p[i] = (float)(i < 60 ? test_random(&random) : p[i - 60]);
		for (size_t i = 0; i < 3 * POINTS * POSES; i++) moved[i] = (float)test_random(&random);
		for (size_t i = 0; i < 3 * FACES; i++) triangles[i] = (uint32_t)(fabs(test_random(&random)) * POINTS);
		test_surface t = test_surface_make(1, POINTS, p, FACES, triangles, POSES, moved);
		ossai_spectral_options options = ossai_spectral_default();
		options.bones = (int)(seed % 4) * 5;
		options.geodesic = seed % 2;
		assert_true(find(&t, &options).part_count > 0);
		test_surface_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_a_plain_sum),
		cmocka_unit_test(more_parts_are_those_of_a_call_for_them),
		cmocka_unit_test(true_parts_of_creatures_are_found),
		cmocka_unit_test(noise_of_a_scanner_is_borne),
		cmocka_unit_test(parts_are_counted_by_share_and_gap),
		cmocka_unit_test(same_parts_for_any_threads),
		cmocka_unit_test(order_scale_and_place_change_next_to_nothing),
		cmocka_unit_test(frozen_input_is_one_part_and_says_so),
		cmocka_unit_test(one_pose_is_enough),
		cmocka_unit_test(more_bones_than_places_are_no_harm),
		cmocka_unit_test(seeds_do_not_grow_without_end),
		cmocka_unit_test(soup_of_bad_faces_ends_in_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
