/* tests/motion/test_descent.c: cyclic coordinate descent against the motion that made its
   targets, against gradient descent, and against the closed fit of a hierarchy on creatures. */
#include "motion/descent.h"

#include "motion/bone_lengths.h"
#include "motion/seed_motion.h"
#include "parts/face_clusters.h"
#include "skeleton/from_motion/boundary_graph.h"
#include "skeleton/from_motion/variance_joints.h"
#include "support/parts.h"
#include "support/support.h"

#include <string.h>

enum { BONES = 9, POSES = 70 };

/* 3 is the root of a tree with a chain (3 2 1 0), a short bone (4 at the root) and a fork (5 with 6
   and 7, 8 on 6) */
typedef struct scene {
	ossa_context *context;
	uint32_t parent[BONES], pair[BONES], order[BONES];
	ossai_tree tree;
	ossai_vec3 joint[BONES], wanted[BONES * POSES];
	ossai_hierarchy h;
	ossai_rigid truth[BONES * POSES], part[BONES * POSES], found[BONES * POSES];
	ossai_bone_motion parts, motion;
} scene;

/* smooth turns of each joint, followed down the tree; from pose 40 on, after a cut, all are other
   ones */
static void move(scene *s, uint64_t seed)
{
	for (size_t at = 0; at < BONES; at++) {
		const uint32_t b = s->order[at], up = s->parent[b];
		ossai_vec3 swing[2][2];
		for (int i = 0; i < 4; i++) swing[i / 2][i % 2] = test_random_point(&seed, 0.9);
		for (size_t k = 0; k < POSES; k++) {
			const ossai_vec3 *two = swing[k >= 40];
			const ossai_vec3 turn = ossai_add(
				ossai_scale(two[0], sin(0.15 * (double)k)), ossai_scale(two[1], cos(0.1 * (double)k)));
			ossai_rigid own = {ossai_quat_matrix(ossai_quat_exp(turn)), {0, 0, 0}};
			own.t = ossai_sub(s->joint[b], ossai_mat3_mul_v(&own.r, s->joint[b]));
			if (up == OSSA_NONE) own.t = ossai_add(own.t, ossai_scale(two[1], 0.1 * sin(0.2 * (double)k)));
			ossai_rigid *to = &s->truth[b * POSES + k];
			*to = up == OSSA_NONE ? own : ossai_rigid_mul(&s->truth[up * POSES + k], &own);
		}
	}
}

static void scene_begin(scene *s, int threads, uint64_t seed)
{
	const uint32_t parent[BONES] = {1, 2, 3, OSSA_NONE, 3, 3, 5, 5, 6};
	const ossai_vec3 offset[BONES] = {{0.2, 0, 0}, {0.2, 0.02, 0}, {0.15, 0, 0.05}, {0, 0, 0}, {0, 0.0004, 0}, {-0.2, 0.1, 0},
		{-0.1, 0.1, 0}, {-0.1, -0.1, 0.1}, {0, 0.15, 0}};
	memset(s, 0, sizeof *s);
	s->context = test_context(threads);
	memcpy(s->parent, parent, sizeof parent);
	s->tree = (ossai_tree){BONES, 3, s->parent, s->pair, s->order};
	ossai_tree_sort(&s->tree);
	for (size_t at = 0; at < BONES; at++) {
		const uint32_t b = s->order[at];
		s->joint[b] = at ? ossai_add(s->joint[parent[b]], offset[b]) : offset[b];
	}
	s->h = (ossai_hierarchy){&s->tree, s->joint, NULL};
	move(s, seed);
	for (size_t i = 0; i < BONES * POSES; i++) {
		s->part[i] = s->truth[i];
		s->wanted[i] = ossai_rigid_point(&s->truth[i], s->joint[i / POSES]);
	}
	s->parts = (ossai_bone_motion){BONES, POSES, s->part};
	s->motion = (ossai_bone_motion){BONES, POSES, s->found};
}

