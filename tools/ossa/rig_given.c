/* tools/ossa/rig_given.c: a rig of bones that a file gives: `ossa rig --with`, `--skeleton`.

   Place in the path: the top, behind `ossa rig`.
   Input: a file of bones, with mesh and weights or without; a mesh, frames in any form.
   Output: the rig with weights, joints and motion as they were asked for, and a report of its
   errors. */
#include "rig_given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asked ---- */

/* options of making a rig that say how given bones are fitted */
static const char *const fit_options[] = {"influences", "key-frames", "refine", "local", "worth"};

static bool is_fit_option(const char *name)
{
	for (size_t i = 0; i < sizeof fit_options / sizeof *fit_options; i++) {
		if (strcmp(name, fit_options[i]) == 0) return true;
	}
	return false;
}

static ossa_status check_options(command_run *run, const rig_given *given)
{
	for (size_t i = 0; i < run->given.count; i++) {
		const char *name = run->given.values[i];
		if (!ossa_rig_option_find(name) || (is_fit_option(name) && (given->weights || given->joints))) continue;
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--%s is an option of making a rig; with --%s the bones exist already%s",
			name, command_text_value(run, RIG_WITH) ? "with" : "skeleton",
			is_fit_option(name) ? ", and only their motion is fitted (--solve weights,motion fits weights too)" : "");
	}
	return OSSA_OK;
}

static ossa_status take_word(command_run *run, const char *word, size_t length, rig_given *given)
{
	bool *const wanted[] = {&given->weights, &given->joints, &given->motion, &given->hinges, &given->binds};
	static const char *const words[] = {"weights", "joints", "motion", "hinges", "bind"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (strlen(words[i]) != length || strncmp(word, words[i], length) != 0) continue;
		*wanted[i] = true;
		return OSSA_OK;
	}
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--solve takes weights, joints, motion, hinges and bind, with commas between them, not \"%.*s\"", (int)length, word);
}

static ossa_status take_words(command_run *run, const char *words, rig_given *given)
{
	given->is_asked = true;
	for (const char *word = words; word; word = strchr(word, ',') ? strchr(word, ',') + 1 : NULL) {
		COMMAND_TRY(take_word(run, word, strcspn(word, ","), given));
	}
	given->motion |= given->hinges;
	const bool only_binds = !given->weights && !given->joints && !given->motion;
	given->weights |= only_binds;
	given->motion |= only_binds;
	if (given->motion || !given->joints) return OSSA_OK;
	return command_fail(
		run, OSSA_ERROR_ARGUMENT, "--solve joints moves joints to where their motion has them: it needs motion too");
}

/* rounds of smoothing: the frames are what weights are fitted to */
static ossa_status take_mush(command_run *run, const char *with, rig_given *given)
{
	const char *text = command_text_value(run, RIG_DELTA_MUSH);
	char *end = NULL;
	if (!text) return OSSA_OK;
	if (!with) return command_fail(run, OSSA_ERROR_ARGUMENT, "--delta-mush is about a rig that exists: name it by --with");
	const long rounds = strtol(text, &end, 10);
	if (end == text || *end || rounds < 1 || rounds > OSSA_DELTA_MUSH_ROUNDS_MAX) {
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--delta-mush takes rounds of smoothing from 1 to %d, not \"%s\"",
			(int)OSSA_DELTA_MUSH_ROUNDS_MAX, text);
	}
	given->mush = (int)rounds;
	return OSSA_OK;
}

ossa_status rig_given_check(command_run *run, rig_work *work)
{
	rig_given *given = &work->given;
	const char *with = command_text_value(run, RIG_WITH), *skeleton = command_text_value(run, RIG_SKELETON);
	const char *solve = command_text_value(run, RIG_SOLVE);
	if (with && skeleton)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--skeleton and --with both name a rig: give one of them");
	if (!with && solve) return command_fail(run, OSSA_ERROR_ARGUMENT, "--solve is about bones that exist: name them by --with");
	if (skeleton && run->texts[RIG_LOCK].count > 0)
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--lock is about bones that are solved for: name them by --with");
	if (!with && command_text_value(run, RIG_ADD_BONES))
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--add-bones is about bones that exist: name them by --with");
	COMMAND_TRY(take_mush(run, with, given));
	given->path = with ? with : skeleton;
	given->motion = !solve && given->mush == 0;
	given->weights = !solve && given->mush > 0;
	/* an existing rig gets a motion alone; what else is solved for is known when it is read */
	given->is_asked = skeleton != NULL || given->mush > 0;
	if (solve) COMMAND_TRY(take_words(run, solve, given));
	if (!given->path) return OSSA_OK;
	rig_given most = *given;
	most.weights |= !given->is_asked;
	return check_options(run, &most);
}

