/* export/urdf/urdf_inertia.c: mass, center and inertia of a link.

   Place in the path: inside the URDF writer.
   Input: the mesh of a link.
   Output: those of the volume that it encloses, filled with water: a shape has no density, and this
   one is what simulators take (MuJoCo). A mesh that encloses none, as a part of a skin, has none.
   The integrals of 1, x and x x^T over a tetrahedron from the origin to a, b, c, with d = a (b x c)
   and s = a + b + c, are d / 6, d s / 24 and d (s s^T + a a^T + b b^T + c c^T) / 120. */
#include "export/urdf/urdf.h"

#include "mesh/orient.h"

/* kilograms a cubic metre */
static const double WATER = 1000;

/* over a volume */
typedef struct integrals {
	double volume;
	ossai_vec3 first;
	double second[3][3];
} integrals;

static void add_tetrahedron(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c, integrals *sum)
{
	const double d = ossai_dot(a, ossai_cross(b, c));
	const ossai_vec3 s = ossai_add(a, ossai_add(b, c)), all[4] = {s, a, b, c};
	sum->volume += d / 6;
	sum->first = ossai_madd(sum->first, d / 24, s);
	for (int i = 0; i < 4; i++) {
		const double v[3] = {all[i].x, all[i].y, all[i].z};
		for (int k = 0; k < 9; k++) sum->second[k / 3][k % 3] += d / 120 * v[k / 3] * v[k % 3];
	}
}

/* from a point of the surface, so that nothing large is subtracted */
static integrals integrate(const ossai_oriented *surface)
{
	integrals sum = {0, {0, 0, 0}, {{0}}};
	const ossai_vec3 from = ossai_v3_of(surface->points);
	for (size_t f = 0; f < surface->face_count; f++) {
		ossai_vec3 corner[3];
		for (size_t k = 0; k < 3; k++)
			corner[k] = ossai_sub(ossai_v3_of(surface->points + 3 * (size_t)surface->triangles[3 * f + k]), from);
		add_tetrahedron(corner[0], corner[1], corner[2], &sum);
	}
	return sum;
}

static void fill(const integrals *sum, ossai_vec3 from, ossai_urdf_solid *solid)
{
	const ossai_vec3 center = ossai_scale(sum->first, 1 / sum->volume);
	const double c[3] = {center.x, center.y, center.z};
	double spread[3][3];
	for (int k = 0; k < 9; k++) spread[k / 3][k % 3] = WATER * (sum->second[k / 3][k % 3] - sum->volume * c[k / 3] * c[k % 3]);
	const double trace = spread[0][0] + spread[1][1] + spread[2][2];
	solid->mass = WATER * sum->volume;
	ossai_v3_store(ossai_add(from, center), solid->center);
	for (int i = 0, at = 0; i < 3; i++) {
		for (int j = i; j < 3; j++) solid->inertia[at++] = (i == j ? trace : 0) - spread[i][j];
	}
}

static ossa_status weigh(ossai_arena *arena, const ossa_mesh *mesh, const ossai_rigid *frame, ossai_urdf_solid *solid)
{
	const ossai_rigid back = ossai_rigid_inverse(frame);
	ossai_oriented surface;
	double *points = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *points);
	if (!points) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < mesh->vertex_count; v++)
		ossai_v3_store(ossai_rigid_point(&back, ossai_v3_of_float(mesh->positions + 3 * v)), points + 3 * v);
	OSSAI_TRY(ossai_orient(arena, mesh->vertex_count, points, mesh->triangle_count, mesh->triangles, &surface));
	if (!surface.is_closed || surface.face_count == 0) return OSSA_OK;
	const integrals sum = integrate(&surface);
	if (sum.volume > 0) fill(&sum, ossai_v3_of(surface.points), solid);
	return OSSA_OK;
}

ossa_status ossai_urdf_weigh(ossa_context *context, const ossa_mesh *mesh, const ossai_rigid *frame, ossai_urdf_solid *solid)
{
	ossai_arena arena = ossai_arena_begin(context);
	*solid = (ossai_urdf_solid){.mass = 0};
	const ossa_status status = weigh(&arena, mesh, frame, solid);
	ossai_arena_end(&arena);
	return status;
}
