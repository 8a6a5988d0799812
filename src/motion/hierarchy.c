/* motion/hierarchy.c: see hierarchy.h. */
#include "motion/hierarchy.h"

#include "math/cholesky.h"
#include "math/rigid_fit.h"
#include "motion/subtree_moments.h"

#include <string.h>

/* a Gauss-Newton step is cubic in the bones: with more than these only the sweeps are run */
enum { NEWTON_BONES_MAX = 150, RANGES_MAX = 32 };

/* closed-form rounds after the steps */
enum { LAST_SWEEPS = 2 };

/* ---- the moments of y ---- */

/* the children of every bone, as lists */
typedef struct child_lists {
	uint32_t *first, *next; /* B each; OSSA_NONE ends */
} child_lists;

static ossa_status list_children(ossai_arena *arena, const ossai_tree *tree, child_lists *lists)
{
	const size_t n = tree->bone_count;
	lists->first = ossai_arena_new(arena, n, sizeof *lists->first);
	lists->next = ossai_arena_new(arena, n, sizeof *lists->next);
	if (!lists->first || !lists->next) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < n; b++) lists->first[b] = OSSA_NONE;
	for (size_t at = n; at-- > 1;) {
		const uint32_t b = tree->order[at], parent = tree->parent[b];
		lists->next[b] = lists->first[parent];
		lists->first[parent] = b;
	}
	return OSSA_OK;
}

/* One bone's y as a sum of simple terms: P_b once, and A_c times a joint for the bone itself
   (negative) and each child. */
typedef struct y_term {
	uint32_t bone;
	ossai_vec3 joint;
} y_term;

static size_t y_terms(const ossai_hierarchy *h, const child_lists *children, uint32_t b, y_term *terms)
{
	size_t count = 0;
	terms[count++] = (y_term){b, ossai_scale(h->joint[b], -1)};
	for (uint32_t d = children->first[b]; d != OSSA_NONE; d = children->next[d]) terms[count++] = (y_term){d, h->joint[d]};
	return count;
}

static void add_outer(double m[9], ossai_vec3 a, const double b[3], double scale)
{
	const double x[3] = {scale * a.x, scale * a.y, scale * a.z};
	for (int i = 0; i < 9; i++) m[i] += x[i / 3] * b[i % 3];
}

static void carry_pair(const ossai_subtree_moments *t, const y_term *tb, size_t nb, const y_term *tc, size_t nc, double m[9])
{
	const size_t n = t->bone_count, b = tb[0].bone, c = tc[0].bone;
	memcpy(m, t->pp + (b * n + c) * 9, 9 * sizeof *m);
	/* P_b (A joint)^T and (A joint) P_c^T */
	for (size_t j = 0; j < nc; j++) {
		const double *pa = t->pa + (b * n + tc[j].bone) * 3;
		const double joint[3] = {tc[j].joint.x, tc[j].joint.y, tc[j].joint.z};
		add_outer(m, ossai_v3_of(pa), joint, 1);
	}
	for (size_t i = 0; i < nb; i++) add_outer(m, tb[i].joint, t->pa + (c * n + tb[i].bone) * 3, 1);
	for (size_t i = 0; i < nb; i++) {
		for (size_t j = 0; j < nc; j++) {
			const double joint[3] = {tc[j].joint.x, tc[j].joint.y, tc[j].joint.z};
			add_outer(m, tb[i].joint, joint, t->aa[tb[i].bone * n + tc[j].bone]);
		}
	}
}

