/* export/gltf/kept_lods.c: coarser levels (MSFT_lod) in a kept glTF file: they get the rig of what
   they stand for.

   Place in the path: inside the GLB writer, before the old rig is taken out.
   Input: the document, nodes of which name levels (kept_levels.c); the rig.
   Output: document, mesh and rig whose vertices are the rig's, then those of the levels. Weights
   come from the rig's surface where both were read (ossa/transfer.h), of as many bones as the level
   had (kept_articulation.c); weights of their own stay while the rig is the file's
   (kept_own_weights.c). Where the surface has moved since, levels move with it
   (kept_carry.c). */
#include "export/gltf/kept.h"
#include "math/affine.h"
#include "mesh/bounds.h"
#include "rig/clips.h"
#include "rig/levels.h"

#include <ossa/transfer.h>
#include <string.h>

/* numbers that levels may have for each byte of the file's buffers, and of any file */
enum { NUMBERS_PER_BYTE = 64, NUMBERS_LEAST = 1 << 22 };

/* Maps are the same if they differ by no more than the float rounding of inverse binds. */
static const double float_noise = 1e-5;

typedef struct lods {
	ossai_kept *kept;
	ossai_arena *arena;
	ossai_kept_file file;
	double size; /* diagonal of the finest meshes' box */
	/* how many there are in levels */
	size_t mesh_count, primitives, vertices, corners;
	/* document, mesh and rig with the levels, which are put behind what is there */
	ossa_document document;
	size_t primitive_count;
	float *now; /* of the vertices: where they are, beside the document's where they were read */
	uint32_t *triangles;
	size_t triangle_count;
	ossa_weights weights;
} lods;

static ossa_status last_error(const lods *l) { return ossa_context_error(l->arena->context)->status; }

static json_t *node_at(const lods *l, size_t n) { return json_array_get(json_object_get(l->document.root, "nodes"), n); }

/* ---- meshes ---- */

/* exactly as nothing, or a mesh of the rig, where a matrix of floats says so */
static void snap(const lods *l, ossai_rigid *map)
{
	const ossa_document *document = l->kept->document;
	for (size_t m = 0; m <= document->mesh_count; m++) {
		const ossai_rigid exact = m == 0 ? ossai_affine_identity() : document->meshes[m - 1].map;
		if (!ossai_affine_is_same(map, &exact, l->size, float_noise)) continue;
		*map = exact;
		return;
	}
}

/* what the first joint of a skin does to a mesh at rest */
static ossa_status map_of_joint(lods *l, const json_t *skin, ossai_rigid *map)
{
	const ossa_document *document = l->kept->document;
	const json_t *joint = json_array_get(json_object_get(skin, "joints"), 0);
	ossai_gltf_accessor accessor;
	size_t index;
	*map = document->meshes[0].map;
	if (!joint || (size_t)json_integer_value(joint) >= document->node_count) return OSSA_OK;
	*map = document->world[json_integer_value(joint)];
	OSSAI_TRY(ossai_gltf_index(&l->file.gltf, skin, "inverseBindMatrices", "accessors", &index));
	if (index == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_open_accessor(&l->file.gltf, index, 16, &accessor));
	float *matrices = ossai_arena_new(l->arena, accessor.run.count, 16 * sizeof *matrices);
	if (!matrices) return last_error(l);
	OSSAI_TRY(ossai_gltf_floats(&l->file.gltf, &accessor, matrices, 16));
	if (accessor.run.count == 0) return OSSA_OK;
	const ossai_rigid inverse_bind = ossai_gltf_affine(matrices);
	*map = ossai_rigid_mul(map, &inverse_bind);
	snap(l, map);
	return OSSA_OK;
}

/* What takes a level's mesh to the rig's space: its node, or its skin, which it may share with a
   mesh of the rig. */
