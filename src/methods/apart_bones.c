/* methods/apart_bones.c: joints of pieces that are rigged apart: how many each gets, images of skeletons.

   Place in the path: curves of all pieces -> here -> apart_rig. */
#include "methods/apart.h"

#include <math.h>

/* as many times bones are shared out anew because pieces had no use for theirs */
enum { SHARE_ROUNDS = 8 };

/* A piece's part in what is shared out; one with an image has the bones of both. */
typedef struct part {
	size_t times;  /* pieces it stands for; 0: an image, it has no part */
	double weight; /* bones that its shape tells, but one */
	size_t bones;  /* what it gets */
	bool is_fixed; /* it had no use for more, or no way to fewer */
} part;

/* what fixed ones and one each for the others leave, by weight: whole bones first, then by the largest remainders */
static void share_out(size_t count, part *parts, size_t bones)
{
	double weights = 0;
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		used += parts[i].times * (parts[i].is_fixed ? parts[i].bones : 1);
		if (!parts[i].is_fixed) weights += (double)parts[i].times * parts[i].weight;
	}
	const size_t rest = bones > used ? bones - used : 0;
	size_t left = rest;
	for (size_t i = 0; i < count; i++) {
		if (parts[i].times == 0 || parts[i].is_fixed) continue;
		const size_t whole = (size_t)((double)rest * parts[i].weight / weights * (1 + 1e-12));
		parts[i].bones = 1 + whole;
		left -= whole * parts[i].times < left ? whole * parts[i].times : left;
	}
	for (;;) {
		size_t best = count;
		double most = -INFINITY;
		for (size_t i = 0; i < count; i++) {
			if (parts[i].times == 0 || parts[i].is_fixed || parts[i].times > left) continue;
			const double lacks = (double)rest * parts[i].weight / weights - (double)(parts[i].bones - 1);
			if (!(lacks > most)) continue;
			most = lacks;
			best = i;
		}
		if (best == count) return;
		parts[best].bones++;
		left -= parts[best].times;
	}
}

/* true where all have what they were given */
static ossa_status try_shares(ossai_apart *a, part *parts, bool *settled)
{
	*settled = true;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (parts[i].times == 0 || parts[i].is_fixed) continue;
		OSSAI_TRY(ossai_contraction_place_quietly(&a->each[i], parts[i].bones));
		const size_t made = a->each[i].bones.tree.bone_count;
		if (made == parts[i].bones) continue;
		parts[i].bones = made;
		parts[i].is_fixed = true;
		*settled = false;
	}
	return OSSA_OK;
}

static void tell_count(const ossai_apart *a, size_t made)
{
	ossa_context *context = a->whole.recipe.context;
	const size_t wanted = (size_t)a->whole.own.bones;
	if (made > wanted) {
		ossai_warn(context, "more-bones", (int64_t)(made - wanted),
			"%zu bones were wanted and %zu made: no piece can do with fewer, or not without its partner on the other side",
			wanted, made);
	} else if (made < wanted) {
		ossai_warn(context, "fewer-bones", (int64_t)(wanted - made),
			"%zu bones were wanted and %zu made: no piece has room for more, or none for its partner on the other side", wanted,
			made);
	}
}

/* bones wanted in all: pieces get them as their shapes tell, in proportion; what one has no use for goes to the others */
static ossa_status share_bones(ossai_apart *a)
{
	const size_t count = a->pieces.skeletons, others = a->pieces.bones + (count > 1 ? 1 : 0);
	const size_t wanted = (size_t)a->whole.own.bones > others ? (size_t)a->whole.own.bones - others : 0;
	part *parts = ossai_arena_zero(a->whole.recipe.arena, count, sizeof *parts);
	if (!parts) return ossa_context_error(a->whole.recipe.context)->status;
	for (size_t i = 0; i < count; i++) {
		const uint32_t image = a->pieces.piece[i].image;
		parts[image == OSSA_NONE ? i : image].times++;
		/* a ball, too, is given bones where all are balls */
		if (image == OSSA_NONE) parts[i].weight = (double)a->each[i].bones.tree.bone_count - 1 + 1e-3;
	}
	bool settled = false;
	for (int round = 0; round < SHARE_ROUNDS && !settled; round++) {
		share_out(count, parts, wanted);
		OSSAI_TRY(try_shares(a, parts, &settled));
	}
	size_t made = others;
	for (size_t i = 0; i < count; i++) made += parts[i].times * parts[i].bones;
	tell_count(a, made);
	return OSSA_OK;
}

/* without refinement pieces have as many as their contraction has left */
static void tell_points(const ossai_apart *a)
{
	size_t made = a->pieces.bones + (a->pieces.skeletons > 1 ? 1 : 0);
	for (size_t i = 0; i < a->pieces.skeletons; i++) made += a->each[i].bones.tree.bone_count;
	ossai_contraction_warn_of_points(&a->whole, (size_t)a->whole.own.bones, made);
}

/* the skeleton of the piece whose image this is, mirrored */
static ossa_status take_image(ossai_apart *a, size_t place)
{
	const size_t from = a->pieces.piece[place].image;
	const ossai_contraction *other = &a->each[from];
	ossai_contraction *c = &a->each[place];
	const size_t bones = other->bones.tree.bone_count, cuts = other->curve.cut_count;
	c->bones = other->bones;
	c->sides = other->sides;
	c->bones.joint = ossai_arena_new(c->recipe.arena, bones, sizeof *c->bones.joint);
	c->bones.tail = ossai_arena_new(c->recipe.arena, bones, sizeof *c->bones.tail);
	c->curve.cuts = ossai_arena_new(c->recipe.arena, cuts, sizeof *c->curve.cuts);
	if (!c->bones.joint || !c->bones.tail || !c->curve.cuts) return ossa_context_error(c->recipe.context)->status;
	for (size_t b = 0; b < bones; b++) {
		c->bones.joint[b] = ossai_to_image(a, from, place, other->bones.joint[b]);
		c->bones.tail[b] = ossai_to_image(a, from, place, other->bones.tail[b]);
	}
	c->curve.cut_count = cuts;
	for (size_t i = 0; i < cuts; i++) {
		/* its ends are nodes of the other's curve: the image has none */
		c->curve.cuts[i] = other->curve.cuts[i];
		c->curve.cuts[i].center = ossai_to_image(a, from, place, other->curve.cuts[i].center);
	}
	return OSSA_OK;
}

ossa_status ossai_apart_place(ossai_recipe *r)
{
	ossai_apart *a = (ossai_apart *)r;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (a->pieces.piece[i].image != OSSA_NONE) continue;
		OSSAI_TRY(ossai_contraction_tree(&a->each[i].recipe));
		OSSAI_TRY(ossai_contraction_place(&a->each[i], 0));
	}
	if (a->whole.own.bones > 0 && ossai_contraction_refines(&a->whole)) OSSAI_TRY(share_bones(a));
	else if (a->whole.own.bones > 0) tell_points(a);
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (a->pieces.piece[i].image != OSSA_NONE) OSSAI_TRY(take_image(a, i));
	}
	return ossai_pieces_hang(r->arena, &r->surface, &a->pieces);
}
