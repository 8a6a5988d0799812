/* skeleton/from_curve/curve_joints.c: see curve_joints.h.

   With the costs of joint_places.h a chain of length L and radius r costs L / (r k) with k bones;
   at PRICE for a bone sqrt(L / (PRICE r)) of them are best, as many as artists take, or a few
   more. */
#include "skeleton/from_curve/curve_joints.h"

#include "skeleton/from_curve/joint_places.h"

#include <ossa/mesh.h>

/* What one more bone must save where their number is not given; and the numbers that there may be
   then: each is right for limbs that are about 1.6 times as slender as for the one before, so that
   noise seldom changes it. */
static const double PRICE = 1.6;
static const size_t COUNTS[] = {1, 2, 3, 5, 8, 13, OSSAI_CHAIN_BONES};

/* Limbs are like each other as exp(-x^2), where x is the logarithm of the ratio of their lengths
   over this. */
static const double LIKE_LIMBS = 0.2;

/* Gains that differ by less than this share are alike. */
static const double ALIKE = 0.25;

/* A chain, or two mirrored ones that share their costs. */
typedef struct chain_group {
	uint32_t member[2];
	size_t size;
	bool is_dropped;
	size_t count; /* bones on each member */
	ossai_joint_places places;
} chain_group;

typedef struct placing {
	ossai_arena *arena;
	const ossai_chains *chains;
	uint32_t with_root;
	chain_group *groups;
	size_t group_count;
	uint32_t *group_of; /* chain */
	double *start;      /* per chain: the arc where its first sample is */
} placing;

static ossa_status make_groups(placing *p)
{
	const ossai_chains *chains = p->chains;
	p->groups = ossai_arena_new(p->arena, chains->count, sizeof *p->groups);
	p->group_of = ossai_arena_new(p->arena, chains->count, sizeof *p->group_of);
	p->start = ossai_arena_new(p->arena, chains->count, sizeof *p->start);
	ossai_joint_costs *costs = ossai_joint_costs_new(p->arena);
	if (!p->groups || !p->group_of || !p->start || !costs) return ossa_context_error(p->arena->context)->status;
	for (uint32_t c = 0; c < chains->count; c++) p->start[c] = c == p->with_root ? 0 : ossai_limb_start(chains, c);
	for (uint32_t c = 0; c < chains->count; c++) {
		OSSAI_TRY(ossai_progress(p->arena->context, 0.8 * c / (double)chains->count));
		const uint32_t other = chains->chain[c].mirrored;
		if (other != OSSA_NONE && other < c) {
			p->group_of[c] = p->group_of[other];
			continue;
		}
		p->group_of[c] = (uint32_t)p->group_count;
		chain_group *g = &p->groups[p->group_count++];
		*g = (chain_group){.member = {c, other}, .size = other == OSSA_NONE || other == c ? 1 : 2, .count = 1};
		ossai_joint_places_find(costs, chains, g->size, g->member, p->start, &g->places);
	}
	return OSSA_OK;
}

/* ---- how many ---- */

/* bones of all groups and the root */
static size_t count_bones(const placing *p)
{
	size_t sum = p->with_root == OSSA_NONE || p->groups[p->group_of[p->with_root]].is_dropped ? 1 : 0;
	for (size_t g = 0; g < p->group_count; g++) sum += p->groups[g].is_dropped ? 0 : p->groups[g].size * p->groups[g].count;
	return sum;
}

/* whether nothing that stays hangs on the group's ends */
static bool is_outer(const uint8_t *bears, const chain_group *g)
{
	return !bears[g->member[0]] && (g->size < 2 || !bears[g->member[1]]);
}

