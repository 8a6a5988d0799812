/* weights/surface_match.h: for each point of a surface the nearest place on another one, and
   whether that is the same part of the shape.

   Place in the path: a rig's mesh, another mesh of the same character -> here -> inpaint.
   Source: R. Abdrashitov, K. Raichstat, J. Monsen, D. Hill, Robust Skin Weights Transfer via Weight
   Inpainting, 2023, 3.1: a place is the same part where it is near and looks the same way.
   Departures:
   - The paper takes the nearest place and asks whether it looks the same way; here the place is the
     nearest of those that do. Where limbs touch, the nearest one may be of the other limb.
   - To the allowed angle between the normals is added by how much the normals of both surfaces are
     uncertain: the mean angle between a point's normal and those of the faces around. On coarse
     meshes that is most of the difference. Where both together are a right angle or more, the
     nearest place of all is taken.
   - Whether a connected piece is inside out is voted on by its points, because files are.
   - Normals are those of points joined over seams.
   - Points of a piece that is the copy of one of the other surface lie on that, or on pieces that
     have no copy (match_pieces.h). */
#ifndef OSSAI_WEIGHTS_SURFACE_MATCH_H
#define OSSAI_WEIGHTS_SURFACE_MATCH_H

#include "mesh/weld.h"
#include "weights/bone_weights.h"

/* A mesh without its seams. Arrays are the arena's. */
typedef struct ossai_match_surface {
	ossai_weld weld;
	ossai_mesh_view view; /* of the points */
	float *positions;     /* N x 3 */
	float *normals;       /* N x 3: unit, weighted by area; 0 where there is none */
	/* N: radians, mean angle between the normal and those of the faces around */
	float *spread;
	uint32_t *piece_of_point; /* N */
	uint32_t piece_count;
} ossai_match_surface;

/* Positions are finite. Errors: OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT.  Cost: V log V. */
ossa_status ossai_match_surface_make(ossai_arena *arena, const ossa_mesh *mesh, ossai_match_surface *surface);

/* Whether a place is the same part. */
typedef enum ossai_match_kind {
	OSSAI_MATCH_SURE,
	OSSAI_MATCH_TURNED, /* there is one near, but it looks another way */
	OSSAI_MATCH_FAR
} ossai_match_kind;

/* Arrays are the arena's. */
typedef struct ossai_surface_match {
	uint32_t *face;   /* N: of the other surface */
	double *share;    /* N x 3: barycentric, of its corners */
	double *distance; /* N */
	uint8_t *kind;    /* N: ossai_match_kind */
} ossai_surface_match;

/* The places on `to`, which has a face, of the points of `from`, the nearest of all where there is
   no sure one: `distance` is the largest of a sure one, `angle` (degrees) the largest between
   normals.  Errors: OSSA_ERROR_MEMORY.  Threads: the context's.  Cost: n log n. */
ossa_status ossai_surface_match_make(ossai_arena *arena, const ossai_match_surface *from, const ossai_match_surface *to,
	double distance, double angle, ossai_surface_match *match);

/* Gives vertex `receiver` of `to` the weights at the place of a point. triangles, from: the other
   mesh's faces over its vertices, and the weights of those. */
void ossai_surface_match_take(const ossai_surface_match *match, size_t point, const uint32_t *triangles,
	const ossai_bone_weights *from, size_t receiver, ossai_bone_weights *to);

#endif
