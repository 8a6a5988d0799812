/* scene/sets.c: the sets of texture coordinates and of colours after the first.

   Place in the path: beside ossa_mesh.
   Input and output: ossa_mesh. */
#include "scene/sets.h"
#include "base/scan.h"

#include <stdio.h>
#include <string.h>

size_t ossai_count_loose_textures(const ossa_mesh *mesh)
{
	const size_t sets = ossai_uv_count(mesh);
	size_t count = 0;
	for (size_t m = 0; mesh->appearance && m < mesh->appearance->material_count; m++) {
		const ossa_material *look = &mesh->appearance->materials[m];
		const ossa_texture *textures[] = {&look->base_color_texture, &look->metallic_roughness_texture, &look->normal_texture,
			&look->occlusion_texture, &look->emission_texture};
		bool any = false;
		for (size_t i = 0; i < sizeof textures / sizeof textures[0]; i++)
			any = any || (textures[i]->image != OSSA_NONE && !ossai_texture_lies(textures[i], sets));
		count += any;
	}
	return count;
}

void ossai_uv_set_name(const ossa_mesh *mesh, size_t set, const char *first, char name[80])
{
	const ossai_uvs uvs = ossai_uvs_at(mesh, set);
	if (uvs.name[0]) snprintf(name, 80, "%s", uvs.name);
	else if (set == 0) snprintf(name, 80, "%s", first);
	else snprintf(name, 80, "%s_%zu", first, set + 1);
}

ossai_uv_slot ossai_uv_slot_of(ossa_mesh *mesh, size_t set)
{
	if (set == 0) return (ossai_uv_slot){mesh->uv_name, &mesh->texcoord_count, &mesh->texcoords, &mesh->corner_texcoord};
	ossa_uv_set *more = &mesh->more_uvs[set - 1];
	return (ossai_uv_slot){more->name, &more->texcoord_count, &more->texcoords, &more->corner_texcoord};
}

float **ossai_color_slot_of(ossa_mesh *mesh, size_t set) { return set == 0 ? &mesh->colors : &mesh->more_colors[set - 1]; }

/* sets that are half made are freed, too */
void ossai_sets_free(ossa_context *context, ossa_mesh *mesh)
{
	for (size_t i = 0; i < OSSA_SETS_MAX - 1; i++) {
		ossa_free(context, mesh->more_uvs[i].texcoords);
		ossa_free(context, mesh->more_uvs[i].corner_texcoord);
		ossa_free(context, mesh->more_colors[i]);
		mesh->more_uvs[i] = (ossa_uv_set){.texcoord_count = 0};
		mesh->more_colors[i] = NULL;
	}
	mesh->more_uv_count = mesh->more_color_count = 0;
}

static void *copy_of(ossa_context *context, const void *from, size_t count, size_t size)
{
	void *copy = ossai_new(context, count, size);
	if (copy && count > 0) memcpy(copy, from, count * size);
	return copy;
}

ossa_status ossai_sets_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh *copy)
{
	for (size_t i = 0; i < mesh->more_uv_count; i++) {
		const ossa_uv_set *from = &mesh->more_uvs[i];
		ossa_uv_set *to = &copy->more_uvs[i];
		memcpy(to->name, from->name, sizeof to->name);
		to->texcoord_count = from->texcoord_count;
		to->texcoords = copy_of(context, from->texcoords, from->texcoord_count, 2 * sizeof *to->texcoords);
		to->corner_texcoord = copy_of(context, from->corner_texcoord, mesh->corner_count, sizeof *to->corner_texcoord);
		if (!to->texcoords || !to->corner_texcoord) return ossa_context_error(context)->status;
	}
	copy->more_uv_count = mesh->more_uv_count;
	for (size_t i = 0; i < mesh->more_color_count; i++) {
		copy->more_colors[i] = copy_of(context, mesh->more_colors[i], mesh->vertex_count, 4 * sizeof(float));
		if (!copy->more_colors[i]) return ossa_context_error(context)->status;
	}
	copy->more_color_count = mesh->more_color_count;
	return OSSA_OK;
}

static ossa_status check_uvs(ossa_context *context, const ossa_mesh *mesh, size_t set)
{
	const ossai_uvs uvs = ossai_uvs_at(mesh, set);
	if (!memchr(uvs.name, 0, sizeof mesh->uv_name))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the name of UV set %zu is not terminated", set + 1);
	if ((!uvs.texcoords && uvs.count > 0) || (!uvs.of_corner && mesh->corner_count > 0))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "UV set %zu has no texture coordinates, or no corners", set + 1);
	if (!ossai_all_below(uvs.of_corner, mesh->corner_count, uvs.count, true))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "UV set %zu: a corner has a texture coordinate beyond the set's %zu",
			set + 1, uvs.count);
	if (ossai_all_finite(uvs.texcoords, 2 * uvs.count)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "UV set %zu has texture coordinates that are not finite", set + 1);
}

ossa_status ossai_sets_check(ossa_context *context, const ossa_mesh *mesh)
{
	const size_t most = OSSA_SETS_MAX - 1;
	if (mesh->more_uv_count > most || mesh->more_color_count > most)
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the mesh has %zu and %zu further sets of UVs and colours, at most %zu", mesh->more_uv_count,
			mesh->more_color_count, most);
	if ((mesh->more_uv_count > 0 && !mesh->corner_texcoord) || (mesh->more_color_count > 0 && !mesh->colors))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the mesh has further sets of UVs or colours without a first");
	if (!memchr(mesh->uv_name, 0, sizeof mesh->uv_name))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the name of UV set 1 is not terminated");
	for (size_t i = 0; i < mesh->more_uv_count; i++) OSSAI_TRY(check_uvs(context, mesh, i + 1));
	for (size_t i = 0; i < mesh->more_color_count; i++) {
		if (mesh->more_colors[i] && ossai_all_within(mesh->more_colors[i], 4 * mesh->vertex_count, 0, 1)) continue;
		if (!mesh->more_colors[i] && mesh->vertex_count == 0) continue;
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "colour set %zu is missing, or has values not from 0 to 1", i + 2);
	}
	return OSSA_OK;
}
