/* tests/import/asset/test_asset_shape.c: morph targets and stored samples become frames. */
#include "import/asset/asset_parts.h"
#include "math/affine.h"
#include "support/scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- a cube whose faces have vertices of their own, as files with flat normals have ---- */

typedef struct cube {
	float positions[72], wide[72], tall[72];
	uint32_t triangles[36];
} cube;

static cube make_cube(void)
{
	cube c = {0};
	size_t vertex = 0, corner = 0;
	for (int axis = 0; axis < 3; axis++) {
		for (int side = 0; side < 2; side++) {
			static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
			for (int k = 0; k < 4; k++) {
				float *p = c.positions + 3 * (vertex + (size_t)k);
				p[axis] = (float)side;
				p[(axis + 1) % 3] = (float)around[side ? k : 3 - k][0];
				p[(axis + 2) % 3] = (float)around[side ? k : 3 - k][1];
				/* one target moves the far side along x, the other the upper one along y */
				c.wide[3 * (vertex + (size_t)k)] = 2 * p[0];
				c.tall[3 * (vertex + (size_t)k) + 1] = 3 * p[1];
			}
			static const uint32_t quad[6] = {0, 1, 2, 0, 2, 3};
			for (int k = 0; k < 6; k++) c.triangles[corner++] = (uint32_t)vertex + quad[k];
			vertex += 4;
		}
	}
	return c;
}

static uint32_t add_cube(scene *s, cube *c, uint32_t node, ossai_asset_target *targets)
{
	const uint32_t mesh = scene_add_mesh(s, "cube", node, 24, c->positions, 12, c->triangles);
	targets[0] = (ossai_asset_target){.name = "wide", .deltas = c->wide};
	targets[1] = (ossai_asset_target){.name = "tall", .deltas = c->tall};
	s->meshes[mesh].target_count = 2;
	s->meshes[mesh].targets = targets;
	return mesh;
}

static void add_weights_channel(scene *s, uint32_t mesh, size_t key_count, const double *times, const float *values)
{
	const uint32_t clip = scene_add_clip(s, "morph");
	ossai_asset_channel *channel = &s->channels[clip][s->clips[clip].channel_count++];
	*channel = (ossai_asset_channel){
		.node = OSSA_NONE, .mesh = mesh, .width = 2, .interpolation = OSSAI_LINEAR, .key_count = key_count};
	channel->times = scene_doubles(s, key_count, times);
	channel->values = scene_floats(s, 2 * key_count, values);
}

static void morph_targets_become_frames_of_one_cube(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	cube c = make_cube();
	ossai_asset_target targets[2];
	scene *s = scene_new();
	const uint32_t node = scene_node(s, "cube", OSSA_NONE);
	scene_translate(s, node, 0, 0, 10);
	const uint32_t mesh = add_cube(s, &c, node, targets);
	add_weights_channel(s, mesh, 3, (double[]){1, 2, 3}, (float[]){0, 0, 1, 0, 0.5F, -1});
	ossa_mesh *rest;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, s, NULL, &rest, &frames));
	/* 24 corners are 8 vertices */
	assert_int_equal(rest->vertex_count, 8);
	assert_int_equal(frames->vertex_count, 8);
	assert_int_equal(frames->frame_count, 3);
	assert_int_equal(rest->polygon_count, 12);
	assert_ok(context, ossa_mesh_validate(context, rest));
	static const double wide[3] = {0, 1, 0.5}, tall[3] = {0, 0, -1};
	for (size_t f = 0; f < 3; f++) {
		assert_true(frames->times[f] == (double)f);
		for (size_t v = 0; v < 8; v++) {
			const float *p = rest->positions + 3 * v;
			const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
			assert_point(frames->positions + 3 * (8 * f + v), x + wide[f] * 2 * x, y + tall[f] * 3 * y, z, 1e-5);
		}
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	free(s);
	test_context_end(context);
}

