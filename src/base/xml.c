/* base/xml.c: an XML file as a tree of elements: see xml.h. The only file that uses libxml2.

   Place in the path: below the readers of formats that are XML.
   libxml2 is fed with a UTF-8 copy of the file (xml_text.c) in pieces and calls back. Where a tag
   is followed by plain text and its end tag, the text is returned as a pointer into that copy, so
   that arrays of numbers are not copied again; texts with comments, references or CDATA in them
   are put together. libxml2's own limits are switched off (they would refuse large arrays) and
   replaced by ours: depth, length of a tag or comment, and all names together. What it can hold
   is bounded by those and taken from the context for as long as it parses, so that the limit of
   memory holds for it too. */
#include "base/xml.h"

#include "base/xml_text.h"

#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <stdio.h>
#include <string.h>

enum {
	DEPTH_MAX = 2000,        /* elements inside each other */
	MARKUP_MAX = 16 << 20,   /* bytes of a tag, comment or the like */
	NAMES_MAX = 256 << 10,   /* bytes of all different names together */
	NAME_COST = 64,          /* bytes that libxml2 holds for a byte of names, at most */
	PARSER_COST = 512 << 10, /* and what it holds in any case */
	PIECE_SIZE = 64 << 10,   /* bytes that it is given at once */
	POOL_SIZE = 16 << 10
};

/* What goes on while a file is parsed. */
typedef struct parse {
	ossai_xml *xml;
	xmlParserCtxtPtr parser;
	ossai_xml_text text;
	size_t element_capacity, attribute_capacity;
	uint32_t open; /* the innermost element that is open */
	size_t depth;
	bool collects; /* `open` has no element inside yet, and its text is gathered here */
	char *gathered;
	size_t gathered_size, gathered_capacity;
	char *pool; /* what attributes are cut from */
	size_t pool_left;
	ossa_status status; /* of our own */
	int error_line;     /* libxml2's first complaint */
	char error[200];    /* "" where there is none */
} parse;

static void stop(parse *p, ossa_status status)
{
	if (p->status == OSSA_OK) p->status = status;
	xmlStopParser(p->parser);
}

static ossai_place place_of_parser(const parse *p)
{
	ossai_place place = ossai_in_file(p->xml->path);
	place.line = xmlSAX2GetLineNumber(p->parser);
	return place;
}

/* ---- texts ---- */

static ossa_status gather(parse *p, const char *bytes, size_t size)
{
	if (p->gathered_size + size > p->gathered_capacity) {
		const size_t capacity = p->gathered_size + size + p->gathered_size / 2 + 64;
		char *grown = ossai_resize(p->xml->context, p->gathered, capacity, 1);
		if (!grown) return ossa_context_error(p->xml->context)->status;
		p->gathered = grown;
		p->gathered_capacity = capacity;
	}
	memcpy(p->gathered + p->gathered_size, bytes, size);
	p->gathered_size += size;
	return OSSA_OK;
}

static void characters(void *user, const xmlChar *bytes, int size)
{
	parse *p = user;
	if (!p->collects || size <= 0 || p->status != OSSA_OK) return;
	const ossa_status status = gather(p, (const char *)bytes, (size_t)size);
	if (status != OSSA_OK) stop(p, status);
}

/* memory that lives as long as the tree; small requests share a block; NULL with the error set */
static char *grow(parse *p, size_t size)
{
	if (size > POOL_SIZE / 8) return ossai_arena_new(&p->xml->arena, size, 1);
	if (!p->pool || size > p->pool_left) {
		p->pool = ossai_arena_new(&p->xml->arena, POOL_SIZE, 1);
		if (!p->pool) return NULL;
		p->pool_left = POOL_SIZE;
	}
	char *capacity = p->pool;
	p->pool += size;
	p->pool_left -= size;
	return capacity;
}

