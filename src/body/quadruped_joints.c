/* body/quadruped_joints.c: see quadruped_joints.h. */
#include "body/quadruped_joints.h"

#include "body/limb_line.h"
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

/* The most bones of a neck, a tail, an ear. */
enum { MOST = 8 };

enum { SAMPLES = OSSAI_AXIS_SAMPLES, SIDES = 2 };

typedef struct solver {
	ossai_quadruped_measures m;
	bool enforce; /* all pairs are mirror images */
	ossai_limb_line leg[SIDES], arm[SIDES], ear[SIDES], neck, tail;
	double leg_thickness, arm_thickness;
	double head; /* arc on the neck's line */
	ossai_vec3 hips, scapula[SIDES];
	ossai_body_joints *joints;
} solver;

static ossai_vec3 side_of(const solver *s, int k) { return ossai_scale(s->m.body->left, k == 0 ? 1 : -1); }

/* the point above or below p at a height over the floor in units */
static ossai_vec3 at_height(const solver *s, ossai_vec3 p, double height)
{
	return ossai_madd(p, (height - ossai_quadruped_height(&s->m, p)) * s->m.unit, s->m.body->up);
}

/* the two joints of a pair become mirror images where they differ no more than they are uncertain */
static void make_images(const solver *s, ossai_vec3 *pair)
{
	const ossai_mirror *mirror = s->m.mirror;
	if (!mirror->exists) return;
	const ossai_vec3 image = ossai_mirror_point(mirror, pair[1]);
	const bool are_near = ossai_distance(pair[0], image) <= 0.3 * s->m.unit;
	if (!are_near && !s->enforce) return;
	if (are_near) pair[0] = ossai_lerp(pair[0], image, 0.5);
	pair[1] = ossai_mirror_point(mirror, pair[0]);
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
	for (int k = 0; k < SIDES; k++) {
		const ossai_vec3 hind = ossai_madd(parting_of(s, 0, k), OUTWARD * m->unit, side_of(s, k));
		const ossai_vec3 front = ossai_madd(parting_of(s, 1, k), OUTWARD * m->unit, side_of(s, k));
		hip[k] = at_height(s, hind, share_up(mean_height(s, 0), HIP_UP, m->back[0]));
		s->scapula[k] = at_height(s, front, share_up(m->belly, SCAPULA_UP, m->back[1]));
		shoulder[k] = at_height(s, front, share_up(m->belly, SHOULDER_UP, m->back[1]));
		shoulder[k] = ossai_madd(shoulder[k], SHOULDER_AHEAD * m->unit, m->body->front);
	}
	make_images(s, hip);
	make_images(s, s->scapula);
	make_images(s, shoulder);
	const ossai_vec3 hips = on_middle(s, ossai_lerp(hip[0], hip[1], 0.5));
	s->hips = at_height(s, hips, share_up(mean_height(s, 0), HIPS_UP, m->back[0]));
}

/* a straight line, where the curve shows none */
static void make_straight(ossai_vec3 from, ossai_vec3 to, double radius, ossai_limb_line *line)
{
	*line = (ossai_limb_line){
		.count = 2, .point = {from, to}, .arc = {0, ossai_distance(from, to)}, .radius = {radius, radius}};
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
	if (m->has_head && nearest > 0) ossai_limb_line_make(&m->head, from, nearest, &s->neck);
	else make_straight(from, m->muzzle, (m->back[1] - m->belly) / 4 * m->unit, &s->neck);
	const double length = ossai_limb_line_length(&s->neck);
	s->head = fmax(length - HEAD_LENGTH * m->unit, (1 - HEAD_MOST) * length);
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
	const ossai_vec3 inward = ossai_unit(ossai_sub(s->hips, base), ossai_v3(0, 0, 0));
	ossai_limb_line_make(axis, ossai_madd(base, TAIL_IN * s->m.unit, inward), begin, &s->tail);
}