static ossa_status find_map(lods *l, uint32_t n, ossai_rigid *map)
{
	const ossa_document *document = l->kept->document;
	const size_t skin = ossai_kept_number(node_at(l, n), "skin");
	*map = document->world[n];
	if (skin == SIZE_MAX) return OSSA_OK;
	for (size_t m = 0; m < document->mesh_count; m++) {
		if (ossai_kept_number(node_at(l, document->meshes[m].node), "skin") != skin) continue;
		*map = document->meshes[m].map;
		return OSSA_OK;
	}
	return map_of_joint(l, json_array_get(json_object_get(l->document.root, "skins"), skin), map);
}

static ossa_status add_vertices(lods *l, const ossai_gltf_accessor *positions, const ossai_rigid *map)
{
	const size_t count = positions->run.count;
	float *values = ossai_arena_new(l->arena, count, 3 * sizeof *values);
	if (!values) return last_error(l);
	OSSAI_TRY(ossai_gltf_floats(&l->file.gltf, positions, values, 3));
	OSSAI_TRY(ossai_gltf_check_finite(&l->file.gltf, positions, values, 3 * count));
	for (size_t i = 0; i < count; i++) {
		const ossai_vec3 p = ossai_rigid_point(map, ossai_v3_of_float(values + 3 * i));
		float *to = l->document.positions + 3 * l->document.vertex_count;
		to[0] = (float)p.x;
		to[1] = (float)p.y;
		to[2] = (float)p.z;
		l->document.vertex_of[l->document.source_count++] = (uint32_t)l->document.vertex_count++;
	}
	return OSSA_OK;
}

/* `first`: of the primitive's `count` vertices */
static ossa_status add_triangles(lods *l, const json_t *primitive, uint32_t first, size_t count)
{
	ossai_gltf_accessor accessor = {.run.count = count};
	size_t index;
	OSSAI_TRY(ossai_gltf_index(&l->file.gltf, primitive, "indices", "accessors", &index));
	if (index != SIZE_MAX) OSSAI_TRY(ossai_gltf_open_accessor(&l->file.gltf, index, 1, &accessor));
	const size_t corners = accessor.run.count / 3 * 3;
	uint32_t *indices = ossai_arena_new(l->arena, accessor.run.count, sizeof *indices);
	if (!indices) return last_error(l);
	for (size_t i = 0; i < corners; i++) indices[i] = (uint32_t)i;
	if (index != SIZE_MAX) OSSAI_TRY(ossai_gltf_integers(&l->file.gltf, &accessor, indices, 1));
	for (size_t i = 0; i < corners; i++) {
		if (indices[i] >= count) {
			return ossai_asset_fail(&l->file.asset, "index %zu of accessor %zu is %u, but there are %zu vertices", i, index,
				(unsigned)indices[i], count);
		}
		l->triangles[3 * l->triangle_count + i] = first + indices[i];
	}
	l->triangle_count += corners / 3;
	return OSSA_OK;
}

/* `before`: the primitive before it in the mesh, or NULL. One with the same vertices has them
   once. */
static ossa_status add_primitive(lods *l, ossai_document_mesh *mesh, const json_t *primitive, const json_t *before)
{
	const json_t *attributes = json_object_get(primitive, "attributes");
	ossai_gltf_accessor positions;
	size_t index, mode, first = SIZE_MAX;
	OSSAI_TRY(ossai_gltf_whole(&l->file.gltf, primitive, "mode", 4, &mode));
	OSSAI_TRY(ossai_gltf_index(&l->file.gltf, attributes, "POSITION", "accessors", &index));
	if (mode == 4 && index != SIZE_MAX) OSSAI_TRY(ossai_gltf_open_accessor(&l->file.gltf, index, 3, &positions));
	if (mode == 4 && index != SIZE_MAX && positions.run.count > 0) {
		const size_t last = before ? l->document.primitive_vertex[l->primitive_count - 1] : SIZE_MAX;
		const bool shares = last != SIZE_MAX && json_equal(json_object_get(before, "attributes"), attributes) &&
			json_equal(json_object_get(before, "targets"), json_object_get(primitive, "targets"));
		first = shares ? last : mesh->vertex_count;
		if (!shares) OSSAI_TRY(add_vertices(l, &positions, &mesh->map));
		if (!shares) mesh->vertex_count += positions.run.count;
		const uint32_t own = l->document.vertex_of[mesh->first_vertex + first];
		OSSAI_TRY(add_triangles(l, primitive, own, positions.run.count));
	}
	l->document.primitive_vertex[l->primitive_count++] = first;
	return OSSA_OK;
}

