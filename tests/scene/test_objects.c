/* tests/scene/test_objects.c: objects and sets of UVs and colours of a mesh: checked, copied,
   adopted, and taken out one by one, against the mesh as a whole. */
#include "math/affine.h"
#include "scene/names.h"
#include "scene/objects.h"
#include "scene/sets.h"
#include "support/objects.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a strip of `count` squares side by side, two triangles each, whose neighbors share two vertices;
   one vertex at the end is of no polygon */
static ossa_mesh *strip(ossa_context *context, uint32_t count)
{
	const size_t vertices = 2 * (size_t)count + 3;
	float *positions = calloc(vertices, 3 * sizeof *positions);
	uint32_t *triangles = calloc(count, 6 * sizeof *triangles);
	ossa_mesh *mesh;
	assert_true(positions && triangles);
	for (uint32_t v = 0; v < vertices; v++) {
		positions[3 * v] = (float)(v / 2);
		positions[3 * v + 1] = (float)(v % 2);
		positions[3 * v + 2] = (float)(v % 7) / 8;
	}
	for (uint32_t s = 0; s < count; s++) {
		const uint32_t corners[6] = {2 * s, 2 * s + 2, 2 * s + 1, 2 * s + 1, 2 * s + 2, 2 * s + 3};
		memcpy(triangles + 6 * s, corners, sizeof corners);
	}
	assert_ok(context, ossa_mesh_create(context, vertices, positions, 2 * (size_t)count, triangles, &mesh));
	free(positions);
	free(triangles);
	return mesh;
}

static ossa_mesh *dressed_strip(ossa_context *context)
{
	ossa_mesh *mesh = strip(context, 6);
	test_add_objects(context, mesh);
	test_add_sets(context, mesh);
	mesh->morphs = ossa_alloc(context, 1, sizeof *mesh->morphs);
	mesh->morph_count = 1;
	mesh->morphs[0] = (ossa_morph){.name = "lift",
		.count = 3,
		.vertices = ossa_alloc(context, 3, sizeof(uint32_t)),
		.deltas = ossa_alloc(context, 9, sizeof(float)),
		.weight = 0.5};
	assert_true(mesh->morphs[0].vertices && mesh->morphs[0].deltas);
	for (uint32_t i = 0; i < 3; i++) {
		mesh->morphs[0].vertices[i] = 3 * i + 1;
		mesh->morphs[0].deltas[3 * i + 2] = 1 + (float)i;
	}
	assert_ok(context, ossa_mesh_validate(context, mesh));
	return mesh;
}

/* ---- parts ---- */

/* every corner of a part, taken back by its transform, is a corner of the whole mesh with the same
   UVs; triangles face as they did */
static void assert_part(const ossa_mesh *mesh, const ossai_object_part *part)
{
	const ossa_mesh *own = part->mesh;
	const bool is_mirrored = ossai_mat3_det(&part->transform.r) < 0;
	for (size_t t = 0; t < own->triangle_count; t++) {
		const size_t whole = part->triangles[t];
		for (size_t k = 0; k < 3; k++) {
			/* a reversed triangle: first, third, second corner */
			const size_t same = is_mirrored && k > 0 ? 3 - k : k;
			const size_t c = own->triangle_corners[3 * t + k], d = mesh->triangle_corners[3 * whole + same];
			const uint32_t v = own->corner_vertex[c], w = mesh->corner_vertex[d];
			assert_int_equal(part->vertices[v], w);
			const ossai_vec3 back = ossai_rigid_point(&part->transform, ossai_v3_of_float(own->positions + 3 * v));
			assert_near_vec3(back, ossai_v3_of_float(mesh->positions + 3 * w), 1e-5);
			for (size_t set = 0; set < ossai_uv_count(own); set++) {
				const ossai_uvs a = ossai_uvs_at(own, set), b = ossai_uvs_at(mesh, set);
				assert_int_equal(a.of_corner[c] == OSSA_NONE, b.of_corner[d] == OSSA_NONE);
				if (a.of_corner[c] == OSSA_NONE) continue;
				assert_memory_equal(
					a.texcoords + 2 * (size_t)a.of_corner[c], b.texcoords + 2 * (size_t)b.of_corner[d], 2 * sizeof(float));
			}
			for (size_t set = 0; set < ossai_color_count(own); set++)
				assert_memory_equal(ossai_colors_at(own, set) + 4 * (size_t)v, ossai_colors_at(mesh, set) + 4 * (size_t)w, 16);
		}
	}
}

