/* retarget/align.c: see align.h. */
#include "retarget/align.h"

/* Radians: how much directions of the same posture differ from body to body, by a part's kind, and
   how much those of other postures do. From 50 rigged characters of games at rest: medians over all
   pairs of them, 3.5 degrees from hips to neck, 20 from foot to toes, 43 of upper arms; a Rayleigh
   distribution's median is 1.18 times its parameter. */
static const double trunk_builds = 3 * OSSAI_PI / 180, end_builds = 17 * OSSAI_PI / 180, postures = 37 * OSSAI_PI / 180;

/* What of a part is aligned: its direction is that from its first joint to the first joint of one
   of `next`, or to the mean of them. */
typedef struct segment {
	ossa_body_part part;
	ossa_body_part base; /* whose rotation it starts from; NONE: the trunk */
	ossa_body_part next[4];
	double builds; /* 0: all of the difference is posture */
} segment;

#define FINGERS                                                                                                                \
	{                                                                                                                          \
		OSSA_PART_INDEX, OSSA_PART_MIDDLE, OSSA_PART_RING, OSSA_PART_LITTLE                                                    \
	}
/* from the trunk outward */
static const segment segments[] = {
	{OSSA_PART_UPPER_ARM, OSSA_PART_NONE, {OSSA_PART_LOWER_ARM}, 0},
	{OSSA_PART_LOWER_ARM, OSSA_PART_UPPER_ARM, {OSSA_PART_HAND}, 0},
	{OSSA_PART_HAND, OSSA_PART_LOWER_ARM, FINGERS, end_builds},
	{OSSA_PART_UPPER_LEG, OSSA_PART_NONE, {OSSA_PART_LOWER_LEG}, 0},
	{OSSA_PART_LOWER_LEG, OSSA_PART_UPPER_LEG, {OSSA_PART_FOOT}, 0},
	{OSSA_PART_FOOT, OSSA_PART_NONE, {OSSA_PART_TOES}, end_builds},
	{OSSA_PART_TOES, OSSA_PART_FOOT, {OSSA_PART_NONE}, 0},
	{OSSA_PART_FRONT_UPPER_LEG, OSSA_PART_NONE, {OSSA_PART_FRONT_LOWER_LEG}, 0},
	{OSSA_PART_FRONT_LOWER_LEG, OSSA_PART_FRONT_UPPER_LEG, {OSSA_PART_FRONT_FOOT}, 0},
	{OSSA_PART_FRONT_FOOT, OSSA_PART_NONE, {OSSA_PART_FRONT_TOES}, end_builds},
	{OSSA_PART_FRONT_TOES, OSSA_PART_FRONT_FOOT, {OSSA_PART_NONE}, 0},
	{OSSA_PART_BACK_UPPER_LEG, OSSA_PART_NONE, {OSSA_PART_BACK_LOWER_LEG}, 0},
	{OSSA_PART_BACK_LOWER_LEG, OSSA_PART_BACK_UPPER_LEG, {OSSA_PART_BACK_FOOT}, 0},
	{OSSA_PART_BACK_FOOT, OSSA_PART_NONE, {OSSA_PART_BACK_TOES}, end_builds},
	{OSSA_PART_BACK_TOES, OSSA_PART_BACK_FOOT, {OSSA_PART_NONE}, 0},
};
enum { SEGMENTS = sizeof segments / sizeof segments[0], FIRST_FINGER = OSSA_PART_THUMB, LAST_FINGER = OSSA_PART_LITTLE };

typedef struct aligner {
	const ossai_actor *target, *source;
	ossai_quat trunk;
	ossai_quat of_part[OSSA_PART_BODY + 1][2]; /* by part and side: left, right */
} aligner;

ossai_vec3 ossai_carry_vector(const ossai_actor *target, const ossai_actor *source, ossai_vec3 v)
{
	return ossai_from_body(&target->frame, ossai_to_body(&source->frame, v));
}

ossai_quat ossai_carry_turn(const ossai_actor *target, const ossai_actor *source, ossai_quat turn)
{
	return ossai_turn_from_body(&target->frame, ossai_turn_to_body(&source->frame, turn));
}

/* ---- directions ---- */

static bool joint_of_part(const ossai_actor *a, ossa_body_part part, int side, ossai_vec3 *joint)
{
	const uint32_t bone = part == OSSA_PART_NONE ? OSSA_NONE : ossai_bone_of(&a->rig->skeleton, a->role, part, side);
	if (bone != OSSA_NONE) *joint = ossai_rest_joint(a, bone);
	return bone != OSSA_NONE;
}

