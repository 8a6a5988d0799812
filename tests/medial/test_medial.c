/* tests/medial/test_medial.c: medial surfaces of known shapes, exposure against plain sampling,
   steepest ascents against those of single voxels, connectedness, any number of threads. */
#include "medial/medial_work.h"

#include "support/support.h"
#include "support/volumes.h"

#include <stdlib.h>
#include <string.h>

static const double EXPOSURE = 0.12;

/* how many medial voxels can be reached from the first one */
static size_t reachable(const ossai_voxels *voxels, const ossai_medial *medial)
{
	const ossai_neighbors around = ossai_neighbors_of(voxels);
	uint32_t *stack = calloc(medial->count, sizeof *stack);
	uint8_t *seen = calloc(medial->count, 1);
	size_t size = 1, count = 0;
	seen[0] = 1;
	while (size > 0) {
		const uint32_t m = stack[--size];
		count++;
		for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
			const uint32_t v = voxels->of_cell[voxels->cell[medial->voxel[m]] + around.offset[i]];
			const uint32_t u = v == OSSA_NONE ? OSSA_NONE : medial->of_voxel[v];
			if (u == OSSA_NONE || seen[u]) continue;
			seen[u] = 1;
			stack[size++] = u;
		}
	}
	free(stack);
	free(seen);
	return count;
}

/* what every medial surface promises */
static void assert_sound(const ossai_voxels *voxels, const ossai_medial *medial)
{
	assert_true(medial->count > 0);
	size_t found = 0;
	for (uint32_t v = 0; v < voxels->count; v++) {
		if (medial->of_voxel[v] == OSSA_NONE) continue;
		assert_int_equal(medial->of_voxel[v], found);
		assert_int_equal(medial->voxel[found++], v);
	}
	assert_int_equal(found, medial->count);
	assert_int_equal(reachable(voxels, medial), medial->count);
}

typedef struct shape_case {
	const char *name;
	test_volume volume;
} shape_case;

enum { SHAPES = 7 };
static void shapes_make(shape_case *all)
{
	all[0] = (shape_case){"ball", test_volume_ball(0.5)};
	all[1] = (shape_case){"capsule", test_volume_capsule(1, 0.12)};
	all[2] = (shape_case){"box", test_volume_box(1, 0.7, 0.4)};
	all[3] = (shape_case){"slab", test_volume_box(1, 0.7, 0.06)};
	all[4] = (shape_case){"torus", test_volume_torus(0.5, 0.1)};
	all[5] = (shape_case){"octopus", test_volume_octopus()};
	all[6] = (shape_case){"person", test_volume_person()};
}

/* the smallest angle that the cap of a voxel can have: half of the largest between directions that
   no neighbour covers */
static double angle_uncovered(const ossai_voxels *voxels, uint32_t voxel, size_t count, const ossai_vec3 *direction)
{
	const ossai_neighbors around = ossai_neighbors_of(voxels);
	const double depth = voxels->distance2[voxel], radius = sqrt(depth);
	ossai_vec3 *open = calloc(count, sizeof *open);
	size_t open_count = 0;
	for (size_t k = 0; k < count; k++) {
		bool covered = false;
		for (int i = 0; i < OSSAI_NEIGHBORS && !covered; i++) {
			const uint32_t u = voxels->of_cell[voxels->cell[voxel] + around.offset[i]];
			const ossai_vec3 center = ossai_v3(around.step[i][0], around.step[i][1], around.step[i][2]);
			covered = u != OSSA_NONE &&
				ossai_length2(ossai_sub(ossai_scale(direction[k], radius), center)) <= voxels->distance2[u];
		}
		if (!covered) open[open_count++] = direction[k];
	}
	double least = 1;
	for (size_t a = 0; a < open_count; a++) {
		for (size_t b = a + 1; b < open_count; b++) least = fmin(least, ossai_dot(open[a], open[b]));
	}
	free(open);
	return acos(fmax(-1, least)) / 2;
}

/* points all over a ball, by the golden angle */
static void directions_make(size_t count, ossai_vec3 *direction)
{
	for (size_t k = 0; k < count; k++) {
		const double z = 1 - (2 * (double)k + 1) / (double)count, angle = (double)k * OSSAI_PI * (3 - sqrt(5)),
					 r = sqrt(1 - z * z);
		direction[k] = ossai_v3(r * cos(angle), r * sin(angle), z);
	}
}

