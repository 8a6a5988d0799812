/* tests/report/test_looks.c: materials at a point against plain formulas, and in pictures. */
#include "report/looks.h"
#include "scene/appearance.h"
#include "support/images.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { QUADS_MAX = 4, SIDE = 64 };

/* Upright quads that face +Z, one behind the other, each with a material of its own. */
static ossa_mesh *make_quads(ossa_context *context, size_t count)
{
	static const float corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
	float positions[QUADS_MAX * 12];
	uint32_t triangles[QUADS_MAX * 6];
	for (uint32_t q = 0; q < count; q++) {
		for (uint32_t i = 0; i < 4; i++) {
			memcpy(positions + 12 * q + 3 * i, (const float[3]){corners[i][0], corners[i][1], -0.05f * (float)q}, 12);
		}
		const uint32_t own[6] = {4 * q, 4 * q + 1, 4 * q + 2, 4 * q, 4 * q + 2, 4 * q + 3};
		memcpy(triangles + 6 * q, own, sizeof own);
	}
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_mesh_create(context, 4 * count, positions, 2 * count, triangles, &mesh));
	mesh->texcoord_count = 4;
	mesh->texcoords = ossa_alloc(context, 4, 2 * sizeof *mesh->texcoords);
	mesh->corner_texcoord = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_texcoord);
	mesh->materials = ossa_alloc(context, count, sizeof *mesh->materials);
	mesh->polygon_material = ossa_alloc(context, 2 * count, sizeof *mesh->polygon_material);
	memcpy(mesh->texcoords, corners, sizeof corners);
	for (size_t i = 0; i < mesh->corner_count; i++) mesh->corner_texcoord[i] = mesh->corner_vertex[i] % 4;
	for (uint32_t p = 0; p < 2 * count; p++) mesh->polygon_material[p] = p / 2;
	mesh->material_count = count;
	for (size_t m = 0; m < count; m++) strcpy(mesh->materials[m], (const char *[]){"a", "b", "c", "d"}[m]);
	mesh->appearance = &ossai_appearance_new(context, count)->shown;
	return mesh;
}

static ossa_material *material_of(ossa_mesh *mesh, size_t index)
{
	return &((ossai_appearance *)(uintptr_t)mesh->appearance)->materials[index];
}

static ossa_texture add_image(ossa_mesh *mesh, test_image file)
{
	uint32_t image = OSSA_NONE;
	ossai_appearance *own = (ossai_appearance *)(uintptr_t)mesh->appearance;
	assert_ok(own->context, ossai_appearance_add_copy(own, "image", file.bytes, file.size, &image));
	return ossai_texture_of(image);
}

/* from the top: red, green; blue, white */
static test_image quarters(void)
{
	enum { TEXELS = 32 };
	static const uint8_t colors[4][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255}};
	uint8_t rgba[4 * TEXELS * TEXELS];
	for (size_t i = 0; i < TEXELS * TEXELS; i++) {
		memcpy(rgba + 4 * i, colors[2 * (i / TEXELS / 16) + i % TEXELS / 16], 4);
	}
	return test_png(TEXELS, TEXELS, rgba, false);
}

static test_image one_texel(int r, int g, int b, int a)
{
	return test_png(1, 1, (const uint8_t[4]){(uint8_t)r, (uint8_t)g, (uint8_t)b, (uint8_t)a}, false);
}

/* ---- at a point ---- */

static double light_of(double code) { return code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4); }
/* the coordinates become the second set, and the first is of no use */
static void move_to_second_set(ossa_context *context, ossa_mesh *mesh)
{
	ossa_uv_set *second = &mesh->more_uvs[mesh->more_uv_count++];
	*second = (ossa_uv_set){.texcoord_count = 4, .texcoords = mesh->texcoords, .corner_texcoord = mesh->corner_texcoord};
	mesh->texcoords = ossa_alloc(context, 4, 2 * sizeof *mesh->texcoords);
	mesh->corner_texcoord = ossa_alloc(context, mesh->corner_count, sizeof *mesh->corner_texcoord);
}

