/* methods/volume.h: the method of volumes, for the files that it is written in.

   Used by: volume.c (the recipe), volume_published.c and volume_refined.c (its stages), volume_stages.c (for looking). */
#ifndef OSSAI_METHODS_VOLUME_H
#define OSSAI_METHODS_VOLUME_H

#include "curve/tips.h"
#include "methods/still.h"
#include "query/clearance.h"
#include "skeleton/from_curve/volume_bones.h"
#include "surface/canonical_frame.h"
#include "weights/anchors.h"

#include <ossa/volume.h>

/* What the stages hand to each other. */
typedef struct ossai_volume {
	ossai_still_work still;
	ossa_volume_options own;

	ossai_canonical_frame frame; /* prepare, refined: the axes in which the stages see the shape */
	double *rest;                /* prepare, refined: the surface's rest in the mesh's axes */
	ossai_proxy proxy;           /* proxy */
	ossai_clearance clearance;   /* proxy, refined */
	ossai_mirror mirror;         /* proxy, refined */
	ossai_tips tips;             /* proxy, refined */
	ossai_voxels voxels;         /* voxels */
	ossai_medial medial;         /* medial surface */
	ossai_path_tree paths;       /* path tree: smoothed */
	ossai_skeletal_graph graph;  /* segments, published */
	ossai_curve curve;           /* curve, refined */
	uint32_t root_node;          /* curve, refined */

	/* skeleton */
	ossai_tree tree;
	ossai_vec3 *joint, *tail; /* B */
	uint8_t *last_level;      /* B; NULL: one level alone */
	ossai_mat3 *bone_frame;   /* B, published */
	uint32_t *bone_of_node;   /* of the path tree, published */
	uint32_t *mirrored;       /* B, refined; or NULL */
	ossai_cut_sides *sides;   /* of the curve's cuts, refined */

	ossai_bone_weights weights; /* weights */
} ossai_volume;

/* Fills what the stages begin with; own options are set.
   Errors: OSSA_ERROR_ARGUMENT (options out of range, or against each other). Warns of what is given and has no part ("unused-options"). */
ossa_status ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *volume);

/* radius of the moving average over paths, in edges: the paper's */
enum { OSSAI_VOLUME_SMOOTHING = 3 };

/* A stage by name. */
ossa_status ossai_volume_run(ossai_volume *volume, const char *name, ossa_status (*stage)(ossai_volume *volume));

/* ---- volume_published.c: each stage as L. Wade and R. Parent 2002 print it ---- */

ossa_status ossai_published_prepare(ossai_volume *volume);
ossa_status ossai_published_voxels(ossai_volume *volume);
ossa_status ossai_volume_medial(ossai_volume *volume); /* of both */
ossa_status ossai_published_paths(ossai_volume *volume);
ossa_status ossai_published_segments(ossai_volume *volume);
ossa_status ossai_published_bones(ossai_volume *volume);
ossa_status ossai_published_weights(ossai_volume *volume);

/* The rig's joint frames become the paper's. */
void ossai_published_frames(const ossai_volume *volume, ossa_rig *rig);

/* ---- volume_refined.c: what goes past it ---- */

ossa_status ossai_refined_prepare(ossai_volume *volume);
ossa_status ossai_refined_proxy(ossai_volume *volume);
ossa_status ossai_refined_voxels(ossai_volume *volume);
ossa_status ossai_refined_paths(ossai_volume *volume);
ossa_status ossai_refined_curve(ossai_volume *volume);
ossa_status ossai_refined_bones(ossai_volume *volume);
ossa_status ossai_refined_weights(ossai_volume *volume);

/* All that the rig takes goes back to the axes of the mesh. */
void ossai_refined_turn_back(ossai_volume *volume);

/* ---- both ---- */

/* Weights by the voxels that `count` balls cover. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_volume_weigh_by_coverage(
	ossai_volume *volume, size_t count, ossai_anchor_ball *balls, const ossai_bone_segments *segments);

/* Weights by heat or distance over the proxy, which is there. */
ossa_status ossai_volume_weigh_by_distance(ossai_volume *volume);

#endif
