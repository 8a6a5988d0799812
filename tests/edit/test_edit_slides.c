/* tests/edit/test_edit_slides.c: joints that slide through edits of the skeleton. */
#include "math/vec.h"
#include "samples/samples.h"
#include "support/compare.h"
#include "support/edits.h"
#include "support/support.h"

#include <string.h>

typedef struct scene {
	ossa_context *context;
	ossa_sample *sample;
	ossa_editor *editor;
} scene;

static scene begin(void)
{
	scene s = {.context = test_context(1)};
	s.sample = test_sample_of_kind(s.context, OSSA_SAMPLE_SLIDES, 1000, 6);
	assert_ok(s.context, ossa_editor_create(s.context, s.sample->rig, NULL, &s.editor));
	return s;
}

static void end(scene *s)
{
	ossa_editor_free(s->context, s->editor);
	ossa_sample_free(s->context, s->sample);
	test_context_end(s->context);
}

static const ossa_bone *after(scene *s, const char *line, const char *name)
{
	assert_ok(s->context, ossa_editor_do_line(s->context, s->editor, line));
	const ossa_rig *rig = ossa_editor_rig(s->editor);
	assert_ok(s->context, ossa_rig_validate(s->context, rig));
	const int32_t bone = ossa_rig_bone(rig, name);
	assert_true(bone >= 0);
	return &rig->skeleton.bones[bone];
}

static void limits_stay_where_frames_change(void **state)
{
	(void)state;
	scene s = begin();
	const ossa_bone *ram = after(&s, "move ram 0.41 0.5 0.04", "ram");
	assert_int_equal(ram->kind, OSSA_JOINT_PRISMATIC);
	assert_near(ram->slide_limits[0], -0.06, 0);
	assert_near(ram->slide_limits[1], 0.2, 0);
	end(&s);
}

static void the_other_side_slides_back(void **state)
{
	(void)state;
	scene s = begin();
	const ossa_bone *base = after(&s, "root drawer", "base");
	assert_int_equal(base->kind, OSSA_JOINT_PRISMATIC);
	assert_near(base->axis[2], -1, 1e-12);
	assert_near(base->slide_limits[1], 0.22, 0);
	end(&s);
}

/* its axis is mirrored as a direction is */
static void mirror_images_slide(void **state)
{
	(void)state;
	scene s = begin();
	after(&s, "mirror ram", "ram");
	const ossa_skeleton *skeleton = &ossa_editor_rig(s.editor)->skeleton;
	const ossa_bone *image = &skeleton->bones[skeleton->bone_count - 1];
	assert_int_equal(image->kind, OSSA_JOINT_PRISMATIC);
	assert_near(ossai_length(ossai_v3_of(image->axis)), 1, 1e-9);
	assert_true(image->axis[1] > 0.7);
	assert_near(image->slide_limits[1], 0.2, 0);
	end(&s);
}

/* neither welded nor a hinge, as turns alone would say */
static void joints_of_other_bones_are_unknown(void **state)
{
	(void)state;
	scene s = begin();
	const ossa_bone *stage = after(&s, "remove stage-1", "stage-2");
	assert_int_equal(stage->kind, OSSA_JOINT_UNKNOWN);
	assert_false(stage->has_limits);
	assert_int_equal(after(&s, "connect ram mast", "ram")->kind, OSSA_JOINT_UNKNOWN);
	end(&s);
}

static void limits_of_turns_are_refused(void **state)
{
	(void)state;
	scene s = begin();
	assert_fails(s.context, ossa_editor_do_line(s.context, s.editor, "limits ram -10 10 -10 10 -10 10"), OSSA_ERROR_ARGUMENT,
		"slides and never turns");
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_stay_where_frames_change),
		cmocka_unit_test(the_other_side_slides_back),
		cmocka_unit_test(mirror_images_slide),
		cmocka_unit_test(joints_of_other_bones_are_unknown),
		cmocka_unit_test(limits_of_turns_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
