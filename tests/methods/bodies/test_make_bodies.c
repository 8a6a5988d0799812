/* tests/methods/bodies/test_make_bodies.c: people, animals and a floor in one file: each is rigged
   as if it were alone. */
#include "methods/bodies/bodies.h"
#include "rig/join_rigs.h"
#include "support/bodies.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static ossa_rig_result make_with(test_bodies *t, ossa_roots roots, int bones, ossa_body_kind body)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	options.roots = roots;
	options.body = body;
	assert_ok(t->context, ossa_method_options_create(t->context, &options.methods));
	((ossa_examples_options *)ossa_method_options_of(options.methods, "examples"))->bones = bones;
	((ossa_sequence_options *)ossa_method_options_of(options.methods, "sequence"))->bones = bones;
	assert_ok(t->context, ossa_rig_make(t->context, &(ossa_rig_input){t->mesh, t->stream}, &options, &made));
	assert_ok(t->context, ossa_rig_validate(t->context, made.rig));
	ossa_method_options_free(t->context, options.methods);
	return made;
}

/* whatever bodies they are: looking for that takes most of the time */
static ossa_rig_result make(test_bodies *t, ossa_roots roots, int bones) { return make_with(t, roots, bones, OSSA_BODY_NONE); }

/* the body that a bone is of; 0 for the common root */
static size_t body_of(const ossa_skeleton *skeleton, size_t bone)
{
	size_t count = 0;
	for (size_t b = 1; b <= bone; b++) count += ossai_is_body_root(&skeleton->bones[b]);
	return bone == 0 ? 0 : count;
}

/* bones of a body are children of each other; its vertices follow no other */
static void assert_apart(const test_bodies *t, const ossa_rig *rig)
{
	const ossa_skeleton *skeleton = &rig->skeleton;
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		if (ossai_is_body_root(bone)) continue;
		assert_int_equal(body_of(skeleton, (size_t)bone->parent), body_of(skeleton, b));
	}
	for (size_t v = 0; v < rig->weights.vertex_count; v++) {
		size_t creature = 0;
		while (creature < t->count && v >= t->first_vertex[creature + 1]) creature++;
		for (size_t i = 0; i < (size_t)rig->weights.influences; i++) {
			const size_t at = v * (size_t)rig->weights.influences + i;
			if (rig->weights.values[at] > 0) assert_int_equal(body_of(skeleton, rig->weights.bones[at]), creature + 1);
		}
	}
}

/* the common root neither moves nor turns */
static void assert_root_is_still(const ossa_rig *rig)
{
	const ossa_clip *clips[] = {rig->clip, rig->free_clip};
	for (size_t c = 0; c < 2; c++) {
		const ossa_clip *clip = clips[c];
		assert_non_null(clip);
		assert_non_null(clip->translations);
		for (size_t f = 0; f < clip->frame_count; f++) {
			const double *q = clip->rotations + 4 * f * clip->bone_count;
			assert_near(fabs(q[3]), 1, 1e-12);
			assert_near_array(3, clip->root_positions + 3 * f, rig->skeleton.bones[0].joint, 1e-9);
		}
	}
}

/* ---- tests ---- */

static void each_body_has_a_tree(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(
		0, 3, (const int[]){OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_PIECES}, -0.1, true, 10);
	ossa_rig_result made = make_with(&t, OSSA_ROOTS_AUTO, 0, OSSA_BODY_AUTO), one = make(&t, OSSA_ROOTS_ONE, 0);
	assert_int_equal(ossai_rig_body_count(&made.rig->skeleton), 4);
	assert_int_equal(ossai_rig_body_count(&one.rig->skeleton), 0);
	assert_apart(&t, made.rig);
	assert_root_is_still(made.rig);
	assert_string_equal(made.rig->skeleton.bones[0].name, "root");
	assert_true(ossa_rig_bone(made.rig, "body_4") > 0);
	assert_true(ossa_rig_bone(made.rig, "body_1_pelvis") > 0 || ossa_rig_bone(made.rig, "body_1_root") > 0);
	assert_non_null(strstr(made.reason, "4 bodies move independently of each other, 1 of one bone"));
	/* most of it is the robot's own, as alone */
	assert_true(made.hierarchy.rms_percent < 0.2);
	assert_true(made.hierarchy.rms_percent < 0.5 * one.hierarchy.rms_percent);
	assert_true(isnan(made.bone_rms[0]));
	ossa_rig_result_free(t.context, &made);
	ossa_rig_result_free(t.context, &one);
	test_bodies_end(&t);
}

