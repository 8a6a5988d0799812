/* bench/bench_heat.c: the cost and the errors of weights by heat and by geodesic distance, with the
   true skeletons of the samples.

   For each creature and size: seconds of the processor (all threads) and the error (RMS in
   percent of the diagonal) that the true motion makes with weights of one pose, of some and of
   all, and the distance of the weights of some poses from those of all (mean over vertices of
   half the sum of differences: the share of a vertex that follows other bones). */
#include "base/clock.h"
#include "skeleton/rest_weights.h"
#include "support/creature.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 40, CHOICES = 6 };
static const size_t choices[CHOICES] = {FRAMES + 1, 1, 2, 4, 8, 16};

static double weigh(test_creature *c, ossai_rest_weights_kind kind, size_t poses, ossai_bone_weights *weights)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = kind;
	options.poses = poses;
	const ossai_rest_bones bones = {&c->tree, c->joint, c->tail, NULL};
	const double begin = ossai_cpu_seconds();
	if (ossai_rest_weights(&c->t.arena, &c->t.s, &bones, &c->motion, &options, weights) != OSSA_OK) {
		fprintf(stderr, "%s\n", ossa_context_error(c->t.context)->message);
		exit(1);
	}
	return ossai_cpu_seconds() - begin;
}

static double difference(const ossai_bone_weights *a, const ossai_bone_weights *b)
{
	double sum = 0;
	for (size_t v = 0; v < a->vertex_count; v++) {
		for (uint32_t bone = 0; bone < a->bone_count; bone++) {
			sum += fabs(ossai_bone_weight_of(a, v, bone) - ossai_bone_weight_of(b, v, bone));
		}
	}
	return sum / 2 / (double)a->vertex_count;
}

static void show(ossa_sample_kind kind, const char *name, int faces, size_t choice_count)
{
	test_creature c = test_creature_make(1, kind, faces, FRAMES);
	ossai_bone_weights all = {0}, w;
	printf("%-10s %7zu %3zu", name, c.t.s.face_count, c.tree.bone_count);
	for (size_t i = CHOICES - choice_count; i < CHOICES; i++) {
		const double seconds = weigh(&c, OSSAI_REST_WEIGHTS_HEAT, choices[i], &w);
		if (i == 0) all = w;
		printf(" | %6.3f %5.3f", seconds, test_creature_replay(&c, &w));
		if (i > 0 && choice_count == CHOICES) printf(" %6.4f", difference(&w, &all));
	}
	const double seconds = weigh(&c, OSSAI_REST_WEIGHTS_GEODESIC, 1, &w);
	printf(" | %6.3f %5.3f\n", seconds, test_creature_replay(&c, &w));
	test_creature_end(&c);
}

int main(void)
{
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS,
		OSSA_SAMPLE_SNAKE, OSSA_SAMPLE_PIECES, OSSA_SAMPLE_OPEN};
	static const char *const names[] = {"biped", "quadruped", "hand", "octopus", "snake", "pieces", "open"};
	printf("faces, bones | heat: seconds, RMS of all %d poses | 1, 2, 4, 8, 16 of them: seconds, RMS, difference | geodesic: "
		   "seconds, RMS\n",
		FRAMES + 1);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) show(kinds[i], names[i], 20000, CHOICES);
	printf("faces, bones | heat: seconds, RMS of 1, 2, 4, 8, 16 poses | geodesic: seconds, RMS\n");
	for (size_t i = 0; i < 2; i++) show(kinds[i], names[i], 100000, CHOICES - 1);
	return 0;
}
