/* tools/ossa/command_tables.h: the commands and their options as data: for reading a command line,
   and for all texts that are made of them.

   Place in the path: the top, below main.c. */
#ifndef OSSA_COMMAND_TABLES_H
#define OSSA_COMMAND_TABLES_H

#include "command.h"

/* commands.c */
const command_definition *command_find(const char *name);

/* arguments.c: fills `run` from the words after the command's name; on failure run->message is
   set */
ossa_status command_parse(command_run *run, const command_definition *command, int count, char **argv);
void command_run_free(command_run *run);
const ossa_option_table *command_shared_table(void);
size_t command_text_count(const command_definition *command);

/* The tables of a command: of ossa_rig_make and of every method where it makes rigs, then its
   own. `method`: whose options these are, or NULL. */
size_t command_table_count(const command_definition *command);
const ossa_option_table *command_table_at(const command_definition *command, size_t index, const char **method);

/* options.c: the options of a command's tables, each name once, or once for each meaning, one
   after the other; false where `index` is past the last */
typedef struct command_option {
	const ossa_option_table *table; /* the first that has it with this meaning */
	const ossa_option *option;
	char methods[64]; /* "examples, sequence" where this is true of those only, else "" */
	/* an earlier option has the same name, with another meaning, range or default */
	bool is_again;
} command_option;
bool command_option_at(const command_definition *command, size_t index, command_option *found);

/* ---- groups.c: headings and topics of a command's help ---- */

/* The heading of an option; is_common: whether most people need it, or NULL. */
const char *command_group_of(const command_definition *command, const char *name, bool *is_common);

/* The headings in their order, some of which may hold nothing; NULL past the last. */
const char *command_group_at(const command_definition *command, size_t index);
bool command_group_holds(const command_definition *command, const char *title);

/* "all", the methods, the headings in lower case (written to `text`); NULL past the last. Each
   option is a topic too, by its name or its letter. */
enum { COMMAND_TOPIC_SIZE = 32 };
const char *command_topic_at(const command_definition *command, size_t index, char text[COMMAND_TOPIC_SIZE]);

/* What --help TOPIC shows; without a topic the options that most people need. */
typedef struct command_topic {
	const char *name; /* as it was typed; NULL: none */
	bool is_all;
	const char *method, *group, *option; /* that it names, or NULL */
	const char *shared;                  /* the option of every command, "help" too, or NULL */
} command_topic;

/* Fills `topic` by its name (NULL: none); false where there is no such topic. */
bool command_topic_find(const command_definition *command, const char *name, command_topic *topic);
bool command_topic_shows(const command_definition *command, const command_topic *topic, const char *name);

/* The topic or option nearest to `name` (written to `text`), or NULL. */
const char *command_topic_nearest(const command_definition *command, const char *name, char text[COMMAND_TOPIC_SIZE]);

/* ---- option_names.c ---- */

/* Whether a text or a table of the command has an option of that name; those of
   every command aside. */
bool command_has_option(const command_definition *command, const char *name);

/* Writes why the command has no option of that name: what to give instead of a removed one, the
   command that has it, or the nearest name. */
void command_explain_unknown(const command_definition *command, const char *name, char *text, size_t size);

/* The library names options in `backquotes`, without dashes and with their values: `refine 0`.
   Changes these to what is typed, --refine 0, in place: the text stays as long as it was. Other
   words in backquotes stay. */
void command_spell_options(char *text);

/* Makes a text one line that a terminal shows as it is: control characters, which paths may have,
   become ?. */
void command_show_plainly(char *text);

/* ---- help.c, manual.c, completion.c: texts made from the tables ---- */

void command_print_overview(FILE *stream);

/* Prints help on a command, or on a topic of it. Errors: OSSA_ERROR_ARGUMENT where there is no
   such topic. */
ossa_status command_help_on(command_run *run, const command_definition *command, const char *topic);

/* Prints `text` wrapped at words; the cursor stands at `column`, further lines begin at
   `indent`. */
void command_print_wrapped(FILE *stream, const char *text, int column, int indent);
void command_option_range(const ossa_option_table *table, const ossa_option *option, char *text, size_t size);
const char *command_option_value_name(const ossa_option *option);
/* a flag that is on by default */
bool command_option_on(const ossa_option_table *table, const ossa_option *option);
void command_print_manual(FILE *stream);
bool command_print_completion(FILE *stream, const char *shell);

#endif
