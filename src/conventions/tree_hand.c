/* conventions/tree_hand.c: see tree_hand.h. */
#include "conventions/tree_hand.h"

#include <ossa/mesh.h>

#include <string.h>

enum { FINGERS = 5, PHALANGES = 3 };

/* where a finger's second bone begins; the first ones of all may begin in the wrist */
static ossai_vec3 knuckle(const ossai_bone_tree *tree, const ossai_tree_limb *finger)
{
	return ossai_bone_joint(tree, finger->bone[1]);
}

/* the two fingers that are farthest apart: the ends of the row */
static void find_ends(const ossai_bone_tree *tree, const ossai_tree_limb *finger, size_t end[2])
{
	double farthest = -1;
	for (size_t i = 0; i < FINGERS; i++) {
		for (size_t k = i + 1; k < FINGERS; k++) {
			const double apart = ossai_distance(knuckle(tree, &finger[i]), knuckle(tree, &finger[k]));
			if (apart <= farthest) continue;
			farthest = apart;
			end[0] = i;
			end[1] = k;
		}
	}
}

/* to the nearest of the other fingers */
static double gap_of(const ossai_bone_tree *tree, const ossai_tree_limb *finger, size_t which)
{
	double nearest = INFINITY;
	for (size_t i = 0; i < FINGERS; i++) {
		if (i == which) continue;
		nearest = ossai_lesser(nearest, ossai_distance(knuckle(tree, &finger[i]), knuckle(tree, &finger[which])));
	}
	return nearest;
}

/* from the thumb across the hand */
static void order(const ossai_bone_tree *tree, ossai_tree_limb *finger)
{
	size_t end[2] = {0, 1};
	find_ends(tree, finger, end);
	const bool is_first = gap_of(tree, finger, end[0]) >= gap_of(tree, finger, end[1]);
	const ossai_vec3 thumb = knuckle(tree, &finger[end[is_first ? 0 : 1]]);
	for (size_t i = 1; i < FINGERS; i++) {
		const ossai_tree_limb moved = finger[i];
		const double apart = ossai_distance(knuckle(tree, &moved), thumb);
		size_t at = i;
		for (; at > 0 && ossai_distance(knuckle(tree, &finger[at - 1]), thumb) > apart; at--) finger[at] = finger[at - 1];
		finger[at] = moved;
	}
}

void ossai_tree_hand(const ossai_bone_tree *tree, uint32_t hand, ossa_role *role)
{
	ossai_tree_limb finger[FINGERS];
	size_t count = 0;
	for (uint32_t c = tree->first[hand]; c != OSSA_NONE; c = tree->next[c]) {
		const ossai_tree_limb chain = ossai_tree_limb_from(tree, c);
		if (chain.count < 2) continue;
		if (count == FINGERS) return;
		finger[count++] = chain;
	}
	if (count < FINGERS) return;
	order(tree, finger);
	for (size_t i = 0; i < FINGERS; i++) {
		const size_t first = finger[i].count > PHALANGES && finger[0].count == PHALANGES;
		for (size_t k = first; k < finger[i].count && k < first + PHALANGES; k++)
			role[finger[i].bone[k]] = (ossa_role){
				.part = (ossa_body_part)(OSSA_PART_THUMB + i), .side = role[hand].side, .number = (int)(k - first) + 1};
	}
}
