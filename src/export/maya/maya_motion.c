/* export/maya/maya_motion.c: joints, limits and keys of the Maya script.

   Place in the path: inside the Maya writer.
   Input: the rig's joints and clip.
   Output: JOINTS, ENDS, LIMITS, SLIDES, DRIVEN, TWISTED, TIMES, TURNS, PLACES. */
#include "export/maya/maya.h"

#include "rig/dependencies.h"
#include "rig/hinge.h"

#include <math.h>

/* degrees: of a motion that is as it was found */
static const double ROUNDING = 0.01;

/* ---- joints ---- */

/* what of a joint's rotation does not move */
typedef struct still {
	const double *orient, *axis;
	int order;
} still;

static void put_joint(ossai_maya_writer *writer, const char *name, int32_t parent, const double position[3], still turns)
{
	fprintf(writer->stream, "    (\"%s\", ", name);
	if (parent < 0) fputs("None, ", writer->stream);
	else fprintf(writer->stream, "\"%s\", ", ossai_maya_bone_name(writer, (size_t)parent));
	ossai_maya_tuple(writer, position, 3, 12);
	fputs(", ", writer->stream);
	ossai_maya_tuple(writer, turns.orient, 3, 12);
	fputs(", ", writer->stream);
	ossai_maya_tuple(writer, turns.axis, 3, 12);
	fprintf(writer->stream, ", %d),\n", turns.order);
}

/* all limits; True for those that hold */
static void put_limits(ossai_maya_writer *writer)
{
	const ossai_joints *joints = &writer->joints;
	fputs("# joint, least and largest turn about x, y, z against the rest pose (degrees), which axes are limited\nLIMITS = [\n",
		writer->stream);
	for (size_t b = 0; b < joints->count; b++) {
		const bool *on = joints->limited[b];
		fprintf(writer->stream, "    (\"%s\"", ossai_maya_bone_name(writer, b));
		for (int axis = 0; axis < 3; axis++) {
			fputs(", ", writer->stream);
			ossai_maya_tuple(writer, joints->limits[b][axis], 2, 9);
		}
		fprintf(
			writer->stream, ", (%s, %s, %s)),\n", on[0] ? "True" : "False", on[1] ? "True" : "False", on[2] ? "True" : "False");
	}
	fputs("]\n", writer->stream);
	fputs("# joint that slides, least and largest translateX, translateY, translateZ\nSLIDES = [\n", writer->stream);
	for (size_t b = 0; b < joints->count; b++) {
		if (!joints->slides[b]) continue;
		fprintf(writer->stream, "    (\"%s\"", ossai_maya_bone_name(writer, b));
		for (int axis = 0; axis < 3; axis++) {
			fputs(", ", writer->stream);
			ossai_maya_tuple(writer, joints->places[b][axis], 2, 12);
		}
		fputs("),\n", writer->stream);
	}
	fputs("]\n", writer->stream);
}

/* ---- dependent bones ---- */

/* rotateX of a hinge is its angle, or that about the opposite axis, which is nearer to x */
static double side_of(const ossai_maya_writer *writer, int32_t bone)
{
	return ossai_hinge_axis(&writer->rig->skeleton.bones[bone]).x < 0 ? -1 : 1;
}

/* a dependency of angles as one of rotateX */
static ossa_dependency as_written(const ossai_maya_writer *writer, ossa_dependency d)
{
	d.ratio *= side_of(writer, d.bone) * (ossai_drives_by_twist(&d) ? 1 : side_of(writer, d.driver));
	d.offset_degrees *= side_of(writer, d.bone);
	return d;
}

/* what drives in a frame: rotateX, or the twist as its expression has it, from -180 to 180 degrees
   */
static double driver_angle(const ossai_maya_writer *writer, const ossa_dependency *d, size_t frame)
{
	const ossai_joints *joints = &writer->joints;
	const double *turn = joints->turns[frame * writer->bone_count + (size_t)d->driver];
	if (!ossai_drives_by_twist(d)) return turn[0];
	const ossai_quat q = ossai_euler_quat(turn, ossai_euler_orders[joints->order[d->driver]]);
	return ossai_hinge_angle(q, ossai_driver_axis(writer->rig->skeleton.bones, d), 0);
}

/* RMS over the frames of a clip of the difference of rotateX to where the driver has it */
static double off_line(const ossai_maya_writer *writer, const ossa_dependency *d)
{
	const size_t frames = writer->rig->clip ? writer->rig->clip->frame_count : 0, width = writer->bone_count;
	double sum = 0;
	for (size_t f = 0; writer->joints.turns && f < frames; f++) {
		const double own = writer->joints.turns[f * width + (size_t)d->bone][0];
		const double off = own - d->ratio * driver_angle(writer, d, f) - d->offset_degrees;
		sum += off * off;
	}
	return frames > 0 ? sqrt(sum / (double)frames) : 0;
}

