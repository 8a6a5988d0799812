/* tests/support/surfaces.c: see surfaces.h. */
#include "support/surfaces.h"

#include "support/support.h"

#include <string.h>

double test_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0 * 2 - 1;
}

ossai_vec3 test_random_point(uint64_t *state, double reach)
{
	const double x = test_random(state), y = test_random(state), z = test_random(state);
	return ossai_scale(ossai_v3(x, y, z), reach);
}

ossai_quat test_random_turn(uint64_t *state, double most_radians)
{
	const ossai_vec3 axis = ossai_unit(test_random_point(state, 1), ossai_v3(1, 0, 0));
	return ossai_quat_axis_angle(axis, most_radians * test_random(state));
}

static void pose_surface(test_surface *t)
{
	t->arena = ossai_arena_begin(t->context);
	assert_ok(t->context, ossai_posed_surface_make(t->context, &t->arena, t->mesh, t->frames, false, &t->s));
}

test_surface test_surface_make(int threads, size_t vertex_count, const float *positions, size_t face_count,
	const uint32_t *triangles, size_t pose_count, const float *poses)
{
	test_surface t = {.context = test_context(threads)};
	const size_t size = 3 * vertex_count;
	assert_ok(t.context, ossa_mesh_create(t.context, vertex_count, positions, face_count, triangles, &t.mesh));
	assert_ok(t.context, ossa_frames_create(t.context, pose_count, vertex_count, 24, &t.frames));
	for (size_t k = 0; k < pose_count; k++) {
		memcpy(t.frames->positions + k * size, poses ? poses + k * size : positions, size * sizeof *positions);
	}
	pose_surface(&t);
	return t;
}

test_surface test_surface_grid(int threads, size_t columns, size_t rows, size_t pose_count)
{
	enum { MOST = 4096 };
	static float positions[3 * MOST];
	static uint32_t triangles[6 * MOST];
	const size_t width = rows + 1;
	assert_true((columns + 1) * width <= MOST);
	for (size_t i = 0; i < (columns + 1) * width; i++) {
		const double angle = 2.5 * (double)(i % width) / (double)rows;
		positions[3 * i] = (float)(i / width);
		positions[3 * i + 1] = (float)(1.5 * cos(angle));
		positions[3 * i + 2] = (float)(1.5 * sin(angle) + 0.05 * (double)(i * 7 % 5));
	}
	for (size_t i = 0; i < columns * rows; i++) {
		const uint32_t a = (uint32_t)(i / rows * width + i % rows), b = a + (uint32_t)width;
		const uint32_t two[6] = {a, b, b + 1, a, b + 1, a + 1};
		memcpy(triangles + 6 * i, two, sizeof two);
	}
	return test_surface_make(threads, (columns + 1) * width, positions, 2 * columns * rows, triangles, pose_count, NULL);
}

