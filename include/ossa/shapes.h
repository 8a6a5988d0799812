/* ossa/shapes.h: corrective shapes: what the blend of bones leaves of a motion, as a few morph
   targets, each of which follows the turn of one joint. */
#ifndef OSSA_SHAPES_H
#define OSSA_SHAPES_H

#include <ossa/metrics.h>
#include <ossa/options.h>
#include <ossa/rig.h>
#include <ossa/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How many shapes there are. Start from ossa_shape_default(). */
typedef struct ossa_shape_options {
	uint32_t cookie; /* set by the default function; do not touch */
	int add_shapes;  /* the most; 0: none */
	/* by how much a shape must lower the mean squared error of frames that it was not fitted to, in
	   percent of what the bones leave; likewise at each vertex that it moves */
	double worth;
} ossa_shape_options;

OSSA_API ossa_shape_options ossa_shape_default(void);
OSSA_API const ossa_option_table *ossa_shape_option_table(void);

typedef struct ossa_shape_facts {
	size_t shape_count;
	size_t vertex_count; /* that at least one of them moves */
	/* RMS over the frames that they were found in, % of the diagonal: without shapes, with them,
	   and with them in frames that were left out when they were fitted */
	double before_percent, rms_percent, held_percent;
	ossa_metrics metrics; /* of the rig with its shapes, over all frames */
} ossa_shape_facts;

/* Adds corrective shapes to a rig whose clip is that of the stream's frames: morph targets of its
   mesh with drivers (ossa_driver), called after their bones ("lowerarm_L_shape"). They replace
   those that it has. A shape moves vertices that its bone or the parent of that moves. Each is kept
   only if it explains frames that were left out when it was fitted: five blocks of frames in turn,
   or each frame where there are few. ossa_rig_pose and all that stands on it show shapes; the
   unconstrained bones (free_clip) have none. bone_rms: B, filled as by ossa_rig_bone_errors;
   options, bone_rms, facts may be NULL.
   Errors: OSSA_ERROR_INPUT (no clip of as many frames, another number of vertices),
   OSSA_ERROR_ARGUMENT, OSSA_ERROR_READ, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED: the rig is then
   without shapes.
   Threads: the context's; the same bytes for any number.
   Cost: vertices x frames (at most 128 of them) x influences, for each shape again near its bone.
   Source: J. P. Lewis, M. Cordner, N. Fong, Pose Space Deformation, 2000; the choice of ramps:
   J. Friedman, Multivariate Adaptive Regression Splines, 1991, forward selection. */
OSSA_API ossa_status ossa_rig_add_shapes(ossa_context *context, ossa_rig *rig, ossa_frame_stream *stream,
	const ossa_shape_options *options, double *bone_rms, ossa_shape_facts *facts);

/* How many morph targets of the rig's mesh have drivers. */
OSSA_API size_t ossa_rig_shape_count(const ossa_rig *rig);

/* The weight of a morph target in a frame of `clip`: by its driver (0 where `clip` is NULL); of one
   without that of the clip (ossa_clip, morph_weights), or at rest where it has none. */
OSSA_API double ossa_rig_shape_weight(const ossa_rig *rig, size_t morph, const ossa_clip *clip, size_t frame);

#ifdef __cplusplus
}
#endif
#endif
