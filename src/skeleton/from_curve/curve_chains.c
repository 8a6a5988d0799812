/* skeleton/from_curve/curve_chains.c: see curve_chains.h. */
#include "skeleton/from_curve/curve_chains.h"

#include "base/search.h"
#include "base/union_find.h"
#include "curve/chains.h"
#include "curve/mirrored_chains.h"
#include "surface/canonical_frame.h"

#include <ossa/mesh.h>

/* Tips lie a little below the surface: a bone that ends on it would be half outside. */
static const double TIP_DEPTH = 0.03;

/* The end of a limb is what lies within this many radii of its last node, but at most this share of
   its chain; radii are at least the mean along that much of it. What lies this much nearer than its
   farthest vertex, in radii, counts 1 / e as much for the tip. */
static const double END = 1.5, MOST_OF_CHAIN = 0.5, CAP = 0.2;

/* An end points from where it begins to the middle of its vertices, and by this share to the last
   node. */
static const double TO_NODE = 0.25;

/* A tip is moved out to be as far as the farthest vertex, by at most this factor. */
static const double MOST_OUT = 1.5;

/* The end of a limb: heads, hands, the last of a tail. The curve's last nodes run into one corner
   or another of it; its vertices hardly change. */
typedef struct limb_end {
	ossai_vec3 base; /* where it begins, on the curve */
	double radius;   /* the most in it */
	/* of its vertices, then of those of its cap, relative to the base, each by its weight */
	ossai_vec3 sum;
	double count;
	ossai_vec3 onward; /* unit */
	double reach;      /* along that, from the base */
	ossai_vec3 tip;
} limb_end;

typedef struct chain_maker {
	const ossai_proxy *proxy;
	const ossai_curve *curve;
	ossai_curve_chains own; /* of the curve, from its root */
	/* the same from a junction or an end: how a limb ends does not depend on the root */
	ossai_curve_chains limbs;
	limb_end *end;     /* C: of leaves */
	uint32_t *leaf_of; /* C: the leaf whose limb's end a node belongs to; OSSA_NONE */
} chain_maker;

/* the mean radius along a chain from a stop on, as far as `most` */
static double mean_radius(const chain_maker *m, const ossai_curve_chain *chain, uint32_t leaf, double most)
{
	const ossai_curve *curve = m->curve;
	double sum = 0, arc = 0;
	for (uint32_t i = 1; i < chain->count && arc < most; i++) {
		const uint32_t from = ossai_curve_chain_from(&m->limbs, chain, leaf, i - 1);
		const uint32_t node = ossai_curve_chain_from(&m->limbs, chain, leaf, i);
		const double step = fmin(ossai_distance(curve->node[from], curve->node[node]), most - arc);
		sum += step * (curve->radius[from] + curve->radius[node]) / 2;
		arc += step;
	}
	return arc > 0 ? sum / arc : curve->radius[leaf];
}