/* the logarithm of the mean radius over the length, of the middle of what is free of the trunk */
static double thickness_of(const ossai_limb_axis *axis, size_t parting, const ossai_limb_line *line)
{
	const size_t from = parting / 4, to = 3 * parting / 4;
	double sum = 0;
	for (size_t i = from; i <= to; i++) sum += log(fmax(axis->radius[i], 1e-12));
	return sum / (double)(to - from + 1) - log(fmax(ossai_limb_line_length(line), 1e-12));
}

static void make_lines(solver *s)
{
	ossai_quadruped_measures *m = &s->m;
	ossai_vec3 hip[SIDES], shoulder[SIDES];
	find_first_joints(s, hip, shoulder);
	for (int k = 0; k < SIDES; k++) {
		ossai_limb_line_make(&m->leg[k], hip[k], m->parting[0][k], &s->leg[k]);
		ossai_limb_line_make(&m->arm[k], shoulder[k], m->parting[1][k], &s->arm[k]);
		s->leg_thickness += thickness_of(&m->leg[k], m->parting[0][k], &s->leg[k]) / SIDES;
		s->arm_thickness += thickness_of(&m->arm[k], m->parting[1][k], &s->arm[k]) / SIDES;
		if (m->has_ears) make_outer(&m->ear[k], m->mirror->exists ? &m->ear[1 - k] : NULL, &s->ear[k]);
	}
	if (m->has_tail) make_tail(s);
	make_neck(s);
}

/* ---- the plan's bones ---- */

static const ossai_limb_line *line_of(const solver *s, ossai_region region, int k)
{
	switch (region) {
	case OSSAI_REGION_ARM: return &s->arm[k];
	case OSSAI_REGION_LEG: return &s->leg[k];
	case OSSAI_REGION_EAR: return &s->ear[k];
	case OSSAI_REGION_TAIL: return &s->tail;
	default: return &s->neck;
	}
}

static bool is_shown(const solver *s, ossai_region region)
{
	if (region == OSSAI_REGION_TAIL) return s->m.has_tail;
	return region != OSSAI_REGION_EAR || s->m.has_ears;
}

/* the length of what a region's places are shares of */
static double length_of(const solver *s, ossai_region region, int k)
{
	return region == OSSAI_REGION_NECK ? s->head : ossai_limb_line_length(line_of(s, region, k));
}

/* the number of bones of a row: as many as its region is long for its thickness */
static size_t count_of(const solver *s, const ossai_plan_bone *row)
{
	double lengths = 0;
	if (!is_shown(s, row->region)) return 0;
	if (!(row->girths > 0)) return 1;
	for (int k = 0; k < SIDES; k++) {
		const ossai_limb_line *line = line_of(s, row->region, k);
		const double length = length_of(s, row->region, k);
		double radius = 0, weight = 0;
		for (size_t i = 1; i < line->count && line->arc[i] <= length; i++) {
			radius += line->radius[i] * (line->arc[i] - line->arc[i - 1]);
			weight += line->arc[i] - line->arc[i - 1];
		}
		if (radius > 0) lengths += length * weight / radius / SIDES;
	}
	const double count = round(lengths / row->girths);
	return count < 1 ? 1 : count > MOST ? MOST : (size_t)count;
}

static double deviation_of(const solver *s, double first, double along)
{
	return sqrt(first * first + along * along + OFF_AXIS * s->m.unit * OFF_AXIS * s->m.unit);
}

static void put_on_trunk(const solver *s, const ossai_plan_bone *row, ossai_body_joint *joint)
{
	const double place = row->place.mean, length = ossai_distance(s->hips, s->neck.point[0]);
	joint->joint = ossai_lerp(s->hips, s->neck.point[0], place);
	joint->tail = s->neck.point[0];
	joint->radius = (share_up(s->m.back[0], place, s->m.back[1]) - s->m.belly) / 2 * s->m.unit;
	joint->deviation = deviation_of(s, TRUNK * s->m.unit, row->place.deviation * length);
}

