/* tests/support/half_edges.c: see half_edges.h. */
#include "support/half_edges.h"

#include "mesh/manifold.h"
#include "support/support.h"

#include <string.h>

ossai_half_edges test_half_edges(ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count,
	const uint32_t *triangles, size_t spare)
{
	ossai_half_edges mesh, copy;
	ossai_manifold made;
	assert_ok(arena->context, ossai_manifold_make(arena, vertex_count, positions, face_count, triangles, &mesh, &made));
	assert_int_equal(made.dropped_faces + made.turned_faces + made.crowded_edges + made.twisted_edges, 0);
	assert_int_equal(mesh.vertex_count, vertex_count);
	/* vertices as they are numbered by the caller */
	for (size_t i = 0; i < 3 * face_count; i++) mesh.vertex[i] = made.vertex_of[mesh.vertex[i]];
	uint32_t *out = ossai_arena_new(arena, vertex_count, sizeof *out);
	assert_non_null(out);
	for (size_t v = 0; v < vertex_count; v++) out[v] = mesh.out[made.of_vertex[v]];
	mesh.out = out;
	for (size_t i = 0; i < 3 * vertex_count; i++) mesh.positions[i] = positions[i];
	assert_ok(arena->context, ossai_half_edges_copy(arena, &mesh, spare, &copy));
	test_assert_half_edges(&copy);
	return copy;
}

ossai_half_edges test_octahedron(ossai_arena *arena, size_t spare)
{
	static const double positions[] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
	static const uint32_t triangles[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
	return test_half_edges(arena, 6, positions, 8, triangles, spare);
}

ossai_half_edges test_flat_sheet(ossai_arena *arena, uint32_t columns, uint32_t rows, size_t spare)
{
	const size_t vertices = (size_t)(columns + 1) * (rows + 1), faces = 2 * (size_t)columns * rows;
	double *positions = ossai_arena_zero(arena, vertices, 3 * sizeof *positions);
	uint32_t *triangles = ossai_arena_new(arena, faces, 3 * sizeof *triangles);
	assert_true(positions && triangles);
	for (size_t v = 0; v < vertices; v++) {
		positions[3 * v] = (double)(v % (columns + 1));
		positions[3 * v + 1] = (double)(v / (columns + 1));
	}
	for (uint32_t i = 0; i < columns * rows; i++) {
		const uint32_t a = i % columns + i / columns * (columns + 1), b = a + 1, c = b + columns + 1, d = c - 1;
		const uint32_t two[] = {a, b, c, a, c, d};
		for (size_t k = 0; k < 6; k++) triangles[6 * (size_t)i + k] = two[k];
	}
	return test_half_edges(arena, vertices, positions, faces, triangles, spare);
}

/* the vertex at a position, a new one where there is none */
static uint32_t vertex_at(double *positions, size_t *count, ossai_vec3 place)
{
	for (size_t v = 0; v < *count; v++) {
		if (ossai_distance(ossai_v3_of(positions + 3 * v), place) < 1e-9) return (uint32_t)v;
	}
	ossai_v3_store(place, positions + 3 * *count);
	return (uint32_t)(*count)++;
}

ossai_half_edges test_sphere(ossai_arena *arena, int times)
{
	const ossai_half_edges octahedron = test_octahedron(arena, 0);
	size_t vertices = 6, faces = 8;
	const size_t capacity = (size_t)8 << 2 * times;
	double *positions = ossai_arena_new(arena, capacity, 3 * sizeof *positions);
	uint32_t *t = ossai_arena_new(arena, capacity, 3 * sizeof *t);
	assert_true(positions && t);
	memcpy(positions, octahedron.positions, 18 * sizeof *positions);
	memcpy(t, octahedron.vertex, 24 * sizeof *t);
	for (int i = 0; i < times; i++, faces *= 4) {
		for (size_t f = 0; f < faces; f++) {
			uint32_t c[3], m[3];
			for (size_t k = 0; k < 3; k++) c[k] = t[3 * f + k];
			for (size_t k = 0; k < 3; k++) {
				const ossai_vec3 sum = ossai_add(
					ossai_v3_of(positions + 3 * (size_t)c[k]), ossai_v3_of(positions + 3 * (size_t)c[(k + 1) % 3]));
				m[k] = vertex_at(positions, &vertices, ossai_unit(sum, sum));
			}
			const uint32_t outer[] = {c[0], m[0], m[2], c[1], m[1], m[0], c[2], m[2], m[1]};
			memcpy(t + 3 * f, m, sizeof m);
			memcpy(t + 3 * (faces + 3 * f), outer, sizeof outer);
		}
	}
	return test_half_edges(arena, vertices, positions, faces, t, 0);
}

static void assert_fan(const ossai_half_edges *m, uint32_t v, const size_t *corners)
{
	const uint32_t first = m->out[v];
	size_t count = 0;
	uint32_t h = first;
	do {
		assert_int_equal(m->vertex[h], v);
		assert_true(++count <= corners[v]);
		h = ossai_edge_turn(m, h);
	} while (h != OSSA_NONE && h != first);
	assert_int_equal(count, corners[v]);
}

void test_assert_half_edges(const ossai_half_edges *m)
{
	static size_t corners[100000];
	size_t faces = 0, vertices = 0;
	assert_true(m->vertex_count <= sizeof corners / sizeof *corners);
	for (size_t v = 0; v < m->vertex_count; v++) corners[v] = 0;
	for (uint32_t h = 0; h < 3 * m->face_count; h++) {
		if (m->vertex[h] == OSSA_NONE) continue;
		const uint32_t t = m->twin[h];
		assert_true(m->vertex[h] < m->vertex_count);
		corners[m->vertex[h]]++;
		faces += h % 3 == 0;
		assert_true(m->vertex[h] != ossai_edge_end(m, h));
		if (t == OSSA_NONE) continue;
		assert_int_equal(m->twin[t], h);
		assert_int_equal(m->vertex[t], ossai_edge_end(m, h));
		assert_int_equal(ossai_edge_end(m, t), m->vertex[h]);
	}
	for (uint32_t v = 0; v < m->vertex_count; v++) {
		if (m->out[v] == OSSA_NONE) assert_int_equal(corners[v], 0);
		else assert_fan(m, v, corners);
		vertices += m->out[v] != OSSA_NONE;
	}
	assert_int_equal(faces, m->live_faces);
	assert_int_equal(vertices, m->live_vertices);
}

uint32_t test_half_edge(const ossai_half_edges *m, uint32_t a, uint32_t b)
{
	for (uint32_t h = 0; h < 3 * m->face_count; h++) {
		if (m->vertex[h] == a && ossai_edge_end(m, h) == b) return h;
	}
	fail_msg("there is no half-edge from %u to %u", a, b);
	return OSSA_NONE;
}

double test_half_edges_area(const ossai_half_edges *m)
{
	double sum = 0;
	for (size_t f = 0; f < m->face_count; f++) {
		if (m->vertex[3 * f] != OSSA_NONE) sum += ossai_length(ossai_edge_normal(m, f)) / 2;
	}
	return sum;
}

double test_half_edges_volume(const ossai_half_edges *m)
{
	double sum = 0;
	for (size_t f = 0; f < m->face_count; f++) {
		if (m->vertex[3 * f] != OSSA_NONE) {
			sum += ossai_dot(ossai_edge_point(m, m->vertex[3 * f]), ossai_edge_normal(m, f)) / 6;
		}
	}
	return sum;
}
