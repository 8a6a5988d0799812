/* tests/weights/test_locality.c: supports become one patch in every piece; the published maps
   cover everything. */
#include "weights/influence_maps.h"
#include "weights/locality.h"
#include "weights/weight_patches.h"

#include "support/support.h"
#include "support/surfaces.h"

#include <stdbool.h>

/* patches of a bone: groups of vertices joined by edges that hold it, by joining sets */
static size_t count_patches(test_surface *t, const ossai_bone_weights *w, uint32_t bone)
{
	const ossai_adjacency *a = &t->s.adjacency;
	uint32_t *set = ossai_arena_new(&t->arena, w->vertex_count, sizeof *set);
	size_t count = 0;
	for (uint32_t v = 0; v < w->vertex_count; v++) {
		set[v] = v;
		count += ossai_bone_weight_of(w, v, bone) > 0;
	}
	for (uint32_t v = 0; v < w->vertex_count; v++) {
		for (uint32_t i = a->vertex_start[v]; i < a->vertex_start[v + 1]; i++) {
			uint32_t x = v, y = a->vertex_neighbor[i];
			if (!(ossai_bone_weight_of(w, x, bone) > 0 && ossai_bone_weight_of(w, y, bone) > 0)) continue;
			while (set[x] != x) x = set[x];
			while (set[y] != y) y = set[y];
			set[x] = y;
			count -= x != y;
		}
	}
	return count;
}

/* pieces in which a bone has any weight */
static size_t count_pieces(const test_surface *t, const ossai_bone_weights *w, uint32_t bone)
{
	size_t count = 0;
	for (uint32_t piece = 0; piece < t->s.piece_count; piece++) {
		bool found = false;
		for (size_t v = 0; v < w->vertex_count && !found; v++) {
			found = t->s.piece_of_vertex[v] == piece && ossai_bone_weight_of(w, v, bone) > 0;
		}
		count += found;
	}
	return count;
}

static void assert_local(test_surface *t, const ossai_bone_weights *w)
{
	for (uint32_t b = 0; b < w->bone_count; b++) assert_int_equal(count_patches(t, w, b), count_pieces(t, w, b));
	for (size_t v = 0; v < w->vertex_count; v++) {
		double sum = 0;
		for (size_t i = 0; i < w->count[v]; i++) {
			assert_true(w->value[v * w->width + i] > 0);
			sum += w->value[v * w->width + i];
		}
		if (t->s.used[v]) assert_near(sum, 1, 1e-12);
	}
}

/* up to three bones a vertex, drawn for each */
static ossai_bone_weights scatter(test_surface *t, size_t bones, uint64_t seed)
{
	ossai_bone_weights w;
	assert_ok(t->context, ossai_bone_weights_new(&t->arena, t->s.vertex_count, bones, 3, &w));
	for (size_t v = 0; v < w.vertex_count; v++) {
		const size_t count = t->s.used[v] ? 1 + (size_t)(1.49 + 1.49 * test_random(&seed)) : 0;
		const size_t first = (size_t)(fabs(test_random(&seed)) * (double)bones);
		for (size_t i = 0; i < count; i++) {
			w.bone[3 * v + i] = (uint16_t)((first + i * i) % bones);
			w.value[3 * v + i] = 1.0 / (double)count;
		}
		w.count[v] = (uint8_t)count;
	}
	return w;
}

static void scattered_bones_become_one_patch_each(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 25; seed++) {
		test_surface t = test_surface_grid(1, 20, 6, 4);
		const test_chain chain = test_chain_make(&t, 6, seed);
		ossai_bone_weights w = scatter(&t, 6, seed);
		assert_ok(t.context, ossai_locality_enforce(t.context, &t.s, &chain.motion, NULL, seed % 2 ? 1e-3 : 0, &w));
		assert_local(&t, &w);
		test_surface_end(&t);
	}
}

static void every_piece_counts_by_itself(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_PIECES, 1000, 4);
	assert_true(t.s.piece_count > 1);
	const test_chain chain = test_chain_make(&t, 5, 3);
	ossai_bone_weights w = scatter(&t, 5, 7);
	assert_ok(t.context, ossai_locality_enforce(t.context, &t.s, &chain.motion, NULL, 1e-3, &w));
	assert_local(&t, &w);
	test_surface_end(&t);
}

