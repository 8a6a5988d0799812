/* tests/retarget/test_by_name.c: the motion of one skeleton for another, by the names of bones. */
#include "math/vec.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* a creature and its file */
static ossa_rig *make_source(ossa_context *context)
{
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 6, 4, &rig));
	assert_true(rig->skeleton.bone_count >= 4);
	assert_ok(context, ossa_write_rig(context, rig, test_path("source.glb"), NULL));
	return rig;
}

/* the motion of a file by names alone, whatever the bones are */
static ossa_status read_by_name(ossa_context *context, const ossa_rig *rig, const char *path, ossa_clip **clip)
{
	ossa_retarget_options options = ossa_retarget_default();
	options.match = OSSA_RETARGET_NAMES;
	ossa_rig *source = NULL;
	*clip = NULL;
	ossa_status status = ossa_read_rig(context, path, NULL, &source);
	if (status == OSSA_OK) status = ossa_rig_retarget(context, rig, source, path, &options, clip, NULL);
	ossa_rig_free(context, source);
	return status;
}

/* largest distance of a vertex between two clips of a rig, moved and scaled onto each other */
static double difference(
	ossa_context *context, const ossa_rig *a, const ossa_clip *p, const ossa_rig *b, const ossa_clip *q, double scale)
{
	const size_t count = a->mesh->vertex_count;
	float *x = ossa_alloc(context, count, 3 * sizeof *x), *y = ossa_alloc(context, count, 3 * sizeof *y);
	double most = 0;
	assert_int_equal(p->frame_count, q->frame_count);
	for (size_t f = 0; f < p->frame_count; f++) {
		assert_ok(context, ossa_rig_pose(context, a, NULL, p, f, x));
		assert_ok(context, ossa_rig_pose(context, b, NULL, q, f, y));
		for (size_t i = 0; i < 3 * count; i++) most = fmax(most, fabs(scale * (double)x[i] - (double)y[i]));
	}
	ossa_free(context, x);
	ossa_free(context, y);
	return most;
}

static void own_motion_comes_back(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context);
	ossa_clip *clip;
	assert_ok(context, ossa_read_motion(context, rig, test_path("source.glb"), NULL, &clip));
	assert_int_equal(clip->bone_count, rig->skeleton.bone_count);
	assert_string_equal(clip->name, rig->clip->name);
	for (size_t f = 0; f < clip->frame_count; f++) assert_near(clip->times[f], rig->clip->times[f], 1e-6);
	assert_true(difference(context, rig, rig->clip, rig, clip, 1) < 1e-4);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a skeleton that is twice as large, has other frames at its joints and names as another program
   writes them moves alike */
static void other_frames_names_and_sizes_do_not_matter(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context), *other;
	assert_ok(context, ossa_read_rig(context, test_path("source.glb"), NULL, &other));
	for (size_t i = 0; i < 3 * other->mesh->vertex_count; i++) other->mesh->positions[i] *= 2;
	for (size_t b = 0; b < other->skeleton.bone_count; b++) {
		ossa_bone *bone = &other->skeleton.bones[b];
		char name[64];
		snprintf(name, sizeof name, "mixamorig_%.50s", rig->skeleton.bones[b].name);
		for (char *at = name + 10; *at; at++) {
			if (*at >= 'a' && *at <= 'z') *at = (char)(*at - 32);
		}
		memcpy(bone->name, name, sizeof name);
		for (int k = 0; k < 3; k++) bone->joint[k] *= 2;
		const ossai_quat turn = ossai_quat_exp(ossai_v3(0.3 * (double)b, 1, -0.2 * (double)b));
		ossai_quat_store(ossai_quat_mul(ossai_quat_of(bone->orientation), turn), bone->orientation);
	}
	ossa_clip_free(context, other->clip);
	other->clip = NULL;
	assert_ok(context, ossa_read_motion(context, other, test_path("source.glb"), NULL, &other->clip));
	assert_ok(context, ossa_rig_validate(context, other));
	assert_true(difference(context, rig, rig->clip, other, other->clip, 2) < 2e-4);
	ossa_rig_free(context, other);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* gives the rig's clip translations relative to the parents: those at rest, but some bones slide */
static void make_slide(ossa_context *context, ossa_rig *rig, size_t last)
{
	const ossa_bone *bones = rig->skeleton.bones;
	ossa_clip *clip = rig->clip;
	ossa_free(context, clip->translations);
	clip->translations = ossa_alloc(context, clip->frame_count * clip->bone_count, 3 * sizeof *clip->translations);
	assert_non_null(clip->translations);
	for (size_t f = 0; f < clip->frame_count; f++) {
		memcpy(clip->translations + 3 * f * clip->bone_count, clip->root_positions + 3 * f, 3 * sizeof(double));
		for (size_t b = 1; b < clip->bone_count; b++) {
			const ossai_mat3 above = ossai_quat_matrix(ossai_quat_of(bones[bones[b].parent].orientation));
			ossai_vec3 offset = ossai_sub(ossai_v3_of(bones[b].joint), ossai_v3_of(bones[bones[b].parent].joint));
			offset = ossai_mat3_tmul_v(&above, offset);
			const double slide = b <= last ? 0.1 * (double)(f * b) : 0;
			ossai_v3_store(
				ossai_add(offset, ossai_v3(slide, -slide, slide / 2)), clip->translations + 3 * (f * clip->bone_count + b));
		}
	}
}

