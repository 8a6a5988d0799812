/* methods/refit_bodies.c: the fit of a motion for a rig of several bodies: each tree by its own
   vertices.

   Place in the path: refit_prepare -> here -> refit, which fits each body as if it were a rig.
   Input: an ossai_refit of a rig whose bodies stand under a common root.
   Output: an ossai_refit for each body, with the moments of its own bones.
   Bodies share no vertex, so that the error is a sum over bodies, and the moments of one are rows
   of those of the whole. */
#include "methods/refit.h"

#include "rig/join_rigs.h"
#include "rig/slides.h"

#include <string.h>

/* ---- which bones ---- */

/* a root that moves no vertex, and has no other children than bodies */
static bool has_common_root(const ossai_refit *r)
{
	const ossa_bone *bones = r->rig->skeleton.bones;
	if (r->bound.lists.mass[0][3] > 0) return false;
	for (size_t b = 1; b < r->bones; b++) {
		if (bones[b].parent == 0 && !ossai_is_body_root(&bones[b])) return false;
	}
	return ossai_rig_body_count(&r->rig->skeleton) > 0;
}

/* bodies begin at their roots and at joints that slide */
static bool begins_body(const ossai_refit *r, size_t b)
{
	const ossa_bone *bone = &r->rig->skeleton.bones[b];
	if (b == 0) return !r->has_common_root;
	return bone->kind == OSSA_JOINT_PRISMATIC || (r->has_common_root && bone->parent == 0);
}

/* body_of_bone: B; OSSA_NONE for the common root */
static void find_bodies(const ossai_refit *r, uint32_t *body_of_bone)
{
	uint32_t count = 0;
	body_of_bone[0] = OSSA_NONE;
	for (size_t b = 0; b < r->bones; b++)
		if (begins_body(r, b)) body_of_bone[b] = count++;
		else if (b > 0) body_of_bone[b] = body_of_bone[r->tree.parent[b]];
}

static ossa_status check_apart(const ossai_refit *r, const uint32_t *body_of_bone)
{
	const ossai_moments *m = &r->bound.moments;
	for (size_t i = 0; i < m->pair_count; i++) {
		const uint32_t a = m->pairs[i][0], b = m->pairs[i][1];
		if (body_of_bone[a] == body_of_bone[b]) continue;
		return ossai_fail(r->context, OSSA_ERROR_INPUT, NULL,
			"the bones %s and %s are of two bodies that move or slide against each other, and share vertices: take one's "
			"weights "
			"away, or give both one root",
			r->rig->skeleton.bones[a].name, r->rig->skeleton.bones[b].name);
	}
	return OSSA_OK;
}

/* ---- one body ---- */

static ossa_status take_arrays(const ossai_refit *r, size_t bones, ossai_refit *own)
{
	own->bones = bones;
	OSSAI_TRY(ossai_tree_new(r->arena, bones, &own->tree));
	own->hierarchy.joint = ossai_arena_new(r->arena, bones, sizeof *own->hierarchy.joint);
	if (r->hinge) own->hinge = ossai_arena_new(r->arena, bones, sizeof *own->hinge);
	own->bound.lists.mass = ossai_arena_new(r->arena, bones, sizeof *own->bound.lists.mass);
	own->rotations = ossai_arena_new(r->arena, r->batch, bones * sizeof *own->rotations);
	own->last = ossai_arena_new(r->arena, bones, sizeof *own->last);
	own->target_sum = ossai_arena_new(r->arena, r->batch, sizeof *own->target_sum);
	ossai_moments *m = &own->bound.moments;
	*m = (ossai_moments){.bone_count = bones, .target = r->target, .target_sum = own->target_sum};
	m->pair_of = ossai_arena_new(r->arena, bones, bones * sizeof *m->pair_of);
	m->pairs = ossai_arena_new(r->arena, r->bound.moments.pair_count, sizeof *m->pairs);
	m->s = ossai_arena_new(r->arena, r->bound.moments.pair_count, sizeof *m->s);
	m->c = ossai_arena_new(r->arena, bones, r->batch * 12 * sizeof *m->c);
	const bool all = own->hierarchy.joint && (!r->hinge || own->hinge) && own->bound.lists.mass && own->rotations &&
		own->last && own->target_sum && m->pair_of && m->pairs && m->s && m->c;
	if (!all) return ossa_context_error(r->context)->status;
	return ossai_bone_motion_new(r->arena, bones, r->batch, &own->bound.motion);
}

