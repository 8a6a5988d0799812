/* proxy/shell_grid.c: bricks where faces are, distances to the faces, and the grid edges that they
   cut: see shell_grid.h.

   Sources: T. Akenine-Moeller, Fast 3D Triangle-Box Overlap Testing, 2001 (which bricks a face
   meets). Distances are exact at the corners of cells that a face passes; farther away they are the
   least over the nearest faces of the neighbours, as in R. Bridson, Fluid Simulation for Computer
   Graphics, 2008. */
#include "proxy/shell_grid.h"

#include <ossa/mesh.h>
#include <string.h>

enum { SPREAD_STEPS = 1 };
/* more than the distance of any corner of a cell from a face that passes it */
static const double NEAR = 1.75;

/* without the library functions' treatment of NaN, which makes them calls */
static inline double lesser(double a, double b) { return a < b ? a : b; }
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline int floor_of(double x)
{
	const int i = (int)x;
	return i > x ? i - 1 : i;
}
static inline int ceil_of(double x)
{
	const int i = (int)x;
	return i < x ? i + 1 : i;
}

/* ---- faces to bricks ---- */

typedef struct box_range {
	uint32_t low[3], high[3]; /* bricks, both ends included */
} box_range;

static void face_corners(const ossai_shell_grid *grid, uint32_t face, ossai_vec3 *corner)
{
	for (int k = 0; k < 3; k++)
		corner[k] = ossai_v3_of(grid->points + 3 * (size_t)grid->surface->triangles[3 * (size_t)face + k]);
}

/* whether an axis separates the triangle from the box; corners are relative to the box's center */
static bool is_apart(ossai_vec3 axis, const ossai_vec3 *corner, ossai_vec3 half)
{
	const double a = ossai_dot(axis, corner[0]), b = ossai_dot(axis, corner[1]), c = ossai_dot(axis, corner[2]);
	const double reach = half.x * fabs(axis.x) + half.y * fabs(axis.y) + half.z * fabs(axis.z);
	return (a > reach && b > reach && c > reach) || (a < -reach && b < -reach && c < -reach);
}

/* a brick needs the faces that pass the cells around its points */
static bool face_meets(const ossai_vec3 *face, const box_range *range)
{
	const ossai_vec3 low = ossai_v3(range->low[0] * 8.0 - 1, range->low[1] * 8.0 - 1, range->low[2] * 8.0 - 1);
	const ossai_vec3 high = ossai_v3(range->high[0] * 8.0 + 8, range->high[1] * 8.0 + 8, range->high[2] * 8.0 + 8);
	const ossai_vec3 half = ossai_scale(ossai_sub(high, low), 0.5), middle = ossai_lerp(low, high, 0.5);
	const ossai_vec3 corner[3] = {ossai_sub(face[0], middle), ossai_sub(face[1], middle), ossai_sub(face[2], middle)};
	if (is_apart(ossai_v3(1, 0, 0), corner, half) || is_apart(ossai_v3(0, 1, 0), corner, half) ||
		is_apart(ossai_v3(0, 0, 1), corner, half)) {
		return false;
	}
	const ossai_vec3 edge[3] = {ossai_sub(face[1], face[0]), ossai_sub(face[2], face[1]), ossai_sub(face[0], face[2])};
	if (is_apart(ossai_cross(edge[0], edge[1]), corner, half)) return false;
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 e = edge[k];
		if (is_apart(ossai_v3(0, -e.z, e.y), corner, half) || is_apart(ossai_v3(e.z, 0, -e.x), corner, half) ||
			is_apart(ossai_v3(-e.y, e.x, 0), corner, half)) {
			return false;
		}
	}
	return true;
}

/* the bricks whose boxes overlap the face's bounding box */
static box_range face_range(const ossai_vec3 *corner)
{
	const ossai_vec3 *c = corner;
	const double low[3] = {
		lesser(c[0].x, lesser(c[1].x, c[2].x)), lesser(c[0].y, lesser(c[1].y, c[2].y)), lesser(c[0].z, lesser(c[1].z, c[2].z))};
	const double high[3] = {
		larger(c[0].x, larger(c[1].x, c[2].x)), larger(c[0].y, larger(c[1].y, c[2].y)), larger(c[0].z, larger(c[1].z, c[2].z))};
	box_range range;
	for (int k = 0; k < 3; k++) {
		range.low[k] = (uint32_t)floor_of(low[k]) / OSSAI_BRICK;
		range.high[k] = (uint32_t)ceil_of(high[k]) / OSSAI_BRICK;
	}
	return range;
}

