/* rig/join_rigs.h: rigs of bodies that share a mesh, as one rig: trees under a common root.

   Place in the path: methods/bodies, a rig for each body -> here -> the rig of the whole mesh.
   Input: rigs of parts of a mesh, in its space, with motions of the same times.
   Output: a rig of the mesh. */
#ifndef OSSAI_RIG_JOIN_RIGS_H
#define OSSAI_RIG_JOIN_RIGS_H

#include "base/context.h"
#include <ossa/rig.h>

/* The rig of a part, and which vertices and triangles of the whole its mesh has, rising. */
typedef struct ossai_rig_part {
	ossa_rig *rig;
	const uint32_t *vertices;
	const uint32_t *triangles;
	uint32_t number;  /* of its names; 0: its place in the list */
	bool slides;      /* its root slides on a bone of another part: it has kind and axis of that */
	size_t up;        /* slides: an earlier part */
	uint32_t up_bone; /* slides: which bone of that */
} ossai_rig_part;

/* Bone 0, "root", stands still and moves no vertex; its children are the roots of the parts, whose
   kind is OSSA_JOINT_ROOT and which have translations in the clips. Bones are called body_1_hips,
   and body_2 where a part has one bone; roles stay. What the rig is said to be a body of is that of
   the first part that is one. Every vertex is in one part. A part that slides on another is no tree
   of its own: its bones are called slide_02 and slide_02_bone_01. Where one tree is left it has no
   root above, and its names. first_bone (count, or NULL):
   receives the number of each part's root.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT (too many bones).  Ownership: ossa_rig_free. */
ossa_status ossai_rigs_join(ossa_context *context, const ossa_mesh *mesh, size_t count, const ossai_rig_part *parts,
	size_t *first_bone, ossa_rig **rig);

/* Whether the bone is the root of a body under a common root. */
static inline bool ossai_is_body_root(const ossa_bone *bone) { return bone->parent == 0 && bone->kind == OSSA_JOINT_ROOT; }

/* The number of bodies under a common root; 0: the rig is one tree. */
size_t ossai_rig_body_count(const ossa_skeleton *skeleton);

/* For what solves the motion of one tree alone. Errors: OSSA_ERROR_INPUT (several bodies; a
   face). */
ossa_status ossai_rig_check_one_tree(ossa_context *context, const ossa_rig *rig);

#endif
