/* ossa/error_curve.h: the errors of example poses by the number of bones, from one run of the
   clustering. */
#ifndef OSSA_ERROR_CURVE_H
#define OSSA_ERROR_CURVE_H

#include <ossa/examples.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The errors of the published procedure with so many bones. */
typedef struct ossa_error_level {
	size_t bones; /* clusters at which the merge hierarchy is cut */
	/* of the skinned vertices, free bones: RMS over vertices and poses, % of the diagonal */
	double rms_percent;
	/* of the unit normals of the skinned faces: RMS over faces and poses */
	double face_normal_rms;
	/* of the clusters as rigid parts: RMS over the surface and poses, % of the diagonal */
	double parts_rms_percent;
} ossa_error_level;

/* Levels of ascending numbers of bones. */
typedef struct ossa_error_curve {
	size_t pose_count;
	size_t level_count;
	ossa_error_level *levels;
} ossa_error_curve;

/* Clusters the faces once, and cuts the hierarchy at every number of bones from the least there can
   be (1, or one for each piece that is not linked) to `most` (1 .. 500; fewer where the mesh has
   fewer faces). At each the weights are solved as published: twice, the second time within the
   influence maps. Of `options` (NULL: the defaults) influences, link_pieces, lloyd and local count.
   Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_INPUT, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Ownership: ossa_error_curve_free.
   Threads: the context's; the same curve for any number.
   Cost: the clustering, then vertices x (poses x bones^2 + bones^3) a level.
   Source: S. Schaefer, C. Yuksel, Example-Based Skeleton Extraction, SGP 2007, Figure 5. */
OSSA_API ossa_status ossa_error_curve_make(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses,
	const ossa_examples_options *options, size_t most, ossa_error_curve **curve);

/* Writes the curve by the ending of the path: .csv or .json a table, .svg two plots, with the
   number of bones `marked` marked (0: none).
   Errors: OSSA_ERROR_ARGUMENT (another ending), OSSA_ERROR_WRITE. */
OSSA_API ossa_status ossa_error_curve_write(
	ossa_context *context, const ossa_error_curve *curve, size_t marked, const char *path);

/* Whether ossa_error_curve_write knows the path's ending.
   Errors: OSSA_ERROR_ARGUMENT. */
OSSA_API ossa_status ossa_error_curve_check(ossa_context *context, const char *path);

/* Frees a curve. NULL is allowed. */
OSSA_API void ossa_error_curve_free(ossa_context *context, ossa_error_curve *curve);

#ifdef __cplusplus
}
#endif
#endif
