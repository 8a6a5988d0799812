/* contraction/flow.c: see flow.h. */
#include "contraction/flow.h"

#include "math/vec.h"
#include "mesh/pairs.h"

#include <string.h>

enum { WIDTH = OSSAI_SPARSE_WIDTH };

/* The weight of a link, where an edge of a well-shaped face has about 1; and the largest number of
   products that least squares may have. */
static const double link_weight = 1;
static const size_t most_products = (size_t)1 << 28;

static ossa_status failed(const ossai_flow *flow) { return ossa_context_error(flow->context)->status; }

/* ---- the sparsity pattern of K ---- */

/* the links, sorted, duplicates merged */
static ossa_status sort_links(const ossai_flow *flow, ossai_pair *links)
{
	const ossai_proxy *proxy = flow->proxy;
	for (size_t i = 0; i < proxy->tie_count; i++) {
		links[i] = ossai_pair_of(proxy->ties[2 * i], proxy->ties[2 * i + 1], (uint32_t)i);
	}
	return ossai_pairs_sort(flow->context, links, proxy->tie_count, proxy->vertex_count);
}

/* merges each column of the Laplacian with its links, by ascending rows */
static void merge_columns(const ossai_pair *links, ossai_flow *flow)
{
	const ossai_laplacian *l = &flow->laplacian;
	const size_t link_count = flow->proxy->tie_count;
	uint32_t entry = 0;
	size_t link = 0;
	for (uint32_t v = 0; v < l->vertex_count; v++) {
		flow->start[v] = entry;
		uint32_t i = l->start[v];
		while (i < l->start[v + 1] || (link < link_count && links[link].first == v)) {
			const bool has_link = link < link_count && links[link].first == v;
			const bool has_edge = i < l->start[v + 1];
			const uint32_t row = !has_link || (has_edge && l->row[i] <= links[link].second) ? l->row[i] : links[link].second;
			flow->row[entry] = row;
			if (has_edge && l->row[i] == row) flow->entry[i++] = entry;
			while (link < link_count && links[link].first == v && links[link].second == row) {
				flow->link_entry[links[link++].tag] = entry;
			}
			entry++;
		}
	}
	flow->start[l->vertex_count] = entry;
}

static ossa_status make_pattern(ossai_arena *arena, ossai_flow *flow)
{
	const ossai_laplacian *l = &flow->laplacian;
	const size_t most = (size_t)l->start[l->vertex_count] + flow->proxy->tie_count;
	flow->start = ossai_arena_new(arena, l->vertex_count + 1, sizeof *flow->start);
	flow->row = ossai_arena_new(arena, most, sizeof *flow->row);
	flow->value = ossai_arena_new(arena, most, sizeof *flow->value);
	flow->entry = ossai_arena_new(arena, most, sizeof *flow->entry);
	flow->link_entry = ossai_arena_new(arena, flow->proxy->tie_count, sizeof *flow->link_entry);
	flow->x = ossai_arena_zero(arena, l->vertex_count, WIDTH * sizeof *flow->x);
	if (!flow->start || !flow->row || !flow->value || !flow->entry || !flow->link_entry || !flow->x) return failed(flow);
	ossai_pair *links = ossai_new(flow->context, flow->proxy->tie_count, sizeof *links);
	if (!links) return failed(flow);
	const ossa_status status = sort_links(flow, links);
	if (status == OSSA_OK) merge_columns(links, flow);
	ossa_free(flow->context, links);
	return status;
}

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

static ossa_status make_square(ossai_arena *arena, ossai_flow *flow)
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

/* ---- making and ending ---- */

ossa_status ossai_flow_make(ossai_arena *arena, const ossai_proxy *proxy, ossa_flow_kind kind, ossai_flow *flow)
{
	*flow = (ossai_flow){.context = arena->context, .kind = kind, .proxy = proxy};
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	OSSAI_TRY(ossai_laplacian_make(arena, &mesh, &flow->laplacian));
	OSSAI_TRY(make_pattern(arena, flow));
	ossai_sparse_pattern pattern = {proxy->vertex_count, flow->start, flow->row};
	if (kind == OSSA_FLOW_LEAST_SQUARES) {
		OSSAI_TRY(make_square(arena, flow));
		pattern.start = flow->square.start;
		pattern.row = flow->square.row;
		flow->matrix = flow->square.value;
	} else {
		flow->matrix = ossai_arena_new(arena, flow->start[proxy->vertex_count], sizeof *flow->matrix);
		if (!flow->matrix) return failed(flow);
	}
	return ossai_sparse_analyse(flow->context, &pattern, &flow->sparse);
}

void ossai_flow_end(ossai_flow *flow)
{
	ossai_sparse_end(flow->sparse);
	flow->sparse = NULL;
}

/* ---- one step ---- */

/* Half of the sum of the cotangents, of either sign: the sum over the edges of a triangle is
   semi-definite and its Dirichlet energy is the area, which therefore cannot grow. The Laplacian's
   own weights, clamped to positive values, would let it grow. */
static double edge_weight(const ossai_laplacian *l, size_t edge)
{
	double sum = 0;
	for (uint32_t i = l->edge_start[edge]; i < l->edge_start[edge + 1]; i++) sum += l->cotangent[l->edge_corner[i]];
	return 0.5 * sum;
}

void ossai_flow_fill(ossai_flow *flow, const double *positions)
{
	const ossai_laplacian *l = &flow->laplacian;
	ossai_laplacian_fill(flow->context, positions, &flow->laplacian);
	memset(flow->value, 0, flow->start[l->vertex_count] * sizeof *flow->value);
	size_t edge = 0;
	for (uint32_t v = 0; v < l->vertex_count; v++) {
		for (uint32_t i = l->start[v] + 1; i < l->start[v + 1]; i++, edge++) {
			const double weight = edge_weight(l, edge);
			flow->value[flow->entry[i]] -= weight;
			flow->value[flow->start[v]] += weight;
			flow->value[flow->start[l->row[i]]] += weight;
		}
	}
	for (size_t i = 0; i < flow->proxy->tie_count; i++) {
		const uint32_t a = flow->proxy->ties[2 * i], b = flow->proxy->ties[2 * i + 1];
		if (a == b) continue;
		flow->value[flow->link_entry[i]] -= link_weight;
		flow->value[flow->start[a]] += link_weight;
		flow->value[flow->start[b]] += link_weight;
	}
}

static void sum_implicit(ossai_flow *flow, double strength)
{
	const size_t entries = flow->start[flow->laplacian.vertex_count];
	for (size_t i = 0; i < entries; i++) flow->matrix[i] = strength * flow->value[i];
}

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

ossa_status ossai_flow_solve(
	ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted, double *positions)
{
	const size_t n = flow->laplacian.vertex_count;
	const bool squared = flow->kind == OSSA_FLOW_LEAST_SQUARES;
	const uint32_t *start = squared ? flow->square.start : flow->start;
	if (squared) sum_square(flow, strength, mass);
	else sum_implicit(flow, strength);
	for (size_t v = 0; v < n; v++) {
		flow->matrix[start[v]] += hold[v];
		for (size_t k = 0; k < 3; k++) flow->x[v * WIDTH + k] = hold[v] * wanted[3 * v + k];
	}
	OSSAI_TRY(ossai_sparse_factorise(flow->sparse, flow->matrix));
	OSSAI_TRY(ossai_sparse_solve(flow->sparse, 1, flow->x));
	for (size_t v = 0; v < n; v++) memcpy(positions + 3 * v, flow->x + v * WIDTH, 3 * sizeof *positions);
	return OSSA_OK;
}
