/* tests/support/objects.c: see objects.h. */
#include "support/objects.h"
#include "base/context.h"
#include "scene/sets.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static const ossa_object objects[3] = {
	{"body", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}},
	/* a third of a turn about (1, 1, 1) after scales 1, 2 and a half */
	{"wheel left", {0, 0, 0.5, 2, 1, 0, 0, -1, 0, 2, 0, 0.25, 0, 0, 0, 1}},
	{"mirror", {-1, 0, 0, 0.5, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 0, 1}},
};

void test_add_objects(ossa_context *context, ossa_mesh *mesh)
{
	const size_t third = mesh->polygon_count / 3 + 1;
	mesh->objects = ossa_alloc(context, 3, sizeof *mesh->objects);
	mesh->polygon_object = ossa_alloc(context, mesh->polygon_count, sizeof *mesh->polygon_object);
	assert_true(mesh->objects && mesh->polygon_object);
	memcpy(mesh->objects, objects, sizeof objects);
	mesh->object_count = 3;
	for (size_t p = 0; p < mesh->polygon_count; p++) mesh->polygon_object[p] = (uint32_t)(p / third);
}

void test_add_sets(ossa_context *context, ossa_mesh *mesh)
{
	ossa_free(context, mesh->texcoords);
	ossa_free(context, mesh->corner_texcoord);
	for (size_t set = 0; set < 3; set++) {
		const ossai_uv_slot slot = ossai_uv_slot_of(mesh, set);
		*slot.count = mesh->corner_count;
		*slot.texcoords = ossa_alloc(context, mesh->corner_count, 2 * sizeof(float));
		*slot.of_corner = ossa_alloc(context, mesh->corner_count, sizeof(uint32_t));
		assert_true(*slot.texcoords && *slot.of_corner);
		for (size_t c = 0; c < mesh->corner_count; c++) {
			(*slot.texcoords)[2 * c] = (float)((c * 7 + set) % 11) / 8;
			(*slot.texcoords)[2 * c + 1] = (float)((c * 3 + 5 * set) % 13) / 16;
			(*slot.of_corner)[c] = set == 2 && c % 6 < 3 ? OSSA_NONE : (uint32_t)c;
		}
	}
	mesh->more_uv_count = 2;
	ossa_free(context, mesh->colors);
	for (size_t set = 0; set < 2; set++) {
		float **colors = ossai_color_slot_of(mesh, set);
		*colors = ossa_alloc(context, mesh->vertex_count, 4 * sizeof(float));
		assert_non_null(*colors);
		for (size_t i = 0; i < 4 * mesh->vertex_count; i++) (*colors)[i] = i % 4 == 3 ? 1 : (float)((i + set) % 5) / 5;
	}
	mesh->more_color_count = 1;
}

/* ---- comparing ---- */

static size_t object_of_name(const ossa_mesh *mesh, const char *name)
{
	for (size_t o = 0; o < mesh->object_count; o++) {
		if (strcmp(mesh->objects[o].name, name) == 0) return o;
	}
	fail_msg("there is no object %s", name);
	return 0;
}

/* the next polygon of an object from one on */
static size_t next_polygon(const ossa_mesh *mesh, size_t object, size_t from)
{
	while (from < mesh->polygon_count && mesh->polygon_object[from] != object) from++;
	return from;
}

/* corners without UVs become 0 0 in formats where all have some */
static void assert_uv(const ossa_mesh *mesh, size_t c, const ossa_mesh *back, size_t d, size_t set, double tolerance)
{
	const ossai_uvs a = ossai_uvs_at(mesh, set);
	float want[2] = {0, 0}, got[2] = {0, 0};
	if (a.of_corner[c] != OSSA_NONE) memcpy(want, a.texcoords + 2 * (size_t)a.of_corner[c], sizeof want);
	if (set < ossai_uv_count(back)) {
		const ossai_uvs b = ossai_uvs_at(back, set);
		if (b.of_corner[d] != OSSA_NONE) memcpy(got, b.texcoords + 2 * (size_t)b.of_corner[d], sizeof got);
	}
	/* glTF turns the missing (0, 0) over */
	if (a.of_corner[c] == OSSA_NONE && got[1] == 1) got[1] = 0;
	for (int k = 0; k < 2; k++) assert_near((double)want[k], (double)got[k], tolerance);
}

