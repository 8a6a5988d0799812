/* methods/shape_search.c: which ramp of which joint explains most of the error.

   Place in the path: stage of shapes.c.
   Input: ramps, the error that is left.
   Output: the best ramp of each joint.
   With a displacement d at rest the error of a vertex in frame k is |e_k - w_k M_k d|^2, M_k the
   blend of its bones' rotations. Where M_k' M_k is m_k times the identity, the best d is sum w_k
   M_k' e_k / sum w_k^2 m_k; of frames that are left out the error falls by sum 2 w_k d' M_k' e_k -
   w_k^2 m_k |d|^2 with the d of the others. So one pass over the frames of a vertex serves all
   ramps and all blocks of frames. */
#include "methods/shape_fit.h"

#include <string.h>

/* of one vertex and one ramp, the sums over each block of frames */
typedef struct block_sums {
	ossai_vec3 we[OSSAI_SHAPE_BLOCKS]; /* w M' e */
	double ww[OSSAI_SHAPE_BLOCKS];     /* w^2 m */
} block_sums;

ossai_mat3 ossai_shape_blend(const ossai_shape_work *w, size_t vertex, size_t k)
{
	const ossa_weights *weights = &w->rig->weights;
	const double *matrices = w->matrices + 12 * w->bones * k;
	const size_t first = vertex * (size_t)weights->influences;
	ossai_mat3 sum = {{{0}}};
	for (size_t i = first; i < first + (size_t)weights->influences; i++) {
		const double share = weights->values[i];
		if (share == 0) continue;
		const double *m = matrices + 12 * (size_t)weights->bones[i];
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 3; c++) sum.m[r][c] += share * m[4 * r + c];
		}
	}
	return sum;
}

static double scale2(const ossai_mat3 *m)
{
	double sum = 0;
	for (int i = 0; i < 9; i++) sum += m->m[i / 3][i % 3] * m->m[i / 3][i % 3];
	return sum / 3;
}

static void add_vertex(const ossai_shape_work *w, const ossai_shape_joint *joint, size_t vertex, block_sums *sums)
{
	memset(sums, 0, joint->count * sizeof *sums);
	for (size_t k = 0; k < w->frames; k++) {
		const ossai_mat3 blend = ossai_shape_blend(w, vertex, k);
		const ossai_vec3 e = ossai_mat3_tmul_v(&blend, ossai_v3_of_float(w->error + 3 * (vertex * w->frames + k)));
		const double m = scale2(&blend);
		const size_t block = w->block[k];
		for (size_t r = 0; r < joint->count; r++) {
			const double weight = joint->weight[r * w->frames + k];
			if (weight == 0) continue;
			sums[r].we[block] = ossai_madd(sums[r].we[block], weight, e);
			sums[r].ww[block] += weight * weight * m;
		}
	}
}

/* by how much the error of left out frames falls */
static double held_gain(const block_sums *sums, size_t blocks)
{
	ossai_vec3 we = {0, 0, 0};
	double ww = 0, gain = 0;
	for (size_t b = 0; b < blocks; b++) {
		we = ossai_add(we, sums->we[b]);
		ww += sums->ww[b];
	}
	for (size_t b = 0; b < blocks; b++) {
		const double others = ww - sums->ww[b];
		if (!(others > 1e-9 * ww)) continue;
		const ossai_vec3 d = ossai_scale(ossai_sub(we, sums->we[b]), 1 / others);
		gain += 2 * ossai_dot(d, sums->we[b]) - sums->ww[b] * ossai_length2(d);
	}
	return gain;
}

static void search_joint(const ossai_shape_work *w, ossai_shape_joint *joint)
{
	block_sums sums[OSSAI_SHAPE_RAMPS];
	double gain[OSSAI_SHAPE_RAMPS] = {0};
	for (size_t i = 0; i < joint->vertex_count; i++) {
		const size_t vertex = joint->vertex[i];
		add_vertex(w, joint, vertex, sums);
		for (size_t r = 0; r < joint->count; r++) {
			const double held = held_gain(&sums[r], w->blocks);
			if (held > w->least[vertex]) gain[r] += held;
		}
	}
	joint->gain = 0;
	for (size_t r = 0; r < joint->count; r++) {
		if (!(gain[r] > joint->gain)) continue;
		joint->gain = gain[r];
		joint->best = r;
	}
}

static void search_range(void *arg, size_t begin, size_t end)
{
	const ossai_shape_work *w = arg;
	for (size_t b = begin; b < end; b++) {
		if (w->joint[b].gain < 0) search_joint(w, &w->joint[b]);
	}
}

void ossai_shape_search(ossai_shape_work *w) { ossai_parallel_for(w->context, w->bones, 1, search_range, w); }