static double fit(scene *s)
{
	const ossai_descent_options options = ossai_descent_default();
	double rms;
	assert_ok(s->context, ossai_descent_fit(s->context, &s->h, s->wanted, &s->parts, &options, &s->motion, &rms));
	return rms;
}

static ossai_vec3 found_joint(const scene *s, size_t i) { return ossai_rigid_point(&s->found[i], s->joint[i / POSES]); }

static double turn_between(const ossai_rigid *a, const ossai_rigid *b)
{
	const ossai_mat3 back = ossai_mat3_transpose(&a->r), gap = ossai_mat3_mul(&back, &b->r);
	return ossai_quat_angle(ossai_mat3_quat(&gap));
}

static void assert_hierarchy(const scene *s)
{
	for (size_t i = 0; i < BONES * POSES; i++) {
		const uint32_t up = s->parent[i / POSES];
		const ossai_mat3 *r = &s->found[i].r, back = ossai_mat3_transpose(r), unit = ossai_mat3_mul(&back, r);
		for (int e = 0; e < 9; e++) assert_near(unit.m[e / 3][e % 3], e % 4 == 0, 1e-12);
		assert_true(ossai_mat3_det(r) > 0);
		if (up == OSSA_NONE) continue;
		const ossai_vec3 above = ossai_rigid_point(&s->found[up * POSES + i % POSES], s->joint[i / POSES]);
		assert_near_vec3(above, found_joint(s, i), 1e-12);
	}
}

/* ---- goals that can be reached ---- */

static void true_motion_is_kept(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 1, 1);
	assert_true(fit(&s) < 1e-9);
	for (size_t i = 0; i < BONES * POSES; i++) {
		assert_true(turn_between(&s.found[i], &s.truth[i]) < 1e-7);
		assert_near_vec3(found_joint(&s, i), s.wanted[i], 1e-9);
	}
	assert_hierarchy(&s);
	test_context_end(s.context);
}

/* parts that tell nothing: the positions alone lead there, from frame to frame and over the cut */
static void goals_are_reached_from_afar(void **state)
{
	(void)state;
	scene s;
	for (uint64_t seed = 1; seed < 6; seed++) {
		scene_begin(&s, 1, seed);
		for (size_t i = 0; i < BONES * POSES; i++) s.part[i] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
		ossai_descent_options options = ossai_descent_default();
		options.sweeps = 1000;
		options.least_gain = 1e-6;
		double rms;
		assert_ok(s.context, ossai_descent_fit(s.context, &s.h, s.wanted, &s.parts, &options, &s.motion, &rms));
		assert_hierarchy(&s);
		assert_true(rms < 2e-4);
		test_context_end(s.context);
	}
}

/* ---- goals that cannot ---- */

/* squared distance to the goals of pose k, of turns given as vectors and a shift; `turns` act on
   what descent found */
static double error_of(const scene *s, size_t k, const double *x)
{
	ossai_rigid world[BONES];
	double error = 0;
	for (size_t at = 0; at < BONES; at++) {
		const uint32_t b = s->order[at], up = s->parent[b];
		const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(ossai_v3_of(x + 3 * b)));
		const ossai_rigid *found = &s->found[b * POSES + k];
		world[b].r = ossai_mat3_mul(&turn, &found->r);
		ossai_vec3 image = ossai_add(found_joint(s, b * POSES + k), ossai_v3_of(x + 3 * BONES));
		if (up != OSSA_NONE) image = ossai_rigid_point(&world[up], s->joint[b]);
		world[b].t = ossai_sub(image, ossai_mat3_mul_v(&world[b].r, s->joint[b]));
		error += ossai_length2(ossai_sub(image, s->wanted[b * POSES + k]));
	}
	return error;
}

