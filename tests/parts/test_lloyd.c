/* tests/parts/test_lloyd.c: clusters stay connected and none is lost; a displaced border is
   restored. */
#include "parts/lloyd.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* a grid of 20 columns: left of column 10 one rigid body, right of it another */
static test_surface make_two_bodies(void)
{
	test_surface t = test_surface_grid(1, 20, 4, 3);
	test_chain chain = test_chain_make(&t, 2, 6);
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		chain.weights.count[v] = 1;
		chain.weights.bone[4 * v] = v / 5 > 10;
		chain.weights.value[4 * v] = 1;
	}
	test_surface_blend(&t, &chain.weights, &chain.motion);
	return t;
}

static void moved_border_is_put_back(void **state)
{
	(void)state;
	test_surface t = make_two_bodies();
	uint32_t cluster_of_face[160];
	for (size_t moved = 3; moved <= 16; moved++) {
		for (size_t f = 0; f < 160; f++) cluster_of_face[f] = f / 8 >= moved;
		assert_ok(t.context, ossai_lloyd(t.context, &t.s, 2, 5, cluster_of_face));
		for (size_t f = 0; f < 160; f++) {
			/* column 10 belongs to neither body */
			if (f / 8 != 10) assert_int_equal(cluster_of_face[f], f / 8 > 10);
		}
	}
	test_surface_end(&t);
}

static void clusters_stay_connected_and_none_is_lost(void **state)
{
	(void)state;
	uint32_t cluster_of_face[160], part[160];
	for (uint64_t seed = 1; seed < 30; seed++) {
		test_surface t = make_two_bodies();
		test_surface_shake(&t, 0.05, seed);
		for (size_t f = 0; f < 160; f++) cluster_of_face[f] = (uint32_t)(f / 16);
		assert_ok(t.context, ossai_lloyd(t.context, &t.s, 10, (int)(seed % 6), cluster_of_face));
		unsigned seen = 0;
		for (size_t f = 0; f < 160; f++) {
			assert_true(cluster_of_face[f] < 10);
			seen |= 1u << cluster_of_face[f];
		}
		assert_int_equal(seen, 0x3ff);
		assert_int_equal(test_count_parts(&t.s, cluster_of_face, part), 10);
		test_surface_end(&t);
	}
}

static void no_rounds_change_nothing(void **state)
{
	(void)state;
	test_surface t = make_two_bodies();
	uint32_t cluster_of_face[160], before[160];
	for (size_t f = 0; f < 160; f++) before[f] = cluster_of_face[f] = (uint32_t)(f * 7 % 5);
	assert_ok(t.context, ossai_lloyd(t.context, &t.s, 5, 0, cluster_of_face));
	assert_memory_equal(cluster_of_face, before, sizeof before);
	test_surface_end(&t);
}

static void faces_without_area_end_in_a_cluster(void **state)
{
	(void)state;
	/* a strip of three; the second one is a line, and all of cluster 1 */
	const float p[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, -1, 0, 3, 0, 0};
	const uint32_t triangles[] = {0, 1, 2, 1, 2, 3, 1, 3, 4};
	test_surface t = test_surface_make(1, 5, p, 3, triangles, 2, NULL);
	uint32_t cluster_of_face[] = {0, 1, 2};
	assert_true(t.s.face_area[1] < 1e-9);
	assert_ok(t.context, ossai_lloyd(t.context, &t.s, 3, 3, cluster_of_face));
	for (uint32_t f = 0; f < 3; f++) assert_int_equal(cluster_of_face[f], f);
	test_surface_end(&t);
}

static ossa_status refine_in_sweep(ossa_context *context, void *arg)
{
	uint32_t cluster_of_face[160];
	for (size_t f = 0; f < 160; f++) cluster_of_face[f] = (uint32_t)(f / 16);
	return ossai_lloyd(context, arg, 10, 2, cluster_of_face);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = make_two_bodies();
	test_allocation_sweep(refine_in_sweep, &t.s, 100, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moved_border_is_put_back),
		cmocka_unit_test(clusters_stay_connected_and_none_is_lost),
		cmocka_unit_test(no_rounds_change_nothing),
		cmocka_unit_test(faces_without_area_end_in_a_cluster),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