/* Where the segment leads in both bodies: only what both have counts. */
static bool directions_of(const aligner *a, const segment *s, int side, ossai_vec3 *own, ossai_vec3 *other)
{
	ossai_vec3 from, source_from, to, source_to;
	if (!joint_of_part(a->target, s->part, side, &from) || !joint_of_part(a->source, s->part, side, &source_from)) return false;
	*own = *other = ossai_v3(0, 0, 0);
	for (size_t i = 0; i < sizeof s->next / sizeof s->next[0]; i++) {
		if (!joint_of_part(a->target, s->next[i], side, &to) || !joint_of_part(a->source, s->next[i], side, &source_to))
			continue;
		*own = ossai_add(*own, ossai_unit(ossai_sub(to, from), ossai_v3(0, 0, 0)));
		*other = ossai_add(*other, ossai_unit(ossai_sub(source_to, source_from), ossai_v3(0, 0, 0)));
	}
	if (!(ossai_length(*own) > 0) || !(ossai_length(*other) > 0)) return false;
	*own = ossai_unit(*own, *own);
	*other = ossai_carry_vector(a->target, a->source, ossai_unit(*other, *other));
	return true;
}

/* Posterior probability that directions that differ by so much belong to different postures, either
   being as likely before: angles of both are distributed as Rayleigh's. */
static double posture_probability(double angle, double builds)
{
	const double narrow = builds * builds, wide = postures * postures;
	const double odds = narrow / wide * exp(0.5 * angle * angle * (1 / narrow - 1 / wide));
	return odds > 1e12 ? 1 : odds / (1 + odds);
}

/* the smallest rotation from one direction towards the other, as far as they differ by posture */
static ossai_quat align_direction(ossai_vec3 from, ossai_vec3 to, double builds)
{
	const ossai_quat all = ossai_quat_between(from, to);
	if (builds == 0) return all;
	const double angle = ossai_quat_angle(all), share = posture_probability(angle, builds);
	const ossai_vec3 axis = ossai_unit(ossai_v3(all.x, all.y, all.z), ossai_v3(0, 0, 0));
	return ossai_quat_exp(ossai_scale(axis, share * (all.w < 0 ? -angle : angle)));
}

/* ---- parts ---- */

/* from the hips to where the neck begins, or the head */
static void align_trunk(aligner *a)
{
	static const ossa_body_part tops[] = {OSSA_PART_NECK, OSSA_PART_HEAD};
	ossai_vec3 hips, source_hips, top, source_top;
	a->trunk = ossai_quat_identity();
	if (!joint_of_part(a->target, OSSA_PART_HIPS, 0, &hips) || !joint_of_part(a->source, OSSA_PART_HIPS, 0, &source_hips))
		return;
	for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
		if (!joint_of_part(a->target, tops[i], 0, &top) || !joint_of_part(a->source, tops[i], 0, &source_top)) continue;
		const ossai_vec3 own = ossai_sub(top, hips), other = ossai_sub(source_top, source_hips);
		if (!(ossai_length(own) > 0) || !(ossai_length(other) > 0)) return;
		a->trunk = align_direction(
			ossai_unit(own, own), ossai_carry_vector(a->target, a->source, ossai_unit(other, other)), trunk_builds);
		return;
	}
}

static void align_segment(aligner *a, const segment *s, int side)
{
	const int at = side < 0;
	const ossai_quat base = s->base == OSSA_PART_NONE ? a->trunk : a->of_part[s->base][at];
	const ossai_mat3 turn = ossai_quat_matrix(base);
	ossai_vec3 own, other;
	a->of_part[s->part][at] = base;
	if (!directions_of(a, s, side, &own, &other)) return;
	own = ossai_mat3_mul_v(&turn, own);
	a->of_part[s->part][at] = ossai_quat_mul(align_direction(own, other, s->builds), base);
}

void ossai_align_rests(const ossai_actor *target, const ossai_actor *source, ossai_quat *align)
{
	aligner a = {.target = target, .source = source};
	align_trunk(&a);
	for (int part = 0; part <= OSSA_PART_BODY; part++) a.of_part[part][0] = a.of_part[part][1] = a.trunk;
	for (size_t i = 0; i < SEGMENTS; i++) {
		align_segment(&a, &segments[i], 1);
		align_segment(&a, &segments[i], -1);
	}
	for (int part = FIRST_FINGER; part <= LAST_FINGER; part++) {
		for (int at = 0; at < 2; at++) a.of_part[part][at] = a.of_part[OSSA_PART_HAND][at];
	}
	for (size_t b = 0; b < target->rig->skeleton.bone_count; b++) {
		const ossa_role role = target->role[b];
		align[b] = role.part == OSSA_PART_NONE ? ossai_quat_identity() : a.of_part[role.part][role.side < 0];
	}
}