/* gradient descent on all turns and the shift by differences, from where descent ended */
static double gradient_descent(const scene *s, size_t k)
{
	enum { N = 3 * BONES + 3 };
	double x[N] = {0}, g[N], tried[N], error = error_of(s, k, x), step = 1;
	for (int i = 0; i < 400 && step > 1e-9; i++) {
		for (int j = 0; j < N; j++) {
			memcpy(tried, x, sizeof x);
			tried[j] += 1e-6;
			const double up = error_of(s, k, tried);
			tried[j] -= 2e-6;
			g[j] = (up - error_of(s, k, tried)) / 2e-6;
		}
		for (; step > 1e-9; step /= 2) {
			for (int j = 0; j < N; j++) tried[j] = x[j] - step * g[j];
			const double now = error_of(s, k, tried);
			if (!(now < error)) continue;
			memcpy(x, tried, sizeof x);
			error = now;
			step *= 4;
			break;
		}
	}
	return error;
}

static void gradient_descent_finds_nothing_better(void **state)
{
	(void)state;
	scene s;
	uint64_t random = 9;
	scene_begin(&s, 1, 2);
	for (size_t i = 0; i < BONES * POSES; i++) s.wanted[i] = ossai_add(s.wanted[i], test_random_point(&random, 0.02));
	ossai_descent_options options = ossai_descent_default();
	assert_ok(s.context, ossai_descent_fit(s.context, &s.h, s.wanted, &s.parts, &options, &s.motion, NULL));
	assert_hierarchy(&s);
	const double none[3 * BONES + 3] = {0};
	for (size_t k = 0; k < POSES; k += 9) {
		const double found = error_of(&s, k, none), better = gradient_descent(&s, k);
		assert_true(better > 0.97 * found);
	}
	test_context_end(s.context);
}

/* ---- markers ---- */

enum { MARKERS = 4 * BONES };

/* points around each joint that move with the bone, and how far they tremble */
typedef struct marked {
	ossai_arena arena;
	ossai_posed_surface surface;
	uint32_t vertex[MARKERS], bone[MARKERS];
} marked;

static ossai_descent_markers mark(scene *s, double noise, marked *m)
{
	m->arena = ossai_arena_begin(s->context);
	m->surface = (ossai_posed_surface){.vertex_count = MARKERS, .pose_count = POSES};
	m->surface.rest = ossai_arena_new(&m->arena, MARKERS, 3 * sizeof *m->surface.rest);
	m->surface.poses = ossai_arena_new(&m->arena, MARKERS, 3 * POSES * sizeof *m->surface.poses);
	uint64_t seed = 5;
	for (uint32_t i = 0; i < MARKERS; i++) {
		const uint32_t b = i % BONES;
		m->vertex[i] = i;
		m->bone[i] = b;
		const ossai_vec3 p = ossai_add(s->joint[b], test_random_point(&seed, 0.1));
		ossai_v3_store(p, m->surface.rest + 3 * i);
		for (size_t k = 0; k < POSES; k++) {
			const ossai_vec3 q = ossai_rigid_point(&s->truth[b * POSES + k], p);
			ossai_v3_store(ossai_add(q, test_random_point(&seed, noise)), m->surface.poses + 3 * (i * POSES + k));
		}
	}
	return (ossai_descent_markers){&m->surface, MARKERS, m->vertex, m->bone};
}

/* the targets of joints do not determine twists and leaves; points of the skin do */
static void markers_determine_what_joints_do_not(void **state)
{
	(void)state;
	scene s;
	marked m;
	scene_begin(&s, 1, 3);
	/* the parts' own rotations are useless: only the markers are left */
	for (size_t i = 0; i < BONES * POSES; i++) s.part[i].r = ossai_mat3_identity();
	const ossai_descent_options options = {.sweeps = 2000, .least_gain = 1e-6, .markers = mark(&s, 0, &m)};
	double rms;
	assert_ok(s.context, ossai_descent_fit(s.context, &s.h, s.wanted, &s.parts, &options, &s.motion, &rms));
	assert_true(rms < 1e-3);
	for (size_t i = 0; i < BONES * POSES; i++) assert_true(turn_between(&s.found[i], &s.truth[i]) < 0.05);
	assert_hierarchy(&s);
	ossai_arena_end(&m.arena);
	test_context_end(s.context);
}

