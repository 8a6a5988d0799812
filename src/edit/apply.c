/* edit/apply.c: see apply.h.

   Place in the path: part of the editor.
   Input: a state, an edit.
   Output: the state after it. */
#include "edit/apply.h"

#include "edit/line.h"
#include "edit/tree_edits.h"
#include "rig/shapes.h"

#include <ossa/dependencies.h>
#include <stdio.h>
#include <string.h>

#define REFUSE(...) ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, __VA_ARGS__)

/* ---- before ---- */

static bool names_bone(ossa_edit_kind kind) { return kind != OSSA_EDIT_RELAX && kind != OSSA_EDIT_SOLVE; }

static bool names_other(ossa_edit_kind kind)
{
	return kind == OSSA_EDIT_MERGE || kind == OSSA_EDIT_CONNECT || kind == OSSA_EDIT_FORBID || kind == OSSA_EDIT_APART ||
		kind == OSSA_EDIT_TOGETHER;
}

static ossa_status find_bone(ossa_context *context, const ossai_edit_state *state, char name[OSSA_EDIT_NAME_SIZE])
{
	size_t bone = 0;
	if (!memchr(name, 0, OSSA_EDIT_NAME_SIZE)) return REFUSE("a bone's name is not terminated");
	OSSAI_TRY(ossa_rig_find_bone(context, state->rig, name, &bone));
	memcpy(name, state->rig->skeleton.bones[bone].name, OSSA_EDIT_NAME_SIZE);
	return OSSA_OK;
}

static ossa_status check_limits(ossa_context *context, const ossa_edit *edit)
{
	static const char axes[] = "xyz";
	for (int axis = 0; axis < 3 && !edit->off; axis++) {
		const double least = edit->limits[axis][0], largest = edit->limits[axis][1];
		if (least >= -360 && least <= 0 && largest >= 0 && largest <= 360) continue;
		return REFUSE("limits of %g to %g degrees about %c are not possible: they are relative to the rest pose, so they "
					  "contain 0, and lie "
					  "within -360 to 360",
			least, largest, axes[axis]);
	}
	return OSSA_OK;
}

static ossa_status check_faces(ossa_context *context, const ossai_edit_state *state, const ossa_edit *edit)
{
	const size_t count = state->rig->mesh->triangle_count;
	if (edit->face_count == 0) return REFUSE("name the triangles to paint");
	for (size_t i = 0; i < edit->face_count; i++) {
		if (edit->faces[i] >= count) {
			return REFUSE("there is no triangle %u: the mesh has %zu, counted from 0", edit->faces[i], count);
		}
		if (i > 0 && edit->faces[i] <= edit->faces[i - 1]) return REFUSE("the triangles to paint are not in ascending order");
	}
	return OSSA_OK;
}

ossa_status ossai_edit_resolve(ossa_context *context, const ossai_edit_state *state, ossa_edit *edit)
{
	if ((size_t)edit->kind >= ossa_edit_verb_count()) return REFUSE("there is no edit of kind %d", (int)edit->kind);
	if (names_bone(edit->kind)) OSSAI_TRY(find_bone(context, state, edit->bone));
	if (names_other(edit->kind)) OSSAI_TRY(find_bone(context, state, edit->other));
	if (names_other(edit->kind) && strcmp(edit->bone, edit->other) == 0) {
		return REFUSE("%s: %s is named twice; two bones are wanted", ossa_edit_verb_at((size_t)edit->kind)->verb, edit->bone);
	}
	if ((edit->name[0] || edit->kind == OSSA_EDIT_RENAME) && !ossai_is_bone_name(edit->name)) {
		return REFUSE("\"%.63s\" cannot be a bone's name: names are made of up to 63 of A-Z a-z 0-9 _ -", edit->name);
	}
	if (edit->kind == OSSA_EDIT_LIMITS) {
		const int32_t limited = ossa_rig_bone(state->rig, edit->bone);
		if (limited >= 0 && !edit->off && state->rig->skeleton.bones[limited].kind == OSSA_JOINT_PRISMATIC)
			return REFUSE("%s slides and never turns: it has no limits of turns", edit->bone);
		OSSAI_TRY(check_limits(context, edit));
	}
	return edit->kind == OSSA_EDIT_PAINT ? check_faces(context, state, edit) : OSSA_OK;
}

/* ---- edits of one bone ---- */

static ossa_status rename_bone(ossa_context *context, ossai_edit_state *state, uint32_t bone, const char *name)
{
	ossa_bone *renamed = &state->rig->skeleton.bones[bone];
	if (strcmp(renamed->name, name) == 0) return REFUSE("%s is called so already", name);
	if (ossa_rig_bone(state->rig, name) >= 0) return REFUSE("another bone is called %s already", name);
	ossai_shapes_rename_bone(state->rig, renamed->name, name);
	snprintf(renamed->name, sizeof renamed->name, "%s", name);
	return OSSA_OK;
}

