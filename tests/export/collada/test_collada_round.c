/* tests/export/collada/test_collada_round.c: rigs and meshes through Collada files, 1.5 and 1.4.1,
   and back: nothing is lost. */
#include "base/context.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must come back ---- */

static const ossa_bone *bone_called(const ossa_skeleton *skeleton, const char *name)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (strcmp(skeleton->bones[b].name, name) == 0) return &skeleton->bones[b];
	}
	fail_msg("there is no bone %s", name);
	return NULL;
}

/* `scale`: the tolerance of positions; 0: numbers that are written as such read back exactly */
static void assert_same_bones(const ossa_skeleton *a, const ossa_skeleton *b, double scale)
{
	assert_int_equal(a->bone_count, b->bone_count);
	for (size_t i = 0; i < a->bone_count; i++) {
		const ossa_bone *x = &a->bones[i], *y = bone_called(b, x->name);
		assert_true((x->parent < 0) == (y->parent < 0));
		if (x->parent >= 0) assert_string_equal(a->bones[x->parent].name, b->bones[y->parent].name);
		assert_int_equal(x->kind, y->kind);
		assert_near_array(3, y->joint, x->joint, 1e-12 + scale);
		assert_near_array(3, y->tail, x->tail, scale);
		assert_near_array(3, y->axis, x->axis, scale > 0 ? 1e-9 : 0);
		assert_near(y->turn_degrees, x->turn_degrees, 0);
		assert_near(y->fit_residual, x->fit_residual, scale);
		assert_true(y->has_limits);
		assert_near_array(6, y->limits[0], x->limits[0], 0);
		const double turn = ossai_quat_dot(ossai_quat_of(x->orientation), ossai_quat_of(y->orientation));
		assert_near(fabs(turn), 1, 1e-12);
	}
}

static uint32_t material_of(const ossa_mesh *mesh, size_t polygon)
{
	const uint32_t own = mesh->polygon_material ? mesh->polygon_material[polygon] : OSSA_NONE;
	return own < mesh->material_count ? own : (uint32_t)mesh->material_count;
}

static void assert_same_corner(const ossa_mesh *a, size_t corner, const ossa_mesh *b, size_t other)
{
	static const float none[3] = {0};
	assert_int_equal(a->corner_vertex[corner], b->corner_vertex[other]);
	if (a->corner_texcoord) {
		const uint32_t own = a->corner_texcoord[corner];
		const float *uv = own == OSSA_NONE ? none : a->texcoords + 2 * (size_t)own;
		assert_memory_equal(uv, b->texcoords + 2 * (size_t)b->corner_texcoord[other], 2 * sizeof *uv);
	}
	if (a->corner_normal && a->corner_normal[corner] != OSSA_NONE) {
		const float *normal = a->normals + 3 * (size_t)a->corner_normal[corner];
		assert_memory_equal(normal, b->normals + 3 * (size_t)b->corner_normal[other], 3 * sizeof *normal);
	}
}

/* polygons come back sorted by material, those without one last; for each the same ones in the same
   order */
static void assert_same_polygons(const ossa_mesh *a, const ossa_mesh *b)
{
	size_t next = 0;
	assert_int_equal(a->polygon_count, b->polygon_count);
	for (uint32_t material = 0; material <= a->material_count; material++) {
		for (size_t p = 0; p < a->polygon_count; p++) {
			if (material_of(a, p) != material) continue;
			const size_t size = a->polygon_start[p + 1] - a->polygon_start[p];
			assert_int_equal(material_of(b, next), material);
			assert_int_equal(b->polygon_start[next + 1] - b->polygon_start[next], size);
			for (size_t c = 0; c < size; c++) assert_same_corner(a, a->polygon_start[p] + c, b, b->polygon_start[next] + c);
			next++;
		}
	}
}

static void assert_same_mesh(const ossa_mesh *a, const ossa_mesh *b)
{
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_memory_equal(a->positions, b->positions, a->vertex_count * 3 * sizeof *a->positions);
	assert_int_equal(a->material_count, b->material_count);
	for (size_t m = 0; m < a->material_count; m++) assert_string_equal(a->materials[m], b->materials[m]);
	assert_true((a->colors != NULL) == (b->colors != NULL));
	for (size_t i = 0; a->colors && i < a->vertex_count * 4; i++) assert_near(a->colors[i], b->colors[i], 1e-6f);
	assert_same_polygons(a, b);
}

