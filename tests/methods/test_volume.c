/* tests/methods/test_volume.c: rigs from the volume of meshes: joints inside, the paper's own
   procedure, loops, roots, levels, motion. */
#include "support/still.h"
#include "support/proxies.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FACES = 4000 };

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options)
{
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_volume(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_string_equal(rig->method, "volume");
	return rig;
}

/* ---- what is found ---- */

static void joints_are_inside(void **state)
{
	(void)state;
	static const int kinds[] = {
		OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_TUBE, OSSA_SAMPLE_SNAKE};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i], FACES);
		ossa_rig *rig = rig_of(context, sample->rig->mesh, NULL);
		ossa_metrics metrics;
		assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &metrics));
		assert_near(metrics.joints_inside, 1, 0);
		assert_null(rig->clip);
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static void the_paper_anchors_by_coverage(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_volume_options options = ossa_volume_default();
	options.refine = 0;
	ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
	/* every bone is a segment: arms are split, for they are longer than the largest fraction */
	assert_in_range(rig->skeleton.bone_count, 17, 80);
	assert_in_range(test_end_count(rig), 8, 12);
	/* a number of segments ends the splitting */
	options.segments = 12;
	ossa_rig *fewer = rig_of(context, sample->rig->mesh, &options);
	assert_true(fewer->skeleton.bone_count < rig->skeleton.bone_count);
	ossa_rig_free(context, fewer);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void as_many_bones_as_asked(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	for (int bones = 16; bones <= 28; bones += 12) {
		ossa_volume_options options = ossa_volume_default();
		options.bones = bones;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		assert_int_equal(rig->skeleton.bone_count, bones);
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- loops ---- */

static void a_ring_is_cut_and_that_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy ring = test_torus(&arena, 60, 16, 0.08);
	float *positions = ossai_arena_new(&arena, ring.vertex_count, 3 * sizeof *positions);
	for (size_t i = 0; i < 3 * ring.vertex_count; i++) positions[i] = (float)ring.positions[i];
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, ring.vertex_count, positions, ring.face_count, ring.triangles, &mesh));
	ossa_rig *rig = rig_of(context, mesh, NULL);
	assert_int_equal(test_warned(context, "loop-cut"), 1);
	assert_int_equal(rig->loop_count, 1);
	const ossa_loop *loop = &rig->loops[0];
	/* inside of the ring, between bones that are no neighbours in the tree */
	assert_near(hypot(loop->center[0], loop->center[1]), 0.33, 0.08);
	assert_near(loop->center[2], 0, 0.08);
	assert_int_not_equal(loop->bones[0], loop->bones[1]);
	assert_int_not_equal(rig->skeleton.bones[loop->bones[0]].parent, loop->bones[1]);
	assert_int_not_equal(rig->skeleton.bones[loop->bones[1]].parent, loop->bones[0]);
	/* coarser levels keep it */
	ossa_volume_options options = ossa_volume_default();
	options.levels = 2;
	ossa_rig *nested = rig_of(context, mesh, &options), *coarser;
	assert_ok(context, ossa_rig_of_level(context, nested, 1, &coarser));
	assert_ok(context, ossa_rig_validate(context, coarser));
	assert_int_equal(coarser->loop_count, 1);
	ossa_rig_free(context, coarser);
	ossa_rig_free(context, nested);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* ---- the root ---- */

static double height_of(const ossa_rig *rig) { return rig->skeleton.bones[0].joint[1]; }

static void the_root_is_where_it_is_wanted(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	for (int refine = 0; refine <= 1; refine++) {
		ossa_volume_options options = ossa_volume_default();
		options.refine = refine;
		ossa_rig *center = rig_of(context, sample->rig->mesh, &options);
		options.root.kind = OSSA_ROOT_LOWEST;
		ossa_rig *lowest = rig_of(context, sample->rig->mesh, &options);
		for (size_t b = 0; b < lowest->skeleton.bone_count; b++) {
			/* a foot: no joint is much lower */
			assert_true(lowest->skeleton.bones[b].joint[1] > height_of(lowest) - 0.1);
		}
		assert_true(height_of(center) > height_of(lowest) + 0.3);
		options.root = (ossa_root){OSSA_ROOT_POINT, {0, 1.7, 0}};
		ossa_rig *head = rig_of(context, sample->rig->mesh, &options);
		assert_true(height_of(head) > height_of(center) + 0.1);
		ossa_rig_free(context, head);
		ossa_rig_free(context, lowest);
		ossa_rig_free(context, center);
	}
	ossa_volume_options options = ossa_volume_default();
	ossa_rig *rig;
	static const char *const wrong[] = {"", "middle", "1,2", "1,2,3,4", "1,2,nan", "1;2;3"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		assert_fails(context, ossa_option_set(context, ossa_volume_option_table(), &options, "root", wrong[i]),
			OSSA_ERROR_ARGUMENT, "`root` takes one of center|lowest, or a point as three numbers X,Y,Z");
	}
	assert_ok(context, ossa_option_set(context, ossa_volume_option_table(), &options, "root", "0.5, 1.7, -2"));
	assert_int_equal(options.root.kind, OSSA_ROOT_POINT);
	assert_true(options.root.point[0] == 0.5 && options.root.point[1] == 1.7 && options.root.point[2] == -2);
	char text[64];
	ossa_option_print(ossa_option_find(ossa_volume_option_table(), "root"), &options, text, sizeof text);
	assert_string_equal(text, "0.5,1.7,-2");
	/* values that no text gives */
	const ossa_root beyond[] = {{(ossa_root_kind)3, {0, 0, 0}}, {OSSA_ROOT_POINT, {0, NAN, 0}}};
	for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
		options.root = beyond[i];
		assert_fails(context, ossa_rig_from_volume(context, sample->rig->mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "`root`");
		assert_null(rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- levels ---- */

static void levels_are_nested(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	for (int refine = 0; refine <= 1; refine++) {
		ossa_volume_options options = ossa_volume_default();
		options.refine = refine;
		options.levels = 3;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		assert_int_equal(rig->level_count, 3);
		size_t before = rig->skeleton.bone_count + 1;
		for (int level = 0; level < 3; level++) {
			ossa_rig *coarser;
			assert_ok(context, ossa_rig_of_level(context, rig, level, &coarser));
			assert_ok(context, ossa_rig_validate(context, coarser));
			assert_int_equal(coarser->level_count, 3 - level);
			assert_true(coarser->skeleton.bone_count < before);
			before = coarser->skeleton.bone_count;
			for (size_t b = 0; b < before; b++) {
				const ossa_bone *bone = &coarser->skeleton.bones[b];
				const int32_t same = ossa_rig_bone(rig, bone->name);
				assert_true(same >= 0);
				assert_memory_equal(bone->joint, rig->skeleton.bones[same].joint, sizeof bone->joint);
			}
			ossa_rig_free(context, coarser);
		}
		assert_true(before >= 2);
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- motion ---- */

static void frames_move_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_frame_stream *stream = NULL;
	ossa_volume_options own = ossa_volume_default();
	own.levels = 2;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.method, "volume");
	options.key_frames = 2;
	options.method_options = &own;
	ossa_rig_result made;
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){sample->rig->mesh, stream}, &options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	assert_int_equal(made.rig->clip->frame_count, 4);
	assert_true(made.hierarchy.rms_percent < 3);
	/* a coarser level turns its joints in the world as the finer one does */
	ossa_rig *coarser;
	assert_ok(context, ossa_rig_of_level(context, made.rig, 1, &coarser));
	assert_ok(context, ossa_rig_validate(context, coarser));
	double fine[12 * 64], coarse[12 * 64];
	assert_true(made.rig->skeleton.bone_count <= 64);
	ossa_rig_joint_matrices(made.rig, made.rig->clip, 3, fine);
	ossa_rig_joint_matrices(coarser, coarser->clip, 3, coarse);
	for (size_t b = 0; b < coarser->skeleton.bone_count; b++) {
		const size_t same = (size_t)ossa_rig_bone(made.rig, coarser->skeleton.bones[b].name);
		for (size_t i = 0; i < 12; i++) {
			if (i % 4 != 3) assert_near(coarse[12 * b + i], fine[12 * same + i], 1e-9);
		}
	}
	ossa_rig_free(context, coarser);
	ossa_rig_result_free(context, &made);
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_inside), cmocka_unit_test(the_paper_anchors_by_coverage),
		cmocka_unit_test(as_many_bones_as_asked), cmocka_unit_test(a_ring_is_cut_and_that_is_reported),
		cmocka_unit_test(the_root_is_where_it_is_wanted), cmocka_unit_test(levels_are_nested),
		cmocka_unit_test(frames_move_the_rig)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
