/* tests/rig/test_clips.c: several motions in one rig go wherever the rig goes. */
#include "support/many_clips.h"
#include "support/still.h"

#include "rig/clips.h"
#include "rig/rebuild.h"

#include <string.h>

static ossa_rig *human(ossa_context *context)
{
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, 1000);
	ossa_rig *rig = sample->rig;
	sample->rig = NULL;
	ossa_sample_free(context, sample);
	if (!rig->clip) assert_ok(context, ossa_clip_of_rest(context, rig, 5, 24, &rig->clip));
	test_add_clips(context, rig);
	return rig;
}

static void motions_are_counted_and_replaced(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context);
	assert_int_equal(ossa_rig_clip_count(rig), 3);
	assert_string_equal(ossa_rig_clip_at(rig, 1)->name, "back");
	assert_string_equal(ossa_rig_clip_at(rig, 2)->name, "half");
	assert_null(ossa_rig_clip_at(rig, 3));
	assert_int_equal(ossa_rig_clip_count(NULL), 0);
	assert_ok(context, ossa_rig_set_clips(context, rig, 0, NULL));
	assert_int_equal(ossa_rig_clip_count(rig), 0);
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void wrong_motions_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context);
	ossa_clip *clip = rig->clip, *other = rig->other_clips[1];
	rig->clip = NULL;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "no first");
	rig->clip = clip;
	rig->other_clips[1] = NULL;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, "missing");
	rig->other_clips[1] = other;
	other->rotations[0] += 1;
	assert_fails(context, ossa_rig_validate(context, rig), OSSA_ERROR_INPUT, NULL);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* limits are those of all motions */
static void limits_hold_all_motions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) rig->skeleton.bones[b].has_limits = false;
	assert_ok(context, ossa_rig_find_limits(context, rig, 1));
	for (size_t i = 0; i < 3; i++) {
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			if (rig->skeleton.bones[b].kind == OSSA_JOINT_WELDED) continue;
			const ossa_clip *clip = ossa_rig_clip_at(rig, i);
			assert_int_equal(ossa_rig_past_limits(rig, clip, b, 0, clip->frame_count - 1).frame_count, 0);
		}
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void twist_bones_change_no_motion(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context), *before = human(context);
	size_t added;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, "upperarm-l") == 0)
			rig->skeleton.bones[b].role = (ossa_role){.part = OSSA_PART_UPPER_ARM, .side = 1};
	}
	assert_ok(context, ossa_rig_add_twist(context, rig, 2, &added));
	assert_int_equal(added, 2);
	assert_ok(context, ossa_rig_validate(context, rig));
	test_assert_same_clips(before, rig, 1e-9);
	ossa_rig_free(context, before);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void coarser_levels_have_all_motions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context), *coarser;
	const size_t bones = rig->skeleton.bone_count;
	rig->level_count = 2;
	rig->last_level = ossa_alloc(context, bones, 1);
	for (size_t b = 0; b < bones; b++) rig->last_level[b] = b == 0 || b % 3 != 0;
	assert_ok(context, ossa_rig_of_level(context, rig, 1, &coarser));
	assert_true(coarser->skeleton.bone_count < bones);
	assert_ok(context, ossa_rig_validate(context, coarser));
	test_assert_same_clips(coarser, rig, 1e-7);
	ossa_rig_free(context, coarser);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void other_roots_have_all_motions(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context);
	const double joint[3] = {0, 1, 0};
	assert_ok(context, ossai_rig_reroot(context, 3, joint, rig));
	assert_int_equal(ossa_rig_clip_count(rig), 3);
	assert_ok(context, ossa_rig_validate(context, rig));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status fail_third(void *user, const ossa_clip *clip, ossa_clip **changed)
{
	ossa_context *context = user;
	if (strcmp(clip->name, "half") == 0) return ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "no more");
	return ossa_clip_copy(context, clip, changed);
}

/* a failure leaves nothing behind: the context counts */
static void failures_free_what_was_made(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = human(context);
	ossai_clips made;
	assert_fails(context, ossai_clips_change(context, rig, fail_third, context, &made), OSSA_ERROR_MEMORY, "no more");
	assert_null(made.clip);
	assert_null(made.others);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(motions_are_counted_and_replaced),
		cmocka_unit_test(wrong_motions_are_found),
		cmocka_unit_test(limits_hold_all_motions),
		cmocka_unit_test(twist_bones_change_no_motion),
		cmocka_unit_test(coarser_levels_have_all_motions),
		cmocka_unit_test(other_roots_have_all_motions),
		cmocka_unit_test(failures_free_what_was_made),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
