/* import/collada/collada_materials.c: materials and images: see collada.h.

   Place in the path: before the meshes, which refer to materials.
   Input: <material>, the profile_COMMON of its <effect>, <image>.
   Output: the asset's appearance, a row for each <material>, which elements.first_of gives.
   Numbers that are none are as if they were not there: how a surface looks is no reason to refuse a
   mesh. Files of ossa have what Collada has no words for in <extra type="ossa">.
   Source: COLLADA digital asset schema 1.4.1 and 1.5.0, "Determining transparency"; FCOLLADA's
   <bump>; Maya's <repeatU>, <offsetU>; Google Earth's and 3ds Max's <double_sided>. */
#include "import/collada/collada.h"
#include "base/uri.h"
#include "scene/appearance.h"

#include <math.h>
#include <string.h>

/* the exponent at which a surface is a mirror: Blender's conversion */
static const double largest_exponent = 100;

static const double degree = 0.017453292519943295;

typedef struct materials {
	ossai_dae *c;
	ossai_appearance *appearance;
	/* of the material being read */
	uint32_t profile, effect;
	ossa_material *material;
	ossai_dae_channel *channels; /* by texture */
	uint32_t *image_of;          /* by element: number of its image + 1; 0: none is known */
} materials;

enum { BASE_COLOR, EMISSION, NORMAL, METALLIC_ROUGHNESS, OCCLUSION };

static ossa_texture *texture_at(ossa_material *material, size_t index)
{
	ossa_texture *const all[OSSAI_DAE_TEXTURES] = {[BASE_COLOR] = &material->base_color_texture,
		[EMISSION] = &material->emission_texture,
		[NORMAL] = &material->normal_texture,
		[METALLIC_ROUGHNESS] = &material->metallic_roughness_texture,
		[OCCLUSION] = &material->occlusion_texture};
	return all[index];
}

/* ---- numbers ---- */

/* up to `count` finite numbers; how many there are */
static size_t numbers_of(const ossai_dae *c, uint32_t element, size_t count, double *values)
{
	size_t found = 0;
	ossai_text text = ossai_xml_cursor(&c->xml, element);
	if (element == OSSA_NONE) return 0;
	for (; found < count; found++) {
		double value;
		ossai_text_space(&text, 0);
		if (ossai_text_ended(&text) || ossai_text_double(&text, &value) != OSSAI_NUMBER_OK) break;
		values[found] = fmin(fmax(value, -OSSAI_MATERIAL_MOST), OSSAI_MATERIAL_MOST);
	}
	return found;
}

/* leaves what is there where the element has fewer numbers */
static bool take_numbers(const ossai_dae *c, uint32_t element, size_t count, double *values)
{
	double found[4];
	if (numbers_of(c, element, count, found) < count) return false;
	memcpy(values, found, count * sizeof *values);
	return true;
}

static double within_one(double value) { return fmin(fmax(value, 0), 1); }

/* ---- images ---- */

/* A path beside the file, as URI, or as a path of another machine, whose last part counts. */
static ossa_status add_image(const materials *all, uint32_t element, uint32_t *image)
{
	ossai_dae *c = all->c;
	char name[OSSAI_PATH_SIZE];
	const uint32_t from = ossai_xml_child(&c->xml, element, "init_from"), ref = ossai_xml_child(&c->xml, from, "ref");
	const ossai_word word = ossai_xml_trimmed(&c->xml, ref == OSSA_NONE ? from : ref);
	*image = OSSA_NONE;
	if (word.size == 0 || word.size >= sizeof name) return OSSA_OK;
	name[ossai_decode_percent(word.bytes, word.size, name)] = 0;
	return ossai_appearance_add_file(all->appearance, c->source->path, name, true, image);
}

static ossa_status find_image(const materials *all, uint32_t element, uint32_t *image)
{
	*image = OSSA_NONE;
	if (element == OSSA_NONE) return OSSA_OK;
	uint32_t *known = &all->image_of[element];
	if (*known == 0) {
		OSSAI_TRY(add_image(all, element, image));
		*known = *image + 1;
	} else *image = *known - 1;
	return OSSA_OK;
}

