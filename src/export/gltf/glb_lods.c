/* export/gltf/glb_lods.c: coarser levels of a rig in a glTF file.

   Place in the path: inside the GLB writer, after the finest level was written as a rig is.
   Input: the file so far, meshes with weights of the same skeleton.
   Output: for each object of a level a node outside the scene, with a mesh and the level's skin,
   which a node of the finest mesh names. Programs without the extension show the finest mesh alone.
   Source: MSFT_lod. */
#include "export/export.h"
#include "export/gltf/glb.h"
#include "export/scene_left_out.h"
#include "scene/document.h"
#include "scene/sets.h"

#include <string.h>

typedef struct lod_job {
	ossai_glb_writer *writer;
	const ossai_glb_lod *lods;
	size_t count;
	size_t first_bone;
	ossai_glb_level *levels; /* what was written of each */
	json_t *coverage;        /* of all */
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
		failed |= json_array_append_new(list, json_integer((json_int_t)job->first_bone + (json_int_t)b));
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

static void warn_of_tangents(const lod_job *job, size_t level, int64_t count)
{
	if (count == 0) return;
	ossai_warn(job->writer->context, "tangents-left-out", count,
		"%s: is written as a level of detail, without its tangents: programs make them from normals and UVs",
		job->lods[level].rig->mesh->document->path);
}

/* meshes of a level's file that have tangents, which the level has not found */
static int64_t count_tangents(const ossa_document *document)
{
	int64_t count = 0;
	for (size_t m = 0; document && m < document->mesh_count; m++) {
		const json_t *meshes = json_object_get(document->root, "meshes"), *primitive;
		size_t p;
		bool found = false;
		json_array_foreach(json_object_get(json_array_get(meshes, document->meshes[m].mesh), "primitives"), p, primitive)
		{
			found |= json_object_get(json_object_get(primitive, "attributes"), "TANGENT") != NULL;
		}
		count += found;
	}
	return count;
}

/* targets of a mesh that turn the tangents of one of its primitives */
static size_t count_turning(const json_t *mesh)
{
	const json_t *primitives = json_object_get(mesh, "primitives"), *primitive;
	const json_t *first = json_object_get(json_array_get(primitives, 0), "targets");
	size_t count = 0, p;
	for (size_t t = 0; t < json_array_size(first); t++) {
		bool turns = false;
		json_array_foreach(primitives, p, primitive)
		{
			const json_t *target = json_array_get(json_object_get(primitive, "targets"), t);
			turns |= json_object_get(target, "TANGENT") != NULL;
		}
		count += turns;
	}
	return count;
}

/* ossa_morph holds positions alone; normals are made of these */
static void warn_of_target_tangents(const lod_job *job, size_t level)
{
	const ossa_document *document = job->lods[level].rig->mesh->document;
	size_t count = 0;
	for (size_t m = 0; document && m < document->mesh_count; m++)
		count += count_turning(json_array_get(json_object_get(document->root, "meshes"), document->meshes[m].mesh));
	if (count == 0) return;
	ossai_warn(job->writer->context, "morph-tangents-left-out", (int64_t)count,
		"%s: is written as a level of detail, without the tangents of its morph targets", document->path);
}

/* an object of a level, with the level's skin; tangents of the level's mesh, or NULL */
static ossa_status put_object(
	const lod_job *job, size_t level, const ossai_object_part *part, const float *tangents, size_t skin, size_t *node)
{
	ossai_glb_writer *writer = job->writer;
	const ossa_rig *rig = job->lods[level].rig;
	ossa_weights weights;
	size_t index;
	bool is_partial;
	char name[96];
	OSSAI_TRY(ossai_object_weights(&writer->arena, part, &rig->weights, &weights));
	ossai_glb_surface surface = {.weights = &weights, .bone_count = rig->skeleton.bone_count};
	OSSAI_TRY(ossai_glb_part_tangents(writer, part, tangents, &surface.tangents, &is_partial));
	warn_of_tangents(job, level, is_partial);
	OSSAI_TRY(ossai_glb_put_mesh(writer, part, &surface, &index));
	snprintf(name, sizeof name, "%s_lod%zu", part->mesh->name[0] ? part->mesh->name : "mesh", level);
	json_t *item = json_pack(
		"{s:o,s:I,s:I}", "name", ossai_glb_node_name(writer, name), "mesh", (json_int_t)index, "skin", (json_int_t)skin);
	return ossai_glb_put(writer, "nodes", item, node);
}

/* space for what a level has written */
static ossa_status make_list(const lod_job *job, size_t count, size_t **nodes, const char ***names)
{
	*nodes = ossai_arena_new(&job->writer->arena, count, sizeof **nodes);
	*names = ossai_arena_new(&job->writer->arena, count, sizeof **names);
	return *nodes && *names ? OSSA_OK : ossa_context_error(job->writer->context)->status;
}

static ossa_status put_objects(const lod_job *job, size_t level, const float *tangents, size_t skin)
{
	ossai_object_parts parts;
	size_t *nodes;
	const char **names;
	job->writer->uv_count = ossai_uv_count(job->lods[level].rig->mesh);
	OSSAI_TRY(ossai_objects_split(&job->writer->arena, job->lods[level].rig->mesh, NULL, OSSAI_AXES_MESH, &parts));
	OSSAI_TRY(ossai_objects_take_off_morphs(&job->writer->arena, &parts));
	OSSAI_TRY(make_list(job, parts.count, &nodes, &names));
	for (size_t i = 0; i < parts.count; i++) {
		names[i] = parts.items[i].mesh->name;
		OSSAI_TRY(put_object(job, level, &parts.items[i], tangents, skin, &nodes[i]));
	}
	job->levels[level] = (ossai_glb_level){parts.count, nodes, names};
	return OSSA_OK;
}

static ossa_status put_level(const lod_job *job, size_t level)
{
	size_t skin;
	float *tangents;
	/* images and materials are numbered by mesh */
	job->writer->image_of = NULL;
	job->writer->material_of = NULL;
	OSSAI_TRY(ossai_glb_find_tangents(job->writer, job->lods[level].rig->mesh, &tangents));
	if (!tangents) warn_of_tangents(job, level, count_tangents(job->lods[level].rig->mesh->document));
	warn_of_target_tangents(job, level);
	OSSAI_TRY(put_skin(job, &job->lods[level], &skin));
	OSSAI_TRY(put_objects(job, level, tangents, skin));
	ossai_warn_of_loose_textures(job->writer->context, job->lods[level].rig->mesh, "a level of detail");
	return ossai_warn_of_level(job->writer->context, job->lods[level].rig->mesh, job->writer->root);
}

/* ---- the finest level ---- */

/* whether a node shows a mesh of the finest rig: one whose skin has its first bone */
static bool is_finest(const lod_job *job, const json_t *node)
{
	const json_t *number = json_object_get(node, "skin");
	const json_t *skin = number ? item_at(job, "skins", (size_t)json_integer_value(number)) : NULL;
	return skin && json_integer_value(json_array_get(json_object_get(skin, "joints"), 0)) == (json_int_t)job->first_bone;
}

static ossa_status list_finest(const lod_job *job)
{
	const size_t count = json_array_size(json_object_get(job->writer->root, "nodes"));
	size_t *nodes, found = 0;
	const char **names;
	OSSAI_TRY(make_list(job, count, &nodes, &names));
	for (size_t n = 0; n < count; n++) {
		const json_t *node = item_at(job, "nodes", n);
		if (!is_finest(job, node)) continue;
		const char *name = json_string_value(json_object_get(node, "name"));
		names[found] = name ? name : "";
		nodes[found++] = n;
	}
	job->levels[0] = (ossai_glb_level){found, nodes, names};
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
	ossai_glb_writer *writer = job->writer;
	writer->drops_lods = job->count > 1;
	OSSAI_TRY(ossai_glb_put_rig(writer, job->lods[0].rig, path, options, &job->first_bone));
	if (job->count == 1) return OSSA_OK;
	job->levels = ossai_arena_zero(&writer->arena, job->count, sizeof *job->levels);
	if (!job->levels) return ossa_context_error(writer->context)->status;
	job->coverage = json_array();
	int failed = job->coverage ? 0 : -1;
	for (size_t i = 0; failed == 0 && i < job->count; i++)
		failed = json_array_append_new(job->coverage, json_real(job->lods[i].coverage));
	if (failed != 0) return no_memory(job);
	writer->reuses = true;
	OSSAI_TRY(list_finest(job));
	for (size_t i = 1; i < job->count; i++) OSSAI_TRY(put_level(job, i));
	OSSAI_TRY(ossai_glb_name_levels(writer, job->levels, job->count, job->coverage));
	return use_extension(job);
}

ossa_status ossai_glb_write_lods(
	ossa_context *context, const ossai_glb_lod *lods, size_t count, const char *path, const ossa_write_options *options)
{
	ossai_glb_writer writer;
	lod_job job = {.writer = &writer, .lods = lods, .count = count};
	ossa_status status = ossai_glb_begin(context, options, &writer);
	if (status == OSSA_OK) status = put_all(&job, path, options);
	if (status == OSSA_OK) status = ossai_glb_save(&writer, path);
	json_decref(job.coverage);
	ossai_glb_end(&writer);
	return status;
}
