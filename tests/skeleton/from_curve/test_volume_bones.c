/* tests/skeleton/from_curve/test_volume_bones.c: segments, joints, frames, roots and levels of
   literal path trees; empty trees. */
#include "skeleton/from_curve/volume_bones.h"

#include "skeleton/from_curve/volume_frames.h"
#include "support/path_trees.h"

#include <ossa/mesh.h>
#include <stdlib.h>

typedef struct made {
	ossa_context *context;
	ossai_arena arena;
	test_path_tree t;
	ossai_skeletal_graph graph;
	ossai_volume_bones bones;
} made;

static made *begin(ossai_vec3 at, double radius, double heart_radius)
{
	made *m = calloc(1, sizeof *m);
	m->context = test_context(1);
	m->arena = ossai_arena_begin(m->context);
	test_path_begin(&m->t, at, radius, heart_radius);
	return m;
}

static void end(made *m)
{
	ossai_arena_end(&m->arena);
	test_context_end(m->context);
	free(m);
}

static double frame_error(const ossai_mat3 *f)
{
	double worst = fabs(ossai_mat3_det(f) - 1);
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) {
			double dot = 0;
			for (int k = 0; k < 3; k++) dot += f->m[k][i] * f->m[k][j];
			worst = fmax(worst, fabs(dot - (i == j)));
		}
	}
	return worst;
}

static ossai_vec3 column(const ossai_mat3 *f, int i) { return ossai_v3(f->m[0][i], f->m[1][i], f->m[2][i]); }

static size_t bone_count(const made *m) { return m->bones.tree.bone_count; }

/* what must hold of all bones */
static void check_sound(const made *m)
{
	const ossai_volume_bones *b = &m->bones;
	size_t roots = 0;
	assert_int_equal(bone_count(m), m->graph.edge_count > 0 ? m->graph.edge_count : 1);
	for (uint32_t i = 0; i < bone_count(m); i++) {
		const uint32_t parent = b->tree.parent[i];
		roots += parent == OSSA_NONE;
		assert_true(frame_error(&b->frame[i]) < 1e-9);
		assert_true(isfinite(ossai_length2(b->joint[i])) && isfinite(ossai_length2(b->tail[i])));
		if (m->graph.edge_count == 0) continue;
		if (ossai_distance(b->joint[i], b->tail[i]) > 1e-9) {
			const ossai_vec3 along = ossai_unit(ossai_sub(b->tail[i], b->joint[i]), ossai_v3(0, 0, 0));
			assert_near_vec3(column(&b->frame[i], 2), along, 1e-9);
		}
		const ossai_vec3 ends[] = {m->t.node[m->graph.edge[2 * i]], m->t.node[m->graph.edge[2 * i + 1]]};
		assert_true(ossai_distance(b->tail[i], ends[0]) == 0 || ossai_distance(b->tail[i], ends[1]) == 0);
		if (parent == OSSA_NONE) continue;
		/* the joint is at an end of both segments; levels only grow */
		const ossai_vec3 other[] = {m->t.node[m->graph.edge[2 * parent]], m->t.node[m->graph.edge[2 * parent + 1]]};
		assert_true(ossai_distance(b->joint[i], ends[0]) == 0 || ossai_distance(b->joint[i], ends[1]) == 0);
		assert_true(ossai_distance(b->joint[i], other[0]) == 0 || ossai_distance(b->joint[i], other[1]) == 0);
	}
	assert_int_equal(roots, 1);
	assert_int_equal(b->tree.parent[b->tree.root], OSSA_NONE);
	assert_int_equal(b->level[b->tree.root], 0);
}

static void make(made *m, const ossai_skeletal_options *options, ossa_root_kind root, ossai_vec3 point, size_t levels)
{
	assert_ok(m->context, ossai_skeletal_graph_make(&m->arena, &m->t.tree, options, &m->graph));
	assert_ok(m->context, ossai_volume_bones_make(&m->arena, &m->t.tree, &m->graph, root, point, levels, &m->bones));
	check_sound(m);
}

static ossai_skeletal_options whole_chains(void)
{
	ossai_skeletal_options options = ossai_skeletal_options_default();
	options.max_fraction = 100;
	options.tolerance = 100;
	return options;
}

/* a trunk along x from -1 to 1, thick, with two legs at each end; node 0 is a foot */
static made *make_dog(uint32_t *front, uint32_t *back)
{
	made *m = begin(ossai_v3(-1.2, -1, 0.3), 0.05, 2);
	*back = test_path_to(&m->t, 0, ossai_v3(-1, 0, 0), 40, 0.4);
	*front = test_path_to(&m->t, *back, ossai_v3(1, 0, 0), 60, 0.4);
	test_path_to(&m->t, *back, ossai_v3(-1.2, -1.1, -0.3), 40, 0.05);
	test_path_to(&m->t, *front, ossai_v3(1.2, -1, 0.3), 40, 0.05);
	test_path_to(&m->t, *front, ossai_v3(1.2, -1.2, -0.3), 40, 0.05);
	test_path_to(&m->t, *front, ossai_v3(2, 1, 0), 40, 0.1);
	m->t.tree.heart = *back + 30;
	return m;
}

