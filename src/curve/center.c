/* curve/center.c: see center.h.

   A node goes to the mean of the loops in which its patch meets those of its neighbours; a leaf
   keeps its position along the limb. Then it climbs across the limb to the largest clearance.
   Nodes outside are moved inside; edges that leave the surface are divided by nodes inside. */
#include "curve/center.h"

#include "curve/largest_ball.h"
#include "curve/patch_loops.h"

#include <ossa/mesh.h>
#include <string.h>

/* Steps of the climb, each at most this share of the clearance; one that leads to less clearance is
   halved. Tried: 0.1 to 0.6, which changes nothing that can be measured; the search for the largest
   ball of a junction (curve/largest_ball.h) in its place, confined to this clearance: with the
   artists' number of bones they are 0.0249 of the diagonal from the artists', 0.0226 here. */
enum { CLIMB_STEPS = 12 };
static const double CLIMB_STEP = 0.3;

/* How often an edge that leaves the surface is divided: into 2^3 at most. */
enum { DIVISIONS = 3 };

/* the mean of the centers of a node's loops; returns how many there are */
static size_t mean_of_loops(const ossai_patch_loops *loops, uint32_t node, ossai_vec3 *mean)
{
	ossai_vec3 sum = {0, 0, 0};
	size_t count = 0;
	for (uint32_t i = loops->start[node]; i < loops->start[node + 1]; i++) {
		if (!(loops->length[i] > 0)) continue;
		sum = ossai_add(sum, loops->center[i]);
		count++;
	}
	*mean = count > 0 ? ossai_scale(sum, 1.0 / (double)count) : sum;
	return count;
}

/* the position of a node by its loops and its patch */
static ossai_vec3 node_by_loops(const ossai_patch_loops *loops, const ossai_curve *curve, uint32_t node)
{
	ossai_vec3 mean;
	const size_t count = mean_of_loops(loops, node, &mean);
	if (count == 0) return curve->area[node] > 0 ? loops->patch_center[node] : curve->node[node];
	if (count > 1 || loops->start[node + 1] - loops->start[node] > 1) return mean;
	/* a leaf: the center of its cap, at its former position along the limb */
	const ossai_vec3 cap = loops->patch_center[node];
	const ossai_vec3 out = ossai_unit(ossai_sub(cap, mean), ossai_v3(0, 0, 0));
	const double further = ossai_dot(ossai_sub(curve->node[node], cap), out);
	return ossai_madd(cap, further > 0 ? further : 0, out);
}

/* the direction of the limb at a node: 0 where there is none or several */
static ossai_vec3 tangent(const ossai_patch_loops *loops, const ossai_vec3 *node, uint32_t i)
{
	const uint32_t begin = loops->start[i], count = loops->start[i + 1] - begin;
	if (count == 0 || count > 2) return ossai_v3(0, 0, 0);
	const ossai_vec3 a = node[loops->neighbor[begin]];
	const ossai_vec3 b = count == 2 ? node[loops->neighbor[begin + 1]] : node[i];
	return ossai_unit(ossai_sub(b, a), ossai_v3(0, 0, 0));
}

/* climbs to a larger clearance, across the limb, no farther than the clearance it begins with: the
   next limb is beyond */
static ossai_vec3 climb(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 along)
{
	ossai_vec3 at = from, foot;
	double here = ossai_clearance_nearest(clearance, at, &foot, NULL);
	const double reach = here;
	double step = CLIMB_STEP;
	for (int i = 0; i < CLIMB_STEPS && step > 0.02; i++) {
		ossai_vec3 away = ossai_unit(ossai_sub(at, foot), ossai_v3(0, 0, 0));
		away = ossai_madd(away, -ossai_dot(away, along), along);
		const ossai_vec3 next = ossai_madd(at, step * here, away);
		ossai_vec3 next_foot;
		const double there = ossai_clearance_beyond(clearance, next, here, &next_foot, NULL);
		if (there > here && ossai_distance(next, from) <= reach) {
			at = next;
			foot = next_foot;
			here = there;
		} else step /= 2;
	}
	return at;
}

/* false where the node is no junction */
static bool measure_junction(const ossai_patch_loops *loops, const ossai_vec3 *node, uint32_t i, ossai_junction_size *b)
{
	*b = (ossai_junction_size){.radius = 0};
	uint32_t count = 0;
	for (uint32_t k = loops->start[i]; k < loops->start[i + 1]; k++) {
		if (!(loops->length[k] > 0)) continue;
		b->radius += loops->length[k] / (2 * OSSAI_PI);
		if (b->count < OSSAI_JUNCTION_LIMBS) {
			b->limb[b->count++] = ossai_unit(ossai_sub(node[loops->neighbor[k]], node[i]), ossai_v3(0, 0, 0));
		}
		count++;
	}
	b->radius /= count > 0 ? count : 1;
	return count > 2;
}

