/* report/looks.c: materials at a point of the surface: see looks.h. */
#include "report/looks.h"
#include "report/look_textures.h"
#include "scene/mesh.h"

#include <string.h>

/* ---- whether there is something to see ---- */

static bool has_texture(const ossa_material *m)
{
	return m->base_color_texture.image != OSSA_NONE || m->normal_texture.image != OSSA_NONE ||
		m->emission_texture.image != OSSA_NONE;
}

static bool is_gray(const double *rgb) { return rgb[0] == rgb[1] && rgb[1] == rgb[2]; }

static bool is_more_than_gray(const ossa_material *m)
{
	const bool glows = m->emission[0] + m->emission[1] + m->emission[2] > 0;
	return has_texture(m) || glows || m->alpha != OSSA_ALPHA_OPAQUE || !is_gray(m->base_color);
}

bool ossai_looks_are_there(const ossa_mesh *mesh)
{
	const size_t count = mesh->appearance ? mesh->appearance->material_count : 0;
	for (size_t m = 0; m < count; m++) {
		const ossa_material *material = &mesh->appearance->materials[m];
		if (is_more_than_gray(material)) return true;
		if (material->base_color[0] != mesh->appearance->materials[0].base_color[0]) return true;
	}
	for (size_t i = 0; mesh->colors && i < 4 * mesh->vertex_count; i++) {
		if (mesh->colors[i] != 1) return true;
	}
	return false;
}

/* ---- making ---- */

static uint8_t kind_of(const ossa_material *m)
{
	return (uint8_t)((m->double_sided ? 0 : OSSAI_LOOK_ONE_SIDED) | (m->alpha == OSSA_ALPHA_MASK ? OSSAI_LOOK_MASK : 0) |
		(m->alpha == OSSA_ALPHA_BLEND ? OSSAI_LOOK_BLEND : 0));
}

/* the polygon that has a corner */
static size_t polygon_of(const ossa_mesh *mesh, uint32_t corner)
{
	size_t low = 0, high = mesh->polygon_count;
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;
		if (mesh->polygon_start[middle] <= corner) low = middle;
		else high = middle;
	}
	return low;
}

static ossa_status find_triangles(ossai_arena *arena, const ossa_mesh *mesh, ossai_looks *looks)
{
	const size_t known = mesh->appearance ? mesh->appearance->material_count : 0;
	uint32_t *material = ossai_arena_new(arena, mesh->triangle_count, sizeof *material);
	uint8_t *kinds = material ? ossai_arena_new(arena, mesh->triangle_count, sizeof *kinds) : NULL;
	if (!kinds) return ossa_context_error(arena->context)->status;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t slot = ossai_material_slot(mesh, polygon_of(mesh, mesh->triangle_corners[3 * t]));
		material[t] = slot < known ? slot : (uint32_t)known;
		kinds[t] = kind_of(&looks->materials[material[t]].plain);
		looks->has_blend = looks->has_blend || (kinds[t] & OSSAI_LOOK_BLEND);
	}
	looks->material = material;
	looks->kinds = kinds;
	return OSSA_OK;
}

ossa_status ossai_looks_make(ossa_context *context, ossai_arena *arena, const ossa_mesh *mesh, ossai_looks *looks)
{
	const size_t known = mesh->appearance ? mesh->appearance->material_count : 0;
	ossai_light_codes *codes = ossai_arena_new(arena, 1, sizeof *codes);
	ossai_look_material *materials = codes ? ossai_arena_zero(arena, known + 1, sizeof *materials) : NULL;
	if (!materials) return ossa_context_error(context)->status;
	ossai_light_codes_fill(codes);
	for (size_t m = 0; m < known; m++) materials[m].plain = mesh->appearance->materials[m];
	materials[known].plain = ossa_material_default();
	*looks = (ossai_looks){.mesh = mesh, .codes = codes, .materials = materials};
	OSSAI_TRY(find_triangles(arena, mesh, looks));
	return ossai_look_textures_make(context, arena, looks, materials);
}

/* ---- a point ---- */

/* the texture coordinates of a triangle's corners, in the texture's own; false where it has none */
static bool corner_coordinates(const ossai_looks *looks, const ossai_look_texture *texture, uint32_t triangle, double at[3][2])
{
	for (size_t i = 0; i < 3; i++) {
		float uv[2];
		if (!ossai_corner_texcoord(looks->mesh, texture->uv_set, looks->mesh->triangle_corners[3 * (size_t)triangle + i], uv))
			return false;
		for (int k = 0; k < 2; k++) at[i][k] = texture->map[k][0] * uv[0] + texture->map[k][1] * uv[1] + texture->map[k][2];
	}
	return true;
}