/* joints of a creature in company are those that it gets alone, bit for bit: it is where it was */
static void company_changes_no_joint(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(0, 2, (const int[]){OSSA_SAMPLE_BIPED, OSSA_SAMPLE_TUBE}, 0.2, false, 8);
	ossa_rig_result made = make_with(&t, OSSA_ROOTS_AUTO, 0, OSSA_BODY_AUTO), alone;
	ossa_frame_stream *stream;
	assert_ok(t.context, ossa_frame_stream_of_frames(t.context, t.sample[0]->frames, &stream));
	const ossa_rig_input input = {t.sample[0]->rig->mesh, stream};
	assert_ok(t.context, ossa_rig_make(t.context, &input, NULL, &alone));
	assert_true(alone.rig->skeleton.bone_count > 8);
	for (size_t b = 0; b < alone.rig->skeleton.bone_count; b++) {
		const ossa_bone *own = &alone.rig->skeleton.bones[b], *there = &made.rig->skeleton.bones[b + 1];
		assert_string_equal(there->name + strlen("body_1_"), own->name);
		assert_int_equal(there->parent, own->parent + 1);
		assert_memory_equal(there->joint, own->joint, sizeof own->joint);
		assert_memory_equal(there->orientation, own->orientation, sizeof own->orientation);
	}
	ossa_rig_result_free(t.context, &made);
	ossa_rig_result_free(t.context, &alone);
	ossa_frame_stream_free(t.context, stream);
	test_bodies_end(&t);
}

static void one_body_is_one_tree(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(0, 1, (const int[]){OSSA_SAMPLE_PIECES}, 0, false, 8);
	ossa_rig_result made = make(&t, OSSA_ROOTS_AUTO, 0), one = make(&t, OSSA_ROOTS_ONE, 0);
	assert_int_equal(ossai_rig_body_count(&made.rig->skeleton), 0);
	assert_int_equal(made.rig->skeleton.bone_count, one.rig->skeleton.bone_count);
	assert_memory_equal(made.rig->skeleton.bones, one.rig->skeleton.bones, one.rig->skeleton.bone_count * sizeof(ossa_bone));
	assert_true(made.hierarchy.rms_percent == one.hierarchy.rms_percent);
	ossa_rig_result_free(t.context, &made);
	ossa_rig_result_free(t.context, &one);
	test_bodies_end(&t);
}

/* the root is one of them, and the floor needs one */
static void a_number_of_bones_is_shared(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(0, 2, (const int[]){OSSA_SAMPLE_BIPED, OSSA_SAMPLE_TUBE}, 0.2, true, 8);
	ossa_rig_result made = make(&t, OSSA_ROOTS_AUTO, 20);
	size_t bones[4] = {0};
	/* a bone may turn out to move nothing */
	assert_in_range(made.rig->skeleton.bone_count, 18, 20);
	for (size_t b = 0; b < made.rig->skeleton.bone_count; b++) bones[body_of(&made.rig->skeleton, b)]++;
	assert_int_equal(bones[0], 1);
	assert_int_equal(bones[3], 1);
	assert_true(bones[1] >= 4 && bones[2] >= 4);
	ossa_rig_result_free(t.context, &made);
	made = make(&t, OSSA_ROOTS_AUTO, 2);
	assert_int_equal(made.rig->skeleton.bone_count, 4);
	assert_int_equal(test_warned(t.context, "more-bones"), 2);
	ossa_rig_result_free(t.context, &made);
	test_bodies_end(&t);
}

/* more frames than key frames: the motion of each body is fitted to all */
static void every_body_follows_all_frames(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(0, 2, (const int[]){OSSA_SAMPLE_BIPED, OSSA_SAMPLE_BIPED}, -0.1, true, 20);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	ossa_metrics metrics;
	options.key_frames = 10;
	options.body = OSSA_BODY_NONE;
	assert_ok(t.context, ossa_rig_make(t.context, &(ossa_rig_input){t.mesh, t.stream}, &options, &made));
	assert_ok(t.context, ossa_rig_validate(t.context, made.rig));
	assert_int_equal(made.key_frame_count, 10);
	assert_int_equal(made.rig->clip->frame_count, 20);
	assert_root_is_still(made.rig);
	assert_true(made.hierarchy.rms_percent < 0.2);
	assert_ok(t.context, ossa_rig_measure(t.context, made.rig, NULL, NULL, t.frames, &metrics));
	assert_near(metrics.rms_percent, made.hierarchy.rms_percent, 1e-4 * (1 + metrics.rms_percent));
	ossa_rig_result_free(t.context, &made);
	test_bodies_end(&t);
}

/* trees survive a file, and the motion of the frames is fitted to what was read */
static void files_keep_the_trees(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(0, 2, (const int[]){OSSA_SAMPLE_BIPED, OSSA_SAMPLE_TUBE}, 0.1, true, 8);
	ossa_rig_result made = make(&t, OSSA_ROOTS_AUTO, 0);
	static const char *const files[] = {"bodies.glb", "bodies.dae"};
	for (size_t i = 0; i < 2; i++) {
		const char *path = test_path(files[i]);
		ossa_rig *read;
		ossa_motion_fit *fit;
		assert_ok(t.context, ossa_write_rig(t.context, made.rig, path, NULL));
		assert_ok(t.context, ossa_read_rig(t.context, path, NULL, &read));
		assert_ok(t.context, ossa_rig_validate(t.context, read));
		assert_int_equal(ossai_rig_body_count(&read->skeleton), 3);
		assert_int_equal(read->skeleton.bone_count, made.rig->skeleton.bone_count);
		assert_near(test_largest_difference(t.context, made.rig, read, NULL), 0, 2e-5);
		assert_ok(t.context, ossa_rig_fit_motion(t.context, read, t.stream, NULL, &fit));
		assert_near(fit->errors.rms_percent, made.hierarchy.rms_percent, 0.2 * made.hierarchy.rms_percent + 1e-3);
		ossa_motion_fit_free(t.context, fit);
		ossa_rig_free(t.context, read);
	}
	ossa_rig_result_free(t.context, &made);
	test_bodies_end(&t);
}

