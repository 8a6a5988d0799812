/* skeleton/naming/limbs.h: limbs as chains of bones from the trunk to a leaf: legs, arms, necks,
   tails, fingers; and their names.

   Place in the path: body -> here -> the rules in names_standing.c and names_chains.c.
   Input: a body whose tree is rooted at its trunk.
   Output: limbs, and names in a table of texts. */
#ifndef OSSAI_SKELETON_NAMING_LIMBS_H
#define OSSAI_SKELETON_NAMING_LIMBS_H

#include "skeleton/naming/body.h"

enum { BONE_NAME_SIZE = 64 };

typedef struct ossai_naming {
	ossai_arena *arena;
	ossai_body *body;
	char (*names)[BONE_NAME_SIZE]; /* B; "" where the shape does not decide */
	uint32_t *ends_below;          /* B: marked leaves in the subtree */
	double side_least;             /* a center nearer to the plane than this is medial */
} ossai_naming;

/* A chain of bones, from the trunk outward. */
typedef struct ossai_limb {
	size_t count;    /* 0: none */
	uint32_t *bones; /* count */
	/* count: where a bone begins, 0 at the trunk, 1 at the limb's end; set by
	   ossai_limb_measure... */
	double *begin;
	double *along;  /* count: the position of its center along the limb */
	uint32_t trunk; /* the parent of the first bone */
	double length;  /* from trunk to tip along the seams */
	double reach;   /* straight distance from where it leaves the trunk to its farthest point */
	ossai_vec3 root, tip;
	int side; /* +1: where `across` points, -1, 0: medial */
} ossai_limb;

/* Whether two lengths, the shorter first, may be those of a pair of limbs, or of arms of a star. */
bool ossai_sizes_are_alike(double shorter, double longer);

/* Whether something that rises or falls by `height` over its length stands rather than lies. */
bool ossai_is_steep(double height, double length);

/* side of a bone's center */
int ossai_side_of(const ossai_naming *naming, uint32_t bone);
int ossai_side_of_point(const ossai_naming *naming, ossai_vec3 p);

/* Clears all marks; adds one for the limb that ends in `end`. */
void ossai_ends_clear(ossai_naming *naming);
void ossai_end_mark(ossai_naming *naming, uint32_t end);

/* The bones from `end` up that lead to no other marked leaf and, for side != 0, lie on that
   side. */
ossa_status ossai_limb_trace(ossai_naming *naming, uint32_t end, int side, ossai_limb *limb);

/* Positions the bones by their distance from the limb's root: a bent arm's too, and whatever the
   order in the tree. `reach` is the larger one of the limb and its counterpart: one that has lost
   its first bones to the trunk is measured from its end. */
void ossai_limb_measure_reach(ossai_limb *limb, const ossai_body *body, double reach);

/* Positions the bones of a leg by their height over the ground; `height`: of the hip. */
void ossai_limb_measure_height(ossai_limb *limb, const ossai_body *body, double height);

/* Gives both limbs of a pair the mean of their positions where their bones correspond, so that
   corresponding bones have the same names. */
void ossai_limb_balance(ossai_limb *a, ossai_limb *b);

/* The bones of the path from a to b, both included; arena's. */
ossa_status ossai_path_between(ossai_naming *naming, uint32_t a, uint32_t b, size_t *count, uint32_t **bones);

/* The bone with the most surface among those that lie between the tree's marked leaves, on the
   plane of symmetry if `medial`; OSSA_NONE where there is none. */
uint32_t ossai_trunk_between(const ossai_naming *naming, size_t end_count, const uint32_t *ends, bool medial);

/* The bone that is reached from `bone` outward along the plane of symmetry by always taking the
   branch with the most surface. */
uint32_t ossai_heavy_end(const ossai_naming *naming, uint32_t bone);

/* true for a bone with one neighbour */
static inline bool ossai_is_end(const ossai_body *body, uint32_t bone)
{
	return body->neighbor_first[bone + 1] - body->neighbor_first[bone] == 1;
}

/* ---- names ---- */

/* Words of a limb by the position of a bone in it. NULL: such a bone keeps its number. */
typedef struct ossai_limb_words {
	/* beyond: the second of two bones at the end */
	const char *whole, *upper, *lower, *end, *beyond;
	const char *region; /* "_front", "" */
	/* positions where the parts end; before upper_from is trunk */
	double upper_from, upper_until, lower_until;
} ossai_limb_words;

/* `front`: toes lie there of their foot. */
void ossai_limb_name(ossai_naming *naming, const ossai_limb *limb, const ossai_limb_words *words, ossai_vec3 front);

/* Names `bones` word_01, word_02 ... */
void ossai_name_chain(ossai_naming *naming, const char *word, size_t count, const uint32_t *bones, const char *side);

/* Names a limb's bones neck_01 ... head, as far as the shares of surface are clear. */
void ossai_name_head(ossai_naming *naming, const ossai_limb *limb);

/* "_L" for the side where `across` points, "_R", "" */
const char *ossai_side_suffix(int side);

/* ---- rules: each answers whether it applied ---- */

/* two, four or more legs in pairs */
bool ossai_name_standing(ossai_naming *naming, ossa_status *status);
/* Names the fingers beyond two hands, if both have as many: thumb_01_L, index_01_L ... where they
   are clear, else finger_1_01_L from front to back. `named` false: they are no fingers. */
ossa_status ossai_name_fingers(
	ossai_naming *naming, const uint32_t hands[2], ossai_vec3 front, const char *const sides[2], bool *named);

bool ossai_name_hand(ossai_naming *naming, ossa_status *status);
bool ossai_name_star(ossai_naming *naming, ossa_status *status);
bool ossai_name_spine(ossai_naming *naming, ossa_status *status);

#endif
