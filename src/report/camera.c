/* report/camera.c: framing by support planes, and projection.

   Place in the path: between the posed surface and the rasteriser.
   Input: directions, points.
   Output: cameras, projected points. A point (x, y, z) is inside the right side of a pyramid of
   view with eye (a, d) where x - a <= t (d - z), that is x + t z <= a + t d; the largest left-hand
   sides over all points therefore give the nearest eye exactly, in one pass. */
#include "report/camera.h"

enum { POINTS_PER_RANGE = 4096 };

/* half opening of the longer side of the window: a long lens, as for a portrait, to limit
   perspective distortion */
static const double half_opening = 0.15;

void ossai_turn(double turns, double *cosine, double *sine)
{
	const double grid = 1 << 26;
	*cosine = round(cos(2 * OSSAI_PI * turns) * grid) / grid;
	*sine = round(sin(2 * OSSAI_PI * turns) * grid) / grid;
}

static ossai_vec3 axis(int index) { return ossai_v3(index == 0, index == 1, index == 2); }

ossai_framing ossai_framing_begin(const ossai_window *window, double azimuth, double elevation, int up)
{
	/* Y up: the front is +Z and its right +X; Z up: -Y and +X; X up: +Y and +Z */
	const ossai_vec3 above = axis(up), side = axis(up == 0 ? 2 : 0), front = ossai_cross(side, above);
	double turn_cos, turn_sin, rise_cos, rise_sin;
	ossai_turn(azimuth / 360, &turn_cos, &turn_sin);
	ossai_turn(elevation / 360, &rise_cos, &rise_sin);
	const ossai_vec3 outward = ossai_madd(ossai_scale(front, turn_cos), turn_sin, side);
	ossai_framing framing = {0};
	framing.right = ossai_madd(ossai_scale(side, turn_cos), -turn_sin, front);
	framing.back = ossai_madd(ossai_scale(outward, rise_cos), rise_sin, above);
	framing.up = ossai_cross(framing.back, framing.right);
	const double width = window->right - window->left, height = window->bottom - window->top;
	framing.tangent_x = width > height ? half_opening : half_opening * width / height;
	framing.tangent_y = width > height ? half_opening * height / width : half_opening;
	return framing;
}

static void keep_larger(double *largest, double value, bool first)
{
	if (first || value > *largest) *largest = value;
}

void ossai_framing_add(ossai_framing *framing, size_t count, const float *points)
{
	ossai_framing f = *framing;
	for (size_t i = 0; i < count; i++, f.point_count++) {
		const ossai_vec3 p = ossai_v3_of_float(points + 3 * i);
		const double x = ossai_dot(f.right, p), y = ossai_dot(f.up, p), z = ossai_dot(f.back, p);
		const bool first = f.point_count == 0;
		keep_larger(&f.right_reach, f.tangent_x * z + x, first);
		keep_larger(&f.left_reach, f.tangent_x * z - x, first);
		keep_larger(&f.up_reach, f.tangent_y * z + y, first);
		keep_larger(&f.down_reach, f.tangent_y * z - y, first);
		keep_larger(&f.nearest, z, first);
	}
	*framing = f;
}

void ossai_framing_cameras(const ossai_framing *framings, size_t count, const ossai_window *window, ossai_camera *cameras)
{
	double up_reach = framings[0].up_reach, down_reach = framings[0].down_reach;
	for (size_t i = 1; i < count; i++) {
		keep_larger(&up_reach, framings[i].up_reach, false);
		keep_larger(&down_reach, framings[i].down_reach, false);
	}
	double distance = (up_reach + down_reach) / (2 * framings[0].tangent_y);
	for (size_t i = 0; i < count; i++) {
		const ossai_framing *f = &framings[i];
		keep_larger(&distance, (f->right_reach + f->left_reach) / (2 * f->tangent_x), false);
		/* one point, or a line along the view: keep the eye off it */
		keep_larger(&distance, f->nearest + 0.25 + 0.01 * fabs(f->nearest), false);
	}
	const double width = window->right - window->left, height = window->bottom - window->top;
	for (size_t i = 0; i < count; i++) {
		const ossai_framing *f = &framings[i];
		ossai_camera *camera = &cameras[i];
		*camera = (ossai_camera){.right = f->right, .up = f->up, .back = f->back, .distance = distance};
		camera->x = (f->right_reach - f->left_reach) / 2;
		camera->y = (up_reach - down_reach) / 2;
		camera->scale = (width > height ? width : height) / (2 * half_opening);
		camera->middle_x = (window->left + window->right) / 2;
		camera->middle_y = (window->top + window->bottom) / 2;
	}
}

typedef struct project_job {
	const ossai_camera *camera;
	const float *points;
	ossai_raster_point *projected;
} project_job;

static void project_range(void *arg, size_t begin, size_t end)
{
	const project_job *job = arg;
	const ossai_camera *c = job->camera;
	for (size_t i = begin; i < end; i++) {
		const ossai_vec3 p = ossai_v3_of_float(job->points + 3 * i);
		const double inverse = 1 / (c->distance - ossai_dot(c->back, p));
		const double x = c->middle_x + c->scale * (ossai_dot(c->right, p) - c->x) * inverse;
		const double y = c->middle_y - c->scale * (ossai_dot(c->up, p) - c->y) * inverse;
		job->projected[i] = ossai_raster_point_of(x, y, inverse);
	}
}

void ossai_camera_project(
	ossa_context *context, const ossai_camera *camera, size_t count, const float *points, ossai_raster_point *projected)
{
	project_job job = {camera, points, projected};
	ossai_parallel_for(context, count, POINTS_PER_RANGE, project_range, &job);
}

ossai_vec3 ossai_camera_eye(const ossai_camera *camera)
{
	const ossai_vec3 across = ossai_madd(ossai_scale(camera->right, camera->x), camera->y, camera->up);
	return ossai_madd(across, camera->distance, camera->back);
}
