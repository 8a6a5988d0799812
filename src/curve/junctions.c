/* curve/junctions.c: see junctions.h.

   The patch of a junction, and so the position of its node, differs with every mesh of one shape.
   The largest ball in the body differs less, but in a palm or a pelvis there are several of
   nearly the same size. The mean of all points of large clearance around the mean of these balls
   depends continuously on the shape. Joints are measured from junctions, so an error there would
   move all joints of their limbs. */
#include "curve/junctions.h"

#include "base/heap.h"
#include "curve/chains.h"

#include <ossa/mesh.h>
#include <stdlib.h>

/* Junctions are merged within this distance, in the sum of the radii of the largest balls that
   hold them: the body is between them. Tried: 1 to 1.3. Four creatures in meshes of 4000, 7000 and
   12 000 faces get the same bones by contraction in 8 of 12 pairs of meshes with up to 1.12 and in
   10 with 1.3, by volume in 10 and in 7. */
static const double SAME_BODY = 1.12;

/* ... and within this distance of the one with the largest ball, so that a row of legs keeps its
   spine. Tried: 1.5 to 3, which changes none of those creatures; without it the junctions of a
   centipede are one. */
static const double LARGEST_BODY = 2;

/* How far the body around a junction extends, in radii of its largest ball: there the mean shift
   takes samples, the junction stays, and its chains are straight. Tried: 1 to 2.5. At 1 joints of
   one shape are 0.05 % of the size farther apart, and one pair of meshes more gets other bones; at
   2.5 a cow loses a bone. */
static const double BODY = 1.5;

/* Samples count by how much their clearance exceeds this share of the ball's radius: others lie in
   limbs or near the skin. Tried: 0 to 0.75. At both ends one pair of meshes more gets other bones,
   and joints are 0.05 % of the size farther apart. */
static const double LEAST_CLEARANCE = 0.5;

/* The mean shift ends at a displacement below this share of the ball's radius, or after so many
   iterations, on a lattice of so many steps in each direction. Tried: 0.01 to 0.2, which changes
   neither bones nor, by more than 0.02 % of the size, their joints in the mean. */
static const double CONVERGED = 0.05;
enum { LATTICE = 3, MOST_ROUNDS = 8 };

/* the mean of samples of large clearance around `at`, weighted by closeness and clearance; false
   where there is none */
static bool shift(const ossai_clearance *clearance, double radius, ossai_vec3 at, ossai_vec3 *mean)
{
	const double step = BODY * radius / LATTICE;
	ossai_vec3 sum = {0, 0, 0};
	double weights = 0;
	for (int i = -LATTICE; i <= LATTICE; i++) {
		for (int j = -LATTICE; j <= LATTICE; j++) {
			for (int k = -LATTICE; k <= LATTICE; k++) {
				const double distance2 = (double)(i * i + j * j + k * k) / (LATTICE * LATTICE);
				if (distance2 >= 1) continue;
				const ossai_vec3 position = ossai_add(at, ossai_v3(step * i, step * j, step * k));
				const double own = ossai_clearance_beyond(clearance, position, LEAST_CLEARANCE * radius, NULL, NULL) / radius -
					LEAST_CLEARANCE;
				if (!(own > 0) || !ossai_clearance_inside(clearance, position)) continue;
				sum = ossai_madd(sum, own * (1 - distance2), position);
				weights += own * (1 - distance2);
			}
		}
	}
	if (!(weights > 0)) return false;
	*mean = ossai_scale(sum, 1 / weights);
	return true;
}

/* the position to which a junction with this ball converges; the ball itself where that leaves
   the shape */
static ossai_ball centered(const ossai_clearance *clearance, ossai_ball ball)
{
	ossai_vec3 at = ball.center;
	double moved = INFINITY;
	for (int i = 0; ball.radius > 0 && i < MOST_ROUNDS && moved >= CONVERGED * ball.radius; i++) {
		ossai_vec3 mean;
		if (!shift(clearance, ball.radius, at, &mean)) return ball;
		moved = ossai_distance(mean, at);
		at = mean;
		const double share = ossai_distance(at, ball.center) / (BODY * ball.radius);
		if (!(share > 1)) continue;
		at = ossai_lerp(ball.center, at, 1 / share);
		break;
	}
	const double radius = ossai_clearance_nearest(clearance, at, NULL, NULL);
	return radius > LEAST_CLEARANCE * ball.radius && ossai_clearance_inside(clearance, at) ? (ossai_ball){at, radius} : ball;
}

