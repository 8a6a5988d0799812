/* tests/export/test_caches.c: PC2 and MDD point caches: frames, times, names, and broken files. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 3, POINTS = 4, PC2_SIZE = 32 + 12 * FRAMES * POINTS, MDD_SIZE = 8 + 4 * FRAMES + 12 * FRAMES * POINTS };

static void put_u32(unsigned char *at, uint32_t value, bool big)
{
	for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * (big ? 3 - i : i));
}

static void put_float(unsigned char *at, float value, bool big)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_u32(at, bits, big);
}

/* coordinate i of all is i + shift */
static void make_pc2(unsigned char bytes[PC2_SIZE], float rate, float shift)
{
	memcpy(bytes, "POINTCACHE2", 12);
	put_u32(bytes + 12, 1, false);
	put_u32(bytes + 16, POINTS, false);
	put_float(bytes + 20, 7, false);
	put_float(bytes + 24, rate, false);
	put_u32(bytes + 28, FRAMES, false);
	for (int i = 0; i < 3 * FRAMES * POINTS; i++) put_float(bytes + 32 + 4 * i, (float)i + shift, false);
}

static void make_mdd(unsigned char bytes[MDD_SIZE], const float times[FRAMES])
{
	put_u32(bytes, FRAMES, true);
	put_u32(bytes + 4, POINTS, true);
	for (int i = 0; i < FRAMES; i++) put_float(bytes + 8 + 4 * i, times[i], true);
	for (int i = 0; i < 3 * FRAMES * POINTS; i++) put_float(bytes + 8 + 4 * FRAMES + 4 * i, (float)i, true);
}

static ossa_mesh *make_rest(ossa_context *context, size_t vertices)
{
	const float positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	const uint32_t triangle[] = {0, 1, 2};
	ossa_mesh *rest;
	assert_ok(context, ossa_mesh_create(context, vertices, positions, 1, triangle, &rest));
	return rest;
}

static void check_frames(ossa_context *context, const ossa_frames *frames, const double times[FRAMES])
{
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, FRAMES);
	for (size_t i = 0; i < 3 * FRAMES * POINTS; i++) assert_true(frames->positions[i] == (float)i);
	for (size_t i = 0; i < FRAMES; i++) assert_near(frames->times[i], times[i], 1e-6);
}

