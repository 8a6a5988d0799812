/* import/collada/collada_nodes.c: the nodes of the scene, and what is attached to them: see
   collada.h.

   Place in the path: after the tables of collada_find.c, before meshes and animations.
   Input: <visual_scene> and <library_nodes>.
   Output: the asset's nodes in the file's order, <instance_node> followed; a list of instances of
   meshes; tables of the nodes' names. */
#include "import/collada/collada.h"

#include <math.h>
#include <string.h>

/* nodes inside each other, <instance_node> followed */
enum { DEPTH_MAX = 4000 };

/* A node whose elements are being read. */
typedef struct frame {
	uint32_t element, node; /* the <node> (or <visual_scene>, node OSSA_NONE) */
	uint32_t at;            /* the next element inside */
} frame;

typedef struct walk {
	size_t count, capacity;
	frame *frames;
} walk;

/* ---- transforms ---- */

static const struct {
	const char *name;
	ossai_op_kind kind;
	size_t count;
} transforms[] = {
	{"matrix", OSSAI_OP_MATRIX, 16},
	{"translate", OSSAI_OP_TRANSLATE, 3},
	{"rotate", OSSAI_OP_TURN, 4},
	{"scale", OSSAI_OP_SCALE, 3},
	{"lookat", OSSAI_OP_MATRIX, 9},
	{"skew", OSSAI_OP_MATRIX, 7},
};
enum { TRANSFORM_COUNT = sizeof transforms / sizeof transforms[0], LOOKAT = 4, SKEW = 5 };

static size_t transform_of(const ossai_dae *c, uint32_t element)
{
	size_t i = 0;
	while (i < TRANSFORM_COUNT && !ossai_xml_is(&c->xml, element, transforms[i].name)) i++;
	return i;
}

static void store_columns(const ossai_vec3 columns[4], double m[16])
{
	memset(m, 0, 16 * sizeof *m);
	for (size_t k = 0; k < 4; k++) {
		m[k] = columns[k].x;
		m[4 + k] = columns[k].y;
		m[8 + k] = columns[k].z;
	}
	m[15] = 1;
}

/* lookat: at the eye, with -Z towards a point and +Y up */
static void look_at(const double v[9], double m[16])
{
	const ossai_vec3 eye = ossai_v3_of(v), up = ossai_v3_of(v + 6);
	const ossai_vec3 z = ossai_unit(ossai_sub(eye, ossai_v3_of(v + 3)), ossai_v3(0, 0, 1));
	const ossai_vec3 beside = fabs(z.x) < 0.7 ? ossai_v3(1, 0, 0) : ossai_v3(0, 1, 0);
	const ossai_vec3 x = ossai_unit(ossai_cross(up, z), ossai_unit(ossai_cross(beside, z), ossai_v3(1, 0, 0)));
	store_columns((ossai_vec3[4]){x, ossai_cross(z, x), z, eye}, m);
}

/* shears the axis a towards the axis b by an angle (RenderMan's skew): p + amount (p . n1) n2 */
static void skew(const double v[7], double m[16])
{
	const double angle = v[0] * OSSAI_PI / 180;
	const ossai_vec3 a = ossai_v3_of(v + 1), n2 = ossai_unit(ossai_v3_of(v + 4), ossai_v3(0, 0, 0));
	const ossai_vec3 n1 = ossai_unit(ossai_madd(a, -ossai_dot(a, n2), n2), ossai_v3(0, 0, 0));
	const double a1 = ossai_dot(a, n1), a2 = ossai_dot(a, n2);
	const double along = a1 * cos(angle) - a2 * sin(angle), across = a1 * sin(angle) + a2 * cos(angle);
	/* beyond the point where the axis would fall onto b there is no such map */
	const double amount = a1 > 1e-12 && along > 1e-12 ? across / along - a2 / a1 : 0;
	const double s[3] = {amount * n2.x, amount * n2.y, amount * n2.z};
	const ossai_vec3 columns[4] = {ossai_v3(1 + s[0] * n1.x, s[1] * n1.x, s[2] * n1.x),
		ossai_v3(s[0] * n1.y, 1 + s[1] * n1.y, s[2] * n1.y), ossai_v3(s[0] * n1.z, s[1] * n1.z, 1 + s[2] * n1.z),
		ossai_v3(0, 0, 0)};
	store_columns(columns, m);
}

static ossa_status read_op(ossai_dae *c, uint32_t element, size_t transform, ossai_op *op)
{
	double values[16];
	op->kind = transforms[transform].kind;
	OSSAI_TRY(ossai_dae_values(c, element, transforms[transform].count, values));
	if (transform == LOOKAT) look_at(values, op->values);
	else if (transform == SKEW) skew(values, op->values);
	else memcpy(op->values, values, transforms[transform].count * sizeof *values);
	if (op->kind == OSSAI_OP_MATRIX) return ossai_dae_affine(c, element, op->values);
	return OSSA_OK;
}

