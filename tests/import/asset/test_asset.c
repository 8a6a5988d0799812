/* tests/import/asset/test_asset.c: a skinned tube through the asset layer: mesh at rest, rig,
   frames, clips. */
#include "import/asset/asset_parts.h"
#include "math/affine.h"
#include "support/scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- a tube of two joints: rings of four vertices from y = 0 to 4, bent at y = 2 ---- */

enum { RINGS = 9, VERTICES = 4 * RINGS, TRIANGLES = 8 * (RINGS - 1) };

typedef struct tube {
	scene s;
	float positions[3 * VERTICES];
	uint32_t triangles[3 * TRIANGLES];
	uint32_t joints[2 * VERTICES];
	float weights[2 * VERTICES];
	uint32_t armature, lower, upper;
} tube;

static const double key_times[] = {0, 0.5, 2};
static const double key_degrees[] = {0, 60, -30};

static void make_surface(tube *t)
{
	size_t corner = 0;
	for (size_t v = 0; v < VERTICES; v++) {
		static const float around[4][2] = {{0.5F, 0}, {0, 0.5F}, {-0.5F, 0}, {0, -0.5F}};
		const float y = 0.5F * (float)(v / 4), upper = fminf(fmaxf(y - 1.5F, 0), 1);
		t->positions[3 * v] = around[v % 4][0];
		t->positions[3 * v + 1] = y;
		t->positions[3 * v + 2] = around[v % 4][1];
		t->joints[2 * v] = 0;
		t->joints[2 * v + 1] = 1;
		t->weights[2 * v] = 1 - upper;
		t->weights[2 * v + 1] = upper;
	}
	for (uint32_t f = 0; f < 4 * (RINGS - 1); f++) {
		const uint32_t ring = f / 4 * 4, a = ring + f % 4, b = ring + (f + 1) % 4;
		const uint32_t both[6] = {a, a + 4, b, b, a + 4, b + 4};
		for (int k = 0; k < 6; k++) t->triangles[corner++] = both[k];
	}
}

/* the armature is turned and the joints have turned rest frames */
static tube *make_tube(void)
{
	tube *t = calloc(1, sizeof *t);
	assert_non_null(t);
	make_surface(t);
	t->armature = scene_node(&t->s, "armature", OSSA_NONE);
	t->lower = scene_node(&t->s, "lower arm", t->armature);
	t->upper = scene_node(&t->s, "upper.arm", t->lower);
	scene_translate(&t->s, t->lower, 0, 0, 0);
	scene_rotate(&t->s, t->lower, 1, 2, 3, 40);
	scene_rotate(&t->s, t->lower, 1, 2, 3, -40);
	scene_translate(&t->s, t->upper, 0, 2, 0);
	scene_rotate(&t->s, t->upper, 0, 0, 1, 0);
	const uint32_t joints[2] = {t->lower, t->upper};
	const uint32_t skin = scene_add_skin(&t->s, 2, joints);
	const uint32_t mesh = scene_add_mesh(&t->s, "tube", OSSA_NONE, VERTICES, t->positions, TRIANGLES, t->triangles);
	scene_bind(&t->s, mesh, skin, 2, t->joints, t->weights);
	/* the armature's turn came after the binding, as it does in most files */
	scene_translate(&t->s, t->armature, 3, 0, 1);
	scene_rotate(&t->s, t->armature, 1, 0, 0, -90);
	scene_op(&t->s, t->armature, OSSAI_OP_SCALE, 3, (double[]){2, 2, 2});
	float values[12];
	for (size_t k = 0; k < 3; k++) {
		const double half = key_degrees[k] * OSSAI_PI / 360;
		const float quaternion[4] = {0, 0, (float)sin(half), (float)cos(half)};
		memcpy(values + 4 * k, quaternion, sizeof quaternion);
	}
	const uint32_t clip = scene_add_clip(&t->s, "bend");
	scene_channel(&t->s, clip, t->upper, 1, OSSAI_LINEAR, 3, key_times, values);
	return t;
}

/* where skinning brings a vertex with the upper joint bent: the sum of matrix products, written
   out */
