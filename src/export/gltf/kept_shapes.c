/* export/gltf/kept_shapes.c: new positions for the meshes of a kept glTF file that no longer have
   those of the file: reposed, posed by joints, mirrored.

   Place in the path: inside the GLB writer.
   Input: the document's attributes, positions of the mesh now and as they were read.
   Output: positions, normals, tangents, differences of morph targets in the rig's space. What is
   attached to the surface turns and stretches with it. Everything else stays as it was.
   Source: glTF 2.0 specification, 3.7.2.1 (attributes) and 3.7.2.2 (morph targets). */
#include "export/gltf/kept.h"
#include "import/gltf/gltf_document.h"
#include "mesh/gradients.h"
#include "mesh/weld.h"

#include <string.h>

/* ---- one primitive ---- */

/* The file as its reader sees it, for its numbers as they were. */
typedef struct shapes {
	ossai_kept *kept;
	ossai_kept_file file;
	ossai_mat3 *gradients; /* by vertex of the mesh: from where it was read to where it is */
} shapes;

/* A primitive's vertices. */
typedef struct shape {
	shapes *all;
	const ossai_document_mesh *mesh;
	size_t first, count; /* first SIZE_MAX: it is no part of the rig's mesh */
	const json_t *from;  /* as it was in the file */
	json_t *to;
	ossai_mat3 *maps;        /* count: what its vectors become */
	ossai_mat3 *normal_maps; /* count: what its normals become */
} shape;

static ossa_status last_error(const shape *s) { return ossa_context_error(s->all->kept->writer->context)->status; }

/* cofactors: the inverse transposed, times the determinant; mirrors turn normals over as they turn
   the winding that was reversed */
static ossai_mat3 cofactors(const ossai_mat3 *a)
{
	ossai_mat3 c;
	const double sign = ossai_mat3_det(a) < 0 ? -1 : 1;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			const int p = (i + 1) % 3, q = (i + 2) % 3, u = (j + 1) % 3, v = (j + 2) % 3;
			c.m[i][j] = sign * (a->m[p][u] * a->m[q][v] - a->m[p][v] * a->m[q][u]);
		}
	}
	return c;
}

static ossa_status make_maps(shape *s)
{
	const ossa_document *document = s->all->kept->document;
	ossai_arena *arena = &s->all->kept->writer->arena;
	s->maps = ossai_arena_new(arena, s->count, sizeof *s->maps);
	s->normal_maps = ossai_arena_new(arena, s->count, sizeof *s->normal_maps);
	if (!s->maps || !s->normal_maps) return last_error(s);
	for (size_t i = 0; i < s->count; i++) {
		s->maps[i] = s->mesh->map.r;
		if (s->first != SIZE_MAX) {
			const size_t at = s->first + i;
			const ossai_mat3 *turn = s->mesh->is_mapped ? &s->mesh->map.r : &s->mesh->turns[at];
			s->maps[i] = ossai_mat3_mul(&s->all->gradients[document->vertex_of[s->mesh->first_vertex + at]], turn);
		}
		s->normal_maps[i] = cofactors(&s->maps[i]);
	}
	return OSSA_OK;
}

/* the file's numbers of an attribute; *values NULL where it has none */
static ossa_status read(const shape *s, const json_t *attributes, const char *key, size_t width, float **values)
{
	size_t count;
	ossai_arena *arena = &s->all->kept->writer->arena;
	OSSAI_TRY(ossai_gltf_read_floats(&s->all->file.gltf, attributes, key, width, true, arena, &count, values));
	if (*values && count < s->count) *values = NULL;
	return OSSA_OK;
}

static ossa_status name_accessor(const shape *s, json_t *attributes, const char *key, size_t accessor)
{
	const bool set = json_object_set_new(attributes, key, json_integer((json_int_t)accessor)) == 0;
	return set ? OSSA_OK : ossai_glb_no_memory(s->all->kept->writer->context);
}

/* puts vectors of 3 floats, with bounds where they are positions */
static ossa_status put_vectors(const shape *s, json_t *attributes, const char *key, const float *values, bool is_bounded)
{
	ossai_glb_writer *writer = s->all->kept->writer;
	size_t view, accessor;
	float *data = ossai_glb_put_block(writer, s->count * 12, OSSAI_GLB_VERTICES, &view);
	if (!data) return last_error(s);
	memcpy(data, values, s->count * 12);
	OSSAI_TRY(ossai_glb_put_accessor(writer, view, 0, OSSAI_GLB_VEC3, s->count, is_bounded ? data : NULL, &accessor));
	return name_accessor(s, attributes, key, accessor);
}

static void turn(const ossai_mat3 *map, float v[3])
{
	const ossai_vec3 turned = ossai_mat3_mul_v(map, ossai_v3_of_float(v));
	v[0] = (float)turned.x;
	v[1] = (float)turned.y;
	v[2] = (float)turned.z;
}

