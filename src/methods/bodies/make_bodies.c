/* methods/bodies/make_bodies.c: the outline for several bodies: a rig for each, as if it were
   alone, and one rig of all.

   Place in the path: make_moving, body_parts -> here -> make_moving for each, join_rigs.
   Input: bodies, poses.
   Output: a rig with a tree for each body under a common root. */
#include "methods/bodies/bodies.h"

#include "methods/option_rows.h"
#include "methods/rig_options.h"
#include "methods/rig_warnings.h"
#include "rig/join_rigs.h"

#include <ossa/motion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct work {
	ossai_making *making;
	ossa_context *context;
	ossai_arena *arena;
	const ossa_frames *poses;
	const ossai_body_parts *parts;
	ossa_rig_options options; /* of single bodies */
	size_t *bones;            /* of each body; NULL: as many as it needs */
	bool has_root;            /* one of the bones that are wanted is a common root */
	/* % of its diagonal: a body whose RMS error as a rigid one is below has one bone, as no second
	   bone could be worth as much */
	double rigid_below;
	size_t main;              /* the body that options about one body mean */
	ossa_rig_result *results; /* of each body */
	double begin, end;        /* of the progress of the whole */
} work;

static ossa_status last_error(const work *w) { return ossa_context_error(w->context)->status; }

/* ---- options ---- */

/* the value of an option of the first candidate; NULL where it has none */
static const void *option_value(const ossai_making *m, const char *name)
{
	return ossai_method_value(m->options, m->candidates.methods[0], name);
}

/* of a machine that slides: 0 where it is not known that all are */
static size_t rigid_pieces(const work *w, size_t body) { return w->parts->rigid_pieces ? w->parts->rigid_pieces[body] : 0; }

static bool is_one_bone(const work *w, size_t body)
{
	if (w->bones) return w->bones[body] == 1;
	return rigid_pieces(w, body) == 1 || w->parts->items[body].rigid_percent <= w->rigid_below;
}

/* the largest that moves within itself */
static size_t find_main(const work *w)
{
	size_t best = 0;
	for (size_t i = 1; i < w->parts->count; i++) {
		const bool is_better = is_one_bone(w, best) && !is_one_bone(w, i);
		const bool is_like = is_one_bone(w, best) == is_one_bone(w, i);
		const bool is_larger = w->parts->items[i].mesh->vertex_count > w->parts->items[best].mesh->vertex_count;
		if (is_better || (is_like && is_larger)) best = i;
	}
	return best;
}

/* structs of all methods that can be changed: the caller's are not */
static ossa_status copy_methods(work *w)
{
	OSSAI_TRY(ossa_method_options_create(w->context, &w->options.methods));
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		void *to = ossa_method_options_of(w->options.methods, method->name);
		memcpy(to, ossai_options_of(w->making->options, m), method->option_table()->size);
	}
	w->options.method_options = NULL;
	return OSSA_OK;
}

static ossa_status share_bones(work *w)
{
	const int *wanted = option_value(w->making, "bones");
	if (!wanted || *wanted <= 0) return OSSA_OK;
	if (!w->bones) w->bones = ossai_arena_new(w->arena, w->parts->count, sizeof *w->bones);
	if (!w->bones) return last_error(w);
	const size_t root = w->has_root, least = w->parts->count + root;
	ossai_body_parts_share(w->parts, (size_t)*wanted - root, w->bones);
	if ((size_t)*wanted >= least) return OSSA_OK;
	ossai_warn(w->context, "more-bones", (int64_t)least - *wanted,
		"%d bones were wanted, but %zu bodies move independently of each other or slide, and each needs one%s: `roots one` "
		"joins them",
		*wanted, w->parts->count, root ? " under the common root" : "");
	return OSSA_OK;
}

static ossa_status choose_options(work *w)
{
	const double *tolerance = option_value(w->making, "tolerance"), *worth = option_value(w->making, "worth");
	const ossa_rig_options usual = ossa_rig_default();
	w->options = *w->making->options;
	w->options.roots = OSSA_ROOTS_ONE;
	w->options.reference = 0;
	w->options.key_frames = 0;
	w->rigid_below = tolerance && *tolerance > 0 ? *tolerance : worth && *worth > 0 ? *worth : OSSAI_USUAL_WORTH;
	const char *root = w->options.root_bone;
	const ossai_unused unused = {"root-bone", root[0] && strcmp(root, "auto") != 0 && strcmp(root, "center") != 0,
		"there are several bodies, each with a root of its own: `roots one` makes one tree"};
	ossai_warn_of_unused_options(w->context, 1, &unused);
	if (unused.is_given) memcpy(w->options.root_bone, usual.root_bone, sizeof usual.root_bone);
	return copy_methods(w);
}

