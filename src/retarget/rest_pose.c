/* retarget/rest_pose.c: see ossa/rest_pose.h and rest_pose.h.

   Each pose is made of the one that the mesh was modelled in, because blends of several poses in a
   row would add up: to A over T is the same as to A. */
#include "retarget/rest_pose.h"

#include "retarget/body_frame.h"
#include "retarget/rest_turns.h"
#include "rig/dependencies.h"
#include "rig/pose.h"
#include "scene/mesh.h"

#include <string.h>

/* of the skeleton's size, and radians: what is nearer to a pose is in it. A file's floats round
   positions and rotations by 6e-8, and a joint depends on some of them. */
static const double THERE = 1e-6, SAME_TURN = 1e-5;

typedef struct posing {
	ossa_context *context;
	ossai_arena *arena;
	int pose;
	const ossa_rig *rig;     /* as it is given, then as it was modelled */
	ossai_reposed *modelled; /* or NULL: as it is given */
	ossai_rigid *move;       /* B: from `rig` to the modelled pose, then from that to the new one */
} posing;

static bool is_frame(int pose) { return pose > OSSA_REST_A; }

/* ---- as it was modelled ---- */

static bool was_posed(const ossa_bone *bone)
{
	const double *m = bone->modelled;
	return m[0] != 0 || m[1] != 0 || m[2] != 0 || m[3] != 0;
}

static ossai_rigid way_back(const ossa_bone *bone)
{
	if (!was_posed(bone)) return (ossai_rigid){ossai_mat3_identity(), {0, 0, 0}};
	return (ossai_rigid){ossai_quat_matrix(ossai_quat_of(bone->modelled)), ossai_v3_of(bone->modelled + 4)};
}

static void forget_pose(ossa_skeleton *skeleton)
{
	for (size_t b = 0; b < skeleton->bone_count; b++)
		memset(skeleton->bones[b].modelled, 0, sizeof skeleton->bones[b].modelled);
}

static ossa_status restore(posing *p)
{
	const ossa_skeleton *skeleton = &p->rig->skeleton;
	bool any = false;
	for (size_t b = 0; b < skeleton->bone_count; b++) any = any || was_posed(&skeleton->bones[b]);
	if (!any) return OSSA_OK;
	for (size_t b = 0; b < skeleton->bone_count; b++) p->move[b] = way_back(&skeleton->bones[b]);
	OSSAI_TRY(ossai_repose(p->arena, p->rig, p->move, &p->modelled));
	forget_pose(&p->modelled->rig.skeleton);
	p->rig = &p->modelled->rig;
	return OSSA_OK;
}

/* ---- T and A ---- */

static bool is_foot(const ossa_role *role) { return role->part == OSSA_PART_FOOT || role->part == OSSA_PART_TOES; }

/* the lowest vertex of the feet after the motions (NULL: at rest) along `up`; infinite where no
   vertex is a foot's */
static double lowest(const ossa_rig *rig, const ossa_role *role, const ossai_dual_quat *duals, ossai_vec3 up)
{
	double least = INFINITY;
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const float *p = rig->mesh->positions + 3 * v;
		if (!is_foot(&role[rig->weights.bones[v * (size_t)rig->weights.influences]])) continue;
		const ossai_vec3 at = duals ? ossai_dual_skin_vertex(p, &rig->weights, v, duals) : ossai_v3_of_float(p);
		least = fmin(least, ossai_dot(at, up));
	}
	return least;
}

/* the same of the feet's joints and tails, for skeletons alone */
static double lowest_joint(const ossa_rig *rig, const ossa_role *role, const ossai_rigid *move, ossai_vec3 up)
{
	double least = INFINITY;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (!is_foot(&role[b])) continue;
		const double *ends[2] = {rig->skeleton.bones[b].joint, rig->skeleton.bones[b].tail};
		for (int k = 0; k < 2; k++) {
			const ossai_vec3 at = move ? ossai_rigid_point(&move[b], ossai_v3_of(ends[k])) : ossai_v3_of(ends[k]);
			least = fmin(least, ossai_dot(at, up));
		}
	}
	return least;
}

/* how far the body whose bones have roles rises, so that it stands on the ground that it stood on */
static bool find_rise(const posing *p, const ossa_role *role, const ossai_dual_quat *duals, ossai_vec3 *rise)
{
	ossai_body_frame frame;
	if (!ossai_find_body_frame(&p->rig->skeleton, role, &frame)) return false;
	double before = lowest(p->rig, role, NULL, frame.up), after = lowest(p->rig, role, duals, frame.up);
	if (isinf(before)) {
		before = lowest_joint(p->rig, role, NULL, frame.up);
		after = lowest_joint(p->rig, role, p->move, frame.up);
	}
	if (isinf(before) || before == after) return false;
	*rise = ossai_scale(frame.up, before - after);
	return true;
}

