/* import/glb_mesh.c: meshes of a glTF file joined into one.

   Place in the path: inside the GLB reader.  In: nodes with meshes.  Out: ossai_gltf_shape.  Primitives that share their
   attributes share vertices; copies that ossa made for seams become one vertex again where the file still fits its extras. */
#include "import/glb_document.h"

#include <stdio.h>
#include <string.h>

enum { SETS_MAX = 16 };

/* the vertices of one primitive, or of several that share them */
typedef struct vertex_block {
	const json_t *attributes;
	const json_t *extras; /* "ossa" of the mesh, or NULL */
	ossai_rigid world;
	bool is_placed;     /* world applies */
	size_t count, base; /* base: vertices of the blocks before */
	float *positions, *normals, *texcoords, *colors;
	size_t color_width;
	uint32_t *joints[SETS_MAX];
	float *weights[SETS_MAX];
	size_t sets;
	size_t own;        /* the first `own` vertices are real, */
	uint32_t *copy_of; /* those behind are copies of these */
} vertex_block;

typedef struct primitive {
	size_t block, material; /* material SIZE_MAX: none */
	size_t count;           /* triangles */
	uint32_t *triangles;    /* vertices of the block */
} primitive;

typedef struct assembly {
	ossai_gltf *document;
	vertex_block *blocks;
	primitive *primitives;
	size_t block_count, primitive_count, skipped;
	size_t vertex_count, triangle_count, sets;
	bool has_normals, has_texcoords, has_colors;
} assembly;

ossa_status ossai_gltf_first_skin(const ossai_gltf *document, size_t *skin)
{
	*skin = SIZE_MAX;
	for (size_t n = 0; n < ossai_gltf_length(document, "nodes") && *skin == SIZE_MAX; n++) {
		const json_t *item = ossai_gltf_item(document, "nodes", n);
		if (json_object_get(item, "mesh")) OSSAI_TRY(ossai_gltf_index(document, item, "skin", "skins", skin));
	}
	return OSSA_OK;
}

/* ---- vertices ---- */

/* an attribute with as many elements as the positions; *values stays NULL where it is missing */
static ossa_status read_floats(assembly *all, vertex_block *block, const char *name, size_t width, float **values)
{
	size_t accessor, count;
	OSSAI_TRY(ossai_gltf_index(all->document, block->attributes, name, "accessors", &accessor));
	if (accessor == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_floats(all->document, accessor, width, &count, values));
	if (count == block->count) return OSSA_OK;
	return ossai_gltf_fail(all->document, "%s has %zu elements for %zu vertices", name, count, block->count);
}

static ossa_status read_weights(assembly *all, vertex_block *block)
{
	for (block->sets = 0; block->sets < SETS_MAX; block->sets++) {
		char name[32];
		size_t accessor, count;
		snprintf(name, sizeof name, "JOINTS_%zu", block->sets);
		OSSAI_TRY(ossai_gltf_index(all->document, block->attributes, name, "accessors", &accessor));
		if (accessor == SIZE_MAX) return OSSA_OK;
		OSSAI_TRY(ossai_gltf_integers(all->document, accessor, 4, &count, &block->joints[block->sets]));
		if (count != block->count) {
			return ossai_gltf_fail(all->document, "%s has %zu elements for %zu vertices", name, count, block->count);
		}
		snprintf(name, sizeof name, "WEIGHTS_%zu", block->sets);
		OSSAI_TRY(read_floats(all, block, name, 4, &block->weights[block->sets]));
		if (!block->weights[block->sets]) return ossai_gltf_fail(all->document, "a primitive has joints but no %s", name);
	}
	return OSSA_OK;
}

static bool is_same_vertex(const vertex_block *block, size_t a, size_t b)
{
	for (size_t k = 0; k < 3; k++) {
		if (block->positions[3 * a + k] != block->positions[3 * b + k]) return false;
	}
	for (size_t i = 0; i < block->sets * 4; i++) {
		const size_t set = i / 4, k = i % 4;
		if (block->joints[set][4 * a + k] != block->joints[set][4 * b + k]) return false;
		if (block->weights[set][4 * a + k] != block->weights[set][4 * b + k]) return false;
	}
	return true;
}

