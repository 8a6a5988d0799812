/* voxels/voxels.c: see voxels.h. The outline:

   oriented faces (mesh/orient.c) -> the size of voxels -> cells that faces touch (voxel_faces.c) ->
   those inside (voxel_inside.c) -> the largest set (voxel_runs.c), numbered (voxel_numbers.c) ->
   distances (distance.c). */
#include "voxels/voxels.h"

#include "mesh/orient.h"
#include "voxels/distance.h"
#include "voxels/voxel_numbers.h"

#include <ossa/mesh.h>
#include <string.h>

enum { TRIES = 3, AXIS_MOST = 37000 };
/* Interior voxels: half as many or twice as many do as well. */
static const double WANTED = 100000;
/* No step is chosen at which the grid has more cells: a thin shape across a large box. */
static const double CELLS_MOST = 67108864;
/* Bytes that a grid may take by default. */
static const double MEMORY = 2147483648.0;
/* Bytes that later stages need for a voxel: measured, up to the medial surface. */
static const double AFTER = 24;
/* A solid of volume V and area A touches V + 0.75 A cells of size 1 where its faces have all
   directions; a sheet twice as many. */
static const double TOUCHED = 0.75;

struct solid;

/* Adds the cells inside to those that faces touch; progress runs from `begin` to `end`. */
typedef ossa_status inside_maker(ossai_arena *scratch, const struct solid *s, double begin, double end, ossai_cells *cells);

/* The shape to be voxelised. */
typedef struct solid {
	ossai_oriented surface;
	ossai_vec3 low, high;
	double longest; /* side of the box */
	double volume;  /* of the enclosed volume: may be far off where the surface is open */
	double memory;  /* bytes for the grid */
	double left;    /* bytes for it and later stages: what the context's limit leaves */
	inside_maker *make_inside;
} solid;

ossai_voxel_options ossai_voxel_options_default(void) { return (ossai_voxel_options){.size = 0, .memory_limit = 0}; }

static void measure(solid *s)
{
	const ossai_oriented *o = &s->surface;
	s->low = s->high = ossai_v3_of(o->points);
	for (size_t i = 1; i < o->point_count; i++) {
		const ossai_vec3 p = ossai_v3_of(o->points + 3 * i);
		s->low = ossai_v3(fmin(s->low.x, p.x), fmin(s->low.y, p.y), fmin(s->low.z, p.z));
		s->high = ossai_v3(fmax(s->high.x, p.x), fmax(s->high.y, p.y), fmax(s->high.z, p.z));
	}
	const ossai_vec3 sides = ossai_sub(s->high, s->low), center = ossai_lerp(s->low, s->high, 0.5);
	s->longest = fmax(sides.x, fmax(sides.y, sides.z));
	double volume = 0;
	for (size_t f = 0; f < o->face_count; f++) {
		const uint32_t *t = o->triangles + 3 * f;
		const ossai_vec3 a = ossai_sub(ossai_v3_of(o->points + 3 * (size_t)t[0]), center);
		const ossai_vec3 b = ossai_sub(ossai_v3_of(o->points + 3 * (size_t)t[1]), center);
		const ossai_vec3 c = ossai_sub(ossai_v3_of(o->points + 3 * (size_t)t[2]), center);
		volume += ossai_dot(a, ossai_cross(b, c)) / 6;
	}
	s->volume = fmin(fabs(volume), sides.x * sides.y * sides.z);
}

/* ---- the grid ---- */

/* cells along an axis: a margin on both sides of the surface, then a layer that stays empty */
static double axis_cells(double side, double step) { return floor(side / step + 1e-3) + 3; }

static void grid_size(const solid *s, double step, double *size)
{
	const ossai_vec3 sides = ossai_sub(s->high, s->low);
	size[0] = axis_cells(sides.x, step);
	size[1] = axis_cells(sides.y, step);
	size[2] = axis_cells(sides.z, step);
}

/* the bytes that the arrays of a grid need: numbers and bits of cells, properties of voxels, and
   runs while they are needed */
static double grid_bytes(const solid *s, double step, double *voxels)
{
	double size[3];
	grid_size(s, step, size);
	const double cells = size[0] * size[1] * size[2], rows = size[1] * size[2];
	const double volume = s->surface.is_closed ? s->volume : 0.5 * cells * step * step * step;
	*voxels = fmin(cells, volume / (step * step * step) + 2 * TOUCHED * s->surface.area / (step * step));
	return 4 * cells + rows * (8 * ceil(size[0] / 64) + 8) + 8 * *voxels;
}

/* the bytes needed, against what is allowed: of the memory for a grid, or, where that is less, of
   what the context has left for all stages */
