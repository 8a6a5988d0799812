/* tests/import/asset/test_asset_truth.c: real characters (../shared/corpus/characters): our
   evaluation of their files against frames that another program baked. */
#include "math/vec.h"
#include "support/compare.h"
#include "support/support.h"

#include <jansson.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* positions are compared within this share of the diagonal */
static const double tolerance = 1e-5;

typedef struct character {
	const char *name;
	/* nodes at rest are as the mesh was bound, so that rest.obj is our mesh */
	bool is_bound_at_rest;
	bool has_joints;      /* the truth has their positions, except for rigidly moving parts */
	bool has_no_names;    /* of its joints */
	bool scales_joints;   /* the file's joints change their size, which bones of a rig cannot */
	size_t more_vertices; /* of ours */
} character;

static const char *path_of(const char *name, const char *file)
{
	static char paths[4][512];
	static int next;
	char inside[256];
	snprintf(inside, sizeof inside, "characters/%s/%s", name, file);
	const char *path = test_corpus(inside);
	if (!path) return NULL;
	char *kept = paths[next++ % 4];
	snprintf(kept, sizeof paths[0], "%s", path);
	return kept;
}

/* ---- the baked frames ---- */

typedef struct truth {
	size_t frame_count, vertex_count;
	double begin, step;
	char source[64], clip[64];
	ossa_mesh *rest;
	ossa_frames *frames;
	json_t *root;
} truth;

static truth read_truth(ossa_context *context, const char *name)
{
	truth t = {0};
	json_t *root = t.root = json_load_file(path_of(name, "truth.json"), 0, NULL);
	assert_non_null(root);
	const json_t *times = json_object_get(root, "times"), *clip = json_object_get(root, "animation");
	t.frame_count = json_array_size(times);
	t.begin = json_number_value(json_array_get(times, 0));
	t.step = (json_number_value(json_array_get(times, t.frame_count - 1)) - t.begin) / (double)(t.frame_count - 1);
	snprintf(t.source, sizeof t.source, "%s", json_string_value(json_object_get(root, "source")));
	/* an animation without a name is chosen by its index: the first */
	const char *clip_name = json_string_value(clip);
	if (clip_name && strcmp(clip_name, "0") != 0) snprintf(t.clip, sizeof t.clip, "%s", clip_name);
	assert_ok(context, ossa_read_mesh(context, path_of(name, "rest.obj"), NULL, &t.rest));
	t.vertex_count = t.rest->vertex_count;
	char pattern[512];
	snprintf(pattern, sizeof pattern, "%s", path_of(name, "frame_0000.obj"));
	strcpy(strrchr(pattern, '_') + 1, "#.obj");
	const char *paths[1] = {pattern};
	assert_ok(context, ossa_read_frames(context, t.rest, 1, paths, false, NULL, &t.frames));
	assert_int_equal(t.frames->frame_count, t.frame_count);
	return t;
}

/* ---- comparing ---- */

static double distance_of(const float *a, const float *b) { return ossai_distance(ossai_v3_of_float(a), ossai_v3_of_float(b)); }

/* largest distance between a vertex of the truth and one of ours over all frames */
static double path_error(const truth *t, size_t v, const ossa_frames *frames, size_t own)
{
	double most = 0;
	for (size_t f = 0; f < t->frame_count; f++) {
		const float *p = t->frames->positions + 3 * (f * t->vertex_count + v);
		most = fmax(most, distance_of(p, frames->positions + 3 * (f * frames->vertex_count + own)));
	}
	return most;
}

/* our vertex with the trajectory of one of the truth; its error */
static double nearest_path(const truth *t, size_t v, const ossa_frames *frames, size_t *nearest)
{
	double best = 1e300;
	for (size_t own = 0; own < frames->vertex_count; own++) {
		if (distance_of(t->frames->positions + 3 * v, frames->positions + 3 * own) >= best) continue;
		const double error = path_error(t, v, frames, own);
		if (error >= best) continue;
		best = error;
		*nearest = own;
	}
	return best;
}

static ossa_read_options options_of(const truth *t)
{
	ossa_read_options options = ossa_read_default();
	strcpy(options.clip, t->clip);
	options.frames_per_second = 1 / t->step;
	return options;
}

