/* tests/support/people.h: people of boxes that walk: of any proportions, names, rest pose, size and
   direction. */
#ifndef OSSA_TEST_PEOPLE_H
#define OSSA_TEST_PEOPLE_H

#include "support/support.h"

/* Whose names the bones have. NUMBERS: bone_01 .., which say nothing. */
typedef enum person_names {
	PERSON_BODY,
	PERSON_MIXAMO,
	PERSON_UNREAL,
	PERSON_VRM,
	PERSON_UNITY,
	PERSON_BIPED,
	PERSON_NUMBERS,
	PERSON_NAMES
} person_names;

/* Which bone. Of limbs side 0 is the left one, 1 the right one; others have side 0 only. */
typedef enum person_part {
	PERSON_HIPS,
	PERSON_SPINE_1,
	PERSON_SPINE_2,
	PERSON_SPINE_3,
	PERSON_NECK,
	PERSON_HEAD,
	PERSON_CLAVICLE,
	PERSON_UPPER_ARM,
	PERSON_LOWER_ARM,
	PERSON_HAND,
	PERSON_THIGH,
	PERSON_CALF,
	PERSON_FOOT,
	PERSON_TOES,
	PERSON_PARTS
} person_part;

typedef struct person_form {
	person_names names;
	int spines;                    /* 1 to 3; 0: 2 */
	bool split_calves;             /* of two bones each; names of ossa only */
	double thigh, calf, foot, arm; /* lengths over those of the usual person; 0: 1 */
	int fingers;                   /* of three bones on each hand, at most 5; names of ossa */
	int strands;                   /* bones of hair on the head */
} person_form;

/* Stands with its arms half down, looks ahead along z, y is up, its left is x; 1.75 high. */
typedef struct person {
	ossa_context *context;
	ossa_rig *rig;
	uint32_t bone[PERSON_PARTS][2]; /* OSSA_NONE: there is none */
} person;

/* End with person_end. */
person person_make(ossa_context *context, person_form form);
void person_end(person *p);

/* Turns a bone with all that it carries about its joint, at rest; the person has no motion yet.
   side: 0 or 1. */
void person_bend(person *p, person_part part, int side, ossai_vec3 axis, double degrees);

/* Gives motion: a walk of one second and a half with bent elbows, its lowest point always on the
   ground. */
void person_walk(person *p, size_t frames);

/* Turns and scales everything: mesh, skeleton and motion. */
void person_move(person *p, double scale, ossai_quat turn);

/* The joint of a part in a frame of a clip; clip NULL: at rest. */
ossai_vec3 person_joint(const person *p, const ossa_clip *clip, size_t frame, person_part part, int side);

/* How far the bone of a part has turned since rest in a frame, in the mesh's axes. */
ossai_quat person_turn(const person *p, const ossa_clip *clip, size_t frame, person_part part, int side);

/* Largest angle in degrees, over all frames and segments of arms and legs and where `with_trunk` is
   set the trunk, between the directions in `p` by `clip` and in `q` by its own motion, turned. */
double person_difference(const person *p, const ossa_clip *clip, const person *q, ossai_quat turn, bool with_trunk);

/* Asserts that knees and elbows bend, but for half a degree, as those of people do in all frames of
   a clip: about its left a knee turns the foot back; an elbow brings the hand ahead. At rest the
   person faces +Z. */
void person_bends_forward(const person *p, const ossa_clip *clip);

/* Lowest vertex along `up` over the frames of a clip; NULL: at rest. */
double person_lowest(const person *p, const ossa_clip *clip, ossai_vec3 up);

#endif
