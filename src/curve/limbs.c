/* curve/limbs.c: see limbs.h. */
#include "curve/limbs.h"

#include "curve/mirrored_chains.h"
#include "surface/protrusions.h"

#include <ossa/mesh.h>

/* What protrudes by less than this share of what a limb does is no limb's image either. */
static const double NEARLY = 0.7;

/* both of a pair protrude as far as the one that does more */
static ossa_status match_tips(ossai_arena *scratch, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, double *height)
{
	uint32_t *tip = ossai_arena_new(scratch, proxy->vertex_count, sizeof *tip);
	if (!tip) return ossa_context_error(scratch->context)->status;
	size_t count = 0;
	for (uint32_t v = 0; v < proxy->vertex_count; v++) {
		if (height[v] >= NEARLY * least) tip[count++] = v;
	}
	ossai_branch *branch = ossai_arena_new(scratch, count, sizeof *branch);
	ossai_branch_image *image = ossai_arena_new(scratch, count, sizeof *image);
	if (!branch || !image) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < count; i++) {
		branch[i] = (ossai_branch){OSSA_NONE, true, ossai_v3_of(proxy->positions + 3 * (size_t)tip[i])};
	}
	OSSAI_TRY(ossai_mirrored_chains(scratch, mirror, NULL, count, branch, image));
	for (size_t i = 0; i < count; i++) {
		const uint32_t other = image[i].chain;
		if (other != OSSA_NONE && other > i) height[tip[i]] = height[tip[other]] = fmax(height[tip[i]], height[tip[other]]);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_find_limbs(ossai_arena *arena, const ossai_proxy *proxy, const ossai_mirror *mirror, double least, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	double *height = ossai_arena_new(&scratch, proxy->vertex_count, sizeof *height);
	curve->limb = ossai_arena_zero(arena, curve->node_count, sizeof *curve->limb);
	ossa_status status = height && curve->limb ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = ossai_protrusions_find(&scratch, proxy, height);
	if (status == OSSA_OK && mirror->exists) status = match_tips(&scratch, proxy, mirror, least, height);
	for (size_t v = 0; status == OSSA_OK && v < curve->vertex_count; v++) {
		double *limb = &curve->limb[curve->node_of_vertex[v]];
		*limb = fmax(*limb, height[v]);
	}
	ossai_arena_end(&scratch);
	return status;
}
