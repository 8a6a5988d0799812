/* query/nearest_point.c: see nearest_point.h. Points are sorted into the cells of grids, which
   are searched ring by ring; queries far from all points use coarser grids. */
#include "query/nearest_point.h"

#include "base/csr.h"
#include "math/vec.h"

#include <ossa/mesh.h>

enum { SIDE_MOST = 256, LEVELS = 3, COARSER = 6, RINGS = 4 };

typedef struct point_cells {
	const double *points;
	double low[3], size; /* size: of a cell */
	int count[3];        /* cells along each axis */
	ossai_csr in_cell;   /* points */
} point_cells;

static int cell_along(const point_cells *c, int axis, double x)
{
	const double at = (x - c->low[axis]) / c->size;
	return at < 0 ? 0 : at >= c->count[axis] ? c->count[axis] - 1 : (int)at;
}

static size_t cell_of(const point_cells *c, const double *p)
{
	const size_t x = (size_t)cell_along(c, 0, p[0]), y = (size_t)cell_along(c, 1, p[1]), z = (size_t)cell_along(c, 2, p[2]);
	return x + (size_t)c->count[0] * (y + (size_t)c->count[1] * z);
}

/* the size of cells: about the distance between points on a surface, times a factor */
static void lay_cells(point_cells *c, size_t point_count, double times)
{
	double high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (int k = 0; k < 3; k++) c->low[k] = INFINITY;
	for (size_t i = 0; i < 3 * point_count; i++) {
		c->low[i % 3] = fmin(c->low[i % 3], c->points[i]);
		high[i % 3] = fmax(high[i % 3], c->points[i]);
	}
	double side[3], longest = 0;
	for (int k = 0; k < 3; k++) {
		side[k] = high[k] - c->low[k];
		longest = fmax(longest, side[k]);
	}
	const double area = 2 * (side[0] * side[1] + side[1] * side[2] + side[2] * side[0]);
	c->size = fmax(sqrt(area / (double)point_count), longest / SIDE_MOST);
	c->size = c->size > 0 ? times * c->size : 1;
	for (int k = 0; k < 3; k++) c->count[k] = (int)(side[k] / c->size) + 1;
}

static ossa_status fill_cells(ossai_arena *scratch, point_cells *c, size_t point_count)
{
	OSSAI_TRY(ossai_csr_begin(scratch, (size_t)c->count[0] * (size_t)c->count[1] * (size_t)c->count[2], &c->in_cell));
	for (size_t i = 0; i < point_count; i++) ossai_csr_count(&c->in_cell, cell_of(c, c->points + 3 * i));
	OSSAI_TRY(ossai_csr_take_items(scratch, &c->in_cell));
	for (size_t i = 0; i < point_count; i++) ossai_csr_put(&c->in_cell, cell_of(c, c->points + 3 * i), (uint32_t)i);
	return OSSA_OK;
}

static void search_cell(const point_cells *c, size_t cell, const double *query, uint32_t *best, double *best2)
{
	for (uint32_t k = c->in_cell.start[cell]; k < c->in_cell.start[cell + 1]; k++) {
		const uint32_t i = c->in_cell.item[k];
		const double *p = c->points + 3 * (size_t)i;
		const double x = p[0] - query[0], y = p[1] - query[1], z = p[2] - query[2], d2 = x * x + y * y + z * z;
		if (d2 < *best2 || (d2 == *best2 && i < *best)) {
			*best2 = d2;
			*best = i;
		}
	}
}

/* the cells at `ring` steps from the middle one */
static void search_ring(const point_cells *c, const int *at, int ring, const double *query, uint32_t *best, double *best2)
{
	for (int z = -ring; z <= ring; z++) {
		if (at[2] + z < 0 || at[2] + z >= c->count[2]) continue;
		for (int y = -ring; y <= ring; y++) {
			if (at[1] + y < 0 || at[1] + y >= c->count[1]) continue;
			const bool is_face = z == -ring || z == ring || y == -ring || y == ring;
			for (int x = -ring; x <= ring; x += is_face || ring == 0 ? 1 : 2 * ring) {
				if (at[0] + x < 0 || at[0] + x >= c->count[0]) continue;
				const size_t cell = (size_t)(at[0] + x) +
					(size_t)c->count[0] * ((size_t)(at[1] + y) + (size_t)c->count[1] * (size_t)(at[2] + z));
				search_cell(c, cell, query, best, best2);
			}
		}
	}
}

/* the nearest point within so many rings; OSSA_NONE where a nearer one may be outside of them */
static uint32_t search_rings(const point_cells *c, const double *query, int rings)
{
	const int at[3] = {cell_along(c, 0, query[0]), cell_along(c, 1, query[1]), cell_along(c, 2, query[2])};
	uint32_t best = OSSA_NONE;
	double best2 = INFINITY;
	for (int ring = 0; ring <= rings; ring++) {
		/* all points outside of the rings so far are at least this distance away */
		const double reach = (ring - 1) * c->size;
		if (best != OSSA_NONE && ring > 0 && reach * reach > best2) return best;
		search_ring(c, at, ring, query, &best, &best2);
	}
	return rings > SIDE_MOST ? best : OSSA_NONE;
}

typedef struct near_job {
	point_cells level[LEVELS];
	const double *queries;
	uint32_t *nearest;
} near_job;

static void search_range(void *arg, size_t begin, size_t end)
{
	const near_job *job = arg;
	for (size_t i = begin; i < end; i++) {
		job->nearest[i] = OSSA_NONE;
		for (int level = 0; level < LEVELS && job->nearest[i] == OSSA_NONE; level++) {
			const int rings = level < LEVELS - 1 ? RINGS : SIDE_MOST + 1;
			job->nearest[i] = search_rings(&job->level[level], job->queries + 3 * i, rings);
		}
	}
}

static ossa_status make_level(ossai_arena *scratch, point_cells *c, size_t point_count, const double *points, double times)
{
	*c = (point_cells){.points = points};
	lay_cells(c, point_count, times);
	return fill_cells(scratch, c, point_count);
}

ossa_status ossai_nearest_points(ossa_context *context, size_t point_count, const double *points, size_t query_count,
	const double *queries, uint32_t *nearest)
{
	near_job job = {.queries = queries, .nearest = nearest};
	ossai_arena scratch = ossai_arena_begin(context);
	ossa_status status = OSSA_OK;
	double times = 1;
	for (int level = 0; level < LEVELS && status == OSSA_OK; level++) {
		status = make_level(&scratch, &job.level[level], point_count, points, times);
		times *= COARSER;
	}
	if (status == OSSA_OK) ossai_parallel_for(context, query_count, 1024, search_range, &job);
	ossai_arena_end(&scratch);
	return status;
}
