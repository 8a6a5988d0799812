/* tests/proxy/test_remesh.c: an isotropic mesh approximates the surface, has its connectivity,
   and has the wanted number of vertices at any resolution. */
#include "query/face_tree.h"
#include "mesh/manifold.h"
#include "proxy/remesh.h"
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

static facts facts_of_even(ossai_arena *arena, const ossai_isotropic_mesh *m)
{
	const facts f = facts_of(arena, m->vertex_count, m->positions, m->face_count, m->triangles);
	/* nothing to drop, to cut or to turn, no vertex without a face */
	assert_int_equal(f.manifold.dropped_faces, 0);
	assert_int_equal(f.manifold.turned_faces, 0);
	return f;
}

static ossai_isotropic_mesh remesh(test_surface *t, size_t wanted)
{
	ossai_isotropic_mesh made;
	assert_ok(
		t->context, ossai_remesh(&t->arena, t->s.vertex_count, t->s.rest, t->s.face_count, t->s.triangles, wanted, &made));
	return made;
}

static void assert_stands_near(const test_surface *t, const ossai_isotropic_mesh *made, double reach)
{
	for (size_t v = 0; v < t->s.vertex_count; v++) {
		if (!t->s.used[v]) {
			assert_int_equal(made->of_vertex[v], OSSA_NONE);
			continue;
		}
		assert_true(made->of_vertex[v] < made->vertex_count);
		const ossai_vec3 stand = ossai_v3_of(made->positions + 3 * (size_t)made->of_vertex[v]);
		assert_near_vec3(stand, ossai_rest_point(&t->s, v), reach);
	}
}

/* ---- meshes made here ---- */

typedef struct literal {
	size_t vertex_count, face_count;
	double *positions;
	uint32_t *triangles;
} literal;

static literal literal_new(size_t vertices, size_t faces)
{
	literal l = {vertices, faces, malloc(3 * vertices * sizeof(double)), malloc(3 * faces * sizeof(uint32_t))};
	assert_true(l.positions && l.triangles);
	return l;
}

static void literal_free(literal *l)
{
	free(l->positions);
	free(l->triangles);
}

/* a closed ring of columns x rows squares: a torus */
static literal torus(uint32_t columns, uint32_t rows, double radius, double tube)
{
	literal l = literal_new((size_t)columns * rows, 2 * (size_t)columns * rows);
	for (uint32_t i = 0; i < columns * rows; i++) {
		const double a = 2 * OSSAI_PI * (i % columns) / columns, b = 2 * OSSAI_PI * (i / columns) / rows;
		const double reach = radius + tube * cos(b);
		ossai_v3_store(ossai_v3(reach * cos(a), reach * sin(a), tube * sin(b)), l.positions + 3 * (size_t)i);
		const uint32_t right = i / columns * columns + (i + 1) % columns, up = (i + columns) % (columns * rows);
		const uint32_t across = up / columns * columns + (up + 1) % columns;
		const uint32_t two[6] = {i, right, across, i, across, up};
		for (size_t k = 0; k < 6; k++) l.triangles[6 * (size_t)i + k] = two[k];
	}
	return l;
}

static const uint32_t BOX_FACES[36] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

static void set_box(literal *l, size_t index, ossai_vec3 low, ossai_vec3 high)
{
	for (uint32_t c = 0; c < 8; c++) {
		const bool right = c % 4 == 1 || c % 4 == 2, up = c % 4 >= 2;
		const ossai_vec3 p = {right ? high.x : low.x, up ? high.y : low.y, c >= 4 ? high.z : low.z};
		ossai_v3_store(p, l->positions + 3 * (8 * index + c));
	}
	for (size_t i = 0; i < 36; i++) l->triangles[36 * index + i] = BOX_FACES[i] + (uint32_t)(8 * index);
}

static literal boxes(size_t count, const double (*corners)[6])
{
	literal l = literal_new(8 * count, 12 * count);
	for (size_t i = 0; i < count; i++) {
		set_box(&l, i, ossai_v3(corners[i][0], corners[i][1], corners[i][2]),
			ossai_v3(corners[i][3], corners[i][4], corners[i][5]));
	}
	return l;
}

typedef struct bench {
	ossa_context *context;
	ossai_arena arena;
	ossai_isotropic_mesh made;
	facts before, after;
} bench;