static void set_bones(work *w, size_t bones)
{
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_option *option = ossai_method_option(m, "bones");
		char *own = ossa_method_options_of(w->options.methods, ossa_method_at(m)->name);
		if (option && option->type == OSSA_OPTION_INT) *(int *)(own + option->offset) = (int)bones;
	}
}

/* ---- frames ---- */

static ossa_status take_poses(const work *w, const ossai_body_part *part, ossa_frames **own)
{
	const size_t frames = w->poses->frame_count, count = part->mesh->vertex_count;
	OSSAI_TRY(ossa_frames_create(w->context, frames, count, 1, own));
	memcpy((*own)->times, w->poses->times, frames * sizeof *w->poses->times);
	memcpy((*own)->name, w->poses->name, sizeof w->poses->name);
	for (size_t k = 0; k < frames; k++) {
		const float *from = w->poses->positions + 3 * k * w->poses->vertex_count;
		float *to = (*own)->positions + 3 * k * count;
		for (size_t v = 0; v < count; v++) memcpy(to + 3 * v, from + 3 * (size_t)part->vertices[v], 3 * sizeof *to);
	}
	return OSSA_OK;
}

/* ---- one body ---- */

/* a rigid body: no method has to look at it */
static ossa_status make_one_bone(const work *w, const ossai_body_part *part, ossa_frame_stream *stream, ossa_rig_result *result)
{
	const ossa_motion_options options = {.cookie = ossa_motion_default().cookie, .free_motion = true};
	ossa_motion_fit *fit = NULL;
	OSSAI_TRY(ossai_one_bone_make(w->context, part->mesh, &result->rig));
	snprintf(result->rig->method, sizeof result->rig->method, "%s", ossa_method_at(w->making->candidates.methods[0])->name);
	OSSAI_TRY(ossa_rig_fit_motion(w->context, result->rig, stream, &options, &fit));
	ossa_rig_take_motion(w->context, result->rig, fit);
	ossa_motion_fit_free(w->context, fit);
	return OSSA_OK;
}

/* bones: 0: as many as it needs */
static ossa_status make_tree_of(work *w, size_t body, size_t bones, ossa_frame_stream *stream)
{
	ossa_rig_options options = w->options;
	ossai_making own = {.context = w->context,
		.mesh = w->parts->items[body].mesh,
		.stream = stream,
		.options = &options,
		.candidates = w->making->candidates,
		.result = &w->results[body]};
	if (bones > 0) set_bones(w, bones);
	/* of rigid pieces that slide: a machine, whatever its shape */
	if (rigid_pieces(w, body) > 0 && options.body == OSSA_BODY_AUTO) options.body = OSSA_BODY_NONE;
	if (body != w->main) {
		/* what a person says about a body is about the main one */
		const ossa_rig_options usual = ossa_rig_default();
		options.landmarks = usual.landmarks;
		options.body = options.body == OSSA_BODY_NONE ? OSSA_BODY_NONE : usual.body;
	}
	ossai_attempts_clear(&own);
	const ossa_status status = ossai_make_moving(&own);
	ossai_attempts_end(&own);
	if (bones > 0 && !w->bones) set_bones(w, 0);
	return status;
}

/* noise of the whole is more in a small body: it has no more bones than rigid pieces */
static ossa_status make_tree(work *w, size_t body, ossa_frame_stream *stream)
{
	const size_t most = rigid_pieces(w, body);
	/* as large as this, no number of bones would do */
	const bool is_noisy = most > 0 && w->parts->items[body].noise_percent > w->rigid_below;
	OSSAI_TRY(make_tree_of(w, body, w->bones ? w->bones[body] : is_noisy ? most : 0, stream));
	if (w->bones || most == 0 || w->results[body].rig->skeleton.bone_count <= most) return OSSA_OK;
	ossa_rig_result_free(w->context, &w->results[body]);
	w->results[body] = (ossa_rig_result){0};
	return make_tree_of(w, body, most, stream);
}

static ossa_status make_body(work *w, size_t body)
{
	const ossai_body_part *part = &w->parts->items[body];
	ossa_frames *frames = NULL;
	ossa_frame_stream *stream = NULL;
	ossa_status status = take_poses(w, part, &frames);
	if (status == OSSA_OK) status = ossa_frame_stream_of_frames(w->context, frames, &stream);
	if (status == OSSA_OK) {
		status = is_one_bone(w, body) ? make_one_bone(w, part, stream, &w->results[body]) : make_tree(w, body, stream);
	}
	ossa_frame_stream_free(w->context, stream);
	ossa_frames_free(w->context, frames);
	return status;
}

