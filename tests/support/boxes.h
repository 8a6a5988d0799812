/* tests/support/boxes.h: rigs of boxes: a table of bones, each with its own box of skin around
   it. */
#ifndef OSSA_TEST_BOXES_H
#define OSSA_TEST_BOXES_H

#include <ossa/ossa.h>

typedef struct test_box {
	const char *name, *parent; /* parents first; NULL for the root */
	double joint[3], tail[3];
	double radius; /* half of the box's width */
} test_box;

/* A rig whose bones bear the table's names. A box runs from its joint to its tail and a little
   less, so that boxes do not touch. Ownership: ossa_rig_free. */
ossa_status test_boxes_rig(ossa_context *context, size_t count, const test_box *boxes, ossa_rig **rig);

#endif
