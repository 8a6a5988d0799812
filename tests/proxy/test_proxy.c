/* tests/proxy/test_proxy.c: which proxy a surface gets, and how its pieces are linked, against a
   search through all pairs of vertices. */
#include "base/union_find.h"
#include "mesh/manifold.h"
#include "mesh/pieces.h"
#include "proxy/proxy.h"
#include "support/shapes.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t BOX_FACES[36] = {
	0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};

enum { BOXES = 600 };
static float positions[24 * BOXES];
static uint32_t triangles[36 * BOXES];

/* boxes of one size, the first corners of which are given */
static test_surface boxes(size_t count, const float (*low)[3], float size)
{
	for (size_t i = 0; i < count; i++) {
		for (uint32_t c = 0; c < 8; c++) {
			float *p = positions + 24 * i + 3 * (size_t)c;
			p[0] = low[i][0] + (c % 4 == 1 || c % 4 == 2 ? size : 0);
			p[1] = low[i][1] + (c % 4 >= 2 ? size : 0);
			p[2] = low[i][2] + (c >= 4 ? size : 0);
		}
		for (size_t k = 0; k < 36; k++) triangles[36 * i + k] = BOX_FACES[k] + (uint32_t)(8 * i);
	}
	return test_surface_make(1, 8 * count, positions, 12 * count, triangles, 1, NULL);
}

static ossai_proxy make_proxy(test_surface *t, ossa_proxy_kind kind, size_t vertices, double join, double split)
{
	const ossai_proxy_options options = {.kind = kind, .vertices = vertices, .join_distance = join, .split_distance = split};
	ossai_proxy proxy;
	assert_ok(t->context, ossai_proxy_make(&t->arena, &t->s, &options, &proxy));
	for (size_t v = 0; v < t->s.vertex_count; v++) {
		/* sewn vertices are where their first one is */
		const size_t first = t->s.first_of_vertex ? t->s.first_of_vertex[v] : v;
		assert_true(t->s.used[first] ? proxy.of_vertex[v] < proxy.vertex_count : proxy.of_vertex[v] == OSSA_NONE);
	}
	for (size_t i = 0; i < 2 * proxy.link_count; i += 2) {
		assert_true(proxy.links[i] < proxy.links[i + 1] && proxy.links[i + 1] < proxy.vertex_count);
	}
	assert_true(proxy.edge_length > 0);
	return proxy;
}

static uint32_t *pieces_of(test_surface *t, const ossai_proxy *proxy, uint32_t *count)
{
	uint32_t *of_face = ossai_arena_new(&t->arena, proxy->face_count, sizeof *of_face);
	uint32_t *of_vertex = ossai_arena_new(&t->arena, proxy->vertex_count, sizeof *of_vertex);
	assert_ok(t->context,
		ossai_pieces_make(t->context, proxy->vertex_count, proxy->face_count, proxy->triangles, of_face, of_vertex, count));
	return of_vertex;
}

/* links run between pieces; the joined pieces are counted; the shortest connection of every piece
   is one of them */
static void assert_links(test_surface *t, const ossai_proxy *proxy, bool has_shortest)
{
	uint32_t count = 0, joined = 0;
	const uint32_t *piece = pieces_of(t, proxy, &count);
	uint32_t *parent = ossai_arena_new(&t->arena, count, sizeof *parent);
	double *linked = ossai_arena_new(&t->arena, count, 2 * sizeof *linked), *plain = linked + count;
	ossai_union_begin(parent, count);
	for (size_t i = 0; i < 2 * (size_t)count; i++) linked[i] = INFINITY;
	for (size_t i = 0; i < proxy->link_count; i++) {
		const uint32_t a = proxy->links[2 * i], b = proxy->links[2 * i + 1];
		const double length = ossai_distance(
			ossai_v3_of(proxy->positions + 3 * (size_t)a), ossai_v3_of(proxy->positions + 3 * (size_t)b));
		assert_int_not_equal(piece[a], piece[b]);
		joined += ossai_union_join(parent, piece[a], piece[b]);
		linked[piece[a]] = fmin(linked[piece[a]], length);
		linked[piece[b]] = fmin(linked[piece[b]], length);
	}
	assert_int_equal(proxy->piece_count, count - joined);
	for (size_t a = 0; has_shortest && a < proxy->vertex_count; a++) {
		for (size_t b = 0; b < a; b++) {
			if (piece[a] == piece[b]) continue;
			const double length = ossai_distance(ossai_v3_of(proxy->positions + 3 * a), ossai_v3_of(proxy->positions + 3 * b));
			plain[piece[a]] = fmin(plain[piece[a]], length);
			plain[piece[b]] = fmin(plain[piece[b]], length);
		}
	}
	for (uint32_t p = 0; has_shortest && p < count; p++) assert_near(linked[p], plain[p], 1e-6);
}

