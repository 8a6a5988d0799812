/* export/usd/usd_mesh.c: the mesh of a USD file.

   Place in the path: inside the USD writer.
   Input: a mesh, perhaps with weights or frames.
   Output: a Mesh prim with the mesh's polygons, UVs and normals corner by corner, colours and
   weights vertex by vertex, and a GeomSubset for each of the mesh's materials.
   Source: OpenUSD, UsdGeomMesh, UsdGeomSubset, UsdSkelBindingAPI. */
#include "export/usd/usd.h"

#include "scene/mesh.h"
#include "scene/sets.h"

#include <string.h>

static void put_vectors(
	ossai_usd *usd, const char *declaration, const float *values, size_t count, size_t width, const char *metadata)
{
	ossai_usd_open_list(usd, declaration);
	for (size_t i = 0; i < count; i++) ossai_usd_floats(usd, values + width * i, width);
	ossai_usd_close_list(usd, metadata);
}

static void put_extent(ossai_usd *usd, const float *positions, size_t count)
{
	float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
	for (size_t i = 0; i < 3 * count; i++) {
		if (i < 3 || positions[i] < low[i % 3]) low[i % 3] = positions[i];
		if (i < 3 || positions[i] > high[i % 3]) high[i % 3] = positions[i];
	}
	ossai_usd_open_list(usd, "float3[] extent");
	ossai_usd_floats(usd, low, 3);
	ossai_usd_floats(usd, high, 3);
	ossai_usd_close_list(usd, NULL);
}

static void put_polygons(ossai_usd *usd, const ossa_mesh *mesh)
{
	ossai_usd_open_list(usd, "int[] faceVertexCounts");
	for (size_t p = 0; p < mesh->polygon_count; p++)
		ossai_usd_unsigned(usd, mesh->polygon_start[p + 1] - mesh->polygon_start[p]);
	ossai_usd_close_list(usd, NULL);
	ossai_usd_open_list(usd, "int[] faceVertexIndices");
	for (size_t c = 0; c < mesh->corner_count; c++) ossai_usd_unsigned(usd, mesh->corner_vertex[c]);
	ossai_usd_close_list(usd, NULL);
}

/* the indices of corners into values; corners without get the one after the last */
static bool put_indices(ossai_usd *usd, const char *declaration, const uint32_t *of_corner, size_t corner_count, size_t none)
{
	bool missing = false;
	ossai_usd_open_list(usd, declaration);
	for (size_t c = 0; c < corner_count; c++) {
		ossai_usd_unsigned(usd, of_corner[c] != OSSA_NONE ? of_corner[c] : none);
		missing = missing || of_corner[c] == OSSA_NONE;
	}
	ossai_usd_close_list(usd, NULL);
	return missing;
}

const char *ossai_usd_uv_name(size_t set, char name[32])
{
	if (set == 0) return "st";
	snprintf(name, 32, "st%zu", set);
	return name;
}

static void put_texcoords(ossai_usd *usd, const ossa_mesh *mesh, size_t set)
{
	static const float nothing[2] = {0, 0};
	char text[32], line[64];
	const char *name = ossai_usd_uv_name(set, text);
	const ossai_uvs uvs = ossai_uvs_at(mesh, set);
	snprintf(line, sizeof line, "int[] primvars:%s:indices", name);
	const bool missing = put_indices(usd, line, uvs.of_corner, mesh->corner_count, uvs.count);
	snprintf(line, sizeof line, "texCoord2f[] primvars:%s", name);
	ossai_usd_open_list(usd, line);
	for (size_t i = 0; i < uvs.count; i++) ossai_usd_floats(usd, uvs.texcoords + 2 * i, 2);
	if (missing) ossai_usd_floats(usd, nothing, 2);
	ossai_usd_close_list(usd, "interpolation = \"faceVarying\"");
}

/* only if every corner has one: an invented normal would be visible */
static void put_normals(ossai_usd *usd, const ossa_mesh *mesh)
{
	if (!mesh->corner_normal) return;
	for (size_t c = 0; c < mesh->corner_count; c++) {
		if (mesh->corner_normal[c] != OSSA_NONE) continue;
		ossai_warn(
			usd->context, "normals-left-out", 1, "some corners of faces have no normal: USD files are written without any");
		return;
	}
	put_indices(usd, "int[] primvars:normals:indices", mesh->corner_normal, mesh->corner_count, 0);
	put_vectors(usd, "normal3f[] primvars:normals", mesh->normals, mesh->normal_count, 3, "interpolation = \"faceVarying\"");
}

