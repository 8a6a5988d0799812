/* tests/proxy/test_shell.c: shells are closed, manifold and oriented outward for any input, keep
   the shape of a closed one, and do not depend on threads, memory or damaged input. */
#include "base/union_find.h"
#include "math/vec.h"
#include "samples/samples.h"
#include "support/support.h"
#include "mesh/pairs.h"
#include "proxy/shell.h"

#include <stdlib.h>
#include <string.h>

/* A surface to be wrapped. Arrays are malloc'ed. */
typedef struct soup {
	size_t vertex_count, face_count;
	double *positions;
	uint32_t *triangles;
} soup;

static soup soup_new(size_t vertices, size_t faces)
{
	soup s = {vertices, faces, malloc((3 * vertices + 1) * sizeof(double)), malloc((3 * faces + 1) * sizeof(uint32_t))};
	assert_true(s.positions && s.triangles);
	return s;
}

static void soup_free(soup *s)
{
	free(s->positions);
	free(s->triangles);
}

/* tube of rings around a ring, or, with tube 0, a sphere: unit size */
static soup round_soup(uint32_t columns, uint32_t rows, double tube)
{
	soup s = soup_new((size_t)columns * (rows + 1), (size_t)columns * rows * 2);
	for (uint32_t i = 0; i < s.vertex_count; i++) {
		const double a = 2 * OSSAI_PI * (i % columns) / columns, t = (double)(i / columns % rows) / rows;
		const double b = tube > 0 ? 2 * OSSAI_PI * t : OSSAI_PI * (double)(i / columns) / rows;
		const double radius = tube > 0 ? 0.5 - tube + tube * cos(b) : 0.5 * sin(b),
					 z = tube > 0 ? tube * sin(b) : -0.5 * cos(b);
		ossai_v3_store(ossai_v3(radius * cos(a), radius * sin(a), z), s.positions + 3 * (size_t)i);
	}
	for (uint32_t f = 0; f < s.face_count / 2; f++) {
		const uint32_t row = f / columns, x = f % columns, y = (x + 1) % columns;
		const uint32_t a = row * columns + x, b = row * columns + y, c = (row + 1) * columns + y, d = (row + 1) * columns + x;
		memcpy(s.triangles + 6 * (size_t)f, (uint32_t[]){a, b, c, a, c, d}, 6 * sizeof(uint32_t));
	}
	/* the sphere's poles are points, so that rings there are one vertex each for any welding */
	return s;
}

