/* skeleton/from_curve/curve_joints.c: see curve_joints.h.

   What riggers do, as a cost. A bone is dear by the square of its length, measured in the limb's thickness, so that joints lie evenly and
   closer where the limb is thin; by how far the limb bends away from it; and a joint is cheaper where the limb is narrow: necks, wrists,
   ankles, knees. The best places for each number of joints are found by dynamic programming over samples of the chain. A chain of length L
   and radius r then costs L / (r k) with k bones; at PRICE for a bone sqrt(L / (PRICE r)) of them are best, as many as artists take, or a few more. */
#include "skeleton/from_curve/curve_joints.h"

#include <ossa/mesh.h>
#include <float.h>
#include <stdlib.h>

/* Samples of a chain, and the most bones that one gets. */
enum { SAMPLES = 40, MOST_BONES = 20 };

/* What one more bone must save where their number is not told; and the numbers that there may be then: each is right for limbs that are about
   1.6 times as slender as for the one before, so that what is measured a little otherwise seldom changes it. */
static const double PRICE = 1.6;
static const size_t COUNTS[] = {1, 2, 3, 5, 8, 13, MOST_BONES};

/* Limbs are like each other as exp(-x^2), where x is the logarithm of the ratio of their lengths over this. */
static const double LIKE_LIMBS = 0.2;

/* Gains that differ by less than this share are alike. */
static const double ALIKE = 0.25;

/* Weights of bends and of narrow places against even lengths. */
static const double BEND = 2;
static const double NARROW = 3;

/* A bone that is this far from the limb's middle, in its radius, leaves the skin; and what that costs. */
static const double IN_SKIN = 0.7;
static const double OUT = 10;

/* A limb begins where it has come out of the ball that it branches from, or, if it is short, at this share of its length; and how much wider than the
   limb that ball is where the limb can be told from the body by its width. */
static const double OUT_OF_SHORT = 0.5;
static const double WIDER = 1.1;

/* Places that cost this much more than the best count 1 / e as much: as much as noise on a surface makes of difference. */
static const double AS_GOOD = 0.3;

/* A radius counts at least this share of the chain's mean, so that pointed ends do not draw all joints. */
static const double THIN = 0.7;

/* ... and at least this share of the diagonal: spiders' legs have no more joints than men's. */
static const double THIN_AT_ALL = 0.02;

/* A limb's last bone is at least this long in the radius at its joint: heads have no joint in their middle. */
static const double LAST = 2;

/* A chain gets no more bones than would be this long, in the limb's radius, each. */
static const double SHORTEST = 0.3;

/* A chain, or two mirrored ones that share their costs. */
typedef struct chain_group {
	uint32_t member[2];
	size_t size;
	bool is_dropped;
	size_t count, most;                   /* bones on each member */
	double cost[MOST_BONES + 1];          /* by bones */
	float at[MOST_BONES + 1][MOST_BONES]; /* samples, and between them, where bones begin */
} chain_group;

typedef struct placing {
	ossai_arena *arena;
	const ossai_chains *chains;
	uint32_t with_root;
	chain_group *groups;
	size_t group_count;
	uint32_t *group_of; /* chain */
	double *start;      /* per chain: the arc where its first sample is */
	double *segment;    /* (SAMPLES + 1)^2: of a bone from i to j; infinite where there may be none */
	double narrow[SAMPLES + 1];
	struct place_sums *sums;
} placing;

/* How long the limb would be as wide as the body if it became as thin as it is further out at once: a sum over its first half, which moves evenly with
   what is measured, as the place where some width is first reached does not. 0 where it is as wide as the body. */
static double in_body(const placing *p, uint32_t c)
{
	const double length = p->chains->chain[c].length, body = p->chains->radius[p->chains->chain[c].begin];
	double radius[SAMPLES + 1], limb = 0, sum = 0;
	for (int i = 0; i <= SAMPLES; i++) {
		ossai_chain_at(p->chains, c, length * i / SAMPLES, &radius[i]);
		if (i > SAMPLES / 2) limb += radius[i] / (SAMPLES / 2);
	}
	if (body < WIDER * limb) return 0;
	for (int i = 0; i < SAMPLES / 2; i++) sum += fmin(fmax((radius[i] - limb) / (body - limb), 0), 1);
	return sum * length / SAMPLES;
}

/* Where the limb begins: out of the ball that it branches from, and of the body, which may be wider than that. */
static double start_of(const placing *p, uint32_t c)
{
	if (c == p->with_root) return 0;
	const ossai_chain *chain = &p->chains->chain[c];
	const double out = chain->is_leaf ? in_body(p, c) : 0;
	return fmin(fmax(p->chains->radius[chain->begin], out), OUT_OF_SHORT * chain->length);
}

typedef struct profile {
	ossai_vec3 point[SAMPLES + 1];
	double radius[SAMPLES + 1];
	double along[SAMPLES + 1]; /* length in radii, from the start */
	double mean, length;
	bool is_leaf;
} profile;

