/* methods/bodies/still_bodies.c: people side by side in one mesh that does not move.

   Place in the path: make_still -> here -> make_still for each body, join_rigs.
   Input: a mesh.
   Output: a rig with a tree for each body under a common root; nothing where it is one body.
   Without motion only the shape says what is a body of its own. Parts that do not touch are asked,
   each by itself, and then the whole: it is several where that is likelier than one
   (docs/roots.md, Bodies that do not move). */
#include "methods/bodies/bodies.h"
#include "methods/bodies/still_parts.h"

#include "body/recognize.h"
#include "methods/option_rows.h"
#include "methods/rest_rig.h"

#include <ossa/body.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* So many parts are asked, copies not counted; so many in vain before two of them are bodies. */
enum { ASKED_MOST = 16, ASKED_IN_VAIN = 3 };
/* of the progress, where parts are asked */
static const double ASKED_SHARE = 0.4;

typedef struct work {
	ossai_making *making;
	ossa_context *context;
	ossai_arena *arena;
	const ossa_mesh *mesh;
	ossai_still_parts parts;
	ossai_body_faces bodies;
	uint32_t *part_of_body;
	ossai_body_part *meshes; /* by body */
	ossa_rig_options options;
	ossa_rig_result *results; /* by body */
} work;

static ossa_status last_error(const work *w) { return ossa_context_error(w->context)->status; }

/* ---- whether it is asked ---- */

static const void *value_of(const work *w, const char *name)
{
	return ossai_method_value(w->making->options, w->making->candidates.methods[0], name);
}

/* nobody has said anything about one body */
static bool may_be_several(const work *w)
{
	const ossa_rig_options *options = w->making->options;
	const int *bones = value_of(w, "bones"), *refine = value_of(w, "refine");
	const ossa_pieces_kind *pieces = value_of(w, "pieces");
	const ossa_body_kind *body = value_of(w, "body");
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		const ossa_choice_or_point *own = value_of(w, ossa_landmark_name((ossa_landmark)i));
		if (own && own->choice != 0) return false;
	}
	return options->roots == OSSA_ROOTS_AUTO && body && *body == OSSA_BODY_AUTO && !(bones && *bones > 0) &&
		!(refine && *refine == 0) && !(pieces && *pieces == OSSA_PIECES_SEPARATE) && w->mesh->triangle_count > 0;
}

/* ---- what they are ---- */

/* a hand is hardly one that came without the rest of the body */
static void take_answer(const ossa_body *body, ossai_still_part *answer)
{
	answer->has_tree = body->kind != OSSA_BODY_NONE && body->kind != OSSA_BODY_HAND;
	answer->is_body = answer->has_tree && body->score >= OSSAI_STRONG_LOG_ODDS && body->kind_odds >= log(OSSAI_SURE_ODDS);
	answer->score = body->kind != OSSA_BODY_NONE ? body->score : 0;
}

/* which = OSSA_NONE: all parts together, and nothing of them is left out as a prop */
static ossa_status ask(const work *w, uint32_t which, ossai_still_part *answer)
{
	const ossai_rest_wish wish = {.body = OSSA_BODY_AUTO, .leaves_props_out = which != OSSA_NONE};
	ossai_arena scratch = ossai_arena_begin(w->context);
	ossai_body_part both[2] = {{.mesh = w->mesh}};
	ossa_rig *rest = NULL;
	ossa_status status = OSSA_OK;
	if (which != OSSA_NONE) {
		const size_t faces = w->mesh->triangle_count;
		uint32_t *of_face = ossai_arena_new(&scratch, faces, sizeof *of_face);
		for (size_t f = 0; of_face && f < faces; f++) of_face[f] = w->parts.of_face[f] != which;
		const ossai_body_faces split = {.count = 2, .of_face = of_face};
		status = of_face ? ossai_body_faces_split(&scratch, w->mesh, &split, both) : last_error(w);
	}
	if (status == OSSA_OK) status = ossai_rest_rig_make(w->context, both[0].mesh, &wish, &rest);
	if (rest) take_answer(&rest->body, answer);
	ossa_rig_free(w->context, rest);
	ossai_arena_end(&scratch);
	return status;
}

