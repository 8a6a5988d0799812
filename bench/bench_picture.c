/* bench/bench_picture.c: the cost of a picture: growth with faces and pixels, and the worst surface
   for a rasteriser.

   `power` is the exponent p of seconds ~ n^p against the row above in the same table, n faces or
   pixels; 1 is linear. */
#include "base/clock.h"
#include "base/context.h"
#include "report/raster.h"
#include "samples/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void need(ossa_context *context, ossa_status status)
{
	if (status == OSSA_OK) return;
	fprintf(stderr, "%s\n", ossa_context_error(context)->message);
	exit(1);
}

typedef struct row {
	double n, seconds;
} row;

static void show(row *last, double n, double seconds, size_t bytes)
{
	printf(" %9.3f %8zu", seconds, bytes >> 20);
	if (last->n > 0) printf(" %8.2f", log(seconds / last->seconds) / log(n / last->n));
	printf("\n");
	*last = (row){n, seconds};
}

static ossa_sample *make_sample(ossa_context *context, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	options.faces = faces;
	options.frames = 2;
	ossa_sample *sample = NULL;
	need(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static void draw(ossa_context *context, const ossa_sample *sample, int width, int height, row *last, double n)
{
	ossa_picture_options options = ossa_picture_default();
	options.width = width;
	options.height = height;
	const int frame[] = {1};
	ossa_picture *picture = NULL;
	ossa_context_reset(context);
	const double begin = ossai_wall_seconds();
	need(context, ossa_picture_rig(context, sample->rig, frame, 1, &options, &picture));
	printf("%9zu %5d x %-5d", sample->rig->mesh->triangle_count, width, height);
	show(last, n, ossai_wall_seconds() - begin, ossa_context_peak_bytes(context));
	ossa_picture_free(context, picture);
}

/* triangles over the whole image, each in front of the one before for `rising` */
static void draw_soup(ossa_context *context, size_t count, bool rising, row *last)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_raster raster;
	need(context, ossai_raster_make(&arena, 1200, 900, &raster));
	ossai_raster_point *points = ossai_arena_new(&arena, 3 * count, sizeof *points);
	uint32_t *triangles = ossai_arena_new(&arena, 3 * count, sizeof *triangles);
	if (!points || !triangles) exit(1);
	uint32_t random = 1;
	for (size_t i = 0; i < 3 * count; i++) {
		random = random * 1664525u + 1013904223u;
		const int32_t x = (int32_t)((random >> 8) % (1200 * OSSAI_RASTER_PIXEL));
		random = random * 1664525u + 1013904223u;
		const int32_t y = (int32_t)((random >> 8) % (900 * OSSAI_RASTER_PIXEL));
		const double step = (double)(i / 3) / (double)count;
		points[i] = (ossai_raster_point){x, y, (float)(rising ? 0.1 + step : 1.1 - step)};
		triangles[i] = (uint32_t)i;
	}
	ossa_context_reset(context);
	const double begin = ossai_wall_seconds();
	need(context, ossai_raster_draw(context, &raster, points, count, triangles, NULL));
	printf("%9zu %-13s", count, rising ? "back to front" : "front to back");
	show(last, (double)count, ossai_wall_seconds() - begin, ossa_context_peak_bytes(context));
	ossai_arena_end(&arena);
}

int main(void)
{
	ossa_context *context = NULL;
	if (ossa_context_create(NULL, &context) != OSSA_OK) return 1;
	printf("pictures of a quadruped, %d threads\n    faces        pixels   seconds       MB    power\n",
		ossa_context_threads(context));
	row last = {0, 0};
	const int faces[] = {10000, 100000, 1000000};
	for (int i = 0; i < 3; i++) {
		ossa_sample *sample = make_sample(context, faces[i]);
		draw(context, sample, 1200, 900, &last, (double)sample->rig->mesh->triangle_count);
		ossa_sample_free(context, sample);
	}
	ossa_sample *sample = make_sample(context, 20000);
	last = (row){0, 0};
	for (int width = 300; width <= 2400; width *= 2) draw(context, sample, width, width * 3 / 4, &last, (double)width * width);
	ossa_sample_free(context, sample);
	printf("triangles as large as the image, rasteriser alone, 1200 x 900\n");
	for (int rising = 0; rising < 2; rising++) {
		last = (row){0, 0};
		for (size_t count = 100; count <= 10000; count *= 10) draw_soup(context, count, rising, &last);
	}
	ossa_context_free(context);
	return 0;
}
