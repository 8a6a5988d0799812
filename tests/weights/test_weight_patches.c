/* tests/weights/test_weight_patches.c: patches of weights, against a plain flood of each. */
#include "support/support.h"
#include "support/surfaces.h"
#include "weights/weight_patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 5, WIDTH = 3 };

static const int columns = 17, rows = 13;

/* each vertex follows some bones, at random */
static void scatter(ossai_bone_weights *weights, uint64_t *random)
{
	for (size_t v = 0; v < weights->vertex_count; v++) {
		weights->count[v] = 0;
		for (uint16_t b = 0; b < BONES && weights->count[v] < WIDTH; b++) {
			if (test_random(random) < 0.5) continue;
			const size_t slot = v * WIDTH + weights->count[v]++;
			weights->bone[slot] = b;
			weights->value[slot] = 0.1 + fabs(test_random(random));
		}
	}
}

/* gives all that is connected with a slot the number `id`; what is there of the bone already has
   one */
static void flood(const ossai_posed_surface *s, const ossai_bone_weights *w, size_t slot, uint32_t id, uint32_t *of,
	ossai_weight_patch *patch)
{
	const size_t v = slot / w->width;
	of[slot] = id;
	patch->mass += w->value[slot];
	patch->peak = fmax(patch->peak, w->value[slot]);
	for (uint32_t i = s->patch_start[v]; i < s->patch_start[v + 1]; i++) {
		const size_t next = ossai_weight_slot(w, s->patch_neighbor[i], w->bone[slot]);
		if (next != SIZE_MAX && of[next] == OSSA_NONE) flood(s, w, next, id, of, patch);
	}
}

static void assert_as_flooded(
	const ossai_posed_surface *s, const ossai_bone_weights *w, const uint8_t *open, const ossai_weight_patches *found)
{
	const size_t slots = w->vertex_count * w->width;
	uint32_t *of = malloc(slots * sizeof *of + 1), count = 0;
	memset(of, 0xff, slots * sizeof *of);
	for (size_t slot = 0; slot < slots; slot++) {
		const bool is_used = slot % w->width < w->count[slot / w->width];
		if (!is_used || (open && !open[w->bone[slot]])) {
			assert_int_equal(found->of_slot[slot], OSSA_NONE);
			continue;
		}
		if (of[slot] == OSSA_NONE) {
			ossai_weight_patch patch = {0};
			assert_true(count < found->count);
			const ossai_weight_patch *other = &found->list[count];
			flood(s, w, slot, count, of, &patch);
			assert_int_equal(other->id, count);
			assert_int_equal(other->bone, w->bone[slot]);
			assert_int_equal(other->piece, s->piece_of_vertex[slot / w->width]);
			assert_true(fabs(other->mass - patch.mass) < 1e-12 * patch.mass);
			assert_true(other->peak == patch.peak);
			count++;
		}
		assert_int_equal(found->of_slot[slot], of[slot]);
	}
	assert_int_equal(count, found->count);
	free(of);
}

static void as_a_plain_flood_finds(void **state)
{
	(void)state;
	test_surface surface = test_surface_grid(1, (size_t)columns, (size_t)rows, 1);
	const ossai_posed_surface *s = &surface.s;
	ossai_bone_weights weights;
	ossai_weight_patches patches;
	uint64_t random = 3;
	assert_ok(surface.context, ossai_bone_weights_new(&surface.arena, s->vertex_count, BONES, WIDTH, &weights));
	assert_ok(surface.context, ossai_weight_patches_new(&surface.arena, s, WIDTH, &patches));
	size_t most = 0;
	for (int round = 0; round < 40; round++) {
		const uint8_t open[BONES] = {1, 0, 1, 1, 0};
		scatter(&weights, &random);
		for (int all = 0; all < 2; all++) {
			assert_ok(surface.context, ossai_weight_patches_find(surface.context, s, &weights, all ? NULL : open, &patches));
			assert_as_flooded(s, &weights, all ? NULL : open, &patches);
			most = patches.count > most ? patches.count : most;
		}
	}
	assert_true(most > 2 * BONES);
	ossa_free(surface.context, patches.list);
	test_surface_end(&surface);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_plain_flood_finds)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
