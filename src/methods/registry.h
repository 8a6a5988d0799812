/* methods/registry.h: the registry of methods: a row for each, with its description and the
   function that makes a rig by it.

   Place in the path: the methods -> here -> choose, make_rig. */
#ifndef OSSAI_METHODS_REGISTRY_H
#define OSSAI_METHODS_REGISTRY_H

#include <ossa/frames.h>
#include <ossa/method.h>

/* frames: at least one for a method that takes motion, else NULL. options: the method's struct. */
typedef ossa_status (*ossai_rig_maker)(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const void *options, ossa_rig **rig);

/* A rig that is begun: draft.h. */
typedef struct ossai_draft ossai_draft;

/* How a draft is begun. */
typedef struct ossai_draft_start {
	bool is_face;                   /* bones move freely: OSSA_ARTICULATION_FACE */
	bool has_errors;                /* the frames: see ossai_moving_options */
	int draft_exchanges, exchanges; /* likewise */
	/* an earlier draft for the same mesh and frames, which has to be ended later; or NULL */
	const ossai_draft *earlier;
} ossai_draft_start;

/* Begins a draft by a method. options: its struct, without `refine 0`. ossai_draft_end frees the
   draft, after a failure, too. Errors: those of the method. */
typedef ossa_status (*ossai_drafter)(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames,
	const void *options, const ossai_draft_start *start, ossai_draft *draft);

typedef struct ossai_method_row {
	ossa_method method;
	/* the method is tried where none is named, in the order of the rows; else it has to be named,
	   by its name or by options that only it has */
	bool is_tried;
	ossai_rig_maker make;
	ossai_drafter draft; /* NULL: the method is compared by whole rigs */
} ossai_method_row;

/* The row of a method, NULL behind the last. */
const ossai_method_row *ossai_method_row_at(size_t index);

/* Which row is the method's; the number of rows for another name. */
size_t ossai_method_index(const char *name);

/* The choices of the option --method: "auto|examples|...". */
extern const char ossai_method_choices[];

#endif
