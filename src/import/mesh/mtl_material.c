/* import/mesh/mtl_material.c: one material of a material library, converted to ours.

   Place in the path: inside the reader of material libraries.
   Input: statements.
   Output: an ossa_material with its textures.
   Source: Wavefront Technologies, Advanced Visualizer manual, appendix B2 (Material Library Files);
   "Physically-based rendering extension to MTL" (Exocortex) for Pr, Pm and norm. Where these leave
   choices, or no program follows them, we do what Blender's OBJ importer does, whose exporter most
   of today's files are from: colours are linear, roughness = 1 - sqrt(Ns / 1000), and "bump" is a
   normal map. We depart from it where a map has Kd beside it, by which the manual multiplies. */
#include "import/mesh/mtl_material.h"
#include "base/uri.h"
#include "scene/appearance.h"
#include "scene/image_header.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* the exponent at which a surface is a mirror */
static const double largest_exponent = 1000;

/* ---- statements ---- */

static bool is_word(ossai_word word, const char *expected)
{
	return word.size == strlen(expected) && strncasecmp(word.bytes, expected, word.size) == 0;
}

/* the next word as a number; false, with the cursor where it was, where it is none */
static bool read_number(ossai_text *text, double *value)
{
	ossai_text_blanks(text);
	const char *const before = text->at;
	double number;
	const bool is_number = ossai_text_double(text, &number) == OSSAI_NUMBER_OK &&
		(ossai_text_ended(text) || ossai_is_blank(*text->at) || ossai_is_line_end(*text->at));
	if (is_number) *value = number;
	else text->at = before;
	return is_number;
}

/* "r g b", or "r" for a gray; spectral curves and CIE XYZ are passed over */
static void read_color(ossai_text *text, double color[3])
{
	double read[3];
	if (!read_number(text, &read[0])) return;
	if (!read_number(text, &read[1]) || !read_number(text, &read[2])) read[1] = read[2] = read[0];
	for (int k = 0; k < 3; k++) color[k] = fmax(0, read[k]);
}

static void read_factor(ossai_text *text, double *factor)
{
	double value;
	if (read_number(text, &value)) *factor = fmin(fmax(value, 0), 1);
}

/* "d 0.5", "d -halo 0.5" */
static void read_opacity(ossai_text *text, double *opacity)
{
	const char *const before = text->at;
	ossai_text_blanks(text);
	if (!is_word(ossai_text_word(text), "-halo")) text->at = before;
	read_factor(text, opacity);
}

/* options of texture statements, with how many words follow them; the first two have up to three
   numbers */
static const struct {
	const char *name;
	int words;
} options[] = {{"-o", 0}, {"-s", 0}, {"-t", 0}, {"-bm", 1}, {"-clamp", 1}, {"-imfchan", 1}, {"-blendu", 1}, {"-blendv", 1},
	{"-boost", 1}, {"-cc", 1}, {"-mm", 2}, {"-texres", 1}, {"-type", 1}, {"-colorspace", 1}};
enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* the first two of up to three numbers; those that are not there stay */
static void read_pair(ossai_text *text, double pair[2])
{
	double third;
	if (read_number(text, &pair[0]) && read_number(text, &pair[1])) read_number(text, &third);
}

static void read_option(ossai_text *text, size_t option, ossai_mtl_map *map)
{
	double ignored[2];
	const char *name = options[option].name;
	if (strcmp(name, "-o") == 0) read_pair(text, map->texture.offset);
	else if (strcmp(name, "-s") == 0) read_pair(text, map->texture.scale);
	else if (strcmp(name, "-t") == 0) read_pair(text, ignored);
	else if (strcmp(name, "-bm") == 0) read_number(text, &map->bump);
	else {
		ossai_text_blanks(text);
		const ossai_word value = ossai_text_word(text);
		const ossa_wrap wrap = is_word(value, "on") ? OSSA_WRAP_CLAMP : OSSA_WRAP_REPEAT;
		if (strcmp(name, "-clamp") == 0) map->texture.wraps[0] = map->texture.wraps[1] = wrap;
		for (int i = 1; i < options[option].words; i++) {
			ossai_text_blanks(text);
			ossai_text_word(text);
		}
	}
}

/* options, then the rest of the line: names have spaces */
static void read_map(ossai_text *text, ossai_mtl_map *map)
{
	*map = (ossai_mtl_map){.texture = ossai_texture_of(OSSA_NONE), .bump = 1};
	for (size_t option = 0; option < OPTION_COUNT;) {
		ossai_text_blanks(text);
		const char *const before = text->at;
		const ossai_word word = ossai_text_word(text);
		for (option = 0; option < OPTION_COUNT && !is_word(word, options[option].name);) option++;
		if (option < OPTION_COUNT) read_option(text, option, map);
		else text->at = before;
	}
	map->name = ossai_text_rest(text);
}

