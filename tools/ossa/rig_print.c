/* tools/ossa/rig_print.c: what `ossa rig` prints of its result.

   Place in the path: the top, below cmd_rig.c.
   Input: the work, done.
   Output: a table, or one JSON object, on standard output. */
#include "rig_characters.h"
#include "rig_constraints.h"
#include "rig_given.h"
#include "rig_shapes.h"

#include <math.h>

/* the error of each method for motion */
static json_t *tried_json(const ossa_rig_result *made)
{
	json_t *tried = json_pack("{s:I}", "key_frames", (json_int_t)made->key_frame_count);
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		char key[64];
		snprintf(key, sizeof key, "%s_rms_percent", method->name);
		if (method->takes_motion) json_object_set_new(tried, key, command_json_real(command_attempt_rms(made, method)));
	}
	return tried;
}

/* the files of one level */
static json_t *level_files(const rig_work *work, int level)
{
	json_t *files = json_array();
	for (size_t i = 0; i < work->output_count; i++) {
		char path[COMMAND_PATH_SIZE];
		command_level_path(work->outputs[i], level, path, sizeof path);
		json_array_append_new(files, command_json_text(path));
	}
	return files;
}

static json_t *takes_json(const command_run *run, const rig_work *work)
{
	json_t *takes = json_array();
	for (size_t i = 0; i < rig_take_count(run, work); i++) {
		const ossa_take take = ossa_frame_stream_take(work->stream, i);
		json_array_append_new(takes,
			json_pack(
				"{s:s, s:I, s:I}", "name", take.name, "first", (json_int_t)take.first, "frames", (json_int_t)take.frame_count));
	}
	return takes;
}

static json_t *levels_json(const command_run *run, const rig_work *work)
{
	json_t *levels = json_array();
	for (int level = 0; level < command_levels_written(run, work->rig); level++) {
		json_array_append_new(levels,
			json_pack("{s:i, s:I, s:o, s:o}", "level", level, "bones", (json_int_t)command_level_bones(work->rig, level),
				"rms_percent", command_json_real(level == 0 ? work->report.hierarchy.rms_percent : work->level_rms[level]),
				"files", level_files(work, level)));
	}
	return levels;
}

ossa_status rig_print_json(command_run *run, const rig_work *work)
{
	char *text = NULL;
	COMMAND_TRY(ossa_report_json(run->context, &work->report, &text));
	json_t *value = json_loads(text, 0, NULL), *files = level_files(work, 0);
	ossa_free(run->context, text);
	for (size_t t = RIG_REPORT; t <= RIG_CURVE; t += RIG_CURVE - RIG_REPORT) {
		for (size_t i = 0; i < run->texts[t].count; i++) {
			json_array_append_new(files, command_json_text(run->texts[t].values[i]));
		}
	}
	const char *reason = work->made.reason;
	if (reason[0]) json_object_set_new(value, "chosen", json_pack("{s:s, s:s}", "method", work->rig->method, "reason", reason));
	if (command_levels_written(run, work->rig) > 1) json_object_set_new(value, "levels", levels_json(run, work));
	if (rig_take_count(run, work) > 1) json_object_set_new(value, "motions", takes_json(run, work));
	json_object_set_new(value, "rest", command_json_text(work->report.input));
	if (work->given.path) json_object_set_new(value, "given", rig_given_json(work));
	if (rig_shapes_are_asked(run)) json_object_set_new(value, "shapes", rig_shapes_json(work));
	if (work->editor) json_object_set_new(value, "edits", rig_constraints_json(work));
	if (work->made.frame_count > 0) json_object_set_new(value, "tried", tried_json(&work->made));
	json_object_set_new(value, "left_out", work->left_out[0] ? json_string(work->left_out) : json_null());
	json_object_set_new(value, "files", files);
	json_object_set_new(value, "reads", command_json_paths(&run->opened));
	json_object_set_new(value, "writes", command_json_paths(&run->written));
	return command_print_json(run, value);
}

