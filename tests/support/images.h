/* tests/support/images.h: images as the bytes of their files. */
#ifndef OSSA_TEST_IMAGES_H
#define OSSA_TEST_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in a static buffer, of which four are alive. */
typedef struct test_image {
	uint8_t *bytes;
	size_t size;
} test_image;

/* rgba: height x width x 4. */
test_image test_png(uint32_t width, uint32_t height, const uint8_t *rgba, bool is_interlaced);

/* Without alpha; false, where the tests are built without the library. JPEG: of quality 95. */
bool test_jpeg(uint32_t width, uint32_t height, const uint8_t *rgba, bool is_progressive, test_image *image);
bool test_webp(uint32_t width, uint32_t height, const uint8_t *rgba, test_image *image);

#endif
