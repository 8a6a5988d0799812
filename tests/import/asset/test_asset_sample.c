/* tests/import/asset/test_asset_sample.c: values between keys, the order of transforms, the
   choice of animation and times. */
#include "import/asset/asset_parts.h"
#include "math/affine.h"
#include "support/scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* one point on a node gives its position */
static const float points[9] = {1, 2, 3, 0, 0, 0, 0, 1, 0};

static scene *make_part(void)
{
	scene *s = scene_new();
	const uint32_t node = scene_node(s, "part", OSSA_NONE);
	scene_add_mesh(s, "part", node, 3, points, 1, scene_face);
	return s;
}

/* where the three points are in every frame; `times` of the frames or NULL */
static ossa_frames *read_frames(ossa_context *context, scene *s, const ossa_read_options *options)
{
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, s, options, &mesh, &frames));
	assert_non_null(frames);
	assert_ok(context, ossa_frames_validate(context, frames));
	ossa_mesh_free(context, mesh);
	return frames;
}

static void assert_at(const ossa_frames *frames, size_t frame, size_t vertex, double x, double y, double z)
{
	assert_point(frames->positions + 3 * (frame * frames->vertex_count + vertex), x, y, z, 1e-5);
}

static ossa_read_options rate(double frames_per_second)
{
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = frames_per_second;
	return options;
}

/* ---- between keys ---- */

static void steps_stay_and_lines_rise(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1, 2};
	static const float values[] = {0, 0, 0, 10, 0, 0, 10, 20, 0};
	for (int how = OSSAI_STEP; how <= OSSAI_LINEAR; how++) {
		scene *s = make_part();
		scene_translate(s, 0, 0, 0, 0);
		scene_channel(s, scene_add_clip(s, "a"), 0, 0, (ossai_interpolation)how, 3, times, values);
		const ossa_read_options options = rate(4);
		ossa_frames *frames = read_frames(context, s, &options);
		assert_int_equal(frames->frame_count, 9);
		assert_at(frames, 1, 1, how == OSSAI_STEP ? 0 : 2.5, 0, 0);
		assert_at(frames, 4, 1, 10, 0, 0);
		assert_at(frames, 7, 1, 10, how == OSSAI_STEP ? 0 : 15, 0);
		assert_at(frames, 8, 1, 10, 20, 0);
		ossa_frames_free(context, frames);
		free(s);
	}
	test_context_end(context);
}

static void single_keys_may_hold(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1, 2};
	static const float values[] = {0, 0, 0, 10, 0, 0, 20, 0, 0};
	bool holds[3] = {true, false, false};
	scene *s = make_part();
	scene_translate(s, 0, 0, 0, 0);
	scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_LINEAR, 3, times, values)->holds = holds;
	const ossa_read_options options = rate(2);
	ossa_frames *frames = read_frames(context, s, &options);
	assert_at(frames, 1, 1, 0, 0, 0);
	assert_at(frames, 3, 1, 15, 0, 0);
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* a cubic through Hermite tangents: x = t^3 - 2 t on a span of 2 seconds, whose slopes are -2 and
   10 */
static void splines_are_cubics(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 2};
	static const float values[] = {7, 7, 7, 0, 0, 0, -2, 0, 0, 10, 0, 0, 4, 0, 0, 7, 7, 7};
	scene *s = make_part();
	scene_translate(s, 0, 0, 0, 0);
	scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_HERMITE, 2, times, values);
	const ossa_read_options options = rate(8);
	ossa_frames *frames = read_frames(context, s, &options);
	for (size_t f = 0; f < frames->frame_count; f++) {
		const double t = (double)f / 8;
		assert_at(frames, f, 1, t * t * t - 2 * t, 0, 0);
	}
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* a Bezier curve whose inner times are not on thirds, against its own parameter: at u the time and
   value are known */
