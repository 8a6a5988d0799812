/* methods/bodies/one_bone.c: the rig of what is rigid: one bone, whatever its shape.

   Place in the path: make_bodies, still_bodies -> here -> join_rigs.
   Input: a mesh.
   Output: a rig without motion. */
#include "methods/bodies/bodies.h"

#include "skeleton/frames.h"

/* the center of its surface, or of its points where it has none */
static ossai_vec3 center_of(const ossa_mesh *mesh)
{
	ossai_vec3 sum = {0, 0, 0}, mean = {0, 0, 0};
	double area = 0;
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		ossai_vec3 p[3];
		for (size_t i = 0; i < 3; i++) p[i] = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[3 * f + i]);
		const double own = ossai_length(ossai_cross(ossai_sub(p[1], p[0]), ossai_sub(p[2], p[0])));
		sum = ossai_madd(sum, own / 3, ossai_add(p[0], ossai_add(p[1], p[2])));
		area += own;
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		mean = ossai_madd(mean, 1 / (double)mesh->vertex_count, ossai_v3_of_float(mesh->positions + 3 * v));
	}
	return area > 0 ? ossai_scale(sum, 1 / area) : mean;
}

ossa_status ossai_one_bone_make(ossa_context *context, const ossa_mesh *mesh, ossa_rig **rig)
{
	OSSAI_TRY(ossa_rig_create(context, mesh, 1, 1, rig));
	ossa_bone *bone = &(*rig)->skeleton.bones[0];
	*bone = (ossa_bone){.name = "root", .parent = -1, .kind = OSSA_JOINT_ROOT, .role = {.part = OSSA_PART_NONE}};
	ossai_v3_store(center_of((*rig)->mesh), bone->joint);
	for (size_t v = 0; v < mesh->vertex_count; v++) (*rig)->weights.values[v] = 1;
	ossai_skeleton_frames(&(*rig)->skeleton, (*rig)->mesh, &(*rig)->weights, false);
	return OSSA_OK;
}
