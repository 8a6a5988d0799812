/* ossa/read.h: files in. The type of a file is told by its content, not by its name. */
#ifndef OSSA_READ_H
#define OSSA_READ_H

#include <ossa/frames.h>
#include <ossa/options.h>
#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a reader understands. */
typedef struct ossa_read_format {
	const char *name;  /* "obj" */
	const char *title; /* "Wavefront OBJ" */
	bool reads_mesh, reads_frames, reads_rig;
} ossa_read_format;

/* How frames are read. Start from ossa_read_default(). */
typedef struct ossa_read_options {
	double frames_per_second; /* the time between poses that come from separate files, or a cache without times */
	bool ignore_pose_faces;   /* take the vertices of poses as they come, whatever their faces say */
} ossa_read_options;

OSSA_API ossa_read_options ossa_read_default(void);
OSSA_API const ossa_option_table *ossa_read_option_table(void);

/* The formats, in the order in which they are tried. */
OSSA_API size_t ossa_read_format_count(void);
OSSA_API const ossa_read_format *ossa_read_format_at(size_t index);

/* Tells the format of a file by its content. Errors: OSSA_ERROR_READ; OSSA_ERROR_INPUT listing the formats known. */
OSSA_API ossa_status ossa_read_detect(ossa_context *context, const char *path, const ossa_read_format **format);

/* Reads one mesh (OBJ, PLY, OFF, STL, or the mesh of a GLB). Faces that cannot be used (out of range, fewer than three
   corners) are an error; degenerate but harmless ones are kept and counted in a warning.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_INPUT with line or offset, OSSA_ERROR_LIMIT.  Ownership: ossa_mesh_free. */
OSSA_API ossa_status ossa_read_mesh(ossa_context *context, const char *path, ossa_mesh **mesh);

/* Reads the poses of `rest`: several mesh files in natural number order (pose-2 before pose-10; the paths may come in any
   order unless `keep_order`), or caches (PC2, MDD) whose frames follow each other. Each pose must have the vertices of `rest`
   and the same set of faces, in any order. Caches can be read without a rest mesh (NULL).
   Errors: OSSA_ERROR_INPUT naming the file with both counts.  Ownership: ossa_frames_free. */
OSSA_API ossa_status ossa_read_frames(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frames **frames);

/* Reads a rig (GLB): mesh, skeleton, weights and the first clip.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_INPUT naming what is missing.  Ownership: ossa_rig_free. */
OSSA_API ossa_status ossa_read_rig(ossa_context *context, const char *path, ossa_rig **rig);

#ifdef __cplusplus
}
#endif
#endif
