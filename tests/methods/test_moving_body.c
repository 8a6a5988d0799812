/* tests/methods/test_moving_body.c: the body of a rig from motion: names, root, and bones that
   never moved. */
#include "methods/moving_body.h"
#include "rig/rebuild.h"
#include "support/compare.h"
#include "support/shapes.h"
#include "support/still.h"
#include "support/streams.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* a rig by examples of so many bones; 0: as many as it needs */
static ossa_status try_body(
	const test_animated *a, ossa_rig_options options, int bones, ossa_body_kind body, ossa_rig_result *made)
{
	strcpy(options.method, "examples");
	assert_ok(a->context, ossa_method_options_create(a->context, &options.methods));
	((ossa_examples_options *)ossa_method_options_of(options.methods, "examples"))->bones = bones;
	options.body = body;
	const ossa_rig_input input = {.mesh = a->sample->rig->mesh, .frames = a->stream};
	const ossa_status status = ossa_rig_make(a->context, &input, &options, made);
	ossa_method_options_free(a->context, options.methods);
	return status;
}

static ossa_status try_make(const test_animated *a, ossa_rig_options options, int bones, ossa_rig_result *made)
{
	return try_body(a, options, bones, OSSA_BODY_AUTO, made);
}

/* with the tree and the bones that the motion shows */
static ossa_rig_result make(const test_animated *a, const char *root, bool completes, int bones)
{
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	options.articulation = OSSA_ARTICULATION_LIMBS;
	strcpy(options.root_bone, root);
	options.complete = completes;
	assert_ok(a->context, try_make(a, options, bones, &made));
	assert_ok(a->context, ossa_rig_validate(a->context, made.rig));
	return made;
}

/* the sample looks along +Z: left is +X */
static void assert_sides(const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		const size_t length = strlen(bone->name);
		if (bone->role.side == 0) continue;
		assert_string_equal(bone->name + length - 2, bone->role.side > 0 ? "_L" : "_R");
		assert_true(bone->role.side * (bone->joint[0] + bone->tail[0]) > 0);
	}
}

static void the_hips_are_the_root_and_every_bone_has_a_part(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 0);
	ossa_rig_result made = make(&a, "auto", false, 0);
	assert_string_equal(made.rig->skeleton.bones[0].name, "pelvis");
	for (size_t b = 0; b < made.rig->skeleton.bone_count; b++) {
		assert_true(made.rig->skeleton.bones[b].role.part != OSSA_PART_NONE);
	}
	assert_sides(made.rig);
	/* no motion shows where they begin */
	ossa_rig *rest;
	assert_ok(a.context, ossai_rest_rig_make(a.context, a.sample->rig->mesh, &(ossai_rest_wish){0}, &rest));
	assert_near_array(3, made.rig->skeleton.bones[0].joint, rest->skeleton.bones[0].joint, 1e-9);
	ossa_rig_free(a.context, rest);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

static void any_bone_can_be_the_root(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 0);
	ossa_rig_result hips = make(&a, "auto", false, 0), head = make(&a, "head", false, 0), center = make(&a, "center", false, 0);
	assert_string_equal(head.rig->skeleton.bones[0].name, "head");
	assert_near(head.hierarchy.rms_percent, hips.hierarchy.rms_percent, 1e-9);
	assert_near(head.free_bones.rms_percent, hips.free_bones.rms_percent, 1e-9);
	assert_near(center.hierarchy.rms_percent, hips.hierarchy.rms_percent, 1e-9);
	/* the same bones, in other orders */
	for (size_t b = 0; b < hips.rig->skeleton.bone_count; b++) {
		const char *name = hips.rig->skeleton.bones[b].name;
		assert_true(ossa_rig_bone(head.rig, name) >= 0);
		assert_true(ossa_rig_bone(center.rig, name) >= 0);
	}
	ossa_rig_result_free(a.context, &hips);
	ossa_rig_result_free(a.context, &head);
	ossa_rig_result_free(a.context, &center);
	ossa_rig_options options = ossa_rig_default();
	strcpy(options.root_bone, "tail_01");
	ossa_rig_result none;
	assert_fails(a.context, try_make(&a, options, 0, &none), OSSA_ERROR_ARGUMENT, "tail_01");
	test_animated_end(&a);
}

