/* body/theropod_joints.c: see theropod_joints.h. */
#include "body/theropod_joints.h"

#include "body/limb_pair.h"
#include "body/plan_lines.h"
#include "body/theropod_measures.h"

/* Lengths are in RMS distances of the surface from its centroid; scripts/calibrate_theropods shows
   how well they fit. */

/* Heights of the hip joint and the hips: shares of the way from where the legs leave the trunk to the
   back. Artists of birds put the hip joint where the legs leave the trunk; that is the knee. */
static const double HIP_UP = 0.42, HIPS_UP = 0.52;

/* Neck and tail begin where they are thinner than this share of the trunk. */
static const double NECK_SHARE = 0.65, TAIL_SHARE = 0.8;

/* The head's joint is at this share of the line from where the neck begins to the tip of the head: a
   tyrannosaur's head is longer than its neck. */
static const double HEAD_OF_THEROPOD = 0.4, HEAD_OF_BIRD = 0.74;

/* Where no leg is seen, the hips are so far behind the shoulders. */
static const double HIPS_BEHIND = 0.33;

/* Deviations: of a first joint of a limb, of the ends of the trunk, of any joint off its line. */
static const double FIRST = 0.15, TRUNK = 0.15, OFF_AXIS = 0.05;

enum { SAMPLES = OSSAI_AXIS_SAMPLES, SIDES = 2 };

typedef struct solver {
	ossai_theropod_measures m;
	ossai_plan_lines lines;
} solver;

static double height_of(const solver *s, ossai_vec3 p) { return ossai_dot(s->m.body->up, p); }

static ossai_vec3 at_height(const solver *s, ossai_vec3 p, double height)
{
	return ossai_madd(p, height - height_of(s, p), s->m.body->up);
}

static ossai_vec3 on_middle(const solver *s, ossai_vec3 p)
{
	const ossai_vec3 left = s->m.body->left;
	return ossai_madd(p, ossai_dot(left, ossai_sub(s->m.middle, p)), left);
}

/* ---- hips ---- */

/* how far to the left of the trunk's middle the middle of the free leg is */
static double across_of_leg(const solver *s, int k)
{
	const size_t parting = s->m.leg_parting[k], from = parting / 4, to = 3 * parting / 4;
	double sum = 0;
	for (size_t i = from; i <= to; i++) sum += ossai_dot(s->m.body->left, ossai_sub(s->m.leg[k].point[i], s->m.middle));
	return sum / (double)(to - from + 1);
}

static void find_hips(solver *s, ossai_vec3 hip[SIDES])
{
	const ossai_theropod_measures *m = &s->m;
	const ossai_vec3 parting[SIDES] = {m->leg[0].point[m->leg_parting[0]], m->leg[1].point[m->leg_parting[1]]};
	const ossai_vec3 between = on_middle(s, ossai_lerp(parting[0], parting[1], 0.5));
	const double low = height_of(s, between), rise = m->back - low;
	for (int k = 0; k < SIDES; k++)
		hip[k] = ossai_madd(at_height(s, between, low + HIP_UP * rise), across_of_leg(s, k), m->body->left);
	ossai_plan_lines_mirror(&s->lines, hip);
	s->lines.hips = at_height(s, between, low + HIPS_UP * rise);
}

/* ---- lines ---- */

/* the median radius of the inner quarter, which runs through the trunk: where legs leave it sections
   are larger */
static double inner_radius(const ossai_limb_axis *axis)
{
	enum { INNER = SAMPLES / 4 + 1 };
	double sorted[INNER];
	for (size_t n = 0; n < INNER; n++) {
		const double radius = axis->radius[SAMPLES - n];
		size_t i = n;
		for (; i > 0 && sorted[i - 1] > radius; i--) sorted[i] = sorted[i - 1];
		sorted[i] = radius;
	}
	return sorted[INNER / 2];
}

/* From the inner end outward: the first sample from which on three are thinner than a share of the
   trunk, in the mean. */
static size_t narrowing(const ossai_limb_axis *axis, double share)
{
	const double bound = share * inner_radius(axis);
	size_t i = SAMPLES;
	while (i > 2 && (axis->radius[i] + axis->radius[i - 1] + axis->radius[i - 2]) / 3 >= bound) i--;
	return i;
}