/* vertices in all frames, and the mesh at rest where nodes are at rest as the mesh was bound */
static void compare_frames(ossa_context *context, const truth *t, const character *c)
{
	const ossa_read_options options = options_of(t);
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, ossa_read_animation(context, path_of(c->name, t->source), &options, &mesh, &frames));
	assert_non_null(frames);
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, t->frame_count);
	assert_int_equal(mesh->vertex_count, t->vertex_count + c->more_vertices);
	const double near = tolerance * test_diagonal(t->rest);
	for (size_t v = 0; v < t->vertex_count; v++) {
		size_t own = 0;
		const double error = nearest_path(t, v, frames, &own);
		if (error > near) fail_msg("%s: vertex %zu is %g off in a frame", c->name, v, error);
		const double rest = distance_of(t->rest->positions + 3 * v, mesh->positions + 3 * own);
		if (c->is_bound_at_rest && rest > near) fail_msg("%s: vertex %zu is %g off at rest", c->name, v, rest);
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
}

static size_t bone_called(const ossa_rig *rig, const char *name)
{
	char safe[64];
	snprintf(safe, sizeof safe, "%s", name);
	for (char *at = safe; *at; at++) {
		const bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
		if (!letter && *at != '_' && *at != '-') *at = '_';
	}
	size_t b = 0;
	while (b < rig->skeleton.bone_count && strcmp(rig->skeleton.bones[b].name, safe) != 0) b++;
	return b;
}

/* joints of the rig in all frames */
static void compare_joints(const truth *t, const character *c, const ossa_rig *rig, double near)
{
	const json_t *joints = json_object_get(t->root, "joints"), *places = json_object_get(t->root, "joint_world_positions");
	double *worlds = calloc(rig->skeleton.bone_count, 12 * sizeof *worlds);
	assert_non_null(worlds);
	assert_true(json_array_size(joints) > 0 && json_array_size(places) == t->frame_count);
	size_t found = 0;
	for (size_t f = 0; f < t->frame_count; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, worlds);
		for (size_t j = 0; j < json_array_size(joints); j++) {
			const char *name = json_string_value(json_object_get(json_array_get(joints, j), "name"));
			const size_t b = bone_called(rig, name);
			/* the truth calls joints without a name by their node */
			if (b == rig->skeleton.bone_count && strncmp(name, "node", 4) == 0) continue;
			if (b == rig->skeleton.bone_count) fail_msg("%s: no bone is called %s", c->name, name);
			found++;
			const json_t *place = json_array_get(json_array_get(places, f), j);
			for (size_t k = 0; k < 3; k++) {
				const double off = worlds[12 * b + 4 * k + 3] - json_number_value(json_array_get(place, k));
				if (!(fabs(off) <= near)) fail_msg("%s: joint %s is %g off in frame %zu", c->name, name, off, f);
			}
		}
	}
	assert_true(c->has_no_names || found == t->frame_count * json_array_size(joints));
	free(worlds);
}

/* the rig's own vertices, blended by rigid bones, against the file's by full matrices */
static void compare_rig(ossa_context *context, const truth *t, const character *c)
{
	const ossa_read_options options = options_of(t);
	ossa_rig *rig;
	assert_ok(context, ossa_read_rig(context, path_of(c->name, t->source), &options, &rig));
	const double near = tolerance * test_diagonal(t->rest);
	if (c->has_joints) compare_joints(t, c, rig, near);
	ossa_frames *frames;
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	size_t off = 0;
	for (size_t v = 0; v < t->vertex_count && !c->scales_joints; v++) {
		size_t own;
		off += nearest_path(t, v, frames, &own) > near;
	}
	if (off > 0) fail_msg("%s: %zu vertices of the rig are off", c->name, off);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
}

static void characters_move_as_baked(void **state)
{
	(void)state;
	static const character characters[] = {
		{"cesium_man", true, true, true, false, 0},
		{"fox_khr", true, true, false, false, 0},
		{"godot_player", true, true, false, false, 0},
		/* the truth leaves the knight's weapons away */
		{"kaykit_knight", true, true, false, false, 1408},
		{"kenney_character", true, false, false, false, 0},
		{"q_horse", false, true, false, false, 0},
		{"q_knight", false, true, false, false, 0},
		{"q_manta_ray", false, true, false, false, 0},
		{"q_shark", false, true, false, false, 0},
		{"q_snake", false, true, false, false, 0},
		{"q_spider", false, true, false, true, 0},
		{"q_trex", false, true, false, false, 0},
		/* four vertices stay separate where faces have two coinciding corners */
		{"raylib_robot", true, true, false, false, 4},
		{"rigged_simple", true, true, true, false, 0},
	};
	if (!test_corpus("characters/cesium_man/truth.json")) return;
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++) {
		truth t = read_truth(context, characters[i].name);
		compare_frames(context, &t, &characters[i]);
		compare_rig(context, &t, &characters[i]);
		ossa_frames_free(context, t.frames);
		ossa_mesh_free(context, t.rest);
		json_decref(t.root);
		ossa_context_reset(context);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(characters_move_as_baked)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
