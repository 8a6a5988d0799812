/* tests/export/test_tables.c: rigs as JSON and CSV: parsed by jansson and by hand, with the
   rig's exact numbers. */
#include "base/context.h"
#include "support/rich_rig.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* numbers with all their bits, limits for some bones, a hinge, free bones, an odd name */
static ossa_rig *make_rig(ossa_context *context)
{
	ossa_rig *rig;
	uint64_t seed = 1;
	assert_ok(context, test_rich_rig(context, 1000, 3, 6, &rig));
	const size_t count = 9 * rig->skeleton.bone_count;
	rig->clip->translations = ossa_alloc(context, count, sizeof(double));
	for (size_t i = 0; i < count; i++) rig->clip->translations[i] = test_random(&seed) / 3;
	strcpy(rig->clip->name, "a \"walk\"\\\n\xff");
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		if (b % 2 == 1 && bone->kind != OSSA_JOINT_HINGE) {
			/* one that never rotates, so that its motion gives no limits either */
			bone->kind = OSSA_JOINT_WELDED;
			continue;
		}
		bone->has_limits = true;
		for (int k = 0; k < 6; k++) bone->limits[k / 2][k % 2] = (k % 2 ? 10 : -10) / (3.0 + (double)b);
	}
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static double item(const json_t *list, size_t index)
{
	const json_t *value = json_array_get(list, index);
	assert_true(json_is_number(value));
	return json_number_value(value);
}

static void assert_doubles(const json_t *list, const double *values, size_t count)
{
	assert_int_equal(json_array_size(list), count);
	for (size_t i = 0; i < count; i++) assert_true(item(list, i) == values[i]);
}

static void assert_bone(const json_t *entry, const ossa_bone *bone)
{
	assert_string_equal(json_string_value(json_object_get(entry, "name")), bone->name);
	assert_int_equal(json_integer_value(json_object_get(entry, "parent")), bone->parent);
	assert_doubles(json_object_get(entry, "joint"), bone->joint, 3);
	assert_doubles(json_object_get(entry, "tail"), bone->tail, 3);
	assert_doubles(json_object_get(entry, "orientation"), bone->orientation, 4);
	assert_true(json_number_value(json_object_get(entry, "turn_degrees")) == bone->turn_degrees);
	assert_true(json_number_value(json_object_get(entry, "fit_residual")) == bone->fit_residual);
	const json_t *axis = json_object_get(entry, "axis"), *limits = json_object_get(entry, "limits");
	assert_true((axis != NULL) == (bone->kind == OSSA_JOINT_HINGE));
	if (axis) assert_doubles(axis, bone->axis, 3);
	assert_true((limits != NULL) == bone->has_limits);
	for (size_t k = 0; limits && k < 3; k++) assert_doubles(json_array_get(limits, k), bone->limits[k], 2);
}

static void assert_weights(const json_t *list, const ossa_weights *weights)
{
	assert_int_equal(json_array_size(list), weights->vertex_count);
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const json_t *pairs = json_array_get(list, v);
		const size_t first = v * (size_t)weights->influences;
		for (size_t k = 0; k < (size_t)weights->influences; k++) {
			const json_t *pair = json_array_get(pairs, k);
			assert_true((pair != NULL) == (weights->values[first + k] > 0));
			if (!pair) continue;
			assert_true(item(pair, 0) == weights->bones[first + k]);
			assert_true((float)item(pair, 1) == weights->values[first + k]);
		}
	}
}

static void assert_frames(const json_t *frames, const double *values, size_t frame_count, size_t bones, size_t width)
{
	assert_int_equal(json_array_size(frames), frame_count);
	for (size_t f = 0; f < frame_count; f++) {
		const json_t *frame = json_array_get(frames, f);
		assert_int_equal(json_array_size(frame), bones);
		for (size_t b = 0; b < bones; b++) {
			assert_doubles(json_array_get(frame, b), values + (f * bones + b) * width, width);
		}
	}
}

static void json_holds_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	const ossa_clip *clip = rig->clip;
	assert_ok(context, ossa_write_rig(context, rig, test_path("rig.json"), NULL));
	json_t *root = json_load_file(test_path("rig.json"), JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_string_equal(json_string_value(json_object_get(root, "format")), "ossa rig");
	assert_string_equal(json_string_value(json_object_get(root, "method")), rig->method);
	assert_string_equal(json_string_value(json_object_get(root, "up")), "y");
	assert_string_equal(json_string_value(json_object_get(root, "bone_axis")), "y");
	const json_t *bones = json_object_get(root, "bones"), *motion = json_object_get(root, "clip");
	assert_int_equal(json_array_size(bones), rig->skeleton.bone_count);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) assert_bone(json_array_get(bones, b), &rig->skeleton.bones[b]);
	assert_weights(json_object_get(root, "weights"), &rig->weights);
	assert_string_equal(json_string_value(json_object_get(motion, "name")), "a \"walk\"\\\n_");
	assert_doubles(json_object_get(motion, "times"), clip->times, 3);
	assert_frames(json_object_get(motion, "rotations"), clip->rotations, 3, clip->bone_count, 4);
	assert_frames(json_object_get(motion, "translations"), clip->translations, 3, clip->bone_count, 3);
	for (size_t f = 0; f < 3; f++) {
		assert_doubles(json_array_get(json_object_get(motion, "root_positions"), f), clip->root_positions + 3 * f, 3);
	}
	json_decref(root);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* without motion, without a mesh, in other axes */
