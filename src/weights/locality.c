/* weights/locality.c: see locality.h. */
#include "weights/locality.h"

#include "weights/simplex_fit.h"

#include <stdlib.h>
#include <string.h>

/* A patch: a connected component of the vertices that a bone influences. */
typedef struct patch {
	uint32_t bone, piece;
	double mass; /* sum of weights */
	double peak; /* largest weight */
	uint32_t id;
} patch;

typedef struct patches {
	size_t count, capacity;
	patch *list;
	uint32_t *of_slot; /* V x width: the patch of each pair */
	uint32_t *stack;   /* V */
	uint8_t *settled;  /* V: had a bone when the ring began */
} patches;

static size_t slot_of(const ossai_bone_weights *weights, size_t vertex, uint32_t bone)
{
	for (size_t i = 0; i < weights->count[vertex]; i++) {
		if (weights->bone[vertex * weights->width + i] == bone) return vertex * weights->width + i;
	}
	return SIZE_MAX;
}

static void flood(const ossai_posed_surface *surface, const ossai_bone_weights *weights, size_t slot, patches *p, patch *out)
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
			const size_t next = slot_of(weights, surface->patch_neighbor[i], bone);
			if (next == SIZE_MAX || p->of_slot[next] != OSSA_NONE) continue;
			p->of_slot[next] = out->id;
			p->stack[depth++] = surface->patch_neighbor[i];
		}
	}
}

static ossa_status find_patches(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights, patches *p)
{
	memset(p->of_slot, 0xff, weights->vertex_count * weights->width * sizeof *p->of_slot);
	p->count = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		for (size_t i = 0; i < weights->count[v]; i++) {
			const size_t slot = v * weights->width + i;
			if (p->of_slot[slot] != OSSA_NONE) continue;
			OSSAI_TRY(ossai_reserve(context, &p->list, &p->capacity, p->count + 1, sizeof *p->list));
			patch *made = &p->list[p->count];
			*made = (patch){weights->bone[slot], surface->piece_of_vertex[v], 0, 0, (uint32_t)p->count};
			p->count++;
			flood(surface, weights, slot, p, made);
		}
	}
	return OSSA_OK;
}

static ossa_status patches_new(ossai_arena *arena, const ossai_posed_surface *surface, size_t width, patches *p)
{
	*p = (patches){0};
	p->of_slot = ossai_arena_new(arena, surface->vertex_count, width * sizeof *p->of_slot);
	p->stack = ossai_arena_new(arena, surface->vertex_count, sizeof *p->stack);
	p->settled = ossai_arena_new(arena, surface->vertex_count, sizeof *p->settled);
	return p->of_slot && p->stack && p->settled ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* ---- the published influence maps ---- */

/* marks for each bone the patch that contains its largest weight */
static void mark_peaks(const patches *p, size_t bone_count, uint32_t *patch_of_bone, uint8_t *in_map)
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
static bool cross(const ossai_bone_weights *weights, const patches *p, uint32_t from, uint32_t to, uint8_t *in_map)
{
	bool crossed = false;
	for (size_t i = from * weights->width; i < from * weights->width + weights->count[from]; i++) {
		const size_t slot = in_map[p->of_slot[i]] ? slot_of(weights, to, weights->bone[i]) : SIZE_MAX;
		if (slot == SIZE_MAX || in_map[p->of_slot[slot]]) continue;
		in_map[p->of_slot[slot]] = 1;
		crossed = true;
	}
	return crossed;
}

/* where faces of different pieces are neighbours for the clusters, they are for the maps */
static void cross_links(
	const ossai_posed_surface *surface, const ossai_bone_weights *weights, const patches *p, uint8_t *in_map)
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
	const ossai_bone_weights *weights, patches *p, ossai_allowed_bones *allowed)
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
	OSSAI_TRY(find_patches(context, surface, weights, p));
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
	patches p;
	ossa_status status = patches_new(&temporary, surface, weights->width, &p);
	if (status == OSSA_OK) status = influence_maps(arena, &temporary, surface, weights, &p, allowed);
	ossa_free(arena->context, p.list);
	ossai_arena_end(&temporary);
	return status;
}

