/* tests/skeleton/from_curve/test_volume_joints.c: joints are moved inside (joints_inside),
   coarser skeletons lose the least important bones first (bone_levels), on shapes with known
   results. */
#include "skeleton/bone_levels.h"
#include "skeleton/from_curve/joints_inside.h"
#include "support/faults.h"
#include "support/support.h"

#include <ossa/mesh.h>

/* ---- joints_inside ---- */

static double cube_points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
static uint32_t cube_faces[] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

/* the cube, and a wall of it from x = -1 to -0.9 */
static ossai_mesh_view wall_and_cube(void)
{
	static double points[48];
	static uint32_t faces[72];
	for (size_t i = 0; i < 24; i++) points[i] = points[24 + i] = cube_points[i];
	for (size_t i = 24; i < 48; i += 3) points[i] = 0.1 * points[i] - 1;
	for (size_t i = 0; i < 72; i++) faces[i] = cube_faces[i % 36] + (i < 36 ? 0 : 8);
	return ossai_view_of_doubles(16, points, 24, faces);
}

static ossai_mesh_view cube(void) { return ossai_view_of_doubles(8, cube_points, 12, cube_faces); }

static void joints_outside_go_to_the_nearest_place_inside(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_mesh_view surface = cube();
	/* the nearest of all lies outside, too */
	const ossai_vec3 places[] = {{1.3, 0.5, 0.5}, {0.9, 0.5, 0.5}, {0.2, 0.5, 0.5}};
	ossai_vec3 joints[] = {{1.4, 0.5, 0.5}, {0.5, 0.6, 0.7}, {-3, 0.5, 0.5}};
	assert_ok(context, ossai_joints_keep_inside(context, &surface, 3, places, 3, joints));
	/* steps of a sixteenth of the distance: 13 of 0.03125 cross the wall at x = 1, and three more
	   end at the place; 15 of 0.2 do */
	assert_near_vec3(joints[0], places[1], 1e-12);
	assert_true(ossai_distance(joints[1], ossai_v3(0.5, 0.6, 0.7)) == 0);
	assert_near_vec3(joints[2], places[2], 1e-12);
	/* by no more than is needed: two steps of 0.0625 cross the wall, and three more are made */
	joints[0] = ossai_v3(1.07, 0.5, 0.5);
	assert_ok(context, ossai_joints_keep_inside(context, &surface, 1, (ossai_vec3[]){{0.07, 0.5, 0.5}}, 1, joints));
	assert_near_vec3(joints[0], ossai_v3(1.07 - 5.0 / 16, 0.5, 0.5), 1e-12);
	/* behind a wall of 0.1 that is nearer than the body: into the wall, and not through it */
	const ossai_mesh_view walled = wall_and_cube();
	joints[0] = ossai_v3(-1.4, 0.5, 0.5);
	assert_ok(context, ossai_joints_keep_inside(context, &walled, 1, (ossai_vec3[]){{0.95, 0.5, 0.5}}, 1, joints));
	assert_near_vec3(joints[0], ossai_v3(-1.4 + 3 * 2.35 / 16, 0.5, 0.5), 1e-12);
	/* nowhere to go */
	joints[0] = ossai_v3(1.4, 0.5, 0.5);
	assert_ok(context, ossai_joints_keep_inside(context, &surface, 1, places, 1, joints));
	assert_true(joints[0].x == 1.4);
	test_context_end(context);
}

static ossa_status keep_once(ossa_context *context, void *arg)
{
	(void)arg;
	const ossai_mesh_view surface = cube();
	const ossai_vec3 place = {0.5, 0.5, 0.5};
	ossai_vec3 joint = {2, 0.5, 0.5};
	return ossai_joints_keep_inside(context, &surface, 1, &place, 1, &joint);
}

/* ---- bone_levels ---- */

/* a root with a long limb of three bones, the last two close to each other, and a short one of two,
   the last of them next to nothing */
static uint32_t parents[] = {OSSA_NONE, 0, 1, 2, 0, 4}, order[] = {0, 1, 4, 2, 5, 3};
static const ossai_vec3 joint[] = {{0, 0, 0}, {0.1, 0, 0}, {0.4, 0, 0}, {0.45, 0, 0}, {-0.1, 0, 0}, {-0.4, 0, 0}};
static const ossai_vec3 tail[] = {{0, 0.1, 0}, {0.4, 0, 0}, {0.45, 0, 0}, {0.8, 0, 0}, {-0.4, 0, 0}, {-0.42, 0, 0}};

static ossai_tree limbs(size_t count)
{
	return (ossai_tree){.bone_count = count, .root = 0, .parent = parents, .order = order};
}

static void what_is_missed_least_goes_first(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_tree tree = limbs(6);
	uint8_t last_level[6];
	assert_ok(context, ossai_bone_levels(&arena, &tree, joint, tail, NULL, 3, last_level));
	const uint8_t expected[6] = {2, 2, 0, 0, 1, 0};
	assert_memory_equal(last_level, expected, 6);
	/* two levels: half of six */
	assert_ok(context, ossai_bone_levels(&arena, &tree, joint, tail, NULL, 2, last_level));
	size_t left = 0;
	for (int b = 0; b < 6; b++) left += last_level[b] == 1;
	assert_int_equal(left, 3);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* of a pair both go or none, for what the one is missed that is missed more */
static void pairs_go_together(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t parent[] = {OSSA_NONE, 0, 0, 0}, in_order[] = {0, 1, 2, 3}, mirrored[] = {OSSA_NONE, 2, 1, OSSA_NONE};
	const ossai_tree tree = {.bone_count = 4, .parent = parent, .order = in_order};
	const ossai_vec3 from[] = {{0, 0, 0}, {0.1, 0, 0}, {-0.1, 0, 0}, {0, 0.1, 0}};
	const ossai_vec3 to[] = {{0, 0.1, 0}, {0.15, 0, 0}, {-0.6, 0, 0}, {0, 0.3, 0}};
	uint8_t last_level[4];
	assert_ok(context, ossai_bone_levels(&arena, &tree, from, to, NULL, 2, last_level));
	assert_true(last_level[1] == 0 && last_level[2] == 1 && last_level[3] == 0);
	assert_ok(context, ossai_bone_levels(&arena, &tree, from, to, mirrored, 2, last_level));
	assert_int_equal(last_level[1], last_level[2]);
	assert_int_equal(last_level[3], 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status levels_once(ossa_context *context, void *arg)
{
	(void)arg;
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_tree tree = limbs(6);
	uint8_t last_level[6];
	const ossa_status status = ossai_bone_levels(&arena, &tree, joint, tail, NULL, 3, last_level);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(keep_once, NULL, 200, 1) >= 1);
	assert_true(test_allocation_sweep(levels_once, NULL, 200, 1) >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_outside_go_to_the_nearest_place_inside),
		cmocka_unit_test(what_is_missed_least_goes_first),
		cmocka_unit_test(pairs_go_together),
		cmocka_unit_test(memory_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
