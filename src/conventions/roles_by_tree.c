/* conventions/roles_by_tree.c: see roles_by_tree.h. */
#include "conventions/roles_by_tree.h"

#include "conventions/tree_hand.h"
#include "conventions/tree_limbs.h"

#include <ossa/mesh.h>

#include <string.h>

/* what is no more than this share of a chain or limb has no length */
static const double none_share = 0.05;

/* cosines of directions that are along and across another: half way between 0 and 90 degrees is
   0.7; 0.5 leaves a cone of 60 degrees */
static const double along = 0.5, across = 0.5, parallel = 0.7;

/* a third pair of limbs that is as long, against the second: then these are no four limbs */
static const double third_share = 0.7;

typedef struct body_tree {
	ossai_bone_tree tree;
	const ossai_tree_pair *near, *far; /* on a bone, and on one below it */
	ossa_role *role;
	ossai_vec3 up, left; /* unit */
} body_tree;

/* a limb's joints from where it begins */
static ossai_vec3 direction(const ossai_bone_tree *tree, const ossai_tree_pair *pair)
{
	ossai_vec3 sum = ossai_v3(0, 0, 0);
	for (int i = 0; i < 2; i++) {
		const ossai_tree_limb *limb = &pair->limb[i];
		const ossai_vec3 from = ossai_bone_joint(tree, limb->bone[0]), to = ossai_bone_joint(tree, limb->bone[limb->count - 1]);
		sum = ossai_add(sum, ossai_sub(to, from));
	}
	return ossai_unit(sum, ossai_v3(0, 0, 0));
}

static bool is_below(const ossa_skeleton *skeleton, uint32_t bone, uint32_t above)
{
	int32_t b = (int32_t)bone;
	while (b > (int32_t)above) b = skeleton->bones[b].parent;
	return b == (int32_t)above && bone != above;
}

/* where the limbs of a pair begin */
static ossai_vec3 begin_of(const ossai_bone_tree *tree, const ossai_tree_pair *pair)
{
	return ossai_lerp(ossai_bone_joint(tree, pair->limb[0].bone[0]), ossai_bone_joint(tree, pair->limb[1].bone[0]), 0.5);
}

/* ---- limbs ---- */

/* parts: upper, lower, end, and what is beyond it (NONE: nothing); before: of the bone before the
   upper part (NONE: nothing) */
static bool name_limb(body_tree *t, const ossai_tree_limb *limb, int side, ossa_body_part before, const ossa_body_part parts[4])
{
	ossai_limb_division d;
	if (!ossai_limb_divide(&t->tree, limb, &d)) return false;
	for (size_t i = 0; i < limb->count; i++) {
		const size_t inner = i < d.upper ? 0 : (i - d.upper) / d.each, at = inner < 2 ? inner : i - d.upper - 2 * d.each + 2;
		const ossa_body_part part = i < d.upper ? before : at < 4 ? parts[at] : OSSA_PART_NONE;
		const size_t number = i < d.upper ? i + 1 : (i - d.upper) % d.each + 1,
					 count = i < d.upper ? d.upper
			: at < 2                     ? d.each
										 : 1;
		if (part == OSSA_PART_NONE) continue;
		t->role[limb->bone[i]] = (ossa_role){.part = part, .side = side, .number = count > 1 ? (int)number : 0};
	}
	return true;
}

static bool name_pair(body_tree *t, const ossai_tree_pair *pair, ossa_body_part before, const ossa_body_part parts[4])
{
	double at[2];
	for (int i = 0; i < 2; i++) {
		const ossai_tree_limb *limb = &pair->limb[i];
		at[i] = ossai_dot(
			ossai_add(ossai_bone_joint(&t->tree, limb->bone[0]), ossai_bone_joint(&t->tree, limb->bone[limb->count - 1])),
			t->left);
	}
	if (at[0] == at[1]) return false;
	const int left = at[0] > at[1] ? 0 : 1;
	return name_limb(t, &pair->limb[left], 1, before, parts) && name_limb(t, &pair->limb[1 - left], -1, before, parts);
}

/* ---- trunk ---- */

static void number_row(body_tree *t, const uint32_t *bones, size_t count, ossa_body_part part, bool always)
{
	for (size_t i = 0; i < count; i++)
		t->role[bones[i]] = (ossa_role){.part = part, .number = count > 1 || always ? (int)i + 1 : 0};
}

