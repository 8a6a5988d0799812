/* tests/export/fbx/test_fbx_shapes.c: morph targets through FBX files and back. */
#include "base/context.h"
#include "support/bulges.h"
#include "support/compare.h"
#include "support/morphs.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the vertex of a mesh that is nearest to a place: readers order vertices by their first use */
static size_t nearest(const ossa_mesh *mesh, const float *place)
{
	size_t best = 0;
	double least = INFINITY;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		double sum = 0;
		for (size_t k = 0; k < 3; k++) sum += pow((double)(mesh->positions[3 * v + k] - place[k]), 2);
		if (sum < least) best = v;
		least = fmin(least, sum);
	}
	return best;
}

static void assert_shape(const ossa_mesh *mesh, const ossa_mesh *back, size_t m)
{
	const size_t size = 3 * mesh->vertex_count;
	float *moved = malloc(size * sizeof *moved), *read = malloc(3 * back->vertex_count * sizeof *read);
	assert_true(moved && read);
	memcpy(moved, mesh->positions, size * sizeof *moved);
	memcpy(read, back->positions, 3 * back->vertex_count * sizeof *read);
	test_apply_morph(&mesh->morphs[m], 1, moved);
	test_apply_morph(&back->morphs[m], 1, read);
	assert_string_equal(mesh->morphs[m].name, back->morphs[m].name);
	assert_near(mesh->morphs[m].weight, back->morphs[m].weight, 1e-12);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const size_t same = nearest(back, mesh->positions + 3 * v);
		for (size_t k = 0; k < 3; k++) assert_near((double)moved[3 * v + k], (double)read[3 * same + k], 1e-5);
	}
	free(moved);
	free(read);
}

/* whether FBX can be read; says so where it cannot */
static bool can_read(void)
{
	for (size_t i = 0; i < ossa_read_format_count(); i++) {
		if (strcmp(ossa_read_format_at(i)->name, "fbx") == 0) return true;
	}
	print_message("skipped: this build has no FBX reader (libassimp-dev)\n");
	return false;
}

static void targets_come_back(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_rig *rig, *back;
	assert_ok(context, test_rich_rig(context, 1000, 3, 4, &rig));
	test_add_morphs(context, rig->mesh);
	assert_ok(context, ossa_write_rig(context, rig, test_path("shapes.fbx"), NULL));
	assert_ok(context, ossa_read_rig(context, test_path("shapes.fbx"), NULL, &back));
	assert_int_equal(back->mesh->morph_count, 3);
	for (size_t m = 0; m < 3; m++) assert_shape(rig->mesh, back->mesh, m);
	ossa_rig_free(context, back);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* Blender stops at a shape without vertices: the last record of indices has one number */
/* curves of corrective shapes: the file's frames are the rig's */
static void shapes_follow_joints(void **state)
{
	(void)state;
	if (!can_read()) skip();
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_bulges_sample(context, 1000);
	const ossa_mesh *mesh = sample->rig->mesh;
	const double tolerance = 1e-4 * test_diagonal(mesh);
	ossa_frames *before, *after;
	ossa_mesh *back;
	test_bulges_add(context, sample->rig, "forearm-l", "elbow", 0, 0.02);
	test_bulges_add(context, sample->rig, "shin-r", "knee", 0.5, 0.02);
	assert_ok(context, ossa_write_rig(context, sample->rig, test_path("follow.fbx"), NULL));
	assert_int_equal(test_warned(context, "shapes-still"), 0);
	assert_ok(context, ossa_rig_frames(context, sample->rig, NULL, &before));
	assert_ok(context, ossa_read_animation(context, test_path("follow.fbx"), NULL, &back, &after));
	assert_int_equal(before->frame_count, after->frame_count);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const size_t same = nearest(back, mesh->positions + 3 * v);
		for (size_t f = 0; f < before->frame_count; f++) {
			const float *a = before->positions + 3 * (f * before->vertex_count + v);
			const float *b = after->positions + 3 * (f * after->vertex_count + same);
			assert_near_vec3(ossai_v3_of_float(a), ossai_v3_of_float(b), tolerance);
		}
	}
	ossa_frames_free(context, before);
	ossa_frames_free(context, after);
	ossa_mesh_free(context, back);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void empty_targets_have_a_vertex(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	static char bytes[1 << 20];
	test_add_morphs(context, mesh);
	assert_ok(context, ossa_write_mesh(context, mesh, NULL, test_path("empty.fbx"), NULL));
	const size_t size = test_read_bytes(test_path("empty.fbx"), bytes, sizeof bytes);
	const char *at = NULL;
	for (size_t i = 0; i + 8 < size; i++) at = memcmp(bytes + i, "\7Indexes", 8) == 0 ? bytes + i : at;
	assert_non_null(at);
	/* 'i', then the count */
	assert_int_equal(at[8], 'i');
	assert_int_equal(at[9], 1);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(targets_come_back),
		cmocka_unit_test(shapes_follow_joints),
		cmocka_unit_test(empty_targets_have_a_vertex),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
