/* import/glb.c: glTF files in, the outline.

   Place in the path: a reader behind the registry.  In: a path.  Out: a mesh, or a rig put together from the parts that the other
   glb_ files read.
   Source: glTF 2.0 specification. */
#include "import/glb.h"
#include "import/glb_document.h"
#include "base/file.h"
#include "surface/bounds.h"

#include <stdio.h>
#include <string.h>

/* a bone's offset counts as constant within this share of the mesh's diagonal */
static const double constant_offset = 1e-5;

/* ---- bones ---- */

/* a name of [A-Za-z0-9_-] that is not in the set `names` (name -> last number tried behind it) */
static ossa_status unique_name(const ossai_gltf *document, json_t *names, const char *wanted, char name[64])
{
	size_t length = 0;
	for (; wanted && wanted[length] && length < 63; length++) {
		const char c = wanted[length];
		const bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
		name[length] = safe ? c : '_';
	}
	name[length] = 0;
	if (length == 0) strcpy(name, "bone");
	char base[64];
	strcpy(base, name);
	while (json_object_get(names, name)) {
		const int number = (int)json_integer_value(json_object_get(names, base)) + 1;
		if (json_object_set_new(names, base, json_integer(number)) != 0) break;
		snprintf(name, 64, "%.48s_%d", base, number);
	}
	if (json_object_set_new(names, name, json_integer(1)) == 0) return OSSA_OK;
	return ossai_fail(document->context, OSSA_ERROR_MEMORY, NULL, "there is no memory left for the names of bones");
}

static ossa_joint_kind parse_kind(const char *name)
{
	if (name && strcmp(name, "welded") == 0) return OSSA_JOINT_WELDED;
	if (name && strcmp(name, "hinge") == 0) return OSSA_JOINT_HINGE;
	if (name && strcmp(name, "ball") == 0) return OSSA_JOINT_BALL;
	return OSSA_JOINT_UNKNOWN;
}

/* what ossa's own writer keeps in the node's extras; true where the tail is among it */
static bool read_extras(const json_t *node, ossa_bone *bone)
{
	const json_t *extras = json_object_get(json_object_get(node, "extras"), "ossa");
	bone->kind = parse_kind(json_string_value(json_object_get(extras, "kind")));
	bone->turn_degrees = fmax(0, json_number_value(json_object_get(extras, "turn_degrees")));
	bone->fit_residual = fmax(0, json_number_value(json_object_get(extras, "fit_residual")));
	ossai_gltf_numbers(extras, "axis", 3, bone->axis);
	if (bone->kind == OSSA_JOINT_HINGE && !(fabs(ossai_length(ossai_v3_of(bone->axis)) - 1) < 1e-6)) {
		bone->kind = OSSA_JOINT_UNKNOWN;
	}
	if (bone->kind != OSSA_JOINT_HINGE) memset(bone->axis, 0, sizeof bone->axis);
	return ossai_gltf_numbers(extras, "tail", 3, bone->tail);
}

static ossa_status fill_bones(
	const ossai_gltf *document, const ossai_gltf_skin *skin, json_t *names, ossa_rig *rig, uint8_t *has_tail)
{
	for (size_t b = 0; b < skin->bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		const json_t *node = skin->node_of_bone[b] == OSSA_NONE ? NULL
																: ossai_gltf_item(document, "nodes", skin->node_of_bone[b]);
		const char *name = node ? json_string_value(json_object_get(node, "name")) : "root";
		OSSAI_TRY(unique_name(document, names, name, bone->name));
		bone->parent = skin->parent_of_bone[b];
		/* extras are in the mesh's own space */
		has_tail[b] = skin->is_plain && read_extras(node, bone);
		if (b == 0) bone->kind = OSSA_JOINT_ROOT;
		ossai_v3_store(skin->bind[b].t, bone->joint);
		ossai_quat_store(ossai_mat3_quat(&skin->bind[b].r), bone->orientation);
	}
	return OSSA_OK;
}