static void patches_of_some_bones_are_those_among_all(void **state)
{
	(void)state;
	enum { BONES = 6 };
	static const uint8_t open[BONES] = {1, 0, 0, 1, 1, 0};
	test_surface t = test_surface_grid(1, 20, 6, 4);
	const ossai_bone_weights w = scatter(&t, BONES, 5);
	ossai_weight_patches all, some;
	assert_ok(t.context, ossai_weight_patches_new(&t.arena, &t.s, w.width, &all));
	assert_ok(t.context, ossai_weight_patches_new(&t.arena, &t.s, w.width, &some));
	assert_ok(t.context, ossai_weight_patches_find(t.context, &t.s, &w, NULL, &all));
	assert_ok(t.context, ossai_weight_patches_find(t.context, &t.s, &w, open, &some));
	size_t expected = 0;
	for (size_t i = 0; i < all.count; i++) expected += open[all.list[i].bone];
	assert_int_equal(some.count, expected);
	for (size_t v = 0; v < w.vertex_count; v++) {
		for (size_t slot = v * w.width; slot < v * w.width + w.count[v]; slot++) {
			if (!open[w.bone[slot]]) {
				assert_true(some.of_slot[slot] == OSSA_NONE);
				continue;
			}
			const ossai_weight_patch *a = &all.list[all.of_slot[slot]], *b = &some.list[some.of_slot[slot]];
			assert_int_equal(a->bone, b->bone);
			assert_true(a->mass == b->mass && a->peak == b->peak);
		}
	}
	ossa_free(t.context, all.list);
	ossa_free(t.context, some.list);
	test_surface_end(&t);
}

static void connected_supports_are_left_alone(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 20, 6, 4);
	test_chain chain = test_chain_make(&t, 5, 3);
	ossai_bone_weights before;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, t.s.vertex_count, 5, 4, &before));
	ossai_bone_weights_copy(&chain.weights, &before);
	assert_ok(t.context, ossai_locality_enforce(t.context, &t.s, &chain.motion, NULL, 0, &chain.weights));
	assert_memory_equal(before.value, chain.weights.value, 4 * t.s.vertex_count * sizeof(double));
	assert_memory_equal(before.count, chain.weights.count, t.s.vertex_count);
	test_surface_end(&t);
}

static void small_weights_are_dropped_and_the_rest_solved_again(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 20, 6, 4);
	test_chain chain = test_chain_make(&t, 5, 3);
	for (size_t v = 0; v < t.s.vertex_count; v++) {
		if (chain.weights.count[v] != 1) continue;
		chain.weights.count[v] = 2;
		chain.weights.bone[4 * v + 1] = (uint16_t)((chain.weights.bone[4 * v] + 2) % 5);
		chain.weights.value[4 * v] = 1 - 1e-4;
		chain.weights.value[4 * v + 1] = 1e-4;
	}
	assert_ok(t.context, ossai_locality_enforce(t.context, &t.s, &chain.motion, NULL, 1e-3, &chain.weights));
	assert_local(&t, &chain.weights);
	for (size_t i = 0; i < 4 * t.s.vertex_count; i++) {
		if (i % 4 < chain.weights.count[i / 4]) assert_true(chain.weights.value[i] >= 1e-3);
	}
	test_surface_end(&t);
}

/* ---- the published maps ---- */

static bool allows(const ossai_allowed_bones *allowed, size_t v, uint16_t bone)
{
	for (uint32_t i = allowed->start[v]; i < allowed->start[v + 1]; i++) {
		if (allowed->bone[i] == bone) return true;
	}
	return false;
}

/* a strip of 10 columns of 2 vertices: bone 0 up to column 4, bone 1 up to 7, then a lesser patch
   of bone 0, which is no map */
static void vertices_in_no_map_take_their_neighbours(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 9, 1, 2);
	ossai_bone_weights w;
	ossai_allowed_bones allowed;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, 20, 2, 4, &w));
	for (size_t v = 0; v < 20; v++) {
		const size_t column = v / 2;
		w.count[v] = 1;
		w.value[4 * v] = column == 2 ? 1 : 0.9;
		w.bone[4 * v] = column >= 4 && column < 7;
	}
	assert_ok(t.context, ossai_influence_maps(&t.arena, &t.s, &w, &allowed));
	for (size_t v = 0; v < 20; v++) {
		assert_int_equal(allowed.start[v + 1] - allowed.start[v], 1);
		assert_true(allows(&allowed, v, v / 2 >= 4));
	}
	test_surface_end(&t);
}

