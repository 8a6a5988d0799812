/* report/shade.c: lamps and the sheet's light.

   Place in the path: pictures, after the rasteriser.
   Input: solids, cameras, samples.
   Output: linear light and coverage. Every pass works row by row and reads only what passes before
   it wrote.
   Ambient occlusion is that of ambient.c. */
#include "report/shade_job.h"
#include "report/surface_point.h"
#include "report/veils.h"

#include <string.h>

enum { SAMPLES = OSSAI_RASTER_SAMPLES, ROWS_PER_RANGE = 8 };

const ossai_light ossai_background = {0.905f, 0.912f, 0.926f};

/* lamps, in axes of the view (right, up, back): a warm key from the upper left, a cool fill, a
   light from behind */
static const double key_direction[3] = {-0.50, 0.66, 0.56}, key_light[3] = {0.80, 0.77, 0.72};
static const double fill_direction[3] = {0.86, 0.10, 0.50}, fill_light[3] = {0.11, 0.125, 0.15};
/* ambient light: from above and from the ground */
static const double sky_light[3] = {0.46, 0.47, 0.49}, ground_light[3] = {0.21, 0.20, 0.19};
static const double gloss_strength = 0.075, rim_strength = 0.16;

ossa_status ossai_canvas_make(ossai_arena *arena, size_t width, size_t height, ossai_canvas *canvas)
{
	*canvas = (ossai_canvas){0};
	OSSAI_TRY(ossai_raster_make(arena, width, height, &canvas->raster));
	canvas->surface = ossai_arena_new(arena, width * height, sizeof *canvas->surface);
	canvas->openness = canvas->surface ? ossai_arena_new(arena, width * height, sizeof *canvas->openness) : NULL;
	canvas->open_smooth = canvas->openness ? ossai_arena_new(arena, width * height, sizeof *canvas->open_smooth) : NULL;
	canvas->pixels = canvas->open_smooth ? ossai_arena_new(arena, width * height, sizeof *canvas->pixels) : NULL;
	return canvas->pixels ? OSSA_OK : ossa_context_error(arena->context)->status;
}

/* ---- a pixel ---- */

/* adds `share` of a lit point to the pixel */
static void add_lit(const ossai_shade_job *job, const ossai_surface_point *point, double share, ossai_shaded *pixel)
{
	const ossai_vec3 view = ossai_unit(ossai_sub(job->eye, point->position), job->camera->back);
	double facing = ossai_dot(point->normal, view);
	/* both sides of a surface are lit: borders show their inside */
	const ossai_vec3 n = facing < 0 ? ossai_scale(point->normal, -1) : point->normal;
	facing = fabs(facing);
	/* wrapped diffuse lighting, as from a lamp of some size */
	const double key = fmax((ossai_dot(n, job->key) + 0.22) / 1.22, 0), fill = fmax(ossai_dot(n, job->fill), 0);
	const double height = 0.5 + 0.5 * ossai_dot(n, job->world_up);
	const ossai_vec3 half = ossai_unit(ossai_add(job->key, view), view);
	double gloss = fmax(ossai_dot(n, half), 0);
	for (int i = 0; i < 5; i++) gloss *= gloss;
	const double edge = 1 - facing, rim = rim_strength * edge * edge * edge * height;
	for (int i = 0; i < 3; i++) {
		const double lamps = point->color[i] * (key_light[i] * key * key + fill_light[i] * fill + rim);
		const double sky = point->color[i] * (ground_light[i] + (sky_light[i] - ground_light[i]) * height);
		pixel->lamp[i] += (float)(share * (lamps + gloss_strength * gloss));
		pixel->sky[i] += (float)(share * sky);
		pixel->glow[i] += (float)(share * point->emission[i]);
	}
	const ossai_camera *c = job->camera;
	const double of_view[3] = {ossai_dot(n, c->right), ossai_dot(n, c->up), ossai_dot(n, c->back)};
	for (int i = 0; i < 3; i++) pixel->normal[i] += (float)(share * of_view[i]);
}

/* each triangle once, at the center of the samples it owns */
ossai_shaded ossai_shade_pixel(const ossai_shade_job *job, size_t x, size_t y)
{
	const uint32_t *owner = job->raster->owner + (y * job->raster->width + x) * SAMPLES;
	ossai_shaded pixel = {0};
	double distance = 0;
	for (int k = 0; k < SAMPLES; k++) {
		if (owner[k] == OSSA_NONE || (k > 0 && owner[k] == owner[k - 1])) continue;
		int count = 0, sum_x = 0, sum_y = 0;
		bool done = false;
		for (int i = 0; i < SAMPLES; i++) {
			if (owner[i] != owner[k]) continue;
			done = done || i < k;
			sum_x += ossai_raster_sample_x[i];
			sum_y += ossai_raster_sample_y[i];
			count++;
		}
		if (done) continue;
		const double pixel_center = OSSAI_RASTER_PIXEL / 2;
		const double px = (double)x * OSSAI_RASTER_PIXEL + pixel_center + (double)sum_x / count;
		const double py = (double)y * OSSAI_RASTER_PIXEL + pixel_center + (double)sum_y / count;
		const ossai_surface_point point = ossai_surface_point_at(job, owner[k], px, py);
		const double share = (double)count / SAMPLES * (job->of_veils ? point.alpha : 1);
		if (owner[k] < job->solid->lit_count) add_lit(job, &point, share, &pixel);
		else {
			for (int i = 0; i < 3; i++) pixel.lamp[i] += (float)(share * point.color[i]);
		}
		distance += share * point.distance;
		pixel.coverage += (float)share;
	}
	if (pixel.coverage > 0) pixel.distance = (float)(distance / pixel.coverage);
	return pixel;
}

