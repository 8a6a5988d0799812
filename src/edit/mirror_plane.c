/* edit/mirror_plane.c: see mirror_edit.h: which plane a limb is mirrored at. */
#include "edit/mirror_edit.h"

#include "mesh/bounds.h"
#include "proxy/mirror_counterparts.h"
#include "proxy/proxy.h"

#include <string.h>

bool ossai_other_side(const char *name, char other[OSSA_EDIT_NAME_SIZE])
{
	static const char sides[] = "LRlr", others[] = "RLrl";
	const size_t size = strlen(name);
	if (size < 3 || size >= OSSA_EDIT_NAME_SIZE || (name[size - 2] != '_' && name[size - 2] != '-')) return false;
	const char *side = strchr(sides, name[size - 1]);
	if (!side) return false;
	memcpy(other, name, size + 1);
	other[size - 1] = others[side - sides];
	return true;
}

static ossa_status find_by_shape(ossai_arena *arena, const ossa_mesh *mesh, ossai_mirror *plane)
{
	double time = 0;
	const ossa_frames rest = {
		.frame_count = 1, .vertex_count = mesh->vertex_count, .positions = mesh->positions, .times = &time};
	ossai_posed_surface surface;
	ossai_proxy proxy;
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = OSSA_PROXY_NONE;
	OSSAI_TRY(ossai_posed_surface_make(arena->context, arena, mesh, &rest, true, &surface));
	OSSAI_TRY(ossai_proxy_make(arena, &surface, &options, &proxy));
	OSSAI_TRY(ossai_mirror_find(arena, &proxy, NULL, plane));
	plane->offset = plane->offset * surface.scale + ossai_dot(plane->normal, surface.rest_center);
	return OSSA_OK;
}

/* Corresponding vertices give the plane exactly. A mesh that is not symmetric vertex by vertex
   keeps the plane of the search. */
static ossa_status refine_by_vertices(ossai_arena *arena, const ossa_mesh *mesh, double near, ossai_mirror *plane)
{
	double *points = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *points);
	if (!points) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) points[i] = mesh->positions[i];
	return ossai_mirror_refine(arena->context, mesh->vertex_count, points, near, plane);
}

/* from the joints of the one side to those of the other */
static bool find_by_names(const ossa_skeleton *skeleton, const ossa_rig *rig, ossai_mirror *plane)
{
	ossai_vec3 across = {0, 0, 0}, center = {0, 0, 0};
	size_t pairs = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		char other[OSSA_EDIT_NAME_SIZE];
		if (!ossai_other_side(bone->name, other) || (other[strlen(other) - 1] & ~0x20) != 'R') continue;
		const int32_t opposite = ossa_rig_bone(rig, other);
		if (opposite < 0) continue;
		const ossai_vec3 left = ossai_v3_of(bone->joint), right = ossai_v3_of(skeleton->bones[opposite].joint);
		across = ossai_add(across, ossai_sub(left, right));
		center = ossai_madd(center, 0.5, ossai_add(left, right));
		pairs++;
	}
	if (pairs == 0 || !(ossai_length(across) > 0)) return false;
	plane->exists = true;
	plane->normal = ossai_unit(across, ossai_v3(1, 0, 0));
	plane->offset = ossai_dot(plane->normal, ossai_scale(center, 1 / (double)pairs));
	return true;
}

ossa_status ossai_edit_plane(ossai_arena *arena, const ossai_edit_state *state, ossai_mirror *plane)
{
	const ossa_status status = find_by_shape(arena, state->rig->mesh, plane);
	/* a shape without an area has no plane of its own */
	if (status != OSSA_OK && status != OSSA_ERROR_INPUT) return status;
	if (status == OSSA_OK && plane->exists) {
		/* of the diagonal: the error of the search, then that of rounding */
		static const double NEAR = 1e-3, NEARER = 1e-5;
		const ossa_mesh *mesh = state->rig->mesh;
		const double diagonal = ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
		OSSAI_TRY(refine_by_vertices(arena, mesh, NEAR * diagonal, plane));
		return refine_by_vertices(arena, mesh, NEARER * diagonal, plane);
	}
	if (find_by_names(&state->rig->skeleton, state->rig, plane)) return OSSA_OK;
	return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL,
		"the shape has no plane of symmetry, and no bones named _L and _R define one");
}

/* mirrored, moved, mirrored back; axes of rotations are mirrored and turned round */
void ossai_mirror_modelled(const ossai_mirror *plane, double modelled[7])
{
	const ossai_quat turn = ossai_quat_of(modelled);
	if (!(ossai_quat_dot(turn, turn) > 0)) return;
	const ossai_mat3 r = ossai_quat_matrix(turn);
	const ossai_vec3 axis = ossai_v3_of(modelled), origin = ossai_mirror_point(plane, ossai_v3(0, 0, 0));
	const ossai_vec3 moved = ossai_add(ossai_mat3_mul_v(&r, origin), ossai_v3_of(modelled + 4));
	ossai_v3_store(ossai_madd(ossai_scale(axis, -1), 2 * ossai_dot(plane->normal, axis), plane->normal), modelled);
	ossai_v3_store(ossai_mirror_point(plane, moved), modelled + 4);
}
