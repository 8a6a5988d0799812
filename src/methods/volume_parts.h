/* methods/volume_parts.h: the stages of the method of volumes up to the segments: what the rig and the look at them share.

   Place in the path: posed surface, volume/ -> here -> volume.c, ossa_volume_stages_make. */
#ifndef OSSAI_METHODS_VOLUME_PARTS_H
#define OSSAI_METHODS_VOLUME_PARTS_H

#include "methods/still.h"
#include "skeleton/from_curve/volume_bones.h"
#include "surface/canonical_frame.h"

#include <ossa/volume_stages.h>

/* Where joints are put; the order is that of the option table's choices. */
enum { OSSAI_VOLUME_JOINTS_AUTO, OSSAI_VOLUME_JOINTS_SEGMENTS, OSSAI_VOLUME_JOINTS_CURVE };

/* Whether joints are between segments: where that is said, where one of their parameters is given (nobody gives what has no meaning), and as
   published. */
bool ossai_volume_uses_segments(const ossa_volume_options *options);

ossai_skeletal_options ossai_volume_skeletal_options(const ossa_volume_options *options);

/* Errors: OSSA_ERROR_ARGUMENT, out of range, or against each other. */
ossa_status ossai_volume_options_check(ossa_context *context, const ossa_volume_options *options);

/* Warns of what is given and has no part in what is done ("unused-options"). */
void ossai_volume_warn_unused(ossa_context *context, const ossa_volume_options *options);

/* the stages' value, with what only this method has */
typedef struct ossai_volume {
	ossai_recipe recipe; /* first, so that a stage finds the rest */
	ossa_volume_options own;
	ossai_canonical_frame frame; /* prepare: the axes in which the stages see the shape */
	double *rest;                /* prepare: the surface's rest in the mesh's axes */
	ossai_voxels voxels;         /* voxels */
	ossai_medial medial;         /* medial surface */
	ossai_path_tree tree;        /* path tree: smoothed */
	ossai_proxy proxy;           /* proxy */
	ossai_mirror mirror;         /* proxy */
	ossai_skeletal_graph graph;  /* segments */
} ossai_volume;

static inline bool ossai_volume_refines(const ossai_volume *volume) { return volume->own.refine > 0; }

/* Fills the recipe of `volume`, whose own options are checked. */
void ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *volume);

/* A place in the axes of the mesh, on the surface's scale. */
static inline ossai_vec3 ossai_volume_from_canonical(const ossai_volume *volume, ossai_vec3 p)
{
	return ossai_volume_refines(volume) ? ossai_from_canonical(&volume->frame, p) : p;
}

/* Prepares the shape and turns it into axes of its own, whichever way the mesh was turned (the paper's: leaves it), fills it with voxels, finds their medial surface and the path tree: each a stage with its name. */
ossa_status ossai_volume_find_tree(ossai_recipe *recipe);

/* A stage: the tree as segments. In: tree, and, refining, the mirror. */
ossa_status ossai_volume_split(ossai_recipe *recipe);

#endif
