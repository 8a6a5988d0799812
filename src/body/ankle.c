/* body/ankle.c: see ankle.h. */
#include "body/ankle.h"

/* Over the tip of the foot, in units: the ankle; where the shin is free of the foot. */
static const double ANKLE = 0.055, SHIN = 0.12;

/* The ankle as a share of the line: of legs that show no height of ankles, and its range. */
static const double USUAL = 0.77, LEAST = 0.45, MOST = 0.92;

/* A shin that is nearer to level shows no height. */
static const double STEEP = 0.5;

static double rise_of(const ossai_limb_line *line, size_t i, ossai_vec3 up)
{
	return ossai_dot(up, ossai_sub(line->point[i], line->point[line->count - 1]));
}

/* the arc length at which the line, from the tip, first rises to a height; 0: it does not */
static double arc_of_rise(const ossai_limb_line *line, ossai_vec3 up, double rise)
{
	for (size_t i = line->count - 1; i-- > 1;) {
		const double here = rise_of(line, i, up), below = rise_of(line, i + 1, up);
		if (here < rise) continue;
		const double t = here > below ? (rise - below) / (here - below) : 0;
		return line->arc[i + 1] + fmin(fmax(t, 0), 1) * (line->arc[i] - line->arc[i + 1]);
	}
	return 0;
}

/* where the shin, continued, comes down to the height of ankles; `found`: where the line does */
static ossai_vec3 continue_shin(const ossai_limb_line *line, ossai_vec3 up, double unit, double found, double shin)
{
	const ossai_vec3 top = ossai_limb_line_at(line, found / 2, NULL), end = ossai_limb_line_at(line, shin, NULL);
	const ossai_vec3 along = ossai_unit(ossai_sub(end, top), up);
	const double slope = -ossai_dot(along, up);
	if (shin <= found / 2 || slope < STEEP) return ossai_limb_line_at(line, found, NULL);
	return ossai_madd(end, (SHIN - ANKLE) * unit / slope, along);
}

static void add_point(ossai_limb_line *line, ossai_vec3 point, double radius)
{
	const size_t n = line->count++;
	line->point[n] = point;
	line->radius[n] = radius;
	line->arc[n] = line->arc[n - 1] + ossai_distance(line->point[n - 1], point);
}

double ossai_ankle_find(ossai_limb_line *line, ossai_vec3 up, double unit)
{
	const double length = ossai_limb_line_length(line), found = arc_of_rise(line, up, ANKLE * unit);
	const bool is_usual = found >= LEAST * length && found <= MOST * length;
	const double shin = is_usual ? arc_of_rise(line, up, SHIN * unit) : 0, end = shin > 0 ? shin : USUAL * length;
	double radius;
	ossai_vec3 ankle = ossai_limb_line_at(line, is_usual ? found : USUAL * length, &radius);
	if (shin > 0) ankle = continue_shin(line, up, unit, found, shin);
	const ossai_vec3 tip = line->point[line->count - 1];
	const double at_tip = line->radius[line->count - 1];
	size_t kept = 1;
	while (kept + 2 < line->count && line->arc[kept] < end) kept++;
	line->count = kept;
	add_point(line, ankle, radius);
	add_point(line, tip, at_tip);
	return line->arc[kept];
}