/* ---- what frames are ---- */

/* whether a file has joints that move */
static bool moves_joints(command_run *run, const char *path)
{
	ossa_clip_facts *clips = NULL;
	size_t count = 0;
	bool moves = false;
	if (ossa_read_contents(run->context, path, NULL, &count, &clips) != OSSA_OK) return false;
	for (size_t i = 0; i < count; i++) moves |= clips[i].moves_joints;
	ossa_free(run->context, clips);
	return moves;
}

ossa_status command_explain_joints(
	command_run *run, ossa_status status, const char *rig, size_t path_count, const char *const *paths)
{
	char message[sizeof run->message];
	if (status != OSSA_ERROR_INPUT || path_count != 1) return status;
	snprintf(message, sizeof message, "%s", ossa_context_error(run->context)->message);
	if (!moves_joints(run, paths[0])) return command_fail(run, status, "%s", message);
	return command_fail(run, status, "%s. The motion of its joints is carried over by: ossa convert %s OUT --motion %s",
		message, rig, paths[0]);
}

/* ---- bones and their mesh ---- */

/* targets of the mesh that move beside joints are no matter of bones, as where a rig is made */
static ossa_read_options keep_morphs(const command_run *run, const ossa_mesh *mesh)
{
	ossa_read_options own = *(const ossa_read_options *)run->options[RIG_READ];
	if (own.morphs == OSSA_MORPHS_AUTO && (!mesh || mesh->morph_count > 0)) own.morphs = OSSA_MORPHS_KEEP;
	return own;
}

/* `path_count` files of frames; of one file its own mesh and motion */
static ossa_status open_own_mesh(
	command_run *run, rig_work *work, const char *rest, size_t path_count, const char *const *paths)
{
	ossa_read_options read = keep_morphs(run, NULL);
	const command_file_options *files = run->options[RIG_FILES];
	if (path_count == 0) return ossa_frame_stream_open_animation(run->context, rest, &read, &work->mesh, &work->stream);
	COMMAND_TRY(ossa_read_mesh(run->context, rest, run->options[RIG_READ], &work->mesh));
	COMMAND_TRY(command_check(run));
	read = keep_morphs(run, work->mesh);
	return ossa_frame_stream_open(run->context, work->mesh, path_count, paths, files->keep_order, &read, &work->stream);
}

/* the bones get the mesh of the frames, and weights by its shape */
static ossa_status bind(command_run *run, rig_work *work)
{
	const size_t taken = work->rest ? 0 : 1;
	const char *rest = work->rest ? work->rest : work->poses[0];
	ossa_bind_options options = ossa_bind_default();
	const ossa_fit_options *fit = &work->fit_options;
	ossa_rig *bound = NULL;
	options.influences = fit->influences;
	const ossa_status status = open_own_mesh(run, work, rest, work->pose_count - taken, work->poses + taken);
	COMMAND_TRY(command_explain_joints(run, status, work->given.path, 1, &rest));
	COMMAND_TRY(command_check(run));
	COMMAND_TRY(ossa_rig_bind(run->context, work->rig, work->mesh, &options, &bound));
	ossa_rig_free(run->context, work->rig);
	work->rig = bound;
	work->given.is_bound = true;
	return OSSA_OK;
}

/* the frames are of the rig's mesh, in any order of its vertices */
static ossa_status open_frames(command_run *run, rig_work *work)
{
	const command_file_options *files = run->options[RIG_FILES];
	const ossa_read_options read = keep_morphs(run, work->rig->mesh);
	const ossa_status status = ossa_frame_stream_open_matched(
		run->context, work->rig->mesh, work->rest, work->pose_count, work->poses, files->keep_order, &read, &work->stream);
	return command_explain_joints(run, status, work->given.path, work->pose_count, work->poses);
}

static ossa_status refuse_skeleton(command_run *run, const char *path)
{
	return command_fail(run, OSSA_ERROR_INPUT,
		"%s: is a skeleton without a mesh; a motion can be fitted to frames only with the mesh and its weights (--with %s and "
		"the "
		"mesh make weights for it; ossa convert --motion carries a skeleton's own motion over to a rig)",
		path, path);
}

static ossa_status read_given(command_run *run, rig_work *work)
{
	rig_given *given = &work->given;
	/* --frames and --clip select from the frames' file; of a motion that stays from RIG, too */
	const bool keeps_motion = given->mush > 0 && !given->motion;
	COMMAND_TRY(ossa_read_rig(run->context, given->path, keeps_motion ? run->options[RIG_READ] : NULL, &work->rig));
	const bool has_mesh = work->rig->mesh->vertex_count > 0 && !given->binds;
	if (!has_mesh && given->is_asked && !given->weights) return refuse_skeleton(run, given->path);
	if (!given->is_asked) given->weights = !has_mesh;
	COMMAND_TRY(command_check(run));
	return has_mesh ? open_frames(run, work) : bind(run, work);
}

