/* tests/medial/test_skeletal_graph.c: splits against a plain recursion, branchings joined, narrowings, mirrored chains, trees of nothing. */
#include "medial/skeletal_graph.h"

#include "support/path_trees.h"
#include "medial/narrowing.h"

#include <ossa/mesh.h>
#include <stdlib.h>
#include <string.h>

typedef struct made {
	ossa_context *context;
	ossai_arena arena;
	test_path_tree t;
	ossai_skeletal_graph graph;
} made;

static made *begin(ossai_vec3 at, double radius, double heart_radius)
{
	made *m = calloc(1, sizeof *m);
	m->context = test_context(1);
	m->arena = ossai_arena_begin(m->context);
	test_path_begin(&m->t, at, radius, heart_radius);
	return m;
}

static void end(made *m)
{
	ossai_arena_end(&m->arena);
	test_context_end(m->context);
	free(m);
}

/* what must hold of every graph */
static void check_sound(const made *m)
{
	const ossai_skeletal_graph *g = &m->graph;
	const size_t nodes = m->t.tree.node_count;
	size_t *before = calloc(nodes, sizeof *before), vertices = 0;
	before[0] = 1;
	for (size_t e = 0; e < g->edge_count; e++) {
		/* a tree, parents first */
		assert_true(g->edge[2 * e] < nodes && g->edge[2 * e + 1] < nodes);
		assert_int_equal(before[g->edge[2 * e]], 1);
		assert_int_equal(before[g->edge[2 * e + 1]]++, 0);
		assert_true(isfinite(g->error[e]) && g->error[e] >= 0);
		assert_int_equal(g->edge_of_node[g->edge[2 * e + 1]], e);
		assert_int_equal(g->vertex_of_node[g->edge[2 * e]], g->edge[2 * e]);
	}
	for (size_t i = 0; i < nodes; i++) {
		vertices += g->vertex_of_node[i] == i;
		if (g->edge_count > 0) assert_true(g->edge_of_node[i] < g->edge_count);
		if (g->vertex_of_node[i] != OSSA_NONE) assert_int_equal(g->vertex_of_node[g->vertex_of_node[i]], g->vertex_of_node[i]);
	}
	assert_int_equal(vertices, g->edge_count + 1);
	free(before);
}

static void make(made *m, const ossai_mirror *mirror, const ossai_skeletal_options *options)
{
	assert_ok(m->context, ossai_skeletal_graph_make(&m->arena, &m->t.tree, mirror, options, &m->graph));
	check_sound(m);
}

static bool is_vertex(const made *m, uint32_t node) { return m->graph.vertex_of_node[node] == node; }

/* ---- the paper ---- */

/* marks where a way from node `a` down to node `b` is split, by the paper's rule */
static void split_plainly(const made *m, const ossai_skeletal_options *o, const uint32_t *way, size_t count, uint8_t *vertex)
{
	const ossai_vec3 *p = m->t.node;
	double length = 0, worst = -1, middle = INFINITY;
	size_t at = 0;
	for (size_t i = 1; i < count; i++) length += ossai_distance(p[way[i - 1]], p[way[i]]);
	double arc = 0;
	for (size_t i = 1; i + 1 < count; i++) {
		arc += ossai_distance(p[way[i - 1]], p[way[i]]);
		const ossai_vec3 from = p[way[0]], line = ossai_sub(p[way[count - 1]], from);
		double t = ossai_dot(ossai_sub(p[way[i]], from), line) / ossai_length2(line);
		t = fmin(fmax(t, 0), 1);
		const double error = ossai_distance(ossai_madd(from, t, line), p[way[i]]), off = fabs(arc - length / 2);
		if (error < worst - 1e-12 || (error < worst + 1e-12 && off >= middle)) continue;
		worst = error;
		middle = off;
		at = i;
	}
	const double heart = m->t.tree.heart_radius;
	if (at == 0 || length < o->min_fraction * heart) return;
	if (!(length > o->max_fraction * heart) && !(worst > o->tolerance * heart)) return;
	vertex[way[at]] = 1;
	split_plainly(m, o, way, at + 1, vertex);
	split_plainly(m, o, way + at, count - at, vertex);
}

