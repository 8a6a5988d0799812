/* query/walk.c: see walk.h. */
#include "query/walk.h"

/* Faces of a fan that a walk tests on either side: a bound for apexes of very many faces. */
enum { FAN_MOST = 64 };

/* A point in a face; `edge`: the corner whose edge it is on, `corner`: the corner it is at; -1:
   neither. */
typedef struct foot {
	ossai_spot spot;
	int edge, corner;
} foot;

static foot foot_on_edge(const ossai_vec3 *corner, int k, ossai_vec3 point)
{
	const ossai_vec3 a = corner[k], ab = ossai_sub(corner[(k + 1) % 3], a);
	const double length2 = ossai_length2(ab), along = ossai_dot(ossai_sub(point, a), ab);
	foot f = {.edge = -1, .corner = -1};
	if (!(along > 0)) f.corner = k;
	else if (along >= length2) f.corner = (k + 1) % 3;
	else f.edge = k;
	f.spot.point = f.corner < 0 ? ossai_madd(a, along / length2, ab) : corner[f.corner];
	f.spot.distance2 = ossai_length2(ossai_sub(point, f.spot.point));
	return f;
}

static foot foot_in_face(const ossai_half_edges *m, uint32_t face, ossai_vec3 point)
{
	ossai_vec3 corner[3];
	for (int k = 0; k < 3; k++) corner[k] = ossai_edge_point(m, m->vertex[3 * face + (uint32_t)k]);
	const ossai_vec3 normal = ossai_cross(ossai_sub(corner[1], corner[0]), ossai_sub(corner[2], corner[0]));
	const double normal2 = ossai_length2(normal);
	/* the sides of the edges on which the point lies */
	bool inside = normal2 > 0;
	foot best = {.spot.distance2 = INFINITY, .edge = -1, .corner = -1};
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 edge = ossai_sub(corner[(k + 1) % 3], corner[k]);
		if (normal2 > 0 && ossai_dot(ossai_cross(edge, ossai_sub(point, corner[k])), normal) >= 0) continue;
		const foot f = foot_on_edge(corner, k, point);
		if (f.spot.distance2 < best.spot.distance2) best = f;
		inside = false;
	}
	if (inside) {
		const double height = ossai_dot(ossai_sub(point, corner[0]), normal) / normal2;
		best.spot.point = ossai_madd(point, -height, normal);
		best.spot.distance2 = height * height * normal2;
	}
	best.spot.face = face;
	return best;
}

/* the nearest point in the faces around corner `k` of a face, or `from` */
static foot best_in_fan(const ossai_half_edges *m, uint32_t face, int k, foot from, ossai_vec3 point)
{
	const uint32_t first = 3 * face + (uint32_t)k;
	foot best = from;
	uint32_t h = ossai_edge_turn(m, first);
	for (int i = 0; i < FAN_MOST && h != OSSA_NONE && h != first; i++, h = ossai_edge_turn(m, h)) {
		const foot f = foot_in_face(m, h / 3, point);
		if (f.spot.distance2 < best.spot.distance2) best = f;
	}
	/* the whole fan was tested, or it is open and has another end */
	if (h == first) return best;
	h = m->twin[first];
	for (int i = 0; i < FAN_MOST && h != OSSA_NONE; i++) {
		h = ossai_edge_next(h);
		if (h == first) break;
		const foot f = foot_in_face(m, h / 3, point);
		if (f.spot.distance2 < best.spot.distance2) best = f;
		h = m->twin[h];
	}
	return best;
}

static ossai_spot walk(const ossai_half_edges *surface, foot best, ossai_vec3 point)
{
	for (;;) {
		foot next = best;
		if (best.corner >= 0) {
			next = best_in_fan(surface, best.spot.face, best.corner, best, point);
		} else if (best.edge >= 0) {
			const uint32_t t = surface->twin[3 * best.spot.face + (uint32_t)best.edge];
			if (t != OSSA_NONE) next = foot_in_face(surface, t / 3, point);
		}
		/* every step is nearer by more than rounding: the walk ends */
		if (!(next.spot.distance2 < best.spot.distance2 * (1 - 1e-12))) return best.spot;
		best = next;
	}
}

ossai_spot ossai_walk_to(const ossai_half_edges *surface, uint32_t face, ossai_vec3 point)
{
	return walk(surface, foot_in_face(surface, face, point), point);
}

/* the nearest point in the face and in those that share the corner or edge at which `from` lies */
static foot best_beside(const ossai_half_edges *m, uint32_t face, ossai_vec3 from, ossai_vec3 point)
{
	static const double TOUCHES = 1e-6;
	foot best = foot_in_face(m, face, point);
	for (int k = 0; k < 3; k++) {
		const uint32_t h = 3 * face + (uint32_t)k;
		const double reach2 = TOUCHES * TOUCHES * ossai_edge_length2(m, h);
		if (ossai_length2(ossai_sub(from, ossai_edge_point(m, m->vertex[h]))) <= reach2) {
			return best_in_fan(m, face, k, best, point);
		}
	}
	for (int k = 0; k < 3; k++) {
		const uint32_t h = 3 * face + (uint32_t)k;
		const ossai_vec3 corner[3] = {ossai_edge_point(m, m->vertex[h]), ossai_edge_point(m, ossai_edge_end(m, h))};
		const double reach2 = TOUCHES * TOUCHES * ossai_edge_length2(m, h);
		if (m->twin[h] == OSSA_NONE || foot_on_edge(corner, 0, from).spot.distance2 > reach2) continue;
		const foot f = foot_in_face(m, m->twin[h] / 3, point);
		if (f.spot.distance2 < best.spot.distance2) best = f;
	}
	return best;
}

ossai_spot ossai_walk_along(const ossai_half_edges *surface, uint32_t face, ossai_vec3 from, ossai_vec3 to)
{
	static const double STEPS[] = {0.02, 0.2, 0.4, 0.6, 0.8, 1};
	ossai_vec3 point = ossai_lerp(from, to, STEPS[0]);
	ossai_spot spot = walk(surface, best_beside(surface, face, from, point), point);
	for (size_t i = 1; i < sizeof STEPS / sizeof STEPS[0]; i++) {
		spot = ossai_walk_to(surface, spot.face, ossai_lerp(from, to, STEPS[i]));
	}
	return spot;
}
