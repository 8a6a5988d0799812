/* tools/ossa/pose_values.h: the values of the words of `ossa pose`: numbers, angles and frames. */
#ifndef OSSA_POSE_VALUES_H
#define OSSA_POSE_VALUES_H

#include "pose.h"

/* Where values come from: what messages name, and what they are checked against. */
typedef struct pose_source {
	command_run *run;
	const char *option; /* if everything is in the value of one option: its name */
	size_t frame_count; /* of the motion */
} pose_source;

/* The name of a text option, as it is typed. */
const char *pose_spelling(const pose_source *source, size_t text);

/* Records that a text option does not take this value, but one of this form. Returns
   OSSA_ERROR_ARGUMENT. */
ossa_status pose_refuse_value(const pose_source *source, size_t text, const char *value, const char *form);

/* Exactly `count` finite numbers joined by commas, and nothing behind them. */
bool pose_read_numbers(const char *text, double *numbers, size_t count);

/* The rotation of three angles in degrees, or of "rest", which are a part of `value`.
   Errors: OSSA_ERROR_ARGUMENT. */
ossa_status pose_take_angles(const pose_source *source, size_t text, const char *value, const char *angles, double rotation[4]);

/* A frame from 1 on at *at, which moves on; 0 where there is none. */
size_t pose_read_frame(const char **at);

/* Errors: OSSA_ERROR_ARGUMENT: the motion has no such frame. */
ossa_status pose_check_frame(const pose_source *source, size_t text, size_t frame);

#endif
