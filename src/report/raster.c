/* report/raster.c: triangles to samples, by edge functions in whole numbers.

   Place in the path: pictures.
   Input: projected points, triangles.
   Output: per sample the nearest triangle and its nearness. Triangles are sorted into bands of rows
   by counting; a band is one item of work and writes only its own samples, in an order roughly from
   front to back. Inside a band a triangle is drawn block by block, and a block that lies behind all
   that the image already holds there is skipped, so that many large triangles over each other stay
   affordable.
   Source: J. Pineda, A Parallel Algorithm for Polygon Rasterization, SIGGRAPH 1988; N. Greene et
   al., Hierarchical Z-Buffer Visibility, SIGGRAPH 1993. */
#include "report/raster.h"

#include "base/csr.h"

#include <math.h>
#include <string.h>

enum {
	SAMPLES = OSSAI_RASTER_SAMPLES,
	PIXEL = OSSAI_RASTER_PIXEL,
	MIDDLE = PIXEL / 2,
	REACH = 112,    /* the farthest sample from a pixel's center, per axis */
	BLOCK = 8,      /* pixels on a side */
	BAND_ROWS = 32, /* a whole number of blocks */
	COORDINATE_MAX = 1 << 24,
	NEARNESS_STEPS = 256
};

/* the standard eight of rotated grids, in sixteenths of a pixel times 16 */
const int8_t ossai_raster_sample_x[SAMPLES] = {16, -16, 80, -48, -80, -112, 48, 112};
const int8_t ossai_raster_sample_y[SAMPLES] = {-48, 48, 16, -80, 80, -16, 112, -112};

static int32_t coordinate(double pixels)
{
	const double value = round(pixels * PIXEL);
	if (value > COORDINATE_MAX) return COORDINATE_MAX;
	return value < -COORDINATE_MAX ? -COORDINATE_MAX : (int32_t)value;
}

ossai_raster_point ossai_raster_point_of(double x, double y, double nearness)
{
	return (ossai_raster_point){coordinate(x), coordinate(y), (float)nearness};
}