/* counts a face for a brick, or appends it to the brick's list */
static ossa_status note_face(ossai_shell_grid *grid, const uint32_t *at, uint32_t face)
{
	const size_t cell = ossai_shell_cell(grid, at);
	if (grid->faces) {
		ossai_brick *brick = grid->bricks[grid->brick_of[cell]];
		grid->faces[brick->first_face + brick->face_count++] = face;
		return OSSA_OK;
	}
	if (grid->brick_of[cell] == OSSA_NONE) OSSAI_TRY(ossai_shell_grid_add(grid, at));
	grid->bricks[grid->brick_of[cell]]->face_count++;
	return OSSA_OK;
}

/* halves a range of bricks as long as the face meets both halves */
static ossa_status note_large_face(ossai_shell_grid *grid, const ossai_vec3 *corner, box_range range, uint32_t face)
{
	box_range todo[64];
	size_t depth = 0;
	todo[depth++] = range;
	while (depth > 0) {
		box_range r = todo[--depth];
		if (!face_meets(corner, &r)) continue;
		int axis = 0;
		for (int k = 1; k < 3; k++) {
			if (r.high[k] - r.low[k] > r.high[axis] - r.low[axis]) axis = k;
		}
		if (r.high[axis] == r.low[axis]) {
			OSSAI_TRY(note_face(grid, r.low, face));
			continue;
		}
		const uint32_t middle = r.low[axis] + (r.high[axis] - r.low[axis]) / 2;
		todo[depth] = r;
		todo[depth++].low[axis] = middle + 1;
		todo[depth] = r;
		todo[depth++].high[axis] = middle;
	}
	return OSSA_OK;
}

static ossa_status note_faces(ossai_shell_grid *grid)
{
	for (uint32_t face = 0; face < grid->surface->face_count; face++) {
		ossai_vec3 corner[3];
		face_corners(grid, face, corner);
		const box_range range = face_range(corner);
		const bool is_small = range.low[0] == range.high[0] && range.low[1] == range.high[1] && range.low[2] == range.high[2];
		if (is_small) OSSAI_TRY(note_face(grid, range.low, face));
		else OSSAI_TRY(note_large_face(grid, corner, range, face));
	}
	return OSSA_OK;
}

/* the bricks' lists of faces, in the order of the faces */
static ossa_status list_faces(ossai_shell_grid *grid)
{
	OSSAI_TRY(note_faces(grid));
	size_t total = 0;
	for (size_t b = 0; b < grid->brick_count; b++) {
		if (total + grid->bricks[b]->face_count >= OSSA_NONE) {
			return ossai_fail(grid->context, OSSA_ERROR_LIMIT, NULL, "the surface is too large for a shell of this size");
		}
		grid->bricks[b]->first_face = (uint32_t)total;
		total += grid->bricks[b]->face_count;
		grid->bricks[b]->face_count = 0;
	}
	grid->faces = ossai_arena_new(grid->arena, total, sizeof *grid->faces);
	if (!grid->faces) return ossa_context_error(grid->context)->status;
	return note_faces(grid);
}

ossa_status ossai_shell_grid_add(ossai_shell_grid *grid, const uint32_t *at)
{
	if (grid->brick_count == grid->brick_capacity) {
		/* arrays of an arena do not grow: a larger one replaces it, and all the old ones together
		   are as large as the new one */
		const size_t capacity = grid->brick_capacity ? 2 * grid->brick_capacity : 256;
		ossai_brick **bricks = ossai_arena_new(grid->arena, capacity, sizeof *bricks);
		if (!bricks) return ossa_context_error(grid->context)->status;
		if (grid->brick_count) memcpy(bricks, grid->bricks, grid->brick_count * sizeof *bricks);
		grid->bricks = bricks;
		grid->brick_capacity = capacity;
	}
	ossai_brick *brick = ossai_arena_new(grid->arena, 1, sizeof *brick);
	if (!brick) return ossa_context_error(grid->context)->status;
	memcpy(brick->at, at, sizeof brick->at);
	brick->first_face = brick->face_count = brick->part_count = brick->near_count = brick->thin_count = 0;
	memset(brick->nearest, 0xff, sizeof brick->nearest);
	memset(brick->flags, 0, sizeof brick->flags);
	memset(brick->part, 0, sizeof brick->part);
	for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
		brick->distance[i] = brick->field[i] = INFINITY;
		brick->winding[i] = 0;
	}
	grid->brick_of[ossai_shell_cell(grid, at)] = (uint32_t)grid->brick_count;
	grid->bricks[grid->brick_count++] = brick;
	return OSSA_OK;
}

