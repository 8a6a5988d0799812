/* tests/metrics/test_metrics.c: every metric against numbers worked out by hand, and against a
   plain version on a larger rig. */
#include "base/context.h"
#include "math/vec.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define assert_close(value, expected) assert_near((value), (expected), 1e-6 * (1 + fabs((double)(expected))))

/* a unit square of two faces in z = 0, and vertex 4, far away, that no face uses; box 3 x 4 x 0:
   diagonal 5, side 4 */
static const float SQUARE[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 3, 4, 0};
static const uint32_t SQUARE_FACES[] = {0, 1, 2, 0, 2, 3};

static void name_bones(ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "bone-%zu", b);
		bone->parent = (int32_t)b - 1;
		bone->orientation[3] = 1;
	}
}

/* a rig whose bones stand still and own everything by bone 0 */
static ossa_rig *still_rig(ossa_context *context, size_t vertices, const float *positions, size_t faces,
	const uint32_t *triangles, size_t bones, size_t frames)
{
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, vertices, positions, faces, triangles, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, bones, 2, &rig));
	ossa_mesh_free(context, mesh);
	name_bones(rig);
	for (size_t v = 0; v < vertices; v++) rig->weights.values[2 * v] = 1;
	assert_ok(context, ossa_clip_create(context, frames, bones, false, &rig->clip));
	for (size_t i = 0; i < frames * bones; i++) rig->clip->rotations[4 * i + 3] = 1;
	for (size_t f = 0; f < frames; f++) rig->clip->times[f] = (double)f;
	return rig;
}

static ossa_frames *rest_frames(ossa_context *context, const ossa_mesh *mesh, size_t count)
{
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, count, mesh->vertex_count, 24, &frames));
	const size_t size = 3 * mesh->vertex_count;
	for (size_t f = 0; f < count; f++) memcpy(frames->positions + f * size, mesh->positions, size * sizeof(float));
	return frames;
}

static void errors_are_those_worked_out_by_hand(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 2);
	ossa_frames *frames = rest_frames(context, rig->mesh, 2);
	/* frame 0: vertex 1 is 3 up, so face 0 leans; frame 1: vertex 3 is 4 to the left; the unused
	   vertex is anywhere */
	frames->positions[3 * 1 + 2] = 3;
	frames->positions[15 + 3 * 3] = -4;
	frames->positions[15 + 3 * 4] = 1000;
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m));
	assert_close(m.rms_percent, 100 * sqrt((9.0 + 16.0) / 8) / 5);
	assert_close(m.max_percent, 80);
	assert_int_equal(m.max_vertex, 3);
	assert_int_equal(m.max_frame, 1);
	assert_close(m.accu_percent, 100 * (7.0 / 8) / 4);
	/* frame 0: face 0 = (1,0,3) x (1,1,0) = (-3,3,1), face 1 = (0,0,1); frame 1 stays flat, all
	   normals up */
	const double lean = 2 - 2 / sqrt(19), both = 2 - 2 * 2 / sqrt(22);
	assert_close(m.normal_rms, sqrt((lean + 2 * both) / 8));
	/* 5 weights of 6 bytes, 1 joint of 30, 2 frames of 16 + 12 */
	assert_close(m.compression, 2 * 5 * 12 / (5 * 6 + 30 + 2 * 28.0));
	assert_close(m.weight_sum_error, 0);
	assert_int_equal(m.max_influences, 1);
	assert_int_equal(m.disconnected_supports, 0);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_perfect_rig_has_no_error(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 3);
	ossa_frames *frames = rest_frames(context, rig->mesh, 3);
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m));
	assert_true(m.rms_percent == 0 && m.max_percent == 0 && m.normal_rms == 0 && m.accu_percent == 0);
	assert_int_equal(m.max_vertex, 0);
	assert_int_equal(m.max_frame, 0);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void without_frames_there_are_weights_and_joints_only(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 0);
	rig->weights.values[2 * 2] = 0.5f;
	rig->weights.values[2 * 4] = 9; /* of the unused vertex */
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &m));
	assert_true(isnan(m.rms_percent) && isnan(m.max_percent) && isnan(m.normal_rms) && isnan(m.accu_percent));
	assert_true(isnan(m.compression));
	assert_int_equal(m.max_vertex, -1);
	assert_int_equal(m.max_frame, -1);
	assert_close(m.weight_sum_error, 0.5);
	assert_close(m.joints_inside, 0);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_mesh_of_one_point_has_no_percent(void **state)
{
	(void)state;
	const float point[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
	const uint32_t face[] = {0, 1, 2};
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 3, point, 1, face, 1, 1);
	ossa_frames *frames = rest_frames(context, rig->mesh, 1);
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m));
	assert_true(isnan(m.rms_percent) && isnan(m.accu_percent));
	assert_true(m.normal_rms == 0);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a strip of 6 vertices in a row of 4 faces: v, v + 1, v + 2 */
