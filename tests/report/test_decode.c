/* tests/report/test_decode.c: images of every kind, whole, large and broken. */
#include "report/decode.h"
#include "scene/appearance.h"
#include "support/images.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct decoding {
	ossa_context *context;
	ossai_arena arena;
	ossai_light_codes codes;
	ossai_bitmap bitmap;
	char reason[OSSAI_REASON_SIZE];
} decoding;

static void begin(decoding *d, size_t memory_limit)
{
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.memory_limit = memory_limit;
	assert_int_equal(ossa_context_create(&options, &d->context), OSSA_OK);
	d->arena = ossai_arena_begin(d->context);
	ossai_light_codes_fill(&d->codes);
}

static void end(decoding *d)
{
	ossai_arena_end(&d->arena);
	test_context_end(d->context);
}

/* whether it has pixels, else a reason */
static bool decodes(decoding *d, const uint8_t *bytes, size_t size, bool is_color)
{
	const ossa_image image = {.name = "image", .bytes = bytes, .size = size};
	assert_ok(d->context, ossai_image_decode(d->context, &d->arena, &d->codes, &image, is_color, &d->bitmap, d->reason));
	assert_int_equal(d->bitmap.texels == NULL, d->reason[0] != 0);
	return d->bitmap.texels != NULL;
}

/* smooth, so that JPEG keeps it */
static void fill_slope(uint32_t width, uint32_t height, uint8_t *rgba)
{
	for (uint32_t y = 0; y < height; y++) {
		for (uint32_t x = 0; x < width; x++, rgba += 4) {
			rgba[0] = (uint8_t)(255 * x / width);
			rgba[1] = (uint8_t)(255 * y / height);
			rgba[2] = 100;
			rgba[3] = (uint8_t)(128 + x);
		}
	}
}

static void assert_pixels(const decoding *d, const uint8_t *rgba, int tolerance, bool has_alpha)
{
	for (size_t i = 0; i < 4 * (size_t)d->bitmap.width * d->bitmap.height; i++) {
		const int expected = i % 4 == 3 && !has_alpha ? 255 : rgba[i];
		if (abs(d->bitmap.texels[i] - expected) > tolerance) fail_msg("%zu: %d, not %d", i, d->bitmap.texels[i], expected);
	}
}

static void every_format_gives_its_pixels(void **state)
{
	(void)state;
	enum { WIDTH = 37, HEIGHT = 21 };
	uint8_t rgba[4 * WIDTH * HEIGHT];
	decoding d;
	test_image image;
	begin(&d, 0);
	fill_slope(WIDTH, HEIGHT, rgba);
	for (int kind = 0; kind < 2; kind++) {
		image = test_png(WIDTH, HEIGHT, rgba, kind == 1);
		assert_true(decodes(&d, image.bytes, image.size, true));
		assert_int_equal(d.bitmap.width, WIDTH);
		assert_int_equal(d.bitmap.height, HEIGHT);
		assert_pixels(&d, rgba, 0, true);
		if (!test_jpeg(WIDTH, HEIGHT, rgba, kind == 1, &image)) continue;
		assert_true(decodes(&d, image.bytes, image.size, true));
		assert_int_equal(d.bitmap.height, HEIGHT);
		assert_pixels(&d, rgba, 12, false);
	}
	if (test_webp(WIDTH, HEIGHT, rgba, &image)) {
		assert_true(decodes(&d, image.bytes, image.size, true));
		assert_pixels(&d, rgba, 0, true);
	}
	end(&d);
}

/* stripes of black and white: their mean is half the light, which has the code 188 */
static void large_images_are_kept_smaller(void **state)
{
	(void)state;
	enum { WIDTH = OSSAI_BITMAP_SIDE_MAX * 2 + 2, HEIGHT = 6 };
	uint8_t *rgba = malloc(4 * WIDTH * HEIGHT);
	for (size_t i = 0; i < WIDTH * HEIGHT; i++) {
		memset(rgba + 4 * i, i % 2 ? 255 : 0, 3);
		rgba[4 * i + 3] = 255;
	}
	decoding d;
	begin(&d, 0);
	for (int is_interlaced = 0; is_interlaced < 2; is_interlaced++) {
		const test_image image = test_png(WIDTH, HEIGHT, rgba, is_interlaced != 0);
		for (int is_color = 0; is_color < 2; is_color++) {
			assert_true(decodes(&d, image.bytes, image.size, is_color != 0));
			/* the last texels have two pixels a row, and two rows */
			assert_int_equal(d.bitmap.width, WIDTH / 4 + 1);
			assert_int_equal(d.bitmap.height, 2);
			for (size_t i = 0; i < (size_t)d.bitmap.width * 2; i++) {
				assert_in_range(d.bitmap.texels[4 * i], is_color ? 187 : 127, is_color ? 188 : 128);
				assert_int_equal(d.bitmap.texels[4 * i + 3], 255);
			}
		}
	}
	free(rgba);
	end(&d);
}

