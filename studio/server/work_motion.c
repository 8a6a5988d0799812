/* studio/server/work_motion.c: the job "motion": the motions of another body, carried onto the rig.

   Place in the path: behind jobs.c, over ossa/retarget.h.
   Input: a file of the session with joints that move, options of matching and reading, a map.
   Output: the rig with these motions behind its own; the source's rig, which the page plays beside
   it; what was matched and how well the motion came over. The rig with the edits that were made so
   far is what later edits begin with; constraints on solving are set again. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct carrying {
	studio_work *work;
	const char *name;       /* of the file */
	json_t *wanted;         /* options, or NULL */
	const json_t *map_text; /* or NULL */
	char path[STUDIO_PATH_SIZE];
	ossa_read_options read;
	ossa_retarget_options options;
	ossa_retarget_map *map;
	ossa_rig *rig; /* not its own */
	ossa_rig *source;
	size_t count;
	ossa_clip **clips;
	ossa_retarget_facts facts;
} carrying;

/* ---- as JSON ---- */

static json_t *segments_json(const ossa_retarget_facts *facts)
{
	json_t *segments = json_array();
	for (size_t i = 0; i < facts->segment_count; i++) {
		const ossa_retarget_segment *segment = &facts->segments[i];
		char name[64] = "trunk";
		if (segment->from.part != OSSA_PART_HIPS) ossa_role_print(segment->from, name, sizeof name);
		json_array_append_new(segments,
			json_pack("{s:s, s:o, s:o, s:o}", "segment", name, "mean", studio_real(segment->mean), "p95",
				studio_real(segment->p95), "rest", studio_real(segment->rest)));
	}
	return segments;
}

json_t *studio_retarget_json(const ossa_retarget_facts *facts)
{
	json_t *described = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I}", "match",
		facts->match == OSSA_RETARGET_NAMES ? "names" : "roles", "rig_names", facts->rig_names, "source_names",
		facts->source_names, "matched", (json_int_t)facts->matched, "unmatched", (json_int_t)facts->unmatched, "source_unused",
		(json_int_t)facts->source_unused);
	if (!described || facts->match == OSSA_RETARGET_NAMES) return described;
	json_t *quality = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "scale",
		studio_real(facts->scale), "stride", studio_real(facts->stride), "mean_degrees", studio_real(facts->mean_degrees),
		"p95_degrees", studio_real(facts->p95_degrees), "lowest_percent", studio_real(facts->lowest_percent),
		"source_lowest_percent", studio_real(facts->source_lowest_percent), "slide", studio_real(facts->slide), "source_slide",
		studio_real(facts->source_slide), "steps", (json_int_t)facts->steps, "steps_kept", (json_int_t)facts->steps_kept,
		"limited_frames", (json_int_t)facts->limited_frames, "segments", segments_json(facts));
	json_object_update(described, quality);
	json_decref(quality);
	return described;
}

/* ---- reading ---- */

/* options of both tables in one object */
static ossa_status read_options(carrying *c)
{
	studio_work *work = c->work;
	const char *name;
	json_t *value, *options = c->wanted;
	c->read = ossa_read_default();
	c->options = ossa_retarget_default();
	snprintf(c->read.clip, sizeof c->read.clip, "all");
	if (options && !json_is_object(options)) return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"options\" is no object");
	json_object_foreach(options, name, value)
	{
		json_t *one = json_pack("{s:O}", name, value);
		const bool is_match = ossa_option_find(ossa_retarget_option_table(), name) != NULL;
		const ossa_status status = is_match ? studio_options_fill(work, ossa_retarget_option_table(), &c->options, one)
											: studio_options_fill(work, ossa_read_option_table(), &c->read, one);
		json_decref(one);
		STUDIO_TRY(status);
	}
	return OSSA_OK;
}

/* the library reads maps from files; `map` NULL: none */
static ossa_status read_map(studio_work *work, const json_t *map, ossa_retarget_map **read)
{
	char path[STUDIO_PATH_SIZE];
	if (!map || json_is_null(map)) return OSSA_OK;
	char *text = json_dumps(map, JSON_COMPACT | JSON_ENCODE_ANY);
	if (!text) return OSSA_ERROR_MEMORY;
	const bool is_there = studio_write_whole(work->session->path, ".map.json", text, strlen(text)) &&
		studio_path(path, sizeof path, work->session->path, ".map.json");
	free(text);
	if (!is_there) return studio_work_fail(work, OSSA_ERROR_WRITE, "the map cannot be kept");
	const ossa_status status = ossa_retarget_map_read(work->context, path, read);
	unlink(path);
	return status;
}

static ossa_status find_source(carrying *c)
{
	studio_work *work = c->work;
	char inside[STUDIO_NAME_SIZE + 8];
	if (!c->name || !studio_name_is_good(c->name))
		return studio_work_fail(work, OSSA_ERROR_ARGUMENT, "\"file\" names no file of this session");
	snprintf(inside, sizeof inside, "files/%s", c->name);
	if (!studio_path(c->path, sizeof c->path, work->session->path, inside)) return OSSA_ERROR_READ;
	if (access(c->path, R_OK) == 0) return OSSA_OK;
	return studio_work_fail(work, OSSA_ERROR_INPUT, "%s: there is no such file in this session", c->name);
}

