/* tests/methods/test_still_options.c: options of the methods for one mesh that contradict each
   other, have no effect, or ask for more than possible; meshes coarser than their shape. */
#include "rig/levels.h"
#include "samples/samples.h"
#include "support/support.h"

#include <ossa/volume_stages.h>

#include <stdlib.h>
#include <string.h>

static ossa_sample *make_sample(ossa_context *context, int kind)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = 2000;
	options.frames = 1;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

/* coarse, for speed */
static ossa_volume_options usual(void)
{
	ossa_volume_options options = ossa_volume_default();
	options.voxel_size = 0.03;
	return options;
}

static size_t bones_of(ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options)
{
	ossa_rig *rig;
	ossa_context_reset(context);
	assert_ok(context, ossa_rig_from_volume(context, mesh, options, &rig));
	const size_t count = rig->skeleton.bone_count;
	ossa_rig_free(context, rig);
	return count;
}

static void what_contradicts_itself_is_refused_before_the_work(void **state)
{
	(void)state;
	/* a mesh of nothing is refused too, but later */
	const float line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
	const uint32_t face[] = {0, 1, 2};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	ossa_volume_stages stages;
	assert_ok(context, ossa_mesh_create(context, 3, line, 1, face, &mesh));
	ossa_volume_options options = usual();
	options.min_fraction = 0.5;
	assert_fails(context, ossa_rig_from_volume(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "above max-fraction");
	assert_fails(context, ossa_volume_stages_make(context, mesh, &options, &stages), OSSA_ERROR_ARGUMENT, "above max-fraction");
	options = usual();
	options.tolerance = -1;
	assert_fails(context, ossa_rig_from_volume(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "tolerance");
	assert_null(rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void what_has_no_part_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_volume_options options = usual();
	bones_of(context, mesh, &options);
	assert_int_equal(test_warned(context, "unused-options"), 0);
	options.power = 2;
	bones_of(context, mesh, &options);
	assert_int_equal(test_warned(context, "unused-options"), 1);
	options.weights = OSSA_WEIGHTS_GEODESIC;
	bones_of(context, mesh, &options);
	assert_int_equal(test_warned(context, "unused-options"), 0);
	/* the paper has no spurious branches, and its number is that of segments */
	options = usual();
	options.refine = 0;
	options.spurs = 3;
	options.symmetry = 2;
	options.bones = 7;
	bones_of(context, mesh, &options);
	assert_int_equal(test_warned(context, "unused-options"), 3);
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`spurs`"));
	/* ... and segments are the paper's alone */
	options = usual();
	options.segments = 6;
	options.min_fraction = 0.05;
	options.max_fraction = 0.4;
	options.tolerance = 0.05;
	const size_t bones = bones_of(context, mesh, &options);
	assert_int_equal(test_warned(context, "unused-options"), 4);
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`refine 0`"));
	options = usual();
	assert_int_equal(bones_of(context, mesh, &options), bones);
	options.refine = 0;
	options.segments = 6;
	bones_of(context, mesh, &options);
	assert_int_equal(test_warned(context, "unused-options"), 0);
	ossa_contraction_options contraction = ossa_contraction_default();
	contraction.pieces = 1;
	contraction.join = 2;
	ossa_context_reset(context);
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &contraction, &rig));
	assert_non_null(strstr(test_warning_text(context, "unused-options"), "`join-distance`"));
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void missed_numbers_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED);
	ossa_volume_options options = usual();
	options.refine = 0;
	options.segments = 2;
	const size_t least = bones_of(context, sample->rig->mesh, &options);
	assert_int_equal(test_warned(context, "more-bones"), least - 2);
	options.segments = 400;
	const size_t most = bones_of(context, sample->rig->mesh, &options);
	assert_true(most > least);
	assert_int_equal(test_warned(context, "fewer-bones"), 400 - most);
	/* levels without end: the coarsest is the root alone, and there once */
	options = usual();
	options.levels = 16;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_volume(context, sample->rig->mesh, &options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_in_range(rig->level_count, 3, 8);
	assert_int_equal(test_warned(context, "fewer-levels"), 16 - rig->level_count);
	size_t before = rig->skeleton.bone_count + 1;
	for (int level = 0; level < rig->level_count; level++) {
		ossa_rig *coarser;
		assert_ok(context, ossa_rig_of_level(context, rig, level, &coarser));
		assert_true(coarser->skeleton.bone_count < before);
		before = coarser->skeleton.bone_count;
		ossa_rig_free(context, coarser);
	}
	assert_int_equal(before, 1);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* bones that move a vertex */
static size_t moving_count(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		bool moves = false;
		for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
			moves = moves || (rig->weights.bones[i] == b && rig->weights.values[i] > 1e-3F);
		}
		count += moves;
	}
	return count;
}

/* without its last bone a rig is whole, whatever memory there is */
static ossa_status leave_one_out(ossa_context *context, void *arg)
{
	const ossa_rig *rig = arg;
	const size_t count = rig->skeleton.bone_count;
	uint8_t gone[16] = {0};
	ossa_rig *fewer;
	assert_in_range(count, 2, sizeof gone);
	gone[count - 1] = 1;
	ossa_status status = ossai_rig_without(context, rig, gone, &fewer);
	if (status != OSSA_OK) {
		assert_null(fewer);
		return status;
	}
	assert_int_equal(fewer->skeleton.bone_count, count - 1);
	status = ossa_rig_validate(context, fewer);
	ossa_rig_free(context, fewer);
	return status;
}