/* and what solves the motion of one tree */
static void bodies_that_share_vertices_are_refused(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(0, 2, (const int[]){OSSA_SAMPLE_TUBE, OSSA_SAMPLE_TUBE}, 0.1, false, 6);
	ossa_rig_result made = make(&t, OSSA_ROOTS_AUTO, 0);
	ossa_motion_fit *fit;
	ossa_fit_options joints = ossa_fit_default();
	joints.joints = joints.motion = true;
	assert_fails(t.context, ossa_rig_fit_weights(t.context, made.rig, t.stream, &joints, NULL, NULL), OSSA_ERROR_INPUT,
		"2 bodies with a root each");
	ossa_weights *w = &made.rig->weights;
	/* the first vertex half of the last bone, which is of the other body */
	w->values[0] = w->values[1] = 0.5f;
	for (int i = 2; i < w->influences; i++) w->values[i] = 0, w->bones[i] = 0;
	w->bones[1] = (uint16_t)(made.rig->skeleton.bone_count - 1);
	assert_fails(t.context, ossa_rig_fit_motion(t.context, made.rig, t.stream, NULL, &fit), OSSA_ERROR_INPUT, "share vertices");
	ossa_rig_result_free(t.context, &made);
	test_bodies_end(&t);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	const int kinds[] = {OSSA_SAMPLE_TUBE, OSSA_SAMPLE_PIECES};
	test_bodies one = test_bodies_begin(1, 2, kinds, 0.1, true, 6), three = test_bodies_begin(3, 2, kinds, 0.1, true, 6);
	ossa_rig_result a = make(&one, OSSA_ROOTS_AUTO, 0), b = make(&three, OSSA_ROOTS_AUTO, 0);
	const size_t bones = a.rig->skeleton.bone_count, turns = bones * a.rig->clip->frame_count;
	assert_int_equal(bones, b.rig->skeleton.bone_count);
	assert_memory_equal(a.rig->skeleton.bones, b.rig->skeleton.bones, bones * sizeof(ossa_bone));
	assert_memory_equal(a.rig->clip->rotations, b.rig->clip->rotations, 4 * turns * sizeof(double));
	assert_memory_equal(a.rig->clip->translations, b.rig->clip->translations, 3 * turns * sizeof(double));
	ossa_rig_result_free(one.context, &a);
	ossa_rig_result_free(three.context, &b);
	test_bodies_end(&one);
	test_bodies_end(&three);
}

/* finds the bodies of a scene, and joins two rigs */
static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const test_bodies *t = arg;
	uint32_t number[1200], triangles[2400];
	ossai_body_parts parts;
	ossa_rig *rig = NULL;
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_body_parts_find(&arena, t->mesh, t->frames, OSSA_BODY_AUTO, &parts);
	ossai_arena_end(&arena);
	for (uint32_t i = 0; i < 1200; i++) number[i] = (uint32_t)t->first_vertex[1] + i;
	for (uint32_t i = 0; i < 2400; i++) triangles[i] = (uint32_t)t->sample[0]->rig->mesh->triangle_count + i;
	uint32_t first[2400];
	for (uint32_t i = 0; i < 2400; i++) first[i] = i;
	const ossai_rig_part joined[] = {{.rig = t->sample[0]->rig, .vertices = first, .triangles = first},
		{.rig = t->sample[1]->rig, .vertices = number, .triangles = triangles}};
	if (status == OSSA_OK) status = ossai_rigs_join(context, t->mesh, 2, joined, NULL, &rig);
	ossa_rig_free(context, rig);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_bodies t = test_bodies_begin(1, 2, (const int[]){OSSA_SAMPLE_TUBE, OSSA_SAMPLE_TUBE}, 0.1, false, 2);
	assert_true(t.mesh->vertex_count <= 1200 && t.mesh->triangle_count <= 2400);
	assert_true(test_allocation_sweep(sweep_body, &t, test_is_long() ? 300 : 30, 2) > 30);
	test_bodies_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_body_has_a_tree),
		cmocka_unit_test(company_changes_no_joint),
		cmocka_unit_test(one_body_is_one_tree),
		cmocka_unit_test(a_number_of_bones_is_shared),
		cmocka_unit_test(every_body_follows_all_frames),
		cmocka_unit_test(files_keep_the_trees),
		cmocka_unit_test(bodies_that_share_vertices_are_refused),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
