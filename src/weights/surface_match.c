/* weights/surface_match.c: see surface_match.h. */
#include "weights/surface_match.h"

#include "math/triangle.h"
#include "mesh/normals.h"
#include "mesh/pieces.h"
#include "mesh/seams.h"
#include "query/face_tree.h"
#include "weights/blend.h"

enum { POINT_GRAIN = 256 };

/* ---- surfaces ---- */

static ossa_status find_pieces(ossai_arena *arena, ossai_match_surface *s)
{
	const size_t points = s->view.vertex_count, faces = s->view.face_count;
	uint32_t *piece_of_face = ossai_arena_new(arena, faces, sizeof *piece_of_face);
	s->piece_of_point = ossai_arena_new(arena, points, sizeof *s->piece_of_point);
	if (!piece_of_face || !s->piece_of_point) return ossa_context_error(arena->context)->status;
	return ossai_pieces_make(
		arena->context, points, faces, s->view.triangles, piece_of_face, s->piece_of_point, &s->piece_count);
}

ossa_status ossai_match_surface_make(ossai_arena *arena, const ossa_mesh *mesh, ossai_match_surface *s)
{
	*s = (ossai_match_surface){0};
	const ossai_mesh_view whole = ossai_view_of_mesh(mesh);
	OSSAI_TRY(ossai_seams_weld(arena, &whole, &s->weld));
	const size_t points = s->weld.point_count, faces = whole.face_count;
	s->positions = ossai_arena_new(arena, points, 3 * sizeof *s->positions);
	s->normals = ossai_arena_new(arena, points, 3 * sizeof *s->normals);
	if (!s->positions || !s->normals) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < 3 * points; i++) {
		s->positions[i] = mesh->positions[3 * (size_t)s->weld.vertex_of_point[i / 3] + i % 3];
	}
	s->view = ossai_view_of_floats(points, s->positions, faces, s->weld.triangles);
	ossai_vertex_faces around;
	OSSAI_TRY(ossai_vertex_faces_make(arena->context, arena, points, faces, s->weld.triangles, &around));
	ossai_vertex_normals(arena->context, points, s->weld.triangles, &around, s->positions, s->normals);
	return find_pieces(arena, s);
}

/* ---- places ---- */

typedef struct matching {
	const ossai_match_surface *from, *to;
	ossai_face_tree tree;
	uint32_t *group;   /* of each face: all 0 */
	double *agreement; /* N: the cosine of the angle between both normals; 0 where one has none */
	double distance, cosine;
	ossai_surface_match *match;
} matching;

static void match_point(const matching *m, size_t point)
{
	const ossai_vec3 p = ossai_v3_of_float(m->from->positions + 3 * point);
	const ossai_near_face near = ossai_face_tree_nearest(
		&m->tree, m->group, p, OSSA_NONE, (ossai_near_face){OSSA_NONE, INFINITY});
	const uint32_t *corner = m->to->view.triangles + 3 * (size_t)near.face;
	ossai_vec3 corners[3], normal = {0, 0, 0};
	for (int k = 0; k < 3; k++) corners[k] = ossai_view_point(&m->to->view, corner[k]);
	double *share = m->match->share + 3 * point;
	m->match->face[point] = near.face;
	m->match->distance[point] = ossai_distance(p, ossai_nearest_on_triangle(corners, p, share));
	for (int k = 0; k < 3; k++) {
		normal = ossai_madd(normal, share[k], ossai_v3_of_float(m->to->normals + 3 * (size_t)corner[k]));
	}
	m->agreement[point] = ossai_dot(ossai_unit(normal, ossai_v3(0, 0, 0)), ossai_v3_of_float(m->from->normals + 3 * point));
}

static void match_range(void *arg, size_t begin, size_t end)
{
	for (size_t p = begin; p < end; p++) match_point(arg, p);
}

/* faces of a piece look inwards where more of its points disagree than agree with what they lie
   on. votes: of pieces, all 0 */
static void vote(const matching *m, int64_t *votes)
{
	for (size_t p = 0; p < m->from->view.vertex_count; p++) {
		if (m->match->distance[p] > m->distance || fabs(m->agreement[p]) < m->cosine) continue;
		votes[m->from->piece_of_point[p]] += m->agreement[p] > 0 ? 1 : -1;
	}
}

static void decide(const matching *m, const int64_t *votes)
{
	for (size_t p = 0; p < m->from->view.vertex_count; p++) {
		const double agreement = votes[m->from->piece_of_point[p]] < 0 ? -m->agreement[p] : m->agreement[p];
		m->match->kind[p] = m->match->distance[p] > m->distance ? OSSAI_MATCH_FAR
			: agreement < m->cosine                             ? OSSAI_MATCH_TURNED
																: OSSAI_MATCH_SURE;
	}
}

static ossa_status take_arrays(ossai_arena *arena, size_t points, ossai_surface_match *match)
{
	match->face = ossai_arena_new(arena, points, sizeof *match->face);
	match->share = ossai_arena_new(arena, points, 3 * sizeof *match->share);
	match->distance = ossai_arena_new(arena, points, sizeof *match->distance);
	match->kind = ossai_arena_new(arena, points, sizeof *match->kind);
	const bool all = match->face && match->share && match->distance && match->kind;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_surface_match_make(ossai_arena *arena, const ossai_match_surface *from, const ossai_match_surface *to,
	double distance, double angle, ossai_surface_match *match)
{
	const size_t points = from->view.vertex_count;
	matching m = {.from = from, .to = to, .distance = distance, .cosine = cos(angle * OSSAI_PI / 180), .match = match};
	OSSAI_TRY(take_arrays(arena, points, match));
	m.group = ossai_arena_zero(arena, to->view.face_count, sizeof *m.group);
	m.agreement = ossai_arena_new(arena, points, sizeof *m.agreement);
	int64_t *votes = ossai_arena_zero(arena, from->piece_count, sizeof *votes);
	if (!m.group || !m.agreement || !votes) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_face_tree_make(arena, &to->view, &m.tree));
	ossai_face_tree_set_groups(&m.tree, m.group);
	ossai_parallel_for(arena->context, points, POINT_GRAIN, match_range, &m);
	vote(&m, votes);
	decide(&m, votes);
	return OSSA_OK;
}

void ossai_surface_match_take(const ossai_surface_match *match, size_t point, const uint32_t *triangles,
	const ossai_bone_weights *from, size_t receiver, ossai_bone_weights *to)
{
	const uint32_t *corner = triangles + 3 * (size_t)match->face[point];
	ossai_weight_blend sum = {.count = 0};
	for (int k = 0; k < 3; k++) ossai_weight_blend_add(from, corner[k], match->share[3 * point + (size_t)k], &sum);
	ossai_bone_weights_take(to, receiver, sum.count, sum.bone, sum.value);
}
