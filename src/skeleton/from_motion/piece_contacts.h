/* skeleton/from_motion/piece_contacts.h: which clusters of different pieces are neighbours.

   Place in the path: piece_clusters -> here -> bodies, piece_slides. */
#ifndef OSSAI_SKELETON_FROM_MOTION_PIECE_CONTACTS_H
#define OSSAI_SKELETON_FROM_MOTION_PIECE_CONTACTS_H

#include "skeleton/from_motion/piece_clusters.h"

/* A face of one cluster, and the cluster of another piece that is nearest to it. */
typedef struct ossai_piece_contact {
	uint32_t a, b; /* clusters, or what stands for them, a < b */
	uint32_t face;
	double distance2; /* from the face's center, square shares of the diagonal */
} ossai_piece_contact;

/* For each face of a piece that moves the nearest face of another piece: of those that move, and of
   those that do not (is_still: P), so that a floor does not hide the shin from its foot. Sorted by
   clusters, then distance. The array is the arena's.
   Errors: OSSA_ERROR_MEMORY. */
ossa_status ossai_piece_contacts_find(ossa_context *context, ossai_arena *arena, const ossai_piece_clusters *clusters,
	const uint8_t *is_still, ossai_piece_contact **contacts, size_t *count);

/* Sorts by clusters, then distance, then face. */
void ossai_piece_contacts_sort(ossai_piece_contact *contacts, size_t count);

/* The number of contacts from the first on that are of the same two clusters. */
size_t ossai_piece_contacts_alike(const ossai_piece_contact *first, size_t count);

/* Where two clusters touch: the middle of the faces about as near as the first, the nearest. */
ossai_vec3 ossai_piece_contacts_middle(const ossai_posed_surface *surface, const ossai_piece_contact *first, size_t count);

#endif