static void parts_are_the_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dressed_strip(context);
	for (int axes = OSSAI_AXES_MESH; axes <= OSSAI_AXES_RIGHT_ANGLED; axes++) {
		ossai_arena arena = ossai_arena_begin(context);
		ossai_object_parts parts;
		size_t triangles = 0, moved = 0;
		assert_ok(context, ossai_objects_split(&arena, mesh, NULL, (ossai_axes)axes, &parts));
		assert_int_equal(parts.count, 3);
		for (size_t i = 0; i < parts.count; i++) {
			assert_ok(context, ossa_mesh_validate(context, parts.items[i].mesh));
			assert_part(mesh, &parts.items[i]);
			triangles += parts.items[i].mesh->triangle_count;
			for (size_t m = 0; m < parts.items[i].mesh->morph_count; m++) moved += parts.items[i].mesh->morphs[m].count;
		}
		assert_int_equal(triangles, mesh->triangle_count);
		/* vertices of the target on both sides of a border count twice; the last vertex, which no
		   polygon uses, is the last object's */
		assert_true(moved >= 3);
		const ossai_object_part *last = &parts.items[2];
		assert_int_equal(last->vertices[last->mesh->vertex_count - 1], mesh->vertex_count - 1);
		ossai_arena_end(&arena);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* What corners name is listed once and rising, whatever the order in which they name it: in one
   run, or far apart. */
static void values_rise(void **state)
{
	(void)state;
	enum { SQUARES = 200 };
	ossa_context *context = test_context(1);
	for (size_t step = 1; step <= 1001; step += 250) {
		ossa_mesh *mesh = strip(context, SQUARES);
		test_add_objects(context, mesh);
		mesh->texcoord_count = mesh->corner_count * step;
		mesh->texcoords = ossa_alloc(context, mesh->texcoord_count, 2 * sizeof(float));
		mesh->corner_texcoord = ossa_alloc(context, mesh->corner_count, sizeof(uint32_t));
		assert_true(mesh->texcoords && mesh->corner_texcoord);
		for (size_t i = 0; i < mesh->texcoord_count; i++) mesh->texcoords[2 * i] = (float)i;
		/* backwards, each third corner without */
		for (size_t c = 0; c < mesh->corner_count; c++)
			mesh->corner_texcoord[c] = c % 3 == 0 ? OSSA_NONE : (uint32_t)((mesh->corner_count - 1 - c) * step);
		ossai_arena arena = ossai_arena_begin(context);
		ossai_object_parts parts;
		assert_ok(context, ossai_objects_split(&arena, mesh, NULL, OSSAI_AXES_MESH, &parts));
		for (size_t i = 0; i < parts.count; i++) {
			const ossa_mesh *own = parts.items[i].mesh;
			assert_part(mesh, &parts.items[i]);
			assert_true(own->texcoord_count > 0);
			for (size_t k = 1; k < own->texcoord_count; k++) assert_true(own->texcoords[2 * k] > own->texcoords[2 * k - 2]);
			for (size_t v = 1; v < own->vertex_count; v++)
				assert_true(parts.items[i].vertices[v] > parts.items[i].vertices[v - 1]);
		}
		ossai_arena_end(&arena);
		ossa_mesh_free(context, mesh);
	}
	test_context_end(context);
}

static void sheared_objects_stay_in_the_mesh_where_nodes_cannot(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dressed_strip(context);
	mesh->objects[1].transform[1] = 0.5;
	mesh->objects[1].transform[0] = 1;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_object_parts parts;
	assert_ok(context, ossai_objects_split(&arena, mesh, NULL, OSSAI_AXES_RIGHT_ANGLED, &parts));
	const ossai_rigid none = ossai_affine_identity();
	assert_true(ossai_rigid_same(&parts.items[1].transform, &none));
	assert_false(ossai_rigid_same(&parts.items[2].transform, &none));
	ossai_arena_end(&arena);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void a_mesh_without_objects_is_its_only_part(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = strip(context, 2);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_object_parts parts;
	assert_ok(context, ossai_objects_split(&arena, mesh, NULL, OSSAI_AXES_OWN, &parts));
	assert_int_equal(parts.count, 1);
	assert_true(parts.items[0].mesh == mesh && !parts.items[0].vertices && !parts.items[0].object);
	ossai_arena_end(&arena);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- values ---- */

static void copies_have_them(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = dressed_strip(context), *copy, *plain = strip(context, 6);
	assert_ok(context, ossa_mesh_copy(context, mesh, &copy));
	test_assert_objects(mesh, copy, &(test_kept){true, true, 0});
	assert_int_equal(copy->more_uv_count, 2);
	/* further sets are adopted beside a first alone */
	bool adopted;
	assert_ok(context, ossa_mesh_adopt(context, plain, mesh, &adopted));
	assert_true(adopted);
	assert_int_equal(plain->object_count, 3);
	assert_int_equal(plain->more_uv_count, 0);
	assert_ok(context, ossa_mesh_validate(context, plain));
	assert_ok(context, ossa_mesh_adopt(context, copy, plain, &adopted));
	assert_int_equal(copy->more_uv_count, 0);
	assert_ok(context, ossa_mesh_validate(context, copy));
	ossa_mesh_free(context, plain);
	ossa_mesh_free(context, copy);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* each rule of the header broken once */
static void every_rule_is_checked(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *whole = dressed_strip(context);
	for (int rule = 0; rule < 13; rule++) {
		ossa_mesh *mesh;
		assert_ok(context, ossa_mesh_copy(context, whole, &mesh));
		const size_t colors = mesh->more_color_count;
		switch (rule) {
		case 0: mesh->polygon_object[3] = 3; break;
		case 1: mesh->objects[1].transform[0] = NAN; break;
		case 2: memset(mesh->objects[1].transform, 0, 12 * sizeof(double)); break;
		case 3: mesh->objects[1].transform[15] = 2; break;
		case 4: memset(mesh->objects[2].name, 'a', sizeof mesh->objects[2].name); break;
		case 5: mesh->more_uvs[0].corner_texcoord[4] = (uint32_t)mesh->more_uvs[0].texcoord_count; break;
		case 6: mesh->more_uvs[1].texcoords[0] = INFINITY; break;
		case 7: memset(mesh->more_uvs[1].name, 'a', sizeof mesh->more_uvs[1].name); break;
		case 8: mesh->more_colors[0][2] = 1.5F; break;
		case 9: mesh->more_color_count = OSSA_SETS_MAX; break;
		case 10: memset(mesh->uv_name, 'a', sizeof mesh->uv_name); break;
		case 11: mesh->more_color_count = 2; break;
		case 12: ossa_free(context, mesh->polygon_object), mesh->polygon_object = NULL; break;
		}
		assert_fails(context, ossa_mesh_validate(context, mesh), OSSA_ERROR_INPUT, NULL);
		mesh->more_color_count = colors;
		ossa_mesh_free(context, mesh);
	}
	ossa_mesh_free(context, whole);
	test_context_end(context);
}

static void names_become_different(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	char names[6][64] = {"a", "a", "a_2", "", "a", "b\xff"};
	assert_ok(context, ossai_names_apart(context, 6, names));
	assert_string_equal(names[0], "a");
	assert_string_equal(names[2], "a_2");
	assert_string_equal(names[3], "mesh");
	assert_string_equal(names[5], "b_");
	for (int i = 0; i < 6; i++) {
		for (int k = 0; k < i; k++) assert_string_not_equal(names[i], names[k]);
	}
	/* materials need no names */
	char materials[5][64] = {"a", "", "a", "", "a_2"};
	assert_ok(context, ossai_material_names_apart(context, 5, materials));
	for (int i = 0; i < 5; i++) assert_string_equal(materials[i], ((const char *[]){"a", "", "a_3", "", "a_2"})[i]);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_the_whole),
		cmocka_unit_test(values_rise),
		cmocka_unit_test(sheared_objects_stay_in_the_mesh_where_nodes_cannot),
		cmocka_unit_test(a_mesh_without_objects_is_its_only_part),
		cmocka_unit_test(copies_have_them),
		cmocka_unit_test(every_rule_is_checked),
		cmocka_unit_test(names_become_different),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
