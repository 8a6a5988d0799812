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
	static const ossa_option_table table = {"naming", options, sizeof options / sizeof options[0], &defaults, 0};
	return &table;
}

/* in the order of ossa_method */
static const char *const names[] = {"auto", "examples", "sequence", "contraction", "volume"};

/* whether the method has all options given */
static bool serves(const command_run *run, ossa_method method)
{
	const char *other = NULL;
	return command_options_serve(run, names[method], &other);
}

/* of two methods the one that has all options given, where the other has not; else auto */
static ossa_method choose(const command_run *run, ossa_method first, ossa_method second)
{
	if (serves(run, first) == serves(run, second)) return OSSA_METHOD_AUTO;
	return serves(run, first) ? first : second;
}

/* as --method says, or as the options do, for moving input; auto: one of the first two, or where these do not have all options one of
   the others, of which nothing chooses */
static ossa_method method_of(const command_run *run)
{
	const ossa_animation_options *own = run->options[COMMAND_TABLE_ANIMATION];
	if (own->method != OSSA_METHOD_AUTO) return (ossa_method)own->method;
	const ossa_method chosen = choose(run, OSSA_METHOD_EXAMPLES, OSSA_METHOD_SEQUENCE);
	if (chosen != OSSA_METHOD_AUTO || serves(run, OSSA_METHOD_EXAMPLES)) return chosen;
	return choose(run, OSSA_METHOD_CONTRACTION, OSSA_METHOD_VOLUME);
}

static ossa_status check_options(command_run *run, ossa_method method)
{
	const char *first = NULL;
	if (command_options_serve(run, names[method], &first)) return OSSA_OK;
	return command_fail(
		run, OSSA_ERROR_ARGUMENT, "--%s has no meaning for the method %s (see: ossa rig --help)", first, names[method]);
}

ossa_status command_check_method(command_run *run)
{
	const ossa_method method = method_of(run);
	const char *first = NULL, *second = NULL;
	if (method != OSSA_METHOD_AUTO) return check_options(run, method);
	if (command_options_serve(run, names[OSSA_METHOD_EXAMPLES], &first)) return OSSA_OK;
	command_options_serve(run, names[OSSA_METHOD_SEQUENCE], &second);
	/* what one mesh is asked for */
	const char *of_volume = NULL, *of_contraction = NULL;
	if (command_options_serve(run, names[OSSA_METHOD_CONTRACTION], &of_volume)) return OSSA_OK;
	if (command_options_serve(run, names[OSSA_METHOD_VOLUME], &of_contraction)) return OSSA_OK;
	/* what neither method for moving input has is no contradiction of the two */
	if (strcmp(first, second) == 0) {
		first = of_contraction;
		second = of_volume;
	}
	return command_fail(run, OSSA_ERROR_ARGUMENT, "--%s and --%s are of different methods; no method has both", first, second);
}

/* for one mesh: as --method says, or as the options do */
static ossa_method still_method(const command_run *run)
{
	const ossa_animation_options *own = run->options[COMMAND_TABLE_ANIMATION];
	if (own->method != OSSA_METHOD_AUTO) return (ossa_method)own->method;
	return choose(run, OSSA_METHOD_CONTRACTION, OSSA_METHOD_VOLUME);
}

ossa_status command_check_still(command_run *run)
{
	const ossa_method method = still_method(run);
	const char *first = NULL, *second = NULL;
	if (method == OSSA_METHOD_CONTRACTION || method == OSSA_METHOD_VOLUME) return check_options(run, method);
	if (method != OSSA_METHOD_AUTO) {
		return command_fail(run, OSSA_ERROR_INPUT,
			"the method %s needs motion, and there is one mesh that does not move: name poses of it too, or leave --method out",
			names[method]);
	}
	if (command_options_serve(run, names[OSSA_METHOD_CONTRACTION], &first)) return OSSA_OK;
	command_options_serve(run, names[OSSA_METHOD_VOLUME], &second);
	if (strcmp(first, second) == 0) {
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--%s has no meaning for one mesh that does not move (see: ossa rig --help)", first);
	}
	return command_fail(run, OSSA_ERROR_ARGUMENT, "--%s and --%s are of different methods; no method has both", second, first);
}

static ossa_status name_bones(command_run *run, ossa_rig *rig)
{
	const command_naming *naming = run->options[COMMAND_TABLE_NAMING];
	if (naming->names == OSSA_NAMES_BODY) return OSSA_OK;
	return ossa_rig_name_bones(run->context, rig, (ossa_bone_names)naming->names);
}

static ossa_method_options methods_of(const command_run *run)
{
	return (ossa_method_options){run->options[COMMAND_TABLE_EXAMPLES], run->options[COMMAND_TABLE_SEQUENCE],
		run->options[COMMAND_TABLE_CONTRACTION], run->options[COMMAND_TABLE_VOLUME]};
}

ossa_status command_make_still_rig(command_run *run, const ossa_mesh *mesh, ossa_shape_choice *choice, ossa_rig **rig)
{
	const ossa_method_options methods = methods_of(run);
	COMMAND_TRY(ossa_rig_from_shape(run->context, mesh, still_method(run), &methods, choice, rig));
	return name_bones(run, *rig);
}

/* options of both methods for one mesh name neither, and those that follow motion have no use for them */
static ossa_status check_moving(command_run *run)
{
	const char *first = NULL;
	if (method_of(run) != OSSA_METHOD_AUTO || command_options_serve(run, names[OSSA_METHOD_EXAMPLES], &first)) return OSSA_OK;
	return command_fail(run, OSSA_ERROR_ARGUMENT,
		"--%s has no meaning for input that moves; add --method contraction or --method volume to rig its shape at rest",
		first);
}

ossa_status command_make_rig(command_run *run, const ossa_mesh *mesh, ossa_frame_stream *stream, ossa_animation_rig *made)
{
	COMMAND_TRY(check_moving(run));
	const ossa_method_options methods = methods_of(run);
	ossa_animation_options own = *(const ossa_animation_options *)run->options[COMMAND_TABLE_ANIMATION];
	own.method = method_of(run);
	COMMAND_TRY(ossa_rig_from_animation(run->context, mesh, stream, &own, &methods, made));
	return name_bones(run, made->rig);
}
