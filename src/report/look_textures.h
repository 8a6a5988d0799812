/* report/look_textures.h: the textures of materials: images decoded once, coordinates.

   Place in the path: pictures, below looks.c.
   Input: an appearance.
   Output: the textures of ossai_look_material. */
#ifndef OSSAI_REPORT_LOOK_TEXTURES_H
#define OSSAI_REPORT_LOOK_TEXTURES_H

#include "report/looks.h"

/* Fills the textures of the materials that triangles have: as ossai_looks_make, whose other members
   are there. */
ossa_status ossai_look_textures_make(
	ossa_context *context, ossai_arena *arena, const ossai_looks *looks, ossai_look_material *materials);

/* The texture coordinates of a corner in one of the mesh's sets; false where it has none. */
bool ossai_corner_texcoord(const ossa_mesh *mesh, uint32_t set, uint32_t corner, float uv[2]);

#endif
