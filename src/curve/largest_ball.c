/* curve/largest_ball.c: see largest_ball.h. */
#include "curve/largest_ball.h"

/* Largest distance of a node in a crotch from a ball, as a share of the limbs' mean radius. Tried:
   0 to 1. At 0 a human gets 25 bones in place of 16; at 1 joints of one shape in several meshes are
   0.9 % of the size apart in place of 1.3 %, but no other shapes were tried. */
static const double SLACK = 0.5;

/* Steps begin with this share of the limbs' mean radius and end at the second; a ball that grows by
   less than the third is as large: a climb through a limb of one thickness ends. Tried: 0.25 to 1,
   0.005 to 0.08, and 0 to 0.01: joints of one shape in several meshes are as far apart to within
   0.02 % of the size. */
static const double FIRST_STEP = 0.5, LAST_STEP = 0.02, GROWS = 0.001;

/* the best ball one step from this one; the same where none is larger */
static ossai_ball step_from(const ossai_clearance *clearance, const ossai_junction_size *size, ossai_ball ball, ossai_vec3 foot,
	double step, ossai_vec3 node, double slack)
{
	ossai_ball best = ball;
	const ossai_vec3 away = ossai_unit(ossai_sub(ball.center, foot), ossai_v3(0, 0, 0));
	for (uint32_t k = 0; k <= 2 * size->count; k++) {
		const ossai_vec3 direction = k == 0 ? away : ossai_scale(size->limb[(k - 1) / 2], k % 2 ? 1 : -1);
		const ossai_vec3 next = ossai_madd(ball.center, step, direction);
		const double there = ossai_clearance_beyond(clearance, next, best.radius, NULL, NULL);
		const bool holds = ossai_distance(next, node) <= there + slack;
		if (there > best.radius && holds && ossai_clearance_inside(clearance, next)) best = (ossai_ball){next, there};
	}
	return best;
}

ossai_ball ossai_largest_ball(const ossai_clearance *clearance, const ossai_junction_size *size, ossai_vec3 node)
{
	ossai_vec3 foot;
	ossai_ball ball = {node, ossai_clearance_nearest(clearance, node, &foot, NULL)};
	const double slack = fmax(0, SLACK * size->radius - ball.radius);
	for (double step = FIRST_STEP * size->radius; step > LAST_STEP * size->radius;) {
		const ossai_ball best = step_from(clearance, size, ball, foot, step, node, slack);
		if (best.radius > (1 + GROWS) * ball.radius) {
			ball = best;
			ossai_clearance_nearest(clearance, ball.center, &foot, NULL);
		} else step /= 2;
	}
	return ball;
}

ossa_status ossai_curve_find_balls(ossai_arena *arena, const ossai_clearance *clearance, ossai_curve *curve)
{
	if (curve->ball) return OSSA_OK;
	uint32_t *start, *neighbor;
	OSSAI_TRY(ossai_curve_neighbors(arena, curve, &start, &neighbor));
	curve->ball = ossai_arena_new(arena, curve->node_count, sizeof *curve->ball);
	if (!curve->ball) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		curve->ball[i] = (ossai_ball){curve->node[i], curve->radius[i]};
		const uint32_t degree = ossai_curve_degree(start, i);
		if (degree < 3 || !ossai_clearance_inside(clearance, curve->node[i])) continue;
		ossai_junction_size size = {.count = degree < OSSAI_JUNCTION_LIMBS ? degree : OSSAI_JUNCTION_LIMBS};
		for (uint32_t k = 0; k < size.count; k++) {
			const uint32_t other = neighbor[start[i] + k];
			size.limb[k] = ossai_unit(ossai_sub(curve->node[other], curve->node[i]), ossai_v3(0, 0, 0));
			size.radius += curve->radius[other] / size.count;
		}
		const ossai_ball ball = ossai_largest_ball(clearance, &size, curve->node[i]);
		if (ball.radius > curve->radius[i]) curve->ball[i] = ball;
	}
	return OSSA_OK;
}
