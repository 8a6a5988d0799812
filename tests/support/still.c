/* tests/support/still.c: see still.h. */
#include "support/still.h"

#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ossa_sample *test_sample(ossa_context *context, int kind, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = 4;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

size_t test_child_count(const ossa_rig *rig, size_t bone)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) count += rig->skeleton.bones[b].parent == (int32_t)bone;
	return count;
}

size_t test_leaf_count(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) count += test_child_count(rig, b) == 0;
	return count;
}

size_t test_end_count(const ossa_rig *rig) { return test_leaf_count(rig) + (test_child_count(rig, 0) == 1); }

const ossa_bone *test_bone(const ossa_rig *rig, const char *name)
{
	const int32_t bone = ossa_rig_bone(rig, name);
	if (bone < 0) fail_msg("there is no bone %s", name);
	return &rig->skeleton.bones[bone];
}

void test_check_joint(const ossa_rig *rig, const char *name, const double at[3], double most)
{
	const ossa_bone *bone = test_bone(rig, name);
	const double off = ossai_distance(ossai_v3_of(bone->joint), ossai_v3_of(at));
	if (off > most) {
		fail_msg(
			"%s is at %.3f %.3f %.3f, %.3f from where it should be", name, bone->joint[0], bone->joint[1], bone->joint[2], off);
	}
}

ossa_rig *test_body_rig(ossa_context *context, ossa_mesh *mesh, ossa_body_kind kind)
{
	ossa_contraction_options options = ossa_contraction_default();
	options.body = kind;
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_from_contraction(context, mesh, &options, &rig));
	ossa_mesh_free(context, mesh);
	return rig;
}

ossa_rig *test_human_rig(ossa_context *context, ossa_mesh *mesh) { return test_body_rig(context, mesh, OSSA_BODY_HUMAN); }

double test_mesh_diagonal(const ossa_mesh *mesh)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0;
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) {
		low[i % 3] = fmin(low[i % 3], mesh->positions[i]);
		high[i % 3] = fmax(high[i % 3], mesh->positions[i]);
	}
	for (int k = 0; k < 3; k++) sum += (high[k] - low[k]) * (high[k] - low[k]);
	return sqrt(sum);
}

static const float moved_scale = 1024, moved_by = 512;

void test_mesh_to_grid(ossa_mesh *mesh)
{
	for (size_t i = 0; i < 3 * mesh->vertex_count; i++) mesh->positions[i] = roundf(mesh->positions[i] * 4096) / 4096;
}

ossa_mesh *test_mesh_moved(ossa_context *context, const ossa_mesh *mesh)
{
	ossa_mesh *moved;
	assert_ok(context, ossa_mesh_copy(context, mesh, &moved));
	for (size_t i = 0; i < 3 * moved->vertex_count; i++) moved->positions[i] = moved_scale * moved->positions[i] + moved_by;
	return moved;
}

ossai_vec3 test_point_moved_back(const double p[3])
{
	return ossai_v3((p[0] - moved_by) / moved_scale, (p[1] - moved_by) / moved_scale, (p[2] - moved_by) / moved_scale);
}

ossa_mesh *test_mesh_shuffled(ossa_context *context, const ossa_mesh *mesh, const ossai_mat3 *turn)
{
	const size_t vertices = mesh->vertex_count, faces = mesh->triangle_count;
	float *positions = malloc(3 * vertices * sizeof *positions);
	uint32_t *triangles = malloc(3 * faces * sizeof *triangles);
	/* steps without a common divisor */
	const size_t step = vertices % 7919 ? 7919 : 7907, face_step = faces % 6007 ? 6007 : 5987;
	assert_true(positions && triangles);
	for (size_t v = 0; v < vertices; v++) {
		const float *p = mesh->positions + 3 * v;
		const ossai_vec3 q = ossai_mat3_mul_v(turn, ossai_v3(p[0], p[1], p[2]));
		float *to = positions + 3 * (v * step % vertices);
		to[0] = (float)q.x;
		to[1] = (float)q.y;
		to[2] = (float)q.z;
	}
	for (size_t f = 0; f < faces; f++) {
		for (size_t k = 0; k < 3; k++) {
			triangles[3 * (f * face_step % faces) + (k + f) % 3] = (uint32_t)(mesh->triangles[3 * f + k] * step % vertices);
		}
	}
	ossa_mesh *made;
	assert_ok(context, ossa_mesh_create(context, vertices, positions, faces, triangles, &made));
	free(positions);
	free(triangles);
	return made;
}

ossa_mesh *test_mesh_inside_out(ossa_context *context, const ossa_mesh *mesh)
{
	const size_t faces = mesh->triangle_count;
	uint32_t *triangles = malloc(3 * faces * sizeof *triangles);
	assert_non_null(triangles);
	for (size_t i = 0; i < 3 * faces; i++) triangles[i] = mesh->triangles[i - i % 3 + 2 - i % 3];
	ossa_mesh *made;
	assert_ok(context, ossa_mesh_create(context, mesh->vertex_count, mesh->positions, faces, triangles, &made));
	free(triangles);
	return made;
}

bool test_stop_midway(void *user, const char *stage, double fraction)
{
	(void)user;
	(void)stage;
	return fraction < 0.5;
}
