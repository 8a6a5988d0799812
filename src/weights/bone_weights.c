/* weights/bone_weights.c: see bone_weights.h. */
#include "weights/bone_weights.h"

#include "parts/rigid_error.h"

#include <string.h>

enum { VERTEX_GRAIN = 512 };
/* a smaller weight of a vertex is rounding */
static const double rounding = 1e-5;

ossa_status ossai_bone_weights_new(
	ossai_arena *arena, size_t vertex_count, size_t bone_count, size_t width, ossai_bone_weights *weights)
{
	*weights = (ossai_bone_weights){vertex_count, bone_count, width, NULL, NULL, NULL};
	weights->bone = ossai_arena_zero(arena, vertex_count, width * sizeof *weights->bone);
	weights->value = ossai_arena_zero(arena, vertex_count, width * sizeof *weights->value);
	weights->count = ossai_arena_zero(arena, vertex_count, sizeof *weights->count);
	const bool all = weights->bone && weights->value && weights->count;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

void ossai_bone_weights_load(const ossa_weights *from, const uint8_t *used, ossai_bone_weights *to)
{
	for (size_t v = 0; v < from->vertex_count; v++) {
		const size_t first = v * (size_t)from->influences;
		double sum = 0;
		if (!used[v]) continue;
		for (size_t i = first; i < first + to->width; i++) sum += (double)from->values[i];
		for (size_t i = first; i < first + to->width; i++) {
			if (!(from->values[i] > 0)) continue;
			const size_t at = v * to->width + to->count[v]++;
			to->bone[at] = from->bones[i];
			to->value[at] = (double)from->values[i] / sum;
		}
	}
}

void ossai_bone_weights_copy(const ossai_bone_weights *from, ossai_bone_weights *to)
{
	const size_t pairs = from->vertex_count * from->width;
	memcpy(to->bone, from->bone, pairs * sizeof *to->bone);
	memcpy(to->value, from->value, pairs * sizeof *to->value);
	memcpy(to->count, from->count, from->vertex_count * sizeof *to->count);
	to->bone_count = from->bone_count;
}

void ossai_bone_weights_lift(const ossai_bone_weights *few, const uint32_t *stands_for, ossai_bone_weights *to)
{
	const size_t width = few->width;
	to->bone_count = few->bone_count;
	for (size_t v = 0; v < to->vertex_count; v++) {
		const size_t from = stands_for[v];
		to->count[v] = 0;
		if (from == OSSA_NONE) continue;
		to->count[v] = few->count[from];
		memcpy(to->bone + v * width, few->bone + from * width, to->count[v] * sizeof *to->bone);
		memcpy(to->value + v * width, few->value + from * width, to->count[v] * sizeof *to->value);
	}
}

void ossai_bone_weights_keep(ossai_bone_weights *weights, size_t vertex, uint32_t bone, double value)
{
	const size_t first = vertex * weights->width;
	size_t at = first + weights->count[vertex];
	if (weights->count[vertex] < weights->width) weights->count[vertex]++;
	else if (weights->value[--at] > value || (weights->value[at] == value && weights->bone[at] < bone)) return;
	for (; at > first; at--) {
		const double before = weights->value[at - 1];
		if (before > value || (before == value && weights->bone[at - 1] < bone)) break;
		weights->value[at] = before;
		weights->bone[at] = weights->bone[at - 1];
	}
	weights->value[at] = value;
	weights->bone[at] = (uint16_t)bone;
}

void ossai_bone_weights_take(
	ossai_bone_weights *weights, size_t vertex, size_t count, const uint32_t *bone, const double *value)
{
	double *kept = weights->value + vertex * weights->width, total = 0;
	weights->count[vertex] = 0;
	for (size_t i = 0; i < count; i++) ossai_bone_weights_keep(weights, vertex, bone[i], value[i]);
	/* weights descend: what is too small is at the end */
	while (weights->count[vertex] > 1 && kept[weights->count[vertex] - 1] < rounding) weights->count[vertex]--;
	for (size_t i = 0; i < weights->count[vertex]; i++) total += kept[i];
	for (size_t i = 0; i < weights->count[vertex]; i++) kept[i] /= total;
}

void ossai_bone_weights_narrow(const ossai_bone_weights *from, ossai_bone_weights *to)
{
	for (size_t v = 0; v < from->vertex_count; v++) {
		uint32_t bone[OSSAI_INFLUENCES_MAX];
		double value[OSSAI_INFLUENCES_MAX];
		const size_t at = v * from->width, count = from->count[v];
		for (size_t i = 0; i < count; i++) {
			bone[i] = from->bone[at + i];
			value[i] = from->value[at + i];
		}
		if (count > 0) ossai_bone_weights_take(to, v, count, bone, value);
	}
}

ossa_status ossai_bone_motion_new(ossai_arena *arena, size_t bone_count, size_t pose_count, ossai_bone_motion *motion)
{
	*motion = (ossai_bone_motion){bone_count, pose_count, NULL};
	motion->rigid = ossai_arena_new(arena, bone_count, pose_count * sizeof *motion->rigid);
	return motion->rigid ? OSSA_OK : ossa_context_error(arena->context)->status;
}

void ossai_bone_motion_copy(const ossai_bone_motion *from, ossai_bone_motion *to)
{
	memcpy(to->rigid, from->rigid, from->bone_count * from->pose_count * sizeof *to->rigid);
	to->bone_count = from->bone_count;
}

void ossai_bone_weights_from_clusters(
	const ossai_posed_surface *surface, const uint32_t *cluster_of_face, ossai_bone_weights *weights)
{
	/* the largest face around a vertex decides: the cluster it lies in rather than touches; the
	   face's area is kept in the value meanwhile */
	for (size_t v = 0; v < surface->vertex_count; v++) {
		weights->count[v] = surface->used[v];
		weights->value[v * weights->width] = -1;
	}
	for (size_t f = 0; f < surface->face_count; f++) {
		for (size_t i = 0; i < 3; i++) {
			const size_t at = surface->triangles[3 * f + i] * weights->width;
			if (!(surface->face_area[f] > weights->value[at])) continue;
			weights->value[at] = surface->face_area[f];
			weights->bone[at] = (uint16_t)cluster_of_face[f];
		}
	}
	for (size_t v = 0; v < surface->vertex_count; v++) weights->value[v * weights->width] = 1;
}

ossa_status ossai_bone_motion_from_clusters(
	ossa_context *context, const ossai_posed_surface *surface, const uint32_t *cluster_of_face, ossai_bone_motion *motion)
{
	const size_t size = ossai_ref_size(surface->pose_count);
	double *states = ossa_alloc(context, motion->bone_count + 1, size * sizeof *states);
	if (!states) return ossa_context_error(context)->status;
	double *face = states + motion->bone_count * size;
	for (size_t f = 0; f < surface->face_count; f++) {
		ossai_ref_face(surface, f, face);
		ossai_ref_add(surface->pose_count, states + cluster_of_face[f] * size, face);
	}
	for (size_t b = 0; b < motion->bone_count; b++) {
		for (size_t k = 0; k < surface->pose_count; k++) {
			motion->rigid[b * surface->pose_count + k] = ossai_ref_motion(surface->pose_count, states + b * size, k);
		}
	}
	ossa_free(context, states);
	return OSSA_OK;
}

static uint32_t bone_of_face(const ossai_bone_weights *weights, const uint32_t *corner, uint32_t root)
{
	double best = -1;
	uint32_t found = root;
	for (size_t i = 0; i < 3; i++) {
		const size_t first = corner[i] * weights->width;
		for (size_t j = first; j < first + weights->count[corner[i]]; j++) {
			double sum = 0;
			for (size_t l = 0; l < 3; l++) sum += ossai_bone_weight_of(weights, corner[l], weights->bone[j]);
			if (!(sum > best)) continue;
			best = sum;
			found = weights->bone[j];
		}
	}
	return found;
}

void ossai_add_face_error(const ossai_posed_surface *s, size_t face, const ossai_rigid *motion, double *square)
{
	for (size_t i = 0; i < 3; i++) {
		const uint32_t v = s->triangles[3 * face + i];
		for (size_t k = 0; k < s->pose_count; k++) {
			const ossai_vec3 there = ossai_rigid_point(&motion[k], ossai_rest_point(s, v));
			*square += s->face_area[face] / 3 * ossai_length2(ossai_sub(there, ossai_pose_point(s, v, k)));
		}
	}
}

ossa_status ossai_bone_motion_from_weights(ossa_context *context, const ossai_posed_surface *surface,
	const ossai_bone_weights *weights, uint32_t root, ossai_bone_motion *motion)
{
	uint32_t *bone = ossa_alloc(context, surface->face_count, sizeof *bone);
	if (!bone) return ossa_context_error(context)->status;
	for (size_t f = 0; f < surface->face_count; f++) bone[f] = bone_of_face(weights, surface->triangles + 3 * f, root);
	const ossa_status status = ossai_bone_motion_from_clusters(context, surface, bone, motion);
	ossa_free(context, bone);
	return status;
}

typedef struct error_job {
	const ossai_posed_surface *surface;
	const ossai_bone_weights *weights;
	const ossai_bone_motion *motion;
	double *sums;
} error_job;

static double vertex_error(const error_job *job, size_t v)
{
	const size_t pose_count = job->surface->pose_count, at = v * job->weights->width;
	const ossai_vec3 p = ossai_rest_point(job->surface, v);
	double sum = 0;
	for (size_t k = 0; k < pose_count; k++) {
		ossai_vec3 error = ossai_scale(ossai_pose_point(job->surface, v, k), -1);
		for (size_t i = 0; i < job->weights->count[v]; i++) {
			const ossai_rigid *x = &job->motion->rigid[job->weights->bone[at + i] * pose_count + k];
			error = ossai_madd(error, job->weights->value[at + i], ossai_rigid_point(x, p));
		}
		sum += ossai_length2(error);
	}
	return sum;
}

static void range_error(void *arg, size_t begin, size_t end)
{
	const error_job *job = arg;
	double sum = 0;
	for (size_t v = begin; v < end; v++) {
		if (job->surface->used[v]) sum += vertex_error(job, v);
	}
	job->sums[begin / VERTEX_GRAIN] = sum;
}

size_t ossai_blend_error_ranges(const ossai_posed_surface *surface) { return surface->vertex_count / VERTEX_GRAIN + 1; }

double ossai_blend_error(ossa_context *context, const ossai_posed_surface *surface, const ossai_bone_weights *weights,
	const ossai_bone_motion *motion, double *scratch_ranges)
{
	error_job job = {surface, weights, motion, scratch_ranges};
	ossai_parallel_for(context, surface->vertex_count, VERTEX_GRAIN, range_error, &job);
	double sum = 0;
	for (size_t begin = 0; begin < surface->vertex_count; begin += VERTEX_GRAIN) sum += scratch_ranges[begin / VERTEX_GRAIN];
	return sum;
}

static void swap_pairs(ossa_weights *weights, size_t at)
{
	const float value = weights->values[at];
	const uint16_t bone = weights->bones[at];
	weights->values[at] = weights->values[at + 1];
	weights->bones[at] = weights->bones[at + 1];
	weights->values[at + 1] = value;
	weights->bones[at + 1] = bone;
}

void ossai_bone_weights_spread(const uint32_t *first_of_vertex, ossai_bone_weights *weights)
{
	const size_t width = weights->width;
	for (size_t v = 0; first_of_vertex && v < weights->vertex_count; v++) {
		const size_t first = first_of_vertex[v];
		if (first == v) continue;
		memcpy(weights->bone + v * width, weights->bone + first * width, width * sizeof *weights->bone);
		memcpy(weights->value + v * width, weights->value + first * width, width * sizeof *weights->value);
		weights->count[v] = weights->count[first];
	}
}

void ossai_bone_weights_round(const ossai_bone_weights *from, const uint32_t *place, const uint32_t *new_bone, ossa_weights *to)
{
	for (size_t v = 0; v < to->vertex_count; v++) {
		const size_t at = v * (size_t)to->influences;
		const size_t row = place ? place[v] : v, count = from->count[row];
		double others = 0;
		if (count == 0) to->values[at] = 1; /* a vertex that no face uses follows the root */
		for (size_t i = 0; i < count; i++) {
			const uint16_t bone = from->bone[row * from->width + i];
			to->bones[at + i] = new_bone ? (uint16_t)new_bone[bone] : bone;
			to->values[at + i] = (float)from->value[row * from->width + i];
			if (i > 0) others += to->values[at + i];
		}
		if (count > 0) to->values[at] = (float)(1 - others);
		/* of two equal weights the first may now be smaller by rounding */
		for (size_t i = 0; i + 1 < count && to->values[at + i] < to->values[at + i + 1]; i++) swap_pairs(to, at + i);
	}
}
