/* export/gltf/glb.c: glTF 2.0 files, .glb and .gltf, the outline.

   Place in the path: a writer of the registry.
   Input: a checked rig or mesh.
   Output: a file in which the Khronos validator finds no error and no warning: a node for each
   object at the scene's root, without transform where it has a skin, the joints in a tree beside
   them, transforms as translation and rotation, names that no program changes.
   Source: glTF 2.0 specification. */
#include "export/export.h"
#include "base/text.h"
#include "export/check_rest.h"
#include "export/gltf/glb.h"
#include "scene/sets.h"

#include <ossa/rest_pose.h>
#include <string.h>

/* whose weights, four bytes for each at each key, still fit 4 GiB */
enum { MOST_TARGETS = 32767 };

/* bones keep their names; the mesh's node is renamed */
static ossa_status reserve_names(ossai_glb_writer *writer, const ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (json_object_set_new(writer->names, skeleton->bones[b].name, json_true()) != 0)
			return ossai_glb_no_memory(writer->context);
	}
	return OSSA_OK;
}

/* Where an object is at rest: as glTF wants it, or where that does not count, because joints move
   the mesh, in ossa's own extras. */
static ossa_status set_transform(ossai_glb_writer *writer, const double *own, const ossai_rigid *place, json_t *item)
{
	const ossai_rigid none = ossai_affine_identity();
	ossai_quat turn = ossai_quat_identity();
	double scale[3], q[4];
	int failed = 0;
	if (own) {
		const ossai_rigid map = ossai_rigid_of(own);
		if (ossai_rigid_same(&map, &none)) return OSSA_OK;
		json_t *extras = json_pack("{s:{s:o}}", "ossa", "transform", ossai_glb_numbers(own, 16));
		failed = json_object_set_new(item, "extras", extras);
	} else if (!ossai_rigid_same(place, &none) && ossai_affine_split(place, &turn, scale)) {
		const double position[3] = {place->t.x, place->t.y, place->t.z};
		ossai_quat_store(turn, q);
		failed |= json_object_set_new(item, "translation", ossai_glb_numbers(position, 3));
		failed |= json_object_set_new(item, "rotation", ossai_glb_numbers(q, 4));
		failed |= json_object_set_new(item, "scale", ossai_glb_numbers(scale, 3));
	}
	return failed ? ossai_glb_no_memory(writer->context) : OSSA_OK;
}

/* own: the object's transform where the mesh has a skin, else NULL. Objects, whose names
   are different already, keep all letters of them. */
static ossa_status put_mesh_node(
	ossai_glb_writer *writer, const ossai_object_part *part, size_t mesh_index, bool skinned, const double *own)
{
	json_t *name = part->object && !json_object_get(writer->names, part->mesh->name)
		? json_string(part->mesh->name)
		: ossai_glb_node_name(writer, part->mesh->name[0] ? part->mesh->name : "mesh");
	json_t *item = json_pack("{s:o,s:I}", "name", name, "mesh", (json_int_t)mesh_index);
	/* the rig's is the first: those of levels of detail follow */
	if (item && skinned && json_object_set_new(item, "skin", json_integer(0)) != 0) {
		json_decref(item);
		item = NULL;
	}
	if (!item) return ossai_glb_no_memory(writer->context);
	const ossa_status status = skinned && !own ? OSSA_OK : set_transform(writer, own, &part->transform, item);
	if (status == OSSA_OK) return ossai_glb_put(writer, "nodes", item, NULL);
	json_decref(item);
	return status;
}

/* the scene shows as many nodes from the first on */
static json_t *scene_of(size_t count)
{
	json_t *nodes = json_array();
	for (size_t i = 0; i < count; i++) {
		if (json_array_append_new(nodes, json_integer((json_int_t)i)) == 0) continue;
		json_decref(nodes);
		return NULL;
	}
	return json_pack("{s:o}", "nodes", nodes);
}

static ossa_status put_scene(ossai_glb_writer *writer, json_t *scene)
{
	OSSAI_TRY(ossai_glb_put(writer, "scenes", scene, NULL));
	return json_object_set_new(writer->root, "scene", json_integer(0)) == 0 ? OSSA_OK : ossai_glb_no_memory(writer->context);
}