/* ---- distances ---- */

/* squared distance from the origin to the segment a b */
static double segment_distance2(ossai_vec3 a, ossai_vec3 b)
{
	return ossai_length2(ossai_nearest_on_segment(a, b, ossai_v3(0, 0, 0)));
}

static double face_distance2(const ossai_vec3 *corner, ossai_vec3 normal, double normal2, ossai_vec3 point)
{
	const ossai_vec3 a = ossai_sub(corner[0], point), b = ossai_sub(corner[1], point), c = ossai_sub(corner[2], point);
	const bool in_ab = ossai_dot(ossai_cross(a, b), normal) >= 0, in_bc = ossai_dot(ossai_cross(b, c), normal) >= 0;
	const bool in_ca = ossai_dot(ossai_cross(c, a), normal) >= 0;
	if (normal2 > 0 && in_ab && in_bc && in_ca) {
		const double along = ossai_dot(a, normal);
		return along * along / normal2;
	}
	/* the nearest edge is one that the point is outside of */
	double best = INFINITY;
	if (!in_ab || !(normal2 > 0)) best = segment_distance2(a, b);
	if (!in_bc || !(normal2 > 0)) best = lesser(best, segment_distance2(b, c));
	if (!in_ca || !(normal2 > 0)) best = lesser(best, segment_distance2(c, a));
	return best;
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
	face_corners(grid, face, box.corner);
	const ossai_vec3 from = ossai_v3(8.0 * brick->at[0], 8.0 * brick->at[1], 8.0 * brick->at[2]);
	for (int k = 0; k < 3; k++) box.corner[k] = ossai_sub(box.corner[k], from);
	const ossai_vec3 *c = box.corner;
	const double x[3][3] = {{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}};
	for (int k = 0; k < 3; k++) {
		box.low[k] = lesser(x[k][0], lesser(x[k][1], x[k][2]));
		box.high[k] = larger(x[k][0], larger(x[k][1], x[k][2]));
		box.first[k] = box.low[k] > 0 ? floor_of(lesser(box.low[k], OSSAI_BRICK)) : 0;
		box.last[k] = box.high[k] < OSSAI_BRICK - 1 ? ceil_of(larger(box.high[k], -1)) : OSSAI_BRICK - 1;
	}
	return box;
}