static bench remesh_literal(const literal *l, int threads, size_t wanted)
{
	bench b = {.context = test_context(threads)};
	b.arena = ossai_arena_begin(b.context);
	b.before = facts_of(&b.arena, l->vertex_count, l->positions, l->face_count, l->triangles);
	assert_ok(b.context, ossai_remesh(&b.arena, l->vertex_count, l->positions, l->face_count, l->triangles, wanted, &b.made));
	b.after = facts_of_even(&b.arena, &b.made);
	return b;
}

static void bench_end(bench *b)
{
	ossai_arena_end(&b->arena);
	test_context_end(b->context);
}

/* ---- creatures ---- */

static void creatures_keep_shape_at_any_resolution(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_QUADRUPED, OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS, OSSA_SAMPLE_PIECES};
	static const int faces[] = {1500, 5000, 40000};
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		/* from a coarser mesh, and from a finer one */
		for (size_t j = 0; j < sizeof faces / sizeof faces[0]; j++) {
			if (j != 2 * (i % 2) && !test_is_long()) continue;
			test_surface t = test_surface_sample(1, kinds[i], faces[j], 1);
			const facts before = facts_of(&t.arena, t.s.vertex_count, t.s.rest, t.s.face_count, t.s.triangles);
			const ossai_isotropic_mesh made = remesh(&t, 6000);
			const facts after = facts_of_even(&t.arena, &made);
			assert_true(made.vertex_count > 5400 && made.vertex_count < 6600);
			assert_int_equal(after.euler, before.euler);
			assert_int_equal(after.manifold.border_edges, 0);
			assert_int_equal(after.manifold.piece_count, before.manifold.piece_count);
			assert_near(after.volume / before.volume, 1, 0.01);
			assert_true(after.longest < 3 * after.mean);
			assert_stands_near(&t, &made, 2.5 * after.mean);
			test_surface_end(&t);
		}
	}
}

/* ---- what it keeps ---- */

static void handles_and_volume_are_kept(void **state)
{
	(void)state;
	/* from 64 faces to 120000 */
	static const uint32_t sizes[][2] = {{8, 4}, {64, 24}, {300, 200}};
	for (size_t i = 0; i < 3; i++) {
		literal l = torus(sizes[i][0], sizes[i][1], 0.35, 0.12);
		bench b = remesh_literal(&l, 1, 3000);
		assert_int_equal(b.after.euler, 0);
		assert_int_equal(b.after.manifold.border_edges, 0);
		assert_near(b.after.volume / b.before.volume, 1, 0.01);
		assert_true(b.made.vertex_count > 2700 && b.made.vertex_count < 3300);
		assert_true(b.after.shortest > 0.3 * b.after.mean && b.after.longest < 1.7 * b.after.mean);
		bench_end(&b);
		literal_free(&l);
	}
}

/* the boxes' corners are where no vertex is: what the edges cut off is little */
static void twelve_faces_are_refined(void **state)
{
	(void)state;
	literal l = boxes(1, (const double[][6]){{-0.4, -0.2, -0.3, 0.4, 0.2, 0.3}});
	bench b = remesh_literal(&l, 1, 4000);
	assert_int_equal(b.after.euler, 2);
	assert_near(b.after.volume / b.before.volume, 1, 0.005);
	assert_true(b.after.shortest > 0.2 * b.after.mean && b.after.longest < 1.8 * b.after.mean);
	for (size_t v = 0; v < 8; v++) {
		const ossai_vec3 stand = ossai_v3_of(b.made.positions + 3 * (size_t)b.made.of_vertex[v]);
		assert_near_vec3(stand, ossai_v3_of(l.positions + 3 * v), b.after.mean);
	}
	bench_end(&b);
	literal_free(&l);
}

/* the largest distance of a vertex or face center of one mesh from the other's faces */
static double farthest(bench *b, size_t count, const double *from, size_t face_count, const uint32_t *faces, size_t to_count,
	const double *to, size_t to_face_count, const uint32_t *to_faces)
{
	const ossai_mesh_view mesh = ossai_view_of_doubles(to_count, to, to_face_count, to_faces);
	uint32_t *group = ossai_arena_zero(&b->arena, to_face_count, sizeof *group);
	ossai_face_tree tree;
	assert_ok(b->context, ossai_face_tree_make(&b->arena, &mesh, &tree));
	double most = 0;
	for (size_t i = 0; i < count + face_count; i++) {
		ossai_vec3 p = {0, 0, 0};
		for (size_t k = 0; k < 3; k++) {
			const size_t v = i < count ? i : faces[3 * (i - count) + k];
			p = ossai_madd(p, 1.0 / 3, ossai_v3_of(from + 3 * v));
		}
		const ossai_near_face near = ossai_face_tree_nearest(&tree, group, p, 1, (ossai_near_face){OSSA_NONE, INFINITY});
		most = fmax(most, near.distance2);
	}
	return sqrt(most);
}

