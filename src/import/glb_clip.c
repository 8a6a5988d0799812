/* import/glb_clip.c: the first animation of a glTF file as a clip.

   Place in the path: inside the GLB reader.  In: channels of translation, rotation and scale.  Out: an ossa_clip with a frame at
   every key time of any channel that moves a joint.
   Source: glTF 2.0 specification, 3.11 and appendix C (interpolation). */
#include "import/glb_document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum channel_path { PATH_TRANSLATION, PATH_ROTATION, PATH_SCALE } channel_path;
typedef enum interpolation { LINEAR, STEP, CUBIC } interpolation;

/* one channel; values are key after key, CUBIC: in-tangent, value, out-tangent each */
typedef struct channel {
	uint32_t node;
	channel_path path;
	interpolation how;
	size_t count, width;
	float *times, *values;
} channel;

typedef struct motion {
	ossai_gltf *document;
	const ossai_gltf_nodes *nodes;
	const ossai_gltf_skin *skin;
	uint32_t *needed; /* joints' nodes and all above them, parents first */
	size_t needed_count;
	uint8_t *is_needed; /* by node */
	channel *channels;
	size_t channel_count;
	double *times;
	size_t frame_count;
	ossai_gltf_transform *local; /* by node, of the current frame */
	ossai_rigid *world;
} motion;

/* ---- reading ---- */

static ossa_status find_needed(motion *m)
{
	ossai_arena *arena = &m->document->arena;
	m->is_needed = ossai_arena_zero(arena, m->nodes->count, 1);
	m->needed = ossai_arena_new(arena, m->nodes->count, sizeof *m->needed);
	if (!m->is_needed || !m->needed) return ossa_context_error(m->document->context)->status;
	for (size_t b = 0; b < m->skin->bone_count; b++) {
		uint32_t n = m->skin->node_of_bone[b];
		for (; n != OSSA_NONE && !m->is_needed[n]; n = m->nodes->parent[n]) m->is_needed[n] = 1;
	}
	for (size_t i = 0; i < m->nodes->count; i++) {
		if (m->is_needed[m->nodes->order[i]]) m->needed[m->needed_count++] = m->nodes->order[i];
	}
	return OSSA_OK;
}

static bool parse_path(const char *name, channel_path *path, size_t *width)
{
	static const char *const names[] = {"translation", "rotation", "scale"};
	for (int i = 0; name && i < 3; i++) {
		if (strcmp(name, names[i]) != 0) continue;
		*path = (channel_path)i;
		*width = *path == PATH_ROTATION ? 4 : 3;
		return true;
	}
	return false;
}

static ossa_status read_sampler(motion *m, const json_t *sampler, channel *out)
{
	const char *how = json_string_value(json_object_get(sampler, "interpolation"));
	size_t input, output, value_count;
	out->how = how && strcmp(how, "STEP") == 0 ? STEP : how && strcmp(how, "CUBICSPLINE") == 0 ? CUBIC : LINEAR;
	OSSAI_TRY(ossai_gltf_index(m->document, sampler, "input", "accessors", &input));
	OSSAI_TRY(ossai_gltf_index(m->document, sampler, "output", "accessors", &output));
	if (input == SIZE_MAX || output == SIZE_MAX)
		return ossai_gltf_fail(m->document, "an animation sampler lacks input or output");
	OSSAI_TRY(ossai_gltf_floats(m->document, input, 1, &out->count, &out->times));
	OSSAI_TRY(ossai_gltf_floats(m->document, output, out->width, &value_count, &out->values));
	const size_t wanted = out->how == CUBIC ? out->count * 3 : out->count;
	if (value_count >= wanted) return OSSA_OK;
	return ossai_gltf_fail(m->document, "an animation sampler has %zu values for %zu keys", value_count, out->count);
}

static ossa_status read_channels(motion *m)
{
	const json_t *animation = ossai_gltf_item(m->document, "animations", 0);
	const json_t *list = json_object_get(animation, "channels"), *samplers = json_object_get(animation, "samplers");
	m->channels = ossai_arena_zero(&m->document->arena, json_array_size(list), sizeof *m->channels);
	if (!m->channels) return ossa_context_error(m->document->context)->status;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *item = json_array_get(list, i), *target = json_object_get(item, "target");
		channel *out = &m->channels[m->channel_count];
		size_t node, sampler;
		OSSAI_TRY(ossai_gltf_index(m->document, target, "node", "nodes", &node));
		OSSAI_TRY(ossai_gltf_whole(m->document, item, "sampler", SIZE_MAX, &sampler));
		if (node == SIZE_MAX || !m->is_needed[node]) continue;
		if (!parse_path(json_string_value(json_object_get(target, "path")), &out->path, &out->width)) continue;
		if (sampler >= json_array_size(samplers))
			return ossai_gltf_fail(m->document, "animation channel %zu has no sampler", i);
		out->node = (uint32_t)node;
		OSSAI_TRY(read_sampler(m, json_array_get(samplers, sampler), out));
		if (out->count > 0) m->channel_count++;
	}
	return OSSA_OK;
}

