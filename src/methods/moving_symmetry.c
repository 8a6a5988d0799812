/* methods/moving_symmetry.c: see moving_symmetry.h.

   Of symmetric parts (mirrored_parts.h) the usual stages make a rig again, on the evidence of both
   sides (weights/symmetry.h), and with pairs of bones that are kept or removed together. */
#include "methods/moving_symmetry.h"

#include "methods/mirrored_parts.h"
#include "proxy/mirror_counterparts.h"
#include "weights/symmetry.h"

/* of the vertices in use: with a mirror image, for `detect` and for `enforce` */
static const double SYMMETRIC_SHARE = 0.95, ENFORCED_SHARE = 0.5;
/* a symmetric rig may have so much more of the draft's RMS, or so much in % of the diagonal, which
   nobody sees */
static const double MOST_OF_ERROR = 0.05, UNSEEN = 1e-3;
/* Parts to begin with for each bone of the draft: few, which leaves no pairs where one central bone
   is enough; then as many as the draft began with, of which pruning can choose. Which of the two is
   better depends on the body (docs/examples.md, symmetry). */
static const double PARTS_PER_BONE[] = {1.5, 2.5};
enum { SPREAD_ROUNDS = 4 };

/* ---- both sides of the surface ---- */

typedef struct sides {
	ossai_symmetry all, few; /* of all vertices, of those that stand for them */
	/* V of the draft's surface: the vertex that stands for the counterpart */
	uint32_t *region;
	double share; /* of the vertices in use: those with a counterpart */
	size_t missing;
} sides;

/* the vertex of the fine surface that each of the coarse ones is */
static ossa_status find_fine(const ossai_moving_work *m, uint32_t *fine)
{
	for (size_t c = 0; c < m->surface.vertex_count; c++) fine[c] = OSSA_NONE;
	for (uint32_t v = 0; v < m->fine.vertex_count; v++) {
		const uint32_t c = m->coarse.of_vertex[v];
		if (c == OSSA_NONE || fine[c] != OSSA_NONE) continue;
		if (ossai_same_doubles(m->fine.rest + 3 * (size_t)v, m->surface.rest + 3 * (size_t)c, 3)) fine[c] = v;
	}
	return OSSA_OK;
}

static ossa_status coarsen_counterparts(const ossai_moving_work *m, sides *s)
{
	const size_t count = m->surface.vertex_count;
	uint32_t *counterpart = ossai_arena_new(m->arena, count, sizeof *counterpart);
	s->region = ossai_arena_new(m->arena, count, sizeof *s->region);
	if (!counterpart || !s->region) return ossa_context_error(m->context)->status;
	OSSAI_TRY(find_fine(m, counterpart));
	for (size_t c = 0; c < count; c++) {
		counterpart[c] = counterpart[c] == OSSA_NONE ? OSSA_NONE : s->all.counterpart[counterpart[c]];
		s->region[c] = counterpart[c] == OSSA_NONE ? OSSA_NONE : m->coarse.of_vertex[counterpart[c]];
		if (s->region[c] == OSSA_NONE) counterpart[c] = OSSA_NONE;
	}
	s->few.counterpart = counterpart;
	return OSSA_OK;
}

static ossa_status find_sides(const ossai_moving_work *m, sides *s)
{
	ossai_posed_surface *all = ossai_arena_new(m->arena, 1, sizeof *all);
	if (!all) return ossa_context_error(m->context)->status;
	*all = *ossai_moving_whole_surface(m);
	uint32_t *counterpart = ossai_arena_new(m->arena, all->vertex_count, sizeof *counterpart);
	if (!counterpart) return ossa_context_error(m->context)->status;
	*s = (sides){
		.all = {.counterpart = counterpart, .counterparts_of = all}, .region = counterpart, .missing = all->used_count};
	OSSAI_TRY(ossai_mirror_of_surface(m->arena, all, &s->all.plane));
	if (!s->all.plane.exists) return OSSA_OK;
	ossai_counterparts counterparts;
	OSSAI_TRY(ossai_mirror_counterparts(m->arena, all, &s->all.plane, counterpart, &counterparts));
	s->share = (double)counterparts.count / (double)all->used_count;
	s->missing = all->used_count - counterparts.count;
	s->few = s->all;
	return m->is_coarse ? coarsen_counterparts(m, s) : OSSA_OK;
}

