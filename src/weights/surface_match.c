/* weights/surface_match.c: see surface_match.h. */
#include "weights/surface_match.h"

#include "math/triangle.h"
#include "mesh/normals.h"
#include "mesh/pieces.h"
#include "mesh/seams.h"
#include "query/facing.h"
#include "weights/blend.h"
#include "weights/match_pieces.h"

enum { POINT_GRAIN = 256 };

/* ---- surfaces ---- */

/* the mean, weighted by area */
static double spread_of(const ossai_match_surface *s, const ossai_vertex_faces *around, size_t point)
{
	const ossai_vec3 normal = ossai_v3_of_float(s->normals + 3 * point);
	double sum = 0, area = 0;
	for (size_t i = around->start[point]; i < around->start[point + 1]; i++) {
		const ossai_vec3 of_face = ossai_view_face_normal(&s->view, around->faces[i]);
		const double length = ossai_length(of_face);
		if (!(length > 0)) continue;
		sum += length * acos(ossai_lesser(1, ossai_larger(-1, ossai_dot(normal, of_face) / length)));
		area += length;
	}
	return area > 0 ? sum / area : 0;
}

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
	s->spread = ossai_arena_new(arena, points, sizeof *s->spread);
	if (!s->spread) return ossa_context_error(arena->context)->status;
	for (size_t p = 0; p < points; p++) s->spread[p] = (float)spread_of(s, &around, p);
	return find_pieces(arena, s);
}

/* ---- places ---- */

typedef struct matching {
	const ossai_match_surface *from, *to;
	ossai_face_tree tree;
	ossai_facing facing;
	uint32_t *copy_of; /* of the pieces of `from`: that of `to`, or OSSA_NONE */
	int8_t *side;      /* of pieces: -1 where their faces look inwards */
	int64_t *votes;    /* of pieces */
	double distance, angle;
	ossai_surface_match *match;
} matching;

static ossai_vec3 normal_of(const matching *m, size_t point)
{
	const double side = m->side[m->from->piece_of_point[point]];
	return ossai_scale(ossai_v3_of_float(m->from->normals + 3 * point), side);
}

static void take_place(const matching *m, size_t point, uint32_t face)
{
	const ossai_vec3 p = ossai_v3_of_float(m->from->positions + 3 * point);
	ossai_vec3 corners[3];
	for (size_t k = 0; k < 3; k++) corners[k] = ossai_view_corner(&m->to->view, face, k);
	const ossai_vec3 place = ossai_nearest_on_triangle(corners, p, m->match->share + 3 * point);
	m->match->face[point] = face;
	m->match->distance[point] = ossai_distance(p, place);
}

static ossai_facing_point question(const matching *m, size_t point, double angle)
{
	const uint32_t piece = m->from->piece_of_point[point];
	return (ossai_facing_point){.position = ossai_v3_of_float(m->from->positions + 3 * point),
		.normal = normal_of(m, point),
		.angle = angle,
		.owner = m->copy_of[piece] != OSSA_NONE ? piece : OSSA_NONE};
}

static void find_nearest(void *arg, size_t begin, size_t end)
{
	const matching *m = arg;
	for (size_t p = begin; p < end; p++) {
		const ossai_facing_point at = question(m, p, OSSAI_PI);
		take_place(m, p, ossai_facing_nearest(&m->facing, &at, INFINITY).face);
	}
}

/* faces of a piece look inwards where more of its points look against the nearest place than with
   it, by the angle at most that makes a place sure */
static void find_sides(const matching *m)
{
	for (size_t p = 0; p < m->from->view.vertex_count; p++) {
		const double cosine = ossai_dot(
			ossai_v3_of_float(m->facing.normals + 3 * (size_t)m->match->face[p]), ossai_v3_of_float(m->from->normals + 3 * p));
		if (m->match->distance[p] > m->distance || fabs(cosine) < cos(m->angle)) continue;
		m->votes[m->from->piece_of_point[p]] += cosine > 0 ? 1 : -1;
	}
	for (size_t i = 0; i < m->from->piece_count; i++) m->side[i] = m->votes[i] < 0 ? -1 : 1;
}