/* bones that slide against their parents do so in the same rig exactly, and in another by its size,
   whatever its frames */
static void slides_are_carried_over(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context), *other;
	assert_ok(context, ossa_read_rig(context, test_path("source.glb"), NULL, &other));
	make_slide(context, rig, 3);
	assert_ok(context, ossa_write_rig(context, rig, test_path("slides.glb"), NULL));
	for (int doubled = 0; doubled < 2; doubled++) {
		for (size_t i = 0; doubled && i < 3 * other->mesh->vertex_count; i++) other->mesh->positions[i] *= 2;
		for (size_t b = 0; doubled && b < other->skeleton.bone_count; b++) {
			ossa_bone *bone = &other->skeleton.bones[b];
			for (int k = 0; k < 3; k++) bone->joint[k] *= 2;
			const ossai_quat turn = ossai_quat_exp(ossai_v3(0.3 * (double)b, 1, -0.2 * (double)b));
			ossai_quat_store(ossai_quat_mul(ossai_quat_of(bone->orientation), turn), bone->orientation);
		}
		ossa_clip_free(context, other->clip);
		other->clip = NULL;
		assert_ok(context, ossa_read_motion(context, other, test_path("slides.glb"), NULL, &other->clip));
		assert_non_null(other->clip->translations);
		assert_ok(context, ossa_rig_validate(context, other));
		assert_true(difference(context, rig, rig->clip, other, other->clip, 1 + doubled) < 2e-4);
	}
	/* if the sliding bone has no counterpart, those below it get its translation */
	make_slide(context, rig, 1);
	assert_ok(context, ossa_write_rig(context, rig, test_path("slides.glb"), NULL));
	strcpy(rig->skeleton.bones[1].name, "stranger");
	ossa_clip *clip;
	size_t below = 0;
	assert_ok(context, read_by_name(context, rig, test_path("slides.glb"), &clip));
	assert_non_null(clip->translations);
	for (size_t b = 1; b < clip->bone_count; b++) {
		const double *place = clip->translations + 3 * (2 * clip->bone_count + b);
		/* nothing slides in the first frame */
		const double *rest = rig->clip->translations + 3 * b;
		const bool carries = rig->skeleton.bones[b].parent == 1;
		assert_near(ossai_distance(ossai_v3_of(place), ossai_v3_of(rest)), carries ? 0.3 : 0, 1e-5);
		below += carries;
	}
	assert_true(below > 0);
	ossa_clip_free(context, clip);
	/* nothing slides: no translations */
	assert_ok(context, read_by_name(context, rig, test_path("source.glb"), &clip));
	assert_null(clip->translations);
	ossa_clip_free(context, clip);
	ossa_rig_free(context, other);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* bones without a counterpart keep their rest rotation relative to their parents */
static void strangers_keep_their_rest(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context);
	const size_t stranger = rig->skeleton.bone_count - 1;
	strcpy(rig->skeleton.bones[stranger].name, "antenna");
	ossa_clip *clip;
	assert_ok(context, read_by_name(context, rig, test_path("source.glb"), &clip));
	assert_int_equal(ossa_context_warning_count(context), 1);
	assert_string_equal(ossa_context_warning(context, 0)->code, "motion-unmatched");
	assert_int_equal(ossa_context_warning(context, 0)->count, 1);
	const ossa_bone *bones = rig->skeleton.bones;
	const ossai_quat parent = ossai_quat_of(bones[bones[stranger].parent].orientation);
	const ossai_quat rest = ossai_quat_mul(ossai_quat_conjugate(parent), ossai_quat_of(bones[stranger].orientation));
	for (size_t f = 0; f < clip->frame_count; f++) {
		const ossai_quat local = ossai_quat_of(clip->rotations + 4 * (f * clip->bone_count + stranger));
		assert_true(fabs(ossai_quat_dot(local, rest)) > 1 - 1e-9);
	}
	ossa_clip_free(context, clip);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void what_cannot_be_carried_over_is_said(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_rig *rig = make_source(context);
	ossa_clip *clip;
	ossa_clip *kept = rig->clip;
	rig->clip = NULL;
	assert_ok(context, ossa_write_rig(context, rig, test_path("still.glb"), NULL));
	rig->clip = kept;
	assert_fails(context, read_by_name(context, rig, test_path("still.glb"), &clip), OSSA_ERROR_INPUT, "no motion");
	assert_null(clip);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		snprintf(rig->skeleton.bones[b].name, sizeof rig->skeleton.bones[b].name, "other%zu", b);
	}
	assert_fails(context, read_by_name(context, rig, test_path("source.glb"), &clip), OSSA_ERROR_INPUT, "other0");
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status read_motion(ossa_context *context, void *rig)
{
	ossa_clip *clip;
	const ossa_status status = read_by_name(context, rig, test_path("source.glb"), &clip);
	ossa_clip_free(context, clip);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_source(context);
	assert_true(test_allocation_sweep(read_motion, rig, 60, 11) > 30);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_motion_comes_back),
		cmocka_unit_test(other_frames_names_and_sizes_do_not_matter),
		cmocka_unit_test(slides_are_carried_over),
		cmocka_unit_test(strangers_keep_their_rest),
		cmocka_unit_test(what_cannot_be_carried_over_is_said),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
