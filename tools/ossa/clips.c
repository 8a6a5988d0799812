/* tools/ossa/clips.c: see clips.h.

   Place in the path: the top, behind `ossa convert`.
   Input: a rig with one motion or several, what is to become of them.
   Output: the same motions resampled, in place or with a root that travels, closed to loops. */
#include "clips.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct clip_options {
	double frames_per_second;
	int root_motion; /* ossa_root_motion */
	bool loop;
} clip_options;

const ossa_option_table *command_clip_table(void)
{
	static const clip_options defaults = {0, OSSA_ROOT_KEEP, false};
	static const ossa_option options[] = {
		{"root-motion", OSSA_OPTION_CHOICE, offsetof(clip_options, root_motion), 0, 0, "", "keep|in-place|extract",
			"the path over the ground: as it is, removed (sway and height stay), or on the root bone above the hips, "
			"as engines want it",
			""},
		{"loop", OSSA_OPTION_BOOL, offsetof(clip_options, loop), 0, 0, "", "",
			"make the last frame of a motion its first again, apart from its way over the ground: the difference is spread "
			"over "
			"all frames",
			""},
		{"motion-fps", OSSA_OPTION_DOUBLE, offsetof(clip_options, frames_per_second), 0, 100000, "frames per second", "",
			"resample motions before they are written, the last frame kept; 0: their own frames", ""},
	};
	static const ossa_option_table table = {
		"clips", options, sizeof options / sizeof options[0], &defaults, .size = sizeof(clip_options)};
	return &table;
}

static double height_of(const ossa_rig *rig)
{
	double low = INFINITY, high = -INFINITY;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		low = fmin(low, fmin(rig->skeleton.bones[b].joint[1], rig->skeleton.bones[b].tail[1]));
		high = fmax(high, fmax(rig->skeleton.bones[b].joint[1], rig->skeleton.bones[b].tail[1]));
	}
	return high > low ? high - low : 1;
}

static void note_gap(const ossa_rig *rig, const ossa_clip *clip, const ossa_clip_gap *found, command_loop_gap *gap)
{
	gap->closed++;
	gap->travelling += found->travels || found->turns;
	gap->share = fmax(gap->share, found->distance / height_of(rig));
	if (found->degrees < gap->degrees) return;
	gap->degrees = found->degrees;
	snprintf(gap->clip, sizeof gap->clip, "%s", clip->name);
	snprintf(gap->bone, sizeof gap->bone, "%s", rig->skeleton.bones[found->bone].name);
}

/* `*clip` becomes what `made` is, and what it was is freed */
static void replace(ossa_context *context, ossa_clip **clip, ossa_clip *made)
{
	ossa_clip_free(context, *clip);
	*clip = made;
}

static ossa_status change_clip(
	command_run *run, const clip_options *wanted, const ossa_rig *rig, ossa_clip **clip, command_loop_gap *gap)
{
	ossa_context *context = run->context;
	ossa_clip *made;
	if (wanted->frames_per_second > 0) {
		COMMAND_TRY(ossa_clip_resample(context, *clip, wanted->frames_per_second, &made));
		replace(context, clip, made);
	}
	if (wanted->root_motion != OSSA_ROOT_KEEP) {
		COMMAND_TRY(ossa_clip_set_root_motion(context, rig, *clip, (ossa_root_motion)wanted->root_motion, &made));
		replace(context, clip, made);
	}
	if (wanted->loop && (*clip)->frame_count > 1) {
		ossa_clip_gap found;
		COMMAND_TRY(ossa_clip_close_loop(context, rig, *clip, &made, &found));
		replace(context, clip, made);
		note_gap(rig, *clip, &found, gap);
	}
	return OSSA_OK;
}

static ossa_status change_all(
	command_run *run, const clip_options *wanted, ossa_rig *rig, size_t count, ossa_clip **clips, command_loop_gap *gap)
{
	for (size_t i = 0; i < count; i++) {
		COMMAND_TRY(ossa_clip_copy(run->context, ossa_rig_clip_at(rig, i), &clips[i]));
		if (clips[i]->frame_count > 0) COMMAND_TRY(change_clip(run, wanted, rig, &clips[i], gap));
	}
	return ossa_rig_set_clips(run->context, rig, count, clips);
}

