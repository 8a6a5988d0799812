/* tests/skeleton/from_motion/test_variance_joints.c: joints of least distance variance against J
   on a grid of positions, and against the truth of creatures. */
#include "skeleton/from_motion/variance_joints.h"

#include "support/parts.h"
#include "support/support.h"

#include <string.h>

static ossa_sample_options creature(ossa_sample_kind kind, int faces, int frames)
{
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = frames;
	return options;
}

/* the paper's */
static const double ALPHA = 0.05;

static ossai_variance_evidence evidence_of(const test_parts *p)
{
	return (ossai_variance_evidence){&p->t.s, &p->graph, &p->tree, &p->motion, p->seed_count, p->seed_vertex, p->part_of_seed};
}

static ossai_joint *fit(test_parts *p, double alpha)
{
	const ossai_variance_evidence e = evidence_of(p);
	ossai_joint *joints = ossai_arena_new(&p->t.arena, p->graph.pair_count, sizeof *joints);
	assert_non_null(joints);
	assert_ok(p->t.context, ossai_variance_joints_fit(p->t.context, &e, alpha, joints));
	return joints;
}

/* ---- truth ---- */

typedef struct verdict {
	size_t judged;
	/* % of the box side; across: from a hinge's axis, along which nothing moves */
	double mean, most, most_across;
} verdict;

/* of the joints that turn by 10 degrees or more */
static verdict judge(const test_parts *p, const ossai_joint *joints)
{
	verdict v = {0, 0, 0, 0};
	for (uint32_t b = 0; b < p->count; b++) {
		ossai_vec3 truth;
		if (b == p->tree.root) continue;
		assert_true(p->tree.pair[b] != OSSA_NONE);
		if (!test_parts_joint(p, b, p->tree.parent[b], 10, &truth)) continue;
		const ossai_joint *joint = &joints[p->tree.pair[b]];
		const ossai_vec3 gap = ossai_scale(ossai_sub(joint->position, truth), 100 / test_parts_side(p));
		const double along = ossai_joint_silence(joint->spread) > 0 ? ossai_dot(gap, joint->axis) : 0;
		v.mean += ossai_length(gap);
		v.most = fmax(v.most, ossai_length(gap));
		v.most_across = fmax(v.most_across, sqrt(fmax(ossai_length2(gap) - along * along, 0)));
		v.judged++;
	}
	assert_true(v.judged > 2);
	v.mean /= (double)v.judged;
	return v;
}

/* All within 1 % of the box side; along a hinge's axis, where only the shape decides, within 2
   %. */
static void joints_of_creatures_are_found(void **state)
{
	(void)state;
	for (int kind = OSSA_SAMPLE_TUBE; kind <= OSSA_SAMPLE_OPEN; kind++) {
		const ossa_sample_options made = creature((ossa_sample_kind)kind, 6000, 40);
		test_parts p = test_parts_make(0, &made);
		const verdict v = judge(&p, fit(&p, ALPHA));
		print_message("kind %d: mean %.2f %%, most %.2f %%, across hinges %.2f %%\n", kind, v.mean, v.most, v.most_across);
		assert_true(v.mean < 0.4);
		assert_true(v.most < 2);
		assert_true(v.most_across < 1);
		test_parts_end(&p);
	}
}

/* skin that bulges and trembles */
static void rough_skin_moves_joints_a_little(void **state)
{
	(void)state;
	ossa_sample_options made = creature(OSSA_SAMPLE_BIPED, 6000, 40);
	made.bulge = 1;
	made.noise = 0.2;
	test_parts p = test_parts_make(0, &made);
	assert_true(judge(&p, fit(&p, ALPHA)).mean < 0.6);
	test_parts_end(&p);
}

/* ---- J ---- */

