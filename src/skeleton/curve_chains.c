/* skeleton/curve_chains.c: see curve_chains.h. */
#include "skeleton/curve_chains.h"

#include "base/union_find.h"
#include "curve/mirrored_chains.h"
#include "surface/own_frame.h"

#include <ossa/mesh.h>

/* Tips lie a little below the surface: a bone that ends on it would be half outside. */
static const double TIP_DEPTH = 0.03;
/* What lies this near to the farthest vertex along a limb, in radii, is its cap: a tip is the middle of it, not one vertex of a rim. */
static const double CAP = 0.2;

typedef struct chain_maker {
	ossai_arena *arena;
	const ossai_proxy *proxy;
	const ossai_curve *curve;
	uint32_t *start, *neighbor;
	ossai_vec3 *tip;    /* C: the middle of what lies farthest of the patch of a leaf, along the limb */
	double *tip_far;    /* C: how far that does */
	ossai_vec3 *cap;    /* C: the sum of it, as seen from the node */
	double *cap_count;  /* C: its vertices */
	ossai_vec3 *onward; /* C: where the limb goes at a leaf; 0 elsewhere */
	uint32_t *from;     /* per chain: the node that it begins at */
	uint32_t *first;    /* per chain: its next node */
	size_t points;
} chain_maker;

static uint32_t degree(const chain_maker *m, uint32_t node) { return m->start[node + 1] - m->start[node]; }

/* the direction of a limb at its last node: from as far back as its ball reaches, or from where it begins */
static ossai_vec3 leaf_direction(const chain_maker *m, uint32_t leaf)
{
	const ossai_vec3 end = m->curve->node[leaf];
	uint32_t from = leaf, node = m->neighbor[m->start[leaf]];
	while (degree(m, node) == 2 && ossai_distance(m->curve->node[node], end) < m->curve->radius[leaf]) {
		const uint32_t first = m->neighbor[m->start[node]];
		const uint32_t next = first != from ? first : m->neighbor[m->start[node] + 1];
		from = node;
		node = next;
	}
	return ossai_unit(ossai_sub(end, m->curve->node[node]), ossai_v3(0, 0, 0));
}

static ossai_vec3 out_of(const chain_maker *m, size_t vertex)
{
	return ossai_sub(ossai_v3_of(m->proxy->positions + 3 * vertex), m->curve->node[m->curve->node_of_vertex[vertex]]);
}

/* the tips of all leaves, in two passes over the vertices: how far they are, and the middle of all that lies nearly as far */
static void find_tips(chain_maker *m)
{
	const ossai_curve *curve = m->curve;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		m->onward[i] = degree(m, i) == 1 ? leaf_direction(m, i) : ossai_v3(0, 0, 0);
		m->tip[i] = curve->node[i];
		m->tip_far[i] = 0;
	}
	for (size_t v = 0; v < curve->vertex_count; v++) {
		const uint32_t node = curve->node_of_vertex[v];
		m->tip_far[node] = fmax(m->tip_far[node], ossai_dot(out_of(m, v), m->onward[node]));
	}
	for (size_t v = 0; v < curve->vertex_count; v++) {
		const uint32_t node = curve->node_of_vertex[v];
		const ossai_vec3 out = out_of(m, v);
		if (!(m->tip_far[node] > 0) || ossai_dot(out, m->onward[node]) < m->tip_far[node] - CAP * curve->radius[node]) continue;
		m->cap[node] = ossai_add(m->cap[node], out);
		m->cap_count[node]++;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (m->cap_count[i] > 0) m->tip[i] = ossai_madd(curve->node[i], (1 - TIP_DEPTH) / m->cap_count[i], m->cap[i]);
	}
}

/* how many points chains from `node` by way of `next` have, and the last node */
static uint32_t walk(const chain_maker *m, uint32_t node, uint32_t next, uint32_t *last)
{
	uint32_t count = 2, from = node;
	while (degree(m, next) == 2) {
		const uint32_t first = m->neighbor[m->start[next]];
		const uint32_t onward = first != from ? first : m->neighbor[m->start[next] + 1];
		from = next;
		next = onward;
		count++;
	}
	*last = next;
	return count;
}

