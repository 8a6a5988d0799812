/* tests/test_volume.c: rigs from the volume of meshes: limbs that everyone sees, the paper's own procedure, roots, levels, what must not change
   the answer, bad input. */
#include "samples/samples.h"
#include "support/proxies.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACES = 4000 };

static ossa_sample *make_sample(ossa_context *context, int kind, int faces)
{
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample;
	options.kind = kind;
	options.faces = faces;
	options.frames = 4;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static ossa_rig *rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options)
{
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_volume(context, mesh, options, &rig));
	assert_ok(context, ossa_rig_validate(context, rig));
	assert_string_equal(rig->method, "volume");
	return rig;
}

/* bones without children, and the root where it has but one: ends */
static size_t end_count(const ossa_rig *rig)
{
	size_t count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		size_t children = 0;
		for (size_t i = 0; i < rig->skeleton.bone_count; i++) children += rig->skeleton.bones[i].parent == (int32_t)b;
		count += children == 0 || (b == 0 && children == 1);
	}
	return count;
}

/* ---- what is found ---- */

static void check_limbs(ossa_context *context, int kind, size_t least, size_t most, const ossa_volume_options *options)
{
	ossa_sample *sample = make_sample(context, kind, FACES);
	ossa_rig *rig = rig_of(context, sample->rig->mesh, options);
	ossa_metrics metrics;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &metrics));
	const size_t ends = end_count(rig);
	if (ends < least || ends > most || metrics.joints_inside < (options ? 0.95 : 1)) {
		fail_msg("creature %d: %zu ends, %.0f %% of the joints inside", kind, ends, 100 * metrics.joints_inside);
	}
	assert_null(rig->clip);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
}

static const struct {
	int kind;
	size_t least, most;
} shapes[] = {{OSSA_SAMPLE_OCTOPUS, 9, 9}, {OSSA_SAMPLE_QUADRUPED, 6, 8}, {OSSA_SAMPLE_HAND, 5, 7}, {OSSA_SAMPLE_BIPED, 5, 7},
	{OSSA_SAMPLE_TUBE, 2, 2}, {OSSA_SAMPLE_SNAKE, 2, 3}};

static void limbs_are_found(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		check_limbs(context, shapes[i].kind, shapes[i].least, shapes[i].most, NULL);
	}
	test_context_end(context);
}

