/* tests/report/test_ramp.c: numbers as colours: perceptually uniform steps; weights, errors and
   poses in pictures. */
#include "report/ramp.h"
#include "report/text.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the ramp ---- */

static double apart(ossai_color x, ossai_color y)
{
	const double l = x.l - y.l, a = x.a - y.a, b = x.b - y.b;
	return sqrt(l * l + a * a + b * b);
}

static void steps_are_even_and_darken(void **state)
{
	(void)state;
	enum { STEPS = 64 };
	const double step = apart(ossai_ramp_color(0.5), ossai_ramp_color(0.5 + 1.0 / STEPS));
	for (int i = 0; i < STEPS; i++) {
		const ossai_color from = ossai_ramp_color((double)i / STEPS), to = ossai_ramp_color((i + 1.0) / STEPS);
		assert_true(to.l < from.l - 0.003f);
		/* a step across a corner of the path is a little shorter */
		assert_true(apart(from, to) < 1.001 * step && apart(from, to) > 0.9 * step);
	}
	const ossai_color none = ossai_ramp_color(NAN), below = ossai_ramp_color(-3), above = ossai_ramp_color(7);
	assert_true(apart(none, ossai_ramp_color(0)) == 0 && apart(below, ossai_ramp_color(0)) == 0);
	assert_true(apart(above, ossai_ramp_color(1)) == 0);
}

/* every colour can be shown: encoded and decoded it is the same */
static void colors_are_within_the_screen(void **state)
{
	(void)state;
	for (int i = 0; i <= 100; i++) {
		const ossai_light light = ossai_color_light(ossai_ramp_color(i / 100.0));
		const float parts[3] = {light.r, light.g, light.b};
		for (int k = 0; k < 3; k++) assert_true(parts[k] > 0 && parts[k] < 1);
	}
}

/* Relative luminance is what is left of colours for all kinds of dichromats and on paper. The three
   kinds of dichromacy after H. Vienot, H. Brettel, J. Mollon, 1999 (two) and, for blue, a
   projection along its axis: steps of a tenth stay distinguishable. */
static void the_color_blind_read_it_too(void **state)
{
	(void)state;
	static const double lost[3][9] = {
		{0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1},
		{0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1},
		{1, 0.14461, -0.14461, 0, 0.85924, 0.14076, 0, 0.85924, 0.14076},
	};
	for (int kind = 0; kind < 3; kind++) {
		double before[3] = {0}, bright = 2;
		for (int i = 0; i <= 10; i++) {
			const ossai_light light = ossai_color_light(ossai_ramp_color(i / 10.0));
			const double rgb[3] = {light.r, light.g, light.b};
			double seen[3], gap = 0;
			for (int k = 0; k < 3; k++) {
				const double *m = lost[kind] + 3 * k, sum = m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2];
				/* about as the eye distinguishes lightness */
				seen[k] = cbrt(fmax(sum, 0));
				gap += (seen[k] - before[k]) * (seen[k] - before[k]);
			}
			const double luminance = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
			assert_true(luminance < bright);
			if (i > 0 && sqrt(gap) < 0.04) fail_msg("kind %d: steps %d and %d are %.3f apart", kind, i - 1, i, sqrt(gap));
			memcpy(before, seen, sizeof before);
			bright = luminance;
		}
	}
}

/* the letters that a bone's name can have */
static void all_letters_of_names_have_ink(void **state)
{
	(void)state;
	const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,%+:";
	for (const char *at = letters; *at; at++) {
		const char text[2] = {*at, 0};
		double ink = 0, left = 0;
		for (int y = -4; y < 28; y++) {
			for (int x = -4; x < 40; x++) {
				const double share = ossai_text_coverage(text, 18, x + 0.5, y + 0.5);
				ink += share;
				if (x < -2 || x > ossai_text_width(text, 18) + 2) left += share;
			}
		}
		if (ink < 4 || left > 0) fail_msg("'%c' has %.1f pixels of ink, %.1f of them outside", *at, ink, left);
	}
}

/* ---- a wall that faces the camera: columns of vertices, the second bone from 0 at the left to 1
   at the right ---- */

enum { COLUMNS = 33, ROWS = 9, VERTICES = COLUMNS * ROWS, FRAMES = 2, WIDTH = 120, HEIGHT = 60 };

