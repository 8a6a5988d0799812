/* body/joints.c: see joints.h. */
#include "body/joints.h"

#include "body/ankle.h"
#include "body/fingers.h"
#include "body/hips.h"
#include "body/limb_line.h"
#include "body/measures.h"
#include "body/quadruped_joints.h"
#include "body/theropod_joints.h"

/* Lengths are shares of the height from the floor to the neck unless they say otherwise; measured
   on rigged characters, as the places of the plan are. */

/* Hip joints are as far ahead as the chest and as the legs where they part; the share of these. */
static const double AHEAD_BY_LEGS = 0.45;

/* Deviations: of hip joints across the height, of the throat, and of any joint off its line. */
static const double HIP_LEVEL = 0.025, THROAT = 0.03, OFF_AXIS = 0.015;

/* The clavicle begins beside this point of the trunk, a place of the plan. */
static const double CLAVICLE_HEIGHT = 0.85;

/* Branches of the curve that are fingers: shares of the arm's length. */
static const double OUTER = 0.5, LONGEST_FINGER = 0.45;

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

typedef struct solver {
	ossai_body_measures m;
	bool enforce; /* all pairs are mirror images */
	ossai_limb_line leg_line[2], arm_line[2];
	double ankle[2]; /* arc on the leg's line */
	ossai_vec3 hip[2], shoulder[2], trunk;
	double hip_deviation;
	ossai_body_joints *joints;
} solver;

static double height_of(const solver *s, ossai_vec3 p) { return ossai_measures_height(&s->m, p); }

static bool is_symmetric(const solver *s) { return s->m.mirror->exists; }

/* the two joints of a pair become mirror images where they differ no more than they are uncertain */
static void make_images(const solver *s, ossai_vec3 *pair, double deviation)
{
	if (!is_symmetric(s)) return;
	const ossai_vec3 image = ossai_mirror_point(s->m.mirror, pair[1]);
	const bool are_near = ossai_distance(pair[0], image) <= 3 * deviation;
	if (!are_near && !s->enforce) return;
	if (are_near) pair[0] = ossai_lerp(pair[0], image, 0.5);
	pair[1] = ossai_mirror_point(s->m.mirror, pair[0]);
}

/* ---- hips ---- */

/* the point at a height on the line that continues the upper half of the free leg */
static ossai_vec3 extend_leg(const solver *s, int k, size_t parting, double height)
{
	const ossai_limb_axis *leg = &s->m.leg[k];
	const ossai_vec3 knee = leg->point[parting / 2], top = leg->point[parting > 3 ? parting - 2 : parting];
	const ossai_vec3 along = ossai_unit(ossai_sub(top, knee), s->m.body->up);
	const double rise = (height - height_of(s, top)) * s->m.unit, slope = ossai_dot(along, s->m.body->up);
	/* legs that are lifted show no height */
	const double step = fmin(fmax(rise / fmax(slope, 0.5), -0.3 * s->m.unit), 0.3 * s->m.unit);
	const ossai_vec3 hip = ossai_madd(top, step, along);
	/* what a long skirt hides of them is upright */
	const double rest = rise - step * slope;
	return rest > 0 && slope > 0.5 ? ossai_madd(hip, rest, s->m.body->up) : hip;
}

/* as far apart and as far ahead as such joints are */
static void correct_hips(solver *s)
{
	const ossai_body_measures *m = &s->m;
	const ossai_vec3 left = m->body->left, front = m->body->front;
	const ossai_vec3 middle = ossai_lerp(s->hip[0], s->hip[1], 0.5);
	ossai_vec3 half = ossai_scale(ossai_sub(s->hip[0], s->hip[1]), 0.5);
	const ossai_vec3 parting[2] = {m->leg[0].point[m->parting[0]], m->leg[1].point[m->parting[1]]};
	const double legs = fabs(ossai_dot(left, ossai_sub(parting[0], parting[1]))) / 2;
	const double radius = (m->leg[0].radius[m->parting[0]] + m->leg[1].radius[m->parting[1]]) / 2;
	const double apart = ossai_hips_apart(&m->build, legs / m->unit, radius / m->unit);
	half = ossai_madd(half, apart * m->unit - ossai_dot(left, half), left);
	const ossai_vec3 chest = m->figure->curve->node[m->body->shoulder_node];
	const ossai_vec3 ahead = ossai_lerp(chest, ossai_lerp(parting[0], parting[1], 0.5), AHEAD_BY_LEGS);
	const ossai_vec3 center = ossai_madd(middle, ossai_dot(front, ossai_sub(ahead, middle)), front);
	s->hip[0] = ossai_add(center, half);
	s->hip[1] = ossai_sub(center, half);
}