static void set_limits(ossai_edit_state *state, uint32_t bone, const ossa_edit *edit)
{
	ossa_bone *limited = &state->rig->skeleton.bones[bone];
	limited->has_limits = !edit->off;
	limited->limits_of_motion = false;
	memset(limited->axis_limits, 0, sizeof limited->axis_limits);
	memset(limited->limits, 0, sizeof limited->limits);
	memset(limited->slide_limits, 0, sizeof limited->slide_limits);
	if (!edit->off) memcpy(limited->limits, edit->limits, sizeof limited->limits);
}

static ossa_status make_independent(ossa_context *context, ossai_edit_state *state, uint32_t bone)
{
	ossa_rig *rig = state->rig;
	const int32_t gone = ossa_rig_dependency_of(rig, bone);
	if (gone < 0) return REFUSE("%s does not turn as another bone does", rig->skeleton.bones[bone].name);
	ossa_dependency *at = &rig->dependencies[gone];
	memmove(at, at + 1, (--rig->dependency_count - (size_t)gone) * sizeof *at);
	return OSSA_OK;
}

/* the corners of the faces follow the bone alone */
static void paint(ossai_edit_state *state, uint32_t bone, const ossa_edit *edit)
{
	ossa_weights *weights = &state->rig->weights;
	const size_t width = (size_t)weights->influences;
	for (size_t i = 0; i < 3 * edit->face_count; i++) {
		const size_t from = width * state->rig->mesh->triangles[3 * (size_t)edit->faces[i / 3] + i % 3];
		for (size_t k = from; k < from + width; k++) {
			if (weights->values[k] > 0) state->marks[weights->bones[k]].stale |= OSSAI_STALE_WEIGHTS;
			weights->values[k] = k == from;
			weights->bones[k] = k == from ? (uint16_t)bone : 0;
		}
	}
}

static ossa_status connect(ossai_arena *arena, ossai_edit_state *state, uint32_t bone, uint32_t parent)
{
	ossa_context *context = arena->context;
	const size_t bound = ossai_bounds_between(state, OSSA_EDIT_FORBID, bone, parent);
	const bool is_child_there = state->rig->skeleton.bones[bone].parent == (int32_t)parent;
	if (bound > 0 && !is_child_there) {
		return REFUSE("constraint %zu (%s) forbids this; relax %zu first", bound, state->bounds[bound - 1].line, bound);
	}
	return ossai_edit_connect(arena, state, bone, parent);
}

/* ---- solving ---- */

/* merges bones that must be together, pair by pair */
static ossa_status join_pairs(ossai_arena *arena, ossai_edit_state *state)
{
	uint32_t bone, other;
	while (ossai_bounds_next_pair(state, &bone, &other)) {
		const size_t apart = ossai_bounds_between(state, OSSA_EDIT_APART, bone, other);
		if (apart > 0) {
			const ossa_bone *bones = state->rig->skeleton.bones;
			return ossai_fail(arena->context, OSSA_ERROR_INPUT, NULL,
				"%s and %s are to be together, but constraint %zu (%s) keeps them apart: relax one of the two",
				bones[bone].name, bones[other].name, apart, state->bounds[apart - 1].line);
		}
		OSSAI_TRY(ossai_edit_make_one(arena, state, bone, other));
		OSSAI_TRY(ossai_bounds_update(arena->context, state));
	}
	return OSSA_OK;
}

/* marks stale bones; and for a bone whose split is pending its other half, which is its child */
static ossa_status fill_stale(
	ossai_arena *arena, const ossai_edit_state *state, bool all, uint8_t **stale, ossai_solve_bounds *bounds)
{
	const size_t bones = state->rig->skeleton.bone_count;
	uint16_t *halves = ossai_arena_zero(arena, bones, sizeof *halves);
	*stale = ossai_arena_new(arena, bones, 1);
	if (!*stale || !halves) return ossa_context_error(arena->context)->status;
	for (size_t b = 0; b < bones; b++) {
		const ossai_bone_mark *mark = &state->marks[b];
		const int32_t half = mark->half != OSSA_NONE ? ossai_state_bone(state, mark->half) : -1;
		(*stale)[b] = mark->stale | (all ? OSSAI_STALE_WEIGHTS : 0);
		if (half >= 0 && state->rig->skeleton.bones[half].parent == (int32_t)b) halves[b] = (uint16_t)half;
		else (*stale)[b] &= (uint8_t)~OSSAI_STALE_SPLIT;
	}
	bounds->half = halves;
	return OSSA_OK;
}

