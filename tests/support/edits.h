/* tests/support/edits.h: rigs under edit: samples, and whether two rigs are the same to the last
   byte. */
#ifndef OSSA_TEST_EDITS_H
#define OSSA_TEST_EDITS_H

#include <ossa/ossa.h>
#include <stdbool.h>

/* A sample's true rig. Ownership: ossa_rig_free. */
ossa_rig *test_edits_rig(ossa_context *context, int kind, int faces, int frames);

/* Boxes on a chain along x: a 0 to 1, b 1 to 3, c 3 to 4; at its end d_L, upwards. +Y runs along
   the bones. Ownership: ossa_rig_free. */
ossa_rig *test_edits_chain(ossa_context *context);

/* The bytes of the rig as a GLB file. Ownership: ossa_free. */
typedef struct test_bytes {
	unsigned char *bytes;
	size_t size;
} test_bytes;
test_bytes test_rig_bytes(ossa_context *context, const ossa_rig *rig);
bool test_same_bytes(test_bytes a, test_bytes b);

/* Asserts that the rig is sound. */
void test_edits_check(ossa_context *context, const ossa_rig *rig, const char *what);

#endif
