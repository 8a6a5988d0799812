/* samples/samples.c: makes a creature: skin around its flesh, a rig with the true weights and
   motion, and the frames.

   Place in the path: options -> sample. The skeleton and the motion depend on kind, frames and seed
   only, never on the number of faces. */
#include "samples/samples.h"
#include "samples/motion.h"
#include "samples/skin.h"

#include <stdio.h>
#include <string.h>

#define KINDS "tube|biped|quadruped|hand|octopus|snake|pieces|open|machine|gimbals|face|linkage|arms|slides"

static const ossa_sample_options sample_defaults = {.kind = OSSA_SAMPLE_QUADRUPED, .faces = 20000, .frames = 24};

static const ossa_option sample_options[] = {
	{"kind", OSSA_OPTION_CHOICE, offsetof(ossa_sample_options, kind), 0, 12, "", KINDS, "the creature", "ours"},
	{"faces", OSSA_OPTION_INT, offsetof(ossa_sample_options, faces), 1000, 4000000, "triangles", "",
		"number of triangles, kept within 10 %", "ours: a game character"},
	{"frames", OSSA_OPTION_INT, offsetof(ossa_sample_options, frames), 1, 10000, "poses", "",
		"number of poses, without the rest pose", "ours: a second of film"},
	{"bulge", OSSA_OPTION_DOUBLE, offsetof(ossa_sample_options, bulge), 0, 20, "% of the diagonal", "",
		"how much the flesh bulges where joints bend, which no skeleton can repeat", "ours: exact linear blending"},
	{"noise", OSSA_OPTION_DOUBLE, offsetof(ossa_sample_options, noise), 0, 20, "% of the diagonal", "",
		"RMS of the noise of every vertex in every frame", "ours: exact linear blending"},
	{"seed", OSSA_OPTION_INT, offsetof(ossa_sample_options, seed), 0, 1000000, "", "",
		"seed of the random numbers of motion and noise", "ours"},
};

static const ossa_option_table sample_table = {"sample", sample_options, sizeof sample_options / sizeof sample_options[0],
	&sample_defaults, .size = sizeof(ossa_sample_options)};

ossa_sample_options ossa_sample_default(void) { return sample_defaults; }
const ossa_option_table *ossa_sample_option_table(void) { return &sample_table; }

static ossa_status fill_rig(ossa_context *context, const ossa_sample_options *options, const ossai_creature *creature,
	const ossai_skin *skin, ossa_rig **rig)
{
	ossa_mesh *mesh = NULL;
	OSSAI_TRY(ossa_mesh_create(context, skin->vertex_count, skin->positions, skin->triangle_count, skin->triangles, &mesh));
	ossa_option_print(&sample_options[0], options, mesh->name, sizeof mesh->name);
	const ossa_status status = ossa_rig_create(context, mesh, (size_t)creature->bone_count, SKIN_INFLUENCES, rig);
	ossa_mesh_free(context, mesh);
	OSSAI_TRY(status);
	snprintf((*rig)->method, sizeof(*rig)->method, "sample");
	const size_t slots = skin->vertex_count * SKIN_INFLUENCES;
	memcpy((*rig)->weights.bones, skin->bones, slots * sizeof *skin->bones);
	memcpy((*rig)->weights.values, skin->values, slots * sizeof *skin->values);
	return ossai_motion_build(context, creature, options->frames, options->seed, *rig);
}

static ossa_status fill_sample(ossa_context *context, const ossa_sample_options *options, ossa_sample *sample)
{
	ossai_creature creature;
	ossai_skin skin;
	ossai_creature_build(options->kind, &creature);
	OSSAI_TRY(ossai_skin_build(context, &creature, options->faces, &skin));
	const ossa_status status = fill_rig(context, options, &creature, &skin, &sample->rig);
	ossai_skin_free(context, &skin);
	OSSAI_TRY(status);
	OSSAI_TRY(ossa_frames_create(context, (size_t)options->frames, sample->rig->mesh->vertex_count, 24, &sample->frames));
	return ossai_motion_frames(context, sample->rig, options, sample->frames);
}

ossa_status ossa_sample_create(ossa_context *context, const ossa_sample_options *options, ossa_sample **sample)
{
	*sample = NULL;
	if (!options) options = &sample_defaults;
	OSSAI_TRY(ossa_options_check(context, &sample_table, options));
	ossa_sample *made = ossa_alloc(context, 1, sizeof *made);
	if (!made) return ossa_context_error(context)->status;
	const ossa_status status = fill_sample(context, options, made);
	if (status != OSSA_OK) {
		ossa_sample_free(context, made);
		return status;
	}
	*sample = made;
	return OSSA_OK;
}

void ossa_sample_free(ossa_context *context, ossa_sample *sample)
{
	if (!sample) return;
	ossa_rig_free(context, sample->rig);
	ossa_frames_free(context, sample->frames);
	ossa_free(context, sample);
}
