/* import/collada/collada.h: what the files of the Collada reader share.

   Place in the path: collada.c outlines the reader; collada_find.c and collada_numbers.c find
   elements and numbers; collada_nodes.c, collada_materials.c, collada_geometry.c,
   collada_primitives.c, collada_controller.c, collada_skin.c, collada_animation.c, collada_clips.c,
   collada_scene.c and collada_bones.c read one kind of thing each.
   Input: a Collada file, 1.4.1 or 1.5.
   Output: an ossai_asset.
   Source: COLLADA - Digital Asset Schema Release 1.4.1 and 1.5.0, Khronos Group; where real writers
   differ, their practice. */
#ifndef OSSAI_IMPORT_COLLADA_H
#define OSSAI_IMPORT_COLLADA_H

#include "import/asset/asset.h"
#include "base/xml.h"

/* The reader (ossai_asset_reader) and its detector. */
ossa_status ossai_collada_read_asset(ossa_context *context, const ossai_source *source, ossai_asset *asset);
bool ossai_collada_detect(const uint8_t *bytes, size_t size);

/* ---- looking up words (collada_find.c) ---- */

/* Words with what they stand for; sorted, many of the same word allowed. */
typedef struct ossai_word_entry {
	ossai_word word;
	const char *kind; /* a second part of the key */
	uint32_t value;
} ossai_word_entry;

typedef struct ossai_word_index {
	size_t count, capacity;
	ossai_word_entry *entries; /* the context's */
} ossai_word_index;

ossa_status ossai_word_index_add(
	ossa_context *context, ossai_word_index *index, ossai_word word, const char *kind, uint32_t value);
void ossai_word_index_sort(ossai_word_index *index);
/* The smallest value of at least `least` for a word and kind, or OSSA_NONE. */
uint32_t ossai_word_index_find(const ossai_word_index *index, ossai_word word, const char *kind, uint32_t least);
/* The value of a word of whatever kind, or OSSA_NONE. */
uint32_t ossai_word_index_any(const ossai_word_index *index, ossai_word word);

/* ---- the reader's state ---- */

/* One <float_array>, <Name_array> or its like, read once. */
typedef struct ossai_dae_array {
	size_t count;
	double *values;    /* NaN where the file has no finite number */
	ossai_word *words; /* or these */
} ossai_dae_array;

/* A mesh to be made: <instance_geometry>, <instance_controller>, or a <geometry> of a file without
   a scene. */
typedef struct ossai_instance {
	uint32_t element;
	uint32_t node; /* OSSA_NONE: at the root */
} ossai_instance;

/* Where the file's elements are found. */
typedef struct ossai_dae_elements {
	ossai_word_index by_id;  /* (id, name of the element) → element */
	ossai_word_index by_sid; /* (sid, "") → element */
	/* of each element, by what it is: <node>: the first node made from it; <source>: the first mesh
	   that it gives morph weights; an array: its place in `arrays`; <geometry>: a <morph> that
	   nothing else uses; <controller>: if it is used; <material>: its row in the appearance;
	   <effect>: that of its first material */
	uint32_t *first_of;
} ossai_dae_elements;

/* The nodes of the asset while their number grows. */
typedef struct ossai_dae_nodes_made {
	size_t count, capacity;
	ossai_asset_node *items; /* moved into the asset's arena at the end */
	/* of each */
	uint32_t *element; /* the <node> */
	uint32_t *end;     /* after its last descendant */
	uint32_t *next;    /* the next node made from the same element */
	size_t element_capacity, end_capacity, next_capacity;
	ossai_word_index by_sid, by_id, by_name;
	uint32_t bind_shape; /* stands for joint -1 of <v>, or OSSA_NONE */
} ossai_dae_nodes_made;

/* textures that a material may have */
enum { OSSAI_DAE_TEXTURES = 5 };

/* What a texture calls the UVs that instances bind to it, and whether one has, or several have,
   different ones. */
typedef struct ossai_dae_channel {
	ossai_word name;
	bool is_bound, differs;
} ossai_dae_channel;

typedef struct ossai_dae {
	ossa_context *context;
	const ossai_source *source;
	ossai_asset *asset;
	ossai_arena arena; /* for the time of reading */
	ossai_xml xml;
	ossai_dae_elements elements;
	struct {
		size_t count, capacity;
		ossai_dae_array *items;
	} arrays;
	ossai_dae_nodes_made nodes;
	struct {
		size_t count, capacity;
		ossai_instance *items;
	} instances;
	uint32_t *mesh_next; /* of each mesh: next one with the same morph weights */

	/* by row of the appearance and texture */
	size_t channel_count;
	ossai_dae_channel (*channels)[OSSAI_DAE_TEXTURES];

	/* what may still be made: sharing lets a small file claim much */
	struct {
		size_t vertices, corners, keys, channels;
	} left;
} ossai_dae;

