/* skeleton/from_curve/joint_places.c: see joint_places.h. */
#include "skeleton/from_curve/joint_places.h"

#include <float.h>
#include <stdlib.h>

enum { SAMPLES = OSSAI_CHAIN_SAMPLES, MOST_BONES = OSSAI_CHAIN_BONES };

/* Weights of bends and of narrow places against even lengths. */
static const double BEND = 2;
static const double NARROW = 3;

/* A bone that is this far from the limb's middle, in its radius, leaves the skin; and its cost. */
static const double IN_SKIN = 0.7;
static const double OUT = 10;

/* A short limb begins at this share of its length at most. */
static const double OUT_OF_SHORT = 0.5;

/* The body is wider than the limb by this factor where the two can be distinguished by width. */
static const double WIDER = 1.1;

/* Places that cost this much more than the best have 1 / e of its weight: about the difference
   that noise on a surface makes. */
static const double AS_GOOD = 0.3;

/* A radius counts at least this share of the chain's mean, so that pointed ends do not draw all
   joints. */
static const double THIN = 0.7;

/* ... and at least this share of the size: spiders' legs have no more joints than men's. */
static const double THIN_AT_ALL = 0.02;

/* A limb's last bone is at least this long in the radius at its joint: heads have no joint in
   their middle. */
static const double LAST = 2;

/* A chain gets no more bones than would be this long, in the limb's radius, each. */
static const double SHORTEST = 0.3;

/* Sums over all places of joints, each weighted by its Boltzmann factor: `before[k][j]` of k bones
   over the first j samples, `after[k][i]` of k from i on. */
typedef struct place_sums {
	double worth[SAMPLES + 1][SAMPLES + 1], joint[SAMPLES + 1];
	double before[MOST_BONES + 1][SAMPLES + 1], after[MOST_BONES + 1][SAMPLES + 1];
} place_sums;

struct ossai_joint_costs {
	/* of a bone from i to j; infinite where there may be none */
	double segment[(SAMPLES + 1) * (SAMPLES + 1)];
	double narrow[SAMPLES + 1]; /* of a joint */
	place_sums sums;
};

ossai_joint_costs *ossai_joint_costs_new(ossai_arena *arena) { return ossai_arena_new(arena, 1, sizeof(ossai_joint_costs)); }

/* ---- where limbs begin ---- */

/* How long the limb would be as wide as the body if it became at once as thin as it is further out:
   a sum over its first half, which is continuous in the radii, as the place where some width is
   first reached is not. 0 where it is as wide as the body. */
static double in_body(const ossai_chains *chains, uint32_t c)
{
	const double length = chains->chain[c].length, body = chains->radius[chains->chain[c].begin];
	double radius[SAMPLES + 1], limb = 0, sum = 0;
	for (int i = 0; i <= SAMPLES; i++) {
		ossai_chain_at(chains, c, length * i / SAMPLES, &radius[i]);
		if (i > SAMPLES / 2) limb += radius[i] / (SAMPLES / 2);
	}
	if (body < WIDER * limb) return 0;
	for (int i = 0; i < SAMPLES / 2; i++) sum += fmin(fmax((radius[i] - limb) / (body - limb), 0), 1);
	return sum * length / SAMPLES;
}

double ossai_limb_start(const ossai_chains *chains, uint32_t c)
{
	const ossai_chain *chain = &chains->chain[c];
	const double out = chain->is_leaf ? in_body(chains, c) : 0;
	return fmin(fmax(chains->radius[chain->begin], out), OUT_OF_SHORT * chain->length);
}

/* ---- costs ---- */

typedef struct profile {
	ossai_vec3 point[SAMPLES + 1];
	double radius[SAMPLES + 1];
	double along[SAMPLES + 1]; /* length in radii, from the start */
	double mean, length;
	bool is_leaf;
} profile;

/* radii as means over a sixth of the chain, weighted by nearness: single nodes must not move
   joints */
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

