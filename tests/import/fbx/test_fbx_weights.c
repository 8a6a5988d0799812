/* tests/import/fbx/test_fbx_weights.c: weights of shapes at rest in ASCII files, by hand; those of
   binary files are in test_fbx_shapes.c. */
#include "import/fbx/fbx_weights.h"
#include "support/support.h"

#include <string.h>

static const char text[] = "; FBX 7.4.0 project file\n"
						   "Objects:  {\n"
						   "\tGeometry: 10, \"Geometry::face\", \"Mesh\" {\n\t}\n"
						   "\tModel: 20, \"Model::Head\", \"Mesh\" {\n\t}\n"
						   "\tModel: 21, \"Model::Other\", \"Mesh\" {\n\t}\n"
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
						   "\tC: \"OO\",10,20\n\tC: \"OO\",30,10\n\tC: \"OO\",-40,30\n"
						   "\tC: \"OO\",9007199254740993,30\n\tC: \"OO\",42,30\n"
						   "}\n";

/* also of a channel whose shapes follow each other: each fades out where the next one comes */
static void weights_are_found_by_names(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_fbx_weights weights;
	const ossai_source source = {.path = "a.fbx", .bytes = (const uint8_t *)text, .size = sizeof text - 1};
	assert_ok(context, ossai_fbx_read_weights(&arena, &source, &weights));
	assert_near(ossai_fbx_weight(&weights, "Head", "smile", 0), 0.375, 1e-15);
	assert_near(ossai_fbx_weight(&weights, "Head", "blink", 0), 0.8, 1e-15);
	assert_near(ossai_fbx_weight(&weights, "Head", "blink", 1), 0.2, 1e-15);
	assert_near(ossai_fbx_weight(&weights, "Head", "blink", 2), 0, 0);
	assert_near(ossai_fbx_weight(&weights, "Head", "still", 0), 0, 0);
	assert_near(ossai_fbx_weight(&weights, "Head", "smil", 0), 0, 0);
	assert_near(ossai_fbx_weight(&weights, "Other", "smile", 0), 0, 0);
	ossai_arena_end(&arena);
	test_context_end(context);
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
		cmocka_unit_test(weights_are_found_by_names),
		cmocka_unit_test(cut_files_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
