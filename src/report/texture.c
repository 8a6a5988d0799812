/* report/texture.c: smaller copies of images, and filtered lookups: see texture.h. */
#include "report/texture.h"

#include <math.h>

enum {
	ROWS_PER_RANGE = 16,
	LOOKUPS_MAX = 8 /* along a footprint; a longer one is blurred across, too */
};

/* ---- copies ---- */

typedef struct half_job {
	const ossai_light_codes *codes;
	const ossai_bitmap *from;
	bool is_color;
	ossai_bitmap *to;
} half_job;

static float value_of(const ossai_light_codes *codes, bool is_color, const uint8_t *texel, int channel)
{
	return is_color && channel < 3 ? codes->linear[texel[channel]] : (float)texel[channel] / 255;
}

/* the texels of the larger one that a texel touches: two, or three where sides are odd */
static void half_texel(const half_job *job, uint32_t x, uint32_t y, uint8_t *to)
{
	const uint32_t width = job->from->width, height = job->from->height;
	const uint32_t x_begin = (uint32_t)((uint64_t)x * width / job->to->width);
	const uint32_t y_begin = (uint32_t)((uint64_t)y * height / job->to->height);
	const uint32_t x_end = (uint32_t)(((uint64_t)(x + 1) * width + job->to->width - 1) / job->to->width);
	const uint32_t y_end = (uint32_t)(((uint64_t)(y + 1) * height + job->to->height - 1) / job->to->height);
	float sum[4] = {0};
	for (uint32_t j = y_begin; j < y_end; j++) {
		for (uint32_t i = x_begin; i < x_end; i++) {
			const uint8_t *texel = job->from->texels + 4 * ((size_t)j * width + i);
			for (int c = 0; c < 4; c++) sum[c] += value_of(job->codes, job->is_color, texel, c);
		}
	}
	const double count = (double)(x_end - x_begin) * (y_end - y_begin);
	for (int c = 0; c < 4; c++) {
		const double mean = (double)sum[c] / count;
		to[c] = job->is_color && c < 3 ? ossai_encode(&job->codes->srgb, mean) : (uint8_t)lround(fmin(mean, 1) * 255);
	}
}

static void half_rows(void *arg, size_t begin, size_t end)
{
	const half_job *job = arg;
	for (size_t y = begin; y < end; y++) {
		for (uint32_t x = 0; x < job->to->width; x++) {
			half_texel(job, x, (uint32_t)y, job->to->texels + 4 * (y * job->to->width + x));
		}
	}
}

static uint32_t half_of(uint32_t side) { return side > 1 ? side / 2 : 1; }

ossa_status ossai_texture_make(ossa_context *context, ossai_arena *arena, const ossai_light_codes *codes,
	const ossai_bitmap *bitmap, bool is_color, ossai_texture_levels *texture)
{
	*texture = (ossai_texture_levels){.is_color = is_color, .count = 1, .level = {*bitmap}};
	for (const ossai_bitmap *from = bitmap; from->width > 1 || from->height > 1; from = &texture->level[texture->count++]) {
		ossai_bitmap *to = &texture->level[texture->count];
		*to = (ossai_bitmap){.width = half_of(from->width), .height = half_of(from->height)};
		to->texels = ossai_arena_new(arena, (size_t)to->width * to->height, 4);
		if (!to->texels) return ossa_context_error(context)->status;
		half_job job = {codes, from, is_color, to};
		ossai_parallel_for(context, to->height, ROWS_PER_RANGE, half_rows, &job);
	}
	return OSSA_OK;
}

/* ---- lookups ---- */

/* the place in the image that a coordinate shows, from 0 to 1 */
static double place_inside(double coordinate, ossa_wrap wrap)
{
	if (wrap == OSSA_WRAP_CLAMP) return fmin(fmax(coordinate, 0), 1);
	if (wrap == OSSA_WRAP_REPEAT) return coordinate - floor(coordinate);
	const double of_pair = coordinate - 2 * floor(coordinate / 2);
	return of_pair > 1 ? 2 - of_pair : of_pair;
}

