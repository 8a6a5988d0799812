/* methods/volume_parts.h: the stages of the method of volumes up to the segments: what the rig and the look at them share.

   Place in the path: posed surface, volume/ -> here -> volume.c, ossa_volume_stages_make. */
#ifndef OSSAI_METHODS_VOLUME_PARTS_H
#define OSSAI_METHODS_VOLUME_PARTS_H

#include "methods/still.h"
#include "skeleton/volume_bones.h"

#include <ossa/volume.h>

/* the stages' value, with what only this method has */
typedef struct ossai_volume {
	ossai_recipe recipe; /* first, so that a stage finds the rest */
	ossa_volume_options own;
	ossai_voxels voxels;        /* voxels */
	ossai_medial medial;        /* medial surface */
	ossai_path_tree tree;       /* path tree: smoothed */
	ossai_proxy proxy;          /* proxy */
	ossai_mirror mirror;        /* proxy */
	ossai_skeletal_graph graph; /* segments */
} ossai_volume;

static inline bool ossai_volume_refines(const ossai_volume *volume) { return volume->own.refine > 0; }

/* Fills the recipe of `volume`, whose own options are checked. */
void ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *volume);

/* Prepares the shape, fills it with voxels, finds their medial surface and the path tree: each a stage with its name. */
ossa_status ossai_volume_find_tree(ossai_recipe *recipe);

/* A stage: the tree as segments. In: tree, and, refining, the mirror. */
ossa_status ossai_volume_split(ossai_recipe *recipe);

#endif
