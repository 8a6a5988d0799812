/* tools/ossa/pose_values.c: see pose_values.h. */
#include "pose_values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *pose_spelling(const pose_source *source, size_t text)
{
	return source->option ? source->option : source->run->command->texts[text].name;
}

bool pose_read_numbers(const char *text, double *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end = NULL;
		numbers[i] = strtod(text, &end);
		if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : 0)) return false;
		text = end + 1;
	}
	return true;
}

ossa_status pose_refuse_value(const pose_source *source, size_t text, const char *value, const char *form)
{
	return command_fail(source->run, OSSA_ERROR_ARGUMENT, "--%s takes %s, not \"%.64s\" (see: ossa %s --help)",
		pose_spelling(source, text), form, value, source->run->command->name);
}

static const char ANGLES[] = "three angles in degrees about the joint's own axes, X,Y,Z";

ossa_status pose_take_angles(const pose_source *source, size_t text, const char *value, const char *angles, double rotation[4])
{
	double degrees[3] = {0, 0, 0};
	const bool rest = text != POSE_ROTATE && strcmp(angles, "rest") == 0;
	if (!rest && !pose_read_numbers(angles, degrees, 3)) return pose_refuse_value(source, text, value, ANGLES);
	ossa_turn_of_degrees(degrees, rotation);
	return OSSA_OK;
}

size_t pose_read_frame(const char **at)
{
	if (**at < '0' || **at > '9') return 0;
	char *end = NULL;
	errno = 0;
	const unsigned long value = strtoul(*at, &end, 10);
	*at = end;
	return errno == 0 ? (size_t)value : 0;
}

ossa_status pose_check_frame(const pose_source *source, size_t text, size_t frame)
{
	if (frame >= 1 && frame <= source->frame_count) return OSSA_OK;
	if (frame == 0)
		return command_fail(source->run, OSSA_ERROR_ARGUMENT, "--%s: frames are counted from 1", pose_spelling(source, text));
	return command_fail(source->run, OSSA_ERROR_ARGUMENT, "--%s: there is no frame %zu; the motion has %zu, counted from 1",
		pose_spelling(source, text), frame, source->frame_count);
}
