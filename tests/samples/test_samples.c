/* tests/samples/test_samples.c: guarantees of the samples: valid surfaces, true skeletons,
   weights and frames. */
#include "samples/samples.h"
#include "math/vec.h"
#include "support/compare.h"
#include "mesh/pieces.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KINDS = OSSA_SAMPLE_SLIDES + 1 };

/* ---- surface ---- */

static int compare_edges(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

typedef struct edge_facts {
	size_t edges, borders;
} edge_facts;

/* Every directed edge is there once, and its reverse once, or not at all on a border: the surface
   is an oriented 2-manifold but for pinched vertices. A border vertex has one border edge going
   out. */
static edge_facts check_edges(ossa_context *context, const ossa_mesh *mesh)
{
	const size_t count = 3 * mesh->triangle_count;
	uint64_t *edges = ossa_alloc(context, count, sizeof *edges);
	uint8_t *borders_out = ossa_alloc(context, mesh->vertex_count, 1);
	assert_non_null(edges);
	assert_non_null(borders_out);
	for (size_t i = 0; i < count; i++) {
		const size_t next = i % 3 == 2 ? i - 2 : i + 1;
		edges[i] = (uint64_t)mesh->triangles[i] << 32 | mesh->triangles[next];
	}
	qsort(edges, count, sizeof *edges, compare_edges);
	edge_facts facts = {0, 0};
	for (size_t i = 0; i < count; i++) {
		assert_true(i == 0 || edges[i] != edges[i - 1]);
		const uint64_t reverse = edges[i] << 32 | edges[i] >> 32;
		if (bsearch(&reverse, edges, count, sizeof *edges, compare_edges)) continue;
		facts.borders++;
		assert_int_equal(borders_out[edges[i] >> 32]++, 0);
	}
	facts.edges = (count + facts.borders) / 2;
	ossa_free(context, edges);
	ossa_free(context, borders_out);
	return facts;
}

static double volume(const ossa_mesh *mesh)
{
	double sum = 0;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *v = mesh->triangles + 3 * t;
		const ossai_vec3 a = ossai_v3_of_float(mesh->positions + 3 * (size_t)v[0]);
		const ossai_vec3 b = ossai_v3_of_float(mesh->positions + 3 * (size_t)v[1]);
		sum += ossai_dot(a, ossai_cross(b, ossai_v3_of_float(mesh->positions + 3 * (size_t)v[2]))) / 6;
	}
	return sum;
}

static uint32_t count_pieces(ossa_context *context, const ossa_mesh *mesh)
{
	uint32_t count = 0;
	uint32_t *piece_of_face = ossa_alloc(context, mesh->triangle_count, sizeof *piece_of_face);
	assert_ok(context,
		ossai_pieces_make(context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, piece_of_face, NULL, &count));
	ossa_free(context, piece_of_face);
	return count;
}

/* a closed piece without handles has Euler characteristic 2; each hole cut into it takes one */
static void check_surface(ossa_context *context, const ossa_mesh *mesh, int kind, int faces)
{
	assert_true(abs((int)mesh->triangle_count - faces) <= faces / 10);
	assert_ok(context, ossa_mesh_validate(context, mesh));
	const edge_facts facts = check_edges(context, mesh);
	const uint32_t pieces = count_pieces(context, mesh);
	const long euler = (long)mesh->vertex_count - (long)facts.edges + (long)mesh->triangle_count;
	static const uint32_t pieces_of_kind[KINDS] = {
		[OSSA_SAMPLE_PIECES] = 16, [OSSA_SAMPLE_MACHINE] = 4, [OSSA_SAMPLE_LINKAGE] = 7, [OSSA_SAMPLE_SLIDES] = 8};
	assert_int_equal(pieces, pieces_of_kind[kind] > 0 ? pieces_of_kind[kind] : 1);
	assert_int_equal(euler, kind == OSSA_SAMPLE_OPEN ? 2 - 4 : 2 * (long)pieces);
	assert_int_equal(facts.borders > 0, kind == OSSA_SAMPLE_OPEN);
	assert_true(volume(mesh) > 0.01);
}

static void surfaces_are_clean(void **state)
{
	(void)state;
	static const int sizes[] = {1000, 2000, 5000, 15000};
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < KINDS; kind++) {
		/* of each kind the smallest, and one of the others */
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			if (i > 0 && i != 1 + (size_t)kind % 3 && !test_is_long()) continue;
			ossa_sample *sample = test_sample_of_kind(context, kind, sizes[i], 1);
			check_surface(context, sample->rig->mesh, kind, sizes[i]);
			ossa_sample_free(context, sample);
		}
	}
	test_context_end(context);
}

