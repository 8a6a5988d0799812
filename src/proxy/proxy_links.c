/* proxy/proxy_links.c: see proxy_links.h.

   A bounding volume hierarchy over the vertices, as faces of one point each, finds the nearest
   vertex of another piece. */
#include "proxy/proxy_links.h"

#include "base/union_find.h"
#include "mesh/pairs.h"
#include "mesh/pieces.h"
#include "mesh/weld.h"
#include "query/face_tree.h"
#include "surface/links.h"

#include <ossa/mesh.h>
#include <stdlib.h>

enum { POINT_GRAIN = 256 };

/* The number of other pieces with which a piece keeps its links. With 300 triangles that all cross,
   8000 vertices, 1, 3, 6 or all let a factorisation take 0.5, 23, 230 or 2000 million
   operations. */
enum { NEIGHBORS = 3 };

typedef struct linker {
	ossa_context *context;
	ossai_proxy *proxy;
	bool ring;
	double most; /* maximum length of a link */
	size_t point_count;
	/* points at different places: the first ones; those after lie where one of these does */
	size_t site_count;
	uint32_t *points;            /* the vertices that faces use */
	uint32_t *site;              /* of the points: the first one that lies there */
	ossai_placed_vertex *sorted; /* scratch */
	uint32_t *corners;           /* 3 a site: itself */
	float *positions;            /* N x 3 */
	double *edge;                /* N: mean of the edges at a vertex */
	uint32_t *piece_of_point;    /* of the points */
	uint32_t *group_of_point;    /* the smallest piece of its component */
	uint32_t *parent;            /* union-find over pieces */
	/* of the points; no point of another component is nearer, found or not */
	ossai_near_face *nearest;
	ossai_near_face *best; /* of each component */
	uint32_t *best_source; /* ... and which of its points that is nearest to */
	ossai_face_tree tree;
	ossai_pair *links;
	size_t link_count;
} linker;

static ossa_status take_arrays(ossai_arena *scratch, linker *l)
{
	const size_t vertices = l->proxy->vertex_count, pieces = l->proxy->piece_count;
	l->points = ossai_arena_new(scratch, vertices, sizeof *l->points);
	l->site = ossai_arena_new(scratch, vertices, sizeof *l->site);
	l->sorted = ossai_arena_new(scratch, vertices, sizeof *l->sorted);
	l->corners = ossai_arena_new(scratch, vertices, 3 * sizeof *l->corners);
	l->positions = ossai_arena_new(scratch, vertices, 3 * sizeof *l->positions);
	l->edge = ossai_arena_zero(scratch, vertices, sizeof *l->edge);
	l->piece_of_point = ossai_arena_new(scratch, vertices, sizeof *l->piece_of_point);
	l->group_of_point = ossai_arena_zero(scratch, vertices, sizeof *l->group_of_point);
	l->nearest = ossai_arena_zero(scratch, vertices, sizeof *l->nearest);
	l->parent = ossai_arena_new(scratch, pieces, sizeof *l->parent);
	l->best = ossai_arena_new(scratch, pieces, sizeof *l->best);
	l->best_source = ossai_arena_zero(scratch, pieces, sizeof *l->best_source);
	/* one for each point, and those of a spanning tree */
	l->links = ossai_arena_new(scratch, vertices + 2 * pieces, sizeof *l->links);
	const bool all = l->points && l->site && l->sorted && l->corners && l->positions && l->edge && l->piece_of_point &&
		l->group_of_point && l->nearest && l->parent && l->best && l->best_source && l->links;
	return all ? OSSA_OK : ossa_context_error(l->context)->status;
}

static uint32_t add_point(linker *l, uint32_t vertex, const uint32_t *piece_of_vertex)
{
	const uint32_t point = (uint32_t)l->point_count++;
	l->points[point] = vertex;
	l->piece_of_point[point] = piece_of_vertex[vertex];
	l->site[point] = point;
	return point;
}