/* programs show the first set */
static void put_colors(ossai_usd *usd, const ossa_mesh *mesh, size_t set)
{
	char line[64] = "color3f[] primvars:displayColor";
	const float *colors = ossai_colors_at(mesh, set);
	if (set > 0) snprintf(line, sizeof line, "color4f[] primvars:color%zu", set);
	ossai_usd_open_list(usd, line);
	for (size_t v = 0; v < mesh->vertex_count; v++) ossai_usd_floats(usd, colors + 4 * v, set > 0 ? 4 : 3);
	ossai_usd_close_list(usd, "interpolation = \"vertex\"");
}

/* matrices are for row vectors */
static void put_matrix(ossai_usd *usd, const char *declaration, const ossai_rigid *map)
{
	const double t[3] = {map->t.x, map->t.y, map->t.z};
	ossai_print_format(&usd->printer, "%*s%s = (", 4 * usd->depth, "", declaration);
	for (int row = 0; row < 4; row++) {
		ossai_print_text(&usd->printer, row > 0 ? ", (" : "(");
		for (int k = 0; k < 4; k++) {
			if (k > 0) ossai_print_text(&usd->printer, ", ");
			ossai_print_double(&usd->printer, k == 3 ? row == 3 : row == 3 ? t[k] : map->r.m[k][row]);
		}
		ossai_print_char(&usd->printer, ')');
	}
	ossai_print_text(&usd->printer, ")\n");
}

/* the whole rows of weights, unused pairs too: bone 0 with weight 0 */
static void put_weights(ossai_usd *usd, const ossa_weights *weights, const ossai_rigid *place)
{
	char metadata[80];
	const size_t count = weights->vertex_count * (size_t)weights->influences;
	snprintf(metadata, sizeof metadata, "elementSize = %d\n%*sinterpolation = \"vertex\"", weights->influences,
		4 * usd->depth + 4, "");
	ossai_usd_open_list(usd, "int[] primvars:skel:jointIndices");
	for (size_t i = 0; i < count; i++) ossai_usd_unsigned(usd, weights->bones[i]);
	ossai_usd_close_list(usd, metadata);
	put_vectors(usd, "float[] primvars:skel:jointWeights", weights->values, count, 1, metadata);
	put_matrix(usd, "matrix4d primvars:skel:geomBindTransform", place);
	ossai_usd_line(usd, "rel skel:skeleton = </%s/Skeleton>", usd->root.text);
}

/* rows: by vertex of the mesh, that of the frames; NULL: the same */
static void put_points(
	ossai_usd *usd, const float *positions, const ossa_frames *frames, const uint32_t *rows, size_t vertex_count)
{
	put_vectors(usd, "point3f[] points", positions, vertex_count, 3, NULL);
	if (!frames) return;
	ossai_usd_open_samples(usd, "point3f[] points");
	for (size_t f = 0; f < frames->frame_count; f++) {
		const float *of_frame = frames->positions + 3 * f * frames->vertex_count;
		ossai_usd_begin_sample(usd, frames->times[f]);
		for (size_t v = 0; v < vertex_count; v++) ossai_usd_floats(usd, of_frame + 3 * (rows ? (size_t)rows[v] : v), 3);
		ossai_usd_end_sample(usd);
	}
	ossai_usd_close(usd);
}

/* ---- prims in the mesh ---- */

ossa_status ossai_usd_name_children(ossai_usd *usd, const ossa_mesh *mesh, ossai_usd_name **names)
{
	const size_t first_morph = mesh->material_count + 1, count = first_morph + mesh->morph_count;
	*names = ossai_arena_new(&usd->arena, count, sizeof **names);
	if (!*names) return ossa_context_error(usd->context)->status;
	for (size_t i = 0; i < count; i++) {
		const char *name = i >= first_morph ? mesh->morphs[i - first_morph].name : "surface";
		if (i < mesh->material_count) name = mesh->materials[i][0] ? mesh->materials[i] : "material";
		ossai_usd_set_name(&(*names)[i], name);
	}
	return ossai_usd_make_names(usd->context, count, *names);
}