/* from frame to frame, but for the cut, no bone turns much faster than the true one, whatever noise
   there is */
static void motion_is_steady(void **state)
{
	(void)state;
	scene s;
	marked m;
	uint64_t random = 4;
	scene_begin(&s, 1, 2);
	for (size_t i = 0; i < BONES * POSES; i++) {
		const ossai_mat3 turn = ossai_quat_matrix(test_random_turn(&random, 0.02));
		s.wanted[i] = ossai_add(s.wanted[i], test_random_point(&random, 0.002));
		s.part[i].r = ossai_mat3_mul(&turn, &s.part[i].r);
	}
	ossai_descent_options options = ossai_descent_default();
	options.markers = mark(&s, 0.002, &m);
	double rms;
	assert_ok(s.context, ossai_descent_fit(s.context, &s.h, s.wanted, &s.parts, &options, &s.motion, &rms));
	assert_true(rms < 0.004);
	for (size_t i = 0; i < BONES * POSES; i++) {
		if (i % POSES == 0 || i % POSES == 40) continue;
		assert_true(turn_between(&s.found[i - 1], &s.found[i]) < turn_between(&s.truth[i - 1], &s.truth[i]) + 0.1);
	}
	ossai_arena_end(&m.arena);
	test_context_end(s.context);
}

/* ---- creatures ---- */

static ossai_bone_weights true_weights(test_parts *p)
{
	const ossa_weights *from = &p->sample->rig->weights;
	ossai_bone_weights w;
	assert_ok(p->t.context, ossai_bone_weights_new(&p->t.arena, from->vertex_count, p->count, (size_t)from->influences, &w));
	for (size_t i = 0; i < from->vertex_count * w.width; i++) {
		w.bone[i] = from->bones[i];
		w.value[i] = (double)from->values[i];
		w.count[i / w.width] += from->values[i] > 0;
	}
	return w;
}

/* RMS distance of the joints from where the true skeleton has them, % of the box side; only joints
   that bones share with it */
static double distance_from_truth(test_parts *p, const ossai_vec3 *joint, const ossai_bone_motion *motion)
{
	const ossa_rig *rig = p->sample->rig;
	const size_t poses = motion->pose_count;
	double *matrices = ossai_arena_new(&p->t.arena, p->count, 12 * sizeof *matrices);
	double sum = 0, count = 0;
	for (size_t k = 0; k < poses; k++) {
		ossa_rig_joint_matrices(rig, rig->clip, k, matrices);
		for (uint32_t b = 0; b < p->count; b++) {
			ossai_vec3 at;
			const uint32_t up = p->tree.parent[b];
			if (up == OSSA_NONE || !test_parts_joint(p, b, up, 10, &at)) continue;
			const uint32_t lower = rig->skeleton.bones[b].parent == (int32_t)up ? b : up;
			const ossai_vec3 truth = ossai_v3(matrices[12 * lower + 3], matrices[12 * lower + 7], matrices[12 * lower + 11]);
			const ossai_vec3 image = ossai_rigid_point(&motion->rigid[b * poses + k], joint[b]);
			const ossai_vec3 found = ossai_madd(p->t.s.pose_center[k], p->t.s.scale, image);
			sum += ossai_length2(ossai_sub(found, truth));
			count += 1;
		}
	}
	return 100 * sqrt(sum / count) / (p->t.s.scale * test_parts_side(p));
}

