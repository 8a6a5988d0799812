/* tests/weights/test_heat.c: heat weights against a plain dense solution, and on exact
   creatures. */
#include "math/cholesky.h"
#include "rig/reweigh.h"
#include "skeleton/rest_weights.h"
#include "support/creature.h"
#include "support/support.h"
#include "weights/heat.h"
#include "support/surfaces.h"

#include <stdlib.h>
#include <string.h>

/* ---- a plain solution ---- */

static double cotangent(ossai_vec3 a, ossai_vec3 b, ossai_vec3 c)
{
	const ossai_vec3 x = ossai_sub(b, a), y = ossai_sub(c, a);
	return ossai_dot(x, y) / ossai_length(ossai_cross(x, y));
}

static ossai_vec3 point_of(const ossai_posed_surface *s, size_t v, size_t pose)
{
	return pose == OSSAI_REST_POSE ? ossai_rest_point(s, v) : ossai_pose_point(s, v, pose);
}

/* visibility is tested in floats */
static ossai_vec3 float_point(const ossai_posed_surface *s, size_t v, size_t pose)
{
	const ossai_vec3 p = point_of(s, v, pose);
	return ossai_v3((float)p.x, (float)p.y, (float)p.z);
}

/* a little below a vertex, by the normals of all faces around */
static ossai_vec3 below(const ossai_posed_surface *s, size_t pose, uint32_t vertex)
{
	ossai_vec3 normal = {0, 0, 0};
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t *t = s->triangles + 3 * f;
		if (t[0] != vertex && t[1] != vertex && t[2] != vertex) continue;
		const ossai_vec3 a = point_of(s, t[0], pose), b = point_of(s, t[1], pose), c = point_of(s, t[2], pose);
		normal = ossai_add(normal, ossai_cross(ossai_sub(b, a), ossai_sub(c, a)));
	}
	return ossai_madd(float_point(s, vertex, pose), -1e-3 / sqrt(ossai_length(normal)), normal);
}

/* where the segment passes through a face, as a share of it; 0 where it does not. out: along its
   normal */
static double cross(const ossai_posed_surface *s, size_t pose, size_t face, ossai_vec3 from, ossai_vec3 to, bool *out)
{
	const uint32_t *t = s->triangles + 3 * face;
	const ossai_vec3 offset = ossai_sub(to, from);
	const ossai_vec3 a = float_point(s, t[0], pose), b = float_point(s, t[1], pose), c = float_point(s, t[2], pose);
	const ossai_vec3 n = ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
	const double at = ossai_dot(n, ossai_sub(a, from)) / ossai_dot(n, offset);
	const ossai_vec3 x = ossai_madd(from, at, offset);
	*out = ossai_dot(n, offset) > 0;
	const bool in = ossai_dot(n, ossai_cross(ossai_sub(b, a), ossai_sub(x, a))) >= 0 &&
		ossai_dot(n, ossai_cross(ossai_sub(c, b), ossai_sub(x, b))) >= 0 &&
		ossai_dot(n, ossai_cross(ossai_sub(a, c), ossai_sub(x, c))) >= 0;
	return in && at > 0 && at < 1 ? at : 0;
}

/* the winding number along the segment after `share` of it, by trying all faces */
static int inside_after(const ossai_posed_surface *s, size_t pose, ossai_vec3 from, ossai_vec3 to, double share)
{
	int inside = 1;
	for (size_t f = 0; f < s->face_count; f++) {
		bool out;
		const double at = cross(s, pose, f, from, to, &out);
		if (at > 0 && at <= share) inside += out ? -1 : 1;
	}
	return inside;
}

static bool leaves(const ossai_posed_surface *s, size_t pose, ossai_vec3 from, ossai_vec3 to)
{
	for (size_t f = 0; f < s->face_count; f++) {
		bool out;
		const double at = cross(s, pose, f, from, to, &out);
		if (at > 0 && out && inside_after(s, pose, from, to, at) <= 0) return true;
	}
	return false;
}

