/* skeleton/from_curve/joints_inside.c: see joints_inside.h. */
#include "skeleton/from_curve/joints_inside.h"

#include "query/winding_numbers.h"

/* the winding number that counts as inside, in either sense */
static const double INSIDE = 0.5;

typedef struct keeping {
	ossa_context *context;
	ossai_arena scratch;
	ossai_winding_tree *tree;
	double *joint_numbers, *place_numbers;
} keeping;

static ossa_status wind(keeping *k, size_t count, const ossai_vec3 *points, double **numbers)
{
	double *flat = ossai_arena_new(&k->scratch, count, 3 * sizeof *flat);
	*numbers = flat ? ossai_arena_new(&k->scratch, count, sizeof **numbers) : NULL;
	if (!*numbers) return ossa_context_error(k->context)->status;
	for (size_t i = 0; i < count; i++) ossai_v3_store(points[i], flat + 3 * i);
	ossai_winding_tree_numbers(k->context, k->tree, count, flat, *numbers);
	return OSSA_OK;
}

static ossai_vec3 nearest_inside(const keeping *k, size_t count, const ossai_vec3 *places, ossai_vec3 from)
{
	ossai_vec3 best = from;
	double least = INFINITY;
	for (size_t i = 0; i < count; i++) {
		const double far = ossai_distance(from, places[i]);
		if (fabs(k->place_numbers[i]) <= INSIDE || far >= least) continue;
		least = far;
		best = places[i];
	}
	return best;
}

static ossa_status keep(keeping *k, const ossai_posed_surface *surface, size_t place_count, const ossai_vec3 *places,
	size_t joint_count, ossai_vec3 *joints)
{
	bool any = false;
	const ossai_mesh_view mesh = ossai_posed_surface_view(surface);
	OSSAI_TRY(ossai_winding_tree_make(&k->scratch, &mesh, &k->tree));
	OSSAI_TRY(wind(k, joint_count, joints, &k->joint_numbers));
	for (size_t b = 0; b < joint_count; b++) any = any || fabs(k->joint_numbers[b]) <= INSIDE;
	if (!any) return OSSA_OK;
	OSSAI_TRY(wind(k, place_count, places, &k->place_numbers));
	for (size_t b = 0; b < joint_count; b++) {
		if (fabs(k->joint_numbers[b]) <= INSIDE) joints[b] = nearest_inside(k, place_count, places, joints[b]);
	}
	return OSSA_OK;
}

ossa_status ossai_joints_keep_inside(ossa_context *context, const ossai_posed_surface *surface, size_t place_count,
	const ossai_vec3 *places, size_t joint_count, ossai_vec3 *joints)
{
	keeping k = {.context = context, .scratch = ossai_arena_begin(context)};
	const ossa_status status = keep(&k, surface, place_count, places, joint_count, joints);
	ossai_arena_end(&k.scratch);
	return status;
}
