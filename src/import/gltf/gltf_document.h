/* import/gltf/gltf_document.h: what the files of the glTF reader share: the open file, checked
   access to its JSON and numbers.

   gltf_document.c opens the container, gltf_json.c looks into its JSON, gltf_buffers.c finds its
   bytes, gltf_expand.c expands what is compressed, gltf_accessor.c decodes numbers; gltf_nodes.c,
   gltf_mesh.c with gltf_vertices.c, gltf_skin.c and gltf_animation.c each fill one part of the
   asset, and gltf.c is the outline.
   Every index, count and offset of the file is checked here. */
#ifndef OSSAI_IMPORT_GLTF_DOCUMENT_H
#define OSSAI_IMPORT_GLTF_DOCUMENT_H

#include "base/file.h"
#include "import/asset/asset.h"

#include <jansson.h>

/* the most sets of joints and weights that a primitive may have: JOINTS_0 to JOINTS_15 */
enum { OSSAI_GLTF_JOINT_SETS_MAX = 16 };

typedef struct ossai_gltf_bytes {
	const uint8_t *data;
	size_t size;
} ossai_gltf_bytes;

/* A buffer, looked for when it is first needed: those of images alone may be missing. */
typedef struct ossai_gltf_buffer {
	bool is_loaded;
	ossai_gltf_bytes bytes;
	ossai_file file; /* where it is a file of its own */
} ossai_gltf_buffer;

/* Where a mesh of the asset came from. */
typedef struct ossai_gltf_source {
	uint32_t mesh; /* of the file */
	size_t vertex_count, primitive_count;
	/* by primitive: the first of its vertices in the asset's mesh; SIZE_MAX: left out */
	size_t *vertex_of_primitive;
} ossai_gltf_source;

typedef struct ossai_gltf {
	ossa_context *context;
	ossai_asset *asset;
	const ossai_source *source;
	ossai_arena scratch; /* until close */
	json_t *root;
	ossai_gltf_bytes binary; /* a container's own chunk, buffer 0 where that has no URI */
	/* data URIs that are not in the JSON: "data:3" there refers to the fourth */
	ossai_gltf_bytes *long_data;
	size_t long_data_count;
	ossai_gltf_buffer *buffers;
	size_t buffer_count;
	size_t expanded; /* views and primitives that were compressed */
	/* numbers that may still be read: a small file must not ask for endless ones */
	size_t budget;
	/* by node: which of its parts any animation moves, 1 << ossai_gltf_part */
	uint8_t *animated;
	uint32_t *mesh_of_node;     /* the asset's mesh that is attached to each node, or OSSA_NONE */
	ossai_gltf_source *sources; /* by mesh of the asset */
} ossai_gltf;

ossa_status ossai_gltf_open(ossa_context *context, const ossai_source *source, ossai_asset *asset, ossai_gltf *document);
void ossai_gltf_close(ossai_gltf *document); /* always called, after a failed open too */

/* Takes `count` x `size` numbers from the budget. Errors: OSSA_ERROR_LIMIT. */
ossa_status ossai_gltf_charge(ossai_gltf *document, size_t count, size_t size);

/* An array of the scratch arena that nothing else is known about; `*array_pointer` is set. Errors:
   OSSA_ERROR_MEMORY, LIMIT. */
ossa_status ossai_gltf_scratch(ossai_gltf *document, void *array_pointer, size_t count, size_t size);

/* The same, zeroed, in the asset's arena. */
ossa_status ossai_gltf_keep(ossai_gltf *document, void *array_pointer, size_t count, size_t size);

/* Text in which numbers that the JSON library refuses, beyond 64 bits, are doubles, in scratch
   memory. Warning "numbers-rounded". Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. */
ossa_status ossai_gltf_hold_numbers(ossai_gltf *document, ossai_gltf_bytes *text);

/* ---- JSON ---- */

/* Items of the root's array `name`; 0 where there is none. An item: NULL where it is not there or
   not an object. */
size_t ossai_gltf_length(const ossai_gltf *document, const char *name);
json_t *ossai_gltf_item(const ossai_gltf *document, const char *name, size_t index);

/* A whole number >= 0; some exporters write them as 3.0. False for anything else. */
bool ossai_gltf_is_whole(const json_t *value, size_t *number);

/* A whole number >= 0 under `key`, `fallback` where it is missing. Errors: OSSA_ERROR_INPUT where
   it is something else. */
ossa_status ossai_gltf_whole(const ossai_gltf *document, const json_t *object, const char *key, size_t fallback, size_t *value);

/* The same for an index into the root's array `name`: SIZE_MAX where missing; an error where out of
   range. */
ossa_status ossai_gltf_index(
	const ossai_gltf *document, const json_t *object, const char *key, const char *name, size_t *index);

/* `count` finite numbers under `key`; false (values untouched) where they are missing or something
   else. */
bool ossai_gltf_numbers(const json_t *object, const char *key, size_t count, double *values);

/* The text under `key` in the asset's arena, or NULL where there is none. */
ossa_status ossai_gltf_text(ossai_gltf *document, const json_t *object, const char *key, const char **text);

/* The same of a JSON value. */
ossa_status ossai_gltf_text_of(ossai_gltf *document, const json_t *value, const char **text);

/* The object that ossa's own writer keeps in `object`'s extras, or NULL. */
const json_t *ossai_gltf_extras(const json_t *object);

/* ---- buffers ---- */

ossa_status ossai_gltf_begin_buffers(ossai_gltf *document);