static ossa_status carry(ossai_arena *arena, const ossai_hierarchy *h, ossai_pose_fit *out)
{
	const ossai_subtree_moments *t = &out->sums;
	const size_t n = t->bone_count;
	child_lists children;
	OSSAI_TRY(list_children(arena, h->tree, &children));
	out->n = ossai_arena_new(arena, n, n * 9 * sizeof(double));
	out->y = ossai_arena_new(arena, t->pose_count, n * 9 * sizeof(double));
	out->mean = ossai_arena_new(arena, n, 3 * sizeof(double));
	y_term *tb = ossai_arena_new(arena, n + 1, sizeof *tb), *tc = ossai_arena_new(arena, n + 1, sizeof *tc);
	if (!out->n || !out->y || !out->mean || !tb || !tc) return ossa_context_error(arena->context)->status;
	for (uint32_t b = 0; b < n; b++) {
		const size_t nb = y_terms(h, &children, b, tb);
		for (uint32_t c = 0; c < n; c++) carry_pair(t, tb, nb, tc, y_terms(h, &children, c, tc), out->n + (b * n + c) * 9);
		ossai_vec3 mean = ossai_v3_of(t->p_mean + 3 * b);
		for (size_t i = 0; i < nb; i++) mean = ossai_madd(mean, t->a_mean[tb[i].bone], tb[i].joint);
		ossai_v3_store(mean, out->mean + 3 * b);
		for (size_t k = 0; k < t->pose_count; k++) {
			double *y = out->y + (k * n + b) * 9;
			memcpy(y, t->pv + (k * n + b) * 9, 9 * sizeof *y);
			for (size_t i = 0; i < nb; i++) add_outer(y, tb[i].joint, t->av + (k * n + tb[i].bone) * 3, 1);
		}
	}
	return OSSA_OK;
}

/* ---- rotations of one pose ---- */

/* w = R_b N_bc R_c^T */
static void turned(const double n[9], const ossai_mat3 *rb, const ossai_mat3 *rc, double w[9])
{
	double left[9];
	for (int i = 0; i < 9; i++) {
		const int r = i / 3, c = i % 3;
		left[i] = rb->m[r][0] * n[c] + rb->m[r][1] * n[3 + c] + rb->m[r][2] * n[6 + c];
	}
	for (int i = 0; i < 9; i++) {
		const int r = i / 3, c = i % 3;
		w[i] = left[3 * r] * rc->m[c][0] + left[3 * r + 1] * rc->m[c][1] + left[3 * r + 2] * rc->m[c][2];
	}
}

/* d = Y_b - sum_{c != b} N_bc R_c^T: the residual of the other bones */
static void residual_of(const ossai_pose_fit *fit, const ossai_mat3 *r, size_t k, size_t b, double d[9])
{
	const size_t n = fit->sums.bone_count;
	memcpy(d, fit->y + (k * n + b) * 9, 9 * sizeof *d);
	for (size_t c = 0; c < n; c++) {
		if (c == b) continue;
		const double *nbc = fit->n + (b * n + c) * 9;
		for (int i = 0; i < 9; i++) {
			const double *row = nbc + 3 * (i / 3);
			d[i] -= row[0] * r[c].m[i % 3][0] + row[1] * r[c].m[i % 3][1] + row[2] * r[c].m[i % 3][2];
		}
	}
}

static double pose_error(const ossai_pose_fit *fit, const ossai_mat3 *r, size_t k)
{
	const size_t n = fit->sums.bone_count;
	double error = fit->sums.vv[k];
	for (size_t b = 0; b < n; b++) {
		double d[9], w[9];
		/* sum_c tr(R_b N_bc R_c^T) - 2 tr(R_b Y_b) = tr(R_b (N_bb R_b^T - d)) - tr(R_b Y_b) */
		residual_of(fit, r, k, b, d);
		turned(fit->n + (b * n + b) * 9, &r[b], &r[b], w);
		error += w[0] + w[4] + w[8];
		const double *y = fit->y + (k * n + b) * 9;
		for (int i = 0; i < 9; i++) error -= r[b].m[i % 3][i / 3] * (d[i] + y[i]);
	}
	return error;
}

static void sweep(const ossai_pose_fit *fit, ossai_mat3 *r, size_t k)
{
	for (size_t i = 0; i < fit->moving_count; i++) {
		double d[9];
		const size_t b = fit->moving[i];
		residual_of(fit, r, k, b, d);
		r[b] = ossai_quat_matrix(ossai_rigid_rotation(d));
	}
}

