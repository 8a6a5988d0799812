/* motion/pose_fit.c: see pose_fit.h. Four poses are fitted side by side; pose_sums.c makes the sums
   of y. */
#include "motion/pose_fit.h"

#include "math/rigid_fit.h"

#include <string.h>

/* closed-form rounds after the steps */
enum { LAST_SWEEPS = 2 };

/* the poses of a call, each in a lane */
typedef struct block {
	const ossai_pose_fit *fit;
	ossai_lanes *y;        /* B x 9 */
	ossai_lanes *r;        /* B x 9: rotations */
	ossai_lanes *tried;    /* B x 9 */
	ossai_lanes *residual; /* B x 9: sum u_b (v - x)^T with u_b = R_b y_b */
	ossai_lanes *turned;   /* B x 3: mean of u_b */
	ossai_lanes *h, *g;    /* normal equations */
	ossai_lanes vv;
} block;

/* ---- the error ---- */

OSSAI_INLINE void sum_means(const block *w, const ossai_lanes *r, ossai_lanes sum[3])
{
	const ossai_pose_fit *fit = w->fit;
	for (int i = 0; i < 3; i++) sum[i] = ossai_lanes_all(0);
	for (size_t b = 0; b < fit->sums->bone_count; b++) {
		ossai_lanes_turn(r + 9 * b, fit->mean + 3 * b, w->turned + 3 * b);
		for (size_t i = 0; i < 3; i++) sum[i] += w->turned[3 * b + i];
	}
}

/* with the best translation g, the mean of the targets less that of the bones' parts */
OSSAI_INLINE ossai_lanes free_part(const block *w, const ossai_lanes sum[3])
{
	return w->fit->sums->free_count * (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

OSSAI_INLINE ossai_lanes error_of(const block *w, const ossai_lanes *r)
{
	const ossai_pose_fit *fit = w->fit;
	ossai_lanes gain = ossai_lanes_all(0), sum[3];
	sum_means(w, r, sum);
	for (size_t b = 0; b < fit->sums->bone_count; b++) {
		ossai_lanes d[9];
		memcpy(d, w->y + 9 * b, sizeof d);
		for (size_t e = fit->row[b]; e < fit->middle[b]; e++) ossai_lanes_subtract(fit->n + 9 * e, r + 9 * fit->other[e], d);
		for (size_t i = 0; i < 9; i++) gain += r[9 * b + i] * d[i % 3 * 3 + i / 3];
	}
	return w->vv + fit->trace - 2 * gain - free_part(w, sum);
}

/* ---- one bone at a time ---- */

OSSAI_INLINE void sweep(const block *w)
{
	const ossai_pose_fit *fit = w->fit;
	ossai_lanes sum[3];
	sum_means(w, w->r, sum);
	for (size_t at = 0; at < fit->moving_count; at++) {
		const size_t b = fit->moving[at];
		const double *mean = fit->mean + 3 * b;
		ossai_lanes d[9], *turned = w->turned + 3 * b;
		/* the residual of the other bones: Y_b - sum_{c != b} N_bc R_c^T */
		memcpy(d, w->y + 9 * b, sizeof d);
		for (size_t e = fit->row[b]; e < fit->row[b + 1]; e++)
			ossai_lanes_subtract(fit->n + 9 * e, w->r + 9 * fit->other[e], d);
		for (int i = 0; i < 3; i++) sum[i] -= turned[i];
		for (int i = 0; i < 9; i++) d[i] += fit->sums->free_count * mean[i / 3] * sum[i % 3];
		ossai_rigid_rotations(d, w->r + 9 * b);
		ossai_lanes_turn(w->r + 9 * b, mean, turned);
		for (int i = 0; i < 3; i++) sum[i] += turned[i];
	}
}

/* ---- all bones together ---- */

/* the block of two bones, tr(U) I - U^T with U = sum u_b u_c^T */
OSSAI_INLINE void store_coupling(const block *w, size_t b, size_t c, const ossai_lanes u[9])
{
	const ossai_skyline *s = &w->fit->equations;
	const size_t p = w->fit->place[b], q = w->fit->place[c];
	if (p == OSSA_NONE || q == OSSA_NONE) return;
	const ossai_lanes trace = u[0] + u[4] + u[8];
	ossai_lanes *h = w->h + 9 * (p > q ? s->start[p] + q - s->first[p] : s->start[q] + p - s->first[q]);
	for (int i = 0; i < 9; i++) h[i] = (i % 4 == 0 ? trace : ossai_lanes_all(0)) - (p > q ? u[i % 3 * 3 + i / 3] : u[i]);
}

/* the pairs of bone b with those below it in number, and itself */
OSSAI_INLINE void couple(const block *w, size_t b)
{
	const ossai_pose_fit *fit = w->fit;
	const ossai_lanes *r = w->r + 9 * b;
	ossai_lanes *own = w->residual + 9 * b, left[9], u[9];
	for (size_t e = fit->row[b]; e <= fit->middle[b]; e++) {
		const size_t c = e < fit->middle[b] ? fit->other[e] : b;
		const double *n = e < fit->middle[b] ? fit->n + 9 * e : fit->self + 9 * b;
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) left[3 * i + j] = r[3 * i] * n[j] + r[3 * i + 1] * n[3 + j] + r[3 * i + 2] * n[6 + j];
		}
		const ossai_lanes *other = w->r + 9 * c;
		for (int i = 0; i < 3; i++) {
			for (int j = 0; j < 3; j++) {
				u[3 * i + j] = left[3 * i] * other[3 * j] + left[3 * i + 1] * other[3 * j + 1] +
					left[3 * i + 2] * other[3 * j + 2];
			}
		}
		store_coupling(w, b, c, u);
		if (c == b) break;
		ossai_lanes *theirs = w->residual + 9 * c;
		for (int i = 0; i < 9; i++) {
			own[i] -= u[i];
			theirs[i] -= u[i % 3 * 3 + i / 3];
		}
	}
}