static int compare_times(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* the union of all key times */
static ossa_status join_times(motion *m)
{
	size_t total = 0;
	for (size_t c = 0; c < m->channel_count; c++) total += m->channels[c].count;
	m->times = ossai_arena_new(&m->document->arena, total, sizeof *m->times);
	if (!m->times) return ossa_context_error(m->document->context)->status;
	total = 0;
	for (size_t c = 0; c < m->channel_count; c++) {
		for (size_t k = 0; k < m->channels[c].count; k++) m->times[total++] = (double)m->channels[c].times[k];
	}
	if (total > 0) qsort(m->times, total, sizeof *m->times, compare_times);
	for (size_t i = 0; i < total; i++) {
		if (i == 0 || m->times[i] > m->times[m->frame_count - 1]) m->times[m->frame_count++] = m->times[i];
	}
	return OSSA_OK;
}

/* ---- sampling ---- */

/* the last key at or before `time`; 0 before the first */
static size_t key_before(const channel *c, double time)
{
	size_t low = 0, high = c->count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if ((double)c->times[middle] <= time) low = middle;
		else high = middle;
	}
	return low;
}

static const float *key_value(const channel *c, size_t key)
{
	return c->values + (c->how == CUBIC ? 3 * key + 1 : key) * c->width;
}

/* shortest way on the sphere */
static void slerp(const float *a, const float *b, double s, double *out)
{
	const ossai_quat p = ossai_quat_unit((ossai_quat){(double)a[0], (double)a[1], (double)a[2], (double)a[3]});
	ossai_quat q = ossai_quat_unit((ossai_quat){(double)b[0], (double)b[1], (double)b[2], (double)b[3]});
	double cosine = ossai_quat_dot(p, q);
	if (cosine < 0) {
		q = ossai_quat_negate(q);
		cosine = -cosine;
	}
	const double angle = acos(fmin(cosine, 1)), sine = sin(angle);
	const double u = sine > 1e-6 ? sin((1 - s) * angle) / sine : 1 - s, v = sine > 1e-6 ? sin(s * angle) / sine : s;
	const ossai_quat mix = {u * p.x + v * q.x, u * p.y + v * q.y, u * p.z + v * q.z, u * p.w + v * q.w};
	ossai_quat_store(mix, out);
}

static void sample(const channel *c, double time, double *out)
{
	const size_t key = key_before(c, time);
	const float *a = key_value(c, key);
	for (size_t k = 0; k < c->width; k++) out[k] = (double)a[k];
	if (c->how == STEP || key + 1 >= c->count || time <= (double)c->times[key]) return;
	const double step = (double)c->times[key + 1] - (double)c->times[key];
	if (!(step > 0)) return;
	const double s = (time - (double)c->times[key]) / step;
	const float *b = key_value(c, key + 1);
	if (c->how == CUBIC) {
		const float *leave = a + c->width, *arrive = b - c->width;
		const double s2 = s * s, s3 = s2 * s;
		for (size_t k = 0; k < c->width; k++) {
			out[k] = (2 * s3 - 3 * s2 + 1) * (double)a[k] + step * (s3 - 2 * s2 + s) * (double)leave[k] +
				(3 * s2 - 2 * s3) * (double)b[k] + step * (s3 - s2) * (double)arrive[k];
		}
	} else if (c->path == PATH_ROTATION) {
		slerp(a, b, s, out);
	} else {
		for (size_t k = 0; k < c->width; k++) out[k] += s * ((double)b[k] - (double)a[k]);
	}
}

static void pose_nodes(motion *m, double time)
{
	for (size_t i = 0; i < m->needed_count; i++) m->local[m->needed[i]] = m->nodes->rest[m->needed[i]];
	for (size_t i = 0; i < m->channel_count; i++) {
		double value[4];
		ossai_gltf_transform *local = &m->local[m->channels[i].node];
		sample(&m->channels[i], time, value);
		switch (m->channels[i].path) {
		case PATH_TRANSLATION: local->translation = ossai_v3_of(value); break;
		case PATH_ROTATION: local->rotation = ossai_quat_of(value); break;
		case PATH_SCALE: local->scale = ossai_v3_of(value); break;
		}
	}
	for (size_t i = 0; i < m->needed_count; i++) {
		const uint32_t n = m->needed[i], parent = m->nodes->parent[n];
		const ossai_rigid local = ossai_gltf_local(&m->local[n]);
		m->world[n] = parent == OSSA_NONE ? local : ossai_rigid_mul(&m->world[parent], &local);
	}
}

/* ---- the clip ---- */