/* a rod of eight vertices has a skin at its ends alone */
static void coarse_meshes_get_no_bones_without_skin(void **state)
{
	(void)state;
	static const float corners[] = {0, 0, 0, 50, 0, 0, 0, 1, 0, 50, 1, 0, 0, 0, 1, 50, 0, 1, 0, 1, 1, 50, 1, 1};
	static const uint32_t faces[] = {
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 8, corners, 12, faces, &mesh));
	for (int i = 0; i < 2; i++) {
		ossa_contraction_options contraction = ossa_contraction_default();
		ossa_volume_options volume = ossa_volume_default();
		volume.levels = 2;
		ossa_context_reset(context);
		if (i == 0) assert_ok(context, ossa_rig_from_contraction(context, mesh, &contraction, &rig));
		else assert_ok(context, ossa_rig_from_volume(context, mesh, &volume, &rig));
		assert_ok(context, ossa_rig_validate(context, rig));
		assert_int_equal(rig->skeleton.bone_count, 3);
		assert_int_equal(moving_count(rig), 2);
		assert_true(test_warned(context, "fewer-bones") > 0);
		ossa_rig_free(context, rig);
		/* a requested number is kept */
		contraction.bones = volume.bones = 7;
		if (i == 0) assert_ok(context, ossa_rig_from_contraction(context, mesh, &contraction, &rig));
		else assert_ok(context, ossa_rig_from_volume(context, mesh, &volume, &rig));
		assert_int_equal(rig->skeleton.bone_count, 7);
		assert_true(test_allocation_sweep(leave_one_out, rig, 1000, 1) > 5);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* a rod that is cut finer on one side: bones that move no vertex on the other go on both sides or
   on none */
static void bones_without_skin_leave_the_sides_even(void **state)
{
	(void)state;
	/* rings of four at the ends and where it is cut */
	static const float at[] = {0, 50, 31, 34, 37, 40, 43};
	enum { RINGS = 7 };
	float corners[RINGS * 12];
	uint32_t faces[(RINGS - 1) * 24 + 12];
	static const uint32_t order[RINGS] = {0, 2, 3, 4, 5, 6, 1}, ends[] = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6};
	for (uint32_t i = 0; i < RINGS * 4; i++) {
		corners[3 * i] = at[i / 4];
		corners[3 * i + 1] = i % 4 == 1 || i % 4 == 2;
		corners[3 * i + 2] = i % 4 >= 2;
	}
	for (uint32_t i = 0; i + 1 < RINGS; i++) {
		for (uint32_t k = 0; k < 4; k++) {
			const uint32_t a = 4 * order[i] + k, b = 4 * order[i] + (k + 1) % 4, c = 4 * order[i + 1] + k,
						   d = 4 * order[i + 1] + (k + 1) % 4;
			memcpy(faces + 24 * (size_t)i + 6 * (size_t)k, (uint32_t[]){a, c, d, a, d, b}, 6 * sizeof *faces);
		}
	}
	memcpy(faces + (RINGS - 1) * 24, ends, sizeof ends);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, (size_t)RINGS * 4, corners, (RINGS - 1) * 8 + 4, faces, &mesh));
	assert_ok(context, ossa_rig_from_contraction(context, mesh, NULL, &rig));
	int sides = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const double off = rig->skeleton.bones[b].joint[0] - 25;
		sides += (off > 1) - (off < -1);
	}
	assert_true(moving_count(rig) < rig->skeleton.bone_count && rig->skeleton.bone_count > 3);
	assert_int_equal(sides, 0);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* the smallest size that an error names works in all stages */
static void voxels_keep_to_the_memory_limit(void **state)
{
	(void)state;
	ossa_context_options limited = ossa_context_default();
	limited.memory_limit = (size_t)40 << 20;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&limited, &context), OSSA_OK);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED);
	ossa_volume_options options = ossa_volume_default();
	ossa_rig *rig;
	options.voxel_size = 0.0005;
	assert_fails(context, ossa_rig_from_volume(context, sample->rig->mesh, &options, &rig), OSSA_ERROR_LIMIT,
		"smallest size that fits is ");
	options.voxel_size = strtod(strrchr(ossa_context_error(context)->message, ' '), NULL);
	assert_true(options.voxel_size > 0.001 && options.voxel_size < 0.01);
	assert_ok(context, ossa_rig_from_volume(context, sample->rig->mesh, &options, &rig));
	ossa_rig_free(context, rig);
	/* a side of the box may be so many voxels long exactly */
	static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
	static const uint32_t faces[] = {
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	ossa_mesh *box;
	assert_ok(context, ossa_mesh_create(context, 8, corners, 12, faces, &box));
	options.voxel_size = 0.001;
	assert_fails(context, ossa_rig_from_volume(context, box, &options, &rig), OSSA_ERROR_LIMIT, "smallest size that fits is ");
	ossa_mesh_free(context, box);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_contradicts_itself_is_refused_before_the_work),
		cmocka_unit_test(what_has_no_part_is_reported),
		cmocka_unit_test(missed_numbers_are_reported),
		cmocka_unit_test(coarse_meshes_get_no_bones_without_skin),
		cmocka_unit_test(bones_without_skin_leave_the_sides_even),
		cmocka_unit_test(voxels_keep_to_the_memory_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
