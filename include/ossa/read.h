/* ossa/read.h: files in, from the disk or from memory (ossa/files.h). The type of a file is found
   from its content, not from its name. */
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
	const char *name;                         /* "obj" */
	const char *title;                        /* "Wavefront OBJ" */
	bool reads_mesh, reads_frames, reads_rig; /* what files of the format can hold */
} ossa_read_format;

/* Which axis points up in a file. ossa itself is Y up, right-handed. */
typedef enum ossa_up {
	OSSA_UP_FILE, /* reading: as the file says, else Y; writing: Y */
	OSSA_UP_Y,
	OSSA_UP_Z
} ossa_up;

/* What becomes of morph targets that move in an animation which also moves the joints of a skin. */
typedef enum ossa_morphs {
	OSSA_MORPHS_AUTO,   /* ossa rig: keep; else frames */
	OSSA_MORPHS_FRAMES, /* the frames hold them */
	/* frames without them: they keep their own motion where glTF is written from glTF; other rigs
	   of these frames have it as weights (ossa_clip.morph_weights) */
	OSSA_MORPHS_KEEP
} ossa_morphs;

/* How files are read. Start from ossa_read_default(); NULL means the defaults. What a file says
   of its axes and units is honoured: it is turned to Y up and scaled to metres; formats that say
   nothing (OBJ, PLY, OFF, STL, caches) are taken as they are. */
typedef struct ossa_read_options {
	uint32_t cookie; /* set by the default function; do not touch */
	/* frames per second at which motion is sampled, and at which poses from separate files follow
	   each other. 0: at the file's
	   own keys, or 24 where it has no times */
	double frames_per_second;
	/* name of the animation, or its number from 1 on; "": the first. Of a rig also several, joined
	   by commas, or "all": they are its clip and other_clips */
	char clip[OSSA_OPTION_TEXT_SIZE];
	ossa_range frames; /* which to take; {0}: all */
	ossa_up input_up;  /* OSSA_UP_FILE: as the file says, else Y */
	/* metres of one unit of the file; 0: as the file says, else 1 */
	double input_unit;
	/* take the vertices of poses in the order of their files, without comparing faces */
	bool ignore_pose_faces;
	/* animations keep the vertices of their file, also those that always coincide */
	bool keep_vertices;
	ossa_morphs morphs;
} ossa_read_options;

OSSA_API ossa_read_options ossa_read_default(void);
OSSA_API const ossa_option_table *ossa_read_option_table(void);

/* The formats, in the order in which they are tried. */
OSSA_API size_t ossa_read_format_count(void);
OSSA_API const ossa_read_format *ossa_read_format_at(size_t index);

/* Finds the format of a file from its content, else from its ending; the reader of that format then
   reports what is wrong.
   Errors: OSSA_ERROR_READ; OSSA_ERROR_INPUT listing the formats known. */
OSSA_API ossa_status ossa_read_detect(ossa_context *context, const char *path, const ossa_read_format **format);

/* One animation of a file. */
typedef struct ossa_clip_facts {
	char name[64];    /* unlike those of the others; that of the file where it has none */
	size_t key_count; /* different key times */
	double seconds;   /* from the first key to the last */
	/* a skin's joints; morph targets or stored vertices; meshes as a whole */
	bool moves_joints, moves_shapes, moves_parts;
} ossa_clip_facts;

/* Whether a file holds joints, a skin or parts that move as a whole, which ossa_read_rig reads, and
   the list of its animations: `count` entries, 0 where it holds none.
   Errors: as ossa_read_mesh.
   Ownership: `clips` with ossa_free. */
OSSA_API ossa_status ossa_read_contents(
	ossa_context *context, const char *path, bool *has_rig, size_t *count, ossa_clip_facts **clips);

/* What a file has beside meshes, joints and motion, and ossa only lists: a writer that keeps the
   file (ossa_write_keeps) keeps it, and no other has it. */
typedef enum ossa_scene_kind {
	OSSA_SCENE_CAMERA,
	OSSA_SCENE_LIGHT,
	OSSA_SCENE_TANGENTS /* of a primitive: faces of a mesh with one material */
} ossa_scene_kind;

typedef struct ossa_scene_item {
	ossa_scene_kind kind;
	/* of the node that holds it, else its own; of tangents: of the mesh, in FBX the model.
	   "": it has none */
	char name[64];
	/* "perspective", "orthographic"; "directional", "point", "spot", "ambient", "area"; "" of
	   tangents, and where the file does not say */
	char type[24];
	size_t primitive; /* of tangents: which of the mesh, counted from 0 */
} ossa_scene_item;

/* Lists cameras, lights and primitives with tangents of glTF, FBX and Collada files, and cameras
   and lights of Alembic: `count` entries in the file's order, kind by kind; 0 of other formats.
   Errors: as ossa_read_mesh.
   Ownership: `items` with ossa_free. */
OSSA_API ossa_status ossa_read_scene(ossa_context *context, const char *path, size_t *count, ossa_scene_item **items);