static soup box_soup(double half)
{
	static const uint32_t faces[] = {
		0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
	static const double corners[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
	soup s = soup_new(8, 12);
	memcpy(s.triangles, faces, sizeof faces);
	for (int i = 0; i < 24; i++) s.positions[i] = half * corners[i];
	return s;
}

/* both, the second moved along x */
static soup joined(soup a, soup b, double dx)
{
	soup s = soup_new(a.vertex_count + b.vertex_count, a.face_count + b.face_count);
	memcpy(s.positions, a.positions, 3 * a.vertex_count * sizeof(double));
	memcpy(s.triangles, a.triangles, 3 * a.face_count * sizeof(uint32_t));
	for (size_t i = 0; i < 3 * b.vertex_count; i++)
		s.positions[3 * a.vertex_count + i] = b.positions[i] + (i % 3 == 0 ? dx : 0);
	for (size_t i = 0; i < 3 * b.face_count; i++) s.triangles[3 * a.face_count + i] = b.triangles[i] + (uint32_t)a.vertex_count;
	soup_free(&a);
	soup_free(&b);
	return s;
}

/* a creature at rest, with a diagonal of about 1 */
static soup creature_soup(ossa_sample_kind kind, int faces)
{
	ossa_context *context = test_context(0);
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = 1;
	ossa_sample *sample;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	const ossa_mesh *mesh = sample->rig->mesh;
	soup s = soup_new(mesh->vertex_count, mesh->triangle_count);
	memcpy(s.triangles, mesh->triangles, 3 * s.face_count * sizeof(uint32_t));
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, diagonal = 0;
	for (size_t i = 0; i < 3 * s.vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
		high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
	}
	for (int k = 0; k < 3; k++) diagonal += (high[k] - low[k]) * (high[k] - low[k]);
	for (size_t i = 0; i < 3 * s.vertex_count; i++) {
		s.positions[i] = (mesh->positions[i] - 0.5 * (low[i % 3] + high[i % 3])) / sqrt(diagonal);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
	return s;
}

static double volume_of(size_t faces, const uint32_t *triangles, const double *positions)
{
	double sum = 0;
	for (size_t f = 0; f < faces; f++) {
		const ossai_vec3 a = ossai_v3_of(positions + 3 * (size_t)triangles[3 * f]);
		const ossai_vec3 b = ossai_v3_of(positions + 3 * (size_t)triangles[3 * f + 1]);
		sum += ossai_dot(a, ossai_cross(b, ossai_v3_of(positions + 3 * (size_t)triangles[3 * f + 2]))) / 6;
	}
	return sum;
}

/* What is known of a shell. */
typedef struct shell_facts {
	size_t vertices, parts;
	long euler;
	/* mean edge; the farthest of the input's vertices from its shell vertex */
	double volume, edge, farthest;
} shell_facts;

/* every edge twice, in both directions; faces of three vertices; all vertices used */
static size_t check_edges(ossa_context *context, const ossai_isotropic_mesh *m)
{
	ossai_pair *pairs = malloc(3 * m->face_count * sizeof *pairs);
	uint8_t *used = calloc(m->vertex_count, 1);
	for (uint32_t c = 0; c < 3 * m->face_count; c++) {
		const uint32_t a = m->triangles[c], b = m->triangles[c % 3 == 2 ? c - 2 : c + 1];
		assert_true(a < m->vertex_count && a != b);
		pairs[c] = ossai_pair_of(a, b, a < b);
		used[a] = 1;
	}
	assert_ok(context, ossai_pairs_sort(context, pairs, 3 * m->face_count, m->vertex_count));
	for (size_t i = 0; i < 3 * m->face_count; i += 2) {
		assert_int_equal(ossai_pairs_run_end(pairs, 3 * m->face_count, i), i + 2);
		assert_int_not_equal(pairs[i].tag, pairs[i + 1].tag);
	}
	for (size_t v = 0; v < m->vertex_count; v++) assert_true(used[v]);
	free(used);
	free(pairs);
	return 3 * m->face_count / 2;
}

/* the faces around each vertex are one ring: as many as lead on from the first by shared edges */
static void check_rings(const ossai_isotropic_mesh *m)
{
	/* union of the corners at a vertex whose faces share an edge there: exactly one set for each
	   vertex */
	uint32_t *parent = malloc(3 * m->face_count * sizeof *parent), *first = malloc(m->vertex_count * sizeof *first);
	uint32_t *by_from = malloc(3 * m->face_count * sizeof *by_from), *start = calloc(m->vertex_count + 2, sizeof *start);
	ossai_union_begin(parent, 3 * m->face_count);
	for (size_t c = 0; c < 3 * m->face_count; c++) start[m->triangles[c] + 1]++;
	for (size_t v = 0; v < m->vertex_count; v++) start[v + 1] += start[v];
	memcpy(first, start, m->vertex_count * sizeof *first);
	for (uint32_t c = 0; c < 3 * m->face_count; c++) by_from[first[m->triangles[c]]++] = c;
	size_t sets = 3 * m->face_count;
	for (uint32_t c = 0; c < 3 * m->face_count; c++) {
		/* the face on the other side of c's edge has a corner at its end that goes back to c's
		   vertex */
		const uint32_t from = m->triangles[c], next = c % 3 == 2 ? c - 2 : c + 1, to = m->triangles[next];
		for (uint32_t i = start[to]; i < start[to + 1]; i++) {
			const uint32_t d = by_from[i], after = d % 3 == 2 ? d - 2 : d + 1;
			if (m->triangles[after] == from) sets -= ossai_union_join(parent, c, after);
		}
	}
	assert_int_equal(sets, m->vertex_count);
	free(parent);
	free(first);
	free(by_from);
	free(start);
}

static shell_facts facts_of(ossa_context *context, const soup *s, const ossai_isotropic_mesh *m)
{
	shell_facts facts = {.vertices = m->vertex_count, .parts = m->vertex_count};
	assert_true(m->vertex_count >= 4 && m->face_count >= 4);
	const size_t edges = check_edges(context, m);
	check_rings(m);
	facts.euler = (long)m->vertex_count - (long)edges + (long)m->face_count;
	facts.volume = volume_of(m->face_count, m->triangles, m->positions);
	assert_true(facts.volume > 0);
	uint32_t *parent = malloc(m->vertex_count * sizeof *parent);
	ossai_union_begin(parent, m->vertex_count);
	for (size_t c = 0; c < 3 * m->face_count; c++) {
		const uint32_t a = m->triangles[c], b = m->triangles[c % 3 == 2 ? c - 2 : c + 1];
		facts.parts -= ossai_union_join(parent, a, b);
		facts.edge += ossai_distance(ossai_v3_of(m->positions + 3 * (size_t)a), ossai_v3_of(m->positions + 3 * (size_t)b)) /
			(3 * (double)m->face_count);
	}
	free(parent);
	for (size_t v = 0; v < s->vertex_count; v++) {
		if (m->of_vertex[v] == OSSA_NONE) continue;
		assert_true(m->of_vertex[v] < m->vertex_count);
		const ossai_vec3 at = ossai_v3_of(m->positions + 3 * (size_t)m->of_vertex[v]);
		facts.farthest = fmax(facts.farthest, ossai_distance(at, ossai_v3_of(s->positions + 3 * v)));
	}
	return facts;
}

static shell_facts wrap(const soup *s, size_t wanted)
{
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_isotropic_mesh made;
	assert_ok(context, ossai_shell_make(&arena, s->vertex_count, s->positions, s->face_count, s->triangles, wanted, &made));
	const shell_facts facts = facts_of(context, s, &made);
	ossai_arena_end(&arena);
	test_context_end(context);
	return facts;
}

/* one part without handles that lies close to the surface */
static void assert_one(const shell_facts *facts, double volume)
{
	assert_int_equal(facts->parts, 1);
	assert_int_equal(facts->euler, 2);
	assert_near(facts->volume, volume, 0.03 * volume);
	assert_true(facts->farthest < 2 * facts->edge);
}

static void whole_shapes_keep_their_topology_and_volume(void **state)
{
	(void)state;
	soup sphere = round_soup(64, 32, 0), torus = round_soup(96, 48, 0.15), box = box_soup(0.4);
	const shell_facts s = wrap(&sphere, 3000), b = wrap(&box, 3000), t = wrap(&torus, 3000);
	assert_one(&s, volume_of(sphere.face_count, sphere.triangles, sphere.positions));
	assert_one(&b, 0.512);
	assert_true(s.vertices > 1500 && s.vertices < 6000);
	assert_int_equal(t.parts, 1);
	assert_int_equal(t.euler, 0);
	const double truth = volume_of(torus.face_count, torus.triangles, torus.positions);
	assert_near(t.volume, truth, 0.03 * truth);
	soup_free(&sphere);
	soup_free(&torus);
	soup_free(&box);
}

static void creatures_keep_theirs(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {
		OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_SNAKE};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		soup s = creature_soup(kinds[k], 6000);
		const shell_facts facts = wrap(&s, 8000);
		assert_one(&facts, volume_of(s.face_count, s.triangles, s.positions));
		soup_free(&s);
	}
}

/* ---- spoilt input ---- */

typedef enum spoil { HOLE, HOLES, FLIPPED, INVERTED, DOUBLED, UNWELDED, FAR_AWAY, REVERSED_ORDER, SPOILS } spoil;

static soup spoilt(const soup *s, spoil how)
{
	soup t = soup_new(
		how == UNWELDED ? 3 * s->face_count : s->vertex_count, how == DOUBLED ? 2 * s->face_count : s->face_count);
	uint32_t seed = 9;
	if (how != UNWELDED) memcpy(t.positions, s->positions, 3 * s->vertex_count * sizeof(double));
	t.face_count = 0;
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t *from = s->triangles + 3 * (how == REVERSED_ORDER ? s->face_count - 1 - f : f);
		uint32_t *to = t.triangles + 3 * t.face_count++;
		memcpy(to, from, 3 * sizeof(uint32_t));
		const uint32_t random = test_random_bits(&seed);
		if ((how == HOLE && f < 60) || (how == HOLES && random % 50 == 0)) t.face_count--;
		if ((how == FLIPPED && random % 3 == 0) || how == INVERTED) {
			to[1] = from[2];
			to[2] = from[1];
		}
		if (how == DOUBLED)
			memcpy(t.triangles + 3 * t.face_count++, (uint32_t[]){from[0], from[2], from[1]}, 3 * sizeof(uint32_t));
		for (int k = 0; how == UNWELDED && k < 3; k++) {
			memcpy(t.positions + 9 * f + 3 * k, s->positions + 3 * (size_t)from[k], 3 * sizeof(double));
			to[k] = (uint32_t)(3 * f) + (uint32_t)k;
		}
	}
	for (size_t i = 0; how == FAR_AWAY && i < 3 * t.vertex_count; i++) t.positions[i] += 1e5;
	return t;
}

static void spoilt_shapes_give_what_whole_ones_do(void **state)
{
	(void)state;
	soup whole = creature_soup(OSSA_SAMPLE_QUADRUPED, 6000);
	const double volume = volume_of(whole.face_count, whole.triangles, whole.positions);
	for (spoil how = 0; how < SPOILS; how++) {
		soup s = spoilt(&whole, how);
		const shell_facts facts = wrap(&s, 8000);
		assert_int_equal(facts.parts, 1);
		assert_int_equal(facts.euler, 2);
		/* far away the test's own volume loses digits */
		if (how != FAR_AWAY) assert_near(facts.volume, volume, 0.03 * volume);
		assert_true(facts.farthest < 2 * facts.edge);
		soup_free(&s);
	}
	soup_free(&whole);
}

/* triangles of their own, each moved a little: no edge is shared any more, and seams gape */
static void crumbled_shapes_hold_together(void **state)
{
	(void)state;
	soup whole = creature_soup(OSSA_SAMPLE_QUADRUPED, 6000), s = spoilt(&whole, UNWELDED);
	uint32_t seed = 4;
	for (size_t i = 0; i < 3 * s.vertex_count; i++) s.positions[i] += 0.002 * (test_random_bits(&seed) / 16777216.0 - 0.5);
	const shell_facts facts = wrap(&s, 8000);
	const double volume = volume_of(whole.face_count, whole.triangles, whole.positions);
	assert_int_equal(facts.parts, 1);
	assert_near(facts.volume, volume, 0.05 * volume);
	soup_free(&whole);
	soup_free(&s);
}

static void turning_does_not_matter(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OPEN};
	for (int k = 0; k < 3; k++) {
		soup s = creature_soup(kinds[k], 4000);
		shell_facts first = {0};
		for (int turn = 0; turn < 4; turn++) {
			const ossai_quat q = ossai_quat_axis_angle(ossai_unit(ossai_v3(1, turn, 2), ossai_v3(1, 0, 0)), OSSAI_PI / 6);
			const ossai_mat3 r = ossai_quat_matrix(q);
			const shell_facts facts = wrap(&s, 8000);
			if (turn == 0) first = facts;
			assert_int_equal(facts.parts, first.parts);
			assert_int_equal(facts.euler, first.euler);
			assert_near(facts.volume, first.volume, 0.01 * first.volume);
			for (size_t v = 0; v < s.vertex_count; v++) {
				ossai_v3_store(ossai_mat3_mul_v(&r, ossai_v3_of(s.positions + 3 * v)), s.positions + 3 * v);
			}
		}
		soup_free(&s);
	}
}