static void json_says_what_was_asked_for(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context), bare = *rig;
	ossa_mesh *empty;
	ossa_write_options options = ossa_write_default();
	options.up = OSSA_UP_Z;
	options.unit = 0.01;
	options.bone_axis = 0;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
	bare.mesh = empty;
	bare.weights.vertex_count = 0;
	bare.clip = NULL;
	assert_ok(context, ossa_write_rig(context, &bare, test_path("bare.json"), &options));
	json_t *root = json_load_file(test_path("bare.json"), JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_null(json_object_get(root, "clip"));
	assert_int_equal(json_array_size(json_object_get(root, "weights")), 0);
	assert_string_equal(json_string_value(json_object_get(root, "up")), "z");
	assert_string_equal(json_string_value(json_object_get(root, "bone_axis")), "x");
	assert_true(json_number_value(json_object_get(root, "unit")) == 0.01);
	const json_t *tail = json_object_get(json_array_get(json_object_get(root, "bones"), 1), "tail");
	assert_true(item(tail, 2) == rig->skeleton.bones[1].tail[1] * 100);
	json_decref(root);
	ossa_mesh_free(context, empty);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the next field of a line, up to a comma or the end */
static const char *field(char **line)
{
	char *begin = *line, *end = begin + strcspn(begin, ",\n");
	*line = *end ? end + 1 : end;
	*end = 0;
	return begin;
}

static double number(char **line)
{
	char *end;
	const char *text = field(line);
	const double value = strtod(text, &end);
	assert_true(*text && *end == 0);
	return value;
}

static void weights_csv_holds_the_weights(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	char line[512], *at = line;
	/* the longest ending picks the table */
	assert_ok(context, ossa_write_rig(context, rig, test_path("rig.Weights.CSV"), NULL));
	FILE *stream = fopen(test_path("rig.Weights.CSV"), "r");
	assert_string_equal(fgets(line, sizeof line, stream), "vertex,bone,weight\n");
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		if (rig->weights.values[i] == 0) continue;
		at = fgets(line, sizeof line, stream);
		assert_non_null(at);
		assert_true(number(&at) == (double)(i / (size_t)rig->weights.influences));
		assert_string_equal(field(&at), rig->skeleton.bones[rig->weights.bones[i]].name);
		assert_true((float)number(&at) == rig->weights.values[i]);
	}
	assert_null(fgets(line, sizeof line, stream));
	fclose(stream);
	assert_fails(context, ossa_write_rig(context, rig, test_path("rig.csv"), NULL), OSSA_ERROR_ARGUMENT, ".weights.csv");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void assert_columns(char **line, const double *values, size_t count, bool known)
{
	for (size_t i = 0; i < count; i++) {
		if (known) assert_true(number(line) == values[i]);
		else assert_string_equal(field(line), "");
	}
}

static void skeleton_csv_holds_the_bones(void **state)
{
	(void)state;
	static const char *const kinds[] = {"unknown", "root", "welded", "hinge", "ball", "free"};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	char line[2048], *at = line;
	int columns = 1;
	assert_ok(context, ossa_write_rig(context, rig, test_path("rig.skeleton.csv"), NULL));
	FILE *stream = fopen(test_path("rig.skeleton.csv"), "r");
	assert_non_null(fgets(line, sizeof line, stream));
	for (; *at; at++) columns += *at == ',';
	assert_int_equal(columns, 31);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		at = fgets(line, sizeof line, stream);
		assert_non_null(at);
		assert_string_equal(field(&at), bone->name);
		assert_string_equal(field(&at), bone->parent < 0 ? "" : rig->skeleton.bones[bone->parent].name);
		assert_string_equal(field(&at), kinds[bone->kind]);
		assert_columns(&at, bone->joint, 3, true);
		assert_columns(&at, bone->tail, 3, true);
		assert_columns(&at, bone->orientation, 4, true);
		assert_columns(&at, bone->axis, 3, bone->kind == OSSA_JOINT_HINGE);
		assert_columns(&at, &bone->turn_degrees, 1, true);
		assert_columns(&at, &bone->fit_residual, 1, true);
		assert_columns(&at, bone->limits[0], 6, bone->has_limits);
		/* part, side, number, limb, deviation, slide_min, slide_max: not known of this rig */
		for (int k = 0; k < 7; k++) assert_string_equal(field(&at), "");
		assert_string_equal(at, "");
	}
	assert_null(fgets(line, sizeof line, stream));
	fclose(stream);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	static const char *const names[] = {"sweep.json", "sweep.weights.csv", "sweep.skeleton.csv"};
	for (int i = 0; i < 3; i++) test_sweep_write(&(test_writing){.rig = rig}, names[i], 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_full_disk_leaves_the_old_file(void **state)
{
	(void)state;
	static const char *const names[] = {"full.json", "full.weights.csv", "full.skeleton.csv"};
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_rig(context);
	for (size_t i = 0; i < 3; i++) test_full_disk(context, &(test_writing){.rig = rig}, names[i], names[i], 1024);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_holds_the_rig),
		cmocka_unit_test(json_says_what_was_asked_for),
		cmocka_unit_test(weights_csv_holds_the_weights),
		cmocka_unit_test(skeleton_csv_holds_the_bones),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(a_full_disk_leaves_the_old_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
