/* body/fingers.h: the fingers of a hand, where the shape parts them.

   Place in the path: body/limb_axis -> here -> body/joints.
   Input: a recognized body.
   Output: fingers, the thumb first, each with the joints of three bones. */
#ifndef OSSAI_BODY_FINGERS_H
#define OSSAI_BODY_FINGERS_H

#include "body/limb_axis.h"
#include "body/recognize.h"

enum { OSSAI_FINGERS = 5, OSSAI_PHALANGES = 3 };

typedef struct ossai_finger {
	size_t end; /* of the figure */
	ossai_vec3 joint[OSSAI_PHALANGES], tip;
	double radius;
} ossai_finger;

typedef struct ossai_fingers {
	size_t count; /* 0, or 1 to OSSAI_FINGERS */
	/* the thumb alone, where the others are one; else thumb, index, middle ... */
	ossai_finger finger[OSSAI_FINGERS];
} ossai_fingers;

/* Finds the fingers of the arm `side` (0 left, 1 right): ends that leave the arm in its outer half
   and are no longer than fingers; with two or more of them, the arm's own end is a finger, too.
   None where there are more than five. Cost: fingers x samples x the proxy's faces. */
void ossai_fingers_find(
	const ossai_figure *figure, ossai_sections *sections, const ossai_body *body, int side, ossai_fingers *fingers);

#endif
