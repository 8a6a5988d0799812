/* import/maya/maya_description.c: the XML file beside a Maya cache: see maya_description.h.

   Place in the path: file → maya_cache.c.
   Input: XML.
   Output: names.
   Form: Autodesk_Cache_File with cacheType (Type OneFile or OneFilePerFrame, Format mcc or mcx),
   and Channels with one element for each channel: ChannelName, ChannelType (FloatVectorArray,
   DoubleVectorArray ...), ChannelInterpretation ("positions"), SamplingRate, StartTime and EndTime
   in ticks. */
#include "import/maya/maya_description.h"

#include "base/xml.h"
#include "base/xml_text.h"

#include <string.h>

bool ossai_maya_is_description(const uint8_t *bytes, size_t size)
{
	return ossai_xml_root_is(bytes, size, "Autodesk_Cache_File");
}

static bool ends_with(ossai_word word, const char *ending)
{
	const size_t size = strlen(ending);
	return word.size >= size && memcmp(word.bytes + word.size - size, ending, size) == 0;
}

static bool is_one_of(ossai_word word, const char *const *names)
{
	for (; *names; names++) {
		const size_t size = strlen(*names);
		size_t i = 0;
		while (i < size && i < word.size && (word.bytes[i] | 32) == (*names)[i]) i++;
		if (i == size && i == word.size) return true;
	}
	return false;
}

/* a channel of positions; one without an interpretation counts as such */
static bool holds_positions(const ossai_xml *xml, uint32_t channel)
{
	static const char *const positions[] = {"positions", "position", "points", "point", NULL};
	const ossai_word interpretation = ossai_xml_attribute_of(xml, channel, "ChannelInterpretation");
	if (!ends_with(ossai_xml_attribute_of(xml, channel, "ChannelType"), "VectorArray")) return false;
	return interpretation.size == 0 || is_one_of(interpretation, positions);
}

/* a number without sign that fills the attribute */
static bool ticks_of(const ossai_xml *xml, uint32_t channel, const char *name, int64_t *ticks)
{
	const ossai_word word = ossai_xml_attribute_of(xml, channel, name);
	ossai_text text = ossai_text_begin(xml->context, xml->path, word.bytes ? word.bytes : "", word.size);
	return ossai_text_integer(&text, ticks) && ossai_text_ended(&text);
}

static size_t frames_of(const ossai_xml *xml, uint32_t channel)
{
	int64_t rate, begin, end;
	if (!ticks_of(xml, channel, "SamplingRate", &rate) || !ticks_of(xml, channel, "StartTime", &begin) ||
		!ticks_of(xml, channel, "EndTime", &end)) {
		return 0;
	}
	return rate > 0 && end >= begin ? (size_t)((end - begin) / rate) + 1 : 0;
}

static ossa_status read_channels(ossai_arena *arena, const ossai_xml *xml, ossai_maya_description *description)
{
	const uint32_t channels = ossai_xml_child(xml, 0, "Channels");
	size_t count = 0;
	for (uint32_t c = ossai_xml_child(xml, channels, NULL); c != OSSA_NONE; c = ossai_xml_next(xml, c, NULL)) {
		count += holds_positions(xml, c);
	}
	if (count == 0) {
		return ossai_xml_fail(
			xml, channels == OSSA_NONE ? 0 : channels, "names no channel of positions: export a geometry cache of meshes");
	}
	description->channels = ossai_arena_new(arena, count, sizeof *description->channels);
	if (!description->channels) return ossa_context_error(arena->context)->status;
	for (uint32_t c = ossai_xml_child(xml, channels, NULL); c != OSSA_NONE; c = ossai_xml_next(xml, c, NULL)) {
		if (!holds_positions(xml, c)) continue;
		const ossai_word name = ossai_xml_attribute_of(xml, c, "ChannelName");
		char *copy = ossai_arena_new(arena, name.size + 1, 1);
		if (!copy) return ossa_context_error(arena->context)->status;
		if (name.size > 0) memcpy(copy, name.bytes, name.size);
		description->channels[description->channel_count++] = (ossai_word){copy, name.size};
		const size_t frames = frames_of(xml, c);
		if (frames > description->frame_count) description->frame_count = frames;
	}
	return OSSA_OK;
}

static ossa_status read_type(const ossai_xml *xml, ossai_maya_description *description)
{
	const uint32_t type = ossai_xml_child(xml, 0, "cacheType");
	const ossai_word kind = ossai_xml_attribute_of(xml, type, "Type"), format = ossai_xml_attribute_of(xml, type, "Format");
	const uint32_t element = type == OSSA_NONE ? 0 : type;
	if (kind.size > 0 && ossai_word_is(kind, "OneFilePerFrame")) description->has_file_per_frame = true;
	else if (kind.size == 0 || !ossai_word_is(kind, "OneFile")) {
		return ossai_xml_fail(xml, element, "cacheType's Type is neither OneFile nor OneFilePerFrame");
	}
	if (format.size > 0 && ossai_word_is(format, "mcx")) description->ending = ".mcx";
	else if (format.size > 0 && ossai_word_is(format, "mcc")) description->ending = ".mc";
	else return ossai_xml_fail(xml, element, "cacheType's Format is neither mcc nor mcx: ossa reads these two");
	return OSSA_OK;
}

static ossa_status read_root(ossai_arena *arena, const ossai_xml *xml, ossai_maya_description *description)
{
	if (!ossai_xml_is(xml, 0, "Autodesk_Cache_File")) {
		return ossai_xml_fail(xml, 0, "is XML, but no description of a Maya cache: its root is no Autodesk_Cache_File");
	}
	OSSAI_TRY(read_type(xml, description));
	return read_channels(arena, xml, description);
}

ossa_status ossai_maya_description_read(ossai_arena *arena, const ossai_source *source, ossai_maya_description *description)
{
	ossai_xml xml;
	*description = (ossai_maya_description){0};
	OSSAI_TRY(ossai_xml_read(arena->context, source, &xml));
	const ossa_status status = read_root(arena, &xml, description);
	ossai_xml_close(&xml);
	return status;
}