/* the texels on both sides of a coordinate, and the share of the second; those beyond the border of
   an image that is not repeated are its own */
static float texels_beside(double coordinate, uint32_t side, ossa_wrap wrap, uint32_t pair[2])
{
	const bool clamps = wrap != OSSA_WRAP_REPEAT;
	const double inside = place_inside(coordinate, wrap);
	const double at = inside * side - 0.5, below = floor(at);
	const int64_t first = (int64_t)below, last = (int64_t)side - 1;
	for (int k = 0; k < 2; k++) {
		const int64_t texel = first + k;
		if (texel < 0) pair[k] = clamps ? 0 : (uint32_t)last;
		else if (texel > last) pair[k] = clamps ? (uint32_t)last : 0;
		else pair[k] = (uint32_t)texel;
	}
	return (float)(at - below);
}

/* adds `share` of the value between four texels */
static void add_between(const ossai_texture_levels *texture, const ossai_light_codes *codes, int level,
	const ossa_wrap wraps[2], const double at[2], float share, float sum[4])
{
	const ossai_bitmap *b = &texture->level[level];
	uint32_t x[2], y[2];
	const float u = texels_beside(at[0], b->width, wraps[0], x);
	const float v = texels_beside(1 - at[1], b->height, wraps[1], y);
	for (int i = 0; i < 4; i++) {
		const float weight = share * (i & 1 ? u : 1 - u) * (i & 2 ? v : 1 - v);
		const uint8_t *texel = b->texels + 4 * ((size_t)y[i >> 1] * b->width + x[i & 1]);
		for (int c = 0; c < 4; c++) sum[c] += weight * value_of(codes, texture->is_color, texel, c);
	}
}

/* the logarithm to the base 2 by straight lines between powers of 2: the same everywhere */
static double plain_log2(double value)
{
	int exponent;
	const double mantissa = frexp(value, &exponent);
	return exponent - 2 + 2 * mantissa;
}

/* in texels */
static double reach(const double step[2], const ossai_bitmap *whole)
{
	const double x = step[0] * whole->width, y = step[1] * whole->height;
	return sqrt(x * x + y * y);
}

static bool is_usable(const ossai_texture_spot *s)
{
	const double all[6] = {s->at[0], s->at[1], s->across[0], s->across[1], s->down[0], s->down[1]};
	for (int i = 0; i < 6; i++) {
		if (!(fabs(all[i]) < 1e9)) return false;
	}
	return true;
}

void ossai_texture_look_up(const ossai_texture_levels *texture, const ossai_light_codes *codes, const ossa_wrap wraps[2],
	const ossai_texture_spot *spot, float value[4])
{
	const ossai_texture_spot nowhere = {{0, 0}, {0, 0}, {0, 0}}, *s = is_usable(spot) ? spot : &nowhere;
	const double across = reach(s->across, texture->level), down = reach(s->down, texture->level);
	const double *along = across > down ? s->across : s->down;
	const double longer = fmax(across, down), shorter = fmax(fmin(across, down), 1);
	const int lookups = (int)fmin(fmax(ceil(longer / shorter), 1), LOOKUPS_MAX);
	const double level = fmin(plain_log2(fmax(fmax(longer / lookups, shorter), 1)), texture->count - 1);
	const int first = (int)level;
	const float share = (float)(level - first), each = 1 / (float)lookups;
	for (int c = 0; c < 4; c++) value[c] = 0;
	for (int i = 0; i < lookups; i++) {
		const double step = (i + 0.5) / lookups - 0.5;
		const double at[2] = {s->at[0] + step * along[0], s->at[1] + step * along[1]};
		add_between(texture, codes, first, wraps, at, each * (1 - share), value);
		if (share > 0) add_between(texture, codes, first + 1, wraps, at, each * share, value);
	}
}
