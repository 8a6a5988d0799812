/* tests/parts/test_face_clusters.c: the Rigid Error Function against least squares on points,
   the lazy queue against a plain greedy algorithm. */
#include "parts/face_clusters.h"
#include "math/rigid_fit.h"
#include "parts/rigid_error.h"
#include "support/support.h"
#include "support/surfaces.h"

#include <string.h>

/* ---- the error ---- */

/* sum over some faces of f(p, q, weight): the middles of a triangle's edges integrate its squares
   exactly */
typedef struct fit_sums {
	double weight, m[9];
	ossai_vec3 p, q;
} fit_sums;

static size_t face_points(const ossai_posed_surface *s, size_t face, size_t pose, ossai_vec3 p[3], ossai_vec3 q[3])
{
	const uint32_t *t = s->triangles + 3 * face;
	for (int i = 0; i < 3; i++) {
		const uint32_t a = t[i], b = t[(i + 1) % 3];
		p[i] = ossai_lerp(ossai_rest_point(s, a), ossai_rest_point(s, b), 0.5);
		q[i] = ossai_lerp(ossai_pose_point(s, a, pose), ossai_pose_point(s, b, pose), 0.5);
	}
	return 3;
}

static void add_correlation(fit_sums *sums, double weight, ossai_vec3 p, ossai_vec3 q)
{
	const double a[3] = {p.x, p.y, p.z}, b[3] = {q.x, q.y, q.z};
	for (int i = 0; i < 9; i++) sums->m[i] += weight * a[i / 3] * b[i % 3];
}

/* the best rigid motion of faces 0 .. count-1 by its definition, and the error it leaves */
static double plain_error(const ossai_posed_surface *s, size_t count, size_t pose)
{
	fit_sums sums = {0};
	ossai_vec3 p[3], q[3];
	for (size_t i = 0; i < count * 3; i++) {
		face_points(s, i / 3, pose, p, q);
		const double weight = s->face_area[i / 3] / 3;
		sums.weight += weight;
		sums.p = ossai_madd(sums.p, weight, p[i % 3]);
		sums.q = ossai_madd(sums.q, weight, q[i % 3]);
	}
	if (sums.weight == 0) return 0;
	const ossai_vec3 p_mean = ossai_scale(sums.p, 1 / sums.weight), q_mean = ossai_scale(sums.q, 1 / sums.weight);
	for (size_t i = 0; i < count * 3; i++) {
		face_points(s, i / 3, pose, p, q);
		add_correlation(&sums, s->face_area[i / 3] / 3, ossai_sub(p[i % 3], p_mean), ossai_sub(q[i % 3], q_mean));
	}
	const ossai_mat3 r = ossai_quat_matrix(ossai_rigid_rotation(sums.m));
	double error = 0;
	for (size_t i = 0; i < count * 3; i++) {
		face_points(s, i / 3, pose, p, q);
		const ossai_vec3 image = ossai_add(ossai_mat3_mul_v(&r, ossai_sub(p[i % 3], p_mean)), q_mean);
		error += s->face_area[i / 3] / 3 * ossai_length2(ossai_sub(image, q[i % 3]));
	}
	return error;
}

/* random triangles over few points: non-manifold edges everywhere, some faces of no area, some that
   repeat */
static test_surface make_soup(uint64_t seed, size_t faces, size_t poses)
{
	enum { POINTS = 12, FACES = 64 };
	float positions[3 * POINTS];
	uint32_t triangles[3 * FACES];
	assert_true(faces <= FACES);
	for (size_t i = 0; i < 3 * POINTS; i++) positions[i] = (float)test_random(&seed);
	for (size_t i = 0; i < 3 * faces; i++) triangles[i] = (uint32_t)(fabs(test_random(&seed)) * POINTS);
	test_surface soup = test_surface_make(1, POINTS, positions, faces, triangles, poses, NULL);
	test_surface_shake(&soup, 0.3, seed);
	return soup;
}

