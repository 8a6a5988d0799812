/* tests/export/usd/test_usd_morphs.c: morph targets as BlendShapes of USD files. */
#include "base/context.h"
#include "support/bulges.h"
#include "support/morphs.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 21];

static void load(const char *path) { text[test_read_bytes(path, text, sizeof text - 1)] = 0; }

/* the numbers of "DECLARATION = [...]" after `from`, which must be these */
static void assert_numbers(const char *from, const char *declaration, const double *wanted, size_t count)
{
	const char *at = strstr(from, declaration);
	assert_non_null(at);
	at = strstr(at, " = [");
	assert_non_null(at);
	for (size_t i = 0; i < count; i++) {
		char *end;
		at += strcspn(at, "-.0123456789");
		assert_near(strtod(at, &end), wanted[i], 1e-7);
		at = end;
	}
	assert_true(at[strspn(at, ")")] == ']');
}

static void assert_shape(const char *name, const ossa_morph *morph)
{
	char header[128];
	snprintf(header, sizeof header, "def BlendShape \"%s\"", name);
	const char *at = strstr(text, header);
	assert_non_null(at);
	double *wanted = calloc(3 * morph->count + 3, sizeof *wanted);
	assert_non_null(wanted);
	/* a shape that moves nothing moves the first point by nothing */
	const size_t count = morph->count > 0 ? morph->count : 1;
	for (size_t i = 0; i < 3 * morph->count; i++) wanted[i] = (double)morph->deltas[i];
	assert_numbers(at, "uniform vector3f[] offsets", wanted, 3 * count);
	for (size_t i = 0; i < morph->count; i++) wanted[i] = morph->vertices[i];
	assert_numbers(at, "uniform int[] pointIndices", wanted, count);
	free(wanted);
}

/* weights are in an animation alone, and it needs a skeleton; points are without what they add */
static void assert_rest(const ossa_mesh *mesh)
{
	const double weights[] = {mesh->morphs[0].weight, 0, 0};
	double points[6];
	assert_numbers(strstr(text, "def SkelAnimation"), "float[] blendShapeWeights", weights, 3);
	assert_non_null(strstr(text, "rel skel:skeleton = </"));
	assert_non_null(strstr(text, "rel skel:animationSource = </"));
	const char *at = strstr(text, "point3f[] points = [");
	assert_non_null(at);
	assert_int_equal(
		sscanf(at + 20, "(%lf, %lf, %lf), (%lf, %lf, %lf)", points, points + 1, points + 2, points + 3, points + 4, points + 5),
		6);
	for (size_t k = 0; k < 3; k++) {
		const double added = weights[0] * (double)mesh->morphs[0].deltas[k];
		assert_near(points[k], (double)mesh->positions[k] - added, 1e-6);
		assert_near(points[3 + k], (double)mesh->positions[3 + k], 1e-6);
	}
}

static void targets_are_blend_shapes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	/* a material of the name of a target: both are prims in the mesh */
	strcpy(rig->mesh->materials[0], "smile");
	test_add_morphs(context, rig->mesh);
	for (int with_rig = 0; with_rig < 2; with_rig++) {
		const char *path = test_path("morphs.usda");
		if (with_rig) assert_ok(context, ossa_write_rig(context, rig, path, NULL));
		else assert_ok(context, ossa_write_mesh(context, rig->mesh, NULL, path, NULL));
		load(path);
		assert_non_null(strstr(text, "def SkelRoot "));
		assert_non_null(strstr(text,
			"uniform token[] skel:blendShapes = "
			"[\"smile\", '2 jaw <open> & \"wide\\\\\" \xc3\xbc', \"weight\"]\n"));
		assert_non_null(strstr(text, "/Mesh/smile_2>, </"));
		assert_shape("smile_2", &rig->mesh->morphs[0]);
		assert_shape("_2_jaw__open_____wide_____", &rig->mesh->morphs[1]);
		assert_shape("weight", &rig->mesh->morphs[2]);
		assert_rest(rig->mesh);
		assert_no_warnings(context);
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* weights of corrective shapes over time, as the rig has them */
static void shapes_follow_joints(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	ossa_rig *rig = sample->rig;
	test_bulges_add(context, rig, "forearm-l", "elbow", 0, 0.02);
	test_bulges_add(context, rig, "shin-r", "knee", 0.5, 0.02);
	assert_ok(context, ossa_write_rig(context, rig, test_path("shapes.usda"), NULL));
	assert_int_equal(test_warned(context, "shapes-still"), 0);
	load(test_path("shapes.usda"));
	const char *at = strstr(text, "def SkelAnimation");
	assert_non_null(at);
	assert_non_null(strstr(at, "uniform token[] blendShapes = [\"elbow\", \"knee\"]"));
	at = strstr(at, "float[] blendShapeWeights.timeSamples = {");
	assert_non_null(at);
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		double weights[2];
		at = strstr(at, ": [");
		assert_true(at && sscanf(at + 3, "%lf, %lf", &weights[0], &weights[1]) == 2);
		for (size_t m = 0; m < 2; m++) assert_near(weights[m], ossa_rig_shape_weight(rig, m, rig->clip, f), 1e-6);
		at++;
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* weights that the motion has of its own */
static void weights_have_samples(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	test_move_morphs(context, rig->mesh, rig->clip);
	assert_ok(context, ossa_write_rig(context, rig, test_path("moving.usda"), NULL));
	load(test_path("moving.usda"));
	/* and values at rest, which strict readers ask for beside samples */
	double at_rest[3];
	for (size_t m = 0; m < 3; m++) at_rest[m] = rig->mesh->morphs[m].weight;
	assert_numbers(strstr(text, "def SkelAnimation"), "float[] blendShapeWeights", at_rest, 3);
	const char *at = strstr(text, "float[] blendShapeWeights.timeSamples = {");
	assert_non_null(at);
	for (size_t f = 0; f < 3; f++) {
		double weights[3];
		at = strstr(at, ": [");
		assert_true(at && sscanf(at + 3, "%lf, %lf, %lf", &weights[0], &weights[1], &weights[2]) == 3);
		for (size_t m = 0; m < 3; m++) assert_true(weights[m] == test_morph_weight(m, f));
		at++;
	}
	assert_int_equal(test_warned(context, "shapes-dropped"), 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* points over time are whole shapes: no target is added to them */
static void frames_have_none(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	ossa_frames *frames;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	assert_ok(context, ossa_write_frames(context, rig->mesh, frames, test_path("frames.usda"), NULL));
	load(test_path("frames.usda"));
	assert_null(strstr(text, "lendShape"));
	assert_non_null(strstr(text, "def Xform "));
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	test_add_morphs(context, mesh);
	test_sweep_write(&(test_writing){.mesh = mesh}, "sweep.usda", 3);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_are_blend_shapes),
		cmocka_unit_test(shapes_follow_joints),
		cmocka_unit_test(weights_have_samples),
		cmocka_unit_test(frames_have_none),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