/* tails that the file does not tell: the children's mean, or on from the parent as far as the parent is long */
static ossa_status place_tails(ossai_gltf *document, ossa_rig *rig, const uint8_t *has_tail)
{
	const size_t count = rig->skeleton.bone_count;
	ossa_bone *bones = rig->skeleton.bones;
	double *sums = ossai_arena_zero(&document->arena, count, 4 * sizeof *sums);
	if (!sums) return ossa_context_error(document->context)->status;
	for (size_t b = 1; b < count; b++) {
		double *sum = sums + 4 * (size_t)bones[b].parent;
		for (int k = 0; k < 3; k++) sum[k] += bones[b].joint[k];
		sum[3]++;
	}
	for (size_t b = 0; b < count; b++) {
		if (has_tail[b]) continue;
		const double *above = bones[b].parent >= 0 ? bones[bones[b].parent].joint : bones[b].joint;
		for (int k = 0; k < 3; k++) {
			const double onward = 2 * bones[b].joint[k] - above[k];
			bones[b].tail[k] = sums[4 * b + 3] > 0 ? sums[4 * b + (size_t)k] / sums[4 * b + 3] : onward;
		}
	}
	return OSSA_OK;
}

static ossa_status make_skeleton(ossai_gltf *document, const ossai_gltf_skin *skin, ossa_rig *rig)
{
	uint8_t *has_tail = ossai_arena_zero(&document->arena, skin->bone_count, 1);
	if (!has_tail) return ossa_context_error(document->context)->status;
	json_t *names = json_object();
	const ossa_status status = fill_bones(document, skin, names, rig, has_tail);
	json_decref(names);
	return status == OSSA_OK ? place_tails(document, rig, has_tail) : status;
}

/* ---- weights ---- */

typedef struct pair {
	uint32_t bone;
	float weight;
} pair;

/* A vertex's pairs: no zeros, no bone twice, from the largest, sum 1. Weights that are as exact as floats can be stay. */
static ossa_status vertex_pairs(const ossai_gltf *document, const ossai_gltf_shape *shape, const ossai_gltf_skin *skin,
	size_t vertex, pair *pairs, size_t *count)
{
	const size_t width = shape->sets * 4;
	double sum = 0;
	*count = 0;
	for (size_t k = 0; k < width; k++) {
		const float weight = shape->weights[vertex * width + k];
		const uint32_t joint = shape->joints[vertex * width + k];
		if (!(weight > 0)) continue;
		if (joint >= skin->joint_count) {
			return ossai_gltf_fail(
				document, "vertex %zu follows joint %u, but there are %zu", vertex, joint, skin->joint_count);
		}
		const uint32_t bone = skin->bone_of_joint[joint];
		size_t at = 0;
		while (at < *count && pairs[at].bone != bone) at++;
		pairs[at] = (pair){bone, at < *count ? pairs[at].weight + weight : weight};
		*count += at == *count;
		sum += (double)weight;
	}
	for (size_t i = 1; i < *count; i++) {
		/* few pairs: insertion keeps equal ones in the file's order */
		const pair moved = pairs[i];
		size_t at = i;
		for (; at > 0 && pairs[at - 1].weight < moved.weight; at--) pairs[at] = pairs[at - 1];
		pairs[at] = moved;
	}
	for (size_t i = 0; i < *count && fabs(sum - 1) > 1e-6; i++) pairs[i].weight = (float)((double)pairs[i].weight / sum);
	return OSSA_OK;
}

static ossa_status most_influences(
	const ossai_gltf *document, const ossai_gltf_shape *shape, const ossai_gltf_skin *skin, pair *pairs, int *influences)
{
	*influences = 1;
	for (size_t v = 0; v < shape->mesh->vertex_count; v++) {
		size_t count;
		OSSAI_TRY(vertex_pairs(document, shape, skin, v, pairs, &count));
		if ((int)count > *influences) *influences = (int)count;
	}
	return OSSA_OK;
}

