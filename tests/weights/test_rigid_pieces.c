/* tests/weights/test_rigid_pieces.c: a piece whose weights vary a little less, or a little more,
   than those of rigid pieces do. */
#include "weights/rigid_pieces.h"

#include "support/shapes.h"
#include "support/support.h"

#include <stdlib.h>

enum { BONES = 4 };

/* where the log odds of rigid_pieces.c are 0 */
static const double BOUND = 2.35 / 1.94;

/* every vertex follows all bones equally, but for a share of its weight that only one has */
static void set_weights(const ossai_posed_surface *s, double share, ossai_bone_weights *weights)
{
	for (size_t v = 0; v < s->vertex_count; v++) {
		weights->count[v] = BONES;
		for (size_t b = 0; b < BONES; b++) {
			weights->bone[v * BONES + b] = (uint16_t)b;
			weights->value[v * BONES + b] = (1 - share) / BONES + (b == v % BONES ? share : 0);
		}
	}
}

/* the plain formula: the largest sum over bones of |w - mean| in a piece */
static double variation(const ossai_posed_surface *s, const ossai_bone_weights *weights, uint32_t piece)
{
	double mean[BONES] = {0}, area = 0, most = 0;
	for (size_t v = 0; v < s->vertex_count; v++) {
		if (s->piece_of_vertex[v] != piece) continue;
		area += s->vertex_area[v];
		for (size_t b = 0; b < BONES; b++) mean[b] += s->vertex_area[v] * weights->value[v * BONES + b];
	}
	for (size_t v = 0; v < s->vertex_count; v++) {
		double sum = 0;
		if (s->piece_of_vertex[v] != piece) continue;
		for (size_t b = 0; b < BONES; b++) sum += fabs(weights->value[v * BONES + b] - mean[b] / area);
		most = fmax(most, sum);
	}
	return most;
}

static void decided_by_how_much_weights_vary(void **state)
{
	(void)state;
	test_shape *shape = test_shape_new();
	test_shape_box(shape, ossai_v3(0, 0, 0), ossai_v3(4, 4, 4), true);
	test_shape_box(shape, ossai_v3(5, 0, 0), ossai_v3(6, 1, 1), true);
	test_surface t = test_shape_surface(0, shape);
	ossai_bone_weights weights;
	assert_ok(t.context, ossai_bone_weights_new(&t.arena, t.s.vertex_count, BONES, BONES, &weights));
	const uint32_t small = t.s.piece_of_vertex[8], large = t.s.piece_of_vertex[0];
	set_weights(&t.s, 1, &weights);
	const double whole = variation(&t.s, &weights, small);
	assert_true(whole > BOUND);
	for (int side = 0; side < 2; side++) {
		size_t count;
		set_weights(&t.s, BOUND / whole * (side == 0 ? 1 - 1e-6 : 1 + 1e-6), &weights);
		const double before = weights.value[0];
		assert_near(variation(&t.s, &weights, small), BOUND, 1e-5);
		assert_ok(t.context, ossai_rigid_pieces_keep(&t.arena, &t.s, NULL, &weights, &count));
		assert_int_equal(count, side == 0);
		const uint16_t bone = weights.bone[8 * BONES];
		for (size_t v = 0; v < t.s.vertex_count; v++) {
			const bool is_rigid = side == 0 && t.s.piece_of_vertex[v] == small;
			assert_int_equal(weights.count[v], is_rigid ? 1 : BONES);
			if (is_rigid) assert_true(weights.bone[v * BONES] == bone && weights.value[v * BONES] == 1);
		}
		/* the largest piece is the body */
		assert_true(t.s.piece_of_vertex[0] == large && weights.value[0] == before);
	}
	/* without it the other one is, and what is out is not asked */
	uint8_t is_out[2] = {0};
	size_t count;
	is_out[large] = 1;
	set_weights(&t.s, 0.5 * BOUND / whole, &weights);
	assert_ok(t.context, ossai_rigid_pieces_keep(&t.arena, &t.s, is_out, &weights, &count));
	assert_int_equal(count, 0);
	test_surface_end(&t);
	free(shape);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(decided_by_how_much_weights_vary)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
