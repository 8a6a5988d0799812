/* tests/methods/test_moving_plan.c: a human's bones, joined as programs for humanoids expect. */
#include "rig/pose.h"
#include "support/compare.h"
#include "support/streams.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static ossa_rig_options options_of(ossa_articulation articulation)
{
	ossa_rig_options options = ossa_rig_default();
	options.articulation = articulation;
	return options;
}

static ossa_rig_result make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const ossa_rig_options *options)
{
	ossa_frame_stream *stream;
	ossa_rig_result made;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, stream}, options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	ossa_frame_stream_free(context, stream);
	return made;
}

/* ---- what programs for humanoids ask for ---- */

static uint32_t bone_of(const ossa_rig *rig, const char *name)
{
	const int32_t bone = ossa_rig_bone(rig, name);
	if (bone < 0) fail_msg("there is no bone %s", name);
	return (uint32_t)bone;
}

static bool is_below(const ossa_rig *rig, const char *bone, const char *above)
{
	const uint32_t end = bone_of(rig, above);
	int32_t up = rig->skeleton.bones[bone_of(rig, bone)].parent;
	while (up > (int32_t)end) up = rig->skeleton.bones[up].parent;
	return up == (int32_t)end;
}

static const char *parent_of(const ossa_rig *rig, const char *bone)
{
	return rig->skeleton.bones[rig->skeleton.bones[bone_of(rig, bone)].parent].name;
}

static void assert_humanoid(const ossa_rig *rig)
{
	static const char *const below[][2] = {{"spine_01", "pelvis"}, {"head", "spine_01"}, {"upperarm_L", "spine_01"},
		{"upperarm_R", "spine_01"}, {"thigh_L", "pelvis"}, {"thigh_R", "pelvis"}};
	static const char *const segment[][2] = {{"lowerarm_L", "upperarm_L"}, {"hand_L", "lowerarm_L"},
		{"lowerarm_R", "upperarm_R"}, {"hand_R", "lowerarm_R"}, {"calf_L", "thigh_L"}, {"foot_L", "calf_L"},
		{"calf_R", "thigh_R"}, {"foot_R", "calf_R"}};
	assert_string_equal(rig->skeleton.bones[0].name, "pelvis");
	for (size_t i = 0; i < sizeof below / sizeof *below; i++) assert_true(is_below(rig, below[i][0], below[i][1]));
	for (size_t i = 0; i < sizeof segment / sizeof *segment; i++)
		assert_string_equal(parent_of(rig, segment[i][0]), segment[i][1]);
}

static void a_human_is_whole(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 2);
	const ossa_rig_options limbs = options_of(OSSA_ARTICULATION_LIMBS);
	ossa_rig_result made = make(a.context, a.sample->rig->mesh, a.sample->frames, NULL);
	ossa_rig_result shown = make(a.context, a.sample->rig->mesh, a.sample->frames, &limbs);
	assert_humanoid(made.rig);
	assert_int_equal(made.rig->body.kind, OSSA_BODY_HUMAN);
	/* bones that are added move nothing differently */
	assert_true(made.rig->skeleton.bone_count > shown.rig->skeleton.bone_count);
	assert_true(made.hierarchy.rms_percent < shown.hierarchy.rms_percent + 1e-3);
	ossa_rig_result_free(a.context, &shown);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

static ossa_rig_result make_counted(const test_animated *a, const char *name, const char *text)
{
	ossa_rig_options options = ossa_rig_default();
	assert_ok(a->context, ossa_method_options_create(a->context, &options.methods));
	assert_ok(a->context, ossa_rig_option_set(a->context, &options, name, text));
	ossa_rig_result made = make(a->context, a->sample->rig->mesh, a->sample->frames, &options);
	ossa_method_options_free(a->context, options.methods);
	return made;
}

static void a_number_of_bones_is_kept(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 2);
	ossa_rig_result made = make_counted(&a, "bones", "14");
	assert_true(made.rig->skeleton.bone_count <= 14);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* the bone on the other side; a bone in the middle itself */
