/* tests/medial/test_path_tree.c: path trees of shapes that are known: their ends however they are turned and at any size of voxels; ways against those
   of Bellman and Ford, coverage against all pairs; thin ends on finer voxels; smoothing. */
#include "medial/path_work.h"

#include "support/creature.h"
#include "support/support.h"
#include "support/volumes.h"

#include <stdlib.h>
#include <string.h>

static const double EXPOSURE = 0.12, CLOSENESS = 0.08;

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

static void grow_turned(grown *g, const test_volume *volume, ossai_mat3 turn, double size)
{
	g->context = test_context(1);
	g->arena = ossai_arena_begin(g->context);
	g->voxels = test_voxels_of(&g->arena, volume, &turn, size);
	assert_ok(g->context, ossai_medial_make(&g->arena, &g->voxels, EXPOSURE, &g->medial));
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

/* how far the nearest end is from a place */
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

/* every end of a shape's limbs is reached to within its last ball */
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
			/* the head may be one too */
			const size_t ends = count_ends(&g.tree, NULL);
			assert_true(ends == 8 || ends == 9);
			/* what is thinner than two voxels is lost at the tips */
			for (int arm = 0; arm < 8 && g.voxels.step < 0.025; arm++) {
				const double angle = 0.13 + arm * OSSAI_PI / 4;
				const ossai_vec3 tip = ossai_mat3_mul_v(&turn, ossai_v3(cos(angle), -0.4, sin(angle)));
				assert_true(nearest_end(&g.tree, tip) < 0.02 + 2 * g.voxels.step);
			}
			grown_end(&g);
		}
	}
}

static void a_person_has_five_ends(void **state)
{
	(void)state;
	const test_volume person = test_volume_person();
	for (int axis = 0; axis < 3; axis++) {
		grown g;
		grow_turned(&g, &person, turn_about(axis, 30), 0.03);
		assert_sound(&g);
		assert_int_equal(count_ends(&g.tree, NULL), 5);
		grown_end(&g);
	}
}

static void a_capsule_has_two_tips(void **state)
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
			assert_int_equal(count_ends(&g.tree, NULL), 2);
			assert_true(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, ossai_v3(0.62, 0, 0))) < 2.5 * g.voxels.step);
			assert_true(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, ossai_v3(-0.62, 0, 0))) < 2.5 * g.voxels.step);
			/* in the middle all along */
			for (size_t k = 0; k < g.tree.node_count; k++) {
				const ossai_vec3 p = ossai_mat3_tmul_v(&turn, g.tree.node[k]);
				assert_true(sqrt(p.y * p.y + p.z * p.z) < 2 * g.voxels.step);
			}
			grown_end(&g);
		}
	}
}

/* each piece of a limb that gets thinner is held by the one before it but for a little: it is a limb all the same */
static void a_stump_that_tapers_is_an_end(void **state)
{
	(void)state;
	test_volume hand = {.count = 6};
	hand.part[0] = (test_volume_part){TEST_BOX, ossai_v3(-0.3, 0, -0.1), ossai_v3(0.3, 0.4, 0.1), 0, 0};
	for (int i = 0; i < 4; i++) {
		const double x = -0.24 + 0.16 * i;
		hand.part[i + 1] = (test_volume_part){TEST_CAPSULE, ossai_v3(x, 0.3, 0), ossai_v3(x, 0.9, 0), 0.05, 0};
	}
	hand.part[5] = (test_volume_part){TEST_CONE, ossai_v3(0, 0.1, 0), ossai_v3(0, -0.55, 0), 0.27, 0.12};
	const double sizes[3] = {0.02, 0.015, 0.01};
	for (int i = 0; i < 3; i++) {
		for (int axis = 0; axis < 3; axis++) {
			const ossai_mat3 turn = turn_about(axis, 30);
			grown g;
			grow_turned(&g, &hand, turn, sizes[i]);
			assert_sound(&g);
			assert_int_equal(count_ends(&g.tree, NULL), 5);
			assert_true(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, ossai_v3(0, -0.67, 0))) < 0.06);
			grown_end(&g);
		}
	}
}