/* the bone whose skin has the largest error */
static void print_worst_bone(const ossa_report *report)
{
	const ossa_skeleton *skeleton = &report->rig->skeleton;
	size_t worst = 0;
	if (!report->bone_rms) return;
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		if (report->bone_rms[b] > report->bone_rms[worst] || isnan(report->bone_rms[worst])) worst = b;
	}
	printf("%-24s %12.4g  %% of the diagonal, %s\n", "RMS of the worst bone", report->bone_rms[worst],
		skeleton->bones[worst].name);
}

static void print_metrics(const ossa_report *report)
{
	command_metrics metrics = {.table = ossa_metrics_table(), .count = 1, .values = {&report->hierarchy, &report->free_bones}};
	if (!isnan(report->free_bones.rms_percent)) {
		metrics.count = 2;
		metrics.titles[0] = "hierarchy";
		metrics.titles[1] = "free bones";
	}
	putchar('\n');
	command_print_metrics(&metrics);
	print_worst_bone(report);
}

static double diagonal_of(const ossa_mesh *mesh)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0;
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], (double)mesh->positions[i]);
		high[i % 3] = fmax(high[i % 3], (double)mesh->positions[i]);
	}
	for (int k = 0; k < 3; k++) sum += (high[k] - low[k]) * (high[k] - low[k]);
	return sqrt(sum);
}

/* the joint that a bone turns as; its axis is in the JSON */
static void driver_text(const ossa_rig *rig, const ossa_dependency *d, char *text, size_t size)
{
	snprintf(text, size, "%s%s", command_drives_by_twist(d) ? "twist of " : "", rig->skeleton.bones[d->driver].name);
}

/* hinges that turn as others do, and by how much driving them adds to the error */
static void print_dependencies(const ossa_report *report)
{
	const ossa_rig *rig = report->rig;
	if (rig->dependency_count == 0) return;
	printf("\n%-24s %-24s %9s %9s %9s %9s\n", "dependent bone", "turns as", "ratio", "offset", "off by", "RMS");
	for (size_t i = 0; i < rig->dependency_count; i++) {
		const ossa_dependency *d = &rig->dependencies[i];
		char driver[96];
		driver_text(rig, d, driver, sizeof driver);
		printf("%-24s %-24s %9.4g %9.4g %9.3g %9.4g\n", rig->skeleton.bones[d->bone].name, driver, d->ratio, d->offset_degrees,
			d->error_degrees, hypot(report->hierarchy.rms_percent, 100 * d->cost / diagonal_of(rig->mesh)));
	}
}

/* no minus before a zero that was rounded */
static double shown(double value) { return fabs(value) < 0.005 ? 0 : value; }

/* along what they slide, and how far from rest */
static void print_slides(const ossa_rig *rig)
{
	bool any = false;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		double range[2];
		if (bone->kind != OSSA_JOINT_PRISMATIC) continue;
		if (!any) printf("\n%-24s %-24s %9s %9s   %s\n", "sliding joint", "on", "from", "to", "along");
		any = true;
		ossa_rig_slide_range(rig, NULL, b, range);
		printf("%-24s %-24s %9.4g %9.4g   %.2f,%.2f,%.2f\n", bone->name, rig->skeleton.bones[bone->parent].name, range[0],
			range[1], shown(bone->axis[0]), shown(bone->axis[1]), shown(bone->axis[2]));
	}
}

/* joints that the tree leaves out, and where */
static void print_loops(const ossa_rig *rig)
{
	if (rig->loop_count == 0) return;
	printf("\n%-24s %-24s %9s %9s %9s\n", "loop of", "and", "x", "y", "z");
	for (size_t i = 0; i < rig->loop_count; i++) {
		const ossa_loop *loop = &rig->loops[i];
		printf("%-24s %-24s %9.4g %9.4g %9.4g\n", rig->skeleton.bones[loop->bones[0]].name,
			rig->skeleton.bones[loop->bones[1]].name, loop->center[0], loop->center[1], loop->center[2]);
	}
}

