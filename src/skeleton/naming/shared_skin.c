/* skeleton/naming/shared_skin.c: see shared_skin.h. */
#include "skeleton/naming/shared_skin.h"

typedef struct skin_work {
	const ossa_rig *rest, *rig;
	const double *area;  /* V */
	ossai_vec3 *sideway; /* R: to the left, across the bone; shorter, the more it runs to a side */
	double *middle;      /* R: of the bone's skin, along that */
	double *lean;        /* B x R: of the overlap what is left of the middle, less what is right */
	ossai_shared_skin *skin;
} skin_work;

double *ossai_vertex_areas(ossai_arena *arena, const ossa_mesh *mesh)
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

ossai_vec3 ossai_skin_center(const ossa_rig *rig, const double *area, uint32_t bone)
{
	ossai_vec3 sum = {0, 0, 0};
	double all = 0;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const double weight = area[v] * ossai_weight_of(&rig->weights, v, bone);
		sum = ossai_madd(sum, weight, ossai_v3_of_float(rig->mesh->positions + 3 * v));
		all += weight;
	}
	return all > 0 ? ossai_scale(sum, 1 / all) : ossai_v3_of(rig->skeleton.bones[bone].joint);
}

/* ---- sides ---- */

static const ossa_role *role_of(const skin_work *w, uint32_t r) { return &w->rest->skeleton.bones[r].role; }

static bool is_medial(const skin_work *w, uint32_t r)
{
	return role_of(w, r)->part != OSSA_PART_NONE && role_of(w, r)->side == 0;
}

static bool has_sides(const ossa_rig *rest)
{
	for (size_t r = 0; r < rest->skeleton.bone_count; r++) {
		if (rest->skeleton.bones[r].role.side != 0) return true;
	}
	return false;
}

static void find_middle(const skin_work *w, uint32_t r)
{
	const ossa_bone *bone = &w->rest->skeleton.bones[r];
	const ossai_vec3 left = ossai_cross(ossai_v3_of(w->rest->body.up), ossai_v3_of(w->rest->body.front));
	const ossai_vec3 along = ossai_unit(ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint)), (ossai_vec3){0, 0, 0});
	w->sideway[r] = ossai_madd(left, -ossai_dot(left, along), along);
	w->middle[r] = ossai_dot(w->sideway[r], ossai_skin_center(w->rest, w->area, r));
}

/* ---- overlap ---- */

static void add_overlap(const skin_work *w, size_t v)
{
	const ossa_weights *own = &w->rig->weights, *rest = &w->rest->weights;
	const size_t width = w->rest->skeleton.bone_count;
	const ossai_vec3 at = ossai_v3_of_float(w->rig->mesh->positions + 3 * v);
	for (size_t j = v * (size_t)rest->influences; j < (v + 1) * (size_t)rest->influences; j++) {
		const uint32_t r = rest->bones[j];
		const double away = ossai_dot(w->sideway[r], at) - w->middle[r];
		const double side = ((away > 0) - (away < 0)) * ossai_length2(w->sideway[r]);
		for (size_t i = v * (size_t)own->influences; i < (v + 1) * (size_t)own->influences; i++) {
			const double skin = w->area[v] * (double)own->values[i] * (double)rest->values[j];
			w->skin->overlap[own->bones[i] * width + r] += skin;
			w->lean[own->bones[i] * width + r] += skin * side;
		}
	}
}

/* ---- what is of both sides ---- */

/* whether two bones have the same place on two limbs of a kind: one on the left and one on the
   right, or both of the middle, as a tail's two fins */
static bool are_counterparts(const ossa_role *a, const ossa_role *b)
{
	if (a->part != b->part || a->number != b->number || a->side < 0) return false;
	return a->side > 0 ? b->side < 0 && a->limb == b->limb : b->side == 0 && a->limb > 0 && b->limb > a->limb;
}

/* OSSA_NONE: there is none */
static uint32_t find_counterpart(const skin_work *w, uint32_t bone)
{
	for (uint32_t r = 0; r < w->rest->skeleton.bone_count; r++) {
		if (are_counterparts(role_of(w, bone), role_of(w, r))) return r;
	}
	return OSSA_NONE;
}

/* the bone of the middle that a bone's limb is on */
static uint32_t find_base(const skin_work *w, uint32_t r)
{
	const ossa_role *own = role_of(w, r);
	int32_t up = (int32_t)r;
	while (up > 0 &&
		(!is_medial(w, (uint32_t)up) ||
			(role_of(w, (uint32_t)up)->part == own->part && role_of(w, (uint32_t)up)->limb == own->limb)))
		up = w->rest->skeleton.bones[up].parent;
	return (uint32_t)up;
}

