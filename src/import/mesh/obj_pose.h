/* import/mesh/obj_pose.h: the vertices of an OBJ file whose faces are written as those of another
   one.

   Place in the path: between the sources of frames and the bytes of their files.
   Input: bytes.
   Output: positions, or the answer that the ordinary reader must have a look. Sequences of poses
   hold the same text again and again but for the places of the vertices: comparing it costs a
   tenth of reading it. Reading one touches nothing but its bytes and positions, so that several
   can be read at the same time. */
#ifndef OSSAI_IMPORT_OBJ_POSE_H
#define OSSAI_IMPORT_OBJ_POSE_H

#include "base/file.h"

/* Lines of faces without anything between them: their text, without the last line's end. */
typedef struct ossai_face_lines {
	size_t begin, size; /* bytes of the file */
	size_t vertices;    /* how many there are before */
} ossai_face_lines;

/* The faces of a file as they are written. */
typedef struct ossai_face_text {
	const uint8_t *bytes; /* of the file, which stays open */
	size_t vertex_count;
	size_t count, capacity;
	ossai_face_lines *lines; /* the arena's */
} ossai_face_text;

/* Finds them. `is_plain`: the file has nothing that is not compared here (lines that continue
   others, that begin with blanks, that end with CR alone, zero bytes). Errors:
   OSSA_ERROR_MEMORY. */
ossa_status ossai_obj_find_faces(ossai_arena *arena, const ossai_source *source, ossai_face_text *faces, bool *is_plain);

/* Fills `vertex_count` x 3 positions. False, with anything in `positions`, where the file is not
   plain, or has other faces (NULL: they may be any) or another number of vertices: what there is
   to say of it, the ordinary reader says. */
bool ossai_obj_read_pose(const ossai_source *source, const ossai_face_text *faces, size_t vertex_count, float *positions);

#endif
