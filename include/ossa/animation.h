/* ossa/animation.h: a rig from poses or an animation of any length, by the method that suits it. */
#ifndef OSSA_ANIMATION_H
#define OSSA_ANIMATION_H

#include <ossa/contraction.h>
#include <ossa/examples.h>
#include <ossa/motion.h>
#include <ossa/sequence.h>
#include <ossa/volume.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The methods. */
typedef enum ossa_method {
	OSSA_METHOD_AUTO, /* both; the rig that follows the frames closer as a hierarchy stays, examples' where both are about as close */
	OSSA_METHOD_EXAMPLES,
	OSSA_METHOD_SEQUENCE,
	OSSA_METHOD_CONTRACTION, /* of the rest shape alone; the motion is fitted to the rig that it gives */
	OSSA_METHOD_VOLUME       /* the same, by what the shape encloses */
} ossa_method;

#define OSSA_METHOD_CHOICES "auto|examples|sequence|contraction|volume"

/* How a rig is made. Ranges and help are in ossa_animation_option_table(). */
typedef struct ossa_animation_options {
	uint32_t cookie; /* set by the default function; do not touch */
	int method;      /* ossa_method */
	int reference;   /* the frame, from 1, whose shape is the rest pose; 0: that of the mesh */
	int key_frames;  /* most frames that skeleton and weights are fitted to; the motion is fitted to all. 0: all */
} ossa_animation_options;

OSSA_API ossa_animation_options ossa_animation_default(void);
OSSA_API const ossa_option_table *ossa_animation_option_table(void);

/* A rig and how it came about. */
typedef struct ossa_animation_rig {
	ossa_rig *rig;          /* its method is that which was chosen */
	size_t frame_count;     /* of the clip */
	size_t key_frame_count; /* that skeleton and weights were fitted to */
	double examples_rms;    /* RMS of the hierarchy over those, % of the diagonal; NAN where the method was not tried */
	double sequence_rms;
	ossa_metrics hierarchy;  /* over all frames; of a stream that is longer than the key frames without normal_rms */
	ossa_metrics free_bones; /* NAN where there are none */
	double *bone_rms;        /* B: of each bone's skin over all frames, ossa_rig_bone_errors */
} ossa_animation_rig;

/* How each method works; NULL: by its defaults. */
typedef struct ossa_method_options {
	const ossa_examples_options *examples;
	const ossa_sequence_options *sequence;
	const ossa_contraction_options *contraction;
	const ossa_volume_options *volume;
} ossa_method_options;

/* Makes a rig of `mesh` that repeats the frames of a stream. Where there are more than `key_frames`, those that stand for all are chosen,
   the rig is made of them and then moved as every frame wants it, one frame after the other, so that memory does not grow with the frames.
   Options NULL mean the defaults.
   Errors: those of the methods and of ossa_rig_fit_motion.  Ownership: ossa_animation_rig_free.
   Warning "unexplained": bones whose skin is off by more than 1 % of the diagonal.
   Threads: the context's; the same bytes for any number. */
OSSA_API ossa_status ossa_rig_from_animation(ossa_context *context, const ossa_mesh *mesh, ossa_frame_stream *stream,
	const ossa_animation_options *options, const ossa_method_options *methods, ossa_animation_rig *made);

/* Gives back what was made. */
OSSA_API void ossa_animation_rig_free(ossa_context *context, ossa_animation_rig *made);

#ifdef __cplusplus
}
#endif
#endif
