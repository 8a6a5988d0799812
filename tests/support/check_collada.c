/* tests/support/check_collada.c: see check_collada.h. Written from the specification, shares
   nothing with the writer. */
#include "support/check_collada.h"
#include "support/support.h"

#include <libxml/parser.h>

#include <stdlib.h>
#include <string.h>

/* ---- elements ---- */

static bool is(const xmlNode *element, const char *name) { return strcmp((const char *)element->name, name) == 0; }

const char *test_xml_attribute(const xmlNode *element, const char *name)
{
	const xmlAttr *attribute = xmlHasProp(element, (const xmlChar *)name);
	return attribute && attribute->children ? (const char *)attribute->children->content : "";
}

xmlNode *test_xml_walk(const xmlNode *root, xmlNode *at)
{
	if (xmlFirstElementChild(at)) return xmlFirstElementChild(at);
	while (at != root && !xmlNextElementSibling(at)) at = at->parent;
	return at == root ? NULL : xmlNextElementSibling(at);
}

xmlNode *test_xml_find(xmlNode *root, const char *name)
{
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		if (at != root && is(at, name)) return at;
	}
	return NULL;
}

xmlNode *test_xml_by_id(xmlDoc *document, const char *id)
{
	xmlNode *root = xmlDocGetRootElement(document);
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		if (strcmp(test_xml_attribute(at, "id"), id) == 0) return at;
	}
	return NULL;
}

double *test_xml_numbers(const xmlNode *element, size_t *count)
{
	xmlChar *text = xmlNodeGetContent(element);
	size_t capacity = 16;
	double *values = malloc(capacity * sizeof *values);
	*count = 0;
	for (char *at = (char *)text, *end; values; at = end) {
		const double value = strtod(at, &end);
		if (end == at) break;
		if (*count == capacity) values = realloc(values, (capacity *= 2) * sizeof *values);
		values[(*count)++] = value;
	}
	xmlFree(text);
	assert_non_null(values);
	return values;
}

static size_t count_words(const xmlNode *element)
{
	xmlChar *text = xmlNodeGetContent(element);
	size_t count = 0;
	for (const char *at = (const char *)text; *(at += strspn(at, " \t\r\n")); at += strcspn(at, " \t\r\n")) count++;
	xmlFree(text);
	return count;
}

static size_t number_of(const xmlNode *element, const char *attribute)
{
	return strtoul(test_xml_attribute(element, attribute), NULL, 10);
}

/* ---- addresses ---- */

static xmlNode *by_url(xmlDoc *document, const char *url)
{
	if (url[0] != '#') fail_msg("%s is no address in the file", url);
	xmlNode *found = test_xml_by_id(document, url + 1);
	if (!found) fail_msg("%s leads nowhere", url);
	return found;
}

static xmlNode *by_sid(xmlNode *root, const char *sid)
{
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		if (at != root && strcmp(test_xml_attribute(at, "sid"), sid) == 0) return at;
	}
	return NULL;
}

/* an id and then sids, each inside the one before or inside what that is an instance of */
static xmlNode *by_address(xmlDoc *document, const char *address)
{
	char text[512];
	snprintf(text, sizeof text, "%s", address);
	xmlNode *at = test_xml_by_id(document, strtok(text, "/"));
	for (const char *sid; at && (sid = strtok(NULL, "/"));) {
		xmlNode *inside = by_sid(at, sid);
		if (!inside && test_xml_attribute(at, "url")[0]) inside = by_sid(by_url(document, test_xml_attribute(at, "url")), sid);
		at = inside;
	}
	if (!at) fail_msg("%s leads nowhere", address);
	return at;
}

static void check_addresses(xmlDoc *document)
{
	static const char *const urls[] = {"url", "source"}, *const addresses[] = {"joint", "axis", "link", "node"};
	xmlNode *root = xmlDocGetRootElement(document);
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		for (size_t i = 0; i < 2; i++) {
			if (test_xml_attribute(at, urls[i])[0]) by_url(document, test_xml_attribute(at, urls[i]));
		}
		for (size_t i = 0; i < 4; i++) {
			if (test_xml_attribute(at, addresses[i])[0]) by_address(document, test_xml_attribute(at, addresses[i]));
		}
		const char *target = test_xml_attribute(at, "target");
		if (target[0] == '#') by_url(document, target);
		else if (target[0]) by_address(document, target);
		if (is(at, "skeleton") || is(at, "SIDREF")) {
			xmlChar *text = xmlNodeGetContent(at);
			if (is(at, "skeleton")) by_url(document, (const char *)text);
			else by_address(document, (const char *)text);
			xmlFree(text);
		}
	}
}

