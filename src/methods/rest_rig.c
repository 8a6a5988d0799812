/* methods/rest_rig.c: see rest_rig.h. */
#include "methods/rest_rig.h"

#include "math/vec.h"
#include "skeleton/naming/names.h"
#include "skeleton/naming/rest_parts.h"

#include <ossa/contraction.h>
#include <string.h>

/* ---- the rig ---- */

ossa_status ossai_rest_rig_make(ossa_context *context, const ossa_mesh *mesh, ossa_rig **rest)
{
	*rest = NULL;
	ossai_warnings *before = ossai_warnings_save(context);
	if (!before) return ossa_context_error(context)->status;
	ossa_contraction_options options = ossa_contraction_default();
	/* which bone a piece follows is what the motion says */
	options.rigid_pieces = false;
	const ossa_status status = ossa_rig_from_contraction(context, mesh, &options, rest);
	ossai_warnings_restore(context, before);
	ossa_free(context, before);
	return status == OSSA_ERROR_MEMORY || status == OSSA_ERROR_CANCELLED ? status : OSSA_OK;
}

bool ossai_rest_rig_has_plan(const ossa_rig *rest)
{
	for (size_t b = 0; rest && b < rest->skeleton.bone_count; b++) {
		if (rest->skeleton.bones[b].role.part != OSSA_PART_NONE) return true;
	}
	return false;
}

/* ---- skin ---- */

/* a third of the area of the faces around each vertex */
static double *find_areas(ossai_arena *arena, const ossa_mesh *mesh)
{
	double *area = ossai_arena_zero(arena, mesh->vertex_count, sizeof *area);
	for (size_t f = 0; area && f < mesh->triangle_count; f++) {
		const uint32_t *v = mesh->triangles + 3 * f;
		const ossai_vec3 a = ossai_v3_of_float(mesh->positions + 3 * (size_t)v[0]);
		const ossai_vec3 ab = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * (size_t)v[1]), a);
		const ossai_vec3 ac = ossai_sub(ossai_v3_of_float(mesh->positions + 3 * (size_t)v[2]), a);
		for (int k = 0; k < 3; k++) area[v[k]] += ossai_length(ossai_cross(ab, ac)) / 6;
	}
	return area;
}

static void add_overlap(const ossa_weights *own, const ossa_weights *rest, size_t v, double area, size_t width, double *overlap)
{
	for (size_t i = v * (size_t)own->influences; i < (v + 1) * (size_t)own->influences; i++) {
		for (size_t j = v * (size_t)rest->influences; j < (v + 1) * (size_t)rest->influences; j++) {
			overlap[own->bones[i] * width + rest->bones[j]] += area * (double)own->values[i] * (double)rest->values[j];
		}
	}
}

static double weight_of(const ossa_weights *w, size_t vertex, uint32_t bone)
{
	double sum = 0;
	for (size_t i = vertex * (size_t)w->influences; i < (vertex + 1) * (size_t)w->influences; i++)
		sum += w->bones[i] == bone ? (double)w->values[i] : 0;
	return sum;
}

/* A mean of points by weight. */
typedef struct mean {
	ossai_vec3 sum;
	double weight;
} mean;

static void add_point(ossai_vec3 point, double weight, mean *to)
{
	to->sum = ossai_madd(to->sum, weight, point);
	to->weight += weight;
}

static ossai_vec3 center_of(const ossa_rig *rig, const double *area, uint32_t bone)
{
	mean all = {.weight = 0};
	for (size_t v = 0; v < rig->mesh->vertex_count; v++)
		add_point(ossai_v3_of_float(rig->mesh->positions + 3 * v), area[v] * weight_of(&rig->weights, v, bone), &all);
	return all.weight > 0 ? ossai_scale(all.sum, 1 / all.weight) : ossai_v3_of(rig->skeleton.bones[bone].joint);
}

