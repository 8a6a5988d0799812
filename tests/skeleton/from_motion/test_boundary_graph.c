/* tests/skeleton/from_motion/test_boundary_graph.c: boundaries of parts on literal meshes, against
   counting by hand, and the tree of the longest ones. */
#include "skeleton/from_motion/boundary_graph.h"

#include "support/parts.h"
#include "support/support.h"

#include <string.h>

static ossai_bone_graph graph_of(test_surface *t, const uint32_t *part_of_face, size_t parts)
{
	ossai_bone_graph graph;
	assert_ok(t->context, ossai_boundary_graph_make(&t->arena, &t->s, part_of_face, parts, &graph));
	return graph;
}

static const ossai_bone_pair *pair_of(const ossai_bone_graph *graph, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < graph->pair_count; i++) {
		if (graph->pairs[i].a == a && graph->pairs[i].b == b) return &graph->pairs[i];
	}
	return NULL;
}

/* ---- literal ---- */

/* a row of three squares of side 1, each cut in two: parts 0 0 | 1 1 | 2 2 */
static const float row_points[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0, 3, 0, 0, 3, 1, 0};
static const uint32_t row_triangles[] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3, 4, 6, 7, 4, 7, 5};

static ossai_vec3 to_mesh(const ossai_posed_surface *s, ossai_vec3 p) { return ossai_madd(s->rest_center, s->scale, p); }

static void row_of_squares(void **state)
{
	(void)state;
	const uint32_t parts[] = {0, 0, 1, 1, 2, 2};
	test_surface t = test_surface_make(1, 8, row_points, 6, row_triangles, 1, NULL);
	const ossai_bone_graph graph = graph_of(&t, parts, 3);
	assert_int_equal(graph.pair_count, 2);
	for (uint32_t a = 0; a < 2; a++) {
		const ossai_bone_pair *pair = pair_of(&graph, a, a + 1);
		assert_non_null(pair);
		assert_true(pair->contact == 2); /* one triangle on each side */
		assert_near(pair->mass * t.s.scale, 1, 1e-6);
		const ossai_vec3 middle = ossai_v3(a + 1, 0.5, 0);
		assert_near_vec3(to_mesh(&t.s, pair->prior), middle, 1e-6);
	}
	for (uint32_t b = 0; b < 3; b++) {
		assert_near(graph.area[b] * t.s.scale * t.s.scale, 1, 1e-6);
		assert_near_vec3(to_mesh(&t.s, graph.center[b]), ossai_v3(b + 0.5, 0.5, 0), 1e-6);
	}
	ossai_tree tree;
	assert_ok(t.context, ossai_boundary_tree_make(&t.arena, &t.s, &graph, &tree));
	assert_int_equal(tree.root, 1);
	assert_true(tree.parent[0] == 1 && tree.parent[2] == 1);
	test_surface_end(&t);
}

/* a triangle with two edges at the boundary is one boundary triangle */
static void triangles_are_counted_once(void **state)
{
	(void)state;
	static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, -1, 1, 0};
	/* the first triangle touches both others */
	static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 0, 2, 4};
	const uint32_t parts[] = {1, 0, 0};
	test_surface t = test_surface_make(1, 5, points, 3, triangles, 1, NULL);
	const ossai_bone_graph graph = graph_of(&t, parts, 2);
	assert_int_equal(graph.pair_count, 1);
	assert_true(graph.pairs[0].contact == 3);
	assert_near(graph.pairs[0].mass * t.s.scale - 1, sqrt(2), 1e-6);
	test_surface_end(&t);
}

/* two pieces near each other: linked, but less than any boundary */
static void pieces_are_linked(void **state)
{
	(void)state;
	static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0.1f, 1, 0, 0.1f, 0, 1, 0.1f};
	static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 4, 5, 6};
	const uint32_t parts[] = {0, 1, 2};
	test_surface t = test_surface_make(1, 7, points, 3, triangles, 1, NULL);
	const ossai_bone_graph graph = graph_of(&t, parts, 3);
	const ossai_bone_pair *meet = pair_of(&graph, 0, 1), *link = pair_of(&graph, 0, 2);
	assert_true(meet && meet->contact == 2);
	assert_true(link && link->contact > 0 && link->contact < 1 && link->mass == 0);
	assert_near(to_mesh(&t.s, link->prior).z, 0.05, 1e-6);
	ossai_tree tree;
	assert_ok(t.context, ossai_boundary_tree_make(&t.arena, &t.s, &graph, &tree));
	for (uint32_t b = 0; b < 3; b++) assert_true(b == tree.root || tree.pair[b] != OSSA_NONE);
	test_surface_end(&t);
}

/* ---- hostile ---- */

/* faces of no area, of no part, twice the same, three at one edge; a part of no faces, one that
   lies in a point */
