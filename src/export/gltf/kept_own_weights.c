/* export/gltf/kept_own_weights.c: the weights that a coarser level of a kept glTF file has of its
   own.

   Place in the path: inside the GLB writer, when levels get the rig (kept_lods.c).
   Input: the skins and weights of the document's meshes, the rig.
   Output: weights in the rig's bones, where every joint that moves a vertex has the name of one.
   They are the artist's, and stay as long as the rig is the file's: the finest meshes still have
   the weights that they had there. */
#include "export/gltf/kept.h"
#include "rig/weight_pairs.h"
#include "skeleton/vertex_weight.h"

#include <math.h>
#include <string.h>

/* weights are those of the file where a vertex differs by less in all: integers round to 1/255 */
static const double rounding = 0.02;

typedef struct own_weights {
	ossai_kept *kept;
	ossai_kept_file *file;
	const ossa_document *document;
	uint32_t *bone_of_node; /* of that name, or OSSA_NONE */
	size_t base;            /* vertex of the mesh that is the first of the weights */
	ossa_weights *to;
	bool is_whole; /* all vertices have weights in bones of the rig */
} own_weights;

static ossa_status no_memory(const own_weights *o) { return ossa_context_error(o->kept->writer->context)->status; }

/* ---- bones ---- */

static ossa_status find_bones(own_weights *o)
{
	const json_t *nodes = json_object_get(o->document->root, "nodes");
	o->bone_of_node = ossai_arena_new(&o->kept->writer->arena, o->document->node_count, sizeof *o->bone_of_node);
	if (!o->bone_of_node) return no_memory(o);
	for (size_t n = 0; n < o->document->node_count; n++) {
		const char *name = json_string_value(json_object_get(json_array_get(nodes, n), "name"));
		const int32_t bone = name ? ossa_rig_bone(o->kept->rig, name) : -1;
		o->bone_of_node[n] = bone < 0 ? OSSA_NONE : (uint32_t)bone;
	}
	return OSSA_OK;
}

/* ---- one vertex ---- */

static bool take_vertex(void *user, size_t vertex, size_t count, const uint32_t *node, const float *weight)
{
	own_weights *o = user;
	ossai_weight_pairs pairs;
	pairs.count = 0;
	for (size_t k = 0; k < count; k++) {
		if (!(weight[k] > 0) || !isfinite(weight[k])) continue;
		const uint32_t bone = node[k] == OSSA_NONE ? OSSA_NONE : o->bone_of_node[node[k]];
		if (bone == OSSA_NONE) return false;
		ossai_weight_pairs_add(&pairs, bone, (double)weight[k]);
	}
	if (pairs.count == 0) return false;
	ossai_weight_pairs_sort(&pairs);
	ossai_weight_pairs_store_largest(&pairs, pairs.count, o->to, vertex - o->base);
	return true;
}

static ossa_status read_meshes(own_weights *o, size_t first, size_t end)
{
	const ossai_kept_taker taker = {take_vertex, o};
	OSSAI_TRY(ossai_kept_read_weights(&o->file->gltf, o->document, first, end, &taker, &o->is_whole));
	o->is_whole = o->is_whole && end > first;
	return OSSA_OK;
}

/* ---- whether the rig is the file's ---- */

/* a vertex that no primitive has is in `read` without weights */
static bool is_same(const ossa_weights *rig, const ossa_weights *read)
{
	const size_t width = (size_t)read->influences;
	for (size_t v = 0; v < read->vertex_count; v++) {
		double off = 0;
		for (size_t k = v * width; k < (v + 1) * width && read->values[k] > 0; k++)
			off += fabs((double)read->values[k] - ossai_weight_of(rig, v, read->bones[k]));
		if (off > rounding) return false;
	}
	return true;
}

static ossa_status new_weights(const own_weights *o, size_t vertices, ossa_weights *weights)
{
	const size_t width = (size_t)o->kept->rig->weights.influences;
	*weights = (ossa_weights){.vertex_count = vertices, .influences = o->kept->rig->weights.influences};
	weights->bones = ossai_arena_zero(&o->kept->writer->arena, vertices, width * sizeof *weights->bones);
	weights->values = ossai_arena_zero(&o->kept->writer->arena, vertices, width * sizeof *weights->values);
	return weights->bones && weights->values ? OSSA_OK : no_memory(o);
}

ossa_status ossai_kept_compare_weights(ossai_kept *kept, ossai_kept_file *file)
{
	ossa_weights read;
	own_weights o = {.kept = kept, .file = file, .document = kept->document, .to = &read};
	OSSAI_TRY(find_bones(&o));
	OSSAI_TRY(new_weights(&o, kept->document->vertex_count, &read));
	OSSAI_TRY(read_meshes(&o, 0, kept->document->mesh_count));
	kept->is_own_rig = o.is_whole && is_same(&kept->rig->weights, &read);
	return OSSA_OK;
}

static bool has_skin(const ossa_document *document, size_t first_mesh)
{
	for (size_t m = first_mesh; m < document->mesh_count; m++) {
		const json_t *node = json_array_get(json_object_get(document->root, "nodes"), document->meshes[m].node);
		if (json_object_get(node, "skin")) return true;
	}
	return false;
}

ossa_status ossai_kept_own_weights(ossai_kept *kept, ossai_kept_file *file, const ossa_document *document, size_t first_mesh,
	size_t first_vertex, ossa_weights *weights, bool *found)
{
	own_weights o = {.kept = kept, .file = file, .document = document, .base = first_vertex, .to = weights};
	if (kept->is_own_rig) {
		OSSAI_TRY(find_bones(&o));
		OSSAI_TRY(new_weights(&o, document->vertex_count - first_vertex, weights));
		OSSAI_TRY(read_meshes(&o, first_mesh, document->mesh_count));
	}
	*found = o.is_whole;
	kept->replaced += !o.is_whole && has_skin(document, first_mesh);
	return OSSA_OK;
}

void ossai_kept_warn_of_weights(const ossai_kept *kept)
{
	if (kept->replaced == 0) return;
	ossai_warn(kept->writer->context, "lod-weights", kept->replaced,
		"%s: levels of detail get weights from the finest mesh in place of their own, which are of another rig",
		kept->document->path);
}
