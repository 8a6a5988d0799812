/* methods/volume_stages.c: see volume_parts.h. */
#include "methods/volume_parts.h"

#include <string.h>

/* radius of the moving average over paths, in edges: the paper's */
enum { SMOOTH_EDGES = 3 };
/* Thin parts: covered by balls of so many voxels, so many long, with so many around them; how many times finer their voxels are. */
enum { THIN_DEPTH = 2, THIN_LENGTH = 6, THIN_MARGIN = 3, FINER = 4 };
/* Below so many voxels thin parts have finer ones, as many times as make so many of the whole; a box of fine cells takes so many bytes each, and all no more
   than this. */
static const double few_voxels = 20000, wanted_voxels = 100000, fine_cell_bytes = 14, fine_bytes_most = 5e8;

void ossai_volume_begin(ossa_context *context, const ossa_mesh *mesh, ossai_volume *v)
{
	v->recipe = (ossai_recipe){.context = context,
		.method = "volume",
		.mesh = mesh,
		.options = {.link_pieces = true, .influences = v->own.influences, .refine = v->own.refine}};
}

/* What turning a mesh leaves of differences in the last digits is rounded away. */
static const double place_steps = 1 << 24;

/* voxels show how a shape lies in their grid: it always lies the same way */
static ossa_status prepare(ossai_recipe *r)
{
	ossai_volume *v = (ossai_volume *)r;
	OSSAI_TRY(ossai_still_prepare(r));
	ossai_posed_surface *s = &r->surface;
	v->rest = s->rest;
	if (!ossai_volume_refines(v)) return OSSA_OK;
	v->frame = ossai_canonical_frame_of(s->rest, s->face_count, s->triangles);
	double *own = ossai_arena_new(r->arena, s->vertex_count, 3 * sizeof *own);
	if (!own) return ossa_context_error(r->context)->status;
	for (size_t i = 0; i < s->vertex_count; i++) {
		ossai_v3_store(ossai_to_canonical(&v->frame, ossai_rest_point(s, i)), own + 3 * i);
		for (int k = 0; k < 3; k++) own[3 * i + k] = nearbyint(own[3 * i + k] * place_steps) / place_steps;
	}
	s->rest = own;
	return OSSA_OK;
}

static ossa_status fill(ossai_recipe *r)
{
	ossai_volume *v = (ossai_volume *)r;
	ossai_voxel_options options = ossai_voxel_options_default();
	options.size = v->own.voxel_size;
	options.peel = ossai_volume_refines(v);
	return ossai_voxels_make(r->arena, &r->surface, &options, &v->voxels);
}

static ossa_status find_medial(ossai_recipe *r)
{
	ossai_volume *v = (ossai_volume *)r;
	return ossai_medial_make(r->arena, &v->voxels, v->own.exposure, &v->medial);
}

/* what is too thin for the voxels, once more in finer ones */
static ossa_status grow_thin(ossai_volume *v, uint32_t finer, bool as_whole)
{
	ossai_recipe *r = &v->recipe;
	ossai_voxel_parts parts;
	OSSAI_TRY(ossai_thin_parts(r->arena, &v->voxels, THIN_DEPTH, THIN_LENGTH, THIN_MARGIN, &parts));
	ossai_fine_voxels *fine = ossai_arena_new(r->arena, parts.count, sizeof *fine);
	if (!fine) return ossa_context_error(r->context)->status;
	OSSAI_TRY(ossai_voxels_refine(r->arena, &r->surface, &v->voxels, &parts, finer, 0, fine));
	return ossai_path_tree_refine(r->arena, &v->voxels, &parts, fine, v->own.exposure, v->own.closeness, as_whole, &v->tree);
}

/* how many times finer the voxels of thin parts are where a size was asked for that leaves few; below 2: they are not */
static uint32_t finer_for_few(const ossai_volume *v)
{
	const double count = (double)v->voxels.count,
				 most = fmin(fine_bytes_most, (double)ossai_memory_left(v->recipe.context) / 4);
	const double cells = (double)v->voxels.size[0] * v->voxels.size[1] * v->voxels.size[2];
	if (!(count > 0 && count < few_voxels)) return 1;
	double finer = fmin(fmax(ceil(cbrt(wanted_voxels / count) - 0.25), 2), FINER);
	while (finer >= 2 && fine_cell_bytes * cells * finer * finer * finer > most) finer--;
	return (uint32_t)finer;
}

static ossa_status grow(ossai_recipe *r)
{
	ossai_volume *v = (ossai_volume *)r;
	OSSAI_TRY(ossai_path_tree_make(r->arena, &v->voxels, &v->medial, v->own.closeness, &v->tree));
	if (ossai_volume_refines(v)) {
		const uint32_t finer = v->own.adaptive ? FINER : finer_for_few(v);
		if (finer > 1) OSSAI_TRY(grow_thin(v, finer, !v->own.adaptive));
	}
	OSSAI_TRY(ossai_path_tree_smooth(r->arena, SMOOTH_EDGES, &v->tree));
	return ossai_volume_refines(v) ? ossai_path_tree_measure(r->arena, &v->tree) : OSSA_OK;
}

