/* import/fbx/fbx_weights_read.c: models, channels of blend shapes, UV sets and connections of FBX
   files, binary and ASCII: see fbx_weights.h.

   Place in the path: inside fbx_weights.c.
   Input: bytes that fbx_guard.c has passed.
   Output: what is asked for, counted or listed. */
#include "import/fbx/fbx_weights.h"

#include <math.h>
#include <string.h>

enum { HEAD_SIZE = 27, WIDE_FROM = 7500 };

/* ---- what both kinds of files say ---- */

static void add_link(ossai_fbx_weigher *w, int64_t child, int64_t parent)
{
	if (!w->is_counting) w->links[w->link_count] = (ossai_fbx_link){child, parent, w->link_count};
	w->link_count++;
}

static void add_model(ossai_fbx_weigher *w, int64_t id, ossai_word name)
{
	if (!w->is_counting) w->models[w->model_count] = (ossai_fbx_model){id, name};
	w->model_count++;
}

static void add_channel(ossai_fbx_weigher *w, const ossai_fbx_channel *channel)
{
	if (channel->percent == 0 || !isfinite(channel->percent)) return;
	if (!w->is_counting) {
		ossai_fbx_channel *to = &w->weights->channels[w->weights->channel_count];
		*to = *channel;
		to->number = w->weights->channel_count;
	}
	w->weights->channel_count++;
}

static void add_uv(ossai_fbx_weigher *w, int64_t geometry, int64_t set, ossai_word name)
{
	ossai_fbx_weights *weights = w->weights;
	if (name.size == 0) return;
	if (!w->is_counting) weights->uvs[weights->uv_count] = (ossai_fbx_uv){geometry, set, weights->uv_count, name};
	weights->uv_count++;
}

/* A property with the flag U is a user's, with H it is hidden. Programs add some of their own, and
   3ds Max has one for all that is typed into its field, which is mostly empty. */
static bool is_custom(ossai_word name, ossai_word flags, ossai_word value)
{
	static const char *const programs_own[] = {"currentUVSet", "lockInfluenceWeights", "liw", "filmboxTypeID"};
	if (flags.size == 0 || !memchr(flags.bytes, 'U', flags.size) || memchr(flags.bytes, 'H', flags.size)) return false;
	for (size_t i = 0; i < sizeof programs_own / sizeof programs_own[0]; i++) {
		if (ossai_word_is(name, programs_own[i])) return false;
	}
	return !ossai_word_is(name, "UDP3DSMAX") || value.size > 0;
}

static void add_custom(ossai_fbx_weigher *w, ossai_word name, ossai_word flags, ossai_word value)
{
	if (is_custom(name, flags, value) && w->weights->custom_count++ == 0) w->weights->custom_example = name;
}

/* ---- binary ---- */

typedef struct record {
	ossai_word name;
	const uint8_t *properties, *inside, *end; /* the records inside follow the properties */
} record;

static uint64_t little(const uint8_t *bytes, size_t count)
{
	uint64_t value = 0;
	for (size_t i = count; i-- > 0;) value = value << 8 | bytes[i];
	return value;
}

/* the next record before `end`; false after the last one */
static bool next_record(const ossai_fbx_weigher *w, const uint8_t **at, const uint8_t *end, record *r)
{
	const uint8_t *start = w->source->bytes;
	const size_t width = little(start + 23, 4) >= WIDE_FROM ? 8 : 4, head = 3 * width + 1;
	if ((size_t)(end - *at) < head) return false;
	const uint64_t stop = little(*at, width), bytes = little(*at + 2 * width, width);
	const uint8_t *name = *at + head;
	const size_t name_size = name[-1];
	if (stop == 0 || stop > (uint64_t)(end - start) || start + stop < name + name_size) return false;
	*r = (record){{(const char *)name, name_size}, name + name_size, name + name_size, start + stop};
	if (bytes > (uint64_t)(r->end - r->properties)) return false;
	r->inside += bytes;
	*at = r->end;
	return true;
}

/* a property of 8 bytes; false where the next one is no such */
static bool take_number(const record *r, const uint8_t **at, char letter, uint64_t *bits)
{
	if (r->inside - *at < 9 || (*at)[0] != (uint8_t)letter) return false;
	*bits = little(*at + 1, 8);
	*at += 9;
	return true;
}

