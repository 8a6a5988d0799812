/* weights/transfer.h: transfers weights from a proxy to the surface that it approximates.

   Place in the path: weights of a proxy -> here -> weights of the surface. */
#ifndef OSSAI_WEIGHTS_TRANSFER_H
#define OSSAI_WEIGHTS_TRANSFER_H

#include "proxy/proxy.h"
#include "weights/bone_weights.h"

/* Fills `to` (V of the surface, its width kept): each vertex gets the weights at its nearest point
   on the proxy, searched among the faces around its corresponding proxy vertex, interpolated over
   the face's corners; the largest are kept, sum 1. Vertices of no face get none. Errors:
   OSSA_ERROR_MEMORY, OSSA_ERROR_LIMIT. Threads: the context's. Cost: linear. */
ossa_status ossai_weights_transfer(ossa_context *context, const ossai_proxy *proxy, const ossai_bone_weights *from,
	const ossai_posed_surface *surface, ossai_bone_weights *to);

#endif
