/* tests/test_curve_bones.c: bones from curves: along creatures' true limbs, and literal ones. */
#include "skeleton/curve_bones.h"

#include "curve/center.h"
#include "curve/tree.h"
#include "support/curves.h"
#include "support/support.h"

typedef struct made {
	test_creature creature;
	ossai_proxy proxy;
	ossai_curve curve;
	ossai_mirror mirror;
	ossai_curve_bones bones;
} made;

static made make(ossa_sample_kind kind, const ossai_curve_bones_options *options)
{
	made m = {.creature = test_creature_make(1, kind, 4000, 1)};
	ossai_arena *arena = &m.creature.t.arena;
	ossa_context *context = m.creature.t.context;
	m.proxy = test_proxy_of(arena, &m.creature.t.s);
	m.curve = test_curve_of_creature(arena, &m.creature, &m.proxy, 0.02, 0);
	assert_ok(context, ossai_curve_center(arena, &m.proxy, &m.curve, NULL));
	assert_ok(context, ossai_curve_cut_loops(arena, &m.curve));
	assert_ok(context, ossai_mirror_find(arena, &m.proxy, &m.mirror));
	assert_ok(
		context, ossai_curve_bones_place(arena, &m.proxy, &m.curve, ossai_curve_root(&m.curve), &m.mirror, options, &m.bones));
	return m;
}

static size_t leaves_of(const ossai_curve_bones *bones)
{
	size_t leaves = 0;
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) {
		bool is_leaf = true;
		for (size_t c = 0; c < bones->tree.bone_count; c++) is_leaf = is_leaf && bones->tree.parent[c] != b;
		leaves += is_leaf;
	}
	return leaves;
}

static void creatures_have_a_chain_for_each_limb(void **state)
{
	(void)state;
	const struct {
		ossa_sample_kind kind;
		size_t leaves;
	} cases[] = {{OSSA_SAMPLE_OCTOPUS, 8}, {OSSA_SAMPLE_QUADRUPED, 6}, {OSSA_SAMPLE_HAND, 5}, {OSSA_SAMPLE_BIPED, 5}};
	const ossai_curve_bones_options options = ossai_curve_bones_default();
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		made m = make(cases[k].kind, &options);
		size_t leaves = leaves_of(&m.bones), paired = 0;
		for (size_t b = 0; b < m.bones.tree.bone_count; b++) paired += m.bones.mirrored[b] != OSSA_NONE;
		print_message("kind %d: %zu bones, truth %zu, %zu leaves, mirror %d error %.4f, paired %zu\n", (int)cases[k].kind,
			m.bones.tree.bone_count, m.creature.tree.bone_count, leaves, m.mirror.exists, m.mirror.error, paired);
		assert_true(leaves >= cases[k].leaves);
		test_creature_end(&m.creature);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(creatures_have_a_chain_for_each_limb)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