static void fingers_of_a_body_are_found(void **state)
{
	(void)state;
	const char *path = test_corpus("static/odedstein/human/human_man.obj");
	if (!path) return;
	ossa_context *context = test_context(0);
	ossa_mesh *mesh = NULL;
	assert_ok(context, ossa_read_mesh(context, path, NULL, &mesh));
	for (int adaptive = 0; adaptive <= 1; adaptive++) {
		ossa_volume_options options = ossa_volume_default();
		options.bones = 60;
		options.adaptive = adaptive;
		ossa_rig *rig = rig_of(context, mesh, &options);
		if (adaptive) assert_in_range(end_count(rig), 12, 21);
		else assert_int_equal(end_count(rig), 5);
		ossa_rig_free(context, rig);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void limbs_are_found_by_segments(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_volume_options options = ossa_volume_default();
	options.joints = 1;
	for (size_t i = 0; i < 1; i++) check_limbs(context, shapes[i].kind, 8, 12, &options);
	test_context_end(context);
}

static void the_paper_anchors_by_coverage(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_volume_options options = ossa_volume_default();
	options.refine = 0;
	ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
	/* every bone is a segment: arms are split, for they are longer than the largest fraction */
	assert_in_range(rig->skeleton.bone_count, 17, 80);
	assert_in_range(end_count(rig), 8, 12);
	/* a number of segments ends the splitting */
	options.segments = 12;
	ossa_rig *fewer = rig_of(context, sample->rig->mesh, &options);
	assert_true(fewer->skeleton.bone_count < rig->skeleton.bone_count);
	ossa_rig_free(context, fewer);
	ossa_rig_free(context, rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void as_many_bones_as_asked(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, FACES);
	for (int bones = 16; bones <= 28; bones += 12) {
		ossa_volume_options options = ossa_volume_default();
		options.bones = bones;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		assert_int_equal(rig->skeleton.bone_count, bones);
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- loops ---- */

static void a_ring_is_cut_and_that_is_told(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_proxy ring = test_torus(&arena, 60, 16, 0.08);
	float *positions = ossai_arena_new(&arena, ring.vertex_count, 3 * sizeof *positions);
	for (size_t i = 0; i < 3 * ring.vertex_count; i++) positions[i] = (float)ring.positions[i];
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, ring.vertex_count, positions, ring.face_count, ring.triangles, &mesh));
	ossa_rig *rig = rig_of(context, mesh, NULL);
	assert_int_equal(test_warned(context, "loop-cut"), 1);
	assert_int_equal(rig->loop_count, 1);
	const ossa_loop *loop = &rig->loops[0];
	/* inside of the ring, between bones that are no neighbours in the tree */
	assert_float_equal(hypot(loop->center[0], loop->center[1]), 0.33, 0.08);
	assert_float_equal(loop->center[2], 0, 0.08);
	assert_int_not_equal(loop->bones[0], loop->bones[1]);
	assert_int_not_equal(rig->skeleton.bones[loop->bones[0]].parent, loop->bones[1]);
	assert_int_not_equal(rig->skeleton.bones[loop->bones[1]].parent, loop->bones[0]);
	/* coarser levels keep it */
	ossa_volume_options options = ossa_volume_default();
	options.levels = 2;
	ossa_rig *nested = rig_of(context, mesh, &options), *coarser;
	assert_ok(context, ossa_rig_of_level(context, nested, 1, &coarser));
	assert_ok(context, ossa_rig_validate(context, coarser));
	assert_int_equal(coarser->loop_count, 1);
	ossa_rig_free(context, coarser);
	ossa_rig_free(context, nested);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	ossai_arena_end(&arena);
	test_context_end(context);
}

/* ---- the root ---- */

static double height_of(const ossa_rig *rig) { return rig->skeleton.bones[0].joint[1]; }

static void the_root_is_where_it_is_wanted(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, FACES);
	for (int joints = 1; joints <= 2; joints++) {
		ossa_volume_options options = ossa_volume_default();
		options.joints = joints;
		ossa_rig *center = rig_of(context, sample->rig->mesh, &options);
		snprintf(options.root, sizeof options.root, "lowest");
		ossa_rig *lowest = rig_of(context, sample->rig->mesh, &options);
		for (size_t b = 0; b < lowest->skeleton.bone_count; b++) {
			/* a foot: no joint is much lower */
			assert_true(lowest->skeleton.bones[b].joint[1] > height_of(lowest) - 0.1);
		}
		assert_true(height_of(center) > height_of(lowest) + 0.3);
		snprintf(options.root, sizeof options.root, "0, 1.7, 0");
		ossa_rig *head = rig_of(context, sample->rig->mesh, &options);
		assert_true(height_of(head) > height_of(center) + 0.1);
		ossa_rig_free(context, head);
		ossa_rig_free(context, lowest);
		ossa_rig_free(context, center);
	}
	ossa_volume_options options = ossa_volume_default();
	ossa_rig *rig;
	static const char *const wrong[] = {"", "middle", "1,2", "1,2,3,4", "1,2,nan", "1;2;3"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		snprintf(options.root, sizeof options.root, "%s", wrong[i]);
		assert_fails(context, ossa_rig_from_volume(context, sample->rig->mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "--root");
		assert_null(rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- levels ---- */

static void levels_are_nested(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	for (int joints = 1; joints <= 2; joints++) {
		ossa_volume_options options = ossa_volume_default();
		options.joints = joints;
		options.levels = 3;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		assert_int_equal(rig->level_count, 3);
		size_t before = rig->skeleton.bone_count + 1;
		for (int level = 0; level < 3; level++) {
			ossa_rig *coarser;
			assert_ok(context, ossa_rig_of_level(context, rig, level, &coarser));
			assert_ok(context, ossa_rig_validate(context, coarser));
			assert_int_equal(coarser->level_count, 3 - level);
			assert_true(coarser->skeleton.bone_count < before);
			before = coarser->skeleton.bone_count;
			for (size_t b = 0; b < before; b++) {
				const ossa_bone *bone = &coarser->skeleton.bones[b];
				const int32_t same = ossa_rig_bone(rig, bone->name);
				assert_true(same >= 0);
				assert_memory_equal(bone->joint, rig->skeleton.bones[same].joint, sizeof bone->joint);
			}
			ossa_rig_free(context, coarser);
		}
		assert_true(before >= 2);
		ossa_rig_free(context, rig);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what must not change the answer ---- */

static void moved_and_scaled_alike(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_QUADRUPED, FACES);
	/* on a grid so coarse that moving and scaling round nothing away */
	float *positions = sample->rig->mesh->positions;
	for (size_t i = 0; i < 3 * sample->rig->mesh->vertex_count; i++) positions[i] = roundf(positions[i] * 4096) / 4096;
	for (int refine = 0; refine <= 1; refine++) {
		ossa_volume_options options = ossa_volume_default();
		options.refine = refine;
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
		ossa_mesh *other;
		assert_ok(context, ossa_mesh_copy(context, sample->rig->mesh, &other));
		const float scale = 1024;
		for (size_t i = 0; i < 3 * other->vertex_count; i++) other->positions[i] = scale * other->positions[i] + 512;
		ossa_rig *moved = rig_of(context, other, &options);
		assert_int_equal(rig->skeleton.bone_count, moved->skeleton.bone_count);
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			assert_int_equal(rig->skeleton.bones[b].parent, moved->skeleton.bones[b].parent);
			for (int k = 0; k < 3; k++) {
				const double at = (moved->skeleton.bones[b].joint[k] - 512) / scale;
				assert_float_equal(at, rig->skeleton.bones[b].joint[k], 3e-6);
			}
		}
		ossa_rig_free(context, moved);
		ossa_rig_free(context, rig);
		ossa_mesh_free(context, other);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* its vertices and faces in another order, turned */
static ossa_mesh *turn_and_shuffle(ossa_context *context, const ossa_mesh *mesh, const ossai_mat3 *turn)
{
	const size_t vertices = mesh->vertex_count, faces = mesh->triangle_count;
	float *positions = malloc(3 * vertices * sizeof *positions);
	uint32_t *triangles = malloc(3 * faces * sizeof *triangles);
	/* steps without a common divisor */
	const size_t step = vertices % 7919 ? 7919 : 7907, face_step = faces % 6007 ? 6007 : 5987;
	assert_true(positions && triangles);
	for (size_t v = 0; v < vertices; v++) {
		const float *p = mesh->positions + 3 * v;
		const ossai_vec3 q = ossai_mat3_mul_v(turn, ossai_v3(p[0], p[1], p[2]));
		float *to = positions + 3 * (v * step % vertices);
		to[0] = (float)q.x;
		to[1] = (float)q.y;
		to[2] = (float)q.z;
	}
	for (size_t f = 0; f < faces; f++) {
		for (size_t k = 0; k < 3; k++) {
			triangles[3 * (f * face_step % faces) + (k + f) % 3] = (uint32_t)(mesh->triangles[3 * f + k] * step % vertices);
		}
	}
	ossa_mesh *made;
	assert_ok(context, ossa_mesh_create(context, vertices, positions, faces, triangles, &made));
	free(positions);
	free(triangles);
	return made;
}

/* the same bones, where the turn takes them; `far`: how far joints may be off */
static void assert_turned(const ossa_rig *rig, const ossa_rig *turned, const ossai_mat3 *turn, double far, bool frames)
{
	assert_int_equal(rig->skeleton.bone_count, turned->skeleton.bone_count);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b], *same = &turned->skeleton.bones[b];
		assert_int_equal(bone->parent, same->parent);
		const ossai_vec3 joint = ossai_mat3_mul_v(turn, ossai_v3_of(bone->joint));
		const ossai_vec3 tail = ossai_mat3_mul_v(turn, ossai_v3_of(bone->tail));
		assert_true(ossai_distance(joint, ossai_v3_of(same->joint)) < far);
		assert_true(ossai_distance(tail, ossai_v3_of(same->tail)) < far);
		if (!frames) continue;
		const ossai_mat3 before = ossai_quat_matrix(ossai_quat_of(bone->orientation));
		const ossai_mat3 after = ossai_quat_matrix(ossai_quat_of(same->orientation)), wanted = ossai_mat3_mul(turn, &before);
		for (int k = 0; k < 9; k++) assert_float_equal(wanted.m[k / 3][k % 3], after.m[k / 3][k % 3], 0.05);
	}
}

static void turned_and_shuffled_alike(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_HAND, OSSA_SAMPLE_OCTOPUS};
	const ossai_quat about = ossai_quat_axis_angle(ossai_unit(ossai_v3(1, 2, -3), ossai_v3(1, 0, 0)), 30 * OSSAI_PI / 180);
	const ossai_mat3 turns[2] = {ossai_mat3_identity(), ossai_quat_matrix(about)};
	ossa_context *context = test_context(0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		ossa_sample *sample = make_sample(context, kinds[i], FACES);
		for (int k = 1; k < 4; k++) {
			ossa_volume_options options = ossa_volume_default();
			options.joints = k < 3 ? 2 : 1;
			options.voxel_size = 0.01;
			ossa_mesh *other = turn_and_shuffle(context, sample->rig->mesh, &turns[k / 2]);
			ossa_rig *rig = rig_of(context, sample->rig->mesh, &options), *turned = rig_of(context, other, &options);
			/* turned, floats round otherwise: within three voxels */
			assert_turned(rig, turned, &turns[k / 2], k / 2 ? 0.03 : 1e-6, options.joints == 1);
			ossa_rig_free(context, turned);
			ossa_rig_free(context, rig);
			ossa_mesh_free(context, other);
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* what is looked at lies where the mesh does; the lowest end is the lowest of the mesh */
static void stages_and_roots_turn_along(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, FACES);
	const ossai_quat about = ossai_quat_axis_angle(ossai_v3(1, 0, 0), OSSAI_PI);
	const ossai_mat3 turn = ossai_quat_matrix(about);
	ossa_mesh *other = turn_and_shuffle(context, sample->rig->mesh, &turn);
	ossa_volume_options options = ossa_volume_default();
	ossa_volume_stages stages, turned;
	assert_ok(context, ossa_volume_stages_make(context, sample->rig->mesh, &options, &stages));
	assert_ok(context, ossa_volume_stages_make(context, other, &options, &turned));
	assert_int_equal(stages.node_count, turned.node_count);
	for (size_t i = 0; i < stages.node_count; i++) {
		const float *p = stages.nodes + 3 * i, *q = turned.nodes + 3 * i;
		const ossai_vec3 wanted = ossai_mat3_mul_v(&turn, ossai_v3(p[0], p[1], p[2]));
		assert_true(ossai_distance(wanted, ossai_v3(q[0], q[1], q[2])) < 3 * stages.edge);
	}
	/* upside down the head is lowest */
	for (int joints = 1; joints <= 2; joints++) {
		options.joints = joints;
		snprintf(options.root, sizeof options.root, "lowest");
		ossa_rig *rig = rig_of(context, sample->rig->mesh, &options), *down = rig_of(context, other, &options);
		assert_true(rig->skeleton.bones[0].joint[1] < 0.3);
		assert_true(down->skeleton.bones[0].joint[1] < -1.3);
		ossa_rig_free(context, down);
		ossa_rig_free(context, rig);
	}
	ossa_volume_stages_free(context, &turned);
	ossa_volume_stages_free(context, &stages);
	ossa_mesh_free(context, other);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void the_same_bytes_for_any_threads(void **state)
{
	(void)state;
	static unsigned char first[1 << 21], second[1 << 21];
	for (int refine = 0; refine <= 1; refine++) {
		size_t size = 0;
		for (int threads = 1; threads <= 3; threads++) {
			ossa_context *context = test_context(threads);
			ossa_sample *sample = make_sample(context, OSSA_SAMPLE_HAND, FACES);
			ossa_volume_options options = ossa_volume_default();
			options.refine = refine;
			ossa_rig *rig = rig_of(context, sample->rig->mesh, &options);
			const char *path = test_path("threads.glb");
			assert_ok(context, ossa_write_rig(context, rig, path, NULL));
			const size_t now = test_read_bytes(path, threads == 1 ? first : second, sizeof first);
			if (threads == 1) size = now;
			else {
				assert_int_equal(now, size);
				assert_memory_equal(first, second, size);
			}
			ossa_rig_free(context, rig);
			ossa_sample_free(context, sample);
			test_context_end(context);
		}
	}
}

/* ---- which method ---- */

static void one_mesh_gets_what_lies_inside(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_shape_choice choice;
	ossa_rig *rig, *again;
	/* a clean shape: contraction's bones lie inside, and nothing else is tried */
	assert_ok(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_AUTO, NULL, &choice, &rig));
	assert_int_equal(choice.method, OSSA_METHOD_CONTRACTION);
	assert_string_equal(rig->method, "contraction");
	assert_non_null(strstr(choice.reason, "inside"));
	ossa_rig_free(context, rig);
	/* what is asked for is made, and needs no reason */
	assert_ok(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_VOLUME, NULL, &choice, &rig));
	assert_string_equal(rig->method, "volume");
	assert_string_equal(choice.reason, "");
	ossa_rig_free(context, rig);
	/* what contraction refuses, volume may take: weights by least squares are refused by both */
	ossa_contraction_options contraction = ossa_contraction_default();
	contraction.weights = OSSA_WEIGHTS_LEAST_SQUARES;
	const ossa_method_options methods = {.contraction = &contraction};
	assert_fails(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_AUTO, &methods, &choice, &again),
		OSSA_ERROR_ARGUMENT, "least squares");
	assert_null(again);
	assert_fails(context, ossa_rig_from_shape(context, sample->rig->mesh, OSSA_METHOD_EXAMPLES, NULL, &choice, &again),
		OSSA_ERROR_ARGUMENT, "motion");
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* many boxes apart: all bones of a volume lie in one of them, inside to the last, and contraction's reach the others */
static void bones_in_a_part_only_do_not_win(void **state)
{
	(void)state;
	enum { BOXES = 27 };
	static const uint32_t faces[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4}, {1, 2, 6},
		{1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
	static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
	float positions[3 * 8 * BOXES];
	uint32_t triangles[3 * 12 * BOXES];
	for (uint32_t b = 0; b < BOXES; b++) {
		const float low[3] = {3.1f * (float)(b % 3), 3.3f * (float)(b / 3 % 3), 3.7f * (float)(b / 9)};
		for (uint32_t i = 0; i < 8 * 3; i++) positions[24 * b + i] = low[i % 3] + corners[i / 3][i % 3] * (b == 5 ? 1.2f : 1);
		for (uint32_t i = 0; i < 12 * 3; i++) triangles[36 * b + i] = 8 * b + faces[i / 3][i % 3];
	}
	ossa_context *context = test_context(0);
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 8 * BOXES, positions, 12 * BOXES, triangles, &mesh));
	ossa_shape_choice choice;
	ossa_rig *rig;
	assert_ok(context, ossa_rig_from_shape(context, mesh, OSSA_METHOD_AUTO, NULL, &choice, &rig));
	assert_int_equal(choice.method, OSSA_METHOD_CONTRACTION);
	assert_non_null(strstr(choice.reason, "in a part of the shape only"));
	assert_true(rig->skeleton.bone_count > 12);
	ossa_rig_free(context, rig);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* ---- motion ---- */

static void frames_move_the_rig(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_BIPED, FACES);
	ossa_frame_stream *stream = NULL;
	ossa_volume_options own = ossa_volume_default();
	own.levels = 2;
	const ossa_method_options methods = {.volume = &own};
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &stream));
	const ossa_animation_options options = {OSSA_METHOD_VOLUME, 0, 2};
	ossa_animation_rig made;
	assert_ok(context, ossa_rig_from_animation(context, sample->rig->mesh, stream, &options, &methods, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	assert_int_equal(made.rig->clip->frame_count, 4);
	assert_true(made.hierarchy.rms_percent < 3);
	/* a coarser level turns its joints in the world as the finer one does */
	ossa_rig *coarser;
	assert_ok(context, ossa_rig_of_level(context, made.rig, 1, &coarser));
	assert_ok(context, ossa_rig_validate(context, coarser));
	double fine[12 * 64], coarse[12 * 64];
	assert_true(made.rig->skeleton.bone_count <= 64);
	ossa_rig_joint_matrices(made.rig, made.rig->clip, 3, fine);
	ossa_rig_joint_matrices(coarser, coarser->clip, 3, coarse);
	for (size_t b = 0; b < coarser->skeleton.bone_count; b++) {
		const size_t same = (size_t)ossa_rig_bone(made.rig, coarser->skeleton.bones[b].name);
		for (size_t i = 0; i < 12; i++) {
			if (i % 4 != 3) assert_float_equal(coarse[12 * b + i], fine[12 * same + i], 1e-9);
		}
	}
	ossa_rig_free(context, coarser);
	ossa_animation_rig_free(context, &made);
	ossa_frame_stream_free(context, stream);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- the stages ---- */

/* few voxels, which join what lies side by side, find as many limbs as many do, and count them so */
static void few_voxels_find_the_limbs(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_HAND, FACES);
	const double sizes[3] = {0.04, 0.025, 0.01};
	for (int i = 0; i < 3; i++) {
		ossa_volume_options options = ossa_volume_default();
		options.voxel_size = sizes[i];
		ossa_volume_stages s;
		assert_ok(context, ossa_volume_stages_make(context, sample->rig->mesh, &options, &s));
		if (s.path_count != 6) print_message("voxels of %g: %zu paths\n", sizes[i], s.path_count);
		assert_int_equal(s.path_count, 6);
		ossa_volume_stages_free(context, &s);
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static void the_stages_tell_what_they_see(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_OCTOPUS, FACES);
	ossa_volume_stages s;
	assert_ok(context, ossa_volume_stages_make(context, sample->rig->mesh, NULL, &s));
	assert_in_range(s.interior_count, 20000, 200000);
	assert_in_range(s.path_count, 8, 14);
	assert_true(s.extreme_count >= s.path_count);
	assert_true(s.medial_count < s.interior_count);
	assert_in_range(s.segment_count, 16, s.node_count - 1);
	assert_int_equal(s.part_count, 1);
	for (size_t i = 1; i < s.node_count; i++) assert_true(s.parents[i] < i);
	for (size_t i = 0; i < 2 * s.segment_count; i++) assert_true(s.segments[i] < s.node_count);
	assert_ok(context, ossa_volume_stages_write(context, &s, test_folder()));
	static char text[1 << 20];
	text[test_read_bytes(test_path("segments.obj"), text, sizeof text - 1)] = 0;
	size_t lines = 0;
	for (const char *at = strstr(text, "\nl "); at; at = strstr(at + 1, "\nl ")) lines++;
	assert_int_equal(lines, s.segment_count);
	ossa_mesh *mesh;
	assert_fails(context, ossa_read_mesh(context, test_path("medial.ply"), NULL, &mesh), OSSA_ERROR_INPUT, NULL);
	assert_fails(context, ossa_volume_stages_write(context, &s, "/nowhere/at/all"), OSSA_ERROR_WRITE, "/nowhere/at/all");
	ossa_volume_stages_free(context, &s);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void what_has_no_surface_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const float point[] = {1, 2, 3, 1, 2, 3, 1, 2, 3}, line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
	const uint32_t face[] = {0, 1, 2};
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 3, point, 1, face, &mesh));
	assert_fails(context, ossa_rig_from_volume(context, mesh, NULL, &rig), OSSA_ERROR_INPUT, "one point");
	assert_null(rig);
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_mesh_create(context, 3, line, 1, face, &mesh));
	assert_fails(context, ossa_rig_from_volume(context, mesh, NULL, &rig), OSSA_ERROR_INPUT, NULL);
	ossa_volume_options options = ossa_volume_default();
	options.weights = OSSA_WEIGHTS_LEAST_SQUARES;
	assert_fails(context, ossa_rig_from_volume(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "least squares");
	options = ossa_volume_default();
	options.closeness = 0;
	assert_fails(context, ossa_rig_from_volume(context, mesh, &options, &rig), OSSA_ERROR_ARGUMENT, "closeness");
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* a rig and a coarser level of it */
static ossa_status make_and_free(ossa_context *context, const ossa_mesh *mesh, int refine)
{
	ossa_rig *rig, *coarser;
	ossa_volume_options options = ossa_volume_default();
	options.levels = 2;
	options.voxel_size = 0.04;
	options.refine = refine;
	ossa_status status = ossa_rig_from_volume(context, mesh, &options, &rig);
	if (status != OSSA_OK) {
		assert_null(rig);
		return status;
	}
	status = ossa_rig_of_level(context, rig, 1, &coarser);
	if (status == OSSA_OK) ossa_rig_free(context, coarser);
	else assert_null(coarser);
	ossa_rig_free(context, rig);
	return status;
}

static ossa_status sweep_refined(ossa_context *context, void *mesh) { return make_and_free(context, mesh, 1); }
static ossa_status sweep_paper(ossa_context *context, void *mesh) { return make_and_free(context, mesh, 0); }

static ossa_status sweep_choice(ossa_context *context, void *mesh)
{
	ossa_rig *rig;
	ossa_shape_choice choice;
	ossa_volume_options volume = ossa_volume_default();
	volume.voxel_size = 0.04;
	const ossa_method_options methods = {.volume = &volume};
	const ossa_status status = ossa_rig_from_shape(context, mesh, OSSA_METHOD_AUTO, &methods, &choice, &rig);
	if (status == OSSA_OK) ossa_rig_free(context, rig);
	else assert_null(rig);
	return status;
}

static ossa_status sweep_stages(ossa_context *context, void *mesh)
{
	ossa_volume_stages stages;
	ossa_volume_options options = ossa_volume_default();
	options.voxel_size = 0.04;
	const ossa_status status = ossa_volume_stages_make(context, mesh, &options, &stages);
	if (status != OSSA_OK) assert_null(stages.voxels);
	ossa_volume_stages_free(context, &stages);
	return status;
}

static void memory_may_fail_anywhere(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 1000);
	assert_true(test_allocation_sweep(sweep_refined, sample->rig->mesh, 20, 79) > 200);
	assert_true(test_allocation_sweep(sweep_paper, sample->rig->mesh, 20, 7) > 50);
	assert_true(test_allocation_sweep(sweep_choice, sample->rig->mesh, 20, 127) > 200);
	assert_true(test_allocation_sweep(sweep_stages, sample->rig->mesh, 20, 7) > 20);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

static bool stop_half_way(void *user, const char *stage, double fraction)
{
	(void)user;
	(void)stage;
	return fraction < 0.5;
}

static void it_can_be_stopped(void **state)
{
	(void)state;
	ossa_context_options options = ossa_context_default();
	options.progress = stop_half_way;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	ossa_sample *sample = make_sample(context, OSSA_SAMPLE_TUBE, 1000);
	ossa_rig *rig;
	assert_fails(context, ossa_rig_from_volume(context, sample->rig->mesh, NULL, &rig), OSSA_ERROR_CANCELLED, NULL);
	assert_null(rig);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(limbs_are_found), cmocka_unit_test(limbs_are_found_by_segments),
		cmocka_unit_test(fingers_of_a_body_are_found), cmocka_unit_test(the_paper_anchors_by_coverage),
		cmocka_unit_test(as_many_bones_as_asked), cmocka_unit_test(a_ring_is_cut_and_that_is_told),
		cmocka_unit_test(the_root_is_where_it_is_wanted), cmocka_unit_test(levels_are_nested),
		cmocka_unit_test(moved_and_scaled_alike), cmocka_unit_test(turned_and_shuffled_alike),
		cmocka_unit_test(stages_and_roots_turn_along), cmocka_unit_test(the_same_bytes_for_any_threads),
		cmocka_unit_test(one_mesh_gets_what_lies_inside), cmocka_unit_test(bones_in_a_part_only_do_not_win),
		cmocka_unit_test(frames_move_the_rig), cmocka_unit_test(few_voxels_find_the_limbs),
		cmocka_unit_test(the_stages_tell_what_they_see), cmocka_unit_test(what_has_no_surface_is_refused),
		cmocka_unit_test(memory_may_fail_anywhere), cmocka_unit_test(it_can_be_stopped)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