static ossa_status retarget(carrying *c)
{
	studio_work *work = c->work;
	const double from = work->from, to = work->to;
	STUDIO_TRY(find_source(c));
	STUDIO_TRY(read_options(c));
	STUDIO_TRY(read_map(work, c->map_text, &c->map));
	c->options.map = c->map;
	studio_work_part(work, from, from + 0.4 * (to - from));
	STUDIO_TRY(ossa_read_rig(work->context, c->path, &c->read, &c->source));
	studio_work_part(work, from + 0.4 * (to - from), to);
	return ossa_rig_retarget_all(work->context, c->rig, c->source, c->name, &c->options, &c->count, &c->clips, &c->facts);
}

/* one clip of a source that was kept */
static ossa_status carry_clip(studio_work *work, ossa_rig *source, size_t index, const char *name,
	const ossa_retarget_options *options, const ossa_rig *rig, ossa_clip **clip)
{
	ossa_clip *const first = source->clip;
	if (index >= ossa_rig_clip_count(source)) return OSSA_ERROR_INPUT;
	if (index > 0) source->clip = source->other_clips[index - 1];
	const ossa_status status = ossa_rig_retarget(work->context, rig, source, name, options, clip, NULL);
	/* the source owns each of its clips once */
	source->clip = first;
	return status;
}

ossa_status studio_carry_again(studio_work *work, const json_t *motion, size_t index, const ossa_rig *rig, ossa_clip **clip)
{
	ossa_rig *source = NULL;
	ossa_retarget_map *map = NULL;
	ossa_retarget_options options = ossa_retarget_default();
	const char *key = json_string_value(json_object_get(motion, "source"));
	const char *file = json_string_value(json_object_get(motion, "file"));
	STUDIO_TRY(studio_options_fill(work, ossa_retarget_option_table(), &options, json_object_get(motion, "options")));
	STUDIO_TRY(read_map(work, json_object_get(motion, "map"), &map));
	options.map = map;
	ossa_status status = studio_load_rig(work, key ? key : "", &source);
	if (status == OSSA_OK) status = carry_clip(work, source, index, file ? file : "the motion", &options, rig, clip);
	ossa_rig_free(work->context, source);
	ossa_retarget_map_free(work->context, map);
	return status;
}

/* ---- keeping ---- */

/* options of matching, for another rig */
static json_t *match_options(const carrying *c)
{
	const char *name;
	json_t *value, *kept = json_object();
	json_object_foreach(c->wanted, name, value)
	{
		if (ossa_option_find(ossa_retarget_option_table(), name)) json_object_set(kept, name, value);
	}
	return kept;
}

/* which bones follow which: {"pairs": [[of the rig, of the source]], "left": [of the rig],
   "unused": [of the source]}; NULL where they are not known */
static json_t *describe_pairs(const carrying *c, const uint32_t *follows)
{
	const ossa_skeleton *own = &c->rig->skeleton, *other = &c->source->skeleton;
	json_t *pairs = json_array(), *left = json_array(), *unused = json_array(), *followed = json_object();
	for (size_t b = 0; b < own->bone_count; b++) {
		if (follows[b] == OSSA_NONE) json_array_append_new(left, json_string(own->bones[b].name));
		else json_array_append_new(pairs, json_pack("[s, s]", own->bones[b].name, other->bones[follows[b]].name));
		if (follows[b] != OSSA_NONE) json_object_set_new(followed, other->bones[follows[b]].name, json_true());
	}
	for (size_t b = 0; b < other->bone_count; b++) {
		if (!json_object_get(followed, other->bones[b].name)) json_array_append_new(unused, json_string(other->bones[b].name));
	}
	json_decref(followed);
	return json_pack("{s:o, s:o, s:o}", "pairs", pairs, "left", left, "unused", unused);
}

static json_t *pairs_json(const carrying *c)
{
	ossa_context *context;
	/* one of its own: the warnings are counted already */
	if (!studio_make_context(c->work, &context)) return NULL;
	uint32_t *follows = ossa_alloc(context, c->rig->skeleton.bone_count, sizeof *follows);
	const bool good = follows &&
		ossa_rig_retarget_pairs(context, c->rig, c->source, c->name, &c->options, c->facts.match, follows) == OSSA_OK;
	json_t *described = good ? describe_pairs(c, follows) : NULL;
	ossa_free(context, follows);
	ossa_context_free(context);
	return described;
}

