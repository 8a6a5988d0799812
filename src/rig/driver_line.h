/* rig/driver_line.h: the line on which the angle of a hinge is against that of its driver.

   Place in the path: under find_dependencies.c, which says what it is for.
   Input: two angles in all frames, and how unsure they are.
   Output: ratio and offset, where the line is as near as the angles are sure. */
#ifndef OSSAI_RIG_DRIVER_LINE_H
#define OSSAI_RIG_DRIVER_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ossai_driver_line {
	double ratio, offset;
	double square; /* mean of the squared residual, weighted, square degrees */
	double error;  /* the same, each frame alike */
	/* of the bone's angle, weighted as the residual: over the poses and the rest pose, at 0; that
	   one lies at the mean where there is an offset, so that a joint that stands still has none */
	double variance;
	double unsure;  /* degrees: of both sides */
	int parameters; /* 1: through the rest pose; 2: with an offset */
} ossai_driver_line;

/* What may drive a hinge: another one, or the twist of a joint about the hinge's axis. */
typedef struct ossai_driver {
	uint32_t bone;
	double unsure;          /* degrees */
	const double *angle;    /* F, degrees */
	const double *sureness; /* F: of twists, hinge.h; NULL: 1 */
	double axis[3];         /* as of ossa_dependency */
} ossai_driver;

/* The line of `angle` (F, degrees, unsure by so many) against a driver's, by least squares: through
   the rest pose, else with an offset. False where neither is within what is unsure. */
bool ossai_driver_line_find(
	const ossai_driver *driver, size_t frame_count, const double *angle, double unsure, ossai_driver_line *found);

/* Its mean squared residual in units of what is unsure. */
double ossai_driver_line_share(const ossai_driver_line *line);

#endif