/* ---- one patch for each bone ---- */

static int compare_patches(const void *left, const void *right)
{
	const patch *a = left, *b = right;
	if (a->bone != b->bone) return a->bone < b->bone ? -1 : 1;
	if (a->piece != b->piece) return a->piece < b->piece ? -1 : 1;
	if (a->mass != b->mass) return a->mass > b->mass ? -1 : 1;
	return a->id < b->id ? -1 : 1;
}

/* marks the patches to be removed: keep[id] = 0; returns how many */
static size_t choose_patches(patches *p, uint8_t *keep)
{
	size_t lost = 0;
	qsort(p->list, p->count, sizeof *p->list, compare_patches);
	for (size_t i = 0; i < p->count; i++) {
		const bool first = i == 0 || p->list[i].bone != p->list[i - 1].bone || p->list[i].piece != p->list[i - 1].piece;
		keep[p->list[i].id] = first;
		lost += !first;
	}
	return lost;
}

/* removes a vertex's pairs that are in removed patches; true where one was */
static bool drop_pairs(ossai_bone_weights *weights, size_t vertex, const patches *p, const uint8_t *keep)
{
	const size_t at = vertex * weights->width, before = weights->count[vertex];
	size_t kept = 0;
	for (size_t i = 0; i < before; i++) {
		if (!keep[p->of_slot[at + i]]) continue;
		weights->bone[at + kept] = weights->bone[at + i];
		weights->value[at + kept++] = weights->value[at + i];
	}
	weights->count[vertex] = (uint8_t)kept;
	return kept != before;
}

/* scales the remaining weights of a vertex to sum 1 */
static void scale_again(size_t vertex, ossai_bone_weights *weights)
{
	double *value = weights->value + vertex * weights->width, sum = 0;
	for (size_t i = 0; i < weights->count[vertex]; i++) sum += value[i];
	for (size_t i = 0; i < weights->count[vertex]; i++) value[i] /= sum;
}

static void solve_again(
	const ossai_posed_surface *surface, const ossai_bone_motion *motion, size_t vertex, ossai_bone_weights *weights)
{
	if (!motion) {
		scale_again(vertex, weights);
		return;
	}
	double g[OSSAI_SIMPLEX_MAX * OSSAI_SIMPLEX_MAX], a[OSSAI_SIMPLEX_MAX] = {0};
	const size_t n = weights->count[vertex], at = vertex * weights->width;
	ossai_residual_gram(surface, motion, vertex, n, weights->bone + at, g);
	for (size_t i = 0; i < n; i++) a[i] = weights->value[at + i];
	ossai_simplex_fit(n, g, n, a);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (!(a[i] > 0)) continue;
		weights->bone[at + kept] = weights->bone[at + i];
		weights->value[at + kept++] = a[i];
	}
	weights->count[vertex] = (uint8_t)kept;
}

/* the misfit of a bone at a vertex without any: the squared error of its motion, else its negative
   weight at the neighbour */
static double misfit(
	const ossai_posed_surface *surface, const ossai_bone_motion *motion, size_t vertex, uint16_t bone, double value)
{
	double error = 1 - value;
	if (motion) ossai_residual_gram(surface, motion, vertex, 1, &bone, &error);
	return error;
}

/* a vertex without any bone takes the bone of a neighbour that fits it best; false where no
   neighbour has one */
static bool adopt(const ossai_posed_surface *surface, const ossai_bone_motion *motion, size_t vertex, const uint8_t *settled,
	ossai_bone_weights *weights)
{
	double best = INFINITY;
	for (uint32_t i = surface->patch_start[vertex]; i < surface->patch_start[vertex + 1]; i++) {
		const uint32_t n = surface->patch_neighbor[i];
		for (size_t j = 0; settled[n] && j < weights->count[n]; j++) {
			const uint16_t bone = weights->bone[n * weights->width + j];
			const double error = misfit(surface, motion, vertex, bone, weights->value[n * weights->width + j]);
			if (!(error < best)) continue;
			best = error;
			weights->bone[vertex * weights->width] = bone;
			weights->value[vertex * weights->width] = 1;
		}
	}
	if (best == INFINITY) return false;
	weights->count[vertex] = 1;
	return true;
}

