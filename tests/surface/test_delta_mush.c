/* tests/surface/test_delta_mush.c: frames smoothed by delta mush, beside its definition written out
   plainly. */
#include "math/vec.h"
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the definition, vertex by vertex; small meshes without seams ---- */

static bool are_neighbors(const ossa_mesh *mesh, uint32_t a, uint32_t b)
{
	bool has_a = false, has_b = false;
	for (size_t i = 0; i < 3 * mesh->triangle_count && !(has_a && has_b); i++) {
		if (i % 3 == 0) has_a = has_b = false;
		has_a = has_a || mesh->triangles[i] == a;
		has_b = has_b || mesh->triangles[i] == b;
	}
	return a != b && has_a && has_b;
}

static void smooth(const ossa_mesh *mesh, const uint8_t *near, int rounds, const float *from, ossai_vec3 *to)
{
	const size_t n = mesh->vertex_count;
	ossai_vec3 *next = malloc(n * sizeof *next);
	for (size_t v = 0; v < n; v++) to[v] = ossai_v3_of_float(from + 3 * v);
	for (int round = 0; round < rounds; round++) {
		for (size_t v = 0; v < n; v++) {
			ossai_vec3 sum = {0, 0, 0};
			double count = 0;
			for (size_t u = 0; u < n; u++) {
				if (!near[v * n + u]) continue;
				sum = ossai_add(sum, to[u]);
				count++;
			}
			next[v] = ossai_scale(ossai_add(to[v], ossai_scale(sum, 1 / count)), 0.5);
		}
		memcpy(to, next, n * sizeof *to);
	}
	free(next);
}

/* columns: two edges and the normal, as long as the root of the double area */
static ossai_mat3 frame_of(const uint32_t *t, const ossai_vec3 *p)
{
	const ossai_vec3 a = ossai_sub(p[t[1]], p[t[0]]), b = ossai_sub(p[t[2]], p[t[0]]), c = ossai_cross(a, b);
	const ossai_vec3 n = ossai_scale(c, 1 / sqrt(ossai_length(c)));
	return (ossai_mat3){{{a.x, b.x, n.x}, {a.y, b.y, n.y}, {a.z, b.z, n.z}}};
}

