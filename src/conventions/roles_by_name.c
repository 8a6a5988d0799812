/* conventions/roles_by_name.c: see roles_by_name.h. */
#include "conventions/roles_by_name.h"

#include "body/names.h"
#include "conventions/named_bones.h"

#include <string.h>

enum {
	/* of arms or legs, two each: plain words have to explain as many bones more */
	PAIR_OF_LIMBS = 4,
	/* bones between two of a row, at most */
	ROW_GAP = 16,
	FINGER_NUMBERS = OSSAI_PHALANGES + 1,
	KEYS = OSSAI_BODY_PARTS * 3 * FINGER_NUMBERS
};

typedef struct finding {
	const ossa_skeleton *skeleton;
	const ossai_bone_word *words;
	const ossai_convention *convention; /* NULL: plain words */
	ossai_named_bone *named;            /* B */
	uint32_t *length;                   /* B: bones of the same row from its first to this one */
	uint32_t *before;                   /* B: the bone before it in the row; OSSA_NONE */
	ossa_role *role;                    /* B */
	size_t matched, known, exact;
} finding;

/* which of several parts, sides and joints of fingers */
static size_t key_of(ossa_role role)
{
	return ((size_t)role.part * 3 + (size_t)(role.side + 1)) * FINGER_NUMBERS + (size_t)role.number;
}

/* parts of any number of bones, whatever each of these is called */
static bool is_row(const finding *f, ossa_body_part part)
{
	const bool is_finger = part >= OSSA_PART_THUMB && part <= OSSA_PART_LITTLE;
	return part == OSSA_PART_SPINE || part == OSSA_PART_NECK || part >= OSSA_PART_TAIL || (is_finger && !f->convention);
}

/* hips and head are one bone; another part that has one may be split: of Rigify into upper_arm.L and upper_arm.L.001 */
static bool are_alike(const finding *f, size_t a, size_t b)
{
	const ossai_named_bone *x = &f->named[a], *y = &f->named[b];
	if (key_of(x->role) != key_of(y->role) || x->role.part == OSSA_PART_NONE) return false;
	if (x->role.part == OSSA_PART_HIPS || x->role.part == OSSA_PART_HEAD) return false;
	return is_row(f, x->role.part) || f->convention || x->name == y->name;
}

static void find_rows(finding *f)
{
	for (size_t b = 0; b < f->skeleton->bone_count; b++) {
		f->length[b] = 1;
		f->before[b] = OSSA_NONE;
		int32_t above = f->skeleton->bones[b].parent;
		for (int gap = 0; above >= 0 && gap < ROW_GAP && !are_alike(f, b, (size_t)above); gap++)
			above = f->skeleton->bones[above].parent;
		if (above < 0 || !are_alike(f, b, (size_t)above)) continue;
		f->before[b] = (uint32_t)above;
		f->length[b] = f->length[above] + 1;
	}
}

/* whether bone `a` ends a better row than `b`: a longer one where any number of bones is a row;
   else the better name, then the exact spelling */
static bool is_better(const finding *f, size_t a, size_t b)
{
	const bool row = is_row(f, f->named[a].role.part) || f->convention;
	if (!row && f->named[a].name != f->named[b].name) return f->named[a].name < f->named[b].name;
	if (f->length[a] != f->length[b]) return f->length[a] > f->length[b];
	return f->named[a].is_exact && !f->named[b].is_exact;
}

/* the parts that are numbered though there is only one */
static bool is_always_numbered(ossa_body_part part)
{
	return part == OSSA_PART_SPINE || part == OSSA_PART_TAIL || (part >= OSSA_PART_THUMB && part <= OSSA_PART_LITTLE);
}

static void give_role(finding *f, uint32_t last)
{
	const uint32_t length = f->length[last];
	for (uint32_t b = last; b != OSSA_NONE; b = f->before[b]) {
		ossa_role role = f->named[b].role;
		const bool is_finger = role.part >= OSSA_PART_THUMB && role.part <= OSSA_PART_LITTLE;
		const uint32_t number = f->length[b];
		if (number > (is_finger ? OSSAI_PHALANGES : OSSAI_ROLE_NUMBER_MAX)) continue;
		if (!(is_finger && f->convention)) role.number = length > 1 || is_always_numbered(role.part) ? (int)number : 0;
		else if (number > 1) continue;
		f->role[b] = role;
		f->matched++;
		f->exact += f->named[b].is_exact;
	}
}

