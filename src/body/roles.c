/* body/roles.c: see roles.h. */
#include "body/roles.h"

#include <ossa/mesh.h>

/* The parts along a limb, from the trunk outward. One part alone is repeated with numbers. */
typedef struct limb_parts {
	ossa_body_kind kind; /* NONE: of all other kinds */
	ossai_limb_kind limb;
	size_t count;
	ossa_body_part part[4];
} limb_parts;

static const limb_parts parts[] = {
	{OSSA_BODY_QUADRUPED, OSSAI_LIMB_LEG, 4,
		{OSSA_PART_BACK_UPPER_LEG, OSSA_PART_BACK_LOWER_LEG, OSSA_PART_BACK_FOOT, OSSA_PART_BACK_TOES}},
	{OSSA_BODY_QUADRUPED, OSSAI_LIMB_ARM, 4,
		{OSSA_PART_FRONT_UPPER_LEG, OSSA_PART_FRONT_LOWER_LEG, OSSA_PART_FRONT_FOOT, OSSA_PART_FRONT_TOES}},
	{OSSA_BODY_BIRD, OSSAI_LIMB_LEG, 4, {OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT, OSSA_PART_TOES}},
	{OSSA_BODY_THEROPOD, OSSAI_LIMB_LEG, 4, {OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT, OSSA_PART_TOES}},
	{OSSA_BODY_THEROPOD, OSSAI_LIMB_ARM, 3, {OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, OSSA_PART_HAND}},
	{OSSA_BODY_NONE, OSSAI_LIMB_LEG, 1, {OSSA_PART_LEG}},
	{OSSA_BODY_NONE, OSSAI_LIMB_ARM, 1, {OSSA_PART_ARM}},
	{OSSA_BODY_NONE, OSSAI_LIMB_WING, 1, {OSSA_PART_WING}},
	{OSSA_BODY_NONE, OSSAI_LIMB_TAIL, 1, {OSSA_PART_TAIL}},
	{OSSA_BODY_NONE, OSSAI_LIMB_EAR, 1, {OSSA_PART_EAR}},
	{OSSA_BODY_NONE, OSSAI_LIMB_FIN, 1, {OSSA_PART_FIN}},
	{OSSA_BODY_NONE, OSSAI_LIMB_ANTENNA, 1, {OSSA_PART_ANTENNA}},
};

/* The bones of a finger, the thumb's, too. */
enum { PHALANGES = 3 };

typedef struct assigner {
	const ossai_body *body;
	const uint32_t *parent;
	uint32_t *limbs_below; /* B: a bit for each limb whose tip is beyond */
	uint32_t *path;        /* B: of one limb, from the trunk outward */
	ossa_role *role;
} assigner;

static uint32_t bit_of(size_t limb, int side) { return 1u << (2 * limb + (size_t)side); }

static bool is_one(uint32_t bits) { return bits && !(bits & (bits - 1)); }

static const limb_parts *parts_of(ossa_body_kind kind, ossai_limb_kind limb)
{
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		if (parts[i].limb == limb && (parts[i].kind == kind || parts[i].kind == OSSA_BODY_NONE)) return &parts[i];
	}
	return NULL;
}

size_t ossai_limb_bones(const ossai_form *form, const ossai_limb *limb)
{
	if (limb->kind == OSSAI_LIMB_FINGER) return PHALANGES;
	const limb_parts *found = parts_of(form->kind, limb->kind);
	return found && found->count > 1 ? found->count : 0;
}

static void mark_limbs(assigner *a, const uint32_t leaf[OSSAI_FORM_LIMBS][2])
{
	for (size_t l = 0; l < a->body->form->limb_count; l++) {
		for (int side = 0; side < 2; side++) {
			for (uint32_t b = leaf[l][side]; b != OSSA_NONE; b = a->parent[b]) a->limbs_below[b] |= bit_of(l, side);
		}
	}
}

static void reverse(uint32_t *bones, size_t count)
{
	for (size_t i = 0; 2 * i + 1 < count; i++) {
		const uint32_t other = bones[i];
		bones[i] = bones[count - 1 - i];
		bones[count - 1 - i] = other;
	}
}

/* the bones that lead to a limb's tip alone, in a->path */
static size_t trace(assigner *a, uint32_t leaf)
{
	size_t count = 0;
	for (uint32_t b = leaf; b != OSSA_NONE && a->parent[b] != OSSA_NONE && is_one(a->limbs_below[b]); b = a->parent[b])
		a->path[count++] = b;
	reverse(a->path, count);
	return count;
}

