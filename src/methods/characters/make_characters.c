/* methods/characters/make_characters.c: rigs of several characters of one topology.

   Input: characters: a mesh each, and frames of those that move.
   Output: rigs with one tree and one set of weights, each with its own joints and motions.
   The energy is one sum of squares over all characters, so what one of them does not show the
   others do: which bones there are, and what they move. */
#include "methods/characters/characters.h"

static void drop_draft(ossai_characters *c)
{
	for (size_t i = 0; i < c->count; i++) {
		ossa_rig_free(c->context, c->members[i].rig);
		c->members[i].rig = NULL;
	}
	ossa_rig_result_free(c->context, &c->made);
}

/* all that depends on the base */
static ossa_status try_base(ossai_characters *c)
{
	ossai_arena arena = ossai_arena_begin(c->context);
	ossai_arena *const outer = c->arena;
	c->arena = &arena;
	ossa_status status = ossai_characters_place(c);
	if (status == OSSA_OK) status = ossai_characters_draft(c);
	if (status == OSSA_OK) status = ossai_characters_solve(c);
	if (status == OSSA_OK) status = ossai_characters_keep(c);
	drop_draft(c);
	c->arena = outer;
	ossai_arena_end(&arena);
	return status;
}

/* The one that moves most; with all effort each that moves, as which bones are found depends on the
   shape that they are found on. */
static ossa_status try_bases(ossai_characters *c)
{
	ossai_warnings *before = ossai_warnings_save(c->context);
	ossa_status status = before ? OSSA_OK : ossa_context_error(c->context)->status;
	for (c->base = 0; c->base < c->count && status == OSSA_OK; c->base++) {
		if (c->base > 0 && (c->options->effort != OSSA_EFFORT_BEST || !c->members[c->base].moves)) break;
		ossai_warnings_restore(c->context, before);
		status = try_base(c);
	}
	ossa_free(c->context, before);
	return status;
}

static ossa_status make(ossai_characters *c, ossa_characters_result *result)
{
	OSSAI_TRY(ossai_characters_check(c));
	OSSAI_TRY(ossai_characters_load(c));
	OSSAI_TRY(try_bases(c));
	return ossai_characters_store(c, result);
}

static void end_members(ossai_characters *c)
{
	for (size_t i = 0; c->members && i < c->count; i++) {
		ossa_rig_free(c->context, c->members[i].best);
		ossa_frames_free(c->context, c->members[i].keys);
	}
	ossa_free(c->context, c->best.warnings);
}

ossa_status ossa_rig_make_characters(ossa_context *context, size_t count, const ossa_character *characters,
	const ossa_rig_options *options, ossa_characters_result *result)
{
	const ossa_rig_options usual = ossa_rig_default();
	if (result) *result = (ossa_characters_result){0};
	OSSAI_NEED(context, characters, result);
	if (count == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no characters");
	ossai_arena arena = ossai_arena_begin(context);
	ossai_characters c = {
		.context = context, .arena = &arena, .options = options ? options : &usual, .count = count, .best.energy = INFINITY};
	c.members = ossai_arena_zero(&arena, count, sizeof *c.members);
	ossa_status status = c.members ? OSSA_OK : ossa_context_error(context)->status;
	for (size_t i = 0; c.members && i < count; i++) {
		c.members[i].character = &characters[i];
		c.members[i].index = i;
	}
	if (status == OSSA_OK) status = make(&c, result);
	if (status != OSSA_OK) ossa_characters_result_free(context, result);
	end_members(&c);
	ossai_arena_end(&arena);
	return status;
}

void ossa_characters_result_free(ossa_context *context, ossa_characters_result *result)
{
	if (!result) return;
	for (size_t i = 0; i < result->count; i++) {
		ossa_rig_free(context, result->rigs[i].rig);
		ossa_free(context, result->rigs[i].bone_rms);
	}
	ossa_free(context, result->rigs);
	*result = (ossa_characters_result){0};
}
