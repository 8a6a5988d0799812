/* import/asset/asset_sample.c: the values of a channel at a time.

   Place in the path: below asset_pose.c.
   Input: sorted keys.
   Output: numbers, quaternions or matrices between them.
   Source: glTF 2.0 specification, appendix C (STEP, LINEAR, CUBICSPLINE); Collada 1.5
   specification, "Curve interpolation" (BEZIER: control points in time and value). */
#include "import/asset/asset_parts.h"

#include "base/search.h"

ossai_channel_form ossai_channel_form_of(const ossai_asset *asset, const ossai_asset_channel *c)
{
	if (c->node == OSSA_NONE) return OSSAI_FORM_NUMBERS;
	const ossai_op_kind kind = asset->nodes[c->node].ops[c->op].kind;
	if (kind == OSSAI_OP_ROTATE && c->width == 4) return OSSAI_FORM_QUATERNION;
	return kind == OSSAI_OP_MATRIX && c->width == 16 ? OSSAI_FORM_MATRIX : OSSAI_FORM_NUMBERS;
}

/* the last key at or before `time`; 0 before the first */
static size_t key_before(const ossai_asset_channel *c, double time)
{
	return ossai_search_double(c->times, c->key_count, time);
}

static const float *key_value(const ossai_asset_channel *c, size_t key)
{
	return c->values + (c->interpolation == OSSAI_HERMITE ? 3 * key + 1 : key) * c->width;
}

/* ---- straight lines ---- */

static ossai_quat quat_of_floats(const float *q)
{
	return ossai_quat_unit((ossai_quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]});
}

static ossai_rigid map_of_floats(const float *m)
{
	ossai_rigid map;
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < 3; j++) map.r.m[i][j] = (double)m[4 * i + j];
	}
	map.t = ossai_v3((double)m[3], (double)m[7], (double)m[11]);
	return map;
}

static void linear(const ossai_asset_channel *c, ossai_channel_form form, size_t key, double s, double *values)
{
	const float *a = key_value(c, key), *b = key_value(c, key + 1);
	if (form == OSSAI_FORM_QUATERNION) {
		ossai_quat_store(ossai_quat_slerp(quat_of_floats(a), quat_of_floats(b), s), values);
	} else if (form == OSSAI_FORM_MATRIX) {
		const ossai_rigid p = map_of_floats(a), q = map_of_floats(b), between = ossai_affine_between(&p, &q, s);
		ossai_rigid_store(&between, values);
	} else {
		for (size_t k = 0; k < c->width; k++) values[k] = (double)a[k] + s * ((double)b[k] - (double)a[k]);
	}
}

/* ---- curves ---- */

static void hermite(const ossai_asset_channel *c, size_t key, double step, double s, double *values)
{
	const float *a = key_value(c, key), *b = key_value(c, key + 1), *leave = a + c->width, *arrive = b - c->width;
	const double s2 = s * s, s3 = s2 * s;
	for (size_t k = 0; k < c->width; k++) {
		values[k] = (2 * s3 - 3 * s2 + 1) * (double)a[k] + step * (s3 - 2 * s2 + s) * (double)leave[k] +
			(3 * s2 - 2 * s3) * (double)b[k] + step * (s3 - s2) * (double)arrive[k];
	}
}

/* the cubic of four control values at u */
static double cubic(double p0, double p1, double p2, double p3, double u)
{
	const double w = 1 - u;
	return w * w * w * p0 + 3 * w * w * u * p1 + 3 * w * u * u * p2 + u * u * u * p3;
}

/* The parameter at which the curve's time is `s`, of a span from 0 to 1 whose inner times are p and
   q: they are within the span, so that time increases, and bisection finds it to the last bit. */
static double bezier_parameter(double p, double q, double s)
{
	double low = 0, high = 1;
	for (int i = 0; i < 54; i++) {
		const double middle = 0.5 * (low + high);
		if (cubic(0, p, q, 1, middle) < s) low = middle;
		else high = middle;
	}
	return 0.5 * (low + high);
}

static void bezier(const ossai_asset_channel *c, size_t key, double step, double s, double *values)
{
	const float *a = key_value(c, key), *b = key_value(c, key + 1);
	for (size_t k = 0; k < c->width; k++) {
		const double *leave = c->controls + (key * c->width + k) * 4 + 2,
					 *arrive = c->controls + ((key + 1) * c->width + k) * 4;
		const double p = fmin(fmax((leave[0] - c->times[key]) / step, 0), 1);
		const double q = fmin(fmax((arrive[0] - c->times[key]) / step, 0), 1);
		values[k] = cubic((double)a[k], leave[1], arrive[1], (double)b[k], bezier_parameter(p, q, s));
	}
}

void ossai_channel_sample(const ossai_asset_channel *c, ossai_channel_form form, double time, double *values)
{
	const size_t key = key_before(c, time);
	const bool holds = c->interpolation == OSSAI_STEP || (c->holds && c->holds[key]);
	const bool stays = holds || key + 1 >= c->key_count || time <= c->times[key];
	if (stays) {
		const float *value = key_value(c, key);
		for (size_t k = 0; k < c->width; k++) values[k] = (double)value[k];
		return;
	}
	const double step = c->times[key + 1] - c->times[key], s = (time - c->times[key]) / step;
	if (c->interpolation == OSSAI_HERMITE) hermite(c, key, step, s, values);
	else if (c->interpolation == OSSAI_BEZIER) bezier(c, key, step, s, values);
	else linear(c, form, key, s, values);
}
