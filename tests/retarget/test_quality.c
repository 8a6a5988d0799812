/* tests/retarget/test_quality.c: how well a motion came over. */
#include "retarget/quality.h"

#include "support/actors.h"

#include <string.h>

enum { FRAMES = 20 };

typedef struct stage {
	ossa_context *context;
	person target, source;
	test_actor own, other;
	ossa_clip *clip;
	ossa_retarget_facts facts;
} stage;

/* the same person twice; the source stands as at rest in all frames, one second in all */
static void begin(stage *s)
{
	memset(s, 0, sizeof *s);
	s->context = test_context(1);
	s->source = person_make(s->context, (person_form){0});
	s->target = person_make(s->context, (person_form){0});
	person_walk(&s->source, FRAMES);
	ossa_clip *clip = s->source.rig->clip;
	for (size_t f = 0; f < FRAMES; f++) {
		clip->times[f] = (double)f / FRAMES;
		memcpy(clip->root_positions + 3 * f, s->source.rig->skeleton.bones[0].joint, 3 * sizeof(double));
		for (size_t b = 0; b < clip->bone_count; b++) {
			const ossa_bone *bone = &s->source.rig->skeleton.bones[b];
			const ossai_quat above = bone->parent < 0 ? ossai_quat_identity()
													  : ossai_quat_of(s->source.rig->skeleton.bones[bone->parent].orientation);
			ossai_quat_store(ossai_quat_mul(ossai_quat_conjugate(above), ossai_quat_of(bone->orientation)),
				clip->rotations + 4 * (f * clip->bone_count + b));
		}
	}
	assert_ok(s->context, ossa_clip_copy(s->context, clip, &s->clip));
}

static void measure(stage *s)
{
	test_actor_make(&s->own, &s->target);
	test_actor_make(&s->other, &s->source);
	ossai_legs legs;
	assert_ok(s->context, ossai_find_legs(&s->own.arena, &s->own.actor, &s->other.actor, &legs));
	assert_ok(s->context, ossai_measure_retarget(&s->own.arena, &legs, s->clip, &s->facts));
}

static void end(stage *s)
{
	test_actor_end(&s->other);
	test_actor_end(&s->own);
	ossa_clip_free(s->context, s->clip);
	person_end(&s->target);
	person_end(&s->source);
	test_context_end(s->context);
}

static const ossa_retarget_segment *segment_of(const stage *s, ossa_body_part from, int side)
{
	for (size_t i = 0; i < s->facts.segment_count; i++) {
		if (s->facts.segments[i].from.part == from && s->facts.segments[i].from.side == side) return &s->facts.segments[i];
	}
	fail_msg("there is no segment of part %d", from);
	return NULL;
}

static void the_same_is_perfect(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	measure(&s);
	assert_int_equal(s.facts.segment_count, 12);
	assert_near(s.facts.mean_degrees, 0, 1e-6);
	assert_near(s.facts.p95_degrees, 0, 1e-6);
	assert_near(s.facts.lowest_percent, 0, 1e-4);
	assert_near(s.facts.source_lowest_percent, 0, 1e-4);
	assert_near(s.facts.slide, 0, 1e-9);
	/* both feet stand all the time */
	assert_int_equal(s.facts.steps, 2);
	assert_int_equal(s.facts.steps_kept, 2);
	end(&s);
}