static void bezier_curves_are_met_at_their_times(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {1, 3};
	static const float values[] = {2, 0, 0, -4, 0, 0};
	double controls[2 * 3 * 4] = {0};
	/* x alone is curved: it leaves flat and late, arrives steep and early */
	const double inner[4] = {2.8, 2, 1.4, 9};
	controls[2] = inner[0], controls[3] = inner[1];
	controls[12] = inner[2], controls[13] = inner[3];
	for (int k = 1; k < 3; k++) {
		controls[4 * k + 2] = 1;
		controls[12 + 4 * k] = 3;
	}
	for (int i = 0; i <= 20; i++) {
		const double u = i / 20.0, w = 1 - u;
		const double b[4] = {w * w * w, 3 * w * w * u, 3 * w * u * u, u * u * u};
		const double time = b[0] * 1 + b[1] * inner[0] + b[2] * inner[2] + b[3] * 3;
		const double value = b[0] * 2 + b[1] * inner[1] + b[2] * inner[3] + b[3] * -4;
		scene *s = make_part();
		scene_translate(s, 0, 0, 0, 0);
		scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_BEZIER, 2, times, values)->controls = controls;
		double sampled[3];
		ossai_channel_sample(&s->channels[0][0], OSSAI_FORM_NUMBERS, time, sampled);
		assert_near(sampled[0], value, 1e-9);
		assert_near(sampled[1], 0, 1e-12);
		free(s);
	}
	test_context_end(context);
}

/* control points that lie outside of their span must not make time run back */
static void wild_bezier_times_stay_in_their_span(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1};
	static const float values[] = {0, 0, 0, 1, 0, 0};
	double controls[24] = {0};
	for (int k = 0; k < 3; k++) {
		controls[4 * k + 2] = 50, controls[4 * k + 3] = 0;
		controls[12 + 4 * k] = -50, controls[12 + 4 * k + 1] = k == 0;
	}
	scene *s = make_part();
	scene_translate(s, 0, 0, 0, 0);
	scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_BEZIER, 2, times, values)->controls = controls;
	double before = -1, sampled[3];
	for (int i = 0; i <= 100; i++) {
		ossai_channel_sample(&s->channels[0][0], OSSAI_FORM_NUMBERS, i / 100.0, sampled);
		assert_true(sampled[0] >= before - 1e-12 && sampled[0] <= 1);
		before = sampled[0];
	}
	assert_near(before, 1, 1e-12);
	free(s);
	test_context_end(context);
}

/* quaternions take the shorter arc on the sphere, whatever their sign */
static void rotations_turn_steadily(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1};
	const float half = (float)(60 * OSSAI_PI / 180);
	const float values[] = {0, 0, 0, 1, 0, 0, -sinf(half), -cosf(half)};
	scene *s = make_part();
	scene_rotate(s, 0, 0, 0, 1, 0);
	scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_LINEAR, 2, times, values);
	const ossa_read_options options = rate(10);
	ossa_frames *frames = read_frames(context, s, &options);
	for (size_t f = 0; f < 11; f++) {
		const double angle = 12 * (double)f * OSSAI_PI / 180;
		assert_at(frames, f, 2, -sin(angle), cos(angle), 0);
	}
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* matrices mix by their parts: half way of a quarter turn is an eighth, and scales are not lost in
   it */
