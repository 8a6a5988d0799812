/* export/collada/collada_mesh.c: the geometry of a Collada file: positions, normals, UVs, colours,
   polygons by material.

   Place in the path: inside the Collada writer.
   Input: a mesh.
   Output: for each object a geometry of polylists, so that quads and larger polygons stay.
   Polygons are sorted by material, otherwise in their order; those without one come last, under a
   symbol that no material is bound to. A corner without a normal gets the vertex's smooth one, as
   programs that light by normals need; a corner without UVs gets 0 0. Colours are written in sRGB,
   as Blender and three.js take them. */
#include "export/collada/collada.h"

#include "base/csr.h"
#include "math/color.h"
#include "mesh/normals.h"
#include "scene/mesh.h"
#include "scene/sets.h"

#include <string.h>

/* what the steps below share */
typedef struct mesh_job {
	ossai_collada *file;
	const ossa_mesh *mesh;
	const float *positions;
	const float *smooth;       /* V x 3 normals, or NULL where every corner has its own */
	bool own_normals;          /* some corners have their own */
	bool blank[OSSA_SETS_MAX]; /* by set of UVs: some corners have none */
	/* M + 1: polygons of each material; the last group is that without */
	ossai_csr groups;
} mesh_job;

static ossa_status last_error(const mesh_job *job) { return ossa_context_error(job->file->context)->status; }

/* ---- sources ---- */

static bool has_none(const uint32_t *indices, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (indices[i] == OSSA_NONE) return true;
	}
	return false;
}

static ossa_status make_smooth_normals(mesh_job *job)
{
	const ossa_mesh *mesh = job->mesh;
	ossa_context *context = job->file->context;
	ossai_vertex_faces around;
	float *normals = ossai_arena_new(&job->file->arena, mesh->vertex_count, 3 * sizeof *normals);
	if (!normals) return last_error(job);
	OSSAI_TRY(ossai_vertex_faces_make(
		context, &job->file->arena, mesh->vertex_count, mesh->triangle_count, mesh->triangles, &around));
	ossai_vertex_normals(context, mesh->vertex_count, mesh->triangles, &around, job->positions, normals);
	job->smooth = normals;
	return OSSA_OK;
}

static void put_vectors(
	const mesh_job *job, const char *id, const float *first, size_t first_count, const float *second, size_t second_count)
{
	const ossai_collada_source source = {id, "float_array", "float", "XYZ", first_count + second_count, 3};
	ossai_collada_open_source(job->file, &source);
	if (first_count > 0) ossai_markup_floats(&job->file->markup, first, first_count * 3);
	if (second_count > 0) ossai_markup_floats(&job->file->markup, second, second_count * 3);
	ossai_collada_close_source(job->file, &source);
}

/* smooth normals first, one for each vertex, then the mesh's own */
static void put_normals(const mesh_job *job)
{
	const size_t smooth = job->smooth ? job->mesh->vertex_count : 0, own = job->own_normals ? job->mesh->normal_count : 0;
	put_vectors(job, "ossa-normals", job->smooth, smooth, job->mesh->normals, own);
}

/* "ossa-texcoords" for the first set, "ossa-texcoords-set-2" ... for the others */
static const char *name_set(const char *stem, size_t set, char id[OSSAI_COLLADA_ID])
{
	if (set == 0) snprintf(id, OSSAI_COLLADA_ID, "%s", stem);
	else snprintf(id, OSSAI_COLLADA_ID, "%s-set-%zu", stem, set + 1);
	return id;
}

static void put_texcoords(const mesh_job *job, size_t set)
{
	static const float zero[2] = {0, 0};
	char id[OSSAI_COLLADA_ID];
	const ossai_uvs uvs = ossai_uvs_at(job->mesh, set);
	const ossai_collada_source source = {
		name_set("ossa-texcoords", set, id), "float_array", "float", "ST", uvs.count + job->blank[set], 2};
	ossai_collada_open_named_source(job->file, &source, uvs.name);
	ossai_markup_floats(&job->file->markup, uvs.texcoords, uvs.count * 2);
	if (job->blank[set]) ossai_markup_floats(&job->file->markup, zero, 2);
	ossai_collada_close_source(job->file, &source);
}