/* the smallest angle distinguishes a well-shaped triangle from a sliver */
static void triangles_are_well_shaped(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < KINDS; kind++) {
		ossa_sample *sample = test_sample_of_kind(context, kind, 10000, 1);
		const ossa_mesh *mesh = sample->rig->mesh;
		size_t slivers = 0;
		for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
			const size_t t = i - i % 3;
			const ossai_vec3 a = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[i]);
			const ossai_vec3 b = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[t + (i + 1) % 3]);
			const ossai_vec3 c = ossai_v3_of_float(mesh->positions + 3 * (size_t)mesh->triangles[t + (i + 2) % 3]);
			const ossai_vec3 ab = ossai_sub(b, a), ac = ossai_sub(c, a);
			slivers += atan2(ossai_length(ossai_cross(ab, ac)), ossai_dot(ab, ac)) < 10 * OSSAI_PI / 180;
		}
		assert_true(slivers * 200 < mesh->triangle_count);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

/* ---- weights ---- */

static bool is_ancestor(const ossa_skeleton *skeleton, int32_t above, int32_t below)
{
	while (below > above) below = skeleton->bones[below].parent;
	return below == above;
}

/* what stands for a bone on a path from the root: of a twist bone, a leaf that shares skin with the
   bones beside it, its parent */
static int32_t on_path(const ossa_rig *rig, int32_t bone)
{
	const int32_t twist = ossa_rig_dependency_of(rig, (size_t)bone);
	const bool is_twist = twist >= 0 && ossai_length2(ossai_v3_of(rig->dependencies[twist].driver_axis)) > 0;
	return is_twist ? rig->skeleton.bones[bone].parent : bone;
}

/* all bones of a vertex are on one path from the root: never both legs, never two fingers; but
   patches of a face overlap */
static void check_paths(const ossa_rig *rig)
{
	const ossa_weights *weights = &rig->weights;
	if (rig->skeleton.bones[1].kind == OSSA_JOINT_FREE) return;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const uint16_t *bones = weights->bones + v * (size_t)weights->influences;
		const float *values = weights->values + v * (size_t)weights->influences;
		for (int i = 0; i < weights->influences && values[i] > 0; i++) {
			for (int k = 0; k < i; k++) {
				const int32_t one = on_path(rig, bones[i]), other = on_path(rig, bones[k]);
				assert_true(is_ancestor(&rig->skeleton, one < other ? one : other, one < other ? other : one));
			}
		}
	}
}

static void every_bone_has_a_core(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < KINDS; kind++) {
		for (int faces = 2000; faces <= 10000; faces *= 5) {
			ossa_sample *sample = test_sample_of_kind(context, kind, faces, 1);
			const ossa_rig *rig = sample->rig;
			check_paths(rig);
			for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
				size_t core = 0;
				for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
					core += (double)test_weight_of(&rig->weights, v, b) > (faces == 2000 ? 0.9 : 0.99);
				}
				const bool is_patch = rig->skeleton.bones[b].kind == OSSA_JOINT_FREE;
				if (core < 3 && !is_patch)
					fail_msg("%s at %d faces: %s has no core", rig->mesh->name, faces, rig->skeleton.bones[b].name);
			}
			ossa_sample_free(context, sample);
		}
	}
	test_context_end(context);
}

/* Weights are a smooth function of the position on the skin: the largest step along an edge halves
   with the edges. */
static double largest_step(ossa_context *context, int kind, int faces)
{
	ossa_sample *sample = test_sample_of_kind(context, kind, faces, 1);
	const ossa_rig *rig = sample->rig;
	double largest = 0;
	for (size_t i = 0; i < 3 * rig->mesh->triangle_count; i++) {
		const size_t a = rig->mesh->triangles[i], b = rig->mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
		double step = 0;
		for (size_t bone = 0; bone < rig->skeleton.bone_count; bone++) {
			step += fabs((double)test_weight_of(&rig->weights, a, bone) - (double)test_weight_of(&rig->weights, b, bone)) / 2;
		}
		largest = fmax(largest, step);
	}
	ossa_sample_free(context, sample);
	return largest;
}

static void weights_are_smooth(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < KINDS; kind += test_is_long() ? 1 : 3) {
		/* each vertex follows one bone */
		if (kind == OSSA_SAMPLE_SLIDES) continue;
		const double coarse = largest_step(context, kind, 10000), fine = largest_step(context, kind, 40000);
		if (!(fine < 0.5) || !(fine < 0.8 * coarse)) fail_msg("kind %d: steps of %.3f, %.3f", kind, coarse, fine);
	}
	test_context_end(context);
}