static void the_surfaces_are_near_each_other(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_HAND, 20000, 1);
	literal l = {t.s.vertex_count, t.s.face_count, t.s.rest, (uint32_t *)(uintptr_t)t.s.triangles};
	bench b = remesh_literal(&l, 1, 8000);
	const ossai_isotropic_mesh *m = &b.made;
	assert_true(farthest(&b, m->vertex_count, m->positions, m->face_count, m->triangles, l.vertex_count, l.positions,
					l.face_count, l.triangles) < 0.25 * b.after.mean);
	assert_true(farthest(&b, l.vertex_count, l.positions, l.face_count, l.triangles, m->vertex_count, m->positions,
					m->face_count, m->triangles) < 0.35 * b.after.mean);
	bench_end(&b);
	test_surface_end(&t);
}

static void sheets_keep_their_border(void **state)
{
	(void)state;
	literal l = literal_new(31 * 21, 2 * 30 * 20);
	for (uint32_t i = 0; i < 31 * 21; i++) {
		ossai_v3_store(ossai_v3(i % 31 / 30.0 - 0.5, i / 31 / 20.0 - 0.5, 0), l.positions + 3 * (size_t)i);
	}
	for (uint32_t f = 0; f < 600; f++) {
		const uint32_t a = f / 30 * 31 + f % 30, two[6] = {a, a + 1, a + 32, a, a + 32, a + 31};
		for (size_t k = 0; k < 6; k++) l.triangles[6 * (size_t)f + k] = two[k];
	}
	for (size_t wanted = 100; wanted < 10000; wanted *= 3) {
		bench b = remesh_literal(&l, 1, wanted);
		double area = 0, low = 0, high = 0;
		for (size_t f = 0; f < b.made.face_count; f++) {
			const uint32_t *c = b.made.triangles + 3 * f;
			const ossai_vec3 p = ossai_v3_of(b.made.positions + 3 * (size_t)c[0]);
			const ossai_vec3 n = ossai_cross(ossai_sub(ossai_v3_of(b.made.positions + 3 * (size_t)c[1]), p),
				ossai_sub(ossai_v3_of(b.made.positions + 3 * (size_t)c[2]), p));
			/* nothing is folded over */
			assert_true(n.z > 0);
			area += n.z / 2;
			low = fmin(low, p.x);
			high = fmax(high, p.x);
		}
		assert_true(area > 0.97 && area < 1 + 1e-9 && high - low > 0.98);
		assert_int_equal(b.after.euler, 1);
		assert_int_equal(b.after.manifold.piece_count, 1);
		bench_end(&b);
	}
	literal_free(&l);
}

/* a large and a small box: the small one's edges are no longer than about half of its thickness */
static void thin_parts_are_finer(void **state)
{
	(void)state;
	literal l = boxes(2, (const double[][6]){{-0.4, -0.2, -0.2, 0.0, 0.2, 0.2}, {0.1, -0.02, -0.02, 0.5, 0.02, 0.02}});
	bench b = remesh_literal(&l, 1, 1500);
	double sum[2] = {0, 0}, count[2] = {0, 0};
	for (size_t i = 0; i < 3 * b.made.face_count; i++) {
		const uint32_t a = b.made.triangles[i], c = b.made.triangles[i % 3 == 2 ? i - 2 : i + 1];
		const bool is_thin = b.made.positions[3 * (size_t)a] > 0.05;
		sum[is_thin] += ossai_distance(
			ossai_v3_of(b.made.positions + 3 * (size_t)a), ossai_v3_of(b.made.positions + 3 * (size_t)c));
		count[is_thin]++;
	}
	const double thick = sum[0] / count[0], thin = sum[1] / count[1];
	assert_true(thin < 0.03 && thin < 0.8 * thick);
	assert_int_equal(b.after.manifold.piece_count, 2);
	bench_end(&b);
	literal_free(&l);
}