test_surface test_surface_square_tube(void)
{
	enum { CORNERS = TEST_TUBE_CORNERS, VERTICES = TEST_TUBE_RINGS * CORNERS, FACES = 2 * (VERTICES - CORNERS) };
	static const float corner[CORNERS][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
	float points[3 * VERTICES];
	uint32_t triangles[3 * FACES];
	for (size_t v = 0; v < VERTICES; v++) {
		points[3 * v] = (float)(v / CORNERS);
		points[3 * v + 1] = corner[v % CORNERS][0];
		points[3 * v + 2] = corner[v % CORNERS][1];
	}
	for (uint32_t i = 0; i < FACES / 2; i++) {
		const uint32_t a = i, b = i / CORNERS * CORNERS + (i + 1) % CORNERS;
		const uint32_t quad[] = {a, b, b + CORNERS, a, b + CORNERS, a + CORNERS};
		for (size_t e = 0; e < 6; e++) triangles[6 * i + e] = quad[e];
	}
	return test_surface_make(1, VERTICES, points, FACES, triangles, 1, NULL);
}

test_surface test_surface_sample(int threads, ossa_sample_kind kind, int faces, int frames)
{
	test_surface t = {.context = test_context(threads)};
	ossa_sample_options options = ossa_sample_default();
	ossa_sample *sample = NULL;
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	assert_ok(t.context, ossa_sample_create(t.context, &options, &sample));
	assert_ok(t.context, ossa_mesh_copy(t.context, sample->rig->mesh, &t.mesh));
	t.frames = sample->frames;
	sample->frames = NULL;
	ossa_sample_free(t.context, sample);
	pose_surface(&t);
	return t;
}

void test_surface_end(test_surface *surface)
{
	ossai_arena_end(&surface->arena);
	ossa_mesh_free(surface->context, surface->mesh);
	ossa_frames_free(surface->context, surface->frames);
	test_context_end(surface->context);
}

/* the surface's data of its poses besides their points */
static void sum_poses(ossai_posed_surface *s)
{
	for (size_t k = 0; k < s->pose_count; k++) {
		s->pose_square[k] = 0;
		s->pose_sum[k] = ossai_v3(0, 0, 0);
		for (size_t v = 0; v < s->vertex_count; v++) {
			if (!s->used[v]) continue;
			const ossai_vec3 p = ossai_pose_point(s, v, k);
			s->pose_square[k] += ossai_length2(p);
			s->pose_sum[k] = ossai_add(s->pose_sum[k], p);
		}
	}
}

void test_surface_shake(test_surface *surface, double amount, uint64_t seed)
{
	ossai_posed_surface *s = &surface->s;
	for (size_t i = 0; i < 3 * s->vertex_count * s->pose_count; i++) s->poses[i] += amount * test_random(&seed);
	sum_poses(s);
}

void test_surface_blend(test_surface *surface, const ossai_bone_weights *weights, const ossai_bone_motion *motion)
{
	ossai_posed_surface *s = &surface->s;
	for (size_t i = 0; i < s->vertex_count * s->pose_count; i++) {
		const size_t v = i / s->pose_count, k = i % s->pose_count;
		ossai_vec3 sum = {0, 0, 0};
		for (size_t j = 0; j < weights->count[v]; j++) {
			const ossai_rigid *x = &motion->rigid[weights->bone[v * weights->width + j] * s->pose_count + k];
			sum = ossai_madd(sum, weights->value[v * weights->width + j], ossai_rigid_point(x, ossai_rest_point(s, v)));
		}
		ossai_v3_store(sum, s->poses + 3 * i);
	}
	sum_poses(s);
}

double test_blend_error(test_surface *surface, const ossai_bone_weights *weights, const ossai_bone_motion *motion)
{
	double *scratch = ossai_arena_new(&surface->arena, ossai_blend_error_ranges(&surface->s), sizeof *scratch);
	assert_non_null(scratch);
	return ossai_blend_error(surface->context, &surface->s, weights, motion, scratch);
}

size_t test_count_parts(const ossai_posed_surface *s, const uint32_t *cluster_of_face, uint32_t *part)
{
	size_t parts = s->face_count;
	for (uint32_t f = 0; f < s->face_count; f++) part[f] = f;
	for (size_t i = 0; i < s->adjacency.face_pair_count; i++) {
		uint32_t a = s->adjacency.face_pairs[2 * i], b = s->adjacency.face_pairs[2 * i + 1];
		if (cluster_of_face[a] != cluster_of_face[b]) continue;
		while (part[a] != a) a = part[a];
		while (part[b] != b) b = part[b];
		parts -= a != b;
		part[b] = a;
	}
	return parts;
}

/* ---- the chain ---- */

static void blend_along_x(const ossai_posed_surface *s, double begin, double step, ossai_bone_weights *weights)
{
	const size_t last = weights->bone_count - 1;
	for (size_t v = 0; v < s->vertex_count; v++) {
		const double at = fmin(fmax((s->rest[3 * v] - begin) / step - 0.5, 0), (double)last);
		const size_t bone = (size_t)at, next = bone < last ? bone + 1 : last;
		const double share = at - (double)bone;
		weights->count[v] = share > 0 ? 2 : 1;
		weights->bone[v * weights->width] = (uint16_t)bone;
		weights->bone[v * weights->width + 1] = (uint16_t)next;
		weights->value[v * weights->width] = 1 - share;
		weights->value[v * weights->width + 1] = share;
	}
}

static void turn_chain(const test_chain *c, uint64_t seed)
{
	const size_t poses = c->motion.pose_count;
	for (size_t i = 0; i < c->motion.bone_count * poses; i++) {
		const size_t bone = i / poses;
		const ossai_mat3 r = ossai_quat_matrix(test_random_turn(&seed, 0.5));
		const ossai_vec3 joint = c->joint[bone];
		const ossai_rigid turn = {r, ossai_sub(joint, ossai_mat3_mul_v(&r, joint))};
		c->motion.rigid[i] = bone == 0 ? turn : ossai_rigid_mul(&c->motion.rigid[i - poses], &turn);
	}
}

test_chain test_chain_make(test_surface *surface, size_t bones, uint64_t seed)
{
	test_chain c;
	const ossai_posed_surface *s = &surface->s;
	double begin = INFINITY, end = -INFINITY;
	assert_ok(surface->context, ossai_bone_weights_new(&surface->arena, s->vertex_count, bones, 4, &c.weights));
	assert_ok(surface->context, ossai_bone_motion_new(&surface->arena, bones, s->pose_count, &c.motion));
	assert_ok(surface->context, ossai_tree_new(&surface->arena, bones, &c.tree));
	c.joint = ossai_arena_new(&surface->arena, bones, sizeof *c.joint);
	assert_non_null(c.joint);
	for (size_t v = 0; v < s->vertex_count; v++) {
		begin = fmin(begin, s->rest[3 * v]);
		end = fmax(end, s->rest[3 * v]);
	}
	const double step = (end - begin) / (double)bones;
	for (uint32_t b = 0; b < bones; b++) {
		c.joint[b] = ossai_v3(begin + step * (b == 0 ? 0.5 : b), 0.02, -0.03);
		c.tree.parent[b] = b == 0 ? OSSA_NONE : b - 1;
		c.tree.pair[b] = OSSA_NONE;
	}
	c.tree.root = 0;
	ossai_tree_sort(&c.tree);
	blend_along_x(s, begin, step, &c.weights);
	turn_chain(&c, seed);
	test_surface_blend(surface, &c.weights, &c.motion);
	return c;
}

void test_assert_simplex(const ossai_posed_surface *s, const ossai_bone_weights *w)
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
