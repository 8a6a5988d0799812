/* samples/motion.h: a creature's skeleton and motion as a rig has them, and the frames that follow.

   Place in the path: creature, skin -> rig (skeleton, clip) -> frames. */
#ifndef OSSA_SAMPLES_MOTION_H
#define OSSA_SAMPLES_MOTION_H

#include "samples/creature.h"
#include "samples/samples.h"

/* Fills the rig's skeleton, and makes its clip of `frames` frames: one swing or a few within the
   range of every joint. A pure function of creature, frames and seed. */
ossa_status ossai_motion_build(ossa_context *context, const ossai_creature *creature, int frames, int seed, ossa_rig *rig);

/* The frames of the rig's clip: linear blending in double precision, plus bulge and noise.
   Cost: linear in frames x vertices. */
ossa_status ossai_motion_frames(
	ossa_context *context, const ossa_rig *rig, const ossa_sample_options *options, ossa_frames *frames);

#endif
