/* methods/volume_stages.c: the published stages of the method of volumes, and their results as a
   public value for pictures and studies.

   Input: a mesh.
   Output: an ossa_volume_stages. */
#include "methods/stage_arrays.h"
#include "methods/volume.h"
#include "weights/anchor_sets.h"

#include <ossa/volume_stages.h>

#include <string.h>

typedef struct stage_work {
	ossai_volume volume;
	ossai_bone_sets sets; /* anchors */
	uint32_t *set;        /* N: of a voxel */
} stage_work;

/* the last two are taken when their lengths are known */
enum { ARRAYS = 13, KNOWN_EARLY = 11 };

/* set_total: the length of the last */
static void list_arrays(ossa_volume_stages *s, size_t set_total, ossai_stage_array list[ARRAYS])
{
	const ossai_stage_array all[ARRAYS] = {{&s->voxels, s->interior_count, 3 * sizeof *s->voxels},
		{&s->depths, s->interior_count, sizeof *s->depths}, {&s->medial, s->medial_count, sizeof *s->medial},
		{&s->exposures, s->medial_count, sizeof *s->exposures}, {&s->extremes, s->extreme_count, sizeof *s->extremes},
		{&s->nodes, s->node_count, 3 * sizeof *s->nodes}, {&s->radii, s->node_count, sizeof *s->radii},
		{&s->parents, s->node_count, sizeof *s->parents}, {&s->path_voxels, s->node_count, sizeof *s->path_voxels},
		{&s->segments, s->segment_count, 2 * sizeof *s->segments}, {&s->anchors, s->interior_count, sizeof *s->anchors},
		{&s->set_starts, s->set_count + 1, sizeof *s->set_starts}, {&s->set_segments, set_total, sizeof *s->set_segments}};
	memcpy(list, all, sizeof all);
}

static void put_point(const ossai_volume *v, ossai_vec3 p, float *to)
{
	const ossai_vec3 q = ossai_madd(v->still.surface.rest_center, v->still.surface.scale, p);
	to[0] = (float)q.x;
	to[1] = (float)q.y;
	to[2] = (float)q.z;
}

static void copy_arrays(const ossai_volume *v, ossa_volume_stages *s)
{
	const double scale = v->still.surface.scale;
	for (uint32_t i = 0; i < s->interior_count; i++) {
		put_point(v, ossai_voxel_center(&v->voxels, i), s->voxels + 3 * (size_t)i);
		s->depths[i] = (float)(scale * v->voxels.step * sqrt((double)v->voxels.distance2[i]));
	}
	memcpy(s->medial, v->medial.voxel, s->medial_count * sizeof *s->medial);
	memcpy(s->exposures, v->medial.exposure, s->medial_count * sizeof *s->exposures);
	for (size_t i = 0; i < s->node_count; i++) {
		put_point(v, v->paths.node[i], s->nodes + 3 * i);
		s->radii[i] = (float)(scale * v->paths.radius[i]);
	}
	memcpy(s->extremes, v->paths.extreme, s->extreme_count * sizeof *s->extremes);
	memcpy(s->path_voxels, v->paths.voxel, s->node_count * sizeof *s->path_voxels);
	memcpy(s->parents, v->paths.parent, s->node_count * sizeof *s->parents);
	memcpy(s->segments, v->graph.edge, s->segment_count * 2 * sizeof *s->segments);
}

/* ---- anchor sets ---- */

static ossa_status find_anchors(stage_work *work)
{
	ossai_volume *v = &work->volume;
	ossa_context *context = v->still.context;
	const size_t bones = v->graph.edge_count > 0 ? v->graph.edge_count : 1;
	ossai_anchor_ball *balls = NULL;
	size_t count = 0;
	OSSAI_TRY(ossai_volume_published_balls(v, &count, &balls));
	OSSAI_TRY(ossai_bone_sets_begin(context, bones, &work->sets));
	work->set = ossai_arena_new(v->still.arena, v->voxels.count, sizeof *work->set);
	if (!work->set) return ossa_context_error(context)->status;
	return ossai_anchor_sets_make(context, &v->voxels, bones, count, balls, &work->sets, work->set);
}

