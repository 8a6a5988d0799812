/* tools/ossa/cmd_rig.c: `ossa rig`: makes a rig of a mesh, of poses or of an animation.

   Place in the path: the top.
   Input: a rest mesh and poses, or one animated file.
   Output: rigs, a report, a table of the rig's errors. */
#include "rig_characters.h"
#include "rig_constraints.h"
#include "rig_given.h"
#include "rig_shapes.h"
#include "target.h"

/* the rest mesh is the one marked, or the first; of given bones every file may be frames */
static void choose_inputs(command_run *run, rig_work *work)
{
	const char *const *files = run->files.values;
	work->rest = command_text_value(run, RIG_REST);
	const size_t taken = work->rest || work->given.path ? 0 : 1;
	if (taken) work->rest = files[0];
	work->poses = files + taken;
	work->pose_count = run->files.count - taken;
}

/* what default outputs and reports are named after */
static const char *main_input(const rig_work *work) { return work->given.path ? work->given.path : work->rest; }

static void take_default_output(const command_run *run, rig_work *work)
{
	command_default_output(run, RIG_TARGET, main_input(work), work->default_output, sizeof work->default_output);
	work->only_output[0] = work->default_output;
	work->outputs = work->only_output;
	work->output_count = 1;
}

/* a file for each level of articulation */
static ossa_status check_levels(command_run *run, const char *output)
{
	for (int level = 0; level < command_level_count(run); level++) {
		char path[COMMAND_PATH_SIZE];
		command_level_path(output, level, path, sizeof path);
		COMMAND_TRY(command_check_output(run, path));
		COMMAND_TRY(ossa_write_check(run->context, path));
	}
	return OSSA_OK;
}

ossa_status rig_check_output(command_run *run, const char *path)
{
	COMMAND_TRY(command_check_rig_format(run, path));
	return check_levels(run, path);
}

/* every path is checked before the work begins */
static ossa_status choose_outputs(command_run *run, rig_work *work)
{
	work->outputs = run->texts[RIG_OUTPUT].values;
	work->output_count = run->texts[RIG_OUTPUT].count;
	if (work->output_count == 0) take_default_output(run, work);
	for (size_t i = 0; i < work->output_count; i++) COMMAND_TRY(rig_check_output(run, work->outputs[i]));
	COMMAND_TRY(command_check_curves(run, RIG_CURVE));
	return command_check_reports(run, RIG_REPORT);
}

ossa_status rig_read_input(command_run *run, rig_work *work)
{
	const command_file_options *files = run->options[RIG_FILES];
	const ossa_read_options *read = run->options[RIG_READ];
	const bool is_single = work->pose_count == 0;
	ossa_read_options own = *read;
	ossa_status status;
	/* the rig goes into the file, in which targets move as before */
	if (own.morphs == OSSA_MORPHS_AUTO) own.morphs = OSSA_MORPHS_KEEP;
	if (is_single) status = ossa_frame_stream_open_animation(run->context, work->rest, &own, &work->mesh, &work->stream);
	else {
		COMMAND_TRY(ossa_read_mesh(run->context, work->rest, read, &work->mesh));
		COMMAND_TRY(command_check(run));
		status = ossa_frame_stream_open(
			run->context, work->mesh, work->pose_count, work->poses, files->keep_order, read, &work->stream);
	}
	return command_explain_joints(run, status, "RIG", is_single ? 1 : work->pose_count, is_single ? &work->rest : work->poses);
}

/* unconstrained bones have one motion, and a motion that stays as it was is not of these frames */
size_t rig_take_count(const command_run *run, const rig_work *work)
{
	const rig_take_options *takes = run->options[RIG_TAKES];
	const ossa_write_options *write = run->options[RIG_WRITE];
	const bool is_whole = takes->one_motion || write->free_bones || !work->rig->clip ||
		work->rig->clip->frame_count != ossa_frame_stream_frame_count(work->stream);
	return is_whole ? 1 : ossa_frame_stream_take_count(work->stream);
}

static void take_seconds(const command_run *run, rig_work *work)
{
	work->report.wall_seconds = command_clock() - run->wall_begin;
	work->report.cpu_seconds = command_cpu_seconds();
}

