/* tools/ossa/rig_work.h: what the files of `ossa rig` share: the work, and its result in print. */
#ifndef OSSA_RIG_WORK_H
#define OSSA_RIG_WORK_H

#include "command.h"

/* texts */
enum {
	RIG_OUTPUT,
	RIG_REST,
	RIG_CHARACTER,
	RIG_REPORT,
	RIG_WITH,
	RIG_SKELETON,
	RIG_SOLVE,
	RIG_LOCK,
	RIG_ADD_BONES,
	RIG_DELTA_MUSH,
	RIG_FORBID,
	RIG_APART,
	RIG_TOGETHER,
	RIG_LIMITS,
	RIG_LANDMARKS,
	RIG_CURVE
};
/* tables */
enum { RIG_FILES, RIG_READ, RIG_WRITE, RIG_TARGET, RIG_TAKES, RIG_SHAPES };

/* what becomes of frames that are of several takes */
typedef struct rig_take_options {
	bool one_motion;
} rig_take_options;

/* what is solved for where bones are given */
typedef struct rig_given {
	const char *path; /* the file of the bones; NULL: none, a rig is made */
	/* says what is solved for: else what the file does not have */
	bool is_asked;
	bool weights, joints, motion;
	bool hinges;   /* the motion turns them about their axis alone */
	int mush;      /* rounds of delta mush that the frames get; 0: none */
	bool binds;    /* weights by the shape first, in place of those of the file */
	bool is_bound; /* the bones got weights by the shape first */
	bool is_fitted;
	ossa_fit_facts facts;
} rig_given;

/* what a run reads, makes and writes */
typedef struct rig_work {
	const char *rest; /* NULL with given bones, unless --rest says it */
	const char *const *poses;
	size_t pose_count;
	char default_output[512];
	const char *only_output[1];
	const char *const *outputs;
	size_t output_count;
	ossa_mesh *mesh;
	ossa_frame_stream *stream;
	ossa_rig *rig;
	/* the result; its rig is the one above, NULL where that was read from a file */
	ossa_rig_result made;
	rig_given given;
	ossa_fit_options fit_options;         /* with given bones */
	ossa_motion_fit *fit;                 /* likewise */
	double level_rms[COMMAND_LEVELS_MAX]; /* of coarser levels, % of the diagonal; NAN: not known */
	ossa_limits *limits;                  /* of the table of limits */
	ossa_shape_facts shapes;              /* where corrective shapes were asked for */
	double *shape_bone_rms;               /* B: with these */
	/* with constraints: what holds the rig above, and the frames that it was solved for, or NULL */
	ossa_editor *editor;
	ossa_frames *frames;
	ossa_frame_stream *rough; /* what the stream smooths by delta mush; NULL: none */
	char left_out[192];       /* animations of the input that the outputs lack; "" for none */
	ossa_report report;
} rig_work;

/* Fills left_out once there is a rig. */
ossa_status rig_find_left_out(command_run *run, rig_work *work);

/* How many motions are written: 1, or one for each take of the frames. */
size_t rig_take_count(const command_run *run, const rig_work *work);

/* The result as a JSON object. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_WRITE. */
ossa_status rig_print_json(command_run *run, const rig_work *work);

/* The result as a table for people. */
void rig_print_table(const command_run *run, const rig_work *work);

#endif
