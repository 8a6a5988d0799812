/* body/fingers.h: the fingers of a hand, where the shape parts them.

   Place in the path: body/figure -> here -> body/joints.
   Input: a figure with its tips, where a hand begins and ends.
   Output: fingers, the thumb first, each with the joints of three bones.

   A fingertip is a maximum of the average geodesic distance (curve/tips.h) beyond the wrist that is
   as persistent as a finger is long: many times less than an arm, so that most are no tips of limbs.
   The axis of a finger is the mean of the surface in bands of distance from its tip. */
#ifndef OSSAI_BODY_FINGERS_H
#define OSSAI_BODY_FINGERS_H

#include "body/figure.h"
#include "math/shortest_paths.h"

enum { OSSAI_FINGERS = 5, OSSAI_PHALANGES = 3 };

typedef struct ossai_finger {
	ossai_vec3 joint[OSSAI_PHALANGES], tip;
	double radius;
} ossai_finger;

typedef struct ossai_fingers {
	size_t count; /* 0, or 1 to OSSAI_FINGERS */
	/* the thumb alone, where the others are one; else thumb, index, middle ... */
	ossai_finger finger[OSSAI_FINGERS];
} ossai_fingers;

/* The edges of a proxy, and distances over them. */
typedef struct ossai_finger_search {
	ossai_edge_graph graph;
	ossai_path_front front;
	double *distance; /* N: from a tip */
} ossai_finger_search;

/* Arrays are the arena's. Errors: OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY. */
ossa_status ossai_finger_search_make(ossai_arena *arena, const ossai_proxy *proxy, ossai_finger_search *search);

/* Finds the fingers of a hand. tip: of its arm. along: unit, from the elbow to the wrist. None where
   there are more than five.  Cost: a search over the proxy a finger. */
void ossai_fingers_find(const ossai_figure *figure, ossai_finger_search *search, ossai_vec3 wrist, ossai_vec3 along,
	ossai_vec3 tip, ossai_fingers *fingers);

#endif