static void matrices_mix_by_their_parts(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1};
	static const float values[] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, /* scale 2 */
		/* a quarter turn about z, scale 4, moved */
		0, -4, 0, 10, 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1};
	scene *s = make_part();
	scene_op(s, 0, OSSAI_OP_MATRIX, 16, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
	scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_LINEAR, 2, times, values);
	const ossa_read_options options = rate(2);
	ossa_frames *frames = read_frames(context, s, &options);
	assert_at(frames, 0, 2, 0, 2, 0);
	assert_at(frames, 1, 2, 5 - 3 * sqrt(0.5), 3 * sqrt(0.5), 0);
	assert_at(frames, 2, 2, 6, 0, 0);
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* parts of an op may move alone: the angle of a turn, one number of a matrix */
static void single_numbers_move(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1};
	static const float degrees[8] = {0, 270}, places[32] = {0, 8};
	scene *s = make_part();
	scene_op(s, 0, OSSAI_OP_MATRIX, 16, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
	scene_turn(s, 0, 0, 0, 5, 0);
	const uint32_t clip = scene_add_clip(s, "a");
	ossai_asset_channel *place = scene_channel(s, clip, 0, 0, OSSAI_LINEAR, 2, times, places);
	place->first = 7, place->width = 1;
	ossai_asset_channel *turn = scene_channel(s, clip, 0, 1, OSSAI_LINEAR, 2, times, degrees);
	turn->first = 3, turn->width = 1;
	const ossa_read_options options = rate(3);
	ossa_frames *frames = read_frames(context, s, &options);
	/* 90 degrees at a third: not the shorter arc of quaternions but the path of the angle */
	assert_at(frames, 1, 2, -1, 8 / 3.0, 0);
	assert_at(frames, 2, 2, 0, 16 / 3.0 - 1, 0);
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* the first op is the outermost */
static void ops_apply_from_the_last_on(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh;
	scene *s = make_part();
	scene_translate(s, 0, 100, 0, 0);
	scene_turn(s, 0, 0, 0, 1, 90);
	scene_op(s, 0, OSSAI_OP_SCALE, 3, (double[]){2, 3, 4});
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	/* (1 2 3) -> (2 6 12) -> (-6 2 12) -> (94 2 12) */
	const float wanted[3] = {94, 2, 12};
	for (int k = 0; k < 3; k++) assert_near(mesh->positions[k], wanted[k], 1e-4F);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- keys ---- */

static void keys_are_sorted_and_of_two_the_last_stays(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {2, 0, 1, 1, -0.5};
	static const float values[] = {20, 0, 0, 0, 0, 0, 99, 0, 0, 10, 0, 0, -5, 0, 0};
	scene *s = make_part();
	scene_translate(s, 0, 0, 0, 0);
	scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_LINEAR, 5, times, values);
	/* a second node shares the arrays, as files do */
	const uint32_t other = scene_node(s, "other", OSSA_NONE);
	scene_translate(s, other, 0, 0, 0);
	ossai_asset_channel *shared = scene_channel(s, 0, other, 0, OSSAI_LINEAR, 5, times, values);
	shared->times = s->channels[0][0].times;
	shared->values = s->channels[0][0].values;
	scene_add_mesh(s, "other", other, 3, points, 1, scene_face);
	ossa_frames *frames = read_frames(context, s, NULL);
	assert_int_equal(frames->frame_count, 4);
	assert_int_equal(frames->vertex_count, 3);
	static const double wanted_times[] = {0, 0.5, 1.5, 2.5}, wanted[] = {-5, 0, 10, 20};
	for (size_t f = 0; f < 4; f++) {
		assert_near(frames->times[f], wanted_times[f], 1e-12);
		assert_at(frames, f, 1, wanted[f], 0, 0);
	}
	assert_string_equal(ossa_context_warning(context, 0)->code, "double-keys");
	assert_int_equal(ossa_context_warning(context, 0)->count, 2);
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* keys of several channels that are one moment but for the rounding of floats make one frame */
static void one_moment_is_one_frame(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 0.1F, 100.3F}, others[] = {0, 0.1, 100.3, 101};
	static const float values[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
	scene *s = make_part();
	scene_translate(s, 0, 0, 0, 0);
	scene_translate(s, 0, 0, 0, 0);
	const uint32_t clip = scene_add_clip(s, "a");
	scene_channel(s, clip, 0, 0, OSSAI_LINEAR, 3, times, values);
	scene_channel(s, clip, 0, 1, OSSAI_LINEAR, 4, others, values);
	ossa_frames *frames = read_frames(context, s, NULL);
	assert_int_equal(frames->frame_count, 4);
	ossa_frames_free(context, frames);
	free(s);
	test_context_end(context);
}

/* ---- which animation, which frames ---- */

static scene *make_two_clips(void)
{
	static const double times[] = {0, 1, 2, 3};
	static const float right[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0}, up[] = {0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0};
	scene *s = make_part();
	scene_translate(s, 0, 0, 0, 0);
	scene_channel(s, scene_add_clip(s, "right"), 0, 0, OSSAI_LINEAR, 4, times, right);
	scene_channel(s, scene_add_clip(s, "up"), 0, 0, OSSAI_LINEAR, 4, times, up);
	return s;
}

static void clips_are_chosen_by_name_or_number(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const char *const choices[] = {"", "right", "1", "up", "2"};
	for (size_t i = 0; i < 5; i++) {
		scene *s = make_two_clips();
		ossa_read_options options = ossa_read_default();
		strcpy(options.clip, choices[i]);
		ossa_frames *frames = read_frames(context, s, &options);
		assert_at(frames, 3, 1, i < 3 ? 3 : 0, i < 3 ? 0 : 3, 0);
		ossa_frames_free(context, frames);
		free(s);
	}
	static const char *const wrong[] = {"left", "0", "3", "-1", "1x", "99999999999999999999"};
	for (size_t i = 0; i < 6; i++) {
		scene *s = make_two_clips();
		ossa_read_options options = ossa_read_default();
		ossa_mesh *mesh;
		ossa_frames *frames;
		strcpy(options.clip, wrong[i]);
		assert_fails(
			context, scene_read_animation(context, s, &options, &mesh, &frames), OSSA_ERROR_ARGUMENT, "1 \"right\", 2 \"up\"");
		assert_null(mesh);
		free(s);
	}
	test_context_end(context);
}

/* frames are of one; a list of the same one is one */
static void frames_are_of_one_clip(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const char *const choices[] = {"up, 2", "up,up", " 2 ", "all", "1,up", "up,left"};
	for (size_t i = 0; i < 6; i++) {
		scene *s = make_two_clips();
		ossa_read_options options = ossa_read_default();
		ossa_mesh *mesh;
		ossa_frames *frames;
		strcpy(options.clip, choices[i]);
		const ossa_status status = scene_read_animation(context, s, &options, &mesh, &frames);
		if (i < 3) {
			assert_ok(context, status);
			assert_at(frames, 3, 1, 0, 3, 0);
			ossa_mesh_free(context, mesh);
			ossa_frames_free(context, frames);
		} else assert_fails(context, status, OSSA_ERROR_ARGUMENT, i < 5 ? "names 2" : "no animation \"left\"");
		free(s);
	}
	test_context_end(context);
}

static void frames_are_chosen(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = make_two_clips();
	ossa_read_options options = rate(2);
	options.frames = (ossa_range){2, 6, 2};
	ossa_frames *frames = read_frames(context, s, &options);
	assert_int_equal(frames->frame_count, 3);
	for (size_t f = 0; f < 3; f++) {
		assert_at(frames, f, 1, 0.5 + (double)f, 0, 0);
		assert_true(frames->times[f] == (double)f);
	}
	ossa_frames_free(context, frames);
	free(s);
	s = make_two_clips();
	ossa_mesh *mesh;
	options.frames = (ossa_range){5, 90, 0};
	assert_fails(
		context, scene_read_animation(context, s, &options, &mesh, &frames), OSSA_ERROR_ARGUMENT, "the frames are 1 to 7");
	free(s);
	s = make_part();
	assert_fails(context, scene_read_animation(context, s, &options, &mesh, &frames), OSSA_ERROR_ARGUMENT, "does not move");
	free(s);
	test_context_end(context);
}

/* a clip may play a part of its channels' time, which begins and ends between keys */
static void parts_of_the_time_play(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = make_two_clips();
	s->clips[0].begin = 0.5;
	s->clips[0].end = 2.25;
	ossa_frames *frames = read_frames(context, s, NULL);
	static const double wanted[] = {0.5, 1, 2, 2.25};
	assert_int_equal(frames->frame_count, 4);
	for (size_t f = 0; f < 4; f++) {
		assert_at(frames, f, 1, wanted[f], 0, 0);
		assert_near(frames->times[f], wanted[f] - 0.5, 1e-12);
	}
	ossa_frames_free(context, frames);
	size_t count;
	ossa_clip_facts *facts;
	assert_ok(context, scene_read_clips(context, s, &count, &facts));
	assert_int_equal(count, 2);
	assert_int_equal(facts[0].key_count, 4);
	assert_true(facts[0].seconds == 1.75 && facts[1].seconds == 3 && facts[0].moves_parts && !facts[0].moves_joints);
	ossa_free(context, facts);
	free(s);
	test_context_end(context);
}

static void endless_frames_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	/* too many, too many for so small a file, and no precision between times so far from 0 */
	static const double times[][2] = {{0, 1e9}, {0, 1e9}, {1e17, 1e17 + 64}};
	static const float values[6] = {0, 0, 0, 1, 0, 0};
	static const double rates[] = {24, 0.0099, 24};
	for (int i = 0; i < 3; i++) {
		scene *s = make_part();
		scene_translate(s, 0, 0, 0, 0);
		scene_channel(s, scene_add_clip(s, "a"), 0, 0, OSSAI_LINEAR, 2, times[i], values);
		const ossa_read_options options = rate(rates[i]);
		ossa_mesh *mesh;
		ossa_frames *frames;
		assert_fails(context, scene_read_animation(context, s, &options, &mesh, &frames), OSSA_ERROR_LIMIT, "`fps`");
		free(s);
	}
	test_context_end(context);
}

static void what_stands_still_has_no_frames(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const double times[] = {0, 1};
	static const float values[6] = {5, 0, 0, 5, 0, 0};
	scene *s = make_part();
	scene_translate(s, 0, 5, 0, 0);
	const uint32_t camera = scene_node(s, "camera", OSSA_NONE);
	scene_translate(s, camera, 0, 0, 0);
	const uint32_t clip = scene_add_clip(s, "a");
	scene_channel(s, clip, 0, 0, OSSAI_LINEAR, 2, times, values);
	scene_channel(s, clip, camera, 0, OSSAI_LINEAR, 2, times, (float[]){0, 0, 0, 9, 9, 9});
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, s, NULL, &mesh, &frames));
	assert_null(frames);
	assert_true(mesh->positions[3] == 5);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- axes and units ---- */

