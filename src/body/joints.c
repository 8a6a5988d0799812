/* body/joints.c: see joints.h. */
#include "body/joints.h"

#include "body/fingers.h"
#include "body/hips.h"
#include "body/limb_line.h"

#include <ossa/mesh.h>

/* Lengths are shares of the height from the floor to the neck unless they say otherwise; measured
   on rigged characters, as the places of the plan are. */

/* The height at which arms leave the trunk, over that of the neck. */
static const ossai_range ARMS_UNDER_NECK = {0.88, 0.06};

/* Hidden legs stand so far beside the middle, and their toes so far ahead of it. */
static const double HIDDEN_SIDE = 0.08, HIDDEN_TOES = 0.1;

/* The ankle over the tip of the foot. */
static const double ANKLE_HEIGHT = 0.055;

/* The shoulder: its height between hips and neck, how far it lies from where the arm leaves the
   trunk, and off the axis of the arm; in lengths of the trunk. */
static const ossai_range SHOULDER_HEIGHT = {0.85, 0.07};
static const double SHOULDER_ALONG = 0.15, SHOULDER_OFF = 0.08;

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

typedef struct solver {
	const ossai_figure *figure;
	const ossai_body *body;
	const ossai_mirror *mirror; /* may not exist */
	bool enforce;               /* all pairs are mirror images */
	ossai_sections sections;
	ossai_limb_axis leg[2], arm[2], head; /* left, right */
	ossai_limb_line leg_line[2], arm_line[2];
	double ankle[2];                               /* arc on the leg's line */
	size_t arm_begin[2];                           /* samples: where arms leave the trunk */
	size_t neck;                                   /* sample of the head */
	double unit;                                   /* height from the floor to the neck */
	ossai_vec3 hip[2], shoulder[2], trunk, throat; /* throat: where the neck is narrowest */
	ossai_body_joints *joints;
} solver;

static double height_of(const solver *s, ossai_vec3 p) { return (ossai_dot(s->body->up, p) - s->body->low) / s->unit; }

static double head_share(const solver *s) { return 1 - s->unit / s->body->height; }

static ossai_vec3 side_of(const solver *s, int k) { return ossai_scale(s->body->left, k == 0 ? 1 : -1); }

static bool is_symmetric(const solver *s) { return s->mirror->exists; }

/* a point in the middle of a symmetric shape goes onto its plane */
static ossai_vec3 to_middle(const solver *s, ossai_vec3 p)
{
	return is_symmetric(s) ? ossai_lerp(p, ossai_mirror_point(s->mirror, p), 0.5) : p;
}

/* the two joints of a pair become mirror images where they differ no more than they are uncertain */
static void make_images(const solver *s, ossai_vec3 *pair, double deviation)
{
	if (!is_symmetric(s)) return;
	const ossai_vec3 image = ossai_mirror_point(s->mirror, pair[1]);
	const bool are_near = ossai_distance(pair[0], image) <= 3 * deviation;
	if (!are_near && !s->enforce) return;
	if (are_near) pair[0] = ossai_lerp(pair[0], image, 0.5);
	pair[1] = ossai_mirror_point(s->mirror, pair[0]);
}

/* Legs that clothes hide: straight ones from the floor to where hips are expected. */
static void imagine_leg(const solver *s, int k, ossai_limb_axis *leg)
{
	const ossai_vec3 up = s->body->up, under = ossai_madd(s->throat, -s->unit, up);
	const ossai_vec3 foot = ossai_madd(
		ossai_madd(under, HIDDEN_SIDE * s->unit, side_of(s, k)), HIDDEN_TOES * s->unit, s->body->front);
	const ossai_vec3 ankle = ossai_madd(ossai_madd(under, HIDDEN_SIDE * s->unit, side_of(s, k)), ANKLE_HEIGHT * s->unit, up);
	const double rise = ossai_hips_expected(head_share(s)).mean - ANKLE_HEIGHT, sole = ossai_distance(foot, ankle) / s->unit;
	leg->step = (sole + rise) * s->unit / SAMPLES;
	for (int i = 0; i <= SAMPLES; i++) {
		const double over = i * leg->step - sole * s->unit;
		leg->point[i] = over > 0 ? ossai_madd(ankle, over, up) : ossai_lerp(ankle, foot, -over / (sole * s->unit));
		leg->along[i] = over > 0 ? up : ossai_unit(ossai_sub(ankle, foot), up);
		leg->radius[i] = HIDDEN_SIDE * s->unit / 2;
		leg->inward[i] = ossai_dot(side_of(s, k), leg->point[i]) - leg->radius[i];
	}
}