static uint32_t image_of(const ossa_rig *rig, size_t bone)
{
	char image[sizeof rig->skeleton.bones[bone].name];
	const size_t length = strlen(rig->skeleton.bones[bone].name);
	memcpy(image, rig->skeleton.bones[bone].name, length + 1);
	if (image[length - 2] != '_' || !strchr("LR", image[length - 1])) return (uint32_t)bone;
	image[length - 1] = image[length - 1] == 'L' ? 'R' : 'L';
	return bone_of(rig, image);
}

static double off_mirror(ossai_vec3 point, ossai_vec3 other)
{
	return ossai_distance(ossai_v3(-point.x, point.y, point.z), other);
}

static void assert_mirrored_joints(const ossa_rig *rig, double most)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b], *image = &rig->skeleton.bones[image_of(rig, b)];
		/* a part's own bones, and helpers beside them */
		assert_true(bone->role.part != OSSA_PART_NONE || strstr(bone->name, "_helper_"));
		assert_true(off_mirror(ossai_v3_of(bone->joint), ossai_v3_of(image->joint)) <= most);
	}
}

/* returns how many vertices have one at the mirrored position */
static size_t assert_mirrored_weights(const ossa_rig *rig, double near)
{
	size_t pairs = 0;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const ossai_vec3 point = ossai_v3_of_float(rig->mesh->positions + 3 * v);
		size_t other = 0;
		while (other < rig->mesh->vertex_count && off_mirror(point, ossai_v3_of_float(rig->mesh->positions + 3 * other)) > near)
			other++;
		if (other == rig->mesh->vertex_count) continue;
		pairs++;
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			const float own = test_weight_of(&rig->weights, v, b);
			assert_true(fabsf(own - test_weight_of(&rig->weights, other, image_of(rig, b))) < 2e-5F);
		}
	}
	return pairs;
}

/* nor are bones added that a root cannot be */
static void a_root_is_one_of_the_motions_bones(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 2);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_options limbs = options_of(OSSA_ARTICULATION_LIMBS);
	strcpy(options.root_bone, "head");
	strcpy(limbs.root_bone, "head");
	ossa_rig_result made = make(a.context, a.sample->rig->mesh, a.sample->frames, &options);
	ossa_rig_result shown = make(a.context, a.sample->rig->mesh, a.sample->frames, &limbs);
	assert_string_equal(made.rig->skeleton.bones[0].name, "head");
	assert_int_equal(made.rig->skeleton.bone_count, shown.rig->skeleton.bone_count);
	ossa_rig_result_free(a.context, &shown);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

static void a_symmetric_human_stays_symmetric(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 2);
	ossa_rig_result made = make_counted(&a, "symmetry", "enforce");
	const double diagonal = test_diagonal(made.rig->mesh);
	assert_humanoid(made.rig);
	assert_mirrored_joints(made.rig, 1e-5 * diagonal);
	assert_true(2 * assert_mirrored_weights(made.rig, 1e-6 * diagonal) > made.rig->mesh->vertex_count);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

static void threads_do_not_change_it(void **state)
{
	(void)state;
	ossa_rig_result made[2];
	test_animated a[2];
	for (int i = 0; i < 2; i++) {
		a[i] = test_animated_begin(OSSA_SAMPLE_BIPED, 8, 1 + 3 * i);
		made[i] = make(a[i].context, a[i].sample->rig->mesh, a[i].sample->frames, NULL);
	}
	const ossa_rig *one = made[0].rig, *four = made[1].rig;
	assert_int_equal(one->skeleton.bone_count, four->skeleton.bone_count);
	assert_memory_equal(one->skeleton.bones, four->skeleton.bones, one->skeleton.bone_count * sizeof(ossa_bone));
	assert_memory_equal(one->weights.values, four->weights.values,
		one->weights.vertex_count * (size_t)one->weights.influences * sizeof *one->weights.values);
	for (int i = 0; i < 2; i++) {
		ossa_rig_result_free(a[i].context, &made[i]);
		test_animated_end(&a[i]);
	}
}

/* ---- where it is not wanted ---- */

