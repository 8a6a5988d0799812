/* methods/pieces/apart_bones.c: the joints of pieces that are rigged separately: how many each
   piece gets, and the images of skeletons.

   Place in the path: the curves of all pieces -> here -> apart_rig. */
#include "methods/pieces/apart.h"

#include <math.h>

/* The factor of the weight of a class of pieces behind a larger one: small enough that it gets
   bones only where larger pieces can use no more. With 0 there would be no weights to share these
   by. */
static const double AFTER_LARGER = 1e-6;
/* progress of the stage: what is done when each piece has joints */
static const double EACH_SHARE = 0.6;
/* rounds in which bones are shared again, at most, because pieces could not use theirs */
enum { SHARE_ROUNDS = 8 };

/* The part of a piece, or of a piece and its image, in the bones to be shared. */
typedef struct part {
	size_t times;  /* pieces that it stands for; 0: the piece is an image */
	double weight; /* the number of bones that its shape suggests, less one */
	size_t bones;  /* its share */
	size_t placed; /* the number of bones it has */
	bool is_fixed; /* it can have neither more bones nor fewer */
} part;

/* Gives each part one bone, or what it is fixed to, and shares the rest in proportion to the
   weights (Hamilton's method: whole bones first, then by the largest remainders). */
static void share(size_t count, part *parts, size_t bones)
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

/* settled: whether all pieces have as many bones as their shares */
static ossa_status try_shares(ossai_apart *a, part *parts, bool is_first, bool *is_done)
{
	*is_done = true;
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (parts[i].times == 0 || parts[i].is_fixed || (!is_first && parts[i].placed == parts[i].bones)) continue;
		OSSAI_TRY(ossai_contraction_refined_bones_quietly(&a->each[i], parts[i].bones));
		const size_t made = parts[i].placed = a->each[i].bones.tree.bone_count;
		if (made == parts[i].bones) continue;
		parts[i].bones = made;
		parts[i].is_fixed = true;
		*is_done = false;
	}
	return OSSA_OK;
}

/* Where no number is given and there would be too many bones, small pieces lose theirs first.
   Classes of pieces keep the number that their shapes suggest as long as that is possible, from the
   largest class on; the next class shares what is left, and pieces of smaller ones get one bone
   each. A class are the pieces more than half as large as its largest: blades of grass get equal
   numbers, and hair takes no bones from the body. */
static void favour_large(const ossai_apart *a, part *parts, size_t bones)
{
	const size_t count = a->pieces.skeletons;
	const ossai_piece *piece = a->pieces.piece;
	size_t rest = bones > count ? bones - count : 0, begin = 0, end = 0;
	for (; begin < count; begin = end) {
		size_t suggested = 0;
		for (end = begin; end < count && piece[end].size > piece[begin].size / 2; end++) {
			suggested += parts[end].times * (parts[end].placed - (parts[end].times > 0));
		}
		if (suggested > rest) break;
		for (size_t i = begin; i < end; i++) parts[i].is_fixed = true;
		rest -= suggested;
	}
	for (size_t i = end; i < count; i++) parts[i].weight *= AFTER_LARGER;
}

/* the parts of all pieces, with the bones that they have by themselves */
static ossa_status take_parts(ossai_apart *a, part **parts)
{
	const size_t count = a->pieces.skeletons;
	*parts = ossai_arena_zero(a->whole->still.arena, count, sizeof **parts);
	if (!*parts) return ossa_context_error(a->whole->still.context)->status;
	a->suggested = ossai_pieces_other_bones(&a->pieces);
	for (size_t i = 0; i < count; i++) {
		const uint32_t image = a->pieces.piece[i].image;
		const ossai_contraction *c = &a->each[image == OSSA_NONE ? i : image];
		part *own = &(*parts)[image == OSSA_NONE ? i : image];
		own->times++;
		own->bones = own->placed = c->bones.tree.bone_count;
		/* more than 0, so that bones can be shared among pieces of one bone */
		own->weight = (double)own->placed - 1 + 1e-3;
		if (a->unfit == 0) a->coarse = i;
		a->unfit += c->suggested - own->placed;
		a->suggested += c->suggested;
	}
	return OSSA_OK;
}

/* Shares the number of bones that are wanted, or allowed, in proportion to what the shapes suggest;
   what a piece cannot use goes to the others. */
