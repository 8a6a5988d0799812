/* tests/retarget/test_legs.c: how long steps are and where the pelvis goes. */
#include "retarget/legs.h"

#include "support/actors.h"

enum { FRAMES = 16 };

/* a source with motion, a target of the same kind */
typedef struct stage {
	ossa_context *context;
	person target, source;
	test_actor own, other;
	ossai_legs legs;
	ossai_moved moved;
	double worlds[12 * ACTOR_BONES];
} stage;

static void find(stage *s)
{
	test_actor_make(&s->own, &s->target);
	test_actor_make(&s->other, &s->source);
	assert_ok(s->context, ossai_find_legs(&s->own.arena, &s->own.actor, &s->other.actor, &s->legs));
	s->moved = test_moved_at_rest(&s->own);
}

static void begin(stage *s, person_form form)
{
	s->context = test_context(1);
	s->source = person_make(s->context, (person_form){0});
	person_walk(&s->source, FRAMES);
	s->target = person_make(s->context, form);
}

static void end(stage *s)
{
	test_actor_end(&s->other);
	test_actor_end(&s->own);
	person_end(&s->target);
	person_end(&s->source);
	test_context_end(s->context);
}

/* the target turns as the source does, bone by bone */
static void follow(stage *s, size_t frame)
{
	ossa_rig_joint_matrices(s->source.rig, s->source.rig->clip, frame, s->worlds);
	for (int part = 0; part < PERSON_PARTS; part++) {
		for (int side = 0; side < 2; side++) {
			const uint32_t bone = s->target.bone[part][side];
			if (bone == OSSA_NONE) continue;
			s->moved.turn[bone] = person_turn(&s->source, s->source.rig->clip, frame, (person_part)part, side);
		}
	}
	ossai_moved_place(&s->moved, ossai_place_hips(&s->legs, &s->moved, s->worlds));
}

static void add_steps(stage *s)
{
	for (size_t f = 0; f < FRAMES; f++) {
		follow(s, f);
		ossai_add_step(&s->legs, &s->moved, s->worlds);
	}
	ossai_find_stride(&s->legs);
}

static void steps_scale_with_the_body(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){0});
	person_move(&s.target, 2.5, ossai_quat_identity());
	find(&s);
	assert_near(s.legs.scale, 2.5, 1e-9);
	assert_int_equal(s.legs.count, 2);
	add_steps(&s);
	assert_near(s.legs.stride, 2.5, 1e-6);
	for (size_t i = 0; i < 2; i++) assert_near(ossai_length(s.legs.pair[i].stance), 0, 1e-5);
	/* the hips are where the source's are, times 2.5 */
	for (size_t f = 0; f < FRAMES; f++) {
		follow(&s, f);
		const ossai_vec3 hips = person_joint(&s.source, s.source.rig->clip, f, PERSON_HIPS, 0);
		assert_near_vec3(s.moved.joint[0], ossai_scale(hips, 2.5), 1e-5);
	}
	end(&s);
}

/* What a stride costs: how far feet that stand are from their mean place relative to the source's,
   and how unlikely the stride is. Plain sums over all frames, by the walk of the person. */
static double cost_of(stage *s, double stride)
{
	double cost = 0, weights = 0;
	for (size_t leg = 0; leg < s->legs.count; leg++) {
		const ossai_leg_pair *pair = &s->legs.pair[leg];
		ossai_vec3 mean = {0, 0, 0}, off[FRAMES];
		double weight[FRAMES], sum = 0;
		for (size_t f = 0; f < FRAMES; f++) {
			follow(s, f);
			const ossai_vec3 ankle = ossai_world_joint(s->worlds, pair->other->limb.end);
			const ossai_vec3 pelvis = ossai_lerp(ossai_world_joint(s->worlds, s->source.bone[PERSON_THIGH][0]),
				ossai_world_joint(s->worlds, s->source.bone[PERSON_THIGH][1]), 0.5);
			const ossai_vec3 own_pelvis = ossai_lerp(
				s->moved.joint[s->target.bone[PERSON_THIGH][0]], s->moved.joint[s->target.bone[PERSON_THIGH][1]], 0.5);
			const ossai_vec3 own = ossai_sub(s->moved.joint[pair->own->limb.end], own_pelvis);
			const ossai_quat heading = ossai_heading_of(&s->own.actor, s->moved.turn[pair->own->limb.end]);
			const ossai_mat3 turn = ossai_quat_matrix(heading);
			weight[f] = ossai_stands(&s->other.actor, ankle, pair->ankle_level);
			off[f] = ossai_madd(own, -stride, ossai_sub(ankle, pelvis));
			off[f].y = 0;
			off[f] = ossai_mat3_tmul_v(&turn, off[f]);
			mean = ossai_madd(mean, weight[f], off[f]);
			sum += weight[f];
		}
		mean = ossai_scale(mean, 1 / sum);
		for (size_t f = 0; f < FRAMES; f++) cost += weight[f] * ossai_length2(ossai_sub(off[f], mean));
		weights += sum;
	}
	const double noise = 0.02 * s->legs.source->leg_length, off = (stride - s->legs.scale) / 0.1;
	return cost / weights + noise * noise * off * off;
}

