/* import/glb_document.h: what the files of the GLB reader share: the open file, checked access to its JSON and numbers, its nodes.

   glb_document.c opens the container, glb_accessor.c decodes numbers, glb_nodes.c knows the tree; glb_mesh.c, glb_skin.c and
   glb_clip.c each read one part, and glb.c is the outline. Every index, count and offset of the file is checked here. */
#ifndef OSSAI_IMPORT_GLB_DOCUMENT_H
#define OSSAI_IMPORT_GLB_DOCUMENT_H

#include "base/context.h"
#include "base/file.h"
#include "math/vec.h"
#include <ossa/rig.h>

#include <jansson.h>

typedef struct ossai_gltf_bytes {
	const uint8_t *data;
	size_t size;
} ossai_gltf_bytes;

typedef struct ossai_gltf {
	ossa_context *context;
	ossai_arena arena; /* everything that is read, until close */
	const char *path;
	ossai_gltf_bytes bytes; /* the whole file, the caller's */
	json_t *root;
	ossai_gltf_bytes *buffers;
	size_t buffer_count;
	size_t budget; /* numbers that may still be read: a small file must not ask for endless ones */
} ossai_gltf;

ossa_status ossai_gltf_open(ossa_context *context, const char *path, const uint8_t *bytes, size_t size, ossai_gltf *document);
void ossai_gltf_close(ossai_gltf *document); /* always called, after a failed open too */

/* OSSA_ERROR_INPUT about this file. */
ossa_status ossai_gltf_fail(const ossai_gltf *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes `count` x `size` numbers from the budget. Errors: OSSA_ERROR_LIMIT. */
ossa_status ossai_gltf_charge(ossai_gltf *document, size_t count, size_t size);

/* ---- JSON ---- */

/* Items of the root's array `name`; 0 where there is none. An item: NULL where it is not there or not an object. */
size_t ossai_gltf_length(const ossai_gltf *document, const char *name);
json_t *ossai_gltf_item(const ossai_gltf *document, const char *name, size_t index);

/* A whole number >= 0 under `key`, `fallback` where it is missing. Errors: OSSA_ERROR_INPUT where it is something else. */
ossa_status ossai_gltf_whole(const ossai_gltf *document, const json_t *object, const char *key, size_t fallback, size_t *value);

/* The same for an index into the root's array `name`: SIZE_MAX where missing; an error where out of range. */
ossa_status ossai_gltf_index(
	const ossai_gltf *document, const json_t *object, const char *key, const char *name, size_t *index);

/* `count` finite numbers under `key`; false (values untouched) where they are missing or something else. */
bool ossai_gltf_numbers(const json_t *object, const char *key, size_t count, double *values);

/* ---- accessors ---- */

/* Numbers of each element (VEC3: 3); 0 where the accessor is no good. */
size_t ossai_gltf_width(const ossai_gltf *document, size_t accessor);

/* All elements as floats (normalised integers as their fractions; every one finite) or as unsigned integers, `width` numbers
   each, in the document's arena. Errors: OSSA_ERROR_INPUT where the type does not fit or the data is not in the file. */
ossa_status ossai_gltf_floats(ossai_gltf *document, size_t accessor, size_t width, size_t *count, float **values);
ossa_status ossai_gltf_integers(ossai_gltf *document, size_t accessor, size_t width, size_t *count, uint32_t **values);

/* ---- nodes ---- */

/* A node's transform: translation, rotation and scale, or a matrix. An affine map is held in an ossai_rigid (with any matrix). */
typedef struct ossai_gltf_transform {
	ossai_vec3 translation, scale;
	ossai_quat rotation;
	bool is_matrix;
	ossai_rigid matrix;
} ossai_gltf_transform;

typedef struct ossai_gltf_nodes {
	size_t count;
	uint32_t *parent;           /* OSSA_NONE for roots */
	uint32_t *order;            /* parents before children */
	ossai_gltf_transform *rest; /* local */
	ossai_rigid *world;         /* at rest */
} ossai_gltf_nodes;

ossa_status ossai_gltf_read_nodes(ossai_gltf *document, ossai_gltf_nodes *nodes);
ossai_rigid ossai_gltf_local(const ossai_gltf_transform *transform);

/* The inverse of an affine map; false where it has none. */
bool ossai_gltf_invert(const ossai_rigid *map, ossai_rigid *inverse);

/* ---- parts ---- */

/* The joined meshes of several nodes, before it is an ossa_mesh. */
typedef struct ossai_gltf_shape {
	ossa_mesh *mesh;  /* the context's */
	size_t sets;      /* of four pairs of joint and weight a vertex; 0: no skin */
	uint32_t *joints; /* V x sets x 4, indices into the skin's joints */
	float *weights;   /* V x sets x 4 */
} ossai_gltf_shape;

/* Reads all meshes of nodes with this skin in bind space, or (skin SIZE_MAX) all meshes where their nodes place them. */
ossa_status ossai_gltf_read_shape(ossai_gltf *document, const ossai_gltf_nodes *nodes, size_t skin, ossai_gltf_shape *shape);

/* The skin of the first node that has mesh and skin, or SIZE_MAX. */
ossa_status ossai_gltf_first_skin(const ossai_gltf *document, size_t *skin);

/* The joints of a skin as bones, parents first. */
typedef struct ossai_gltf_skin {
	size_t joint_count;
	size_t bone_count;       /* joint_count, and one more where several roots got one above them */
	uint32_t *bone_of_joint; /* in the file's order */
	uint32_t *node_of_bone;  /* OSSA_NONE for a root that was made */
	int32_t *parent_of_bone;
	ossai_rigid *bind;     /* bones' rest frames, rigid, in the rig's space */
	ossai_rigid *offset;   /* the bone's rigid frame is its node's world map times this; about identity in most files */
	ossai_rigid placement; /* mesh space to the rig's space: what the skin does to the mesh at rest, where it is one map */
	bool is_plain;         /* placement and offsets are all identity */
} ossai_gltf_skin;

ossa_status ossai_gltf_read_skin(ossai_gltf *document, const ossai_gltf_nodes *nodes, size_t index, ossai_gltf_skin *skin);

/* The rotation in an affine map, and its mean scale. */
ossai_mat3 ossai_gltf_rotation_of(const ossai_mat3 *map, double *scale);

/* The first animation, or a NULL clip where no joint moves in it. `tolerance` is the length below which a bone's offset counts as
   constant. */
ossa_status ossai_gltf_read_clip(
	ossai_gltf *document, const ossai_gltf_nodes *nodes, const ossai_gltf_skin *skin, double tolerance, ossa_clip **clip);

#endif
