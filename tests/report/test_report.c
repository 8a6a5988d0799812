/* tests/report/test_report.c: the JSON report: parsed again and compared, with values that JSON
   cannot hold, and with a full disk. */
#include "base/context.h"
#include "support/support.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float SQUARE[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 5, 0, 0, 6, 0, 0, 5, 1, 0};
static const uint32_t FACES[] = {0, 1, 2, 0, 2, 3, 4, 5, 6};
enum { VERTICES = 7, TRIANGLES = 3 };

/* two bones; frame 0 at rest; `merges` merges */
static ossa_rig *make_rig(ossa_context *context, size_t merges)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, VERTICES, SQUARE, TRIANGLES, FACES, &mesh));
	strcpy(mesh->name, "sq\"uare [1, 2]");
	assert_ok(context, ossa_rig_create(context, mesh, 2, 1, &rig));
	ossa_mesh_free(context, mesh);
	strcpy(rig->method, "examples");
	for (size_t b = 0; b < 2; b++) {
		snprintf(rig->skeleton.bones[b].name, 64, "bone-%zu", b);
		rig->skeleton.bones[b].parent = (int32_t)b - 1;
		rig->skeleton.bones[b].orientation[3] = 1;
		rig->skeleton.bones[b].kind = b ? OSSA_JOINT_HINGE : OSSA_JOINT_ROOT;
		rig->skeleton.bones[b].joint[1] = 0.25 + (double)b;
	}
	rig->skeleton.bones[1].axis[2] = 1;
	for (size_t v = 0; v < VERTICES; v++) rig->weights.values[v] = 1;
	assert_ok(context, ossa_clip_create(context, 1, 2, false, &rig->clip));
	rig->clip->rotations[3] = rig->clip->rotations[7] = 1;
	rig->clip->root_positions[1] = 0.25;
	rig->merges = ossa_alloc(context, merges, sizeof *rig->merges);
	rig->merge_count = merges;
	for (size_t i = 0; i < merges; i++) rig->merges[i] = (ossa_merge){(uint32_t)i, (uint32_t)i + 1, 0.5 * (double)i};
	return rig;
}

static ossa_frames *rest_frames(ossa_context *context)
{
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, 1, VERTICES, 24, &frames));
	memcpy(frames->positions, SQUARE, sizeof SQUARE);
	return frames;
}

static json_t *report_json(ossa_context *context, const ossa_report *report, char **text)
{
	assert_ok(context, ossa_report_json(context, report, text));
	json_error_t error;
	json_t *value = json_loads(*text, 0, &error);
	if (!value) fail_msg("line %d: %s", error.line, error.text);
	return value;
}

static double number(json_t *value, const char *object, const char *key)
{
	return json_number_value(json_object_get(json_object_get(value, object), key));
}

