/* tests/report/test_captions.c: colours of neighbours are apart, and captions are inside their
   boxes. */
#include "report/palette.h"
#include "report/text.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double color_distance(ossai_color x, ossai_color y)
{
	return sqrt((x.l - y.l) * (x.l - y.l) + (x.a - y.a) * (x.a - y.a) + (x.b - y.b) * (x.b - y.b));
}

/* in OKLab 0.02 is a difference just seen side by side */
static void neighbours_have_other_colors(void **state)
{
	(void)state;
	enum { BONES = 200 };
	ossa_bone *bones = calloc(BONES, sizeof *bones);
	ossai_color colors[BONES];
	uint32_t random = 7;
	for (int b = 0; b < BONES; b++) {
		bones[b].parent = b == 0 ? -1 : b - 1 - (int)(test_random_bits(&random) % (uint32_t)(b < 5 ? b : 5));
	}
	const ossa_skeleton skeleton = {BONES, bones};
	ossai_palette_bones(&skeleton, colors);
	for (int b = 1; b < BONES; b++) assert_true(color_distance(colors[b], colors[bones[b].parent]) > 0.09);
	/* as many colours as a usual rig has bones */
	for (int b = 0; b < 40; b++) {
		for (int other = 0; other < b; other++) assert_true(color_distance(colors[b], colors[other]) > 0.01);
	}
	free(bones);
}

static void captions_have_ink_inside_their_box(void **state)
{
	(void)state;
	const double height = 12, width = ossai_text_width("frame 1024", height);
	assert_true(width > 60 && width < 130);
	assert_true(ossai_text_width("frame 10245", height) > width);
	double ink = 0;
	for (int y = -4; y < 16; y++) {
		for (int x = -4; x < (int)width + 5; x++) {
			const double cover = ossai_text_coverage("frame 1024", height, x + 0.5, y + 0.5);
			assert_true(cover >= 0 && cover <= 1);
			const bool outside = y < -2 || y > height + 1 || x < -2 || x > width + 1;
			if (outside) assert_true(cover == 0);
			ink += cover;
		}
	}
	assert_true(ink > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_have_other_colors),
		cmocka_unit_test(captions_have_ink_inside_their_box),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