/* Finds which vertices are copies, from the mesh's extras. Another program may have changed the mesh and kept the extras: whatever
   does not fit exactly is not believed. */
static ossa_status read_copies(assembly *all, vertex_block *block)
{
	size_t own, accessor, count;
	uint32_t *copy_of;
	block->own = block->count;
	if (!json_object_get(block->extras, "copies")) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_whole(all->document, block->extras, "vertices", block->count, &own));
	OSSAI_TRY(ossai_gltf_index(all->document, block->extras, "copies", "accessors", &accessor));
	if (own > block->count || ossai_gltf_width(all->document, accessor) != 1) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_integers(all->document, accessor, 1, &count, &copy_of));
	if (count != block->count - own) return OSSA_OK;
	for (size_t i = 0; i < count; i++) {
		if (copy_of[i] >= own || !is_same_vertex(block, own + i, copy_of[i])) return OSSA_OK;
	}
	block->own = own;
	block->copy_of = copy_of;
	return OSSA_OK;
}

static ossa_status read_block(assembly *all, vertex_block *block)
{
	size_t accessor, color;
	OSSAI_TRY(ossai_gltf_index(all->document, block->attributes, "POSITION", "accessors", &accessor));
	OSSAI_TRY(ossai_gltf_floats(all->document, accessor, 3, &block->count, &block->positions));
	OSSAI_TRY(read_floats(all, block, "NORMAL", 3, &block->normals));
	OSSAI_TRY(read_floats(all, block, "TEXCOORD_0", 2, &block->texcoords));
	OSSAI_TRY(ossai_gltf_index(all->document, block->attributes, "COLOR_0", "accessors", &color));
	block->color_width = color != SIZE_MAX && ossai_gltf_width(all->document, color) == 3 ? 3 : 4;
	OSSAI_TRY(read_floats(all, block, "COLOR_0", block->color_width, &block->colors));
	OSSAI_TRY(read_weights(all, block));
	OSSAI_TRY(read_copies(all, block));
	block->base = all->vertex_count;
	all->vertex_count += block->own;
	if (block->sets > all->sets) all->sets = block->sets;
	all->has_normals |= block->normals != NULL;
	all->has_texcoords |= block->texcoords != NULL;
	all->has_colors |= block->colors != NULL;
	return OSSA_OK;
}

/* ---- triangles ---- */

/* the corner k of triangle t in a list (4), strip (5) or fan (6) of indices */
static size_t corner_place(size_t mode, size_t t, size_t k)
{
	if (mode == 4) return 3 * t + k;
	if (mode == 6) return k == 0 ? 0 : t + k;
	return k == 0 || t % 2 == 0 ? t + k : t + 3 - k;
}

static ossa_status read_triangles(assembly *all, const json_t *item, size_t mode, primitive *out)
{
	const size_t vertex_count = all->blocks[out->block].count;
	size_t accessor, count = vertex_count;
	uint32_t *indices = NULL;
	OSSAI_TRY(ossai_gltf_index(all->document, item, "indices", "accessors", &accessor));
	if (accessor != SIZE_MAX) OSSAI_TRY(ossai_gltf_integers(all->document, accessor, 1, &count, &indices));
	for (size_t i = 0; indices && i < count; i++) {
		if (indices[i] < vertex_count) continue;
		return ossai_gltf_fail(all->document, "index %zu of accessor %zu is %u, but there are %zu vertices", i, accessor,
			indices[i], vertex_count);
	}
	if (mode == 4 && count % 3 != 0) return ossai_gltf_fail(all->document, "a list of triangles has %zu indices", count);
	out->count = mode == 4 ? count / 3 : count < 3 ? 0 : count - 2;
	OSSAI_TRY(ossai_gltf_charge(all->document, out->count, 3));
	out->triangles = ossai_arena_new(&all->document->arena, out->count, 3 * sizeof *out->triangles);
	if (!out->triangles) return ossa_context_error(all->document->context)->status;
	for (size_t t = 0; t < out->count; t++) {
		for (size_t k = 0; k < 3; k++) {
			const size_t place = corner_place(mode, t, k);
			out->triangles[3 * t + k] = indices ? indices[place] : (uint32_t)place;
		}
	}
	all->triangle_count += out->count;
	return OSSA_OK;
}

