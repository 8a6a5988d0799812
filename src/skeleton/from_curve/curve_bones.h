/* skeleton/from_curve/curve_bones.h: bones from a curve, with joints where a rigger would put them.

   Place in the path: curve/clean -> here -> rest_weights, rig.
   Input: a curve without loops, the proxy that it lies in, its plane of symmetry.
   Output: bones, and the bone of each vertex of the proxy. */
#ifndef OSSAI_SKELETON_FROM_CURVE_CURVE_BONES_H
#define OSSAI_SKELETON_FROM_CURVE_CURVE_BONES_H

#include "curve/curve.h"
#include "proxy/mirror.h"
#include "skeleton/from_curve/joint_energy.h"
#include "skeleton/tree.h"

#include <ossa/landmarks.h>
#include <ossa/body.h>
#include <ossa/stages.h>

/* A limb or the trunk of a known body: the node where its chain ends, and how many bones it has. */
typedef struct ossai_curve_limb {
	uint32_t node;
	size_t bones;
} ossai_curve_limb;

/* Start from ossai_curve_bones_default(). */
typedef struct ossai_curve_bones_options {
	size_t bones; /* wanted; 0: as many as the shape suggests */
	ossa_symmetry_kind symmetry;
	const ossa_landmarks *landmarks; /* in the axes and units of the mesh; NULL: none */
	ossai_joint_weights weights;
	/* where `bones` is 0: chains whose number is known; others have as many as the shape
	   suggests */
	size_t limb_count;
	const ossai_curve_limb *limb;
} ossai_curve_bones_options;

ossai_curve_bones_options ossai_curve_bones_default(void);

typedef struct ossai_curve_bones {
	ossai_tree tree;
	ossai_vec3 *joint; /* B: where the bone begins; the root's at the root node */
	ossai_vec3 *tail;  /* B: where it ends; at leaves the tip of their patch */
	double *radius;    /* B: of the curve at the joint */
	/* B: the mirror image, itself on the plane of symmetry, OSSA_NONE without symmetry */
	uint32_t *mirrored;
	uint32_t *bone_of_vertex; /* N: of the proxy */
	ossa_role *role;          /* B: what each is in a recognized body; NULL: there is none */
	double *deviation;        /* B: of the joints of that (body/joints.h), else 0; NULL with role */
} ossai_curve_bones;

/* Allocates the arrays of `count` bones and `vertex_count` vertices; `mirrored` is OSSA_NONE, the
   others are not initialised. Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_curve_bones_new(ossai_arena *arena, size_t count, size_t vertex_count, ossai_curve_bones *bones);

/* The plane of symmetry that bones are made by: none where symmetry is off; where it is enforced
   the best one, with the warning "not-symmetric" where it is poor. `mirror` may be NULL. */
ossai_mirror ossai_bones_mirror(ossa_context *context, const ossai_mirror *mirror, ossa_symmetry_kind symmetry);

/* Whether what lies this far off the plane of symmetry counts as on it: within the radius of the
   curve there. */
bool ossai_bones_are_on_plane(double off, double radius);

/* Places joints at junctions, where limbs leave the body, at bends and narrow places, and evenly
   elsewhere: as many as wanted where the shape allows (else warnings "fewer-bones", "more-bones").
   `mirror` may not exist; where symmetry is enforced the warning is "not-symmetric". Arrays are the
   arena's. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_INPUT (a curve without nodes, or with loops). */
ossa_status ossai_curve_bones_place(ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root,
	const ossai_mirror *mirror, const ossai_curve_bones_options *options, ossai_curve_bones *bones);

#endif
