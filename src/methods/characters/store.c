/* methods/characters/store.c: puts what was solved into the rigs, with the motion of all frames.

   Place in the path: inside of characters, last. */
#include "methods/characters/characters.h"

#include "methods/make_rig.h"
#include "skeleton/frames.h"

#include <ossa/motion.h>

#include <string.h>

/* ---- weights ---- */

/* Vertices in no face keep what the draft gave them. */
static void store_weights(const ossai_characters *c, const ossa_weights *solved)
{
	const ossai_posed_surface *s = &c->members[c->base].surface;
	const size_t width = (size_t)solved->influences;
	for (size_t i = 0; i < c->count; i++) {
		ossa_weights *to = &c->members[i].rig->weights;
		for (size_t v = 0; v < to->vertex_count; v++) {
			if (!s->used[s->first_of_vertex ? s->first_of_vertex[v] : v]) continue;
			memcpy(to->bones + v * width, solved->bones + v * width, width * sizeof *to->bones);
			memcpy(to->values + v * width, solved->values + v * width, width * sizeof *to->values);
		}
	}
}

static ossa_status round_weights(const ossai_characters *c)
{
	const ossai_posed_surface *s = &c->members[c->base].surface;
	ossai_bone_weights *weights = &c->members[c->base].given.fit.weights;
	ossa_weights solved = {.vertex_count = s->vertex_count, .influences = (int)weights->width};
	solved.bones = ossai_arena_zero(c->arena, s->vertex_count, weights->width * sizeof *solved.bones);
	solved.values = ossai_arena_zero(c->arena, s->vertex_count, weights->width * sizeof *solved.values);
	if (!solved.bones || !solved.values) return ossa_context_error(c->context)->status;
	/* the largest first, their sum 1 */
	ossai_bone_weights_narrow(weights, weights);
	ossai_bone_weights_spread(s->first_of_vertex, weights);
	ossai_bone_weights_round(weights, NULL, NULL, &solved);
	store_weights(c, &solved);
	return OSSA_OK;
}

/* ---- joints ---- */

/* the mean of the children's joints; a leaf's tail moves with its joint */
static ossai_vec3 tail_of(const ossai_given *g, uint32_t b)
{
	const ossa_bone *bone = &g->rig->skeleton.bones[b];
	ossai_vec3 mean;
	if (ossai_tree_children_mean(&g->tree, g->joint, b, &mean)) return ossai_posed_surface_place(&g->surface, mean);
	const ossai_vec3 now = ossai_posed_surface_place(&g->surface, g->joint[b]);
	return ossai_add(ossai_v3_of(bone->tail), ossai_sub(now, ossai_v3_of(bone->joint)));
}

static void store_joints(const ossai_given *g)
{
	for (uint32_t b = 0; b < g->tree.bone_count; b++) {
		ossa_bone *bone = &g->rig->skeleton.bones[b];
		const ossai_vec3 tail = tail_of(g, b);
		ossai_bone_stand(ossai_posed_surface_place(&g->surface, g->joint[b]), tail, true, bone);
		bone->deviation = 0; /* that of the joint before */
	}
}

/* ---- the best base ---- */

/* the squared errors of all, and what their bones have to be worth together */
static double energy_of(const ossai_characters *c)
{
	const double worth = c->fit.worth / 100, bones = (double)c->made.rig->skeleton.bone_count;
	double solved = 0, coordinates = 0;
	for (size_t i = 0; i < c->count; i++) {
		solved += c->members[i].solved;
		coordinates += (double)c->members[i].surface.used_count * (double)c->members[i].surface.pose_count;
	}
	return solved + worth * worth * coordinates * bones;
}

