/* motion/descent.c: see descent.h. */
#include "motion/descent.h"

#include <string.h>

/* frames in a row that begin with the parts' rotations and continue from each other; how often the
   axes are cycled through; frames between two tests for cancellation */
enum { RUN = 32, CYCLES = 2, BLOCK = 16 * RUN };

/* radians: a smaller rotation ends the cycles about a joint; squared diagonals: an error per joint
   that needs no more sweeps, and moments that are rounding errors */
static const double least_turn = 1e-3, no_error = 1e-13, no_moment = 1e-20;

/* Of the joints of a subtree: their number, sum x, sum w, sum x w^T (x the positions, w the
   targets). */
typedef struct subtree_sums {
	double count;
	ossai_vec3 x, w;
	ossai_mat3 xw;
} subtree_sums;

/* Of a bone's markers: their number, sum a, sum w, sum a w^T (a from the joint at rest, w the
   targets), sum a^2 + w^2. */
typedef struct marker_sums {
	double count;
	ossai_vec3 a, w;
	ossai_mat3 aw;
	double squares;
} marker_sums;

/* One bone while a frame is fitted. */
typedef struct bone_state {
	ossai_mat3 r;    /* its rotation against the rest pose */
	ossai_mat3 turn; /* of the last sweep, before its ancestors rotated */
	ossai_vec3 x, w; /* its joint, and the joint's target */
	marker_sums markers;
	subtree_sums below; /* its markers, the joints of its descendants and their markers */
} bone_state;

typedef struct descent_job {
	const ossai_hierarchy *h;
	const ossai_vec3 *wanted;
	const ossai_bone_motion *parts;
	const ossai_descent_options *options;
	ossai_bone_motion *motion;
	size_t first;       /* of the block's frames */
	bone_state *states; /* two for each bone, for each run of a block */
	double *errors;     /* K */
} descent_job;

/* ---- sums ---- */

static void add_outer(ossai_mat3 *m, ossai_vec3 a, ossai_vec3 b, double scale)
{
	const double left[3] = {scale * a.x, scale * a.y, scale * a.z}, right[3] = {b.x, b.y, b.z};
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) m->m[i][j] += left[i] * right[j];
	}
}

static void add_joint(subtree_sums *sums, ossai_vec3 x, ossai_vec3 w)
{
	sums->count += 1;
	sums->x = ossai_add(sums->x, x);
	sums->w = ossai_add(sums->w, w);
	add_outer(&sums->xw, x, w, 1);
}

static void add_sums(subtree_sums *to, const subtree_sums *from)
{
	to->count += from->count;
	to->x = ossai_add(to->x, from->x);
	to->w = ossai_add(to->w, from->w);
	for (int i = 0; i < 9; i++) to->xw.m[i / 3][i % 3] += from->xw.m[i / 3][i % 3];
}

/* sum (x - c) (w - c)^T */
static ossai_mat3 about(const subtree_sums *sums, ossai_vec3 c)
{
	ossai_mat3 m = sums->xw;
	add_outer(&m, c, sums->w, -1);
	add_outer(&m, sums->x, c, -1);
	add_outer(&m, c, c, sums->count);
	return m;
}

/* the sums after the x have been rotated about c */
static void turn_sums(subtree_sums *sums, const ossai_mat3 *turn, ossai_vec3 c)
{
	/* sum (x - c) w^T and sum (x - c) turn as they are */
	add_outer(&sums->xw, c, sums->w, -1);
	sums->xw = ossai_mat3_mul(turn, &sums->xw);
	add_outer(&sums->xw, c, sums->w, 1);
	const ossai_vec3 center = ossai_scale(c, sums->count);
	sums->x = ossai_add(center, ossai_mat3_mul_v(turn, ossai_sub(sums->x, center)));
}

/* ---- markers ---- */

static void sum_markers(const descent_job *job, bone_state *s, size_t k)
{
	const ossai_descent_markers *m = &job->options->markers;
	for (size_t b = 0; b < job->h->tree->bone_count; b++) s[b].markers = (marker_sums){0};
	for (size_t i = 0; i < m->count; i++) {
		const uint32_t b = m->bone[i];
		if (b == OSSA_NONE) continue;
		const ossai_vec3 a = ossai_sub(ossai_rest_point(m->surface, m->vertex[i]), job->h->joint[b]);
		const ossai_vec3 w = ossai_pose_point(m->surface, m->vertex[i], k);
		marker_sums *sums = &s[b].markers;
		sums->count += 1;
		sums->a = ossai_add(sums->a, a);
		sums->w = ossai_add(sums->w, w);
		add_outer(&sums->aw, a, w, 1);
		sums->squares += ossai_length2(a) + ossai_length2(w);
	}
}