static void sheets_and_lines_get_a_thickness(void **state)
{
	(void)state;
	soup sheet = soup_new(4, 2), line = soup_new(3, 1);
	memcpy(sheet.positions, (double[]){-.3, -.4, 0, .3, -.4, .1, .3, .4, 0, -.3, .4, .1}, 12 * sizeof(double));
	memcpy(sheet.triangles, (uint32_t[]){0, 1, 2, 0, 2, 3}, 6 * sizeof(uint32_t));
	memcpy(line.positions, (double[]){-.3, -.4, 0, 0, 0, 0, .3, .4, 0}, 9 * sizeof(double));
	memcpy(line.triangles, (uint32_t[]){0, 1, 2}, 3 * sizeof(uint32_t));
	for (size_t wanted = 500; wanted <= 8000; wanted *= 4) {
		const shell_facts two = wrap(&sheet, wanted);
		sheet.face_count = 1;
		const shell_facts one = wrap(&sheet, wanted), thin = wrap(&line, wanted);
		sheet.face_count = 2;
		assert_true(two.parts == 1 && two.euler == 2 && two.farthest < 3 * two.edge);
		assert_true(one.parts == 1 && one.euler == 2 && one.farthest < 3 * one.edge);
		assert_true(thin.parts == 1 && thin.euler == 2 && thin.farthest < 3 * thin.edge);
	}
	soup_free(&sheet);
	soup_free(&line);
}

