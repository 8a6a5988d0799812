/* export/gltf/kept_old_weights.c: reads the weights that the meshes of a kept glTF file have there.

   Place in the path: inside the GLB writer; for levels that keep theirs (kept_own_weights.c), and
   for what was below old joints (kept_orphans.c).
   Input: the document.
   Output: by vertex the nodes of its joints and their weights. */
#include "export/gltf/kept.h"

#include <stdio.h>

typedef struct old_weights {
	ossai_arena scratch;
	ossai_gltf *gltf;
	const ossa_document *document;
	const ossai_kept_taker *taker;
	bool is_whole; /* so far */
	bool ends;     /* the taker wants no more */
} old_weights;

static uint32_t node_of(const old_weights *o, const json_t *joints, uint32_t joint)
{
	const json_t *node = json_array_get(joints, joint);
	if (!json_is_integer(node) || (uint64_t)json_integer_value(node) >= o->document->node_count) return OSSA_NONE;
	return (uint32_t)json_integer_value(node);
}

/* one set of four; `found`: it is there, for all vertices */
static ossa_status read_set(old_weights *o, const json_t *attributes, size_t set, size_t count, size_t step, uint32_t *joint,
	float *weight, bool *found)
{
	ossai_gltf_accessor joints, weights;
	size_t index[2];
	char name[32];
	*found = false;
	snprintf(name, sizeof name, "JOINTS_%zu", set);
	OSSAI_TRY(ossai_gltf_index(o->gltf, attributes, name, "accessors", &index[0]));
	snprintf(name, sizeof name, "WEIGHTS_%zu", set);
	OSSAI_TRY(ossai_gltf_index(o->gltf, attributes, name, "accessors", &index[1]));
	if (index[0] == SIZE_MAX || index[1] == SIZE_MAX) return OSSA_OK;
	OSSAI_TRY(ossai_gltf_open_accessor(o->gltf, index[0], 4, &joints));
	OSSAI_TRY(ossai_gltf_open_accessor(o->gltf, index[1], 4, &weights));
	*found = joints.run.count == count && weights.run.count == count;
	if (!*found) return OSSA_OK;
	/* integers are normalised even if the file does not say so */
	weights.run.normalized = true;
	OSSAI_TRY(ossai_gltf_integers(o->gltf, &joints, joint + 4 * set, step));
	return ossai_gltf_floats(o->gltf, &weights, weight + 4 * set, step);
}

static size_t count_sets(const json_t *attributes)
{
	size_t sets = 0;
	char name[32];
	do snprintf(name, sizeof name, "JOINTS_%zu", sets);
	while (sets < OSSAI_GLTF_JOINT_SETS_MAX && json_object_get(attributes, name) && ++sets);
	return sets;
}

/* vertex_of: of the primitive's `count` vertices, the mesh's */
static ossa_status read_primitive(
	old_weights *o, const json_t *attributes, const json_t *joints, size_t count, const uint32_t *vertex_of)
{
	const size_t sets = count_sets(attributes), step = 4 * sets;
	bool found = sets > 0;
	uint32_t *joint = ossai_arena_new(&o->scratch, count, step * sizeof *joint);
	float *weight = ossai_arena_new(&o->scratch, count, step * sizeof *weight);
	if (!joint || !weight) return ossa_context_error(o->scratch.context)->status;
	for (size_t set = 0; set < sets && found; set++)
		OSSAI_TRY(read_set(o, attributes, set, count, step, joint, weight, &found));
	for (size_t i = 0; i < count * step && found; i++) joint[i] = node_of(o, joints, joint[i]);
	for (size_t v = 0; v < count && found && !o->ends; v++)
		o->ends = !o->taker->take(o->taker->user, vertex_of[v], step, joint + v * step, weight + v * step);
	o->is_whole = o->is_whole && found && !o->ends;
	return OSSA_OK;
}

static ossa_status read_mesh(old_weights *o, const ossai_document_mesh *mesh)
{
	const json_t *root = o->document->root, *node = json_array_get(json_object_get(root, "nodes"), mesh->node);
	const json_t *skin = json_array_get(json_object_get(root, "skins"), ossai_kept_number(node, "skin"));
	const json_t *item = json_array_get(json_object_get(root, "meshes"), mesh->mesh), *joints = json_object_get(skin, "joints");
	o->is_whole = o->is_whole && joints;
	for (size_t p = 0; p < mesh->primitive_count && joints && !o->ends; p++) {
		const json_t *attributes = json_object_get(json_array_get(json_object_get(item, "primitives"), p), "attributes");
		const size_t first = o->document->primitive_vertex[mesh->first_primitive + p];
		ossai_gltf_accessor positions;
		size_t index;
		if (first == SIZE_MAX) continue;
		OSSAI_TRY(ossai_gltf_index(o->gltf, attributes, "POSITION", "accessors", &index));
		if (index == SIZE_MAX) continue;
		OSSAI_TRY(ossai_gltf_open_accessor(o->gltf, index, 3, &positions));
		OSSAI_TRY(
			read_primitive(o, attributes, joints, positions.run.count, o->document->vertex_of + mesh->first_vertex + first));
	}
	return OSSA_OK;
}

ossa_status ossai_kept_read_weights(
	ossai_gltf *gltf, const ossa_document *document, size_t first, size_t end, const ossai_kept_taker *taker, bool *whole)
{
	old_weights o = {
		.scratch = ossai_arena_begin(gltf->context), .gltf = gltf, .document = document, .taker = taker, .is_whole = true};
	ossa_status status = OSSA_OK;
	for (size_t m = first; m < end && !o.ends && status == OSSA_OK; m++) status = read_mesh(&o, &document->meshes[m]);
	ossai_arena_end(&o.scratch);
	if (whole) *whole = o.is_whole;
	return status;
}
