/* voxels/voxel_inside.c: which cells of a grid a surface encloses.

   Place in the path: part of voxel_cells.h.
   Input: cells that faces touch.
   Output: cells inside, too.
   Cells that no face touches form sets. One that does not reach the outside is wholly inside or
   not: a few of its cells are asked for their winding numbers, and, where the surface is open and
   these tell nothing, how often rays from them pass faces. What reaches the outside is outside
   where the surface is closed; where it is open voxel_holes.c looks for what is inside. */
#include "query/winding_numbers.h"

#include "base/search.h"
#include "voxels/voxel_cells.h"

#include <string.h>

enum {
	SAMPLES = 3,
	RAYS = 3,
	/* cells along x: components without a longer run are gaps between faces */
	POCKET = 4,
	RAY_FACES_MOST = 4000000 /* tests of rays against faces, all components together */
};
/* Of an open surface: in a component that is not connected to the outside a winding number this
   large counts as inside, though faces are missing or turned over. Without it rays alone decide:
   the voxels of a soup of triangles are others. */
static const double CLEAR_WINDING = 0.2;

typedef struct classifying {
	const ossai_oriented *surface;
	const ossai_cells *cells;
	const ossai_runs *runs; /* of cells that no face touches */
	uint32_t *sample;       /* of each component: its longest, first and last run */
	double *points;         /* components x SAMPLES x 3: centers of these runs */
	double *numbers;        /* components x SAMPLES */
	uint8_t *is_inside;     /* of components */
	uint8_t *needs_rays;    /* of components */
} classifying;

/* ---- samples ---- */

static void find_samples(const classifying *f)
{
	const ossai_runs *runs = f->runs;
	for (size_t i = 0; i < (size_t)SAMPLES * runs->set_count; i++) f->sample[i] = UINT32_MAX;
	for (uint32_t i = 0; i < runs->count; i++) {
		uint32_t *sample = f->sample + (size_t)SAMPLES * runs->set[i];
		const uint32_t length = runs->end[i] - runs->begin[i];
		if (sample[0] == UINT32_MAX) sample[0] = sample[1] = i;
		if (length > runs->end[sample[0]] - runs->begin[sample[0]]) sample[0] = i;
		sample[2] = i;
	}
}

/* the row of a run */
static size_t row_of_run(const ossai_runs *runs, size_t rows, uint32_t run)
{
	return ossai_search_index(runs->first, rows, run);
}

/* the centers of the cells in the middle of the runs */
static void place_samples(const classifying *f)
{
	const ossai_cells *cells = f->cells;
	for (size_t i = 0; i < (size_t)SAMPLES * f->runs->set_count; i++) {
		const uint32_t run = f->sample[i], x = (f->runs->begin[run] + f->runs->end[run]) / 2;
		const size_t row = row_of_run(f->runs, ossai_cell_rows(cells), run);
		const ossai_vec3 at = ossai_v3(x + 0.5, (double)(row % cells->size[1]) + 0.5, (double)(row / cells->size[1]) + 0.5);
		ossai_v3_store(ossai_madd(cells->origin, cells->step, at), f->points + 3 * i);
	}
}

/* ---- rays ---- */

/* whether the ray from a point along an axis meets a face */
static bool ray_passes(const classifying *f, size_t face, const double *point, int axis)
{
	const int u = (axis + 1) % 3, v = (axis + 2) % 3;
	double c[3][3], cross[3], sum = 0, at = 0;
	for (int k = 0; k < 3; k++) {
		const double *p = f->surface->points + 3 * (size_t)f->surface->triangles[3 * face + (size_t)k];
		for (int i = 0; i < 3; i++) c[k][i] = p[i] - point[i];
	}
	for (int k = 0; k < 3; k++) {
		const double *a = c[(k + 1) % 3], *b = c[(k + 2) % 3];
		cross[k] = a[u] * b[v] - a[v] * b[u];
		sum += cross[k];
	}
	const bool passes = (cross[0] >= 0 && cross[1] >= 0 && cross[2] >= 0) || (cross[0] < 0 && cross[1] < 0 && cross[2] < 0);
	if (!passes || sum == 0) return false;
	for (int k = 0; k < 3; k++) at += cross[k] / sum * c[k][axis];
	return at > 0;
}

/* whether most rays from a component's samples meet an odd number of faces */
static bool rays_say_inside(const classifying *f, size_t set)
{
	int odd = 0;
	for (size_t i = 0; i < SAMPLES * RAYS; i++) {
		const double *point = f->points + 3 * (set * SAMPLES + i / RAYS);
		bool is_odd = false;
		for (size_t face = 0; face < f->surface->face_count; face++) is_odd ^= ray_passes(f, face, point, (int)(i % RAYS));
		odd += is_odd;
	}
	return 2 * odd > SAMPLES * RAYS;
}

