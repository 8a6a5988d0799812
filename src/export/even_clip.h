/* export/even_clip.h: a motion with the same time between all frames, for formats that know only
   that. */
#ifndef OSSAI_EXPORT_EVEN_CLIP_H
#define OSSAI_EXPORT_EVEN_CLIP_H

#include "base/context.h"
#include <ossa/rig.h>

typedef struct ossai_isotropic_clip {
	const ossa_clip *clip; /* the given one where its times are even, else `own` */
	ossa_clip *own;        /* resampled, or NULL */
	double step;           /* seconds between frames; 1/24 where there is only one */
} ossai_isotropic_clip;

/* `clip` has at least one frame. Uneven times are sampled at their smallest usual step, with the
   warning "times-resampled". Ownership: ossai_isotropic_clip_end, also after a failure. */
ossa_status ossai_isotropic_clip_make(ossa_context *context, const ossa_clip *clip, ossai_isotropic_clip *even);
void ossai_isotropic_clip_end(ossa_context *context, ossai_isotropic_clip *even);

#endif
