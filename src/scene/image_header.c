/* scene/image_header.c: the sizes of PNG and JPEG images.

   Place in the path: beside the appearance of meshes.
   Input: the bytes of an image's file.
   Output: its size.
   Source: Portable Network Graphics (W3C, 2003), 11.2.2: the first chunk, IHDR; JPEG, ITU-T T.81,
   B.2.2: the frame header, found from marker to marker. */
#include "scene/image_header.h"
#include "scene/appearance.h"

#include <string.h>

static uint32_t big_endian(const uint8_t *bytes, size_t count)
{
	uint32_t value = 0;
	for (size_t i = 0; i < count; i++) value = value << 8 | bytes[i];
	return value;
}

static bool read_png(const uint8_t *bytes, size_t size, ossai_image_header *header)
{
	enum { COLOR_TYPE = 25, GRAY = 0, GRAY_ALPHA = 4 };
	if (size <= COLOR_TYPE || memcmp(bytes + 12, "IHDR", 4) != 0) return false;
	const uint8_t color_type = bytes[COLOR_TYPE];
	*header = (ossai_image_header){
		big_endian(bytes + 16, 4), big_endian(bytes + 20, 4), color_type == GRAY || color_type == GRAY_ALPHA};
	return true;
}

/* frame headers are C0 to CF, among which tables for Huffman codes and arithmetic coding have three
   numbers */
static bool begins_frame(uint8_t marker)
{
	return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

static bool read_jpeg(const uint8_t *bytes, size_t size, ossai_image_header *header)
{
	size_t at = 2;
	while (at + 10 <= size && bytes[at] == 0xFF) {
		const uint8_t marker = bytes[at + 1];
		if (begins_frame(marker)) {
			*header = (ossai_image_header){big_endian(bytes + at + 7, 2), big_endian(bytes + at + 5, 2), bytes[at + 9] == 1};
			return true;
		}
		/* a marker may be preceded by any number of FF */
		at += marker == 0xFF ? 1 : 2 + big_endian(bytes + at + 2, 2);
	}
	return false;
}

bool ossai_image_header_read(const uint8_t *bytes, size_t size, ossai_image_header *header)
{
	const char *type = ossai_image_type(bytes, size);
	*header = (ossai_image_header){0, 0, false};
	if (strcmp(type, "image/png") == 0) return read_png(bytes, size, header);
	return strcmp(type, "image/jpeg") == 0 && read_jpeg(bytes, size, header);
}

bool ossa_image_measure(ossa_context *context, const ossa_image *image, uint32_t *width, uint32_t *height)
{
	ossai_file file;
	ossai_image_header header;
	if (!context || !image || !width || !height) return false;
	*width = *height = 0;
	if (ossai_image_open(context, image, &file) != OSSA_OK) return false;
	const bool is_known = ossai_image_header_read(file.bytes, file.size, &header);
	ossai_file_close(context, &file);
	*width = header.width;
	*height = header.height;
	return is_known;
}
