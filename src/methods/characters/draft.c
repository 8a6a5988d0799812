/* methods/characters/draft.c: the rig of the character that moves most, made from the poses of all,
   and its bones in the others.

   Place in the path: inside of characters, after load.
   Each character alone may move only some of its limbs: so bones, parents and first weights are
   found from the poses of all, as poses of one shape. These are not exact where skin bends; what
   follows uses every character's own poses. */
#include "methods/characters/characters.h"

#include "methods/bodies/bodies.h"
#include "methods/registry.h"
#include "methods/rig_options.h"
#include "rig/copy_bones.h"
#include "scene/frame_stream.h"
#include "skeleton/frames.h"
#include "surface/carry_poses.h"

#include <string.h>

/* ---- the poses of all for the base ---- */

static ossa_status fill_poses(const ossai_characters *c, ossa_frames *all)
{
	const ossai_member *base = &c->members[c->base];
	const size_t numbers = 3 * all->vertex_count;
	float *to = all->positions;
	for (size_t i = 0; i < c->count; i++) {
		const ossai_member *m = &c->members[i];
		if (!m->keys) continue;
		if (m == base) memcpy(to, m->keys->positions, m->keys->frame_count * numbers * sizeof *to);
		else OSSAI_TRY(ossai_carry_poses(c->context, &m->surface, &base->surface, to));
		to += m->keys->frame_count * numbers;
	}
	return OSSA_OK;
}

static ossa_status carry_poses(const ossai_characters *c, ossa_frames **all)
{
	size_t count = 0;
	for (size_t i = 0; i < c->count; i++) count += c->members[i].keys ? c->members[i].keys->frame_count : 0;
	OSSAI_TRY(ossa_frames_create(c->context, count, c->members[c->base].mesh.vertex_count, 30, all));
	ossai_stage_begin(c->context, "carry poses");
	const ossa_status status = fill_poses(c, *all);
	ossai_stage_end(c->context);
	return status;
}

/* ---- the rig of the base ---- */

/* Each character's poses are compared with its rig in the end (store.c): here they are poses of a
   list that the caller does not know. */
static ossa_status make_quietly(ossai_characters *c, const ossa_rig_input *input, const ossa_rig_options *options)
{
	static const char *const of_poses[] = {"pose-size", "unexplained"};
	ossai_warnings *before = ossai_warnings_save(c->context);
	if (!before) return ossa_context_error(c->context)->status;
	const ossa_status status = ossa_rig_make(c->context, input, options, &c->made);
	ossai_warnings_restore_these(c->context, before, sizeof of_poses / sizeof *of_poses, of_poses);
	ossa_free(c->context, before);
	return status;
}

/* one tree holds them: pieces that slide, or that fly apart, follow it badly */
static ossa_status warn_of_bodies(const ossai_characters *c, const ossa_frames *poses)
{
	ossai_body_parts parts;
	if (c->options->roots != OSSA_ROOTS_AUTO) return OSSA_OK;
	OSSAI_TRY(ossai_body_parts_find(c->arena, c->members[c->base].character->mesh, poses, OSSA_BODY_NONE, &parts));
	if (parts.count < 2) return OSSA_OK;
	ossai_warn(c->context, "bodies-joined", (int64_t)parts.count,
		"%zu bodies move independently of each other or slide: with several characters one tree of joints that turn joins them",
		parts.count);
	return OSSA_OK;
}

static ossa_status make_base(ossai_characters *c, ossa_frame_stream *stream)
{
	ossa_rig_options options = *c->options;
	const ossa_rig_input input = {c->members[c->base].character->mesh, stream};
	if (stream && options.roots == OSSA_ROOTS_AUTO) options.roots = OSSA_ROOTS_ONE;
	/* joints are found on each character by its motion, so bones are those that the motion shows */
	if (options.articulation == OSSA_ARTICULATION_AUTO) options.articulation = OSSA_ARTICULATION_LIMBS;
	return make_quietly(c, &input, &options);
}

static ossa_status make_of_motion(ossai_characters *c)
{
	ossa_frames *all = NULL;
	ossa_frame_stream *stream = NULL;
	ossa_status status = carry_poses(c, &all);
	if (status == OSSA_OK) status = ossa_frame_stream_of_frames(c->context, all, &stream);
	if (stream) stream->is_carried = true;
	if (status == OSSA_OK) status = warn_of_bodies(c, all);
	if (status == OSSA_OK) status = make_base(c, stream);
	ossa_frame_stream_free(c->context, stream);
	ossa_frames_free(c->context, all);
	return status;
}

/* ---- what is solved for ---- */

static const void *value_of(const ossai_characters *c, const char *name)
{
	return ossai_method_value(c->options, ossai_method_index(c->made.method->name), name);
}