/* numbers are those of the order that is written */
static void numbers_can_name_the_root(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 0);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_result made;
	strcpy(options.root_bone, "bone_03");
	options.names = OSSA_NAMES_NUMBERS;
	assert_ok(a.context, try_make(&a, options, 0, &made));
	assert_string_equal(made.rig->skeleton.bones[0].name, "root");
	assert_string_equal(made.rig->skeleton.bones[3].name, "bone_03");
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* as for one mesh: another body is refused, and none has numbers and the root of the motion */
static void a_body_can_be_named(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 0);
	ossa_rig_result human, none, other, center = make(&a, "center", false, 0);
	assert_ok(a.context, try_body(&a, ossa_rig_default(), 0, OSSA_BODY_HUMAN, &human));
	assert_int_equal(human.rig->body.kind, OSSA_BODY_HUMAN);
	assert_string_equal(human.rig->skeleton.bones[0].name, "pelvis");
	assert_ok(a.context, try_body(&a, ossa_rig_default(), 0, OSSA_BODY_NONE, &none));
	assert_int_equal(none.rig->body.kind, OSSA_BODY_NONE);
	assert_string_equal(none.rig->skeleton.bones[0].name, "root");
	assert_near(none.rig->skeleton.bones[0].joint[1], center.rig->skeleton.bones[0].joint[1], 1e-12);
	assert_fails(a.context, try_body(&a, ossa_rig_default(), 0, OSSA_BODY_SPIDER, &other), OSSA_ERROR_INPUT, "no spider");
	ossa_rig_result_free(a.context, &human);
	ossa_rig_result_free(a.context, &none);
	ossa_rig_result_free(a.context, &center);
	test_animated_end(&a);
}

/* ---- landmarks and doubts ---- */

static void set_elbow(const test_animated *a, ossa_landmark which, double side, ossa_landmarks *landmarks)
{
	const ossa_bone *bone = test_bone(a->sample->rig, "forearm-l");
	landmarks->point[which] = (ossa_choice_or_point){1, {side * bone->joint[0], bone->joint[1], bone->joint[2]}};
}

/* points of the body's own sides are taken by each method for motion; those of the other ones are
   refused, and so is another body */
static void landmarks_are_points_of_the_rest_shape(void **state)
{
	(void)state;
	static const char *const methods[] = {"examples", "sequence"};
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 4, 0);
	for (size_t m = 0; m < 2; m++) {
		const ossa_rig_input input = {.mesh = a.sample->rig->mesh, .frames = a.stream};
		ossa_rig_options own = ossa_rig_default();
		ossa_rig_result made, refused;
		strcpy(own.method, methods[m]);
		set_elbow(&a, OSSA_LANDMARK_LEFT_ELBOW, 1, &own.landmarks);
		assert_ok(a.context, ossa_rig_make(a.context, &input, &own, &made));
		assert_sides(made.rig);
		assert_int_equal(made.rig->body.kind, OSSA_BODY_HUMAN);
		ossa_rig_result_free(a.context, &made);
		if (m > 0) continue;
		own.body = OSSA_BODY_SNAKE;
		assert_fails(a.context, ossa_rig_make(a.context, &input, &own, &refused), OSSA_ERROR_ARGUMENT, "`body snake`");
		own.body = OSSA_BODY_NONE;
		assert_fails(a.context, ossa_rig_make(a.context, &input, &own, &refused), OSSA_ERROR_ARGUMENT, "`body none`");
		own.body = OSSA_BODY_AUTO;
		set_elbow(&a, OSSA_LANDMARK_LEFT_ELBOW, -1, &own.landmarks);
		assert_fails(a.context, ossa_rig_make(a.context, &input, &own, &refused), OSSA_ERROR_INPUT, "are exchanged");
	}
	test_animated_end(&a);
}

