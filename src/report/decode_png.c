/* report/decode_png.c: the pixels of a PNG, by libpng.

   Place in the path: pictures, below decode.c.
   Input: bytes.
   Output: rows of a bitmap. All of libpng's memory is the context's. Profiles and gamma are
   ignored, as glTF requires. */
#include "report/decode.h"

#include <png.h>
#include <string.h>

enum {
	SIDE_MAX = 1 << 20,
	CHUNK_BYTES_MAX = 8000000, /* of texts and profiles, unpacked */
	CHUNKS_MAX = 128
};

/* what survives libpng's jump */
typedef struct png_work {
	ossai_decoder *decoder;
	size_t at; /* in the bytes */
	uint8_t *pixels;
} png_work;

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
	png_work *work = png_get_mem_ptr(png);
	void *block = ossai_new(work->decoder->context, size, 1);
	if (!block) work->decoder->status = ossa_context_error(work->decoder->context)->status;
	return block;
}

static void give_back(png_structp png, png_voidp block)
{
	png_work *work = png_get_mem_ptr(png);
	ossa_free(work->decoder->context, block);
}

/* libpng never returns from here */
static void stop(png_structp png, png_const_charp message)
{
	png_work *work = png_get_error_ptr(png);
	ossai_decoder_refuse(work->decoder, "the PNG is broken: %.100s", message);
	png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void take_bytes(png_structp png, png_bytep to, size_t size)
{
	png_work *work = png_get_io_ptr(png);
	if (size > work->decoder->size - work->at) png_error(png, "it is cut off");
	memcpy(to, work->decoder->bytes + work->at, size);
	work->at += size;
}

/* everything as red, green, blue, alpha of 8 bits; returns how often the rows come */
static int choose_form(png_structp png, png_infop info)
{
	png_set_expand(png);
	png_set_strip_16(png);
	png_set_gray_to_rgb(png);
	png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
	const int passes = png_set_interlace_handling(png);
	png_read_update_info(png, info);
	return passes;
}

/* interlaced rows are whole after the last pass: all of them are held until then */
static bool read_rows(png_structp png, png_infop info, png_work *work)
{
	if (setjmp(png_jmpbuf(png))) return false;
	ossai_decoder *d = work->decoder;
	png_set_read_fn(png, work, take_bytes);
	png_set_user_limits(png, SIDE_MAX, SIDE_MAX);
	png_set_chunk_malloc_max(png, CHUNK_BYTES_MAX);
	png_set_chunk_cache_max(png, CHUNKS_MAX);
	png_read_info(png, info);
	const size_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
	const int passes = choose_form(png, info);
	const size_t held = passes > 1 ? height : 1;
	if (png_get_rowbytes(png, info) != 4 * width) png_error(png, "rows of an odd size");
	if (!ossai_decoder_begin(d, (uint32_t)width, (uint32_t)height, 4 * (double)width * (double)held)) return false;
	work->pixels = ossai_new(d->context, width * held, 4);
	if (!work->pixels) {
		d->status = ossa_context_error(d->context)->status;
		return false;
	}
	for (int pass = 0; pass < passes; pass++) {
		for (size_t y = 0; y < height; y++) {
			uint8_t *row = work->pixels + 4 * width * (y % held);
			png_read_row(png, row, NULL);
			if (pass == passes - 1) ossai_decoder_row(d, row);
		}
	}
	return true;
}

bool ossai_png_decode(ossai_decoder *d)
{
	png_work work = {.decoder = d};
	png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &work, stop, ignore_warning, &work, allocate, give_back);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	const bool done = info && read_rows(png, info, &work);
	png_destroy_read_struct(&png, &info, NULL);
	ossa_free(d->context, work.pixels);
	return done;
}
