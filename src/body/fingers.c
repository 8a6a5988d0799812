/* body/fingers.c: see fingers.h. */
#include "body/fingers.h"

/* Shares of the arm's length: fingers begin beyond, and are shorter than that. */
static const double OUTER = 0.5, LONGEST = 0.45;

/* Where the bones of a finger begin, as shares of its length from the knuckle. Chosen, not
   measured. */
static const double PHALANX[OSSAI_PHALANGES] = {0, 0.45, 0.75};

typedef struct hand {
	const ossai_figure *figure;
	const ossai_body *body;
	const ossai_figure_end *arm; /* its own end */
	uint32_t palm;               /* the node that all fingers are beyond */
} hand;

/* the node where an end's path joins the arm's */
static uint32_t joins_at(const hand *h, size_t end)
{
	return ossai_figure_meet(h->figure, end, (size_t)(h->arm - h->figure->end), h->body->limbs.head);
}

static bool is_finger(const hand *h, size_t end)
{
	const ossai_figure_end *e = &h->figure->end[end];
	const double arm = h->arm->distance[h->body->shoulder_node];
	const uint32_t node = joins_at(h, end);
	/* the path joins the arm between its end and the shoulder, and not another limb */
	const double off = h->arm->distance[node] + e->distance[node] - h->arm->distance[e->node];
	if (fabs(off) > 1e-9 * arm || h->arm->distance[node] >= (1 - OUTER) * arm) return false;
	return e->distance[node] < LONGEST * arm;
}

static void place_bones(const hand *h, ossai_sections *sections, ossai_vec3 side, size_t end, ossai_finger *finger)
{
	ossai_limb_axis axis;
	ossai_limb_axis_make(h->figure, sections, end, h->palm, side, &axis);
	const size_t knuckle = ossai_limb_axis_begin(&axis, NULL);
	const double length = (double)knuckle * axis.step;
	*finger = (ossai_finger){.end = end, .tip = axis.point[0], .radius = axis.radius[knuckle / 2]};
	for (int i = 0; i < OSSAI_PHALANGES; i++) finger->joint[i] = ossai_limb_axis_at(&axis, length * (1 - PHALANX[i]));
}

static double knuckles_apart(const ossai_finger *a, const ossai_finger *b) { return ossai_distance(a->joint[0], b->joint[0]); }

static void swap(ossai_finger *a, ossai_finger *b)
{
	const ossai_finger other = *a;
	*a = *b;
	*b = other;
}

/* The thumb points away from the others: its direction has the smallest sum of cosines with theirs.
   They follow by the distance of their knuckles from its own. */
static void put_in_order(ossai_fingers *f)
{
	double least = INFINITY;
	size_t thumb = 0;
	for (size_t i = 0; i < f->count; i++) {
		double sum = 0;
		const ossai_vec3 own = ossai_unit(ossai_sub(f->finger[i].tip, f->finger[i].joint[0]), ossai_v3(0, 0, 0));
		for (size_t k = 0; k < f->count; k++) {
			const ossai_vec3 other = ossai_unit(ossai_sub(f->finger[k].tip, f->finger[k].joint[0]), ossai_v3(0, 0, 0));
			sum += ossai_dot(own, other);
		}
		if (!(sum < least)) continue;
		least = sum;
		thumb = i;
	}
	swap(&f->finger[0], &f->finger[thumb]);
	for (size_t i = 1; i < f->count; i++) {
		for (size_t k = i; k > 1; k--) {
			if (knuckles_apart(&f->finger[0], &f->finger[k - 1]) <= knuckles_apart(&f->finger[0], &f->finger[k])) break;
			swap(&f->finger[k - 1], &f->finger[k]);
		}
	}
}

void ossai_fingers_find(
	const ossai_figure *figure, ossai_sections *sections, const ossai_body *body, int side, ossai_fingers *fingers)
{
	const size_t own = body->limbs.arm[side];
	*fingers = (ossai_fingers){.count = 0};
	if (own == OSSAI_LIMB_HIDDEN) return;
	hand h = {.figure = figure, .body = body, .arm = &figure->end[own], .palm = figure->end[own].node};
	size_t ends[OSSAI_FIGURE_ENDS], count = 0;
	for (size_t e = 0; e < figure->end_count; e++) {
		if (e == own || !is_finger(&h, e)) continue;
		const uint32_t node = joins_at(&h, e);
		if (h.arm->distance[node] > h.arm->distance[h.palm]) h.palm = node;
		ends[count++] = e;
	}
	if (count > 1) ends[count++] = own;
	if (count > OSSAI_FINGERS) return;
	const ossai_vec3 outward = ossai_scale(body->left, side == 0 ? 1 : -1);
	for (size_t i = 0; i < count; i++) place_bones(&h, sections, outward, ends[i], &fingers->finger[i]);
	fingers->count = count;
	if (count > 1) put_in_order(fingers);
}