/* sets every body on the ground that it stood on */
static ossa_status keep_ground(posing *p, const ossai_body_trees *bodies)
{
	const ossa_skeleton *skeleton = &p->rig->skeleton;
	const size_t bones = skeleton->bone_count;
	const ossai_dual_quat *duals = ossai_duals_of(p->arena, p->move, bones);
	ossa_role *own = ossai_arena_new(p->arena, bones, sizeof *own);
	if (!duals || !own) return ossa_context_error(p->context)->status;
	for (uint32_t root = 0; root < bones; root++) {
		ossai_vec3 rise;
		if (bodies->body[root] != root || !ossai_roles_of_body(bodies, bones, root, own)) continue;
		if (!find_rise(p, own, duals, &rise)) continue;
		for (size_t b = root; b < bones; b++) {
			if (bodies->body[b] == root) p->move[b].t = ossai_add(p->move[b].t, rise);
		}
	}
	return OSSA_OK;
}

/* rotations as motions that keep the bones connected, the root's joint in its place */
static void connect(const ossa_skeleton *skeleton, const ossai_rest_turns *turns, ossai_rigid *move)
{
	for (size_t i = 0; i < skeleton->bone_count; i++) {
		const uint32_t b = turns->order[i], above = turns->above[b];
		const ossai_vec3 joint = ossai_v3_of(skeleton->bones[b].joint);
		const ossai_vec3 place = above == OSSA_NONE ? joint : ossai_rigid_point(&move[above], joint);
		move[b].r = ossai_quat_matrix(turns->turn[b]);
		move[b].t = ossai_sub(place, ossai_mat3_mul_v(&move[b].r, joint));
	}
}

/* T or A; any: whether the rig is not in it */
static ossa_status take_pose(posing *p, bool *any)
{
	ossai_body_trees bodies;
	ossai_rest_turns turns;
	OSSAI_TRY(ossai_body_trees_find(p->arena, p->rig, &bodies));
	OSSAI_TRY(ossai_find_rest_turns(p->arena, p->rig, &bodies, p->pose, &turns));
	if (turns.others > 0) {
		ossai_warn(p->context, "rest-others", turns.others,
			"bodies that are not recognized as human stay as they are: T and A are poses of humans");
	}
	*any = turns.any;
	if (!*any) return OSSA_OK;
	connect(&p->rig->skeleton, &turns, p->move);
	return keep_ground(p, &bodies);
}

/* ---- a frame ---- */

static ossa_status take_frame(posing *p, bool *any)
{
	const ossa_rig *rig = p->rig;
	const size_t bones = rig->skeleton.bone_count, frames = rig->clip ? rig->clip->frame_count : 0;
	double *matrices = ossai_arena_new(p->arena, bones, 12 * sizeof *matrices);
	if (!matrices) return ossa_context_error(p->context)->status;
	if ((size_t)p->pose > frames) {
		return ossai_fail(p->context, OSSA_ERROR_ARGUMENT, NULL, "there is no frame %d to be the rest pose: the motion has %zu",
			p->pose, frames);
	}
	ossai_skin_matrices(rig, rig->clip, (size_t)p->pose - 1, matrices);
	const double there = THERE * ossai_skeleton_size(&rig->skeleton);
	*any = false;
	for (size_t b = 0; b < bones; b++) {
		p->move[b] = ossai_rigid_of(matrices + 12 * b);
		const ossai_vec3 joint = ossai_v3_of(rig->skeleton.bones[b].joint);
		const double moved = ossai_distance(ossai_rigid_point(&p->move[b], joint), joint);
		*any = *any || moved > there || ossai_quat_angle(ossai_mat3_quat(&p->move[b].r)) > SAME_TURN;
	}
	return OSSA_OK;
}

/* ---- the whole ---- */

/* whether the motions bring the bones back to where they are in the rig that was given */
static bool stays(const posing *p, const ossa_rig *given)
{
	const ossa_bone *now = given->skeleton.bones, *modelled = p->rig->skeleton.bones;
	const double there = THERE * ossai_skeleton_size(&given->skeleton);
	for (size_t b = 0; b < given->skeleton.bone_count; b++) {
		const ossai_rigid back = way_back(&now[b]), all = ossai_rigid_mul(&p->move[b], &back);
		const ossai_vec3 joint = ossai_rigid_point(&p->move[b], ossai_v3_of(modelled[b].joint));
		if (ossai_distance(joint, ossai_v3_of(now[b].joint)) > there) return false;
		if (ossai_quat_angle(ossai_mat3_quat(&all.r)) > SAME_TURN) return false;
	}
	return true;
}

static ossa_status pose_rig(posing *p, ossai_reposed **posed)
{
	const ossa_rig *given = p->rig;
	bool any = false;
	OSSAI_TRY(restore(p));
	if (p->pose == OSSA_REST_MODELLED) {
		*posed = p->modelled;
		if (*posed) return OSSA_OK;
		ossai_warn(p->context, "rest-unknown", 1, "no bone has a pose that the mesh was modelled in: the rest pose stays");
		return OSSA_OK;
	}
	OSSAI_TRY(is_frame(p->pose) ? take_frame(p, &any) : take_pose(p, &any));
	if (p->modelled && any && stays(p, given)) return OSSA_OK;
	/* the pose may be the modelled one */
	*posed = p->modelled;
	if (!any) return OSSA_OK;
	OSSAI_TRY(ossai_repose(p->arena, p->rig, p->move, posed));
	ossai_dependencies_warn_of_lost(p->arena->context, p->rig->dependency_count - (*posed)->rig.dependency_count);
	return OSSA_OK;
}

