/* motion/exchange.c: see exchange.h. */
#include "motion/exchange.h"

#include "motion/skin_part.h"

#include <string.h>

/* rounds of weights and bones after splits, and after pruning */
enum { SPLIT_ROUNDS = 3, PRUNED_ROUNDS = 4 };
/* bones that are split at once, of all: 0.15 to 1 give nearly the same error */
static const double split_share = 0.6;

static void split(const ossai_skin_part *part, uint32_t bone, ossai_fit *fit)
{
	const size_t count = fit->weights.bone_count, poses = fit->surface->pose_count;
	fit->weights.bone_count = fit->spare.bone_count = fit->motion.bone_count = fit->last.bone_count = count + 1;
	ossai_skin_part_hand_over(part, bone, (uint32_t)count, &fit->weights);
	memcpy(fit->motion.rigid + bone * poses, part->left, poses * sizeof *part->left);
	memcpy(fit->motion.rigid + count * poses, part->motion, poses * sizeof *part->motion);
}

static ossa_status split_some(ossai_fit *fit, size_t most)
{
	const size_t bones = fit->weights.bone_count;
	ossai_arena arena = ossai_arena_begin(fit->context);
	ossai_skin_part *parts = ossai_arena_new(&arena, bones, sizeof *parts);
	ossa_status status = parts ? OSSA_OK : ossa_context_error(fit->context)->status;
	if (status == OSSA_OK) status = ossai_skin_parts_find(&arena, fit->surface, &fit->weights, &fit->motion, NULL, NULL, parts);
	for (size_t i = 0; status == OSSA_OK && i < most; i++) {
		const size_t best = ossai_skin_parts_best(parts, bones);
		if (best == bones) break;
		split(&parts[best], (uint32_t)best, fit);
		parts[best].gain = 0;
	}
	ossai_arena_end(&arena);
	return status;
}

static size_t count_splits(const ossai_fit *fit, size_t capacity)
{
	const size_t bones = fit->weights.bone_count, wanted = (size_t)(split_share * (double)bones) + 1;
	return bones + wanted <= capacity ? wanted : capacity - bones;
}

ossa_status ossai_fit_exchange(ossai_fit *fit, size_t capacity, const ossai_prune_goal *goal)
{
	OSSAI_TRY(split_some(fit, count_splits(fit, capacity)));
	OSSAI_TRY(ossai_fit_alternate(fit, SPLIT_ROUNDS, 0, false));
	OSSAI_TRY(ossai_fit_prune(fit, goal));
	return ossai_fit_alternate(fit, PRUNED_ROUNDS, 0, false);
}