static void morph_targets_count_at_rest(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	cube c = make_cube();
	ossai_asset_target targets[2];
	scene *s = scene_new();
	const uint32_t joint = scene_node(s, "joint", OSSA_NONE);
	const uint32_t mesh = add_cube(s, &c, OSSA_NONE, targets);
	targets[0].weight = 0.5;
	ossa_mesh *rest;
	assert_ok(context, scene_read_mesh(context, s, NULL, &rest));
	assert_int_equal(rest->vertex_count, 24);
	for (size_t v = 0; v < 24; v++) {
		const float *p = c.positions + 3 * v;
		assert_point(rest->positions + 3 * v, 2 * (double)p[0], (double)p[1], (double)p[2], 1e-5);
	}
	ossa_mesh_free(context, rest);
	/* as long as nothing is bound to the joint it holds nothing */
	assert_int_equal(test_warned(context, "scene-not-read"), 1);
	ossa_context_reset(context);
	/* with a skin they are applied before it; a rig has their motion */
	uint32_t joints[24] = {0};
	float ones[24];
	for (int i = 0; i < 24; i++) ones[i] = 1;
	scene_translate(s, joint, 0, 7, 0);
	scene_bind(s, mesh, scene_add_skin(s, 1, &joint), 1, joints, ones);
	s->skins[0].inverse_bind[0].t.y = 0;
	add_weights_channel(s, mesh, 2, (double[]){0, 1}, (float[]){0, 0, 0, 1});
	ossa_rig *rig;
	ossa_frames *frames;
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_no_warnings(context);
	assert_int_equal(rig->clip->frame_count, 2);
	assert_int_equal(rig->clip->morph_count, 2);
	assert_memory_equal(rig->clip->morph_weights, ((double[]){0, 0, 0, 1}), 4 * sizeof(double));
	float top = 0, right = 0;
	for (size_t v = 0; v < 24; v++) {
		top = fmaxf(top, rig->mesh->positions[3 * v + 1]);
		right = fmaxf(right, rig->mesh->positions[3 * v]);
	}
	assert_true(top == 8 && right == 2);
	ossa_rig_free(context, rig);
	assert_ok(context, scene_read_animation(context, s, NULL, &rest, &frames));
	top = 0;
	for (size_t i = 0; i < 3 * frames->vertex_count; i++) {
		if (i % 3 == 1) top = fmaxf(top, frames->positions[3 * frames->vertex_count + i]);
	}
	assert_true(top == 11);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	free(s);
	test_context_end(context);
}

/* two meshes have one target of a name in common, by the whole name, of which a mesh has the first
   bytes */
static void targets_of_long_names_stay_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	cube c = make_cube();
	ossai_asset_target targets[2][2];
	char names[3][80];
	scene *s = scene_new();
	for (size_t i = 0; i < 3; i++) snprintf(names[i], sizeof names[i], "%0*zu", 70, i);
	for (size_t i = 0; i < 2; i++) {
		add_cube(s, &c, scene_node(s, "cube", OSSA_NONE), targets[i]);
		targets[i][0].name = names[0];
		targets[i][1].name = names[1 + i];
	}
	ossa_mesh *rest;
	assert_ok(context, scene_read_mesh(context, s, NULL, &rest));
	assert_int_equal(rest->morph_count, 3);
	assert_int_equal(rest->morphs[0].count, 24);
	assert_int_equal(rest->morphs[1].count, 12);
	ossa_mesh_free(context, rest);
	free(s);
	test_context_end(context);
}

/* the highest vertex in all frames, and how many channels of targets they leave out */
static float highest(ossa_context *context, scene *s, ossa_morphs morphs, int64_t *dropped)
{
	ossa_read_options options = ossa_read_default();
	options.morphs = morphs;
	ossa_mesh *rest;
	ossa_frames *frames;
	const int64_t before = test_warned(context, "shapes-dropped");
	assert_ok(context, scene_read_animation(context, s, &options, &rest, &frames));
	*dropped = test_warned(context, "shapes-dropped") - before;
	float top = 0;
	for (size_t i = 1; i < 3 * frames->frame_count * frames->vertex_count; i += 3) top = fmaxf(top, frames->positions[i]);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, rest);
	return top;
}

/* in files that are not kept, too: a face that moves beside a skeleton is no matter of bones */
static void frames_leave_shapes_out_where_that_is_asked_for(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	cube c = make_cube();
	ossai_asset_target targets[2];
	scene *s = scene_new();
	uint32_t joints[24] = {0};
	float ones[24];
	int64_t dropped;
	for (int i = 0; i < 24; i++) ones[i] = 1;
	const uint32_t joint = scene_node(s, "joint", OSSA_NONE);
	scene_translate(s, joint, 0, 0, 0);
	const uint32_t mesh = add_cube(s, &c, OSSA_NONE, targets);
	scene_bind(s, mesh, scene_add_skin(s, 1, &joint), 1, joints, ones);
	add_weights_channel(s, mesh, 2, (double[]){0, 1}, (float[]){0, 0, 0, 1});
	/* nothing but shapes moves: frames hold them */
	assert_true(highest(context, s, OSSA_MORPHS_KEEP, &dropped) == 4 && dropped == 0);
	scene_channel(s, 0, joint, 0, OSSAI_LINEAR, 2, (double[]){0, 1}, (float[]){0, 0, 0, 0, 5, 0});
	assert_true(highest(context, s, OSSA_MORPHS_KEEP, &dropped) == 6 && dropped == 1);
	assert_true(highest(context, s, OSSA_MORPHS_FRAMES, &dropped) == 9 && dropped == 0);
	assert_true(highest(context, s, OSSA_MORPHS_AUTO, &dropped) == 9 && dropped == 0);
	/* targets that stay at rest, as Blender writes them, lose nothing */
	targets[1].weight = 0.5;
	for (size_t k = 0; k < 2; k++) s->channels[0][0].values[2 * k + 1] = 0.5F;
	assert_true(highest(context, s, OSSA_MORPHS_KEEP, &dropped) == 7.5F && dropped == 0);
	free(s);
	test_context_end(context);
}

