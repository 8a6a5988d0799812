/* report/plot.c: see plot.h. */
#include "report/plot.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 250, LEFT = 58, RIGHT = 12, TOP = 12, BOTTOM = 40, COLUMNS = 560, HITS = 240, TICKS = 5 };

/* numbers along one axis to coordinates */
typedef struct axis {
	double low, high; /* values at both ends; of logarithms where they are taken */
	double begin, end;
	bool logarithmic;
} axis;

static double place_of(const axis *a, double value)
{
	const double v = a->logarithmic ? log10(value) : value;
	return a->begin + (a->end - a->begin) * (v - a->low) / (a->high - a->low);
}

static bool is_seen(const axis *a, double value) { return isfinite(value) && (!a->logarithmic || value > 0); }

double ossai_tick_step(double most, int ticks)
{
	if (!(most > 0) || !isfinite(most)) return 1;
	const double rough = most / ticks, power = pow(10, floor(log10(rough) + 1e-9));
	static const double steps[] = {1, 2, 5, 10};
	for (int i = 0; i < 4; i++) {
		if (steps[i] * power * ticks >= most * (1 - 1e-9)) return steps[i] * power;
	}
	return 10 * power;
}

static double x_of(const ossai_plot *plot, size_t item) { return plot->x ? plot->x[item] : (double)item + 1; }

/* widens the range by what is seen of the values */
static void widen(const axis *a, const double *values, size_t count, double *least, double *most)
{
	for (size_t i = 0; values && i < count; i++) {
		if (!is_seen(a, values[i])) continue;
		*least = fmin(*least, values[i]);
		*most = fmax(*most, values[i]);
	}
}

static axis x_axis(const ossai_plot *plot)
{
	axis a = {.begin = LEFT, .end = WIDTH - RIGHT, .logarithmic = plot->logarithmic};
	a.low = plot->count > 0 ? x_of(plot, 0) : 0;
	a.high = plot->count > 0 ? x_of(plot, plot->count - 1) : 1;
	if (a.logarithmic) {
		a.low = log10(fmax(a.low, 1e-300));
		a.high = log10(fmax(a.high, 1e-300));
	}
	if (a.high > a.low) return a;
	a.low -= 0.5;
	a.high += 0.5;
	return a;
}

static axis y_axis(const ossai_plot *plot)
{
	axis a = {.begin = HEIGHT - BOTTOM, .end = TOP, .logarithmic = plot->logarithmic};
	double least = HUGE_VAL, most = -HUGE_VAL;
	widen(&a, plot->y, plot->count, &least, &most);
	widen(&a, plot->top, plot->count, &least, &most);
	if (!(most > 0)) least = most = 1;
	if (a.logarithmic) {
		a.low = floor(log10(least) + 1e-9);
		a.high = fmax(ceil(log10(most) - 1e-9), a.low + 1);
		return a;
	}
	const double step = ossai_tick_step(most, TICKS);
	a.high = step * ceil(most / step - 1e-9);
	return a;
}

/* ---- the frame ---- */

static void put_line(ossai_page *page, const char *kind, double x1, double y1, double x2, double y2)
{
	const double places[4] = {x1, y1, x2, y2};
	static const char *const names[4] = {"x1", "y1", "x2", "y2"};
	ossai_page_format(page, "<line class=\"%s\"", kind);
	for (int i = 0; i < 4; i++) {
		ossai_page_format(page, " %s=\"", names[i]);
		ossai_page_place(page, places[i]);
		ossai_page_markup(page, "\"");
	}
	ossai_page_markup(page, "/>");
}

/* words at a position; `anchor` is start, middle or end */
static void put_words(ossai_page *page, const char *anchor, double x, double y, const char *words)
{
	ossai_page_format(page, "<text text-anchor=\"%s\" x=\"", anchor);
	ossai_page_place(page, x);
	ossai_page_markup(page, "\" y=\"");
	ossai_page_place(page, y);
	ossai_page_markup(page, "\">");
	ossai_page_words(page, words);
	ossai_page_markup(page, "</text>\n");
}

static void put_y_tick(ossai_page *page, const axis *y, double value)
{
	char text[OSSAI_NUMBER_TEXT];
	const double at = place_of(y, value);
	put_line(page, "grid", LEFT, at, WIDTH - RIGHT, at);
	put_words(page, "end", LEFT - 6, at + 4, ossai_number_text(value, 3, text));
}

static void put_y_ticks(ossai_page *page, const axis *y)
{
	if (!y->logarithmic) {
		const double step = ossai_tick_step(y->high, TICKS);
		for (int i = 0; i * step <= y->high * (1 + 1e-9); i++) put_y_tick(page, y, i * step);
		return;
	}
	/* every so many powers of ten, and where there is space in between 2 and 5 */
	const int powers = (int)(y->high - y->low + 0.5), every = powers > 2 * TICKS ? powers / TICKS : 1;
	for (int p = 0; p <= powers; p += every) put_y_tick(page, y, pow(10, y->low + p));
	for (int p = 0; p < powers && powers <= 2; p++) {
		put_y_tick(page, y, 2 * pow(10, y->low + p));
		put_y_tick(page, y, 5 * pow(10, y->low + p));
	}
}

