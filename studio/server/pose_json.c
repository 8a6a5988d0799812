/* studio/server/pose_json.c: poses as the page sends them: a rotation for each bone and the root's
   position.

   Place in the path: behind requests about one pose (poses.c) and the export of several
   (work_export.c).
   Input: JSON.
   Output: a frame of a clip. */
#include "server.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool studio_numbers(const json_t *list, double *values, size_t count)
{
	bool good = json_is_array(list) && json_array_size(list) == count;
	for (size_t i = 0; good && i < count; i++) {
		const json_t *value = json_array_get(list, i);
		values[i] = json_number_value(value);
		good = json_is_number(value) && isfinite(values[i]);
	}
	return good;
}

/* of length 1, on the side of the frame before */
static bool read_turn(const json_t *list, double turn[4], const double *before)
{
	double length = 0, side = 1;
	if (!studio_numbers(list, turn, 4)) return false;
	for (int k = 0; k < 4; k++) length += turn[k] * turn[k];
	if (!(length > 1e-12) || !isfinite(length)) return false;
	if (before) side = turn[0] * before[0] + turn[1] * before[1] + turn[2] * before[2] + turn[3] * before[3] < 0 ? -1 : 1;
	for (int k = 0; k < 4; k++) turn[k] *= side / sqrt(length);
	return true;
}

bool studio_read_pose(const ossa_rig *rig, const json_t *body, ossa_clip *clip, size_t frame, char message[STUDIO_MESSAGE_SIZE])
{
	const json_t *rotations = json_object_get(body, "rotations"), *root = json_object_get(body, "root");
	const size_t count = rig->skeleton.bone_count;
	double *position = clip->root_positions + 3 * frame;
	if (!root) memcpy(position, rig->skeleton.bones[0].joint, 3 * sizeof *position);
	else if (!studio_numbers(root, position, 3)) {
		snprintf(message, STUDIO_MESSAGE_SIZE, "root: give the root joint's position as three numbers");
		return false;
	}
	bool good = json_array_size(rotations) == count;
	for (size_t b = 0; good && b < count; b++) {
		double *turn = clip->rotations + 4 * (frame * count + b);
		good = read_turn(json_array_get(rotations, b), turn, frame > 0 ? turn - 4 * count : NULL);
	}
	if (!good) snprintf(message, STUDIO_MESSAGE_SIZE, "rotations: give each of the %zu bones a quaternion [x, y, z, w]", count);
	return good;
}
