/* query/clearance.c: see clearance.h. */
#include "query/clearance.h"

#include "math/triangle.h"

#include <ossa/mesh.h>

/* The least clearance, a share of the size, that counts as more than 0; and the most steps
   from ball to ball along a segment. */
static const double TOUCHING = 1e-5;
enum { STEPS_MOST = 400 };

ossa_status ossai_clearance_make(ossai_arena *arena, const ossai_mesh_view *mesh, bool with_inside, ossai_clearance *clearance)
{
	*clearance = (ossai_clearance){.group = ossai_arena_zero(arena, mesh->face_count, sizeof *clearance->group)};
	if (!clearance->group) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_face_tree_make(arena, mesh, &clearance->tree));
	ossai_face_tree_set_groups(&clearance->tree, clearance->group);
	if (!with_inside) return OSSA_OK;
	return ossai_winding_tree_make(arena, mesh, &clearance->winding);
}

static void corners_of(const ossai_clearance *clearance, uint32_t face, ossai_vec3 corner[3])
{
	for (int k = 0; k < 3; k++) {
		corner[k] = ossai_v3_of_float(
			clearance->tree.positions + 3 * (size_t)clearance->tree.triangles[3 * (size_t)face + (size_t)k]);
	}
}

static double find_nearest(
	const ossai_clearance *clearance, ossai_vec3 from, ossai_near_face within, double near2, ossai_vec3 *point, uint32_t *face)
{
	const ossai_near_face near = ossai_face_tree_nearest_beyond(
		&clearance->tree, clearance->group, from, OSSA_NONE, within, near2);
	if (near.face == OSSA_NONE) return INFINITY;
	if (face) *face = near.face;
	if (point) {
		ossai_vec3 corner[3];
		double share[3];
		corners_of(clearance, near.face, corner);
		*point = ossai_nearest_on_triangle(corner, from, share);
	}
	return sqrt(near.distance2);
}

double ossai_clearance_nearest(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 *point, uint32_t *face)
{
	if (face) *face = OSSA_NONE;
	return ossai_clearance_beyond(clearance, from, -INFINITY, point, face);
}

double ossai_clearance_beyond(const ossai_clearance *clearance, ossai_vec3 from, double near, ossai_vec3 *point, uint32_t *face)
{
	const double near2 = near < 0 ? -1 : near * near;
	return find_nearest(clearance, from, (ossai_near_face){OSSA_NONE, INFINITY}, near2, point, face);
}

double ossai_clearance_within(const ossai_clearance *clearance, ossai_vec3 from, double most, ossai_vec3 *point, uint32_t *face)
{
	ossai_near_face within = {OSSA_NONE, most * most};
	if (*face != OSSA_NONE) {
		const double distance2 = ossai_face_distance2(clearance->tree.positions, clearance->tree.triangles, *face, from);
		if (distance2 <= within.distance2) within = (ossai_near_face){*face, distance2};
	}
	return find_nearest(clearance, from, within, -1, point, face);
}

bool ossai_clearance_inside(const ossai_clearance *clearance, ossai_vec3 point)
{
	return ossai_winding_tree_inside(clearance->winding, point);
}

bool ossai_clearance_clear(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 to)
{
	const double length = ossai_distance(from, to);
	double along = 0;
	for (int step = 0; step < STEPS_MOST; step++) {
		const ossai_vec3 at = ossai_lerp(from, to, length > 0 ? along / length : 0);
		const double here = ossai_clearance_nearest(clearance, at, NULL, NULL);
		if (here < TOUCHING) return false;
		along += here;
		if (along >= length) return true;
	}
	return false;
}

/* the parameter along `direction` at which a ray meets the face; infinite where it does not */
static double ray_parameter(const ossai_vec3 c[3], ossai_vec3 from, ossai_vec3 direction)
{
	const ossai_vec3 e1 = ossai_sub(c[1], c[0]), e2 = ossai_sub(c[2], c[0]), p = ossai_cross(direction, e2);
	const double determinant = ossai_dot(e1, p);
	if (!(fabs(determinant) > 1e-300)) return INFINITY;
	const ossai_vec3 s = ossai_sub(from, c[0]), q = ossai_cross(s, e1);
	const double u = ossai_dot(s, p) / determinant, v = ossai_dot(direction, q) / determinant;
	return u >= 0 && v >= 0 && u + v <= 1 ? ossai_dot(e2, q) / determinant : INFINITY;
}

bool ossai_clearance_midpoint(const ossai_clearance *clearance, ossai_vec3 from, ossai_vec3 *midpoint)
{
	ossai_vec3 foot, c[3];
	uint32_t face;
	if (!isfinite(ossai_clearance_nearest(clearance, from, &foot, &face))) return false;
	corners_of(clearance, face, c);
	const ossai_vec3 normal = ossai_cross(ossai_sub(c[1], c[0]), ossai_sub(c[2], c[0]));
	if (!(ossai_length2(normal) > 0)) return false;
	/* through the shape, starting a little off the face; no shape is longer than twice the size */
	const ossai_vec3 in = ossai_scale(ossai_unit(normal, normal), -1);
	const ossai_vec3 to = ossai_madd(foot, 2, in);
	double nearest = INFINITY;
	ossai_face_walk walk = ossai_face_walk_begin(&clearance->tree, foot, to);
	const uint32_t *faces;
	size_t count;
	while (ossai_face_walk_next(&clearance->tree, &walk, &faces, &count)) {
		for (size_t i = 0; i < count; i++) {
			if (faces[i] == face) continue;
			corners_of(clearance, faces[i], c);
			const double at = ray_parameter(c, foot, in);
			if (at > TOUCHING && at < nearest) nearest = at;
		}
	}
	if (!isfinite(nearest)) return false;
	*midpoint = ossai_madd(foot, nearest / 2, in);
	return true;
}
