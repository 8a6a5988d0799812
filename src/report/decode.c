/* report/decode.c: the outline of decoding, and rows into a bitmap: see decode.h. */
#include "report/decode.h"
#include "math/color.h"
#include "scene/appearance.h"

#include <stdio.h>
#include <string.h>

/* 16384 x 16384; a small file can pretend to be any size, and each pixel takes time */
static const double pixels_max = 268435456;

void ossai_light_codes_fill(ossai_light_codes *codes)
{
	/* rounded far above the last bits in which C libraries differ */
	for (int i = 0; i < 256; i++) codes->linear[i] = roundf(ossai_linear_of_srgb((float)i / 255) * 0x1p20f) * 0x1p-20f;
	ossai_encoding_fill(&codes->srgb);
}

bool ossai_decoder_refuse(ossai_decoder *decoder, const char *format, ...)
{
	va_list arguments;
	if (decoder->reason[0]) return false;
	va_start(arguments, format);
	vsnprintf(decoder->reason, sizeof decoder->reason, format, arguments);
	va_end(arguments);
	return false;
}

/* ---- rows ---- */

bool ossai_decoder_begin(ossai_decoder *d, uint32_t width, uint32_t height, double more)
{
	const double pixels = (double)width * height;
	if (pixels == 0) return ossai_decoder_refuse(d, "it has no pixels");
	if (pixels > pixels_max) return ossai_decoder_refuse(d, "%u x %u pixels are too many", width, height);
	d->width = width;
	d->height = height;
	for (d->step = 1; (width - 1) / d->step >= OSSAI_BITMAP_SIDE_MAX || (height - 1) / d->step >= OSSAI_BITMAP_SIDE_MAX;) {
		d->step *= 2;
	}
	d->bitmap.width = (width - 1) / d->step + 1;
	d->bitmap.height = (height - 1) / d->step + 1;
	/* with its smaller copies a texture is a third larger; half of the memory is for the rest of
	   the picture */
	const double texels = (double)d->bitmap.width * d->bitmap.height, need = 4.0 / 3 * 4 * texels + more;
	const double left = (double)ossai_memory_left(d->context);
	if (need > left / 2) {
		return ossai_decoder_refuse(d, "%u x %u pixels take %.0f MB, and half of the memory that is left is %.0f MB", width,
			height, need / 1e6, left / 2e6);
	}
	d->bitmap.texels = ossai_arena_new(d->arena, (size_t)texels, 4);
	if (d->bitmap.texels && d->step > 1) d->sums = ossai_arena_zero(d->arena, d->bitmap.width, 4 * sizeof *d->sums);
	if (!d->bitmap.texels || (d->step > 1 && !d->sums)) d->status = ossa_context_error(d->context)->status;
	return d->status == OSSA_OK;
}

static void add_row(ossai_decoder *d, const uint8_t *row)
{
	for (uint32_t x = 0; x < d->width; x++) {
		float *sum = d->sums + 4 * (size_t)(x / d->step);
		for (int c = 0; c < 4; c++) {
			const uint8_t value = row[4 * (size_t)x + (size_t)c];
			sum[c] += d->is_color && c < 3 ? d->codes->linear[value] : (float)value / 255;
		}
	}
}

/* the mean of `rows` rows; the last texels may have fewer pixels than the others */
static void store_sums(ossai_decoder *d, uint32_t y, uint32_t rows)
{
	uint8_t *to = d->bitmap.texels + 4 * (size_t)d->bitmap.width * y;
	for (uint32_t x = 0; x < d->bitmap.width; x++) {
		const uint32_t left = d->width - x * d->step, columns = left < d->step ? left : d->step;
		for (int c = 0; c < 4; c++) {
			const double mean = (double)d->sums[4 * (size_t)x + (size_t)c] / ((double)rows * columns);
			to[4 * (size_t)x + (size_t)c] = d->is_color && c < 3 ? ossai_encode(&d->codes->srgb, mean)
																 : (uint8_t)lround(fmin(mean, 1) * 255);
		}
	}
	memset(d->sums, 0, 4 * d->bitmap.width * sizeof *d->sums);
}

void ossai_decoder_row(ossai_decoder *d, const uint8_t *row)
{
	if (d->rows >= d->height) return;
	const uint32_t y = d->rows++, done = y % d->step + 1;
	if (d->step == 1) {
		memcpy(d->bitmap.texels + 4 * (size_t)d->width * y, row, 4 * (size_t)d->width);
		return;
	}
	add_row(d, row);
	if (done == d->step || d->rows == d->height) store_sums(d, y / d->step, done);
}

/* ---- the outline ---- */

static const struct {
	const char *type, *name;
	bool (*decode)(ossai_decoder *decoder); /* NULL: why is in `missing` */
	const char *missing;
} formats[] = {
	{"image/png", "PNG", ossai_png_decode, ""},
#ifdef OSSA_JPEG
	{"image/jpeg", "JPEG", ossai_jpeg_decode, ""},
#else
	{"image/jpeg", "JPEG", NULL, "this build decodes no JPEG: install libjpeg62-turbo-dev and build ossa again"},
#endif
#ifdef OSSA_WEBP
	{"image/webp", "WebP", ossai_webp_decode, ""},
#else
	{"image/webp", "WebP", NULL, "this build decodes no WebP: install libwebp-dev and build ossa again"},
#endif
	{"image/ktx2", "KTX2", NULL, "KTX2 is for graphics cards; save it as PNG or JPEG"},
	{"image/vnd-ms.dds", "DDS", NULL, "DDS is for graphics cards; save it as PNG or JPEG"},
	{"image/bmp", "BMP", NULL, "BMP is not decoded; save it as PNG or JPEG"},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

/* by the bytes: what a file says of its type may be wrong */
static bool decode(ossai_decoder *d)
{
	const char *type = ossai_image_type(d->bytes, d->size);
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		if (strcmp(type, formats[i].type) != 0) continue;
		if (!formats[i].decode) return ossai_decoder_refuse(d, "%s", formats[i].missing);
		return formats[i].decode(d) || ossai_decoder_refuse(d, "the %s is broken", formats[i].name);
	}
	return ossai_decoder_refuse(d, "its type is not known; save it as PNG or JPEG");
}

ossa_status ossai_image_decode(ossa_context *context, ossai_arena *arena, const ossai_light_codes *codes,
	const ossa_image *image, bool is_color, ossai_bitmap *bitmap, char reason[OSSAI_REASON_SIZE])
{
	ossai_file file;
	*bitmap = (ossai_bitmap){0};
	reason[0] = 0;
	const ossa_status opened = ossai_image_open(context, image, &file);
	if (opened == OSSA_ERROR_MEMORY) return opened;
	if (opened != OSSA_OK) {
		snprintf(reason, OSSAI_REASON_SIZE, "the file is not there any more");
		return OSSA_OK;
	}
	ossai_decoder d = {
		.context = context, .arena = arena, .codes = codes, .is_color = is_color, .bytes = file.bytes, .size = file.size};
	if (decode(&d)) *bitmap = d.bitmap;
	ossai_file_close(context, &file);
	if (d.status == OSSA_OK && !bitmap->texels) memcpy(reason, d.reason, sizeof d.reason);
	return d.status;
}
