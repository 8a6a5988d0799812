/* export/fbx/fbx_motion.c: the animation of an FBX file: straight curves through a key for each
   frame.

   Place in the path: inside the FBX writer.
   Input: the joints' turns, the clips' positions.
   Output: for each clip an AnimationStack with one layer; curves of every joint's Lcl Rotation and
   of the root's Lcl Translation (of every joint's where the clip moves them); of the DeformPercent
   of morph targets that move. */
#include "export/fbx/fbx.h"
#include "rig/shapes.h"

#include <string.h>

/* linear, with the flags that its readers expect beside it */
enum { LINEAR_KEY = 0x6104 };

/* a clip as it is written */
typedef struct motion {
	const ossa_clip *clip;
	size_t index; /* of its stack */
	size_t first; /* frame of the joints' turns that is its first */
} motion;

static const char *clip_name(const ossa_clip *clip) { return clip->name[0] ? clip->name : "motion"; }

static void put_stack(ossai_fbx_writer *writer, const motion *m)
{
	const ossa_clip *clip = m->clip;
	const double begin = clip->times[0], end = clip->times[clip->frame_count - 1];
	ossai_fbx_begin(writer, "AnimationStack");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_STACK, m->index));
	ossai_fbx_name(writer, clip_name(clip), "AnimStack");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Properties70");
	ossai_fbx_p_time(writer, "LocalStart", begin);
	ossai_fbx_p_time(writer, "LocalStop", end);
	ossai_fbx_p_time(writer, "ReferenceStart", begin);
	ossai_fbx_p_time(writer, "ReferenceStop", end);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "AnimationLayer");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_LAYER, m->index));
	ossai_fbx_name(writer, clip_name(clip), "AnimLayer");
	ossai_fbx_text(writer, "");
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_LAYER, m->index), ossai_fbx_id(OSSAI_FBX_STACK, m->index), NULL);
}

/* the values of one axis over all frames, `stride` apart */
typedef struct curve {
	const double *values;
	size_t stride;
	double scale, rest;
} curve;

static void put_keys(ossai_fbx_writer *writer, const ossa_clip *clip, const curve *c)
{
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
static void put_key_flags(ossai_fbx_writer *writer, size_t keys)
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
	if (array) ossai_fbx_put_int(array, 0, (int32_t)keys);
	ossai_fbx_end(writer);
}

static void put_curve(ossai_fbx_writer *writer, const motion *m, int64_t id, int64_t node, const char *property, const curve *c)
{
	ossai_fbx_begin(writer, "AnimationCurve");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, "", "AnimCurve");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Default");
	ossai_fbx_double(writer, c->rest);
	ossai_fbx_end(writer);
	ossai_fbx_int_record(writer, "KeyVer", 4008);
	put_keys(writer, m->clip, c);
	put_key_flags(writer, m->clip->frame_count);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, node, property);
}

/* x, y and z of what moves a bone: its rotations, or its position */
static void put_curve_node(ossai_fbx_writer *writer, const motion *m, size_t bone, bool turns, const curve curves[3])
{
	static const char *const axes[3] = {"d|X", "d|Y", "d|Z"};
	const size_t index = 2 * (m->index * writer->joints.count + bone) + !turns;
	const int64_t id = ossai_fbx_id(OSSAI_FBX_CURVE_NODE, index);
	ossai_fbx_begin(writer, "AnimationCurveNode");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, turns ? "R" : "T", "AnimCurveNode");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Properties70");
	for (int k = 0; k < 3; k++) ossai_fbx_p_double(writer, axes[k], "Number", "", "A", curves[k].rest);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_LAYER, m->index), NULL);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_BONE, bone), turns ? "Lcl Rotation" : "Lcl Translation");
	for (size_t k = 0; k < 3; k++) put_curve(writer, m, ossai_fbx_id(OSSAI_FBX_CURVE, 3 * index + k), id, axes[k], &curves[k]);
}

static void put_turns(ossai_fbx_writer *writer, const motion *m, size_t b)
{
	const size_t count = writer->joints.count;
	curve curves[3];
	for (size_t k = 0; k < 3; k++) curves[k] = (curve){&writer->joints.turns[m->first * count + b][k], 3 * count, 1, 0};
	put_curve_node(writer, m, b, true, curves);
}

