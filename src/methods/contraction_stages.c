/* methods/contraction_stages.c: the published stages of contraction up to the curve, and their
   results as a public value for pictures and studies.

   Input: a mesh.
   Output: an ossa_contraction_stages. */
#include "methods/contraction.h"
#include "methods/stage_arrays.h"

#include <ossa/contraction_stages.h>

#include <string.h>

enum { ARRAYS = 14 };

static void list_arrays(ossa_contraction_stages *s, ossai_stage_array list[ARRAYS])
{
	const size_t states = s->step_count + 1;
	const ossai_stage_array all[ARRAYS] = {{&s->triangles, s->face_count, 3 * sizeof *s->triangles},
		{&s->graph_vertices, s->mesh_vertex_count, sizeof *s->graph_vertices}, {&s->joins, s->join_count, 2 * sizeof *s->joins},
		{&s->splits, s->split_count, 2 * sizeof *s->splits},
		{&s->positions, states * s->vertex_count, 3 * sizeof *s->positions}, {&s->pulls, states, sizeof *s->pulls},
		{&s->volume_shares, states, sizeof *s->volume_shares}, {&s->area_shares, states, sizeof *s->area_shares},
		{&s->points, s->point_count, 3 * sizeof *s->points}, {&s->centers, s->point_count, 3 * sizeof *s->centers},
		{&s->volumes, s->point_count, sizeof *s->volumes}, {&s->graph_points, s->vertex_count, sizeof *s->graph_points},
		{&s->curve, s->curve_count, 2 * sizeof *s->curve}, {&s->cuts, s->cut_count, 2 * sizeof *s->cuts}};
	memcpy(list, all, sizeof all);
}

/* to the units of the mesh */
static void put_point(const ossai_posed_surface *surface, ossai_vec3 p, double *to)
{
	ossai_v3_store(ossai_madd(surface->rest_center, surface->scale, p), to);
}

static void copy(void *to, const void *from, size_t size)
{
	if (size > 0) memcpy(to, from, size);
}

static void copy_graph(const ossai_contraction *c, ossa_contraction_stages *s)
{
	const ossai_proxy *proxy = &c->still.proxy;
	copy(s->triangles, proxy->triangles, s->face_count * 3 * sizeof *s->triangles);
	copy(s->graph_vertices, proxy->of_vertex, s->mesh_vertex_count * sizeof *s->graph_vertices);
	copy(s->splits, c->split.edges, s->split_count * 2 * sizeof *s->splits);
	copy(s->joins, proxy->links, s->join_count * 2 * sizeof *s->joins);
}

static void copy_steps(const ossai_contraction *c, ossa_contraction_stages *s)
{
	for (size_t i = 0; i <= s->step_count; i++) {
		const ossai_contraction_state *state = &c->contracted.states[i];
		s->pulls[i] = state->pull;
		s->volume_shares[i] = state->volume_share;
		s->area_shares[i] = state->area_share;
		double *to = s->positions + 3 * i * s->vertex_count;
		for (size_t v = 0; v < s->vertex_count; v++) {
			put_point(&c->still.surface, ossai_v3_of(state->positions + 3 * v), to + 3 * v);
		}
	}
}

static void copy_curve(const ossai_contraction *c, ossa_contraction_stages *s)
{
	const ossai_curve *curve = &c->still.curve;
	const ossai_posed_surface *surface = &c->still.surface;
	for (size_t i = 0; i < s->point_count; i++) {
		put_point(surface, c->point[i], s->points + 3 * i);
		put_point(surface, curve->node[i], s->centers + 3 * i);
		s->volumes[i] = pow(surface->scale, 3) * curve->volume[i];
	}
	copy(s->graph_points, curve->node_of_vertex, s->vertex_count * sizeof *s->graph_points);
	copy(s->curve, curve->edge, s->curve_count * 2 * sizeof *s->curve);
	for (size_t i = 0; i < s->cut_count; i++) {
		s->cuts[2 * i] = curve->cuts[i].a;
		s->cuts[2 * i + 1] = curve->cuts[i].b;
	}
}

static ossa_status copy_stages(const ossai_contraction *c, ossa_contraction_stages *s)
{
	const ossai_proxy *proxy = &c->still.proxy;
	const ossai_curve *curve = &c->still.curve;
	*s = (ossa_contraction_stages){.vertex_count = proxy->vertex_count,
		.face_count = proxy->face_count,
		.mesh_vertex_count = c->still.surface.vertex_count,
		.piece_count = proxy->unlinked_count,
		.join_count = proxy->link_count,
		.split_distance = c->still.surface.scale * c->split.distance,
		.split_count = c->split.count,
		.step_count = (size_t)c->contracted.steps,
		.point_count = curve->node_count,
		.curve_count = curve->edge_count,
		.cut_count = curve->cut_count,
		.root = c->still.root};
	ossai_stage_array arrays[ARRAYS];
	list_arrays(s, arrays);
	OSSAI_TRY(ossai_stage_arrays_take(c->still.context, ARRAYS, arrays));
	copy_graph(c, s);
	copy_steps(c, s);
	copy_curve(c, s);
	return OSSA_OK;
}

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step plan[] = {{"prepare", 3}, {"proxy", 3}, {"contraction", 84}, {"curve", 10}, {NULL, 0}};

static ossa_status run_stages(ossai_contraction *c, ossa_contraction_stages *stages)
{
	ossa_context *context = c->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "prepare", ossai_still_prepare(&c->still)));
	OSSAI_TRY(OSSAI_STAGE(context, "proxy", ossai_contraction_published_proxy(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "contraction", ossai_contraction_published_contract(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "curve", ossai_contraction_published_curve(c)));
	return copy_stages(c, stages);
}

ossa_status ossa_contraction_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_contraction_stages *stages)
{
	if (stages) *stages = (ossa_contraction_stages){.positions = NULL};
	OSSAI_NEED(context, mesh, stages);
	ossai_contraction c = {.own = options ? *options : ossa_contraction_default(), .keeps_states = true};
	ossai_pipeline pipeline;
	c.own.refine = 0;
	c.own.pieces = OSSA_PIECES_LINK;
	OSSAI_TRY(ossai_contraction_begin(context, mesh, &c));
	ossai_pipeline_begin(context, plan, &pipeline);
	c.still.arena = &pipeline.arena;
	const ossa_status status = ossai_pipeline_end(&pipeline, run_stages(&c, stages), NULL);
	if (status != OSSA_OK) ossa_contraction_stages_free(context, stages);
	return status;
}

void ossa_contraction_stages_free(ossa_context *context, ossa_contraction_stages *stages)
{
	if (!stages) return;
	ossai_stage_array arrays[ARRAYS];
	list_arrays(stages, arrays);
	ossai_stage_arrays_free(context, ARRAYS, arrays);
	*stages = (ossa_contraction_stages){.positions = NULL};
}
