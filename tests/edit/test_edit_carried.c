/* tests/edit/test_edit_carried.c: other data of a rig through edits: motion, kinds and limits of
   joints, loops, levels, free motion. */
#include "math/vec.h"
#include "support/compare.h"
#include "support/hinge.h"
#include "support/edits.h"
#include "support/many_clips.h"
#include "support/support.h"

#include "samples/samples.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct scene {
	ossa_context *context;
	ossa_rig *rig;
	ossa_editor *editor;
} scene;

static void scene_begin(scene *s) { assert_ok(s->context, ossa_editor_create(s->context, s->rig, NULL, &s->editor)); }

static void scene_end(scene *s)
{
	ossa_editor_free(s->context, s->editor);
	ossa_rig_free(s->context, s->rig);
	test_context_end(s->context);
}

static void do_line(scene *s, const char *line)
{
	if (ossa_editor_do_line(s->context, s->editor, line) != OSSA_OK) {
		fail_msg("%s: %s", line, ossa_context_error(s->context)->message);
	}
	test_edits_check(s->context, ossa_editor_rig(s->editor), line);
}

static const ossa_bone *bone_named(const scene *s, const char *name)
{
	const ossa_rig *rig = ossa_editor_rig(s->editor);
	const int32_t bone = ossa_rig_bone(rig, name);
	assert_true(bone >= 0);
	return &rig->skeleton.bones[bone];
}

/* world rotations against rest of a bone in a frame */
static ossai_mat3 world_turn(const ossa_rig *rig, const char *name, size_t frame)
{
	static double matrices[12 * 64];
	const int32_t bone = ossa_rig_bone(rig, name);
	assert_true(bone >= 0 && rig->skeleton.bone_count <= 64);
	ossa_rig_joint_matrices(rig, rig->clip, frame, matrices);
	const ossai_rigid world = ossai_rigid_of(matrices + 12 * (size_t)bone);
	const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(rig->skeleton.bones[bone].orientation));
	const ossai_mat3 back = ossai_mat3_transpose(&rest);
	return ossai_mat3_mul(&world.r, &back);
}

static void assert_turns_as_before(const scene *s, const char *const *names, size_t count)
{
	const ossa_rig *now = ossa_editor_rig(s->editor);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < s->rig->clip->frame_count; k++) {
			const ossai_mat3 a = world_turn(s->rig, names[i], k), b = world_turn(now, names[i], k);
			for (int at = 0; at < 9; at++) assert_near(a.m[at / 3][at % 3], b.m[at / 3][at % 3], 1e-9);
		}
	}
}

static void bones_that_stay_turn_as_they_did(void **unused)
{
	(void)unused;
	static const char *const names[] = {"hips", "chest", "upperarm-l", "hand-l", "shin-r", "toe-r", "head"};
	scene s = {.context = test_context(1)};
	s.rig = test_edits_rig(s.context, OSSA_SAMPLE_BIPED, 1000, 6);
	scene_begin(&s);
	do_line(&s, "remove forearm-l");
	do_line(&s, "remove spine");
	do_line(&s, "move shin-r -0.1 0.6 0.05");
	do_line(&s, "merge neck chest");
	do_line(&s, "rename neck chest");
	do_line(&s, "root shin-r");
	/* constant lengths: nothing of this lets bones slide */
	assert_null(ossa_editor_rig(s.editor)->clip->translations);
	assert_turns_as_before(&s, names, sizeof names / sizeof names[0]);
	do_line(&s, "connect hand-l head");
	assert_non_null(ossa_editor_rig(s.editor)->clip->translations);
	assert_int_equal(test_warned(s.context, "bones-slide"), 1);
	/* connected to its old parent again it does not slide */
	do_line(&s, "connect hand-l upperarm-l");
	assert_null(ossa_editor_rig(s.editor)->clip->translations);
	assert_turns_as_before(&s, names, sizeof names / sizeof names[0]);
	scene_end(&s);
}

static void joints_keep_their_kind_reversed(void **unused)
{
	(void)unused;
	for (int moves = 0; moves < 2; moves++) {
		scene s = {.context = test_context(1)};
		s.rig = test_edits_rig(s.context, OSSA_SAMPLE_BIPED, 1000, 24);
		const ossa_bone shin = s.rig->skeleton.bones[ossa_rig_bone(s.rig, "shin-l")];
		assert_int_equal(shin.kind, OSSA_JOINT_HINGE);
		if (!moves) {
			ossa_clip_free(s.context, s.rig->clip);
			s.rig->clip = NULL;
		}
		scene_begin(&s);
		do_line(&s, "root foot-l");
		/* the knee is now the joint of the thigh, whose parent is the shin */
		const ossa_bone *thigh = bone_named(&s, "thigh-l");
		assert_int_equal(thigh->kind, OSSA_JOINT_HINGE);
		assert_true(fabs(ossai_dot(ossai_v3_of(thigh->axis), ossai_v3_of(shin.axis))) > 0.999);
		assert_near(thigh->turn_degrees, shin.turn_degrees, 1e-3);
		assert_int_equal(bone_named(&s, "foot-l")->kind, OSSA_JOINT_ROOT);
		do_line(&s, "split upperarm-r");
		assert_int_equal(bone_named(&s, "upperarm_02-r")->kind, moves ? OSSA_JOINT_WELDED : OSSA_JOINT_UNKNOWN);
		assert_int_equal(bone_named(&s, "forearm-r")->kind, OSSA_JOINT_HINGE);
		/* bones with another parent are classified again; without motion they cannot be */
		do_line(&s, "connect forearm-r head");
		assert_int_equal(bone_named(&s, "forearm-r")->kind == OSSA_JOINT_UNKNOWN, !moves);
		assert_int_equal(test_warned(s.context, "kinds-dropped"), moves ? 0 : 1);
		scene_end(&s);
	}
}

