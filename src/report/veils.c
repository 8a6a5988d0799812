/* report/veils.c: partly transparent triangles, layer by layer from the front.

   Each layer is a picture of its own: of what is not in the layers before it, the nearest. So the
   order of triangles in the file does not matter, and triangles that cross each other are right.
   Source: C. Everitt, Interactive Order-Independent Transparency, NVIDIA, 2001. */
#include "report/veils.h"
#include "report/surface_point.h"

#include <string.h>

/* Layers behind these are left out: hardly any light comes through so many. */
enum { LAYERS_MAX = 32, ROWS_PER_RANGE = 8 };

typedef struct layer_job {
	ossai_shade_job *shade;
	uint8_t *is_drawn; /* by range: the layer has a sample there */
} layer_job;

/* what of a layer is seen through the layers before it */
static void add_pixel(const ossai_shaded *part, ossai_pixel *veil)
{
	const double left = 1 - (double)veil->coverage, covered = left * part->coverage, inverse = 1 / (double)part->coverage;
	double light[3];
	ossai_shaded_light(part, 1, inverse, light);
	*veil = (ossai_pixel){(float)(veil->r + covered * light[0]), (float)(veil->g + covered * light[1]),
		(float)(veil->b + covered * light[2]), (float)(veil->coverage + covered)};
}

static void add_rows(void *arg, size_t begin, size_t end)
{
	const layer_job *job = arg;
	const size_t width = job->shade->raster->width;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) {
			const ossai_shaded part = ossai_shade_pixel(job->shade, x, y);
			if (part.coverage <= 0) continue;
			add_pixel(&part, &job->shade->veils[y * width + x]);
			job->is_drawn[begin / ROWS_PER_RANGE] = 1;
		}
	}
}

static ossa_status draw_layer(ossa_context *context, ossai_shade_job *job, const ossai_raster *behind, ossai_raster *layer)
{
	const ossai_solid *solid = job->solid;
	const ossai_raster_rules rules = {.kinds = solid->looks->kinds,
		.front_kinds = OSSAI_LOOK_ONE_SIDED,
		.tested_kinds = OSSAI_LOOK_BLEND,
		.only_kinds = OSSAI_LOOK_BLEND,
		.shows = ossai_surface_shows,
		.arg = job,
		.before = &job->canvas->raster,
		.behind = behind};
	return ossai_raster_draw(context, layer, job->points, solid->triangle_count, solid->triangles, &rules);
}

ossa_status ossai_veils_draw(ossa_context *context, ossai_arena *arena, ossai_shade_job *job)
{
	const ossai_raster *surface = &job->canvas->raster;
	const size_t ranges = (surface->height + ROWS_PER_RANGE - 1) / ROWS_PER_RANGE;
	ossai_raster layers[2];
	layer_job own = {job, ossai_arena_new(arena, ranges, 1)};
	if (!own.is_drawn) return ossa_context_error(context)->status;
	for (int k = 0; k < 2; k++) OSSAI_TRY(ossai_raster_make(arena, surface->width, surface->height, &layers[k]));
	job->of_veils = true;
	for (int i = 0; i < LAYERS_MAX; i++) {
		OSSAI_TRY(draw_layer(context, job, i > 0 ? &layers[(i + 1) % 2] : NULL, &layers[i % 2]));
		job->raster = &layers[i % 2];
		memset(own.is_drawn, 0, ranges);
		ossai_parallel_for(context, surface->height, ROWS_PER_RANGE, add_rows, &own);
		if (!memchr(own.is_drawn, 1, ranges)) break;
	}
	job->of_veils = false;
	job->raster = surface;
	return OSSA_OK;
}
