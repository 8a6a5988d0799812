/* tests/export/gltf/test_glb_shapes.c: corrective shapes in glTF files: what moves them comes back,
   and every viewer plays them. */
#include "support/bulges.h"
#include "support/compare.h"
#include "support/support.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static ossa_sample *make_rig(ossa_context *context)
{
	ossa_sample *sample = test_bulges_sample(context, 1000);
	test_bulges_add(context, sample->rig, "forearm-l", "elbow", 0, 0.02);
	test_bulges_add(context, sample->rig, "shin-r", "knee", 0.5, 0.02);
	return sample;
}

/* in all frames both are the same to 1e-5 of the diagonal */
static void assert_same_motion(ossa_context *context, const ossa_frames *a, const ossa_frames *b, double diagonal)
{
	assert_int_equal(a->frame_count, b->frame_count);
	assert_int_equal(a->vertex_count, b->vertex_count);
	for (size_t i = 0; i < 3 * a->frame_count * a->vertex_count; i++)
		assert_near(a->positions[i], b->positions[i], 1e-5 * diagonal);
	(void)context;
}

static void drivers_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_rig(context);
	ossa_rig *rig = sample->rig, *back;
	ossa_frames *before, *after;
	const char *path = test_path("shapes.glb");
	assert_ok(context, ossa_write_rig(context, rig, path, NULL));
	assert_ok(context, ossa_read_rig(context, path, NULL, &back));
	assert_no_warnings(context);
	assert_int_equal(ossa_rig_shape_count(back), 2);
	for (size_t m = 0; m < 2; m++) {
		const ossa_driver *a = &rig->mesh->morphs[m].driver, *b = &back->mesh->morphs[m].driver;
		assert_string_equal(a->bone, b->bone);
		assert_near_array(3, b->axis, a->axis, 1e-12);
		assert_near(b->from, a->from, 1e-12);
		assert_near(b->to, a->to, 1e-12);
	}
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &before));
	assert_ok(context, ossa_rig_frames(context, back, NULL, &after));
	assert_same_motion(context, before, after, test_diagonal(rig->mesh));
	ossa_frames_free(context, before);
	ossa_frames_free(context, after);
	ossa_rig_free(context, back);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the weights in the file's animation, which know nothing of ossa: frames are read from these */
static void animations_play_shapes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_rig(context);
	ossa_frames *before, *after;
	ossa_mesh *mesh;
	const char *path = test_path("played.glb");
	assert_ok(context, ossa_write_rig(context, sample->rig, path, NULL));
	assert_ok(context, ossa_read_animation(context, path, NULL, &mesh, &after));
	assert_ok(context, ossa_rig_frames(context, sample->rig, NULL, &before));
	assert_same_motion(context, before, after, test_diagonal(sample->rig->mesh));
	/* frames alone have no bones to follow */
	assert_int_equal(mesh->morph_count, 2);
	for (size_t m = 0; m < 2; m++) assert_string_equal(mesh->morphs[m].driver.bone, "");
	ossa_frames_free(context, before);
	ossa_frames_free(context, after);
	ossa_mesh_free(context, mesh);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* other axes, units and joint frames: the same angles */
static void conventions_turn_axes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_rig(context);
	ossa_write_options options = ossa_write_default();
	ossa_rig *back;
	const char *path = test_path("turned.glb");
	options.up = OSSA_UP_Z;
	options.unit = 0.01;
	options.bone_axis = OSSA_AXIS_X;
	assert_ok(context, ossa_write_rig(context, sample->rig, path, &options));
	assert_ok(context, ossa_read_rig(context, path, NULL, &back));
	const double *a = sample->rig->mesh->morphs[0].driver.axis, *b = back->mesh->morphs[0].driver.axis;
	const double turned[3] = {a[0], -a[2], a[1]};
	assert_near_array(3, b, turned, 1e-9);
	for (size_t m = 0; m < 2; m++) {
		for (size_t f = 0; f < back->clip->frame_count; f++) {
			assert_near(ossa_rig_shape_weight(back, m, back->clip, f),
				ossa_rig_shape_weight(sample->rig, m, sample->rig->clip, f), 1e-5);
		}
	}
	ossa_rig_free(context, back);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a rig of a file is written with the weights of the motion that it has now */
static void edited_motion_moves_shapes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_rig(context);
	ossa_rig *back, *again;
	const char *path = test_path("first.glb"), *second = test_path("second.glb");
	assert_ok(context, ossa_write_rig(context, sample->rig, path, NULL));
	assert_ok(context, ossa_read_rig(context, path, NULL, &back));
	/* the first frame becomes the last */
	ossa_clip *clip = back->clip;
	const size_t last = (clip->frame_count - 1) * clip->bone_count;
	memcpy(clip->rotations, clip->rotations + 4 * last, 4 * clip->bone_count * sizeof *clip->rotations);
	assert_ok(context, ossa_write_rig(context, back, second, NULL));
	ossa_frames *before, *after;
	ossa_mesh *mesh;
	assert_ok(context, ossa_rig_frames(context, back, NULL, &before));
	assert_ok(context, ossa_read_animation(context, second, NULL, &mesh, &after));
	assert_same_motion(context, before, after, test_diagonal(back->mesh));
	assert_ok(context, ossa_read_rig(context, second, NULL, &again));
	assert_int_equal(ossa_rig_shape_count(again), 2);
	ossa_frames_free(context, before);
	ossa_frames_free(context, after);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, again);
	ossa_rig_free(context, back);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what other programs may have changed ---- */

/* the file's JSON with another text of the same length in it */
static void replace(const char *path, const char *from, const char *to)
{
	static char bytes[1 << 22];
	const size_t size = test_read_bytes(path, bytes, sizeof bytes), length = strlen(from);
	size_t changed = 0;
	assert_int_equal(length, strlen(to));
	for (size_t i = 0; i + length <= size; i++) {
		if (memcmp(bytes + i, from, length) != 0) continue;
		memcpy(bytes + i, to, length);
		changed++;
	}
	assert_true(changed > 0);
	FILE *file = fopen(path, "wb");
	assert_true(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static void drivers_that_do_not_fit_are_left_out(void **state)
{
	(void)state;
	static const char *const edits[][2] = {{"\"bone\":\"shin-r\"", "\"bone\":\"shin-x\""},
		{"\"bone\":\"shin-r\"", "\"bone\":[\"ab\",1]"}, {"\"axis\"", "\"oxis\""}};
	static const int64_t lost[] = {1, 0, 2};
	static const size_t left[] = {1, 1, 0};
	for (size_t i = 0; i < 3; i++) {
		ossa_context *context = test_context(1);
		ossa_sample *sample = make_rig(context);
		ossa_rig *back;
		const char *path = test_path("odd.glb");
		assert_ok(context, ossa_write_rig(context, sample->rig, path, NULL));
		replace(path, edits[i][0], edits[i][1]);
		assert_ok(context, ossa_read_rig(context, path, NULL, &back));
		assert_int_equal(test_warned(context, "shapes-unbound"), lost[i]);
		assert_int_equal(ossa_rig_shape_count(back), left[i]);
		assert_int_equal(back->mesh->morph_count, 2);
		ossa_rig_free(context, back);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drivers_come_back),
		cmocka_unit_test(animations_play_shapes),
		cmocka_unit_test(conventions_turn_axes),
		cmocka_unit_test(edited_motion_moves_shapes),
		cmocka_unit_test(drivers_that_do_not_fit_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
