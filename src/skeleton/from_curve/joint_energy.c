/* skeleton/from_curve/joint_energy.c: see joint_energy.h. */
#include "skeleton/from_curve/joint_energy.h"

enum { SAMPLES = OSSAI_CHAIN_SAMPLES };

const ossai_joint_weights ossai_joint_weights_calibrated = {
	.bend = 5, .narrowing = 1.3, .price = 1.35, .noise = 0.3, .least_radius = 0.029, .last_bone = 1.1};

/* A short limb begins at this share of its length at most. */
static const double MOST_IN_BODY = 0.5;

/* Below this ratio of radii, body and limb cannot be distinguished by width: noise would decide. */
static const double WIDER = 1.1;

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
	return fmin(fmax(chains->radius[chain->begin], out), MOST_IN_BODY * chain->length);
}

/* ---- the limb as samples ---- */

typedef struct limb {
	ossai_vec3 point[SAMPLES + 1];
	double radius[SAMPLES + 1];
	double depth[SAMPLES + 1]; /* share by which it is narrower than before and after */
	double along[SAMPLES + 1]; /* length in radii, from the start */
	double mean_radius, step;  /* between samples */
	bool is_leaf;
} limb;

/* As deep as water would stand in the profile of radii. */
static void find_depths(limb *l)
{
	double before[SAMPLES + 1], after = 0;
	for (int i = 0; i <= SAMPLES; i++) before[i] = i > 0 ? fmax(before[i - 1], l->radius[i]) : l->radius[i];
	for (int i = SAMPLES; i >= 0; i--) {
		after = fmax(after, l->radius[i]);
		l->depth[i] = 1 - l->radius[i] / fmin(before[i], after);
	}
}

static void sample(const ossai_chains *chains, uint32_t c, double start, double least_radius, limb *l)
{
	l->step = (chains->chain[c].length - start) / SAMPLES;
	l->is_leaf = chains->chain[c].is_leaf;
	l->mean_radius = 0;
	l->along[0] = 0;
	for (int i = 0; i <= SAMPLES; i++) {
		l->point[i] = ossai_chain_at(chains, c, start + l->step * i, &l->radius[i]);
		l->radius[i] = fmax(l->radius[i], least_radius);
		l->mean_radius += l->radius[i] / (SAMPLES + 1);
		if (i > 0) l->along[i] = l->along[i - 1] + 2 * l->step / (l->radius[i - 1] + l->radius[i]);
	}
	find_depths(l);
}

/* ---- energy ---- */

static double off2(ossai_vec3 p, ossai_vec3 a, ossai_vec3 b)
{
	return ossai_length2(ossai_sub(p, ossai_nearest_on_segment(a, b, p)));
}

/* The integral of (d / r)^2 ds over a bone. */
static double bend_of(const limb *l, int from, int to)
{
	double bend = 0;
	for (int k = from + 1; k < to; k++) {
		bend += off2(l->point[k], l->point[from], l->point[to]) * (l->along[k + 1] - l->along[k - 1]) / 2;
	}
	return bend / (l->mean_radius * l->mean_radius);
}

static double bone_energy(const ossai_joint_weights *weights, const limb *l, int from, int to)
{
	/* no joint whose ball holds all that is left of the limb */
	if (l->is_leaf && from > 0 && to == SAMPLES && l->step * (SAMPLES - from) < weights->last_bone * l->radius[from])
		return INFINITY;
	const double all = l->along[SAMPLES], length = l->along[to] - l->along[from];
	return (all > 0 ? length * length / all : 0) + weights->bend * bend_of(l, from, to);
}

void ossai_joint_energy_of(const ossai_joint_weights *weights, const ossai_chains *chains, size_t size, const uint32_t *chain,
	const double *start, ossai_joint_energy *energy)
{
	*energy = (ossai_joint_energy){.length = 0};
	for (size_t m = 0; m < size; m++) {
		limb l;
		sample(chains, chain[m], start[chain[m]], weights->least_radius, &l);
		energy->length = fmax(energy->length, l.along[SAMPLES]);
		for (int i = 0; i <= SAMPLES; i++) {
			energy->joint[i] -= weights->narrowing * l.depth[i] / (double)size;
			for (int j = i + 1; j <= SAMPLES; j++) {
				energy->bone[i][j] += bone_energy(weights, &l, i, j) / (double)size;
			}
		}
	}
}