/* the last row: moving g by dg and turning bone b by w_b changes x by dg + w_b x u_b */
OSSAI_INLINE void couple_translation(const block *w)
{
	const ossai_pose_fit *fit = w->fit;
	const ossai_skyline *s = &fit->equations;
	const double count = fit->sums->free_count;
	const ossai_lanes zero = ossai_lanes_all(0);
	if (!(count > 0)) return;
	ossai_lanes *row = w->h + 9 * s->start[s->count - 1];
	for (size_t at = 0; at < fit->moving_count; at++) {
		const size_t b = fit->moving[at];
		const ossai_lanes x = count * w->turned[3 * b], y = count * w->turned[3 * b + 1], z = count * w->turned[3 * b + 2];
		const ossai_lanes cross[9] = {zero, z, -y, -z, zero, x, y, -x, zero};
		memcpy(row + 9 * fit->place[b], cross, sizeof cross);
	}
	for (size_t i = 0; i < 9; i++) row[9 * fit->moving_count + i] = ossai_lanes_all(i % 4 == 0 ? count : 0);
	for (size_t i = 0; i < 3; i++) w->g[3 * fit->moving_count + i] = zero;
}

/* normal equations of the turns w_b (R_b <- exp(w_b) R_b) and of g:  sum_c H_bc w_c = g_b with g_b
   = axial of sum u_b (v - x)^T */
OSSAI_INLINE void normal_equations(const block *w)
{
	const ossai_pose_fit *fit = w->fit;
	const size_t n = fit->sums->bone_count;
	const double count = fit->sums->free_count;
	ossai_lanes sum[3];
	memset(w->h, 0, 9 * fit->equations.start[fit->equations.count] * sizeof *w->h);
	sum_means(w, w->r, sum);
	for (size_t b = 0; b < n; b++) {
		ossai_lanes *residual = w->residual + 9 * b;
		ossai_lanes_multiply(w->r + 9 * b, w->y + 9 * b, residual);
		for (size_t i = 0; i < 9; i++) residual[i] += count * w->turned[3 * b + i / 3] * sum[i % 3];
	}
	for (size_t b = 0; b < n; b++) couple(w, b);
	for (size_t at = 0; at < fit->moving_count; at++) {
		const ossai_lanes *residual = w->residual + 9 * fit->moving[at];
		ossai_lanes *g = w->g + 3 * fit->place[fit->moving[at]];
		g[0] = residual[5] - residual[7];
		g[1] = residual[6] - residual[2];
		g[2] = residual[1] - residual[3];
	}
	couple_translation(w);
}

/* mean of the diagonal of the bones' normal equations, g eliminated: the same for all rotations */
static double mean_diagonal(const ossai_pose_fit *fit)
{
	double trace = 0;
	for (size_t at = 0; at < fit->moving_count; at++) {
		const size_t b = fit->moving[at];
		const double *n = fit->self + 9 * b;
		trace += 2 * (n[0] + n[4] + n[8] - fit->sums->free_count * ossai_length2(ossai_v3_of(fit->mean + 3 * b)));
	}
	return trace / (3 * (double)fit->moving_count);
}

/* R_b turned by w_b: by Cayley's map, which is the exponential up to the third order */
OSSAI_INLINE void turn_bones(const block *w)
{
	const ossai_pose_fit *fit = w->fit;
	for (size_t at = 0; at < fit->moving_count; at++) {
		const size_t b = fit->moving[at];
		const ossai_lanes *g = w->g + 3 * fit->place[b];
		const ossai_lanes q[4] = {ossai_lanes_all(1), 0.5 * g[0], 0.5 * g[1], 0.5 * g[2]};
		ossai_lanes turn[9];
		ossai_lanes_rotation(q, 1 + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], turn);
		ossai_lanes_multiply(turn, w->r + 9 * b, w->tried + 9 * b);
	}
}

/* Gauss-Newton with increasing damping (Levenberg-Marquardt); a lane stops where no step lowers its
   error any more */