static size_t count_copies(const work *w, uint32_t like)
{
	size_t count = 0;
	for (size_t i = 0; i < w->parts.count; i++) count += w->parts.part[i].like == like;
	return count;
}

/* what the first of copies is all of them are */
static void share_answers(work *w, double first_area)
{
	for (size_t i = 0; i < w->parts.count; i++) {
		ossai_still_part *own = &w->parts.part[i];
		const ossai_still_part *like = &w->parts.part[own->like];
		own->is_body = like->is_body;
		own->has_tree = like->has_tree;
		own->score = like->score;
		own->is_large = !own->is_ground && own->area >= OSSAI_STILL_LEAST_AREA * first_area;
	}
}

/* The largest first. Until two are bodies, only what is large enough beside the first of them is
   asked, and few in vain; then all. */
static ossa_status ask_parts(work *w, size_t *bodies, double *score)
{
	const ossai_still_parts *parts = &w->parts;
	size_t asked = 0, in_vain = 0;
	double first_area = 0;
	*bodies = 0;
	*score = 0;
	for (size_t k = 0; k < parts->count - parts->grounds && asked < ASKED_MOST; k++) {
		const uint32_t index = parts->order[k];
		ossai_still_part *own = &parts->part[index];
		if (own->like != index) continue;
		if (*bodies < 2 && (in_vain == ASKED_IN_VAIN || own->area < OSSAI_STILL_LEAST_AREA * first_area)) break;
		const double begin = ASKED_SHARE * (double)asked++ / ASKED_MOST;
		ossai_plan_outer(w->context, begin, begin + ASKED_SHARE / ASKED_MOST);
		OSSAI_TRY(ask(w, index, own));
		in_vain += !own->is_body;
		if (!own->is_body) continue;
		const size_t copies = count_copies(w, index);
		if (*bodies == 0) first_area = own->area;
		*bodies += copies;
		*score += (double)copies * own->score;
	}
	share_answers(w, first_area);
	return OSSA_OK;
}

/* bodies are numbered by their first faces */
static ossa_status number_bodies(work *w)
{
	w->bodies.of_face = w->parts.of_face;
	uint32_t *number = ossai_arena_new(w->arena, w->parts.count, sizeof *number);
	w->part_of_body = ossai_arena_new(w->arena, w->parts.count, sizeof *w->part_of_body);
	if (!number || !w->part_of_body) return last_error(w);
	for (size_t i = 0; i < w->parts.count; i++) number[i] = OSSA_NONE;
	for (size_t f = 0; f < w->mesh->triangle_count; f++) {
		uint32_t *of_face = &w->bodies.of_face[f];
		if (number[*of_face] == OSSA_NONE) {
			w->part_of_body[w->bodies.count] = *of_face;
			number[*of_face] = (uint32_t)w->bodies.count++;
		}
		*of_face = number[*of_face];
	}
	return OSSA_OK;
}

static ossa_status find(work *w, bool *are_several)
{
	size_t bodies;
	double score;
	ossai_still_part all = {.score = 0};
	if (!may_be_several(w)) return OSSA_OK;
	OSSAI_TRY(ossai_still_parts_find(w->arena, w->mesh, &w->parts));
	if (!w->parts.may_be_bodies) return OSSA_OK;
	OSSAI_TRY(ask_parts(w, &bodies, &score));
	if (bodies < 2) return OSSA_OK;
	OSSAI_TRY(ask(w, OSSA_NONE, &all));
	*are_several = score >= all.score + OSSAI_STRONG_LOG_ODDS;
	if (*are_several) ossai_still_parts_attach(&w->parts);
	return *are_several ? number_bodies(w) : OSSA_OK;
}

/* ---- their rigs ---- */

static ossa_status make_body(work *w, size_t body)
{
	ossa_rig_result *result = &w->results[body];
	ossai_making own = {.context = w->context,
		.mesh = w->meshes[body].mesh,
		.options = &w->options,
		.candidates = w->making->candidates,
		.result = result};
	if (!w->parts.part[w->part_of_body[body]].has_tree) {
		OSSAI_TRY(ossai_one_bone_make(w->context, own.mesh, &result->rig));
		snprintf(result->rig->method, sizeof result->rig->method, "%s", ossai_attempt_name(w->making, 0));
		return OSSA_OK;
	}
	ossai_attempts_clear(&own);
	const ossa_status status = ossai_make_still(&own);
	ossai_attempts_end(&own);
	return status;
}

