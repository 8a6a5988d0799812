/* proxy/shell.c: see shell.h. The outline:

   oriented faces (orient.c) -> a sparse grid with distances (shell_grid.c) and signs by winding
   numbers (shell_inside.c) -> an isosurface (isosurface.c) without the walls of cavities. */
#include "proxy/shell.h"

#include "base/union_find.h"
#include "query/winding_numbers.h"
#include "query/nearest_point.h"
#include "proxy/shell_grid.h"
#include "proxy/isosurface.h"

#include <ossa/mesh.h>
#include <string.h>

/* Factor to the number of vertices where parts are thin, and faces for each vertex wanted from
   which on the finer grid costs no more. */
enum { FINER = 2, MANY_FACES = 16 };
/* The share of thin points among those near the surface above which the grid is refined. */
static const double THIN_SHARE = 0.01;
/* Vertices of an isosurface for each square of the grid's step of its area: measured on
   creatures. */
static const double VERTICES_PER_STEP2 = 1.55;
/* Bounds of the steps along the longest side of the bounding box. Without the first, faces without
   area would ask for an infinite grid; without the second, few vertices for one of a single
   cell. */
static const double STEPS_MOST = 1000, STEPS_LEAST = 12;

/* the grid step that gives an isosurface of about as many vertices */
static double choose_step(const ossai_oriented *surface, size_t wanted)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * surface->point_count; i++) {
		low[i % 3] = fmin(low[i % 3], surface->points[i]);
		high[i % 3] = fmax(high[i % 3], surface->points[i]);
	}
	const double side = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
	const double step = sqrt(VERTICES_PER_STEP2 * surface->area / (double)(wanted > 16 ? wanted : 16));
	return fmin(fmax(step, side / STEPS_MOST), side / STEPS_LEAST);
}

/* ---- cavities ---- */

/* six times the volume of each connected component of the isosurface, at its first vertex */
static ossa_status measure_parts(ossai_arena *scratch, const ossai_isosurface *isosurface, uint32_t *parent, double **volume)
{
	*volume = ossai_arena_zero(scratch, isosurface->vertex_count, sizeof **volume);
	if (!*volume) return ossa_context_error(scratch->context)->status;
	ossai_union_begin(parent, isosurface->vertex_count);
	for (size_t f = 0; f < isosurface->face_count; f++) {
		const uint32_t *t = isosurface->triangles + 3 * f;
		ossai_union_join(parent, t[0], t[1]);
		ossai_union_join(parent, t[0], t[2]);
	}
	for (size_t f = 0; f < isosurface->face_count; f++) {
		const uint32_t *t = isosurface->triangles + 3 * f, root = ossai_union_find(parent, t[0]);
		/* relative to a vertex of the component: large coordinates could flip the sign by
		   rounding */
		const ossai_vec3 from = ossai_v3_of(isosurface->positions + 3 * (size_t)root);
		const ossai_vec3 a = ossai_sub(ossai_v3_of(isosurface->positions + 3 * (size_t)t[0]), from);
		const ossai_vec3 b = ossai_sub(ossai_v3_of(isosurface->positions + 3 * (size_t)t[1]), from);
		const ossai_vec3 c = ossai_sub(ossai_v3_of(isosurface->positions + 3 * (size_t)t[2]), from);
		(*volume)[root] += ossai_dot(a, ossai_cross(b, c));
	}
	return OSSA_OK;
}

/* removes components that face inward: the walls of cavities */
static ossa_status drop_cavities(ossa_context *context, ossai_isosurface *isosurface)
{
	ossai_arena scratch = ossai_arena_begin(context);
	double *volume = NULL;
	uint32_t *parent = ossai_arena_new(&scratch, isosurface->vertex_count, sizeof *parent);
	uint32_t *moved = parent ? ossai_arena_new(&scratch, isosurface->vertex_count, sizeof *moved) : NULL;
	const ossa_status status = moved ? measure_parts(&scratch, isosurface, parent, &volume)
									 : ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		size_t vertices = 0, faces = 0;
		for (uint32_t v = 0; v < isosurface->vertex_count; v++) {
			moved[v] = volume[ossai_union_find(parent, v)] > 0 ? (uint32_t)vertices : OSSA_NONE;
			if (moved[v] != OSSA_NONE)
				memmove(isosurface->positions + 3 * vertices++, isosurface->positions + 3 * (size_t)v, 3 * sizeof(double));
		}
		for (size_t f = 0; f < isosurface->face_count; f++) {
			const uint32_t *t = isosurface->triangles + 3 * f;
			if (moved[t[0]] == OSSA_NONE) continue;
			for (int k = 0; k < 3; k++) isosurface->triangles[3 * faces + (size_t)k] = moved[t[k]];
			faces++;
		}
		isosurface->vertex_count = vertices;
		isosurface->face_count = faces;
	}
	ossai_arena_end(&scratch);
	return status;
}

