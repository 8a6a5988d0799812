/* tests/contraction/test_contract.c: a step of either flow against a dense solution, and the
   guarantees of contraction on good and bad surfaces. */
#include "contraction/flow.h"
#include "math/cholesky.h"
#include "support/proxies.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

typedef struct bench_case {
	ossa_context *context;
	ossai_arena arena;
} bench_case;

static bench_case begin(int threads)
{
	ossa_context *context = test_context(threads);
	return (bench_case){context, ossai_arena_begin(context)};
}

static void end(bench_case *c)
{
	ossai_arena_end(&c->arena);
	test_context_end(c->context);
}

/* ---- one step ---- */

enum { MOST = 120 };

/* K in full by the textbook: half of the cotangent of the angle opposite to an edge, and 1 for a
   link */
static void dense_laplacian(const ossai_proxy *p, double *k)
{
	const size_t n = p->vertex_count;
	memset(k, 0, n * n * sizeof *k);
	for (size_t i = 0; i < 3 * p->face_count + p->link_count; i++) {
		uint32_t a, b;
		double weight = 1;
		if (i < 3 * p->face_count) {
			const uint32_t *t = p->triangles + i / 3 * 3;
			a = t[(i + 1) % 3];
			b = t[(i + 2) % 3];
			const ossai_vec3 o = ossai_v3_of(p->positions + 3 * (size_t)t[i % 3]);
			const ossai_vec3 u = ossai_sub(ossai_v3_of(p->positions + 3 * (size_t)a), o);
			const ossai_vec3 v = ossai_sub(ossai_v3_of(p->positions + 3 * (size_t)b), o);
			weight = 0.5 * ossai_dot(u, v) / ossai_length(ossai_cross(u, v));
		} else {
			a = p->links[2 * (i - 3 * p->face_count)];
			b = p->links[2 * (i - 3 * p->face_count) + 1];
		}
		k[a * n + b] -= weight;
		k[b * n + a] -= weight;
		k[a * n + a] += weight;
		k[b * n + b] += weight;
	}
}

static void dense_matrix(
	size_t n, ossa_flow_kind kind, double strength, const double *k, const double *mass, const double *hold, double *a)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			double sum = strength * k[i * n + j];
			if (kind == OSSA_FLOW_LEAST_SQUARES) {
				sum = 0;
				for (size_t m = 0; m < n; m++) sum += strength * strength * k[m * n + i] * k[m * n + j] / mass[m];
			}
			a[i * n + j] = sum + (i == j ? hold[i] : 0);
		}
	}
}

static void a_step_is_that_of_a_dense_solution(void **state)
{
	(void)state;
	static double k[MOST * MOST], a[MOST * MOST], mass[MOST], hold[MOST], wanted[3 * MOST], got[3 * MOST], x[MOST];
	bench_case c = begin(2);
	const ossai_proxy one = test_tube(&c.arena, 6, 5, 0.2), two = test_torus(&c.arena, 7, 5, 0.15);
	/* a link twice, and one where a face's edge is */
	ossai_proxy p = test_proxy_pair(&c.arena, &one, &two, 4);
	memcpy(p.links + 4, p.links + 2, 2 * sizeof *p.links);
	memcpy(p.links + 6, p.triangles, 2 * sizeof *p.links);
	const size_t n = p.vertex_count;
	assert_true(n <= MOST);
	uint64_t random = 5;
	for (size_t v = 0; v < n; v++) {
		mass[v] = 0.02 + 0.01 * test_random(&random);
		hold[v] = 0.03 + 0.01 * test_random(&random);
		for (size_t i = 3 * v; i < 3 * v + 3; i++) wanted[i] = test_random(&random);
	}
	dense_laplacian(&p, k);
	for (int kind = OSSA_FLOW_LEAST_SQUARES; kind <= OSSA_FLOW_IMPLICIT; kind++) {
		ossai_flow flow;
		assert_ok(c.context, ossai_flow_make(&c.arena, &p, kind, &flow));
		ossai_flow_fill(&flow, p.positions);
		/* more than once with one analysis */
		for (double strength = 1e-3; strength < 1; strength *= 10) {
			assert_ok(c.context, ossai_flow_solve(&flow, strength, mass, hold, wanted, got));
			for (size_t axis = 0; axis < 3; axis++) {
				dense_matrix(n, kind, strength, k, mass, hold, a);
				for (size_t v = 0; v < n; v++) x[v] = hold[v] * wanted[3 * v + axis];
				assert_true(ossai_cholesky_solve(n, a, x));
				for (size_t v = 0; v < n; v++) assert_near(x[v], got[3 * v + axis], 1e-9);
			}
		}
	}
	end(&c);
}

