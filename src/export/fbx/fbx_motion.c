/* export/fbx/fbx_motion.c: the animation of an FBX file: straight curves through a key for each
   frame.

   Place in the path: inside the FBX writer.
   Input: the joints' turns, the clip's positions.
   Output: one AnimationStack with one layer; curves of every joint's Lcl Rotation and of the root's
   Lcl Translation (of every joint's where the clip moves them). */
#include "export/fbx/fbx.h"

#include <string.h>

/* linear, with the flags that its readers expect beside it */
enum { LINEAR_KEY = 0x6104 };

static const char *clip_name(const ossai_fbx_writer *writer)
{
	return writer->rig->clip->name[0] ? writer->rig->clip->name : "motion";
}

static void put_stack(ossai_fbx_writer *writer)
{
	const ossa_clip *clip = writer->rig->clip;
	const double begin = clip->times[0], end = clip->times[clip->frame_count - 1];
	ossai_fbx_begin(writer, "AnimationStack");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_STACK, 0));
	ossai_fbx_name(writer, clip_name(writer), "AnimStack");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Properties70");
	ossai_fbx_p_time(writer, "LocalStart", begin);
	ossai_fbx_p_time(writer, "LocalStop", end);
	ossai_fbx_p_time(writer, "ReferenceStart", begin);
	ossai_fbx_p_time(writer, "ReferenceStop", end);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "AnimationLayer");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_LAYER, 0));
	ossai_fbx_name(writer, clip_name(writer), "AnimLayer");
	ossai_fbx_text(writer, "");
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_LAYER, 0), ossai_fbx_id(OSSAI_FBX_STACK, 0), NULL);
}

/* the values of one axis over all frames, `stride` apart */
typedef struct curve {
	const double *values;
	size_t stride;
	double scale, rest;
} curve;

static void put_keys(ossai_fbx_writer *writer, const curve *c)
{
	const ossa_clip *clip = writer->rig->clip;
	ossai_fbx_begin(writer, "KeyTime");
	uint8_t *array = ossai_fbx_array(writer, 'l', clip->frame_count);
	for (size_t f = 0; array && f < clip->frame_count; f++) ossai_fbx_put_long(array, f, ossai_fbx_time(clip->times[f]));
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "KeyValueFloat");
	array = ossai_fbx_array(writer, 'f', clip->frame_count);
	for (size_t f = 0; array && f < clip->frame_count; f++) {
		ossai_fbx_put_float(array, f, (float)(c->values[f * c->stride] * c->scale));
	}
	ossai_fbx_end(writer);
}

/* one set of flags and tangents for all keys */
static void put_key_flags(ossai_fbx_writer *writer)
{
	ossai_fbx_begin(writer, "KeyAttrFlags");
	uint8_t *array = ossai_fbx_array(writer, 'i', 1);
	if (array) ossai_fbx_put_int(array, 0, LINEAR_KEY);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "KeyAttrDataFloat");
	array = ossai_fbx_array(writer, 'f', 4);
	for (size_t i = 0; array && i < 4; i++) ossai_fbx_put_float(array, i, 0);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "KeyAttrRefCount");
	array = ossai_fbx_array(writer, 'i', 1);
	if (array) ossai_fbx_put_int(array, 0, (int32_t)writer->rig->clip->frame_count);
	ossai_fbx_end(writer);
}

static void put_curve(ossai_fbx_writer *writer, size_t index, int64_t node, const char *property, const curve *c)
{
	const int64_t id = ossai_fbx_id(OSSAI_FBX_CURVE, index);
	ossai_fbx_begin(writer, "AnimationCurve");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, "", "AnimCurve");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Default");
	ossai_fbx_double(writer, c->rest);
	ossai_fbx_end(writer);
	ossai_fbx_int_record(writer, "KeyVer", 4008);
	put_keys(writer, c);
	put_key_flags(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, node, property);
}

/* x, y and z of what moves a bone: its rotations, or its position */
static void put_curve_node(ossai_fbx_writer *writer, size_t bone, bool turns, const curve curves[3])
{
	static const char *const axes[3] = {"d|X", "d|Y", "d|Z"};
	const size_t index = 2 * bone + !turns;
	const int64_t id = ossai_fbx_id(OSSAI_FBX_CURVE_NODE, index);
	ossai_fbx_begin(writer, "AnimationCurveNode");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, turns ? "R" : "T", "AnimCurveNode");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Properties70");
	for (int k = 0; k < 3; k++) ossai_fbx_p_double(writer, axes[k], "Number", "", "A", curves[k].rest);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_LAYER, 0), NULL);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_BONE, bone), turns ? "Lcl Rotation" : "Lcl Translation");
	for (size_t k = 0; k < 3; k++) put_curve(writer, 3 * index + k, id, axes[k], &curves[k]);
}

static void put_turns(ossai_fbx_writer *writer, size_t b)
{
	curve curves[3];
	for (size_t k = 0; k < 3; k++) curves[k] = (curve){&writer->joints.turns[b][k], 3 * writer->joints.count, 1, 0};
	put_curve_node(writer, b, true, curves);
}

static void put_places(ossai_fbx_writer *writer, size_t b)
{
	const ossa_clip *clip = writer->rig->clip;
	const double *values = b == 0 ? clip->root_positions : clip->translations + 3 * b;
	curve curves[3];
	for (size_t k = 0; k < 3; k++) {
		curves[k] = (curve){
			values + k, b == 0 ? 3 : 3 * writer->joints.count, writer->scale, writer->joints.position[b][k] * writer->scale};
	}
	put_curve_node(writer, b, false, curves);
}

void ossai_fbx_put_motion(ossai_fbx_writer *writer)
{
	put_stack(writer);
	for (size_t b = 0; b < writer->joints.count; b++) {
		put_turns(writer, b);
		if (b == 0 || writer->moves_all) put_places(writer, b);
	}
}
