/* skeleton/from_motion/body_slides.c: which bodies slide on which.

   Place in the path: piece_slides, bodies -> here -> methods/bodies.
   Input: slides of pieces, and which body each piece is of.
   Output: a forest of bodies.
   Kruskal's spanning forest by the area of contact; each tree is walked from its base. */
#include "skeleton/from_motion/bodies.h"

#include "base/union_find.h"

typedef struct forest {
	const ossai_posed_surface *surface;
	const ossai_piece_slides *slides;
	ossai_bodies *bodies;
	uint32_t *set;  /* bodies: trees */
	uint8_t *taken; /* slides: in the forest */
	uint8_t *is_reached;
	double *area; /* of bodies */
	uint8_t *is_still;
} forest;

static void measure_bodies(const forest *f)
{
	const ossai_posed_surface *s = f->surface;
	for (size_t face = 0; face < s->face_count; face++) {
		const uint32_t piece = s->piece_of_face[face], body = f->bodies->of_piece[piece];
		f->area[body] += s->face_area[face];
		f->is_still[body] = f->is_still[body] || f->bodies->is_still[piece];
	}
}

static void take_slides(const forest *f)
{
	const uint32_t *of_piece = f->bodies->of_piece;
	for (size_t i = 0; i < f->slides->count; i++) {
		const ossai_piece_slide *slide = &f->slides->items[i];
		f->taken[i] = ossai_union_join(f->set, of_piece[slide->a], of_piece[slide->b]);
	}
}

static bool is_base_before(const forest *f, uint32_t a, uint32_t b)
{
	if (f->is_still[a] != f->is_still[b]) return f->is_still[a];
	return f->area[a] != f->area[b] ? f->area[a] > f->area[b] : a < b;
}

/* base: bodies, of each tree by its set */
static void reach_bases(const forest *f, uint32_t *base)
{
	for (uint32_t b = 0; b < f->bodies->count; b++) base[b] = OSSA_NONE;
	for (uint32_t b = 0; b < f->bodies->count; b++) {
		uint32_t *own = &base[ossai_union_find(f->set, b)];
		if (*own == OSSA_NONE || is_base_before(f, b, *own)) *own = b;
	}
	for (uint32_t b = 0; b < f->bodies->count; b++) {
		if (base[b] != OSSA_NONE) f->is_reached[base[b]] = 1;
	}
}

/* one round: what slides on bodies that are reached; false where nothing does */
static bool reach_next(const forest *f)
{
	bool any = false;
	for (size_t i = 0; i < f->slides->count; i++) {
		const ossai_piece_slide *slide = &f->slides->items[i];
		const uint32_t a = f->bodies->of_piece[slide->a], b = f->bodies->of_piece[slide->b];
		if (!f->taken[i] || f->is_reached[a] == f->is_reached[b]) continue;
		const bool turned = f->is_reached[b];
		f->bodies->slides[f->bodies->slide_count++] = (ossai_body_slide){.body = turned ? a : b,
			.up = turned ? b : a,
			.part = slide->part[!turned],
			.up_part = slide->part[turned],
			.place = slide->place,
			.slack = slide->slack};
		f->is_reached[turned ? a : b] = 1;
		any = true;
	}
	return any;
}

ossa_status ossai_bodies_choose_slides(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_piece_slides *slides, ossai_bodies *bodies)
{
	forest f = {.surface = surface, .slides = slides, .bodies = bodies};
	uint32_t *base = ossai_arena_new(arena, bodies->count, sizeof *base);
	f.set = ossai_arena_new(arena, bodies->count, sizeof *f.set);
	f.taken = ossai_arena_zero(arena, slides->count, 1);
	f.is_reached = ossai_arena_zero(arena, bodies->count, 1);
	f.area = ossai_arena_zero(arena, bodies->count, sizeof *f.area);
	f.is_still = ossai_arena_zero(arena, bodies->count, 1);
	bodies->slides = ossai_arena_new(arena, bodies->count, sizeof *bodies->slides);
	if (!base || !f.set || !f.taken || !f.is_reached || !f.area || !f.is_still || !bodies->slides)
		return ossa_context_error(arena->context)->status;
	ossai_union_begin(f.set, bodies->count);
	measure_bodies(&f);
	take_slides(&f);
	reach_bases(&f, base);
	while (reach_next(&f)) {
	}
	return OSSA_OK;
}