static void find_hips(solver *s)
{
	double height = 0;
	for (int k = 0; k < 2; k++) height += height_of(s, s->m.leg[k].point[s->m.parting[k]]) / 2;
	const ossai_range hip = ossai_hips_height(&s->m.build, height);
	for (int k = 0; k < 2; k++) s->hip[k] = extend_leg(s, k, s->m.parting[k], hip.mean);
	correct_hips(s);
	s->hip_deviation = hypot(hip.deviation, HIP_LEVEL) * s->m.unit;
	make_images(s, s->hip, hip.deviation * s->m.unit);
	s->trunk = ossai_measures_middle(&s->m, ossai_lerp(s->hip[0], s->hip[1], 0.5));
}

/* ---- along limbs ---- */

static void make_lines(solver *s)
{
	for (int k = 0; k < 2; k++) {
		ossai_limb_line_make(&s->m.arm[k], s->shoulder[k], SAMPLES, &s->arm_line[k]);
		ossai_limb_line_make(&s->m.leg[k], s->hip[k], s->m.parting[k], &s->leg_line[k]);
		s->ankle[k] = ossai_ankle_find(&s->leg_line[k], s->m.body->up, s->m.unit);
	}
}

/* ---- the plan's bones ---- */

/* how far the trunk's curve is ahead of the line from the hips to the throat, where the head's path
   meets the arms' */
static double trunk_ahead(const solver *s)
{
	const ossai_vec3 line = ossai_sub(s->m.throat, s->trunk);
	const ossai_vec3 chest = ossai_sub(s->m.figure->curve->node[s->m.body->shoulder_node], s->trunk);
	const double place = ossai_dot(chest, line) / fmax(ossai_length2(line), 1e-12);
	return ossai_dot(s->m.body->front, ossai_madd(chest, -place, line));
}

/* the deviation of a joint on the line between two points that are themselves uncertain; share: of
   the second one; along: of the joint on the line */
static double deviation_between(const solver *s, double first, double second, double share, double along)
{
	const double a = (1 - share) * first, b = share * second, off = OFF_AXIS * s->m.unit;
	return sqrt(a * a + b * b + along * along + off * off);
}

static void put_on_trunk(const solver *s, const ossai_plan_bone *row, ossai_body_joint *joint)
{
	const double place = row->place.mean, length = ossai_distance(s->trunk, s->m.throat);
	joint->radius = s->m.head.radius[s->m.neck];
	joint->deviation = deviation_between(
		s, s->hip_deviation, THROAT * s->m.unit, fmin(place, 1), row->place.deviation * length);
	const ossai_vec3 straight = ossai_lerp(s->trunk, s->m.throat, place);
	joint->joint = ossai_madd(straight, 4 * place * (1 - place) * trunk_ahead(s), s->m.body->front);
	if (place <= 1) return;
	const double out = (double)s->m.neck * s->m.head.step - (place - 1) * length;
	joint->joint = ossai_measures_middle(&s->m, ossai_limb_axis_at(&s->m.head, out));
}

static void put_on_arm(const solver *s, const ossai_plan_bone *row, int k, ossai_body_joint *joint)
{
	const ossai_limb_line *line = &s->arm_line[k];
	const double place = row->place.mean, length = ossai_limb_line_length(line), shoulder = s->m.shoulder_deviation[k];
	if (place < 0) {
		const ossai_vec3 axis = ossai_lerp(s->trunk, s->m.throat, CLAVICLE_HEIGHT);
		joint->radius = line->radius[0];
		joint->joint = ossai_lerp(s->shoulder[k], axis, -place);
		joint->deviation = deviation_between(
			s, shoulder, THROAT * s->m.unit, -place, row->place.deviation * ossai_distance(axis, s->shoulder[k]));
		return;
	}
	ossai_range arc = {place * length, row->place.deviation * length};
	if (row->is_bend) arc = ossai_limb_line_bend(line, row->place, length);
	joint->joint = ossai_limb_line_at(line, arc.mean, &joint->radius);
	joint->deviation = deviation_between(s, shoulder, 0, place, arc.deviation);
}

static void put_on_leg(const solver *s, const ossai_plan_bone *row, int k, ossai_body_joint *joint)
{
	const ossai_limb_line *line = &s->leg_line[k];
	const double ankle = s->ankle[k], foot = ossai_limb_line_length(line) - ankle, place = row->place.mean;
	const double unit = place > 1 ? foot : ankle;
	ossai_range arc = {fmin(place, 1) * ankle + fmax(place - 1, 0) * foot, row->place.deviation * unit};
	if (row->is_bend) arc = ossai_limb_line_bend(line, row->place, ankle);
	joint->joint = ossai_limb_line_at(line, arc.mean, &joint->radius);
	joint->deviation = deviation_between(s, s->hip_deviation, 0, fmin(place, 1), arc.deviation);
}