/* ---- textures ---- */

/* the <newparam> of that sid, of the profile, its technique or the effect */
static uint32_t find_parameter(const materials *all, ossai_word sid)
{
	const ossai_xml *xml = &all->c->xml;
	const uint32_t places[] = {ossai_xml_child(xml, all->profile, "technique"), all->profile, all->effect};
	for (size_t i = 0; i < 3; i++) {
		for (uint32_t p = ossai_xml_child(xml, places[i], "newparam"); p != OSSA_NONE; p = ossai_xml_next(xml, p, "newparam")) {
			if (ossai_words_are_same(ossai_xml_attribute_of(xml, p, "sid"), sid)) return p;
		}
	}
	return OSSA_NONE;
}

/* the image of a sampler: its own in 1.5, its surface's in 1.4.1 */
static uint32_t image_of_sampler(const materials *all, uint32_t sampler)
{
	ossai_dae *c = all->c;
	const uint32_t instance = ossai_xml_child(&c->xml, sampler, "instance_image");
	if (instance != OSSA_NONE) return ossai_dae_target(c, instance, "url", "image");
	const ossai_word source = ossai_xml_trimmed(&c->xml, ossai_xml_child(&c->xml, sampler, "source"));
	const uint32_t surface = ossai_xml_at(&c->xml, find_parameter(all, source), "surface/init_from");
	return ossai_dae_resolve(c, ossai_xml_trimmed(&c->xml, surface), "image", OSSA_NONE);
}

/* an element of any technique of any <extra> directly inside */
static uint32_t find_extra(const ossai_xml *xml, uint32_t element, const char *name)
{
	for (uint32_t e = ossai_xml_child(xml, element, "extra"); e != OSSA_NONE; e = ossai_xml_next(xml, e, "extra")) {
		for (uint32_t t = ossai_xml_child(xml, e, "technique"); t != OSSA_NONE; t = ossai_xml_next(xml, t, "technique")) {
			const uint32_t found = ossai_xml_child(xml, t, name);
			if (found != OSSA_NONE) return found;
		}
	}
	return OSSA_NONE;
}

static bool is_one_of(ossai_word word, const char *a, const char *b)
{
	return ossai_word_is(word, a) || ossai_word_is(word, b);
}

/* Maya's words, else the sampler's, which several textures may share */
static ossa_wrap wrap_of(const ossai_xml *xml, uint32_t sampler, uint32_t element, int axis)
{
	static const char *const names[2][3] = {{"wrap_s", "wrapU", "mirrorU"}, {"wrap_t", "wrapV", "mirrorV"}};
	const ossai_word word = ossai_xml_trimmed(xml, ossai_xml_child(xml, sampler, names[axis][0]));
	const ossai_word wraps = ossai_xml_trimmed(xml, find_extra(xml, element, names[axis][1]));
	const ossai_word mirrors = ossai_xml_trimmed(xml, find_extra(xml, element, names[axis][2]));
	if (is_one_of(wraps, "FALSE", "0")) return OSSA_WRAP_CLAMP;
	if (is_one_of(mirrors, "TRUE", "1")) return OSSA_WRAP_MIRROR;
	if (wraps.size > 0) return OSSA_WRAP_REPEAT;
	if (ossai_word_is(word, "MIRROR")) return OSSA_WRAP_MIRROR;
	return is_one_of(word, "CLAMP", "BORDER") ? OSSA_WRAP_CLAMP : OSSA_WRAP_REPEAT;
}

static void read_placement(const ossai_dae *c, uint32_t element, ossa_texture *texture)
{
	static const char *const scales[] = {"repeatU", "repeatV"}, *const offsets[] = {"offsetU", "offsetV"};
	double degrees = 0;
	for (size_t k = 0; k < 2; k++) {
		take_numbers(c, find_extra(&c->xml, element, scales[k]), 1, &texture->scale[k]);
		take_numbers(c, find_extra(&c->xml, element, offsets[k]), 1, &texture->offset[k]);
	}
	take_numbers(c, ossai_dae_own(c, element, "uv_scale"), 2, texture->scale);
	take_numbers(c, ossai_dae_own(c, element, "uv_offset"), 2, texture->offset);
	take_numbers(c, ossai_dae_own(c, element, "uv_rotation"), 1, &degrees);
	texture->rotation = degrees * degree;
}

