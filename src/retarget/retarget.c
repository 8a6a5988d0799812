/* retarget/retarget.c: the motion of one skeleton on another: how their bones are matched, and what
   came of it.

   Place in the path: two rigs -> clip, facts.
   Input: the rig to move, another one with motion. */
#include "base/options.h"
#include "conventions/find_roles.h"
#include "retarget/by_name.h"
#include "retarget/by_role.h"
#include "retarget/map_roles.h"
#include "retarget/name_pairs.h"
#include "retarget/pairs.h"
#include "retarget/quality.h"
#include "rig/clip_morphs.h"
#include "rig/pose.h"

#include <stddef.h>
#include <stdio.h>

OSSAI_CHOICE_ENUM(ossa_retarget_match);

static const ossa_retarget_options defaults = {.cookie = OSSAI_COOKIE('r', 't', ossa_retarget_options),
	.match = OSSA_RETARGET_AUTO,
	.plant_feet = true,
	.clear_hands = true};

ossa_retarget_options ossa_retarget_default(void) { return defaults; }

const ossa_option_table *ossa_retarget_option_table(void)
{
	static const ossa_option options[] = {
		{"match", OSSA_OPTION_CHOICE, offsetof(ossa_retarget_options, match), 0, 0, "", "auto|roles|names",
			"how bones are matched with those of the motion: by what they are in a body, whatever their names and rest poses, "
			"or by equal names",
			"auto: the same skeleton by names, bodies by roles, else by names"},
		{"plant-feet", OSSA_OPTION_BOOL, offsetof(ossa_retarget_options, plant_feet), 0, 1, "", "",
			"feet stand where those of the motion stand, and not below the ground", "on: they would slide and sink"},
		{"clear-hands", OSSA_OPTION_BOOL, offsetof(ossa_retarget_options, clear_hands), 0, 1, "", "",
			"hands stay out of the body", "on: bodies are of different widths"},
	};
	static const ossa_option_table table = {"retarget", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(ossa_retarget_options), .cookie = OSSAI_COOKIE('r', 't', ossa_retarget_options)};
	return &table;
}

typedef struct request {
	ossa_context *context;
	ossai_arena arena;
	const ossa_rig *rig, *source;
	const char *source_name;
	const ossa_retarget_options *options;
	ossa_role *role, *source_role;
	ossai_roles_source found, source_found;
	uint32_t *forced; /* by bone of the rig */
	ossa_retarget_facts *facts;
} request;

/* Limbs that are missing keep nobody from following with the others; what the rig knows to be no
   human stays that. */
static void find_partial(const ossa_rig *rig, const ossa_role *role, ossai_roles_source *found)
{
	const bool may_be = !ossa_body_is_known(&rig->body) || rig->body.kind == OSSA_BODY_HUMAN;
	if (found->kind == OSSA_BODY_NONE && may_be) found->kind = ossai_partial_kind_of_roles(role, rig->skeleton.bone_count);
}

static ossa_status find_bodies(request *r)
{
	const ossa_retarget_map *map = r->options->map;
	r->role = ossai_arena_new(&r->arena, r->rig->skeleton.bone_count, sizeof *r->role);
	r->source_role = ossai_arena_new(&r->arena, r->source->skeleton.bone_count, sizeof *r->source_role);
	if (!r->role || !r->source_role) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_find_roles(r->context, &r->rig->skeleton, r->role, &r->found));
	OSSAI_TRY(ossai_find_roles(r->context, &r->source->skeleton, r->source_role, &r->source_found));
	OSSAI_TRY(ossai_map_roles(r->context, r->rig, map, OSSA_MAP_RIG_ROLE, r->role, &r->found));
	OSSAI_TRY(ossai_map_roles(r->context, r->source, map, OSSA_MAP_SOURCE_ROLE, r->source_role, &r->source_found));
	find_partial(r->rig, r->role, &r->found);
	find_partial(r->source, r->source_role, &r->source_found);
	ossai_roles_source_print(&r->found, r->facts->rig_names, sizeof r->facts->rig_names);
	ossai_roles_source_print(&r->source_found, r->facts->source_names, sizeof r->facts->source_names);
	return OSSA_OK;
}

static bool are_bodies(const request *r) { return r->found.kind != OSSA_BODY_NONE && r->source_found.kind != OSSA_BODY_NONE; }

static ossa_status refuse_kinds(request *r)
{
	const ossai_place place = ossai_in_file(r->source_name);
	if (are_bodies(r)) {
		return ossai_fail(r->context, OSSA_ERROR_INPUT, &place,
			"is the motion of a %s, and the rig is a %s: `match` names carries it over by equal names all the same",
			ossa_body_kind_name(r->source_found.kind), ossa_body_kind_name(r->found.kind));
	}
	return ossai_fail(r->context, OSSA_ERROR_INPUT, &place,
		"cannot be matched by roles: the bones of %s are not known to be those of a human or quadruped (`match` names matches "
		"equal names)",
		r->found.kind == OSSA_BODY_NONE ? "the rig" : "this file");
}