/* factor, texel and colours of vertices, with the coordinates turned, scaled and moved */
static void colors_agree_with_the_formula(void **state)
{
	(void)state;
	uint8_t rgba[4 * 6 * 4];
	uint32_t random = 3;
	for (size_t i = 0; i < sizeof rgba; i++) rgba[i] = (uint8_t)test_random_bits(&random);
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_quads(context, 1);
	ossa_material *m = material_of(mesh, 0);
	m->base_color_texture = add_image(mesh, test_png(6, 4, rgba, false));
	m->base_color_texture.rotation = 0.7;
	m->base_color_texture.uv_set = 1;
	move_to_second_set(context, mesh);
	memcpy(m->base_color_texture.scale, (double[]){2, -0.5}, sizeof m->base_color_texture.scale);
	memcpy(m->base_color_texture.offset, (double[]){0.3, 1.2}, sizeof m->base_color_texture.offset);
	memcpy(m->base_color, (double[]){0.5, 0.75, 1, 0.8}, sizeof m->base_color);
	memcpy(m->emission, (double[]){2, 0, 1}, sizeof m->emission);
	m->alpha = OSSA_ALPHA_BLEND;
	mesh->colors = ossa_alloc(context, 4, 4 * sizeof *mesh->colors);
	for (size_t i = 0; i < 16; i++) mesh->colors[i] = (float)(i % 5) / 4;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_looks looks;
	assert_ok(context, ossai_looks_make(context, &arena, mesh, &looks));
	for (int trial = 0; trial < 100; trial++) {
		/* in the triangle of the corners 0, 1, 2 */
		const double a = (double)test_random_bits(&random) / (1 << 24), b = (1 - a) * test_random_bits(&random) / (1 << 24);
		const ossai_look_spot spot = {.triangle = 0, .weights = {1 - a - b, a, b}};
		const double u = a + b, v = b, c = cos(0.7), s = sin(0.7);
		const double at[2] = {c * 2 * u + s * 0.5 * v + 0.3, s * 2 * u - c * 0.5 * v + 1.2};
		const double x = at[0] * 6 - 0.5, y = (1 - at[1]) * 4 - 0.5;
		const ossai_look look = ossai_look_at(&looks, &spot);
		for (int k = 0; k < 4; k++) {
			double sum = 0;
			for (int i = 0; i < 4; i++) {
				const int tx = ((int)floor(x) + i % 2 + 60) % 6, ty = ((int)floor(y) + i / 2 + 40) % 4;
				const double fx = x - floor(x), fy = y - floor(y), code = rgba[4 * (6 * ty + tx) + k] / 255.0;
				sum += (i % 2 ? fx : 1 - fx) * (i / 2 ? fy : 1 - fy) * (k < 3 ? light_of(code) : code);
			}
			const double own = spot.weights[0] * (double)mesh->colors[k] + a * (double)mesh->colors[4 + k] +
				b * (double)mesh->colors[8 + k];
			assert_near(k < 3 ? look.color[k] : look.alpha, m->base_color[k] * own * sum, 1e-5);
		}
		assert_near_array(3, look.emission, m->emission, 1e-12);
	}
	ossai_arena_end(&arena);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* A map of one direction, (0.6, 0, 0.8): u leans the normal, v does not. The frame by its
   definition: where positions go as u grows. */
static void normals_lean_along_u(void **state)
{
	(void)state;
	/* u and v of the corners: as they are, turned by a quarter, mirrored */
	static const struct {
		float uv[4][2];
		double along[3];
	} cases[] = {
		{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {1, 0, 0}},
		{{{0, 0}, {0, -1}, {1, -1}, {1, 0}}, {0, 1, 0}},
		{{{1, 0}, {0, 0}, {0, 1}, {1, 1}}, {-1, 0, 0}},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 3; i++) {
		for (int green = 0; green < 2; green++) {
			ossa_mesh *mesh = make_quads(context, 1);
			memcpy(mesh->texcoords, cases[i].uv, sizeof cases[i].uv);
			/* along v instead: +Y of the map is up in the image */
			material_of(mesh, 0)->normal_texture = add_image(
				mesh, green ? one_texel(128, 204, 230, 255) : one_texel(204, 128, 230, 255));
			const ossai_vec3 along = ossai_v3_of(cases[i].along);
			const ossai_vec3 up = i == 1 ? ossai_v3(-1, 0, 0) : ossai_v3(0, 1, 0);
			ossai_arena arena = ossai_arena_begin(context);
			ossai_looks looks;
			assert_ok(context, ossai_looks_make(context, &arena, mesh, &looks));
			const ossai_look_spot spot = {.triangle = 1, .weights = {0.25, 0.25, 0.5}};
			ossai_vec3 p[3];
			for (size_t k = 0; k < 3; k++) p[k] = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[3 + k]);
			const ossai_vec3 found = ossai_look_normal(&looks, &spot, p, ossai_v3(0, 0, 1));
			assert_near_vec3(found, ossai_madd(ossai_v3(0, 0, 0.8), 0.6, green ? up : along), 0.01);
			ossai_arena_end(&arena);
			ossa_mesh_free(context, mesh);
		}
	}
	test_context_end(context);
}

