/* import/mesh/mtl_material.h: one material of a library while its statements are read.

   Place in the path: inside the reader of material libraries.
   Input: statements.
   Output: an ossa_material. */
#ifndef OSSAI_IMPORT_MTL_MATERIAL_H
#define OSSAI_IMPORT_MTL_MATERIAL_H

#include "base/text.h"
#include "scene/appearance.h"

typedef enum ossai_mtl_use {
	OSSAI_MTL_COLOR,
	OSSAI_MTL_OPACITY,
	OSSAI_MTL_EMISSION,
	OSSAI_MTL_ROUGHNESS,
	OSSAI_MTL_METALLIC,
	OSSAI_MTL_NORMAL, /* "norm", a normal map for certain */
	OSSAI_MTL_BUMP,   /* "bump": heights by the manual, mostly a normal map */
	OSSAI_MTL_OTHER,  /* what there is no place for */
	OSSAI_MTL_USES
} ossai_mtl_use;

/* A texture statement. */
typedef struct ossai_mtl_map {
	ossai_word name;      /* size 0: there is none */
	ossa_texture texture; /* its place; the image is not known yet */
	double bump;
} ossai_mtl_map;

/* In the file's terms; what it does not say is negative. */
typedef struct ossai_mtl_material {
	double diffuse[3], specular[3], emission[3];
	double opacity, transparency, exponent, roughness, metallic;
	ossai_mtl_map maps[OSSAI_MTL_USES];
} ossai_mtl_material;

ossai_mtl_material ossai_mtl_material_begin(void);

/* Takes the statement of a line whose first word is `word`; the cursor is behind it. Others, and
   those without their numbers, change nothing. */
void ossai_mtl_material_take(ossai_mtl_material *material, ossai_word word, ossai_text *text);

/* Converts what was said. `path`: of the library, which images are beside. */
ossa_status ossai_mtl_material_end(
	const ossai_mtl_material *material, ossai_appearance *appearance, const char *path, ossa_material *converted);

#endif
