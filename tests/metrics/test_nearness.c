/* tests/metrics/test_nearness.c: skeletons against each other: assignment against every
   permutation, distances against numbers worked out by hand. */
#include "base/context.h"
#include "math/assignment.h"
#include "rig/turns.h"
#include "samples/samples.h"
#include "support/support.h"

/* ---- one to one ---- */

/* the smallest total over all assignments of columns to rows: plain recursion, for a few */
static double best_total(size_t rows, size_t columns, const double *cost, size_t row, unsigned taken)
{
	if (row == rows) return 0;
	double best = INFINITY;
	for (size_t c = 0; c < columns; c++) {
		if (taken >> c & 1) continue;
		best = fmin(best, cost[row * columns + c] + best_total(rows, columns, cost, row + 1, taken | 1u << c));
	}
	return best;
}

static void assignment_is_the_cheapest(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	uint32_t seed = 7;
	for (int trial = 0; trial < 200; trial++) {
		ossai_arena arena = ossai_arena_begin(context);
		const size_t rows = 1 + test_random_bits(&seed) % 6, columns = rows + test_random_bits(&seed) % 3;
		double cost[48], total = 0;
		uint32_t column_of_row[6];
		unsigned taken = 0;
		/* whole numbers: ties are many */
		for (size_t i = 0; i < rows * columns; i++) cost[i] = test_random_bits(&seed) % (trial % 2 ? 9 : 100000);
		assert_ok(context, ossai_assign(&arena, rows, columns, cost, column_of_row));
		for (size_t r = 0; r < rows; r++) {
			assert_true(column_of_row[r] < columns && !(taken >> column_of_row[r] & 1));
			taken |= 1u << column_of_row[r];
			total += cost[r * columns + column_of_row[r]];
		}
		assert_true(total == best_total(rows, columns, cost, 0, 0));
		ossai_arena_end(&arena);
	}
	test_context_end(context);
}

/* ---- skeletons ---- */

static ossa_sample *make_sample(ossa_context *context)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = 2000;
	options.frames = 12;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static double largest_side(const ossa_mesh *mesh)
{
	double side = 0;
	for (int axis = 0; axis < 3; axis++) {
		double low = INFINITY, high = -INFINITY;
		for (size_t v = 0; v < mesh->vertex_count; v++) {
			low = fmin(low, mesh->positions[3 * v + (size_t)axis]);
			high = fmax(high, mesh->positions[3 * v + (size_t)axis]);
		}
		side = fmax(side, high - low);
	}
	return side;
}

static void a_skeleton_is_itself(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	ossa_nearness near;
	assert_ok(context, ossa_rig_nearness(context, sample->rig, sample->rig, &near));
	assert_true(near.truth_joints > 10 && near.truth_joints <= (int)sample->rig->skeleton.bone_count);
	assert_true(near.true_to_ours == 0 && near.jacc_percent == 0 && near.joint_recall_5 == 1);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* all of one skeleton translated a little: every distance between joints is that translation, at
   rest and in all frames */
static void a_moved_skeleton_is_as_far(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context), *moved = make_sample(context);
	const double side = largest_side(sample->rig->mesh), offset = 0.002 * side;
	for (size_t b = 0; b < moved->rig->skeleton.bone_count; b++) moved->rig->skeleton.bones[b].joint[2] += offset;
	for (size_t f = 0; f < moved->rig->clip->frame_count; f++) moved->rig->clip->root_positions[3 * f + 2] += offset;
	ossa_nearness near;
	assert_ok(context, ossa_rig_nearness(context, moved->rig, sample->rig, &near));
	assert_near(near.true_to_ours, 0.002, 1e-7);
	assert_near(near.jacc_percent, 0.2, 1e-4);
	assert_true(near.cd_b2b <= 0.0021 && near.cd_b2b > 0);
	for (size_t b = 0; b < moved->rig->skeleton.bone_count; b++) moved->rig->skeleton.bones[b].joint[2] += 10 * side;
	assert_ok(context, ossa_rig_nearness(context, moved->rig, sample->rig, &near));
	assert_true(near.joint_recall_5 == 0 && near.joint_precision_5 == 0 && near.cd_j2j > 9);
	ossa_sample_free(context, moved);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* without motion all joints that move a vertex count; of another length it does not count */
static void motion_counts_where_both_have_it(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context), *still = make_sample(context);
	ossa_nearness near, without;
	assert_ok(context, ossa_rig_nearness(context, still->rig, sample->rig, &near));
	still->rig->clip->frame_count--;
	assert_ok(context, ossa_rig_nearness(context, still->rig, sample->rig, &without));
	assert_true(without.truth_joints >= near.truth_joints && isnan(without.jacc_percent) && !isnan(near.jacc_percent));
	still->rig->clip->frame_count++;
	/* now nothing turns */
	for (size_t b = 0; b < sample->rig->skeleton.bone_count; b++) {
		const ossai_quat rest = ossai_rest_rotation(sample->rig->skeleton.bones, b);
		for (size_t f = 0; f < sample->rig->clip->frame_count; f++) {
			ossai_quat_store(rest, sample->rig->clip->rotations + 4 * (f * sample->rig->clip->bone_count + b));
		}
	}
	assert_fails(context, ossa_rig_nearness(context, still->rig, sample->rig, &near), OSSA_ERROR_INPUT, "10 degrees");
	ossa_sample_free(context, still);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static ossa_status nearness_body(ossa_context *context, void *arg)
{
	const ossa_sample *sample = arg;
	ossa_nearness near;
	return ossa_rig_nearness(context, sample->rig, sample->rig, &near);
}

static void memory_may_end_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context);
	test_allocation_sweep(nearness_body, sample, 1000, 1);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assignment_is_the_cheapest),
		cmocka_unit_test(a_skeleton_is_itself),
		cmocka_unit_test(a_moved_skeleton_is_as_far),
		cmocka_unit_test(motion_counts_where_both_have_it),
		cmocka_unit_test(memory_may_end_anywhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