/* local: B, the number of each bone in its body */
static void take_bones(const ossai_refit *r, const uint32_t *local, ossai_refit_body *body)
{
	ossai_refit *own = &body->own;
	own->tree.root = 0;
	own->hierarchy.tree = &own->tree;
	own->bound.moments.vertex_count = 0;
	for (uint32_t i = 0; i < own->bones; i++) {
		const uint32_t b = body->bone[i];
		own->tree.order[i] = i;
		own->tree.parent[i] = i == 0 ? OSSA_NONE : local[r->tree.parent[b]];
		own->hierarchy.joint[i] = r->hierarchy.joint[b];
		if (r->hinge) own->hinge[i] = r->hinge[b];
		own->last[i] = r->last[b];
		memcpy(own->bound.lists.mass[i], r->bound.lists.mass[b], sizeof *own->bound.lists.mass);
		own->bound.moments.vertex_count += r->bound.lists.mass[b][3];
	}
}

static void take_pairs(const ossai_refit *r, const uint32_t *body_of_bone, const uint32_t *local, ossai_refit_body *body)
{
	const ossai_moments *all = &r->bound.moments;
	ossai_moments *m = &body->own.bound.moments;
	const uint32_t number = body_of_bone[body->bone[0]];
	for (size_t i = 0; i < m->bone_count * m->bone_count; i++) m->pair_of[i] = OSSA_NONE;
	for (size_t i = 0; i < all->pair_count; i++) {
		if (body_of_bone[all->pairs[i][0]] != number) continue;
		const uint32_t a = local[all->pairs[i][0]], b = local[all->pairs[i][1]];
		m->pair_of[a * m->bone_count + b] = m->pair_of[b * m->bone_count + a] = (uint32_t)m->pair_count;
		m->pairs[m->pair_count][0] = a;
		m->pairs[m->pair_count][1] = b;
		memcpy(m->s[m->pair_count++], all->s[i], sizeof *m->s);
	}
}

static ossa_status make_body(
	const ossai_refit *r, const uint32_t *body_of_bone, uint32_t number, uint32_t *local, ossai_refit_body *body)
{
	size_t count = 0;
	body->own = *r;
	body->own.bodies = NULL;
	body->own.body_count = 0;
	body->bone = ossai_arena_new(r->arena, r->bones, sizeof *body->bone);
	if (!body->bone) return ossa_context_error(r->context)->status;
	for (uint32_t b = 0; b < r->bones; b++) {
		if (body_of_bone[b] != number) continue;
		local[b] = (uint32_t)count;
		body->bone[count++] = b;
	}
	OSSAI_TRY(take_arrays(r, count, &body->own));
	take_bones(r, local, body);
	take_pairs(r, body_of_bone, local, body);
	return OSSA_OK;
}

ossa_status ossai_refit_find_bodies(ossai_refit *r)
{
	size_t count = 0;
	r->has_common_root = has_common_root(r);
	if (!r->has_common_root && !ossai_rig_slides(&r->rig->skeleton)) return OSSA_OK;
	for (size_t b = 0; b < r->bones; b++) count += begins_body(r, b);
	uint32_t *body_of_bone = ossai_arena_new(r->arena, r->bones, sizeof *body_of_bone);
	uint32_t *local = ossai_arena_new(r->arena, r->bones, sizeof *local);
	r->bodies = ossai_arena_zero(r->arena, count, sizeof *r->bodies);
	if (!body_of_bone || !local || !r->bodies) return ossa_context_error(r->context)->status;
	find_bodies(r, body_of_bone);
	OSSAI_TRY(check_apart(r, body_of_bone));
	for (uint32_t i = 0; i < count; i++) OSSAI_TRY(make_body(r, body_of_bone, i, local, &r->bodies[i]));
	r->body_count = count;
	return OSSA_OK;
}