/* two prongs closer than an edge length: the representative of a vertex is on its own prong */
static void nothing_stands_across_a_gap(void **state)
{
	(void)state;
	enum { N = 60 };
	literal l = literal_new(2 * 4 * (N + 1), 2 * (8 * N + 4));
	size_t face = 0;
	for (uint32_t prong = 0; prong < 2; prong++) {
		const uint32_t first = prong * 4 * (N + 1);
		const double low = prong ? 0.004 : -0.104, high = prong ? 0.104 : -0.004;
		for (uint32_t i = 0; i < 4 * (N + 1); i++) {
			const double x = i % 4 == 1 || i % 4 == 2 ? high : low, y = i % 4 >= 2 ? 0.05 : -0.05;
			ossai_v3_store(ossai_v3(x, y, i / 4 / (double)N - 0.5), l.positions + 3 * (size_t)(first + i));
		}
		for (uint32_t i = 0; i < 4 * N; i++) {
			const uint32_t a = first + i, next = first + i / 4 * 4 + (i + 1) % 4;
			const uint32_t two[6] = {a, next, next + 4, a, next + 4, a + 4};
			for (size_t k = 0; k < 6; k++) l.triangles[face++] = two[k];
		}
		const uint32_t end = first + 4 * N;
		const uint32_t caps[12] = {
			first, first + 2, first + 1, first, first + 3, first + 2, end, end + 1, end + 2, end, end + 2, end + 3};
		for (size_t k = 0; k < 12; k++) l.triangles[face++] = caps[k];
	}
	assert_int_equal(face, 3 * l.face_count);
	bench b = remesh_literal(&l, 1, 600);
	assert_true(b.after.mean > 0.016);
	for (size_t v = 0; v < l.vertex_count; v++) {
		const double x = b.made.positions[3 * (size_t)b.made.of_vertex[v]];
		assert_true((x > 0) == (l.positions[3 * v] > 0));
	}
	bench_end(&b);
	literal_free(&l);
}

/* ---- what it does not depend on ---- */

static void turned_and_scaled_shapes_give_the_same(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_QUADRUPED, 5000, 1);
	literal l = {t.s.vertex_count, t.s.face_count, t.s.rest, (uint32_t *)(uintptr_t)t.s.triangles};
	literal moved = literal_new(l.vertex_count, l.face_count);
	uint64_t seed = 7;
	for (int run = 0; run < 3; run++) {
		const ossai_quat q = test_random_turn(&seed, run == 2 ? 0 : 3);
		const ossai_mat3 turn = ossai_quat_matrix(q);
		const double scale = run == 1 ? 1e-3 : run == 2 ? 1024 : 1;
		for (size_t v = 0; v < l.vertex_count; v++) {
			ossai_v3_store(
				ossai_scale(ossai_mat3_mul_v(&turn, ossai_v3_of(l.positions + 3 * v)), scale), moved.positions + 3 * v);
		}
		for (size_t i = 0; i < 3 * l.face_count; i++) moved.triangles[i] = l.triangles[i];
		bench a = remesh_literal(&l, 1, 4000), b = remesh_literal(&moved, 1, 4000);
		assert_near((double)a.made.vertex_count / (double)b.made.vertex_count, 1, 0.03);
		assert_near(b.after.volume / (a.after.volume * scale * scale * scale), 1, 0.003);
		/* a power of two changes no digit */
		if (run == 2) assert_int_equal(a.made.vertex_count, b.made.vertex_count);
		bench_end(&a);
		bench_end(&b);
	}
	literal_free(&moved);
	test_surface_end(&t);
}

static void threads_change_nothing(void **state)
{
	(void)state;
	literal l = torus(150, 60, 0.35, 0.05);
	bench a = remesh_literal(&l, 1, 2500), b = remesh_literal(&l, 3, 2500);
	assert_int_equal(a.made.vertex_count, b.made.vertex_count);
	assert_int_equal(a.made.face_count, b.made.face_count);
	assert_memory_equal(a.made.positions, b.made.positions, 3 * sizeof(double) * a.made.vertex_count);
	assert_memory_equal(a.made.triangles, b.made.triangles, 3 * sizeof(uint32_t) * a.made.face_count);
	assert_memory_equal(a.made.of_vertex, b.made.of_vertex, sizeof(uint32_t) * l.vertex_count);
	bench_end(&a);
	bench_end(&b);
	literal_free(&l);
}

