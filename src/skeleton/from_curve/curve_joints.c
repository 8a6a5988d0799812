/* skeleton/from_curve/curve_joints.c: see curve_joints.h. */
#include "skeleton/from_curve/curve_joints.h"

#include "skeleton/from_curve/joint_places.h"

#include <ossa/mesh.h>

/* The numbers of bones that a chain may have where none is given. A straight limb of length L in
   radii has sqrt(L / price) bones, so that each number is right for limbs about 2.5 times as
   slender as the one before: noise seldom changes it. With all numbers allowed joints are farther
   apart than 2 % of the size in 3 more of 24 pairs of meshes of one shape. */
static const size_t COUNTS[] = {1, 2, 3, 5, 8, 13, OSSAI_CHAIN_BONES};

/* Two limbs are alike by exp(-x^2), x the logarithm of the ratio of their lengths over this: 0.80
   of the weight at a ratio of 1.1, 0.02 at 1.5. Tried, in the same pairs of meshes: 0.001, each
   limb for itself (4 more are farther apart), and 1 (2 more). */
static const double LIKE_LIMBS = 0.2;

/* Savings that differ by less than this share are equal: which of several fingers gets one more
   bone must not be decided by noise. */
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
	const ossai_joint_weights *weights;
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
	ossai_joint_energy *energy = ossai_arena_new(p->arena, 1, sizeof *energy);
	ossai_place_sums *sums = ossai_place_sums_new(p->arena);
	if (!p->groups || !p->group_of || !p->start || !energy || !sums) return ossa_context_error(p->arena->context)->status;
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
		ossai_joint_energy_of(p->weights, chains, g->size, g->member, p->start, energy);
		ossai_joint_places_find(sums, energy, p->weights->noise, &g->places);
	}
	return OSSA_OK;
}

/* ---- how many ---- */

/* Bones of all groups and the root. */
static size_t count_bones(const placing *p)
{
	size_t sum = p->with_root == OSSA_NONE || p->groups[p->group_of[p->with_root]].is_dropped ? 1 : 0;
	for (size_t g = 0; g < p->group_count; g++) sum += p->groups[g].is_dropped ? 0 : p->groups[g].size * p->groups[g].count;
	return sum;
}

/* Whether no chain that is kept begins at the group's ends. */
static bool is_outer(const uint8_t *has_child, const chain_group *g)
{
	return !has_child[g->member[0]] && (g->size < 2 || !has_child[g->member[1]]);
}

