/* tests/motion/test_mirrored_joints.c: symmetric joints of least error, against all symmetric
   changes of them. */
#include "motion/mirrored_joints.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* the root 2, central 0, pairs 1 3 and 4 5, and a bone without an image */
enum { BONES = 7, SIZE = 3 * (BONES - 1) };

/* a dense system of these equations, solved once they are mirrored */
static void solve(ossa_context *context, const ossai_symmetry *s, const ossai_tree *tree, const double *h, double *x)
{
	uint32_t first[BONES - 1] = {0};
	size_t start[BONES] = {0};
	double blocks[9 * BONES * BONES];
	for (size_t i = 0; i + 1 < BONES; i++) start[i + 1] = start[i] + i + 1;
	const ossai_subtree_moments sums = {.bone_count = BONES, .tree = tree};
	const ossai_joint_system system = {
		.sums = &sums, .shape = {.count = BONES - 1, .first = first, .start = start}, .h = blocks, .g = x};
	for (size_t i = 0; i < SIZE; i++) {
		for (size_t j = 0; j <= i; j++) *ossai_joint_system_entry(&system, i, j) = h[i * SIZE + j];
	}
	ossai_arena arena = ossai_arena_begin(context);
	assert_ok(context, ossai_joints_mirror(&arena, s, &system));
	assert_true(ossai_skyline_solve_one(&system.shape, system.h, x));
	ossai_arena_end(&arena);
}

static double error_of(const double *h, const double *g, const double *x)
{
	double sum = 0;
	for (size_t i = 0; i < SIZE; i++) {
		sum -= 2 * g[i] * x[i];
		for (size_t j = 0; j < SIZE; j++) sum += x[i] * x[j] * h[(i > j ? i : j) * SIZE + (i > j ? j : i)];
	}
	return sum;
}

static void solution_is_the_best_symmetric_one(void **state)
{
	(void)state;
	uint64_t random = 5;
	ossa_context *context = test_context(1);
	uint32_t image[BONES] = {0, 3, 2, 1, 5, 4, OSSA_NONE};
	uint32_t parent[BONES] = {2, 0, OSSA_NONE, 0, 1, 3, 5}, pair[BONES], order[BONES];
	ossai_tree tree = {BONES, 2, parent, pair, order};
	ossai_tree_sort(&tree);
	const ossai_symmetry s = {
		.plane = {.normal = ossai_unit(ossai_v3(1, 2, -0.5), ossai_v3(1, 0, 0)), .offset = 0.3}, .image = image};
	double h[SIZE * SIZE] = {0}, g[SIZE], a[SIZE * SIZE], x[SIZE];
	for (size_t i = 0; i < SIZE * SIZE; i++) a[i] = test_random(&random);
	for (size_t i = 0; i < SIZE; i++) {
		g[i] = test_random(&random);
		for (size_t j = 0; j <= i; j++) {
			for (size_t k = 0; k < SIZE; k++) h[i * SIZE + j] += a[i * SIZE + k] * a[j * SIZE + k] + (i == j ? 0.1 : 0);
		}
	}
	memcpy(x, g, sizeof x);
	solve(context, &s, &tree, h, x);
	/* it is symmetric */
	ossai_vec3 joint[BONES], shared[BONES];
	for (size_t i = 1; i < BONES; i++) joint[order[i]] = ossai_v3_of(x + 3 * (i - 1));
	joint[2] = ossai_scale(s.plane.normal, s.plane.offset);
	memcpy(shared, joint, sizeof joint);
	ossai_share_joints(&s, BONES, shared);
	for (size_t b = 0; b < BONES; b++) assert_near_vec3(joint[b], shared[b], 1e-9);
	/* and no symmetric change is better */
	const double best = error_of(h, g, x);
	for (int trial = 0; trial < 50; trial++) {
		double y[SIZE];
		memcpy(shared, joint, sizeof joint);
		for (size_t b = 0; b < BONES; b++) shared[b] = ossai_add(shared[b], test_random_point(&random, 1e-3));
		ossai_share_joints(&s, BONES, shared);
		for (size_t i = 1; i < BONES; i++) ossai_v3_store(shared[order[i]], y + 3 * (i - 1));
		assert_true(error_of(h, g, y) > best);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(solution_is_the_best_symmetric_one)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
