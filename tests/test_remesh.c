/* tests/test_remesh.c: an even mesh lies where the surface lies, hangs together as it does, and has as many vertices as are wanted at any resolution. */
#include "surface/manifold.h"
#include "surface/remesh.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdlib.h>

/* ---- what is asked of every result ---- */

typedef struct facts {
	ossai_manifold manifold;
	double volume, shortest, longest, mean;
	long euler;
} facts;

static double volume_of(const double *positions, size_t face_count, const uint32_t *triangles)
{
	double sum = 0;
	for (size_t f = 0; f < face_count; f++) {
		const ossai_vec3 a = ossai_v3_of(positions + 3 * (size_t)triangles[3 * f]);
		const ossai_vec3 b = ossai_v3_of(positions + 3 * (size_t)triangles[3 * f + 1]);
		const ossai_vec3 c = ossai_v3_of(positions + 3 * (size_t)triangles[3 * f + 2]);
		sum += ossai_dot(a, ossai_cross(b, c)) / 6;
	}
	return sum;
}

static facts facts_of(
	ossai_arena *arena, size_t vertex_count, const double *positions, size_t face_count, const uint32_t *triangles)
{
	facts f = {.volume = volume_of(positions, face_count, triangles), .shortest = INFINITY};
	ossai_half_edges mesh;
	assert_ok(arena->context, ossai_manifold_make(arena, vertex_count, positions, face_count, triangles, &mesh, &f.manifold));
	size_t edges = 0;
	for (uint32_t h = 0; h < 3 * mesh.face_count; h++) {
		if (!ossai_edge_is_first(&mesh, h)) continue;
		const double length = sqrt(ossai_edge_length2(&mesh, h));
		edges++;
		f.mean += length;
		f.shortest = fmin(f.shortest, length);
		f.longest = fmax(f.longest, length);
	}
	f.mean /= (double)edges;
	f.euler = (long)mesh.vertex_count - (long)edges + (long)mesh.face_count;
	return f;
}

static facts facts_of_even(ossai_arena *arena, const ossai_even_mesh *m)
{
	const facts f = facts_of(arena, m->vertex_count, m->positions, m->face_count, m->triangles);
	/* nothing to drop, to cut or to turn, no vertex without a face */
	assert_int_equal(f.manifold.dropped_faces, 0);
	assert_int_equal(f.manifold.turned_faces, 0);
	return f;
}

static ossai_even_mesh remesh(test_surface *t, size_t wanted)
{
	ossai_even_mesh made;
	assert_ok(
		t->context, ossai_remesh(&t->arena, t->s.vertex_count, t->s.rest, t->s.face_count, t->s.triangles, wanted, &made));
	return made;
}

static void assert_stands_near(const test_surface *t, const ossai_even_mesh *made, double reach)
{
	for (size_t v = 0; v < t->s.vertex_count; v++) {
		if (!t->s.used[v]) {
			assert_int_equal(made->of_vertex[v], OSSA_NONE);
			continue;
		}
		assert_true(made->of_vertex[v] < made->vertex_count);
		const ossai_vec3 stand = ossai_v3_of(made->positions + 3 * (size_t)made->of_vertex[v]);
		assert_true(ossai_distance(stand, ossai_rest_point(&t->s, v)) < reach);
	}
}

/* ---- creatures ---- */

static void creatures_keep_shape_at_any_resolution(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_PIECES};
	static const int faces[] = {1500, 5000, 80000};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		for (size_t j = 0; j < sizeof faces / sizeof faces[0]; j++) {
			test_surface t = test_surface_sample(1, kinds[i], faces[j], 1);
			const facts before = facts_of(&t.arena, t.s.vertex_count, t.s.rest, t.s.face_count, t.s.triangles);
			const ossai_even_mesh made = remesh(&t, 6000);
			const facts after = facts_of_even(&t.arena, &made);
			assert_true(made.vertex_count > 5100 && made.vertex_count < 6600);
			assert_int_equal(after.euler, before.euler);
			assert_int_equal(after.manifold.border_edges, 0);
			assert_int_equal(after.manifold.piece_count, before.manifold.piece_count);
			assert_true(fabs(after.volume / before.volume - 1) < 0.05);
			assert_true(after.longest < 3 * after.mean);
			assert_stands_near(&t, &made, 2.5 * after.mean);
			test_surface_end(&t);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(creatures_keep_shape_at_any_resolution),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
