/* methods/moving_plan.c: the tree of a human's plan, in place of the one that the motion shows.

   Place in the path: hierarchy -> here -> all vertices, weights by shape, free bones, the rig.
   Input: a hierarchy; the rig of the rest shape, whose bones are a human's.
   Output: the same bones, joined as programs for humanoids expect, with their names.
   A joint between two bones that were joined before begins where it is, another one where motion
   and shape expect it; then weights, joints and rotations are refined again. */
#include "methods/moving.h"

#include "methods/moving_symmetry.h"
#include "methods/option_rows.h"
#include "methods/rest_rig.h"
#include "rig/assemble.h"
#include "skeleton/naming/names.h"
#include "skeleton/naming/part_names.h"
#include "skeleton/naming/plan_tree.h"
#include "weights/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---- */

/* "upperarm_02_L" becomes "upperarm_helper_01_L" */
static void name_helper(const ossa_bone *all, size_t b, ossa_bone *bone)
{
	char part[sizeof bone->name], stem[sizeof bone->name];
	bool is_taken = true;
	ossai_part_name(bone->name, 0, part);
	snprintf(stem, sizeof stem, "%.*s_helper%s", (int)(ossai_name_side(part) - part), part, ossai_name_side(part));
	for (int number = 1; is_taken; number++) {
		ossai_part_name(stem, number, bone->name);
		is_taken = false;
		for (size_t other = 0; other < b; other++) is_taken = is_taken || strcmp(all[other].name, bone->name) == 0;
	}
	bone->role = (ossa_role){.part = OSSA_PART_NONE};
}

static void take_number(int number, ossa_bone *bone)
{
	char part[sizeof bone->name];
	memcpy(part, bone->name, sizeof part);
	ossai_part_name(part, number, bone->name);
	bone->role.number = number;
}

/* names and roles of the work's bones; bone i of the rig was order[i] */
static ossa_status take_names(ossai_moving_work *m, const ossa_rig *rig, const ossai_plan_tree *plan)
{
	const size_t bones = rig->skeleton.bone_count;
	m->named = ossai_arena_zero(m->arena, bones, sizeof *m->named);
	ossa_bone *named = ossai_arena_zero(m->arena, bones, sizeof *named);
	if (!m->named || !named) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < bones; i++) {
		named[i] = rig->skeleton.bones[i];
		if (plan->is_helper[i]) name_helper(named, i, &named[i]);
		else if (named[i].role.part != OSSA_PART_NONE) take_number(plan->number[i], &named[i]);
		m->named[m->tree.order[i]] = named[i];
	}
	return OSSA_OK;
}

/* ---- the tree ---- */

static bool is_of_plan(const ossa_rig *rig, const ossai_plan_tree *plan, uint32_t i)
{
	return rig->skeleton.bones[i].role.part != OSSA_PART_NONE && !plan->is_helper[i];
}

/* whether both sides of a symmetric rig have the same parts, numbers and parents; i of the rig was
   order[i] */
static bool is_symmetric(const ossai_moving_work *m, const ossa_rig *rig, const ossai_plan_tree *plan, const uint32_t *place)
{
	const ossai_symmetry *symmetry = m->surface.symmetry;
	for (uint32_t i = 0; symmetry && i < m->tree.bone_count; i++) {
		const uint32_t image = place[ossai_image_of(symmetry, m->tree.order[i])], parent = plan->parent[i];
		const uint32_t wanted = parent == OSSA_NONE ? OSSA_NONE : place[ossai_image_of(symmetry, m->tree.order[parent])];
		if (ossai_is_lone(symmetry, m->tree.order[i])) continue;
		if (plan->parent[image] != wanted || is_of_plan(rig, plan, i) != is_of_plan(rig, plan, image)) return false;
		if (!is_of_plan(rig, plan, i)) continue;
		if (!ossai_are_images(&rig->skeleton.bones[i].role, &rig->skeleton.bones[image].role)) return false;
		if (plan->number[i] != plan->number[image]) return false;
	}
	return true;
}