static void choose_solve(ossai_characters *c)
{
	const int *kind = value_of(c, "weights"), *refine = value_of(c, "refine");
	const bool *local = value_of(c, "local");
	const bool by_motion = c->moves && c->made.method->takes_motion;
	c->solves_joints = by_motion;
	c->solves_weights = by_motion && (!kind || *kind == OSSA_WEIGHTS_AUTO || *kind == OSSA_WEIGHTS_LEAST_SQUARES);
	c->fit = ossa_fit_default();
	c->fit.weights = c->solves_weights;
	c->fit.joints = c->solves_joints;
	c->fit.influences = c->made.rig->weights.influences;
	if (refine && *refine > 0) c->fit.refine = *refine;
	if (local) c->fit.local = *local;
}

/* ---- the other characters ---- */

/* what followed from the frames of all as frames of one */
static void drop_motion(ossai_characters *c)
{
	ossa_rig *rig = c->made.rig;
	(void)ossa_rig_set_clips(c->context, rig, 0, NULL);
	ossa_clip_free(c->context, rig->free_clip);
	rig->free_clip = NULL;
	ossa_free(c->context, rig->dependencies);
	rig->dependencies = NULL;
	rig->dependency_count = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		bone->turn_degrees = bone->turn_deviation = bone->fit_residual = 0;
	}
}

/* a point of the base as the map has it in a member */
static ossai_vec3 mapped(const ossai_characters *c, const ossai_member *m, const ossai_rigid *map, const double point[3])
{
	const ossai_vec3 own = ossai_posed_surface_units(&c->members[c->base].surface, point);
	return ossai_posed_surface_place(&m->surface, ossai_rigid_point(map, own));
}

/* joints where the skins of bone and parent meet, tails of leaves where their own skin ends */
static void stand_bones(const ossai_characters *c, const ossai_member *m)
{
	const ossai_posed_surface *base = &c->members[c->base].surface;
	ossa_skeleton *skeleton = &m->rig->skeleton;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		ossa_bone *bone = &skeleton->bones[b];
		const uint32_t parent = bone->parent < 0 ? OSSA_NONE : (uint32_t)bone->parent;
		const ossai_rigid around = ossai_map_around(base, &m->surface, &c->shared, (uint32_t)b, parent);
		const ossai_rigid own = ossai_map_around(base, &m->surface, &c->shared, (uint32_t)b, OSSA_NONE);
		const ossai_vec3 joint = mapped(c, m, &around, bone->joint), tail = mapped(c, m, &own, bone->tail);
		bone->deviation = 0;
		if (m->surface.scale > 0) ossai_bone_stand(joint, tail, true, bone);
	}
	for (size_t i = 0; i < m->rig->loop_count; i++) {
		ossa_loop *loop = &m->rig->loops[i];
		const ossai_rigid around = ossai_map_around(
			base, &m->surface, &c->shared, (uint32_t)loop->bones[0], (uint32_t)loop->bones[1]);
		ossai_v3_store(mapped(c, m, &around, loop->center), loop->center);
	}
}

static ossa_status give_rig(ossai_characters *c, ossai_member *m)
{
	const ossa_rig *from = c->made.rig;
	const size_t pairs = from->weights.vertex_count * (size_t)from->weights.influences;
	OSSAI_TRY(ossa_rig_create(c->context, m->character->mesh, from->skeleton.bone_count, from->weights.influences, &m->rig));
	OSSAI_TRY(ossai_rig_copy_bones(c->context, from, m->rig));
	m->rig->pieces = from->pieces;
	memcpy(m->rig->weights.bones, from->weights.bones, pairs * sizeof *from->weights.bones);
	memcpy(m->rig->weights.values, from->weights.values, pairs * sizeof *from->weights.values);
	if (m != &c->members[c->base]) stand_bones(c, m);
	return OSSA_OK;
}

/* there are frames, in which nobody moves */
static void warn_of_stillness(const ossai_characters *c)
{
	size_t frames = 0;
	for (size_t i = 0; i < c->count; i++) frames += c->members[i].keys ? c->members[i].keys->frame_count : 0;
	if (c->moves || frames == 0) return;
	ossai_warn(c->context, "no-motion", 1,
		"no part of any character moves relative to another in the %zu frames, so joints are by shape", frames);
}

ossa_status ossai_characters_draft(ossai_characters *c)
{
	warn_of_stillness(c);
	OSSAI_TRY(c->moves ? make_of_motion(c) : make_base(c, NULL));
	const ossa_rig *rig = c->made.rig;
	choose_solve(c);
	drop_motion(c);
	OSSAI_TRY(ossai_bone_weights_new(
		c->arena, rig->weights.vertex_count, rig->skeleton.bone_count, (size_t)rig->weights.influences, &c->shared));
	ossai_bone_weights_load(&rig->weights, c->members[c->base].surface.used, &c->shared);
	for (size_t i = 0; i < c->count; i++) OSSAI_TRY(give_rig(c, &c->members[i]));
	return OSSA_OK;
}
