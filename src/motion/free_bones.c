/* motion/free_bones.c: see free_bones.h. */
#include "motion/free_bones.h"

#include "math/rigid_fit.h"

typedef struct fit_job {
	const ossai_moments *m;
	ossai_bone_motion *motion;
	int sweeps;
} fit_job;

/* d -= S_jl X_l^T: the part of bone j's targets that bone l explains */
static void subtract_bone(const double s[10], const ossai_rigid *x, double d[12])
{
	const double full[4][4] = {
		{s[0], s[1], s[2], s[3]}, {s[1], s[4], s[5], s[6]}, {s[2], s[5], s[7], s[8]}, {s[3], s[6], s[8], s[9]}};
	const double t[3] = {x->t.x, x->t.y, x->t.z};
	for (int i = 0; i < 4; i++) {
		for (int c = 0; c < 3; c++) {
			d[3 * i + c] -= full[i][0] * x->r.m[c][0] + full[i][1] * x->r.m[c][1] + full[i][2] * x->r.m[c][2] +
				full[i][3] * t[c];
		}
	}
}

/* the best motion of a bone: d = sum a p~ y^T of the residual targets, s = S_jj */
static void fit_bone(const double s[10], const double d[12], ossai_rigid *x)
{
	if (!(s[9] > 1e-12)) return;
	const double mean[3] = {s[3] / s[9], s[6] / s[9], s[8] / s[9]};
	double m[9];
	for (int i = 0; i < 9; i++) m[i] = d[i] - mean[i / 3] * d[9 + i % 3];
	x->r = ossai_quat_matrix(ossai_rigid_rotation(m));
	x->t = ossai_sub(ossai_scale(ossai_v3_of(d + 9), 1 / s[9]), ossai_mat3_mul_v(&x->r, ossai_v3_of(mean)));
}

static void fit_poses(void *arg, size_t begin, size_t end)
{
	const fit_job *job = arg;
	const ossai_moments *m = job->m;
	const size_t bone_count = m->bone_count, pose_count = m->pose_count;
	for (size_t k = begin; k < end; k++) {
		for (int sweep = 0; sweep < job->sweeps; sweep++) {
			for (size_t j = 0; j < bone_count; j++) {
				double d[12];
				ossai_moments_target(m, j, k, d);
				for (size_t e = m->of_bone.start[j]; e < m->of_bone.start[j + 1]; e++) {
					const uint32_t pair = m->of_bone.item[e], *ends = m->pairs[pair];
					const size_t other = ends[0] == j ? ends[1] : ends[0];
					subtract_bone(m->s[pair], &job->motion->rigid[other * pose_count + k], d);
				}
				fit_bone(m->s[m->pair_of[j * bone_count + j]], d, &job->motion->rigid[j * pose_count + k]);
			}
		}
	}
}

void ossai_free_bones_fit(ossa_context *context, const ossai_moments *moments, int sweeps, ossai_bone_motion *motion)
{
	fit_job job = {moments, motion, sweeps};
	ossai_parallel_for(context, moments->pose_count, 1, fit_poses, &job);
}