static void choose(finding *f)
{
	uint32_t last[KEYS];
	const size_t bones = f->skeleton->bone_count;
	memset(last, 0xff, sizeof last);
	for (size_t b = 0; b < bones; b++) {
		f->role[b] = (ossa_role){.part = OSSA_PART_NONE};
		if (f->named[b].role.part == OSSA_PART_NONE) {
			f->known += f->named[b].is_known && f->named[b].is_exact;
			continue;
		}
		uint32_t *best = &last[key_of(f->named[b].role)];
		if (*best == OSSA_NONE || is_better(f, b, *best)) *best = (uint32_t)b;
	}
	for (size_t key = 0; key < KEYS; key++) {
		if (last[key] != OSSA_NONE) give_role(f, last[key]);
	}
}

/* ---- what names leave to the tree ---- */

static uint32_t bone_of(const finding *f, ossa_body_part part, int side)
{
	for (size_t b = 0; b < f->skeleton->bone_count; b++) {
		if (f->role[b].part == part && f->role[b].side == side && f->role[b].number <= 1) return (uint32_t)b;
	}
	return OSSA_NONE;
}

/* the lowest bone that both are below */
static int32_t common_parent(const ossa_skeleton *skeleton, uint32_t a, uint32_t b)
{
	int32_t x = skeleton->bones[a].parent, y = skeleton->bones[b].parent;
	while (x != y) {
		if (x > y) x = skeleton->bones[x].parent;
		else y = skeleton->bones[y].parent;
	}
	return x;
}

/* the first bone of the spine, or one of which nothing is known */
static bool can_be_hips(ossa_role role)
{
	return role.part == OSSA_PART_NONE || (role.part == OSSA_PART_SPINE && role.number == 1);
}

static void shift_spine(finding *f)
{
	for (size_t b = 0; b < f->skeleton->bone_count; b++) {
		if (f->role[b].part == OSSA_PART_SPINE) f->role[b].number--;
	}
}

/* both legs are on the hips, whatever these are called */
static void find_hips(finding *f)
{
	static const ossa_body_part legs[] = {OSSA_PART_UPPER_LEG, OSSA_PART_BACK_UPPER_LEG};
	for (size_t i = 0; i < 2 && bone_of(f, OSSA_PART_HIPS, 0) == OSSA_NONE; i++) {
		const uint32_t left = bone_of(f, legs[i], 1), right = bone_of(f, legs[i], -1);
		if (left == OSSA_NONE || right == OSSA_NONE) continue;
		const int32_t hips = common_parent(f->skeleton, left, right);
		if (hips < 0 || !can_be_hips(f->role[hips])) continue;
		f->matched += f->role[hips].part == OSSA_PART_NONE;
		if (f->role[hips].part == OSSA_PART_SPINE) shift_spine(f);
		f->role[hips] = (ossa_role){.part = OSSA_PART_HIPS};
	}
}

static bool is_below(const ossa_skeleton *skeleton, uint32_t bone, uint32_t above)
{
	int32_t b = (int32_t)bone;
	while (b > (int32_t)above) b = skeleton->bones[b].parent;
	return b == (int32_t)above;
}

/* Of two bones that are called hips the spine is on the upper one, where the lower one holds the
   legs alone. */
static void raise_hips(finding *f)
{
	const uint32_t hips = bone_of(f, OSSA_PART_HIPS, 0), spine = bone_of(f, OSSA_PART_SPINE, 0);
	if (hips == OSSA_NONE || spine == OSSA_NONE || is_below(f->skeleton, spine, hips)) return;
	const int32_t above = f->skeleton->bones[hips].parent;
	if (above < 0 || f->named[above].role.part != OSSA_PART_HIPS || !is_below(f->skeleton, spine, (uint32_t)above)) return;
	f->role[above] = (ossa_role){.part = OSSA_PART_HIPS};
	f->role[hips] = (ossa_role){.part = OSSA_PART_NONE};
}

/* of a neck without a head the last bone is the head */
static void find_head(finding *f)
{
	uint32_t last = OSSA_NONE;
	int count = 0;
	if (bone_of(f, OSSA_PART_HEAD, 0) != OSSA_NONE) return;
	for (size_t b = 0; b < f->skeleton->bone_count; b++) {
		if (f->role[b].part != OSSA_PART_NECK) continue;
		count++;
		if (last == OSSA_NONE || f->role[b].number > f->role[last].number) last = (uint32_t)b;
	}
	if (count < 2) return;
	f->role[last] = (ossa_role){.part = OSSA_PART_HEAD};
	for (size_t b = 0; count == 2 && b < f->skeleton->bone_count; b++) {
		if (f->role[b].part == OSSA_PART_NECK) f->role[b].number = 0;
	}
}

/* ---- conventions against each other ---- */

