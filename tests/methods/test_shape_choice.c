/* tests/methods/test_shape_choice.c: which method rigs one mesh, and the reason that is told. */
#include "support/still.h"
#include "support/support.h"

#include <string.h>

enum { FACES = 4000 };

static void one_mesh_gets_what_lies_inside(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_shape_choice choice;
	ossa_rig *rig, *again;
	/* a clean shape: contraction's bones lie inside, and nothing else is tried */
	assert_ok(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_AUTO, NULL, &choice, &rig));
	assert_int_equal(choice.method, OSSA_METHOD_CONTRACTION);
	assert_string_equal(rig->method, "contraction");
	assert_non_null(strstr(choice.reason, "inside"));
	ossa_rig_free(context, rig);
	/* what is asked for is made, and needs no reason */
	assert_ok(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_VOLUME, NULL, &choice, &rig));
	assert_string_equal(rig->method, "volume");
	assert_string_equal(choice.reason, "");
	ossa_rig_free(context, rig);
	/* what contraction refuses, volume may take: weights by least squares are refused by both */
	ossa_contraction_options contraction = ossa_contraction_default();
	contraction.weights = OSSA_WEIGHTS_LEAST_SQUARES;
	const ossa_method_options methods = {.contraction = &contraction};
	assert_fails(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_AUTO, &methods, &choice, &again),
		OSSA_ERROR_ARGUMENT, "least squares");
	assert_null(again);
	assert_fails(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_EXAMPLES, NULL, &choice, &again),
		OSSA_ERROR_ARGUMENT, "motion");
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* many boxes apart: all bones of a volume lie in one of them, inside to the last, and contraction's reach the others */
static void bones_in_a_part_only_do_not_win(void **state)
{
	(void)state;
	enum { BOXES = 27 };
	static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
		{1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
	static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
	float positions[3 * 8 * BOXES];
	uint32_t triangles[3 * 12 * BOXES];
	for (uint32_t b = 0; b < BOXES; b++) {
		const float low[3] = {3.1f * (float)(b % 3), 3.3f * (float)(b / 3 % 3), 3.7f * (float)(b / 9)};
		for (uint32_t i = 0; i < 8 * 3; i++) positions[24 * b + i] = low[i % 3] + corners[i / 3][i % 3] * (b == 5 ? 1.2f : 1);
		for (uint32_t i = 0; i < 12 * 3; i++) triangles[36 * b + i] = 8 * b + faces[i / 3][i % 3];
	}
	ossa_context *context = test_context(0);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 8 * BOXES, positions, 12 * BOXES, triangles, &mesh));
	ossa_shape_choice choice;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_shape(context, mesh, OSSA_METHOD_AUTO, NULL, &choice, &rig));
	assert_int_equal(choice.method, OSSA_METHOD_CONTRACTION);
	assert_non_null(strstr(choice.reason, "in a part of the shape only"));
	assert_true(rig->skeleton.bone_count > 12);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static ossa_status sweep_choice(ossa_context *context, void *mesh)
{
	ossa_rig *rig;
	ossa_shape_choice choice;
	ossa_volume_options volume = ossa_volume_default();
	volume.voxel_size = 0.04;
	const ossa_method_options methods = {.volume = &volume};
	const ossa_status status = ossa_rig_from_shape(context, mesh, OSSA_METHOD_AUTO, &methods, &choice, &rig);
	if (status == OSSA_OK) ossa_rig_free(context, rig);
	else assert_null(rig);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 1000);
	assert_true(test_allocation_sweep(sweep_choice, sample->rig->mesh, 20, 127) > 200);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(one_mesh_gets_what_lies_inside),
		cmocka_unit_test(bones_in_a_part_only_do_not_win), cmocka_unit_test(memory_may_fail_anywhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
