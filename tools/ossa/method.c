/* tools/ossa/method.c: the methods that make a rig, behind one call.

   Place in the path: the top.  In: mesh and frames, --method and the tables of every method.  Out: a rig. */
#include "command.h"

/* as the choices of --method are ordered */
typedef enum method_kind { METHOD_AUTO, METHOD_EXAMPLES, METHOD_SEQUENCE } method_kind;

const ossa_option_table *command_method_table(void)
{
	static const command_method_options defaults = {METHOD_AUTO, OSSA_NAMES_BODY};
	static const ossa_option options[] = {
		{"method", OSSA_OPTION_CHOICE, offsetof(command_method_options, method), 0, 0, "", "auto|examples|sequence",
			"how the rig is made; auto: in the way that docs/results.md found best for such input", "ours"},
		{"names", OSSA_OPTION_CHOICE, offsetof(command_method_options, names), 0, 0, "", "body|numbers",
			"what bones are called: body parts where the shape tells them (thigh_L, spine_01), or bone_07 by number",
			"ours: what riggers search for, and a number where the shape is not sure"},
	};
	static const ossa_option_table table = {"method", options, sizeof options / sizeof options[0], &defaults};
	return &table;
}

static method_kind kind_of(const command_run *run)
{
	const command_method_options *own = run->options[COMMAND_TABLE_METHOD];
	return own->method == METHOD_AUTO ? METHOD_EXAMPLES : (method_kind)own->method;
}

ossa_status command_check_method(command_run *run)
{
	return command_check_options(run, run->command->tables[kind_of(run) - METHOD_EXAMPLES + COMMAND_TABLE_EXAMPLES].method);
}

ossa_status command_make_rig(command_run *run, const ossa_mesh *mesh, const ossa_frames *frames, ossa_rig **rig)
{
	const command_method_options *own = run->options[COMMAND_TABLE_METHOD];
	switch (kind_of(run)) {
	case METHOD_AUTO:
	case METHOD_EXAMPLES:
		COMMAND_TRY(ossa_rig_from_examples(run->context, mesh, frames, run->options[COMMAND_TABLE_EXAMPLES], rig));
		break;
	case METHOD_SEQUENCE:
		COMMAND_TRY(ossa_rig_from_sequence(run->context, mesh, frames, run->options[COMMAND_TABLE_SEQUENCE], rig));
		break;
	}
	return own->names == OSSA_NAMES_BODY ? OSSA_OK : ossa_rig_name_bones(run->context, *rig, (ossa_bone_names)own->names);
}
