/* edit/bounds.c: see bounds.h. */
#include "edit/bounds.h"

#include "math/vec.h"

#include <string.h>

/* ---- bones of a constraint ---- */

static bool is_on_side(const ossai_edit_state *state, size_t bound, uint8_t side, uint32_t id)
{
	return ossai_is_held(state, state->hold_count, (ossai_hold){(uint32_t)bound, id, side});
}

static bool needs_two(const ossai_bound *bound)
{
	return bound->kind == OSSA_EDIT_FORBID || bound->kind == OSSA_EDIT_APART || bound->kind == OSSA_EDIT_TOGETHER;
}

/* the bones of one side in the order in which they came */
typedef struct side_walk {
	const ossai_edit_state *state;
	size_t at, bound;
	uint8_t side;
} side_walk;

static bool next_on_side(side_walk *walk, uint32_t *bone)
{
	while (walk->at < walk->state->hold_count) {
		const ossai_hold *held = &walk->state->holds[walk->at++];
		if (held->bound != walk->bound || held->side != walk->side) continue;
		const int32_t found = ossai_state_bone(walk->state, held->id);
		if (found < 0) continue;
		*bone = (uint32_t)found;
		return true;
	}
	return false;
}

static bool is_split(const ossai_edit_state *state, size_t bound)
{
	bool first = false, second = !needs_two(&state->bounds[bound]);
	for (size_t i = 0; i < state->hold_count; i++) {
		const ossai_hold *held = &state->holds[i];
		if (held->bound != bound) continue;
		first = first || held->side == 0;
		second = second || held->side == 1;
		/* one bone on both sides */
		if (held->side == 1 && is_on_side(state, bound, 0, held->id)) return false;
	}
	return first && second;
}

/* ---- making and switching ---- */

static void mark_side(ossai_edit_state *state, size_t bound, uint8_t stale)
{
	for (size_t i = 0; i < state->hold_count; i++) {
		const int32_t bone = state->holds[i].bound == bound ? ossai_state_bone(state, state->holds[i].id) : -1;
		if (bone >= 0) state->marks[bone].stale |= stale;
	}
}

/* the bones that a changed constraint makes stale */
static void mark_switched(ossai_edit_state *state, size_t index)
{
	const ossai_bound *bound = &state->bounds[index];
	uint8_t stale = 0;
	switch (bound->kind) {
	case OSSA_EDIT_TOGETHER: stale = bound->is_on ? OSSAI_STALE_WEIGHTS | OSSAI_STALE_MOTION : 0; break;
	case OSSA_EDIT_PAINT: stale = OSSAI_STALE_WEIGHTS | OSSAI_STALE_MOTION; break;
	case OSSA_EDIT_FORBID: stale = bound->is_on ? 0 : OSSAI_STALE_PARENT; break;
	case OSSA_EDIT_LOCK:
		if (!bound->is_on) stale = bound->weights ? OSSAI_STALE_WEIGHTS : OSSAI_STALE_JOINT;
		break;
	default: break;
	}
	mark_side(state, index, stale);
	ossai_bounds_mark_forbidden(state);
}

static ossa_status copy_line(ossa_context *context, const char *line, char **copy)
{
	*copy = ossai_new(context, strlen(line) + 1, 1);
	if (!*copy) return ossa_context_error(context)->status;
	memcpy(*copy, line, strlen(line) + 1);
	return OSSA_OK;
}

ossa_status ossai_bounds_add(
	ossa_context *context, ossai_edit_state *state, const ossa_edit *edit, size_t index, const char *line)
{
	const size_t bound = state->bound_count;
	OSSAI_TRY(ossai_reserve(context, &state->bounds, &state->bound_capacity, bound, sizeof *state->bounds));
	ossai_bound *made = &state->bounds[bound];
	*made = (ossai_bound){.edit = index, .kind = edit->kind, .weights = edit->weights, .is_on = true};
	OSSAI_TRY(copy_line(context, line, &made->line));
	state->bound_count++;
	for (int side = 0; side < (needs_two(made) ? 2 : 1); side++) {
		const int32_t bone = ossa_rig_bone(state->rig, side ? edit->other : edit->bone);
		OSSAI_TRY(ossai_state_hold(context, state, (ossai_hold){(uint32_t)bound, state->marks[bone].id, (uint8_t)side}));
	}
	mark_switched(state, bound);
	return OSSA_OK;
}

ossa_status ossai_bounds_switch(ossa_context *context, ossai_edit_state *state, size_t number)
{
	if (number == 0 || number > state->bound_count) {
		if (state->bound_count == 0) {
			return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there are no constraints yet that could be relaxed");
		}
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "there is no constraint %zu; there are %zu, counted from 1",
			number, state->bound_count);
	}
	ossai_bound *bound = &state->bounds[number - 1];
	if (bound->is_gone) {
		return ossai_fail(
			context, OSSA_ERROR_ARGUMENT, NULL, "constraint %zu (%s) is for bones that no longer exist", number, bound->line);
	}
	bound->is_on = !bound->is_on;
	mark_switched(state, number - 1);
	return OSSA_OK;
}

