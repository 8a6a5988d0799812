/* tools/ossa/pose.h: what `ossa pose` shares between its words, its tables and its outputs. */
#ifndef OSSA_POSE_H
#define OSSA_POSE_H

#include "command.h"

/* the texts of command_pose */
enum {
	POSE_OUTPUT,
	POSE_JOINT,
	POSE_ROTATE,
	POSE_BEND,
	POSE_SET,
	POSE_KEY,
	POSE_SCALE,
	POSE_SLIDE,
	POSE_MOVE,
	POSE_AT,
	POSE_EASE,
	POSE_ABOUT
};

/* The edits of the command line, in its order. */
typedef struct pose_edits {
	size_t count, capacity;
	ossa_motion_edit *edits;
	ossa_motion_key *keys; /* of all edits with keys */
} pose_edits;

/* Makes edits of the words of the command line, for a motion of `frame_count` frames; axes of
   bending come from the rig's own motion. Errors: OSSA_ERROR_ARGUMENT naming the word.
   Ownership: pose_edits_free, also after a failure. */
ossa_status pose_read_words(command_run *run, const ossa_rig *rig, size_t frame_count, pose_edits *edits);

/* The bone of that name, in any case of letters where only one is meant. Errors:
   OSSA_ERROR_ARGUMENT with the nearest name. */
ossa_status pose_find_joint(command_run *run, const ossa_rig *rig, const char *name, size_t *bone);

/* Makes edits of the turns in the values of one option (named for messages): "NAME X Y Z"
   or "NAME DEGREES", several names joined by commas. Errors and ownership as above. */
ossa_status pose_read_turns(
	command_run *run, const ossa_rig *rig, const char *option, const command_values *turns, pose_edits *edits);
void pose_edits_free(pose_edits *edits);

/* One line for each edit as it was typed; the same as a JSON array. */
void pose_print_words(const command_run *run);
json_t *pose_words_as_json(const command_run *run);

/* Every joint of the rig with the range of its motion and its limits. */
ossa_status pose_print_joints(command_run *run, const ossa_rig *rig);
json_t *pose_joints_as_json(const ossa_rig *rig);

#endif