static void nothing_is_an_error(void **state)
{
	(void)state;
	soup s = box_soup(0.5);
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_isotropic_mesh made;
	assert_fails(context, ossai_shell_make(&arena, 8, s.positions, 0, s.triangles, 100, &made), OSSA_ERROR_INPUT, "no face");
	for (int i = 0; i < 24; i++) s.positions[i] = 7;
	assert_fails(context, ossai_shell_make(&arena, 8, s.positions, 12, s.triangles, 100, &made), OSSA_ERROR_INPUT, "no face");
	ossai_arena_end(&arena);
	test_context_end(context);
	soup_free(&s);
}

static void boxes_in_boxes_are_filled_and_boxes_apart_stay_apart(void **state)
{
	(void)state;
	/* the inner box the same way round, then the other: a wall with a cavity */
	for (int turned = 0; turned < 2; turned++) {
		soup inner = box_soup(0.2);
		if (turned) {
			soup other = spoilt(&inner, INVERTED);
			soup_free(&inner);
			inner = other;
		}
		soup s = joined(box_soup(0.4), inner, 0);
		const shell_facts facts = wrap(&s, 3000);
		assert_int_equal(facts.parts, 1);
		assert_int_equal(facts.euler, 2);
		assert_near(facts.volume, 0.512, 0.02);
		soup_free(&s);
	}
	soup touching = joined(box_soup(0.2), box_soup(0.2), 0.4), through = joined(box_soup(0.2), box_soup(0.2), 0.3);
	soup apart = joined(box_soup(0.2), box_soup(0.2), 0.5);
	const shell_facts a = wrap(&touching, 3000), b = wrap(&through, 3000), c = wrap(&apart, 3000);
	assert_one(&a, 0.128);
	assert_one(&b, 0.112);
	assert_int_equal(c.parts, 2);
	assert_int_equal(c.euler, 4);
	soup_free(&touching);
	soup_free(&through);
	soup_free(&apart);
}