static ossa_status add_primitive(assembly *all, const vertex_block *like, const json_t *item, bool first)
{
	const json_t *attributes = json_object_get(item, "attributes");
	size_t mode;
	OSSAI_TRY(ossai_gltf_whole(all->document, item, "mode", 4, &mode));
	if (mode < 4 || mode > 6 || !json_object_get(attributes, "POSITION")) {
		all->skipped++;
		return OSSA_OK;
	}
	const vertex_block *last = all->block_count > 0 ? &all->blocks[all->block_count - 1] : NULL;
	if (first || !last || !json_equal(last->attributes, attributes)) {
		vertex_block *block = &all->blocks[all->block_count++];
		*block = *like;
		block->attributes = attributes;
		OSSAI_TRY(read_block(all, block));
	}
	primitive *out = &all->primitives[all->primitive_count++];
	out->block = all->block_count - 1;
	OSSAI_TRY(ossai_gltf_index(all->document, item, "material", "materials", &out->material));
	return read_triangles(all, item, mode, out);
}

/* ---- the nodes' meshes ---- */

static bool is_wanted(const json_t *node, size_t skin)
{
	const json_t *own = json_object_get(node, "skin");
	if (!json_object_get(node, "mesh")) return false;
	return skin == SIZE_MAX || (own && json_number_value(own) == (double)skin);
}

static ossa_status count_primitives(assembly *all, size_t skin, size_t *count)
{
	*count = 0;
	for (size_t n = 0; n < ossai_gltf_length(all->document, "nodes"); n++) {
		const json_t *node = ossai_gltf_item(all->document, "nodes", n);
		size_t mesh;
		if (!is_wanted(node, skin)) continue;
		OSSAI_TRY(ossai_gltf_index(all->document, node, "mesh", "meshes", &mesh));
		const size_t more = json_array_size(json_object_get(ossai_gltf_item(all->document, "meshes", mesh), "primitives"));
		OSSAI_TRY(ossai_gltf_charge(all->document, more, 1));
		*count += more;
	}
	return OSSA_OK;
}

static ossa_status add_mesh(assembly *all, const ossai_gltf_nodes *nodes, size_t n, size_t skin)
{
	const json_t *node = ossai_gltf_item(all->document, "nodes", n);
	const json_t *mesh = ossai_gltf_item(all->document, "meshes", (size_t)json_number_value(json_object_get(node, "mesh")));
	const json_t *primitives = json_object_get(mesh, "primitives");
	const vertex_block like = {.extras = json_object_get(json_object_get(mesh, "extras"), "ossa"),
		.world = nodes->world[n],
		.is_placed = skin == SIZE_MAX};
	for (size_t i = 0; i < json_array_size(primitives); i++) {
		OSSAI_TRY(add_primitive(all, &like, json_array_get(primitives, i), i == 0));
	}
	return OSSA_OK;
}

static ossa_status gather(assembly *all, const ossai_gltf_nodes *nodes, size_t skin)
{
	size_t count;
	OSSAI_TRY(count_primitives(all, skin, &count));
	all->blocks = ossai_arena_zero(&all->document->arena, count, sizeof *all->blocks);
	all->primitives = ossai_arena_zero(&all->document->arena, count, sizeof *all->primitives);
	if (!all->blocks || !all->primitives) return ossa_context_error(all->document->context)->status;
	for (size_t n = 0; n < nodes->count; n++) {
		if (is_wanted(ossai_gltf_item(all->document, "nodes", n), skin)) OSSAI_TRY(add_mesh(all, nodes, n, skin));
	}
	if (all->skipped > 0) {
		ossai_warn(all->document->context, "skipped-primitives", (int64_t)all->skipped,
			"%s: primitives that are not triangles, or have no positions, are left out", ossai_file_name(all->document->path));
	}
	if (all->vertex_count == 0 || all->triangle_count == 0) return ossai_gltf_fail(all->document, "holds no triangles");
	if (all->vertex_count < OSSA_NONE && all->triangle_count < OSSA_NONE / 3) return OSSA_OK;
	return ossai_gltf_fail(all->document, "holds more than 2^32 vertices or corners");
}

