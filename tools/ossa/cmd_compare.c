/* tools/ossa/cmd_compare.c: `ossa compare`: the errors of a rig against poses, both read from
   files.

   Place in the path: the top.
   Input: a rig, its rest mesh, poses.
   Output: every metric. compare_holdout.c is `ossa compare --holdout`. */
#include "compare.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct compare_work {
	ossa_rig *read; /* as it is in the file */
	ossa_mesh *rest;
	ossa_frames *frames; /* NULL: none are given */
	ossa_rig *rig;       /* the same bones and motion on the vertices of `rest` */
	ossa_metrics metrics;
	ossa_rig *truth; /* NULL: none is given */
	ossa_nearness nearness;
} compare_work;

static const ossa_option_table *compare_table(void)
{
	static const compare_options defaults = {false, COMPARE_SPLIT_ALTERNATE};
	static const ossa_option options[] = {
		{"holdout", OSSA_OPTION_BOOL, offsetof(compare_options, holdout), 0, 1, "", "",
			"make a rig from half of the frames and measure it on the other half too", ""},
		{"split", OSSA_OPTION_CHOICE, offsetof(compare_options, split), 0, 0, "", "alternate|halves",
			"--holdout: which frames are held out, every other one or the later half",
			"neighbours are alike: halves are harder"},
	};
	static const ossa_option_table table = {
		"compare", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(compare_options)};
	return &table;
}

/* methods' options have no effect on an existing rig */
static ossa_status check_options(command_run *run)
{
	for (size_t i = 0; i < run->given.count; i++) {
		const char *name = run->given.values[i];
		const bool known = ossa_option_find(command_file_table(), name) || ossa_option_find(ossa_read_option_table(), name);
		if (!known && strcmp(name, "holdout") != 0) {
			return command_fail(run, OSSA_ERROR_ARGUMENT,
				"--%s is for making a rig; RIG is one already, and --holdout is not given (see: ossa compare --help)", name);
		}
	}
	if (run->files.count >= 2) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT, "too few arguments; usage: ossa compare %s", run->command->usage);
}

/* Of a file with several motions the one that is called as the frames are, else the first that
   moves bones: its name, or its number where it has none; "": the only one. */
static void choose_motion(size_t count, const ossa_clip_facts *clips, const char *wanted, char chosen[OSSA_OPTION_TEXT_SIZE])
{
	size_t index = 0;
	chosen[0] = 0;
	while (index < count && (!wanted[0] || strcmp(clips[index].name, wanted) != 0)) index++;
	if (index < count) {
		snprintf(chosen, OSSA_OPTION_TEXT_SIZE, "%s", wanted);
		return;
	}
	for (index = 0; index < count && !clips[index].moves_joints && !clips[index].moves_parts;) index++;
	if (count > 1 && index < count) snprintf(chosen, OSSA_OPTION_TEXT_SIZE, "%zu", index + 1);
}

/* --frames and --clip select among the poses; the rig has one key for each */
static ossa_status read_rig(command_run *run, compare_work *work)
{
	ossa_read_options own = ossa_read_default();
	ossa_clip_facts *clips;
	size_t count;
	bool has_rig;
	COMMAND_TRY(ossa_read_contents(run->context, run->files.values[0], &has_rig, &count, &clips));
	choose_motion(count, clips, work->frames ? work->frames->name : "", own.clip);
	ossa_free(run->context, clips);
	return ossa_read_rig(run->context, run->files.values[0], &own, &work->read);
}

static ossa_status read_files(command_run *run, compare_work *work)
{
	const command_file_options *files = run->options[COMPARE_FILES];
	const char *const *paths = run->files.values;
	const ossa_read_options *options = run->options[COMPARE_READ];
	if (run->files.count == 2) {
		COMMAND_TRY(ossa_read_animation(run->context, paths[1], options, &work->rest, &work->frames));
		return read_rig(run, work);
	}
	COMMAND_TRY(ossa_read_mesh(run->context, paths[1], options, &work->rest));
	COMMAND_TRY(
		ossa_read_frames(run->context, work->rest, run->files.count - 2, paths + 2, files->keep_order, options, &work->frames));
	return read_rig(run, work);
}

static ossa_status check_frames(command_run *run, const compare_work *work)
{
	if (!work->frames) return OSSA_OK;
	const char *path = run->files.values[0];
	if (!work->read->clip) return command_fail(run, OSSA_ERROR_INPUT, "%s: holds no motion to compare with the poses", path);
	const size_t keys = work->read->clip->frame_count, frames = work->frames->frame_count;
	if (keys == frames) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_INPUT,
		"%s: holds keyframes of %zu poses, %zu given; give the poses that it was made from", path, keys, frames);
}

