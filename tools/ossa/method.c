/* tools/ossa/method.c: the methods that make a rig, behind one call.

   Place in the path: the top.  In: a mesh and a stream of frames, --method and the tables of every method.  Out: a rig. */
#include "command.h"

#include <string.h>

const ossa_option_table *command_naming_table(void)
{
	static const command_naming defaults = {OSSA_NAMES_BODY};
	static const ossa_option options[] = {
		{"names", OSSA_OPTION_CHOICE, offsetof(command_naming, names), 0, 0, "", "body|numbers",
			"what bones are called: body parts where the shape tells them (thigh_L, spine_01), or bone_07 by number",
			"ours: what riggers search for, and a number where the shape is not sure"},
	};
	static const ossa_option_table table = {"naming", options, sizeof options / sizeof options[0], &defaults};
	return &table;
}

/* as --method says; auto goes to the one method that has all options given, where only one has */
static ossa_method method_of(const command_run *run)
{
	const ossa_animation_options *own = run->options[COMMAND_TABLE_ANIMATION];
	const char *other = NULL;
	if (own->method != OSSA_METHOD_AUTO) return (ossa_method)own->method;
	const bool examples = command_options_serve(run, "examples", &other),
			   sequence = command_options_serve(run, "sequence", &other);
	if (examples == sequence) return OSSA_METHOD_AUTO;
	return examples ? OSSA_METHOD_EXAMPLES : OSSA_METHOD_SEQUENCE;
}

ossa_status command_check_method(command_run *run)
{
	static const char *const names[] = {"auto", "examples", "sequence"};
	const ossa_method method = method_of(run);
	const char *first = NULL, *second = NULL;
	if (method != OSSA_METHOD_AUTO) {
		if (command_options_serve(run, names[method], &first)) return OSSA_OK;
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--%s has no meaning for the method %s (see: ossa rig --help)", first, names[method]);
	}
	if (command_options_serve(run, names[OSSA_METHOD_EXAMPLES], &first)) return OSSA_OK;
	command_options_serve(run, names[OSSA_METHOD_SEQUENCE], &second);
	return command_fail(run, OSSA_ERROR_ARGUMENT, "--%s and --%s are of different methods; no method has both", first, second);
}

ossa_status command_make_rig(command_run *run, const ossa_mesh *mesh, ossa_frame_stream *stream, ossa_animation_rig *made)
{
	const command_naming *naming = run->options[COMMAND_TABLE_NAMING];
	ossa_animation_options own = *(const ossa_animation_options *)run->options[COMMAND_TABLE_ANIMATION];
	own.method = method_of(run);
	COMMAND_TRY(ossa_rig_from_animation(
		run->context, mesh, stream, &own, run->options[COMMAND_TABLE_EXAMPLES], run->options[COMMAND_TABLE_SEQUENCE], made));
	if (naming->names == OSSA_NAMES_BODY) return OSSA_OK;
	return ossa_rig_name_bones(run->context, made->rig, (ossa_bone_names)naming->names);
}
