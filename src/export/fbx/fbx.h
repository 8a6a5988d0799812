/* export/fbx/fbx.h: what the files of the FBX writer share: the file being put together in memory.

   fbx.c names the parts in order; fbx_file.c writes records and properties, fbx_mesh.c,
   fbx_materials.c, fbx_skeleton.c and fbx_motion.c one part each. */
#ifndef OSSAI_EXPORT_FBX_H
#define OSSAI_EXPORT_FBX_H

#include "export/joints.h"
#include "scene/objects.h"
#include <ossa/write.h>

enum { OSSAI_FBX_DEPTH = 16 };

/* FBX's second */
#define OSSAI_FBX_SECOND INT64_C(46186158000)

/* the name of the mesh's first UVs, by which textures refer to them, where they have none */
#define OSSAI_FBX_UV_SET "UVMap"

/* What an object is; its number in the file is made of this and of its index among its kind. */
typedef enum ossai_fbx_kind {
	OSSAI_FBX_ROOT, /* the scene itself: 0 */
	OSSAI_FBX_DOCUMENT,
	OSSAI_FBX_GEOMETRY,
	OSSAI_FBX_MESH,
	OSSAI_FBX_BONE, /* ends of leaves follow the bones */
	OSSAI_FBX_ATTRIBUTE,
	OSSAI_FBX_POSE,
	OSSAI_FBX_SKIN,
	OSSAI_FBX_CLUSTER, /* of bone b of B in object o: o B + b */
	OSSAI_FBX_MATERIAL,
	OSSAI_FBX_STACK,
	OSSAI_FBX_LAYER,
	OSSAI_FBX_CURVE_NODE, /* of bone b in clip c of B bones: 2 (c B + b) turns, one more moves */
	OSSAI_FBX_CURVE,      /* three of each curve node */
	OSSAI_FBX_TEXTURE,
	OSSAI_FBX_VIDEO, /* an image */
	OSSAI_FBX_BLEND_SHAPE,
	OSSAI_FBX_SHAPE_CHANNEL, /* one for each morph target of each object */
	OSSAI_FBX_SHAPE,
	OSSAI_FBX_SHAPE_CURVE_NODE, /* of target s of S in clip c: c S + s */
	OSSAI_FBX_SHAPE_CURVE       /* one of each of these */
} ossai_fbx_kind;

/* child belongs to parent; `property` NULL, or which of the parent's it drives */
typedef struct ossai_fbx_link {
	int64_t child, parent;
	const char *property;
} ossai_fbx_link;

/* An object: a Model with its Geometry, and what deforms it. */
typedef struct ossai_fbx_part {
	size_t index; /* by which the file numbers it */
	const ossa_mesh *mesh;
	const float *positions; /* of its vertices */
	char name[80];          /* unlike those of bones and other objects */
	ossai_rigid place;      /* of its axes, in centimetres */
	ossa_weights weights;   /* of its vertices, where there is a rig */
	size_t first_shape;     /* number of its first morph target in the file */
	const uint32_t *morphs; /* by morph target: the whole mesh's; NULL: the same */
	uint32_t *material;     /* by material of the whole mesh, and the one for faces without: its own
							   number of it, or OSSA_NONE */
} ossai_fbx_part;

/* An image inside the file, whose bytes are copied when the file is written: there may be many. */
typedef struct ossai_fbx_inside {
	const ossa_image *image;
	size_t at, size; /* how many of the writer's bytes come before it, and its own */
} ossai_fbx_inside;

typedef struct ossai_fbx_writer {
	ossa_context *context;
	ossai_arena arena;
	ossa_status status; /* the first failure; later calls do nothing */
	uint8_t *bytes;     /* the context's: the file so far, without the images inside */
	size_t size, capacity;
	ossai_fbx_inside *images; /* the context's */
	size_t image_count, image_capacity;
	size_t image_size; /* bytes of all of them */
	size_t depth;
	size_t records[OSSAI_FBX_DEPTH];    /* where the open records begin among the bytes */
	size_t properties[OSSAI_FBX_DEPTH]; /* where their properties begin in the file */
	bool has_records[OSSAI_FBX_DEPTH];
	ossai_fbx_link *links; /* the context's */
	size_t link_count, link_capacity;

	const ossa_rig *rig;    /* NULL: the mesh alone */
	const ossa_mesh *mesh;  /* the whole one */
	const float *positions; /* in place of its own, or NULL */
	bool with_normals;
	size_t part_count;
	ossai_fbx_part *parts;
	size_t shape_count, shaped_count; /* morph targets, and objects that have any */
	const ossa_write_options *options;
	double scale; /* centimetres of one of the rig's units */
	ossai_joints joints;
	size_t end_count;      /* leaves that get an end joint */
	size_t material_count; /* with one for faces that have none */
	char (*material_names)[64];
	size_t texture_count, video_count;
	bool *uses_image; /* by image of the mesh's appearance; NULL: it has none */
	bool moves_all;   /* every bone is moved in some clip, not the root alone */
} ossai_fbx_writer;