static void supports_are_patches_over_edges(void **state)
{
	(void)state;
	const float strip[18] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0};
	const uint32_t faces[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 6, strip, 4, faces, 3, 0);
	/* bone 1: both ends; bone 2: two neighbours, and a far vertex with too little weight to
	   count */
	for (size_t v = 0; v < 6; v++) rig->weights.values[2 * v] = 0.5f, rig->weights.values[2 * v + 1] = 0.5f;
	const uint16_t second[] = {1, 1, 2, 2, 2, 1};
	for (size_t v = 0; v < 6; v++) rig->weights.bones[2 * v + 1] = second[v];
	rig->weights.bones[2 * 5] = 2;
	rig->weights.values[2 * 5] = 0.9999f;
	rig->weights.values[2 * 5 + 1] = 1.1e-4f;
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &m));
	assert_int_equal(m.disconnected_supports, 1);
	assert_int_equal(m.max_influences, 2);
	rig->weights.values[2 * 5 + 1] = 0.9e-4f;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &m));
	assert_int_equal(m.disconnected_supports, 0);
	rig->weights.values[2 * 5 + 1] = 0.9e-6f;
	for (size_t v = 0; v < 5; v++) rig->weights.values[2 * v + 1] = 0;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &m));
	assert_int_equal(m.max_influences, 1);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void joints_inside_are_counted(void **state)
{
	(void)state;
	const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t inward[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 4, corners, 4, inward, 4, 0);
	for (int b = 0; b < 3; b++) {
		for (int k = 0; k < 3; k++) rig->skeleton.bones[b].joint[k] = 0.2 + 0.01 * b;
	}
	rig->skeleton.bones[3].joint[0] = 2;
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &m));
	assert_close(m.joints_inside, 0.75);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void misfits_are_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 2);
	ossa_frames *frames = rest_frames(context, rig->mesh, 3);
	ossa_metrics m;
	assert_fails(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m), OSSA_ERROR_INPUT,
		"there are 3 frames, but the rig's motion has 2");
	assert_true(isnan(m.rms_percent));
	frames->frame_count = 2;
	frames->vertex_count = 4;
	assert_fails(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m), OSSA_ERROR_INPUT, "4 vertices");
	frames->vertex_count = 5;
	ossa_clip_free(context, rig->clip);
	rig->clip = NULL;
	assert_fails(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m), OSSA_ERROR_INPUT, "no motion");
	rig->weights.bones[4] = 1;
	assert_fails(context, ossa_rig_measure(context, rig, NULL, NULL, NULL, &m), OSSA_ERROR_INPUT, "vertex 2: is weighted");
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- a larger rig against a plain version ---- */

enum { SIDE = 60, GRID = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1), FRAMES = 3 };

static double random_unit(uint32_t *seed) { return (double)test_random_bits(seed) / 16777216.0; }