static void put_on_region(const solver *s, const ossai_plan_bone *row, int k, ossai_body_joint *joint)
{
	switch (row->region) {
	case OSSAI_REGION_ARM: put_on_arm(s, row, k, joint); return;
	case OSSAI_REGION_LEG: put_on_leg(s, row, k, joint); return;
	default: put_on_trunk(s, row, joint); return;
	}
}

/* the number of a row's bone on a side in the list */
static uint32_t bone_of_row(const uint32_t *first, const ossai_plan_bone *rows, int row, int k)
{
	if (row < 0) return OSSA_NONE;
	return first[row] + (rows[row].is_pair ? (uint32_t)k : 0);
}

static void put_row(solver *s, size_t row, uint32_t *first)
{
	const ossai_plan_bone *rows = s->m.body->plan->bone, *r = &rows[row];
	ossai_body_joints *joints = s->joints;
	const int sides = r->is_pair ? 2 : 1;
	ossai_vec3 at[2];
	first[row] = (uint32_t)joints->count;
	for (int k = 0; k < sides; k++) {
		ossai_body_joint *joint = &joints->bone[joints->count++];
		*joint = (ossai_body_joint){.role = {r->part, r->is_pair ? 1 - 2 * k : 0, r->number}};
		joint->parent = bone_of_row(first, rows, r->parent, k);
		joint->image = first[row] + (uint32_t)(r->is_pair ? 1 - k : 0);
		put_on_region(s, r, k, joint);
		at[k] = joint->joint;
	}
	if (sides == 2) make_images(s, at, 0.1 * s->m.unit);
	for (int k = 0; k < sides; k++) joints->bone[first[row] + (uint32_t)k].joint = at[k];
}

/* ---- fingers ---- */

static uint32_t find_hand(const ossai_body_joints *joints, int side)
{
	for (uint32_t b = 0; b < joints->count; b++) {
		if (joints->bone[b].role.part == OSSA_PART_HAND && joints->bone[b].role.side == side) return b;
	}
	return OSSA_NONE;
}

/* bones of one finger; image: the number of the same bone of the other hand, OSSA_NONE */
static void put_finger(solver *s, const ossai_finger *finger, size_t which, int side, uint32_t hand, uint32_t image)
{
	ossai_body_joints *joints = s->joints;
	for (uint32_t i = 0; i < OSSAI_PHALANGES; i++) {
		const uint32_t own = (uint32_t)joints->count++;
		joints->bone[own] = (ossai_body_joint){.role = {(ossa_body_part)(OSSA_PART_THUMB + which), side, (int)i + 1},
			.parent = i == 0 ? hand : own - 1,
			.joint = finger->joint[i],
			.tail = i + 1 < OSSAI_PHALANGES ? finger->joint[i + 1] : finger->tip,
			.radius = finger->radius,
			.deviation = 2 * finger->radius,
			.image = image == OSSA_NONE ? OSSA_NONE : image + i};
	}
}

static ossai_fingers mirror_fingers(const solver *s, const ossai_fingers *from)
{
	ossai_fingers image = *from;
	for (size_t i = 0; i < from->count; i++) {
		ossai_finger *finger = &image.finger[i];
		finger->tip = ossai_mirror_point(s->m.mirror, finger->tip);
		for (int k = 0; k < OSSAI_PHALANGES; k++) finger->joint[k] = ossai_mirror_point(s->m.mirror, finger->joint[k]);
	}
	return image;
}

/* the ends of the curve that branch off an arm in its outer half, and are no longer than fingers,
   are fingers, if the hand has any */
static void mark_finger_ends(solver *s, int k)
{
	const ossai_figure *figure = s->m.figure;
	const ossai_body *body = s->m.body;
	const size_t own = body->limbs.arm[k];
	if (own == OSSAI_LIMB_HIDDEN) return;
	const ossai_figure_end *arm = &figure->end[own];
	const double length = arm->distance[body->shoulder_node];
	for (size_t e = 0; e < figure->end_count; e++) {
		if (e == own) continue;
		const ossai_figure_end *end = &figure->end[e];
		const uint32_t node = ossai_figure_meet(figure, e, own, body->limbs.head);
		/* the path joins the arm between its end and the shoulder, and not another limb */
		const double off = arm->distance[node] + end->distance[node] - arm->distance[end->node];
		const bool is_outer = fabs(off) <= 1e-9 * length && arm->distance[node] < OUTER * length;
		if (is_outer && end->distance[node] < LONGEST_FINGER * length) s->joints->is_finger[e] = true;
	}
}

