/* tests/samples/test_samples_files.c: samples are the same for any threads and numbers of faces,
   as noisy as requested, and read back from files. */
#include "samples/samples.h"
#include "math/vec.h"
#include "support/compare.h"
#include "mesh/pieces.h"
#include "support/support.h"

#include <jansson.h>
#include <stdlib.h>
#include <time.h>

/* ---- skeleton and motion ---- */

/* center of the skin of each bone's largest weights, by area, and of all (the last) */
static void patch_centers(const ossa_rig *rig, ossai_vec3 *centers)
{
	const size_t all = rig->skeleton.bone_count;
	double areas[64] = {0};
	for (size_t b = 0; b <= all; b++) centers[b] = ossai_v3(0, 0, 0);
	for (size_t t = 0; t < rig->mesh->triangle_count; t++) {
		ossai_vec3 p[3];
		for (int k = 0; k < 3; k++)
			p[k] = ossai_v3_of_float(rig->mesh->positions + 3 * (size_t)rig->mesh->triangles[3 * t + k]);
		const double area = ossai_length(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0])));
		for (int k = 0; k < 3; k++) {
			const uint16_t b = rig->weights.bones[rig->mesh->triangles[3 * t + k] * (size_t)rig->weights.influences];
			centers[b] = ossai_madd(centers[b], area, p[k]);
			centers[all] = ossai_madd(centers[all], area, p[k]);
			areas[b] += area;
			areas[all] += area;
		}
	}
	for (size_t b = 0; b <= all; b++) centers[b] = ossai_scale(centers[b], 1 / areas[b]);
}

/* as in every rig: the root's joint is the center of its skin; and but for the octopus, whose arms
   are nearer to the middle than its mantle, the root is the bone whose skin is nearest the center
   of all. The machine is no creature: its root is the frame that all stands on. */