static ossa_status add_mesh(lods *l, uint32_t n, uint32_t level)
{
	const size_t number = ossai_kept_number(node_at(l, n), "mesh");
	const json_t *list = json_object_get(json_array_get(json_object_get(l->document.root, "meshes"), number), "primitives");
	ossai_document_mesh mesh = {.node = n,
		.mesh = (uint32_t)number,
		.first_vertex = l->document.source_count,
		.first_primitive = l->primitive_count,
		.primitive_count = json_array_size(list),
		.is_mapped = true,
		.lod = level};
	OSSAI_TRY(find_map(l, n, &mesh.map));
	for (size_t p = 0; p < mesh.primitive_count; p++)
		OSSAI_TRY(add_primitive(l, &mesh, json_array_get(list, p), p > 0 ? json_array_get(list, p - 1) : NULL));
	l->document.meshes[l->document.mesh_count++] = mesh;
	return OSSA_OK;
}

/* the primitives of a level's mesh; NULL: the node is none of that level, or has none */
static const json_t *primitives_of(const lods *l, uint32_t n, uint32_t level)
{
	const uint32_t top = l->kept->lod_of[n];
	const bool is_of_it = top != OSSA_NONE && l->kept->level_of[top] == level;
	const size_t mesh = is_of_it ? ossai_kept_number(node_at(l, n), "mesh") : SIZE_MAX;
	return json_object_get(json_array_get(json_object_get(l->document.root, "meshes"), mesh), "primitives");
}

/* ---- how many ---- */

static ossa_status count_numbers(lods *l, const json_t *holder, const char *key, size_t *sum)
{
	ossai_gltf_accessor accessor;
	size_t index;
	OSSAI_TRY(ossai_gltf_index(&l->file.gltf, holder, key, "accessors", &index));
	if (index == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_open_accessor(&l->file.gltf, index, 0, &accessor));
	*sum += accessor.run.count;
	return OSSA_OK;
}

static ossa_status count_mesh(lods *l, const json_t *primitives)
{
	json_t *primitive;
	size_t p;
	l->mesh_count++;
	json_array_foreach(primitives, p, primitive)
	{
		size_t vertices = 0, indices = 0;
		l->primitives++;
		OSSAI_TRY(count_numbers(l, json_object_get(primitive, "attributes"), "POSITION", &vertices));
		OSSAI_TRY(count_numbers(l, primitive, "indices", &indices));
		l->vertices += vertices;
		l->corners += json_object_get(primitive, "indices") ? indices : vertices;
	}
	return OSSA_OK;
}

/* the reader did not pay for levels */
static ossa_status count_all(lods *l)
{
	size_t bytes = 0;
	for (size_t i = 0; i < l->document.buffer_count; i++) bytes += l->document.buffers[i].size;
	l->file.gltf.budget = NUMBERS_LEAST + bytes * NUMBERS_PER_BYTE;
	for (uint32_t level = 1; level <= l->kept->level_count; level++) {
		for (uint32_t n = 0; n < l->document.node_count; n++) {
			const json_t *primitives = primitives_of(l, n, level);
			if (primitives) OSSAI_TRY(count_mesh(l, primitives));
		}
	}
	l->file.gltf.budget = SIZE_MAX;
	if (l->document.vertex_count + l->vertices < OSSA_NONE) return OSSA_OK;
	return ossai_asset_fail(&l->file.asset, "holds more than 2^32 vertices with its levels of detail");
}

/* a copy of `from` with as much more at its end */
static void *longer(const lods *l, const void *from, size_t count, size_t more, size_t size)
{
	uint8_t *array = ossai_arena_zero(l->arena, count + more, size);
	if (array && count > 0) memcpy(array, from, count * size);
	return array;
}