/* puts the bones from below the root to a bone in a->path, from its entry `at` on; their number */
static size_t climb(assigner *a, uint32_t bone, size_t at)
{
	size_t count = 0;
	for (uint32_t b = bone; b != OSSA_NONE && a->parent[b] != OSSA_NONE; b = a->parent[b]) a->path[at + count++] = b;
	reverse(a->path + at, count);
	return count;
}

/* several bones of one part are numbered; `always`: one, too */
static void name_path(const assigner *a, size_t from, size_t to, ossa_role role, bool always)
{
	for (size_t i = from; i < to; i++) {
		role.number = to - from > 1 || always ? (int)(i - from) + 1 : 0;
		a->role[a->path[i]] = role;
	}
}

/* a limb of fewer bones than parts lacks the outer ones; of more the last part is divided */
static void name_limb(assigner *a, const ossai_limb *limb, int side, size_t count)
{
	const int sign = limb->is_pair ? 1 - 2 * side : 0;
	if (limb->kind == OSSAI_LIMB_FINGER) {
		name_path(a, 0, count, (ossa_role){.part = (ossa_body_part)(OSSA_PART_THUMB + limb->number - 1)}, true);
		return;
	}
	const limb_parts *found = parts_of(a->body->form->kind, limb->kind);
	if (!found) return;
	const bool is_one_part = found->count == 1;
	for (size_t i = 0; i < found->count; i++) {
		const size_t from = i < count ? i : count, to = i + 1 == found->count ? count : i + 1 < count ? i + 1 : count;
		const ossa_role role = {.part = found->part[i], .side = sign, .limb = is_one_part ? limb->number : 0};
		name_path(a, from, to, role, is_one_part);
	}
}

static const ossai_limb *head_limb(const assigner *a, size_t *at)
{
	for (*at = 0; *at < a->body->form->limb_count; (*at)++) {
		if (a->body->form->limb[*at].kind == OSSAI_LIMB_HEAD) return &a->body->form->limb[*at];
	}
	return NULL;
}

static uint32_t bits_of_kind(const assigner *a, ossai_limb_kind kind)
{
	uint32_t bits = 0;
	for (size_t l = 0; l < a->body->form->limb_count; l++) {
		if (a->body->form->limb[l].kind == kind) bits |= bit_of(l, 0) | bit_of(l, 1);
	}
	return bits;
}

/* From the root to the tip of the head: spine as far as arms or wings are beyond, then neck; the
   last bone, or the one that ears or feelers are on, is the head. */
static void name_trunk(assigner *a, uint32_t head_tip)
{
	const uint32_t arms = bits_of_kind(a, OSSAI_LIMB_ARM) | bits_of_kind(a, OSSAI_LIMB_WING) | bits_of_kind(a, OSSAI_LIMB_LEG) |
		bits_of_kind(a, OSSAI_LIMB_FIN);
	const uint32_t on_head = bits_of_kind(a, OSSAI_LIMB_EAR) | bits_of_kind(a, OSSAI_LIMB_ANTENNA);
	const size_t count = climb(a, head_tip, 0);
	size_t spine = 0, head;
	if (count == 0) return;
	while (spine < count && (a->limbs_below[a->path[spine]] & arms)) spine++;
	head = count - 1;
	while (head > spine && is_one(a->limbs_below[a->path[head]]) && (a->limbs_below[a->path[head - 1]] & on_head)) head--;
	name_path(a, 0, spine, (ossa_role){.part = OSSA_PART_SPINE}, true);
	if (spine == count) return;
	name_path(a, spine, head, (ossa_role){.part = OSSA_PART_NECK}, false);
	a->role[a->path[head]] = (ossa_role){.part = OSSA_PART_HEAD};
}

/* Where the tail ends in several tips, as a fish's does, what leads to them all is tail, too. */
static void name_stock(assigner *a, const uint32_t leaf[OSSAI_FORM_LIMBS][2])
{
	const uint32_t tails = bits_of_kind(a, OSSAI_LIMB_TAIL);
	uint32_t tip = OSSA_NONE;
	for (size_t l = 0; l < a->body->form->limb_count; l++) {
		if (a->body->form->limb[l].kind == OSSAI_LIMB_TAIL && leaf[l][0] != OSSA_NONE) tip = leaf[l][0];
	}
	size_t count = 0;
	for (uint32_t b = tip; b != OSSA_NONE && a->parent[b] != OSSA_NONE && !(a->limbs_below[b] & ~tails); b = a->parent[b]) {
		if (!is_one(a->limbs_below[b])) a->path[count++] = b;
	}
	reverse(a->path, count);
	name_path(a, 0, count, (ossa_role){.part = OSSA_PART_TAIL}, true);
}