/* ---- the draft again ---- */

/* every vertex follows its part alone */
static void begin_weights(const ossai_mirrored_parts *parts, ossai_bone_weights *weights)
{
	for (size_t v = 0; v < weights->vertex_count; v++) {
		weights->count[v] = parts->of_vertex[v] != OSSA_NONE;
		weights->bone[v * weights->width] = (uint16_t)(weights->count[v] ? parts->of_vertex[v] : 0);
		weights->value[v * weights->width] = 1;
	}
}

static ossa_status give_symmetry(const sides *s, uint32_t *image, ossai_moving_work *to)
{
	ossai_symmetry *symmetry = ossai_arena_new(to->arena, 2, sizeof *symmetry);
	if (!symmetry) return ossa_context_error(to->context)->status;
	symmetry[0] = s->few;
	symmetry[1] = s->all;
	symmetry[0].image = symmetry[1].image = image;
	to->surface.symmetry = &symmetry[0];
	to->fine.symmetry = &symmetry[1];
	return OSSA_OK;
}

/* a symmetric tree has a node on its plane */
static bool has_center(const ossai_moving_work *m)
{
	for (uint32_t b = 0; b < m->fit.weights.bone_count; b++) {
		if (ossai_is_central(m->surface.symmetry, b)) return true;
	}
	return false;
}

/* to: a copy of the draft. Its error is infinite where no bone is left on the plane. */
static ossa_status make_symmetric(const ossai_moving_work *draft, const sides *s, double parts_per_bone, ossai_moving_work *to)
{
	const size_t most = (size_t)(parts_per_bone * (double)draft->fit.weights.bone_count);
	ossai_mirrored_parts parts;
	OSSAI_TRY(
		ossai_mirrored_parts_make(to->arena, &to->surface, draft->part_count, draft->part_of_face, s->region, most, &parts));
	OSSAI_TRY(give_symmetry(s, parts.image, to));
	OSSAI_TRY(ossai_fit_new(to->context, to->arena, &to->surface, parts.count, (size_t)to->options.influences, &to->fit));
	begin_weights(&parts, &to->fit.weights);
	OSSAI_TRY(ossai_bone_motion_from_weights(to->context, &to->surface, &to->fit.weights, 0, &to->fit.motion));
	to->dropped = 0;
	OSSAI_TRY(ossai_fit_alternate(&to->fit, SPREAD_ROUNDS, 0, false));
	OSSAI_TRY(ossai_moving_refine(to));
	to->rounds.error = INFINITY;
	if (!has_center(to)) return OSSA_OK;
	OSSAI_TRY(ossai_moving_refined_skeleton(to));
	return ossai_moving_draft_hierarchy(to);
}

/* ---- the choice ---- */

static bool costs_little(const ossai_moving_work *draft, const ossai_moving_work *symmetric)
{
	const double count = (double)draft->surface.used_count * (double)draft->surface.pose_count;
	const double free = sqrt(draft->rounds.error / count), own = sqrt(symmetric->rounds.error / count);
	return own <= free * (1 + MOST_OF_ERROR) || own - free <= UNSEEN / 100;
}

/* the better one of two; where it is a mere chance, the one that costs less time */
static ossa_status make_better(const ossai_moving_work *draft, const sides *s, bool is_enforced, ossai_moving_work *better)
{
	*better = *draft;
	OSSAI_TRY(make_symmetric(draft, s, PARTS_PER_BONE[0], better));
	if (!is_enforced) return OSSA_OK;
	ossai_moving_work other = *draft;
	OSSAI_TRY(make_symmetric(draft, s, PARTS_PER_BONE[1], &other));
	if (other.rounds.error < better->rounds.error) *better = other;
	return OSSA_OK;
}

