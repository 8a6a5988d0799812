/* import/collada/collada_bones.c: properties of bones besides their transforms: see collada.h.

   Place in the path: after the nodes.
   Input: <extra type="ossa"> of nodes; the <joint>s of 1.5's kinematics.
   Output: ossai_asset_bone. A hinge belongs to the turn of a node whose sid is its name
   ("arm_rz"), as in files of ossa; the bindings of the kinematics scene are not followed. Its
   limits (degrees) count from the turn's own angle at rest. Kinematics take precedence over
   ossa's own data: other programs change them. But what they do not say of a joint that is a
   hinge by ossa's data stays. */
#include "import/collada/collada.h"

#include <math.h>
#include <string.h>

/* how far an axis may be from x, y or z */
static const double axis_tolerance = 1e-3;

typedef struct joints {
	ossai_dae *c;
	ossai_word_index by_name; /* name and sid of <joint>s → element */
} joints;

/* ---- ossa's own words ---- */

static ossa_joint_kind kind_of(ossai_word word)
{
	for (int kind = OSSA_JOINT_UNKNOWN; kind <= OSSA_JOINT_PRISMATIC; kind++) {
		if (ossai_word_is(word, ossa_joint_kind_name((ossa_joint_kind)kind))) return (ossa_joint_kind)kind;
	}
	return OSSA_JOINT_UNKNOWN;
}

static ossa_status own_values(ossai_dae *c, uint32_t node, const char *name, size_t count, double *values, bool *there)
{
	const uint32_t element = ossai_dae_own(c, node, name);
	*there = element != OSSA_NONE;
	return *there ? ossai_dae_values(c, element, count, values) : OSSA_OK;
}

/* ratio, offset, error, cost of a bone with a driver, and the axis about which that one twists */
static ossa_status read_dependency(ossai_dae *c, uint32_t node, ossai_asset_bone *bone)
{
	double numbers[4];
	bool there, twists;
	const ossai_word driver = ossai_xml_trimmed(&c->xml, ossai_dae_own(c, node, "driver"));
	OSSAI_TRY(own_values(c, node, "dependency", 4, numbers, &there));
	bone->is_dependent = there || driver.size > 0;
	if (!there || driver.size == 0) return OSSA_OK;
	OSSAI_TRY(own_values(c, node, "driver_axis", 3, bone->driver_axis, &twists));
	bone->ratio = numbers[0];
	bone->offset_degrees = numbers[1];
	bone->error_degrees = numbers[2];
	bone->cost = numbers[3];
	bone->driver = ossai_dae_copy(c, driver);
	return bone->driver ? OSSA_OK : ossai_dae_lost(c);
}

/* true where there is anything to keep */
static ossa_status read_own(ossai_dae *c, uint32_t node, ossai_asset_bone *bone, bool *any)
{
	bool axis, second, turned, residual;
	const uint32_t kind = ossai_dae_own(c, node, "kind"), end = ossai_dae_own(c, node, "end");
	OSSAI_TRY(own_values(c, node, "tail", 3, bone->tail, &bone->has_tail));
	OSSAI_TRY(own_values(c, node, "axis", 3, bone->axis, &axis));
	OSSAI_TRY(own_values(c, node, "second_axis", 3, bone->second_axis, &second));
	OSSAI_TRY(own_values(c, node, "axis_limits", 4, bone->axis_limits[0], &second));
	OSSAI_TRY(own_values(c, node, "turn", 1, &bone->turn_degrees, &turned));
	OSSAI_TRY(own_values(c, node, "residual", 1, &bone->fit_residual, &residual));
	OSSAI_TRY(own_values(c, node, "slide_limits", 2, bone->slide_limits, &bone->has_slide_limits));
	OSSAI_TRY(own_values(c, node, "limits", 6, bone->limits[0], &bone->has_limits));
	OSSAI_TRY(read_dependency(c, node, bone));
	bone->kind = kind_of(ossai_xml_trimmed(&c->xml, kind));
	bone->is_end = ossai_word_is(ossai_xml_trimmed(&c->xml, end), "true");
	*any = bone->has_tail || axis || turned || residual || bone->has_limits || bone->is_dependent || kind != OSSA_NONE ||
		end != OSSA_NONE;
	return OSSA_OK;
}

/* ---- limits ---- */

/* which of x, y, z an axis is; 3 where it is none. `sign` is -1 where it points the other way */
static int axis_of(const double v[3], int *sign)
{
	const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int k = 0; k < 3; k++) {
		if (!(fabs(v[k]) > (1 - axis_tolerance) * length) || !(length > 0)) continue;
		*sign = v[k] < 0 ? -1 : 1;
		return k;
	}
	return 3;
}

static ossa_status read_limit(const ossai_dae *c, uint32_t limits, const char *name, double otherwise, double *value)
{
	const uint32_t element = ossai_xml_child(&c->xml, limits, name);
	*value = otherwise;
	return element == OSSA_NONE ? OSSA_OK : ossai_dae_values(c, element, 1, value);
}