/* with other proportions the stride is the one over which feet slide least */
static void strides_let_feet_slide_least(void **state)
{
	static const person_form forms[] = {{.thigh = 0.7}, {.calf = 1.4}, {.thigh = 1.5, .calf = 0.6}, {.foot = 1.8}};
	(void)state;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		stage s;
		begin(&s, forms[i]);
		find(&s);
		add_steps(&s);
		const double best = cost_of(&s, s.legs.stride);
		for (int k = -5; k <= 5; k++) assert_true(best <= cost_of(&s, s.legs.stride * (1 + 0.004 * k)) + 1e-12);
		end(&s);
	}
}

/* 1 at its level and below, a third where it is 15 % of the leg higher */
static void what_stands_is_low(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){0});
	find(&s);
	const double leg = s.other.actor.leg_length;
	assert_near(ossai_stands(&s.other.actor, ossai_v3(0, 0.1, 0), 0.1), 1, 1e-12);
	assert_near(ossai_stands(&s.other.actor, ossai_v3(5, -3, 0), 0.1), 1, 1e-12);
	assert_near(ossai_stands(&s.other.actor, ossai_v3(0, 0.1 + 0.15 * leg, 0), 0.1), exp(-1), 1e-9);
	assert_near(ossai_stands(&s.other.actor, ossai_v3(0, 0.1 + 0.3 * leg, 0), 0.1), exp(-4), 1e-9);
	assert_true(ossai_stands(&s.other.actor, ossai_v3(0, 0.1 + 0.4 * leg, 0), 0.1) < 0.001);
	end(&s);
}

/* a source without a mesh stands where its feet stand when it moves */
static void motion_shows_the_ground(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){0});
	const double lift = 0.4;
	for (size_t f = 0; f < FRAMES; f++) s.source.rig->clip->root_positions[3 * f + 1] += lift;
	const double ankle = person_joint(&s.source, NULL, 0, PERSON_FOOT, 0).y;
	find(&s);
	assert_near(s.legs.pair[0].ankle_level, ankle, 1e-9);
	test_actor_end(&s.other);
	/* no vertices, no faces */
	ossa_rig *bare;
	ossa_mesh *none = NULL;
	assert_ok(s.context, ossa_mesh_create(s.context, 0, NULL, 0, NULL, &none));
	assert_ok(s.context, ossa_rig_create(s.context, none, s.source.rig->skeleton.bone_count, 1, &bare));
	for (size_t b = 0; b < bare->skeleton.bone_count; b++) bare->skeleton.bones[b] = s.source.rig->skeleton.bones[b];
	assert_ok(s.context, ossa_clip_copy(s.context, s.source.rig->clip, &bare->clip));
	ossa_mesh_free(s.context, none);
	ossa_rig_free(s.context, s.source.rig);
	s.source.rig = bare;
	test_actor_make(&s.other, &s.source);
	assert_false(s.other.actor.has_ground);
	assert_ok(s.context, ossai_find_legs(&s.own.arena, &s.own.actor, &s.other.actor, &s.legs));
	double low = INFINITY, high = -INFINITY;
	for (size_t f = 0; f < FRAMES; f++) {
		const double left = person_joint(&s.source, bare->clip, f, PERSON_FOOT, 0).y;
		const double lower = fmin(left, person_joint(&s.source, bare->clip, f, PERSON_FOOT, 1).y);
		low = fmin(low, lower);
		high = fmax(high, lower);
	}
	assert_true(s.legs.pair[0].ankle_level >= low - 1e-9 && s.legs.pair[0].ankle_level <= low + 0.2 * (high - low) + 1e-9);
	end(&s);
}

/* what of a turn is about the vertical: heading, then tilt about a level axis */
static void headings_are_level(void **state)
{
	(void)state;
	stage s;
	begin(&s, (person_form){0});
	find(&s);
	for (int i = 0; i < 20; i++) {
		const ossai_quat heading = ossai_quat_axis_angle(ossai_v3(0, 1, 0), 0.3 * i - 3);
		const ossai_quat tilt = ossai_quat_axis_angle(ossai_unit(ossai_v3(cos(i), 0, sin(i)), ossai_v3(1, 0, 0)), 0.1 * i);
		const ossai_quat found = ossai_heading_of(&s.own.actor, ossai_quat_mul(heading, tilt));
		assert_near(fabs(ossai_quat_dot(found, heading)), 1, 1e-9);
	}
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_scale_with_the_body),
		cmocka_unit_test(strides_let_feet_slide_least),
		cmocka_unit_test(what_stands_is_low),
		cmocka_unit_test(motion_shows_the_ground),
		cmocka_unit_test(headings_are_level),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
