/* skeleton/from_motion/slide_contact.c: see slide_contact.h. */
#include "skeleton/from_motion/slide_contact.h"

#include "base/order.h"
#include "math/triangle.h"
#include "query/face_tree.h"
#include "query/winding_numbers.h"
#include "surface/sheets.h"

#include <stdlib.h>

/* Degrees. The nearest points of what holds a part leave at most this much free around it: 180
   where they are on two opposite sides; a corner of a floor and a wall leaves 270. */
static const double free_most = 225;
/* a point is near another part up to this share of its own part's size */
static const double near_share = 0.5;

typedef struct holding {
	const ossai_slide_pair *pair;
	ossai_arena *arena;
	uint32_t *triangles[2], *group[2];
	ossai_face_tree tree[2];
	ossai_winding_tree *inside[2];
} holding;

static ossa_status last_error(const holding *h) { return ossa_context_error(h->arena->context)->status; }

static ossa_status make_trees(holding *h, int side)
{
	const ossai_posed_surface *s = h->pair->surface;
	const size_t count = h->pair->face_count[side];
	ossai_mesh_view view = ossai_posed_surface_view(s);
	uint32_t *triangles = h->triangles[side] = ossai_arena_new(h->arena, count, 3 * sizeof *triangles);
	uint32_t *group = h->group[side] = ossai_arena_zero(h->arena, count, sizeof *group);
	if (!triangles || !group) return last_error(h);
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < 3; k++) triangles[3 * i + k] = s->triangles[3 * (size_t)h->pair->faces[side][i] + k];
	}
	view.triangles = triangles;
	view.face_count = count;
	OSSAI_TRY(ossai_face_tree_make(h->arena, &view, &h->tree[side]));
	ossai_face_tree_set_groups(&h->tree[side], group);
	return ossai_winding_tree_make(h->arena, &view, &h->inside[side]);
}

/* sample `i` of four of a face: its corners and its center */
static ossai_vec3 sample_of(const holding *h, int side, size_t i)
{
	const ossai_posed_surface *s = h->pair->surface;
	const uint32_t *t = h->triangles[side] + 3 * (i / 4);
	if (i % 4 < 3) return ossai_rest_point(s, t[i % 4]);
	return ossai_scale(
		ossai_add(ossai_rest_point(s, t[0]), ossai_add(ossai_rest_point(s, t[1]), ossai_rest_point(s, t[2]))), 1.0 / 3);
}

static ossai_near_face nearest_to(const holding *h, int side, ossai_vec3 point, double within2)
{
	return ossai_face_tree_nearest(&h->tree[side], h->group[side], point, OSSA_NONE, (ossai_near_face){OSSA_NONE, within2});
}

/* ---- around it ---- */

/* directions square to the axis, as angles; false where the nearest point lies along the axis */
static bool find_angle(const holding *h, ossai_vec3 point, uint32_t face, ossai_vec3 u, ossai_vec3 v, double *angle)
{
	const ossai_posed_surface *s = h->pair->surface;
	const uint32_t *t = h->triangles[0] + 3 * (size_t)face;
	const ossai_vec3 corner[3] = {ossai_rest_point(s, t[0]), ossai_rest_point(s, t[1]), ossai_rest_point(s, t[2])};
	double share[3];
	const ossai_vec3 to = ossai_sub(ossai_nearest_on_triangle(corner, point, share), point);
	const double x = ossai_dot(to, u), y = ossai_dot(to, v), along = ossai_dot(to, h->pair->axis);
	if (!(x * x + y * y > along * along)) return false;
	*angle = atan2(y, x) * 180 / OSSAI_PI;
	return true;
}

