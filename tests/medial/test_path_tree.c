/* tests/medial/test_path_tree.c: path trees of known shapes, to all extreme points and to given
   positions, under rotation and at any voxel size; distances against those of Bellman and Ford,
   coverage against all pairs; smoothing. */
#include "medial/path_work.h"

#include "support/support.h"
#include "support/volumes.h"

#include <stdlib.h>
#include <string.h>

static const double EXPOSURE = 0.12, CLOSENESS = 0.08;

/* of an octopus, with what is uneven on its head */
enum { MOST_ENDS = 12 };

typedef struct grown {
	ossa_context *context;
	ossai_arena arena;
	ossai_voxels voxels;
	ossai_medial medial;
	ossai_path_tree tree;
} grown;

static ossai_mat3 turn_about(int axis, double degrees)
{
	ossai_mat3 turn = ossai_mat3_identity();
	const double c = cos(degrees * OSSAI_PI / 180), s = sin(degrees * OSSAI_PI / 180);
	const int a = (axis + 1) % 3, b = (axis + 2) % 3;
	turn.m[a][a] = turn.m[b][b] = c;
	turn.m[a][b] = -s;
	turn.m[b][a] = s;
	return turn;
}

/* voxels and their medial surface */
static void fill(grown *g, const test_volume *volume, ossai_mat3 turn, double size)
{
	g->context = test_context(1);
	g->arena = ossai_arena_begin(g->context);
	g->voxels = test_voxels_of(&g->arena, volume, &turn, size);
	assert_ok(g->context, ossai_medial_make(&g->arena, &g->voxels, EXPOSURE, &g->medial));
}

static void grow_turned(grown *g, const test_volume *volume, ossai_mat3 turn, double size)
{
	fill(g, volume, turn, size);
	assert_ok(g->context, ossai_path_tree_make(&g->arena, &g->voxels, &g->medial, CLOSENESS, &g->tree));
}

static void grow(grown *g, const test_volume *volume, double size) { grow_turned(g, volume, ossai_mat3_identity(), size); }

static void grown_end(grown *g)
{
	ossai_arena_end(&g->arena);
	test_context_end(g->context);
}

/* ends of a tree; `is_end`: of nodes, or NULL */
static size_t count_ends(const ossai_path_tree *tree, uint8_t *is_end)
{
	uint32_t *degree = calloc(tree->node_count, sizeof *degree);
	size_t ends = 0;
	for (size_t i = 1; i < tree->node_count; i++) {
		degree[i]++;
		degree[tree->parent[i]]++;
	}
	for (size_t i = 0; i < tree->node_count; i++) {
		ends += degree[i] == 1;
		if (is_end) is_end[i] = degree[i] == 1;
	}
	free(degree);
	return ends;
}

/* distance of the nearest end from a point */
static double nearest_end(const ossai_path_tree *tree, ossai_vec3 place)
{
	uint8_t *is_end = calloc(tree->node_count, 1);
	double nearest = INFINITY;
	count_ends(tree, is_end);
	for (size_t i = 0; i < tree->node_count; i++) {
		if (is_end[i]) nearest = fmin(nearest, ossai_distance(tree->node[i], place));
	}
	free(is_end);
	return nearest;
}

/* parents first, neighbours of their parents, one node a voxel */
static void assert_sound(const grown *g)
{
	const ossai_path_tree *tree = &g->tree;
	assert_true(tree->node_count > 0);
	assert_int_equal(tree->parent[0], OSSA_NONE);
	for (size_t i = 1; i < tree->node_count; i++) {
		assert_true(tree->parent[i] < i);
		assert_near_vec3(tree->node[i], tree->node[tree->parent[i]], 1.7321 * g->voxels.step);
		assert_true(tree->radius[i] > 0);
	}
	assert_true(tree->heart < tree->node_count);
}

static ossai_vec3 arm_tip(int arm)
{
	const double angle = 0.13 + arm * OSSAI_PI / 4;
	return ossai_v3(cos(angle), -0.4, sin(angle));
}