/* joint `i` of `count` of a row along its line */
static void put_on_line(const solver *s, const ossai_plan_bone *row, int k, size_t i, size_t count, ossai_body_joint *joint)
{
	const ossai_limb_line *line = line_of(s, row->region, k);
	const double length = length_of(s, row->region, k);
	const double thickness = row->region == OSSAI_REGION_ARM ? s->arm_thickness : s->leg_thickness;
	const double first = row->place.mean + row->by_thickness * (thickness - THICKNESS);
	const double place = first + (1 - first) * (double)i / (double)count;
	joint->joint = ossai_limb_line_at(line, place * length, &joint->radius);
	joint->tail = line->point[line->count - 1];
	joint->deviation = deviation_of(s, (1 - fmin(place, 1)) * FIRST * s->m.unit, row->place.deviation * length);
	if (row->region == OSSAI_REGION_NECK) joint->joint = ossai_madd(joint->joint, place * HEAD_OVER * s->m.unit, s->m.body->up);
	if (row->place.mean >= 0) return;
	joint->joint = s->scapula[k];
	joint->deviation = deviation_of(s, FIRST * s->m.unit, 0);
}

/* the bones of a row, of both sides; last: of each row the last bone of each side */
static void put_row(solver *s, size_t row, uint32_t (*last)[SIDES])
{
	const ossai_plan_bone *rows = s->m.body->plan->bone, *r = &rows[row];
	const size_t count = count_of(s, r), sides = r->is_pair ? SIDES : 1;
	const uint32_t first = (uint32_t)s->joints->count;
	for (size_t k = 0; k < SIDES; k++) last[row][k] = r->parent < 0 ? OSSA_NONE : last[r->parent][k];
	for (size_t k = 0; k < sides; k++) {
		for (size_t i = 0; i < count; i++) {
			const uint32_t own = (uint32_t)s->joints->count++;
			ossai_body_joint *joint = &s->joints->bone[own];
			const bool is_numbered = count > 1 || (r->girths > 0 && r->region != OSSAI_REGION_NECK);
			*joint = (ossai_body_joint){
				.role = {r->part, r->is_pair ? 1 - 2 * (int)k : 0, is_numbered ? (int)i + 1 : r->number}};
			joint->parent = last[row][k];
			joint->image = first + (uint32_t)((r->is_pair ? 1 - k : 0) * count + i);
			if (r->region == OSSAI_REGION_TRUNK) put_on_trunk(s, r, joint);
			else put_on_line(s, r, (int)k, i, count, joint);
			last[row][k] = own;
		}
	}
	if (sides == 1 && count > 0) last[row][1] = last[row][0];
	for (size_t i = 0; i < count && sides == SIDES; i++) {
		ossai_body_joint *left = &s->joints->bone[first + i], *right = &s->joints->bone[first + count + i];
		ossai_vec3 pair[SIDES] = {left->joint, right->joint}, tails[SIDES] = {left->tail, right->tail};
		make_images(s, pair);
		make_images(s, tails);
		left->joint = pair[0], right->joint = pair[1];
		left->tail = tails[0], right->tail = tails[1];
	}
}

/* a bone ends where its first child on the same side begins, if it has one */
static void put_tails(ossai_body_joints *joints)
{
	for (uint32_t b = 0; b < joints->count; b++) {
		for (uint32_t c = (uint32_t)joints->count; c-- > b + 1;) {
			const bool is_next = joints->bone[c].parent == b && joints->bone[c].role.side == joints->bone[b].role.side;
			if (is_next) joints->bone[b].tail = joints->bone[c].joint;
		}
	}
}

ossa_status ossai_quadruped_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints)
{
	solver *s = ossai_arena_zero(arena, 1, sizeof *s);
	if (!s) return ossa_context_error(arena->context)->status;
	*s = (solver){.enforce = enforce, .joints = joints};
	*joints = (ossai_body_joints){.count = 0};
	OSSAI_TRY(ossai_quadruped_measure(arena, figure, body, mirror, &s->m));
	make_lines(s);
	uint32_t last[OSSAI_BODY_BONES][SIDES];
	for (size_t row = 0; row < body->plan->bone_count; row++) put_row(s, row, last);
	put_tails(joints);
	return OSSA_OK;
}
