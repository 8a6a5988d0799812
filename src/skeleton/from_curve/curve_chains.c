/* skeleton/from_curve/curve_chains.c: see curve_chains.h. */
#include "skeleton/from_curve/curve_chains.h"

#include "base/union_find.h"
#include "curve/mirrored_chains.h"
#include "surface/canonical_frame.h"

#include <ossa/mesh.h>

/* Tips lie a little below the surface: a bone that ends on it would be half outside. */
static const double TIP_DEPTH = 0.03;

/* The end of a limb is what lies within this many radii of its last node, but at most this share of its chain; what lies this much nearer than its
   farthest vertex, in radii, counts 1 / e as much for the tip. */
static const double END = 1.5, MOST_OF_CHAIN = 0.5, CAP = 0.2;

/* ... radii that are at least this share of the mean along that much of the chain. */
static const double OF_MEAN = 1.0;

/* An end points from where it begins to the middle of its vertices, and by this share to the last node. */
static const double TO_NODE = 0.25;

/* A tip is moved out to be as far as the farthest vertex, by at most this factor. */
static const double MOST_OUT = 1.5;

/* The end of a limb: heads, hands, the last of a tail. The curve's last nodes run into one corner or another of it; its vertices hardly change. */
typedef struct limb_end {
	ossai_vec3 base; /* where it begins, on the curve */
	double radius;   /* the most in it */
	ossai_vec3 sum;  /* of its vertices, then of those of its cap, as seen from the base, each for what it counts */
	double count;
	ossai_vec3 onward; /* unit */
	double far;        /* along that, from the base */
	ossai_vec3 tip;
} limb_end;

typedef struct chain_maker {
	ossai_arena *arena;
	const ossai_proxy *proxy;
	const ossai_curve *curve;
	uint32_t *start, *neighbor;
	limb_end *end;     /* C: of leaves */
	uint32_t *leaf_of; /* C: the leaf whose limb's end a node belongs to; OSSA_NONE */
	uint32_t *from;    /* per chain: the node that it begins at */
	uint32_t *first;   /* per chain: its next node */
	size_t points;
} chain_maker;

static double chain_length(const chain_maker *m, uint32_t leaf)
{
	uint32_t from = leaf, node = m->neighbor[m->start[leaf]];
	double length = ossai_distance(m->curve->node[leaf], m->curve->node[node]);
	while (ossai_curve_degree(m->start, node) == 2) {
		const uint32_t next = ossai_curve_onward(m->start, m->neighbor, from, node);
		length += ossai_distance(m->curve->node[node], m->curve->node[next]);
		from = node;
		node = next;
	}
	return length;
}

/* the mean room along a chain from its leaf on, as far as `most` */
static double mean_radius(const chain_maker *m, uint32_t leaf, double most)
{
	const ossai_curve *curve = m->curve;
	double sum = 0, arc = 0;
	for (uint32_t from = leaf, node = m->neighbor[m->start[leaf]];;) {
		const double step = fmin(ossai_distance(curve->node[from], curve->node[node]), most - arc);
		sum += step * (curve->radius[from] + curve->radius[node]) / 2;
		arc += step;
		if (arc >= most || ossai_curve_degree(m->start, node) != 2) break;
		const uint32_t next = ossai_curve_onward(m->start, m->neighbor, from, node);
		from = node;
		node = next;
	}
	return arc > 0 ? sum / arc : curve->radius[leaf];
}

/* where a limb's end begins, and which nodes are in it */
static void begin_end(chain_maker *m, uint32_t leaf)
{
	const ossai_curve *curve = m->curve;
	const double most = MOST_OF_CHAIN * chain_length(m, leaf);
	limb_end *end = &m->end[leaf];
	/* a last node that has run into a corner has hardly any room */
	end->radius = fmax(curve->radius[leaf], OF_MEAN * mean_radius(m, leaf, most));
	m->leaf_of[leaf] = leaf;
	double arc = 0;
	for (uint32_t from = leaf, node = m->neighbor[m->start[leaf]];;) {
		const double step = ossai_distance(curve->node[from], curve->node[node]), wanted = fmin(END * end->radius, most);
		if (arc + step >= wanted || ossai_curve_degree(m->start, node) != 2) {
			const double t = step > 0 ? fmin(fmax((wanted - arc) / step, 0), 1) : 1;
			end->base = ossai_lerp(curve->node[from], curve->node[node], t);
			return;
		}
		arc += step;
		m->leaf_of[node] = leaf;
		end->radius = fmax(end->radius, curve->radius[node]);
		const uint32_t next = ossai_curve_onward(m->start, m->neighbor, from, node);
		from = node;
		node = next;
	}
}

/* the end that a vertex belongs to, and where it is as seen from that's base; NULL */
static limb_end *end_of(const chain_maker *m, size_t vertex, ossai_vec3 *out)
{
	const uint32_t leaf = m->leaf_of[m->curve->node_of_vertex[vertex]];
	if (leaf == OSSA_NONE) return NULL;
	*out = ossai_sub(ossai_v3_of(m->proxy->positions + 3 * vertex), m->end[leaf].base);
	return &m->end[leaf];
}

static void take_direction(const chain_maker *m, uint32_t leaf)
{
	limb_end *end = &m->end[leaf];
	if (!(end->count > 0)) return;
	const ossai_vec3 middle = ossai_scale(end->sum, 1 / end->count), node = ossai_sub(m->curve->node[leaf], end->base);
	end->onward = ossai_unit(ossai_lerp(middle, node, TO_NODE), ossai_v3(0, 0, 0));
	end->sum = ossai_v3(0, 0, 0);
	end->count = 0;
}