/* two triangles with a narrow gap: bone 0 has its largest weight on the first, bone 1 on the
   second, which follows bone 0 too */
static void maps_cross_linked_pieces(void **state)
{
	(void)state;
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0.5F, 1, 0, 1.1F, 0, 0, 2.1F, 0, 0, 1.6F, 1, 0};
	static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
	test_surface t = test_surface_make(1, 6, positions, 2, triangles, 1, NULL);
	ossai_bone_weights w;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, 6, 2, 4, &w));
	for (size_t v = 0; v < 6; v++) {
		w.count[v] = v < 3 ? 1 : 2;
		w.value[4 * v] = v < 3 ? 1 : 0.6;
		w.bone[4 * v] = v >= 3;
		w.value[4 * v + 1] = 0.4;
	}
	assert_int_equal(t.s.piece_count, 2);
	assert_true(t.s.link_count > 0);
	for (int linked = 0; linked < 2; linked++) {
		ossai_allowed_bones allowed;
		t.s.link_pieces = linked != 0;
		assert_ok(t.context, ossai_influence_maps(&t.arena, &t.s, &w, &allowed));
		for (size_t v = 0; v < 6; v++) {
			assert_int_equal(allows(&allowed, v, 0), v < 3 || linked);
			assert_int_equal(allows(&allowed, v, 1), v >= 3);
		}
	}
	test_surface_end(&t);
}

static void maps_are_the_patches_of_the_heaviest_vertices(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		test_surface t = test_surface_grid(1, 20, 6, 4);
		ossai_bone_weights w = scatter(&t, 6, seed);
		ossai_allowed_bones allowed;
		assert_ok(t.context, ossai_influence_maps(&t.arena, &t.s, &w, &allowed));
		for (uint32_t v = 0; v < w.vertex_count; v++) {
			assert_true(allowed.start[v + 1] > allowed.start[v]);
			for (uint32_t i = allowed.start[v] + 1; i < allowed.start[v + 1]; i++) {
				assert_true(allowed.bone[i] > allowed.bone[i - 1]);
			}
		}
		/* a bone's heaviest vertices hold it, at least one of them */
		for (uint16_t b = 0; b < 6; b++) {
			double peak = 0;
			bool held = false;
			for (size_t v = 0; v < w.vertex_count; v++) peak = fmax(peak, ossai_bone_weight_of(&w, v, b));
			for (size_t v = 0; v < w.vertex_count; v++) {
				held = held || (ossai_bone_weight_of(&w, v, b) == peak && allows(&allowed, v, b));
			}
			assert_true(held);
		}
		test_surface_end(&t);
	}
}

typedef struct sweep {
	test_surface *t;
	const test_chain *chain;
} sweep;

static ossa_status solve_in_sweep(ossa_context *context, void *arg)
{
	const sweep *s = arg;
	ossai_bone_weights w = scatter(s->t, 6, 3);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_allowed_bones allowed;
	ossa_status status = ossai_influence_maps(&arena, &s->t->s, &w, &allowed);
	if (status == OSSA_OK) status = ossai_weights_eliminate(context, &s->t->s, &s->chain->motion, &allowed, &w);
	if (status == OSSA_OK) status = ossai_locality_enforce(context, &s->t->s, &s->chain->motion, NULL, 0, &w);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, 3);
	const test_chain chain = test_chain_make(&t, 6, 3);
	sweep s = {&t, &chain};
	test_allocation_sweep(solve_in_sweep, &s, 100, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scattered_bones_become_one_patch_each),
		cmocka_unit_test(every_piece_counts_by_itself),
		cmocka_unit_test(patches_of_some_bones_are_those_among_all),
		cmocka_unit_test(connected_supports_are_left_alone),
		cmocka_unit_test(small_weights_are_dropped_and_the_rest_solved_again),
		cmocka_unit_test(vertices_in_no_map_take_their_neighbours),
		cmocka_unit_test(maps_cross_linked_pieces),
		cmocka_unit_test(maps_are_the_patches_of_the_heaviest_vertices),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