/* an arm that is 10 degrees off in half of the frames */
static void angles_are_measured_by_segment(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	const uint32_t bone = s.target.bone[PERSON_LOWER_ARM][0];
	const ossa_bone *bones = s.target.rig->skeleton.bones;
	const ossai_vec3 along = ossai_sub(
		person_joint(&s.target, NULL, 0, PERSON_HAND, 0), person_joint(&s.target, NULL, 0, PERSON_LOWER_ARM, 0));
	const ossai_vec3 axis = ossai_cross(ossai_unit(along, along), ossai_v3(0, 0, 1));
	const ossai_quat turn = ossai_quat_axis_angle(ossai_unit(axis, axis), 10 * OSSAI_PI / 180);
	const ossai_quat above = ossai_quat_of(bones[bones[bone].parent].orientation);
	for (size_t f = 0; f < FRAMES / 2; f++) {
		const ossai_quat own = ossai_quat_mul(turn, ossai_quat_of(bones[bone].orientation));
		ossai_quat_store(
			ossai_quat_mul(ossai_quat_conjugate(above), own), s.clip->rotations + 4 * (f * s.clip->bone_count + bone));
	}
	measure(&s);
	const ossa_retarget_segment *arm = segment_of(&s, OSSA_PART_LOWER_ARM, 1);
	assert_near(arm->mean, 5, 1e-6);
	assert_near(arm->p95, 10, 1e-6);
	assert_near(arm->rest, 0, 1e-6);
	assert_int_equal(arm->to.part, OSSA_PART_HAND);
	assert_near(segment_of(&s, OSSA_PART_LOWER_ARM, -1)->mean, 0, 1e-6);
	assert_near(s.facts.mean_degrees, 5.0 / 12, 1e-6);
	end(&s);
}

static void rest_poses_are_measured(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	person_bend(&s.target, PERSON_UPPER_ARM, 0, ossai_v3(0, 0, 1), 30);
	measure(&s);
	const ossa_retarget_segment *arm = segment_of(&s, OSSA_PART_UPPER_ARM, 1);
	const ossai_vec3 along = ossai_sub(
		person_joint(&s.source, NULL, 0, PERSON_LOWER_ARM, 0), person_joint(&s.source, NULL, 0, PERSON_UPPER_ARM, 0));
	const double level = hypot(along.x, along.y) / ossai_length(along);
	assert_near(arm->rest, 2 * asin(level * sin(15 * OSSAI_PI / 180)) * 180 / OSSAI_PI, 1e-6);
	end(&s);
}

/* two centimetres down, of 1.75; steps are kept within 5 % of the leg: just below and just above */
static void heights_are_measured(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		stage s;
		begin(&s);
		const double leg = hypot(0.015, hypot(0.42, 0.015)) + hypot(0.005, hypot(0.41, 0.035));
		const double up = i == 0 ? -0.02 : i == 1 ? 0.049 * leg : 0.051 * leg;
		for (size_t f = 0; f < FRAMES; f++) s.clip->root_positions[3 * f + 1] += up;
		measure(&s);
		assert_near(s.facts.lowest_percent, 100 * up / s.own.actor.height, 1e-3);
		assert_int_equal(s.facts.steps, 2);
		assert_int_equal(s.facts.steps_kept, i == 2 ? 0 : 2);
		end(&s);
	}
}

/* half a metre a second, in legs */
static void slides_are_measured(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	for (size_t f = 0; f < FRAMES; f++) {
		s.clip->root_positions[3 * f] += 0.5 * s.clip->times[f];
		s.source.rig->clip->root_positions[3 * f + 2] += 0.2 * s.clip->times[f];
	}
	measure(&s);
	assert_near(s.facts.slide, 0.5 / s.own.actor.leg_length, 1e-6);
	assert_near(s.facts.source_slide, 0.2 / s.own.actor.leg_length, 1e-6);
	end(&s);
}

/* who jumps stands twice */
static void steps_are_counted(void **state)
{
	(void)state;
	stage s;
	begin(&s);
	for (size_t f = 6; f < 12; f++) s.source.rig->clip->root_positions[3 * f + 1] += 0.3;
	measure(&s);
	assert_int_equal(s.facts.steps, 4);
	assert_int_equal(s.facts.steps_kept, 4);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_is_perfect),
		cmocka_unit_test(angles_are_measured_by_segment),
		cmocka_unit_test(rest_poses_are_measured),
		cmocka_unit_test(heights_are_measured),
		cmocka_unit_test(slides_are_measured),
		cmocka_unit_test(steps_are_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
