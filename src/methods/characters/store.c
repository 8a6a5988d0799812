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
	const ossai_posed_surface *s = &c->members[0].surface;
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
	const ossai_posed_surface *s = &c->members[0].surface;
	ossai_bone_weights *weights = &c->members[0].given.fit.weights;
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

/* ---- motion ---- */

static ossa_status move_member(ossai_characters *c, ossai_member *m, ossa_character_rig *to)
{
	ossa_motion_fit *fit = NULL;
	to->frame_count = ossa_frame_stream_frame_count(m->character->frames);
	to->key_frame_count = m->keys->frame_count;
	OSSAI_TRY(ossa_rig_fit_motion(c->context, m->rig, m->character->frames, NULL, &fit));
	ossai_warn_about(c->context, "%s", m->name);
	ossa_motion_fit_warn(c->context, m->rig, fit);
	ossai_warn_about(c->context, NULL);
	to->hierarchy.rms_percent = fit->errors.rms_percent;
	to->hierarchy.max_percent = fit->errors.max_percent;
	to->hierarchy.max_vertex = fit->errors.max_vertex;
	to->hierarchy.max_frame = fit->errors.max_frame;
	to->hierarchy.accu_percent = fit->errors.accu_percent;
	to->hierarchy.compression = fit->errors.compression;
	to->bone_rms = fit->bone_rms;
	fit->bone_rms = NULL;
	ossa_rig_take_motion(c->context, m->rig, fit);
	ossa_motion_fit_free(c->context, fit);
	return OSSA_OK;
}

static double percent_of(double error, double vertices, double poses)
{
	return poses > 0 ? 100 * sqrt(error / (vertices * poses)) : NAN;
}

static ossa_status store_member(ossai_characters *c, ossai_member *m, ossa_character_rig *to)
{
	const double vertices = (double)m->surface.used_count, poses = (double)m->surface.pose_count;
	to->carried_percent = percent_of(m->carried, vertices, poses);
	to->solved_percent = percent_of(m->solved, vertices, poses);
	OSSAI_TRY(ossa_rig_measure(c->context, m->rig, NULL, NULL, NULL, &to->hierarchy));
	if (m->keys) OSSAI_TRY(move_member(c, m, to));
	else if (c->moves) {
		ossai_warn(c->context, "still-character", 1,
			"%s does not move: its joints are where the shape has them, by those of the others", m->name);
	}
	to->rig = m->rig;
	m->rig = NULL;
	return OSSA_OK;
}

/* over all of them */
static void sum_errors(const ossai_characters *c, ossa_characters_result *result)
{
	double carried = 0, solved = 0, poses = 0;
	for (size_t i = 0; i < c->count; i++) {
		carried += c->members[i].carried;
		solved += c->members[i].solved;
		poses += (double)c->members[i].surface.pose_count;
	}
	result->carried_percent = percent_of(carried, (double)c->members[0].surface.used_count, c->moves ? poses : 0);
	result->solved_percent = percent_of(solved, (double)c->members[0].surface.used_count, c->moves ? poses : 0);
}

ossa_status ossai_characters_store(ossai_characters *c, ossa_characters_result *result)
{
	if (c->solves_weights) OSSAI_TRY(round_weights(c));
	for (size_t i = 0; i < c->count; i++) {
		if (c->moves && c->solves_joints) store_joints(&c->members[i].given);
	}
	result->rigs = ossa_alloc(c->context, c->count, sizeof *result->rigs);
	if (!result->rigs) return ossa_context_error(c->context)->status;
	result->count = c->count;
	for (size_t i = 0; i < c->count; i++) OSSAI_TRY(store_member(c, &c->members[i], &result->rigs[c->members[i].index]));
	result->base = c->members[0].index;
	result->method = c->made.method;
	memcpy(result->reason, c->made.reason, sizeof result->reason);
	sum_errors(c, result);
	return OSSA_OK;
}