static void assert_corner(const ossa_mesh *mesh, size_t c, const ossa_mesh *back, size_t d, const test_kept *kept)
{
	const size_t v = mesh->corner_vertex[c], w = back->corner_vertex[d];
	for (size_t k = 0; k < 3; k++)
		assert_near((double)mesh->positions[3 * v + k], (double)back->positions[3 * w + k], kept->tolerance);
	for (size_t set = 0; set < (kept->all_sets ? ossai_uv_count(mesh) : 1); set++)
		assert_uv(mesh, c, back, d, set, kept->tolerance);
	for (size_t set = 0; set < (kept->all_sets ? ossai_color_count(mesh) : 1); set++) {
		for (size_t k = 0; k < 4; k++)
			assert_near((double)ossai_colors_at(mesh, set)[4 * v + k], (double)ossai_colors_at(back, set)[4 * w + k], 1e-3);
	}
}

/* by how many corners a polygon begins later: readers of mirrored meshes may begin with another */
static size_t find_turn(const ossa_mesh *mesh, size_t c, const ossa_mesh *back, size_t d, size_t count)
{
	size_t best = 0;
	double least = INFINITY;
	for (size_t turn = 0; turn < count; turn++) {
		double sum = 0;
		for (size_t i = 0; i < 3 * count; i++) {
			const size_t v = mesh->corner_vertex[c + i / 3], w = back->corner_vertex[d + (i / 3 + turn) % count];
			sum += fabs((double)mesh->positions[3 * v + i % 3] - (double)back->positions[3 * w + i % 3]);
		}
		if (sum < least) best = turn;
		least = fmin(least, sum);
	}
	return best;
}

static void assert_transform(const ossa_object *a, const ossa_object *b, const test_kept *kept)
{
	for (int i = 0; i < 16; i++) assert_near(a->transform[i], kept->transforms ? b->transform[i] : a->transform[i], 1e-5);
}

void test_assert_objects(const ossa_mesh *mesh, const ossa_mesh *back, const test_kept *kept)
{
	assert_int_equal(back->object_count, mesh->object_count);
	assert_int_equal(back->polygon_count, mesh->polygon_count);
	for (size_t o = 0; o < mesh->object_count; o++) {
		const size_t same = object_of_name(back, mesh->objects[o].name);
		assert_transform(&mesh->objects[o], &back->objects[same], kept);
		size_t q = next_polygon(back, same, 0);
		for (size_t p = next_polygon(mesh, o, 0); p < mesh->polygon_count; p = next_polygon(mesh, o, p + 1)) {
			assert_true(q < back->polygon_count);
			const size_t count = mesh->polygon_start[p + 1] - mesh->polygon_start[p];
			assert_int_equal(back->polygon_start[q + 1] - back->polygon_start[q], count);
			const size_t c = mesh->polygon_start[p], d = back->polygon_start[q], turn = find_turn(mesh, c, back, d, count);
			for (size_t k = 0; k < count; k++) assert_corner(mesh, c + k, back, d + (k + turn) % count, kept);
			q = next_polygon(back, same, q + 1);
		}
		assert_int_equal(q, back->polygon_count);
	}
}

/* of a bone, by name */
static double weight_of(const ossa_rig *rig, size_t vertex, const char *bone)
{
	const size_t slots = (size_t)rig->weights.influences;
	double sum = 0;
	for (size_t i = vertex * slots; i < (vertex + 1) * slots; i++) {
		if (strcmp(rig->skeleton.bones[rig->weights.bones[i]].name, bone) == 0) sum += (double)rig->weights.values[i];
	}
	return sum;
}

void test_assert_object_weights(const ossa_rig *rig, const ossa_rig *back)
{
	for (size_t o = 0; o < rig->mesh->object_count; o++) {
		const size_t same = object_of_name(back->mesh, rig->mesh->objects[o].name);
		size_t q = next_polygon(back->mesh, same, 0);
		for (size_t p = next_polygon(rig->mesh, o, 0); p < rig->mesh->polygon_count; p = next_polygon(rig->mesh, o, p + 1)) {
			const size_t c = rig->mesh->polygon_start[p], d = back->mesh->polygon_start[q];
			const size_t turn = find_turn(rig->mesh, c, back->mesh, d, 3);
			for (size_t k = 0; k < 3; k++) {
				const size_t v = rig->mesh->corner_vertex[c + k], w = back->mesh->corner_vertex[d + (k + turn) % 3];
				for (size_t i = 0; i < (size_t)rig->weights.influences; i++) {
					const char *bone = rig->skeleton.bones[rig->weights.bones[v * (size_t)rig->weights.influences + i]].name;
					assert_near(weight_of(rig, v, bone), weight_of(back, w, bone), 1e-3);
				}
			}
			q = next_polygon(back->mesh, same, q + 1);
		}
	}
}