/* the weights of the matched vertices */
static void copy_weights(const compare_work *work, const uint32_t *match)
{
	const ossa_weights *from = &work->read->weights, *to = &work->rig->weights;
	const size_t pairs = (size_t)from->influences;
	for (size_t v = 0; v < to->vertex_count; v++) {
		memcpy(to->bones + v * pairs, from->bones + match[v] * pairs, pairs * sizeof *to->bones);
		memcpy(to->values + v * pairs, from->values + match[v] * pairs, pairs * sizeof *to->values);
	}
}

/* the merge hierarchy for the report, where the faces are those of the file */
static void take_merges(const compare_work *work)
{
	ossa_rig *from = work->read, *to = work->rig;
	if (!from->mesh || from->mesh->triangle_count != work->rest->triangle_count) return;
	to->merges = from->merges;
	to->merge_count = from->merge_count;
	to->face_clusters = from->face_clusters;
	from->merges = NULL;
	from->face_clusters = NULL;
	from->merge_count = 0;
}

/* transfers the rig of the file to the rest mesh, so that every vertex and edge counts as in the
   poses */
static ossa_status transfer_rig(command_run *run, compare_work *work)
{
	const ossa_skeleton *skeleton = &work->read->skeleton;
	COMMAND_TRY(ossa_rig_create(run->context, work->rest, skeleton->bone_count, work->read->weights.influences, &work->rig));
	uint32_t *match = ossa_alloc(run->context, work->rest->vertex_count, sizeof *match);
	if (!match) return ossa_context_error(run->context)->status;
	ossa_status status = command_match_vertices(run, work->rest, work->frames, work->read, match);
	if (status == OSSA_OK) copy_weights(work, match);
	if (status == OSSA_OK) status = compare_copy_shapes(run, work->read, match, work->rig);
	ossa_free(run->context, match);
	memcpy(work->rig->method, work->read->method, sizeof work->rig->method);
	memcpy(work->rig->skeleton.bones, skeleton->bones, skeleton->bone_count * sizeof *skeleton->bones);
	work->rig->clip = work->read->clip;
	work->read->clip = NULL;
	take_merges(work);
	return status;
}

static ossa_status compare_truth(command_run *run, compare_work *work)
{
	const char *path = command_text_value(run, COMPARE_TRUTH);
	if (!path) return OSSA_OK;
	COMMAND_TRY(ossa_read_rig(run->context, path, NULL, &work->truth));
	return ossa_rig_nearness(run->context, work->rig, work->truth, &work->nearness);
}

static ossa_status print_json(command_run *run, const compare_work *work)
{
	json_t *value = json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o}", "rig", run->files.values[0], "rest", run->files.values[1],
		"vertices", (json_int_t)work->rest->vertex_count, "bones", (json_int_t)work->rig->skeleton.bone_count, "frames",
		(json_int_t)(work->frames ? work->frames->frame_count : 0), "metrics",
		command_json_metrics(ossa_metrics_table(), &work->metrics), "warnings", command_json_warnings(run));
	if (work->truth) json_object_set_new(value, "truth", command_json_metrics(ossa_nearness_table(), &work->nearness));
	return command_print_json(run, value);
}

static void print_table(const command_run *run, const compare_work *work)
{
	printf("%-24s %s: %zu bones\n", "rig", run->files.values[0], work->rig->skeleton.bone_count);
	printf("%-24s %s: %zu vertices, %zu faces\n", "rest", run->files.values[1], work->rest->vertex_count,
		work->rest->polygon_count);
	printf("%-24s %zu\n\n", "poses", work->frames ? work->frames->frame_count : 0);
	command_print_metrics(&(command_metrics){.table = ossa_metrics_table(), .count = 1, .values = {&work->metrics}});
	if (!work->truth) return;
	printf("\n%-24s %s: %zu joints\n", "truth", command_text_value(run, COMPARE_TRUTH), work->truth->skeleton.bone_count);
	command_print_metrics(&(command_metrics){.table = ossa_nearness_table(), .count = 1, .values = {&work->nearness}});
}