/* ---- the mesh ---- */

static uint32_t mesh_vertex(const vertex_block *block, uint32_t vertex)
{
	return (uint32_t)block->base + (vertex < block->own ? vertex : block->copy_of[vertex - block->own]);
}

static void place_positions(const vertex_block *block, float *out)
{
	for (size_t i = 0; i < block->own; i++) {
		if (!block->is_placed) {
			memcpy(out + 3 * i, block->positions + 3 * i, 3 * sizeof *out);
			continue;
		}
		const ossai_vec3 p = ossai_rigid_point(&block->world, ossai_v3_of_float(block->positions + 3 * i));
		out[3 * i] = (float)p.x;
		out[3 * i + 1] = (float)p.y;
		out[3 * i + 2] = (float)p.z;
	}
}

/* the mesh's positions and triangles; nodes that mirror turn the triangles round */
static ossa_status make_mesh(assembly *all, ossa_mesh **mesh)
{
	ossai_arena *arena = &all->document->arena;
	float *positions = ossai_arena_new(arena, all->vertex_count, 3 * sizeof *positions);
	uint32_t *triangles = ossai_arena_new(arena, all->triangle_count, 3 * sizeof *triangles);
	if (!positions || !triangles) return ossa_context_error(all->document->context)->status;
	for (size_t b = 0; b < all->block_count; b++) place_positions(&all->blocks[b], positions + 3 * all->blocks[b].base);
	for (size_t p = 0, t = 0; p < all->primitive_count; p++) {
		const vertex_block *block = &all->blocks[all->primitives[p].block];
		const bool mirrors = block->is_placed && ossai_mat3_det(&block->world.r) < 0;
		for (size_t i = 0; i < all->primitives[p].count; i++, t++) {
			const uint32_t *corner = all->primitives[p].triangles + 3 * i;
			triangles[3 * t] = mesh_vertex(block, corner[0]);
			triangles[3 * t + 1] = mesh_vertex(block, corner[mirrors ? 2 : 1]);
			triangles[3 * t + 2] = mesh_vertex(block, corner[mirrors ? 1 : 2]);
		}
	}
	return ossa_mesh_create(all->document->context, all->vertex_count, positions, all->triangle_count, triangles, mesh);
}

/* first index of each block's UVs or normals among those of the mesh; the total */
static size_t list_starts(const assembly *all, bool of_normals, size_t *start)
{
	size_t total = 0;
	for (size_t b = 0; b < all->block_count; b++) {
		const vertex_block *block = &all->blocks[b];
		start[b] = total;
		if (of_normals ? block->normals != NULL : block->texcoords != NULL) total += block->count;
	}
	return total;
}

/* the corners' indices into the lists that list_starts laid out; triangles are the mesh's polygons */
static void index_corners(const assembly *all, bool of_normals, const size_t *start, uint32_t *corners)
{
	size_t corner = 0;
	for (size_t p = 0; p < all->primitive_count; p++) {
		const size_t b = all->primitives[p].block;
		const vertex_block *block = &all->blocks[b];
		const bool present = of_normals ? block->normals != NULL : block->texcoords != NULL;
		const bool mirrors = block->is_placed && ossai_mat3_det(&block->world.r) < 0;
		for (size_t i = 0; i < all->primitives[p].count * 3; i++, corner++) {
			const size_t k = i % 3, from = mirrors && k > 0 ? i - k + 3 - k : i;
			corners[corner] = present ? (uint32_t)(start[b] + all->primitives[p].triangles[from]) : OSSA_NONE;
		}
	}
}