static ossa_status by_roles(request *r, ossa_clip **clip)
{
	ossai_actor target, source;
	ossai_legs legs;
	if (!are_bodies(r) || r->found.kind != r->source_found.kind) return refuse_kinds(r);
	OSSAI_TRY(ossai_find_actor(&r->arena, "the rig", r->rig, r->role, &target));
	OSSAI_TRY(ossai_find_actor(&r->arena, r->source_name, r->source, r->source_role, &source));
	r->facts->match = OSSA_RETARGET_ROLES;
	OSSAI_TRY(ossai_find_legs(&r->arena, &target, &source, &legs));
	OSSAI_TRY(ossai_retarget_by_role(r->context, &legs, r->options, r->forced, r->source_name, clip, r->facts));
	const ossa_status status = ossai_measure_retarget(&r->arena, &legs, *clip, r->facts);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_clip_free(r->context, *clip);
	*clip = NULL;
	return status;
}

static ossa_status by_names(request *r, ossa_clip **clip)
{
	r->facts->match = OSSA_RETARGET_NAMES;
	return ossai_retarget_by_name(r->context, r->rig, r->source, r->source_name, r->forced, clip, &r->facts->matched);
}

/* the same skeleton by name, bodies by role, and what is neither by name */
static ossa_status choose(request *r, ossa_clip **clip)
{
	bool is_same = false;
	OSSAI_TRY(ossai_forced_pairs(&r->arena, r->rig, r->source, r->options->map, &r->forced));
	if (r->options->match == OSSA_RETARGET_NAMES) return by_names(r, clip);
	if (r->options->match == OSSA_RETARGET_AUTO && !r->options->map)
		OSSAI_TRY(ossai_is_same_skeleton(r->context, r->rig, r->source, &is_same));
	if (is_same) return by_names(r, clip);
	OSSAI_TRY(find_bodies(r));
	if (r->options->match == OSSA_RETARGET_ROLES || are_bodies(r)) return by_roles(r, clip);
	return by_names(r, clip);
}

static ossa_status check_input(
	ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const ossa_retarget_options *options)
{
	OSSAI_TRY(ossa_options_check(context, ossa_retarget_option_table(), options));
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	return ossai_rig_check_whole(context, source);
}

/* ---- which bones follow which ---- */

/* of several bones that one follows, that with the largest share */
static void follow_most(const ossai_pairs *pairs, size_t bone_count, uint32_t *follows)
{
	for (size_t b = 0; b < bone_count; b++) {
		double most = 0;
		follows[b] = pairs->twin[b];
		for (size_t i = pairs->first[b]; i < pairs->first[b + 1]; i++) {
			if (pairs->share[i].share <= most) continue;
			most = pairs->share[i].share;
			follows[b] = pairs->share[i].bone;
		}
	}
}

static ossa_status pairs_by_names(request *r, uint32_t *follows)
{
	size_t count;
	OSSAI_TRY(ossai_pair_names(&r->arena, &r->rig->skeleton, &r->source->skeleton, follows, &count));
	for (size_t b = 0; b < r->rig->skeleton.bone_count; b++) {
		if (r->forced[b] != OSSA_NONE) follows[b] = r->forced[b] == OSSAI_FOLLOWS_NONE ? OSSA_NONE : r->forced[b];
	}
	return OSSA_OK;
}

static ossa_status pairs_by_roles(request *r, uint32_t *follows)
{
	ossai_actor target, source;
	ossai_pairs pairs;
	OSSAI_TRY(ossai_find_actor(&r->arena, "the rig", r->rig, r->role, &target));
	OSSAI_TRY(ossai_find_actor(&r->arena, r->source_name, r->source, r->source_role, &source));
	OSSAI_TRY(
		ossai_find_pairs(&r->arena, &r->rig->skeleton, target.role, &r->source->skeleton, source.role, r->forced, &pairs));
	follow_most(&pairs, r->rig->skeleton.bone_count, follows);
	return OSSA_OK;
}

static ossa_status find_pairs(request *r, ossa_retarget_match match, uint32_t *follows)
{
	OSSAI_TRY(ossai_forced_pairs(&r->arena, r->rig, r->source, r->options->map, &r->forced));
	if (match == OSSA_RETARGET_NAMES) return pairs_by_names(r, follows);
	OSSAI_TRY(find_bodies(r));
	if (!are_bodies(r) || r->found.kind != r->source_found.kind) return refuse_kinds(r);
	return pairs_by_roles(r, follows);
}

