/* samples/linkage.c: see linkage.h. */
#include "samples/linkage.h"

/* a point of the plane square to the axes */
typedef struct plane_point {
	double x, y;
} plane_point;

const creature_linkage *ossai_linkage_of(const ossai_creature *creature, int bone)
{
	for (int i = 0; i < creature->linkage_count; i++) {
		const creature_linkage *linkage = &creature->linkages[i];
		if (linkage->coupler == bone || linkage->rocker == bone) return linkage;
	}
	return NULL;
}

static plane_point minus(plane_point a, plane_point b) { return (plane_point){a.x - b.x, a.y - b.y}; }
static double square(plane_point a) { return a.x * a.x + a.y * a.y; }
static double cross(plane_point a, plane_point b) { return a.x * b.y - a.y * b.x; }

/* the angle from one arm to another */
static double angle_between(plane_point a, plane_point b) { return atan2(cross(a, b), a.x * b.x + a.y * b.y); }

/* where circles around two centers meet, on one side of the line from the first to the second */
static plane_point meet(plane_point a, double a_radius2, plane_point b, double b_radius2, bool is_left)
{
	const plane_point d = minus(b, a);
	const double distance2 = square(d), along = (a_radius2 - b_radius2 + distance2) / (2 * distance2);
	const double height = sqrt(fmax(a_radius2 / distance2 - along * along, 0)), side = is_left ? height : -height;
	return (plane_point){a.x + along * d.x - side * d.y, a.y + along * d.y + side * d.x};
}

double ossai_linkage_turn(const ossai_creature *creature, const creature_linkage *linkage, int bone, double crank)
{
	const creature_bone *driver = &creature->bones[linkage->crank];
	/* x along the line from crank to rocker, z along the axes */
	const ossai_vec3 n = driver->axes[0], ground = ossai_sub(creature->bones[linkage->rocker].joint, driver->joint);
	const ossai_vec3 v = ossai_unit(ossai_cross(n, ground), ossai_v3(0, 1, 0)), u = ossai_cross(v, n);
	const ossai_vec3 points[4] = {
		driver->joint, creature->bones[linkage->coupler].joint, linkage->pin, creature->bones[linkage->rocker].joint};
	plane_point p[4];
	for (int i = 0; i < 4; i++) p[i] = (plane_point){ossai_dot(u, points[i]), ossai_dot(v, points[i])};
	const plane_point arm = minus(p[1], p[0]);
	const plane_point elbow = {
		p[0].x + cos(crank) * arm.x - sin(crank) * arm.y, p[0].y + sin(crank) * arm.x + cos(crank) * arm.y};
	const bool is_left = cross(minus(p[3], p[1]), minus(p[2], p[1])) > 0;
	const plane_point pin = meet(elbow, square(minus(p[2], p[1])), p[3], square(minus(p[2], p[3])), is_left);
	if (bone == linkage->rocker) return angle_between(minus(p[2], p[3]), minus(pin, p[3]));
	return angle_between(minus(p[2], p[1]), minus(pin, elbow)) - crank;
}