/* J by its definition, but for the smoothing of its roots */
static double j_of(const test_parts *p, uint32_t bone, ossai_vec3 c)
{
	const uint32_t two[2] = {p->tree.parent[bone], bone};
	const size_t poses = p->t.s.pose_count;
	double j = ALPHA * ossai_distance(c, p->graph.pairs[p->tree.pair[bone]].prior);
	for (int side = 0; side < 2; side++) {
		double sum = 0, count = 0;
		for (size_t i = 0; i < p->seed_count; i++) {
			if (p->part_of_seed[i] != two[side]) continue;
			double mean = 0, squares = 0;
			for (size_t k = 0; k <= poses; k++) {
				const ossai_rigid *x = &p->motion.rigid[two[0] * poses + k];
				const double d = k < poses
					? ossai_distance(ossai_rigid_point(x, c), ossai_pose_point(&p->t.s, p->seed_vertex[i], k))
					: ossai_distance(c, ossai_rest_point(&p->t.s, p->seed_vertex[i]));
				mean += d / (double)(poses + 1);
				squares += d * d / (double)(poses + 1);
			}
			sum += sqrt(fmax(squares - mean * mean, 0));
			count += 1;
		}
		assert_true(count >= 3);
		j += sum / count;
	}
	return j;
}

/* no point of a fine grid around a joint, or of a coarse one around its prior, has a smaller J */
static void no_place_of_a_grid_is_better(void **state)
{
	(void)state;
	ossa_sample_options made = creature(OSSA_SAMPLE_BIPED, 3000, 12);
	made.noise = 0.3;
	test_parts p = test_parts_make(1, &made);
	const ossai_joint *joints = fit(&p, ALPHA);
	for (uint32_t b = 0; b < p.count; b += 3) {
		if (p.tree.pair[b] == OSSA_NONE) continue;
		const ossai_bone_pair *pair = &p.graph.pairs[p.tree.pair[b]];
		const ossai_vec3 found = joints[p.tree.pair[b]].position;
		const double least = j_of(&p, b, found);
		for (int i = 0; i < 2 * 9 * 9 * 9; i++) {
			const bool fine = i < 9 * 9 * 9;
			const double step = fine ? 0.002 : 0.03;
			const ossai_vec3 offset = ossai_v3((i % 9 - 4) * step, (i / 9 % 9 - 4) * step, (i / 81 % 9 - 4) * step);
			const ossai_vec3 c = ossai_add(fine ? found : pair->prior, offset);
			assert_true(j_of(&p, b, c) >= least - 2e-3 * least - 1e-9);
		}
	}
	test_parts_end(&p);
}

/* ---- seeds, silence ---- */

/* seeds in one part only, and some that count for nothing */
static void few_seeds_are_enough(void **state)
{
	(void)state;
	const ossa_sample_options made = creature(OSSA_SAMPLE_BIPED, 3000, 30);
	test_parts p = test_parts_make(1, &made);
	uint32_t seeds[64], parts[64];
	for (uint32_t i = 0; i < 64; i++) {
		seeds[i] = i / 2 * 13 % (uint32_t)p.t.s.vertex_count; /* each twice */
		parts[i] = i % 5 ? p.graph.bone_of_vertex[seeds[i]] : OSSA_NONE;
	}
	ossai_variance_evidence e = evidence_of(&p);
	e.seed_count = 64;
	e.seed_vertex = seeds;
	e.part_of_seed = parts;
	ossai_joint *joints = ossai_arena_new(&p.t.arena, p.graph.pair_count, sizeof *joints);
	assert_ok(p.t.context, ossai_variance_joints_fit(p.t.context, &e, ALPHA, joints));
	assert_true(judge(&p, joints).mean < 0.6);
	test_parts_end(&p);
}

static void still_pairs_stay_at_their_prior(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 12, 4, 5);
	ossai_bone_pair pair = {.a = 0, .b = 1, .contact = 3, .prior = {0.01, 0.02, 0.03}};
	uint32_t *part = ossai_arena_new(&t.arena, t.s.vertex_count, sizeof *part);
	uint32_t parent[2] = {OSSA_NONE, 0}, pairs[2] = {OSSA_NONE, 0}, order[2] = {0, 1};
	for (size_t v = 0; v < t.s.vertex_count; v++) part[v] = v % 2;
	const ossai_bone_graph graph = {.bone_count = 2, .pair_count = 1, .pairs = &pair, .bone_of_vertex = part};
	const ossai_tree tree = {2, 0, parent, pairs, order};
	ossai_bone_motion motion;
	assert_ok(t.context, ossai_bone_motion_new(&t.arena, 2, 5, &motion));
	for (int i = 0; i < 10; i++) motion.rigid[i] = (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
	const ossai_variance_evidence e = {&t.s, &graph, &tree, &motion, 0, NULL, NULL};
	ossai_joint joint;
	assert_ok(t.context, ossai_variance_joints_fit(t.context, &e, ALPHA, &joint));
	assert_near_vec3(joint.position, pair.prior, 1e-9);
	assert_true(joint.spread[0] < 1e-12);
	assert_true(joint.residual < 1e-12);
	/* trembling skin says as little */
	test_surface_shake(&t, 0.002, 5);
	assert_ok(t.context, ossai_variance_joints_fit(t.context, &e, ALPHA, &joint));
	assert_true(joint.prior_distance < 0.02);
	/* a part of no vertices */
	for (size_t v = 0; v < t.s.vertex_count; v++) part[v] = 0;
	assert_ok(t.context, ossai_variance_joints_fit(t.context, &e, ALPHA, &joint));
	assert_true(joint.prior_distance < 0.02);
	test_surface_end(&t);
}

