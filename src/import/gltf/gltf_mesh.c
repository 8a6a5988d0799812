/* import/gltf/gltf_mesh.c: the meshes of a glTF file: which there are, and what each is made of.

   Place in the path: inside the glTF reader, after the nodes.
   Input: nodes with meshes.
   Output: one ossai_asset_mesh for each, with all its primitives joined. Primitives that share
   their attributes share vertices.
   Source: glTF 2.0 specification, 3.5.1 (scenes) and 3.7.2 (meshes). */
#include "import/gltf/gltf_mesh.h"

#include <stdio.h>
#include <string.h>

/* what the memory of one primitive's plan is charged with */
enum { PRIMITIVE_CHARGE = 64, TRIANGLE_CHARGE = 16 };

/* ---- which nodes are shown ---- */

/* The scene's nodes and all below them. */
static ossa_status mark_scene(ossai_gltf *document, const json_t *scene, uint8_t *marks)
{
	const size_t count = document->asset->node_count;
	const json_t *roots = json_object_get(scene, "nodes");
	memset(marks, 0, count);
	for (size_t i = 0; i < json_array_size(roots); i++) {
		size_t node;
		if (!ossai_gltf_is_whole(json_array_get(roots, i), &node) || node >= count) {
			return ossai_asset_fail(document->asset, "its scene shows a node that is not there");
		}
		marks[node] = 1;
	}
	ossai_gltf_mark_below(document, marks);
	return OSSA_OK;
}

/* Marks the nodes of the scene to show; all where the file shows none of its meshes. Coarser levels
   of what is shown are not. */
static ossa_status find_shown(ossai_gltf *document, uint8_t **marks)
{
	const size_t count = document->asset->node_count;
	uint8_t *is_level;
	size_t scene, shown = 0, hidden = 0;
	OSSAI_TRY(ossai_gltf_scratch(document, &is_level, count, 1));
	OSSAI_TRY(ossai_gltf_find_lods(document, is_level));
	OSSAI_TRY(ossai_gltf_scratch(document, marks, count, 1));
	OSSAI_TRY(ossai_gltf_index(document, document->root, "scene", "scenes", &scene));
	OSSAI_TRY(mark_scene(document, ossai_gltf_item(document, "scenes", scene == SIZE_MAX ? 0 : scene), *marks));
	for (size_t n = 0; n < count; n++) {
		(*marks)[n] = (*marks)[n] && !is_level[n];
		if (!json_object_get(ossai_gltf_item(document, "nodes", n), "mesh") || is_level[n]) continue;
		shown += (*marks)[n];
		hidden += !(*marks)[n];
	}
	if (shown == 0) {
		for (size_t n = 0; n < count; n++) (*marks)[n] = !is_level[n];
	} else if (hidden > 0) {
		ossai_warn(document->context, "outside-scene", (int64_t)hidden,
			"%s: meshes outside the scene that it shows are not read", document->source->path);
	}
	return OSSA_OK;
}

/* ---- planning one mesh ---- */

/* whether two primitives name the same accessors */
static bool shares_vertices(const ossai_gltf_block *block, const json_t *attributes, const json_t *targets)
{
	const bool same_targets = block->targets == targets || json_equal(block->targets, targets);
	return same_targets && json_equal(block->attributes, attributes);
}

static ossa_status count_sets(const ossai_gltf_plan *plan, ossai_gltf_block *block)
{
	for (block->set_count = 0;; block->set_count++) {
		char joints[32], weights[32];
		snprintf(joints, sizeof joints, "JOINTS_%zu", block->set_count);
		snprintf(weights, sizeof weights, "WEIGHTS_%zu", block->set_count);
		if (!json_object_get(block->attributes, joints)) return OSSA_OK;
		if (block->set_count == OSSAI_GLTF_JOINT_SETS_MAX) break;
		if (json_object_get(block->attributes, weights)) continue;
		return ossai_asset_fail(plan->document->asset, "a primitive has joints but no %s", weights);
	}
	return ossai_asset_fail(plan->document->asset, "a primitive has more than %d sets of joints", OSSAI_GLTF_JOINT_SETS_MAX);
}

/* how many sets of an attribute there are, numbered without a gap; those beyond, or after a gap,
   are counted */
