/* edit/solve.h: solves what edits made stale: weights, tree, joints, motion.

   Place in the path: the editor's rig, frames, what changed and what must be kept -> here -> a rig.
   Input: a rig, the parts of it that are stale, the bounds that the user set.
   Output: the rig, in which the stale parts have been solved.
   With frames the stages are those of the methods for moving input (least squares, joints by
   motion, hierarchy); without them weights follow from the bones at rest (heat).

   A solution does not depend on its history. It is a function of the rig, what is stale, and the
   bounds; what the solver caches between solutions depends on mesh and frames alone. And it is a
   fixed point:
   - with frames the motion of bones that no edit touched is data, and so are their joints and
     parents. The motion of a stale bone carries its subtree: it is fitted to the frames with
     everything else fixed, to the bit;
   - given the motions, no vertex can be improved among the bones that it and its neighbours use
     (weights/coordinate_descent.h), the support of each bone is connected in each piece, and a
     vertex that gains nothing keeps its weights to the bit. So after a rig was solved once, solving
     what is stale gives the same as solving all: vertices far from stale bones do not change;
   - without frames weights follow from the bones at rest, and solving some is solving all.
   `all` in edits is therefore OSSAI_STALE_WEIGHTS for every bone, besides what
   edits make stale.
   A solution that moves anything drops the motion of free bones (free_clip), which is that of the
   original rig. */
#ifndef OSSAI_EDIT_SOLVE_H
#define OSSAI_EDIT_SOLVE_H

#include <ossa/edit.h>

/* What edits make stale, by bone of the rig. */
enum {
	OSSAI_STALE_WEIGHTS = 1, /* of the vertices that it influences, and those next to them */
	OSSAI_STALE_JOINT = 2,   /* its joint's position, where the motion determines it */
	OSSAI_STALE_PARENT = 4,  /* its parent */
	OSSAI_STALE_MOTION = 8,  /* its rotations, and its subtree's; of the root: everything */
	/* it has another half as its child, and their border is to be found */
	OSSAI_STALE_SPLIT = 16
};

typedef struct ossai_edit_pair {
	uint16_t a, b;
} ossai_edit_pair;

/* What must be kept. Bones are those of the rig. */
typedef struct ossai_solve_bounds {
	const uint8_t *weights_locked; /* B */
	const uint8_t *joint_locked;   /* B */
	size_t forbidden_count, apart_count;
	const ossai_edit_pair *forbidden, *apart;
	const uint16_t *bone_of_face; /* F: the bone of the face, OSSAI_FREE_FACE; or NULL */
	/* F: of faces that share a vertex the highest layer has it; NULL: all are alike and share it */
	const uint32_t *layer_of_face;
	const uint16_t *half; /* B: the other half of a split bone; NULL: the next one */
} ossai_solve_bounds;
#define OSSAI_FREE_FACE UINT16_MAX

/* What stays the same between solutions of one editor: the posed surface, sums over frames. Made
   when first needed. */
typedef struct ossai_solver ossai_solver;

ossa_status ossai_solver_create(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, ossai_solver **solver);
void ossai_solver_free(ossa_context *context, ossai_solver *solver);

/* Solves `rig` in place for stale[b] (B flags). `facts` is filled except for the CPU seconds. After
   a failure the rig is unchanged. new_index: B, or NULL; the new index of each bone: re-parented
   bones may have to change it, parents first. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED,
   OSSA_ERROR_INPUT (bounds that cannot all be kept, naming them; the motion of several bodies with
   a root each). Threads: the context's; the same bytes for any number. */
ossa_status ossai_solve(ossa_context *context, ossai_solver *solver, ossa_rig *rig, const uint8_t *stale,
	const ossai_solve_bounds *bounds, uint32_t *new_index, ossa_solve_facts *facts);

#endif
