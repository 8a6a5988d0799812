/* tests/scene/test_scene_frames.c: animated scenes as poses of a rest mesh, and rigs that are
   skeletons alone. */
#include "math/vec.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static ossa_rig *make_source(ossa_context *context)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 5, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("source.glb"), NULL));
	return rig;
}

static double difference(const float *a, const float *b, size_t count)
{
	double most = 0;
	for (size_t i = 0; i < count; i++) most = fmax(most, fabs((double)a[i] - (double)b[i]));
	return most;
}

/* a rig's file gives the frames of its motion, for the mesh that is read from it and for one that
   comes from elsewhere */
static void frames_of_a_rig_are_poses(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context);
	ossa_mesh *rest;
	ossa_frames *frames, *wanted;
	const char *paths[2] = {test_path("source.glb"), NULL};
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &wanted));
	assert_ok(context, ossa_read_mesh(context, paths[0], NULL, &rest));
	assert_ok(context, ossa_read_frames(context, rest, 1, paths, false, NULL, &frames));
	assert_int_equal(frames->frame_count, wanted->frame_count);
	assert_int_equal(frames->vertex_count, wanted->vertex_count);
	const size_t count = 3 * wanted->vertex_count;
	assert_true(difference(frames->positions, wanted->positions, count * wanted->frame_count) < 1e-4);
	for (size_t f = 0; f < frames->frame_count; f++) assert_near(frames->times[f], wanted->times[f], 1e-6);
	assert_string_equal(frames->names[1], "source-2");
	ossa_frames_free(context, frames);

	/* two files behind each other, and every third frame of both */
	ossa_read_options options = ossa_read_default();
	paths[1] = paths[0];
	options.frames = (ossa_range){2, 0, 3};
	assert_ok(context, ossa_read_frames(context, rest, 2, paths, false, &options, &frames));
	assert_int_equal(frames->frame_count, 3);
	for (size_t f = 0; f < 3; f++) {
		const float *own = wanted->positions + (1 + 3 * f) % wanted->frame_count * count;
		assert_true(difference(frames->positions + f * count, own, count) < 1e-4);
	}
	assert_ok(context, ossa_frames_validate(context, frames));
	ossa_frames_free(context, frames);
	ossa_frames_free(context, wanted);
	ossa_mesh_free(context, rest);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_scene_without_motion_is_one_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context);
	ossa_mesh *rest;
	ossa_frames *frames;
	const char *path = test_path("mesh.glb");
	assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, path, NULL));
	assert_ok(context, ossa_read_mesh(context, path, NULL, &rest));
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
	assert_int_equal(frames->frame_count, 1);
	assert_string_equal(frames->names[0], "mesh");
	assert_memory_equal(frames->positions, rest->positions, 3 * rest->vertex_count * sizeof(float));
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_does_not_fit_is_said(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context);
	static const float corner[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	static const uint32_t face[3] = {0, 1, 2};
	ossa_mesh *other;
	ossa_frames *frames;
	const char *path = test_path("source.glb");
	assert_ok(context, ossa_mesh_create(context, 3, corner, 1, face, &other));
	assert_fails(context, ossa_read_frames(context, other, 1, &path, false, NULL, &frames), OSSA_ERROR_INPUT, "vertices");
	assert_fails(context, ossa_read_frames(context, NULL, 1, &path, false, NULL, &frames), OSSA_ERROR_INPUT, "rest mesh");
	ossa_mesh_free(context, other);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- skeletons alone ---- */

/* the rig without its mesh */
static ossa_rig *make_skeleton(ossa_context *context)
{
	ossa_rig *rig = make_source(context), *alone;
	ossa_mesh *nothing;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &nothing));
	assert_ok(context, ossa_rig_create(context, nothing, rig->skeleton.bone_count, 1, &alone));
	memcpy(alone->skeleton.bones, rig->skeleton.bones, rig->skeleton.bone_count * sizeof *rig->skeleton.bones);
	strcpy(alone->method, "file");
	alone->clip = rig->clip;
	rig->clip = NULL;
	ossa_mesh_free(context, nothing);
	ossa_rig_free(context, rig);
	return alone;
}

static void a_skeleton_alone_is_a_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_skeleton(context), *again;
	ossa_frames *frames;
	ossa_mesh_facts facts;
	float none[3];
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_ok(context, ossa_mesh_validate(context, rig->mesh));
	assert_ok(context, ossa_mesh_inspect(context, rig->mesh, &facts));
	assert_int_equal(facts.pieces, 0);
	assert_true(facts.diagonal == 0 && facts.area == 0);
	assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, 0, none));
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	assert_int_equal(frames->vertex_count, 0);
	ossa_frames_free(context, frames);

	/* there and back through a file */
	assert_ok(context, ossa_write_rig(context, rig, test_path("skeleton.glb"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("skeleton.glb"), NULL, &again));
	assert_int_equal(again->mesh->vertex_count, 0);
	assert_int_equal(again->skeleton.bone_count, rig->skeleton.bone_count);
	double *p = ossa_alloc(context, rig->skeleton.bone_count, 12 * sizeof *p);
	double *q = ossa_alloc(context, rig->skeleton.bone_count, 12 * sizeof *q);
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, p);
		ossa_rig_joint_matrices(again, again->clip, f, q);
		for (size_t i = 0; i < 12 * rig->skeleton.bone_count; i++) assert_near(p[i], q[i], 1e-4);
	}
	ossa_free(context, p);
	ossa_free(context, q);
	ossa_rig_free(context, again);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_needs_a_surface_says_so(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_skeleton(context);
	ossa_metrics metrics;
	ossa_picture *picture;
	ossa_frames *frames;
	const int rest = -1;
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	assert_fails(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &metrics), OSSA_ERROR_INPUT, "no vertices");
	assert_fails(context, ossa_picture_rig(context, rig, &rest, 1, NULL, &picture), OSSA_ERROR_INPUT, "no vertices");
	assert_null(picture);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_of_a_rig_are_poses),
		cmocka_unit_test(a_scene_without_motion_is_one_pose),
		cmocka_unit_test(what_does_not_fit_is_said),
		cmocka_unit_test(a_skeleton_alone_is_a_rig),
		cmocka_unit_test(what_needs_a_surface_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