static ossa_rig *waving_grid(ossa_context *context, ossa_frames **frames)
{
	float *positions = malloc(3 * GRID * sizeof *positions);
	uint32_t *faces = malloc(6 * CELLS * sizeof *faces), *next = faces, seed = 3;
	for (uint32_t i = 0; i < GRID; i++) {
		positions[3 * i] = (float)(i % SIDE);
		positions[3 * i + 1] = (float)(i / SIDE);
		positions[3 * i + 2] = (float)random_unit(&seed);
		if (i % SIDE == SIDE - 1 || i / SIDE == SIDE - 1) continue;
		memcpy(next, (uint32_t[]){i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE}, 6 * sizeof *next);
		next += 6;
	}
	ossa_rig *rig = still_rig(context, GRID, positions, 2 * CELLS, faces, 5, FRAMES);
	free(positions);
	free(faces);
	for (size_t v = 0; v < GRID; v++) {
		/* five stripes, each faded into the next; a sprinkle of a far bone makes patches */
		const uint16_t bone = (uint16_t)(v % SIDE / (SIDE / 5));
		const float w = (float)(0.5 + 0.5 * random_unit(&seed));
		memcpy(rig->weights.bones + 2 * v, (uint16_t[]){bone, v % 97 == 0 ? 4 - bone : (bone + 1) % 5}, 2 * sizeof(uint16_t));
		memcpy(rig->weights.values + 2 * v, (float[]){w, 1 - w}, 2 * sizeof(float));
	}
	for (size_t i = 0; i < 5; i++) rig->skeleton.bones[i].joint[0] = 12.0 * (double)i;
	for (size_t i = 0; i < FRAMES * 5; i++) {
		const double turn = random_unit(&seed) - 0.5;
		ossai_quat_store(ossai_quat_axis_angle(ossai_v3(0, 0.6, 0.8), turn), rig->clip->rotations + 4 * i);
	}
	*frames = rest_frames(context, rig->mesh, FRAMES);
	for (size_t i = 0; i < 3 * GRID * FRAMES; i++) (*frames)->positions[i] += (float)random_unit(&seed);
	return rig;
}

static void plain_normals(const ossa_mesh *mesh, const float *positions, ossai_vec3 *normals)
{
	memset(normals, 0, GRID * sizeof *normals);
	for (size_t f = 0; f < mesh->triangle_count; f++) {
		const uint32_t *t = mesh->triangles + 3 * f;
		const ossai_vec3 a = ossai_v3_of_float(positions + 3 * t[0]);
		const ossai_vec3 n = ossai_cross(
			ossai_sub(ossai_v3_of_float(positions + 3 * t[1]), a), ossai_sub(ossai_v3_of_float(positions + 3 * t[2]), a));
		for (int k = 0; k < 3; k++) normals[t[k]] = ossai_add(normals[t[k]], n);
	}
	for (size_t v = 0; v < GRID; v++) normals[v] = ossai_unit(normals[v], ossai_v3(0, 0, 0));
}

static bool has_bone(const ossa_weights *weights, size_t vertex, size_t bone)
{
	for (size_t i = 2 * vertex; i < 2 * vertex + 2; i++) {
		if (weights->bones[i] == bone && weights->values[i] > 1e-4) return true;
	}
	return false;
}

/* labels that spread until they rest, as slow as it is plain */
static int plain_patches(const ossa_rig *rig, size_t bone)
{
	static uint32_t label[GRID];
	for (uint32_t v = 0; v < GRID; v++) label[v] = has_bone(&rig->weights, v, bone) ? v : OSSA_NONE;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < 3 * rig->mesh->triangle_count; i++) {
			const uint32_t a = rig->mesh->triangles[i], b = rig->mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
			if (label[a] == OSSA_NONE || label[b] == OSSA_NONE || label[a] == label[b]) continue;
			label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
			changed = true;
		}
	}
	int patches = 0;
	for (uint32_t v = 0; v < GRID; v++) patches += label[v] == v;
	return patches;
}

