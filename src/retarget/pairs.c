/* retarget/pairs.c: see pairs.h. */
#include "retarget/pairs.h"

#include "retarget/body_frame.h"
#include "retarget/name_pairs.h"

/* The bones of one part and side, and where their stretches end, from 0 to 1. */
typedef struct chain {
	size_t count;
	uint32_t *bone;
	double *end; /* by bone: its stretch begins where that of the bone before ends */
} chain;

typedef struct pairing {
	ossai_arena *arena;
	const ossa_skeleton *target, *source;
	const ossa_role *target_role, *source_role;
	const uint32_t *forced; /* by bone of the target */
	ossai_pairs *pairs;
	size_t *count;      /* B: shares of each bone of the target */
	ossai_share **list; /* B */
	uint8_t *is_used;   /* by bone of the source */
} pairing;

static ossai_vec3 joint_of(const ossa_skeleton *skeleton, uint32_t bone) { return ossai_v3_of(skeleton->bones[bone].joint); }

static bool find_chain(
	ossai_arena *arena, const ossa_skeleton *skeleton, const ossa_role *role, ossa_body_part part, int side, int limb, chain *c)
{
	size_t kept = 0;
	double length = 0;
	c->bone = ossai_arena_new(arena, skeleton->bone_count, sizeof *c->bone);
	c->end = ossai_arena_new(arena, skeleton->bone_count, sizeof *c->end);
	if (!c->bone || !c->end) return false;
	const size_t count = ossai_bones_of(skeleton, role, part, side, c->bone, skeleton->bone_count);
	for (size_t i = 0; i < count; i++) {
		if (role[c->bone[i]].limb == limb) c->bone[kept++] = c->bone[i];
	}
	c->count = kept;
	for (size_t i = 0; i < kept; i++) {
		const ossai_vec3 next = i + 1 < kept ? joint_of(skeleton, c->bone[i + 1])
											 : ossai_v3_of(skeleton->bones[c->bone[i]].tail);
		length += ossai_distance(joint_of(skeleton, c->bone[i]), next);
		c->end[i] = length;
	}
	for (size_t i = 0; i < kept; i++) c->end[i] = length > 0 ? c->end[i] / length : (double)(i + 1) / (double)kept;
	return true;
}

/* the shares of bone i of the target's chain */
static bool share_chain(pairing *p, const chain *target, size_t i, const chain *source)
{
	const double from = i > 0 ? target->end[i - 1] : 0, to = target->end[i];
	ossai_share *list = ossai_arena_new(p->arena, source->count, sizeof *list);
	size_t count = 0;
	double sum = 0;
	if (!list) return false;
	for (size_t k = 0; k < source->count; k++) {
		const double begin = k > 0 ? source->end[k - 1] : 0;
		const double overlap = target->count == source->count ? (double)(i == k)
															  : ossai_lesser(to, source->end[k]) - ossai_larger(from, begin);
		if (!(overlap > 0)) continue;
		list[count++] = (ossai_share){source->bone[k], overlap};
		sum += overlap;
	}
	/* a bone without length is on the border of two: it follows the first of them */
	if (count == 0) {
		size_t k = 0;
		while (k + 1 < source->count && source->end[k] < from) k++;
		list[count++] = (ossai_share){source->bone[k], sum = 1};
	}
	for (size_t k = 0; k < count; k++) list[k].share /= sum;
	p->list[target->bone[i]] = list;
	p->count[target->bone[i]] = count;
	return true;
}

static bool pair_chain(pairing *p, ossa_role role)
{
	chain target, source;
	if (!find_chain(p->arena, p->target, p->target_role, role.part, role.side, role.limb, &target)) return false;
	if (!find_chain(p->arena, p->source, p->source_role, role.part, role.side, role.limb, &source)) return false;
	for (size_t i = 0; i < target.count && source.count > 0; i++) {
		if (!share_chain(p, &target, i, &source)) return false;
	}
	return true;
}

static ossa_status store(pairing *p)
{
	size_t total = 0;
	for (size_t b = 0; b < p->target->bone_count; b++) total += p->count[b];
	p->pairs->first = ossai_arena_new(p->arena, p->target->bone_count + 1, sizeof *p->pairs->first);
	p->pairs->share = ossai_arena_new(p->arena, total, sizeof *p->pairs->share);
	if (!p->pairs->first || !p->pairs->share) return ossa_context_error(p->arena->context)->status;
	total = 0;
	for (size_t b = 0; b < p->target->bone_count; b++) {
		p->pairs->first[b] = total;
		p->pairs->target_count += p->count[b] > 0;
		for (size_t k = 0; k < p->count[b]; k++) {
			p->pairs->share[total++] = p->list[b][k];
			p->is_used[p->list[b][k].bone] = 1;
		}
	}
	p->pairs->first[p->target->bone_count] = total;
	for (size_t b = 0; b < p->source->bone_count; b++) {
		p->pairs->source_count += p->is_used[b];
		p->pairs->source_unused += p->source_role[b].part != OSSA_PART_NONE && !p->is_used[b];
	}
	return OSSA_OK;
}

/* what a person knows better */
static bool pair_forced(pairing *p)
{
	for (size_t b = 0; b < p->target->bone_count; b++) {
		if (p->forced[b] == OSSA_NONE) continue;
		p->count[b] = 0;
		if (p->forced[b] == OSSAI_FOLLOWS_NONE) continue;
		p->list[b] = ossai_arena_new(p->arena, 1, sizeof *p->list[b]);
		if (!p->list[b]) return false;
		p->list[b][0] = (ossai_share){p->forced[b], 1};
		p->count[b] = 1;
	}
	return true;
}

/* jaws, capes and weapons of two characters by one artist */
static ossa_status pair_rest(pairing *p)
{
	size_t count;
	uint32_t *twin = p->pairs->twin = ossai_arena_new(p->arena, p->target->bone_count, sizeof *twin);
	if (!twin) return ossa_context_error(p->arena->context)->status;
	OSSAI_TRY(ossai_pair_names(p->arena, p->target, p->source, twin, &count));
	for (size_t b = 0; b < p->target->bone_count; b++) {
		if (twin[b] == OSSA_NONE) continue;
		const bool has_role = p->target_role[b].part != OSSA_PART_NONE || p->source_role[twin[b]].part != OSSA_PART_NONE;
		if (has_role || p->forced[b] != OSSA_NONE) twin[b] = OSSA_NONE;
	}
	return OSSA_OK;
}

ossa_status ossai_find_pairs(ossai_arena *arena, const ossa_skeleton *target, const ossa_role *target_role,
	const ossa_skeleton *source, const ossa_role *source_role, const uint32_t *forced, ossai_pairs *pairs)
{
	pairing p = {.arena = arena,
		.target = target,
		.source = source,
		.target_role = target_role,
		.source_role = source_role,
		.forced = forced,
		.pairs = pairs};
	*pairs = (ossai_pairs){0};
	p.count = ossai_arena_zero(arena, target->bone_count, sizeof *p.count);
	p.list = ossai_arena_zero(arena, target->bone_count, sizeof *p.list);
	p.is_used = ossai_arena_zero(arena, source->bone_count, 1);
	if (!p.count || !p.list || !p.is_used) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < target->bone_count; b++) {
		if (target_role[b].part == OSSA_PART_NONE || p.count[b] > 0) continue;
		if (!pair_chain(&p, target_role[b])) return ossa_context_error(arena->context)->status;
	}
	if (!pair_forced(&p)) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(pair_rest(&p));
	return store(&p);
}
