/* rig/reweigh.c: see reweigh.h. */
#include "rig/reweigh.h"

/* The bones that have weights, as a skeleton of their own in the units of the surface. */
typedef struct carriers {
	ossai_posed_surface surface;
	ossai_tree tree;
	uint32_t *carrier_of_bone; /* OSSA_NONE for a bone without weights */
	uint32_t *bone_of_carrier;
	ossai_vec3 *joint, *tail;
} carriers;

/* marks the bones that influence some vertex; all of them where there is no such bone */
static void mark_carriers(const ossa_rig *rig, uint32_t *carrier_of_bone)
{
	const ossa_weights *w = &rig->weights;
	const size_t bones = rig->skeleton.bone_count;
	bool any = false;
	for (size_t b = 0; b < bones; b++) carrier_of_bone[b] = OSSA_NONE;
	for (size_t i = 0; i < w->vertex_count * (size_t)w->influences; i++) {
		if (!(w->values[i] > 0) || w->bones[i] >= bones) continue;
		carrier_of_bone[w->bones[i]] = 0;
		any = true;
	}
	for (size_t b = 0; !any && b < bones; b++) carrier_of_bone[b] = 0;
}

static ossai_vec3 to_units(const ossai_posed_surface *s, const double *point)
{
	return ossai_scale(ossai_sub(ossai_v3_of(point), s->rest_center), 1 / s->scale);
}

/* parents come before their children: one pass numbers the carriers and finds their parents */
static void find_parents(const ossa_skeleton *skeleton, carriers *c)
{
	uint32_t count = 0;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		if (c->carrier_of_bone[b] == OSSA_NONE) continue;
		int32_t parent = skeleton->bones[b].parent;
		while (parent >= 0 && c->carrier_of_bone[parent] == OSSA_NONE) parent = skeleton->bones[parent].parent;
		c->tree.parent[count] = parent < 0 ? OSSA_NONE : c->carrier_of_bone[parent];
		c->joint[count] = to_units(&c->surface, skeleton->bones[b].joint);
		c->tail[count] = to_units(&c->surface, skeleton->bones[b].tail);
		c->bone_of_carrier[count] = (uint32_t)b;
		c->carrier_of_bone[b] = count++;
	}
	c->tree.bone_count = count;
}

static ossa_status make_carriers(ossai_arena *arena, const ossa_rig *rig, carriers *c)
{
	const size_t bones = rig->skeleton.bone_count;
	double time = 0;
	const ossa_frames rest = {
		.frame_count = 1, .vertex_count = rig->mesh->vertex_count, .positions = rig->mesh->positions, .times = &time};
	OSSAI_TRY(ossai_posed_surface_make(arena->context, arena, rig->mesh, &rest, true, &c->surface));
	OSSAI_TRY(ossai_tree_new(arena, bones, &c->tree));
	c->carrier_of_bone = ossai_arena_new(arena, bones, sizeof *c->carrier_of_bone);
	c->bone_of_carrier = ossai_arena_new(arena, bones, sizeof *c->bone_of_carrier);
	c->joint = ossai_arena_new(arena, bones, sizeof *c->joint);
	c->tail = ossai_arena_new(arena, bones, sizeof *c->tail);
	if (!c->carrier_of_bone || !c->bone_of_carrier || !c->joint || !c->tail) return ossa_context_error(arena->context)->status;
	mark_carriers(rig, c->carrier_of_bone);
	find_parents(&rig->skeleton, c);
	return OSSA_OK;
}

static ossa_status take_weights(ossa_context *context, ossai_bone_weights *found, const carriers *c, ossa_weights *weights)
{
	const size_t pairs = found->vertex_count * found->width;
	ossa_weights w = {.vertex_count = found->vertex_count, .influences = (int)found->width};
	w.bones = ossa_alloc(context, pairs, sizeof *w.bones);
	w.values = w.bones ? ossa_alloc(context, pairs, sizeof *w.values) : NULL;
	if (!w.values) {
		ossa_free(context, w.bones);
		return ossa_context_error(context)->status;
	}
	ossai_bone_weights_spread(c->surface.first_of_vertex, found);
	ossai_bone_weights_round(found, NULL, c->bone_of_carrier, &w);
	*weights = w;
	return OSSA_OK;
}

ossa_status ossai_rig_reweigh(
	ossa_context *context, const ossa_rig *rig, const ossai_rest_weights_options *options, ossa_weights *weights)
{
	*weights = (ossa_weights){0};
	if (rig->skeleton.bone_count == 0 || !rig->mesh) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL, "the rig has no bones or no mesh: there is nothing to weigh");
	}
	ossai_arena arena = ossai_arena_begin(context);
	carriers c = {0};
	ossai_bone_weights found;
	ossa_status status = make_carriers(&arena, rig, &c);
	if (status == OSSA_OK) {
		const ossai_rest_bones bones = {&c.tree, c.joint, c.tail, NULL};
		status = ossai_rest_weights(&arena, &c.surface, &bones, NULL, options, &found);
	}
	if (status == OSSA_OK) status = take_weights(context, &found, &c, weights);
	ossai_arena_end(&arena);
	return status;
}