static void put_places(ossai_fbx_writer *writer, const motion *m, size_t b)
{
	const double *values = b == 0 ? m->clip->root_positions : m->clip->translations + 3 * b;
	curve curves[3];
	for (size_t k = 0; k < 3; k++) {
		curves[k] = (curve){
			values + k, b == 0 ? 3 : 3 * writer->joints.count, writer->scale, writer->joints.position[b][k] * writer->scale};
	}
	put_curve_node(writer, m, b, false, curves);
}

/* ---- morph targets ---- */

static void put_shape_curve(ossai_fbx_writer *writer, const motion *m, size_t shape, const double *percent, double rest)
{
	const size_t index = m->index * writer->shape_count + shape;
	const int64_t id = ossai_fbx_id(OSSAI_FBX_SHAPE_CURVE_NODE, index);
	const curve values = {percent, 1, 1, rest};
	ossai_fbx_begin(writer, "AnimationCurveNode");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, "DeformPercent", "AnimCurveNode");
	ossai_fbx_text(writer, "");
	ossai_fbx_begin(writer, "Properties70");
	ossai_fbx_p_double(writer, "d|DeformPercent", "Number", "", "A", rest);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_LAYER, m->index), NULL);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_SHAPE_CHANNEL, shape), "DeformPercent");
	put_curve(writer, m, ossai_fbx_id(OSSAI_FBX_SHAPE_CURVE, index), id, "d|DeformPercent", &values);
}

/* weights over the clip of those targets of a part that move in it */
static void put_shapes(ossai_fbx_writer *writer, const motion *m, const ossai_fbx_part *part)
{
	const size_t frames = m->clip->frame_count;
	double *percent = ossai_arena_new(&writer->arena, frames, sizeof *percent);
	if (!percent) {
		writer->status = ossa_context_error(writer->context)->status;
		return;
	}
	for (size_t i = 0; i < part->mesh->morph_count; i++) {
		const size_t morph = part->morphs ? part->morphs[i] : i;
		if (!ossai_shape_moves(writer->rig, morph, m->clip)) continue;
		for (size_t f = 0; f < frames; f++) percent[f] = 100 * ossai_shape_weight(writer->rig, morph, m->clip, f);
		put_shape_curve(writer, m, part->first_shape + i, percent, 100 * part->mesh->morphs[i].weight);
	}
}

void ossai_fbx_put_motion(ossai_fbx_writer *writer)
{
	motion m = {.index = 0};
	for (size_t i = 0; i < ossa_rig_clip_count(writer->rig); i++) {
		m.clip = ossa_rig_clip_at(writer->rig, i);
		if (m.clip->frame_count == 0) continue;
		put_stack(writer, &m);
		for (size_t b = 0; b < writer->joints.count; b++) {
			put_turns(writer, &m, b);
			if (b == 0 || m.clip->translations) put_places(writer, &m, b);
		}
		for (size_t p = 0; p < writer->part_count; p++) {
			if (writer->parts[p].mesh->morph_count > 0) put_shapes(writer, &m, &writer->parts[p]);
		}
		m.first += m.clip->frame_count;
		m.index++;
	}
}

static size_t count_shapes(const ossai_fbx_writer *writer, const ossa_clip *clip)
{
	size_t count = 0;
	for (size_t p = 0; p < writer->part_count; p++) {
		const ossai_fbx_part *part = &writer->parts[p];
		for (size_t i = 0; i < part->mesh->morph_count; i++)
			count += ossai_shape_moves(writer->rig, part->morphs ? part->morphs[i] : i, clip);
	}
	return count;
}

void ossai_fbx_count_motion(const ossai_fbx_writer *writer, size_t *stacks, size_t *curve_nodes, size_t *shape_curves)
{
	*stacks = *curve_nodes = *shape_curves = 0;
	for (size_t i = 0; i < ossa_rig_clip_count(writer->rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(writer->rig, i);
		if (clip->frame_count == 0) continue;
		++*stacks;
		*curve_nodes += writer->joints.count + (clip->translations ? writer->joints.count : 1);
		*shape_curves += count_shapes(writer, clip);
	}
}