static void roots_are_in_the_middle(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < OSSA_SAMPLE_MACHINE; kind++) {
		ossa_sample *sample = test_sample_of_kind(context, kind, 20000, 1);
		const ossa_skeleton *skeleton = &sample->rig->skeleton;
		ossai_vec3 centers[65];
		patch_centers(sample->rig, centers);
		const ossai_vec3 all = centers[skeleton->bone_count];
		const double off = ossai_distance(centers[0], ossai_v3_of(skeleton->bones[0].joint));
		if (off > 0.005 * test_diagonal(sample->rig->mesh)) fail_msg("%s: the root is off by %g", sample->rig->mesh->name, off);
		for (size_t b = 1; b < skeleton->bone_count && kind != OSSA_SAMPLE_OCTOPUS; b++) {
			if (ossai_distance(centers[b], all) < ossai_distance(centers[0], all)) {
				fail_msg("%s: %s is nearer the middle", sample->rig->mesh->name, skeleton->bones[b].name);
			}
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* ---- sameness ---- */

static void check_same(const ossa_sample *a, const ossa_sample *b)
{
	const ossa_mesh *mesh = a->rig->mesh;
	assert_int_equal(mesh->vertex_count, b->rig->mesh->vertex_count);
	assert_int_equal(mesh->triangle_count, b->rig->mesh->triangle_count);
	assert_memory_equal(mesh->positions, b->rig->mesh->positions, mesh->vertex_count * 3 * sizeof(float));
	assert_memory_equal(mesh->triangles, b->rig->mesh->triangles, mesh->triangle_count * 3 * sizeof(uint32_t));
	const size_t slots = mesh->vertex_count * (size_t)a->rig->weights.influences;
	assert_memory_equal(a->rig->weights.values, b->rig->weights.values, slots * sizeof(float));
	assert_memory_equal(
		a->frames->positions, b->frames->positions, a->frames->frame_count * a->frames->vertex_count * 3 * sizeof(float));
}

static void threads_change_nothing(void **state)
{
	(void)state;
	ossa_context *one = test_context(1), *three = test_context(3);
	ossa_sample_options options = {
		.kind = OSSA_SAMPLE_OCTOPUS, .faces = 12000, .frames = 3, .bulge = 1, .noise = 0.1, .seed = 5};
	ossa_sample *a, *b, *again;
	assert_ok(one, ossa_sample_create(one, &options, &a));
	assert_ok(three, ossa_sample_create(three, &options, &b));
	assert_ok(one, ossa_sample_create(one, &options, &again));
	check_same(a, b);
	check_same(a, again);
	ossa_sample_free(one, a);
	ossa_sample_free(one, again);
	ossa_sample_free(three, b);
	test_context_end(one);
	test_context_end(three);
}

static void skeletons_do_not_depend_on_faces(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < TEST_SAMPLE_KINDS; kind++) {
		ossa_sample *coarse = test_sample_of_kind(context, kind, 2000, 6), *fine = test_sample_of_kind(context, kind, 10000, 6);
		const size_t bones = coarse->rig->skeleton.bone_count;
		assert_int_equal(bones, fine->rig->skeleton.bone_count);
		assert_memory_equal(coarse->rig->skeleton.bones, fine->rig->skeleton.bones, bones * sizeof(ossa_bone));
		assert_memory_equal(coarse->rig->clip->rotations, fine->rig->clip->rotations, 6 * bones * 4 * sizeof(double));
		assert_memory_equal(coarse->rig->clip->root_positions, fine->rig->clip->root_positions, 6 * 3 * sizeof(double));
		ossa_sample_free(context, coarse);
		ossa_sample_free(context, fine);
	}
	test_context_end(context);
}

/* ---- what no skeleton repeats ---- */

/* RMS and largest distance between the frames of two samples, in % of the diagonal */
static void difference(const ossa_sample *a, const ossa_sample *b, double *rms, double *most)
{
	const size_t count = a->frames->frame_count * a->frames->vertex_count;
	double sum = 0;
	*most = 0;
	for (size_t i = 0; i < count; i++) {
		const double d = ossai_distance(
			ossai_v3_of_float(a->frames->positions + 3 * i), ossai_v3_of_float(b->frames->positions + 3 * i));
		sum += d * d;
		*most = fmax(*most, d);
	}
	const double percent = 100 / test_diagonal(a->rig->mesh);
	*rms = percent * sqrt(sum / (double)count);
	*most *= percent;
}

static void noise_and_bulge_are_as_large_as_asked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample_options options = {.kind = OSSA_SAMPLE_BIPED, .faces = 4000, .frames = 8};
	ossa_sample *exact, *noisy, *bulging;
	assert_ok(context, ossa_sample_create(context, &options, &exact));
	options.noise = 0.5;
	assert_ok(context, ossa_sample_create(context, &options, &noisy));
	options.noise = 0;
	options.bulge = 2;
	assert_ok(context, ossa_sample_create(context, &options, &bulging));
	double rms, most;
	difference(exact, noisy, &rms, &most);
	assert_near(rms, 0.5, 0.02);
	difference(exact, bulging, &rms, &most);
	assert_true(rms > 0.05 && most > 0.5 && most <= 2);
	ossa_sample_free(context, exact);
	ossa_sample_free(context, noisy);
	ossa_sample_free(context, bulging);
	test_context_end(context);
}

/* ---- files ---- */

static void check_truth(const ossa_sample *sample, const char *path)
{
	json_error_t error;
	json_t *truth = json_load_file(path, 0, &error);
	assert_non_null(truth);
	const json_t *joints = json_object_get(truth, "joints"), *positions = json_object_get(truth, "joint_world_positions");
	assert_int_equal(json_array_size(joints), sample->rig->skeleton.bone_count);
	assert_int_equal(json_array_size(positions), sample->frames->frame_count);
	for (size_t b = 0; b < sample->rig->skeleton.bone_count; b++) {
		const json_t *joint = json_array_get(joints, b), *rest = json_object_get(joint, "rest");
		const ossa_bone *bone = &sample->rig->skeleton.bones[b];
		assert_string_equal(json_string_value(json_object_get(joint, "name")), bone->name);
		assert_int_equal(json_integer_value(json_object_get(joint, "parent")), bone->parent);
		assert_true(json_integer_value(json_object_get(joint, "influences")) > 0);
		assert_true(json_number_value(json_object_get(joint, "moves_degrees")) >= 10);
		for (size_t k = 0; k < 3; k++) {
			assert_near(json_number_value(json_array_get(rest, k)), bone->joint[k], 1e-8);
		}
	}
	const json_t *root = json_array_get(json_array_get(positions, 1), 0);
	assert_near(json_number_value(json_array_get(root, 0)), sample->rig->clip->root_positions[3], 1e-8);
	json_decref(truth);
}