/* Puts the nodes of a chain that leaves a junction onto the segment from there to the last of
   them that is not yet well out of its ball, or to the last before it to which the segment stays
   inside. Parts of a chain that return from further out, as of a curled arm, are left. `moved`:
   the junction's displacement. */
static void straighten(const ossai_curve_chains *chains, const ossai_curve_chain *chain, uint32_t junction, double moved,
	const ossai_clearance *clearance, ossai_curve *curve)
{
	const ossai_ball ball = curve->ball[junction];
	const double reach = BODY * ball.radius, most = 2 * reach + moved;
	uint32_t end = 1;
	double arc = 0;
	for (uint32_t i = 1; i < chain->count && arc <= most; i++) {
		const uint32_t node = ossai_curve_chain_from(chains, chain, junction, i);
		if (i + 1 == chain->count) break;
		if (ossai_distance(curve->node[node], ball.center) < reach) end = i + 1;
		arc += ossai_distance(curve->node[node], curve->node[ossai_curve_chain_from(chains, chain, junction, i + 1)]);
	}
	while (end > 1 &&
		!ossai_clearance_clear(clearance, ball.center, curve->node[ossai_curve_chain_from(chains, chain, junction, end)]))
		end--;
	const uint32_t last = ossai_curve_chain_from(chains, chain, junction, end);
	for (uint32_t i = 1; i < end; i++) {
		const uint32_t node = ossai_curve_chain_from(chains, chain, junction, i);
		const double t = (double)i / end;
		curve->node[node] = ossai_lerp(ball.center, curve->node[last], t);
		curve->radius[node] = ball.radius + t * (curve->radius[last] - ball.radius);
	}
}

/* ---- junctions of one body ---- */

/* Junctions while they are merged. */
typedef struct merging {
	const ossai_curve *curve;
	const ossai_curve_chains *chains;
	uint8_t *is_body;       /* C: those that others are merged into */
	uint32_t *stack, *into; /* C: scratch; what each node becomes part of */
} merging;

/* the distance of two nodes, in the sum of the radii of their balls */
static double gap(const ossai_curve *curve, uint32_t a, uint32_t b)
{
	return ossai_distance(curve->node[a], curve->node[b]) / (curve->ball[a].radius + curve->ball[b].radius);
}

/* merges the nodes of a chain, except the stop that it begins from, into a body */
static void take_chain(const merging *m, const ossai_curve_chain *chain, uint32_t stop, uint32_t body)
{
	for (uint32_t i = 1; i < chain->count; i++) m->into[ossai_curve_chain_from(m->chains, chain, stop, i)] = body;
}

/* merges all junctions that are in one body with this one, directly or through others */
static void take_body(const merging *m, uint32_t body)
{
	size_t count = 0;
	m->stack[count++] = body;
	while (count > 0) {
		const uint32_t at = m->stack[--count];
		for (uint32_t k = m->chains->start[at]; k < m->chains->start[at + 1]; k++) {
			const ossai_curve_chain *chain = &m->chains->chain[m->chains->over[k]];
			const uint32_t other = ossai_curve_chain_other(chain, at);
			if (!ossai_curve_is_junction(m->chains, other) || m->into[other] != other || other == body) continue;
			if (m->is_body[other] || gap(m->curve, at, other) > SAME_BODY || gap(m->curve, body, other) > LARGEST_BODY)
				continue;
			take_chain(m, chain, at, body);
			m->stack[count++] = other;
		}
	}
}

/* Each body begins at the mean of the balls of its junctions, weighted by their volumes, where that
   is well inside: in a palm, which of several balls of nearly the same size is the largest would
   be decided by noise. A junction of n chains counts as the n - 2 junctions of three that it may
   be in another mesh. */
