/* tests/test_glb.c: rigs through a GLB file and back, other writers' constructs, and files made to harm. */
#include "base/context.h"
#include "import/glb.h"
#include "math/vec.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <jansson.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>

static double diagonal_of(const ossa_mesh *mesh)
{
	double low[3], high[3], sum = 0;
	for (int k = 0; k < 3; k++) low[k] = high[k] = (double)mesh->positions[k];
	for (size_t i = 0; i < mesh->vertex_count * 3; i++) {
		low[i % 3] = fmin(low[i % 3], (double)mesh->positions[i]);
		high[i % 3] = fmax(high[i % 3], (double)mesh->positions[i]);
	}
	for (int k = 0; k < 3; k++) sum += (high[k] - low[k]) * (high[k] - low[k]);
	return sqrt(sum);
}

/* largest distance of a vertex between two rigs, in the rest pose and all frames, as a share of the diagonal */
static double largest_difference(ossa_context *context, const ossa_rig *a, const ossa_rig *b)
{
	const size_t count = a->mesh->vertex_count * 3;
	float *p = ossa_alloc(context, count, sizeof *p), *q = ossa_alloc(context, count, sizeof *q);
	double most = 0;
	assert_non_null(p);
	assert_non_null(q);
	for (size_t f = 0; f < (a->clip ? a->clip->frame_count : 0) + 1; f++) {
		assert_ok(context, ossa_rig_pose(context, a, NULL, f > 0 ? a->clip : NULL, f > 0 ? f - 1 : 0, p));
		assert_ok(context, ossa_rig_pose(context, b, NULL, f > 0 ? b->clip : NULL, f > 0 ? f - 1 : 0, q));
		for (size_t i = 0; i < count; i++) most = fmax(most, fabs((double)p[i] - (double)q[i]));
	}
	ossa_free(context, p);
	ossa_free(context, q);
	return most / diagonal_of(a->mesh);
}

static void assert_same_bones(const ossa_rig *a, const ossa_rig *b)
{
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	for (size_t i = 0; i < a->skeleton.bone_count; i++) {
		const ossa_bone *x = &a->skeleton.bones[i], *y = &b->skeleton.bones[i];
		assert_string_equal(x->name, y->name);
		assert_int_equal(x->parent, y->parent);
		assert_int_equal(x->kind, y->kind);
		assert_true(x->turn_degrees == y->turn_degrees);
		assert_true(x->fit_residual == y->fit_residual);
		for (int k = 0; k < 3; k++) {
			assert_true(fabs(x->joint[k] - y->joint[k]) < 1e-9);
			assert_true(x->tail[k] == y->tail[k]);
			assert_true(x->axis[k] == y->axis[k]);
		}
		const double turn = ossai_quat_dot(ossai_quat_of(x->orientation), ossai_quat_of(y->orientation));
		assert_true(fabs(fabs(turn) - 1) < 1e-9);
	}
}

/* the weight of a bone on a vertex */
static float weight_of(const ossa_weights *weights, size_t vertex, uint16_t bone)
{
	float sum = 0;
	for (size_t k = 0; k < (size_t)weights->influences; k++) {
		const size_t at = vertex * (size_t)weights->influences + k;
		if (weights->bones[at] == bone) sum += weights->values[at];
	}
	return sum;
}

static void assert_same_weights(const ossa_rig *a, const ossa_rig *b)
{
	assert_int_equal(a->weights.vertex_count, b->weights.vertex_count);
	for (size_t v = 0; v < a->weights.vertex_count; v++) {
		for (size_t k = 0; k < (size_t)a->weights.influences; k++) {
			const uint16_t bone = a->weights.bones[v * (size_t)a->weights.influences + k];
			assert_true(fabsf(weight_of(&a->weights, v, bone) - weight_of(&b->weights, v, bone)) <= 2e-7f);
		}
	}
}

static void assert_same_surface(const ossa_mesh *a, const ossa_mesh *b)
{
	assert_int_equal(a->vertex_count, b->vertex_count);
	assert_memory_equal(a->positions, b->positions, a->vertex_count * 3 * sizeof *a->positions);
	assert_memory_equal(a->colors, b->colors, a->vertex_count * 4 * sizeof *a->colors);
	assert_int_equal(a->triangle_count, b->triangle_count);
	assert_int_equal(a->material_count, b->material_count);
	for (size_t m = 0; m < a->material_count; m++) assert_string_equal(a->materials[m], b->materials[m]);
}

