/* import/frame_meshes.c: mesh files of one frame each: see frame_meshes.h.

   Place in the path: between the readers of formats and frame_source.c.
   Input: paths and the rest mesh.
   Output: positions. Long sequences are not kept open. */
#include "import/frame_meshes.h"

#include "import/frame_cache.h"
#include "scene/poses.h"

#include <string.h>

/* ---- one file, whatever is in it ---- */

static ossa_status read_mesh(ossai_frame_sources *all, const ossai_frame_source *source, float *positions)
{
	const bool compare = !all->options.ignore_pose_faces;
	ossa_mesh *pose = NULL;
	OSSAI_TRY(
		source->entry->read_mesh(all->context, &source->source, compare ? OSSAI_PARTS_FACES : OSSAI_PARTS_POSITIONS, &pose));
	const ossa_status status = ossai_pose_check(all->context, all->rest, pose, source->source.path, compare);
	if (status == OSSA_OK) memcpy(positions, pose->positions, 3 * pose->vertex_count * sizeof *positions);
	ossa_mesh_free(all->context, pose);
	return status;
}

/* ---- files that are written alike ---- */

static bool must_look(const ossai_frame_sources *all) { return !all->options.ignore_pose_faces && !all->faces_looked_for; }

/* the file that has just been read is what later ones are compared with */
static ossa_status remember_faces(ossai_frame_sources *all, ossai_frame_source *source)
{
	all->faces_looked_for = true;
	if (!source->entry->find_faces) return OSSA_OK;
	OSSAI_TRY(source->entry->find_faces(&all->arena, &source->source, &all->faces, &all->faces_known));
	/* what is not a file on a disk stays open in its source */
	if (!all->faces_known || !source->file.mapped) return OSSA_OK;
	all->faces_file = source->file;
	source->file = (ossai_file){NULL, 0, false, false};
	ossai_frame_source_close_file(all, source);
	return OSSA_OK;
}

typedef struct read_job {
	const ossai_frame_sources *all;
	const size_t *sources;
	float *const *positions;
	bool *is_read;
} read_job;

static void read_range(void *arg, size_t begin, size_t end)
{
	const read_job *job = arg;
	const ossai_frame_sources *all = job->all;
	const bool compare = !all->options.ignore_pose_faces;
	for (size_t i = begin; i < end; i++) {
		const ossai_frame_source *source = &all->items[job->sources[i]];
		if (!source->entry->read_pose || (compare && !all->faces_known)) continue;
		job->is_read[i] = source->entry->read_pose(
			&source->source, compare ? &all->faces : NULL, all->vertex_count, job->positions[i]);
	}
}

/* ---- all ---- */

static ossa_status finish(ossai_frame_sources *all, ossai_frame_source *source, bool is_read, float *positions)
{
	if (!is_read) OSSAI_TRY(read_mesh(all, source, positions));
	if (must_look(all)) OSSAI_TRY(remember_faces(all, source));
	/* what is not a file on a disk cannot be opened again */
	if (source->file.mapped) ossai_frame_source_close_file(all, source);
	OSSAI_TRY(ossai_orient_points(all->context, all->orientation, source->source.path, all->vertex_count, positions));
	/* done already where faces were compared */
	return all->options.ignore_pose_faces ? ossai_frame_check_order(all, source, positions) : OSSA_OK;
}

static ossa_status read_together(ossai_frame_sources *all, size_t count, const size_t *sources, float *const *positions)
{
	bool is_read[OSSAI_FRAMES_AT_ONCE] = {false};
	read_job job = {all, sources, positions, is_read};
	for (size_t i = 0; i < count; i++) {
		ossai_frame_source *source = &all->items[sources[i]];
		if (!source->source.bytes) OSSAI_TRY(ossai_frame_source_open_file(all, source));
	}
	ossai_parallel_for(all->context, count, 1, read_range, &job);
	for (size_t i = 0; i < count; i++) OSSAI_TRY(finish(all, &all->items[sources[i]], is_read[i], positions[i]));
	return OSSA_OK;
}

ossa_status ossai_frame_meshes_read(ossai_frame_sources *all, size_t count, const size_t *sources, float *const *positions)
{
	/* the others are compared with the first one */
	const size_t alone = must_look(all) && count > 0 ? 1 : 0;
	OSSAI_TRY(read_together(all, alone, sources, positions));
	return read_together(all, count - alone, sources + alone, positions + alone);
}
