/* tests/weights/test_heat.c: heat weights against a plain dense solution, on exact creatures, and on surfaces that are no bodies. */
#include "math/cholesky.h"
#include "rig/reweigh.h"
#include "skeleton/rest_weights.h"
#include "support/creature.h"
#include "support/support.h"
#include "weights/heat.h"

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

/* what is seen is seen in floats */
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

/* where the way goes through a face, as a share of it; 0 where it does not. out: along its normal */
static double cross(const ossai_posed_surface *s, size_t pose, size_t face, ossai_vec3 from, ossai_vec3 to, bool *out)
{
	const uint32_t *t = s->triangles + 3 * face;
	const ossai_vec3 way = ossai_sub(to, from);
	const ossai_vec3 a = float_point(s, t[0], pose), b = float_point(s, t[1], pose), c = float_point(s, t[2], pose);
	const ossai_vec3 n = ossai_cross(ossai_sub(b, a), ossai_sub(c, a));
	const double at = ossai_dot(n, ossai_sub(a, from)) / ossai_dot(n, way);
	const ossai_vec3 x = ossai_madd(from, at, way);
	*out = ossai_dot(n, way) > 0;
	const bool in = ossai_dot(n, ossai_cross(ossai_sub(b, a), ossai_sub(x, a))) >= 0 &&
		ossai_dot(n, ossai_cross(ossai_sub(c, b), ossai_sub(x, b))) >= 0 &&
		ossai_dot(n, ossai_cross(ossai_sub(a, c), ossai_sub(x, c))) >= 0;
	return in && at > 0 && at < 1 ? at : 0;
}

/* what the way is inside of after `share` of it, by trying all faces */
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

static void assert_simplex(const ossai_posed_surface *s, const ossai_bone_weights *w)
{
	for (size_t v = 0; v < s->vertex_count; v++) {
		double sum = 0;
		assert_int_equal(w->count[v] > 0, s->used[v]);
		for (size_t i = 0; i < w->count[v]; i++) {
			const double value = w->value[v * w->width + i];
			assert_true(value > 0 && value <= 1 && w->bone[v * w->width + i] < w->bone_count);
			if (i > 0) assert_true(value <= w->value[v * w->width + i - 1]);
			sum += value;
		}
		if (s->used[v]) assert_near(sum, 1, 1e-12);
	}
}

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
		assert_simplex(&c.t.s, &weights);
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

/* ---- surfaces that are no bodies ---- */

enum { SHEET_ROWS = 6, SHEET_COLUMNS = 12, SHEET = (SHEET_ROWS + 1) * (SHEET_COLUMNS + 1) };

/* bones in a row under a grid of the support's, at the grid's own scale */
static ossai_bone_segments row_of_bones(test_surface *t, uint32_t count, double depth)
{
	ossai_bone_segments segments = {count, count, ossai_arena_new(&t->arena, count, sizeof *segments.list)};
	assert_non_null(segments.list);
	for (uint32_t b = 0; b < count; b++) {
		const double begin = (double)b / count - 0.5, end = (b + 1.0) / count - 0.5;
		segments.list[b] = (ossai_segment){b, {begin, depth, 0}, {end, depth, 0}};
	}
	return segments;
}

static ossai_bone_weights heat_surface(test_surface *t, const ossai_bone_segments *segments)
{
	ossai_heat_options options = ossai_heat_default();
	ossai_bone_weights weights;
	options.local = true;
	assert_ok(t->context, ossai_heat_weights(&t->arena, &t->s, segments, NULL, &options, &weights));
	assert_simplex(&t->s, &weights);
	return weights;
}

static void any_bones_anywhere_give_weights(void **state)
{
	(void)state;
	/* one bone, many, at the surface, in it, far off, and of no length */
	static const double depths[] = {-0.3, 0, 0.2, 50};
	for (uint32_t count = 1; count <= 400; count = 3 * count + 1) {
		for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
			test_surface t = test_surface_grid(2, 20, 6, 1);
			ossai_bone_segments segments = row_of_bones(&t, count, depths[i]);
			heat_surface(&t, &segments);
			for (uint32_t b = 0; b < count; b++) segments.list[b].to = segments.list[b].from;
			heat_surface(&t, &segments);
			/* all at one point: the first few share everything */
			for (uint32_t b = 0; b < count; b++) segments.list[b].to = segments.list[b].from = ossai_v3(0, depths[i], 0);
			heat_surface(&t, &segments);
			test_surface_end(&t);
		}
	}
	test_surface t = test_surface_grid(1, 4, 4, 1);
	const ossai_bone_segments none = {0, 0, NULL};
	const ossai_heat_options options = ossai_heat_default();
	ossai_bone_weights weights;
	assert_fails(t.context, ossai_heat_weights(&t.arena, &t.s, &none, NULL, &options, &weights), OSSA_ERROR_ARGUMENT,
		"weights for 0 bones");
	test_surface_end(&t);
}