static ossa_status fill_weights(
	const ossai_gltf *document, const ossai_gltf_shape *shape, const ossai_gltf_skin *skin, pair *pairs, ossa_weights *weights)
{
	int64_t loose = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		uint16_t *bones = weights->bones + v * (size_t)weights->influences;
		float *values = weights->values + v * (size_t)weights->influences;
		size_t count;
		OSSAI_TRY(vertex_pairs(document, shape, skin, v, pairs, &count));
		loose += count == 0;
		if (count == 0) pairs[count++] = (pair){0, 1};
		for (size_t k = 0; k < (size_t)weights->influences; k++) {
			bones[k] = k < count ? (uint16_t)pairs[k].bone : 0;
			values[k] = k < count ? pairs[k].weight : 0;
		}
	}
	if (loose > 0) {
		ossai_warn(document->context, "loose-vertices", loose, "%s: vertices without weights follow the root",
			ossai_file_name(document->path));
	}
	return OSSA_OK;
}

/* ---- rig ---- */

/* moves the mesh into the space of the rig's motion */
static ossa_status place_mesh(const ossai_gltf *document, const ossai_rigid *placement, ossa_mesh *mesh)
{
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		float *out = mesh->positions + 3 * v;
		const ossai_vec3 p = ossai_rigid_point(placement, ossai_v3_of_float(out));
		out[0] = (float)p.x;
		out[1] = (float)p.y;
		out[2] = (float)p.z;
		if (!isfinite(out[0]) || !isfinite(out[1]) || !isfinite(out[2])) {
			return ossai_gltf_fail(document, "its skin moves vertex %zu out of the range of numbers", v);
		}
	}
	const ossai_mat3 rotation = ossai_gltf_rotation_of(&placement->r, NULL);
	for (size_t n = 0; n < mesh->normal_count; n++) {
		float *out = mesh->normals + 3 * n;
		const ossai_vec3 turned = ossai_mat3_mul_v(&rotation, ossai_v3_of_float(out));
		out[0] = (float)turned.x;
		out[1] = (float)turned.y;
		out[2] = (float)turned.z;
	}
	return OSSA_OK;
}

static ossa_status fill_rig(ossai_gltf *document, const ossai_gltf_nodes *nodes, const ossai_gltf_shape *shape,
	const ossai_gltf_skin *skin, pair *pairs, size_t skin_index, ossa_rig *rig)
{
	const json_t *extras = json_object_get(ossai_gltf_item(document, "skins", skin_index), "extras");
	const char *method = json_string_value(json_object_get(json_object_get(extras, "ossa"), "method"));
	const double diagonal = ossai_bounds_make(rig->mesh->vertex_count, rig->mesh->positions).diagonal;
	snprintf(rig->method, sizeof rig->method, "%s", method ? method : "file");
	OSSAI_TRY(make_skeleton(document, skin, rig));
	OSSAI_TRY(fill_weights(document, shape, skin, pairs, &rig->weights));
	OSSAI_TRY(ossai_gltf_read_clip(document, nodes, skin, constant_offset * diagonal, &rig->clip));
	return ossa_rig_validate(document->context, rig);
}

static ossa_status make_rig(
	ossai_gltf *document, const ossai_gltf_nodes *nodes, const ossai_gltf_shape *shape, size_t skin_index, ossa_rig **rig)
{
	ossa_context *context = document->context;
	ossai_gltf_skin skin;
	int influences;
	if (shape->sets == 0) return ossai_gltf_fail(document, "its skinned mesh has no JOINTS_0 and WEIGHTS_0");
	OSSAI_TRY(ossai_gltf_read_skin(document, nodes, skin_index, &skin));
	pair *pairs = ossai_arena_new(&document->arena, shape->sets * 4 + 1, sizeof *pairs);
	if (!pairs) return ossa_context_error(context)->status;
	OSSAI_TRY(most_influences(document, shape, &skin, pairs, &influences));
	if (!skin.is_plain) OSSAI_TRY(place_mesh(document, &skin.placement, shape->mesh));
	OSSAI_TRY(ossa_rig_create(context, shape->mesh, skin.bone_count, influences, rig));
	const ossa_status status = fill_rig(document, nodes, shape, &skin, pairs, skin_index, *rig);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_rig_free(context, *rig);
	*rig = NULL;
	return status;
}

