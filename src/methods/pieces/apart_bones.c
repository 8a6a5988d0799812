/* methods/pieces/apart_bones.c: joints of pieces that are rigged apart: how many each gets, images of skeletons.

   Place in the path: curves of all pieces -> here -> apart_rig. */
#include "methods/pieces/apart.h"

#include <math.h>

/* what a class of pieces weighs against a larger one, which goes first */
static const double AFTER_LARGER = 1e-6;
/* of the stage: what is done when each piece has its own joints, and when bones are shared out */
static const double EACH_SHARE = 0.6, SHARED_SHARE = 0.8;
/* as many times bones are shared out anew because pieces had no use for theirs */
enum { SHARE_ROUNDS = 8 };

/* A piece's part in what is shared out; one with an image has the bones of both. */
typedef struct part {
	size_t times;  /* pieces it stands for; 0: an image, it has no part */
	double weight; /* bones that its shape tells, but one */
	size_t bones;  /* what it gets */
	size_t placed; /* what it has */
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
static ossa_status try_shares(ossai_apart *a, part *parts, bool is_first, bool *settled)
{
	*settled = true;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (parts[i].times == 0 || parts[i].is_fixed || (!is_first && parts[i].placed == parts[i].bones)) continue;
		OSSAI_TRY(ossai_contraction_refined_bones_quietly(&a->each[i], parts[i].bones));
		const size_t made = parts[i].placed = a->each[i].bones.tree.bone_count;
		if (made == parts[i].bones) continue;
		parts[i].bones = made;
		parts[i].is_fixed = true;
		*settled = false;
	}
	return OSSA_OK;
}

/* Where no number is given and there would be too many bones the smaller pieces give way: whole classes keep what their shapes tell as long as
   there are enough, one shares what is left, smaller ones get one bone each. A class is what is more than half as large as its first, so
   that blades of grass have alike and a head of hair does not take the bones of the body. */
static void let_small_give_way(const ossai_apart *a, part *parts, size_t bones)
{
	const size_t count = a->pieces.skeletons;
	const ossai_piece *piece = a->pieces.piece;
	size_t rest = bones > count ? bones - count : 0, begin = 0, end = 0;
	for (; begin < count; begin = end) {
		size_t told = 0;
		for (end = begin; end < count && piece[end].size > piece[begin].size / 2; end++) {
			told += parts[end].times * (parts[end].placed - (parts[end].times > 0));
		}
		if (told > rest) break;
		for (size_t i = begin; i < end; i++) parts[i].is_fixed = true;
		rest -= told;
	}
	for (size_t i = end; i < count; i++) parts[i].weight *= AFTER_LARGER;
}

/* what each is by itself */
static ossa_status take_parts(ossai_apart *a, part **parts)
{
	const size_t count = a->pieces.skeletons;
	*parts = ossai_arena_zero(a->whole->still.arena, count, sizeof **parts);
	if (!*parts) return ossa_context_error(a->whole->still.context)->status;
	a->told = ossai_pieces_other_bones(&a->pieces);
	for (size_t i = 0; i < count; i++) {
		const uint32_t image = a->pieces.piece[i].image;
		const ossai_contraction *c = &a->each[image == OSSA_NONE ? i : image];
		part *own = &(*parts)[image == OSSA_NONE ? i : image];
		own->times++;
		own->bones = own->placed = c->bones.tree.bone_count;
		/* a ball, too, is given bones where all are balls */
		own->weight = (double)own->placed - 1 + 1e-3;
		if (a->unfit == 0) a->coarse = i;
		a->unfit += c->told - own->placed;
		a->told += c->told;
	}
	return OSSA_OK;
}

/* bones wanted in all, or that there may be: pieces get them as their shapes tell, in proportion; what one has no use for goes to the others */
static ossa_status share_bones(ossai_apart *a)
{
	const size_t count = a->pieces.skeletons, others = ossai_pieces_other_bones(&a->pieces);
	const bool is_asked = a->whole->own.bones > 0;
	const size_t limit = is_asked ? (size_t)a->whole->own.bones : OSSAI_APART_BONES;
	const size_t wanted = limit > others ? limit - others : 0;
	part *parts;
	OSSAI_TRY(take_parts(a, &parts));
	const size_t told = a->told - a->unfit;
	if (!is_asked && told <= limit) return OSSA_OK;
	if (!is_asked) let_small_give_way(a, parts, wanted);
	bool settled = false;
	for (int round = 0; round < SHARE_ROUNDS && !settled; round++) {
		share_out(count, parts, wanted);
		OSSAI_TRY(try_shares(a, parts, round == 0, &settled));
	}
	size_t made = others;
	for (size_t i = 0; i < count; i++) made += parts[i].times * parts[i].bones;
	if (!is_asked) a->over = told > made ? told - made : 0;
	return OSSA_OK;
}

/* without refinement pieces have as many as their contraction has left */
static void tell_points(const ossai_apart *a)
{
	size_t made = ossai_pieces_other_bones(&a->pieces);
	for (size_t i = 0; i < a->pieces.skeletons; i++) made += a->each[i].bones.tree.bone_count;
	ossai_contraction_warn_of_points(a->whole, (size_t)a->whole->own.bones, made);
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
	c->bones.joint = ossai_arena_new(c->still.arena, bones, sizeof *c->bones.joint);
	c->bones.tail = ossai_arena_new(c->still.arena, bones, sizeof *c->bones.tail);
	c->curve.cuts = ossai_arena_new(c->still.arena, cuts, sizeof *c->curve.cuts);
	if (!c->bones.joint || !c->bones.tail || !c->curve.cuts) return ossa_context_error(c->still.context)->status;
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

static ossa_status place_points(ossai_contraction *c)
{
	OSSAI_TRY(ossai_contraction_published_tree(c));
	return ossai_contraction_published_bones(c, 0);
}

static ossa_status place_joints(ossai_contraction *c)
{
	OSSAI_TRY(ossai_contraction_refined_tree(c));
	return ossai_contraction_refined_bones(c, 0);
}

/* each as if it were alone */
static ossa_status place_each(ossai_apart *a, ossai_contraction_stage *place)
{
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		ossai_apart_turn_to(a, i, 0, EACH_SHARE);
		if (a->pieces.piece[i].image != OSSA_NONE) continue;
		OSSAI_TRY(place(&a->each[i]));
		OSSAI_TRY(ossai_progress(a->whole->still.context, 1));
	}
	ossai_apart_turn_away(a, EACH_SHARE);
	return OSSA_OK;
}

static ossa_status place_rigid(ossai_apart *a)
{
	ossai_still_work *still = &a->whole->still;
	ossai_progress_part(still->context, SHARED_SHARE, 1);
	return ossai_pieces_hang(still->arena, &still->surface, &a->pieces);
}

ossa_status ossai_apart_published_skeletons(ossai_apart *a)
{
	OSSAI_TRY(place_each(a, place_points));
	if (a->whole->own.bones > 0) tell_points(a);
	return place_rigid(a);
}

ossa_status ossai_apart_refined_skeletons(ossai_apart *a)
{
	OSSAI_TRY(place_each(a, place_joints));
	OSSAI_TRY(share_bones(a));
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (a->pieces.piece[i].image != OSSA_NONE) OSSAI_TRY(take_image(a, i));
	}
	return place_rigid(a);
}