/* Coincident points are one for the tree: else it would test each of them against all others. */
static void gather_points(linker *l, const uint32_t *piece_of_vertex)
{
	const ossai_proxy *p = l->proxy;
	size_t count = 0;
	/* no negative zero */
	for (size_t i = 0; i < 3 * p->vertex_count; i++) l->positions[i] = (float)p->positions[i] + 0.0f;
	for (uint32_t v = 0; v < p->vertex_count; v++) {
		const float *at = l->positions + 3 * (size_t)v;
		if (piece_of_vertex[v] != OSSA_NONE) l->sorted[count++] = (ossai_placed_vertex){{at[0], at[1], at[2]}, v};
	}
	ossai_sort_by_place(l->sorted, count);
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && ossai_compare_places(&l->sorted[i - 1], &l->sorted[i]) == 0) continue;
		const uint32_t point = add_point(l, l->sorted[i].vertex, piece_of_vertex);
		for (size_t k = 0; k < 3; k++) l->corners[3 * (size_t)point + k] = l->sorted[i].vertex;
	}
	l->site_count = l->point_count;
	for (size_t i = 1, site = 0; i < count; i++) {
		if (ossai_compare_places(&l->sorted[i - 1], &l->sorted[i]) != 0) site++;
		else l->site[add_point(l, l->sorted[i].vertex, piece_of_vertex)] = (uint32_t)site;
	}
}

static ossai_vec3 point_at(const linker *l, size_t point)
{
	return ossai_v3_of_float(l->positions + 3 * (size_t)l->points[point]);
}

/* mean length of the edges at each vertex; `count` is scratch of N, all 0 */
static void measure_edges(linker *l, uint32_t *count)
{
	const ossai_proxy *p = l->proxy;
	for (size_t i = 0; i < 3 * p->face_count; i++) {
		const uint32_t a = p->triangles[i], b = p->triangles[i % 3 == 2 ? i - 2 : i + 1];
		const double length = ossai_distance(
			ossai_v3_of(p->positions + 3 * (size_t)a), ossai_v3_of(p->positions + 3 * (size_t)b));
		l->edge[a] += length;
		l->edge[b] += length;
		count[a]++;
		count[b]++;
	}
	for (size_t v = 0; v < p->vertex_count; v++) {
		if (count[v] > 0) l->edge[v] /= count[v];
		count[v] = 0;
	}
}

static void add_link(linker *l, size_t point, uint32_t other)
{
	l->links[l->link_count++] = ossai_pair_of(l->points[point], l->points[other], 0);
	ossai_union_join(l->parent, l->piece_of_point[point], l->piece_of_point[other]);
}

static uint32_t count_components(linker *l)
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < l->proxy->piece_count; p++) count += ossai_union_find(l->parent, p) == p;
	return count;
}

/* updates the components */
static void find_components(linker *l)
{
	for (size_t i = 0; i < l->point_count; i++) {
		l->group_of_point[i] = ossai_union_find(l->parent, l->piece_of_point[i]);
	}
	ossai_face_tree_set_groups(&l->tree, l->group_of_point);
	for (uint32_t p = 0; p < l->proxy->piece_count; p++) l->best[p] = (ossai_near_face){OSSA_NONE, INFINITY};
}

/* The shortest link out of each component. As components grow, the nearest point outside of them
   can only move away, so most points need not be searched again, and none farther than its
   component's best so far. */
static void find_shortest(linker *l)
{
	for (size_t i = 0; i < l->site_count; i++) {
		const uint32_t group = l->group_of_point[i];
		ossai_near_face *best = &l->best[group];
		if (l->nearest[i].distance2 >= best->distance2) continue;
		const ossai_near_face within = {OSSA_NONE, best->distance2};
		l->nearest[i] = ossai_face_tree_nearest(&l->tree, l->group_of_point, point_at(l, i), group, within);
		if (l->nearest[i].face == OSSA_NONE || l->nearest[i].distance2 >= best->distance2) continue;
		*best = l->nearest[i];
		l->best_source[group] = (uint32_t)i;
	}
}

/* the maximum length of the links of a point, before components grow */
static double reach_of(const linker *l, size_t point)
{
	if (l->most < INFINITY) return l->most;
	const double slack = l->ring ? OSSAI_LINK_REACH * l->edge[l->points[point]] : 0;
	return sqrt(l->best[l->piece_of_point[point]].distance2) * (1 + 1e-9) + slack;
}

static void link_range(void *arg, size_t begin, size_t end)
{
	linker *l = arg;
	for (size_t i = begin; i < end; i++) {
		const double reach = reach_of(l, i);
		/* points at exactly this distance count */
		const ossai_near_face within = {OSSA_NONE, reach * reach * (1 + 1e-12)};
		l->nearest[i] = ossai_face_tree_nearest(&l->tree, l->group_of_point, point_at(l, i), l->group_of_point[i], within);
	}
}

/* unites pieces that share a position: no distance could be smaller */
static void unite_at_sites(linker *l)
{
	for (size_t i = l->site_count; i < l->point_count; i++) {
		const uint32_t site = l->site[i], own = l->piece_of_point[i], other = l->piece_of_point[site];
		if (own != other) l->best[own] = l->best[other] = (ossai_near_face){site, 0};
	}
}

