/* export/even_clip.h: a motion with evenly spaced frames, for formats that require it. */
#ifndef OSSAI_EXPORT_EVEN_CLIP_H
#define OSSAI_EXPORT_EVEN_CLIP_H

#include "base/context.h"
#include <ossa/rig.h>

typedef struct ossai_even_clip {
	const ossa_clip *clip; /* the given one where its times are even, else `own` */
	ossa_clip *own;        /* resampled, or NULL */
	double step;           /* seconds between frames; 1/24 where there is only one */
} ossai_even_clip;

/* `clip` has at least one frame. Uneven times are sampled at their smallest usual step, with the
   warning "times-resampled". Ownership: ossai_even_clip_end, also after a failure. */
ossa_status ossai_even_clip_make(ossa_context *context, const ossa_clip *clip, ossai_even_clip *even);
void ossai_even_clip_end(ossa_context *context, ossai_even_clip *even);

#endif
