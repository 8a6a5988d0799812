/* contraction/flow_square.c: the step of a flow by least squares: see flow.h.

   The normal equations are factorised. The move is solved for in place of the positions, and
   corrected once by the residual of the overdetermined system itself, which is not squared
   (A. Bjorck, Stability Analysis of the Method of Seminormal Equations for Linear Least Squares
   Problems, 1987). */
#include "contraction/flow.h"
#include "mesh/pairs.h"

#include <string.h>

enum { WIDTH = OSSAI_MULTIFRONTAL_WIDTH };

/* the largest number of products that the normal equations may have */
static const size_t most_products = (size_t)1 << 28;
/* With so little growth in the factorization the first solution is exact to ten digits; with
   so much the factor has too few digits for a correction. */
static const double harmless_growth = 1e5, harmful_growth = 1e10;

static ossa_status failed(const ossai_flow *flow) { return ossa_context_error(flow->context)->status; }

/* ---- the sparsity pattern of K^T K ---- */

/* full rows of K: their columns, and where their values are stored */
static ossa_status make_rows(ossai_arena *arena, ossai_flow *flow, uint32_t **column)
{
	const size_t n = flow->laplacian.vertex_count, entries = flow->start[n];
	ossai_flow_square *s = &flow->square;
	*column = ossai_arena_new(arena, entries, 2 * sizeof **column);
	if (!*column) return failed(flow);
	OSSAI_TRY(ossai_csr_begin(arena, n, &s->entries));
	for (uint32_t v = 0; v < n; v++) {
		for (uint32_t i = flow->start[v]; i < flow->start[v + 1]; i++) {
			ossai_csr_count(&s->entries, v);
			if (flow->row[i] != v) ossai_csr_count(&s->entries, flow->row[i]);
		}
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &s->entries));
	for (uint32_t v = 0; v < n; v++) {
		for (uint32_t i = flow->start[v]; i < flow->start[v + 1]; i++) {
			const uint32_t other = flow->row[i];
			uint32_t at = ossai_csr_next(&s->entries, v);
			(*column)[at] = other;
			s->entries.item[at] = i;
			if (other == v) continue;
			at = ossai_csr_next(&s->entries, other);
			(*column)[at] = v;
			s->entries.item[at] = i;
		}
	}
	return OSSA_OK;
}

static size_t count_products(const ossai_flow *flow)
{
	size_t count = 0;
	for (size_t v = 0; v < flow->laplacian.vertex_count; v++) {
		const size_t own = ossai_csr_size(&flow->square.entries, v);
		count += own * (own + 1) / 2;
	}
	return count;
}

static void list_products(const ossai_flow *flow, const uint32_t *column, ossai_pair *pairs)
{
	const uint32_t *start = flow->square.entries.start;
	uint32_t count = 0;
	for (size_t v = 0; v < flow->laplacian.vertex_count; v++) {
		for (uint32_t a = start[v]; a < start[v + 1]; a++) {
			for (uint32_t b = a; b < start[v + 1]; b++, count++) pairs[count] = ossai_pair_of(column[a], column[b], count);
		}
	}
}

static ossa_status sum_pattern(ossai_arena *arena, const ossai_pair *pairs, size_t count, ossai_flow *flow)
{
	ossai_flow_square *s = &flow->square;
	const size_t n = flow->laplacian.vertex_count;
	size_t unique = 0;
	for (size_t i = 0; i < count; i = ossai_pairs_run_end(pairs, count, i)) unique++;
	s->start = ossai_arena_zero(arena, n + 1, sizeof *s->start);
	s->row = ossai_arena_new(arena, unique, sizeof *s->row);
	s->value = ossai_arena_new(arena, unique, sizeof *s->value);
	s->product = ossai_arena_new(arena, count, sizeof *s->product);
	if (!s->start || !s->row || !s->value || !s->product) return failed(flow);
	uint32_t entry = 0;
	for (size_t i = 0; i < count; entry++) {
		s->row[entry] = pairs[i].second;
		s->start[pairs[i].first + 1]++;
		for (const size_t end = ossai_pairs_run_end(pairs, count, i); i < end; i++) s->product[pairs[i].tag] = entry;
	}
	for (size_t v = 0; v < n; v++) s->start[v + 1] += s->start[v];
	return OSSA_OK;
}