/* ---- skeleton and motion ---- */

/* the turn of a bone against its parent in a frame, in world axes at rest */
static ossai_quat turn_of(const ossa_rig *rig, size_t frame, size_t bone)
{
	const ossa_bone *b = &rig->skeleton.bones[bone];
	const ossai_quat local = ossai_quat_of(rig->clip->rotations + 4 * (frame * rig->clip->bone_count + bone));
	const ossai_quat up = b->parent >= 0 ? ossai_quat_of(rig->skeleton.bones[b->parent].orientation) : ossai_quat_identity();
	return ossai_quat_mul(ossai_quat_mul(up, local), ossai_quat_conjugate(ossai_quat_of(b->orientation)));
}

/* it never turns, and keeps to its limits */
static void check_slide(const ossa_rig *rig, size_t b)
{
	const ossa_bone *bone = &rig->skeleton.bones[b];
	double range[2];
	assert_near(bone->turn_degrees, 0, 1e-9);
	assert_true(ossa_rig_slide_range(rig, NULL, b, range));
	assert_true(range[1] - range[0] > 0.1);
	assert_true(range[0] > bone->slide_limits[0] - 1e-9 && range[1] < bone->slide_limits[1] + 1e-9);
}

static void check_motion(const ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		double most = 0;
		for (size_t f = 0; f < rig->clip->frame_count; f++) {
			const ossai_quat turn = turn_of(rig, f, b);
			most = fmax(most, ossai_quat_angle(turn) * 180 / OSSAI_PI);
			if (bone->kind != OSSA_JOINT_HINGE) continue;
			const ossai_vec3 aside = ossai_cross(ossai_v3(turn.x, turn.y, turn.z), ossai_v3_of(bone->axis));
			assert_true(ossai_length(aside) < 1e-9);
		}
		if (bone->kind == OSSA_JOINT_PRISMATIC) {
			check_slide(rig, b);
			continue;
		}
		if (most < 10 && bone->kind != OSSA_JOINT_FREE)
			fail_msg("%s: %s turns %.1f degrees only", rig->mesh->name, bone->name, most);
		assert_near(most, bone->turn_degrees, 1e-6);
		assert_int_equal(bone->kind == OSSA_JOINT_ROOT, b == 0);
	}
}

static void every_joint_turns(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < KINDS; kind++) {
		for (int seed = 0; seed < 3; seed++) {
			ossa_sample_options options = {.kind = kind, .faces = 1000, .frames = 24, .seed = seed};
			ossa_sample *sample;
			assert_ok(context, ossa_sample_create(context, &options, &sample));
			assert_ok(context, ossa_rig_validate(context, sample->rig));
			assert_ok(context, ossa_frames_validate(context, sample->frames));
			check_motion(sample->rig);
			ossa_sample_free(context, sample);
		}
	}
	test_context_end(context);
}

/* posed joint matrices times inverse rest ones, blended: against the frames */
static double blending_error(ossa_context *context, const ossa_sample *sample, size_t frame)
{
	const ossa_rig *rig = sample->rig;
	const size_t bones = rig->skeleton.bone_count;
	double *matrices = ossa_alloc(context, 24 * bones, sizeof *matrices);
	ossa_rig_joint_matrices(rig, NULL, 0, matrices);
	ossa_rig_joint_matrices(rig, rig->clip, frame, matrices + 12 * bones);
	double worst = 0;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const ossai_vec3 rest = ossai_v3_of_float(rig->mesh->positions + 3 * v);
		ossai_vec3 sum = {0, 0, 0};
		for (size_t b = 0; b < bones; b++) {
			const double weight = (double)test_weight_of(&rig->weights, v, b);
			if (!(weight > 0)) continue;
			const ossai_rigid bind = ossai_rigid_of(matrices + 12 * b), posed = ossai_rigid_of(matrices + 12 * (bones + b));
			const ossai_rigid unbind = ossai_rigid_inverse(&bind);
			sum = ossai_madd(sum, weight, ossai_rigid_point(&posed, ossai_rigid_point(&unbind, rest)));
		}
		const float *made = sample->frames->positions + 3 * (frame * rig->mesh->vertex_count + v);
		worst = fmax(worst, ossai_distance(sum, ossai_v3_of_float(made)));
	}
	ossa_free(context, matrices);
	return worst;
}

