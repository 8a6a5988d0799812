/* report/text.c: a stroke font.

   Place in the path: pictures.
   Input: words.
   Output: coverage by distance to the strokes. */
#include "report/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { GRID_HEIGHT = 9, BLANK_WIDTH = 4, GAP = 3 };

/* Polylines over a grid of ten columns, two digits a point (x right, y down: 0 the top of capitals,
   3 of small letters, 9 the line, and as ':' ';' '<' follow '9', 10 to 12 below it); '/' lifts the
   pen. */
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
	{'b', "00 09/05 14 23 33 44 55 57 48 39 29 18 07"},
	{'c', "54 43 23 14 05 07 18 29 49 58"},
	{'d', "50 59/55 44 33 23 14 05 07 18 29 39 48 57"},
	{'e', "06 56 55 43 23 14 05 07 18 29 49 58"},
	{'f', "40 30 21 29/03 43"},
	{'g', "53 5: 4; 3< 2< 1;/55 44 33 23 14 05 07 18 29 39 48 57"},
	{'h', "00 09/05 14 23 33 44 45 49"},
	{'i', "03 09/00 01"},
	{'j', "23 2: 1< 0</20 21"},
	{'k', "00 09/43 07/25 49"},
	{'l', "00 09"},
	{'m', "03 09/05 23 33 44 49/45 63 73 84 89"},
	{'n', "03 09/05 14 23 33 44 45 49"},
	{'o', "23 33 44 55 57 48 39 29 18 07 05 14 23"},
	{'p', "03 0</05 14 23 33 44 55 57 48 39 29 18 07"},
	{'q', "53 5</55 44 33 23 14 05 07 18 29 39 48 57"},
	{'r', "03 09/05 14 23 33"},
	{'s', "54 43 23 14 15 26 46 57 58 49 29 18"},
	{'t', "20 27 38 49/03 43"},
	{'u', "03 07 18 29 39 57/53 59"},
	{'v', "03 39 63"},
	{'w', "03 29 43 69 83"},
	{'x', "03 59/53 09"},
	{'y', "03 39/63 2; 1< 0<"},
	{'z', "03 53 09 59"},
	{'A', "09 30 69/16 56"},
	{'B', "04 44 53 51 40 00 09 49 58 67 66 55 44"},
	{'C', "61 50 20 11 02 07 18 29 59 68"},
	{'D', "00 30 51 62 67 58 39 09 00"},
	{'E', "60 00 09 69/04 54"},
	{'F', "60 00 09/04 54"},
	{'G', "61 50 20 11 02 07 18 29 59 68 65 35"},
	{'H', "00 09/60 69/04 64"},
	{'I', "00 09"},
	{'J', "40 47 38 29 19 08"},
	{'K', "00 09/60 06/24 69"},
	{'L', "00 09 59"},
	{'M', "09 00 46 80 89"},
	{'N', "09 00 69 60"},
	{'O', "20 50 61 72 77 68 59 29 18 07 02 11 20"},
	{'P', "09 00 40 51 53 44 04"},
	{'Q', "20 50 61 72 77 68 59 29 18 07 02 11 20/57 7:"},
	{'R', "09 00 40 51 53 44 04/34 69"},
	{'S', "61 50 20 11 02 13 24 44 55 66 67 58 49 19 08"},
	{'T', "00 60/30 39"},
	{'U', "00 07 18 29 49 58 67 60"},
	{'V', "00 39 60"},
	{'W', "00 29 42 69 80"},
	{'X', "00 69/60 09"},
	{'Y', "00 34 60/34 39"},
	{'Z', "00 60 09 69"},
	{'.', "08 09"},
	{',', "18 19 0;"},
	{'-', "06 36"},
	{'+', "06 46/24 28"},
	{'_', "0: 5:"},
	{'%', "70 09/10 20 21 22 12 11 10 20/57 67 68 69 59 58 57 67"},
	{':', "04 05/08 09"},
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
		if (*at >= '0' && *at <= '9') {
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
