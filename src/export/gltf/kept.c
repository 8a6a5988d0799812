/* export/gltf/kept.c: a rig written into the glTF file that its mesh came from: the outline.

   Place in the path: inside the GLB writer.
   Input: a rig whose mesh has a document.
   Output: the document with the rig: everything else as it was, in the same order, with the same
   bytes. */
#include "export/gltf/kept.h"
#include "export/export.h"
#include "rig/clip_morphs.h"
#include "scene/mesh.h"

#include <string.h>

json_t *ossai_kept_item(const ossai_kept *kept, const char *list, size_t index)
{
	return json_array_get(json_object_get(kept->writer->root, list), index);
}

size_t ossai_kept_number(const json_t *item, const char *key)
{
	const json_t *value = json_object_get(item, key);
	return json_is_integer(value) && json_integer_value(value) >= 0 ? (size_t)json_integer_value(value) : SIZE_MAX;
}

ossa_status ossai_kept_filter(ossai_kept *kept, json_t *holder, const char *key, const uint8_t *stays)
{
	json_t *list = json_object_get(holder, key), *left = json_array(), *item;
	size_t index;
	int failed = left ? 0 : -1;
	json_array_foreach(list, index, item)
	{
		if (stays[index]) failed |= json_array_append(left, item);
	}
	/* lists may not be empty */
	if (failed == 0 && json_array_size(left) > 0) failed = json_object_set(holder, key, left);
	else if (failed == 0) json_object_del(holder, key);
	json_decref(left);
	return failed == 0 ? OSSA_OK : ossai_glb_no_memory(kept->writer->context);
}

static void find_parents(ossai_kept *kept)
{
	json_t *node, *child;
	size_t n, c;
	memset(kept->parent, 0xFF, kept->document->node_count * sizeof *kept->parent);
	json_array_foreach(json_object_get(kept->document->root, "nodes"), n, node)
	{
		json_array_foreach(json_object_get(node, "children"), c, child) kept->parent[json_integer_value(child)] = (uint32_t)n;
	}
}

/* everything that shows, or may be a place that programs look for, keeps the nodes above it */
static void find_bare(ossai_kept *kept)
{
	json_t *node;
	size_t n;
	memset(kept->is_bare, 1, kept->document->node_count);
	json_array_foreach(json_object_get(kept->document->root, "nodes"), n, node)
	{
		const bool is_of_rig = kept->is_joint[n] || kept->is_mesh[n] || kept->is_dropped[n];
		const bool is_end = !is_of_rig && json_array_size(json_object_get(node, "children")) == 0;
		const bool shows = json_object_get(node, "camera") || json_object_get(node, "extensions") ||
			(json_object_get(node, "mesh") && !kept->is_mesh[n] && !kept->is_dropped[n]);
		kept->is_shown[n] = is_end || shows;
		if (!kept->is_shown[n]) continue;
		for (uint32_t at = (uint32_t)n; at != OSSA_NONE && kept->is_bare[at]; at = kept->parent[at]) kept->is_bare[at] = 0;
	}
}

/* Lists of which little may stay are copied item by item, when it is known what does
   (ossai_kept_own_items): the JSON of motions is most of a file's. */
static bool is_copied_later(const ossai_kept *kept, const char *key)
{
	if (strcmp(key, "animations") == 0) return kept->rig != NULL;
	return strcmp(key, "accessors") == 0 || strcmp(key, "bufferViews") == 0;
}

static ossa_status copy_root(ossai_kept *kept)
{
	const char *key;
	json_t *value, *root = kept->writer->root = json_object();
	int failed = root ? 0 : -1;
	json_object_foreach(kept->document->root, key, value)
	{
		json_t *copy = is_copied_later(kept, key) ? json_copy(value) : json_deep_copy(value);
		failed |= json_object_set_new(root, key, copy);
	}
	return failed == 0 ? OSSA_OK : ossai_glb_no_memory(kept->writer->context);
}

ossa_status ossai_kept_own_items(ossai_kept *kept, const char *list)
{
	json_t *items = json_object_get(kept->writer->root, list);
	for (size_t i = 0; i < json_array_size(items); i++) {
		if (json_array_set_new(items, i, json_deep_copy(json_array_get(items, i))) != 0)
			return ossai_glb_no_memory(kept->writer->context);
	}
	return OSSA_OK;
}

/* what was compressed is written as it was read */
static void warn_expanded(const ossai_kept *kept)
{
	const ossa_document *document = kept->document;
	if (document->expanded == 0) return;
	ossai_warn(kept->writer->context, "compression-expanded", (int64_t)document->expanded,
		"%s: parts that are compressed with Draco or meshopt are written expanded", document->path);
}