static void measure_face(ossai_brick *brick, const face_box *box, uint32_t face)
{
	const ossai_vec3 *c = box->corner;
	const ossai_vec3 normal = ossai_cross(ossai_sub(c[1], c[0]), ossai_sub(c[2], c[0]));
	const ossai_vec3 middle = ossai_scale(ossai_add(c[0], ossai_add(c[1], c[2])), 1.0 / 3);
	const double normal2 = ossai_length2(normal), length = sqrt(normal2), plane = ossai_dot(c[0], normal);
	const double radius = sqrt(larger(ossai_length2(ossai_sub(c[0], middle)),
		larger(ossai_length2(ossai_sub(c[1], middle)), ossai_length2(ossai_sub(c[2], middle)))));
	for (int z = box->first[2]; z <= box->last[2]; z++) {
		for (int y = box->first[1]; y <= box->last[1]; y++) {
			for (int x = box->first[0]; x <= box->last[0]; x++) {
				/* skips faces that cannot be nearer than the best so far: by the face's plane, and
				   by its bounding sphere */
				const ossai_vec3 p = ossai_v3(x, y, z);
				const int point = x + 8 * y + 64 * z;
				const double best = lesser(NEAR, brick->distance[point]) * (1 + 1e-6), reach = best + radius;
				if (fabs(ossai_dot(p, normal) - plane) > best * length) continue;
				if (ossai_length2(ossai_sub(p, middle)) > reach * reach) continue;
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
	const int u_first = floor_of(larger(0, ceil_of(lesser(box->low[u_axis] - 1e-9, 8)))),
			  u_last = floor_of(lesser(box->high[u_axis] + 1e-9, 7));
	const int v_first = floor_of(larger(0, ceil_of(lesser(box->low[v_axis] - 1e-9, 8)))),
			  v_last = floor_of(lesser(box->high[v_axis] + 1e-9, 7));
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
			const double below = floor_of(w) - w_from;
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
		if (ceil_of(box->low[u] - 1e-9) > box->high[u] + 1e-9 || ceil_of(box->low[v] - 1e-9) > box->high[v] + 1e-9) continue;
		seen_corner c[3];
		for (int k = 0; k < 3; k++) {
			const uint32_t point = grid->surface->triangles[3 * (size_t)face + k];
			const double *p = grid->points + 3 * (size_t)point;
			c[k] = (seen_corner){p[u], p[v], p[axis], point};
		}
		cut_along(brick, box, c, axis);
	}
}

static void measure_range(void *arg, size_t begin, size_t end)
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

/* ---- distances farther away ---- */

/* adds neighbours of bricks whose border points are near the surface */
static ossa_status add_neighbors(ossai_shell_grid *grid)
{
	const size_t count = grid->brick_count;
	for (size_t b = 0; b < count; b++) {
		uint32_t wanted = 0; /* bits by 1 + dx + 3 (1 + dy) + 9 (1 + dz) */
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
			if (!(grid->bricks[b]->distance[i] < NEAR)) continue;
			const int at[3] = {i % 8, i / 8 % 8, i / 64};
			int side[3];
			for (int k = 0; k < 3; k++) side[k] = at[k] < SPREAD_STEPS ? -1 : at[k] >= OSSAI_BRICK - SPREAD_STEPS ? 1 : 0;
			for (int m = 1; m < 8; m++) {
				const int dx = m & 1 ? side[0] : 0, dy = m & 2 ? side[1] : 0, dz = m & 4 ? side[2] : 0;
				wanted |= 1u << (13 + dx + 3 * dy + 9 * dz);
			}
		}
		for (int m = 0; m < 27; m++) {
			if (m == 13 || !(wanted >> m & 1)) continue;
			const uint32_t *from = grid->bricks[b]->at;
			const uint32_t at[3] = {
				from[0] + (uint32_t)(m % 3) - 1, from[1] + (uint32_t)(m / 3 % 3) - 1, from[2] + (uint32_t)(m / 9) - 1};
			if (grid->brick_of[ossai_shell_cell(grid, at)] == OSSA_NONE) OSSAI_TRY(ossai_shell_grid_add(grid, at));
		}
	}
	return OSSA_OK;
}

/* the nearest faces of a brick's points and of the neighbouring points, as found so far */
typedef struct spread_job {
	const ossai_shell_grid *grid;
	uint32_t *before; /* B x BRICK_POINTS */
} spread_job;

static void copy_range(void *arg, size_t begin, size_t end)
{
	const spread_job *job = arg;
	for (size_t b = begin; b < end; b++) {
		memcpy(job->before + b * OSSAI_BRICK_POINTS, job->grid->bricks[b]->nearest, sizeof job->grid->bricks[b]->nearest);
	}
}

static void try_face(const ossai_shell_grid *grid, ossai_brick *brick, int point, uint32_t face)
{
	ossai_vec3 corner[3];
	face_corners(grid, face, corner);
	const ossai_vec3 p = ossai_v3(
		8.0 * brick->at[0] + point % 8, 8.0 * brick->at[1] + point / 8 % 8, 8.0 * brick->at[2] + point / 64);
	const ossai_vec3 normal = ossai_cross(ossai_sub(corner[1], corner[0]), ossai_sub(corner[2], corner[0]));
	offer(brick, point, face, face_distance2(corner, normal, ossai_length2(normal), p));
}

static void spread_range(void *arg, size_t begin, size_t end)
{
	const spread_job *job = arg;
	const ossai_shell_grid *grid = job->grid;
	static const int STRIDE[3] = {1, OSSAI_BRICK, OSSAI_BRICK * OSSAI_BRICK};
	for (size_t b = begin; b < end; b++) {
		ossai_brick *brick = grid->bricks[b];
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
			/* distances below a step are exact: the face passes one of the cells around the
			   point */
			if (brick->distance[i] < 1) continue;
			const int at[3] = {i % 8, i / 8 % 8, i / 64};
			for (int side = 0; side < 6; side++) {
				const int k = side / 2, step = side % 2 ? 1 : -1, to = at[k] + step;
				const bool is_own = to >= 0 && to < OSSAI_BRICK;
				const ossai_brick *other = is_own
					? brick
					: ossai_shell_neighbor(grid, brick, k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0);
				if (!other) continue;
				const size_t index = is_own ? b : grid->brick_of[ossai_shell_cell(grid, other->at)];
				const int point = is_own ? i + step * STRIDE[k] : i - step * (OSSAI_BRICK - 1) * STRIDE[k];
				const uint32_t face = job->before[index * OSSAI_BRICK_POINTS + (size_t)point];
				if (face != OSSA_NONE && face != brick->nearest[i]) try_face(grid, brick, i, face);
			}
		}
	}
}