static ossa_status read_rig(ossai_gltf *document, ossa_rig **rig)
{
	ossai_gltf_nodes nodes;
	ossai_gltf_shape shape;
	size_t skin;
	OSSAI_TRY(ossai_gltf_first_skin(document, &skin));
	if (skin == SIZE_MAX) return ossai_gltf_fail(document, "holds no skinned mesh, so there is no rig in it");
	OSSAI_TRY(ossai_gltf_read_nodes(document, &nodes));
	OSSAI_TRY(ossai_gltf_read_shape(document, &nodes, skin, &shape));
	const ossa_status status = make_rig(document, &nodes, &shape, skin, rig);
	ossa_mesh_free(document->context, shape.mesh);
	return status;
}

/* a skinned mesh is moved where its rig would have it */
static ossa_status place_skinned(ossai_gltf *document, const ossai_gltf_nodes *nodes, size_t skin_index, ossa_mesh *mesh)
{
	ossai_gltf_skin skin;
	OSSAI_TRY(ossai_gltf_read_skin(document, nodes, skin_index, &skin));
	return skin.is_plain ? OSSA_OK : place_mesh(document, &skin.placement, mesh);
}

static ossa_status read_mesh(ossai_gltf *document, ossa_mesh **mesh)
{
	ossai_gltf_nodes nodes;
	ossai_gltf_shape shape;
	size_t skin;
	OSSAI_TRY(ossai_gltf_first_skin(document, &skin));
	OSSAI_TRY(ossai_gltf_read_nodes(document, &nodes));
	OSSAI_TRY(ossai_gltf_read_shape(document, &nodes, skin, &shape));
	const ossa_status status = skin == SIZE_MAX ? OSSA_OK : place_skinned(document, &nodes, skin, shape.mesh);
	if (status == OSSA_OK) *mesh = shape.mesh;
	else ossa_mesh_free(document->context, shape.mesh);
	return status;
}

ossa_status ossai_glb_mesh_of_bytes(
	ossa_context *context, const char *path, const uint8_t *bytes, size_t size, ossa_mesh **mesh)
{
	ossai_gltf document;
	*mesh = NULL;
	ossa_status status = ossai_gltf_open(context, path, bytes, size, &document);
	if (status == OSSA_OK) status = read_mesh(&document, mesh);
	ossai_gltf_close(&document);
	return status;
}

ossa_status ossai_glb_rig_of_bytes(ossa_context *context, const char *path, const uint8_t *bytes, size_t size, ossa_rig **rig)
{
	ossai_gltf document;
	*rig = NULL;
	ossa_status status = ossai_gltf_open(context, path, bytes, size, &document);
	if (status == OSSA_OK) status = read_rig(&document, rig);
	ossai_gltf_close(&document);
	return status;
}

ossa_status ossai_glb_read_mesh(ossa_context *context, const char *path, ossa_mesh **mesh)
{
	ossai_file file;
	*mesh = NULL;
	OSSAI_TRY(ossai_file_open(context, path, &file));
	const ossa_status status = ossai_glb_mesh_of_bytes(context, path, file.bytes, file.size, mesh);
	ossai_file_close(context, &file);
	return status;
}

ossa_status ossai_glb_read_rig(ossa_context *context, const char *path, ossa_rig **rig)
{
	ossai_file file;
	*rig = NULL;
	OSSAI_TRY(ossai_file_open(context, path, &file));
	const ossa_status status = ossai_glb_rig_of_bytes(context, path, file.bytes, file.size, rig);
	ossai_file_close(context, &file);
	return status;
}
