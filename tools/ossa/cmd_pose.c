/* tools/ossa/cmd_pose.c: `ossa pose`: poses joints and edits motion.

   Place in the path: the top.
   Input: a rig, edits in the order typed (pose_words.c).
   Output: the rig with the edited motion, its vertices in all frames, or its mesh in one. */
#include "clips.h"
#include "pose.h"

#include <stddef.h>
#include <string.h>

enum { POSE_OWN, POSE_READ, POSE_WRITE }; /* tables */
enum { LIMITS_WARN, LIMITS_CLAMP, LIMITS_IGNORE };

typedef struct pose_options {
	bool rest;
	int limits;
	bool close_loops;
	double speed;
	int frame;
	bool list;
} pose_options;

static const ossa_option_table *pose_table(void)
{
	static const pose_options defaults = {false, LIMITS_WARN, true, 1, 0, false};
	static const ossa_option options[] = {
		{"rest", OSSA_OPTION_BOOL, offsetof(pose_options, rest), 0, 1, "", "",
			"begin with the rest pose as one frame, not with the motion of the file", ""},
		{"limits", OSSA_OPTION_CHOICE, offsetof(pose_options, limits), 0, 0, "", "warn|clamp|ignore",
			"what happens to turns and slides beyond a joint's limits: a warning, cut to the limits (of all joints, in all "
			"frames), or "
			"nothing",
			""},
		{"close-loops", OSSA_OPTION_BOOL, offsetof(pose_options, close_loops), 0, 1, "", "",
			"where joints of a loop (`ossa rig --json` lists loops) are posed, turn its other joints so that it stays closed",
			""},
		{"speed", OSSA_OPTION_DOUBLE, offsetof(pose_options, speed), 1e-3, 1e3, "", "",
			"the factor by which the motion plays faster", ""},
		{"frame", OSSA_OPTION_INT, offsetof(pose_options, frame), 0, 1 << 30, "", "",
			"the frame that a mesh (.obj, .ply ...) is written in, counted from 1; 0: the only one", ""},
		{"list", OSSA_OPTION_BOOL, offsetof(pose_options, list), 0, 1, "", "",
			"print the joints: how much they turn after the edits, their limits, the axes about which they bend", ""},
	};
	static const ossa_option_table table = {
		"pose", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(pose_options)};
	return &table;
}

/* what one output writes of the rig */
typedef enum pose_content { CONTENT_RIG, CONTENT_FRAMES, CONTENT_MESH } pose_content;

typedef struct pose_work {
	const pose_options *own;
	ossa_rig *rig;
	pose_edits edits;
	size_t frame;       /* of mesh outputs, counted from 0 */
	bool moves;         /* an output holds motion */
	bool shows;         /* an output is of vertices alone */
	bool forgets;       /* an output is not the file itself with another rig */
	char left_out[192]; /* what of the file is not in the outputs; "" for nothing */
} pose_work;

static pose_content content_of(const ossa_write_format *format, const char *path)
{
	if (ossa_write_is_numbered(path)) return CONTENT_FRAMES;
	if (format->writes_rig) return CONTENT_RIG;
	return format->writes_frames ? CONTENT_FRAMES : CONTENT_MESH;
}

/* ---- before the work ---- */

static ossa_status check_outputs(command_run *run, pose_work *work)
{
	const command_values *outputs = &run->texts[POSE_OUTPUT];
	bool meshes = false;
	if (outputs->count == 0 && !work->own->list)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "name the output with -o FILE, or list the joints with --list");
	for (size_t i = 0; i < outputs->count; i++) {
		const ossa_write_format *format = NULL;
		COMMAND_TRY(ossa_write_detect(run->context, outputs->values[i], &format));
		COMMAND_TRY(command_check_output(run, outputs->values[i]));
		const bool mesh = content_of(format, outputs->values[i]) == CONTENT_MESH;
		meshes = meshes || mesh;
		work->moves = work->moves || !mesh;
		work->shows = work->shows || content_of(format, outputs->values[i]) != CONTENT_RIG;
		work->forgets = work->forgets || !format->keeps_rigged;
	}
	if (work->own->frame > 0 && !meshes) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--frame chooses the frame of a mesh, and no output is one (.obj, .ply, .off, .stl); edits have --at, and --frames "
			"10:20 takes a part of the motion");
	}
	return OSSA_OK;
}