static ossa_status check_symmetry(ossai_moving_work *m, const ossa_rig *rig, const ossai_plan_tree *plan, bool *is_kept)
{
	uint32_t *place = ossai_arena_new(m->arena, m->tree.bone_count, sizeof *place);
	if (!place) return ossa_context_error(m->context)->status;
	for (uint32_t i = 0; i < m->tree.bone_count; i++) place[m->tree.order[i]] = i;
	*is_kept = is_symmetric(m, rig, plan, place);
	if (*is_kept) return OSSA_OK;
	ossai_warn(m->context, "human-tree", 0,
		"a human's tree would not be symmetric, as this rig is: it keeps the tree that the motion shows; `symmetry off` gets "
		"the other one");
	return OSSA_OK;
}

/* names are those of the rest shape's rig, and that is as symmetric as this one */
static ossa_status mirror_plan(ossai_moving_work *m)
{
	const ossai_posed_surface *all = ossai_moving_whole_surface(m);
	const ossai_mirror plane = ossai_symmetry_plane(all);
	if (!all->symmetry) return OSSA_OK;
	uint32_t *counterpart = ossai_arena_new(m->arena, all->vertex_count, sizeof *counterpart);
	if (!counterpart) return ossa_context_error(m->context)->status;
	OSSAI_TRY(ossai_moving_counterparts(m, counterpart));
	return ossai_rest_rig_mirror(m->context, &plane, counterpart, m->plan);
}

typedef struct old_tree {
	ossai_tree tree;
	ossai_vec3 *joint;
	double *deviation;
} old_tree;

static ossa_status keep_tree(const ossai_moving_work *m, old_tree *old)
{
	const size_t bones = m->tree.bone_count;
	OSSAI_TRY(ossai_tree_new(m->arena, bones, &old->tree));
	old->joint = ossai_arena_new(m->arena, bones, sizeof *old->joint);
	old->deviation = ossai_arena_zero(m->arena, bones, sizeof *old->deviation);
	if (!old->joint || !old->deviation) return ossa_context_error(m->context)->status;
	ossai_tree_copy(&m->tree, &old->tree);
	memcpy(old->joint, m->joint, bones * sizeof *old->joint);
	if (m->deviation) memcpy(old->deviation, m->deviation, bones * sizeof *old->deviation);
	return OSSA_OK;
}

/* a joint that was, whichever of its bones was the parent */
static void take_joint(const ossai_moving_work *m, const old_tree *old, uint32_t b, uint32_t from)
{
	m->joint[b] = old->joint[from];
	m->tree.pair[b] = old->tree.pair[from];
	if (m->deviation) m->deviation[b] = old->deviation[from];
}

/* the hips' follows at the end, from the rest shape (moving_body.c) */
static void take_joints(const ossai_moving_work *m, const old_tree *old)
{
	for (uint32_t b = 0; b < m->tree.bone_count; b++) {
		const uint32_t parent = m->tree.parent[b];
		if (parent == OSSA_NONE) continue;
		if (old->tree.parent[b] == parent) take_joint(m, old, b, b);
		else if (old->tree.parent[parent] == b) take_joint(m, old, b, parent);
	}
	if (m->deviation) m->deviation[m->tree.root] = 0;
}

static double rms_of(const ossai_moving_work *m)
{
	return 100 * sqrt(m->rounds.error / ((double)m->surface.used_count * (double)m->surface.pose_count));
}

/* a tree that costs what another bone would gain may be of a shape that is no human, or badly
   named */
static void warn_of_cost(const ossai_moving_work *m, double before)
{
	const double now = rms_of(m);
	if (now - before < OSSAI_USUAL_WORTH) return;
	ossai_warn(m->context, "human-tree", 0,
		"bones are joined as a human's, with an RMS error of %.3f %% of the diagonal instead of %.3f over the frames that they "
		"were found in: `articulation limbs` keeps the tree that the motion shows",
		now, before);
}

static ossa_status change_tree(ossai_moving_work *m, const uint32_t *parent, bool is_new, uint32_t root)
{
	const size_t bones = m->tree.bone_count;
	old_tree old;
	OSSAI_TRY(keep_tree(m, &old));
	memcpy(m->tree.parent, parent, bones * sizeof *parent);
	for (size_t b = 0; b < bones; b++) m->tree.pair[b] = OSSA_NONE;
	m->tree.root = root;
	ossai_tree_sort(&m->tree);
	if (is_new) OSSAI_TRY(ossai_moving_expect_joints(m));
	take_joints(m, &old);
	memcpy(m->anchor, m->joint, bones * sizeof *m->joint);
	/* another root alone changes no motion */
	if (!is_new) return OSSA_OK;
	const double before = rms_of(m);
	OSSAI_TRY(ossai_moving_refit(m));
	warn_of_cost(m, before);
	return OSSA_OK;
}

