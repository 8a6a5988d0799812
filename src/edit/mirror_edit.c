/* edit/mirror_edit.c: see mirror_edit.h: the mirrored bones of a limb.

   Place in the path: part of the editor.
   Input: a state, the first bone of the limb.
   Output: the state with the limb on both sides.
   Bones of the other side that have the mirrored names, or lie at the mirrored positions where
   names do not decide, stay those bones (constraints and motion too) and are moved; the others in
   their subtree are removed. The mirror image of a frame R is M R diag(-1, 1, 1): +Y along the
   bone, and a rotation by an angle about the frame's x and by its negative about y and z looks the
   same on both sides. */
#include "edit/mirror_edit.h"

#include "edit/plan.h"
#include "edit/tree_edits.h"
#include "mesh/bounds.h"

#include <stdio.h>
#include <string.h>

/* of the diagonal: the distance within which a point is on the plane */
static const double ON_PLANE = 0.01;
/* of its length: the largest mean distance of a bone's ends from those of another's mirror image */
static const double NEAR_IMAGE = 0.5;

typedef struct mirroring {
	ossai_arena *arena;
	ossai_edit_state *state;
	const ossa_skeleton *skeleton;
	ossai_mirror plane;
	uint32_t bone;             /* the limb's first */
	uint8_t *in_limb;          /* B */
	uint8_t *replaced;         /* B: on the other side, replaced by a mirrored bone */
	uint8_t *becomes_mirrored; /* B */
	/* B: of the limb's bones: the bone that becomes the mirror image; OSSA_NONE: a new one */
	uint32_t *opposite;
	uint32_t *planned; /* B: of the limb's bones: their mirror image in the plan */
	ossai_tree_plan plan;
} mirroring;

#define REFUSE(m, ...) ossai_fail((m)->arena->context, OSSA_ERROR_ARGUMENT, NULL, __VA_ARGS__)

static const char *name_of(const mirroring *m, size_t bone) { return m->skeleton->bones[bone].name; }

/* ---- which bones ---- */

static void mark_below(const mirroring *m, uint32_t top, uint8_t *marks)
{
	marks[top] = 1;
	for (size_t b = top + 1; b < m->skeleton->bone_count; b++) {
		const int32_t parent = m->skeleton->bones[b].parent;
		if (parent >= 0 && marks[parent]) marks[b] = 1;
	}
}

static double side_of(const mirroring *m, const double *point)
{
	return ossai_dot(m->plane.normal, ossai_v3_of(point)) - m->plane.offset;
}

static ossa_status check_side(const mirroring *m)
{
	const ossa_mesh *mesh = m->state->rig->mesh;
	const double near = ON_PLANE * ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	const ossa_bone *bone = &m->skeleton->bones[m->bone];
	const double joint = side_of(m, bone->joint), tail = side_of(m, bone->tail);
	if (bone->parent < 0) return REFUSE(m, "%s is the root: mirror a bone of one side", bone->name);
	if (fabs(joint) > near || fabs(tail) > near) return OSSA_OK;
	return REFUSE(m, "%s is on the plane of symmetry: mirror a bone of one side", bone->name);
}

static bool is_below(const mirroring *m, uint32_t bone, uint32_t above)
{
	for (int32_t up = (int32_t)bone; up >= 0; up = m->skeleton->bones[up].parent) {
		if ((uint32_t)up == above) return true;
	}
	return false;
}

/* the distance of the mirror image of `bone` from `other`, in lengths of the bone */
static double mirrored_distance(const mirroring *m, uint32_t bone, uint32_t other)
{
	const ossa_bone *a = &m->skeleton->bones[bone], *b = &m->skeleton->bones[other];
	const ossai_vec3 joint = ossai_v3_of(a->joint), tail = ossai_v3_of(a->tail);
	const double ends = ossai_distance(ossai_mirror_point(&m->plane, joint), ossai_v3_of(b->joint)) +
		ossai_distance(ossai_mirror_point(&m->plane, tail), ossai_v3_of(b->tail));
	return 0.5 * ends / ossai_distance(joint, tail);
}

