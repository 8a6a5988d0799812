/* query/visibility.c: see visibility.h. */
#include "query/visibility.h"

#include <math.h>
#include <ossa/mesh.h>
#include <string.h>

/* A piece with a border whose volume is less than this share of its area^1.5 has none (a ball's
   is 0.09, a tube's as long as 100 radii 0.02); a closed one has some as long as it is more than
   rounding. */
static const double open_volume = 0.01, closed_volume = 1e-9;
/* A segment begins this depth below the skin, in sizes of the faces around: then it also meets
   the faces that it leaves through. */
static const double depth = 1e-3;
/* Offset of the target: bodies are often symmetric, and a segment in the plane of symmetry runs
   along edges and through vertices, where rounding decides what it crosses. Small next to a body,
   large next to rounding. */
static const ossai_vec3 nudge = {3.1e-7, -7.3e-7, 5.9e-7};
/* more crossings than this count as blocked */
enum { CROSSINGS_MAX = 32 };

/* ---- faces of one orientation ---- */

typedef struct turner {
	const ossai_laplacian *edges;
	/* 3 F: the corner on the other side of a side that two faces share; else OSSA_NONE */
	uint32_t *across;
	uint32_t *stack; /* F */
	int8_t *side;    /* F: 0 not yet */
} turner;

static void find_across(const ossai_laplacian *edges, uint32_t *across)
{
	memset(across, 0xff, 3 * edges->face_count * sizeof *across);
	for (size_t e = 0; e < edges->edge_count; e++) {
		const uint32_t begin = edges->edge_start[e];
		if (edges->edge_start[e + 1] != begin + 2) continue;
		const uint32_t a = edges->edge_corner[begin], b = edges->edge_corner[begin + 1];
		across[a] = b;
		across[b] = a;
	}
}

/* the vertex that the side opposite to a corner begins with, in its face */
static uint32_t side_begin(const uint32_t *triangles, uint32_t corner) { return triangles[corner / 3 * 3 + (corner + 1) % 3]; }

/* orients all faces that are connected over edges of two faces like the first; the larger area of
   them keeps its orientation */
static void flood(turner *t, uint32_t first)
{
	const uint32_t *triangles = t->edges->triangles;
	double kept = 0, turned = 0;
	size_t count = 0;
	t->stack[count++] = first;
	t->side[first] = 1;
	for (size_t i = 0; i < count; i++) {
		const uint32_t face = t->stack[i];
		*(t->side[face] > 0 ? &kept : &turned) += t->edges->face_area[face];
		for (uint32_t corner = 3 * face; corner < 3 * face + 3; corner++) {
			const uint32_t other = t->across[corner];
			if (other == OSSA_NONE || t->side[other / 3] != 0) continue;
			/* neighbours that agree run along their common side in opposite directions */
			const bool agrees = side_begin(triangles, corner) != side_begin(triangles, other);
			t->side[other / 3] = agrees ? t->side[face] : (int8_t)-t->side[face];
			t->stack[count++] = other / 3;
		}
	}
	for (size_t i = 0; turned > kept && i < count; i++) t->side[t->stack[i]] = (int8_t)-t->side[t->stack[i]];
}

/* ---- pieces oriented outwards ---- */

typedef struct piece_measure {
	ossai_vec3 center; /* times area */
	double area, volume;
	bool open;
} piece_measure;

static void measure_pieces(const ossai_mesh_view *mesh, const ossai_laplacian *edges, const uint32_t *piece_of_face,
	const turner *t, piece_measure *pieces, size_t piece_count)
{
	for (size_t f = 0; f < edges->face_count; f++) {
		piece_measure *piece = &pieces[piece_of_face[f]];
		const uint32_t *c = edges->triangles + 3 * f;
		const ossai_vec3 sum = ossai_add(
			ossai_view_point(mesh, c[0]), ossai_add(ossai_view_point(mesh, c[1]), ossai_view_point(mesh, c[2])));
		piece->center = ossai_madd(piece->center, edges->face_area[f] / 3, sum);
		piece->area += edges->face_area[f];
		for (size_t k = 0; k < 3; k++) piece->open |= t->across[3 * f + k] == OSSA_NONE;
	}
	for (size_t p = 0; p < piece_count; p++) {
		if (pieces[p].area > 0) pieces[p].center = ossai_scale(pieces[p].center, 1 / pieces[p].area);
	}
	for (size_t f = 0; f < edges->face_count; f++) {
		piece_measure *piece = &pieces[piece_of_face[f]];
		const uint32_t *c = edges->triangles + 3 * f;
		const ossai_vec3 x = ossai_sub(ossai_view_point(mesh, c[0]), piece->center);
		const ossai_vec3 y = ossai_sub(ossai_view_point(mesh, c[1]), piece->center);
		const ossai_vec3 z = ossai_sub(ossai_view_point(mesh, c[2]), piece->center);
		piece->volume += t->side[f] * ossai_dot(x, ossai_cross(y, z)) / 6;
	}
}

