/* skeleton/naming/shared_skin.h: how much skin each bone of a rig has in common with each bone of
   the rig that the rest shape alone has.

   Place in the path: two rigs of one mesh -> here -> rest_parts.
   Input: the weights of both, and the body that the rest shape is.
   Output: surface that follows both bones, as far as it distinguishes parts of the body.

   A body has two sides, so skin counts for what it says about them: what a bone has of two limbs
   that mirror each other, or of a tail's two fins, of both alike, counts for the middle where these
   begin; what it has of the middle, of one side more than of the other, counts for the limb that
   begins there on that side, or for no part where none does (an ear, a shoulder guard). */
#ifndef OSSAI_SKELETON_NAMING_SHARED_SKIN_H
#define OSSAI_SKELETON_NAMING_SHARED_SKIN_H

#include "base/context.h"
#include "math/vec.h"
#include "skeleton/vertex_weight.h"
#include <ossa/rig.h>

typedef struct ossai_shared_skin {
	const ossa_skeleton *skeleton;
	double *overlap;    /* B x R: surface that follows both bones */
	double *beside;     /* B: surface of one side of the middle, where no limb begins */
	ossai_vec3 *center; /* B: mean of a bone's skin by area and weight; the joint of one without */
} ossai_shared_skin;

/* A third of the area of the faces around each vertex: an array of the arena, or NULL. */
double *ossai_vertex_areas(ossai_arena *arena, const ossa_mesh *mesh);

/* The mean of a bone's skin by area and weight; its joint where it has no skin. */
ossai_vec3 ossai_skin_center(const ossa_rig *rig, const double *area, uint32_t bone);

/* Arrays are the arena's.  Errors: OSSA_ERROR_MEMORY.  Cost: vertices x weights^2 + B x R^2. */
ossa_status ossai_shared_skin_find(ossai_arena *arena, const ossa_rig *rest, const ossa_rig *rig, ossai_shared_skin *skin);

#endif