/* chains by breadth: those that begin where a chain ends come after it */
static ossa_status find_chains(chain_maker *m, ossai_chains *chains)
{
	uint32_t end = chains->root;
	uint32_t *ends = ossai_arena_new(m->arena, m->curve->node_count, sizeof *ends);
	if (!ends) return ossa_context_error(m->arena->context)->status;
	for (size_t done = 0; done <= chains->count; done++) {
		const uint32_t parent = done == 0 ? OSSA_NONE : (uint32_t)(done - 1);
		if (done > 0) end = ends[parent];
		const uint32_t back = done == 0 ? OSSA_NONE : m->first[parent + m->curve->node_count];
		for (uint32_t k = m->start[end]; k < m->start[end + 1]; k++) {
			if (m->neighbor[k] == back) continue;
			const uint32_t c = (uint32_t)chains->count++;
			uint32_t last;
			const uint32_t nodes = walk(m, end, m->neighbor[k], &last);
			const bool is_leaf = degree(m, last) == 1;
			const uint32_t count = nodes + (is_leaf && m->tip_far[last] > 0);
			chains->chain[c] = (ossai_chain){parent, (uint32_t)m->points, count, is_leaf, 0, OSSA_NONE, 0, 0};
			m->from[c] = end;
			m->first[c] = m->neighbor[k];
			ends[c] = last;
			m->points += count;
			/* the node before the last: where chains from there must not go back to */
			uint32_t from = end, at = m->neighbor[k];
			while (at != last) {
				const uint32_t first = m->neighbor[m->start[at]];
				const uint32_t onward = first != from ? first : m->neighbor[m->start[at] + 1];
				from = at;
				at = onward;
			}
			m->first[c + m->curve->node_count] = from;
		}
		if (done == 0) chains->root_count = chains->count;
	}
	return OSSA_OK;
}

static void put_point(ossai_chains *chains, uint32_t at, ossai_vec3 point, double radius, uint32_t node)
{
	chains->point[at] = point;
	chains->radius[at] = radius;
	chains->node[at] = node;
}

static void fill_points(const chain_maker *m, ossai_chains *chains)
{
	const ossai_curve *curve = m->curve;
	for (uint32_t c = 0; c < chains->count; c++) {
		ossai_chain *chain = &chains->chain[c];
		uint32_t from = m->from[c], node = m->first[c], at = chain->begin;
		put_point(chains, at++, curve->node[from], curve->radius[from], from);
		for (;;) {
			put_point(chains, at++, curve->node[node], curve->radius[node], node);
			chain->volume += curve->volume[node];
			if (degree(m, node) != 2) break;
			const uint32_t first = m->neighbor[m->start[node]];
			const uint32_t onward = first != from ? first : m->neighbor[m->start[node] + 1];
			from = node;
			node = onward;
		}
		if (at < chain->begin + chain->count) put_point(chains, at, m->tip[node], curve->radius[node], OSSA_NONE);
		chains->arc[chain->begin] = 0;
		for (uint32_t i = chain->begin + 1; i < chain->begin + chain->count; i++) {
			chains->arc[i] = chains->arc[i - 1] + ossai_distance(chains->point[i - 1], chains->point[i]);
		}
		chain->length = chains->arc[chain->begin + chain->count - 1];
	}
	const ossai_own_frame frame = ossai_own_frame_of(m->proxy->positions, m->proxy->face_count, m->proxy->triangles);
	for (size_t c = chains->count; c-- > 0;) {
		ossai_chain *chain = &chains->chain[c];
		chain->place = ossai_own_place(ossai_to_own(&frame, chains->point[chain->begin + chain->count - 1]));
		if (chains->chain[c].parent != OSSA_NONE) chains->chain[chains->chain[c].parent].volume += chains->chain[c].volume;
	}
}

