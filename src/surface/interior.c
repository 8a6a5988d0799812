/* surface/interior.c: see interior.h. */
#include "surface/interior.h"

#include "mesh/pieces.h"

static void take_positions(ossai_interior *n, size_t pose)
{
	for (size_t p = 0; p < n->point_count; p++) {
		const size_t v = n->weld.vertex_of_point[p];
		const ossai_vec3 x = pose == OSSAI_REST_POSE ? ossai_rest_point(n->surface, v) : ossai_pose_point(n->surface, v, pose);
		ossai_v3_store(x, n->positions + 3 * p);
	}
}

ossa_status ossai_interior_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_interior *n)
{
	ossa_context *context = arena->context;
	const size_t faces = surface->face_count;
	const ossai_mesh_view whole = ossai_posed_surface_view(surface);
	*n = (ossai_interior){.surface = surface};
	OSSAI_TRY(ossai_weld_make(arena, &whole, surface->used, &n->weld));
	n->point_count = n->weld.point_count;
	n->piece_of_face = ossai_arena_new(arena, faces, sizeof *n->piece_of_face);
	n->piece_of_point = n->piece_of_face ? ossai_arena_new(arena, n->point_count, sizeof *n->piece_of_point) : NULL;
	n->positions = n->piece_of_point ? ossai_arena_new(arena, n->point_count, 3 * sizeof *n->positions) : NULL;
	if (!n->positions) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_pieces_make(
		context, n->point_count, faces, n->weld.triangles, n->piece_of_face, n->piece_of_point, &n->piece_count));
	const ossai_mesh_view points = ossai_interior_view(n);
	OSSAI_TRY(ossai_laplacian_make(arena, &points, &n->laplacian));
	take_positions(n, OSSAI_REST_POSE);
	ossai_laplacian_fill(context, n->positions, &n->laplacian);
	return ossai_visibility_make(arena, &points, &n->laplacian, n->piece_of_face, n->piece_count, &n->visibility);
}

void ossai_interior_move(ossa_context *context, size_t pose, ossai_interior *n)
{
	take_positions(n, pose);
	ossai_laplacian_fill(context, n->positions, &n->laplacian);
	const ossai_mesh_view points = ossai_interior_view(n);
	ossai_visibility_move(&n->visibility, &points);
}