/* normal equations of the turns w_b (R_b <- exp(w_b) R_b):  sum_c H_bc w_c = g_b with
   H_bc = tr(U) I - U^T, U = R_b N_bc R_c^T,  g_b = axial of sum u_b (v - x)^T */
static void normal_equations(const ossai_pose_fit *fit, const ossai_mat3 *r, size_t k, double *h, double *g)
{
	const size_t n = fit->sums.bone_count, size = 3 * fit->moving_count;
	for (size_t at = 0; at < fit->moving_count; at++) {
		double w[9], residual[9];
		const size_t b = fit->moving[at];
		const double *y = fit->y + (k * n + b) * 9;
		size_t other = 0; /* of the moving bones, up to this one */
		for (int i = 0; i < 9; i++) {
			const ossai_mat3 *rb = &r[b];
			residual[i] = rb->m[i / 3][0] * y[i % 3] + rb->m[i / 3][1] * y[3 + i % 3] + rb->m[i / 3][2] * y[6 + i % 3];
		}
		for (size_t c = 0; c < n; c++) {
			turned(fit->n + (b * n + c) * 9, &r[b], &r[c], w);
			for (int i = 0; i < 9; i++) residual[i] -= w[i];
			if (other > at || fit->moving[other] != c) continue;
			const double trace = w[0] + w[4] + w[8];
			for (size_t i = 0; i < 9; i++) {
				h[(3 * at + i / 3) * size + 3 * other + i % 3] = (i / 3 == i % 3 ? trace : 0) - w[3 * (i % 3) + i / 3];
			}
			other++;
		}
		g[3 * at] = residual[5] - residual[7];
		g[3 * at + 1] = residual[6] - residual[2];
		g[3 * at + 2] = residual[1] - residual[3];
	}
}

/* Gauss-Newton with increasing damping (Levenberg-Marquardt); stops where no step lowers the error
   any more */
static void newton(const ossai_pose_fit *fit, ossai_mat3 *r, size_t k, double *scratch)
{
	const size_t n = fit->sums.bone_count, size = 3 * fit->moving_count;
	double *h = scratch, *g = h + size * size;
	ossai_mat3 *tried = (ossai_mat3 *)(g + size);
	memcpy(tried, r, n * sizeof *r);
	double error = pose_error(fit, r, k), ridge = 1e-6;
	for (int step = 0; step < fit->newton; step++) {
		normal_equations(fit, r, k, h, g);
		double trace = 0;
		for (size_t i = 0; i < size; i++) trace += h[i * size + i];
		for (size_t i = 0; i < size; i++) h[i * size + i] += ridge * trace / (double)size + 1e-300;
		if (!ossai_cholesky_solve(size, h, g)) return;
		for (size_t i = 0; i < fit->moving_count; i++) {
			const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_exp(ossai_v3_of(g + 3 * i)));
			tried[fit->moving[i]] = ossai_mat3_mul(&turn, &r[fit->moving[i]]);
		}
		const double now = pose_error(fit, tried, k);
		if (now < error) {
			memcpy(r, tried, n * sizeof *r);
			if (error - now < 1e-9 * error) return;
			error = now;
			ridge *= 0.1;
		} else {
			ridge = ridge < 1e-4 ? 1e-3 : ridge * 30;
			if (ridge > 10) return;
		}
	}
}

/* ---- one pose ---- */

/* |R_b - R_parent|^2 for every bone is of the same form as the error */
static void stiffen(const ossai_tree *tree, double stiffness, double *n)
{
	const size_t count = tree->bone_count;
	for (size_t at = 1; at < count; at++) {
		const size_t b = tree->order[at], parent = tree->parent[b];
		for (size_t i = 0; i < 9; i += 4) {
			n[(b * count + b) * 9 + i] += stiffness;
			n[(parent * count + parent) * 9 + i] += stiffness;
			n[(b * count + parent) * 9 + i] -= stiffness;
			n[(parent * count + b) * 9 + i] -= stiffness;
		}
	}
}

