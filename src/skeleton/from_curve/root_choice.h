/* skeleton/from_curve/root_choice.h: the root that the user asks for, by height or by a point.

   Place in the path: path tree or curve -> here -> volume_bones, the method of volumes.
   Input: nodes and what is asked for.
   Output: one of them. */
#ifndef OSSAI_SKELETON_FROM_CURVE_ROOT_CHOICE_H
#define OSSAI_SKELETON_FROM_CURVE_ROOT_CHOICE_H

#include "math/vec.h"

#include <ossa/volume.h>

/* kind: OSSA_ROOT_LOWEST, by the up direction `by`; OSSA_ROOT_POINT, by the distance from the point
   `by`. is_candidate: of nodes; NULL: all. Returns the node, of equals the first; 0 without
   candidates.  Cost: linear. */
uint32_t ossai_root_choose(
	ossa_root_kind kind, ossai_vec3 by, size_t count, const ossai_vec3 *node, const uint8_t *is_candidate);

#endif