/* the weight of the trunk's bones in the rest shape's rig at a vertex */
static double trunk_of(const ossa_rig *rest, size_t vertex)
{
	double sum = 0;
	for (uint32_t r = 0; r < rest->skeleton.bone_count; r++) {
		const ossa_role role = rest->skeleton.bones[r].role;
		if (role.part != OSSA_PART_NONE && role.side == 0) sum += weight_of(&rest->weights, vertex, r);
	}
	return sum;
}

static ossai_vec3 hips_of(const ossa_rig *rest, const ossa_rig *rig, const double *area, uint32_t bone)
{
	mean hips = {.weight = 0}, trunk = {.weight = 0};
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const ossai_vec3 at = ossai_v3_of_float(rig->mesh->positions + 3 * v);
		const double own = area[v] * weight_of(&rig->weights, v, bone);
		if (own > 0) add_point(at, own * weight_of(&rest->weights, v, 0), &hips);
		if (own > 0) add_point(at, own * trunk_of(rest, v), &trunk);
	}
	const bool is_hips = !(hips.weight > 0) || hips.weight > trunk.weight / 2;
	return is_hips ? center_of(rig, area, bone) : ossai_scale(hips.sum, 1 / hips.weight);
}

ossa_status ossai_root_center(ossa_context *context, const ossa_rig *rest, const ossa_rig *rig, uint32_t bone, double center[3])
{
	ossai_arena arena = ossai_arena_begin(context);
	const double *area = find_areas(&arena, rig->mesh);
	if (area) ossai_v3_store(rest ? hips_of(rest, rig, area, bone) : center_of(rig, area, bone), center);
	ossai_arena_end(&arena);
	return area ? OSSA_OK : ossa_context_error(context)->status;
}

static ossa_status find_skin(ossai_arena *arena, const ossa_rig *rest, const ossa_rig *rig, ossai_shared_skin *skin)
{
	const size_t bones = rig->skeleton.bone_count, width = rest->skeleton.bone_count;
	const double *area = find_areas(arena, rig->mesh);
	double *overlap = ossai_arena_zero(arena, bones * width, sizeof *overlap);
	ossai_vec3 *center = ossai_arena_new(arena, bones, sizeof *center);
	if (!area || !overlap || !center) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		if (area[v] > 0) add_overlap(&rig->weights, &rest->weights, v, area[v], width, overlap);
	}
	for (uint32_t b = 0; b < bones; b++) center[b] = center_of(rig, area, b);
	*skin = (ossai_shared_skin){&rig->skeleton, overlap, center};
	return OSSA_OK;
}

/* ---- names ---- */

static size_t count_named(const ossa_skeleton *skeleton)
{
	size_t count = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) count += !ossai_name_is_number(skeleton->bones[b].name);
	return count;
}

static ossa_status name(ossai_arena *arena, const ossa_rig *rest, ossa_rig *rig, uint32_t *root)
{
	ossai_rest_parts parts;
	ossai_shared_skin skin;
	OSSAI_TRY(find_skin(arena, rest, rig, &skin));
	OSSAI_TRY(ossai_rest_parts_find(arena, &rest->skeleton, &skin, &parts));
	*root = parts.root;
	const bool has_plan = ossai_rest_rig_has_plan(rest);
	/* rules know the limbs of animals as well as their plans do */
	if (rest->body.kind == OSSA_BODY_HUMAN || parts.named > count_named(&rig->skeleton))
		ossai_rest_parts_name(&rest->skeleton, &parts, &rig->skeleton);
	if (has_plan) rig->body = rest->body;
	return OSSA_OK;
}

ossa_status ossai_rest_rig_name(ossa_context *context, const ossa_rig *rest, ossa_rig *rig, uint32_t *root)
{
	ossai_arena arena = ossai_arena_begin(context);
	*root = OSSA_NONE;
	const ossa_status status = name(&arena, rest, rig, root);
	ossai_arena_end(&arena);
	return status;
}
