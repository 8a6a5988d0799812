/* tests/report/test_plot.c: plots read back from their markup; text that is escaped; the curve of a
   merge hierarchy worked out by hand. */
#include "report/html.h"
#include "report/plot.h"
#include "support/comma.h"
#include "support/support.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the page as it ends; fails where it is no XML */
static char *end_page(ossai_page *page)
{
	char *text = NULL;
	assert_ok(page->context, ossai_page_end(page, &text));
	xmlDoc *document = xmlReadMemory(text, (int)strlen(text), "plot", NULL, XML_PARSE_NONET | XML_PARSE_NOERROR);
	if (!document) fail_msg("not well-formed: %.400s", text);
	xmlFreeDoc(document);
	return text;
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, part)); at += strlen(part)) count++;
	return count;
}

/* the points of the path of that class: x y pairs, and how often the pen was lifted */
static size_t read_path(const char *svg, const char *kind, double *points, size_t capacity, size_t *pieces)
{
	char begin[64];
	snprintf(begin, sizeof begin, "<path class=\"%s\" d=\"", kind);
	const char *at = strstr(svg, begin);
	assert_non_null(at);
	size_t count = 0;
	*pieces = 0;
	for (at += strlen(begin); *at != '"';) {
		assert_true(*at == 'M' || *at == 'L');
		*pieces += *at == 'M';
		char *end;
		const double x = strtod(at + 1, &end), y = strtod(end, &end);
		if (count < capacity) memcpy(points + 2 * count, (double[]){x, y}, 2 * sizeof *points);
		count++;
		at = end;
	}
	return count;
}

static ossai_plot plot_of(size_t count, const double *y)
{
	return (ossai_plot){.title = "errors <1>",
		.x_name = "frame",
		.y_name = "% & more",
		.unit = " %",
		.count = count,
		.y = y,
		.y_words = "RMS",
		.mark = NAN};
}

static char *draw(ossa_context *context, const ossai_plot *plot)
{
	ossai_page page = ossai_page_begin(context);
	ossai_plot_lines(&page, plot);
	return end_page(&page);
}

/* ---- text ---- */

static void words_of_anybody_stay_words(void **state)
{
	(void)state;
	static const struct {
		const char *words, *written;
	} all[] = {
		{"<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"},
		{"L\xc3\xb6we \xe2\x82\xac \xf0\x9f\xa6\xb4", "L\xc3\xb6we \xe2\x82\xac \xf0\x9f\xa6\xb4"},
		{"L\xf6we", "L?we"},                             /* Latin-1 */
		{"a\x01\x1b\tb", "a??\tb"},                      /* controls */
		{"\xed\xa0\x80", "???"},                         /* a surrogate */
		{"\xef\xbf\xbe\xef\xbf\xbd", "???\xef\xbf\xbd"}, /* U+FFFE, and U+FFFD, which may stand */
		{"\xc0\xaf", "??"},                              /* overlong */
		{"cut \xe2\x82", "cut ??"},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		ossai_page page = ossai_page_begin(context);
		ossai_page_markup(&page, "<p>");
		ossai_page_words(&page, all[i].words);
		ossai_page_markup(&page, "</p>");
		char *text = end_page(&page), wanted[128];
		snprintf(wanted, sizeof wanted, "<p>%s</p>", all[i].written);
		assert_string_equal(text, wanted);
		ossa_free(context, text);
	}
	ossai_page page = ossai_page_begin(context);
	ossai_page_markup(&page, "<p>");
	ossai_page_advice(&page, "try `--up <z>` or `x");
	ossai_page_markup(&page, "</p>");
	char *text = end_page(&page);
	assert_string_equal(text, "<p>try <code>--up &lt;z&gt;</code> or <code>x</code></p>");
	ossa_free(context, text);
	test_context_end(context);
}

static void numbers_are_short_and_have_a_point(void **state)
{
	(void)state;
	static const struct {
		double value;
		int digits;
		const char *text;
	} all[] = {{0.12345, 3, "0.123"}, {12.345, 3, "12.3"}, {1234.5, 3, "1234"}, {98765, 3, "98765"}, {-2.5, 3, "-2.5"},
		{0, 3, "0"}, {-1e-15, 3, "0"}, {3.04e-8, 3, "3.0e-08"}, {1e30, 3, "1.0e+30"}, {NAN, 3, "-"}, {INFINITY, 3, "-"},
		{400, 6, "400"}};
	char text[OSSAI_NUMBER_TEXT];
	const bool with_comma = test_comma_begin();
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		assert_string_equal(ossai_number_text(all[i].value, all[i].digits, text), all[i].text);
	}
	if (with_comma) test_comma_end();
}

static void bytes_become_base_64(void **state)
{
	(void)state;
	/* RFC 4648 */
	static const char *const wanted[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 7; i++) {
		ossai_page page = ossai_page_begin(context);
		ossai_page_bytes(&page, (const uint8_t *)"foobar", i);
		char *text;
		assert_ok(context, ossai_page_end(&page, &text));
		assert_string_equal(text, wanted[i]);
		ossa_free(context, text);
	}
	test_context_end(context);
}