static ossa_status write_rigs(command_run *run, const rig_work *work, const ossa_rig *rig)
{
	for (size_t i = 0; i < work->output_count; i++) {
		ossa_write_options options;
		COMMAND_TRY(command_check(run));
		COMMAND_TRY(command_target_options_for(run, RIG_TARGET, rig, work->outputs[i], run->options[RIG_WRITE], &options));
		COMMAND_TRY(command_write_levels(run, rig, work->outputs[i], &options));
	}
	return OSSA_OK;
}

/* Files get a motion for each take; the report is about all frames in a row, and so is the rig,
   which may be an editor's. */
ossa_status rig_write_takes(command_run *run, const rig_work *work)
{
	if (rig_take_count(run, work) < 2) return write_rigs(run, work, work->rig);
	ossa_rig apart = *work->rig;
	apart.clip = NULL;
	apart.other_clips = NULL;
	apart.other_clip_count = 0;
	COMMAND_TRY(ossa_clip_copy(run->context, work->rig->clip, &apart.clip));
	ossa_status status = ossa_rig_split_takes(run->context, &apart, work->stream);
	if (status == OSSA_OK) status = write_rigs(run, work, &apart);
	ossa_rig_set_clips(run->context, &apart, 0, NULL);
	return status;
}

static ossa_status write_output(command_run *run, rig_work *work)
{
	COMMAND_TRY(rig_write_takes(run, work));
	COMMAND_TRY(command_write_curves(run, RIG_CURVE, work->rig, work->stream));
	/* last, so that it includes the cost of writing */
	take_seconds(run, work);
	COMMAND_TRY(command_write_reports(run, RIG_REPORT, &work->report));
	take_seconds(run, work);
	return OSSA_OK;
}

/* the page's contents besides numbers */
static void complete_report(rig_work *work)
{
	work->report.input = main_input(work);
	work->report.reason = work->made.reason;
	work->report.key_frame_count = work->made.key_frame_count;
	work->report.frames = work->stream;
}

/* what the library finds wrong with a mesh names no file: it was read before */
static ossa_status name_file(command_run *run, const rig_work *work, ossa_status status)
{
	const ossa_error *error = ossa_context_error(run->context);
	if (status != OSSA_ERROR_INPUT || error->file[0]) return status;
	return command_fail(run, status, "%s: %s", work->rest, error->message);
}

static ossa_status make_rig(command_run *run, rig_work *work)
{
	COMMAND_TRY(rig_read_input(run, work));
	COMMAND_TRY(command_check_curve_frames(run, RIG_CURVE, work->stream));
	const ossa_rig_input input = {.mesh = work->mesh, .frames = work->stream};
	ossa_rig_result *made = &work->made;
	command_target_names(run, RIG_TARGET, &run->rig.names);
	COMMAND_TRY(name_file(run, work, ossa_rig_make(run->context, &input, &run->rig, made)));
	work->rig = made->rig;
	ossa_report_fill(run->context, made->rig, made->frame_count, &made->hierarchy, &made->free_bones, &work->report);
	work->report.bone_rms = made->bone_rms;
	return command_measure_levels(run, made->rig, work->stream, work->level_rms);
}

/* unconstrained bones have no parents that could take over where a level leaves one out */
static ossa_status check_free_bones(command_run *run)
{
	const ossa_write_options *write = run->options[RIG_WRITE];
	if (!write->free_bones || command_level_count(run) == 1) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--levels leaves out bones of a hierarchy, and --free-bones writes bones without one: leave out one of them");
}