/* ---- what is no clean surface ---- */

static void what_is_not_manifold_is_cut(void **state)
{
	(void)state;
	/* two boxes with an edge in common, a face of them twice, one that is none, and a third box
	   that meets a corner */
	literal l = boxes(
		3, (const double[][6]){{0, 0, 0, 0.3, 0.3, 0.3}, {0.3, 0.3, 0, 0.6, 0.6, 0.3}, {0.6, 0.6, 0.3, 0.8, 0.8, 0.5}});
	literal m = literal_new(24, 38);
	for (size_t i = 0; i < 72; i++) m.positions[i] = l.positions[i];
	for (size_t i = 0; i < 108; i++) {
		/* corners 2 and 6 of the first are 0 and 4 of the second, whose 6 is the third's 0 */
		const uint32_t v = l.triangles[i];
		m.triangles[i] = v == 8 ? 2 : v == 12 ? 6 : v == 16 ? 14 : v;
	}
	const uint32_t more[6] = {m.triangles[4], m.triangles[5], m.triangles[3], 0, 0, 1};
	for (size_t i = 0; i < 6; i++) m.triangles[108 + i] = more[i];
	bench b = remesh_literal(&m, 1, 1500);
	assert_int_equal(b.before.manifold.dropped_faces, 2);
	assert_int_equal(b.before.manifold.crowded_edges, 1);
	assert_true(b.before.manifold.pinched_vertices >= 1);
	assert_int_equal(b.before.manifold.turned_faces, 0);
	/* the box at the corner is closed and by itself; the two at the edge are open there */
	assert_int_equal(b.after.manifold.piece_count, 3);
	assert_near(b.after.volume / b.before.volume, 1, 0.02);
	bench_end(&b);
	literal_free(&m);
	literal_free(&l);
}

static void a_surface_of_one_side_is_cut_and_stays(void **state)
{
	(void)state;
	enum { N = 24 };
	literal l = literal_new(2 * N, 2 * N);
	for (uint32_t i = 0; i < N; i++) {
		const double a = 2 * OSSAI_PI * i / N;
		for (uint32_t side = 0; side < 2; side++) {
			const double w = side ? 0.1 : -0.1, reach = 0.4 + w * cos(a / 2);
			ossai_v3_store(ossai_v3(reach * cos(a), reach * sin(a), w * sin(a / 2)), l.positions + 3 * (size_t)(2 * i + side));
		}
		const uint32_t a0 = 2 * i, a1 = a0 + 1, b0 = i + 1 < N ? a0 + 2 : 1, b1 = i + 1 < N ? a0 + 3 : 0;
		const uint32_t two[6] = {a0, b0, b1, a0, b1, a1};
		for (size_t k = 0; k < 6; k++) l.triangles[6 * (size_t)i + k] = two[k];
	}
	bench b = remesh_literal(&l, 1, 800);
	assert_true(b.before.manifold.twisted_edges > 0);
	assert_int_equal(b.after.manifold.piece_count, 1);
	assert_true(b.made.vertex_count > 700 && b.made.vertex_count < 900);
	bench_end(&b);
	literal_free(&l);
}

static void faces_look_outwards(void **state)
{
	(void)state;
	literal l = torus(40, 20, 0.35, 0.1);
	for (size_t f = 0; f < l.face_count; f++) {
		/* inside out, and every seventh the other way */
		if (f % 7 == 0) continue;
		const uint32_t swap = l.triangles[3 * f];
		l.triangles[3 * f] = l.triangles[3 * f + 1];
		l.triangles[3 * f + 1] = swap;
	}
	bench b = remesh_literal(&l, 1, 1000);
	const double exact = 2 * OSSAI_PI * OSSAI_PI * 0.35 * 0.1 * 0.1;
	assert_true(b.after.volume > 0.96 * exact && b.after.volume < 1.01 * exact);
	assert_int_equal(b.before.manifold.turned_faces, l.face_count - (l.face_count + 6) / 7);
	bench_end(&b);
	literal_free(&l);
}

/* crowds: one edge of very many faces, one vertex of very many, and triangles anywhere; none may be
   slow or break the mesh */