static int compare_texts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void check_ids(xmlDoc *document)
{
	char **ids = NULL;
	size_t count = 0;
	xmlNode *root = xmlDocGetRootElement(document);
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		if (!test_xml_attribute(at, "id")[0]) continue;
		ids = realloc(ids, (count + 1) * sizeof *ids);
		ids[count++] = strdup(test_xml_attribute(at, "id"));
	}
	qsort(ids, count, sizeof *ids, compare_texts);
	for (size_t i = 1; i < count; i++) {
		if (strcmp(ids[i - 1], ids[i]) == 0) fail_msg("the id %s is there twice", ids[i]);
	}
	for (size_t i = 0; i < count; i++) free(ids[i]);
	free(ids);
}

/* ---- arrays ---- */

static void check_source(const xmlNode *source)
{
	xmlNode *array = xmlFirstElementChild((xmlNode *)source), *accessor = test_xml_find((xmlNode *)source, "accessor");
	if (count_words(array) != number_of(array, "count")) {
		fail_msg("%s holds %zu values and says %zu", test_xml_attribute(source, "id"), count_words(array),
			number_of(array, "count"));
	}
	assert_string_equal(test_xml_attribute(accessor, "source") + 1, test_xml_attribute(array, "id"));
	const size_t stride = number_of(accessor, "stride"), parameters = xmlChildElementCount(accessor);
	assert_int_equal(number_of(accessor, "count") * stride, number_of(array, "count"));
	const char *type = test_xml_attribute(xmlFirstElementChild(accessor), "type");
	assert_int_equal(strcmp(type, "float4x4") == 0 ? 16 : parameters, stride);
}

/* how many elements an input's source has; vertices have those of their positions */
static size_t count_of_input(xmlDoc *document, const xmlNode *input)
{
	xmlNode *source = by_url(document, test_xml_attribute(input, "source"));
	if (is(source, "vertices")) source = by_url(document, test_xml_attribute(xmlFirstElementChild(source), "source"));
	return number_of(test_xml_find(source, "accessor"), "count");
}

/* a list of corners (polylist) or pairs (vertex_weights): the numbers are there, and each within
   its source */
static void check_list(xmlDoc *document, xmlNode *list, const char *indices_name)
{
	size_t width = 0, item_count, index_count, sum = 0;
	double *items = test_xml_numbers(test_xml_find(list, "vcount"), &item_count);
	double *indices = test_xml_numbers(test_xml_find(list, indices_name), &index_count);
	for (size_t i = 0; i < item_count; i++) sum += (size_t)items[i];
	assert_int_equal(item_count, number_of(list, "count"));
	for (xmlNode *at = xmlFirstElementChild(list); is(at, "input"); at = xmlNextElementSibling(at)) {
		const size_t offset = number_of(at, "offset");
		width = offset + 1 > width ? offset + 1 : width;
	}
	assert_int_equal(index_count, sum * width);
	for (xmlNode *at = xmlFirstElementChild(list); is(at, "input"); at = xmlNextElementSibling(at)) {
		const size_t capacity = count_of_input(document, at);
		for (size_t i = number_of(at, "offset"); i < index_count; i += width)
			assert_true(indices[i] >= 0 && indices[i] < capacity);
	}
	free(items);
	free(indices);
}

static void check_sampler(xmlDoc *document, const xmlNode *sampler)
{
	xmlNode *first = xmlFirstElementChild((xmlNode *)sampler);
	for (xmlNode *at = first; at; at = xmlNextElementSibling(at)) {
		assert_int_equal(count_of_input(document, at), count_of_input(document, first));
	}
}

static void check_arrays(xmlDoc *document)
{
	xmlNode *root = xmlDocGetRootElement(document);
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		if (is(at, "source")) check_source(at);
		if (is(at, "polylist")) check_list(document, at, "p");
		if (is(at, "vertex_weights")) check_list(document, at, "v");
		if (is(at, "sampler")) check_sampler(document, at);
	}
}

