/* samples/flesh.c: the field of a creature's flesh, and the true weights that follow from it.

   Place in the path: creature -> field -> skin.
   Input: limbs of points and radii.
   Output: value and gradient at a point; weights. The round cone's distance is exact: of all balls
   along the axis the nearest has its centre where the distance's derivative vanishes. Limbs melt by
   the polynomial smooth minimum, whose gradient is a convex mix: the mix also blends the
   weights. */
#include "samples/flesh.h"

#include <string.h>

/* ---- building ---- */

typedef struct curve_point {
	ossai_vec3 at;
	double radius;
} curve_point;

static ossai_vec3 multiply(ossai_vec3 a, ossai_vec3 b) { return ossai_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* slope of a quantity at point i of the limb, per step from i to i + 1, as a curve through all
   points has it */
static double tangent(double before, double here, double after, double length_before, double length_after)
{
	const double into = length_before > 0 ? (here - before) / length_before : (after - here) / length_after;
	const double out = length_after > 0 ? (after - here) / length_after : into;
	return (into * length_after + out * length_before) / (length_before + length_after);
}

static double hermite(double a, double slope_a, double b, double slope_b, double t)
{
	const double u = 1 - t;
	return a * (1 + 2 * t) * u * u + slope_a * t * u * u + b * t * t * (3 - 2 * t) - slope_b * t * t * u;
}

/* one of the four quantities of point i: x, y, z, radius */
static double quantity(const creature_limb *limb, int i, int which)
{
	const ossai_vec3 p = limb->points[i];
	return which == 0 ? p.x : which == 1 ? p.y : which == 2 ? p.z : limb->radii[i];
}

/* the curve between point i and i + 1, t from 0 to 1 */
static curve_point curve_at(const creature_limb *limb, int i, double t)
{
	const int last = limb->point_count - 1, before = i > 0 ? i - 1 : 0, after = i + 2 <= last ? i + 2 : last;
	const double l0 = ossai_distance(limb->points[before], limb->points[i]);
	const double l1 = ossai_distance(limb->points[i], limb->points[i + 1]);
	const double l2 = ossai_distance(limb->points[i + 1], limb->points[after]);
	double value[4];
	for (int k = 0; k < 4; k++) {
		const double v0 = quantity(limb, before, k), v1 = quantity(limb, i, k);
		const double v2 = quantity(limb, i + 1, k), v3 = quantity(limb, after, k);
		value[k] = hermite(v1, l1 * tangent(v0, v1, v2, l0, l1), v2, l1 * tangent(v1, v2, v3, l1, l2), t);
	}
	const double thinner = fmin(limb->radii[i], limb->radii[i + 1]);
	return (curve_point){ossai_v3(value[0], value[1], value[2]), fmax(value[3], 0.8 * thinner)};
}

static flesh_cone make_cone(const flesh_limb *to, curve_point a, curve_point b, double arc, int limb)
{
	flesh_cone cone = {.a = multiply(a.at, to->unscale), .radius = a.radius, .arc = arc, .limb = limb};
	const ossai_vec3 along = ossai_sub(multiply(b.at, to->unscale), cone.a);
	cone.length = ossai_length(along);
	cone.direction = ossai_unit(along, ossai_v3(0, 1, 0));
	// a ball inside the other makes no cone: the slope is kept below 1, and the larger ball wins by itself
	if (cone.length > 0) cone.slope = fmax(-0.98, fmin(0.98, (a.radius - b.radius) / cone.length));
	cone.lean = cone.slope / sqrt(1 - cone.slope * cone.slope);
	return cone;
}

/* how many cones follow the curve between point i and i + 1 to within a few degrees */
static int curve_steps(const creature_limb *limb, int i)
{
	const double most_turn = 3 * OSSAI_PI / 180;
	double turn = 0, before[4] = {0};
	for (int k = 0; k < 4; k++) {
		const curve_point a = curve_at(limb, i, k / 4.0), b = curve_at(limb, i, (k + 1) / 4.0);
		const double step[4] = {b.at.x - a.at.x, b.at.y - a.at.y, b.at.z - a.at.z, b.radius - a.radius};
		double dot = 0, square = 0, square_before = 0;
		for (int c = 0; c < 4; c++) {
			dot += step[c] * before[c];
			square += step[c] * step[c];
			square_before += before[c] * before[c];
		}
		if (k > 0) turn += acos(fmax(-1, fmin(1, dot / sqrt(square * square_before))));
		memcpy(before, step, sizeof before);
	}
	return (int)fmax(1, fmin(CURVE_STEPS, ceil(turn * 4 / 3 / most_turn)));
}

/* appends the cones of a limb; a single point is a ball */
static size_t add_cones(const creature_limb *from, const flesh_limb *to, int limb, double thinnest, flesh_cone *cones)
{
	if (from->point_count == 1) {
		const curve_point only = {from->points[0], fmax(from->radii[0], from->box.x > 0 ? 0 : thinnest)};
		cones[0] = make_cone(to, only, only, 0, limb);
		return 1;
	}
	size_t count = 0;
	double arc = 0;
	for (int i = 0; i + 1 < from->point_count; i++) {
		const int steps = curve_steps(from, i);
		for (int k = 0; k < steps; k++) {
			curve_point a = curve_at(from, i, (double)k / steps), b = curve_at(from, i, (double)(k + 1) / steps);
			a.radius = fmax(a.radius, thinnest);
			b.radius = fmax(b.radius, thinnest);
			cones[count] = make_cone(to, a, b, arc, limb);
			arc += cones[count++].length;
		}
	}
	return count;
}

/* nearest point of a limb's axis */
static void axis_nearest(const flesh_cone *cones, size_t count, ossai_vec3 p, double *arc, double *radius)
{
	double best = 1e30;
	for (size_t i = 0; i < count; i++) {
		const flesh_cone *cone = &cones[i];
		const double s = fmax(0, fmin(cone->length, ossai_dot(ossai_sub(p, cone->a), cone->direction)));
		const double distance = ossai_distance(p, ossai_madd(cone->a, s, cone->direction));
		if (distance >= best) continue;
		best = distance;
		*arc = cone->arc + s;
		*radius = cone->radius - cone->slope * s;
	}
}

static ossai_vec3 axis_point(const flesh_cone *cones, size_t count, double arc)
{
	size_t i = 0;
	while (i + 1 < count && cones[i + 1].arc <= arc) i++;
	return ossai_madd(cones[i].a, fmax(0, fmin(cones[i].length, arc - cones[i].arc)), cones[i].direction);
}

/* Where the limb passes from bone to bone: a plane across the axis at each joint. The blend is
   about as wide as the flesh is thick, but leaves a rigid core to every bone. */
static void add_crossings(const ossai_creature *creature, const flesh_cone *cones, size_t count, flesh_limb *limb)
{
	const ossai_vec3 scale = ossai_v3(1 / limb->unscale.x, 1 / limb->unscale.y, 1 / limb->unscale.z);
	for (int i = 0; i + 1 < limb->bone_count; i++) {
		flesh_crossing *crossing = &limb->crossings[i];
		const int near_bone = limb->bones[i], far_bone = limb->bones[i + 1];
		crossing->joint = creature_crossing(creature, near_bone, far_bone);
		double radius = 0;
		axis_nearest(cones, count, multiply(crossing->joint, limb->unscale), &crossing->arc, &radius);
		const ossai_vec3 before = axis_point(cones, count, crossing->arc - radius / 2);
		const ossai_vec3 after = axis_point(cones, count, crossing->arc + radius / 2);
		crossing->normal = ossai_unit(multiply(ossai_sub(after, before), scale), ossai_v3(0, 1, 0));
		crossing->width = 1.1 * radius;
		crossing->reach = 4 * radius;
	}
	for (int i = 0; i + 2 < limb->bone_count; i++) {
		flesh_crossing *a = &limb->crossings[i], *b = &limb->crossings[i + 1];
		const double most = 0.3 * (b->arc - a->arc);
		a->width = fmin(a->width, most);
		b->width = fmin(b->width, most);
	}
}

static void start_limb(const creature_limb *from, double thinnest, flesh_limb *to)
{
	to->unscale = ossai_v3(1 / from->flat.x, 1 / from->flat.y, 1 / from->flat.z);
	to->scale = fmin(1, fmin(from->flat.x, fmin(from->flat.y, from->flat.z)));
	to->is_box = from->box.x > 0;
	if (to->is_box) {
		const double radius = from->radii[0];
		to->box = ossai_v3(
			fmax(from->box.x, thinnest) - radius, fmax(from->box.y, thinnest) - radius, fmax(from->box.z, thinnest) - radius);
	}
	to->blend = from->blend;
	to->piece = from->piece;
	to->bone_count = from->bone_count;
	memcpy(to->bones, from->bones, sizeof to->bones);
}

ossa_status ossai_flesh_build(const ossai_creature *creature, double thinnest, ossai_arena *arena, ossai_flesh *flesh)
{
	*flesh = (ossai_flesh){.creature = creature, .limb_count = creature->limb_count};
	flesh->limbs = ossai_arena_zero(arena, (size_t)creature->limb_count, sizeof *flesh->limbs);
	flesh->cones = ossai_arena_zero(arena, FLESH_CONES, sizeof *flesh->cones);
	if (!flesh->limbs || !flesh->cones) return ossa_context_error(arena->context)->status;
	for (int i = 0; i < creature->limb_count; i++) {
		flesh_limb *limb = &flesh->limbs[i];
		start_limb(&creature->limbs[i], thinnest, limb);
		flesh_cone *first = flesh->cones + flesh->cone_count;
		const size_t count = add_cones(&creature->limbs[i], limb, i, thinnest / limb->scale, first);
		add_crossings(creature, first, count, limb);
		flesh->cone_count += count;
		flesh->blend = fmax(flesh->blend, limb->blend);
		for (size_t k = 0; k < count; k++)
			flesh->area += 2 * OSSAI_PI * first[k].radius * (first[k].length + first[k].radius / 2);
		flesh->area += 8 * (limb->box.x * limb->box.y + limb->box.y * limb->box.z + limb->box.z * limb->box.x);
	}
	return OSSA_OK;
}

/* ---- the field ---- */

/* without the rules for NaN of the C library's, which cost a call each */
static inline double smaller(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }

/* position along the axis of the ball of the cone that is nearest to p (in the limb's space) */
static double nearest_ball(const flesh_cone *cone, ossai_vec3 p)
{
	const ossai_vec3 from = ossai_sub(p, cone->a);
	const double along = ossai_dot(from, cone->direction);
	const double aside = sqrt(larger(0, ossai_length2(from) - along * along));
	return larger(0, smaller(cone->length, along - aside * cone->lean));
}

static ossai_vec3 outside_part(ossai_vec3 q) { return ossai_v3(larger(q.x, 0), larger(q.y, 0), larger(q.z, 0)); }

/* distance to a rounded box; offset: from the box without its rounding, by axis */
static double box_distance(ossai_vec3 offset, double radius)
{
	const double outside = ossai_length(outside_part(offset));
	return (outside > 0 ? outside : larger(offset.x, larger(offset.y, offset.z))) - radius;
}

static ossai_vec3 box_offset(ossai_vec3 half, ossai_vec3 p)
{
	return ossai_v3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z);
}