static void clean_surfaces_stand_for_themselves(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_QUADRUPED, 5000, 1);
	const ossai_proxy proxy = make_proxy(&t, OSSA_PROXY_AUTO, 3000, -1, 0);
	assert_int_equal(proxy.kind, OSSA_PROXY_SURFACE);
	assert_int_equal(proxy.piece_count, 1);
	assert_int_equal(proxy.link_count, 0);
	assert_true(proxy.is_closed);
	assert_no_warnings(t.context);
	test_surface_end(&t);
}

/* open, of several pieces, an edge of three faces: the shell, and a word on why */
static void others_get_a_shell(void **state)
{
	(void)state;
	const ossa_sample_kind kinds[2] = {OSSA_SAMPLE_OPEN, OSSA_SAMPLE_PIECES};
	const char *words[2] = {"it is open", "pieces"};
	for (int i = 0; i < 2; i++) {
		test_surface t = test_surface_sample(1, kinds[i], 5000, 1);
		const ossai_proxy proxy = make_proxy(&t, OSSA_PROXY_AUTO, 3000, -1, 0);
		assert_int_equal(proxy.kind, OSSA_PROXY_SHELL);
		assert_int_equal(proxy.piece_count, 1);
		assert_true(proxy.is_closed && proxy.vertex_count > 2000 && proxy.vertex_count < 4000);
		assert_int_equal(test_warned(t.context, "proxy-shell"), 1);
		assert_non_null(strstr(test_warning_text(t.context, "proxy-shell"), words[i]));
		test_surface_end(&t);
	}
}

/* a box with a flag on one of its edges */
static void one_edge_is_reported_as_one(void **state)
{
	(void)state;
	test_shape *s = test_shape_new();
	test_shape_box(s, ossai_v3(0, 0, 0), ossai_v3(1, 1, 1), true);
	static const float flag[] = {0, -1, 0};
	memcpy(s->positions + 3 * s->vertex_count, flag, sizeof flag);
	uint32_t *face = s->triangles + 3 * s->face_count++;
	face[2] = (uint32_t)s->vertex_count++;
	/* corners below, along x */
	for (uint32_t v = 0; v < s->vertex_count; v++) {
		const float *p = s->positions + 3 * (size_t)v;
		if (p[1] == 0 && p[2] == 0) face[p[0] > 0] = v;
	}
	test_surface t = test_shape_surface(1, s);
	make_proxy(&t, OSSA_PROXY_AUTO, 300, -1, 0);
	assert_non_null(strstr(test_warning_text(t.context, "proxy-shell"), "(1 edge has more than two faces)"));
	test_surface_end(&t);
	free(s);
}

static void pieces_are_joined_where_they_are_nearest(void **state)
{
	(void)state;
	/* the first two nearly touch, the third is farther, the fourth far away */
	test_surface t = boxes(4, (const float[][3]){{0, 0, 0}, {1.05f, 0.1f, 0}, {2.5f, 0, 0}, {0, 9, 0}}, 1);
	for (int kind = OSSA_PROXY_SURFACE; kind <= OSSA_PROXY_NONE; kind += 2) {
		const ossai_proxy all = make_proxy(&t, (ossa_proxy_kind)kind, 800, -1, 0);
		assert_int_equal(all.kind, kind);
		assert_int_equal(all.piece_count, 1);
		assert_true(all.is_closed);
		assert_links(&t, &all, true);
		/* lengths are shares of the diagonal: about 10 */
		const ossai_proxy near = make_proxy(&t, (ossa_proxy_kind)kind, 800, 0.02, 0);
		assert_int_equal(near.piece_count, 3);
		assert_links(&t, &near, false);
		const ossai_proxy none = make_proxy(&t, (ossa_proxy_kind)kind, 800, 0, 0);
		assert_int_equal(none.piece_count, 4);
		assert_int_equal(none.link_count, 0);
		/* the contact of the first two is cut; farther ones stay joined */
		const ossai_proxy split = make_proxy(&t, (ossa_proxy_kind)kind, 800, -1, 0.02);
		assert_int_equal(split.piece_count, 2);
		assert_links(&t, &split, false);
	}
	test_surface_end(&t);
}