static void splits_are_those_of_a_plain_recursion(void **state)
{
	(void)state;
	uint32_t random = 7;
	for (int run = 0; run < 60; run++) {
		made *m = begin(ossai_v3(0, 0, 0), 0.1, 0.4 + (double)(run % 7) / 5);
		/* a crooked way */
		for (uint32_t i = 0; i < 90; i++) {
			const double x = (test_random_bits(&random) % 1000) / 1e3 - 0.5, y = (test_random_bits(&random) % 1000) / 1e3 - 0.5;
			test_path_to(&m->t, i, ossai_add(m->t.node[i], ossai_v3(0.02, x * 0.03, y * 0.03)), 1, 0.1);
		}
		ossai_skeletal_options options = ossai_skeletal_options_default();
		options.tolerance = 0.002 * (run % 10);
		options.min_fraction = 0.02 * (run % 6);
		make(m, NULL, &options);
		uint8_t vertex[91] = {0};
		uint32_t way[91];
		for (uint32_t i = 0; i < 91; i++) way[i] = i;
		vertex[0] = vertex[90] = 1;
		split_plainly(m, &options, way, 91, vertex);
		for (uint32_t i = 0; i < 91; i++) assert_int_equal(is_vertex(m, i), vertex[i]);
		end(m);
	}
}

/* a stretch that is bent by `height` */
static uint32_t bend(made *m, uint32_t from, double x, double height)
{
	const ossai_vec3 at = m->t.node[from];
	const uint32_t top = test_path_to(&m->t, from, ossai_add(at, ossai_v3(x / 2, height, 0)), 10, 0.01);
	return test_path_to(&m->t, top, ossai_add(at, ossai_v3(x, 0, 0)), 10, 0.01);
}

static void the_worst_of_all_goes_first(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.01, 1);
	/* two arms of one branching, the second bent the most, and a third that is too short */
	const uint32_t branching = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 20, 0.01);
	bend(m, branching, 1, 0.2);
	const uint32_t second = bend(m, branching, -1, 0.3) - 10;
	const uint32_t stub = test_path_to(&m->t, branching, ossai_v3(1, 0, 0.09), 8, 0.01);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	for (options.segments = 1; options.segments < 12; options.segments++) {
		make(m, NULL, &options);
		assert_int_equal(m->graph.edge_count, options.segments < 4 ? 4 : options.segments);
		assert_int_equal(is_vertex(m, second), options.segments > 4);
		assert_false(is_vertex(m, stub - 4));
		/* nested: splits come in the order in which more segments have them */
		uint32_t most = 0;
		for (size_t e = 0; e < m->graph.edge_count; e++) most = m->graph.order[e] > most ? m->graph.order[e] : most;
		assert_int_equal(most, m->graph.edge_count - 4);
	}
	end(m);
}

static void limits_of_length_hold(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.01, 1);
	uint32_t last = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 100, 0.01);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	make(m, NULL, &options);
	/* straight: quarters */
	assert_int_equal(m->graph.edge_count, 4);
	for (uint32_t i = 0; i <= 100; i++) assert_int_equal(is_vertex(m, i), i % 25 == 0);
	/* within the limits only where it errs */
	options.max_fraction = 1;
	make(m, NULL, &options);
	assert_int_equal(m->graph.edge_count, 1);
	last = test_path_to(&m->t, last, ossai_v3(1, 0.6, 0), 60, 0.01);
	options.max_fraction = 2;
	make(m, NULL, &options);
	assert_int_equal(m->graph.edge_count, 2);
	assert_true(is_vertex(m, 100));
	options.tolerance = 0.6;
	make(m, NULL, &options);
	assert_int_equal(m->graph.edge_count, 1);
	/* all of it */
	options = (ossai_skeletal_options){0};
	make(m, NULL, &options);
	assert_int_equal(m->graph.edge_count, 160);
	options.min_fraction = options.max_fraction = 5;
	make(m, NULL, &options);
	assert_int_equal(m->graph.edge_count, 1);
	(void)last;
	end(m);
}

/* ---- past the paper ---- */

