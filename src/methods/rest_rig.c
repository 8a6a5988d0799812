/* methods/rest_rig.c: see rest_rig.h. */
#include "methods/rest_rig.h"

#include "body/landmarks.h"
#include "body/recognize.h"
#include "math/vec.h"
#include "skeleton/naming/rest_parts.h"

#include <ossa/contraction.h>

#include <math.h>
#include <string.h>

/* warnings that are about the body, and not about the bones of the rest shape */
enum { DOUBTS = 2 };
static const char *const doubts[DOUBTS] = {"body-doubtful", "front-doubtful"};

/* ---- the rig ---- */

static ossa_status make(ossa_context *context, const ossa_mesh *mesh, const ossai_rest_wish *wish, ossa_rig **rest)
{
	ossa_contraction_options options = ossa_contraction_default();
	/* which bone a piece follows is what the motion says */
	options.rigid_pieces = false;
	options.body = wish->body;
	options.props = wish->leaves_props_out;
	if (wish->landmarks) options.landmarks = *wish->landmarks;
	return ossa_rig_from_contraction(context, mesh, &options, rest);
}

/* whether a person says what the shape is, and so has to know where it is not that */
static bool is_insisted(const ossai_rest_wish *wish)
{
	const bool is_named = wish->body != OSSA_BODY_AUTO && wish->body != OSSA_BODY_NONE;
	return is_named || (wish->landmarks && ossai_landmarks_first(wish->landmarks));
}

ossa_status ossai_rest_rig_make(ossa_context *context, const ossa_mesh *mesh, const ossai_rest_wish *wish, ossa_rig **rest)
{
	*rest = NULL;
	ossai_warnings *before = ossai_warnings_save(context);
	if (!before) return ossa_context_error(context)->status;
	const ossa_status status = make(context, mesh, wish, rest);
	ossai_warnings_restore_but(context, before, wish->warns ? DOUBTS : 0, doubts);
	ossa_free(context, before);
	return is_insisted(wish) || status == OSSA_ERROR_MEMORY || status == OSSA_ERROR_CANCELLED ? status : OSSA_OK;
}

void ossai_rest_rig_take_doubts(ossa_context *context, const ossai_warnings *saved)
{
	ossai_warnings_take_these(context, saved, DOUBTS, doubts);
}

/* ---- another order ---- */

static ossa_status reorder_weights(ossa_context *context, const uint32_t *place, ossa_weights *weights)
{
	const size_t width = (size_t)weights->influences, vertices = weights->vertex_count;
	ossai_arena arena = ossai_arena_begin(context);
	uint16_t *bones = ossai_arena_new(&arena, vertices, width * sizeof *bones);
	float *values = ossai_arena_new(&arena, vertices, width * sizeof *values);
	const bool has_space = bones && values;
	for (size_t v = 0; has_space && v < vertices; v++) {
		memcpy(bones + v * width, weights->bones + place[v] * width, width * sizeof *bones);
		memcpy(values + v * width, weights->values + place[v] * width, width * sizeof *values);
	}
	if (has_space) {
		memcpy(weights->bones, bones, vertices * width * sizeof *bones);
		memcpy(weights->values, values, vertices * width * sizeof *values);
	}
	ossai_arena_end(&arena);
	return has_space ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossai_rest_rig_reorder(ossa_context *context, const ossa_mesh *mesh, const uint32_t *place, ossa_rig *rest)
{
	ossa_mesh *own;
	if (!place) return OSSA_OK;
	OSSAI_TRY(ossa_mesh_copy(context, mesh, &own));
	ossa_mesh_free(context, rest->mesh);
	rest->mesh = own;
	return reorder_weights(context, place, &rest->weights);
}

/* ---- beside ---- */

struct ossai_rest_task {
	ossai_task *task;
	const ossa_mesh *mesh;
	ossai_rest_wish wish;
	ossa_rig *rest;
};

static ossa_status run_task(ossa_context *context, void *arg)
{
	ossai_rest_task *task = arg;
	return ossai_rest_rig_make(context, task->mesh, &task->wish, &task->rest);
}

ossa_status ossai_rest_rig_begin(
	ossa_context *context, const ossa_mesh *mesh, const ossai_rest_wish *wish, ossai_rest_task **result)
{
	*result = NULL;
	ossai_rest_task *task = ossa_alloc(context, 1, sizeof *task);
	if (!task) return ossa_context_error(context)->status;
	task->mesh = mesh;
	task->wish = *wish;
	task->task = ossai_task_begin(context, run_task, task);
	if (task->task) *result = task;
	else ossa_free(context, task);
	return *result ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossai_rest_rig_end(ossa_context *context, ossai_rest_task *task, ossa_rig **rest)
{
	const ossa_status status = ossai_task_end(task->task);
	*rest = task->rest;
	ossa_free(context, task);
	return status;
}

void ossai_rest_rig_drop(ossa_context *context, ossai_rest_task *task)
{
	if (!task) return;
	if (ossai_task_drop(task->task)) ossa_rig_free(context, task->rest);
	ossa_free(context, task);
}

bool ossai_rest_rig_has_plan(const ossa_rig *rest)
{
	for (size_t b = 0; rest && b < rest->skeleton.bone_count; b++) {
		if (rest->skeleton.bones[b].role.part != OSSA_PART_NONE) return true;
	}
	return false;
}

bool ossai_rest_rig_is_human(const ossa_rig *rest, const ossai_rest_wish *wish)
{
	const ossa_body *body = &rest->body;
	if (body->kind != OSSA_BODY_HUMAN || rest->skeleton.bones[0].role.part != OSSA_PART_HIPS) return false;
	return wish->body == OSSA_BODY_HUMAN || body->kind_odds >= log(OSSAI_SURE_ODDS);
}

/* ---- names ---- */

ossa_status ossai_rest_rig_name_by_skin(
	ossai_arena *arena, const ossa_rig *rest, ossa_rig *rig, ossai_shared_skin *skin, uint32_t *root)
{
	ossai_rest_parts parts;
	OSSAI_TRY(ossai_shared_skin_find(arena, rest, rig, skin));
	OSSAI_TRY(ossai_rest_parts_find(arena, &rest->skeleton, skin, &parts));
	*root = parts.root;
	ossai_rest_parts_name(&rest->skeleton, &parts, &rig->skeleton);
	rig->body = rest->body;
	return OSSA_OK;
}

ossa_status ossai_rest_rig_name(ossa_context *context, const ossa_rig *rest, ossa_rig *rig, uint32_t *root)
{
	*root = OSSA_NONE;
	if (!ossai_rest_rig_has_plan(rest)) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_shared_skin skin;
	const ossa_status status = ossai_rest_rig_name_by_skin(&arena, rest, rig, &skin, root);
	ossai_arena_end(&arena);
	return status;
}
