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
	size_t place_count, joint_count;
	const ossai_vec3 *places;
	ossai_vec3 *joints;
	uint8_t *place_inside, *joint_inside;
} keeping;

/* which points are inside, all of them at once */
static ossa_status find_inside(keeping *k, const ossai_mesh_view *mesh, size_t count, const ossai_vec3 *points, uint8_t *inside)
{
	double *flat = ossai_arena_new(&k->scratch, count, 3 * sizeof *flat);
	double *windings = flat ? ossai_arena_new(&k->scratch, count, sizeof *windings) : NULL;
	if (!windings) return ossa_context_error(k->context)->status;
	for (size_t i = 0; i < count; i++) ossai_v3_store(points[i], flat + 3 * i);
	OSSAI_TRY(ossai_winding_numbers_fast(k->context, mesh, count, flat, windings));
	for (size_t i = 0; i < count; i++) inside[i] = ossai_winding_is_inside(windings[i]);
	return OSSA_OK;
}

/* of the joints and, in the same pass over the surface, of the places; whether any joint is
   outside */
static ossa_status find_outside(keeping *k, const ossai_mesh_view *mesh, bool *any)
{
	const size_t count = k->joint_count + k->place_count;
	ossai_vec3 *points = ossai_arena_new(&k->scratch, count, sizeof *points);
	k->joint_inside = points ? ossai_arena_new(&k->scratch, count, 1) : NULL;
	if (!k->joint_inside) return ossa_context_error(k->context)->status;
	k->place_inside = k->joint_inside + k->joint_count;
	for (size_t i = 0; i < count; i++) points[i] = i < k->joint_count ? k->joints[i] : k->places[i - k->joint_count];
	OSSAI_TRY(find_inside(k, mesh, count, points, k->joint_inside));
	*any = false;
	for (size_t b = 0; b < k->joint_count; b++) *any = *any || !k->joint_inside[b];
	return OSSA_OK;
}

/* the nearest place inside; the joint itself where there is none */
static ossai_vec3 nearest_inside(const keeping *k, ossai_vec3 joint)
{
	ossai_vec3 best = joint;
	double least = INFINITY;
	for (size_t i = 0; i < k->place_count; i++) {
		const double distance = ossai_distance(joint, k->places[i]);
		if (!k->place_inside[i] || distance >= least) continue;
		least = distance;
		best = k->places[i];
	}
	return best;
}

/* the steps of the path from a joint to a place: the last one first of all */
static ossai_vec3 choose_step(const ossai_vec3 *step, const uint8_t *inside)
{
	ossai_vec3 best = step[STEPS - 1];
	int first = STEPS;
	for (int i = 1; i <= STEPS && i <= first + DEEPER; i++) {
		if (inside[i - 1]) {
			if (first == STEPS) first = i;
			best = step[i - 1];
		} else if (first < STEPS) break;
	}
	return best;
}

static ossa_status bring_inside(keeping *k, const ossai_mesh_view *mesh)
{
	ossai_vec3 *steps = ossai_arena_new(&k->scratch, k->joint_count, STEPS * sizeof *steps);
	uint8_t *inside = steps ? ossai_arena_new(&k->scratch, k->joint_count, STEPS) : NULL;
	if (!inside) return ossa_context_error(k->context)->status;
	size_t count = 0;
	for (size_t b = 0; b < k->joint_count; b++) {
		if (k->joint_inside[b]) continue;
		const ossai_vec3 to = nearest_inside(k, k->joints[b]);
		for (int i = 1; i <= STEPS; i++) steps[count++] = ossai_lerp(k->joints[b], to, (double)i / STEPS);
		steps[count - 1] = to;
	}
	OSSAI_TRY(find_inside(k, mesh, count, steps, inside));
	for (size_t b = 0, begin = 0; b < k->joint_count; b++) {
		if (k->joint_inside[b]) continue;
		k->joints[b] = choose_step(steps + begin, inside + begin);
		begin += STEPS;
	}
	return OSSA_OK;
}

static ossa_status keep(keeping *k, const ossai_mesh_view *mesh)
{
	bool any = false;
	OSSAI_TRY(find_outside(k, mesh, &any));
	if (!any) return OSSA_OK;
	ossai_mesh_view consistent;
	OSSAI_TRY(ossai_consistent_view(&k->scratch, mesh, &consistent));
	if (consistent.triangles != mesh->triangles) OSSAI_TRY(find_outside(k, &consistent, &any));
	return any ? bring_inside(k, &consistent) : OSSA_OK;
}

ossa_status ossai_joints_keep_inside(ossa_context *context, const ossai_mesh_view *mesh, size_t place_count,
	const ossai_vec3 *places, size_t joint_count, ossai_vec3 *joints)
{
	keeping k = {.context = context,
		.scratch = ossai_arena_begin(context),
		.place_count = place_count,
		.joint_count = joint_count,
		.places = places,
		.joints = joints};
	const ossa_status status = keep(&k, mesh);
	ossai_arena_end(&k.scratch);
	return status;
}
