/* surface/links.c: where separate pieces of a surface touch or nearly touch.

   Place in the path: before clustering.
   Input: positions at rest, triangles, pieces.
   Output: pairs of faces.
   A tree of boxes over all faces finds each piece's nearest face of another one, and then for
   every source face (border of an open piece, all of a closed one) whether there is one at not
   much larger distance. Components that remain are joined by the shortest links, in the rounds of
   Boruvka's algorithm (1926): in each, every component searches for its nearest face of another. */
#include "surface/links.h"
#include "base/union_find.h"
#include "query/face_tree.h"
#include "mesh/pairs.h"

#include <ossa/mesh.h>

enum { SOURCES_PER_RANGE = 256 };

typedef struct linker {
	ossa_context *context;
	const uint32_t *triangles;
	const uint32_t *piece_of_face;
	size_t face_count;
	uint32_t piece_count;
	ossai_face_tree tree;
	size_t source_count;
	uint32_t *sources; /* faces, rising */
	/* of each source; no face of another component is nearer than this, found or not */
	ossai_near_face *nearest;
	uint32_t *parent;        /* union-find over pieces */
	uint32_t *group_of_face; /* its component's root */
	ossai_near_face *best;   /* of each component: its nearest foreign face */
	uint32_t *best_source;   /* ... and the own face it is nearest to */
	ossai_pair *links;
	size_t link_count;
} linker;

static ossa_status allocate(linker *l, ossai_arena *scratch)
{
	l->sources = ossai_arena_new(scratch, l->face_count, sizeof *l->sources);
	if (l->sources) l->nearest = ossai_arena_zero(scratch, l->face_count, sizeof *l->nearest);
	if (l->nearest) l->parent = ossai_arena_new(scratch, l->piece_count, sizeof *l->parent);
	if (l->parent) l->group_of_face = ossai_arena_new(scratch, l->face_count, sizeof *l->group_of_face);
	if (l->group_of_face) l->best = ossai_arena_new(scratch, l->piece_count, sizeof *l->best);
	if (l->best) l->best_source = ossai_arena_zero(scratch, l->piece_count, sizeof *l->best_source);
	/* a link for each source, the shortest of each piece, and those of a spanning tree */
	if (l->best_source) l->links = ossai_arena_new(scratch, l->face_count + 2 * (size_t)l->piece_count, sizeof *l->links);
	return l->links ? OSSA_OK : ossa_context_error(l->context)->status;
}

/* the border faces of open pieces, all faces of closed ones */
static void pick_sources(linker *l, const uint8_t *face_on_border)
{
	uint32_t *is_open = l->best_source; /* all zero, not in use yet */
	for (size_t f = 0; f < l->face_count; f++) {
		if (face_on_border[f]) is_open[l->piece_of_face[f]] = 1;
	}
	for (size_t f = 0; f < l->face_count; f++) {
		if (face_on_border[f] || !is_open[l->piece_of_face[f]]) l->sources[l->source_count++] = (uint32_t)f;
	}
}

static double mean_edge(const linker *l, uint32_t face)
{
	const uint32_t *t = l->triangles + 3 * (size_t)face;
	double sum = 0;
	for (int k = 0; k < 3; k++) {
		sum += ossai_distance(ossai_v3_of_float(l->tree.positions + 3 * (size_t)t[k]),
			ossai_v3_of_float(l->tree.positions + 3 * (size_t)t[(k + 1) % 3]));
	}
	return sum / 3;
}

static void add_link(linker *l, uint32_t face, uint32_t other)
{
	l->links[l->link_count++] = ossai_pair_of(face, other, 0);
	ossai_union_join(l->parent, l->piece_of_face[face], l->piece_of_face[other]);
}

/* updates the components; returns their number */
static uint32_t find_components(linker *l)
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < l->piece_count; p++) count += ossai_union_find(l->parent, p) == p;
	if (count == 1) return 1;
	for (size_t f = 0; f < l->face_count; f++) l->group_of_face[f] = ossai_union_find(l->parent, l->piece_of_face[f]);
	ossai_face_tree_set_groups(&l->tree, l->group_of_face);
	for (uint32_t p = 0; p < l->piece_count; p++) l->best[p] = (ossai_near_face){OSSA_NONE, INFINITY};
	return count;
}

