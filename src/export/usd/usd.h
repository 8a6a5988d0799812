/* export/usd/usd.h: what the files of the USD writer share: the file being written, and how its
   text is laid out.

   usd.c names the parts in order; usd_text.c names and text, usd_mesh.c the mesh, usd_material.c
   how it looks, usd_morphs.c its morph targets, usd_skeleton.c joints and motion. */
#ifndef OSSAI_EXPORT_USD_H
#define OSSAI_EXPORT_USD_H

#include "base/context.h"
#include "base/file.h"
#include "export/print.h"
#include "math/vec.h"
#include "scene/objects.h"
#include <ossa/write.h>

/* An identifier: letters, digits and '_', not a digit first. */
typedef struct ossai_usd_name {
	char text[96];
} ossai_usd_name;

/* A bone, or with --leaf-bones the end of one, as its child. */
typedef struct ossai_usd_joint {
	ossai_usd_name name;
	uint32_t parent;  /* OSSA_NONE for the root */
	ossai_rigid bind; /* in the world, at rest */
} ossai_usd_joint;

typedef struct ossai_usd {
	ossa_context *context;
	const ossa_write_options *options;
	ossai_arena arena;
	ossai_output output;
	ossai_printer printer;
	int depth;           /* of the prims and brackets that are open */
	bool listed;         /* the open list has an item */
	ossai_usd_name root; /* the prim that holds all others */
	ossai_usd_name mesh; /* the prim of the object that is written now */
	double rate;         /* time codes of a second */
	double first_time;   /* seconds of time code 0 */
	size_t joint_count;
	ossai_usd_joint *joints; /* bones in their order, then ends */
	size_t uv_count;         /* sets of the mesh */
	/* by image of the mesh's appearance: its file, or NULL; NULL: the mesh has none */
	const char *const *images;
} ossai_usd;

/* ---- text ---- */

/* Makes unique identifiers of any texts: a number is appended to duplicates.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_usd_make_names(ossa_context *context, size_t count, ossai_usd_name *names);
void ossai_usd_set_name(ossai_usd_name *name, const char *text);

/* A line at the current indentation. */
void ossai_usd_line(ossai_usd *usd, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "TEXT (", `metadata`, ")", "{": a prim with its API schemas, NULL for none; then close. */
void ossai_usd_open_prim(ossai_usd *usd, const char *type, const char *name, const char *schemas);
void ossai_usd_close(ossai_usd *usd);

/* "DECLARATION = [" ... "]", items between; `metadata` is one line in brackets after, or NULL. */
void ossai_usd_open_list(ossai_usd *usd, const char *declaration);
void ossai_usd_item(ossai_usd *usd); /* the comma before each item but the first */
void ossai_usd_close_list(ossai_usd *usd, const char *metadata);
/* an item of one number, or of several in brackets */
void ossai_usd_floats(ossai_usd *usd, const float *values, size_t count);
void ossai_usd_unsigned(ossai_usd *usd, uint64_t value);
/* an item in quotes, of the kind that it does not contain, as TinyUSDZ knows no escaped ones; what
   no name may hold becomes '_' */
void ossai_usd_text(ossai_usd *usd, const char *text);

/* A line "DECLARATION = ", then a number, or several in brackets; or the path of a file beside. */
void ossai_usd_numbers(ossai_usd *usd, const char *declaration, const double *values, size_t count);
void ossai_usd_asset(ossai_usd *usd, const char *declaration, const char *path);

/* "DECLARATION.timeSamples = {", then for each frame its line: begin, "[", items, end. Close with
   ossai_usd_close. */
void ossai_usd_time(ossai_usd *usd, double seconds); /* its time code */
void ossai_usd_open_samples(ossai_usd *usd, const char *declaration);
void ossai_usd_begin_sample(ossai_usd *usd, double seconds);
void ossai_usd_end_sample(ossai_usd *usd);

/* ---- parts ---- */

/* A Mesh prim, usd->mesh. `weights` or NULL: of the part's vertices; `frames` or NULL: points of
   the whole mesh over time. */
ossa_status ossai_usd_put_mesh(
	ossai_usd *usd, const ossai_object_part *part, const ossa_weights *weights, const ossa_frames *frames);

/* Names for the prims of the mesh's materials, after them one for faces without, then for its morph
   targets: the first two are the same for every part of a mesh. */
ossa_status ossai_usd_name_children(ossai_usd *usd, const ossa_mesh *mesh, ossai_usd_name **names);

/* A set of UVs: "st", "st1" ... */
const char *ossai_usd_uv_name(size_t set, char name[32]);

/* The mesh's morph targets: inside the Mesh, its properties, then the prims of these names. */
void ossai_usd_bind_morphs(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names);
void ossai_usd_put_morphs(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names);

/* Gives targets of one name names of their own: one weight drives all that have a name. */
ossa_status ossai_usd_name_morphs(ossai_usd *usd, const ossa_mesh **mesh);

/* Weights of the mesh's targets inside the SkelAnimation of a clip: over time where corrective
   shapes are among them, else at rest. */
void ossai_usd_put_weights(ossai_usd *usd, const ossa_rig *rig, const ossa_mesh *mesh, const ossa_clip *clip);

/* Weights of the mesh's targets at rest, where any is not 0: inside a SkelAnimation; as one of
   their own inside a Skeleton; with that Skeleton, too, for a mesh without a rig. */
void ossai_usd_put_rest_weights(ossai_usd *usd, const ossa_mesh *mesh);
void ossai_usd_put_rest_animation(ossai_usd *usd, const ossa_mesh *mesh);
void ossai_usd_put_morph_skeleton(ossai_usd *usd, const ossa_mesh *mesh);

/* The scope of materials: `names` of the mesh's, and one for faces without where there are any. */
void ossai_usd_put_materials(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names);

/* Skeleton and SkelAnimation prims, with the weights of the mesh's morph targets. */
ossa_status ossai_usd_make_joints(ossai_usd *usd, const ossa_skeleton *skeleton);
ossa_status ossai_usd_put_skeleton(ossai_usd *usd, const ossa_rig *rig, const ossa_mesh *mesh);

#endif
