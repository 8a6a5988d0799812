/* tests/edit/test_solve_tree.c: parents after solving: forbidden edges are replaced and do not
   come back, and their children get the next best parent. */
#include "edit/editor.h"
#include "samples/samples.h"
#include "support/edits.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static void do_line(ossa_context *context, ossa_editor *editor, const char *line)
{
	assert_ok(context, ossa_editor_do_line(context, editor, line));
	test_edits_check(context, ossa_editor_rig(editor), line);
}

static const char *parent_of(const ossa_editor *editor, const char *name)
{
	const ossa_skeleton *skeleton = &ossa_editor_rig(editor)->skeleton;
	const int32_t bone = ossa_rig_bone(ossa_editor_rig(editor), name);
	assert_true(bone >= 0);
	return skeleton->bones[bone].parent < 0 ? "" : skeleton->bones[skeleton->bones[bone].parent].name;
}

static bool are_joined(const ossa_editor *editor, const char *a, const char *b)
{
	return strcmp(parent_of(editor, a), b) == 0 || strcmp(parent_of(editor, b), a) == 0;
}

/* The biped's true rig; without frames its shape alone decides. */
static ossa_editor *biped(ossa_context *context, int frames, ossa_rig **rig)
{
	ossa_editor *editor;
	*rig = test_edits_rig(context, OSSA_SAMPLE_BIPED, 1500, frames > 0 ? frames : 1);
	if (frames == 0) {
		ossa_clip_free(context, (*rig)->clip);
		(*rig)->clip = NULL;
	}
	assert_ok(context, ossa_editor_create(context, *rig, NULL, &editor));
	return editor;
}

/* every edge of the rig is forbidden, one by one: it is replaced, does not come back, and undo
   restores it to the byte */
static void a_forbidden_edge_goes(ossa_context *context, ossa_editor *editor, const char *child, const char *parent)
{
	char line[200];
	test_bytes before = test_rig_bytes(context, ossa_editor_rig(editor));
	snprintf(line, sizeof line, "forbid %s %s", child, parent);
	do_line(context, editor, line);
	assert_true(ossa_editor_is_stale(editor));
	do_line(context, editor, "solve");
	assert_false(are_joined(editor, child, parent));
	assert_true(ossa_editor_facts(editor)->tree);
	snprintf(line, sizeof line, "connect %s %s", child, parent);
	assert_fails(context, ossa_editor_do_line(context, editor, line), OSSA_ERROR_ARGUMENT, "relax 1 first");
	do_line(context, editor, "solve all");
	assert_false(are_joined(editor, child, parent));
	for (int i = 0; i < 3; i++) assert_ok(context, ossa_editor_undo(context, editor));
	assert_string_equal(parent_of(editor, child), parent);
	test_bytes after = test_rig_bytes(context, ossa_editor_rig(editor));
	assert_true(test_same_bytes(before, after));
	ossa_free(context, before.bytes);
	ossa_free(context, after.bytes);
}

static void forbidden_edges_go(int frames)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_editor *editor = biped(context, frames, &rig);
	for (size_t b = 1; b < rig->skeleton.bone_count; b += 2) {
		const ossa_bone *bones = rig->skeleton.bones;
		a_forbidden_edge_goes(context, editor, bones[b].name, bones[bones[b].parent].name);
	}
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void forbidden_edges_go_and_stay_away(void **unused)
{
	(void)unused;
	forbidden_edges_go(3);
	forbidden_edges_go(0);
}

/* a hand wrongly connected to the hips gets its arm as parent; one that may not be the child of its
   arm gets the next bone along the body */
static void what_was_attached_there_finds_the_next_place(void **unused)
{
	static const struct {
		const char *first, *forbid, *bone, *parent;
	} cases[] = {
		{"connect hand-l hips", "forbid hand-l hips", "hand-l", "forearm-l"},
		{"connect hand-l hips", "forbid hips hand-l", "hand-l", "forearm-l"},
		{NULL, "forbid hand-l forearm-l", "hand-l", "upperarm-l"},
		{NULL, "forbid shin-r thigh-r", "shin-r", "hips"},
		{NULL, "forbid head neck", "head", "chest"},
	};
	(void)unused;
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
		ossa_rig *rig;
		const bool moves = i % 2 == 0;
		ossa_editor *editor = biped(context, moves ? 6 : 0, &rig);
		if (cases[i / 2].first) do_line(context, editor, cases[i / 2].first);
		do_line(context, editor, cases[i / 2].forbid);
		do_line(context, editor, "solve");
		const char *found = parent_of(editor, cases[i / 2].bone);
		if (strcmp(found, cases[i / 2].parent) != 0) {
			fail_msg("%s: the parent of %s is %s, not %s (%s)", cases[i / 2].forbid, cases[i / 2].bone, found,
				cases[i / 2].parent, moves ? "moving" : "still");
		}
		/* with the constraint off it may be in its right place again: mistakes are not repeated */
		do_line(context, editor, "relax 1");
		do_line(context, editor, "solve");
		if (cases[i / 2].first) assert_string_equal(parent_of(editor, cases[i / 2].bone), cases[i / 2].parent);
		else assert_false(ossa_editor_is_stale(editor));
		ossa_editor_free(context, editor);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* if all possible parents of a bone are forbidden, an error says so and nothing changes */
static void nothing_left_is_reported(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_chain(context);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	do_line(context, editor, "forbid d_L c");
	do_line(context, editor, "forbid d_L b");
	do_line(context, editor, "forbid d_L a");
	assert_fails(context, ossa_editor_do_line(context, editor, "solve"), OSSA_ERROR_INPUT, "d_L may not be the child of c");
	assert_int_equal(ossa_editor_done_count(editor), 3);
	assert_string_equal(parent_of(editor, "d_L"), "c");
	do_line(context, editor, "relax 3");
	do_line(context, editor, "solve");
	assert_string_equal(parent_of(editor, "d_L"), "a");
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forbidden_edges_go_and_stay_away),
		cmocka_unit_test(what_was_attached_there_finds_the_next_place),
		cmocka_unit_test(nothing_left_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
