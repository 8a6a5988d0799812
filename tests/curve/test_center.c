/* tests/curve/test_center.c: centering of curves: displaced bones of creatures, bent tubes,
   failing memory. */
#include "curve/center.h"
#include "support/curves.h"
#include "support/support.h"
#include "query/clearance.h"

static const ossa_sample_kind KINDS[] = {
	OSSA_SAMPLE_TUBE, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_SNAKE};

/* the share of points along all edges that are inside */
static double share_inside(const ossai_clearance *clearance, const ossai_curve *curve)
{
	enum { STEPS = 8 };
	size_t inside = 0;
	for (size_t e = 0; e < curve->edge_count; e++) {
		for (int i = 0; i < STEPS; i++) {
			const ossai_vec3 a = curve->node[curve->edge[2 * e]], b = curve->node[curve->edge[2 * e + 1]];
			inside += ossai_clearance_inside(clearance, ossai_lerp(a, b, i / (STEPS - 1.0)));
		}
	}
	return (double)inside / (double)(STEPS * curve->edge_count);
}

static void shaken_creatures_are_brought_inside(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
		test_creature creature = test_creature_make(1, KINDS[k], 4000, 1);
		ossai_arena *arena = &creature.t.arena;
		const ossai_proxy proxy = test_proxy_of(arena, &creature.t.s);
		ossai_curve curve = test_curve_of_creature(arena, &creature, &proxy, 0.03, 0.03);
		ossai_clearance clearance;
		const ossai_mesh_view mesh = ossai_proxy_view(&proxy);
		assert_ok(creature.t.context, ossai_clearance_make(arena, &mesh, true, &clearance));
		const double before = share_inside(&clearance, &curve);
		size_t outside = 99;
		assert_ok(creature.t.context, ossai_curve_center(arena, &proxy, &clearance, &curve, &outside));
		const double after = share_inside(&clearance, &curve);
		if (!(after >= 0.99)) print_message("kind %d: %.3f inside, before %.3f\n", (int)KINDS[k], after, before);
		assert_int_equal(outside, 0);
		assert_true(after >= 0.99);
		assert_true(test_curve_count(&curve, 1) > 0);
		test_creature_end(&creature);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(shaken_creatures_are_brought_inside)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
