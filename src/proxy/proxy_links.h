/* proxy/proxy_links.h: links that connect the pieces of a proxy to one graph.

   Place in the path: below proxy.
   Input: points, triangles.
   Output: pairs of vertices.
   Source: M. Madaras, Extraction of skinning data by mesh contraction, 3.1: the joining distance of
   a piece is its smallest distance to any other piece, and vertices within it are linked.
   Departures: these links alone need not connect everything; rounds of O. Boruvka's minimum
   spanning tree (1926) add the rest. */
#ifndef OSSAI_PROXY_PROXY_LINKS_H
#define OSSAI_PROXY_PROXY_LINKS_H

#include "proxy/proxy.h"

/* Fills links, ties, their counts and piece_count (components that are left) of a proxy that has
   points and triangles. With join_distance < 0 each vertex is linked to the nearest vertex of
   another piece where that is no farther than its piece's joining distance, plus half an edge
   length where `ring` (an isotropic mesh: so that links surround the contact); then the shortest
   links that connect all pieces are added. Otherwise vertices within join_distance are linked, and
   no others.
   `ties` are the links that keep a linear system sparse: those of a piece with the three pieces
   with which it has most links and with the nearest piece; and of further pairs as many as keep
   connected what the links connect.
   split_distance > 0: links shorter than this are dropped last: pieces that only touch there stay
   unconnected. Errors: OSSA_ERROR_MEMORY.  Cost: n log n, whatever the number of pieces. */
ossa_status ossai_proxy_link(ossai_arena *arena, double join_distance, double split_distance, bool ring, ossai_proxy *proxy);

#endif