/* as points where the bone holds them */
static subtree_sums place_markers(const bone_state *s)
{
	const marker_sums *m = &s->markers;
	subtree_sums sums = {.count = m->count, .w = m->w, .xw = ossai_mat3_mul(&s->r, &m->aw)};
	sums.x = ossai_madd(ossai_mat3_mul_v(&s->r, m->a), m->count, s->x);
	add_outer(&sums.xw, s->x, m->w, 1);
	return sums;
}

/* sum |x + R a - w|^2 */
static double marker_error(const bone_state *s)
{
	const marker_sums *m = &s->markers;
	const subtree_sums placed = place_markers(s);
	const double turned = placed.xw.m[0][0] + placed.xw.m[1][1] + placed.xw.m[2][2];
	const ossai_vec3 arm = ossai_mat3_mul_v(&s->r, m->a);
	return fmax(m->squares + m->count * ossai_length2(s->x) + 2 * ossai_dot(s->x, arm) - 2 * turned, 0);
}

/* ---- one joint ---- */

/* The best rotation about a unit axis for M = sum v w^T: tr(Q M) = cos (tr M - u M u) + sin u . sum
   v x w + u M u. Returns its size: the sine, or 2 beyond a right angle. */
static double best_turn(const ossai_mat3 *m, ossai_vec3 u, ossai_mat3 *turn)
{
	const ossai_vec3 across = ossai_v3(m->m[1][2] - m->m[2][1], m->m[2][0] - m->m[0][2], m->m[0][1] - m->m[1][0]);
	const double along = ossai_dot(u, ossai_mat3_mul_v(m, u));
	const double x = m->m[0][0] + m->m[1][1] + m->m[2][2] - along, y = ossai_dot(u, across), length = hypot(x, y);
	/* nothing off the axis: every angle is optimal */
	if (!(length > no_moment)) return 0;
	const double c = x / length, s = y / length, t = 1 - c;
	*turn = (ossai_mat3){{{c + t * u.x * u.x, t * u.x * u.y - s * u.z, t * u.x * u.z + s * u.y},
		{t * u.x * u.y + s * u.z, c + t * u.y * u.y, t * u.y * u.z - s * u.x},
		{t * u.x * u.z - s * u.y, t * u.y * u.z + s * u.x, c + t * u.z * u.z}}};
	return c > 0 ? fabs(s) : 2;
}

/* cyclic coordinate descent over rotations about the columns of `axes` */
static ossai_mat3 turn_joint(ossai_mat3 m, const ossai_mat3 *axes)
{
	ossai_mat3 all = ossai_mat3_identity();
	for (int cycle = 0; cycle < CYCLES; cycle++) {
		double most = 0;
		for (int i = 0; i < 3; i++) {
			ossai_mat3 turn;
			const double change = best_turn(&m, ossai_v3(axes->m[0][i], axes->m[1][i], axes->m[2][i]), &turn);
			if (change == 0) continue;
			all = ossai_mat3_mul(&turn, &all);
			m = ossai_mat3_mul(&turn, &m);
			most = fmax(most, change);
		}
		if (most < least_turn) break;
	}
	return all;
}

/* ---- one frame ---- */

/* positions of all joints, from the root's on; returns the squared error */
static double place_joints(const descent_job *job, bone_state *s)
{
	const ossai_tree *tree = job->h->tree;
	double error = 0;
	for (size_t at = 0; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], up = tree->parent[b];
		if (up != OSSA_NONE) {
			const ossai_vec3 bone = ossai_sub(job->h->joint[b], job->h->joint[up]);
			s[b].x = ossai_add(s[up].x, ossai_mat3_mul_v(&s[up].r, bone));
		}
		error += ossai_length2(ossai_sub(s[b].x, s[b].w)) + marker_error(&s[b]);
	}
	return error;
}

/* all joints from the leaves to the root, then the root's position; returns the squared error */
static double sweep(const descent_job *job, bone_state *s)
{
	const ossai_tree *tree = job->h->tree;
	const ossai_mat3 world = ossai_mat3_identity();
	for (size_t b = 0; b < tree->bone_count; b++) s[b].below = place_markers(&s[b]);
	for (size_t at = tree->bone_count; at-- > 0;) {
		const uint32_t b = tree->order[at], up = tree->parent[b];
		s[b].turn = world;
		if (s[b].below.count > 0) {
			s[b].turn = turn_joint(about(&s[b].below, s[b].x), up == OSSA_NONE ? &world : &s[up].r);
			turn_sums(&s[b].below, &s[b].turn, s[b].x);
		}
		if (up == OSSA_NONE) break;
		add_joint(&s[b].below, s[b].x, s[b].w);
		add_sums(&s[up].below, &s[b].below);
	}
	/* descendants rotated before rotate along with their ancestors */
	for (size_t at = 0; at < tree->bone_count; at++) {
		const uint32_t b = tree->order[at], up = tree->parent[b];
		if (up != OSSA_NONE) s[b].turn = ossai_mat3_mul(&s[up].turn, &s[b].turn);
		s[b].r = ossai_mat3_mul(&s[b].turn, &s[b].r);
	}
	bone_state *root = &s[tree->root];
	subtree_sums all = root->below;
	add_joint(&all, root->x, root->w);
	root->x = ossai_madd(root->x, 1 / all.count, ossai_sub(all.w, all.x));
	return place_joints(job, s);
}