/* as a text they leave the choice to the methods for motion; for one mesh they are of the method */
static void landmarks_rule_out_no_method(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 3, 0);
	ossa_rig_options options = ossa_rig_default();
	ossa_rig_input input = {.mesh = a.sample->rig->mesh, .frames = a.stream};
	ossa_rig_result made;
	char text[128];
	set_elbow(&a, OSSA_LANDMARK_LEFT_ELBOW, 1, &options.landmarks);
	const double *p = options.landmarks.point[OSSA_LANDMARK_LEFT_ELBOW].point;
	snprintf(text, sizeof text, "%g,%g,%g", p[0], p[1], p[2]);
	assert_ok(a.context, ossa_method_options_create(a.context, &options.methods));
	assert_ok(a.context, ossa_rig_option_set(a.context, &options, "left-elbow", text));
	assert_ok(a.context, ossa_rig_make(a.context, &input, &options, &made));
	assert_true(made.method->takes_motion);
	ossa_rig_result_free(a.context, &made);
	input.frames = NULL;
	assert_ok(a.context, ossa_rig_make(a.context, &input, &options, &made));
	assert_string_equal(test_warning_text(a.context, "unused-options"), "");
	ossa_rig_result_free(a.context, &made);
	ossa_method_options_free(a.context, options.methods);
	options.methods = NULL;
	assert_ok(a.context, ossa_rig_make(a.context, &input, &options, &made));
	assert_non_null(strstr(test_warning_text(a.context, "unused-options"), "left-elbow"));
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* arms and legs swing */
static ossa_frames *swing(ossa_context *context, const ossa_mesh *mesh)
{
	enum { FRAMES = 3 };
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, FRAMES, mesh->vertex_count, 24, &frames));
	for (size_t i = 0; i < FRAMES * mesh->vertex_count; i++) {
		const float *rest = mesh->positions + 3 * (i % mesh->vertex_count);
		float *moved = frames->positions + 3 * i;
		const double phase = sin(1.3 * (double)(i / mesh->vertex_count)), side = rest[0] > 0 ? 1 : -1;
		const double arm = fmax(0, fabs(rest[0]) - 0.3), leg = fmax(0, 0.9 - rest[1]);
		const bool is_arm = arm > 0 && rest[1] > 1;
		moved[0] = rest[0] - (float)(is_arm ? side * arm * (1 - cos(phase)) : 0);
		moved[1] = rest[1] + (float)(is_arm ? 0 : leg * (1 - cos(phase / 2)));
		moved[2] = rest[2] + (float)(is_arm ? arm * sin(phase) : side * leg * sin(phase / 2));
	}
	return frames;
}

/* by how much it is doubtful depends a little on the order of the vertices */
static void leave_numbers_out(char *text)
{
	for (; *text; text++) *text = *text >= '0' && *text <= '9' ? '#' : *text;
}

/* what is doubtful about the rest shape, boxes and the same squashed, is said of one mesh and of
   frames alike */
