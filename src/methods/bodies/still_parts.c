/* methods/bodies/still_parts.c: see still_parts.h. */
#include "methods/bodies/still_parts.h"

#include "mesh/pieces.h"
#include "methods/still.h"

#include <string.h>

/* A body is hardly more than so many times as large as its largest piece. */
static const double BODY_OF_PIECE = 3;
/* A body has at least this share of the area of what it stands beside. */
static const double LEAST_BESIDE = 0.02;

static void find_parts(ossai_still_parts *parts)
{
	const size_t count = parts->items.count;
	uint8_t grounds[OSSAI_PROP_ITEMS], reached[OSSAI_PROP_ITEMS];
	for (uint32_t i = 0; i < count; i++) {
		grounds[i] = parts->items.pieces.piece[i].is_ground;
		parts->of_item[i] = OSSA_NONE;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (parts->of_item[i] != OSSA_NONE) continue;
		ossai_still_part *own = &parts->part[parts->count];
		*own = (ossai_still_part){.area = parts->items.area[i], .is_ground = grounds[i], .like = (uint32_t)parts->count};
		memset(reached, 0, sizeof reached);
		reached[i] = 1;
		if (!grounds[i]) own->area = ossai_prop_items_reach(&parts->items, grounds, i, reached);
		for (uint32_t j = 0; j < count; j++) {
			if (!reached[j]) continue;
			parts->of_item[j] = (uint32_t)parts->count;
			own->item_count++;
		}
		parts->count++;
	}
}

/* how many items of a part are copies of that item */
static size_t count_like(const ossai_still_parts *parts, uint32_t part, uint32_t item)
{
	size_t count = 0;
	for (uint32_t i = 0; i < parts->items.count; i++) {
		count += parts->of_item[i] == part && parts->items.copy_of[i] == parts->items.copy_of[item];
	}
	return count;
}

static bool are_copies(const ossai_still_parts *parts, uint32_t a, uint32_t b)
{
	if (parts->part[a].item_count != parts->part[b].item_count) return false;
	for (uint32_t i = 0; i < parts->items.count; i++) {
		if (parts->of_item[i] == a && count_like(parts, a, i) != count_like(parts, b, i)) return false;
	}
	return true;
}

static void find_copies(ossai_still_parts *parts)
{
	for (uint32_t b = 1; b < parts->count; b++) {
		for (uint32_t a = 0; a < b && parts->part[b].like == b; a++) {
			if (parts->part[a].like == a && are_copies(parts, a, b)) parts->part[b].like = a;
		}
	}
}

/* parts that are no grounds first, the largest first */
static ossa_status sort_parts(ossai_arena *arena, ossai_still_parts *parts)
{
	parts->order = ossai_arena_new(arena, parts->count, sizeof *parts->order);
	if (!parts->order) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; i < parts->count; i++) {
		const ossai_still_part *own = &parts->part[i];
		size_t at = i;
		for (; at > 0; at--) {
			const ossai_still_part *before = &parts->part[parts->order[at - 1]];
			if (before->is_ground == own->is_ground ? before->area >= own->area : own->is_ground) break;
			parts->order[at] = parts->order[at - 1];
		}
		parts->order[at] = i;
		parts->grounds += own->is_ground;
	}
	return OSSA_OK;
}

/* Two that are about as large; or two beside a larger thing, such as a rock. */
static bool may_be_bodies(const ossai_still_parts *parts)
{
	const size_t count = parts->count - parts->grounds;
	double area[3] = {0, 0, 0};
	for (size_t i = 0; i < count && i < 3; i++) area[i] = parts->part[parts->order[i]].area;
	const bool are_two = area[1] >= OSSAI_STILL_LEAST_AREA * area[0];
	return count > 1 && (are_two || (area[2] >= OSSAI_STILL_LEAST_AREA * area[1] && area[1] >= LEAST_BESIDE * area[0]));
}

/* The surface in lengths that are shares of a body's size, as far as that is known: what touches is
   a question of the size of a body, not of how many there are. has_enough: besides the largest
   piece and grounds there is enough for another body; mostly there are eyes and buttons. */
