/* import/landmarks_file.c: reads landmarks of a body from JSON.

   Place in the path: file -> here -> the options of methods for one mesh.
   Input: an object of names and points.
   Output: ossa_landmarks. */
#include "base/context.h"
#include "base/file.h"

#include <jansson.h>
#include <math.h>
#include <ossa/landmarks.h>
#include <stdio.h>
#include <string.h>

/* "elbow_L", "Left Elbow" and "leftElbow" are "left-elbow": letters alone, in lower case, the side
   first */
static void normalize(const char *name, char *plain, size_t size)
{
	char letters[32] = "";
	size_t count = 0;
	for (; *name && count + 1 < sizeof letters; name++) {
		const char c = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
		const bool is_side = count > 0 && (name[-1] == '_' || name[-1] == '.' || name[-1] == '-') && name[1] == 0;
		if (is_side && (c == 'l' || c == 'r')) {
			snprintf(plain, size, "%s%s", c == 'l' ? "left" : "right", letters);
			return;
		}
		if (c >= 'a' && c <= 'z') letters[count++] = c;
		letters[count] = 0;
	}
	snprintf(plain, size, "%s", letters);
}

static int find_landmark(const char *name)
{
	char typed[64], known[64];
	normalize(name, typed, sizeof typed);
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) {
		normalize(ossa_landmark_name((ossa_landmark)i), known, sizeof known);
		if (strcmp(typed, known) == 0) return i;
	}
	return -1;
}

static bool read_point(const json_t *value, double point[3])
{
	if (json_array_size(value) != 3) return false;
	for (size_t k = 0; k < 3; k++) {
		const json_t *number = json_array_get(value, k);
		point[k] = json_number_value(number);
		if (!json_is_number(number) || !isfinite(point[k])) return false;
	}
	return true;
}

static ossa_status fail_name(ossa_context *context, const char *path, const char *name)
{
	const char *known[OSSA_LANDMARK_COUNT];
	for (int i = 0; i < OSSA_LANDMARK_COUNT; i++) known[i] = ossa_landmark_name((ossa_landmark)i);
	const char *near = ossa_nearest_name(name, known, OSSA_LANDMARK_COUNT);
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"%s: there is no landmark \"%.40s\"%s%s%s: they are chin, groin, and left or right elbow, wrist and knee (elbow_L)",
		path, name, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static ossa_status read_object(ossa_context *context, const char *path, json_t *object, ossa_landmarks *landmarks)
{
	const char *name;
	json_t *value;
	size_t count = 0;
	json_object_foreach(object, name, value)
	{
		const int i = find_landmark(name);
		if (i < 0) return fail_name(context, path, name);
		ossa_choice_or_point *point = &landmarks->point[i];
		if (point->choice != 0)
			return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%s: the landmark %s is there twice", path,
				ossa_landmark_name((ossa_landmark)i));
		if (!read_point(value, point->point))
			return ossai_fail(
				context, OSSA_ERROR_INPUT, NULL, "%s: the landmark \"%.40s\" must be three finite numbers", path, name);
		point->choice = 1;
		count++;
	}
	if (count > 0) return OSSA_OK;
	return ossai_fail(
		context, OSSA_ERROR_INPUT, NULL, "%s: holds no landmark; write {\"chin\": [x, y, z], \"wrist_L\": ...}", path);
}

ossa_status ossa_landmarks_read(ossa_context *context, const char *path, ossa_landmarks *landmarks)
{
	OSSAI_NEED(context, path, landmarks);
	ossai_file file;
	json_error_t fault;
	*landmarks = (ossa_landmarks){0};
	OSSAI_TRY(ossai_file_open(context, path, &file));
	json_t *root = json_loadb((const char *)file.bytes, file.size, JSON_REJECT_DUPLICATES, &fault);
	ossai_file_close(context, &file);
	if (!root) return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "%s:%d: %s", path, fault.line, fault.text);
	json_t *inner = json_object_get(root, "landmarks");
	const ossa_status status = read_object(context, path, inner ? inner : root, landmarks);
	json_decref(root);
	return status;
}