/* OSSA_ERROR_INPUT at an element's line. */
#define ossai_dae_fail(c, element, ...) ossai_xml_fail(&(c)->xml, (element), __VA_ARGS__)

/* The status of the context's last error, after a NULL. */
static inline ossa_status ossai_dae_lost(const ossai_dae *c) { return ossa_context_error(c->context)->status; }

/* A word for messages: cut and printable. */
const char *ossai_word_show(ossai_word word, char shown[64]);

/* A zero-terminated copy in the asset's arena; NULL with the error set. */
const char *ossai_dae_copy(ossai_dae *c, ossai_word word);

/* ---- references (collada_find.c) ---- */

ossa_status ossai_dae_index(ossai_dae *c);

/* The element of a kind that a URI names: "#id" or "id"; OSSA_NONE where there is none or it is in
   another file. Where several have the id, the one inside `near` counts, and none where that has
   none; without `near` the first. */
uint32_t ossai_dae_resolve(const ossai_dae *c, ossai_word uri, const char *kind, uint32_t near);

/* The element that the attribute `attribute` of an element refers to. */
uint32_t ossai_dae_target(const ossai_dae *c, uint32_t element, const char *attribute, const char *kind);

/* ---- numbers (collada_numbers.c) ---- */

enum { OSSAI_COMPONENTS_MAX = 32, OSSAI_INPUTS_MAX = 32 };

/* A <source>'s numbers through its <accessor>. */
typedef struct ossai_accessor {
	uint32_t element; /* the <source> */
	size_t count;     /* of items */
	size_t width;     /* components of an item */
	size_t offset, stride;
	size_t component[OSSAI_COMPONENTS_MAX]; /* where each is in an item */
	const double *values;
} ossai_accessor;

static inline double ossai_accessor_get(const ossai_accessor *a, size_t item, size_t component)
{
	return a->values[a->offset + item * a->stride + a->component[component]];
}

/* Opens a <source>. `letters`, e.g. "XYZ", puts components of those names in their order; NULL
   takes them as they come. Errors: OSSA_ERROR_INPUT where it asks for more than its array holds. */
ossa_status ossai_dae_accessor(ossai_dae *c, uint32_t source, const char *letters, ossai_accessor *accessor);

/* The words of a <source> of names or references, through its accessor; they live as long as the
   reader. */
ossa_status ossai_dae_words(ossai_dae *c, uint32_t source, size_t *count, const ossai_word **words);

/* An <input>. */
typedef struct ossai_input {
	ossai_word semantic;
	uint32_t source; /* the <source> or <vertices>, or OSSA_NONE */
	size_t offset;
	int64_t set;
} ossai_input;

typedef struct ossai_inputs {
	size_t count;
	size_t stride; /* largest offset + 1 */
	ossai_input list[OSSAI_INPUTS_MAX];
} ossai_inputs;

ossa_status ossai_dae_inputs(ossai_dae *c, uint32_t element, ossai_inputs *inputs);
/* The input of a meaning with the lowest set, or NULL; and that with the next higher sets after
   `rank` others. */
const ossai_input *ossai_input_of(const ossai_inputs *inputs, const char *semantic);
const ossai_input *ossai_input_ranked(const ossai_inputs *inputs, const char *semantic, size_t rank);

/* Exactly `count` finite numbers of an element's text. */
ossa_status ossai_dae_values(const ossai_dae *c, uint32_t element, size_t count, double *values);

/* The next whole number of a text; false at its end. Errors: OSSA_ERROR_INPUT at something else. */
ossa_status ossai_dae_integer(const ossai_dae *c, ossai_text *text, int64_t *value, bool *there);

/* A number in an attribute; `otherwise` where it is absent or no number. */
double ossai_dae_number(const ossai_dae *c, uint32_t element, const char *attribute, double otherwise);

/* ossa's own data of an element in <extra type="ossa"><technique profile="ossa">: the element of
   that name, or OSSA_NONE. */
uint32_t ossai_dae_own(const ossai_dae *c, uint32_t element, const char *name);
/* The whole name where ossa wrote one, else the attribute `name`, else `id`. */
ossai_word ossai_dae_name_of(const ossai_dae *c, uint32_t element);

/* Makes the last row of a 4x4 matrix 0 0 0 1. Errors: OSSA_ERROR_INPUT where it is far from
   that. */