/* the frame of a mesh output; where there are several the user must choose */
static ossa_status choose_frame(command_run *run, pose_work *work)
{
	const size_t count = work->rig->clip->frame_count, asked = (size_t)work->own->frame;
	work->frame = asked > 0 ? asked - 1 : 0;
	if (asked > count) {
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--frame: there is no frame %zu; the motion has %zu, counted from 1", asked, count);
	}
	if (asked > 0 || count == 1) return OSSA_OK;
	for (size_t i = 0; i < run->texts[POSE_OUTPUT].count; i++) {
		const char *path = run->texts[POSE_OUTPUT].values[i];
		const ossa_write_format *format = NULL;
		COMMAND_TRY(ossa_write_detect(run->context, path, &format));
		if (content_of(format, path) != CONTENT_MESH) continue;
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"%s: is one mesh, but the motion has %zu frames; choose one with --frame, or name a file for each: pose_####.obj",
			path, count);
	}
	return OSSA_OK;
}

/* ---- the work ---- */

static bool begins_at_rest(const pose_work *work)
{
	return work->own->rest || !work->rig->clip || work->rig->clip->frame_count == 0;
}

/* a file may hold more than the one motion that is edited */
static ossa_status find_left_out(command_run *run, pose_work *work)
{
	ossa_clip_facts *clips = NULL;
	size_t count = 0;
	if (!work->moves) return OSSA_OK;
	COMMAND_TRY(ossa_read_contents(run->context, run->files.values[0], NULL, &count, &clips));
	command_other_clips others = command_count_others(work->own->rest ? NULL : work->rig, count, clips);
	ossa_free(run->context, clips);
	if (work->rig->mesh->document && !work->forgets) others.still = 0;
	command_others_words(others, work->own->rest ? "" : "other ", work->own->rest ? "--rest" : "--clip takes another",
		work->left_out, sizeof work->left_out);
	return OSSA_OK;
}

static ossa_status check_mesh(command_run *run, const pose_work *work)
{
	if (!work->shows || work->rig->mesh->vertex_count > 0) return OSSA_OK;
	return command_fail(
		run, OSSA_ERROR_INPUT, "%s: is a skeleton alone, without a mesh whose vertices could be written", run->files.values[0]);
}

static ossa_status check_limits(command_run *run, const pose_work *work)
{
	if (work->own->limits != LIMITS_CLAMP) return OSSA_OK;
	for (size_t b = 0; b < work->rig->skeleton.bone_count; b++) {
		if (work->rig->skeleton.bones[b].has_limits) return OSSA_OK;
	}
	return command_fail(run, OSSA_ERROR_INPUT,
		"%s: no joint has limits to clamp to; `ossa convert` into a .glb or .dae gives joints the limits of their motion",
		run->files.values[0]);
}

/* edits are parsed before the motion is replaced: the axes of bending come from the file's
   motion, also where the edits start from the rest pose */
static ossa_status read_work(command_run *run, pose_work *work)
{
	COMMAND_TRY(ossa_read_rig(run->context, run->files.values[0], run->options[POSE_READ], &work->rig));
	COMMAND_TRY(find_left_out(run, work));
	COMMAND_TRY(check_mesh(run, work));
	COMMAND_TRY(check_limits(run, work));
	const bool at_rest = begins_at_rest(work);
	COMMAND_TRY(pose_read_words(run, work->rig, at_rest ? 1 : work->rig->clip->frame_count, &work->edits));
	if (!at_rest) return OSSA_OK;
	ossa_clip *rest = NULL;
	COMMAND_TRY(ossa_clip_of_rest(run->context, work->rig, 1, 24, &rest));
	const ossa_status status = ossa_rig_set_clips(run->context, work->rig, 1, &rest);
	if (status != OSSA_OK) ossa_clip_free(run->context, rest);
	return status;
}

static ossa_status apply(command_run *run, pose_work *work, size_t count, const ossa_motion_edit *edits)
{
	ossa_clip *edited = NULL;
	if (count == 0) return OSSA_OK;
	COMMAND_TRY(ossa_motion_edit_apply(run->context, work->rig, NULL, count, edits, &edited));
	ossa_clip_free(run->context, work->rig->clip);
	work->rig->clip = edited;
	return OSSA_OK;
}

