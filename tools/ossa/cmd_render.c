/* tools/ossa/cmd_render.c: `ossa render`: a rig or a mesh to a PNG.

   Place in the path: the top; uses the public API only.
   Input: a file, frames, turns of joints, the frames that it should reproduce.
   Output: one sheet. */
#include "pose.h"
#include "render.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { TEXT_OUTPUT, TEXT_FRAMES, TEXT_BONE, TEXT_POSE, TEXT_AGAINST, TEXT_STAGE }; /* texts */
enum { TABLE_PICTURE, TABLE_FILES };                                               /* tables */

typedef struct render_work {
	const ossa_picture_options *options;
	ossa_picture_options mesh_options; /* without a rig: what `options` points to */
	const char *path;
	ossa_rig *rig;
	ossa_clip *posed; /* the motion with joints turned, or NULL */
	ossa_frame_stream *against;
	ossa_picture_subject subject;
	render_frames list;
	ossa_picture *picture;
} render_work;

/* ---- the request ---- */

/* other programs expect the ending .png; a pipe has no name */
static ossa_status check_picture_name(command_run *run, const char *path)
{
	struct stat facts;
	const size_t length = strlen(path);
	if (length > 4 && strcasecmp(path + length - 4, ".png") == 0) return OSSA_OK;
	if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT, "%s: pictures are written as PNG; give it the ending .png", path);
}

/* options that have no effect without another one */
static ossa_status check_words(command_run *run, const render_work *work)
{
	const ossa_picture_options *o = work->options;
	const bool against = command_text_value(run, TEXT_AGAINST), bone = command_text_value(run, TEXT_BONE);
	if (!work->path) return command_fail(run, OSSA_ERROR_ARGUMENT, "say where the picture goes: -o FILE.png");
	if (o->color == OSSA_PICTURE_WEIGHTS && !bone)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "whose weights? name the bone: --color weights --bone NAME");
	if (o->color != OSSA_PICTURE_WEIGHTS && bone)
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--bone names the bone whose weights are shown: --color weights --bone NAME");
	if (o->color == OSSA_PICTURE_ERROR && !against) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"errors against what? name the shapes that the motion should match: --against REST POSE..., or an animated file");
	}
	if (o->color == OSSA_PICTURE_ERROR && run->texts[TEXT_POSE].count > 0) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"a pose by --pose has no frame to match, so it has no error; leave --pose or --color error");
	}
	if (o->color != OSSA_PICTURE_CLUSTERS && o->clusters > 0) {
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--clusters says how many clusters are shown: --color clusters --clusters N");
	}
	const bool of_mesh = o->color == OSSA_PICTURE_BONES || o->color == OSSA_PICTURE_PLAIN || o->color == OSSA_PICTURE_AUTO;
	if (command_text_value(run, TEXT_STAGE) && !of_mesh) {
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--stage shows a mesh, which has neither weights nor errors");
	}
	if (run->files.count > 1 && !against) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"\"%s\" is one argument too many; shapes to compare with follow --against", run->files.values[1]);
	}
	return OSSA_OK;
}

/* ---- what is drawn ---- */

/* options that need bones of a file that has none */
static ossa_status check_words_of_mesh(command_run *run, const render_work *work)
{
	const ossa_picture_color color = work->options->color;
	const char *path = run->files.values[0];
	if (color != OSSA_PICTURE_AUTO && color != OSSA_PICTURE_MATERIALS && color != OSSA_PICTURE_PLAIN) {
		return command_fail(run, OSSA_ERROR_INPUT,
			"%s: holds a mesh without a rig, and this --color shows what bones do; use --color materials or plain, or rig the "
			"file first (ossa rig)",
			path);
	}
	if (run->texts[TEXT_POSE].count == 0) return OSSA_OK;
	return command_fail(
		run, OSSA_ERROR_INPUT, "%s: holds a mesh without a rig, so it has no joints for --pose; rig it first (ossa rig)", path);
}

/* a file without a rig as its materials look, or plain where it has none */
static ossa_status read_mesh(command_run *run, render_work *work)
{
	COMMAND_TRY(check_words_of_mesh(run, work));
	work->mesh_options = *work->options;
	work->mesh_options.skeleton = false;
	if (work->options->color == OSSA_PICTURE_AUTO) work->mesh_options.color = OSSA_PICTURE_MATERIALS;
	work->options = &work->mesh_options;
	return render_make_mesh(run, run->files.values[0], &work->rig);
}

/* a rig where the file holds one, else its mesh */
static ossa_status read_file(command_run *run, render_work *work)
{
	const char *path = run->files.values[0];
	const ossa_status status = ossa_read_rig(run->context, path, NULL, &work->rig);
	bool has_rig;
	if (status != OSSA_ERROR_INPUT) return status;
	if (ossa_read_contents(run->context, path, &has_rig, NULL, NULL) != OSSA_OK || has_rig) return status;
	return read_mesh(run, work);
}