static ossa_status find_square(ossai_arena *arena, ossai_flow *flow)
{
	uint32_t *column;
	OSSAI_TRY(make_rows(arena, flow, &column));
	const size_t count = count_products(flow);
	if (count > most_products) {
		return ossai_fail(flow->context, OSSA_ERROR_LIMIT, NULL,
			"vertices with very many neighbours make %zu products for contraction by least squares: use the implicit flow or "
			"a proxy of even edges",
			count);
	}
	ossai_pair *pairs = ossai_new(flow->context, count, sizeof *pairs);
	if (!pairs) return failed(flow);
	list_products(flow, column, pairs);
	ossa_status status = ossai_pairs_sort(flow->context, pairs, count, flow->laplacian.vertex_count);
	if (status == OSSA_OK) status = sum_pattern(arena, pairs, count, flow);
	ossa_free(flow->context, pairs);
	return status;
}

ossa_status ossai_flow_make_square(ossai_arena *arena, ossai_flow *flow)
{
	const size_t n = flow->laplacian.vertex_count;
	OSSAI_TRY(find_square(arena, flow));
	const ossai_sparse_pattern pattern = {n, flow->square.start, flow->square.row};
	flow->x = ossai_arena_zero(arena, n, 2 * WIDTH * sizeof *flow->x);
	if (!flow->x) return failed(flow);
	return ossai_multifrontal_make(arena, &pattern, &flow->system);
}

/* ---- one step ---- */

static void sum_square(ossai_flow *flow, double strength, const double *mass)
{
	const ossai_flow_square *s = &flow->square;
	const size_t n = flow->laplacian.vertex_count;
	memset(s->value, 0, s->start[n] * sizeof *s->value);
	size_t product = 0;
	for (size_t v = 0; v < n; v++) {
		const double weight = strength * strength / mass[v];
		for (uint32_t a = s->entries.start[v]; a < s->entries.start[v + 1]; a++) {
			const double first = weight * flow->value[s->entries.item[a]];
			for (uint32_t b = a; b < s->entries.start[v + 1]; b++, product++) {
				s->value[s->product[product]] += first * flow->value[s->entries.item[b]];
			}
		}
	}
}

/* y = K x: by differences along edges, which lose fewer digits than sums with the diagonal */
static void multiply(const ossai_flow *flow, const double *x, double *y)
{
	const size_t n = flow->laplacian.vertex_count;
	memset(y, 0, n * WIDTH * sizeof *y);
	for (size_t v = 0; v < n; v++) {
		for (uint32_t i = flow->start[v] + 1; i < flow->start[v + 1]; i++) {
			const size_t other = flow->row[i];
			for (size_t k = 0; k < WIDTH; k++) {
				const double part = flow->value[i] * (x[other * WIDTH + k] - x[v * WIDTH + k]);
				y[v * WIDTH + k] += part;
				y[other * WIDTH + k] -= part;
			}
		}
	}
}

/* residual = hold (W - V) - strength^2 K diag(1 / mass) K V; `scratch`: as large */
static void find_residual(const ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted,
	const double *positions, double *scratch, double *residual)
{
	const size_t n = flow->laplacian.vertex_count;
	for (size_t v = 0; v < n; v++) {
		for (size_t k = 0; k < 3; k++) residual[v * WIDTH + k] = positions[3 * v + k];
	}
	multiply(flow, residual, scratch);
	for (size_t v = 0; v < n; v++) {
		for (size_t k = 0; k < WIDTH; k++) scratch[v * WIDTH + k] *= -strength * strength / mass[v];
	}
	multiply(flow, scratch, residual);
	for (size_t v = 0; v < n; v++) {
		for (size_t k = 0; k < 3; k++) residual[v * WIDTH + k] += hold[v] * (wanted[3 * v + k] - positions[3 * v + k]);
	}
}

/* adds the solution for the residual */
static void correct(ossai_flow *flow, double *residual, double *positions)
{
	ossai_multifrontal_solve(&flow->system, residual);
	for (size_t v = 0; v < flow->laplacian.vertex_count; v++) {
		for (size_t k = 0; k < 3; k++) positions[3 * v + k] += residual[v * WIDTH + k];
	}
}

ossa_status ossai_flow_solve_square(
	ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted, double *positions)
{
	const size_t n = flow->laplacian.vertex_count;
	double *residual = flow->x, *scratch = residual + n * WIDTH;
	sum_square(flow, strength, mass);
	for (size_t v = 0; v < n; v++) flow->square.value[flow->square.start[v]] += hold[v];
	const double growth = ossai_multifrontal_factorise(&flow->system, flow->square.value);
	if (!(growth < harmful_growth)) {
		return ossai_fail(flow->context, OSSA_ERROR_INPUT, NULL,
			"rounding leaves too few digits of a least-squares system of %zu unknowns", n);
	}
	memcpy(positions, wanted, n * 3 * sizeof *positions);
	for (int round = 0; round < (growth < harmless_growth ? 1 : 2); round++) {
		find_residual(flow, strength, mass, hold, wanted, positions, scratch, residual);
		correct(flow, residual, positions);
	}
	return OSSA_OK;
}