static void put_colors(const mesh_job *job, size_t set)
{
	char id[OSSAI_COLLADA_ID];
	const size_t count = job->mesh->vertex_count;
	const ossai_collada_source source = {name_set("ossa-colors", set, id), "float_array", "float", "RGBA", count, 4};
	ossai_collada_open_source(job->file, &source);
	for (size_t v = 0; v < count; v++) {
		const float *color = ossai_colors_at(job->mesh, set) + 4 * v;
		for (size_t k = 0; k < 3; k++) ossai_markup_float(&job->file->markup, ossai_srgb_of_linear(color[k]));
		ossai_markup_float(&job->file->markup, color[3]);
	}
	ossai_collada_close_source(job->file, &source);
}

/* ---- polygons ---- */

/* set: SIZE_MAX where it goes without saying */
static void put_input(const mesh_job *job, const char *semantic, const char *source, size_t offset, size_t set)
{
	ossai_markup *markup = &job->file->markup;
	char url[OSSAI_COLLADA_ADDRESS];
	snprintf(url, sizeof url, "#%s%s", source, job->file->suffix);
	ossai_markup_open(markup, "input", "semantic", semantic, "source", url, NULL);
	ossai_markup_attribute_index(markup, "offset", offset);
	if (set != SIZE_MAX) ossai_markup_attribute_index(markup, "set", set);
	ossai_markup_close(markup, "input");
}

/* what follows the vertex of a corner: smooth normals and colours are the vertex's, with its
   index */
static void put_inputs(const mesh_job *job)
{
	char id[OSSAI_COLLADA_ID];
	const size_t first = job->own_normals ? 2 : 1;
	put_input(job, "VERTEX", "ossa-vertices", 0, SIZE_MAX);
	put_input(job, "NORMAL", "ossa-normals", job->own_normals, SIZE_MAX);
	for (size_t set = 0; set < ossai_color_count(job->mesh); set++)
		put_input(job, "COLOR", name_set("ossa-colors", set, id), 0, set > 0 ? set : SIZE_MAX);
	for (size_t set = 0; set < ossai_uv_count(job->mesh); set++)
		put_input(job, "TEXCOORD", name_set("ossa-texcoords", set, id), first + set, set);
}

static void put_corner(const mesh_job *job, size_t corner)
{
	const ossa_mesh *mesh = job->mesh;
	ossai_markup *markup = &job->file->markup;
	const size_t vertex = mesh->corner_vertex[corner];
	ossai_markup_index(markup, vertex);
	if (job->own_normals) {
		const uint32_t own = mesh->corner_normal[corner];
		ossai_markup_index(markup, own == OSSA_NONE ? vertex : own + (job->smooth ? mesh->vertex_count : 0));
	}
	for (size_t set = 0; set < ossai_uv_count(mesh); set++) {
		const ossai_uvs uvs = ossai_uvs_at(mesh, set);
		ossai_markup_index(markup, uvs.of_corner[corner] == OSSA_NONE ? uvs.count : uvs.of_corner[corner]);
	}
}

static void put_polylist(const mesh_job *job, size_t group)
{
	const uint32_t *order = job->groups.item + job->groups.start[group], *start = job->mesh->polygon_start;
	const size_t count = ossai_csr_size(&job->groups, group);
	ossai_markup *markup = &job->file->markup;
	char symbol[OSSAI_COLLADA_ID];
	ossai_collada_name_symbol(job->mesh, group, symbol);
	ossai_markup_open(markup, "polylist", NULL);
	if (job->mesh->material_count > 0) ossai_markup_attribute(markup, "material", symbol);
	ossai_markup_attribute_index(markup, "count", count);
	put_inputs(job);
	ossai_markup_open(markup, "vcount", NULL);
	for (size_t i = 0; i < count; i++) ossai_markup_index(markup, start[order[i] + 1] - start[order[i]]);
	ossai_markup_close(markup, "vcount");
	ossai_markup_open(markup, "p", NULL);
	for (size_t i = 0; i < count; i++) {
		for (size_t c = start[order[i]]; c < start[order[i] + 1]; c++) put_corner(job, c);
	}
	ossai_markup_close(markup, "p");
	ossai_markup_close(markup, "polylist");
}

