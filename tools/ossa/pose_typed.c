/* tools/ossa/pose_typed.c: the edits of `ossa pose` as they were typed, for the report of what was
   done.

   Place in the path: the top.
   Input: text options in the order typed.
   Output: lines, JSON. */
#include "pose.h"

/* ---- edits as typed ---- */

/* what joints a word at `index` is for, or NULL where it is no edit */
static const char *joints_of_edit(const command_run *run, size_t index)
{
	const size_t text = run->typed[index].text;
	if (text < POSE_ROTATE || text > POSE_MOVE) return NULL;
	while (index > 0 && run->typed[index].text != POSE_JOINT) index--;
	return run->typed[index].value;
}

/* the word at `index` and those that belong to it, as typed; returns the next that does not */
static size_t write_edit(const command_run *run, size_t index, char *text, size_t size)
{
	size_t used = 0;
	const size_t first = index;
	for (; index < run->typed_count; index++) {
		const command_typed *word = &run->typed[index];
		if (index > first && word->text < POSE_AT) break;
		if (used >= size) continue;
		used += (size_t)snprintf(
			text + used, size - used, "%s%s %s", used ? " " : "", run->command->texts[word->text].name, word->value);
	}
	return index;
}

void pose_print_words(const command_run *run)
{
	for (size_t i = 0; i < run->typed_count;) {
		char text[256];
		const char *joints = joints_of_edit(run, i);
		const size_t next = joints ? write_edit(run, i, text, sizeof text) : i + 1;
		if (joints) printf("%-10s %s: %s\n", "edit", joints, text);
		i = next;
	}
}

json_t *pose_words_as_json(const command_run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < run->typed_count;) {
		char text[256];
		const char *joints = joints_of_edit(run, i);
		const size_t next = joints ? write_edit(run, i, text, sizeof text) : i + 1;
		if (joints) json_array_append_new(list, json_pack("{s:s, s:s}", "joint", joints, "edit", text));
		i = next;
	}
	return list;
}
