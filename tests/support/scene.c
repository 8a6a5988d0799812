/* tests/support/scene.c: assets built by hand. See scene.h. */
#include "support/scene.h"

#include "math/affine.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

const uint32_t scene_face[3] = {0, 1, 2};
const float scene_flag[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

scene *scene_new(void)
{
	scene *s = calloc(1, sizeof *s);
	assert_non_null(s);
	return s;
}

double *scene_doubles(scene *s, size_t count, const double *values)
{
	assert_true(s->double_count + count <= SCENE_NUMBERS);
	double *copy = s->doubles + s->double_count;
	memcpy(copy, values, count * sizeof *copy);
	s->double_count += count;
	return copy;
}

float *scene_floats(scene *s, size_t count, const float *values)
{
	assert_true(s->float_count + count <= SCENE_NUMBERS);
	float *copy = s->floats + s->float_count;
	memcpy(copy, values, count * sizeof *copy);
	s->float_count += count;
	return copy;
}

uint32_t *scene_wholes(scene *s, size_t count, const uint32_t *values)
{
	assert_true(s->whole_count + count <= SCENE_NUMBERS);
	uint32_t *copy = s->wholes + s->whole_count;
	memcpy(copy, values, count * sizeof *copy);
	s->whole_count += count;
	return copy;
}

uint32_t scene_node(scene *s, const char *name, uint32_t parent)
{
	assert_true(s->node_count < SCENE_NODES);
	ossai_asset_node *node = &s->nodes[s->node_count];
	*node = (ossai_asset_node){.name = name, .parent = parent, .ops = s->ops[s->node_count]};
	return (uint32_t)s->node_count++;
}

void scene_op(scene *s, uint32_t node, ossai_op_kind kind, size_t count, const double *values)
{
	assert_true(s->nodes[node].op_count < SCENE_OPS);
	ossai_op *op = &s->ops[node][s->nodes[node].op_count++];
	*op = (ossai_op){.kind = kind};
	memcpy(op->values, values, count * sizeof *values);
}

void scene_translate(scene *s, uint32_t node, double x, double y, double z)
{
	scene_op(s, node, OSSAI_OP_TRANSLATE, 3, (double[]){x, y, z});
}

void scene_turn(scene *s, uint32_t node, double x, double y, double z, double degrees)
{
	scene_op(s, node, OSSAI_OP_TURN, 4, (double[]){x, y, z, degrees});
}

void scene_rotate(scene *s, uint32_t node, double x, double y, double z, double degrees)
{
	const double half = degrees * OSSAI_PI / 360, sine = sin(half) / sqrt(x * x + y * y + z * z);
	scene_op(s, node, OSSAI_OP_ROTATE, 4, (double[]){x * sine, y * sine, z * sine, cos(half)});
}

uint32_t scene_add_mesh(scene *s, const char *name, uint32_t node, size_t vertex_count, const float *positions,
	size_t triangle_count, const uint32_t *triangles)
{
	assert_true(s->mesh_count < SCENE_MESHES);
	s->shapes[s->mesh_count] = (scene_mesh){name, vertex_count, triangle_count, positions, triangles};
	s->meshes[s->mesh_count] = (ossai_asset_mesh){.node = node, .skin = OSSA_NONE, .own_count = vertex_count};
	return (uint32_t)s->mesh_count++;
}

/* independent of the code under test */
static ossai_rigid local_of(const ossai_op *op)
{
	const double *v = op->values;
	ossai_rigid map = ossai_affine_identity();
	double c = 1, sine = 0, x = 0, y = 0, z = 1;
	switch (op->kind) {
	case OSSAI_OP_TRANSLATE: map.t = ossai_v3(v[0], v[1], v[2]); return map;
	case OSSAI_OP_SCALE:
		for (int k = 0; k < 3; k++) map.r.m[k][k] = v[k];
		return map;
	case OSSAI_OP_MATRIX:
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) map.r.m[i][j] = v[4 * i + j];
		}
		map.t = ossai_v3(v[3], v[7], v[11]);
		return map;
	case OSSAI_OP_TURN: {
		const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), angle = v[3] * OSSAI_PI / 180;
		x = v[0] / length, y = v[1] / length, z = v[2] / length, c = cos(angle), sine = sin(angle);
		break;
	}
	case OSSAI_OP_ROTATE: {
		const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
		const double angle = 2 * atan2(length, v[3]);
		if (length > 0) x = v[0] / length, y = v[1] / length, z = v[2] / length;
		c = cos(angle), sine = sin(angle);
		break;
	}
	}
	/* Rodrigues */
	const double d = 1 - c;
	map.r = (ossai_mat3){{{c + x * x * d, x * y * d - z * sine, x * z * d + y * sine},
		{y * x * d + z * sine, c + y * y * d, y * z * d - x * sine},
		{z * x * d - y * sine, z * y * d + x * sine, c + z * z * d}}};
	return map;
}

ossai_rigid scene_world(const scene *s, uint32_t node)
{
	ossai_rigid world = ossai_affine_identity();
	for (; node != OSSA_NONE; node = s->nodes[node].parent) {
		for (size_t i = s->nodes[node].op_count; i-- > 0;) {
			const ossai_rigid local = local_of(&s->ops[node][i]);
			world = ossai_rigid_mul(&local, &world);
		}
	}
	return world;
}

