/* methods/contraction.c: a rig from one mesh without motion, by contracting it to a curve.

   Input: a mesh.
   Output: a rig without a clip.
   Source: M. Madaras, Extraction of skinning data by mesh contraction with Collada 1.5 support:
   connect the pieces of the mesh, contract it (O. K.-C. Au and others, Skeleton Extraction by Mesh
   Contraction, 2008), collapse it to control points, center these, root the tree, weigh by distance
   over the surface.
   Departures: those of run_published in contraction_published.c, those of run_refined in
   contraction_refined.c. */
#include "methods/contraction.h"
#include "methods/pieces/find_props.h"

#include "rig/assemble.h"

/* ---- stages of both outlines ---- */

ossa_status ossai_contraction_make_proxy(ossai_contraction *c, ossa_proxy_kind kind, double split)
{
	const ossai_posed_surface *surface = ossai_still_shape(&c->still);
	ossai_proxy_options options = ossai_proxy_default();
	options.kind = kind;
	options.vertices = (size_t)c->own.proxy_size;
	options.join_distance = c->own.join > 0 ? surface->diagonal * c->own.join / 100 : -1;
	options.split_distance = surface->diagonal * split / 100;
	return ossai_proxy_make(c->still.arena, surface, &options, &c->still.proxy);
}

ossa_status ossai_contraction_contract(ossai_contraction *c, ossai_contraction_options *options)
{
	options->flow = c->own.flow;
	options->contraction = c->own.pull;
	options->growth = c->own.growth;
	options->attraction = c->own.attraction;
	options->volume = c->own.volume;
	options->steps = c->own.steps;
	options->keeps_states = c->keeps_states;
	return ossai_contract(c->still.arena, &c->still.proxy, options, &c->contracted);
}

ossa_status ossai_contraction_collapse(ossai_contraction *c, ossai_collapse_options *options)
{
	options->shape = c->own.shape;
	options->sampling = c->own.sampling;
	if (c->own.merge > 0) options->merge_distance = c->still.surface.diagonal * c->own.merge / 100;
	return ossai_collapse(c->still.arena, &c->still.proxy, &c->contracted, options, &c->still.curve);
}

ossa_status ossai_contraction_weigh(ossai_contraction *c, ossa_weights_kind kind)
{
	ossai_rest_weights_options options = ossai_rest_weights_default();
	options.kind = ossai_rest_weights_kind_of(kind);
	options.influences = (size_t)c->own.influences;
	options.power = c->own.power;
	options.local = c->own.local;
	const ossai_rest_bones bones = {&c->bones.tree, c->bones.joint, c->bones.tail, NULL};
	return ossai_still_weigh(&c->still, &bones, &options, &c->weights);
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
		.role = c->bones.role,
		.deviation = c->bones.deviation,
		.body = &still->body,
		.weights = &c->weights,
		.influences = c->own.influences};
	OSSAI_TRY(ossai_rig_assemble(still->context, &findings, rig));
	return ossai_still_keep_cuts(still, &c->bones.tree, 0, *rig);
}

static ossa_status assemble_published(ossai_contraction *c, ossa_rig **rig)
{
	OSSAI_TRY(assemble(c, rig));
	return ossai_still_warn_of_bones(&c->still, *rig);
}

static ossa_status assemble_refined(ossai_contraction *c, ossa_rig **rig)
{
	OSSAI_TRY(assemble(c, rig));
	if (c->own.bones == 0) OSSAI_TRY(ossai_still_drop_idle(&c->still, &c->bones.tree, c->bones.mirrored, NULL, rig));
	return ossai_still_warn_of_bones(&c->still, *rig);
}

/* ---- the outlines ---- */

/* the stages as the progress display shows them, with their usual shares of the time */
static const ossai_plan_step published_plan[] = {
	{"prepare", 3}, {"proxy", 2}, {"contraction", 64}, {"curve", 11}, {"skeleton", 1}, {"weights", 19}, {NULL, 0}};

