/* skeleton/naming/rest_chains.c: see rest_chains.h. */
#include "skeleton/naming/rest_chains.h"

#include "skeleton/naming/connected_limbs.h"
#include "skeleton/naming/names.h"
#include "skeleton/naming/part_names.h"

#include <math.h>
#include <string.h>

typedef struct finder {
	ossai_arena *arena;
	const ossa_skeleton *rest;
	const ossai_shared_skin *skin;
	size_t count, rest_count;
	const uint32_t *part;    /* R */
	uint32_t *chain;         /* R */
	uint32_t *chain_of_bone; /* B */
} finder;

/* ---- the chains of the rest shape's rig ---- */

static bool is_finger(const ossa_bone *bone)
{
	return bone->role.part >= OSSA_PART_THUMB && bone->role.part <= OSSA_PART_LITTLE;
}

/* whether a child may continue a bone's chain: it is on its side, and no finger on a hand */
static bool may_continue(const finder *f, uint32_t bone, uint32_t child)
{
	const ossa_bone *from = &f->rest->bones[bone], *to = &f->rest->bones[child];
	const bool is_known = ossai_name_is_number(from->name) == ossai_name_is_number(to->name);
	return to->parent == (int32_t)bone && is_known && is_finger(from) == is_finger(to) &&
		strcmp(ossai_name_side(from->name), ossai_name_side(to->name)) == 0;
}

/* the child that continues a bone's chain: the one with the most bones behind it; OSSA_NONE where
   several have as many */
static uint32_t find_next(const finder *f, const uint32_t *size, uint32_t bone)
{
	uint32_t best = OSSA_NONE, most = 0;
	for (uint32_t c = bone + 1; c < f->rest_count; c++) {
		if (!may_continue(f, bone, c) || size[c] < most) continue;
		best = size[c] > most ? c : OSSA_NONE;
		most = size[c];
	}
	return best;
}

/* one part on both sides of the root is one chain */
static void join_chains(const finder *f)
{
	for (uint32_t r = 0; r < f->rest_count; r++) {
		const uint32_t from = f->chain[r], to = f->chain[f->part[r]];
		for (uint32_t s = 0; s < f->rest_count; s++) {
			if (f->chain[s] == from) f->chain[s] = to;
		}
	}
}

static ossa_status find_chains(finder *f)
{
	uint32_t *size = ossai_arena_new(f->arena, f->rest_count, sizeof *size);
	if (!size) return ossa_context_error(f->arena->context)->status;
	for (uint32_t r = 0; r < f->rest_count; r++) {
		size[r] = 1;
		f->chain[r] = r;
	}
	for (size_t r = f->rest_count; r-- > 1;) size[f->rest->bones[r].parent] += size[r];
	for (uint32_t r = 0; r < f->rest_count; r++) {
		const uint32_t next = find_next(f, size, r);
		if (next != OSSA_NONE) f->chain[next] = f->chain[r];
	}
	join_chains(f);
	return OSSA_OK;
}

/* ---- the chain of each bone ---- */

/* the chains as limbs, and behind them what belongs to none */
typedef struct chain_limbs {
	size_t count;       /* n, with none */
	uint32_t *first;    /* n: a chain's first bone; none: OSSA_NONE */
	uint32_t *of_chain; /* R, of first bones */
	bool *begins;       /* n x n */
	double *odds;       /* B x n */
} chain_limbs;

static ossa_status take_limbs(const finder *f, ossai_arena *scratch, chain_limbs *c)
{
	c->count = 1;
	for (uint32_t r = 0; r < f->rest_count; r++) c->count += f->chain[r] == r;
	c->first = ossai_arena_new(scratch, c->count, sizeof *c->first);
	c->of_chain = ossai_arena_new(scratch, f->rest_count, sizeof *c->of_chain);
	c->begins = ossai_arena_zero(scratch, c->count * c->count, sizeof *c->begins);
	c->odds = ossai_arena_zero(scratch, f->count * c->count, sizeof *c->odds);
	if (!c->first || !c->of_chain || !c->begins || !c->odds) return ossa_context_error(scratch->context)->status;
	uint32_t limb = 0;
	for (uint32_t r = 0; r < f->rest_count; r++) {
		if (f->chain[r] != r) continue;
		c->of_chain[r] = limb;
		c->first[limb++] = r;
	}
	c->first[limb] = OSSA_NONE;
	return OSSA_OK;
}

