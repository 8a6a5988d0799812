/* ossa/ik.h: posing by the end: joints turn so that a point of a bone comes where it is wanted. */
#ifndef OSSA_IK_H
#define OSSA_IK_H

#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be where. */
typedef struct ossa_ik_goal {
	size_t bone;
	/* the bone's joint is to be there, by turns of bones above it; else its tail, and it turns
	   too */
	bool of_joint;
	double position[3]; /* the mesh's units, in the frame */
	int chain;          /* how many bones turn at most, from the lowest up; 0: all below the root */
} ossa_ik_goal;

typedef struct ossa_ik_facts {
	double distance; /* what is left to the position, in the mesh's units */
	bool is_reached; /* within a millionth of the chain's length */
	int rounds;
	size_t bone_count;    /* that may turn */
	size_t limited_count; /* of them at a limit */
} ossa_ik_facts;

/* Turns the bones of a chain in one frame of `clip` so that the goal is met, or missed by as little
   as limits and lengths allow. Turns are the smallest that do it, from those that the frame has:
   goals that move a little move the pose a little. Limits are kept; a bone that is beyond one
   already goes no farther. A chain that is stretched straight towards its goal is bent about its
   own axes first. The same input gives the same bytes.
   Errors: OSSA_ERROR_ARGUMENT (no such bone or frame, a position that is not finite, nothing above
   the bone that may turn), OSSA_ERROR_MEMORY.
   Cost: some tens of rounds, each linear in the chain. */
OSSA_API ossa_status ossa_rig_reach(
	ossa_context *context, const ossa_rig *rig, const ossa_ik_goal *goal, ossa_clip *clip, size_t frame, ossa_ik_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