/* radii as means over a sixth of the chain, the nearer the more: what single nodes measure must not move joints */
static void smooth(double *radius)
{
	enum { REACH = SAMPLES / 12 };
	double mean[SAMPLES + 1];
	for (int i = 0; i <= SAMPLES; i++) {
		double sum = 0, weights = 0;
		for (int k = i - REACH; k <= i + REACH; k++) {
			if (k < 0 || k > SAMPLES) continue;
			const double weight = REACH + 1 - abs(k - i);
			sum += weight * radius[k];
			weights += weight;
		}
		mean[i] = sum / weights;
	}
	for (int i = 0; i <= SAMPLES; i++) radius[i] = mean[i];
}

static void sample(const placing *p, uint32_t c, profile *out)
{
	const double start = p->start[c], length = p->chains->chain[c].length - start;
	out->mean = 0;
	out->length = length;
	out->is_leaf = p->chains->chain[c].is_leaf;
	for (int i = 0; i <= SAMPLES; i++) {
		out->point[i] = ossai_chain_at(p->chains, c, start + length * i / SAMPLES, &out->radius[i]);
		out->mean += out->radius[i] / (SAMPLES + 1);
	}
	smooth(out->radius);
	out->along[0] = 0;
	for (int i = 0; i <= SAMPLES; i++) {
		const double least = fmax(THIN * out->mean, THIN_AT_ALL);
		if (out->radius[i] < least) out->radius[i] = least;
		if (i == 0) continue;
		out->along[i] = out->along[i - 1] + 2 * length / SAMPLES / (out->radius[i - 1] + out->radius[i]);
	}
}

/* square of the distance from a point to the segment */
static double off2(ossai_vec3 p, ossai_vec3 a, ossai_vec3 b)
{
	return ossai_length2(ossai_sub(p, ossai_nearest_on_segment(a, b, p)));
}

/* adds what bones between all samples cost, as this share of the group */
static void add_costs(placing *p, const profile *of, double share)
{
	const double all = of->along[SAMPLES] > 0 ? of->along[SAMPLES] : 1;
	for (int i = 0; i <= SAMPLES; i++) {
		for (int j = i + 1; j <= SAMPLES; j++) {
			const double length = of->along[j] - of->along[i];
			double bend = 0, out = 0;
			for (int k = i + 1; k < j; k++) {
				const double r = fmax(of->mean, THIN_AT_ALL), off = off2(of->point[k], of->point[i], of->point[j]);
				const double step = (of->along[k + 1] - of->along[k - 1]) / 2;
				bend += off / (r * r) * step;
				out += fmax(sqrt(off) / of->radius[k] - IN_SKIN, 0) * step;
			}
			p->segment[i * (SAMPLES + 1) + j] += share * (length * length / all + BEND * bend + OUT * out);
		}
	}
	/* no joint whose ball holds all that is left of the limb */
	const double step = of->length / SAMPLES;
	for (int i = 1; of->is_leaf && i < SAMPLES; i++) {
		if (step * (SAMPLES - i) < LAST * of->radius[i]) p->segment[i * (SAMPLES + 1) + SAMPLES] = INFINITY;
	}
	/* how thin the limb is here, against its thickest within a sixth of it on the lesser side */
	for (int i = 0; i <= SAMPLES; i++) {
		double before = of->radius[i], after = of->radius[i];
		for (int k = 1; k <= SAMPLES / 6; k++) {
			if (i >= k) before = fmax(before, of->radius[i - k]);
			if (i + k <= SAMPLES) after = fmax(after, of->radius[i + k]);
		}
		p->narrow[i] -= share * NARROW * (1 - of->radius[i] / fmin(before, after));
	}
}

/* the best places for 1 .. most bones: by the cost of the first j samples in k bones */
static void best_places(const placing *p, chain_group *g)
{
	double cost[MOST_BONES + 1][SAMPLES + 1];
	uint8_t from[MOST_BONES + 1][SAMPLES + 1];
	for (size_t k = 1; k <= g->most; k++) {
		for (size_t j = 0; j <= SAMPLES; j++) {
			cost[k][j] = INFINITY;
			from[k][j] = 0;
			if (k == 1 && j > 0) cost[k][j] = p->segment[j];
			for (size_t i = k - 1; k > 1 && i < j; i++) {
				const double sum = cost[k - 1][i] + p->narrow[i] + p->segment[i * (SAMPLES + 1) + j];
				if (!(sum < cost[k][j])) continue;
				cost[k][j] = sum;
				from[k][j] = (uint8_t)i;
			}
		}
		g->cost[k] = cost[k][SAMPLES];
		size_t at = SAMPLES;
		for (size_t bone = k; bone >= 1; bone--) {
			at = from[bone][at];
			g->at[k][bone - 1] = (float)at;
		}
	}
}

/* Sums over all places of joints, each for what it is worth: `before[k][j]` of k bones over the first j samples, `after[k][i]` of k from i on. */
typedef struct place_sums {
	double worth[SAMPLES + 1][SAMPLES + 1], joint[SAMPLES + 1];
	double before[MOST_BONES + 1][SAMPLES + 1], after[MOST_BONES + 1][SAMPLES + 1];
} place_sums;

