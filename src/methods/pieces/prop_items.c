/* methods/pieces/prop_items.c: see prop_items.h. */
#include "methods/pieces/prop_items.h"

#include <string.h>

/* What is smaller than this share of the largest piece's size belongs to what it is nearest to. */
static const double LEAST_SIZE = 0.1;
/* Pieces closer than this share of the size of the mesh touch. */
static const double TOUCHES = 0.02;

/* ---- items ---- */

static bool are_copies(const ossai_piece *a, const ossai_piece *b)
{
	return a->end - a->begin == b->end - b->begin && ossai_pieces_are_alike(a, b);
}

static void find_items(ossai_prop_items *items)
{
	const ossai_pieces *p = &items->pieces;
	for (size_t i = 0; i < p->count; i++) {
		const ossai_piece *piece = &p->piece[i];
		if (i >= items->count) {
			items->of_piece[piece->number] = items->of_piece[items->surface->piece_of_face[piece->on]];
			continue;
		}
		/* copies follow each other by size */
		const bool is_copy = i > 0 && are_copies(piece - 1, piece);
		items->of_piece[piece->number] = (uint32_t)i;
		items->copy_of[i] = is_copy ? items->copy_of[i - 1] : (uint32_t)i;
		items->area[i] = piece->area;
	}
}

/* ---- what touches ---- */

/* all that are close to a point; each is excluded from then on */
static void note_close(ossai_prop_items *items, uint32_t item, ossai_vec3 point)
{
	const ossai_near_face within = {OSSA_NONE, TOUCHES * TOUCHES};
	for (;;) {
		const uint32_t face = ossai_face_tree_nearest(&items->tree, items->group, point, 0, within).face;
		if (face == OSSA_NONE) return;
		const uint32_t other = ossai_prop_item_of_face(items, face);
		items->touches[item * items->count + other] = items->touches[other * items->count + item] = 1;
		for (size_t f = 0; f < items->surface->face_count; f++) {
			if (ossai_prop_item_of_face(items, f) == other) items->group[f] = 0;
		}
		ossai_face_tree_set_groups(&items->tree, items->group);
	}
}

static void find_touching(ossai_prop_items *items, uint32_t item)
{
	const ossai_posed_surface *s = items->surface;
	for (size_t f = 0; f < s->face_count; f++) items->group[f] = ossai_prop_item_of_face(items, f) != item;
	ossai_face_tree_set_groups(&items->tree, items->group);
	for (size_t i = 0; i < 3 * s->face_count; i++) {
		if (ossai_prop_item_of_face(items, i / 3) == item) note_close(items, item, ossai_rest_point(s, s->triangles[i]));
	}
}

/* ---- the whole ---- */

ossa_status ossai_prop_items_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_prop_items *items)
{
	const ossai_piece_limits limits = {LEAST_SIZE, LEAST_SIZE, SIZE_MAX, SIZE_MAX, SIZE_MAX};
	const ossai_mesh_view mesh = ossai_posed_surface_view(surface);
	*items = (ossai_prop_items){.surface = surface};
	OSSAI_TRY(ossai_pieces_find(arena, surface, &limits, &items->pieces));
	const size_t count = items->pieces.skeletons + items->pieces.bones;
	if (count < 2 || count > OSSAI_PROP_ITEMS) return OSSA_OK;
	OSSAI_TRY(ossai_pieces_attach(arena, surface, &items->pieces));
	items->count = count;
	items->of_piece = ossai_arena_new(arena, surface->piece_count, sizeof *items->of_piece);
	items->copy_of = ossai_arena_new(arena, count, sizeof *items->copy_of);
	items->area = ossai_arena_new(arena, count, sizeof *items->area);
	items->touches = ossai_arena_zero(arena, count, count);
	items->group = ossai_arena_new(arena, surface->face_count, sizeof *items->group);
	items->space = ossai_arena_new(arena, count, 4);
	items->list = ossai_arena_new(arena, count, sizeof *items->list);
	if (!items->of_piece || !items->copy_of || !items->area || !items->touches || !items->group || !items->space ||
		!items->list)
		return ossa_context_error(arena->context)->status;
	find_items(items);
	OSSAI_TRY(ossai_face_tree_make(arena, &mesh, &items->tree));
	for (uint32_t i = 0; i < count; i++) find_touching(items, i);
	return OSSA_OK;
}

void ossai_prop_items_near(
	ossai_prop_items *items, const uint8_t *is_out, size_t count, const ossai_vec3 *points, uint32_t *nearest)
{
	for (size_t f = 0; f < items->surface->face_count; f++) items->group[f] = !is_out[ossai_prop_item_of_face(items, f)];
	ossai_face_tree_set_groups(&items->tree, items->group);
	for (size_t i = 0; i < count; i++) {
		const ossai_near_face near = ossai_face_tree_nearest(
			&items->tree, items->group, points[i], 0, (ossai_near_face){OSSA_NONE, INFINITY});
		nearest[i] = ossai_prop_item_of_face(items, near.face);
	}
}

/* ---- what goes with an item ---- */

/* marks what is connected with an item over others that are in; returns its area */
static double reach(const ossai_prop_items *items, const uint8_t *is_out, uint32_t from, uint8_t *reached)
{
	const size_t count = items->count;
	double area = 0;
	memset(reached, 0, count);
	reached[from] = 1;
	items->list[0] = from;
	for (size_t i = 0, end = 1; i < end; i++) {
		const uint8_t *touches = items->touches + items->list[i] * count;
		area += items->area[items->list[i]];
		for (uint32_t next = 0; next < count; next++) {
			if (reached[next] || is_out[next] || !touches[next]) continue;
			reached[next] = 1;
			items->list[end++] = next;
		}
	}
	return area;
}

/* what is out now, and was not: 2 in is_out; it becomes 1 */
static bool close_cut(const ossai_prop_items *items, uint8_t *is_out)
{
	const size_t count = items->count;
	bool touches = false;
	for (size_t i = 0; i < count * count; i++)
		touches = touches || (items->touches[i] && is_out[i / count] == 2 && is_out[i % count] == 1);
	for (size_t i = 0; i < count; i++) is_out[i] = is_out[i] > 0;
	return touches;
}

bool ossai_prop_items_cut(const ossai_prop_items *items, uint32_t item, uint8_t *is_out)
{
	const size_t count = items->count;
	uint8_t *with = items->space, *part = with + count, *largest = part + count, *seen = largest + count;
	double most = -1;
	memset(with, 0, count);
	for (uint32_t copy = 0; copy < count; copy++) {
		if (is_out[copy] || items->copy_of[copy] != items->copy_of[item]) continue;
		reach(items, is_out, copy, part);
		for (size_t i = 0; i < count; i++) with[i] |= part[i];
	}
	for (size_t i = 0; i < count; i++) {
		if (!is_out[i] && items->copy_of[i] == items->copy_of[item]) is_out[i] = 2;
	}
	/* the parts of what was connected with them */
	memset(seen, 0, count);
	memset(largest, 0, count);
	for (uint32_t from = 0; from < count; from++) {
		if (!with[from] || is_out[from] || seen[from]) continue;
		const double area = reach(items, is_out, from, part);
		for (size_t i = 0; i < count; i++) seen[i] |= part[i];
		if (area > most) memcpy(largest, part, count);
		most = fmax(most, area);
	}
	for (size_t i = 0; i < count; i++) {
		if (with[i] && !largest[i]) is_out[i] = 2;
	}
	return close_cut(items, is_out);
}
