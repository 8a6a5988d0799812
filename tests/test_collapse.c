/* tests/test_collapse.c: surfaces to curves: their loops, their ends, and the patches that nodes stand for. */
#include "contraction/collapse.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* A proxy in an arena, contracted and collapsed. */
typedef struct curve_case {
	ossa_context *context;
	ossai_arena arena;
	ossai_proxy proxy;
	ossai_contracted contracted;
	ossai_curve curve;
} curve_case;

static double mean_edge(const ossai_proxy *p)
{
	double sum = 0;
	for (size_t i = 0; i < 3 * p->face_count; i++) {
		const size_t next = i % 3 == 2 ? i - 2 : i + 1;
		sum += ossai_distance(ossai_v3_of(p->positions + 3 * (size_t)p->triangles[i]),
			ossai_v3_of(p->positions + 3 * (size_t)p->triangles[next]));
	}
	return p->face_count ? sum / (3 * (double)p->face_count) : 0;
}

/* a torus of rings x sides squares about the z axis, its diagonal near 1 */
static ossai_proxy torus(ossai_arena *arena, uint32_t rings, uint32_t sides, double thick)
{
	ossai_proxy p = {.kind = OSSAI_PROXY_NONE, .vertex_count = (size_t)rings * sides, .face_count = 2 * (size_t)rings * sides};
	p.positions = ossai_arena_new(arena, p.vertex_count, 3 * sizeof *p.positions);
	p.triangles = ossai_arena_new(arena, p.face_count, 3 * sizeof *p.triangles);
	assert_true(p.positions && p.triangles);
	uint32_t *t = p.triangles;
	for (uint32_t i = 0; i < rings; i++) {
		for (uint32_t k = 0; k < sides; k++) {
			const double u = 2 * OSSAI_PI * i / rings, v = 2 * OSSAI_PI * k / sides, r = 0.33 + thick * cos(v);
			ossai_v3_store(ossai_v3(r * cos(u), r * sin(u), thick * sin(v)), p.positions + 3 * ((size_t)i * sides + k));
			const uint32_t i2 = (i + 1) % rings, k2 = (k + 1) % sides;
			const uint32_t a = i * sides + k, b = i2 * sides + k, c = i2 * sides + k2, d = i * sides + k2;
			memcpy(t, (uint32_t[]){a, b, c, a, c, d}, 6 * sizeof *t);
			t += 6;
		}
	}
	p.piece_count = 1;
	p.is_closed = true;
	p.edge_length = mean_edge(&p);
	return p;
}

static void contract_and_collapse(curve_case *c)
{
	const ossai_contraction_options contraction = ossai_contraction_default();
	const ossai_collapse_options collapse = ossai_collapse_default();
	assert_ok(c->context, ossai_contract(&c->arena, &c->proxy, &contraction, &c->contracted));
	assert_ok(c->context, ossai_collapse(&c->arena, &c->proxy, &c->contracted, &collapse, &c->curve));
}

static curve_case begin(int threads)
{
	ossa_context *context = test_context(threads);
	return (curve_case){.context = context, .arena = ossai_arena_begin(context)};
}

static void end(curve_case *c)
{
	ossai_arena_end(&c->arena);
	test_context_end(c->context);
}

static size_t count_degree(curve_case *c, bool (*is_it)(size_t))
{
	uint32_t *start, *neighbor;
	size_t count = 0;
	assert_ok(c->context, ossai_curve_neighbors(&c->arena, &c->curve, &start, &neighbor));
	for (size_t i = 0; i < c->curve.node_count; i++) count += is_it(start[i + 1] - start[i]);
	return count;
}

static bool is_leaf(size_t degree) { return degree == 1; }

static void a_torus_becomes_one_loop(void **state)
{
	(void)state;
	curve_case c = begin(1);
	c.proxy = torus(&c.arena, 96, 24, 0.08);
	contract_and_collapse(&c);
	assert_true(c.curve.node_count > 20);
	assert_int_equal(c.curve.edge_count, c.curve.node_count);
	assert_int_equal(count_degree(&c, is_leaf), 0);
	for (size_t i = 0; i < c.curve.node_count; i++) {
		const ossai_vec3 p = c.curve.node[i];
		assert_true(fabs(p.z) < 0.01 && fabs(hypot(p.x, p.y) - 0.33) < 0.02);
		assert_true(c.curve.radius[i] > 0.07 && c.curve.radius[i] < 0.12);
	}
	end(&c);
}

static void creatures_have_their_limbs(void **state)
{
	(void)state;
	/* arms and head; four legs, two ears, head, tail; fingers and wrist; two ends */
	static const struct {
		ossa_sample_kind kind;
		size_t leaves;
	} creatures[] = {{OSSA_SAMPLE_OCTOPUS, 9}, {OSSA_SAMPLE_QUADRUPED, 8}, {OSSA_SAMPLE_HAND, 6}, {OSSA_SAMPLE_SNAKE, 2}};
	for (size_t i = 0; i < sizeof creatures / sizeof *creatures; i++) {
		test_surface s = test_surface_sample(1, creatures[i].kind, 8000, 1);
		curve_case c = {.context = s.context, .arena = s.arena};
		const ossai_proxy_options options = {.kind = OSSAI_PROXY_NONE};
		assert_ok(c.context, ossai_proxy_make(&c.arena, &s.s, &options, &c.proxy));
		c.proxy.is_closed = true;
		contract_and_collapse(&c);
		assert_int_equal(c.curve.edge_count + 1, c.curve.node_count);
		assert_int_equal(count_degree(&c, is_leaf), creatures[i].leaves);
		s.arena = c.arena;
		test_surface_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_torus_becomes_one_loop),
		cmocka_unit_test(creatures_have_their_limbs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
