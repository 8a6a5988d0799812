/* tests/support/morphs.c: see morphs.h. */
#include "support/morphs.h"

#include "scene/mesh.h"
#include "support/support.h"

#include <math.h>

static void add(ossa_context *context, ossa_mesh *mesh, const char *name, size_t count, size_t step)
{
	ossa_morph *morph;
	assert_ok(context, ossai_morphs_add(context, mesh, name, count, &morph));
	for (size_t i = 0; i < count; i++) {
		morph->vertices[i] = (uint32_t)(i * step);
		for (size_t k = 0; k < 3; k++) morph->deltas[3 * i + k] = 0.01f * (float)(1 + (i + 2 * k + step) % 7);
	}
}

void test_add_morphs(ossa_context *context, ossa_mesh *mesh)
{
	add(context, mesh, "smile", (mesh->vertex_count + 4) / 5, 5);
	add(context, mesh, "2 jaw <open> & \"wide\\\" \xc3\xbc", mesh->vertex_count, 1);
	add(context, mesh, "weight", 0, 1);
	/* the shape that the mesh had is seen at rest */
	mesh->morphs[0].weight = 0.375;
}

/* binary fractions, so that floats hold them */
double test_morph_weight(size_t morph, size_t frame) { return (double)((3 * frame + 5 * morph) % 8) / 8 - 0.25; }

void test_move_morphs(ossa_context *context, const ossa_mesh *mesh, ossa_clip *clip)
{
	assert_ok(context, ossa_clip_add_morphs(context, clip, mesh->morph_count));
	for (size_t f = 0; f < clip->frame_count; f++) {
		for (size_t m = 0; m < mesh->morph_count; m++) clip->morph_weights[f * mesh->morph_count + m] = test_morph_weight(m, f);
	}
}

void test_assert_morphs(const ossa_mesh *mesh, const ossa_mesh *back)
{
	double largest = 0;
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) largest = fmax(largest, fabs((double)mesh->positions[i]));
	assert_int_equal(back->morph_count, mesh->morph_count);
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const ossa_morph *a = &mesh->morphs[m], *b = &back->morphs[m];
		assert_string_equal(a->name, b->name);
		assert_near(a->weight, b->weight, 1e-7);
		assert_int_equal(a->count, b->count);
		for (size_t i = 0; i < a->count; i++) assert_int_equal(a->vertices[i], b->vertices[i]);
		for (size_t i = 0; i < 3 * a->count; i++) assert_near((double)a->deltas[i], (double)b->deltas[i], 1e-6 * largest);
	}
}

void test_apply_morph(const ossa_morph *morph, double weight, float *positions)
{
	for (size_t i = 0; i < morph->count; i++) {
		for (size_t k = 0; k < 3; k++) {
			float *to = &positions[3 * morph->vertices[i] + k];
			*to = (float)((double)*to + (weight - morph->weight) * (double)morph->deltas[3 * i + k]);
		}
	}
}
