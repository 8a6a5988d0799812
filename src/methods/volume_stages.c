/* methods/volume_stages.c: what the published stages of the method of volumes make of a mesh, for looking at. */
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

/* longest side of the box of what faces use, shares of the size */
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
	/* without the layer of exterior cells around all */
	for (int k = 0; k < 3; k++) s->grid[k] = v->voxels.size[k] - 2;
	OSSAI_TRY(take_arrays(v->still.context, s));
	copy_arrays(v, s);
	return OSSA_OK;
}

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 10}, {"voxels", 40}, {"medial surface", 30}, {"path tree", 15}, {"segments", 5}};

static ossa_status run_stages(ossai_volume *v, ossa_volume_stages *stages)
{
	OSSAI_TRY(ossai_volume_run(v, "prepare", ossai_published_prepare));
	OSSAI_TRY(ossai_volume_run(v, "voxels", ossai_published_voxels));
	OSSAI_TRY(ossai_volume_run(v, "medial surface", ossai_volume_medial));
	OSSAI_TRY(ossai_volume_run(v, "path tree", ossai_published_paths));
	OSSAI_TRY(ossai_volume_run(v, "segments", ossai_published_segments));
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
	ossai_pipeline_begin(context, sizeof plan / sizeof plan[0], plan, &pipeline);
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
