/* methods/motion_warnings.c: see motion_warnings.h. */
#include "methods/motion_warnings.h"

#include <math.h>
#include <ossa/motion.h>
#include <stdio.h>

/* the ratio of the sizes (root mean square distances from the centroid) of a frame and of the rest:
   inches in place of centimetres give 2.54, feet in place of metres 3.28 */
static const double size_most = 1.5;
/* the RMS error of a bone's skin, in % of the diagonal, above which it is cloth or hair, or needs
   more bones */
static const double most_unexplained = 1;

/* the units of frames and rest mesh often differ, and rigid bones cannot follow that */
void ossai_warn_of_size(ossa_context *context, size_t frame, const char *name, double ratio)
{
	char number[32];
	if (ratio < size_most && ratio > 1 / size_most) return;
	snprintf(number, sizeof number, "%zu", frame + 1);
	ossai_warn(context, "pose-size", 1,
		"pose %s is %.3g times the size of the rest mesh, and bones cannot follow that: are both in the same units?",
		name ? name : number, ratio);
}

void ossai_warn_of_unexplained(ossa_context *context, const ossa_rig *rig, const double *bone_rms)
{
	const size_t bones = rig->skeleton.bone_count;
	size_t count = 0, worst = 0;
	for (size_t b = 0; b < bones; b++) {
		count += bone_rms[b] > most_unexplained;
		if (bone_rms[b] > bone_rms[worst] || isnan(bone_rms[worst])) worst = b;
	}
	if (count == 0) return;
	ossai_warn(context, "unexplained", (int64_t)count,
		"%zu of %zu bones do not explain the motion of their skin: its error is more than %g %% of the diagonal, at %s %.2g "
		"%%; cloth and hair follow no skeleton, else more bones may help",
		count, bones, most_unexplained, rig->skeleton.bones[worst].name, bone_rms[worst]);
}

void ossa_motion_fit_warn(ossa_context *context, const ossa_rig *rig, const ossa_motion_fit *fit)
{
	if (!context || !rig || !fit) return;
	const ossa_clip *clip = fit->clip ? fit->clip : rig->clip;
	if (!clip) return;
	for (size_t f = 0; f < clip->frame_count; f++) ossai_warn_of_size(context, f, NULL, fit->frame_size[f]);
	ossai_warn_of_unexplained(context, rig, fit->bone_rms);
}