static ossa_status do_rig(command_run *run, rig_work *work)
{
	COMMAND_TRY(rig_given_check(run, work));
	COMMAND_TRY(rig_constraints_check(run, work));
	const bool is_there = work->given.path != NULL;
	COMMAND_TRY(command_take_landmarks(run, command_text_value(run, RIG_LANDMARKS), is_there));
	if (!is_there) COMMAND_TRY(command_check_method(run));
	COMMAND_TRY(check_free_bones(run));
	COMMAND_TRY(rig_shapes_check(run));
	COMMAND_TRY(rig_characters_check(run, work));
	choose_inputs(run, work);
	COMMAND_TRY(choose_outputs(run, work));
	if (rig_characters_are_asked(run)) return rig_characters_run(run, work);
	/* faults of the table are reported before the work */
	const char *limits = command_text_value(run, RIG_LIMITS);
	if (limits) COMMAND_TRY(ossa_read_limits(run->context, limits, &work->limits));
	COMMAND_TRY(is_there ? rig_given_make(run, work) : make_rig(run, work));
	COMMAND_TRY(rig_find_left_out(run, work));
	if (limits) COMMAND_TRY(ossa_rig_set_limits(run->context, work->rig, work->limits));
	COMMAND_TRY(rig_constraints_apply(run, work));
	COMMAND_TRY(rig_shapes_add(run, work));
	complete_report(work);
	COMMAND_TRY(write_output(run, work));
	if (run->shared.json) return rig_print_json(run, work);
	if (command_prints_text(run)) rig_print_table(run, work);
	return OSSA_OK;
}

static ossa_status run_rig(command_run *run)
{
	rig_work work = {.rest = NULL};
	const ossa_status status = do_rig(run, &work);
	rig_constraints_end(run, &work);
	/* before the mesh that its frames are of */
	ossa_frame_stream_free(run->context, work.stream);
	ossa_frame_stream_free(run->context, work.rough);
	if (work.made.rig) ossa_rig_result_free(run->context, &work.made);
	else ossa_rig_free(run->context, work.rig);
	ossa_motion_fit_free(run->context, work.fit);
	ossa_limits_free(run->context, work.limits);
	ossa_free(run->context, work.shape_bone_rms);
	ossa_mesh_free(run->context, work.mesh);
	return status;
}

static const ossa_option_group groups[] = {
	{"Input", "rest", "character"},
	{"Method", "", ""},
	{"Skeleton", "", "landmarks|joint-limits"},
	{"Weights", "", ""},
	{"Pieces", "", ""},
	{"Motion", "with", "skeleton|solve|add-bones|delta-mush"},
	{"Constraints", "", "forbid|apart|together|lock"},
	{"Output", "output|report", "error-curve"},
	{NULL, NULL, NULL},
};

static const ossa_option_table *take_table(void)
{
	static const rig_take_options defaults = {false};
	static const ossa_option options[] = {
		{"one-motion", OSSA_OPTION_BOOL, offsetof(rig_take_options, one_motion), 0, 1, "", "",
			"write one motion over all frames, also where they come from several animations or caches", ""},
	};
	static const ossa_option_group take_groups[] = {
		{"Motion", "", "one-motion"},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"takes", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(rig_take_options), .groups = take_groups};
	return &table;
}