static void prepare(
	const ossai_moments *moments, const ossai_hierarchy *hierarchy, int sweeps, int newton_steps, ossai_pose_fit *fit)
{
	const size_t n = moments->bone_count, size = 3 * n;
	*fit = (ossai_pose_fit){.hierarchy = hierarchy, .sweeps = sweeps, .newton = n <= NEWTON_BONES_MAX ? newton_steps : 0};
	fit->scratch_size = fit->newton > 0 ? size * size + size + 9 * n : 0;
}

/* sums for all bones, with the root free or fixed */
static ossa_status begin(ossai_arena *arena, const ossai_moments *moments, double stiffness, ossai_pose_fit *fit)
{
	const size_t n = moments->bone_count;
	OSSAI_TRY(ossai_subtree_moments_make(arena, moments, fit->hierarchy->tree, &fit->sums));
	if (fit->root) ossai_subtree_moments_hold(moments, fit->root, &fit->sums);
	OSSAI_TRY(carry(arena, fit->hierarchy, fit));
	fit->moving = ossai_arena_new(arena, n, sizeof *fit->moving);
	if (!fit->moving) return ossa_context_error(arena->context)->status;
	for (uint32_t b = 0; b < n; b++) fit->moving[fit->moving_count++] = b;
	fit->is_stiff = stiffness > 0;
	if (fit->is_stiff) stiffen(fit->hierarchy->tree, stiffness, fit->n);
	return OSSA_OK;
}

ossa_status ossai_pose_fit_begin(ossai_arena *arena, const ossai_moments *moments, const ossai_hierarchy *hierarchy, int sweeps,
	int newton_steps, double stiffness, ossai_pose_fit *fit)
{
	prepare(moments, hierarchy, sweeps, newton_steps, fit);
	return begin(arena, moments, stiffness, fit);
}

void ossai_pose_fit_rotations(const ossai_pose_fit *fit, size_t pose, ossai_mat3 *r, double *scratch)
{
	for (int i = 0; i < fit->sweeps; i++) sweep(fit, r, pose);
	if (fit->newton > 0) newton(fit, r, pose, scratch);
	/* steps of all bones together, except those that only stiffness determines */
	for (int i = 0; i < LAST_SWEEPS && fit->newton > 0 && fit->is_stiff; i++) sweep(fit, r, pose);
}

double ossai_pose_fit_error(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r) { return pose_error(fit, r, pose); }

void ossai_pose_fit_store(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r, ossai_rigid *rigid, size_t stride)
{
	const size_t n = fit->sums.bone_count;
	const ossai_tree *tree = fit->hierarchy->tree;
	/* g: the position of the root's joint under the motion */
	ossai_vec3 g = fit->root ? fit->root[pose] : ossai_v3_of(fit->sums.v_mean[pose]);
	for (size_t b = 0; b < n && !fit->root; b++) g = ossai_sub(g, ossai_mat3_mul_v(&r[b], ossai_v3_of(fit->mean + 3 * b)));
	/* R_b c_b + t_b = R_parent c_b + t_parent */
	for (size_t at = 0; at < n; at++) {
		const uint32_t b = tree->order[at];
		const ossai_vec3 c = fit->hierarchy->joint[b];
		const ossai_vec3 image = at == 0 ? g : ossai_rigid_point(&rigid[tree->parent[b] * stride], c);
		rigid[b * stride] = (ossai_rigid){r[b], ossai_sub(image, ossai_mat3_mul_v(&r[b], c))};
	}
}

/* ---- some bones of a pose ---- */

/* positions of the root's joint in each pose of the motion; NULL where memory ends */
static ossai_vec3 *root_positions(
	ossai_arena *arena, const ossai_moments *m, const ossai_hierarchy *hierarchy, const ossai_bone_motion *motion)
{
	const uint32_t root = hierarchy->tree->root;
	ossai_vec3 *positions = ossai_arena_new(arena, m->pose_count, sizeof *positions);
	for (size_t k = 0; positions && k < m->pose_count; k++) {
		positions[k] = ossai_rigid_point(&motion->rigid[root * m->pose_count + k], hierarchy->joint[root]);
	}
	return positions;
}

