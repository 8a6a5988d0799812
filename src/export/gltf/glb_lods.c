/* export/gltf/glb_lods.c: coarser levels of a rig in a glTF file.

   Place in the path: inside the GLB writer, after the finest level was written as a rig is.
   Input: the file so far, meshes with weights of the same skeleton.
   Output: for each level a node outside the scene: with a mesh and a skin, or above a node for each
   of its objects. The first node of the finest mesh names the levels; its other ones name nodes
   that show nothing, as a level stands for all of them. Programs without the extension show the
   finest mesh alone.
   Source: MSFT_lod. */
#include "export/export.h"
#include "export/gltf/glb.h"
#include "scene/document_links.h"

#include <string.h>

typedef struct lod_job {
	ossai_glb_writer *writer;
	const ossai_glb_lod *lods;
	size_t count;
	size_t first_bone;
	json_t *ids;      /* nodes of the coarser levels */
	json_t *coverage; /* of all */
} lod_job;

static ossa_status no_memory(const lod_job *job) { return ossai_glb_no_memory(job->writer->context); }

static json_t *item_at(const lod_job *job, const char *list, size_t index)
{
	return json_array_get(json_object_get(job->writer->root, list), index);
}

/* ---- levels ---- */

/* the nodes of a level's bones: those of the finest one that it has; a new reference */
static json_t *joints_of(const lod_job *job, const ossai_glb_lod *lod)
{
	const ossa_rig *finest = job->lods[0].rig;
	json_t *list = json_array();
	int failed = list ? 0 : -1;
	for (size_t b = 0; b < finest->skeleton.bone_count; b++) {
		if (lod->articulation > 0 && b > 0 && finest->last_level[b] < lod->articulation) continue;
		failed |= json_array_append_new(list, json_integer((json_int_t)(job->first_bone + b)));
	}
	if (failed == 0) return list;
	json_decref(list);
	return NULL;
}

static ossa_status put_skin(const lod_job *job, const ossai_glb_lod *lod, size_t *skin)
{
	ossai_glb_joints joints = {.rig = lod->rig, .first_node = job->first_bone, .list = joints_of(job, lod), .is_below = true};
	if (!joints.list) return no_memory(job);
	const ossa_status status = ossai_glb_put_skin(job->writer, &joints, NULL, skin);
	json_decref(joints.list);
	return status;
}

/* an object of a level, with the level's skin */
static ossa_status put_object(const lod_job *job, size_t level, const ossai_object_part *part, size_t skin, json_int_t *node)
{
	ossai_glb_writer *writer = job->writer;
	const ossa_rig *rig = job->lods[level].rig;
	ossa_weights weights;
	size_t index, at;
	char name[96];
	OSSAI_TRY(ossai_object_weights(&writer->arena, part, &rig->weights, &weights));
	const ossai_glb_surface surface = {.weights = &weights, .bone_count = rig->skeleton.bone_count};
	OSSAI_TRY(ossai_glb_put_mesh(writer, part, &surface, &index));
	snprintf(name, sizeof name, "%s_lod%zu", part->mesh->name[0] ? part->mesh->name : "mesh", level);
	json_t *item = json_pack(
		"{s:o,s:I,s:I}", "name", ossai_glb_node_name(writer, name), "mesh", (json_int_t)index, "skin", (json_int_t)skin);
	OSSAI_TRY(ossai_glb_put(writer, "nodes", item, &at));
	*node = (json_int_t)at;
	return OSSA_OK;
}

/* a level of several objects is a node with a child for each */
static ossa_status put_group(const lod_job *job, size_t level, json_t *children, json_int_t *node)
{
	char name[32];
	size_t at;
	snprintf(name, sizeof name, "lod%zu", level);
	json_t *item = json_pack("{s:o,s:O}", "name", ossai_glb_node_name(job->writer, name), "children", children);
	OSSAI_TRY(ossai_glb_put(job->writer, "nodes", item, &at));
	*node = (json_int_t)at;
	return OSSA_OK;
}

static ossa_status put_objects(const lod_job *job, size_t level, size_t skin, json_t *children)
{
	ossai_glb_writer *writer = job->writer;
	const ossa_mesh *mesh = job->lods[level].rig->mesh;
	ossai_object_parts parts;
	json_int_t node = 0;
	OSSAI_TRY(ossai_objects_split(&writer->arena, mesh, NULL, OSSAI_AXES_MESH, &parts));
	for (size_t i = 0; i < parts.count; i++) {
		OSSAI_TRY(put_object(job, level, &parts.items[i], skin, &node));
		if (json_array_append_new(children, json_integer(node)) != 0) return no_memory(job);
	}
	if (parts.count > 1) OSSAI_TRY(put_group(job, level, children, &node));
	return json_array_append_new(job->ids, json_integer(node)) == 0 ? OSSA_OK : no_memory(job);
}

static ossa_status put_level(const lod_job *job, size_t level)
{
	size_t skin;
	/* images and materials are numbered by mesh */
	job->writer->image_of = NULL;
	job->writer->material_of = NULL;
	OSSAI_TRY(put_skin(job, &job->lods[level], &skin));
	json_t *children = json_array();
	if (!children) return no_memory(job);
	const ossa_status status = put_objects(job, level, skin, children);
	json_decref(children);
	return status;
}