static void drop_small(
	const ossai_posed_surface *surface, const ossai_bone_motion *motion, double least, ossai_bone_weights *weights)
{
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const size_t at = v * weights->width;
		for (bool again = true; again && weights->count[v] > 1;) {
			size_t kept = 0;
			for (size_t i = 0; i < weights->count[v]; i++) {
				if (weights->value[at + i] < least) continue;
				weights->bone[at + kept] = weights->bone[at + i];
				weights->value[at + kept++] = weights->value[at + i];
			}
			again = kept < weights->count[v] && kept > 0;
			if (again) {
				weights->count[v] = (uint8_t)kept;
				solve_again(surface, motion, v, weights);
			}
		}
	}
}

/* one round; `*lost` patches were removed */
static ossa_status cut_once(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	double least, ossai_bone_weights *weights, patches *p, size_t *lost)
{
	drop_small(surface, motion, least, weights);
	OSSAI_TRY(find_patches(context, surface, weights, p));
	uint8_t *keep = ossai_new(context, p->count, sizeof *keep);
	if (!keep) return ossa_context_error(context)->status;
	*lost = choose_patches(p, keep);
	size_t orphans = 0;
	for (size_t v = 0; *lost > 0 && v < weights->vertex_count; v++) {
		if (!drop_pairs(weights, v, p, keep)) continue;
		if (weights->count[v] > 0) solve_again(surface, motion, v, weights);
		else orphans++;
	}
	ossa_free(context, keep);
	/* vertices without bones form groups: each round advances by one ring; the largest patch of the
	   piece is never removed */
	for (size_t left = SIZE_MAX; orphans > 0 && orphans < left;) {
		left = orphans;
		for (size_t v = 0; v < weights->vertex_count; v++) p->settled[v] = weights->count[v] > 0;
		for (size_t v = 0; v < weights->vertex_count; v++) {
			if (surface->used[v] && weights->count[v] == 0 && adopt(surface, motion, v, p->settled, weights)) orphans--;
		}
	}
	return OSSA_OK;
}

ossa_status ossai_locality_enforce(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_motion *motion,
	double least, ossai_bone_weights *weights)
{
	ossai_arena arena = ossai_arena_begin(context);
	patches p;
	ossa_status status = patches_new(&arena, surface, weights->width, &p);
	size_t lost = 1;
	/* pairs are only removed, except for vertices that take a neighbour's bone: it ends, mostly
	   after two or three rounds */
	for (int round = 0; status == OSSA_OK && lost > 0 && round < 50; round++) {
		status = cut_once(context, surface, motion, least, weights, &p, &lost);
	}
	ossa_free(context, p.list);
	ossai_arena_end(&arena);
	return status;
}

static ossa_status mark_scattered(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const uint8_t *open, patches *p, uint8_t *scattered, size_t *count)
{
	OSSAI_TRY(find_patches(context, surface, weights, p));
	uint8_t *keep = ossai_new(context, p->count, sizeof *keep);
	if (!keep) return ossa_context_error(context)->status;
	choose_patches(p, keep);
	for (size_t v = 0; v < weights->vertex_count; v++) {
		for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
			scattered[i] = open[weights->bone[i]] && !keep[p->of_slot[i]];
			*count += scattered[i];
		}
	}
	ossa_free(context, keep);
	return OSSA_OK;
}

ossa_status ossai_locality_scattered(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, const uint8_t *open, uint8_t *scattered, size_t *count)
{
	ossai_arena arena = ossai_arena_begin(context);
	patches p;
	*count = 0;
	ossa_status status = patches_new(&arena, surface, weights->width, &p);
	if (status == OSSA_OK) status = mark_scattered(context, surface, weights, open, &p, scattered, count);
	ossa_free(context, p.list);
	ossai_arena_end(&arena);
	return status;
}
