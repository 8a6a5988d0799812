/* math/triangle.c: see triangle.h. */
#include "math/triangle.h"

/* the nearest point on the border; fills the shares */
static ossai_vec3 nearest_on_border(const ossai_vec3 corner[3], ossai_vec3 p, double share[3])
{
	ossai_vec3 best = corner[0];
	share[0] = 1;
	share[1] = share[2] = 0;
	for (int k = 0; k < 3; k++) {
		const int next = (k + 1) % 3;
		const ossai_vec3 q = ossai_nearest_on_segment(corner[k], corner[next], p);
		if (!(ossai_length2(ossai_sub(q, p)) < ossai_length2(ossai_sub(best, p)))) continue;
		const ossai_vec3 edge = ossai_sub(corner[next], corner[k]);
		const double along = ossai_dot(ossai_sub(p, corner[k]), edge), length2 = ossai_length2(edge);
		best = q;
		share[next] = along > 0 ? fmin(along / length2, 1) : 0;
		share[k] = 1 - share[next];
		share[(k + 2) % 3] = 0;
	}
	return best;
}

ossai_vec3 ossai_nearest_on_triangle(const ossai_vec3 corner[3], ossai_vec3 p, double share[3])
{
	const ossai_vec3 ab = ossai_sub(corner[1], corner[0]), ac = ossai_sub(corner[2], corner[0]);
	const ossai_vec3 normal = ossai_cross(ab, ac);
	const double normal2 = ossai_length2(normal);
	/* of a sliver the normal is rounding error */
	if (!(normal2 > 1e-14 * ossai_length2(ab) * ossai_length2(ac))) return nearest_on_border(corner, p, share);
	const ossai_vec3 ap = ossai_sub(p, corner[0]), foot = ossai_madd(p, -ossai_dot(ap, normal) / normal2, normal);
	for (int k = 0; k < 3; k++) {
		const ossai_vec3 side = ossai_cross(ossai_sub(corner[(k + 1) % 3], corner[k]), ossai_sub(foot, corner[k]));
		if (ossai_dot(side, normal) < 0) return nearest_on_border(corner, p, share);
	}
	const double d00 = ossai_length2(ab), d01 = ossai_dot(ab, ac), d11 = ossai_length2(ac);
	const double d20 = ossai_dot(ap, ab), d21 = ossai_dot(ap, ac), determinant = d00 * d11 - d01 * d01;
	share[1] = (d11 * d20 - d01 * d21) / determinant;
	share[2] = (d00 * d21 - d01 * d20) / determinant;
	share[0] = 1 - share[1] - share[2];
	return foot;
}
