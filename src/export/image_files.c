/* export/image_files.c: images as files beside an output.

   Place in the path: under the writers of formats whose files name images.
   Input: images of a mesh's appearance, or opened files.
   Output: files beside the output. No file with other contents is written over. */
#include "export/image_files.h"
#include "scene/appearance.h"

#include <stdio.h>
#include <string.h>

/* the most names that are tried */
enum { MOST_NAMES = 999 };

/* ---- one file ---- */

static bool holds(ossa_context *context, const char *path, const ossai_file *wanted)
{
	ossai_file file;
	if (ossai_file_open_output(context, ossai_file_now(context, path), &file) != OSSA_OK) return false;
	const bool same = file.size == wanted->size && (file.size == 0 || memcmp(file.bytes, wanted->bytes, file.size) == 0);
	ossai_file_close(context, &file);
	return same;
}

ossa_status ossai_write_whole(ossa_context *context, const char *path, const ossai_file *bytes)
{
	ossai_output output;
	OSSAI_TRY(ossai_output_begin(context, path, &output));
	if (bytes->size > 0) fwrite(bytes->bytes, 1, bytes->size, output.stream);
	return ossai_output_commit(&output);
}

/* "OUTPUT.dae.NAME". A name that has an output's before it, as one that was written and is read
   again, loses that; and it keeps one dot, so that no two outputs can mean one file. */
static void name_by_output(const char *output, const char *name, char made[OSSAI_PATH_SIZE])
{
	const char *whole = ossai_file_name(output), *dot = strrchr(name, '.');
	const size_t length = strlen(whole);
	if (strncmp(name, whole, length) == 0 && name[length] == '.' && name + length != dot) name += length + 1;
	const int size = snprintf(made, OSSAI_PATH_SIZE, "%s.", whole);
	char *at = made + (size < OSSAI_PATH_SIZE ? size : OSSAI_PATH_SIZE - 1);
	snprintf(at, (size_t)(made + OSSAI_PATH_SIZE - at), "%s", name);
	for (; *at && name != dot; at++, name++) *at = *at == '.' ? '-' : *at;
}

/* whether the file may have the path: none is there, or one that is replaced */
static bool is_free(ossa_context *context, const char *path, ossa_image_names names)
{
	if (names == OSSA_IMAGE_NAMES_OUTPUT) return !ossai_batch_has(context, path);
	return !ossai_file_exists(context, ossai_file_now(context, path));
}

ossa_status ossai_write_beside(ossa_context *context, const char *output, const char *name, ossa_image_names names,
	const ossai_file *bytes, char path[OSSAI_PATH_SIZE])
{
	const int folder = (int)(ossai_file_name(output) - output);
	char own[OSSAI_PATH_SIZE];
	if (names == OSSA_IMAGE_NAMES_OUTPUT) name_by_output(output, name, own);
	else snprintf(own, sizeof own, "%s", name);
	const char *dot = strrchr(own, '.');
	const int stem = dot ? (int)(dot - own) : (int)strlen(own);
	for (int number = 1; number <= MOST_NAMES; number++) {
		char behind[16] = "";
		if (number > 1) snprintf(behind, sizeof behind, "-%d", number);
		const int length = snprintf(path, OSSAI_PATH_SIZE, "%.*s%.*s%s%s", folder, output, stem, own, behind, dot ? dot : "");
		if (length < 0 || length >= OSSAI_PATH_SIZE) break;
		if (is_free(context, path, names)) return ossai_write_whole(context, path, bytes);
		if (holds(context, path, bytes)) return OSSA_OK;
	}
	const ossai_place place = ossai_in_file(output);
	return ossai_fail(context, OSSA_ERROR_WRITE, &place, "no name is left for the file \"%.128s\" beside it", own);
}

/* ---- images of materials ---- */

static bool is_in_number(char c) { return (c >= '0' && c <= '9') || strchr("-_. ", c); }

void ossai_output_stem(const char *path, char stem[256])
{
	const char *name = ossai_file_name(path), *dot = strrchr(name, '.');
	const size_t whole = dot && dot != name ? (size_t)(dot - name) : strlen(name);
	size_t length = whole;
	const bool is_numbered = whole > 0 && name[whole - 1] >= '0' && name[whole - 1] <= '9';
	while (is_numbered && length > 0 && is_in_number(name[length - 1])) length--;
	if (length == 0) length = whole;
	snprintf(stem, 256, "%.*s", (int)length, name);
}

