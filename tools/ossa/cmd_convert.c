/* tools/ossa/cmd_convert.c: `ossa convert`: converts a file to another format.

   Place in the path: the top.
   Input: a rig, an animated mesh, a mesh with its poses, a mesh or a cache.
   Output: as much of it as the output's format holds; what is left out is reported. */
#include "clips.h"
#include "command.h"
#include "convert.h"
#include "target.h"

#include <stddef.h>
#include <string.h>

typedef struct convert_options {
	int influences;
	int names;
} convert_options;

/* before the names of ossa_bone_names */
enum { CONVERT_NAMES_KEEP, CONVERT_NAMES_NEW };

static const ossa_option_table *convert_table(void)
{
	static const convert_options defaults = {0, CONVERT_NAMES_KEEP};
	static const ossa_option options[] = {
		{"influences", OSSA_OPTION_INT, offsetof(convert_options, influences), 0, 64, "", "",
			"keep at most this many weights of a vertex, the largest; 0: all", ""},
		{"names", OSSA_OPTION_CHOICE, offsetof(convert_options, names), 0, 0, "", "keep|" OSSA_NAMES_CHOICES,
			"names of bones: those of the input, body parts (thigh_L; pieces that were rigged apart keep the prefixes of their "
			"names), numbers (bone_07), or those of another program for a human's bones",
			""},
	};
	static const ossa_option_table table = {
		"convert", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(convert_options)};
	return &table;
}

static ossa_status name_bones(command_run *run, ossa_rig *rig)
{
	const convert_options *own = run->options[CONVERT_OWN];
	ossa_bone_names names;
	if (command_target_names(run, CONVERT_TARGET, &names)) return ossa_rig_name_bones(run->context, rig, names);
	if (own->names == CONVERT_NAMES_KEEP) return OSSA_OK;
	return ossa_rig_name_bones(run->context, rig, (ossa_bone_names)(own->names - CONVERT_NAMES_NEW));
}

/* ---- reading ---- */

/* the rest mesh and its poses, or a cache alone */
static ossa_status read_poses(command_run *run, convert_work *work)
{
	const command_file_options *files = run->options[CONVERT_FILES];
	const ossa_read_options *options = run->options[CONVERT_READ];
	const size_t first = work->from->reads_mesh ? 1 : 0;
	if (first > 0) COMMAND_TRY(ossa_read_mesh(run->context, work->inputs[0], options, &work->mesh));
	if (first == work->input_count) return OSSA_OK;
	return ossa_read_frames(
		run->context, work->mesh, work->input_count - first, work->inputs + first, files->keep_order, options, &work->frames);
}

static ossa_status carry_over(command_run *run, convert_work *work, const char *motion, const ossa_rig *source)
{
	ossa_retarget_options options = *(const ossa_retarget_options *)run->options[CONVERT_RETARGET];
	ossa_clip **clips = NULL;
	size_t count = 0;
	options.map = work->map;
	ossa_status status = ossa_rig_retarget_all(run->context, work->rig, source, motion, &options, &count, &clips, &work->facts);
	if (status == OSSA_OK) status = ossa_rig_set_clips(run->context, work->rig, count, clips);
	for (size_t i = 0; status != OSSA_OK && i < count; i++) ossa_clip_free(run->context, clips[i]);
	ossa_free(run->context, clips);
	return status;
}

static ossa_status retarget(command_run *run, convert_work *work, const char *motion, const ossa_read_options *options)
{
	ossa_rig *source = NULL;
	COMMAND_TRY(ossa_read_rig(run->context, motion, options, &source));
	const ossa_status status = carry_over(run, work, motion, source);
	ossa_rig_free(run->context, source);
	return status;
}

/* The rig of the first input with the motions that were asked for; else with all that the output
   holds as they are: Blender mixes those of Collada. */
static ossa_status read_own_motions(command_run *run, convert_work *work)
{
	ossa_read_options options = *(const ossa_read_options *)run->options[CONVERT_READ];
	const bool chooses = options.clip[0] || options.frames.first > 0 || options.frames.last > 0;
	if (!chooses && convert_holds_clips(work) && strcmp(work->to->name, "collada") != 0)
		snprintf(options.clip, sizeof options.clip, "all");
	return ossa_read_rig(run->context, work->inputs[0], &options, &work->rig);
}

