/* tests/edit/test_edit_bounds.c: constraints: made, kept, switched, and followed through edits
   of their bones. */
#include "support/compare.h"
#include "support/edits.h"
#include "support/support.h"

#include "samples/samples.h"

#include <string.h>

typedef struct scene {
	ossa_context *context;
	ossa_editor *editor;
} scene;

static scene chain_scene(void)
{
	scene s = {.context = test_context(1)};
	ossa_rig *rig = test_edits_chain(s.context);
	assert_ok(s.context, ossa_editor_create(s.context, rig, NULL, &s.editor));
	ossa_rig_free(s.context, rig);
	return s;
}

static void scene_end(scene *s)
{
	ossa_editor_free(s->context, s->editor);
	test_context_end(s->context);
}

static void do_line(scene *s, const char *line)
{
	if (ossa_editor_do_line(s->context, s->editor, line) != OSSA_OK) {
		fail_msg("%s: %s", line, ossa_context_error(s->context)->message);
	}
	test_edits_check(s->context, ossa_editor_rig(s->editor), line);
}

static void refused(scene *s, const char *line, const char *words)
{
	assert_fails(s->context, ossa_editor_do_line(s->context, s->editor, line), OSSA_ERROR_ARGUMENT, words);
}

/* constraint `number` is this line, and on or off */
static void stands(const scene *s, size_t number, bool is_on, const char *line)
{
	assert_true(number <= ossa_editor_constraint_count(s->editor));
	const ossa_constraint constraint = ossa_editor_constraint(s->editor, number - 1);
	assert_string_equal(constraint.line, line);
	assert_true(constraint.is_on == is_on);
}

static void a_constraint_follows_its_bones(void **unused)
{
	(void)unused;
	scene s = chain_scene();
	do_line(&s, "forbid c a");
	stands(&s, 1, true, "forbid c a");
	assert_int_equal(ossa_editor_constraint(s.editor, 0).edit, 0);
	assert_false(ossa_editor_is_stale(s.editor));
	do_line(&s, "rename c third");
	stands(&s, 1, true, "forbid third a");
	refused(&s, "connect third a", "relax 1 first");
	do_line(&s, "split third 0.5 end");
	stands(&s, 1, true, "forbid third+end a");
	refused(&s, "connect end a", "relax 1 first");
	do_line(&s, "split a 0.5 tip");
	stands(&s, 1, true, "forbid third+end a+tip");
	do_line(&s, "merge end d_L");
	stands(&s, 1, true, "forbid third+end a+tip");
	do_line(&s, "remove third");
	stands(&s, 1, true, "forbid end a+tip");
	assert_no_warnings(s.context);
	do_line(&s, "relax 1");
	stands(&s, 1, false, "forbid end a+tip");
	do_line(&s, "relax 1");
	do_line(&s, "remove end");
	stands(&s, 1, false, "forbid end a+tip");
	assert_int_equal(test_warned(s.context, "constraints-dropped"), 1);
	refused(&s, "relax 1", "no longer exist");
	/* undone, it is there again */
	assert_ok(s.context, ossa_editor_undo(s.context, s.editor));
	stands(&s, 1, true, "forbid end a+tip");
	refused(&s, "relax 2", "there are 1");
	scene_end(&s);
}

static void two_bones_that_became_one(void **unused)
{
	(void)unused;
	scene s = chain_scene();
	do_line(&s, "apart b c");
	do_line(&s, "forbid b d_L");
	do_line(&s, "merge c b");
	stands(&s, 1, false, "apart b c");
	stands(&s, 2, true, "forbid c d_L");
	assert_int_equal(test_warned(s.context, "constraints-dropped"), 1);
	/* they are parent and child now, which is forbidden: solving must change it */
	assert_true(ossa_editor_is_stale(s.editor));
	refused(&s, "forbid c c", "two bones are wanted");
	scene_end(&s);
}