static ossa_status make_all(work *w)
{
	const double share = (1 - ASKED_SHARE) / (double)w->bodies.count;
	ossa_status status = OSSA_OK;
	for (size_t i = 0; i < w->bodies.count && status == OSSA_OK; i++) {
		ossai_warn_about(w->context, "body_%zu", i + 1);
		ossai_plan_outer(w->context, ASKED_SHARE + share * (double)i, ASKED_SHARE + share * (double)(i + 1));
		status = make_body(w, i);
	}
	ossai_warn_about(w->context, NULL);
	return status;
}

/* the largest body */
static size_t find_main(const work *w)
{
	size_t best = w->bodies.count;
	for (size_t i = 0; i < w->bodies.count; i++) {
		const ossai_still_part *own = &w->parts.part[w->part_of_body[i]];
		if (own->has_tree && (best == w->bodies.count || own->area > w->parts.part[w->part_of_body[best]].area)) best = i;
	}
	return best;
}

static void explain(const work *w, ossa_rig_result *result)
{
	const ossa_rig_result *main = &w->results[find_main(w)];
	size_t bodies = 0;
	char things[64] = "";
	for (size_t i = 0; i < w->bodies.count; i++) bodies += w->parts.part[w->part_of_body[i]].has_tree;
	if (bodies < w->bodies.count) snprintf(things, sizeof things, " and %zu of one bone", w->bodies.count - bodies);
	result->method = main->method;
	result->attempt_count = main->attempt_count;
	memcpy(result->attempts, main->attempts, sizeof main->attempts);
	snprintf(result->reason, sizeof result->reason, "%zu bodies that do not touch%s%s%.200s", bodies, things,
		main->reason[0] ? "; the largest: " : "", main->reason);
}

static ossa_status make(work *w)
{
	ossa_rig_result *result = w->making->result;
	const size_t count = w->bodies.count;
	ossai_rig_part *joined = ossai_arena_zero(w->arena, count, sizeof *joined);
	w->meshes = ossai_arena_zero(w->arena, count, sizeof *w->meshes);
	w->results = ossai_arena_zero(w->arena, count, sizeof *w->results);
	if (!joined || !w->meshes || !w->results) return last_error(w);
	w->options = *w->making->options;
	w->options.roots = OSSA_ROOTS_ONE;
	OSSAI_TRY(ossai_body_faces_split(w->arena, w->mesh, &w->bodies, w->meshes));
	OSSAI_TRY(make_all(w));
	for (size_t i = 0; i < count; i++) {
		joined[i] = (ossai_rig_part){
			.rig = w->results[i].rig, .vertices = w->meshes[i].vertices, .triangles = w->meshes[i].triangles};
	}
	OSSAI_TRY(ossai_rigs_join(w->context, w->mesh, count, joined, NULL, &result->rig));
	explain(w, result);
	snprintf(result->rig->method, sizeof result->rig->method, "%s", result->method->name);
	return ossa_rig_measure(w->context, result->rig, NULL, NULL, NULL, &result->hierarchy);
}

ossa_status ossai_still_bodies_make(ossai_making *making, bool *are_several)
{
	ossai_arena arena = ossai_arena_begin(making->context);
	work w = {.making = making, .context = making->context, .arena = &arena, .mesh = making->mesh};
	ossai_warnings *before = ossai_warnings_save(making->context);
	*are_several = false;
	ossa_status status = before ? find(&w, are_several) : last_error(&w);
	/* what was asked warns of nothing: the rigs that are made do */
	if (before) ossai_warnings_restore(making->context, before);
	if (status == OSSA_OK && *are_several) status = make(&w);
	ossai_plan_outer(making->context, 0, 0);
	for (size_t i = 0; w.results && i < w.bodies.count; i++) ossa_rig_result_free(making->context, &w.results[i]);
	ossa_free(making->context, before);
	ossai_arena_end(&arena);
	return status;
}