static ossa_status read_ops(ossai_dae *c, uint32_t element, ossai_asset_node *node)
{
	node->op_count = 0;
	for (uint32_t e = ossai_xml_child(&c->xml, element, NULL); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, NULL)) {
		node->op_count += transform_of(c, e) < TRANSFORM_COUNT;
	}
	node->ops = ossai_arena_zero(&c->asset->arena, node->op_count, sizeof *node->ops);
	if (!node->ops) return ossai_dae_lost(c);
	ossai_op *op = node->ops;
	for (uint32_t e = ossai_xml_child(&c->xml, element, NULL); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, NULL)) {
		const size_t transform = transform_of(c, e);
		if (transform < TRANSFORM_COUNT) OSSAI_TRY(read_op(c, e, transform, op++));
	}
	return OSSA_OK;
}

bool ossai_dae_op(const ossai_dae *c, uint32_t transform, uint32_t node, uint32_t *op)
{
	/* of lookat and skew only the outcome is kept, which no channel can change */
	if (transform_of(c, transform) >= LOOKAT) return false;
	*op = 0;
	const uint32_t element = c->nodes.element[node];
	for (uint32_t e = ossai_xml_child(&c->xml, element, NULL); e != OSSA_NONE; e = ossai_xml_next(&c->xml, e, NULL)) {
		if (e == transform) return true;
		*op += transform_of(c, e) < TRANSFORM_COUNT;
	}
	return false;
}

/* ---- nodes ---- */

static ossa_status grow_nodes(ossai_dae *c)
{
	/* an <instance_node> in one that is itself taken many times: a few lines can ask for any number
	   of nodes */
	if (c->nodes.count > 4096 + c->source->size) {
		return ossai_dae_fail(
			c, OSSA_NONE, "its instances of nodes make more than %zu nodes: export it without instances", c->nodes.count - 1);
	}
	OSSAI_TRY(ossai_reserve(c->context, &c->nodes.items, &c->nodes.capacity, c->nodes.count, sizeof *c->nodes.items));
	OSSAI_TRY(
		ossai_reserve(c->context, &c->nodes.element, &c->nodes.element_capacity, c->nodes.count, sizeof *c->nodes.element));
	OSSAI_TRY(ossai_reserve(c->context, &c->nodes.end, &c->nodes.end_capacity, c->nodes.count, sizeof *c->nodes.end));
	return ossai_reserve(c->context, &c->nodes.next, &c->nodes.next_capacity, c->nodes.count, sizeof *c->nodes.next);
}

/* the name that Blender, assimp and Godot use */
static ossai_word name_of(const ossai_dae *c, uint32_t element)
{
	static const char *const attributes[] = {"name", "sid", "id"};
	const ossai_word own = ossai_xml_trimmed(&c->xml, ossai_dae_own(c, element, "name"));
	if (own.size > 0) return own;
	for (size_t i = 0; i < 3; i++) {
		const ossai_word word = ossai_xml_attribute_of(&c->xml, element, attributes[i]);
		if (word.size > 0) return word;
	}
	return (ossai_word){NULL, 0};
}

ossa_status ossai_dae_add_node(ossai_dae *c, uint32_t element, uint32_t parent, uint32_t *result)
{
	OSSAI_TRY(grow_nodes(c));
	const uint32_t index = (uint32_t)c->nodes.count;
	ossai_asset_node *node = &c->nodes.items[index];
	*node = (ossai_asset_node){.parent = parent};
	c->nodes.element[index] = element;
	c->nodes.end[index] = index + 1;
	c->nodes.next[index] = OSSA_NONE;
	c->nodes.count++;
	*result = index;
	if (element == OSSA_NONE) return OSSA_OK;
	const ossai_word name = name_of(c, element);
	if (name.size > 0 && !(node->name = ossai_dae_copy(c, name))) return ossai_dae_lost(c);
	node->is_joint = ossai_word_is(ossai_xml_attribute_of(&c->xml, element, "type"), "JOINT");
	return read_ops(c, element, node);
}

/* nodes of one element in a chain, the first one first: the last is found by going backwards over
   what is at its end */
static ossa_status chain_nodes(ossai_dae *c)
{
	for (size_t i = c->nodes.count; i-- > 0;) {
		const uint32_t element = c->nodes.element[i];
		c->nodes.next[i] = c->elements.first_of[element];
		c->elements.first_of[element] = (uint32_t)i;
	}
	for (size_t i = 0; i < c->nodes.count; i++) {
		const uint32_t element = c->nodes.element[i], node = (uint32_t)i;
		const ossai_xml *xml = &c->xml;
		OSSAI_TRY(ossai_word_index_add(c->context, &c->nodes.by_sid, ossai_xml_attribute_of(xml, element, "sid"), "", node));
		OSSAI_TRY(ossai_word_index_add(c->context, &c->nodes.by_id, ossai_xml_attribute_of(xml, element, "id"), "", node));
		OSSAI_TRY(ossai_word_index_add(c->context, &c->nodes.by_name, ossai_xml_attribute_of(xml, element, "name"), "", node));
	}
	ossai_word_index_sort(&c->nodes.by_sid);
	ossai_word_index_sort(&c->nodes.by_id);
	ossai_word_index_sort(&c->nodes.by_name);
	return OSSA_OK;
}