/* ---- in pictures ---- */

static ossa_rig *rig_of(ossa_context *context, ossa_mesh *mesh)
{
	ossa_rig *rig = NULL;
	assert_ok(context, ossa_rig_create(context, mesh, 1, 1, &rig));
	rig->skeleton.bones[0] = (ossa_bone){
		.name = "root", .parent = -1, .kind = OSSA_JOINT_ROOT, .tail = {0, 0.5, 0}, .orientation = {0, 0, 0, 1}};
	for (size_t v = 0; v < mesh->vertex_count; v++) rig->weights.values[v] = 1;
	ossa_mesh_free(context, mesh);
	return rig;
}

/* from the front, without a background; takes the mesh */
static ossa_picture *draw(ossa_context *context, ossa_mesh *mesh, ossa_picture_color color, double azimuth)
{
	ossa_rig *rig = rig_of(context, mesh);
	ossa_picture_options options = ossa_picture_default();
	ossa_picture *picture = NULL;
	options.width = options.height = SIDE;
	options.azimuth = azimuth;
	options.elevation = 0;
	options.transparent = true;
	options.skeleton = false;
	if (color != OSSA_PICTURE_AUTO) options.color = color;
	assert_ok(context, ossa_picture_rig(context, rig, (const int[]){-1}, 1, &options, &picture));
	ossa_rig_free(context, rig);
	return picture;
}

static const uint8_t *pixel_at(const ossa_picture *picture, double x, double y)
{
	return picture->pixels + 4 * ((size_t)(y * SIDE) * SIDE + (size_t)(x * SIDE));
}

static bool are_colors(const ossa_picture *picture)
{
	static const double places[4][2] = {{0.3, 0.3}, {0.7, 0.3}, {0.3, 0.7}, {0.7, 0.7}};
	bool all = true;
	for (int i = 0; i < 4; i++) {
		const uint8_t *p = pixel_at(picture, places[i][0], places[i][1]);
		for (int c = 0; c < 3; c++) all = all && (i == 3 || i == c ? p[c] > 150 : p[c] < 110);
	}
	return all;
}