uint32_t scene_add_skin(scene *s, size_t count, const uint32_t *joints)
{
	assert_true(s->skin_count < SCENE_SKINS && s->map_count + count <= SCENE_NODES * SCENE_SKINS);
	ossai_rigid *inverse = s->maps + s->map_count;
	s->map_count += count;
	for (size_t j = 0; j < count; j++) {
		const ossai_rigid world = scene_world(s, joints[j]);
		assert_true(ossai_affine_inverse(&world, &inverse[j]));
	}
	s->skins[s->skin_count] = (ossai_asset_skin){
		.joint_count = count, .joints = scene_wholes(s, count, joints), .inverse_bind = inverse};
	return (uint32_t)s->skin_count++;
}

void scene_bind(scene *s, uint32_t mesh, uint32_t skin, size_t influences, const uint32_t *joints, const float *weights)
{
	const size_t count = s->shapes[mesh].vertex_count * influences;
	s->meshes[mesh].skin = skin;
	s->meshes[mesh].influences = influences;
	s->meshes[mesh].joints = scene_wholes(s, count, joints);
	s->meshes[mesh].weights = scene_floats(s, count, weights);
}

uint32_t scene_add_clip(scene *s, const char *name)
{
	assert_true(s->clip_count < SCENE_CLIPS);
	s->clips[s->clip_count] = (ossai_asset_clip){.name = name, .channels = s->channels[s->clip_count]};
	return (uint32_t)s->clip_count++;
}

ossai_asset_channel *scene_channel(scene *s, uint32_t clip, uint32_t node, uint32_t op, ossai_interpolation how,
	size_t key_count, const double *times, const float *values)
{
	static const uint32_t widths[] = {3, 4, 4, 3, 16};
	assert_true(s->clips[clip].channel_count < SCENE_CHANNELS);
	ossai_asset_channel *channel = &s->channels[clip][s->clips[clip].channel_count++];
	*channel = (ossai_asset_channel){.node = node, .op = op, .interpolation = how, .key_count = key_count};
	channel->width = widths[s->ops[node][op].kind];
	channel->times = scene_doubles(s, key_count, times);
	channel->values = scene_floats(s, key_count * channel->width * (how == OSSAI_HERMITE ? 3 : 1), values);
	return channel;
}

/* ---- as a file ---- */

/* the source's bytes are the scene */
static ossa_status read_scene(ossa_context *context, const ossai_source *source, ossai_asset *asset)
{
	scene *s = (scene *)(uintptr_t)source->bytes;
	asset->node_count = s->node_count;
	memcpy(s->open_nodes, s->nodes, sizeof s->nodes);
	asset->nodes = s->open_nodes;
	asset->mesh_count = s->mesh_count;
	asset->meshes = s->meshes;
	asset->skin_count = s->skin_count;
	asset->skins = s->skins;
	asset->clip_count = s->clip_count;
	memcpy(s->open_clips, s->clips, sizeof s->clips);
	memcpy(s->open_channels, s->channels, sizeof s->channels);
	for (size_t i = 0; i < s->clip_count; i++) s->open_clips[i].channels = s->open_channels[i];
	asset->clips = s->open_clips;
	asset->unit = s->unit;
	asset->up = s->up;
	asset->method = s->method;
	for (size_t m = 0; m < s->mesh_count; m++) s->meshes[m].mesh = NULL;
	for (size_t m = 0; m < s->mesh_count; m++) {
		const scene_mesh *shape = &s->shapes[m];
		OSSAI_TRY(ossa_mesh_create(
			context, shape->vertex_count, shape->positions, shape->triangle_count, shape->triangles, &s->meshes[m].mesh));
		strcpy(s->meshes[m].mesh->name, shape->name);
	}
	if (s->change) s->change(asset);
	return OSSA_OK;
}

ossa_status scene_open(ossa_context *context, scene *s, const ossa_read_options *options, ossai_asset *asset)
{
	const ossai_source source = {.path = "by-hand.scene", .bytes = (const uint8_t *)s, .size = 1};
	return ossai_asset_open(context, &source, read_scene, options, asset);
}

ossa_status scene_read_mesh(ossa_context *context, scene *s, const ossa_read_options *options, ossa_mesh **mesh)
{
	ossai_asset asset;
	*mesh = NULL;
	OSSAI_TRY(scene_open(context, s, options, &asset));
	const ossa_status status = ossai_asset_mesh_at_rest(&asset, mesh);
	ossai_asset_close(&asset);
	return status;
}

ossa_status scene_read_rig(ossa_context *context, scene *s, const ossa_read_options *options, ossa_rig **rig)
{
	ossai_asset asset;
	*rig = NULL;
	OSSAI_TRY(scene_open(context, s, options, &asset));
	const ossa_status status = ossai_asset_rig(&asset, options, rig);
	ossai_asset_close(&asset);
	return status;
}

ossa_status scene_read_animation(
	ossa_context *context, scene *s, const ossa_read_options *options, ossa_mesh **mesh, ossa_frames **frames)
{
	ossai_asset asset;
	*mesh = NULL;
	*frames = NULL;
	OSSAI_TRY(scene_open(context, s, options, &asset));
	const ossa_status status = ossai_asset_animation(&asset, options, mesh, frames);
	ossai_asset_close(&asset);
	return status;
}

ossa_status scene_read_clips(ossa_context *context, scene *s, size_t *count, ossa_clip_facts **clips)
{
	ossai_asset asset;
	*count = 0;
	OSSAI_TRY(scene_open(context, s, NULL, &asset));
	const ossa_status status = ossai_asset_clips(&asset, count, clips);
	ossai_asset_close(&asset);
	return status;
}
