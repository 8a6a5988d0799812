/* weights/match_patches.c: see match_patches.h. */
#include "weights/match_patches.h"

#include "base/union_find.h"
#include "mesh/adjacency.h"

typedef struct patches {
	const ossai_match_surface *from, *to;
	ossai_surface_match *match;
	ossai_adjacency near, around; /* of `from`, of `to` */
	uint32_t *patch;              /* of points of `from`: union-find */
	uint32_t *size;               /* of patches, by their root */
	uint32_t *seen;               /* of points of `to`: the number of the flood that saw it last */
	uint32_t *todo;               /* of points of `to` */
	uint32_t flood;
} patches;

static const uint32_t *corners_of(const patches *s, size_t point)
{
	return s->to->view.triangles + 3 * (size_t)s->match->face[point];
}

static ossai_vec3 place_of(const patches *s, size_t point)
{
	ossai_vec3 place = {0, 0, 0};
	for (size_t k = 0; k < 3; k++) {
		const ossai_vec3 corner = ossai_view_point(&s->to->view, corners_of(s, point)[k]);
		place = ossai_madd(place, s->match->share[3 * point + k], corner);
	}
	return place;
}

static double longest_edge(const patches *s, size_t point)
{
	double longest = 0;
	for (size_t k = 0; k < 3; k++) {
		const ossai_vec3 a = ossai_view_point(&s->to->view, corners_of(s, point)[k]);
		const ossai_vec3 b = ossai_view_point(&s->to->view, corners_of(s, point)[(k + 1) % 3]);
		longest = ossai_larger(longest, ossai_distance(a, b));
	}
	return longest;
}

static bool is_corner(const uint32_t *corners, uint32_t vertex)
{
	return corners[0] == vertex || corners[1] == vertex || corners[2] == vertex;
}

/* whether the surface connects the places of two points inside of a ball around the first place:
   as far as both points are from each other and from the surface, and the faces are large */
static bool is_coherent(patches *s, uint32_t a, uint32_t b)
{
	const uint32_t *begin = corners_of(s, a), *end = corners_of(s, b);
	const ossai_vec3 center = place_of(s, a);
	const double points = ossai_distance(
		ossai_v3_of_float(s->from->positions + 3 * (size_t)a), ossai_v3_of_float(s->from->positions + 3 * (size_t)b));
	const double radius = points + s->match->distance[a] + s->match->distance[b] +
		ossai_larger(longest_edge(s, a), longest_edge(s, b));
	size_t count = 0;
	s->flood++;
	for (int k = 0; k < 3; k++) {
		if (is_corner(end, begin[k])) return true;
		s->seen[begin[k]] = s->flood;
		s->todo[count++] = begin[k];
	}
	while (count > 0) {
		const uint32_t v = s->todo[--count];
		for (uint32_t i = s->around.vertex_start[v]; i < s->around.vertex_start[v + 1]; i++) {
			const uint32_t next = s->around.vertex_neighbor[i];
			if (is_corner(end, next)) return true;
			if (s->seen[next] == s->flood || ossai_distance(ossai_view_point(&s->to->view, next), center) > radius) continue;
			s->seen[next] = s->flood;
			s->todo[count++] = next;
		}
	}
	return false;
}

/* of the other surface, where the place of a point is */
static uint32_t piece_of(const patches *s, size_t point) { return s->to->piece_of_point[corners_of(s, point)[0]]; }

static bool is_sure(const patches *s, uint32_t point) { return s->match->kind[point] == OSSAI_MATCH_SURE; }

/* points that are in one patch already need no search */
static void join_coherent(patches *s)
{
	const ossai_adjacency *near = &s->near;
	for (uint32_t a = 0; a < near->vertex_count; a++) {
		for (uint32_t i = near->vertex_start[a]; is_sure(s, a) && i < near->vertex_start[a + 1]; i++) {
			const uint32_t b = near->vertex_neighbor[i];
			if (b < a || !is_sure(s, b)) continue;
			if (ossai_union_find(s->patch, a) == ossai_union_find(s->patch, b)) continue;
			if (is_coherent(s, a, b)) ossai_union_join(s->patch, a, b);
		}
	}
	for (uint32_t p = 0; p < near->vertex_count; p++) s->size[ossai_union_find(s->patch, p)] += is_sure(s, p);
}

/* of patches beside each other on one piece of the other surface the smaller ones; of equal ones
   none */
static void drop_smaller(patches *s, uint8_t *is_stray)
{
	const ossai_adjacency *near = &s->near;
	for (uint32_t a = 0; a < near->vertex_count; a++) {
		for (uint32_t i = near->vertex_start[a]; is_sure(s, a) && i < near->vertex_start[a + 1]; i++) {
			const uint32_t b = near->vertex_neighbor[i];
			if (!is_sure(s, b) || piece_of(s, a) != piece_of(s, b)) continue;
			const uint32_t mine = ossai_union_find(s->patch, a), other = ossai_union_find(s->patch, b);
			if (s->size[mine] < s->size[other]) is_stray[mine] = 1;
		}
	}
	for (uint32_t p = 0; p < near->vertex_count; p++) {
		if (is_sure(s, p) && is_stray[ossai_union_find(s->patch, p)]) s->match->kind[p] = OSSAI_MATCH_TURNED;
	}
}

static ossa_status find(ossai_arena *arena, patches *s)
{
	const size_t points = s->from->view.vertex_count, others = s->to->view.vertex_count;
	ossa_context *context = arena->context;
	OSSAI_TRY(
		ossai_adjacency_make_of_vertices(context, arena, points, s->from->view.face_count, s->from->view.triangles, &s->near));
	OSSAI_TRY(
		ossai_adjacency_make_of_vertices(context, arena, others, s->to->view.face_count, s->to->view.triangles, &s->around));
	s->patch = ossai_arena_new(arena, points, sizeof *s->patch);
	s->size = ossai_arena_zero(arena, points, sizeof *s->size);
	uint8_t *is_stray = ossai_arena_zero(arena, points, sizeof *is_stray);
	s->seen = ossai_arena_zero(arena, others, sizeof *s->seen);
	s->todo = ossai_arena_new(arena, others + 3, sizeof *s->todo);
	if (!s->patch || !s->size || !is_stray || !s->seen || !s->todo) return ossa_context_error(context)->status;
	ossai_union_begin(s->patch, points);
	join_coherent(s);
	drop_smaller(s, is_stray);
	return OSSA_OK;
}

ossa_status ossai_match_drop_strays(
	ossai_arena *arena, const ossai_match_surface *from, const ossai_match_surface *to, ossai_surface_match *match)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	patches s = {.from = from, .to = to, .match = match};
	const ossa_status status = find(&scratch, &s);
	ossai_arena_end(&scratch);
	return status;
}
