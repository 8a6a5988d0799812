/* rig/edit_closing.h: what closing loops has to know of the edits of a motion: which joints they
   posed, and the motion before them.

   Place in the path: under edit_motion.c, over close_loops.c. */
#ifndef OSSAI_RIG_EDIT_CLOSING_H
#define OSSAI_RIG_EDIT_CLOSING_H

#include "base/context.h"

#include <ossa/rig.h>

/* Empty where no edit closes loops: nothing is kept then. */
typedef struct ossai_edit_closing {
	ossa_clip *before; /* as it was, or as loops were closed last */
	uint8_t *posed;    /* F x B, not 0: turned by an edit that names the joint */
} ossai_edit_closing;

/* Keeps a copy of the motion. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_edit_closing_begin(ossa_context *context, const ossa_clip *clip, ossai_edit_closing *closing);

/* A joint was turned in the frames first..end-1. */
void ossai_edit_closing_pose(ossai_edit_closing *closing, size_t bone, size_t first, size_t end);

/* The frames that are left. */
void ossai_edit_closing_crop(ossai_edit_closing *closing, size_t first, size_t count);

/* Closes loops in `clip`; what is edited from then on, it is edited from there. Warning
   "loops-open". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_edit_closing_close(ossa_context *context, const ossa_rig *rig, ossa_clip *clip, ossai_edit_closing *closing);

void ossai_edit_closing_end(ossa_context *context, ossai_edit_closing *closing);

#endif
