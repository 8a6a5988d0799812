/* ossa/options.h: option tables: one list of fields from which flags, help, range checks, forms
   and manuals are made. */
#ifndef OSSA_OPTIONS_H
#define OSSA_OPTIONS_H

#include <ossa/context.h>

/* Structs of options are made by their default function, ossa_X_default(), and then changed. Its
   number, the `cookie`, says which struct it is and how large. Every call checks it: a struct that
   is zeroed, another one than is wanted, or of another version of these headers is refused. */

#ifdef __cplusplus
extern "C" {
#endif

#define OSSA_OPTION_TEXT_SIZE 128 /* bytes of a TEXT field with its end */

typedef enum ossa_option_type {
	OSSA_OPTION_BOOL,   /* bool field; text: yes/no/true/false/1/0 or nothing (yes) */
	OSSA_OPTION_INT,    /* int field; text: a number, or a name of `choices` but the last */
	OSSA_OPTION_DOUBLE, /* double field */
	OSSA_OPTION_CHOICE, /* field of an enum as large as int, an index into `choices` */
	OSSA_OPTION_NAME,   /* char[OSSA_OPTION_TEXT_SIZE] field, ended by 0: one of `choices` */
	/* char[OSSA_OPTION_TEXT_SIZE] field, ended by 0; `choices` shows its form, e.g. "NAME" */
	OSSA_OPTION_TEXT,
	/* ossa_range field; text: FIRST:LAST:STEP, any part left out ("10:50:2", "10:", "7"), or
	   nothing (all) */
	OSSA_OPTION_RANGE,
	/* ossa_choice_or_point field; text: a name of `choices` or, for the last of them, three
	   numbers X,Y,Z */
	OSSA_OPTION_POINT
} ossa_option_type;

/* Whole numbers from `first` to `last`, both included and counted from 1, in steps of `step`. A
   part that is 0 is open: from 1 on, to the end, each; {0} is all. */
typedef struct ossa_range {
	size_t first, last, step;
} ossa_range;

/* The form of a POINT field: an enum as large as int, whose last value means the point. */
typedef struct ossa_choice_or_point {
	int choice;
	double point[3];
} ossa_choice_or_point;

/* One field of an options struct. */
typedef struct ossa_option {
	const char *name; /* as on the command line, without the dashes */
	ossa_option_type type;
	size_t offset;  /* of the field in the struct */
	double minimum; /* smallest and largest value allowed, both included (INT and DOUBLE) */
	double maximum;
	const char *unit; /* "" for none */
	/* CHOICE, NAME, POINT: names joined by '|', in the order of their values; TEXT, RANGE: the
	   value's form; INT: "" or names of the values from `minimum` on, and last a letter for a
	   number */
	const char *choices;
	const char *help;   /* one sentence; options as in messages, in `backquotes`: `refine 0` */
	const char *source; /* the paper's value, or why ours */
} ossa_option;

/* A heading under which options stand in help, manual and forms. */
typedef struct ossa_option_group {
	const char *title;  /* "Weights"; NULL ends a list of groups */
	const char *common; /* names joined by '|' of the options that most people need; "" for none */
	const char *other;  /* names of the rest */
} ossa_option_group;

/* A table: the fields of one options struct, and the defaults to show. */
typedef struct ossa_option_table {
	const char *name; /* e.g. "examples" */
	const ossa_option *options;
	size_t count;
	const void *defaults; /* a struct of the table's type */
	size_t size;          /* of that struct */
	/* ended by one without a title; NULL: the options have no headings */
	const ossa_option_group *groups;
	/* what the struct's first member, a uint32_t, is set to by its default function; 0: it has
	   none */
	uint32_t cookie;
} ossa_option_table;

/* The entry called `name`, or NULL. */
OSSA_API const ossa_option *ossa_option_find(const ossa_option_table *table, const char *name);

/* The group of a list that names the option `name`, or NULL. is_common: whether most people need
   it; NULL: not asked. */
OSSA_API const ossa_option_group *ossa_option_group_find(const ossa_option_group *groups, const char *name, bool *is_common);

/* Sets the field `name` of `options` from text.
   Errors: OSSA_ERROR_ARGUMENT naming the option, its range and what was given. */
OSSA_API ossa_status ossa_option_set(
	ossa_context *context, const ossa_option_table *table, void *options, const char *name, const char *text);

/* Writes the field's value as text (cut to `size`); `options` is a struct of the table's type. */
OSSA_API void ossa_option_print(const ossa_option *option, const void *options, char *text, size_t size);

/* Checks that `options` come from their default function and every field against its range.
   Errors: OSSA_ERROR_ARGUMENT naming that function or the first bad field. */
OSSA_API ossa_status ossa_options_check(ossa_context *context, const ossa_option_table *table, const void *options);

/* The name nearest to `typed` among `count` names, for messages: "did you mean ...?"; NULL where
   none is similar. */
OSSA_API const char *ossa_nearest_name(const char *typed, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif
#endif
