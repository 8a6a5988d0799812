/* ossa/volume.h: a rig from one mesh that does not move, by the voxels that it encloses (Wade &
   Parent 2002), with our refinements. */
#ifndef OSSA_VOLUME_H
#define OSSA_VOLUME_H

#include <ossa/landmarks.h>
#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stages.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the root is. */
typedef enum ossa_root_kind {
	OSSA_ROOT_CENTER, /* on a deep segment near the heart, the deepest voxel (Wade & Parent 2002) */
	OSSA_ROOT_LOWEST, /* at the lowest end, +Y being up */
	OSSA_ROOT_POINT   /* nearest to a point */
} ossa_root_kind;

typedef struct ossa_root {
	ossa_root_kind kind;
	double point[3]; /* of OSSA_ROOT_POINT: finite, in the mesh's units */
} ossa_root;

/* How the method works; ranges and help are in ossa_volume_option_table(). The first seven are
   the paper's, by its names; the last four of them have a part with `refine` 0 only, and
   `closeness` there and in shapes of fewer than two limbs. */
typedef struct ossa_volume_options {
	uint32_t cookie; /* set by the default function; do not touch */
	/* share of the longest side of the box around the shape; 0: chosen for 20 000 to 200 000
	   interior voxels */
	double voxel_size;
	/* least exposed share of a ball's surface for its voxel to be on the medial surface */
	double exposure;
	/* of the heart radius: voxels beyond this distance from the paths must be covered */
	double closeness;
	double min_fraction; /* of the heart radius: shorter segments are never split */
	double max_fraction; /* longer ones always */
	int segments;        /* wanted; 0: until nothing is left to split */
	/* of the heart radius: between the fractions a segment is split that errs by more */
	double tolerance;
	int bones; /* wanted; 0: as many as the shape has features */
	/* least persistence of a limb's tip, in % of the size: what protrudes less is no limb. The
	   size: see ossa_contraction_options */
	double spurs;
	ossa_root root;
	int levels;          /* of articulation, this rig among them */
	ossa_body_kind body; /* which body plan the skeleton follows */
	/* points of a human body that its joints are found by; in the axes and units of the mesh */
	ossa_landmarks landmarks;
	bool rigid_pieces; /* pieces that are likely to be rigid follow one bone each */
	/* pieces that hide the shape of the body are left out of it, and follow one bone each */
	bool props;
	ossa_symmetry_kind symmetry;
	ossa_weights_kind weights; /* heat, geodesic or coverage */
	double power;              /* geodesic: of 1 / distance */
	int influences;            /* most weights per vertex; 0: 4, as published all */
	bool local;                /* keep every bone's influence one connected patch */
	int refine;                /* 0: the paper; else with our refinements */
} ossa_volume_options;

OSSA_API ossa_volume_options ossa_volume_default(void);
OSSA_API const ossa_option_table *ossa_volume_option_table(void);

/* Makes a rig of `mesh`, any polygons at all, closed or not, which has no motion. `options` NULL
   means the defaults. With `levels` above 1 each bone of the rig has the last coarser level that
   includes it; ossa_rig_of_level makes those levels.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT (no surface), OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT
   (voxels too small: the message has the smallest that fit), OSSA_ERROR_CANCELLED.
   Warnings: see docs/warnings.md.
   Ownership: ossa_rig_free.
   Threads: the context's; the same bytes for any number.
   Cost: linear in faces and voxels, n log n in voxels of the medial surface.
   Source: L. Wade and R. Parent, Automated generation of control skeletons for use in animation,
   The Visual Computer 2002. */
OSSA_API ossa_status ossa_rig_from_volume(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_rig **rig);

#ifdef __cplusplus
}
#endif
#endif