static ossa_status put_animations(
	ossai_glb_writer *writer, const ossa_rig *rig, const ossai_glb_shapes *shapes, size_t first_node)
{
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(rig, i);
		if (clip->frame_count > 0) OSSAI_TRY(ossai_glb_put_animation(writer, clip, shapes, first_node));
	}
	return OSSA_OK;
}

/* a skeleton without a mesh: nodes and their motion */
static ossa_status put_bare_skeleton(ossai_glb_writer *writer, const ossa_rig *rig, const ossa_write_options *options)
{
	OSSAI_TRY(put_scene(writer, json_pack("{s:[i]}", "nodes", 0)));
	ossai_glb_joints joints;
	OSSAI_TRY(ossai_glb_put_joints(writer, rig, options->leaf_bones, &joints));
	return put_animations(writer, rig, NULL, joints.first_node);
}

/* the objects with the rig's weights; their nodes are the first, so that their numbers are known
   before the joints are written */
static ossa_status put_skinned(ossai_glb_writer *writer, const ossa_rig *rig, const ossai_object_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		const ossai_object_part *part = &parts->items[i];
		ossa_weights weights;
		size_t mesh;
		OSSAI_TRY(ossai_object_weights(&writer->arena, part, &rig->weights, &weights));
		const ossai_glb_surface surface = {.weights = &weights, .bone_count = rig->skeleton.bone_count, .rig = rig};
		OSSAI_TRY(ossai_glb_put_mesh(writer, part, &surface, &mesh));
		OSSAI_TRY(put_mesh_node(writer, part, mesh, true, part->object ? part->object->transform : NULL));
	}
	return OSSA_OK;
}

ossa_status ossai_glb_put_rig(
	ossai_glb_writer *writer, const ossa_rig *rig, const char *path, const ossa_write_options *options, size_t *first_bone)
{
	ossai_object_parts parts;
	if (ossai_glb_can_keep(rig->mesh)) return ossai_glb_put_kept(writer, rig, path, options, first_bone);
	writer->uv_count = ossai_uv_count(rig->mesh);
	OSSAI_TRY(ossai_objects_split(&writer->arena, rig->mesh, NULL, OSSAI_AXES_MESH, &parts));
	OSSAI_TRY(ossai_objects_take_off_morphs(&writer->arena, &parts));
	*first_bone = parts.count;
	ossai_glb_joints joints;
	OSSAI_TRY(reserve_names(writer, &rig->skeleton));
	if (rig->mesh->vertex_count == 0) return put_bare_skeleton(writer, rig, options);
	OSSAI_TRY(put_scene(writer, scene_of(parts.count + 1)));
	OSSAI_TRY(put_skinned(writer, rig, &parts));
	OSSAI_TRY(ossai_glb_put_joints(writer, rig, options->leaf_bones, &joints));
	/* the meshes' nodes name it, as the file's first one */
	OSSAI_TRY(ossai_glb_put_skin(writer, &joints, NULL, NULL));
	ossai_glb_shape_node *nodes = ossai_arena_new(&writer->arena, parts.count, sizeof *nodes);
	if (!nodes) return ossa_context_error(writer->context)->status;
	for (size_t i = 0; i < parts.count; i++)
		nodes[i] = (ossai_glb_shape_node){i, parts.items[i].mesh->morph_count, parts.items[i].morphs};
	return put_animations(writer, rig, &(ossai_glb_shapes){rig, parts.count, nodes}, *first_bone);
}

/* what is written of a mesh alone */
typedef struct still {
	const ossa_mesh *mesh;
	const float *positions;    /* in place of its own, or NULL */
	const ossa_frames *frames; /* that it runs through, or NULL */
} still;

static ossa_status put_static(ossai_glb_writer *writer, const still *what, const char *path)
{
	ossai_object_parts parts;
	if (!what->positions && ossai_glb_can_keep_mesh(what->mesh, what->frames))
		return ossai_glb_put_kept_mesh(writer, what->mesh, what->frames, path);
	/* frames are in the mesh's axes */
	const ossai_axes axes = what->frames ? OSSAI_AXES_MESH : OSSAI_AXES_RIGHT_ANGLED;
	writer->uv_count = ossai_uv_count(what->mesh);
	OSSAI_TRY(ossai_objects_split(&writer->arena, what->mesh, what->positions, axes, &parts));
	if (!what->frames) OSSAI_TRY(ossai_objects_take_off_morphs(&writer->arena, &parts));
	OSSAI_TRY(put_scene(writer, scene_of(parts.count)));
	for (size_t i = 0; i < parts.count; i++) {
		size_t index;
		OSSAI_TRY(ossai_glb_put_mesh(writer, &parts.items[i], &(ossai_glb_surface){.frames = what->frames}, &index));
		OSSAI_TRY(put_mesh_node(writer, &parts.items[i], index, false, NULL));
	}
	return what->frames ? ossai_glb_put_morph_animation(writer, what->frames, 0, parts.count) : OSSA_OK;
}