/* numbers the sets that some voxel has, in the order of voxels */
static ossa_status copy_anchors(const stage_work *work, ossa_volume_stages *s)
{
	const ossai_volume *v = &work->volume;
	const ossai_bone_set *list = work->sets.list;
	ossa_context *context = v->still.context;
	uint32_t *number = ossai_arena_new(v->still.arena, work->sets.count, sizeof *number);
	uint32_t *used = ossai_arena_new(v->still.arena, work->sets.count, sizeof *used);
	if (!number || !used) return ossa_context_error(context)->status;
	for (size_t i = 0; i < work->sets.count; i++) number[i] = OSSA_NONE;
	size_t total = 0;
	for (size_t i = 0; i < s->interior_count; i++) {
		const uint32_t set = work->set[i];
		if (number[set] == OSSA_NONE) {
			number[set] = (uint32_t)s->set_count;
			used[s->set_count++] = set;
			total += list[set].size;
		}
		s->anchors[i] = number[set];
	}
	ossai_stage_array arrays[ARRAYS];
	list_arrays(s, total, arrays);
	OSSAI_TRY(ossai_stage_arrays_take(context, ARRAYS - KNOWN_EARLY, arrays + KNOWN_EARLY));
	s->set_starts[0] = 0;
	for (size_t a = 0; a < s->set_count; a++) {
		uint32_t at = s->set_starts[a + 1] = s->set_starts[a] + list[used[a]].size;
		for (uint32_t set = used[a]; set != 0; set = list[set].rest) s->set_segments[--at] = list[set].bone;
	}
	return OSSA_OK;
}

/* ---- all ---- */

/* the longest side of the bounding box of vertices in faces, in the surface's lengths */
static double longest_side(const ossai_posed_surface *surface)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0;
	for (size_t i = 0; i < 3 * surface->vertex_count; i++) {
		if (!surface->used[i / 3]) continue;
		low[i % 3] = fmin(low[i % 3], surface->rest[i]);
		high[i % 3] = fmax(high[i % 3], surface->rest[i]);
	}
	for (int k = 0; k < 3; k++) side = fmax(side, high[k] - low[k]);
	return side;
}

static ossa_status copy_stages(const stage_work *work, ossa_volume_stages *s)
{
	const ossai_volume *v = &work->volume;
	const double scale = v->still.surface.scale;
	*s = (ossa_volume_stages){.voxel_size = v->voxels.step / longest_side(&v->still.surface),
		.edge = scale * v->voxels.step,
		.interior_count = v->voxels.count,
		.part_count = v->voxels.part_count,
		.left_out = v->voxels.left_out,
		.medial_count = v->medial.count,
		.heart = v->paths.heart_voxel,
		.extreme_count = v->paths.extreme_count,
		.path_count = v->paths.path_count,
		.heart_radius = scale * v->paths.heart_radius,
		.node_count = v->paths.node_count,
		.segment_count = v->graph.edge_count};
	/* without the layer of exterior cells on all sides */
	for (int k = 0; k < 3; k++) s->grid[k] = v->voxels.size[k] - 2;
	ossai_stage_array arrays[ARRAYS];
	list_arrays(s, 0, arrays);
	OSSAI_TRY(ossai_stage_arrays_take(v->still.context, KNOWN_EARLY, arrays));
	copy_arrays(v, s);
	return copy_anchors(work, s);
}

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 12}, {"voxels", 48}, {"medial surface", 20}, {"path tree", 17}, {"segments", 1}, {"anchors", 2}, {NULL, 0}};

static ossa_status run_stages(stage_work *work, ossa_volume_stages *stages)
{
	ossai_volume *v = &work->volume;
	ossa_context *context = v->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", ossai_volume_published_prepare(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "voxels", ossai_volume_published_voxels(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "medial surface", ossai_volume_medial(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "path tree", ossai_volume_published_paths(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "segments", ossai_volume_published_segments(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "anchors", find_anchors(work)));
	return copy_stages(work, stages);
}

ossa_status ossa_volume_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_volume_stages *stages)
{
	if (stages) *stages = (ossa_volume_stages){.voxels = NULL};
	OSSAI_NEED(context, mesh, stages);
	stage_work work = {.volume.own = options ? *options : ossa_volume_default()};
	ossai_pipeline pipeline;
	work.volume.own.refine = 0;
	work.sets.context = context;
	OSSAI_TRY(ossai_volume_begin(context, mesh, &work.volume));
	ossai_pipeline_begin(context, plan, &pipeline);
	work.volume.still.arena = &pipeline.arena;
	ossa_status status = run_stages(&work, stages);
	ossai_bone_sets_end(&work.sets);
	status = ossai_pipeline_end(&pipeline, status, NULL);
	if (status != OSSA_OK) ossa_volume_stages_free(context, stages);
	return status;
}

void ossa_volume_stages_free(ossa_context *context, ossa_volume_stages *stages)
{
	if (!stages) return;
	ossai_stage_array arrays[ARRAYS];
	list_arrays(stages, 0, arrays);
	ossai_stage_arrays_free(context, ARRAYS, arrays);
	*stages = (ossa_volume_stages){.voxels = NULL};
}