static void bad_triangles_get_weights(void **state)
{
	(void)state;
	/* slivers, needles, an edge of five faces, a face twice and both ways, one of no area, one in a line, a vertex of no
	   face, one of NaN-free coincidence with another, and a far small piece */
	static const float positions[] = {0, 0, 0, 1, 0, 0, 0.5F, 1e-7F, 0, 0.5F, 0, 0, 0, 0, 0, 1, 1e-7F, 0, 0, 1, 0, 0, 0, 1, 0,
		-1, 0, 3, 3, 3, 5, 5, 5, 5.0001F, 5, 5, 5, 5.0001F, 5, 0, 0, 0};
	static const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 4, 1, 1, 5, 6, 0, 1, 6, 0, 1, 7, 1, 0, 8, 0, 1, 6, 6, 1, 0, 4, 4,
		7, 6, 6, 6, 10, 11, 12, 13, 1, 7};
	/* as it is, and collapsed to a point in a pose */
	static float poses[2 * 14 * 3];
	memcpy(poses, positions, sizeof positions);
	test_surface t = test_surface_make(1, 14, positions, 13, triangles, 2, poses);
	ossai_bone_segments segments = row_of_bones(&t, 5, 0);
	ossai_bone_motion motion;
	ossai_bone_weights weights;
	assert_ok(t.context, ossai_bone_motion_new(&t.arena, 5, 2, &motion));
	for (size_t i = 0; i < 10; i++) motion.rigid[i] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 1e-3 * (double)i}};
	heat_surface(&t, &segments);
	ossai_heat_options options = {4, 3, 3, true};
	assert_ok(t.context, ossai_heat_weights(&t.arena, &t.s, &segments, &motion, &options, &weights));
	assert_simplex(&t.s, &weights);
	test_surface_end(&t);
}

static void vertices_at_one_point_follow_the_same_bones(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, SHEET_COLUMNS, SHEET_ROWS, 1);
	assert_int_equal(t.s.vertex_count, SHEET);
	/* every triangle with vertices of its own */
	float positions[9 * 2 * SHEET_ROWS * SHEET_COLUMNS];
	uint32_t triangles[3 * 2 * SHEET_ROWS * SHEET_COLUMNS];
	const size_t corners = 3 * t.s.face_count;
	for (uint32_t i = 0; i < corners; i++) {
		memcpy(positions + 3 * i, t.mesh->positions + 3 * t.s.triangles[i], 3 * sizeof *positions);
		triangles[i] = i;
	}
	test_surface soup = test_surface_make(1, corners, positions, t.s.face_count, triangles, 1, NULL);
	/* their centers of gravity differ: bones are moved along */
	const ossai_vec3 shift = ossai_sub(ossai_rest_point(&soup.s, 0), ossai_rest_point(&t.s, t.s.triangles[0]));
	const ossai_bone_segments segments = row_of_bones(&t, 4, -0.1), moved = row_of_bones(&soup, 4, -0.1);
	for (size_t i = 0; i < 4; i++) {
		moved.list[i].from = ossai_add(moved.list[i].from, shift);
		moved.list[i].to = ossai_add(moved.list[i].to, shift);
	}
	ossai_heat_options options = ossai_heat_default();
	ossai_bone_weights whole, torn;
	assert_ok(t.context, ossai_heat_weights(&t.arena, &t.s, &segments, NULL, &options, &whole));
	assert_ok(soup.context, ossai_heat_weights(&soup.arena, &soup.s, &moved, NULL, &options, &torn));
	for (size_t i = 0; i < corners; i++) {
		for (uint32_t b = 0; b < 4; b++) {
			const double found = ossai_bone_weight_of(&torn, soup.s.first_of_vertex[i], b);
			assert_near(found, ossai_bone_weight_of(&whole, t.s.triangles[i], b), 1e-5);
		}
	}
	test_surface_end(&soup);
	test_surface_end(&t);
}

