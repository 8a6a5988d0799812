/* body/plan_lines.c: see plan_lines.h. */
#include "body/plan_lines.h"

/* Joints of a pair are near where they are mirror images to within this share of the unit. */
static const double NEAR = 0.3;

/* The most bones of a neck, a tail, an ear. */
enum { MOST = 8 };

enum { SIDES = 2 };

void ossai_plan_lines_mirror(const ossai_plan_lines *s, ossai_vec3 pair[2])
{
	const ossai_mirror *mirror = s->mirror;
	if (!mirror->exists) return;
	const ossai_vec3 image = ossai_mirror_point(mirror, pair[1]);
	const bool are_near = ossai_distance(pair[0], image) <= NEAR * s->unit;
	if (!are_near && !s->enforce) return;
	if (are_near) pair[0] = ossai_lerp(pair[0], image, 0.5);
	pair[1] = ossai_mirror_point(mirror, pair[0]);
}

double ossai_plan_lines_thickness(const ossai_limb_axis *axis, size_t parting, const ossai_limb_line *line)
{
	const size_t from = parting / 4, to = 3 * parting / 4;
	double sum = 0;
	for (size_t i = from; i <= to; i++) sum += log(fmax(axis->radius[i], 1e-12));
	return sum / (double)(to - from + 1) - log(fmax(ossai_limb_line_length(line), 1e-12));
}

ossai_limb_line ossai_plan_lines_straight(ossai_vec3 from, ossai_vec3 to, double radius)
{
	return (ossai_limb_line){.count = 2, .point = {from, to}, .arc = {0, ossai_distance(from, to)}, .radius = {radius, radius}};
}

static const ossai_limb_line *line_of(const ossai_plan_lines *s, ossai_region region, int k)
{
	switch (region) {
	case OSSAI_REGION_ARM: return &s->arm[k];
	case OSSAI_REGION_LEG: return &s->leg[k];
	case OSSAI_REGION_EAR: return &s->ear[k];
	case OSSAI_REGION_TAIL: return &s->tail;
	default: return &s->neck;
	}
}

static bool is_shown(const ossai_plan_lines *s, ossai_region region)
{
	switch (region) {
	case OSSAI_REGION_ARM: return s->has_arms;
	case OSSAI_REGION_LEG: return s->has_legs;
	case OSSAI_REGION_EAR: return s->has_ears;
	case OSSAI_REGION_TAIL: return s->has_tail;
	default: return true;
	}
}

/* the length of what a region's places are shares of */
static double length_of(const ossai_plan_lines *s, ossai_region region, int k)
{
	return region == OSSAI_REGION_NECK ? s->head : ossai_limb_line_length(line_of(s, region, k));
}

/* the number of bones of a row: as many as its region is long for its thickness */
static size_t count_of(const ossai_plan_lines *s, const ossai_plan_bone *row)
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

static double deviation_of(const ossai_plan_lines *s, double first, double along)
{
	return sqrt(first * first + along * along + s->off_axis * s->off_axis);
}

static void put_on_trunk(const ossai_plan_lines *s, const ossai_plan_bone *row, ossai_body_joint *joint)
{
	const double place = row->place.mean, length = ossai_distance(s->hips, s->neck.point[0]);
	joint->joint = ossai_lerp(s->hips, s->neck.point[0], place);
	joint->tail = s->neck.point[0];
	joint->radius = s->trunk_radius[0] + place * (s->trunk_radius[1] - s->trunk_radius[0]);
	joint->deviation = deviation_of(s, s->trunk, row->place.deviation * length);
}

/* joint `i` of `count` of a row along its line */
static void put_on_line(
	const ossai_plan_lines *s, const ossai_plan_bone *row, int k, size_t i, size_t count, ossai_body_joint *joint)
{
	const ossai_limb_line *line = line_of(s, row->region, k);
	const double length = length_of(s, row->region, k);
	const double thickness = row->region == OSSAI_REGION_ARM ? s->arm_thickness : s->leg_thickness;
	const double first = row->place.mean + row->by_thickness * thickness;
	const double place = first + (1 - first) * (double)i / (double)count;
	joint->joint = ossai_limb_line_at(line, place * length, &joint->radius);
	joint->tail = line->point[line->count - 1];
	joint->deviation = deviation_of(s, (1 - fmin(place, 1)) * s->first, row->place.deviation * length);
	if (row->region == OSSAI_REGION_NECK) joint->joint = ossai_madd(joint->joint, place, s->over);
	if (row->place.mean >= 0) return;
	joint->joint = s->scapula[k];
	joint->deviation = deviation_of(s, s->first, 0);
}

static void mirror_row(const ossai_plan_lines *s, size_t count, ossai_body_joint *left, ossai_body_joint *right)
{
	for (size_t i = 0; i < count; i++) {
		ossai_vec3 pair[SIDES] = {left[i].joint, right[i].joint}, tails[SIDES] = {left[i].tail, right[i].tail};
		ossai_plan_lines_mirror(s, pair);
		ossai_plan_lines_mirror(s, tails);
		left[i].joint = pair[0], right[i].joint = pair[1];
		left[i].tail = tails[0], right[i].tail = tails[1];
	}
}

/* the bones of a row, of both sides; last: of each row the last bone of each side */
static void put_row(const ossai_plan_lines *s, size_t row, uint32_t (*last)[SIDES], ossai_body_joints *joints)
{
	const ossai_plan_bone *rows = s->body->plan->bone, *r = &rows[row];
	const size_t count = count_of(s, r), sides = r->is_pair ? SIDES : 1;
	const uint32_t first = (uint32_t)joints->count;
	for (size_t k = 0; k < SIDES; k++) last[row][k] = r->parent < 0 ? OSSA_NONE : last[r->parent][k];
	for (size_t k = 0; k < sides; k++) {
		for (size_t i = 0; i < count; i++) {
			const uint32_t own = (uint32_t)joints->count++;
			ossai_body_joint *joint = &joints->bone[own];
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
	if (sides == SIDES) mirror_row(s, count, &joints->bone[first], &joints->bone[first + count]);
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

void ossai_plan_lines_place(const ossai_plan_lines *lines, ossai_body_joints *joints)
{
	*joints = (ossai_body_joints){.count = 0};
	uint32_t last[OSSAI_BODY_BONES][SIDES];
	for (size_t row = 0; row < lines->body->plan->bone_count; row++) put_row(lines, row, last, joints);
	put_tails(joints);
}

ossai_vec3 ossai_plan_lines_front(const ossai_proxy *proxy, const ossai_body *body, const ossai_mirror *mirror)
{
	ossai_vec3 best = ossai_v3_of(proxy->positions);
	for (size_t v = 1; v < proxy->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of(proxy->positions + 3 * v);
		if (ossai_dot(body->front, p) > ossai_dot(body->front, best)) best = p;
	}
	return mirror->exists ? ossai_lerp(best, ossai_mirror_point(mirror, best), 0.5) : best;
}
