/* conventions/tree_limbs.h: pairs of limbs in a tree of bones, by lengths alone.

   Place in the path: a skeleton -> here -> roles_by_tree.

   A limb is a chain of bones from a child of the bone that it is on, as far as no second chain of
   half the length leaves it, as fingers leave a hand; single bones that leave it, which twist or
   carry, are no chains. A pair is two of one bone's children with limbs of the same lengths,
   whatever their pose. */
#ifndef OSSAI_CONVENTIONS_TREE_LIMBS_H
#define OSSAI_CONVENTIONS_TREE_LIMBS_H

#include "base/context.h"
#include "math/vec.h"
#include <ossa/rig.h>

enum { OSSAI_TREE_LIMB_BONES = 16, OSSAI_TREE_PAIRS = 8 };

typedef struct ossai_tree_limb {
	uint32_t bone[OSSAI_TREE_LIMB_BONES];
	size_t count;
} ossai_tree_limb;

typedef struct ossai_tree_pair {
	uint32_t on; /* the bone that both limbs are on */
	ossai_tree_limb limb[2];
	double length; /* from that bone's joint to the farthest joint of either limb, along the bones */
} ossai_tree_pair;

/* A skeleton as lists of children. */
typedef struct ossai_bone_tree {
	const ossa_skeleton *skeleton;
	uint32_t *first, *next; /* B: child, sibling; OSSA_NONE */
	double *reach;          /* B: from a joint to the farthest one below it, along the bones */
} ossai_bone_tree;

/* Errors: OSSA_ERROR_MEMORY. Ownership: the arena. */
ossa_status ossai_bone_tree_make(ossai_arena *arena, const ossa_skeleton *skeleton, ossai_bone_tree *tree);

/* From the parent's joint over the bone's to the farthest below it. */
double ossai_bone_tree_span(const ossai_bone_tree *tree, uint32_t bone);

static inline ossai_vec3 ossai_bone_joint(const ossai_bone_tree *tree, uint32_t bone)
{
	return ossai_v3_of(tree->skeleton->bones[bone].joint);
}

/* The limb that begins with a bone. */
ossai_tree_limb ossai_tree_limb_from(const ossai_bone_tree *tree, uint32_t bone);

/* From a bone of a limb to the next one; of the last to its tail. */
ossai_vec3 ossai_tree_limb_segment(const ossai_bone_tree *tree, const ossai_tree_limb *limb, size_t at);

/* Pairs of two bones or more, from the longest on, at most OSSAI_TREE_PAIRS. Returns their
   number. */
size_t ossai_tree_pairs(const ossai_bone_tree *tree, ossai_tree_pair *pairs);

/* Joint to joint along bones of a limb, of the last one to its tail. */
double ossai_tree_limb_length(const ossai_bone_tree *tree, const ossai_tree_limb *limb, size_t from, size_t count);

/* How a limb is divided. */
typedef struct ossai_limb_division {
	size_t upper; /* its first bone */
	size_t each;  /* bones of the upper and of the lower part: 2 where both are split in halves */
} ossai_limb_division;

/* The upper and lower part are the longest successive bones, or the most even halves of two; false
   where one is shorter than half the other. */
bool ossai_limb_divide(const ossai_bone_tree *tree, const ossai_tree_limb *limb, ossai_limb_division *division);

#endif