/* the bone of the name of the other side, or -1 */
static int32_t find_by_name(const mirroring *m, size_t bone)
{
	char other[OSSA_EDIT_NAME_SIZE];
	return ossai_other_side(name_of(m, bone), other) ? ossa_rig_bone(m->state->rig, other) : -1;
}

/* not of the limb, nor an ancestor, nor already paired, nor by its name the pair of another bone */
static bool may_be_mirrored(const mirroring *m, uint32_t bone)
{
	return !m->in_limb[bone] && !m->becomes_mirrored[bone] && !is_below(m, m->bone, bone) && find_by_name(m, bone) < 0;
}

/* The bone that lies nearest to the mirror image of `bone`, provided that `bone` is also nearest to
   its mirror image: of those below `top`, or of all outside the limb and its ancestors. OSSA_NONE
   where there is none. */
static uint32_t find_by_position(const mirroring *m, uint32_t bone, uint32_t top)
{
	uint32_t found = OSSA_NONE;
	double best = NEAR_IMAGE;
	for (uint32_t b = 0; b < m->skeleton->bone_count; b++) {
		if (!may_be_mirrored(m, b) || (top != OSSA_NONE && !is_below(m, b, top))) continue;
		const double away = mirrored_distance(m, bone, b);
		if (!(away < best)) continue;
		best = away;
		found = b;
	}
	for (uint32_t b = 0; found != OSSA_NONE && b < m->skeleton->bone_count; b++) {
		if (m->in_limb[b] && m->opposite[b] == OSSA_NONE && mirrored_distance(m, found, b) < mirrored_distance(m, found, bone))
			return OSSA_NONE;
	}
	return found;
}

/* an existing bone at the mirror image of the limb's first bone; OSSA_NONE: none */
static ossa_status find_top(const mirroring *m, uint32_t *top)
{
	const int32_t named = find_by_name(m, m->bone);
	*top = named < 0 ? find_by_position(m, m->bone, OSSA_NONE) : (uint32_t)named;
	if (named < 0) return OSSA_OK;
	const bool is_in = m->in_limb[named];
	if (!is_in && !is_below(m, m->bone, *top)) return OSSA_OK;
	return REFUSE(m, "%s is a descendant of %s: they cannot mirror each other", name_of(m, is_in ? *top : m->bone),
		name_of(m, is_in ? m->bone : *top));
}

static void pair(mirroring *m, uint32_t bone, uint32_t opposite)
{
	m->opposite[bone] = opposite;
	m->becomes_mirrored[opposite] = 1;
}

/* bones that are already on the other side: the subtree of the one that corresponds to the limb's
   first bone; names decide, and where they do not, positions */
static ossa_status find_opposite(mirroring *m)
{
	uint32_t top;
	OSSAI_TRY(find_top(m, &top));
	if (top != OSSA_NONE) mark_below(m, top, m->replaced);
	for (uint32_t b = 0; b < m->skeleton->bone_count; b++) {
		const int32_t found = m->in_limb[b] ? find_by_name(m, b) : -1;
		if (found >= 0 && m->in_limb[found]) {
			return REFUSE(m, "%s holds both %s and %s: mirror a bone of one side", name_of(m, m->bone), name_of(m, b),
				name_of(m, (size_t)found));
		}
		if (found >= 0 && m->replaced[found]) pair(m, b, (uint32_t)found);
	}
	if (top != OSSA_NONE && m->opposite[m->bone] == OSSA_NONE) pair(m, m->bone, top);
	for (uint32_t b = 0; top != OSSA_NONE && b < m->skeleton->bone_count; b++) {
		const bool is_open = m->in_limb[b] && m->opposite[b] == OSSA_NONE && find_by_name(m, b) < 0;
		const uint32_t found = is_open ? find_by_position(m, b, top) : OSSA_NONE;
		if (found != OSSA_NONE) pair(m, b, found);
	}
	return OSSA_OK;
}