static void caches_give_frames_and_times(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = make_rest(context, POINTS);
	ossa_frames *frames;
	unsigned char pc2[PC2_SIZE], mdd[MDD_SIZE];
	make_pc2(pc2, 2, 0);
	const char *path = test_file("walk.pc2", pc2, sizeof pc2);
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
	check_frames(context, frames, (const double[]){0, 2 / 24.0, 4 / 24.0});
	assert_string_equal(frames->names[2], "walk-3");
	ossa_frames_free(context, frames);
	make_mdd(mdd, (const float[]){0.5F, 0.75F, 2});
	path = test_file("walk.mdd", mdd, sizeof mdd);
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
	check_frames(context, frames, (const double[]){0, 0.25, 1.5});
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_frames_free(context, frames);
	/* times that stand still are replaced */
	make_mdd(mdd, (const float[]){0, 1, 1});
	path = test_file("walk.mdd", mdd, sizeof mdd);
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
	check_frames(context, frames, (const double[]){0, 1 / 24.0, 2 / 24.0});
	assert_string_equal(ossa_context_warning(context, 0)->code, "cache-times");
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void caches_follow_each_other(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = make_rest(context, POINTS);
	ossa_frames *frames;
	unsigned char one[PC2_SIZE], two[PC2_SIZE];
	make_pc2(one, 1, 0);
	make_pc2(two, 2, 100);
	const char *pose = "v 9 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\n";
	const char *paths[] = {
		test_file("part-2.pc2", two, sizeof two), test_file("part-1.pc2", one, sizeof one), test_file("part-10.obj", pose, 0)};
	assert_ok(context, ossa_read_frames(context, rest, 3, paths, false, NULL, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, 2 * FRAMES + 1);
	assert_true(frames->positions[3 * FRAMES * POINTS] == 100);
	assert_true(frames->positions[6 * FRAMES * POINTS] == 9);
	const double expected[] = {0, 1, 2, 3, 5, 7, 8};
	for (size_t i = 0; i < 7; i++) assert_near(frames->times[i] * 24, expected[i], 1e-6);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

/* times 0, 0.25 and 1.5 seconds at 4 frames a second: 7 frames, most of them between the file's */
static void a_timed_cache_is_sampled(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = make_rest(context, POINTS);
	ossa_frames *frames;
	unsigned char mdd[MDD_SIZE];
	make_mdd(mdd, (const float[]){0.5F, 0.75F, 2});
	const char *path = test_file("walk.mdd", mdd, sizeof mdd);
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = 4;
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, 7);
	/* coordinate i of the file's frame f is 12 f + i */
	const double shares[] = {0, 1, 1.2, 1.4, 1.6, 1.8, 2};
	for (size_t f = 0; f < 7; f++) {
		assert_near(frames->times[f], 0.25 * (double)f, 1e-9);
		for (size_t i = 0; i < 12; i++) assert_near(frames->positions[12 * f + i], 12 * shares[f] + (double)i, 1e-5);
	}
	/* the file's own frames are exact */
	assert_true(frames->positions[0] == 0 && frames->positions[12] == 12 && frames->positions[72] == 24);
	ossa_frames_free(context, frames);
	options.frames = (ossa_range){2, 6, 2};
	assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames));
	assert_int_equal(frames->frame_count, 3);
	assert_near(frames->positions[12], 12 * 1.4, 1e-5);
	assert_near(frames->times[2], 1, 1e-9);
	assert_string_equal(frames->names[1], "walk-4");
	ossa_frames_free(context, frames);
	options.frames_per_second = 50000;
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, &options, &frames), OSSA_ERROR_LIMIT,
		"walk.mdd: has 3 frames in 1.5 seconds, which would become 75001 frames");
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void a_range_takes_frames_over_files(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *rest = make_rest(context, POINTS);
	ossa_frames *frames;
	unsigned char one[PC2_SIZE], two[PC2_SIZE];
	make_pc2(one, 1, 0);
	make_pc2(two, 2, 100);
	/* left out by the range, so it does not matter */
	put_float(one + 32, NAN, false);
	const char *paths[] = {test_file("part-2.pc2", two, sizeof two), test_file("part-1.pc2", one, sizeof one)};
	ossa_read_options options = ossa_read_default();
	options.input_up = OSSA_UP_Z;
	options.frames = (ossa_range){2, 0, 2};
	assert_ok(context, ossa_read_frames(context, rest, 2, paths, false, &options, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, 3);
	/* coordinates 12, 13, 14 turned, then the same of the second file's first and last frame */
	const float expected[] = {12, 14, -13, 100, 102, -101, 124, 126, -125};
	for (size_t i = 0; i < 9; i++) assert_true(frames->positions[12 * (i / 3) + i % 3] == expected[i]);
	assert_near(frames->times[1] * 24, 2, 1e-6);
	assert_near(frames->times[2] * 24, 6, 1e-6);
	assert_string_equal(frames->names[2], "part-2-3");
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void axes_that_differ_from_the_rest_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float rest_positions[12] = {0, 0, 0, 1, 0, 0, 1, 5, 0, 0, 5, 1};
	ossa_mesh *rest;
	ossa_frames *frames;
	assert_ok(context, ossa_mesh_create(context, POINTS, rest_positions, 1, (const uint32_t[]){0, 1, 2}, &rest));
	unsigned char bytes[MDD_SIZE];
	/* as it is, with z up and moved away, with the rest's y up called z, and something else */
	for (int form = 0; form < 4; form++) {
		ossa_context_reset(context);
		make_mdd(bytes, (const float[]){0, 1, 2});
		for (int i = 0; i < FRAMES * POINTS; i++) {
			const float *p = rest_positions + 3 * (i % POINTS);
			const float forms[4][3] = {{p[0], p[1], p[2]}, {p[0] + 9, -p[2], p[1]}, {p[0], p[2], -p[1]}, {p[1], p[0], p[2]}};
			for (int k = 0; k < 3; k++) put_float(bytes + 8 + 4 * FRAMES + 12 * i + 4 * k, forms[form][k], true);
		}
		const char *path = test_file("axes.mdd", bytes, sizeof bytes);
		assert_ok(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames));
		ossa_frames_free(context, frames);
		assert_int_equal(ossa_context_warning_count(context), form == 1 || form == 2);
		if (form != 1 && form != 2) continue;
		assert_string_equal(ossa_context_warning(context, 0)->code, "cache-axes");
		assert_int_equal(ossa_context_warning(context, 0)->count, 1);
		assert_non_null(
			strstr(ossa_context_warning(context, 0)->message, form == 1 ? "from z up to y up" : "from y up to z up"));
	}
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void refused(const char *name, const void *bytes, size_t size, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_mesh *rest = make_rest(context, POINTS);
	ossa_frames *frames = (ossa_frames *)1;
	const char *path = test_file(name, bytes, size);
	assert_fails(context, ossa_read_frames(context, rest, 1, &path, false, NULL, &frames), OSSA_ERROR_INPUT, words);
	assert_null(frames);
	ossa_mesh_free(context, rest);
	test_context_end(context);
}

static void broken_pc2_is_refused(void **state)
{
	(void)state;
	unsigned char bytes[PC2_SIZE];
	make_pc2(bytes, 1, 0);
	for (size_t size = 1; size < PC2_SIZE; size++) refused("cut.pc2", bytes, size, "cut off?");
	refused("cut.pc2", bytes, PC2_SIZE - 1, "declares 3 frames of 4 vertices, but it ends after 2: is");
	put_u32(bytes + 28, 0x7FFFFFFF, false);
	refused("a.pc2", bytes, PC2_SIZE, "declares 2147483647 frames of 4 vertices, but it ends after 3");
	put_u32(bytes + 28, 0xFFFFFFFF, false);
	refused("a.pc2", bytes, PC2_SIZE, "its header declares -1 frames of 4 vertices");
	put_u32(bytes + 28, 0, false);
	refused("a.pc2", bytes, PC2_SIZE, "declares 0 frames");
	make_pc2(bytes, 1, 0);
	put_u32(bytes + 12, 2, false);
	refused("a.pc2", bytes, PC2_SIZE, "version 2");
	make_pc2(bytes, 1, 0);
	put_u32(bytes + 16, POINTS - 1, false);
	refused("a.pc2", bytes, PC2_SIZE, "a.pc2: has 3 vertices, but the rest mesh mesh has 4");
	make_pc2(bytes, 1, 0);
	put_float(bytes + 32 + 12 * POINTS + 16, NAN, false);
	refused("a.pc2", bytes, PC2_SIZE, "byte 96, frame 2, vertex 1: the position is not finite");
}

static void broken_mdd_is_refused(void **state)
{
	(void)state;
	unsigned char bytes[MDD_SIZE];
	const float times[FRAMES] = {0, 1, 2};
	make_mdd(bytes, times);
	for (size_t size = 1; size < MDD_SIZE; size++) refused("cut.mdd", bytes, size, "cut off?");
	put_u32(bytes, 0x7FFFFFFF, true);
	refused("a.mdd", bytes, MDD_SIZE, "declares 2147483647 frames");
	put_u32(bytes, 0, true);
	refused("a.mdd", bytes, MDD_SIZE, "declares 0 frames");
	make_mdd(bytes, times);
	put_float(bytes + MDD_SIZE - 4, INFINITY, true);
	refused("a.mdd", bytes, MDD_SIZE, "frame 3, vertex 3");
}

/* the name gives the intended format where the content does not */
static void a_cache_whose_header_is_wrong_is_distinguished_from_strangers(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	unsigned char bytes[MDD_SIZE];
	const ossa_read_format *format;
	make_mdd(bytes, (const float[]){0, 1, 2});
	put_u32(bytes, 9, true);
	assert_ok(context, ossa_read_detect(context, test_file("a.mdd", bytes, sizeof bytes), &format));
	assert_string_equal(format->name, "mdd");
	assert_fails(
		context, ossa_read_detect(context, test_file("a", bytes, sizeof bytes), &format), OSSA_ERROR_INPUT, "of no format");
	assert_fails(context, ossa_read_detect(context, test_file("b.mdd", "PK\003\004", 0), &format), OSSA_ERROR_INPUT, "ZIP");
	test_context_end(context);
}

/* harmless oddities are warnings */
static void odd_headers_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	unsigned char bytes[PC2_SIZE + 5] = {0}, mdd[MDD_SIZE + 7] = {0};
	ossa_frames *frames;
	make_pc2(bytes, 1, 0);
	const float rates[] = {0, -1, NAN};
	for (int i = 0; i < 3; i++) {
		ossa_context_reset(context);
		put_float(bytes + 24, rates[i], false);
		const char *path = test_file("a.pc2", bytes, PC2_SIZE);
		assert_ok(context, ossa_read_frames(context, NULL, 1, &path, false, NULL, &frames));
		ossa_frames_free(context, frames);
		assert_int_equal(test_warned(context, "cache-times"), 1);
	}
	make_pc2(bytes, 1, 0);
	make_mdd(mdd, (const float[]){0, 1, 2});
	const char *paths[] = {test_file("a.pc2", bytes, sizeof bytes), test_file("a.mdd", mdd, sizeof mdd)};
	for (int i = 0; i < 2; i++) {
		ossa_context_reset(context);
		assert_ok(context, ossa_read_frames(context, NULL, 1, &paths[i], false, NULL, &frames));
		ossa_frames_free(context, frames);
		assert_int_equal(test_warned(context, "cache-bytes-left"), i == 0 ? 5 : 7);
	}
	test_context_end(context);
}

static void a_cache_is_no_mesh(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	unsigned char bytes[PC2_SIZE];
	ossa_mesh *mesh;
	make_pc2(bytes, 1, 0);
	assert_fails(context, ossa_read_mesh(context, test_file("a.pc2", bytes, sizeof bytes), NULL, &mesh), OSSA_ERROR_INPUT,
		"without faces");
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	unsigned char bytes[PC2_SIZE];
	make_pc2(bytes, 1, 0);
	const char *path = test_file("sweep.pc2", bytes, sizeof bytes);
	test_sweep_read_frames(NULL, 2, (const char *const[]){path, path}, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(caches_give_frames_and_times),
		cmocka_unit_test(caches_follow_each_other),
		cmocka_unit_test(a_timed_cache_is_sampled),
		cmocka_unit_test(a_range_takes_frames_over_files),
		cmocka_unit_test(axes_that_differ_from_the_rest_are_reported),
		cmocka_unit_test(broken_pc2_is_refused),
		cmocka_unit_test(broken_mdd_is_refused),
		cmocka_unit_test(a_cache_whose_header_is_wrong_is_distinguished_from_strangers),
		cmocka_unit_test(odd_headers_are_reported),
		cmocka_unit_test(a_cache_is_no_mesh),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