/* ---- all steps ---- */

static ossai_contracted contract(bench_case *c, const ossai_proxy *p, ossa_flow_kind flow, int steps)
{
	ossai_contraction_options options = ossai_contraction_default();
	ossai_contracted contracted;
	options.flow = flow;
	if (steps > 0) options.steps = steps;
	assert_ok(c->context, ossai_contract(&c->arena, p, &options, &contracted));
	for (size_t i = 0; i < 3 * p->vertex_count; i++) assert_true(isfinite(contracted.positions[i]));
	assert_true(contracted.area_share <= 1 && contracted.steps <= options.steps);
	return contracted;
}

static void area_falls_in_every_step(void **state)
{
	(void)state;
	for (int flow = OSSA_FLOW_LEAST_SQUARES; flow <= OSSA_FLOW_IMPLICIT; flow++) {
		bench_case c = begin(1);
		const ossai_proxy p = test_torus(&c.arena, 60, 16, 0.1);
		double before = 1;
		for (int steps = 1; steps <= 16; steps++) {
			const ossai_contracted k = contract(&c, &p, flow, steps);
			assert_true(k.steps < steps || k.area_share < before);
			before = k.area_share;
		}
		assert_true(before < 0.03);
		end(&c);
	}
}

static void a_tube_shrinks_to_its_axis_but_not_to_a_point(void **state)
{
	(void)state;
	for (int flow = OSSA_FLOW_LEAST_SQUARES; flow <= OSSA_FLOW_IMPLICIT; flow++) {
		bench_case c = begin(1);
		const double radius = 0.05;
		const ossai_proxy p = test_tube(&c.arena, 80, 20, radius);
		const ossai_contracted k = contract(&c, &p, flow, 0);
		double left = 0, right = 0;
		for (size_t v = 0; v < p.vertex_count; v++) {
			const double *at = k.positions + 3 * v;
			assert_true(hypot(at[1], at[2]) < 0.1 * radius);
			left = fmin(left, at[0]);
			right = fmax(right, at[0]);
		}
		/* the ends draw in by about a radius */
		assert_true(right > 0.495 - 1.5 * radius && left < -0.495 + 1.5 * radius);
		assert_true(k.volume_share < 1e-3);
		end(&c);
	}
}

/* the same shape at four times the faces is as thin after as many steps */
static void resolution_changes_little(void **state)
{
	(void)state;
	for (int flow = OSSA_FLOW_LEAST_SQUARES; flow <= OSSA_FLOW_IMPLICIT; flow++) {
		bench_case c = begin(1);
		const ossai_proxy coarse = test_torus(&c.arena, 60, 18, 0.1), fine = test_torus(&c.arena, 120, 36, 0.1);
		for (int steps = 2; steps <= 6; steps += 2) {
			const double a = contract(&c, &coarse, flow, steps).area_share, b = contract(&c, &fine, flow, steps).area_share;
			assert_true(a < 1.15 * b && b < 1.15 * a);
		}
		end(&c);
	}
}

/* ---- bad surfaces ---- */

