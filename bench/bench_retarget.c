/* bench/bench_retarget.c: the cost of retargeting a long motion, with and without the passes for
   feet and hands.

   A person of boxes with 60 bones on another one in a T-pose. usage: bench_retarget [FRAMES]; by
   default 10 000. Seconds are of the processor, all threads together. */
#include "base/clock.h"
#include "support/people.h"

#include <stdio.h>
#include <stdlib.h>

static void measure(const person *target, const person *source, const char *what, bool plants, bool clears)
{
	ossa_retarget_options options = ossa_retarget_default();
	ossa_retarget_facts facts;
	ossa_clip *clip;
	options.match = OSSA_RETARGET_ROLES;
	options.plant_feet = plants;
	options.clear_hands = clears;
	const double begin = ossai_cpu_seconds();
	if (ossa_rig_retarget(target->context, target->rig, source->rig, "walk", &options, &clip, &facts) != OSSA_OK) {
		fprintf(stderr, "%s\n", ossa_context_error(target->context)->message);
		exit(1);
	}
	const double seconds = ossai_cpu_seconds() - begin;
	printf("%-20s %6.3f s %8.2f us a frame, %zu bones follow\n", what, seconds, 1e6 * seconds / (double)clip->frame_count,
		facts.matched);
	ossa_clip_free(target->context, clip);
}

int main(int argc, char **argv)
{
	const size_t frames = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
	const person_form form = {.names = PERSON_BODY, .fingers = 5, .strands = 9};
	ossa_context *context = test_context(0);
	person source = person_make(context, form), target = person_make(context, form);
	person_bend(&target, PERSON_UPPER_ARM, 0, ossai_v3(0, 0, 1), 45);
	person_bend(&target, PERSON_UPPER_ARM, 1, ossai_v3(0, 0, -1), 45);
	person_walk(&source, frames);
	printf("%zu frames, %zu bones\n", frames, target.rig->skeleton.bone_count);
	measure(&target, &source, "directions", false, false);
	measure(&target, &source, "feet planted", true, false);
	measure(&target, &source, "hands cleared, too", true, true);
	person_end(&target);
	person_end(&source);
	test_context_end(context);
	return 0;
}
