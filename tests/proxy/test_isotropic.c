/* tests/proxy/test_isotropic.c: each pass of isotropic remeshing alone: its guarantees of edge
   lengths, angles, positions and volume. */
#include "proxy/isotropic.h"
#include "support/half_edges.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_half_edges target;
	ossai_isotropic even;
} bench;

/* the target is a sphere, or a sheet of 8 x 8 squares where `times` is 0; all edges shall be `size`
   long */
static void begin(bench *b, int times, size_t spare, double size)
{
	b->context = test_context(1);
	b->arena = ossai_arena_begin(b->context);
	b->target = times ? test_sphere(&b->arena, times) : test_flat_sheet(&b->arena, 8, 8, 0);
	assert_ok(b->context, ossai_isotropic_begin(&b->arena, &b->target, spare, &b->even));
	for (size_t v = 0; v < b->even.mesh.vertex_count; v++) b->even.size[v] = size;
}

static void end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

static double longest_edge(const ossai_half_edges *m)
{
	double most = 0;
	for (uint32_t h = 0; h < 3 * m->face_count; h++) {
		if (m->vertex[h] != OSSA_NONE) most = fmax(most, sqrt(ossai_edge_length2(m, h)));
	}
	return most;
}

static void long_edges_are_split(void **state)
{
	(void)state;
	bench b;
	begin(&b, 2, 2000, 0.2);
	ossai_isotropic_split(&b.even);
	test_assert_half_edges(&b.even.mesh);
	assert_true(longest_edge(&b.even.mesh) <= 0.2 * 4 / 3);
	assert_true(b.even.mesh.live_vertices > 200);
	/* new vertices lie on the faces of the target */
	for (uint32_t v = 66; v < b.even.mesh.vertex_count; v++) {
		const ossai_vec3 p = ossai_edge_point(&b.even.mesh, v);
		assert_near(ossai_walk_to(&b.target, b.even.target_face[v], p).distance2, 0, 1e-20);
	}
	end(&b);
	/* as far as there is room, the longest first; just long enough is not too long */
	begin(&b, 0, 3, 1);
	ossai_isotropic_split(&b.even);
	assert_int_equal(b.even.mesh.live_vertices, 84);
	end(&b);
	begin(&b, 0, 100, 1.07);
	ossai_isotropic_split(&b.even);
	assert_int_equal(b.even.mesh.live_vertices, 81);
	end(&b);
}

static void short_edges_collapse(void **state)
{
	(void)state;
	bench b;
	begin(&b, 4, 0, 0.3);
	const double volume = test_half_edges_volume(&b.target);
	ossai_isotropic_collapse(&b.even, 0.5);
	test_assert_half_edges(&b.even.mesh);
	/* a sphere has an area of 12.6; a triangle of sides 0.3 one of 0.039, and there are twice as
	   many faces as vertices */
	assert_true(b.even.mesh.live_vertices > 110 && b.even.mesh.live_vertices < 260);
	assert_near(test_half_edges_volume(&b.even.mesh), volume, 0.05 * volume);
	/* one pass; what it leaves short comes of later collapses, or may not go */
	size_t short_edges = 0, edges = 0;
	for (uint32_t h = 0; h < 3 * b.even.mesh.face_count; h++) {
		if (!ossai_edge_is_first(&b.even.mesh, h)) continue;
		edges++;
		short_edges += ossai_edge_length2(&b.even.mesh, h) < 0.24 * 0.24;
	}
	assert_true(3 * short_edges < edges);
	end(&b);
	/* edges of 4/5 of the target length, or longer, are kept */
	begin(&b, 0, 0, 1.24);
	ossai_isotropic_collapse(&b.even, 0.5);
	assert_int_equal(b.even.mesh.live_vertices, 81);
	end(&b);
	begin(&b, 0, 0, 1.26);
	ossai_isotropic_collapse(&b.even, 0.5);
	assert_true(b.even.mesh.live_vertices < 81);
	end(&b);
}

/* the angle across from a half-edge, in its face */
static double angle_across(const ossai_half_edges *m, uint32_t h)
{
	const ossai_vec3 c = ossai_edge_point(m, ossai_edge_across(m, h));
	const ossai_vec3 a = ossai_sub(ossai_edge_point(m, m->vertex[h]), c),
					 e = ossai_sub(ossai_edge_point(m, ossai_edge_end(m, h)), c);
	return acos(fmax(-1, fmin(1, ossai_dot(a, e) / sqrt(ossai_length2(a) * ossai_length2(e)))));
}

/* edges whose two opposite angles are more than a half turn together */
static size_t count_not_delaunay(const ossai_half_edges *m)
{
	size_t count = 0;
	for (uint32_t h = 0; h < 3 * m->face_count; h++) {
		if (!ossai_edge_is_first(m, h) || m->twin[h] == OSSA_NONE) continue;
		count += angle_across(m, h) + angle_across(m, m->twin[h]) > 3.1416 + 1e-6;
	}
	return count;
}

