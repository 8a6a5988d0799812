/* tests/support/proxies.c: see proxies.h. */
#include "support/proxies.h"

#include "base/union_find.h"
#include "support/support.h"

#include <ossa/mesh.h>
#include <string.h>

static ossai_proxy begin(ossai_arena *arena, size_t vertex_count, size_t face_count)
{
	ossai_proxy p = {.kind = OSSA_PROXY_NONE, .vertex_count = vertex_count, .face_count = face_count, .piece_count = 1};
	p.positions = ossai_arena_zero(arena, vertex_count, 3 * sizeof *p.positions);
	p.triangles = ossai_arena_zero(arena, face_count, 3 * sizeof *p.triangles);
	assert_true(p.positions && p.triangles);
	return p;
}

static void finish(ossai_proxy *p)
{
	double sum = 0;
	for (size_t i = 0; i < 3 * p->face_count; i++) {
		const double *a = p->positions + 3 * (size_t)p->triangles[i];
		const double *b = p->positions + 3 * (size_t)p->triangles[i % 3 == 2 ? i - 2 : i + 1];
		sum += ossai_distance(ossai_v3_of(a), ossai_v3_of(b));
	}
	p->edge_length = p->face_count ? sum / (3 * (double)p->face_count) : 0;
}

static uint32_t *add_face(uint32_t *t, uint32_t a, uint32_t b, uint32_t c)
{
	t[0] = a;
	t[1] = b;
	t[2] = c;
	return t + 3;
}

ossai_proxy test_tube(ossai_arena *arena, uint32_t rings, uint32_t sides, double radius)
{
	ossai_proxy p = begin(arena, (size_t)rings * sides + 2, 2 * (size_t)rings * sides);
	const double half = sqrt(0.25 - 2 * radius * radius);
	const uint32_t left = rings * sides, right = left + 1;
	uint32_t *t = p.triangles;
	for (uint32_t i = 0; i < rings; i++) {
		for (uint32_t k = 0; k < sides; k++) {
			const double angle = 2 * OSSAI_PI * k / sides, x = half * (2 * (i + 0.5) / rings - 1);
			ossai_v3_store(ossai_v3(x, radius * cos(angle), radius * sin(angle)), p.positions + 3 * ((size_t)i * sides + k));
			const uint32_t a = i * sides + k, b = i * sides + (k + 1) % sides;
			if (i == 0) t = add_face(t, left, b, a);
			if (i + 1 == rings) t = add_face(t, right, a, b);
			if (i + 1 == rings) continue;
			t = add_face(t, a, b + sides, a + sides);
			t = add_face(t, a, b, b + sides);
		}
	}
	p.positions[3 * (size_t)left] = -half;
	p.positions[3 * (size_t)right] = half;
	p.is_closed = true;
	finish(&p);
	return p;
}

ossai_proxy test_torus(ossai_arena *arena, uint32_t rings, uint32_t sides, double radius)
{
	ossai_proxy p = begin(arena, (size_t)rings * sides, 2 * (size_t)rings * sides);
	uint32_t *t = p.triangles;
	for (uint32_t i = 0; i < rings; i++) {
		for (uint32_t k = 0; k < sides; k++) {
			const double u = 2 * OSSAI_PI * i / rings, v = 2 * OSSAI_PI * k / sides, r = 0.33 + radius * cos(v);
			ossai_v3_store(ossai_v3(r * cos(u), r * sin(u), radius * sin(v)), p.positions + 3 * ((size_t)i * sides + k));
			const uint32_t a = i * sides + k, b = (i + 1) % rings * sides + k;
			const uint32_t c = (i + 1) % rings * sides + (k + 1) % sides, d = i * sides + (k + 1) % sides;
			t = add_face(t, a, b, c);
			t = add_face(t, a, c, d);
		}
	}
	p.is_closed = true;
	finish(&p);
	return p;
}

/* ---- blocks ---- */

typedef struct block_grid {
	uint32_t size[3]; /* cells */
	const char *is_full;
	uint32_t columns, parts;
	uint32_t *number; /* of the points; OSSA_NONE: not used yet */
	ossai_proxy *proxy;
} block_grid;

static bool is_cell(const block_grid *g, const int64_t cell[3])
{
	for (int k = 0; k < 3; k++) {
		if (cell[k] < 0 || cell[k] >= g->size[k]) return false;
	}
	return g->is_full[cell[1] / g->parts * g->columns + cell[0] / g->parts] == '#';
}

static uint32_t point(const block_grid *g, const int64_t at[3])
{
	uint32_t *number = g->number + (at[2] * (g->size[1] + 1) + at[1]) * (g->size[0] + 1) + at[0];
	if (*number == OSSA_NONE) {
		*number = (uint32_t)g->proxy->vertex_count++;
		const double scale = 1 /
			sqrt((double)g->size[0] * g->size[0] + (double)g->size[1] * g->size[1] + (double)g->size[2] * g->size[2]);
		for (int k = 0; k < 3; k++) g->proxy->positions[3 * *number + k] = scale * ((double)at[k] - 0.5 * g->size[k]);
	}
	return *number;
}

/* the two triangles of a cell's wall, outward */
static void add_wall(const block_grid *g, const int64_t cell[3], int axis, int side)
{
	const int u = (axis + 1) % 3, v = (axis + 2) % 3;
	uint32_t corner[4];
	for (int i = 0; i < 4; i++) {
		int64_t at[3] = {cell[0], cell[1], cell[2]};
		at[axis] += side;
		at[u] += i == 1 || i == 2;
		at[v] += i >= 2;
		corner[side ? i : 3 - i] = point(g, at);
	}
	uint32_t *t = g->proxy->triangles + 3 * g->proxy->face_count;
	add_face(add_face(t, corner[0], corner[1], corner[2]), corner[0], corner[2], corner[3]);
	g->proxy->face_count += 2;
}