/* The spine is what is between the two bones with limbs, and the one that is no hips. */
static bool name_spine(body_tree *t, uint32_t hips)
{
	const ossa_bone *bones = t->tree.skeleton->bones;
	uint32_t path[OSSAI_TREE_LIMB_BONES];
	size_t count = 0;
	const bool is_down = hips == t->far->on;
	for (int32_t b = (int32_t)t->far->on; b != (int32_t)t->near->on && count < OSSAI_TREE_LIMB_BONES; b = bones[b].parent)
		path[count++] = (uint32_t)b;
	if (count == 0 || count == OSSAI_TREE_LIMB_BONES) return false;
	if (is_down) {
		memmove(path, path + 1, (count - 1) * sizeof *path);
		path[count - 1] = t->near->on;
	} else {
		for (size_t i = 0; 2 * i + 1 < count; i++) {
			const uint32_t other = path[i];
			path[i] = path[count - 1 - i];
			path[count - 1 - i] = other;
		}
	}
	number_row(t, path, count, OSSA_PART_SPINE, true);
	t->role[hips] = (ossa_role){.part = OSSA_PART_HIPS};
	return true;
}

static bool is_limb_of(const ossai_tree_pair *pair, uint32_t bone)
{
	return pair->limb[0].bone[0] == bone || pair->limb[1].bone[0] == bone;
}

/* the child of `above` that leads to a bone below it */
static uint32_t child_above(const ossa_skeleton *skeleton, uint32_t bone, uint32_t above)
{
	while (skeleton->bones[bone].parent != (int32_t)above) bone = (uint32_t)skeleton->bones[bone].parent;
	return bone;
}

/* the child that is no limb and leads farthest in a direction; OSSA_NONE */
static uint32_t medial_child(const body_tree *t, const ossai_tree_pair *pair, ossai_vec3 to)
{
	uint32_t best = OSSA_NONE;
	double farthest = 0;
	const uint32_t trunk = pair == t->near ? child_above(t->tree.skeleton, t->far->on, pair->on) : OSSA_NONE;
	for (uint32_t c = t->tree.first[pair->on]; c != OSSA_NONE; c = t->tree.next[c]) {
		if (is_limb_of(pair, c) || c == trunk) continue;
		const ossai_tree_limb chain = ossai_tree_limb_from(&t->tree, c);
		const ossai_vec3 end = ossai_v3_of(t->tree.skeleton->bones[chain.bone[chain.count - 1]].tail);
		const double far = ossai_dot(ossai_sub(end, ossai_bone_joint(&t->tree, pair->on)), to);
		if (far <= farthest) continue;
		farthest = far;
		best = c;
	}
	return best;
}

/* The last bone is the head. Where the joints before it are the farthest from each other it only
   ends the head, as HeadTop_End does, and so it does where it has no length. */
static size_t head_of(const body_tree *t, const ossai_tree_limb *chain)
{
	const size_t last = chain->count - 1;
	if (last == 0) return 0;
	const double end = ossai_tree_limb_length(&t->tree, chain, last - 1, 1),
				 all = ossai_tree_limb_length(&t->tree, chain, 0, last);
	const bool is_longest = last >= 2 && end > ossai_tree_limb_length(&t->tree, chain, last - 2, 1);
	return is_longest || end < none_share * all ? last - 1 : last;
}

static void name_neck(body_tree *t, const ossai_tree_limb *chain)
{
	const size_t head = head_of(t, chain);
	number_row(t, chain->bone, head, OSSA_PART_NECK, false);
	t->role[chain->bone[head]] = (ossa_role){.part = OSSA_PART_HEAD};
}

/* a human's neck, as far as one bone alone goes on upward: eyes and hair are on the head */
static ossai_tree_limb upward_from(const body_tree *t, uint32_t first)
{
	const ossai_vec3 zero = ossai_v3(0, 0, 0);
	ossai_tree_limb chain = {.count = 0};
	for (uint32_t b = first; b != OSSA_NONE && chain.count < OSSAI_TREE_LIMB_BONES;) {
		uint32_t next = OSSA_NONE;
		size_t count = 0;
		chain.bone[chain.count++] = b;
		for (uint32_t c = t->tree.first[b]; c != OSSA_NONE; c = t->tree.next[c]) {
			const ossai_vec3 to = ossai_sub(ossai_bone_joint(&t->tree, c), ossai_bone_joint(&t->tree, b));
			if (ossai_dot(ossai_unit(to, zero), t->up) <= along) continue;
			next = c;
			count++;
		}
		b = count == 1 ? next : OSSA_NONE;
	}
	return chain;
}

/* Arms that are on a neck begin below it, on a chest above: the last bone of the spine is then a
   neck. */
