/* skeleton/from_motion/variance_joints.c: see variance_joints.h. */
#include "skeleton/from_motion/variance_joints.h"

#include "math/cholesky.h"

#include <string.h>

enum { RANGES_MAX = 32, STEPS_MAX = 200, LEAST_SEEDS = 3 };

/* diagonals: deviations and |c - b_r| below this are smoothed; a step that ends the search */
static const double smooth = 1e-4, least_step = 1e-7;

/* ---- seeds ---- */

/* the sample vertices of each part */
typedef struct seed_lists {
	uint32_t *first; /* B + 1 */
	uint32_t *vertex;
} seed_lists;

typedef struct list_build {
	const ossai_variance_evidence *e;
	uint32_t *seeds, *vertices, *passed, *filled; /* B each */
	uint8_t *is_seed;                             /* V */
	seed_lists *lists;
} list_build;

static void add_seed(list_build *build, uint32_t part, uint32_t vertex)
{
	build->lists->vertex[build->lists->first[part] + build->filled[part]++] = vertex;
}

static void count_vertices(list_build *build)
{
	const ossai_variance_evidence *e = build->e;
	for (size_t i = 0; i < e->seed_count; i++) {
		const uint32_t v = e->seed_vertex[i];
		if (e->part_of_seed[i] == OSSA_NONE || build->is_seed[v]) continue;
		build->is_seed[v] = 1;
		build->seeds[e->part_of_seed[i]]++;
	}
	for (size_t v = 0; v < e->surface->vertex_count; v++) {
		const uint32_t part = e->graph->bone_of_vertex[v];
		if (part != OSSA_NONE && !build->is_seed[v]) build->vertices[part]++;
	}
}

/* number of vertices of a part that are sampled besides its seeds */
static uint32_t more_wanted(const list_build *build, uint32_t part)
{
	if (build->seeds[part] >= LEAST_SEEDS) return 0;
	const uint32_t wanted = LEAST_SEEDS - build->seeds[part];
	return build->vertices[part] < wanted ? build->vertices[part] : wanted;
}

static void fill_lists(list_build *build)
{
	const ossai_variance_evidence *e = build->e;
	for (size_t i = 0; i < e->seed_count; i++) {
		const uint32_t v = e->seed_vertex[i];
		if (e->part_of_seed[i] == OSSA_NONE || build->is_seed[v] != 1) continue;
		build->is_seed[v] = 2;
		add_seed(build, e->part_of_seed[i], v);
	}
	for (uint32_t v = 0; v < e->surface->vertex_count; v++) {
		const uint32_t part = e->graph->bone_of_vertex[v];
		if (part == OSSA_NONE || build->is_seed[v]) continue;
		const uint64_t wanted = more_wanted(build, part), place = build->passed[part]++;
		if (place * wanted / build->vertices[part] >= build->filled[part] - build->seeds[part] && wanted > 0) {
			add_seed(build, part, v);
		}
	}
}

static ossa_status list_seeds(ossai_arena *arena, const ossai_variance_evidence *e, seed_lists *lists)
{
	const size_t bones = e->graph->bone_count;
	list_build build = {.e = e, .lists = lists};
	build.seeds = ossai_arena_zero(arena, bones, sizeof *build.seeds);
	build.vertices = ossai_arena_zero(arena, bones, sizeof *build.vertices);
	build.passed = ossai_arena_zero(arena, bones, sizeof *build.passed);
	build.filled = ossai_arena_zero(arena, bones, sizeof *build.filled);
	build.is_seed = ossai_arena_zero(arena, e->surface->vertex_count, sizeof *build.is_seed);
	lists->first = ossai_arena_zero(arena, bones + 1, sizeof *lists->first);
	if (!build.seeds || !build.vertices || !build.passed || !build.filled || !build.is_seed || !lists->first) {
		return ossa_context_error(arena->context)->status;
	}
	count_vertices(&build);
	for (uint32_t b = 0; b < bones; b++) {
		lists->first[b + 1] = lists->first[b] + build.seeds[b] + more_wanted(&build, b);
	}
	lists->vertex = ossai_arena_new(arena, lists->first[bones], sizeof *lists->vertex);
	if (!lists->vertex) return ossa_context_error(arena->context)->status;
	fill_lists(&build);
	return OSSA_OK;
}

/* ---- J ---- */

typedef struct search {
	const ossai_variance_evidence *e;
	const seed_lists *lists;
	uint32_t near, far; /* A and B */
	ossai_vec3 prior;
	double alpha;
	ossai_vec3 *path; /* K: c_t */
} search;

