/* report/ground.c: the shadow of the sky, by form factors of the shape's underside.

   Place in the path: pictures.
   Input: the posed surface.
   Output: a grid of darkness.
   The surface is drawn from straight below on a coarse grid; each covered cell is a small level
   patch at its height h. A point of the ground at the distance d beside it loses the share h^2 /
   (pi (h^2 + d^2)^2) x area of an evenly bright sky (both cosines are h / sqrt(h^2 + d^2)). Feet
   therefore darken the ground sharply, a belly broadly and faintly. */
#include "report/ground.h"
#include "report/raster.h"

#include <string.h>

enum {
	CELLS = 96,        /* over the larger side of the shape's print */
	CELLS_A_POINT = 2, /* the shadow itself is smoother */
	POINTS = 112,      /* so the grid reaches two thirds of the print beyond it on each side */
	POINTS_PER_RANGE = 4
};

/* one covered cell */
typedef struct patch {
	float x, y;     /* in steps of the point grid, from its first point */
	float height2;  /* squared height above the ground, in steps */
	float strength; /* height2 x area / pi */
} patch;

typedef struct dark_job {
	const patch *patches;
	size_t patch_count;
	ossai_ground *ground;
} dark_job;

static void dark_rows(void *arg, size_t begin, size_t end)
{
	const dark_job *job = arg;
	for (size_t row = begin; row < end; row++) {
		float sum[POINTS] = {0};
		for (size_t i = 0; i < job->patch_count; i++) {
			const patch p = job->patches[i];
			const float dy = (float)row - p.y, base = dy * dy + p.height2;
			for (int x = 0; x < POINTS; x++) {
				const float dx = (float)x - p.x, r = dx * dx + base;
				sum[x] += p.strength / (r * r);
			}
		}
		float *dark = job->ground->dark + row * POINTS;
		for (int x = 0; x < POINTS; x++) {
			/* nothing is left at the grid's rim, so that it cannot be seen */
			const float u = (float)x / (POINTS - 1), v = (float)row / (POINTS - 1);
			const float rim = 16 * u * (1 - u) * v * (1 - v);
			const float fade = rim < 0.3f ? rim / 0.3f : 1;
			dark[x] = (sum[x] < 1 ? sum[x] : 1) * fade * fade * (3 - 2 * fade);
		}
	}
}

/* the print of the shape on the ground */
static void place_grid(const ossai_solid *solid, ossai_ground *ground)
{
	double low[2] = {0, 0}, high[2] = {0, 0};
	for (size_t i = 0; i < solid->vertex_count; i++) {
		const ossai_vec3 p = ossai_v3_of_float(solid->positions + 3 * i);
		const double at[2] = {ossai_dot(p, ground->side), ossai_dot(p, ground->front)};
		for (int k = 0; k < 2; k++) {
			if (i == 0 || at[k] < low[k]) low[k] = at[k];
			if (i == 0 || at[k] > high[k]) high[k] = at[k];
		}
	}
	const double larger = fmax(fmax(high[0] - low[0], high[1] - low[1]), 0.02);
	ground->step = larger * CELLS_A_POINT / CELLS;
	ground->left = (low[0] + high[0]) / 2 - ground->step * (POINTS - 1) / 2;
	ground->back = (low[1] + high[1]) / 2 - ground->step * (POINTS - 1) / 2;
}

/* the surface from below, one pixel a cell; the cells are those of the whole point grid */
static ossa_status draw_from_below(
	ossa_context *context, ossai_arena *arena, const ossai_solid *solid, const ossai_ground *ground, ossai_raster *cells)
{
	OSSAI_TRY(ossai_raster_make(arena, POINTS * CELLS_A_POINT, POINTS * CELLS_A_POINT, cells));
	ossai_raster_point *points = ossai_arena_new(arena, solid->vertex_count, sizeof *points);
	if (!points) return ossa_context_error(context)->status;
	const double scale = CELLS_A_POINT / ground->step;
	for (size_t i = 0; i < solid->vertex_count; i++) {
		const ossai_vec3 p = ossai_v3_of_float(solid->positions + 3 * i);
		const double x = (ossai_dot(p, ground->side) - ground->left) * scale;
		const double y = (ossai_dot(p, ground->front) - ground->back) * scale;
		const double height = fmax(ossai_dot(p, ground->up) - ground->height, 0);
		/* the lowest is seen; to be linear it may not be a reciprocal */
		points[i] = ossai_raster_point_of(x, y, 1024 - fmin(height, 1000));
	}
	return ossai_raster_draw(context, cells, points, solid->triangle_count, solid->triangles, NULL);
}

