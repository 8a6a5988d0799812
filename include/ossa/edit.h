/* ossa/edit.h: changes to a rig as values: a history with undo and redo, a log that replays to the
   same bytes, and solving again what depends on them. `ossa edit` and the studio use it.

   An edit has one line of text: a verb and its words ("split thigh_L 0.4", "forbid hand_L hips").
   The lines are the log. Bones are named by their names; after a rename by the new ones.
   Positions are in the mesh's units at rest, as in ossa_bone. */
#ifndef OSSA_EDIT_H
#define OSSA_EDIT_H

#include <ossa/metrics.h>
#include <ossa/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ossa_edit_kind {
	/* changes of the skeleton: weights are updated at once by simple rules; solving fits them */
	/* add BONE X Y Z [NAME]: a branch of BONE that begins nearest on it and ends at the point */
	OSSA_EDIT_ADD = 0,
	/* split BONE [SHARE [NAME]]: in two, at a share of its length (0.5), or where solving finds
	   two motions */
	OSSA_EDIT_SPLIT,
	/* remove BONE: its children and weights go to its parent, the root's to its first child */
	OSSA_EDIT_REMOVE,
	OSSA_EDIT_MERGE,   /* merge BONE OTHER: two that meet become one, named BONE */
	OSSA_EDIT_MOVE,    /* move BONE X Y Z: its joint */
	OSSA_EDIT_TAIL,    /* tail BONE X Y Z: the end of a leaf */
	OSSA_EDIT_CONNECT, /* connect BONE PARENT: becomes the child of PARENT */
	OSSA_EDIT_ROOT,    /* root BONE: the tree is directed so that BONE is the root */
	OSSA_EDIT_RENAME,  /* rename BONE NAME */
	/* mirror BONE: it and its descendants are reflected in the shape's plane of symmetry,
	   replacing the bones there */
	OSSA_EDIT_MIRROR,
	/* limits BONE XMIN XMAX YMIN YMAX ZMIN ZMAX: degrees; limits BONE none */
	OSSA_EDIT_LIMITS,
	OSSA_EDIT_INDEPENDENT, /* independent BONE: it turns on its own (ossa/dependencies.h) */
	/* constraints on solving, which can be switched off */
	OSSA_EDIT_LOCK,     /* lock weights|joint BONE: solving keeps it as it is now */
	OSSA_EDIT_FORBID,   /* forbid BONE OTHER: never parent and child */
	OSSA_EDIT_APART,    /* apart BONE OTHER: never merged by solving */
	OSSA_EDIT_TOGETHER, /* together BONE OTHER: one motion; merged when solved */
	/* paint BONE FACES: these faces (numbers from 0 on: "12,40-55") move with BONE alone */
	OSSA_EDIT_PAINT,
	/* relax N: switches constraint N (from 1 on, as they were made) off, or on again */
	OSSA_EDIT_RELAX,
	/* solving */
	/* solve [all]: what depends on the edits since it was last solved; all: everything */
	OSSA_EDIT_SOLVE
} ossa_edit_kind;

#define OSSA_EDIT_NAME_SIZE 64

/* One edit. Fields that a kind does not name are zero. */
typedef struct ossa_edit {
	ossa_edit_kind kind;
	char bone[OSSA_EDIT_NAME_SIZE];
	char other[OSSA_EDIT_NAME_SIZE]; /* OTHER, PARENT */
	char name[OSSA_EDIT_NAME_SIZE];  /* NAME, "" to be found */
	double position[3];
	double share;        /* of the bone's length; 0: where solving finds it */
	double limits[3][2]; /* all zero with `off` */
	bool off;            /* LIMITS: none any more */
	bool all;            /* SOLVE */
	bool weights;        /* LOCK: the weights, else the joint */
	size_t number;       /* RELAX */
	size_t face_count;   /* PAINT */
	uint32_t *faces;     /* rising; the editor copies what it is given */
} ossa_edit;

/* A verb as data: for help, forms and the manual. */
typedef struct ossa_edit_verb {
	const char *verb;  /* "split" */
	const char *words; /* "BONE [SHARE [NAME]]" */
	const char *help;  /* one sentence */
	bool constrains;   /* it is kept as a constraint */
} ossa_edit_verb;

OSSA_API size_t ossa_edit_verb_count(void);
OSSA_API const ossa_edit_verb *ossa_edit_verb_at(size_t index); /* in the order of ossa_edit_kind */

/* Reads a line; words are separated by blanks or commas.
   Errors: OSSA_ERROR_ARGUMENT naming the word and what is wanted in its place.
   Ownership: the faces with ossa_edit_clear. */
