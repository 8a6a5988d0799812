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

ossa_status ossai_interior_make(ossai_arena *arena, const ossai_posed_surface *surface, ossai_interior *interior)
{
	ossa_context *context = arena->context;
	const size_t faces = surface->face_count;
	const ossai_mesh_view whole = ossai_posed_surface_view(surface);
	*interior = (ossai_interior){.surface = surface};
	OSSAI_TRY(ossai_weld_make(arena, &whole, surface->used, &interior->weld));
	interior->point_count = interior->weld.point_count;
	interior->piece_of_face = ossai_arena_new(arena, faces, sizeof *interior->piece_of_face);
	interior->piece_of_point = interior->piece_of_face
		? ossai_arena_new(arena, interior->point_count, sizeof *interior->piece_of_point)
		: NULL;
	interior->positions = interior->piece_of_point
		? ossai_arena_new(arena, interior->point_count, 3 * sizeof *interior->positions)
		: NULL;
	if (!interior->positions) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_pieces_make(context, interior->point_count, faces, interior->weld.triangles, interior->piece_of_face,
		interior->piece_of_point, &interior->piece_count));
	const ossai_mesh_view points = ossai_interior_view(interior);
	OSSAI_TRY(ossai_laplacian_make(arena, &points, &interior->laplacian));
	take_positions(interior, OSSAI_REST_POSE);
	ossai_laplacian_fill(context, interior->positions, &interior->laplacian);
	return ossai_visibility_make(
		arena, &points, &interior->laplacian, interior->piece_of_face, interior->piece_count, &interior->visibility);
}

void ossai_interior_move(ossa_context *context, size_t pose, ossai_interior *interior)
{
	take_positions(interior, pose);
	ossai_laplacian_fill(context, interior->positions, &interior->laplacian);
	const ossai_mesh_view points = ossai_interior_view(interior);
	ossai_visibility_move(&interior->visibility, &points);
}