/* what the file holds, or what shows a stage; the graph has no skeleton */
static ossa_status read_subject(command_run *run, render_work *work)
{
	const char *stage = command_text_value(run, TEXT_STAGE);
	if (!stage) return read_file(run, work);
	work->mesh_options = *work->options;
	work->mesh_options.skeleton = work->options->skeleton && strcmp(stage, "points") == 0;
	work->options = &work->mesh_options;
	return render_make_stage(run, run->files.values[0], stage, &work->rig);
}

static ossa_status find_bone(command_run *run, render_work *work)
{
	const char *name = command_text_value(run, TEXT_BONE);
	if (!name) return OSSA_OK;
	return pose_find_joint(run, work->rig, name, &work->subject.bone);
}

/* the frames of the rig's own mesh: of the first file where it is alone, else that is the rest
   and the others are poses */
static ossa_status open_against(command_run *run, render_work *work)
{
	const char *first = command_text_value(run, TEXT_AGAINST);
	const command_file_options *files = run->options[TABLE_FILES];
	if (!first) return OSSA_OK;
	if (!work->rig->clip) {
		return command_fail(run, OSSA_ERROR_INPUT, "%s: holds no motion to compare with --against", run->files.values[0]);
	}
	const size_t others = run->files.count - 1;
	return ossa_frame_stream_open_matched(run->context, work->rig->mesh, others > 0 ? first : NULL, others > 0 ? others : 1,
		others > 0 ? run->files.values + 1 : &first, files->keep_order, NULL, &work->against);
}

/* -1 where there is nothing to compare with */
static ossa_status find_worst(command_run *run, const render_work *work, int *worst)
{
	*worst = -1;
	if (!work->against) return OSSA_OK;
	const size_t count = ossa_frame_stream_frame_count(work->against);
	ossa_frame_error *errors = ossa_alloc(run->context, count, sizeof *errors);
	if (!errors) return ossa_context_error(run->context)->status;
	const ossa_status status = ossa_rig_frame_errors(run->context, work->rig, NULL, NULL, work->against, errors);
	for (size_t f = 0; f < count && status == OSSA_OK; f++) {
		if (*worst < 0 || errors[f].max_percent > errors[*worst].max_percent) *worst = (int)f;
	}
	ossa_free(run->context, errors);
	return status;
}

static ossa_status choose_frames(command_run *run, render_work *work)
{
	const char *frames = command_text_value(run, TEXT_FRAMES);
	const size_t there = work->rig->clip ? work->rig->clip->frame_count : 0;
	const bool error = work->options->color == OSSA_PICTURE_ERROR;
	if (!frames) frames = error ? "worst" : "rest";
	int worst = -1;
	if (strstr(frames, "worst")) COMMAND_TRY(find_worst(run, work, &worst));
	return render_read_frames(run, frames, there, worst, &work->list);
}

/* turns joints in the rest pose, or in addition to the frames that are drawn */
static ossa_status turn_joints(command_run *run, render_work *work)
{
	if (run->texts[TEXT_POSE].count == 0) return OSSA_OK;
	size_t rest = 0;
	for (size_t i = 0; i < work->list.count; i++) rest += work->list.frames[i] < 0;
	if (rest > 0 && rest < work->list.count) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--pose turns joints of the rest pose or of frames of the motion; draw one after the other");
	}
	pose_edits edits = {0};
	ossa_clip *base = NULL;
	ossa_status status = pose_read_turns(run, work->rig, "pose", &run->texts[TEXT_POSE], &edits);
	if (status == OSSA_OK && rest > 0) status = ossa_clip_of_rest(run->context, work->rig, 1, 24, &base);
	if (status == OSSA_OK)
		status = ossa_motion_edit_apply(run->context, work->rig, base, edits.count, edits.edits, &work->posed);
	for (size_t i = 0; i < work->list.count && rest > 0; i++) work->list.frames[i] = 0;
	work->list.count = rest > 0 ? 1 : work->list.count;
	work->subject.clip = work->posed;
	ossa_clip_free(run->context, base);
	pose_edits_free(&edits);
	return status;
}

/* ---- ---- */

static ossa_status print_result(command_run *run, const render_work *work)
{
	const ossa_picture *picture = work->picture;
	const bool error = work->options->color == OSSA_PICTURE_ERROR;
	if (!run->shared.json) {
		if (!command_prints_text(run)) return OSSA_OK;
		printf("%s  %zu x %zu pixels", work->path, picture->width, picture->height);
		if (error) printf(", largest error %.3g %% of the diagonal", picture->largest);
		putchar('\n');
		return OSSA_OK;
	}
	json_t *frames = json_array();
	for (size_t i = 0; i < work->list.count; i++) json_array_append_new(frames, json_integer(work->list.frames[i]));
	json_t *value = json_pack("{s:s, s:I, s:I, s:I, s:o, s:f, s:o}", "picture", work->path, "width", (json_int_t)picture->width,
		"height", (json_int_t)picture->height, "frames", (json_int_t)work->list.count, "shown", frames, "seconds",
		command_clock() - run->wall_begin, "warnings", command_json_warnings(run));
	if (error) json_object_set_new(value, "largest_percent", command_json_real(picture->largest));
	return command_print_json(run, value);
}

