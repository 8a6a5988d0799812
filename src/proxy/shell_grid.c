/* proxy/shell_grid.c: bricks where faces are, distances to the faces, and the grid edges that they
   cut: see shell_grid.h.

   Sources: T. Akenine-Moeller, Fast 3D Triangle-Box Overlap Testing, 2001 (which bricks a face
   meets). Distances are exact at the corners of cells that a face passes; farther away they are the
   least over the nearest faces of the neighbours, as in R. Bridson, Fluid Simulation for Computer
   Graphics, 2008. */
#include "proxy/shell_grid.h"

#include "proxy/shell_measure.h"

#include <ossa/mesh.h>
#include <string.h>

enum { SPREAD_STEPS = 1 };

/* ---- faces to bricks ---- */

typedef struct box_range {
	uint32_t low[3], high[3]; /* bricks, both ends included */
} box_range;

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
	const ossai_vec3 half = ossai_scale(ossai_sub(high, low), 0.5), center = ossai_lerp(low, high, 0.5);
	const ossai_vec3 corner[3] = {ossai_sub(face[0], center), ossai_sub(face[1], center), ossai_sub(face[2], center)};
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
	const double low[3] = {ossai_lesser(c[0].x, ossai_lesser(c[1].x, c[2].x)),
		ossai_lesser(c[0].y, ossai_lesser(c[1].y, c[2].y)), ossai_lesser(c[0].z, ossai_lesser(c[1].z, c[2].z))};
	const double high[3] = {ossai_larger(c[0].x, ossai_larger(c[1].x, c[2].x)),
		ossai_larger(c[0].y, ossai_larger(c[1].y, c[2].y)), ossai_larger(c[0].z, ossai_larger(c[1].z, c[2].z))};
	box_range range;
	for (int k = 0; k < 3; k++) {
		range.low[k] = (uint32_t)ossai_floor_of(low[k]) / OSSAI_BRICK;
		range.high[k] = (uint32_t)ossai_ceil_of(high[k]) / OSSAI_BRICK;
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
		const uint32_t center = r.low[axis] + (r.high[axis] - r.low[axis]) / 2;
		todo[depth] = r;
		todo[depth++].low[axis] = center + 1;
		todo[depth] = r;
		todo[depth++].high[axis] = center;
	}
	return OSSA_OK;
}

static ossa_status note_faces(ossai_shell_grid *grid)
{
	for (uint32_t face = 0; face < grid->surface->face_count; face++) {
		ossai_vec3 corner[3];
		ossai_shell_face_corners(grid, face, corner);
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

/* ---- distances farther away ---- */

/* adds neighbours of bricks whose border points are near the surface */
static ossa_status add_neighbors(ossai_shell_grid *grid)
{
	const size_t count = grid->brick_count;
	for (size_t b = 0; b < count; b++) {
		uint32_t wanted = 0; /* bits by 1 + dx + 3 (1 + dy) + 9 (1 + dz) */
		for (int i = 0; i < OSSAI_BRICK_POINTS; i++) {
			if (!(grid->bricks[b]->distance[i] < OSSAI_SHELL_NEAR)) continue;
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
				if (face != OSSA_NONE && face != brick->nearest[i]) ossai_shell_offer_face(grid, brick, i, face);
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
	ossai_parallel_for(grid->context, grid->brick_count, 4, ossai_shell_measure, grid);
	return spread_distances(grid);
}
