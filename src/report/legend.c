/* report/legend.c: see legend.h. */
#include "report/legend.h"
#include "report/ramp.h"
#include "report/text.h"

#include <math.h>

static const ossai_light ink = {0.11f, 0.115f, 0.13f};
/* of equal contrast to white and to black */
static const ossai_light ink_on_nothing = {0.19f, 0.195f, 0.205f};
/* in heights of letters: from the left and the top, the ramp's size, from line to line */
static const double margin = 1.2, bar_width = 13, bar_height = 0.8, line = 1.9;

static void cover(ossai_pixel *p, ossai_light light, double coverage)
{
	const float c = (float)coverage, rest = 1 - c;
	*p = (ossai_pixel){c * light.r + rest * p->r, c * light.g + rest * p->g, c * light.b + rest * p->b, c + rest * p->coverage};
}

static size_t pixel_from(double place) { return place > 0 ? (size_t)place : 0; }

/* from (left, top) on */
static void write_text(const ossai_cell *cell, const char *text, double left, double top)
{
	const double wide = ossai_text_width(text, cell->letters);
	const size_t right = pixel_from(left + wide + 3), bottom = pixel_from(top + 1.6 * cell->letters);
	for (size_t y = pixel_from(top - 2); y < bottom && y < cell->height; y++) {
		for (size_t x = pixel_from(left - 2); x < right && x < cell->width; x++) {
			const double share = ossai_text_coverage(text, cell->letters, (double)x + 0.5 - left, (double)y + 0.5 - top);
			if (share > 0) cover(&cell->pixels[y * cell->width + x], cell->on_nothing ? ink_on_nothing : ink, share);
		}
	}
}

void ossai_cell_caption(const ossai_cell *cell, const char *text)
{
	const double wide = ossai_text_width(text, cell->letters);
	write_text(cell, text, round(((double)cell->width - wide) / 2), round((double)cell->height - 2.1 * cell->letters));
}

/* how much of the pixel from `at` on lies between two positions */
static double overlap(double at, double begin, double end) { return fmax(fmin(at + 1, end) - fmax(at, begin), 0); }

static void draw_bar(const ossai_cell *cell, double left, double top, double wide, double high)
{
	for (size_t y = pixel_from(top); (double)y < top + high && y < cell->height; y++) {
		for (size_t x = pixel_from(left); (double)x < left + wide && x < cell->width; x++) {
			const double share = overlap((double)x, left, left + wide) * overlap((double)y, top, top + high);
			const ossai_light light = ossai_color_light(ossai_ramp_color(((double)x + 0.5 - left) / wide));
			cover(&cell->pixels[y * cell->width + x], light, share);
		}
	}
}

void ossai_cell_legend(const ossai_cell *cell, const char *title, const char *least, const char *most)
{
	const double l = cell->letters, left = round(margin * l), wide = round(fmin(bar_width * l, 0.5 * (double)cell->width));
	const double top = round(margin * l), bar = round(top + line * l), below = round(bar + (bar_height + 0.6) * l);
	write_text(cell, title, left, top);
	draw_bar(cell, left, bar, wide, round(bar_height * l));
	write_text(cell, least, left, below);
	write_text(cell, most, left + wide - ossai_text_width(most, l), below);
}

double ossai_legend_height(double letters) { return (margin + line + bar_height + 0.6 + 1.6) * letters; }

/* in heights of letters: from row to row, a swatch's side, from there to the text */
static const double row_step = 1.5, swatch = 0.9, swatch_gap = 0.5;

static void draw_swatch(const ossai_cell *cell, double left, double top, double side, ossai_light light)
{
	for (size_t y = pixel_from(top); (double)y < top + side && y < cell->height; y++) {
		for (size_t x = pixel_from(left); (double)x < left + side && x < cell->width; x++)
			cover(&cell->pixels[y * cell->width + x], light, 1);
	}
}

void ossai_cell_list(const ossai_cell *cell, const ossai_legend_row *rows, size_t count)
{
	const double fitting = (double)cell->height / (row_step * (double)count + 2 * margin);
	ossai_cell small = *cell;
	small.letters = fmin(cell->letters, fitting);
	const double l = small.letters, left = round(margin * cell->letters);
	for (size_t i = 0; i < count; i++) {
		const double top = round(margin * l + row_step * l * (double)i);
		draw_swatch(&small, left, top, round(swatch * l), rows[i].color);
		write_text(&small, rows[i].text, left + (swatch + swatch_gap) * l, top);
	}
}

double ossai_list_width(double letters, const ossai_legend_row *rows, size_t count)
{
	double widest = 0;
	for (size_t i = 0; i < count; i++) widest = fmax(widest, ossai_text_width(rows[i].text, letters));
	return (2 * margin + swatch + swatch_gap) * letters + widest;
}
