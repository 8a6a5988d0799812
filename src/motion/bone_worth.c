/* motion/bone_worth.c: see bone_worth.h; docs/sequence.md has how the constants were found. */
#include "motion/bone_worth.h"

#include <math.h>

/* what a bone has to add to the squared error by its absence, of that error */
static const double share_of_error = 0.7;
/* RMS that is too small to be seen, of the share that is named, if that is the usual one: the width
   of a pixel where the diagonal has 14,000. Who names a larger share sees as much less, and gets
   what is worth that share alone from eight times the usual one on. */
static const double unseen_share = 1.0 / 7;

ossai_bone_worth ossai_bone_worth_of(double share, double count)
{
	const double unseen = unseen_share * share * fmax(1, 100 * share / OSSAI_USUAL_WORTH);
	return (ossai_bone_worth){share * share * count, unseen * unseen * count};
}

double ossai_bone_worth_at(const ossai_bone_worth *worth, double error)
{
	return fmin(worth->most, share_of_error * (error + worth->unseen));
}