static size_t find_patches(const ossai_raster *cells, const ossai_ground *ground, patch *patches)
{
	size_t count = 0;
	for (size_t i = 0; i < cells->width * cells->height; i++) {
		const float *near = cells->nearness + i * OSSAI_RASTER_SAMPLES;
		double sum = 0;
		int covered = 0;
		for (int k = 0; k < OSSAI_RASTER_SAMPLES; k++) {
			if (near[k] <= 0) continue;
			sum += 1024 - near[k];
			covered++;
		}
		if (covered == 0) continue;
		/* a patch on the ground itself would be a spike between two points: lift it by one cell */
		const double height = fmax(sum / covered / ground->step, 1.0 / CELLS_A_POINT);
		const double area = (double)covered / OSSAI_RASTER_SAMPLES / (CELLS_A_POINT * CELLS_A_POINT);
		const double x = ((double)(i % cells->width) + 0.5) / CELLS_A_POINT,
					 y = ((double)(i / cells->width) + 0.5) / CELLS_A_POINT;
		patches[count++] = (patch){(float)x, (float)y, (float)(height * height), (float)(height * height * area / OSSAI_PI)};
	}
	return count;
}

static ossa_status find_dark(ossa_context *context, ossai_arena *scratch, const ossai_solid *solid, ossai_ground *ground)
{
	ossai_raster cells;
	OSSAI_TRY(draw_from_below(context, scratch, solid, ground, &cells));
	patch *patches = ossai_arena_new(scratch, cells.width * cells.height, sizeof *patches);
	if (!patches) return ossa_context_error(context)->status;
	dark_job job = {patches, find_patches(&cells, ground, patches), ground};
	ossai_parallel_for(context, POINTS, POINTS_PER_RANGE, dark_rows, &job);
	return OSSA_OK;
}

ossa_status ossai_ground_make(
	ossa_context *context, ossai_arena *arena, const ossai_solid *solid, int up, double height, ossai_ground *ground)
{
	*ground = (ossai_ground){.height = height, .count = POINTS};
	ground->up = ossai_v3(up == 0, up == 1, up == 2);
	ground->side = ossai_v3(up != 0, 0, up == 0);
	ground->front = ossai_cross(ground->side, ground->up);
	ground->dark = ossai_arena_new(arena, POINTS * POINTS, sizeof *ground->dark);
	if (!ground->dark) return ossa_context_error(context)->status;
	place_grid(solid, ground);
	ossai_arena scratch = ossai_arena_begin(context);
	const ossa_status status = find_dark(context, &scratch, solid, ground);
	ossai_arena_end(&scratch);
	return status;
}

double ossai_ground_dark(const ossai_ground *ground, ossai_vec3 eye, ossai_vec3 direction)
{
	const double fall = ossai_dot(direction, ground->up), above = ossai_dot(eye, ground->up) - ground->height;
	if (fall >= -1e-9 || above <= 0) return 0;
	const ossai_vec3 p = ossai_madd(eye, -above / fall, direction);
	const double x = (ossai_dot(p, ground->side) - ground->left) / ground->step;
	const double y = (ossai_dot(p, ground->front) - ground->back) / ground->step;
	if (!(x >= 1 && y >= 1 && x <= POINTS - 2 && y <= POINTS - 2)) return 0;
	/* a quadratic spline through three points each way, because the creases of bilinear shadows are
	   visible */
	const size_t ix = (size_t)(x + 0.5), iy = (size_t)(y + 0.5);
	const double u = x - (double)ix, v = y - (double)iy;
	const double across[3] = {0.5 * (0.5 - u) * (0.5 - u), 0.75 - u * u, 0.5 * (0.5 + u) * (0.5 + u)};
	const double along[3] = {0.5 * (0.5 - v) * (0.5 - v), 0.75 - v * v, 0.5 * (0.5 + v) * (0.5 + v)};
	double sum = 0;
	for (size_t row = 0; row < 3; row++) {
		const float *at = ground->dark + (iy + row - 1) * POINTS + ix - 1;
		sum += along[row] * (across[0] * at[0] + across[1] * at[1] + across[2] * at[2]);
	}
	return sum;
}
