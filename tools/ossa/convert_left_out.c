/* tools/ossa/convert_left_out.c: what of its input `ossa convert` leaves out.

   Place in the path: `ossa convert`, after its input is read.
   Input: what was read, and the format of the output.
   Output: a sentence for the user. */
#include "clips.h"
#include "convert.h"

#include <stdarg.h>
#include <string.h>

static void leave_out(convert_work *work, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void leave_out(convert_work *work, const char *format, ...)
{
	const size_t used = strlen(work->left_out);
	if (used > 0) snprintf(work->left_out + used, sizeof work->left_out - used, "; ");
	const size_t begin = strlen(work->left_out);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(work->left_out + begin, sizeof work->left_out - begin, format, arguments);
	va_end(arguments);
}

/* why an animation of the input is not in the output, which has neither joints nor frames */
static const char *motion_left_out(const convert_work *work)
{
	if (convert_writes_frames(work)) return "the animation: it moves nothing (--clip takes another)";
	if (work->to->writes_rig) return "the motion, which is not of joints (rig the file, or write a name with #, walk_####.obj)";
	return "the motion (a name with #, walk_####.obj, takes its frames)";
}

bool convert_keeps_file(command_run *run, const convert_work *work)
{
	const ossa_write_options *options = run->options[CONVERT_WRITE];
	const ossa_read_options *chosen = run->options[CONVERT_READ];
	const bool is_moved = options->up == OSSA_UP_Z || options->unit != 1;
	if (work->rig || is_moved || (work->frames && chosen->clip[0])) return false;
	return ossa_write_keeps(work->mesh, work->frames, work->output);
}

static const char *plural(size_t count) { return count > 1 ? "s" : ""; }

/* animations that are not in the rig; a glTF file keeps those that move no joints */
static void find_other_clips(convert_work *work)
{
	command_other_clips others = command_count_others(work->rig, work->clip_count, work->clips);
	if (work->to->keeps_rigged && work->rig->mesh->document && !work->is_retargeted) others.still = 0;
	char words[192];
	command_others_words(others, "other ",
		convert_holds_clips(work) ? "--clip takes another, --clip all takes all" : "--clip takes another", words, sizeof words);
	if (words[0]) leave_out(work, "%s", words);
}

void convert_find_left_out(command_run *run, convert_work *work)
{
	const size_t clips = work->clip_count;
	if (convert_keeps_file(run, work)) return;
	if (work->frames && !convert_writes_frames(work))
		leave_out(work, "the motion (a name with #, walk_####.obj, takes its frames)");
	const bool keeps_rig = work->rig && (work->to->writes_rig || convert_writes_frames(work));
	if (work->has_rig && !work->has_parts && !keeps_rig) leave_out(work, "skeleton and weights");
	if (clips > 0 && !keeps_rig && !work->frames) leave_out(work, "%s", motion_left_out(work));
	if (work->rig) find_other_clips(work);
	else if (work->frames && clips > 1)
		leave_out(work, "%zu other animation%s (--clip takes another)", clips - 1, plural(clips - 1));
	if (work->rig && ossa_rig_clip_count(work->rig) > 1 && !convert_holds_clips(work)) {
		char names[200];
		leave_out(work, "the animations %s, which a file of this format does not hold",
			command_clip_names(work->rig, names, sizeof names));
	}
}