int64_t ossai_fbx_id(ossai_fbx_kind kind, size_t index);

/* Before anything else: reserves the file's head, because records store their ends relative to the
   file's beginning. */
void ossai_fbx_start(ossai_fbx_writer *writer);

/* ---- records: begin, properties, records inside, end ---- */

void ossai_fbx_begin(ossai_fbx_writer *writer, const char *name);
void ossai_fbx_end(ossai_fbx_writer *writer);
void ossai_fbx_int(ossai_fbx_writer *writer, int32_t value);
void ossai_fbx_long(ossai_fbx_writer *writer, int64_t value);
void ossai_fbx_double(ossai_fbx_writer *writer, double value);
void ossai_fbx_char(ossai_fbx_writer *writer, uint8_t value);
void ossai_fbx_text(ossai_fbx_writer *writer, const char *text);
void ossai_fbx_raw(ossai_fbx_writer *writer, const uint8_t *bytes, size_t count);
/* the `size` bytes that an image has */
void ossai_fbx_image(ossai_fbx_writer *writer, const ossa_image *image, size_t size);
/* "name\0\1class": what names look like in binary files */
void ossai_fbx_name(ossai_fbx_writer *writer, const char *name, const char *class_name);

/* A property that is an array: the memory of `count` elements to fill in place with
   ossai_fbx_put_..., NULL after a failure. `letter`: d doubles, f floats, i 32-bit numbers, l
   64-bit numbers. */
uint8_t *ossai_fbx_array(ossai_fbx_writer *writer, char letter, size_t count);
void ossai_fbx_put_double(uint8_t *array, size_t index, double value);
void ossai_fbx_put_float(uint8_t *array, size_t index, float value);
void ossai_fbx_put_int(uint8_t *array, size_t index, int32_t value);
void ossai_fbx_put_long(uint8_t *array, size_t index, int64_t value);

/* Records of one property. */
void ossai_fbx_int_record(ossai_fbx_writer *writer, const char *name, int32_t value);
void ossai_fbx_text_record(ossai_fbx_writer *writer, const char *name, const char *text);

/* Entries of a Properties70 record: P name type label flags values. */
void ossai_fbx_p_int(ossai_fbx_writer *writer, const char *name, const char *type, const char *label, int32_t value);
void ossai_fbx_p_double(
	ossai_fbx_writer *writer, const char *name, const char *type, const char *label, const char *flags, double value);
void ossai_fbx_p_text(ossai_fbx_writer *writer, const char *name, const char *type, const char *text);
void ossai_fbx_p_time(ossai_fbx_writer *writer, const char *name, double seconds);
void ossai_fbx_p_vector(
	ossai_fbx_writer *writer, const char *name, const char *type, const char *flags, const double values[3]);

/* Begins a node of the scene and its properties, which take more entries; ends both and links the
   node to its parent. */
void ossai_fbx_begin_model(ossai_fbx_writer *writer, int64_t id, const char *name, const char *kind);
void ossai_fbx_end_model(ossai_fbx_writer *writer, int64_t id, int64_t parent);

void ossai_fbx_link_objects(ossai_fbx_writer *writer, int64_t child, int64_t parent, const char *property);

/* Ends the file and writes it, or passes the failure on. Releases the memory in any case. */
ossa_status ossai_fbx_save(ossai_fbx_writer *writer, const char *path);

/* ---- parts ---- */

/* Finds the objects, and what they need of the rig and of the materials, which are planned
   (fbx_objects.c). Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_fbx_find_parts(ossai_fbx_writer *writer);

void ossai_fbx_put_geometry(ossai_fbx_writer *writer, const ossai_fbx_part *part);
void ossai_fbx_put_mesh_model(ossai_fbx_writer *writer, const ossai_fbx_part *part);

/* How many materials, textures and images there will be. */
ossa_status ossai_fbx_plan_materials(ossai_fbx_writer *writer);
void ossai_fbx_put_materials(ossai_fbx_writer *writer);
/* Warning "materials-simplified": textures that are mirrored. */
void ossai_fbx_warn_of_materials(const ossai_fbx_writer *writer, const char *path);

/* Morph targets (fbx_shapes.c). */
void ossai_fbx_put_shapes(ossai_fbx_writer *writer, const ossai_fbx_part *part);

void ossai_fbx_put_bones(ossai_fbx_writer *writer);
void ossai_fbx_put_bind_pose(ossai_fbx_writer *writer);
void ossai_fbx_put_skin(ossai_fbx_writer *writer, const ossai_fbx_part *part);

void ossai_fbx_put_motion(ossai_fbx_writer *writer);
void ossai_fbx_count_motion(const ossai_fbx_writer *writer, size_t *stacks, size_t *curve_nodes, size_t *shape_curves);

/* Seconds as FBX counts them. */
int64_t ossai_fbx_time(double seconds);

#endif
