/* tests/body/test_frames.c: which axes a figure may have as a body. */
#include "body/frames.h"
#include "support/support.h"

#include <stdlib.h>

enum { VERTICES = 8 };

typedef struct box {
	double positions[3 * VERTICES];
	ossai_proxy proxy;
	ossai_mirror mirror;
	ossai_figure figure;
	ossai_frame frames[OSSAI_FRAMES];
	size_t count;
} box;

/* the frames of a box of 1 x 4 x 2, whose plane of symmetry has a normal that is tilted out of the
   horizontal by the arc sine of a number */
static box *make_box(double tilt)
{
	box *b = calloc(1, sizeof *b);
	assert_non_null(b);
	for (int v = 0; v < VERTICES; v++) {
		b->positions[3 * v] = v & 1 ? 0.5 : -0.5;
		b->positions[3 * v + 1] = v & 2 ? 2 : -2;
		b->positions[3 * v + 2] = v & 4 ? 1 : -1;
	}
	b->proxy = (ossai_proxy){.vertex_count = VERTICES, .positions = b->positions};
	b->mirror = (ossai_mirror){.exists = true, .normal = {sqrt(1 - tilt * tilt), tilt, 0}};
	b->figure = (ossai_figure){.proxy = &b->proxy, .mirror = &b->mirror, .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .hand = 1};
	const ossai_spread_moments moments = ossai_spread_moments_of(&b->proxy);
	b->count = ossai_frames_find(&b->figure, &moments, b->frames);
	return b;
}

static bool is_up(const ossai_frame *frame) { return frame->up.y > 1 - 1e-9; }

/* of frames that stand along +Y: the largest odds of those whose sides are mirror images, or are
   not */
static double most_odds(const box *b, bool is_symmetric)
{
	double most = -INFINITY;
	for (size_t i = 0; i < b->count; i++) {
		if (is_up(&b->frames[i]) && b->frames[i].is_symmetric == is_symmetric) most = fmax(most, b->frames[i].odds);
	}
	return most;
}

static void a_frame_is_upright_and_its_axes_are_unit(void **state)
{
	(void)state;
	box *b = make_box(0);
	assert_true(b->count > 0 && b->count <= OSSAI_FRAMES);
	for (size_t i = 0; i < b->count; i++) {
		const ossai_frame *f = &b->frames[i];
		assert_near(ossai_dot(f->left, f->up), 0, 1e-12);
		assert_near_vec3(ossai_cross(f->left, f->up), f->front, 1e-12);
		assert_near(ossai_length(f->left), 1, 1e-12);
		if (is_up(f)) assert_near(f->height, 4, 1e-12);
	}
	free(b);
}

/* a plane of symmetry is a body's own where it is upright to within a sine of 0.2: other sides are
   then less likely by e^1.5, and by e^0.5 as they do not face +Z; without such a plane all sides
   are as likely */
static void a_plane_of_symmetry_parts_left_from_right(void **state)
{
	(void)state;
	box *upright = make_box(0.19), *tilted = make_box(0.21);
	assert_near(most_odds(upright, true) - most_odds(upright, false), 1.5 + 0.5, 1e-12);
	assert_true(most_odds(tilted, true) == -INFINITY);
	assert_near(most_odds(tilted, false), most_odds(upright, true), 1e-12);
	free(upright);
	free(tilted);
}

/* whichever way up is in the plane of symmetry, a frame is upright to within 2.5 degrees; half as
   many directions would leave some 5 degrees off */
static void up_may_be_in_no_axis(void **state)
{
	(void)state;
	box *b = make_box(0);
	double worst = 0;
	for (int k = 0; k < 720; k++) {
		const ossai_vec3 up = {0, cos(k * OSSAI_PI / 360), sin(k * OSSAI_PI / 360)};
		double nearest = INFINITY;
		for (size_t i = 0; i < b->count; i++)
			nearest = fmin(nearest, acos(fmin(ossai_dot(up, b->frames[i].up), 1)) * 180 / OSSAI_PI);
		worst = fmax(worst, nearest);
	}
	assert_true(worst > 1.25 && worst < 2.6);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_frame_is_upright_and_its_axes_are_unit),
		cmocka_unit_test(a_plane_of_symmetry_parts_left_from_right), cmocka_unit_test(up_may_be_in_no_axis)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
