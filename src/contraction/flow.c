/* contraction/flow.c: see flow.h. */
#include "contraction/flow.h"

#include "math/vec.h"
#include "mesh/pairs.h"

#include <string.h>

enum { WIDTH = OSSAI_MULTIFRONTAL_WIDTH };

/* The weight of a link, where an edge of a well-shaped face has about 1. */
static const double link_weight = 1;

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

/* ---- making ---- */

ossa_status ossai_flow_make(ossai_arena *arena, const ossai_proxy *proxy, ossa_flow_kind kind, ossai_flow *flow)
{
	*flow = (ossai_flow){.context = arena->context, .kind = kind, .proxy = proxy};
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	OSSAI_TRY(ossai_laplacian_make(arena, &mesh, &flow->laplacian));
	OSSAI_TRY(make_pattern(arena, flow));
	if (kind == OSSA_FLOW_LEAST_SQUARES) return ossai_flow_make_square(arena, flow);
	const ossai_sparse_pattern pattern = {proxy->vertex_count, flow->start, flow->row};
	flow->matrix = ossai_arena_new(arena, flow->start[proxy->vertex_count], sizeof *flow->matrix);
	if (!flow->matrix) return failed(flow);
	return ossai_multifrontal_make(arena, &pattern, &flow->system);
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

/* K from the cotangents */
static void sum_edges(ossai_flow *flow)
{
	const ossai_laplacian *l = &flow->laplacian;
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

void ossai_flow_fill(ossai_flow *flow, const double *positions)
{
	ossai_laplacian_measure(flow->context, positions, &flow->laplacian);
	sum_edges(flow);
}

void ossai_flow_fill_printed(ossai_flow *flow, const double *positions, double least_height)
{
	const ossai_laplacian *l = &flow->laplacian;
	for (size_t v = 0; v < l->vertex_count; v++) l->mass[v] = 0;
	for (size_t f = 0; f < l->face_count; f++) {
		const uint32_t *t = l->triangles + 3 * f;
		ossai_vec3 side[3];
		double longest = 0;
		for (size_t k = 0; k < 3; k++) {
			side[k] = ossai_sub(
				ossai_v3_of(positions + 3 * (size_t)t[(k + 2) % 3]), ossai_v3_of(positions + 3 * (size_t)t[(k + 1) % 3]));
			longest = fmax(longest, ossai_dot(side[k], side[k]));
		}
		const double twice = ossai_length(ossai_cross(side[0], side[1])), used = fmax(twice, least_height * longest);
		l->face_area[f] = 0.5 * twice;
		for (size_t k = 0; k < 3; k++) {
			l->cotangent[3 * f + k] = used > 0 ? -ossai_dot(side[(k + 1) % 3], side[(k + 2) % 3]) / used : 0;
			l->mass[t[k]] += twice / 6;
		}
	}
	sum_edges(flow);
}

static void sum_implicit(ossai_flow *flow, double strength)
{
	const size_t entries = flow->start[flow->laplacian.vertex_count];
	for (size_t i = 0; i < entries; i++) flow->matrix[i] = strength * flow->value[i];
}

static ossa_status solve_implicit(
	ossai_flow *flow, double strength, const double *hold, const double *wanted, double *positions)
{
	const size_t n = flow->laplacian.vertex_count;
	sum_implicit(flow, strength);
	for (size_t v = 0; v < n; v++) {
		flow->matrix[flow->start[v]] += hold[v];
		for (size_t k = 0; k < 3; k++) flow->x[v * WIDTH + k] = hold[v] * wanted[3 * v + k];
	}
	if (!isfinite(ossai_multifrontal_factorise(&flow->system, flow->matrix))) {
		return ossai_fail(flow->context, OSSA_ERROR_INPUT, NULL,
			"the system of %zu unknowns that contracts the surface is not positive definite", n);
	}
	ossai_multifrontal_solve(&flow->system, flow->x);
	for (size_t v = 0; v < n; v++) memcpy(positions + 3 * v, flow->x + v * WIDTH, 3 * sizeof *positions);
	return OSSA_OK;
}

ossa_status ossai_flow_solve(
	ossai_flow *flow, double strength, const double *mass, const double *hold, const double *wanted, double *positions)
{
	if (flow->kind == OSSA_FLOW_IMPLICIT) return solve_implicit(flow, strength, hold, wanted, positions);
	return ossai_flow_solve_square(flow, strength, mass, hold, wanted, positions);
}
