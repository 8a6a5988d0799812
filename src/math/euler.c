/* math/euler.c: see euler.h.

   With the axes i, j, k of the order, half angles A, B, C about them, and s = 1 where i, j, k are a
   cycle of x, y, z, else -1, the product of the three turns q_i(A) q_j(B) q_k(C) gives
       w + s q_j = (cos B + s sin B) cos(A + C),   q_i + q_k = (cos B + s sin B) sin(A + C),
       w - s q_j = (cos B - s sin B) cos(A - C),   q_i - q_k = (cos B - s sin B) sin(A - C),
   so that A + C and A - C are each as exact as the quaternion, up to gimbal lock, where one of the
   two factors is 0 and with it that sum or difference is free. */
#include "math/euler.h"

/* below this a factor counts as 0: the turn changes by less than twice as much (radians) */
static const double locked = 1e-7;

static double degrees_of(double radians) { return radians * (180 / OSSAI_PI); }

/* the angle that is the same turn and nearest to `near` */
static double unwrap(double degrees, double near) { return degrees + 360 * rint((near - degrees) / 360); }

static double distance2(const double a[3], const double b[3])
{
	return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

/* what the middle angle leaves undetermined of the others: their sum where `sign` is 1, their
   difference where it is -1 */
static void nearest_locked(double known, double sign, double near_first, double near_last, double *first, double *last)
{
	const double miss = unwrap(known, near_first + sign * near_last) - (near_first + sign * near_last);
	*first = near_first + miss / 2;
	*last = near_last + sign * miss / 2;
}

void ossai_euler_near(ossai_quat turn, ossai_euler_order order, const double near[3], double degrees[3])
{
	const int i = order.axis[0], j = order.axis[1], k = order.axis[2];
	const double s = (j - i + 3) % 3 == 1 ? 1 : -1;
	const double v[3] = {turn.x, turn.y, turn.z};
	const double plus = hypot(turn.w + s * v[j], v[i] + v[k]), minus = hypot(turn.w - s * v[j], v[i] - v[k]);
	/* whole angles: twice the half ones */
	const double sum = degrees_of(2 * atan2(v[i] + v[k], turn.w + s * v[j]));
	const double difference = degrees_of(2 * atan2(v[i] - v[k], turn.w - s * v[j]));
	if (minus < locked || plus < locked) {
		degrees[j] = unwrap(minus < locked ? s * 90 : s * -90, near[j]);
		if (minus < locked) nearest_locked(sum, 1, near[i], near[k], &degrees[i], &degrees[k]);
		else nearest_locked(difference, -1, near[i], near[k], &degrees[i], &degrees[k]);
		return;
	}
	const double middle = s * degrees_of(2 * atan2(plus, minus) - OSSAI_PI / 2);
	double other[3];
	degrees[i] = unwrap((sum + difference) / 2, near[i]);
	degrees[j] = unwrap(middle, near[j]);
	degrees[k] = unwrap((sum - difference) / 2, near[k]);
	/* the same turn over the other side of the middle axis */
	other[i] = unwrap((sum + difference) / 2 + 180, near[i]);
	other[j] = unwrap(180 - middle, near[j]);
	other[k] = unwrap((sum - difference) / 2 + 180, near[k]);
	if (distance2(other, near) < distance2(degrees, near)) {
		for (int axis = 0; axis < 3; axis++) degrees[axis] = other[axis];
	}
}

/* ---- orders ---- */

/* degrees: a middle angle that stays so far from its lock is free; less than this is no difference
   between two orders */
static const double free_of_lock = 30, near_tie = 5;

const ossai_euler_order ossai_euler_orders[OSSAI_EULER_ORDERS] = {
	{{2, 1, 0}}, {{0, 2, 1}}, {{1, 0, 2}}, {{1, 2, 0}}, {{2, 0, 1}}, {{0, 1, 2}}};

void ossai_euler_watch(ossai_euler_locks *locks, ossai_quat turn)
{
	const double v[3] = {turn.x, turn.y, turn.z};
	for (int n = 0; n < OSSAI_EULER_ORDERS; n++) {
		const int i = ossai_euler_orders[n].axis[0], j = ossai_euler_orders[n].axis[1], k = ossai_euler_orders[n].axis[2];
		const double s = (j - i + 3) % 3 == 1 ? 1 : -1;
		/* sin B = s (plus^2 - minus^2) / 2 of the two factors above, which make 2 in all */
		locks->sine[n] = fmax(locks->sine[n], fabs(2 * (s * turn.w * v[j] + v[i] * v[k])));
	}
}

/* degrees from the lock at the nearest */
static double clearance(double sine) { return 90 - degrees_of(asin(fmin(sine, 1))); }

int ossai_euler_choose(const ossai_euler_locks *locks, int preferred)
{
	double farthest = 0;
	for (int n = 0; n < OSSAI_EULER_ORDERS; n++) farthest = fmax(farthest, clearance(locks->sine[n]));
	const double usual = clearance(locks->sine[preferred]);
	if (usual >= free_of_lock || usual >= farthest - near_tie) return preferred;
	/* of those that are as good but for rounding the first */
	int chosen = 0;
	while (clearance(locks->sine[chosen]) < farthest - 1e-3) chosen++;
	return chosen;
}

ossai_quat ossai_euler_quat(const double degrees[3], ossai_euler_order order)
{
	ossai_quat turn = ossai_quat_identity();
	for (int n = 0; n < 3; n++) {
		const int axis = order.axis[n];
		const ossai_vec3 unit = ossai_v3(axis == 0, axis == 1, axis == 2);
		turn = ossai_quat_mul(turn, ossai_quat_axis_angle(unit, degrees[axis] * (OSSAI_PI / 180)));
	}
	return turn;
}