/* false, and value is untouched, where there is no texture */
static bool look_up(const ossai_looks *looks, const ossai_look_texture *texture, const ossai_look_spot *spot, float value[4])
{
	double corners[3][2];
	if (!texture->levels || !corner_coordinates(looks, texture, spot->triangle, corners)) return false;
	ossai_texture_spot at = {{0, 0}, {0, 0}, {0, 0}};
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 2; k++) {
			at.at[k] += spot->weights[i] * corners[i][k];
			at.across[k] += spot->across[i] * corners[i][k];
			at.down[k] += spot->down[i] * corners[i][k];
		}
	}
	ossai_texture_look_up(texture->levels, looks->codes, texture->wraps, &at, value);
	return true;
}

static const ossai_look_material *material_at(const ossai_looks *looks, const ossai_look_spot *spot)
{
	return &looks->materials[looks->material[spot->triangle]];
}

/* factor, texture and the vertices' colours */
static void base_color(const ossai_looks *looks, const ossai_look_spot *spot, double color[4])
{
	const ossai_look_material *m = material_at(looks, spot);
	const ossa_mesh *mesh = looks->mesh;
	float value[4] = {1, 1, 1, 1};
	look_up(looks, &m->base_color, spot, value);
	double own[4] = {0, 0, 0, 0};
	for (size_t i = 0; i < 3; i++) {
		const float *of_vertex = mesh->colors ? mesh->colors + 4 * (size_t)mesh->triangles[3 * (size_t)spot->triangle + i]
											  : NULL;
		for (int c = 0; c < 4; c++) own[c] += spot->weights[i] * (of_vertex ? (double)of_vertex[c] : 1);
	}
	for (int c = 0; c < 4; c++) color[c] = m->plain.base_color[c] * value[c] * own[c];
}

ossai_look ossai_look_at(const ossai_looks *looks, const ossai_look_spot *spot)
{
	const ossai_look_material *m = material_at(looks, spot);
	double color[4];
	float light[4] = {1, 1, 1, 1};
	base_color(looks, spot, color);
	look_up(looks, &m->emission, spot, light);
	ossai_look look = {{color[0], color[1], color[2]}, m->plain.alpha == OSSA_ALPHA_BLEND ? color[3] : 1, {0, 0, 0}};
	for (int c = 0; c < 3; c++) look.emission[c] = m->plain.emission[c] * light[c];
	return look;
}

double ossai_look_alpha(const ossai_looks *looks, const ossai_look_spot *spot)
{
	double color[4];
	base_color(looks, spot, color);
	return color[3];
}

/* the direction of u along the surface, times how v turns against it; false where the coordinates
   have no area */
static bool tangent_of(const double at[3][2], const ossai_vec3 p[3], ossai_vec3 normal, ossai_vec3 *tangent, double *turn)
{
	const double u1 = at[1][0] - at[0][0], v1 = at[1][1] - at[0][1], u2 = at[2][0] - at[0][0], v2 = at[2][1] - at[0][1];
	*turn = u1 * v2 - u2 * v1 > 0 ? 1 : -1;
	const ossai_vec3 one = ossai_scale(ossai_sub(p[1], p[0]), *turn * v2), two = ossai_scale(ossai_sub(p[2], p[0]), *turn * v1);
	const ossai_vec3 along = ossai_sub(one, two), flat = ossai_madd(along, -ossai_dot(along, normal), normal);
	const double length = ossai_length(flat);
	if (!(length > 0) || u1 * v2 == u2 * v1) return false;
	*tangent = ossai_scale(flat, 1 / length);
	return true;
}

ossai_vec3 ossai_look_normal(const ossai_looks *looks, const ossai_look_spot *spot, const ossai_vec3 p[3], ossai_vec3 normal)
{
	const ossai_look_material *m = material_at(looks, spot);
	float value[4];
	double corners[3][2], turn;
	ossai_vec3 tangent;
	if (!look_up(looks, &m->normal, spot, value)) return normal;
	if (!corner_coordinates(looks, &m->normal, spot->triangle, corners)) return normal;
	if (!tangent_of(corners, p, normal, &tangent, &turn)) return normal;
	const double scale = m->plain.normal_scale;
	const ossai_vec3 bitangent = ossai_scale(ossai_cross(normal, tangent), turn);
	const ossai_vec3 across = ossai_madd(
		ossai_scale(tangent, scale * (2 * (double)value[0] - 1)), scale * (2 * (double)value[1] - 1), bitangent);
	return ossai_unit(ossai_madd(across, 2 * (double)value[2] - 1, normal), normal);
}