ossa_status ossai_raster_make(ossai_arena *arena, size_t width, size_t height, ossai_raster *raster)
{
	*raster = (ossai_raster){.width = width, .height = height};
	raster->nearness = ossai_arena_new(arena, width * height, SAMPLES * sizeof *raster->nearness);
	raster->owner = ossai_arena_new(arena, width * height, SAMPLES * sizeof *raster->owner);
	return raster->nearness && raster->owner ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* pixels whose samples a triangle's box can hold; empty where minimum > maximum */
typedef struct pixel_box {
	int32_t x_min, y_min, x_max, y_max;
} pixel_box;

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/* floor(a / PIXEL) for either sign */
static int32_t pixel_of(int32_t a) { return a >= 0 ? a / PIXEL : -((-a + PIXEL - 1) / PIXEL); }

static pixel_box triangle_box(const ossai_raster_point *a, const ossai_raster_point *b, const ossai_raster_point *c)
{
	const int32_t first = MIDDLE - REACH, last = MIDDLE + REACH;
	return (pixel_box){
		pixel_of(smaller(a->x, smaller(b->x, c->x)) - last + PIXEL - 1),
		pixel_of(smaller(a->y, smaller(b->y, c->y)) - last + PIXEL - 1),
		pixel_of(larger(a->x, larger(b->x, c->x)) - first),
		pixel_of(larger(a->y, larger(b->y, c->y)) - first),
	};
}

static pixel_box clip_box(pixel_box box, int32_t width, int32_t row_begin, int32_t row_end)
{
	return (pixel_box){
		larger(box.x_min, 0), larger(box.y_min, row_begin), smaller(box.x_max, width - 1), smaller(box.y_max, row_end - 1)};
}

/* A triangle ready to draw: inside where x step_x + y step_y + at >= 0 for all three edges, x and y
   in coordinates. */
typedef struct edge_setup {
	int64_t step_x[3], step_y[3], at[3];
	int64_t offset[3][SAMPLES]; /* from a pixel's center to its samples */
	int64_t offset_max[3];
	double near_x, near_y, near_at; /* nearness, linear in the coordinates */
	double near_min, near_max;      /* of the three points */
	uint32_t triangle;
	bool is_tested;
} edge_setup;

static void set_edge(edge_setup *setup, int i, const ossai_raster_point *from, const ossai_raster_point *to)
{
	const int64_t dx = (int64_t)to->x - from->x, dy = (int64_t)to->y - from->y;
	/* a sample exactly on an edge belongs to the triangle whose top or left edge it is */
	const bool keeps_edge = dy < 0 || (dy == 0 && dx > 0);
	setup->step_x[i] = -dy;
	setup->step_y[i] = dx;
	setup->at[i] = dy * from->x - dx * from->y - (keeps_edge ? 0 : 1);
	setup->offset_max[i] = INT64_MIN;
	for (int k = 0; k < SAMPLES; k++) {
		const int64_t offset = setup->step_x[i] * ossai_raster_sample_x[k] + setup->step_y[i] * ossai_raster_sample_y[k];
		setup->offset[i][k] = offset;
		if (offset > setup->offset_max[i]) setup->offset_max[i] = offset;
	}
}

/* twice the area; positive where the points run clockwise as seen (y is down) */
static int64_t signed_area(const ossai_raster_point *a, const ossai_raster_point *b, const ossai_raster_point *c)
{
	return ((int64_t)b->x - a->x) * ((int64_t)c->y - a->y) - ((int64_t)b->y - a->y) * ((int64_t)c->x - a->x);
}

/* false where there is nothing to draw */
static bool set_up(edge_setup *setup, uint32_t triangle, const ossai_raster_point *a, const ossai_raster_point *b,
	const ossai_raster_point *c, bool front_only)
{
	int64_t area = signed_area(a, b, c);
	if (area == 0 || (front_only && area > 0)) return false;
	if (area < 0) {
		const ossai_raster_point *swap = b;
		b = c;
		c = swap;
		area = -area;
	}
	setup->triangle = triangle;
	set_edge(setup, 0, a, b);
	set_edge(setup, 1, b, c);
	set_edge(setup, 2, c, a);
	const double u = (double)b->nearness - a->nearness, v = (double)c->nearness - a->nearness, inverse = 1 / (double)area;
	setup->near_x = (u * ((double)c->y - a->y) - v * ((double)b->y - a->y)) * inverse;
	setup->near_y = (v * ((double)b->x - a->x) - u * ((double)c->x - a->x)) * inverse;
	setup->near_at = a->nearness - setup->near_x * a->x - setup->near_y * a->y;
	setup->near_min = fminf(a->nearness, fminf(b->nearness, c->nearness));
	setup->near_max = fmaxf(a->nearness, fmaxf(b->nearness, c->nearness));
	return true;
}

typedef struct draw_job {
	ossai_raster *raster;
	const ossai_raster_point *points;
	const uint32_t *triangles;
	const ossai_raster_rules *rules;
	bool is_sorted_out; /* samples are, by other images or a test */
	ossai_csr bands;    /* triangles of each, from front to back */
	size_t block_columns;
	float *block_farthest;  /* a lower bound of the nearness in a block, 0 while it has holes */
	uint32_t *block_writes; /* since the bound was found */
} draw_job;

static void find_farthest(draw_job *job, size_t block, int32_t x_begin, int32_t y_begin)
{
	const ossai_raster *raster = job->raster;
	const size_t x_end = (size_t)smaller(x_begin + BLOCK, (int32_t)raster->width);
	const size_t y_end = (size_t)smaller(y_begin + BLOCK, (int32_t)raster->height);
	float farthest = HUGE_VALF;
	for (size_t y = (size_t)y_begin; y < y_end; y++) {
		const float *near = raster->nearness + (y * raster->width + (size_t)x_begin) * SAMPLES;
		for (size_t i = 0; i < (x_end - (size_t)x_begin) * SAMPLES; i++) farthest = near[i] < farthest ? near[i] : farthest;
	}
	job->block_farthest[block] = farthest;
	job->block_writes[block] = 0;
}

/* whether the rules let a triangle have a sample; at: of the image's samples, from a pixel's center
   (x, y) */
static bool may_have(const draw_job *job, const edge_setup *s, size_t at, float nearness, int64_t x, int64_t y)
{
	const ossai_raster *before = job->rules->before, *behind = job->rules->behind;
	const int k = (int)(at % SAMPLES);
	if (before && nearness <= before->nearness[at]) return false;
	if (behind) {
		const float hiding = behind->nearness[at];
		if (nearness > hiding || (nearness == hiding && s->triangle <= behind->owner[at])) return false;
	}
	return !s->is_tested ||
		job->rules->shows(
			job->rules->arg, s->triangle, (double)(x + ossai_raster_sample_x[k]), (double)(y + ossai_raster_sample_y[k]));
}

/* draws one pixel, returns how many samples were written; edge: the functions at its center (x, y);
   first: its first sample */
static uint32_t draw_pixel(
	const draw_job *job, const edge_setup *s, const int64_t *edge, double nearness, size_t first, int64_t x, int64_t y)
{
	uint32_t written = 0;
	float *near = job->raster->nearness + first;
	uint32_t *owner = job->raster->owner + first;
	for (int k = 0; k < SAMPLES; k++) {
		const int64_t outside = (edge[0] + s->offset[0][k]) | (edge[1] + s->offset[1][k]) | (edge[2] + s->offset[2][k]);
		if (outside < 0) continue;
		double value = nearness + s->near_x * ossai_raster_sample_x[k] + s->near_y * ossai_raster_sample_y[k];
		/* a sliver's plane is steep: never beyond the triangle's own points */
		value = value < s->near_min ? s->near_min : value > s->near_max ? s->near_max : value;
		if ((float)value < near[k] || ((float)value == near[k] && s->triangle > owner[k])) continue;
		if (job->is_sorted_out && !may_have(job, s, first + (size_t)k, (float)value, x, y)) continue;
		near[k] = (float)value;
		owner[k] = s->triangle;
		written++;
	}
	return written;
}

/* box: the pixels of one block; returns how many samples were written */
static uint32_t draw_pixels(const draw_job *job, const edge_setup *s, pixel_box box)
{
	uint32_t written = 0;
	for (int32_t y = box.y_min; y <= box.y_max; y++) {
		const int64_t cy = (int64_t)y * PIXEL + MIDDLE;
		for (int32_t x = box.x_min; x <= box.x_max; x++) {
			const int64_t cx = (int64_t)x * PIXEL + MIDDLE;
			int64_t edge[3], best = 0;
			for (int i = 0; i < 3; i++) {
				edge[i] = cx * s->step_x[i] + cy * s->step_y[i] + s->at[i];
				best |= edge[i] + s->offset_max[i];
			}
			if (best < 0) continue;
			const double nearness = s->near_at + s->near_x * (double)cx + s->near_y * (double)cy;
			const size_t first = ((size_t)y * job->raster->width + (size_t)x) * SAMPLES;
			written += draw_pixel(job, s, edge, nearness, first, cx, cy);
		}
	}
	return written;
}

/* whether the triangle can be visible in a block: it may be beside it or behind everything drawn
   there */
static bool block_may_show(const edge_setup *s, int32_t x_begin, int32_t y_begin, float farthest)
{
	const int64_t half = BLOCK * PIXEL / 2;
	const int64_t cx = (int64_t)x_begin * PIXEL + half, cy = (int64_t)y_begin * PIXEL + half;
	for (int i = 0; i < 3; i++) {
		const int64_t x = s->step_x[i], y = s->step_y[i];
		const int64_t reach = ((x < 0 ? -x : x) + (y < 0 ? -y : y)) * half;
		if (cx * x + cy * y + s->at[i] + reach < 0) return false;
	}
	const double reach = (fabs(s->near_x) + fabs(s->near_y)) * (double)half;
	const double nearest = s->near_at + s->near_x * (double)cx + s->near_y * (double)cy + reach;
	return (float)fmin(nearest, s->near_max) >= farthest;
}

/* box: the triangle's pixels in one band */
static void draw_triangle(draw_job *job, const edge_setup *s, pixel_box box)
{
	for (int32_t by = box.y_min / BLOCK; by <= box.y_max / BLOCK; by++) {
		for (int32_t bx = box.x_min / BLOCK; bx <= box.x_max / BLOCK; bx++) {
			const size_t block = (size_t)by * job->block_columns + (size_t)bx;
			const int32_t x = bx * BLOCK, y = by * BLOCK;
			if (!block_may_show(s, x, y, job->block_farthest[block])) continue;
			const pixel_box part = {larger(box.x_min, x), larger(box.y_min, y), smaller(box.x_max, x + BLOCK - 1),
				smaller(box.y_max, y + BLOCK - 1)};
			job->block_writes[block] += draw_pixels(job, s, part);
			/* one pass over all samples for as many written ones: at most twice the work */
			if (job->block_writes[block] >= BLOCK * BLOCK * SAMPLES) find_farthest(job, block, x, y);
		}
	}
}

static void draw_bands(void *arg, size_t begin, size_t end)
{
	draw_job *job = arg;
	const int32_t width = (int32_t)job->raster->width, height = (int32_t)job->raster->height;
	for (size_t band = begin; band < end; band++) {
		const int32_t row_begin = (int32_t)band * BAND_ROWS, row_end = smaller(row_begin + BAND_ROWS, height);
		const size_t first = (size_t)row_begin * (size_t)width * SAMPLES;
		const size_t count = (size_t)(row_end - row_begin) * (size_t)width * SAMPLES;
		memset(job->raster->nearness + first, 0, count * sizeof(float));
		memset(job->raster->owner + first, 0xff, count * sizeof(uint32_t));
		for (size_t i = job->bands.start[band]; i < job->bands.start[band + 1]; i++) {
			const uint32_t *t = job->triangles + 3 * (size_t)job->bands.item[i];
			const ossai_raster_point *a = &job->points[t[0]], *b = &job->points[t[1]], *c = &job->points[t[2]];
			const ossai_raster_rules *rules = job->rules;
			const uint8_t kind = rules->kinds ? rules->kinds[job->bands.item[i]] : 0;
			edge_setup setup = {.is_tested = kind & rules->tested_kinds};
			const bool front_only = rules->front_only || (kind & rules->front_kinds);
			if (!set_up(&setup, job->bands.item[i], a, b, c, front_only)) continue;
			draw_triangle(job, &setup, clip_box(triangle_box(a, b, c), width, row_begin, row_end));
		}
	}
}

/* the bands a triangle lies in: first > last where none */
static void triangle_bands(const draw_job *job, size_t triangle, int32_t *first, int32_t *last)
{
	const uint32_t *t = job->triangles + 3 * triangle;
	const pixel_box box = clip_box(triangle_box(&job->points[t[0]], &job->points[t[1]], &job->points[t[2]]),
		(int32_t)job->raster->width, 0, (int32_t)job->raster->height);
	*first = 0;
	*last = -1;
	if (job->rules->only_kinds && !(job->rules->kinds[triangle] & job->rules->only_kinds)) return;
	if (box.x_min > box.x_max || box.y_min > box.y_max) return;
	*first = box.y_min / BAND_ROWS;
	*last = box.y_max / BAND_ROWS;
}

/* Triangles from front to back in even steps of nearness, by counting. The picture is the same in
   any order. */
static ossa_status sort_by_nearness(ossai_arena *arena, const draw_job *job, size_t triangle_count, ossai_csr *steps)
{
	uint32_t *step = ossai_arena_new(arena, triangle_count, sizeof *step);
	if (!step) return ossa_context_error(arena->context)->status;
	float low = HUGE_VALF, high = 0;
	for (size_t i = 0; i < 3 * triangle_count; i++) {
		const float near = job->points[job->triangles[i]].nearness;
		low = near < low ? near : low;
		high = near > high ? near : high;
	}
	const float scale = high > low ? (NEARNESS_STEPS - 1) / (high - low) : 0;
	for (size_t i = 0; i < triangle_count; i++) {
		const uint32_t *t = job->triangles + 3 * i;
		const float a = job->points[t[0]].nearness, b = job->points[t[1]].nearness, c = job->points[t[2]].nearness;
		const float nearest = a > b ? (a > c ? a : c) : (b > c ? b : c);
		step[i] = (uint8_t)((high - nearest) * scale);
	}
	return ossai_csr_of_keys(arena, NEARNESS_STEPS, triangle_count, step, steps);
}

/* the triangles of each band */
static ossa_status sort_into_bands(ossai_arena *arena, draw_job *job, size_t triangle_count, size_t band_count)
{
	ossai_csr steps;
	OSSAI_TRY(sort_by_nearness(arena, job, triangle_count, &steps));
	OSSAI_TRY(ossai_csr_begin(arena, band_count, &job->bands));
	int32_t first, last;
	for (size_t i = 0; i < triangle_count; i++) {
		triangle_bands(job, i, &first, &last);
		for (int32_t band = first; band <= last; band++) ossai_csr_count(&job->bands, (size_t)band);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &job->bands));
	for (size_t i = 0; i < triangle_count; i++) {
		triangle_bands(job, steps.item[i], &first, &last);
		for (int32_t band = first; band <= last; band++) ossai_csr_put(&job->bands, (size_t)band, steps.item[i]);
	}
	return OSSA_OK;
}