static ossai_vec3 oracle(const tube *t, size_t v, double degrees)
{
	const double c = cos(degrees * OSSAI_PI / 180), s = sin(degrees * OSSAI_PI / 180);
	const double x = (double)t->positions[3 * v], y = (double)t->positions[3 * v + 1], z = (double)t->positions[3 * v + 2];
	const double w = (double)t->weights[2 * v + 1];
	const double bent[3] = {c * x - s * (y - 2), 2 + s * x + c * (y - 2), z};
	const double at[3] = {(1 - w) * x + w * bent[0], (1 - w) * y + w * bent[1], (1 - w) * z + w * bent[2]};
	/* the armature: twice as large, a quarter turn about x, moved */
	return ossai_v3(2 * at[0] + 3, 2 * at[2], -2 * at[1] + 1);
}

static void mesh_is_placed_where_the_skin_has_it(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	tube *t = make_tube();
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, &t->s, NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->vertex_count, VERTICES);
	assert_string_equal(mesh->name, "tube");
	for (size_t v = 0; v < VERTICES; v++) assert_near_vec3(ossai_v3_of_float(mesh->positions + 3 * v), oracle(t, v, 0), 1e-5);
	ossa_mesh_free(context, mesh);
	free(t);
	test_context_end(context);
}

static void rig_moves_as_the_file_says(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	tube *t = make_tube();
	ossa_rig *rig;
	assert_ok(context, scene_read_rig(context, &t->s, NULL, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_int_equal(rig->skeleton.bone_count, 2);
	assert_string_equal(rig->skeleton.bones[0].name, "lower_arm");
	assert_string_equal(rig->skeleton.bones[1].name, "upper_arm");
	assert_string_equal(rig->clip->name, "bend");
	assert_int_equal(rig->clip->frame_count, 3);
	assert_null(rig->clip->translations);
	ossa_frames *frames;
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &frames));
	for (size_t f = 0; f < 3; f++) {
		assert_near(rig->clip->times[f], key_times[f], 1e-12);
		for (size_t v = 0; v < VERTICES; v++) {
			assert_near_vec3(ossai_v3_of_float(frames->positions + 3 * (f * VERTICES + v)), oracle(t, v, key_degrees[f]), 1e-5);
		}
	}
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	free(t);
	test_context_end(context);
}

static void frames_are_where_matrices_bring_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	tube *t = make_tube();
	ossa_read_options options = ossa_read_default();
	options.frames_per_second = 8;
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, &t->s, &options, &mesh, &frames));
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, 17);
	assert_int_equal(frames->vertex_count, VERTICES);
	for (size_t f = 0; f < frames->frame_count; f++) {
		const double time = (double)f / 8;
		const double degrees = time <= 0.5 ? 120 * time : 60 - 60 * (time - 0.5);
		assert_near(frames->times[f], time, 1e-12);
		for (size_t v = 0; v < VERTICES; v++) {
			assert_near_vec3(ossai_v3_of_float(frames->positions + 3 * (f * VERTICES + v)), oracle(t, v, degrees), 1e-5);
		}
	}
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	free(t);
	test_context_end(context);
}

static void clips_are_listed(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	tube *t = make_tube();
	size_t count;
	ossa_clip_facts *clips;
	assert_ok(context, scene_read_clips(context, &t->s, &count, &clips));
	assert_int_equal(count, 1);
	assert_string_equal(clips[0].name, "bend");
	assert_int_equal(clips[0].key_count, 3);
	assert_true(clips[0].seconds == 2 && clips[0].moves_joints && !clips[0].moves_shapes && !clips[0].moves_parts);
	ossa_free(context, clips);
	free(t);
	test_context_end(context);
}

/* ---- random scenes against products of matrices ---- */

enum { NODES = 14, BODY = 30, KEYS = 4 };

static double uniform(uint32_t *state) { return (double)test_random_bits(state) / 8388608.0 - 1; }

/* values for one op: rigid ones for rigid scenes */
static void random_values(uint32_t *state, ossai_op_kind kind, bool rigid, float *values)
{
	double v[16] = {0};
	for (int k = 0; k < 4; k++) v[k] = uniform(state);
	if (kind == OSSAI_OP_ROTATE) v[3] += 2;
	if (kind == OSSAI_OP_TURN) v[3] *= 180;
	if (kind == OSSAI_OP_SCALE) {
		for (int k = 0; k < 3; k++) v[k] = rigid ? 1 : 1 + 0.5 * v[k];
	}
	if (kind == OSSAI_OP_MATRIX) {
		for (int k = 0; k < 12; k++) v[k] = 0.4 * uniform(state) + (k % 5 == 0);
		v[12] = v[13] = v[14] = 0;
		v[15] = 1;
	}
	for (int k = 0; k < 16; k++) values[k] = (float)v[k];
}

