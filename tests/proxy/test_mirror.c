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
		assert_ok(t.context, ossai_mirror_find(&t.arena, &proxy, NULL, &mirror));
		assert_int_equal(mirror.exists, cases[k].exists);
		assert_near(ossai_length(mirror.normal), 1, 1e-12);
		if (mirror.exists) assert_true(mirror.error < 1e-3);
		else assert_true(mirror.error > 0.012);
		test_surface_end(&t);
	}
}

/* A box of these half sizes around the origin, as six sides of two triangles each. */
static ossai_proxy box_proxy(ossai_arena *arena, double x, double y, double z)
{
	static uint32_t triangles[] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	ossai_proxy proxy = {.vertex_count = 8, .face_count = 12, .triangles = triangles};
	proxy.positions = ossai_arena_new(arena, 8, 3 * sizeof *proxy.positions);
	assert_non_null(proxy.positions);
	for (uint32_t i = 0; i < 8; i++) {
		ossai_v3_store(ossai_v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z), proxy.positions + 3 * i);
	}
	return proxy;
}

/* The error of a plane across the box that is off its middle: half of the corners are reflected by
   twice that out of the box, half of them along its edges. */
static ossai_mirror measure_off(ossai_vec3 normal, double off, double half_size)
{
	test_curve_bench b = test_curve_begin();
	const ossai_proxy box = box_proxy(&b.arena, 0.5, 0.4, half_size);
	ossai_mirror mirror = {.normal = normal, .offset = off};
	assert_ok(b.context, ossai_mirror_measure(&b.arena, &box, NULL, &mirror));
	test_curve_end(&b);
	return mirror;
}

/* 1.2 % of the diagonal */
static void a_plane_is_no_farther_off_than_its_error_allows(void **state)
{
	(void)state;
	const ossai_mirror just = measure_off(ossai_v3(1, 0, 0), 0.0119, 0.3), off = measure_off(ossai_v3(1, 0, 0), 0.0121, 0.3);
	assert_near(just.error, 0.0119, 1e-6);
	assert_near(off.error, 0.0121, 1e-6);
	assert_true(just.exists && !off.exists);
}

/* 15 % of how far a flat shape extends across the plane: it is near its reflection in any plane
   along it */
static void a_flat_shape_has_a_plane_along_it_only_in_its_middle(void **state)
{
	(void)state;
	const double half = 0.02;
	const ossai_mirror just = measure_off(ossai_v3(0, 0, 1), 0.149 * half, half),
					   off = measure_off(ossai_v3(0, 0, 1), 0.151 * half, half);
	assert_near(just.error, 0.149 * half, 1e-6);
	assert_true(just.exists && !off.exists && off.error < 0.012);
}

/* what is farther off than 8 % of the diagonal counts as that far: a limb that is posed */
static void distances_are_clamped(void **state)
{
	(void)state;
	assert_near(measure_off(ossai_v3(1, 0, 0), 0.0399, 0.3).error, 0.0399, 1e-6);
	assert_near(measure_off(ossai_v3(1, 0, 0), 0.0401, 0.3).error, 0.04, 1e-6);
	assert_near(measure_off(ossai_v3(1, 0, 0), 0.2, 0.3).error, 0.04, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(creatures_have_their_plane),
		cmocka_unit_test(a_plane_is_no_farther_off_than_its_error_allows),
		cmocka_unit_test(a_flat_shape_has_a_plane_along_it_only_in_its_middle),
		cmocka_unit_test(distances_are_clamped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
