/* motion/subtree_moments.h: the moments of a hierarchy: sums over vertices for each bone and its
   subtree.

   Place in the path: moments, tree -> here -> pose_fit, place_joints.
   P_b = a_b p (3) and A_b = weight of the subtree of b (1) at every vertex; v the targets, about an
   origin in each pose: their mean, or a fixed position of the root's joint. Sums of P and A alone
   are not about their means: so most are 0, between bones whose subtrees share no vertex. */
#ifndef OSSAI_MOTION_SUBTREE_MOMENTS_H
#define OSSAI_MOTION_SUBTREE_MOMENTS_H

#include "motion/moments.h"
#include "skeleton/tree.h"

typedef struct ossai_subtree_moments {
	const ossai_moments *moments;
	const ossai_tree *tree;
	size_t bone_count, pose_count;
	/* vertices whose common translation is free: all, or 0 with the root's joint fixed */
	double free_count;
	double *pa;         /* B x B x 3: row b has sum A_b P_c; 0 where they share no vertex */
	double *aa;         /* B x B: sum A_b A_c; 0 where the subtrees share no vertex */
	double *pv;         /* K x B x 9: sum P_b v^T */
	double *av;         /* K x B x 3: sum A_b v */
	double *p_mean;     /* B x 3: mean of P_b over the vertices */
	double *a_mean;     /* B */
	ossai_vec3 *origin; /* K */
	double *vv;         /* K: sum |v|^2 */
} ossai_subtree_moments;

/* `root`: fixed positions of the root's joint (K), or NULL: it is free. Moments and tree must stay;
   arrays are the arena's. Cost: B^2 + B K. */
ossa_status ossai_subtree_moments_make(ossai_arena *arena, const ossai_moments *moments, const ossai_tree *tree,
	const ossai_vec3 *root, ossai_subtree_moments *sums);

#endif