/* FBX is parsed by assimp in a child process: every call that reads a file (mesh, animation, rig,
   motion, frames, contents) makes one with fork, waits for it with waitpid (its own id alone) and
   is done when the child has ended. So a program that embeds ossa
   - gets a SIGCHLD for it, as for any child. A handler that reaps all children (waitpid(-1),
   SIGCHLD ignored) does no harm: what the child found lies in memory that both share;
   - may have threads, as long as its malloc works in the child of a process that has (glibc's
   does);
   - must be allowed to fork: a sandbox that forbids it gets an error, for FBX alone.
   The child writes nothing, has no core file and a limit of processor time; its buffers and exit
   handlers are never run. */

/* In every call a path with '#' in its name ("walk_####.obj") that is no file itself means all
   files with a number there: its first where one file is wanted. */

/* The files that a path means: those of the numbers there are, in their order, or the path itself
   where it has no '#' or is a file (which need not be there). `paths`: `count` texts.
   Errors: OSSA_ERROR_READ where there is none with a number.
   Ownership: `paths` with ossa_free, which frees the texts too. */
OSSA_API ossa_status ossa_read_paths(ossa_context *context, const char *path, size_t *count, char ***paths);

/* Reads one mesh: all meshes of the file at rest. Faces that cannot be used (out of range, fewer
   than three corners) are an error; degenerate but harmless ones are kept and counted in a warning.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_INPUT with line or offset, OSSA_ERROR_LIMIT.
   Ownership: ossa_mesh_free. */
OSSA_API ossa_status ossa_read_mesh(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh);

/* Reads the poses of `rest`: several mesh files in natural number order (pose-2 before pose-10; the
   paths may come in any order unless `keep_order`), caches (PC2, MDD, Maya) and animated files,
   whose frames follow each other. Each pose must have the vertices of `rest` and the same set of
   faces, in any order. Caches can be read without a rest mesh (NULL).
   Errors: OSSA_ERROR_INPUT naming the file with both counts.
   Ownership: ossa_frames_free. */
OSSA_API ossa_status ossa_read_frames(ossa_context *context, const ossa_mesh *rest, size_t path_count, const char *const *paths,
	bool keep_order, const ossa_read_options *options, ossa_frames **frames);

/* Reads a mesh and its animation from one file that holds both: morph targets, stored vertices
   (Alembic), a skin and the motion of its joints, parts that move as a whole; or of numbered files
   ("walk_####.obj"), the first being the rest. Vertices that have the same position in every frame
   are welded, unless `keep_vertices`: then they are those that ossa_read_mesh gives. `frames` is
   NULL where nothing moves.
   Errors: as ossa_read_mesh.
   Ownership: ossa_mesh_free, ossa_frames_free. */
OSSA_API ossa_status ossa_read_animation(
	ossa_context *context, const char *path, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames);

/* Reads a rig: mesh, skeleton, weights and the clip or clips that are asked for. A file with joints
   but no skinned mesh (BVH) gives a rig whose mesh has no vertices. Of a file without either whose
   meshes move as a whole each moving part becomes a bone (warning "parts-as-bones"). What can be
   repaired is, with a warning each: weights that are not finite or do not sum to 1, several roots.
   Errors: OSSA_ERROR_READ, OSSA_ERROR_INPUT naming what is missing.
   Ownership: ossa_rig_free. */
OSSA_API ossa_status ossa_read_rig(ossa_context *context, const char *path, const ossa_read_options *options, ossa_rig **rig);

/* Reads the motion of another skeleton (BVH or any rig) as a clip for the bones of `rig`, as
   ossa_rig_retarget makes it by default (ossa/retarget.h).
   Errors: as ossa_read_rig and ossa_rig_retarget.
   Ownership: ossa_clip_free. */
OSSA_API ossa_status ossa_read_motion(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_read_options *options, ossa_clip **clip);

/* The same of every animation that the options' clip names ("all"): `clips` has `count` of them, in
   the order of the file or of the list.
   Ownership: each with ossa_clip_free, the array with ossa_free. */
OSSA_API ossa_status ossa_read_motions(ossa_context *context, const ossa_rig *rig, const char *path,
	const ossa_read_options *options, size_t *count, ossa_clip ***clips);

/* Limits of joints, by the names of bones. */
typedef struct ossa_limits ossa_limits;

/* Reads limits from a table: CSV whose first line names at least the columns `name` and
   `limit_x_min`, `limit_x_max`, ... `limit_z_max` (degrees, as ossa_bone has them), so a
   `rig.skeleton.csv` that ossa wrote of a rig with limits will do. Rows without limits say nothing.
   Errors: OSSA_ERROR_READ; OSSA_ERROR_INPUT naming the line, both lines where two are of one bone,
   or where no row holds limits.
   Ownership: ossa_limits_free. */
OSSA_API ossa_status ossa_read_limits(ossa_context *context, const char *path, ossa_limits **limits);

/* Sets the limits of the rig's bones of those names; warning "limits-unmatched" counts the rows of
   no bone of the rig.
   Errors: OSSA_ERROR_INPUT where no row is of a bone. */
OSSA_API ossa_status ossa_rig_set_limits(ossa_context *context, ossa_rig *rig, const ossa_limits *limits);

/* NULL is allowed. */
OSSA_API void ossa_limits_free(ossa_context *context, ossa_limits *limits);

#ifdef __cplusplus
}
#endif
#endif