static void limits_are_kept_or_taken_away(void **unused)
{
	(void)unused;
	scene s = {.context = test_context(1)};
	s.rig = test_edits_rig(s.context, OSSA_SAMPLE_BIPED, 1000, 4);
	scene_begin(&s);
	do_line(&s, "limits shin-l -10 120 -5 5 0 0");
	do_line(&s, "limits foot-l -20 20 -5 5 0 0");
	do_line(&s, "split thigh-l");
	do_line(&s, "move shin-l 0.12 0.52 0.02");
	assert_near(bone_named(&s, "shin-l")->limits[0][1], 120, 0);
	assert_int_equal(test_warned(s.context, "limits-forgotten"), 0);
	do_line(&s, "connect foot-l shin-r");
	assert_false(bone_named(&s, "foot-l")->has_limits);
	assert_true(bone_named(&s, "shin-l")->has_limits);
	assert_int_equal(test_warned(s.context, "limits-forgotten"), 1);
	scene_end(&s);
}

static double angle_at(const void *user, size_t hinge, size_t frame)
{
	(void)user;
	return 10 * (double)(hinge + 1) * (double)(frame % 3);
}

/* as long as both bones turn against their parents as before */
static void dependent_bones_follow(void **unused)
{
	(void)unused;
	static const int32_t parents[] = {0, 1, 2, 0};
	static const ossa_dependency list[] = {{3, 1, 2, 5, 0, 0, {0}}, {4, 1, -1, 0, 0, 0, {0}}};
	scene s = {.context = test_context(1)};
	s.rig = test_hinges_rig(s.context, 4, parents, 4, angle_at, NULL);
	assert_ok(s.context, ossa_rig_set_dependencies(s.context, s.rig, 2, list));
	scene_begin(&s);
	do_line(&s, "rename hinge_3 tip");
	do_line(&s, "split hinge_2");
	const ossa_rig *now = ossa_editor_rig(s.editor);
	/* the tip has another parent now, which turns as hinge_2 did; it turns against the same motion
	   */
	assert_int_equal(now->dependency_count, 2);
	assert_int_equal(now->dependencies[0].driver, ossa_rig_bone(now, "hinge_1"));
	assert_int_equal(test_warned(s.context, "dependencies-dropped"), 0);
	do_line(&s, "independent hinge_4");
	now = ossa_editor_rig(s.editor);
	assert_int_equal(now->dependency_count, 1);
	assert_int_equal(now->dependencies[0].bone, ossa_rig_bone(now, "tip"));
	assert_fails(s.context, ossa_editor_do_line(s.context, s.editor, "independent hinge_4"), OSSA_ERROR_ARGUMENT,
		"does not turn as another");
	assert_ok(s.context, ossa_editor_undo(s.context, s.editor));
	do_line(&s, "connect tip hinge_4");
	now = ossa_editor_rig(s.editor);
	assert_int_equal(now->dependency_count, 1);
	assert_int_equal(now->dependencies[0].bone, ossa_rig_bone(now, "hinge_4"));
	assert_int_equal(test_warned(s.context, "dependencies-dropped"), 1);
	assert_ok(s.context, ossa_editor_undo(s.context, s.editor));
	assert_int_equal(ossa_editor_rig(s.editor)->dependency_count, 2);
	do_line(&s, "remove hinge_1");
	assert_int_equal(ossa_editor_rig(s.editor)->dependency_count, 0);
	scene_end(&s);
}

