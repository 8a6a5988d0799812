/* tests/methods/test_still.c: what both methods for one mesh share: the number of bones of shapes
   without limbs, and weights that need motion. */
#include "methods/still.h"
#include "support/support.h"

#include <string.h>

/* slenderness below and above what limbs have */
static ossai_still_work work_of(ossa_context *context, double slenderness, size_t cuts)
{
	return (ossai_still_work){.context = context, .tips = {.slenderness = slenderness}, .curve = {.cut_count = cuts}};
}

static void shapes_without_limbs_have_one_bone(void **state)
{
	(void)state;
	const struct {
		double slenderness;
		size_t cuts, wanted, expected;
		bool is_warned;
	} cases[] = {
		{0.3, 0, 0, 1, true}, {0.5, 0, 0, 0, false}, {0.3, 1, 0, 0, false}, {0.3, 0, 7, 7, false}, {0.5, 0, 7, 7, false}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ossa_context *context = test_context(1);
		const ossai_still_work work = work_of(context, cases[i].slenderness, cases[i].cuts);
		assert_int_equal(ossai_still_bone_count(&work, cases[i].wanted), cases[i].expected);
		/* the warning names the option that insists on more */
		assert_int_equal(strstr(test_warning_text(context, "no-limbs"), "`bones N`") != NULL, cases[i].is_warned);
		test_context_end(context);
	}
}

/* a torus is closed and has one handle: as many vertices as faces / 2 */
static void handles_are_no_lump(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_still_work work = work_of(context, 0.3, 0);
	work.proxy = (ossai_proxy){.kind = OSSA_PROXY_SURFACE, .is_closed = true, .vertex_count = 100, .face_count = 200};
	assert_int_equal(ossai_still_bone_count(&work, 0), 0);
	/* a sphere has two more */
	work.proxy.vertex_count = 102;
	assert_int_equal(ossai_still_bone_count(&work, 0), 1);
	/* of an open surface they cannot be counted so */
	work.proxy = (ossai_proxy){.kind = OSSA_PROXY_SURFACE, .vertex_count = 100, .face_count = 200};
	assert_int_equal(ossai_still_bone_count(&work, 0), 1);
	test_context_end(context);
}

static void weights_that_need_motion_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	assert_ok(context, ossai_still_check_weights(context, "volume", OSSA_WEIGHTS_HEAT));
	assert_ok(context, ossai_still_check_weights(context, "volume", OSSA_WEIGHTS_AUTO));
	assert_fails(
		context, ossai_still_check_weights(context, "volume", OSSA_WEIGHTS_LEAST_SQUARES), OSSA_ERROR_ARGUMENT, "volume");
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_without_limbs_have_one_bone),
		cmocka_unit_test(handles_are_no_lump), cmocka_unit_test(weights_that_need_motion_are_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
