/* import/collada/collada_skin.c: a <skin>: its joints and the weights of its vertices: see
   collada.h.

   Place in the path: called by collada_controller.c for every instance of a skin.
   Input: <joints>, <vertex_weights>, the instance's <skeleton>s.
   Output: an ossai_asset_skin and the mesh's joints and weights.
   Joints are sids below the <skeleton>s by the letter of the standard; real writers also give ids
   and names, and leave <skeleton> out. */
#include "import/collada/collada.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOTS_MAX = 256 }; /* <skeleton>s that are searched first */

/* Passed along while a skin is read. */
typedef struct skinner {
	ossai_dae *c;
	uint32_t skin, instance; /* elements */
	ossai_asset_mesh *mesh;
	size_t root_count;
	uint32_t first[ROOTS_MAX], end[ROOTS_MAX]; /* nodes of each <skeleton> */
	size_t joint_count;                        /* in the file */
	const ossai_word *names;
	bool ids_first;  /* names are ids rather than sids */
	uint32_t *nodes; /* of each joint, or OSSA_NONE */
	ossai_rigid *inverse_bind;
	bool *used;
	bool bind_shape; /* joint -1 is used: one more joint, after the others */
	size_t stride, joint_offset, weight_offset;
	ossai_accessor weights;
	ossai_influence *pairs; /* of the vertex being read */
	int64_t cut_vertices;
} skinner;

/* ---- joints ---- */

/* the nodes below each <skeleton> */
static void find_roots(skinner *s)
{
	const ossai_dae *c = s->c;
	for (uint32_t e = ossai_xml_child(&c->xml, s->instance, "skeleton"); e != OSSA_NONE && s->root_count < ROOTS_MAX;
		 e = ossai_xml_next(&c->xml, e, "skeleton")) {
		const uint32_t element = ossai_dae_resolve(c, ossai_xml_trimmed(&c->xml, e), "node", OSSA_NONE);
		const uint32_t node = element == OSSA_NONE ? OSSA_NONE : c->elements.first_of[element];
		if (node == OSSA_NONE) continue;
		s->first[s->root_count] = node;
		s->end[s->root_count++] = c->nodes.end[node];
	}
}

/* below the roots, then anywhere */
static uint32_t find_node(const skinner *s, const ossai_word_index *index, ossai_word word)
{
	for (size_t i = 0; i < s->root_count; i++) {
		const uint32_t node = ossai_word_index_find(index, word, "", s->first[i]);
		if (node != OSSA_NONE && node < s->end[i]) return node;
	}
	return ossai_word_index_find(index, word, "", 0);
}

/* "root/arm/hand": an id, then sids each below the one before */
static uint32_t find_path(const skinner *s, ossai_word path)
{
	const ossai_dae *c = s->c;
	uint32_t node = OSSA_NONE;
	for (size_t at = 0, i = 0; at < path.size; i++) {
		const char *slash = memchr(path.bytes + at, '/', path.size - at);
		const size_t size = slash ? (size_t)(slash - path.bytes) - at : path.size - at;
		const ossai_word part = {path.bytes + at, size};
		if (i == 0) node = find_node(s, &c->nodes.by_id, part);
		else {
			const uint32_t next = ossai_word_index_find(&c->nodes.by_sid, part, "", node + 1);
			node = next != OSSA_NONE && next < c->nodes.end[node] ? next : OSSA_NONE;
		}
		if (node == OSSA_NONE) return OSSA_NONE;
		at += size + 1;
	}
	return node;
}

static uint32_t find_joint(const skinner *s, ossai_word word)
{
	const ossai_dae *c = s->c;
	const ossai_word_index *order[] = {s->ids_first ? &c->nodes.by_id : &c->nodes.by_sid,
		s->ids_first ? &c->nodes.by_sid : &c->nodes.by_id, &c->nodes.by_name};
	for (size_t i = 0; i < 3; i++) {
		const uint32_t node = find_node(s, order[i], word);
		if (node != OSSA_NONE) return node;
	}
	return word.size > 0 && memchr(word.bytes, '/', word.size) ? find_path(s, word) : OSSA_NONE;
}