/* a rig of the first input and, where one is given, the motion of another file on it */
static ossa_status read_moving_rig(command_run *run, convert_work *work)
{
	const char *motion = command_text_value(run, CONVERT_MOTION);
	const ossa_read_options *options = run->options[CONVERT_READ];
	if (!motion) return read_own_motions(run, work);
	/* --clip and --frames select from the motion */
	COMMAND_TRY(ossa_read_rig(run->context, work->inputs[0], NULL, &work->rig));
	COMMAND_TRY(ossa_read_contents(run->context, motion, NULL, &work->clip_count, &work->clips));
	work->is_retargeted = true;
	return retarget(run, work, motion, options);
}

/* rest poses and names follow what the map says, too */
static ossa_status read_rig(command_run *run, convert_work *work)
{
	const char *map = command_text_value(run, CONVERT_MAP);
	if (map) COMMAND_TRY(ossa_retarget_map_read(run->context, map, &work->map));
	COMMAND_TRY(read_moving_rig(run, work));
	return map ? ossa_rig_set_roles(run->context, work->rig, work->map) : OSSA_OK;
}

/* frames of the vertices that the mesh of the same file has, so that a cache fits the mesh that
   is converted beside it */
static ossa_status read_animation(command_run *run, convert_work *work)
{
	ossa_read_options options = *(const ossa_read_options *)run->options[CONVERT_READ];
	options.keep_vertices = true;
	return ossa_read_animation(run->context, work->inputs[0], &options, &work->mesh, &work->frames);
}

static bool is_posed(const command_run *run)
{
	const ossa_write_options *options = run->options[CONVERT_WRITE];
	return options->rest_pose != OSSA_REST_KEEP;
}

/* whether an animation moves morph targets, perhaps, in a way that the output holds with a rig */
static bool may_move_morphs(const convert_work *work)
{
	bool moves = false;
	for (size_t i = 0; i < work->clip_count; i++) moves |= work->clips[i].moves_shapes;
	return moves && work->to->moves_morphs && !ossa_write_is_numbered(work->output);
}

/* Reads the mesh of a file without joints, or its rig where morph targets move. A glTF file that is
   written as it was needs none. */
static ossa_status read_mesh_or_morphs(command_run *run, convert_work *work)
{
	COMMAND_TRY(ossa_read_mesh(run->context, work->inputs[0], run->options[CONVERT_READ], &work->mesh));
	if (!may_move_morphs(work) || work->mesh->morph_count == 0 || convert_keeps_file(run, work)) return OSSA_OK;
	ossa_mesh_free(run->context, work->mesh);
	work->mesh = NULL;
	return read_rig(run, work);
}

/* what the output holds, the most first: a rig, then morph targets that move, then moving vertices,
   then a mesh; of a mesh in another rest pose the rig that brings it there */
static ossa_status read_scene(command_run *run, convert_work *work)
{
	if (command_text_value(run, CONVERT_MOTION)) return read_rig(run, work);
	COMMAND_TRY(ossa_read_contents(run->context, work->inputs[0], &work->has_rig, &work->clip_count, &work->clips));
	for (size_t i = 0; i < work->clip_count; i++) work->has_parts |= work->clips[i].moves_parts && !work->clips[i].moves_joints;
	/* a format that holds only rigs reports what is missing */
	const bool nothing_less = !work->to->writes_mesh && !convert_writes_frames(work);
	if (work->to->writes_rig && !ossa_write_is_numbered(work->output) && (work->has_rig || nothing_less))
		return read_rig(run, work);
	if (!convert_writes_frames(work) && work->has_rig && is_posed(run)) return read_rig(run, work);
	if (!convert_writes_frames(work) || may_move_morphs(work)) COMMAND_TRY(read_mesh_or_morphs(run, work));
	if (work->rig || !convert_writes_frames(work)) return OSSA_OK;
	ossa_mesh_free(run->context, work->mesh);
	work->mesh = NULL;
	return read_animation(run, work);
}

static ossa_status read_input(command_run *run, convert_work *work)
{
	COMMAND_TRY(ossa_read_detect(run->context, work->inputs[0], &work->from));
	const bool is_scene = work->from->reads_mesh || work->from->reads_rig;
	return work->input_count == 1 && is_scene ? read_scene(run, work) : read_poses(run, work);
}

/* ---- writing ---- */

