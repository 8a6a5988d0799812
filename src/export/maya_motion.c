/* export/maya_motion.c: joints, limits and keys of the Maya script.

   Place in the path: inside the Maya writer.  In: the rig's bones and clip.  Out: JOINTS, LIMITS, TIMES, TURNS, PLACES.
   Angles are in degrees and stay near those of the frame before, so that a linear curve between two keys goes the short way; a
   joint that leaps (over 90 degrees from frame to frame) begins anew near its rest pose. */
#include "export/maya.h"
#include "math/euler.h"

#include <math.h>
#include <string.h>

/* radians: frames that lie farther apart are poses of their own, as ossa_rig_find_limits has it */
static const double farthest_step = OSSAI_PI / 2;
/* of a length: what rotating it there and back leaves */
static const double rounding = 1e-12;
/* degrees: less is no turn, or no crossing of a limit */
static const double still = 0.01, touching = 1e-3;

/* a bone's rotation against its parent's frame at rest */
static ossai_quat rest_rotation(const ossa_bone *bones, size_t b)
{
	const ossai_quat own = ossai_quat_unit(ossai_quat_of(bones[b].orientation));
	if (bones[b].parent < 0) return own;
	const ossai_quat parent = ossai_quat_unit(ossai_quat_of(bones[bones[b].parent].orientation));
	return ossai_quat_mul(ossai_quat_conjugate(parent), own);
}

/* a point in the frame of a bone at rest; of no bone: in the world */
static void local_place(const ossa_bone *bones, int32_t parent, const double *point, double *local)
{
	memcpy(local, point, 3 * sizeof *local);
	if (parent < 0) return;
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bones[parent].orientation)));
	const ossai_vec3 offset = ossai_sub(ossai_v3_of(point), ossai_v3_of(bones[parent].joint));
	ossai_v3_store(ossai_mat3_tmul_v(&frame, offset), local);
	/* what is only rounding shall read as 0 */
	for (int k = 0; k < 3; k++) local[k] = fabs(local[k]) > rounding * ossai_length(offset) ? local[k] : 0;
}

/* ---- turns ---- */

static void turns_of_bone(ossai_maya_writer *writer, size_t b)
{
	const ossa_clip *clip = writer->rig->clip;
	const ossai_quat back = ossai_quat_conjugate(rest_rotation(writer->rig->skeleton.bones, b));
	static const double rest[3] = {0, 0, 0};
	const double *before = rest;
	ossai_quat last = ossai_quat_identity();
	for (size_t f = 0; f < clip->frame_count; f++) {
		const size_t at = f * writer->bone_count + b;
		const ossai_quat turn = ossai_quat_mul(back, ossai_quat_unit(ossai_quat_of(clip->rotations + 4 * at)));
		const bool leaps = ossai_quat_angle(ossai_quat_mul(ossai_quat_conjugate(last), turn)) > farthest_step;
		double *degrees = writer->turns + 3 * at;
		ossai_euler_near(turn, OSSAI_EULER_ZYX, leaps ? rest : before, degrees);
		before = degrees;
		last = turn;
	}
}

ossa_status ossai_maya_find_turns(ossai_maya_writer *writer)
{
	const ossa_clip *clip = writer->rig ? writer->rig->clip : NULL;
	if (!clip || clip->frame_count == 0) return OSSA_OK;
	writer->turns = ossai_arena_new(&writer->arena, clip->frame_count * writer->bone_count, 3 * sizeof *writer->turns);
	if (!writer->turns) return ossa_context_error(writer->context)->status;
	for (size_t b = 0; b < writer->bone_count; b++) turns_of_bone(writer, b);
	return OSSA_OK;
}

/* ---- joints ---- */

static void put_joint(ossai_maya_writer *writer, const char *name, int32_t parent, const double place[3], const double turn[3])
{
	fprintf(writer->stream, "    (\"%s\", ", name);
	if (parent < 0) fputs("None, ", writer->stream);
	else fprintf(writer->stream, "\"%s\", ", ossai_maya_bone_name(writer, (size_t)parent));
	ossai_maya_tuple(writer, place, 3, 12);
	fputs(", ", writer->stream);
	ossai_maya_tuple(writer, turn, 3, 12);
	fputs("),\n", writer->stream);
}

void ossai_maya_put_joints(ossai_maya_writer *writer)
{
	static const double none[3] = {0, 0, 0};
	double place[3], turn[3];
	fputs("# name, parent, translate, jointOrient (degrees): the rest pose\nJOINTS = [\n", writer->stream);
	for (size_t b = 0; b < writer->bone_count; b++) {
		const ossa_bone *bones = writer->rig->skeleton.bones;
		local_place(bones, bones[b].parent, bones[b].joint, place);
		ossai_euler_near(rest_rotation(bones, b), OSSAI_EULER_ZYX, none, turn);
		put_joint(writer, ossai_maya_bone_name(writer, b), bones[b].parent, place, turn);
	}
	fputs("]\n\n# the same for joints that only show where leaf bones end\nENDS = [\n", writer->stream);
	for (size_t i = 0; i < writer->leaf_count; i++) {
		const ossa_bone *bones = writer->rig->skeleton.bones;
		const int32_t bone = (int32_t)writer->leaves[i];
		local_place(bones, bone, bones[bone].tail, place);
		put_joint(writer, ossai_maya_end_name(writer, i), bone, place, none);
	}
	fputs("]\n\n", writer->stream);
}

