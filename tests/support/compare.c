/* tests/support/compare.c: see compare.h. */
#include "support/compare.h"

#include "math/vec.h"
#include "support/support.h"

#include <string.h>

double test_diagonal(const ossa_mesh *mesh)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], (double)mesh->positions[i]);
		high[i % 3] = fmax(high[i % 3], (double)mesh->positions[i]);
	}
	return ossai_distance(ossai_v3_of(low), ossai_v3_of(high));
}

float test_weight_of(const ossa_weights *weights, size_t vertex, size_t bone)
{
	float sum = 0;
	for (size_t k = 0; k < (size_t)weights->influences; k++) {
		const size_t at = vertex * (size_t)weights->influences + k;
		if (weights->bones[at] == bone) sum += weights->values[at];
	}
	return sum;
}

float test_weight_named(const ossa_rig *rig, size_t vertex, const char *bone)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, bone) == 0) return test_weight_of(&rig->weights, vertex, b);
	}
	return 0;
}

void test_assert_same_weights(const ossa_weights *a, const ossa_weights *b, float tolerance)
{
	assert_int_equal(a->vertex_count, b->vertex_count);
	for (size_t i = 0; i < a->vertex_count * (size_t)a->influences; i++) {
		const size_t v = i / (size_t)a->influences, bone = a->bones[i];
		const float here = test_weight_of(a, v, bone), there = test_weight_of(b, v, bone);
		if (!(fabsf(here - there) <= tolerance)) {
			fail_msg("vertex %zu, bone %zu: %.9g in place of %.9g", v, bone, (double)there, (double)here);
		}
	}
}

double test_largest_difference(ossa_context *context, const ossa_rig *a, const ossa_rig *b, const uint32_t *match)
{
	const size_t count = a->mesh->vertex_count, frames = a->clip ? a->clip->frame_count : 0;
	float *p = ossa_alloc(context, 3 * count, sizeof *p), *q = ossa_alloc(context, 3 * b->mesh->vertex_count, sizeof *q);
	double most = 0;
	assert_true(p && q);
	for (size_t f = 0; f <= frames; f++) {
		assert_ok(context, ossa_rig_pose(context, a, NULL, f > 0 ? a->clip : NULL, f > 0 ? f - 1 : 0, p));
		assert_ok(context, ossa_rig_pose(context, b, NULL, f > 0 ? b->clip : NULL, f > 0 ? f - 1 : 0, q));
		for (size_t v = 0; v < count; v++) {
			const size_t other = match ? match[v] : v;
			most = fmax(most, ossai_distance(ossai_v3_of_float(p + 3 * v), ossai_v3_of_float(q + 3 * other)));
		}
	}
	ossa_free(context, p);
	ossa_free(context, q);
	return most / test_diagonal(a->mesh);
}

ossa_sample *test_sample_of_kind(ossa_context *context, int kind, int faces, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	ossa_sample *sample = NULL;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}
