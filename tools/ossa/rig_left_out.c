/* tools/ossa/rig_left_out.c: which animations of its input `ossa rig` leaves out.

   Place in the path: `ossa rig`, after its files are written.
   Input: the file, the frames that the rig was made from.
   Output: a sentence for the user. */
#include "clips.h"
#include "rig_work.h"

#include <string.h>

static bool is_taken(const rig_work *work, const char *name)
{
	for (size_t i = 0; i < ossa_frame_stream_take_count(work->stream); i++) {
		if (strcmp(ossa_frame_stream_take(work->stream, i).name, name) == 0) return true;
	}
	return false;
}

/* A glTF file keeps what moves morph targets alone; warnings about its scene name what moves
   neither joints nor these. */
static command_other_clips count_others(
	const command_run *run, const rig_work *work, size_t count, const ossa_clip_facts *clips)
{
	command_other_clips others = {0, 0};
	bool keeps_all = work->rig->mesh->document != NULL;
	for (size_t i = 0; i < work->output_count; i++) {
		const ossa_write_format *format = NULL;
		keeps_all &= ossa_write_detect(run->context, work->outputs[i], &format) == OSSA_OK && format->keeps_rigged;
	}
	for (size_t i = 0; i < count; i++) {
		if (is_taken(work, clips[i].name)) continue;
		if (clips[i].moves_joints || clips[i].moves_parts) others.moving++;
		else if (clips[i].moves_shapes && !keeps_all) others.still++;
	}
	return others;
}

ossa_status rig_find_left_out(command_run *run, rig_work *work)
{
	ossa_clip_facts *clips = NULL;
	size_t count = 0;
	/* frames of one file that is animated */
	if (!work->stream || !work->rest || work->pose_count > 0 || strchr(work->rest, '#')) return OSSA_OK;
	COMMAND_TRY(ossa_read_contents(run->context, work->rest, NULL, &count, &clips));
	command_others_words(count_others(run, work, count, clips), "other ", "--clip takes another, --clip all takes all",
		work->left_out, sizeof work->left_out);
	ossa_free(run->context, clips);
	return OSSA_OK;
}
