/* conventions/tree_limbs.c: see tree_limbs.h. */
#include "conventions/tree_limbs.h"

#include <ossa/mesh.h>

/* of a chain of bones beside the longest that ends a limb, against this one: fingers are alike,
   what helps is short */
static const double branch_share = 0.5;

/* by how much lengths of a pair's limbs may differ, against the whole limb */
static const double pair_tolerance = 0.05;

/* of a limb's upper and lower part, the shorter against the longer */
static const double even_share = 0.5;

/* of a part that is split in two, its halves; and the cosine of their angle */
static const double half_share = 0.7, in_line = 0.98;

/* chains on one bone; more are no body */
enum { LIMBS_OF_BONE = 16 };

ossa_status ossai_bone_tree_make(ossai_arena *arena, const ossa_skeleton *skeleton, ossai_bone_tree *tree)
{
	const size_t bones = skeleton->bone_count;
	*tree = (ossai_bone_tree){.skeleton = skeleton};
	tree->first = ossai_arena_new(arena, bones, sizeof *tree->first);
	tree->next = ossai_arena_new(arena, bones, sizeof *tree->next);
	tree->reach = ossai_arena_zero(arena, bones, sizeof *tree->reach);
	if (!tree->first || !tree->next || !tree->reach) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bones; b++) tree->first[b] = tree->next[b] = OSSA_NONE;
	for (size_t b = bones; b-- > 0;) {
		const int32_t parent = skeleton->bones[b].parent;
		if (parent < 0) continue;
		tree->next[b] = tree->first[parent];
		tree->first[parent] = (uint32_t)b;
		tree->reach[parent] = ossai_larger(tree->reach[parent], ossai_bone_tree_span(tree, (uint32_t)b));
	}
	return OSSA_OK;
}

double ossai_bone_tree_span(const ossai_bone_tree *tree, uint32_t bone)
{
	const uint32_t parent = (uint32_t)tree->skeleton->bones[bone].parent;
	return ossai_distance(ossai_bone_joint(tree, bone), ossai_bone_joint(tree, parent)) + tree->reach[bone];
}

/* the child that the limb goes on with; OSSA_NONE where there is none, or several are alike */
static uint32_t next_of(const ossai_bone_tree *tree, uint32_t bone)
{
	uint32_t longest = OSSA_NONE;
	double first = -1, first_chain = 0, second = 0;
	for (uint32_t c = tree->first[bone]; c != OSSA_NONE; c = tree->next[c]) {
		const double span = ossai_bone_tree_span(tree, c), chain = tree->first[c] == OSSA_NONE ? 0 : span;
		if (span > first) {
			second = ossai_larger(second, first_chain);
			first = span;
			first_chain = chain;
			longest = c;
		} else second = ossai_larger(second, chain);
	}
	return second > branch_share * first ? OSSA_NONE : longest;
}

ossai_tree_limb ossai_tree_limb_from(const ossai_bone_tree *tree, uint32_t bone)
{
	ossai_tree_limb limb = {.count = 0};
	for (uint32_t b = bone; b != OSSA_NONE && limb.count < OSSAI_TREE_LIMB_BONES; b = next_of(tree, b))
		limb.bone[limb.count++] = b;
	return limb;
}

ossai_vec3 ossai_tree_limb_segment(const ossai_bone_tree *tree, const ossai_tree_limb *limb, size_t at)
{
	const ossa_bone *bone = &tree->skeleton->bones[limb->bone[at]];
	const ossai_vec3 end = at + 1 < limb->count ? ossai_bone_joint(tree, limb->bone[at + 1]) : ossai_v3_of(bone->tail);
	return ossai_sub(end, ossai_v3_of(bone->joint));
}

static bool is_near(double a, double b, double length) { return fabs(a - b) <= pair_tolerance * length; }

/* The tails of last bones are no joints and do not count; nor do swords and fingers that one hand
   alone has, where three bones are the same. */
static bool is_pair(const ossai_bone_tree *tree, const ossai_tree_pair *pair)
{
	const ossai_tree_limb *a = &pair->limb[0], *b = &pair->limb[1];
	const size_t count = a->count < b->count ? a->count : b->count;
	if (count < 2) return false;
	const ossai_vec3 on = ossai_bone_joint(tree, pair->on);
	const double first_a = ossai_distance(ossai_bone_joint(tree, a->bone[0]), on);
	const double first_b = ossai_distance(ossai_bone_joint(tree, b->bone[0]), on);
	if (!is_near(first_a, first_b, pair->length)) return false;
	for (size_t i = 0; i + 1 < count; i++) {
		const double x = ossai_length(ossai_tree_limb_segment(tree, a, i)),
					 y = ossai_length(ossai_tree_limb_segment(tree, b, i));
		if (!is_near(x, y, pair->length)) return false;
	}
	if (count > 2) return true;
	const double whole_a = ossai_bone_tree_span(tree, a->bone[0]), whole_b = ossai_bone_tree_span(tree, b->bone[0]);
	return is_near(whole_a, whole_b, pair->length);
}