static size_t count_looks(ossai_gltf_plan *plan, const json_t *attributes, const char *attribute)
{
	const size_t length = strlen(attribute);
	char name[32];
	size_t count = 0, all = 0;
	for (void *at = json_object_iter((json_t *)attributes); at; at = json_object_iter_next((json_t *)attributes, at)) {
		const char *key = json_object_iter_key(at);
		all += strncmp(key, attribute, length) == 0 && key[length] == '_';
	}
	do snprintf(name, sizeof name, "%s_%zu", attribute, count);
	while (json_object_get(attributes, name) && ++count);
	if (count > OSSA_SETS_MAX) count = OSSA_SETS_MAX;
	plan->left_out += (int64_t)(all - count);
	return count;
}

/* sets of UVs and colours, and where they begin */
static void plan_looks(ossai_gltf_plan *plan, ossai_gltf_block *block)
{
	block->uv_count = count_looks(plan, block->attributes, "TEXCOORD");
	block->color_count = count_looks(plan, block->attributes, "COLOR");
	for (size_t set = 0; set < block->uv_count; set++) {
		block->texcoord[set] = plan->texcoord_count[set];
		plan->texcoord_count[set] += block->count;
	}
	if (block->uv_count > plan->uv_count) plan->uv_count = block->uv_count;
	if (block->color_count > plan->color_count) plan->color_count = block->color_count;
}

static ossa_status add_block(ossai_gltf_plan *plan, const json_t *attributes, const json_t *targets, size_t positions)
{
	ossai_gltf_block *block = &plan->blocks[plan->block_count++];
	*block = (ossai_gltf_block){.attributes = attributes,
		.targets = targets,
		.vertex = plan->vertex_count,
		.normal = plan->normal_count,
		.has_normals = json_object_get(attributes, "NORMAL") != NULL};
	OSSAI_TRY(ossai_gltf_open_accessor(plan->document, positions, 3, &block->positions));
	if (plan->is_skinned) OSSAI_TRY(count_sets(plan, block));
	block->count = block->positions.run.count;
	plan->vertex_count += block->count;
	plan->normal_count += block->has_normals ? block->count : 0;
	plan_looks(plan, block);
	if (block->set_count > plan->set_count) plan->set_count = block->set_count;
	if (json_array_size(targets) > plan->target_count) plan->target_count = json_array_size(targets);
	return OSSA_OK;
}

static ossa_status plan_triangles(ossai_gltf_plan *plan, const json_t *item, ossai_gltf_primitive *out)
{
	ossai_gltf *document = plan->document;
	size_t indices, materials, count = plan->blocks[out->block].count;
	OSSAI_TRY(ossai_gltf_index(document, item, "indices", "accessors", &indices));
	out->is_indexed = indices != SIZE_MAX;
	if (out->is_indexed) {
		OSSAI_TRY(ossai_gltf_open_accessor(document, indices, 1, &out->indices));
		count = out->indices.run.count;
	}
	if (out->mode == OSSAI_GLTF_TRIANGLES && count % 3 != 0) {
		return ossai_asset_fail(document->asset, "a list of triangles has %zu indices", count);
	}
	out->count = out->mode == OSSAI_GLTF_TRIANGLES ? count / 3 : count < 3 ? 0 : count - 2;
	out->triangle = plan->triangle_count;
	plan->triangle_count += out->count;
	OSSAI_TRY(ossai_gltf_charge(document, out->count, TRIANGLE_CHARGE));
	OSSAI_TRY(ossai_gltf_index(document, item, "material", "materials", &out->material));
	materials = out->material;
	/* the look that ossa gives triangles without a material */
	const json_t *extras = materials == SIZE_MAX ? NULL : ossai_gltf_extras(ossai_gltf_item(document, "materials", materials));
	if (json_is_true(json_object_get(extras, "none"))) out->material = SIZE_MAX;
	return OSSA_OK;
}

/* `block_of_positions`: by accessor, the last block of this mesh with these positions, or
   OSSA_NONE; `vertex`: where the primitive's vertices begin, untouched where it has none */
static ossa_status plan_primitive(ossai_gltf_plan *plan, const json_t *item, uint32_t *block_of_positions, size_t *vertex)
{
	const json_t *attributes = json_object_get(item, "attributes"), *targets = json_object_get(item, "targets");
	size_t mode, positions;
	OSSAI_TRY(ossai_gltf_whole(plan->document, item, "mode", OSSAI_GLTF_TRIANGLES, &mode));
	OSSAI_TRY(ossai_gltf_index(plan->document, attributes, "POSITION", "accessors", &positions));
	if (mode < OSSAI_GLTF_TRIANGLES || mode > OSSAI_GLTF_FAN || positions == SIZE_MAX) {
		plan->skipped++;
		return OSSA_OK;
	}
	uint32_t *block = &block_of_positions[positions];
	if (*block == OSSA_NONE || !shares_vertices(&plan->blocks[*block], attributes, targets)) {
		*block = (uint32_t)plan->block_count;
		OSSAI_TRY(add_block(plan, attributes, targets, positions));
	}
	*vertex = plan->blocks[*block].vertex;
	ossai_gltf_primitive *out = &plan->primitives[plan->primitive_count++];
	*out = (ossai_gltf_primitive){.block = *block, .mode = mode};
	return plan_triangles(plan, item, out);
}

