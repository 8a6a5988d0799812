/* skeleton/from_curve/curve_inside.c: see curve_inside.h. */
#include "skeleton/from_curve/curve_inside.h"

#include "query/winding_numbers.h"

/* Steps of the way to a node, and how many are made beyond the first that is inside; and the winding number that counts as inside. */
enum { STEPS = 16, DEEPER = 3 };
static const double INSIDE = 0.5;

typedef struct keeper {
	ossai_winding_tree *tree;
	const ossai_curve *curve;
	uint8_t *is_inside; /* C: known of the nodes */
} keeper;

static bool encloses(const keeper *k, ossai_vec3 p) { return ossai_winding_tree_at(k->tree, p) > INSIDE; }

static uint32_t nearest_inside(const keeper *k, ossai_vec3 p)
{
	uint32_t nearest = OSSA_NONE;
	double least = INFINITY;
	for (uint32_t i = 0; i < k->curve->node_count; i++) {
		const double distance = ossai_distance(p, k->curve->node[i]);
		if (!k->is_inside[i] || distance >= least) continue;
		least = distance;
		nearest = i;
	}
	return nearest;
}

/* farther than the first place that is inside, so that it does not lie in the skin */
static ossai_vec3 bring_inside(const keeper *k, ossai_vec3 p)
{
	const uint32_t node = nearest_inside(k, p);
	if (node == OSSA_NONE) return p;
	const ossai_vec3 to = k->curve->node[node];
	for (int i = 1; i < STEPS; i++) {
		if (encloses(k, ossai_lerp(p, to, (double)i / STEPS))) return ossai_lerp(p, to, fmin(1, (double)(i + DEEPER) / STEPS));
	}
	return to;
}

ossa_status ossai_curve_bones_keep_inside(
	ossai_arena *scratch, const ossai_proxy *proxy, const ossai_curve *curve, ossai_curve_bones *bones)
{
	keeper k = {.curve = curve};
	if (!proxy->is_closed) return OSSA_OK;
	const ossai_mesh_view mesh = ossai_proxy_view(proxy);
	OSSAI_TRY(ossai_winding_tree_make(scratch, &mesh, &k.tree));
	k.is_inside = ossai_arena_new(scratch, curve->node_count, 1);
	if (!k.is_inside) return ossa_context_error(scratch->context)->status;
	for (size_t i = 0; i < curve->node_count; i++) k.is_inside[i] = encloses(&k, curve->node[i]);
	for (size_t b = 0; b < bones->tree.bone_count; b++) {
		if (!encloses(&k, bones->joint[b])) bones->joint[b] = bring_inside(&k, bones->joint[b]);
	}
	return OSSA_OK;
}
