/* surface/posed_surface.c: centering, scaling, areas, adjacency: see the header. */
#include "surface/posed_surface.h"

#include "mesh/pieces.h"
#include "mesh/weld.h"
#include "surface/links.h"

#include <string.h>

enum { VERTEX_GRAIN = 2048 };

typedef struct fill_job {
	ossai_posed_surface *surface;
	const float *frames;
} fill_job;

/* centroid of the used vertices of one V x 3 array, summed in vertex order */
static ossai_vec3 centroid(const ossai_posed_surface *surface, const float *positions)
{
	ossai_vec3 sum = {0, 0, 0};
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (surface->used[v]) sum = ossai_add(sum, ossai_v3_of_float(positions + 3 * v));
	}
	return ossai_scale(sum, 1 / (double)surface->used_count);
}

static double diagonal(const ossai_posed_surface *surface, const float *positions)
{
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (!surface->used[v]) continue;
		const float *p = positions + 3 * v;
		low = ossai_v3(fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2]));
		high = ossai_v3(fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2]));
	}
	return ossai_distance(low, high);
}

static void fill_poses(void *arg, size_t begin, size_t end)
{
	const fill_job *job = arg;
	ossai_posed_surface *s = job->surface;
	for (size_t k = 0; k < s->pose_count; k++) {
		const float *frame = job->frames + 3 * k * s->vertex_count;
		for (size_t v = begin; v < end; v++) {
			const ossai_vec3 p = ossai_sub(ossai_v3_of_float(frame + 3 * v), s->pose_center[k]);
			ossai_v3_store(ossai_scale(p, 1 / s->scale), s->poses + 3 * (v * s->pose_count + k));
		}
	}
}

static void sum_poses(void *arg, size_t begin, size_t end)
{
	const fill_job *job = arg;
	ossai_posed_surface *s = job->surface;
	for (size_t k = begin; k < end; k++) {
		ossai_vec3 sum = {0, 0, 0};
		double square = 0;
		for (size_t v = 0; v < s->vertex_count; v++) {
			if (!s->used[v]) continue;
			const ossai_vec3 p = ossai_pose_point(s, v, k);
			square += ossai_length2(p);
			sum = ossai_add(sum, p);
		}
		s->pose_square[k] = square;
		s->pose_sum[k] = sum;
	}
}

void ossai_posed_surface_mark_used(ossai_posed_surface *surface)
{
	memset(surface->used, 0, surface->vertex_count);
	surface->used_count = 0;
	for (size_t i = 0; i < 3 * surface->face_count; i++) surface->used[surface->triangles[i]] = 1;
	for (size_t v = 0; v < surface->vertex_count; v++) surface->used_count += surface->used[v];
}

/* triangles refer to representatives, the other vertices are unused */
static ossa_status take_weld(ossai_arena *arena, const ossa_mesh *mesh, const uint32_t *first, ossai_posed_surface *s)
{
	uint32_t *triangles = ossai_arena_new(arena, s->face_count, 3 * sizeof *triangles);
	if (!triangles) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < 3 * s->face_count; i++) triangles[i] = first[mesh->triangles[i]];
	s->triangles = triangles;
	s->first_of_vertex = first;
	ossai_posed_surface_mark_used(s);
	return OSSA_OK;
}

/* welds seams. known: which vertices they join, or NULL */
static ossa_status weld(
	ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses, const uint32_t *known, ossai_posed_surface *s)
{
	size_t others = 0;
	ossai_posed_surface_mark_used(s);
	if (known) return take_weld(arena, mesh, known, s);
	uint32_t *first = ossai_arena_new(arena, s->vertex_count, sizeof *first);
	if (!first) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_weld_vertices(arena->context, s->vertex_count, s->used, mesh->positions, s->pose_count,
		poses ? poses->positions : NULL, first, &others));
	return others == 0 ? OSSA_OK : take_weld(arena, mesh, first, s);
}

static void fill_areas(ossai_posed_surface *surface)
{
	surface->area = 0;
	memset(surface->vertex_area, 0, surface->vertex_count * sizeof *surface->vertex_area);
	for (size_t f = 0; f < surface->face_count; f++) {
		const uint32_t *t = surface->triangles + 3 * f;
		const ossai_vec3 a = ossai_rest_point(surface, t[0]);
		const ossai_vec3 ab = ossai_sub(ossai_rest_point(surface, t[1]), a);
		const ossai_vec3 ac = ossai_sub(ossai_rest_point(surface, t[2]), a);
		const double area = 0.5 * ossai_length(ossai_cross(ab, ac));
		surface->face_area[f] = area;
		surface->area += area;
		for (int i = 0; i < 3; i++) surface->vertex_area[t[i]] += area / 3;
	}
}