static ossa_body_part root_part(ossa_body_kind kind)
{
	switch (kind) {
	case OSSA_BODY_HAND: return OSSA_PART_HAND;
	case OSSA_BODY_FISH:
	case OSSA_BODY_INSECT:
	case OSSA_BODY_SPIDER:
	case OSSA_BODY_OCTOPUS: return OSSA_PART_BODY;
	case OSSA_BODY_SNAKE: return OSSA_PART_SPINE;
	default: return OSSA_PART_HIPS;
	}
}

static uint32_t root_of(const assigner *a)
{
	uint32_t b = 0;
	while (a->parent[b] != OSSA_NONE) b = a->parent[b];
	return b;
}

/* A snake is spine from end to end, numbered from the tail, its root wherever it is. */
static void name_snake(assigner *a, const uint32_t leaf[OSSAI_FORM_LIMBS][2])
{
	size_t tail = 0;
	while (tail < a->body->form->limb_count && a->body->form->limb[tail].kind != OSSAI_LIMB_TAIL) tail++;
	size_t count = trace(a, leaf[tail][0]), head_at;
	reverse(a->path, count);
	a->path[count++] = root_of(a);
	if (head_limb(a, &head_at)) count += climb(a, leaf[head_at][0], count);
	name_path(a, 0, count, (ossa_role){.part = OSSA_PART_SPINE}, false);
}

/* What is between several limbs of a hand or of a body all around, or leads to a wrist, is more of
   what they are on: its second bone and on, parents first. */
static void name_lump(const assigner *a, size_t bone_count, ossa_role lump)
{
	lump.number = 1;
	for (size_t before = 0; before < (size_t)lump.number;) {
		before = (size_t)lump.number;
		for (uint32_t b = 0; b < bone_count; b++) {
			const bool is_free = a->parent[b] != OSSA_NONE && a->role[b].part == OSSA_PART_NONE && a->limbs_below[b];
			if (!is_free || a->role[a->parent[b]].part != lump.part) continue;
			lump.number++;
			a->role[b] = lump;
		}
	}
}

static void assign(assigner *a, size_t bone_count, const uint32_t leaf[OSSAI_FORM_LIMBS][2])
{
	const ossai_form *form = a->body->form;
	size_t head_at;
	mark_limbs(a, leaf);
	if (form->kind == OSSA_BODY_SNAKE) {
		name_snake(a, leaf);
		return;
	}
	const ossai_limb *head = head_limb(a, &head_at);
	if (head && leaf[head_at][0] != OSSA_NONE) name_trunk(a, leaf[head_at][0]);
	for (size_t l = 0; l < form->limb_count; l++) {
		for (int side = 0; side < 2 && form->limb[l].kind != OSSAI_LIMB_HEAD; side++) {
			if (leaf[l][side] != OSSA_NONE) name_limb(a, &form->limb[l], side, trace(a, leaf[l][side]));
		}
	}
	name_stock(a, leaf);
	const ossa_role root = {.part = root_part(form->kind)};
	a->role[root_of(a)] = root;
	if (root.part != OSSA_PART_HIPS) name_lump(a, bone_count, root);
}

ossa_status ossai_body_roles(ossai_arena *arena, const ossai_body *body, size_t bone_count, const uint32_t *parent,
	const uint32_t leaf[OSSAI_FORM_LIMBS][2], ossa_role *role)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	assigner a = {.body = body, .parent = parent, .role = role};
	a.limbs_below = ossai_arena_zero(&scratch, bone_count, sizeof *a.limbs_below);
	a.path = ossai_arena_new(&scratch, bone_count, sizeof *a.path);
	ossa_status status = OSSA_OK;
	for (size_t b = 0; b < bone_count; b++) role[b] = (ossa_role){.part = OSSA_PART_NONE};
	if (a.limbs_below && a.path && bone_count > 0) assign(&a, bone_count, leaf);
	else status = bone_count > 0 ? ossa_context_error(arena->context)->status : OSSA_OK;
	ossai_arena_end(&scratch);
	return status;
}