static void creatures_are_followed(void **state)
{
	(void)state;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind++) {
		ossa_sample_options made = ossa_sample_default();
		made.kind = kind;
		made.faces = 4000;
		made.frames = 40;
		test_parts p = test_parts_make(0, &made);
		ossai_arena *arena = &p.t.arena;
		ossa_context *context = p.t.context;
		ossai_joint *joints = ossai_arena_new(arena, p.graph.pair_count, sizeof *joints);
		ossai_vec3 *joint = ossai_arena_new(arena, p.count, sizeof *joint);
		ossai_vec3 *path = ossai_arena_new(arena, p.count * 40, sizeof *path);
		double *length = ossai_arena_new(arena, p.count, sizeof *length), rms;
		const ossai_variance_evidence e = {&p.t.s, &p.graph, &p.tree, &p.motion, p.seed_count, p.seed_vertex, p.part_of_seed};
		assert_ok(context, ossai_variance_joints_fit(context, &e, 0.05, joints));
		ossai_joint_paths(&p.graph, &p.tree, joints, &p.motion, joint, path);
		ossai_bone_lengths_project(&p.tree, 40, joint, path, length);

		const ossai_hierarchy h = {&p.tree, joint, NULL};
		const ossai_descent_options descent = ossai_descent_default();
		ossai_bone_motion motion, closed;
		assert_ok(context, ossai_bone_motion_new(arena, p.count, 40, &motion));
		assert_ok(context, ossai_bone_motion_new(arena, p.count, 40, &closed));
		assert_ok(context, ossai_descent_fit(context, &h, path, &p.motion, &descent, &motion, &rms));

		const ossai_bone_weights weights = true_weights(&p);
		ossai_moments m;
		assert_ok(context, ossai_moments_make(context, &p.t.s, &weights, &m));
		ossai_bone_motion_copy(&p.motion, &closed);
		assert_ok(context, ossai_hierarchy_fit_some(context, &m, &h, NULL, 3, 8, &closed));
		const double followed = test_rms_percent(&p.t.s, ossai_moments_error(&m, &motion));
		const double fitted = test_rms_percent(&p.t.s, ossai_moments_error(&m, &closed));
		ossai_moments_end(&m);
		const double far = distance_from_truth(&p, joint, &motion), far_closed = distance_from_truth(&p, joint, &closed);
		print_message("kind %d: misses its goals by %.3f %%; joints %.3f %% from the truth (closed fit %.3f %%); skin %.3f %% "
					  "(%.3f %%)\n",
			kind, 100 * rms, far, far_closed, followed, fitted);
		assert_true(100 * rms < 0.2);
		assert_true(far < far_closed + 0.2);
		assert_true(far < 0.8);
		test_parts_end(&p);
	}
}

/* ---- parts as they come ---- */

/* everything from parts to motion; returns the RMS distance from the goals */
static double run_stages(test_surface *t, const uint32_t *part_of_face, size_t parts, ossai_bone_motion *motion,
	ossai_tree *tree, ossai_vec3 **joint)
{
	const size_t poses = t->s.pose_count;
	ossai_bone_graph graph;
	ossai_bone_motion core;
	uint32_t *vertex = ossai_arena_new(&t->arena, t->s.vertex_count, sizeof *vertex);
	for (uint32_t v = 0; v < t->s.vertex_count; v++) vertex[v] = v;
	double rms;
	assert_ok(t->context, ossai_boundary_graph_make(&t->arena, &t->s, part_of_face, parts, &graph));
	assert_ok(t->context, ossai_boundary_tree_make(&t->arena, &t->s, &graph, tree));
	assert_ok(t->context, ossai_bone_motion_new(&t->arena, parts, poses, &core));
	assert_ok(t->context, ossai_bone_motion_new(&t->arena, parts, poses, motion));
	assert_ok(t->context, ossai_seed_motion_fit(t->context, &t->s, t->s.vertex_count, vertex, graph.bone_of_vertex, &core));
	ossai_joint *joints = ossai_arena_new(&t->arena, graph.pair_count, sizeof *joints);
	ossai_vec3 *path = ossai_arena_new(&t->arena, parts * poses, sizeof *path);
	double *length = ossai_arena_new(&t->arena, parts, sizeof *length);
	*joint = ossai_arena_new(&t->arena, parts, sizeof **joint);
	const ossai_variance_evidence e = {&t->s, &graph, tree, &core, t->s.vertex_count, vertex, graph.bone_of_vertex};
	assert_ok(t->context, ossai_variance_joints_fit(t->context, &e, 0.05, joints));
	ossai_joint_paths(&graph, tree, joints, &core, *joint, path);
	ossai_bone_lengths_project(tree, poses, *joint, path, length);
	const ossai_hierarchy h = {tree, *joint, NULL};
	const ossai_descent_options descent = ossai_descent_default();
	assert_ok(t->context, ossai_descent_fit(t->context, &h, path, &core, &descent, motion, &rms));
	return rms;
}

