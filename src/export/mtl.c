/* export/mtl.c: the material library (.mtl) beside an OBJ file.

   Place in the path: inside the OBJ writer, before the mesh.
   Input: a mesh with an appearance.
   Output: NAME.mtl, and its images beside it.
   Source: as in import/mesh/mtl_material.c, which reads the same values back: Ns and Ks for
   programs that know no more, Pr and Pm for those that do. */
#include "export/mtl.h"
#include "base/text.h"
#include "export/image_files.h"
#include "export/print.h"
#include "scene/appearance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct library {
	ossai_printer printer;
	ossa_material *materials; /* of the mesh, with the textures that MTL has lines for */
	char (*material_names)[64];
	const char *const *names; /* of image files */
	bool leaves_images;       /* UVs are outside 0 .. 1 */
} library;

/* ---- what has a line ---- */

static bool is_dark(const ossa_material *material)
{
	return material->emission[0] == 0 && material->emission[1] == 0 && material->emission[2] == 0;
}

/* Whether MTL cannot name a texture, whose image would lie beside it in vain: faces have one set of
   UVs. names: of image files, NULL where there is none; or NULL, before they are written. */
static bool is_left_out(const ossa_texture *texture, const char *const *names)
{
	return texture->image != OSSA_NONE && (texture->uv_set > 0 || (names && !names[texture->image]));
}

/* Without the textures that are left out. There is no occlusion, and a map of a black glow would
   shine. Factors of maps say how much there is at most: a whole surface that glows or is metal
   because a map said where is further from the look than one that does neither. */
static void drop_textures(ossa_material *material, const char *const *names)
{
	ossa_texture *const all[] = {&material->base_color_texture, &material->metallic_roughness_texture,
		&material->normal_texture, &material->emission_texture};
	if (is_left_out(&material->metallic_roughness_texture, names)) material->metallic = 0;
	if (is_left_out(&material->emission_texture, names)) memset(material->emission, 0, sizeof material->emission);
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (is_left_out(all[i], names)) all[i]->image = OSSA_NONE;
	}
	material->occlusion_texture.image = OSSA_NONE;
	if (is_dark(material)) material->emission_texture.image = OSSA_NONE;
}

static ossa_status take_materials(ossai_arena *arena, library *to, const ossa_appearance *from)
{
	ossa_material *materials = ossai_arena_new(arena, from->material_count, sizeof *materials);
	if (!materials) return ossa_context_error(arena->context)->status;
	memcpy(materials, from->materials, from->material_count * sizeof *materials);
	for (size_t m = 0; m < from->material_count; m++) drop_textures(&materials[m], NULL);
	to->materials = materials;
	return OSSA_OK;
}

/* ---- materials ---- */

static void print_numbers(library *to, const char *statement, const double *values, size_t count)
{
	ossai_print_text(&to->printer, statement);
	for (size_t i = 0; i < count; i++) {
		ossai_print_char(&to->printer, ' ');
		ossai_print_double(&to->printer, values[i]);
	}
	ossai_print_char(&to->printer, '\n');
}

static void print_number(library *to, const char *statement, double value) { print_numbers(to, statement, &value, 1); }

static const char *file_of(const library *to, const ossa_texture *texture)
{
	return texture->image != OSSA_NONE ? to->names[texture->image] : NULL;
}

static void print_pair(library *to, const char *option, const double pair[2], double last)
{
	const double all[3] = {pair[0], pair[1], last};
	ossai_print_text(&to->printer, option);
	for (int k = 0; k < 3; k++) {
		ossai_print_char(&to->printer, ' ');
		ossai_print_double(&to->printer, all[k]);
	}
}

/* Clamping is written where it shows: three.js and Godot take the option for a part of the name. */
static bool is_clamped(const library *to, const ossa_texture *texture)
{
	const bool is_moved = texture->offset[0] != 0 || texture->offset[1] != 0 || texture->scale[0] != 1 ||
		texture->scale[1] != 1;
	const bool clamps = texture->wraps[0] == OSSA_WRAP_CLAMP && texture->wraps[1] == OSSA_WRAP_CLAMP;
	return clamps && (to->leaves_images || is_moved);
}