OSSA_API ossa_status ossa_edit_parse(ossa_context *context, const char *line, ossa_edit *edit);

/* The line of an edit, such that parsing gives it again bit by bit.
   Ownership: `line` with ossa_free. */
OSSA_API ossa_status ossa_edit_print(ossa_context *context, const ossa_edit *edit, char **line);

OSSA_API void ossa_edit_clear(ossa_context *context, ossa_edit *edit);

/* What a solution changed. */
typedef struct ossa_solve_facts {
	bool weights, tree, joints, motion; /* which were solved */
	size_t bones_changed;               /* whose weights, joints or parents changed */
	size_t vertices_changed;            /* whose weights changed by more than 1e-4 */
	/* against the editor's frames; without them weights and joints only */
	ossa_metrics before, after;
	double cpu_seconds;
} ossa_solve_facts;

/* A constraint as it stands in the list. */
typedef struct ossa_constraint {
	size_t edit; /* index of the edit that made it, from 0 on */
	bool is_on;
	const char *line; /* the editor's */
} ossa_constraint;

/* A rig with its history. */
typedef struct ossa_editor ossa_editor;

/* Begins with a copy of `rig`. frames: what its motion is to reproduce (F x the rig's vertices), or
   NULL: nothing, or the rig's own motion. They are not copied and must live as long.
   Errors: OSSA_ERROR_INPUT (no mesh, no bones, another number of vertices), OSSA_ERROR_MEMORY.
   Ownership: ossa_editor_free. */
OSSA_API ossa_status ossa_editor_create(
	ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_editor **editor);
OSSA_API void ossa_editor_free(ossa_context *context, ossa_editor *editor);

/* Does an edit and drops those that were undone. After a failure nothing has changed.
   Errors: OSSA_ERROR_ARGUMENT saying what is wrong and what would be right, OSSA_ERROR_MEMORY,
   OSSA_ERROR_CANCELLED. */
OSSA_API ossa_status ossa_editor_do(ossa_context *context, ossa_editor *editor, const ossa_edit *edit);

/* The same for a line. */
OSSA_API ossa_status ossa_editor_do_line(ossa_context *context, ossa_editor *editor, const char *line);

/* Undoes one edit, or does it again.
   Errors: OSSA_ERROR_ARGUMENT where there is none, OSSA_ERROR_MEMORY. */
OSSA_API ossa_status ossa_editor_undo(ossa_context *context, ossa_editor *editor);
OSSA_API ossa_status ossa_editor_redo(ossa_context *context, ossa_editor *editor);

/* The rig as it is now: the editor's, until the next call that changes it. */
OSSA_API const ossa_rig *ossa_editor_rig(const ossa_editor *editor);

/* The edits that are done, followed by those that were undone and can be done again. */
OSSA_API size_t ossa_editor_done_count(const ossa_editor *editor);
OSSA_API size_t ossa_editor_undone_count(const ossa_editor *editor);
/* done, then undone */
OSSA_API const char *ossa_editor_line(const ossa_editor *editor, size_t index);

/* Whether edits since the last solution ask for another. */
OSSA_API bool ossa_editor_is_stale(const ossa_editor *editor);

OSSA_API size_t ossa_editor_constraint_count(const ossa_editor *editor);
OSSA_API ossa_constraint ossa_editor_constraint(const ossa_editor *editor, size_t index);

/* What the last solution changed, or NULL where there is none. */
OSSA_API const ossa_solve_facts *ossa_editor_facts(const ossa_editor *editor);

/* The done edits as text, a line each, under a first line that names the format and the rig's size
   ("ossa edits 1: 5000 vertices, 24 bones"). Replaying it on the same rig gives the same bytes.
   Ownership: `text` with ossa_free. */
OSSA_API ossa_status ossa_editor_log(ossa_context *context, const ossa_editor *editor, char **text);

/* Does all lines of a log; empty ones and those that begin with # are passed over.
   Errors: OSSA_ERROR_INPUT naming the line, or where the log is of a rig of another size; the
   edits before it stay done. */
OSSA_API ossa_status ossa_editor_replay(ossa_context *context, ossa_editor *editor, const char *text);

/* The same to and from a file.
   Errors: OSSA_ERROR_WRITE; OSSA_ERROR_READ, OSSA_ERROR_INPUT naming file and line. */
OSSA_API ossa_status ossa_editor_write_log(ossa_context *context, const ossa_editor *editor, const char *path);
OSSA_API ossa_status ossa_editor_replay_file(ossa_context *context, ossa_editor *editor, const char *path);

#ifdef __cplusplus
}
#endif
#endif