/* moves from a crotch towards the ball, until the clearance is half the ball's radius */
static ossai_vec3 leave_surface(const ossai_clearance *clearance, ossai_vec3 node, const ossai_ball *ball)
{
	enum { STEPS = 8 };
	for (int i = 0; i < STEPS; i++) {
		const ossai_vec3 at = ossai_lerp(node, ball->center, (double)i / STEPS);
		if (ossai_clearance_nearest(clearance, at, NULL, NULL) >= 0.5 * ball->radius) return at;
	}
	return ball->center;
}

/* inside: `wanted`, or else what it was, or half way through the shape, unless that is farther
   along the limb (a unit vector, or 0) than `most`: in a gap between pieces the nearest surface
   is the end of the next, and half way through would be the middle of that one */
static bool move_inside(
	const ossai_clearance *clearance, ossai_vec3 wanted, ossai_vec3 before, ossai_vec3 along, double most, ossai_vec3 *position)
{
	const ossai_vec3 first[2] = {wanted, before};
	for (int i = 0; i < 2; i++) {
		*position = first[i];
		if (ossai_clearance_inside(clearance, *position)) return true;
	}
	for (int i = 0; i < 2; i++) {
		if (!ossai_clearance_midpoint(clearance, first[i], position) || !ossai_clearance_inside(clearance, *position)) continue;
		if (fabs(ossai_dot(ossai_sub(*position, first[i]), along)) <= most) return true;
	}
	*position = before;
	return false;
}

/* the distance of a node's nearest neighbour */
static double nearest_neighbor(const ossai_patch_loops *loops, const ossai_vec3 *node, uint32_t i)
{
	double nearest = INFINITY;
	for (uint32_t k = loops->start[i]; k < loops->start[i + 1]; k++)
		nearest = fmin(nearest, ossai_distance(node[loops->neighbor[k]], node[i]));
	return nearest;
}

typedef struct centering {
	const ossai_clearance *clearance;
	ossai_patch_loops loops;
	ossai_curve *curve;
	uint8_t *inside; /* C + those that are added */
	size_t capacity; /* nodes, and edges, that the new arrays hold */
	size_t outside;
} centering;

/* centers all nodes */
static ossa_status move_nodes(ossai_arena *arena, centering *c)
{
	ossai_curve *curve = c->curve;
	ossai_vec3 *wanted = ossai_arena_new(arena, curve->node_count, sizeof *wanted);
	if (!wanted) return ossa_context_error(arena->context)->status;
	for (uint32_t i = 0; i < curve->node_count; i++) wanted[i] = node_by_loops(&c->loops, curve, i);
	for (uint32_t i = 0; i < curve->node_count; i++) {
		OSSAI_TRY(ossai_progress(arena->context, 0.7 * i / (double)curve->node_count));
		ossai_vec3 position;
		const ossai_vec3 along = tangent(&c->loops, wanted, i);
		c->inside[i] = move_inside(
			c->clearance, wanted[i], curve->node[i], along, nearest_neighbor(&c->loops, wanted, i), &position);
		ossai_junction_size size;
		const bool is_junction = c->inside[i] && measure_junction(&c->loops, wanted, i, &size);
		if (is_junction) curve->ball[i] = ossai_largest_ball(c->clearance, &size, position);
		if (c->inside[i]) position = climb(c->clearance, position, along);
		else c->outside++;
		if (is_junction) position = leave_surface(c->clearance, position, &curve->ball[i]);
		curve->node[i] = position;
	}
	return OSSA_OK;
}

/* a point inside near the middle of an edge: where the patches meet, or halfway through the
   shape */
static bool between(const centering *c, uint32_t a, uint32_t b, ossai_vec3 *position)
{
	const ossai_curve *curve = c->curve;
	const ossai_vec3 midpoint = ossai_lerp(curve->node[a], curve->node[b], 0.5);
	const double length = ossai_distance(curve->node[a], curve->node[b]);
	ossai_vec3 loop = midpoint;
	const uint32_t begin = a < c->loops.node_count ? c->loops.start[a] : 0;
	const uint32_t end = a < c->loops.node_count ? c->loops.start[a + 1] : 0;
	for (uint32_t i = begin; i < end; i++) {
		if (c->loops.neighbor[i] == b && c->loops.length[i] > 0) loop = c->loops.center[i];
	}
	if (!move_inside(c->clearance, loop, midpoint, ossai_v3(0, 0, 0), 0, position)) return false;
	/* a point that is not between them would lead away from the edge */
	return ossai_distance(*position, midpoint) < 0.75 * length + 1e-12;
}

/* puts a node into edge `e`; its other half becomes the last edge */
static void divide(centering *c, size_t e, ossai_vec3 position)
{
	ossai_curve *curve = c->curve;
	const uint32_t node = (uint32_t)curve->node_count++;
	curve->node[node] = position;
	curve->radius[node] = curve->area[node] = curve->volume[node] = 0;
	c->inside[node] = 1;
	curve->edge[2 * curve->edge_count] = curve->edge[2 * e + 1];
	curve->edge[2 * curve->edge_count + 1] = node;
	curve->edge_count++;
	curve->edge[2 * e + 1] = node;
}