static void the_cap_holds_all_that_is_uncovered(void **state)
{
	(void)state;
	enum { DIRECTIONS = 3000 };
	ossai_vec3 *direction = calloc(DIRECTIONS, sizeof *direction);
	directions_make(DIRECTIONS, direction);
	shape_case shapes[SHAPES];
	shapes_make(shapes);
	const ossai_mat3 turn = ossai_mat3_identity();
	for (int s = 0; s < SHAPES; s++) {
		ossa_context *context = test_context(1);
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_voxels voxels = test_voxels_of(&arena, &shapes[s].volume, &turn, 0.04);
		ossai_medial medial;
		assert_ok(context, ossai_medial_make(&arena, &voxels, 0, &medial));
		for (size_t m = 0; m < medial.count; m += 7) {
			if (medial.exposure[m] == 0 || medial.exposure[m] >= 0.5f) continue;
			const double cap = acos(1 - 2 * (double)medial.exposure[m]);
			const double least = angle_uncovered(&voxels, medial.voxel[m], DIRECTIONS, direction);
			if (!(least <= cap + 1e-3))
				print_message("%s, voxel %zu: cap %.4f, uncovered %.4f\n", shapes[s].name, m, cap, least);
			assert_true(least <= cap + 1e-3);
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	free(direction);
}

/* ---- many voxels at once ---- */

static bool plain_before(const ossai_medial_work *work, uint32_t a, uint32_t b)
{
	const uint32_t depth_a = work->voxels->distance2[a], depth_b = work->voxels->distance2[b];
	if (depth_a != depth_b) return depth_a > depth_b;
	const double far_a = ossai_medial_to_centroid(work, a), far_b = ossai_medial_to_centroid(work, b);
	return far_a != far_b ? far_a < far_b : a < b;
}

/* the neighbour of steepest ascent, from which on a voxel is deeper, or as deep and closer to the
   center */
static uint32_t plain_up(const ossai_medial_work *work, uint32_t v)
{
	const ossai_voxels *voxels = work->voxels;
	uint32_t up = v;
	float steepest = 0;
	for (int i = 0; i < OSSAI_NEIGHBORS; i++) {
		const uint32_t u = voxels->of_cell[voxels->cell[v] + work->around.offset[i]];
		if (u == OSSA_NONE || voxels->distance2[u] < voxels->distance2[v]) continue;
		const float rise = (float)voxels->distance2[u] - (float)voxels->distance2[v] - work->around.squared[i];
		const float slope = rise / (float)work->around.length[i];
		if (up != v && slope < steepest) continue;
		if (!plain_before(work, u, up != v && slope == steepest ? up : v)) continue;
		up = u;
		steepest = slope;
	}
	return up;
}

static void check_measures(ossa_context *context, ossai_arena *arena, const ossai_voxels *voxels, double exposure)
{
	ossai_medial_work work = ossai_medial_begin(voxels, exposure);
	work.up = ossai_arena_new(arena, voxels->count, 1);
	work.is = ossai_arena_new(arena, voxels->count, 1);
	assert_ok(context, ossai_voxel_rows_make(arena, voxels, &work.rows));
	ossai_medial_measure(context, &work);
	size_t wrong_up = 0, wrong = 0;
	for (uint32_t v = 0; v < voxels->count; v++) {
		const uint32_t up = plain_up(&work, v);
		wrong_up += ossai_medial_up(&work, v) != up;
		const double own = ossai_medial_exposure(&work, v), cosine = 1 - 2 * own, depth = voxels->distance2[v];
		const double spread = 2 * sqrt(fmax(depth * (1 - cosine * cosine), 0)), least = fmin(3, 1.6 * sqrt(depth));
		/* what lies next to a bound may be on either side of it here */
		if (fabs(own - exposure) < 1e-5 || fabs(spread - least) < 1e-4) continue;
		wrong += (work.is[v] == OSSAI_MEDIAL_EXPOSED) != (up == v || (own > exposure && spread > least));
	}
	assert_int_equal(wrong_up, 0);
	assert_int_equal(wrong, 0);
}

static void surfaces_are_one_piece_at_any_threshold(void **state)
{
	(void)state;
	shape_case shapes[SHAPES];
	shapes_make(shapes);
	const ossai_mat3 turn = ossai_mat3_identity();
	for (int s = 0; s < SHAPES; s++) {
		ossa_context *context = test_context(2);
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_voxels voxels = test_voxels_of(&arena, &shapes[s].volume, &turn, 0.03);
		for (int i = 0; i < 5; i++) {
			ossai_medial medial;
			assert_ok(context, ossai_medial_make(&arena, &voxels, 0.12 * i, &medial));
			assert_sound(&voxels, &medial);
			check_measures(context, &arena, &voxels, 0.12 * i);
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

static void measures_are_those_of_single_voxels(void **state)
{
	(void)state;
	/* noise, with rows that are longer than what is worked on at once */
	enum { COLUMNS = 300, SIDE = 9 };
	static char text[COLUMNS * SIDE * SIDE + 1];
	uint32_t seed = 5;
	for (int k = 0; k < 4; k++) {
		ossa_context *context = test_context(2);
		ossai_arena arena = ossai_arena_begin(context);
		for (int i = 0; i < COLUMNS * SIDE * SIDE; i++)
			text[i] = test_random_bits(&seed) % 1000 < 1000U - 60 * (uint32_t)k * (uint32_t)k ? '#' : '.';
		const ossai_voxels voxels = test_voxels_drawn(&arena, COLUMNS, SIDE, SIDE, text);
		for (int i = 0; i < 5; i++) check_measures(context, &arena, &voxels, 0.12 * i);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

static void a_ball_has_its_middle_alone(void **state)
{
	(void)state;
	const ossai_mat3 turn = ossai_mat3_identity();
	const test_volume ball = test_volume_ball(0.5);
	const double sizes[3] = {0.05, 0.03, 0.015};
	for (int i = 0; i < 3; i++) {
		ossa_context *context = test_context(1);
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_voxels voxels = test_voxels_of(&arena, &ball, &turn, sizes[i]);
		ossai_medial medial;
		assert_ok(context, ossai_medial_make(&arena, &voxels, EXPOSURE, &medial));
		assert_true(medial.count <= 27);
		for (size_t m = 0; m < medial.count; m++) {
			assert_true(ossai_length(ossai_voxel_center(&voxels, medial.voxel[m])) < 2.5 * voxels.step);
		}
		ossai_arena_end(&arena);
		test_context_end(context);
	}
}

/* a slab along the axes: the medial layer, and the voxels that rise to its rim */
static void a_slab_has_its_middle_layer(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	char text[30 * 20 * 5 + 1];
	memset(text, '#', sizeof text - 1);
	text[sizeof text - 1] = 0;
	const ossai_voxels voxels = test_voxels_drawn(&arena, 30, 20, 5, text);
	ossai_medial medial;
	assert_ok(context, ossai_medial_make(&arena, &voxels, 0.2, &medial));
	assert_sound(&voxels, &medial);
	for (uint32_t v = 0; v < voxels.count; v++) {
		const ossai_vec3 p = ossai_voxel_center(&voxels, v);
		const bool inner = p.x >= 3 && p.x <= 26 && p.y >= 3 && p.y <= 16;
		if (inner) assert_int_equal(medial.of_voxel[v] != OSSA_NONE, p.z == 2);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void threads_change_no_byte(void **state)
{
	(void)state;
	const test_volume octopus = test_volume_octopus();
	const ossai_mat3 turn = ossai_mat3_identity();
	const int threads[3] = {1, 2, 8};
	size_t count = 0;
	uint32_t *voxel = NULL;
	for (int i = 0; i < 3; i++) {
		ossa_context *context = test_context(threads[i]);
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_voxels voxels = test_voxels_of(&arena, &octopus, &turn, 0.02);
		ossai_medial medial;
		assert_ok(context, ossai_medial_make(&arena, &voxels, EXPOSURE, &medial));
		if (i == 0) {
			count = medial.count;
			voxel = malloc(count * sizeof *voxel);
			memcpy(voxel, medial.voxel, count * sizeof *voxel);
		}
		assert_int_equal(medial.count, count);
		assert_memory_equal(medial.voxel, voxel, count * sizeof *voxel);
		ossai_arena_end(&arena);
		test_context_end(context);
	}
	free(voxel);
}

typedef struct sweep_case {
	const ossai_voxels *voxels;
} sweep_case;

static ossa_status sweep(ossa_context *context, void *arg)
{
	const sweep_case *c = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_medial medial;
	const ossa_status status = ossai_medial_make(&arena, c->voxels, EXPOSURE, &medial);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const test_volume person = test_volume_person();
	const ossai_mat3 turn = ossai_mat3_identity();
	const ossai_voxels voxels = test_voxels_of(&arena, &person, &turn, 0.04);
	sweep_case c = {&voxels};
	assert_true(test_allocation_sweep(sweep, &c, 100, 1) >= 3);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surfaces_are_one_piece_at_any_threshold),
		cmocka_unit_test(the_cap_holds_all_that_is_uncovered),
		cmocka_unit_test(measures_are_those_of_single_voxels),
		cmocka_unit_test(a_ball_has_its_middle_alone),
		cmocka_unit_test(a_slab_has_its_middle_layer),
		cmocka_unit_test(threads_change_no_byte),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
