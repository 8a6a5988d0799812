/* report/plot.h: plots as values, written as inline SVG.

   Place in the path: the HTML report.
   Input: numbers and words.
   Output: markup, coloured by the page's classes, so that it follows the page's theme and prints.
   Hovering shows numbers; there is no script. */
#ifndef OSSAI_REPORT_PLOT_H
#define OSSAI_REPORT_PLOT_H

#include "report/page.h"

/* One or two lines over ascending x. What is not finite leaves a gap. */
typedef struct ossai_plot {
	const char *title; /* for screen readers */
	/* at the axes; the tooltip calls an item by x_name: "frame 12" */
	const char *x_name, *y_name;
	const char *unit; /* of y: " %" */
	size_t count;
	const double *x; /* ascending, or NULL: 1, 2, 3 ... */
	const double *y;
	const double *top;               /* a second line, or NULL */
	const char *y_words, *top_words; /* what the lines are, when hovered */
	bool logarithmic;                /* both axes; values must be above 0 to be visible */
	double mark;                     /* an x to be marked, or NAN */
	const char *mark_words;
} ossai_plot;

/* How many items share one column of the plot: more than 1 where each column shows the least and
   the largest of several. */
size_t ossai_plot_items_per_column(const ossai_plot *plot);

void ossai_plot_lines(ossai_page *page, const ossai_plot *plot);

typedef struct ossai_bar {
	const char *name;
	double value; /* finite, from 0 on */
} ossai_bar;

/* Bars below each other, named, as long as their values. */
void ossai_plot_bars(ossai_page *page, const char *title, const char *unit, size_t count, const ossai_bar *bars);

/* ---- for tests ---- */

/* The step between ticks from 0 to `most`: 1, 2 or 5 times a power of ten, so that there are at
   most `ticks`. */
double ossai_tick_step(double most, int ticks);

#endif
