/* weights/influence_maps.c: see influence_maps.h. */
#include "weights/influence_maps.h"

#include "weights/weight_patches.h"

#include <string.h>

/* marks for each bone the patch that contains its largest weight */
static void mark_peaks(const ossai_weight_patches *p, size_t bone_count, uint32_t *patch_of_bone, uint8_t *in_map)
{
	memset(in_map, 0, p->count);
	for (size_t b = 0; b < bone_count; b++) patch_of_bone[b] = OSSA_NONE;
	for (size_t i = 0; i < p->count; i++) {
		uint32_t *best = &patch_of_bone[p->list[i].bone];
		if (*best == OSSA_NONE || p->list[i].peak > p->list[*best].peak) *best = (uint32_t)i;
	}
	for (size_t b = 0; b < bone_count; b++) {
		if (patch_of_bone[b] != OSSA_NONE) in_map[patch_of_bone[b]] = 1;
	}
}

/* a map goes on from one vertex to the other where both have its bone; returns whether it did */
static bool cross(const ossai_bone_weights *weights, const ossai_weight_patches *p, uint32_t from, uint32_t to, uint8_t *in_map)
{
	bool crossed = false;
	for (size_t i = from * weights->width; i < from * weights->width + weights->count[from]; i++) {
		const size_t slot = in_map[p->of_slot[i]] ? ossai_weight_slot(weights, to, weights->bone[i]) : SIZE_MAX;
		if (slot == SIZE_MAX || in_map[p->of_slot[slot]]) continue;
		in_map[p->of_slot[slot]] = 1;
		crossed = true;
	}
	return crossed;
}

/* where faces of different pieces are neighbours for the clusters, they are for the maps */
static void cross_links(
	const ossai_posed_surface *surface, const ossai_bone_weights *weights, const ossai_weight_patches *p, uint8_t *in_map)
{
	const uint32_t *t = surface->triangles;
	for (bool crossed = surface->link_pieces; crossed;) {
		crossed = false;
		for (size_t i = 0; i < surface->link_count; i++) {
			const uint32_t *a = t + 3 * (size_t)surface->links[2 * i], *b = t + 3 * (size_t)surface->links[2 * i + 1];
			for (int k = 0; k < 9; k++) {
				crossed |= cross(weights, p, a[k / 3], b[k % 3], in_map);
				crossed |= cross(weights, p, b[k % 3], a[k / 3], in_map);
			}
		}
	}
}

/* of more bones than these the published solve takes the best (least_squares.c) */
enum { MAPS_MOST = 64 };

/* the maps that contain each vertex, at most `width` */
typedef struct map_set {
	size_t width;
	uint16_t *bone; /* V x width */
	uint16_t *count;
} map_set;

static void take_neighbours_maps(const ossai_posed_surface *surface, map_set *maps, uint32_t vertex, const uint16_t *before)
{
	uint16_t *own = maps->bone + vertex * maps->width;
	for (uint32_t i = surface->patch_start[vertex]; i < surface->patch_start[vertex + 1]; i++) {
		const uint32_t n = surface->patch_neighbor[i];
		for (size_t j = 0; j < before[n]; j++) {
			const uint16_t bone = maps->bone[n * maps->width + j];
			size_t at = 0;
			while (at < maps->count[vertex] && own[at] != bone) at++;
			if (at == maps->count[vertex] && at < maps->width) own[maps->count[vertex]++] = bone;
		}
	}
}

/* vertices in no map take those of their neighbours, until nothing changes */
static void cover(const ossai_posed_surface *surface, map_set *maps, uint16_t *before)
{
	for (bool changed = true; changed;) {
		changed = false;
		memcpy(before, maps->count, surface->vertex_count * sizeof *before);
		for (uint32_t v = 0; v < surface->vertex_count; v++) {
			if (before[v] != 0 || !surface->used[v]) continue;
			take_neighbours_maps(surface, maps, v, before);
			changed |= maps->count[v] > 0;
		}
	}
}

static void fill_allowed(const map_set *maps, const ossai_bone_weights *weights, ossai_allowed_bones *allowed)
{
	uint32_t at = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		allowed->start[v] = at;
		/* a piece without any map keeps its bones */
		const bool own = maps->count[v] == 0;
		const size_t count = own ? weights->count[v] : maps->count[v];
		const uint16_t *bones = own ? weights->bone + v * weights->width : maps->bone + v * maps->width;
		for (size_t i = 0; i < count; i++) {
			uint32_t slot = at++;
			for (; slot > allowed->start[v] && allowed->bone[slot - 1] > bones[i]; slot--) {
				allowed->bone[slot] = allowed->bone[slot - 1];
			}
			allowed->bone[slot] = bones[i];
		}
	}
	allowed->start[weights->vertex_count] = at;
}

static ossa_status influence_maps(ossai_arena *arena, ossai_arena *temporary, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, ossai_weight_patches *p, ossai_allowed_bones *allowed)
{
	ossa_context *context = arena->context;
	const size_t vertex_count = surface->vertex_count;
	map_set maps = {.width = weights->bone_count < MAPS_MOST ? weights->bone_count : MAPS_MOST};
	if (maps.width < weights->width) maps.width = weights->width;
	uint32_t *patch_of_bone = ossai_arena_new(temporary, weights->bone_count, sizeof *patch_of_bone);
	uint16_t *before = ossai_arena_new(temporary, vertex_count, sizeof *before);
	maps.bone = ossai_arena_new(temporary, vertex_count, maps.width * sizeof *maps.bone);
	maps.count = ossai_arena_zero(temporary, vertex_count, sizeof *maps.count);
	allowed->start = ossai_arena_new(arena, vertex_count + 1, sizeof *allowed->start);
	allowed->bone = ossai_arena_new(arena, vertex_count, maps.width * sizeof *allowed->bone);
	if (!patch_of_bone || !before || !maps.bone || !maps.count || !allowed->start || !allowed->bone) {
		return ossa_context_error(context)->status;
	}
	OSSAI_TRY(ossai_weight_patches_find(context, surface, weights, NULL, p));
	uint8_t *in_map = ossai_arena_new(temporary, p->count, sizeof *in_map);
	if (!in_map) return ossa_context_error(context)->status;
	mark_peaks(p, weights->bone_count, patch_of_bone, in_map);
	cross_links(surface, weights, p, in_map);
	for (size_t v = 0; v < vertex_count; v++) {
		for (size_t i = 0; i < weights->count[v]; i++) {
			const size_t slot = v * weights->width + i;
			if (!in_map[p->of_slot[slot]]) continue;
			maps.bone[v * maps.width + maps.count[v]++] = weights->bone[slot];
		}
	}
	cover(surface, &maps, before);
	fill_allowed(&maps, weights, allowed);
	return OSSA_OK;
}

ossa_status ossai_influence_maps(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_weights *weights, ossai_allowed_bones *allowed)
{
	ossai_arena temporary = ossai_arena_begin(arena->context);
	ossai_weight_patches p;
	ossa_status status = ossai_weight_patches_new(&temporary, surface, weights->width, &p);
	if (status == OSSA_OK) status = influence_maps(arena, &temporary, surface, weights, &p, allowed);
	ossa_free(arena->context, p.list);
	ossai_arena_end(&temporary);
	return status;
}
