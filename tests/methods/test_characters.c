/* tests/methods/test_characters.c: animated files of other programs: ossa's rigs of game
   characters' GLB files against frames that an independent program baked from the same files.
   Skipped without the characters. */
#include "support/support.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* of the diagonal; the baked files hold six digits */
static const double tolerance = 1e-5;

typedef struct character {
	const char *folder, *file;
} character;

static const character characters[] = {{"cesium_man", "CesiumMan.glb"}, {"fox_khr", "Fox.glb"}, {"godot_player", "player.glb"},
	{"kaykit_knight", "Knight.glb"}, {"kenney_character", "character.glb"}, {"q_horse", "Horse.glb"},
	{"q_knight", "KnightCharacter.glb"}, {"q_manta_ray", "Manta_ray.glb"}, {"q_shark", "Shark.glb"}, {"q_snake", "Snake.glb"},
	{"q_spider", "Spider.glb"}, {"q_trex", "Trex.glb"}, {"raylib_robot", "robot.glb"}, {"rigged_simple", "RiggedSimple.glb"}};
enum { CHARACTERS = sizeof characters / sizeof characters[0] };

/* the path of a character's file, in one of two buffers in turn */
static const char *path_of(const char *corpus, const character *c, const char *file)
{
	static char paths[2][1024];
	static int turn;
	turn = !turn;
	snprintf(paths[turn], sizeof paths[turn], "%s/%s/%s", corpus, c->folder, file);
	return paths[turn];
}

/* the animation and the times that were baked */
static size_t read_times(const char *path, ossa_read_options *options)
{
	json_t *truth = json_load_file(path, 0, NULL);
	const json_t *times = json_object_get(truth, "times"), *name = json_object_get(truth, "animation");
	const size_t count = json_array_size(times);
	assert_true(count > 1);
	const double begin = json_number_value(json_array_get(times, 0)), end = json_number_value(json_array_get(times, count - 1));
	options->frames_per_second = (double)(count - 1) / (end - begin);
	/* a number stands for an animation without a name: the first */
	const bool named = json_is_string(name) && strcmp(json_string_value(name), "0") != 0;
	if (named) snprintf(options->clip, sizeof options->clip, "%s", json_string_value(name));
	json_decref(truth);
	return count;
}

static double worst_of_vertex(const ossa_frames *expected, size_t vertex, const ossa_frames *found, size_t other)
{
	double worst = 0;
	for (size_t f = 0; f < expected->frame_count; f++) {
		const float *a = expected->positions + 3 * (f * expected->vertex_count + vertex);
		const float *b = found->positions + 3 * (f * found->vertex_count + other);
		worst = fmax(worst, sqrt(pow((double)a[0] - b[0], 2) + pow((double)a[1] - b[1], 2) + pow((double)a[2] - b[2], 2)));
	}
	return worst;
}

static double diagonal_of(const ossa_frames *frames)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * frames->vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], frames->positions[i]);
		high[i % 3] = fmax(high[i % 3], frames->positions[i]);
	}
	return sqrt(pow(high[0] - low[0], 2) + pow(high[1] - low[1], 2) + pow(high[2] - low[2], 2));
}

/* every baked vertex has one in the file with the same trajectory; several may begin at the same
   position */
static double compare(const ossa_frames *expected, const ossa_frames *found)
{
	const double diagonal = diagonal_of(expected);
	double worst = 0;
	for (size_t v = 0; v < expected->vertex_count; v++) {
		double best = INFINITY;
		for (size_t i = 0; i < found->vertex_count; i++) {
			const float *a = expected->positions + 3 * v, *b = found->positions + 3 * i;
			const double away = fabs((double)a[0] - b[0]) + fabs((double)a[1] - b[1]) + fabs((double)a[2] - b[2]);
			if (away < 4 * tolerance * diagonal) best = fmin(best, worst_of_vertex(expected, v, found, i));
		}
		worst = fmax(worst, best);
	}
	return worst / diagonal;
}

static void check_character(ossa_context *context, const char *corpus, const character *c)
{
	ossa_read_options options = ossa_read_default();
	const size_t count = read_times(path_of(corpus, c, "truth.json"), &options);
	ossa_mesh *rest, *mesh;
	ossa_frames *expected, *found;
	assert_ok(context, ossa_read_mesh(context, path_of(corpus, c, "rest.obj"), NULL, &rest));
	const char *pattern = path_of(corpus, c, "frame_#.obj");
	assert_ok(context, ossa_read_frames(context, rest, 1, &pattern, false, NULL, &expected));
	assert_ok(context, ossa_read_animation(context, path_of(corpus, c, c->file), &options, &mesh, &found));
	assert_non_null(found);
	assert_int_equal(expected->frame_count, count);
	assert_int_equal(found->frame_count, count);
	const double worst = compare(expected, found);
	print_message("%s: %zu vertices in the file, %zu baked, worst %.1e of the diagonal\n", c->folder, found->vertex_count,
		expected->vertex_count, worst);
	assert_true(worst <= tolerance);
	ossa_frames_free(context, expected);
	ossa_frames_free(context, found);
	ossa_mesh_free(context, rest);
	ossa_mesh_free(context, mesh);
}

static void characters_move_as_they_were_baked(void **state)
{
	(void)state;
	const char *corpus = test_corpus("characters");
	if (!corpus) return;
	ossa_context *context = test_context(1);
	for (int i = 0; i < CHARACTERS; i++) check_character(context, corpus, &characters[i]);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(characters_move_as_they_were_baked)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
