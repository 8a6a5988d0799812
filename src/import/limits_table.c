/* import/limits_table.c: reads limits of joints from a table.

   Place in the path: file -> here -> an existing rig.
   Input: CSV with a header, as `rig.skeleton.csv` is written (export/tables.c): the columns `name`
   and `limit_x_min` to `limit_z_max` count, others may be there.
   Output: limits of the bones of those names. Errors of the file are found when it is read, before
   there is a rig. */
#include "rig/pose.h"
#include "base/file.h"
#include "base/text.h"

#include <ossa/read.h>

#include <stdlib.h>
#include <string.h>

enum { LIMITS = 6, COLUMNS_MAX = 256 };
/* degrees: what ossa/rig.h allows */
static const double WIDEST = 360;

static const char *const limit_names[LIMITS] = {
	"limit_x_min", "limit_x_max", "limit_y_min", "limit_y_max", "limit_z_min", "limit_z_max"};

/* of one bone */
typedef struct row {
	char name[64];
	int64_t line;
	double limits[3][2];
} row;

struct ossa_limits {
	char *path; /* for messages */
	size_t count, capacity;
	row *rows;
};

typedef struct table {
	ossai_text text;
	size_t name_column, limit_column[LIMITS];
	ossa_limits *limits;
} table;

/* the cell up to the next comma or line end, without blanks and quotes around it; false at a line's
   end */
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

static ossa_status take_limits(table *t, ossai_word name, const ossai_word cells[LIMITS])
{
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
	ossa_limits *all = t->limits;
	OSSAI_TRY(ossai_reserve(t->text.context, &all->rows, &all->capacity, all->count, sizeof *all->rows));
	row *taken = &all->rows[all->count++];
	snprintf(taken->name, sizeof taken->name, "%.*s",
		(int)(name.size < sizeof taken->name ? name.size : sizeof taken->name - 1), name.bytes);
	taken->line = t->text.line;
	memcpy(taken->limits, limits, sizeof limits);
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
	return name.size > 0 ? take_limits(t, name, cells) : OSSA_OK;
}

static int by_name(const void *x, const void *y)
{
	const row *const *a = x, *const *b = y;
	const int order = strcmp((*a)->name, (*b)->name);
	if (order != 0) return order;
	return (*a)->line < (*b)->line ? -1 : (*a)->line > (*b)->line;
}

/* which of two rows is meant is unknown */
static ossa_status check_once(const table *t)
{
	ossa_context *context = t->text.context;
	const ossa_limits *all = t->limits;
	const row **sorted = ossai_new(context, all->count, sizeof *sorted);
	if (!sorted) return ossa_context_error(context)->status;
	for (size_t i = 0; i < all->count; i++) sorted[i] = &all->rows[i];
	qsort(sorted, all->count, sizeof *sorted, by_name);
	const row *first = NULL, *again = NULL;
	for (size_t i = 1; i < all->count; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0 || (again && again->line < sorted[i]->line)) continue;
		first = sorted[i - 1];
		again = sorted[i];
	}
	ossa_free(context, (void *)sorted);
	if (!again) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"%s:%lld: the limits of %s are on line %lld, too: keep one of the two lines", t->text.name, (long long)again->line,
		again->name, (long long)first->line);
}

static ossa_status read_table(table *t)
{
	OSSAI_TRY(read_head(t));
	for (ossai_text_next_line(&t->text); !ossai_text_ended(&t->text); ossai_text_next_line(&t->text)) OSSAI_TRY(read_row(t));
	OSSAI_TRY(ossai_text_end(&t->text));
	if (t->limits->count == 0) {
		return ossai_fail(t->text.context, OSSA_ERROR_INPUT, NULL,
			"%s: no row holds limits: write degrees into the columns `limit_x_min` to `limit_z_max` of the bones that shall "
			"have some "
			"(ossa leaves them empty where it knows none)",
			t->text.name);
	}
	return check_once(t);
}

static ossa_status read_file(ossa_context *context, ossa_limits *limits)
{
	ossai_file file;
	OSSAI_TRY(ossai_file_open(context, limits->path, &file));
	table t = {.text = ossai_text_of_file(context, limits->path, file.bytes, file.size), .limits = limits};
	const ossa_status status = read_table(&t);
	ossai_file_close(context, &file);
	return status;
}

ossa_status ossa_read_limits(ossa_context *context, const char *path, ossa_limits **limits)
{
	if (limits) *limits = NULL;
	OSSAI_NEED(context, path, limits);
	const size_t size = strlen(path) + 1;
	ossa_limits *made = ossa_alloc(context, 1, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	made->path = ossai_new(context, size, 1);
	ossa_status status = made->path ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		memcpy(made->path, path, size);
		status = read_file(context, made);
	}
	if (status == OSSA_OK) *limits = made;
	else ossa_limits_free(context, made);
	return status;
}

ossa_status ossa_rig_set_limits(ossa_context *context, ossa_rig *rig, const ossa_limits *limits)
{
	OSSAI_NEED(context, rig, limits);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	const row *unknown = NULL;
	size_t unknown_count = 0;
	for (size_t i = 0; i < limits->count; i++) {
		const row *from = &limits->rows[i];
		const int32_t bone = ossa_rig_bone(rig, from->name);
		if (bone < 0) {
			if (unknown_count++ == 0) unknown = from;
			continue;
		}
		/* it never turns */
		if (rig->skeleton.bones[bone].kind == OSSA_JOINT_PRISMATIC) continue;
		memcpy(rig->skeleton.bones[bone].limits, from->limits, sizeof from->limits);
		rig->skeleton.bones[bone].has_limits = true;
		memset(rig->skeleton.bones[bone].axis_limits, 0, sizeof rig->skeleton.bones[bone].axis_limits);
	}
	if (unknown_count == 0) return OSSA_OK;
	if (unknown_count == limits->count) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"%s:%lld: the rig has no bone %s, nor one of another row with limits (`ossa pose RIG --list` lists its bones)",
			limits->path, (long long)unknown->line, unknown->name);
	}
	ossai_warn(context, "limits-unmatched", (int64_t)unknown_count,
		"%s: %zu rows are of bones that this rig does not have, the first of %s on line %lld", limits->path, unknown_count,
		unknown->name, (long long)unknown->line);
	return OSSA_OK;
}

void ossa_limits_free(ossa_context *context, ossa_limits *limits)
{
	if (!limits) return;
	ossa_free(context, limits->path);
	ossa_free(context, limits->rows);
	ossa_free(context, limits);
}
