/* tests/report/test_texture.c: lookups against plain formulas. */
#include "report/texture.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 5, HEIGHT = 3 };

typedef struct looking {
	ossa_context *context;
	ossai_arena arena;
	ossai_light_codes codes;
	ossai_texture_levels texture;
} looking;

static void begin(looking *l, uint32_t width, uint32_t height, uint8_t *rgba, bool is_color)
{
	const ossai_bitmap bitmap = {width, height, rgba};
	l->context = test_context(2);
	l->arena = ossai_arena_begin(l->context);
	ossai_light_codes_fill(&l->codes);
	assert_ok(l->context, ossai_texture_make(l->context, &l->arena, &l->codes, &bitmap, is_color, &l->texture));
}

static void end(looking *l)
{
	ossai_arena_end(&l->arena);
	test_context_end(l->context);
}

/* sRGB by its definition */
static double light_of(double code) { return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4); }

/* the texel of an endless row of images */
static int wrap(int texel, int side, ossa_wrap wraps)
{
	if (wraps == OSSA_WRAP_CLAMP) return texel < 0 ? 0 : texel >= side ? side - 1 : texel;
	const int pair = ((texel % (2 * side)) + 2 * side) % (2 * side);
	return pair < side ? pair : wraps == OSSA_WRAP_MIRROR ? 2 * side - 1 - pair : pair - side;
}

/* one channel between the four nearest texel centers; v from the bottom */
static double plain_value(const uint8_t *rgba, double u, double v, const ossa_wrap wraps[2], int channel, bool is_color)
{
	if (wraps[0] == OSSA_WRAP_CLAMP) u = fmin(fmax(u, 0), 1);
	if (wraps[1] == OSSA_WRAP_CLAMP) v = fmin(fmax(v, 0), 1);
	const double x = u * WIDTH - 0.5, y = (1 - v) * HEIGHT - 0.5;
	double sum = 0;
	for (int j = 0; j < 2; j++) {
		for (int i = 0; i < 2; i++) {
			const int tx = wrap((int)floor(x) + i, WIDTH, wraps[0]), ty = wrap((int)floor(y) + j, HEIGHT, wraps[1]);
			const double value = rgba[4 * (ty * WIDTH + tx) + channel] / 255.0;
			const double right = i ? x - floor(x) : 1 - (x - floor(x)), below = j ? y - floor(y) : 1 - (y - floor(y));
			sum += right * below * (is_color && channel < 3 ? light_of(value) : value);
		}
	}
	return sum;
}

static void lookups_agree_with_the_formula(void **state)
{
	(void)state;
	uint8_t rgba[4 * WIDTH * HEIGHT];
	uint32_t random = 1;
	for (size_t i = 0; i < sizeof rgba; i++) rgba[i] = (uint8_t)test_random_bits(&random);
	for (int kind = 0; kind < 18; kind++) {
		const bool is_color = kind & 1;
		const ossa_wrap wraps[2] = {(ossa_wrap)(kind / 2 % 3), (ossa_wrap)(kind / 6)};
		looking l;
		begin(&l, WIDTH, HEIGHT, rgba, is_color);
		for (int trial = 0; trial < 200; trial++) {
			ossai_texture_spot spot = {{0, 0}, {0, 0}, {0, 0}};
			for (int k = 0; k < 2; k++) spot.at[k] = (double)test_random_bits(&random) / (1 << 24) * 6 - 3;
			float value[4];
			ossai_texture_look_up(&l.texture, &l.codes, wraps, &spot, value);
			for (int c = 0; c < 4; c++) {
				assert_near((double)value[c], plain_value(rgba, spot.at[0], spot.at[1], wraps, c, is_color), 2e-6);
			}
		}
		end(&l);
	}
}

/* each copy has the mean light of the whole, also of odd sides */
static void a_whole_image_in_a_pixel_is_its_mean(void **state)
{
	(void)state;
	static const uint32_t sides[][2] = {{64, 64}, {64, 16}, {1, 32}, {48, 48}};
	for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
		uint8_t rgba[4 * 64 * 64];
		const uint32_t width = sides[i][0], height = sides[i][1];
		for (uint32_t p = 0; p < width * height; p++) {
			const uint8_t code = (p % width + p / width) % 2 ? 255 : 0;
			memcpy(rgba + 4 * p, (const uint8_t[4]){code, code, 60, 255}, 4);
		}
		looking l;
		begin(&l, width, height, rgba, true);
		assert_int_equal(l.texture.level[l.texture.count - 1].width, 1);
		assert_int_equal(l.texture.level[l.texture.count - 1].height, 1);
		const ossa_wrap wraps[2] = {OSSA_WRAP_REPEAT, OSSA_WRAP_REPEAT};
		for (double size = 0.25; size < 100; size *= 2) {
			const ossai_texture_spot spot = {{0.3, 0.6}, {size, 0}, {0, size}};
			float value[4];
			ossai_texture_look_up(&l.texture, &l.codes, wraps, &spot, value);
			assert_near((double)value[0], 0.5, 0.03);
			assert_near((double)value[2], light_of(60 / 255.0), 0.003);
			assert_near((double)value[3], 1, 1e-6);
		}
		end(&l);
	}
}

/* seen along stripes they stay sharp, however long the footprint is across them it is even */
static void long_footprints_are_not_blurred_across(void **state)
{
	(void)state;
	enum { SIDE = 64 };
	uint8_t rgba[4 * SIDE * SIDE];
	for (size_t p = 0; p < SIDE * SIDE; p++) memset(rgba + 4 * p, p % SIDE / 8 % 2 ? 255 : 0, 4);
	looking l;
	begin(&l, SIDE, SIDE, rgba, false);
	const ossa_wrap wraps[2] = {OSSA_WRAP_REPEAT, OSSA_WRAP_REPEAT};
	const double stripe = 12.0 / SIDE, texel = 1.0 / SIDE;
	const ossai_texture_spot along = {{stripe, 0.5}, {texel, 0}, {0, 8 * texel}};
	const ossai_texture_spot across = {{stripe, 0.5}, {16 * texel, 0}, {0, texel}};
	float value[4];
	ossai_texture_look_up(&l.texture, &l.codes, wraps, &along, value);
	assert_near((double)value[0], 1, 1e-6);
	ossai_texture_look_up(&l.texture, &l.codes, wraps, &across, value);
	assert_near((double)value[0], 0.5, 0.1);
	end(&l);
}

static void wild_coordinates_are_survived(void **state)
{
	(void)state;
	uint8_t rgba[4] = {255, 0, 255, 255};
	const double wild[] = {0, 1e8, -1e8, 1e30, -1e308, INFINITY, NAN};
	looking l;
	begin(&l, 1, 1, rgba, true);
	for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
		for (size_t j = 0; j < sizeof wild / sizeof wild[0]; j++) {
			const ossai_texture_spot spot = {{wild[i], wild[j]}, {wild[j], 0}, {0, wild[i]}};
			const ossa_wrap wraps[2] = {(ossa_wrap)(i % 3), (ossa_wrap)(j % 3)};
			float value[4];
			ossai_texture_look_up(&l.texture, &l.codes, wraps, &spot, value);
			assert_near((double)value[0], 1, 1e-6);
			assert_near((double)value[1], 0, 1e-6);
		}
	}
	end(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lookups_agree_with_the_formula),
		cmocka_unit_test(a_whole_image_in_a_pixel_is_its_mean),
		cmocka_unit_test(long_footprints_are_not_blurred_across),
		cmocka_unit_test(wild_coordinates_are_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
