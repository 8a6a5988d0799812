/* methods/pieces/props.c: see props.h. */
#include "methods/pieces/props.h"

#include "methods/pieces/prop_items.h"
#include "query/face_tree.h"

#include <string.h>

typedef struct follow {
	const ossai_posed_surface *surface;
	const ossai_props *props;
	const ossai_bone_weights *weights;
	const ossa_role *role;
	double *sum;       /* B */
	uint32_t *bone_of; /* of the surface's pieces: of props that have one; OSSA_NONE: none yet */
	uint32_t *group;   /* of faces: 0 where they are not looked for, else 1 */
	uint8_t *kind;     /* of faces: space */
	ossai_face_tree *tree;
} follow;

/* a face with a bone and one without that are nearest to each other */
typedef struct nearest_pair {
	uint32_t with, without; /* OSSA_NONE: there are none */
	double distance2;
} nearest_pair;

/* What a prop gets its bone from: of what it touches the body first, then another prop; without
   either the body, at any distance. */
typedef enum source { TOUCHED_BODY, TOUCHED_PROP, NEAREST_BODY } source;

static uint32_t piece_of(const follow *h, size_t face) { return h->surface->piece_of_face[face]; }

static bool is_prop(const follow *h, size_t item) { return h->props->is_prop[h->props->pieces.piece[item].number]; }

/* whether an item touches the body, or a prop with a bone */
static bool touches(const follow *h, size_t item, source from)
{
	const uint8_t *own = h->props->touches + item * h->props->item_count;
	for (size_t i = 0; i < h->props->item_count; i++) {
		if (!own[i] || is_prop(h, i) != (from == TOUCHED_PROP)) continue;
		if (from == TOUCHED_BODY || h->bone_of[h->props->pieces.piece[i].number] != OSSA_NONE) return true;
	}
	return false;
}

/* whether a face is of a prop that has no bone yet and may get one; small props follow what they
   are attached to, in the end */
static bool is_open(const follow *h, size_t face, source from)
{
	const uint32_t piece = piece_of(h, face), item = h->props->pieces.place[piece];
	if (!h->props->is_prop[piece] || h->bone_of[piece] != OSSA_NONE || item >= h->props->item_count) return false;
	return from == NEAREST_BODY || touches(h, item, from);
}

static bool is_source(const follow *h, size_t face, source from)
{
	const uint32_t piece = piece_of(h, face);
	return from == TOUCHED_PROP ? h->props->is_prop[piece] && h->bone_of[piece] != OSSA_NONE : !h->props->is_prop[piece];
}

/* Faces that are open and faces of a source that are nearest to each other: corners of one kind
   (`of_open`), and faces of the other. kind: F: 1 for open faces, 2 for those of the source. */
static void find_nearest(const follow *h, const uint8_t *kind, bool of_open, nearest_pair *best)
{
	const size_t faces = h->surface->face_count;
	for (size_t f = 0; f < faces; f++) h->group[f] = kind[f] == (of_open ? 2 : 1);
	ossai_face_tree_set_groups(h->tree, h->group);
	for (size_t i = 0; i < 3 * faces; i++) {
		if (kind[i / 3] != (of_open ? 1 : 2)) continue;
		const ossai_vec3 point = ossai_rest_point(h->surface, h->surface->triangles[i]);
		const ossai_near_face found = ossai_face_tree_nearest(
			h->tree, h->group, point, 0, (ossai_near_face){OSSA_NONE, best->distance2});
		if (found.face == OSSA_NONE || !(found.distance2 < best->distance2)) continue;
		best->distance2 = found.distance2;
		best->with = of_open ? found.face : (uint32_t)(i / 3);
		best->without = of_open ? (uint32_t)(i / 3) : found.face;
	}
}

/* ---- bones ---- */

static bool is_held_by_hand(ossa_body_part part)
{
	return part == OSSA_PART_LOWER_ARM || (part >= OSSA_PART_THUMB && part <= OSSA_PART_LITTLE);
}