static ossai_match_kind find_place(const matching *m, size_t point)
{
	if (m->match->distance[point] > m->distance) return OSSAI_MATCH_FAR;
	/* a card with faces on both sides of the same points looks nowhere */
	const double angle = m->angle + (double)m->from->spread[point];
	if (angle >= OSSAI_PI / 2) return OSSAI_MATCH_SURE;
	const ossai_facing_point at = question(m, point, angle);
	const uint32_t face = ossai_facing_nearest(&m->facing, &at, m->distance).face;
	if (face == OSSA_NONE) return OSSAI_MATCH_TURNED;
	take_place(m, point, face);
	return OSSAI_MATCH_SURE;
}

static void find_facing(void *arg, size_t begin, size_t end)
{
	const matching *m = arg;
	for (size_t p = begin; p < end; p++) m->match->kind[p] = (uint8_t)find_place(m, p);
}

static ossa_status take_facing(ossai_arena *arena, const ossai_match_surface *to, matching *m)
{
	const size_t faces = to->view.face_count;
	float *normals = ossai_arena_new(arena, faces, 3 * sizeof *normals);
	float *slack = ossai_arena_new(arena, faces, sizeof *slack);
	if (!normals || !slack) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < faces; f++) {
		const ossai_vec3 normal = ossai_unit(ossai_view_face_normal(&to->view, f), ossai_v3(0, 0, 0));
		const uint32_t *corner = to->view.triangles + 3 * f;
		normals[3 * f] = (float)normal.x;
		normals[3 * f + 1] = (float)normal.y;
		normals[3 * f + 2] = (float)normal.z;
		slack[f] = (to->spread[corner[0]] + to->spread[corner[1]] + to->spread[corner[2]]) / 3;
	}
	m->facing = (ossai_facing){&m->tree, normals, slack, NULL};
	return OSSA_OK;
}

/* points of a piece that is the copy of one may lie on that, and on pieces that have no copy */
static ossa_status take_owners(ossai_arena *arena, matching *m)
{
	const ossai_match_surface *from = m->from, *to = m->to;
	m->copy_of = ossai_arena_new(arena, from->piece_count, sizeof *m->copy_of);
	uint32_t *owner_of_piece = ossai_arena_new(arena, to->piece_count, sizeof *owner_of_piece);
	uint32_t *owner = ossai_arena_new(arena, to->view.face_count, sizeof *owner);
	if (!m->copy_of || !owner_of_piece || !owner) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < from->piece_count; i++) m->copy_of[i] = OSSA_NONE;
	if (from->piece_count == 1 || to->piece_count == 1) return OSSA_OK;
	const ossai_pieces_view of = {&from->view, from->piece_of_point, from->piece_count};
	const ossai_pieces_view others = {&to->view, to->piece_of_point, to->piece_count};
	OSSAI_TRY(ossai_match_pieces_make(arena->context, &of, &others, m->distance, m->copy_of));
	for (size_t i = 0; i < to->piece_count; i++) owner_of_piece[i] = OSSA_NONE;
	for (uint32_t i = 0; i < from->piece_count; i++) {
		if (m->copy_of[i] != OSSA_NONE) owner_of_piece[m->copy_of[i]] = i;
	}
	for (size_t f = 0; f < to->view.face_count; f++) owner[f] = owner_of_piece[to->piece_of_point[to->view.triangles[3 * f]]];
	m->facing.owner = owner;
	return OSSA_OK;
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
	matching m = {.from = from, .to = to, .distance = distance, .angle = angle * OSSAI_PI / 180, .match = match};
	OSSAI_TRY(take_arrays(arena, points, match));
	m.votes = ossai_arena_zero(arena, from->piece_count, sizeof *m.votes);
	m.side = ossai_arena_zero(arena, from->piece_count, sizeof *m.side);
	if (!m.votes || !m.side) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_face_tree_make(arena, &to->view, &m.tree));
	OSSAI_TRY(take_facing(arena, to, &m));
	OSSAI_TRY(take_owners(arena, &m));
	ossai_parallel_for(arena->context, points, POINT_GRAIN, find_nearest, &m);
	find_sides(&m);
	ossai_parallel_for(arena->context, points, POINT_GRAIN, find_facing, &m);
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