/* every end of a shape's limbs is reached to within its last ball; unevenness may make more */
static void an_octopus_has_its_arms(void **state)
{
	(void)state;
	const test_volume octopus = test_volume_octopus();
	const double sizes[3] = {0.03, 0.02, 0.01};
	for (int i = 0; i < 3; i++) {
		/* not turned, and about each axis; the finest about one */
		for (int axis = sizes[i] < 0.015 ? 2 : 0; axis < 4; axis++) {
			const ossai_mat3 turn = axis < 3 ? turn_about(axis, 30) : ossai_mat3_identity();
			grown g;
			grow_turned(&g, &octopus, turn, sizes[i]);
			assert_sound(&g);
			assert_in_range(count_ends(&g.tree, NULL), 8, MOST_ENDS);
			/* what is thinner than two voxels is lost at the tips */
			for (int arm = 0; arm < 8 && g.voxels.step < 0.025; arm++) {
				assert_true(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, arm_tip(arm))) < 0.02 + 2 * g.voxels.step);
			}
			grown_end(&g);
		}
	}
}

static bool is_one_of(uint32_t voxel, size_t count, const uint32_t *list)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == voxel) return true;
	}
	return false;
}

/* every end is an extreme point, and node 0 the farthest from the heart */
static void as_published_every_end_is_an_extreme_point(void **state)
{
	(void)state;
	const test_volume octopus = test_volume_octopus();
	grown g;
	uint8_t is_end[10000] = {0};
	grow(&g, &octopus, 0.02);
	assert_true(g.tree.node_count < sizeof is_end);
	assert_int_equal(g.tree.voxel[0], g.tree.extreme[0]);
	assert_int_equal(count_ends(&g.tree, is_end), g.tree.path_count + 1);
	for (size_t i = 0; i < g.tree.node_count; i++) {
		if (is_end[i]) assert_true(is_one_of(g.tree.voxel[i], g.tree.extreme_count, g.tree.extreme));
	}
	assert_true(g.medial.of_voxel[g.tree.heart_voxel] != OSSA_NONE);
	grown_end(&g);
}

/* the same arms, from the heart */
static void from_the_heart_an_octopus_has_its_arms(void **state)
{
	(void)state;
	const test_volume octopus = test_volume_octopus();
	grown g;
	fill(&g, &octopus, ossai_mat3_identity(), 0.02);
	assert_ok(g.context, ossai_path_tree_from_heart(&g.arena, &g.voxels, &g.medial, CLOSENESS, &g.tree));
	assert_sound(&g);
	assert_in_range(count_ends(&g.tree, NULL), 8, MOST_ENDS);
	for (int arm = 0; arm < 8; arm++) assert_true(nearest_end(&g.tree, arm_tip(arm)) < 0.02 + 2 * g.voxels.step);
	grown_end(&g);
}

/* distance of the nearest node from a point */
static double nearest_node(const ossai_path_tree *tree, ossai_vec3 place)
{
	double nearest = INFINITY;
	for (size_t i = 0; i < tree->node_count; i++) nearest = fmin(nearest, ossai_distance(tree->node[i], place));
	return nearest;
}

static void both_tips_of_a_capsule_are_reached(void **state)
{
	(void)state;
	const test_volume capsule = test_volume_capsule(1, 0.12);
	const double sizes[3] = {0.04, 0.02, 0.01};
	for (int i = 0; i < 3; i++) {
		for (int axis = 0; axis < 3; axis++) {
			const ossai_mat3 turn = turn_about(axis, 37);
			grown g;
			grow_turned(&g, &capsule, turn, sizes[i]);
			assert_sound(&g);
			/* a round end may get two: extreme points of the medial surface count however little
			   protrudes there */
			assert_in_range(count_ends(&g.tree, NULL), 2, 4);
			/* paths end on the medial surface, not at the skin: anywhere in the last ball */
			assert_near(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, ossai_v3(0.5, 0, 0))), 0, 0.12);
			assert_near(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, ossai_v3(-0.5, 0, 0))), 0, 0.12);
			/* ... and what they cover is the whole axis, though voxels may have made a path beside
			   it */
			for (double x = -0.5; x <= 0.5; x += 0.01) {
				assert_near(nearest_node(&g.tree, ossai_mat3_mul_v(&turn, ossai_v3(x, 0, 0))), 0, 0.12);
			}
			grown_end(&g);
		}
	}
}

/* ---- to places ---- */

static void grow_to(grown *g, size_t count, const ossai_vec3 *place)
{
	assert_ok(g->context, ossai_path_tree_to(&g->arena, &g->voxels, &g->medial, count, place, &g->tree));
	assert_sound(g);
}