static void what_is_no_image_says_why(void **state)
{
	(void)state;
	static const struct {
		const char *bytes;
		size_t size;
		const char *words;
	} cases[] = {
		{"hello", 5, "type is not known"},
		{"", 0, "type is not known"},
		{"\xabKTX 20\xbb", 8, "KTX2"},
		{"DDS ....", 8, "DDS"},
		{"BM......", 8, "BMP"},
		{"\x89PNG\r\n\x1a\n", 8, "PNG is broken"},
		{"RIFF....WEBPVP8 ", 16, "WebP"},
		{"\xff\xd8\xff\xe0", 4, "JPEG"},
	};
	decoding d;
	begin(&d, 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_false(decodes(&d, (const uint8_t *)cases[i].bytes, cases[i].size, true));
		if (!strstr(d.reason, cases[i].words)) fail_msg("%zu: \"%s\"", i, d.reason);
	}
	const ossa_image gone = {.name = "gone", .path = test_path("gone.png")};
	assert_ok(d.context, ossai_image_decode(d.context, &d.arena, &d.codes, &gone, true, &d.bitmap, d.reason));
	assert_null(d.bitmap.texels);
	assert_string_equal(d.reason, "the file is not there any more");
	end(&d);
}

/* before anything is allocated */
static void sizes_are_checked(void **state)
{
	(void)state;
	uint8_t rgba[4 * 64 * 64] = {0};
	decoding d;
	begin(&d, 40000);
	const test_image fits = test_png(32, 32, rgba, false), large = test_png(64, 64, rgba, false);
	assert_true(decodes(&d, fits.bytes, fits.size, true));
	assert_false(decodes(&d, large.bytes, large.size, true));
	assert_non_null(strstr(d.reason, "half of the memory that is left"));
	static const uint32_t sides[][2] = {{16385, 16385}, {1 << 20, 1 << 20}, {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, 0}};
	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
		ossai_decoder decoder = {.context = d.context, .arena = &d.arena};
		assert_false(ossai_decoder_begin(&decoder, sides[i][0], sides[i][1], 0));
		assert_non_null(strstr(decoder.reason, sides[i][1] ? "too many" : "no pixels"));
	}
	end(&d);
}

static void cut_and_changed_images_are_survived(void **state)
{
	(void)state;
	enum { SIDE = 24, TRIALS = 400 };
	uint8_t rgba[4 * SIDE * SIDE];
	uint32_t random = 1;
	size_t refused = 0;
	fill_slope(SIDE, SIDE, rgba);
	test_image images[4] = {test_png(SIDE, SIDE, rgba, true)};
	size_t count = 1;
	count += test_jpeg(SIDE, SIDE, rgba, false, &images[count]);
	count += test_jpeg(SIDE, SIDE, rgba, true, &images[count]);
	count += test_webp(SIDE, SIDE, rgba, &images[count]);
	decoding d;
	for (size_t i = 0; i < count; i++) {
		uint8_t *bytes = malloc(images[i].size);
		begin(&d, (size_t)64 << 20);
		assert_false(decodes(&d, images[i].bytes, images[i].size / 2, true));
		for (size_t size = 0; size < images[i].size; size += 1 + images[i].size / 60) {
			decodes(&d, images[i].bytes, size, true);
		}
		for (int trial = 0; trial < TRIALS; trial++) {
			memcpy(bytes, images[i].bytes, images[i].size);
			for (int k = 0; k < 3; k++) bytes[test_random_bits(&random) % images[i].size] = (uint8_t)test_random_bits(&random);
			refused += !decodes(&d, bytes, images[i].size, true);
		}
		end(&d);
		free(bytes);
	}
	assert_true(refused > count * TRIALS / 4);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const test_image *file = arg;
	const ossa_image image = {.name = "image", .bytes = file->bytes, .size = file->size};
	ossai_arena arena = ossai_arena_begin(context);
	static ossai_light_codes codes;
	ossai_bitmap bitmap;
	char reason[OSSAI_REASON_SIZE];
	ossai_light_codes_fill(&codes);
	const ossa_status status = ossai_image_decode(context, &arena, &codes, &image, true, &bitmap, reason);
	ossai_arena_end(&arena);
	return status;
}

static void failing_allocations_are_survived(void **state)
{
	(void)state;
	uint8_t rgba[4 * 8 * 8];
	fill_slope(8, 8, rgba);
	test_image images[3] = {test_png(8, 8, rgba, true)};
	size_t count = 1;
	count += test_jpeg(8, 8, rgba, true, &images[count]);
	count += test_webp(8, 8, rgba, &images[count]);
	for (size_t i = 0; i < count; i++) assert_true(test_allocation_sweep(sweep, &images[i], 50, 1) > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_gives_its_pixels),
		cmocka_unit_test(large_images_are_kept_smaller),
		cmocka_unit_test(what_is_no_image_says_why),
		cmocka_unit_test(sizes_are_checked),
		cmocka_unit_test(cut_and_changed_images_are_survived),
		cmocka_unit_test(failing_allocations_are_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
