/* edit/solve_work.h: what the parts of a solution pass to each other.

   Place in the path: solve.c makes it -> solve_load, solve_moving or solve_rest, solve_store. The
   rig stays as it is until solve_store, which cannot fail half-way. */
#ifndef OSSAI_EDIT_SOLVE_WORK_H
#define OSSAI_EDIT_SOLVE_WORK_H

#include "edit/solve.h"
#include "motion/hierarchy.h"
#include "weights/bone_weights.h"

struct ossai_solver {
	ossai_arena arena;
	const ossa_mesh *mesh;
	const ossa_frames *frames; /* or NULL */
	bool is_ready;
	ossai_posed_surface surface; /* in all poses */
	/* in the representative ones: the poses that weights are fitted to */
	ossai_posed_surface keys;
	size_t *key; /* which these are; NULL: all of them */
	/* squared distances of the poses from the rest under rigid motion of the whole, summed over all
	   of them */
	double still_error;
};

/* Bones are the rig's; positions and motions are in the units of the posed surface. Arrays are the
   arena's. */
typedef struct ossai_solve_work {
	ossa_context *context;
	ossai_arena *arena;
	const ossai_posed_surface *surface, *keys;
	const size_t *key;
	double still_error;
	const ossa_frames *frames;
	ossa_rig *rig;
	const uint8_t *stale;
	const ossai_solve_bounds *bounds;
	size_t bones;
	/* order: parents first; the rig's own until a bone is re-parented */
	ossai_tree tree;
	ossai_vec3 *joint, *tail;  /* B */
	ossai_bone_weights before; /* as the rig has them */
	ossai_bone_weights weights;
	bool was_moving;         /* the rig's clip is of the frames */
	ossai_bone_motion given; /* the clip's; all poses */
	ossai_bone_motion motion;
	ossai_bone_motion key_motion;
	uint8_t *fixed;     /* V: painted */
	uint8_t *changed;   /* V: weights have changed */
	ossai_vec3 *anchor; /* B: the joint by the bones' motion */
	ossai_vec3 *prior;  /* B: the joint by shape alone */
	double *residual;   /* B: of joints that were solved; < 0: not */
	uint8_t *is_half;   /* B: the lower half of a bone that was split */
	uint8_t *is_rehung; /* B: has another parent than in the rig */
	bool weights_solved, tree_solved, joints_solved, motion_solved;
	bool keeps_motion;       /* of the rig: nothing is known of it */
	struct rig_parts *other; /* what the rig was, once it is new; NULL before */
} ossai_solve_work;

/* Reads the rig into the work and checks the bounds. Errors: OSSA_ERROR_INPUT naming bounds that
   cannot be kept, OSSA_ERROR_MEMORY. */
ossa_status ossai_solve_load(ossai_solve_work *work);

/* Solves from frames; from the bones at rest. */
ossa_status ossai_solve_moving(ossai_solve_work *work);
ossa_status ossai_solve_rest(ossai_solve_work *work);

/* Gives painted faces to their bones. Errors: OSSA_ERROR_INPUT where locks contradict that. */
ossa_status ossai_solve_paint(ossai_solve_work *work);
bool ossai_solve_is_locked(const ossai_solve_work *work, size_t bone); /* its weights */

/* Splits bones: weights, motion and the joint between the halves. */
ossa_status ossai_solve_splits(ossai_solve_work *work);

/* Re-parents bones whose parent is stale, or forbidden; children of a split bone go to the half
   whose joint with them fits better. Errors: OSSA_ERROR_INPUT where nothing else is allowed. */
ossa_status ossai_solve_parents(ossai_solve_work *work);

/* Places joints that are stale and not locked: by the motion of their two bones; then, near there,
   by least squares over the vertices, with rotations that were fitted since. */
ossa_status ossai_solve_joints(ossai_solve_work *work);
ossa_status ossai_solve_place_joints(ossai_solve_work *work);

/* Solves the vertices that marked bones (B) influence, and those next to them; `local`: the support
   of these bones stays connected in each piece. pending: space for V, all 0. */
ossa_status ossai_solve_weights(ossai_solve_work *work, const uint8_t *marked, uint8_t *pending, bool local);

/* Stores the results in the rig, and returns how many there are; the old values are kept until they
   are restored or dropped. */
ossa_status ossai_solve_store(ossai_solve_work *work, ossa_solve_facts *facts);
void ossai_solve_put_back(ossai_solve_work *work);
void ossai_solve_drop_old(ossai_solve_work *work);

#endif