/* glTF says Y up and metres; other choices of the caller are kept */
static void warn_of_conventions(ossa_context *context, const ossa_write_options *options)
{
	if (options->up != OSSA_UP_Z && options->unit == 1) return;
	ossai_warn(context, "gltf-convention", 1,
		"glTF is Y up and in metres by its specification: programs will show this file lying down or in another size");
}

ossa_status ossai_glb_write_rig(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	ossai_glb_writer writer;
	size_t first_bone;
	warn_of_conventions(context, options);
	ossa_status status = ossai_glb_begin(context, options, &writer);
	if (status == OSSA_OK) status = ossai_glb_put_rig(&writer, rig, path, options, &first_bone);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	ossai_glb_end(&writer);
	return status;
}

/* axes and unit of VRM are fixed, as glTF's; there is a mesh, or no one could wear it */
static ossa_status check_vrm(ossa_context *context, const ossa_rig *rig, const ossa_write_options *options)
{
	if (options->up == OSSA_UP_Z || options->unit != 1)
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "VRM files are Y up and in metres: leave out `up` and `unit`");
	if (rig->mesh->vertex_count == 0)
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "VRM files need a mesh, and this rig is a skeleton alone");
	return OSSA_OK;
}

/* what the file says and its maker may not mean */
static ossa_status warn_of_vrm(ossa_context *context, const ossa_rig *rig, const ossa_write_options *options)
{
	if (strcmp(options->author, ossa_write_default().author) == 0) {
		ossai_warn(context, "no-author", 1, "VRM files name their author, and this one says \"%s\": give it with `author`",
			options->author);
	}
	/* half way between facing +z and facing a side */
	if (ossa_body_is_known(&rig->body) && rig->body.front[2] < 0.7)
		ossai_warn(context, "vrm-front", 1, "VRM models face +z, and this one does not: avatars will look aside");
	return ossai_check_rest(context, "VRM", rig, OSSA_REST_T);
}

ossa_status ossai_vrm_write_rig(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	ossai_glb_writer writer;
	char name[64];
	size_t first_bone;
	OSSAI_TRY(check_vrm(context, rig, options));
	ossai_name_of_path(name, path);
	ossa_status status = ossai_glb_begin(context, options, &writer);
	if (status == OSSA_OK) status = ossai_glb_put_rig(&writer, rig, path, options, &first_bone);
	if (status == OSSA_OK) status = ossai_glb_put_vrm(&writer, rig, first_bone, name, options->author);
	if (status == OSSA_OK) status = warn_of_vrm(context, rig, options);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	ossai_glb_end(&writer);
	return status;
}

static ossa_status write_static(ossa_context *context, const still *what, const char *path, const ossa_write_options *options)
{
	ossai_glb_writer writer;
	warn_of_conventions(context, options);
	ossa_status status = ossai_glb_begin(context, options, &writer);
	if (status == OSSA_OK) status = put_static(&writer, what, path);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	ossai_glb_end(&writer);
	return status;
}

ossa_status ossai_glb_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	return write_static(context, &(still){.mesh = mesh, .positions = positions}, path, options);
}

ossa_status ossai_glb_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options)
{
	if (!mesh) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"a glTF file of frames needs the mesh whose vertices move: give it before them");
	}
	const bool is_own = ossai_glb_can_keep_mesh(mesh, frames);
	/* each frame is a target, and each key has a weight for each target */
	if (!is_own && (frames->frame_count == 0 || frames->frame_count > MOST_TARGETS)) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
			"a glTF file cannot hold %zu frames as morph targets, only 1 to %d: write every second one, or a cache (.pc2, "
			".mdd)",
			frames->frame_count, MOST_TARGETS);
	}
	return write_static(context, &(still){.mesh = mesh, .frames = frames}, path, options);
}
