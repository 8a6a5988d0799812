/* rig/edit_slides.c: see edit_slides.h. */
#include "rig/edit_slides.h"

#include "rig/pose.h"
#include "rig/slides.h"

#include <float.h>
#include <math.h>

/* of a unit quaternion's vector: no turn */
static const double still = 1e-12;

static bool is_turn(const double q[4]) { return fabs(q[0]) > still || fabs(q[1]) > still || fabs(q[2]) > still; }

/* whether the edit turns the bone that it names */
static bool turns(const ossa_motion_edit *edit)
{
	if (edit->kind == OSSA_MOTION_TURN || edit->kind == OSSA_MOTION_SET) return is_turn(edit->rotation);
	if (edit->kind != OSSA_MOTION_KEYS) return false;
	for (size_t i = 0; i < edit->key_count; i++) {
		if (is_turn(edit->keys[i].rotation)) return true;
	}
	return false;
}

const char *ossai_slide_fault(const ossa_skeleton *skeleton, const ossa_motion_edit *edit)
{
	const bool is_one = edit->bone != OSSA_ALL_BONES;
	const bool slides = is_one && skeleton->bones[edit->bone].kind == OSSA_JOINT_PRISMATIC;
	if (edit->kind == OSSA_MOTION_SLIDE && !is_one) return "a distance has no meaning for all bones: name those that slide";
	if (edit->kind == OSSA_MOTION_SLIDE && !slides) return "the joint does not slide: it has no axis to slide along";
	return slides && turns(edit) ? "the joint slides along its axis and never turns" : NULL;
}

double ossai_slide_edited(const ossa_bone *bone, const ossa_motion_edit *edit, double distance, double share)
{
	double past, wanted = distance;
	switch (edit->kind) {
	case OSSA_MOTION_SLIDE: wanted = edit->distance; break;
	case OSSA_MOTION_SET: wanted = is_turn(edit->rotation) ? distance : 0; break;
	case OSSA_MOTION_SCALE: wanted = edit->factor * distance; break;
	case OSSA_MOTION_CLAMP: wanted = ossai_slide_within_limits(bone, distance, &past); break;
	default: return distance;
	}
	return distance + share * (wanted - distance);
}

/* false for NaN too */
static bool are_floats(const double *values, size_t count)
{
	for (size_t i = 0; values && i < count; i++) {
		if (!(fabs(values[i]) <= (double)FLT_MAX)) return false;
	}
	return true;
}

bool ossai_clip_is_in_reach(const ossa_clip *clip)
{
	return are_floats(clip->root_positions, 3 * clip->frame_count) &&
		are_floats(clip->translations, 3 * clip->frame_count * clip->bone_count);
}
