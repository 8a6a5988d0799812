/* tests/support/pieces.h: shared by tests of meshes whose pieces are rigged separately: creatures
   beside each other, strips, floors, and what their rigs have in common. */
#ifndef OSSA_TEST_PIECES_H
#define OSSA_TEST_PIECES_H

#include "samples/samples.h"
#include "support/shapes.h"

/* Vertices of the proxy that the options ask for. */
enum { TEST_PIECES_PROXY = 600 };

/* Contraction with separate pieces. */
ossa_contraction_options test_pieces_options(void);

/* A creature of 1200 faces. */
ossa_sample *test_pieces_sample(ossa_context *context, int kind);

/* Adds a mesh at a position. */
void test_pieces_add(test_shape *s, const ossa_mesh *mesh, double x, double y, double z);

/* The shape as a mesh; the shape stays. */
ossa_mesh *test_pieces_mesh(ossa_context *context, const test_shape *s);

/* A valid rig, and a context without older warnings. */
ossa_rig *test_pieces_rig(ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options);

/* The number of bones whose names begin with the prefix. */
size_t test_pieces_count(const ossa_rig *rig, const char *prefix);

/* The bones that the prefix begins move no vertex outside of first .. end, and no others any
   inside. */
void test_pieces_assert_own(const ossa_rig *rig, const char *prefix, size_t first, size_t end);

/* Adds a bent strip of 20 faces, as hair and grass are made of: from a position, along x and up, of
   the given length. */
void test_pieces_add_strip(test_shape *s, ossai_vec3 from, double length, double lean);

/* Adds a square at a height, of half a width. */
void test_pieces_add_floor(test_shape *s, double y, double half);

/* A biped's skin near a point: of the vertices at this height and side the one farthest to the
   front */
ossai_vec3 test_pieces_front(const ossa_mesh *mesh, double x, double y, double near);

#endif
