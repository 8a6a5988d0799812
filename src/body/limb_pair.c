/* body/limb_pair.c: see limb_pair.h. */
#include "body/limb_pair.h"

enum { SAMPLES = OSSAI_AXIS_SAMPLES };

static ossai_vec3 side_of(ossai_vec3 left, int k) { return ossai_scale(left, k == 0 ? 1 : -1); }

ossai_mirror ossai_limb_pair_plane(const ossai_figure *figure, const ossai_mirror *mirror, ossai_vec3 left, uint32_t trunk_node)
{
	if (mirror->exists) return *mirror;
	const double offset = ossai_dot(left, figure->curve->node[trunk_node]);
	return (ossai_mirror){.exists = true, .normal = left, .offset = offset};
}

static void imagine_image(const ossai_limb_pair_view *view, int k, const ossai_limb_axis *other, ossai_limb_axis *limb)
{
	const ossai_mirror *plane = &view->plane, at_origin = {.exists = true, .normal = plane->normal};
	const double shift = 2 * plane->offset * ossai_dot(plane->normal, side_of(view->left, k));
	*limb = *other;
	for (int i = 0; i <= SAMPLES; i++) {
		limb->point[i] = ossai_mirror_point(plane, other->point[i]);
		limb->along[i] = ossai_mirror_point(&at_origin, other->along[i]);
		limb->inward[i] = other->inward[i] + shift;
	}
}

void ossai_limb_pair_make(const ossai_limb_pair_view *view, const size_t end[2], uint32_t node, ossai_limb_axis axis[2])
{
	for (int k = 0; k < 2; k++) {
		if (end[k] == OSSAI_LIMB_HIDDEN) continue;
		ossai_limb_axis_make(view->figure, view->sections, end[k], node, side_of(view->left, k), &axis[k]);
	}
	for (int k = 0; k < 2; k++) {
		if (end[k] == OSSAI_LIMB_HIDDEN) imagine_image(view, k, &axis[1 - k], &axis[k]);
	}
}

static bool is_apart(const ossai_limb_axis axis[2], ossai_vec3 left, int k, size_t i)
{
	const ossai_vec3 side = side_of(left, k);
	return axis[k].inward[i] >= ossai_dot(side, ossai_lerp(axis[0].point[i], axis[1].point[i], 0.5));
}

size_t ossai_limb_pair_parting(const ossai_limb_axis axis[2], ossai_vec3 left, int k)
{
	size_t i = SAMPLES;
	while (i > 1 && !is_apart(axis, left, k, i - 1)) i--;
	return i;
}