static ossai_mtl_use use_of(ossai_word word)
{
	static const struct {
		const char *name;
		ossai_mtl_use use;
	} statements[] = {{"map_Kd", OSSAI_MTL_COLOR}, {"map_d", OSSAI_MTL_OPACITY}, {"map_Ke", OSSAI_MTL_EMISSION},
		{"map_Pr", OSSAI_MTL_ROUGHNESS}, {"map_Pm", OSSAI_MTL_METALLIC}, {"norm", OSSAI_MTL_NORMAL},
		{"map_bump", OSSAI_MTL_BUMP}, {"bump", OSSAI_MTL_BUMP}, {"map_Ks", OSSAI_MTL_OTHER}, {"map_Ns", OSSAI_MTL_OTHER},
		{"map_Tr", OSSAI_MTL_OTHER}, {"disp", OSSAI_MTL_OTHER}, {"decal", OSSAI_MTL_OTHER}, {"refl", OSSAI_MTL_OTHER}};
	for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
		if (is_word(word, statements[i].name)) return statements[i].use;
	}
	return OSSAI_MTL_USES;
}

ossai_mtl_material ossai_mtl_material_begin(void)
{
	return (ossai_mtl_material){.diffuse = {-1, -1, -1},
		.specular = {-1, -1, -1},
		.opacity = -1,
		.transparency = -1,
		.exponent = -1,
		.roughness = -1,
		.metallic = -1};
}

void ossai_mtl_material_take(ossai_mtl_material *material, ossai_word word, ossai_text *text)
{
	if (is_word(word, "Kd")) read_color(text, material->diffuse);
	else if (is_word(word, "Ks")) read_color(text, material->specular);
	else if (is_word(word, "Ke")) read_color(text, material->emission);
	else if (is_word(word, "Ns")) read_number(text, &material->exponent);
	else if (is_word(word, "Pr")) read_factor(text, &material->roughness);
	else if (is_word(word, "Pm")) read_factor(text, &material->metallic);
	else if (is_word(word, "d")) read_opacity(text, &material->opacity);
	else if (is_word(word, "Tr")) read_factor(text, &material->transparency);
	else if (use_of(word) < OSSAI_MTL_USES) read_map(text, &material->maps[use_of(word)]);
}

/* ---- textures ---- */

typedef struct conversion {
	const ossai_mtl_material *from;
	ossai_appearance *appearance;
	const char *path;
	ossa_material *to;
	int64_t left_out; /* textures that there is no place for */
} conversion;

static ossa_status find_texture(const conversion *job, ossai_mtl_use use, ossa_texture *texture)
{
	const ossai_mtl_map *map = &job->from->maps[use];
	char name[OSSAI_PATH_SIZE];
	*texture = ossai_texture_of(OSSA_NONE);
	if (map->name.size == 0) return OSSA_OK;
	snprintf(
		name, sizeof name, "%.*s", (int)(map->name.size < sizeof name ? map->name.size : sizeof name - 1), map->name.bytes);
	*texture = map->texture;
	return ossai_appearance_add_file(job->appearance, job->path, name, true, &texture->image);
}

/* an image in shades of gray shows heights, as the manual means it */
static bool shows_heights(const conversion *job, uint32_t image)
{
	ossai_file file;
	ossai_image_header header;
	ossa_context *context = job->appearance->context;
	if (ossai_image_open(context, &job->appearance->images[image], &file) != OSSA_OK) return false;
	const bool is_gray = ossai_image_header_read(file.bytes, file.size, &header) && header.is_gray;
	ossai_file_close(context, &file);
	return is_gray;
}

