/* rig/shapes.c: see shapes.h.

   Source: pose space deformation with one joint and one angle for each shape: J. P. Lewis, M.
   Cordner, N. Fong, Pose Space Deformation, 2000. The shape is added at rest, before the bones move
   it, so that it turns with the limb. */
#include "rig/shapes.h"

#include "rig/clip_morphs.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "scene/mesh.h"

#include <ossa/shapes.h>

#include <stdio.h>
#include <string.h>

double ossai_driver_angle(const ossa_rig *rig, size_t bone, const double axis[3], const ossa_clip *clip, size_t frame)
{
	const ossa_bone *bones = rig->skeleton.bones;
	const ossai_mat3 own = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bones[bone].orientation)));
	const ossai_quat turn = ossai_turn_in(clip, frame, bone, ossai_quat_conjugate(ossai_rest_rotation(bones, bone)));
	return ossai_hinge_angle(turn, ossai_mat3_tmul_v(&own, ossai_v3_of(axis)), 0);
}

double ossai_driver_weight(const ossa_driver *driver, double angle)
{
	return fmin(fmax((angle - driver->from) / (driver->to - driver->from), 0), 1);
}

double ossai_shape_weight(const ossa_rig *rig, size_t morph, const ossa_clip *clip, size_t frame)
{
	const ossa_morph *shape = &rig->mesh->morphs[morph];
	const bool has_own = clip && clip->morph_weights && morph < clip->morph_count && frame < clip->frame_count;
	if (!shape->driver.bone[0]) return has_own ? clip->morph_weights[frame * clip->morph_count + morph] : shape->weight;
	const int32_t bone = ossa_rig_bone(rig, shape->driver.bone);
	if (bone < 0 || !clip || frame >= clip->frame_count || (size_t)bone >= clip->bone_count) return 0;
	return ossai_driver_weight(&shape->driver, ossai_driver_angle(rig, (size_t)bone, shape->driver.axis, clip, frame));
}

bool ossai_shape_moves(const ossa_rig *rig, size_t morph, const ossa_clip *clip)
{
	return rig->mesh->morphs[morph].driver.bone[0] || ossai_clip_moves_morph(rig->mesh, clip, morph);
}

double ossa_rig_shape_weight(const ossa_rig *rig, size_t morph, const ossa_clip *clip, size_t frame)
{
	if (!rig || !rig->mesh || morph >= rig->mesh->morph_count) return 0;
	return ossai_shape_weight(rig, morph, clip, frame);
}

size_t ossa_rig_shape_count(const ossa_rig *rig) { return rig && rig->mesh ? ossai_morphs_driven(rig->mesh) : 0; }

size_t ossai_shapes_lost(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		const char *bone = rig->mesh->morphs[m].driver.bone;
		count += bone[0] && ossa_rig_bone(rig, bone) < 0;
	}
	return count;
}

bool ossai_shapes_move(const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip)
{
	const bool is_own = !weights || weights == &rig->weights;
	return clip && is_own && (clip->morph_weights || ossai_morphs_driven(rig->mesh) > 0);
}

void ossai_shapes_apply(const ossa_rig *rig, const ossa_clip *clip, size_t frame, float *rest)
{
	const ossa_mesh *mesh = rig->mesh;
	if (mesh->vertex_count > 0) memcpy(rest, mesh->positions, 3 * mesh->vertex_count * sizeof *rest);
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const ossa_morph *shape = &mesh->morphs[m];
		/* the mesh has those at rest */
		const double weight = ossai_shape_weight(rig, m, clip, frame) - shape->weight;
		if (weight == 0) continue;
		for (size_t i = 0; i < 3 * shape->count; i++) {
			float *to = &rest[3 * (size_t)shape->vertices[i / 3] + i % 3];
			*to = (float)((double)*to + weight * (double)shape->deltas[i]);
		}
	}
}

const float *ossai_shapes_rest(
	ossai_arena *arena, const ossa_rig *rig, const ossa_weights *weights, const ossa_clip *clip, size_t frame)
{
	if (!ossai_shapes_move(rig, weights, clip)) return rig->mesh->positions;
	float *rest = ossai_arena_new(arena, rig->mesh->vertex_count, 3 * sizeof *rest);
	if (rest) ossai_shapes_apply(rig, clip, frame, rest);
	return rest;
}

void ossai_shapes_rename(ossa_rig *rig, const ossa_bone *before)
{
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		ossa_driver *driver = &rig->mesh->morphs[m].driver;
		size_t b = 0;
		while (b < rig->skeleton.bone_count && strcmp(before[b].name, driver->bone) != 0) b++;
		if (b < rig->skeleton.bone_count) memcpy(driver->bone, rig->skeleton.bones[b].name, sizeof driver->bone);
	}
}

void ossai_shapes_rename_bone(ossa_rig *rig, const char *from, const char *to)
{
	for (size_t m = 0; m < rig->mesh->morph_count; m++) {
		ossa_driver *driver = &rig->mesh->morphs[m].driver;
		if (strcmp(driver->bone, from) == 0) snprintf(driver->bone, sizeof driver->bone, "%s", to);
	}
}