/* the state of faces begin .. end-1 */
static double *sum_states(test_surface *t, size_t begin, size_t end)
{
	const size_t size = ossai_ref_size(t->s.pose_count);
	double *sum = ossai_arena_zero(&t->arena, size, sizeof *sum), *face = ossai_arena_new(&t->arena, size, sizeof *face);
	for (size_t f = begin; f < end; f++) {
		ossai_ref_face(&t->s, f, face);
		ossai_ref_add(t->s.pose_count, sum, face);
	}
	return sum;
}

static double whole_error(size_t poses, const double *a, const double *b)
{
	size_t pose = 0;
	const double error = ossai_ref_union_error(poses, a, b, 0, INFINITY, &pose);
	assert_int_equal(pose, ossai_ref_stride(poses));
	return error;
}

static void error_is_that_of_the_best_rigid_motion(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		const size_t poses = 1 + seed % 7, faces = 2 + seed;
		test_surface t = make_soup(seed, faces, poses);
		double plain = 0;
		for (size_t k = 0; k < poses; k++) plain += plain_error(&t.s, faces, k);
		for (size_t cut = 0; cut <= faces; cut += 1 + faces / 3) {
			const double error = whole_error(poses, sum_states(&t, 0, cut), sum_states(&t, cut, faces));
			assert_near(error, plain, 1e-12 * (1 + plain));
		}
		test_surface_end(&t);
	}
}

static void rigid_motion_has_no_error_and_is_found_again(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 6, 3, 5);
	test_chain one = test_chain_make(&t, 1, 4);
	const double *all = sum_states(&t, 0, t.s.face_count), *nothing = sum_states(&t, 0, 0);
	assert_true(whole_error(5, all, nothing) < 1e-14);
	for (size_t k = 0; k < 5; k++) {
		const ossai_rigid x = ossai_ref_motion(5, all, k);
		for (size_t v = 0; v < t.s.vertex_count; v++) {
			const ossai_vec3 p = ossai_rest_point(&t.s, v);
			assert_near_vec3(ossai_rigid_point(&x, p), ossai_rigid_point(&one.motion.rigid[k], p), 1e-12);
		}
	}
	test_surface_end(&t);
}

static void error_stopped_at_a_bound_goes_on_to_the_same_value(void **state)
{
	(void)state;
	enum { POSES = 18 };
	test_surface t = make_soup(9, 20, POSES);
	const double *a = sum_states(&t, 0, 11), *b = sum_states(&t, 11, 20);
	const double whole = whole_error(POSES, a, b);
	double partial = 0;
	size_t pose = 0, stops = 0;
	for (double bound = 0; pose < ossai_ref_stride(POSES); bound += whole / 40, stops++) {
		const double before = partial;
		partial = ossai_ref_union_error(POSES, a, b, partial, bound, &pose);
		assert_true(partial >= before && partial <= whole);
	}
	assert_true(stops > 3);
	assert_true(partial == whole);
	test_surface_end(&t);
}

/* ---- the queue ---- */

typedef struct greedy {
	test_surface *t;
	size_t faces, size;
	double *states;  /* F x size */
	uint8_t *alive;  /* F: clusters, named by their smallest face */
	uint8_t *beside; /* F x F */
} greedy;

static greedy greedy_begin(test_surface *t)
{
	greedy g = {t, t->s.face_count, ossai_ref_size(t->s.pose_count), NULL, NULL, NULL};
	g.states = ossai_arena_new(&t->arena, g.faces, g.size * sizeof *g.states);
	g.alive = ossai_arena_new(&t->arena, g.faces, 1);
	g.beside = ossai_arena_zero(&t->arena, g.faces, g.faces);
	memset(g.alive, 1, g.faces);
	for (size_t f = 0; f < g.faces; f++) ossai_ref_face(&t->s, f, g.states + f * g.size);
	const ossai_adjacency *a = &t->s.adjacency;
	for (size_t i = 0; i < a->face_pair_count + t->s.link_count; i++) {
		const uint32_t *pair = i < a->face_pair_count ? a->face_pairs + 2 * i : t->s.links + 2 * (i - a->face_pair_count);
		g.beside[pair[0] * g.faces + pair[1]] = g.beside[pair[1] * g.faces + pair[0]] = 1;
	}
	return g;
}