/* in place of a bone of the forearm or of a finger the hand's */
static uint32_t holder(const follow *h, uint32_t bone)
{
	const ossa_role *role = h->role;
	if (!role || !is_held_by_hand(role[bone].part)) return bone;
	for (uint32_t b = 0; b < h->weights->bone_count; b++) {
		if (role[b].part == OSSA_PART_HAND && role[b].side == role[bone].side && role[b].limb == role[bone].limb) return b;
	}
	return bone;
}

static void clear_sum(const follow *h) { memset(h->sum, 0, h->weights->bone_count * sizeof *h->sum); }

static void add_corner(const follow *h, size_t corner, double share)
{
	const ossai_bone_weights *w = h->weights;
	const size_t v = h->surface->triangles[corner];
	for (size_t k = 0; k < w->count[v]; k++) {
		h->sum[w->bone[v * w->width + k]] += share * h->surface->face_area[corner / 3] * w->value[v * w->width + k];
	}
}

static void add_face(const follow *h, size_t face)
{
	for (size_t i = 3 * face; i < 3 * face + 3; i++) add_corner(h, i, 1);
}

static uint32_t largest_bone(const follow *h)
{
	uint32_t bone = 0;
	for (uint32_t b = 1; b < h->weights->bone_count; b++) {
		if (h->sum[b] > h->sum[bone]) bone = b;
	}
	return bone;
}

/* The bone of the skin that a prop touches most: of corners of the body hardly farther from it than
   the nearest face is, by their area and how near they are. kind: as of find_nearest. */
static uint32_t bone_beside(const follow *h, const uint8_t *kind, const nearest_pair *nearest)
{
	const uint32_t prop = piece_of(h, nearest->without);
	const double reach = sqrt(nearest->distance2) + OSSAI_PROP_TOUCHES;
	for (size_t f = 0; f < h->surface->face_count; f++) h->group[f] = piece_of(h, f) == prop;
	ossai_face_tree_set_groups(h->tree, h->group);
	clear_sum(h);
	for (size_t i = 0; i < 3 * h->surface->face_count; i++) {
		if (kind[i / 3] != 2) continue;
		const ossai_vec3 point = ossai_rest_point(h->surface, h->surface->triangles[i]);
		const ossai_near_face near = ossai_face_tree_nearest(
			h->tree, h->group, point, 0, (ossai_near_face){OSSA_NONE, reach * reach});
		if (near.face != OSSA_NONE) add_corner(h, i, 1 - sqrt(near.distance2) / reach);
	}
	/* of a large face the middle alone may be near */
	if (h->sum[largest_bone(h)] == 0) add_face(h, nearest->with);
	return holder(h, largest_bone(h));
}

/* ---- props ---- */

/* The prop that is nearest to its source gets a bone; false: there is none. From the corners of
   both: a shield has few, and is nearest to a hand in the middle of a face. */
static bool attach_to(const follow *h, source from)
{
	nearest_pair best = {OSSA_NONE, OSSA_NONE, INFINITY};
	bool is_any = false;
	for (size_t f = 0; f < h->surface->face_count; f++) {
		h->kind[f] = is_open(h, f, from) ? 1 : is_source(h, f, from) ? 2 : 0;
		is_any = is_any || h->kind[f] == 1;
	}
	if (!is_any) return false;
	find_nearest(h, h->kind, true, &best);
	find_nearest(h, h->kind, false, &best);
	if (best.without == OSSA_NONE) return false;
	const bool is_of_prop = from == TOUCHED_PROP;
	h->bone_of[piece_of(h, best.without)] = is_of_prop ? h->bone_of[piece_of(h, best.with)] : bone_beside(h, h->kind, &best);
	return true;
}

static bool attach_next(const follow *h)
{
	return attach_to(h, TOUCHED_BODY) || attach_to(h, TOUCHED_PROP) || attach_to(h, NEAREST_BODY);
}

