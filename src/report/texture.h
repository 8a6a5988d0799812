/* report/texture.h: images as textures: smaller and smaller copies, and the mean over a pixel.

   Place in the path: pictures, between decoded images and looks.
   Input: a bitmap.
   Output: values of its texels, filtered.
   Source: L. Williams, Pyramidal Parametrics, SIGGRAPH 1983; several lookups along the longer side
   of a pixel's footprint. */
#ifndef OSSAI_REPORT_TEXTURE_H
#define OSSAI_REPORT_TEXTURE_H

#include "report/decode.h"

enum { OSSAI_TEXTURE_LEVELS = 13 }; /* of OSSAI_BITMAP_SIDE_MAX, down to one texel */

/* The image, and copies of half the size each. */
typedef struct ossai_texture_levels {
	bool is_color; /* its colours are sRGB */
	int count;
	ossai_bitmap level[OSSAI_TEXTURE_LEVELS];
} ossai_texture_levels;

/* Where a texture is looked up, in its own coordinates: 0 to 1 from left to right and from the
   bottom up; and how they change over a pixel. */
typedef struct ossai_texture_spot {
	double at[2];
	double across[2], down[2]; /* one pixel to the right, one down */
} ossai_texture_spot;

/* Makes the copies of a bitmap, which is the first of them. Errors: OSSA_ERROR_MEMORY.  Threads:
   the context's.  Ownership: the arena's. */
ossa_status ossai_texture_make(ossa_context *context, ossai_arena *arena, const ossai_light_codes *codes,
	const ossai_bitmap *bitmap, bool is_color, ossai_texture_levels *texture);

/* The mean over a pixel: colours as light, alpha and other values from 0 to 1. wraps:
   along u, v. */
void ossai_texture_look_up(const ossai_texture_levels *texture, const ossai_light_codes *codes, const ossa_wrap wraps[2],
	const ossai_texture_spot *spot, float value[4]);

#endif