/* ---- the finest level ---- */

static ossa_status name_levels(const lod_job *job, json_t *node, const json_t *ids)
{
	json_t *extensions = json_object_get(node, "extensions"), *extras = json_object_get(node, "extras");
	int failed = 0;
	if (!extensions) failed |= json_object_set_new(node, "extensions", extensions = json_object());
	if (!json_is_object(extras)) failed |= json_object_set_new(node, "extras", extras = json_object());
	failed |= json_object_set_new(extensions, "MSFT_lod", json_pack("{s:o}", "ids", json_deep_copy(ids)));
	failed |= json_object_set_new(extras, "MSFT_screencoverage", json_deep_copy(job->coverage));
	return failed == 0 ? OSSA_OK : no_memory(job);
}

/* a node that shows nothing at every coarser level: what further meshes of the finest one become */
static ossa_status name_nothing(const lod_job *job, size_t node)
{
	json_t *ids = json_array();
	ossa_status status = ids ? OSSA_OK : no_memory(job);
	for (size_t i = 1; i < job->count && status == OSSA_OK; i++) {
		size_t nothing;
		status = ossai_glb_put(
			job->writer, "nodes", json_pack("{s:o}", "name", ossai_glb_node_name(job->writer, "nothing")), &nothing);
		if (status == OSSA_OK && json_array_append_new(ids, json_integer((json_int_t)nothing)) != 0) status = no_memory(job);
	}
	if (status == OSSA_OK) status = name_levels(job, item_at(job, "nodes", node), ids);
	json_decref(ids);
	return status;
}

/* whether a node shows a mesh of the finest rig: one whose skin has its first bone, and that is no
   level of the file that it came from */
static bool is_finest(const lod_job *job, const json_t *node, size_t index, const uint8_t *is_level)
{
	const json_t *number = json_object_get(node, "skin");
	if (!number || is_level[index]) return false;
	const json_t *skin = item_at(job, "skins", (size_t)json_integer_value(number));
	return json_integer_value(json_array_get(json_object_get(skin, "joints"), 0)) == (json_int_t)job->first_bone;
}

/* `count` nodes of the finest level: those with its meshes name the levels */
static ossa_status name_all(const lod_job *job, size_t count)
{
	uint8_t *is_level = ossai_arena_zero(&job->writer->arena, count, 1);
	bool is_first = true;
	json_t *id;
	size_t i;
	if (!is_level) return ossa_context_error(job->writer->context)->status;
	for (size_t n = 0; n < count; n++) {
		json_array_foreach(ossai_document_lods(item_at(job, "nodes", n)), i, id)
		{
			if ((size_t)json_integer_value(id) < count) is_level[json_integer_value(id)] = 1;
		}
	}
	for (size_t n = 0; n < count; n++) {
		json_t *node = item_at(job, "nodes", n);
		if (!is_finest(job, node, n, is_level)) continue;
		OSSAI_TRY(is_first ? name_levels(job, node, job->ids) : name_nothing(job, n));
		is_first = false;
	}
	return OSSA_OK;
}

static ossa_status use_extension(const lod_job *job)
{
	json_t *name;
	size_t i;
	json_array_foreach(json_object_get(job->writer->root, "extensionsUsed"), i, name)
	{
		if (json_is_string(name) && strcmp(json_string_value(name), "MSFT_lod") == 0) return OSSA_OK;
	}
	return ossai_glb_put(job->writer, "extensionsUsed", json_string("MSFT_lod"), NULL);
}

/* ---- all ---- */

static ossa_status put_all(lod_job *job, const char *path, const ossa_write_options *options)
{
	OSSAI_TRY(ossai_glb_put_rig(job->writer, job->lods[0].rig, path, options, &job->first_bone));
	if (job->count == 1) return OSSA_OK;
	const size_t nodes = json_array_size(json_object_get(job->writer->root, "nodes"));
	job->ids = json_array();
	job->coverage = json_array();
	int failed = job->ids && job->coverage ? 0 : -1;
	for (size_t i = 0; failed == 0 && i < job->count; i++)
		failed = json_array_append_new(job->coverage, json_real(job->lods[i].coverage));
	if (failed != 0) return no_memory(job);
	/* levels have the images of the finest one, or smaller ones */
	job->writer->shares_images = true;
	for (size_t i = 1; i < job->count; i++) OSSAI_TRY(put_level(job, i));
	OSSAI_TRY(name_all(job, nodes));
	return use_extension(job);
}

ossa_status ossai_glb_write_lods(
	ossa_context *context, const ossai_glb_lod *lods, size_t count, const char *path, const ossa_write_options *options)
{
	ossai_glb_writer writer;
	lod_job job = {.writer = &writer, .lods = lods, .count = count};
	ossa_status status = ossai_glb_begin(context, &writer);
	if (status == OSSA_OK) status = put_all(&job, path, options);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	json_decref(job.ids);
	json_decref(job.coverage);
	ossai_glb_end(&writer);
	return status;
}