/* ---- lines ---- */

static void ticks_are_round(void **state)
{
	(void)state;
	for (double most = 1.3e-7; most < 1e9; most *= 1.37) {
		const double step = ossai_tick_step(most, 5), power = pow(10, floor(log10(step) + 1e-9)), first = step / power;
		assert_true(fabs(first - 1) < 1e-9 || fabs(first - 2) < 1e-9 || fabs(first - 5) < 1e-9);
		assert_true(most <= 5 * step * (1 + 1e-9) && most > 1.9 * step);
	}
	assert_true(ossai_tick_step(0, 5) == 1 && ossai_tick_step(NAN, 5) == 1 && ossai_tick_step(INFINITY, 5) == 1);
}

/* coordinates are linear in the values: 0 on the axis, twice the value twice as high */
static void lines_are_where_their_values_are(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const double y[] = {0, 1, 2, 4, 3};
	const ossai_plot plot = plot_of(5, y);
	char *svg = draw(context, &plot);
	double p[10];
	size_t pieces;
	assert_int_equal(read_path(svg, "line first", p, 5, &pieces), 5);
	assert_int_equal(pieces, 1);
	for (int i = 0; i < 5; i++) {
		assert_near(p[2 * i] - p[0], (p[2] - p[0]) * i, 0.05);
		assert_near(p[1] - p[2 * i + 1], (p[1] - p[3]) * y[i], 0.05);
	}
	assert_non_null(strstr(svg, "<title>frame 4: RMS 4 %</title>"));
	assert_non_null(strstr(svg, "aria-label=\"errors &lt;1&gt;\""));
	assert_non_null(strstr(svg, "% &amp; more"));
	assert_int_equal(ossai_plot_items_per_column(&plot), 1);
	ossa_free(context, svg);
	test_context_end(context);
}

/* 20000 frames in some hundred columns: a peak of one frame has its full height, and its label */
static void no_peak_is_lost(void **state)
{
	(void)state;
	enum { FRAMES = 20000 };
	ossa_context *context = test_context(1);
	double *y = calloc(FRAMES, sizeof *y), *p = calloc(2 * FRAMES, sizeof *p);
	for (size_t i = 0; i < FRAMES; i++) y[i] = 1 + 0.001 * (double)(i % 7);
	y[12344] = 5;
	y[333] = 0;
	const ossai_plot plot = plot_of(FRAMES, y);
	char *svg = draw(context, &plot);
	size_t pieces;
	const size_t count = read_path(svg, "line first", p, FRAMES, &pieces);
	assert_true(count > 500 && count < 1300);
	assert_true(ossai_plot_items_per_column(&plot) > 10);
	size_t highest = 0, lowest = 0;
	for (size_t i = 0; i < count; i++) {
		assert_true(i == 0 || p[2 * i] >= p[2 * i - 2] - 0.01);
		if (p[2 * i + 1] < p[2 * highest + 1]) highest = i;
		if (p[2 * i + 1] > p[2 * lowest + 1]) lowest = i;
	}
	const double zero = p[2 * lowest + 1], one = p[1];
	/* the peak is five times as high as the first frame's 1, at its position on the axis */
	assert_near((zero - p[2 * highest + 1]) / (zero - one), 5, 0.02);
	assert_near((p[2 * highest] - p[0]) / (p[2 * count - 2] - p[0]), 12344.0 / (FRAMES - 1), 1e-3);
	assert_non_null(strstr(svg, "<title>frame 12345: RMS 5 %</title>"));
	assert_true(strlen(svg) < 150000);
	ossa_free(context, svg);
	free(y);
	free(p);
	test_context_end(context);
}

static void gaps_and_odd_plots_are_drawn(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	double p[16];
	size_t pieces;
	const double gap[] = {1, NAN, 2, 3, INFINITY, 1}, zeros[] = {0, 0, 0}, one[] = {2}, none[] = {NAN, NAN};
	ossai_plot plot = plot_of(6, gap);
	char *svg = draw(context, &plot);
	assert_int_equal(read_path(svg, "line first", p, 8, &pieces), 4);
	assert_int_equal(pieces, 3);
	ossa_free(context, svg);
	plot = plot_of(3, zeros);
	svg = draw(context, &plot);
	assert_int_equal(read_path(svg, "line first", p, 8, &pieces), 3);
	ossa_free(context, svg);
	/* a single value is a dot: a line to itself */
	plot = plot_of(1, one);
	svg = draw(context, &plot);
	assert_int_equal(read_path(svg, "line first", p, 8, &pieces), 2);
	assert_true(p[0] == p[2] && p[1] == p[3] && isfinite(p[0]));
	ossa_free(context, svg);
	plot = plot_of(2, none);
	plot.logarithmic = true;
	svg = draw(context, &plot);
	assert_int_equal(read_path(svg, "line first", p, 8, &pieces), 0);
	assert_null(strstr(svg, "nan"));
	ossa_free(context, svg);
	plot = plot_of(0, NULL);
	svg = draw(context, &plot);
	assert_int_equal(read_path(svg, "line first", p, 8, &pieces), 0);
	ossa_free(context, svg);
	test_context_end(context);
}