static void shade_rows(void *arg, size_t begin, size_t end)
{
	const ossai_shade_job *job = arg;
	const size_t width = job->canvas->raster.width;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) job->canvas->surface[y * width + x] = ossai_shade_pixel(job, x, y);
	}
}

/* ---- the sheet's light ---- */

/* bright light rolls off instead of being clipped */
static double shoulder(double light) { return light < 0.7 ? light : 0.7 + (light - 0.7) / (1 + (light - 0.7) / 0.3); }

void ossai_shaded_light(const ossai_shaded *part, double open, double inverse, double light[3])
{
	/* where the sky is occluded the lamps are too: they are area lights */
	const double lamp = 0.45 + 0.55 * open;
	for (int i = 0; i < 3; i++) light[i] = shoulder((part->lamp[i] * lamp + part->sky[i] * open + part->glow[i]) * inverse);
}

/* the share of the ground's shadow that is kept near the rim of a cell, so that no cell cuts it */
static double rim_fade(size_t x, size_t y, size_t width, size_t height)
{
	const double u = fmin((double)x + 0.5, (double)(width - x) - 0.5) / (double)width;
	const double v = fmin((double)y + 0.5, (double)(height - y) - 0.5) / (double)height;
	const double t = fmin(fmin(u, v) / 0.08, 1);
	return t * t * (3 - 2 * t);
}

static ossai_pixel ground_pixel(const ossai_shade_job *job, size_t x, size_t y)
{
	const ossai_camera *c = job->camera;
	double dark = 0;
	if (job->ground) {
		const double u = ((double)x + 0.5 - c->middle_x) / c->scale, v = (c->middle_y - (double)y - 0.5) / c->scale;
		const ossai_vec3 direction = ossai_sub(ossai_madd(ossai_scale(c->right, u), v, c->up), c->back);
		/* the faint outer part of the shadow is left out: it only greys the sheet */
		dark = 1.0 * fmax(ossai_ground_dark(job->ground, job->eye, direction) - 0.025, 0);
		dark *= rim_fade(x, y, job->canvas->raster.width, job->canvas->raster.height);
	}
	/* without a background the shadow is a veil of black */
	if (!job->background) return (ossai_pixel){0, 0, 0, (float)dark};
	const float left = (float)(1 - dark);
	return (ossai_pixel){left * job->background->r, left * job->background->g, left * job->background->b, 1};
}

/* a pixel behind a veil */
static ossai_pixel through(const ossai_pixel *veil, const ossai_pixel *pixel)
{
	const float left = 1 - veil->coverage;
	return (ossai_pixel){veil->r + left * pixel->r, veil->g + left * pixel->g, veil->b + left * pixel->b,
		veil->coverage + left * pixel->coverage};
}

static void compose_rows(void *arg, size_t begin, size_t end)
{
	const ossai_shade_job *job = arg;
	const size_t width = job->canvas->raster.width;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) {
			const size_t at = y * width + x;
			const ossai_shaded *s = &job->canvas->surface[at];
			ossai_pixel pixel = {0, 0, 0, 0};
			if (s->coverage < 1) pixel = ground_pixel(job, x, y);
			const double behind = 1 - s->coverage, inverse = s->coverage > 0 ? 1 / (double)s->coverage : 0;
			double light[3];
			ossai_shaded_light(s, job->canvas->open_smooth[at], inverse, light);
			for (int i = 0; i < 3; i++) light[i] *= s->coverage;
			pixel = (ossai_pixel){(float)(light[0] + behind * pixel.r), (float)(light[1] + behind * pixel.g),
				(float)(light[2] + behind * pixel.b), (float)(s->coverage + behind * pixel.coverage)};
			job->canvas->pixels[at] = job->veils ? through(&job->veils[at], &pixel) : pixel;
		}
	}
}

/* ---- over the surface ---- */

/* the opacity of a part `depth` diagonals behind the surface */
static double xray(double depth)
{
	const double t = depth < 0.08 ? 0 : depth > 0.45 ? 1 : (depth - 0.08) / 0.37;
	return 0.97 - 0.45 * t * t * (3 - 2 * t);
}

