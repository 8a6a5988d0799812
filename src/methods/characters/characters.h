/* methods/characters/characters.h: the state of ossa_rig_make_characters: checked by check.c,
   loaded by load.c; then for each base drafted by draft.c, solved by solve.c with the maps of
   map_joints.c, and kept by store.c where it is the best so far; stored by store.c.

   Place in the path: make_rig, given -> here -> a rig for each character. */
#ifndef OSSAI_METHODS_CHARACTERS_H
#define OSSAI_METHODS_CHARACTERS_H

#include "methods/given.h"
#include "weights/companions.h"

#include <ossa/characters.h>
#include <ossa/stages.h>

/* A character; each member is labelled with the stage that fills it. */
typedef struct ossai_member {
	const ossa_character *character;
	size_t index;   /* of the character */
	char name[128]; /* check: for messages */
	/* load: the character's, with the triangles of the base; nothing is its own */
	ossa_mesh mesh;
	ossa_frames *keys; /* load: its key frames, its own; NULL: it does not move */
	const size_t *which;
	ossai_posed_surface surface;
	/* load: the squared error of one rigid motion a pose, in its sizes */
	double motion;
	bool moves;    /* load: not as a rigid whole */
	ossa_rig *rig; /* draft: the base's bones and weights by shape; its own */
	/* solve: what is fitted; of still characters tree, joints and weights */
	ossai_given given;
	double carried, solved; /* solve: squared errors before and after */
	/* keep: those of the best base so far; its own */
	ossa_rig *best;
	double best_carried, best_solved;
} ossai_member;

/* What is known of the best base so far. */
typedef struct ossai_best_base {
	size_t index;      /* of the character */
	double energy;     /* squared errors and what the bones have to be worth; INFINITY: none yet */
	size_t used_count; /* vertices that errors are sums over */
	const ossa_method *method;
	char reason[400];
	ossai_warnings *warnings; /* after it; its own */
} ossai_best_base;

typedef struct ossai_characters {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig_options *options;
	size_t count;
	ossai_member *members; /* load: those that move most come first */
	size_t base;           /* of the members: whose turn it is */
	/* load, V: vertices that coincide in all characters' poses */
	const uint32_t *first_of_vertex;
	bool moves;                         /* load: whether any does */
	ossa_rig_result made;               /* draft: of the base; its rig is the members' model */
	bool solves_weights, solves_joints; /* draft */
	ossa_fit_options fit;               /* draft */
	ossai_bone_weights shared;          /* draft: the base's */
	ossai_best_base best;               /* keep */
} ossai_characters;

/* ---- check.c ---- */

/* Names the members, and checks that they have one topology and that the options can be used.
   Errors: OSSA_ERROR_INPUT, OSSA_ERROR_ARGUMENT. */
ossa_status ossai_characters_check(ossai_characters *c);

/* The status; the message of an error of the input gets the name of the member put before it. */
ossa_status ossai_characters_blame(const ossai_characters *c, const ossai_member *m, ossa_status status);

/* ---- load.c ---- */

/* Reads key frames, orders the members, and welds what coincides in all. Errors: those of reading,
   OSSA_ERROR_MEMORY. */
ossa_status ossai_characters_load(ossai_characters *c);

/* The surfaces, with the triangles of the base, in the arena of this try. */
ossa_status ossai_characters_place(ossai_characters *c);

/* ---- draft.c ---- */

/* Makes the base's rig from the poses of all, and one with its bones and weights for each. */
ossa_status ossai_characters_draft(ossai_characters *c);

/* ---- map_joints.c ---- */

/* What the rest of one member is in that of another around a joint: an affine map that is fitted to
   the skin that the bone and its parent share. parent: OSSA_NONE: to the skin of the bone alone.
   Positions are in each one's sizes. Cost: linear. */
ossai_rigid ossai_map_around(const ossai_posed_surface *from, const ossai_posed_surface *to, const ossai_bone_weights *weights,
	uint32_t bone, uint32_t parent);

/* ---- solve.c ---- */

/* Weights on the sum over all, joints and motion of each. */
ossa_status ossai_characters_solve(ossai_characters *c);

/* ---- store.c ---- */

/* Puts weights and joints into the members' rigs, and keeps these where they are the best so far.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_characters_keep(ossai_characters *c);

/* drop_ends.c: removes bones without children that move no vertex, from the rigs that are kept.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_characters_drop_ends(ossai_characters *c);

/* Fits the motion of the best rigs to all frames, and moves them to the result. */
ossa_status ossai_characters_store(ossai_characters *c, ossa_characters_result *result);

#endif