static ossai_mat3 inverse(const ossai_mat3 *m)
{
	const ossai_vec3 a = {m->m[0][0], m->m[0][1], m->m[0][2]}, b = {m->m[1][0], m->m[1][1], m->m[1][2]};
	const ossai_vec3 c = {m->m[2][0], m->m[2][1], m->m[2][2]};
	const double s = 1 / ossai_dot(a, ossai_cross(b, c));
	const ossai_vec3 x = ossai_scale(ossai_cross(b, c), s), y = ossai_scale(ossai_cross(c, a), s),
					 z = ossai_scale(ossai_cross(a, b), s);
	return (ossai_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

/* the rotation of the polar decomposition, by Newton's method (Higham 1986) */
static ossai_mat3 polar(ossai_mat3 m)
{
	for (int i = 0; i < 60; i++) {
		const ossai_mat3 back = inverse(&m), other = ossai_mat3_transpose(&back);
		for (int k = 0; k < 9; k++) m.m[k / 3][k % 3] = 0.5 * (m.m[k / 3][k % 3] + other.m[k / 3][k % 3]);
	}
	return m;
}

static ossai_mat3 turn_at(const ossa_mesh *mesh, size_t v, const ossai_vec3 *from, const ossai_vec3 *to)
{
	ossai_mat3 sum = {0};
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *corner = mesh->triangles + 3 * t;
		if (corner[0] != v && corner[1] != v && corner[2] != v) continue;
		const ossai_mat3 before = frame_of(corner, from), after = frame_of(corner, to), back = inverse(&before);
		const ossai_mat3 map = ossai_mat3_mul(&after, &back);
		const ossai_vec3 cross = ossai_cross(
			ossai_sub(from[corner[1]], from[corner[0]]), ossai_sub(from[corner[2]], from[corner[0]]));
		for (int k = 0; k < 9; k++) sum.m[k / 3][k % 3] += ossai_length(cross) * map.m[k / 3][k % 3];
	}
	return polar(sum);
}

static void frames_are_those_of_the_definition(void **state)
{
	(void)state;
	enum { ROUNDS = 4 };
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1000, 3);
	const ossa_mesh *mesh = sample->rig->mesh;
	const size_t n = mesh->vertex_count;
	ossai_vec3 *rest = malloc(n * sizeof *rest), *moved = malloc(n * sizeof *moved);
	uint8_t *near = calloc(n, n);
	float *before = calloc(3 * n, sizeof *before);
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n; b++) near[a * n + b] = are_neighbors(mesh, a, b);
	}
	memcpy(before, sample->frames->positions + 3 * n, 3 * n * sizeof *before);
	assert_ok(context, ossa_frames_delta_mush(context, mesh, ROUNDS, sample->frames));
	smooth(mesh, near, ROUNDS, mesh->positions, rest);
	smooth(mesh, near, ROUNDS, before, moved);
	double changed = 0;
	for (size_t v = 0; v < n; v++) {
		const ossai_mat3 turn = turn_at(mesh, v, rest, moved);
		const ossai_vec3 detail = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * v), rest[v]);
		const ossai_vec3 wanted = ossai_add(moved[v], ossai_mat3_mul_v(&turn, detail));
		const ossai_vec3 got = ossai_v3_of_float(sample->frames->positions + 3 * (n + v));
		assert_near_vec3(got, wanted, 1e-5);
		changed = fmax(changed, ossai_distance(got, ossai_v3_of_float(before + 3 * v)));
	}
	assert_true(changed > 1e-3);
	free(before);
	free(near);
	free(moved);
	free(rest);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- what stays ---- */

static void what_moves_rigidly_stays(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_BIPED, 2000, 1);
	const ossa_mesh *mesh = sample->rig->mesh;
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, 2, mesh->vertex_count, 24, &frames));
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_axis_angle(ossai_v3(0.6, 0, 0.8), 2));
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const ossai_vec3 p = ossai_v3_of_float(mesh->positions + 3 * v);
		const ossai_vec3 moved = ossai_add(ossai_mat3_mul_v(&turn, p), ossai_v3(1, -2, 3));
		for (size_t k = 0; k < 3; k++) frames->positions[3 * v + k] = mesh->positions[3 * v + k];
		float *to = frames->positions + 3 * (mesh->vertex_count + v);
		to[0] = (float)moved.x;
		to[1] = (float)moved.y;
		to[2] = (float)moved.z;
	}
	float *before = malloc(6 * mesh->vertex_count * sizeof *before);
	memcpy(before, frames->positions, 6 * mesh->vertex_count * sizeof *before);
	assert_ok(context, ossa_frames_delta_mush(context, mesh, 20, frames));
	for (size_t i = 0; i < 6 * mesh->vertex_count; i++) assert_near(frames->positions[i], before[i], 3e-5);
	free(before);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* a square of four triangles around its middle, cut along an edge or not; one more vertex is in no
   face */
static ossa_mesh *square(ossa_context *context, bool is_cut)
{
	static const float positions[] = {0, 0, 0.3f, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0, 9, 9, 9, 0, 0, 0.3f, 1, 0, 0};
	static const uint32_t whole[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1}, cut[] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 6, 4, 7};
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, is_cut ? 8 : 6, positions, 4, is_cut ? cut : whole, &mesh));
	return mesh;
}

