/* methods/motion_tell.c: see motion_tell.h. */
#include "methods/motion_tell.h"

#include <math.h>
#include <ossa/motion.h>
#include <stdio.h>

/* a frame this many times larger or smaller than the rest is worth a word */
static const double size_most = 1.5;
/* a bone's skin that is off by more than this RMS, % of the diagonal, follows something else than a skeleton */
static const double most_unexplained = 1;

/* frames in other units than the rest mesh are a common mistake, and no rigid bone can follow them */
void ossai_tell_size(ossa_context *context, size_t frame, const char *name, double ratio)
{
	char number[32];
	if (ratio < size_most && ratio > 1 / size_most) return;
	snprintf(number, sizeof number, "%zu", frame + 1);
	ossai_warn(context, "pose-size", 1,
		"pose %s is %.3g times the size of the rest mesh, which bones cannot follow: are both in the same units?",
		name ? name : number, ratio);
}

/* Where the errors are. What no skeleton repeats is told, as far as there are bones to name it by. */
void ossai_tell_unexplained(ossa_context *context, const ossa_rig *rig, const double *bone_rms)
{
	const size_t bones = rig->skeleton.bone_count;
	size_t count = 0, worst = 0;
	for (size_t b = 0; b < bones; b++) {
		count += bone_rms[b] > most_unexplained;
		if (bone_rms[b] > bone_rms[worst] || isnan(bone_rms[worst])) worst = b;
	}
	if (count == 0) return;
	ossai_warn(context, "unexplained", (int64_t)count,
		"%zu of %zu bones do not explain how their skin moves: it is off by more than %g %% of the diagonal, at %s by %.2g %%; "
		"cloth and hair follow no skeleton, else more bones may help",
		count, bones, most_unexplained, rig->skeleton.bones[worst].name, bone_rms[worst]);
}

void ossa_motion_fit_warn(ossa_context *context, const ossa_rig *rig, const ossa_motion_fit *fit)
{
	if (!context || !rig || !fit) return;
	const ossa_clip *clip = fit->clip ? fit->clip : rig->clip;
	if (!clip) return;
	for (size_t f = 0; f < clip->frame_count; f++) ossai_tell_size(context, f, NULL, fit->frame_size[f]);
	ossai_tell_unexplained(context, rig, fit->bone_rms);
}
