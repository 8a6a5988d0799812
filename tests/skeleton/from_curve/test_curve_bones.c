/* tests/skeleton/from_curve/test_curve_bones.c: bones from curves: along creatures' true limbs,
   and literal ones; their number, symmetry, tips. */
#include "skeleton/from_curve/curve_bones.h"

#include "curve/center.h"
#include "curve/tree.h"
#include "support/curves.h"
#include "support/proxies.h"
#include "support/support.h"
#include "query/clearance.h"

#include <stdlib.h>
#include <string.h>

/* A creature as far as its curve. */
typedef struct made {
	test_creature creature;
	ossai_proxy proxy;
	ossai_curve curve;
	ossai_mirror mirror;
	uint32_t root;
	ossai_curve_bones bones;
} made;

static made make_curve(ossa_sample_kind kind)
{
	made m = {.creature = test_creature_make(1, kind, 4000, 1)};
	ossai_arena *arena = &m.creature.t.arena;
	ossa_context *context = m.creature.t.context;
	m.proxy = test_proxy_of(arena, &m.creature.t.s);
	m.curve = test_curve_of_creature(arena, &m.creature, &m.proxy, 0.02, 0);
	ossai_clearance clearance;
	const ossai_mesh_view mesh = ossai_proxy_view(&m.proxy);
	assert_ok(context, ossai_clearance_make(arena, &mesh, true, &clearance));
	assert_ok(context, ossai_curve_center(arena, &m.proxy, &clearance, &m.curve, NULL));
	assert_ok(context, ossai_curve_cut_loops(arena, &m.curve));
	assert_ok(context, ossai_curve_central_node(arena, &m.curve, &m.root));
	assert_ok(context, ossai_mirror_find(arena, &m.proxy, &clearance, &m.mirror));
	return m;
}

static void place(made *m, size_t bones, ossa_symmetry_kind symmetry)
{
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = bones;
	options.symmetry = symmetry;
	assert_ok(m->creature.t.context,
		ossai_curve_bones_place(&m->creature.t.arena, &m->proxy, &m->curve, m->root, &m->mirror, &options, &m->bones));
}

static bool is_leaf(const ossai_curve_bones *bones, uint32_t bone)
{
	for (size_t c = 0; c < bones->tree.bone_count; c++) {
		if (bones->tree.parent[c] == bone) return false;
	}
	return true;
}

static size_t leaves_of(const ossai_curve_bones *bones)
{
	size_t leaves = 0;
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) leaves += is_leaf(bones, b);
	return leaves;
}

/* a tree whose bones are all there, and vertices that have one each */
static void check_sound(const made *m)
{
	const ossai_curve_bones *bones = &m->bones;
	size_t roots = 0;
	for (uint32_t b = 0; b < bones->tree.bone_count; b++) {
		roots += bones->tree.parent[b] == OSSA_NONE;
		assert_true(bones->tree.parent[b] == OSSA_NONE || bones->tree.parent[b] < bones->tree.bone_count);
		assert_true(bones->tree.order[b] < bones->tree.bone_count);
		assert_true(isfinite(ossai_length2(bones->joint[b])) && isfinite(ossai_length2(bones->tail[b])));
		assert_true(ossai_distance(bones->joint[b], bones->tail[b]) > 1e-6);
		const uint32_t other = bones->mirrored[b];
		if (other != OSSA_NONE) assert_int_equal(bones->mirrored[other], b);
	}
	assert_int_equal(roots, 1);
	for (size_t v = 0; v < m->curve.vertex_count; v++) assert_true(bones->bone_of_vertex[v] < bones->tree.bone_count);
}

/* how far the nearest leaf's tail is from the creature's true tips, at most */
static double worst_tip(const made *m)
{
	double worst = 0;
	for (uint32_t b = 0; b < m->creature.tree.bone_count; b++) {
		bool is_tip = true;
		for (size_t c = 0; c < m->creature.tree.bone_count; c++) is_tip = is_tip && m->creature.tree.parent[c] != b;
		if (!is_tip) continue;
		double nearest = INFINITY;
		for (uint32_t o = 0; o < m->bones.tree.bone_count; o++) {
			if (is_leaf(&m->bones, o)) nearest = fmin(nearest, ossai_distance(m->bones.tail[o], m->creature.tail[b]));
		}
		worst = fmax(worst, nearest);
	}
	return worst;
}

