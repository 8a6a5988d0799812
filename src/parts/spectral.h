/* parts/spectral.h: spectral clustering of a surface into rigid parts, from a few seed vertices
   over all poses.

   Place in the path: posed surface -> seeds -> here (affinity, eigenvectors, k-means) -> patches
   -> boundary graph, joints.
   Input: a posed surface.
   Output: a part for every face.
   Source: de Aguiar, Theobalt, Thrun, Seidel, Automatic Conversion of Mesh Animations into
   Skeleton-based Animations, 2008, section 4, after A. Ng, M. Jordan, Y. Weiss, On Spectral
   Clustering: Analysis and an Algorithm, 2002.
   Departures, unless `published` is set, with the adjusted Rand index against the true parts of
   the samples (as published: 0.55; face clusters cut at the same number: 0.88):
   - the affinity normalises motion by its own mean (see fill_affinity), and the distance from
     seeds to faces is geodesic: 0.83;
   - borders between parts are refined by the faces' own motion, on a few poses: 0.95;
   - the number of parts is the smallest that explains a share of the variance of distances, and
     not of the eigenvalues' sum, which the long tail of our affinity fills with a hundred parts.
     Of the samples' and characters' true parts the median explains 0.993. */
#ifndef OSSAI_PARTS_SPECTRAL_H
#define OSSAI_PARTS_SPECTRAL_H

#include "parts/patches.h"

/* Maximum number of groups where their number is found. */
enum { OSSAI_SPECTRAL_PARTS_MOST = 150 };

/* The length of the rest pose's diagonal in the paper's formulas. They add lengths to roots of
   lengths and name no unit: this one is centimetres for a man. In it 99 % of the eigenvalues' sum
   give as many parts as the paper reports (17 to 33 of 60 to 1000 seeds of the corpus' horse; in
   diagonals nearly one for each seed, in millimetres 2). */
#define OSSAI_PAPER_DIAGONAL 200.0

/* Start from ossai_spectral_default(). */
typedef struct ossai_spectral_options {
	int seeds;         /* how many; 0: by seed_share */
	double seed_share; /* of the vertices, clamped */
	int bones;         /* parts wanted; 0: as many as the motion shows */
	/* without bones: the smallest number of parts with this share of the variance of distances
	   between them */
	double share;
	/* without bones: as many as there are eigenvalues before the largest gap, instead of the
	   share */
	bool gap;
	/* the affinity as published (scale 1), and the number of parts by the sum of eigenvalues,
	   instead of ours */
	bool published;
	double scale;  /* factor on S in the affinity */
	bool geodesic; /* measure from seeds to faces over the surface; the paper: false */
	/* of Lloyd on the faces, which move borders to where the motion changes; the paper: 0 */
	int rounds;
	/* NULL, or how many parts are wanted where so many were found: if they are more, these are made
	   in place of those found, of the same seeds where these are enough */
	size_t (*more)(const void *arg, size_t found);
	const void *more_arg;
} ossai_spectral_options;

ossai_spectral_options ossai_spectral_default(void);

/* What was found. Arrays are the arena's. */
typedef struct ossai_spectral_parts {
	/* false: all distances are constant, so there is no joint to find; all is one part */
	bool moves;
	ossai_seeds seeds;
	uint32_t *group_of_seed;
	uint32_t *part_of_seed; /* the part that the seed lies on */
	uint32_t *part_of_face; /* F */
	size_t part_count;
	size_t shown_count;                            /* parts that were found first: see `more` */
	size_t group_count;                            /* of seeds: what parts were made of */
	size_t moved_faces, empty_groups, extra_parts; /* see ossai_patches */
	/* S: of motion in diagonals; published: in the paper's unit */
	double scale;
	size_t eigenvalue_count;
	double *eigenvalues; /* descending, of the normalised affinity; for the report */
} ossai_spectral_parts;

/* Parts are connected; asked for `bones` there can be fewer (groups without faces) or more (pieces
   without links, counted in extra_parts).  Errors: OSSA_ERROR_INPUT, OSSA_ERROR_LIMIT,
   OSSA_ERROR_MEMORY, OSSA_ERROR_CANCELLED. Threads: the same bytes for any number.
   Cost: 0.2 s of CPU for 20 000 faces and 175 poses (300 seeds), 1.1 s for 100 000 (500 seeds). */
ossa_status ossai_spectral_parts_make(ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface,
	const ossai_spectral_options *options, ossai_spectral_parts *parts);

#endif
