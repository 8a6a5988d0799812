/* parts/spectral.h: which parts of a surface move together, found from a few seed vertices at once over all poses.

   Place in the path: posed surface -> seeds -> here (affinity, eigenvectors, k-means) -> patches -> boundary graph, joints.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into Skeleton-based Animations, 2008,
   section 4, after A. Ng, M. Jordan, Y. Weiss, On Spectral Clustering: Analysis and an Algorithm, 2002. */
#ifndef OSSAI_PARTS_SPECTRAL_H
#define OSSAI_PARTS_SPECTRAL_H

#include "parts/patches.h"

/* Start from ossai_spectral_default(). */
typedef struct ossai_spectral_options {
	int seeds;         /* how many; 0: by seed_share */
	double seed_share; /* of the vertices, between a floor and a ceiling */
	int bones;         /* parts wanted; 0: as many as the motion shows */
	double share;      /* without bones: the fewest parts whose eigenvalues make up this share of the sum */
	bool gap;          /* without bones: as many as there are eigenvalues before the largest gap, instead of the share */
	bool published;    /* the affinity as published, instead of ours */
	double scale;      /* factor on S in the affinity */
	bool geodesic;     /* measure from seeds to faces over the surface; the paper: false */
} ossai_spectral_options;

ossai_spectral_options ossai_spectral_default(void);

/* What was found. Arrays are the arena's. */
typedef struct ossai_spectral_parts {
	bool moves; /* false: all distances stay what they are, so there is no joint to find; all is one part */
	ossai_seeds seeds;
	uint32_t *part_of_seed; /* the part that the seed lies on */
	uint32_t *part_of_face; /* F */
	size_t part_count;
	size_t group_count;                            /* of seeds: what parts were made of */
	size_t moved_faces, empty_groups, extra_parts; /* see ossai_patches */
	size_t eigenvalue_count;
	double *eigenvalues; /* falling, of the normalised affinity; for the report */
} ossai_spectral_parts;

/* Parts are connected; asked for `bones` there can be fewer (groups without faces) or more (pieces without links, counted in
   extra_parts).  Errors: OSSA_ERROR_INPUT, OSSA_ERROR_LIMIT, OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED.
   Threads: the same bytes for any number. */
ossa_status ossai_spectral_parts_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_spectral_options *options, ossai_spectral_parts *parts);

/* By itself for tests: how much the distance of each two seeds varies over rest and poses (l x l), and its mean. */
ossa_status ossai_seed_distances(
	ossa_context *context, const ossai_posed_surface *surface, const ossai_seeds *seeds, double *deviation, double *mean);

#endif
