/* export/maya/maya.h: what the files of the Maya writer share: the script being written.

   maya.c names the parts in order; maya_data.c, maya_morphs.c and maya_motion.c write the numbers,
   maya_steps.c holds the Python that uses them. */
#ifndef OSSAI_EXPORT_MAYA_H
#define OSSAI_EXPORT_MAYA_H

#include "base/file.h"
#include "export/joints.h"
#include "scene/objects.h"
#include <ossa/write.h>

#include <stdio.h>

typedef char ossai_maya_name[96];

typedef struct ossai_maya_writer {
	ossa_context *context;
	ossai_arena arena;
	FILE *stream;
	int column;             /* of the number last written to a block */
	const ossa_rig *rig;    /* NULL: the mesh alone */
	const ossa_mesh *mesh;  /* no vertices: the skeleton alone */
	const float *positions; /* in place of the mesh's own, or NULL */
	bool with_normals;
	ossai_object_parts parts;
	const ossai_object_part *part; /* that is written now */
	const ossa_write_options *options;

	ossai_joints joints; /* of the rig */

	/* unique names that Maya does not change */
	size_t bone_count, end_count, name_count;
	ossai_maya_name *names; /* bones, end joints, objects, materials */
} ossai_maya_writer;

/* ---- text ---- */

/* A block of numbers is a Python string, which is read much faster than a list of them: NAME = """
   ... """ */
void ossai_maya_begin_block(ossai_maya_writer *writer, const char *name);
void ossai_maya_number(ossai_maya_writer *writer, double value, int digits);
void ossai_maya_index(ossai_maya_writer *writer, size_t index);
void ossai_maya_new_line(ossai_maya_writer *writer);
void ossai_maya_end_block(ossai_maya_writer *writer);

/* A number with a point whatever the locale says; -0 is 0. */
void ossai_maya_print(char text[40], double value, int digits);

/* "(x, y, z)" */
void ossai_maya_tuple(ossai_maya_writer *writer, const double *values, int count, int digits);

/* ---- parts ---- */

static inline const char *ossai_maya_bone_name(const ossai_maya_writer *writer, size_t bone) { return writer->names[bone]; }
static inline const char *ossai_maya_end_name(const ossai_maya_writer *writer, size_t end)
{
	return writer->names[writer->bone_count + end];
}
static inline const char *ossai_maya_part_name(const ossai_maya_writer *writer, size_t part)
{
	return writer->names[writer->bone_count + writer->end_count + part];
}
static inline const char *ossai_maya_material_name(const ossai_maya_writer *writer, size_t material)
{
	return writer->names[writer->bone_count + writer->end_count + writer->parts.count + material];
}

/* Of the part that is written now: place, points, faces, UVs, normals, colours, materials; morph
   targets; weights. Warning "maya-faces": faces that Maya cannot have. */
ossa_status ossai_maya_put_mesh(ossai_maya_writer *writer);
ossa_status ossai_maya_put_morphs(ossai_maya_writer *writer);
ossa_status ossai_maya_put_weights(ossai_maya_writer *writer);

/* Names of the mesh's morph targets, unique among themselves; how many are others than wanted. NULL
   with the error set. */
ossai_maya_name *ossai_maya_name_morphs(ossai_maya_writer *writer, const ossa_mesh *mesh, size_t *changed);

void ossai_maya_put_joints(ossai_maya_writer *writer);
void ossai_maya_put_motion(ossai_maya_writer *writer);

/* The Python that builds the scene from the blocks: the same in every file. */
extern const char *const ossai_maya_steps[];
extern const size_t ossai_maya_step_count;

#endif
