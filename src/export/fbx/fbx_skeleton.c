/* export/fbx/fbx_skeleton.c: the joints of an FBX file, its skin, and the bind pose.

   Place in the path: inside the FBX writer.
   Input: the rig's joints and weights.
   Output: a LimbNode for each bone, for each object a Skin with a Cluster for each bone, one
   BindPose. Limits are RotationMin and RotationMax of the Lcl Rotation that the turns are, and of
   joints that slide TranslationMin and TranslationMax of their Lcl Translation. */
#include "export/fbx/fbx.h"

#include "base/csr.h"
#include "math/affine.h"

#include <stdio.h>
#include <string.h>

/* ---- joints ---- */

static void put_limits(ossai_fbx_writer *writer, size_t b)
{
	static const char *const switches[2][3] = {
		{"RotationMinX", "RotationMinY", "RotationMinZ"}, {"RotationMaxX", "RotationMaxY", "RotationMaxZ"}};
	const ossai_joints *joints = &writer->joints;
	for (int end = 0; end < 2; end++) {
		double values[3];
		for (int k = 0; k < 3; k++) values[k] = joints->limits[b][k][end];
		ossai_fbx_p_vector(writer, end ? "RotationMax" : "RotationMin", "Vector3D", "", values);
		for (int k = 0; k < 3; k++) ossai_fbx_p_int(writer, switches[end][k], "bool", "", joints->limited[b][k]);
	}
}

static void put_slide_limits(ossai_fbx_writer *writer, size_t b)
{
	static const char *const switches[2][3] = {
		{"TranslationMinX", "TranslationMinY", "TranslationMinZ"}, {"TranslationMaxX", "TranslationMaxY", "TranslationMaxZ"}};
	const ossai_joints *joints = &writer->joints;
	if (!joints->slides[b]) return;
	ossai_fbx_p_int(writer, "TranslationActive", "bool", "", 1);
	for (int end = 0; end < 2; end++) {
		double values[3];
		for (int k = 0; k < 3; k++) values[k] = joints->places[b][k][end] * writer->scale;
		ossai_fbx_p_vector(writer, end ? "TranslationMax" : "TranslationMin", "Vector3D", "", values);
		for (int k = 0; k < 3; k++) ossai_fbx_p_int(writer, switches[end][k], "bool", "", 1);
	}
}

static void put_position(ossai_fbx_writer *writer, const double position[3], bool is_animated)
{
	const double scaled[3] = {position[0] * writer->scale, position[1] * writer->scale, position[2] * writer->scale};
	ossai_fbx_p_vector(writer, "Lcl Translation", "Lcl Translation", is_animated ? "A+" : "A", scaled);
}

static void put_attribute(ossai_fbx_writer *writer, size_t index, const char *name, double length)
{
	const int64_t id = ossai_fbx_id(OSSAI_FBX_ATTRIBUTE, index);
	ossai_fbx_begin(writer, "NodeAttribute");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, name, "NodeAttribute");
	ossai_fbx_text(writer, "LimbNode");
	ossai_fbx_text_record(writer, "TypeFlags", "Skeleton");
	ossai_fbx_begin(writer, "Properties70");
	ossai_fbx_p_double(writer, "Size", "double", "Number", "", length * writer->scale);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_BONE, index), NULL);
}

static void put_bone(ossai_fbx_writer *writer, size_t b)
{
	static const double none[3] = {0, 0, 0};
	const ossa_bone *bone = &writer->rig->skeleton.bones[b];
	const bool moves = writer->joints.turns != NULL;
	ossai_fbx_begin_model(writer, ossai_fbx_id(OSSAI_FBX_BONE, b), bone->name, "LimbNode");
	put_position(writer, writer->joints.position[b], moves && (b == 0 || writer->moves_all));
	/* without it neither the rest pose nor limits count */
	ossai_fbx_p_int(writer, "RotationActive", "bool", "", 1);
	ossai_fbx_p_vector(writer, "PreRotation", "Vector3D", "", writer->joints.rest[b]);
	if (bone->kind == OSSA_JOINT_HINGE) ossai_fbx_p_vector(writer, "PostRotation", "Vector3D", "", writer->joints.after[b]);
	ossai_fbx_p_vector(writer, "Lcl Rotation", "Lcl Rotation", moves ? "A+" : "A", none);
	put_limits(writer, b);
	put_slide_limits(writer, b);
	ossai_fbx_end_model(writer, ossai_fbx_id(OSSAI_FBX_BONE, b),
		bone->parent < 0 ? ossai_fbx_id(OSSAI_FBX_ROOT, 0) : ossai_fbx_id(OSSAI_FBX_BONE, (size_t)bone->parent));
	put_attribute(writer, b, bone->name, ossai_distance(ossai_v3_of(bone->joint), ossai_v3_of(bone->tail)));
}

