/* tests/methods/test_moving_symmetry.c: symmetric rigs of motion that is not. */
#include "proxy/mirror_counterparts.h"
#include "support/compare.h"
#include "support/examples.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* a rig and the plane of its shape */
typedef struct mirrored_rig {
	ossa_rig *rig;
	ossai_mirror plane;
} mirrored_rig;

/* the plane of a mesh, in its units */
static ossai_mirror plane_of(ossa_context *context, const ossa_mesh *mesh)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_posed_surface surface;
	ossai_mirror plane;
	assert_ok(context, ossai_posed_surface_make(context, &arena, mesh, NULL, true, &surface));
	assert_ok(context, ossai_mirror_of_surface(&arena, &surface, &plane));
	plane.offset = plane.offset * surface.scale + ossai_dot(plane.normal, surface.rest_center);
	ossai_arena_end(&arena);
	return plane;
}

/* the bone whose joint is at the mirrored place, to 1e-5 of the diagonal; SIZE_MAX: none */
static size_t image_of(const mirrored_rig *it, size_t bone)
{
	const ossa_rig *rig = it->rig;
	const ossai_vec3 wanted = ossai_mirror_point(&it->plane, ossai_v3_of(rig->skeleton.bones[bone].joint));
	const double near = 1e-5 * test_diagonal(rig->mesh);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (ossai_distance(wanted, ossai_v3_of(rig->skeleton.bones[b].joint)) < near) return b;
	}
	return SIZE_MAX;
}

static bool is_symmetric(const mirrored_rig *it)
{
	for (size_t b = 0; b < it->rig->skeleton.bone_count; b++) {
		if (image_of(it, b) == SIZE_MAX) return false;
	}
	return true;
}

/* tree, joints and weights; returns how many vertices had a counterpart */
static size_t assert_symmetric(const mirrored_rig *it)
{
	const ossa_rig *rig = it->rig;
	const ossa_mesh *mesh = rig->mesh;
	const double near = 1e-6 * test_diagonal(mesh);
	size_t image[256], counterparts = 0;
	assert_true(is_symmetric(it));
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) image[b] = image_of(it, b);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const int32_t parent = rig->skeleton.bones[b].parent, other = rig->skeleton.bones[image[b]].parent;
		assert_int_equal(other, parent < 0 ? parent : (int32_t)image[parent]);
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 wanted = ossai_mirror_point(&it->plane, ossai_v3_of_float(mesh->positions + 3 * v));
		for (size_t u = 0; u < mesh->vertex_count; u++) {
			if (ossai_distance(wanted, ossai_v3_of_float(mesh->positions + 3 * u)) > near) continue;
			counterparts++;
			for (size_t b = 0; b < rig->skeleton.bone_count; b++)
				assert_near(test_weight_of(&rig->weights, v, b), test_weight_of(&rig->weights, u, image[b]), 1e-6);
		}
	}
	return counterparts;
}

static mirrored_rig rig_of(ossa_context *context, const ossa_sample *sample, int bones, ossa_symmetry_kind symmetry)
{
	ossa_examples_options options = test_examples_bones(bones);
	options.symmetry = symmetry;
	return (mirrored_rig){
		test_examples_rig(context, sample->rig->mesh, sample->frames, &options), plane_of(context, sample->rig->mesh)};
}

static void sides_are_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const int kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_QUADRUPED};
	for (size_t i = 0; i < 2; i++) {
		/* with flesh that no skeleton repeats, so that there is no exact answer to fall into */
		ossa_sample *sample = test_examples_sample(context, kinds[i], 1500, 6, 0.5);
		for (int bones = 0; bones <= 18; bones += 9) {
			mirrored_rig it = rig_of(context, sample, bones, OSSA_SYMMETRY_ENFORCE);
			assert_true(2 * assert_symmetric(&it) > sample->rig->mesh->vertex_count);
			if (bones > 0) assert_int_equal(it.rig->skeleton.bone_count, bones);
			ossa_rig_free(context, it.rig);
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static double side_of(const ossai_mirror *plane, const ossai_vec3 point)
{
	return ossai_dot(plane->normal, point) - plane->offset;
}

/* vertices of one side stay at rest in all poses */
static void still_side(const ossa_sample *sample, const ossai_mirror *plane)
{
	const ossa_mesh *mesh = sample->rig->mesh;
	for (size_t k = 0; k < sample->frames->frame_count; k++) {
		for (size_t v = 0; v < mesh->vertex_count; v++) {
			const float *rest = mesh->positions + 3 * v;
			float *pose = sample->frames->positions + 3 * (k * mesh->vertex_count + v);
			if (side_of(plane, ossai_v3_of_float(rest)) < 0) memcpy(pose, rest, 3 * sizeof *rest);
		}
	}
}

/* joints on the side that is still */
static size_t count_still(const ossa_rig *rig, const ossai_mirror *plane)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++)
		count += side_of(plane, ossai_v3_of(rig->skeleton.bones[b].joint)) < -0.05 * test_diagonal(rig->mesh);
	return count;
}