static void sample(const ossai_chains *chains, uint32_t c, double start, profile *out)
{
	const double length = chains->chain[c].length - start;
	out->mean = 0;
	out->length = length;
	out->is_leaf = chains->chain[c].is_leaf;
	for (int i = 0; i <= SAMPLES; i++) {
		out->point[i] = ossai_chain_at(chains, c, start + length * i / SAMPLES, &out->radius[i]);
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
static void add_costs(ossai_joint_costs *costs, const profile *of, double share)
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
			costs->segment[i * (SAMPLES + 1) + j] += share * (length * length / all + BEND * bend + OUT * out);
		}
	}
	/* no joint whose ball holds all that is left of the limb */
	const double step = of->length / SAMPLES;
	for (int i = 1; of->is_leaf && i < SAMPLES; i++) {
		if (step * (SAMPLES - i) < LAST * of->radius[i]) costs->segment[i * (SAMPLES + 1) + SAMPLES] = INFINITY;
	}
	/* how thin the limb is here, against its thickest within a sixth of it on the lesser side */
	for (int i = 0; i <= SAMPLES; i++) {
		double before = of->radius[i], after = of->radius[i];
		for (int k = 1; k <= SAMPLES / 6; k++) {
			if (i >= k) before = fmax(before, of->radius[i - k]);
			if (i + k <= SAMPLES) after = fmax(after, of->radius[i + k]);
		}
		costs->narrow[i] -= share * NARROW * (1 - of->radius[i] / fmin(before, after));
	}
}

/* ---- places ---- */

/* the best places for 1 .. most bones: by the cost of the first j samples in k bones */
static void best_places(const ossai_joint_costs *costs, ossai_joint_places *places)
{
	double cost[MOST_BONES + 1][SAMPLES + 1];
	uint8_t from[MOST_BONES + 1][SAMPLES + 1];
	for (size_t k = 1; k <= places->most; k++) {
		for (size_t j = 0; j <= SAMPLES; j++) {
			cost[k][j] = INFINITY;
			from[k][j] = 0;
			if (k == 1 && j > 0) cost[k][j] = costs->segment[j];
			for (size_t i = k - 1; k > 1 && i < j; i++) {
				const double sum = cost[k - 1][i] + costs->narrow[i] + costs->segment[i * (SAMPLES + 1) + j];
				if (!(sum < cost[k][j])) continue;
				cost[k][j] = sum;
				from[k][j] = (uint8_t)i;
			}
		}
		places->cost[k] = cost[k][SAMPLES];
		size_t at = SAMPLES;
		for (size_t bone = k; bone >= 1; bone--) {
			at = from[bone][at];
			places->at[k][bone - 1] = (float)at;
		}
	}
}

static void sum_places(const ossai_joint_costs *costs, size_t most, place_sums *sums)
{
	for (size_t i = 0; i <= SAMPLES; i++) {
		sums->joint[i] = exp(-costs->narrow[i] / AS_GOOD);
		for (size_t j = i + 1; j <= SAMPLES; j++) sums->worth[i][j] = exp(-costs->segment[i * (SAMPLES + 1) + j] / AS_GOOD);
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

/* Moves each joint to the weighted mean of all its places: where many are nearly as good as the
   best, noise chooses the best, and the mean is continuous in the shape. */
static void take_means(ossai_joint_costs *costs, ossai_joint_places *places)
{
	place_sums *sums = &costs->sums;
	sum_places(costs, places->most, sums);
	for (size_t k = 2; k <= places->most; k++) {
		const double all = sums->before[k][SAMPLES];
		for (size_t bone = 1; bone < k && all > DBL_MIN && isfinite(all); bone++) {
			double mean = 0;
			for (size_t i = 1; i < SAMPLES; i++) {
				mean += (double)i * (sums->before[bone][i] * sums->joint[i] * sums->after[k - bone][i]);
			}
			places->at[k][bone] = (float)(mean / all);
		}
	}
}

void ossai_joint_places_find(ossai_joint_costs *costs, const ossai_chains *chains, size_t size, const uint32_t *chain,
	const double *start, ossai_joint_places *places)
{
	for (size_t i = 0; i < (SAMPLES + 1) * (SAMPLES + 1); i++) costs->segment[i] = 0;
	for (size_t i = 0; i <= SAMPLES; i++) costs->narrow[i] = 0;
	double longest = 0;
	for (size_t m = 0; m < size; m++) {
		profile of;
		sample(chains, chain[m], start[chain[m]], &of);
		add_costs(costs, &of, 1.0 / (double)size);
		longest = fmax(longest, of.along[SAMPLES]);
	}
	places->most = (size_t)fmin(MOST_BONES, fmax(1, longest / SHORTEST));
	best_places(costs, places);
	take_means(costs, places);
}
