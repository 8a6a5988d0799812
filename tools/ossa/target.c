/* tools/ossa/target.c: `--for`: the program that an output is made for.

   Place in the path: the top.
   Input: what was typed, an output's path.
   Output: options for writing it. What was typed wins over what the program expects. */
#include "target.h"

#include <stddef.h>
#include <string.h>

const ossa_option_table *command_target_table(void)
{
	static const command_target_options defaults = {0};
	static const ossa_option options[] = {
		{"for", OSSA_OPTION_CHOICE, offsetof(command_target_options, target), 0, 0, "", OSSA_TARGET_CHOICES,
			"set names, axes, unit, joint frames and format as this program expects them", ""},
	};
	static const ossa_option_group groups[] = {
		{"Output", "for", ""},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"target", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(command_target_options), .groups = groups};
	return &table;
}

static bool is_given(const command_run *run, const char *name)
{
	for (size_t i = 0; i < run->given.count; i++) {
		if (strcmp(run->given.values[i], name) == 0) return true;
	}
	return false;
}

const ossa_target *command_target(const command_run *run, size_t table)
{
	const command_target_options *own = run->options[table];
	return own->target > 0 ? ossa_target_at((size_t)own->target - 1) : NULL;
}

bool command_target_names(const command_run *run, size_t table, ossa_bone_names *names)
{
	const ossa_target *target = command_target(run, table);
	if (!target || target->names == OSSA_NAMES_BODY || is_given(run, "names")) return false;
	*names = target->names;
	return true;
}

ossa_status command_target_options_for(command_run *run, size_t table, const ossa_rig *rig, const char *path,
	const ossa_write_options *typed, ossa_write_options *options)
{
	const ossa_target *target = command_target(run, table);
	const ossa_option_table *fields = ossa_write_option_table();
	*options = *typed;
	if (!target) return OSSA_OK;
	COMMAND_TRY(ossa_target_apply(run->context, target, path, options));
	for (size_t i = 0; i < run->given.count; i++) {
		const ossa_option *option = ossa_option_find(fields, run->given.values[i]);
		char value[OSSA_OPTION_TEXT_SIZE];
		if (!option) continue;
		ossa_option_print(option, typed, value, sizeof value);
		COMMAND_TRY(ossa_option_set(run->context, fields, options, option->name, value));
	}
	return rig ? ossa_target_check_rest(run->context, target, rig, options->rest_pose) : OSSA_OK;
}

void command_default_output(const command_run *run, size_t table, const char *input, char *path, size_t size)
{
	const ossa_target *target = command_target(run, table);
	const char *endings = target ? ossa_target_endings(target) : ".glb";
	const char *slash = strrchr(input, '/');
	const char *name = slash ? slash + 1 : input;
	const char *dot = strrchr(name, '.');
	const int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
	snprintf(path, size, "%.*s-rigged%.*s", length > 400 ? 400 : length, name, (int)strcspn(endings, "|"), endings);
}

/* "unreal: Unreal Engine: names unreal, up z, unit 0.01, bone-axis x; fbx|glb" */
void command_target_print(const ossa_target *target, char *text, size_t size)
{
	static const char axes[] = "xyz";
	static const char *const expected[] = {"", "", "; expects a T at rest", "; expects an A at rest"};
	const char *names = OSSA_NAMES_CHOICES;
	for (int i = 0; i < (int)target->names; i++) names += strcspn(names, "|") + 1;
	char called[32] = "names as they are";
	if (target->names != OSSA_NAMES_BODY) snprintf(called, sizeof called, "names %.*s", (int)strcspn(names, "|"), names);
	snprintf(text, size, "%s: %s: %s, up %s, unit %g, bone-axis %c%s; reads %s%s", target->name, target->title, called,
		target->up == OSSA_UP_Z ? "z" : "y", target->unit, axes[target->bone_axis], target->leaf_bones ? ", leaf-bones" : "",
		target->formats, expected[target->rest_pose - OSSA_REST_KEEP]);
}
