/* math/color.h: between the colours of files (sRGB) and those of meshes (linear), both 0 to 1.
   Source: IEC 61966-2-1. */
#ifndef OSSAI_MATH_COLOR_H
#define OSSAI_MATH_COLOR_H

#include <math.h>

static inline float ossai_linear_of_srgb(float value)
{
	return value <= 0.04045F ? value / 12.92F : (float)pow((value + 0.055) / 1.055, 2.4);
}

static inline float ossai_srgb_of_linear(float value)
{
	return value <= 0.0031308F ? value * 12.92F : (float)(1.055 * pow(value, 1 / 2.4) - 0.055);
}

#endif
