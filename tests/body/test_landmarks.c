/* tests/body/test_landmarks.c: joints found again with points that a person has set. */
#include "support/support.h"
#include "support/shapes.h"
#include "support/still.h"

#include <stdlib.h>
#include <string.h>

enum { FACES = 4000 };

/* ---- files ---- */

static ossa_status read_text(ossa_context *context, const char *text, ossa_landmarks *landmarks)
{
	return ossa_landmarks_read(context, test_file("marks.json", text, 0), landmarks);
}

static void files_name_points_as_people_do(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_landmarks l;
	assert_ok(context,
		read_text(context,
			"{\"chin\": [0, 1.5, 0.25], \"wrist_L\": [1, 2, 3], \"Right Elbow\": [4, 5, 6], \"knee.R\": [7, 8, 9]}", &l));
	assert_int_equal(l.point[OSSA_LANDMARK_CHIN].choice, 1);
	assert_true(l.point[OSSA_LANDMARK_CHIN].point[2] == 0.25);
	assert_true(l.point[OSSA_LANDMARK_LEFT_WRIST].point[0] == 1);
	assert_true(l.point[OSSA_LANDMARK_RIGHT_ELBOW].point[0] == 4);
	assert_true(l.point[OSSA_LANDMARK_RIGHT_KNEE].point[0] == 7);
	assert_int_equal(l.point[OSSA_LANDMARK_LEFT_KNEE].choice, 0);
	assert_ok(context, read_text(context, "{\"landmarks\": {\"left-knee\": [1, 1, 1]}, \"units\": \"m\"}", &l));
	assert_int_equal(l.point[OSSA_LANDMARK_LEFT_KNEE].choice, 1);
	test_context_end(context);
}

static void bad_files_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *words;
	} cases[] = {{"{\"nose\": [0, 0, 0]}", "no landmark \"nose\""}, {"{\"left-elbov\": [0, 0, 0]}", "did you mean left-elbow?"},
		{"{\"chin\": [0, 0]}", "three finite numbers"}, {"{\"chin\": [0, 0, \"a\"]}", "three finite numbers"},
		{"{\"elbow_L\": [0, 0, 0], \"left_elbow\": [0, 0, 0]}", "twice"}, {"{}", "holds no landmark"},
		{"[1]", "holds no landmark"}, {"{\"chin\": [0, 0, 0]", "marks.json:1"}, {"", "marks.json"}};
	ossa_context *context = test_context(1);
	ossa_landmarks l;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_fails(context, read_text(context, cases[i].text, &l), OSSA_ERROR_INPUT, cases[i].words);
	assert_fails(context, ossa_landmarks_read(context, test_path("none.json"), &l), OSSA_ERROR_READ, NULL);
	test_context_end(context);
}

static void options_have_the_names_of_landmarks(void **state)
{
	(void)state;
	const ossa_contraction_options *defaults = ossa_contraction_option_table()->defaults;
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		const char *name = ossa_landmark_name((ossa_landmark)i);
		const ossa_option *option = ossa_option_find(ossa_contraction_option_table(), name);
		assert_non_null(option);
		assert_ptr_equal((const char *)defaults + option->offset, &defaults->landmarks.point[i]);
		assert_non_null(ossa_option_find(ossa_volume_option_table(), name));
	}
	assert_null(ossa_landmark_name(OSSA_LANDMARK_COUNT));
}

/* ---- joints ---- */

static ossa_status rig_with(ossa_context *context, const ossa_mesh *mesh, const ossa_landmarks *landmarks, ossa_rig **rig)
{
	ossa_contraction_options options = ossa_contraction_default();
	if (landmarks) options.landmarks = *landmarks;
	return ossa_rig_from_contraction(context, mesh, &options, rig);
}

static const double *joint_of(const ossa_rig *rig, const char *name)
{
	const int32_t bone = ossa_rig_bone(rig, name);
	if (bone < 0) fail_msg("there is no bone %s", name);
	return rig->skeleton.bones[bone].joint;
}

static void set_point(ossa_landmarks *landmarks, ossa_landmark which, const double *p)
{
	landmarks->point[which] = (ossa_choice_or_point){1, {p[0], p[1], p[2]}};
}

static double off(const ossa_rig *rig, const char *name, const double *p)
{
	return ossai_distance(ossai_v3_of(joint_of(rig, name)), ossai_v3_of(p));
}

/* an elbow is set a quarter of the lower arm nearer to the wrist; the other one follows, nothing
   else */
