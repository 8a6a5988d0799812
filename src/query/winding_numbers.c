/* query/winding_numbers.c: the generalised winding number of a point as the sum of the solid angles
   of all faces.

   Place in the path: metrics, shell.
   Input: a surface and points.
   Output: winding numbers.
   Source: A. Jacobson, L. Kavan and O. Sorkine-Hornung, Robust Inside-Outside Segmentation,
   2013. */
#include "query/winding_numbers.h"

#include "query/solid_angle.h"
#include "query/winding_rays.h"

typedef struct winding_job {
	const ossai_mesh_view *mesh;
	const double *points;
	double *numbers;
} winding_job;

static void winding_range(void *arg, size_t begin, size_t end)
{
	const winding_job *job = arg;
	for (size_t p = begin; p < end; p++) {
		const ossai_vec3 point = ossai_v3_of(job->points + 3 * p);
		ossai_angle_sum sum = {1, 0, 0};
		for (size_t f = 0; f < job->mesh->face_count; f++) {
			double re, im;
			ossai_half_angle(ossai_sub(ossai_view_corner(job->mesh, f, 0), point),
				ossai_sub(ossai_view_corner(job->mesh, f, 1), point), ossai_sub(ossai_view_corner(job->mesh, f, 2), point), &re,
				&im);
			ossai_turn_by(&sum, re, im);
		}
		job->numbers[p] = ossai_turns_of(&sum);
	}
}

void ossai_winding_numbers(
	ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points, double *numbers)
{
	winding_job job = {mesh, points, numbers};
	ossai_parallel_for(context, point_count, 1, winding_range, &job);
}

ossa_status ossai_winding_numbers_fast(
	ossa_context *context, const ossai_mesh_view *mesh, size_t point_count, const double *points, double *numbers)
{
	/* Making a tree costs about as much as this many points without one, and only helps with many
	   faces. Rays cost less than either where the strips of the border do, and where a point's
	   own faces are few against those of all. */
	enum { TREE_POINTS = 40, TREE_FACES = 1000, RAY_POINTS_MOST = 4096, STRIPS_OF_FACE = 4 };
	bool made = false;
	const bool are_many = point_count >= TREE_POINTS || (mesh->face_count >= TREE_FACES && point_count > 0);
	if (are_many && point_count <= RAY_POINTS_MOST) {
		const size_t border_most = STRIPS_OF_FACE * mesh->face_count / point_count;
		OSSAI_TRY(ossai_winding_numbers_by_rays(context, mesh, border_most, point_count, points, numbers, &made));
	}
	if (made) return OSSA_OK;
	if (point_count < TREE_POINTS || mesh->face_count < TREE_FACES) {
		ossai_winding_numbers(context, mesh, point_count, points, numbers);
		return OSSA_OK;
	}
	ossai_arena arena = ossai_arena_begin(context);
	ossai_winding_tree *tree;
	const ossa_status status = ossai_winding_tree_make(&arena, mesh, &tree);
	if (status == OSSA_OK) ossai_winding_tree_numbers(context, tree, point_count, points, numbers);
	ossai_arena_end(&arena);
	return status;
}