static void put_x_tick(ossai_page *page, const axis *x, double value)
{
	char text[OSSAI_NUMBER_TEXT];
	const double at = place_of(x, value);
	put_line(page, "axis", at, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 4);
	put_words(page, "middle", at, HEIGHT - BOTTOM + 17, ossai_number_text(value, 6, text));
}

static void put_x_ticks(ossai_page *page, const ossai_plot *plot, const axis *x)
{
	const double first = x_of(plot, 0), last = x_of(plot, plot->count - 1);
	if (x->logarithmic) {
		double power = pow(10, floor(x->low));
		while (power <= last) {
			for (int i = 0; i < 3; i++) {
				const double value = power * (double[]){1, 2, 5}[i];
				if (value >= first * (1 - 1e-9) && value <= last * (1 + 1e-9)) put_x_tick(page, x, value);
			}
			power *= 10;
		}
		return;
	}
	/* the first one, then round numbers */
	const double step = fmax(ossai_tick_step(last - first, 8), 1);
	put_x_tick(page, x, first);
	double value = step * (floor(first / step) + 1);
	while (value <= last) {
		if (place_of(x, value) - place_of(x, first) > 24) put_x_tick(page, x, value);
		value += step;
	}
}

/* ---- lines ---- */

static size_t column_count(const ossai_plot *plot, size_t most) { return plot->count < most ? plot->count : most; }

size_t ossai_plot_items_per_column(const ossai_plot *plot)
{
	const size_t columns = column_count(plot, COLUMNS);
	return columns > 0 ? (plot->count - 1) / columns + 1 : 1;
}

static void put_point(ossai_page *page, bool begins, double x, double y)
{
	ossai_page_markup(page, begins ? "M" : "L");
	ossai_page_place(page, x);
	ossai_page_markup(page, " ");
	ossai_page_place(page, y);
}

/* in each column the least and the largest of its items, in the order in which they come: no peak
   is lost */
static void put_curve(
	ossai_page *page, const ossai_plot *plot, const axis *x, const axis *y, const double *values, const char *kind)
{
	const size_t columns = column_count(plot, COLUMNS);
	bool begins = true;
	size_t points = 0, last = 0;
	ossai_page_format(page, "<path class=\"%s\" d=\"", kind);
	for (size_t c = 0; c < columns; c++) {
		const size_t begin = c * plot->count / columns, end = (c + 1) * plot->count / columns;
		size_t ends[2] = {begin, begin};
		bool seen = false;
		for (size_t i = begin; i < end; i++) {
			if (!is_seen(y, values[i])) continue;
			if (!seen || values[i] < values[ends[0]]) ends[0] = i;
			if (!seen || values[i] > values[ends[1]]) ends[1] = i;
			seen = true;
		}
		for (int k = 0; k < 2 && seen; k++) {
			const size_t item = ends[ends[0] <= ends[1] ? k : !k];
			if (k > 0 && ends[0] == ends[1]) break;
			put_point(page, begins, place_of(x, x_of(plot, item)), place_of(y, values[item]));
			begins = false;
			last = item;
			points++;
		}
		begins = begins || !seen;
	}
	/* a single point is a dot, which a line of no length draws */
	if (points == 1) put_point(page, false, place_of(x, x_of(plot, last)), place_of(y, values[last]));
	ossai_page_markup(page, "\"/>\n");
}

static void put_value(ossai_page *page, const ossai_plot *plot, const char *words, double value)
{
	ossai_page_words(page, words);
	ossai_page_markup(page, " ");
	ossai_page_number(page, value, 3);
	ossai_page_words(page, plot->unit);
}

/* stripes with tooltips: of several items those of the one with the
   largest value */
static void put_hits(ossai_page *page, const ossai_plot *plot, const axis *x)
{
	const size_t columns = column_count(plot, HITS);
	const double *judged = plot->top ? plot->top : plot->y;
	for (size_t c = 0; c < columns; c++) {
		const size_t begin = c * plot->count / columns, end = (c + 1) * plot->count / columns;
		size_t worst = begin;
		for (size_t i = begin; i < end; i++) {
			if (!(judged[i] <= judged[worst])) worst = i;
		}
		const double middle = place_of(x, x_of(plot, worst));
		const double from = c > 0 ? (place_of(x, x_of(plot, begin)) + place_of(x, x_of(plot, begin - 1))) / 2 : LEFT;
		const double to = c + 1 < columns ? (place_of(x, x_of(plot, end)) + place_of(x, x_of(plot, end - 1))) / 2
										  : WIDTH - RIGHT;
		ossai_page_markup(page, "<g class=\"hit\"><rect x=\"");
		ossai_page_place(page, from);
		ossai_page_format(page, "\" y=\"%d\" width=\"", TOP);
		ossai_page_place(page, fmax(to - from, 0.5));
		ossai_page_format(page, "\" height=\"%d\"/>", HEIGHT - BOTTOM - TOP);
		put_line(page, "cursor", middle, TOP, middle, HEIGHT - BOTTOM);
		ossai_page_markup(page, "<title>");
		ossai_page_words(page, plot->x_name);
		ossai_page_markup(page, " ");
		ossai_page_number(page, x_of(plot, worst), 9);
		ossai_page_markup(page, ": ");
		put_value(page, plot, plot->y_words, plot->y[worst]);
		if (plot->top) ossai_page_markup(page, ", ");
		if (plot->top) put_value(page, plot, plot->top_words, plot->top[worst]);
		ossai_page_markup(page, "</title></g>\n");
	}
}

