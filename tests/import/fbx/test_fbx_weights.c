/* tests/import/fbx/test_fbx_weights.c: weights of shapes and names of UV sets in ASCII files, by
   hand; those of binary files are in test_fbx_shapes.c and test_objects_round.c. */
#include "import/fbx/fbx_weights.h"
#include "support/support.h"

#include <string.h>

static const char text[] = "; FBX 7.4.0 project file\n"
						   "Objects:  {\n"
						   "\tGeometry: 10, \"Geometry::face\", \"Mesh\" {\n"
						   "\t\tLayerElementNormal: 0 {\n\t\t\tName: \"bent\"\n\t\t}\n"
						   "\t\tLayerElementUV: 1 {\n\t\t\tVersion: 101\n\t\t\tName: \"light map\"\n\t\t}\n"
						   "\t\tLayerElementUV: 0 {\n\t\t\tName: \"skin\"\n\t\t}\n"
						   "\t\tLayerElementMaterial: 0 {\n\t\t\tName: \"none\"\n\t\t}\n\t}\n"
						   "\tGeometry: 11, \"Geometry::other\", \"Mesh\" {\n"
						   "\t\tLayerElementUV: 0 {\n\t\t\tName: \"\"\n\t\t}\n\t}\n"
						   "\tModel: 20, \"Model::Head\", \"Mesh\" {\n\t}\n"
						   "\tModel: 21, \"Model::Head\", \"Mesh\" {\n\t}\n"
						   "\tModel: 22, \"Model::\", \"Mesh\" {\n\t}\n"
						   "\tDeformer: 30, \"Deformer::shapes\", \"BlendShape\" {\n\t}\n"
						   "\tDeformer: -40, \"SubDeformer::smile\", \"BlendShapeChannel\" {\n"
						   "\t\tVersion: 100\n\t\tDeformPercent: 37.5\n"
						   "\t\tFullWeights: *1 {\n\t\t\ta: 100\n\t\t} \n\t}\n"
						   "\tDeformer: 9007199254740993, \"SubDeformer::blink\", \"BlendShapeChannel\" {\n"
						   "\t\tFullWeights: *2 {\n\t\t\ta: 50,\n100\n\t\t} \n"
						   "\t\tDeformPercent: 60\n\t}\n"
						   "\tDeformer: 42, \"SubDeformer::still\", \"BlendShapeChannel\" {\n"
						   "\t\tDeformPercent: 0\n\t}\n"
						   "}\n"
						   "Connections:  {\n"
						   "\tC: \"OO\",21,0\n\tC: \"OO\",20,0\n\tC: \"OO\",22,21\n\tC: \"OO\",99,21\n"
						   "\tC: \"OO\",11,22\n\tC: \"OO\",10,20\n\tC: \"OO\",30,10\n\tC: \"OO\",-40,30\n"
						   "\tC: \"OO\",9007199254740993,30\n\tC: \"OO\",42,30\n"
						   "}\n";

static ossai_fbx_weights read_text(ossai_arena *arena)
{
	ossai_fbx_weights weights;
	const ossai_source source = {.path = "a.fbx", .bytes = (const uint8_t *)text, .size = sizeof text - 1};
	assert_ok(arena->context, ossai_fbx_read_weights(arena, &source, &weights));
	return weights;
}

/* also of a channel whose shapes follow each other: each fades out where the next one comes */
static void weights_are_found_by_models(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_fbx_weights weights = read_text(&arena);
	assert_near(ossai_fbx_weight(&weights, 20, "smile", 0), 0.375, 1e-15);
	assert_near(ossai_fbx_weight(&weights, 20, "blink", 0), 0.8, 1e-15);
	assert_near(ossai_fbx_weight(&weights, 20, "blink", 1), 0.2, 1e-15);
	assert_near(ossai_fbx_weight(&weights, 20, "blink", 2), 0, 0);
	assert_near(ossai_fbx_weight(&weights, 20, "still", 0), 0, 0);
	assert_near(ossai_fbx_weight(&weights, 20, "smil", 0), 0, 0);
	/* of another model, whatever its name */
	assert_near(ossai_fbx_weight(&weights, 21, "smile", 0), 0, 0);
	assert_near(ossai_fbx_weight(&weights, 7, "smile", 0), 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void sets_are_found_by_models(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_fbx_weights weights = read_text(&arena);
	assert_true(ossai_word_is(ossai_fbx_uv_name(&weights, 20, 0), "skin"));
	assert_true(ossai_word_is(ossai_fbx_uv_name(&weights, 20, 1), "light map"));
	assert_int_equal(ossai_fbx_uv_name(&weights, 20, 2).size, 0);
	/* a set without a name, a model without a geometry, one that is not there */
	assert_int_equal(ossai_fbx_uv_name(&weights, 22, 0).size, 0);
	assert_int_equal(ossai_fbx_uv_name(&weights, 21, 0).size, 0);
	assert_int_equal(ossai_fbx_uv_name(&weights, 7, 0).size, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* in the order of the connections; what is no model is no child */
static void models_are_found_by_their_places(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_fbx_weights weights = read_text(&arena);
	const int64_t below_root[] = {21, 20};
	for (size_t i = 0; i < 2; i++) {
		const ossai_fbx_child *child = ossai_fbx_child_at(&weights, OSSAI_FBX_ROOT, i);
		assert_true(child && child->model == below_root[i] && ossai_word_is(child->name, "Head"));
	}
	assert_null(ossai_fbx_child_at(&weights, OSSAI_FBX_ROOT, 2));
	assert_int_equal(ossai_fbx_child_at(&weights, 21, 0)->model, 22);
	assert_null(ossai_fbx_child_at(&weights, 21, 1));
	assert_null(ossai_fbx_child_at(&weights, 20, 0));
	assert_null(ossai_fbx_child_at(&weights, INT64_MAX, 0));
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status read_once(ossa_context *context, void *arg)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_fbx_weights weights;
	const ossai_source source = {.path = "a.fbx", .bytes = (const uint8_t *)text, .size = sizeof text - 1};
	(void)arg;
	const ossa_status status = ossai_fbx_read_weights(&arena, &source, &weights);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(read_once, NULL, 100, 1) >= 1);
}

/* nothing beyond the bytes is read, and nothing waits for a brace */
static void cut_files_end(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (size_t size = 0; size < sizeof text; size++) {
		ossai_arena arena = ossai_arena_begin(context);
		ossai_fbx_weights weights;
		uint8_t *bytes = ossai_arena_new(&arena, size, 1);
		assert_non_null(bytes);
		memcpy(bytes, text, size);
		const ossai_source source = {.path = "a.fbx", .bytes = bytes, .size = size};
		assert_ok(context, ossai_fbx_read_weights(&arena, &source, &weights));
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_found_by_models),
		cmocka_unit_test(sets_are_found_by_models),
		cmocka_unit_test(models_are_found_by_their_places),
		cmocka_unit_test(memory_may_fail_anywhere),
		cmocka_unit_test(cut_files_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