static int8_t piece_side(const piece_measure *piece)
{
	const double least = (piece->open ? open_volume : closed_volume) * piece->area * sqrt(piece->area);
	if (!(fabs(piece->volume) > least)) return 0;
	return piece->volume > 0 ? 1 : -1;
}

static ossa_status turn_faces(ossai_arena *scratch, const ossai_mesh_view *mesh, const ossai_laplacian *edges,
	const uint32_t *piece_of_face, size_t piece_count, int8_t *side)
{
	turner t = {.edges = edges, .side = side};
	t.across = ossai_arena_new(scratch, edges->face_count, 3 * sizeof *t.across);
	t.stack = t.across ? ossai_arena_new(scratch, edges->face_count, sizeof *t.stack) : NULL;
	piece_measure *pieces = t.stack ? ossai_arena_zero(scratch, piece_count, sizeof *pieces) : NULL;
	if (!pieces) return ossa_context_error(scratch->context)->status;
	find_across(edges, t.across);
	memset(side, 0, edges->face_count);
	for (uint32_t f = 0; f < edges->face_count; f++) {
		if (side[f] == 0) flood(&t, f);
	}
	measure_pieces(mesh, edges, piece_of_face, &t, pieces, piece_count);
	for (size_t f = 0; f < edges->face_count; f++) side[f] = (int8_t)(side[f] * piece_side(&pieces[piece_of_face[f]]));
	return OSSA_OK;
}

/* ---- a body in a pose ---- */

static void take_positions(const ossai_mesh_view *mesh, ossai_visibility *s)
{
	for (size_t v = 0; v < s->vertex_count; v++) {
		const ossai_vec3 p = ossai_view_point(mesh, v);
		s->positions[3 * v] = (float)p.x;
		s->positions[3 * v + 1] = (float)p.y;
		s->positions[3 * v + 2] = (float)p.z;
	}
}

static void sum_normals(const ossai_mesh_view *mesh, ossai_visibility *s)
{
	memset(s->normal, 0, 3 * s->vertex_count * sizeof *s->normal);
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t *c = s->triangles + 3 * f;
		if (s->side[f] == 0) continue;
		const ossai_vec3 normal = ossai_view_face_normal(mesh, f);
		for (int k = 0; k < 3; k++) {
			double *sum = s->normal + 3 * (size_t)c[k];
			ossai_v3_store(ossai_madd(ossai_v3_of(sum), s->side[f], normal), sum);
		}
	}
}

ossa_status ossai_visibility_make(ossai_arena *arena, const ossai_mesh_view *mesh, const ossai_laplacian *edges,
	const uint32_t *piece_of_face, size_t piece_count, ossai_visibility *visibility)
{
	*visibility = (ossai_visibility){
		.vertex_count = edges->vertex_count, .face_count = edges->face_count, .triangles = edges->triangles};
	visibility->positions = ossai_arena_new(arena, visibility->vertex_count, 3 * sizeof *visibility->positions);
	visibility->normal = visibility->positions
		? ossai_arena_new(arena, visibility->vertex_count, 3 * sizeof *visibility->normal)
		: NULL;
	visibility->side = visibility->normal ? ossai_arena_new(arena, visibility->face_count, sizeof *visibility->side) : NULL;
	if (!visibility->side) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossa_status status = turn_faces(&scratch, mesh, edges, piece_of_face, piece_count, visibility->side);
	ossai_arena_end(&scratch);
	OSSAI_TRY(status);
	take_positions(mesh, visibility);
	const ossai_mesh_view own = ossai_view_of_floats(
		visibility->vertex_count, visibility->positions, visibility->face_count, visibility->triangles);
	OSSAI_TRY(ossai_face_tree_make(arena, &own, &visibility->tree));
	sum_normals(mesh, visibility);
	return OSSA_OK;
}

