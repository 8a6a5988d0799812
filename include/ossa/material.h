/* ossa/material.h: how a surface looks: materials with textures, and their images.

   One model for all formats: the metallic-roughness model of glTF 2.0, which FBX, Collada, USD and
   OBJ are converted to and from. What a format cannot hold is left out with a warning. A glTF file
   that is written to glTF again keeps its own materials with all their extensions instead
   (ossa_mesh.document). */
#ifndef OSSA_MATERIAL_H
#define OSSA_MATERIAL_H

#include <ossa/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An image as its file has it; nothing is decoded. */
typedef struct ossa_image {
	/* UTF-8, not empty, and unlike those of the others. Those that are read have letters of any
	   language, digits, `_` and `-`, so that files can be called after them */
	char name[64];
	/* "image/png", "image/jpeg", "image/webp", "image/ktx2", "image/vnd-ms.dds", "image/bmp",
	   "image/x-tga", or "" where it is not known */
	char type[24];
	const uint8_t *bytes; /* NULL: it is the file at `path` */
	size_t size;
	const char *path; /* of a file of its own, which was there when it was read; or NULL */
} ossa_image;

/* What is seen beyond the borders of an image, along one of its directions. */
typedef enum ossa_wrap {
	OSSA_WRAP_REPEAT, /* the image again */
	OSSA_WRAP_CLAMP,  /* the border's colour */
	OSSA_WRAP_MIRROR  /* the image again, every other one mirrored */
} ossa_wrap;

/* An image laid over the surface by texture coordinates (u, v), origin at the lower left: the
   image's own coordinates are R S (u, v) + offset, with S the scale and R the rotation, counter-
   clockwise. */
typedef struct ossa_texture {
	uint32_t image;  /* index into the images, or OSSA_NONE: there is no texture */
	uint32_t uv_set; /* of the mesh, from 0 on */
	/* rotation in radians; 0 0, 1 1 and 0 change nothing */
	double offset[2], scale[2], rotation;
	ossa_wrap wraps[2]; /* along u, v */
} ossa_texture;

typedef enum ossa_alpha {
	OSSA_ALPHA_OPAQUE, /* alpha is ignored */
	OSSA_ALPHA_MASK,   /* what has less than the cutoff is not there */
	OSSA_ALPHA_BLEND
} ossa_alpha;

/* Factors multiply the textures, where there are any. Colours are linear RGB. */
typedef struct ossa_material {
	double base_color[4];
	double metallic, roughness;
	double emission[3];        /* beyond 1: brighter than white */
	double normal_scale;       /* of the normal map */
	double occlusion_strength; /* 0: none, 1: as the texture has it */
	ossa_alpha alpha;
	double alpha_cutoff;
	bool double_sided;
	ossa_texture base_color_texture;         /* sRGB, alpha */
	ossa_texture metallic_roughness_texture; /* roughness in green, metallic in blue */
	ossa_texture normal_texture;             /* of the tangent space, +Y up */
	ossa_texture occlusion_texture;          /* in red */
	ossa_texture emission_texture;           /* sRGB */
} ossa_material;

/* The materials of a mesh, one for each of its names, and the images that they use. Meshes share
   it; it does not change. */
typedef struct ossa_appearance {
	size_t material_count;
	const ossa_material *materials;
	size_t image_count;
	const ossa_image *images;
} ossa_appearance;

/* Plain: white, not metallic, rough 0.9, opaque, double-sided; no textures. */
OSSA_API ossa_material ossa_material_default(void);

/* The size of a PNG or JPEG image in pixels, as its file says; false, and 0, where it says none or
   cannot be read. */
OSSA_API bool ossa_image_measure(ossa_context *context, const ossa_image *image, uint32_t *width, uint32_t *height);

#ifdef __cplusplus
}
#endif
#endif