/* ---- limits ---- */

/* degrees between which a bone turns about an axis in the clip, rest included */
static void range_of_turns(const ossai_maya_writer *writer, size_t b, int axis, double *least, double *most)
{
	const size_t frames = writer->turns ? writer->rig->clip->frame_count : 0;
	*least = *most = 0;
	for (size_t f = 0; f < frames; f++) {
		const double turn = writer->turns[3 * (f * writer->bone_count + b) + (size_t)axis];
		*least = fmin(*least, turn);
		*most = fmax(*most, turn);
	}
}

/* which axes are switched on: where the range is known, from the rig or its motion, and the motion keeps to it */
static void switches_of_bone(ossai_maya_writer *writer, const ossa_bone *limited, size_t b, bool on[3])
{
	const ossa_bone *own = &writer->rig->skeleton.bones[b];
	bool turns = false, outside[3];
	for (int axis = 0; axis < 3; axis++) {
		double least, most;
		range_of_turns(writer, b, axis, &least, &most);
		turns = turns || most - least > still;
		outside[axis] = least < limited->limits[axis][0] - touching || most > limited->limits[axis][1] + touching;
	}
	for (int axis = 0; axis < 3; axis++) {
		on[axis] = own->has_limits || (turns && own->parent >= 0);
		if (!on[axis] || !outside[axis]) continue;
		on[axis] = false;
		ossai_warn(writer->context, "maya-limits", 1,
			"the motion turns joint \"%s\" farther than its limits: limits that the motion leaves are switched off in the "
			"script",
			own->name);
	}
}

ossa_status ossai_maya_put_limits(ossai_maya_writer *writer)
{
	fputs("# joint, least and largest turn about x, y, z against the rest pose (degrees), which axes are limited\nLIMITS = [\n",
		writer->stream);
	ossa_bone *bones = ossai_arena_new(&writer->arena, writer->bone_count, sizeof *bones);
	if (!bones) return ossa_context_error(writer->context)->status;
	if (writer->bone_count > 0) {
		/* the caller's bones stay as they are */
		ossa_rig limited = *writer->rig;
		memcpy(bones, writer->rig->skeleton.bones, writer->bone_count * sizeof *bones);
		limited.skeleton.bones = bones;
		OSSAI_TRY(ossa_rig_find_limits(writer->context, &limited, writer->options->limit_slack));
	}
	for (size_t b = 0; b < writer->bone_count; b++) {
		bool on[3];
		fprintf(writer->stream, "    (\"%s\"", ossai_maya_bone_name(writer, b));
		for (int axis = 0; axis < 3; axis++) {
			fputs(", ", writer->stream);
			ossai_maya_tuple(writer, bones[b].limits[axis], 2, 9);
		}
		switches_of_bone(writer, &bones[b], b, on);
		fprintf(
			writer->stream, ", (%s, %s, %s)),\n", on[0] ? "True" : "False", on[1] ? "True" : "False", on[2] ? "True" : "False");
	}
	fputs("]\n", writer->stream);
	return OSSA_OK;
}

/* ---- keys ---- */

static void put_times(ossai_maya_writer *writer, const ossa_clip *clip)
{
	fputs("\n# seconds of the keys\n", writer->stream);
	ossai_maya_begin_block(writer, "TIMES");
	for (size_t f = 0; writer->turns && f < clip->frame_count; f++) ossai_maya_number(writer, clip->times[f], 12);
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
	const ossa_clip *clip = writer->turns ? writer->rig->clip : NULL;
	const size_t frames = clip ? clip->frame_count : 0;
	put_times(writer, clip);
	fputs("\n# joint and its rotate (degrees), x y z for each time\nTURNS = [\n", writer->stream);
	for (size_t b = 0; clip && b < writer->bone_count; b++) {
		put_keys(writer, b, writer->turns + 3 * b, 3 * writer->bone_count, frames, 9);
	}
	fputs("]\n\n# joint and its translate, x y z for each time\nPLACES = [\n", writer->stream);
	if (clip) put_keys(writer, 0, clip->root_positions, 3, frames, 12);
	for (size_t b = 1; clip && clip->translations && b < writer->bone_count; b++) {
		put_keys(writer, b, clip->translations + 3 * b, 3 * writer->bone_count, frames, 12);
	}
	fputs("]\n\n", writer->stream);
}
