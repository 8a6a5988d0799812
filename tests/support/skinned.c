/* tests/support/skinned.c: see skinned.h. */
#include "support/skinned.h"

#include "math/affine.h"
#include "support/support.h"

#include <string.h>

const uint32_t skinned_first[3] = {0, 0, 0}, skinned_second[3] = {1, 1, 1};
const float skinned_ones[3] = {1, 1, 1};

void skinned_chain(scene *s, uint32_t parent, size_t count, uint32_t *joints)
{
	static const char *const names[] = {"a", "b", "c", "d", "e"};
	for (size_t i = 0; i < count; i++) {
		joints[i] = scene_node(s, names[i], i > 0 ? joints[i - 1] : parent);
		scene_translate(s, joints[i], i > 0, 0, 0);
		scene_rotate(s, joints[i], 0, 0, 1, 0);
	}
}

void skinned_turn(scene *s, uint32_t clip, uint32_t node)
{
	static const double times[] = {0, 1};
	static const float values[] = {0, 0, 0, 1, 0, 0, 0.70710678F, 0.70710678F};
	scene_channel(s, clip, node, 1, OSSAI_LINEAR, 2, times, values);
}

uint32_t skinned_flag(scene *s, const char *name, uint32_t skin, const float *positions, const uint32_t *joints,
	const float *weights, size_t influences)
{
	const uint32_t mesh = scene_add_mesh(s, name, OSSA_NONE, 3, positions, 1, scene_face);
	scene_bind(s, mesh, skin, influences, joints, weights);
	return mesh;
}

size_t skinned_bone(const ossa_rig *rig, const char *name)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, name) == 0) return b;
	}
	fail_msg("no bone is called %s", name);
	return 0;
}

void skinned_assert_parent(const ossa_rig *rig, const char *name, const char *parent)
{
	const int32_t found = rig->skeleton.bones[skinned_bone(rig, name)].parent;
	assert_int_equal(found, parent ? (int32_t)skinned_bone(rig, parent) : -1);
}

void skinned_assert_like_frames(ossa_context *context, scene *s)
{
	ossai_asset asset;
	ossa_mesh *mesh;
	ossa_frames *frames, *own;
	ossa_rig *rig;
	assert_ok(context, scene_open(context, s, NULL, &asset));
	assert_ok(context, ossai_asset_frames(&asset, NULL, &mesh, &frames));
	ossai_asset_close(&asset);
	assert_non_null(frames);
	assert_ok(context, scene_read_rig(context, s, NULL, &rig));
	assert_ok(context, ossa_rig_frames(context, rig, NULL, &own));
	assert_int_equal(own->vertex_count, frames->vertex_count);
	assert_int_equal(own->frame_count, frames->frame_count);
	assert_memory_equal(mesh->positions, rig->mesh->positions, 3 * mesh->vertex_count * sizeof(float));
	for (size_t i = 0; i < own->frame_count * own->vertex_count; i++) {
		const float *p = own->positions + 3 * i;
		assert_point(frames->positions + 3 * i, (double)p[0], (double)p[1], (double)p[2], 1e-5);
	}
	ossa_frames_free(context, own);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
}