/* The bytes of a buffer. Errors: OSSA_ERROR_READ where its file cannot be opened;
   OSSA_ERROR_INPUT. */
ossa_status ossai_gltf_load_buffer(ossai_gltf *document, size_t index, ossai_gltf_bytes *bytes);

/* The URI itself, or the long one that was moved out of the JSON. */
ossai_gltf_bytes ossai_gltf_whole_uri(const ossai_gltf *document, const char *uri);

/* The bytes of a data URI, in the scratch arena. Errors: OSSA_ERROR_INPUT. */
ossa_status ossai_gltf_decode_uri(ossai_gltf *document, const char *uri, ossai_gltf_bytes *bytes);

/* ---- accessors ---- */

typedef enum ossai_gltf_component {
	OSSAI_GLTF_NO_COMPONENT,
	OSSAI_GLTF_I8,
	OSSAI_GLTF_U8,
	OSSAI_GLTF_I16,
	OSSAI_GLTF_U16,
	OSSAI_GLTF_U32,
	OSSAI_GLTF_F32
} ossai_gltf_component;

/* A run of equal elements in a buffer, checked to be in it. */
typedef struct ossai_gltf_run {
	const uint8_t *data; /* NULL: zeros */
	size_t stride, count, width;
	ossai_gltf_component component;
	bool normalized;
} ossai_gltf_run;

/* An accessor: a run, and the elements that a sparse one replaces. All zero: none. */
typedef struct ossai_gltf_accessor {
	size_t index; /* in the file */
	ossai_gltf_run run;
	size_t changed; /* elements that are replaced */
	const uint8_t *places, *values;
	size_t place_stride, value_stride;
	ossai_gltf_component place_component;
} ossai_gltf_accessor;

/* Looks at accessor `index`, whose elements must have `width` numbers (0: any), and charges for
   them. Errors: OSSA_ERROR_INPUT where the type does not fit or the data is not in the file. */
ossa_status ossai_gltf_open_accessor(ossai_gltf *document, size_t index, size_t width, ossai_gltf_accessor *accessor);

/* Numbers of each element (VEC3: 3); 0 where the accessor is no good. */
size_t ossai_gltf_width(const ossai_gltf *document, size_t accessor);

/* All elements as floats (normalised integers as their fractions) or unsigned integers, `step`
   numbers from one to the next in `to`. Errors: OSSA_ERROR_INPUT: integers where the file has
   others; sparse places out of range. Warning "sparse-order". */
ossa_status ossai_gltf_floats(ossai_gltf *document, const ossai_gltf_accessor *accessor, float *to, size_t step);
ossa_status ossai_gltf_integers(ossai_gltf *document, const ossai_gltf_accessor *accessor, uint32_t *to, size_t step);

/* OSSA_ERROR_INPUT naming the first element of `values`, as read from the accessor, that is not
   finite. */
ossa_status ossai_gltf_check_finite(
	const ossai_gltf *document, const ossai_gltf_accessor *accessor, const float *values, size_t count);

/* Puts 0 where a number is not finite; how many there were. */
size_t ossai_gltf_repair_finite(float *values, size_t count);

/* The numbers of the accessor under `key` in the arena, all finite; `*values` NULL where there is
   no such key. normalized: integers are fractions even where the file forgets to say so. */
ossa_status ossai_gltf_read_floats(ossai_gltf *document, const json_t *object, const char *key, size_t width, bool normalized,
	ossai_arena *arena, size_t *count, float **values);

/* ---- parts ---- */

/* What an animation may move of a node; also the order of its ops. */
typedef enum ossai_gltf_part {
	OSSAI_GLTF_TRANSLATION,
	OSSAI_GLTF_ROTATION,
	OSSAI_GLTF_SCALE,
	OSSAI_GLTF_WEIGHTS
} ossai_gltf_part;

/* The part that an animation's path names; false for others. */
bool ossai_gltf_part_of(const char *path, ossai_gltf_part *part);

/* The place of a part in the node's ops, or OSSA_NONE. */
uint32_t ossai_gltf_op_of(const ossai_asset_node *node, ossai_gltf_part part);

/* Marks (1) all nodes below marked ones; the others are 0. */
void ossai_gltf_mark_below(const ossai_gltf *document, uint8_t *marks);

/* Marks the nodes that are coarser levels of others (MSFT_lod), and all below them; after the nodes
   were read. Warning "bad-lods". */
ossa_status ossai_gltf_find_lods(ossai_gltf *document, uint8_t *is_level);

/* Each fills its part of the asset; in this order. */
ossa_status ossai_gltf_find_animated(ossai_gltf *document);
ossa_status ossai_gltf_read_nodes(ossai_gltf *document);
/* cameras, lights and tangents */
ossa_status ossai_gltf_list_scene(ossai_gltf *document);
ossa_status ossai_gltf_read_meshes(ossai_gltf *document);
ossa_status ossai_gltf_read_skins(ossai_gltf *document);
/* A 4x4 matrix by columns, whose last row must be 0 0 0 1. */
ossai_rigid ossai_gltf_affine(const float *m);
ossa_status ossai_gltf_read_clips(ossai_gltf *document);

/* Keeps the file with the asset, for those who write it again (gltf_kept.c). */
ossa_status ossai_gltf_keep_file(ossai_gltf *document);

/* After it: how materials look. */
ossa_status ossai_gltf_read_materials(ossai_gltf *document);

#endif