static void turn_unit(const ossai_mat3 *map, float v[3])
{
	const ossai_vec3 unit = ossai_unit(ossai_mat3_mul_v(map, ossai_v3_of_float(v)), ossai_v3_of_float(v));
	v[0] = (float)unit.x;
	v[1] = (float)unit.y;
	v[2] = (float)unit.z;
}

static ossa_status put_normals(const shape *s, json_t *attributes)
{
	float *normals;
	OSSAI_TRY(read(s, json_object_get(s->from, "attributes"), "NORMAL", 3, &normals));
	if (!normals) return OSSA_OK;
	for (size_t i = 0; i < s->count; i++) turn_unit(&s->normal_maps[i], normals + 3 * i);
	return put_vectors(s, attributes, "NORMAL", normals, false);
}

void ossai_kept_turn_tangent(const ossai_mat3 *map, const float from[4], float to[4])
{
	memcpy(to, from, 4 * sizeof *to);
	turn_unit(map, to);
	if (ossai_mat3_det(map) < 0) to[3] = -to[3];
}

static ossa_status put_tangents(const shape *s, json_t *attributes)
{
	float *tangents;
	size_t accessor;
	OSSAI_TRY(read(s, json_object_get(s->from, "attributes"), "TANGENT", 4, &tangents));
	if (!tangents) return OSSA_OK;
	float *data = ossai_glb_put_array(s->all->kept->writer, OSSAI_GLB_VEC4, s->count, OSSAI_GLB_VERTICES, &accessor);
	if (!data) return last_error(s);
	for (size_t i = 0; i < s->count; i++) ossai_kept_turn_tangent(&s->maps[i], tangents + 4 * i, data + 4 * i);
	return name_accessor(s, attributes, "TANGENT", accessor);
}

/* ---- morph targets ---- */

/* Normals and tangents of a target are differences of unit vectors. */
static ossa_status put_target_turns(
	const shape *s, const json_t *from, json_t *to, const char *key, size_t width, const ossai_mat3 *maps)
{
	float *base, *deltas;
	OSSAI_TRY(read(s, json_object_get(s->from, "attributes"), key, width, &base));
	OSSAI_TRY(read(s, from, key, 3, &deltas));
	if (!deltas) return OSSA_OK;
	for (size_t i = 0; base && i < s->count; i++) {
		float sum[3];
		for (size_t k = 0; k < 3; k++) sum[k] = base[width * i + k] + deltas[3 * i + k];
		const double length = ossai_length(ossai_v3_of_float(sum));
		turn_unit(&maps[i], sum);
		turn_unit(&maps[i], base + width * i);
		for (size_t k = 0; k < 3; k++) deltas[3 * i + k] = (float)(length * (double)sum[k]) - base[width * i + k];
	}
	return put_vectors(s, to, key, deltas, false);
}

static double weight_at_rest(const shape *s, size_t target)
{
	const json_t *root = s->all->kept->document->root;
	const json_t *node = json_array_get(json_object_get(root, "nodes"), s->mesh->node);
	const json_t *mesh = json_array_get(json_object_get(root, "meshes"), s->mesh->mesh);
	const json_t *weights = json_object_get(node, "weights");
	if (!json_is_array(weights)) weights = json_object_get(mesh, "weights");
	return json_number_value(json_array_get(weights, target));
}

/* the target of the mesh that one of the file's became; NULL: none */
static const ossa_morph *morph_of(const shape *s, size_t t)
{
	const ossa_mesh *mesh = s->all->kept->mesh;
	if (s->first == SIZE_MAX || t >= s->mesh->target_count) return NULL;
	return s->mesh->target_morphs[t] < mesh->morph_count ? &mesh->morphs[s->mesh->target_morphs[t]] : NULL;
}

/* The mesh's own differences were turned with its vertices, as far as each of these was. */
static ossa_status take_deltas(const shape *s, const ossa_morph *morph, float *deltas)
{
	const ossai_kept *kept = s->all->kept;
	ossai_arena scratch = ossai_arena_begin(kept->writer->context);
	float *all = ossai_arena_zero(&scratch, kept->mesh->vertex_count, 3 * sizeof *all);
	for (size_t i = 0; all && i < morph->count; i++)
		memcpy(all + 3 * (size_t)morph->vertices[i], morph->deltas + 3 * i, 3 * sizeof *all);
	for (size_t i = 0; all && i < s->count; i++) {
		const size_t v = kept->document->vertex_of[s->mesh->first_vertex + s->first + i];
		memcpy(deltas + 3 * i, all + 3 * v, 3 * sizeof *all);
	}
	ossai_arena_end(&scratch);
	return all ? OSSA_OK : last_error(s);
}