ossa_status ossai_kept_open_file(ossai_kept *kept, ossai_kept_file *file)
{
	const ossa_document *document = kept->document;
	ossai_gltf_buffer *buffers = ossai_arena_zero(&kept->writer->arena, document->buffer_count, sizeof *buffers);
	if (!buffers) return ossa_context_error(kept->writer->context)->status;
	for (size_t i = 0; i < document->buffer_count; i++) {
		buffers[i] = (ossai_gltf_buffer){.is_loaded = true, .bytes = {document->buffers[i].bytes, document->buffers[i].size}};
	}
	file->source = (ossai_source){.path = document->path};
	file->asset = (ossai_asset){.context = document->context, .path = document->path};
	file->gltf = (ossai_gltf){.context = document->context,
		.asset = &file->asset,
		.source = &file->source,
		.root = document->root,
		.scratch = ossai_arena_begin(kept->writer->context),
		.buffers = buffers,
		.buffer_count = document->buffer_count,
		/* what is read again was paid for when it was read first */
		.budget = SIZE_MAX};
	return OSSA_OK;
}

void ossai_kept_close_file(ossai_kept_file *file) { ossai_arena_end(&file->gltf.scratch); }

static ossa_status make_arrays(ossai_kept *kept)
{
	ossai_arena *arena = &kept->writer->arena;
	const size_t count = kept->document->node_count;
	kept->is_joint = ossai_arena_zero(arena, count, 1);
	kept->is_mesh = ossai_arena_zero(arena, count, 1);
	kept->is_lod = ossai_arena_zero(arena, count, 1);
	kept->is_dropped = ossai_arena_zero(arena, count, 1);
	kept->is_replaced = ossai_arena_zero(arena, count, 1);
	kept->is_shown = ossai_arena_zero(arena, count, 1);
	kept->holds_mesh = ossai_arena_zero(arena, count, 1);
	kept->has_instances = ossai_arena_zero(arena, count, 1);
	kept->node_of = ossai_arena_new(arena, count, sizeof *kept->node_of);
	kept->is_bare = ossai_arena_new(arena, count, 1);
	kept->parent = ossai_arena_new(arena, count, sizeof *kept->parent);
	kept->orphans = ossai_arena_new(arena, count, sizeof *kept->orphans);
	if (!kept->is_joint || !kept->is_mesh || !kept->is_lod || !kept->is_dropped || !kept->is_replaced || !kept->is_shown ||
		!kept->holds_mesh || !kept->has_instances || !kept->is_bare || !kept->parent || !kept->node_of || !kept->orphans)
		return ossa_context_error(arena->context)->status;
	for (size_t n = 0; n < count; n++) kept->node_of[n] = n;
	return OSSA_OK;
}

static ossa_status begin_lods(ossai_kept *kept)
{
	OSSAI_TRY(ossai_kept_find_lods(kept));
	if (!kept->writer->drops_lods) return ossai_kept_join_lods(kept);
	ossai_kept_drop_lods(kept);
	kept->level_count = 0;
	return OSSA_OK;
}

static ossa_status begin(ossai_kept *kept)
{
	ossai_arena *arena = &kept->writer->arena;
	json_decref(kept->writer->root);
	OSSAI_TRY(copy_root(kept));
	warn_expanded(kept);
	OSSAI_TRY(make_arrays(kept));
	find_parents(kept);
	if (kept->rig) OSSAI_TRY(begin_lods(kept));
	const ossa_document *document = kept->document;
	kept->mesh_node = ossai_arena_new(arena, document->mesh_count, sizeof *kept->mesh_node);
	if (!kept->mesh_node) return ossa_context_error(arena->context)->status;
	for (size_t m = 0; m < document->mesh_count; m++) {
		kept->mesh_node[m] = document->meshes[m].node;
		kept->is_lod[document->meshes[m].node] = document->meshes[m].lod > 0;
	}
	return OSSA_OK;
}

static bool renumber(void *user, json_t *number)
{
	const size_t *number_of = user;
	return json_integer_set(number, (json_int_t)number_of[json_integer_value(number)]) == 0;
}

ossa_status ossai_kept_renumber(
	ossai_kept *kept, ossai_link kind, const char *list, const uint8_t *stays, const size_t **numbers)
{
	json_t *root = kept->writer->root;
	const size_t count = json_array_size(json_object_get(root, list));
	size_t *number_of = ossai_arena_new(&kept->writer->arena, count, sizeof *number_of);
	if (!number_of) return ossa_context_error(kept->writer->context)->status;
	for (size_t i = 0, left = 0; i < count; i++) {
		number_of[i] = left;
		left += stays[i];
	}
	OSSAI_TRY(ossai_kept_filter(kept, root, list, stays));
	ossai_document_visit(root, kind, renumber, number_of);
	if (numbers) *numbers = number_of;
	return OSSA_OK;
}

static ossa_status take_old_rig_out(ossai_kept *kept)
{
	OSSAI_TRY(ossai_kept_find_joints(kept));
	ossai_kept_find_holders(kept);
	find_bare(kept);
	OSSAI_TRY(ossai_kept_drop_skins(kept));
	OSSAI_TRY(ossai_kept_free_meshes(kept));
	OSSAI_TRY(ossai_kept_dissolve_groups(kept));
	ossai_kept_find_replaced(kept);
	OSSAI_TRY(ossai_kept_drop_channels(kept));
	return ossai_kept_drop_joints(kept);
}