/* an end for each position of an arm's tip, whatever else the medial surface has */
static void paths_lead_to_the_tips_of_an_octopus(void **state)
{
	(void)state;
	const test_volume octopus = test_volume_octopus();
	const double sizes[2] = {0.03, 0.02};
	for (int i = 0; i < 2; i++) {
		for (int axis = 0; axis < 4; axis++) {
			const ossai_mat3 turn = axis < 3 ? turn_about(axis, 30) : ossai_mat3_identity();
			ossai_vec3 tip[8];
			for (int arm = 0; arm < 8; arm++) tip[arm] = ossai_mat3_mul_v(&turn, arm_tip(arm));
			grown g;
			fill(&g, &octopus, turn, sizes[i]);
			grow_to(&g, 8, tip);
			assert_int_equal(count_ends(&g.tree, NULL), 8);
			assert_int_equal(g.tree.path_count, 8);
			for (int arm = 0; arm < 8 && g.voxels.step < 0.025; arm++) {
				assert_true(nearest_end(&g.tree, tip[arm]) < 0.02 + 2 * g.voxels.step);
			}
			/* five of them */
			grow_to(&g, 5, tip + 1);
			assert_int_equal(count_ends(&g.tree, NULL), 5);
			grown_end(&g);
		}
	}
}

/* both tips of a capsule; positions along the path between them, or repeated ones, add nothing */
static void places_on_the_tree_add_no_path(void **state)
{
	(void)state;
	const test_volume capsule = test_volume_capsule(1, 0.12);
	const ossai_vec3 places[] = {{0.62, 0, 0}, {-0.62, 0, 0}, {0.3, 0, 0}, {0.62, 0, 0}, {-7, 0, 0}};
	grown g;
	fill(&g, &capsule, ossai_mat3_identity(), 0.02);
	grow_to(&g, 2, places);
	const size_t nodes = g.tree.node_count;
	assert_int_equal(g.tree.path_count, 2);
	assert_int_equal(count_ends(&g.tree, NULL), 2);
	assert_true(nearest_end(&g.tree, places[0]) < 0.12 + 2 * g.voxels.step);
	assert_true(nearest_end(&g.tree, places[1]) < 0.12 + 2 * g.voxels.step);
	/* deep: centered all along the axis; in the round ends, where all voxels are as deep, ties
	   decide */
	for (size_t k = 0; k < nodes; k++) {
		if (fabs(g.tree.node[k].x) < 0.5) assert_near(hypot(g.tree.node[k].y, g.tree.node[k].z), 0, 2 * g.voxels.step);
	}
	grow_to(&g, 5, places);
	assert_int_equal(g.tree.path_count, 2);
	assert_int_equal(g.tree.node_count, nodes);
	grown_end(&g);
}

static void without_places_there_is_the_heart(void **state)
{
	(void)state;
	const test_volume capsule = test_volume_capsule(1, 0.12);
	grown g;
	fill(&g, &capsule, ossai_mat3_identity(), 0.03);
	grow_to(&g, 0, NULL);
	assert_int_equal(g.tree.node_count, 1);
	assert_int_equal(g.tree.path_count, 0);
	assert_near_vec3(g.tree.node[0], ossai_v3(0, 0, 0), 0.1);
	/* a position at the heart: the same */
	const ossai_vec3 heart = g.tree.node[0];
	grow_to(&g, 1, &heart);
	assert_int_equal(g.tree.node_count, 1);
	grown_end(&g);
}

/* ---- against plain searches ---- */

static void begin_work(grown *g, ossai_path_work *work, ossai_path_tree *tree)
{
	*work = (ossai_path_work){
		.scratch = &g->arena, .voxels = &g->voxels, .medial = &g->medial, .around = ossai_neighbors_of(&g->voxels)};
	assert_ok(g->context, ossai_path_begin(work, tree));
	assert_ok(g->context, ossai_path_restart(work, tree));
	assert_ok(g->context, ossai_path_find_heart(work));
}

/* distances from the sources, where `far` is 0, by repeated relaxation */
static void bellman_ford(const ossai_path_work *work, double *far)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t m = 0; m < work->medial->count; m++) {
			for (uint32_t i = work->start[m]; i < work->start[m + 1]; i++) {
				const double there = far[work->neighbor[i]] + work->around.length[work->step[i]];
				if (there >= far[m] - 1e-12) continue;
				far[m] = there;
				changed = true;
			}
		}
	}
}