/* ten times as many, ten times as low: straight lines, and values of 0 are left out */
static void logarithms_make_powers_straight(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const double x[] = {1, 10, 100, 1000}, y[] = {8, 0.8, 0.08, 0};
	ossai_plot plot = plot_of(4, y);
	plot.x = x;
	plot.logarithmic = true;
	plot.mark = 20;
	plot.mark_words = "this rig";
	char *svg = draw(context, &plot);
	double p[8];
	size_t pieces;
	assert_int_equal(read_path(svg, "line first", p, 4, &pieces), 3);
	assert_near(p[2] - p[0], p[4] - p[2], 0.05);
	assert_near(p[3] - p[1], p[5] - p[3], 0.05);
	assert_int_equal(count_of(svg, "class=\"mark\""), 1);
	assert_non_null(strstr(svg, ">this rig<"));
	ossa_free(context, svg);
	test_context_end(context);
}

static void bars_are_as_long_as_their_values(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const ossai_bar bars[] = {{"a<b", 2}, {"a name that is much longer than there is space for", 1}, {"", 0}};
	ossai_page page = ossai_page_begin(context);
	ossai_plot_bars(&page, "bars", " s", 3, bars);
	char *svg = end_page(&page);
	double width[3];
	const char *at = svg;
	for (int i = 0; i < 3; i++) {
		at = strstr(strstr(at, "<rect"), " width=\"");
		width[i] = strtod(at + 8, NULL);
	}
	assert_near(width[0], 2 * width[1], 0.05);
	assert_true(width[2] > 0 && width[2] < 1);
	/* truncated in the plot, complete in the tooltip */
	assert_non_null(strstr(svg, ">a name that is much longer&#8230;<"));
	assert_non_null(strstr(svg, "<title>a name that is much longer than there is space for</title>"));
	assert_non_null(strstr(svg, "<title>a&lt;b</title>"));
	ossa_free(context, svg);
	test_context_end(context);
}

/* ---- merges ---- */

/* four faces of area 1/2 each in a row 2 x 1; the hierarchy is made up */
static void levels_add_the_errors_of_their_clusters(void **state)
{
	(void)state;
	const float positions[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
	const uint32_t faces[] = {0, 1, 3, 1, 4, 3, 1, 2, 4, 2, 5, 4};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 6, positions, 4, faces, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, 1, 1, &rig));
	ossa_mesh_free(context, mesh);
	rig->merges = ossa_alloc(context, 3, sizeof *rig->merges);
	rig->merge_count = 3;
	rig->merges[0] = (ossa_merge){0, 1, 0.1};
	rig->merges[1] = (ossa_merge){2, 3, 0.2};
	rig->merges[2] = (ossa_merge){0, 2, 0.9};
	double parts[4], errors[4];
	size_t count;
	/* the area is 2, the diagonal's square 5; two poses */
	const double whole = 2.0 / 5 * 2, wanted[] = {0.9, 0.1 + 0.2, 0.1};
	assert_ok(context, ossai_merge_curve(context, rig, 2, 4, parts, errors, &count));
	assert_int_equal(count, 3);
	for (int i = 0; i < 3; i++) {
		assert_true(parts[i] == i + 1);
		assert_near(errors[i], 100 * sqrt(wanted[i] / whole), 1e-9);
	}
	assert_ok(context, ossai_merge_curve(context, rig, 2, 2, parts, errors, &count));
	assert_true(count == 2 && parts[1] == 2);
	rig->merge_count = 0;
	assert_ok(context, ossai_merge_curve(context, rig, 2, 4, parts, errors, &count));
	assert_int_equal(count, 0);
	rig->merge_count = 3;
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_status draw_all(ossa_context *context, void *arg)
{
	const double y[] = {1, 2, 3};
	const ossai_bar bars[] = {{"a", 2}};
	const ossai_plot plot = plot_of(3, y);
	(void)arg;
	ossai_page page = ossai_page_begin(context);
	ossai_plot_lines(&page, &plot);
	ossai_plot_bars(&page, "bars", "", 1, bars);
	char *text = NULL;
	const ossa_status status = ossai_page_end(&page, &text);
	ossa_free(context, text);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(draw_all, NULL, SIZE_MAX, 1) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_anybody_stay_words),
		cmocka_unit_test(numbers_are_short_and_have_a_point),
		cmocka_unit_test(bytes_become_base_64),
		cmocka_unit_test(ticks_are_round),
		cmocka_unit_test(lines_are_where_their_values_are),
		cmocka_unit_test(no_peak_is_lost),
		cmocka_unit_test(gaps_and_odd_plots_are_drawn),
		cmocka_unit_test(logarithms_make_powers_straight),
		cmocka_unit_test(bars_are_as_long_as_their_values),
		cmocka_unit_test(levels_add_the_errors_of_their_clusters),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
