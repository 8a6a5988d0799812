/* body/hips.c: see hips.h. Constants are a compromise between the shared characters and others
   (docs/bodies.md). */
#include "body/hips.h"

/* Height = HIP_AT - HIP_BY_HEAD x the head's share - HIP_BY_BREADTH x the breadth. */
static const double HIP_AT = 0.825, HIP_BY_HEAD = 0.4, HIP_BY_BREADTH = 0.955, HIP_DEVIATION = 0.039;

/* Where the legs part (the crotch, or the hem of what hides it), the hip joint lies so much higher. */
static const ossai_range HIP_OVER_CROTCH = {0.008, 0.036};

/* About one figure in three wears a skirt or a robe, whose hem may be anywhere below the hips. */
static const double SKIRTS = 0.3;

/* A regression: half the distance between the hip joints by that between the axes of the legs, by
   their radius and by the head's share. The joints are nearer to the outside than the axes are. */
static const double APART_BY_LEGS = 0.52, APART_BY_RADIUS = 0.52, APART_BY_HEAD = 0.07, APART = -0.019;

ossai_range ossai_hips_expected(const ossai_build *build)
{
	const double mean = HIP_AT - HIP_BY_HEAD * build->head - HIP_BY_BREADTH * build->breadth;
	return (ossai_range){fmin(fmax(mean, 0.2), 0.75), HIP_DEVIATION};
}

double ossai_hips_height(const ossai_build *build, double parting)
{
	const ossai_range hip = ossai_hips_expected(build);
	const ossai_range bare = {hip.mean - HIP_OVER_CROTCH.mean, hypot(hip.deviation, HIP_OVER_CROTCH.deviation)};
	const double is_bare = (1 - SKIRTS) * ossai_range_density(bare, parting);
	const double is_skirt = parting < hip.mean ? SKIRTS / hip.mean : 0;
	const double a = 1 / (HIP_OVER_CROTCH.deviation * HIP_OVER_CROTCH.deviation), b = 1 / (hip.deviation * hip.deviation);
	const double seen = (a * (parting + HIP_OVER_CROTCH.mean) + b * hip.mean) / (a + b);
	return is_bare + is_skirt > 0 ? (is_bare * seen + is_skirt * hip.mean) / (is_bare + is_skirt) : hip.mean;
}

double ossai_hips_apart(const ossai_build *build, double legs, double radius)
{
	return fmax(APART_BY_LEGS * legs + APART_BY_RADIUS * radius + APART_BY_HEAD * build->head + APART, 0.01);
}