static bool take_text(const record *r, const uint8_t **at, ossai_word *text)
{
	if (r->inside - *at < 5 || (*at)[0] != 'S') return false;
	const size_t size = (size_t)little(*at + 1, 4);
	if ((size_t)(r->inside - *at) - 5 < size) return false;
	*text = (ossai_word){(const char *)*at + 5, size};
	*at += 5 + size;
	return true;
}

static double real_of(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

/* an array of doubles that is not packed, as short ones never are */
static ossa_status take_doubles(ossai_fbx_weigher *w, const record *r, ossai_fbx_channel *channel)
{
	const uint8_t *at = r->properties;
	if (r->inside - at < 13 || at[0] != 'd' || little(at + 5, 4) != 0) return OSSA_OK;
	const size_t count = (size_t)little(at + 1, 4);
	if ((size_t)(r->inside - at) - 13 < 8 * count || w->is_counting) return OSSA_OK;
	channel->full = ossai_arena_new(w->arena, count, sizeof *channel->full);
	if (!channel->full) return ossa_context_error(w->arena->context)->status;
	for (channel->full_count = 0; channel->full_count < count; channel->full_count++)
		channel->full[channel->full_count] = real_of(little(at + 13 + 8 * channel->full_count, 8));
	return OSSA_OK;
}

static ossa_status read_channel(ossai_fbx_weigher *w, const record *deformer, ossai_fbx_channel *channel)
{
	const uint8_t *at = deformer->inside;
	record r;
	while (next_record(w, &at, deformer->end, &r)) {
		const uint8_t *value = r.properties;
		uint64_t bits;
		if (ossai_word_is(r.name, "DeformPercent") && take_number(&r, &value, 'D', &bits)) channel->percent = real_of(bits);
		if (ossai_word_is(r.name, "FullWeights")) OSSAI_TRY(take_doubles(w, &r, channel));
	}
	add_channel(w, channel);
	return OSSA_OK;
}

/* the number of a layer, of 4 bytes */
static bool take_index(const record *r, int64_t *index)
{
	if (r->inside - r->properties < 5 || r->properties[0] != 'I') return false;
	*index = (int64_t)little(r->properties + 1, 4);
	return true;
}

/* the names of a geometry's UV sets */
static void read_geometry(ossai_fbx_weigher *w, const record *geometry, int64_t id)
{
	const uint8_t *at = geometry->inside;
	record layer, r;
	while (next_record(w, &at, geometry->end, &layer)) {
		const uint8_t *inside = layer.inside;
		int64_t set;
		ossai_word name;
		if (!ossai_word_is(layer.name, "LayerElementUV") || !take_index(&layer, &set)) continue;
		while (next_record(w, &inside, layer.end, &r)) {
			const uint8_t *value = r.properties;
			if (ossai_word_is(r.name, "Name") && take_text(&r, &value, &name)) add_uv(w, id, set, name);
		}
	}
}

/* "P": name, type, label, flags, value */
static void read_customs(ossai_fbx_weigher *w, const record *object)
{
	const uint8_t *at = object->inside;
	record list, r;
	while (next_record(w, &at, object->end, &list)) {
		const uint8_t *inside = list.inside;
		if (!ossai_word_is(list.name, "Properties70")) continue;
		while (next_record(w, &inside, list.end, &r)) {
			const uint8_t *value = r.properties;
			ossai_word words[4], text = {"", 0};
			size_t count = 0;
			while (count < 4 && take_text(&r, &value, &words[count])) count++;
			(void)take_text(&r, &value, &text);
			if (count == 4) add_custom(w, words[0], words[3], text);
		}
	}
}

static ossa_status read_object(ossai_fbx_weigher *w, const record *r)
{
	read_customs(w, r);
	const uint8_t *at = r->properties;
	const bool is_model = ossai_word_is(r->name, "Model"), is_geometry = ossai_word_is(r->name, "Geometry");
	uint64_t id;
	ossai_word name, kind;
	if (!is_model && !is_geometry && !ossai_word_is(r->name, "Deformer")) return OSSA_OK;
	if (!take_number(r, &at, 'L', &id) || !take_text(r, &at, &name) || !take_text(r, &at, &kind)) return OSSA_OK;
	if (is_geometry) read_geometry(w, r, (int64_t)id);
	const char *end = memchr(name.bytes, 0, name.size);
	if (end) name.size = (size_t)(end - name.bytes);
	if (is_model) add_model(w, (int64_t)id, name);
	if (!ossai_word_is(kind, "BlendShapeChannel")) return OSSA_OK;
	return read_channel(w, r, &(ossai_fbx_channel){.id = (int64_t)id, .name = name});
}

static void read_connection(ossai_fbx_weigher *w, const record *r)
{
	const uint8_t *at = r->properties;
	uint64_t child, parent;
	ossai_word kind;
	if (take_text(r, &at, &kind) && ossai_word_is(kind, "OO") && take_number(r, &at, 'L', &child) &&
		take_number(r, &at, 'L', &parent))
		add_link(w, (int64_t)child, (int64_t)parent);
}

static ossa_status read_binary(ossai_fbx_weigher *w)
{
	const uint8_t *at = w->source->bytes + HEAD_SIZE, *end = w->source->bytes + w->source->size;
	record list, item;
	while (next_record(w, &at, end, &list)) {
		const bool has_objects = ossai_word_is(list.name, "Objects"), has_links = ossai_word_is(list.name, "Connections");
		if (!has_objects && !has_links) continue;
		const uint8_t *inside = list.inside;
		while (next_record(w, &inside, list.end, &item)) {
			if (has_objects) OSSAI_TRY(read_object(w, &item));
			else read_connection(w, &item);
		}
	}
	return OSSA_OK;
}

/* ---- ASCII ---- */

/* "123, " */
static bool text_id(ossai_text *text, int64_t *id)
{
	uint64_t value = 0;
	ossai_text_blanks(text);
	const bool is_negative = !ossai_text_ended(text) && *text->at == '-';
	if (is_negative) text->at++;
	const char *const digits = text->at;
	for (; text->at < text->end && ossai_is_digit(*text->at); text->at++) value = 10 * value + (uint64_t)(*text->at - '0');
	*id = (int64_t)(is_negative ? -value : value);
	const bool found = text->at > digits;
	ossai_text_blanks(text);
	if (!ossai_text_ended(text) && *text->at == ',') text->at++;
	return found;
}

/* "\"NAME\", " */
static bool text_quoted(ossai_text *text, ossai_word *word)
{
	ossai_text_blanks(text);
	if (ossai_text_ended(text) || *text->at != '"') return false;
	const char *first = ++text->at;
	while (text->at < text->end && *text->at != '"' && !ossai_is_line_end(*text->at)) text->at++;
	*word = (ossai_word){first, (size_t)(text->at - first)};
	if (text->at < text->end && *text->at == '"') text->at++;
	ossai_text_blanks(text);
	if (!ossai_text_ended(text) && *text->at == ',') text->at++;
	return true;
}

/* "CLASS::NAME" without its class */
static ossai_word bare_name(ossai_word name)
{
	for (size_t i = 0; i + 1 < name.size; i++) {
		if (name.bytes[i] == ':' && name.bytes[i + 1] == ':') return (ossai_word){name.bytes + i + 2, name.size - i - 2};
	}
	return name;
}

/* "*2 {", "a: 50,100", "}" */
static ossa_status text_doubles(ossai_fbx_weigher *w, const ossai_text *text, ossai_fbx_channel *channel)
{
	int64_t count = 0;
	ossai_text values = *text; /* the cursor stays before the brace */
	ossai_text_blanks(&values);
	if (ossai_text_ended(&values) || *values.at++ != '*' || !ossai_text_integer(&values, &count)) return OSSA_OK;
	if (count <= 0 || count > values.end - values.at || w->is_counting) return OSSA_OK;
	channel->full = ossai_arena_new(w->arena, (size_t)count, sizeof *channel->full);
	if (!channel->full) return ossa_context_error(w->arena->context)->status;
	while (!ossai_text_ended(&values) && *values.at != '}' && channel->full_count < (size_t)count) {
		if (ossai_text_double(&values, &channel->full[channel->full_count]) == OSSAI_NUMBER_OK) channel->full_count++;
		else values.at++;
	}
	return OSSA_OK;
}

/* a channel that began before, line by line to the brace that ends it; braces inside are of
   arrays */
static ossa_status text_channel(ossai_fbx_weigher *w, ossai_text *text, ossai_fbx_channel *channel)
{
	for (int depth = 1; depth > 0 && !ossai_text_ended(text);) {
		ossai_text_next_line(text);
		ossai_text_blanks(text);
		const ossai_word key = ossai_text_word(text);
		if (ossai_word_is(key, "DeformPercent:")) {
			ossai_text_blanks(text);
			(void)ossai_text_double(text, &channel->percent);
		}
		if (ossai_word_is(key, "FullWeights:")) OSSAI_TRY(text_doubles(w, text, channel));
		if (ossai_word_is(key, "}")) depth--;
		while (text->at < text->end && !ossai_is_line_end(*text->at)) {
			if (*text->at == '{') depth++;
			text->at++;
		}
	}
	add_channel(w, channel);
	return OSSA_OK;
}

/* "LayerElementUV: 0 {" of a geometry that began before, and the name in it; other layers have
   names, too */
static void text_layer(ossai_fbx_weigher *w, ossai_text *text, ossai_word key)
{
	static const char layer[] = "LayerElement";
	ossai_word name;
	if (key.size >= sizeof layer - 1 && memcmp(key.bytes, layer, sizeof layer - 1) == 0) {
		if (!ossai_word_is(key, "LayerElementUV:") || !text_id(text, &w->set)) w->set = -1;
	} else if (w->set >= 0 && ossai_word_is(key, "Name:") && text_quoted(text, &name)) add_uv(w, w->geometry, w->set, name);
}

/* P: "name", "type", "label", "flags", value */
static void text_custom(ossai_fbx_weigher *w, ossai_text *text)
{
	ossai_word words[4], value = {"", 0};
	size_t count = 0;
	while (count < 4 && text_quoted(text, &words[count])) count++;
	(void)text_quoted(text, &value);
	if (count == 4) add_custom(w, words[0], words[3], value);
}

static ossa_status text_line(ossai_fbx_weigher *w, ossai_text *text)
{
	int64_t id, parent;
	ossai_word name, kind;
	ossai_text_blanks(text);
	if (ossai_text_ended(text) || !strchr("MDCGLNP", *text->at)) return OSSA_OK;
	const ossai_word key = ossai_text_word(text);
	if (ossai_word_is(key, "P:")) {
		text_custom(w, text);
		return OSSA_OK;
	}
	if (strchr("LN", key.bytes[0])) {
		text_layer(w, text, key);
		return OSSA_OK;
	}
	if (ossai_word_is(key, "Geometry:") && text_id(text, &w->geometry)) w->set = -1;
	if (ossai_word_is(key, "C:")) {
		if (text_quoted(text, &kind) && ossai_word_is(kind, "OO") && text_id(text, &id) && text_id(text, &parent))
			add_link(w, id, parent);
		return OSSA_OK;
	}
	const bool is_model = ossai_word_is(key, "Model:");
	if (!is_model && !ossai_word_is(key, "Deformer:")) return OSSA_OK;
	if (!text_id(text, &id) || !text_quoted(text, &name) || !text_quoted(text, &kind)) return OSSA_OK;
	if (is_model) add_model(w, id, bare_name(name));
	if (!ossai_word_is(kind, "BlendShapeChannel")) return OSSA_OK;
	return text_channel(w, text, &(ossai_fbx_channel){.id = id, .name = bare_name(name)});
}

static ossa_status read_text(ossai_fbx_weigher *w)
{
	ossai_text text = ossai_text_begin(w->arena->context, w->source->path, w->source->bytes, w->source->size);
	while (!ossai_text_ended(&text)) {
		OSSAI_TRY(text_line(w, &text));
		ossai_text_next_line(&text);
	}
	return OSSA_OK;
}

/* ---- all ---- */

ossa_status ossai_fbx_weigh(ossai_fbx_weigher *w)
{
	static const char magic[] = "Kaydara FBX Binary";
	w->link_count = w->model_count = w->weights->channel_count = w->weights->uv_count = w->weights->custom_count = 0;
	w->set = -1;
	if (w->source->size < HEAD_SIZE) return OSSA_OK;
	return memcmp(w->source->bytes, magic, sizeof magic - 1) == 0 ? read_binary(w) : read_text(w);
}
