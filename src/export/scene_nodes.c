/* export/scene_nodes.c: nodes of a glTF file that hold nothing other formats have.

   Place in the path: behind the writers, see scene_tally.h.
   Input: the JSON of a file.
   Output: how many there are. */
#include "export/scene_tally.h"

typedef struct node_marks {
	size_t count;
	size_t *parent;   /* `count`: none */
	uint8_t *is_used; /* what other formats have is in it or below */
} node_marks;

static void use_node(const node_marks *marks, size_t node)
{
	for (; node < marks->count && !marks->is_used[node]; node = marks->parent[node]) marks->is_used[node] = 1;
}

/* what is counted by itself, and ends of bones that ossa put there */
static bool holds_something(const json_t *node)
{
	const json_t *own = json_object_get(json_object_get(node, "extras"), "ossa");
	return json_object_get(node, "mesh") || json_object_get(node, "camera") || json_object_get(own, "end") ||
		json_object_get(json_object_get(node, "extensions"), "KHR_lights_punctual");
}

static void find_parents(const json_t *nodes, const node_marks *marks)
{
	const json_t *node, *child;
	size_t n, c;
	for (n = 0; n < marks->count; n++) marks->parent[n] = marks->count;
	json_array_foreach(nodes, n, node)
	{
		json_array_foreach(json_object_get(node, "children"), c, child)
		{
			const json_int_t index = json_integer_value(child);
			if (index >= 0 && (size_t)index < marks->count) marks->parent[index] = n;
		}
	}
}

ossa_status ossai_tally_empty_nodes(ossai_arena *arena, const json_t *root, ossai_scene_tally *all)
{
	const json_t *nodes = json_object_get(root, "nodes"), *node, *skin, *joint;
	size_t n, s, j;
	node_marks marks = {.count = json_array_size(nodes)};
	marks.parent = ossai_arena_new(arena, marks.count, sizeof *marks.parent);
	marks.is_used = ossai_arena_zero(arena, marks.count, 1);
	if (!marks.parent || !marks.is_used) return ossa_context_error(arena->context)->status;
	find_parents(nodes, &marks);
	json_array_foreach(nodes, n, node)
	{
		if (holds_something(node)) use_node(&marks, n);
	}
	json_array_foreach(json_object_get(root, "skins"), s, skin)
	{
		json_array_foreach(json_object_get(skin, "joints"), j, joint) use_node(&marks, (size_t)json_integer_value(joint));
	}
	json_array_foreach(nodes, n, node)
	{
		if (!marks.is_used[n]) ossai_tally_add(all, node);
	}
	return OSSA_OK;
}