/* leaves out the least of the limbs, outermost first, until there are no more bones than wanted */
static ossa_status drop_limbs(placing *p, size_t wanted)
{
	uint8_t *bears = ossai_arena_new(p->arena, p->chains->count, 1);
	if (!bears) return ossa_context_error(p->arena->context)->status;
	while (count_bones(p) > wanted) {
		for (uint32_t c = 0; c < p->chains->count; c++) bears[c] = 0;
		for (uint32_t c = 0; c < p->chains->count; c++) {
			const uint32_t parent = p->chains->chain[c].parent;
			if (parent != OSSA_NONE && !p->groups[p->group_of[c]].is_dropped) bears[parent] = 1;
		}
		chain_group *least = NULL;
		double least_size = INFINITY;
		for (size_t g = 0; g < p->group_count; g++) {
			const ossai_chain *chain = &p->chains->chain[p->groups[g].member[0]];
			const double size = chain->length - p->start[p->groups[g].member[0]];
			if (p->groups[g].is_dropped || !is_outer(bears, &p->groups[g]) || !(size < least_size)) continue;
			least = &p->groups[g];
			least_size = size;
		}
		if (!least) break;
		least->is_dropped = true;
	}
	return OSSA_OK;
}

static double volume_of(const placing *p, const chain_group *g) { return p->chains->chain[g->member[0]].volume; }

static double place_of(const placing *p, const chain_group *g) { return p->chains->chain[g->member[0]].place; }

/* what one more bone on each of the group's chains would save; -INFINITY where it may have none */
static double gain_of(const chain_group *g, size_t room)
{
	if (g->is_dropped || g->count >= g->places.most || g->size > room || !isfinite(g->places.cost[g->count + 1]))
		return -INFINITY;
	return g->places.cost[g->count] - g->places.cost[g->count + 1];
}

/* What each bone from `fewer` to `more` would save on the mean of the limbs, the more they are like the group's, as fingers are like each other:
   their number must not hang on what is measured of each. */
static double shared_gain(const placing *p, const chain_group *g, size_t fewer, size_t more)
{
	const ossai_chain *own = &p->chains->chain[g->member[0]];
	double sum = 0, weights = 0;
	for (size_t i = 0; i < p->group_count; i++) {
		const chain_group *other = &p->groups[i];
		const ossai_chain *chain = &p->chains->chain[other->member[0]];
		if (chain->is_leaf != own->is_leaf || other->places.most < more || !isfinite(other->places.cost[more])) continue;
		const double unlike = log(chain->length / own->length) / LIKE_LIMBS,
					 weight = (double)other->size * exp(-unlike * unlike);
		if (!(weight > 0)) continue;
		sum += weight * (other->places.cost[fewer] - other->places.cost[more]);
		weights += weight;
	}
	return sum / weights / (double)(more - fewer);
}

/* as many bones on each limb as are worth it */
static void add_worthy_bones(placing *p)
{
	for (size_t i = 0; i < p->group_count; i++) {
		chain_group *g = &p->groups[i];
		for (size_t k = 1; k < sizeof COUNTS / sizeof *COUNTS; k++) {
			if (COUNTS[k] > g->places.most || !isfinite(g->places.cost[COUNTS[k]])) break;
			if (!(shared_gain(p, g, COUNTS[k - 1], COUNTS[k]) > PRICE)) break;
			g->count = COUNTS[k];
		}
	}
}

/* The group that the next bone saves most on. Of those on which it saves nearly as much the ones that bear most, and of these the one that is first
   in the shape's own frame: the last digits of what is measured must not choose between limbs that are alike. NULL where
   there is none. */
static chain_group *next_group(placing *p, size_t room)
{
	double most_gain = -INFINITY, most_volume = 0;
	for (size_t i = 0; i < p->group_count; i++) most_gain = fmax(most_gain, gain_of(&p->groups[i], room));
	if (!(most_gain > -INFINITY)) return NULL;
	const double gain = fmin(most_gain, most_gain * (1 - ALIKE));
	for (size_t i = 0; i < p->group_count; i++) {
		if (gain_of(&p->groups[i], room) >= gain) most_volume = fmax(most_volume, volume_of(p, &p->groups[i]));
	}
	chain_group *best = NULL;
	for (size_t i = 0; i < p->group_count; i++) {
		chain_group *g = &p->groups[i];
		if (gain_of(g, room) < gain || volume_of(p, g) < (1 - ALIKE) * most_volume) continue;
		if (!best || place_of(p, g) > place_of(p, best)) best = g;
	}
	return best;
}