static ossa_status make_arrays(lods *l)
{
	const ossa_document *from = l->kept->document;
	const ossa_rig *rig = l->kept->rig;
	const size_t width = (size_t)rig->weights.influences, vertices = from->vertex_count, more = l->vertices;
	for (size_t m = 0; m < from->mesh_count; m++) l->primitive_count += from->meshes[m].primitive_count;
	l->document.meshes = longer(l, from->meshes, from->mesh_count, l->mesh_count, sizeof *from->meshes);
	l->document.primitive_vertex = longer(
		l, from->primitive_vertex, l->primitive_count, l->primitives, sizeof *from->primitive_vertex);
	l->document.vertex_of = longer(l, from->vertex_of, from->source_count, more, sizeof *from->vertex_of);
	l->document.positions = longer(l, from->positions, vertices, more, 3 * sizeof *from->positions);
	l->now = longer(l, rig->mesh->positions, vertices, more, 3 * sizeof *l->now);
	l->triangle_count = rig->mesh->triangle_count;
	l->triangles = longer(l, rig->mesh->triangles, l->triangle_count, l->corners / 3, 3 * sizeof *l->triangles);
	l->weights = rig->weights;
	l->weights.bones = longer(l, rig->weights.bones, vertices, more, width * sizeof *l->weights.bones);
	l->weights.values = longer(l, rig->weights.values, vertices, more, width * sizeof *l->weights.values);
	const bool whole = l->document.meshes && l->document.primitive_vertex && l->document.vertex_of && l->document.positions &&
		l->now && l->triangles && l->weights.bones && l->weights.values;
	return whole ? OSSA_OK : last_error(l);
}

/* ---- one level ---- */

static ossa_status copy_weights(lods *l, const ossa_weights *from, size_t first_vertex)
{
	const size_t width = (size_t)l->weights.influences, count = from->vertex_count * width;
	memcpy(l->weights.bones + first_vertex * width, from->bones, count * sizeof *from->bones);
	memcpy(l->weights.values + first_vertex * width, from->values, count * sizeof *from->values);
	return OSSA_OK;
}

/* of the bones that the level has, in their numbers */
static ossa_status put_fewer_weights(lods *l, uint32_t level, const ossa_rig *made, size_t first_vertex)
{
	const uint8_t *gone;
	ossa_rig *fewer;
	OSSAI_TRY(ossai_kept_articulate(l->kept, level, &gone));
	if (!gone) return copy_weights(l, &made->weights, first_vertex);
	OSSAI_TRY(ossai_rig_without(l->arena->context, made, gone, &fewer));
	ossa_status status = ossai_kept_note_bones(l->kept, level, gone, &fewer->skeleton);
	if (status == OSSA_OK) status = copy_weights(l, &fewer->weights, first_vertex);
	ossa_rig_free(l->arena->context, fewer);
	return status;
}

/* the artist's, where they are of the rig's bones */
static ossa_status put_own_weights(
	lods *l, uint32_t level, const ossa_mesh *surface, size_t first_mesh, size_t first_vertex, bool *found)
{
	ossa_rig own = *l->kept->rig;
	OSSAI_TRY(ossai_kept_own_weights(l->kept, &l->file, &l->document, first_mesh, first_vertex, &own.weights, found));
	if (!*found) return OSSA_OK;
	own.mesh = (ossa_mesh *)(uintptr_t)surface;
	ossai_clips_put(&own, &(ossai_clips){.clip = NULL});
	return put_fewer_weights(l, level, &own, first_vertex);
}

/* weights of the level's vertices: at the same places of the rig's mesh, as both were read */
static ossa_status carry_weights(lods *l, uint32_t level, const ossa_mesh *surface, size_t first_vertex)
{
	ossa_context *context = l->arena->context;
	ossa_transfer_options options = ossa_transfer_default();
	ossa_mesh mesh = *l->kept->rig->mesh;
	ossa_rig from = *l->kept->rig, *made;
	options.place = OSSA_PLACE_KEEP;
	mesh.positions = l->kept->document->positions;
	from.mesh = &mesh;
	ossai_clips_put(&from, &(ossai_clips){.clip = NULL});
	OSSAI_TRY(ossa_rig_transfer(context, &from, surface, &options, &made, NULL));
	const ossa_status status = put_fewer_weights(l, level, made, first_vertex);
	ossa_rig_free(context, made);
	return status;
}

