/* skeleton/naming/connected_limbs.c: see connected_limbs.h. */
#include "skeleton/naming/connected_limbs.h"

#include <string.h>

typedef struct labelling {
	const ossai_limb_graph *limbs;
	uint32_t *above; /* B: the bone nearer to the hips; OSSA_NONE: the hips */
	uint32_t *order; /* B: from the hips outward */
	double *odds;    /* B x n: of the likeliest limbs of the bone and all beyond it */
	uint32_t *pick;  /* B x n: the bone's limb where the one above it has this */
} labelling;

/* from the hips the tree is another one: those on the way to its root are turned round */
static void turn_tree(const labelling *l, const ossa_skeleton *skeleton, uint32_t hips)
{
	for (size_t b = 0; b < skeleton->bone_count; b++)
		l->above[b] = skeleton->bones[b].parent < 0 ? OSSA_NONE : (uint32_t)skeleton->bones[b].parent;
	uint32_t below = OSSA_NONE;
	for (uint32_t b = hips; b != OSSA_NONE;) {
		const uint32_t next = l->above[b];
		l->above[b] = below;
		below = b;
		b = next;
	}
}

/* the way from the hips to the root, then the others as they come: parents before children */
static void sort_outward(const labelling *l, const ossa_skeleton *skeleton, uint32_t hips)
{
	size_t count = 0;
	for (int32_t b = (int32_t)hips; b >= 0; b = skeleton->bones[b].parent) l->order[count++] = (uint32_t)b;
	for (uint32_t b = 0; b < skeleton->bone_count; b++) {
		const bool is_turned = b == hips || l->above[b] != (uint32_t)skeleton->bones[b].parent;
		if (!is_turned) l->order[count++] = b;
	}
}

static double step(const ossai_limb_graph *limbs, size_t from, size_t to)
{
	return from == to || limbs->begins[from * limbs->count + to] ? 0 : OSSAI_LIMB_CROSSING;
}

/* the bone's likeliest limb for each that the one above it may have */
static void pass_up(const labelling *l, uint32_t bone)
{
	const size_t n = l->limbs->count;
	const double *own = l->odds + bone * n;
	double *above = l->odds + l->above[bone] * n;
	for (size_t from = 0; from < n; from++) {
		uint32_t best = 0;
		for (uint32_t to = 1; to < n; to++) {
			if (own[to] + step(l->limbs, from, to) > own[best] + step(l->limbs, from, best)) best = to;
		}
		l->pick[bone * n + from] = best;
		above[from] += own[best] + step(l->limbs, from, best);
	}
}

static void find(const labelling *l, size_t bones, uint32_t *limb)
{
	const size_t n = l->limbs->count;
	memcpy(l->odds, l->limbs->odds, bones * n * sizeof *l->odds);
	for (size_t i = bones; i-- > 1;) pass_up(l, l->order[i]);
	const uint32_t hips = l->order[0];
	limb[hips] = 0;
	for (uint32_t i = 1; i < n; i++) {
		if (l->odds[hips * n + i] > l->odds[hips * n + limb[hips]]) limb[hips] = i;
	}
	for (size_t i = 1; i < bones; i++) limb[l->order[i]] = l->pick[l->order[i] * n + limb[l->above[l->order[i]]]];
}

ossa_status ossai_connected_limbs_find(
	ossa_context *context, const ossa_skeleton *skeleton, uint32_t hips, const ossai_limb_graph *limbs, uint32_t *limb)
{
	const size_t bones = skeleton->bone_count;
	ossai_arena arena = ossai_arena_begin(context);
	const labelling l = {.limbs = limbs,
		.above = ossai_arena_new(&arena, bones, sizeof *l.above),
		.order = ossai_arena_new(&arena, bones, sizeof *l.order),
		.odds = ossai_arena_new(&arena, bones, limbs->count * sizeof *l.odds),
		.pick = ossai_arena_new(&arena, bones, limbs->count * sizeof *l.pick)};
	const bool ready = l.above && l.order && l.odds && l.pick;
	if (ready) {
		turn_tree(&l, skeleton, hips);
		sort_outward(&l, skeleton, hips);
		find(&l, bones, limb);
	}
	ossai_arena_end(&arena);
	return ready ? OSSA_OK : ossa_context_error(context)->status;
}