/* legs that come out of a thick body by less than its radius, and corners and rims, which do, too, and are none */
static void stubby_legs_are_limbs_and_corners_are_none(void **state)
{
	(void)state;
	test_volume cow = {.count = 5};
	cow.part[0] = (test_volume_part){TEST_CAPSULE, ossai_v3(-0.4, 0, 0), ossai_v3(0.4, 0, 0), 0.3, 0};
	for (int i = 0; i < 4; i++) {
		const double x = i < 2 ? -0.35 : 0.35, z = i % 2 ? -0.17 : 0.17;
		cow.part[i + 1] = (test_volume_part){TEST_CAPSULE, ossai_v3(x, -0.2, z), ossai_v3(x, -0.52, z), 0.09, 0};
	}
	const test_volume box = test_volume_box(1, 0.8, 0.7), cube = test_volume_box(1, 1, 1);
	const double sizes[3] = {0.025, 0.018, 0.0125};
	for (int i = 0; i < 3; i++) {
		const ossai_mat3 turn = turn_about(i, 30);
		grown g;
		grow_turned(&g, &cow, turn, sizes[i]);
		assert_sound(&g);
		for (int k = 1; k < 5; k++) {
			const ossai_vec3 foot = ossai_add(cow.part[k].b, ossai_v3(0, -0.09, 0));
			assert_true(nearest_end(&g.tree, ossai_mat3_mul_v(&turn, foot)) < 0.1);
		}
		grown_end(&g);
		grow_turned(&g, i == 1 ? &box : &cube, turn, sizes[i]);
		assert_sound(&g);
		assert_in_range(g.tree.path_count, 0, 2);
		grown_end(&g);
	}
}

static void flat_shapes_grow_no_combs(void **state)
{
	(void)state;
	const test_volume slab = test_volume_box(1, 0.7, 0.06), torus = test_volume_torus(0.5, 0.1), ball = test_volume_ball(0.5);
	for (int axis = 0; axis < 3; axis++) {
		grown g;
		grow_turned(&g, &slab, turn_about(axis, 30), 0.02);
		assert_sound(&g);
		assert_in_range(count_ends(&g.tree, NULL), 2, 9);
		grown_end(&g);
		grow_turned(&g, &torus, turn_about(axis, 30), 0.03);
		assert_sound(&g);
		assert_in_range(count_ends(&g.tree, NULL), 2, 3);
		grown_end(&g);
		grow_turned(&g, &ball, turn_about(axis, 30), 0.03);
		assert_sound(&g);
		assert_int_equal(g.tree.path_count, 0);
		grown_end(&g);
	}
}

/* ---- against plain ways ---- */

static void begin_work(grown *g, ossai_path_work *work, ossai_path_tree *tree)
{
	*work = (ossai_path_work){
		.scratch = &g->arena, .voxels = &g->voxels, .medial = &g->medial, .around = ossai_neighbors_of(&g->voxels)};
	assert_ok(g->context, ossai_path_begin(work, tree));
	assert_ok(g->context, ossai_path_restart(work, tree));
	assert_ok(g->context, ossai_path_find_heart(work, CLOSENESS));
}

/* shortest ways from the places where `far` is 0, all steps again and again */
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

static void ways_and_coverage_are_exact(void **state)
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
		assert_near_array(g.medial.count, work.from_heart.far, far, 1e-9);
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
			assert_near_array(g.medial.count, work.out.far, far, 1e-9);
		}
		free(far);
		grown_end(&g);
	}
}

/* ---- finer voxels ---- */

static void fingers_are_found_on_finer_voxels(void **state)
{
	(void)state;
	test_creature hand = test_creature_make(1, OSSA_SAMPLE_HAND, 8000, 1);
	ossai_arena *arena = &hand.t.arena;
	ossa_context *context = hand.t.context;
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = 0.05;
	ossai_voxels voxels;
	assert_ok(context, ossai_voxels_make(arena, &hand.t.s, &options, &voxels));
	ossai_medial medial;
	assert_ok(context, ossai_medial_make(arena, &voxels, EXPOSURE, &medial));
	ossai_path_tree tree;
	assert_ok(context, ossai_path_tree_make(arena, &voxels, &medial, CLOSENESS, &tree));
	const size_t before = count_ends(&tree, NULL);
	ossai_voxel_parts parts;
	assert_ok(context, ossai_thin_parts(arena, &voxels, 2, 4, 3, &parts));
	assert_true(parts.count > 0);
	ossai_fine_voxels *fine = ossai_arena_new(arena, parts.count, sizeof *fine);
	assert_ok(context, ossai_voxels_refine(arena, &hand.t.s, &voxels, &parts, 4, 0, fine));
	assert_ok(context, ossai_path_tree_refine(arena, &voxels, &parts, fine, EXPOSURE, CLOSENESS, false, &tree));
	/* five fingers and the wrist */
	const size_t ends = count_ends(&tree, NULL);
	if (ends != 6) print_message("%zu ends, %zu before, %u parts\n", ends, before, parts.count);
	assert_int_equal(ends, 6);
	for (size_t i = 1; i < tree.node_count; i++) {
		assert_true(tree.parent[i] < i);
		assert_true(tree.voxel[i] < voxels.count);
		assert_near_vec3(tree.node[i], tree.node[tree.parent[i]], 4 * voxels.step);
	}
	test_creature_end(&hand);
}

static void smoothing_keeps_ends_and_branchings(void **state)
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
	grown_end(&g);
}