/* parts that are found, too many of them, in pieces, of skin that trembles */
static void found_parts_are_followed(void **state)
{
	(void)state;
	static const ossa_sample_kind kinds[] = {OSSA_SAMPLE_BIPED, OSSA_SAMPLE_PIECES, OSSA_SAMPLE_OPEN, OSSA_SAMPLE_OCTOPUS};
	for (size_t i = 0; i < 8; i++) {
		test_surface t = test_surface_sample(0, kinds[i / 2], 2000, 20);
		if (i % 2) test_surface_shake(&t, 0.003, i);
		uint32_t *scratch = ossai_arena_new(&t.arena, t.s.face_count, sizeof *scratch);
		uint32_t *parts = ossai_arena_new(&t.arena, t.s.face_count, sizeof *parts);
		ossai_merge_hierarchy merges;
		assert_ok(t.context, ossai_face_clusters_make(t.context, &t.arena, &t.s, &merges));
		const size_t level = ossai_merge_hierarchy_level(&merges, &t.s, 60, 0);
		const size_t count = ossai_merge_hierarchy_cut(&merges, level, scratch, parts);
		ossai_bone_motion motion;
		ossai_tree tree;
		ossai_vec3 *joint;
		const double rms = run_stages(&t, parts, count, &motion, &tree, &joint);
		print_message(
			"kind %d, %zu parts%s: misses its goals by %.3f %%\n", (int)kinds[i / 2], count, i % 2 ? ", noise" : "", 100 * rms);
		assert_true(rms < 0.03);
		for (size_t b = 0; b < count; b++) {
			for (size_t k = 0; k < 20; k++) {
				const ossai_rigid *x = &motion.rigid[b * 20 + k];
				assert_near(ossai_mat3_det(&x->r), 1, 1e-9);
				assert_true(isfinite(ossai_length(x->t)));
				/* nothing flies off */
				assert_true(ossai_length(ossai_rigid_point(x, joint[b])) < 2);
			}
		}
		test_surface_end(&t);
	}
}

/* one pose, poses like the rest, all vertices in one point, one part */
static void motion_that_is_none_is_borne(void **state)
{
	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		test_surface t = test_surface_grid(1, 20, 4, kind == 0 ? 1 : 3);
		uint32_t parts[160];
		for (size_t f = 0; f < t.s.face_count; f++) parts[f] = kind == 3 ? 0 : (uint32_t)(f / 40);
		for (size_t i = 0; kind == 2 && i < 9 * t.s.vertex_count; i++) t.s.poses[i] = 0.1;
		ossai_bone_motion motion;
		ossai_tree tree;
		ossai_vec3 *joint;
		const double rms = run_stages(&t, parts, kind == 3 ? 1 : 4, &motion, &tree, &joint);
		assert_true(isfinite(rms) && (kind == 2 || rms < 1e-6));
		for (size_t i = 0; i < motion.bone_count * motion.pose_count; i++) {
			const ossai_rigid *x = &motion.rigid[i];
			assert_near(ossai_mat3_det(&x->r), 1, 1e-9);
			assert_true(isfinite(ossai_length(x->t)));
			const ossai_rigid rest = {ossai_mat3_identity(), {0, 0, 0}};
			if (kind != 2) assert_true(turn_between(x, &rest) < 1e-5);
		}
		test_surface_end(&t);
	}
}