/* the file's meshes that are shown, which have their targets as the file has them */
static ossa_status find_shapes(ossai_kept *kept, ossai_glb_shapes *shapes)
{
	const ossa_document *document = kept->document;
	ossai_glb_shape_node *nodes = ossai_arena_new(&kept->writer->arena, document->mesh_count, sizeof *nodes);
	if (!nodes) return ossa_context_error(kept->writer->context)->status;
	*shapes = (ossai_glb_shapes){kept->rig, 0, nodes};
	for (size_t m = 0; m < document->mesh_count; m++) {
		const ossai_document_mesh *mesh = &document->meshes[m];
		if (mesh->lod > 0 || mesh->target_count == 0) continue;
		nodes[shapes->count++] = (ossai_glb_shape_node){kept->mesh_node[m], mesh->target_count, mesh->target_morphs};
	}
	return OSSA_OK;
}

/* Weights of targets that are as they were read stay in their animations; and one of targets alone,
   whose bones are at rest, moves no bones there. */
static ossa_status put_clips(ossai_kept *kept, size_t first_bone)
{
	const size_t first = json_array_size(json_object_get(kept->writer->root, "animations"));
	ossai_glb_shapes shapes;
	OSSAI_TRY(find_shapes(kept, &shapes));
	for (size_t i = 0; i < ossa_rig_clip_count(kept->rig); i++) {
		ossa_clip clip = *ossa_rig_clip_at(kept->rig, i);
		const bool has_morphs = ossai_kept_has_morphs(kept, first, &clip);
		if (clip.frame_count == 0 || (has_morphs && ossai_clip_is_of_morphs(kept->rig, &clip))) continue;
		OSSAI_TRY(ossai_kept_time_clip(kept, first, &clip));
		OSSAI_TRY(ossai_glb_put_animation(kept->writer, &clip, has_morphs ? NULL : &shapes, first_bone));
	}
	return ossai_kept_join_animations(kept, first);
}

/* corrective shapes are written with the motion that they have now */
bool ossai_glb_can_keep(const ossa_mesh *mesh)
{
	return mesh->document && mesh->document->vertex_count == mesh->vertex_count && ossai_morphs_driven(mesh) == 0;
}

/* whether the file shows the mesh where it is, without a rig */
static bool is_untouched(const ossa_mesh *mesh)
{
	const ossa_document *document = mesh->document;
	const ossai_rigid same = ossai_affine_identity();
	if (!ossai_rigid_same(&document->space, &same)) return false;
	const json_t *nodes = json_object_get(document->root, "nodes");
	for (size_t m = 0; m < document->mesh_count; m++) {
		if (json_object_get(json_array_get(nodes, document->meshes[m].node), "skin")) return false;
	}
	return memcmp(mesh->positions, document->positions, 3 * mesh->vertex_count * sizeof *mesh->positions) == 0;
}

bool ossai_glb_can_keep_mesh(const ossa_mesh *mesh, const ossa_frames *frames)
{
	if (!ossai_glb_can_keep(mesh) || !is_untouched(mesh)) return false;
	return !frames || ossai_document_has_frames(mesh->document, frames);
}

/* animations that were asked for go alone */
static ossa_status take_chosen_animations(ossai_kept *kept)
{
	return ossai_kept_filter(kept, kept->writer->root, "animations", kept->document->is_read);
}

ossa_status ossai_glb_put_kept_mesh(
	ossai_glb_writer *writer, const ossa_mesh *mesh, const ossa_frames *frames, const char *path)
{
	ossai_kept kept = {.writer = writer, .document = mesh->document, .mesh = mesh};
	OSSAI_TRY(begin(&kept));
	if (frames && mesh->document->is_chosen) OSSAI_TRY(take_chosen_animations(&kept));
	OSSAI_TRY(ossai_kept_take_data(&kept));
	return ossai_kept_take_images(&kept, path);
}

ossa_status ossai_glb_put_kept(
	ossai_glb_writer *writer, const ossa_rig *rig, const char *path, const ossa_write_options *options, size_t *first_bone)
{
	ossai_kept kept = {.writer = writer,
		.document = rig->mesh->document,
		.rig = rig,
		.mesh = rig->mesh,
		.finest = rig,
		.keeps_skin = options->keep_skin};
	OSSAI_TRY(begin(&kept));
	OSSAI_TRY(take_old_rig_out(&kept));
	OSSAI_TRY(ossai_kept_find_moved(&kept));
	OSSAI_TRY(ossai_kept_take_data(&kept));
	OSSAI_TRY(ossai_kept_take_images(&kept, path));
	OSSAI_TRY(ossai_kept_put_shapes(&kept));
	OSSAI_TRY(ossai_kept_put_rig(&kept, options->leaf_bones, first_bone));
	const ossai_rigid axes = ossai_kept_axes(options);
	OSSAI_TRY(ossai_kept_attach_orphans(&kept, *first_bone, &axes));
	OSSAI_TRY(ossai_kept_turn_roots(&kept, &axes));
	return put_clips(&kept, *first_bone);
}
