/* conventions/convention.h: what bones are called in other programs, as data.

   Place in the path: body -> here -> rig.
   Input: nothing.
   Output: for each convention which name stands for which part of a body, to read names and to
   write them.

   Names that are written have _ for every character that ossa does not keep (docs/formats.md).

   A pattern is a name in which * stands for a side and # for digits, or none. A finger's pattern
   has @ for the finger's word and % for that of its joint, too.

   Sources: Mixamo's and 3ds Max' exported files; Epic's mannequins of Unreal Engine 4 and 5;
   VRMC_vrm-1.0 (humanoid.md); Unity's HumanBodyBones; Godot's SkeletonProfileHumanoid; Blender's
   Rigify; CMU's motion library (ASF and BVH); Xsens' MVN manual; Noitom's Axis Neuron; SMPL and
   SMPL-X (Loper et al. 2015, Pavlakos et al. 2019); Daz' Genesis. */
#ifndef OSSAI_CONVENTIONS_CONVENTION_H
#define OSSAI_CONVENTIONS_CONVENTION_H

#include <ossa/body.h>

#include <stddef.h>

enum { OSSAI_FINGERS = 5, OSSAI_PHALANGES = 3, OSSAI_CONVENTION_ROWS = 64 };

/* One name for a part. A finger's is that of its first bone. */
typedef struct ossai_convention_row {
	ossa_body_part part; /* NONE: a bone of the convention that is no part of a body */
	const char *pattern; /* NULL: after the last row */
} ossai_convention_row;

/* How the bones of fingers are called, the thumb first. */
typedef struct ossai_finger_names {
	const char *pattern;               /* "*Hand@%"; NULL: there are no names for fingers */
	const char *finger[OSSAI_FINGERS]; /* "Thumb" .. */
	const char *joint[OSSAI_PHALANGES];
	const char *thumb_joint[OSSAI_PHALANGES]; /* NULL: as of the others */
} ossai_finger_names;

/* How the bones of a row are called that has any number of them. */
typedef struct ossai_row_names {
	/* of the first bone, the middle one and the last; NULL: these have no names of their own */
	const char *fixed[3];
	const char *first;    /* of the first bone, where its name has no number; NULL */
	const char *numbered; /* a pattern whose # is the number; NULL: no other bone has a name */
	int digits;
	int begin; /* number of the first bone */
} ossai_row_names;

typedef struct ossai_convention {
	const char *name;    /* "mixamo" */
	const char *title;   /* "Mixamo" */
	const char *prefix;  /* a pattern that may stand before every name, or "" */
	const char *side[2]; /* "Left", "Right" */
	/* Of several rows of a part the first one is the usual name; rows that all may be there follow
	   the tree: spine, neck, tail and segments that are split. */
	ossai_convention_row row[OSSAI_CONVENTION_ROWS];
	ossai_finger_names fingers;
	/* to write; of a convention that is only read both are empty */
	ossai_row_names spine, neck;
} ossai_convention;

size_t ossai_convention_count(void);

/* In the order in which they are preferred where they explain the same. */
const ossai_convention *ossai_convention_at(size_t index);

/* NULL: there is none of that name. */
const ossai_convention *ossai_convention_of_name(const char *name);

#endif