/* `statement` may have options of its own */
static void print_map(library *to, const char *statement, const ossa_texture *texture)
{
	const char *file = file_of(to, texture);
	if (!file) return;
	ossai_print_text(&to->printer, statement);
	if (texture->offset[0] != 0 || texture->offset[1] != 0) print_pair(to, " -o", texture->offset, 0);
	if (texture->scale[0] != 1 || texture->scale[1] != 1) print_pair(to, " -s", texture->scale, 1);
	if (is_clamped(to, texture)) ossai_print_text(&to->printer, " -clamp on");
	ossai_print_char(&to->printer, ' ');
	ossai_print_text(&to->printer, file);
	ossai_print_char(&to->printer, '\n');
}

/* "bump" for programs that do not know "norm" */
static void print_normal_map(library *to, const ossa_material *material)
{
	static const char *const statements[] = {"norm", "map_Bump"};
	for (int i = 0; i < 2; i++) {
		if (!file_of(to, &material->normal_texture)) return;
		ossai_print_text(&to->printer, statements[i]);
		if (material->normal_scale != 1) {
			ossai_print_text(&to->printer, " -bm ");
			ossai_print_double(&to->printer, material->normal_scale);
		}
		print_map(to, "", &material->normal_texture);
	}
}

static void print_material(library *to, const char *name, const ossa_material *material)
{
	/* reflects 4 % from in front, as surfaces that are no metal do in glTF */
	static const double specular[3] = {0.5, 0.5, 0.5};
	const double smooth = 1 - material->roughness;
	const bool has_alpha = material->alpha != OSSA_ALPHA_OPAQUE;
	ossai_print_format(&to->printer, "newmtl %s\nillum 2\n", name);
	print_numbers(to, "Kd", material->base_color, 3);
	print_numbers(to, "Ks", specular, 3);
	print_number(to, "Ns", 1000 * smooth * smooth);
	print_number(to, "d", has_alpha ? material->base_color[3] : 1);
	print_number(to, "Pr", material->roughness);
	print_number(to, "Pm", material->metallic);
	if (!is_dark(material)) print_numbers(to, "Ke", material->emission, 3);
	print_map(to, "map_Kd", &material->base_color_texture);
	if (has_alpha) print_map(to, "map_d", &material->base_color_texture);
	print_map(to, "map_Pr -imfchan g", &material->metallic_roughness_texture);
	print_map(to, "map_Pm -imfchan b", &material->metallic_roughness_texture);
	print_map(to, "map_Ke", &material->emission_texture);
	print_normal_map(to, material);
}

/* ---- what is lost ---- */

static bool is_lost(const ossa_texture *texture)
{
	if (texture->image == OSSA_NONE) return false;
	const bool mirrors = texture->wraps[0] == OSSA_WRAP_MIRROR || texture->wraps[1] == OSSA_WRAP_MIRROR;
	return texture->uv_set > 0 || texture->rotation != 0 || mirrors || texture->wraps[0] != texture->wraps[1];
}

static bool is_simplified(const ossa_material *material)
{
	return material->alpha == OSSA_ALPHA_MASK || material->occlusion_texture.image != OSSA_NONE ||
		(is_dark(material) && material->emission_texture.image != OSSA_NONE) || is_lost(&material->base_color_texture) ||
		is_lost(&material->metallic_roughness_texture) || is_lost(&material->normal_texture) ||
		is_lost(&material->emission_texture);
}

static void warn_of_loss(ossa_context *context, const ossa_mesh *mesh, const char *output)
{
	int64_t count = 0;
	size_t first = 0;
	for (size_t m = mesh->material_count; m-- > 0;) {
		if (!is_simplified(&mesh->appearance->materials[m])) continue;
		count++;
		first = m;
	}
	if (count == 0) return;
	ossai_warn(context, "materials-simplified", count,
		"%s: materials have what MTL cannot say, e.g. \"%s\": occlusion, a sharp border of opacity, other UV sets, images of "
		"glows that are black, textures that are turned, mirrored or repeat in one direction alone",
		output, mesh->materials[first]);
}

/* ---- the file ---- */

/* the library that the OBJ file at `output` names before its vertices; "": none, or there is no
   file */
static void find_old(ossa_context *context, const char *output, char name[256])
{
	ossai_file file;
	name[0] = 0;
	if (!ossai_file_exists(context, output) || ossai_file_open(context, output, &file) != OSSA_OK) return;
	ossai_text text = ossai_text_of_file(context, output, file.bytes, file.size);
	for (; !name[0] && !ossai_text_ended(&text); ossai_text_next_line(&text)) {
		ossai_text_blanks(&text);
		const ossai_word word = ossai_text_word(&text);
		if (ossai_word_is(word, "v")) break;
		if (!ossai_word_is(word, "mtllib")) continue;
		const ossai_word rest = ossai_text_rest(&text);
		if (rest.size < 256) snprintf(name, 256, "%.*s", (int)rest.size, rest.bytes);
	}
	ossai_file_close(context, &file);
}

