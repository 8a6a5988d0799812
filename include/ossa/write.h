/* ossa/write.h: files out, to the disk or to memory (ossa/files.h). Every file is written to a
   temporary beside it and renamed when whole. */
#ifndef OSSA_WRITE_H
#define OSSA_WRITE_H

#include <ossa/options.h>
#include <ossa/read.h>
#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a writer makes. */
typedef struct ossa_write_format {
	const char *name;    /* "glb" */
	const char *title;   /* "glTF 2.0 binary" */
	const char *endings; /* ".glb", joined by '|' */
	bool writes_mesh, writes_frames, writes_rig;
	bool writes_clips; /* of a rig all its motions, else its `clip` alone */
	bool writes_lods;  /* levels of detail in one file (ossa/lods.h) */
	/* a rig goes into the glTF file that its mesh came from (ossa_mesh.document), with all of it */
	bool keeps_rigged;
	bool moves_morphs; /* the weights of a rig's morph targets over time */
} ossa_write_format;

/* Versions of Collada files. */
typedef enum ossa_collada_version {
	OSSA_COLLADA_1_5, /* with kinematics: joint limits */
	OSSA_COLLADA_1_4_1,
	OSSA_COLLADA_AUTO /* 1.4.1 where the mesh has images, which some programs do not find in 1.5 */
} ossa_collada_version;

/* What files of images beside an output are called. */
typedef enum ossa_image_names {
	/* as their sources; with a number where a file with other contents is there */
	OSSA_IMAGE_NAMES_KEEP,
	/* "OUTPUT.glb.IMAGE.png": the output's own name comes first, and an old file of that name is
	   written over. So names depend on nothing that lies in the folder. Numbered files of frames
	   share images, and keep their names. */
	OSSA_IMAGE_NAMES_OUTPUT
} ossa_image_names;

/* How files are written. Start from ossa_write_default(). */
typedef struct ossa_write_options {
	uint32_t cookie;     /* set by the default function; do not touch */
	ossa_up up;          /* the axis that points up in the file */
	double unit;         /* metres of one unit of the file; 1 */
	ossa_axis bone_axis; /* which axis of a joint's frame points along the bone; y */
	bool leaf_bones;     /* add an end joint to every leaf bone, so that programs show its length */
	/* write free_clip and free_weights (OSSA_ERROR_ARGUMENT where the rig has none) */
	bool free_bones;
	ossa_collada_version collada;
	double limit_slack; /* degrees by which joint limits are wider than the motion */
	/* rigs: an ossa_rest_pose, or a frame of the motion from 1 on (ossa/rest_pose.h) */
	int rest_pose;
	/* glTF files that are rigged again: the joints of the skin that goes stay, as plain nodes */
	bool keep_skin;
	ossa_image_names image_names;
	/* who made the model, in VRM files */
	char author[OSSA_OPTION_TEXT_SIZE];
} ossa_write_options;

OSSA_API ossa_write_options ossa_write_default(void);
OSSA_API const ossa_option_table *ossa_write_option_table(void);
OSSA_API size_t ossa_write_format_count(void);
OSSA_API const ossa_write_format *ossa_write_format_at(size_t index);

/* Whether a path's name has '#' ("walk_####.obj"), so that ossa_write_frames writes one mesh file
   for each frame. */
OSSA_API bool ossa_write_is_numbered(const char *path);

/* The format for a path's ending.
   Errors: OSSA_ERROR_ARGUMENT listing the endings known. */
OSSA_API ossa_status ossa_write_detect(ossa_context *context, const char *path, const ossa_write_format **format);

/* Tests before long work whether existing files make it impossible to write to the path: so many
   files have the name of a .gltf's .bin that none is left for it.
   Errors: OSSA_ERROR_WRITE naming the file; as ossa_write_detect. */
OSSA_API ossa_status ossa_write_check(ossa_context *context, const char *path);

/* Whether a mesh, with frames that were read with it or NULL, is written to the path as the file
   that both came from, with all that it holds: a glTF file that moves no joints and is as it was
   read. */
OSSA_API bool ossa_write_keeps(const ossa_mesh *mesh, const ossa_frames *frames, const char *path);

/* Writes a rig in the format of the path's ending.
   Warning "clips-left-out": the format holds one motion, other_clips are not in the file.
   Errors: OSSA_ERROR_WRITE (an old file of that name is then untouched), OSSA_ERROR_ARGUMENT,
   OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options);

/* Writes a mesh; `positions` (V x 3) replaces the mesh's own, NULL keeps them. `options` NULL:
   the defaults. */
OSSA_API ossa_status ossa_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options);

/* Writes frames as one cache (PC2, MDD), or, where the path's name has '#', as one mesh file for
   each frame with its number, from 1 on, in their place ("walk_####.obj"); these need the `mesh`
   whose vertices they move (else it may be NULL). */
OSSA_API ossa_status ossa_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const char *path, const ossa_write_options *options);

#ifdef __cplusplus
}
#endif
#endif
