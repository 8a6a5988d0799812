/* proxy/shell_measure.c: distances from the points of bricks to faces, and the grid edges that
   faces cut: see shell_measure.h.

   Distances are exact at the corners of cells that a face passes. */
#include "proxy/shell_measure.h"

#include "math/triangle.h"

/* ---- distances ---- */

static double face_distance2(const ossai_vec3 *corner, ossai_vec3 normal, double normal2, ossai_vec3 point)
{
	const ossai_vec3 a = ossai_sub(corner[0], point), b = ossai_sub(corner[1], point), c = ossai_sub(corner[2], point);
	return ossai_triangle_distance2(a, b, c, normal, normal2);
}

static void offer(ossai_brick *brick, int point, uint32_t face, double distance2)
{
	const double best = brick->distance[point];
	if (distance2 > best * best) return;
	const float distance = (float)sqrt(distance2);
	if (distance < brick->distance[point] || (distance == brick->distance[point] && face < brick->nearest[point])) {
		brick->distance[point] = distance;
		brick->nearest[point] = face;
	}
}

/* A face in a brick: its corners relative to the brick's first point, and the brick's own points
   around it. */
typedef struct face_box {
	double low[3], high[3];
	ossai_vec3 corner[3];
	int first[3], last[3]; /* of the cells that it passes */
} face_box;

static face_box face_box_of(const ossai_shell_grid *grid, const ossai_brick *brick, uint32_t face)
{
	face_box box;
	ossai_shell_face_corners(grid, face, box.corner);
	const ossai_vec3 from = ossai_v3(8.0 * brick->at[0], 8.0 * brick->at[1], 8.0 * brick->at[2]);
	for (int k = 0; k < 3; k++) box.corner[k] = ossai_sub(box.corner[k], from);
	const ossai_vec3 *c = box.corner;
	const double x[3][3] = {{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}};
	for (int k = 0; k < 3; k++) {
		box.low[k] = ossai_lesser(x[k][0], ossai_lesser(x[k][1], x[k][2]));
		box.high[k] = ossai_larger(x[k][0], ossai_larger(x[k][1], x[k][2]));
		box.first[k] = box.low[k] > 0 ? ossai_floor_of(ossai_lesser(box.low[k], OSSAI_BRICK)) : 0;
		box.last[k] = box.high[k] < OSSAI_BRICK - 1 ? ossai_ceil_of(ossai_larger(box.high[k], -1)) : OSSAI_BRICK - 1;
	}
	return box;
}

static void measure_face(ossai_brick *brick, const face_box *box, uint32_t face)
{
	const ossai_vec3 *c = box->corner;
	const ossai_vec3 normal = ossai_cross(ossai_sub(c[1], c[0]), ossai_sub(c[2], c[0]));
	const ossai_vec3 center = ossai_scale(ossai_add(c[0], ossai_add(c[1], c[2])), 1.0 / 3);
	const double normal2 = ossai_length2(normal), length = sqrt(normal2), plane = ossai_dot(c[0], normal);
	const double radius = sqrt(ossai_larger(ossai_length2(ossai_sub(c[0], center)),
		ossai_larger(ossai_length2(ossai_sub(c[1], center)), ossai_length2(ossai_sub(c[2], center)))));
	for (int z = box->first[2]; z <= box->last[2]; z++) {
		for (int y = box->first[1]; y <= box->last[1]; y++) {
			for (int x = box->first[0]; x <= box->last[0]; x++) {
				/* skips faces that cannot be nearer than the best so far: by the face's plane, and
				   by its bounding sphere */
				const ossai_vec3 p = ossai_v3(x, y, z);
				const int point = x + 8 * y + 64 * z;
				const double best = ossai_lesser(OSSAI_SHELL_NEAR, brick->distance[point]) * (1 + 1e-6), reach = best + radius;
				if (fabs(ossai_dot(p, normal) - plane) > best * length) continue;
				if (ossai_length2(ossai_sub(p, center)) > reach * reach) continue;
				offer(brick, point, face, face_distance2(c, normal, normal2, p));
			}
		}
	}
}

/* ---- cut edges ---- */

/* A triangle projected along an axis: u, v across it, w along it. */
typedef struct seen_corner {
	double u, v, w;
	uint32_t point;
} seen_corner;

/* the side of the edge that a line is on, the same for both faces of the edge; on the edge counts
   as one side */
static bool is_left(const seen_corner *a, const seen_corner *b, double u, double v)
{
	const bool swap = a->point > b->point;
	const seen_corner *p = swap ? b : a, *q = swap ? a : b;
	const bool left = (q->u - p->u) * (v - p->v) - (q->v - p->v) * (u - p->u) >= 0;
	return left != swap;
}