/* positions lose what targets add at rest: the mesh has it */
static ossa_status put_target(const shape *s, size_t t, float *positions)
{
	const ossa_morph *morph = morph_of(s, t);
	const json_t *from = json_array_get(json_object_get(s->from, "targets"), t);
	json_t *to = json_array_get(json_object_get(s->to, "targets"), t);
	const double weight = s->first == SIZE_MAX ? 0 : weight_at_rest(s, t);
	float *deltas;
	OSSAI_TRY(read(s, from, "POSITION", 3, &deltas));
	if (deltas && morph) OSSAI_TRY(take_deltas(s, morph, deltas));
	for (size_t i = 0; deltas && i < s->count; i++) {
		if (!morph) turn(&s->maps[i], deltas + 3 * i);
		for (size_t k = 0; weight != 0 && k < 3; k++) positions[3 * i + k] -= (float)(weight * (double)deltas[3 * i + k]);
	}
	if (deltas) OSSAI_TRY(put_vectors(s, to, "POSITION", deltas, true));
	OSSAI_TRY(put_target_turns(s, from, to, "NORMAL", 3, s->normal_maps));
	return put_target_turns(s, from, to, "TANGENT", 4, s->maps);
}

/* ---- positions ---- */

static ossa_status find_positions(const shape *s, float **positions)
{
	const ossai_kept *kept = s->all->kept;
	OSSAI_TRY(read(s, json_object_get(s->from, "attributes"), "POSITION", 3, positions));
	for (size_t i = 0; *positions && i < s->count; i++) {
		float *to = *positions + 3 * i;
		if (s->first != SIZE_MAX) {
			const size_t v = kept->document->vertex_of[s->mesh->first_vertex + s->first + i];
			memcpy(to, kept->mesh->positions + 3 * v, 3 * sizeof *to);
			continue;
		}
		turn(&s->mesh->map.r, to);
		const double t[3] = {s->mesh->map.t.x, s->mesh->map.t.y, s->mesh->map.t.z};
		for (size_t k = 0; k < 3; k++) to[k] = (float)((double)to[k] + t[k]);
	}
	return OSSA_OK;
}

static ossa_status put_shape(shape *s)
{
	json_t *attributes = json_object_get(s->to, "attributes");
	float *positions;
	OSSAI_TRY(make_maps(s));
	OSSAI_TRY(find_positions(s, &positions));
	if (!positions) return OSSA_OK;
	for (size_t t = 0; t < json_array_size(json_object_get(s->from, "targets")); t++) OSSAI_TRY(put_target(s, t, positions));
	OSSAI_TRY(put_vectors(s, attributes, "POSITION", positions, true));
	OSSAI_TRY(put_normals(s, attributes));
	return put_tangents(s, attributes);
}

/* ---- winding ---- */

/* the triangles of a list, strip or fan of `count` indices, each reversed */
static size_t reverse(size_t mode, const uint32_t *indices, size_t count, uint32_t *reversed)
{
	const bool is_list = mode == 4, is_fan = mode == 6;
	const size_t triangles = is_list ? count / 3 : count < 3 ? 0 : count - 2;
	for (size_t t = 0; t < triangles; t++) {
		const size_t first = is_list ? 3 * t : is_fan ? 0 : t, next = is_list ? 3 * t + 1 : t + 1;
		/* every other triangle of a strip is reversed already */
		const bool keeps = !is_list && !is_fan && t % 2 == 1;
		reversed[3 * t] = indices[first];
		reversed[3 * t + 1] = indices[keeps ? next : next + 1];
		reversed[3 * t + 2] = indices[keeps ? next + 1 : next];
	}
	return 3 * triangles;
}

static ossa_status put_reversed(shape *s)
{
	ossai_glb_writer *writer = s->all->kept->writer;
	const size_t named = ossai_kept_number(s->from, "mode"), mode = named == SIZE_MAX ? 4 : named;
	ossai_gltf_accessor accessor = {.run.count = s->count};
	size_t from, to;
	OSSAI_TRY(ossai_gltf_index(&s->all->file.gltf, s->from, "indices", "accessors", &from));
	if (from != SIZE_MAX) OSSAI_TRY(ossai_gltf_open_accessor(&s->all->file.gltf, from, 1, &accessor));
	const size_t count = accessor.run.count;
	uint32_t *indices = ossai_arena_new(&writer->arena, count, sizeof *indices);
	uint32_t *reversed = ossai_arena_new(&writer->arena, count, 3 * sizeof *reversed);
	if (!indices || !reversed) return last_error(s);
	for (size_t i = 0; i < count; i++) indices[i] = (uint32_t)i;
	if (from != SIZE_MAX) OSSAI_TRY(ossai_gltf_integers(&s->all->file.gltf, &accessor, indices, 1));
	const size_t left = reverse(mode, indices, count, reversed);
	uint32_t *data = ossai_glb_put_array(writer, OSSAI_GLB_INDEX_U32, left, OSSAI_GLB_INDICES, &to);
	if (!data) return last_error(s);
	memcpy(data, reversed, left * sizeof *data);
	json_object_del(s->to, "mode");
	return name_accessor(s, s->to, "indices", to);
}

