/* tests/methods/test_volume_limbs.c: limbs of rigs from volumes: stubby, tapering, fingers; none
   for corners, rims and flat shapes; the same under rotation and at any voxel size. */
#include "support/proxies.h"
#include "support/shapes.h"
#include "support/still.h"
#include "support/support.h"

#include <stdlib.h>

enum { FACES = 4000, SIZES = 4 };

/* 0: chosen */
static const double sizes[SIZES] = {0, 0.02, 0.01, 0.005};

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, double size, double spurs)
{
	ossa_volume_options options = ossa_volume_default();
	options.voxel_size = size;
	/* the ends of the curve, not the fingers of a body */
	options.body = OSSA_BODY_NONE;
	if (spurs > 0) options.spurs = spurs;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_volume(context, mesh, &options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static size_t ends_of(ossa_context *context, const ossa_mesh *mesh, double size, double spurs)
{
	ossa_rig *rig = rig_of(context, mesh, size, spurs);
	const size_t ends = test_end_count(rig);
	ossa_rig_free(context, rig);
	return ends;
}

static void sizes_find_the_same_limbs(void **state)
{
	(void)state;
	static const struct {
		int kind;
		size_t ends;
	} creatures[] = {{OSSA_SAMPLE_OCTOPUS, 9}, {OSSA_SAMPLE_QUADRUPED, 6}, {OSSA_SAMPLE_HAND, 6}, {OSSA_SAMPLE_BIPED, 5},
		{OSSA_SAMPLE_TUBE, 2}, {OSSA_SAMPLE_SNAKE, 2}};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof creatures / sizeof *creatures; i++) {
		ossa_sample *sample = test_sample(context, creatures[i].kind, FACES);
		/* the size that is chosen, and a given one, another for each creature */
		for (size_t k = 0; k < SIZES; k++) {
			if (k > 0 && k != 1 + i % (SIZES - 1) && !test_is_long()) continue;
			const size_t ends = ends_of(context, sample->rig->mesh, sizes[k], 0);
			if (ends != creatures[i].ends) fail_msg("creature %d, voxels of %g: %zu ends", creatures[i].kind, sizes[k], ends);
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* ---- shapes put together, turned by 30 degrees about each axis and not at all ---- */

/* the first of the axes 0 to 3 (3: not turned) that a run tries: all of them if it is long */
static int first_axis(void) { return test_is_long() ? 0 : 2; }

static ossai_mat3 turn_of(int axis)
{
	const ossai_vec3 about = ossai_v3(axis == 0, axis == 1, axis == 2);
	return axis < 3 ? ossai_quat_matrix(ossai_quat_axis_angle(about, 30 * OSSAI_PI / 180)) : ossai_mat3_identity();
}

/* frees the shape */
static ossa_mesh *mesh_of(ossa_context *context, test_shape *shape, int axis)
{
	const ossai_mat3 turn = turn_of(axis);
	for (size_t v = 0; v < shape->vertex_count; v++) {
		float *p = shape->positions + 3 * v;
		const ossai_vec3 q = ossai_mat3_mul_v(&turn, ossai_v3(p[0], p[1], p[2]));
		p[0] = (float)q.x;
		p[1] = (float)q.y;
		p[2] = (float)q.z;
	}
	return test_shape_mesh(context, shape);
}

/* a ball, stretched about its center */
static void add_ellipsoid(test_shape *shape, ossai_vec3 center, ossai_vec3 radii)
{
	const size_t first = shape->vertex_count;
	test_shape_ball(shape, ossai_v3(0, 0, 0), 1, 16, 2);
	for (size_t v = first; v < shape->vertex_count; v++) {
		float *p = shape->positions + 3 * v;
		p[0] = (float)(center.x + radii.x * p[0]);
		p[1] = (float)(center.y + radii.y * p[1]);
		p[2] = (float)(center.z + radii.z * p[2]);
	}
}

/* distance of the nearest tail of a bone without children from a point */
static double nearest_end(const ossa_rig *rig, ossai_vec3 place)
{
	double nearest = INFINITY;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (test_child_count(rig, b) > 0) continue;
		nearest = fmin(nearest, ossai_distance(ossai_v3_of(rig->skeleton.bones[b].tail), place));
	}
	return nearest;
}

/* legs that come out of a thick body by its radius: four feet, and both ends of the body */
static void stubby_legs_are_limbs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int axis = first_axis(); axis < 4; axis++) {
		test_shape *cow = test_shape_new();
		add_ellipsoid(cow, ossai_v3(0, 0, 0), ossai_v3(0.7, 0.3, 0.3));
		ossai_vec3 foot[4];
		const ossai_mat3 turn = turn_of(axis);
		for (int i = 0; i < 4; i++) {
			const double x = i < 2 ? -0.35 : 0.35, z = i % 2 ? -0.17 : 0.17;
			test_shape_box(cow, ossai_v3(x - 0.08, -0.61, z - 0.08), ossai_v3(x + 0.08, -0.1, z + 0.08), true);
			foot[i] = ossai_mat3_mul_v(&turn, ossai_v3(x, -0.61, z));
		}
		ossa_mesh *mesh = mesh_of(context, cow, axis);
		ossa_rig *rig = rig_of(context, mesh, 0, 0);
		assert_int_equal(test_end_count(rig), 6);
		for (int i = 0; i < 4; i++) assert_true(nearest_end(rig, foot[i]) < 0.1);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

/* a palm with four fingers, and a stump that gets thinner: held, but for a little, by what is
   before it, and a limb all the same */
static void a_stump_that_tapers_is_an_end(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int axis = first_axis(); axis < 4; axis++) {
		test_shape *hand = test_shape_new();
		test_shape_box(hand, ossai_v3(-0.3, 0, -0.1), ossai_v3(0.3, 0.4, 0.1), true);
		for (int i = 0; i < 4; i++) {
			const double x = -0.24 + 0.16 * i;
			test_shape_box(hand, ossai_v3(x - 0.05, 0.3, -0.05), ossai_v3(x + 0.05, 0.95, 0.05), true);
		}
		add_ellipsoid(hand, ossai_v3(0, -0.2, 0), ossai_v3(0.2, 0.47, 0.2));
		ossa_mesh *mesh = mesh_of(context, hand, axis);
		const ossai_mat3 turn = turn_of(axis);
		ossa_rig *rig = rig_of(context, mesh, 0, 0);
		assert_int_equal(test_end_count(rig), 5);
		assert_true(nearest_end(rig, ossai_mat3_mul_v(&turn, ossai_v3(0, -0.67, 0))) < 0.06);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

static void corners_and_rims_are_no_limbs(void **state)
{
	(void)state;
	static const double boxes[][4] = {{1, 1, 1, 1}, {1, 0.8, 0.7, 2}, {4, 1, 1, 2}};
	ossa_context *context = test_context(0);
	for (int axis = first_axis(); axis < 4; axis++) {
		for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
			test_shape *shape = test_shape_new();
			test_shape_box(shape, ossai_v3(0, 0, 0), ossai_v3(boxes[i][0], boxes[i][1], boxes[i][2]), true);
			ossa_mesh *mesh = mesh_of(context, shape, axis);
			assert_in_range(ends_of(context, mesh, 0, 0), 1, (size_t)boxes[i][3]);
			ossa_mesh_free(context, mesh);
		}
	}
	test_context_end(context);
}

/* one bone and a warning, from both methods */
static void assert_one_bone(const ossa_mesh *mesh)
{
	for (int method = 0; method < 2; method++) {
		ossa_context *context = test_context(0);
		ossa_rig *rig;
		if (method == 0) assert_ok(context, ossa_rig_from_volume(context, mesh, NULL, &rig));
		else assert_ok(context, ossa_rig_from_contraction(context, mesh, NULL, &rig));
		assert_ok(context, ossa_rig_validate(context, rig));
		assert_int_equal(rig->skeleton.bone_count, 1);
		assert_string_not_equal(test_warning_text(context, "no-limbs"), "");
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

static void flat_and_round_shapes_get_one_bone(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int axis = first_axis(); axis < 4; axis++) {
		test_shape *shape = test_shape_new();
		test_shape_box(shape, ossai_v3(0, 0, 0), ossai_v3(1, 0.7, 0.06), true);
		ossa_mesh *mesh = mesh_of(context, shape, axis);
		assert_one_bone(mesh);
		ossa_mesh_free(context, mesh);
		shape = test_shape_new();
		test_shape_ball(shape, ossai_v3(0, 0, 0), 0.5, 16, 2);
		mesh = mesh_of(context, shape, axis);
		assert_one_bone(mesh);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

/* the two ends of its cut */
static void a_torus_grows_no_comb(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (int axis = first_axis(); axis < 4; axis++) {
		ossai_arena arena = ossai_arena_begin(context);
		const ossai_proxy ring = test_torus(&arena, 60, 16, 0.08);
		test_shape *shape = test_shape_new();
		shape->vertex_count = ring.vertex_count;
		shape->face_count = ring.face_count;
		for (size_t i = 0; i < 3 * ring.vertex_count; i++) shape->positions[i] = (float)ring.positions[i];
		for (size_t i = 0; i < 3 * ring.face_count; i++) shape->triangles[i] = ring.triangles[i];
		ossa_mesh *mesh = mesh_of(context, shape, axis);
		assert_in_range(ends_of(context, mesh, 0, 0), 2, 3);
		ossa_mesh_free(context, mesh);
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

/* ---- scans ---- */

/* turned, and at two sizes of voxels */
static void scans_keep_their_ends(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		double spurs;
		size_t ends;
	} scans[] = {{"static/odedstein/human/human_man.obj", 0, 5}, {"static/odedstein/hand/hand_lowres.obj", 0, 6},
		/* ten fingers, head and feet: the thumbs have a persistence between 1.8 and 2 % */
		{"static/odedstein/human/human_man.obj", 1.5, 13}};
	for (size_t k = 0; k < sizeof scans / sizeof *scans; k++) {
		const char *path = test_corpus(scans[k].path);
		if (!path) return;
		ossa_context *context = test_context(0);
		ossa_mesh *mesh = NULL;
		assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
		for (int axis = first_axis(); axis < 4; axis++) {
			const ossai_mat3 turn = turn_of(axis);
			ossa_mesh *turned = test_mesh_shuffled(context, mesh, &turn);
			const double size = axis == 2 ? 0.004 : axis == 1 ? 0.01 : 0;
			const size_t ends = ends_of(context, turned, size, scans[k].spurs);
			if (ends != scans[k].ends) fail_msg("%s, axis %d, voxels of %g: %zu ends", scans[k].path, axis, size, ends);
			ossa_mesh_free(context, turned);
		}
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_find_the_same_limbs),
		cmocka_unit_test(stubby_legs_are_limbs),
		cmocka_unit_test(a_stump_that_tapers_is_an_end),
		cmocka_unit_test(corners_and_rims_are_no_limbs),
		cmocka_unit_test(flat_and_round_shapes_get_one_bone),
		cmocka_unit_test(a_torus_grows_no_comb),
		cmocka_unit_test(scans_keep_their_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