const command_definition command_rig = {
	.name = "rig",
	.summary = "make a rig of a mesh, of a mesh and poses, or of an animation",
	.usage = "MESH | REST POSE... | ANIMATION | --with RIG FILE... [-o OUT]... [OPTIONS]",
	.details = "One mesh is rigged by its shape. A mesh at rest and its poses, or an animated file, are rigged by how they "
			   "move. The output holds the mesh, its skeleton and weights, and one keyframe for each pose. Without -o it is "
			   "./REST-rigged.glb.",
	.more = "REST is a mesh. Each POSE is a mesh of the same vertices and faces in another position, a point cache of many "
			"poses (PC2, MDD, Maya), or an animated file. Poses from several files are taken in natural number order; a name "
			"with # (pose-#.obj) stands for every number. Without --rest the first file is the rest mesh.\n\n"
			"ANIMATION is one file that holds a mesh and its motion: a skin, morph targets or moving parts in glTF, Collada or "
			"FBX, or Alembic. So a character can get a new rig with other bones. --clip all (or names: --clip Walk,Run) takes "
			"several animations at once: the rig is made from all of them, and each stays a motion of its own, as each cache "
			"does (--one-motion: not).\n\n"
			"Methods for one mesh use the shape at rest alone. They also accept REST and POSEs: then the motion is fitted to "
			"the rig.\n\n"
			"With --levels N coarser rigs are written too, each with about half of the bones of the one before: OUT.glb is the "
			"finest, OUT-lod1.glb and OUT-lod2.glb are coarser.\n\n"
			"With --with RIG the bones in that file, of any format, keep their names, joints and limits. A skeleton without a "
			"mesh is bound to the MESH, by its shape, and with frames its weights and motion are fitted to these. A rig with "
			"weights keeps them and gets the motion that reproduces the frames best: meshes, caches or animations of its own "
			"mesh, of any length. --solve says what else is fitted: weights, joints. Vertices in another order, split at seams "
			"or joined, are matched by their rest positions: in the first file, or in that of --rest.\n\n"
			"With --character other characters whose meshes have the same vertices and faces, a woman and a child beside a "
			"man, get the same bones, names and weights, each with its own joints and motions: OUT.glb is the first, "
			"OUT-woman.glb that of woman.glb. REST,POSE,... is a mesh and its poses.\n\n"
			"--forbid, --apart and --together are those of `ossa edit`: the rig is made, then solved again under them. Bones "
			"are named as in the output, or by points, as the bone that moves the nearest vertex most. --root-bone chooses the "
			"root.\n\n"
			"An existing output is replaced when the new file is complete. `ossa convert --help` lists the formats.",
	.examples = "ossa rig rest.obj pose-*.obj -o horse.glb -o horse.dae\n"
				"ossa rig horse.obj gallop.pc2 --bones 24 --report horse.html\n"
				"ossa rig character.glb --clip Walk --bones 20 -o fewer-bones.glb\n"
				"ossa rig man.obj --for unreal --rest-pose a -o man.fbx\n"
				"ossa rig man.glb --character woman.glb --character c.obj,c.pc2 -o crowd.glb\n"
				"ossa rig --with horse.glb canter.pc2 -o horse-canter.glb\n"
				"ossa rig --with skeleton.fbx body.obj pose-*.obj -o body.glb",
	.files_minimum = 1,
	.files_maximum = SIZE_MAX,
	.groups = groups,
	.texts = {{'o', "output", "FILE", true, "write the rig to FILE; its ending selects the format", false},
		{0, "rest", "FILE", false, "the mesh at rest; every other file is then a pose", true},
		{0, "character", "REST,...", true,
			"another character with the same vertices and faces: its mesh and poses, with commas, or its animation; it gets "
			"the same bones and weights",
			false},
		{0, "report", "FILE", true, "write a report: a page with pictures (.html) or every number (.json)", false},
		{0, "with", "RIG", false,
			"keep the bones of this rig or skeleton, and fit to the frames what it lacks, or --solve says", true},
		{0, "skeleton", "RIG", false, "as --with RIG --solve motion: the rig is whole and gets another motion", true},
		{0, "solve", "WHAT", false,
			"with --with: weights, joints, motion, hinges (motion that turns hinges about their axis alone), bind (weights by "
			"the shape first), or several with commas between them",
			false},
		{0, "lock", "WHAT", true,
			"with --with or another constraint: keep weights,BONE or joint,BONE; with --with painted: the vertices, by the "
			"red of their colour",
			false},
		{0, "add-bones", "N", false,
			"with --with and frames: add at most N helper bones, each of which lowers the error by --worth", false},
		{0, "delta-mush", "N", false,
			"with --with and frames: smooth these in N rounds of delta mush and fit the weights to them, while the motion of "
			"RIG "
			"stays (or --solve says); 10 to 20 are usual",
			false},
		{0, "forbid", "BONE,OTHER", true, "two bones are never parent and child; BONE: a name of the rig, or a point X,Y,Z",
			true},
		{0, "apart", "BONE,OTHER", true, "two bones, or two points, never have one bone: it is split", true},
		{0, "together", "BONE,OTHER", true, "two bones have one motion: they become one", true},
		{0, "joint-limits", "FILE.csv", false, "a table of joint limits, by the names of the bones", true},
		{0, "landmarks", "FILE.json", false, "points of a human body that its joints are found by: docs/bodies.md", true},
		{0, "error-curve", "FILE", true,
			"write errors by the number of bones, by the paper's procedure: a table (.csv, .json) or plots (.svg)", false}},
	.makes_rigs = true,
	.tables = {command_file_table, ossa_read_option_table, ossa_write_option_table, command_target_table, take_table,
		ossa_shape_option_table},
	.run = run_rig,
};
