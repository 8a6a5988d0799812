/* surface/links.h: links between the separate pieces of a surface, so that algorithms on its graph
   cross from one to the next.

   Place in the path: before clustering.
   Input: positions at rest, triangles, pieces.
   Output: pairs of faces. */
#ifndef OSSAI_SURFACE_LINKS_H
#define OSSAI_SURFACE_LINKS_H

#include "mesh/view.h"

/* A link is kept where it is longer than its piece's shortest by no more than this share of the
   mean edge there: a half takes in what is opposite, and not what is behind. Of surfaces and of
   their isotropic proxies. */
#define OSSAI_LINK_REACH 0.5

/* Links each piece where it is closest to others: faces on its border (of a closed piece: all
   faces) to the nearest faces of other pieces whose distance is within one edge length of the
   piece's smallest. All pieces together become one connected graph. pairs: 2 a link, first <
   second, sorted, unique, in `arena`; none where there is one piece. face_on_border is
   ossai_adjacency's, piece_of_face that of ossai_pieces_make.
   Errors: OSSA_ERROR_MEMORY.  Cost: n log n.  Source: Schaefer and Yuksel 2007, 3.1 (which leaves
   the choice of links open). */
ossa_status ossai_links_make(ossai_arena *arena, const ossai_mesh_view *mesh, const uint8_t *face_on_border,
	const uint32_t *piece_of_face, uint32_t piece_count, uint32_t **pairs, size_t *pair_count);

#endif