static void link_near_points(linker *l)
{
	find_components(l);
	unite_at_sites(l);
	if (!(l->most < INFINITY)) find_shortest(l);
	ossai_parallel_for(l->context, l->site_count, POINT_GRAIN, link_range, l);
	for (size_t i = 0; i < l->site_count; i++) {
		if (l->nearest[i].face != OSSA_NONE) add_link(l, i, l->nearest[i].face);
	}
	for (size_t i = l->site_count; i < l->point_count; i++) {
		if (l->piece_of_point[i] != l->piece_of_point[l->site[i]]) add_link(l, i, l->site[i]);
	}
}

/* ---- few partners ---- */

/* The links between two pieces: one contact for each of the two. */
typedef struct contact {
	uint32_t piece, other; /* the piece, and the index of the pair */
	uint32_t links;
	double shortest;
} contact;

/* the contacts of a piece together, those of most links first, then the shortest */
static int by_strength(const void *left, const void *right)
{
	const contact *a = left, *b = right;
	if (a->piece != b->piece) return a->piece < b->piece ? -1 : 1;
	if (a->links != b->links) return a->links > b->links ? -1 : 1;
	if (a->shortest != b->shortest) return a->shortest < b->shortest ? -1 : 1;
	return a->other < b->other ? -1 : a->other > b->other;
}

static double link_length(const linker *l, const ossai_pair *link)
{
	return ossai_distance(ossai_v3_of(l->proxy->positions + 3 * (size_t)link->first),
		ossai_v3_of(l->proxy->positions + 3 * (size_t)link->second));
}

/* sorts links by the pieces that they connect, into `by_pieces`, and lists the contacts; returns
   the number of pairs of pieces */
static ossa_status list_contacts(
	const linker *l, const uint32_t *piece, ossai_pair *by_pieces, contact *contacts, size_t *pairs)
{
	for (uint32_t i = 0; i < l->link_count; i++) {
		by_pieces[i] = ossai_pair_of(piece[l->links[i].first], piece[l->links[i].second], i);
	}
	OSSAI_TRY(ossai_pairs_sort(l->context, by_pieces, l->link_count, l->proxy->piece_count));
	*pairs = 0;
	for (size_t i = 0; i < l->link_count; (*pairs)++) {
		const size_t end = ossai_pairs_run_end(by_pieces, l->link_count, i);
		contact c = {by_pieces[i].first, (uint32_t)*pairs, (uint32_t)(end - i), INFINITY};
		const uint32_t other = by_pieces[i].second;
		for (; i < end; i++) {
			c.shortest = fmin(c.shortest, link_length(l, &l->links[by_pieces[i].tag]));
		}
		contacts[2 * *pairs] = c;
		c.piece = other;
		contacts[2 * *pairs + 1] = c;
	}
	return OSSA_OK;
}

/* marks the pairs that are among the strongest of one of their pieces, or its nearest */
static void mark_strong(const contact *contacts, size_t count, uint8_t *stays)
{
	for (size_t i = 0; i < count;) {
		size_t nearest = i, end = i;
		for (; end < count && contacts[end].piece == contacts[i].piece; end++) {
			if (contacts[end].shortest < contacts[nearest].shortest) nearest = end;
			if (end < i + NEIGHBORS) stays[contacts[end].other] = 1;
		}
		stays[contacts[nearest].other] = 1;
		i = end;
	}
}

/* Pieces that pass through many others, as the triangles of a soup do, would link everything to
   everything, and no elimination order would keep that system sparse. Links stay between a piece
   and the pieces with which it has most links, between nearest pieces, and where pieces would be
   unconnected without them. */
static ossa_status thin_links(ossai_arena *scratch, linker *l, const uint32_t *piece)
{
	size_t pairs = 0;
	ossai_pair *by_pieces = ossai_arena_new(scratch, l->link_count, sizeof *by_pieces);
	contact *contacts = ossai_arena_new(scratch, l->link_count, 2 * sizeof *contacts);
	uint8_t *stays = ossai_arena_zero(scratch, l->link_count, 1);
	uint8_t *goes = ossai_arena_zero(scratch, l->link_count, 1);
	if (!by_pieces || !contacts || !stays || !goes) return ossa_context_error(l->context)->status;
	OSSAI_TRY(list_contacts(l, piece, by_pieces, contacts, &pairs));
	qsort(contacts, 2 * pairs, sizeof *contacts, by_strength);
	mark_strong(contacts, 2 * pairs, stays);
	ossai_union_begin(l->parent, l->proxy->piece_count);
	for (int strong = 1; strong >= 0; strong--) {
		for (size_t i = 0, pair = 0; i < l->link_count; pair++) {
			const size_t end = ossai_pairs_run_end(by_pieces, l->link_count, i);
			const bool joins = stays[pair] == strong && ossai_union_join(l->parent, by_pieces[i].first, by_pieces[i].second);
			for (; i < end; i++) {
				if (!strong && !stays[pair] && !joins) goes[by_pieces[i].tag] = 1;
			}
		}
	}
	size_t kept = 0;
	for (size_t i = 0; i < l->link_count; i++) {
		if (!goes[i]) l->links[kept++] = l->links[i];
	}
	l->link_count = kept;
	return OSSA_OK;
}