static void odd_faces_are_borne(void **state)
{
	(void)state;
	static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 2, 2, 2, 2, 2, 2, 2, 2};
	static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 0, 1, 2, 1, 2, 0, 4, 5, 6, 1, 1, 2};
	const uint32_t parts[] = {0, 1, 2, OSSA_NONE, 3, 1};
	test_surface t = test_surface_make(1, 7, points, 6, triangles, 1, NULL);
	const ossai_bone_graph graph = graph_of(&t, parts, 5);
	for (size_t i = 0; i < graph.pair_count; i++) {
		const ossai_bone_pair *pair = &graph.pairs[i];
		assert_true(pair->a < pair->b && pair->b < 5 && pair->contact > 0);
		assert_true(isfinite(pair->prior.x) && isfinite(pair->prior.y) && isfinite(pair->prior.z));
		assert_true(i == 0 || pair[-1].a < pair->a || (pair[-1].a == pair->a && pair[-1].b < pair->b));
	}
	for (size_t b = 0; b < 5; b++) assert_true(isfinite(graph.center[b].x) && graph.area[b] >= 0);
	assert_near_vec3(to_mesh(&t.s, graph.center[3]), ossai_v3(2, 2, 2), 1e-6);
	ossai_tree tree;
	assert_ok(t.context, ossai_boundary_tree_make(&t.arena, &t.s, &graph, &tree));
	assert_int_equal(tree.order[0], tree.root);
	test_surface_end(&t);
}

/* ---- against counting by hand ---- */

static bool is_of(const test_surface *t, size_t face, uint32_t vertex)
{
	const uint32_t *corner = t->s.triangles + 3 * face;
	return corner[0] == vertex || corner[1] == vertex || corner[2] == vertex;
}

/* common vertices of two faces */
static int common(const test_surface *t, size_t f, size_t g)
{
	int count = 0;
	for (int i = 0; i < 3; i++) count += is_of(t, g, t->s.triangles[3 * f + (size_t)i]);
	return count;
}

static void contacts_are_those_of_all_pairs(void **state)
{
	(void)state;
	enum { PARTS = 6 };
	test_surface t = test_surface_grid(1, 14, 9, 1);
	for (uint64_t seed = 1; seed < 6; seed++) {
		uint64_t random = seed;
		uint32_t parts[14 * 9 * 2];
		for (size_t f = 0; f < t.s.face_count; f++) parts[f] = (uint32_t)((test_random(&random) + 1) * PARTS / 2) % PARTS;
		const ossai_bone_graph graph = graph_of(&t, parts, PARTS);
		for (uint32_t a = 0; a < PARTS; a++) {
			for (uint32_t b = a + 1; b < PARTS; b++) {
				double triangles = 0;
				for (size_t f = 0; f < t.s.face_count; f++) {
					bool touches = false;
					if (parts[f] != a && parts[f] != b) continue;
					for (size_t g = 0; g < t.s.face_count; g++) {
						touches = touches || (parts[g] == a + b - parts[f] && common(&t, f, g) == 2);
					}
					triangles += touches;
				}
				const ossai_bone_pair *pair = pair_of(&graph, a, b);
				assert_true(pair ? pair->contact == triangles : triangles == 0);
			}
		}
	}
	test_surface_end(&t);
}

/* ---- creatures ---- */

/* where parts are true, so is the tree: every edge is a bone and its parent */
static void trees_of_creatures_are_true(void **state)
{
	(void)state;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind++) {
		ossa_sample_options options = ossa_sample_default();
		options.kind = kind;
		options.faces = 4000;
		options.frames = 2;
		test_parts p = test_parts_make(1, &options);
		const ossa_bone *bones = p.sample->rig->skeleton.bones;
		for (uint32_t b = 0; b < p.count; b++) {
			const uint32_t up = p.tree.parent[b];
			if (up == OSSA_NONE) continue;
			assert_true(bones[b].parent == (int32_t)up || bones[up].parent == (int32_t)b);
			assert_true(p.tree.pair[b] != OSSA_NONE);
		}
		test_parts_end(&p);
	}
}

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	test_surface *t = arg;
	uint32_t parts[64];
	ossai_bone_graph graph;
	ossai_tree tree;
	for (size_t f = 0; f < t->s.face_count; f++) parts[f] = (uint32_t)(f / 8);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_boundary_graph_make(&arena, &t->s, parts, 5, &graph);
	if (status == OSSA_OK) status = ossai_boundary_tree_make(&arena, &t->s, &graph, &tree);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 5, 4, 1);
	assert_true(test_allocation_sweep(make_in_sweep, &t, 100, 1) > 8);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(row_of_squares),
		cmocka_unit_test(triangles_are_counted_once),
		cmocka_unit_test(pieces_are_linked),
		cmocka_unit_test(odd_faces_are_borne),
		cmocka_unit_test(contacts_are_those_of_all_pairs),
		cmocka_unit_test(trees_of_creatures_are_true),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