static ossa_status run_published(ossai_contraction *c, ossa_rig **rig)
{
	ossa_context *context = c->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "proxy", ossai_contraction_published_proxy(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "contraction", ossai_contraction_published_contract(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "curve", ossai_contraction_published_curve(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_contraction_published_skeleton(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_contraction_published_weights(c)));
	return assemble_published(c, rig);
}

static const ossai_plan_step refined_plan[] = {{"prepare", 2}, {"proxy", 48}, {"contraction", 23}, {"curve", 12}, {"props", 0},
	{"skeleton", 2}, {"weights", 13}, {NULL, 0}};

static ossa_status make_curve(ossai_contraction *c)
{
	ossa_context *context = c->still.context;
	OSSAI_TRY(OSSAI_STAGE(context, "proxy", ossai_contraction_refined_proxy(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "contraction", ossai_contraction_refined_contract(c)));
	return OSSAI_STAGE(context, "curve", ossai_contraction_refined_curve(c));
}

static bool may_have_props(const ossai_contraction *c)
{
	return c->own.props && ossai_still_may_have_props(&c->still, c->own.body, c->own.bones, &c->own.landmarks);
}

static ossa_status find_props(ossai_contraction *c, const ossai_props **props)
{
	ossai_figure figure;
	ossai_body body;
	OSSAI_TRY(ossai_still_recognize(&c->still, NULL, c->own.body, &figure, &body));
	return ossai_props_find(&c->still, &c->own, NULL, &figure, &body, props);
}

/* props are found by the curve of the whole, and the curve is made again without them */
static ossa_status leave_props_out(ossai_contraction *c, const ossai_warnings *before)
{
	ossa_context *context = c->still.context;
	const ossai_props *props;
	OSSAI_TRY(OSSAI_STAGE(context, "props", find_props(c, &props)));
	if (!props) return OSSA_OK;
	ossai_warnings_restore(context, before);
	ossai_still_leave_out(&c->still, props);
	return make_curve(c);
}

static ossa_status make_body_curve(ossai_contraction *c)
{
	if (!may_have_props(c)) return make_curve(c);
	ossai_warnings *before = ossai_warnings_save(c->still.context);
	if (!before) return ossa_context_error(c->still.context)->status;
	ossa_status status = make_curve(c);
	if (status == OSSA_OK) status = leave_props_out(c, before);
	ossa_free(c->still.context, before);
	return status;
}

static ossa_status run_refined(ossai_contraction *c, ossa_rig **rig)
{
	ossa_context *context = c->still.context;
	OSSAI_TRY(make_body_curve(c));
	OSSAI_TRY(OSSAI_STAGE(context, "skeleton", ossai_contraction_refined_skeleton(c)));
	OSSAI_TRY(OSSAI_STAGE(context, "weights", ossai_contraction_refined_weights(c)));
	return assemble_refined(c, rig);
}

/* ---- the whole ---- */

/* the outline for the whole mesh, or the one for pieces that are rigged separately */
static ossai_contraction_outline *choose_outline(const ossai_contraction *c)
{
	const bool is_separate = c->own.pieces == OSSA_PIECES_SEPARATE && c->still.surface.piece_count > 1;
	if (c->own.refine > 0) return is_separate ? ossai_contraction_pieces_refined : run_refined;
	return is_separate ? ossai_contraction_pieces_published : run_published;
}

ossa_status ossa_rig_from_contraction(
	ossa_context *context, const ossa_mesh *mesh, const ossa_contraction_options *options, ossa_rig **rig)
{
	if (rig) *rig = NULL;
	OSSAI_NEED(context, mesh, rig);
	ossai_contraction work = {.own = options ? *options : ossa_contraction_default()};
	ossai_pipeline pipeline;
	OSSAI_TRY(ossai_contraction_begin(context, mesh, &work));
	ossai_pipeline_begin(context, work.own.refine > 0 ? refined_plan : published_plan, &pipeline);
	work.still.arena = &pipeline.arena;
	ossa_status status = OSSAI_STAGE(context, "prepare", ossai_still_prepare(&work.still));
	if (status == OSSA_OK) status = choose_outline(&work)(&work, rig);
	return ossai_pipeline_end(&pipeline, status, rig);
}