static ossa_status write_rig(command_run *run, convert_work *work, const ossa_write_options *options)
{
	const convert_options *own = run->options[CONVERT_OWN];
	if (own->influences > 0) COMMAND_TRY(ossa_rig_limit_influences(run->context, work->rig, own->influences));
	COMMAND_TRY(command_change_clips(run, run->options[CONVERT_CLIPS], work->rig, &work->loop));
	COMMAND_TRY(name_bones(run, work->rig));
	if (work->to->writes_rig && !ossa_write_is_numbered(work->output))
		return ossa_write_rig(run->context, work->rig, work->output, options);
	if (!convert_writes_frames(work)) {
		COMMAND_TRY(ossa_rig_set_rest_pose(run->context, work->rig, options->rest_pose));
		return ossa_write_mesh(run->context, work->rig->mesh, NULL, work->output, options);
	}
	COMMAND_TRY(ossa_rig_frames(run->context, work->rig, NULL, &work->frames));
	return ossa_write_frames(run->context, work->rig->mesh, work->frames, work->output, options);
}

static ossa_status write_output(command_run *run, convert_work *work)
{
	ossa_write_options for_target;
	const ossa_write_options *options = &for_target;
	COMMAND_TRY(
		command_target_options_for(run, CONVERT_TARGET, work->rig, work->output, run->options[CONVERT_WRITE], &for_target));
	if (work->rig) return write_rig(run, work, options);
	if (is_posed(run)) {
		return command_fail(
			run, OSSA_ERROR_INPUT, "%s: holds no skeleton that brings it to another rest pose", work->inputs[0]);
	}
	if (work->frames && convert_writes_frames(work))
		return ossa_write_frames(run->context, work->mesh, work->frames, work->output, options);
	if (!work->mesh) {
		return command_fail(run, OSSA_ERROR_INPUT,
			"%s: holds positions without faces, which %s files need; name the mesh first", work->inputs[0], work->to->title);
	}
	return ossa_write_mesh(run->context, work->mesh, NULL, work->output, options);
}

/* ---- reporting ---- */

static const ossa_mesh *mesh_of(const convert_work *work) { return work->rig ? work->rig->mesh : work->mesh; }

static size_t frame_count(const convert_work *work)
{
	if (work->frames) return work->frames->frame_count;
	size_t count = 0;
	for (size_t i = 0; i < ossa_rig_clip_count(work->rig); i++) count += ossa_rig_clip_at(work->rig, i)->frame_count;
	return count;
}

/* what needs no frames, and how a motion came over */
static ossa_status write_reports(command_run *run, const convert_work *work)
{
	ossa_metrics metrics;
	ossa_report report;
	if (run->texts[CONVERT_REPORT].count == 0) return OSSA_OK;
	const bool has_mesh = work->rig->mesh->vertex_count > 0;
	if (has_mesh) COMMAND_TRY(ossa_rig_measure(run->context, work->rig, NULL, NULL, NULL, &metrics));
	ossa_report_fill(run->context, work->rig, frame_count(work), has_mesh ? &metrics : NULL, NULL, &report);
	report.input = work->inputs[0];
	report.retarget = work->is_retargeted ? &work->facts : NULL;
	report.motion = command_text_value(run, CONVERT_MOTION);
	return command_write_reports(run, CONVERT_REPORT, &report);
}

static ossa_status print_result(command_run *run, const convert_work *work)
{
	const ossa_mesh *mesh = mesh_of(work);
	const size_t vertices = mesh ? mesh->vertex_count : work->frames ? work->frames->vertex_count : 0;
	const size_t bones = work->rig ? work->rig->skeleton.bone_count : 0;
	if (run->shared.json) {
		return command_print_json(run,
			json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o*}", "input", work->inputs[0], "from",
				work->from->name, "output", work->output, "to", work->to->name, "vertices", (json_int_t)vertices, "bones",
				(json_int_t)bones, "frames", (json_int_t)frame_count(work), "clips", (json_int_t)ossa_rig_clip_count(work->rig),
				"loop", command_loop_json(&work->loop), "left_out",
				work->left_out[0] ? json_string(work->left_out) : json_null(), "warnings", command_json_warnings(run),
				"retarget", work->is_retargeted ? command_json_retarget(run, &work->facts) : NULL));
	}
	if (!command_prints_text(run)) return OSSA_OK;
	printf("%-10s %s: %s\n", "read", work->inputs[0], work->from->title);
	printf("%-10s %zu vertices, %zu bones, %zu frames", "holds", vertices, bones, frame_count(work));
	if (ossa_rig_clip_count(work->rig) > 1) printf(" in %zu motions", ossa_rig_clip_count(work->rig));
	putchar('\n');
	command_print_loop(&work->loop);
	if (work->left_out[0]) printf("%-10s %s\n", "left out", work->left_out);
	if (work->is_retargeted) command_print_retarget(&work->facts);
	printf("%-10s %s: %s\n", "wrote", work->output, work->to->title);
	for (size_t i = 0; i < run->texts[CONVERT_REPORT].count; i++)
		printf("%-10s %s\n", "wrote", run->texts[CONVERT_REPORT].values[i]);
	return OSSA_OK;
}

