/* tools/ossa/convert.h: what the files of `ossa convert` share: the work, and what its output
   holds. */
#ifndef OSSA_CONVERT_H
#define OSSA_CONVERT_H

#include "command.h"
#include "retarget.h"

/* texts */
enum { CONVERT_MOTION, CONVERT_MAP, CONVERT_REPORT };
/* tables */
enum { CONVERT_OWN, CONVERT_CLIPS, CONVERT_FILES, CONVERT_READ, CONVERT_RETARGET, CONVERT_WRITE, CONVERT_TARGET };

/* what was read: a rig, or a mesh with or without frames, or frames alone */
typedef struct convert_work {
	const char *const *inputs;
	size_t input_count;
	const char *output;
	ossa_retarget_map *map; /* or NULL */
	const ossa_read_format *from;
	const ossa_write_format *to;
	ossa_rig *rig;
	ossa_mesh *mesh;
	ossa_frames *frames;
	bool has_rig; /* the input, where it is one file */
	/* its rig would be made of rigidly moving parts: it has no joints */
	bool has_parts;
	size_t clip_count; /* the animations of the file that moves */
	ossa_clip_facts *clips;
	command_loop_gap loop; /* the largest difference that a loop was closed over */
	char left_out[512];    /* what of the input is not in the output; "" for nothing */
	bool is_retargeted;    /* with --motion */
	ossa_retarget_facts facts;
} convert_work;

static inline bool convert_writes_frames(const convert_work *work)
{
	return work->to->writes_frames || ossa_write_is_numbered(work->output);
}

/* whether the output holds several motions of a rig */
static inline bool convert_holds_clips(const convert_work *work)
{
	return work->to->writes_clips && work->to->writes_rig && !ossa_write_is_numbered(work->output);
}

/* Whether what was read without a rig is written as the file that it was; of animations that is so
   unless one was asked for. */
bool convert_keeps_file(command_run *run, const convert_work *work);

/* Says in left_out what of the input is not in what was read of it. */
void convert_find_left_out(command_run *run, convert_work *work);

#endif
