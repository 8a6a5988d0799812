/* tests/edit/test_edit_line.c: edits as lines: printed, parsed, parsed again; messages about
   wrong lines. */
#include "support/support.h"

#include <math.h>
#include <string.h>

static ossa_edit parse(ossa_context *context, const char *line)
{
	ossa_edit edit;
	assert_ok(context, ossa_edit_parse(context, line, &edit));
	return edit;
}

/* a line is printed in one way, and read again it is the same edit */
static void lines_go_round(void **unused)
{
	(void)unused;
	static const struct {
		const char *line, *printed;
	} cases[] = {
		{"add spine_02 0 1.5,-0.25 wing_L", "add spine_02 0 1.5 -0.25 wing_L"},
		{"add spine_02 0.1 1e-7 123456789.125", "add spine_02 0.1 1e-07 123456789.125"},
		{"  split\tthigh.L ", "split thigh.L"},
		{"split thigh_L 0.4", "split thigh_L 0.4"},
		{"split thigh_L 0 knee", "split thigh_L 0 knee"},
		{"remove a", "remove a"},
		{"merge a,b", "merge a b"},
		{"move a 0.30000000000000004 -0 7", "move a 0.30000000000000004 -0 7"},
		{"tail a 1 2 3", "tail a 1 2 3"},
		{"connect a b", "connect a b"},
		{"root a", "root a"},
		{"rename a b-c_9", "rename a b-c_9"},
		{"mirror a", "mirror a"},
		{"limits a -10 10 0 0 -5.5 0", "limits a -10 10 0 0 -5.5 0"},
		{"limits a none", "limits a none"},
		{"limits none none", "limits none none"},
		{"independent a", "independent a"},
		{"lock weights a", "lock weights a"},
		{"lock joint a", "lock joint a"},
		{"forbid a b", "forbid a b"},
		{"apart a b", "apart a b"},
		{"together a b", "together a b"},
		{"paint a 12,40-55", "paint a 12,40-55"},
		{"paint a 7 3 4 5-6 3", "paint a 3-7"},
		{"relax 3", "relax 3"},
		{"solve", "solve"},
		{"solve all", "solve all"},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *printed;
		ossa_edit edit = parse(context, cases[i].line);
		assert_ok(context, ossa_edit_print(context, &edit, &printed));
		assert_string_equal(printed, cases[i].printed);
		ossa_edit again = parse(context, printed);
		/* bit by bit, but for where the faces are */
		assert_int_equal(again.face_count, edit.face_count);
		if (edit.face_count > 0) assert_memory_equal(again.faces, edit.faces, edit.face_count * sizeof *edit.faces);
		assert_memory_equal(again.position, edit.position, sizeof edit.position);
		assert_memory_equal(again.limits, edit.limits, sizeof edit.limits);
		assert_memory_equal(&again.share, &edit.share, sizeof edit.share);
		assert_int_equal(again.kind, edit.kind);
		assert_string_equal(again.bone, edit.bone);
		assert_string_equal(again.other, edit.other);
		assert_string_equal(again.name, edit.name);
		assert_true(
			again.off == edit.off && again.all == edit.all && again.weights == edit.weights && again.number == edit.number);
		ossa_edit_clear(context, &again);
		ossa_edit_clear(context, &edit);
		ossa_free(context, printed);
	}
	test_context_end(context);
}

static void wrong_lines_are_reported(void **unused)
{
	(void)unused;
	static const struct {
		const char *line, *words;
	} cases[] = {
		{"", "begins with one of add, split"},
		{"splitt a", "\"splitt\" is no edit"},
		{"split", "a bone's name is missing; the form is: split BONE"},
		{"split a x", "\"x\" is not a share"},
		{"split a 0.5 b c", "\"c\" is not expected"},
		{"split a 0.5 b.c", "\"b.c\" is not a bone's name"},
		{"move a 1 2", "a number for Z is missing"},
		{"move a 1 2 nan", "\"nan\" is not a number for Z"},
		{"move a 1 2 3x", "\"3x\" is not"},
		{"move a 1 2 1e999", "is not a number"},
		{"limits a 1 2 3", "an angle in degrees"},
		{"limits a none 3", "\"3\" is not expected"},
		{"lock a", "\"a\" is not weights or joint"},
		{"paint a", "is missing"},
		{"paint a 5-3", "\"5-3\" is not"},
		{"paint a -3", "\"-3\" is not"},
		{"paint a 0-4294967294", "more than 16777216 triangles"},
		{"paint a 0-99999999999", "is not the number of a triangle"},
		{"relax 0", "from 1 on"},
		{"relax two", "from 1 on"},
		{"solve some", "\"some\" is not all"},
		{"root aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "is not a bone's name"},
		{"\x01\x02 a", "\"??\" is no edit"},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_edit edit;
		assert_fails(context, ossa_edit_parse(context, cases[i].line, &edit), OSSA_ERROR_ARGUMENT, cases[i].words);
		assert_null(edit.faces);
	}
	test_context_end(context);
}

static void what_no_line_can_hold_is_not_printed(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	char *line;
	ossa_edit edit = {.kind = OSSA_EDIT_REMOVE, .bone = "two words"};
	assert_fails(context, ossa_edit_print(context, &edit, &line), OSSA_ERROR_ARGUMENT, "two words");
	assert_null(line);
	edit = (ossa_edit){.kind = OSSA_EDIT_MOVE, .bone = "a", .position = {0, (double)NAN, 0}};
	assert_fails(context, ossa_edit_print(context, &edit, &line), OSSA_ERROR_ARGUMENT, "no number");
	edit = (ossa_edit){.kind = (ossa_edit_kind)99};
	assert_fails(context, ossa_edit_print(context, &edit, &line), OSSA_ERROR_ARGUMENT, "kind 99");
	memset(edit.bone, 'a', sizeof edit.bone);
	edit.kind = OSSA_EDIT_ROOT;
	assert_fails(context, ossa_edit_print(context, &edit, &line), OSSA_ERROR_ARGUMENT, "cannot be a bone's name");
	test_context_end(context);
}

static void verbs_are_in_the_order_of_kinds(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	assert_int_equal(ossa_edit_verb_count(), OSSA_EDIT_SOLVE + 1);
	assert_string_equal(ossa_edit_verb_at(OSSA_EDIT_LIMITS)->verb, "limits");
	assert_string_equal(ossa_edit_verb_at(OSSA_EDIT_RELAX)->verb, "relax");
	assert_null(ossa_edit_verb_at(OSSA_EDIT_SOLVE + 1));
	for (size_t i = 0; i < ossa_edit_verb_count(); i++) {
		const ossa_edit_kind kind = (ossa_edit_kind)i;
		const bool constrains = kind >= OSSA_EDIT_LOCK && kind <= OSSA_EDIT_PAINT;
		assert_true(ossa_edit_verb_at(i)->constrains == constrains);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_go_round),
		cmocka_unit_test(wrong_lines_are_reported),
		cmocka_unit_test(what_no_line_can_hold_is_not_printed),
		cmocka_unit_test(verbs_are_in_the_order_of_kinds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