static void put_mark(ossai_page *page, const ossai_plot *plot, const axis *x)
{
	if (!is_seen(x, plot->mark)) return;
	const double at = place_of(x, plot->mark);
	if (at < LEFT - 0.5 || at > WIDTH - RIGHT + 0.5) return;
	put_line(page, "mark", at, TOP, at, HEIGHT - BOTTOM);
	const bool right = at > WIDTH / 2;
	put_words(page, right ? "end" : "start", at + (right ? -6 : 6), TOP + 12, plot->mark_words);
}

static void begin_svg(ossai_page *page, const char *title, int width, int height)
{
	ossai_page_format(page, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", width, height);
	ossai_page_words(page, title);
	ossai_page_markup(page, "\">\n");
}

void ossai_plot_lines(ossai_page *page, const ossai_plot *plot)
{
	begin_svg(page, plot->title, WIDTH, HEIGHT);
	const axis x = x_axis(plot), y = y_axis(plot);
	put_y_ticks(page, &y);
	put_line(page, "axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
	if (plot->count > 0) put_x_ticks(page, plot, &x);
	put_words(page, "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6, plot->x_name);
	ossai_page_format(
		page, "<text text-anchor=\"middle\" transform=\"translate(14 %d) rotate(-90)\">", (HEIGHT - BOTTOM + TOP) / 2);
	ossai_page_words(page, plot->y_name);
	ossai_page_markup(page, "</text>\n");
	put_mark(page, plot, &x);
	if (plot->top) put_curve(page, plot, &x, &y, plot->top, "line second");
	put_curve(page, plot, &x, &y, plot->y, "line first");
	put_hits(page, plot, &x);
	ossai_page_markup(page, "</svg>\n");
}

/* ---- bars ---- */

enum { ROW = 20, NAMES = 190, VALUES = 80, NAME_LETTERS = 26 };

/* so much of a name as fits, cut between characters */
static void put_name(ossai_page *page, const char *name)
{
	char text[4 * NAME_LETTERS + 4];
	size_t letters = 0, size = 0;
	for (; name[size] && size < sizeof text - 4; size++) {
		const bool begins = ((unsigned char)name[size] & 0xc0) != 0x80;
		if (begins && ++letters > NAME_LETTERS) break;
	}
	memcpy(text, name, size);
	text[size] = 0;
	ossai_page_words(page, text);
	if (name[size]) ossai_page_markup(page, "&#8230;");
}

static void put_bar(ossai_page *page, const char *unit, const ossai_bar *bar, size_t row, double most)
{
	const double length = most > 0 ? (WIDTH - NAMES - VALUES) * bar->value / most : 0;
	const int y = (int)row * ROW;
	ossai_page_format(page, "<g class=\"bar\"><text text-anchor=\"end\" x=\"%d\" y=\"%d\">", NAMES - 8, y + 14);
	put_name(page, bar->name);
	ossai_page_format(page, "</text><rect x=\"%d\" y=\"%d\" height=\"%d\" width=\"", NAMES, y + 3, ROW - 6);
	ossai_page_place(page, fmax(length, 0.5));
	ossai_page_markup(page, "\"/><text x=\"");
	ossai_page_place(page, NAMES + length + 6);
	ossai_page_format(page, "\" y=\"%d\">", y + 14);
	ossai_page_number(page, bar->value, 3);
	ossai_page_words(page, unit);
	ossai_page_markup(page, "</text><title>");
	ossai_page_words(page, bar->name);
	ossai_page_markup(page, "</title></g>\n");
}

void ossai_plot_bars(ossai_page *page, const char *title, const char *unit, size_t count, const ossai_bar *bars)
{
	double most = 0;
	for (size_t i = 0; i < count; i++) most = fmax(most, bars[i].value);
	begin_svg(page, title, WIDTH, (int)count * ROW + 4);
	for (size_t i = 0; i < count; i++) put_bar(page, unit, &bars[i], i, most);
	ossai_page_markup(page, "</svg>\n");
}
