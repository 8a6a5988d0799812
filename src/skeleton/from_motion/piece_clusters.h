/* skeleton/from_motion/piece_clusters.h: the parts of each piece of a surface that move about
   rigidly, and how far.

   Place in the path: posed surface, parts -> here -> bodies.
   Lengths are shares of the diagonal, places those in the world: the path of the whole is not taken
   away. */
#ifndef OSSAI_SKELETON_FROM_MOTION_PIECE_CLUSTERS_H
#define OSSAI_SKELETON_FROM_MOTION_PIECE_CLUSTERS_H

#include "weights/bone_weights.h"

/* faces of one piece that follow one rigid motion */
typedef struct ossai_piece_cluster {
	uint32_t piece;
	double area;
	ossai_vec3 center;
	double size;   /* RMS distance from the center */
	double noise;  /* RMS distance of its points from where the rigid motion has them */
	double spread; /* RMS distance of its points from their mean over rest and poses */
} ossai_piece_cluster;

typedef struct ossai_piece_clusters {
	ossa_context *context;
	ossai_arena *arena;
	ossai_posed_surface surface; /* without links */
	size_t count;
	ossai_piece_cluster *items;
	uint32_t *cluster_of_face;
	ossai_bone_motion motion; /* of the clusters */
	double *piece_size;       /* P: RMS distance from the centroid */
	/* C x K + 1, P x K + 1: how far the centroid is from its mean over poses and rest */
	ossai_vec3 *cluster_path, *piece_path;
} ossai_piece_clusters;

/* Arrays are the arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.  Cost: that of
   clustering the faces. */
ossa_status ossai_piece_clusters_make(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_piece_clusters *clusters);

/* Mean square over rest and poses of how far the points of a cluster are from their mean place, the
   path that the pieces a and b share taken away. */
double ossai_piece_cluster_spread(const ossai_piece_clusters *clusters, uint32_t number, uint32_t a, uint32_t b);

#endif