/* ---- after an edit ---- */

/* appends to a text of known capacity */
static char *put(char *at, const char *text, size_t size)
{
	memcpy(at, text, size);
	return at + size;
}

/* "forbid hand_L+hand_02_L hips": the line with the current names of its bones, the halves of a
   bone joined by + */
static ossa_status name_bones(ossa_context *context, ossai_edit_state *state, size_t index)
{
	ossai_bound *bound = &state->bounds[index];
	const char *verb_end = strchr(bound->line, ' ');
	const size_t lead = bound->kind == OSSA_EDIT_LOCK ? (size_t)(strchr(verb_end + 1, ' ') - bound->line)
													  : (size_t)(verb_end - bound->line);
	const char *faces = bound->kind == OSSA_EDIT_PAINT ? strrchr(bound->line, ' ') : "";
	size_t capacity = lead + strlen(faces) + 1;
	for (size_t i = 0; i < state->hold_count; i++) capacity += state->holds[i].bound == index ? OSSA_EDIT_NAME_SIZE + 1 : 0;
	char *line = ossai_new(context, capacity, 1), *at = line;
	if (!line) return ossa_context_error(context)->status;
	at = put(at, bound->line, lead);
	for (uint8_t side = 0; side < 2; side++) {
		side_walk walk = {state, 0, index, side};
		uint32_t bone;
		for (bool first = true; next_on_side(&walk, &bone); first = false) {
			const char *name = state->rig->skeleton.bones[bone].name;
			at = put(at, first ? " " : "+", 1);
			at = put(at, name, strlen(name));
		}
	}
	put(at, faces, strlen(faces) + 1);
	ossa_free(context, bound->line);
	bound->line = line;
	return OSSA_OK;
}

ossa_status ossai_bounds_update(ossa_context *context, ossai_edit_state *state)
{
	int64_t lost = 0;
	const char *first = "";
	for (size_t i = 0; i < state->bound_count; i++) {
		ossai_bound *bound = &state->bounds[i];
		if (bound->is_gone) continue;
		if (is_split(state, i)) {
			OSSAI_TRY(name_bones(context, state, i));
			continue;
		}
		/* pairs of bones that had to be merged are now */
		if (bound->is_on && bound->kind != OSSA_EDIT_TOGETHER && lost++ == 0) first = bound->line;
		bound->is_gone = true;
		bound->is_on = false;
	}
	if (lost > 0) {
		ossai_warn(
			context, "constraints-dropped", lost, "\"%s\" and all constraints for bones that no longer exist are off", first);
	}
	return OSSA_OK;
}

size_t ossai_bounds_between(const ossai_edit_state *state, ossa_edit_kind kind, uint32_t bone, uint32_t other)
{
	const uint32_t a = state->marks[bone].id, b = state->marks[other].id;
	for (size_t i = 0; i < state->bound_count; i++) {
		if (state->bounds[i].kind != kind || !state->bounds[i].is_on) continue;
		if (is_on_side(state, i, 0, a) && is_on_side(state, i, 1, b)) return i + 1;
		if (is_on_side(state, i, 0, b) && is_on_side(state, i, 1, a)) return i + 1;
	}
	return 0;
}

void ossai_bounds_mark_forbidden(ossai_edit_state *state)
{
	const ossa_skeleton *skeleton = &state->rig->skeleton;
	bool any = false;
	for (size_t i = 0; i < state->bound_count; i++)
		any = any || (state->bounds[i].is_on && state->bounds[i].kind == OSSA_EDIT_FORBID);
	for (size_t b = 1; any && b < skeleton->bone_count; b++) {
		if (ossai_bounds_between(state, OSSA_EDIT_FORBID, (uint32_t)b, (uint32_t)skeleton->bones[b].parent) == 0) continue;
		state->marks[b].stale |= OSSAI_STALE_PARENT | OSSAI_STALE_JOINT | OSSAI_STALE_MOTION;
	}
}

bool ossai_bounds_next_pair(const ossai_edit_state *state, uint32_t *bone, uint32_t *other)
{
	for (size_t i = 0; i < state->bound_count; i++) {
		if (state->bounds[i].kind != OSSA_EDIT_TOGETHER || !state->bounds[i].is_on) continue;
		side_walk one = {state, 0, i, 0}, two = {state, 0, i, 1};
		if (next_on_side(&one, bone) && next_on_side(&two, other) && *bone != *other) return true;
	}
	return false;
}

/* ---- for what solves ---- */

