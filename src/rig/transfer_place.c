/* rig/transfer_place.c: see transfer_place.h. */
#include "rig/transfer_place.h"

#include "mesh/bounds.h"
#include "rig/clips.h"

#include <ossa/transfer.h>

/* Sides of boxes whose ratios differ by less are in the same proportions: remeshed copies of one
   character differ by up to 0.02 (a tenth of the faces). */
static const double SAME_SIDES = 0.03;
/* A shape of the same proportions whose size differs by more than this factor is the character in
   another unit, not a piece of clothing. Units differ by 2.54 and more. */
static const double OTHER_SIZE = 2;

static ossai_vec3 sides_of(const ossai_bounds *box) { return ossai_sub(box->maximum, box->minimum); }

/* whether two boxes are alike but for their size, and how much larger `b` is */
static bool same_proportions(ossai_vec3 a, ossai_vec3 b, double *scale)
{
	const double size = ossai_length(a);
	*scale = size > 0 ? ossai_length(b) / size : 0;
	if (!(*scale > 0)) return false;
	const ossai_vec3 gap = ossai_sub(ossai_scale(b, 1 / *scale), a);
	return ossai_larger(fabs(gap.x), ossai_larger(fabs(gap.y), fabs(gap.z))) <= SAME_SIDES * size;
}

static size_t count_inside(const ossai_bounds *box, double margin, const ossa_mesh *mesh)
{
	size_t count = 0;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		count += ossai_bounds_contain(box, ossai_v3_of_float(mesh->positions + 3 * v), margin);
	}
	return count;
}

static ossa_status refuse_size(ossa_context *context, double scale)
{
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"the mesh has the shape of the rig's at %.4g times its size: give its unit with `input-unit`, or `place align` to "
		"scale the rig, or `place keep` if it is to be so",
		scale);
}

static ossa_status refuse_place(ossa_context *context, const ossai_bounds *a, const ossai_bounds *b, size_t inside, size_t all)
{
	const ossai_vec3 from = sides_of(a), to = sides_of(b);
	double scale;
	if (same_proportions(from, to, &scale) && !(scale > 1 / OTHER_SIZE && scale < OTHER_SIZE))
		return refuse_size(context, scale);
	const bool moved = same_proportions(from, to, &scale);
	const bool turned = !moved && same_proportions(from, ossai_v3(to.x, to.z, to.y), &scale);
	const char *advice = moved ? "`place align` moves the rig to the mesh"
		: turned               ? "another axis points up in it: give that with `input-up`"
							   : "bring it to the rig's place and size in the program that made it";
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"only %zu of %zu vertices of the mesh are where the rig's is: its box is (%.3g, %.3g, %.3g) to (%.3g, %.3g, %.3g), the "
		"rig's (%.3g, %.3g, %.3g) to (%.3g, %.3g, %.3g); %s",
		inside, all, b->minimum.x, b->minimum.y, b->minimum.z, b->maximum.x, b->maximum.y, b->maximum.z, a->minimum.x,
		a->minimum.y, a->minimum.z, a->maximum.x, a->maximum.y, a->maximum.z, advice);
}

ossa_status ossai_transfer_check_place(ossa_context *context, const ossa_mesh *of_rig, const ossa_mesh *mesh, double distance)
{
	const ossai_bounds a = ossai_bounds_make(of_rig->vertex_count, of_rig->positions);
	const ossai_bounds b = ossai_bounds_make(mesh->vertex_count, mesh->positions);
	const size_t inside = count_inside(&a, distance * a.diagonal, mesh);
	double scale;
	if (2 * inside < mesh->vertex_count) return refuse_place(context, &a, &b, inside, mesh->vertex_count);
	if (same_proportions(sides_of(&a), sides_of(&b), &scale) && !(scale > 1 / OTHER_SIZE && scale < OTHER_SIZE))
		return refuse_size(context, scale);
	return OSSA_OK;
}

ossa_status ossai_transfer_align(ossa_context *context, const ossa_mesh *of_rig, const ossa_mesh *mesh, ossai_placing *placing)
{
	const ossai_bounds a = ossai_bounds_make(of_rig->vertex_count, of_rig->positions);
	const ossai_bounds b = ossai_bounds_make(mesh->vertex_count, mesh->positions);
	if (!same_proportions(sides_of(&a), sides_of(&b), &placing->scale)) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the boxes of both meshes are not in the same proportions, so they cannot be aligned: bring the mesh to the rig's "
			"place and size in the program that made it");
	}
	const ossai_vec3 from = ossai_lerp(a.minimum, a.maximum, 0.5), to = ossai_lerp(b.minimum, b.maximum, 0.5);
	placing->move = ossai_madd(to, -placing->scale, from);
	return OSSA_OK;
}

/* ---- the rig ---- */

static void place_point(const ossai_placing *placing, double *point)
{
	ossai_v3_store(ossai_madd(placing->move, placing->scale, ossai_v3_of(point)), point);
}

/* x -> R x + t is s x + m -> s (R x + t) + m of the placed points */
static void place_pose(const ossai_placing *placing, double pose[7])
{
	bool is_known = false;
	for (int i = 0; i < 4; i++) is_known |= pose[i] != 0;
	if (!is_known) return;
	const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(pose)));
	const ossai_vec3 move = ossai_sub(placing->move, ossai_mat3_mul_v(&turn, placing->move));
	ossai_v3_store(ossai_madd(move, placing->scale, ossai_v3_of(pose + 4)), pose + 4);
}

static void place_clip(const ossai_placing *placing, ossa_clip *clip)
{
	if (!clip) return;
	for (size_t f = 0; f < clip->frame_count; f++) place_point(placing, clip->root_positions + 3 * f);
	for (size_t i = 0; clip->translations && i < 3 * clip->frame_count * clip->bone_count; i++) {
		clip->translations[i] *= placing->scale;
	}
}

void ossai_rig_place(const ossai_placing *placing, ossa_rig *rig)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		place_point(placing, bone->joint);
		place_point(placing, bone->tail);
		place_pose(placing, bone->modelled);
		bone->fit_residual *= placing->scale;
		bone->deviation *= placing->scale;
	}
	for (size_t i = 0; i < rig->dependency_count; i++) rig->dependencies[i].cost *= placing->scale;
	for (size_t i = 0; i < rig->loop_count; i++) place_point(placing, rig->loops[i].center);
	for (size_t i = 0; i < ossa_rig_clip_count(rig); i++) place_clip(placing, ossai_clip_at(rig, i));
}