static ossa_status is_enclosed(holding *h, bool *is)
{
	const ossai_slide_pair *pair = h->pair;
	const size_t samples = 4 * pair->face_count[1];
	double *angle = ossai_arena_new(h->arena, samples, sizeof *angle);
	size_t count = 0;
	const ossai_vec3 a = pair->axis, other = fabs(a.x) < 0.6 ? ossai_v3(1, 0, 0) : ossai_v3(0, 1, 0);
	const ossai_vec3 u = ossai_unit(ossai_cross(a, other), other), v = ossai_cross(a, u);
	const double reach = near_share * pair->size;
	if (!angle) return last_error(h);
	for (size_t i = 0; i < samples; i++) {
		const ossai_vec3 point = sample_of(h, 1, i);
		const ossai_near_face near = nearest_to(h, 0, point, reach * reach);
		/* inside of a solid the nearest point is where it comes out, not what holds it */
		if (near.face == OSSA_NONE || ossai_winding_tree_inside(h->inside[0], point)) continue;
		if (find_angle(h, point, near.face, u, v, &angle[count])) count++;
	}
	*is = false;
	if (count < 2) return OSSA_OK;
	qsort(angle, count, sizeof *angle, ossai_compare_doubles);
	double largest = angle[0] + 360 - angle[count - 1];
	for (size_t i = 1; i < count; i++) largest = fmax(largest, angle[i] - angle[i - 1]);
	*is = largest <= free_most;
	return OSSA_OK;
}

/* ---- in every pose ---- */

static double distance_at_rest(const holding *h)
{
	double least = INFINITY;
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < 4 * h->pair->face_count[side]; i++) {
			const ossai_near_face near = nearest_to(h, 1 - side, sample_of(h, side, i), least);
			if (near.face != OSSA_NONE) least = fmin(least, near.distance2);
		}
	}
	return sqrt(least);
}

/* whether a point of one part is within `most` of the other, or, at 0, inside of it, deeper than
   what is unsure */
static bool holds(const holding *h, int side, ossai_vec3 point, double most)
{
	if (most > 0) return nearest_to(h, side, point, most * most).face != OSSA_NONE;
	const double slack = h->pair->slack;
	return ossai_winding_tree_inside(h->inside[side], point) && nearest_to(h, side, point, slack * slack).face == OSSA_NONE;
}

/* a point of either part that the other holds, the second moved; *last: where one was found
   before */
static bool touches(const holding *h, double distance, double most, size_t *last)
{
	const ossai_slide_pair *pair = h->pair;
	const size_t first = 4 * pair->face_count[0], all = first + 4 * pair->face_count[1];
	const ossai_vec3 moved = ossai_scale(pair->axis, distance);
	for (size_t n = 0; n < all; n++) {
		const size_t i = (*last + n) % all;
		const int side = i < first ? 0 : 1;
		const ossai_vec3 own = sample_of(h, side, side ? i - first : i);
		const ossai_vec3 point = side ? ossai_add(own, moved) : ossai_sub(own, moved);
		if (!holds(h, 1 - side, point, most)) continue;
		*last = i;
		return true;
	}
	return false;
}

/* at rest and in all poses */
static bool touches_always(const holding *h, double most)
{
	size_t last = 0;
	bool is_held = touches(h, 0, most, &last);
	for (size_t k = 0; k < h->pair->pose_count && is_held; k++) is_held = touches(h, h->pair->distance[k], most, &last);
	return is_held;
}

/* Solids that are drawn through each other: what sinks into a floor is not held by it. */
static ossa_status is_inside(holding *h, bool *is)
{
	const ossai_slide_pair *pair = h->pair;
	bool is_sheet;
	*is = touches_always(h, 0);
	if (!*is) return OSSA_OK;
	OSSAI_TRY(ossai_is_sheet(h->arena, pair->surface, pair->face_count[0], pair->faces[0], &is_sheet));
	*is = !is_sheet;
	return OSSA_OK;
}

ossa_status ossai_slide_is_held(ossai_arena *arena, const ossai_slide_pair *pair, bool *is_held)
{
	holding h = {.pair = pair, .arena = arena};
	OSSAI_TRY(make_trees(&h, 0));
	OSSAI_TRY(make_trees(&h, 1));
	OSSAI_TRY(is_enclosed(&h, is_held));
	if (*is_held) *is_held = touches_always(&h, distance_at_rest(&h) + pair->slack);
	return *is_held ? OSSA_OK : is_inside(&h, is_held);
}
