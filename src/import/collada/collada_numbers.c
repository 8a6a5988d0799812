/* import/collada/collada_numbers.c: the numbers and words of a Collada file: sources, accessors,
   inputs: see collada.h.

   Place in the path: above collada_find.c, below everything that reads geometry or motion.
   Input: elements.
   Output: arrays, each parsed once, straight from the file's text; counts that the text does not
   support are not trusted. */
#include "import/collada/collada.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- arrays ---- */

static const char *const number_arrays[] = {"float_array", "int_array", "bool_array"};
static const char *const word_arrays[] = {"Name_array", "IDREF_array", "SIDREF_array"};

static ossa_status not_a_number(const ossai_text *text, const char *what)
{
	char shown[32];
	return ossai_text_fail(
		text, "<%s> has \"%s\" where a number must be: export the file again", what, ossai_text_show(text, shown));
}

/* as many as can be in a text: each takes two bytes, with the blank after it */
static size_t most_items(const ossai_text *text) { return (size_t)(text->end - text->at) / 2 + 1; }

static ossa_status parse_numbers(ossai_dae *c, uint32_t element, ossai_dae_array *array)
{
	ossai_text text = ossai_xml_cursor(&c->xml, element);
	const size_t most = most_items(&text);
	array->values = ossai_arena_new(&c->arena, most, sizeof *array->values);
	if (!array->values) return ossai_dae_lost(c);
	for (;;) {
		ossai_text_space(&text, 0);
		if (ossai_text_ended(&text)) return OSSA_OK;
		const char *before = text.at;
		if (array->count == most || ossai_text_double(&text, &array->values[array->count]) == OSSAI_NUMBER_NONE) {
			text.at = before;
			return not_a_number(&text, c->xml.elements[element].name);
		}
		if (!isfinite(array->values[array->count])) array->values[array->count] = NAN;
		array->count++;
	}
}

static ossa_status parse_words(ossai_dae *c, uint32_t element, ossai_dae_array *array)
{
	ossai_text text = ossai_xml_cursor(&c->xml, element);
	array->words = ossai_arena_new(&c->arena, most_items(&text), sizeof *array->words);
	if (!array->words) return ossai_dae_lost(c);
	for (ossai_text_space(&text, 0); !ossai_text_ended(&text); ossai_text_space(&text, 0)) {
		array->words[array->count++] = ossai_text_word(&text);
	}
	return OSSA_OK;
}

static ossa_status open_array(ossai_dae *c, uint32_t element, bool of_words, ossai_dae_array *array)
{
	if (c->elements.first_of[element] == OSSA_NONE) {
		ossai_dae_array parsed = {0};
		OSSAI_TRY(of_words ? parse_words(c, element, &parsed) : parse_numbers(c, element, &parsed));
		OSSAI_TRY(ossai_reserve(c->context, &c->arrays.items, &c->arrays.capacity, c->arrays.count, sizeof *c->arrays.items));
		c->elements.first_of[element] = (uint32_t)c->arrays.count;
		c->arrays.items[c->arrays.count++] = parsed;
	}
	*array = c->arrays.items[c->elements.first_of[element]];
	return OSSA_OK;
}

/* the array that an accessor reads: that of its source, or one it names elsewhere */
static uint32_t array_of(const ossai_dae *c, uint32_t source, uint32_t accessor, const char *const *kinds)
{
	const ossai_word uri = ossai_xml_attribute_of(&c->xml, accessor, "source");
	for (size_t i = 0; i < 3; i++) {
		const uint32_t named = ossai_dae_resolve(c, uri, kinds[i], source);
		if (named != OSSA_NONE) return named;
	}
	for (size_t i = 0; i < 3; i++) {
		const uint32_t own = ossai_xml_child(&c->xml, source, kinds[i]);
		if (own != OSSA_NONE) return own;
	}
	return OSSA_NONE;
}

static size_t size_attribute(const ossai_dae *c, uint32_t element, const char *attribute, size_t otherwise)
{
	const double value = ossai_dae_number(c, element, attribute, (double)otherwise);
	return value >= 0 && value < 4e15 ? (size_t)value : otherwise;
}

/* ---- accessors ---- */

