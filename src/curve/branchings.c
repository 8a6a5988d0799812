/* curve/branchings.c: see branchings.h.

   Which patch a branching stands for, and so where its node is, differs with every mesh of one shape; the largest ball in the body there differs
   less, but in a palm or a pelvis there are several nearly as large. The mean of all places with much room moves evenly with the shape. Joints are
   measured from branchings: what these move, all joints of their limbs would. */
#include "curve/branchings.h"

#include "base/union_find.h"

#include <ossa/mesh.h>

/* Branchings are one where they are this near, in the sum of the radii of the largest balls that hold them: what lies between is the body. Where they
   have settled, in the mean of that and of the same where they are then. */
static const double SAME_BODY = 1.12, SAME_BODY_SETTLED = 1.25;

/* The places that count are those of a lattice with so many steps either way, out to this many radii of the ball around the last mean, with more
   room than this share of its radius; and how often, and until it moves by less than which share of the radius. */
enum { LATTICE = 3, MOST_ROUNDS = 8 };
static const double REACH = 1.5, ROOMY = 0.5, MOVED = 0.05;

/* How far a branching may go from the middle of its ball, in its radius: farther, it is another place of the body. */
static const double FARTHEST = 1.5;

/* Ways from a branching are straight as far as this many radii of its room: nearer, they come from where the branching was. */
static const double STRAIGHT = 1.5;

typedef struct graph {
	ossai_curve *curve;
	uint32_t *start, *neighbor;
} graph;

/* the mean of the roomy places around `at`, the nearer and roomier the more; false where there is none */
static bool shift(const ossai_room *room, double radius, ossai_vec3 at, ossai_vec3 *mean)
{
	const double step = REACH * radius / LATTICE;
	ossai_vec3 sum = {0, 0, 0};
	double weights = 0;
	for (int i = -LATTICE; i <= LATTICE; i++) {
		for (int j = -LATTICE; j <= LATTICE; j++) {
			for (int k = -LATTICE; k <= LATTICE; k++) {
				const double far2 = (double)(i * i + j * j + k * k) / (LATTICE * LATTICE);
				if (far2 >= 1) continue;
				const ossai_vec3 place = ossai_add(at, ossai_v3(step * i, step * j, step * k));
				const double own = ossai_room_nearest(room, place, NULL, NULL) / radius - ROOMY;
				if (!(own > 0) || !ossai_room_inside(room, place)) continue;
				sum = ossai_madd(sum, own * (1 - far2), place);
				weights += own * (1 - far2);
			}
		}
	}
	if (!(weights > 0)) return false;
	*mean = ossai_scale(sum, 1 / weights);
	return true;
}

/* where a branching with this ball settles; the ball itself where that leads out of the room */
static ossai_ball settled(const ossai_room *room, ossai_ball ball)
{
	ossai_vec3 at = ball.center;
	double moved = INFINITY;
	for (int i = 0; ball.radius > 0 && i < MOST_ROUNDS && moved >= MOVED * ball.radius; i++) {
		ossai_vec3 mean;
		if (!shift(room, ball.radius, at, &mean)) return ball;
		moved = ossai_distance(mean, at);
		at = mean;
		const double far = ossai_distance(at, ball.center) / (FARTHEST * ball.radius);
		if (!(far > 1)) continue;
		at = ossai_lerp(ball.center, at, 1 / far);
		break;
	}
	const double radius = ossai_room_nearest(room, at, NULL, NULL);
	return radius > ROOMY * ball.radius && ossai_room_inside(room, at) ? (ossai_ball){at, radius} : ball;
}

/* Nodes of the way that begins at the branching with `next` go onto the line from there to the last that is not yet well out of its ball, or to the last
   before it to which the line stays inside; those that the way comes back with from farther away, a curled arm's, are left. `moved`: how far the
   branching was; `way`: room for all nodes. */
static void straighten(const graph *g, const ossai_room *room, uint32_t branching, uint32_t next, double moved, uint32_t *way)
{
	ossai_curve *curve = g->curve;
	const ossai_ball ball = curve->ball[branching];
	const double reach = STRAIGHT * ball.radius, most = 2 * reach + moved;
	uint32_t count = 0, end = 0;
	double arc = 0;
	for (uint32_t from = branching, node = next;;) {
		way[count++] = node;
		if (ossai_curve_degree(g->start, node) != 2 || arc > most) break;
		if (ossai_distance(curve->node[node], ball.center) < reach) end = count;
		const uint32_t after = ossai_curve_onward(g->start, g->neighbor, from, node);
		arc += ossai_distance(curve->node[node], curve->node[after]);
		from = node;
		node = after;
	}
	while (end > 0 && !ossai_room_clear(room, ball.center, curve->node[way[end]])) end--;
	for (uint32_t i = 0; i < end; i++) {
		const double t = (double)(i + 1) / (end + 1);
		curve->node[way[i]] = ossai_lerp(ball.center, curve->node[way[end]], t);
		curve->radius[way[i]] = ball.radius + t * (curve->radius[way[end]] - ball.radius);
	}
}

/* ---- branchings that are one ---- */

