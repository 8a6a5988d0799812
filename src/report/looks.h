/* report/looks.h: what the materials of a mesh look like at a point of one of its triangles.

   Place in the path: pictures, between textures and light.
   Input: a mesh with its appearance.
   Output: colours, alpha, light of their own, normals.
   Source: the metallic-roughness model of glTF 2.0, of which base colour, alpha, normal map and
   emission are drawn; T. Mikkelsen, Simulation of Wrinkled Surfaces Revisited, 2008: the tangent
   space of normal maps, here of each triangle by itself. */
#ifndef OSSAI_REPORT_LOOKS_H
#define OSSAI_REPORT_LOOKS_H

#include "math/vec.h"
#include "report/texture.h"
#include <ossa/mesh.h>

/* What the rasteriser must know of a triangle. */
enum {
	OSSAI_LOOK_ONE_SIDED = 1,
	OSSAI_LOOK_MASK = 2, /* it has holes */
	OSSAI_LOOK_BLEND = 4 /* it may be partly transparent */
};

typedef struct ossai_look_texture {
	const ossai_texture_levels *levels; /* NULL: none */
	double map[2][3];                   /* from the mesh's coordinates */
	ossa_wrap wraps[2];
	uint32_t uv_set;
} ossai_look_texture;

typedef struct ossai_look_material {
	ossa_material plain; /* its numbers */
	ossai_look_texture base_color, normal, emission;
} ossai_look_material;

/* Arrays live in the arena that it was made in. */
typedef struct ossai_looks {
	const ossa_mesh *mesh;
	const ossai_light_codes *codes;
	const ossai_look_material *materials;
	const uint32_t *material; /* T: index into them */
	const uint8_t *kinds;     /* T: OSSAI_LOOK_... */
	bool has_blend;
} ossai_looks;

/* A point of a triangle. */
typedef struct ossai_look_spot {
	uint32_t triangle;
	double weights[3];         /* of its corners */
	double across[3], down[3]; /* how they change over a pixel to the right, and down */
} ossai_look_spot;

typedef struct ossai_look {
	double color[3]; /* linear light */
	double alpha;
	double emission[3];
} ossai_look;

/* Whether the materials and colours of a mesh are more than one grey. */
bool ossai_looks_are_there(const ossa_mesh *mesh);

/* Decodes the images that are used. What cannot be decoded is left out, counted in the warning
   "textures-not-shown". Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_looks_make(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, ossai_looks *looks);

/* Colour, alpha and emission at a point; the alpha alone. */
ossai_look ossai_look_at(const ossai_looks *looks, const ossai_look_spot *spot);
double ossai_look_alpha(const ossai_looks *looks, const ossai_look_spot *spot);

/* The normal by the normal map. p: the triangle's points; normal: unit, on its front. */
ossai_vec3 ossai_look_normal(const ossai_looks *looks, const ossai_look_spot *spot, const ossai_vec3 p[3], ossai_vec3 normal);

#endif