static double needed_bytes(const solid *s, double step, double *allowed)
{
	double voxels;
	const double grid = grid_bytes(s, step, &voxels), all = grid + AFTER * voxels;
	const bool by_grid = grid / s->memory >= all / s->left;
	*allowed = by_grid ? s->memory : s->left;
	return by_grid ? grid : all;
}

static bool is_within(const solid *s, double step)
{
	double size[3];
	grid_size(s, step, size);
	for (int k = 0; k < 3; k++) {
		if (size[k] > AXIS_MOST) return false;
	}
	double allowed;
	return size[0] * size[1] * size[2] < (double)OSSA_NONE && needed_bytes(s, step, &allowed) <= allowed;
}

/* the smallest step that fits into memory */
static double smallest_step(const solid *s)
{
	double low = 1e-6 * s->longest, high = s->longest;
	for (int i = 0; i < 60; i++) {
		const double center = sqrt(low * high);
		if (is_within(s, center)) high = center;
		else low = center;
	}
	return high;
}

static ossa_status refuse(ossa_context *context, const solid *s, double size)
{
	const double smallest = smallest_step(s);
	double allowed;
	const double needed = needed_bytes(s, size * s->longest, &allowed);
	if (!is_within(s, smallest)) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL, "no voxels fit into %.3g MB: allow more", allowed / 1e6);
	}
	return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
		"voxels of size %g need about %.0f MB, and %.0f MB are allowed: the smallest size that fits is %.4g", size,
		needed / 1e6, allowed / 1e6, 1.001 * smallest / s->longest);
}

static ossa_status fill(ossai_arena *scratch, const solid *s, double begin, double end, ossai_cells *cells)
{
	return ossai_cells_fill(scratch, &s->surface, begin, end, cells);
}

/* without cells that faces touch but whose centers are outside */
static ossa_status fill_and_peel(ossai_arena *scratch, const solid *s, double begin, double end, ossai_cells *cells)
{
	const size_t bytes = ossai_cell_rows(cells) * cells->row_words * sizeof *cells->bits;
	uint64_t *touched = ossai_arena_new(scratch, bytes, 1);
	if (!touched) return ossa_context_error(scratch->context)->status;
	memcpy(touched, cells->bits, bytes);
	OSSAI_TRY(ossai_cells_fill(scratch, &s->surface, begin, end, cells));
	return ossai_cells_peel(scratch, &s->surface, touched, cells);
}

/* progress runs from `begin` to `end` */
static ossa_status make_cells(ossai_arena *scratch, const solid *s, double step, double begin, double end, ossai_cells *cells)
{
	double size[3];
	grid_size(s, step, size);
	for (int k = 0; k < 3; k++) cells->size[k] = (uint32_t)size[k];
	cells->step = step;
	/* the center of the bounding box is the center of the grid: symmetric shapes stay symmetric */
	const ossai_vec3 center = ossai_lerp(s->low, s->high, 0.5);
	cells->origin = ossai_madd(center, -0.5 * step, ossai_v3(size[0], size[1], size[2]));
	cells->row_words = (cells->size[0] - 1) / 64 + 1;
	cells->bits = ossai_arena_zero(scratch, ossai_cell_rows(cells), cells->row_words * sizeof *cells->bits);
	if (!cells->bits) return ossa_context_error(scratch->context)->status;
	const double half_time = 0.5 * (begin + end);
	OSSAI_TRY(ossai_progress(scratch->context, begin));
	OSSAI_TRY(ossai_cells_touch(scratch, &s->surface, cells));
	OSSAI_TRY(ossai_progress(scratch->context, half_time));
	return s->make_inside(scratch, s, half_time, end, cells);
}

/* ---- the size of voxels ---- */

/* the step at which a solid of this volume and area has so many voxels */
static double step_for(const solid *s, double voxels)
{
	const double touched = (s->surface.is_closed ? 1 : 1.5) * TOUCHED * s->surface.area;
	double low = 1e-6 * s->longest, high = s->longest;
	for (int i = 0; i < 60; i++) {
		const double step = sqrt(low * high);
		if (s->volume / (step * step * step) + touched / (step * step) > voxels) low = step;
		else high = step;
	}
	return high;
}

/* not below what fits */
static double bounded_step(const solid *s, double step)
{
	double size[3];
	grid_size(s, step, size);
	const double cells = size[0] * size[1] * size[2];
	if (cells > CELLS_MOST) step *= cbrt(cells / CELLS_MOST);
	return is_within(s, step) ? step : smallest_step(s);
}