/* how many numbers a <param> of that type takes */
static size_t param_size(ossai_word type)
{
	/* float3, float4x4 */
	static const char word[] = "float";
	const size_t size = sizeof word - 1;
	if (type.size <= size || memcmp(type.bytes, word, size) != 0 || !ossai_is_digit(type.bytes[size])) return 1;
	const size_t rows = (size_t)(type.bytes[size] - '0');
	const bool matrix = type.size >= size + 3 && type.bytes[size + 1] == 'x' && ossai_is_digit(type.bytes[size + 2]);
	return rows * (matrix ? (size_t)(type.bytes[size + 2] - '0') : 1);
}

/* components are the named params; where none has a name, all of them; where there are no params,
   all numbers of an item */
static void find_components(const ossai_dae *c, uint32_t accessor, ossai_accessor *a)
{
	bool named = false;
	for (uint32_t p = ossai_xml_child(&c->xml, accessor, "param"); p != OSSA_NONE; p = ossai_xml_next(&c->xml, p, "param")) {
		named |= ossai_xml_attribute_of(&c->xml, p, "name").size > 0;
	}
	size_t at = 0;
	for (uint32_t p = ossai_xml_child(&c->xml, accessor, "param"); p != OSSA_NONE; p = ossai_xml_next(&c->xml, p, "param")) {
		const size_t size = param_size(ossai_xml_attribute_of(&c->xml, p, "type"));
		const bool counts = !named || ossai_xml_attribute_of(&c->xml, p, "name").size > 0;
		for (size_t i = 0; i < size; i++, at++) {
			if (counts && a->width < OSSAI_COMPONENTS_MAX) a->component[a->width++] = at;
		}
	}
	if (at == 0) {
		while (a->width < OSSAI_COMPONENTS_MAX && a->width < a->stride) {
			a->component[a->width] = a->width;
			a->width++;
		}
	}
	/* a single param without a type for a whole matrix */
	if (at == 1 && a->stride == 16) {
		for (a->width = 0; a->width < 16; a->width++) a->component[a->width] = a->width;
	}
}

/* "Z Y X" in the file as X Y Z */
static void order_components(const ossai_dae *c, uint32_t accessor, const char *letters, ossai_accessor *a)
{
	size_t ordered[4], found = 0, at = 0;
	const size_t count = strlen(letters);
	for (uint32_t p = ossai_xml_child(&c->xml, accessor, "param"); p != OSSA_NONE; p = ossai_xml_next(&c->xml, p, "param")) {
		const ossai_word name = ossai_xml_attribute_of(&c->xml, p, "name");
		const char *letter = name.size == 1 ? strchr(letters, name.bytes[0]) : NULL;
		if (letter) {
			ordered[letter - letters] = at;
			found |= (size_t)1 << (letter - letters);
		}
		at += param_size(ossai_xml_attribute_of(&c->xml, p, "type"));
	}
	if (found == ((size_t)1 << count) - 1 && a->width == count) memcpy(a->component, ordered, count * sizeof *ordered);
}

static ossa_status check_reach(ossai_dae *c, uint32_t accessor, size_t held, const ossai_accessor *a)
{
	size_t reach = 0;
	for (size_t i = 0; i < a->width; i++) reach = a->component[i] > reach ? a->component[i] : reach;
	if (a->stride == 0 || a->width == 0)
		return ossai_dae_fail(c, accessor, "<accessor> has a stride of 0: export the file again");
	if (a->count == 0) return OSSA_OK;
	if (a->offset < held && reach < held - a->offset && a->count - 1 <= (held - a->offset - 1 - reach) / a->stride)
		return OSSA_OK;
	return ossai_dae_fail(c, accessor,
		"<accessor> asks for %zu items of %zu numbers from %zu on, and the array holds %zu numbers: is the file cut off?",
		a->count, a->stride, a->offset, held);
}

