/* ossa/volume.h: a rig from one mesh that does not move, by the voxels that it encloses (Wade & Parent 2002), and what goes past it. */
#ifndef OSSA_VOLUME_H
#define OSSA_VOLUME_H

#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stages.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How the method works; ranges and help are in ossa_volume_option_table(). The first seven are the paper's, by its names;
   all of them but the first two have a part with `refine` 0 only. */
typedef struct ossa_volume_options {
	double
		voxel_size; /* share of the longest side of the box around the shape; 0: chosen for 20 000 to 200 000 interior voxels */
	double exposure;     /* of a ball's surface, from which on its voxel is on the medial surface */
	double closeness;    /* of the heart radius: nothing farther than this from the paths is left uncovered */
	double min_fraction; /* of the heart radius: shorter segments are never split */
	double max_fraction; /* longer ones always */
	int segments;        /* wanted; 0: until nothing is left to split */
	double tolerance;    /* of the heart radius: between the fractions a segment is split that errs by more */
	int bones;           /* wanted; 0: as many as the shape tells */
	double spurs;        /* least persistence of a limb's tip, in % of the size: what protrudes less is no limb */
	char root[OSSA_OPTION_TEXT_SIZE]; /* "center", "lowest", or a place "X,Y,Z" in the mesh's units */
	int levels;                       /* of articulation, this rig among them */
	int symmetry;                     /* look for symmetry, or make the rig symmetric */
	int weights;                      /* ossa_weights_kind: heat, geodesic or coverage */
	double power;                     /* geodesic: of 1 / distance */
	int influences;                   /* most weights per vertex */
	bool local;                       /* keep every bone's influence one connected patch */
	int refine;                       /* 0: the paper; else what goes past it */
} ossa_volume_options;

OSSA_API ossa_volume_options ossa_volume_default(void);
OSSA_API const ossa_option_table *ossa_volume_option_table(void);

/* Those of them that tell of voxels, paths and segments alone: fields of the same struct. */
OSSA_API const ossa_option_table *ossa_volume_stage_option_table(void);

/* Makes a rig of `mesh`, any polygons at all, closed or not, which has no motion. `options` NULL means the defaults. With `levels` above 1
   the rig tells of each bone which coarser levels have it; ossa_rig_of_level makes those.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT (no surface), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT (voxels too small: tells the smallest that
   fit), OSSA_ERROR_CANCELLED.
   Warnings: see docs/warnings.md.  Ownership: ossa_rig_free.  Threads: the context's; the same bytes for any number.
   Cost: linear in faces and voxels, n log n in voxels of the medial surface.
   Source: L. Wade and R. Parent, Automated generation of control skeletons for use in animation, The Visual Computer 2002. */
OSSA_API ossa_status ossa_rig_from_volume(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_rig **rig);

/* What the stages up to the segments make of a mesh, for looking at. Places are in the mesh's units. */
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
	size_t extreme_count;  /* ends found on it */
	size_t path_count;     /* that became paths */
	double heart_radius;   /* mesh units */
	size_t node_count;     /* P: of the path tree, smoothed; parents first */
	float *nodes;          /* P x 3 */
	float *radii;          /* P */
	uint32_t *parents;     /* P: OSSA_NONE at node 0 */
	size_t segment_count;  /* S */
	uint32_t *segments;    /* S x 2: nodes */
} ossa_volume_stages;

/* Runs the stages. Errors: as of ossa_rig_from_volume.  Ownership: ossa_volume_stages_free. */
OSSA_API ossa_status ossa_volume_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_volume_stages *stages);
OSSA_API void ossa_volume_stages_free(ossa_context *context, ossa_volume_stages *stages);

/* Writes voxels.ply and medial.ply (points with depths and exposures), paths.obj and segments.obj (lines) into a folder that is there.
   Errors: OSSA_ERROR_WRITE; then none of them is written. */
OSSA_API ossa_status ossa_volume_stages_write(ossa_context *context, const ossa_volume_stages *stages, const char *folder);

#ifdef __cplusplus
}
#endif
#endif
