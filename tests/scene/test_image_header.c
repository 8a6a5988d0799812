/* tests/scene/test_image_header.c: sizes of images by their first bytes. */
#include "scene/image_header.h"
#include "support/support.h"

#include <string.h>

/* signature, IHDR of 300 x 2 pixels, 8 bits, `color_type` */
static void make_png(uint8_t png[33], uint8_t color_type)
{
	static const uint8_t start[] = {
		0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R', 0, 0, 1, 44, 0, 0, 0, 2, 8};
	memset(png, 0, 33);
	memcpy(png, start, sizeof start);
	png[25] = color_type;
}

static void png_images(void **state)
{
	(void)state;
	uint8_t png[33];
	ossai_image_header header;
	for (uint8_t color_type = 0; color_type <= 6; color_type++) {
		make_png(png, color_type);
		assert_true(ossai_image_header_read(png, sizeof png, &header));
		assert_int_equal(header.width, 300);
		assert_int_equal(header.height, 2);
		assert_int_equal(header.is_gray, color_type == 0 || color_type == 4);
	}
	for (size_t size = 0; size < 26; size++) assert_false(ossai_image_header_read(png, size, &header));
	png[12] = 'x';
	assert_false(ossai_image_header_read(png, sizeof png, &header));
	assert_int_equal(header.width, 0);
}

/* begin, JFIF, a table, fill bytes, then a progressive frame of 16 x 513 pixels and 3 channels */
static const uint8_t jpeg[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xFF, 0xFF, 0xC2, 0, 17, 8, 2, 1,
	0, 16, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1};

static void jpeg_images(void **state)
{
	(void)state;
	uint8_t gray[sizeof jpeg];
	ossai_image_header header;
	assert_true(ossai_image_header_read(jpeg, sizeof jpeg, &header));
	assert_int_equal(header.width, 16);
	assert_int_equal(header.height, 513);
	assert_false(header.is_gray);
	memcpy(gray, jpeg, sizeof jpeg);
	gray[24] = 1;
	assert_true(ossai_image_header_read(gray, sizeof gray, &header));
	assert_true(header.is_gray);
}

static void broken_images(void **state)
{
	(void)state;
	uint8_t bytes[sizeof jpeg];
	ossai_image_header header;
	for (size_t size = 0; size < 24; size++) assert_false(ossai_image_header_read(jpeg, size, &header));
	/* a segment of no length, and one beyond the end */
	memcpy(bytes, jpeg, sizeof jpeg);
	bytes[5] = 0;
	assert_false(ossai_image_header_read(bytes, sizeof bytes, &header));
	bytes[4] = 0xFF;
	assert_false(ossai_image_header_read(bytes, sizeof bytes, &header));
	assert_false(ossai_image_header_read((const uint8_t *)"BM and more", 11, &header));
	assert_false(ossai_image_header_read(NULL, 0, &header));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(png_images),
		cmocka_unit_test(jpeg_images),
		cmocka_unit_test(broken_images),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
