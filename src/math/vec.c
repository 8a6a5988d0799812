/* math/vec.c: the conversions between rotation matrices, unit quaternions and rotation vectors.

   Place in the path: above base.
   Input and output: plain values.
   Source of the matrix to quaternion conversion: S. Shepperd, Quaternion from Rotation Matrix, J.
   Guidance and Control 1978. */
#include "math/vec.h"

ossai_mat3 ossai_quat_matrix(ossai_quat q)
{
	q = ossai_quat_unit(q);
	const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
	const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
	const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
	return (ossai_mat3){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)}, {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
		{2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}

ossai_quat ossai_mat3_quat(const ossai_mat3 *rotation)
{
	const double(*m)[3] = rotation->m;
	const double trace = m[0][0] + m[1][1] + m[2][2];
	ossai_quat q;
	/* divide by the largest component, so that none is lost to cancellation */
	if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2]) {
		q = (ossai_quat){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace};
	} else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
		q = (ossai_quat){1 + 2 * m[0][0] - trace, m[1][0] + m[0][1], m[0][2] + m[2][0], m[2][1] - m[1][2]};
	} else if (m[1][1] >= m[2][2]) {
		q = (ossai_quat){m[1][0] + m[0][1], 1 + 2 * m[1][1] - trace, m[2][1] + m[1][2], m[0][2] - m[2][0]};
	} else {
		q = (ossai_quat){m[0][2] + m[2][0], m[2][1] + m[1][2], 1 + 2 * m[2][2] - trace, m[1][0] - m[0][1]};
	}
	q = ossai_quat_unit(q);
	return q.w < 0 ? ossai_quat_negate(q) : q;
}

ossai_vec3 ossai_spread_direction(size_t i, size_t count)
{
	const double height = 1 - (2 * (double)i + 1) / (double)count, angle = OSSAI_PI * (3 - sqrt(5)) * (double)i;
	const double level = sqrt(1 - height * height);
	return ossai_v3(level * cos(angle), height, level * sin(angle));
}

ossai_quat ossai_quat_axis_angle(ossai_vec3 unit_axis, double radians)
{
	const double s = sin(0.5 * radians);
	return (ossai_quat){s * unit_axis.x, s * unit_axis.y, s * unit_axis.z, cos(0.5 * radians)};
}

ossai_quat ossai_quat_exp(ossai_vec3 rotation_vector)
{
	const double angle = ossai_length(rotation_vector);
	if (angle < 1e-12) {
		return ossai_quat_unit((ossai_quat){0.5 * rotation_vector.x, 0.5 * rotation_vector.y, 0.5 * rotation_vector.z, 1});
	}
	return ossai_quat_axis_angle(ossai_scale(rotation_vector, 1 / angle), angle);
}

ossai_quat ossai_quat_between(ossai_vec3 a, ossai_vec3 b)
{
	const double c = ossai_dot(a, b);
	if (c < -1 + 1e-12) {
		/* opposite: half a turn about any axis square to a */
		const ossai_vec3 helper = fabs(a.x) < 0.7 ? ossai_v3(1, 0, 0) : ossai_v3(0, 1, 0);
		const ossai_vec3 axis = ossai_unit(ossai_cross(a, helper), ossai_v3(0, 0, 1));
		return (ossai_quat){axis.x, axis.y, axis.z, 0};
	}
	const ossai_vec3 n = ossai_cross(a, b);
	return ossai_quat_unit((ossai_quat){n.x, n.y, n.z, 1 + c});
}

double ossai_quat_angle(ossai_quat q) { return 2 * atan2(sqrt(q.x * q.x + q.y * q.y + q.z * q.z), fabs(q.w)); }