static void the_surface_as_it_is_has_its_points(void **state)
{
	(void)state;
	/* a box inside out, its seams open: 36 vertices at 8 points; and a vertex of no face */
	float corners[37 * 3] = {0};
	uint32_t faces[36];
	for (uint32_t i = 0; i < 36; i++) {
		const uint32_t c = BOX_FACES[35 - i];
		corners[3 * i] = c % 4 == 1 || c % 4 == 2;
		corners[3 * i + 1] = c % 4 >= 2;
		corners[3 * i + 2] = c >= 4;
		faces[i] = i;
	}
	test_surface t = test_surface_make(1, 37, corners, 12, faces, 1, NULL);
	const ossai_proxy proxy = make_proxy(&t, OSSA_PROXY_NONE, 1000, -1, 0);
	assert_int_equal(proxy.vertex_count, 8);
	assert_int_equal(proxy.face_count, 12);
	assert_true(proxy.is_closed);
	double volume = 0;
	for (size_t f = 0; f < 12; f++) {
		const uint32_t *c = proxy.triangles + 3 * f;
		volume += ossai_dot(ossai_v3_of(proxy.positions + 3 * (size_t)c[0]),
			ossai_cross(ossai_v3_of(proxy.positions + 3 * (size_t)c[1]), ossai_v3_of(proxy.positions + 3 * (size_t)c[2])));
	}
	assert_near(volume / 6 * 3 * sqrt(3), 1, 1e-6);
	for (size_t v = 0; v < 36; v++) {
		/* the others of a seam stand for nothing themselves */
		if (!t.s.used[v]) continue;
		const ossai_vec3 at = ossai_v3_of(proxy.positions + 3 * (size_t)proxy.of_vertex[v]);
		assert_near_vec3(at, ossai_rest_point(&t.s, v), 1e-9);
	}
	test_surface_end(&t);
}

static void very_many_pieces_are_joined(void **state)
{
	(void)state;
	static float low[BOXES][3];
	uint64_t seed = 5;
	for (size_t i = 0; i < BOXES; i++) {
		for (size_t k = 0; k < 3; k++) low[i][k] = (float)(20 * test_random(&seed));
	}
	test_surface t = boxes(BOXES, (const float(*)[3])low, 0.5f);
	const ossai_proxy proxy = make_proxy(&t, OSSA_PROXY_NONE, 100, -1, 0);
	assert_int_equal(proxy.piece_count, 1);
	assert_links(&t, &proxy, true);
	test_surface_end(&t);
}

/* sheets that all have an edge in common: cut apart, each piece has its points where all others
   have theirs */
/* triangles that nearly all cross: ties keep each with a few others, or a system over them would be
   as good as full */
static void pieces_that_cross_are_tied_to_few(void **state)
{
	(void)state;
	enum { CROSSING = 120 };
	static float corners[CROSSING * 9];
	static uint32_t faces[CROSSING * 3];
	static uint8_t meet[CROSSING][CROSSING];
	uint64_t seed = 9;
	for (uint32_t i = 0; i < CROSSING * 9; i++) corners[i] = (float)test_random(&seed);
	for (uint32_t i = 0; i < CROSSING * 3; i++) faces[i] = i;
	test_surface t = test_surface_make(1, (size_t)CROSSING * 3, corners, CROSSING, faces, 1, NULL);
	const ossai_proxy proxy = make_proxy(&t, OSSA_PROXY_SURFACE, 3000, -1, 0);
	assert_int_equal(proxy.piece_count, 1);
	assert_links(&t, &proxy, true);
	uint32_t count = 0;
	const uint32_t *piece = pieces_of(&t, &proxy, &count);
	assert_int_equal(count, CROSSING);
	size_t pairs = 0;
	uint32_t joined = 0, parent[CROSSING];
	ossai_union_begin(parent, CROSSING);
	for (size_t i = 0; i < proxy.tie_count; i++) {
		const uint32_t a = piece[proxy.ties[2 * i]], b = piece[proxy.ties[2 * i + 1]];
		uint8_t *seen = a < b ? &meet[a][b] : &meet[b][a];
		joined += ossai_union_join(parent, a, b);
		pairs += !*seen;
		*seen = 1;
	}
	/* by the links there are many more */
	assert_true(proxy.link_count > 2 * proxy.tie_count);
	assert_int_equal(joined, CROSSING - 1);
	/* three, the nearest, and those that connect everything */
	assert_true(pairs >= CROSSING - 1 && pairs <= 5 * (size_t)CROSSING);
	test_surface_end(&t);
}