/* where the neck is narrowest, by the height at which the arms leave the trunk */
static void find_throat(solver *s)
{
	const ossai_body *body = s->body;
	double arms = 0, odds[SAMPLES + 1];
	for (int k = 0; k < 2; k++) {
		s->arm_begin[k] = ossai_limb_axis_begin(&s->arm[k], is_symmetric(s) ? &s->arm[1 - k] : NULL);
		arms += (ossai_dot(body->up, s->arm[k].point[s->arm_begin[k]]) - body->low) / 2;
	}
	for (int i = 0; i <= SAMPLES; i++) {
		const double height = ossai_dot(body->up, s->head.point[i]) - body->low;
		const double z = (arms / fmax(height, 1e-6 * body->height) - ARMS_UNDER_NECK.mean) / ARMS_UNDER_NECK.deviation;
		odds[i] = -z * z / 2;
	}
	s->neck = ossai_limb_axis_neck(&s->head, odds);
	s->throat = to_middle(s, s->head.point[s->neck]);
	s->unit = ossai_dot(body->up, s->throat) - body->low;
}

/* the plane that parts left from right: that of symmetry, else through the head */
static ossai_mirror middle_plane(const solver *s)
{
	if (is_symmetric(s)) return *s->mirror;
	return (ossai_mirror){.exists = true, .normal = s->body->left, .offset = ossai_dot(s->body->left, s->head.point[SAMPLES])};
}

/* A limb that shows no end is the mirror image of the other one. */
static void imagine_image(const solver *s, int k, const ossai_limb_axis *other, ossai_limb_axis *limb)
{
	const ossai_mirror plane = middle_plane(s), at_origin = {.exists = true, .normal = plane.normal};
	const double shift = 2 * plane.offset * ossai_dot(plane.normal, side_of(s, k));
	*limb = *other;
	for (int i = 0; i <= SAMPLES; i++) {
		limb->point[i] = ossai_mirror_point(&plane, other->point[i]);
		limb->along[i] = ossai_mirror_point(&at_origin, other->along[i]);
		limb->inward[i] = other->inward[i] + shift;
	}
}

static void measure_pair(solver *s, const size_t end[2], uint32_t node, ossai_limb_axis axis[2])
{
	for (int k = 0; k < 2; k++) {
		if (end[k] == OSSAI_LIMB_HIDDEN) continue;
		ossai_limb_axis_make(s->figure, &s->sections, end[k], node, side_of(s, k), &axis[k]);
	}
	for (int k = 0; k < 2; k++) {
		if (end[k] == OSSAI_LIMB_HIDDEN) imagine_image(s, k, &axis[1 - k], &axis[k]);
	}
}

static void measure_axes(solver *s)
{
	const ossai_body *body = s->body;
	ossai_limb_axis_make(s->figure, &s->sections, body->limbs.head, body->shoulder_node, body->left, &s->head);
	measure_pair(s, body->limbs.arm, body->shoulder_node, s->arm);
	find_throat(s);
	for (int k = 0; k < 2 && ossai_body_hides_legs(body); k++) imagine_leg(s, k, &s->leg[k]);
	if (!ossai_body_hides_legs(body)) measure_pair(s, body->limbs.leg, body->hip_node, s->leg);
}

/* ---- hips ---- */

/* Whether the section of a leg stays on its side of the middle between both legs. */
static bool is_apart(const solver *s, int k, size_t i)
{
	const ossai_vec3 side = side_of(s, k);
	return s->leg[k].inward[i] >= ossai_dot(side, ossai_lerp(s->leg[0].point[i], s->leg[1].point[i], 0.5));
}

/* the sample of a leg above the last one that is apart from the other leg: boots and knees that
   touch are below it */
static size_t find_parting(const solver *s, int k)
{
	size_t i = SAMPLES;
	while (i > 1 && !is_apart(s, k, i - 1)) i--;
	return i;
}