ossa_status ossai_dae_affine(const ossai_dae *c, uint32_t element, double m[16]);

/* ---- the parts ---- */

/* collada_nodes.c: nodes and instances of the scene; then the names of nodes. */
ossa_status ossai_dae_nodes(ossai_dae *c);

/* Cameras, lights, tangents and custom properties, which ossa only lists (collada_scene.c). */
ossa_status ossai_dae_list_scene(ossai_dae *c);
/* Which op of its node a transform element is; false where it is no transform. */
bool ossai_dae_op(const ossai_dae *c, uint32_t transform, uint32_t node, uint32_t *op);
ossa_status ossai_dae_add_node(ossai_dae *c, uint32_t element, uint32_t parent, uint32_t *result);

/* collada_materials.c: how the file's materials look, and their images. Warning "image-missing". */
ossa_status ossai_dae_materials(ossai_dae *c);
/* The textures of a material take the UVs that an <instance_material> binds: `sets` has, for each
   set of the mesh, the number that its <input> gives it. The first binding of a texture decides. */
void ossai_dae_bind_channels(ossai_dae *c, uint32_t row, uint32_t instance, size_t count, const int64_t *sets);
/* Warning "texture-sets", of textures that were bound to different sets. */
void ossai_dae_warn_of_channels(const ossai_dae *c);

/* collada_geometry.c: the positions of a <geometry>'s mesh; OSSA_NONE as the accessor's element
   where it has no mesh. */
ossa_status ossai_dae_positions(ossai_dae *c, uint32_t geometry, ossai_accessor *positions);
/* The mesh of a <geometry> moved by `map`; NULL where it has no faces (counted in a warning).
   `instance` binds materials; `rows`: those of the mesh's materials in the appearance. */
ossa_status ossai_dae_geometry(
	ossai_dae *c, uint32_t geometry, uint32_t instance, const ossai_rigid *map, ossa_mesh **mesh, uint32_t **rows);

/* collada_primitives.c: the faces of one <triangles>, <polylist> ... into a builder. */
typedef struct ossai_corner_map {
	/* offsets in a corner's indices; SIZE_MAX: none; of UVs and colours by set */
	size_t stride, vertex, texcoord[OSSA_SETS_MAX], normal, color[OSSA_SETS_MAX];
	uint32_t first_texcoord[OSSA_SETS_MAX], first_normal; /* of the source in the builder */
	size_t vertex_count, texcoord_count[OSSA_SETS_MAX], normal_count;
	size_t uv_count, color_count;     /* sets */
	int64_t uv_number[OSSA_SETS_MAX]; /* what the file calls each set of UVs */
	ossai_accessor colors[OSSA_SETS_MAX];
	float *color_sum[OSSA_SETS_MAX]; /* V x 5: sum of the corners' colours and their number */
	bool *color_differs;
} ossai_corner_map;
bool ossai_dae_has_faces(const ossai_dae *c, uint32_t primitive);
ossa_status ossai_dae_primitive(ossai_dae *c, ossai_builder *builder, uint32_t primitive, const ossai_corner_map *map);

/* collada_controller.c: the meshes of all instances, with skins and morph targets. */
ossa_status ossai_dae_meshes(ossai_dae *c);

/* collada_skin.c: joints and weights of an instance of a <skin>. */
ossa_status ossai_dae_skin(ossai_dae *c, uint32_t skin, uint32_t instance, ossai_asset_mesh *mesh);

/* collada_animation.c: a <sampler> as keys of a channel: sorted, each time once. `width` is how
   many of its numbers the target takes, at most those of ossai_dae_sampler_width, which is 0 where
   times or values are missing; key_count 0 where no key is left. */
ossa_status ossai_dae_sampler_width(ossai_dae *c, uint32_t sampler, size_t *width);
ossa_status ossai_dae_sampler(ossai_dae *c, uint32_t sampler, size_t width, ossai_asset_channel *channel);

/* A channel's target. */
typedef struct ossai_channel_target {
	/* a transform, or the <source> of morph weights; OSSA_NONE: nothing that ossa animates */
	uint32_t element;
	bool morph;
	uint32_t first, width;
	ossai_op_kind kind;
} ossai_channel_target;

/* collada_targets.c: what the target of a <channel>; false where ossa does not animate it. */
bool ossai_dae_find_target(const ossai_dae *c, uint32_t channel, ossai_channel_target *to);

/* collada_clips.c: animations and clips. */
ossa_status ossai_dae_clips(ossai_dae *c);

/* collada_bones.c: bones in ossa's own files, and joint limits from the kinematics of 1.5. */
ossa_status ossai_dae_bones(ossai_dae *c);

#endif
