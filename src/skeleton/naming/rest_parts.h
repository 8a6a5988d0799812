/* skeleton/naming/rest_parts.h: which part of the body each bone of a rig from motion is, by the
   rig that the rest shape alone has.

   Place in the path: shared skin -> rest_chains -> here -> names, root.
   Input: the bones of that rig, and how much skin each bone of ours has in common with each of
   them.
   Output: a part for each bone, and the bone that is the root.

   A part is all bones of the rest shape's rig whose names differ in the number only (spine_01 to
   spine_03). The bones of that rig are chains: the trunk, an arm, a leg, a finger. A bone of ours
   belongs to the chain with which it has most skin in common, or to none if more of its skin is
   beside the body's limbs, and which its own tree allows: both together (rest_chains.h). Of a
   chain's parts those are chosen that are together the likeliest:
   skin in common speaks for a part, and so does a joint where the part begins; more bones than the
   part has, and small parts that seldom move alone (clavicle, toes), are unlikely; bones further
   out have parts further out. The maximum is found by the Viterbi algorithm. */
#ifndef OSSAI_SKELETON_NAMING_REST_PARTS_H
#define OSSAI_SKELETON_NAMING_REST_PARTS_H

#include "skeleton/naming/shared_skin.h"

typedef struct ossai_rest_part {
	/* the first bone of the part in the rest shape's rig; OSSA_NONE: not known, or it has no
	   name */
	uint32_t bone;
	/* 1, 2 ... from the root outward in the tree; 0: the part has one bone in both rigs */
	int number;
} ossai_rest_part;

typedef struct ossai_rest_parts {
	uint32_t root;         /* the bone that is the rest shape's root; OSSA_NONE: that has no name */
	ossai_rest_part *part; /* B */
} ossai_rest_parts;

/* rest: the skeleton of the rest shape's rig. Arrays are the arena's. Errors: OSSA_ERROR_MEMORY.
   Cost: B x R^2. */
ossa_status ossai_rest_parts_find(
	ossai_arena *arena, const ossa_skeleton *rest, const ossai_shared_skin *skin, ossai_rest_parts *parts);

/* Names the bones after their parts, and gives them the roles of these; the others get their
   numbers. */
void ossai_rest_parts_name(const ossa_skeleton *rest, const ossai_rest_parts *parts, ossa_skeleton *skeleton);

#endif
