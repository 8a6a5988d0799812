/* weights/weight_patches.c: see weight_patches.h. */
#include "weights/weight_patches.h"

#include "base/union_find.h"

/* Slots of one bone at neighbours are of one patch: a forest of slots, each below a smaller one of
   its patch. Vertices come in their order, so that memory does, too. */
static void join_slots(const ossai_posed_surface *surface, const ossai_bone_weights *weights, const uint8_t *open, uint32_t *of)
{
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const size_t at = v * weights->width;
		for (size_t slot = at; slot < at + weights->width; slot++) {
			const bool is_open = slot < at + weights->count[v] && (!open || open[weights->bone[slot]]);
			of[slot] = is_open ? (uint32_t)slot : OSSA_NONE;
			if (!is_open) continue;
			for (uint32_t i = surface->patch_start[v]; i < surface->patch_start[v + 1]; i++) {
				const uint32_t n = surface->patch_neighbor[i];
				/* the later one of two meets the other */
				const size_t other = n < v ? ossai_weight_slot(weights, n, weights->bone[slot]) : SIZE_MAX;
				if (other != SIZE_MAX) ossai_union_join(of, (uint32_t)slot, (uint32_t)other);
			}
		}
	}
}

/* numbers patches by their first slots; what a slot is below has its number already */
static ossa_status number_patches(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_weight_patches *p)
{
	p->count = 0;
	for (size_t slot = 0; slot < weights->vertex_count * weights->width; slot++) {
		if (p->of_slot[slot] == OSSA_NONE) continue;
		if (p->of_slot[slot] == slot) {
			const uint32_t piece = surface->piece_of_vertex[slot / weights->width];
			OSSAI_TRY(ossai_reserve(context, &p->list, &p->capacity, p->count + 1, sizeof *p->list));
			p->list[p->count] = (ossai_weight_patch){weights->bone[slot], piece, 0, 0, (uint32_t)p->count};
			p->of_slot[slot] = (uint32_t)p->count++;
		} else {
			p->of_slot[slot] = p->of_slot[p->of_slot[slot]];
		}
		ossai_weight_patch *own = &p->list[p->of_slot[slot]];
		own->mass += weights->value[slot];
		own->peak = weights->value[slot] > own->peak ? weights->value[slot] : own->peak;
	}
	return OSSA_OK;
}

ossa_status ossai_weight_patches_find(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, ossai_weight_patches *p)
{
	join_slots(surface, weights, open, p->of_slot);
	return number_patches(context, surface, weights, p);
}

ossa_status ossai_weight_patches_new(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t width, ossai_weight_patches *p)
{
	*p = (ossai_weight_patches){0};
	p->of_slot = ossai_arena_new(arena, surface->vertex_count, width * sizeof *p->of_slot);
	p->is_fixed = ossai_arena_new(arena, surface->vertex_count, sizeof *p->is_fixed);
	return p->of_slot && p->is_fixed ? OSSA_OK : ossa_context_error(arena->context)->status;
}
