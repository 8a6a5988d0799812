/* import/orient.c: Z up to Y up, units to metres: see orient.h.

   Place in the path: after the readers of meshes and caches.
   Input and output: points. Files of scenes say their axes and units themselves; theirs are in
   ossai_asset.space. */
#include "import/orient.h"

#include <math.h>

ossai_orientation ossai_orientation_of(const ossa_read_options *options)
{
	return (ossai_orientation){
		.turns = options->input_up == OSSA_UP_Z,
		.unit = options->input_unit > 0 ? options->input_unit : 1,
	};
}

static void turn(size_t count, float *vectors)
{
	for (size_t i = 0; i < count; i++) {
		float *v = vectors + 3 * i;
		const float y = v[1];
		v[1] = v[2];
		/* 0 stays 0: no negative zero comes into being */
		v[2] = 0 - y;
	}
}

ossa_status ossai_orient_points(
	ossa_context *context, ossai_orientation orientation, const char *path, size_t count, float *points)
{
	if (orientation.turns) turn(count, points);
	if (orientation.unit == 1) return OSSA_OK;
	for (size_t i = 0; i < 3 * count; i++) {
		points[i] = (float)(points[i] * orientation.unit);
		if (isfinite(points[i])) continue;
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"%s: vertex %zu is too far away for coordinates in metres: is `input-unit` right?", path, i / 3);
	}
	return OSSA_OK;
}

ossa_status ossai_orient_mesh(ossa_context *context, ossai_orientation orientation, const char *path, ossa_mesh *mesh)
{
	if (orientation.turns && mesh->normals) turn(mesh->normal_count, mesh->normals);
	return ossai_orient_points(context, orientation, path, mesh->vertex_count, mesh->positions);
}

/* ---- detecting axes and units that were not given ---- */

static void mean_of(size_t count, const float *points, double mean[3])
{
	for (int k = 0; k < 3; k++) mean[k] = 0;
	for (size_t i = 0; i < 3 * count; i++) mean[i % 3] += (double)points[i] / (double)count;
}

ossa_up ossai_orientation_seems(size_t count, const float *rest, const float *points)
{
	/* by how much better a rotation must fit, in squared distances, to be significant */
	static const double much = 1e-4;
	double rest_mean[3], mean[3], as_is = 0, from_z = 0, from_y = 0;
	mean_of(count, rest, rest_mean);
	mean_of(count, points, mean);
	for (size_t i = 0; i < count; i++) {
		double r[3], p[3];
		for (int k = 0; k < 3; k++) {
			r[k] = (double)rest[3 * i + (size_t)k] - rest_mean[k];
			p[k] = (double)points[3 * i + (size_t)k] - mean[k];
		}
		const double x = (p[0] - r[0]) * (p[0] - r[0]);
		as_is += x + (p[1] - r[1]) * (p[1] - r[1]) + (p[2] - r[2]) * (p[2] - r[2]);
		from_z += x + (p[2] - r[1]) * (p[2] - r[1]) + (-p[1] - r[2]) * (-p[1] - r[2]);
		from_y += x + (-p[2] - r[1]) * (-p[2] - r[1]) + (p[1] - r[2]) * (p[1] - r[2]);
	}
	if (from_z < much * as_is) return OSSA_UP_Z;
	return from_y < much * as_is ? OSSA_UP_Y : OSSA_UP_FILE;
}