static void find_fingers(const solver *s, ossai_finger_search *search, const uint32_t *hand, ossai_fingers *fingers)
{
	for (int k = 0; k < 2; k++) {
		const ossai_body_joint *own = &s->joints->bone[hand[k]];
		const ossai_vec3 elbow = s->joints->bone[own->parent].joint;
		const ossai_vec3 along = ossai_unit(ossai_sub(own->joint, elbow), ossai_measures_side(&s->m, k));
		ossai_fingers_find(s->m.figure, search, own->joint, along, s->m.arm[k].point[0], &fingers[k]);
	}
	if (!is_symmetric(s)) return;
	/* hands are alike: that with more fingers shows them better */
	const int better = fingers[1].count > fingers[0].count;
	fingers[1 - better] = mirror_fingers(s, &fingers[better]);
}

/* both hands have as many fingers, or pairs have no images */
static ossa_status put_fingers(ossai_arena *arena, solver *s)
{
	ossai_fingers fingers[2];
	ossai_finger_search search;
	ossai_body_joints *joints = s->joints;
	const uint32_t hand[2] = {find_hand(joints, 1), find_hand(joints, -1)};
	if (hand[0] == OSSA_NONE || hand[1] == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_finger_search_make(arena, s->m.figure->proxy, &search));
	find_fingers(s, &search, hand, fingers);
	const bool are_alike = fingers[0].count == fingers[1].count;
	const uint32_t first = (uint32_t)joints->count, each = (uint32_t)fingers[0].count * OSSAI_PHALANGES;
	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < fingers[k].count; i++) {
			const uint32_t image = (k == 0 ? first + each : first) + (uint32_t)i * OSSAI_PHALANGES;
			put_finger(s, &fingers[k].finger[i], i, 1 - 2 * k, hand[k], are_alike ? image : OSSA_NONE);
		}
		if (fingers[k].count > 1) joints->bone[hand[k]].tail = fingers[k].finger[fingers[k].count / 2].joint[0];
		if (fingers[k].count > 0) mark_finger_ends(s, k);
	}
	return OSSA_OK;
}

/* a bone ends where its first medial child begins, else its first one; the last of a limb at the
   limb's tip */
static void put_tails(solver *s)
{
	ossai_body_joints *joints = s->joints;
	const ossai_body_limbs *limbs = &s->m.body->limbs;
	for (uint32_t b = 0; b < joints->count; b++) {
		ossai_body_joint *bone = &joints->bone[b];
		uint32_t child = OSSA_NONE;
		for (uint32_t c = b + 1; c < joints->count && child == OSSA_NONE; c++) {
			if (joints->bone[c].parent == b && (joints->bone[c].role.side == bone->role.side)) child = c;
		}
		const int k = bone->role.side < 0;
		const bool is_leg = bone->role.part >= OSSA_PART_UPPER_LEG;
		if (child != OSSA_NONE) bone->tail = joints->bone[child].joint;
		else if (bone->role.part == OSSA_PART_HEAD)
			bone->tail = ossai_measures_middle(&s->m, s->m.figure->end[limbs->head].tip);
		else bone->tail = (is_leg ? &s->m.leg[k] : &s->m.arm[k])->point[0];
	}
	for (uint32_t b = 0; b < joints->count; b++) {
		ossai_body_joint *bone = &joints->bone[b];
		if (bone->role.side <= 0) continue;
		ossai_vec3 tail[2] = {bone->tail, joints->bone[bone->image].tail};
		make_images(s, tail, 0.05 * s->m.unit);
		bone->tail = tail[0];
		joints->bone[bone->image].tail = tail[1];
	}
}

ossa_status ossai_body_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints)
{
	if (body->plan->kind == OSSA_BODY_QUADRUPED)
		return ossai_quadruped_joints_find(arena, figure, body, mirror, enforce, joints);
	if (body->plan->kind == OSSA_BODY_THEROPOD || body->plan->kind == OSSA_BODY_BIRD)
		return ossai_theropod_joints_find(arena, figure, body, mirror, enforce, joints);
	solver *s = ossai_arena_zero(arena, 1, sizeof *s);
	if (!s) return ossa_context_error(arena->context)->status;
	*s = (solver){.enforce = enforce, .joints = joints};
	*joints = (ossai_body_joints){.count = 0};
	OSSAI_TRY(ossai_body_measure_limbs(arena, figure, body, mirror, &s->m));
	find_hips(s);
	for (int k = 0; k < 2; k++) s->shoulder[k] = s->m.shoulder[k];
	make_images(s, s->shoulder, 0.06 * s->m.unit);
	make_lines(s);
	uint32_t first[OSSAI_BODY_BONES];
	for (size_t row = 0; row < body->plan->bone_count; row++) put_row(s, row, first);
	put_tails(s);
	return put_fingers(arena, s);
}