ossa_status command_change_clips(command_run *run, const void *options, ossa_rig *rig, command_loop_gap *gap)
{
	const clip_options *wanted = options;
	const size_t count = ossa_rig_clip_count(rig);
	if (count == 0 || (wanted->frames_per_second == 0 && wanted->root_motion == OSSA_ROOT_KEEP && !wanted->loop))
		return OSSA_OK;
	ossa_clip **clips = ossa_alloc(run->context, count, sizeof *clips);
	if (!clips) return ossa_context_error(run->context)->status;
	ossa_status status = wanted->root_motion == OSSA_ROOT_EXTRACT ? ossa_rig_add_root(run->context, rig, NULL) : OSSA_OK;
	if (status == OSSA_OK) status = change_all(run, wanted, rig, count, clips, gap);
	for (size_t i = 0; status != OSSA_OK && i < count; i++) ossa_clip_free(run->context, clips[i]);
	ossa_free(run->context, clips);
	return status;
}

/* ---- reporting ---- */

static bool has_clip(const ossa_rig *rig, const char *name)
{
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		if (strcmp(ossa_rig_clip_at(rig, i)->name, name) == 0) return true;
	}
	return false;
}

command_other_clips command_count_others(const ossa_rig *rig, size_t count, const ossa_clip_facts *clips)
{
	command_other_clips others = {0, 0};
	for (size_t i = 0; i < count; i++) {
		if (has_clip(rig, clips[i].name)) continue;
		if (clips[i].moves_joints || clips[i].moves_parts) others.moving++;
		else others.still++;
	}
	return others;
}

const char *command_others_words(command_other_clips others, const char *which, const char *how, char *text, size_t size)
{
	size_t used = 0;
	text[0] = 0;
	if (others.moving > 0)
		used = (size_t)snprintf(text, size, "%zu %sanimation%s (%s)", others.moving, which, others.moving > 1 ? "s" : "", how);
	if (others.still == 0 || used >= size) return text;
	used += (size_t)snprintf(text + used, size - used, "%s", used > 0 ? "; " : "");
	const bool several = others.still > 1;
	if (used < size)
		snprintf(text + used, size - used, "%zu animation%s that move%s no joint", others.still, several ? "s" : "",
			several ? "" : "s");
	return text;
}

const char *command_clip_names(const ossa_rig *rig, char *text, size_t size)
{
	enum { REST_SIZE = 24 }; /* " and 1234567 more" */
	size_t used = 0, shown = 0;
	text[0] = 0;
	for (; shown < rig->other_clip_count; shown++) {
		const char *name = rig->other_clips[shown]->name;
		if (used + strlen(name) + 2 + REST_SIZE > size) break;
		used += (size_t)snprintf(text + used, size - used, "%s%s", shown > 0 ? ", " : "", name);
	}
	if (shown < rig->other_clip_count) snprintf(text + used, size - used, " and %zu more", rig->other_clip_count - shown);
	return text;
}

void command_print_loop(const command_loop_gap *gap)
{
	if (gap->closed == 0) return;
	printf("%-10s closed over %.3g degrees (%s in \"%s\") and %.3g %% of the height at most", "loops", gap->degrees, gap->bone,
		gap->clip, 100 * gap->share);
	if (gap->travelling > 0) printf("; %zu of %zu go on elsewhere", gap->travelling, gap->closed);
	putchar('\n');
}

json_t *command_loop_json(const command_loop_gap *gap)
{
	if (gap->closed == 0) return json_null();
	return json_pack("{s:I, s:I, s:f, s:s, s:s, s:f}", "closed", (json_int_t)gap->closed, "travelling",
		(json_int_t)gap->travelling, "degrees", gap->degrees, "bone", gap->bone, "clip", gap->clip, "height_share", gap->share);
}