/* divides edges that leave the surface, as long as that helps */
static ossa_status divide_edges(ossai_arena *arena, centering *c)
{
	ossai_curve *curve = c->curve;
	size_t begin = 0;
	for (int round = 0; round < DIVISIONS; round++) {
		const size_t end = curve->edge_count;
		for (size_t e = 0; e < end; e++) {
			OSSAI_TRY(ossai_progress(arena->context, 0.7 + 0.1 * round));
			const uint32_t a = curve->edge[2 * e], b = curve->edge[2 * e + 1];
			/* the two halves of what was divided last, and at first all */
			if (round > 0 && a < begin && b < begin) continue;
			if (!c->inside[a] || !c->inside[b] || curve->node_count == c->capacity) continue;
			if (ossai_clearance_clear(c->clearance, curve->node[a], curve->node[b])) continue;
			ossai_vec3 position;
			if (between(c, a, b, &position)) divide(c, e, position);
		}
		begin = round == 0 ? c->loops.node_count : begin;
	}
	return OSSA_OK;
}

/* longer arrays for the nodes and edges to come */
static ossa_status extend_arrays(ossai_arena *arena, centering *c)
{
	ossai_curve *curve = c->curve;
	const size_t count = curve->node_count, edges = curve->edge_count;
	c->capacity = count + ((1 << DIVISIONS) - 1) * edges;
	ossai_vec3 *node = ossai_arena_new(arena, c->capacity, sizeof *node);
	double *numbers = ossai_arena_new(arena, c->capacity, 3 * sizeof *numbers);
	uint32_t *edge = ossai_arena_new(arena, edges + c->capacity + 1, 2 * sizeof *edge);
	curve->ball = ossai_arena_zero(arena, c->capacity, sizeof *curve->ball);
	c->inside = ossai_arena_zero(arena, c->capacity, 1);
	if (!node || !numbers || !edge || !curve->ball || !c->inside) return ossa_context_error(arena->context)->status;
	if (count > 0) memcpy(node, curve->node, count * sizeof *node);
	if (count > 0) memcpy(numbers, curve->radius, count * sizeof *numbers);
	if (count > 0) memcpy(numbers + c->capacity, curve->area, count * sizeof *numbers);
	if (count > 0) memcpy(numbers + 2 * c->capacity, curve->volume, count * sizeof *numbers);
	if (edges > 0) memcpy(edge, curve->edge, 2 * edges * sizeof *edge);
	curve->node = node;
	curve->radius = numbers;
	curve->area = numbers + c->capacity;
	curve->volume = numbers + 2 * c->capacity;
	curve->edge = edge;
	return OSSA_OK;
}

/* radius: the clearance; of nodes outside, the former radius */
static ossa_status measure(ossai_arena *arena, centering *c, const ossai_proxy *proxy)
{
	ossai_curve *curve = c->curve;
	for (size_t i = 0; i < curve->node_count; i++) {
		if (!c->inside[i]) continue;
		const double clearance = ossai_clearance_nearest(c->clearance, curve->node[i], NULL, NULL);
		if (isfinite(clearance)) curve->radius[i] = clearance;
	}
	for (size_t i = 0; i < curve->node_count; i++) {
		if (!(curve->ball[i].radius > curve->radius[i])) curve->ball[i] = (ossai_ball){curve->node[i], curve->radius[i]};
	}
	ossai_patch_measure(proxy, curve);
	return ossai_progress(arena->context, 1);
}

ossa_status ossai_curve_center(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_clearance *clearance, ossai_curve *curve, size_t *outside)
{
	centering c = {.curve = curve, .clearance = clearance};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = ossai_patch_loops_make(&scratch, proxy, curve, &c.loops);
	if (status == OSSA_OK) status = extend_arrays(arena, &c);
	if (status == OSSA_OK) status = move_nodes(&scratch, &c);
	if (status == OSSA_OK) status = divide_edges(&scratch, &c);
	if (status == OSSA_OK) status = ossai_curve_sort_edges(arena, curve);
	if (status == OSSA_OK) status = measure(&scratch, &c, proxy);
	ossai_arena_end(&scratch);
	if (outside) *outside = c.outside;
	return status;
}

ossa_status ossai_curve_center_by_patches(ossai_arena *arena, const ossai_proxy *proxy, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_patch_loops loops;
	ossa_status status = ossai_patch_loops_make(&scratch, proxy, curve, &loops);
	if (status == OSSA_OK) {
		for (size_t i = 0; i < curve->node_count; i++) curve->node[i] = loops.patch_center[i];
		ossai_patch_measure(proxy, curve);
	}
	ossai_arena_end(&scratch);
	return status;
}