static ossai_vec3 box_gradient(ossai_vec3 q, ossai_vec3 p)
{
	const ossai_vec3 out = outside_part(q);
	const double outside = ossai_length(out);
	ossai_vec3 g = ossai_scale(out, outside > 0 ? 1 / outside : 0);
	if (!(outside > 0)) g = q.x >= q.y && q.x >= q.z ? ossai_v3(1, 0, 0) : q.y >= q.z ? ossai_v3(0, 1, 0) : ossai_v3(0, 0, 1);
	return ossai_v3(copysign(g.x, p.x), copysign(g.y, p.y), copysign(g.z, p.z));
}

/* a limb's nearest flesh: distance (a lower bound of the world's), the cone, and where along it */
typedef struct limb_hit {
	double distance, along;
	const flesh_cone *cone;
} limb_hit;

static double cone_distance(const flesh_limb *limb, const flesh_cone *cone, ossai_vec3 p, limb_hit *hit)
{
	const ossai_vec3 local = multiply(p, limb->unscale);
	double distance, s = 0;
	if (limb->is_box) {
		distance = box_distance(box_offset(limb->box, ossai_sub(local, cone->a)), cone->radius);
	} else {
		s = nearest_ball(cone, local);
		distance = ossai_distance(local, ossai_madd(cone->a, s, cone->direction)) - (cone->radius - cone->slope * s);
	}
	distance *= limb->scale;
	if (distance < hit->distance) *hit = (limb_hit){distance, s, cone};
	return distance;
}

