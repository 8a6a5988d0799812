/* motion/free_bones.c: see free_bones.h. Four poses are fitted side by side: each lane has the
   bytes that it would have alone. */
#include "motion/free_bones.h"

#include "math/rigid_fit.h"
#include "motion/lane_motion.h"

/* a bone of less weight stays where it is */
static const double least_weight = 1e-12;

typedef struct fit_job {
	const ossai_moments *m;
	ossai_bone_motion *motion;
	int sweeps;
	ossai_lanes *rows; /* of each block of poses, B x 12 */
} fit_job;

/* d: B's sums of targets, C_jk */
OSSAI_INLINE void load_targets(const ossai_moments *m, size_t bone, size_t k, ossai_lanes d[12])
{
	const double *rows = m->c + bone * 12 * m->pose_count;
	memset(d, 0, 12 * sizeof *d);
	for (size_t l = 0; l < OSSAI_LANES; l++) {
		const double *at = rows + 3 * ossai_lane_pose(k, l, m->pose_count);
		for (size_t i = 0; i < 12; i++) d[i][l] = at[i / 3 * 3 * m->pose_count + i % 3];
	}
}

/* d -= S_jl X_l^T: the part of bone j's targets that bone l explains */
OSSAI_INLINE void subtract_bone(const double s[10], const ossai_lanes x[12], ossai_lanes d[12])
{
	const double full[4][4] = {
		{s[0], s[1], s[2], s[3]}, {s[1], s[4], s[5], s[6]}, {s[2], s[5], s[7], s[8]}, {s[3], s[6], s[8], s[9]}};
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
#pragma GCC unroll 3
		for (int c = 0; c < 3; c++) {
			d[3 * i + c] -= full[i][0] * x[4 * c] + full[i][1] * x[4 * c + 1] + full[i][2] * x[4 * c + 2] +
				full[i][3] * x[4 * c + 3];
		}
	}
}

/* the best motion of a bone: d = sum a p~ y^T of the residual targets, s = S_jj */
OSSAI_INLINE void fit_bone(const double s[10], const ossai_lanes d[12], ossai_lanes x[12])
{
	if (!(s[9] > least_weight)) return;
	const double mean[3] = {s[3] / s[9], s[6] / s[9], s[8] / s[9]}, share = 1 / s[9];
	ossai_lanes m[9], r[9], turned[3];
	for (int i = 0; i < 9; i++) m[i] = d[i] - mean[i / 3] * d[9 + i % 3];
	ossai_rigid_each_rotation(m, r);
	ossai_lanes_turn(r, mean, turned);
	for (int i = 0; i < 9; i++) x[4 * (i / 3) + i % 3] = r[i];
	for (int i = 0; i < 3; i++) x[4 * i + 3] = d[9 + i] * share - turned[i];
}

OSSAI_CLONES static void sweep(const ossai_moments *m, size_t k, ossai_lanes *x)
{
	const size_t bone_count = m->bone_count;
	for (size_t j = 0; j < bone_count; j++) {
		ossai_lanes d[12];
		load_targets(m, j, k, d);
		for (size_t e = m->of_bone.start[j]; e < m->of_bone.start[j + 1]; e++) {
			const uint32_t pair = m->of_bone.item[e], *ends = m->pairs[pair];
			subtract_bone(m->s[pair], x + 12 * (ends[0] == j ? ends[1] : ends[0]), d);
		}
		fit_bone(m->s[m->pair_of[j * bone_count + j]], d, x + 12 * j);
	}
}

static void fit_blocks(void *arg, size_t begin, size_t end)
{
	const fit_job *job = arg;
	for (size_t block = begin; block < end; block++) {
		ossai_lanes *x = job->rows + block * 12 * job->m->bone_count;
		ossai_lane_motion_load(job->motion, OSSAI_LANES * block, x);
		for (int i = 0; i < job->sweeps; i++) sweep(job->m, OSSAI_LANES * block, x);
		ossai_lane_motion_store(x, OSSAI_LANES * block, job->motion);
	}
}

ossa_status ossai_free_bones_fit(ossa_context *context, const ossai_moments *moments, int sweeps, ossai_bone_motion *motion)
{
	const size_t blocks = ossai_lanes_up(moments->pose_count) / OSSAI_LANES;
	ossai_arena arena = ossai_arena_begin(context);
	fit_job job = {moments, motion, sweeps, ossai_arena_new(&arena, blocks * moments->bone_count, 12 * sizeof *job.rows)};
	const ossa_status status = job.rows ? OSSA_OK : ossa_context_error(context)->status;
	if (job.rows) ossai_parallel_for(context, blocks, 1, fit_blocks, &job);
	ossai_arena_end(&arena);
	return status;
}