/* gives bones to where they save most, mirrored chains two at a time */
static void add_bones(placing *p, size_t wanted)
{
	size_t total = count_bones(p);
	while (total < wanted) {
		chain_group *best = next_group(p, wanted - total);
		if (!best) return;
		best->count++;
		total += best->size;
	}
}

static ossa_status give_joints(const placing *p, ossai_chain_joints *joints)
{
	for (uint32_t c = 0; c < p->chains->count; c++) {
		const chain_group *g = &p->groups[p->group_of[c]];
		joints[c].count = g->is_dropped ? 0 : g->count;
		joints[c].arc = ossai_arena_new(p->arena, joints[c].count, sizeof *joints[c].arc);
		if (!joints[c].arc) return ossa_context_error(p->arena->context)->status;
		const ossai_chain *chain = &p->chains->chain[c];
		const double span = chain->length - p->start[c];
		for (size_t k = 0; k < joints[c].count; k++) {
			/* between branchings the first bone begins at the branching, which has its joint; and there is one at the end */
			const bool is_end = !chain->is_leaf && k + 1 == joints[c].count;
			const double at = chain->is_leaf ? g->places.at[g->count][k]
				: is_end                     ? OSSAI_CHAIN_SAMPLES
											 : g->places.at[g->count][k + 1];
			joints[c].arc[k] = p->start[c] + span * at / OSSAI_CHAIN_SAMPLES;
		}
	}
	return OSSA_OK;
}

/* a path through the root: its longer way goes on the root's bone, unless the other is its image */
static uint32_t root_chain(const ossai_chains *chains)
{
	uint32_t best = OSSA_NONE;
	for (uint32_t c = 0; c < chains->root_count; c++) {
		if (!chains->chain[c].is_leaf || chains->root_count > 2) return OSSA_NONE;
		if (chains->chain[c].mirrored != OSSA_NONE && chains->chain[c].mirrored != c) return OSSA_NONE;
		if (best == OSSA_NONE || chains->chain[c].length > chains->chain[best].length) best = c;
	}
	return best;
}

/* why nothing more could be given */
static ossai_bone_shortage shortage_of(const placing *p, size_t wanted, size_t total)
{
	if (total >= wanted) return OSSAI_SHORTAGE_NONE;
	ossai_bone_shortage reason = OSSAI_SHORTAGE_CROWDED;
	for (size_t i = 0; i < p->group_count; i++) {
		const chain_group *g = &p->groups[i];
		const bool may_grow = g->is_dropped || gain_of(g, SIZE_MAX) > -INFINITY;
		if (may_grow && g->size > wanted - total) return OSSAI_SHORTAGE_PARTNER;
		if (!g->is_dropped && g->count == OSSAI_CHAIN_BONES) reason = OSSAI_SHORTAGE_FULL;
	}
	return reason;
}

ossa_status ossai_chain_joints_place(ossai_arena *arena, const ossai_chains *chains, size_t wanted, ossai_chain_joints *joints,
	uint32_t *with_root, size_t *total, ossai_bone_shortage *shortage)
{
	placing p = {.arena = arena, .chains = chains, .with_root = root_chain(chains)};
	OSSAI_TRY(make_groups(&p));
	if (wanted) OSSAI_TRY(drop_limbs(&p, wanted));
	if (wanted) add_bones(&p, wanted);
	else add_worthy_bones(&p);
	*total = count_bones(&p);
	*shortage = shortage_of(&p, wanted, *total);
	if (p.with_root != OSSA_NONE && p.groups[p.group_of[p.with_root]].is_dropped) p.with_root = OSSA_NONE;
	*with_root = p.with_root;
	return give_joints(&p, joints);
}