/* a limb that only shows where a leaf ends */
static void put_end(ossai_fbx_writer *writer, size_t end)
{
	char name[80];
	double position[3];
	const uint32_t leaf = writer->joints.leaves[end];
	const ossa_bone *bone = &writer->rig->skeleton.bones[leaf];
	const size_t index = writer->joints.count + end;
	snprintf(name, sizeof name, "%s_end", bone->name);
	ossai_joint_end(bone, position);
	ossai_fbx_begin_model(writer, ossai_fbx_id(OSSAI_FBX_BONE, index), name, "LimbNode");
	put_position(writer, position, false);
	ossai_fbx_end_model(writer, ossai_fbx_id(OSSAI_FBX_BONE, index), ossai_fbx_id(OSSAI_FBX_BONE, leaf));
	put_attribute(writer, index, name, 0);
}

void ossai_fbx_put_bones(ossai_fbx_writer *writer)
{
	for (size_t b = 0; b < writer->joints.count; b++) put_bone(writer, b);
	for (size_t i = 0; i < writer->end_count; i++) put_end(writer, i);
}

/* ---- matrices ---- */

static ossai_rigid bind_frame(const ossai_fbx_writer *writer, size_t b)
{
	const ossa_bone *bone = &writer->rig->skeleton.bones[b];
	return (ossai_rigid){ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation))),
		ossai_scale(ossai_v3_of(bone->joint), writer->scale)};
}

/* column after column */
static void put_matrix(ossai_fbx_writer *writer, const char *name, const ossai_rigid *map)
{
	ossai_fbx_begin(writer, name);
	uint8_t *array = ossai_fbx_array(writer, 'd', 16);
	const double position[3] = {map->t.x, map->t.y, map->t.z};
	for (size_t i = 0; array && i < 16; i++) {
		const size_t row = i % 4, column = i / 4;
		ossai_fbx_put_double(array, i, row == 3 ? column == 3 : column == 3 ? position[row] : map->r.m[row][column]);
	}
	ossai_fbx_end(writer);
}

static void put_pose_node(ossai_fbx_writer *writer, int64_t id, const ossai_rigid *map)
{
	ossai_fbx_begin(writer, "PoseNode");
	ossai_fbx_begin(writer, "Node");
	ossai_fbx_long(writer, id);
	ossai_fbx_end(writer);
	put_matrix(writer, "Matrix", map);
	ossai_fbx_end(writer);
}

void ossai_fbx_put_bind_pose(ossai_fbx_writer *writer)
{
	ossai_fbx_begin(writer, "Pose");
	ossai_fbx_long(writer, ossai_fbx_id(OSSAI_FBX_POSE, 0));
	ossai_fbx_name(writer, "bind", "Pose");
	ossai_fbx_text(writer, "BindPose");
	ossai_fbx_text_record(writer, "Type", "BindPose");
	ossai_fbx_int_record(writer, "Version", 100);
	ossai_fbx_int_record(writer, "NbPoseNodes", (int32_t)(writer->part_count + writer->joints.count));
	for (size_t i = 0; i < writer->part_count; i++)
		put_pose_node(writer, ossai_fbx_id(OSSAI_FBX_MESH, i), &writer->parts[i].place);
	for (size_t b = 0; b < writer->joints.count; b++) {
		const ossai_rigid frame = bind_frame(writer, b);
		put_pose_node(writer, ossai_fbx_id(OSSAI_FBX_BONE, b), &frame);
	}
	ossai_fbx_end(writer);
}

/* ---- the skin ---- */

/* the vertices of each bone: filled by a walk over all weights */
typedef struct clusters {
	ossai_csr vertices;
	float *weights;
} clusters;

