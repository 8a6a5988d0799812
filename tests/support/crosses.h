/* tests/support/crosses.h: flat crosses with known arms: proxies whose protrusions have a given
   length. */
#ifndef OSSA_TEST_CROSSES_H
#define OSSA_TEST_CROSSES_H

#include "proxy/proxy.h"

enum { TEST_CROSS_ARMS = 4, TEST_CROSS_VERTICES = 4000 };

/* A center of 6 x 6 unit squares with four arms, 4 squares wide, along x, -x, y, -y; around the
   origin, in the plane of x and y. */
typedef struct test_cross {
	double positions[3 * TEST_CROSS_VERTICES];
	uint32_t triangles[6 * TEST_CROSS_VERTICES], links[2];
	ossai_proxy proxy;
} test_cross;

/* `arm`: how many squares long each is, 46 at most. The proxy points into the cross. */
void test_cross_make(const int arm[TEST_CROSS_ARMS], test_cross *cross);

#endif