/* a matrix of the file's inverse binds */
static ossa_status read_inverse_bind(skinner *s, const ossai_accessor *a, size_t joint)
{
	char shown[64];
	double m[16];
	for (size_t k = 0; k < 16; k++) m[k] = ossai_accessor_get(a, joint, k);
	OSSAI_TRY(ossai_dae_affine(s->c, a->element, m));
	const ossai_rigid map = ossai_rigid_of(m);
	s->inverse_bind[joint] = map;
	const double det = ossai_mat3_det(&map.r), size = fabs(map.r.m[0][0]) + fabs(map.r.m[1][1]) + fabs(map.r.m[2][2]);
	if (isfinite(det) && fabs(det) > 1e-30 && isfinite(size)) return OSSA_OK;
	return ossai_dae_fail(s->c, a->element, "the inverse bind matrix of joint %zu (\"%s\") has no inverse", joint,
		ossai_word_show(s->names[joint], shown));
}

static ossa_status read_joints(skinner *s)
{
	ossai_dae *c = s->c;
	ossai_inputs inputs;
	ossai_accessor binds;
	const uint32_t joints = ossai_xml_child(&c->xml, s->skin, "joints");
	OSSAI_TRY(ossai_dae_inputs(c, joints == OSSA_NONE ? s->skin : joints, &inputs));
	const ossai_input *joint = ossai_input_of(&inputs, "JOINT"), *bind = ossai_input_of(&inputs, "INV_BIND_MATRIX");
	if (!joint || joint->source == OSSA_NONE || !bind || bind->source == OSSA_NONE) {
		return ossai_dae_fail(c, s->skin, "<skin> has no JOINT or no INV_BIND_MATRIX in its <joints>: export the file again");
	}
	OSSAI_TRY(ossai_dae_words(c, joint->source, &s->joint_count, &s->names));
	s->ids_first = ossai_xml_child(&c->xml, joint->source, "Name_array") == OSSA_NONE;
	OSSAI_TRY(ossai_dae_accessor(c, bind->source, NULL, &binds));
	if (binds.width != 16 || binds.count < s->joint_count) {
		return ossai_dae_fail(c, bind->source, "holds %zu matrices of %zu numbers for %zu joints: export the file again",
			binds.count, binds.width, s->joint_count);
	}
	s->nodes = ossai_arena_new(&c->arena, s->joint_count, sizeof *s->nodes);
	s->inverse_bind = ossai_arena_new(&c->arena, s->joint_count, sizeof *s->inverse_bind);
	s->used = ossai_arena_zero(&c->arena, s->joint_count, sizeof *s->used);
	if (!s->nodes || !s->inverse_bind || !s->used) return ossai_dae_lost(c);
	find_roots(s);
	for (size_t i = 0; i < s->joint_count; i++) {
		s->nodes[i] = find_joint(s, s->names[i]);
		OSSAI_TRY(read_inverse_bind(s, &binds, i));
	}
	return OSSA_OK;
}

/* ---- weights ---- */

/* weights that are not numbers come first, so that cutting does not hide them */
static int compare_pairs(const void *left, const void *right)
{
	const ossai_influence *a = left, *b = right;
	const double x = isnan(a->weight) ? INFINITY : a->weight, y = isnan(b->weight) ? INFINITY : b->weight;
	if (x != y) return x < y ? 1 : -1;
	return (a->joint > b->joint) - (a->joint < b->joint);
}

/* the next pair of indices; weights of zero say nothing */
static ossa_status read_pair(skinner *s, ossai_text *text, size_t *count)
{
	int64_t joint = -1, weight = -1;
	for (size_t i = 0; i < s->stride; i++) {
		int64_t index;
		bool there;
		OSSAI_TRY(ossai_dae_integer(s->c, text, &index, &there));
		if (!there) return ossai_text_fail(text, "<v> ends before all vertices of <vcount> have weights: is the file cut off?");
		if (i == s->joint_offset) joint = index;
		if (i == s->weight_offset) weight = index;
	}
	if (joint < -1 || (joint >= 0 && (uint64_t)joint >= s->joint_count)) {
		return ossai_text_fail(text, "a weight is of joint %lld, and the skin has %zu (counted from 0): export the file again",
			(long long)joint, s->joint_count);
	}
	if (weight < 0 || (uint64_t)weight >= s->weights.count) {
		return ossai_text_fail(text, "a vertex asks for weight %lld, and there are %zu (counted from 0): export the file again",
			(long long)weight, s->weights.count);
	}
	const float value = (float)ossai_accessor_get(&s->weights, (size_t)weight, 0);
	if (value == 0) return OSSA_OK;
	if (joint < 0) s->bind_shape = true;
	else s->used[joint] = true;
	s->pairs[(*count)++] = (ossai_influence){joint < 0 ? (uint32_t)s->joint_count : (uint32_t)joint, (double)value};
	return OSSA_OK;
}