static void textures_are_shown_where_they_are(void **state)
{
	(void)state;
	static const struct {
		ossa_picture_color color;
		bool shows;
	} cases[] = {
		{OSSA_PICTURE_AUTO, true}, {OSSA_PICTURE_MATERIALS, true}, {OSSA_PICTURE_PLAIN, false}, {OSSA_PICTURE_BONES, false}};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 4; i++) {
		ossa_mesh *mesh = make_quads(context, 1);
		material_of(mesh, 0)->base_color_texture = add_image(mesh, quarters());
		ossa_picture *picture = draw(context, mesh, cases[i].color, 0);
		assert_int_equal(are_colors(picture), cases[i].shows);
		ossa_picture_free(context, picture);
	}
	assert_no_warnings(context);
	test_context_end(context);
}

/* one grey material, or none, is no look: the picture is that of the bones */
static void plain_meshes_are_drawn_by_bones(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_picture *pictures[3];
	for (int i = 0; i < 3; i++) {
		ossa_mesh *mesh = make_quads(context, 2);
		for (size_t m = 0; m < 2; m++) {
			for (int c = 0; c < 3; c++) material_of(mesh, m)->base_color[c] = i == 1 ? 0.8 : 1;
		}
		pictures[i] = draw(context, mesh, i == 2 ? OSSA_PICTURE_BONES : OSSA_PICTURE_AUTO, 0);
	}
	for (int i = 0; i < 2; i++) assert_memory_equal(pictures[i]->pixels, pictures[2]->pixels, 4 * SIDE * SIDE);
	for (int i = 0; i < 3; i++) ossa_picture_free(context, pictures[i]);
	test_context_end(context);
}

/* the alpha of the quad's middle, its material and the alpha of its texel given */
static int middle_alpha(ossa_context *context, ossa_alpha alpha, double factor, int texel, bool is_double, double azimuth)
{
	ossa_mesh *mesh = make_quads(context, 1);
	ossa_material *m = material_of(mesh, 0);
	m->alpha = alpha;
	m->base_color[3] = factor;
	m->double_sided = is_double;
	m->base_color_texture = add_image(mesh, one_texel(255, 255, 255, texel));
	ossa_picture *picture = draw(context, mesh, OSSA_PICTURE_AUTO, azimuth);
	const int found = pixel_at(picture, 0.5, 0.5)[3];
	ossa_picture_free(context, picture);
	return found;
}

static void alpha_and_sides_are_kept(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_OPAQUE, 0.5, 10, true, 0), 255);
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_MASK, 1, 126, true, 0), 0);
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_MASK, 1, 129, true, 0), 255);
	assert_in_range(middle_alpha(context, OSSA_ALPHA_BLEND, 0.5, 255, true, 0), 127, 128);
	assert_in_range(middle_alpha(context, OSSA_ALPHA_BLEND, 0.5, 51, true, 0), 25, 26);
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_BLEND, 1, 255, true, 0), 255);
	/* from behind */
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_OPAQUE, 1, 255, false, 180), 0);
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_OPAQUE, 1, 255, true, 180), 255);
	assert_int_equal(middle_alpha(context, OSSA_ALPHA_BLEND, 0.5, 255, false, 180), 0);
	test_context_end(context);
}

/* four sheets of half alpha: by the formula 1 - 1/16, whatever their order, and red is in front */
static ossa_picture *draw_sheets(ossa_context *context, bool is_turned)
{
	ossa_mesh *mesh = make_quads(context, 4);
	for (size_t m = 0; m < 4; m++) {
		ossa_material *material = material_of(mesh, m);
		material->alpha = OSSA_ALPHA_BLEND;
		material->base_color[0] = m == 0;
		material->base_color[1] = 0;
		material->base_color[2] = m > 0;
		material->base_color[3] = 0.5;
	}
	uint32_t triangles[24], corners[24];
	memcpy(triangles, mesh->triangles, sizeof triangles);
	memcpy(corners, mesh->triangle_corners, sizeof corners);
	for (size_t f = 0; is_turned && f < 8; f++) {
		memcpy(mesh->triangles + 3 * f, triangles + 3 * (7 - f), 12);
		memcpy(mesh->triangle_corners + 3 * f, corners + 3 * (7 - f), 12);
	}
	return draw(context, mesh, OSSA_PICTURE_AUTO, 0);
}

