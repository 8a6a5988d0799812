/* ossa/mesh.h: a surface: triangles over vertex positions, with the file's polygons, UVs,
   normals, colours and materials. */
#ifndef OSSA_MESH_H
#define OSSA_MESH_H

#include <ossa/context.h>
#include <ossa/material.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The file that a mesh was read from, where a writer of its format can give it back: materials,
   images, morph targets and whatever else the mesh has no field for. Opaque, and never changed. */
typedef struct ossa_document ossa_document;

#define OSSA_NONE UINT32_MAX /* "no such index" in every index array */

/* What moves a morph target of a rig: one bone. The turn of the bone relative to its rest pose has
   an angle about `axis`, that of the rotation about it which is nearest to the turn. The weight
   rises linearly from 0 where this angle is `from` to 1 where it is `to`, and stays there beyond
   both. */
typedef struct ossa_driver {
	/* its name; "": nothing moves the target. Where the rig has no such bone the weight is 0 */
	char bone[64];
	double axis[3];  /* unit, in the mesh's axes at rest */
	double from, to; /* degrees, -180 to 180: 0 <= from < to, or to < from <= 0 */
} ossa_driver;

/* A morph target (blend shape): what weight 1 adds to the positions of some vertices. The mesh's
   positions have `weight` times that in them: they are what is seen. Files that hold weights get
   positions without, and the weights beside. Normals are those of the file, whose vertices are
   without. */
typedef struct ossa_morph {
	char name[64];
	size_t count;       /* of the vertices that it moves */
	uint32_t *vertices; /* count: rising, < V */
	float *deltas;      /* count x 3, finite */
	double weight;      /* at rest, finite; 0 where there is a driver */
	ossa_driver driver; /* of corrective shapes (ossa/shapes.h); else bone "" */
} ossa_morph;

/* The most sets of texture coordinates, and of colours, that a mesh has. */
enum { OSSA_SETS_MAX = 8 };

/* A further set of texture coordinates. */
typedef struct ossa_uv_set {
	char name[64]; /* "": none */
	size_t texcoord_count;
	float *texcoords;          /* texcoord_count x 2 */
	uint32_t *corner_texcoord; /* C, < texcoord_count or OSSA_NONE */
} ossa_uv_set;

/* One of the objects (FBX: Model, Collada and glTF: node with a mesh) that a mesh was made of. */
typedef struct ossa_object {
	char name[64];
	/* rows of a matrix for column vectors, finite and with an inverse, the last row 0 0 0 1: from
	   the object's own axes to the mesh's, at rest. Files whose nodes have transforms hold the
	   object's vertices in its own axes. */
	double transform[16];
} ossa_object;

/* A polygon mesh and its triangulation. Arrays are the context's (ossa_alloc), owned by the mesh;
   optional ones are NULL. V vertices, P polygons, C polygon corners (the sum of all polygon
   sizes), T triangles. Methods see positions and triangles only; the rest travels to the output
   untouched. Polygon p has the corners polygon_start[p] .. polygon_start[p+1]-1. */
typedef struct ossa_mesh {
	char name[64];
	size_t vertex_count; /* V; at most 2^32 - 2 */
	float *positions;    /* V x 3, xyz, finite */
	float *colors;       /* V x 4, linear RGBA 0..1, or NULL */

	size_t polygon_count;    /* P */
	uint32_t *polygon_start; /* P + 1 */
	/* P, index into materials or OSSA_NONE; NULL when there are no materials */
	uint32_t *polygon_material;
	size_t corner_count;     /* C */
	uint32_t *corner_vertex; /* C, < V */
	/* C, < texcoord_count or OSSA_NONE; NULL when the file has no UVs */
	uint32_t *corner_texcoord;
	/* C, < normal_count or OSSA_NONE; NULL when the file has no normals */
	uint32_t *corner_normal;

	size_t triangle_count; /* T */
	/* T x 3 vertices, in the order and winding of the polygons they come from */
	uint32_t *triangles;
	/* T x 3 corners: corner_vertex[triangle_corners[i]] == triangles[i] */
	uint32_t *triangle_corners;

	size_t texcoord_count;
	float *texcoords; /* texcoord_count x 2, origin at the lower left as in OBJ */
	char uv_name[64]; /* of the set, or "" */
	/* sets of UVs and colours after the first, which is there where these are */
	size_t more_uv_count, more_color_count; /* at most OSSA_SETS_MAX - 1 */
	ossa_uv_set more_uvs[OSSA_SETS_MAX - 1];
	float *more_colors[OSSA_SETS_MAX - 1]; /* V x 4 each, as colors */
	size_t normal_count;
	float *normals; /* normal_count x 3 */
	size_t material_count;
	/* names; of those that are read no two are the same, but some may be empty */
	char (*materials)[64];
	/* how each of the materials looks, which copies share, or NULL: only names are known */
	const ossa_appearance *appearance;

	/* What the file had apart, and writers write apart again; 0: it is one object, of the mesh's
	   own name. A vertex belongs to the objects of its polygons; one without any to that of the
	   vertex before it. */
	size_t object_count;
	ossa_object *objects;
	uint32_t *polygon_object; /* P, < object_count; NULL where there are no objects */

	size_t morph_count;
	ossa_morph *morphs;

	/* the glTF file that it was read from, which copies share, or NULL. Writing to glTF puts the
	   mesh and its rig into that file; to leave its other contents out, release it:
	   ossa_mesh_forget. */
	ossa_document *document;
} ossa_mesh;

/* Makes a mesh of plain triangles from copied arrays: V x 3 positions, T x 3 vertex indices.
   Errors: OSSA_ERROR_INPUT (an index out of range, a position not finite), OSSA_ERROR_MEMORY.
   Ownership: ossa_mesh_free. */
OSSA_API ossa_status ossa_mesh_create(ossa_context *context, size_t vertex_count, const float *positions, size_t triangle_count,
	const uint32_t *triangles, ossa_mesh **mesh);

/* Fills triangles and triangle_corners from the polygons: a quad along its shorter diagonal,
   larger ones by ear clipping in their best plane, so that concave polygons come out right.
   Releases arrays that were filled before. */
OSSA_API ossa_status ossa_mesh_triangulate(ossa_context *context, ossa_mesh *mesh);

/* A deep copy; document and appearance are shared, or left out where the mesh is of another
   context.
   Ownership: ossa_mesh_free. */
OSSA_API ossa_status ossa_mesh_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh **copy);

/* Releases the file that the mesh came from: a glTF file written from now on holds what the mesh
   has fields for, and nothing else. */
OSSA_API void ossa_mesh_forget(ossa_mesh *mesh);

/* Gives a mesh the file, the appearance, the objects, further sets of UVs and colours, and the
   morph targets that another of the same context has, where both have the same corners: for
   programs that keep meshes themselves and read the file again. *adopted is false, and nothing
   changes, where they have not. Errors: OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_mesh_adopt(ossa_context *context, ossa_mesh *mesh, const ossa_mesh *from, bool *adopted);

/* How many sets of UVs there are: those of the mesh, or where its document has more, of that. */
OSSA_API size_t ossa_mesh_uv_set_count(const ossa_mesh *mesh);

/* Checks every rule written beside the fields.
   Errors: OSSA_ERROR_INPUT naming the first fault. */
OSSA_API ossa_status ossa_mesh_validate(ossa_context *context, const ossa_mesh *mesh);

/* Frees a mesh. NULL is allowed. */
OSSA_API void ossa_mesh_free(ossa_context *context, ossa_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