/* a sheet that is sheared along x: all of its diagonals are the long ones */
static void flips_make_delaunay_triangles(void **state)
{
	(void)state;
	bench b;
	begin(&b, 0, 0, 1);
	for (size_t v = 0; v < 81; v++) {
		b.target.positions[3 * v] += 0.6 * b.target.positions[3 * v + 1];
		b.even.mesh.positions[3 * v] = b.target.positions[3 * v];
	}
	assert_int_equal(count_not_delaunay(&b.even.mesh), 64);
	ossai_isotropic_flip(&b.even);
	test_assert_half_edges(&b.even.mesh);
	assert_int_equal(count_not_delaunay(&b.even.mesh), 0);
	assert_near(test_half_edges_area(&b.even.mesh), 64, 1e-9);
	end(&b);
}

/* passes look only at what has changed, and miss nothing: to look at all edges again changes
   nothing */
static void flips_end_where_no_edge_is_left(void **state)
{
	(void)state;
	size_t flipped = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		bench b;
		uint64_t random = seed;
		begin(&b, 0, 0, 1);
		ossai_half_edges *m = &b.even.mesh;
		for (uint32_t v = 0; v < 81; v++) {
			for (size_t k = 0; k < 2 && !ossai_on_border(&b.target, v); k++)
				m->positions[3 * v + k] += 0.25 * test_random(&random);
			m->positions[3 * v] += 0.8 * m->positions[3 * v + 1];
		}
		const size_t size = 3 * m->face_count * sizeof *m->vertex;
		uint32_t *first = ossai_arena_new(&b.arena, 3 * m->face_count, sizeof *first);
		assert_non_null(first);
		flipped += count_not_delaunay(m);
		ossai_isotropic_flip(&b.even);
		test_assert_half_edges(m);
		memcpy(first, m->vertex, size);
		ossai_isotropic_flip(&b.even);
		assert_memory_equal(m->vertex, first, size);
		end(&b);
	}
	assert_true(flipped > 20 * 40);
}

static void smoothing_evens_a_sheet_and_leaves_its_plane(void **state)
{
	(void)state;
	bench b;
	begin(&b, 0, 0, 1);
	uint64_t seed = 5;
	double before = 0, after = 0;
	for (uint32_t v = 0; v < 81; v++) {
		if (ossai_on_border(&b.target, v)) continue;
		for (size_t k = 0; k < 2; k++) {
			const double off = 0.3 * test_random(&seed);
			b.even.mesh.positions[3 * v + k] += off;
			before += off * off;
		}
	}
	for (int i = 0; i < 5; i++) ossai_isotropic_smooth(&b.even);
	for (uint32_t v = 0; v < 81; v++) {
		const ossai_vec3 now = ossai_edge_point(&b.even.mesh, v), was = ossai_edge_point(&b.target, v);
		assert_near(now.z, 0, 1e-12);
		if (ossai_on_border(&b.target, v)) assert_near_vec3(now, was, 0.25);
		else after += ossai_length2(ossai_sub(now, was));
	}
	assert_true(after < before / 4);
	assert_near(test_half_edges_area(&b.even.mesh), 64, 0.64);
	end(&b);
}

/* vertices on a sphere: faces lie within it, and after the fit as much of them without */
static void fitting_gives_the_volume_back(void **state)
{
	(void)state;
	bench b;
	begin(&b, 4, 0, 0.3);
	const double volume = test_half_edges_volume(&b.target);
	ossai_isotropic_collapse(&b.even, 0.5);
	ossai_isotropic_pack(&b.even);
	ossai_isotropic_smooth(&b.even);
	const double before = test_half_edges_volume(&b.even.mesh);
	assert_true(before < 0.98 * volume);
	ossai_isotropic_fit(&b.even);
	assert_near(test_half_edges_volume(&b.even.mesh), volume, 0.01 * volume);
	test_assert_half_edges(&b.even.mesh);
	assert_int_equal(b.even.mesh.vertex_count, b.even.mesh.live_vertices);
	/* each vertex of the target has a representative near it */
	for (uint32_t v = 0; v < b.target.vertex_count; v++) {
		assert_true(b.even.of_target[v] < b.even.mesh.vertex_count);
		assert_near_vec3(ossai_edge_point(&b.even.mesh, b.even.of_target[v]), ossai_edge_point(&b.target, v), 0.6);
	}
	end(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_edges_are_split),
		cmocka_unit_test(short_edges_collapse),
		cmocka_unit_test(flips_make_delaunay_triangles),
		cmocka_unit_test(flips_end_where_no_edge_is_left),
		cmocka_unit_test(smoothing_evens_a_sheet_and_leaves_its_plane),
		cmocka_unit_test(fitting_gives_the_volume_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