/* The shortest link out of each component. A source's last distance can only grow as components
   do, so most sources need no query, and none beyond the component's best so far. */
static void find_shortest_links(linker *l)
{
	for (size_t i = 0; i < l->source_count; i++) {
		const uint32_t face = l->sources[i], group = l->group_of_face[face];
		ossai_near_face *best = &l->best[group];
		if (l->nearest[i].distance2 >= best->distance2) continue;
		const ossai_vec3 center = ossai_face_center(l->tree.positions, l->triangles, face);
		const ossai_near_face within = {OSSA_NONE, best->distance2};
		l->nearest[i] = ossai_face_tree_nearest(&l->tree, l->group_of_face, center, group, within);
		if (l->nearest[i].face == OSSA_NONE || l->nearest[i].distance2 >= best->distance2) continue;
		*best = l->nearest[i];
		l->best_source[group] = face;
	}
}

static void contact_range(void *arg, size_t begin, size_t end)
{
	linker *l = arg;
	for (size_t i = begin; i < end; i++) {
		const uint32_t face = l->sources[i], piece = l->piece_of_face[face];
		const double reach = sqrt(l->best[piece].distance2) + OSSAI_LINK_REACH * mean_edge(l, face);
		if (l->nearest[i].distance2 > reach * reach) {
			l->nearest[i].face = OSSA_NONE;
			continue;
		}
		const ossai_vec3 center = ossai_face_center(l->tree.positions, l->triangles, face);
		const ossai_near_face within = {OSSA_NONE, reach * reach};
		l->nearest[i] = ossai_face_tree_nearest(&l->tree, l->piece_of_face, center, piece, within);
	}
}

/* links the faces of each piece whose distance to others is about the piece's smallest; groups
   are still pieces */
static void link_contacts(linker *l)
{
	find_components(l);
	find_shortest_links(l);
	ossai_parallel_for(l->context, l->source_count, SOURCES_PER_RANGE, contact_range, l);
	for (size_t i = 0; i < l->source_count; i++) {
		if (l->nearest[i].face != OSSA_NONE) add_link(l, l->sources[i], l->nearest[i].face);
	}
	/* the nearest itself, should the reach be rounded below it */
	for (uint32_t p = 0; p < l->piece_count; p++) add_link(l, l->best_source[p], l->best[p].face);
}

static void join_components(linker *l)
{
	while (find_components(l) > 1) {
		find_shortest_links(l);
		for (uint32_t p = 0; p < l->piece_count; p++) {
			if (l->best[p].face == OSSA_NONE) continue;
			const uint32_t source = l->best_source[p], other = l->best[p].face;
			const uint32_t a = ossai_union_find(l->parent, l->piece_of_face[source]);
			if (a != ossai_union_find(l->parent, l->piece_of_face[other])) add_link(l, source, other);
		}
	}
}

ossa_status ossai_links_make(ossai_arena *arena, const ossai_mesh_view *mesh, const uint8_t *face_on_border,
	const uint32_t *piece_of_face, uint32_t piece_count, uint32_t **pairs, size_t *pair_count)
{
	*pairs = NULL;
	*pair_count = 0;
	if (piece_count < 2) return OSSA_OK;
	linker l = {.context = arena->context,
		.triangles = mesh->triangles,
		.piece_of_face = piece_of_face,
		.face_count = mesh->face_count,
		.piece_count = piece_count};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = allocate(&l, &scratch);
	if (status == OSSA_OK) status = ossai_face_tree_make(&scratch, mesh, &l.tree);
	if (status == OSSA_OK) {
		pick_sources(&l, face_on_border);
		ossai_union_begin(l.parent, piece_count);
		link_contacts(&l);
		join_components(&l);
		status = ossai_pairs_sort(arena->context, l.links, l.link_count, mesh->face_count);
	}
	if (status == OSSA_OK) status = ossai_pairs_unique(arena, l.links, l.link_count, pairs, pair_count);
	ossai_arena_end(&scratch);
	return status;
}