/* bones' rigid frames in the current pose; returns whether a scale had to be dropped */
static bool bone_frames(const motion *m, ossai_rigid *frames)
{
	bool dropped = false;
	for (size_t b = 0; b < m->skin->bone_count; b++) {
		const uint32_t node = m->skin->node_of_bone[b];
		if (node == OSSA_NONE) {
			frames[b] = m->skin->bind[b];
			continue;
		}
		const ossai_rigid map = ossai_rigid_mul(&m->world[node], &m->skin->offset[b]);
		double scale;
		frames[b] = (ossai_rigid){ossai_gltf_rotation_of(&map.r, &scale), map.t};
		dropped = dropped || fabs(scale - 1) > 1e-3;
	}
	return dropped;
}

/* one frame's local rotations, with signs that follow the frame before, and local offsets */
static void store_frame(const motion *m, const ossai_rigid *frames, size_t frame, ossa_clip *clip)
{
	const size_t bones = clip->bone_count;
	ossai_v3_store(frames[0].t, clip->root_positions + 3 * frame);
	for (size_t b = 0; b < bones; b++) {
		const int32_t parent = m->skin->parent_of_bone[b];
		ossai_rigid local = frames[b];
		if (parent >= 0) {
			const ossai_rigid back = ossai_rigid_inverse(&frames[parent]);
			local = ossai_rigid_mul(&back, &frames[b]);
		}
		ossai_quat q = ossai_mat3_quat(&local.r);
		double *out = clip->rotations + (frame * bones + b) * 4;
		if (frame > 0 && ossai_quat_dot(q, ossai_quat_of(out - 4 * bones)) < 0) q = ossai_quat_negate(q);
		ossai_quat_store(q, out);
		ossai_v3_store(local.t, clip->translations + (frame * bones + b) * 3);
	}
}

/* whether every bone but the root keeps its offset at rest in all frames */
static bool lengths_are_constant(const motion *m, const ossa_clip *clip, double tolerance)
{
	for (size_t b = 1; b < clip->bone_count; b++) {
		const ossai_rigid back = ossai_rigid_inverse(&m->skin->bind[m->skin->parent_of_bone[b]]);
		const ossai_vec3 rest = ossai_rigid_point(&back, m->skin->bind[b].t);
		for (size_t f = 0; f < clip->frame_count; f++) {
			const ossai_vec3 offset = ossai_v3_of(clip->translations + (f * clip->bone_count + b) * 3);
			if (!(ossai_distance(offset, rest) <= tolerance)) return false;
		}
	}
	return true;
}

static ossa_status fill_clip(motion *m, ossa_clip *clip, double tolerance)
{
	ossa_context *context = m->document->context;
	const char *name = json_string_value(json_object_get(ossai_gltf_item(m->document, "animations", 0), "name"));
	ossai_rigid *frames = ossai_arena_new(&m->document->arena, clip->bone_count, sizeof *frames);
	int64_t dropped = 0;
	if (!frames) return ossa_context_error(context)->status;
	snprintf(clip->name, sizeof clip->name, "%s", name ? name : "");
	for (size_t f = 0; f < clip->frame_count; f++) {
		pose_nodes(m, m->times[f]);
		dropped += bone_frames(m, frames);
		clip->times[f] = m->times[f];
		store_frame(m, frames, f, clip);
	}
	if (dropped > 0) {
		ossai_warn(context, "scale-dropped", dropped, "%s: joints are scaled in some frames; bones of ossa keep their size",
			ossai_file_name(m->document->path));
	}
	if (lengths_are_constant(m, clip, tolerance)) {
		ossa_free(context, clip->translations);
		clip->translations = NULL;
	}
	return OSSA_OK;
}

static ossa_status read_motion(motion *m)
{
	OSSAI_TRY(find_needed(m));
	OSSAI_TRY(read_channels(m));
	OSSAI_TRY(join_times(m));
	OSSAI_TRY(ossai_gltf_charge(m->document, m->frame_count, m->needed_count + m->channel_count));
	m->local = ossai_arena_new(&m->document->arena, m->nodes->count, sizeof *m->local);
	m->world = ossai_arena_new(&m->document->arena, m->nodes->count, sizeof *m->world);
	return m->local && m->world ? OSSA_OK : ossa_context_error(m->document->context)->status;
}

ossa_status ossai_gltf_read_clip(
	ossai_gltf *document, const ossai_gltf_nodes *nodes, const ossai_gltf_skin *skin, double tolerance, ossa_clip **clip)
{
	motion m = {.document = document, .nodes = nodes, .skin = skin};
	*clip = NULL;
	OSSAI_TRY(read_motion(&m));
	if (m.frame_count == 0) return OSSA_OK;
	OSSAI_TRY(ossa_clip_create(document->context, m.frame_count, skin->bone_count, true, clip));
	const ossa_status status = fill_clip(&m, *clip, tolerance);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_clip_free(document->context, *clip);
	*clip = NULL;
	return status;
}
