/* tools/ossa/rig_landmarks.c: `ossa rig --landmarks FILE`: the points of a file as options.

   Place in the path: the top, behind `ossa rig`. */
#include "command.h"

ossa_status command_take_landmarks(command_run *run, const char *path, bool is_there)
{
	ossa_landmarks landmarks;
	if (!path) return OSSA_OK;
	if (is_there)
		return command_fail(
			run, OSSA_ERROR_ARGUMENT, "--landmarks places joints; with --with or --skeleton they exist already");
	COMMAND_TRY(ossa_landmarks_read(run->context, path, &landmarks));
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		const ossa_choice_or_point *point = &landmarks.point[i];
		char text[128];
		if (point->choice == 0) continue;
		snprintf(text, sizeof text, "%.17g,%.17g,%.17g", point->point[0], point->point[1], point->point[2]);
		COMMAND_TRY(ossa_rig_option_set(run->context, &run->rig, ossa_landmark_name((ossa_landmark)i), text));
	}
	return OSSA_OK;
}
