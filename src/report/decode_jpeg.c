/* report/decode_jpeg.c: the pixels of a JPEG, by libjpeg.

   Place in the path: pictures, below decode.c; only where libjpeg is (OSSA_JPEG).
   Input: bytes.
   Output: rows of a bitmap. libjpeg takes its memory from the C library; what images of several
   scans hold is counted as the context's. Profiles and orientation are ignored, as glTF
   requires. */
#include "report/decode.h"

#include <setjmp.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>

/* a scan changes a whole image in a few bytes: a small file could take hours */
enum { SCANS_MAX = 256 };

/* what survives the jump; libjpeg gives the address of the first member back */
typedef struct jpeg_work {
	struct jpeg_error_mgr errors;
	struct jpeg_progress_mgr progress;
	struct jpeg_decompress_struct jpeg;
	jmp_buf jump;
	ossai_decoder *decoder;
	size_t counted;
	uint8_t *row, *pixels; /* as libjpeg gives it; with alpha */
} jpeg_work;

static void stop(j_common_ptr jpeg)
{
	jpeg_work *work = (jpeg_work *)(void *)jpeg->err;
	char message[JMSG_LENGTH_MAX];
	jpeg->err->format_message(jpeg, message);
	ossai_decoder_refuse(work->decoder, "the JPEG is broken: %.100s", message);
	longjmp(work->jump, 1);
}

/* libjpeg fills what is cut off with grey */
static void take_message(j_common_ptr jpeg, int level)
{
	if (level < 0 && jpeg->err->msg_code == JWRN_JPEG_EOF) stop(jpeg);
}

static void count_scans(j_common_ptr jpeg)
{
	const struct jpeg_decompress_struct *own = (const struct jpeg_decompress_struct *)(void *)jpeg;
	jpeg_work *work = (jpeg_work *)(void *)jpeg->err;
	if (own->input_scan_number <= SCANS_MAX) return;
	ossai_decoder_refuse(work->decoder, "the JPEG has more than %d scans", SCANS_MAX);
	longjmp(work->jump, 1);
}

/* coefficients of all blocks where several scans refine them, else those of a row of them */
static double count_bytes(struct jpeg_decompress_struct *jpeg)
{
	double blocks = 0;
	const bool whole = jpeg_has_multiple_scans(jpeg);
	for (int i = 0; i < jpeg->num_components; i++) {
		const jpeg_component_info *c = &jpeg->comp_info[i];
		blocks += (double)c->width_in_blocks * (whole ? c->height_in_blocks : 4.0);
	}
	return blocks * DCTSIZE2 * sizeof(JCOEF) + 16.0 * jpeg->image_width;
}

/* CMYK as Adobe writes it, inverted */
static void store_pixels(const jpeg_work *work)
{
	const size_t width = work->decoder->width, parts = (size_t)work->jpeg.output_components;
	for (size_t x = 0; x < width; x++) {
		const uint8_t *from = work->row + parts * x;
		uint8_t *to = work->pixels + 4 * x;
		for (size_t c = 0; c < 3; c++) to[c] = parts == 4 ? (uint8_t)((from[c] * from[3] + 127) / 255) : from[c];
		to[3] = 255;
	}
}

static bool take_memory(jpeg_work *work)
{
	ossai_decoder *d = work->decoder;
	const double more = count_bytes(&work->jpeg) + 8.0 * work->jpeg.image_width;
	if (!ossai_decoder_begin(d, work->jpeg.image_width, work->jpeg.image_height, more)) return false;
	d->status = ossai_foreign_take(d->context, (size_t)more);
	if (d->status != OSSA_OK) return false;
	work->counted = (size_t)more;
	work->row = ossai_new(d->context, d->width, 4);
	work->pixels = work->row ? ossai_new(d->context, d->width, 4) : NULL;
	if (!work->pixels) d->status = ossa_context_error(d->context)->status;
	return d->status == OSSA_OK;
}

static bool read_rows(jpeg_work *work)
{
	if (setjmp(work->jump)) return false;
	struct jpeg_decompress_struct *jpeg = &work->jpeg;
	jpeg_create_decompress(jpeg);
	work->progress.progress_monitor = count_scans;
	jpeg->progress = &work->progress;
	jpeg_mem_src(jpeg, work->decoder->bytes, work->decoder->size);
	jpeg_read_header(jpeg, TRUE);
	const bool is_cmyk = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
	jpeg->out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
	if (!take_memory(work)) return false;
	jpeg_start_decompress(jpeg);
	while (jpeg->output_scanline < jpeg->output_height) {
		JSAMPROW rows[1] = {work->row};
		jpeg_read_scanlines(jpeg, rows, 1);
		store_pixels(work);
		ossai_decoder_row(work->decoder, work->pixels);
	}
	return true;
}

bool ossai_jpeg_decode(ossai_decoder *d)
{
	jpeg_work work = {.decoder = d};
	work.jpeg.err = jpeg_std_error(&work.errors);
	work.errors.error_exit = stop;
	work.errors.emit_message = take_message;
	const bool done = read_rows(&work);
	jpeg_destroy_decompress(&work.jpeg);
	ossa_free(d->context, work.row);
	ossa_free(d->context, work.pixels);
	ossai_foreign_give(d->context, work.counted);
	return done;
}