static void overlay_rows(void *arg, size_t begin, size_t end)
{
	const ossai_shade_job *job = arg;
	const size_t width = job->canvas->raster.width;
	for (size_t y = begin; y < end; y++) {
		for (size_t x = 0; x < width; x++) {
			const ossai_shaded part = ossai_shade_pixel(job, x, y);
			if (part.coverage <= 0) continue;
			const ossai_shaded *surface = &job->canvas->surface[y * width + x];
			const double share = surface->coverage > 0 ? xray((double)part.distance - surface->distance) : 1;
			const double covered = share * part.coverage, behind = 1 - covered, inverse = 1 / (double)part.coverage;
			double light[3];
			for (int i = 0; i < 3; i++) light[i] = covered * shoulder(((double)part.lamp[i] + part.sky[i]) * inverse);
			ossai_pixel *pixel = &job->canvas->pixels[y * width + x];
			*pixel = (ossai_pixel){(float)(light[0] + behind * pixel->r), (float)(light[1] + behind * pixel->g),
				(float)(light[2] + behind * pixel->b), (float)(covered + behind * pixel->coverage)};
		}
	}
}

/* ---- the two passes ---- */

static ossai_vec3 in_view(const ossai_camera *c, const double *direction)
{
	const ossai_vec3 across = ossai_madd(ossai_scale(c->right, direction[0]), direction[1], c->up);
	return ossai_unit(ossai_madd(across, direction[2], c->back), c->back);
}

/* projects and rasterises; the job's points live in `arena` */
static ossa_status begin_job(ossa_context *context, ossai_arena *arena, ossai_canvas *canvas, const ossai_camera *camera,
	int up, const ossai_solid *solid, bool front_only, ossai_shade_job *job)
{
	*job = (ossai_shade_job){.canvas = canvas, .raster = &canvas->raster, .camera = camera, .solid = solid};
	job->eye = ossai_camera_eye(camera);
	job->inverse_scale = 1 / camera->scale;
	job->world_up = ossai_v3(up == 0, up == 1, up == 2);
	job->key = in_view(camera, key_direction);
	job->fill = in_view(camera, fill_direction);
	ossai_raster_point *points = ossai_arena_new(arena, solid->vertex_count, sizeof *points);
	if (!points) return ossa_context_error(context)->status;
	ossai_camera_project(context, camera, solid->vertex_count, solid->positions, points);
	job->points = points;
	ossai_raster_rules rules = {.front_only = front_only, .shows = ossai_surface_shows, .arg = job};
	if (solid->looks) {
		rules.kinds = solid->looks->kinds;
		rules.front_kinds = OSSAI_LOOK_ONE_SIDED;
		rules.tested_kinds = OSSAI_LOOK_MASK | OSSAI_LOOK_BLEND;
	}
	return ossai_raster_draw(context, &canvas->raster, points, solid->triangle_count, solid->triangles, &rules);
}

static ossa_status draw_veils(ossa_context *context, ossai_arena *arena, ossai_shade_job *job)
{
	if (!job->solid->looks || !job->solid->looks->has_blend) return OSSA_OK;
	job->veils = ossai_arena_zero(arena, job->raster->width * job->raster->height, sizeof *job->veils);
	return job->veils ? ossai_veils_draw(context, arena, job) : ossa_context_error(context)->status;
}

ossa_status ossai_canvas_surface(ossa_context *context, ossai_canvas *canvas, const ossai_camera *camera, int up,
	const ossai_solid *solid, const ossai_light *background, const ossai_ground *ground)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_shade_job job;
	ossa_status status = begin_job(context, &arena, canvas, camera, up, solid, false, &job);
	if (status == OSSA_OK) status = draw_veils(context, &arena, &job);
	if (status == OSSA_OK) {
		int32_t taps[OSSAI_TAP_PATTERNS][OSSAI_TAPS][2];
		ossai_ambient_taps(taps);
		job.taps = (const int32_t(*)[OSSAI_TAPS][2])taps;
		job.background = background;
		job.ground = ground;
		const size_t rows = canvas->raster.height;
		ossai_parallel_for(context, rows, ROWS_PER_RANGE, shade_rows, &job);
		ossai_parallel_for(context, rows, ROWS_PER_RANGE, ossai_ambient_open, &job);
		ossai_parallel_for(context, rows, ROWS_PER_RANGE, ossai_ambient_smooth, &job);
		ossai_parallel_for(context, rows, ROWS_PER_RANGE, compose_rows, &job);
	}
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_canvas_overlay(
	ossa_context *context, ossai_canvas *canvas, const ossai_camera *camera, int up, const ossai_solid *solid)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_shade_job job;
	const ossa_status status = begin_job(context, &arena, canvas, camera, up, solid, true, &job);
	if (status == OSSA_OK) ossai_parallel_for(context, canvas->raster.height, ROWS_PER_RANGE, overlay_rows, &job);
	ossai_arena_end(&arena);
	return status;
}