/* `holder` has a <texture>; some writers name the image itself in place of a sampler */
static ossa_status read_texture(const materials *all, uint32_t holder, size_t index)
{
	ossai_dae *c = all->c;
	ossa_texture *texture = texture_at(all->material, index);
	const uint32_t element = ossai_xml_child(&c->xml, holder, "texture");
	if (element == OSSA_NONE) return OSSA_OK;
	const ossai_word name = ossai_xml_attribute_of(&c->xml, element, "texture");
	const uint32_t sampler = ossai_xml_child(&c->xml, find_parameter(all, name), "sampler2D");
	const uint32_t image = sampler == OSSA_NONE ? ossai_dae_resolve(c, name, "image", OSSA_NONE)
												: image_of_sampler(all, sampler);
	OSSAI_TRY(find_image(all, image, &texture->image));
	for (int axis = 0; axis < 2; axis++) texture->wraps[axis] = wrap_of(&c->xml, sampler, element, axis);
	read_placement(c, element, texture);
	all->channels[index].name = ossai_xml_attribute_of(&c->xml, element, "texcoord");
	return OSSA_OK;
}

/* the set that an instance of a material calls a channel, as <input> numbers it; -1: none */
static int64_t set_of_channel(const ossai_dae *c, uint32_t instance, ossai_word channel)
{
	static const char element[] = "bind_vertex_input";
	for (uint32_t b = ossai_xml_child(&c->xml, instance, element); b != OSSA_NONE; b = ossai_xml_next(&c->xml, b, element)) {
		if (!ossai_words_are_same(ossai_xml_attribute_of(&c->xml, b, "semantic"), channel)) continue;
		if (!ossai_word_is(ossai_xml_attribute_of(&c->xml, b, "input_semantic"), "TEXCOORD")) continue;
		const double set = ossai_dae_number(c, b, "input_set", 0);
		if (set >= 0 && set <= INT32_MAX) return (int64_t)set;
	}
	return -1;
}

void ossai_dae_bind_channels(ossai_dae *c, uint32_t row, uint32_t instance, size_t count, const int64_t *sets)
{
	for (size_t i = 0; i < OSSAI_DAE_TEXTURES; i++) {
		ossai_dae_channel *channel = &c->channels[row][i];
		uint32_t *own = &texture_at(&c->asset->appearance->materials[row], i)->uv_set;
		const int64_t bound = channel->name.size > 0 ? set_of_channel(c, instance, channel->name) : -1;
		size_t set = 0;
		while (set < count && sets[set] != bound) set++;
		if (bound < 0 || set == count) continue;
		if (channel->is_bound) channel->differs = channel->differs || *own != set;
		else *own = (uint32_t)set;
		channel->is_bound = true;
	}
}

void ossai_dae_warn_of_channels(const ossai_dae *c)
{
	int64_t differing = 0;
	for (size_t row = 0; row < c->channel_count; row++) {
		for (size_t i = 0; i < OSSAI_DAE_TEXTURES; i++) differing += c->channels[row][i].differs;
	}
	if (differing == 0) return;
	ossai_warn(c->context, "texture-sets", differing,
		"%s: materials have textures on other sets of UVs in other meshes; those of the first mesh are taken in all",
		c->source->path);
}

/* ---- common effects ---- */

/* a colour, or a texture, which is multiplied with white */
static ossa_status read_color(
	const materials *all, uint32_t shader, const char *name, double *color, size_t count, size_t texture)
{
	const uint32_t element = ossai_xml_child(&all->c->xml, shader, name);
	OSSAI_TRY(read_texture(all, element, texture));
	if (ossai_xml_child(&all->c->xml, element, "texture") != OSSA_NONE) {
		for (size_t k = 0; k < count; k++) color[k] = 1;
	}
	take_numbers(all->c, ossai_xml_child(&all->c->xml, element, "color"), count, color);
	return OSSA_OK;
}