/* the point at a height on the line that continues the upper half of the free leg */
static ossai_vec3 extend_leg(const solver *s, int k, size_t parting, double height)
{
	const ossai_limb_axis *leg = &s->leg[k];
	const ossai_vec3 knee = leg->point[parting / 2], top = leg->point[parting > 3 ? parting - 2 : parting];
	const ossai_vec3 along = ossai_unit(ossai_sub(top, knee), s->body->up);
	const double rise = (height - height_of(s, top)) * s->unit, slope = ossai_dot(along, s->body->up);
	/* legs that are lifted show no height */
	const double step = fmin(fmax(rise / fmax(slope, 0.5), -0.3 * s->unit), 0.3 * s->unit);
	const ossai_vec3 hip = ossai_madd(top, step, along);
	/* what a long skirt hides of them is upright */
	const double rest = rise - step * slope;
	return rest > 0 && slope > 0.5 ? ossai_madd(hip, rest, s->body->up) : hip;
}

static void find_hips(solver *s)
{
	size_t parting[2];
	double height = 0;
	for (int k = 0; k < 2; k++) {
		parting[k] = find_parting(s, k);
		height += height_of(s, s->leg[k].point[parting[k]]) / 2;
	}
	height = ossai_hips_height(head_share(s), height);
	for (int k = 0; k < 2; k++) s->hip[k] = extend_leg(s, k, parting[k], height);
	make_images(s, s->hip, ossai_hips_expected(0).deviation * s->unit);
	s->trunk = to_middle(s, ossai_lerp(s->hip[0], s->hip[1], 0.5));
}

/* ---- shoulders ---- */

/* adds the term ((p - at) . along)^2 / deviation^2 to the normal equations of p */
static void add_term(double a[3][3], double b[3], ossai_vec3 along, ossai_vec3 at, double deviation)
{
	const double w = 1 / (deviation * deviation), n[3] = {along.x, along.y, along.z}, level = ossai_dot(along, at);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) a[i][j] += w * n[i] * n[j];
		b[i] += w * n[i] * level;
	}
}

static ossai_vec3 solve3(double a[3][3], const double b[3])
{
	const ossai_vec3 r0 = {a[0][0], a[0][1], a[0][2]}, r1 = {a[1][0], a[1][1], a[1][2]}, r2 = {a[2][0], a[2][1], a[2][2]};
	const ossai_vec3 c0 = ossai_cross(r1, r2), c1 = ossai_cross(r2, r0), c2 = ossai_cross(r0, r1);
	const ossai_vec3 sum = ossai_madd(ossai_madd(ossai_scale(c0, b[0]), b[1], c1), b[2], c2);
	return ossai_scale(sum, 1 / ossai_dot(r0, c0));
}

/* the most likely point by the axis of the arm, by where it leaves the trunk and by the height of
   shoulders on trunks */
static ossai_vec3 find_shoulder(const solver *s, int k, size_t begin)
{
	const ossai_limb_axis *arm = &s->arm[k];
	const ossai_vec3 edge = arm->point[begin], trunk = ossai_sub(s->throat, s->trunk);
	const double length = ossai_length(trunk);
	const ossai_vec3 along = ossai_unit(ossai_sub(edge, arm->point[begin - begin / 6]), side_of(s, k));
	const ossai_vec3 across = ossai_unit(ossai_cross(along, s->body->front), s->body->up);
	double a[3][3] = {{0}}, b[3] = {0};
	add_term(a, b, along, edge, SHOULDER_ALONG * length);
	add_term(a, b, across, edge, SHOULDER_OFF * length);
	add_term(a, b, ossai_cross(along, across), edge, SHOULDER_OFF * length);
	const ossai_vec3 level = ossai_madd(s->trunk, SHOULDER_HEIGHT.mean, trunk);
	add_term(a, b, ossai_unit(trunk, s->body->up), level, SHOULDER_HEIGHT.deviation * length);
	return solve3(a, b);
}

static void find_shoulders(solver *s)
{
	for (int k = 0; k < 2; k++) s->shoulder[k] = find_shoulder(s, k, s->arm_begin[k]);
	make_images(s, s->shoulder, SHOULDER_ALONG * ossai_distance(s->throat, s->trunk));
}

/* ---- along limbs ---- */

