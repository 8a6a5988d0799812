/* methods/volume.h: the work and the stages of the method of volumes.

   Used by: volume.c (the outlines), volume_published.c and volume_refined.c (the stages),
   volume_stages.c (intermediate results as a public value), volume_options.c,
   volume_warnings.c. */
#ifndef OSSAI_METHODS_VOLUME_H
#define OSSAI_METHODS_VOLUME_H

#include "methods/still.h"
#include "skeleton/from_curve/volume_bones.h"
#include "surface/canonical_frame.h"
#include "weights/anchors.h"

#include <ossa/volume.h>

/* What the stages pass on; each member is labelled with the stage that fills it. */
typedef struct ossai_volume {
	ossai_still_work still;
	ossa_volume_options own;

	ossai_canonical_frame frame; /* prepare, refined: the axes of all that the stages see */
	double *rest;                /* prepare, refined: the rest of the surface in the mesh's axes */
	ossai_voxels voxels;         /* voxels */
	ossai_medial medial;         /* medial surface */
	ossai_path_tree paths;       /* path tree: smoothed */
	ossai_skeletal_graph graph;  /* segments, published */

	/* skeleton */
	ossai_tree tree;
	ossai_vec3 *joint, *tail; /* B */
	uint8_t *last_level;      /* B; NULL: there is one level */
	ossai_mat3 *bone_frame;   /* B, published */
	uint32_t *mirrored;       /* B, refined; or NULL */
	ossa_role *role;          /* B, refined; or NULL */
	double *deviation;        /* B: of the joints, refined; or NULL */

	ossai_bone_weights weights; /* weights */
} ossai_volume;

/* Checks the options in `own`, and fills what the stages begin with. Warns of options without
   effect ("unused-options"). Errors: OSSA_ERROR_ARGUMENT. */
ossa_status ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *volume);

/* The radius of the moving average over paths, in edges: the paper's. */
enum { OSSAI_VOLUME_SMOOTHING = 3 };

/* ---- volume_published.c: the stages of L. Wade and R. Parent 2002 ---- */

ossa_status ossai_volume_published_prepare(ossai_volume *volume);
ossa_status ossai_volume_published_voxels(ossai_volume *volume);
ossa_status ossai_volume_medial(ossai_volume *volume); /* of both outlines */
ossa_status ossai_volume_published_paths(ossai_volume *volume);
ossa_status ossai_volume_published_segments(ossai_volume *volume);
ossa_status ossai_volume_published_skeleton(ossai_volume *volume);
ossa_status ossai_volume_published_weights(ossai_volume *volume);

/* The balls of the segments: those of all path voxels along each, its ends among them. The array is
   the arena's. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_volume_published_balls(ossai_volume *volume, size_t *count, ossai_anchor_ball **balls);

/* Gives the rig's joints the frames of the paper. */
void ossai_volume_published_frames(const ossai_volume *volume, ossa_rig *rig);

/* ---- volume_warnings.c: what the paper does not define ---- */

/* Options that are not the paper's, or outside its range ("paper-options"). */
void ossai_volume_warn_of_options(ossa_context *context, const ossa_volume_options *options);

/* Voxels of several parts ("paper-pieces"), of an open surface ("paper-surface"). In: voxels. */
void ossai_volume_warn_of_voxels(const ossai_volume *volume);

/* A shape without segments ("paper-segments"). In: graph. */
void ossai_volume_warn_of_segments(const ossai_volume *volume);

/* ---- volume_refined.c: our stages ---- */

/* The surface in its canonical frame. */
ossa_status ossai_volume_refined_prepare(ossai_volume *volume);

/* Voxels and medial surface, and beside them the proxy with its clearance, plane of symmetry and
   tips: stages of their own. */
ossa_status ossai_volume_refined_shape(ossai_volume *volume);

/* A path to each tip of a limb. */
ossa_status ossai_volume_refined_paths(ossai_volume *volume);

/* The curve: the path tree, cleaned. */
ossa_status ossai_volume_refined_curve(ossai_volume *volume);

/* Whether props are asked for; those that the curve shows, or NULL; and the surface and its shape
   in the canonical frame of what is left. */
bool ossai_volume_may_have_props(const ossai_volume *volume);
ossa_status ossai_volume_find_props(ossai_volume *volume, const ossai_props **props);
ossa_status ossai_volume_leave_out(ossai_volume *volume, const ossai_props *props);

/* As many joints as are wanted, or as the shape suggests, inside the surface. */
ossa_status ossai_volume_refined_skeleton(ossai_volume *volume);

/* By heat, or as asked for; no vertex follows two limbs. */
ossa_status ossai_volume_refined_weights(ossai_volume *volume);

/* Turns surface, joints and cuts back to the axes of the mesh. */
void ossai_volume_refined_turn_back(ossai_volume *volume);

/* ---- volume.c: what both outlines use ---- */

/* Weights by the voxels that `count` balls cover. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_volume_weigh_by_coverage(
	ossai_volume *volume, size_t count, ossai_anchor_ball *balls, const ossai_bone_segments *segments);

/* Weights by heat or distance over the proxy, which has been made. */
ossa_status ossai_volume_weigh_by_distance(ossai_volume *volume);

#endif