/* full: V x B, added to with `share` */
static void solve_densely(const ossai_posed_surface *s, const ossai_bone_segments *segments, const ossai_bone_motion *motion,
	size_t pose, double share, double *full)
{
	const size_t n = s->vertex_count, bones = segments->bone_count;
	double *weight = calloc(n * n, sizeof *weight), *mass = calloc(n, sizeof *mass), *side = calloc(n * bones, sizeof *side);
	double *a = malloc(n * n * sizeof *a), *b = malloc(n * sizeof *b);
	for (size_t f = 0; f < s->face_count; f++) {
		const uint32_t *t = s->triangles + 3 * f;
		for (int k = 0; k < 3; k++) {
			const uint32_t i = t[k], j = t[(k + 1) % 3], l = t[(k + 2) % 3];
			const ossai_vec3 x = point_of(s, i, pose), y = point_of(s, j, pose), z = point_of(s, l, pose);
			weight[j * n + l] += 0.5 * cotangent(x, y, z);
			weight[l * n + j] += 0.5 * cotangent(x, y, z);
			mass[i] += ossai_length(ossai_cross(ossai_sub(y, x), ossai_sub(z, x))) / 6;
		}
	}
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			if (weight[i * n + j] != 0 && weight[i * n + j] < 1e-6) weight[i * n + j] = 1e-6;
		}
	}
	for (uint32_t v = 0; v < n; v++) {
		double *row = weight + v * n, sum = 0;
		for (size_t j = 0; j < n; j++) {
			sum += row[j];
			row[j] = -row[j];
		}
		const ossai_vec3 p = point_of(s, v, pose);
		double best = INFINITY;
		for (size_t i = 0; i < segments->count; i++) {
			const ossai_segment segment = ossai_segment_posed(&segments->list[i], motion, pose);
			best = fmin(best, ossai_distance(p, ossai_segment_nearest(&segment, p)));
		}
		bool near[64] = {false};
		size_t count = 0;
		for (size_t i = 0; i < segments->count; i++) {
			const ossai_segment segment = ossai_segment_posed(&segments->list[i], motion, pose);
			const ossai_vec3 target = ossai_segment_nearest(&segment, p);
			if (ossai_distance(p, target) > 1.0001 * best || near[segment.bone]) continue;
			if (leaves(s, pose, below(s, pose, v), ossai_add(target, ossai_v3(3.1e-7, -7.3e-7, 5.9e-7)))) continue;
			near[segment.bone] = true;
			count++;
		}
		const double rate = count > 0 ? 3 / (best * best) : 0;
		row[v] = sum + mass[v] * rate;
		for (size_t bone = 0; bone < bones; bone++) side[bone * n + v] = near[bone] ? mass[v] * rate / (double)count : 0;
	}
	for (size_t bone = 0; bone < bones; bone++) {
		memcpy(a, weight, n * n * sizeof *a);
		memcpy(b, side + bone * n, n * sizeof *b);
		assert_true(ossai_cholesky_solve(n, a, b));
		for (size_t v = 0; v < n; v++) full[v * bones + bone] += share * b[v];
	}
	free(weight);
	free(mass);
	free(side);
	free(a);
	free(b);
}