static void sum_places(const placing *p, size_t most, place_sums *sums)
{
	for (size_t i = 0; i <= SAMPLES; i++) {
		sums->joint[i] = exp(-p->narrow[i] / AS_GOOD);
		for (size_t j = i + 1; j <= SAMPLES; j++) sums->worth[i][j] = exp(-p->segment[i * (SAMPLES + 1) + j] / AS_GOOD);
	}
	for (size_t j = 0; j <= SAMPLES; j++) {
		sums->before[1][j] = j > 0 ? sums->worth[0][j] : 0;
		sums->after[1][j] = j < SAMPLES ? sums->worth[j][SAMPLES] : 0;
	}
	for (size_t k = 2; k <= most; k++) {
		for (size_t j = 0; j <= SAMPLES; j++) {
			double before = 0, after = 0;
			for (size_t i = 1; i < j; i++) before += sums->before[k - 1][i] * sums->joint[i] * sums->worth[i][j];
			for (size_t i = j + 1; i < SAMPLES; i++) after += sums->worth[j][i] * sums->joint[i] * sums->after[k - 1][i];
			sums->before[k][j] = before;
			sums->after[k][j] = after;
		}
	}
}

/* Moves each joint to the mean of all its places, each for what it is worth: where many are nearly as good as the best, the best is chosen by noise, and
   the mean moves evenly with the shape. */
static void take_means(const placing *p, place_sums *sums, chain_group *g)
{
	sum_places(p, g->most, sums);
	for (size_t k = 2; k <= g->most; k++) {
		const double all = sums->before[k][SAMPLES];
		for (size_t bone = 1; bone < k && all > DBL_MIN && isfinite(all); bone++) {
			double mean = 0;
			for (size_t i = 1; i < SAMPLES; i++) {
				mean += (double)i * (sums->before[bone][i] * sums->joint[i] * sums->after[k - bone][i]);
			}
			g->at[k][bone] = (float)(mean / all);
		}
	}
}

/* what a group's bones cost, for every number of them */
static void cost_group(placing *p, chain_group *g)
{
	for (size_t i = 0; i < (SAMPLES + 1) * (SAMPLES + 1); i++) p->segment[i] = 0;
	for (size_t i = 0; i <= SAMPLES; i++) p->narrow[i] = 0;
	double longest = 0;
	for (size_t m = 0; m < g->size; m++) {
		profile of;
		sample(p, g->member[m], &of);
		add_costs(p, &of, 1.0 / (double)g->size);
		longest = fmax(longest, of.along[SAMPLES]);
	}
	const double most = fmin(MOST_BONES, fmax(1, longest / SHORTEST));
	g->most = (size_t)most;
	g->count = 1;
	best_places(p, g);
	take_means(p, p->sums, g);
}

static ossa_status make_groups(placing *p)
{
	const ossai_chains *chains = p->chains;
	p->groups = ossai_arena_new(p->arena, chains->count, sizeof *p->groups);
	p->group_of = ossai_arena_new(p->arena, chains->count, sizeof *p->group_of);
	p->start = ossai_arena_new(p->arena, chains->count, sizeof *p->start);
	p->segment = ossai_arena_new(p->arena, (SAMPLES + 1) * (SAMPLES + 1), sizeof *p->segment);
	p->sums = ossai_arena_new(p->arena, 1, sizeof *p->sums);
	if (!p->groups || !p->group_of || !p->start || !p->segment || !p->sums)
		return ossa_context_error(p->arena->context)->status;
	for (uint32_t c = 0; c < chains->count; c++) p->start[c] = start_of(p, c);
	for (uint32_t c = 0; c < chains->count; c++) {
		OSSAI_TRY(ossai_progress(p->arena->context, 0.8 * c / (double)chains->count));
		const uint32_t other = chains->chain[c].mirrored;
		if (other != OSSA_NONE && other < c) {
			p->group_of[c] = p->group_of[other];
			continue;
		}
		p->group_of[c] = (uint32_t)p->group_count;
		chain_group *g = &p->groups[p->group_count++];
		*g = (chain_group){.member = {c, other}, .size = other == OSSA_NONE || other == c ? 1 : 2};
		cost_group(p, g);
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
	if (g->is_dropped || g->count >= g->most || g->size > room || !isfinite(g->cost[g->count + 1])) return -INFINITY;
	return g->cost[g->count] - g->cost[g->count + 1];
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
		if (chain->is_leaf != own->is_leaf || other->most < more || !isfinite(other->cost[more])) continue;
		const double unlike = log(chain->length / own->length) / LIKE_LIMBS,
					 weight = (double)other->size * exp(-unlike * unlike);
		if (!(weight > 0)) continue;
		sum += weight * (other->cost[fewer] - other->cost[more]);
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
			if (COUNTS[k] > g->most || !isfinite(g->cost[COUNTS[k]])) break;
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
			const double at = chain->is_leaf ? g->at[g->count][k] : is_end ? SAMPLES : g->at[g->count][k + 1];
			joints[c].arc[k] = p->start[c] + span * at / SAMPLES;
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
		if (!g->is_dropped && g->count == MOST_BONES) reason = OSSAI_SHORTAGE_FULL;
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
