/* tests/support/examples.h: rigs by the method of example poses. */
#ifndef OSSA_TEST_EXAMPLES_H
#define OSSA_TEST_EXAMPLES_H

#include "samples/samples.h"

/* A creature and its poses. Ownership: ossa_sample_free. */
ossa_sample *test_examples_sample(ossa_context *context, int kind, int faces, int frames, double bulge);
/* The creature of most tests: no skeleton repeats its flesh, so that there is no exact answer to
   fall into. */
ossa_sample *test_examples_quadruped(ossa_context *context);

/* The defaults, with a number of bones. */
ossa_examples_options test_examples_bones(int bones);

/* A rig, which is valid. Ownership: ossa_rig_free. */
ossa_rig *test_examples_rig(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const ossa_examples_options *options);

/* How closely a rig follows the frames; and its free bones: RMS, % of the diagonal. */
ossa_metrics test_examples_measure(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames);
double test_examples_free_rms(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames);

#endif