static void bad_surfaces_contract(void **state)
{
	(void)state;
	/* a fin of five faces at an edge, faces twice and turned, needles, no area, no length, a vertex
	   of no face */
	static const double positions[] = {
		0, 0, 0, 1, 0, 0, 0.5, 1e-9, 0, 0.5, 0, 0, 0, 0, 0, 1, 1e-12, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 3, 3, 3};
	static const uint32_t triangles[] = {
		0, 1, 2, 0, 1, 3, 0, 4, 1, 1, 5, 6, 0, 1, 6, 0, 1, 7, 1, 0, 8, 0, 1, 6, 6, 1, 0, 4, 5, 7};
	static const double point[30] = {0};
	for (int flow = OSSA_FLOW_LEAST_SQUARES; flow <= OSSA_FLOW_IMPLICIT; flow++) {
		for (size_t faces = 0; faces <= 10; faces++) {
			bench_case c = begin(1);
			for (int all_at_one = 0; all_at_one < 2; all_at_one++) {
				const ossai_proxy p = test_proxy(&c.arena, 10, all_at_one ? point : positions, faces, triangles);
				ossai_contracted k = contract(&c, &p, flow, 0);
				/* vertices without faces do not move */
				if (!all_at_one) assert_near(k.positions[27], 3, 1e-9);
				ossai_collapse_options collapse = ossai_collapse_default();
				ossai_curve curve;
				assert_ok(c.context, ossai_collapse(&c.arena, &p, &k, &collapse, &curve));
				test_assert_curve(&p, &curve);
			}
			end(&c);
		}
	}
}

static void nothing_is_nothing(void **state)
{
	(void)state;
	bench_case c = begin(1);
	const ossai_proxy p = test_proxy(&c.arena, 0, NULL, 0, NULL);
	const ossai_contracted k = contract(&c, &p, OSSA_FLOW_IMPLICIT, 0);
	const ossai_collapse_options collapse = ossai_collapse_default();
	ossai_curve curve;
	assert_ok(c.context, ossai_collapse(&c.arena, &p, &k, &collapse, &curve));
	assert_int_equal(curve.node_count, 0);
	end(&c);
}

/* a fan of very many faces: least squares would need the square of them */
static void hubs_are_no_harm(void **state)
{
	(void)state;
	enum { SPOKES = 60000 };
	bench_case c = begin(1);
	double *positions = ossai_arena_zero(&c.arena, SPOKES + 1, 3 * sizeof *positions);
	uint32_t *triangles = ossai_arena_new(&c.arena, SPOKES, 3 * sizeof *triangles);
	assert_true(positions && triangles);
	for (uint32_t i = 0; i < SPOKES; i++) {
		const double angle = 2 * OSSAI_PI * i / SPOKES;
		ossai_v3_store(ossai_v3(0.3 * cos(angle), 0.3 * sin(angle), 0.2), positions + 3 * (i + 1));
		memcpy(triangles + 3 * i, (uint32_t[]){0, i + 1, (i + 1) % SPOKES + 1}, 3 * sizeof *triangles);
	}
	const ossai_proxy p = test_proxy(&c.arena, SPOKES + 1, positions, SPOKES, triangles);
	ossai_contraction_options options = ossai_contraction_default();
	ossai_contracted k;
	options.flow = OSSA_FLOW_LEAST_SQUARES;
	assert_fails(c.context, ossai_contract(&c.arena, &p, &options, &k), OSSA_ERROR_LIMIT, "implicit flow");
	k = contract(&c, &p, OSSA_FLOW_IMPLICIT, 2);
	const ossai_collapse_options collapse = ossai_collapse_default();
	ossai_curve curve;
	assert_ok(c.context, ossai_collapse(&c.arena, &p, &k, &collapse, &curve));
	test_assert_curve(&p, &curve);
	end(&c);
}

/* ---- as printed ---- */

/* two triangles over an edge of length 1, of height h: the weight between the two far vertices'
   edge and the sums of cotangents by hand */
