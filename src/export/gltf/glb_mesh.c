/* export/gltf/glb_mesh.c: the mesh of a GLB: vertex attributes, weights, materials, one primitive
   for each material.

   Place in the path: inside the GLB writer.
   Input: mesh, weights.
   Output: a glTF mesh whose primitives share their attributes. */
#include "export/gltf/glb.h"
#include "base/csr.h"
#include "mesh/normals.h"
#include "scene/mesh.h"
#include "scene/sets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* what the steps below share */
typedef struct mesh_job {
	ossai_glb_writer *writer;
	const ossai_object_part *part;
	const ossa_mesh *mesh; /* the part's */
	const float *positions;
	bool use_normals;
	ossai_glb_seams seams;
	ossai_vertex_faces around;
	float *smooth, *normals; /* of the mesh's vertices; of the file's */
	json_t *attributes;      /* of every primitive */
	json_t *targets;         /* of every primitive, or NULL */
} mesh_job;

static ossa_status last_error(const mesh_job *job) { return ossa_context_error(job->writer->context)->status; }

/* an array of one element for each vertex of the file, known to the primitives as `name` */
static void *put_attribute(mesh_job *job, const char *name, ossai_glb_layout layout, size_t *accessor)
{
	size_t index;
	void *data = ossai_glb_put_array(job->writer, layout, job->seams.vertex_count, OSSAI_GLB_VERTICES, &index);
	if (!data) return NULL;
	if (json_object_set_new(job->attributes, name, json_integer((json_int_t)index)) != 0) {
		ossai_glb_no_memory(job->writer->context);
		return NULL;
	}
	if (accessor) *accessor = index;
	return data;
}

static ossa_status put_positions(mesh_job *job)
{
	ossai_glb_writer *writer = job->writer;
	const size_t count = job->seams.vertex_count;
	size_t view, accessor;
	float *data = ossai_glb_put_block(writer, count * 12, OSSAI_GLB_VERTICES, &view);
	if (!data) return last_error(job);
	for (size_t i = 0; i < count; i++) memcpy(data + 3 * i, job->positions + (size_t)job->seams.origin[i] * 3, 12);
	OSSAI_TRY(ossai_glb_put_accessor(writer, view, 0, OSSAI_GLB_VEC3, count, data, &accessor));
	const json_int_t index = (json_int_t)accessor;
	return json_object_set_new(job->attributes, "POSITION", json_integer(index)) == 0
		? OSSA_OK
		: ossai_glb_no_memory(job->writer->context);
}

/* area-weighted normals of the mesh's vertices, when they are first needed */
static ossa_status smooth_normals(mesh_job *job)
{
	const ossa_mesh *mesh = job->mesh;
	if (job->smooth) return OSSA_OK;
	ossa_context *context = job->writer->context;
	job->smooth = ossai_arena_new(&job->writer->arena, mesh->vertex_count, 3 * sizeof *job->smooth);
	if (!job->smooth) return last_error(job);
	OSSAI_TRY(ossai_vertex_faces_make(
		context, &job->writer->arena, mesh->vertex_count, mesh->triangle_count, mesh->triangles, &job->around));
	ossai_vertex_normals(context, mesh->vertex_count, mesh->triangles, &job->around, job->positions, job->smooth);
	return OSSA_OK;
}

/* `from` normalised; false where it has no direction */
static bool store_unit(const float *from, float *to)
{
	const double x = (double)from[0], y = (double)from[1], z = (double)from[2], length = sqrt(x * x + y * y + z * z);
	if (!(length > 1e-30) || !isfinite(length)) return false;
	to[0] = (float)(x / length);
	to[1] = (float)(y / length);
	to[2] = (float)(z / length);
	return true;
}

/* the mesh's own normal of a vertex of the file, made unit; false where it has none */
static bool store_own_normal(const mesh_job *job, size_t i)
{
	const uint32_t corner = job->seams.corner[i];
	const uint32_t own = job->use_normals && corner != OSSA_NONE ? job->mesh->corner_normal[corner] : OSSA_NONE;
	return own != OSSA_NONE && store_unit(job->mesh->normals + (size_t)own * 3, job->normals + 3 * i);
}

/* the file's own normals where there are any, smooth ones elsewhere; glTF wants each to be unit */
static ossa_status put_normals(mesh_job *job)
{
	static const float up[3] = {0, 1, 0};
	job->normals = put_attribute(job, "NORMAL", OSSAI_GLB_VEC3, NULL);
	if (!job->normals) return last_error(job);
	for (size_t i = 0; i < job->seams.vertex_count; i++) {
		if (store_own_normal(job, i)) continue;
		OSSAI_TRY(smooth_normals(job));
		float *to = job->normals + 3 * i;
		if (!store_unit(job->smooth + (size_t)job->seams.origin[i] * 3, to)) memcpy(to, up, sizeof up);
	}
	return OSSA_OK;
}

