/* tools/ossa/inspect.h: what `ossa inspect` found in a file, and the files that print it. */
#ifndef OSSA_COMMAND_INSPECT_H
#define OSSA_COMMAND_INSPECT_H

#include "command.h"

#include <ossa/contraction_stages.h>
#include <ossa/volume_stages.h>

typedef struct inspect_work {
	const char *path;
	char **files; /* that the path stands for */
	size_t file_count;
	const ossa_read_format *format;
	ossa_rig *rig;         /* NULL: the file holds none */
	ossa_mesh *own_mesh;   /* where there is no rig that owns it */
	const ossa_mesh *mesh; /* NULL: a cache */
	ossa_frames *frames;
	ossa_clip_facts *clips; /* the animations of the file */
	size_t clip_count;
	ossa_scene_item *items; /* its cameras, lights and primitives with tangents */
	size_t item_count;
	ossa_mesh_facts facts;
	size_t *bone_vertices; /* per bone: vertices with a weight above 1e-4 */
	int influences;        /* most weights above 1e-6 on one vertex */
	ossa_bend bend;
	ossa_joint_bend *joint_bends;        /* per bone; NULL: not asked for */
	char no_rig[512];                    /* why a format that can hold a rig gave none */
	ossa_contraction_stages contraction; /* positions NULL: not asked for */
	ossa_volume_stages stages;           /* segments NULL: not asked for */
} inspect_work;

/* The name of a joint of the rig, "-" of -1. */
const char *inspect_joint_name(const inspect_work *work, int joint);

/* Whether the path stands for numbered files. */
bool inspect_is_sequence(const inspect_work *work);

/* What was recognized in the shape, nothing where that is not known; what a bone is in it, and how
   sure its joint is. */
void inspect_print_body(const ossa_body *body);
void inspect_print_role(const ossa_bone *bone);
json_t *inspect_body_as_json(const ossa_body *body);
void inspect_add_role(json_t *value, const ossa_bone *bone);

/* Its objects, and its sets of UVs and colours where there are several. */
void inspect_print_objects(const ossa_mesh *mesh);
json_t *inspect_objects_as_json(const ossa_mesh *mesh);
json_t *inspect_uv_sets_as_json(const ossa_mesh *mesh);

/* Cameras, lights and primitives with tangents of the file. */
void inspect_print_scene(const inspect_work *work);
void inspect_add_scene(const inspect_work *work, json_t *value);

/* How a mesh looks: its materials with the images that they use, counted from 0, and the images. */
void inspect_print_materials(const command_run *run, const ossa_mesh *mesh);
json_t *inspect_materials_as_json(const ossa_mesh *mesh);
json_t *inspect_images_as_json(const command_run *run, const ossa_mesh *mesh);

/* Its morph targets, and how many vertices each moves. */
void inspect_print_morphs(const ossa_mesh *mesh);
json_t *inspect_morphs_as_json(const ossa_mesh *mesh);

ossa_status inspect_print_json(command_run *run, const inspect_work *work);

/* The stages of the method volume: a row as the paper's table has it; as JSON. */
void inspect_print_voxels(const command_run *run, const inspect_work *work);
json_t *inspect_voxels_as_json(const command_run *run, const inspect_work *work);

/* The stages of the method contraction: its graph, steps and curve. */
void inspect_print_contraction(const inspect_work *work);
json_t *inspect_contraction_as_json(const inspect_work *work);

#endif
