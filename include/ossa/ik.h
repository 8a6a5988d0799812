/* ossa/ik.h: inverse kinematics: joints turn so that a point of a bone reaches its target. */
#ifndef OSSA_IK_H
#define OSSA_IK_H

#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A point of a bone and its target. */
typedef struct ossa_ik_goal {
	size_t bone;
	/* the bone's joint is moved to the target, by turns of its ancestors; else its tail, and the
	   bone turns too */
	bool of_joint;
	double position[3]; /* the mesh's units, in the frame */
	int chain;          /* most bones that turn, from the lowest up; 0: all below the root */
} ossa_ik_goal;

typedef struct ossa_ik_facts {
	double distance; /* remaining distance to the target, in the mesh's units */
	bool is_reached; /* within a millionth of the chain's length */
	int rounds;
	size_t bone_count;    /* that may turn */
	size_t limited_count; /* of them at a limit */
} ossa_ik_facts;

/* Turns the bones of a chain in one frame of `clip` so that the goal is met, or missed by as little
   as limits and lengths allow. Of all solutions that nearest to the frame's pose is taken, so that
   the pose follows a moving target smoothly. Limits are kept; a bone that is already beyond one
   goes no further. A hinge turns about its axis alone, a universal joint about its two. Dependent
   bones turn with their drivers, in the chain or not, and not on their own. A straight chain that
   points at its target is bent about its own axes first. Where joints of the chain are in loops
   (ossa/loops.h), all joints of these turn too, by least squares, and the loops have the gaps after
   it that they had before, or are as nearly closed as limits allow; a root in the chain then stays
   as it is, and rounds are not counted. The same input gives the same bytes.
   Errors: OSSA_ERROR_ARGUMENT (no such bone or frame, a position that is not finite, nothing above
   the bone that may turn), OSSA_ERROR_MEMORY.
   Cost: some tens of rounds, each linear in the chain. */
OSSA_API ossa_status ossa_rig_reach(
	ossa_context *context, const ossa_rig *rig, const ossa_ik_goal *goal, ossa_clip *clip, size_t frame, ossa_ik_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
