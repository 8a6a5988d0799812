/* tools/ossa/render.h: what `ossa render` draws: which frames of what. */
#ifndef OSSA_RENDER_H
#define OSSA_RENDER_H

#include "command.h"

enum { RENDER_FRAMES_MAX = 4096 };

/* The frames asked for, in order, as the library counts them: from 0, -1 for the rest pose. */
typedef struct render_frames {
	size_t count;
	int frames[RENDER_FRAMES_MAX];
} render_frames;

/* Reads --frames of a motion of `there` frames; `worst` is the frame of the largest error, -1 where
   that is not known.
   Errors: OSSA_ERROR_ARGUMENT. */
ossa_status render_read_frames(command_run *run, const char *text, size_t there, int worst, render_frames *list);

/* The mesh of a file that holds no rig, as one of a single bone that is not meant to be seen.
   Errors: those of reading. */
ossa_status render_make_mesh(command_run *run, const char *path, ossa_rig **rig);

/* The rig that shows a stage of contraction, as published with its default options, of the mesh in
   a file: "graph", the graph after a number of steps or the "last", or control "points" with their
   regions.
   Errors: OSSA_ERROR_ARGUMENT, and those of reading and contracting. */
ossa_status render_make_stage(command_run *run, const char *path, const char *stage, ossa_rig **rig);

#endif