/* in order of length; of too many the shortest are dropped */
static void insert(ossai_tree_pair *pairs, size_t *count, const ossai_tree_pair *pair)
{
	size_t at = *count < OSSAI_TREE_PAIRS ? (*count)++ : OSSAI_TREE_PAIRS;
	for (; at > 0 && pairs[at - 1].length < pair->length; at--) {
		if (at < OSSAI_TREE_PAIRS) pairs[at] = pairs[at - 1];
	}
	if (at < OSSAI_TREE_PAIRS) pairs[at] = *pair;
}

static void find_pairs_on(const ossai_bone_tree *tree, uint32_t bone, ossai_tree_pair *pairs, size_t *count)
{
	uint32_t child[LIMBS_OF_BONE];
	size_t children = 0;
	for (uint32_t c = tree->first[bone]; c != OSSA_NONE; c = tree->next[c]) {
		if (tree->first[c] == OSSA_NONE) continue;
		if (children == LIMBS_OF_BONE) return;
		child[children++] = c;
	}
	for (size_t i = 0; i < children; i++) {
		for (size_t k = i + 1; k < children && child[i] != OSSA_NONE; k++) {
			if (child[k] == OSSA_NONE) continue;
			ossai_tree_pair pair = {
				.on = bone, .limb = {ossai_tree_limb_from(tree, child[i]), ossai_tree_limb_from(tree, child[k])}};
			pair.length = ossai_larger(ossai_bone_tree_span(tree, child[i]), ossai_bone_tree_span(tree, child[k]));
			if (!is_pair(tree, &pair)) continue;
			insert(pairs, count, &pair);
			child[i] = child[k] = OSSA_NONE;
		}
	}
}

size_t ossai_tree_pairs(const ossai_bone_tree *tree, ossai_tree_pair *pairs)
{
	size_t count = 0;
	for (size_t b = 0; b < tree->skeleton->bone_count; b++) find_pairs_on(tree, (uint32_t)b, pairs, &count);
	return count;
}

/* ---- upper and lower part ---- */

double ossai_tree_limb_length(const ossai_bone_tree *tree, const ossai_tree_limb *limb, size_t from, size_t count)
{
	double sum = 0;
	for (size_t i = from; i < from + count; i++) sum += ossai_length(ossai_tree_limb_segment(tree, limb, i));
	return sum;
}

static bool is_even(double a, double b, double share) { return ossai_lesser(a, b) >= share * ossai_larger(a, b); }

/* whether two successive bones are halves of one: as long and in line */
static bool are_halves(const ossai_bone_tree *tree, const ossai_tree_limb *limb, size_t first)
{
	const ossai_vec3 zero = ossai_v3(0, 0, 0);
	const ossai_vec3 a = ossai_tree_limb_segment(tree, limb, first), b = ossai_tree_limb_segment(tree, limb, first + 1);
	return is_even(ossai_length(a), ossai_length(b), half_share) &&
		ossai_dot(ossai_unit(a, zero), ossai_unit(b, zero)) > in_line;
}

/* by how much the halves of two successive parts differ, against their lengths */
static double unevenness(const ossai_bone_tree *tree, const ossai_tree_limb *limb, size_t first)
{
	double sum = 0;
	for (size_t i = first; i < first + 4; i += 2) {
		const double a = ossai_tree_limb_length(tree, limb, i, 1), b = ossai_tree_limb_length(tree, limb, i + 1, 1);
		sum += fabs(a - b) / (a + b);
	}
	return sum;
}

/* Parts of two bones, the most even halves; false where there are none. */
static bool divide_halves(const ossai_bone_tree *tree, const ossai_tree_limb *limb, ossai_limb_division *d)
{
	double least = INFINITY;
	for (size_t i = 0; i + 4 <= limb->count; i++) {
		const bool is_split = are_halves(tree, limb, i) && are_halves(tree, limb, i + 2) &&
			is_even(ossai_tree_limb_length(tree, limb, i, 2), ossai_tree_limb_length(tree, limb, i + 2, 2), even_share);
		if (!is_split || unevenness(tree, limb, i) >= least) continue;
		least = unevenness(tree, limb, i);
		*d = (ossai_limb_division){.upper = i, .each = 2};
	}
	return least < INFINITY;
}

bool ossai_limb_divide(const ossai_bone_tree *tree, const ossai_tree_limb *limb, ossai_limb_division *d)
{
	double longest = 0;
	if (divide_halves(tree, limb, d)) return true;
	for (size_t i = 0; i + 2 <= limb->count; i++) {
		const double both = ossai_tree_limb_length(tree, limb, i, 2);
		if (both <= longest) continue;
		longest = both;
		*d = (ossai_limb_division){.upper = i, .each = 1};
	}
	return longest > 0 &&
		is_even(
			ossai_tree_limb_length(tree, limb, d->upper, 1), ossai_tree_limb_length(tree, limb, d->upper + 1, 1), even_share);
}