/* the parent of the mirrored limb: the counterpart of the limb's parent where there is one, else
   that parent itself */
static uint32_t parent_of_mirrored(const mirroring *m)
{
	const uint32_t parent = (uint32_t)m->skeleton->bones[m->bone].parent;
	const int32_t named = find_by_name(m, parent);
	uint32_t image = named >= 0 ? (uint32_t)named : parent;
	for (uint32_t b = 0; named < 0 && b < m->skeleton->bone_count; b++) {
		const bool may_be = !m->in_limb[b] && !m->replaced[b] && !is_below(m, parent, b);
		const double away = may_be ? mirrored_distance(m, parent, b) : INFINITY;
		/* a medial bone is its own mirror image */
		if (away < NEAR_IMAGE && away < mirrored_distance(m, parent, image)) image = b;
	}
	return m->replaced[image] || m->in_limb[image] ? parent : image;
}

/* ---- one mirror image ---- */

static void mirror_point(const mirroring *m, double *point)
{
	ossai_v3_store(ossai_mirror_point(&m->plane, ossai_v3_of(point)), point);
}

static ossai_vec3 mirror_direction(const mirroring *m, ossai_vec3 d)
{
	return ossai_madd(d, -2 * ossai_dot(m->plane.normal, d), m->plane.normal);
}

static void mirror_frame(const mirroring *m, double *orientation)
{
	const ossai_mat3 from = ossai_quat_matrix(ossai_quat_of(orientation));
	ossai_mat3 to;
	for (int axis = 0; axis < 3; axis++) {
		const ossai_vec3 column = ossai_v3(from.m[0][axis], from.m[1][axis], from.m[2][axis]);
		const ossai_vec3 image = ossai_scale(mirror_direction(m, column), axis == 0 ? -1 : 1);
		to.m[0][axis] = image.x;
		to.m[1][axis] = image.y;
		to.m[2][axis] = image.z;
	}
	ossai_quat_store(ossai_quat_unit(ossai_mat3_quat(&to)), orientation);
}

static void mirror_limits(ossa_bone *bone)
{
	for (int axis = 1; axis < 3; axis++) {
		const double least = bone->limits[axis][0];
		/* no zero with a sign */
		bone->limits[axis][0] = 0 - bone->limits[axis][1];
		bone->limits[axis][1] = 0 - least;
	}
}

static void mirror_bone(const mirroring *m, const ossa_bone *from, ossa_bone *to)
{
	char name[OSSA_EDIT_NAME_SIZE];
	const int32_t parent = to->parent;
	memcpy(name, to->name, sizeof name);
	*to = *from;
	memcpy(to->name, name, sizeof name);
	to->parent = parent;
	to->role.side = -from->role.side;
	mirror_point(m, to->joint);
	mirror_point(m, to->tail);
	mirror_frame(m, to->orientation);
	ossai_mirror_modelled(&m->plane, to->modelled);
	mirror_limits(to);
	/* turns are reversed, slides are not */
	const double side = from->kind == OSSA_JOINT_PRISMATIC ? 1 : -1;
	ossai_v3_store(ossai_scale(mirror_direction(m, ossai_v3_of(from->axis)), side), to->axis);
	ossai_v3_store(ossai_scale(mirror_direction(m, ossai_v3_of(from->second_axis)), -1), to->second_axis);
}

static bool is_planned(const mirroring *m, const char *name)
{
	for (size_t b = 0; b < m->plan.count; b++) {
		if (strcmp(m->plan.bones[b].bone.name, name) == 0) return true;
	}
	return false;
}