static void a_larger_rig_agrees_with_the_plain_way(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_frames *frames;
	ossa_rig *rig = waving_grid(context, &frames);
	float *posed = malloc(3 * GRID * sizeof *posed);
	ossai_vec3 *ours = malloc(GRID * sizeof *ours), *wanted = malloc(GRID * sizeof *wanted);
	double error2 = 0, error = 0, normal2 = 0, largest = 0;
	int64_t worst = -1, when = -1;
	for (size_t f = 0; f < FRAMES; f++) {
		const float *target = frames->positions + 3 * GRID * f;
		assert_ok(context, ossa_rig_pose(context, rig, NULL, rig->clip, f, posed));
		plain_normals(rig->mesh, posed, ours);
		plain_normals(rig->mesh, target, wanted);
		for (size_t v = 0; v < GRID; v++) {
			const double e = ossai_distance(ossai_v3_of_float(posed + 3 * v), ossai_v3_of_float(target + 3 * v));
			error2 += e * e;
			error += e;
			normal2 += ossai_length2(ossai_sub(ours[v], wanted[v]));
			if (e <= largest) continue;
			largest = e;
			worst = (int64_t)v;
			when = (int64_t)f;
		}
	}
	int disconnected = 0;
	for (size_t b = 0; b < 5; b++) disconnected += plain_patches(rig, b) > 1;
	assert_true(disconnected > 0 && disconnected < 5);
	const double side = SIDE - 1, diagonal = sqrt(2 * side * side + 1), count = GRID * FRAMES;
	ossa_metrics m;
	assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m));
	/* the box is a little less than 1 high */
	assert_near(m.rms_percent / (100 * sqrt(error2 / count) / diagonal), 1, 1e-5);
	assert_near(m.max_percent / (100 * largest / diagonal), 1, 1e-5);
	assert_close(m.accu_percent, 100 * error / count / side);
	assert_close(m.normal_rms, sqrt(normal2 / count));
	assert_int_equal(m.max_vertex, worst);
	assert_int_equal(m.max_frame, when);
	assert_int_equal(m.disconnected_supports, disconnected);
	free(posed);
	free(ours);
	free(wanted);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void threads_do_not_matter(void **state)
{
	(void)state;
	ossa_metrics metrics[3];
	memset(metrics, 0, sizeof metrics);
	for (int i = 0; i < 3; i++) {
		ossa_context *context = test_context(i == 0 ? 1 : i == 1 ? 2 : 7);
		ossa_frames *frames;
		ossa_rig *rig = waving_grid(context, &frames);
		assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &metrics[i]));
		ossa_frames_free(context, frames);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	for (size_t i = 0; i < ossa_metrics_table()->count; i++) {
		const ossa_metric_field *field = &ossa_metrics_table()->fields[i];
		const size_t size = field->type == OSSA_METRIC_COUNT ? sizeof(int) : 8;
		for (int k = 1; k < 3; k++) {
			assert_memory_equal((char *)&metrics[0] + field->offset, (char *)&metrics[k] + field->offset, size);
		}
	}
}

static ossa_status measure_square(ossa_context *context, void *arg)
{
	ossa_metrics metrics;
	const void *const *parts = arg;
	return ossa_rig_measure(context, parts[0], NULL, NULL, parts[1], &metrics);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 2);
	ossa_frames *frames = rest_frames(context, rig->mesh, 2);
	assert_true(test_allocation_sweep(measure_square, (void *[]){rig, frames}, SIZE_MAX, 1) >= 10);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- by frame and by vertex ---- */

static void frame_errors(ossa_context *context, const ossa_rig *rig, const ossa_frames *frames, ossa_frame_error *errors)
{
	ossa_frame_stream *stream = NULL;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_frame_errors(context, rig, NULL, NULL, stream, errors));
	ossa_frame_stream_free(context, stream);
}

static void errors_by_frame_are_those_worked_out_by_hand(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 3);
	ossa_frames *frames = rest_frames(context, rig->mesh, 3);
	frames->positions[3 * 1 + 2] = 3;
	frames->positions[30 + 3 * 3] = -4;
	frames->positions[30 + 3 * 4] = 1000; /* no face uses it */
	ossa_frame_error errors[3];
	float percent[5];
	frame_errors(context, rig, frames, errors);
	assert_close(errors[0].rms_percent, 100 * sqrt(9.0 / 4) / 5);
	assert_close(errors[0].max_percent, 60);
	assert_int_equal(errors[0].max_vertex, 1);
	assert_true(errors[1].rms_percent == 0 && errors[1].max_percent == 0 && errors[1].max_vertex == 0);
	assert_close(errors[2].rms_percent, 100 * sqrt(16.0 / 4) / 5);
	assert_int_equal(errors[2].max_vertex, 3);
	assert_ok(context, ossa_rig_vertex_errors(context, rig, NULL, NULL, 2, frames->positions + 30, percent));
	assert_true(percent[0] == 0 && percent[3] == 80 && percent[4] > 1000);
	assert_fails(context, ossa_rig_vertex_errors(context, rig, NULL, NULL, 3, frames->positions, percent), OSSA_ERROR_ARGUMENT,
		"frame 3 is not there");
	ossa_frame_stream *stream = NULL;
	frames->frame_count = 2;
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_fails(context, ossa_rig_frame_errors(context, rig, NULL, NULL, stream, errors), OSSA_ERROR_INPUT, "2 frames");
	ossa_frame_stream_free(context, stream);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* the frames' mean square is that of all frames, each frame's worst vertex is that of the plain
   version, and the numbers are the same for any threads */
