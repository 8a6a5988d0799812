/* import/mesh/ply_values.c: see ply_values.h. */
#include "import/mesh/ply_values.h"

#include "base/bytes.h"

#include <string.h>

ossai_ply_cursor ossai_ply_cursor_begin(ossa_context *context, const ossai_source *source)
{
	return (ossai_ply_cursor){
		.text = ossai_text_of_file(context, source->path, source->bytes, source->size),
		.begin = (const char *)source->bytes,
		.end = (const char *)source->bytes + source->size,
	};
}

void ossai_ply_begin_values(ossai_ply_cursor *cursor, ossai_ply_format format)
{
	cursor->format = format;
	if (ossai_ply_is_ascii(cursor)) return;
	cursor->text.end = cursor->end;
	cursor->text.is_cut = false;
}

ossai_place ossai_ply_place(const ossai_ply_cursor *cursor)
{
	ossai_place place = ossai_text_place(&cursor->text);
	if (ossai_ply_is_ascii(cursor)) return place;
	place.line = -1;
	place.offset = cursor->text.at - cursor->begin;
	return place;
}

ossa_status ossai_ply_cut_off(const ossai_ply_cursor *cursor)
{
	if (cursor->text.is_cut) return ossai_text_end(&cursor->text);
	const ossai_place place = ossai_ply_place(cursor);
	return ossai_fail(cursor->text.context, OSSA_ERROR_INPUT, &place,
		"the file ends before the values that its header names: is it cut off?");
}

size_t ossai_ply_bytes_left(const ossai_ply_cursor *cursor) { return (size_t)(cursor->text.end - cursor->text.at); }

/* false where the word at the cursor is no value of the type */
static bool take_ascii(ossai_text *text, ossai_ply_type type, double *value)
{
	if (type >= OSSAI_PLY_FLOAT) {
		float number;
		if (ossai_text_number(text, &number) == OSSAI_NUMBER_NONE) return false;
		*value = number;
	} else {
		int64_t number;
		if (!ossai_text_integer(text, &number)) return false;
		*value = (double)number;
	}
	return text->at == text->end || ossai_is_blank(*text->at) || ossai_is_line_end(*text->at);
}

static ossa_status read_ascii(ossai_ply_cursor *cursor, ossai_ply_type type, double *value)
{
	ossai_text *text = &cursor->text;
	ossai_text_blanks(text);
	const ossai_text before = *text;
	if (take_ascii(text, type, value)) return OSSA_OK;
	char shown[32];
	ossai_text_show(&before, shown);
	if (!shown[0]) return ossai_text_fail(text, "the line ends before the values that the header names: is the file cut off?");
	return ossai_text_fail(text, "\"%s\" where a %s must be", shown, type >= OSSAI_PLY_FLOAT ? "number" : "whole number");
}

static double value_of(ossai_ply_type type, uint64_t bits)
{
	double real;
	switch (type) {
	case OSSAI_PLY_INT8: return (int8_t)bits;
	case OSSAI_PLY_UINT8: return (uint8_t)bits;
	case OSSAI_PLY_INT16: return (int16_t)bits;
	case OSSAI_PLY_UINT16: return (uint16_t)bits;
	case OSSAI_PLY_INT32: return (int32_t)bits;
	case OSSAI_PLY_UINT32: return (uint32_t)bits;
	case OSSAI_PLY_FLOAT: return ossai_float_of_bits((uint32_t)bits);
	case OSSAI_PLY_DOUBLE: break;
	}
	memcpy(&real, &bits, sizeof real);
	return real;
}

/* the caller has checked that the bytes exist */
static double take_binary(ossai_ply_cursor *cursor, ossai_ply_type type)
{
	const size_t size = ossai_ply_size(type);
	const uint8_t *at = (const uint8_t *)cursor->text.at;
	const bool big = cursor->format == OSSAI_PLY_BIG;
	uint64_t bits = at[0];
	if (size == 2) bits = big ? (uint64_t)at[0] << 8 | at[1] : (uint64_t)at[1] << 8 | at[0];
	if (size == 4) bits = big ? ossai_big_32(at) : ossai_little_32(at);
	if (size == 8) {
		bits = big ? (uint64_t)ossai_big_32(at) << 32 | ossai_big_32(at + 4)
				   : (uint64_t)ossai_little_32(at + 4) << 32 | ossai_little_32(at);
	}
	cursor->text.at += size;
	return value_of(type, bits);
}

ossa_status ossai_ply_read_value(ossai_ply_cursor *cursor, ossai_ply_type type, double *value)
{
	if (ossai_ply_is_ascii(cursor)) return read_ascii(cursor, type, value);
	if (ossai_ply_bytes_left(cursor) < ossai_ply_size(type)) return ossai_ply_cut_off(cursor);
	*value = take_binary(cursor, type);
	return OSSA_OK;
}

ossa_status ossai_ply_read_length(ossai_ply_cursor *cursor, const ossai_ply_property *property, size_t *length)
{
	double value;
	OSSAI_TRY(ossai_ply_read_value(cursor, property->count_type, &value));
	if (value < 0) {
		const ossai_place place = ossai_ply_place(cursor);
		return ossai_fail(cursor->text.context, OSSA_ERROR_INPUT, &place, "a list has the length %.0f", value);
	}
	*length = (size_t)value;
	/* a value of an ascii file takes a digit and a blank before it */
	const size_t size = ossai_ply_is_ascii(cursor) ? 2 : ossai_ply_size(property->type);
	return *length > ossai_ply_bytes_left(cursor) / size ? ossai_ply_cut_off(cursor) : OSSA_OK;
}

ossa_status ossai_ply_skip(ossai_ply_cursor *cursor, const ossai_ply_property *property)
{
	size_t length = 1;
	double value;
	if (property->is_list) OSSAI_TRY(ossai_ply_read_length(cursor, property, &length));
	if (!ossai_ply_is_ascii(cursor)) {
		if (ossai_ply_bytes_left(cursor) < length * ossai_ply_size(property->type)) return ossai_ply_cut_off(cursor);
		cursor->text.at += length * ossai_ply_size(property->type);
		return OSSA_OK;
	}
	for (size_t i = 0; i < length; i++) OSSAI_TRY(ossai_ply_read_value(cursor, property->type, &value));
	return OSSA_OK;
}