/* ---- the walk ---- */

static ossa_status push(ossai_dae *c, walk *w, uint32_t element, uint32_t node)
{
	if (w->count == DEPTH_MAX) {
		return ossai_dae_fail(c, element, "nodes are nested deeper than %d: export it without instances", DEPTH_MAX);
	}
	OSSAI_TRY(ossai_reserve(c->context, &w->frames, &w->capacity, w->count, sizeof *w->frames));
	w->frames[w->count++] = (frame){element, node, ossai_xml_child(&c->xml, element, NULL)};
	return OSSA_OK;
}

static ossa_status enter(ossai_dae *c, walk *w, uint32_t element)
{
	uint32_t node;
	OSSAI_TRY(ossai_dae_add_node(c, element, w->frames[w->count - 1].node, &node));
	return push(c, w, element, node);
}

static ossa_status enter_instance(ossai_dae *c, walk *w, uint32_t instance)
{
	char shown[64];
	const uint32_t target = ossai_dae_target(c, instance, "url", "node");
	if (target == OSSA_NONE) {
		ossai_warn(c->context, "missing-nodes", 1, "%s, line %u: the node \"%s\" is not in this file; it is left out",
			c->source->path, c->xml.elements[instance].line,
			ossai_word_show(ossai_xml_attribute_of(&c->xml, instance, "url"), shown));
		return OSSA_OK;
	}
	for (size_t i = 0; i < w->count; i++) {
		if (w->frames[i].element == target) {
			return ossai_dae_fail(c, instance, "<instance_node> puts a node inside itself: remove it");
		}
	}
	return enter(c, w, target);
}

static ossa_status visit(ossai_dae *c, walk *w, uint32_t element)
{
	if (ossai_xml_is(&c->xml, element, "node")) return enter(c, w, element);
	if (ossai_xml_is(&c->xml, element, "instance_node")) return enter_instance(c, w, element);
	if (ossai_xml_is(&c->xml, element, "instance_geometry") || ossai_xml_is(&c->xml, element, "instance_controller")) {
		OSSAI_TRY(ossai_reserve(
			c->context, &c->instances.items, &c->instances.capacity, c->instances.count, sizeof *c->instances.items));
		c->instances.items[c->instances.count++] = (ossai_instance){element, w->frames[w->count - 1].node};
	}
	return OSSA_OK;
}

static ossa_status walk_scene(ossai_dae *c, walk *w, uint32_t scene)
{
	OSSAI_TRY(push(c, w, scene, OSSA_NONE));
	while (w->count > 0) {
		frame *top = &w->frames[w->count - 1];
		if (top->at == OSSA_NONE) {
			if (top->node != OSSA_NONE) c->nodes.end[top->node] = (uint32_t)c->nodes.count;
			w->count--;
			continue;
		}
		const uint32_t element = top->at;
		top->at = ossai_xml_next(&c->xml, element, NULL);
		OSSAI_TRY(visit(c, w, element));
	}
	return OSSA_OK;
}

/* the scene that counts, else the first */
static uint32_t find_scene(const ossai_dae *c)
{
	const uint32_t instance = ossai_xml_at(&c->xml, 0, "scene/instance_visual_scene");
	const uint32_t scene = ossai_dae_target(c, instance, "url", "visual_scene");
	if (scene != OSSA_NONE) return scene;
	for (uint32_t l = ossai_xml_child(&c->xml, 0, "library_visual_scenes"); l != OSSA_NONE;
		 l = ossai_xml_next(&c->xml, l, "library_visual_scenes")) {
		const uint32_t first = ossai_xml_child(&c->xml, l, "visual_scene");
		if (first != OSSA_NONE) return first;
	}
	return OSSA_NONE;
}

/* a file that is a library: its meshes as they are */
static ossa_status take_geometries(ossai_dae *c)
{
	for (uint32_t l = ossai_xml_child(&c->xml, 0, "library_geometries"); l != OSSA_NONE;
		 l = ossai_xml_next(&c->xml, l, "library_geometries")) {
		for (uint32_t g = ossai_xml_child(&c->xml, l, "geometry"); g != OSSA_NONE; g = ossai_xml_next(&c->xml, g, "geometry")) {
			OSSAI_TRY(ossai_reserve(
				c->context, &c->instances.items, &c->instances.capacity, c->instances.count, sizeof *c->instances.items));
			c->instances.items[c->instances.count++] = (ossai_instance){g, OSSA_NONE};
		}
	}
	ossai_warn(c->context, "no-scene", 1, "%s: has no <visual_scene>; its meshes are taken where they are", c->source->path);
	return OSSA_OK;
}

ossa_status ossai_dae_nodes(ossai_dae *c)
{
	walk w = {0};
	const uint32_t scene = find_scene(c);
	ossa_status status = scene == OSSA_NONE ? take_geometries(c) : walk_scene(c, &w, scene);
	ossa_free(c->context, w.frames);
	return status == OSSA_OK ? chain_nodes(c) : status;
}