static void doubts_are_those_of_the_rest_shape(void **state)
{
	(void)state;
	static const char *const codes[] = {"front-doubtful", "body-doubtful"};
	char still[2][400], all = 0;
	for (int i = 0; i <= 13; i += 13) {
		ossa_context *context = test_context(0);
		test_shape *shape = test_shape_new();
		ossa_rig *rest;
		test_shape_human(shape);
		for (size_t v = 0; v < shape->vertex_count; v++) shape->positions[3 * v + 1] *= 1 - 0.05F * (float)i;
		ossa_mesh *mesh = test_shape_mesh(context, shape);
		assert_ok(context, ossa_rig_from_contraction(context, mesh, NULL, &rest));
		for (int k = 0; k < 2; k++) {
			snprintf(still[k], sizeof still[k], "%s", test_warning_text(context, codes[k]));
			leave_numbers_out(still[k]);
		}
		ossa_rig_free(context, rest);
		ossa_context_reset(context);
		ossa_frames *frames = swing(context, mesh);
		ossa_frame_stream *stream;
		assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
		const ossa_rig_input input = {.mesh = mesh, .frames = stream};
		ossa_rig_options options = ossa_rig_default();
		options.articulation = OSSA_ARTICULATION_LIMBS;
		ossa_rig_result made;
		assert_ok(context, ossa_rig_make(context, &input, &options, &made));
		for (int k = 0; k < 2; k++) {
			char moving[400];
			snprintf(moving, sizeof moving, "%s", test_warning_text(context, codes[k]));
			leave_numbers_out(moving);
			assert_string_equal(moving, still[k]);
			if (still[k][0]) all |= (char)(1 << k);
		}
		/* only these of the rest shape's own */
		assert_string_equal(test_warning_text(context, "idle-bones"), "");
		ossa_rig_result_free(context, &made);
		ossa_frame_stream_free(context, stream);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
	assert_int_equal(all, 3);
}

/* boxes have no front of their own: the side of one point turns it round */
static void landmarks_tell_sides(void **state)
{
	(void)state;
	for (int side = -1; side <= 1; side += 2) {
		ossa_context *context = test_context(0);
		test_shape *shape = test_shape_new();
		ossa_frame_stream *stream;
		ossa_rig_options options = ossa_rig_default();
		ossa_rig_result made;
		test_shape_human(shape);
		ossa_mesh *mesh = test_shape_mesh(context, shape);
		ossa_frames *frames = swing(context, mesh);
		assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
		options.landmarks.point[OSSA_LANDMARK_LEFT_ELBOW] = (ossa_choice_or_point){1, {side * 0.5, 1.41, 0}};
		options.complete = true;
		assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, stream}, &options, &made));
		assert_true(side * test_bone(made.rig, "lowerarm_L")->joint[0] > 0);
		assert_true(side * test_bone(made.rig, "lowerarm_R")->joint[0] < 0);
		assert_true(made.rig->body.front_odds > 0);
		ossa_rig_result_free(context, &made);
		ossa_frame_stream_free(context, stream);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

/* ---- bones that never moved ---- */

static double largest_difference(const test_animated *a, const ossa_rig *one, const ossa_rig *other)
{
	const size_t vertices = one->mesh->vertex_count;
	float *from = ossa_alloc(a->context, vertices, 6 * sizeof *from), *to = from + 3 * vertices;
	assert_non_null(from);
	double most = 0;
	for (size_t k = 0; k < one->clip->frame_count; k++) {
		assert_ok(a->context, ossa_rig_pose(a->context, one, NULL, one->clip, k, from));
		assert_ok(a->context, ossa_rig_pose(a->context, other, NULL, other->clip, k, to));
		for (size_t i = 0; i < 3 * vertices; i++) most = fmax(most, fabs((double)from[i] - (double)to[i]));
	}
	ossa_free(a->context, from);
	return most;
}

static bool moves_as_its_parent(const ossa_rig *rig, size_t bone)
{
	for (size_t k = 0; k < rig->clip->frame_count; k++) {
		double turn[4], degrees[3];
		ossa_rig_turn(rig, rig->clip, k, bone, turn, degrees);
		if (!(fabs(turn[3]) > 1 - 1e-12)) return false;
	}
	return true;
}

/* with six bones a limb has one: what the motion does not show is added from the shape, and moves
   nothing */
static void missing_bones_are_added_and_stay_still(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 0);
	static const char *const wanted[] = {"clavicle_L", "upperarm_R", "hand_L", "foot_R", "toe_L", "neck", "head"};
	ossa_rig_result few = make(&a, "auto", false, 6), all = make(&a, "auto", true, 6);
	assert_true(all.rig->skeleton.bone_count > few.rig->skeleton.bone_count);
	assert_string_equal(all.rig->skeleton.bones[0].name, "pelvis");
	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) assert_true(ossa_rig_bone(all.rig, wanted[i]) > 0);
	for (size_t b = 1; b < all.rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &all.rig->skeleton.bones[b];
		if (ossa_rig_bone(few.rig, bone->name) >= 0) continue;
		assert_int_equal(bone->kind, OSSA_JOINT_UNKNOWN);
		assert_true(moves_as_its_parent(all.rig, b));
	}
	/* what is left of a weight is dropped below 1e-6: so much of the distance of bones' images */
	assert_true(largest_difference(&a, few.rig, all.rig) < 1e-6 * test_diagonal(few.rig->mesh));
	assert_near(all.hierarchy.rms_percent, few.hierarchy.rms_percent, 1e-9);
	ossa_rig_result_free(a.context, &few);
	ossa_rig_result_free(a.context, &all);
	test_animated_end(&a);
}

