/* studio/server/export_options.c: what an export does to the rig before it is written: names,
   motions, and all that a program expects.

   Place in the path: behind the job "export". The options are those of `ossa convert`; what was set
   by hand wins over what the program expects. */
#include "server.h"

#include <stddef.h>

typedef struct shape_options {
	int target; /* 0: none, else ossa_target_at(target - 1) */
	int names;  /* 0: as they are, else ossa_bone_names from 1 on */
	int influences;
	int root_motion; /* ossa_root_motion */
	bool loop;
	double frames_per_second;
} shape_options;

const ossa_option_table *studio_shape_option_table(void)
{
	static const shape_options defaults = {0};
	static const ossa_option options[] = {
		{"for", OSSA_OPTION_CHOICE, offsetof(shape_options, target), 0, 0, "", OSSA_TARGET_CHOICES,
			"set names, axes, unit, joint frames and format as this program expects them", ""},
		{"names", OSSA_OPTION_CHOICE, offsetof(shape_options, names), 0, 0, "", "keep|" OSSA_NAMES_CHOICES,
			"names of bones: as they are, body parts (thigh_L), numbers (bone_07), or those of another program for a human's "
			"bones",
			""},
		{"influences", OSSA_OPTION_INT, offsetof(shape_options, influences), 0, 64, "", "",
			"keep at most this many weights of a vertex, the largest; 0: all", ""},
		{"root-motion", OSSA_OPTION_CHOICE, offsetof(shape_options, root_motion), 0, 0, "", "keep|in-place|extract",
			"the path over the ground: as it is, removed (sway and height stay), or on the root bone above the hips, as "
			"engines want it",
			""},
		{"loop", OSSA_OPTION_BOOL, offsetof(shape_options, loop), 0, 0, "", "",
			"make the last frame of a motion its first again, apart from its way over the ground", ""},
		{"motion-fps", OSSA_OPTION_DOUBLE, offsetof(shape_options, frames_per_second), 0, 100000, "frames per second", "",
			"resample motions before they are written, the last frame kept; 0: their own frames", ""},
	};
	static const ossa_option_table table = {
		"shape", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(shape_options)};
	return &table;
}

json_t *studio_targets_json(void)
{
	static const char *const axes[] = {"x", "y", "z"};
	json_t *list = json_array();
	for (size_t i = 0; i < ossa_target_count(); i++) {
		const ossa_target *target = ossa_target_at(i);
		json_array_append_new(list,
			json_pack("{s:s, s:s, s:i, s:s, s:o, s:s, s:b, s:s, s:s}", "name", target->name, "title", target->title, "names",
				(int)target->names, "up", target->up == OSSA_UP_Z ? "z" : "y", "unit", studio_real(target->unit), "bone_axis",
				axes[target->bone_axis], "leaf_bones", target->leaf_bones, "formats", target->formats, "endings",
				ossa_target_endings(target)));
	}
	return list;
}

/* ---- what is wanted ---- */

/* each text to the table that has its name */
static ossa_status fill(studio_work *work, json_t *texts, shape_options *shape, ossa_write_options *options)
{
	const char *name;
	json_t *value;
	json_object_foreach(texts, name, value)
	{
		const bool is_shape = ossa_option_find(studio_shape_option_table(), name) != NULL;
		json_t *one = json_pack("{s:O}", name, value);
		const ossa_status status = is_shape ? studio_options_fill(work, studio_shape_option_table(), shape, one)
											: studio_options_fill(work, ossa_write_option_table(), options, one);
		json_decref(one);
		STUDIO_TRY(status);
	}
	return OSSA_OK;
}

/* ---- what it does ---- */

static void replace(ossa_context *context, ossa_clip **clip, ossa_clip *made)
{
	ossa_clip_free(context, *clip);
	*clip = made;
}

static ossa_status change_clip(ossa_context *context, const shape_options *shape, const ossa_rig *rig, ossa_clip **clip)
{
	ossa_clip *made;
	if ((*clip)->frame_count == 0) return OSSA_OK;
	if (shape->frames_per_second > 0) {
		STUDIO_TRY(ossa_clip_resample(context, *clip, shape->frames_per_second, &made));
		replace(context, clip, made);
	}
	if (shape->root_motion != OSSA_ROOT_KEEP) {
		STUDIO_TRY(ossa_clip_set_root_motion(context, rig, *clip, (ossa_root_motion)shape->root_motion, &made));
		replace(context, clip, made);
	}
	if (shape->loop && (*clip)->frame_count > 1) {
		STUDIO_TRY(ossa_clip_close_loop(context, rig, *clip, &made, NULL));
		replace(context, clip, made);
	}
	return OSSA_OK;
}

static ossa_status change_clips(studio_work *work, const shape_options *shape, ossa_rig *rig)
{
	const size_t count = ossa_rig_clip_count(rig);
	ossa_clip **clips = ossa_alloc(work->context, count, sizeof *clips);
	ossa_status status = clips ? OSSA_OK : OSSA_ERROR_MEMORY;
	for (size_t i = 0; status == OSSA_OK && i < count; i++) {
		status = ossa_clip_copy(work->context, ossa_rig_clip_at(rig, i), &clips[i]);
		if (status == OSSA_OK) status = change_clip(work->context, shape, rig, &clips[i]);
	}
	if (status == OSSA_OK) status = ossa_rig_set_clips(work->context, rig, count, clips);
	for (size_t i = 0; clips && status != OSSA_OK && i < count; i++) ossa_clip_free(work->context, clips[i]);
	ossa_free(work->context, clips);
	return status;
}

static ossa_status change_rig(studio_work *work, const shape_options *shape, ossa_rig *rig)
{
	const bool changes_clips = shape->frames_per_second > 0 || shape->root_motion != OSSA_ROOT_KEEP || shape->loop;
	if (shape->influences > 0) STUDIO_TRY(ossa_rig_limit_influences(work->context, rig, shape->influences));
	if (changes_clips && rig->clip) {
		if (shape->root_motion == OSSA_ROOT_EXTRACT) STUDIO_TRY(ossa_rig_add_root(work->context, rig, NULL));
		STUDIO_TRY(change_clips(work, shape, rig));
	}
	if (shape->names == 0) return OSSA_OK;
	return ossa_rig_name_bones(work->context, rig, (ossa_bone_names)(shape->names - 1));
}

ossa_status studio_export_options(
	studio_work *work, json_t *texts, const char *path, ossa_rig *rig, ossa_write_options *options)
{
	shape_options shape = {0};
	*options = ossa_write_default();
	if (texts && !json_is_object(texts)) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"options\" is no object");
	STUDIO_TRY(fill(work, texts, &shape, options));
	const ossa_target *target = shape.target > 0 ? ossa_target_at((size_t)shape.target - 1) : NULL;
	if (target) {
		*options = ossa_write_default();
		STUDIO_TRY(ossa_target_apply(work->context, target, path, options));
		STUDIO_TRY(fill(work, texts, &shape, options));
		if (!json_object_get(texts, "names") && target->names != OSSA_NAMES_BODY) shape.names = (int)target->names + 1;
	}
	if (rig->skeleton.bone_count == 0) return OSSA_OK;
	if (target) STUDIO_TRY(ossa_target_check_rest(work->context, target, rig, options->rest_pose));
	return change_rig(work, &shape, rig);
}