static void move_to_middle(const skin_work *w, uint32_t one)
{
	const size_t width = w->rest->skeleton.bone_count;
	const uint32_t other = find_counterpart(w, one), base = find_base(w, one);
	if (other == OSSA_NONE) return;
	for (size_t b = 0; b < w->rig->skeleton.bone_count; b++) {
		double *overlap = w->skin->overlap + b * width;
		const double both = fmin(overlap[one], overlap[other]);
		overlap[one] -= both;
		overlap[other] -= both;
		overlap[base] += 2 * both;
	}
}

/* ---- what is of one side of the middle ---- */

/* whether a limb of a side begins with a bone, on one of the middle */
static bool begins_at(const skin_work *w, uint32_t r, uint32_t base, int side)
{
	return w->rest->skeleton.bones[r].parent == (int32_t)base && role_of(w, r)->side == side;
}

/* to the limbs that begin at bone r by what they have of the skin of bone b */
static void move_to_limbs(const skin_work *w, uint32_t b, uint32_t r)
{
	const size_t width = w->rest->skeleton.bone_count;
	double *overlap = w->skin->overlap + b * width, all = 0;
	const double lean = fabs(w->lean[b * width + r]);
	const int side = w->lean[b * width + r] > 0 ? 1 : -1;
	for (uint32_t limb = r + 1; limb < width; limb++) all += begins_at(w, limb, r, side) ? overlap[limb] : 0;
	overlap[r] -= lean;
	if (!(all > 0)) w->skin->beside[b] += lean;
	for (uint32_t limb = r + 1; limb < width && all > 0; limb++) {
		if (begins_at(w, limb, r, side)) overlap[limb] += lean * overlap[limb] / all;
	}
}

static void take_sides(const skin_work *w)
{
	const bool has_pairs = has_sides(w->rest);
	for (uint32_t r = 0; r < w->rest->skeleton.bone_count; r++) {
		for (uint32_t b = 0; b < w->rig->skeleton.bone_count && has_pairs && is_medial(w, r); b++) move_to_limbs(w, b, r);
	}
	for (uint32_t r = 0; r < w->rest->skeleton.bone_count; r++) move_to_middle(w, r);
}

/* ---- the whole ---- */

static ossa_status find_skin(ossai_arena *scratch, skin_work *w)
{
	const size_t bones = w->rig->skeleton.bone_count, width = w->rest->skeleton.bone_count;
	w->area = ossai_vertex_areas(scratch, w->rig->mesh);
	w->sideway = ossai_arena_new(scratch, width, sizeof *w->sideway);
	w->middle = ossai_arena_new(scratch, width, sizeof *w->middle);
	w->lean = ossai_arena_zero(scratch, bones * width, sizeof *w->lean);
	if (!w->area || !w->sideway || !w->middle || !w->lean) return ossa_context_error(scratch->context)->status;
	for (uint32_t r = 0; r < width; r++) find_middle(w, r);
	for (size_t v = 0; v < w->rig->mesh->vertex_count; v++) {
		if (w->area[v] > 0) add_overlap(w, v);
	}
	for (uint32_t b = 0; b < bones; b++) w->skin->center[b] = ossai_skin_center(w->rig, w->area, b);
	take_sides(w);
	return OSSA_OK;
}

ossa_status ossai_shared_skin_find(ossai_arena *arena, const ossa_rig *rest, const ossa_rig *rig, ossai_shared_skin *skin)
{
	const size_t bones = rig->skeleton.bone_count;
	*skin = (ossai_shared_skin){.skeleton = &rig->skeleton,
		.overlap = ossai_arena_zero(arena, bones * rest->skeleton.bone_count, sizeof *skin->overlap),
		.beside = ossai_arena_zero(arena, bones, sizeof *skin->beside),
		.center = ossai_arena_new(arena, bones, sizeof *skin->center)};
	if (!skin->overlap || !skin->beside || !skin->center) return ossa_context_error(arena->context)->status;
	ossai_arena scratch = ossai_arena_begin(arena->context);
	skin_work work = {.rest = rest, .rig = rig, .skin = skin};
	const ossa_status status = find_skin(&scratch, &work);
	ossai_arena_end(&scratch);
	return status;
}