static void weights_are_those_of_a_dense_solution(void **state)
{
	(void)state;
	test_creature c = test_creature_make(2, OSSA_SAMPLE_BIPED, 1000, 3);
	const ossai_posed_surface *s = &c.t.s;
	const size_t bones = c.tree.bone_count;
	ossai_bone_segments segments;
	const ossai_rest_bones rest = {&c.tree, c.joint, c.tail, NULL};
	assert_ok(c.t.context, ossai_rest_segments(&c.t.arena, s, &rest, &segments));
	/* the rest and all three poses; rounding and the threshold aside, all bones are kept */
	ossai_heat_options options = {bones, 4, 3, false};
	ossai_bone_weights weights;
	assert_ok(c.t.context, ossai_heat_weights(&c.t.arena, s, &segments, &c.motion, &options, &weights));
	double *full = calloc(s->vertex_count * bones, sizeof *full);
	solve_densely(s, &segments, &c.motion, OSSAI_REST_POSE, 0.25, full);
	for (size_t k = 0; k < 3; k++) solve_densely(s, &segments, &c.motion, k, 0.25, full);
	double worst = 0;
	for (size_t v = 0; v < s->vertex_count; v++) {
		/* what is below a thousandth is left out, and the rest scaled */
		double sum = 0;
		for (size_t b = 0; b < bones; b++) sum += full[v * bones + b] < 1e-3 ? 0 : full[v * bones + b];
		for (size_t b = 0; b < bones; b++) full[v * bones + b] *= full[v * bones + b] < 1e-3 ? 0 : 1 / sum;
		for (uint32_t b = 0; b < bones; b++) {
			worst = fmax(worst, fabs(ossai_bone_weight_of(&weights, v, b) - full[v * bones + b]));
		}
	}
	/* one that is a thousandth but for rounding may be left out on one side */
	assert_true(worst < 1.1e-3);
	free(full);
	test_creature_end(&c);
}

/* ---- creatures ---- */

static void true_skeletons_pose_well(void **state)
{
	(void)state;
	static const struct {
		ossa_sample_kind kind;
		double most; /* RMS percent of the diagonal; one rigid bone a vertex is at 0.9 to 1.6 */
	} creatures[] = {{OSSA_SAMPLE_BIPED, 0.45}, {OSSA_SAMPLE_QUADRUPED, 0.55}, {OSSA_SAMPLE_HAND, 0.35},
		{OSSA_SAMPLE_OCTOPUS, 0.27}, {OSSA_SAMPLE_SNAKE, 0.2}, {OSSA_SAMPLE_PIECES, 0.6}, {OSSA_SAMPLE_OPEN, 0.75},
		{OSSA_SAMPLE_TUBE, 0.4}};
	for (size_t i = 0; i < sizeof creatures / sizeof creatures[0]; i++) {
		test_creature c = test_creature_make(0, creatures[i].kind, 4000, 12);
		const ossai_rest_bones rest = {&c.tree, c.joint, c.tail, NULL};
		ossai_rest_weights_options options = ossai_rest_weights_default();
		ossai_bone_weights weights;
		options.local = true;
		assert_ok(c.t.context, ossai_rest_weights(&c.t.arena, &c.t.s, &rest, &c.motion, &options, &weights));
		test_assert_simplex(&c.t.s, &weights);
		const double rms = test_creature_replay(&c, &weights);
		assert_true(rms < creatures[i].most);
		test_creature_end(&c);
	}
}

static ossai_bone_weights weigh(test_creature *c)
{
	const ossai_rest_bones rest = {&c->tree, c->joint, c->tail, NULL};
	ossai_rest_weights_options options = ossai_rest_weights_default();
	ossai_bone_weights weights;
	options.poses = 3;
	assert_ok(c->t.context, ossai_rest_weights(&c->t.arena, &c->t.s, &rest, &c->motion, &options, &weights));
	return weights;
}

static void threads_change_nothing(void **state)
{
	(void)state;
	test_creature one = test_creature_make(1, OSSA_SAMPLE_HAND, 3000, 6);
	const ossai_bone_weights expected = weigh(&one);
	const size_t pairs = expected.vertex_count * expected.width;
	for (int threads = 2; threads <= 8; threads += 3) {
		test_creature other = test_creature_make(threads, OSSA_SAMPLE_HAND, 3000, 6);
		const ossai_bone_weights found = weigh(&other);
		assert_memory_equal(found.bone, expected.bone, pairs * sizeof *found.bone);
		assert_memory_equal(found.value, expected.value, pairs * sizeof *found.value);
		assert_memory_equal(found.count, expected.count, found.vertex_count);
		test_creature_end(&other);
	}
	test_creature_end(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_those_of_a_dense_solution),
		cmocka_unit_test(true_skeletons_pose_well),
		cmocka_unit_test(threads_change_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