/* the name of the other side where it is free */
static void name_mirrored(const mirroring *m, uint32_t bone, char name[OSSA_EDIT_NAME_SIZE])
{
	if (ossai_other_side(name_of(m, bone), name) && !is_planned(m, name)) return;
	char like[OSSA_EDIT_NAME_SIZE];
	snprintf(like, sizeof like, "%s", name_of(m, bone));
	ossai_new_bone_name(m->skeleton, like, "mirror", name);
	while (is_planned(m, name)) {
		memcpy(like, name, sizeof like);
		ossai_new_bone_name(m->skeleton, like, NULL, name);
	}
}

/* ---- the plan ---- */

static uint32_t planned_bone(const mirroring *m, uint32_t kept)
{
	uint32_t b = 0;
	while (m->plan.bones[b].kept != kept) b++;
	return b;
}

static void plan_mirrored_bone(mirroring *m, uint32_t bone, uint32_t parent)
{
	const bool is_new = m->opposite[bone] == OSSA_NONE;
	const uint32_t image = is_new ? ossai_tree_plan_add(&m->plan, m->state, bone) : m->opposite[bone];
	ossai_planned_bone *planned = &m->plan.bones[image];
	if (is_new) {
		char name[OSSA_EDIT_NAME_SIZE];
		planned->bone.name[0] = 0;
		name_mirrored(m, bone, name);
		memcpy(planned->bone.name, name, sizeof name);
		/* it moves as its parent, until it is solved */
		planned->source = m->plan.bones[parent].source;
		planned->order = (double)m->skeleton->bone_count + (double)bone;
	}
	mirror_bone(m, &m->skeleton->bones[bone], &planned->bone);
	planned->bone.parent = (int32_t)parent;
	planned->level = m->plan.bones[bone].level;
	planned->keeps_kind = planned->keep_tail = planned->is_placed = true;
	planned->stale |= OSSAI_STALE_MOTION;
	m->planned[bone] = image;
}

static void plan_mirrored_bones(mirroring *m)
{
	const uint32_t parent = parent_of_mirrored(m);
	for (uint32_t b = 0; b < m->skeleton->bone_count; b++) {
		if (!m->in_limb[b]) continue;
		plan_mirrored_bone(m, b, b == m->bone ? parent : m->planned[m->skeleton->bones[b].parent]);
	}
}

/* bones of the other side that are the mirror image of none */
static void remove_others(mirroring *m)
{
	for (uint32_t b = (uint32_t)m->skeleton->bone_count; b-- > 0;) {
		if (!m->replaced[b] || m->becomes_mirrored[b]) continue;
		m->plan.forgets[b] = 1;
		ossai_tree_plan_remove(&m->plan, m->state, planned_bone(m, b), m->plan.successor[m->skeleton->bones[b].parent]);
	}
}

/* ---- all of it ---- */

static ossa_status mirroring_new(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, mirroring *m)
{
	const size_t bones = state->rig->skeleton.bone_count;
	*m = (mirroring){.arena = arena, .state = state, .skeleton = &state->rig->skeleton, .bone = bone};
	m->in_limb = ossai_arena_zero(arena, bones, 1);
	m->replaced = ossai_arena_zero(arena, bones, 1);
	m->becomes_mirrored = ossai_arena_zero(arena, bones, 1);
	m->opposite = ossai_arena_new(arena, bones, sizeof *m->opposite);
	m->planned = ossai_arena_new(arena, bones, sizeof *m->planned);
	if (!m->in_limb || !m->replaced || !m->becomes_mirrored || !m->opposite || !m->planned)
		return ossa_context_error(arena->context)->status;
	memset(m->opposite, 0xff, bones * sizeof *m->opposite);
	mark_below(m, bone, m->in_limb);
	return OSSA_OK;
}

/* bones before and after are identified by name: mirror images have names of their own */
typedef struct old_skin {
	ossa_weights weights;
	char (*mirrored_name)[OSSA_EDIT_NAME_SIZE];
	char (*names)[OSSA_EDIT_NAME_SIZE];
	size_t bones;
	char heir[OSSA_EDIT_NAME_SIZE];
} old_skin;

