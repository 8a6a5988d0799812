/* report/decode_webp.c: the pixels of a WebP, by libwebp.

   Place in the path: pictures, below decode.c; only where libwebp is (OSSA_WEBP).
   Input: bytes.
   Output: rows of a bitmap. libwebp decodes to a whole image, and may hold another one besides,
   which is counted as the context's. */
#include "report/decode.h"

#include <webp/decode.h>

bool ossai_webp_decode(ossai_decoder *d)
{
	WebPBitstreamFeatures features;
	if (WebPGetFeatures(d->bytes, d->size, &features) != VP8_STATUS_OK) return false;
	if (features.has_animation) return ossai_decoder_refuse(d, "the WebP is a moving one");
	const size_t width = (size_t)features.width, height = (size_t)features.height, bytes = 4 * width * height;
	if (!ossai_decoder_begin(d, (uint32_t)width, (uint32_t)height, 2 * (double)bytes)) return false;
	d->status = ossai_foreign_take(d->context, bytes);
	if (d->status != OSSA_OK) return false;
	uint8_t *pixels = ossai_new(d->context, bytes, 1);
	if (!pixels) d->status = ossa_context_error(d->context)->status;
	const bool done = pixels && WebPDecodeRGBAInto(d->bytes, d->size, pixels, bytes, (int)(4 * width));
	for (size_t y = 0; y < height && done; y++) ossai_decoder_row(d, pixels + 4 * width * y);
	ossa_free(d->context, pixels);
	ossai_foreign_give(d->context, bytes);
	return done;
}
