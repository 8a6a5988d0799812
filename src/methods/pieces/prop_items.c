/* methods/pieces/prop_items.c: see prop_items.h. */
#include "methods/pieces/prop_items.h"

#include <string.h>

/* Copies reach equally far from their centers, to this share. */
static const double ALIKE = 0.03;

/* ---- items ---- */

static bool are_copies(const ossai_piece *a, const ossai_piece *b)
{
	const double reach_a = ossai_distance(a->center, a->farthest), reach_b = ossai_distance(b->center, b->farthest);
	return a->end - a->begin == b->end - b->begin && ossai_pieces_are_alike(a, b) &&
		fabs(reach_a - reach_b) <= ALIKE * fmax(reach_a, reach_b);
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
		items->of_piece[piece->number] = items->copy_of[i] = (uint32_t)i;
		for (size_t j = 0; j < i && items->copy_of[i] == i; j++) {
			if (items->copy_of[j] == j && are_copies(&p->piece[j], piece)) items->copy_of[i] = (uint32_t)j;
		}
		items->area[i] = piece->area;
	}
}

/* ---- what touches ---- */

static void note_touching(ossai_prop_items *items, uint32_t item, uint32_t other)
{
	items->touches[item * items->count + other] = items->touches[other * items->count + item] = 1;
}

/* Notes what is nearest to each vertex of an item among what is not yet known to touch it. Returns
   whether there was something close: behind that may be more. layer: another number in each call,
   not 0. */
static bool note_nearest(ossai_prop_items *items, uint32_t item, uint32_t layer)
{
	const ossai_posed_surface *s = items->surface;
	const ossai_near_face within = {OSSA_NONE, OSSAI_PROP_TOUCHES * OSSAI_PROP_TOUCHES};
	const uint8_t *touches = items->touches + item * items->count;
	bool found = false;
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t other = ossai_prop_item_of_face(items, f);
		items->group[f] = other != item && !touches[other];
	}
	ossai_face_tree_set_groups(&items->tree, items->group);
	for (size_t i = 0; i < 3 * s->face_count; i++) {
		if (ossai_prop_item_of_face(items, i / 3) != item || items->asked[s->triangles[i]] == layer) continue;
		items->asked[s->triangles[i]] = layer;
		const ossai_vec3 point = ossai_rest_point(s, s->triangles[i]);
		const uint32_t face = ossai_face_tree_nearest(&items->tree, items->group, point, 0, within).face;
		if (face == OSSA_NONE) continue;
		note_touching(items, item, ossai_prop_item_of_face(items, face));
		found = true;
	}
	return found;
}

/* ---- the whole ---- */

ossa_status ossai_prop_items_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_prop_items *items)
{
	const ossai_piece_limits limits = {OSSAI_PROP_LEAST_SIZE, OSSAI_PROP_LEAST_SIZE, SIZE_MAX, SIZE_MAX, SIZE_MAX};
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
	items->asked = ossai_arena_zero(arena, surface->vertex_count, sizeof *items->asked);
	if (!items->of_piece || !items->copy_of || !items->area || !items->touches || !items->group || !items->space ||
		!items->list || !items->asked)
		return ossa_context_error(arena->context)->status;
	find_items(items);
	OSSAI_TRY(ossai_face_tree_make(arena, &mesh, &items->tree));
	for (uint32_t i = 0, layer = 1; i < count; i++)
		while (note_nearest(items, i, layer++)) continue;
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

double ossai_prop_items_reach(const ossai_prop_items *items, const uint8_t *is_out, uint32_t from, uint8_t *reached)
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

static bool goes_with(const ossai_prop_items *items, uint32_t copy, uint32_t item, bool with_copies)
{
	return with_copies ? items->copy_of[copy] == items->copy_of[item] : copy == item;
}

bool ossai_prop_items_cut(const ossai_prop_items *items, uint32_t item, bool with_copies, uint8_t *is_out)
{
	const size_t count = items->count;
	uint8_t *with = items->space, *part = with + count, *largest = part + count, *seen = largest + count;
	double most = -1;
	memset(with, 0, count);
	for (uint32_t copy = 0; copy < count; copy++) {
		if (is_out[copy] || !goes_with(items, copy, item, with_copies)) continue;
		ossai_prop_items_reach(items, is_out, copy, part);
		for (size_t i = 0; i < count; i++) with[i] |= part[i];
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!is_out[i] && goes_with(items, i, item, with_copies)) is_out[i] = 2;
	}
	/* the parts of what was connected with them */
	memset(seen, 0, count);
	memset(largest, 0, count);
	for (uint32_t from = 0; from < count; from++) {
		if (!with[from] || is_out[from] || seen[from]) continue;
		const double area = ossai_prop_items_reach(items, is_out, from, part);
		for (size_t i = 0; i < count; i++) seen[i] |= part[i];
		if (area > most) memcpy(largest, part, count);
		most = fmax(most, area);
	}
	for (size_t i = 0; i < count; i++) {
		if (with[i] && !largest[i]) is_out[i] = 2;
	}
	return close_cut(items, is_out);
}