static ossai_vec3 hit_gradient(const flesh_limb *limb, const limb_hit *hit, ossai_vec3 p)
{
	const ossai_vec3 local = multiply(p, limb->unscale), from = ossai_sub(local, hit->cone->a);
	if (limb->is_box) return ossai_scale(multiply(box_gradient(box_offset(limb->box, from), from), limb->unscale), limb->scale);
	const ossai_vec3 away = ossai_sub(local, ossai_madd(hit->cone->a, hit->along, hit->cone->direction));
	const double length = ossai_length(away);
	return ossai_scale(multiply(ossai_scale(away, length > 0 ? 1 / length : 0), limb->unscale), limb->scale);
}

/* the nearest hit among the cones of one limb; `*at` moves behind them */
static limb_hit next_limb(const ossai_flesh *flesh, const uint16_t *list, size_t count, size_t *at, ossai_vec3 p)
{
	limb_hit hit = {.distance = 1e30, .cone = &flesh->cones[list[*at]]};
	const int limb = hit.cone->limb;
	for (; *at < count && flesh->cones[list[*at]].limb == limb; ++*at) {
		cone_distance(&flesh->limbs[limb], &flesh->cones[list[*at]], p, &hit);
	}
	return hit;
}

/* the smooth minimum of a and b; `share` is how much of b is in it (I. Quilez, Smooth minimum,
   quadratic form) */