static void store_pairs(skinner *s, size_t vertex, size_t count)
{
	const size_t influences = s->mesh->influences;
	if (count > influences) {
		qsort(s->pairs, count, sizeof *s->pairs, compare_pairs);
		count = influences;
		s->cut_vertices++;
	}
	for (size_t i = 0; i < count; i++) {
		s->mesh->joints[vertex * influences + i] = s->pairs[i].joint;
		s->mesh->weights[vertex * influences + i] = (float)s->pairs[i].weight;
	}
}

/* how many vertices have weights, and how many the one has that has the most */
static ossa_status survey(skinner *s, uint32_t vcount, size_t *vertices, size_t *most)
{
	ossai_text text = ossai_xml_cursor(&s->c->xml, vcount);
	*vertices = *most = 0;
	for (;;) {
		int64_t count;
		bool there;
		OSSAI_TRY(ossai_dae_integer(s->c, &text, &count, &there));
		if (!there) return OSSA_OK;
		if (count > 0 && (uint64_t)count > *most) *most = (size_t)count;
		(*vertices)++;
	}
}

static ossa_status open_weights(skinner *s, uint32_t element)
{
	ossai_inputs inputs;
	OSSAI_TRY(ossai_dae_inputs(s->c, element == OSSA_NONE ? s->skin : element, &inputs));
	const ossai_input *joint = ossai_input_of(&inputs, "JOINT"), *weight = ossai_input_of(&inputs, "WEIGHT");
	if (!joint || !weight || weight->source == OSSA_NONE) {
		return ossai_dae_fail(s->c, s->skin, "<skin> has no JOINT or no WEIGHT in its <vertex_weights>: export the file again");
	}
	s->stride = inputs.stride;
	s->joint_offset = joint->offset;
	s->weight_offset = weight->offset;
	return ossai_dae_accessor(s->c, weight->source, NULL, &s->weights);
}

static ossa_status read_vertices(skinner *s, uint32_t element, size_t weighted)
{
	const ossai_xml *xml = &s->c->xml;
	const size_t vertex_count = s->mesh->mesh->vertex_count;
	ossai_text sizes = ossai_xml_cursor(xml, ossai_xml_child(xml, element, "vcount"));
	ossai_text text = ossai_xml_cursor(xml, ossai_xml_child(xml, element, "v"));
	for (size_t v = 0; v < weighted; v++) {
		int64_t size;
		bool there;
		size_t count = 0;
		OSSAI_TRY(ossai_dae_integer(s->c, &sizes, &size, &there));
		for (int64_t i = 0; i < size; i++) OSSAI_TRY(read_pair(s, &text, &count));
		if (v < vertex_count) store_pairs(s, v, count);
	}
	if (weighted != vertex_count) {
		ossai_warn(s->c->context, "weights-mismatch", 1, "%s, line %u: weights for %zu vertices on a mesh of %zu",
			s->c->source->path, xml->elements[element].line, weighted, vertex_count);
	}
	return OSSA_OK;
}

static ossa_status read_weights(skinner *s)
{
	ossai_dae *c = s->c;
	const uint32_t element = ossai_xml_child(&c->xml, s->skin, "vertex_weights");
	size_t weighted, most;
	OSSAI_TRY(open_weights(s, element));
	OSSAI_TRY(survey(s, ossai_xml_child(&c->xml, element, "vcount"), &weighted, &most));
	/* a vertex cannot have more pairs than there is text for them */
	const uint32_t v = ossai_xml_child(&c->xml, element, "v");
	const size_t capacity = v == OSSA_NONE ? 0 : c->xml.elements[v].text.size / 2 + 1;
	s->pairs = ossai_arena_new(&c->arena, most < capacity ? most : capacity, sizeof *s->pairs);
	if (!s->pairs) return ossai_dae_lost(c);
	ossai_asset_mesh *mesh = s->mesh;
	const size_t influences = most < 1 ? 1 : most < OSSAI_INFLUENCES_MAX ? most : OSSAI_INFLUENCES_MAX;
	mesh->joints = ossai_arena_zero(&c->asset->arena, mesh->mesh->vertex_count, influences * sizeof *mesh->joints);
	mesh->weights = ossai_arena_zero(&c->asset->arena, mesh->mesh->vertex_count, influences * sizeof *mesh->weights);
	if (!mesh->joints || !mesh->weights) return ossai_dae_lost(c);
	mesh->influences = influences;
	OSSAI_TRY(read_vertices(s, element, weighted));
	if (s->cut_vertices) {
		ossai_warn(c->context, "influences-cut", s->cut_vertices,
			"%s: vertices have more than %d weights; the largest are kept", c->source->path, OSSAI_INFLUENCES_MAX);
	}
	return OSSA_OK;
}

