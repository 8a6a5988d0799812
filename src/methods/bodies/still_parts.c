/* methods/bodies/still_parts.c: see still_parts.h. */
#include "methods/bodies/still_parts.h"

#include "mesh/pieces.h"
#include "methods/still.h"

#include <math.h>
#include <string.h>

/* Of the area of the part with most faces a second body has at least this share, and others may be
   smaller: a child beside a grown person has a third. */
static const double LEAST_AREA = 0.25;
/* A body is hardly more than so many times as large as its piece with most faces. */
static const double BODY_OF_PIECE = 3;

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

/* parts by their number of faces, most first: a body has more than a floor */
static ossa_status sort_parts(ossai_arena *arena, size_t faces, ossai_still_parts *parts)
{
	parts->order = ossai_arena_new(arena, parts->count, sizeof *parts->order);
	if (!parts->order) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < faces; f++) parts->part[parts->of_face[f]].face_count++;
	for (uint32_t i = 0; i < parts->count; i++) {
		size_t at = i;
		for (; at > 0 && parts->part[parts->order[at - 1]].face_count < parts->part[i].face_count; at--)
			parts->order[at] = parts->order[at - 1];
		parts->order[at] = i;
	}
	return OSSA_OK;
}

static void mark_large(ossai_still_parts *parts)
{
	const double least = LEAST_AREA * parts->part[parts->order[0]].area;
	for (size_t i = 0; i < parts->count; i++) {
		ossai_still_part *own = &parts->part[i];
		own->is_large = !own->is_ground && own->area >= least;
		parts->large += own->is_large;
	}
}

/* Sums over the faces of a piece. */
typedef struct piece_sum {
	size_t faces;
	double area, square; /* square: of distances from the origin, times areas */
	ossai_vec3 moment;   /* centers times areas */
} piece_sum;

static void sum_faces(const ossai_posed_surface *s, piece_sum *sums)
{
	for (size_t f = 0; f < s->face_count; f++) {
		piece_sum *own = &sums[s->piece_of_face[f]];
		ossai_vec3 center = {0, 0, 0};
		for (size_t i = 0; i < 3; i++) center = ossai_madd(center, 1. / 3, ossai_rest_point(s, s->triangles[3 * f + i]));
		own->faces++;
		own->area += s->face_area[f];
		own->square += s->face_area[f] * ossai_length2(center);
		own->moment = ossai_madd(own->moment, s->face_area[f], center);
	}
}

/* Whether besides the piece with most faces there is enough for another body: mostly there are eyes
   and buttons, and that is all. size: of that piece, as ossai_still_prepare measures it: what
   touches is a question of the size of a body, not of how many there are. */
static ossa_status measure_pieces(ossa_context *context, const ossai_posed_surface *s, bool *has_enough, double *size)
{
	ossai_arena scratch = ossai_arena_begin(context);
	piece_sum *sums = ossai_arena_zero(&scratch, s->piece_count, sizeof *sums);
	const piece_sum *most = sums;
	double all = 0;
	if (sums) sum_faces(s, sums);
	for (size_t p = 0; sums && p < s->piece_count; p++) {
		all += sums[p].area;
		if (sums[p].faces > most->faces) most = &sums[p];
	}
	*has_enough = sums && s->piece_count > 1 && most->area > 0 && all - most->area >= LEAST_AREA * most->area;
	if (*has_enough) {
		const ossai_vec3 center = ossai_scale(most->moment, 1 / most->area);
		*size = OSSAI_SIZE_OF_SPREAD * sqrt(fmax(most->square / most->area - ossai_length2(center), 0)) * s->scale;
	}
	ossai_arena_end(&scratch);
	return sums ? OSSA_OK : ossa_context_error(context)->status;
}

/* the surface in lengths that are shares of a body's size, as far as that is known */
static ossa_status prepare(ossai_arena *arena, const ossa_mesh *mesh, ossai_still_parts *parts, bool *has_enough)
{
	ossai_still_work whole = {.context = arena->context, .arena = arena, .mesh = mesh};
	double size = 0;
	OSSAI_TRY(ossai_still_prepare(&whole));
	parts->surface = whole.surface;
	OSSAI_TRY(measure_pieces(arena->context, &parts->surface, has_enough, &size));
	*has_enough = *has_enough && size > 0;
	if (*has_enough && BODY_OF_PIECE * size < parts->surface.scale)
		ossai_posed_surface_rescale(&parts->surface, BODY_OF_PIECE * size);
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
	OSSAI_TRY(sort_parts(arena, mesh->triangle_count, parts));
	mark_large(parts);
	return OSSA_OK;
}

static bool stays(const ossai_still_part *part) { return part->is_large || part->is_ground || part->has_tree; }

void ossai_still_parts_attach(ossai_still_parts *parts)
{
	uint8_t is_out[OSSAI_PROP_ITEMS];
	uint32_t moved[OSSAI_PROP_ITEMS];
	const size_t count = parts->items.count;
	for (size_t i = 0; i < count; i++)
		is_out[i] = !stays(&parts->part[parts->of_item[i]]) || parts->part[parts->of_item[i]].is_ground;
	for (size_t i = 0; i < count; i++) {
		uint32_t near;
		moved[i] = parts->of_item[i];
		if (stays(&parts->part[parts->of_item[i]])) continue;
		ossai_prop_items_near(&parts->items, is_out, 1, &parts->items.pieces.piece[i].center, &near);
		moved[i] = parts->of_item[near];
	}
	memcpy(parts->of_item, moved, count * sizeof *moved);
	put_faces(parts);
}