static void written_samples_read_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *longer = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1000, 5),
				*sample = test_sample_of_kind(context, OSSA_SAMPLE_SNAKE, 1500, 24);
	const char *folder = test_folder();
	assert_ok(context, ossa_sample_write(context, sample, folder));
	check_truth(sample, test_path("truth.json"));
	ossa_mesh *rest;
	ossa_frames *frames;
	assert_ok(context, ossa_read_mesh(context, test_path("rest.obj"), NULL, &rest));
	assert_int_equal(rest->vertex_count, sample->rig->mesh->vertex_count);
	const char *paths[2] = {test_path("pose-10.obj"), test_path("pose-2.obj")};
	assert_ok(context, ossa_read_frames(context, rest, 2, paths, false, NULL, &frames));
	for (size_t i = 0; i < 3 * rest->vertex_count; i++) {
		const float made = sample->frames->positions[3 * rest->vertex_count + i];
		assert_near(frames->positions[i], made, 1e-6F);
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	// a shorter sample leaves no pose of the longer one
	assert_ok(context, ossa_sample_write(context, longer, folder));
	assert_int_equal(remove(test_path("pose-5.obj")), 0);
	assert_int_equal(remove(test_path("pose-6.obj")), -1);
	assert_fails(context, ossa_sample_write(context, longer, test_path("none/folder")), OSSA_ERROR_WRITE, "folder");
	ossa_sample_free(context, sample);
	ossa_sample_free(context, longer);
	test_context_end(context);
}

/* ---- faults and cost ---- */

static void bad_options_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample;
	ossa_sample_options options = ossa_sample_default();
	options.faces = 12;
	assert_fails(context, ossa_sample_create(context, &options, &sample), OSSA_ERROR_ARGUMENT, "faces");
	assert_null(sample);
	options = ossa_sample_default();
	options.kind = TEST_SAMPLE_KINDS;
	assert_fails(context, ossa_sample_create(context, &options, &sample), OSSA_ERROR_ARGUMENT, "kind");
	options = ossa_sample_default();
	options.noise = NAN;
	assert_fails(context, ossa_sample_create(context, &options, &sample), OSSA_ERROR_ARGUMENT, "noise");
	test_context_end(context);
}

static ossa_status create_and_free(ossa_context *context, void *arg)
{
	ossa_sample *sample;
	const ossa_status status = ossa_sample_create(context, arg, &sample);
	if (status != OSSA_OK) assert_null(sample);
	ossa_sample_free(context, sample);
	return status;
}

static ossa_status write_sample(ossa_context *context, void *arg) { return ossa_sample_write(context, arg, test_folder()); }

static void failing_allocations_leave_nothing(void **state)
{
	(void)state;
	ossa_sample_options options = {.kind = OSSA_SAMPLE_TUBE, .faces = 1000, .frames = 2, .bulge = 1};
	assert_true(test_allocation_sweep(create_and_free, &options, test_is_long() ? 400 : 40, 7) > 20);
	options.kind = OSSA_SAMPLE_PIECES;
	test_allocation_sweep(create_and_free, &options, 20, 61);
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1000, 2);
	test_allocation_sweep(write_sample, sample, 400, 7);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void large_samples_are_quick(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const clock_t begin = clock();
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_QUADRUPED, 200000, 10);
	const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
	print_message("200000 faces, 10 frames: %.2f s of CPU\n", seconds);
	assert_true(abs((int)sample->rig->mesh->triangle_count - 200000) <= 20000);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	assert_true(seconds < 2);
#endif
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(roots_are_in_the_middle),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(skeletons_do_not_depend_on_faces),
		cmocka_unit_test(noise_and_bulge_are_as_large_as_asked),
		cmocka_unit_test(written_samples_read_back),
		cmocka_unit_test(bad_options_are_refused),
		cmocka_unit_test(failing_allocations_leave_nothing),
		cmocka_unit_test(large_samples_are_quick),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
