/* edit/solve.c: see solve.h: the outline, and what stays between solutions. */
#include "edit/solve_work.h"

#include "math/rigid_fit.h"
#include "rig/join_rigs.h"

#include <ossa/stream.h>

ossa_status ossai_solver_create(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, ossai_solver **solver)
{
	*solver = ossa_alloc(context, 1, sizeof **solver);
	if (!*solver) return ossa_context_error(context)->status;
	**solver = (ossai_solver){.arena = ossai_arena_begin(context), .mesh = mesh, .frames = frames};
	return OSSA_OK;
}

void ossai_solver_free(ossa_context *context, ossai_solver *solver)
{
	if (!solver) return;
	ossai_arena_end(&solver->arena);
	ossa_free(context, solver);
}

/* for longer motion, weights are fitted to this many representative poses */
enum { KEYS_MOST = 48 };

static ossa_status choose_keys(ossa_context *context, ossai_arena *arena, ossai_solver *solver)
{
	ossa_frame_stream *stream;
	size_t *key = ossai_arena_new(arena, KEYS_MOST, sizeof *key), count = 0;
	if (!key) return ossa_context_error(context)->status;
	OSSAI_TRY(ossa_frame_stream_of_frames(context, solver->frames, &stream));
	const ossa_status status = ossa_frame_stream_choose(context, stream, solver->mesh, KEYS_MOST, key, &count);
	ossa_frame_stream_free(context, stream);
	solver->key = key;
	solver->keys.pose_count = count;
	return status;
}

/* the surface in few poses; everything but the poses is the same */
static ossa_status make_keys(ossa_context *context, ossai_arena *arena, ossai_solver *solver)
{
	const ossai_posed_surface *s = &solver->surface;
	solver->keys = *s;
	solver->key = NULL;
	if (!solver->frames || s->pose_count <= KEYS_MOST) return OSSA_OK;
	OSSAI_TRY(choose_keys(context, arena, solver));
	const size_t count = solver->keys.pose_count;
	solver->keys.poses = ossai_arena_new(arena, s->vertex_count, 3 * count * sizeof *s->poses);
	if (!solver->keys.poses) return ossa_context_error(context)->status;
	for (size_t v = 0; v < s->vertex_count; v++) {
		for (size_t i = 0; i < count; i++) {
			ossai_v3_store(ossai_pose_point(s, v, solver->key[i]), solver->keys.poses + 3 * (v * count + i));
		}
	}
	return OSSA_OK;
}

static double still_error(const ossai_posed_surface *s)
{
	double sum = 0;
	for (size_t k = 0; k < s->pose_count; k++) {
		double m[9] = {0};
		for (size_t v = 0; v < s->vertex_count; v++) {
			const double *p = s->rest + 3 * v, *q = s->poses + 3 * (v * s->pose_count + k);
			for (size_t i = 0; s->used[v] && i < 9; i++) m[i] += p[i / 3] * q[i % 3];
		}
		const ossai_mat3 turn = ossai_quat_matrix(ossai_rigid_rotation(m));
		for (size_t v = 0; v < s->vertex_count; v++) {
			const ossai_vec3 there = ossai_mat3_mul_v(&turn, ossai_rest_point(s, v));
			if (s->used[v]) sum += ossai_length2(ossai_sub(there, ossai_pose_point(s, v, k)));
		}
	}
	return sum;
}

/* the surface is made when it is first needed */
static ossa_status prepare(ossa_context *context, ossai_solver *solver)
{
	double time = 0;
	const ossa_mesh *mesh = solver->mesh;
	const ossa_frames rest = {
		.frame_count = 1, .vertex_count = mesh->vertex_count, .positions = mesh->positions, .times = &time};
	if (solver->is_ready) return OSSA_OK;
	ossai_arena arena = ossai_arena_begin(context);
	ossa_status status = ossai_posed_surface_make(
		context, &arena, mesh, solver->frames ? solver->frames : &rest, true, &solver->surface);
	if (status == OSSA_OK) status = make_keys(context, &arena, solver);
	if (status == OSSA_OK) solver->still_error = still_error(&solver->surface);
	if (status != OSSA_OK) {
		ossai_arena_end(&arena);
		return status;
	}
	solver->arena = arena;
	solver->is_ready = true;
	return OSSA_OK;
}

static ossa_status measure(const ossai_solve_work *w, ossa_metrics *metrics)
{
	const bool moves = w->frames && w->rig->clip && w->rig->clip->frame_count == w->frames->frame_count;
	return ossa_rig_measure(w->context, w->rig, NULL, NULL, moves ? w->frames : NULL, metrics);
}

static bool is_stale(const ossai_solve_work *w)
{
	for (size_t b = 0; b < w->bones; b++) {
		if (w->stale[b]) return true;
	}
	return false;
}

static ossa_status solve(ossai_solve_work *w, ossa_solve_facts *facts)
{
	OSSAI_TRY(measure(w, &facts->before));
	facts->after = facts->before;
	if (!is_stale(w)) return OSSA_OK;
	if (w->frames) OSSAI_TRY(ossai_rig_check_one_tree(w->context, w->rig));
	OSSAI_TRY(ossai_solve_load(w));
	OSSAI_TRY(w->frames ? ossai_solve_moving(w) : ossai_solve_rest(w));
	OSSAI_TRY(ossai_solve_store(w, facts));
	return measure(w, &facts->after);
}

ossa_status ossai_solve(ossa_context *context, ossai_solver *solver, ossa_rig *rig, const uint8_t *stale,
	const ossai_solve_bounds *bounds, uint32_t *new_index, ossa_solve_facts *facts)
{
	static const ossai_solve_bounds none = {0};
	ossai_arena arena = ossai_arena_begin(context);
	ossai_solve_work work = {.context = context,
		.arena = &arena,
		.surface = &solver->surface,
		.keys = &solver->keys,
		.frames = solver->frames,
		.rig = rig,
		.stale = stale,
		.bounds = bounds ? bounds : &none,
		.bones = rig->skeleton.bone_count};
	*facts = (ossa_solve_facts){0};
	ossai_stage_begin(context, "solve");
	ossa_status status = prepare(context, solver);
	work.key = solver->key;
	work.still_error = solver->still_error;
	if (status == OSSA_OK) status = solve(&work, facts);
	for (uint32_t b = 0; new_index && b < work.bones; b++) new_index[b] = b;
	for (uint32_t i = 0; new_index && status == OSSA_OK && work.other && i < work.bones; i++) new_index[work.tree.order[i]] = i;
	if (status == OSSA_OK) ossai_solve_drop_old(&work);
	else ossai_solve_put_back(&work);
	ossai_stage_end(context);
	ossai_arena_end(&arena);
	return status;
}