/* solving may have reordered bones: place, of the bones before */
static ossa_status move_marks(ossa_context *context, const uint32_t *new_index, size_t before, ossai_edit_state *state)
{
	const size_t bones = state->rig->skeleton.bone_count;
	ossai_bone_mark *marks = ossa_alloc(context, bones, sizeof *marks);
	if (!marks) return ossa_context_error(context)->status;
	for (size_t b = 0; b < before; b++) {
		if (new_index[b] < bones) marks[new_index[b]] = (ossai_bone_mark){state->marks[b].id, OSSA_NONE, 0};
	}
	ossa_free(context, state->marks);
	state->marks = marks;
	return OSSA_OK;
}

static ossa_status solve(ossai_arena *arena, const ossai_edit_ground *ground, ossai_edit_state *state, bool all)
{
	ossa_context *context = arena->context;
	ossai_solver *solver = NULL;
	ossai_solve_bounds bounds;
	uint8_t *stale;
	OSSAI_TRY(join_pairs(arena, state));
	OSSAI_TRY(ground->solver(ground->solver_user, context, &solver));
	OSSAI_TRY(ossai_bounds_collect(arena, state, ground->edit_at, ground->user, &bounds));
	OSSAI_TRY(fill_stale(arena, state, all, &stale, &bounds));
	const size_t before = state->rig->skeleton.bone_count;
	uint32_t *new_index = ossai_arena_new(arena, before, sizeof *new_index);
	if (!new_index) return ossa_context_error(context)->status;
	ossa_solve_facts facts = {0};
	double cpu_before, cpu_after, wall;
	ossai_run_seconds(context, &wall, &cpu_before);
	OSSAI_TRY(ossai_solve(context, solver, state->rig, stale, &bounds, new_index, &facts));
	ossai_run_seconds(context, &wall, &cpu_after);
	facts.cpu_seconds = cpu_after - cpu_before;
	state->facts = facts;
	state->is_solved = true;
	return move_marks(context, new_index, before, state);
}

/* ---- all of them ---- */

static ossa_status apply(ossai_arena *arena, const ossai_edit_ground *ground, ossai_edit_state *state, const ossa_edit *edit,
	size_t index, const char *line)
{
	const uint32_t bone = names_bone(edit->kind) ? (uint32_t)ossa_rig_bone(state->rig, edit->bone) : 0;
	const uint32_t other = names_other(edit->kind) ? (uint32_t)ossa_rig_bone(state->rig, edit->other) : 0;
	switch (edit->kind) {
	case OSSA_EDIT_ADD: return ossai_edit_add(arena, state, bone, edit->position, edit->name);
	case OSSA_EDIT_SPLIT: return ossai_edit_split(arena, state, bone, edit->share, edit->name);
	case OSSA_EDIT_REMOVE: return ossai_edit_remove(arena, state, bone);
	case OSSA_EDIT_MERGE: return ossai_edit_merge(arena, state, bone, other);
	case OSSA_EDIT_MOVE: return ossai_edit_move(arena, state, bone, edit->position);
	case OSSA_EDIT_TAIL: return ossai_edit_tail(arena, state, bone, edit->position);
	case OSSA_EDIT_CONNECT: return connect(arena, state, bone, other);
	case OSSA_EDIT_ROOT: return ossai_edit_root(arena, state, bone);
	case OSSA_EDIT_RENAME: return rename_bone(arena->context, state, bone, edit->name);
	case OSSA_EDIT_MIRROR: return ossai_edit_mirror(arena, state, bone);
	case OSSA_EDIT_LIMITS: set_limits(state, bone, edit); return OSSA_OK;
	case OSSA_EDIT_INDEPENDENT: return make_independent(arena->context, state, bone);
	case OSSA_EDIT_PAINT: paint(state, bone, edit); break;
	case OSSA_EDIT_LOCK:
	case OSSA_EDIT_FORBID:
	case OSSA_EDIT_APART:
	case OSSA_EDIT_TOGETHER: break;
	case OSSA_EDIT_RELAX: return ossai_bounds_switch(arena->context, state, edit->number);
	case OSSA_EDIT_SOLVE: return solve(arena, ground, state, edit->all);
	}
	return ossai_bounds_add(arena->context, state, edit, index, line);
}

static bool has_new_parent(ossa_edit_kind kind)
{
	return kind == OSSA_EDIT_SPLIT || kind == OSSA_EDIT_REMOVE || kind == OSSA_EDIT_MERGE || kind == OSSA_EDIT_ROOT ||
		kind == OSSA_EDIT_MIRROR;
}

ossa_status ossai_edit_apply(ossa_context *context, const ossai_edit_ground *ground, ossai_edit_state *state,
	const ossa_edit *edit, size_t index, const char *line)
{
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = apply(&arena, ground, state, edit, index, line);
	ossai_arena_end(&arena);
	OSSAI_TRY(status);
	if (has_new_parent(edit->kind)) ossai_bounds_mark_forbidden(state);
	return ossai_bounds_update(context, state);
}