static double melt(double a, double b, double blend, double *share)
{
	const double h = blend > 0 ? larger(0, blend - fabs(a - b)) / blend : 0;
	*share = b < a ? 1 - h / 2 : h / 2;
	return smaller(a, b) - h * h * blend / 4;
}

double ossai_flesh_at(const ossai_flesh *flesh, const uint16_t *list, size_t count, ossai_vec3 p, ossai_vec3 *gradient)
{
	double field = 1e30;
	ossai_vec3 sum = {0, 0, 0};
	for (size_t at = 0; at < count;) {
		const limb_hit hit = next_limb(flesh, list, count, &at, p);
		const flesh_limb *limb = &flesh->limbs[hit.cone->limb];
		double share;
		field = melt(field, hit.distance, limb->blend, &share);
		if (gradient) sum = ossai_lerp(sum, hit_gradient(limb, &hit, p), share);
	}
	if (gradient) *gradient = sum;
	return field;
}

size_t ossai_flesh_cull(
	const ossai_flesh *flesh, const uint16_t *list, size_t count, ossai_vec3 p, double radius, double field, uint16_t *kept)
{
	// within the radius any distance changes by at most the radius: what is farther than the nearest by twice that stays so.
	// a limb farther than the skin by a blend and a quarter has lost all influence on it
	const double most = field + 2 * radius + 1.25 * flesh->blend;
	size_t kept_count = 0;
	for (size_t at = 0; at < count;) {
		const int limb = flesh->cones[list[at]].limb;
		const size_t first = kept_count;
		limb_hit hit = {.distance = 1e30};
		// a cone goes when an earlier one of its limb beats it; going back, when a later one does
		for (; at < count && flesh->cones[list[at]].limb == limb; at++) {
			const double distance = cone_distance(&flesh->limbs[limb], &flesh->cones[list[at]], p, &hit);
			if (distance <= smaller(most, hit.distance + 2 * radius)) kept[kept_count++] = list[at];
		}
		size_t stay = first;
		for (size_t i = first; i < kept_count; i++) {
			const double distance = cone_distance(&flesh->limbs[limb], &flesh->cones[kept[i]], p, &hit);
			if (distance <= hit.distance + 2 * radius) kept[stay++] = kept[i];
		}
		kept_count = stay;
	}
	return kept_count;
}