/* sweeps accumulate rounding errors */
static void normalise_turns(const descent_job *job, bone_state *s)
{
	for (size_t b = 0; b < job->h->tree->bone_count; b++) s[b].r = ossai_quat_matrix(ossai_mat3_quat(&s[b].r));
}

static void begin_with_parts(const descent_job *job, bone_state *s, size_t k)
{
	const size_t poses = job->motion->pose_count;
	for (size_t b = 0; b < job->h->tree->bone_count; b++) {
		s[b].r = job->parts->rigid[b * poses + k].r;
		s[b].w = job->wanted[b * poses + k];
		s[b].x = s[b].w;
	}
}

/* `s` is the frame before, unless this is the first; `other` is scratch */
static void begin_frame(const descent_job *job, bone_state *s, bone_state *other, size_t k, bool is_first)
{
	const size_t bones = job->h->tree->bone_count;
	begin_with_parts(job, other, k);
	sum_markers(job, other, k);
	const double parts = place_joints(job, other);
	if (!is_first) {
		for (size_t b = 0; b < bones; b++) {
			s[b].w = other[b].w;
			s[b].markers = other[b].markers;
		}
		s[job->h->tree->root].x = s[job->h->tree->root].w;
		if (place_joints(job, s) < parts) return;
	}
	memcpy(s, other, bones * sizeof *s);
}

static void fit_frame(const descent_job *job, bone_state *s, size_t k)
{
	const size_t bones = job->h->tree->bone_count, poses = job->motion->pose_count;
	double error = place_joints(job, s);
	for (int i = 0; i < job->options->sweeps && error > no_error * (double)bones; i++) {
		const double now = sweep(job, s);
		const bool stalls = error - now <= job->options->least_gain * error;
		error = now;
		if (stalls) break;
	}
	normalise_turns(job, s);
	job->errors[k] = place_joints(job, s);
	for (size_t b = 0; b < bones; b++) {
		const ossai_vec3 moved = ossai_sub(s[b].x, ossai_mat3_mul_v(&s[b].r, job->h->joint[b]));
		job->motion->rigid[b * poses + k] = (ossai_rigid){s[b].r, moved};
	}
}

static void fit_run(void *arg, size_t begin, size_t end)
{
	const descent_job *job = arg;
	const size_t bones = job->h->tree->bone_count;
	bone_state *s = job->states + begin / RUN * 2 * bones, *other = s + bones;
	for (size_t k = begin; k < end; k++) {
		begin_frame(job, s, other, job->first + k, k == begin);
		fit_frame(job, s, job->first + k);
	}
}

static ossa_status fit_blocks(ossa_context *context, descent_job *job)
{
	const size_t poses = job->motion->pose_count;
	for (job->first = 0; job->first < poses; job->first += BLOCK) {
		OSSAI_TRY(ossai_progress(context, 0));
		const size_t left = poses - job->first;
		ossai_parallel_for(context, left < BLOCK ? left : BLOCK, RUN, fit_run, job);
	}
	return OSSA_OK;
}

ossa_status ossai_descent_fit(ossa_context *context, const ossai_hierarchy *hierarchy, const ossai_vec3 *wanted,
	const ossai_bone_motion *parts, const ossai_descent_options *options, ossai_bone_motion *motion, double *rms)
{
	const size_t bones = hierarchy->tree->bone_count, poses = motion->pose_count;
	ossai_arena arena = ossai_arena_begin(context);
	descent_job job = {hierarchy, wanted, parts, options, motion, 0, NULL, NULL};
	job.states = ossai_arena_new(&arena, BLOCK / RUN, 2 * bones * sizeof *job.states);
	job.errors = ossai_arena_new(&arena, poses, sizeof *job.errors);
	const ossa_status status = job.states && job.errors ? fit_blocks(context, &job) : ossa_context_error(context)->status;
	if (status == OSSA_OK && rms) {
		double sum = 0;
		for (size_t k = 0; k < poses; k++) sum += job.errors[k];
		*rms = sqrt(sum / (double)(bones * poses));
	}
	ossai_arena_end(&arena);
	return status;
}