static bool are_arms_on_neck(const body_tree *t)
{
	const uint32_t on = t->far->on;
	double arms = 0;
	if (t->role[on].number < 2) return false;
	for (size_t b = 0; b < t->tree.skeleton->bone_count; b++) {
		if (t->role[b].part == OSSA_PART_UPPER_ARM && t->role[b].number <= 1)
			arms += 0.5 * ossai_dot(ossai_bone_joint(&t->tree, (uint32_t)b), t->up);
	}
	const uint32_t below = (uint32_t)t->tree.skeleton->bones[on].parent;
	const double spine = ossai_distance(ossai_bone_joint(&t->tree, on), ossai_bone_joint(&t->tree, below));
	const double above = ossai_dot(ossai_bone_joint(&t->tree, on), t->up) - arms;
	return above > none_share * spine;
}

/* ---- humans ---- */

/* the horizontal direction of both feet, as long as they are level; 0 where there are none */
static ossai_vec3 foot_front(const body_tree *t, const ossai_tree_pair *legs)
{
	const ossai_vec3 none = {0, 0, 0};
	ossai_vec3 sum = none;
	double length = 0;
	for (int i = 0; i < 2; i++) {
		ossai_limb_division d;
		if (!ossai_limb_divide(&t->tree, &legs->limb[i], &d)) return none;
		const size_t foot = d.upper + 2 * d.each;
		if (foot >= legs->limb[i].count) return none;
		const ossai_vec3 sole = ossai_tree_limb_segment(&t->tree, &legs->limb[i], foot);
		sum = ossai_add(sum, sole);
		length += ossai_length(sole);
	}
	sum = ossai_madd(sum, -ossai_dot(sum, t->up), t->up);
	return length > 0 ? ossai_scale(sum, 1 / length) : none;
}

/* Left is one end of the line between the legs: the feet tell which one, and where they are steep
   what files agree on, that bodies face +Z. */
static bool find_left(body_tree *t, const ossai_tree_pair *legs)
{
	const ossai_vec3 between = ossai_sub(
		ossai_bone_joint(&t->tree, legs->limb[0].bone[0]), ossai_bone_joint(&t->tree, legs->limb[1].bone[0]));
	const ossai_vec3 level = ossai_madd(between, -ossai_dot(between, t->up), t->up);
	const ossai_vec3 front = ossai_add(foot_front(t, legs), ossai_v3(0, 0, along));
	if (!(ossai_length(level) > 0)) return false;
	t->left = ossai_unit(level, level);
	const double ahead = ossai_dot(ossai_cross(t->left, t->up), front);
	if (ahead < 0) t->left = ossai_scale(t->left, -1);
	return ahead != 0;
}

static bool name_human(body_tree *t)
{
	static const ossa_body_part leg[4] = {OSSA_PART_UPPER_LEG, OSSA_PART_LOWER_LEG, OSSA_PART_FOOT, OSSA_PART_TOES};
	static const ossa_body_part arm[4] = {OSSA_PART_UPPER_ARM, OSSA_PART_LOWER_ARM, OSSA_PART_HAND, OSSA_PART_NONE};
	const ossai_vec3 trunk = ossai_sub(begin_of(&t->tree, t->far), begin_of(&t->tree, t->near));
	t->up = ossai_unit(trunk, ossai_v3(0, 0, 0));
	if (ossai_dot(t->up, direction(&t->tree, t->near)) > -along) return false;
	const uint32_t neck = medial_child(t, t->far, t->up);
	if (neck == OSSA_NONE || !find_left(t, t->near)) return false;
	if (!name_pair(t, t->near, OSSA_PART_NONE, leg) || !name_pair(t, t->far, OSSA_PART_CLAVICLE, arm)) return false;
	if (!name_spine(t, t->near->on)) return false;
	ossai_tree_limb chain = upward_from(t, neck);
	if (are_arms_on_neck(t)) {
		t->role[t->far->on] = (ossa_role){.part = OSSA_PART_NECK};
		chain.count = 1;
	}
	name_neck(t, &chain);
	for (size_t b = 0; b < t->tree.skeleton->bone_count; b++) {
		if (t->role[b].part == OSSA_PART_HAND) ossai_tree_hand(&t->tree, (uint32_t)b, t->role);
	}
	return true;
}

/* ---- quadrupeds ---- */

/* how high above the bone a chain ends; negative where there is none */
static double height_of(const body_tree *t, const ossai_tree_pair *pair, uint32_t first)
{
	if (first == OSSA_NONE) return -INFINITY;
	const ossai_tree_limb chain = ossai_tree_limb_from(&t->tree, first);
	const ossai_vec3 end = ossai_v3_of(t->tree.skeleton->bones[chain.bone[chain.count - 1]].tail);
	return ossai_dot(ossai_sub(end, ossai_bone_joint(&t->tree, pair->on)), t->up);
}

