/* tools/ossa/inspect_scene.c: cameras, lights and primitives with tangents of a file.

   Place in the path: part of `ossa inspect`.
   Input: the list of ossa_read_scene.
   Output: lines, or JSON. */
#include "inspect.h"

/* more are counted */
enum { ITEMS_SHOWN = 40 };

static const struct {
	ossa_scene_kind kind;
	const char *title;
} kinds[] = {{OSSA_SCENE_CAMERA, "cameras"}, {OSSA_SCENE_LIGHT, "lights"}, {OSSA_SCENE_TANGENTS, "tangents"}};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static void print_item(const ossa_scene_item *item)
{
	const char *name = item->name[0] ? item->name : "(without a name)";
	if (item->kind == OSSA_SCENE_TANGENTS) printf("  %-30s primitive %zu\n", name, item->primitive + 1);
	else if (item->type[0]) printf("  %-30s %s\n", name, item->type);
	else printf("  %s\n", name);
}

void inspect_print_scene(const inspect_work *work)
{
	for (size_t k = 0; k < KIND_COUNT; k++) {
		size_t count = 0, shown = 0;
		for (size_t i = 0; i < work->item_count; i++) count += work->items[i].kind == kinds[k].kind;
		if (count == 0) continue;
		printf("%-12s %zu%s\n", kinds[k].title, count,
			kinds[k].kind != OSSA_SCENE_TANGENTS ? ""
				: count == 1                     ? " primitive"
												 : " primitives");
		for (size_t i = 0; i < work->item_count && shown < ITEMS_SHOWN; i++) {
			if (work->items[i].kind != kinds[k].kind) continue;
			print_item(&work->items[i]);
			shown++;
		}
		if (count > shown) printf("  and %zu more\n", count - shown);
	}
}

static json_t *item_as_json(const ossa_scene_item *item)
{
	if (item->kind == OSSA_SCENE_TANGENTS)
		return json_pack("{s:s, s:I}", "mesh", item->name, "primitive", (json_int_t)item->primitive);
	return json_pack("{s:s, s:s}", "name", item->name, "type", item->type);
}

void inspect_add_scene(const inspect_work *work, json_t *value)
{
	for (size_t k = 0; k < KIND_COUNT; k++) {
		json_t *list = json_array();
		for (size_t i = 0; i < work->item_count; i++) {
			if (work->items[i].kind == kinds[k].kind) json_array_append_new(list, item_as_json(&work->items[i]));
		}
		json_object_set_new(value, kinds[k].title, list);
	}
}