/* triangles come back sorted by material; for each material the same ones in the same order, with the same UVs */
static void assert_same_triangles(const ossa_mesh *a, const ossa_mesh *b)
{
	size_t t = 0, polygon = 0;
	for (uint32_t material = 0; material <= a->material_count; material++) {
		polygon = 0;
		for (size_t i = 0; i < a->triangle_count; i++) {
			while (a->triangle_corners[3 * i] >= a->polygon_start[polygon + 1]) polygon++;
			const uint32_t own = a->polygon_material[polygon] == OSSA_NONE ? (uint32_t)a->material_count
																		   : a->polygon_material[polygon];
			if (own != material) continue;
			assert_int_equal(b->polygon_material[t], a->polygon_material[polygon]);
			for (size_t k = 0; k < 3; k++) {
				assert_int_equal(a->triangles[3 * i + k], b->triangles[3 * t + k]);
				const float *uv = a->texcoords + 2 * (size_t)a->corner_texcoord[a->triangle_corners[3 * i + k]];
				const float *other = b->texcoords + 2 * (size_t)b->corner_texcoord[b->triangle_corners[3 * t + k]];
				assert_true(fabsf(uv[0] - other[0]) < 1e-6f && fabsf(uv[1] - other[1]) < 1e-6f);
			}
			t++;
		}
	}
	assert_int_equal(t, b->triangle_count);
}

static void check_round_trip(int influences, bool leaf_ends)
{
	ossa_context *context = test_context(1);
	ossa_write_options options = ossa_write_default();
	ossa_rig *rig, *back;
	options.leaf_ends = leaf_ends;
	assert_ok(context, test_rich_rig(context, 1000, 6, influences, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("rich.glb"), &options));
	assert_ok(context, ossai_glb_read_rig(context, test_path("rich.glb"), &back));
	assert_string_equal(rig->method, back->method);
	assert_same_bones(rig, back);
	assert_same_weights(rig, back);
	assert_same_surface(rig->mesh, back->mesh);
	assert_same_triangles(rig->mesh, back->mesh);
	assert_non_null(back->clip);
	assert_int_equal(rig->clip->frame_count, back->clip->frame_count);
	assert_null(back->clip->translations);
	const double difference = largest_difference(context, rig, back);
	if (difference > 1e-6) fail_msg("vertices differ by %g of the diagonal", difference);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

static void rig_comes_back(void **state)
{
	(void)state;
	check_round_trip(4, true);
	check_round_trip(4, false);
}

static void six_influences_come_back(void **state)
{
	(void)state;
	check_round_trip(6, true);
}

static void free_bones_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	const size_t bones = rig->skeleton.bone_count, count = rig->clip->frame_count * bones * 3;
	rig->clip->translations = ossa_alloc(context, count, sizeof *rig->clip->translations);
	assert_non_null(rig->clip->translations);
	for (size_t i = 0; i < count; i++) {
		rig->clip->translations[i] = i % (bones * 3) < 3 ? rig->clip->root_positions[i / (bones * 3) * 3 + i % 3]
														 : 0.01 * (double)(i % 23);
	}
	assert_ok(context, ossa_write_rig(context, rig, test_path("free.glb"), NULL));
	assert_ok(context, ossai_glb_read_rig(context, test_path("free.glb"), &back));
	assert_non_null(back->clip->translations);
	assert_true(largest_difference(context, rig, back) < 1e-6);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

static void read_and_written_again_is_the_same(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	ossa_mesh *mesh;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, ossa_write_rig(context, rig, test_path("one.glb"), NULL));
	assert_ok(context, ossai_glb_read_rig(context, test_path("one.glb"), &back));
	assert_ok(context, ossai_glb_read_mesh(context, test_path("one.glb"), &mesh));
	assert_int_equal(mesh->vertex_count, rig->mesh->vertex_count);
	assert_memory_equal(mesh->triangles, back->mesh->triangles, mesh->triangle_count * 3 * sizeof *mesh->triangles);
	ossa_mesh_free(context, mesh);
	ossa_rig_free(context, rig);
	assert_ok(context, ossa_write_rig(context, back, test_path("two.glb"), NULL));
	assert_ok(context, ossai_glb_read_rig(context, test_path("two.glb"), &rig));
	assert_same_weights(rig, back);
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		assert_true(rig->weights.values[i] == back->weights.values[i]);
	}
	assert_same_bones(rig, back);
	assert_true(largest_difference(context, rig, back) < 1e-7);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

/* far from the origin and in millimetres, the shape of the error must stay that of floats */
static void far_and_large_rigs_come_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	for (size_t i = 0; i < rig->mesh->vertex_count * 3; i++) rig->mesh->positions[i] *= 1e6f;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		for (int k = 0; k < 3; k++) {
			rig->skeleton.bones[b].joint[k] *= 1e6;
			rig->skeleton.bones[b].tail[k] *= 1e6;
		}
	}
	for (size_t i = 0; i < rig->clip->frame_count * 3; i++) rig->clip->root_positions[i] *= 1e6;
	assert_ok(context, ossa_write_rig(context, rig, test_path("large.glb"), NULL));
	assert_ok(context, ossai_glb_read_rig(context, test_path("large.glb"), &back));
	assert_true(largest_difference(context, rig, back) < 1e-6);
	ossa_rig_free(context, rig);
	ossa_rig_free(context, back);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rig_comes_back),
		cmocka_unit_test(six_influences_come_back),
		cmocka_unit_test(free_bones_come_back),
		cmocka_unit_test(read_and_written_again_is_the_same),
		cmocka_unit_test(far_and_large_rigs_come_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