static void the_root_is_in_the_middle_of_a_deep_segment(void **state)
{
	(void)state;
	uint32_t front, back;
	made *m = make_dog(&front, &back);
	const ossai_skeletal_options options = whole_chains();
	make(m, &options, OSSA_ROOT_CENTER, ossai_v3(0, 0, 0), 1);
	assert_int_equal(bone_count(m), 6);
	const ossai_volume_bones *b = &m->bones;
	const uint32_t root = b->tree.root;
	assert_int_equal(m->graph.edge[2 * root], back);
	assert_true(ossai_length(b->joint[root]) < 1e-9);
	/* towards where more is */
	assert_true(ossai_distance(b->tail[root], m->t.node[front]) == 0);
	size_t at_front = 0, at_back = 0;
	for (uint32_t i = 0; i < 6; i++) {
		if (i == root) continue;
		/* coincident joints */
		assert_int_equal(b->tree.parent[i], root);
		at_front += ossai_distance(b->joint[i], m->t.node[front]) == 0;
		at_back += ossai_distance(b->joint[i], m->t.node[back]) == 0;
	}
	assert_int_equal(at_front, 3);
	assert_int_equal(at_back, 2);
	end(m);
}

static void the_root_where_it_is_wanted(void **state)
{
	(void)state;
	uint32_t front, back;
	made *m = make_dog(&front, &back);
	const ossai_skeletal_options options = ossai_skeletal_options_default();
	make(m, &options, OSSA_ROOT_LOWEST, ossai_v3(0, 1, 0), 1);
	const ossai_volume_bones *b = &m->bones;
	assert_near_vec3(b->joint[b->tree.root], ossai_v3(1.2, -1.2, -0.3), 1e-12);
	/* a junction: it belongs to the deepest, the others are its children */
	make(m, &options, OSSA_ROOT_POINT, ossai_v3(1.1, 0.05, 0), 1);
	size_t at_root = 0;
	for (uint32_t i = 0; i < bone_count(m); i++) {
		at_root += i != b->tree.root && b->tree.parent[i] == b->tree.root && ossai_distance(b->joint[i], m->t.node[front]) == 0;
	}
	assert_int_equal(at_root, 3);
	assert_true(b->tail[b->tree.root].x < 1 && b->joint[b->tree.root].x == 1);
	/* an end */
	make(m, &options, OSSA_ROOT_POINT, ossai_v3(-5, -5, 1), 1);
	assert_true(ossai_distance(b->joint[b->tree.root], m->t.node[0]) == 0);
	end(m);
}

static void frames_are_those_of_a_bent_arm(void **state)
{
	(void)state;
	/* along x, then up, then on along x, then straight on: bends about z, there and back, and
	   none */
	made *m = begin(ossai_v3(0, 0, 0), 0.1, 10);
	uint32_t last = test_path_to(&m->t, 0, ossai_v3(1, 0, 0), 10, 0.1);
	last = test_path_to(&m->t, last, ossai_v3(1, 1, 0), 10, 0.1);
	last = test_path_to(&m->t, last, ossai_v3(2, 1, 0), 10, 0.1);
	ossai_skeletal_options options = whole_chains();
	options.tolerance = 0;
	options.min_fraction = 0.05;
	make(m, &options, OSSA_ROOT_POINT, ossai_v3(0, 0, 0), 1);
	assert_int_equal(bone_count(m), 3);
	const ossai_mat3 *frame = m->bones.frame;
	/* proximal x distal: about +z up, about -z on */
	assert_near_vec3(column(&frame[1], 0), ossai_v3(0, 0, 1), 1e-9);
	assert_near_vec3(column(&frame[2], 0), ossai_v3(0, 0, -1), 1e-9);
	/* the root looks further down */
	assert_near_vec3(column(&frame[0], 0), ossai_v3(0, 0, 1), 1e-9);
	end(m);
}