static void put_driver(ossai_maya_writer *writer, const ossa_dependency *d)
{
	char ratio[40], offset[40];
	ossai_maya_print(ratio, d->ratio, 12);
	ossai_maya_print(offset, d->offset_degrees, 12);
	fprintf(writer->stream, "    (\"%s\", \"%s\", ", ossai_maya_bone_name(writer, (size_t)d->bone),
		ossai_maya_bone_name(writer, (size_t)d->driver));
	if (ossai_drives_by_twist(d)) {
		double axis[3];
		ossai_v3_store(ossai_driver_axis(writer->rig->skeleton.bones, d), axis);
		fprintf(writer->stream, "%d, ", writer->joints.order[d->driver]);
		ossai_maya_tuple(writer, axis, 3, 12);
		fputs(", ", writer->stream);
	}
	fprintf(writer->stream, "%s, %s),\n", ratio, offset);
}

/* Those that hinges drive, or twists. Where the motion is not theirs any more, as when a bone was
   turned on its own, its keys stay: returns how many. */
static int64_t put_drivers_of(ossai_maya_writer *writer, bool by_twist)
{
	int64_t left = 0;
	for (size_t i = 0; writer->rig && i < writer->rig->dependency_count; i++) {
		const ossa_dependency d = as_written(writer, writer->rig->dependencies[i]);
		if (ossai_drives_by_twist(&d) != by_twist) continue;
		if (off_line(writer, &d) > d.error_degrees + ROUNDING) left++;
		else put_driver(writer, &d);
	}
	return left;
}

static void put_drivers(ossai_maya_writer *writer)
{
	fputs("\n# joint, the joint that it turns as, ratio, offset (degrees): rotateX = ratio * rotateX of that one + offset\n"
		  "DRIVEN = [\n",
		writer->stream);
	int64_t left = put_drivers_of(writer, false);
	fputs("]\n\n# joint, the joint by whose twist it turns, rotateOrder of that, the axis of the twist, ratio, offset "
		  "(degrees)\nTWISTED = [\n",
		writer->stream);
	left += put_drivers_of(writer, true);
	fputs("]\n", writer->stream);
	if (left == 0) return;
	ossai_warn(writer->context, "drivers-left", left,
		"the motion is not on the line of a dependent bone and its driver: the bone has keys, and no driver");
}

/* ---- all of them ---- */

void ossai_maya_put_joints(ossai_maya_writer *writer)
{
	static const double none[3] = {0, 0, 0};
	const ossai_joints *joints = &writer->joints;
	fputs("# name, parent, translate, jointOrient (degrees): the rest pose; rotateAxis (degrees): of hinges, which turn about "
		  "x;\n"
		  "# rotateOrder: xyz (0) but where that would come near gimbal lock\nJOINTS = [\n",
		writer->stream);
	for (size_t b = 0; b < joints->count; b++) {
		const int32_t parent = writer->rig->skeleton.bones[b].parent;
		const still turns = {joints->rest[b], joints->after[b], joints->order[b]};
		put_joint(writer, ossai_maya_bone_name(writer, b), parent, joints->position[b], turns);
	}
	fputs("]\n\n# the same for joints that only show where leaf bones end\nENDS = [\n", writer->stream);
	for (size_t i = 0; i < writer->end_count; i++) {
		const uint32_t bone = joints->leaves[i];
		double position[3];
		ossai_joint_end(&writer->rig->skeleton.bones[bone], position);
		put_joint(writer, ossai_maya_end_name(writer, i), (int32_t)bone, position, (still){none, none, OSSAI_EULER_XYZ});
	}
	fputs("]\n\n", writer->stream);
	put_limits(writer);
	put_drivers(writer);
}

/* ---- keys ---- */

static void put_times(ossai_maya_writer *writer, const ossa_clip *clip)
{
	fputs("\n# seconds of the keys\n", writer->stream);
	ossai_maya_begin_block(writer, "TIMES");
	for (size_t f = 0; clip && f < clip->frame_count; f++) ossai_maya_number(writer, clip->times[f], 12);
	ossai_maya_end_block(writer);
}

/* one joint's three values for each frame, a line each */
static void put_keys(ossai_maya_writer *writer, size_t b, const double *values, size_t stride, size_t frames, int digits)
{
	fprintf(writer->stream, "    (\"%s\", \"\"\"\n", ossai_maya_bone_name(writer, b));
	writer->column = 0;
	for (size_t f = 0; f < frames; f++) {
		for (int k = 0; k < 3; k++) ossai_maya_number(writer, values[f * stride + (size_t)k], digits);
		ossai_maya_new_line(writer);
	}
	fputs("\"\"\"),\n", writer->stream);
}

void ossai_maya_put_motion(ossai_maya_writer *writer)
{
	const ossa_clip *clip = writer->joints.turns ? writer->rig->clip : NULL;
	const size_t frames = clip ? clip->frame_count : 0;
	put_times(writer, clip);
	fputs("\n# joint and its rotate (degrees), x y z for each time\nTURNS = [\n", writer->stream);
	for (size_t b = 0; clip && b < writer->bone_count; b++) {
		put_keys(writer, b, writer->joints.turns[b], 3 * writer->bone_count, frames, 9);
	}
	fputs("]\n\n# joint and its translate, x y z for each time\nPLACES = [\n", writer->stream);
	if (clip) put_keys(writer, 0, clip->root_positions, 3, frames, 12);
	for (size_t b = 1; clip && clip->translations && b < writer->bone_count; b++) {
		put_keys(writer, b, clip->translations + 3 * b, 3 * writer->bone_count, frames, 12);
	}
	fputs("]\n\n", writer->stream);
}