/* what one side shows divides the other side too */
static void a_side_that_is_still_gets_the_bones_of_the_other(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_BIPED, 1500, 8, 0);
	const ossai_mirror plane = plane_of(context, sample->rig->mesh);
	still_side(sample, &plane);
	mirrored_rig it = rig_of(context, sample, 0, OSSA_SYMMETRY_ENFORCE), off = rig_of(context, sample, 0, OSSA_SYMMETRY_OFF);
	assert_symmetric(&it);
	assert_false(is_symmetric(&off));
	const size_t own = count_still(it.rig, &plane), without = count_still(off.rig, &plane);
	if (!(own >= 3 && own > without)) fail_msg("%zu joints, %zu without symmetry", own, without);
	ossa_rig_free(context, off.rig);
	ossa_rig_free(context, it.rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static bool are_same(const ossa_rig *a, const ossa_rig *b)
{
	const ossa_weights *w = &a->weights;
	return a->skeleton.bone_count == b->skeleton.bone_count &&
		memcmp(w->values, b->weights.values, w->vertex_count * (size_t)w->influences * sizeof *w->values) == 0;
}

/* `detect` is symmetric where the error allows it, else it makes the rig of `off` */
static void the_error_decides(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_QUADRUPED, 1500, 6, 0.5);
	size_t symmetric = 0;
	for (int bones = 6; bones <= 24; bones += 6) {
		mirrored_rig off = rig_of(context, sample, bones, OSSA_SYMMETRY_OFF);
		mirrored_rig it = rig_of(context, sample, bones, OSSA_SYMMETRY_DETECT);
		symmetric += !are_same(off.rig, it.rig);
		if (!are_same(off.rig, it.rig)) assert_symmetric(&it);
		ossa_rig_free(context, it.rig);
		ossa_rig_free(context, off.rig);
	}
	assert_in_range(symmetric, 1, 3);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void a_hand_is_not_symmetric(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_HAND, 1500, 4, 0);
	ossa_examples_options options = test_examples_bones(8);
	ossa_rig *rig;
	mirrored_rig off = rig_of(context, sample, 8, OSSA_SYMMETRY_OFF), detect = rig_of(context, sample, 8, OSSA_SYMMETRY_DETECT);
	options.symmetry = OSSA_SYMMETRY_ENFORCE;
	assert_fails(context, ossa_rig_from_examples(context, sample->rig->mesh, sample->frames, &options, &rig), OSSA_ERROR_INPUT,
		"not symmetric, as `symmetry enforce` wants");
	assert_null(rig);
	assert_true(are_same(off.rig, detect.rig));
	ossa_rig_free(context, off.rig);
	ossa_rig_free(context, detect.rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* part of a body that is dented: a warning, and the rest is symmetric */
static void a_dent_is_counted(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_examples_sample(context, OSSA_SAMPLE_BIPED, 1500, 4, 0);
	ossa_mesh *mesh = sample->rig->mesh;
	mirrored_rig whole = rig_of(context, sample, 9, OSSA_SYMMETRY_ENFORCE);
	const int64_t before = test_warned(context, "symmetry-part");
	size_t highest = 0;
	for (size_t v = 0; v < mesh->vertex_count; v++)
		highest = mesh->positions[3 * v] > mesh->positions[3 * highest] ? v : highest;
	mesh->positions[3 * highest] += 0.05f * (float)test_diagonal(mesh);
	ossa_context_reset(context);
	mirrored_rig it = rig_of(context, sample, 9, OSSA_SYMMETRY_ENFORCE);
	assert_true(test_warned(context, "symmetry-part") > before);
	assert_true(is_symmetric(&(mirrored_rig){it.rig, whole.plane}));
	ossa_rig_free(context, it.rig);
	ossa_rig_free(context, whole.rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* few vertices stand for all in the first stages; the bytes do not depend on threads */
static void large_meshes_and_threads(void **state)
{
	(void)state;
	mirrored_rig it[2];
	ossa_context *context[2] = {test_context(1), test_context(3)};
	ossa_sample *sample[2];
	for (size_t i = 0; i < 2; i++) {
		sample[i] = test_examples_sample(context[i], OSSA_SAMPLE_BIPED, 18000, 4, 0.5);
		it[i] = rig_of(context[i], sample[i], 17, OSSA_SYMMETRY_ENFORCE);
	}
	assert_true(it[0].rig->mesh->vertex_count > 8000);
	assert_true(is_symmetric(&it[0]));
	assert_true(are_same(it[0].rig, it[1].rig));
	for (size_t i = 0; i < 2; i++) {
		ossa_rig_free(context[i], it[i].rig);
		ossa_sample_free(context[i], sample[i]);
		test_context_end(context[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_are_the_same),
		cmocka_unit_test(a_side_that_is_still_gets_the_bones_of_the_other),
		cmocka_unit_test(the_error_decides),
		cmocka_unit_test(a_hand_is_not_symmetric),
		cmocka_unit_test(a_dent_is_counted),
		cmocka_unit_test(large_meshes_and_threads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