/* where a limb's end begins, and which nodes are in it */
static void begin_end(chain_maker *m, const ossai_curve_chain *chain, uint32_t leaf)
{
	const ossai_curve *curve = m->curve;
	const double most = MOST_OF_CHAIN * chain->length;
	limb_end *end = &m->end[leaf];
	/* a last node that has run into a corner has hardly any clearance */
	end->radius = fmax(curve->radius[leaf], mean_radius(m, chain, leaf, most));
	m->leaf_of[leaf] = leaf;
	double arc = 0;
	for (uint32_t i = 1; i < chain->count; i++) {
		const uint32_t from = ossai_curve_chain_from(&m->limbs, chain, leaf, i - 1);
		const uint32_t node = ossai_curve_chain_from(&m->limbs, chain, leaf, i);
		const double step = ossai_distance(curve->node[from], curve->node[node]), wanted = fmin(END * end->radius, most);
		if (arc + step >= wanted || i + 1 == chain->count) {
			const double t = step > 0 ? fmin(fmax((wanted - arc) / step, 0), 1) : 1;
			end->base = ossai_lerp(curve->node[from], curve->node[node], t);
			return;
		}
		arc += step;
		m->leaf_of[node] = leaf;
		end->radius = fmax(end->radius, curve->radius[node]);
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
	const double out = along > 0 ? fmin(end->reach / along, MOST_OUT) : 1;
	end->tip = ossai_madd(end->base, (1 - TIP_DEPTH) * out, middle);
}

/* the tips of all leaves, in three passes over the vertices: the middle of each limb's end, how far
   it goes, and the middle of what lies farthest */
static void find_tips(chain_maker *m)
{
	const ossai_curve *curve = m->curve;
	limb_end *end;
	ossai_vec3 out;
	for (uint32_t i = 0; i < curve->node_count; i++) m->leaf_of[i] = OSSA_NONE;
	for (size_t c = 0; c < m->limbs.count; c++) {
		const ossai_curve_chain *chain = &m->limbs.chain[c];
		if (ossai_curve_degree(m->limbs.start, chain->begin) == 1) begin_end(m, chain, chain->begin);
		if (chain->is_leaf) begin_end(m, chain, chain->end);
	}
	for (size_t v = 0; v < curve->vertex_count; v++) {
		if (!(end = end_of(m, v, &out))) continue;
		end->sum = ossai_add(end->sum, out);
		end->count++;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) take_direction(m, i);
	for (size_t v = 0; v < curve->vertex_count; v++) {
		if ((end = end_of(m, v, &out))) end->reach = fmax(end->reach, ossai_dot(out, end->onward));
	}
	for (size_t v = 0; v < curve->vertex_count; v++) {
		if (!(end = end_of(m, v, &out)) || !(end->reach > 0)) continue;
		const double weight = exp((ossai_dot(out, end->onward) - end->reach) / (CAP * end->radius));
		end->sum = ossai_madd(end->sum, weight, out);
		end->count += weight;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) take_tip(m, i);
}

/* chains of points: those of the curve, and where a leaf has vertices, its tip */
static size_t list_chains(const chain_maker *m, ossai_chains *chains)
{
	size_t points = 0;
	chains->count = m->own.count;
	for (uint32_t c = 0; c < chains->count; c++) {
		const ossai_curve_chain *own = &m->own.chain[c];
		const uint32_t count = own->count + (own->is_leaf && m->end[own->end].reach > 0);
		chains->chain[c] = (ossai_chain){
			.parent = own->parent, .begin = (uint32_t)points, .count = count, .is_leaf = own->is_leaf, .mirrored = OSSA_NONE};
		chains->root_count += own->parent == OSSA_NONE;
		points += count;
	}
	return points;
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

static void fill_chain(const chain_maker *m, const ossai_curve_chain *own, ossai_chain *chain, ossai_chains *chains)
{
	const ossai_curve *curve = m->curve;
	const uint32_t *node = ossai_curve_chain_nodes(&m->own, own);
	for (uint32_t i = 0; i < own->count; i++) {
		put_point(chains, chain->begin + i, curve->node[node[i]], curve->radius[node[i]], node[i]);
		if (i > 0) chain->volume += curve->volume[node[i]];
	}
	if (chain->count > own->count) {
		put_point(chains, chain->begin + own->count, m->end[own->end].tip, curve->radius[own->end], OSSA_NONE);
		straighten_end(m, chains, chain, own->end);
	}
	chains->arc[chain->begin] = 0;
	for (uint32_t i = chain->begin + 1; i < chain->begin + chain->count; i++) {
		chains->arc[i] = chains->arc[i - 1] + ossai_distance(chains->point[i - 1], chains->point[i]);
	}
	chain->length = chains->arc[chain->begin + chain->count - 1];
}

static void fill_points(const chain_maker *m, ossai_chains *chains)
{
	for (uint32_t c = 0; c < chains->count; c++) fill_chain(m, &m->own.chain[c], &chains->chain[c], chains);
	const ossai_canonical_frame frame = ossai_canonical_frame_of(
		m->proxy->positions, m->proxy->face_count, m->proxy->triangles);
	for (size_t c = chains->count; c-- > 0;) {
		ossai_chain *chain = &chains->chain[c];
		chain->place = ossai_canonical_place(ossai_to_canonical(&frame, chains->point[chain->begin + chain->count - 1]));
		if (chain->parent != OSSA_NONE) chains->chain[chain->parent].volume += chain->volume;
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

static ossa_status take_arrays(ossai_arena *arena, size_t points, ossai_chains *chains)
{
	chains->point = ossai_arena_new(arena, points, sizeof *chains->point);
	chains->arc = ossai_arena_new(arena, points, sizeof *chains->arc);
	chains->radius = ossai_arena_new(arena, points, sizeof *chains->radius);
	chains->node = ossai_arena_new(arena, points, sizeof *chains->node);
	const bool all = chains->point && chains->arc && chains->radius && chains->node;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_chains_make(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root, ossai_chains *chains)
{
	*chains = (ossai_chains){.root = root};
	OSSAI_TRY(check_tree(arena, curve));
	chain_maker m = {.proxy = proxy, .curve = curve};
	OSSAI_TRY(ossai_curve_chains_make(arena, curve, root, &m.own));
	OSSAI_TRY(ossai_curve_chains_make(arena, curve, OSSA_NONE, &m.limbs));
	m.end = ossai_arena_zero(arena, curve->node_count, sizeof *m.end);
	m.leaf_of = ossai_arena_new(arena, curve->node_count, sizeof *m.leaf_of);
	chains->chain = ossai_arena_new(arena, m.own.count, sizeof *chains->chain);
	if (!m.end || !m.leaf_of || !chains->chain) return ossa_context_error(arena->context)->status;
	find_tips(&m);
	OSSAI_TRY(take_arrays(arena, list_chains(&m, chains), chains));
	fill_points(&m, chains);
	return OSSA_OK;
}

ossai_vec3 ossai_chain_at(const ossai_chains *chains, uint32_t chain, double arc, double *radius)
{
	const ossai_chain *c = &chains->chain[chain];
	const size_t low = c->begin + ossai_search_double(chains->arc + c->begin, c->count - 1, arc);
	const size_t high = c->count > 1 ? low + 1 : low;
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