static const struct {
	ossa_sample_kind kind;
	size_t leaves;
} CASES[] = {{OSSA_SAMPLE_OCTOPUS, 8}, {OSSA_SAMPLE_QUADRUPED, 6}, {OSSA_SAMPLE_HAND, 5}, {OSSA_SAMPLE_BIPED, 5}};

static void creatures_have_a_chain_for_each_limb(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
		made m = make_curve(CASES[k].kind);
		place(&m, 0, OSSA_SYMMETRY_DETECT);
		check_sound(&m);
		assert_int_equal(leaves_of(&m.bones), CASES[k].leaves);
		assert_true(worst_tip(&m) < 0.05);
		/* about as many as the creature has */
		assert_true(m.bones.tree.bone_count >= m.creature.tree.bone_count / 2);
		assert_true(m.bones.tree.bone_count <= m.creature.tree.bone_count * 3);
		ossai_clearance clearance;
		const ossai_mesh_view mesh = ossai_proxy_view(&m.proxy);
		assert_ok(m.creature.t.context, ossai_clearance_make(&m.creature.t.arena, &mesh, true, &clearance));
		for (size_t b = 0; b < m.bones.tree.bone_count; b++) assert_true(ossai_clearance_inside(&clearance, m.bones.joint[b]));
		test_creature_end(&m.creature);
	}
}

static void as_many_as_wanted(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
		made m = make_curve(CASES[k].kind);
		static const size_t wanted[] = {1, 2, 3, 5, 9, 10, 17, 24, 31, 60};
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
			place(&m, wanted[i], OSSA_SYMMETRY_OFF);
			check_sound(&m);
			assert_int_equal(m.bones.tree.bone_count, wanted[i]);
		}
		assert_no_warnings(m.creature.t.context);
		/* far more than fit */
		place(&m, 5000, OSSA_SYMMETRY_OFF);
		check_sound(&m);
		assert_true(m.bones.tree.bone_count < 5000);
		assert_int_equal(test_warned(m.creature.t.context, "fewer-bones"), 5000 - (int64_t)m.bones.tree.bone_count);
		test_creature_end(&m.creature);
	}
}

static void symmetric_shapes_have_symmetric_bones(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_OCTOPUS};
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		made m = make_curve(kinds[k]);
		for (size_t wanted = 0; wanted <= 30; wanted += 6) {
			place(&m, wanted, OSSA_SYMMETRY_DETECT);
			check_sound(&m);
			assert_true(wanted == 0 || m.bones.tree.bone_count + 1 >= wanted);
			assert_true(wanted == 0 || m.bones.tree.bone_count <= wanted);
			size_t without = 0, uneven = 0;
			for (uint32_t b = 0; b < m.bones.tree.bone_count; b++) {
				const uint32_t other = m.bones.mirrored[b];
				without += other == OSSA_NONE;
				if (other == OSSA_NONE) continue;
				/* nearly symmetric bones become symmetric; others stay as in the curve */
				const double apart = ossai_distance(ossai_mirror_point(&m.mirror, m.bones.joint[b]), m.bones.joint[other]);
				assert_true(apart < 0.02);
				uneven += apart > 1e-9;
				const uint32_t parent = m.bones.tree.parent[b];
				if (parent != OSSA_NONE && m.bones.mirrored[parent] != OSSA_NONE) {
					assert_int_equal(m.bones.tree.parent[other], m.bones.mirrored[parent]);
				}
			}
			assert_true(without <= 2);
			assert_true(uneven <= m.bones.tree.bone_count / 8);
		}
		test_creature_end(&m.creature);
	}
}