/* ---- a batch ---- */

void ossai_refit_body_load(const ossai_refit *r, size_t count, ossai_refit_body *body)
{
	ossai_moments *m = &body->own.bound.moments;
	m->pose_count = body->own.bound.motion.pose_count = count;
	memset(body->own.target_sum, 0, count * sizeof *body->own.target_sum);
	for (size_t i = 0; i < body->own.bones; i++) {
		/* rows of the whole are as long: the poses of the batch */
		memcpy(m->c + 12 * i * count, r->bound.moments.c + 12 * body->bone[i] * count, 12 * count * sizeof *m->c);
		for (size_t k = 0; k < count; k++) {
			double c[12];
			ossai_moments_target(m, i, k, c);
			body->own.target_sum[k] = ossai_add(body->own.target_sum[k], ossai_v3_of(c + 9));
		}
	}
}

void ossai_refit_body_store(ossai_refit *r, size_t count, const ossai_refit_body *body)
{
	for (size_t i = 0; i < body->own.bones; i++) {
		memcpy(r->bound.motion.rigid + body->bone[i] * count, body->own.bound.motion.rigid + i * count,
			count * sizeof *r->bound.motion.rigid);
	}
}

/* ---- joints that slide ---- */

/* in the parent's motion only along the axis, by as much as takes the center of the skin nearest */
static ossai_rigid slid(const ossai_refit *r, uint32_t b, const ossai_rigid *up, const ossai_rigid *was)
{
	const double *mass = r->bound.lists.mass[b];
	const ossai_vec3 axis = ossai_v3_of(r->rig->skeleton.bones[b].axis);
	const ossai_vec3 center = mass[3] > 0 ? ossai_scale(ossai_v3(mass[0], mass[1], mass[2]), 1 / mass[3])
										  : r->hierarchy.joint[b];
	const ossai_rigid back = ossai_rigid_inverse(up);
	const ossai_vec3 offset = ossai_sub(ossai_rigid_point(&back, ossai_rigid_point(was, center)), center);
	const ossai_rigid along = {ossai_mat3_identity(), ossai_scale(axis, ossai_dot(axis, offset))};
	return ossai_rigid_mul(up, &along);
}

void ossai_refit_keep_slides(ossai_refit *r, size_t count)
{
	ossai_rigid *rigid = r->bound.motion.rigid;
	if (!ossai_rig_slides(&r->rig->skeleton)) return;
	for (size_t k = 0; k < count; k++) {
		/* parents come first */
		for (uint32_t b = 1; b < r->bones; b++) {
			const ossai_rigid *up = &rigid[r->tree.parent[b] * count + k];
			ossai_rigid *own = &rigid[b * count + k];
			const ossai_vec3 joint = r->hierarchy.joint[b];
			if (r->rig->skeleton.bones[b].kind == OSSA_JOINT_PRISMATIC) *own = slid(r, b, up, own);
			else if (!begins_body(r, b)) own->t = ossai_sub(ossai_rigid_point(up, joint), ossai_mat3_mul_v(&own->r, joint));
		}
	}
}

void ossai_refit_hold_root(ossai_refit *r, size_t count)
{
	for (size_t k = 0; k < count && r->has_common_root; k++) {
		const ossai_vec3 center = r->tiles[k / OSSAI_TILE_FRAMES].center[k % OSSAI_TILE_FRAMES];
		const ossai_vec3 back = ossai_scale(ossai_sub(r->surface.rest_center, center), 1 / r->surface.scale);
		r->bound.motion.rigid[k] = (ossai_rigid){ossai_mat3_identity(), back};
	}
}