static ossa_status render(command_run *run, render_work *work)
{
	work->options = run->options[TABLE_PICTURE];
	work->path = command_text_value(run, TEXT_OUTPUT);
	COMMAND_TRY(check_words(run, work));
	COMMAND_TRY(check_picture_name(run, work->path));
	COMMAND_TRY(command_check_output(run, work->path));
	COMMAND_TRY(read_subject(run, work));
	COMMAND_TRY(find_bone(run, work));
	COMMAND_TRY(open_against(run, work));
	COMMAND_TRY(choose_frames(run, work));
	COMMAND_TRY(turn_joints(run, work));
	work->subject.rig = work->rig;
	work->subject.frames = work->against;
	COMMAND_TRY(
		ossa_picture_draw(run->context, &work->subject, work->list.frames, work->list.count, work->options, &work->picture));
	COMMAND_TRY(ossa_picture_write(run->context, work->picture, work->path));
	return print_result(run, work);
}

static ossa_status run_render(command_run *run)
{
	render_work *work = ossa_alloc(run->context, 1, sizeof *work);
	if (!work) return ossa_context_error(run->context)->status;
	const ossa_status status = render(run, work);
	ossa_picture_free(run->context, work->picture);
	ossa_clip_free(run->context, work->posed);
	ossa_frame_stream_free(run->context, work->against);
	ossa_rig_free(run->context, work->rig);
	ossa_free(run->context, work);
	return status;
}

static const ossa_option_group groups[] = {
	{"Picture", "output|frames|bone|pose", "stage"},
	{"Camera", "", ""},
	{"Input", "against", ""},
	{NULL, NULL, NULL},
};

const command_definition command_render = {
	.name = "render",
	.summary = "draw a rig or a mesh as a picture, without a GPU",
	.usage = "FILE -o FILE.png [--against REST|ANIMATION [POSE]...] [OPTION]...",
	.details =
		"Draws the surface as its materials look, or where it has none in the colours of its bones, with bones and "
		"joints over it and the root in yellow; --color bones and --color plain choose. A file without a rig is drawn as its "
		"materials look, or plain. --color weights shows the "
		"weights of one bone; --color error shows the distance of every vertex from the frames that "
		"the motion should match; --color clusters the faces that moved together, as a rig of poses keeps them: as many "
		"clusters as there are bones, or as --clusters says.\n\n"
		"Several frames or views are drawn on one sheet, in the same scale; frames are counted from 1. --pose turns "
		"joints of the rest pose, or of the frames that --frames names. The same rig gives the same bytes on every "
		"machine and with any number of threads.\n\n"
		"--against takes the input of the rig: the rest mesh followed by its poses, or one animated file or cache. "
		"Unless --frames names others, the frame of the largest error is drawn.",
	.examples = "ossa render horse.glb -o horse.png\n"
				"ossa render hero.fbx -o textures.png --views 4\n"
				"ossa render horse.glb -o sheet.png --frames rest,1-21:5 --columns 3\n"
				"ossa render horse.glb -o around.png --views 4 --transparent\n"
				"ossa render man.glb -o thigh.png --color weights --bone thigh_L\n"
				"ossa render horse.glb -o clusters.png --color clusters --clusters 9\n"
				"ossa render horse.obj -o contracted.png --stage last\n"
				"ossa render man.glb -o bent.png --pose 'thigh_L 0 0 45'\n"
				"ossa render horse.glb -o error.png --color error --against rest.obj pose-*.obj\n"
				"ossa render horse.glb -o errors.png --color error --against gallop.glb",
	.files_minimum = 1,
	.files_maximum = SIZE_MAX,
	.groups = groups,
	.texts = {[TEXT_OUTPUT] = {'o', "output", "FILE", false, "the PNG to write", false},
		[TEXT_FRAMES] = {0, "frames", "LIST", false,
			"frames to draw, counted from 1: rest, numbers, ranges, all and worst, such as rest,1,5-8 or 1:21:5 (default rest; "
			"with --color error worst)",
			false},
		[TEXT_BONE] = {0, "bone", "NAME", false, "with --color weights: the bone whose weights are shown", false},
		[TEXT_POSE] = {0, "pose", "'NAME X Y Z'", true,
			"turn a joint by degrees about its own axes, or with one number bend it as its motion does ('calf_L 30'); several "
			"names "
			"are joined by commas",
			false},
		[TEXT_AGAINST] = {0, "against", "FILE", false,
			"with --color error: the rest mesh of the poses that follow, or one animated file or cache", true},
		[TEXT_STAGE] = {0, "stage", "STAGE", false,
			"of a mesh: what the published contraction leaves: the mesh graph (graph), the graph after a number of steps or "
			"the last "
			"one (2, last), or control points and their regions (points)",
			false}},
	.tables = {ossa_picture_option_table, command_file_table},
	.run = run_render,
};