static ossa_status keep_gathered(parse *p, ossai_word *text)
{
	char *copy = grow(p, p->gathered_size);
	if (!copy) return ossa_context_error(p->xml->context)->status;
	if (p->gathered_size > 0) memcpy(copy, p->gathered, p->gathered_size);
	*text = (ossai_word){copy, p->gathered_size};
	return OSSA_OK;
}

/* looks ahead from the end of a start tag: plain text up to an end tag is taken as it stands in
   the file */
static void begin_text(parse *p, ossai_xml_element *element)
{
	const long at = xmlByteConsumed(p->parser);
	p->gathered_size = 0;
	p->collects = true;
	if (at < 0 || (size_t)at >= p->text.size) return;
	const char *tag_end = p->text.bytes + at, *end = p->text.bytes + p->text.size;
	/* the parser is in front of "/>" or ">" */
	if (*tag_end == '/') p->collects = false;
	if (*tag_end != '>') return;
	const char *text = tag_end + 1, *tag = memchr(text, '<', (size_t)(end - text));
	if (!tag || tag + 1 == end || tag[1] != '/' || memchr(text, '&', (size_t)(tag - text))) return;
	element->text = (ossai_word){text, (size_t)(tag - text)};
	p->collects = false;
}

/* ---- elements ---- */

/* the parser writes every & of a value as &#38; */
static ossa_status keep_value(parse *p, const char *bytes, size_t size, ossai_word *value)
{
	char *copy = grow(p, size);
	if (!copy) return ossa_context_error(p->xml->context)->status;
	size_t used = 0;
	for (size_t i = 0; i < size; i++) {
		copy[used++] = bytes[i];
		if (size - i >= 5 && memcmp(bytes + i, "&#38;", 5) == 0) i += 4;
	}
	*value = (ossai_word){copy, used};
	return OSSA_OK;
}

static ossa_status add_attributes(parse *p, size_t count, const xmlChar **attributes)
{
	ossai_xml *xml = p->xml;
	for (size_t i = 0; i < count; i++, attributes += 5) {
		OSSAI_TRY(ossai_reserve(
			xml->context, &xml->attributes, &p->attribute_capacity, xml->attribute_count, sizeof *xml->attributes));
		ossai_xml_attribute *attribute = &xml->attributes[xml->attribute_count];
		const char *value = (const char *)attributes[3];
		attribute->name = (const char *)attributes[0];
		OSSAI_TRY(keep_value(p, value, (size_t)((const char *)attributes[4] - value), &attribute->value));
		xml->attribute_count++;
	}
	return OSSA_OK;
}

static ossa_status add_element(parse *p, const char *name, size_t attribute_count, const xmlChar **attributes)
{
	ossai_xml *xml = p->xml;
	const ossai_place place = place_of_parser(p);
	if (p->depth == DEPTH_MAX) {
		return ossai_fail(xml->context, OSSA_ERROR_INPUT, &place,
			"elements are nested deeper than %d: no program writes such a file; export it again", DEPTH_MAX);
	}
	OSSAI_TRY(ossai_reserve(xml->context, &xml->elements, &p->element_capacity, xml->element_count, sizeof *xml->elements));
	xml->elements[xml->element_count] = (ossai_xml_element){.name = name,
		.parent = p->open,
		.first_attribute = (uint32_t)xml->attribute_count,
		.attribute_count = (uint32_t)attribute_count,
		.line = (uint32_t)place.line};
	begin_text(p, &xml->elements[xml->element_count]);
	p->open = (uint32_t)xml->element_count++;
	p->depth++;
	return add_attributes(p, attribute_count, attributes);
}

static void start_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
	const xmlChar **namespaces, int attribute_count, int defaulted_count, const xmlChar **attributes)
{
	(void)prefix, (void)uri, (void)namespace_count, (void)namespaces, (void)defaulted_count;
	parse *p = user;
	if (p->status != OSSA_OK) return;
	const ossa_status status = add_element(p, (const char *)name, (size_t)attribute_count, attributes);
	if (status != OSSA_OK) stop(p, status);
}