static void connect_all(linker *l)
{
	while (count_components(l) > 1) {
		find_components(l);
		find_shortest(l);
		for (uint32_t p = 0; p < l->proxy->piece_count; p++) {
			const uint32_t source = l->best_source[p], other = l->best[p].face;
			if (other == OSSA_NONE) continue;
			const uint32_t a = ossai_union_find(l->parent, l->piece_of_point[source]);
			if (a != ossai_union_find(l->parent, l->piece_of_point[other])) add_link(l, source, other);
		}
	}
}

/* drops links shorter than the splitting distance, and counts the components that the others
   leave */
static void split_links(linker *l, double split_distance, const uint32_t *piece_of_vertex)
{
	size_t kept = 0;
	ossai_union_begin(l->parent, l->proxy->piece_count);
	for (size_t i = 0; i < l->link_count; i++) {
		const ossai_pair link = l->links[i];
		const double length = ossai_distance(ossai_v3_of(l->proxy->positions + 3 * (size_t)link.first),
			ossai_v3_of(l->proxy->positions + 3 * (size_t)link.second));
		if (length < split_distance) continue;
		ossai_union_join(l->parent, piece_of_vertex[link.first], piece_of_vertex[link.second]);
		l->links[kept++] = link;
	}
	l->link_count = kept;
}

/* the links, sorted, without duplicates */
static ossa_status take_links(ossai_arena *arena, linker *l, uint32_t **links, size_t *count)
{
	OSSAI_TRY(ossai_pairs_sort(l->context, l->links, l->link_count, l->proxy->vertex_count));
	return ossai_pairs_unique(arena, l->links, l->link_count, links, count);
}

static ossa_status make_links(ossai_arena *arena, ossai_arena *scratch, linker *l, double split_distance, const uint32_t *piece)
{
	ossai_proxy *p = l->proxy;
	OSSAI_TRY(take_arrays(scratch, l));
	gather_points(l, piece);
	measure_edges(l, l->group_of_point);
	const ossai_mesh_view sites = ossai_view_of_floats(p->vertex_count, l->positions, l->site_count, l->corners);
	OSSAI_TRY(ossai_face_tree_make(scratch, &sites, &l->tree));
	ossai_union_begin(l->parent, p->piece_count);
	link_near_points(l);
	if (!(l->most < INFINITY)) connect_all(l);
	split_links(l, split_distance, piece);
	const uint32_t left = count_components(l);
	OSSAI_TRY(take_links(arena, l, &p->links, &p->link_count));
	OSSAI_TRY(thin_links(scratch, l, piece));
	p->piece_count = left;
	return take_links(arena, l, &p->ties, &p->tie_count);
}

ossa_status ossai_proxy_link(ossai_arena *arena, double join_distance, double split_distance, bool ring, ossai_proxy *proxy)
{
	linker l = {.context = arena->context, .proxy = proxy, .ring = ring, .most = join_distance < 0 ? INFINITY : join_distance};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	uint32_t *piece_of_face = ossai_arena_new(&scratch, proxy->face_count, sizeof *piece_of_face);
	uint32_t *piece_of_vertex = ossai_arena_new(&scratch, proxy->vertex_count, sizeof *piece_of_vertex);
	ossa_status status = piece_of_face && piece_of_vertex ? OSSA_OK : ossa_context_error(arena->context)->status;
	proxy->links = proxy->ties = NULL;
	proxy->link_count = proxy->tie_count = 0;
	if (status == OSSA_OK) {
		status = ossai_pieces_make(arena->context, proxy->vertex_count, proxy->face_count, proxy->triangles, piece_of_face,
			piece_of_vertex, &proxy->piece_count);
	}
	proxy->unlinked_count = proxy->piece_count;
	if (status == OSSA_OK && proxy->piece_count > 1) {
		status = make_links(arena, &scratch, &l, split_distance, piece_of_vertex);
	}
	ossai_arena_end(&scratch);
	return status;
}
