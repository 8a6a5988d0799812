/* report/curve_file.c: the errors by the number of bones as a table or as plots.

   Place in the path: methods/error_curve.c -> here -> a file.
   Input: a curve.
   Output: CSV, JSON or SVG, by the ending of the path. */
#include "base/file.h"
#include "report/plot.h"

#include <ossa/error_curve.h>

#include <math.h>
#include <string.h>
#include <strings.h>

enum { PLOTS = 2, PLOT_WIDTH = 640, PLOT_HEIGHT = 250 };

typedef void write_curve(ossai_page *page, const ossa_error_curve *curve, size_t marked);

static void write_csv(ossai_page *page, const ossa_error_curve *curve, size_t marked)
{
	(void)marked;
	ossai_page_markup(page, "bones,rms_percent,face_normal_rms,parts_rms_percent\n");
	for (size_t i = 0; i < curve->level_count; i++) {
		const ossa_error_level *level = &curve->levels[i];
		const double values[3] = {level->rms_percent, level->face_normal_rms, level->parts_rms_percent};
		ossai_page_format(page, "%zu", level->bones);
		for (int v = 0; v < 3; v++) {
			ossai_page_markup(page, ",");
			ossai_page_number(page, values[v], 9);
		}
		ossai_page_markup(page, "\n");
	}
}

static void write_json(ossai_page *page, const ossa_error_curve *curve, size_t marked)
{
	ossai_page_format(page, "{\n\"format\": \"ossa error curve\",\n\"version\": 1,\n\"poses\": %zu,\n", curve->pose_count);
	if (marked > 0) ossai_page_format(page, "\"bones\": %zu,\n", marked);
	ossai_page_markup(page, "\"levels\": [");
	for (size_t i = 0; i < curve->level_count; i++) {
		const ossa_error_level *level = &curve->levels[i];
		ossai_page_format(page, "%s\n{\"bones\": %zu, \"rms_percent\": ", i > 0 ? "," : "", level->bones);
		ossai_page_number(page, level->rms_percent, 9);
		ossai_page_markup(page, ", \"face_normal_rms\": ");
		ossai_page_number(page, level->face_normal_rms, 9);
		ossai_page_markup(page, ", \"parts_rms_percent\": ");
		ossai_page_number(page, level->parts_rms_percent, 9);
		ossai_page_markup(page, "}");
	}
	ossai_page_markup(page, "\n]\n}\n");
}

/* ---- plots ---- */

static const char *const svg_style =
	"<style>svg{background:#fff;font:12px sans-serif}text{fill:#555}.grid{stroke:#ddd}.axis{stroke:#555}"
	".mark{stroke:#555;stroke-dasharray:4 3}.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
	"text.of-first{fill:#1b62a5}text.of-second{fill:#c05a12}.first{stroke:#1b62a5}.second{stroke:#c05a12}.hit "
	"rect{fill:transparent}.cursor{stroke:none}</style>\n";

static void put_plot(ossai_page *page, const ossai_plot *plot, int row)
{
	ossai_page_format(page, "<svg y=\"%d\" width=\"%d\" height=\"%d\">\n", row * PLOT_HEIGHT, PLOT_WIDTH, PLOT_HEIGHT);
	ossai_plot_lines(page, plot);
	ossai_page_markup(page, "</svg>\n");
}

/* what a line of the first plot is, in its colour */
static void put_name(ossai_page *page, int row, const char *line, const char *words)
{
	ossai_page_format(page, "<text class=\"of-%s\" text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>\n", line, PLOT_WIDTH - 16,
		28 + 16 * row, words);
}

static void put_plots(ossai_page *page, const ossa_error_curve *curve, size_t marked, double *columns)
{
	const size_t n = curve->level_count;
	double *bones = columns, *rms = columns + n, *parts = columns + 2 * n, *normals = columns + 3 * n;
	for (size_t i = 0; i < n; i++) {
		bones[i] = (double)curve->levels[i].bones;
		rms[i] = curve->levels[i].rms_percent;
		parts[i] = curve->levels[i].parts_rms_percent;
		normals[i] = curve->levels[i].face_normal_rms;
	}
	ossai_plot plot = {.title = "error of the vertices by the number of bones",
		.x_name = "bones",
		.y_name = "vertices: RMS, % of the diagonal",
		.unit = " %",
		.count = n,
		.x = bones,
		.y = rms,
		.top = parts,
		.y_words = "skinned",
		.top_words = "rigid parts",
		.mark = marked > 0 ? (double)marked : NAN,
		.mark_words = "the rig"};
	put_plot(page, &plot, 0);
	put_name(page, 0, "first", plot.y_words);
	put_name(page, 1, "second", plot.top_words);
	plot.title = "error of the normals by the number of bones";
	plot.y_name = "unit normals of faces: RMS";
	plot.unit = "";
	plot.y = normals;
	plot.top = NULL;
	put_plot(page, &plot, 1);
}

static void write_svg(ossai_page *page, const ossa_error_curve *curve, size_t marked)
{
	double *columns = ossa_alloc(page->context, 4 * curve->level_count + 1, sizeof *columns);
	if (!ossai_page_check(page, columns ? OSSA_OK : ossa_context_error(page->context)->status)) return;
	ossai_page_format(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n",
		PLOT_WIDTH, PLOTS * PLOT_HEIGHT, PLOT_WIDTH, PLOTS * PLOT_HEIGHT);
	ossai_page_markup(page, svg_style);
	put_plots(page, curve, marked, columns);
	ossai_page_markup(page, "</svg>\n");
	ossa_free(page->context, columns);
}

/* ---- files ---- */

static write_curve *writer_of(const char *path)
{
	static const struct {
		const char *ending;
		write_curve *write;
	} writers[] = {{".csv", write_csv}, {".json", write_json}, {".svg", write_svg}};
	const char *dot = strrchr(path, '.');
	for (size_t i = 0; dot && dot > path && i < sizeof writers / sizeof writers[0]; i++) {
		if (strcasecmp(dot, writers[i].ending) == 0) return writers[i].write;
	}
	return NULL;
}

ossa_status ossa_error_curve_check(ossa_context *context, const char *path)
{
	OSSAI_NEED(context, path);
	if (writer_of(path)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"%s: an error curve is a table or plots; give it the ending .csv, .json or .svg", path);
}

ossa_status ossa_error_curve_write(ossa_context *context, const ossa_error_curve *curve, size_t marked, const char *path)
{
	OSSAI_NEED(context, curve, path);
	OSSAI_TRY(ossa_error_curve_check(context, path));
	char *text = NULL;
	ossai_page page = ossai_page_begin(context);
	writer_of(path)(&page, curve, marked);
	OSSAI_TRY(ossai_page_end(&page, &text));
	const ossa_status status = ossai_output_text(context, path, text);
	ossa_free(context, text);
	return status;
}