static ossa_status average_balls(ossai_arena *scratch, const merging *m, const ossai_clearance *clearance, ossai_curve *curve)
{
	const size_t count = curve->node_count;
	ossai_vec3 *sum = ossai_arena_zero(scratch, count, sizeof *sum);
	double *weight = ossai_arena_zero(scratch, count, sizeof *weight);
	if (!sum || !weight) return ossa_context_error(scratch->context)->status;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t body = m->into[i];
		if (!m->is_body[body] || !ossai_curve_is_junction(m->chains, i)) continue;
		const double share = curve->ball[i].radius / curve->ball[body].radius;
		const double own = (double)(m->chains->start[i + 1] - m->chains->start[i] - 2) * pow(share, 3);
		sum[body] = ossai_madd(sum[body], own, curve->ball[i].center);
		weight[body] += own;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!(weight[i] > 0)) continue;
		const ossai_vec3 mean = ossai_scale(sum[i], 1 / weight[i]);
		const double radius = ossai_clearance_nearest(clearance, mean, NULL, NULL);
		if (radius > LEAST_CLEARANCE * curve->ball[i].radius && ossai_clearance_inside(clearance, mean))
			curve->ball[i] = (ossai_ball){mean, fmin(radius, curve->ball[i].radius)};
	}
	return OSSA_OK;
}

static ossa_status merge(ossai_arena *arena, ossai_arena *scratch, const ossai_clearance *clearance, ossai_curve *curve)
{
	const size_t count = curve->node_count;
	ossai_curve_chains chains;
	OSSAI_TRY(ossai_curve_chains_make(scratch, curve, OSSA_NONE, &chains));
	const merging m = {curve, &chains, ossai_arena_zero(scratch, count, 1), ossai_arena_new(scratch, count, sizeof *m.stack),
		ossai_arena_new(scratch, count, sizeof *m.into)};
	ossai_heap_entry *order = ossai_arena_new(scratch, count, sizeof *order);
	if (!m.is_body || !m.stack || !m.into || !order) return ossa_context_error(scratch->context)->status;
	size_t junctions = 0;
	for (uint32_t i = 0; i < count; i++) {
		m.into[i] = i;
		if (ossai_curve_is_junction(&chains, i)) order[junctions++] = (ossai_heap_entry){curve->ball[i].radius, i};
	}
	/* larger balls first, each merges smaller ones */
	qsort(order, junctions, sizeof *order, ossai_heap_compare_falling);
	for (size_t i = 0; i < junctions; i++) {
		if (m.into[order[i].item] != order[i].item) continue;
		m.is_body[order[i].item] = 1;
		take_body(&m, order[i].item);
	}
	OSSAI_TRY(average_balls(scratch, &m, clearance, curve));
	return ossai_curve_merge(arena, m.into, curve);
}

/* ---- centering ---- */

/* moves each junction to the center of its body, and straightens the chains from there */
static ossa_status center(ossai_arena *scratch, const ossai_clearance *clearance, ossai_curve *curve)
{
	ossai_curve_chains chains;
	OSSAI_TRY(ossai_curve_chains_make(scratch, curve, OSSA_NONE, &chains));
	double *moved = ossai_arena_new(scratch, curve->node_count, sizeof *moved);
	if (!moved) return ossa_context_error(scratch->context)->status;
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (!ossai_curve_is_junction(&chains, i)) continue;
		curve->ball[i] = centered(clearance, curve->ball[i]);
		moved[i] = ossai_distance(curve->node[i], curve->ball[i].center);
		curve->node[i] = curve->ball[i].center;
		curve->radius[i] = curve->ball[i].radius;
	}
	for (uint32_t i = 0; i < curve->node_count; i++) {
		if (!ossai_curve_is_junction(&chains, i)) continue;
		for (uint32_t k = chains.start[i]; k < chains.start[i + 1]; k++)
			straighten(&chains, &chains.chain[chains.over[k]], i, moved[i], clearance, curve);
	}
	return OSSA_OK;
}

ossa_status ossai_curve_center_junctions(ossai_arena *arena, const ossai_clearance *clearance, ossai_curve *curve)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = merge(arena, &scratch, clearance, curve);
	if (status == OSSA_OK) status = center(&scratch, clearance, curve);
	ossai_arena_end(&scratch);
	return status;
}