void rig_print_stages(const command_run *run, const ossa_report *report)
{
	printf("\n%-24s %12s %12s\n", "stage", "seconds", "CPU");
	for (size_t i = 0; i < ossa_context_stage_count(run->context); i++) {
		const ossa_stage_cost *stage = ossa_context_stage(run->context, i);
		/* a stage that had nothing to do */
		if (stage->wall_seconds < 0.0005 && stage->cpu_seconds < 0.0005) continue;
		printf("%-24s %12.3f %12.3f\n", stage->name, stage->wall_seconds, stage->cpu_seconds);
	}
	printf("%-24s %12.3f %12.3f  peak %.0f MB\n", "all", report->wall_seconds, report->cpu_seconds,
		(double)(report->peak_resident_bytes ? report->peak_resident_bytes : ossa_context_peak_bytes(run->context)) / 1e6);
}

/* the method, and why it was chosen */
static void print_method(const rig_work *work)
{
	printf("%-10s %s%s%s\n", "method", work->rig->method, work->made.reason[0] ? ": " : "", work->made.reason);
}

void rig_print_written(const command_run *run, const rig_work *work, const char *output)
{
	printf("%-10s %s\n", "wrote", output);
	for (int level = 1; level < command_levels_written(run, work->rig); level++) {
		char path[COMMAND_PATH_SIZE];
		command_level_path(output, level, path, sizeof path);
		const size_t bones = command_level_bones(work->rig, level);
		printf("%-10s %s: %zu bone%s", "wrote", path, bones, bones == 1 ? "" : "s");
		if (!isnan(work->level_rms[level])) printf(", RMS %.4g %% of the diagonal", work->level_rms[level]);
		putchar('\n');
	}
}

/* the counts of pieces that were rigged separately */
static void print_pieces(const ossa_piece_roles *pieces)
{
	if (pieces->skeletons == 0) return;
	printf("%-10s %zu: %zu with a skeleton, %zu rigid, %zu moving along\n", "pieces",
		pieces->skeletons + pieces->rigid + pieces->along, pieces->skeletons, pieces->rigid, pieces->along);
}

/* the motions that were written, where there are several */
static void print_takes(const command_run *run, const rig_work *work)
{
	const size_t count = rig_take_count(run, work);
	for (size_t i = 0; count > 1 && i < count; i++) {
		const ossa_take take = ossa_frame_stream_take(work->stream, i);
		printf("%s%s %zu", i ? ", " : "motions    ", take.name, take.frame_count);
	}
	if (count > 1) putchar('\n');
}

void rig_print_table(const command_run *run, const rig_work *work)
{
	const ossa_mesh *mesh = work->rig->mesh;
	char chosen[80] = "";
	if (work->made.key_frame_count < work->made.frame_count) {
		snprintf(chosen, sizeof chosen, "; skeleton and weights from %zu key frames", work->made.key_frame_count);
	}
	printf("%-10s %s: %zu vertices, %zu faces\n", "model", work->report.input, mesh->vertex_count, mesh->polygon_count);
	if (work->given.path) rig_given_print(work);
	print_method(work);
	rig_constraints_print(work);
	/* rotations of all joints as Euler angles, and positions of the root */
	const size_t numbers = 3 * work->rig->skeleton.bone_count + 3, coordinates = 3 * mesh->vertex_count;
	if (work->report.frame_count > 0) {
		printf("%-10s %zu, %zu numbers each for %zu coordinates%s\n", "poses", work->report.frame_count, numbers, coordinates,
			chosen);
	}
	print_takes(run, work);
	if (work->left_out[0]) printf("%-10s %s\n", "left out", work->left_out);
	printf("%-10s %zu\n", "bones", work->rig->skeleton.bone_count);
	print_pieces(&work->rig->pieces);
	if (rig_shapes_are_asked(run)) rig_shapes_print(work);
	print_metrics(&work->report);
	print_dependencies(&work->report);
	print_slides(work->rig);
	print_loops(work->rig);
	rig_print_stages(run, &work->report);
	putchar('\n');
	for (size_t i = 0; i < work->output_count; i++) rig_print_written(run, work, work->outputs[i]);
	for (size_t t = RIG_REPORT; t <= RIG_CURVE; t += RIG_CURVE - RIG_REPORT) {
		for (size_t i = 0; i < run->texts[t].count; i++) printf("%-10s %s\n", "wrote", run->texts[t].values[i]);
	}
}
