/* tests/rig/test_flatten.c: any rig as that of a face: nothing moves differently, and the head is
   the bone whose motion is nearest to the whole's, by its definition. */
#include "rig/flatten.h"
#include "rig/pose.h"
#include "skeleton/naming/shared_skin.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

/* the sum over frames and vertices, by area, of the squared distance of a bone's motion to the
   rig's */
static double distance_of(const ossa_rig *rig, const double *area, size_t bone)
{
	double *matrices = malloc(12 * rig->skeleton.bone_count * sizeof *matrices), sum = 0;
	for (size_t k = 0; k < rig->clip->frame_count; k++) {
		ossai_skin_matrices(rig, rig->clip, k, matrices);
		const ossai_rigid alone = ossai_rigid_of(matrices + 12 * bone);
		for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
			const float *at = rig->mesh->positions + 3 * v;
			const ossai_vec3 there = ossai_skin_vertex(at, &rig->weights, v, matrices);
			sum += area[v] * ossai_length2(ossai_sub(there, ossai_rigid_point(&alone, ossai_v3_of_float(at))));
		}
	}
	free(matrices);
	return sum;
}

static size_t head_of(ossa_context *context, const ossa_rig *rig)
{
	ossai_arena arena = ossai_arena_begin(context);
	const double *area = ossai_vertex_areas(&arena, rig->mesh);
	double least = INFINITY;
	size_t head = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const double distance = distance_of(rig, area, b);
		if (!(distance < least)) continue;
		least = distance;
		head = b;
	}
	ossai_arena_end(&arena);
	return head;
}

static void nothing_moves_differently(void **state)
{
	(void)state;
	static const int kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_MACHINE, OSSA_SAMPLE_FACE};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		ossa_sample *sample = test_sample_of_kind(context, kinds[i], 2000, 5);
		ossa_sample *other = test_sample_of_kind(context, kinds[i], 2000, 5);
		ossa_rig *flat = other->rig;
		const size_t head = head_of(context, sample->rig);
		assert_ok(context, ossai_rig_flatten(context, flat));
		assert_ok(context, ossa_rig_validate(context, flat));
		assert_true(ossai_skeleton_is_free(&flat->skeleton));
		assert_int_equal(flat->skeleton.bone_count, sample->rig->skeleton.bone_count);
		assert_true(test_largest_difference(context, sample->rig, flat, NULL) < 1e-6);
		for (size_t v = 0; v < flat->mesh->vertex_count; v++)
			assert_near(test_weight_of(&flat->weights, v, 0), test_weight_of(&sample->rig->weights, v, head), 1e-9);
		ossa_sample_free(context, other);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* far from the origin, where sums of squares cancel */
static void far_rigs_have_the_same_head(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_FACE, 2000, 5);
	ossa_sample *other = test_sample_of_kind(context, OSSA_SAMPLE_FACE, 2000, 5);
	ossa_rig *far = other->rig;
	for (size_t v = 0; v < far->mesh->vertex_count; v++) far->mesh->positions[3 * v] += 4000;
	for (size_t b = 0; b < far->skeleton.bone_count; b++) {
		far->skeleton.bones[b].joint[0] += 4000;
		far->skeleton.bones[b].tail[0] += 4000;
	}
	for (size_t k = 0; k < far->clip->frame_count; k++) {
		far->clip->root_positions[3 * k] += 4000;
		far->clip->translations[3 * k * far->clip->bone_count] += 4000;
	}
	assert_ok(context, ossai_rig_flatten(context, far));
	const size_t head = head_of(context, sample->rig);
	for (size_t v = 0; v < far->mesh->vertex_count; v++)
		assert_near(test_weight_of(&far->weights, v, 0), test_weight_of(&sample->rig->weights, v, head), 1e-9);
	ossa_sample_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void one_bone_stays(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1000, 2);
	ossa_rig *rig;
	assert_ok(context, ossa_rig_create(context, sample->rig->mesh, 1, 1, &rig));
	rig->skeleton.bones[0] = sample->rig->skeleton.bones[0];
	for (size_t v = 0; v < rig->weights.vertex_count; v++) rig->weights.values[v] = 1;
	assert_ok(context, ossa_clip_create(context, 1, 1, false, &rig->clip));
	rig->clip->rotations[3] = 1;
	assert_ok(context, ossai_rig_flatten(context, rig));
	assert_false(ossai_skeleton_is_free(&rig->skeleton));
	assert_int_equal(rig->skeleton.bones[0].parent, -1);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_moves_differently),
		cmocka_unit_test(far_rigs_have_the_same_head), cmocka_unit_test(one_bone_stays)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