static size_t count_pairs(const ossai_edit_state *state, ossa_edit_kind kind, ossai_edit_pair *pairs)
{
	size_t count = 0;
	for (size_t i = 0; i < state->bound_count; i++) {
		if (state->bounds[i].kind != kind || !state->bounds[i].is_on) continue;
		side_walk one = {state, 0, i, 0};
		for (uint32_t a, b; next_on_side(&one, &a);) {
			side_walk two = {state, 0, i, 1};
			for (; next_on_side(&two, &b); count++) {
				if (pairs) pairs[count] = (ossai_edit_pair){(uint16_t)a, (uint16_t)b};
			}
		}
	}
	return count;
}

static ossa_status collect_pairs(
	ossai_arena *arena, const ossai_edit_state *state, ossa_edit_kind kind, size_t *count, const ossai_edit_pair **pairs)
{
	ossai_edit_pair *made = ossai_arena_new(arena, count_pairs(state, kind, NULL), sizeof *made);
	if (!made) return ossa_context_error(arena->context)->status;
	*count = count_pairs(state, kind, made);
	*pairs = made;
	return OSSA_OK;
}

static double distance_to_bone(const ossa_bone *bone, ossai_vec3 p)
{
	const ossai_vec3 joint = ossai_v3_of(bone->joint), along = ossai_sub(ossai_v3_of(bone->tail), joint);
	const double square = ossai_length2(along);
	const double t = square > 0 ? fmin(fmax(ossai_dot(ossai_sub(p, joint), along) / square, 0), 1) : 0;
	return ossai_distance(p, ossai_madd(joint, t, along));
}

/* of the halves of a painted bone the nearer one */
static uint16_t painted_bone(const ossai_edit_state *state, size_t bound, uint32_t face)
{
	const ossa_mesh *mesh = state->rig->mesh;
	ossai_vec3 center = {0, 0, 0};
	for (int corner = 0; corner < 3; corner++) {
		const float *p = mesh->positions + 3 * (size_t)mesh->triangles[3 * (size_t)face + (size_t)corner];
		center = ossai_madd(center, 1.0 / 3, ossai_v3_of_float(p));
	}
	side_walk walk = {state, 0, bound, 0};
	double least = INFINITY;
	uint16_t best = OSSAI_FREE_FACE;
	for (uint32_t bone; next_on_side(&walk, &bone);) {
		const double distance = distance_to_bone(&state->rig->skeleton.bones[bone], center);
		if (distance < least) best = (uint16_t)bone;
		least = fmin(least, distance);
	}
	return best;
}

/* later paint covers earlier paint */
static ossa_status collect_faces(
	ossai_arena *arena, const ossai_edit_state *state, ossai_edit_at edit_at, const void *user, ossai_solve_bounds *bounds)
{
	const size_t face_count = state->rig->mesh->triangle_count;
	uint16_t *bone_of_face = NULL;
	uint32_t *layer_of_face = NULL;
	for (size_t i = 0; i < state->bound_count; i++) {
		if (state->bounds[i].kind != OSSA_EDIT_PAINT || !state->bounds[i].is_on) continue;
		const ossa_edit *edit = edit_at(user, state->bounds[i].edit);
		if (!bone_of_face) {
			bone_of_face = ossai_arena_new(arena, face_count, sizeof *bone_of_face);
			layer_of_face = ossai_arena_zero(arena, face_count, sizeof *layer_of_face);
			if (!bone_of_face || !layer_of_face) return ossa_context_error(arena->context)->status;
			memset(bone_of_face, 0xff, face_count * sizeof *bone_of_face);
		}
		for (size_t k = 0; k < edit->face_count; k++) {
			bone_of_face[edit->faces[k]] = painted_bone(state, i, edit->faces[k]);
			layer_of_face[edit->faces[k]] = (uint32_t)i;
		}
	}
	bounds->bone_of_face = bone_of_face;
	bounds->layer_of_face = layer_of_face;
	return OSSA_OK;
}

ossa_status ossai_bounds_collect(
	ossai_arena *arena, const ossai_edit_state *state, ossai_edit_at edit_at, const void *user, ossai_solve_bounds *bounds)
{
	const size_t bones = state->rig->skeleton.bone_count;
	uint8_t *weights = ossai_arena_zero(arena, bones, 1), *joints = ossai_arena_zero(arena, bones, 1);
	*bounds = (ossai_solve_bounds){.weights_locked = weights, .joint_locked = joints};
	if (!weights || !joints) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < state->bound_count; i++) {
		if (state->bounds[i].kind != OSSA_EDIT_LOCK || !state->bounds[i].is_on) continue;
		side_walk walk = {state, 0, i, 0};
		for (uint32_t bone; next_on_side(&walk, &bone);) (state->bounds[i].weights ? weights : joints)[bone] = 1;
	}
	OSSAI_TRY(collect_pairs(arena, state, OSSA_EDIT_FORBID, &bounds->forbidden_count, &bounds->forbidden));
	OSSAI_TRY(collect_pairs(arena, state, OSSA_EDIT_APART, &bounds->apart_count, &bounds->apart));
	return collect_faces(arena, state, edit_at, user, bounds);
}