/* the same numbers as a page, with maps of the errors */
static ossa_status write_reports(command_run *run, const compare_work *work)
{
	const ossa_metrics none = {.rms_percent = NAN, .max_percent = NAN, .accu_percent = NAN, .normal_rms = NAN};
	ossa_report report;
	if (run->texts[COMPARE_REPORT].count == 0) return OSSA_OK;
	ossa_report_fill(run->context, work->rig, work->frames ? work->frames->frame_count : 0, &work->metrics, &none, &report);
	report.input = run->files.values[0];
	report.nearness = work->truth ? &work->nearness : NULL;
	if (work->frames) COMMAND_TRY(ossa_frame_stream_of_frames(run->context, work->frames, &report.frames));
	const ossa_status status = command_write_reports(run, COMPARE_REPORT, &report);
	ossa_frame_stream_free(run->context, report.frames);
	return status;
}

static ossa_status compare(command_run *run, compare_work *work)
{
	COMMAND_TRY(check_options(run));
	COMMAND_TRY(command_check_reports(run, COMPARE_REPORT));
	COMMAND_TRY(read_files(run, work));
	COMMAND_TRY(check_frames(run, work));
	COMMAND_TRY(command_check(run));
	COMMAND_TRY(transfer_rig(run, work));
	COMMAND_TRY(ossa_rig_measure(run->context, work->rig, NULL, NULL, work->frames, &work->metrics));
	COMMAND_TRY(compare_truth(run, work));
	COMMAND_TRY(write_reports(run, work));
	if (run->shared.json) return print_json(run, work);
	if (command_prints_text(run)) print_table(run, work);
	return OSSA_OK;
}

static ossa_status run_compare(command_run *run)
{
	if (((const compare_options *)run->options[COMPARE_OWN])->holdout) {
		if (run->texts[COMPARE_REPORT].count == 0) return compare_holdout(run);
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--report is of one rig and its poses; --holdout --json prints all of its numbers");
	}
	compare_work work = {.read = NULL};
	const ossa_status status = compare(run, &work);
	ossa_rig_free(run->context, work.rig);
	ossa_rig_free(run->context, work.read);
	ossa_rig_free(run->context, work.truth);
	ossa_frames_free(run->context, work.frames);
	ossa_mesh_free(run->context, work.rest);
	return status;
}

static const ossa_option_group groups[] = {
	{"Compare", "truth|report|holdout", "split"},
	{"Input", "", ""},
	{"Method", "", "method"},
	{"Skeleton", "", "bones|symmetry|names"},
	{"Weights", "", "influences"},
	{"Pieces", "", ""},
	{"Motion", "", "key-frames"},
	{NULL, NULL, NULL},
};

const command_definition command_compare = {
	.name = "compare",
	.summary = "measure how well a rig reproduces poses",
	.usage = "RIG REST [POSE...] | --holdout MESH FRAMES... [OPTIONS]",
	.details = "Measures how far the motion of RIG, one keyframe for each pose, is from the poses. REST is the mesh that the "
			   "rig was made of; it may be an animated file, whose frames are then the poses. Without poses only weights and "
			   "joints are evaluated. `ossa help metrics` explains the numbers.\n\n"
			   "With --holdout the arguments and options are those of `ossa rig`: a rig is made from half of the frames and "
			   "measured on the other half.",
	.more = "Of a RIG with several motions the one that is called as the poses' file or animation is measured, else the "
			"first.\n\n"
			"The vertices of REST are found in the rig in order, or by position where another program split or sorted them.\n\n"
			"With --truth the skeleton is also compared with another one of the same shape, such as an artist's: distances of "
			"joints and bones in shares of the largest side, and the mean distance of joints matched one to one over all "
			"frames (JACC). Only its joints count that move a vertex and rotate by at least 10 degrees in its motion.\n\n"
			"With --holdout only the motion is fitted to the other half of the frames; skeleton and weights do not change. "
			"Errors on frames that a rig was not made from show how well it generalises.",
	.examples = "ossa compare horse.glb rest.obj pose-*.obj\n"
				"ossa compare fewer-bones.glb character.glb\n"
				"ossa compare --json horse.glb horse.obj gallop.pc2\n"
				"ossa compare horse.glb rest.obj pose-*.obj --report horse.html\n"
				"ossa compare horse.glb rest.obj pose-*.obj --truth truth.glb\n"
				"ossa compare --holdout horse.obj gallop.pc2 --bones 24 --split halves",
	.files_minimum = 1,
	.files_maximum = SIZE_MAX,
	.groups = groups,
	.texts = {{0, "truth", "FILE", false, "a rig to compare the skeleton with, in the same place and of the same size", true},
		{0, "report", "FILE", true, "write a report too: a page with pictures (.html) or every number (.json)", false}},
	.makes_rigs = true,
	.tables = {compare_table, command_file_table, ossa_read_option_table, ossa_shape_option_table},
	.run = run_compare,
};