static void put_geometry(const mesh_job *job)
{
	const ossa_mesh *mesh = job->mesh;
	ossai_markup *markup = &job->file->markup;
	char id[OSSAI_COLLADA_ID], url[OSSAI_COLLADA_ADDRESS];
	ossai_markup_open(markup, "geometry", "id", ossai_collada_part_id(job->file, "ossa-geometry", id), NULL);
	ossai_collada_put_name(job->file, mesh->name[0] ? mesh->name : "mesh");
	ossai_markup_open(markup, "mesh", NULL);
	put_vectors(job, "ossa-positions", job->positions, mesh->vertex_count, NULL, 0);
	if (mesh->polygon_count > 0) {
		put_normals(job);
		for (size_t set = 0; set < ossai_color_count(mesh); set++) put_colors(job, set);
		for (size_t set = 0; set < ossai_uv_count(mesh); set++) put_texcoords(job, set);
	}
	ossai_markup_open(markup, "vertices", "id", ossai_collada_part_id(job->file, "ossa-vertices", id), NULL);
	snprintf(url, sizeof url, "#ossa-positions%s", job->file->suffix);
	ossai_markup_empty(markup, "input", "semantic", "POSITION", "source", url, NULL);
	ossai_markup_close(markup, "vertices");
	for (size_t g = 0; g <= mesh->material_count; g++) {
		if (ossai_csr_size(&job->groups, g) > 0) put_polylist(job, g);
	}
	ossai_markup_close(markup, "mesh");
	ossai_collada_put_whole_name(job->file, mesh->name);
	ossai_markup_close(markup, "geometry");
	ossai_collada_put_targets(job->file, job->positions, job->groups.item);
}

static ossa_status put_mesh(ossai_collada *file, bool **uses)
{
	const ossa_mesh *mesh = file->mesh;
	mesh_job job = {.file = file, .mesh = mesh, .positions = file->positions ? file->positions : mesh->positions};
	/* own normals belong to the mesh's own positions */
	job.own_normals = mesh->corner_normal && !file->positions;
	for (size_t set = 0; set < ossai_uv_count(mesh); set++)
		job.blank[set] = has_none(ossai_uvs_at(mesh, set).of_corner, mesh->corner_count);
	if (!job.own_normals || has_none(mesh->corner_normal, mesh->corner_count)) OSSAI_TRY(make_smooth_normals(&job));
	OSSAI_TRY(ossai_polygons_of_materials(&file->arena, mesh, &job.groups));
	put_geometry(&job);
	*uses = ossai_arena_new(&file->arena, mesh->material_count, sizeof **uses);
	if (!*uses) return last_error(&job);
	for (size_t m = 0; m < mesh->material_count; m++) (*uses)[m] = !file->part->object || ossai_csr_size(&job.groups, m) > 0;
	return OSSA_OK;
}

ossa_status ossai_collada_put_meshes(ossai_collada *file)
{
	file->uses = ossai_arena_new(&file->arena, file->parts.count, sizeof *file->uses);
	if (!file->uses) return ossa_context_error(file->context)->status;
	ossai_collada_put_materials(file);
	ossai_markup_open(&file->markup, "library_geometries", NULL);
	for (size_t i = 0; i < file->parts.count; i++) {
		ossai_collada_select(file, i);
		OSSAI_TRY(put_mesh(file, &file->uses[i]));
	}
	ossai_collada_select(file, 0);
	ossai_markup_close(&file->markup, "library_geometries");
	return OSSA_OK;
}