/* the edits that were typed; then turns are clamped, and loops are closed within the limits */
static ossa_status apply_turns(command_run *run, pose_work *work)
{
	size_t count = work->edits.count;
	ossa_motion_edit *list = ossa_alloc(run->context, count + 2, sizeof *list);
	if (!list) return ossa_context_error(run->context)->status;
	if (count > 0) memcpy(list, work->edits.edits, count * sizeof *list);
	if (work->own->limits == LIMITS_CLAMP) list[count++] = ossa_motion_edit_default(OSSA_MOTION_CLAMP, OSSA_ALL_BONES);
	if (work->own->close_loops) list[count++] = ossa_motion_edit_default(OSSA_MOTION_CLOSE, OSSA_ALL_BONES);
	const ossa_status status = apply(run, work, count, list);
	ossa_free(run->context, list);
	return status;
}

static ossa_status apply_edits(command_run *run, pose_work *work)
{
	ossa_clip *before = NULL;
	COMMAND_TRY(ossa_clip_copy(run->context, work->rig->clip, &before));
	ossa_status status = apply_turns(run, work);
	if (status == OSSA_OK && work->own->limits == LIMITS_WARN)
		ossa_rig_warn_past_limits(run->context, work->rig, before, work->rig->clip);
	ossa_clip_free(run->context, before);
	ossa_motion_edit speed = ossa_motion_edit_default(OSSA_MOTION_RETIME, OSSA_ALL_BONES);
	speed.factor = work->own->speed;
	if (status == OSSA_OK && work->own->speed != 1) status = apply(run, work, 1, &speed);
	return status;
}

/* ---- outputs ---- */

static ossa_status write_frames(command_run *run, const pose_work *work, const char *path)
{
	ossa_frames *frames = NULL;
	COMMAND_TRY(ossa_rig_frames(run->context, work->rig, NULL, &frames));
	const ossa_status status = ossa_write_frames(run->context, work->rig->mesh, frames, path, run->options[POSE_WRITE]);
	ossa_frames_free(run->context, frames);
	return status;
}

static ossa_status write_mesh(command_run *run, const pose_work *work, const char *path)
{
	const ossa_rig *rig = work->rig;
	float *positions = ossa_alloc(run->context, rig->mesh->vertex_count, 3 * sizeof *positions);
	if (!positions) return ossa_context_error(run->context)->status;
	ossa_status status = ossa_rig_pose(run->context, rig, NULL, rig->clip, work->frame, positions);
	if (status == OSSA_OK) status = ossa_write_mesh(run->context, rig->mesh, positions, path, run->options[POSE_WRITE]);
	ossa_free(run->context, positions);
	return status;
}

static ossa_status write_outputs(command_run *run, const pose_work *work)
{
	for (size_t i = 0; i < run->texts[POSE_OUTPUT].count; i++) {
		const char *path = run->texts[POSE_OUTPUT].values[i];
		const ossa_write_format *format = NULL;
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(ossa_write_detect(run->context, path, &format));
		switch (content_of(format, path)) {
		case CONTENT_RIG: COMMAND_TRY(ossa_write_rig(run->context, work->rig, path, run->options[POSE_WRITE])); break;
		case CONTENT_FRAMES: COMMAND_TRY(write_frames(run, work, path)); break;
		case CONTENT_MESH: COMMAND_TRY(write_mesh(run, work, path)); break;
		}
	}
	return OSSA_OK;
}

static ossa_status print_result(command_run *run, const pose_work *work)
{
	const ossa_rig *rig = work->rig;
	const command_values *outputs = &run->texts[POSE_OUTPUT];
	if (run->shared.json) {
		json_t *files = json_array();
		for (size_t i = 0; i < outputs->count; i++) json_array_append_new(files, json_string(outputs->values[i]));
		return command_print_json(run,
			json_pack("{s:s, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "rig", run->files.values[0], "bones",
				(json_int_t)rig->skeleton.bone_count, "frames", (json_int_t)rig->clip->frame_count, "edits",
				pose_words_as_json(run), "joints", work->own->list ? pose_joints_as_json(rig) : json_null(), "files", files,
				"left_out", work->left_out[0] ? json_string(work->left_out) : json_null(), "warnings",
				command_json_warnings(run)));
	}
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %s: %zu bones, %zu frame%s\n", "rig", run->files.values[0], rig->skeleton.bone_count, rig->clip->frame_count,
		rig->clip->frame_count == 1 ? "" : "s");
	if (work->left_out[0]) printf("%-10s %s\n", "left out", work->left_out);
	pose_print_words(run);
	for (size_t i = 0; i < outputs->count; i++) printf("%-10s %s\n", "wrote", outputs->values[i]);
	if (!work->own->list) return OSSA_OK;
	putchar('\n');
	return pose_print_joints(run, rig);
}