/* ---- joints ---- */

/* programs look for a skin's joints by sid below the root of the skeleton and take the first: it
   must be a joint */
static void check_skin(xmlDoc *document, xmlNode *names)
{
	xmlNode *scene = test_xml_find(xmlDocGetRootElement(document), "visual_scene");
	xmlChar *text = xmlNodeGetContent(names);
	for (char *sid = strtok((char *)text, " "); sid; sid = strtok(NULL, " ")) {
		const xmlNode *found = by_sid(scene, sid);
		if (!found || !is(found, "node")) fail_msg("%s is the sid of something else than a joint", sid);
	}
	xmlFree(text);
}

/* the first element of the file with that sid, as querySelector finds it */
static xmlNode *first_with_sid(xmlDoc *document, const char *sid) { return by_sid(xmlDocGetRootElement(document), sid); }

/* "…inst_JOINT_axis0" gives JOINT, as three.js cuts it out */
static void joint_of_parameter(const char *parameter, char *joint, size_t size)
{
	const char *from = parameter;
	for (const char *next; (next = strstr(from, "inst_"));) from = next + 5;
	const char *to = strstr(from, "axis");
	if (!to || to == from) fail_msg("%s names no joint", parameter);
	snprintf(joint, size, "%.*s", (int)(to - from - 1), from);
}

/* The transform that three.js takes for the axis must be the one that the address means, and no
   other of its node must look like it. What the text of the axis names must be a parameter of the
   scene and a joint of the model. */
static void check_binding(xmlDoc *document, const xmlNode *binding)
{
	char joint[256];
	xmlNode *scene = by_url(document, test_xml_attribute(binding->parent, "url"));
	xmlNode *model = test_xml_find(xmlDocGetRootElement(document), "kinematics_model");
	xmlNode *turn = by_address(document, test_xml_attribute(binding, "target"));
	xmlChar *parameter = xmlNodeGetContent(test_xml_find((xmlNode *)binding, "param"));
	/* of a joint that slides */
	assert_true(is(turn, "rotate") || is(turn, "translate"));
	assert_ptr_equal(first_with_sid(document, test_xml_attribute(turn, "sid")), turn);
	assert_non_null(by_sid(scene, (const char *)parameter));
	joint_of_parameter((const char *)parameter, joint, sizeof joint);
	assert_non_null(by_sid(model, joint));
	for (xmlNode *at = xmlFirstElementChild(turn->parent); at; at = xmlNextElementSibling(at)) {
		if (is(at, "node")) continue;
		if ((strstr(test_xml_attribute(at, "sid"), joint) != NULL) != (at == turn)) {
			fail_msg("joint %s is taken for the transform %s", joint, test_xml_attribute(at, "sid"));
		}
	}
	xmlFree(parameter);
}

void test_check_collada_document(xmlDoc *document)
{
	xmlNode *root = xmlDocGetRootElement(document);
	assert_true(is(root, "COLLADA"));
	check_ids(document);
	check_addresses(document);
	check_arrays(document);
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		if (is(at, "bind_joint_axis")) check_binding(document, at);
		if (is(at, "skin")) check_skin(document, test_xml_find(at, "Name_array"));
	}
}

void test_check_collada(const char *path)
{
	xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET);
	assert_non_null(document);
	test_check_collada_document(document);
	xmlFreeDoc(document);
}

xmlDoc *test_xml_open(const char *path)
{
	xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET);
	assert_non_null(document);
	return document;
}

xmlDoc *test_collada_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions, int collada)
{
	ossa_write_options options = ossa_write_default();
	options.collada = collada;
	assert_ok(context, ossa_write_mesh(context, mesh, positions, test_path("mesh.dae"), &options));
	xmlDoc *document = test_xml_open(test_path("mesh.dae"));
	test_check_collada_document(document);
	return document;
}

void test_xml_floats(xmlDoc *document, const char *id, const float *expected, size_t count)
{
	size_t found;
	double *values = test_xml_numbers(test_xml_by_id(document, id), &found);
	assert_true(found >= count);
	for (size_t i = 0; i < count; i++) assert_true((float)values[i] == expected[i]);
	free(values);
}