static void files_are_turned_and_scaled(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const struct {
		ossa_up up;
		double unit;
		int input_up;
		double input_unit;
		double x, y, z;
	} cases[] = {
		{OSSA_UP_FILE, 0, OSSA_UP_FILE, 0, 1, 2, 3},
		{OSSA_UP_Y, 1, OSSA_UP_FILE, 0, 1, 2, 3},
		{OSSA_UP_Z, 0.01, OSSA_UP_FILE, 0, 0.01, 0.03, -0.02},
		{OSSA_UP_Z, 0.01, OSSA_UP_Y, 2, 2, 4, 6},
		{OSSA_UP_FILE, 0, OSSA_UP_Z, 0.1, 0.1, 0.3, -0.2},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		scene *s = make_part();
		s->up = cases[i].up;
		s->unit = cases[i].unit;
		ossa_read_options options = ossa_read_default();
		options.input_up = cases[i].input_up;
		options.input_unit = cases[i].input_unit;
		ossa_mesh *mesh;
		assert_ok(context, scene_read_mesh(context, s, &options, &mesh));
		const ossai_vec3 wanted = ossai_v3(cases[i].x, cases[i].y, cases[i].z);
		assert_near_vec3(ossai_v3_of_float(mesh->positions), wanted, 1e-6);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_stay_and_lines_rise),
		cmocka_unit_test(single_keys_may_hold),
		cmocka_unit_test(splines_are_cubics),
		cmocka_unit_test(bezier_curves_are_met_at_their_times),
		cmocka_unit_test(wild_bezier_times_stay_in_their_span),
		cmocka_unit_test(rotations_turn_steadily),
		cmocka_unit_test(matrices_mix_by_their_parts),
		cmocka_unit_test(single_numbers_move),
		cmocka_unit_test(ops_apply_from_the_last_on),
		cmocka_unit_test(keys_are_sorted_and_of_two_the_last_stays),
		cmocka_unit_test(one_moment_is_one_frame),
		cmocka_unit_test(clips_are_chosen_by_name_or_number),
		cmocka_unit_test(frames_are_of_one_clip),
		cmocka_unit_test(frames_are_chosen),
		cmocka_unit_test(parts_of_the_time_play),
		cmocka_unit_test(endless_frames_are_refused),
		cmocka_unit_test(what_stands_still_has_no_frames),
		cmocka_unit_test(files_are_turned_and_scaled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