/* ---- all ---- */

/* attributes of an earlier primitive with the same vertices */
static ossa_status share_shape(const shape *s, const json_t *like)
{
	static const char *const keys[] = {"POSITION", "NORMAL", "TANGENT"};
	for (size_t k = 0; k < 3; k++) {
		json_t *value = json_object_get(json_object_get(like, "attributes"), keys[k]);
		if (value && json_object_set(json_object_get(s->to, "attributes"), keys[k], value) != 0)
			return ossai_glb_no_memory(s->all->kept->writer->context);
	}
	json_t *targets = json_object_get(like, "targets");
	if (!targets || json_object_set_new(s->to, "targets", json_deep_copy(targets)) == 0) return OSSA_OK;
	return ossai_glb_no_memory(s->all->kept->writer->context);
}

static ossa_status put_primitive(shapes *all, size_t m, size_t p, uint32_t *owner)
{
	const ossa_document *document = all->kept->document;
	const ossai_document_mesh *mesh = &document->meshes[m];
	const json_t *item = json_array_get(json_object_get(document->root, "meshes"), mesh->mesh);
	shape s = {.all = all,
		.mesh = mesh,
		.first = document->primitive_vertex[mesh->first_primitive + p],
		.from = json_array_get(json_object_get(item, "primitives"), p),
		.to = ossai_kept_primitive(all->kept, m, p)};
	size_t positions;
	ossai_gltf_accessor accessor;
	OSSAI_TRY(ossai_gltf_index(&all->file.gltf, json_object_get(s.from, "attributes"), "POSITION", "accessors", &positions));
	if (positions == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_open_accessor(&all->file.gltf, positions, 3, &accessor));
	s.count = accessor.run.count;
	if (s.first != SIZE_MAX && ossai_kept_is_mirrored(mesh)) OSSAI_TRY(put_reversed(&s));
	if (s.first == SIZE_MAX) return put_shape(&s);
	if (owner[s.first] > 0) return share_shape(&s, ossai_kept_primitive(all->kept, m, owner[s.first] - 1));
	owner[s.first] = (uint32_t)p + 1;
	return put_shape(&s);
}

static ossa_status put_mesh(shapes *all, size_t m)
{
	const ossai_document_mesh *mesh = &all->kept->document->meshes[m];
	uint32_t *owner = ossai_arena_zero(&all->kept->writer->arena, mesh->vertex_count, sizeof *owner);
	if (!owner) return ossa_context_error(all->kept->writer->context)->status;
	for (size_t p = 0; p < mesh->primitive_count; p++) OSSAI_TRY(put_primitive(all, m, p, owner));
	return OSSA_OK;
}

/* vertices that coincide as they were read have one gradient, so that no seam shows */
ossa_status ossai_kept_gradients(ossai_arena *arena, const ossa_mesh *mesh, const float *before, ossai_mat3 **gradients)
{
	uint32_t *first = ossai_arena_new(arena, mesh->vertex_count, sizeof *first);
	uint8_t *used = ossai_arena_zero(arena, mesh->vertex_count, 1);
	size_t others;
	*gradients = ossai_arena_new(arena, mesh->vertex_count, sizeof **gradients);
	if (!first || !used || !*gradients) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) used[mesh->triangles[i]] = 1;
	OSSAI_TRY(ossai_weld_vertices(arena->context, mesh->vertex_count, used, before, 1, mesh->positions, first, &others));
	return ossai_vertex_gradients(
		arena->context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, first, before, mesh->positions, *gradients);
}

static ossa_status put_moved(shapes *all)
{
	const ossai_kept *kept = all->kept;
	ossa_status status = OSSA_OK;
	for (size_t m = 0; m < kept->document->mesh_count && status == OSSA_OK; m++) {
		if (kept->is_moved[m]) status = put_mesh(all, m);
	}
	return status;
}

ossa_status ossai_kept_put_shapes(ossai_kept *kept)
{
	shapes all = {.kept = kept};
	bool any = false;
	for (size_t m = 0; m < kept->document->mesh_count; m++) any |= kept->is_moved[m];
	if (!any) return OSSA_OK;
	OSSAI_TRY(ossai_kept_gradients(&kept->writer->arena, kept->mesh, kept->document->positions, &all.gradients));
	OSSAI_TRY(ossai_kept_open_file(kept, &all.file));
	const ossa_status status = put_moved(&all);
	ossai_kept_close_file(&all.file);
	return status;
}
