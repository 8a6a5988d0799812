#include "support/images.h"

#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>
#ifdef OSSA_JPEG
#include <jpeglib.h>
#endif
#ifdef OSSA_WEBP
#include <webp/encode.h>
#endif

enum { ALIVE = 4, CAPACITY = 1 << 20 };

static test_image next_buffer(void)
{
	static uint8_t buffers[ALIVE][CAPACITY];
	static int next = 0;
	return (test_image){buffers[next++ % ALIVE], 0};
}

static void put(test_image *image, const void *bytes, size_t size)
{
	assert_true(image->size + size <= CAPACITY);
	memcpy(image->bytes + image->size, bytes, size);
	image->size += size;
}

static void put_png(png_structp png, png_bytep bytes, size_t size) { put(png_get_io_ptr(png), bytes, size); }

static void flush(png_structp png) { (void)png; }

test_image test_png(uint32_t width, uint32_t height, const uint8_t *rgba, bool is_interlaced)
{
	test_image image = next_buffer();
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	png_infop info = png_create_info_struct(png);
	png_set_write_fn(png, &image, put_png, flush);
	png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGBA, is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
		PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(png, info);
	const int passes = png_set_interlace_handling(png);
	for (int pass = 0; pass < passes; pass++) {
		for (size_t y = 0; y < height; y++) png_write_row(png, rgba + 4 * width * y);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return image;
}

#ifdef OSSA_JPEG
bool test_jpeg(uint32_t width, uint32_t height, const uint8_t *rgba, bool is_progressive, test_image *image)
{
	struct jpeg_error_mgr errors;
	struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
	unsigned char *bytes = NULL;
	unsigned long size = 0;
	jpeg_create_compress(&jpeg);
	jpeg_mem_dest(&jpeg, &bytes, &size);
	jpeg.image_width = width;
	jpeg.image_height = height;
	jpeg.input_components = 3;
	jpeg.in_color_space = JCS_RGB;
	jpeg_set_defaults(&jpeg);
	jpeg_set_quality(&jpeg, 95, TRUE);
	if (is_progressive) jpeg_simple_progression(&jpeg);
	jpeg_start_compress(&jpeg, TRUE);
	uint8_t *row = malloc(3 * (size_t)width);
	for (size_t y = 0; y < height; y++) {
		for (size_t x = 0; x < width; x++) memcpy(row + 3 * x, rgba + 4 * (width * y + x), 3);
		jpeg_write_scanlines(&jpeg, &row, 1);
	}
	jpeg_finish_compress(&jpeg);
	jpeg_destroy_compress(&jpeg);
	*image = next_buffer();
	put(image, bytes, size);
	free(bytes);
	free(row);
	return true;
}
#else
bool test_jpeg(uint32_t width, uint32_t height, const uint8_t *rgba, bool is_progressive, test_image *image)
{
	(void)width, (void)height, (void)rgba, (void)is_progressive, (void)image;
	return false;
}
#endif

#ifdef OSSA_WEBP
bool test_webp(uint32_t width, uint32_t height, const uint8_t *rgba, test_image *image)
{
	uint8_t *bytes = NULL;
	const size_t size = WebPEncodeLosslessRGBA(rgba, (int)width, (int)height, (int)(4 * width), &bytes);
	*image = next_buffer();
	put(image, bytes, size);
	WebPFree(bytes);
	return true;
}
#else
bool test_webp(uint32_t width, uint32_t height, const uint8_t *rgba, test_image *image)
{
	(void)width, (void)height, (void)rgba, (void)image;
	return false;
}
#endif
