/* motion/hierarchy.c: see hierarchy.h. */
#include "motion/hierarchy.h"

enum { RANGES_MAX = 32 };

typedef struct fit_job {
	const ossai_pose_fit *fit;
	const uint8_t *moving; /* B, or NULL: all */
	ossai_bone_motion *motion;
	double *error;       /* K */
	size_t grain;        /* blocks of OSSAI_LANES poses in a range */
	size_t scratch_size; /* doubles for each range: rotations, and what a fit needs */
	double *scratch;
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

static void fit_blocks(void *arg, size_t begin, size_t end)
{
	const fit_job *job = arg;
	const size_t n = job->motion->bone_count, pose_count = job->motion->pose_count;
	double *scratch = job->scratch + begin / job->grain * job->scratch_size;
	for (size_t block = begin; block < end; block++) {
		size_t pose[OSSAI_LANES] = {0}, count = 0;
		ossai_mat3 *r[OSSAI_LANES];
		for (size_t k = block * OSSAI_LANES; k < pose_count && count < OSSAI_LANES; k++, count++) {
			pose[count] = k;
			r[count] = (ossai_mat3 *)scratch + count * n;
			for (size_t b = 0; b < n; b++) r[count][b] = job->motion->rigid[b * pose_count + k].r;
		}
		ossai_pose_fit_rotations(job->fit, count, pose, r, job->error + pose[0], scratch + OSSAI_LANES * 9 * n);
		for (size_t i = 0; i < count; i++) {
			ossai_rigid *rigid = job->motion->rigid + pose[i];
			if (!job->moving) ossai_pose_fit_store(job->fit, pose[i], r[i], rigid, pose_count);
			else store_some(job->fit, job->moving, pose[i], r[i], rigid, pose_count);
		}
	}
}

/* error: K, or NULL */
static ossa_status fit_poses(ossa_context *context, ossai_arena *arena, const ossai_pose_fit *fit, const uint8_t *moving,
	ossai_bone_motion *motion, double *error)
{
	const size_t pose_count = motion->pose_count, blocks = (pose_count + OSSAI_LANES - 1) / OSSAI_LANES;
	fit_job job = {.fit = fit, .moving = moving, .motion = motion, .grain = blocks / RANGES_MAX + 1};
	job.scratch_size = OSSAI_LANES * 9 * motion->bone_count + fit->scratch_size;
	job.scratch = ossai_arena_new(arena, (blocks - 1) / job.grain + 1, job.scratch_size * sizeof(double));
	job.error = error ? error : ossai_arena_new(arena, pose_count, sizeof(double));
	if (!job.scratch || !job.error) return ossa_context_error(context)->status;
	ossai_parallel_for(context, blocks, job.grain, fit_blocks, &job);
	return OSSA_OK;
}

ossa_status ossai_hierarchy_fit_part(ossa_context *context, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton, ossai_bone_motion *motion, double *error)
{
	const ossai_pose_fit_plan plan = {.moving = moving, .sweeps = sweeps, .newton = newton};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_pose_fit fit;
	ossa_status status = ossai_pose_fit_begin(&arena, sums, hierarchy, &plan, &fit);
	if (status == OSSA_OK) status = fit_poses(context, &arena, &fit, moving, motion, error);
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_hierarchy_fit(ossa_context *context, const ossai_subtree_moments *sums, const ossai_hierarchy *hierarchy,
	int sweeps, int newton, ossai_bone_motion *motion, double *error)
{
	ossai_arena arena = ossai_arena_begin(context);
	double *of_pose = ossai_arena_new(&arena, motion->pose_count, sizeof *of_pose);
	ossa_status status = of_pose ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) status = ossai_hierarchy_fit_part(context, sums, hierarchy, NULL, sweeps, newton, motion, of_pose);
	if (status == OSSA_OK && error) *error = ossai_error_of_poses(motion->pose_count, of_pose);
	ossai_arena_end(&arena);
	return status;
}

/* ---- some bones ---- */

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

static ossa_status fit_some(ossai_arena *arena, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	const ossai_pose_fit_plan *plan, ossai_bone_motion *motion)
{
	const bool is_held = plan->moving && !plan->moving[hierarchy->tree->root];
	const ossai_vec3 *root = is_held ? root_positions(arena, moments, hierarchy, motion) : NULL;
	ossai_subtree_moments sums;
	ossai_pose_fit fit;
	if (is_held && !root) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_subtree_moments_make(arena, moments, hierarchy->tree, root, &sums));
	OSSAI_TRY(ossai_pose_fit_begin(arena, &sums, hierarchy, plan, &fit));
	if (fit.moving_count == 0) return OSSA_OK;
	return fit_poses(arena->context, arena, &fit, plan->moving, motion, NULL);
}

ossa_status ossai_hierarchy_fit_some(ossa_context *context, const ossai_moments *moments, const ossai_hierarchy *hierarchy,
	const uint8_t *moving, int sweeps, int newton, ossai_bone_motion *motion)
{
	const ossai_pose_fit_plan plan = {.moving = moving, .sweeps = sweeps, .newton = newton};
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = fit_some(&arena, moments, hierarchy, &plan, motion);
	ossai_arena_end(&arena);
	return status;
}