static ossa_status spread_distances(ossai_shell_grid *grid)
{
	OSSAI_TRY(add_neighbors(grid));
	spread_job job = {.grid = grid};
	ossai_arena scratch = ossai_arena_begin(grid->context);
	job.before = ossai_arena_new(&scratch, grid->brick_count, OSSAI_BRICK_POINTS * sizeof *job.before);
	if (job.before) {
		ossai_parallel_for(grid->context, grid->brick_count, 64, copy_range, &job);
		ossai_parallel_for(grid->context, grid->brick_count, 8, spread_range, &job);
	}
	ossai_arena_end(&scratch);
	return job.before ? OSSA_OK : ossa_context_error(grid->context)->status;
}

ossai_surroundings ossai_shell_look_around(const ossai_shell_grid *grid, const ossai_brick *brick)
{
	ossai_surroundings s;
	for (int m = 0; m < 27; m++) {
		const int move[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
		uint32_t at[3];
		bool is_in_grid = true;
		for (int k = 0; k < 3; k++) {
			at[k] = brick->at[k] + (uint32_t)move[k];
			is_in_grid = is_in_grid && at[k] < grid->size[k];
		}
		s.brick[m] = is_in_grid ? ossai_shell_neighbor(grid, brick, move[0], move[1], move[2]) : NULL;
		s.is_inside[m] = is_in_grid && grid->outer_sides[ossai_shell_cell(grid, at)] == 2;
	}
	return s;
}

/* ---- the whole ---- */

/* a layer of bricks around the surface's bounding box stays outside */
static ossa_status lay_grid(ossai_shell_grid *grid)
{
	const ossai_oriented *surface = grid->surface;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * surface->point_count; i++) {
		if (surface->points[i] < low[i % 3]) low[i % 3] = surface->points[i];
		if (surface->points[i] > high[i % 3]) high[i % 3] = surface->points[i];
	}
	/* not integers: axis-aligned faces should not contain grid points */
	const double before[3] = {OSSAI_BRICK + 4.377, OSSAI_BRICK + 4.413, OSSAI_BRICK + 4.391};
	for (int k = 0; k < 3; k++) grid->size[k] = (uint32_t)((before[k] + (high[k] - low[k]) / grid->step + 4) / OSSAI_BRICK) + 2;
	grid->origin = ossai_v3(low[0] - before[0] * grid->step, low[1] - before[1] * grid->step, low[2] - before[2] * grid->step);
	const size_t cells = (size_t)grid->size[0] * grid->size[1] * grid->size[2];
	grid->points = ossai_arena_new(grid->arena, surface->point_count, 3 * sizeof *grid->points);
	grid->brick_of = grid->points ? ossai_arena_new(grid->arena, cells, sizeof *grid->brick_of) : NULL;
	grid->outer_sides = grid->brick_of ? ossai_arena_zero(grid->arena, cells, 1) : NULL;
	if (!grid->outer_sides) return ossa_context_error(grid->context)->status;
	memset(grid->brick_of, 0xff, cells * sizeof *grid->brick_of);
	for (size_t i = 0; i < surface->point_count; i++) {
		const ossai_vec3 p = ossai_sub(ossai_v3_of(surface->points + 3 * i), grid->origin);
		ossai_v3_store(ossai_scale(p, 1 / grid->step), grid->points + 3 * i);
	}
	return OSSA_OK;
}

ossa_status ossai_shell_grid_make(ossai_arena *arena, const ossai_oriented *surface, double step, ossai_shell_grid *grid)
{
	*grid = (ossai_shell_grid){.context = arena->context, .arena = arena, .surface = surface, .step = step};
	OSSAI_TRY(lay_grid(grid));
	OSSAI_TRY(list_faces(grid));
	ossai_parallel_for(grid->context, grid->brick_count, 4, measure_range, grid);
	return spread_distances(grid);
}