/* glTF's origin is the upper left, the mesh's the lower left */
static ossa_status put_texcoords(mesh_job *job, size_t set)
{
	char name[32];
	const ossai_uvs uvs = ossai_uvs_at(job->mesh, set);
	snprintf(name, sizeof name, "TEXCOORD_%zu", set);
	float *data = put_attribute(job, name, OSSAI_GLB_VEC2, NULL);
	if (!data) return last_error(job);
	for (size_t i = 0; i < job->seams.vertex_count; i++) {
		const uint32_t corner = job->seams.corner[i];
		const uint32_t own = corner != OSSA_NONE ? uvs.of_corner[corner] : OSSA_NONE;
		const float *uv = own != OSSA_NONE ? uvs.texcoords + (size_t)own * 2 : NULL;
		const bool good = uv && isfinite(uv[0]) && isfinite(uv[1]);
		data[2 * i] = good ? uv[0] : 0;
		data[2 * i + 1] = good ? 1 - uv[1] : 0;
	}
	return OSSA_OK;
}

static float clamp_unit(float value) { return value > 0 ? (value < 1 ? value : 1) : 0; }

static uint8_t color_byte(float value) { return (uint8_t)lrintf(clamp_unit(value) * 255); }

/* whether bytes hold the colours without loss */
static bool colors_fit_bytes(const float *colors, size_t vertex_count)
{
	for (size_t i = 0; i < vertex_count * 4; i++) {
		if ((float)color_byte(colors[i]) / 255.0f != colors[i]) return false;
	}
	return true;
}

static ossa_status put_colors(mesh_job *job, size_t set)
{
	char name[32];
	const float *colors = ossai_colors_at(job->mesh, set);
	const bool bytes = colors_fit_bytes(colors, job->mesh->vertex_count);
	snprintf(name, sizeof name, "COLOR_%zu", set);
	void *data = put_attribute(job, name, bytes ? OSSAI_GLB_VEC4_U8_NORMALIZED : OSSAI_GLB_VEC4, NULL);
	if (!data) return last_error(job);
	for (size_t i = 0; i < job->seams.vertex_count; i++) {
		const float *color = colors + (size_t)job->seams.origin[i] * 4;
		for (size_t k = 0; k < 4; k++) {
			if (bytes) ((uint8_t *)data)[4 * i + k] = color_byte(color[k]);
			else ((float *)data)[4 * i + k] = clamp_unit(color[k]);
		}
	}
	return OSSA_OK;
}

/* Materials that triangles use become glTF materials in their order; slot material_count is for
   triangles without one. Where only names are known they are plain: not metallic, quite rough,
   double-sided because scanned and game meshes are often open. */
static ossa_status make_material(mesh_job *job, size_t material, size_t *index)
{
	const ossa_mesh *mesh = job->mesh;
	const bool named = material < mesh->material_count;
	if (named && mesh->appearance)
		return ossai_glb_put_material(job->writer, mesh->appearance, material, mesh->materials[material], index);
	json_t *name = ossai_glb_text(named && mesh->materials[material][0] ? mesh->materials[material] : "surface");
	json_t *item = json_pack("{s:o,s:{s:f,s:f},s:b}", "name", name, "pbrMetallicRoughness", "metallicFactor", 0.0,
		"roughnessFactor", 0.9, "doubleSided", 1);
	if (item && !named && json_object_set_new(item, "extras", json_pack("{s:{s:b}}", "ossa", "none", 1)) != 0) {
		json_decref(item);
		item = NULL;
	}
	return ossai_glb_put_material_item(job->writer, item, index);
}

/* parts share materials */
static ossa_status put_material(mesh_job *job, size_t material, size_t *index)
{
	ossai_glb_writer *writer = job->writer;
	const size_t count = job->mesh->material_count + 1;
	if (!writer->material_of) {
		writer->material_of = ossai_arena_new(&writer->arena, count, sizeof *writer->material_of);
		if (!writer->material_of) return last_error(job);
		memset(writer->material_of, 0xff, count * sizeof *writer->material_of);
	}
	if (writer->material_of[material] == SIZE_MAX) OSSAI_TRY(make_material(job, material, &writer->material_of[material]));
	*index = writer->material_of[material];
	return OSSA_OK;
}

