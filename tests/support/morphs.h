/* tests/support/morphs.h: morph targets of odd names and sizes, and comparing what comes back. */
#ifndef OSSA_TEST_MORPHS_H
#define OSSA_TEST_MORPHS_H

#include <ossa/ossa.h>

/* Adds three targets: "smile" moves every fifth vertex and has a weight at rest, one whose name is
   hard to write moves all of them, "weight" moves none. */
void test_add_morphs(ossa_context *context, ossa_mesh *mesh);

/* The weight of target `morph` in a frame of a motion that test_move_morphs gave it. */
double test_morph_weight(size_t morph, size_t frame);

/* Gives a motion such weights of all the mesh's targets. */
void test_move_morphs(ossa_context *context, const ossa_mesh *mesh, ossa_clip *clip);

/* Asserts that another mesh has targets of the same names and weights that move the same vertices,
   to 1e-6 of the largest coordinate: a file of positions rounds deltas. */
void test_assert_morphs(const ossa_mesh *mesh, const ossa_mesh *back);

/* Positions at rest become those with another weight of the target. */
void test_apply_morph(const ossa_morph *morph, double weight, float *positions);

#endif
