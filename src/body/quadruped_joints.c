/* body/quadruped_joints.c: see quadruped_joints.h. */
#include "body/quadruped_joints.h"

#include "body/plan_lines.h"
#include "body/quadruped_measures.h"

/* Lengths are in heights of the back; fitted to rigged animals by scripts/calibrate_quadrupeds. */

/* Heights are shares of the way to the back above: of the hip joint and the hips from where the
   hind legs leave the trunk; of the shoulder, the top of the scapula, and where the neck begins
   from the belly. */
static const double HIP_UP = 0.42, HIPS_UP = 0.54, SHOULDER_UP = 0.43, SCAPULA_UP = 0.65, NECK_UP = 0.65;

/* How far ahead of where front legs leave the trunk the shoulder is, and where the neck begins; how
   much farther out than the axis of a leg its first joint is. */
static const double SHOULDER_AHEAD = 0.03, NECK_AHEAD = 0.05, OUTWARD = 0.017;

/* The head's joint is so far from the tip of the head along its axis, at most a share of the neck's
   line, and above the axis. */
static const double HEAD_LENGTH = 0.36, HEAD_MOST = 0.6, HEAD_OVER = 0.06;

/* A tail's first joint is so far inside of where the tail leaves the body. */
static const double TAIL_IN = 0.05;

/* The thickness of legs at which the plan's places are given (plan.h). */
static const double THICKNESS = -2.9;

/* Deviations: of a first joint of a leg, of the ends of the trunk, of any joint off its line. */
static const double FIRST = 0.12, TRUNK = 0.13, OFF_AXIS = 0.04;

enum { SAMPLES = OSSAI_AXIS_SAMPLES, SIDES = 2 };

typedef struct solver {
	ossai_quadruped_measures m;
	ossai_plan_lines lines;
} solver;

static ossai_vec3 side_of(const solver *s, int k) { return ossai_scale(s->m.body->left, k == 0 ? 1 : -1); }

/* the point above or below p at a height over the floor in units */
static ossai_vec3 at_height(const solver *s, ossai_vec3 p, double height)
{
	return ossai_madd(p, (height - ossai_quadruped_height(&s->m, p)) * s->m.unit, s->m.body->up);
}

static double share_up(double from, double share, double to) { return from + share * (to - from); }

/* where the leg of a pair and a side leaves the trunk */
static ossai_vec3 parting_of(const solver *s, int pair, int k)
{
	const ossai_limb_axis *axis = pair == 0 ? &s->m.leg[k] : &s->m.arm[k];
	return axis->point[s->m.parting[pair][k]];
}

static double mean_height(const solver *s, int pair)
{
	double sum = 0;
	for (int k = 0; k < SIDES; k++) sum += ossai_quadruped_height(&s->m, parting_of(s, pair, k)) / SIDES;
	return sum;
}

static ossai_vec3 on_middle(const solver *s, ossai_vec3 p)
{
	const ossai_vec3 left = s->m.body->left;
	return ossai_madd(p, ossai_dot(left, ossai_sub(s->m.middle, p)), left);
}

static void find_first_joints(solver *s, ossai_vec3 hip[SIDES], ossai_vec3 shoulder[SIDES])
{
	const ossai_quadruped_measures *m = &s->m;
	ossai_vec3 scapula[SIDES];
	for (int k = 0; k < SIDES; k++) {
		const ossai_vec3 hind = ossai_madd(parting_of(s, 0, k), OUTWARD * m->unit, side_of(s, k));
		const ossai_vec3 front = ossai_madd(parting_of(s, 1, k), OUTWARD * m->unit, side_of(s, k));
		hip[k] = at_height(s, hind, share_up(mean_height(s, 0), HIP_UP, m->back[0]));
		scapula[k] = at_height(s, front, share_up(m->belly, SCAPULA_UP, m->back[1]));
		shoulder[k] = at_height(s, front, share_up(m->belly, SHOULDER_UP, m->back[1]));
		shoulder[k] = ossai_madd(shoulder[k], SHOULDER_AHEAD * m->unit, m->body->front);
	}
	ossai_plan_lines_mirror(&s->lines, hip);
	ossai_plan_lines_mirror(&s->lines, scapula);
	ossai_plan_lines_mirror(&s->lines, shoulder);
	for (int k = 0; k < SIDES; k++) s->lines.scapula[k] = scapula[k];
	const ossai_vec3 hips = on_middle(s, ossai_lerp(hip[0], hip[1], 0.5));
	s->lines.hips = at_height(s, hips, share_up(mean_height(s, 0), HIPS_UP, m->back[0]));
}