static void sides_of_a_seam_are_one(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *whole = square(context, false), *cut = square(context, true);
	ossa_frames *a, *b;
	assert_ok(context, ossa_frames_create(context, 1, 6, 24, &a));
	assert_ok(context, ossa_frames_create(context, 1, 8, 24, &b));
	memcpy(a->positions, whole->positions, 18 * sizeof(float));
	memcpy(b->positions, cut->positions, 24 * sizeof(float));
	/* folded along an edge */
	a->positions[3] = b->positions[3] = b->positions[21] = 0.5f;
	a->positions[5] = b->positions[5] = b->positions[23] = 0.7f;
	assert_ok(context, ossa_frames_delta_mush(context, whole, 3, a));
	assert_ok(context, ossa_frames_delta_mush(context, cut, 3, b));
	for (size_t i = 0; i < 18; i++) assert_near(a->positions[i], b->positions[i], 1e-6);
	for (size_t k = 0; k < 3; k++) {
		assert_near(b->positions[18 + k], b->positions[k], 1e-6);
		assert_near(b->positions[21 + k], b->positions[3 + k], 1e-6);
		assert_near(a->positions[15 + k], 9, 0);
	}
	ossa_frames_free(context, b);
	ossa_frames_free(context, a);
	ossa_mesh_free(context, cut);
	ossa_mesh_free(context, whole);
	test_context_end(context);
}

/* ---- one at a time ---- */

static void streams_give_the_same_frames(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = test_sample_of_kind(context, OSSA_SAMPLE_TUBE, 1000, 3);
	const ossa_mesh *mesh = sample->rig->mesh;
	const size_t size = 3 * mesh->vertex_count;
	ossa_frame_stream *rough, *stream;
	ossa_frames *smoothed;
	assert_ok(context, ossa_frame_stream_of_frames(context, sample->frames, &rough));
	assert_ok(context, ossa_frame_stream_delta_mush(context, mesh, 4, rough, &stream));
	assert_ok(context, ossa_frame_stream_frames(context, stream, 0, NULL, &smoothed));
	assert_string_equal(ossa_frame_stream_motion(stream), ossa_frame_stream_motion(rough));
	assert_memory_equal(smoothed->times, sample->frames->times, 3 * sizeof(double));
	assert_ok(context, ossa_frames_delta_mush(context, mesh, 4, sample->frames));
	assert_memory_equal(smoothed->positions, sample->frames->positions, 3 * size * sizeof(float));
	ossa_frame_stream_free(context, stream);
	assert_fails(context, ossa_frame_stream_delta_mush(context, mesh, 0, rough, &stream), OSSA_ERROR_ARGUMENT, "not in 0");
	assert_null(stream);
	ossa_frames_free(context, smoothed);
	ossa_frame_stream_free(context, rough);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

/* ---- bad input ---- */

static void what_cannot_be_smoothed_is_refused(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = square(context, false), *points;
	ossa_frames *frames;
	assert_ok(context, ossa_frames_create(context, 1, 6, 24, &frames));
	assert_ok(context, ossa_mesh_create(context, 6, mesh->positions, 0, NULL, &points));
	assert_fails(context, ossa_frames_delta_mush(context, mesh, 0, frames), OSSA_ERROR_ARGUMENT, "not in 0");
	assert_fails(context, ossa_frames_delta_mush(context, mesh, 1001, frames), OSSA_ERROR_ARGUMENT, "1 to 1000");
	assert_fails(context, ossa_frames_delta_mush(context, points, 3, frames), OSSA_ERROR_INPUT, "no faces");
	assert_fails(context, ossa_frames_delta_mush(context, NULL, 3, frames), OSSA_ERROR_ARGUMENT, NULL);
	ossa_mesh_free(context, points);
	ossa_mesh_free(context, mesh);
	mesh = square(context, true);
	assert_fails(context, ossa_frames_delta_mush(context, mesh, 3, frames), OSSA_ERROR_INPUT, "6 vertices, the mesh has 8");
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_those_of_the_definition),
		cmocka_unit_test(what_moves_rigidly_stays), cmocka_unit_test(sides_of_a_seam_are_one),
		cmocka_unit_test(streams_give_the_same_frames), cmocka_unit_test(what_cannot_be_smoothed_is_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