static ossa_status plan_mesh(ossai_gltf_plan *plan, uint32_t *block_of_positions)
{
	const json_t *list = json_object_get(plan->item, "primitives");
	const size_t count = json_array_size(list);
	OSSAI_TRY(ossai_gltf_charge(plan->document, count, PRIMITIVE_CHARGE));
	OSSAI_TRY(ossai_gltf_scratch(plan->document, &plan->blocks, count, sizeof *plan->blocks));
	OSSAI_TRY(ossai_gltf_scratch(plan->document, &plan->primitives, count, sizeof *plan->primitives));
	OSSAI_TRY(ossai_gltf_keep(plan->document, &plan->vertex_of_primitive, count, sizeof *plan->vertex_of_primitive));
	for (size_t i = 0; i < count; i++) {
		plan->vertex_of_primitive[i] = SIZE_MAX;
		OSSAI_TRY(plan_primitive(plan, json_array_get(list, i), block_of_positions, &plan->vertex_of_primitive[i]));
	}
	for (size_t b = 0; b < plan->block_count; b++) block_of_positions[plan->blocks[b].positions.index] = OSSA_NONE;
	if (plan->vertex_count < OSSA_NONE && plan->triangle_count < OSSA_NONE / 3) return OSSA_OK;
	return ossai_asset_fail(plan->document->asset, "holds more than 2^32 vertices or corners");
}

/* ---- making it ---- */

/* its own name, or that of its node */
static void name_mesh(const json_t *item, const json_t *node, char name[64])
{
	const json_t *own = json_object_get(item, "name"), *value = own ? own : json_object_get(node, "name");
	const ossai_word word = {json_string_value(value), json_string_length(value)};
	if (word.bytes) ossai_name_copy(name, word);
}

/* of skinned meshes in ossa's own files, whose nodes cannot say it */
static void read_axes(const json_t *node, ossai_asset_mesh *mesh)
{
	double m[16];
	mesh->has_axes = mesh->skin != OSSA_NONE && ossai_gltf_numbers(ossai_gltf_extras(node), "transform", 16, m);
	if (mesh->has_axes) mesh->axes = ossai_rigid_of(m);
}

static ossa_status make_mesh(const ossai_gltf_plan *plan, uint32_t node, size_t mesh, size_t skin)
{
	ossai_asset *asset = plan->document->asset;
	const uint32_t index = (uint32_t)asset->mesh_count++;
	ossai_asset_mesh *out = &asset->meshes[index];
	plan->document->mesh_of_node[node] = index;
	out->node = node;
	out->skin = skin == SIZE_MAX ? OSSA_NONE : (uint32_t)skin;
	out->mesh = ossa_alloc(plan->document->context, 1, sizeof *out->mesh);
	if (!out->mesh) return ossa_context_error(plan->document->context)->status;
	const json_t *item = ossai_gltf_item(plan->document, "nodes", node);
	plan->document->sources[index] = (ossai_gltf_source){(uint32_t)mesh, plan->vertex_count,
		json_array_size(json_object_get(plan->item, "primitives")), plan->vertex_of_primitive};
	name_mesh(plan->item, item, out->mesh->name);
	read_axes(item, out);
	OSSAI_TRY(ossai_gltf_fill_vertices(plan, out->mesh));
	OSSAI_TRY(ossai_gltf_fill_faces(plan, out->mesh, &out->material_rows));
	OSSAI_TRY(ossai_gltf_fill_motion(plan, item, out));
	return ossai_gltf_fill_merges(plan, out);
}

static void warn_of_sets(const ossai_gltf_plan *plan)
{
	if (plan->left_out == 0) return;
	ossai_warn(plan->document->context, "sets-left-out", plan->left_out,
		"%s: mesh \"%s\" has more than %d sets of UVs or colours, or numbers of these are missing; those beyond are not read",
		plan->document->source->path,
		json_string_value(json_object_get(plan->item, "name")) ? json_string_value(json_object_get(plan->item, "name")) : "",
		OSSA_SETS_MAX);
}