/* ---- the skin ---- */

/* joints without a node are dropped where they have no children; else their motion is unknown */
static ossa_status drop_missing(skinner *s, uint32_t *kept_as, size_t *kept)
{
	char shown[64];
	int64_t dropped = 0;
	*kept = 0;
	for (size_t i = 0; i < s->joint_count; i++) {
		kept_as[i] = (uint32_t)*kept;
		if (s->nodes[i] != OSSA_NONE) {
			s->nodes[*kept] = s->nodes[i];
			s->inverse_bind[*kept] = s->inverse_bind[i];
			++*kept;
		} else if (s->used[i]) {
			return ossai_dae_fail(s->c, s->skin,
				"the joint \"%s\" moves vertices, and no node of the scene has that sid, id or name: export the skeleton, too",
				ossai_word_show(s->names[i], shown));
		} else dropped++;
	}
	if (dropped) {
		ossai_warn(s->c->context, "missing-joints", dropped,
			"%s: joints of a skin that move nothing have no node; they are left out", s->c->source->path);
	}
	return OSSA_OK;
}

/* joint -1: stays as it was bound */
static ossa_status add_bind_shape(skinner *s, ossai_asset_skin *skin, size_t at)
{
	ossai_dae *c = s->c;
	if (c->nodes.bind_shape == OSSA_NONE) {
		OSSAI_TRY(ossai_dae_add_node(c, OSSA_NONE, OSSA_NONE, &c->nodes.bind_shape));
		c->nodes.items[c->nodes.bind_shape].name = "bind_shape";
	}
	skin->joints[at] = c->nodes.bind_shape;
	skin->inverse_bind[at] = (ossai_rigid){ossai_mat3_identity(), ossai_v3(0, 0, 0)};
	return OSSA_OK;
}

static ossa_status finish_skin(skinner *s)
{
	ossai_dae *c = s->c;
	size_t kept;
	uint32_t *kept_as = ossai_arena_new(&c->arena, s->joint_count, sizeof *kept_as);
	if (!kept_as) return ossai_dae_lost(c);
	OSSAI_TRY(drop_missing(s, kept_as, &kept));
	ossai_asset_skin *skin = &c->asset->skins[c->asset->skin_count];
	const size_t count = kept + s->bind_shape;
	skin->joints = ossai_arena_new(&c->asset->arena, count, sizeof *skin->joints);
	skin->inverse_bind = ossai_arena_new(&c->asset->arena, count, sizeof *skin->inverse_bind);
	if (!skin->joints || !skin->inverse_bind) return ossai_dae_lost(c);
	if (kept) memcpy(skin->joints, s->nodes, kept * sizeof *s->nodes);
	if (kept) memcpy(skin->inverse_bind, s->inverse_bind, kept * sizeof *s->inverse_bind);
	if (s->bind_shape) OSSAI_TRY(add_bind_shape(s, skin, kept));
	if (count == 0) return ossai_dae_fail(c, s->skin, "<skin> has no joints: export the skeleton, too");
	const size_t slots = s->mesh->mesh->vertex_count * s->mesh->influences;
	for (size_t i = 0; i < slots; i++) {
		uint32_t *joint = &s->mesh->joints[i];
		if (s->mesh->weights[i] == 0) *joint = 0;
		else *joint = *joint == s->joint_count ? (uint32_t)kept : kept_as[*joint];
	}
	skin->joint_count = count;
	s->mesh->skin = (uint32_t)c->asset->skin_count++;
	return OSSA_OK;
}

ossa_status ossai_dae_skin(ossai_dae *c, uint32_t skin, uint32_t instance, ossai_asset_mesh *mesh)
{
	skinner s = {.c = c, .skin = skin, .instance = instance, .mesh = mesh};
	OSSAI_TRY(read_joints(&s));
	OSSAI_TRY(read_weights(&s));
	return finish_skin(&s);
}
