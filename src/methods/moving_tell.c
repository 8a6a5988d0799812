/* methods/moving_tell.c: what is wrong with poses, as warnings.

   Place in the path: posed surface -> here -> parts.
   Input: poses.
   Output: warnings. */
#include "math/rigid_fit.h"
#include "methods/motion_tell.h"
#include "methods/moving.h"

#include <math.h>
#include <stdio.h>

/* a vertex this near to where a turn of the whole takes it has not moved: files of few decimals round by less */
static const double still_most = 1e-4;

static void compare_sizes(const ossai_moving_work *m)
{
	const ossai_posed_surface *s = &m->surface;
	double rest = 0;
	for (size_t v = 0; v < s->vertex_count; v++) rest += s->used[v] ? ossai_length2(ossai_rest_point(s, v)) : 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		/* the poses may be few of many, whose numbers are others */
		const char *name = m->poses->names && m->poses->names[k][0] ? m->poses->names[k] : NULL;
		ossai_tell_size(m->context, k, name, sqrt(s->pose_square[k] / rest));
	}
}

/* whether the pose is the rest, turned and moved as a whole */
static bool is_still(const ossai_posed_surface *s, size_t pose)
{
	double m[9] = {0};
	for (size_t v = 0; v < s->vertex_count; v++) {
		const double *p = s->rest + 3 * v, *q = s->poses + 3 * (v * s->pose_count + pose);
		for (size_t i = 0; s->used[v] && i < 9; i++) m[i] += p[i / 3] * q[i % 3];
	}
	const ossai_mat3 turn = ossai_quat_matrix(ossai_rigid_rotation(m));
	for (size_t v = 0; v < s->vertex_count; v++) {
		const ossai_vec3 there = ossai_mat3_mul_v(&turn, ossai_rest_point(s, v));
		if (s->used[v] && ossai_distance(there, ossai_pose_point(s, v, pose)) > still_most) return false;
	}
	return true;
}

static void tell_stillness(const ossai_moving_work *m, char text[256])
{
	const size_t count = m->surface.pose_count;
	snprintf(text, 256,
		"nothing moves against anything else in the %zu frame%s, so there is no joint to find: give frames in which the shape "
		"bends, or have the shape rigged as it is at rest, by contraction or volume",
		count, count == 1 ? "" : "s");
}

ossa_status ossai_moving_refuse_stillness(const ossai_moving_work *m)
{
	char text[256];
	tell_stillness(m, text);
	return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL, "%s", text);
}

ossa_status ossai_moving_tell_poses(const ossai_moving_work *m)
{
	char text[256];
	compare_sizes(m);
	for (size_t k = 0; k < m->surface.pose_count; k++) {
		if (!is_still(&m->surface, k)) return OSSA_OK;
	}
	if (m->options.parts == OSSA_PARTS_SPECTRAL) return ossai_moving_refuse_stillness(m);
	tell_stillness(m, text);
	ossai_warn(m->context, "no-motion", 1, "%s", text);
	return OSSA_OK;
}
