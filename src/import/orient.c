/* import/orient.c: Z up to Y up, units to metres: see orient.h.

   Place in the path: behind the readers of meshes and caches, before anyone sees what they made.  In and out: points.
   Files of scenes say their axes and units themselves; theirs are in ossai_asset.space. */
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
			"%s: vertex %zu is too far away to be told in metres: is --input-unit right?", path, i / 3);
	}
	return OSSA_OK;
}

ossa_status ossai_orient_mesh(ossa_context *context, ossai_orientation orientation, const char *path, ossa_mesh *mesh)
{
	if (orientation.turns && mesh->normals) turn(mesh->normal_count, mesh->normals);
	return ossai_orient_points(context, orientation, path, mesh->vertex_count, mesh->positions);
}