static ossa_status convert_normals(conversion *job)
{
	const ossai_mtl_material *from = job->from;
	ossa_texture bump;
	OSSAI_TRY(find_texture(job, OSSAI_MTL_NORMAL, &job->to->normal_texture));
	job->to->normal_scale = from->maps[OSSAI_MTL_NORMAL].name.size > 0 ? from->maps[OSSAI_MTL_NORMAL].bump : 1;
	if (job->to->normal_texture.image != OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(find_texture(job, OSSAI_MTL_BUMP, &bump));
	if (bump.image == OSSA_NONE) return OSSA_OK;
	if (shows_heights(job, bump.image)) {
		job->left_out++;
		return OSSA_OK;
	}
	job->to->normal_texture = bump;
	job->to->normal_scale = from->maps[OSSAI_MTL_BUMP].bump;
	return OSSA_OK;
}

/* One image holds both in glTF's channels; gray images of one of the two do, too, where the other
   one is a factor that leaves it: roughness where there is no metal. Two images would have to be
   merged. */
static ossa_status convert_roughness(conversion *job)
{
	ossa_texture rough, metal, *both = &job->to->metallic_roughness_texture;
	OSSAI_TRY(find_texture(job, OSSAI_MTL_ROUGHNESS, &rough));
	OSSAI_TRY(find_texture(job, OSSAI_MTL_METALLIC, &metal));
	const bool is_one = rough.image == metal.image && rough.image != OSSA_NONE;
	if (is_one || (rough.image != OSSA_NONE && job->to->metallic == 0)) *both = rough;
	else job->left_out += rough.image != OSSA_NONE;
	if (!is_one) job->left_out += metal.image != OSSA_NONE;
	/* a factor that is not said leaves the texture as it is */
	if (both->image != OSSA_NONE && job->from->roughness < 0) job->to->roughness = 1;
	if (is_one && job->from->metallic < 0) job->to->metallic = 1;
	return OSSA_OK;
}

static bool is_black(const double color[3]) { return color[0] <= 0 && color[1] <= 0 && color[2] <= 0; }

static void set_color(double color[3], double value) { color[0] = color[1] = color[2] = value; }

/* the opacity of a texture is in its own alpha, and only there */
static ossa_status convert_textures(conversion *job)
{
	ossa_material *to = job->to;
	ossa_texture opacity;
	OSSAI_TRY(find_texture(job, OSSAI_MTL_COLOR, &to->base_color_texture));
	OSSAI_TRY(find_texture(job, OSSAI_MTL_OPACITY, &opacity));
	OSSAI_TRY(find_texture(job, OSSAI_MTL_EMISSION, &to->emission_texture));
	/* programs that mean the map alone write black beside it */
	if (to->base_color_texture.image != OSSA_NONE && is_black(to->base_color)) set_color(to->base_color, 1);
	if (to->emission_texture.image != OSSA_NONE && is_black(to->emission)) set_color(to->emission, 1);
	if (opacity.image != OSSA_NONE && opacity.image == to->base_color_texture.image) to->alpha = OSSA_ALPHA_BLEND;
	else job->left_out += opacity.image != OSSA_NONE;
	job->left_out += job->from->maps[OSSAI_MTL_OTHER].name.size > 0;
	OSSAI_TRY(convert_normals(job));
	return convert_roughness(job);
}

/* ---- numbers ---- */

static double roughness_of(const ossai_mtl_material *from, double fallback)
{
	if (from->roughness >= 0) return from->roughness;
	/* without highlights nothing is as near as the widest */
	if (from->specular[0] >= 0 && is_black(from->specular)) return 1;
	if (from->exponent < 0) return fallback;
	return 1 - sqrt(fmin(from->exponent, largest_exponent) / largest_exponent);
}

static void convert_numbers(conversion *job)
{
	const ossai_mtl_material *from = job->from;
	ossa_material *to = job->to;
	*to = ossa_material_default();
	/* no surface reflects more than all light; what glows may be brighter */
	for (int k = 0; k < 3 && from->diffuse[0] >= 0; k++) to->base_color[k] = fmin(from->diffuse[k], 1);
	for (int k = 0; k < 3; k++) to->emission[k] = fmin(from->emission[k], OSSAI_MATERIAL_MOST);
	to->roughness = roughness_of(from, to->roughness);
	to->metallic = fmax(from->metallic, 0);
	/* of the two the manual has "d" alone */
	if (from->opacity >= 0) to->base_color[3] = from->opacity;
	else if (from->transparency >= 0) to->base_color[3] = 1 - from->transparency;
	if (to->base_color[3] < 1) to->alpha = OSSA_ALPHA_BLEND;
}

ossa_status ossai_mtl_material_end(
	const ossai_mtl_material *material, ossai_appearance *appearance, const char *path, ossa_material *converted)
{
	conversion job = {.from = material, .appearance = appearance, .path = path, .to = converted};
	convert_numbers(&job);
	OSSAI_TRY(convert_textures(&job));
	if (job.left_out > 0) {
		ossai_warn(appearance->context, "textures-left-out", job.left_out,
			"%s: textures for which there is no place are left out: highlights, heights, opacity apart from the colour, "
			"roughness apart from metal",
			path);
	}
	return OSSA_OK;
}