static void sheets_blend_in_any_order(void **state)
{
	(void)state;
	ossa_picture *first = NULL;
	ossa_context *contexts[4];
	for (int i = 0; i < 4; i++) {
		contexts[i] = test_context(i % 2 ? 3 : 1);
		ossa_picture *picture = draw_sheets(contexts[i], i >= 2);
		const uint8_t *p = pixel_at(picture, 0.5, 0.5);
		assert_in_range(p[3], 238, 240);
		assert_true(p[0] > p[2]);
		if (!first) first = picture;
		else {
			assert_memory_equal(first->pixels, picture->pixels, 4 * SIDE * SIDE);
			ossa_picture_free(contexts[i], picture);
		}
	}
	ossa_picture_free(contexts[0], first);
	for (int i = 0; i < 4; i++) test_context_end(contexts[i]);
}

/* a wall whose map leans it to the lamp, and away from it */
static void normal_maps_change_the_light(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	int light[2];
	for (int i = 0; i < 2; i++) {
		ossa_mesh *mesh = make_quads(context, 1);
		material_of(mesh, 0)->normal_texture = add_image(mesh, one_texel(i ? 230 : 25, 128, 204, 255));
		ossa_picture *picture = draw(context, mesh, OSSA_PICTURE_AUTO, 0);
		light[i] = pixel_at(picture, 0.5, 0.5)[1];
		ossa_picture_free(context, picture);
	}
	assert_true(light[0] > light[1] + 20);
	test_context_end(context);
}

static void images_that_cannot_be_shown_are_named(void **state)
{
	(void)state;
	uint8_t broken[] = "\x89PNG\r\n\x1a\n....";
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_quads(context, 3);
	material_of(mesh, 0)->base_color_texture = add_image(mesh, (test_image){broken, sizeof broken});
	material_of(mesh, 1)->emission_texture = material_of(mesh, 0)->base_color_texture;
	material_of(mesh, 2)->base_color_texture = add_image(mesh, quarters());
	material_of(mesh, 2)->base_color_texture.uv_set = 2;
	ossa_picture *picture = draw(context, mesh, OSSA_PICTURE_AUTO, 0);
	assert_int_equal(test_warned(context, "textures-not-shown"), 2);
	assert_non_null(strstr(test_warning_text(context, "textures-not-shown"), "\"image\": the PNG is broken"));
	/* the material is there without it */
	assert_int_equal(pixel_at(picture, 0.5, 0.5)[3], 255);
	ossa_picture_free(context, picture);
	test_context_end(context);
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	ossa_picture_options options = ossa_picture_default();
	ossa_picture *picture = NULL;
	options.width = options.height = 32;
	const ossa_status status = ossa_picture_rig(context, arg, (const int[]){-1}, 1, &options, &picture);
	ossa_picture_free(context, picture);
	return status;
}

static void failing_allocations_are_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = make_quads(context, 2);
	material_of(mesh, 0)->base_color_texture = add_image(mesh, quarters());
	material_of(mesh, 1)->alpha = OSSA_ALPHA_BLEND;
	material_of(mesh, 1)->base_color[3] = 0.5;
	ossa_rig *rig = rig_of(context, mesh);
	assert_true(test_allocation_sweep(sweep, rig, 300, 1) > 20);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(colors_agree_with_the_formula),
		cmocka_unit_test(normals_lean_along_u),
		cmocka_unit_test(textures_are_shown_where_they_are),
		cmocka_unit_test(plain_meshes_are_drawn_by_bones),
		cmocka_unit_test(alpha_and_sides_are_kept),
		cmocka_unit_test(sheets_blend_in_any_order),
		cmocka_unit_test(normal_maps_change_the_light),
		cmocka_unit_test(images_that_cannot_be_shown_are_named),
		cmocka_unit_test(failing_allocations_are_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