static void warn(ossa_context *context, const ossa_rig *rig, const ossai_reposed *posed)
{
	const size_t driven = ossai_morphs_driven(rig->mesh);
	if (driven > 0) {
		ossai_warn(context, "shapes-unbound", (int64_t)driven,
			"corrective shapes are for turns against the rest pose that was: they are morph targets that nothing moves now");
	}
	if (posed->folds > 0) {
		ossai_warn(context, "rest-folds", posed->folds,
			"triangles turned over or lost their area in the rest pose, where the weights of a limb reach beyond it");
	}
	if (posed->near > 0) {
		ossai_warn(context, "limits-near", posed->near,
			"limits about several axes were shifted to the new rest pose: they are approximate");
	}
}

ossa_status ossai_rest_pose(ossai_arena *arena, const ossa_rig *rig, int pose, ossai_reposed **posed)
{
	*posed = NULL;
	if (pose == OSSA_REST_KEEP) return OSSA_OK;
	if (pose < OSSA_REST_KEEP) return ossai_fail(arena->context, OSSA_ERROR_ARGUMENT, NULL, "there is no rest pose %d", pose);
	posing p = {.context = arena->context, .arena = arena, .pose = pose, .rig = rig};
	p.move = ossai_arena_new(arena, rig->skeleton.bone_count, sizeof *p.move);
	if (!p.move) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_rig_check_fit(arena->context, rig, &rig->weights, rig->clip));
	OSSAI_TRY(pose_rig(&p, posed));
	if (*posed) warn(arena->context, rig, *posed);
	return OSSA_OK;
}

/* ---- in place ---- */

/* positions that a clip had none of */
static ossa_status take_translations(ossa_context *context, const ossa_clip *posed, ossa_clip *clip)
{
	if (!clip || clip->translations || !posed->translations) return OSSA_OK;
	const size_t numbers = 3 * clip->frame_count * clip->bone_count;
	clip->translations = ossai_new(context, numbers, sizeof *clip->translations);
	if (!clip->translations) return ossa_context_error(context)->status;
	memcpy(clip->translations, posed->translations, numbers * sizeof *clip->translations);
	return OSSA_OK;
}

/* everything has its size but the normals, which may be more, and translations */
static ossa_status take_arrays(ossa_context *context, const ossai_reposed *posed, ossa_rig *rig)
{
	OSSAI_TRY(take_translations(context, posed->rig.clip, rig->clip));
	OSSAI_TRY(take_translations(context, posed->rig.free_clip, rig->free_clip));
	for (size_t i = 0; i < rig->other_clip_count; i++)
		OSSAI_TRY(take_translations(context, posed->rig.other_clips[i], rig->other_clips[i]));
	ossa_mesh *mesh = rig->mesh;
	if (posed->mesh.normals != mesh->normals) {
		float *normals = ossai_new(context, posed->mesh.normal_count, 3 * sizeof *normals);
		if (!normals) return ossa_context_error(context)->status;
		if (posed->mesh.normal_count > 0) memcpy(normals, posed->mesh.normals, 3 * posed->mesh.normal_count * sizeof *normals);
		ossa_free(context, mesh->normals);
		mesh->normals = normals;
		mesh->normal_count = posed->mesh.normal_count;
		memcpy(mesh->corner_normal, posed->mesh.corner_normal, mesh->corner_count * sizeof *mesh->corner_normal);
	}
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const size_t numbers = 3 * mesh->morphs[m].count;
		if (numbers > 0) memcpy(mesh->morphs[m].deltas, posed->mesh.morphs[m].deltas, numbers * sizeof(float));
		mesh->morphs[m].driver = posed->mesh.morphs[m].driver;
	}
	memcpy(rig->skeleton.bones, posed->rig.skeleton.bones, rig->skeleton.bone_count * sizeof *rig->skeleton.bones);
	rig->dependency_count = posed->rig.dependency_count;
	if (rig->dependency_count > 0)
		memcpy(rig->dependencies, posed->rig.dependencies, rig->dependency_count * sizeof *rig->dependencies);
	if (rig->loop_count > 0) memcpy(rig->loops, posed->rig.loops, rig->loop_count * sizeof *rig->loops);
	if (mesh->vertex_count > 0)
		memcpy(mesh->positions, posed->mesh.positions, 3 * mesh->vertex_count * sizeof *mesh->positions);
	return OSSA_OK;
}

ossa_status ossa_rig_set_rest_pose(ossa_context *context, ossa_rig *rig, int pose)
{
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	ossai_arena arena = ossai_arena_begin(context);
	ossai_reposed *posed;
	ossa_status status = ossai_rest_pose(&arena, rig, pose, &posed);
	if (status == OSSA_OK && posed) status = take_arrays(context, posed, rig);
	ossai_arena_end(&arena);
	return status;
}