/* ---- locks ---- */

typedef struct locks {
	ossa_fit_locks locks;
	uint8_t *weights, *joints;
	float *vertices;
} locks;

/* shares of the weights that vertices keep: the red of their colour */
static ossa_status take_paint(command_run *run, const ossa_rig *rig, locks *l)
{
	const float *colors = rig->mesh->colors;
	if (!colors) {
		return command_fail(run, OSSA_ERROR_INPUT,
			"--lock painted keeps vertices by the red of their colour, and the mesh has no vertex colours");
	}
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) l->vertices[v] = fminf(fmaxf(colors[4 * v], 0), 1);
	l->locks.vertices = l->vertices;
	return OSSA_OK;
}

static ossa_status take_lock(command_run *run, const ossa_rig *rig, const char *text, locks *l)
{
	const char *comma = strchr(text, ',');
	const size_t length = comma ? (size_t)(comma - text) : 0;
	const bool is_weights = length == 7 && strncmp(text, "weights", 7) == 0;
	const bool is_joint = length == 5 && strncmp(text, "joint", 5) == 0;
	size_t bone = 0;
	if (strcmp(text, "painted") == 0) return take_paint(run, rig, l);
	if (!is_weights && !is_joint) {
		return command_fail(run, OSSA_ERROR_ARGUMENT, "--lock takes weights,BONE or joint,BONE or painted, not \"%s\"", text);
	}
	COMMAND_TRY(ossa_rig_find_bone(run->context, rig, comma + 1, &bone));
	if (is_weights) l->weights[bone] = 1;
	else l->joints[bone] = 1;
	l->locks.weights = l->weights;
	l->locks.joints = l->joints;
	return OSSA_OK;
}

static ossa_status take_locks(command_run *run, const ossa_rig *rig, locks *l)
{
	for (size_t i = 0; i < run->texts[RIG_LOCK].count; i++) {
		COMMAND_TRY(take_lock(run, rig, run->texts[RIG_LOCK].values[i], l));
	}
	return OSSA_OK;
}

/* ---- the solve ---- */

static ossa_status solve(command_run *run, rig_work *work)
{
	const ossa_rig *rig = work->rig;
	ossa_fit_options options = work->fit_options;
	locks l = {.weights = ossa_alloc(run->context, rig->skeleton.bone_count, 2),
		.vertices = ossa_alloc(run->context, rig->mesh->vertex_count, sizeof *l.vertices)};
	l.joints = l.weights ? l.weights + rig->skeleton.bone_count : NULL;
	options.weights = work->given.weights;
	options.joints = work->given.joints;
	options.motion = work->given.motion;
	ossa_status status = l.weights && l.vertices ? take_locks(run, rig, &l) : ossa_context_error(run->context)->status;
	if (status == OSSA_OK) {
		status = ossa_rig_fit_weights(run->context, work->rig, work->stream, &options, &l.locks, &work->given.facts);
	}
	ossa_free(run->context, l.weights);
	ossa_free(run->context, l.vertices);
	work->given.is_fitted = status == OSSA_OK;
	return status;
}

/* the rig's own motion, where that stays; of a shape what needs no frames */
static ossa_status measure(command_run *run, const rig_work *work, ossa_metrics *metrics)
{
	ossa_frames *frames = NULL;
	const bool moves = work->stream && !work->fit;
	if (moves) COMMAND_TRY(ossa_frame_stream_frames(run->context, work->stream, 0, NULL, &frames));
	const ossa_status status = ossa_rig_measure(run->context, work->rig, NULL, NULL, frames, metrics);
	ossa_frames_free(run->context, frames);
	return status;
}

static ossa_status fill_report(command_run *run, rig_work *work)
{
	const ossa_motion_fit *fit = work->fit;
	const ossa_metrics none = {.rms_percent = NAN};
	ossa_metrics hierarchy;
	COMMAND_TRY(measure(run, work, &hierarchy));
	if (fit) {
		hierarchy.rms_percent = fit->errors.rms_percent;
		hierarchy.max_percent = fit->errors.max_percent;
		hierarchy.max_vertex = fit->errors.max_vertex;
		hierarchy.max_frame = fit->errors.max_frame;
		hierarchy.accu_percent = fit->errors.accu_percent;
		hierarchy.compression = fit->errors.compression;
	}
	const size_t frames = work->stream && work->rig->clip ? work->rig->clip->frame_count : 0;
	ossa_report_fill(run->context, work->rig, frames, &hierarchy, fit ? &fit->free_errors : &none, &work->report);
	if (fit) work->report.bone_rms = fit->bone_rms;
	return OSSA_OK;
}

