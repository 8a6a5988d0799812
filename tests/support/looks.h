/* tests/support/looks.h: a mesh whose two materials have everything that the model of materials
   holds, and comparing what comes back from a file. */
#ifndef OSSA_TEST_LOOKS_H
#define OSSA_TEST_LOOKS_H

#include <ossa/ossa.h>

/* Two triangles with UVs: "skin" has all textures, alpha that blends and a moved base colour;
   "leaf" has an alpha that is cut off, one side, and a base colour that is clamped along u and
   mirrored along v. Images are of few bytes, which no program could draw. */
ossa_mesh *test_looks(ossa_context *context);

/* Asserts that a mesh has materials of the same names that look the same. `keeps_wraps`: also at
   the borders of images. */
void test_assert_looks(ossa_context *context, const ossa_mesh *mesh, const ossa_mesh *back, bool keeps_wraps);

#endif