static ossa_status convert(command_run *run, convert_work *work)
{
	COMMAND_TRY(ossa_write_detect(run->context, work->output, &work->to));
	COMMAND_TRY(command_check_output(run, work->output));
	COMMAND_TRY(ossa_write_check(run->context, work->output));
	COMMAND_TRY(command_check_reports(run, CONVERT_REPORT));
	COMMAND_TRY(read_input(run, work));
	if (!work->rig && run->texts[CONVERT_REPORT].count > 0)
		return command_fail(run, OSSA_ERROR_INPUT, "%s: --report is about a rig, and this is none", work->inputs[0]);
	convert_find_left_out(run, work);
	COMMAND_TRY(command_check(run));
	COMMAND_TRY(write_output(run, work));
	COMMAND_TRY(write_reports(run, work));
	return print_result(run, work);
}

static ossa_status run_convert(command_run *run)
{
	/* the last file is the output */
	convert_work work = {.inputs = run->files.values, .input_count = run->files.count - 1};
	work.output = run->files.values[work.input_count];
	run->files.count--;
	const ossa_status status = convert(run, &work);
	ossa_retarget_map_free(run->context, work.map);
	ossa_rig_free(run->context, work.rig);
	ossa_frames_free(run->context, work.frames);
	ossa_mesh_free(run->context, work.mesh);
	ossa_free(run->context, work.clips);
	return status;
}

static const ossa_option_group groups[] = {
	{"Input", "fps", "keep-order"},
	{"Motion", "motion|root-motion|loop|motion-fps", "map|match|plant-feet|clear-hands"},
	{"Rig", "names|influences", ""},
	{"Output", "report|rest-pose|collada", ""},
	{NULL, NULL, NULL},
};

const command_definition command_convert = {
	.name = "convert",
	.summary = "convert a file to another format",
	.usage = "IN [POSE...] OUT [OPTIONS]",
	.details =
		"Reads IN, recognized by its content, and writes OUT, in the format of its ending: the rig if both formats hold one, "
		"or morph targets that move, else the moving vertices, else the mesh. An OUT with # in its name gets one file for each "
		"frame: walk_####.obj. "
		"IN may be a mesh followed by its poses or point caches. A warning names what OUT cannot hold.\n\n"
		"With --motion the rig of IN moves as the body of another file does, whatever its bones are called and however it "
		"stands at rest: motion capture in BVH, animations of other characters (docs/motion.md).\n\n"
		"All animations of IN are taken where OUT holds them: glTF, FBX and USD; --clip all takes those of the file of "
		"--motion, "
		"too, and writes several to Collada. "
		"Each of them is resampled (--motion-fps), then put in place or on the root bone (--root-motion), then closed "
		"(--loop).",
	.examples = "ossa convert horse.fbx horse.glb\n"
				"ossa convert gallop.abc gallop_####.obj --fps 24\n"
				"ossa convert rest.obj gallop.mdd gallop.glb\n"
				"ossa convert man.dae walking.glb --motion walk.bvh --frames 1:60\n"
				"ossa convert knight.glb knight.fbx --clip all --root-motion in-place --loop\n"
				"ossa convert horse.glb horse.dae --collada 1.4.1 --up z --unit 0.01",
	.files_minimum = 2,
	.files_maximum = SIZE_MAX,
	.writes_last = true,
	.groups = groups,
	.texts = {{0, "motion", "FILE", false, "move the rig as the joints of this file do", true},
		{0, "map", "FILE.json", false,
			"what bones of the rig and of the motion are, where they are found wrongly: docs/motion.md", true},
		{0, "report", "FILE", true, "write a report on the rig and its motion: a page (.html) or every number (.json)", false}},
	.tables = {convert_table, command_clip_table, command_file_table, ossa_read_option_table, ossa_retarget_option_table,
		ossa_write_option_table, command_target_table},
	.run = run_convert,
};