static ossa_status prepare(ossai_arena *arena, const ossa_mesh *mesh, ossai_still_parts *parts, bool *has_enough)
{
	const ossai_piece_limits limits = {OSSAI_PROP_LEAST_SIZE, OSSAI_PROP_LEAST_SIZE, SIZE_MAX, SIZE_MAX, SIZE_MAX};
	ossai_still_work whole = {.context = arena->context, .arena = arena, .mesh = mesh};
	ossai_pieces pieces;
	double others = 0;
	OSSAI_TRY(ossai_still_prepare(&whole));
	parts->surface = whole.surface;
	*has_enough = false;
	if (parts->surface.piece_count < 2) return OSSA_OK;
	OSSAI_TRY(ossai_pieces_find(arena, &parts->surface, &limits, &pieces));
	const ossai_piece *largest = &pieces.piece[0];
	for (size_t i = 1; i < pieces.count; i++) others += pieces.piece[i].is_ground ? 0 : pieces.piece[i].area;
	*has_enough = largest->size > 0 && others >= LEAST_BESIDE * largest->area;
	const double size = BODY_OF_PIECE * OSSAI_SIZE_OF_SPREAD * largest->size * parts->surface.scale;
	if (*has_enough && size < parts->surface.scale) ossai_posed_surface_rescale(&parts->surface, size);
	return OSSA_OK;
}

static void put_faces(ossai_still_parts *parts)
{
	for (size_t f = 0; f < parts->surface.face_count; f++)
		parts->of_face[f] = parts->of_item[ossai_prop_item_of_face(&parts->items, f)];
}

ossa_status ossai_still_parts_find(ossai_arena *arena, const ossa_mesh *mesh, ossai_still_parts *parts)
{
	bool is_one, has_enough;
	*parts = (ossai_still_parts){.count = 0};
	OSSAI_TRY(ossai_posed_surface_check(arena->context, mesh, NULL));
	/* most are, whatever is welded */
	OSSAI_TRY(ossai_pieces_are_one(arena->context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, &is_one));
	if (is_one) return OSSA_OK;
	OSSAI_TRY(prepare(arena, mesh, parts, &has_enough));
	if (!has_enough) return OSSA_OK;
	OSSAI_TRY(ossai_prop_items_make(arena, &parts->surface, &parts->items));
	if (parts->items.count < 2) return OSSA_OK;
	parts->part = ossai_arena_new(arena, parts->items.count, sizeof *parts->part);
	parts->of_item = ossai_arena_new(arena, parts->items.count, sizeof *parts->of_item);
	parts->of_face = ossai_arena_new(arena, mesh->triangle_count, sizeof *parts->of_face);
	if (!parts->part || !parts->of_item || !parts->of_face) return ossa_context_error(arena->context)->status;
	find_parts(parts);
	find_copies(parts);
	put_faces(parts);
	OSSAI_TRY(sort_parts(arena, parts));
	parts->may_be_bodies = may_be_bodies(parts);
	return OSSA_OK;
}

static bool stays(const ossai_still_part *part) { return part->is_large || part->is_ground || part->has_tree; }

void ossai_still_parts_attach(ossai_still_parts *parts)
{
	uint8_t takes_none[OSSAI_PROP_ITEMS];
	uint32_t moved[OSSAI_PROP_ITEMS];
	const size_t count = parts->items.count;
	for (size_t i = 0; i < count; i++) {
		const ossai_still_part *own = &parts->part[parts->of_item[i]];
		takes_none[i] = own->is_ground || !stays(own);
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t near;
		moved[i] = parts->of_item[i];
		if (stays(&parts->part[parts->of_item[i]])) continue;
		ossai_prop_items_near(&parts->items, takes_none, 1, &parts->items.pieces.piece[i].center, &near);
		moved[i] = parts->of_item[near];
	}
	memcpy(parts->of_item, moved, count * sizeof *moved);
	put_faces(parts);
}