static ossa_status remember_skin(const mirroring *m, old_skin *old)
{
	const ossa_weights *w = &m->state->rig->weights;
	const size_t pairs = w->vertex_count * (size_t)w->influences;
	old->bones = m->skeleton->bone_count;
	old->weights = *w;
	old->weights.bones = ossai_arena_new(m->arena, pairs, sizeof *w->bones);
	old->weights.values = ossai_arena_new(m->arena, pairs, sizeof *w->values);
	old->mirrored_name = ossai_arena_zero(m->arena, old->bones, sizeof *old->mirrored_name);
	old->names = ossai_arena_zero(m->arena, old->bones, sizeof *old->names);
	if (!old->weights.bones || !old->weights.values || !old->mirrored_name || !old->names) {
		return ossa_context_error(m->arena->context)->status;
	}
	memcpy(old->weights.bones, w->bones, pairs * sizeof *w->bones);
	memcpy(old->weights.values, w->values, pairs * sizeof *w->values);
	for (size_t b = 0; b < old->bones; b++) {
		memcpy(old->names[b], name_of(m, b), OSSA_EDIT_NAME_SIZE);
		if (m->in_limb[b]) memcpy(old->mirrored_name[b], m->plan.bones[m->planned[b]].bone.name, OSSA_EDIT_NAME_SIZE);
	}
	const int32_t parent = m->plan.bones[m->planned[m->bone]].bone.parent;
	memcpy(old->heir, m->plan.bones[parent].bone.name, OSSA_EDIT_NAME_SIZE);
	return OSSA_OK;
}

static ossa_status move_skin(const mirroring *m, const old_skin *old)
{
	ossai_mirrored_bone *images = ossai_arena_new(m->arena, old->bones, sizeof *images);
	uint32_t *now = ossai_arena_new(m->arena, old->bones, sizeof *now);
	size_t count = 0;
	if (!images || !now) return ossa_context_error(m->arena->context)->status;
	for (size_t b = 0; b < old->bones; b++) {
		const int32_t found = ossa_rig_bone(m->state->rig, old->names[b]);
		now[b] = found < 0 ? 0 : (uint32_t)found;
		if (!m->in_limb[b]) continue;
		images[count++] = (ossai_mirrored_bone){(uint32_t)b, (uint32_t)ossa_rig_bone(m->state->rig, old->mirrored_name[b])};
	}
	const uint32_t heir = (uint32_t)ossa_rig_bone(m->state->rig, old->heir);
	return ossai_mirror_weights(m->arena, &m->plane, &old->weights, count, images, m->replaced, now, heir, m->state);
}

static ossa_status mirror(mirroring *m)
{
	old_skin old;
	size_t limb = 0;
	OSSAI_TRY(ossai_edit_plane(m->arena, m->state, &m->plane));
	OSSAI_TRY(check_side(m));
	OSSAI_TRY(find_opposite(m));
	for (size_t b = 0; b < m->skeleton->bone_count; b++) limb += m->in_limb[b];
	if (m->skeleton->bone_count + limb > UINT16_MAX) return REFUSE(m, "the rig would have more bones than a rig can have");
	OSSAI_TRY(ossai_tree_plan_begin(m->arena, m->state, limb, &m->plan));
	plan_mirrored_bones(m);
	OSSAI_TRY(remember_skin(m, &old));
	remove_others(m);
	OSSAI_TRY(ossai_tree_plan_apply(m->arena, &m->plan, m->state));
	return move_skin(m, &old);
}

ossa_status ossai_edit_mirror(ossai_arena *arena, ossai_edit_state *state, uint32_t bone)
{
	mirroring m;
	OSSAI_TRY(mirroring_new(arena, state, bone, &m));
	return mirror(&m);
}
