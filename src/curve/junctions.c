/* curve/junctions.c: see branchings.h.

   Which patch a branching stands for, and so where its node is, differs with every mesh of one shape; the largest ball in the body there differs
   less, but in a palm or a pelvis there are several nearly as large. The mean of all places with much room moves evenly with the shape. Joints are
   measured from branchings: what these move, all joints of their limbs would. */
#include "curve/junctions.h"

#include "base/heap.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* Branchings are one where they are this near, in the sum of the radii of the largest balls that hold them: what lies between is the body. */
static const double SAME_BODY = 1.12;

/* ... and none of them farther than this from the one with the largest ball: a row of legs has a spine. */
static const double LARGEST_BODY = 2;

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
	uint8_t *is_body; /* C: while branchings are joined, those that others go into */
} graph;

/* the mean of the roomy places around `at`, the nearer and roomier the more; false where there is none */
static bool shift(const ossai_clearance *room, double radius, ossai_vec3 at, ossai_vec3 *mean)
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
				const double own = ossai_clearance_nearest(room, place, NULL, NULL) / radius - ROOMY;
				if (!(own > 0) || !ossai_clearance_inside(room, place)) continue;
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
static ossai_ball settled(const ossai_clearance *room, ossai_ball ball)
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
	const double radius = ossai_clearance_nearest(room, at, NULL, NULL);
	return radius > ROOMY * ball.radius && ossai_clearance_inside(room, at) ? (ossai_ball){at, radius} : ball;
}

/* Nodes of the way that begins at the branching with `next` go onto the line from there to the last that is not yet well out of its ball, or to the last
   before it to which the line stays inside; those that the way comes back with from farther away, a curled arm's, are left. `moved`: how far the
   branching was; `way`: room for all nodes. */
static void straighten(const graph *g, const ossai_clearance *room, uint32_t branching, uint32_t next, double moved, uint32_t *way)
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
	while (end > 0 && !ossai_clearance_clear(room, ball.center, curve->node[way[end]])) end--;
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

/* in the sum of the radii of their balls */
static double apart(const ossai_curve *curve, uint32_t a, uint32_t b)
{
	return ossai_distance(curve->node[a], curve->node[b]) / (ball_of(curve, a).radius + ball_of(curve, b).radius);
}

/* the next branching, or end, on the way that begins at a branching; `last`: the node before it */
static uint32_t way_end(const graph *g, uint32_t from, uint32_t node, uint32_t *last)
{
	while (ossai_curve_degree(g->start, node) == 2) {
		const uint32_t next = ossai_curve_onward(g->start, g->neighbor, from, node);
		from = node;
		node = next;
	}
	*last = from;
	return node;
}

/* what lies on a way becomes part of the body that it begins in */
static void take_way(const graph *g, uint32_t from, uint32_t node, uint32_t body, uint32_t *into)
{
	while (ossai_curve_degree(g->start, node) == 2) {
		const uint32_t next = ossai_curve_onward(g->start, g->neighbor, from, node);
		into[node] = body;
		from = node;
		node = next;
	}
	into[node] = body;
}

/* a branching with all those around that are one with it, or with one that is; `stack`: scratch of C */
static void take_body(const graph *g, uint32_t body, uint32_t *stack, uint32_t *into)
{
	size_t count = 0;
	stack[count++] = body;
	while (count > 0) {
		const uint32_t at = stack[--count];
		for (uint32_t k = g->start[at]; k < g->start[at + 1]; k++) {
			uint32_t last;
			const uint32_t other = way_end(g, at, g->neighbor[k], &last);
			if (ossai_curve_degree(g->start, other) < 3 || into[other] != other || other == body) continue;
			if (g->is_body[other] || apart(g->curve, at, other) > SAME_BODY || apart(g->curve, body, other) > LARGEST_BODY)
				continue;
			take_way(g, at, g->neighbor[k], body, into);
			stack[count++] = other;
		}
	}
}

static ossa_status join(ossai_arena *arena, ossai_arena *scratch, ossai_curve *curve)
{
	const size_t count = curve->node_count;
	graph g = {.curve = curve};
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &g.start, &g.neighbor));
	uint32_t *into = ossai_arena_new(scratch, count, sizeof *into);
	uint32_t *stack = ossai_arena_new(scratch, count, sizeof *stack);
	ossai_heap_entry *order = ossai_arena_new(scratch, count, sizeof *order);
	g.is_body = ossai_arena_zero(scratch, count, 1);
	if (!into || !stack || !order || !g.is_body) return ossa_context_error(scratch->context)->status;
	size_t branchings = 0;
	for (uint32_t i = 0; i < count; i++) {
		into[i] = i;
		if (ossai_curve_degree(g.start, i) > 2) order[branchings++] = (ossai_heap_entry){ball_of(curve, i).radius, i};
	}
	/* the larger balls take the smaller ones */
	qsort(order, branchings, sizeof *order, ossai_heap_compare_falling);
	for (size_t i = 0; i < branchings; i++) {
		if (into[order[i].item] != order[i].item) continue;
		g.is_body[order[i].item] = 1;
		take_body(&g, order[i].item, stack, into);
	}
	return ossai_curve_merge(arena, into, curve);
}

ossa_status ossai_curve_merge_junctions(ossai_arena *arena, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = join(arena, &scratch, curve);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- settling ---- */

/* each branching goes where its ball settles, and the ways from there with it */
static ossa_status settle(ossai_arena *scratch, const ossai_clearance *room, ossai_curve *curve)
{
	graph g = {.curve = curve};
	OSSAI_TRY(ossai_curve_neighbors(scratch, curve, &g.start, &g.neighbor));
	double *moved = ossai_arena_new(scratch, curve->node_count, sizeof *moved);
	uint32_t *way = ossai_arena_new(scratch, curve->node_count, sizeof *way);
	if (!moved || !way) return ossa_context_error(scratch->context)->status;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) < 3) continue;
		curve->ball[i] = settled(room, curve->ball[i]);
		moved[i] = ossai_distance(curve->node[i], curve->ball[i].center);
		curve->node[i] = curve->ball[i].center;
		curve->radius[i] = curve->ball[i].radius;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (ossai_curve_degree(g.start, i) < 3) continue;
		for (uint32_t k = g.start[i]; k < g.start[i + 1]; k++) straighten(&g, room, i, g.neighbor[k], moved[i], way);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_center_junctions(ossai_arena *arena, const ossai_clearance *room, ossai_curve *curve)
{
	if (!curve->ball) return OSSA_OK;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = join(arena, &scratch, curve);
	if (status == OSSA_OK) status = settle(&scratch, room, curve);
	ossai_arena_end(&scratch);
	return status;
}