static ossa_status find(finding *f, ossa_context *context)
{
	const size_t bones = f->skeleton->bone_count;
	f->matched = f->known = f->exact = 0;
	if (f->convention) ossai_named_bones(f->convention, bones, f->words, f->named);
	else OSSAI_TRY(ossai_plain_bones(context, bones, f->words, f->named));
	find_rows(f);
	choose(f);
	find_hips(f);
	raise_hips(f);
	find_head(f);
	return OSSA_OK;
}

static bool explains_more(const finding *a, const finding *b)
{
	const size_t x = a->matched + a->known, y = b->matched + b->known;
	return x != y ? x > y : a->exact + a->known > b->exact + b->known;
}

/* Names of a trunk or a tail are the same in many conventions: only those of limbs are its own. */
static bool has_limbs(const ossa_role *role, size_t count)
{
	for (size_t b = 0; b < count; b++) {
		if (role[b].side != 0) return true;
	}
	return false;
}

/* whether the hips are above a leg, as they are in a body */
static bool hips_carry_legs(const finding *f)
{
	static const ossa_body_part legs[] = {OSSA_PART_UPPER_LEG, OSSA_PART_BACK_UPPER_LEG};
	const uint32_t hips = bone_of(f, OSSA_PART_HIPS, 0);
	for (size_t i = 0; i < 2; i++) {
		for (int32_t b = (int32_t)bone_of(f, legs[i], 1); hips != OSSA_NONE && b >= 0; b = f->skeleton->bones[b].parent) {
			if ((uint32_t)b == hips) return true;
		}
	}
	return false;
}

/* Plain words have to explain as much where a convention explains no limbs; more where it calls a
   bone the hips that is not above the legs, or few bones are spelled as it does; else more than a
   pair of limbs. */
static bool are_words_better(const finding *words, const finding *best)
{
	if (!has_limbs(best->role, best->skeleton->bone_count)) return words->matched >= best->matched;
	const bool is_spelled = 2 * best->exact > best->matched;
	if (hips_carry_legs(words) && !hips_carry_legs(best)) return words->matched > best->matched + best->known;
	return words->matched > best->matched + (is_spelled ? best->known + PAIR_OF_LIMBS : 0);
}

/* Parts that the convention finds no bone for are those of plain words: a file may call its neck as
   it likes. f: plain words. */
static void fill(const finding *f, finding *best)
{
	const size_t bones = f->skeleton->bone_count;
	bool has[OSSAI_BODY_PARTS][3] = {{false}};
	for (size_t b = 0; b < bones; b++) has[best->role[b].part][best->role[b].side + 1] = true;
	for (size_t b = 0; b < bones; b++) {
		const ossa_role own = f->role[b];
		if (own.part == OSSA_PART_NONE || has[own.part][own.side + 1] || best->role[b].part != OSSA_PART_NONE) continue;
		best->role[b] = own;
		best->matched++;
	}
}

/* the best of all conventions in best->role */
static ossa_status find_best(ossa_context *context, finding *f, finding *best)
{
	for (size_t i = 0; i <= ossai_convention_count(); i++) {
		const bool is_plain = i == ossai_convention_count();
		f->convention = is_plain ? NULL : ossai_convention_at(i);
		OSSAI_TRY(find(f, context));
		const bool is_best = is_plain ? are_words_better(f, best) : explains_more(f, best);
		if (is_plain && !is_best) fill(f, best);
		if (!is_best) continue;
		ossa_role *const role = best->role;
		memcpy(role, f->role, f->skeleton->bone_count * sizeof *role);
		*best = *f;
		best->role = role;
	}
	return OSSA_OK;
}

ossa_status ossai_roles_by_name(
	ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role, const ossai_convention **convention, size_t *matched)
{
	ossai_arena arena = ossai_arena_begin(context);
	const size_t bones = skeleton->bone_count;
	ossai_bone_word *words = ossai_arena_new(&arena, bones, sizeof *words);
	finding f = {.skeleton = skeleton, .words = words}, best = {.skeleton = skeleton, .role = role};
	f.named = ossai_arena_new(&arena, bones, sizeof *f.named);
	f.length = ossai_arena_new(&arena, bones, sizeof *f.length);
	f.before = ossai_arena_new(&arena, bones, sizeof *f.before);
	f.role = ossai_arena_new(&arena, bones, sizeof *f.role);
	ossa_status status = OSSA_OK;
	for (size_t b = 0; b < bones; b++) role[b] = (ossa_role){.part = OSSA_PART_NONE};
	if (!words || !f.named || !f.length || !f.before || !f.role) status = ossa_context_error(context)->status;
	else {
		ossai_bone_words_of(skeleton, words);
		status = find_best(context, &f, &best);
	}
	if (convention) *convention = best.convention;
	if (matched) *matched = best.matched;
	ossai_arena_end(&arena);
	return status;
}
