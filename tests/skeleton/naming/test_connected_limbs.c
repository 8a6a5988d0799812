/* tests/skeleton/naming/test_connected_limbs.c: the likeliest limbs of a tree of bones, against all
   that there are. */
#include "skeleton/naming/connected_limbs.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <math.h>

enum { BONES = 6, LIMBS = 3, ALL = 729 /* LIMBS to the power of BONES */ };

/* 0 .. 1 */
static double chance(uint64_t *state) { return test_random(state) / 2 + 0.5; }

static double total(const ossa_skeleton *skeleton, const ossai_limb_graph *limbs, const uint32_t *above, const uint32_t *limb)
{
	double sum = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		sum += limbs->odds[b * LIMBS + limb[b]];
		if (above[b] == OSSA_NONE || limb[above[b]] == limb[b]) continue;
		sum += limbs->begins[limb[above[b]] * LIMBS + limb[b]] ? 0 : OSSAI_LIMB_CROSSING;
	}
	return sum;
}

/* the bone nearer to the hips, by looking for the way there */
static uint32_t find_above(const ossa_skeleton *skeleton, uint32_t hips, uint32_t bone)
{
	if (bone == hips) return OSSA_NONE;
	for (int32_t b = (int32_t)hips; b >= 0; b = skeleton->bones[b].parent) {
		if (skeleton->bones[b].parent == (int32_t)bone) return (uint32_t)b;
	}
	/* where the hips are below the bone, the child that leads there was found above */
	return (uint32_t)skeleton->bones[bone].parent;
}

static double best_of_all(const ossa_skeleton *skeleton, const ossai_limb_graph *limbs, uint32_t hips)
{
	uint32_t above[BONES], limb[BONES];
	double best = -INFINITY;
	for (uint32_t b = 0; b < BONES; b++) above[b] = find_above(skeleton, hips, b);
	for (uint32_t code = 0; code < ALL; code++) {
		for (uint32_t b = 0, left = code; b < BONES; b++, left /= LIMBS) limb[b] = left % LIMBS;
		best = fmax(best, total(skeleton, limbs, above, limb));
	}
	return best;
}

static void they_are_the_likeliest_of_all(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint64_t random = 5;
	for (int round = 0; round < 200; round++) {
		ossa_bone bones[BONES] = {{.parent = -1}};
		bool begins[LIMBS * LIMBS];
		double odds[BONES * LIMBS];
		uint32_t limb[BONES], above[BONES];
		for (int b = 1; b < BONES; b++) bones[b].parent = (int32_t)(chance(&random) * b);
		for (int i = 0; i < LIMBS * LIMBS; i++) begins[i] = chance(&random) < 0.4;
		for (int i = 0; i < BONES * LIMBS; i++) odds[i] = -5 * chance(&random);
		const uint32_t hips = (uint32_t)(chance(&random) * BONES);
		const ossa_skeleton skeleton = {BONES, bones};
		const ossai_limb_graph limbs = {LIMBS, begins, odds};
		assert_ok(context, ossai_connected_limbs_find(context, &skeleton, hips, &limbs, limb));
		for (uint32_t b = 0; b < BONES; b++) above[b] = find_above(&skeleton, hips, b);
		assert_near(total(&skeleton, &limbs, above, limb), best_of_all(&skeleton, &limbs, hips), 1e-9);
	}
	test_context_end(context);
}

/* a bone between thigh and calf is of the leg, whatever its skin; hips below a thigh are the tree's
   fault */
static void a_limb_is_connected(void **state)
{
	(void)state;
	enum { TRUNK, LEG };
	ossa_context *context = test_context(1);
	ossa_bone bones[4] = {{.parent = -1}, {.parent = 0}, {.parent = 1}, {.parent = 2}};
	const ossa_skeleton skeleton = {4, bones};
	const bool begins[4] = {[TRUNK * 2 + LEG] = true};
	const double mixed[8] = {0, -4, -4, 0, -0.4, -1.8, -4, 0}, clear[8] = {0, -4, -4, 0, 0, -4, -4, 0};
	const uint32_t leg[4] = {TRUNK, LEG, LEG, LEG}, crossed[4] = {TRUNK, LEG, TRUNK, LEG};
	ossai_limb_graph limbs = {2, begins, mixed};
	uint32_t limb[4];
	assert_ok(context, ossai_connected_limbs_find(context, &skeleton, 0, &limbs, limb));
	assert_memory_equal(limb, leg, sizeof limb);
	limbs.odds = clear;
	assert_ok(context, ossai_connected_limbs_find(context, &skeleton, 0, &limbs, limb));
	assert_memory_equal(limb, crossed, sizeof limb);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_the_likeliest_of_all), cmocka_unit_test(a_limb_is_connected)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