ossai_proxy test_blocks(ossai_arena *arena, uint32_t columns, uint32_t rows, const char *is_full, uint32_t parts)
{
	block_grid g = {{columns * parts, rows * parts, parts}, is_full, columns, parts, NULL, NULL};
	const size_t points = (size_t)(g.size[0] + 1) * (g.size[1] + 1) * (g.size[2] + 1);
	ossai_proxy p = begin(arena, points, 12 * points);
	p.vertex_count = p.face_count = 0;
	g.proxy = &p;
	g.number = ossai_arena_new(arena, points, sizeof *g.number);
	assert_non_null(g.number);
	memset(g.number, 0xff, points * sizeof *g.number);
	for (int64_t i = 0; i < (int64_t)g.size[0] * g.size[1] * g.size[2]; i++) {
		const int64_t cell[3] = {i % g.size[0], i / g.size[0] % g.size[1], i / g.size[0] / g.size[1]};
		for (int wall = 0; is_cell(&g, cell) && wall < 6; wall++) {
			int64_t next[3] = {cell[0], cell[1], cell[2]};
			next[wall / 2] += wall % 2 ? 1 : -1;
			if (!is_cell(&g, next)) add_wall(&g, cell, wall / 2, wall % 2);
		}
	}
	p.is_closed = true;
	finish(&p);
	return p;
}

/* ---- others ---- */

ossai_proxy test_proxy(
	ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles)
{
	ossai_proxy p = begin(arena, vertex_count, face_count);
	if (vertex_count) memcpy(p.positions, positions, vertex_count * 3 * sizeof *positions);
	if (face_count) memcpy(p.triangles, triangles, face_count * 3 * sizeof *triangles);
	finish(&p);
	return p;
}

ossai_proxy test_proxy_pair(ossai_arena *arena, const ossai_proxy *a, const ossai_proxy *b, size_t link_count)
{
	ossai_proxy p = begin(arena, a->vertex_count + b->vertex_count, a->face_count + b->face_count);
	for (size_t i = 0; i < 3 * p.vertex_count; i++) {
		/* one above the other */
		const double above = i % 3 == 2 ? 0.15 : 0;
		p.positions[i] = i < 3 * a->vertex_count ? a->positions[i] : b->positions[i - 3 * a->vertex_count] + above;
	}
	for (size_t i = 0; i < 3 * p.face_count; i++) {
		const uint32_t first = (uint32_t)a->vertex_count;
		p.triangles[i] = i < 3 * a->face_count ? a->triangles[i] : first + b->triangles[i - 3 * a->face_count];
	}
	p.link_count = p.tie_count = link_count;
	p.links = p.ties = ossai_arena_new(arena, link_count, 2 * sizeof *p.links);
	assert_non_null(p.links);
	for (uint32_t i = 0; i < link_count; i++) {
		p.links[2 * i] = i;
		p.links[2 * i + 1] = (uint32_t)a->vertex_count + i;
	}
	p.is_closed = a->is_closed && b->is_closed;
	finish(&p);
	return p;
}

/* ---- curves ---- */

size_t test_curve_ends(ossai_arena *arena, const ossai_curve *curve)
{
	uint32_t *start, *neighbor;
	size_t count = 0;
	assert_int_equal(ossai_curve_neighbors(arena, curve, &start, &neighbor), OSSA_OK);
	for (size_t i = 0; i < curve->node_count; i++) count += start[i + 1] - start[i] == 1;
	return count;
}

size_t test_curve_loops(ossai_arena *arena, const ossai_curve *curve)
{
	uint32_t *parent = ossai_arena_new(arena, curve->node_count, sizeof *parent);
	assert_non_null(parent);
	ossai_union_begin(parent, curve->node_count);
	size_t count = 0;
	for (size_t e = 0; e < curve->edge_count; e++)
		count += !ossai_union_join(parent, curve->edge[2 * e], curve->edge[2 * e + 1]);
	return count;
}

static double area_of(const ossai_proxy *proxy)
{
	double area = 0;
	for (size_t f = 0; f < proxy->face_count; f++) {
		ossai_vec3 corner[3];
		for (size_t k = 0; k < 3; k++) corner[k] = ossai_v3_of(proxy->positions + 3 * (size_t)proxy->triangles[3 * f + k]);
		area += 0.5 * ossai_length(ossai_cross(ossai_sub(corner[1], corner[0]), ossai_sub(corner[2], corner[0])));
	}
	return area;
}

void test_assert_curve(const ossai_proxy *proxy, const ossai_curve *curve)
{
	double area = 0;
	for (size_t i = 0; i < curve->node_count; i++) {
		const ossai_vec3 p = curve->node[i];
		assert_true(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
		assert_true(curve->radius[i] >= 0 && curve->area[i] >= 0 && curve->volume[i] >= 0);
		area += curve->area[i];
	}
	assert_near(area, area_of(proxy), 1e-9 * (1 + area));
	for (size_t e = 0; e < curve->edge_count; e++) {
		const uint32_t *edge = curve->edge + 2 * e;
		assert_true(edge[0] < edge[1] && edge[1] < curve->node_count);
		assert_true(e == 0 || edge[0] > edge[-2] || (edge[0] == edge[-2] && edge[1] > edge[-1]));
	}
	assert_int_equal(curve->vertex_count, proxy->vertex_count);
	for (size_t v = 0; v < curve->vertex_count; v++) {
		assert_true(curve->node_of_vertex[v] < curve->node_count);
	}
}
