/* weights/symmetry.c: see symmetry.h. */
#include "weights/symmetry.h"

/* most weights of a vertex on the plane, its own and the mirrored ones */
enum { MOST = 2 * OSSAI_INFLUENCES_MAX };

/* ---- weights ---- */

static void copy_mirrored(const ossai_symmetry *s, ossai_bone_weights *w, size_t from, size_t to)
{
	w->count[to] = w->count[from];
	for (size_t i = 0; i < w->count[from]; i++) {
		w->bone[to * w->width + i] = (uint16_t)ossai_image_of(s, w->bone[from * w->width + i]);
		w->value[to * w->width + i] = w->value[from * w->width + i];
	}
}

static size_t add_weight(size_t count, uint32_t *bone, double *value, uint32_t which, double what)
{
	size_t at = 0;
	while (at < count && bone[at] != which) at++;
	if (at == count) value[count++] = 0;
	bone[at] = which;
	value[at] += what;
	return count;
}

/* the largest weights of a vertex on the plane; of a pair of bones both stay or none */
static void balance(const ossai_symmetry *s, ossai_bone_weights *w, size_t v)
{
	uint32_t bone[MOST], kept[MOST];
	double value[MOST], sum[MOST];
	size_t count = 0, used = 0;
	for (size_t i = v * w->width; i < v * w->width + w->count[v]; i++) {
		count = add_weight(count, bone, value, w->bone[i], 0.5 * w->value[i]);
		count = add_weight(count, bone, value, ossai_image_of(s, w->bone[i]), 0.5 * w->value[i]);
	}
	while (used < w->width) {
		size_t best = count;
		for (size_t i = 0; i < count; i++) {
			const size_t need = ossai_image_of(s, bone[i]) == bone[i] ? 1 : 2;
			if (value[i] > 0 && used + need <= w->width && (best == count || value[i] > value[best])) best = i;
		}
		if (best == count) break;
		const double both = value[best];
		for (size_t i = 0; i < count; i++) {
			if (bone[i] != bone[best] && bone[i] != ossai_image_of(s, bone[best])) continue;
			kept[used] = bone[i];
			sum[used++] = both;
			value[i] = 0;
		}
	}
	/* one weight alone cannot be of a pair: it stays as it is */
	if (used > 0) ossai_bone_weights_take(w, v, used, kept, sum);
}

void ossai_share_weights(const ossai_posed_surface *surface, ossai_bone_weights *weights)
{
	const ossai_symmetry *s = ossai_shared_symmetry(surface);
	for (size_t v = 0; s && v < weights->vertex_count; v++) {
		if (s->counterpart[v] == OSSA_NONE) continue;
		if (s->counterpart[v] < v) copy_mirrored(s, weights, s->counterpart[v], v);
		if (s->counterpart[v] == v) balance(s, weights, v);
	}
}

/* ---- joints, bones ---- */

void ossai_share_joints(const ossai_symmetry *s, size_t bone_count, ossai_vec3 *joint)
{
	for (uint32_t b = 0; b < bone_count; b++) {
		const uint32_t other = ossai_image_of(s, b);
		if (other < b || ossai_is_lone(s, b)) continue;
		joint[b] = ossai_scale(ossai_add(joint[b], ossai_mirror_point(&s->plane, joint[other])), 0.5);
		if (other > b) joint[other] = ossai_mirror_point(&s->plane, joint[b]);
	}
}

void ossai_symmetry_renumber(const ossai_symmetry *s, size_t gone, size_t last)
{
	if (!s) return;
	const uint32_t widow = s->image[gone];
	if (widow != OSSA_NONE && widow != gone) s->image[widow] = OSSA_NONE;
	s->image[gone] = s->image[last] == last ? (uint32_t)gone : s->image[last];
	for (size_t b = 0; b < last; b++) {
		if (b != gone && s->image[b] == last) s->image[b] = (uint32_t)gone;
	}
}

ossai_mirror ossai_symmetry_plane(const ossai_posed_surface *surface)
{
	if (!surface->symmetry) return (ossai_mirror){.exists = false};
	ossai_mirror plane = surface->symmetry->plane;
	plane.offset = plane.offset * surface->scale + ossai_dot(plane.normal, surface->rest_center);
	return plane;
}

/* M X M for the reflection x -> M x + 2 o n */
static ossai_rigid mirrored(const ossai_mirror *plane, const ossai_rigid *x)
{
	ossai_rigid y;
	const ossai_vec3 origin = ossai_mirror_point(plane, ossai_rigid_point(x, ossai_mirror_point(plane, ossai_v3(0, 0, 0))));
	const ossai_vec3 axis[3] = {ossai_v3(1, 0, 0), ossai_v3(0, 1, 0), ossai_v3(0, 0, 1)};
	y.t = origin;
	for (int c = 0; c < 3; c++) {
		const ossai_vec3 end = ossai_mirror_point(plane, ossai_rigid_point(x, ossai_mirror_point(plane, axis[c])));
		const ossai_vec3 column = ossai_sub(end, origin);
		y.r.m[0][c] = column.x;
		y.r.m[1][c] = column.y;
		y.r.m[2][c] = column.z;
	}
	return y;
}

void ossai_mirrored_motion(const ossai_symmetry *s, const ossai_bone_motion *from, size_t first, ossai_bone_motion *to)
{
	for (uint32_t b = 0; b < from->bone_count; b++) {
		const ossai_rigid *own = from->rigid + (size_t)ossai_image_of(s, b) * from->pose_count;
		ossai_rigid *out = to->rigid + b * to->pose_count + first;
		for (size_t k = 0; k < from->pose_count; k++) out[k] = ossai_is_lone(s, b) ? own[k] : mirrored(&s->plane, &own[k]);
	}
}