/* the range of a hinge about one axis of a node; other than hinges about x, y or z are ignored */
static ossa_status take_hinge(const ossai_dae *c, uint32_t joint, uint32_t rotate, ossai_asset_bone *bone, bool taken[3])
{
	double axis[3], turned[4], least, most;
	int axis_sign = 1, turn_sign = 1;
	const uint32_t revolute = ossai_xml_child(&c->xml, joint, "revolute");
	const uint32_t axis_element = ossai_xml_child(&c->xml, revolute, "axis");
	const uint32_t limits = ossai_xml_child(&c->xml, revolute, "limits");
	if (axis_element == OSSA_NONE || limits == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_dae_values(c, axis_element, 3, axis));
	OSSAI_TRY(ossai_dae_values(c, rotate, 4, turned));
	const int k = axis_of(turned, &turn_sign);
	if (k == 3 || axis_of(axis, &axis_sign) != k) return OSSA_OK;
	OSSAI_TRY(read_limit(c, limits, "min", -360, &least));
	OSSAI_TRY(read_limit(c, limits, "max", 360, &most));
	/* from the angle at rest, about the positive axis */
	const double low = fmin(fmax(fmin(least, most) - turned[3], -360), 0),
				 high = fmax(fmin(fmax(least, most) - turned[3], 360), 0);
	const bool is_first = !taken[0] && !taken[1] && !taken[2];
	const bool has_axes = bone->kind == OSSA_JOINT_HINGE || bone->kind == OSSA_JOINT_UNIVERSAL;
	if (is_first && !(bone->has_limits && has_axes)) memset(bone->limits, 0, sizeof bone->limits);
	bone->limits[k][0] = turn_sign > 0 ? low : -high;
	bone->limits[k][1] = turn_sign > 0 ? high : -low;
	taken[k] = true;
	return OSSA_OK;
}

static uint32_t joint_of(const joints *j, uint32_t rotate)
{
	const ossai_word sid = ossai_xml_attribute_of(&j->c->xml, rotate, "sid");
	return sid.size > 0 ? ossai_word_index_find(&j->by_name, sid, "", 0) : OSSA_NONE;
}

/* axes without a hinge do not rotate */
static ossa_status read_limits(const joints *j, uint32_t node, ossai_asset_bone *bone)
{
	const ossai_dae *c = j->c;
	bool taken[3] = {false, false, false};
	for (uint32_t r = ossai_xml_child(&c->xml, node, "rotate"); r != OSSA_NONE; r = ossai_xml_next(&c->xml, r, "rotate")) {
		const uint32_t joint = joint_of(j, r);
		if (joint == OSSA_NONE) continue;
		OSSAI_TRY(take_hinge(c, joint, r, bone, taken));
	}
	bone->has_limits |= taken[0] || taken[1] || taken[2];
	return OSSA_OK;
}

static ossa_status index_joints(joints *j)
{
	ossai_dae *c = j->c;
	for (size_t i = 0; i < c->xml.element_count; i++) {
		const uint32_t element = (uint32_t)i;
		if (!ossai_xml_is(&c->xml, element, "joint")) continue;
		const ossai_word name = ossai_xml_attribute_of(&c->xml, element, "name"),
						 sid = ossai_xml_attribute_of(&c->xml, element, "sid");
		OSSAI_TRY(ossai_word_index_add(c->context, &j->by_name, name, "", element));
		OSSAI_TRY(ossai_word_index_add(c->context, &j->by_name, sid, "", element));
	}
	ossai_word_index_sort(&j->by_name);
	return OSSA_OK;
}

/* ---- all nodes ---- */

static ossa_status read_bone(const joints *j, uint32_t node)
{
	ossai_dae *c = j->c;
	const uint32_t element = c->nodes.element[node];
	ossai_asset_bone bone = {0};
	bool any;
	if (element == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(read_own(c, element, &bone, &any));
	OSSAI_TRY(read_limits(j, element, &bone));
	if (!any && !bone.has_limits) return OSSA_OK;
	ossai_asset_bone *kept = ossai_arena_new(&c->asset->arena, 1, sizeof *kept);
	if (!kept) return ossai_dae_lost(c);
	*kept = bone;
	c->nodes.items[node].bone = kept;
	return OSSA_OK;
}

static ossa_status read_method(ossai_dae *c)
{
	for (size_t i = 0; i < c->xml.element_count; i++) {
		if (!ossai_xml_is(&c->xml, (uint32_t)i, "visual_scene")) continue;
		const ossai_word method = ossai_xml_trimmed(&c->xml, ossai_dae_own(c, (uint32_t)i, "method"));
		if (method.size == 0) continue;
		c->asset->method = ossai_dae_copy(c, method);
		return c->asset->method ? OSSA_OK : ossai_dae_lost(c);
	}
	return OSSA_OK;
}

ossa_status ossai_dae_bones(ossai_dae *c)
{
	joints j = {.c = c};
	ossa_status status = index_joints(&j);
	for (size_t i = 0; status == OSSA_OK && i < c->nodes.count; i++) status = read_bone(&j, (uint32_t)i);
	ossa_free(c->context, j.by_name.entries);
	return status == OSSA_OK ? read_method(c) : status;
}