ossa_status ossai_raster_draw(ossa_context *context, ossai_raster *raster, const ossai_raster_point *points,
	size_t triangle_count, const uint32_t *triangles, const ossai_raster_rules *rules)
{
	const ossai_raster_rules all = {0};
	ossai_arena arena = ossai_arena_begin(context);
	draw_job job = {.raster = raster, .points = points, .triangles = triangles, .rules = rules ? rules : &all};
	job.is_sorted_out = job.rules->before || job.rules->behind || job.rules->tested_kinds;
	const size_t bands = (raster->height + BAND_ROWS - 1) / BAND_ROWS;
	const size_t block_rows = (raster->height + BLOCK - 1) / BLOCK;
	job.block_columns = (raster->width + BLOCK - 1) / BLOCK;
	job.block_farthest = ossai_arena_zero(&arena, job.block_columns * block_rows, sizeof *job.block_farthest);
	job.block_writes = ossai_arena_zero(&arena, job.block_columns * block_rows, sizeof *job.block_writes);
	ossa_status status = job.block_farthest && job.block_writes ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = sort_into_bands(&arena, &job, triangle_count, bands);
	if (status == OSSA_OK) ossai_parallel_for(context, bands, 1, draw_bands, &job);
	ossai_arena_end(&arena);
	return status;
}
