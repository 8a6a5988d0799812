/* tests/support/bodies.h: several bodies in one mesh, with their motion. */
#ifndef OSSA_TEST_BODIES_H
#define OSSA_TEST_BODIES_H

#include "samples/samples.h"

/* Creatures beside each other, in the order of the list, and a still floor below them last where
   wanted. */
typedef struct test_bodies {
	ossa_context *context;
	size_t count;           /* creatures */
	ossa_sample *sample[4]; /* each at its own place */
	ossa_mesh *mesh;
	ossa_frames *frames;
	ossa_frame_stream *stream;
	/* of each creature, and of the floor: the vertices of a creature follow each other */
	size_t first_vertex[5];
} test_bodies;

/* gap: between the boxes around neighbours, as a share of their width; negative: they overlap. */
test_bodies test_bodies_begin(int threads, size_t count, const int *kinds, double gap, bool has_floor, int frames);
void test_bodies_end(test_bodies *bodies);

#endif
