/* tests/support/check_collada.h: tests the internal consistency of a Collada file, which schemas
   do not: addresses, counts, indices. */
#ifndef OSSA_TEST_CHECK_COLLADA_H
#define OSSA_TEST_CHECK_COLLADA_H

#include <ossa/mesh.h>

#include <libxml/tree.h>

#include <stdbool.h>
#include <stddef.h>

/* Fails the test where an address has no target, an id is repeated, a count is not that of the
   values, an index is out of its source, or where three.js would find another transform than the
   one that a joint's axis is bound to. */
void test_check_collada(const char *path);

/* The same for a document that is open. */
void test_check_collada_document(xmlDoc *document);

/* The element of that id, the first of that name inside one (NULL root: the document's), an
   attribute's text ("" where missing), and the element's numbers (malloc'ed). */
xmlNode *test_xml_by_id(xmlDoc *document, const char *id);
xmlNode *test_xml_find(xmlNode *root, const char *name);
const char *test_xml_attribute(const xmlNode *element, const char *name);
double *test_xml_numbers(const xmlNode *element, size_t *count);

/* The next element in the document's order, inside `root` alone; NULL at the end. */
xmlNode *test_xml_walk(const xmlNode *root, xmlNode *at);

/* A document read without the net. */
xmlDoc *test_xml_open(const char *path);
/* A mesh (at `positions`, or NULL) written as Collada, checked and read. */
xmlDoc *test_collada_mesh(ossa_context *context, const ossa_mesh *mesh, const float *positions, int collada);
/* Asserts that the numbers of the element begin with these. */
void test_xml_floats(xmlDoc *document, const char *id, const float *expected, size_t count);

#endif
