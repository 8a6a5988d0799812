/* report/veils.h: what is partly transparent, before the surface.

   Place in the path: pictures, between the surface and the sheet.
   Input: a solid with looks, the surface's samples.
   Output: a layer of light that lies over the surface. */
#ifndef OSSAI_REPORT_VEILS_H
#define OSSAI_REPORT_VEILS_H

#include "report/shade_job.h"

/* Adds up what lies before the samples of the canvas's raster, from front to back, to
   job->veils, which has space for all pixels. Errors: OSSA_ERROR_MEMORY.  Threads: the
   context's. */
ossa_status ossai_veils_draw(ossa_context *context, ossai_arena *arena, ossai_shade_job *job);

#endif
