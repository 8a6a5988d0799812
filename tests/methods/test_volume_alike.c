/* tests/methods/test_volume_alike.c: invariances of rigs from the volume: position, size, order,
   rotation, mirror images, sides of faces, threads. */
#include "support/still.h"
#include "support/support.h"

#include <ossa/volume_stages.h>

#include <stdio.h>

enum { FACES = 4000, TURNED_FACES = 8000 };

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options)
{
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_volume(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_string_equal(rig->method, "volume");
	return rig;
}

static void moved_and_scaled_alike(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	test_mesh_to_grid(sample->rig->mesh);
	for (int refine = 0; refine <= 1; refine++) {
		ossa_volume_options options = ossa_volume_default();
		options.refine = refine;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		ossa_mesh *other = test_mesh_moved(context, sample->rig->mesh);
		ossa_rig *moved = rig_of(context, other, &options);
		assert_int_equal(rig->skeleton.bone_count, moved->skeleton.bone_count);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			assert_int_equal(rig->skeleton.bones[b].parent, moved->skeleton.bones[b].parent);
			const ossai_vec3 at = test_point_moved_back(moved->skeleton.bones[b].joint);
			assert_near_vec3(at, ossai_v3_of(rig->skeleton.bones[b].joint), 3e-6);
		}
		ossa_rig_free(context, moved);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, other);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the same bones, where the turn takes them; `far`: how far joints may be off */
static void assert_turned(const ossa_rig *rig, const ossa_rig *turned, const ossai_mat3 *turn, double far)
{
	assert_int_equal(rig->skeleton.bone_count, turned->skeleton.bone_count);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b], *same = &turned->skeleton.bones[b];
		assert_int_equal(bone->parent, same->parent);
		const ossai_vec3 joint = ossai_mat3_mul_v(turn, ossai_v3_of(bone->joint));
		const ossai_vec3 tail = ossai_mat3_mul_v(turn, ossai_v3_of(bone->tail));
		assert_near_vec3(joint, ossai_v3_of(same->joint), far);
		assert_near_vec3(tail, ossai_v3_of(same->tail), far);
	}
}

static void turned_and_shuffled_alike(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS};
	const ossai_quat about = ossai_quat_axis_angle(ossai_unit(ossai_v3(1, 2, -3), ossai_v3(1, 0, 0)), 30 * OSSAI_PI / 180);
	const ossai_mat3 turns[2] = {ossai_mat3_identity(), ossai_quat_matrix(about)};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i], TURNED_FACES);
		ossa_volume_options options = ossa_volume_default();
		options.voxel_size = 0.01;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		/* shuffled, shuffled and turned */
		for (int k = 0; k < 2; k++) {
			ossa_mesh *other = test_mesh_shuffled(context, sample->rig->mesh, &turns[k]);
			ossa_rig *turned = rig_of(context, other, &options);
			/* turned, floats round otherwise: within three voxels */
			assert_turned(rig, turned, &turns[k], k ? 0.03 : 1e-6);
			ossa_rig_free(context, turned);
			ossa_mesh_free(context, other);
		}
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static void mirrored_and_inside_out_alike(void **state)
{
	(void)state;
	const ossai_mat3 turns[2] = {ossai_mat3_identity(), {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_HAND, FACES);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, NULL);
	/* mirrored, with faces that look inward; mirrored; inside out */
	for (int i = 0; i < 3; i++) {
		ossa_mesh *inward = test_mesh_inside_out(context, sample->rig->mesh);
		ossa_mesh *other = test_mesh_shuffled(context, i == 0 ? sample->rig->mesh : inward, &turns[i < 2]);
		ossa_rig *changed = rig_of(context, other, NULL);
		assert_turned(rig, changed, &turns[i < 2], 1e-6);
		ossa_rig_free(context, changed);
		ossa_mesh_free(context, other);
		ossa_mesh_free(context, inward);
	}
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the lowest end is the lowest of the mesh */
static void roots_turn_along(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	const ossai_quat about = ossai_quat_axis_angle(ossai_v3(1, 0, 0), OSSAI_PI);
	const ossai_mat3 turn = ossai_quat_matrix(about);
	ossa_mesh *other = test_mesh_shuffled(context, sample->rig->mesh, &turn);
	ossa_volume_options options = ossa_volume_default();
	/* upside down the head is lowest */
	for (int refine = 0; refine <= 1; refine++) {
		options.refine = refine;
		options.root.kind = OSSA_ROOT_LOWEST;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options), *down = rig_of(context, other, &options);
		assert_true(rig->skeleton.bones[0].joint[1] < 0.3);
		assert_true(down->skeleton.bones[0].joint[1] < -1.3);
		ossa_rig_free(context, down);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void the_same_bytes_for_any_threads(void **state)
{
	(void)state;
	static unsigned char first[1 << 21], second[1 << 21];
	for (int refine = 0; refine <= 1; refine++) {
		size_t size = 0;
		for (int threads = 1; threads <= 3; threads++) {
			ossa_context *context = test_context(threads);
			ossa_sample *sample = test_sample(context, OSSA_SAMPLE_HAND, FACES);
			ossa_volume_options options = ossa_volume_default();
			options.refine = refine;
			ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
			const char *path = test_path("threads.glb");
			assert_ok(context, ossa_write_rig(context, rig, path, NULL));
			const size_t now = test_read_bytes(path, threads == 1 ? first : second, sizeof first);
			if (threads == 1) size = now;
			else {
				assert_int_equal(now, size);
				assert_memory_equal(first, second, size);
			}
			ossa_rig_free(context, rig);
			ossa_sample_free(context, sample);
			test_context_end(context);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(moved_and_scaled_alike), cmocka_unit_test(turned_and_shuffled_alike),
		cmocka_unit_test(mirrored_and_inside_out_alike), cmocka_unit_test(roots_turn_along),
		cmocka_unit_test(the_same_bytes_for_any_threads)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
