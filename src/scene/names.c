/* scene/names.c: see names.h. Names are looked up in a hash table, so that thousands of one name
   cost no more than as many different ones. */
#include "scene/names.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* bytes that are no UTF-8 are no keys of the table; empty names stay where no other is given */
static void make_plain(char name[64], const char *empty)
{
	json_t *text = json_string(name);
	for (char *at = name; !text && *at; at++) {
		if ((unsigned char)*at >= 128) *at = '_';
	}
	json_decref(text);
	if (!name[0] && empty) strcpy(name, empty);
}

/* a name that no other has: of a base the numbers go on from the last that was tried */
static void find_free(json_t *taken, const char *base, char name[64])
{
	char made[64];
	json_int_t number = json_integer_value(json_object_get(taken, base));
	do {
		/* the number is kept where the name is long */
		snprintf(made, sizeof made, "%.40s_%u", base, (unsigned)++number);
		make_plain(made, NULL);
	} while (json_object_get(taken, made));
	json_object_set_new(taken, base, json_integer(number));
	memcpy(name, made, sizeof made);
}

static ossa_status make_apart(ossa_context *context, size_t count, char (*names)[64], const char *empty)
{
	json_t *taken = json_object();
	bool *waits = ossai_new(context, count, sizeof *waits);
	for (size_t i = 0; taken && waits && i < count; i++) {
		make_plain(names[i], empty);
		waits[i] = names[i][0] && json_object_get(taken, names[i]);
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

ossa_status ossai_names_apart(ossa_context *context, size_t count, char (*names)[64])
{
	return make_apart(context, count, names, "mesh");
}

ossa_status ossai_material_names_apart(ossa_context *context, size_t count, char (*names)[64])
{
	return count < 2 ? OSSA_OK : make_apart(context, count, names, NULL);
}

ossa_status ossai_material_names(ossai_arena *arena, const ossa_mesh *mesh, char (**names)[64])
{
	*names = ossai_arena_new(arena, mesh->material_count, sizeof **names);
	if (!*names) return ossa_context_error(arena->context)->status;
	for (size_t m = 0; m < mesh->material_count; m++) {
		memcpy((*names)[m], mesh->materials[m], sizeof **names);
		for (char *at = (*names)[m]; *at; at++) *at = *at == '\n' || *at == '\r' ? ' ' : *at;
	}
	return make_apart(arena->context, mesh->material_count, *names, "material");
}