ossa_status ossai_volume_find_tree(ossai_recipe *r)
{
	OSSAI_TRY(ossai_recipe_run(r, "prepare", prepare));
	OSSAI_TRY(ossai_recipe_run(r, "voxels", fill));
	OSSAI_TRY(ossai_recipe_run(r, "medial surface", find_medial));
	return ossai_recipe_run(r, "path tree", grow);
}

/* a number of segments is kept as far as the paths and the other parameters allow */
static void warn_of_segments(const ossai_volume *v)
{
	const size_t wanted = (size_t)v->own.segments, made = v->graph.edge_count;
	if (wanted == 0 || made == wanted) return;
	if (made > wanted) {
		ossai_warn(v->recipe.context, "more-bones", (int64_t)(made - wanted),
			"%zu segments were wanted and %zu made: each way between two branchings or ends is one at least; closeness raised "
			"finds fewer ends",
			wanted, made);
	} else {
		ossai_warn(v->recipe.context, "fewer-bones", (int64_t)(wanted - made),
			"%zu segments were wanted and %zu made: one more would be shorter than min-fraction or err by less than tolerance, "
			"or have no partner on the other side; lower these, or max-fraction",
			wanted, made);
	}
}

ossa_status ossai_volume_split(ossai_recipe *r)
{
	ossai_volume *v = (ossai_volume *)r;
	const ossai_skeletal_options options = ossai_volume_skeletal_options(&v->own);
	OSSAI_TRY(ossai_skeletal_graph_make(r->arena, &v->tree, &v->mirror, &options, &v->graph));
	warn_of_segments(v);
	return OSSA_OK;
}

/* ---- for looking at ---- */

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
	const ossai_vec3 q = ossai_madd(v->recipe.surface.rest_center, v->recipe.surface.scale, ossai_volume_from_canonical(v, p));
	to[0] = (float)q.x;
	to[1] = (float)q.y;
	to[2] = (float)q.z;
}

static void copy_arrays(const ossai_volume *v, ossa_volume_stages *s)
{
	const double scale = v->recipe.surface.scale;
	for (uint32_t i = 0; i < s->interior_count; i++) {
		put_point(v, ossai_voxel_center(&v->voxels, i), s->voxels + 3 * (size_t)i);
		s->depths[i] = (float)(scale * v->voxels.step * sqrt((double)v->voxels.distance2[i]));
	}
	memcpy(s->medial, v->medial.voxel, s->medial_count * sizeof *s->medial);
	memcpy(s->exposures, v->medial.exposure, s->medial_count * sizeof *s->exposures);
	for (size_t i = 0; i < s->node_count; i++) {
		put_point(v, v->tree.node[i], s->nodes + 3 * i);
		s->radii[i] = (float)(scale * v->tree.radius[i]);
	}
	memcpy(s->parents, v->tree.parent, s->node_count * sizeof *s->parents);
	memcpy(s->segments, v->graph.edge, s->segment_count * 2 * sizeof *s->segments);
}

/* longest side of the box of what faces use, shares of the diagonal */
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
	const double scale = v->recipe.surface.scale;
	*s = (ossa_volume_stages){.voxel_size = v->voxels.step / longest_side(&v->recipe.surface),
		.edge = scale * v->voxels.step,
		.interior_count = v->voxels.count,
		.part_count = v->voxels.part_count,
		.left_out = v->voxels.left_out,
		.medial_count = v->medial.count,
		.extreme_count = v->tree.extreme_count,
		.path_count = v->tree.path_count,
		.heart_radius = scale * v->tree.heart_radius,
		.node_count = v->tree.node_count,
		.segment_count = v->graph.edge_count};
	/* without the layer of exterior cells around all */
	for (int k = 0; k < 3; k++) s->grid[k] = v->voxels.size[k] - 2;
	OSSAI_TRY(take_arrays(v->recipe.context, s));
	copy_arrays(v, s);
	return OSSA_OK;
}

/* names as they are shown, with their usual share of the time */
static const ossai_plan_step plan[] = {
	{"prepare", 10}, {"voxels", 40}, {"medial surface", 30}, {"path tree", 15}, {"segments", 5}};

static ossa_status run_stages(ossai_recipe *r, ossa_volume_stages *stages)
{
	OSSAI_TRY(ossai_volume_find_tree(r));
	OSSAI_TRY(ossai_recipe_run(r, "segments", ossai_volume_split));
	return copy_stages((ossai_volume *)r, stages);
}

ossa_status ossa_volume_stages_make(
	ossa_context *context, const ossa_mesh *mesh, const ossa_volume_options *options, ossa_volume_stages *stages)
{
	ossai_volume v = {.own = options ? *options : ossa_volume_default()};
	*stages = (ossa_volume_stages){.voxels = NULL};
	OSSAI_TRY(ossai_volume_options_check(context, &v.own));
	ossai_volume_begin(context, mesh, &v);
	ossai_arena arena = ossai_arena_begin(context);
	v.recipe.arena = &arena;
	ossai_plan(context, plan, sizeof plan / sizeof plan[0]);
	const ossa_status status = run_stages(&v.recipe, stages);
	ossai_plan(context, NULL, 0);
	ossai_arena_end(&arena);
	if (status != OSSA_OK) ossa_volume_stages_free(context, stages);
	return status;
}

void ossa_volume_stages_free(ossa_context *context, ossa_volume_stages *stages)
{
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