/* ---- weights ---- */

static double smooth_step(double t)
{
	t = fmax(0, fmin(1, t));
	return t * t * (3 - 2 * t);
}

/* how much of the flesh at p, at `arc` along the limb, lies beyond a crossing */
static double beyond(const flesh_crossing *crossing, ossai_vec3 p, double arc)
{
	if (arc < crossing->arc - crossing->reach) return 0;
	if (arc > crossing->arc + crossing->reach) return 1;
	const double distance = ossai_dot(ossai_sub(p, crossing->joint), crossing->normal);
	return smooth_step(0.5 + 0.5 * distance / crossing->width);
}

/* adds a limb's own weights, times `share` */
static void add_limb_weights(const flesh_limb *limb, ossai_vec3 p, double arc, double share, double *weights)
{
	double rest = 1;
	for (int i = 0; i < limb->bone_count; i++) {
		const double next = i + 1 < limb->bone_count ? fmin(rest, beyond(&limb->crossings[i], p, arc)) : 0;
		weights[limb->bones[i]] += share * (rest - next);
		rest = next;
	}
}

/* Leaves weight on one path down the tree only: of a bone's subtrees the heaviest keeps what it has
   more than the second, the bone itself takes the rest. Continuous: where two legs meet, both have
   nothing and the hips have all. */
static void keep_one_path(const ossai_creature *creature, double *weights)
{
	double mass[CREATURE_BONES], first[CREATURE_BONES] = {0}, second[CREATURE_BONES] = {0}, factor[CREATURE_BONES];
	int heaviest[CREATURE_BONES];
	memcpy(mass, weights, sizeof mass);
	for (int b = creature->bone_count - 1; b > 0; b--) mass[creature_skin_parent(&creature->bones[b])] += mass[b];
	for (int b = 0; b < creature->bone_count; b++) heaviest[b] = -1;
	for (int b = 1; b < creature->bone_count; b++) {
		const int up = creature_skin_parent(&creature->bones[b]);
		if (mass[b] > first[up]) {
			second[up] = first[up];
			first[up] = mass[b];
			heaviest[up] = b;
		} else if (mass[b] > second[up]) {
			second[up] = mass[b];
		}
	}
	factor[0] = 1;
	for (int b = 0; b < creature->bone_count; b++) {
		const int up = creature_skin_parent(&creature->bones[b]);
		if (up >= 0) factor[b] = heaviest[up] == b ? factor[up] * (1 - second[up] / first[up]) : 0;
		const double below = heaviest[b] >= 0 ? first[b] - second[b] : 0;
		weights[b] = factor[b] * (mass[b] - below);
	}
}

void ossai_flesh_weights(const ossai_flesh *flesh, const uint16_t *list, size_t count, ossai_vec3 p, double *weights)
{
	double field = 1e30;
	for (int b = 0; b < CREATURE_BONES; b++) weights[b] = 0;
	for (size_t at = 0; at < count;) {
		const limb_hit hit = next_limb(flesh, list, count, &at, p);
		const flesh_limb *limb = &flesh->limbs[hit.cone->limb];
		double share;
		field = melt(field, hit.distance, limb->blend, &share);
		for (int b = 0; b < CREATURE_BONES; b++) weights[b] *= 1 - share;
		add_limb_weights(limb, p, hit.cone->arc + hit.along, share, weights);
	}
	keep_one_path(flesh->creature, weights);
}