void ossai_posed_surface_sum(ossa_context *context, ossai_posed_surface *s)
{
	ossai_parallel_for(context, s->pose_count, 1, sum_poses, &(fill_job){s, NULL});
	fill_areas(s);
}

ossa_status ossai_posed_surface_take_arrays(ossai_arena *arena, ossai_posed_surface *s)
{
	s->used = ossai_arena_zero(arena, s->vertex_count, 1);
	s->rest = ossai_arena_new(arena, s->vertex_count, 3 * sizeof *s->rest);
	s->pose_center = ossai_arena_new(arena, s->pose_count, sizeof *s->pose_center);
	s->pose_square = ossai_arena_new(arena, s->pose_count, sizeof *s->pose_square);
	s->pose_sum = ossai_arena_new(arena, s->pose_count, sizeof *s->pose_sum);
	s->face_area = ossai_arena_new(arena, s->face_count, sizeof *s->face_area);
	s->vertex_area = ossai_arena_new(arena, s->vertex_count, sizeof *s->vertex_area);
	s->piece_of_face = ossai_arena_new(arena, s->face_count, sizeof *s->piece_of_face);
	/* V x K x 24 bytes: an overflow of the product is caught by the allocator's check of V x (K x
	   24) */
	s->poses = ossai_arena_new(arena, s->vertex_count, s->pose_count * 3 * sizeof *s->poses);
	s->piece_of_vertex = ossai_arena_new(arena, s->vertex_count, sizeof *s->piece_of_vertex);
	const bool all = s->used && s->rest && s->pose_center && s->pose_square && s->pose_sum && s->face_area && s->vertex_area &&
		s->piece_of_face && s->piece_of_vertex && s->poses;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_posed_surface_check(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *poses)
{
	if (mesh->triangle_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the rest mesh has no faces: a rig needs a surface");
	}
	OSSAI_TRY(ossa_mesh_validate(context, mesh));
	if (!poses) return OSSA_OK;
	if (poses->frame_count == 0) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "there are no poses: give at least one beside the rest mesh");
	}
	if (poses->vertex_count != mesh->vertex_count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the poses have %zu vertices, the rest mesh %zu",
			poses->vertex_count, mesh->vertex_count);
	}
	return ossa_frames_validate(context, poses);
}

/* Positions are floats, whose steps grow with the distance from the origin. With fewer steps along
   the diagonal, corners of faces round to where others are: at 8000 a hand gets another number of
   bones, at 500 faces fall together. */
static const double LEAST_STEPS = 1e5;

void ossai_posed_surface_warn(ossa_context *context, const ossai_posed_surface *s, const ossa_mesh *mesh)
{
	const float *positions = mesh->positions;
	float farthest = 0;
	for (size_t v = 0; v < s->vertex_count; v++) {
		for (size_t k = 0; s->used[v] && k < 3; k++) farthest = fmaxf(farthest, fabsf(positions[3 * v + k]));
	}
	const double step = (double)nextafterf(farthest, INFINITY) - (double)farthest;
	if (s->scale >= LEAST_STEPS * step) return;
	ossai_warn(context, "coarse-positions", 0,
		"the mesh has a diagonal of %.3g and lies up to %.4g from the origin, where numbers in files and here are %.2g apart: "
		"details of the shape are lost",
		s->scale, (double)farthest, step);
}

/* all but what faces and vertices are next to */
static ossa_status make_shape(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses,
	const uint32_t *first_of_vertex, ossai_posed_surface *s)
{
	OSSAI_TRY(ossai_posed_surface_check(context, mesh, poses));
	*s = (ossai_posed_surface){.vertex_count = mesh->vertex_count,
		.face_count = mesh->triangle_count,
		.pose_count = poses ? poses->frame_count : 0,
		.triangles = mesh->triangles};
	OSSAI_TRY(ossai_posed_surface_take_arrays(arena, s));
	OSSAI_TRY(weld(arena, mesh, poses, first_of_vertex, s));
	s->scale = diagonal(s, mesh->positions);
	s->diagonal = 1;
	if (!(s->scale > 0)) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"all faces (%zu) of the rest mesh lie at one point, which has no size that a rig could have: look at the scale and "
			"at what was exported",
			s->face_count);
	}
	ossai_posed_surface_warn(context, s, mesh);
	s->rest_center = centroid(s, mesh->positions);
	for (size_t v = 0; v < s->vertex_count; v++) {
		const ossai_vec3 p = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * v), s->rest_center);
		ossai_v3_store(ossai_scale(p, 1 / s->scale), s->rest + 3 * v);
	}
	for (size_t k = 0; k < s->pose_count; k++) {
		s->pose_center[k] = centroid(s, poses->positions + 3 * k * s->vertex_count);
	}
	if (poses) ossai_parallel_for(context, s->vertex_count, VERTEX_GRAIN, fill_poses, &(fill_job){s, poses->positions});
	ossai_posed_surface_sum(context, s);
	return ossai_pieces_make(
		context, s->vertex_count, s->face_count, s->triangles, s->piece_of_face, s->piece_of_vertex, &s->piece_count);
}