/* as far out as the farthest, in the direction of the cap's middle */
static void take_tip(const chain_maker *m, uint32_t leaf)
{
	limb_end *end = &m->end[leaf];
	end->tip = m->curve->node[leaf];
	if (!(end->count > 0)) return;
	const ossai_vec3 middle = ossai_scale(end->sum, 1 / end->count);
	const double along = ossai_dot(middle, end->onward);
	const double out = along > 0 ? fmin(end->far / along, MOST_OUT) : 1;
	end->tip = ossai_madd(end->base, (1 - TIP_DEPTH) * out, middle);
}

/* the tips of all leaves, in three passes over the vertices: the middle of each limb's end, how far it goes, and the middle of what lies farthest */
static void find_tips(chain_maker *m)
{
	const ossai_curve *curve = m->curve;
	limb_end *end;
	ossai_vec3 out;
	for (uint32_t i = 0; i < curve->node_count; i++) m->leaf_of[i] = OSSA_NONE;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (ossai_curve_degree(m->start, i) == 1) begin_end(m, i);
	}
	for (size_t v = 0; v < curve->vertex_count; v++) {
		if (!(end = end_of(m, v, &out))) continue;
		end->sum = ossai_add(end->sum, out);
		end->count++;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) take_direction(m, i);
	for (size_t v = 0; v < curve->vertex_count; v++) {
		if ((end = end_of(m, v, &out))) end->far = fmax(end->far, ossai_dot(out, end->onward));
	}
	for (size_t v = 0; v < curve->vertex_count; v++) {
		if (!(end = end_of(m, v, &out)) || !(end->far > 0)) continue;
		const double weight = exp((ossai_dot(out, end->onward) - end->far) / (CAP * end->radius));
		end->sum = ossai_madd(end->sum, weight, out);
		end->count += weight;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) take_tip(m, i);
}

/* how many points chains from `node` by way of `next` have, and the last node */
static uint32_t walk(const chain_maker *m, uint32_t node, uint32_t next, uint32_t *last)
{
	uint32_t count = 2, from = node;
	while (ossai_curve_degree(m->start, next) == 2) {
		const uint32_t after = ossai_curve_onward(m->start, m->neighbor, from, next);
		from = next;
		next = after;
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
			const bool is_leaf = ossai_curve_degree(m->start, last) == 1;
			const uint32_t count = nodes + (is_leaf && m->end[last].far > 0);
			chains->chain[c] = (ossai_chain){parent, (uint32_t)m->points, count, is_leaf, 0, OSSA_NONE, 0, 0};
			m->from[c] = end;
			m->first[c] = m->neighbor[k];
			ends[c] = last;
			m->points += count;
			/* the node before the last: where chains from there must not go back to */
			uint32_t from = end, at = m->neighbor[k];
			while (at != last) {
				const uint32_t after = ossai_curve_onward(m->start, m->neighbor, from, at);
				from = at;
				at = after;
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

/* the points of a limb's end go onto the line to its tip, each as far along as it was */
static void straighten_end(const chain_maker *m, ossai_chains *chains, const ossai_chain *chain, uint32_t leaf)
{
	const limb_end *end = &m->end[leaf];
	const uint32_t last = chain->begin + chain->count - 1;
	uint32_t first = last;
	while (first > chain->begin + 1 && m->leaf_of[chains->node[first - 1]] == leaf) first--;
	double all = ossai_distance(chains->point[first], end->base), arc = 0;
	for (uint32_t i = first; i < last; i++) all += ossai_distance(chains->point[i], chains->point[i + 1]);
	ossai_vec3 before = end->base;
	for (uint32_t i = first; i <= last && all > 0; i++) {
		arc += ossai_distance(before, chains->point[i]);
		before = chains->point[i];
		chains->point[i] = ossai_lerp(end->base, end->tip, i < last ? arc / all : 1);
	}
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
			if (ossai_curve_degree(m->start, node) != 2) break;
			const uint32_t next = ossai_curve_onward(m->start, m->neighbor, from, node);
			from = node;
			node = next;
		}
		if (at < chain->begin + chain->count) {
			put_point(chains, at, m->end[node].tip, curve->radius[node], OSSA_NONE);
			straighten_end(m, chains, chain, node);
		}
		chains->arc[chain->begin] = 0;
		for (uint32_t i = chain->begin + 1; i < chain->begin + chain->count; i++) {
			chains->arc[i] = chains->arc[i - 1] + ossai_distance(chains->point[i - 1], chains->point[i]);
		}
		chain->length = chains->arc[chain->begin + chain->count - 1];
	}
	const ossai_canonical_frame frame = ossai_canonical_frame_of(m->proxy->positions, m->proxy->face_count, m->proxy->triangles);
	for (size_t c = chains->count; c-- > 0;) {
		ossai_chain *chain = &chains->chain[c];
		chain->place = ossai_own_place(ossai_to_canonical(&frame, chains->point[chain->begin + chain->count - 1]));
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
	m.end = ossai_arena_zero(arena, count, sizeof *m.end);
	m.leaf_of = ossai_arena_new(arena, count, sizeof *m.leaf_of);
	m.from = ossai_arena_new(arena, count, sizeof *m.from);
	m.first = ossai_arena_new(arena, count, 2 * sizeof *m.first);
	chains->chain = ossai_arena_new(arena, count, sizeof *chains->chain);
	if (!m.end || !m.leaf_of || !m.from || !m.first || !chains->chain) return ossa_context_error(arena->context)->status;
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