static void report_holds_everything(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 250);
	ossa_frames *frames = rest_frames(context);
	frames->positions[2] = 3; /* vertex 0 is off by 3 */
	ossai_warn(context, "fewer-bones", 2, "asked for %d", 4);
	ossa_report report;
	assert_ok(context, ossa_report_make(context, rig, frames, &report));
	assert_true(report.wall_seconds >= 0 && report.cpu_seconds >= 0);
	char *text;
	json_t *value = report_json(context, &report, &text);
	assert_string_equal(json_string_value(json_object_get(value, "ossa")), OSSA_VERSION);
	assert_string_equal(json_string_value(json_object_get(value, "method")), "examples");
	assert_string_equal(json_string_value(json_object_get(json_object_get(value, "mesh"), "name")), "sq\"uare [1, 2]");
	assert_int_equal(number(value, "mesh", "vertices"), 7);
	assert_int_equal(number(value, "mesh", "faces"), 3);
	assert_int_equal(number(value, "mesh", "polygons"), 3);
	assert_int_equal(number(value, "mesh", "pieces"), 2);
	assert_int_equal(json_integer_value(json_object_get(value, "frames")), 1);
	assert_near(number(value, "hierarchy", "rms_percent"), 100 * sqrt(9.0 / 7) / sqrt(37), 1e-6);
	assert_int_equal(number(value, "hierarchy", "max_vertex"), 0);
	assert_int_equal(json_object_size(json_object_get(value, "hierarchy")), ossa_metrics_table()->count);
	for (size_t i = 0; i < ossa_metrics_table()->count; i++)
		assert_non_null(json_object_get(json_object_get(value, "hierarchy"), ossa_metrics_table()->fields[i].name));
	/* there are no free bones: their errors are null, not NaN */
	assert_true(json_is_null(json_object_get(json_object_get(value, "free_bones"), "rms_percent")));
	json_t *bone = json_array_get(json_object_get(value, "bones"), 1);
	assert_int_equal(json_integer_value(json_object_get(bone, "parent")), 0);
	assert_string_equal(json_string_value(json_object_get(bone, "kind")), "hinge");
	assert_true(json_number_value(json_array_get(json_object_get(bone, "joint"), 1)) == 1.25);
	assert_true(json_number_value(json_array_get(json_object_get(bone, "axis"), 2)) == 1);
	assert_null(json_object_get(json_array_get(json_object_get(value, "bones"), 0), "axis"));
	json_t *warning = json_array_get(json_object_get(value, "warnings"), 0);
	assert_string_equal(json_string_value(json_object_get(warning, "code")), "fewer-bones");
	assert_int_equal(json_integer_value(json_object_get(warning, "count")), 2);
	assert_string_equal(json_string_value(json_object_get(warning, "counted")), "fewer");
	json_t *stage = json_array_get(json_object_get(value, "stages"), 0);
	assert_string_equal(json_string_value(json_object_get(stage, "name")), "measure");
	json_t *merges = json_object_get(value, "merges"), *last = json_object_get(merges, "last");
	assert_int_equal(json_integer_value(json_object_get(merges, "count")), 250);
	assert_int_equal(json_array_size(last), 200);
	assert_int_equal(json_integer_value(json_array_get(json_array_get(last, 199), 0)), 249);
	json_decref(value);
	/* lists of numbers stay on their line */
	assert_non_null(strstr(text, "\"joint\": [0.0, 0.25, 0.0],"));
	assert_non_null(strstr(text, "[249, 250, 124.5]"));
	ossa_free(context, text);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void free_bones_are_measured_with_their_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 0);
	ossa_frames *frames = rest_frames(context);
	assert_ok(context, ossa_clip_create(context, 1, 2, true, &rig->free_clip));
	rig->free_clip->rotations[3] = rig->free_clip->rotations[7] = 1;
	rig->free_clip->root_positions[1] = 0.25 + 37; /* bone 0 is off, bone 1 is right */
	rig->free_clip->translations[4] = 1 - 37;
	ossa_report report;
	assert_ok(context, ossa_report_make(context, rig, frames, &report));
	assert_near(report.free_bones.rms_percent, 100 * sqrt(37), 1e-6);
	assert_true(report.hierarchy.rms_percent == 0);
	rig->free_weights.bones = ossa_alloc(context, VERTICES, sizeof(uint16_t));
	rig->free_weights.values = ossa_alloc(context, VERTICES, sizeof(float));
	rig->free_weights.influences = 1;
	rig->free_weights.vertex_count = VERTICES;
	for (size_t v = 0; v < VERTICES; v++) {
		rig->free_weights.bones[v] = 1;
		rig->free_weights.values[v] = 1;
	}
	assert_ok(context, ossa_report_make(context, rig, frames, &report));
	assert_true(report.free_bones.rms_percent < 1e-9);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_still_rig_of_odd_names_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 1);
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	strcpy(rig->mesh->name, "L\xf6we"); /* Latin-1 */
	rig->merges[0].error = INFINITY;
	ossa_report report;
	assert_ok(context, ossa_report_make(context, rig, NULL, &report));
	char *text;
	json_t *value = report_json(context, &report, &text);
	assert_string_equal(json_string_value(json_object_get(json_object_get(value, "mesh"), "name")), "L?we");
	assert_non_null(strstr(text, "[0, 1, null]"));
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, "inf\n"));
	json_decref(value);
	ossa_free(context, text);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void reports_replace_old_ones_and_say_where_they_cannot_go(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 1);
	ossa_report report;
	assert_ok(context, ossa_report_make(context, rig, NULL, &report));
	assert_fails(
		context, ossa_report_write(context, &report, test_path("none/report.json")), OSSA_ERROR_WRITE, "none/report.json");
	const char *path = test_file("report.json", "old", 0);
	assert_ok(context, ossa_report_write(context, &report, path));
	json_t *value = json_load_file(path, 0, NULL);
	assert_non_null(value);
	json_decref(value);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status report_all(ossa_context *context, void *arg)
{
	void **parts = arg;
	ossa_report report;
	char *text = NULL;
	OSSAI_TRY(ossa_report_make(context, parts[0], parts[1], &report));
	OSSAI_TRY(ossa_report_json(context, &report, &text));
	ossa_free(context, text);
	return ossa_report_write(context, &report, parts[2]);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context, 2);
	ossa_frames *frames = rest_frames(context);
	const char *path = test_path("sweep.json");
	assert_true(test_allocation_sweep(report_all, (void *[]){rig, frames, (void *)(uintptr_t)path}, SIZE_MAX, 1) > 20);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(report_holds_everything),
		cmocka_unit_test(free_bones_are_measured_with_their_weights),
		cmocka_unit_test(a_still_rig_of_odd_names_is_reported),
		cmocka_unit_test(reports_replace_old_ones_and_say_where_they_cannot_go),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
