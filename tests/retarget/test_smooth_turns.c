/* tests/retarget/test_smooth_turns.c: turns over time, whatever the frame rate. */
#include "retarget/smooth_turns.h"

#include "support/support.h"

#include <math.h>

enum { MOST = 64 };

/* evenly spaced times */
static void fill_times(double *times, size_t count, double per_second)
{
	for (size_t f = 0; f < count; f++) times[f] = 2 + (double)f / per_second;
}

/* at the usual rate one turn spreads to two frames on either side; where it was all of it stays */
static void a_turn_spreads_to_both_sides(void **state)
{
	(void)state;
	ossai_vec3 turns[7] = {{0}}, scratch[7];
	double times[7];
	static const double expected[7] = {0, 0.25, 0.75, 1, 0.75, 0.25, 0};
	turns[3] = ossai_v3(0, 1, 0);
	fill_times(times, 7, 30);
	ossai_smooth_turns(times, 7, 1, turns, scratch);
	for (int f = 0; f < 7; f++) assert_near_vec3(turns[f], ossai_v3(0, expected[f], 0), 1e-9);
}

/* what is held is held, from the first to the last frame; each leg by itself */
static void what_is_held_stays(void **state)
{
	(void)state;
	static const double rates[] = {12, 24, 30, 47, 120};
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		ossai_vec3 both[20] = {{0}}, scratch[20];
		double times[10];
		for (int f = 0; f < 10; f++) both[2 * f] = ossai_v3(1, 0, 0);
		fill_times(times, 10, rates[i]);
		ossai_smooth_turns(times, 10, 2, both, scratch);
		for (int f = 0; f < 20; f++) assert_near_vec3(both[f], ossai_v3(f % 2 == 0, 0, 0), 1e-12);
		ossai_smooth_turns(times, 1, 2, both, scratch);
		assert_near_vec3(both[0], ossai_v3(1, 0, 0), 1e-12);
	}
}

/* a landing: the turn grows and falls over two frames of the usual rate. Sampled as often as it may
   be, also unevenly, it has the same turns at the same times */
static double landing(double time) { return fmax(0, 1 - fabs(time - 2 - 5.0 / 30) * 30); }

static void more_frames_change_no_turn(void **state)
{
	(void)state;
	static const int between[] = {1, 2, 3, 4};
	static const double expected[] = {0, 0, 0, 0.25, 0.75, 1, 0.75, 0.25, 0, 0, 0};
	for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
		for (int is_even = 0; is_even < 2; is_even++) {
			ossai_vec3 turns[MOST], scratch[MOST];
			double times[MOST];
			size_t count = 0, usual[11];
			for (int f = 0; f <= 10 * between[i]; f++) {
				const bool is_usual = f % between[i] == 0;
				if (is_usual) usual[f / between[i]] = count;
				times[count] = 2 + ((double)f + (is_even || is_usual ? 0 : 0.3)) / (30 * between[i]);
				turns[count] = ossai_v3(0, 0, landing(times[count]));
				count++;
			}
			ossai_smooth_turns(times, count, 1, turns, scratch);
			for (int f = 0; f <= 10; f++) assert_near(turns[usual[f]].z, expected[f], 0.02);
		}
	}
}

/* none is shorter than it was, and at rates below the usual one the frames next to it turn, too */
static void no_turn_gets_shorter(void **state)
{
	(void)state;
	static const double rates[] = {8, 24, 30, 60, 250};
	for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
		ossai_vec3 turns[MOST], before[MOST], scratch[MOST];
		double times[MOST];
		fill_times(times, MOST, rates[i]);
		for (int f = 0; f < MOST; f++) turns[f] = before[f] = ossai_v3(fmax(0, sin(f * f)), 0, 0);
		ossai_smooth_turns(times, MOST, 1, turns, scratch);
		for (int f = 0; f < MOST; f++) assert_true(turns[f].x >= before[f].x - 1e-12);
		for (int f = 1; f + 1 < MOST; f++) assert_true(turns[f].x >= 0.2 * fmax(before[f - 1].x, before[f + 1].x));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_turn_spreads_to_both_sides),
		cmocka_unit_test(what_is_held_stays),
		cmocka_unit_test(more_frames_change_no_turn),
		cmocka_unit_test(no_turn_gets_shorter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
