/* tests/weights/test_bone_weights.c: the largest weights of a vertex, in the order that later
   stages rely on. */
#include "weights/bone_weights.h"

#include "support/support.h"

static void the_largest_are_kept_in_order(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_bone_weights w;
	assert_ok(context, ossai_bone_weights_new(&arena, 2, 9, 3, &w));
	static const uint32_t bones[] = {4, 2, 7, 1, 8, 3};
	static const double values[] = {0.2, 0.5, 0.2, 0.1, 0.2, 0.5};
	for (size_t i = 0; i < 6; i++) ossai_bone_weights_keep(&w, 1, bones[i], values[i]);
	assert_int_equal(w.count[0], 0);
	assert_int_equal(w.count[1], 3);
	static const uint32_t kept[] = {2, 3, 4};
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(w.bone[3 + i], kept[i]);
		assert_true(w.value[3 + i] == (i < 2 ? 0.5 : 0.2));
	}
	/* whatever the order in which they come */
	for (size_t i = 6; i-- > 0;) ossai_bone_weights_keep(&w, 0, bones[i], values[i]);
	for (size_t i = 0; i < 3; i++) assert_int_equal(w.bone[i], kept[i]);
	/* all at once: their sum is 1, and rounding errors are removed */
	ossai_bone_weights_take(&w, 0, 6, bones, values);
	for (size_t i = 0; i < 3; i++) assert_int_equal(w.bone[i], kept[i]);
	assert_near(w.value[0] + w.value[1] + w.value[2], 1, 1e-15);
	static const uint32_t two[] = {7, 5};
	static const double shares[] = {1e-6, 0.5};
	ossai_bone_weights_take(&w, 0, 2, two, shares);
	assert_int_equal(w.count[0], 1);
	assert_int_equal(w.bone[0], 5);
	assert_true(w.value[0] == 1);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_largest_are_kept_in_order)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