/* All terms of J are lengths: alpha 0.05 attracts joints to the boundary only if the motion does
   not determine them. */
static void printed_deviations_find_joints(void **state)
{
	(void)state;
	const ossa_sample_options made = creature(OSSA_SAMPLE_BIPED, 3000, 30);
	test_parts p = test_parts_make(1, &made);
	assert_true(judge(&p, fit(&p, ALPHA)).mean < 1);
	const ossai_joint *joints = fit(&p, 100 * ALPHA);
	for (size_t i = 0; i < p.graph.pair_count; i++) assert_true(joints[i].prior_distance < 1e-4);
	test_parts_end(&p);
}

static void paths_are_carried_by_the_parent(void **state)
{
	(void)state;
	const ossa_sample_options made = creature(OSSA_SAMPLE_TUBE, 1000, 6);
	test_parts p = test_parts_make(1, &made);
	const ossai_joint *joints = fit(&p, ALPHA);
	ossai_vec3 joint[8], path[8 * 6];
	ossai_joint_paths(&p.graph, &p.tree, joints, &p.motion, joint, path);
	for (uint32_t b = 0; b < p.count; b++) {
		const uint32_t by = b == p.tree.root ? b : p.tree.parent[b];
		for (size_t k = 0; k < 6; k++) {
			const ossai_vec3 image = ossai_rigid_point(&p.motion.rigid[by * 6 + k], joint[b]);
			assert_true(ossai_distance(image, path[b * 6 + k]) == 0);
		}
	}
	test_parts_end(&p);
}

/* ---- threads, memory ---- */

static void same_joints_for_any_threads(void **state)
{
	(void)state;
	const ossa_sample_options made = creature(OSSA_SAMPLE_OCTOPUS, 3000, 10);
	test_parts one = test_parts_make(1, &made), three = test_parts_make(3, &made);
	const ossai_joint *a = fit(&one, ALPHA), *b = fit(&three, ALPHA);
	for (size_t i = 0; i < one.graph.pair_count; i++) {
		assert_memory_equal(&a[i].position, &b[i].position, sizeof a[i].position);
		assert_true(a[i].residual == b[i].residual);
	}
	test_parts_end(&one);
	test_parts_end(&three);
}

static ossa_status fit_in_sweep(ossa_context *context, void *arg)
{
	test_parts *p = arg;
	const ossai_variance_evidence e = evidence_of(p);
	ossai_joint joints[64];
	assert_true(p->graph.pair_count <= 64);
	return ossai_variance_joints_fit(context, &e, ALPHA, joints);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	const ossa_sample_options made = creature(OSSA_SAMPLE_TUBE, 1000, 4);
	test_parts p = test_parts_make(1, &made);
	assert_true(test_allocation_sweep(fit_in_sweep, &p, 100, 1) > 5);
	test_parts_end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_of_creatures_are_found),
		cmocka_unit_test(rough_skin_moves_joints_a_little),
		cmocka_unit_test(no_place_of_a_grid_is_better),
		cmocka_unit_test(few_seeds_are_enough),
		cmocka_unit_test(still_pairs_stay_at_their_prior),
		cmocka_unit_test(printed_deviations_find_joints),
		cmocka_unit_test(paths_are_carried_by_the_parent),
		cmocka_unit_test(same_joints_for_any_threads),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
