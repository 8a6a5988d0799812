/* rig/validate_joint.c: see validate_joint.h. */
#include "rig/validate_joint.h"

#include "math/vec.h"
#include "rig/universal_joint.h"

/* of unit lengths and right angles: what stored numbers keep */
static const double TOLERANCE = 1e-6;

#define FAULT(...) ossai_fail(context, OSSA_ERROR_INPUT, NULL, __VA_ARGS__)

bool ossai_is_unit(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++) sum += values[i] * values[i];
	return fabs(sqrt(sum) - 1) <= TOLERANCE;
}

static bool is_zero(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i] != 0) return false;
	}
	return true;
}

static ossa_status check_axis(ossa_context *context, const ossa_bone *bone, size_t b)
{
	const bool is_universal = bone->kind == OSSA_JOINT_UNIVERSAL, slides = bone->kind == OSSA_JOINT_PRISMATIC;
	const bool has_axis = ossai_joint_has_axis(bone->kind);
	if (has_axis && !ossai_is_unit(bone->axis, 3)) {
		return FAULT("bone %zu (%s) is a %s without a unit axis", b, bone->name,
			is_universal ? "universal joint"
				: slides ? "sliding joint"
						 : "hinge");
	}
	if (!has_axis && !is_zero(bone->axis, 3)) return FAULT("bone %zu (%s) has an axis but is no hinge", b, bone->name);
	const bool is_square = fabs(ossai_dot(ossai_v3_of(bone->axis), ossai_v3_of(bone->second_axis))) <= TOLERANCE;
	if (is_universal && !(ossai_is_unit(bone->second_axis, 3) && is_square)) {
		return FAULT("bone %zu (%s) is a universal joint without a second unit axis, square to the first", b, bone->name);
	}
	if (!is_universal && !(is_zero(bone->second_axis, 3) && is_zero(bone->axis_limits[0], 4))) {
		return FAULT("bone %zu (%s) has a second axis but is no universal joint", b, bone->name);
	}
	return OSSA_OK;
}

static bool is_range(const double range[2]) { return range[0] >= -360 && range[0] <= 0 && range[1] >= 0 && range[1] <= 360; }

/* it never turns, and is at 0 at rest */
static ossa_status check_slide(ossa_context *context, const ossa_bone *bone, size_t b)
{
	const double least = bone->slide_limits[0], largest = bone->slide_limits[1];
	if (!bone->has_limits && !is_zero(bone->slide_limits, 2)) {
		return FAULT("bone %zu (%s) has limits that are not said to be known", b, bone->name);
	}
	if (!is_zero(bone->limits[0], 6))
		return FAULT("bone %zu (%s) slides and never turns, but has limits of turns", b, bone->name);
	if (isfinite(least) && isfinite(largest) && least <= 0 && largest >= 0) return OSSA_OK;
	return FAULT(
		"bone %zu (%s) slides from %g to %g: its limits must hold 0, where it is at rest", b, bone->name, least, largest);
}

static ossa_status check_limits(ossa_context *context, const ossa_bone *bone, size_t b)
{
	static const char axes[] = "xyz";
	for (int axis = 0; axis < 3; axis++) {
		const double least = bone->limits[axis][0], largest = bone->limits[axis][1];
		if (!bone->has_limits && (least != 0 || largest != 0)) {
			return FAULT("bone %zu (%s) has limits that are not said to be known", b, bone->name);
		}
		if (!is_range(bone->limits[axis])) {
			return FAULT("bone %zu (%s) has limits of %g to %g degrees about %c; they must hold 0 and lie within -360 to 360",
				b, bone->name, least, largest, axes[axis]);
		}
	}
	if (bone->kind == OSSA_JOINT_PRISMATIC) OSSAI_TRY(check_slide(context, bone, b));
	else if (!is_zero(bone->slide_limits, 2))
		return FAULT("bone %zu (%s) has limits of a slide but does not slide", b, bone->name);
	const bool has_own = !is_zero(bone->axis_limits[0], 4);
	if (has_own && !(bone->has_limits && is_range(bone->axis_limits[0]) && is_range(bone->axis_limits[1]))) {
		return FAULT(
			"bone %zu (%s) has limits about its axes that do not hold 0 or do not lie within -360 to 360", b, bone->name);
	}
	return OSSA_OK;
}

ossa_status ossai_check_joint(ossa_context *context, const ossa_bone *bone, size_t index)
{
	OSSAI_TRY(check_limits(context, bone, index));
	return check_axis(context, bone, index);
}