static void pieces_in_one_place_are_joined(void **state)
{
	(void)state;
	enum { PAGES = 4000 };
	float *corners = malloc((PAGES + 2) * 3 * sizeof *corners);
	uint32_t *faces = malloc(PAGES * 3 * sizeof *faces);
	assert_true(corners && faces);
	const float spine[6] = {0, 0, -1, 0, 0, 1};
	memcpy(corners, spine, sizeof spine);
	for (uint32_t i = 0; i < PAGES; i++) {
		const float page[3] = {(float)cos(0.001 * i), (float)sin(0.001 * i), 0};
		memcpy(corners + 3 * (size_t)(i + 2), page, sizeof page);
		memcpy(faces + 3 * (size_t)i, (uint32_t[]){0, 1, i + 2}, 3 * sizeof *faces);
	}
	test_surface t = test_surface_make(1, PAGES + 2, corners, PAGES, faces, 1, NULL);
	const ossai_proxy proxy = make_proxy(&t, OSSA_PROXY_SURFACE, 500, -1, 0);
	assert_int_equal(proxy.piece_count, 1);
	assert_true(proxy.link_count >= PAGES - 1);
	assert_links(&t, &proxy, false);
	const ossai_proxy apart = make_proxy(&t, OSSA_PROXY_SURFACE, 500, -1, 1e-6);
	assert_true(apart.piece_count > 1);
	test_surface_end(&t);
	free(corners);
	free(faces);
}

static void what_has_no_area_is_reported(void **state)
{
	(void)state;
	const float line[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
	const uint32_t face[3] = {0, 1, 2};
	test_surface t = test_surface_make(1, 3, line, 1, face, 1, NULL);
	for (int kind = OSSA_PROXY_AUTO; kind <= OSSA_PROXY_NONE; kind++) {
		const ossai_proxy_options options = {.kind = (ossa_proxy_kind)kind, .vertices = 100, .join_distance = -1};
		ossai_proxy proxy;
		assert_fails(t.context, ossai_proxy_make(&t.arena, &t.s, &options, &proxy), OSSA_ERROR_INPUT, "area");
	}
	test_surface_end(&t);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const int kind = *(const int *)arg;
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_posed_surface surface;
	ossai_proxy proxy;
	ossa_status status = ossa_mesh_create(context, 16, positions, 24, triangles, &mesh);
	if (status == OSSA_OK) status = ossa_frames_create(context, 1, 16, 24, &frames);
	if (status == OSSA_OK) {
		memcpy(frames->positions, positions, 48 * sizeof *positions);
		status = ossai_posed_surface_make(context, &arena, mesh, frames, false, &surface);
	}
	const ossai_proxy_options options = {.kind = (ossa_proxy_kind)kind, .vertices = 60, .join_distance = -1};
	if (status == OSSA_OK) status = ossai_proxy_make(&arena, &surface, &options, &proxy);
	ossai_arena_end(&arena);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = boxes(2, (const float[][3]){{0, 0, 0}, {1.05f, 0.1f, 0}}, 1);
	test_surface_end(&t);
	for (int kind = OSSA_PROXY_AUTO; kind <= OSSA_PROXY_NONE; kind++) {
		assert_true(test_allocation_sweep(sweep, &kind, 200, 3) > 30);
	}
}

/* a wedge without symmetry, and its mirror image: one of the two canonical frames is left-handed */
static void faces_of_mirror_images_look_outward(void **state)
{
	(void)state;
	static const float wedge[] = {0, 0, 0, 6, 0.3f, 0, 0, 3, 0, 0, 0.2f, 1.5f};
	static const uint32_t outward[2][12] = {{0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}, {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3}};
	static const ossa_proxy_kind kinds[] = {OSSA_PROXY_SURFACE, OSSA_PROXY_SHELL, OSSA_PROXY_NONE};
	for (int i = 0; i < 6; i++) {
		float points[12];
		for (int k = 0; k < 12; k++) points[k] = i % 2 == 1 && k % 3 == 0 ? -wedge[k] : wedge[k];
		test_surface t = test_surface_make(1, 4, points, 4, outward[i % 2], 1, NULL);
		const ossai_proxy proxy = make_proxy(&t, kinds[i / 2], 300, -1, 0);
		double volume = 0;
		for (size_t f = 0; f < proxy.face_count; f++) {
			const uint32_t *c = proxy.triangles + 3 * f;
			volume += ossai_dot(ossai_v3_of(proxy.positions + 3 * (size_t)c[0]),
				ossai_cross(ossai_v3_of(proxy.positions + 3 * (size_t)c[1]), ossai_v3_of(proxy.positions + 3 * (size_t)c[2])));
		}
		assert_true(volume > 0);
		test_surface_end(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clean_surfaces_stand_for_themselves),
		cmocka_unit_test(one_edge_is_reported_as_one),
		cmocka_unit_test(others_get_a_shell),
		cmocka_unit_test(pieces_are_joined_where_they_are_nearest),
		cmocka_unit_test(the_surface_as_it_is_has_its_points),
		cmocka_unit_test(very_many_pieces_are_joined),
		cmocka_unit_test(pieces_that_cross_are_tied_to_few),
		cmocka_unit_test(pieces_in_one_place_are_joined),
		cmocka_unit_test(faces_of_mirror_images_look_outward),
		cmocka_unit_test(what_has_no_area_is_reported),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
