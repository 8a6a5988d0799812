/* skeleton/from_curve/node_bones.c: see node_bones.h. */
#include "skeleton/from_curve/node_bones.h"

#include "skeleton/from_curve/curve_chains.h"

static void put_joints(const ossai_curve *curve, ossai_curve_bones *bones)
{
	for (uint32_t i = 0; i < curve->node_count; i++) {
		bones->tree.parent[i] = OSSA_NONE;
		bones->joint[i] = bones->tail[i] = curve->node[i];
		bones->radius[i] = curve->radius[i];
	}
	for (size_t v = 0; v < curve->vertex_count; v++) bones->bone_of_vertex[v] = curve->node_of_vertex[v];
}

/* parents and tails along the chains */
static void connect(const ossai_chains *chains, ossai_curve_bones *bones)
{
	bones->tree.root = chains->root;
	for (size_t c = 0; c < chains->count; c++) {
		const ossai_chain *chain = &chains->chain[c];
		for (uint32_t i = chain->begin; i + 1 < chain->begin + chain->count; i++) {
			const uint32_t from = chains->node[i], to = chains->node[i + 1];
			bones->tail[from] = chains->point[i + 1];
			if (to != OSSA_NONE) bones->tree.parent[to] = from;
		}
	}
	ossai_tree_sort(&bones->tree);
}

ossa_status ossai_curve_bones_of_nodes(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_curve *curve, uint32_t root, ossai_curve_bones *bones)
{
	*bones = (ossai_curve_bones){.joint = NULL};
	if (curve->node_count == 0) return ossai_fail(arena->context, OSSA_ERROR_INPUT, NULL, "the curve has no nodes");
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_chains chains;
	ossa_status status = ossai_chains_make(&scratch, proxy, curve, root, &chains);
	if (status == OSSA_OK) status = ossai_curve_bones_new(arena, curve->node_count, curve->vertex_count, bones);
	if (status == OSSA_OK) {
		put_joints(curve, bones);
		connect(&chains, bones);
	}
	ossai_arena_end(&scratch);
	return status;
}