static void pieces_with_no_bone_in_sight_are_told_of(void **state)
{
	(void)state;
	/* a box in a box: bones are in the outer one's corner, beyond the inner one's wall */
	float positions[48];
	uint32_t triangles[72];
	static const uint32_t box[36] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
	for (uint32_t i = 0; i < 16; i++) {
		for (uint32_t k = 0; k < 3; k++)
			positions[3 * i + k] = (i < 8 ? 1.0F : 0.2F) * (i >> k & 1 ? 1.0F : -1.0F) + (i < 8 ? 0.0F : 4.0F);
	}
	for (uint32_t i = 0; i < 72; i++) triangles[i] = box[i % 36] + (i < 36 ? 0 : 8);
	test_surface t = test_surface_make(1, 16, positions, 24, triangles, 1, NULL);
	const ossai_vec3 middle = ossai_lerp(ossai_rest_point(&t.s, 0), ossai_rest_point(&t.s, 7), 0.5);
	ossai_segment list[] = {{0, middle, middle}};
	const ossai_bone_segments segments = {1, 1, list};
	heat_surface(&t, &segments);
	assert_int_equal(ossa_context_warning_count(t.context), 1);
	assert_string_equal(ossa_context_warning(t.context, 0)->code, "unseen-pieces");
	assert_int_equal(ossa_context_warning(t.context, 0)->count, 1);
	test_surface_end(&t);
}

/* ---- rigs ---- */

static void rigs_are_weighed_again(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_BIPED, 3000, 4);
	ossa_rig *rig = c.rig;
	/* a bone that carries nothing stays so: its own go to its parent */
	const size_t idle = rig->skeleton.bone_count - 1;
	for (size_t i = 0; i < rig->weights.vertex_count * (size_t)rig->weights.influences; i++) {
		if (rig->weights.bones[i] == idle) rig->weights.bones[i] = (uint16_t)rig->skeleton.bones[idle].parent;
	}
	for (int kind = OSSAI_REST_WEIGHTS_HEAT; kind <= OSSAI_REST_WEIGHTS_COVERAGE; kind++) {
		ossai_rest_weights_options options = ossai_rest_weights_default();
		ossa_weights weights;
		options.kind = kind;
		assert_ok(c.t.context, ossai_rig_reweigh(c.t.context, rig, &options, &weights));
		const ossa_weights before = rig->weights;
		rig->weights = weights;
		assert_ok(c.t.context, ossa_rig_validate(c.t.context, rig));
		bool used[64] = {false};
		for (size_t i = 0; i < weights.vertex_count * (size_t)weights.influences; i++) {
			used[weights.bones[i]] |= weights.values[i] > 0;
		}
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) assert_int_equal(used[b], b != idle);
		rig->weights = before;
		ossa_free(c.t.context, weights.bones);
		ossa_free(c.t.context, weights.values);
	}
	test_creature_end(&c);
}

static ossa_status reweigh_in_sweep(ossa_context *context, void *rig)
{
	const ossai_rest_weights_options options = ossai_rest_weights_default();
	ossa_weights weights;
	const ossa_status status = ossai_rig_reweigh(context, rig, &options, &weights);
	ossa_free(context, weights.bones);
	ossa_free(context, weights.values);
	return status;
}

static void rigs_are_weighed_or_nothing_is_held(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_TUBE, 1000, 2);
	test_allocation_sweep(reweigh_in_sweep, c.rig, 200, 1);
	test_creature_end(&c);
}

typedef struct sweep {
	test_creature *c;
} sweep;

static ossa_status weigh_in_sweep(ossa_context *context, void *arg)
{
	test_creature *c = ((sweep *)arg)->c;
	ossai_arena arena = ossai_arena_begin(context);
	const ossai_rest_bones rest = {&c->tree, c->joint, NULL, NULL};
	ossai_rest_weights_options options = ossai_rest_weights_default();
	ossai_bone_weights weights;
	options.poses = 2;
	options.local = true;
	const ossa_status status = ossai_rest_weights(&arena, &c->t.s, &rest, &c->motion, &options, &weights);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_creature c = test_creature_make(1, OSSA_SAMPLE_PIECES, 1000, 2);
	sweep s = {&c};
	test_allocation_sweep(weigh_in_sweep, &s, 200, 1);
	test_creature_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_are_those_of_a_dense_solution),
		cmocka_unit_test(true_skeletons_pose_well),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(any_bones_anywhere_give_weights),
		cmocka_unit_test(bad_triangles_get_weights),
		cmocka_unit_test(vertices_at_one_point_follow_the_same_bones),
		cmocka_unit_test(pieces_with_no_bone_in_sight_are_told_of),
		cmocka_unit_test(rigs_are_weighed_again),
		cmocka_unit_test(rigs_are_weighed_or_nothing_is_held),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