/* one arm's nodes are given to the body: enforced, there are two again */
static void a_lost_limb_comes_back_where_symmetry_is_enforced(void **state)
{
	(void)state;
	made m = make_curve(OSSA_SAMPLE_BIPED);
	ossai_arena *arena = &m.creature.t.arena;
	/* the leaf farthest on the positive side */
	uint32_t *into = ossai_arena_new(arena, m.curve.node_count, sizeof *into), *start, *neighbor;
	assert_ok(m.creature.t.context, ossai_curve_neighbors(arena, &m.curve, &start, &neighbor));
	uint32_t leaf = 0, from = OSSA_NONE;
	for (uint32_t i = 0; i < m.curve.node_count; i++) {
		into[i] = i;
		const double off = ossai_dot(m.mirror.normal, m.curve.node[i]) - ossai_dot(m.mirror.normal, m.curve.node[leaf]);
		if (start[i + 1] - start[i] == 1 && (start[leaf + 1] - start[leaf] != 1 || off > 0)) leaf = i;
	}
	uint32_t at = leaf;
	while (start[at + 1] - start[at] < 3) {
		const uint32_t next = neighbor[start[at]] != from ? neighbor[start[at]] : neighbor[start[at] + 1];
		from = at;
		at = next;
	}
	for (uint32_t node = leaf, before = OSSA_NONE; node != at;) {
		into[node] = at;
		const uint32_t next = neighbor[start[node]] != before ? neighbor[start[node]] : neighbor[start[node] + 1];
		before = node;
		node = next;
	}
	assert_ok(m.creature.t.context, ossai_curve_merge(arena, into, &m.curve));
	assert_ok(m.creature.t.context, ossai_curve_central_node(arena, &m.curve, &m.root));
	place(&m, 0, OSSA_SYMMETRY_DETECT);
	assert_int_equal(leaves_of(&m.bones), 4);
	place(&m, 0, OSSA_SYMMETRY_ENFORCE);
	check_sound(&m);
	assert_int_equal(leaves_of(&m.bones), 5);
	size_t *vertices = calloc(m.bones.tree.bone_count, sizeof *vertices);
	for (size_t v = 0; v < m.curve.vertex_count; v++) vertices[m.bones.bone_of_vertex[v]]++;
	for (uint32_t b = 0; b < m.bones.tree.bone_count; b++) {
		const uint32_t other = m.bones.mirrored[b];
		assert_int_not_equal(other, OSSA_NONE);
		assert_near_vec3(ossai_mirror_point(&m.mirror, m.bones.joint[b]), m.bones.joint[other], 1e-9);
		/* the limb that came back has the skin that its image has, or nearly */
		if (other != b) assert_true(labs((long)vertices[b] - (long)vertices[other]) <= 3 + (long)vertices[b] / 5);
	}
	free(vertices);
	test_creature_end(&m.creature);
}

/* ---- literal curves ---- */

static ossa_status place_literal(ossai_arena *arena, ossai_curve *curve, uint32_t root, size_t wanted, ossai_curve_bones *bones)
{
	ossai_proxy proxy = {.edge_length = 0.1};
	ossai_mirror mirror = {.exists = false};
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.bones = wanted;
	return ossai_curve_bones_place(arena, &proxy, curve, root, &mirror, &options, bones);
}