static void distances_and_coverage_are_exact(void **state)
{
	(void)state;
	const test_volume volumes[2] = {test_volume_person(), test_volume_torus(0.5, 0.15)};
	for (int v = 0; v < 2; v++) {
		grown g;
		grow(&g, &volumes[v], 0.03);
		ossai_path_work work;
		ossai_path_tree tree;
		begin_work(&g, &work, &tree);
		double *far = calloc(g.medial.count, sizeof *far);
		for (size_t m = 0; m < g.medial.count; m++) far[m] = m == work.heart ? 0 : INFINITY;
		bellman_ford(&work, far);
		assert_near_array(g.medial.count, work.from_heart.distance, far, 1e-9);
		/* balls one after the other: what is covered, and how far the rest is out */
		for (uint32_t node = 0; node < 12; node++) {
			const uint32_t at = (uint32_t)((node * 7919) % g.medial.count);
			if (work.node[at] != OSSA_NONE) continue;
			assert_ok(g.context, ossai_path_add_node(&work, &tree, at, OSSA_NONE));
			assert_ok(g.context, ossai_path_walk_out(&work));
			for (uint32_t m = 0; m < g.medial.count; m++) far[m] = INFINITY;
			for (size_t k = 0; k < tree.node_count; k++) {
				for (uint32_t m = 0; m < g.medial.count; m++) {
					const ossai_vec3 apart = ossai_sub(
						ossai_path_cell(&work, g.medial.voxel[m]), ossai_path_cell(&work, tree.voxel[k]));
					if (ossai_length2(apart) <= g.voxels.distance2[tree.voxel[k]]) far[m] = 0;
				}
			}
			bellman_ford(&work, far);
			assert_near_array(g.medial.count, work.out.distance, far, 1e-9);
		}
		free(far);
		grown_end(&g);
	}
}

/* ---- smoothing ---- */

static void smoothing_keeps_ends_and_junctions(void **state)
{
	(void)state;
	double node_radius[5] = {1, 1, 1, 1, 1};
	uint32_t parent[5] = {OSSA_NONE, 0, 1, 2, 3}, voxel[5] = {0};
	ossai_vec3 node[5] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 0}, {3, 1, 0}, {4, 0, 0}};
	ossai_path_tree tree = {.node_count = 5, .parent = parent, .node = node, .radius = node_radius, .voxel = voxel};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	assert_ok(context, ossai_path_tree_smooth(&arena, 3, &tree));
	assert_true(node[0].y == 0 && node[4].y == 0);
	assert_near(node[1].y, 1.0 / 3, 1e-12);
	assert_near(node[2].y, 0.4, 1e-12);
	assert_near(node[2].x, 2, 1e-12);
	ossai_arena_end(&arena);
	test_context_end(context);
}

typedef struct sweep_case {
	const ossai_voxels *voxels;
	const ossai_medial *medial;
} sweep_case;

static ossa_status sweep(ossa_context *context, void *arg)
{
	const sweep_case *c = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_path_tree tree;
	ossa_status status = ossai_path_tree_make(&arena, c->voxels, c->medial, CLOSENESS, &tree);
	if (status == OSSA_OK) status = ossai_path_tree_smooth(&arena, 3, &tree);
	if (status == OSSA_OK) status = ossai_path_tree_from_heart(&arena, c->voxels, c->medial, CLOSENESS, &tree);
	ossai_arena_end(&arena);
	return status;
}

static ossa_status sweep_to(ossa_context *context, void *arg)
{
	const sweep_case *c = arg;
	const ossai_vec3 places[] = {{0, 1, 0}, {0.5, -1, 0}, {-0.5, -1, 0}};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_path_tree tree;
	const ossa_status status = ossai_path_tree_to(&arena, c->voxels, c->medial, 3, places, &tree);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	const test_volume person = test_volume_person();
	grown g;
	grow(&g, &person, 0.04);
	sweep_case c = {&g.voxels, &g.medial};
	assert_true(test_allocation_sweep(sweep, &c, 200, 1) >= 3);
	assert_true(test_allocation_sweep(sweep_to, &c, 200, 1) >= 3);
	grown_end(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_octopus_has_its_arms),
		cmocka_unit_test(as_published_every_end_is_an_extreme_point),
		cmocka_unit_test(from_the_heart_an_octopus_has_its_arms),
		cmocka_unit_test(both_tips_of_a_capsule_are_reached),
		cmocka_unit_test(paths_lead_to_the_tips_of_an_octopus),
		cmocka_unit_test(places_on_the_tree_add_no_path),
		cmocka_unit_test(without_places_there_is_the_heart),
		cmocka_unit_test(distances_and_coverage_are_exact),
		cmocka_unit_test(smoothing_keeps_ends_and_junctions),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