/* writes, reads and compares; `exact`: the file is in ossa's own axes and unit */
static void check_round_trip(
	ossa_context *context, ossa_rig *rig, const ossa_write_options *options, bool exact, double tolerance)
{
	ossa_rig *back;
	assert_ok(context, ossa_rig_find_limits(context, rig, options->limit_slack));
	assert_ok(context, ossa_write_rig(context, rig, test_path("round.dae"), options));
	assert_ok(context, ossa_read_rig(context, test_path("round.dae"), NULL, &back));
	assert_ok(context, ossa_rig_validate(context, back));
	assert_string_equal(rig->method, back->method);
	assert_same_bones(&rig->skeleton, &back->skeleton, exact ? 0 : tolerance);
	test_assert_same_weights(&rig->weights, &back->weights, 1e-7F);
	if (exact) assert_same_mesh(rig->mesh, back->mesh);
	assert_true((rig->clip != NULL) == (back->clip != NULL));
	if (rig->clip) {
		assert_string_equal(rig->clip->name, back->clip->name);
		assert_int_equal(rig->clip->frame_count, back->clip->frame_count);
		assert_near_array(rig->clip->frame_count, back->clip->times, rig->clip->times, 0);
		assert_true((rig->clip->translations != NULL) == (back->clip->translations != NULL));
	}
	if (rig->mesh->vertex_count > 0) {
		/* the skin gives the order of the bones, else the tree does */
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			assert_string_equal(rig->skeleton.bones[b].name, back->skeleton.bones[b].name);
		}
		const double difference = test_largest_difference(context, rig, back, NULL);
		if (difference > tolerance) fail_msg("vertices differ by %g of the diagonal", difference);
	}
	ossa_rig_free(context, back);
}

/* ---- rigs ---- */