/* ---- stored samples ---- */

/* the flag, its second vertex at x = 1, 2, 4, 8 ... */
static ossa_status read_sample(void *reader, const ossai_asset_mesh *mesh, size_t sample, float *positions)
{
	assert_true(reader == mesh->sample_data);
	assert_true(sample < mesh->sample_count);
	memcpy(positions, scene_flag, sizeof scene_flag);
	positions[3] = (float)(1 << sample);
	if (sample == 5) positions[0] = NAN;
	return OSSA_OK;
}

static int closed;
static void close_reader(ossai_asset *asset)
{
	assert_non_null(asset->reader);
	closed++;
}

static int reader_state;
static void set_reader(ossai_asset *asset)
{
	asset->reader = &reader_state;
	asset->close = close_reader;
}

static scene *make_sampled(size_t count, double *times)
{
	scene *s = scene_new();
	const uint32_t node = scene_node(s, "flag", OSSA_NONE);
	scene_translate(s, node, 0, 5, 0);
	const uint32_t mesh = scene_add_mesh(s, "flag", node, 3, scene_flag, 1, scene_face);
	for (size_t i = 0; i < count; i++) times[i] = 2 + 0.5 * (double)i;
	s->meshes[mesh].sample_count = count;
	s->meshes[mesh].sample_times = times;
	s->meshes[mesh].read_sample = read_sample;
	s->meshes[mesh].sample_data = &reader_state;
	s->change = set_reader;
	return s;
}

static void stored_samples_are_frames(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	double times[8];
	scene *s = make_sampled(4, times);
	ossa_mesh *mesh;
	ossa_frames *frames;
	closed = 0;
	assert_ok(context, scene_read_animation(context, s, NULL, &mesh, &frames));
	assert_int_equal(closed, 1);
	assert_int_equal(frames->frame_count, 4);
	for (size_t f = 0; f < 4; f++) {
		assert_point(frames->positions + 9 * f + 3, 1 << f, 5, 0, 1e-5);
		assert_true(frames->times[f] == 0.5 * (double)f);
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	/* between samples in straight lines; the node may move too */
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = 8;
	scene_channel(s, scene_add_clip(s, "lift"), 0, 0, OSSAI_LINEAR, 2, (double[]){2, 4}, (float[]){0, 5, 0, 0, 9, 0});
	assert_ok(context, scene_read_animation(context, s, &options, &mesh, &frames));
	assert_int_equal(frames->frame_count, 17);
	assert_point(frames->positions + 9 * 2 + 3, 1.5, 5.5, 0, 1e-5);
	assert_point(frames->positions + 9 * 9 + 3, 5, 7.25, 0, 1e-5);
	assert_point(frames->positions + 9 * 16 + 3, 8, 9, 0, 1e-5);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	size_t count;
	ossa_clip_facts *facts;
	s->clip_count = 0;
	assert_ok(context, scene_read_clips(context, s, &count, &facts));
	assert_int_equal(count, 1);
	assert_true(facts[0].moves_shapes && facts[0].key_count == 4 && facts[0].seconds == 1.5);
	ossa_free(context, facts);
	free(s);
	test_context_end(context);
}

static void bad_samples_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	double times[8];
	scene *s = make_sampled(7, times);
	ossa_mesh *mesh;
	ossa_frames *frames;
	closed = 0;
	assert_fails(
		context, scene_read_animation(context, s, NULL, &mesh, &frames), OSSA_ERROR_INPUT, "sample 6 of mesh \"flag\"");
	assert_int_equal(closed, 1);
	times[3] = times[2];
	assert_fails(context, scene_read_mesh(context, s, NULL, &mesh), OSSA_ERROR_INPUT, "sample 4 of mesh \"flag\"");
	assert_int_equal(closed, 2);
	s->meshes[0].read_sample = NULL;
	assert_fails(context, scene_read_mesh(context, s, NULL, &mesh), OSSA_ERROR_INPUT, "cannot be read");
	free(s);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(morph_targets_become_frames_of_one_cube),
		cmocka_unit_test(morph_targets_count_at_rest),
		cmocka_unit_test(targets_of_long_names_stay_apart),
		cmocka_unit_test(frames_leave_shapes_out_where_that_is_asked_for),
		cmocka_unit_test(stored_samples_are_frames),
		cmocka_unit_test(bad_samples_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