static ossa_status add_texcoords(assembly *all, ossa_mesh *mesh)
{
	ossa_context *context = all->document->context;
	size_t *start = ossai_arena_new(&all->document->arena, all->block_count, sizeof *start);
	if (!start) return ossa_context_error(context)->status;
	mesh->texcoord_count = list_starts(all, false, start);
	mesh->texcoords = ossa_alloc(context, mesh->texcoord_count, 2 * sizeof *mesh->texcoords);
	mesh->corner_texcoord = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_texcoord);
	if (!mesh->texcoords || !mesh->corner_texcoord) return ossa_context_error(context)->status;
	for (size_t b = 0; b < all->block_count; b++) {
		const vertex_block *block = &all->blocks[b];
		float *out = mesh->texcoords + 2 * start[b];
		for (size_t i = 0; block->texcoords && i < block->count; i++) {
			out[2 * i] = block->texcoords[2 * i];
			out[2 * i + 1] = 1 - block->texcoords[2 * i + 1]; /* glTF's origin is the upper left */
		}
	}
	index_corners(all, false, start, mesh->corner_texcoord);
	return OSSA_OK;
}

/* normals turn by the cofactors of the map, which is right for any scale; mirrored triangles were turned round */
static ossai_vec3 place_normal(const ossai_mat3 *map, ossai_vec3 normal)
{
	ossai_rigid turn = {*map, {0, 0, 0}}, inverse;
	if (!ossai_gltf_invert(&turn, &inverse)) return normal;
	return ossai_unit(ossai_mat3_tmul_v(&inverse.r, normal), normal);
}

static ossa_status add_normals(assembly *all, ossa_mesh *mesh)
{
	ossa_context *context = all->document->context;
	size_t *start = ossai_arena_new(&all->document->arena, all->block_count, sizeof *start);
	if (!start) return ossa_context_error(context)->status;
	mesh->normal_count = list_starts(all, true, start);
	mesh->normals = ossa_alloc(context, mesh->normal_count, 3 * sizeof *mesh->normals);
	mesh->corner_normal = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_normal);
	if (!mesh->normals || !mesh->corner_normal) return ossa_context_error(context)->status;
	for (size_t b = 0; b < all->block_count; b++) {
		const vertex_block *block = &all->blocks[b];
		float *out = mesh->normals + 3 * start[b];
		if (!block->normals) continue;
		memcpy(out, block->normals, block->count * 3 * sizeof *out);
		for (size_t i = 0; block->is_placed && i < block->count; i++) {
			const ossai_vec3 n = place_normal(&block->world.r, ossai_v3_of_float(block->normals + 3 * i));
			out[3 * i] = (float)n.x;
			out[3 * i + 1] = (float)n.y;
			out[3 * i + 2] = (float)n.z;
		}
	}
	index_corners(all, true, start, mesh->corner_normal);
	return OSSA_OK;
}

/* white where only other blocks have colours */
static ossa_status add_colors(assembly *all, ossa_mesh *mesh)
{
	mesh->colors = ossa_alloc(all->document->context, all->vertex_count, 4 * sizeof *mesh->colors);
	if (!mesh->colors) return ossa_context_error(all->document->context)->status;
	for (size_t b = 0; b < all->block_count; b++) {
		const vertex_block *block = &all->blocks[b];
		float *out = mesh->colors + 4 * block->base;
		for (size_t i = 0; i < block->own * 4; i++) {
			const size_t vertex = i / 4, k = i % 4;
			out[i] = block->colors && k < block->color_width ? block->colors[vertex * block->color_width + k] : 1;
		}
	}
	return OSSA_OK;
}

/* whether it is the look that ossa gives triangles without a material */
static bool is_no_material(const json_t *item)
{
	return json_is_true(json_object_get(json_object_get(json_object_get(item, "extras"), "ossa"), "none"));
}