static void errors_by_frame_agree_with_the_plain_way(void **state)
{
	(void)state;
	ossa_frame_error errors[2][FRAMES];
	memset(errors, 0, sizeof errors);
	for (int i = 0; i < 2; i++) {
		ossa_context *context = test_context(i == 0 ? 1 : 5);
		ossa_frames *frames;
		ossa_rig *rig = waving_grid(context, &frames);
		frame_errors(context, rig, frames, errors[i]);
		float *percent = malloc(GRID * sizeof *percent);
		double square = 0;
		for (size_t f = 0; f < FRAMES; f++) {
			size_t worst = 0;
			double sum = 0;
			assert_ok(context, ossa_rig_vertex_errors(context, rig, NULL, NULL, f, frames->positions + 3 * GRID * f, percent));
			for (size_t v = 0; v < GRID; v++) {
				sum += (double)percent[v] * (double)percent[v];
				if (percent[v] > percent[worst]) worst = v;
			}
			assert_near(errors[i][f].rms_percent / sqrt(sum / GRID), 1, 1e-6);
			assert_near(errors[i][f].max_percent / (double)percent[worst], 1, 1e-6);
			assert_int_equal(errors[i][f].max_vertex, worst);
			square += errors[i][f].rms_percent * errors[i][f].rms_percent / FRAMES;
		}
		ossa_metrics m;
		assert_ok(context, ossa_rig_measure(context, rig, NULL, NULL, frames, &m));
		assert_close(sqrt(square), m.rms_percent);
		free(percent);
		ossa_frames_free(context, frames);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
	assert_memory_equal(errors[0], errors[1], sizeof errors[0]);
}

static ossa_status frame_errors_of_square(ossa_context *context, void *arg)
{
	ossa_frame_error errors[2];
	void **parts = arg;
	float percent[5];
	ossa_frame_stream *stream = NULL;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, parts[1], &stream));
	ossa_status status = ossa_rig_frame_errors(context, parts[0], NULL, NULL, stream, errors);
	ossa_frame_stream_free(context, stream);
	if (status == OSSA_OK) status = ossa_rig_vertex_errors(context, parts[0], NULL, NULL, 0, SQUARE, percent);
	return status;
}

static void every_allocation_of_errors_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = still_rig(context, 5, SQUARE, 2, SQUARE_FACES, 1, 2);
	ossa_frames *frames = rest_frames(context, rig->mesh, 2);
	assert_true(test_allocation_sweep(frame_errors_of_square, (void *[]){rig, frames}, SIZE_MAX, 1) >= 4);
	ossa_frames_free(context, frames);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_those_worked_out_by_hand),
		cmocka_unit_test(a_perfect_rig_has_no_error),
		cmocka_unit_test(without_frames_there_are_weights_and_joints_only),
		cmocka_unit_test(a_mesh_of_one_point_has_no_percent),
		cmocka_unit_test(supports_are_patches_over_edges),
		cmocka_unit_test(joints_inside_are_counted),
		cmocka_unit_test(misfits_are_refused),
		cmocka_unit_test(a_larger_rig_agrees_with_the_plain_way),
		cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(errors_by_frame_are_those_worked_out_by_hand),
		cmocka_unit_test(errors_by_frame_agree_with_the_plain_way),
		cmocka_unit_test(every_allocation_of_errors_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
