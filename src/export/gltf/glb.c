/* export/gltf/glb.c: glTF 2.0 files, .glb and .gltf, the outline.

   Place in the path: a writer of the registry.
   Input: a checked rig or mesh.
   Output: a file in which the Khronos validator finds no error and no warning: the mesh node
   without transform at the scene's root, the joints in a tree beside it, transforms as translation
   and rotation, names that no program changes.
   Source: glTF 2.0 specification. */
#include "export/export.h"
#include "base/text.h"
#include "export/check_rest.h"
#include "export/gltf/glb.h"

#include <ossa/rest_pose.h>
#include <string.h>

/* the mesh's node is the first, so that its number is known before the joints are written */
enum { MESH_NODE = 0, FIRST_BONE_NODE = 1 };

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

static ossa_status put_mesh_node(ossai_glb_writer *writer, const ossa_mesh *mesh, size_t mesh_index, bool skinned)
{
	json_t *name = ossai_glb_node_name(writer, mesh->name[0] ? mesh->name : "mesh");
	json_t *item = json_pack("{s:o,s:I}", "name", name, "mesh", (json_int_t)mesh_index);
	/* there is one skin */
	if (item && skinned && json_object_set_new(item, "skin", json_integer(0)) != 0) {
		json_decref(item);
		item = NULL;
	}
	return ossai_glb_put(writer, "nodes", item, NULL);
}

static ossa_status put_scene(ossai_glb_writer *writer, json_t *scene)
{
	OSSAI_TRY(ossai_glb_put(writer, "scenes", scene, NULL));
	return json_object_set_new(writer->root, "scene", json_integer(0)) == 0 ? OSSA_OK : ossai_glb_no_memory(writer->context);
}

static ossa_status put_animations(ossai_glb_writer *writer, const ossa_rig *rig, size_t first_node)
{
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) {
		const ossa_clip *clip = ossa_rig_clip_at(rig, i);
		if (clip->frame_count > 0) OSSAI_TRY(ossai_glb_put_animation(writer, clip, first_node));
	}
	return OSSA_OK;
}

/* a skeleton without a mesh: nodes and their motion */
static ossa_status put_bare_skeleton(ossai_glb_writer *writer, const ossa_rig *rig, const ossa_write_options *options)
{
	OSSAI_TRY(put_scene(writer, json_pack("{s:[i]}", "nodes", 0)));
	ossai_glb_joints joints;
	OSSAI_TRY(ossai_glb_put_joints(writer, rig, options->leaf_bones, &joints));
	return put_animations(writer, rig, joints.first_node);
}

static ossa_status put_rig(
	ossai_glb_writer *writer, const ossa_rig *rig, const char *path, const ossa_write_options *options, size_t *first_bone)
{
	size_t mesh;
	if (ossai_glb_can_keep(rig->mesh)) return ossai_glb_put_kept(writer, rig, path, options, first_bone);
	*first_bone = FIRST_BONE_NODE;
	ossai_glb_joints joints;
	OSSAI_TRY(reserve_names(writer, &rig->skeleton));
	if (rig->mesh->vertex_count == 0) return put_bare_skeleton(writer, rig, options);
	const ossai_glb_surface surface = {.weights = &rig->weights, .bone_count = rig->skeleton.bone_count, .rig = rig};
	OSSAI_TRY(put_scene(writer, json_pack("{s:[i,i]}", "nodes", MESH_NODE, FIRST_BONE_NODE)));
	OSSAI_TRY(ossai_glb_put_mesh(writer, rig->mesh, &surface, &mesh));
	OSSAI_TRY(put_mesh_node(writer, rig->mesh, mesh, true));
	OSSAI_TRY(ossai_glb_put_joints(writer, rig, options->leaf_bones, &joints));
	/* the mesh's node names it, as the file's only one */
	OSSAI_TRY(ossai_glb_put_skin(writer, &joints, NULL, NULL));
	return put_animations(writer, rig, FIRST_BONE_NODE);
}

/* a mesh alone, perhaps with frames that it runs through */
static ossa_status put_static(
	ossai_glb_writer *writer, const ossa_mesh *mesh, const ossai_glb_surface *surface, const char *path)
{
	size_t index;
	if (!surface->frames && !surface->positions && ossai_glb_can_keep_mesh(mesh))
		return ossai_glb_put_kept_mesh(writer, mesh, path);
	OSSAI_TRY(put_scene(writer, json_pack("{s:[i]}", "nodes", MESH_NODE)));
	OSSAI_TRY(ossai_glb_put_mesh(writer, mesh, surface, &index));
	OSSAI_TRY(put_mesh_node(writer, mesh, index, false));
	return surface->frames ? ossai_glb_put_morph_animation(writer, surface->frames, MESH_NODE) : OSSA_OK;
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
	ossa_status status = ossai_glb_begin(context, &writer);
	if (status == OSSA_OK) status = put_rig(&writer, rig, path, options, &first_bone);
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
	ossa_status status = ossai_glb_begin(context, &writer);
	if (status == OSSA_OK) status = put_rig(&writer, rig, path, options, &first_bone);
	if (status == OSSA_OK) status = ossai_glb_put_vrm(&writer, rig, first_bone, name, options->author);
	if (status == OSSA_OK) status = warn_of_vrm(context, rig, options);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	ossai_glb_end(&writer);
	return status;
}

static ossa_status write_static(ossa_context *context, const ossa_mesh *mesh, const ossai_glb_surface *surface,
	const char *path, const ossa_write_options *options)
{
	ossai_glb_writer writer;
	warn_of_conventions(context, options);
	ossa_status status = ossai_glb_begin(context, &writer);
	if (status == OSSA_OK) status = put_static(&writer, mesh, surface, path);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	ossai_glb_end(&writer);
	return status;
}

ossa_status ossai_glb_write_mesh(
	ossa_context *context, const ossa_mesh *mesh, const float *positions, const char *path, const ossa_write_options *options)
{
	return write_static(context, mesh, &(ossai_glb_surface){.positions = positions}, path, options);
}

ossa_status ossai_glb_write_frames(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, const char *path,
	const ossa_write_options *options)
{
	if (!mesh) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"a glTF file of frames needs the mesh whose vertices move: give it before them");
	}
	/* each frame is a target, and each key has a weight for each target */
	if (frames->frame_count == 0 || frames->frame_count > MOST_TARGETS) {
		return ossai_fail(context, OSSA_ERROR_LIMIT, NULL,
			"a glTF file cannot hold %zu frames as morph targets, only 1 to %d: write every second one, or a cache (.pc2, "
			".mdd)",
			frames->frame_count, MOST_TARGETS);
	}
	return write_static(context, mesh, &(ossai_glb_surface){.frames = frames}, path, options);
}
