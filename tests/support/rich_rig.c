/* tests/support/rich_rig.c: see rich_rig.h. */
#include "support/rich_rig.h"
#include "base/context.h"
#include "samples/samples.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Each face has one of two UV sheets, chosen in runs of 16 faces: vertices between the runs need
   two UVs. */
static ossa_status add_texcoords(ossa_context *context, ossa_mesh *mesh)
{
	const size_t count = mesh->vertex_count * 2;
	ossa_free(context, mesh->texcoords);
	ossa_free(context, mesh->corner_texcoord);
	mesh->texcoords = ossa_alloc(context, count, 2 * sizeof *mesh->texcoords);
	mesh->corner_texcoord = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_texcoord);
	if (!mesh->texcoords || !mesh->corner_texcoord) return ossa_context_error(context)->status;
	mesh->texcoord_count = count;
	for (size_t i = 0; i < count; i++) {
		mesh->texcoords[2 * i] = (float)(i % 64) / 64;
		mesh->texcoords[2 * i + 1] = (float)(i / 64 % 64) / 64;
	}
	for (size_t p = 0; p < mesh->polygon_count; p++) {
		for (size_t c = mesh->polygon_start[p]; c < mesh->polygon_start[p + 1]; c++) {
			mesh->corner_texcoord[c] = mesh->corner_vertex[c] + (p / 16 % 2 ? (uint32_t)mesh->vertex_count : 0);
		}
	}
	return OSSA_OK;
}

static ossa_status add_colors(ossa_context *context, ossa_mesh *mesh)
{
	ossa_free(context, mesh->colors);
	mesh->colors = ossa_alloc(context, mesh->vertex_count, 4 * sizeof *mesh->colors);
	if (!mesh->colors) return ossa_context_error(context)->status;
	for (size_t i = 0; i < mesh->vertex_count * 4; i++) mesh->colors[i] = i % 4 == 3 ? 1 : (float)(i % 17) / 17;
	return OSSA_OK;
}

static ossa_status add_materials(ossa_context *context, ossa_mesh *mesh)
{
	ossa_free(context, mesh->materials);
	ossa_free(context, mesh->polygon_material);
	mesh->materials = ossa_alloc(context, 2, sizeof *mesh->materials);
	mesh->polygon_material = ossa_alloc(context, mesh->polygon_count, sizeof *mesh->polygon_material);
	if (!mesh->materials || !mesh->polygon_material) return ossa_context_error(context)->status;
	mesh->material_count = 2;
	strcpy(mesh->materials[0], "skin \"soft\"");
	strcpy(mesh->materials[1], "P\xc3\xa4lz");
	for (size_t p = 0; p < mesh->polygon_count; p++) mesh->polygon_material[p] = p % 4 < 2 ? (uint32_t)(p % 2) : OSSA_NONE;
	return OSSA_OK;
}

/* moves a little weight of every vertex to the bones after its own, until it has `influences` of
   them */
static ossa_status spread_weights(ossa_context *context, ossa_rig *rig, int influences)
{
	const size_t count = (size_t)influences, bones = rig->skeleton.bone_count;
	ossa_weights wide = {rig->mesh->vertex_count, influences, NULL, NULL};
	wide.bones = ossa_alloc(context, wide.vertex_count, count * sizeof *wide.bones);
	wide.values = ossa_alloc(context, wide.vertex_count, count * sizeof *wide.values);
	for (size_t v = 0; wide.bones && wide.values && v < wide.vertex_count; v++) {
		const uint16_t first = rig->weights.bones[v * (size_t)rig->weights.influences];
		float *values = wide.values + v * count, rest = 1;
		for (size_t k = count - 1; k > 0; k--) {
			values[k] = 0.03125f / (float)k;
			rest -= values[k];
		}
		values[0] = rest;
		for (size_t k = 0; k < count; k++) wide.bones[v * count + k] = (uint16_t)((first + k) % bones);
	}
	ossa_free(context, rig->weights.bones);
	ossa_free(context, rig->weights.values);
	rig->weights = wide;
	return wide.bones && wide.values ? OSSA_OK : ossa_context_error(context)->status;
}

static ossa_status enrich(ossa_context *context, ossa_rig *rig, int influences)
{
	OSSAI_TRY(add_texcoords(context, rig->mesh));
	OSSAI_TRY(add_colors(context, rig->mesh));
	OSSAI_TRY(add_materials(context, rig->mesh));
	return influences > 4 ? spread_weights(context, rig, influences) : OSSA_OK;
}

