/* skeleton/from_curve/joint_places.c: see joint_places.h. */
#include "skeleton/from_curve/joint_places.h"

#include <float.h>

enum { SAMPLES = OSSAI_CHAIN_SAMPLES, MOST_BONES = OSSAI_CHAIN_BONES };

/* A chain gets no more bones than would be this long, in the limb's radius, each. */
static const double SHORTEST = 0.3;

/* Sums over all places of joints, each weighted by its Boltzmann factor: `before[k][j]` of k bones
   over the first j samples, `after[k][i]` of k from i on. */
struct ossai_place_sums {
	/* factors of one bone, of one joint */
	double bone[SAMPLES + 1][SAMPLES + 1], joint[SAMPLES + 1];
	double before[MOST_BONES + 1][SAMPLES + 1], after[MOST_BONES + 1][SAMPLES + 1];
};

ossai_place_sums *ossai_place_sums_new(ossai_arena *arena) { return ossai_arena_new(arena, 1, sizeof(ossai_place_sums)); }

/* the best places for 1 .. most bones: by the energy of the first j samples in k bones */
static void best_places(const ossai_joint_energy *energy, ossai_joint_places *places)
{
	double least[MOST_BONES + 1][SAMPLES + 1];
	uint8_t from[MOST_BONES + 1][SAMPLES + 1];
	for (size_t k = 1; k <= places->most; k++) {
		for (size_t j = 0; j <= SAMPLES; j++) {
			least[k][j] = k == 1 && j > 0 ? energy->bone[0][j] : INFINITY;
			from[k][j] = 0;
			for (size_t i = k - 1; k > 1 && i < j; i++) {
				const double sum = least[k - 1][i] + energy->joint[i] + energy->bone[i][j];
				if (!(sum < least[k][j])) continue;
				least[k][j] = sum;
				from[k][j] = (uint8_t)i;
			}
		}
		places->energy[k] = least[k][SAMPLES];
		size_t at = SAMPLES;
		for (size_t bone = k; bone >= 1; bone--) {
			at = from[bone][at];
			places->at[k][bone - 1] = (float)at;
		}
	}
}

static void sum_places(const ossai_joint_energy *energy, double noise, size_t most, ossai_place_sums *sums)
{
	for (size_t i = 0; i <= SAMPLES; i++) {
		sums->joint[i] = exp(-energy->joint[i] / noise);
		for (size_t j = i + 1; j <= SAMPLES; j++) sums->bone[i][j] = exp(-energy->bone[i][j] / noise);
	}
	for (size_t j = 0; j <= SAMPLES; j++) {
		sums->before[1][j] = j > 0 ? sums->bone[0][j] : 0;
		sums->after[1][j] = j < SAMPLES ? sums->bone[j][SAMPLES] : 0;
	}
	for (size_t k = 2; k <= most; k++) {
		for (size_t j = 0; j <= SAMPLES; j++) {
			double before = 0, after = 0;
			for (size_t i = 1; i < j; i++) before += sums->before[k - 1][i] * sums->joint[i] * sums->bone[i][j];
			for (size_t i = j + 1; i < SAMPLES; i++) after += sums->bone[j][i] * sums->joint[i] * sums->after[k - 1][i];
			sums->before[k][j] = before;
			sums->after[k][j] = after;
		}
	}
}

static void take_means(const ossai_place_sums *sums, ossai_joint_places *places)
{
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

void ossai_joint_places_find(ossai_place_sums *sums, const ossai_joint_energy *energy, double noise, ossai_joint_places *places)
{
	places->most = (size_t)fmin(MOST_BONES, fmax(1, energy->length / SHORTEST));
	best_places(energy, places);
	sum_places(energy, noise, places->most, sums);
	take_means(sums, places);
}