ossa_status ossai_dae_accessor(ossai_dae *c, uint32_t source, const char *letters, ossai_accessor *a)
{
	*a = (ossai_accessor){.element = source};
	const uint32_t accessor = ossai_xml_at(&c->xml, source, "technique_common/accessor");
	const uint32_t array = array_of(c, source, accessor, number_arrays);
	if (array == OSSA_NONE) return ossai_dae_fail(c, source, "<source> has no <float_array>: export the file again");
	ossai_dae_array numbers;
	OSSAI_TRY(open_array(c, array, false, &numbers));
	a->values = numbers.values;
	a->offset = size_attribute(c, accessor, "offset", 0);
	/* without an accessor the layout of the numbers is inferred */
	a->stride = size_attribute(c, accessor, "stride", accessor == OSSA_NONE && letters ? strlen(letters) : 1);
	find_components(c, accessor, a);
	if (letters) order_components(c, accessor, letters, a);
	const size_t all = a->stride && numbers.count > a->offset ? (numbers.count - a->offset) / a->stride : 0;
	a->count = size_attribute(c, accessor, "count", all);
	return check_reach(c, accessor == OSSA_NONE ? source : accessor, numbers.count, a);
}

/* every stride-th word, which no known writer asks for */
static ossa_status pick_words(ossai_dae *c, uint32_t source, size_t stride, size_t count, const ossai_word **words)
{
	if (count > c->left.keys) return ossai_dae_fail(c, source, "has more names than ossa takes from a file of this size");
	c->left.keys -= count;
	ossai_word *picked = ossai_arena_new(&c->arena, count, sizeof *picked);
	if (!picked) return ossai_dae_lost(c);
	for (size_t i = 0; i < count; i++) picked[i] = (*words)[i * stride];
	*words = picked;
	return OSSA_OK;
}

ossa_status ossai_dae_words(ossai_dae *c, uint32_t source, size_t *count, const ossai_word **words)
{
	ossai_dae_array held;
	const uint32_t accessor = ossai_xml_at(&c->xml, source, "technique_common/accessor");
	const uint32_t array = array_of(c, source, accessor, word_arrays);
	if (array == OSSA_NONE) return ossai_dae_fail(c, source, "<source> has no array of names: export the file again");
	OSSAI_TRY(open_array(c, array, true, &held));
	const size_t offset = size_attribute(c, accessor, "offset", 0), stride = size_attribute(c, accessor, "stride", 1);
	const size_t there = stride && held.count > offset ? (held.count - offset - 1) / stride + 1 : 0;
	*count = size_attribute(c, accessor, "count", there);
	if (*count > there || (*count < there && stride == 1 && offset == 0)) {
		return ossai_dae_fail(c, array, "<%s> should hold %zu names and holds %zu: no name may have a blank in it",
			c->xml.elements[array].name, *count, there);
	}
	*words = held.words + (*count ? offset : 0);
	return stride > 1 ? pick_words(c, source, stride, *count, words) : OSSA_OK;
}

/* ---- inputs ---- */

ossa_status ossai_dae_inputs(ossai_dae *c, uint32_t element, ossai_inputs *inputs)
{
	inputs->count = 0;
	inputs->stride = 1;
	for (uint32_t i = ossai_xml_child(&c->xml, element, "input"); i != OSSA_NONE; i = ossai_xml_next(&c->xml, i, "input")) {
		if (inputs->count == OSSAI_INPUTS_MAX) {
			return ossai_dae_fail(c, i, "<%s> has more than %d inputs", c->xml.elements[element].name, OSSAI_INPUTS_MAX);
		}
		const ossai_word uri = ossai_xml_attribute_of(&c->xml, i, "source");
		ossai_input *input = &inputs->list[inputs->count++];
		input->semantic = ossai_xml_attribute_of(&c->xml, i, "semantic");
		input->offset = size_attribute(c, i, "offset", 0);
		input->set = (int64_t)size_attribute(c, i, "set", 0);
		/* the parent of the element holds what it refers to, where ids are not unique */
		const uint32_t scope = c->xml.elements[element].parent;
		input->source = ossai_dae_resolve(c, uri, ossai_word_is(input->semantic, "VERTEX") ? "vertices" : "source", scope);
		if (input->offset > 1024) return ossai_dae_fail(c, i, "<input> has the offset %zu", input->offset);
		if (input->offset + 1 > inputs->stride) inputs->stride = input->offset + 1;
	}
	return OSSA_OK;
}

const ossai_input *ossai_input_ranked(const ossai_inputs *inputs, const char *semantic, size_t rank)
{
	const ossai_input *before = NULL, *found = NULL;
	for (size_t r = 0; r <= rank; r++, before = found) {
		found = NULL;
		for (size_t i = 0; i < inputs->count; i++) {
			const ossai_input *input = &inputs->list[i];
			/* of one set the first comes first */
			const bool is_after = !before || input->set > before->set || (input->set == before->set && input > before);
			if (ossai_word_is(input->semantic, semantic) && is_after && (!found || input->set < found->set)) found = input;
		}
		if (!found) return NULL;
	}
	return found;
}