/* the arena is the caller's to end */
static request begin(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *source_name,
	const ossa_retarget_options *options, ossa_retarget_facts *facts)
{
	return (request){.context = context,
		.arena = ossai_arena_begin(context),
		.rig = rig,
		.source = source,
		.source_name = source_name,
		.options = options,
		.facts = facts};
}

ossa_status ossa_rig_retarget_pairs(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *source_name,
	const ossa_retarget_options *options, ossa_retarget_match match, uint32_t *follows)
{
	ossa_retarget_facts unwanted;
	if (!options) options = &defaults;
	OSSAI_NEED(context, rig, source, source_name, follows);
	OSSAI_TRY(check_input(context, rig, source, options));
	if (match != OSSA_RETARGET_NAMES && match != OSSA_RETARGET_ROLES) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "match: give the one that the facts of the motion name");
	}
	request r = begin(context, rig, source, source_name, options, &unwanted);
	const ossa_status status = find_pairs(&r, match, follows);
	ossai_arena_end(&r.arena);
	return status;
}

/* ---- the motion ---- */

static void warn_unmatched(request *r)
{
	const size_t count = r->rig->skeleton.bone_count;
	r->facts->unmatched = count - r->facts->matched;
	if (r->facts->match == OSSA_RETARGET_ROLES || r->facts->unmatched == 0) return;
	ossai_warn(r->context, "motion-unmatched", (int64_t)r->facts->unmatched,
		"%s: bones of the rig have no counterpart there and keep their rest pose", r->source_name);
}

/* a face moves as the other one does where its targets have the same names */
static ossa_status carry_morphs(const request *r, ossa_clip *clip)
{
	size_t lost;
	OSSAI_TRY(ossai_clip_match_morphs(r->context, r->source->mesh, r->source->clip, r->rig->mesh, clip, &lost));
	if (lost > 0)
		ossai_warn(r->context, "shapes-dropped", (int64_t)lost,
			"%s: morph targets move there, and the rig has none of their names", r->source_name);
	return OSSA_OK;
}

ossa_status ossa_rig_retarget(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *source_name,
	const ossa_retarget_options *options, ossa_clip **clip, ossa_retarget_facts *facts)
{
	ossa_retarget_facts unwanted;
	if (!facts) facts = &unwanted;
	if (!options) options = &defaults;
	*facts = (ossa_retarget_facts){.match = OSSA_RETARGET_NAMES};
	if (clip) *clip = NULL;
	OSSAI_NEED(context, rig, source, source_name, clip);
	OSSAI_TRY(check_input(context, rig, source, options));
	if (rig->skeleton.bone_count == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the rig has no bones to move");
	if (!source->clip || source->clip->frame_count == 0) {
		const ossai_place place = ossai_in_file(source_name);
		return ossai_fail(context, OSSA_ERROR_INPUT, &place, "has joints but no motion");
	}
	request r = begin(context, rig, source, source_name, options, facts);
	ossa_status status = choose(&r, clip);
	if (status == OSSA_OK) warn_unmatched(&r);
	ossai_arena_end(&r.arena);
	if (status == OSSA_OK) status = carry_morphs(&r, *clip);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_clip_free(context, *clip);
	*clip = NULL;
	return status;
}

/* one clip of the source after the other */
static ossa_status retarget_each(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *source_name,
	const ossa_retarget_options *options, size_t count, ossa_clip **clips, ossa_retarget_facts *facts)
{
	ossa_rig one = *source;
	one.other_clip_count = 0;
	one.other_clips = NULL;
	for (size_t i = 0; i < count; i++) {
		if (i > 0) one.clip = source->other_clips[i - 1];
		ossa_retarget_facts found;
		OSSAI_TRY(ossa_rig_retarget(context, rig, &one, source_name, options, &clips[i], &found));
		if (facts && (i == 0 || found.mean_degrees > facts->mean_degrees)) *facts = found;
	}
	return OSSA_OK;
}

ossa_status ossa_rig_retarget_all(ossa_context *context, const ossa_rig *rig, const ossa_rig *source, const char *source_name,
	const ossa_retarget_options *options, size_t *count, ossa_clip ***clips, ossa_retarget_facts *facts)
{
	if (count) *count = 0;
	if (clips) *clips = NULL;
	OSSAI_NEED(context, rig, source, source_name, count, clips);
	/* a source without motion gets its error */
	const size_t wanted = 1 + source->other_clip_count;
	ossa_clip **made = ossa_alloc(context, wanted, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	const ossa_status status = retarget_each(context, rig, source, source_name, options, wanted, made, facts);
	if (status == OSSA_OK) {
		*count = wanted;
		*clips = made;
		return OSSA_OK;
	}
	for (size_t i = 0; i < wanted; i++) ossa_clip_free(context, made[i]);
	ossa_free(context, made);
	return status;
}