/* where `path` is as seen from the folder of `output`; NULL: not below it, as far as the texts
   say */
static const char *below(const char *output, const char *path)
{
	const size_t folder = (size_t)(ossai_file_name(output) - output);
	char found[OSSAI_PATH_SIZE];
	if (strncmp(output, path, folder) != 0 || ossai_uri_path(output, path + folder, true, found) != OSSAI_URI_GOOD) return NULL;
	/* a name may hold what other systems take for a slash */
	return strcmp(found, path) == 0 ? path + folder : NULL;
}

static void mark_used(const ossa_texture *texture, size_t image_count, uint8_t *is_used)
{
	if (texture->image < image_count) is_used[texture->image] = 1;
}

static void find_used(const ossa_appearance *appearance, uint8_t *is_used)
{
	for (size_t m = 0; m < appearance->material_count; m++) {
		const ossa_material *material = &appearance->materials[m];
		mark_used(&material->base_color_texture, appearance->image_count, is_used);
		mark_used(&material->metallic_roughness_texture, appearance->image_count, is_used);
		mark_used(&material->normal_texture, appearance->image_count, is_used);
		mark_used(&material->occlusion_texture, appearance->image_count, is_used);
		mark_used(&material->emission_texture, appearance->image_count, is_used);
	}
}

static ossa_status copy_name(ossai_arena *arena, const char *name, const char **copy)
{
	char *made = ossai_arena_new(arena, strlen(name) + 1, 1);
	if (!made) return ossa_context_error(arena->context)->status;
	*copy = strcpy(made, name);
	return OSSA_OK;
}

/* images that were written and read again have the stem already */
static void name_image(const ossa_image *image, const char *stem, char name[OSSAI_PATH_SIZE])
{
	const size_t length = strlen(stem);
	const bool has_stem = strncmp(image->name, stem, length) == 0 && image->name[length] == '_';
	snprintf(name, OSSAI_PATH_SIZE, "%s%s%s%s", has_stem ? "" : stem, has_stem ? "" : "_", image->name,
		ossai_image_ending(image->type));
}

static ossa_status write_image(
	ossai_arena *arena, const ossa_image *image, const char *output, ossa_image_names how, const char **written)
{
	char name[OSSAI_PATH_SIZE], stem[256], path[OSSAI_PATH_SIZE];
	ossai_file file;
	*written = NULL;
	ossa_status status = ossai_image_open(arena->context, image, &file);
	if (status == OSSA_ERROR_MEMORY) return status;
	if (status != OSSA_OK) {
		ossai_warn(arena->context, "image-missing", 1, "%s: images cannot be read and are left out, e.g. \"%.128s\"", output,
			image->path);
		return OSSA_OK;
	}
	ossai_output_stem(output, stem);
	if (image->path) snprintf(name, sizeof name, "%s", ossai_file_name(image->path));
	else if (how == OSSA_IMAGE_NAMES_OUTPUT) snprintf(name, sizeof name, "%s%s", image->name, ossai_image_ending(image->type));
	else name_image(image, stem, name);
	const char *place = image->path ? below(output, image->path) : NULL;
	status = place ? OSSA_OK : ossai_write_beside(arena->context, output, name, how, &file, path);
	if (status == OSSA_OK) status = copy_name(arena, place ? place : ossai_file_name(path), written);
	ossai_file_close(arena->context, &file);
	return status;
}

ossa_status ossai_write_images(
	ossai_arena *arena, const ossa_appearance *appearance, const char *output, ossa_image_names how, const char *const **names)
{
	const char **made = ossai_arena_zero(arena, appearance->image_count, sizeof *made);
	uint8_t *is_used = ossai_arena_zero(arena, appearance->image_count, 1);
	*names = made;
	if (!made || !is_used) return ossa_context_error(arena->context)->status;
	find_used(appearance, is_used);
	for (size_t i = 0; i < appearance->image_count; i++) {
		if (is_used[i]) OSSAI_TRY(write_image(arena, &appearance->images[i], output, how, &made[i]));
	}
	return OSSA_OK;
}
