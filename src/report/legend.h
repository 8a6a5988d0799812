/* report/legend.h: words and ramps over a cell of a picture.

   Place in the path: pictures, last.
   Input: texts, values.
   Output: pixels. */
#ifndef OSSAI_REPORT_LEGEND_H
#define OSSAI_REPORT_LEGEND_H

#include "report/shade.h"

/* The pixels of one cell. */
typedef struct ossai_cell {
	ossai_pixel *pixels;
	size_t width, height;
	double letters;  /* height of captions */
	bool on_nothing; /* no background: the ink must be visible on light and on dark */
} ossai_cell;

/* Writes `text` below the picture, centered. */
void ossai_cell_caption(const ossai_cell *cell, const char *text);

/* Draws in the upper left what the ramp's colours mean: the title, the ramp, and the values at its
   ends. */
void ossai_cell_legend(const ossai_cell *cell, const char *title, const char *least, const char *most);

/* A colour and what it means. */
typedef struct ossai_legend_row {
	ossai_light color;
	char text[48];
} ossai_legend_row;

/* Lists colours on the left, smaller where there are too many for the height. */
void ossai_cell_list(const ossai_cell *cell, const ossai_legend_row *rows, size_t count);

/* How much of a cell's left the list takes. */
double ossai_list_width(double letters, const ossai_legend_row *rows, size_t count);

/* How much of a cell's top the legend takes. */
double ossai_legend_height(double letters);

#endif
