/* tests/import/asset/test_asset_join.c: rigidly moving parts, joined meshes, welded vertices. */
#include "import/asset/asset_parts.h"
#include "math/affine.h"
#include "support/scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts that move as a whole ---- */

static void parts_follow_their_nodes(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t body = scene_node(s, "body", OSSA_NONE), wheel = scene_node(s, "wheel", body);
	scene_translate(s, body, 0, 0, 0);
	scene_translate(s, wheel, 3, 0, 0);
	scene_turn(s, wheel, 0, 0, 1, 0);
	scene_op(s, wheel, OSSAI_OP_SCALE, 3, (double[]){2, 1, 1});
	scene_add_mesh(s, "body", body, 3, scene_flag, 1, scene_face);
	scene_add_mesh(s, "wheel", wheel, 3, scene_flag, 1, scene_face);
	const uint32_t clip = scene_add_clip(s, "drive");
	scene_channel(s, clip, body, 0, OSSAI_LINEAR, 2, (double[]){0, 1}, (float[]){0, 0, 0, 0, 0, 8});
	scene_channel(s, clip, wheel, 1, OSSAI_LINEAR, 2, (double[]){0, 1}, (float[]){0, 0, 1, 0, 0, 0, 1, 90});
	ossa_mesh *mesh;
	ossa_frames *frames;
	assert_ok(context, scene_read_animation(context, s, NULL, &mesh, &frames));
	assert_int_equal(frames->vertex_count, 6);
	assert_point(mesh->positions + 12, 5, 0, 0, 1e-5);
	assert_point(frames->positions + 18 + 3, 1, 0, 8, 1e-5);
	assert_point(frames->positions + 18 + 12, 3, 2, 8, 1e-5);
	assert_point(frames->positions + 18 + 15, 2, 0, 8, 1e-5);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* ---- joining ---- */

/* gives every mesh of an asset UVs, normals, colours and materials, each its own */
static void dress(ossai_asset *asset)
{
	for (size_t m = 0; m < asset->mesh_count; m++) {
		ossa_mesh *mesh = asset->meshes[m].mesh;
		const size_t corners = mesh->corner_count;
		if (m == 1) continue;
		mesh->texcoord_count = mesh->normal_count = 2;
		mesh->texcoords = ossa_alloc(asset->context, 2, 2 * sizeof *mesh->texcoords);
		mesh->normals = ossa_alloc(asset->context, 2, 3 * sizeof *mesh->normals);
		mesh->corner_texcoord = ossa_alloc(asset->context, corners, sizeof *mesh->corner_texcoord);
		mesh->corner_normal = ossa_alloc(asset->context, corners, sizeof *mesh->corner_normal);
		mesh->colors = ossa_alloc(asset->context, mesh->vertex_count, 4 * sizeof *mesh->colors);
		mesh->material_count = 2;
		mesh->materials = ossa_alloc(asset->context, 2, sizeof *mesh->materials);
		mesh->polygon_material = ossa_alloc(asset->context, mesh->polygon_count, sizeof *mesh->polygon_material);
		mesh->texcoords[0] = mesh->texcoords[2] = (float)m;
		mesh->normals[2] = mesh->normals[3] = 1;
		for (size_t i = 0; i < corners; i++) mesh->corner_texcoord[i] = mesh->corner_normal[i] = i % 2;
		mesh->corner_texcoord[corners - 1] = OSSA_NONE;
		mesh->polygon_material[0] = 1;
		/* the first has wood and wood, the third tin and wood */
		strcpy(mesh->materials[0], m == 0 ? "wood" : "tin");
		strcpy(mesh->materials[1], "wood");
	}
}

static void meshes_are_joined_with_all_they_carry(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	scene *s = scene_new();
	const uint32_t mirror = scene_node(s, "mirror", OSSA_NONE);
	scene_op(s, mirror, OSSAI_OP_SCALE, 3, (double[]){-1, 1, 1});
	scene_add_mesh(s, "first", OSSA_NONE, 3, scene_flag, 1, scene_face);
	scene_add_mesh(s, "second", OSSA_NONE, 3, scene_flag, 1, scene_face);
	scene_add_mesh(s, "third", mirror, 3, scene_flag, 1, scene_face);
	s->change = dress;
	ossa_mesh *mesh;
	assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_string_equal(mesh->name, "first");
	assert_int_equal(mesh->vertex_count, 9);
	assert_int_equal(mesh->triangle_count, 3);
	assert_int_equal(mesh->texcoord_count, 4);
	assert_int_equal(mesh->material_count, 3);
	assert_string_equal(mesh->materials[2], "tin");
	/* wood has the same index in both lists */
	static const uint32_t materials[3] = {1, OSSA_NONE, 1};
	static const uint32_t corners[9] = {0, 1, 2, 3, 4, 5, 6, 8, 7};
	static const uint32_t texcoords[9] = {0, 1, OSSA_NONE, OSSA_NONE, OSSA_NONE, OSSA_NONE, 2, OSSA_NONE, 3};
	static const uint32_t normals[9] = {0, 1, 0, OSSA_NONE, OSSA_NONE, OSSA_NONE, 2, 2, 3};
	assert_memory_equal(mesh->polygon_material, materials, sizeof materials);
	assert_memory_equal(mesh->corner_vertex, corners, sizeof corners);
	assert_memory_equal(mesh->triangles, corners, sizeof corners);
	assert_memory_equal(mesh->corner_texcoord, texcoords, sizeof texcoords);
	assert_memory_equal(mesh->corner_normal, normals, sizeof normals);
	assert_true(mesh->texcoords[4] == 2);
	/* the mirrored normal (1 0 0) */
	assert_point(mesh->normals + 9, -1, 0, 0, 1e-5);
	assert_true(mesh->colors[0] == 0 && mesh->colors[12] == 1 && mesh->colors[24] == 0);
	ossa_mesh_free(context, mesh);
	free(s);
	test_context_end(context);
}

/* larger polygons keep their triangulation when they are turned round */
static void make_quad(ossai_asset *asset)
{
	ossa_mesh *mesh = asset->meshes[0].mesh;
	mesh->polygon_count = 1;
	mesh->corner_count = 4;
	mesh->polygon_start[1] = 4;
	for (uint32_t i = 0; i < 4; i++) mesh->corner_vertex[i] = i;
	static const uint32_t triangles[6] = {1, 2, 3, 1, 3, 0};
	memcpy(mesh->triangles, triangles, sizeof triangles);
	memcpy(mesh->triangle_corners, triangles, sizeof triangles);
}

static void mirrored_quads_are_turned_round(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
	static const uint32_t halves[6] = {0, 1, 2, 0, 2, 3};
	for (int several = 0; several < 2; several++) {
		scene *s = scene_new();
		const uint32_t mirror = scene_node(s, "mirror", OSSA_NONE);
		scene_op(s, mirror, OSSAI_OP_SCALE, 3, (double[]){-1, 1, 1});
		scene_add_mesh(s, "square", mirror, 4, square, 2, halves);
		if (several) scene_add_mesh(s, "flag", OSSA_NONE, 3, scene_flag, 1, scene_face);
		s->change = make_quad;
		ossa_mesh *mesh;
		assert_ok(context, scene_read_mesh(context, s, NULL, &mesh));
		assert_ok(context, ossa_mesh_validate(context, mesh));
		static const uint32_t corners[4] = {0, 3, 2, 1}, triangles[6] = {1, 3, 2, 1, 0, 3};
		assert_memory_equal(mesh->corner_vertex, corners, sizeof corners);
		assert_memory_equal(mesh->triangles, triangles, sizeof triangles);
		ossa_mesh_free(context, mesh);
		free(s);
	}
	test_context_end(context);
}

/* copies that ossa made for seams become one vertex again; what does not fit is not believed */
static void seams_are_closed(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const float positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0};
	static const uint32_t faces[6] = {0, 1, 2, 3, 0, 4};
	for (int wrong = 0; wrong < 3; wrong++) {
		for (int several = 0; several < 2; several++) {
			scene *s = scene_new();
			const uint32_t mesh = scene_add_mesh(s, "seam", OSSA_NONE, 5, positions, 2, faces);
			if (several) scene_add_mesh(s, "flag", OSSA_NONE, 3, scene_flag, 1, scene_face);
			s->meshes[mesh].own_count = 3;
			s->meshes[mesh].copy_of = scene_wholes(s, 2, (uint32_t[]){1, wrong == 1 ? 1 : wrong == 2 ? 3 : 2});
			ossa_mesh *joined;
			assert_ok(context, scene_read_mesh(context, s, NULL, &joined));
			assert_ok(context, ossa_mesh_validate(context, joined));
			assert_int_equal(joined->vertex_count, (wrong ? 5 : 3) + (several ? 3 : 0));
			assert_int_equal(joined->triangles[3], wrong ? 3 : 1);
			assert_int_equal(joined->triangles[5], wrong ? 4 : 2);
			ossa_mesh_free(context, joined);
			free(s);
		}
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_follow_their_nodes),
		cmocka_unit_test(meshes_are_joined_with_all_they_carry),
		cmocka_unit_test(mirrored_quads_are_turned_round),
		cmocka_unit_test(seams_are_closed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