static void rigs_come_back(void **state)
{
	(void)state;
	static const int influences[] = {4, 6, 8};
	ossa_context *context = test_context(1);
	for (int round = 0; round < 12; round++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = round & 1;
		options.leaf_bones = (round & 2) != 0;
		assert_ok(context, test_rich_rig(context, 1000, 6, influences[round / 4], &rig));
		rig->skeleton.bones[3].fit_residual = 0.1 / 3;
		check_round_trip(context, rig, &options, true, 1e-6);
		ossa_rig_free(context, rig);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

/* another up axis, unit and axis along the bones: the same rig, but for rounding and the joints'
   frames */
static void turned_and_scaled_rigs_come_back(void **state)
{
	(void)state;
	static const double units[] = {0.01, 0.0254, 1000};
	ossa_context *context = test_context(1);
	for (int round = 0; round < 6; round++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = round & 1;
		options.up = OSSA_UP_Z;
		options.unit = units[round / 2];
		assert_ok(context, test_rich_rig(context, 1000, 6, 4, &rig));
		check_round_trip(context, rig, &options, false, 1e-6);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void free_bones_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int collada = 0; collada < 2; collada++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = collada;
		assert_ok(context, test_rich_rig(context, 1000, 5, 4, &rig));
		assert_ok(context, test_rich_rig_slides(context, rig));
		check_round_trip(context, rig, &options, true, 1e-6);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* names that XML allows no id for, or that other programs would mistake, are theirs again */
static void odd_names_come_back(void **state)
{
	(void)state;
	static const char *const names[] = {"01_hip", "_01_hip", "-", "ossa-mesh", "_ossa-mesh", "arm", "arm_rz", "axis", "inst_",
		"transform", "x_end", "x", "mesh"};
	ossa_context *context = test_context(1);
	for (int round = 0; round < 4; round++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = round & 1;
		options.leaf_bones = round > 1;
		assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) strcpy(rig->skeleton.bones[i].name, names[i]);
		strcpy(rig->mesh->name, "arm");
		strcpy(rig->clip->name, round > 1 ? "x" : "walk \"2\" & <so on>");
		check_round_trip(context, rig, &options, true, 1e-6);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* far from the origin, tiny and huge: as exact as the floats of the vertices */
static void far_tiny_and_huge_rigs_come_back(void **state)
{
	(void)state;
	static const double scales[] = {1, 1e-6, 1e6}, shifts[] = {100, 0, 1e7};
	ossa_context *context = test_context(1);
	for (size_t round = 0; round < 3; round++) {
		const ossa_write_options options = ossa_write_default();
		const double scale = scales[round], shift = shifts[round];
		ossa_rig *rig;
		assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
		for (size_t i = 0; i < rig->mesh->vertex_count * 3; i++) {
			rig->mesh->positions[i] = (float)(rig->mesh->positions[i] * scale + shift);
		}
		for (size_t i = 0; i < rig->skeleton.bone_count * 3; i++) {
			ossa_bone *bone = &rig->skeleton.bones[i / 3];
			bone->joint[i % 3] = bone->joint[i % 3] * scale + shift;
			bone->tail[i % 3] = bone->tail[i % 3] * scale + shift;
		}
		for (size_t i = 0; i < rig->clip->frame_count * 3; i++) {
			rig->clip->root_positions[i] = rig->clip->root_positions[i] * scale + shift;
		}
		ossa_rig *back;
		assert_ok(context, ossa_write_rig(context, rig, test_path("far.dae"), &options));
		assert_ok(context, ossa_read_rig(context, test_path("far.dae"), NULL, &back));
		const double difference = test_largest_difference(context, rig, back, NULL);
		if (difference > 1e-5) fail_msg("round %zu: vertices differ by %g of the diagonal", round, difference);
		ossa_rig_free(context, back);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* motion that begins late or has one frame, and none */
static void any_motion_comes_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int round = 0; round < 6; round++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = round & 1;
		assert_ok(context, test_rich_rig(context, 1000, round < 2 ? 4 : 1, 4, &rig));
		for (size_t f = 0; round < 2 && f < 4; f++) rig->clip->times[f] = 10.1 + (double)(f * f) / 3;
		if (round > 3) {
			ossa_clip_free(context, rig->clip);
			rig->clip = NULL;
		}
		check_round_trip(context, rig, &options, true, 1e-6);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

static void skeletons_alone_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int collada = 0; collada < 2; collada++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		ossa_mesh *empty;
		options.collada = collada;
		assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
		assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &empty));
		ossa_rig bare = *rig;
		bare.mesh = empty;
		bare.weights.vertex_count = 0;
		bare.merge_count = 0;
		check_round_trip(context, &bare, &options, false, 0);
		ossa_mesh_free(context, empty);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* written, read and written again: the same file */
static void a_second_trip_changes_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back, *again;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("first.dae"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("first.dae"), NULL, &back));
	assert_ok(context, ossa_write_rig(context, back, test_path("second.dae"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("second.dae"), NULL, &again));
	assert_same_bones(&back->skeleton, &again->skeleton, 0);
	assert_same_mesh(back->mesh, again->mesh);
	assert_true(test_largest_difference(context, back, again, NULL) < 1e-7);
	ossa_rig_free(context, again);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- meshes ---- */

static void meshes_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "P\xc3\xa4lz"), *back;
	for (int collada = 0; collada < 2; collada++) {
		ossa_write_options options = ossa_write_default();
		options.collada = collada;
		assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("mesh.dae"), &options));
		assert_ok(context, ossa_read_mesh(context, test_path("mesh.dae"), NULL, &back));
		assert_same_mesh(mesh, back);
		ossa_mesh_free(context, back);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rigs_come_back),
		cmocka_unit_test(turned_and_scaled_rigs_come_back),
		cmocka_unit_test(free_bones_come_back),
		cmocka_unit_test(odd_names_come_back),
		cmocka_unit_test(far_tiny_and_huge_rigs_come_back),
		cmocka_unit_test(any_motion_comes_back),
		cmocka_unit_test(skeletons_alone_come_back),
		cmocka_unit_test(a_second_trip_changes_nothing),
		cmocka_unit_test(meshes_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