/* the cheapest pair of clusters side by side; INFINITY where there is none; `*second` the next
   one's error */
static ossa_merge greedy_best(const greedy *g, double *second)
{
	ossa_merge best = {0, 0, INFINITY};
	*second = INFINITY;
	for (uint32_t a = 0; a < g->faces; a++) {
		for (uint32_t b = a + 1; g->alive[a] && b < g->faces; b++) {
			if (!g->alive[b] || !g->beside[a * g->faces + b]) continue;
			const double error = whole_error(g->t->s.pose_count, g->states + a * g->size, g->states + b * g->size);
			*second = fmin(*second, fmax(error, best.error));
			if (error < best.error) best = (ossa_merge){a, b, error};
		}
	}
	return best;
}

static void greedy_merge(greedy *g, ossa_merge merge)
{
	ossai_ref_add(g->t->s.pose_count, g->states + merge.kept * g->size, g->states + merge.gone * g->size);
	g->alive[merge.gone] = 0;
	for (size_t f = 0; f < g->faces; f++) {
		if (f == merge.kept || !g->beside[merge.gone * g->faces + f]) continue;
		g->beside[merge.kept * g->faces + f] = g->beside[f * g->faces + merge.kept] = 1;
	}
}

static ossai_merge_hierarchy cluster(test_surface *t)
{
	ossai_merge_hierarchy h;
	assert_ok(t->context, ossai_face_clusters_make(t->context, &t->arena, &t->s, &h));
	assert_int_equal(h.face_count, t->s.face_count);
	for (size_t i = 1; i < h.count; i++) assert_true(h.merges[i].error >= h.merges[i - 1].error);
	return h;
}

/* the same merges as a greedy algorithm that tests every pair each time; ties may be broken either
   way */
static void assert_greedy(test_surface *t)
{
	const ossai_merge_hierarchy h = cluster(t);
	greedy g = greedy_begin(t);
	size_t count = 0;
	double second;
	for (ossa_merge best = greedy_best(&g, &second); best.error < INFINITY; best = greedy_best(&g, &second), count++) {
		assert_true(count < h.count);
		const ossa_merge *merge = &h.merges[count];
		assert_near(merge->error, best.error, 1e-12 * (1 + best.error));
		if (second - best.error > 1e-10) assert_true(merge->kept == best.kept && merge->gone == best.gone);
		assert_true(g.alive[merge->kept] && g.alive[merge->gone] && merge->kept < merge->gone);
		assert_true(g.beside[merge->kept * g.faces + merge->gone]);
		greedy_merge(&g, *merge);
	}
	assert_int_equal(count, h.count);
}

static void soup_is_merged_as_by_plain_greedy(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		test_surface t = make_soup(seed, 20 + 3 * seed, 1 + seed % 6);
		assert_greedy(&t);
		test_surface_end(&t);
	}
}

static void linked_strips_are_merged_as_by_plain_greedy(void **state)
{
	(void)state;
	/* two strips of four faces each, apart, and one face by itself without link */
	const float p[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 2, 0, 0, 2, 1, 0, 0, 0, 2, 0, 1, 2, 1, 0, 2, 1, 1, 2, 2, 0, 2, 2, 1,
		2, 5, 5, 5, 6, 5, 5, 5, 6, 5};
	const uint32_t triangles[] = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5, 6, 8, 7, 7, 8, 9, 8, 10, 9, 9, 10, 11, 12, 13, 14};
	uint32_t links[] = {0, 4, 3, 7, 1, 4, 0, 4};
	for (uint64_t seed = 1; seed < 20; seed++) {
		test_surface t = test_surface_make(1, 15, p, 9, triangles, 5, NULL);
		test_surface_shake(&t, 0.1, seed);
		t.s.links = links;
		t.s.link_count = 4;
		t.s.link_pieces = true;
		assert_greedy(&t);
		assert_int_equal(cluster(&t).count, 7);
		test_surface_end(&t);
	}
}