/* J at a point, with gradient and Gauss-Newton's Hessian (xx xy xz yy yz zz) */
typedef struct value {
	double j, g[3], h[6];
} value;

/* sums over time of one seed: distance d, its direction u from the joint in A's rest frame */
typedef struct seed_sums {
	double d, dd, u[3], ud[3], uu[6];
} seed_sums;

static void add_frame(seed_sums *s, ossai_vec3 gap)
{
	const double d = ossai_length(gap), inverse = d > 1e-12 ? 1 / d : 0;
	const double u[3] = {gap.x * inverse, gap.y * inverse, gap.z * inverse};
	s->d += d;
	s->dd += d * d;
	for (int i = 0, at = 0; i < 3; i++) {
		s->u[i] += u[i];
		s->ud[i] += u[i] * d;
		for (int j = i; j < 3; j++) s->uu[at++] += u[i] * u[j];
	}
}

static seed_sums sum_seed(const search *s, uint32_t vertex, ossai_vec3 c)
{
	const ossai_posed_surface *surface = s->e->surface;
	const ossai_rigid *carry = s->e->motion->rigid + s->near * surface->pose_count;
	seed_sums sums;
	memset(&sums, 0, sizeof sums);
	add_frame(&sums, ossai_sub(c, ossai_rest_point(surface, vertex)));
	for (size_t k = 0; k < surface->pose_count; k++) {
		const ossai_vec3 gap = ossai_sub(s->path[k], ossai_pose_point(surface, vertex, k));
		add_frame(&sums, ossai_mat3_tmul_v(&carry[k].r, gap));
	}
	return sums;
}

/* sigma, the root of var d = mean d^2 - mean(d)^2; its derivatives are those of var d over 2 sigma
   (a Hessian too large, which is safe to step by) */
static void add_deviation(const seed_sums *s, double weight, double share, value *v)
{
	const double mean = s->d * share;
	/* rounding can make differences of equal numbers negative */
	const double deviation = sqrt(fmax(s->dd * share - mean * mean, 0) + smooth * smooth);
	v->j += weight * (deviation - smooth);
	weight /= 2 * deviation;
	for (int i = 0, at = 0; i < 3; i++) {
		v->g[i] += 2 * weight * (s->ud[i] * share - s->u[i] * share * mean);
		for (int j = i; j < 3; j++, at++) {
			v->h[at] += 2 * weight * (s->uu[at] * share - s->u[i] * s->u[j] * share * share);
		}
	}
}

static void add_prior(const search *s, ossai_vec3 c, value *v)
{
	const ossai_vec3 gap = ossai_sub(c, s->prior);
	const double away[3] = {gap.x, gap.y, gap.z};
	const double length = sqrt(ossai_length2(gap) + smooth * smooth), slope = s->alpha / length;
	v->j += s->alpha * (length - smooth);
	for (int i = 0; i < 3; i++) v->g[i] += slope * away[i];
	v->h[0] += slope;
	v->h[3] += slope;
	v->h[5] += slope;
}

/* 1 / count, rounded as the sum of weights that rigs of earlier versions were divided by */
static double seed_weight(uint32_t count)
{
	const double one = 1 + 1e-12;
	double sum = 0;
	for (uint32_t i = 0; i < count; i++) sum += one;
	return one / sum;
}

static value evaluate(const search *s, ossai_vec3 c)
{
	const size_t poses = s->e->surface->pose_count;
	const double share = 1 / (double)(poses + 1);
	value v;
	memset(&v, 0, sizeof v);
	for (size_t k = 0; k < poses; k++) s->path[k] = ossai_rigid_point(&s->e->motion->rigid[s->near * poses + k], c);
	for (int side = 0; side < 2; side++) {
		const uint32_t part = side ? s->far : s->near;
		const double weight = seed_weight(s->lists->first[part + 1] - s->lists->first[part]);
		for (uint32_t i = s->lists->first[part]; i < s->lists->first[part + 1]; i++) {
			const seed_sums sums = sum_seed(s, s->lists->vertex[i], c);
			add_deviation(&sums, weight, share, &v);
		}
	}
	add_prior(s, c, &v);
	return v;
}

