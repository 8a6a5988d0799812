/* motion/bone_worth.h: how much a bone has to lower the error by, where no number of bones is
   asked for.

   Place in the path: options -> here -> prune, drafts, pivots.
   Input: the share of the diagonal that a person names; the error of the bones that there are.
   Output: a sum of squared errors.
   Flesh and cloth are not blended from rigid bones, whatever their number: each bone lowers the
   error a little, and the share that is named says when it is enough. Skin that is blended from
   bones, as a game character's, is left by them with hardly any error, and a bone that is missing
   multiplies that, though it may move less than the share. The likelihood of errors of unknown
   variance goes by the logarithm of their sum of squares: so a bone is worth it, too, where the
   error without it is so many times as large. Errors that nobody can see do not count in that. */
#ifndef OSSAI_MOTION_BONE_WORTH_H
#define OSSAI_MOTION_BONE_WORTH_H

/* The share that is named by default, % of the diagonal. */
#define OSSAI_USUAL_WORTH 0.05

/* Sums of squared errors over vertices and poses. */
typedef struct ossai_bone_worth {
	double most;   /* always enough; 0: bones are not judged by their worth */
	double unseen; /* too small to be seen; INFINITY: `most` alone counts */
} ossai_bone_worth;

/* share: of the diagonal, RMS; count: vertices x poses, in diagonals. */
ossai_bone_worth ossai_bone_worth_of(double share, double count);

/* What the absence of a bone has to add to this error for it to stay. */
double ossai_bone_worth_at(const ossai_bone_worth *worth, double error);

#endif
