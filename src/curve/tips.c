/* curve/tips.c: see tips.h. */
#include "curve/tips.h"

#include "base/heap.h"
#include "curve/mirrored_chains.h"
#include "proxy/geodesic_maxima.h"
#include "proxy/slenderness.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* A maximum is the mirror image of a tip where its persistence is at least this share of what a
   tip needs. Tried: 0.5 to 1; at 1 one of two ears is lost to noise, below 0.6 bumps become
   mirror images of limbs. */
static const double NEARLY = 0.7;

/* A shape has limbs where the most slender of what protrudes has this slenderness. Boxes have at
   most 0.24, cups 0.23, tubes of three diameters 0.37; 15 terrains and flat grids of various
   resolutions 0.26 to 0.36, thin cards of up to 3 : 1 0.35. The legs of a stubby cow have 0.45, the
   ends of a bent tube of four diameters 0.49, a plank 0.54, the limbs of 99 creatures 0.50 and
   more. Tried: length over girth alone, 0.12 to 0.15 for terrains and 0.12 to 0.17 for these. */
static const double LEAST_SLENDER = 0.4;

/* both of a mirrored pair get the persistence of the greater */
static ossa_status match_images(
	ossai_arena *scratch, const ossai_proxy *proxy, const ossai_mirror *mirror, size_t count, ossai_heap_entry *list)
{
	ossai_branch *end = ossai_arena_new(scratch, count, sizeof *end);
	ossai_branch_image *image = ossai_arena_new(scratch, count, sizeof *image);
	if (!end || !image) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) {
		end[i] = (ossai_branch){OSSA_NONE, true, ossai_v3_of(proxy->positions + 3 * (size_t)list[i].item)};
	}
	OSSAI_TRY(ossai_mirrored_chains(scratch, mirror, NULL, count, end, image));
	for (size_t i = 0; i < count; i++) {
		const uint32_t other = image[i].chain;
		if (other != OSSA_NONE && other > i) list[i].key = list[other].key = fmax(list[i].key, list[other].key);
	}
	return OSSA_OK;
}

static ossa_status take(
	ossai_arena *arena, const ossai_proxy *proxy, size_t count, const ossai_heap_entry *list, ossai_tips *tips)
{
	*tips = (ossai_tips){.count = count,
		.vertex = ossai_arena_new(arena, count, sizeof *tips->vertex),
		.persistence = ossai_arena_new(arena, count, sizeof *tips->persistence),
		.point = ossai_arena_new(arena, count, sizeof *tips->point)};
	if (!tips->vertex || !tips->persistence || !tips->point) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < count; i++) {
		tips->vertex[i] = list[i].item;
		tips->persistence[i] = list[i].key;
		tips->point[i] = ossai_v3_of(proxy->positions + 3 * (size_t)list[i].item);
	}
	return OSSA_OK;
}

/* `persistence`: of each vertex, without that of mirror images */
static ossa_status measure_slenderness(
	ossai_arena *scratch, const ossai_proxy *proxy, const double *average, const double *persistence, ossai_tips *tips)
{
	double *own = ossai_arena_new(scratch, tips->limb_count, sizeof *own);
	double *slenderness = ossai_arena_new(scratch, tips->limb_count, sizeof *slenderness);
	if (!own || !slenderness) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < tips->limb_count; i++) own[i] = persistence[tips->vertex[i]];
	OSSAI_TRY(ossai_slenderness_find(scratch, proxy, average, tips->limb_count, tips->vertex, own, slenderness));
	for (size_t i = 0; i < tips->limb_count; i++) tips->slenderness = fmax(tips->slenderness, slenderness[i]);
	return OSSA_OK;
}

static ossa_status find(ossai_arena *arena, ossai_arena *scratch, const ossai_proxy *proxy, const ossai_mirror *mirror,
	double least, ossai_tips *tips)
{
	double *persistence = ossai_arena_new(scratch, proxy->vertex_count, sizeof *persistence);
	double *average = ossai_arena_new(scratch, proxy->vertex_count, sizeof *average);
	ossai_heap_entry *list = ossai_arena_new(scratch, proxy->vertex_count, sizeof *list);
	if (!persistence || !average || !list) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_geodesic_maxima_find(scratch, proxy, persistence, average));
	size_t candidates = 0, count = 0;
	for (uint32_t v = 0; v < proxy->vertex_count; v++) {
		if (persistence[v] > 0 && persistence[v] >= NEARLY * least) list[candidates++] = (ossai_heap_entry){persistence[v], v};
	}
	if (mirror->exists) OSSAI_TRY(match_images(scratch, proxy, mirror, candidates, list));
	count = candidates;
	for (uint32_t v = 0; v < proxy->vertex_count; v++) {
		if (persistence[v] > 0 && persistence[v] < NEARLY * least) list[count++] = (ossai_heap_entry){persistence[v], v};
	}
	qsort(list, count, sizeof *list, ossai_heap_compare_falling);
	OSSAI_TRY(take(arena, proxy, count, list, tips));
	while (tips->limb_count < count && list[tips->limb_count].key >= least) tips->limb_count++;
	return measure_slenderness(scratch, proxy, average, persistence, tips);
}

ossa_status ossai_tips_find(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, ossai_tips *tips)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = find(arena, &scratch, proxy, mirror, least, tips);
	ossai_arena_end(&scratch);
	return status;
}

bool ossai_tips_are_limbs(const ossai_tips *tips) { return tips->slenderness >= LEAST_SLENDER; }

ossa_status ossai_curve_take_tips(ossai_arena *arena, const ossai_tips *tips, ossai_curve *curve)
{
	curve->persistence = ossai_arena_zero(arena, curve->node_count, sizeof *curve->persistence);
	if (!curve->persistence) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < tips->count; i++) {
		double *own = &curve->persistence[curve->node_of_vertex[tips->vertex[i]]];
		*own = fmax(*own, tips->persistence[i]);
	}
	return OSSA_OK;
}
