/* ossa/characters.h: rigs for several characters of one topology: a man, a woman and a child whose
   meshes have the same vertices and faces, each with a shape at rest and motions of its own. */
#ifndef OSSA_CHARACTERS_H
#define OSSA_CHARACTERS_H

#include <ossa/method.h>
#include <ossa/metrics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A character. Nothing here is owned. */
typedef struct ossa_character {
	const char *name;          /* for messages: its file, say; NULL: its number, from 1 */
	const ossa_mesh *mesh;     /* at rest */
	ossa_frame_stream *frames; /* of this mesh; NULL: it does not move */
} ossa_character;

/* The rig of a character. */
typedef struct ossa_character_rig {
	ossa_rig *rig;
	size_t frame_count;     /* of its motions; 0: it does not move, and its joints are by shape */
	size_t key_frame_count; /* that skeleton and weights were fitted to */
	/* RMS over its key frames, % of its diagonal: with the weights and joints that the base's rig
	   gives it by shape, before anything is solved for all characters, and after; NAN: no motion */
	double carried_percent, solved_percent;
	ossa_metrics hierarchy; /* over all its frames; what needs no frames where there are none */
	double *bone_rms;       /* B: as in ossa_rig_result; NULL where there are no frames */
} ossa_character_rig;

typedef struct ossa_characters_result {
	size_t count;             /* C */
	ossa_character_rig *rigs; /* C, in the order of the characters */
	size_t base;              /* the character that the rig began with: the one that moves most */
	const ossa_method *method;
	char reason[400]; /* why that method, without the final stop; "" where there was no choice */
	/* the root of the mean of the squares over all vertices and key frames of all characters, each
	   in % of its own diagonal, as above; NAN where none moves */
	double carried_percent, solved_percent;
} ossa_characters_result;

/* Makes a rig for each of `count` characters of one topology: bones, their names, kinds and parents
   and the weights of every vertex are the same, bit for bit; joints, tails, axes and motions are
   each character's own. What is minimised is the sum, over all characters, key frames and vertices,
   of the squared distance of a vertex from where the bones put it, in units of the character's own
   diagonal: a child counts as much as a giant, and the unit of a file does not count. A character
   of more frames counts more.
   How: the rig begins with the character that moves most, as ossa_rig_make makes it from its own
   poses and those of all others, carried to its shape by their deformation gradients. Weights (Gram
   matrices summed over all), each one's joints and each one's rotations are then solved in turn. A
   joint that a character does not move lies where the others have it, mapped by the shape around
   it; a character without motion gets all joints so (warning "still-character"). Warning
   "mirrored-character": one is a mirror image of the first, so names of sides are wrong on it. With
   weights by shape these stay the base's; with a method for one mesh joints are by shape, too.
   `options`: as of ossa_rig_make, NULL: the defaults. roots: `auto` means one tree. key_frames: of
   each character; bones are found from as many of all together.
   Errors: OSSA_ERROR_INPUT (no topology in common: the message names the character and says what
   differs), OSSA_ERROR_ARGUMENT (no characters; NULL meshes; options that are of one shape alone:
   reference, twist, a symmetry, articulation `face`), those of ossa_rig_make.
   Ownership: ossa_characters_result_free; a caller who keeps a rig sets its `rig` to NULL first.
   Threads: the context's; the same bytes for any number, and for any order of the characters, but
   for those that move exactly as much.
   Cost: that of ossa_rig_make for the frames of the base, of carrying the others' key frames, and
   of rounds that are linear in vertices and key frames.
   Source: R. Sumner, J. Popovic, Deformation Transfer for Triangle Meshes, 2004, for the poses that
   are carried. */
OSSA_API ossa_status ossa_rig_make_characters(ossa_context *context, size_t count, const ossa_character *characters,
	const ossa_rig_options *options, ossa_characters_result *result);

/* Frees the result. NULL is allowed. */
OSSA_API void ossa_characters_result_free(ossa_context *context, ossa_characters_result *result);

#ifdef __cplusplus
}
#endif
#endif
