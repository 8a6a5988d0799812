/* skeleton/naming/stance.h: a body on its legs: which bones are legs, which direction it faces,
   which limbs are medial.

   Place in the path: body, limbs -> here -> names_two_legs.c, names_four_legs.c,
   names_standing.c. */
#ifndef OSSAI_SKELETON_NAMING_STANCE_H
#define OSSAI_SKELETON_NAMING_STANCE_H

#include "skeleton/naming/limbs.h"

enum { LEGS_MAX = 32 };

typedef struct ossai_stance {
	ossai_naming *naming;
	size_t leg_count;      /* as many left as right */
	size_t foot[LEGS_MAX]; /* left ones first, each side from front to back once that is known */
	ossai_limb leg[LEGS_MAX];
	ossai_vec3 front; /* unit, horizontal; `across` then points to the left */
} ossai_stance;

/* Takes the feet that lie off the body's plane; false where they are not as many on both sides. */
bool ossai_stance_find_legs(ossai_stance *stance);

/* The medial bone that is the common ancestor of the legs; OSSA_NONE where there is none. */
uint32_t ossai_stance_trunk(const ossai_stance *stance);

/* Traces the legs from their feet; ends must be marked. */
ossa_status ossai_stance_trace(ossai_stance *stance);

/* All are long enough and fall. */
bool ossai_stance_carries(const ossai_stance *stance);

ossai_vec3 ossai_stance_sole(const ossai_stance *stance, size_t leg);

/* Positions the bones of a pair of legs by height over the ground; false where the legs are no
   pair. */
bool ossai_stance_measure_legs(const ossai_stance *stance, ossai_limb *a, ossai_limb *b);

/* How far soles lie ahead of shanks along `front`, as a share of the legs' height. `shank`: its
   heights as shares of a leg's. */
double ossai_stance_soles_ahead(const ossai_stance *stance, const double shank[2], ossai_vec3 front);

/* +Z, or +X perpendicular to it: the front where the shape does not decide */
bool ossai_faces_forward(ossai_vec3 front);

/* Takes `across` x up (or its opposite) for the front: exchanges sides where needed, and sorts legs
   from front to back. */
void ossai_stance_face(ossai_stance *stance, bool forward);

/* The leaf of the medial limb that reaches farthest along `direction`, of its branches the one with
   the most surface; no bone on the path to a marked leaf. OSSA_NONE where there is none. */
uint32_t ossai_stance_farthest_end(const ossai_stance *stance, ossai_vec3 direction);

/* Marks those that are not OSSA_NONE. */
void ossai_mark_ends(ossai_naming *naming, const uint32_t *ends, size_t count);

/* The medial bones on both paths: between the left limbs and between the right ones. A
   bone whose center is beyond the second pair along `along` carries a head or a neck. */
ossa_status ossai_stance_spine(
	ossai_stance *stance, const ossai_limb *from, const ossai_limb *to, ossai_vec3 along, size_t *count, uint32_t **bones);

/* Names what leaves the body backwards, from the first bone on that lies behind the hips. */
ossa_status ossai_stance_name_tail(ossai_stance *stance, uint32_t end, const ossai_limb *left_hip, const ossai_limb *right_hip);

ossa_status ossai_name_two_legs(ossai_stance *stance);
ossa_status ossai_name_four_legs(ossai_stance *stance);

#endif
