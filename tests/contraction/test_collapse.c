/* tests/contraction/test_collapse.c: collapse of surfaces to curves: loops, ends, and the
   patches of nodes. */
#include "contraction/collapse.h"
#include "support/proxies.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

typedef struct curve_case {
	ossa_context *context;
	ossai_arena arena;
} curve_case;

static curve_case begin(int threads)
{
	ossa_context *context = test_context(threads);
	return (curve_case){context, ossai_arena_begin(context)};
}

static void end(curve_case *c)
{
	ossai_arena_end(&c->arena);
	test_context_end(c->context);
}

static ossai_curve collapse(curve_case *c, const ossai_proxy *proxy, size_t nodes)
{
	const ossai_contraction_options contraction = ossai_contraction_default();
	ossai_collapse_options options = ossai_collapse_default();
	ossai_contracted contracted;
	ossai_curve curve;
	options.nodes = nodes;
	assert_ok(c->context, ossai_contract(&c->arena, proxy, &contraction, &contracted));
	assert_ok(c->context, ossai_collapse(&c->arena, proxy, &contracted, &options, &curve));
	test_assert_curve(proxy, &curve);
	return curve;
}

/* ---- shapes ---- */

static void a_tube_becomes_its_axis(void **state)
{
	(void)state;
	curve_case c = begin(1);
	const double radius = 0.05;
	const ossai_proxy p = test_tube(&c.arena, 80, 20, radius);
	const ossai_curve curve = collapse(&c, &p, 0);
	assert_true(curve.node_count > 10);
	assert_int_equal(test_curve_ends(&c.arena, &curve), 2);
	assert_int_equal(test_curve_loops(&c.arena, &curve), 0);
	double least = 0, most = 0, volume = 0;
	for (size_t i = 0; i < curve.node_count; i++) {
		const ossai_vec3 at = curve.node[i];
		assert_true(hypot(at.y, at.z) < 0.1 * radius);
		least = fmin(least, at.x);
		most = fmax(most, at.x);
		volume += curve.volume[i];
		assert_true(curve.radius[i] > 0.7 * radius && curve.radius[i] < 1.5 * radius);
	}
	assert_true(most > 0.495 - 1.5 * radius && least < -0.495 + 1.5 * radius);
	/* seen from the axis all of the tube is enclosed but for its ends' share */
	assert_true(volume > 0.6 * OSSAI_PI * radius * radius && volume < OSSAI_PI * radius * radius);
	end(&c);
}

static void a_torus_becomes_one_loop(void **state)
{
	(void)state;
	for (uint32_t size = 1; size <= 4; size *= 2) {
		curve_case c = begin(1);
		const ossai_proxy p = test_torus(&c.arena, 36 * size, 8 * size, 0.08);
		const ossai_curve curve = collapse(&c, &p, 0);
		assert_true(curve.node_count > 10);
		assert_int_equal(test_curve_ends(&c.arena, &curve), 0);
		assert_int_equal(test_curve_loops(&c.arena, &curve), 1);
		for (size_t i = 0; i < curve.node_count; i++) {
			const ossai_vec3 at = curve.node[i];
			assert_near(at.z, 0, 0.01);
			assert_near(hypot(at.x, at.y), 0.33, 0.03);
		}
		end(&c);
	}
}

/* as many loops as handles, also where few nodes are wanted */
static void handles_stay_loops(void **state)
{
	(void)state;
	static const char ring[] = "#####"
							   "#...#"
							   "#...#"
							   "#...#"
							   "#####";
	static const char rings[] = "#########"
								"#...#...#"
								"#...#...#"
								"#...#...#"
								"#########";
	for (uint32_t parts = 2; parts <= 6; parts += 2) {
		curve_case c = begin(1);
		const ossai_proxy one = test_blocks(&c.arena, 5, 5, ring, parts);
		const ossai_proxy both = test_blocks(&c.arena, 9, 5, rings, parts);
		for (size_t nodes = 0; nodes <= 20; nodes += 10) {
			const ossai_curve a = collapse(&c, &one, nodes), b = collapse(&c, &both, nodes);
			assert_int_equal(test_curve_loops(&c.arena, &a), 1);
			assert_int_equal(test_curve_loops(&c.arena, &b), 2);
		}
		end(&c);
	}
}

static void creatures_have_their_limbs(void **state)
{
	(void)state;
	/* arms and head; four legs, two ears, head, tail; fingers and wrist; two ends */
	static const struct {
		ossa_sample_kind kind;
		size_t ends;
	} creatures[] = {{OSSA_SAMPLE_OCTOPUS, 9}, {OSSA_SAMPLE_QUADRUPED, 8}, {OSSA_SAMPLE_HAND, 6}, {OSSA_SAMPLE_SNAKE, 2}};
	for (size_t i = 0; i < 4 * sizeof creatures / sizeof *creatures; i++) {
		const size_t kind = i / 4;
		test_surface s = test_surface_sample(1, creatures[kind].kind, 1000 << i % 4, 1);
		curve_case c = {s.context, s.arena};
		const ossai_proxy_options options = {.kind = OSSA_PROXY_NONE, .join_distance = -1};
		ossai_proxy p;
		assert_ok(c.context, ossai_proxy_make(&c.arena, &s.s, &options, &p));
		const ossai_curve curve = collapse(&c, &p, 0);
		assert_int_equal(test_curve_loops(&c.arena, &curve), 0);
		assert_int_equal(test_curve_ends(&c.arena, &curve), creatures[kind].ends);
		s.arena = c.arena;
		test_surface_end(&s);
	}
}