static ossa_status add_materials(assembly *all, ossa_mesh *mesh)
{
	ossa_context *context = all->document->context;
	const size_t count = ossai_gltf_length(all->document, "materials");
	uint32_t *slot = ossai_arena_new(&all->document->arena, count, sizeof *slot);
	if (!slot) return ossa_context_error(context)->status;
	for (size_t m = 0; m < count; m++) {
		const bool none = is_no_material(ossai_gltf_item(all->document, "materials", m));
		slot[m] = none ? OSSA_NONE : (uint32_t)mesh->material_count++;
	}
	if (mesh->material_count == 0) return OSSA_OK;
	mesh->materials = ossa_alloc(context, mesh->material_count, sizeof *mesh->materials);
	mesh->polygon_material = ossa_alloc(context, mesh->polygon_count, sizeof *mesh->polygon_material);
	if (!mesh->materials || !mesh->polygon_material) return ossa_context_error(context)->status;
	for (size_t m = 0; m < count; m++) {
		const char *name = json_string_value(json_object_get(ossai_gltf_item(all->document, "materials", m), "name"));
		if (slot[m] != OSSA_NONE) snprintf(mesh->materials[slot[m]], sizeof mesh->materials[0], "%s", name ? name : "");
	}
	for (size_t p = 0, t = 0; p < all->primitive_count; p++) {
		const uint32_t material = all->primitives[p].material < count ? slot[all->primitives[p].material] : OSSA_NONE;
		for (size_t i = 0; i < all->primitives[p].count; i++) mesh->polygon_material[t++] = material;
	}
	return OSSA_OK;
}

static void name_mesh(const assembly *all, size_t skin, ossa_mesh *mesh)
{
	for (size_t n = 0; n < ossai_gltf_length(all->document, "nodes"); n++) {
		const json_t *node = ossai_gltf_item(all->document, "nodes", n);
		if (!is_wanted(node, skin)) continue;
		const size_t index = (size_t)json_number_value(json_object_get(node, "mesh"));
		const char *name = json_string_value(json_object_get(ossai_gltf_item(all->document, "meshes", index), "name"));
		snprintf(mesh->name, sizeof mesh->name, "%s", name ? name : "");
		return;
	}
}

/* the blocks' pairs of joint and weight side by side; blocks with fewer sets have zeros */
static ossa_status join_weights(assembly *all, ossai_gltf_shape *shape)
{
	const size_t width = all->sets * 4;
	shape->sets = all->sets;
	shape->joints = ossai_arena_zero(&all->document->arena, all->vertex_count, (width + 1) * sizeof *shape->joints);
	shape->weights = ossai_arena_zero(&all->document->arena, all->vertex_count, (width + 1) * sizeof *shape->weights);
	if (!shape->joints || !shape->weights) return ossa_context_error(all->document->context)->status;
	for (size_t b = 0; b < all->block_count; b++) {
		const vertex_block *block = &all->blocks[b];
		for (size_t i = 0; i < block->own; i++) {
			for (size_t set = 0; set < block->sets; set++) {
				const size_t at = (block->base + i) * width + 4 * set;
				memcpy(shape->joints + at, block->joints[set] + 4 * i, 4 * sizeof *shape->joints);
				memcpy(shape->weights + at, block->weights[set] + 4 * i, 4 * sizeof *shape->weights);
			}
		}
	}
	return OSSA_OK;
}

static ossa_status add_parts(assembly *all, size_t skin, ossai_gltf_shape *shape)
{
	name_mesh(all, skin, shape->mesh);
	if (all->has_texcoords) OSSAI_TRY(add_texcoords(all, shape->mesh));
	if (all->has_normals) OSSAI_TRY(add_normals(all, shape->mesh));
	if (all->has_colors) OSSAI_TRY(add_colors(all, shape->mesh));
	OSSAI_TRY(add_materials(all, shape->mesh));
	return join_weights(all, shape);
}

ossa_status ossai_gltf_read_shape(ossai_gltf *document, const ossai_gltf_nodes *nodes, size_t skin, ossai_gltf_shape *shape)
{
	assembly all = {.document = document};
	*shape = (ossai_gltf_shape){0};
	OSSAI_TRY(gather(&all, nodes, skin));
	OSSAI_TRY(make_mesh(&all, &shape->mesh));
	const ossa_status status = add_parts(&all, skin, shape);
	if (status == OSSA_OK) return OSSA_OK;
	ossa_mesh_free(document->context, shape->mesh);
	shape->mesh = NULL;
	return status;
}
