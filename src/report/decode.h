/* report/decode.h: the pixels of an image's file.

   Place in the path: pictures, before the textures.
   Input: the bytes of a PNG, JPEG or WebP file, which may be broken.
   Output: texels. Whole rows go from a file's decoder to the bitmap, which keeps large images
   smaller: nothing of their full size is held, where the format allows that. */
#ifndef OSSAI_REPORT_DECODE_H
#define OSSAI_REPORT_DECODE_H

#include "base/context.h"
#include "report/palette.h"
#include <ossa/material.h>

enum {
	OSSAI_BITMAP_SIDE_MAX = 4096, /* that of the largest view: more texels are never seen */
	OSSAI_REASON_SIZE = 160
};

/* What decoded bytes mean in light, and back. */
typedef struct ossai_light_codes {
	float linear[256]; /* of sRGB codes */
	ossai_encoding srgb;
} ossai_light_codes;
void ossai_light_codes_fill(ossai_light_codes *codes);

typedef struct ossai_bitmap {
	uint32_t width, height;
	uint8_t *texels; /* height x width x 4: red, green, blue, alpha; from the top */
} ossai_bitmap;

/* A file on its way to a bitmap. */
typedef struct ossai_decoder {
	ossa_context *context;
	ossai_arena *arena; /* the bitmap's */
	const ossai_light_codes *codes;
	bool is_color; /* colours are averaged as light, other values as they are */
	const uint8_t *bytes;
	size_t size;
	uint32_t width, height, rows; /* of the file; how many rows have come */
	uint32_t step;                /* pixels of the file along a texel's side */
	float *sums;                  /* of a row of texels, where step > 1 */
	ossai_bitmap bitmap;
	ossa_status status;             /* of the context: memory */
	char reason[OSSAI_REASON_SIZE]; /* why the file has no pixels */
} ossai_decoder;

/* Decodes an image. A file without pixels is no failure: then `bitmap->texels` is NULL and `reason`
   says why. Errors: OSSA_ERROR_MEMORY. Ownership: the arena's. */
ossa_status ossai_image_decode(ossa_context *context, ossai_arena *arena, const ossai_light_codes *codes,
	const ossa_image *image, bool is_color, ossai_bitmap *bitmap, char reason[OSSAI_REASON_SIZE]);

/* ---- for the decoders of formats ---- */

/* They return false after a failure, with a reason or a status. */
bool ossai_png_decode(ossai_decoder *decoder);
bool ossai_jpeg_decode(ossai_decoder *decoder);
bool ossai_webp_decode(ossai_decoder *decoder);

/* Sets the size; `more`: bytes that decoding takes besides the bitmap. False where it is too
   large. */
bool ossai_decoder_begin(ossai_decoder *decoder, uint32_t width, uint32_t height, double more);

/* Takes the next row: width x 4. */
void ossai_decoder_row(ossai_decoder *decoder, const uint8_t *row);

/* Sets the reason, if none is known yet; returns false. */
bool ossai_decoder_refuse(ossai_decoder *decoder, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