/* Marks the grid edges whose lines pass through the face. `from`: the brick's first point, across
   the axis: the side tests must agree in all bricks, so they use integer coordinates. */
static void cut_along(ossai_brick *brick, const face_box *box, const seen_corner *c, int axis)
{
	const int u_axis = (axis + 1) % 3, v_axis = (axis + 2) % 3;
	static const int STRIDE[3] = {1, OSSAI_BRICK, OSSAI_BRICK * OSSAI_BRICK};
	const double u_from = 8.0 * brick->at[u_axis], v_from = 8.0 * brick->at[v_axis], w_from = 8.0 * brick->at[axis];
	const double area = (c[1].u - c[0].u) * (c[2].v - c[0].v) - (c[1].v - c[0].v) * (c[2].u - c[0].u);
	/* lines through the face's bounding box, widened by the rounding error of its ends */
	const int u_first = ossai_floor_of(ossai_larger(0, ossai_ceil_of(ossai_lesser(box->low[u_axis] - 1e-9, 8)))),
			  u_last = ossai_floor_of(ossai_lesser(box->high[u_axis] + 1e-9, 7));
	const int v_first = ossai_floor_of(ossai_larger(0, ossai_ceil_of(ossai_lesser(box->low[v_axis] - 1e-9, 8)))),
			  v_last = ossai_floor_of(ossai_lesser(box->high[v_axis] + 1e-9, 7));
	if (u_first > u_last) return;
	for (int v = v_first; v <= v_last; v++) {
		for (int u = u_first; u <= u_last; u++) {
			const double x = u_from + u, y = v_from + v;
			const bool left = is_left(&c[0], &c[1], x, y);
			if (left != is_left(&c[1], &c[2], x, y) || left != is_left(&c[2], &c[0], x, y)) continue;
			double w = c[0].w;
			if (fabs(area) > 1e-30) {
				const double b = ((x - c[0].u) * (c[2].v - c[0].v) - (y - c[0].v) * (c[2].u - c[0].u)) / area;
				const double g = ((c[1].u - c[0].u) * (y - c[0].v) - (c[1].v - c[0].v) * (x - c[0].u)) / area;
				w += b * (c[1].w - c[0].w) + g * (c[2].w - c[0].w);
			}
			const double below = ossai_floor_of(w) - w_from;
			if (below < 0 || below >= OSSAI_BRICK) continue;
			brick->flags[u * STRIDE[u_axis] + v * STRIDE[v_axis] + (int)below * STRIDE[axis]] |= (uint8_t)(1 << axis);
		}
	}
}

static void cut_face(const ossai_shell_grid *grid, ossai_brick *brick, const face_box *box, uint32_t face)
{
	for (int axis = 0; axis < 3; axis++) {
		/* most small faces lie between the lines */
		const int u = (axis + 1) % 3, v = (axis + 2) % 3;
		if (ossai_ceil_of(box->low[u] - 1e-9) > box->high[u] + 1e-9 || ossai_ceil_of(box->low[v] - 1e-9) > box->high[v] + 1e-9)
			continue;
		seen_corner c[3];
		for (int k = 0; k < 3; k++) {
			const uint32_t point = grid->surface->triangles[3 * (size_t)face + k];
			const double *p = grid->points + 3 * (size_t)point;
			c[k] = (seen_corner){p[u], p[v], p[axis], point};
		}
		cut_along(brick, box, c, axis);
	}
}

void ossai_shell_measure(void *arg, size_t begin, size_t end)
{
	const ossai_shell_grid *grid = arg;
	for (size_t b = begin; b < end; b++) {
		ossai_brick *brick = grid->bricks[b];
		for (size_t i = 0; i < brick->face_count; i++) {
			const uint32_t face = grid->faces[brick->first_face + i];
			const face_box box = face_box_of(grid, brick, face);
			measure_face(brick, &box, face);
			cut_face(grid, brick, &box, face);
		}
	}
}
void ossai_shell_offer_face(const ossai_shell_grid *grid, ossai_brick *brick, int point, uint32_t face)
{
	ossai_vec3 corner[3];
	ossai_shell_face_corners(grid, face, corner);
	const ossai_vec3 p = ossai_v3(
		8.0 * brick->at[0] + point % 8, 8.0 * brick->at[1] + point / 8 % 8, 8.0 * brick->at[2] + point / 64);
	const ossai_vec3 normal = ossai_cross(ossai_sub(corner[1], corner[0]), ossai_sub(corner[2], corner[0]));
	offer(brick, point, face, face_distance2(corner, normal, ossai_length2(normal), p));
}
