/* skeleton/from_curve/joints_inside.c: see joints_inside.h. */
#include "skeleton/from_curve/joints_inside.h"

#include "query/inside.h"
#include "query/winding_numbers.h"

/* Steps of the path to a place, and how many are made beyond the first that is inside, while they
   are inside, too: the joint should not lie in the skin, nor behind a thin wall. */
enum { STEPS = 16, DEEPER = 3 };

typedef struct keeping {
	ossa_context *context;
	ossai_arena scratch;
	ossai_winding_tree *tree; /* made when a joint is outside */
	size_t place_count;
	const ossai_vec3 *places;
	double *place_windings, *joint_windings;
} keeping;

static ossa_status wind(keeping *k, const ossai_mesh_view *mesh, size_t count, const ossai_vec3 *points, double **windings)
{
	double *flat = ossai_arena_new(&k->scratch, count, 3 * sizeof *flat);
	*windings = flat ? ossai_arena_new(&k->scratch, count, sizeof **windings) : NULL;
	if (!*windings) return ossa_context_error(k->context)->status;
	for (size_t i = 0; i < count; i++) ossai_v3_store(points[i], flat + 3 * i);
	return ossai_winding_numbers_fast(k->context, mesh, count, flat, *windings);
}

/* the nearest place inside; the joint itself where there is none */
static ossai_vec3 nearest_inside(const keeping *k, ossai_vec3 joint)
{
	ossai_vec3 best = joint;
	double least = INFINITY;
	for (size_t i = 0; i < k->place_count; i++) {
		const double distance = ossai_distance(joint, k->places[i]);
		if (!ossai_winding_is_inside(k->place_windings[i]) || distance >= least) continue;
		least = distance;
		best = k->places[i];
	}
	return best;
}

static bool is_inside(const keeping *k, ossai_vec3 point)
{
	return ossai_winding_is_inside(ossai_winding_tree_at(k->tree, point));
}

static ossai_vec3 bring_inside(const keeping *k, ossai_vec3 joint)
{
	const ossai_vec3 to = nearest_inside(k, joint);
	ossai_vec3 best = to;
	int first = STEPS;
	for (int i = 1; i <= STEPS && i <= first + DEEPER; i++) {
		const ossai_vec3 point = ossai_lerp(joint, to, (double)i / STEPS);
		if (is_inside(k, point)) {
			if (first == STEPS) first = i;
			best = point;
		} else if (first < STEPS) break;
	}
	return best;
}

static ossa_status wind_joints(keeping *k, const ossai_mesh_view *mesh, size_t joint_count, const ossai_vec3 *joints, bool *any)
{
	OSSAI_TRY(wind(k, mesh, joint_count, joints, &k->joint_windings));
	*any = false;
	for (size_t b = 0; b < joint_count; b++) *any = *any || !ossai_winding_is_inside(k->joint_windings[b]);
	return OSSA_OK;
}

static ossa_status keep(keeping *k, const ossai_mesh_view *mesh, size_t joint_count, ossai_vec3 *joints)
{
	bool any = false;
	OSSAI_TRY(wind_joints(k, mesh, joint_count, joints, &any));
	if (!any) return OSSA_OK;
	ossai_mesh_view consistent;
	OSSAI_TRY(ossai_consistent_view(&k->scratch, mesh, &consistent));
	if (consistent.triangles != mesh->triangles) OSSAI_TRY(wind_joints(k, &consistent, joint_count, joints, &any));
	if (!any) return OSSA_OK;
	OSSAI_TRY(ossai_winding_tree_make(&k->scratch, &consistent, &k->tree));
	OSSAI_TRY(wind(k, &consistent, k->place_count, k->places, &k->place_windings));
	for (size_t b = 0; b < joint_count; b++) {
		if (!ossai_winding_is_inside(k->joint_windings[b])) joints[b] = bring_inside(k, joints[b]);
	}
	return OSSA_OK;
}

ossa_status ossai_joints_keep_inside(ossa_context *context, const ossai_mesh_view *mesh, size_t place_count,
	const ossai_vec3 *places, size_t joint_count, ossai_vec3 *joints)
{
	keeping k = {.context = context, .scratch = ossai_arena_begin(context), .place_count = place_count, .places = places};
	const ossa_status status = keep(&k, mesh, joint_count, joints);
	ossai_arena_end(&k.scratch);
	return status;
}