/* Drafts show which rigs are far from it; for the others the rounds that are left decide. */
static ossa_status is_worth_it(ossai_moving_work *draft, ossai_moving_work *symmetric, bool *is_taken)
{
	*is_taken = costs_little(draft, symmetric);
	if (!*is_taken) return OSSA_OK;
	symmetric->fit.surface = symmetric->free_fit.surface = &symmetric->surface;
	OSSAI_TRY(ossai_moving_refined_hierarchy(draft));
	OSSAI_TRY(ossai_moving_refined_hierarchy(symmetric));
	*is_taken = costs_little(draft, symmetric);
	return OSSA_OK;
}

static void take(const ossai_moving_work *symmetric, ossai_moving_work *m)
{
	*m = *symmetric;
	m->fit.surface = m->free_fit.surface = &m->surface;
}

static ossa_status refuse(const ossai_moving_work *m, const sides *s)
{
	return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL,
		"the rest mesh is not symmetric, as `symmetry enforce` wants: %.0f %% of its vertices have a mirror image; choose a "
		"rest pose that is symmetric, or `symmetry off`",
		100 * s->share);
}

static ossa_status refuse_pairs(const ossai_moving_work *m)
{
	return ossai_fail(m->context, OSSA_ERROR_INPUT, NULL,
		"no bone lies on the plane of symmetry, so that a symmetric tree has no root: ask for more bones, or choose "
		"`symmetry off`");
}

static void warn(const ossai_moving_work *m, const sides *s)
{
	const size_t bones = m->fit.weights.bone_count;
	if (s->missing > 0 && m->options.symmetry == OSSA_SYMMETRY_ENFORCE) {
		ossai_warn(m->context, "symmetry-part", (int64_t)s->missing,
			"%zu vertices have no mirror image: the rig is symmetric except for their weights and for bones of their own",
			s->missing);
	}
	if (m->options.bones > 0 && bones + m->dropped < m->bones) {
		const size_t fewer = m->bones - bones - m->dropped;
		ossai_warn(m->context, "fewer-bones", (int64_t)fewer,
			"%zu bones could be made, but a symmetric rig of this body has %zu fewer: pairs are left out as one", m->bones,
			fewer);
	}
}

ossa_status ossai_moving_symmetrize(ossai_moving_work *m)
{
	sides s;
	const bool is_enforced = m->options.symmetry == OSSA_SYMMETRY_ENFORCE;
	if (m->options.symmetry == OSSA_SYMMETRY_OFF) return OSSA_OK;
	OSSAI_TRY(find_sides(m, &s));
	if (is_enforced && s.share < ENFORCED_SHARE) return refuse(m, &s);
	if (!is_enforced && s.share < SYMMETRIC_SHARE) return OSSA_OK;
	ossai_moving_work symmetric;
	OSSAI_TRY(make_better(m, &s, is_enforced, &symmetric));
	if (is_enforced && !(symmetric.rounds.error < INFINITY)) return refuse_pairs(m);
	if (!is_enforced) {
		bool is_taken;
		OSSAI_TRY(is_worth_it(m, &symmetric, &is_taken));
		if (!is_taken) return OSSA_OK;
	}
	take(&symmetric, m);
	warn(m, &s);
	return OSSA_OK;
}

/* vertices of a seam have the counterpart of the first one at their place */
ossa_status ossai_moving_counterparts(const ossai_moving_work *m, uint32_t *counterpart)
{
	const ossai_posed_surface *surface = ossai_moving_whole_surface(m);
	ossai_arena scratch = ossai_arena_begin(m->context);
	uint32_t *mesh_vertex = ossai_arena_new(&scratch, surface->vertex_count, sizeof *mesh_vertex);
	for (uint32_t v = 0; mesh_vertex && v < surface->vertex_count; v++) mesh_vertex[ossai_surface_vertex(surface, v)] = v;
	for (size_t v = 0; mesh_vertex && v < surface->vertex_count; v++) {
		const size_t own = ossai_surface_vertex(surface, v);
		const uint32_t other = surface->symmetry->counterpart[surface->first_of_vertex ? surface->first_of_vertex[own] : own];
		counterpart[v] = other == OSSA_NONE ? OSSA_NONE : mesh_vertex[other];
	}
	ossai_arena_end(&scratch);
	return mesh_vertex ? OSSA_OK : ossa_context_error(m->context)->status;
}