/* solving never merges bones that must stay apart, not even through a third */
static void apart_stands_against_together(void **unused)
{
	(void)unused;
	scene s = chain_scene();
	const size_t bones = ossa_editor_rig(s.editor)->skeleton.bone_count;
	do_line(&s, "apart c a");
	do_line(&s, "together a b");
	do_line(&s, "together b c");
	assert_fails(s.context, ossa_editor_do_line(s.context, s.editor, "solve"), OSSA_ERROR_INPUT, "constraint 1 (apart c a");
	assert_int_equal(ossa_editor_rig(s.editor)->skeleton.bone_count, bones);
	do_line(&s, "relax 1");
	do_line(&s, "solve");
	assert_int_equal(ossa_editor_rig(s.editor)->skeleton.bone_count, bones - 2);
	scene_end(&s);
}

static void locks_of_halves(void **unused)
{
	(void)unused;
	scene s = chain_scene();
	do_line(&s, "lock joint b");
	do_line(&s, "lock weights b");
	do_line(&s, "split b");
	stands(&s, 1, true, "lock joint b");
	stands(&s, 2, true, "lock weights b+b_02");
	scene_end(&s);
}

static void together_is_one_after_solving(void **unused)
{
	(void)unused;
	scene s = {.context = test_context(1)};
	ossa_rig *rig = test_edits_rig(s.context, OSSA_SAMPLE_BIPED, 1000, 3);
	assert_ok(s.context, ossa_editor_create(s.context, rig, NULL, &s.editor));
	do_line(&s, "together foot-l toe-l");
	do_line(&s, "together hand-r forearm-l");
	assert_int_equal(ossa_editor_rig(s.editor)->skeleton.bone_count, rig->skeleton.bone_count);
	assert_true(ossa_editor_is_stale(s.editor));
	assert_null(ossa_editor_facts(s.editor));
	do_line(&s, "solve");
	assert_int_equal(ossa_editor_rig(s.editor)->skeleton.bone_count, rig->skeleton.bone_count - 2);
	assert_true(ossa_rig_bone(ossa_editor_rig(s.editor), "foot-l") >= 0);
	assert_true(ossa_rig_bone(ossa_editor_rig(s.editor), "toe-l") < 0);
	stands(&s, 1, false, "together foot-l toe-l");
	assert_false(ossa_editor_is_stale(s.editor));
	assert_non_null(ossa_editor_facts(s.editor));
	assert_int_equal(test_warned(s.context, "constraints-dropped"), 0);
	ossa_rig_free(s.context, rig);
	scene_end(&s);
}

/* the corners of a triangle follow this bone alone */
static void painted(const scene *s, size_t face, const char *bone)
{
	const ossa_rig *rig = ossa_editor_rig(s->editor);
	for (size_t i = 0; i < 3; i++) assert_near(test_weight_named(rig, rig->mesh->triangles[3 * face + i], bone), 1, 0);
}

static void paint_holds_and_lies_on_top(void **unused)
{
	(void)unused;
	scene s = {.context = test_context(1)};
	ossa_rig *rig = test_edits_rig(s.context, OSSA_SAMPLE_BIPED, 1000, 1);
	ossa_clip_free(s.context, rig->clip);
	rig->clip = NULL;
	assert_ok(s.context, ossa_editor_create(s.context, rig, NULL, &s.editor));
	do_line(&s, "paint head 10-12");
	painted(&s, 11, "head");
	do_line(&s, "paint hand-l 11");
	painted(&s, 11, "hand-l");
	do_line(&s, "solve all");
	painted(&s, 11, "hand-l");
	refused(&s, "paint head 5,99999", "counted from 0");
	do_line(&s, "rename hand-l middle");
	stands(&s, 2, true, "paint middle 11");
	do_line(&s, "relax 2");
	do_line(&s, "relax 1");
	assert_true(ossa_editor_is_stale(s.editor));
	do_line(&s, "solve");
	const ossa_rig *now = ossa_editor_rig(s.editor);
	assert_true(test_weight_named(now, now->mesh->triangles[33], "middle") < 1);
	ossa_rig_free(s.context, rig);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_constraint_follows_its_bones),
		cmocka_unit_test(two_bones_that_became_one),
		cmocka_unit_test(apart_stands_against_together),
		cmocka_unit_test(locks_of_halves),
		cmocka_unit_test(together_is_one_after_solving),
		cmocka_unit_test(paint_holds_and_lies_on_top),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