/* small pieces follow what they are attached to */
static void attach_small(const follow *h)
{
	const ossai_pieces *p = &h->props->pieces;
	for (size_t i = h->props->item_count; i < p->count; i++) {
		const ossai_piece *piece = &p->piece[i];
		if (h->props->is_prop[piece->number]) h->bone_of[piece->number] = h->bone_of[h->surface->piece_of_face[piece->on]];
	}
}

/* whether an item touches a prop with this bone, or what follows with it */
static bool touches_prop(const follow *h, size_t item, uint32_t bone)
{
	const uint8_t *touches = h->props->touches + item * h->props->item_count;
	for (size_t i = 0; i < h->props->item_count; i++) {
		if (touches[i] && h->bone_of[h->props->pieces.piece[i].number] == bone) return true;
	}
	return false;
}

/* whether all of a piece follows one bone: others bend, whatever they hold */
static bool is_rigid(const follow *h, const ossai_piece *piece)
{
	const ossai_bone_weights *w = h->weights;
	uint32_t bone = OSSA_NONE;
	for (uint32_t k = piece->begin; k < piece->end; k++) {
		for (size_t i = 0; i < 3; i++) {
			const size_t v = h->surface->triangles[3 * (size_t)h->props->pieces.faces[k] + i];
			if (w->count[v] != 1) return false;
			if (bone == OSSA_NONE) bone = w->bone[v * w->width];
			if (w->bone[v * w->width] != bone) return false;
		}
	}
	return true;
}

/* Rigid pieces of the body that move as the prop beside them, or as such a piece, but for the hand
   that holds it: a guard beside a blade, and then the grip. Returns whether there is one more. */
static bool attach_beside(const follow *h)
{
	for (size_t i = 0; i < h->props->item_count; i++) {
		const ossai_piece *piece = &h->props->pieces.piece[i];
		if (h->bone_of[piece->number] != OSSA_NONE || !is_rigid(h, piece)) continue;
		clear_sum(h);
		for (uint32_t k = piece->begin; k < piece->end; k++) add_face(h, h->props->pieces.faces[k]);
		const uint32_t bone = holder(h, largest_bone(h));
		if (!touches_prop(h, i, bone)) continue;
		h->bone_of[piece->number] = bone;
		return true;
	}
	return false;
}

static void set_weights(const follow *h, ossai_bone_weights *w)
{
	for (size_t v = 0; v < h->surface->vertex_count; v++) {
		const uint32_t piece = h->surface->piece_of_vertex[v];
		if (piece == OSSA_NONE || h->bone_of[piece] == OSSA_NONE) continue;
		w->count[v] = 1;
		w->bone[v * w->width] = (uint16_t)h->bone_of[piece];
		w->value[v * w->width] = 1;
	}
}

ossa_status ossai_props_follow(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_props *props,
	const ossa_role *role, ossai_bone_weights *weights)
{
	ossai_face_tree tree;
	follow h = {.surface = surface, .props = props, .weights = weights, .role = role, .tree = &tree};
	const ossai_mesh_view mesh = ossai_posed_surface_view(surface);
	h.sum = ossai_arena_new(arena, weights->bone_count, sizeof *h.sum);
	h.bone_of = ossai_arena_new(arena, surface->piece_count, sizeof *h.bone_of);
	h.group = ossai_arena_new(arena, surface->face_count, sizeof *h.group);
	h.kind = ossai_arena_new(arena, surface->face_count, sizeof *h.kind);
	if (!h.sum || !h.bone_of || !h.group || !h.kind) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < surface->piece_count; i++) h.bone_of[i] = OSSA_NONE;
	OSSAI_TRY(ossai_face_tree_make(arena, &mesh, &tree));
	while (attach_next(&h)) OSSAI_TRY(ossai_progress(arena->context, 1));
	attach_small(&h);
	while (attach_beside(&h)) OSSAI_TRY(ossai_progress(arena->context, 1));
	set_weights(&h, weights);
	return OSSA_OK;
}
