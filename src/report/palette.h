/* report/palette.h: colours: one for each bone, clearly different from its neighbours', and the
   sRGB encoding.

   Place in the path: pictures.
   Input: a skeleton.
   Output: colours as OKLab, which is perceptually uniform, and as linear light. */
#ifndef OSSAI_REPORT_PALETTE_H
#define OSSAI_REPORT_PALETTE_H

#include "mesh/adjacency.h"
#include <ossa/rig.h>

typedef struct ossai_color {
	float l, a, b; /* OKLab: lightness 0..1, green-red, blue-yellow */
} ossai_color;

/* Linear light of the screen's three colours, 0..1. */
typedef struct ossai_light {
	float r, g, b;
} ossai_light;

/* The colours of all bones; bone_colors: one each. Cost: linear in bones. */
void ossai_palette_bones(const ossa_skeleton *skeleton, ossai_color *bone_colors);

/* Colours of regions of faces that touch each other: the region of each face, and how many there
   are. Errors: OSSA_ERROR_MEMORY. Cost: the squares of the faces around vertices, and regions^2. */
ossa_status ossai_palette_regions(ossai_arena *arena, size_t vertex_count, const ossai_vertex_faces *around,
	const uint32_t *region_of_face, size_t region_count, ossai_color *region_colors);

/* Linear light of a colour; out-of-gamut values are clamped. */
ossai_light ossai_color_light(ossai_color color);

enum { OSSAI_ENCODING_STEPS = 8192 };

/* sRGB code of each of OSSAI_ENCODING_STEPS even steps of light from 0 to 1. */
typedef struct ossai_encoding {
	uint8_t code[OSSAI_ENCODING_STEPS];
} ossai_encoding;
void ossai_encoding_fill(ossai_encoding *encoding);

/* The code of a light, which is clamped to 0..1. */
uint8_t ossai_encode(const ossai_encoding *encoding, double light);

#endif
