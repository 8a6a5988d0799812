/* methods/recipe_tell.c: what is wrong with options, poses, or a rig that was made all the same, and is said.

   Place in the path: before the first stage, and after the rig is assembled.  In: options; poses; a rig.  Out: warnings. */
#include "math/rigid_fit.h"
#include "methods/motion_tell.h"
#include "methods/recipe.h"
#include "query/winding_numbers.h"

#include <math.h>
#include <stdio.h>

static const double INSIDE_WINDING = 0.5;
/* a vertex this near to where a turn of the whole takes it has not moved: files of few decimals round by less */
static const double still_most = 1e-4;

/* ---- options ---- */

void ossai_tell_unused(ossa_context *context, size_t count, const ossai_unused *options)
{
	char told[sizeof((ossa_warning *)NULL)->message] = "";
	size_t used = 0, given = 0;
	for (size_t i = 0; i < count; i++) {
		if (!options[i].is_given || used >= sizeof told) continue;
		used += (size_t)snprintf(
			told + used, sizeof told - used, "%s--%s (%s)", given++ > 0 ? ", " : "", options[i].name, options[i].why);
	}
	if (given > 0) ossai_warn(context, "unused-options", (int64_t)given, "without effect: %s", told);
}

/* ---- poses ---- */

static void compare_sizes(const ossai_recipe *r)
{
	const ossai_posed_surface *s = &r->surface;
	double rest = 0;
	for (size_t v = 0; v < s->vertex_count; v++) rest += s->used[v] ? ossai_length2(ossai_rest_point(s, v)) : 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		/* the poses may be few of many, whose numbers are others */
		const char *name = r->poses->names && r->poses->names[k][0] ? r->poses->names[k] : NULL;
		ossai_tell_size(r->context, k, name, sqrt(s->pose_square[k] / rest));
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

static void tell_stillness(const ossai_recipe *r, char text[256])
{
	const size_t count = r->surface.pose_count;
	snprintf(text, 256,
		"nothing moves against anything else in the %zu frame%s, so there is no joint to find: give frames in which the shape "
		"bends, or have the shape rigged as it is at rest, by contraction or volume",
		count, count == 1 ? "" : "s");
}

ossa_status ossai_recipe_refuse_stillness(const ossai_recipe *r)
{
	char text[256];
	tell_stillness(r, text);
	return ossai_fail(r->context, OSSA_ERROR_INPUT, NULL, "%s", text);
}

ossa_status ossai_recipe_tell_poses(const ossai_recipe *r)
{
	char text[256];
	compare_sizes(r);
	for (size_t k = 0; k < r->surface.pose_count; k++) {
		if (!is_still(&r->surface, k)) return OSSA_OK;
	}
	if (r->options.parts == OSSA_PARTS_SPECTRAL) return ossai_recipe_refuse_stillness(r);
	tell_stillness(r, text);
	ossai_warn(r->context, "no-motion", 1, "%s", text);
	return OSSA_OK;
}

/* ---- the rig ---- */

ossa_status ossai_recipe_moving_bones(ossai_recipe *r, const ossa_rig *rig, uint8_t **moves)
{
	const ossa_weights *w = &rig->weights;
	const size_t slots = (size_t)w->influences;
	*moves = ossai_arena_zero(r->arena, rig->skeleton.bone_count, 1);
	if (!*moves) return ossa_context_error(r->context)->status;
	for (size_t i = 0; i < w->vertex_count * slots; i++) {
		if (w->values[i] > OSSAI_IDLE_WEIGHT && r->surface.used[i / slots]) (*moves)[w->bones[i]] = 1;
	}
	if (r->has_common_root) (*moves)[0] = 1;
	return OSSA_OK;
}

/* bones that lost their skin after they were joined: they hold others, or nothing */
ossa_status ossai_recipe_tell_idle(ossai_recipe *r, const ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	size_t idle = 0, first = 0;
	uint8_t *moves;
	OSSAI_TRY(ossai_recipe_moving_bones(r, rig, &moves));
	for (size_t b = bones; b-- > 0;) {
		if (moves[b]) continue;
		idle++;
		first = b;
	}
	if (idle == 0) return OSSA_OK;
	ossai_warn(r->context, "idle-bones", (int64_t)idle,
		"%zu of %zu bones, %s%s, %s: the weights of others leave %s none; fewer bones may do", idle, bones,
		idle == 1 ? "" : "the first ", rig->skeleton.bones[first].name, idle == 1 ? "moves no vertex" : "move no vertex",
		idle == 1 ? "it" : "them");
	return OSSA_OK;
}

ossa_status ossai_recipe_tell_outside(ossai_recipe *r, const ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	double *joints = ossai_arena_new(r->arena, bones, 3 * sizeof *joints);
	double *windings = joints ? ossai_arena_new(r->arena, bones, sizeof *windings) : NULL;
	if (!windings) return ossa_context_error(r->context)->status;
	for (size_t b = 0; b < bones; b++) {
		for (size_t k = 0; k < 3; k++) joints[3 * b + k] = rig->skeleton.bones[b].joint[k];
	}
	const ossai_mesh_view mesh = ossai_view_of_mesh(rig->mesh);
	OSSAI_TRY(ossai_winding_numbers_fast(r->context, &mesh, bones, joints, windings));
	size_t outside = 0, first = 0;
	for (size_t b = bones; b-- > 0;) {
		if (fabs(windings[b]) > INSIDE_WINDING || (b == 0 && r->has_common_root) || (r->is_flat && r->is_flat[b])) continue;
		outside++;
		first = b;
	}
	if (outside == 0) return OSSA_OK;
	ossai_warn(r->context, "joints-outside", (int64_t)outside,
		"%zu of %zu joints, %s%s, %s outside the surface, or it is open there", outside, bones,
		outside == 1 ? "" : "the first ", rig->skeleton.bones[first].name, outside == 1 ? "lies" : "lie");
	return OSSA_OK;
}
