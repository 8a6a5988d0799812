/* weights/heat.h: bone heat: weights as the equilibrium of heat that bones give to the surface
   around them, of one pose or averaged over several.

   Place in the path: bones as segments, posed surface -> here -> ossai_bone_weights.
   Input: bones as segments, their motion, the posed surface.
   Output: weights of every vertex.
   Source: I. Baran and J. Popovic, Automatic Rigging and Animation of 3D Characters, 2007, section
   4, averaged over poses as in E. de Aguiar and others, Automatic Conversion of Mesh Animations
   into Skeleton-based Animations, 2008, section 6: (-Laplacian + H) w_b = H p_b, both sides times
   the areas of the vertices, which makes the matrix symmetric.
   Departures: coincident vertices are welded; triangles may be of any quality (mesh/laplacian.h);
   the body may be in pieces, open or inside out (query/visibility.h); a piece that sees none of its
   nearest bones is heated by them all the same. */
#ifndef OSSAI_WEIGHTS_HEAT_H
#define OSSAI_WEIGHTS_HEAT_H

#include "weights/bone_segments.h"

/* Start from ossai_heat_default(). The weights of 8 poses are 0.2 to 0.4 % of a vertex away from
   those of 41 on the samples, those of the rest alone 0.4 to 2 %. */
typedef struct ossai_heat_options {
	size_t influences; /* maximum number of bones of a vertex */
	/* maximum number of poses that are averaged, the rest pose among them; chosen by
	   pose_choice.h */
	size_t poses;
	/* c of H_ii = c / distance^2; in these units the authors' program has 3 */
	double heat;
	bool local; /* keep one connected patch of every bone in every piece */
} ossai_heat_options;

ossai_heat_options ossai_heat_default(void);

/* Makes `weights` (arrays of the arena): descending, sum 1 at every used vertex. motion: of the
   bones over the surface's poses, or NULL: the rest alone.
   Warnings: "unseen-pieces" (pieces that see no bone in a pose: they follow the nearest). Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT, OSSA_ERROR_CANCELLED, OSSA_ERROR_ARGUMENT (no bones, or more
   than weights can index).
   Threads: the context's, except for the factorisation.
   Cost: one symbolic analysis, then for every pose a factorisation and a solve of 8 bones at a
   time. 20 bones, one pose, one core: 0.06 s at 20 000 faces, 0.4 s at 100 000 (a third each for
   the tree of faces and the pattern, the factor, and visibility with the solve; the arithmetic of
   the factor and reading it once for 8 bones would take 0.05 s), then 0.03 and 0.24 s for every
   further pose. Memory: some 300 bytes a vertex, the factor (12 bytes x some 35 a vertex), and 512
   bytes a vertex while bones are solved for, whatever their number. */
ossa_status ossai_heat_weights(ossai_arena *arena, const ossai_posed_surface *surface, const ossai_bone_segments *segments,
	const ossai_bone_motion *motion, const ossai_heat_options *options, ossai_bone_weights *weights);

#endif