/* ---- the whole ---- */

typedef struct shell_job {
	ossai_arena *arena, *scratch;
	ossai_oriented surface;
	ossai_winding_tree *tree;
} shell_job;

/* The isosurface of one grid, where less than `most` of what is near the surface is thin; `thin`:
   how much of it is. Progress runs from `begin` to `end` of the whole. */
static ossa_status make_isosurface(
	const shell_job *job, size_t wanted, double begin, double end, double most, ossai_isosurface *isosurface, double *thin)
{
	ossa_context *context = job->arena->context;
	const double step = choose_step(&job->surface, wanted);
	ossai_arena scratch = ossai_arena_begin(context);
	ossai_shell_grid grid;
	ossa_status status = ossai_progress(context, begin);
	if (status == OSSA_OK) status = ossai_shell_grid_make(&scratch, &job->surface, step, &grid);
	if (status == OSSA_OK) status = ossai_progress(context, begin + 0.6 * (end - begin));
	if (status == OSSA_OK) status = ossai_shell_grid_fill(&grid, job->tree);
	if (status == OSSA_OK) status = ossai_progress(context, begin + 0.8 * (end - begin));
	if (status == OSSA_OK) status = ossai_shell_grid_make_field(&grid, thin);
	const bool is_fine = status == OSSA_OK && *thin < most;
	if (is_fine) status = ossai_isosurface_make(&grid, job->arena, isosurface);
	ossai_arena_end(&scratch);
	return is_fine && status == OSSA_OK ? drop_cavities(context, isosurface) : status;
}

/* on a finer grid where thin limbs would be lost; at once where the faces are so many that it costs
   no more */
static ossa_status make_fine_enough(const shell_job *job, size_t wanted, ossai_isosurface *isosurface)
{
	double thin;
	if (job->surface.face_count < MANY_FACES * wanted) {
		OSSAI_TRY(make_isosurface(job, wanted, 0.1, 0.5, THIN_SHARE, isosurface, &thin));
		if (thin < THIN_SHARE) return OSSA_OK;
	}
	return make_isosurface(job, FINER * wanted, 0.5, 0.9, INFINITY, isosurface, &thin);
}

static ossa_status make_shell(
	shell_job *job, size_t vertex_count, const double *positions, size_t wanted, ossai_isotropic_mesh *made)
{
	ossa_context *context = job->arena->context;
	const ossai_oriented *surface = &job->surface;
	if (surface->face_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"no face has three corners in different places: there is nothing to make a shell of");
	}
	const ossai_mesh_view mesh = ossai_oriented_view(surface);
	OSSAI_TRY(ossai_winding_tree_make(job->scratch, &mesh, &job->tree));
	ossai_isosurface isosurface;
	OSSAI_TRY(make_fine_enough(job, wanted, &isosurface));
	made->vertex_count = isosurface.vertex_count;
	made->face_count = isosurface.face_count;
	made->positions = isosurface.positions;
	made->triangles = isosurface.triangles;
	made->of_vertex = ossai_arena_new(job->arena, vertex_count, sizeof *made->of_vertex);
	if (!made->of_vertex) return ossa_context_error(context)->status;
	OSSAI_TRY(ossai_nearest_points(context, made->vertex_count, made->positions, vertex_count, positions, made->of_vertex));
	for (size_t v = 0; v < vertex_count; v++) {
		if (surface->point_of_vertex[v] == OSSA_NONE) made->of_vertex[v] = OSSA_NONE;
	}
	return ossai_progress(context, 1);
}

ossa_status ossai_shell_make(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t wanted, ossai_isotropic_mesh *made)
{
	*made = (ossai_isotropic_mesh){0};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	shell_job job = {.arena = arena, .scratch = &scratch};
	ossa_status status = ossai_orient(&scratch, vertex_count, positions, face_count, triangles, &job.surface);
	if (status == OSSA_OK) status = make_shell(&job, vertex_count, positions, wanted, made);
	ossai_arena_end(&scratch);
	return status;
}