void ossai_visibility_move(ossai_visibility *visibility, const ossai_mesh_view *mesh)
{
	take_positions(mesh, visibility);
	ossai_face_tree_refit(&visibility->tree, visibility->positions);
	sum_normals(mesh, visibility);
}

/* ---- the segment ---- */

/* A crossing of the segment with a face: its parameter, and whether the count of enclosing pieces
   rises or falls by one there. */
typedef struct crossing {
	double at;
	int change;
} crossing;

/* The side of the segment's line on which an edge a b passes. Exactly opposite for b a and never
   0, so that the segment passes through exactly one of two faces at their common edge, however
   values are rounded. */
static bool passes_left(ossai_vec3 direction, ossai_vec3 a, ossai_vec3 b, bool rises)
{
	const double side = ossai_dot(direction, ossai_cross(a, b));
	return side > 0 || (side == 0 && rises);
}

static bool cross_face(const ossai_visibility *s, uint32_t face, ossai_vec3 from, ossai_vec3 direction, crossing *found)
{
	const uint32_t *t = s->triangles + 3 * (size_t)face;
	const ossai_vec3 a = ossai_sub(ossai_v3_of_float(s->positions + 3 * (size_t)t[0]), from);
	const ossai_vec3 b = ossai_sub(ossai_v3_of_float(s->positions + 3 * (size_t)t[1]), from);
	const ossai_vec3 c = ossai_sub(ossai_v3_of_float(s->positions + 3 * (size_t)t[2]), from);
	const bool left = passes_left(direction, a, b, t[0] < t[1]);
	if (passes_left(direction, b, c, t[1] < t[2]) != left || passes_left(direction, c, a, t[2] < t[0]) != left) return false;
	const ossai_vec3 normal = ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
	const double speed = ossai_dot(direction, normal);
	if (speed == 0) return false;
	found->at = ossai_dot(a, normal) / speed;
	found->change = left ? -s->side[face] : s->side[face];
	return found->at > 0 && found->at <= 1;
}

static size_t collect_crossings(const ossai_visibility *s, ossai_vec3 from, ossai_vec3 to, crossing *crossings)
{
	const ossai_vec3 direction = ossai_sub(to, from);
	ossai_face_walk walk = ossai_face_walk_begin(&s->tree, from, to);
	const uint32_t *faces;
	size_t face_count, count = 0;
	while (count < CROSSINGS_MAX && ossai_face_walk_next(&s->tree, &walk, &faces, &face_count)) {
		for (size_t i = 0; i < face_count && count < CROSSINGS_MAX; i++) {
			if (s->side[faces[i]] != 0) count += cross_face(s, faces[i], from, direction, &crossings[count]);
		}
	}
	return count;
}

static void sort_crossings(crossing *list, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const crossing moving = list[i];
		size_t at = i;
		/* entries before exits at the same parameter: touching pieces are one body */
		for (; at > 0 && (list[at - 1].at > moving.at || (list[at - 1].at == moving.at && list[at - 1].change < moving.change));
			 at--) {
			list[at] = list[at - 1];
		}
		list[at] = moving;
	}
}

bool ossai_visibility_inside(const ossai_visibility *s, uint32_t vertex, ossai_vec3 target)
{
	const ossai_vec3 skin = ossai_v3_of_float(s->positions + 3 * (size_t)vertex),
					 normal = ossai_v3_of(s->normal + 3 * (size_t)vertex);
	const double length = ossai_length(normal);
	/* a normal is as long as twice the area of the faces around */
	const ossai_vec3 from = length > 0 ? ossai_madd(skin, -depth / sqrt(length), normal) : skin;
	crossing crossings[CROSSINGS_MAX];
	const size_t count = collect_crossings(s, from, ossai_add(target, nudge), crossings);
	if (count == CROSSINGS_MAX) return false;
	sort_crossings(crossings, count);
	/* a card's vertex is inside a body where the first crossing is an exit */
	int inside = length == 0 && count > 0 && crossings[0].change > 0 ? 0 : 1;
	for (size_t i = 0; i < count; i++) {
		inside += crossings[i].change;
		if (inside <= 0) return false;
	}
	return true;
}