static void loops_and_levels_follow(void **unused)
{
	(void)unused;
	scene s = {.context = test_context(1)};
	s.rig = test_edits_chain(s.context);
	s.rig->loops = ossa_alloc(s.context, 2, sizeof *s.rig->loops);
	s.rig->loop_count = 2;
	s.rig->loops[0] = (ossa_loop){{2.9, 0, 0}, {1, 3}};
	s.rig->loops[1] = (ossa_loop){{3, 0, 0}, {1, 2}};
	s.rig->level_count = 3;
	s.rig->last_level = ossa_alloc(s.context, 4, 1);
	memcpy(s.rig->last_level, (uint8_t[]){2, 1, 0, 0}, 4);
	scene_begin(&s);
	do_line(&s, "split b 0.5 far");
	const ossa_rig *now = ossa_editor_rig(s.editor);
	/* the second half is nearer to both cuts */
	assert_int_equal(now->loops[0].bones[0], ossa_rig_bone(now, "far"));
	assert_int_equal(now->loops[0].bones[1], ossa_rig_bone(now, "d_L"));
	assert_int_equal(now->last_level[ossa_rig_bone(now, "far")], 1);
	do_line(&s, "merge far c");
	now = ossa_editor_rig(s.editor);
	assert_int_equal(now->loop_count, 1);
	assert_int_equal(test_warned(s.context, "loops-dropped"), 1);
	do_line(&s, "root d_L");
	now = ossa_editor_rig(s.editor);
	assert_int_equal(now->last_level[0], 2);
	ossa_rig *coarse;
	assert_ok(s.context, ossa_rig_of_level(s.context, now, 1, &coarse));
	test_edits_check(s.context, coarse, "level 1");
	ossa_rig_free(s.context, coarse);
	scene_end(&s);
}

/* the largest distance of a vertex in two rigs' free motions */
static double free_difference(scene *s)
{
	const ossa_rig *now = ossa_editor_rig(s->editor);
	const size_t count = s->rig->mesh->vertex_count;
	float *a = ossa_alloc(s->context, count, 6 * sizeof *a), *b = a + 3 * count;
	double most = 0;
	for (size_t k = 0; k < s->rig->free_clip->frame_count; k++) {
		assert_ok(s->context, ossa_rig_pose(s->context, s->rig, &s->rig->free_weights, s->rig->free_clip, k, a));
		assert_ok(s->context, ossa_rig_pose(s->context, now, &now->free_weights, now->free_clip, k, b));
		for (size_t v = 0; v < count; v++) {
			most = fmax(most, ossai_distance(ossai_v3_of_float(a + 3 * v), ossai_v3_of_float(b + 3 * v)));
		}
	}
	ossa_free(s->context, a);
	return most;
}

static void free_motion_follows(void **unused)
{
	(void)unused;
	scene s = {.context = test_context(1)};
	ossa_sample_options sample_options = ossa_sample_default();
	ossa_sample *sample;
	ossa_examples_options options = ossa_examples_default();
	sample_options.kind = OSSA_SAMPLE_TUBE;
	sample_options.faces = 1000;
	sample_options.frames = 5;
	assert_ok(s.context, ossa_sample_create(s.context, &sample_options, &sample));
	options.bones = 4;
	assert_ok(s.context, ossa_rig_from_examples(s.context, sample->rig->mesh, sample->frames, &options, &s.rig));
	ossa_sample_free(s.context, sample);
	assert_non_null(s.rig->free_clip);
	scene_begin(&s);
	const ossa_skeleton *skeleton = &s.rig->skeleton;
	char line[200];
	snprintf(line, sizeof line, "split %s 0.4 second", skeleton->bones[1].name);
	do_line(&s, line);
	snprintf(line, sizeof line, "root %s", skeleton->bones[skeleton->bone_count - 1].name);
	do_line(&s, line);
	assert_true(free_difference(&s) < 1e-5);
	assert_true(test_largest_difference(s.context, s.rig, ossa_editor_rig(s.editor), NULL) < 1e-6);
	assert_int_equal(ossa_editor_rig(s.editor)->merge_count, s.rig->merge_count);
	scene_end(&s);
}

/* several motions go through structural edits, and through solving, which solves the first */
static void all_motions_are_carried(void **unused)
{
	(void)unused;
	scene s = {.context = test_context(1)};
	s.rig = test_edits_rig(s.context, OSSA_SAMPLE_BIPED, 1000, 6);
	test_add_clips(s.context, s.rig);
	scene_begin(&s);
	do_line(&s, "remove forearm-l");
	do_line(&s, "remove spine");
	do_line(&s, "split shin-r");
	test_assert_same_clips(s.rig, ossa_editor_rig(s.editor), 1e-6);
	do_line(&s, "root chest");
	assert_int_equal(ossa_rig_clip_count(ossa_editor_rig(s.editor)), 3);
	do_line(&s, "solve all");
	assert_int_equal(ossa_rig_clip_count(ossa_editor_rig(s.editor)), 3);
	assert_ok(s.context, ossa_rig_validate(s.context, ossa_editor_rig(s.editor)));
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bones_that_stay_turn_as_they_did),
		cmocka_unit_test(joints_keep_their_kind_reversed),
		cmocka_unit_test(limits_are_kept_or_taken_away),
		cmocka_unit_test(dependent_bones_follow),
		cmocka_unit_test(loops_and_levels_follow),
		cmocka_unit_test(free_motion_follows),
		cmocka_unit_test(all_motions_are_carried),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
