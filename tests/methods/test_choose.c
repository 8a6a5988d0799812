/* tests/methods/test_choose.c: candidate methods by name, input and options, and the messages
   where there is none. */
#include "methods/choose.h"
#include "support/support.h"

#include <ossa/ossa.h>

#include <string.h>

/* the options that are set, all to the value 1 */
typedef struct asking {
	const char *method, *names[4];
} asking;

static ossa_rig_options options_of(ossa_context *context, const asking *asked)
{
	ossa_rig_options options = ossa_rig_default();
	if (asked->method) strcpy(options.method, asked->method);
	assert_ok(context, ossa_method_options_create(context, &options.methods));
	for (size_t i = 0; i < 4 && asked->names[i]; i++) {
		const bool is_choice = ossa_rig_option_find(asked->names[i])->type == OSSA_OPTION_CHOICE;
		assert_ok(context, ossa_rig_option_set(context, &options, asked->names[i], is_choice ? "off" : "1"));
	}
	return options;
}

/* "examples sequence": those that are tried */
static void assert_chosen(ossa_context *context, asking asked, bool moves, const char *expected)
{
	char names[128] = "";
	ossai_candidates found;
	ossa_rig_options options = options_of(context, &asked);
	assert_ok(context, ossai_choose_methods(context, &options, moves, &found));
	for (size_t i = 0; i < found.count; i++) {
		strcat(strcat(names, i > 0 ? " " : ""), ossa_method_at(found.methods[i])->name);
	}
	assert_string_equal(names, expected);
	ossa_method_options_free(context, options.methods);
}

static void assert_refused(ossa_context *context, asking asked, bool moves, ossa_status status, const char *words)
{
	ossai_candidates found;
	ossa_rig_options options = options_of(context, &asked);
	assert_fails(context, ossai_choose_methods(context, &options, moves, &found), status, words);
	ossa_method_options_free(context, options.methods);
}

static void the_input_decides_what_is_tried(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	assert_chosen(context, (asking){NULL, {NULL}}, true, "examples sequence");
	assert_chosen(context, (asking){NULL, {NULL}}, false, "contraction volume");
	assert_chosen(context, (asking){"volume", {NULL}}, true, "volume");
	assert_chosen(context, (asking){"volume", {NULL}}, false, "volume");
	assert_chosen(context, (asking){"sequence", {NULL}}, true, "sequence");
	assert_refused(context, (asking){"sequence", {NULL}}, false, OSSA_ERROR_INPUT, "sequence needs motion");
	test_context_end(context);
}

static void options_leave_the_methods_that_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* all have the first, one of a kind has the second */
	assert_chosen(context, (asking){NULL, {"bones"}}, true, "examples sequence");
	assert_chosen(context, (asking){NULL, {"bones", "seeds"}}, true, "sequence");
	assert_chosen(context, (asking){NULL, {"bones", "lloyd"}}, true, "examples");
	assert_chosen(context, (asking){NULL, {"bones"}}, false, "contraction volume");
	assert_chosen(context, (asking){NULL, {"voxel-size"}}, false, "volume");
	/* of methods for one mesh the one that alone can be meant rigs the rest shape of frames */
	assert_chosen(context, (asking){NULL, {"voxel-size"}}, true, "volume");
	/* what every rig can have rules out none */
	assert_chosen(context, (asking){NULL, {"levels"}}, false, "contraction volume");
	assert_chosen(context, (asking){NULL, {"levels"}}, true, "examples sequence");
	assert_chosen(context, (asking){NULL, {"growth", "bones"}}, true, "contraction");
	assert_refused(
		context, (asking){NULL, {"spurs"}}, true, OSSA_ERROR_ARGUMENT, "add `method contraction` or `method volume` to rig");
	assert_chosen(context, (asking){"contraction", {"spurs"}}, true, "contraction");
	test_context_end(context);
}

static void what_contradicts_itself_is_named(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	assert_refused(context, (asking){NULL, {"bones", "seeds", "voxel-size"}}, true, OSSA_ERROR_ARGUMENT,
		"`seeds` and `voxel-size` are options of different methods; no method has both");
	assert_refused(context, (asking){NULL, {"growth", "voxel-size"}}, false, OSSA_ERROR_ARGUMENT,
		"`growth` and `voxel-size` are options of");
	assert_refused(
		context, (asking){NULL, {"bones", "seeds"}}, false, OSSA_ERROR_ARGUMENT, "`seeds` has no meaning for one mesh");
	assert_refused(context, (asking){"volume", {"bones", "seeds"}}, true, OSSA_ERROR_ARGUMENT,
		"`seeds` has no meaning for the method volume");
	assert_refused(
		context, (asking){NULL, {"lloyd", "bones", "seeds"}}, true, OSSA_ERROR_ARGUMENT, "`lloyd` and `seeds` are options of");
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_input_decides_what_is_tried),
		cmocka_unit_test(options_leave_the_methods_that_have_them), cmocka_unit_test(what_contradicts_itself_is_named)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