/* indices of the triangles begin..end of `order`, 16 bits wide where that is enough (65535 is
   reserved) */
static ossa_status put_indices(mesh_job *job, const uint32_t *order, size_t begin, size_t end, size_t *accessor)
{
	const ossa_mesh *mesh = job->mesh;
	const bool small = job->seams.vertex_count <= 65535;
	const ossai_glb_layout layout = small ? OSSAI_GLB_INDEX_U16 : OSSAI_GLB_INDEX_U32;
	void *data = ossai_glb_put_array(job->writer, layout, (end - begin) * 3, OSSAI_GLB_INDICES, accessor);
	if (!data) return last_error(job);
	for (size_t i = begin; i < end; i++) {
		for (size_t k = 0; k < 3; k++) {
			const uint32_t vertex = job->seams.vertex_of_corner[mesh->triangle_corners[(size_t)order[i] * 3 + k]];
			if (small) ((uint16_t *)data)[(i - begin) * 3 + k] = (uint16_t)vertex;
			else ((uint32_t *)data)[(i - begin) * 3 + k] = vertex;
		}
	}
	return OSSA_OK;
}

/* the triangles of each material, and those without one */
static ossa_status sort_triangles(mesh_job *job, ossai_csr *triangles)
{
	const ossa_mesh *mesh = job->mesh;
	ossai_arena *arena = &job->writer->arena;
	uint32_t *slot_of_triangle = ossai_arena_new(arena, mesh->triangle_count, sizeof *slot_of_triangle);
	if (!slot_of_triangle) return last_error(job);
	/* triangles come in the order of their polygons */
	for (size_t t = 0, polygon = 0; t < mesh->triangle_count; t++) {
		while (polygon + 1 < mesh->polygon_count && mesh->triangle_corners[3 * t] >= mesh->polygon_start[polygon + 1])
			polygon++;
		slot_of_triangle[t] = ossai_material_slot(mesh, polygon);
	}
	return ossai_csr_of_keys(arena, mesh->material_count + 1, mesh->triangle_count, slot_of_triangle, triangles);
}

static ossa_status put_primitives(mesh_job *job, const ossa_rig *rig, json_t *primitives, json_t *extras)
{
	ossai_csr triangles;
	OSSAI_TRY(sort_triangles(job, &triangles));
	for (size_t m = 0; m <= job->mesh->material_count; m++) {
		size_t material = 0, indices;
		if (ossai_csr_size(&triangles, m) == 0) continue;
		OSSAI_TRY(put_material(job, m, &material));
		OSSAI_TRY(put_indices(job, triangles.item, triangles.start[m], triangles.start[m + 1], &indices));
		json_t *item = json_pack(
			"{s:O,s:I,s:I}", "attributes", job->attributes, "indices", (json_int_t)indices, "material", (json_int_t)material);
		if (item && job->targets && json_object_set(item, "targets", job->targets) != 0) {
			json_decref(item);
			item = NULL;
		}
		if (json_array_append_new(primitives, item) != 0) return ossai_glb_no_memory(job->writer->context);
	}
	/* numbered as the rig's */
	for (size_t i = 0; i < job->mesh->triangle_count && job->part->triangles; i++)
		triangles.item[i] = job->part->triangles[triangles.item[i]];
	return rig ? ossai_glb_put_merges(job->writer, rig, triangles.item, job->mesh->triangle_count, extras) : OSSA_OK;
}

/* lets a reader restore the mesh's own vertices: their count, and the originals of the copies after
   them */
static ossa_status make_extras(mesh_job *job, json_t **extras)
{
	const size_t own = job->mesh->vertex_count, more = job->seams.vertex_count - own;
	*extras = json_pack("{s:{s:I}}", "ossa", "vertices", (json_int_t)own);
	if (more == 0) return *extras ? OSSA_OK : ossai_glb_no_memory(job->writer->context);
	size_t accessor;
	uint32_t *data = ossai_glb_put_array(job->writer, OSSAI_GLB_SCALAR_U32, more, OSSAI_GLB_DATA, &accessor);
	if (!data) return last_error(job);
	memcpy(data, job->seams.origin + own, more * sizeof *data);
	json_t *number = json_integer((json_int_t)accessor);
	const bool set = json_object_set_new(json_object_get(*extras, "ossa"), "copies", number) == 0;
	return set ? OSSA_OK : ossai_glb_no_memory(job->writer->context);
}

