/* body/limb_line.h: a limb from its first joint to its tip, and where it bends.

   Place in the path: body/limb_axis -> here -> body/joints. */
#ifndef OSSAI_BODY_LIMB_LINE_H
#define OSSAI_BODY_LIMB_LINE_H

#include "body/limb_axis.h"
#include "body/plan.h"

typedef struct ossai_limb_line {
	size_t count;
	ossai_vec3 point[OSSAI_AXIS_SAMPLES + 3];
	double arc[OSSAI_AXIS_SAMPLES + 3];
	double radius[OSSAI_AXIS_SAMPLES + 3];
} ossai_limb_line;

/* From a joint along the axis of the limb to its tip. inner: the last sample that lies in the limb
   alone. */
void ossai_limb_line_make(const ossai_limb_axis *axis, ossai_vec3 from, size_t inner, ossai_limb_line *line);

/* The point at an arc length from the first joint, and the radius there (or NULL). */
ossai_vec3 ossai_limb_line_at(const ossai_limb_line *line, double arc, double *radius);

static inline double ossai_limb_line_length(const ossai_limb_line *line) { return line->arc[line->count - 1]; }

/* The expected arc length of a bend in the middle between the first joint and the next but one:
   likely by the plan, and by how well two straight bones explain the axis; and its deviation. place:
   in `unit`s.  Cost: 60 x the line's points. */
ossai_range ossai_limb_line_bend(const ossai_limb_line *line, ossai_range place, double unit);

#endif