/* a fit of the marked bones alone (NULL: of all), with the root's joint fixed unless it is one of
   them */
static ossa_status begin_some(ossai_arena *arena, const ossai_moments *m, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, const ossai_bone_motion *motion, ossai_pose_fit *fit)
{
	if (moving && !moving[hierarchy->tree->root]) {
		fit->root = root_positions(arena, m, hierarchy, motion);
		if (!fit->root) return ossa_context_error(arena->context)->status;
	}
	OSSAI_TRY(begin(arena, m, 0, fit));
	fit->moving_count = 0;
	for (uint32_t b = 0; b < m->bone_count; b++) {
		if (!moving || moving[b]) fit->moving[fit->moving_count++] = b;
	}
	return OSSA_OK;
}

/* ---- all poses ---- */

typedef struct fit_job {
	const ossai_pose_fit *fit;
	const uint8_t *moving; /* B, or NULL: all */
	ossai_bone_motion *motion;
	size_t grain;    /* poses in a range */
	double *scratch; /* per range: rotations, and what a fit needs */
} fit_job;

/* as ossai_pose_fit_store, but bones that are not to move keep their bits */
static void store_some(
	const ossai_pose_fit *fit, const uint8_t *moving, size_t pose, const ossai_mat3 *r, ossai_rigid *rigid, size_t stride)
{
	const ossai_tree *tree = fit->hierarchy->tree;
	if (moving[tree->root]) {
		ossai_pose_fit_store(fit, pose, r, rigid, stride);
		return;
	}
	for (size_t at = 1; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at];
		const ossai_vec3 c = fit->hierarchy->joint[b];
		if (!moving[b]) continue;
		const ossai_vec3 image = ossai_rigid_point(&rigid[tree->parent[b] * stride], c);
		rigid[b * stride] = (ossai_rigid){r[b], ossai_sub(image, ossai_mat3_mul_v(&r[b], c))};
	}
}

static void fit_poses(void *arg, size_t begin, size_t end)
{
	const fit_job *job = arg;
	const size_t n = job->motion->bone_count, pose_count = job->motion->pose_count;
	double *scratch = job->scratch + begin / job->grain * (9 * n + job->fit->scratch_size);
	ossai_mat3 *r = (ossai_mat3 *)scratch;
	for (size_t k = begin; k < end; k++) {
		for (size_t b = 0; b < n; b++) r[b] = job->motion->rigid[b * pose_count + k].r;
		ossai_pose_fit_rotations(job->fit, k, r, scratch + 9 * n);
		if (!job->moving) ossai_pose_fit_store(job->fit, k, r, job->motion->rigid + k, pose_count);
		else store_some(job->fit, job->moving, k, r, job->motion->rigid + k, pose_count);
	}
}

ossa_status ossai_hierarchy_fit_some(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton_steps, ossai_bone_motion *motion)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_pose_fit fit;
	prepare(moments, hierarchy, sweeps, newton_steps, &fit);
	ossa_status status = begin_some(&arena, moments, hierarchy, moving, motion, &fit);
	if (status == OSSA_OK && fit.moving_count > 0) {
		fit_job job = {&fit, moving, motion, moments->pose_count / RANGES_MAX + 1, NULL};
		job.scratch = ossai_arena_new(&arena, RANGES_MAX, (9 * moments->bone_count + fit.scratch_size) * sizeof(double));
		if (job.scratch) ossai_parallel_for(context, moments->pose_count, job.grain, fit_poses, &job);
		else status = ossa_context_error(context)->status;
	}
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_hierarchy_fit(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	int sweeps, int newton_steps, ossai_bone_motion *motion)
{
	return ossai_hierarchy_fit_some(context, moments, hierarchy, NULL, sweeps, newton_steps, motion);
}