static ossa_status pose(command_run *run, pose_work *work)
{
	COMMAND_TRY(check_outputs(run, work));
	COMMAND_TRY(read_work(run, work));
	COMMAND_TRY(choose_frame(run, work));
	COMMAND_TRY(apply_edits(run, work));
	COMMAND_TRY(write_outputs(run, work));
	return print_result(run, work);
}

static ossa_status run_pose(command_run *run)
{
	pose_work work = {.own = run->options[POSE_OWN]};
	const ossa_status status = pose(run, &work);
	pose_edits_free(&work.edits);
	ossa_rig_free(run->context, work.rig);
	return status;
}

static const ossa_option_group groups[] = {
	{"Joints", "list|joint", ""},
	{"Edits", "rotate|bend|key", "set|scale|slide|move"},
	{"Timing", "at|ease", "about"},
	{"Motion", "rest|frame", "limits|close-loops|speed"},
	{"Input", "", ""},
	{"Output", "output", ""},
	{NULL, NULL, NULL},
};

const command_definition command_pose = {
	.name = "pose",
	.summary = "pose joints, edit a motion",
	.usage = "RIG [-o OUT]... [--joint NAME EDIT...]... [OPTIONS]",
	.details =
		"--joint names a joint; the edits that follow are for it. --at, --ease and --about belong to the edit before "
		"them. Edits are applied in the order of the command line. Angles are degrees about the joint's own axes at rest, "
		"in the order x, y, z. Frames are counted from 1.\n\n"
		"OUT is the rig with the edited motion (.glb, .dae, .fbx ...), its vertices in all frames (.pc2, .mdd, "
		"pose_####.obj), or its mesh in one frame (.obj, .ply ... with --frame).",
	.more = "A rig without motion is posed from its rest pose. Frames are counted after --frames took a part of the motion.\n\n"
			"--list prints the joints' names, turns, limits, and the axis about which each bends.",
	.examples = "ossa pose man.glb --list\n"
				"ossa pose man.glb -o bent.glb --joint lowerarm_L --bend 60\n"
				"ossa pose man.glb -o bent.obj --rest --joint calf_R --bend 45\n"
				"ossa pose walk.glb -o wave.glb -j upperarm_R --rotate 0,0,70 --at 10:20\n"
				"ossa pose walk.glb -o nod.glb -j head --key 5=rest --key 10=25,0,0 --ease 3\n"
				"ossa pose walk.glb -o calm.glb -j all --scale 0.6 -j pelvis --move 0,0.1,0",
	.files_minimum = 1,
	.files_maximum = 1,
	.groups = groups,
	.texts = {[POSE_OUTPUT] = {'o', "output", "FILE", true, "write the result to FILE; its ending selects the format", false},
		[POSE_JOINT] = {'j', "joint", "NAME", true,
			"the joint that the following edits are for; several separated by commas, or all", false},
		[POSE_ROTATE] = {0, "rotate", "X,Y,Z", true, "turn it by so many degrees, in addition to its motion", false},
		[POSE_BEND] = {0, "bend", "DEGREES", true,
			"bend it about the axis about which it bends in its motion (--list shows it); more for angles above 0", false},
		[POSE_SET] = {0, "set", "X,Y,Z|rest", true, "hold it at these angles from its rest pose, without its motion", false},
		[POSE_KEY] = {0, "key", "K=X,Y,Z|rest", true,
			"set these angles from its rest pose at frame K; several keys make a smooth curve", false},
		[POSE_SCALE] = {0, "scale", "FACTOR", true, "multiply its turns from the rest pose by a factor", false},
		[POSE_SLIDE] = {0, "slide", "DISTANCE", true,
			"hold a joint that slides so far from its rest pose along its axis, in units of the mesh", false},
		[POSE_MOVE] = {0, "move", "X,Y,Z", true, "move the root, and so the whole rig, along the world's axes", false},
		[POSE_AT] = {0, "at", "A:B", true, "the edit before it holds in these frames only: 12, 10:20, 10: or all", false},
		[POSE_EASE] = {0, "ease", "N", true, "the edit before it begins and ends smoothly, within N more frames on both sides",
			false},
		[POSE_ABOUT] = {0, "about", "own|parent|world", true, "about whose axes the --rotate before it turns (default own)",
			false}},
	.tables = {pose_table, ossa_read_option_table, ossa_write_option_table},
	.run = run_pose,
};