typedef struct refine_case {
	const ossai_voxels *voxels;
	const ossai_voxel_parts *parts;
	const ossai_fine_voxels *fine;
	const ossai_path_tree *tree;
} refine_case;

static ossa_status refine_once(ossa_context *context, void *arg)
{
	const refine_case *c = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_path_tree tree = *c->tree;
	const ossa_status status = ossai_path_tree_refine(&arena, c->voxels, c->parts, c->fine, EXPOSURE, CLOSENESS, false, &tree);
	ossai_arena_end(&arena);
	return status;
}

/* all of a person, as one part on voxels as coarse: every node but the first is grown again */
static void memory_may_fail_on_finer_voxels(void **state)
{
	(void)state;
	const test_volume person = test_volume_person();
	grown g;
	grow(&g, &person, 0.04);
	ossai_voxel_parts parts = {1, ossai_arena_zero(&g.arena, g.voxels.count, sizeof(uint32_t))};
	ossai_fine_voxels fine = {.voxels = g.voxels, .factor = 1};
	refine_case c = {&g.voxels, &parts, &fine, &g.tree};
	assert_true(test_allocation_sweep(refine_once, &c, 300, 1) >= 10);
	const size_t before = count_ends(&g.tree, NULL);
	assert_ok(g.context, ossai_path_tree_refine(&g.arena, &g.voxels, &parts, &fine, EXPOSURE, CLOSENESS, false, &g.tree));
	assert_sound(&g);
	assert_int_equal(count_ends(&g.tree, NULL), before);
	/* no part: nothing changes */
	const ossai_voxel_parts none = {0, parts.of_voxel};
	const size_t count = g.tree.node_count;
	assert_ok(g.context, ossai_path_tree_refine(&g.arena, &g.voxels, &none, NULL, EXPOSURE, CLOSENESS, false, &g.tree));
	assert_int_equal(g.tree.node_count, count);
	grown_end(&g);
}

/* a mesh of the corpus that is turned, in voxels that are a share of its own longest side */
static size_t ends_of_mesh(const ossa_mesh *mesh, int axis, double size)
{
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_posed_surface surface;
	assert_ok(context, ossai_posed_surface_make(context, &arena, mesh, NULL, true, &surface));
	const ossai_mat3 turn = axis < 3 ? turn_about(axis, 30) : ossai_mat3_identity();
	for (size_t v = 0; v < surface.vertex_count; v++) {
		ossai_v3_store(ossai_mat3_mul_v(&turn, ossai_rest_point(&surface, v)), surface.rest + 3 * v);
	}
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = size;
	ossai_voxels voxels;
	ossai_medial medial;
	ossai_path_tree tree;
	assert_ok(context, ossai_voxels_make(&arena, &surface, &options, &voxels));
	assert_ok(context, ossai_medial_make(&arena, &voxels, EXPOSURE, &medial));
	assert_ok(context, ossai_path_tree_make(&arena, &voxels, &medial, CLOSENESS, &tree));
	const size_t ends = count_ends(&tree, NULL);
	ossai_arena_end(&arena);
	test_context_end(context);
	return ends;
}

static void real_meshes_keep_their_ends(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		size_t ends;
	} MESHES[] = {{"static/odedstein/human/human_man.obj", 5}, {"static/odedstein/hand/hand_lowres.obj", 6}};
	for (size_t k = 0; k < sizeof MESHES / sizeof *MESHES; k++) {
		const char *path = test_corpus(MESHES[k].path);
		if (!path) return;
		ossa_context *context = test_context(1);
		ossa_mesh *mesh = NULL;
		assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
		for (int axis = 0; axis < 4; axis++) {
			const size_t ends = ends_of_mesh(mesh, axis, 0.01);
			if (ends != MESHES[k].ends) print_message("%s, axis %d: %zu ends\n", MESHES[k].path, axis, ends);
			assert_int_equal(ends, MESHES[k].ends);
		}
		assert_int_equal(ends_of_mesh(mesh, 3, 0.005), MESHES[k].ends);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_octopus_has_its_arms),
		cmocka_unit_test(a_person_has_five_ends),
		cmocka_unit_test(a_capsule_has_two_tips),
		cmocka_unit_test(a_stump_that_tapers_is_an_end),
		cmocka_unit_test(stubby_legs_are_limbs_and_corners_are_none),
		cmocka_unit_test(flat_shapes_grow_no_combs),
		cmocka_unit_test(ways_and_coverage_are_exact),
		cmocka_unit_test(fingers_are_found_on_finer_voxels),
		cmocka_unit_test(real_meshes_keep_their_ends),
		cmocka_unit_test(smoothing_keeps_ends_and_branchings),
		cmocka_unit_test(memory_may_fail),
		cmocka_unit_test(memory_may_fail_on_finer_voxels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