/* whether the edges join all nodes without a loop */
static ossa_status check_tree(ossai_arena *arena, const ossai_curve *curve)
{
	uint32_t *set = ossai_arena_new(arena, curve->node_count, sizeof *set);
	if (!set) return ossa_context_error(arena->context)->status;
	ossai_union_begin(set, curve->node_count);
	bool is_tree = curve->edge_count + 1 == curve->node_count;
	for (size_t e = 0; is_tree && e < curve->edge_count; e++) {
		is_tree = ossai_union_join(set, curve->edge[2 * e], curve->edge[2 * e + 1]);
	}
	if (is_tree) return OSSA_OK;
	return ossai_fail(arena->context, OSSA_ERROR_INPUT, NULL, "a curve of %zu nodes and %zu edges is no tree",
		curve->node_count, curve->edge_count);
}

ossa_status ossai_chains_make(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root, ossai_chains *chains)
{
	const size_t count = curve->node_count;
	*chains = (ossai_chains){.root = root};
	OSSAI_TRY(check_tree(arena, curve));
	chain_maker m = {.arena = arena, .proxy = proxy, .curve = curve};
	OSSAI_TRY(ossai_curve_neighbors(arena, curve, &m.start, &m.neighbor));
	m.tip = ossai_arena_new(arena, count, sizeof *m.tip);
	m.tip_far = ossai_arena_new(arena, count, sizeof *m.tip_far);
	m.onward = ossai_arena_new(arena, count, sizeof *m.onward);
	m.cap = ossai_arena_zero(arena, count, sizeof *m.cap);
	m.cap_count = ossai_arena_zero(arena, count, sizeof *m.cap_count);
	m.from = ossai_arena_new(arena, count, sizeof *m.from);
	m.first = ossai_arena_new(arena, count, 2 * sizeof *m.first);
	chains->chain = ossai_arena_new(arena, count, sizeof *chains->chain);
	if (!m.cap || !m.cap_count || !m.tip || !m.tip_far || !m.onward || !m.from || !m.first || !chains->chain)
		return ossa_context_error(arena->context)->status;
	find_tips(&m);
	OSSAI_TRY(find_chains(&m, chains));
	chains->point = ossai_arena_new(arena, m.points, sizeof *chains->point);
	chains->arc = ossai_arena_new(arena, m.points, sizeof *chains->arc);
	chains->radius = ossai_arena_new(arena, m.points, sizeof *chains->radius);
	chains->node = ossai_arena_new(arena, m.points, sizeof *chains->node);
	if (!chains->point || !chains->arc || !chains->radius || !chains->node) return ossa_context_error(arena->context)->status;
	fill_points(&m, chains);
	return OSSA_OK;
}

ossai_vec3 ossai_chain_at(const ossai_chains *chains, uint32_t chain, double arc, double *radius)
{
	const ossai_chain *c = &chains->chain[chain];
	uint32_t low = c->begin, high = c->begin + c->count - 1;
	/* the last point at or before it */
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (chains->arc[middle] <= arc) low = middle;
		else high = middle;
	}
	const double span = chains->arc[high] - chains->arc[low];
	double t = span > 0 ? (arc - chains->arc[low]) / span : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	if (radius) *radius = chains->radius[low] + t * (chains->radius[high] - chains->radius[low]);
	return ossai_lerp(chains->point[low], chains->point[high], t);
}

/* ---- the other side ---- */

ossa_status ossai_chains_match(ossai_arena *arena, const ossai_mirror *mirror, ossai_chains *chains)
{
	if (!mirror->exists) return OSSA_OK;
	ossai_branch *branch = ossai_arena_new(arena, chains->count, sizeof *branch);
	ossai_branch_image *image = ossai_arena_new(arena, chains->count, sizeof *image);
	if (!branch || !image) return ossa_context_error(arena->context)->status;
	for (size_t c = 0; c < chains->count; c++) {
		const ossai_chain *chain = &chains->chain[c];
		branch[c] = (ossai_branch){chain->parent, chain->is_leaf, chains->point[chain->begin + chain->count - 1]};
	}
	OSSAI_TRY(ossai_mirrored_chains(arena, mirror, NULL, chains->count, branch, image));
	for (size_t c = 0; c < chains->count; c++) chains->chain[c].mirrored = image[c].chain;
	return OSSA_OK;
}