static void other_bodies_keep_their_bones(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_QUADRUPED, 8, 2);
	const ossa_rig_options limbs = options_of(OSSA_ARTICULATION_LIMBS);
	ossa_rig_result made = make(a.context, a.sample->rig->mesh, a.sample->frames, NULL);
	ossa_rig_result shown = make(a.context, a.sample->rig->mesh, a.sample->frames, &limbs);
	assert_int_equal(made.rig->skeleton.bone_count, shown.rig->skeleton.bone_count);
	assert_memory_equal(made.rig->skeleton.bones, shown.rig->skeleton.bones, made.rig->skeleton.bone_count * sizeof(ossa_bone));
	ossa_rig_result_free(a.context, &shown);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* ---- a tree that costs error ---- */

static bool is_of_leg(const ossa_rig *rig, size_t vertex)
{
	static const char *const leg[] = {"thigh-l", "shin-l", "foot-l", "toe-l"};
	double sum = 0;
	for (size_t i = 0; i < sizeof leg / sizeof *leg; i++) {
		if (ossa_rig_bone(rig, leg[i]) >= 0) sum += (double)test_weight_named(rig, vertex, leg[i]);
	}
	return sum > 0.5;
}

/* the left leg swings on the right forearm */
static void carry_leg(const ossa_rig *truth, ossa_context *context, ossa_frames *frames)
{
	const size_t bones = truth->skeleton.bone_count, vertices = frames->vertex_count;
	double *matrices = ossa_alloc(context, bones, 12 * sizeof *matrices);
	const uint32_t arm = bone_of(truth, "forearm-r");
	const ossai_vec3 pivot = ossai_v3_of(truth->skeleton.bones[arm].tail);
	assert_non_null(matrices);
	for (size_t k = 0; k < frames->frame_count; k++) {
		ossai_skin_matrices(truth, truth->clip, k, matrices);
		const ossai_rigid carrier = ossai_rigid_of(matrices + 12 * (size_t)arm);
		const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0, 0, 1), 0.5 * sin((double)k)));
		for (size_t v = 0; v < vertices; v++) {
			if (!is_of_leg(truth, v)) continue;
			const ossai_vec3 p = ossai_v3_of_float(truth->mesh->positions + 3 * v);
			const ossai_vec3 q = ossai_rigid_point(&carrier, ossai_add(pivot, ossai_mat3_mul_v(&turn, ossai_sub(p, pivot))));
			float *to = frames->positions + 3 * (k * vertices + v);
			to[0] = (float)q.x;
			to[1] = (float)q.y;
			to[2] = (float)q.z;
		}
	}
	ossa_free(context, matrices);
}

static void a_warning_says_what_it_costs(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 16, 2);
	ossa_rig_options options = options_of(OSSA_ARTICULATION_AUTO), limbs = options_of(OSSA_ARTICULATION_LIMBS);
	options.roots = limbs.roots = OSSA_ROOTS_ONE;
	/* few bones, and no pivots, which would lead the leg along the arm */
	assert_ok(a.context, ossa_method_options_create(a.context, &options.methods));
	limbs.methods = options.methods;
	assert_ok(a.context, ossa_rig_option_set(a.context, &options, "worth", "1"));
	ossa_rig_result whole = make(a.context, a.sample->rig->mesh, a.sample->frames, &options);
	assert_int_equal(test_warned(a.context, "human-tree"), 0);
	carry_leg(a.sample->rig, a.context, a.sample->frames);
	ossa_rig_result shown = make(a.context, a.sample->rig->mesh, a.sample->frames, &limbs);
	assert_int_equal(test_warned(a.context, "human-tree"), 0);
	ossa_rig_result made = make(a.context, a.sample->rig->mesh, a.sample->frames, &options);
	assert_true(is_below(made.rig, "thigh_L", "pelvis"));
	assert_non_null(strstr(test_warning_text(a.context, "human-tree"), "`articulation limbs`"));
	ossa_method_options_free(a.context, options.methods);
	ossa_rig_result_free(a.context, &whole);
	ossa_rig_result_free(a.context, &shown);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_human_is_whole), cmocka_unit_test(a_number_of_bones_is_kept),
		cmocka_unit_test(a_root_is_one_of_the_motions_bones), cmocka_unit_test(a_symmetric_human_stays_symmetric),
		cmocka_unit_test(threads_do_not_change_it), cmocka_unit_test(other_bodies_keep_their_bones),
		cmocka_unit_test(a_warning_says_what_it_costs)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