static size_t count_cells(const ossai_cells *cells)
{
	size_t count = 0;
	for (size_t i = 0; i < ossai_cell_rows(cells) * cells->row_words; i++)
		count += (size_t)__builtin_popcountll(cells->bits[i]);
	return count;
}

/* cells with a step that gives about the wanted number of voxels: the first guess is good for
   closed surfaces, the second for nearly all */
static ossa_status choose_cells(ossai_arena *scratch, const solid *s, ossai_cells *cells)
{
	double step = bounded_step(s, step_for(s, WANTED)), last_step = 0, last_count = 0;
	for (int attempt = 1;; attempt++) {
		ossai_arena own = ossai_arena_begin(scratch->context);
		const double begin = 0.8 * (attempt - 1) / TRIES, end = 0.8 * attempt / TRIES;
		const ossa_status status = make_cells(&own, s, step, begin, end, cells);
		const double count = status == OSSA_OK ? (double)count_cells(cells) : 0;
		double power = 2.5, next = step;
		if (last_step > 0 && count != last_count && step != last_step) {
			power = fmin(fmax(-log(count / last_count) / log(step / last_step), 1), 3);
		}
		if (count > 0 && (count < WANTED / 2 || count > 2 * WANTED))
			next = bounded_step(s, step * pow(count / WANTED, 1 / power));
		const bool is_good = fabs(next - step) <= 0.02 * step;
		if (status != OSSA_OK || is_good || attempt == TRIES) {
			/* the result stays in the caller's arena */
			if (status == OSSA_OK) {
				uint64_t *bits = ossai_arena_new(scratch, ossai_cell_rows(cells), cells->row_words * sizeof *bits);
				if (bits) memcpy(bits, cells->bits, ossai_cell_rows(cells) * cells->row_words * sizeof *bits);
				cells->bits = bits;
			}
			ossai_arena_end(&own);
			if (status != OSSA_OK) return status;
			return cells->bits ? OSSA_OK : ossa_context_error(scratch->context)->status;
		}
		ossai_arena_end(&own);
		last_step = step;
		last_count = count;
		step = next;
	}
}

/* ---- the whole ---- */

static ossa_status make_voxels(
	ossai_arena *arena, ossai_arena *scratch, solid *s, const ossai_voxel_options *options, ossai_voxels *voxels)
{
	ossa_context *context = arena->context;
	if (s->surface.face_count > 0) measure(s);
	if (s->surface.face_count == 0 || !(s->longest > 0)) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"no face has three corners in different places: there is nothing to fill with voxels");
	}
	s->memory = options->memory_limit > 0 ? options->memory_limit : MEMORY;
	s->left = (double)ossai_memory_left(context);
	if (!is_within(s, options->size > 0 ? options->size * s->longest : s->longest)) return refuse(context, s, options->size);
	ossai_cells cells;
	if (options->size > 0) OSSAI_TRY(make_cells(scratch, s, options->size * s->longest, 0, 0.8, &cells));
	else OSSAI_TRY(choose_cells(scratch, s, &cells));
	OSSAI_TRY(ossai_cells_keep_largest(scratch, &cells, voxels));
	voxels->is_of_closed = s->surface.is_closed;
	if (voxels->part_count > 1) {
		ossai_warn(context, "voxel-parts", (int64_t)voxels->left_out,
			"the inside falls into %zu parts that do not touch: the largest has %zu voxels and is used, the others have %zu",
			voxels->part_count, voxels->count, voxels->left_out);
	}
	OSSAI_TRY(ossai_cells_number(arena, scratch, &cells, voxels));
	OSSAI_TRY(ossai_progress(context, 0.9));
	OSSAI_TRY(ossai_distance_map(scratch, &cells, voxels->of_cell, OSSAI_DISTANCE_STEPS, voxels->distance2));
	return ossai_progress(context, 1);
}

static ossa_status orient_and_make(ossai_arena *arena, const ossai_posed_surface *surface, inside_maker *make_inside,
	const ossai_voxel_options *options, ossai_voxels *voxels)
{
	*voxels = (ossai_voxels){0};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	solid s = {.make_inside = make_inside};
	ossa_status status = ossai_orient(
		&scratch, surface->vertex_count, surface->rest, surface->face_count, surface->triangles, &s.surface);
	if (status == OSSA_OK) status = make_voxels(arena, &scratch, &s, options, voxels);
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_voxels_make(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_voxel_options *options, ossai_voxels *voxels)
{
	return orient_and_make(arena, surface, fill, options, voxels);
}

ossa_status ossai_voxels_make_peeled(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossai_voxel_options *options, ossai_voxels *voxels)
{
	return orient_and_make(arena, surface, fill_and_peel, options, voxels);
}
