/* methods/contraction.c: a rig from one mesh without motion, by contracting it.

   Input: a mesh.
   Output: a rig without a clip.
   Source: M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support: make the mesh one graph, contract it (O. K.-C. Au and
   others, Skeleton Extraction by Mesh Contraction, 2008), collapse it to control points, move them to the centers of what they stand for, root
   the tree, weigh by distance over the surface.
   Departures: of run_published in contraction_published.c, of run_refined in contraction_refined.c. */
#include "methods/contraction.h"

#include "rig/assemble.h"

/* ---- stages of both ---- */

static ossa_status prepare(ossai_contraction *c) { return ossai_still_prepare(&c->still); }

ossa_status ossai_contraction_make_proxy(ossai_contraction *c, ossa_proxy_kind kind)
{
	const ossai_posed_surface *surface = &c->still.surface;
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = kind;
	options.vertices = (size_t)c->own.proxy_size;
	options.join_distance = c->own.join > 0 ? surface->diagonal * c->own.join / 100 : -1;
	options.split_distance = surface->diagonal * c->own.split / 100;
	return ossai_proxy_make(c->still.arena, surface, &options, &c->proxy);
}

ossa_status ossai_contraction_contract(ossai_contraction *c)
{
	ossai_contraction_options options = ossai_contraction_default();
	options.flow = c->own.flow;
	options.contraction = c->own.pull;
	options.growth = c->own.growth;
	options.attraction = c->own.attraction;
	options.volume = c->own.volume;
	options.steps = c->own.steps;
	return ossai_contract(c->still.arena, &c->proxy, &options, &c->contracted);
}

ossa_status ossai_contraction_collapse(ossai_contraction *c, size_t nodes)
{
	ossai_collapse_options options = ossai_collapse_default();
	options.shape = c->own.shape;
	options.sampling = c->own.sampling;
	options.nodes = nodes;
	if (c->own.merge > 0) options.merge_distance = c->still.surface.diagonal * c->own.merge / 100;
	return ossai_collapse(c->still.arena, &c->proxy, &c->contracted, &options, &c->curve);
}

ossa_status ossai_contraction_weigh(ossai_contraction *c, ossa_weights_kind kind)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = ossai_rest_weights_kind_of(kind);
	options.influences = (size_t)c->own.influences;
	options.power = c->own.power;
	options.local = c->own.local;
	const ossai_rest_bones bones = {&c->bones.tree, c->bones.joint, c->bones.tail, NULL};
	return ossai_still_weigh(&c->still, &c->proxy, &bones, &options, &c->weights);
}

/* ---- the rig ---- */

static ossa_status assemble(ossai_contraction *c, ossa_rig **rig)
{
	ossai_still_work *still = &c->still;
	const ossai_findings findings = {.method = "contraction",
		.mesh = still->mesh,
		.surface = &still->surface,
		.tree = &c->bones.tree,
		.joint = c->bones.joint,
		.tail = c->bones.tail,
		.weights = &c->weights,
		.influences = c->own.influences};
	OSSAI_TRY(ossai_rig_assemble(still->context, &findings, rig));
	return ossai_still_keep_cuts(still, &c->curve, &c->bones.tree, 0, c->sides, *rig);
}

static ossa_status assemble_published(ossai_contraction *c, ossa_rig **rig)
{
	OSSAI_TRY(assemble(c, rig));
	return ossai_still_tell_bones(&c->still, *rig);
}

static ossa_status assemble_refined(ossai_contraction *c, ossa_rig **rig)
{
	OSSAI_TRY(assemble(c, rig));
	if (c->own.bones == 0) OSSAI_TRY(ossai_still_drop_idle(&c->still, &c->bones.tree, c->bones.mirrored, NULL, rig));
	return ossai_still_tell_bones(&c->still, *rig);
}

/* ---- the recipe ---- */

static ossa_status run(ossai_contraction *c, const char *name, ossai_contraction_stage *stage)
{
	const ossa_status entered = ossai_stage_enter(c->still.context, name);
	return ossai_stage_leave(c->still.context, entered == OSSA_OK ? stage(c) : entered);
}

static bool is_apart(const ossai_contraction *c)
{
	return c->own.pieces == OSSA_PIECES_SEPARATE && c->still.surface.piece_count > 1;
}

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 10}, {"proxy", 30}, {"contraction", 30}, {"curve", 10}, {"skeleton", 5}, {"weights", 15}};

static ossa_status run_published(ossai_contraction *c, ossa_rig **rig)
{
	OSSAI_TRY(run(c, "prepare", prepare));
	if (is_apart(c)) return ossai_contraction_pieces_published(c, rig);
	OSSAI_TRY(run(c, "proxy", ossai_contraction_published_proxy));
	OSSAI_TRY(run(c, "contraction", ossai_contraction_contract));
	OSSAI_TRY(run(c, "curve", ossai_contraction_published_curve));
	OSSAI_TRY(run(c, "skeleton", ossai_contraction_published_skeleton));
	OSSAI_TRY(run(c, "weights", ossai_contraction_published_weights));
	return assemble_published(c, rig);
}

static ossa_status run_refined(ossai_contraction *c, ossa_rig **rig)
{
	OSSAI_TRY(run(c, "prepare", prepare));
	if (is_apart(c)) return ossai_contraction_pieces_refined(c, rig);
	OSSAI_TRY(run(c, "proxy", ossai_contraction_refined_proxy));
	OSSAI_TRY(run(c, "contraction", ossai_contraction_contract));
	OSSAI_TRY(run(c, "curve", ossai_contraction_refined_curve));
	OSSAI_TRY(run(c, "skeleton", ossai_contraction_refined_skeleton));
	OSSAI_TRY(run(c, "weights", ossai_contraction_refined_weights));
	return assemble_refined(c, rig);
}

/* ---- the whole ---- */

ossa_status ossa_rig_from_contraction(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, rig);
	ossai_contraction work = {.own = options ? *options : ossa_contraction_default()};
	ossai_pipeline pipeline;
	OSSAI_TRY(ossai_contraction_begin(context, mesh, &work));
	ossai_pipeline_begin(context, sizeof plan / sizeof plan[0], plan, &pipeline);
	work.still.arena = &pipeline.arena;
	const ossa_status status = work.own.refine > 0 ? run_refined(&work, rig) : run_published(&work, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}
