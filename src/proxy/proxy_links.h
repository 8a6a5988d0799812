/* proxy/proxy_links.h: the pieces of a proxy joined to one graph.

   Place in the path: below proxy.  In: points, triangles.  Out: pairs of vertices.
   Source: M. Madaras, Extraction of skinning data by mesh contraction, 3.1: the joining distance of
   a piece is its smallest distance to any other, and vertices within it are joined. That alone need
   not connect everything; the rounds of O. Boruvka's algorithm (1926) do. */
#ifndef OSSAI_PROXY_PROXY_LINKS_H
#define OSSAI_PROXY_PROXY_LINKS_H

#include "proxy/proxy.h"

/* Fills links, ties, their counts and piece_count (of what is left apart) of a proxy that has
   points and triangles. join_distance < 0: vertices are linked to the nearest one of another piece
   where that is no farther than their piece's joining distance, and half an edge of theirs more
   where `ring` (an even mesh: all around the contact); and then the shortest links that connect
   everything. Else: where that is within join_distance, and nothing more.
   `ties` are links that a system can have and stay sparse: those of a piece with the three others
   that it has most with, and with the nearest, and of further pairs of pieces what is needed so
   that all hangs together as by the links.
   split_distance > 0: links shorter than this are left out at last: pieces that only touch there
   stay apart. Errors: OSSA_ERROR_MEMORY.  Cost: n log n, whatever the number of pieces. */
ossa_status ossai_proxy_link(ossai_arena *arena, double join_distance, double split_distance, bool ring, ossai_proxy *proxy);

#endif