/* chooses components that are large enough, the first ones where there are too many */
static void choose_rays(const classifying *f)
{
	size_t left = 1 + RAY_FACES_MOST / (f->surface->face_count + 1);
	for (size_t set = 0; set < f->runs->set_count; set++) {
		const uint32_t widest = f->sample[SAMPLES * set];
		const bool is_large = f->runs->end[widest] - f->runs->begin[widest] >= POCKET;
		f->needs_rays[set] = is_large && left > 0 && f->is_inside[set] == OSSAI_SIDE_UNKNOWN;
		left -= f->needs_rays[set];
	}
}

/* ---- components ---- */

static double median(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

static void classify_range(void *arg, size_t begin, size_t end)
{
	const classifying *f = arg;
	for (size_t set = begin; set < end; set++) {
		if (f->is_inside[set] != OSSAI_SIDE_UNKNOWN) continue;
		const double *w = f->numbers + SAMPLES * set;
		const double winding = median(fabs(w[0]), fabs(w[1]), fabs(w[2]));
		if (f->surface->is_closed) f->is_inside[set] = ossai_winding_is_inside(winding);
		/* faces enclose it on all sides */
		else f->is_inside[set] = winding > CLEAR_WINDING || !f->needs_rays[set] || rays_say_inside(f, set);
	}
}

ossa_status ossai_sets_classify(ossai_arena *scratch, const ossai_oriented *surface, const ossai_cells *cells,
	const ossai_runs *runs, ossai_arena *tree_arena, ossai_winding_tree **tree, uint8_t *is_inside)
{
	classifying f = {.surface = surface, .cells = cells, .runs = runs, .is_inside = is_inside};
	const size_t count = (size_t)SAMPLES * runs->set_count;
	bool is_sampled = false;
	for (size_t set = 0; set < runs->set_count; set++) is_sampled = is_sampled || is_inside[set] == OSSAI_SIDE_UNKNOWN;
	if (!is_sampled) return OSSA_OK;
	f.sample = ossai_arena_new(scratch, count, sizeof *f.sample);
	f.points = f.sample ? ossai_arena_new(scratch, count, 3 * sizeof *f.points) : NULL;
	f.numbers = f.points ? ossai_arena_new(scratch, count, sizeof *f.numbers) : NULL;
	f.needs_rays = f.numbers ? ossai_arena_new(scratch, runs->set_count, 1) : NULL;
	if (!f.needs_rays) return ossa_context_error(scratch->context)->status;
	const ossai_mesh_view mesh = ossai_oriented_view(surface);
	find_samples(&f);
	place_samples(&f);
	choose_rays(&f);
	/* of an open surface the holes are looked for with a tree, too */
	if (!*tree && !surface->is_closed) OSSAI_TRY(ossai_winding_tree_make(tree_arena, &mesh, tree));
	if (*tree) ossai_winding_tree_numbers(scratch->context, *tree, count, f.points, f.numbers);
	else OSSAI_TRY(ossai_winding_numbers_fast(scratch->context, &mesh, count, f.points, f.numbers));
	ossai_parallel_for(scratch->context, runs->set_count, 16, classify_range, &f);
	return OSSA_OK;
}

/* ---- the whole ---- */

typedef struct filling {
	ossai_cells *cells;
	ossai_runs runs;
	uint8_t *is_inside;
} filling;

static void fill_rows(void *arg, size_t begin, size_t end)
{
	const filling *f = arg;
	for (size_t r = begin; r < end; r++) {
		uint64_t *row = f->cells->bits + r * f->cells->row_words;
		for (uint32_t i = f->runs.first[r]; i < f->runs.first[r + 1]; i++) {
			if (f->is_inside[f->runs.set[i]]) ossai_bits_write(row, f->runs.begin[i], f->runs.end[i], true);
		}
	}
}

ossa_status ossai_cells_fill(ossai_arena *scratch, const ossai_oriented *surface, double begin, double end, ossai_cells *cells)
{
	filling f = {.cells = cells};
	ossai_winding_tree *tree = NULL;
	OSSAI_TRY(ossai_runs_make(scratch, cells, false, &f.runs));
	f.is_inside = ossai_arena_new(scratch, f.runs.set_count, 1);
	if (!f.is_inside) return ossa_context_error(scratch->context)->status;
	memset(f.is_inside, OSSAI_SIDE_UNKNOWN, f.runs.set_count);
	/* the first run belongs to the outermost layer */
	f.is_inside[0] = OSSAI_SIDE_OUTSIDE;
	OSSAI_TRY(ossai_sets_classify(scratch, surface, cells, &f.runs, scratch, &tree, f.is_inside));
	if (!surface->is_closed) {
		const ossai_mesh_view mesh = ossai_oriented_view(surface);
		if (!tree) OSSAI_TRY(ossai_winding_tree_make(scratch, &mesh, &tree));
		OSSAI_TRY(ossai_cells_fill_holes(scratch, tree, &f.runs, begin, end, cells));
	}
	ossai_parallel_for(scratch->context, ossai_cell_rows(cells), 256, fill_rows, &f);
	return OSSA_OK;
}