/* a chain begins on that of the bone above it; what belongs to no limb may begin on any */
static void find_begins(const finder *f, chain_limbs *c)
{
	for (size_t r = 1; r < f->rest_count; r++) {
		const uint32_t from = c->of_chain[f->chain[f->rest->bones[r].parent]], to = c->of_chain[f->chain[r]];
		c->begins[from * c->count + to] = true;
	}
	for (size_t from = 0; from < c->count; from++) c->begins[from * c->count + c->count - 1] = true;
}

/* of a bone, in the mean */
static double mean_skin(const finder *f)
{
	double sum = 0;
	for (size_t i = 0; i < f->count * f->rest_count; i++) sum += f->skin->overlap[i];
	for (size_t b = 0; b < f->count; b++) sum += f->skin->beside[b];
	return sum / (double)f->count;
}

/* By its skin: that of each chain, and what is beside all; true where it has any. Stray skin is a
   share of its own, and no less than that of a bone of usual skin: a bone with little says little,
   where its parent and children may say more. */
static bool find_odds(const finder *f, const chain_limbs *c, double usual, size_t bone)
{
	double *odds = c->odds + bone * c->count, all = f->skin->beside[bone];
	odds[c->count - 1] = f->skin->beside[bone];
	for (size_t r = 0; r < f->rest_count; r++) {
		odds[c->of_chain[f->chain[r]]] += f->skin->overlap[bone * f->rest_count + r];
		all += f->skin->overlap[bone * f->rest_count + r];
	}
	const double stray = OSSAI_STRAY_SKIN * fmax(all, usual);
	for (size_t i = 0; i < c->count; i++) odds[i] = all > 0 ? log((odds[i] + stray) / all) : 0;
	return all > 0;
}

/* the bone with most of the hips' skin */
static uint32_t find_hips(const finder *f)
{
	uint32_t best = 0;
	for (uint32_t b = 1; b < f->count; b++) {
		if (f->skin->overlap[b * f->rest_count] > f->skin->overlap[best * f->rest_count]) best = b;
	}
	return best;
}

static ossa_status choose_limbs(finder *f, ossai_arena *scratch)
{
	chain_limbs c;
	OSSAI_TRY(take_limbs(f, scratch, &c));
	find_begins(f, &c);
	bool *has_skin = ossai_arena_new(scratch, f->count, sizeof *has_skin);
	if (!has_skin) return ossa_context_error(scratch->context)->status;
	const double usual = mean_skin(f);
	for (size_t b = 0; b < f->count; b++) has_skin[b] = find_odds(f, &c, usual, b);
	const ossai_limb_graph limbs = {c.count, c.begins, c.odds};
	OSSAI_TRY(ossai_connected_limbs_find(scratch->context, f->skin->skeleton, find_hips(f), &limbs, f->chain_of_bone));
	for (size_t b = 0; b < f->count; b++) f->chain_of_bone[b] = has_skin[b] ? c.first[f->chain_of_bone[b]] : OSSA_NONE;
	return OSSA_OK;
}

static ossa_status choose_chains(finder *f)
{
	ossai_arena scratch = ossai_arena_begin(f->arena->context);
	const ossa_status status = choose_limbs(f, &scratch);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- both ---- */

ossa_status ossai_rest_chains_find(ossai_arena *arena, const ossa_skeleton *rest, const uint32_t *part,
	const ossai_shared_skin *skin, ossai_rest_chains *chains)
{
	finder f = {.arena = arena,
		.rest = rest,
		.skin = skin,
		.count = skin->skeleton->bone_count,
		.rest_count = rest->bone_count,
		.part = part};
	f.chain = ossai_arena_new(arena, f.rest_count, sizeof *f.chain);
	f.chain_of_bone = ossai_arena_new(arena, f.count, sizeof *f.chain_of_bone);
	if (!f.chain || !f.chain_of_bone) return ossa_context_error(arena->context)->status;
	*chains = (ossai_rest_chains){f.chain, f.chain_of_bone};
	OSSAI_TRY(find_chains(&f));
	return choose_chains(&f);
}