/* ---- odd ones ---- */

static void one_bone_follows_its_part(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 1, 5);
	s.tree = (ossai_tree){1, 0, s.parent, s.pair, s.order};
	s.parent[0] = OSSA_NONE;
	s.order[0] = 0;
	s.parts.bone_count = s.motion.bone_count = 1;
	assert_true(fit(&s) < 1e-12);
	for (size_t k = 0; k < POSES; k++) {
		assert_true(turn_between(&s.found[k], &s.part[k]) < 1e-7);
		assert_near_vec3(found_joint(&s, k), s.wanted[k], 1e-12);
	}
	test_context_end(s.context);
}

static void joints_in_one_point_are_borne(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 1, 5);
	for (size_t i = 0; i < BONES * POSES; i++) {
		s.joint[i / POSES] = ossai_v3(0.1, 0.2, 0.3);
		s.wanted[i] = ossai_v3(0.3, 0.2, 0.1);
	}
	assert_true(fit(&s) < 1e-12);
	for (size_t i = 0; i < BONES * POSES; i++) assert_true(turn_between(&s.found[i], &s.part[i]) < 1e-6);
	assert_hierarchy(&s);
	test_context_end(s.context);
}

static void same_motion_for_any_threads(void **state)
{
	(void)state;
	scene one, three;
	scene_begin(&one, 1, 6);
	scene_begin(&three, 3, 6);
	uint64_t random = 8;
	for (size_t i = 0; i < BONES * POSES; i++) {
		one.wanted[i] = three.wanted[i] = ossai_add(one.wanted[i], test_random_point(&random, 0.01));
	}
	assert_true(fit(&one) == fit(&three));
	assert_memory_equal(one.found, three.found, sizeof one.found);
	test_context_end(one.context);
	test_context_end(three.context);
}

static bool stop(void *user, const char *stage, double fraction)
{
	(void)user;
	(void)stage;
	(void)fraction;
	return false;
}

static void stopping_is_heard(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 1, 7);
	ossa_context_options options = ossa_context_default();
	options.progress = stop;
	ossa_context *context;
	assert_int_equal(ossa_context_create(&options, &context), OSSA_OK);
	const ossai_descent_options descent = ossai_descent_default();
	assert_fails(context, ossai_descent_fit(context, &s.h, s.wanted, &s.parts, &descent, &s.motion, NULL), OSSA_ERROR_CANCELLED,
		"stopped");
	assert_int_equal(ossa_context_bytes(context), 0);
	ossa_context_free(context);
	test_context_end(s.context);
}

static ossa_status fit_in_sweep(ossa_context *context, void *arg)
{
	scene *s = arg;
	const ossai_descent_options options = ossai_descent_default();
	return ossai_descent_fit(context, &s->h, s->wanted, &s->parts, &options, &s->motion, NULL);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	scene s;
	scene_begin(&s, 1, 7);
	assert_true(test_allocation_sweep(fit_in_sweep, &s, 20, 1) > 1);
	test_context_end(s.context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(true_motion_is_kept),
		cmocka_unit_test(goals_are_reached_from_afar),
		cmocka_unit_test(gradient_descent_finds_nothing_better),
		cmocka_unit_test(motion_is_steady),
		cmocka_unit_test(creatures_are_followed),
		cmocka_unit_test(found_parts_are_followed),
		cmocka_unit_test(motion_that_is_none_is_borne),
		cmocka_unit_test(one_bone_follows_its_part),
		cmocka_unit_test(stopping_is_heard),
		cmocka_unit_test(joints_in_one_point_are_borne),
		cmocka_unit_test(same_motion_for_any_threads),
		cmocka_unit_test(markers_determine_what_joints_do_not),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