/* ---- pieces and links ---- */

static void links_join_and_make_no_loops(void **state)
{
	(void)state;
	curve_case c = begin(1);
	const ossai_proxy a = test_tube(&c.arena, 60, 12, 0.03), b = test_torus(&c.arena, 80, 12, 0.03);
	const ossai_proxy apart = test_proxy_pair(&c.arena, &a, &b, 0), linked = test_proxy_pair(&c.arena, &a, &b, 9);
	const ossai_curve two = collapse(&c, &apart, 0), one = collapse(&c, &linked, 0);
	/* a curve of two pieces has an edge less */
	assert_int_equal(two.edge_count, two.node_count - 2 + 1);
	assert_int_equal(one.edge_count, one.node_count - 1 + 1);
	assert_int_equal(test_curve_loops(&c.arena, &two), 1);
	assert_int_equal(test_curve_loops(&c.arena, &one), 1);
	end(&c);
}

/* ---- how many nodes ---- */

static void as_many_nodes_are_left_as_asked(void **state)
{
	(void)state;
	curve_case c = begin(1);
	const ossai_proxy p = test_tube(&c.arena, 80, 20, 0.05), loop = test_torus(&c.arena, 80, 12, 0.05);
	const ossai_curve all = collapse(&c, &p, 0);
	for (size_t nodes = 2; nodes < all.node_count; nodes += 3) {
		const ossai_curve curve = collapse(&c, &p, nodes);
		assert_int_equal(curve.node_count, nodes);
		assert_int_equal(test_curve_ends(&c.arena, &curve), 2);
		/* a limb is not eaten from its ends */
		double least = 0, most = 0;
		for (size_t i = 0; i < nodes; i++) {
			least = fmin(least, curve.node[i].x);
			most = fmax(most, curve.node[i].x);
		}
		assert_true(most > 0.42 && least < -0.42);
	}
	/* a loop needs three */
	const ossai_curve curve = collapse(&c, &loop, 1);
	assert_int_equal(curve.node_count, 3);
	assert_int_equal(test_curve_loops(&c.arena, &curve), 1);
	end(&c);
}

/* ---- faults ---- */

static void threads_change_nothing(void **state)
{
	(void)state;
	curve_case one = begin(1), four = begin(4);
	const ossai_proxy p = test_torus(&one.arena, 100, 20, 0.1), q = test_torus(&four.arena, 100, 20, 0.1);
	const ossai_curve a = collapse(&one, &p, 30), b = collapse(&four, &q, 30);
	assert_int_equal(a.node_count, b.node_count);
	assert_int_equal(a.edge_count, b.edge_count);
	assert_memory_equal(a.node, b.node, a.node_count * sizeof *a.node);
	assert_memory_equal(a.edge, b.edge, 2 * a.edge_count * sizeof *a.edge);
	assert_memory_equal(a.node_of_vertex, b.node_of_vertex, a.vertex_count * sizeof *a.node_of_vertex);
	end(&one);
	end(&four);
}

static ossa_status collapse_once(ossa_context *context, void *arg)
{
	(void)arg;
	ossai_arena arena = ossai_arena_begin(context);
	static double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	static uint32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, links[] = {0, 3};
	const ossai_proxy p = {.vertex_count = 4,
		.face_count = 4,
		.link_count = 1,
		.positions = positions,
		.triangles = triangles,
		.links = links,
		.is_closed = true,
		.edge_length = 1.2};
	ossai_collapse_options options = ossai_collapse_default();
	options.nodes = 1;
	ossai_curve curve;
	const ossa_status status = ossai_collapse(&arena, &p, &(ossai_contracted){.positions = positions}, &options, &curve);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(collapse_once, NULL, 200, 1) > 20);
}

static bool stop(void *user, const char *stage, double fraction)
{
	(void)user;
	(void)stage;
	(void)fraction;
	return false;
}

static void it_can_be_cancelled(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	options.progress = stop;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy p = test_torus(&arena, 40, 10, 0.1);
	const ossai_collapse_options collapsing = ossai_collapse_default();
	ossai_curve curve;
	ossai_stage_begin(context, "collapse");
	assert_fails(context, ossai_collapse(&arena, &p, &(ossai_contracted){.positions = p.positions}, &collapsing, &curve),
		OSSA_ERROR_CANCELLED, NULL);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tube_becomes_its_axis),
		cmocka_unit_test(a_torus_becomes_one_loop),
		cmocka_unit_test(handles_stay_loops),
		cmocka_unit_test(creatures_have_their_limbs),
		cmocka_unit_test(links_join_and_make_no_loops),
		cmocka_unit_test(as_many_nodes_are_left_as_asked),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(it_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