ossa_status ossai_posed_surface_make_shape(
	ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, ossai_posed_surface *surface)
{
	return make_shape(context, arena, mesh, NULL, NULL, surface);
}

ossa_status ossai_posed_surface_make(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses,
	bool link_pieces, ossai_posed_surface *surface)
{
	return ossai_posed_surface_make_welded(context, arena, mesh, poses, link_pieces, NULL, surface);
}

ossa_status ossai_posed_surface_make_welded(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh,
	const ossa_frames *poses, bool link_pieces, const uint32_t *first_of_vertex, ossai_posed_surface *s)
{
	OSSAI_TRY(make_shape(context, arena, mesh, poses, first_of_vertex, s));
	OSSAI_TRY(ossai_adjacency_make(context, arena, s->vertex_count, s->face_count, s->triangles, &s->adjacency));
	s->patch_start = s->adjacency.vertex_start;
	s->patch_neighbor = s->adjacency.vertex_neighbor;
	if (mesh->polygon_count != mesh->triangle_count) {
		OSSAI_TRY(ossai_polygon_neighbors_make(context, arena, mesh, s->first_of_vertex, &s->patch_start, &s->patch_neighbor));
	}
	s->link_pieces = link_pieces;
	const ossai_mesh_view own = ossai_view_of_floats(s->vertex_count, mesh->positions, s->face_count, s->triangles);
	return ossai_links_make(
		arena, &own, s->adjacency.face_on_border, s->piece_of_face, s->piece_count, &s->links, &s->link_count);
}

static ossai_vec3 face_corner(const ossai_posed_surface *s, size_t face, int corner)
{
	return ossai_rest_point(s, s->triangles[3 * face + corner]);
}

/* the mean square distance over a triangle with centroid m from c is |m - c|^2 + sum |corner -
   m|^2 / 12 */
double ossai_posed_surface_spread(const ossai_posed_surface *s)
{
	if (!(s->area > 0)) return 0;
	ossai_vec3 center = ossai_v3(0, 0, 0);
	double square = 0;
	for (size_t f = 0; f < s->face_count; f++) {
		for (int i = 0; i < 3; i++) center = ossai_madd(center, s->face_area[f] / (3 * s->area), face_corner(s, f, i));
	}
	for (size_t f = 0; f < s->face_count; f++) {
		const ossai_vec3 a = face_corner(s, f, 0), b = face_corner(s, f, 1), c = face_corner(s, f, 2);
		const ossai_vec3 middle = ossai_scale(ossai_add(a, ossai_add(b, c)), 1.0 / 3);
		const double around = ossai_length2(ossai_sub(a, middle)) + ossai_length2(ossai_sub(b, middle)) +
			ossai_length2(ossai_sub(c, middle));
		square += s->face_area[f] * (ossai_length2(ossai_sub(middle, center)) + around / 12);
	}
	return sqrt(square / s->area);
}

void ossai_posed_surface_rescale(ossai_posed_surface *s, double scale)
{
	const double by = s->scale / scale;
	for (size_t i = 0; i < 3 * s->vertex_count; i++) s->rest[i] *= by;
	for (size_t i = 0; i < 3 * s->vertex_count * s->pose_count; i++) s->poses[i] *= by;
	for (size_t f = 0; f < s->face_count; f++) s->face_area[f] *= by * by;
	for (size_t v = 0; v < s->vertex_count; v++) s->vertex_area[v] *= by * by;
	s->area *= by * by;
	for (size_t k = 0; k < s->pose_count; k++) {
		s->pose_square[k] *= by * by;
		s->pose_sum[k] = ossai_scale(s->pose_sum[k], by);
	}
	s->diagonal *= by;
	s->scale = scale;
}