static void a_joint_is_where_it_was_set(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_rig *before, *after;
	assert_ok(context, rig_with(context, sample->rig->mesh, NULL, &before));
	const double diagonal = test_mesh_diagonal(sample->rig->mesh);
	const ossai_vec3 elbow = ossai_v3_of(joint_of(before, "lowerarm_L")), wrist = ossai_v3_of(joint_of(before, "hand_L"));
	ossa_landmarks landmarks = {0};
	double set[3], image[3];
	ossai_v3_store(ossai_lerp(elbow, wrist, 0.25), set);
	set_point(&landmarks, OSSA_LANDMARK_LEFT_ELBOW, set);
	assert_ok(context, rig_with(context, sample->rig->mesh, &landmarks, &after));
	assert_true(off(after, "lowerarm_L", set) < 0.005 * diagonal);
	/* the sample is symmetric in x */
	memcpy(image, set, sizeof image);
	image[0] = -image[0];
	assert_true(off(after, "lowerarm_R", image) < 0.01 * diagonal);
	static const char *const others[] = {"pelvis", "head", "hand_L", "upperarm_L", "calf_L", "foot_R"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		assert_true(off(after, others[i], joint_of(before, others[i])) < 1e-9 * diagonal);
	/* the upper arm ends where the elbow is */
	const ossa_bone *upper = &after->skeleton.bones[ossa_rig_bone(after, "upperarm_L")];
	assert_near_array(3, upper->tail, joint_of(after, "lowerarm_L"), 1e-9);
	ossa_rig_free(context, before);
	ossa_rig_free(context, after);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a point on the skin gives the place along the limb, not across it */
static void a_point_on_the_skin_is_no_joint_on_the_skin(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_rig *before, *after;
	assert_ok(context, rig_with(context, mesh, NULL, &before));
	const ossai_vec3 knee = ossai_v3_of(joint_of(before, "calf_L"));
	size_t nearest = 0;
	for (size_t v = 1; v < mesh->vertex_count; v++) {
		if (ossai_distance(ossai_v3_of_float(mesh->positions + 3 * v), knee) <
			ossai_distance(ossai_v3_of_float(mesh->positions + 3 * nearest), knee))
			nearest = v;
	}
	double skin[3];
	ossai_v3_store(ossai_v3_of_float(mesh->positions + 3 * nearest), skin);
	ossa_landmarks landmarks = {0};
	set_point(&landmarks, OSSA_LANDMARK_LEFT_KNEE, skin);
	assert_ok(context, rig_with(context, mesh, &landmarks, &after));
	const double radius = ossai_distance(ossai_v3_of(skin), knee);
	assert_true(off(after, "calf_L", skin) > 0.5 * radius);
	assert_true(off(after, "calf_L", joint_of(before, "calf_L")) < 0.5 * radius);
	ossa_rig_free(context, before);
	ossa_rig_free(context, after);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* chin and groin move head and hips, and the spine between them */
static void chin_and_groin_move_the_trunk(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_rig *before, *after;
	assert_ok(context, rig_with(context, sample->rig->mesh, NULL, &before));
	const double diagonal = test_mesh_diagonal(sample->rig->mesh), rise = 0.03 * diagonal;
	double chin[3], groin[3];
	memcpy(chin, joint_of(before, "head"), sizeof chin);
	memcpy(groin, joint_of(before, "pelvis"), sizeof groin);
	chin[1] += rise;
	groin[1] += rise;
	ossa_landmarks landmarks = {0};
	set_point(&landmarks, OSSA_LANDMARK_CHIN, chin);
	set_point(&landmarks, OSSA_LANDMARK_GROIN, groin);
	assert_ok(context, rig_with(context, sample->rig->mesh, &landmarks, &after));
	assert_near(joint_of(after, "head")[1] - joint_of(before, "head")[1], rise, 0.2 * rise);
	static const char *const others[] = {"pelvis", "thigh_L", "thigh_R", "spine_01", "spine_03", "neck"};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		const double risen = joint_of(after, others[i])[1] - joint_of(before, others[i])[1];
		assert_true(risen > 0.3 * rise && risen < 1.5 * rise);
	}
	assert_near(joint_of(after, "foot_L")[1], joint_of(before, "foot_L")[1], 1e-9);
	ossa_rig_free(context, before);
	ossa_rig_free(context, after);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what does not fit ---- */

static void points_that_do_not_fit_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_BIPED, FACES);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_rig *before, *rig;
	assert_ok(context, rig_with(context, mesh, NULL, &before));
	ossa_landmarks landmarks = {0};
	set_point(&landmarks, OSSA_LANDMARK_CHIN, (const double[]){0, 100, 0});
	assert_fails(context, rig_with(context, mesh, &landmarks, &rig), OSSA_ERROR_INPUT, "`chin` is");
	/* the file may hold metres for a mesh in centimetres */
	landmarks = (ossa_landmarks){0};
	const double *wrist = joint_of(before, "hand_L");
	set_point(&landmarks, OSSA_LANDMARK_LEFT_WRIST, (const double[]){100 * wrist[0], 100 * wrist[1], 100 * wrist[2]});
	assert_fails(context, rig_with(context, mesh, &landmarks, &rig), OSSA_ERROR_INPUT, "axes and units");
	landmarks = (ossa_landmarks){0};
	set_point(&landmarks, OSSA_LANDMARK_LEFT_WRIST, joint_of(before, "hand_R"));
	set_point(&landmarks, OSSA_LANDMARK_RIGHT_KNEE, joint_of(before, "calf_L"));
	assert_fails(context, rig_with(context, mesh, &landmarks, &rig), OSSA_ERROR_INPUT, "left and right");
	set_point(&landmarks, OSSA_LANDMARK_RIGHT_KNEE, joint_of(before, "calf_R"));
	assert_fails(context, rig_with(context, mesh, &landmarks, &rig), OSSA_ERROR_INPUT, "`left-wrist` is on the side");
	ossa_contraction_options options = ossa_contraction_default();
	options.landmarks = landmarks;
	options.body = OSSA_BODY_NONE;
	assert_fails(context, ossa_rig_from_contraction(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "human body");
	options.landmarks.point[0] = (ossa_choice_or_point){1, {NAN, 0, 0}};
	assert_fails(context, ossa_rig_from_contraction(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "chin");
	ossa_rig_free(context, before);
	ossa_sample_free(context, sample);
	ossa_sample *snake = test_sample(context, OSSA_SAMPLE_SNAKE, FACES);
	landmarks = (ossa_landmarks){0};
	set_point(&landmarks, OSSA_LANDMARK_CHIN, snake->rig->skeleton.bones[0].joint);
	assert_fails(context, rig_with(context, snake->rig->mesh, &landmarks, &rig), OSSA_ERROR_INPUT, "no human");
	ossa_sample_free(context, snake);
	test_context_end(context);
}

/* a figure of boxes that is as long before as behind: who sets its left wrist says where it
   faces */
static void landmarks_decide_a_doubtful_front(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	test_shape *shape = test_shape_new();
	test_shape_human(shape);
	ossa_mesh *mesh = test_shape_mesh(context, shape);
	ossa_landmarks landmarks = {0};
	for (int side = -1; side <= 1; side += 2) {
		ossa_rig *rig;
		set_point(&landmarks, OSSA_LANDMARK_LEFT_WRIST, (const double[]){side * 0.7, 1.41, 0});
		assert_ok(context, rig_with(context, mesh, &landmarks, &rig));
		assert_true(joint_of(rig, "hand_L")[0] * side > 0.5);
		assert_true(joint_of(rig, "calf_L")[0] * side > 0);
		assert_near(rig->body.front[2], side, 1e-6);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* a figure of boxes with two pairs of arms: those with the wrist that was set are its arms, and the
   others limbs of their own */
static void landmarks_decide_which_limbs_are_arms(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	test_shape *shape = test_shape_new();
	test_shape_human(shape);
	for (int side = -1; side <= 1; side += 2) {
		const double near = side * 0.1, far = side * 0.8;
		test_shape_box(shape, ossai_v3(fmin(near, far), 1.05, -0.05), ossai_v3(fmax(near, far), 1.15, 0.05), true);
	}
	ossa_mesh *mesh = test_shape_mesh(context, shape);
	for (int pair = 0; pair < 2; pair++) {
		const double height = pair == 0 ? 1.41 : 1.1;
		ossa_landmarks landmarks = {0};
		ossa_rig *rig;
		set_point(&landmarks, OSSA_LANDMARK_LEFT_WRIST, (const double[]){0.65, height, 0});
		assert_ok(context, rig_with(context, mesh, &landmarks, &rig));
		assert_near(joint_of(rig, "hand_L")[1], height, 0.05);
		assert_near(joint_of(rig, "hand_R")[1], height, 0.05);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* pieces that are rigged apart are no bodies */
static void landmarks_and_separate_pieces(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	test_shape *shape = test_shape_new();
	test_shape_human(shape);
	ossa_mesh *mesh = test_shape_mesh(context, shape);
	ossa_contraction_options options = ossa_contraction_default();
	set_point(&options.landmarks, OSSA_LANDMARK_LEFT_WRIST, (const double[]){0.7, 1.41, 0});
	for (int kind = OSSA_PIECES_LINK; kind <= OSSA_PIECES_SEPARATE; kind++) {
		ossa_rig *rig;
		options.pieces = kind;
		assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
		const bool is_said = strstr(test_warning_text(context, "unused-options"), "left-wrist") != NULL;
		assert_int_equal(is_said, kind == OSSA_PIECES_SEPARATE);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(files_name_points_as_people_do),
		cmocka_unit_test(bad_files_are_refused), cmocka_unit_test(options_have_the_names_of_landmarks),
		cmocka_unit_test(a_joint_is_where_it_was_set), cmocka_unit_test(a_point_on_the_skin_is_no_joint_on_the_skin),
		cmocka_unit_test(chin_and_groin_move_the_trunk), cmocka_unit_test(points_that_do_not_fit_are_refused),
		cmocka_unit_test(landmarks_decide_a_doubtful_front), cmocka_unit_test(landmarks_decide_which_limbs_are_arms),
		cmocka_unit_test(landmarks_and_separate_pieces)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