static ossa_status put_subsets(ossai_usd *usd, const ossa_mesh *mesh, const ossai_usd_name *names)
{
	ossai_csr polygons;
	OSSAI_TRY(ossai_polygons_of_materials(&usd->arena, mesh, &polygons));
	for (size_t m = 0; m <= mesh->material_count; m++) {
		if (ossai_csr_size(&polygons, m) == 0) continue;
		ossai_usd_open_prim(usd, "GeomSubset", names[m].text, "\"MaterialBindingAPI\"");
		ossai_usd_line(usd, "uniform token elementType = \"face\"");
		ossai_usd_line(usd, "uniform token familyName = \"materialBind\"");
		ossai_usd_open_list(usd, "int[] indices");
		for (size_t i = polygons.start[m]; i < polygons.start[m + 1]; i++) ossai_usd_unsigned(usd, polygons.item[i]);
		ossai_usd_close_list(usd, NULL);
		ossai_usd_line(usd, "rel material:binding = </%s/Materials/%s>", usd->root.text, names[m].text);
		ossai_usd_close(usd);
	}
	return OSSA_OK;
}

/* a mesh that is seen from one side alone hides what it should show, if one of its materials is
   seen from both */
static bool is_double_sided(const ossa_mesh *mesh)
{
	bool any = !mesh->appearance;
	for (size_t m = 0; !any && m < mesh->material_count; m++) any = mesh->appearance->materials[m].double_sided;
	return any;
}

/* where the object is; the points of a skinned one are deformed in the skeleton's space and come
   back to the object's by this */
static void put_place(ossai_usd *usd, const ossai_rigid *place)
{
	const ossai_rigid none = {ossai_mat3_identity(), {0, 0, 0}};
	if (ossai_rigid_same(place, &none)) return;
	put_matrix(usd, "matrix4d xformOp:transform", place);
	ossai_usd_line(usd, "uniform token[] xformOpOrder = [\"xformOp:transform\"]");
}

ossa_status ossai_usd_put_mesh(
	ossai_usd *usd, const ossai_object_part *part, const ossa_weights *weights, const ossa_frames *frames)
{
	ossai_usd_name *names;
	const ossa_mesh *mesh = part->mesh;
	const float *positions = part->positions ? part->positions : mesh->positions;
	/* points over time are whole shapes */
	const bool has_morphs = mesh->morph_count > 0 && !frames, has_materials = mesh->material_count > 0;
	const bool is_bound = weights || has_morphs;
	OSSAI_TRY(ossai_usd_name_children(usd, mesh, &names));
	ossai_usd_open_prim(
		usd, "Mesh", usd->mesh.text, is_bound ? "\"SkelBindingAPI\", \"MaterialBindingAPI\"" : "\"MaterialBindingAPI\"");
	ossai_usd_line(usd, "uniform bool doubleSided = %d", is_double_sided(mesh));
	put_extent(usd, positions, mesh->vertex_count);
	put_polygons(usd, mesh);
	put_points(usd, positions, frames, part->vertices, mesh->vertex_count);
	for (size_t set = 0; set < ossai_uv_count(mesh); set++) put_texcoords(usd, mesh, set);
	/* the file's normals belong to the mesh's own positions */
	if (!part->positions && !frames) put_normals(usd, mesh);
	for (size_t set = 0; set < ossai_color_count(mesh); set++) put_colors(usd, mesh, set);
	if (weights) put_weights(usd, weights, &part->transform);
	put_place(usd, &part->transform);
	if (has_morphs && !weights && ossai_morphs_weigh(mesh))
		ossai_usd_line(usd, "rel skel:skeleton = </%s/Skeleton>", usd->root.text);
	if (has_morphs) ossai_usd_bind_morphs(usd, mesh, names + mesh->material_count + 1);
	ossai_usd_line(usd, "uniform token subdivisionScheme = \"none\"");
	if (has_materials) {
		ossai_usd_line(usd, "uniform token subsetFamily:materialBind:familyType = \"partition\"");
		OSSAI_TRY(put_subsets(usd, mesh, names));
	}
	if (has_morphs) ossai_usd_put_morphs(usd, mesh, names + mesh->material_count + 1);
	ossai_usd_close(usd);
	return OSSA_OK;
}
