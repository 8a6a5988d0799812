/* report/text.c: a stroke font.

   Place in the path: pictures.  In: words.  Out: coverage by distance to the strokes. */
#include "report/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GRID_HEIGHT = 9, BLANK_WIDTH = 4, GAP = 3 };

/* Polylines over a grid of ten by ten, two digits a point (x right, y down); '/' lifts the pen. */
typedef struct glyph {
	char letter;
	const char *strokes;
} glyph;

static const glyph glyphs[] = {
	{'0', "20 40 51 62 67 58 49 29 18 07 02 11 20"},
	{'1', "12 30 39"},
	{'2', "02 11 20 40 51 62 63 09 69"},
	{'3', "01 20 40 51 62 53 44 24/44 55 66 67 58 49 29 08"},
	{'4', "59 50 06 76"},
	{'5', "60 10 04 34 55 66 67 58 39 19 08"},
	{'6', "51 40 20 11 02 07 18 29 49 58 67 66 55 44 24 15 06"},
	{'7', "00 60 29"},
	{'8', "24 13 12 20 40 52 53 44 24 15 06 07 18 29 49 58 67 66 55 44"},
	{'9', "63 54 45 25 14 03 02 11 20 40 51 62 67 58 49 29 18"},
	{'a', "14 23 43 54 59/56 26 17 18 29 39 57"},
	{'e', "06 56 55 43 23 14 05 07 18 29 49 58"},
	{'f', "40 30 21 29/03 43"},
	{'m', "03 09/05 23 33 44 49/45 63 73 84 89"},
	{'r', "03 09/05 14 23 33"},
	{'s', "54 43 23 14 15 26 46 57 58 49 29 18"},
	{'t', "20 27 38 49/03 43"},
};

static const char *strokes_of(char letter)
{
	for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++) {
		if (glyphs[i].letter == letter) return glyphs[i].strokes;
	}
	return "";
}

static int width_of(const char *strokes)
{
	int width = strokes[0] ? 0 : BLANK_WIDTH;
	for (const char *at = strokes; *at; at++) {
		/* the first digit of a pair is x */
		if (at[0] >= '0' && at[0] <= '9' && at[1] >= '0' && at[1] <= '9') {
			if (at[0] - '0' > width) width = at[0] - '0';
			at++;
		}
	}
	return width;
}

double ossai_text_width(const char *text, double height)
{
	int width = 0;
	for (const char *at = text; *at; at++) width += width_of(strokes_of(*at)) + (at[1] ? GAP : 0);
	return width * height / GRID_HEIGHT;
}

static double distance_to_segment(double x, double y, const double *from, const double *to)
{
	const double dx = to[0] - from[0], dy = to[1] - from[1], length2 = dx * dx + dy * dy;
	double t = length2 > 0 ? ((x - from[0]) * dx + (y - from[1]) * dy) / length2 : 0;
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	const double ex = x - from[0] - t * dx, ey = y - from[1] - t * dy;
	return sqrt(ex * ex + ey * ey);
}

/* grid units from (x, y) to the nearest stroke */
static double distance_to_strokes(const char *strokes, double x, double y)
{
	double nearest = HUGE_VAL, last[2] = {0, 0};
	for (const char *at = strokes; *at; at += *at == '/' || *at == ' ' ? 1 : 2) {
		if (*at == '/' || *at == ' ') continue;
		const double point[2] = {at[0] - '0', at[1] - '0'};
		const int begins = at == strokes || at[-1] == '/';
		nearest = fmin(nearest, distance_to_segment(x, y, begins ? point : last, point));
		memcpy(last, point, sizeof last);
	}
	return nearest;
}

double ossai_text_coverage(const char *text, double height, double x, double y)
{
	const double unit = height / GRID_HEIGHT;
	/* a pen of an eighth of the height, never thinner than most of a pixel */
	const double pen = fmax(0.62 * unit, 0.5);
	double nearest = HUGE_VAL, left = 0;
	for (const char *at = text; *at; at++) {
		const char *strokes = strokes_of(*at);
		const int width = width_of(strokes);
		/* letters farther than a pen and a pixel to the side cover nothing */
		const bool near = x > left - pen - 1 && x < left + width * unit + pen + 1;
		if (near) nearest = fmin(nearest, distance_to_strokes(strokes, (x - left) / unit, y / unit) * unit);
		left += (width + GAP) * unit;
	}
	const double coverage = pen + 0.5 - nearest;
	return coverage < 0 ? 0 : coverage > 1 ? 1 : coverage;
}