static bool name_quadruped(body_tree *t)
{
	static const ossa_body_part front[4] = {
		OSSA_PART_FRONT_UPPER_LEG, OSSA_PART_FRONT_LOWER_LEG, OSSA_PART_FRONT_FOOT, OSSA_PART_FRONT_TOES};
	static const ossa_body_part back[4] = {
		OSSA_PART_BACK_UPPER_LEG, OSSA_PART_BACK_LOWER_LEG, OSSA_PART_BACK_FOOT, OSSA_PART_BACK_TOES};
	const ossai_vec3 zero = ossai_v3(0, 0, 0), near = direction(&t->tree, t->near), far = direction(&t->tree, t->far);
	const ossai_vec3 to_far = ossai_unit(ossai_sub(begin_of(&t->tree, t->far), begin_of(&t->tree, t->near)), zero);
	const ossai_vec3 down = ossai_unit(ossai_add(near, far), zero);
	if (ossai_dot(near, far) < parallel || fabs(ossai_dot(to_far, down)) > across) return false;
	t->up = ossai_scale(down, -1);
	const uint32_t beyond_far = medial_child(t, t->far, to_far);
	const uint32_t beyond_near = medial_child(t, t->near, ossai_scale(to_far, -1));
	const double high_far = height_of(t, t->far, beyond_far), high_near = height_of(t, t->near, beyond_near);
	if (high_far == high_near) return false;
	const bool is_head_far = high_far > high_near;
	const ossai_vec3 ahead = is_head_far ? to_far : ossai_scale(to_far, -1);
	t->left = ossai_unit(ossai_cross(t->up, ahead), zero);
	const ossai_tree_pair *fore = is_head_far ? t->far : t->near, *hind = is_head_far ? t->near : t->far;
	if (!name_pair(t, fore, OSSA_PART_NONE, front) || !name_pair(t, hind, OSSA_PART_NONE, back)) return false;
	if (!name_spine(t, hind->on)) return false;
	const ossai_tree_limb neck = ossai_tree_limb_from(&t->tree, is_head_far ? beyond_far : beyond_near);
	name_neck(t, &neck);
	const uint32_t tail = is_head_far ? beyond_near : beyond_far;
	if (tail == OSSA_NONE) return true;
	const ossai_tree_limb chain = ossai_tree_limb_from(&t->tree, tail);
	number_row(t, chain.bone, chain.count, OSSA_PART_TAIL, true);
	return true;
}

/* ---- */

/* two pairs on different bones, one of which is below the other, and no third like them */
static bool find_four_limbs(body_tree *t, const ossai_tree_pair *pairs, size_t count)
{
	if (count < 2 || (count > 2 && pairs[2].length > third_share * pairs[1].length)) return false;
	const bool is_first_near = is_below(t->tree.skeleton, pairs[1].on, pairs[0].on);
	if (!is_first_near && !is_below(t->tree.skeleton, pairs[0].on, pairs[1].on)) return false;
	t->near = &pairs[is_first_near ? 0 : 1];
	t->far = &pairs[is_first_near ? 1 : 0];
	return true;
}

static void clear(ossa_role *role, size_t count)
{
	for (size_t b = 0; b < count; b++) role[b] = (ossa_role){.part = OSSA_PART_NONE};
}

static ossa_body_kind name_body(body_tree *t, const ossai_tree_pair *pairs, size_t count)
{
	const size_t bones = t->tree.skeleton->bone_count;
	clear(t->role, bones);
	if (!find_four_limbs(t, pairs, count)) return OSSA_BODY_NONE;
	if (name_human(t)) return OSSA_BODY_HUMAN;
	clear(t->role, bones);
	if (name_quadruped(t)) return OSSA_BODY_QUADRUPED;
	clear(t->role, bones);
	return OSSA_BODY_NONE;
}

ossa_status ossai_roles_by_tree(
	ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role, ossa_body_kind *kind, size_t *matched)
{
	ossai_arena arena = ossai_arena_begin(context);
	body_tree t = {.role = role};
	ossai_tree_pair pairs[OSSAI_TREE_PAIRS];
	const ossa_status status = ossai_bone_tree_make(&arena, skeleton, &t.tree);
	ossa_body_kind found = OSSA_BODY_NONE;
	size_t count = 0;
	if (status == OSSA_OK && skeleton->bone_count > 0) found = name_body(&t, pairs, ossai_tree_pairs(&t.tree, pairs));
	for (size_t b = 0; status == OSSA_OK && b < skeleton->bone_count; b++) count += role[b].part != OSSA_PART_NONE;
	ossai_arena_end(&arena);
	if (kind) *kind = found;
	if (matched) *matched = count;
	return status;
}