typedef struct random_scene {
	scene s;
	float positions[2][3 * BODY];
	uint32_t triangles[BODY];
	uint32_t joints[2][3 * BODY];
	float weights[2][3 * BODY];
	uint32_t node_of_part;
} random_scene;

static void add_body(random_scene *r, uint32_t *state, size_t which, uint32_t skin)
{
	for (size_t i = 0; i < 3 * BODY; i++) r->positions[which][i] = (float)(3 * uniform(state));
	for (size_t v = 0; v < BODY; v++) {
		float *w = r->weights[which] + 3 * v;
		w[0] = 0.5F + 0.4F * (float)uniform(state);
		w[1] = (1 - w[0]) * 0.5F;
		w[2] = 1 - w[0] - w[1];
		/* different joints, so that no repair is needed */
		const uint32_t count = (uint32_t)r->s.skins[skin].joint_count, first = (uint32_t)(fabs(uniform(state)) * count);
		for (uint32_t k = 0; k < 3; k++) r->joints[which][3 * v + k] = (first + k) % count;
	}
	const uint32_t mesh = scene_add_mesh(
		&r->s, which ? "coat" : "body", OSSA_NONE, BODY, r->positions[which], BODY / 3, r->triangles);
	scene_bind(&r->s, mesh, skin, 3, r->joints[which], r->weights[which]);
}

/* a tree whose parents may come later in the list, with any ops; two skins that share joints; a
   part on a node */
static random_scene *make_random(uint32_t seed, bool rigid)
{
	static const ossai_op_kind kinds[] = {OSSAI_OP_TRANSLATE, OSSAI_OP_ROTATE, OSSAI_OP_TURN, OSSAI_OP_SCALE, OSSAI_OP_MATRIX};
	static const double times[KEYS] = {-1, 0, 0.25, 3};
	random_scene *r = calloc(1, sizeof *r);
	uint32_t state = seed, shuffled[NODES];
	assert_non_null(r);
	for (uint32_t i = 0; i < BODY; i++) r->triangles[i] = i;
	for (uint32_t n = 0; n < NODES; n++) shuffled[n] = (n * 5 + seed) % NODES;
	for (uint32_t n = 0; n < NODES; n++) scene_node(&r->s, "node", OSSA_NONE);
	for (uint32_t n = 1; n < NODES; n++) r->s.nodes[shuffled[n]].parent = shuffled[(uint32_t)(fabs(uniform(&state)) * n)];
	const uint32_t clip = scene_add_clip(&r->s, "clip");
	for (uint32_t n = 0; n < NODES; n++) {
		const size_t count = 1 + (size_t)(fabs(uniform(&state)) * 2.9);
		for (uint32_t i = 0; i < count; i++) {
			const ossai_op_kind kind = kinds[(int)(fabs(uniform(&state)) * (rigid ? 2.9 : 4.9))];
			float values[16 * KEYS];
			double rest[16];
			random_values(&state, kind, rigid, values);
			for (int k = 0; k < 16; k++) rest[k] = (double)values[k];
			scene_op(&r->s, n, kind, 16, rest);
			const size_t width = ossai_op_width(kind);
			for (size_t k = 0; k < KEYS; k++) random_values(&state, kind, rigid, values + k * width);
			if (r->s.clips[0].channel_count < SCENE_CHANNELS && uniform(&state) > 0)
				scene_channel(&r->s, clip, n, i, OSSAI_LINEAR, KEYS, times, values);
		}
	}
	const uint32_t some[5] = {shuffled[1], shuffled[4], shuffled[6], shuffled[7], shuffled[9]};
	const uint32_t others[4] = {shuffled[9], shuffled[2], shuffled[4], shuffled[13]};
	add_body(r, &state, 0, scene_add_skin(&r->s, 5, some));
	add_body(r, &state, 1, scene_add_skin(&r->s, 4, others));
	r->node_of_part = shuffled[11];
	scene_add_mesh(&r->s, "part", r->node_of_part, BODY, r->positions[0], BODY / 3, r->triangles);
	return r;
}

