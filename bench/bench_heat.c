/* bench/bench_heat.c: what heat weights cost and how well they pose, with the true skeletons of the samples.

   For each creature and size: seconds of the processor (all threads), peak memory of the context, and the error that the true motion
   makes with weights of one pose, of some and of all, next to what it makes with the true weights. */
#include "base/clock.h"
#include "skeleton/rest_weights.h"
#include "support/creature.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct result {
	double seconds, rms;
} result;

static result weigh(test_creature *c, ossai_rest_weights_kind kind, size_t poses)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = kind;
	options.poses = poses;
	const ossai_rest_bones bones = {&c->tree, c->joint, c->tail, NULL};
	ossai_bone_weights weights;
	const double begin = ossai_cpu_seconds();
	const ossa_status status = ossai_rest_weights(&c->t.arena, &c->t.s, &bones, &c->motion, &options, &weights);
	const double seconds = ossai_cpu_seconds() - begin;
	if (status != OSSA_OK) {
		fprintf(stderr, "%s\n", ossa_context_error(c->t.context)->message);
		exit(1);
	}
	return (result){seconds, test_creature_replay(c, &weights)};
}

int main(void)
{
	static const int faces[] = {20000, 100000};
	static const ossa_sample_kind kinds[] = {
		OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_SNAKE, OSSA_SAMPLE_PIECES};
	static const char *const names[] = {"biped", "quadruped", "hand", "octopus", "snake", "pieces"};
	static const size_t poses[] = {1, 2, 4, 8, 16, 1000};
	enum { FRAMES = 40 };
	printf("seconds and RMS %% of weights by 1, 2, 4, 8, 16 and all of %d poses\n", FRAMES + 1);
	for (size_t size = 0; size < sizeof faces / sizeof faces[0]; size++) {
		for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
			test_creature c = test_creature_make(1, kinds[i], faces[size], FRAMES);
			printf("%-10s %7zu faces %3zu bones", names[i], c.t.s.face_count, c.tree.bone_count);
			for (size_t p = 0; p < (size == 0 ? 6 : 2); p++) {
				const result r = weigh(&c, OSSAI_REST_WEIGHTS_HEAT, poses[p]);
				printf("  %.3f s %.3f", r.seconds, r.rms);
			}
			printf("  peak %zu MB\n", ossa_context_peak_bytes(c.t.context) >> 20);
			test_creature_end(&c);
		}
	}
	return 0;
}