/* How much of the surface is seen. What would be wholly invisible comes from writers that had the
   meaning reversed, and is opaque. */
static void read_transparency(const ossai_dae *c, uint32_t shader, ossa_material *material)
{
	const uint32_t element = ossai_xml_child(&c->xml, shader, "transparent");
	const ossai_word mode = ossai_xml_attribute_of(&c->xml, element, "opaque");
	double factor = 1, color[4] = {1, 1, 1, 1};
	const bool is_textured = ossai_xml_child(&c->xml, element, "texture") != OSSA_NONE;
	const bool there = take_numbers(c, ossai_xml_at(&c->xml, shader, "transparency/float"), 1, &factor) || is_textured;
	if (!take_numbers(c, ossai_xml_child(&c->xml, element, "color"), 4, color) && !there) return;
	const bool by_color = ossai_word_is(mode, "RGB_ZERO") || ossai_word_is(mode, "RGB_ONE");
	const bool is_zero = ossai_word_is(mode, "RGB_ZERO") || ossai_word_is(mode, "A_ZERO");
	const double luminance = 0.212671 * color[0] + 0.715160 * color[1] + 0.072169 * color[2];
	const double amount = factor * (by_color ? luminance : color[3]), seen = within_one(is_zero ? 1 - amount : amount);
	material->base_color[3] = seen > 0 ? seen : 1;
	if (is_textured || material->base_color[3] < 1) material->alpha = OSSA_ALPHA_BLEND;
}

/* Maya gives all materials half a reflection, of black */
static void read_metallic(const ossai_dae *c, uint32_t shader, ossa_material *material)
{
	double color[4] = {1, 1, 1, 1}, value = 0;
	take_numbers(c, ossai_xml_at(&c->xml, shader, "reflective/color"), 4, color);
	take_numbers(c, ossai_xml_at(&c->xml, shader, "reflectivity/float"), 1, &value);
	if (color[0] + color[1] + color[2] > 0) material->metallic = within_one(value);
}

/* exponents up to 1 are of programs that count otherwise */
static void read_roughness(const ossai_dae *c, uint32_t shader, ossa_material *material)
{
	double value = 0;
	take_numbers(c, ossai_xml_at(&c->xml, shader, "shininess/float"), 1, &value);
	if (value > 1) material->roughness = 1 - sqrt(fmin(value, largest_exponent) / largest_exponent);
}

static uint32_t shader_of(const ossai_xml *xml, uint32_t technique)
{
	static const char *const names[] = {"phong", "blinn", "lambert", "constant"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const uint32_t shader = ossai_xml_child(xml, technique, names[i]);
		if (shader != OSSA_NONE) return shader;
	}
	return OSSA_NONE;
}