static ossai_ball ball_of(const ossai_curve *curve, uint32_t node)
{
	return curve->ball ? curve->ball[node] : (ossai_ball){curve->node[node], curve->radius[node]};
}

/* `settled`: C, or NULL */
static bool are_one(const ossai_curve *curve, const ossai_ball *settled, uint32_t a, uint32_t b)
{
	const double apart = ossai_distance(curve->node[a], curve->node[b]) / (ball_of(curve, a).radius + ball_of(curve, b).radius);
	if (!settled) return apart <= SAME_BODY;
	const double then = ossai_distance(settled[a].center, settled[b].center) / (settled[a].radius + settled[b].radius);
	return (apart + then) / 2 <= SAME_BODY_SETTLED;
}

/* joins what lies between two branchings of one body */
static void join_bodies(const graph *g, const ossai_ball *settled, uint32_t *set)
{
	for (uint32_t i = 0; i < g->curve->node_count; i++) {
		if (ossai_curve_degree(g->start, i) < 3) continue;
		for (uint32_t k = g->start[i]; k < g->start[i + 1]; k++) {
			uint32_t from = i, node = g->neighbor[k];
			while (ossai_curve_degree(g->start, node) == 2) {
				const uint32_t next = ossai_curve_onward(g->start, g->neighbor, from, node);
				from = node;
				node = next;
			}
			if (node < i || ossai_curve_degree(g->start, node) < 3 || !are_one(g->curve, settled, i, node)) continue;
			/* back along the way */
			for (uint32_t at = node, before = OSSA_NONE; at != i;) {
				ossai_union_join(set, at, i);
				const uint32_t next = before == OSSA_NONE ? from : ossai_curve_onward(g->start, g->neighbor, before, at);
				before = at;
				at = next;
			}
		}
	}
}

/* of each set the branching with the largest ball stands for all; `settled` gets the new numbers, too */
static ossa_status join(ossai_arena *arena, ossai_arena *scratch, ossai_ball *settled, ossai_curve *curve)
{
	graph g = {.curve = curve};
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &g.start, &g.neighbor));
	uint32_t *set = ossai_arena_new(scratch, curve->node_count, sizeof *set);
	uint32_t *into = ossai_arena_new(scratch, curve->node_count, sizeof *into);
	uint32_t *largest = ossai_arena_new(scratch, curve->node_count, sizeof *largest);
	if (!set || !into || !largest) return ossa_context_error(scratch->context)->status;
	ossai_union_begin(set, curve->node_count);
	join_bodies(&g, settled, set);
	for (uint32_t i = 0; i < curve->node_count; i++) largest[i] = OSSA_NONE;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		uint32_t *best = &largest[ossai_union_find(set, i)];
		const bool is_first = *best == OSSA_NONE;
		if (is_first ||
			(ossai_curve_degree(g.start, i) > 2 &&
				(ossai_curve_degree(g.start, *best) < 3 || ball_of(curve, i).radius > ball_of(curve, *best).radius)))
			*best = i;
	}
	uint32_t count = 0;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		into[i] = largest[ossai_union_find(set, i)];
		if (into[i] == i && settled) settled[count++] = settled[i];
	}
	return ossai_curve_merge(arena, into, curve);
}

ossa_status ossai_curve_join_branchings(ossai_arena *arena, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = join(arena, &scratch, NULL, curve);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- settling ---- */

static ossa_status settle_all(ossai_arena *scratch, const ossai_room *room, const ossai_curve *curve, ossai_ball *balls)
{
	uint32_t *start, *neighbor;
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &start, &neighbor));
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (ossai_curve_degree(start, i) > 2) balls[i] = settled(room, curve->ball[i]);
	}
	return OSSA_OK;
}

/* branchings go where they have settled */
static ossa_status move(ossai_arena *scratch, const ossai_room *room, const ossai_ball *balls, ossai_curve *curve)
{
	graph g = {.curve = curve};
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &g.start, &g.neighbor));
	double *moved = ossai_arena_new(scratch, curve->node_count, sizeof *moved);
	uint32_t *way = ossai_arena_new(scratch, curve->node_count, sizeof *way);
	if (!moved || !way) return ossa_context_error(scratch->context)->status;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) < 3) continue;
		curve->ball[i] = balls[i];
		moved[i] = ossai_distance(curve->node[i], balls[i].center);
		curve->node[i] = balls[i].center;
		curve->radius[i] = balls[i].radius;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) < 3) continue;
		for (uint32_t k = g.start[i]; k < g.start[i + 1]; k++) straighten(&g, room, i, g.neighbor[k], moved[i], way);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_settle(ossai_arena *arena, const ossai_room *room, ossai_curve *curve)
{
	if (!curve->ball) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_ball *balls = ossai_arena_zero(&scratch, curve->node_count, sizeof *balls);
	ossa_status status = balls ? settle_all(&scratch, room, curve, balls) : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = join(arena, &scratch, balls, curve);
	if (status == OSSA_OK) status = move(&scratch, room, balls, curve);
	ossai_arena_end(&scratch);
	return status;
}