/* ---- threads, memory, stopping ---- */

static void threads_do_not_matter(void **state)
{
	(void)state;
	soup whole = creature_soup(OSSA_SAMPLE_OPEN, 4000), s = spoilt(&whole, HOLES);
	size_t vertices = 0, faces = 0;
	double *positions = NULL;
	uint32_t *triangles = NULL;
	for (int threads = 1; threads <= 8; threads *= 2) {
		ossa_context *context = test_context(threads);
		ossai_arena arena = ossai_arena_begin(context);
		ossai_isotropic_mesh made;
		assert_ok(context, ossai_shell_make(&arena, s.vertex_count, s.positions, s.face_count, s.triangles, 3000, &made));
		if (threads == 1) {
			vertices = made.vertex_count;
			faces = made.face_count;
			positions = malloc(3 * vertices * sizeof(double));
			triangles = malloc(3 * faces * sizeof(uint32_t));
			memcpy(positions, made.positions, 3 * vertices * sizeof(double));
			memcpy(triangles, made.triangles, 3 * faces * sizeof(uint32_t));
		}
		assert_int_equal(made.vertex_count, vertices);
		assert_int_equal(made.face_count, faces);
		assert_memory_equal(made.positions, positions, 3 * vertices * sizeof(double));
		assert_memory_equal(made.triangles, triangles, 3 * faces * sizeof(uint32_t));
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	free(positions);
	free(triangles);
	soup_free(&whole);
	soup_free(&s);
}

static ossa_status sweep_shell(ossa_context *context, void *arg)
{
	const soup *s = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_isotropic_mesh made;
	const ossa_status status = ossai_shell_make(&arena, s->vertex_count, s->positions, s->face_count, s->triangles, 200, &made);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	soup s = joined(box_soup(0.2), box_soup(0.1), 0.35);
	s.face_count -= 2; /* a hole */
	assert_true(test_allocation_sweep(sweep_shell, &s, 200, 7) > 30);
	soup_free(&s);
}

static bool stop_later(void *user, const char *stage, double fraction)
{
	(void)stage;
	return fraction < *(const double *)user;
}

static void stopping_stops(void **state)
{
	(void)state;
	soup s = box_soup(0.4);
	for (double when = 0.1; when < 0.9; when += 0.2) {
		ossa_context_options options = ossa_context_default();
		options.progress = stop_later;
		options.progress_user = &when;
		ossa_context *context;
		assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
		assert_fails(context, sweep_shell(context, &s), OSSA_ERROR_CANCELLED, "stopped");
		test_context_end(context);
	}
	soup_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_shapes_keep_their_topology_and_volume),
		cmocka_unit_test(creatures_keep_theirs),
		cmocka_unit_test(spoilt_shapes_give_what_whole_ones_do),
		cmocka_unit_test(crumbled_shapes_hold_together),
		cmocka_unit_test(turning_does_not_matter),
		cmocka_unit_test(sheets_and_lines_get_a_thickness),
		cmocka_unit_test(nothing_is_an_error),
		cmocka_unit_test(boxes_in_boxes_are_filled_and_boxes_apart_stay_apart),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(memory_may_fail_anywhere),
		cmocka_unit_test(stopping_stops),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