/* glTF asks for the same targets of every primitive */
static void warn_of_targets(const ossai_gltf_plan *plan)
{
	const char *name = json_string_value(json_object_get(plan->item, "name"));
	int64_t fewer = 0;
	for (size_t p = 0; p < plan->primitive_count; p++)
		fewer += json_array_size(plan->blocks[plan->primitives[p].block].targets) < plan->target_count;
	if (fewer == 0) return;
	ossai_warn(plan->document->context, "morph-counts", fewer,
		"%s: primitives of mesh \"%s\" have fewer than its %zu morph targets: those that are missing move nothing there",
		plan->document->source->path, name ? name : "", plan->target_count);
}

/* what is said once for a mesh of the file, however many nodes show it */
static void warn_of_mesh(const ossai_gltf_plan *plan, size_t *skipped)
{
	*skipped += plan->skipped;
	warn_of_sets(plan);
	warn_of_targets(plan);
}

/* is_read: by mesh of the file */
static ossa_status read_mesh(
	ossai_gltf *document, uint32_t node, uint32_t *block_of_positions, uint8_t *is_read, size_t *skipped)
{
	const json_t *item = ossai_gltf_item(document, "nodes", node);
	size_t mesh, skin;
	OSSAI_TRY(ossai_gltf_index(document, item, "mesh", "meshes", &mesh));
	OSSAI_TRY(ossai_gltf_index(document, item, "skin", "skins", &skin));
	if (mesh == SIZE_MAX) return OSSA_OK;
	ossai_gltf_plan plan = {
		.document = document, .item = ossai_gltf_item(document, "meshes", mesh), .is_skinned = skin != SIZE_MAX};
	OSSAI_TRY(plan_mesh(&plan, block_of_positions));
	if (!is_read[mesh]) warn_of_mesh(&plan, skipped);
	is_read[mesh] = 1;
	if (plan.vertex_count == 0 || plan.triangle_count == 0) return OSSA_OK;
	return make_mesh(&plan, node, mesh, skin);
}

/* instances are not read: said once for all nodes */
static void warn_instances(const ossai_gltf *document)
{
	int64_t count = 0;
	for (size_t n = 0; n < document->asset->node_count; n++) {
		const json_t *extensions = json_object_get(ossai_gltf_item(document, "nodes", n), "extensions");
		count += json_object_get(extensions, "EXT_mesh_gpu_instancing") != NULL;
	}
	if (count == 0) return;
	ossai_warn(document->context, "instances-ignored", count,
		"%s: meshes are placed many times with EXT_mesh_gpu_instancing, which ossa does not read: each is taken once, where "
		"its node is",
		document->source->path);
}

ossa_status ossai_gltf_read_meshes(ossai_gltf *document)
{
	ossai_asset *asset = document->asset;
	const size_t accessors = ossai_gltf_length(document, "accessors");
	uint32_t *block_of_positions;
	uint8_t *marks, *is_read;
	size_t skipped = 0, count = 0;
	OSSAI_TRY(find_shown(document, &marks));
	for (size_t n = 0; n < asset->node_count; n++) {
		count += json_object_get(ossai_gltf_item(document, "nodes", n), "mesh") && marks[n];
	}
	OSSAI_TRY(ossai_gltf_keep(document, &asset->meshes, count, sizeof *asset->meshes));
	OSSAI_TRY(ossai_gltf_scratch(document, &document->sources, count, sizeof *document->sources));
	OSSAI_TRY(ossai_gltf_scratch(document, &document->mesh_of_node, asset->node_count, sizeof *document->mesh_of_node));
	OSSAI_TRY(ossai_gltf_scratch(document, &block_of_positions, accessors, sizeof *block_of_positions));
	OSSAI_TRY(ossai_gltf_scratch(document, &is_read, ossai_gltf_length(document, "meshes"), sizeof *is_read));
	memset(document->mesh_of_node, 0xFF, asset->node_count * sizeof *document->mesh_of_node);
	memset(block_of_positions, 0xFF, accessors * sizeof *block_of_positions);
	memset(is_read, 0, ossai_gltf_length(document, "meshes"));
	for (uint32_t n = 0; n < asset->node_count; n++) {
		if (marks[n]) OSSAI_TRY(read_mesh(document, n, block_of_positions, is_read, &skipped));
	}
	if (skipped > 0) {
		ossai_warn(document->context, "skipped-primitives", (int64_t)skipped,
			"%s: primitives that are not triangles, or have no positions, are no part of the mesh", document->source->path);
	}
	warn_instances(document);
	return OSSA_OK;
}
