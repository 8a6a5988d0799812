/* export/write_lods.c: levels of detail of one character into one file.

   Place in the path: last, beside the registry.
   Input: rigs of the same bones, from fine to coarse.
   Output: a file. Each is validated and converted as a rig alone is; then bones that a level of
   articulation goes without are left out. */
#include "export/conventions.h"
#include "export/gltf/glb.h"

#include <ossa/lods.h>
#include <string.h>

typedef struct lods_job {
	ossa_context *context;
	const ossa_lod *lods;
	size_t count;
	const ossa_write_options *options;
	ossai_prepared *prepared; /* count */
	size_t prepared_count;
	ossa_rig **coarser; /* count: of the level of articulation; NULL: all bones */
	ossai_glb_lod *made;
} lods_job;

/* ---- checks ---- */

static ossa_status check_bones(const lods_job *job, size_t i)
{
	const ossa_skeleton *own = &job->lods[i].rig->skeleton, *first = &job->lods[0].rig->skeleton;
	bool is_same = own->bone_count == first->bone_count;
	for (size_t b = 0; is_same && b < own->bone_count; b++) {
		is_same = strcmp(own->bones[b].name, first->bones[b].name) == 0 && own->bones[b].parent == first->bones[b].parent;
	}
	if (is_same) return OSSA_OK;
	return ossai_fail(job->context, OSSA_ERROR_INPUT, NULL,
		"level of detail %zu has other bones than the finest one: carry that rig to its mesh first", i);
}

static ossa_status check_lod(const lods_job *job, size_t i)
{
	const ossa_lod *lod = &job->lods[i];
	if (!lod->rig) return ossai_fail(job->context, OSSA_ERROR_ARGUMENT, NULL, "level of detail %zu has no rig", i);
	OSSAI_TRY(ossa_rig_validate(job->context, lod->rig));
	OSSAI_TRY(check_bones(job, i));
	const size_t faces = lod->rig->mesh->triangle_count, before = job->lods[i > 0 ? i - 1 : 0].rig->mesh->triangle_count;
	if (faces == 0) return ossai_fail(job->context, OSSA_ERROR_INPUT, NULL, "level of detail %zu has no faces", i);
	if (faces > before) {
		return ossai_fail(job->context, OSSA_ERROR_INPUT, NULL,
			"level of detail %zu has more triangles (%zu) than the one before (%zu): give them from fine to coarse", i, faces,
			before);
	}
	if (!(lod->coverage >= 0 && lod->coverage <= 1))
		return ossai_fail(job->context, OSSA_ERROR_ARGUMENT, NULL, "the coverage of level of detail %zu is not 0 to 1", i);
	const ossa_rig *rig = job->lods[0].rig;
	if (lod->articulation == 0 || (lod->articulation > 0 && lod->articulation < rig->level_count && rig->last_level))
		return OSSA_OK;
	return ossai_fail(job->context, OSSA_ERROR_ARGUMENT, NULL,
		"the rig has %d levels of articulation, from 0: there is no level %d", rig->level_count, lod->articulation);
}

/* ---- preparation ---- */

/* each has as many faces on a piece of the screen as the finest one has where it fills it */
static double coverage_of(const lods_job *job, size_t i)
{
	if (job->lods[i].coverage > 0 || i + 1 == job->count) return job->lods[i].coverage;
	return (double)job->lods[i + 1].rig->mesh->triangle_count / (double)job->lods[0].rig->mesh->triangle_count;
}

static ossa_status prepare(lods_job *job, size_t i)
{
	const int level = job->lods[i].articulation;
	OSSAI_TRY(ossai_prepare_rig(job->context, job->lods[i].rig, job->options, &job->prepared[job->prepared_count++]));
	const ossa_rig *rig = job->prepared[i].rig;
	if (level > 0) {
		/* levels are the finest one's */
		ossa_rig levelled = *rig;
		levelled.last_level = job->lods[0].rig->last_level;
		levelled.level_count = job->lods[0].rig->level_count;
		OSSAI_TRY(ossa_rig_of_level(job->context, &levelled, level, &job->coarser[i]));
	}
	job->made[i] = (ossai_glb_lod){job->coarser[i] ? job->coarser[i] : rig, level, coverage_of(job, i)};
	return OSSA_OK;
}

static ossa_status write_prepared(lods_job *job, ossai_arena *arena, const char *path)
{
	job->prepared = ossai_arena_zero(arena, job->count, sizeof *job->prepared);
	job->coarser = ossai_arena_zero(arena, job->count, sizeof *job->coarser);
	job->made = ossai_arena_zero(arena, job->count, sizeof *job->made);
	if (!job->prepared || !job->coarser || !job->made) return ossa_context_error(job->context)->status;
	for (size_t i = 0; i < job->count; i++) OSSAI_TRY(prepare(job, i));
	return ossai_glb_write_lods(job->context, job->made, job->count, path, job->options);
}

ossa_status ossa_write_lods(
	ossa_context *context, const ossa_lod *lods, size_t count, const char *path, const ossa_write_options *options)
{
	const ossa_write_options defaults = ossa_write_default();
	const ossa_write_format *format;
	OSSAI_NEED(context, lods, path);
	if (!options) options = &defaults;
	OSSAI_TRY(ossa_write_detect(context, path, &format));
	const ossai_place place = ossai_in_file(path);
	if (!format->writes_lods) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, &place,
			"%s files are written without levels of detail: write each level apart, or a .glb", format->title);
	}
	OSSAI_TRY(ossa_options_check(context, ossa_write_option_table(), options));
	lods_job job = {.context = context, .lods = lods, .count = count, .options = options};
	if (count == 0) return ossai_fail(context, OSSA_ERROR_ARGUMENT, &place, "there are no levels of detail to write");
	for (size_t i = 0; i < count; i++) OSSAI_TRY(check_lod(&job, i));
	ossai_arena arena = ossai_arena_begin(context);
	const ossa_status status = write_prepared(&job, &arena, path);
	for (size_t i = 0; i < job.prepared_count; i++) ossai_prepared_end(&job.prepared[i]);
	for (size_t i = 0; job.coarser && i < count; i++) ossa_rig_free(context, job.coarser[i]);
	ossai_arena_end(&arena);
	return status;
}