/* the source, and what is known of it; `first`: the first clip of the rig that is from it */
static ossa_status keep_source(carrying *c, size_t first)
{
	studio_work *work = c->work;
	char key[32];
	json_t *state = studio_state_of(work->facts), *motions = json_object_get(state, "motions");
	if (!json_is_array(motions)) {
		json_object_set_new(state, "motions", json_array());
		motions = json_object_get(state, "motions");
	}
	snprintf(key, sizeof key, "motion%zu", json_array_size(motions) + 1);
	STUDIO_TRY(studio_store_rig(work, key, c->source));
	json_array_append_new(motions,
		json_pack("{s:s, s:s, s:I, s:I, s:o, s:O*, s:o*, s:o}", "file", c->name, "source", key, "first", (json_int_t)first,
			"count", (json_int_t)c->count, "options", match_options(c), "map", (json_t *)c->map_text, "bones", pairs_json(c),
			"retarget", studio_retarget_json(&c->facts)));
	return OSSA_OK;
}

/* clips without a name are called after their file */
static void name_clips(const carrying *c)
{
	const char *dot = strrchr(c->name, '.');
	const int length = dot && dot > c->name ? (int)(dot - c->name) : (int)strlen(c->name);
	for (size_t i = 0; i < c->count; i++) {
		char *name = c->clips[i]->name;
		const int most = (int)sizeof c->clips[i]->name - 1;
		if (!name[0]) snprintf(name, sizeof c->clips[i]->name, "%.*s", length < most ? length : most, c->name);
	}
}

static ossa_status add(carrying *c)
{
	const size_t first = ossa_rig_clip_count(c->rig), count = c->count;
	ossa_clip **clips = c->clips;
	name_clips(c);
	c->clips = NULL;
	STUDIO_TRY(studio_clips_add_all(c->work->context, c->rig, count, clips));
	return keep_source(c, first);
}

ossa_status studio_carry(studio_work *work, ossa_rig *rig, const char *file, json_t *options, const json_t *map)
{
	carrying c = {.work = work, .name = file, .wanted = options, .map_text = map, .rig = rig};
	ossa_status status = retarget(&c);
	if (status == OSSA_OK) status = add(&c);
	for (size_t i = 0; c.clips && i < c.count; i++) ossa_clip_free(work->context, c.clips[i]);
	ossa_free(work->context, c.clips);
	ossa_rig_free(work->context, c.source);
	ossa_retarget_map_free(work->context, c.map);
	return status;
}

/* ---- the job ---- */

/* errors of bones stay as they were measured */
static ossa_status state_rig(studio_work *work, const ossa_rig *rig)
{
	const json_t *report = json_object_get(studio_state_of(work->facts), "report");
	const json_t *list = json_object_get(report, "bone_errors");
	const size_t count = rig->skeleton.bone_count;
	double *errors = json_array_size(list) == count ? ossa_alloc(work->context, count, sizeof *errors) : NULL;
	for (size_t i = 0; errors && i < count; i++) errors[i] = json_number_value(json_array_get(list, i));
	const ossa_status status = studio_state_rig(work, rig, errors);
	ossa_free(work->context, errors);
	return status;
}

/* the rig with its edits is what later ones begin with */
static ossa_status keep(studio_work *work, const ossa_rig *rig)
{
	json_t *stored = json_object_get(work->facts, "stored");
	STUDIO_TRY(studio_store_rig(work, "rig", rig));
	json_object_set(stored, "base", json_object_get(stored, "rig"));
	STUDIO_TRY(studio_store_page(work, "page", rig));
	STUDIO_TRY(state_rig(work, rig));
	return studio_edit_constrain(work);
}

/* of the motion that was carried last */
static json_t *result_json(const studio_work *work)
{
	const json_t *motions = json_object_get(studio_state_of(work->facts), "motions");
	return json_deep_copy(json_array_get(motions, json_array_size(motions) - 1));
}

static ossa_status check(studio_work *work)
{
	const json_t *edits = json_object_get(studio_state_of(work->facts), "edits");
	if (!studio_has(work->facts, "rig")) {
		return studio_work_fail(work, OSSA_ERROR_INPUT, "there is no rig that the motion could be carried onto: rig it first");
	}
	if (!json_is_true(json_object_get(edits, "stale"))) return OSSA_OK;
	return studio_work_fail(work, OSSA_ERROR_INPUT, "edits are not solved yet: solve them before a motion is carried");
}

ossa_status studio_work_motion(studio_work *work)
{
	ossa_rig *rig = NULL;
	const char *file = json_string_value(json_object_get(work->wanted, "file"));
	STUDIO_TRY(check(work));
	STUDIO_TRY(studio_load_rig(work, "rig", &rig));
	studio_history_begin(work);
	studio_work_part(work, 0, 0.9);
	ossa_status status = studio_carry(
		work, rig, file, json_object_get(work->wanted, "options"), json_object_get(work->wanted, "map"));
	studio_work_part(work, 0.9, 1);
	if (status == OSSA_OK) status = keep(work, rig);
	ossa_rig_free(work->context, rig);
	if (status != OSSA_OK) return status;
	studio_state_warnings(work, work->context);
	studio_history_end(work, file);
	work->result = result_json(work);
	work->changes_state = true;
	return OSSA_OK;
}