static void straight_bones_look_further(void **state)
{
	(void)state;
	/* 0 bends into 1, which 2 and 3 follow straight; all of 4 to 6 is straight along x */
	static const ossai_vec3 at[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 2, 0.01}, {1, 3, 0.02}};
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_tree tree;
	assert_ok(context, ossai_tree_new(&arena, 4, &tree));
	tree.root = 0;
	for (uint32_t b = 0; b < 4; b++) {
		tree.parent[b] = b == 0 ? OSSA_NONE : b - 1;
		tree.pair[b] = OSSA_NONE;
	}
	ossai_tree_sort(&tree);
	ossai_mat3 frame[4];
	assert_ok(context, ossai_volume_frames_make(&arena, &tree, at, at + 1, frame));
	for (int b = 0; b < 4; b++) {
		assert_true(frame_error(&frame[b]) < 1e-12);
		assert_true(column(&frame[b], 0).z > 0.99);
	}
	/* straight all the way: the stated axis; and no length at all */
	static const ossai_vec3 line[] = {{0, 0, 0}, {1, 0.1, 0}, {2, 0.2, 0}, {2, 0.2, 0}, {3, 0.3, 0}};
	assert_ok(context, ossai_volume_frames_make(&arena, &tree, line, line + 1, frame));
	for (int b = 0; b < 4; b++) {
		assert_true(frame_error(&frame[b]) < 1e-12);
		assert_near_vec3(column(&frame[b], 0), column(&frame[0], 0), 1e-12);
		assert_near(column(&frame[b], 0).z, 0, 1e-12);
	}
	ossai_arena_end(&arena);
	test_context_end(context);
}

static void levels_are_nested(void **state)
{
	(void)state;
	uint32_t front, back;
	made *m = make_dog(&front, &back);
	const ossai_skeletal_options options = ossai_skeletal_options_default();
	for (size_t levels = 1; levels < 6; levels++) {
		make(m, &options, OSSA_ROOT_CENTER, ossai_v3(0, 0, 0), levels);
		size_t of_level[6] = {0};
		for (uint32_t b = 0; b < bone_count(m); b++) {
			assert_true(m->bones.level[b] < levels);
			for (size_t l = m->bones.level[b]; l < levels; l++) of_level[l]++;
			/* what a coarser level lacks is part of one bone of it: there is one that it goes
			   straight on from */
			uint32_t up = b;
			while (m->bones.level[up] > 0) up = m->bones.tree.parent[up];
			assert_true(m->bones.level[up] == 0);
			if (m->bones.level[b] == 0) continue;
			size_t siblings = 0;
			for (uint32_t o = 0; o < bone_count(m); o++) {
				siblings += m->bones.tree.parent[o] != OSSA_NONE && ossai_distance(m->bones.joint[o], m->bones.joint[b]) == 0;
			}
			assert_int_equal(siblings, 1);
		}
		/* ends and junctions, with the root's segment in several parts: the root and what does not
		   continue it straight */
		assert_true(levels == 1 || of_level[0] == 6);
		for (size_t l = 1; l < levels; l++) assert_true(of_level[l] > of_level[l - 1]);
		assert_int_equal(of_level[levels - 1], bone_count(m));
	}
	end(m);
}

static void hardly_any_tree(void **state)
{
	(void)state;
	for (int nodes = 1; nodes < 12; nodes += 5) {
		made *m = begin(ossai_v3(1, 2, 3), 0, 0);
		if (nodes > 1) test_path_to(&m->t, 0, ossai_v3(1, 2, 3), nodes - 1, 0);
		if (nodes > 6) test_path_to(&m->t, 3, ossai_v3(1, 2, 3), 4, 0);
		const ossai_skeletal_options options = ossai_skeletal_options_default();
		for (int root = OSSA_ROOT_CENTER; root <= OSSA_ROOT_POINT; root++) {
			make(m, &options, (ossa_root_kind)root, ossai_v3(1e30, NAN, 0), 3);
			assert_true(ossai_distance(m->bones.joint[0], ossai_v3(1, 2, 3)) == 0);
		}
		end(m);
	}
}

static ossa_status sweep(ossa_context *context, void *arg)
{
	const made *m = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_volume_bones bones;
	const ossa_status status = ossai_volume_bones_make(
		&arena, &m->t.tree, &m->graph, OSSA_ROOT_CENTER, ossai_v3(0, 0, 0), 3, &bones);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	uint32_t front, back;
	made *m = make_dog(&front, &back);
	const ossai_skeletal_options options = ossai_skeletal_options_default();
	make(m, &options, OSSA_ROOT_CENTER, ossai_v3(0, 0, 0), 3);
	assert_true(test_allocation_sweep(sweep, m, 200, 1) > 12);
	end(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_root_is_in_the_middle_of_a_deep_segment),
		cmocka_unit_test(the_root_where_it_is_wanted),
		cmocka_unit_test(frames_are_those_of_a_bent_arm),
		cmocka_unit_test(straight_bones_look_further),
		cmocka_unit_test(levels_are_nested),
		cmocka_unit_test(hardly_any_tree),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