/* where the leg has risen to the height of ankles over the tip of the foot */
static double find_ankle(const solver *s, const ossai_limb_line *line)
{
	const double floor = height_of(s, line->point[line->count - 1]);
	for (size_t i = line->count - 1; i-- > 1;) {
		const double below = height_of(s, line->point[i + 1]) - floor, here = height_of(s, line->point[i]) - floor;
		if (here < ANKLE_HEIGHT) continue;
		const double t = here > below ? (ANKLE_HEIGHT - below) / (here - below) : 0;
		return line->arc[i + 1] + fmin(fmax(t, 0), 1) * (line->arc[i] - line->arc[i + 1]);
	}
	return ossai_limb_line_length(line);
}

static void make_lines(solver *s)
{
	for (int k = 0; k < 2; k++) {
		ossai_limb_line_make(&s->arm[k], s->shoulder[k], &s->arm_line[k]);
		ossai_limb_line_make(&s->leg[k], s->hip[k], &s->leg_line[k]);
		s->ankle[k] = find_ankle(s, &s->leg_line[k]);
	}
}

/* ---- the plan's bones ---- */

static ossai_vec3 on_trunk(const solver *s, double place, double *radius)
{
	*radius = s->head.radius[s->neck];
	if (place <= 1) return ossai_lerp(s->trunk, s->throat, place);
	const double out = (place - 1) * ossai_distance(s->trunk, s->throat);
	return to_middle(s, ossai_limb_axis_at(&s->head, (double)s->neck * s->head.step - out));
}

static ossai_vec3 on_arm(const solver *s, int k, const ossai_plan_bone *row, double *radius)
{
	const ossai_limb_line *line = &s->arm_line[k];
	const double place = row->place.mean, length = ossai_limb_line_length(line);
	if (place < 0) {
		*radius = line->radius[0];
		const ossai_vec3 axis = ossai_lerp(s->trunk, s->throat, SHOULDER_HEIGHT.mean);
		return ossai_lerp(s->shoulder[k], axis, -place);
	}
	return ossai_limb_line_at(line, row->is_bend ? ossai_limb_line_bend(line, row->place, length) : place * length, radius);
}

static ossai_vec3 on_leg(const solver *s, int k, const ossai_plan_bone *row, double *radius)
{
	const ossai_limb_line *line = &s->leg_line[k];
	const double ankle = s->ankle[k], place = row->place.mean;
	if (row->is_bend) return ossai_limb_line_at(line, ossai_limb_line_bend(line, row->place, ankle), radius);
	return ossai_limb_line_at(
		line, place <= 1 ? place * ankle : ankle + (place - 1) * (ossai_limb_line_length(line) - ankle), radius);
}

