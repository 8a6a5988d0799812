/* body/hips.c: see hips.h. Constants are a compromise between the shared characters and others
   (docs/bodies.md). */
#include "body/hips.h"

/* Height = HIP_AT - HIP_BY_HEAD x the head's share - HIP_BY_BREADTH x the breadth. */
static const double HIP_AT = 0.857, HIP_BY_HEAD = 0.492, HIP_BY_BREADTH = 1.321, HIP_DEVIATION = 0.037;

/* Where the legs part (the crotch, or the hem of what hides it), the hip joint lies so much higher. */
static const ossai_range HIP_OVER_CROTCH = {0.002, 0.038};

/* About one figure in three wears a skirt or a robe, whose hem may be anywhere below the hips. */
static const double SKIRTS = 0.31;

/* A regression: half the distance between the hip joints by that between the axes of the legs, by
   their radius and by the head's share. The joints are nearer to the outside than the axes are. */
static const double APART_BY_LEGS = 0.364, APART_BY_RADIUS = 0.534, APART_BY_HEAD = 0.111, APART = -0.018;

ossai_range ossai_hips_expected(const ossai_build *build)
{
	const double mean = HIP_AT - HIP_BY_HEAD * build->head - HIP_BY_BREADTH * build->breadth;
	return (ossai_range){fmin(fmax(mean, 0.2), 0.75), HIP_DEVIATION};
}

/* the product of two densities of one value, up to a factor */
static ossai_range product(ossai_range a, ossai_range b)
{
	const double x = 1 / (a.deviation * a.deviation), y = 1 / (b.deviation * b.deviation);
	return (ossai_range){(x * a.mean + y * b.mean) / (x + y), 1 / sqrt(x + y)};
}

/* the mean and deviation of a value that is `a` with the probability `share`, else `b` */
static ossai_range mixture(double share, ossai_range a, ossai_range b)
{
	const double mean = share * a.mean + (1 - share) * b.mean, apart = a.mean - b.mean;
	const double within = share * a.deviation * a.deviation + (1 - share) * b.deviation * b.deviation;
	return (ossai_range){mean, sqrt(within + share * (1 - share) * apart * apart)};
}

ossai_range ossai_hips_height(const ossai_build *build, double parting)
{
	const ossai_range hip = ossai_hips_expected(build);
	const ossai_range crotch = {hip.mean - HIP_OVER_CROTCH.mean, hypot(hip.deviation, HIP_OVER_CROTCH.deviation)};
	const double bare = (1 - SKIRTS) * ossai_range_density(crotch, parting);
	const double skirt = parting < hip.mean ? SKIRTS / hip.mean : 0;
	if (!(bare + skirt > 0)) return hip;
	const ossai_range seen = product(hip, (ossai_range){parting + HIP_OVER_CROTCH.mean, HIP_OVER_CROTCH.deviation});
	return mixture(bare / (bare + skirt), seen, hip);
}

double ossai_hips_apart(const ossai_build *build, double legs, double radius)
{
	return fmax(APART_BY_LEGS * legs + APART_BY_RADIUS * radius + APART_BY_HEAD * build->head + APART, 0.01);
}
