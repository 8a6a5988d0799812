/* samples/face.h: a head whose face moves: bones that hold a patch of its skin each, and slide.

   Place in the path: creature (tables) -> here -> weights, motion. */
#ifndef OSSA_SAMPLES_FACE_H
#define OSSA_SAMPLES_FACE_H

#include "samples/creature.h"

/* Fills an empty creature with a head, and a patch of skin for jaw, lips, cheeks and brows. */
void ossai_face_build(ossai_creature *creature);

/* Gives each patch its share of the weights at a point: all of it at its joint, nothing beyond its
   reach; the rest stays. weights: one for each bone, sum 1. */
void ossai_face_weights(const ossai_creature *creature, ossai_vec3 point, double *weights);

#endif