static ossa_status read_common(const materials *all)
{
	ossai_dae *c = all->c;
	ossa_material *material = all->material;
	const uint32_t technique = ossai_xml_child(&c->xml, all->profile, "technique"), shader = shader_of(&c->xml, technique);
	if (shader == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(read_color(all, shader, "diffuse", material->base_color, 4, BASE_COLOR));
	OSSAI_TRY(read_color(all, shader, "emission", material->emission, 3, EMISSION));
	material->base_color[3] = 1;
	read_transparency(c, shader, material);
	read_metallic(c, shader, material);
	read_roughness(c, shader, material);
	const uint32_t bump = find_extra(&c->xml, technique, "bump");
	if (!ossai_word_is(ossai_xml_attribute_of(&c->xml, bump, "bumptype"), "NORMALMAP")) return OSSA_OK;
	return read_texture(all, bump, NORMAL);
}

/* ---- ossa's own words ---- */

static ossa_status read_own(const materials *all)
{
	const ossai_dae *c = all->c;
	ossa_material *material = all->material;
	const struct {
		const char *name;
		double *values;
		size_t count;
	} numbers[] = {{"base_color", material->base_color, 4}, {"emission", material->emission, 3},
		{"metallic", &material->metallic, 1}, {"roughness", &material->roughness, 1},
		{"normal_scale", &material->normal_scale, 1}, {"occlusion_strength", &material->occlusion_strength, 1},
		{"alpha_cutoff", &material->alpha_cutoff, 1}};
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		take_numbers(c, ossai_dae_own(c, all->profile, numbers[i].name), numbers[i].count, numbers[i].values);
	const ossai_word alpha = ossai_xml_trimmed(&c->xml, ossai_dae_own(c, all->profile, "alpha"));
	if (ossai_word_is(alpha, "opaque")) material->alpha = OSSA_ALPHA_OPAQUE;
	if (ossai_word_is(alpha, "mask")) material->alpha = OSSA_ALPHA_MASK;
	if (ossai_word_is(alpha, "blend")) material->alpha = OSSA_ALPHA_BLEND;
	OSSAI_TRY(read_texture(all, ossai_dae_own(c, all->profile, "dark_emission"), EMISSION));
	OSSAI_TRY(read_texture(all, ossai_dae_own(c, all->profile, "occlusion"), OCCLUSION));
	return read_texture(all, ossai_dae_own(c, all->profile, "metallic_roughness"), METALLIC_ROUGHNESS);
}

static void read_sides(const materials *all)
{
	const uint32_t places[] = {all->profile, all->effect, ossai_xml_child(&all->c->xml, all->profile, "technique")};
	double value = 1;
	for (size_t i = 0; i < 3; i++) {
		if (take_numbers(all->c, find_extra(&all->c->xml, places[i], "double_sided"), 1, &value)) break;
	}
	all->material->double_sided = value != 0;
}

/* ---- all materials ---- */

static ossa_status read_material(materials *all, uint32_t element)
{
	ossai_dae *c = all->c;
	const uint32_t instance = ossai_xml_child(&c->xml, element, "instance_effect"), own = c->elements.first_of[element];
	all->effect = ossai_dae_target(c, instance, "url", "effect");
	all->profile = ossai_xml_child(&c->xml, all->effect, "profile_COMMON");
	all->material = &all->appearance->materials[own];
	all->channels = c->channels[own];
	if (all->profile == OSSA_NONE) return OSSA_OK;
	/* materials that share an effect look the same */
	uint32_t *row = &c->elements.first_of[all->effect];
	if (*row != OSSA_NONE) {
		*all->material = all->appearance->materials[*row];
		memcpy(all->channels, c->channels[*row], sizeof c->channels[own]);
		return OSSA_OK;
	}
	*row = own;
	OSSAI_TRY(read_common(all));
	read_sides(all);
	return read_own(all);
}

/* the next <material> from an element on */
static uint32_t next_material(const ossai_xml *xml, uint32_t from)
{
	while (from < xml->element_count && !ossai_xml_is(xml, from, "material")) from++;
	return from;
}

ossa_status ossai_dae_materials(ossai_dae *c)
{
	materials all = {.c = c};
	const uint32_t end = (uint32_t)c->xml.element_count;
	uint32_t count = 0;
	for (uint32_t e = next_material(&c->xml, 0); e < end; e = next_material(&c->xml, e + 1)) c->elements.first_of[e] = count++;
	if (count == 0) return OSSA_OK;
	all.appearance = c->asset->appearance = ossai_appearance_new(c->context, count);
	all.image_of = ossai_arena_zero(&c->arena, end, sizeof *all.image_of);
	c->channels = ossai_arena_zero(&c->arena, count, sizeof *c->channels);
	if (!all.appearance || !all.image_of || !c->channels) return ossai_dae_lost(c);
	c->channel_count = count;
	for (uint32_t e = next_material(&c->xml, 0); e < end; e = next_material(&c->xml, e + 1)) OSSAI_TRY(read_material(&all, e));
	return OSSA_OK;
}