static ossa_status share_bones(ossai_apart *a)
{
	const size_t count = a->pieces.skeletons, others = ossai_pieces_other_bones(&a->pieces);
	const bool is_asked = a->whole->own.bones > 0;
	const size_t limit = is_asked ? (size_t)a->whole->own.bones : OSSAI_APART_BONES;
	const size_t wanted = limit > others ? limit - others : 0;
	part *parts;
	OSSAI_TRY(take_parts(a, &parts));
	const size_t possible = a->suggested - a->unfit;
	if (!is_asked && possible <= limit) return OSSA_OK;
	if (!is_asked) favour_large(a, parts, wanted);
	bool is_done = false;
	for (int round = 0; round < SHARE_ROUNDS && !is_done; round++) {
		share(count, parts, wanted);
		OSSAI_TRY(try_shares(a, parts, round == 0, &is_done));
	}
	size_t made = others;
	for (size_t i = 0; i < count; i++) made += parts[i].times * parts[i].bones;
	if (!is_asked) a->over = possible > made ? possible - made : 0;
	return OSSA_OK;
}

/* published, the number of bones is that of the points that contraction has left */
static void warn_of_points(const ossai_apart *a)
{
	size_t made = ossai_pieces_other_bones(&a->pieces);
	for (size_t i = 0; i < a->pieces.skeletons; i++) made += a->each[i].bones.tree.bone_count;
	ossai_contraction_warn_of_points(a->whole, (size_t)a->whole->own.bones, made);
}

/* the mirrored skeleton of the piece that this one is the image of */
static ossa_status take_image(ossai_apart *a, size_t place)
{
	const size_t from = a->pieces.piece[place].image;
	const ossai_contraction *other = &a->each[from];
	ossai_contraction *c = &a->each[place];
	const size_t bones = other->bones.tree.bone_count, cuts = other->still.curve.cut_count;
	ossai_curve *curve = &c->still.curve;
	c->bones = other->bones;
	c->still.sides = other->still.sides;
	c->bones.joint = ossai_arena_new(c->still.arena, bones, sizeof *c->bones.joint);
	c->bones.tail = ossai_arena_new(c->still.arena, bones, sizeof *c->bones.tail);
	c->bones.role = ossai_arena_zero(c->still.arena, bones, sizeof *c->bones.role);
	curve->cuts = ossai_arena_new(c->still.arena, cuts, sizeof *curve->cuts);
	if (!c->bones.joint || !c->bones.tail || !c->bones.role || !curve->cuts)
		return ossa_context_error(c->still.context)->status;
	for (size_t b = 0; b < bones; b++) {
		c->bones.joint[b] = ossai_to_image(a, from, place, other->bones.joint[b]);
		c->bones.tail[b] = ossai_to_image(a, from, place, other->bones.tail[b]);
		if (!other->bones.role) continue;
		c->bones.role[b] = other->bones.role[b];
		c->bones.role[b].side *= -1;
	}
	curve->cut_count = cuts;
	for (size_t i = 0; i < cuts; i++) {
		/* the image has no curve, so the ends of the cut stay nodes of the other one's */
		curve->cuts[i] = other->still.curve.cuts[i];
		curve->cuts[i].center = ossai_to_image(a, from, place, curve->cuts[i].center);
	}
	return OSSA_OK;
}

static ossa_status place_suggested(ossai_contraction *c) { return ossai_contraction_refined_bones(c, 0); }

/* each piece as if it were alone */
static ossa_status place_each(ossai_apart *a, ossai_contraction_stage *place)
{
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		ossai_apart_set_subject(a, i, 0, EACH_SHARE);
		if (a->pieces.piece[i].image != OSSA_NONE) continue;
		OSSAI_TRY(place(&a->each[i]));
		OSSAI_TRY(ossai_progress(a->whole->still.context, 1));
	}
	ossai_apart_clear_subject(a, EACH_SHARE);
	return OSSA_OK;
}

static ossa_status place_rigid(ossai_apart *a)
{
	ossai_still_work *still = &a->whole->still;
	ossai_progress_part(still->context, EACH_SHARE, 1);
	return ossai_pieces_attach(still->arena, &still->surface, &a->pieces);
}

ossa_status ossai_apart_published_skeletons(ossai_apart *a)
{
	OSSAI_TRY(place_each(a, ossai_contraction_published_bones));
	if (a->whole->own.bones > 0) warn_of_points(a);
	return place_rigid(a);
}

ossa_status ossai_apart_refined_skeletons(ossai_apart *a)
{
	OSSAI_TRY(place_each(a, place_suggested));
	OSSAI_TRY(share_bones(a));
	for (size_t i = 0; i < a->pieces.skeletons; i++) {
		if (a->pieces.piece[i].image != OSSA_NONE) OSSAI_TRY(take_image(a, i));
	}
	return place_rigid(a);
}
