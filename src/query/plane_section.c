/* query/plane_section.c: see plane_section.h.

   No curve is walked along: the segments of one curve are those of faces that are connected by
   cut sides, and area, winding angle and range are sums over them. */
#include "query/plane_section.h"

#include "base/union_find.h"
#include "mesh/pairs.h"

typedef struct ossai_loop {
	double area;  /* twice, signed */
	double angle; /* that it winds around the point */
	double near2; /* squared distance of its nearest segment */
	double least, most;
} ossai_loop;

/* every side gets the next one with the same vertices, the last one the first */
static void link_faces(const ossai_pair *pairs, size_t count, uint32_t *across)
{
	for (size_t begin = 0, end; begin < count; begin = end) {
		end = ossai_pairs_run_end(pairs, count, begin);
		for (size_t i = begin; i < end; i++) {
			const size_t next = i + 1 < end ? i + 1 : begin;
			across[pairs[i].tag] = next == i ? OSSA_NONE : pairs[next].tag / 3;
		}
	}
}

ossa_status ossai_sections_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_sections *s)
{
	const size_t sides = 3 * mesh->face_count;
	*s = (ossai_sections){.mesh = *mesh};
	s->across = ossai_arena_new(arena, sides, sizeof *s->across);
	s->height = ossai_arena_new(arena, mesh->vertex_count, sizeof *s->height);
	s->set = ossai_arena_new(arena, mesh->face_count, sizeof *s->set);
	s->cut = ossai_arena_new(arena, mesh->face_count, sizeof *s->cut);
	s->sum = ossai_arena_new(arena, mesh->face_count, sizeof *s->sum);
	ossai_pair *pairs = ossai_new(arena->context, sides, sizeof *pairs);
	ossa_status status = ossa_context_error(arena->context)->status;
	if (pairs && s->across && s->height && s->set && s->cut && s->sum) {
		for (uint32_t i = 0; i < sides; i++) {
			const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
			pairs[i] = ossai_pair_of(mesh->triangles[i], mesh->triangles[next], i);
		}
		status = ossai_pairs_sort(arena->context, pairs, sides, mesh->vertex_count);
		if (status == OSSA_OK) link_faces(pairs, sides, s->across);
	}
	ossa_free(arena->context, pairs);
	return status;
}

/* where the plane meets the side that begins at a corner; false where it does not */
static bool cross_side(const ossai_sections *s, size_t face, size_t corner, ossai_vec3 *point)
{
	const uint32_t *triangle = s->mesh.triangles + 3 * face;
	const uint32_t a = triangle[corner], b = triangle[(corner + 1) % 3];
	const double over = s->height[a], under = s->height[b];
	if ((over < 0) == (under < 0)) return false;
	*point = ossai_lerp(ossai_view_point(&s->mesh, a), ossai_view_point(&s->mesh, b), over / (over - under));
	return true;
}

/* finds the faces that the plane cuts and joins those that share a cut side */
static size_t join_faces(ossai_sections *s)
{
	const ossai_mesh_view *mesh = &s->mesh;
	size_t count = 0;
	for (size_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *triangle = mesh->triangles + 3 * f;
		const bool below = s->height[triangle[0]] < 0;
		if ((s->height[triangle[1]] < 0) == below && (s->height[triangle[2]] < 0) == below) continue;
		s->cut[count++] = (uint32_t)f;
		s->set[f] = (uint32_t)f;
	}
	for (size_t i = 0; i < count; i++) {
		const uint32_t f = s->cut[i];
		for (size_t k = 0; k < 3; k++) {
			const uint32_t a = mesh->triangles[3 * f + k], b = mesh->triangles[3 * f + (k + 1) % 3];
			if ((s->height[a] < 0) == (s->height[b] < 0)) continue;
			const uint32_t other = s->across[3 * f + k];
			if (other != OSSA_NONE) ossai_union_join(s->set, f, other);
		}
		s->sum[f] = (ossai_loop){.near2 = INFINITY, .least = INFINITY, .most = -INFINITY};
	}
	return count;
}

/* a face's segment; it runs with the surface on one side, so that areas add up */
static void add_face(ossai_sections *s, uint32_t face, ossai_vec3 point, ossai_vec3 normal, ossai_vec3 side)
{
	ossai_vec3 end[2] = {{0, 0, 0}, {0, 0, 0}}, p;
	for (size_t k = 0; k < 3; k++) {
		if (!cross_side(s, face, k, &p)) continue;
		end[s->height[s->mesh.triangles[3 * (size_t)face + k]] < 0] = p;
	}
	ossai_loop *sum = &s->sum[ossai_union_find(s->set, face)];
	const ossai_vec3 a = ossai_sub(end[0], point), b = ossai_sub(end[1], point);
	const double cross = ossai_dot(ossai_cross(a, b), normal);
	sum->area += cross;
	sum->angle += atan2(cross, ossai_dot(a, b));
	sum->near2 = ossai_lesser(sum->near2, ossai_length2(ossai_sub(ossai_nearest_on_segment(end[0], end[1], point), point)));
	for (int k = 0; k < 2; k++) {
		const double at = ossai_dot(side, end[k]);
		sum->least = ossai_lesser(sum->least, at);
		sum->most = ossai_larger(sum->most, at);
	}
}

ossai_section ossai_section_at(ossai_sections *s, ossai_vec3 point, ossai_vec3 normal, ossai_vec3 side)
{
	const double level = ossai_dot(normal, point);
	for (size_t v = 0; v < s->mesh.vertex_count; v++) s->height[v] = ossai_dot(normal, ossai_view_point(&s->mesh, v)) - level;
	const size_t count = join_faces(s);
	for (size_t i = 0; i < count; i++) add_face(s, s->cut[i], point, normal, side);
	const ossai_loop *best = NULL;
	bool is_around = false;
	for (size_t i = 0; i < count; i++) {
		const ossai_loop *loop = &s->sum[s->cut[i]];
		if (s->set[s->cut[i]] != s->cut[i]) continue;
		const bool around = fabs(loop->angle) > OSSAI_PI;
		bool better = !best || (around && !is_around);
		if (best && around == is_around) better = around ? fabs(loop->area) < fabs(best->area) : loop->near2 < best->near2;
		if (!better) continue;
		best = loop;
		is_around = around;
	}
	if (!best) return (ossai_section){.radius = 0};
	return (ossai_section){sqrt(fabs(best->area) / (2 * OSSAI_PI)), is_around, best->least, best->most};
}
