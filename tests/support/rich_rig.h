/* tests/support/rich_rig.h: a small rig with everything that a file can hold: motion, UV seams,
   colours, materials, unusual names. */
#ifndef OSSA_TEST_RICH_RIG_H
#define OSSA_TEST_RICH_RIG_H

#include <ossa/ossa.h>

/* A creature of about `faces` faces with `frames` frames, to which UVs with seams, vertex colours
   and two materials were added; half of its faces have a material. `influences` of more than 4
   spread the weights over that many bones. Ownership: ossa_rig_free. */
ossa_status test_rich_rig(ossa_context *context, int faces, int frames, int influences, ossa_rig **rig);

/* Gives a rig's clip translations of its own: every bone but the root slides a little along its
   axes. */
ossa_status test_rich_rig_slides(ossa_context *context, ossa_rig *rig);

/* Gives bones the roles that every human has, from the first bone on; the rig has at least 15. */
void test_rich_rig_roles(ossa_rig *rig);

/* A quad, a pentagon and a triangle of three kinds of material (second, none, first), with UVs
   and normals on some corners and floats that are hard to print. The first material's name has
   marks that XML must escape. */
ossa_mesh *test_mixed_mesh(ossa_context *context, const char *second_material);

#endif