ossa_status test_rich_rig(ossa_context *context, int faces, int frames, int influences, ossa_rig **rig)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample = NULL;
	options.kind = OSSA_SAMPLE_BIPED;
	options.faces = faces;
	options.frames = frames;
	*rig = NULL;
	OSSAI_TRY(ossa_sample_create(context, &options, &sample));
	ossa_status status = enrich(context, sample->rig, influences);
	if (status == OSSA_OK) {
		*rig = sample->rig;
		sample->rig = NULL;
	}
	ossa_sample_free(context, sample);
	return status;
}

ossa_status test_rich_rig_slides(ossa_context *context, ossa_rig *rig)
{
	ossa_clip *clip = rig->clip;
	const size_t bones = clip->bone_count, count = clip->frame_count * bones * 3;
	clip->translations = ossa_alloc(context, count, sizeof *clip->translations);
	if (!clip->translations) return ossa_context_error(context)->status;
	for (size_t i = 0; i < count; i++) {
		const size_t frame = i / (bones * 3), bone = i / 3 % bones;
		clip->translations[i] = bone == 0 ? clip->root_positions[3 * frame + i % 3] : 0.02 * (double)(i * 7 % 23);
	}
	return OSSA_OK;
}

ossa_mesh *test_mixed_mesh(ossa_context *context, const char *second_material)
{
	static const float corners[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0.1f, 2, 1, 1e-7f, 1.5f, 2, 0, 0, 2, -3.25e8f};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 8, corners, 4, (uint32_t[12]){0}, &mesh));
	mesh->polygon_count = 3;
	mesh->corner_count = 12;
	memcpy(mesh->polygon_start, (uint32_t[]){0, 4, 9, 12}, 4 * sizeof(uint32_t));
	memcpy(mesh->corner_vertex, (uint32_t[]){0, 1, 2, 3, 1, 4, 5, 6, 2, 3, 2, 7}, 12 * sizeof(uint32_t));
	mesh->materials = ossa_alloc(context, 2, sizeof *mesh->materials);
	mesh->polygon_material = ossa_alloc(context, 3, sizeof *mesh->polygon_material);
	mesh->material_count = 2;
	strcpy(mesh->materials[0], "skin & \"bone\"");
	snprintf(mesh->materials[1], sizeof mesh->materials[1], "%s", second_material);
	memcpy(mesh->polygon_material, (uint32_t[]){1, OSSA_NONE, 0}, 3 * sizeof(uint32_t));
	mesh->corner_texcoord = ossa_alloc(context, 12, sizeof *mesh->corner_texcoord);
	mesh->corner_normal = ossa_alloc(context, 12, sizeof *mesh->corner_normal);
	mesh->texcoords = ossa_alloc(context, 4, sizeof *mesh->texcoords);
	mesh->normals = ossa_alloc(context, 3, sizeof *mesh->normals);
	mesh->texcoord_count = 2;
	mesh->normal_count = 1;
	memcpy(mesh->texcoords, (float[]){0.1f, 0.9f, 0.3f, 1}, 4 * sizeof(float));
	memcpy(mesh->normals, (float[]){0, 0.6f, 0.8f}, 3 * sizeof(float));
	for (uint32_t i = 0; i < 12; i++) {
		mesh->corner_texcoord[i] = i < 4 ? i % 2 : OSSA_NONE;
		mesh->corner_normal[i] = i == 5 ? 0 : OSSA_NONE;
	}
	assert_ok(context, ossa_mesh_triangulate(context, mesh));
	return mesh;
}

void test_rich_rig_roles(ossa_rig *rig)
{
	static const ossa_role roles[] = {{.part = OSSA_PART_HIPS}, {.part = OSSA_PART_SPINE, .number = 1},
		{.part = OSSA_PART_HEAD}, {.part = OSSA_PART_UPPER_ARM, .side = 1}, {.part = OSSA_PART_LOWER_ARM, .side = 1},
		{.part = OSSA_PART_HAND, .side = 1}, {.part = OSSA_PART_UPPER_ARM, .side = -1},
		{.part = OSSA_PART_LOWER_ARM, .side = -1}, {.part = OSSA_PART_HAND, .side = -1},
		{.part = OSSA_PART_UPPER_LEG, .side = 1}, {.part = OSSA_PART_LOWER_LEG, .side = 1}, {.part = OSSA_PART_FOOT, .side = 1},
		{.part = OSSA_PART_UPPER_LEG, .side = -1}, {.part = OSSA_PART_LOWER_LEG, .side = -1},
		{.part = OSSA_PART_FOOT, .side = -1}};
	enum { ROLES = sizeof roles / sizeof roles[0] };
	assert_true(rig->skeleton.bone_count >= ROLES);
	for (size_t b = 0; b < ROLES; b++) rig->skeleton.bones[b].role = roles[b];
}
