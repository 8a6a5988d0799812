/* import/limits_table.c: limits of joints from a table.

   Place in the path: file -> here -> a rig that is there.  In: CSV with a head, as `rig.skeleton.csv` is written (export/tables.c): the columns
   `name` and `limit_x_min` to `limit_z_max` count, others may be there.  Out: limits of the bones of those names. */
#include "base/file.h"
#include "base/text.h"

#include <ossa/read.h>

#include <string.h>

enum { LIMITS = 6, COLUMNS_MAX = 256 };
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

static const char *const limit_names[LIMITS] = {
	"limit_x_min", "limit_x_max", "limit_y_min", "limit_y_max", "limit_z_min", "limit_z_max"};

typedef struct table {
	ossai_text text;
	ossa_rig *rig;
	size_t name_column, limit_column[LIMITS];
	int64_t taken, unknown;
	char first_unknown[64];
} table;

/* the cell up to the next comma or line end, without blanks and quotes around it; false at a line's end */
static bool next_cell(ossai_text *text, bool *more, ossai_word *cell)
{
	if (!*more) return false;
	ossai_text_blanks(text);
	const char *begin = text->at;
	while (text->at < text->end && *text->at != ',' && !ossai_is_line_end(*text->at)) text->at++;
	const char *end = text->at;
	*more = text->at < text->end && *text->at == ',';
	if (*more) text->at++;
	while (end > begin && ossai_is_blank(end[-1])) end--;
	if (end - begin >= 2 && *begin == '"' && end[-1] == '"') {
		begin++;
		end--;
	}
	*cell = (ossai_word){begin, (size_t)(end - begin)};
	return true;
}

static ossa_status fail(const table *t, const char *what)
{
	return ossai_fail(t->text.context, OSSA_ERROR_INPUT, NULL, "%s:%lld: %s", t->text.name, (long long)t->text.line, what);
}

static ossa_status read_head(table *t)
{
	bool more = true;
	ossai_word cell;
	t->name_column = SIZE_MAX;
	for (int i = 0; i < LIMITS; i++) t->limit_column[i] = SIZE_MAX;
	for (size_t column = 0; next_cell(&t->text, &more, &cell); column++) {
		if (column == COLUMNS_MAX) return fail(t, "a table of limits has fewer than 256 columns");
		if (ossai_word_is(cell, "name")) t->name_column = column;
		for (int i = 0; i < LIMITS; i++) {
			if (ossai_word_is(cell, limit_names[i])) t->limit_column[i] = column;
		}
	}
	bool all = t->name_column != SIZE_MAX;
	for (int i = 0; i < LIMITS; i++) all = all && t->limit_column[i] != SIZE_MAX;
	if (!all)
		return fail(
			t, "the first line must name the columns `name` and `limit_x_min`, `limit_x_max`, and so on to `limit_z_max`");
	return OSSA_OK;
}

static ossa_status take_number(const table *t, ossai_word cell, double *value)
{
	ossai_text word = ossai_text_begin(t->text.context, t->text.name, cell.bytes, cell.size);
	if (ossai_text_double(&word, value) != OSSAI_NUMBER_OK || !ossai_text_ended(&word))
		return fail(t, "a limit is not a number");
	return OSSA_OK;
}

static ossa_status set_limits(table *t, ossai_word name, const ossai_word cells[LIMITS])
{
	char text[64];
	double limits[3][2];
	size_t empty = 0;
	for (int i = 0; i < LIMITS; i++) empty += cells[i].size == 0;
	if (empty == LIMITS) return OSSA_OK;
	for (int i = 0; i < LIMITS; i++) OSSAI_TRY(take_number(t, cells[i], &limits[i / 2][i % 2]));
	for (int axis = 0; axis < 3; axis++) {
		const bool fits = limits[axis][0] >= -WIDEST && limits[axis][0] <= 0 && limits[axis][1] >= 0 &&
			limits[axis][1] <= WIDEST;
		if (!fits)
			return fail(
				t, "limits are degrees against the rest pose: from -360 to 360, the least at most 0, the largest at least 0");
	}
	snprintf(text, sizeof text, "%.*s", (int)(name.size < sizeof text ? name.size : sizeof text - 1), name.bytes);
	const int32_t bone = ossa_rig_bone(t->rig, text);
	if (bone < 0) {
		if (t->unknown++ == 0) memcpy(t->first_unknown, text, sizeof text);
		return OSSA_OK;
	}
	memcpy(t->rig->skeleton.bones[bone].limits, limits, sizeof limits);
	t->rig->skeleton.bones[bone].has_limits = true;
	t->taken++;
	return OSSA_OK;
}

static ossa_status read_row(table *t)
{
	bool more = true;
	ossai_word cell, name = {NULL, 0}, cells[LIMITS] = {{NULL, 0}};
	for (size_t column = 0; next_cell(&t->text, &more, &cell); column++) {
		if (column == t->name_column) name = cell;
		for (int i = 0; i < LIMITS; i++) {
			if (column == t->limit_column[i]) cells[i] = cell;
		}
	}
	return name.size > 0 ? set_limits(t, name, cells) : OSSA_OK;
}

static ossa_status read_table(table *t)
{
	OSSAI_TRY(read_head(t));
	for (ossai_text_next_line(&t->text); !ossai_text_ended(&t->text); ossai_text_next_line(&t->text)) OSSAI_TRY(read_row(t));
	if (t->taken == 0) {
		return ossai_fail(t->text.context, OSSA_ERROR_INPUT, NULL,
			"%s: no row with limits is of a bone of this rig (its bones are named as `ossa pose RIG --list` tells)",
			t->text.name);
	}
	if (t->unknown > 0) {
		ossai_warn(t->text.context, "limits-unmatched", t->unknown,
			"%s: %lld rows are of bones that this rig does not have, the first of %s", t->text.name, (long long)t->unknown,
			t->first_unknown);
	}
	return OSSA_OK;
}

ossa_status ossa_read_limits(ossa_context *context, const char *path, ossa_rig *rig)
{
	ossai_file file;
	OSSAI_TRY(ossai_file_open(context, path, &file));
	table t = {.text = ossai_text_begin(context, path, file.bytes, file.size), .rig = rig};
	const ossa_status status = read_table(&t);
	ossai_file_close(context, &file);
	return status;
}
