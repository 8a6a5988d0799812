/* tests/edit/test_solve_split.c: where a bone parts by its shape: at a waist of the flesh, else in
   the middle. */
#include "support/still.h"
#include "support/support.h"

#include <math.h>

/* a waist along the bone: from `width` of the flesh's radius there to all of it at a distance of a
   fifth of the bone's length */
static void narrow(ossa_mesh *mesh, const ossa_bone *bone, double place, double width)
{
	const ossai_vec3 from = ossai_v3_of(bone->joint), path = ossai_sub(ossai_v3_of(bone->tail), from);
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		float *at = mesh->positions + 3 * v;
		const ossai_vec3 p = ossai_v3(at[0], at[1], at[2]);
		const double along = ossai_dot(ossai_sub(p, from), path) / ossai_length2(path);
		const ossai_vec3 axis = ossai_madd(from, along, path);
		const double share = 1 - (1 - width) * fmax(0, 1 - fabs(along - place) / 0.2);
		const ossai_vec3 moved = ossai_lerp(axis, p, share);
		at[0] = (float)moved.x;
		at[1] = (float)moved.y;
		at[2] = (float)moved.z;
	}
}

/* the share of the bone's length at which it parts */
static double split_of(double place, double width)
{
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample(context, OSSA_SAMPLE_TUBE, 4000);
	ossa_rig *rig = sample->rig;
	const int32_t b = ossa_rig_bone(rig, "tube-3");
	assert_true(b >= 0);
	const ossa_bone bone = rig->skeleton.bones[b];
	narrow(rig->mesh, &bone, place, width);
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	assert_ok(context, ossa_editor_do_line(context, editor, "split tube-3 0 half"));
	assert_ok(context, ossa_editor_do_line(context, editor, "solve"));
	const ossa_rig *solved = ossa_editor_rig(editor);
	const ossai_vec3 from = ossai_v3_of(bone.joint), path = ossai_sub(ossai_v3_of(bone.tail), from);
	const ossai_vec3 half = ossai_sub(ossai_v3_of(solved->skeleton.bones[ossa_rig_bone(solved, "half")].joint), from);
	const double share = ossai_dot(half, path) / ossai_length2(path);
	ossa_editor_free(context, editor);
	ossa_sample_free(context, sample);
	test_context_end(context);
	return share;
}

static void bones_part_where_the_flesh_is_narrow(void **state)
{
	(void)state;
	assert_near(split_of(0.5, 1), 0.5, 0.02);
	assert_near(split_of(0.35, 0.3), 0.35, 0.06);
	assert_near(split_of(0.65, 0.3), 0.65, 0.06);
	/* what narrows a little more moves the joint a little: no jump */
	double before = 0.5;
	for (double width = 1; width > 0.3; width -= 0.1) {
		const double now = split_of(0.35, width);
		assert_near(now, before, 0.08);
		before = now;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(bones_part_where_the_flesh_is_narrow)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