/* the vertices from `first_vertex` on, and the triangles from `first_triangle` on, as a mesh */
static ossa_status make_mesh(const lods *l, size_t first_vertex, size_t first_triangle, ossa_mesh **mesh)
{
	const size_t count = l->triangle_count - first_triangle;
	uint32_t *triangles = ossai_arena_new(l->arena, count, 3 * sizeof *triangles);
	if (!triangles) return last_error(l);
	for (size_t i = 0; i < 3 * count; i++) triangles[i] = l->triangles[3 * first_triangle + i] - (uint32_t)first_vertex;
	return ossa_mesh_create(l->arena->context, l->document.vertex_count - first_vertex,
		l->document.positions + 3 * first_vertex, count, triangles, mesh);
}

static ossa_status join_level(lods *l, uint32_t level)
{
	const size_t first_vertex = l->document.vertex_count, first_triangle = l->triangle_count;
	const size_t first_mesh = l->document.mesh_count;
	ossa_mesh *mesh;
	bool has_own;
	for (uint32_t n = 0; n < l->document.node_count; n++) {
		if (primitives_of(l, n, level)) OSSAI_TRY(add_mesh(l, n, level));
	}
	/* a level without faces has nothing to move */
	if (l->triangle_count == first_triangle) return OSSA_OK;
	OSSAI_TRY(make_mesh(l, first_vertex, first_triangle, &mesh));
	ossa_status status = put_own_weights(l, level, mesh, first_mesh, first_vertex, &has_own);
	if (status == OSSA_OK && !has_own) status = carry_weights(l, level, mesh, first_vertex);
	ossa_mesh_free(l->arena->context, mesh);
	return status;
}

/* ---- all ---- */

/* copies of what the writer was given, with the levels */
static ossa_status put_all(lods *l)
{
	ossai_kept *kept = l->kept;
	ossa_document *document = ossai_arena_new(l->arena, 1, sizeof *document);
	ossa_mesh *mesh = ossai_arena_new(l->arena, 1, sizeof *mesh);
	ossa_rig *rig = ossai_arena_new(l->arena, 1, sizeof *rig);
	if (!document || !mesh || !rig) return last_error(l);
	*document = l->document;
	*mesh = *kept->rig->mesh;
	*rig = *kept->rig;
	mesh->positions = l->now;
	mesh->vertex_count = l->document.vertex_count;
	mesh->triangles = l->triangles;
	mesh->triangle_count = l->triangle_count;
	rig->weights = l->weights;
	rig->weights.vertex_count = l->document.vertex_count;
	rig->mesh = mesh;
	kept->lod_count = document->mesh_count - kept->document->mesh_count;
	kept->document = document;
	kept->mesh = mesh;
	kept->rig = rig;
	return OSSA_OK;
}

static ossa_status read_levels(lods *l)
{
	OSSAI_TRY(count_all(l));
	OSSAI_TRY(make_arrays(l));
	OSSAI_TRY(ossai_kept_compare_weights(l->kept, &l->file));
	for (uint32_t level = 1; level <= l->kept->level_count; level++) OSSAI_TRY(join_level(l, level));
	return OSSA_OK;
}

ossa_status ossai_kept_join_lods(ossai_kept *kept)
{
	lods l = {.kept = kept, .arena = &kept->writer->arena, .document = *kept->document};
	if (kept->level_count == 0) return OSSA_OK;
	l.size = ossai_bounds_make(kept->document->vertex_count, kept->document->positions).diagonal;
	OSSAI_TRY(ossai_kept_open_file(kept, &l.file));
	const ossa_status status = read_levels(&l);
	ossai_kept_close_file(&l.file);
	OSSAI_TRY(status);
	ossai_kept_warn_of_weights(kept);
	const size_t first = kept->document->vertex_count;
	OSSAI_TRY(ossai_kept_carry(l.arena, kept->rig->mesh, kept->document->positions, l.document.vertex_count - first,
		l.document.positions + 3 * first, l.now + 3 * first));
	return put_all(&l);
}
