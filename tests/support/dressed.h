/* tests/support/dressed.h: a mesh that has everything that materials say. */
#ifndef OSSA_TEST_DRESSED_H
#define OSSA_TEST_DRESSED_H

#include "scene/appearance.h"

/* Two triangles with UVs, which leave the image. The first is of "old skin": factors, and a
   texture for every use, that of the colours placed by offset, scale and rotation; the second of
   "glass": half transparent, with a clamped texture. Its three images are bytes "color", "both"
   and "normal". */
ossa_mesh *test_dressed(ossa_context *context);

/* The materials of what test_dressed has made, to change them. */
ossa_material *test_dressed_material(ossa_mesh *mesh, size_t index);

#endif