static void branchings_in_one_ball_are_one(void **state)
{
	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		/* a hand: a wrist, a palm with a ball of 1, five fingers that leave it at different places */
		made *m = begin(ossai_v3(0, -4, 0), 0.4, 5);
		const uint32_t palm = test_path_to(&m->t, 0, ossai_v3(0, 0, 0), 20, 1);
		const uint32_t thumb = test_path_to(&m->t, palm - 2, ossai_v3(3, 0.5, 0), 20, 0.3);
		const uint32_t middle = test_path_to(&m->t, palm, ossai_v3(0, 0.8, 0), 4, 0.9);
		/* noise does not matter: a little in the ball or a little out of it */
		const double hair = turn == 0 ? 0.98 : 1.04;
		const uint32_t ring = test_path_to(&m->t, palm, ossai_v3(-0.6 * hair, 0.8 * hair, 0), 4, 0.6);
		test_path_to(&m->t, middle, ossai_v3(0, 4, 0), 20, 0.3);
		test_path_to(&m->t, middle, ossai_v3(1, 4, 0), 20, 0.3);
		test_path_to(&m->t, ring, ossai_v3(-1, 4, 0), 20, 0.3);
		test_path_to(&m->t, ring, ossai_v3(-2, 3, 0), 20, 0.3);
		ossai_skeletal_options options = ossai_skeletal_options_default();
		options.max_fraction = 10;
		options.tolerance = 10;
		make(m, NULL, &options);
		assert_int_equal(m->graph.edge_count, 9);
		options.refine = true;
		make(m, NULL, &options);
		assert_int_equal(m->graph.edge_count, 6);
		for (size_t e = 0; e < 6; e++) {
			assert_true(m->graph.edge[2 * e] == palm || m->graph.edge[2 * e + 1] == palm);
			assert_true(m->graph.edge[2 * e + 1] != thumb || m->graph.edge[2 * e] == palm);
		}
		assert_int_equal(m->graph.vertex_of_node[middle - 2], palm);
		assert_int_equal(m->graph.vertex_of_node[ring], palm);
		assert_int_equal(m->graph.edge_of_node[ring], m->graph.edge_of_node[palm]);
		end(m);
	}
}

static void branchings_apart_stay(void **state)
{
	(void)state;
	/* hips and shoulders: three radii apart; and a small branching well outside a large one's ball */
	made *m = begin(ossai_v3(-4, 0, 0), 0.3, 5);
	const uint32_t hips = test_path_to(&m->t, 0, ossai_v3(0, 0, 0), 20, 1);
	const uint32_t chest = test_path_to(&m->t, hips, ossai_v3(3, 0, 0), 20, 1);
	const uint32_t knot = test_path_to(&m->t, chest, ossai_v3(4.3, 0, 0), 10, 0.2);
	test_path_to(&m->t, hips, ossai_v3(0, -4, 0), 20, 0.3);
	test_path_to(&m->t, chest, ossai_v3(3, -4, 0), 20, 0.3);
	test_path_to(&m->t, knot, ossai_v3(6, 1, 0), 20, 0.2);
	test_path_to(&m->t, knot, ossai_v3(6, -1, 0), 20, 0.2);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	make(m, NULL, &options);
	assert_true(is_vertex(m, hips) && is_vertex(m, chest) && is_vertex(m, knot));
	end(m);
}

/* a limb of length 1 that swells to both sides of `narrow` */
static made *make_limb(double narrow, double waist)
{
	made *m = begin(ossai_v3(0, 0, 0), 0.1, 2);
	const uint32_t at = test_path_to(&m->t, 0, ossai_v3(narrow, 0, 0), (int)(100 * narrow), waist);
	test_path_to(&m->t, at, ossai_v3(1, 0, 0), 100 - (int)(100 * narrow), 0.1);
	return m;
}

static double only_split(const made *m)
{
	assert_int_equal(m->graph.edge_count, 2);
	return m->t.node[m->graph.edge[1]].x;
}

static void straight_limbs_part_where_they_narrow(void **state)
{
	(void)state;
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	options.segments = 2;
	static const struct {
		double narrow, waist, expected;
	} cases[] = {{0.4, 0.05, 0.4}, {0.62, 0.05, 0.62}, {0.4, 0.1, 0.5}, {0.1, 0.05, 0.5}, {0.9, 0.05, 0.5}, {0.4, 0.099, 0.5}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		made *m = make_limb(cases[i].narrow, cases[i].waist);
		make(m, NULL, &options);
		assert_near(only_split(m), cases[i].expected, 0.015);
		end(m);
	}
	/* a cone has no narrow place */
	made *m = begin(ossai_v3(0, 0, 0), 0.2, 2);
	test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 100, 0.05);
	make(m, NULL, &options);
	assert_near(only_split(m), 0.5, 0.015);
	end(m);
	/* what narrows a little more moves a little: no jump */
	double before = 0.5;
	for (double waist = 0.1; waist > 0.07; waist -= 0.0005) {
		m = make_limb(0.35, waist);
		make(m, NULL, &options);
		assert_near(only_split(m), before, 0.021);
		before = only_split(m);
		end(m);
	}
	assert_true(before < 0.37);
}