/* the shoulder is where the arm runs into the trunk, but on its own side of the body */
static void make_arms(solver *s)
{
	ossai_theropod_measures *m = &s->m;
	ossai_vec3 shoulder[SIDES];
	size_t inner[SIDES];
	for (int k = 0; k < SIDES; k++) {
		const size_t parting = ossai_limb_pair_parting(m->arm, m->body->left, k);
		inner[k] = m->arm_begin[k] < parting ? m->arm_begin[k] : parting;
		shoulder[k] = m->arm[k].point[inner[k]];
	}
	ossai_plan_lines_mirror(&s->lines, shoulder);
	for (int k = 0; k < SIDES; k++) ossai_limb_line_make(&m->arm[k], shoulder[k], inner[k], &s->lines.arm[k]);
}

static ossai_vec3 between_shoulders(const solver *s)
{
	return on_middle(s, ossai_lerp(s->lines.arm[0].point[0], s->lines.arm[1].point[0], 0.5));
}

static void make_legs(solver *s)
{
	ossai_vec3 hip[SIDES];
	find_hips(s, hip);
	for (int k = 0; k < SIDES; k++) ossai_limb_line_make(&s->m.leg[k], hip[k], s->m.leg_parting[k], &s->lines.leg[k]);
}

static void make_tail(solver *s)
{
	const ossai_limb_axis *axis = &s->m.tail;
	const size_t begin = narrowing(axis, TAIL_SHARE);
	ossai_limb_line_make(axis, on_middle(s, axis->point[begin]), begin, &s->lines.tail);
}

static void make_neck(solver *s)
{
	const ossai_theropod_measures *m = &s->m;
	if (m->has_head) {
		const size_t begin = narrowing(&m->head, NECK_SHARE);
		ossai_limb_line_make(&m->head, on_middle(s, m->head.point[begin]), begin, &s->lines.neck);
	} else {
		const ossai_vec3 from = m->has_arms ? between_shoulders(s) : m->middle;
		s->lines.neck = ossai_plan_lines_straight(from, on_middle(s, m->muzzle), s->lines.trunk_radius[1] / 2);
	}
	const double share = m->body->plan->kind == OSSA_BODY_BIRD ? HEAD_OF_BIRD : HEAD_OF_THEROPOD;
	s->lines.head = share * ossai_limb_line_length(&s->lines.neck);
}

static void make_lines(solver *s)
{
	const ossai_theropod_measures *m = &s->m;
	if (m->has_arms) make_arms(s);
	if (m->has_legs) make_legs(s);
	else s->lines.hips = ossai_madd(between_shoulders(s), -HIPS_BEHIND * m->unit, m->body->front);
	if (m->has_tail) make_tail(s);
	make_neck(s);
}

/* the trunk is as thick as where head and tail leave it */
static double trunk_radius(const ossai_theropod_measures *m)
{
	const double radius = fmax(m->has_head ? inner_radius(&m->head) : 0, m->has_tail ? inner_radius(&m->tail) : 0);
	return radius > 0 ? radius : inner_radius(m->has_legs ? &m->leg[0] : &m->arm[0]);
}

ossa_status ossai_theropod_joints_find(ossai_arena *arena, const ossai_figure *figure, const ossai_body *body,
	const ossai_mirror *mirror, bool enforce, ossai_body_joints *joints)
{
	solver *s = ossai_arena_zero(arena, 1, sizeof *s);
	if (!s) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_theropod_measure(arena, figure, body, mirror, &s->m));
	const ossai_theropod_measures *m = &s->m;
	const double radius = trunk_radius(m);
	s->lines = (ossai_plan_lines){
		.body = body,
		.mirror = mirror,
		.enforce = enforce,
		.unit = m->unit,
		.has_legs = m->has_legs,
		.has_arms = m->has_arms,
		.has_tail = m->has_tail,
		.trunk_radius = {radius, radius},
		.first = FIRST * m->unit,
		.trunk = TRUNK * m->unit,
		.off_axis = OFF_AXIS * m->unit,
	};
	make_lines(s);
	ossai_plan_lines_place(&s->lines, joints);
	return OSSA_OK;
}
