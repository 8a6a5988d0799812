/* ossa/volume_stages.h: intermediate results of the volume method, for inspection. Not needed to
   make rigs, and not part of ossa/ossa.h: it changes with the method's stages. */
#ifndef OSSA_VOLUME_STAGES_H
#define OSSA_VOLUME_STAGES_H

#include <ossa/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The options of voxels, paths and segments alone: fields of ossa_volume_options. */
OSSA_API const ossa_option_table *ossa_volume_stage_option_table(void);

/* Results of the published stages. Positions are in the mesh's units. */
typedef struct ossa_volume_stages {
	double voxel_size;     /* share of the longest side of the box */
	double edge;           /* of a voxel, mesh units */
	size_t grid[3];        /* voxels along x, y, z */
	size_t interior_count; /* N: voxels of the set that is kept */
	size_t part_count;     /* sets that there were */
	size_t left_out;       /* interior voxels of the others */
	float *voxels;         /* N x 3: centers */
	float *depths;         /* N: distances to the nearest exterior voxel's center, mesh units */
	size_t medial_count;   /* M */
	uint32_t *medial;      /* M: voxels of the medial surface */
	float *exposures;      /* M */
	uint32_t heart;        /* voxel */
	size_t extreme_count;  /* X: extreme points found on it, one of those that touch */
	uint32_t *extremes;    /* X: voxels, the farthest from the heart first */
	size_t path_count;     /* extensions of the path tree */
	double heart_radius;   /* mesh units */
	size_t node_count;     /* P: of the path tree, smoothed; parents first */
	float *nodes;          /* P x 3 */
	float *radii;          /* P */
	uint32_t *parents;     /* P: OSSA_NONE at node 0 */
	uint32_t *path_voxels; /* P: before they were smoothed */
	size_t segment_count;  /* S */
	uint32_t *segments;    /* S x 2: nodes */
	size_t set_count;      /* A: different sets of segments that influence voxels */
	uint32_t *set_starts;  /* A + 1: where each begins in set_segments */
	uint32_t *set_segments;
	uint32_t *anchors; /* N: the set of each voxel */
} ossa_volume_stages;

/* Runs the stages.
   Errors: as of ossa_rig_from_volume.
   Ownership: ossa_volume_stages_free. */
OSSA_API ossa_status ossa_volume_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_volume_stages *stages);
OSSA_API void ossa_volume_stages_free(ossa_context *context, ossa_volume_stages *stages);

/* Writes into a folder that is there, as coloured points: voxels.ply (depths), medial.ply (depths
   and exposures), heart.ply, extremes.ply, path-voxels.ply (of each node of the path tree) and
   anchors.ply (the segments that influence each voxel); as lines: paths.obj, segments.obj.
   Errors: OSSA_ERROR_WRITE; then none of them is written. */
OSSA_API ossa_status ossa_volume_stages_write(ossa_context *context, const ossa_volume_stages *stages, const char *folder);

#ifdef __cplusplus
}
#endif
#endif
