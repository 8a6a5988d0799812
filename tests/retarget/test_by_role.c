/* tests/retarget/test_by_role.c: what the motion of one body is on another: the same at the same
   times, with joints that bend as they can. */
#include "support/people.h"

#include <math.h>

/* the walk of `source` on `target`, by roles */
static ossa_clip *retarget(const person *target, const person *source)
{
	ossa_retarget_options options = ossa_retarget_default();
	options.match = OSSA_RETARGET_ROLES;
	ossa_clip *clip;
	assert_ok(target->context, ossa_rig_retarget(target->context, target->rig, source->rig, "walk", &options, &clip, NULL));
	return clip;
}

/* degrees and metres between the poses of two clips in two frames */
static void measure_poses(
	const ossa_clip *one, size_t frame, const ossa_clip *other, size_t other_frame, double *degrees, double *distance)
{
	const ossai_vec3 at = ossai_v3_of(one->root_positions + 3 * frame);
	*distance = fmax(*distance, ossai_distance(at, ossai_v3_of(other->root_positions + 3 * other_frame)));
	for (size_t b = 0; b < one->bone_count; b++) {
		const ossai_quat own = ossai_quat_of(one->rotations + 4 * (frame * one->bone_count + b));
		const ossai_quat turn = ossai_quat_of(other->rotations + 4 * (other_frame * one->bone_count + b));
		const double angle = ossai_quat_angle(ossai_quat_mul(own, ossai_quat_conjugate(turn)));
		*degrees = fmax(*degrees, 180 / OSSAI_PI * angle);
	}
}

/* The same walk at 30 frames a second and at more, on people whose feet have to be turned so as not
   to be in the ground; spread over frames in place of seconds, the turns would differ by 1 to 6
   degrees. */
static void frame_rates_do_not_matter(void **state)
{
	(void)state;
	enum { USUAL = 45 };
	static const person_form forms[] = {
		{.foot = 2}, {.foot = 3}, {.foot = 2, .thigh = 0.6, .calf = 0.6}, {.foot = 3, .calf = 0.5}};
	static const size_t times[] = {2, 4};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof forms / sizeof forms[0] * 2; i++) {
		const size_t more = times[i % 2];
		person usual = person_make(context, (person_form){.names = PERSON_MIXAMO}),
			   fast = person_make(context, (person_form){0});
		person target = person_make(context, forms[i / 2]);
		person_walk(&usual, USUAL);
		person_walk(&fast, more * USUAL);
		ossa_clip *clip = retarget(&target, &usual), *many = retarget(&target, &fast);
		double degrees = 0, distance = 0;
		for (size_t f = 0; f < USUAL; f++) measure_poses(clip, f, many, more * f, &degrees, &distance);
		assert_true(degrees < 1);
		assert_true(distance < 0.002);
		ossa_clip_free(context, clip);
		ossa_clip_free(context, many);
		person_end(&usual);
		person_end(&fast);
		person_end(&target);
	}
	test_context_end(context);
}

/* ---- hinges ---- */

/* both knees, and both elbows */
static void bend_rest(person *p, double knee, double elbow)
{
	for (int side = 0; side < 2; side++) {
		const ossai_vec3 along = ossai_sub(
			person_joint(p, NULL, 0, PERSON_LOWER_ARM, side), person_joint(p, NULL, 0, PERSON_UPPER_ARM, side));
		person_bend(p, PERSON_CALF, side, ossai_v3(1, 0, 0), knee);
		person_bend(p, PERSON_LOWER_ARM, side, ossai_unit(ossai_cross(along, ossai_v3(0, 0, 1)), along), elbow);
	}
}

/* the source's knees and elbows are straight at rest, so that its rest shows no hinge; so are the
   target's, or they are bent, also a little the wrong way, as artists' are */
static void joints_bend_forward_whatever_the_rest(void **state)
{
	(void)state;
	static const double bends[][2] = {{0, 0}, {20, 0}, {0, 30}, {25, 25}, {-3, -3}, {5, -5}};
	ossa_context *context = test_context(0);
	person straight = person_make(context, (person_form){.names = PERSON_MIXAMO});
	person_walk(&straight, 24);
	for (size_t i = 0; i < sizeof bends / sizeof bends[0]; i++) {
		person bent = person_make(context, (person_form){.thigh = i % 2 ? 1.2 : 0.9});
		bend_rest(&bent, bends[i][0], bends[i][1]);
		ossa_clip *clip = retarget(&bent, &straight);
		person_bends_forward(&bent, clip);
		ossa_clip_free(context, clip);
		person_walk(&bent, 24);
		clip = retarget(&straight, &bent);
		/* elbows that are bent the wrong way walk the wrong way, too */
		if (bends[i][1] >= 0) person_bends_forward(&straight, clip);
		ossa_clip_free(context, clip);
		person_end(&bent);
	}
	person_end(&straight);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_rates_do_not_matter),
		cmocka_unit_test(joints_bend_forward_whatever_the_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