/* "STEM.mtl" or "STEM-2.mtl", as they are named here */
static bool is_own(const char *name, const char *stem)
{
	const size_t length = strlen(stem);
	if (strncmp(name, stem, length) != 0) return false;
	const char *behind = name + length;
	if (*behind == '-') behind += 1 + strspn(behind + 1, "0123456789");
	return strcmp(behind, ".mtl") == 0;
}

static void stem_of(const char *output, const char *whole, char stem[256])
{
	const char *name = ossai_file_name(output), *dot = strrchr(name, '.');
	if (whole) ossai_output_stem(whole, stem);
	else snprintf(stem, 256, "%.*s", (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name);
}

static ossa_status put_file(
	ossa_context *context, const char *output, const char *whole, const ossai_file *bytes, char path[OSSAI_PATH_SIZE])
{
	char stem[256], old[256], name[264];
	stem_of(output, whole, stem);
	snprintf(name, sizeof name, "%s.mtl", stem);
	find_old(context, output, old);
	if (!is_own(old, stem)) return ossai_write_beside(context, output, name, OSSA_IMAGE_NAMES_KEEP, bytes, path);
	const int length = snprintf(path, OSSAI_PATH_SIZE, "%.*s%s", (int)(ossai_file_name(output) - output), output, old);
	/* others of one batch have written it already */
	const bool is_new = length < OSSAI_PATH_SIZE && ossai_batch_has(context, path);
	if (is_new) return ossai_write_beside(context, output, old, OSSA_IMAGE_NAMES_KEEP, bytes, path);
	return ossai_write_whole(context, path, bytes);
}

static bool leaves_images(const ossa_mesh *mesh)
{
	for (size_t i = 0; i < 2 * mesh->texcoord_count; i++) {
		if (!(mesh->texcoords[i] >= 0 && mesh->texcoords[i] <= 1)) return true;
	}
	return false;
}

static void print_library(library *to, const ossa_mesh *mesh, FILE *stream)
{
	ossai_print_begin(&to->printer, stream);
	ossai_print_text(&to->printer, "# made by ossa\n");
	for (size_t m = 0; m < mesh->material_count; m++) print_material(to, to->material_names[m], &to->materials[m]);
	ossai_print_end(&to->printer);
}

static ossa_status write_library(library *to, ossa_context *context, const ossa_mesh *mesh, const char *output,
	const char *whole, char path[OSSAI_PATH_SIZE])
{
	char *text = NULL;
	size_t size = 0;
	to->leaves_images = leaves_images(mesh);
	FILE *stream = open_memstream(&text, &size);
	if (stream) print_library(to, mesh, stream);
	/* only memory can be short */
	const bool is_whole = stream && fclose(stream) == 0;
	const ossai_file bytes = {.bytes = (const uint8_t *)text, .size = size, .is_lent = true};
	const ossa_status status = is_whole ? put_file(context, output, whole, &bytes, path)
										: ossai_fail(context, OSSA_ERROR_MEMORY, NULL, "out of memory");
	free(text);
	return status;
}

ossa_status ossai_mtl_write(ossa_context *context, const ossa_mesh *mesh, const char *output, const char *whole,
	ossa_image_names images, char (*names)[64], char path[OSSAI_PATH_SIZE])
{
	ossai_arena arena = ossai_arena_begin(context);
	library *to = ossai_arena_new(&arena, 1, sizeof *to);
	ossa_status status = to ? take_materials(&arena, to, mesh->appearance) : ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		to->material_names = names;
		ossa_appearance named = *mesh->appearance;
		named.materials = to->materials;
		status = ossai_write_images(&arena, &named, whole ? whole : output, images, &to->names);
	}
	/* images that cannot be read have no files */
	for (size_t m = 0; status == OSSA_OK && m < mesh->material_count; m++) drop_textures(&to->materials[m], to->names);
	if (status == OSSA_OK) status = write_library(to, context, mesh, output, whole, path);
	if (status == OSSA_OK) warn_of_loss(context, mesh, whole ? whole : output);
	ossai_arena_end(&arena);
	return status;
}