static ossa_rig *wall(ossa_context *context)
{
	float positions[3 * VERTICES];
	uint32_t triangles[6 * (COLUMNS - 1) * (ROWS - 1)], *next = triangles;
	for (uint32_t v = 0; v < VERTICES; v++) {
		memcpy(positions + 3 * v, (float[]){(float)(v % COLUMNS) / 8, (float)(v / COLUMNS) / 8, 0}, 3 * sizeof(float));
		if (v % COLUMNS == COLUMNS - 1 || v / COLUMNS == ROWS - 1) continue;
		memcpy(next, (uint32_t[]){v, v + 1, v + COLUMNS, v + 1, v + COLUMNS + 1, v + COLUMNS}, 6 * sizeof *next);
		next += 6;
	}
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(
		context, ossa_mesh_create(context, VERTICES, positions, sizeof triangles / sizeof *triangles / 3, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 2, 2, &rig));
	ossa_mesh_free(context, mesh);
	for (int b = 0; b < 2; b++) {
		snprintf(rig->skeleton.bones[b].name, 64, "bone_%d", b);
		rig->skeleton.bones[b].parent = b - 1;
		rig->skeleton.bones[b].orientation[3] = 1;
		rig->skeleton.bones[b].tail[0] = 1 + b;
	}
	for (size_t v = 0; v < VERTICES; v++) {
		const float right = (float)(v % COLUMNS) / (COLUMNS - 1);
		const int first = right > 0.5f;
		rig->weights.bones[2 * v] = (uint16_t)first;
		rig->weights.bones[2 * v + 1] = right == 0 || right == 1 ? 0 : (uint16_t)!first;
		rig->weights.values[2 * v] = first ? right : 1 - right;
		rig->weights.values[2 * v + 1] = first ? 1 - right : right;
	}
	assert_ok(context, ossa_clip_create(context, FRAMES, 2, false, &rig->clip));
	for (size_t i = 0; i < FRAMES * 2; i++) rig->clip->rotations[4 * i + 3] = 1;
	rig->clip->times[1] = 1;
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

static ossa_picture_options wall_options(ossa_picture_color color)
{
	ossa_picture_options options = ossa_picture_default();
	options.width = WIDTH;
	options.height = HEIGHT;
	options.azimuth = options.elevation = 0;
	options.color = color;
	options.skeleton = false;
	return options;
}

static double brightness(const ossa_picture *picture, size_t x, size_t y)
{
	const uint8_t *p = picture->pixels + 4 * (y * picture->width + x);
	return 0.2126 * p[0] + 0.7152 * p[1] + 0.0722 * p[2];
}

/* darker from left to right along the center line, or from right to left */
static void assert_darkens(const ossa_picture *picture, bool to_the_right)
{
	double before = 0;
	for (size_t i = 0; i < 8; i++) {
		const size_t x = 16 + i * (WIDTH - 32) / 7;
		const double now = brightness(picture, to_the_right ? x : WIDTH - x, HEIGHT / 2);
		if (i > 0 && now >= before - 4) fail_msg("step %zu is %.1f after %.1f", i, now, before);
		before = now;
	}
}

static void weights_are_seen(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig = wall(context);
	const ossa_picture_options options = wall_options(OSSA_PICTURE_WEIGHTS);
	const int rest = -1;
	for (size_t bone = 0; bone < 2; bone++) {
		const ossa_picture_subject subject = {.rig = rig, .bone = bone};
		ossa_picture *picture;
		assert_ok(context, ossa_picture_draw(context, &subject, &rest, 1, &options, &picture));
		assert_true(picture->ramp_top == 1 && picture->largest == 1);
		assert_darkens(picture, bone == 1);
		ossa_picture_free(context, picture);
	}
	const ossa_picture_subject none = {.rig = rig, .bone = 2};
	ossa_picture *picture;
	assert_fails(context, ossa_picture_draw(context, &none, &rest, 1, &options, &picture), OSSA_ERROR_ARGUMENT,
		"bone 2 has no weights: the rig has 2 bones");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* frame 0 is met, in frame 1 the wall is off by 2 % of the diagonal at its right end */
static ossa_frames *leaning_frames(ossa_context *context, const ossa_rig *rig)
{
	ossa_frames *frames;
	const double diagonal = sqrt(17);
	assert_ok(context, ossa_frames_create(context, FRAMES, VERTICES, 24, &frames));
	for (size_t f = 0; f < FRAMES; f++) {
		float *p = frames->positions + 3 * VERTICES * f;
		memcpy(p, rig->mesh->positions, 3 * VERTICES * sizeof *p);
		for (size_t v = 0; v < VERTICES && f == 1; v++) p[3 * v + 1] += (float)(0.02 * diagonal * p[3 * v] / 4);
	}
	return frames;
}

static void errors_are_seen(void **state)
{
	(void)state;
	const int threads[] = {1, 3}, both[] = {0, 1}, rest = -1;
	uint8_t *first = NULL;
	for (int i = 0; i < 2; i++) {
		ossa_context *context = test_context(threads[i]);
		ossa_rig *rig = wall(context);
		ossa_frames *frames = leaning_frames(context, rig);
		ossa_picture_subject subject = {.rig = rig};
		ossa_picture_options options = wall_options(OSSA_PICTURE_ERROR);
		ossa_picture *picture;
		assert_fails(
			context, ossa_picture_draw(context, &subject, both, 1, &options, &picture), OSSA_ERROR_ARGUMENT, "none are given");
		assert_ok(context, ossa_frame_stream_of_frames(context, frames, &subject.frames));
		assert_fails(context, ossa_picture_draw(context, &subject, &rest, 1, &options, &picture), OSSA_ERROR_ARGUMENT,
			"the rest pose corresponds to no frame");
		assert_ok(context, ossa_picture_draw(context, &subject, both + 1, 1, &options, &picture));
		assert_near(picture->largest, 2, 1e-5);
		assert_true(picture->ramp_top == picture->largest);
		assert_darkens(picture, true);
		const size_t bytes = 4 * picture->width * picture->height;
		if (i == 0) memcpy(first = malloc(bytes), picture->pixels, bytes);
		assert_memory_equal(first, picture->pixels, bytes);
		ossa_picture_free(context, picture);
		/* with the ramp to 20 % the same error is hardly seen; a frame that is met is even */
		options.error_top = 20;
		assert_ok(context, ossa_picture_draw(context, &subject, both, 2, &options, &picture));
		assert_true(picture->ramp_top == 20);
		assert_near(picture->largest, 2, 1e-5);
		assert_near(brightness(picture, 20, HEIGHT / 2), brightness(picture, WIDTH - 20, HEIGHT / 2), 3);
		const double faint = brightness(picture, WIDTH + 20, HEIGHT / 2) - brightness(picture, 2 * WIDTH - 20, HEIGHT / 2);
		assert_true(faint > 3 && faint < 40);
		ossa_picture_free(context, picture);
		ossa_frame_stream_free(context, subject.frames);
		ossa_frames_free(context, frames);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	free(first);
}

/* the legend is there where it fits, wanted or not */
static void legends_can_be_left_out(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = wall(context);
	ossa_picture_options options = wall_options(OSSA_PICTURE_WEIGHTS);
	options.width = 240;
	options.height = 160;
	options.transparent = true;
	const ossa_picture_subject subject = {.rig = rig, .bone = 1};
	const int rest = -1;
	size_t ink[2] = {0, 0};
	for (int i = 0; i < 2; i++) {
		options.legend = i == 0;
		ossa_picture *picture;
		assert_ok(context, ossa_picture_draw(context, &subject, &rest, 1, &options, &picture));
		for (size_t y = 0; y < 40; y++) {
			for (size_t x = 0; x < 120; x++) ink[i] += picture->pixels[4 * (y * picture->width + x) + 3] > 0;
		}
		ossa_picture_free(context, picture);
	}
	assert_true(ink[0] > 800 && ink[1] == 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* another motion than the rig's own */
static void poses_are_drawn_without_changing_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = wall(context);
	ossa_motion_edit edit = ossa_motion_edit_default(OSSA_MOTION_TURN, 0);
	ossa_turn_of_degrees((double[]){0, 0, 90}, edit.rotation);
	ossa_clip *turned;
	assert_ok(context, ossa_motion_edit_apply(context, rig, NULL, 1, &edit, &turned));
	const ossa_picture_options options = wall_options(OSSA_PICTURE_PLAIN);
	const ossa_picture_subject subject = {.rig = rig, .clip = turned};
	const int frame = 0;
	ossa_picture *own, *posed;
	assert_ok(context, ossa_picture_rig(context, rig, &frame, 1, &options, &own));
	assert_ok(context, ossa_picture_draw(context, &subject, &frame, 1, &options, &posed));
	/* wide and low, then high and narrow: the left of the picture is empty */
	assert_true(brightness(own, 20, HEIGHT / 2) < brightness(posed, 20, HEIGHT / 2) - 10);
	assert_true(brightness(own, WIDTH / 2, 8) > brightness(posed, WIDTH / 2, 8) + 10);
	ossa_picture_free(context, own);
	ossa_picture_free(context, posed);
	turned->bone_count = 1;
	assert_fails(context, ossa_picture_draw(context, &subject, &frame, 1, &options, &own), OSSA_ERROR_INPUT, "1 bones");
	turned->bone_count = 2;
	ossa_clip_free(context, turned);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status sweep_errors(ossa_context *context, void *arg)
{
	void **parts = arg;
	ossa_picture_subject subject = {.rig = parts[0]};
	const ossa_picture_options options = wall_options(OSSA_PICTURE_ERROR);
	const int frame = 1;
	ossa_picture *picture = NULL;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, parts[1], &subject.frames));
	const ossa_status status = ossa_picture_draw(context, &subject, &frame, 1, &options, &picture);
	ossa_frame_stream_free(context, subject.frames);
	ossa_picture_free(context, picture);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = wall(context);
	ossa_frames *frames = leaning_frames(context, rig);
	assert_true(test_allocation_sweep(sweep_errors, (void *[]){rig, frames}, SIZE_MAX, 1) > 10);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_even_and_darken),
		cmocka_unit_test(colors_are_within_the_screen),
		cmocka_unit_test(the_color_blind_read_it_too),
		cmocka_unit_test(all_letters_of_names_have_ink),
		cmocka_unit_test(weights_are_seen),
		cmocka_unit_test(errors_are_seen),
		cmocka_unit_test(legends_can_be_left_out),
		cmocka_unit_test(poses_are_drawn_without_changing_the_rig),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
