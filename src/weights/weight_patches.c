/* weights/weight_patches.c: see weight_patches.h. */
#include "weights/weight_patches.h"

#include <string.h>

static void flood(const ossai_posed_surface *surface, const ossai_bone_weights *weights, size_t slot, ossai_weight_patches *p,
	ossai_weight_patch *out)
{
	const uint32_t bone = weights->bone[slot];
	size_t depth = 0;
	p->stack[depth++] = (uint32_t)(slot / weights->width);
	p->of_slot[slot] = out->id;
	while (depth > 0) {
		const uint32_t v = p->stack[--depth];
		const double weight = ossai_bone_weight_of(weights, v, bone);
		out->mass += weight;
		out->peak = weight > out->peak ? weight : out->peak;
		for (uint32_t i = surface->patch_start[v]; i < surface->patch_start[v + 1]; i++) {
			const size_t next = ossai_weight_slot(weights, surface->patch_neighbor[i], bone);
			if (next == SIZE_MAX || p->of_slot[next] != OSSA_NONE) continue;
			p->of_slot[next] = out->id;
			p->stack[depth++] = surface->patch_neighbor[i];
		}
	}
}

ossa_status ossai_weight_patches_find(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, ossai_weight_patches *p)
{
	memset(p->of_slot, 0xff, weights->vertex_count * weights->width * sizeof *p->of_slot);
	p->count = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		for (size_t i = 0; i < weights->count[v]; i++) {
			const size_t slot = v * weights->width + i;
			if (p->of_slot[slot] != OSSA_NONE || (open && !open[weights->bone[slot]])) continue;
			OSSAI_TRY(ossai_reserve(context, &p->list, &p->capacity, p->count + 1, sizeof *p->list));
			ossai_weight_patch *made = &p->list[p->count];
			*made = (ossai_weight_patch){weights->bone[slot], surface->piece_of_vertex[v], 0, 0, (uint32_t)p->count};
			p->count++;
			flood(surface, weights, slot, p, made);
		}
	}
	return OSSA_OK;
}

ossa_status ossai_weight_patches_new(
	ossai_arena *arena, const ossai_posed_surface *surface, size_t width, ossai_weight_patches *p)
{
	*p = (ossai_weight_patches){0};
	p->of_slot = ossai_arena_new(arena, surface->vertex_count, width * sizeof *p->of_slot);
	p->stack = ossai_arena_new(arena, surface->vertex_count, sizeof *p->stack);
	p->is_fixed = ossai_arena_new(arena, surface->vertex_count, sizeof *p->is_fixed);
	return p->of_slot && p->stack && p->is_fixed ? OSSA_OK : ossa_context_error(arena->context)->status;
}
