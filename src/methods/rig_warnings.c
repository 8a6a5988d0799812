/* methods/rig_warnings.c: see rig_warnings.h. */
#include "methods/rig_warnings.h"

#include "query/inside.h"

#include <math.h>
#include <stdio.h>

/* ---- options ---- */

void ossai_warn_of_unused_options(ossa_context *context, size_t count, const ossai_unused *options)
{
	char text[sizeof((ossa_warning *)NULL)->message] = "";
	size_t used = 0, given = 0;
	for (size_t i = 0; i < count; i++) {
		if (!options[i].is_given || used >= sizeof text) continue;
		used += (size_t)snprintf(
			text + used, sizeof text - used, "%s`%s` (%s)", given++ > 0 ? ", " : "", options[i].name, options[i].why);
	}
	if (given > 0) ossai_warn(context, "unused-options", (int64_t)given, "without effect: %s", text);
}

/* ---- the rig ---- */

ossa_status ossai_find_moving_bones(
	ossai_arena *arena, const ossai_posed_surface *surface, const ossa_rig *rig, uint8_t **moves)
{
	const ossa_weights *w = &rig->weights;
	const size_t slots = (size_t)w->influences;
	*moves = ossai_arena_zero(arena, rig->skeleton.bone_count, 1);
	if (!*moves) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < w->vertex_count * slots; i++) {
		if (w->values[i] > OSSAI_IDLE_WEIGHT && surface->used[ossai_surface_vertex(surface, i / slots)])
			(*moves)[w->bones[i]] = 1;
	}
	return OSSA_OK;
}

ossa_status ossai_warn_of_idle_bones(
	ossai_arena *arena, const ossai_posed_surface *surface, bool has_common_root, const ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	size_t idle = 0, first = 0;
	uint8_t *moves;
	OSSAI_TRY(ossai_find_moving_bones(arena, surface, rig, &moves));
	for (size_t b = bones; b-- > 0;) {
		if (moves[b] || (b == 0 && has_common_root)) continue;
		idle++;
		first = b;
	}
	if (idle == 0) return OSSA_OK;
	ossai_warn(arena->context, "idle-bones", (int64_t)idle,
		"%zu of %zu bones, %s%s, %s: other bones have all of the skin around %s; fewer bones may do", idle, bones,
		idle == 1 ? "" : "the first ", rig->skeleton.bones[first].name, idle == 1 ? "moves no vertex" : "move no vertex",
		idle == 1 ? "it" : "them");
	return OSSA_OK;
}

ossa_status ossai_warn_of_outside_joints(ossai_arena *arena, bool has_common_root, const uint8_t *is_flat, const ossa_rig *rig)
{
	const size_t bones = rig->skeleton.bone_count;
	/* one bone turns nothing against anything: its joint may be anywhere */
	if (bones == 1) return OSSA_OK;
	double *joints = ossai_arena_new(arena, bones, 3 * sizeof *joints);
	uint8_t *is_inside = joints ? ossai_arena_new(arena, bones, sizeof *is_inside) : NULL;
	if (!is_inside) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bones; b++) {
		for (size_t k = 0; k < 3; k++) joints[3 * b + k] = rig->skeleton.bones[b].joint[k];
	}
	const ossai_mesh_view mesh = ossai_view_of_mesh(rig->mesh);
	OSSAI_TRY(ossai_find_inside(arena->context, &mesh, bones, joints, is_inside));
	size_t outside = 0, first = 0;
	for (size_t b = bones; b-- > 0;) {
		if (is_inside[b] || (b == 0 && has_common_root) || (is_flat && is_flat[b])) continue;
		outside++;
		first = b;
	}
	if (outside == 0) return OSSA_OK;
	ossai_warn(arena->context, "joints-outside", (int64_t)outside,
		"%zu of %zu joints, %s%s, %s outside the surface, or the surface is open there", outside, bones,
		outside == 1 ? "" : "the first ", rig->skeleton.bones[first].name, outside == 1 ? "lies" : "lie");
	return OSSA_OK;
}