static void make_neck(solver *s)
{
	const ossai_quadruped_measures *m = &s->m;
	const ossai_vec3 legs = on_middle(s, ossai_lerp(parting_of(s, 1, 0), parting_of(s, 1, 1), 0.5));
	const ossai_vec3 begin = at_height(s, legs, share_up(m->belly, NECK_UP, m->back[1]));
	const ossai_vec3 from = ossai_madd(begin, NECK_AHEAD * m->unit, m->body->front);
	size_t nearest = 0;
	for (size_t i = 1; i <= SAMPLES && m->has_head; i++) {
		if (ossai_distance(m->head.point[i], from) < ossai_distance(m->head.point[nearest], from)) nearest = i;
	}
	if (m->has_head && nearest > 0) ossai_limb_line_make(&m->head, from, nearest, &s->lines.neck);
	else s->lines.neck = ossai_plan_lines_straight(from, m->muzzle, (m->back[1] - m->belly) / 4 * m->unit);
	const double length = ossai_limb_line_length(&s->lines.neck);
	s->lines.over = ossai_scale(m->body->up, HEAD_OVER * m->unit);
	s->lines.head = fmax(length - HEAD_LENGTH * m->unit, (1 - HEAD_MOST) * length);
}

/* the line of a limb from where it leaves the body */
static void make_outer(const ossai_limb_axis *axis, const ossai_limb_axis *image, ossai_limb_line *line)
{
	const size_t begin = ossai_limb_axis_begin(axis, image);
	ossai_limb_line_make(axis, axis->point[begin], begin, line);
}

static void make_tail(solver *s)
{
	const ossai_limb_axis *axis = &s->m.tail;
	const size_t begin = ossai_limb_axis_begin(axis, NULL);
	const ossai_vec3 base = on_middle(s, axis->point[begin]);
	const ossai_vec3 inward = ossai_unit(ossai_sub(s->lines.hips, base), ossai_v3(0, 0, 0));
	ossai_limb_line_make(axis, ossai_madd(base, TAIL_IN * s->m.unit, inward), begin, &s->lines.tail);
}

static void make_lines(solver *s)
{
	ossai_quadruped_measures *m = &s->m;
	ossai_plan_lines *lines = &s->lines;
	ossai_vec3 hip[SIDES], shoulder[SIDES];
	find_first_joints(s, hip, shoulder);
	lines->leg_thickness = lines->arm_thickness = -THICKNESS;
	for (int k = 0; k < SIDES; k++) {
		ossai_limb_line_make(&m->leg[k], hip[k], m->parting[0][k], &lines->leg[k]);
		ossai_limb_line_make(&m->arm[k], shoulder[k], m->parting[1][k], &lines->arm[k]);
		lines->leg_thickness += ossai_plan_lines_thickness(&m->leg[k], m->parting[0][k], &lines->leg[k]) / SIDES;
		lines->arm_thickness += ossai_plan_lines_thickness(&m->arm[k], m->parting[1][k], &lines->arm[k]) / SIDES;
		if (m->has_ears) make_outer(&m->ear[k], m->mirror->exists ? &m->ear[1 - k] : NULL, &lines->ear[k]);
	}
	if (m->has_tail) make_tail(s);
	make_neck(s);
}

ossa_status ossai_quadruped_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints)
{
	solver *s = ossai_arena_zero(arena, 1, sizeof *s);
	if (!s) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_quadruped_measure(arena, figure, body, mirror, &s->m));
	const ossai_quadruped_measures *m = &s->m;
	s->lines = (ossai_plan_lines){
		.body = body,
		.mirror = mirror,
		.enforce = enforce,
		.unit = m->unit,
		.has_legs = true,
		.has_arms = true,
		.has_ears = m->has_ears,
		.has_tail = m->has_tail,
		.trunk_radius = {(m->back[0] - m->belly) / 2 * m->unit, (m->back[1] - m->belly) / 2 * m->unit},
		.first = FIRST * m->unit,
		.trunk = TRUNK * m->unit,
		.off_axis = OFF_AXIS * m->unit,
	};
	make_lines(s);
	ossai_plan_lines_place(&s->lines, joints);
	return OSSA_OK;
}
