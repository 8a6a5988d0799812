/* body/plan_lines.h: the bones of an animal's plan, on lines from the first joint of each limb to its
   tip.

   Place in the path: body/limb_line -> here -> body/quadruped_joints, body/theropod_joints.
   Input: a plan, the lines of its regions.
   Output: the joints of all rows whose region the body shows. */
#ifndef OSSAI_BODY_PLAN_LINES_H
#define OSSAI_BODY_PLAN_LINES_H

#include "body/joints.h"
#include "body/limb_line.h"

typedef struct ossai_plan_lines {
	const ossai_body *body;
	const ossai_mirror *mirror; /* of the joints; may not exist */
	bool enforce;               /* all pairs are mirror images */
	double unit;                /* lengths that are called near are shares of it */
	bool has_legs, has_arms, has_ears, has_tail;
	ossai_limb_line leg[2], arm[2], ear[2], neck, tail; /* left, right; those that it has */
	double leg_thickness, arm_thickness;                /* over those at which the plan's places are given: logarithms */
	double head;                                        /* arc of the head's joint on the neck's line */
	ossai_vec3 over;                                    /* from there to that joint */
	ossai_vec3 hips, scapula[2];                        /* the scapulae where the plan has them */
	double trunk_radius[2];                             /* at the hips, where the neck begins */
	/* deviations of the first joint of a limb, of the ends of the trunk, of any joint off its line */
	double first, trunk, off_axis;
} ossai_plan_lines;

/* The two joints of a pair become mirror images where they differ no more than they are uncertain. */
void ossai_plan_lines_mirror(const ossai_plan_lines *lines, ossai_vec3 pair[2]);

/* Replaces the joints by those of the plan, parents first. */
void ossai_plan_lines_place(const ossai_plan_lines *lines, ossai_body_joints *joints);

/* The logarithm of the mean radius over the length, of the middle of what is free of the trunk.
   parting: the last sample that is. */
double ossai_plan_lines_thickness(const ossai_limb_axis *axis, size_t parting, const ossai_limb_line *line);

/* The foremost point of the surface, in the plane of symmetry where there is one: the muzzle of a
   body whose head is no limb. */
ossai_vec3 ossai_plan_lines_front(const ossai_proxy *proxy, const ossai_body *body, const ossai_mirror *mirror);

/* A straight line, where the curve shows none. */
ossai_limb_line ossai_plan_lines_straight(ossai_vec3 from, ossai_vec3 to, double radius);

#endif
