/* tests/support/crosses.c: see crosses.h. */
#include "support/crosses.h"

#include "support/support.h"

static bool is_in_cross(const int arm[TEST_CROSS_ARMS], int x, int y)
{
	if (x >= -3 && x < 3 && y >= -3 && y < 3) return true;
	if (y >= -2 && y < 2) return x >= 0 ? x < 3 + arm[0] : x >= -3 - arm[1];
	return x >= -2 && x < 2 && (y >= 0 ? y < 3 + arm[2] : y >= -3 - arm[3]);
}

void test_cross_make(const int arm[TEST_CROSS_ARMS], test_cross *c)
{
	enum { HALF = 50 };
	static uint32_t number[2 * HALF][2 * HALF];
	c->proxy = (ossai_proxy){.positions = c->positions, .triangles = c->triangles, .links = c->links};
	for (int x = -HALF; x < HALF; x++) {
		for (int y = -HALF; y < HALF; y++) {
			number[x + HALF][y + HALF] = OSSA_NONE;
			if (!is_in_cross(arm, x, y) && !is_in_cross(arm, x - 1, y) && !is_in_cross(arm, x, y - 1) &&
				!is_in_cross(arm, x - 1, y - 1))
				continue;
			const uint32_t v = number[x + HALF][y + HALF] = (uint32_t)c->proxy.vertex_count++;
			assert_true(v < TEST_CROSS_VERTICES);
			c->positions[3 * v] = x;
			c->positions[3 * v + 1] = y;
			c->positions[3 * v + 2] = 0;
		}
	}
	for (int x = -HALF; x + 1 < HALF; x++) {
		for (int y = -HALF; y + 1 < HALF; y++) {
			if (!is_in_cross(arm, x, y)) continue;
			const uint32_t *a = &number[x + HALF][y + HALF], *b = &number[x + HALF + 1][y + HALF];
			const uint32_t two[6] = {a[0], b[0], b[1], a[0], b[1], a[1]};
			for (int i = 0; i < 6; i++) c->triangles[3 * c->proxy.face_count + (size_t)i] = two[i];
			c->proxy.face_count += 2;
		}
	}
}