static void lazy_queue_computes_a_fraction_of_the_unions(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_TUBE, 1000, 8);
	const ossai_merge_hierarchy h = cluster(&t);
	assert_int_equal(h.count, t.s.face_count - 1);
	assert_true(h.evaluations < 12 * t.s.face_count);
	test_surface_end(&t);
}

static void same_merges_for_any_threads(void **state)
{
	(void)state;
	test_surface one = test_surface_sample(1, OSSA_SAMPLE_TUBE, 1600, 5),
				 three = test_surface_sample(3, OSSA_SAMPLE_TUBE, 1600, 5);
	const ossai_merge_hierarchy a = cluster(&one), b = cluster(&three);
	assert_int_equal(a.count, b.count);
	assert_memory_equal(a.merges, b.merges, a.count * sizeof *a.merges);
	test_surface_end(&one);
	test_surface_end(&three);
}

/* ---- cutting ---- */

static void cuts_are_connected_nested_and_numbered_by_smallest_face(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_TUBE, 1000, 4);
	const ossai_merge_hierarchy h = cluster(&t);
	uint32_t *scratch = ossai_arena_new(&t.arena, h.face_count, 4), *of_face = ossai_arena_new(&t.arena, h.face_count, 4);
	for (size_t level = 0; level <= h.count; level += 1 + level / 4) {
		const size_t count = ossai_merge_hierarchy_cut(&h, level, scratch, of_face);
		assert_int_equal(count, h.face_count - level);
		uint32_t seen = 0;
		for (size_t f = 0; f < h.face_count; f++) {
			assert_true(of_face[f] <= seen);
			seen += of_face[f] == seen;
		}
		assert_int_equal(seen, count);
		assert_int_equal(test_count_parts(&t.s, of_face, scratch), count);
	}
	test_surface_end(&t);
}

static void level_keeps_both_limits(void **state)
{
	(void)state;
	ossa_merge merges[] = {{0, 1, 0}, {2, 3, 0.5}, {0, 2, 2}, {0, 4, 8}, {0, 5, 18}};
	const ossai_merge_hierarchy h = {.face_count = 8, .count = 5, .merges = merges};
	/* the error at a tolerance of t is 2 t^2 */
	const ossai_posed_surface s = {.pose_count = 4, .area = 0.5};
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 0, 0), 0);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 8, 0), 0);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 99, 0), 0);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 6, 0), 2);
	/* three clusters are left where no merge is */
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 1, 0), 5);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 0, 0.4), 1);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 0, 1), 3);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 0, 9), 5);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 6, 1), 3);
	assert_int_equal(ossai_merge_hierarchy_level(&h, &s, 4, 1), 4);
}

static ossa_status cluster_in_sweep(ossa_context *context, void *arg)
{
	ossai_merge_hierarchy h;
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = ossai_face_clusters_make(context, &arena, arg, &h);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, 3);
	test_surface_shake(&t, 0.02, 3);
	test_allocation_sweep(cluster_in_sweep, &t.s, 100, 1);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_is_that_of_the_best_rigid_motion),
		cmocka_unit_test(rigid_motion_has_no_error_and_is_found_again),
		cmocka_unit_test(error_stopped_at_a_bound_goes_on_to_the_same_value),
		cmocka_unit_test(soup_is_merged_as_by_plain_greedy),
		cmocka_unit_test(linked_strips_are_merged_as_by_plain_greedy),
		cmocka_unit_test(lazy_queue_computes_a_fraction_of_the_unions),
		cmocka_unit_test(same_merges_for_any_threads),
		cmocka_unit_test(cuts_are_connected_nested_and_numbered_by_smallest_face),
		cmocka_unit_test(level_keeps_both_limits),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