static ossa_status fit_motion(command_run *run, rig_work *work)
{
	const ossa_write_options *write = run->options[RIG_WRITE];
	ossa_motion_options options = ossa_motion_default();
	options.free_motion = write->free_bones;
	options.keep_hinges = work->given.hinges;
	COMMAND_TRY(ossa_rig_fit_motion(run->context, work->rig, work->stream, &options, &work->fit));
	ossa_motion_fit_warn(run->context, work->rig, work->fit);
	ossa_rig_take_motion(run->context, work->rig, work->fit);
	return OSSA_OK;
}

/* the options of the fit that have the names of a method's */
static ossa_status take_options(command_run *run, ossa_fit_options *fit)
{
	const ossa_examples_options *typed = ossa_method_options_of(run->rig.methods, "examples");
	*fit = ossa_fit_default();
	fit->influences = typed->influences;
	fit->local = typed->local;
	fit->refine = typed->refine > 0 ? typed->refine : 1;
	fit->key_frames = run->rig.key_frames;
	fit->worth = typed->worth;
	const char *count = command_text_value(run, RIG_ADD_BONES);
	return count ? ossa_option_set(run->context, ossa_fit_option_table(), fit, "add-bones", count) : OSSA_OK;
}

/* new bones have no weights and no motion of their own */
static ossa_status check_added(command_run *run, const rig_work *work)
{
	if (work->fit_options.add_bones == 0 || (work->stream && work->given.weights && work->given.motion)) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--add-bones finds bones by frames, and solves for weights and motion: give frames, and --solve weights,motion");
}

/* the frames as delta mush deforms them, in place of the stream's */
static ossa_status smooth_frames(command_run *run, rig_work *work)
{
	if (work->given.mush == 0) return OSSA_OK;
	if (!work->stream) {
		return command_fail(run, OSSA_ERROR_INPUT,
			"--delta-mush smooths frames, and there are none: give %s, or another file of them", work->given.path);
	}
	work->rough = work->stream;
	return ossa_frame_stream_delta_mush(run->context, work->rig->mesh, work->given.mush, work->rough, &work->stream);
}

ossa_status rig_given_make(command_run *run, rig_work *work)
{
	COMMAND_TRY(take_options(run, &work->fit_options));
	COMMAND_TRY(read_given(run, work));
	COMMAND_TRY(smooth_frames(run, work));
	COMMAND_TRY(check_added(run, work));
	if (work->stream && (work->given.weights || work->given.joints)) COMMAND_TRY(solve(run, work));
	if (work->stream && work->given.motion) COMMAND_TRY(fit_motion(run, work));
	return fill_report(run, work);
}

/* ---- print ---- */

void rig_given_print(const rig_work *work)
{
	const rig_given *given = &work->given;
	if (given->is_bound) printf("%-10s %s: weights by bone heat\n", "bones of", given->path);
	if (!given->is_fitted) return;
	printf("%-10s %s%s%s: %zu of %zu vertices changed, RMS %.4g to %.4g %% over %zu frames\n", "solved",
		given->weights ? "weights" : "", given->weights && given->joints ? ", " : "", given->joints ? "joints" : "",
		given->facts.vertices_changed, work->rig->mesh->vertex_count, given->facts.before_percent, given->facts.rms_percent,
		given->facts.key_frame_count);
	if (given->facts.added_bones > 0) printf("%-10s %zu helper bones\n", "added", given->facts.added_bones);
}

json_t *rig_given_json(const rig_work *work)
{
	const rig_given *given = &work->given;
	json_t *value = json_pack("{s:s, s:b}", "bones", given->path, "bound", given->is_bound);
	if (!given->is_fitted) return value;
	json_object_set_new(value, "weights", json_boolean(given->weights));
	json_object_set_new(value, "joints", json_boolean(given->joints));
	json_object_set_new(value, "vertices_changed", json_integer((json_int_t)given->facts.vertices_changed));
	json_object_set_new(value, "before_rms_percent", command_json_real(given->facts.before_percent));
	json_object_set_new(value, "rms_percent", command_json_real(given->facts.rms_percent));
	json_object_set_new(value, "added_bones", json_integer((json_int_t)given->facts.added_bones));
	json_object_set_new(value, "key_frames", json_integer((json_int_t)given->facts.key_frame_count));
	return value;
}