OSSAI_INLINE ossai_lanes newton(const block *w, ossai_lanes error)
{
	const ossai_pose_fit *fit = w->fit;
	const size_t n = fit->sums->bone_count;
	const double diagonal = mean_diagonal(fit);
	ossai_lanes ridge = ossai_lanes_all(1e-6);
	ossai_lane_mask going = ridge > 0, failed;
	memcpy(w->tried, w->r, 9 * n * sizeof *w->r);
	for (int step = 0; step < fit->newton && ossai_lanes_any(going); step++) {
		normal_equations(w);
		for (size_t at = 0; at < fit->moving_count; at++) {
			ossai_lanes *h = w->h + 9 * (fit->equations.start[at + 1] - 1);
			for (size_t i = 0; i < 9; i += 4) h[i] += ridge * diagonal + 1e-300;
		}
		ossai_skyline_solve(&fit->equations, w->h, w->g, &failed);
		going &= ~failed;
		turn_bones(w);
		const ossai_lanes now = error_of(w, w->tried);
		const ossai_lane_mask lower = going & (now < error), little = error - now < 1e-9 * error;
		for (size_t i = 0; i < 9 * n; i++) w->r[i] = ossai_lanes_choose(lower, w->tried[i], w->r[i]);
		error = ossai_lanes_choose(lower, now, error);
		const ossai_lanes more = ossai_lanes_choose(ridge < 1e-4, ossai_lanes_all(1e-3), ridge * 30);
		ridge = ossai_lanes_choose(lower, ridge * 0.1, more);
		going &= ~(lower & little) & (ridge <= 10);
	}
	return error;
}

/* ---- the poses of a call ---- */

/* rotations come in as lanes and leave so; the errors are those of the end */
OSSAI_CLONES static void fit_block(const block *w, ossai_lanes *error)
{
	const ossai_pose_fit *fit = w->fit;
	for (int i = 0; i < fit->sweeps; i++) sweep(w);
	*error = error_of(w, w->r);
	if (fit->newton <= 0) return;
	*error = newton(w, *error);
	if (!fit->is_stiff) return;
	/* steps of all bones together, except those that only stiffness determines */
	for (int i = 0; i < LAST_SWEEPS; i++) sweep(w);
	*error = error_of(w, w->r);
}

/* the last pose fills the lanes that are left */
static size_t lane_of(size_t lane, size_t count) { return lane < count ? lane : count - 1; }

static void load(const block *w, size_t count, const size_t *pose, ossai_mat3 *const *r)
{
	const size_t n = w->fit->sums->bone_count;
	for (size_t l = 0; l < OSSAI_LANES; l++) {
		const size_t from = lane_of(l, count);
		const double *y = w->fit->y + pose[from] * n * 9, *rotation = (const double *)r[from];
		for (size_t i = 0; i < 9 * n; i++) {
			((double *)(w->y + i))[l] = y[i];
			((double *)(w->r + i))[l] = rotation[i];
		}
	}
}

void ossai_pose_fit_rotations(
	const ossai_pose_fit *fit, size_t count, const size_t *pose, ossai_mat3 *const *r, double *error, double *scratch)
{
	const size_t n = fit->sums->bone_count;
	block w = {.fit = fit, .y = (ossai_lanes *)scratch};
	ossai_lanes errors;
	w.r = w.y + 9 * n;
	w.tried = w.r + 9 * n;
	w.residual = w.tried + 9 * n;
	w.turned = w.residual + 9 * n;
	w.g = w.turned + 3 * n;
	w.h = w.g + 3 * fit->equations.count;
	load(&w, count, pose, r);
	for (size_t l = 0; l < OSSAI_LANES; l++) w.vv[l] = fit->sums->vv[pose[lane_of(l, count)]];
	fit_block(&w, &errors);
	for (size_t l = 0; l < count; l++) {
		double *rotation = (double *)r[l];
		for (size_t i = 0; i < 9 * n; i++) rotation[i] = ((const double *)(w.r + i))[l];
		if (error) error[l] = errors[l];
	}
}

void ossai_pose_fit_store(const ossai_pose_fit *fit, size_t pose, const ossai_mat3 *r, ossai_rigid *rigid, size_t stride)
{
	const ossai_subtree_moments *sums = fit->sums;
	const ossai_tree *tree = fit->hierarchy->tree;
	/* g: the position of the root's joint under the motion */
	ossai_vec3 g = sums->origin[pose];
	for (size_t b = 0; b < sums->bone_count && sums->free_count > 0; b++) {
		g = ossai_sub(g, ossai_mat3_mul_v(&r[b], ossai_v3_of(fit->mean + 3 * b)));
	}
	/* R_b c_b + t_b = R_parent c_b + t_parent */
	for (size_t at = 0; at < sums->bone_count; at++) {
		const uint32_t b = tree->order[at];
		const ossai_vec3 c = fit->hierarchy->joint[b];
		const ossai_vec3 image = at == 0 ? g : ossai_rigid_point(&rigid[tree->parent[b] * stride], c);
		rigid[b * stride] = (ossai_rigid){r[b], ossai_sub(image, ossai_mat3_mul_v(&r[b], c))};
	}
}
