/* export/collada/collada.h: what the files of the Collada writer share: the file being written, and
   the names in it.

   collada.c names the parts in order; collada_names.c gives bones their ids; collada_mesh.c,
   collada_textures.c, collada_materials.c, collada_morphs.c, collada_skin.c, collada_nodes.c,
   collada_animation.c and collada_kinematics.c each write one part. Ids that are not bones' begin
   with "ossa-", which no bone's does. */
#ifndef OSSAI_EXPORT_COLLADA_H
#define OSSAI_EXPORT_COLLADA_H

#include "export/joint_axes.h"
#include "export/markup.h"
#include "math/vec.h"
#include "scene/objects.h"
#include <ossa/write.h>

/* bytes of any id, and of any address made of them */
enum { OSSAI_COLLADA_ID = 160, OSSAI_COLLADA_ADDRESS = 400 };

typedef struct ossai_collada {
	ossa_context *context;
	ossai_arena arena;
	const ossa_write_options *options;
	bool newer;               /* 1.5, else 1.4.1 */
	ossai_object_parts parts; /* none where the mesh has no vertices */
	/* of the ids of what belongs to the part that is written now: "" */
	char suffix[32];
	const ossai_object_part *part; /* that is written now, or the first */
	const ossa_mesh *mesh;         /* of that part, with all materials; NULL: there is none */
	const float *positions;        /* in place of the mesh's own, or NULL */
	const ossa_rig *rig;           /* NULL: a mesh alone */
	const ossa_clip *clip;         /* NULL, or with frames: the first of the rig's */
	bool kinematics;               /* whether joints and limits are in Collada's own elements */
	const char **mesh_names;       /* of the parts' nodes */
	/* by part and material: it is bound there; an only one has all */
	bool **uses;
	const char **clip_ids;          /* of the rig's clips */
	const char *matrix_sid;         /* of every joint's matrix */
	char (*material_names)[64];     /* apart */
	const char *const *image_names; /* by image of the mesh: its path from here, or NULL */

	/* B each */
	const char **ids;      /* id, sid and name of a bone's node */
	const char **stems;    /* what the names of its axes begin with */
	const char **ends;     /* id of the end joint of a leaf, NULL for none */
	uint32_t *first_child; /* OSSA_NONE for leaves */
	uint32_t *next_sibling;
	int deepest; /* bones from the root to the farthest leaf */

	ossai_markup markup;
} ossai_collada;

/* What follows is written of a part: sources get its suffix by themselves, other ids of what there
   is one of in each part by the second. */
void ossai_collada_select(ossai_collada *file, size_t part);
const char *ossai_collada_part_id(const ossai_collada *file, const char *stem, char id[OSSAI_COLLADA_ID]);

/* Fills ids, stems, ends, the tree, and the names of parts, materials and clips. */
ossa_status ossai_collada_name(ossai_collada *file);

/* A walk over the bones, depth first. Starts as {0, false}; a bone is entered, then its children,
   then it is left. */
typedef struct ossai_collada_walk {
	uint32_t bone;
	bool leaving;
} ossai_collada_walk;
bool ossai_collada_walk_on(const ossai_collada *file, ossai_collada_walk *walk);

/* A `name` attribute: as it is in 1.5, of letters and digits alone in 1.4.1, whose names allow no
   more. */
void ossai_collada_put_name(ossai_collada *file, const char *name);

/* The last child of an element with such a name: an <extra> with the whole name where the attribute
   cannot hold it. */
void ossai_collada_put_whole_name(ossai_collada *file, const char *name);
void ossai_collada_open_extra(ossai_collada *file);
void ossai_collada_close_extra(ossai_collada *file);

/* The rest transform of a bone (by its index) against its parent's. */
ossai_rigid ossai_collada_rest(const ossa_skeleton *skeleton, size_t index);

/* A <source>: an array and the accessor that says what it holds. */
typedef struct ossai_collada_source {
	const char *id;         /* the array's is ID-array */
	const char *array;      /* "float_array" or "Name_array" */
	const char *type;       /* of the parameters: "float", "Name", "float4x4" */
	const char *parameters; /* as many letters as the stride ("XYZ"), or the one parameter's name */
	size_t count, stride;   /* elements, and values of each */
} ossai_collada_source;

/* `open` leaves the array's element open for the values. */
void ossai_collada_open_source(ossai_collada *file, const ossai_collada_source *source);
/* the same with a name, "" for none */
void ossai_collada_open_named_source(ossai_collada *file, const ossai_collada_source *source, const char *name);
void ossai_collada_close_source(ossai_collada *file, const ossai_collada_source *source);

/* ---- textures ---- */

/* the textures of a material */
enum {
	OSSAI_COLLADA_BASE_COLOR,
	OSSAI_COLLADA_EMISSION,
	OSSAI_COLLADA_NORMAL,
	OSSAI_COLLADA_METALLIC_ROUGHNESS,
	OSSAI_COLLADA_OCCLUSION,
	OSSAI_COLLADA_TEXTURES
};
const ossa_texture *ossai_collada_texture(const ossa_material *material, int index);

/* Puts the mesh's images beside the file, before it is opened. Warning "image-missing". */
ossa_status ossai_collada_write_images(ossai_collada *file, const char *path);
/* Whether the file has the texture's image. */
bool ossai_collada_has_image(const ossai_collada *file, const ossa_texture *texture);

/* The library of images; the samplers of a material; one of its textures; an element with the
   texture, false and nothing where its image is not there; an element with numbers. */
void ossai_collada_put_images(ossai_collada *file);
void ossai_collada_put_samplers(ossai_collada *file, const ossa_material *look);
void ossai_collada_put_texture(ossai_collada *file, const ossa_material *look, int index);
bool ossai_collada_put_map(ossai_collada *file, const char *element, const ossa_material *look, int index);
void ossai_collada_put_numbers(ossai_markup *markup, const char *element, const double *values, size_t count);

/* ---- parts ---- */

ossa_status ossai_collada_put_meshes(ossai_collada *file);     /* materials, geometries */
void ossai_collada_put_materials(ossai_collada *file);         /* images, effects, materials */
void ossai_collada_put_material_bindings(ossai_collada *file); /* inside an instance of the mesh */
/* What polygons of a material (count: of none) call it. */
void ossai_collada_name_symbol(const ossa_mesh *mesh, size_t material, char symbol[OSSAI_COLLADA_ID]);
/* The geometries of the morph targets, inside the library of geometries; `positions` of the mesh,
   its polygons in the order of its own geometry. Then, among the controllers, the morph. */
void ossai_collada_put_targets(ossai_collada *file, const float *positions, const uint32_t *order);
void ossai_collada_put_morph(ossai_collada *file);
ossa_status ossai_collada_put_skin(ossai_collada *file);
void ossai_collada_put_animation(ossai_collada *file);
void ossai_collada_put_kinematics(ossai_collada *file);
void ossai_collada_put_kinematics_instance(ossai_collada *file); /* inside <scene> */
void ossai_collada_put_nodes(ossai_collada *file);

#endif
