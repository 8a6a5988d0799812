/* export/gltf/glb_weights.c: joints and weights of a GLB's vertices.

   Place in the path: inside the GLB writer.
   Input: the rig's weights, which vertex of the mesh each vertex of the file is.
   Output: the attributes JOINTS_0, WEIGHTS_0, JOINTS_1 ...
   Source: glTF 2.0 specification, 3.7.3.1. */
#include "export/gltf/glb.h"

#include <math.h>
#include <stdio.h>

/* sets of four weights: JOINTS_0, JOINTS_1 ... */
enum { MOST_SETS = 64 };

/* how many pairs of a vertex are used; they come first */
static size_t used_pairs(const ossa_weights *weights, size_t vertex)
{
	const float *values = weights->values + vertex * (size_t)weights->influences;
	size_t count = 0;
	while (count < (size_t)weights->influences && values[count] > 0) count++;
	return count;
}

/* the sets of four pairs that fit into the file */
typedef struct weight_sets {
	size_t count;
	uint8_t *small[MOST_SETS];  /* joints as bytes, or NULL */
	uint16_t *large[MOST_SETS]; /* or wider */
	float *values[MOST_SETS];
} weight_sets;

static void store_pair(const weight_sets *sets, size_t vertex, size_t pair, uint16_t bone, float value)
{
	const size_t set = pair / 4, at = 4 * vertex + pair % 4;
	if (sets->small[set]) sets->small[set][at] = (uint8_t)bone;
	else sets->large[set][at] = bone;
	sets->values[set][at] = value;
}

/* The weights of the mesh's vertex `origin` for the file's `to`, their sum 1 as exactly as floats
   can; what is unused must be joint 0 with weight 0. Weights that are exact already stay as they
   are, so that a file read and written again is the same. */
static void store_weights(const weight_sets *sets, const ossa_weights *weights, size_t origin, size_t to)
{
	const uint16_t *bones = weights->bones + origin * (size_t)weights->influences;
	const float *given = weights->values + origin * (size_t)weights->influences;
	const size_t count = used_pairs(weights, origin);
	double sum = 0, rest = 0;
	for (size_t k = 0; k < count; k++) sum += (double)given[k];
	const bool exact = fabs(sum - 1) < 1e-7;
	size_t at = 1;
	for (size_t k = 1; k < count; k++) {
		const float value = exact ? given[k] : (float)((double)given[k] / sum);
		if (value == 0) continue;
		store_pair(sets, to, at++, bones[k], value);
		rest += (double)value;
	}
	/* the largest compensates for rounding; vertices without weights follow the root */
	store_pair(sets, to, 0, count > 0 ? bones[0] : 0, (float)(1 - rest));
	for (; at < 4 * sets->count; at++) store_pair(sets, to, at, 0, 0);
}

/* an array of `count` elements, known to the primitives as `name` */
static void *put_set(
	ossai_glb_writer *writer, json_t *attributes, const char *name, size_t set, ossai_glb_layout layout, size_t count)
{
	char key[32];
	size_t accessor;
	void *data = ossai_glb_put_array(writer, layout, count, OSSAI_GLB_VERTICES, &accessor);
	snprintf(key, sizeof key, "%s_%zu", name, set);
	if (!data || json_object_set_new(attributes, key, json_integer((json_int_t)accessor)) == 0) return data;
	ossai_glb_no_memory(writer->context);
	return NULL;
}

static ossa_status make_sets(
	ossai_glb_writer *writer, size_t most, bool small, size_t count, json_t *attributes, weight_sets *sets)
{
	*sets = (weight_sets){.count = (most + 3) / 4};
	if (sets->count > MOST_SETS) {
		return ossai_fail(writer->context, OSSA_ERROR_LIMIT, NULL,
			"some vertices have %zu weights, a glTF file takes at most %d: write fewer influences", most, 4 * MOST_SETS);
	}
	for (size_t set = 0; set < sets->count; set++) {
		const ossai_glb_layout layout = small ? OSSAI_GLB_VEC4_U8 : OSSAI_GLB_VEC4_U16;
		void *joints = put_set(writer, attributes, "JOINTS", set, layout, count);
		sets->values[set] = joints ? put_set(writer, attributes, "WEIGHTS", set, OSSAI_GLB_VEC4, count) : NULL;
		if (!sets->values[set]) return ossa_context_error(writer->context)->status;
		if (small) sets->small[set] = joints;
		else sets->large[set] = joints;
	}
	return OSSA_OK;
}

ossa_status ossai_glb_put_weights(ossai_glb_writer *writer, const ossa_weights *weights, size_t bone_count, size_t count,
	const uint32_t *origin, json_t *attributes)
{
	weight_sets sets;
	size_t most = 1;
	for (size_t i = 0; i < count; i++) {
		const size_t used = used_pairs(weights, origin[i]);
		if (used > most) most = used;
	}
	OSSAI_TRY(make_sets(writer, most, bone_count <= 256, count, attributes, &sets));
	for (size_t i = 0; i < count; i++) store_weights(&sets, weights, origin[i], i);
	return OSSA_OK;
}
