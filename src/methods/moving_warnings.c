/* methods/moving_warnings.c: warnings about poses.

   Place in the path: posed surface -> here -> parts.
   Input: poses.
   Output: warnings. */
#include "math/rigid_fit.h"
#include "methods/motion_warnings.h"
#include "methods/moving.h"

#include <math.h>
#include <stdio.h>

/* A pose is still where all vertices are this close to the rest after a rigid motion, in diagonals:
   files of four decimals of a body 2 high round by less. */
static const double still_most = 1e-4;

static void compare_sizes(const ossai_moving_work *m)
{
	const ossai_posed_surface *s = &m->surface;
	double rest = 0;
	for (size_t v = 0; v < s->vertex_count; v++) rest += s->used[v] ? ossai_length2(ossai_rest_point(s, v)) : 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		/* the names: poses may be chosen from more frames, with other numbers */
		const char *name = m->poses->names && m->poses->names[k][0] ? m->poses->names[k] : NULL;
		ossai_warn_of_size(m->context, k, name, sqrt(s->pose_square[k] / rest));
	}
}

/* whether the pose is the rest after a rigid motion */
static bool pose_is_still(const ossai_posed_surface *s, size_t pose)
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

bool ossai_moving_is_still(const ossai_moving_work *m)
{
	for (size_t k = 0; k < m->surface.pose_count; k++) {
		if (!pose_is_still(&m->surface, k)) return false;
	}
	return true;
}

static void describe_stillness(const ossai_moving_work *m, char text[256])
{
	const size_t count = m->surface.pose_count;
	snprintf(text, 256,
		"no part of the mesh moves relative to another in the %zu frame%s, so there are no joints to find: use frames in which "
		"the shape bends, or rig its rest shape by `method contraction` or `method volume`",
		count, count == 1 ? "" : "s");
}

ossa_status ossai_moving_refuse_stillness(const ossai_moving_work *m)
{
	char text[256];
	describe_stillness(m, text);
	return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL, "%s", text);
}

ossa_status ossai_moving_warn_of_poses(const ossai_moving_work *m)
{
	char text[256];
	compare_sizes(m);
	if (!ossai_moving_is_still(m)) return OSSA_OK;
	if (m->options.parts == OSSA_PARTS_SPECTRAL) return ossai_moving_refuse_stillness(m);
	describe_stillness(m, text);
	ossai_warn(m->context, "no-motion", 1, "%s", text);
	return OSSA_OK;
}