static ossai_vec3 place_joint(const solver *s, const ossai_plan_bone *row, int k, double *radius)
{
	switch (row->region) {
	case OSSAI_REGION_ARM: return on_arm(s, k, row, radius);
	case OSSAI_REGION_LEG: return on_leg(s, k, row, radius);
	default: return on_trunk(s, row->place.mean, radius);
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
	const ossai_plan_bone *rows = s->body->plan->bone, *r = &rows[row];
	ossai_body_joints *joints = s->joints;
	const int sides = r->is_pair ? 2 : 1;
	ossai_vec3 at[2];
	first[row] = (uint32_t)joints->count;
	for (int k = 0; k < sides; k++) {
		ossai_body_joint *joint = &joints->bone[joints->count++];
		*joint = (ossai_body_joint){.role = {r->part, r->is_pair ? 1 - 2 * k : 0, r->number}};
		joint->parent = bone_of_row(first, rows, r->parent, k);
		joint->image = first[row] + (uint32_t)(r->is_pair ? 1 - k : 0);
		at[k] = place_joint(s, r, k, &joint->radius);
	}
	if (sides == 2) make_images(s, at, 0.1 * s->unit);
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
	joints->is_finger[finger->end] = true;
	for (uint32_t i = 0; i < OSSAI_PHALANGES; i++) {
		const uint32_t own = (uint32_t)joints->count++;
		joints->bone[own] = (ossai_body_joint){.role = {(ossa_body_part)(OSSA_PART_THUMB + which), side, (int)i + 1},
			.parent = i == 0 ? hand : own - 1,
			.joint = finger->joint[i],
			.tail = i + 1 < OSSAI_PHALANGES ? finger->joint[i + 1] : finger->tip,
			.radius = finger->radius,
			.image = image == OSSA_NONE ? OSSA_NONE : image + i};
	}
}

/* both hands have as many fingers, or pairs have no images */
static void put_fingers(solver *s)
{
	ossai_fingers hand[2];
	ossai_body_joints *joints = s->joints;
	for (int k = 0; k < 2; k++) ossai_fingers_find(s->figure, &s->sections, s->body, k, &hand[k]);
	const bool are_alike = hand[0].count == hand[1].count;
	const uint32_t first = (uint32_t)joints->count, each = (uint32_t)hand[0].count * OSSAI_PHALANGES;
	for (int k = 0; k < 2; k++) {
		const uint32_t parent = find_hand(joints, 1 - 2 * k);
		for (size_t i = 0; i < hand[k].count && parent != OSSA_NONE; i++) {
			const uint32_t image = (k == 0 ? first + each : first) + (uint32_t)i * OSSAI_PHALANGES;
			put_finger(s, &hand[k].finger[i], i, 1 - 2 * k, parent, are_alike ? image : OSSA_NONE);
		}
		if (hand[k].count > 1 && parent != OSSA_NONE) joints->bone[parent].tail = hand[k].finger[hand[k].count / 2].joint[0];
	}
	for (uint32_t b = first; b < first + each && are_alike; b++) {
		ossai_body_joint *left = &joints->bone[b], *right = &joints->bone[b + each];
		ossai_vec3 joint[2] = {left->joint, right->joint}, tail[2] = {left->tail, right->tail};
		make_images(s, joint, left->radius);
		make_images(s, tail, left->radius);
		left->joint = joint[0];
		right->joint = joint[1];
		left->tail = tail[0];
		right->tail = tail[1];
	}
}

/* a bone ends where its first medial child begins, else its first one; the last of a limb at the
   limb's tip */
static void put_tails(solver *s)
{
	ossai_body_joints *joints = s->joints;
	const ossai_body_limbs *limbs = &s->body->limbs;
	for (uint32_t b = 0; b < joints->count; b++) {
		ossai_body_joint *bone = &joints->bone[b];
		uint32_t child = OSSA_NONE;
		for (uint32_t c = b + 1; c < joints->count && child == OSSA_NONE; c++) {
			if (joints->bone[c].parent == b && (joints->bone[c].role.side == bone->role.side)) child = c;
		}
		const int k = bone->role.side < 0;
		const bool is_leg = bone->role.part >= OSSA_PART_UPPER_LEG;
		if (child != OSSA_NONE) bone->tail = joints->bone[child].joint;
		else if (bone->role.part == OSSA_PART_HEAD) bone->tail = to_middle(s, s->figure->end[limbs->head].tip);
		else bone->tail = (is_leg ? &s->leg[k] : &s->arm[k])->point[0];
	}
	for (uint32_t b = 0; b < joints->count; b++) {
		ossai_body_joint *bone = &joints->bone[b];
		if (bone->role.side <= 0) continue;
		ossai_vec3 tail[2] = {bone->tail, joints->bone[bone->image].tail};
		make_images(s, tail, 0.05 * s->unit);
		bone->tail = tail[0];
		joints->bone[bone->image].tail = tail[1];
	}
}

ossa_status ossai_body_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints)
{
	solver *s = ossai_arena_zero(arena, 1, sizeof *s);
	if (!s) return ossa_context_error(arena->context)->status;
	*s = (solver){.figure = figure, .body = body, .mirror = mirror, .enforce = enforce, .joints = joints};
	*joints = (ossai_body_joints){.count = 0};
	const ossai_mesh_view mesh = ossai_proxy_view(figure->proxy);
	OSSAI_TRY(ossai_sections_make(arena, &mesh, &s->sections));
	measure_axes(s);
	find_hips(s);
	find_shoulders(s);
	make_lines(s);
	uint32_t first[OSSAI_BODY_BONES];
	for (size_t row = 0; row < body->plan->bone_count; row++) put_row(s, row, first);
	put_tails(s);
	put_fingers(s);
	return OSSA_OK;
}
