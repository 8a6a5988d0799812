/* tests/methods/test_contraction_alike.c: invariances of rigs by contraction: position, size,
   order, mirror images, sides of faces, how a step is solved, threads; failing memory, cancelled
   work. */
#include "support/still.h"
#include "support/support.h"

#include <string.h>

enum { FACES = 4000, TUBE_FACES = 1000 };

/* fewer than usual: what is compared is the same choices made twice */
static ossa_contraction_options small_proxy(int vertices)
{
	ossa_contraction_options options = ossa_contraction_default();
	options.proxy_size = vertices;
	return options;
}

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh)
{
	const ossa_contraction_options options = small_proxy(3000);
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static void moved_and_scaled_alike(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	test_mesh_to_grid(sample->rig->mesh);
	ossa_mesh *other = test_mesh_moved(context, sample->rig->mesh);
	ossa_rig *rig = rig_of(context, sample->rig->mesh), *moved = rig_of(context, other);
	assert_int_equal(rig->skeleton.bone_count, moved->skeleton.bone_count);
	const double most = 1e-6 * test_mesh_diagonal(sample->rig->mesh);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		assert_int_equal(rig->skeleton.bones[b].parent, moved->skeleton.bones[b].parent);
		const ossai_vec3 at = test_point_moved_back(moved->skeleton.bones[b].joint);
		assert_near_vec3(at, ossai_v3_of(rig->skeleton.bones[b].joint), most);
	}
	ossa_rig_free(context, moved);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void shuffled_alike(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_BIPED};
	const ossai_mat3 as_it_is = ossai_mat3_identity();
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i], FACES);
		ossa_mesh *other = test_mesh_shuffled(context, sample->rig->mesh, &as_it_is);
		ossa_rig *rig = rig_of(context, sample->rig->mesh), *shuffled = rig_of(context, other);
		assert_int_equal(rig->skeleton.bone_count, shuffled->skeleton.bone_count);
		const double most = 1e-6 * test_mesh_diagonal(sample->rig->mesh);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const ossa_bone *bone = &rig->skeleton.bones[b], *same = &shuffled->skeleton.bones[b];
			assert_int_equal(bone->parent, same->parent);
			assert_near_vec3(ossai_v3_of(bone->joint), ossai_v3_of(same->joint), most);
		}
		ossa_rig_free(context, shuffled);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, other);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* the bone that corresponds to `bone` in a rig whose sides may have been exchanged: the same
   number, in a recognized body the same part */
static size_t counterpart(const ossa_rig *rig, const ossa_rig *other, size_t bone, bool is_mirrored)
{
	const ossa_role role = rig->skeleton.bones[bone].role;
	for (size_t b = 0; role.part != OSSA_PART_NONE && b < other->skeleton.bone_count; b++) {
		const ossa_role own = other->skeleton.bones[b].role;
		if (own.part == role.part && own.number == role.number && own.side == (is_mirrored ? -role.side : role.side)) return b;
	}
	return bone;
}

static void mirrored_and_inside_out_alike(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_BIPED, OSSA_SAMPLE_OPEN};
	const ossai_mat3 turns[2] = {ossai_mat3_identity(), {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < 3 * sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i / 3], FACES);
		/* mirrored, with faces that look inward; mirrored; inside out */
		const ossai_mat3 *turn = &turns[i % 3 < 2];
		ossa_mesh *inward = test_mesh_inside_out(context, sample->rig->mesh);
		ossa_mesh *other = test_mesh_shuffled(context, i % 3 == 0 ? sample->rig->mesh : inward, turn);
		ossa_rig *rig = rig_of(context, sample->rig->mesh), *changed = rig_of(context, other);
		assert_int_equal(rig->skeleton.bone_count, changed->skeleton.bone_count);
		const double most = 1e-6 * test_mesh_diagonal(sample->rig->mesh);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const bool is_mirrored = turn == &turns[1];
			const ossa_bone *bone = &rig->skeleton.bones[b];
			const ossa_bone *same = &changed->skeleton.bones[counterpart(rig, changed, b, is_mirrored)];
			if (b > 0) assert_int_equal(counterpart(rig, changed, (size_t)bone->parent, is_mirrored), same->parent);
			assert_near_vec3(ossai_mat3_mul_v(turn, ossai_v3_of(bone->joint)), ossai_v3_of(same->joint), most);
		}
		ossa_rig_free(context, changed);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, other);
		ossa_mesh_free(context, inward);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static void the_same_bytes_for_any_threads(void **state)
{
	(void)state;
	static unsigned char first[1 << 21], second[1 << 21];
	size_t size = 0;
	for (int threads = 1; threads <= 3; threads++) {
		ossa_context *context = test_context(threads);
		ossa_sample *sample = test_sample(context, OSSA_SAMPLE_HAND, FACES);
		ossa_rig *rig = rig_of(context, sample->rig->mesh);
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

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const ossa_contraction_options options = small_proxy(500);
	ossa_rig *rig;
	const ossa_status status = ossa_rig_from_contraction(context, arg, &options, &rig);
	if (status == OSSA_OK) ossa_rig_free(context, rig);
	else assert_null(rig);
	return status;
}

/* what is left of a shape does not depend on how a step is solved: as many limbs, all joints
   inside */
static void least_squares_find_the_same_limbs(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_BIPED};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = test_sample(context, kinds[i], FACES);
		ossa_contraction_options options = small_proxy(1500);
		ossa_rig *usual = NULL, *rig = NULL;
		ossa_metrics metrics;
		assert_ok(context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &usual));
		options.flow = OSSA_FLOW_LEAST_SQUARES;
		assert_ok(context, ossa_rig_from_contraction(context, sample->rig->mesh, &options, &rig));
		assert_ok(context, ossa_rig_validate(context, rig));
		assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &metrics));
		assert_int_equal(test_leaf_count(rig), test_leaf_count(usual));
		assert_near(metrics.joints_inside, 1, 0);
		ossa_rig_free(context, usual);
		ossa_rig_free(context, rig);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, TUBE_FACES);
	assert_true(test_allocation_sweep(sweep_body, sample->rig->mesh, 20, 37) > 200);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void it_can_be_stopped(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	options.progress = test_stop_midway;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, TUBE_FACES);
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_contraction(context, sample->rig->mesh, NULL, &rig), OSSA_ERROR_CANCELLED, NULL);
	assert_null(rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(moved_and_scaled_alike), cmocka_unit_test(shuffled_alike),
		cmocka_unit_test(mirrored_and_inside_out_alike), cmocka_unit_test(least_squares_find_the_same_limbs),
		cmocka_unit_test(the_same_bytes_for_any_threads), cmocka_unit_test(memory_may_fail_anywhere),
		cmocka_unit_test(it_can_be_stopped)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
