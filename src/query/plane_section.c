/* query/plane_section.c: see plane_section.h.

   No curve is walked along: the segments of one curve are those of faces that are connected by
   cut sides, and area, winding angle and range are sums over them. The faces are looked for in
   blocks of neighbours, by the box of each. */
#include "query/plane_section.h"

#include "base/union_find.h"
#include "mesh/pairs.h"
#include "query/morton.h"

#include <float.h>

enum { BLOCK_FACES = 16, MARK_BITS = 64 };

typedef struct ossai_face_block {
	ossai_vec3 center, half; /* of the box */
} ossai_face_block;

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

static ossai_face_block block_of(const ossai_mesh_view *mesh, size_t count, const uint32_t *faces)
{
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * count; i++) {
		const ossai_vec3 p = ossai_view_corner(mesh, faces[i / 3], i % 3);
		low = ossai_v3(ossai_lesser(low.x, p.x), ossai_lesser(low.y, p.y), ossai_lesser(low.z, p.z));
		high = ossai_v3(ossai_larger(high.x, p.x), ossai_larger(high.y, p.y), ossai_larger(high.z, p.z));
	}
	return (ossai_face_block){ossai_lerp(low, high, 0.5), ossai_scale(ossai_sub(high, low), 0.5)};
}

/* blocks of faces that follow each other along a curve through their centers */
static ossa_status make_blocks(ossai_arena *arena, ossai_arena *scratch, ossai_sections *s)
{
	const size_t faces = s->mesh.face_count;
	s->block_count = (faces + BLOCK_FACES - 1) / BLOCK_FACES;
	s->order = ossai_arena_new(arena, faces, sizeof *s->order);
	s->block = ossai_arena_new(arena, s->block_count, sizeof *s->block);
	s->marks = ossai_arena_zero(arena, faces / MARK_BITS + 1, sizeof *s->marks);
	float *centers = ossai_arena_new(scratch, faces, 3 * sizeof *centers);
	uint64_t *codes = ossai_arena_new(scratch, faces, sizeof *codes);
	if (!s->order || !s->block || !s->marks || !centers || !codes) return ossa_context_error(arena->context)->status;
	for (size_t f = 0; f < faces; f++) {
		ossai_vec3 sum = ossai_v3(0, 0, 0);
		for (size_t k = 0; k < 3; k++) sum = ossai_add(sum, ossai_view_corner(&s->mesh, f, k));
		centers[3 * f] = (float)(sum.x / 3);
		centers[3 * f + 1] = (float)(sum.y / 3);
		centers[3 * f + 2] = (float)(sum.z / 3);
	}
	OSSAI_TRY(ossai_morton_order(arena->context, faces, centers, s->order, codes));
	for (size_t b = 0; b < s->block_count; b++) {
		const size_t begin = b * BLOCK_FACES, left = faces - begin;
		s->block[b] = block_of(&s->mesh, left < BLOCK_FACES ? left : BLOCK_FACES, s->order + begin);
	}
	return OSSA_OK;
}

ossa_status ossai_sections_make(ossai_arena *arena, const ossai_mesh_view *mesh, ossai_sections *s)
{
	const size_t sides = 3 * mesh->face_count;
	*s = (ossai_sections){.mesh = *mesh};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status made = make_blocks(arena, &scratch, s);
	ossai_arena_end(&scratch);
	OSSAI_TRY(made);
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

/* whether the plane meets the box, or passes it by no more than the rounding of heights */
static bool meets(const ossai_face_block *block, ossai_vec3 normal, double level)
{
	const ossai_vec3 size = ossai_v3(fabs(normal.x), fabs(normal.y), fabs(normal.z)), c = block->center;
	const double reach = ossai_dot(size, block->half);
	const double most = ossai_dot(size, ossai_v3(fabs(c.x), fabs(c.y), fabs(c.z))) + reach + fabs(level);
	return !(fabs(ossai_dot(normal, c) - level) > reach + 16 * DBL_EPSILON * most);
}

/* marks the faces of a block that the plane cuts, with the heights of all their vertices */
static void mark_block(ossai_sections *s, size_t block, ossai_vec3 normal, double level)
{
	const size_t begin = block * BLOCK_FACES, end = begin + BLOCK_FACES;
	for (size_t i = begin; i < end && i < s->mesh.face_count; i++) {
		const uint32_t f = s->order[i], *triangle = s->mesh.triangles + 3 * (size_t)f;
		int below = 0;
		for (int k = 0; k < 3; k++) {
			const double height = ossai_dot(normal, ossai_view_point(&s->mesh, triangle[k])) - level;
			s->height[triangle[k]] = height;
			below += height < 0;
		}
		if (below % 3 != 0) s->marks[f / MARK_BITS] |= (uint64_t)1 << f % MARK_BITS;
	}
}

/* the marked faces, in ascending order; takes the marks back */
static size_t list_marked(ossai_sections *s)
{
	size_t count = 0;
	for (size_t word = 0; MARK_BITS * word < s->mesh.face_count; word++) {
		for (uint64_t left = s->marks[word]; left; left &= left - 1) {
			s->cut[count++] = (uint32_t)(MARK_BITS * word) + (uint32_t)__builtin_ctzll(left);
		}
		s->marks[word] = 0;
	}
	return count;
}

/* finds the faces that the plane cuts and joins those that share a cut side */
static size_t join_faces(ossai_sections *s, ossai_vec3 normal, double level)
{
	const ossai_mesh_view *mesh = &s->mesh;
	for (size_t b = 0; b < s->block_count; b++) {
		if (meets(&s->block[b], normal, level)) mark_block(s, b, normal, level);
	}
	const size_t count = list_marked(s);
	for (size_t i = 0; i < count; i++) s->set[s->cut[i]] = s->cut[i];
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
	const size_t count = join_faces(s, normal, ossai_dot(normal, point));
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