/* Levenberg-Marquardt from c; `v` is J at c, before and after */
static ossai_vec3 descend(const search *s, ossai_vec3 c, value *v)
{
	double ridge = 1e-6;
	for (int step = 0; step < STEPS_MAX; step++) {
		const double most = fmax(v->h[0], fmax(v->h[3], v->h[5])), r = ridge * most + 1e-300;
		double h[9] = {v->h[0] + r, 0, 0, v->h[1], v->h[3] + r, 0, v->h[2], v->h[4], v->h[5] + r};
		double b[3] = {-v->g[0], -v->g[1], -v->g[2]};
		if (!ossai_cholesky_solve(3, h, b)) return c;
		const ossai_vec3 tried = ossai_add(c, ossai_v3_of(b));
		const double length = ossai_distance(tried, c);
		const value now = evaluate(s, tried);
		if (now.j < v->j) {
			c = tried;
			*v = now;
			ridge *= 0.1;
		} else {
			ridge = ridge < 1e-4 ? 1e-3 : ridge * 10;
		}
		if (length < least_step) return c;
	}
	return c;
}

/* ---- all joints ---- */

static void measure_pair(const ossai_bone_motion *motion, const ossai_bone_pair *pair, ossai_joint *joint)
{
	double sum = 0;
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_rigid *a = &motion->rigid[pair->a * motion->pose_count + k];
		const ossai_rigid *b = &motion->rigid[pair->b * motion->pose_count + k];
		sum += ossai_length2(ossai_sub(ossai_rigid_point(a, joint->position), ossai_rigid_point(b, joint->position)));
	}
	joint->residual = sqrt(sum / (double)motion->pose_count);
	joint->prior_distance = ossai_distance(joint->position, pair->prior);
	ossai_joint_measure_turns(motion, pair->a, pair->b, joint);
}

typedef struct joints_job {
	const ossai_variance_evidence *e;
	double alpha;
	seed_lists lists;
	ossai_joint *joint_of_pair;
	size_t grain;
	ossai_vec3 *paths; /* per range: K */
} joints_job;

static search search_of(const joints_job *job, uint32_t bone, ossai_vec3 *path)
{
	const ossai_tree *tree = job->e->tree;
	const ossai_vec3 prior = job->e->graph->pairs[tree->pair[bone]].prior;
	return (search){job->e, &job->lists, tree->parent[bone], bone, prior, job->alpha, path};
}

static void fit_bones(void *arg, size_t begin, size_t end)
{
	const joints_job *job = arg;
	for (size_t b = begin; b < end; b++) {
		const uint32_t pair = job->e->tree->pair[b];
		if (pair == OSSA_NONE) continue;
		search s = search_of(job, (uint32_t)b, job->paths + begin / job->grain * job->e->surface->pose_count);
		value v = evaluate(&s, s.prior);
		job->joint_of_pair[pair].position = descend(&s, s.prior, &v);
	}
}

static void evaluate_pairs(void *arg, size_t begin, size_t end)
{
	const joints_job *job = arg;
	for (size_t i = begin; i < end; i++) measure_pair(job->e->motion, &job->e->graph->pairs[i], &job->joint_of_pair[i]);
}

ossa_status ossai_variance_joints_fit(
	ossa_context *context, const ossai_variance_evidence *evidence, double alpha, ossai_joint *joint_of_pair)
{
	const size_t bones = evidence->tree->bone_count, poses = evidence->surface->pose_count;
	ossai_arena arena = ossai_arena_begin(context);
	joints_job job = {.e = evidence, .alpha = alpha, .joint_of_pair = joint_of_pair, .grain = bones / RANGES_MAX + 1};
	job.paths = ossai_arena_new(&arena, RANGES_MAX, poses * sizeof *job.paths);
	ossa_status status = list_seeds(&arena, evidence, &job.lists);
	if (!job.paths) status = ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_progress(context, 0);
	if (status == OSSA_OK) {
		for (size_t i = 0; i < evidence->graph->pair_count; i++) {
			joint_of_pair[i] = (ossai_joint){.position = evidence->graph->pairs[i].prior};
		}
		ossai_parallel_for(context, bones, job.grain, fit_bones, &job);
		ossai_parallel_for(context, evidence->graph->pair_count, 1, evaluate_pairs, &job);
	}
	ossai_arena_end(&arena);
	return status;
}

void ossai_joint_paths(const ossai_bone_graph *graph, const ossai_tree *tree, const ossai_joint *joint_of_pair,
	const ossai_bone_motion *motion, ossai_vec3 *joint, ossai_vec3 *position)
{
	const size_t poses = motion->pose_count;
	for (size_t b = 0; b < tree->bone_count; b++) {
		const size_t carrier = tree->parent[b] == OSSA_NONE ? b : tree->parent[b];
		joint[b] = tree->pair[b] == OSSA_NONE ? graph->center[b] : joint_of_pair[tree->pair[b]].position;
		for (size_t k = 0; k < poses; k++) {
			position[b * poses + k] = ossai_rigid_point(&motion->rigid[carrier * poses + k], joint[b]);
		}
	}
}