static ossa_status make_all(work *w)
{
	const double share = (w->end - w->begin) / (double)w->parts->count;
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < w->parts->count && status == OSSA_OK; i++) {
		ossai_warn_about(w->context, "body_%zu", i + 1);
		ossai_plan_outer(w->context, w->begin + share * (double)i, w->begin + share * (double)(i + 1));
		status = make_body(w, i);
	}
	ossai_warn_about(w->context, NULL);
	ossai_plan_outer(w->context, 0, 0);
	return status;
}

/* ---- the result ---- */

static void explain(const work *w, const ossai_rig_part *joined, ossa_rig_result *result)
{
	const ossa_rig_result *main = &w->results[w->main];
	size_t bodies = 0, single = 0;
	for (size_t i = 0; i < w->parts->count; i++) {
		bodies += !joined[i].slides;
		single += !joined[i].slides && joined[i].rig->skeleton.bone_count == 1;
	}
	char slides[64] = "";
	if (bodies < w->parts->count)
		snprintf(slides, sizeof slides, "%s%zu %s", bodies > 1 ? ", " : "", w->parts->count - bodies,
			w->parts->count - bodies > 1 ? "bodies slide along others" : "body slides along another");
	result->method = main->method ? main->method : ossa_method_at(w->making->candidates.methods[0]);
	result->attempt_count = main->attempt_count;
	memcpy(result->attempts, main->attempts, sizeof main->attempts);
	char apart[96] = "";
	if (bodies > 1)
		snprintf(apart, sizeof apart, "%zu bodies move independently of each other, %zu of one bone", bodies, single);
	const int used = snprintf(
		result->reason, sizeof result->reason, "%s%s%s", apart, slides, main->reason[0] ? "; the largest: " : "");
	if (used > 0 && (size_t)used < sizeof result->reason)
		snprintf(result->reason + used, sizeof result->reason - (size_t)used, "%.200s", main->reason);
}

static ossa_status join(work *w)
{
	ossa_rig_result *result = w->making->result;
	ossai_rig_part *parts = ossai_arena_new(w->arena, w->parts->count, sizeof *parts);
	if (!parts) return last_error(w);
	ossa_rig **rigs = ossai_arena_new(w->arena, w->parts->count, sizeof *rigs);
	if (!rigs) return last_error(w);
	for (size_t i = 0; i < w->parts->count; i++) rigs[i] = w->results[i].rig;
	OSSAI_TRY(ossai_bodies_slide(w->arena, w->parts, rigs, parts));
	OSSAI_TRY(ossai_rigs_join(w->context, w->making->mesh, w->parts->count, parts, NULL, &result->rig));
	explain(w, parts, result);
	snprintf(result->rig->method, sizeof result->rig->method, "%s", result->method->name);
	return OSSA_OK;
}

static void free_results(const work *w)
{
	for (size_t i = 0; w->results && i < w->parts->count; i++) {
		ossa_rig_result_free(w->context, &w->results[i]);
		w->results[i] = (ossa_rig_result){0};
	}
}

static ossa_status make_joined(work *w)
{
	OSSAI_TRY(share_bones(w));
	w->main = find_main(w);
	OSSAI_TRY(make_all(w));
	return join(w);
}

static ossa_status make(work *w)
{
	w->results = ossai_arena_zero(w->arena, w->parts->count, sizeof *w->results);
	if (!w->results) return last_error(w);
	OSSAI_TRY(choose_options(w));
	/* a single body that slides on nothing needs no root besides its own */
	w->has_root = w->parts->count - w->parts->slide_count > 1;
	ossai_warnings *before = ossai_warnings_save(w->context);
	ossa_status status = before ? make_joined(w) : last_error(w);
	if (status == OSSA_OK && w->bones && !w->has_root && ossai_rig_body_count(&w->making->result->rig->skeleton) > 0) {
		/* rigs of so few bones did not show a slide: the common root takes one of them */
		ossai_warnings_restore(w->context, before);
		free_results(w);
		ossa_rig_free(w->context, w->making->result->rig);
		w->making->result->rig = NULL;
		w->has_root = true;
		status = make_joined(w);
	}
	ossa_free(w->context, before);
	return status;
}

ossa_status ossai_bodies_make(
	ossai_making *making, const ossa_frames *poses, const ossai_body_parts *parts, double begin, double end)
{
	ossai_arena arena = ossai_arena_begin(making->context);
	work w = {.making = making, .context = making->context, .arena = &arena, .poses = poses, .parts = parts};
	w.begin = begin;
	w.end = end;
	const ossa_status status = make(&w);
	free_results(&w);
	ossa_method_options_free(making->context, w.options.methods == making->options->methods ? NULL : w.options.methods);
	ossai_arena_end(&arena);
	return status;
}
