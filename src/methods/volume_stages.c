/* methods/volume_stages.c: the published stages of the method of volumes up to the segments, and
   their results as a public value for pictures and studies.

   Input: a mesh.
   Output: an ossa_volume_stages. */
#include "methods/volume.h"

#include <ossa/volume_stages.h>

#include <string.h>

static ossa_status take_arrays(ossa_context *context, ossa_volume_stages *s)
{
	s->voxels = ossa_alloc(context, s->interior_count, 3 * sizeof *s->voxels);
	s->depths = s->voxels ? ossa_alloc(context, s->interior_count, sizeof *s->depths) : NULL;
	s->medial = s->depths ? ossa_alloc(context, s->medial_count, sizeof *s->medial) : NULL;
	s->exposures = s->medial ? ossa_alloc(context, s->medial_count, sizeof *s->exposures) : NULL;
	s->nodes = s->exposures ? ossa_alloc(context, s->node_count, 3 * sizeof *s->nodes) : NULL;
	s->radii = s->nodes ? ossa_alloc(context, s->node_count, sizeof *s->radii) : NULL;
	s->parents = s->radii ? ossa_alloc(context, s->node_count, sizeof *s->parents) : NULL;
	s->segments = s->parents ? ossa_alloc(context, s->segment_count, 2 * sizeof *s->segments) : NULL;
	return s->segments ? OSSA_OK : ossa_context_error(context)->status;
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
	memcpy(s->parents, v->paths.parent, s->node_count * sizeof *s->parents);
	memcpy(s->segments, v->graph.edge, s->segment_count * 2 * sizeof *s->segments);
}

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

static ossa_status copy_stages(const ossai_volume *v, ossa_volume_stages *s)
{
	const double scale = v->still.surface.scale;
	*s = (ossa_volume_stages){.voxel_size = v->voxels.step / longest_side(&v->still.surface),
		.edge = scale * v->voxels.step,
		.interior_count = v->voxels.count,
		.part_count = v->voxels.part_count,
		.left_out = v->voxels.left_out,
		.medial_count = v->medial.count,
		.extreme_count = v->paths.extreme_count,
		.path_count = v->paths.path_count,
		.heart_radius = scale * v->paths.heart_radius,
		.node_count = v->paths.node_count,
		.segment_count = v->graph.edge_count};
	/* without the layer of exterior cells on all sides */
	for (int k = 0; k < 3; k++) s->grid[k] = v->voxels.size[k] - 2;
	OSSAI_TRY(take_arrays(v->still.context, s));
	copy_arrays(v, s);
	return OSSA_OK;
}

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 12}, {"voxels", 48}, {"medial surface", 20}, {"path tree", 19}, {"segments", 1}, {NULL, 0}};

static ossa_status run_stages(ossai_volume *v, ossa_volume_stages *stages)
{
	ossa_context *context = v->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", ossai_volume_published_prepare(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "voxels", ossai_volume_published_voxels(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "medial surface", ossai_volume_medial(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "path tree", ossai_volume_published_paths(v)));
	OSSAI_TRY(OSSAI_STAGE(context, "segments", ossai_volume_published_segments(v)));
	return copy_stages(v, stages);
}

ossa_status ossa_volume_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_volume_stages *stages)
{
	if (stages) *stages = (ossa_volume_stages){.voxels = NULL};
	OSSAI_NEED(context, mesh, stages);
	ossai_volume v = {.own = options ? *options : ossa_volume_default()};
	ossai_pipeline pipeline;
	v.own.refine = 0;
	OSSAI_TRY(ossai_volume_begin(context, mesh, &v));
	ossai_pipeline_begin(context, plan, &pipeline);
	v.still.arena = &pipeline.arena;
	const ossa_status status = ossai_pipeline_end(&pipeline, run_stages(&v, stages), NULL);
	if (status != OSSA_OK) ossa_volume_stages_free(context, stages);
	return status;
}

void ossa_volume_stages_free(ossa_context *context, ossa_volume_stages *stages)
{
	if (!stages) return;
	ossa_free(context, stages->voxels);
	ossa_free(context, stages->depths);
	ossa_free(context, stages->medial);
	ossa_free(context, stages->exposures);
	ossa_free(context, stages->nodes);
	ossa_free(context, stages->radii);
	ossa_free(context, stages->parents);
	ossa_free(context, stages->segments);
	*stages = (ossa_volume_stages){.voxels = NULL};
}