static void frames_are_linear_blending(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int kind = 0; kind < KINDS; kind++) {
		ossa_sample *sample = test_sample_of_kind(context, kind, 3000, 5);
		assert_int_equal(sample->frames->frame_count, 5);
		for (size_t f = 0; f < 5; f++) assert_true(blending_error(context, sample, f) < 1e-6);
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

static int32_t bone_named(const ossa_rig *rig, const char *name)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (strcmp(rig->skeleton.bones[b].name, name) == 0) return (int32_t)b;
	}
	fail_msg("there is no bone %s", name);
	return -1;
}

static bool same_digit(const char *a, const char *b) { return strcspn(a, "-") == strcspn(b, "-") && strncmp(a, b, 3) == 0; }

/* the fingers bend by the same angles, each about a line of its own some degrees apart: nearly one
   motion, not quite */
static void two_fingers_move_alike(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_HAND, 1000, 24);
	const ossa_rig *rig = sample->rig;
	for (int i = 1; i <= 3; i++) {
		char middle[16], ring[16];
		snprintf(middle, sizeof middle, "middle-%d", i);
		snprintf(ring, sizeof ring, "ring-%d", i);
		const size_t a = (size_t)bone_named(rig, middle), b = (size_t)bone_named(rig, ring);
		const double apart = ossai_dot(ossai_v3_of(rig->skeleton.bones[a].axis), ossai_v3_of(rig->skeleton.bones[b].axis));
		assert_near(acos(apart) * 180 / OSSAI_PI, 7, 0.1);
		for (size_t f = 0; f < 24; f++) {
			const ossai_quat one = turn_of(rig, f, a), other = turn_of(rig, f, b);
			assert_near(ossai_quat_angle(one), ossai_quat_angle(other), 1e-9);
		}
	}
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* where a bone takes a point of the rest in a frame */
static ossai_vec3 carried(const double *rest, const double *posed, size_t bone, const double *point)
{
	const ossai_rigid bind = ossai_rigid_of(rest + 12 * bone), now = ossai_rigid_of(posed + 12 * bone);
	const ossai_rigid unbind = ossai_rigid_inverse(&bind);
	return ossai_rigid_point(&now, ossai_rigid_point(&unbind, ossai_v3_of(point)));
}

/* both bones of a loop take its center to one point, in every frame; a crank turns all the way */
static void loops_stay_closed(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_LINKAGE, 1000, 48);
	const ossa_rig *rig = sample->rig;
	double rest[12 * 7], posed[12 * 7];
	assert_int_equal(rig->loop_count, 2);
	ossa_rig_joint_matrices(rig, NULL, 0, rest);
	for (size_t f = 0; f < rig->clip->frame_count; f++) {
		ossa_rig_joint_matrices(rig, rig->clip, f, posed);
		for (size_t i = 0; i < rig->loop_count; i++) {
			const ossa_loop *loop = &rig->loops[i];
			const ossai_vec3 a = carried(rest, posed, (size_t)loop->bones[0], loop->center);
			assert_near(ossai_distance(a, carried(rest, posed, (size_t)loop->bones[1], loop->center)), 0, 1e-14);
		}
	}
	assert_true(rig->skeleton.bones[bone_named(rig, "crank")].turn_degrees > 175);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* the skins of two fingers are never adjacent, however coarse: there is always palm between them */
static void fingers_are_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int faces = 1000; faces <= 16000; faces *= 2) {
		ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_HAND, faces, 1);
		const ossa_rig *rig = sample->rig;
		for (size_t i = 0; i < 3 * rig->mesh->triangle_count; i++) {
			const size_t next = i % 3 == 2 ? i - 2 : i + 1, width = (size_t)rig->weights.influences;
			const char *a = rig->skeleton.bones[rig->weights.bones[rig->mesh->triangles[i] * width]].name;
			const char *b = rig->skeleton.bones[rig->weights.bones[rig->mesh->triangles[next] * width]].name;
			if (strcmp(a, "palm") != 0 && strcmp(b, "palm") != 0 && !same_digit(a, b)) {
				fail_msg("at %d faces %s and %s are fused", faces, a, b);
			}
		}
		ossa_sample_free(context, sample);
	}
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(surfaces_are_clean),
		cmocka_unit_test(triangles_are_well_shaped),
		cmocka_unit_test(every_bone_has_a_core),
		cmocka_unit_test(weights_are_smooth),
		cmocka_unit_test(every_joint_turns),
		cmocka_unit_test(frames_are_linear_blending),
		cmocka_unit_test(two_fingers_move_alike),
		cmocka_unit_test(loops_stay_closed),
		cmocka_unit_test(fingers_are_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
