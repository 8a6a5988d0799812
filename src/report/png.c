/* report/png.c: the only file that knows libpng: an image to a PNG.

   Place in the path: after the picture.
   Input: ossa_picture.
   Output: bytes, or a file that is there whole or not at all. No time is written and the
   compression is fixed, so the same picture gives the same bytes. */
#include "base/file.h"
#include <ossa/picture.h>

#include <png.h>
#include <string.h>

enum { COMPRESSION = 6 };

/* passed to libpng's callbacks */
typedef struct png_job {
	ossa_context *context;
	const ossa_picture *picture;
	const char *path; /* NULL: into memory */
	FILE *stream;
	uint8_t *bytes;
	size_t size, capacity;
	bool failed; /* the context has the error */
} png_job;

/* the first failure is reported */
static void fail(png_job *job, const char *message)
{
	const ossai_place place = ossai_in_file(job->path);
	if (!job->failed) ossai_fail(job->context, OSSA_ERROR_WRITE, &place, "cannot be written as PNG: %s", message);
	job->failed = true;
}

static png_voidp allocate(png_structp png, png_alloc_size_t size)
{
	png_job *job = png_get_mem_ptr(png);
	void *block = ossai_new(job->context, size, 1);
	if (!block) job->failed = true;
	return block;
}

static void give_back(png_structp png, png_voidp block)
{
	png_job *job = png_get_mem_ptr(png);
	ossa_free(job->context, block);
}

/* libpng never returns from here */
static void stop(png_structp png, png_const_charp message)
{
	png_job *job = png_get_error_ptr(png);
	fail(job, message);
	png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

static void put_bytes(png_structp png, png_bytep bytes, size_t size)
{
	png_job *job = png_get_io_ptr(png);
	if (job->stream) {
		/* a full disk is noticed when the file is committed */
		(void)!fwrite(bytes, 1, size, job->stream);
		return;
	}
	if (ossai_reserve(job->context, &job->bytes, &job->capacity, job->size + size, 1) != OSSA_OK) {
		job->failed = true;
		png_error(png, "no memory");
	}
	memcpy(job->bytes + job->size, bytes, size);
	job->size += size;
}

static void flush_nothing(png_structp png) { (void)png; }

static bool is_opaque(const ossa_picture *picture)
{
	for (size_t i = 0; i < picture->width * picture->height; i++) {
		if (picture->pixels[4 * i + 3] != 255) return false;
	}
	return true;
}

/* after the jump nothing local is read but what the job holds */
static bool write_image(png_structp png, png_infop info, png_job *job)
{
	if (setjmp(png_jmpbuf(png))) return false;
	const ossa_picture *picture = job->picture;
	const bool opaque = is_opaque(picture);
	png_set_write_fn(png, job, put_bytes, flush_nothing);
	png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
	png_set_compression_level(png, COMPRESSION);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_PAETH);
	png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
		opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
		PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
	png_write_info(png, info);
	if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
	for (size_t row = 0; row < picture->height; row++) png_write_row(png, picture->pixels + 4 * row * picture->width);
	png_write_end(png, info);
	return true;
}

static bool encode(png_job *job)
{
	png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, job, stop, ignore_warning, job, allocate, give_back);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	const bool done = info && write_image(png, info, job);
	if (!done) fail(job, "libpng does not start");
	png_destroy_write_struct(&png, &info);
	return done;
}

ossa_status ossa_picture_write(ossa_context *context, const ossa_picture *picture, const char *path)
{
	OSSAI_NEED(context, picture, path);
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	png_job job = {.context = context, .picture = picture, .path = path, .stream = output.stream};
	if (encode(&job)) return ossai_output_commit(&output);
	ossai_output_abort(&output);
	return ossa_context_error(context)->status;
}

ossa_status ossa_picture_png(ossa_context *context, const ossa_picture *picture, uint8_t **bytes, size_t *size)
{
	if (bytes) *bytes = NULL;
	if (size) *size = 0;
	OSSAI_NEED(context, picture);
	OSSAI_NEED(context, picture->pixels);
	png_job job = {.context = context, .picture = picture};
	const bool done = encode(&job);
	if (!done || !bytes) ossa_free(context, job.bytes);
	if (bytes) *bytes = done ? job.bytes : NULL;
	if (size) *size = done ? job.size : 0;
	return done ? OSSA_OK : ossa_context_error(context)->status;
}
