/* ossa/frames.h: positions of the same vertices in several poses or moments. */
#ifndef OSSA_FRAMES_H
#define OSSA_FRAMES_H

#include <ossa/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* F frames of V vertices. Arrays are the context's, owned by the frames. */
typedef struct ossa_frames {
	size_t frame_count;  /* F */
	size_t vertex_count; /* V */
	float *positions;    /* F x V x 3, finite */
	double *times;       /* F seconds, strictly increasing, from 0 on */
	char (*names)[64];   /* F, e.g. the pose's file name without folder and ending; NULL for none */
	/* the motion's: of the animation that was read, else of its file without number and ending;
	   "" for none */
	char name[64];
	/* morph targets of the mesh move in the file and are at rest in all frames (OSSA_MORPHS_KEEP):
	   the weights that a motion has of them are left out where it is measured against these */
	bool morphs_at_rest;
} ossa_frames;

/* Makes frames with zeroed positions, times i / frames_per_second and no names.
   Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.
   Ownership: ossa_frames_free. */
OSSA_API ossa_status ossa_frames_create(
	ossa_context *context, size_t frame_count, size_t vertex_count, double frames_per_second, ossa_frames **frames);

/* Checks every rule written beside the fields.
   Errors: OSSA_ERROR_INPUT naming the first frame and vertex at fault. */
OSSA_API ossa_status ossa_frames_validate(ossa_context *context, const ossa_frames *frames);

/* Frees frames. NULL is allowed. */
OSSA_API void ossa_frames_free(ossa_context *context, ossa_frames *frames);

#ifdef __cplusplus
}
#endif
#endif