/* Drops the shortest limbs, outermost first, until there are at most as many bones as wanted. */
static ossa_status drop_limbs(placing *p, size_t wanted)
{
	uint8_t *has_child = ossai_arena_new(p->arena, p->chains->count, 1);
	if (!has_child) return ossa_context_error(p->arena->context)->status;
	while (count_bones(p) > wanted) {
		for (uint32_t c = 0; c < p->chains->count; c++) has_child[c] = 0;
		for (uint32_t c = 0; c < p->chains->count; c++) {
			const uint32_t parent = p->chains->chain[c].parent;
			if (parent != OSSA_NONE && !p->groups[p->group_of[c]].is_dropped) has_child[parent] = 1;
		}
		chain_group *least = NULL;
		double least_size = INFINITY;
		for (size_t g = 0; g < p->group_count; g++) {
			const ossai_chain *chain = &p->chains->chain[p->groups[g].member[0]];
			const double size = chain->length - p->start[p->groups[g].member[0]];
			if (p->groups[g].is_dropped || !is_outer(has_child, &p->groups[g]) || !(size < least_size)) continue;
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

static bool may_have(const chain_group *g, size_t bones)
{
	return bones <= g->places.most && isfinite(g->places.energy[bones]);
}

/* The energy that one more bone on each of the group's chains saves; -INFINITY where there may be
   none, or they are more than `left`. */
static double saving_of(const chain_group *g, size_t left)
{
	if (g->is_dropped || g->size > left || !may_have(g, g->count + 1)) return -INFINITY;
	return g->places.energy[g->count] - g->places.energy[g->count + 1];
}

/* The energy that each bone from `fewer` to `more` saves: the mean over all limbs, weighted by how
   much they are like the group's. Fingers are alike, and should have the same number of bones
   whatever is measured on each of them. */
static double shared_saving(const placing *p, const chain_group *g, size_t fewer, size_t more)
{
	const ossai_chain *own = &p->chains->chain[g->member[0]];
	double sum = 0, weights = 0;
	for (size_t i = 0; i < p->group_count; i++) {
		const chain_group *other = &p->groups[i];
		const ossai_chain *chain = &p->chains->chain[other->member[0]];
		if (chain->is_leaf != own->is_leaf || !may_have(other, more)) continue;
		const double unlike = log(chain->length / own->length) / LIKE_LIMBS,
					 weight = (double)other->size * exp(-unlike * unlike);
		if (!(weight > 0)) continue;
		sum += weight * (other->places.energy[fewer] - other->places.energy[more]);
		weights += weight;
	}
	return sum / weights / (double)(more - fewer);
}

/* Gives each limb as many bones as save their price. */
static void add_paying_bones(placing *p)
{
	for (size_t i = 0; i < p->group_count; i++) {
		chain_group *g = &p->groups[i];
		for (size_t k = 1; k < sizeof COUNTS / sizeof *COUNTS; k++) {
			if (!may_have(g, COUNTS[k]) || !(shared_saving(p, g, COUNTS[k - 1], COUNTS[k]) > p->weights->price)) break;
			g->count = COUNTS[k];
		}
	}
}

/* Limbs of known bodies have a known number of bones, or as many as fit. */
static void fix_counts(placing *p, const size_t *fixed)
{
	for (size_t i = 0; i < p->group_count; i++) {
		chain_group *g = &p->groups[i];
		const size_t most = g->places.most;
		size_t count = fixed[g->member[0]];
		if (count == 0 && g->size == 2) count = fixed[g->member[1]];
		while (count > 0 && !(count <= most && isfinite(g->places.energy[count]))) count--;
		if (count > 0) g->count = count;
	}
}

/* The group on which the next bone saves most. Among savings that are alike the group of the
   largest volume is taken, among equal volumes the first in the shape's canonical frame, so that
   rounding does not choose between limbs that are alike. NULL where there is none. */
static chain_group *next_group(placing *p, size_t left)
{
	double most = -INFINITY, most_volume = 0;
	for (size_t i = 0; i < p->group_count; i++) most = fmax(most, saving_of(&p->groups[i], left));
	if (!(most > -INFINITY)) return NULL;
	const double enough = fmin(most, most * (1 - ALIKE));
	for (size_t i = 0; i < p->group_count; i++) {
		if (saving_of(&p->groups[i], left) >= enough) most_volume = fmax(most_volume, volume_of(p, &p->groups[i]));
	}
	chain_group *best = NULL;
	for (size_t i = 0; i < p->group_count; i++) {
		chain_group *g = &p->groups[i];
		if (saving_of(g, left) < enough || volume_of(p, g) < (1 - ALIKE) * most_volume) continue;
		if (!best || place_of(p, g) > place_of(p, best)) best = g;
	}
	return best;
}

/* Adds bones where they save most, to mirrored chains two at a time. */
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
			/* between two junctions the first bone begins at the joint of the first, and the last
			   joint is the second */
			const bool is_end = !chain->is_leaf && k + 1 == joints[c].count;
			const double at = chain->is_leaf ? g->places.at[g->count][k]
				: is_end                     ? OSSAI_CHAIN_SAMPLES
											 : g->places.at[g->count][k + 1];
			joints[c].arc[k] = p->start[c] + span * at / OSSAI_CHAIN_SAMPLES;
		}
	}
	return OSSA_OK;
}

/* The chain that continues the root's bone where at most two chains, both leaves, begin at the
   root: the longer one. OSSA_NONE where they are mirror images, or there are more. */
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

/* Why there are not as many bones as wanted. */
static ossai_bone_shortage shortage_of(const placing *p, size_t wanted, size_t total)
{
	if (total >= wanted) return OSSAI_SHORTAGE_NONE;
	ossai_bone_shortage reason = OSSAI_SHORTAGE_CROWDED;
	for (size_t i = 0; i < p->group_count; i++) {
		const chain_group *g = &p->groups[i];
		const bool may_grow = g->is_dropped || saving_of(g, SIZE_MAX) > -INFINITY;
		if (may_grow && g->size > wanted - total) return OSSAI_SHORTAGE_IMAGE;
		if (!g->is_dropped && g->count == OSSAI_CHAIN_BONES) reason = OSSAI_SHORTAGE_FULL;
	}
	return reason;
}

ossa_status ossai_chain_joints_place(ossai_arena *arena, const ossai_chains *chains, const ossai_joint_weights *weights,
	size_t wanted, const size_t *fixed, ossai_chain_joints *joints, uint32_t *with_root, size_t *total,
	ossai_bone_shortage *shortage)
{
	placing p = {.arena = arena, .chains = chains, .weights = weights, .with_root = root_chain(chains)};
	OSSAI_TRY(make_groups(&p));
	if (wanted) OSSAI_TRY(drop_limbs(&p, wanted));
	if (wanted) add_bones(&p, wanted);
	else add_paying_bones(&p);
	if (!wanted && fixed) fix_counts(&p, fixed);
	*total = count_bones(&p);
	*shortage = shortage_of(&p, wanted, *total);
	if (p.with_root != OSSA_NONE && p.groups[p.group_of[p.with_root]].is_dropped) p.with_root = OSSA_NONE;
	*with_root = p.with_root;
	return give_joints(&p, joints);
}