static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	(void)name, (void)prefix, (void)uri;
	parse *p = user;
	if (p->status != OSSA_OK || p->open == OSSA_NONE) return;
	ossai_xml_element *element = &p->xml->elements[p->open];
	const ossa_status status = p->collects ? keep_gathered(p, &element->text) : OSSA_OK;
	element->end = (uint32_t)p->xml->element_count;
	p->open = element->parent;
	p->depth--;
	p->collects = false;
	if (status != OSSA_OK) stop(p, status);
}

/* ---- what is refused ---- */

static void refuse_entity(parse *p, const char *name)
{
	const ossai_place place = place_of_parser(p);
	char shown[64];
	ossai_name_copy(shown, (ossai_word){name, strlen(name)});
	stop(p,
		ossai_fail(p->xml->context, OSSA_ERROR_INPUT, &place,
			"has the entity \"%s\": ossa takes no files with entities, which can read other files or grow without bound; "
			"remove the DOCTYPE and what uses it",
			shown));
}

static void entity_declared(
	void *user, const xmlChar *name, int type, const xmlChar *public_id, const xmlChar *system_id, xmlChar *content)
{
	(void)type, (void)public_id, (void)system_id, (void)content;
	refuse_entity(user, (const char *)name);
}

static void file_declared(
	void *user, const xmlChar *name, const xmlChar *public_id, const xmlChar *system_id, const xmlChar *notation)
{
	(void)public_id, (void)system_id, (void)notation;
	refuse_entity(user, (const char *)name);
}

static void entity_used(void *user, const xmlChar *name) { refuse_entity(user, (const char *)name); }

/* default values of attributes: they can grow a file, too */
static void attribute_declared(void *user, const xmlChar *element, const xmlChar *name, int type, int kind,
	const xmlChar *value, xmlEnumerationPtr choices)
{
	(void)element, (void)type, (void)kind, (void)value;
	parse *p = user;
	xmlFreeEnumeration(choices);
	const ossai_place place = place_of_parser(p);
	char shown[64];
	ossai_name_copy(shown, (ossai_word){(const char *)name, strlen((const char *)name)});
	stop(p,
		ossai_fail(p->xml->context, OSSA_ERROR_INPUT, &place, "declares the attribute \"%s\" in a DOCTYPE: remove the DOCTYPE",
			shown));
}

/* keeps the first complaint that ends the parse */
static void complain(void *user, xmlErrorPtr error)
{
	parse *p = user;
	if (error->code == XML_WAR_UNDECLARED_ENTITY && p->status == OSSA_OK) {
		refuse_entity(p, error->str1 ? error->str1 : "?");
		return;
	}
	if (error->level != XML_ERR_FATAL || p->error[0]) return;
	p->error_line = error->line;
	const char *message = error->message ? error->message : "is not well-formed";
	if (error->code == XML_ERR_NO_MEMORY && xmlDictGetUsage(p->parser->dict) > NAMES_MAX - NAMES_MAX / 8) {
		message = "more different names than any format has";
	}
	snprintf(p->error, sizeof p->error, "%s", message);
	for (char *at = p->error; *at; at++) {
		if ((unsigned char)*at < 32 || (unsigned char)*at > 126) *at = at[1] ? '?' : 0;
	}
}

/* ---- the parse ---- */

static xmlParserCtxtPtr new_parser(parse *p)
{
	xmlSAXHandler calls;
	memset(&calls, 0, sizeof calls);
	calls.initialized = XML_SAX2_MAGIC;
	calls.startElementNs = start_element;
	calls.endElementNs = end_element;
	calls.characters = characters;
	calls.ignorableWhitespace = characters;
	calls.cdataBlock = characters;
	calls.entityDecl = entity_declared;
	calls.unparsedEntityDecl = file_declared;
	calls.attributeDecl = attribute_declared;
	calls.reference = entity_used;
	calls.serror = (xmlStructuredErrorFunc)complain;
	xmlInitParser();
	xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&calls, p, NULL, 0, NULL);
	if (!parser) return NULL;
	/* no network, no substitution of entities, nothing loaded; the text is UTF-8 by now, whatever
	   it says */
	xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_IGNORE_ENC);
	xmlDictSetLimit(parser->dict, NAMES_MAX);
	return parser;
}

