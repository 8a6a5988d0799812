/* motion/subtree_moments.h: the moments of a hierarchy: sums over vertices for each bone and its
   subtree.

   Place in the path: moments, tree -> here -> hierarchy.
   P_b = a_b p (3) and A_b = weight of the subtree of b (1) at every vertex; v the targets. All sums
   are about the mean over the vertices, which eliminates the root's translation from every fit. */
#ifndef OSSAI_MOTION_SUBTREE_MOMENTS_H
#define OSSAI_MOTION_SUBTREE_MOMENTS_H

#include "motion/moments.h"
#include "skeleton/tree.h"

typedef struct ossai_subtree_moments {
	size_t bone_count, pose_count;
	double *pp;          /* B x B x 9: sum P_b P_c^T */
	double *pa;          /* B x B x 3: sum P_b A_c */
	double *aa;          /* B x B: sum A_b A_c */
	double *pv;          /* K x B x 9: sum P_b v^T */
	double *av;          /* K x B x 3: sum A_b v */
	double *p_mean;      /* B x 3: mean of P_b over the vertices */
	double *a_mean;      /* B */
	double (*v_mean)[3]; /* K */
	double *vv;          /* K: sum |v - mean|^2 */
} ossai_subtree_moments;

/* Arrays are the arena's. Cost: B^2 + B K. */
ossa_status ossai_subtree_moments_make(
	ossai_arena *arena, const ossai_moments *moments, const ossai_tree *tree, ossai_subtree_moments *sums);

/* Makes the sums about a fixed position of the root's joint in each pose (K) instead of the mean:
   no translation is eliminated then. */
void ossai_subtree_moments_hold(const ossai_moments *moments, const ossai_vec3 *root, ossai_subtree_moments *sums);

#endif
