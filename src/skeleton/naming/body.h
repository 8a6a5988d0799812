/* skeleton/naming/body.h: measures a skeleton before its bones are named: where every bone's skin
   is, what stands on the ground, and the plane of symmetry.

   Place in the path: joints, tails, weights -> here -> names.
   Input: a rig's mesh, bones and weights.
   Output: an ossai_body.
   Lengths are shares of the bounding box's diagonal, relative to the center of the box's floor, so
   that nothing depends on units or placement; up is +Y.

   It measures skin and not joints because a joint that rotates about one axis only may lie anywhere
   along it, far outside the body; the center of the skin that a bone influences is always inside
   its part. */
#ifndef OSSAI_SKELETON_NAMING_BODY_H
#define OSSAI_SKELETON_NAMING_BODY_H

#include "base/context.h"
#include "math/vec.h"
#include <ossa/rig.h>

/* Connected bones that touch the ground. */
typedef struct ossai_foot {
	/* of those that share the sole the one farthest from `anchor`; set by ossai_body_reroot */
	uint32_t bone;
	ossai_vec3 sole; /* center of what touches the ground */
	double surface;  /* of the sole */
} ossai_foot;

typedef struct ossai_body {
	const ossa_skeleton *skeleton;
	const ossa_mesh *mesh;
	const ossa_weights *weights;
	size_t bone_count;
	double height;      /* of the box */
	ossai_vec3 origin;  /* of the box's floor, in the mesh's units */
	double area;        /* of the surface, in squared diagonals */
	double scale;       /* 1 / diagonal */
	double *surface;    /* V: a vertex's share of the whole surface */
	double *share;      /* B: a bone's share of the surface, by weight */
	ossai_vec3 *center; /* B: center of that; the joint for a bone without */
	/* B: lowest vertex of the patch of the bone's largest weights; INFINITY without */
	double *low;
	double *ground; /* B: surface of that patch on the ground */
	/* B: where a bone's skin meets its parent's (not of the root) */
	ossai_vec3 *seam;
	uint32_t *neighbor_first, *neighbors; /* B + 1: into neighbors: parent and children */

	size_t foot_count;
	ossai_foot *feet;
	uint32_t *foot_of_bone; /* B, OSSA_NONE off the ground */

	/* set by ossai_body_mirror */
	bool mirrored;     /* there is a plane that maps the body onto itself */
	ossai_vec3 across; /* unit, horizontal: from the plane to one side */
	double offset;     /* dot(across, p) on the plane */
	double symmetry;   /* 0..1: the share of the surface that has a counterpart */

	/* set by ossai_body_reroot */
	uint32_t anchor;
	uint32_t *up;    /* B: the next bone towards the anchor; OSSA_NONE at the anchor */
	uint32_t *order; /* B: from the anchor outward */
	ossai_vec3 *tip; /* B: end of the patch of the bone's largest weights, away from `up` */
	double *reach;   /* B: length of the path from the anchor along the seams to the tip */
	double *beyond;  /* B: surface of the bone and its descendants */
	double *scratch; /* B: for ossai_body_reroot */
} ossai_body;

/* Measures bones and feet. Arrays are the arena's. */
ossa_status ossai_body_measure(
	ossai_arena *arena, const ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, ossai_body *body);

/* Looks for the vertical plane of symmetry. */
void ossai_body_mirror(ossai_body *body);

/* Reroots the tree at `anchor`: fills up, order, tip, reach and the feet's bones. */
void ossai_body_reroot(ossai_body *body, uint32_t anchor);

/* a vertex in the body's units */
static inline ossai_vec3 ossai_body_point(const ossai_body *body, size_t vertex)
{
	const ossai_vec3 p = ossai_v3_of_float(body->mesh->positions + 3 * vertex);
	return ossai_scale(ossai_sub(p, body->origin), body->scale);
}

/* a point's signed distance from the plane, along `across` */
static inline double ossai_body_offset(const ossai_body *body, ossai_vec3 p)
{
	return ossai_dot(body->across, p) - body->offset;
}

/* where bone meets the bone above it; `bone` is not the anchor */
ossai_vec3 ossai_body_seam(const ossai_body *body, uint32_t bone);

#endif
