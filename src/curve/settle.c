/* curve/settle.c: see settle.h.

   Which patch a branching stands for, and so where its node is, differs with every mesh of one shape; the largest ball in the body there differs
   less, but in a palm or a pelvis there are several nearly as large. The mean of all places with much room moves evenly with the shape. Joints are
   measured from branchings: what these move, all joints of their limbs would. */
#include "curve/settle.h"

#include <ossa/mesh.h>

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

ossa_status ossai_curve_settle(ossa_context *context, const ossai_room *room, ossai_curve *curve)
{
	if (!curve->ball) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(context);
	graph g = {.curve = curve};
	ossa_status status = ossai_curve_neighbors(&scratch, curve, &g.start, &g.neighbor);
	double *moved = status == OSSA_OK ? ossai_arena_new(&scratch, curve->node_count, sizeof *moved) : NULL;
	uint32_t *way = status == OSSA_OK ? ossai_arena_new(&scratch, curve->node_count, sizeof *way) : NULL;
	if (status == OSSA_OK && (!moved || !way)) status = ossa_context_error(context)->status;
	for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) < 3) continue;
		curve->ball[i] = settled(room, curve->ball[i]);
		moved[i] = ossai_distance(curve->node[i], curve->ball[i].center);
		curve->node[i] = curve->ball[i].center;
		curve->radius[i] = curve->ball[i].radius;
	}
	for (uint32_t i = 0; status == OSSA_OK && i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) < 3) continue;
		for (uint32_t k = g.start[i]; k < g.start[i + 1]; k++) straighten(&g, room, i, g.neighbor[k], moved[i], way);
	}
	ossai_arena_end(&scratch);
	return status;
}