ossa_status ossai_characters_keep(ossai_characters *c)
{
	const double energy = energy_of(c);
	if (c->solves_weights) OSSAI_TRY(round_weights(c));
	for (size_t i = 0; i < c->count && c->solves_joints; i++) store_joints(&c->members[i].given);
	if (!(energy < c->best.energy)) return OSSA_OK;
	ossai_warnings *warnings = ossai_warnings_save(c->context);
	if (!warnings) return ossa_context_error(c->context)->status;
	ossa_free(c->context, c->best.warnings);
	c->best = (ossai_best_base){.index = c->members[c->base].index,
		.energy = energy,
		.used_count = c->members[c->base].surface.used_count,
		.method = c->made.method,
		.warnings = warnings};
	memcpy(c->best.reason, c->made.reason, sizeof c->best.reason);
	for (size_t i = 0; i < c->count; i++) {
		ossai_member *m = &c->members[i];
		ossa_rig_free(c->context, m->best);
		m->best = m->rig;
		m->rig = NULL;
		m->best_carried = m->carried;
		m->best_solved = m->solved;
	}
	return ossai_characters_drop_ends(c);
}

/* ---- motion ---- */

static ossa_status move_member(ossai_characters *c, ossai_member *m, ossa_character_rig *to)
{
	ossa_motion_fit *fit = NULL;
	to->frame_count = ossa_frame_stream_frame_count(m->character->frames);
	to->key_frame_count = m->keys->frame_count;
	OSSAI_TRY(ossa_rig_fit_motion(c->context, m->best, m->character->frames, NULL, &fit));
	ossai_warn_about(c->context, "%s", m->name);
	ossa_motion_fit_warn(c->context, m->best, fit);
	ossai_warn_about(c->context, NULL);
	to->hierarchy.rms_percent = fit->errors.rms_percent;
	to->hierarchy.max_percent = fit->errors.max_percent;
	to->hierarchy.max_vertex = fit->errors.max_vertex;
	to->hierarchy.max_frame = fit->errors.max_frame;
	to->hierarchy.accu_percent = fit->errors.accu_percent;
	to->hierarchy.compression = fit->errors.compression;
	to->bone_rms = fit->bone_rms;
	fit->bone_rms = NULL;
	ossa_rig_take_motion(c->context, m->best, fit);
	ossa_motion_fit_free(c->context, fit);
	return OSSA_OK;
}

static double percent_of(double error, double vertices, double poses)
{
	return poses > 0 ? 100 * sqrt(error / (vertices * poses)) : NAN;
}

static size_t keys_of(const ossai_member *m) { return m->keys ? m->keys->frame_count : 0; }

static ossa_status store_member(ossai_characters *c, ossai_member *m, ossa_character_rig *to)
{
	const double vertices = (double)c->best.used_count, poses = c->moves ? (double)keys_of(m) : 0;
	to->carried_percent = percent_of(m->best_carried, vertices, poses);
	to->solved_percent = percent_of(m->best_solved, vertices, poses);
	OSSAI_TRY(ossa_rig_measure(c->context, m->best, NULL, NULL, NULL, &to->hierarchy));
	if (m->keys) OSSAI_TRY(move_member(c, m, to));
	if (c->moves && !m->moves) {
		ossai_warn(c->context, "still-character", 1,
			"%s does not move: its joints are where the shape has them, by those of the others", m->name);
	}
	to->rig = m->best;
	m->best = NULL;
	return OSSA_OK;
}

/* over all of them */
static void sum_errors(const ossai_characters *c, ossa_characters_result *result)
{
	double carried = 0, solved = 0, poses = 0;
	for (size_t i = 0; i < c->count; i++) {
		carried += c->members[i].best_carried;
		solved += c->members[i].best_solved;
		poses += (double)keys_of(&c->members[i]);
	}
	result->carried_percent = percent_of(carried, (double)c->best.used_count, c->moves ? poses : 0);
	result->solved_percent = percent_of(solved, (double)c->best.used_count, c->moves ? poses : 0);
}

ossa_status ossai_characters_store(ossai_characters *c, ossa_characters_result *result)
{
	ossai_warnings_restore(c->context, c->best.warnings);
	result->rigs = ossa_alloc(c->context, c->count, sizeof *result->rigs);
	if (!result->rigs) return ossa_context_error(c->context)->status;
	result->count = c->count;
	for (size_t i = 0; i < c->count; i++) OSSAI_TRY(store_member(c, &c->members[i], &result->rigs[c->members[i].index]));
	result->base = c->best.index;
	result->method = c->best.method;
	memcpy(result->reason, c->best.reason, sizeof result->reason);
	sum_errors(c, result);
	return OSSA_OK;
}
