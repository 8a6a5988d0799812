/* scene/names.c: see names.h. Names are looked up in a hash table, so that thousands of one name
   cost no more than as many different ones. */
#include "scene/names.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* bytes that are no UTF-8 are no keys of the table */
static void make_plain(char name[64])
{
	json_t *text = json_string(name);
	for (char *at = name; !text && *at; at++) {
		if ((unsigned char)*at >= 128) *at = '_';
	}
	json_decref(text);
	if (!name[0]) strcpy(name, "mesh");
}

/* a name that no other has: of a base the numbers go on from the last that was tried */
static void find_free(json_t *taken, const char *base, char name[64])
{
	char made[64];
	json_int_t number = json_integer_value(json_object_get(taken, base));
	do {
		/* the number is kept where the name is long */
		snprintf(made, sizeof made, "%.40s_%u", base, (unsigned)++number);
		make_plain(made);
	} while (json_object_get(taken, made));
	json_object_set_new(taken, base, json_integer(number));
	memcpy(name, made, sizeof made);
}

ossa_status ossai_names_apart(ossa_context *context, size_t count, char (*names)[64])
{
	json_t *taken = json_object();
	bool *waits = ossai_new(context, count, sizeof *waits);
	for (size_t i = 0; taken && waits && i < count; i++) {
		make_plain(names[i]);
		waits[i] = json_object_get(taken, names[i]) != NULL;
		if (!waits[i]) json_object_set_new(taken, names[i], json_integer(1));
	}
	bool whole = taken && waits;
	for (size_t i = 0; whole && i < count; i++) {
		char base[64];
		memcpy(base, names[i], sizeof base);
		if (!waits[i]) continue;
		find_free(taken, base, names[i]);
		whole = json_object_set_new(taken, names[i], json_integer(1)) == 0;
	}
	ossa_free(context, waits);
	json_decref(taken);
	if (whole) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "not enough memory for names");
}
