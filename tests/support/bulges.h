/* tests/support/bulges.h: rigs whose limbs bulge where joints bend, by corrective shapes that are
   known. */
#ifndef OSSA_TEST_BULGES_H
#define OSSA_TEST_BULGES_H

#include <ossa/ossa.h>
#include <samples/samples.h>

/* A sample biped with its rig and 24 frames of its motion, without shapes.
   Ownership: ossa_sample_free. */
ossa_sample *test_bulges_sample(ossa_context *context, int faces);

/* Adds a shape to the rig, called `name`: vertices near the joint that the bone or its parent move
   are pushed out by up to `share` of the diagonal. The bone is a hinge; the ramp begins at `from`
   of its largest angle in the rig's clip. The index of the shape. */
size_t test_bulges_add(ossa_context *context, ossa_rig *rig, const char *bone, const char *name, double from, double share);

#endif