/* a vertex with the channels' values of a key put into the ops */
static ossai_vec3 random_oracle(const random_scene *r, const scene *moved, size_t mesh, size_t v)
{
	ossai_vec3 sum = {0, 0, 0};
	if (mesh == 2) {
		const ossai_rigid world = scene_world(moved, r->node_of_part);
		return ossai_rigid_point(&world, ossai_v3_of_float(r->positions[0] + 3 * v));
	}
	const ossai_asset_skin *skin = &r->s.skins[mesh];
	for (size_t k = 3 * v; k < 3 * v + 3; k++) {
		const uint32_t joint = r->joints[mesh][k];
		const ossai_rigid world = scene_world(moved, skin->joints[joint]);
		const ossai_vec3 bound = ossai_rigid_point(&skin->inverse_bind[joint], ossai_v3_of_float(r->positions[mesh] + 3 * v));
		sum = ossai_madd(sum, (double)r->weights[mesh][k], ossai_rigid_point(&world, bound));
	}
	return sum;
}

static void put_key(const random_scene *r, size_t key, scene *moved)
{
	*moved = r->s;
	for (size_t c = 0; c < r->s.clips[0].channel_count; c++) {
		const ossai_asset_channel *channel = &r->s.channels[0][c];
		for (size_t k = 0; k < channel->width; k++) {
			moved->ops[channel->node][channel->op].values[k] = (double)channel->values[key * channel->width + k];
		}
	}
}

static void random_scenes_are_products_of_matrices(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *moved = calloc(1, sizeof *moved);
	assert_non_null(moved);
	for (uint32_t seed = 1; seed <= 60; seed++) {
		const bool rigid = seed % 2;
		random_scene *r = make_random(seed, rigid);
		ossai_asset asset;
		ossa_mesh *mesh;
		ossa_frames *frames, *own = NULL;
		assert_ok(context, scene_open(context, &r->s, NULL, &asset));
		assert_ok(context, ossai_asset_frames(&asset, NULL, &mesh, &frames));
		ossai_asset_close(&asset);
		assert_non_null(frames);
		assert_int_equal(frames->frame_count, KEYS);
		ossa_rig *rig;
		assert_ok(context, scene_read_rig(context, &r->s, NULL, &rig));
		/* bones of a rig are rigid: where the scene is, they repeat it */
		if (rigid) assert_ok(context, ossa_rig_frames(context, rig, NULL, &own));
		for (size_t f = 0; f < KEYS; f++) {
			put_key(r, f, moved);
			for (size_t i = 0; i < 3 * BODY; i++) {
				const ossai_vec3 wanted = random_oracle(r, moved, i / BODY, i % BODY);
				const double near = 1e-5 * (1 + ossai_length(wanted));
				assert_near_vec3(ossai_v3_of_float(frames->positions + 3 * (3 * BODY * f + i)), wanted, near);
				/* a part beside the joints only follows the root */
				if (own && i < 2 * BODY)
					assert_near_vec3(ossai_v3_of_float(own->positions + 3 * (3 * BODY * f + i)), wanted, 10 * near);
			}
		}
		ossa_frames_free(context, own);
		ossa_rig_free(context, rig);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
		free(r);
	}
	free(moved);
	test_context_end(context);
}

/* ---- faults ---- */

static ossa_status read_everything(ossa_context *context, void *arg)
{
	(void)arg;
	tube *t = make_tube();
	ossa_mesh *mesh = NULL;
	ossa_rig *rig = NULL;
	ossa_frames *frames = NULL;
	ossa_clip_facts *clips = NULL;
	size_t count;
	ossa_status status = scene_read_mesh(context, &t->s, NULL, &mesh);
	ossa_mesh_free(context, mesh);
	if (status == OSSA_OK) status = scene_read_rig(context, &t->s, NULL, &rig);
	ossa_rig_free(context, rig);
	mesh = NULL;
	if (status == OSSA_OK) status = scene_read_animation(context, &t->s, NULL, &mesh, &frames);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	if (status == OSSA_OK) status = scene_read_clips(context, &t->s, &count, &clips);
	ossa_free(context, clips);
	free(t);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(read_everything, NULL, 1000, 1) > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mesh_is_placed_where_the_skin_has_it),
		cmocka_unit_test(rig_moves_as_the_file_says),
		cmocka_unit_test(frames_are_where_matrices_bring_them),
		cmocka_unit_test(clips_are_listed),
		cmocka_unit_test(random_scenes_are_products_of_matrices),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
