/* tools/ossa/pose_list.c: the joints of a rig, the ranges of their motion and their limits.

   Place in the path: the top, for `ossa pose --list`.
   Input: a rig with motion.
   Output: a table, or JSON. */
#include "pose.h"

#include <math.h>
#include <string.h>

/* "-12:63"; "-" for nothing */
static const char *range_text(const double range[2], bool known, char text[32])
{
	/* no minus before a zero that was rounded */
	if (known) snprintf(text, 32, "%.0f:%.0f", rint(range[0]) + 0.0, rint(range[1]) + 0.0);
	else snprintf(text, 32, "-");
	return text;
}

/* "+x" where it is nearly that, else "0.7,0.1,-0.7" */
static void axis_text(const double axis[3], char text[32])
{
	snprintf(text, 32, "%.2f,%.2f,%.2f", axis[0] + 0.0, axis[1] + 0.0, axis[2] + 0.0);
	for (int k = 0; k < 3; k++) {
		if (fabs(axis[k]) > 0.95) snprintf(text, 32, "%c%c", axis[k] < 0 ? '-' : '+', "xyz"[k]);
	}
}

/* what it slides along, and how far from rest in the motion and at most */
static void print_slide(const ossa_rig *rig, size_t index)
{
	const ossa_bone *bone = &rig->skeleton.bones[index];
	char along[32];
	double range[2];
	axis_text(bone->axis, along);
	ossa_rig_slide_range(rig, NULL, index, range);
	printf("  slides %.4g:%.4g along %s", range[0] + 0.0, range[1] + 0.0, along);
	if (bone->has_limits) printf(", limits %.4g:%.4g", bone->slide_limits[0] + 0.0, bone->slide_limits[1] + 0.0);
}

static void print_joint(const void *user, size_t index, size_t depth)
{
	enum { NAME_COLUMN = 32, DEPTH_SHOWN = 10 };
	const ossa_rig *rig = user;
	const ossa_bone *bone = &rig->skeleton.bones[index];
	const int indent = 2 * (int)(depth < DEPTH_SHOWN ? depth : DEPTH_SHOWN);
	double range[3][2], axis[3];
	char text[32], bends[32] = "-";
	const bool turns = ossa_rig_turn_range(rig, NULL, index, range);
	if (ossa_rig_bend_axis(rig, NULL, index, axis)) axis_text(axis, bends);
	printf("%*s%-*s %-7s", indent, "", NAME_COLUMN - indent, bone->name, command_joint_kind(bone));
	for (int k = 0; k < 3; k++) printf(" %8s", range_text(range[k], turns, text));
	printf(" ");
	for (int k = 0; k < 3; k++) printf(" %8s", range_text(bone->limits[k], bone->has_limits, text));
	printf("  %s", bends);
	if (bone->kind == OSSA_JOINT_PRISMATIC) print_slide(rig, index);
	const int32_t dependency = ossa_rig_dependency_of(rig, index);
	if (dependency >= 0) {
		const ossa_dependency *d = &rig->dependencies[dependency];
		printf("  %.4g times %s%s", d->ratio, command_drives_by_twist(d) ? "the twist of " : "",
			rig->skeleton.bones[d->driver].name);
		if (d->offset_degrees != 0) printf(" %+.4g", d->offset_degrees);
	}
	putchar('\n');
}

ossa_status pose_print_joints(command_run *run, const ossa_rig *rig)
{
	bool slides = false;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) slides |= rig->skeleton.bones[b].kind == OSSA_JOINT_PRISMATIC;
	printf("%-32s %-7s   %-24s   %s\n", "", "", "turns, degrees about", "limits, degrees about");
	printf("%-32s %-7s %8s %8s %8s  %8s %8s %8s  %s%s\n", "joint", "kind", "x", "y", "z", "x", "y", "z", "bends about",
		slides ? ", or slides in units of the mesh" : "");
	return command_walk_joints(run, &rig->skeleton, print_joint, rig);
}

static json_t *ranges_as_json(const double ranges[3][2])
{
	json_t *list = json_array();
	for (int k = 0; k < 3; k++) {
		json_array_append_new(list, json_pack("[o, o]", command_json_real(ranges[k][0]), command_json_real(ranges[k][1])));
	}
	return list;
}

/* what a dependent bone turns as */
static json_t *driver_as_json(const ossa_rig *rig, size_t bone)
{
	const int32_t dependency = ossa_rig_dependency_of(rig, bone);
	if (dependency < 0) return json_null();
	const ossa_dependency *d = &rig->dependencies[dependency];
	json_t *value = json_pack("{s:s, s:f, s:f}", "driver", rig->skeleton.bones[d->driver].name, "ratio", d->ratio,
		"offset_degrees", d->offset_degrees);
	const double *axis = d->driver_axis;
	if (command_drives_by_twist(d))
		json_object_set_new(value, "driver_axis", json_pack("[f, f, f]", axis[0], axis[1], axis[2]));
	return value;
}

/* of joints that slide */
static json_t *slide_as_json(const ossa_rig *rig, size_t index)
{
	const ossa_bone *bone = &rig->skeleton.bones[index];
	double range[2];
	if (bone->kind != OSSA_JOINT_PRISMATIC) return json_null();
	ossa_rig_slide_range(rig, NULL, index, range);
	json_t *limits = bone->has_limits ? json_pack("[f, f]", bone->slide_limits[0], bone->slide_limits[1]) : json_null();
	return json_pack("{s:[f, f, f], s:[f, f], s:o}", "axis", bone->axis[0], bone->axis[1], bone->axis[2], "range", range[0],
		range[1], "limits", limits);
}

json_t *pose_joints_as_json(const ossa_rig *rig)
{
	json_t *list = json_array();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		double range[3][2], axis[3];
		ossa_rig_turn_range(rig, NULL, b, range);
		const bool bends = ossa_rig_bend_axis(rig, NULL, b, axis);
		json_array_append_new(list,
			json_pack("{s:s, s:i, s:s, s:o, s:o, s:o, s:o, s:o}", "name", bone->name, "parent", (int)bone->parent, "kind",
				command_joint_kind(bone), "turns", ranges_as_json(range), "limits",
				bone->has_limits ? ranges_as_json(bone->limits) : json_null(), "bends_about",
				bends ? json_pack("[f, f, f]", axis[0], axis[1], axis[2]) : json_null(), "turns_as", driver_as_json(rig, b),
				"slide", slide_as_json(rig, b)));
	}
	return list;
}