/* a clavicle comes between the trunk and the arm, toes at the end of the leg */
static void added_bones_lie_between_the_others(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 12, 0);
	ossa_rig_result made = make(&a, "auto", true, 0);
	const ossa_bone *bones = made.rig->skeleton.bones;
	const int32_t arm = ossa_rig_bone(made.rig, "upperarm_L"), toe = ossa_rig_bone(made.rig, "toe_L");
	assert_true(arm > 0 && toe > 0);
	assert_string_equal(bones[bones[arm].parent].name, "clavicle_L");
	assert_int_equal(bones[bones[bones[arm].parent].parent].role.part, OSSA_PART_SPINE);
	assert_string_equal(bones[bones[toe].parent].name, "foot_L");
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* the motion of all frames is fitted to the bones that moved */
static void long_input_is_completed_at_the_end(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 40, 0);
	ossa_rig_options options = ossa_rig_default();
	options.key_frames = 10;
	options.complete = true;
	ossa_rig_result made;
	assert_ok(a.context, try_make(&a, options, 6, &made));
	const int32_t toe = ossa_rig_bone(made.rig, "toe_L");
	assert_int_equal(made.rig->clip->frame_count, 40);
	assert_true(toe > 0 && moves_as_its_parent(made.rig, (size_t)toe));
	assert_true(isfinite(made.bone_rms[toe]));
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

/* ---- memory ---- */

typedef struct rigs {
	const ossa_rig *rest, *rig;
} rigs;

static ossa_status copy_rig(ossa_context *context, const ossa_rig *from, ossa_rig **to)
{
	OSSAI_TRY(ossa_rig_create(context, from->mesh, from->skeleton.bone_count, from->weights.influences, to));
	const size_t pairs = from->weights.vertex_count * (size_t)from->weights.influences;
	memcpy((*to)->skeleton.bones, from->skeleton.bones, from->skeleton.bone_count * sizeof *from->skeleton.bones);
	memcpy((*to)->weights.bones, from->weights.bones, pairs * sizeof *from->weights.bones);
	memcpy((*to)->weights.values, from->weights.values, pairs * sizeof *from->weights.values);
	return ossa_clip_copy(context, from->clip, &(*to)->clip);
}

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const rigs *r = arg;
	ossa_rig *copy = NULL;
	uint32_t *source = NULL;
	const double joint[3] = {0, 1, 0};
	ossa_status status = copy_rig(context, r->rig, &copy);
	if (status == OSSA_OK) status = ossai_moving_complete(context, r->rest, copy, &source);
	if (status == OSSA_OK) status = ossai_rig_reroot(context, 3, joint, copy);
	ossa_free(context, source);
	ossa_rig_free(context, copy);
	return status;
}

static void no_memory_leaves_nothing_behind(void **state)
{
	(void)state;
	test_animated a = test_animated_begin(OSSA_SAMPLE_BIPED, 2, 0);
	rigs r;
	ossa_rig *rest;
	ossa_rig_result made = make(&a, "auto", false, 6);
	assert_ok(a.context, ossa_rig_from_contraction(a.context, a.sample->rig->mesh, NULL, &rest));
	r = (rigs){rest, made.rig};
	test_allocation_sweep(sweep_body, &r, SIZE_MAX, 1);
	ossa_rig_free(a.context, rest);
	ossa_rig_result_free(a.context, &made);
	test_animated_end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_hips_are_the_root_and_every_bone_has_a_part),
		cmocka_unit_test(any_bone_can_be_the_root), cmocka_unit_test(numbers_can_name_the_root),
		cmocka_unit_test(a_body_can_be_named), cmocka_unit_test(landmarks_are_points_of_the_rest_shape),
		cmocka_unit_test(landmarks_rule_out_no_method), cmocka_unit_test(doubts_are_those_of_the_rest_shape),
		cmocka_unit_test(landmarks_tell_sides), cmocka_unit_test(missing_bones_are_added_and_stay_still),
		cmocka_unit_test(added_bones_lie_between_the_others), cmocka_unit_test(long_input_is_completed_at_the_end),
		cmocka_unit_test(no_memory_leaves_nothing_behind)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