static ossa_status outcome(parse *p, bool well_formed)
{
	ossai_xml *xml = p->xml;
	if (p->status != OSSA_OK) return p->status;
	ossai_place place = ossai_in_file(xml->path);
	if (p->error[0]) {
		place.line = p->error_line;
		return ossai_fail(xml->context, OSSA_ERROR_INPUT, &place, "is not well-formed XML: %s", p->error);
	}
	if (!well_formed || p->open != OSSA_NONE || xml->element_count == 0) {
		return ossai_fail(xml->context, OSSA_ERROR_INPUT, &place, "ends before its root element does: is the file cut off?");
	}
	return OSSA_OK;
}

static void feed(parse *p)
{
	for (size_t at = 0; at < p->text.size && p->status == OSSA_OK && !p->error[0]; at += PIECE_SIZE) {
		const size_t left = p->text.size - at, size = left < PIECE_SIZE ? left : PIECE_SIZE;
		xmlParseChunk(p->parser, p->text.bytes + at, (int)size, size == left);
	}
}

static ossa_status run_parser(parse *p)
{
	ossai_xml *xml = p->xml;
	p->parser = new_parser(p);
	if (!p->parser) return ossai_fail(xml->context, OSSA_ERROR_MEMORY, NULL, "no memory for the XML parser");
	feed(p);
	const ossa_status status = outcome(p, p->parser->wellFormed);
	/* names live as long as the dictionary */
	xml->names = p->parser->dict;
	xmlDictReference(xml->names);
	if (p->parser->myDoc) xmlFreeDoc(p->parser->myDoc);
	xmlFreeParserCtxt(p->parser);
	return status;
}

/* memory for what libxml2 may hold, so that it counts as the context's */
static ossa_status charge(parse *p, void **charged)
{
	const size_t markup = ossai_xml_longest_markup(&p->text);
	if (markup > MARKUP_MAX) {
		const ossai_place place = ossai_in_file(p->xml->path);
		return ossai_fail(p->xml->context, OSSA_ERROR_INPUT, &place,
			"has a tag or comment of %zu bytes: no program writes such a file; export it again", markup);
	}
	const size_t names = p->text.size < NAMES_MAX ? p->text.size : NAMES_MAX;
	*charged = ossai_new(p->xml->context, PARSER_COST + NAME_COST * names + 4 * markup, 1);
	return *charged ? OSSA_OK : ossa_context_error(p->xml->context)->status;
}

ossa_status ossai_xml_read(ossa_context *context, const ossai_source *source, ossai_xml *xml)
{
	*xml = (ossai_xml){.context = context, .path = source->path, .arena = ossai_arena_begin(context)};
	parse p = {.xml = xml, .open = OSSA_NONE};
	void *charged = NULL;
	ossa_status status = ossai_xml_text_make(context, &xml->arena, source, &p.text);
	if (status == OSSA_OK) status = charge(&p, &charged);
	if (status == OSSA_OK) status = run_parser(&p);
	ossa_free(context, charged);
	ossa_free(context, p.gathered);
	if (status != OSSA_OK) ossai_xml_close(xml);
	return status;
}

void ossai_xml_close(ossai_xml *xml)
{
	ossa_free(xml->context, xml->elements);
	ossa_free(xml->context, xml->attributes);
	ossai_arena_end(&xml->arena);
	if (xml->names) xmlDictFree(xml->names);
	*xml = (ossai_xml){.context = xml->context, .arena = xml->arena};
}
