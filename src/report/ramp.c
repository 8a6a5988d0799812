/* report/ramp.c: see ramp.h.

   Straight lines in OKLab through a few colours, at constant speed. */
#include "report/ramp.h"

#include <math.h>

enum { STOPS = 6 };

/* clay, amber, orange, red, purple, night */
static const ossai_color stops[STOPS] = {
	{0.870f, 0.004f, 0.014f},
	{0.800f, 0.028f, 0.108f},
	{0.690f, 0.112f, 0.116f},
	{0.570f, 0.186f, 0.050f},
	{0.450f, 0.164f, -0.070f},
	{0.330f, 0.080f, -0.130f},
};

static float distance(ossai_color p, ossai_color q)
{
	const float l = p.l - q.l, a = p.a - q.a, b = p.b - q.b;
	return sqrtf(l * l + a * a + b * b);
}

ossai_color ossai_ramp_color(double value)
{
	const double cut = value > 0 ? fmin(value, 1) : 0;
	float whole = 0;
	for (int i = 1; i < STOPS; i++) whole += distance(stops[i - 1], stops[i]);
	float left = (float)cut * whole;
	for (int i = 1; i < STOPS; i++) {
		const float length = distance(stops[i - 1], stops[i]);
		if (left > length && i + 1 < STOPS) {
			left -= length;
			continue;
		}
		const float t = fminf(left / length, 1);
		const ossai_color p = stops[i - 1], q = stops[i];
		return (ossai_color){p.l + t * (q.l - p.l), p.a + t * (q.a - p.a), p.b + t * (q.b - p.b)};
	}
	return stops[STOPS - 1];
}