static ossa_status put_tangents(mesh_job *job, const float *tangents)
{
	if (!tangents) return OSSA_OK;
	float *data = put_attribute(job, "TANGENT", OSSAI_GLB_VEC4, NULL);
	if (!data) return last_error(job);
	for (size_t i = 0; i < job->seams.vertex_count; i++) memcpy(data + 4 * i, tangents + 4 * (size_t)job->seams.origin[i], 16);
	return OSSA_OK;
}

static ossa_status put_attributes(mesh_job *job, const ossai_glb_surface *surface)
{
	const ossa_weights *weights = surface->weights;
	OSSAI_TRY(put_positions(job));
	OSSAI_TRY(put_normals(job));
	OSSAI_TRY(put_tangents(job, surface->tangents));
	for (size_t set = 0; set < ossai_uv_count(job->mesh); set++) OSSAI_TRY(put_texcoords(job, set));
	for (size_t set = 0; set < ossai_color_count(job->mesh); set++) OSSAI_TRY(put_colors(job, set));
	if (!weights) return OSSA_OK;
	return ossai_glb_put_weights(
		job->writer, weights, surface->bone_count, job->seams.vertex_count, job->seams.origin, job->attributes);
}

/* the mesh's own targets at rest; without the list glTF has every weight at 0 */
static ossa_status put_rest_weights(const mesh_job *job, bool with_frames, json_t *item)
{
	if (with_frames || !ossai_morphs_weigh(job->mesh)) return OSSA_OK;
	json_t *weights = json_array();
	for (size_t m = 0; m < job->mesh->morph_count; m++) json_array_append_new(weights, json_real(job->mesh->morphs[m].weight));
	const bool whole = json_array_size(weights) == job->mesh->morph_count;
	if (json_object_set_new(item, "weights", weights) == 0 && whole) return OSSA_OK;
	return ossai_glb_no_memory(job->writer->context);
}

/* a morph target for each frame, or those of the mesh, named in the mesh's extras where viewers
   look for names */
static ossa_status put_frames(mesh_job *job, const ossa_frames *frames, json_t *extras)
{
	if (!frames && job->mesh->morph_count == 0) return OSSA_OK;
	json_t *names = NULL;
	OSSAI_TRY(smooth_normals(job));
	const ossai_glb_base base = {
		job->mesh, job->part->vertices, &job->seams, job->positions, job->smooth, job->normals, &job->around};
	OSSAI_TRY(ossai_glb_put_targets(job->writer, &base, frames, &job->targets, &names));
	if (json_object_set_new(extras, "targetNames", names) != 0) return ossai_glb_no_memory(job->writer->context);
	return frames ? OSSA_OK : ossai_glb_put_drivers(job->writer, job->mesh, extras);
}

ossa_status ossai_glb_put_mesh(
	ossai_glb_writer *writer, const ossai_object_part *part, const ossai_glb_surface *surface, size_t *mesh_index)
{
	const ossa_mesh *mesh = part->mesh;
	mesh_job job = {
		.writer = writer, .part = part, .mesh = mesh, .positions = mesh->positions, .use_normals = mesh->corner_normal != NULL};
	if (mesh->triangle_count == 0) {
		return ossai_fail(writer->context, OSSA_ERROR_INPUT, NULL, "the mesh has no triangles: glTF cannot hold it");
	}
	if (part->positions) {
		job.positions = part->positions;
		job.use_normals = false;
	}
	OSSAI_TRY(ossai_glb_find_seams(writer->context, &writer->arena, mesh, job.use_normals, &job.seams));
	job.attributes = json_object();
	json_t *primitives = json_array(), *extras = NULL;
	ossa_status status = job.attributes && primitives ? OSSA_OK : ossai_glb_no_memory(writer->context);
	if (status == OSSA_OK) status = put_attributes(&job, surface);
	if (status == OSSA_OK) status = make_extras(&job, &extras);
	if (status == OSSA_OK) status = put_frames(&job, surface->frames, extras);
	if (status == OSSA_OK) status = put_primitives(&job, surface->rig, primitives, extras);
	if (status == OSSA_OK) {
		json_t *item = json_pack("{s:o,s:O,s:O}", "name", ossai_glb_text(mesh->name[0] ? mesh->name : "mesh"), "primitives",
			primitives, "extras", extras);
		status = item ? put_rest_weights(&job, surface->frames != NULL, item) : OSSA_OK;
		if (status == OSSA_OK) status = ossai_glb_put(writer, "meshes", item, mesh_index);
		else json_decref(item);
	}
	json_decref(job.targets);
	json_decref(extras);
	json_decref(primitives);
	json_decref(job.attributes);
	return status;
}
