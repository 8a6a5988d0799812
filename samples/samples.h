/* samples/samples.h: creatures that ossa makes itself, with exact skeleton, weights and motion, at
   any resolution.

   Tests, benchmarks, the demo and `ossa sample` live on them. Every creature is a pure function of
   its options. */
#ifndef OSSA_SAMPLES_H
#define OSSA_SAMPLES_H

#include <ossa/ossa.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ossa_sample_kind {
	OSSA_SAMPLE_TUBE,
	OSSA_SAMPLE_BIPED,
	OSSA_SAMPLE_QUADRUPED,
	OSSA_SAMPLE_HAND, /* two of the fingers move alike */
	OSSA_SAMPLE_OCTOPUS,
	OSSA_SAMPLE_SNAKE,
	OSSA_SAMPLE_PIECES,  /* a character of several closed pieces */
	OSSA_SAMPLE_OPEN,    /* a character with an open border */
	OSSA_SAMPLE_MACHINE, /* of pieces, with joints that depend on each other */
	OSSA_SAMPLE_GIMBALS, /* arms with joints of two axes */
	OSSA_SAMPLE_FACE,    /* a head whose skin slides, in patches */
	OSSA_SAMPLE_LINKAGE, /* of pieces, whose joints form loops */
	OSSA_SAMPLE_ARMS,    /* with twist bones */
	OSSA_SAMPLE_SLIDES   /* of pieces, some of which slide */
} ossa_sample_kind;

/* What is made. Start from ossa_sample_default(). */
typedef struct ossa_sample_options {
	int kind;   /* ossa_sample_kind */
	int faces;  /* triangles wanted; the number made is within 10 % */
	int frames; /* poses; the rest pose is not among them */
	/* how much the flesh bulges where joints bend, in % of the diagonal: no skeleton repeats
	   that */
	double bulge;
	double noise; /* RMS of per-vertex, per-frame noise in % of the diagonal */
	int seed;     /* of motion and noise */
} ossa_sample_options;

/* The truth and what a method is given of it. */
typedef struct ossa_sample {
	/* rest mesh, true skeleton, true weights, true motion (constant bone lengths but for what
	   slides) */
	ossa_rig *rig;
	ossa_frames *frames; /* exact linear blending of rig->clip, plus bulge and noise */
} ossa_sample;

OSSA_API ossa_sample_options ossa_sample_default(void);
OSSA_API const ossa_option_table *ossa_sample_option_table(void);

/* Makes a creature. Errors: OSSA_ERROR_ARGUMENT, OSSA_ERROR_MEMORY.  Ownership:
   ossa_sample_free. */
OSSA_API ossa_status ossa_sample_create(ossa_context *context, const ossa_sample_options *options, ossa_sample **sample);

/* Writes rest.obj, pose-1.obj ... pose-F.obj, truth.glb and truth.json (joints with name, parent,
   rest, moves_degrees, influences; joint_world_positions per frame) into an existing or new folder.
   Poses that an earlier, longer sample left there are removed. Errors: OSSA_ERROR_WRITE. */
OSSA_API ossa_status ossa_sample_write(ossa_context *context, const ossa_sample *sample, const char *folder);

OSSA_API void ossa_sample_free(ossa_context *context, ossa_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
