/* tests/proxy/test_mirror.c: planes of symmetry of creatures, rotated and posed, and of shapes
   without one. */
#include "support/curves.h"
#include "support/support.h"
#include "proxy/mirror.h"

static void creatures_have_their_plane(void **state)
{
	(void)state;
	const struct {
		ossa_sample_kind kind;
		bool exists;
	} cases[] = {
		{OSSA_SAMPLE_BIPED, true}, {OSSA_SAMPLE_QUADRUPED, true}, {OSSA_SAMPLE_OCTOPUS, true}, {OSSA_SAMPLE_HAND, false}};
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		test_surface t = test_surface_sample(1, cases[k].kind, 3000, 1);
		const ossai_proxy proxy = test_proxy_of(&t.arena, &t.s);
		ossai_mirror mirror;
		assert_ok(t.context, ossai_mirror_find(&t.arena, &proxy, &mirror));
		assert_int_equal(mirror.exists, cases[k].exists);
		assert_near(ossai_length(mirror.normal), 1, 1e-12);
		if (mirror.exists) assert_true(mirror.error < 1e-3);
		else assert_true(mirror.error > 0.012);
		test_surface_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(creatures_have_their_plane)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