/* a little longer, one edge more, never twice as many */
static void straight_limbs_get_as_many_edges_as_they_need(void **state)
{
	(void)state;
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	size_t before = 1;
	for (int length = 5; length < 240; length++) {
		made *m = begin(ossai_v3(0, 0, 0), 0.1, 1);
		test_path_to(&m->t, 0, ossai_v3(0.01 * length, 0, 0), length, 0.1);
		make(m, NULL, &options);
		assert_in_range(m->graph.edge_count, before, before + 1);
		assert_int_equal(m->graph.edge_count, (size_t)ceil(0.01 * length / 0.3 - 1e-9));
		before = m->graph.edge_count;
		for (size_t e = 0; e < before; e++) {
			const ossai_vec3 *p = m->t.node;
			const double own = p[m->graph.edge[2 * e + 1]].x - p[m->graph.edge[2 * e]].x;
			assert_near(own, 0.01 * length / (double)before, 0.021);
		}
		end(m);
	}
}

static void climbing_is_that_of_a_plain_search(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t random = 3;
	for (int run = 0; run < 200; run++) {
		enum { COUNT = 40, REACH = 3 };
		double arc[COUNT], radius[COUNT], smooth[COUNT];
		for (int i = 0; i < COUNT; i++) {
			arc[i] = i;
			radius[i] = 1 + test_random_bits(&random) % 8;
		}
		for (int i = 0; i < COUNT; i++) {
			int reach = i < REACH ? i : REACH;
			reach = COUNT - 1 - i < reach ? COUNT - 1 - i : reach;
			double sum = 0;
			for (int k = i - reach; k <= i + reach; k++) sum += radius[k];
			smooth[i] = sum / (2 * reach + 1);
		}
		const double base = 0.3 + (run % 5) * 0.1, reach_of = 0.05 + (run % 3) * 0.1;
		double best = 0, at = base, narrow = 0;
		for (int i = 1; i + 1 < COUNT; i++) {
			const double share = i / (double)(COUNT - 1), off = fabs(share - base);
			double left = smooth[i], right = smooth[i];
			for (int k = i; k >= 0 && smooth[k] >= smooth[i]; k--) left = fmax(left, smooth[k]);
			for (int k = i; k < COUNT && smooth[k] >= smooth[i]; k++) right = fmax(right, smooth[k]);
			const double by = fmin(left, right) / smooth[i] - 1, worth = by * (1 - off);
			if (off > reach_of || !(worth > best)) continue;
			best = worth;
			at = share;
			narrow = by;
		}
		const double expected = base + fmin(fmax((narrow - 0.05) / 0.1, 0), 1) * (at - base);
		ossai_narrowing_room room;
		assert_ok(context, ossai_narrowing_room_make(&arena, COUNT, &room));
		assert_near(ossai_narrowing(&room, COUNT, arc, radius, base, reach_of), expected, 1e-12);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* a body with arms and legs whose sides differ a little; node 0 is a toe */
static made *make_body(double hair)
{
	made *m = begin(ossai_v3(-0.2, 0, 0), 0.04, 0.6);
	const uint32_t knee = test_path_to(&m->t, 0, ossai_v3(-0.15, 0.25, 0.03 + hair), 24, 0.05);
	const uint32_t hips = test_path_to(&m->t, knee, ossai_v3(0, 0.5, 0), 25, 0.12);
	const uint32_t chest = test_path_to(&m->t, hips, ossai_v3(0, 0.8, 0), 31, 0.13);
	test_path_to(&m->t, chest, ossai_v3(0, 1, 0), 20, 0.08);
	const uint32_t other = test_path_to(&m->t, hips, ossai_v3(0.15, 0.25, 0.03), 26, 0.05);
	test_path_to(&m->t, other, ossai_v3(0.2, 0, 0), 23, 0.04);
	test_path_to(&m->t, chest, ossai_v3(-0.5, 0.75 + hair, 0), 50, 0.03);
	test_path_to(&m->t, chest, ossai_v3(0.5, 0.75, 0), 47, 0.03);
	m->t.tree.heart = hips;
	return m;
}

static void mirrored_chains_are_split_alike(void **state)
{
	(void)state;
	const ossai_mirror mirror = {true, {1, 0, 0}, 0, 0, 0};
	for (int run = 0; run < 12; run++) {
		made *m = make_body(0.002 * run);
		ossai_skeletal_options options = ossai_skeletal_options_default();
		options.refine = true;
		/* so near to the limit that one side alone would be split */
		options.max_fraction = 0.3 + 0.02 * (run % 4);
		options.segments = run % 2 ? 0 : (size_t)(7 + run);
		const size_t wanted = options.segments;
		options.segments = 0;
		make(m, &mirror, &options);
		const size_t all = m->graph.edge_count;
		options.segments = wanted;
		make(m, &mirror, &options);
		size_t left = 0, right = 0;
		for (size_t e = 0; e < m->graph.edge_count; e++) {
			const ossai_vec3 at = m->t.node[m->graph.edge[2 * e + 1]];
			left += at.x < -0.01;
			right += at.x > 0.01;
			if (m->graph.order[e] == 0 || fabs(at.x) < 0.01) continue;
			/* its partner, made at the same time */
			double nearest = INFINITY;
			uint32_t order = OSSA_NONE;
			for (size_t o = 0; o < m->graph.edge_count; o++) {
				const double distance = ossai_distance(m->t.node[m->graph.edge[2 * o + 1]], ossai_v3(-at.x, at.y, at.z));
				if (distance >= nearest) continue;
				nearest = distance;
				order = m->graph.order[o];
			}
			assert_true(nearest < 0.03);
			assert_int_equal(order, m->graph.order[e]);
		}
		/* node 0 is no second vertex: it is the left one more */
		assert_int_equal(left + 1, right);
		if (options.segments > 0) assert_in_range(m->graph.edge_count, (wanted < all ? wanted : all) - 1, wanted);
		end(m);
	}
}

/* a thumb on one side alone: the arms up to the wrist, the legs, all else is alike */
static void a_tip_of_one_side_parts_no_pair(void **state)
{
	(void)state;
	const ossai_mirror mirror = {true, {1, 0, 0}, 0, 0, 0};
	made *m = begin(ossai_v3(0, -0.5, 0), 0.1, 0.6);
	const uint32_t chest = test_path_to(&m->t, 0, ossai_v3(0, 0, 0), 50, 0.15);
	const uint32_t left = test_path_to(&m->t, chest, ossai_v3(-0.5, 0, 0), 50, 0.03);
	const uint32_t right = test_path_to(&m->t, chest, ossai_v3(0.5, 0.01, 0), 47, 0.03);
	test_path_to(&m->t, left, ossai_v3(-0.6, 0, 0.1), 10, 0.03);
	test_path_to(&m->t, left, ossai_v3(-0.6, 0, -0.1), 10, 0.03);
	/* a hand of three on the other side: no end leads to the same ones */
	test_path_to(&m->t, right, ossai_v3(0.6, 0, 0.1), 10, 0.03);
	test_path_to(&m->t, right, ossai_v3(0.6, 0, -0.1), 10, 0.03);
	test_path_to(&m->t, right, ossai_v3(0.55, 0.12, 0), 10, 0.03);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	/* one edge more or less by the last digit of its length: the mean of both decides */
	for (int i = -4; i < 5; i++) {
		options.max_fraction = 0.5 / 3 / 0.6 * (1 + 0.0002 * i);
		make(m, &mirror, &options);
		size_t arms[2] = {0};
		for (size_t e = 0; e < m->graph.edge_count; e++) {
			const uint32_t node = m->graph.edge[2 * e + 1];
			arms[0] += node > chest && node < left;
			arms[1] += node > left && node < right;
		}
		assert_int_equal(arms[0], arms[1]);
		assert_true(arms[0] > 1);
	}
	end(m);
}

static void what_lies_across_the_plane_is_split_in_its_middle(void **state)
{
	(void)state;
	const ossai_mirror mirror = {true, {1, 0, 0}, 0, 0, 0};
	made *m = begin(ossai_v3(-1, 0, 0), 0.1, 1);
	/* thicker on one side, which would draw the split */
	const uint32_t narrow = test_path_to(&m->t, 0, ossai_v3(-0.3, 0, 0), 70, 0.05);
	test_path_to(&m->t, narrow, ossai_v3(1, 0, 0), 130, 0.1);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	make(m, &mirror, &options);
	assert_int_equal(m->graph.edge_count % 2, 0);
	assert_true(is_vertex(m, 100));
	for (uint32_t i = 0; i <= 200; i++) assert_int_equal(is_vertex(m, i), is_vertex(m, 200 - i));
	end(m);
}

/* ---- trees of nothing ---- */

static void hardly_any_tree(void **state)
{
	(void)state;
	for (int refine = 0; refine < 2; refine++) {
		made *m = begin(ossai_v3(1, 2, 3), 0, 0);
		ossai_skeletal_options options = ossai_skeletal_options_default();
		options.refine = refine;
		make(m, NULL, &options);
		assert_int_equal(m->graph.edge_count, 0);
		assert_int_equal(m->graph.vertex_of_node[0], 0);
		/* all in one place, with branchings */
		uint32_t last = 0;
		for (int i = 0; i < 20; i++) {
			last = test_path_to(&m->t, last, ossai_v3(1, 2, 3), 5, 0);
			test_path_to(&m->t, last, ossai_v3(1, 2, 3), 2, 0);
		}
		make(m, NULL, &options);
		assert_int_equal(m->graph.edge_count, refine ? 21 : 39);
		options.max_fraction = options.min_fraction = options.tolerance = 0;
		make(m, NULL, &options);
		end(m);
	}
}

static void several_paths_from_the_first_node(void **state)
{
	(void)state;
	const ossai_mirror mirror = {true, {1, 0, 0}, 0, 0, 0};
	made *m = begin(ossai_v3(0, 0, 0), 0.1, 1);
	for (int i = -1; i < 2; i++) test_path_to(&m->t, 0, ossai_v3(i, 1, 0), 30, 0.1);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	make(m, &mirror, &options);
	assert_true(is_vertex(m, 0));
	assert_true(m->graph.edge_count >= 6);
	end(m);
}

static void bad_numbers_are_refused(void **state)
{
	(void)state;
	made *m = begin(ossai_v3(0, 0, 0), 0.1, 1);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.min_fraction = 0.5;
	assert_fails(m->context, ossai_skeletal_graph_make(&m->arena, &m->t.tree, NULL, &options, &m->graph), OSSA_ERROR_ARGUMENT,
		"min-fraction (0.5)");
	options = ossai_skeletal_options_default();
	options.tolerance = NAN;
	assert_fails(m->context, ossai_skeletal_options_check(m->context, &options), OSSA_ERROR_ARGUMENT, "tolerance (nan)");
	options.tolerance = -1;
	assert_fails(m->context, ossai_skeletal_options_check(m->context, &options), OSSA_ERROR_ARGUMENT, "0 or more");
	end(m);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const ossai_mirror mirror = {true, {1, 0, 0}, 0, 0, 0};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.refine = true;
	ossai_skeletal_graph graph;
	const ossa_status status = ossai_skeletal_graph_make(&arena, arg, &mirror, &options, &graph);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	made *m = make_body(0);
	assert_true(test_allocation_sweep(sweep, &m->t.tree, 200, 1) > 20);
	end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_are_those_of_a_plain_recursion),
		cmocka_unit_test(the_worst_of_all_goes_first),
		cmocka_unit_test(limits_of_length_hold),
		cmocka_unit_test(branchings_in_one_ball_are_one),
		cmocka_unit_test(branchings_apart_stay),
		cmocka_unit_test(straight_limbs_part_where_they_narrow),
		cmocka_unit_test(straight_limbs_get_as_many_edges_as_they_need),
		cmocka_unit_test(climbing_is_that_of_a_plain_search),
		cmocka_unit_test(mirrored_chains_are_split_alike),
		cmocka_unit_test(a_tip_of_one_side_parts_no_pair),
		cmocka_unit_test(what_lies_across_the_plane_is_split_in_its_middle),
		cmocka_unit_test(hardly_any_tree),
		cmocka_unit_test(several_paths_from_the_first_node),
		cmocka_unit_test(bad_numbers_are_refused),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