/* from the rig's numbers to the work's */
static ossa_status take_tree(ossai_moving_work *m, const ossai_plan_tree *plan, uint32_t root)
{
	uint32_t *parent = ossai_arena_new(m->arena, m->tree.bone_count, sizeof *parent);
	if (!parent) return ossa_context_error(m->context)->status;
	for (size_t i = 0; i < m->tree.bone_count; i++)
		parent[m->tree.order[i]] = plan->parent[i] == OSSA_NONE ? OSSA_NONE : m->tree.order[plan->parent[i]];
	return change_tree(m, parent, plan->is_new, m->tree.order[root]);
}

/* ---- the stage ---- */

static ossa_status plan_rig(ossai_moving_work *m, ossa_rig *rig)
{
	uint32_t root;
	bool is_kept = false;
	ossai_shared_skin skin;
	ossai_plan_tree plan;
	OSSAI_TRY(mirror_plan(m));
	OSSAI_TRY(ossai_rest_rig_name_by_skin(m->arena, m->plan, rig, &skin, &root));
	if (root == OSSA_NONE) return OSSA_OK;
	OSSAI_TRY(ossai_plan_tree_find(m->arena, &m->plan->skeleton, &skin, root, &plan));
	OSSAI_TRY(check_symmetry(m, rig, &plan, &is_kept));
	if (!is_kept) return OSSA_OK;
	OSSAI_TRY(take_names(m, rig, &plan));
	return take_tree(m, &plan, root);
}

/* the weights of all vertices, those of a coarse surface by what stands for each */
static ossa_status copy_weights(const ossai_moving_work *m, ossai_arena *scratch, ossai_bone_weights *to)
{
	const ossai_bone_weights *from = &m->fit.weights;
	const size_t vertices = m->is_coarse ? m->fine.vertex_count : from->vertex_count;
	OSSAI_TRY(ossai_bone_weights_new(scratch, vertices, from->bone_count, from->width, to));
	if (m->is_coarse) ossai_bone_weights_lift(from, m->coarse.of_vertex, to);
	else ossai_bone_weights_copy(from, to);
	return OSSA_OK;
}

/* Bones, joints and weights as they are, in the order of the mesh: of a copy, as a rig has weights
   at every vertex of a seam. */
static ossa_status assemble(ossai_moving_work *m, ossai_arena *scratch, ossa_rig **rig)
{
	ossai_bone_weights weights;
	OSSAI_TRY(copy_weights(m, scratch, &weights));
	const ossai_findings findings = {.method = m->method,
		.mesh = m->own_mesh ? m->own_mesh : m->mesh,
		.surface = ossai_moving_whole_surface(m),
		.tree = &m->tree,
		.joint = m->joint,
		.joint_of_pair = m->joint_of_pair,
		.weights = &weights,
		.influences = m->options.influences};
	return ossai_rig_assemble(m->context, &findings, rig);
}

ossa_status ossai_moving_take_plan(ossai_moving_work *m)
{
	ossa_rig *rig = NULL;
	/* its warnings come with the last one */
	ossai_warnings *before = ossai_warnings_save(m->context);
	if (!before) return ossa_context_error(m->context)->status;
	ossai_arena scratch = ossai_arena_begin(m->context);
	const ossa_status status = assemble(m, &scratch, &rig);
	ossai_arena_end(&scratch);
	ossai_warnings_restore(m->context, before);
	ossa_free(m->context, before);
	OSSAI_TRY(status);
	const ossa_status planned = plan_rig(m, rig);
	ossa_rig_free(m->context, rig);
	return planned;
}

void ossai_moving_name(const ossai_moving_work *m, ossa_rig *rig)
{
	if (!m->named) return;
	for (size_t i = 0; i < rig->skeleton.bone_count; i++) {
		const ossa_bone *from = &m->named[m->tree.order[i]];
		memcpy(rig->skeleton.bones[i].name, from->name, sizeof from->name);
		rig->skeleton.bones[i].role = from->role;
	}
	ossai_names_renumber(&rig->skeleton);
	rig->body = m->plan->body;
}