const ossai_input *ossai_input_of(const ossai_inputs *inputs, const char *semantic)
{
	return ossai_input_ranked(inputs, semantic, 0);
}

/* ---- single numbers ---- */

ossa_status ossai_dae_values(const ossai_dae *c, uint32_t element, size_t count, double *values)
{
	const char *name = c->xml.elements[element].name;
	ossai_text text = ossai_xml_cursor(&c->xml, element);
	for (size_t i = 0; i < count; i++) {
		ossai_text_space(&text, 0);
		if (ossai_text_ended(&text)) {
			return ossai_dae_fail(c, element, "<%s> has %zu of %zu numbers: is the file cut off?", name, i, count);
		}
		const ossai_number kind = ossai_text_double(&text, &values[i]);
		if (kind == OSSAI_NUMBER_NONE) return not_a_number(&text, name);
		if (kind != OSSAI_NUMBER_OK || fabs(values[i]) > FLT_MAX) {
			return ossai_text_fail(&text, "<%s> has a number that is not finite: export the file again", name);
		}
	}
	return OSSA_OK;
}

ossa_status ossai_dae_integer(const ossai_dae *c, ossai_text *text, int64_t *value, bool *there)
{
	(void)c;
	ossai_text_space(text, 0);
	*there = !ossai_text_ended(text);
	if (!*there) return OSSA_OK;
	char shown[32];
	if (!ossai_text_integer(text, value)) {
		return ossai_text_fail(text, "has \"%s\" where an index must be: export the file again", ossai_text_show(text, shown));
	}
	return OSSA_OK;
}

double ossai_dae_number(const ossai_dae *c, uint32_t element, const char *attribute, double otherwise)
{
	const ossai_word word = ossai_xml_attribute_of(&c->xml, element, attribute);
	double value;
	if (word.size == 0) return otherwise;
	ossai_text text = ossai_text_begin(c->context, c->xml.path, word.bytes, word.size);
	ossai_text_space(&text, 0);
	return ossai_text_double(&text, &value) == OSSAI_NUMBER_OK ? value : otherwise;
}

uint32_t ossai_dae_own(const ossai_dae *c, uint32_t element, const char *name)
{
	const ossai_xml *xml = &c->xml;
	for (uint32_t e = ossai_xml_child(xml, element, "extra"); e != OSSA_NONE; e = ossai_xml_next(xml, e, "extra")) {
		if (!ossai_word_is(ossai_xml_attribute_of(xml, e, "type"), "ossa")) continue;
		const uint32_t technique = ossai_xml_child(xml, e, "technique");
		const uint32_t found = ossai_xml_child(xml, technique, name);
		if (found != OSSA_NONE && ossai_word_is(ossai_xml_attribute_of(xml, technique, "profile"), "ossa")) return found;
	}
	return OSSA_NONE;
}

ossai_word ossai_dae_name_of(const ossai_dae *c, uint32_t element)
{
	const ossai_word own = ossai_xml_trimmed(&c->xml, ossai_dae_own(c, element, "name"));
	const ossai_word name = ossai_xml_attribute_of(&c->xml, element, "name");
	return own.size > 0 ? own : name.size > 0 ? name : ossai_xml_attribute_of(&c->xml, element, "id");
}

ossa_status ossai_dae_affine(const ossai_dae *c, uint32_t element, double m[16])
{
	double largest = 0;
	for (size_t i = 0; i < 12; i++) largest = fmax(largest, fabs(m[i]));
	const double w = m[15], bend = fabs(m[12]) + fabs(m[13]) + fabs(m[14]);
	if (!(fabs(w) > 1e-6) || !(bend <= 1e-4 * fabs(w)) || !isfinite(largest)) {
		return ossai_dae_fail(c, element, "a matrix ends with %g %g %g %g where 0 0 0 1 must be", m[12], m[13], m[14], m[15]);
	}
	if (w != 1) {
		for (size_t i = 0; i < 12; i++) m[i] /= w;
	}
	m[12] = m[13] = m[14] = 0;
	m[15] = 1;
	return OSSA_OK;
}
