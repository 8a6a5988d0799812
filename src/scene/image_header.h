/* scene/image_header.h: what the first bytes of an image say of it.

   Place in the path: beside the appearance of meshes.
   Input: the bytes of an image's file.
   Output: its size. Nothing is decoded.
   Source: Portable Network Graphics (W3C, 2003), 11.2.2; JPEG, ITU-T T.81, B.2.2. */
#ifndef OSSAI_SCENE_IMAGE_HEADER_H
#define OSSAI_SCENE_IMAGE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ossai_image_header {
	uint32_t width, height; /* pixels */
	bool is_gray;           /* one channel, or one and alpha */
} ossai_image_header;

/* False where it is neither PNG nor JPEG, or broken. */
bool ossai_image_header_read(const uint8_t *bytes, size_t size, ossai_image_header *header);

#endif