static void literal_curves(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const double nodes[] = {0, 0, 0, 0.4, 0, 0, -0.4, 0, 0, 0, 0.4, 0, 0.2, 0, 0};
	const uint32_t star[] = {0, 4, 1, 4, 0, 2, 0, 3}, path[] = {0, 4, 1, 4, 0, 2}, cycle[] = {0, 1, 1, 3, 0, 3};
	ossai_curve_bones bones;
	/* a point, a stub, a path from its center and from its end, a star */
	ossai_curve curve = test_curve_literal(&arena, 1, nodes, 0, star);
	assert_ok(context, place_literal(&arena, &curve, 0, 0, &bones));
	assert_int_equal(bones.tree.bone_count, 1);
	curve = test_curve_literal(&arena, 5, nodes, 4, star);
	assert_ok(context, place_literal(&arena, &curve, 0, 0, &bones));
	assert_int_equal(leaves_of(&bones), 3);
	assert_true(ossai_length(bones.joint[0]) == 0);
	for (size_t b = 1; b < bones.tree.bone_count; b++) assert_true(ossai_length(bones.joint[b]) >= 0.05 - 1e-9);
	/* without the arm that the path has not: node 3 is a piece of its own */
	curve = test_curve_literal(&arena, 5, nodes, 3, path);
	assert_ok(context, ossai_curve_cut_loops(&arena, &curve));
	assert_ok(context, place_literal(&arena, &curve, 1, 4, &bones));
	assert_int_equal(bones.tree.bone_count, 4);
	/* no tree, and nothing at all */
	curve = test_curve_literal(&arena, 4, nodes, 3, cycle);
	assert_fails(context, place_literal(&arena, &curve, 0, 0, &bones), OSSA_ERROR_INPUT, "no tree");
	curve = test_curve_literal(&arena, 4, nodes, 2, cycle);
	assert_fails(context, place_literal(&arena, &curve, 0, 0, &bones), OSSA_ERROR_INPUT, "no tree");
	curve = test_curve_literal(&arena, 0, nodes, 0, star);
	assert_fails(context, place_literal(&arena, &curve, 0, 0, &bones), OSSA_ERROR_INPUT, "no nodes");
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a bar's ends are flat: the bones end at their centers, not at a corner */
static void ends_lie_in_the_middle_of_flat_caps(void **state)
{
	(void)state;
	enum { NODES = 9 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy bar = test_blocks(&arena, NODES, 1, "#########", 4);
	ossai_vec3 low = ossai_v3(INFINITY, INFINITY, INFINITY), high = ossai_v3(-INFINITY, -INFINITY, -INFINITY);
	for (size_t v = 0; v < bar.vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(bar.positions + 3 * v);
		low = ossai_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
		high = ossai_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
	}
	/* a node in the middle of each block; at one end its neighbour's is a little off, and the limb
	   tilted */
	const double side = (high.x - low.x) / NODES;
	double nodes[3 * NODES];
	uint32_t edges[2 * (NODES - 1)];
	for (uint32_t i = 0; i < NODES; i++) {
		nodes[3 * i] = low.x + (i + 0.5) * side;
		nodes[3 * i + 1] = (low.y + high.y) / 2 + (i == 1 ? 0.05 * side : 0);
		nodes[3 * i + 2] = (low.z + high.z) / 2;
		if (i > 0) edges[2 * i - 2] = i - 1;
		if (i > 0) edges[2 * i - 1] = i;
	}
	ossai_curve curve = test_curve_literal(&arena, NODES, nodes, NODES - 1, edges);
	curve.vertex_count = bar.vertex_count;
	curve.node_of_vertex = ossai_arena_new(&arena, bar.vertex_count, sizeof *curve.node_of_vertex);
	for (size_t v = 0; v < bar.vertex_count; v++) {
		const double at = floor((bar.positions[3 * v] - low.x) / side);
		curve.node_of_vertex[v] = (uint32_t)fmin(fmax(at, 0), NODES - 1);
	}
	for (uint32_t i = 0; i < NODES; i++) curve.radius[i] = side / 2;
	const ossai_mirror mirror = {.exists = false};
	const ossai_curve_bones_options options = ossai_curve_bones_default();
	ossai_curve_bones bones;
	assert_ok(context, ossai_curve_bones_place(&arena, &bar, &curve, NODES / 2, &mirror, &options, &bones));
	double ends[2] = {INFINITY, -INFINITY};
	for (size_t b = 0; b < bones.tree.bone_count; b++) {
		const ossai_vec3 tail = bones.tail[b];
		assert_true(hypot(tail.y - (low.y + high.y) / 2, tail.z - (low.z + high.z) / 2) < 0.15 * side);
		ends[0] = fmin(ends[0], tail.x);
		ends[1] = fmax(ends[1], tail.x);
	}
	assert_true(ends[0] < low.x + 0.2 * side && ends[1] > high.x - 0.2 * side);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a bent limb has a joint in its bend */
static void a_bend_has_a_joint(void **state)
{
	(void)state;
	enum { NODES = 41 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double nodes[3 * (NODES + 2)] = {0};
	uint32_t edges[2 * (NODES + 1)];
	/* along x, then at 0.2 off by 60 degrees; two short arms at the beginning make it a limb */
	for (int i = 0; i < NODES; i++) {
		const double s = 0.5 * i / (NODES - 1.0);
		nodes[3 * i] = s < 0.2 ? s : 0.2 + (s - 0.2) * 0.5;
		nodes[3 * i + 1] = s < 0.2 ? 0 : (s - 0.2) * 0.866;
		edges[2 * i] = (uint32_t)i;
		edges[2 * i + 1] = (uint32_t)i + 1;
	}
	for (int k = 0; k < 2; k++) {
		nodes[3 * (NODES + k)] = -0.2;
		nodes[3 * (NODES + k) + 2] = k ? 0.2 : -0.2;
		edges[2 * (NODES - 1 + k)] = 0;
		edges[2 * (NODES - 1 + k) + 1] = (uint32_t)(NODES + k);
	}
	ossai_curve curve = test_curve_literal(&arena, NODES + 2, nodes, NODES + 1, edges);
	ossai_curve_bones bones;
	assert_ok(context, place_literal(&arena, &curve, 0, 0, &bones));
	double nearest = INFINITY;
	for (size_t b = 0; b < bones.tree.bone_count; b++)
		nearest = fmin(nearest, ossai_distance(bones.joint[b], ossai_v3(0.2, 0, 0)));
	assert_true(nearest < 0.03);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a rope has the most that a chain gets, whatever its length; two mirrored ends get none or two */
static void why_there_are_fewer(void **state)
{
	(void)state;
	enum { NODES = 401 };
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	double nodes[3 * NODES] = {0};
	uint32_t edges[2 * (NODES - 1)];
	for (int i = 0; i < NODES; i++) nodes[3 * i] = i;
	for (uint32_t i = 0; i + 1 < NODES; i++) {
		edges[2 * i] = i;
		edges[2 * i + 1] = i + 1;
	}
	ossai_curve curve = test_curve_literal(&arena, NODES, nodes, NODES - 1, edges);
	ossai_curve_bones bones;
	assert_ok(context, place_literal(&arena, &curve, 0, 60, &bones));
	assert_true(bones.tree.bone_count < 60);
	assert_int_equal(test_warned(context, "fewer-bones"), 60 - (int64_t)bones.tree.bone_count);
	assert_non_null(strstr(test_warning_text(context, "fewer-bones"), "the most bones that it can have"));
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* one side has more bones than the other: made both, they are not as many as were wanted */
static void enforced_symmetry_reports_that_it_changed_the_number(void **state)
{
	(void)state;
	made m = make_curve(OSSA_SAMPLE_HAND);
	ossa_context *context = m.creature.t.context;
	for (size_t wanted = 10; wanted < 30; wanted++) {
		ossa_context_reset(context);
		place(&m, wanted, OSSA_SYMMETRY_ENFORCE);
		const size_t count = m.bones.tree.bone_count;
		const int64_t off = count > wanted ? test_warned(context, "more-bones") : test_warned(context, "fewer-bones");
		assert_int_equal(off, count > wanted ? count - wanted : wanted - count);
		if (count > wanted) assert_non_null(strstr(test_warning_text(context, "more-bones"), "was mirrored"));
	}
	test_creature_end(&m.creature);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const made *m = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_curve curve = m->curve;
	ossai_curve_bones bones;
	ossai_curve_bones_options options = ossai_curve_bones_default();
	options.symmetry = OSSA_SYMMETRY_ENFORCE;
	const ossa_status status = ossai_curve_bones_place(&arena, &m->proxy, &curve, m->root, &m->mirror, &options, &bones);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	made m = make_curve(OSSA_SAMPLE_BIPED);
	assert_true(test_allocation_sweep(sweep, &m, 200, 10) > 20);
	test_creature_end(&m.creature);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(creatures_have_a_chain_for_each_limb),
		cmocka_unit_test(as_many_as_wanted), cmocka_unit_test(symmetric_shapes_have_symmetric_bones),
		cmocka_unit_test(a_lost_limb_comes_back_where_symmetry_is_enforced), cmocka_unit_test(literal_curves),
		cmocka_unit_test(ends_lie_in_the_middle_of_flat_caps), cmocka_unit_test(a_bend_has_a_joint),
		cmocka_unit_test(why_there_are_fewer), cmocka_unit_test(enforced_symmetry_reports_that_it_changed_the_number),
		cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