static void crowds_do_no_harm(void **state)
{
	(void)state;
	enum { N = 20000 };
	literal book = literal_new(N + 2, N), fan = literal_new(N + 1, N), soup = literal_new(3 * 2000, 2000);
	ossai_v3_store(ossai_v3(0, 0, -0.5), book.positions);
	ossai_v3_store(ossai_v3(0, 0, 0.5), book.positions + 3);
	ossai_v3_store(ossai_v3(0, 0, 0.2), fan.positions);
	for (uint32_t i = 0; i < N; i++) {
		const double a = 2 * OSSAI_PI * i / N;
		ossai_v3_store(ossai_v3(0.5 * cos(a), 0.5 * sin(a), 0), book.positions + 3 * (size_t)(i + 2));
		ossai_v3_store(ossai_v3(0.5 * cos(a), 0.5 * sin(a), 0), fan.positions + 3 * (size_t)(i + 1));
		const uint32_t page[3] = {0, 1, i + 2}, slice[3] = {0, i + 1, (i + 1) % N + 1};
		for (size_t k = 0; k < 3; k++) {
			book.triangles[3 * (size_t)i + k] = page[k];
			fan.triangles[3 * (size_t)i + k] = slice[k];
		}
	}
	uint64_t seed = 3;
	for (uint32_t i = 0; i < 3 * 2000; i++) {
		ossai_v3_store(test_random_point(&seed, 0.5), soup.positions + 3 * (size_t)i);
		soup.triangles[i] = i % 5 == 0 ? i / 2 : i;
	}
	const literal *all[3] = {&book, &fan, &soup};
	for (size_t i = 0; i < 3; i++) {
		bench b = remesh_literal(all[i], 1, 500);
		if (i == 1) assert_true(b.made.vertex_count < 700 && b.after.euler == 1);
		for (size_t v = 0; v < all[i]->vertex_count; v++) {
			assert_true(b.made.of_vertex[v] == OSSA_NONE || b.made.of_vertex[v] < b.made.vertex_count);
		}
		for (size_t k = 0; k < 3 * b.made.vertex_count; k++) assert_near(b.made.positions[k], 0, 0.6);
		bench_end(&b);
	}
	literal_free(&book);
	literal_free(&fan);
	literal_free(&soup);
}

static void what_has_no_area_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	const double line[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
	const uint32_t faces[6] = {0, 1, 2, 1, 1, 3};
	ossai_isotropic_mesh made;
	assert_fails(context, ossai_remesh(&arena, 4, line, 2, faces, 100, &made), OSSA_ERROR_INPUT, "area");
	assert_fails(context, ossai_remesh(&arena, 4, line, 0, faces, 100, &made), OSSA_ERROR_INPUT, "area");
	/* one face is enough */
	const double one[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	assert_ok(context, ossai_remesh(&arena, 3, one, 1, faces, 100, &made));
	assert_true(made.vertex_count > 60 && made.vertex_count < 150);
	assert_ok(context, ossai_remesh(&arena, 3, one, 1, faces, 0, &made));
	assert_true(made.vertex_count >= 3);
	ossai_arena_end(&arena);
	test_context_end(context);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const literal *l = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_isotropic_mesh made;
	const ossa_status status = ossai_remesh(&arena, l->vertex_count, l->positions, l->face_count, l->triangles, 60, &made);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	/* fine enough for the fast way down */
	literal l = torus(24, 16, 0.35, 0.12);
	assert_true(test_allocation_sweep(sweep, &l, 1000, 1) > 20);
	literal_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(creatures_keep_shape_at_any_resolution),
		cmocka_unit_test(handles_and_volume_are_kept),
		cmocka_unit_test(twelve_faces_are_refined),
		cmocka_unit_test(the_surfaces_are_near_each_other),
		cmocka_unit_test(sheets_keep_their_border),
		cmocka_unit_test(thin_parts_are_finer),
		cmocka_unit_test(nothing_stands_across_a_gap),
		cmocka_unit_test(turned_and_scaled_shapes_give_the_same),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(what_is_not_manifold_is_cut),
		cmocka_unit_test(a_surface_of_one_side_is_cut_and_stays),
		cmocka_unit_test(faces_look_outwards),
		cmocka_unit_test(crowds_do_no_harm),
		cmocka_unit_test(what_has_no_area_is_reported),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