static void flat_triangles_are_as_they_are_down_to_the_least_height(void **state)
{
	(void)state;
	for (double h = 1e-3; h > 1e-9; h /= 10) {
		bench_case c = begin(1);
		double positions[] = {0, 0, 0, 1, 0, 0, 0.5, h, 0, 0.5, -h, 0};
		uint32_t triangles[] = {0, 1, 2, 1, 0, 3};
		const ossai_proxy p = test_proxy(&c.arena, 4, positions, 2, triangles);
		ossai_flow flow;
		assert_ok(c.context, ossai_flow_make(&c.arena, &p, OSSA_FLOW_LEAST_SQUARES, &flow));
		/* the angle at a far vertex: its cotangent is (h^2 - 1/4) / h, and K has half of two */
		const double wanted = -(h * h - 0.25) / h;
		/* just below the height, and just above */
		ossai_flow_fill_printed(&flow, positions, 0.99 * h);
		assert_near(wanted, flow.value[flow.start[0] + 1], 1e-9 / h);
		assert_near(h / 2, flow.laplacian.face_area[0], 1e-12 * h);
		ossai_flow_fill_printed(&flow, positions, 10 * h);
		assert_near(wanted / 10, flow.value[flow.start[0] + 1], 1e-9 / h);
		assert_near(h / 2, flow.laplacian.face_area[0], 1e-12 * h);
		end(&c);
	}
}

static void triangles_are_raised_only_when_little_volume_is_left(void **state)
{
	(void)state;
	bench_case c = begin(1);
	const ossai_proxy p = test_tube(&c.arena, 80, 20, 0.05);
	ossai_contraction_options options = ossai_contraction_default();
	options.as_printed = options.keeps_states = true;
	ossai_contracted k;
	assert_ok(c.context, ossai_contract(&c.arena, &p, &options, &k));
	assert_int_equal(k.end, OSSAI_CONTRACTION_DONE);
	for (int i = 1; i <= k.steps; i++) {
		assert_true(k.states[i].least_height >= k.states[i - 1].least_height);
		assert_true(k.states[i].least_height == 0 || fabs(k.states[i].volume_share) < 1e-3);
	}
	end(&c);
}

/* ---- faults ---- */

static void threads_change_nothing(void **state)
{
	(void)state;
	static const int threads[] = {1, 2, 3, 8};
	double *first = NULL;
	size_t size = 0;
	bench_case all[4];
	for (int i = 0; i < 4; i++) {
		all[i] = begin(threads[i]);
		const ossai_proxy p = test_torus(&all[i].arena, 200, 30, 0.1);
		const ossai_contracted k = contract(&all[i], &p, OSSA_FLOW_IMPLICIT, 0);
		size = 3 * p.vertex_count * sizeof *first;
		if (i == 0) first = k.positions;
		assert_memory_equal(k.positions, first, size);
	}
	for (int i = 0; i < 4; i++) end(&all[i]);
}

static ossa_status contract_once(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_contraction_options *options = arg;
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
	ossai_contracted k;
	const ossa_status status = ossai_contract(&arena, &p, options, &k);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	for (int flow = OSSA_FLOW_LEAST_SQUARES; flow <= OSSA_FLOW_IMPLICIT; flow++) {
		ossai_contraction_options options = ossai_contraction_default();
		options.flow = flow;
		options.steps = 3;
		assert_true(test_allocation_sweep(contract_once, &options, 200, 1) > 20);
	}
}

static bool stop(void *user, const char *stage, double fraction)
{
	(void)stage;
	(void)fraction;
	int *left = user;
	return (*left)-- > 0;
}

static void it_can_be_cancelled(void **state)
{
	(void)state;
	int left = 1;
	ossa_context_options options = ossa_context_default();
	options.progress = stop;
	options.progress_user = &left;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy p = test_torus(&arena, 40, 10, 0.1);
	const ossai_contraction_options contraction = ossai_contraction_default();
	ossai_contracted k;
	ossai_stage_begin(context, "contract");
	assert_fails(context, ossai_contract(&arena, &p, &contraction, &k), OSSA_ERROR_CANCELLED, NULL);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_that_of_a_dense_solution),
		cmocka_unit_test(area_falls_in_every_step),
		cmocka_unit_test(a_tube_shrinks_to_its_axis_but_not_to_a_point),
		cmocka_unit_test(resolution_changes_little),
		cmocka_unit_test(bad_surfaces_contract),
		cmocka_unit_test(nothing_is_nothing),
		cmocka_unit_test(hubs_are_no_harm),
		cmocka_unit_test(flat_triangles_are_as_they_are_down_to_the_least_height),
		cmocka_unit_test(triangles_are_raised_only_when_little_volume_is_left),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(it_can_be_cancelled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
