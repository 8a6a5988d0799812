/* export/scene_nodes.c: nodes of a glTF file that no other format has, and their motion.

   Place in the path: behind the writers, see scene_tally.h.
   Input: the JSON of a file.
   Output: how many there are. */
#include "export/scene_tally.h"

typedef struct node_marks {
	size_t count;
	size_t *parent;   /* `count`: none */
	uint8_t *is_used; /* what is asked for is in it or below */
} node_marks;

static void use_node(const node_marks *marks, size_t node)
{
	for (; node < marks->count && !marks->is_used[node]; node = marks->parent[node]) marks->is_used[node] = 1;
}

/* what is counted by itself beside meshes, and ends of bones that ossa put there */
static bool holds_something(const json_t *node)
{
	const json_t *own = json_object_get(json_object_get(node, "extras"), "ossa");
	return json_object_get(node, "camera") || json_object_get(own, "end") ||
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

/* meshes, joints and what carries them */
static void mark_carriers(const json_t *root, const json_t *nodes, const node_marks *marks)
{
	const json_t *node, *skin, *joint;
	size_t n, s, j;
	json_array_foreach(nodes, n, node)
	{
		if (json_object_get(node, "mesh")) use_node(marks, n);
	}
	json_array_foreach(json_object_get(root, "skins"), s, skin)
	{
		json_array_foreach(json_object_get(skin, "joints"), j, joint) use_node(marks, (size_t)json_integer_value(joint));
	}
}

/* whether a channel moves a node that no mesh and no joint moves with */
static bool moves_another(const node_marks *marks, const json_t *animation)
{
	const json_t *channel;
	size_t c;
	json_array_foreach(json_object_get(animation, "channels"), c, channel)
	{
		const json_t *node = json_object_get(json_object_get(channel, "target"), "node");
		const json_int_t index = json_is_integer(node) ? json_integer_value(node) : -1;
		if (index >= 0 && (size_t)index < marks->count && !marks->is_used[index]) return true;
	}
	return false;
}

ossa_status ossai_tally_nodes(ossai_arena *arena, const json_t *root, ossai_scene_tally *empty, ossai_scene_tally *motion)
{
	const json_t *nodes = json_object_get(root, "nodes"), *node, *animation;
	size_t n, a;
	node_marks marks = {.count = json_array_size(nodes)};
	marks.parent = ossai_arena_new(arena, marks.count, sizeof *marks.parent);
	marks.is_used = ossai_arena_zero(arena, marks.count, 1);
	if (!marks.parent || !marks.is_used) return ossa_context_error(arena->context)->status;
	find_parents(nodes, &marks);
	mark_carriers(root, nodes, &marks);
	json_array_foreach(json_object_get(root, "animations"), a, animation)
	{
		if (moves_another(&marks, animation)) ossai_tally_add(motion, animation);
	}
	json_array_foreach(nodes, n, node)
	{
		if (holds_something(node)) use_node(&marks, n);
	}
	json_array_foreach(nodes, n, node)
	{
		if (!marks.is_used[n]) ossai_tally_add(empty, node);
	}
	return OSSA_OK;
}