static ossa_status sort_weights(ossai_fbx_writer *writer, const ossa_weights *weights, clusters *all)
{
	const size_t slots = (size_t)weights->influences, total = weights->vertex_count * slots, count = writer->joints.count;
	all->weights = ossai_arena_new(&writer->arena, total, sizeof *all->weights);
	if (!all->weights) return ossa_context_error(writer->context)->status;
	OSSAI_TRY(ossai_csr_begin(&writer->arena, count, &all->vertices));
	for (size_t i = 0; i < total; i++) {
		if (weights->values[i] > 0) ossai_csr_count(&all->vertices, weights->bones[i]);
	}
	OSSAI_TRY(ossai_csr_take_items(&writer->arena, &all->vertices));
	for (size_t i = 0; i < total; i++) {
		if (!(weights->values[i] > 0)) continue;
		const uint32_t at = ossai_csr_next(&all->vertices, weights->bones[i]);
		all->vertices.item[at] = (uint32_t)(i / slots);
		all->weights[at] = weights->values[i];
	}
	return OSSA_OK;
}

static void put_weights(ossai_fbx_writer *writer, const clusters *all, size_t b)
{
	const size_t first = all->vertices.start[b], count = ossai_csr_size(&all->vertices, b);
	if (count == 0) return;
	ossai_fbx_begin(writer, "Indexes");
	uint8_t *array = ossai_fbx_array(writer, 'i', count);
	for (size_t i = 0; array && i < count; i++) ossai_fbx_put_int(array, i, (int32_t)all->vertices.item[first + i]);
	ossai_fbx_end(writer);
	ossai_fbx_begin(writer, "Weights");
	array = ossai_fbx_array(writer, 'd', count);
	for (size_t i = 0; array && i < count; i++) ossai_fbx_put_double(array, i, (double)all->weights[first + i]);
	ossai_fbx_end(writer);
}

/* bones without vertices have one too */
static void put_cluster(ossai_fbx_writer *writer, const ossai_fbx_part *part, const clusters *all, size_t b)
{
	const int64_t id = ossai_fbx_id(OSSAI_FBX_CLUSTER, part->index * writer->joints.count + b);
	const ossai_rigid frame = bind_frame(writer, b), inverse = ossai_rigid_inverse(&frame), none = ossai_affine_identity();
	/* from the object's axes to the bone's */
	const ossai_rigid bind = ossai_rigid_same(&part->place, &none) ? inverse : ossai_rigid_mul(&inverse, &part->place);
	ossai_fbx_begin(writer, "Deformer");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, writer->rig->skeleton.bones[b].name, "SubDeformer");
	ossai_fbx_text(writer, "Cluster");
	ossai_fbx_int_record(writer, "Version", 100);
	ossai_fbx_begin(writer, "UserData");
	ossai_fbx_text(writer, "");
	ossai_fbx_text(writer, "");
	ossai_fbx_end(writer);
	put_weights(writer, all, b);
	put_matrix(writer, "Transform", &bind);
	put_matrix(writer, "TransformLink", &frame);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_SKIN, part->index), NULL);
	ossai_fbx_link_objects(writer, ossai_fbx_id(OSSAI_FBX_BONE, b), id, NULL);
}

void ossai_fbx_put_skin(ossai_fbx_writer *writer, const ossai_fbx_part *part)
{
	clusters all;
	const int64_t id = ossai_fbx_id(OSSAI_FBX_SKIN, part->index);
	if (writer->status == OSSA_OK) writer->status = sort_weights(writer, &part->weights, &all);
	if (writer->status != OSSA_OK) return;
	ossai_fbx_begin(writer, "Deformer");
	ossai_fbx_long(writer, id);
	ossai_fbx_name(writer, "skin", "Deformer");
	ossai_fbx_text(writer, "Skin");
	ossai_fbx_int_record(writer, "Version", 101);
	ossai_fbx_begin(writer, "Link_DeformAcuracy");
	ossai_fbx_double(writer, 50);
	ossai_fbx_end(writer);
	ossai_fbx_end(writer);
	ossai_fbx_link_objects(writer, id, ossai_fbx_id(OSSAI_FBX_GEOMETRY, part->index), NULL);
	for (size_t b = 0; b < writer->joints.count; b++) put_cluster(writer, part, &all, b);
}
