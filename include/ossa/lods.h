/* ossa/lods.h: levels of detail: several meshes of one character, from fine to coarse, under one
   skeleton. */
#ifndef OSSA_LODS_H
#define OSSA_LODS_H

#include <ossa/rig.h>
#include <ossa/write.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One of the meshes. */
typedef struct ossa_lod {
	const ossa_rig *rig; /* with the bones of the finest one (ossa_rig_transfer makes such rigs) */
	int articulation;    /* the level of articulation whose bones move it; 0: all bones */
	/* the share of the screen below which the next one is shown, or nothing after the last; 0: so
	   that each has the same number of faces on a piece of the screen, and the last stays */
	double coverage;
} ossa_lod;

/* Writes one file of all of them: the skeleton and the motions of the first, then meshes of their
   own weights, which programs without levels of detail do not show. Of the others the mesh is
   written with what ossa_mesh has fields for.
   glTF: nodes that the finest mesh names (MSFT_lod), outside the scene, with the coverages as
   MSFT_screencoverage; a skin of a level of articulation has fewer of the joints.
   lods: from fine to coarse. options: NULL for the defaults.
   Errors: OSSA_ERROR_ARGUMENT (a format without levels, ossa_write_format.writes_lods; a level of
   articulation that the rig does not have), OSSA_ERROR_INPUT (other bones than the first; more
   faces than the one before), and those of ossa_write_rig. */
OSSA_API ossa_status ossa_write_lods(
	ossa_context *context, const ossa_lod *lods, size_t count, const char *path, const ossa_write_options *options);

/* Gives the bones of any rig levels of articulation, from its joints: each level has about half of
   the bones of the one before, bones of both sides leave together. A rig that has as many levels or
   more stays as it is.
   levels: 1 to 16. Warning "fewer-levels".
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_MEMORY.
   Source: L. Wade and R. Parent 2002, 5 (future work); the choice of bones is ours. */
OSSA_API ossa_status ossa_rig_find_levels(ossa_context *context, ossa_rig *rig, int levels);

#ifdef __cplusplus
}
#endif
#endif
