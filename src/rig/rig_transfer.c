/* rig/rig_transfer.c: a rig for another mesh of the same character.

   Place in the path: a rig, a mesh -> rig.
   Source: see ossa/transfer.h; the stages are those of the paper: match, inpaint. */
#include "base/options.h"
#include "mesh/bounds.h"
#include "rig/copy_bones.h"
#include "rig/pose.h"
#include "rig/transfer_place.h"
#include "scene/mesh.h"
#include "weights/inpaint.h"
#include "weights/match_patches.h"
#include "weights/surface_match.h"

#include <ossa/transfer.h>
#include <stddef.h>
#include <string.h>

OSSAI_CHOICE_ENUM(ossa_transfer_place);

static const ossa_transfer_options defaults = {
	.cookie = OSSAI_COOKIE('t', 'f', ossa_transfer_options), .distance = 5, .angle = 30, .place = OSSA_PLACE_CHECK};

ossa_transfer_options ossa_transfer_default(void) { return defaults; }

const ossa_option_table *ossa_transfer_option_table(void)
{
	static const ossa_option options[] = {
		{"distance", OSSA_OPTION_DOUBLE, offsetof(ossa_transfer_options, distance), 0, 100, "% of the diagonal", "",
			"the largest distance from the rig's surface at which its weights are taken", "the paper's value"},
		{"angle", OSSA_OPTION_DOUBLE, offsetof(ossa_transfer_options, angle), 0, 180, "degrees", "",
			"the largest angle between both surfaces at which weights are taken", "the paper's value"},
		{"place", OSSA_OPTION_CHOICE, offsetof(ossa_transfer_options, place), 0, 0, "", "check|align|keep",
			"where the mesh is not at the rig's place: refuse it, scale and move the rig to its box, or transfer all the same",
			"check: weights from another place are wrong"},
	};
	static const ossa_option_table table = {"transfer", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(ossa_transfer_options), .cookie = OSSAI_COOKIE('t', 'f', ossa_transfer_options)};
	return &table;
}

typedef struct transfer {
	ossa_context *context;
	ossai_arena *arena;
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	const ossa_transfer_options *options;
	ossa_mesh *placed; /* the rig's mesh at the other's place; NULL: it is there already */
	ossai_placing placing;
	ossai_match_surface from, to;
	ossai_surface_match match;
	uint8_t *is_known; /* of points: sure, or in a piece without a sure point */
	uint8_t *is_sure_piece;
	ossai_bone_weights source, weights; /* of the rig's vertices, of the points */
	ossa_transfer_facts *facts;
} transfer;

/* ---- checks ---- */

static ossa_status check(const transfer *t)
{
	OSSAI_TRY(ossai_rig_check_faces(t->context, t->rig));
	OSSAI_TRY(ossai_rig_check_fit(t->context, t->rig, &t->rig->weights, NULL));
	OSSAI_TRY(ossa_mesh_validate(t->context, t->mesh));
	if (t->rig->skeleton.bone_count == 0 || t->rig->mesh->triangle_count == 0) {
		return ossai_fail(t->context, OSSA_ERROR_INPUT, NULL, "the rig has no %s: weights are found on its surface",
			t->rig->skeleton.bone_count == 0 ? "bones" : "faces");
	}
	if (t->mesh->triangle_count > 0) return OSSA_OK;
	return ossai_fail(t->context, OSSA_ERROR_INPUT, NULL, "the mesh has no faces: there is no surface to carry weights to");
}

/* the rig's mesh moves for the search, so that the other stays as it is in its file */
static ossa_status move_mesh(transfer *t)
{
	OSSAI_TRY(ossai_transfer_align(t->context, t->rig->mesh, t->mesh, &t->placing));
	OSSAI_TRY(ossa_mesh_copy(t->context, t->rig->mesh, &t->placed));
	for (size_t v = 0; v < t->placed->vertex_count; v++) {
		float *p = t->placed->positions + 3 * v;
		const ossai_vec3 moved = ossai_madd(t->placing.move, t->placing.scale, ossai_v3_of_float(p));
		p[0] = (float)moved.x;
		p[1] = (float)moved.y;
		p[2] = (float)moved.z;
	}
	t->facts->scale = t->placing.scale;
	return OSSA_OK;
}

static ossa_status find_place(transfer *t)
{
	if (t->options->place == OSSA_PLACE_ALIGN) return move_mesh(t);
	if (t->options->place == OSSA_PLACE_KEEP) return OSSA_OK;
	return ossai_transfer_check_place(t->context, t->rig->mesh, t->mesh, t->options->distance / 100);
}

/* ---- weights ---- */

static ossa_status match(transfer *t)
{
	const ossa_mesh *mesh = t->placed ? t->placed : t->rig->mesh;
	const double distance = t->options->distance / 100 * ossai_bounds_make(mesh->vertex_count, mesh->positions).diagonal;
	OSSAI_TRY(ossai_match_surface_make(t->arena, mesh, &t->from));
	OSSAI_TRY(ossai_match_surface_make(t->arena, t->mesh, &t->to));
	OSSAI_TRY(ossai_surface_match_make(t->arena, &t->to, &t->from, distance, t->options->angle, &t->match));
	return ossai_match_drop_strays(t->arena, &t->to, &t->from, &t->match);
}

static ossa_status load_weights(transfer *t)
{
	const ossa_weights *weights = &t->rig->weights;
	const size_t vertices = weights->vertex_count, bones = t->rig->skeleton.bone_count, width = (size_t)weights->influences;
	uint8_t *used = ossai_arena_zero(t->arena, vertices, sizeof *used);
	if (!used) return ossa_context_error(t->context)->status;
	for (size_t i = 0; i < 3 * t->rig->mesh->triangle_count; i++) used[t->rig->mesh->triangles[i]] = 1;
	OSSAI_TRY(ossai_bone_weights_new(t->arena, vertices, bones, width, &t->source));
	ossai_bone_weights_load(weights, used, &t->source);
	return ossai_bone_weights_new(t->arena, t->to.view.vertex_count, bones, width, &t->weights);
}

static ossa_status take_known(transfer *t)
{
	const size_t points = t->to.view.vertex_count;
	t->is_known = ossai_arena_zero(t->arena, points, sizeof *t->is_known);
	t->is_sure_piece = ossai_arena_zero(t->arena, t->to.piece_count, sizeof *t->is_sure_piece);
	if (!t->is_known || !t->is_sure_piece) return ossa_context_error(t->context)->status;
	for (size_t p = 0; p < points; p++) {
		if (t->match.kind[p] == OSSAI_MATCH_SURE) t->is_sure_piece[t->to.piece_of_point[p]] = 1;
	}
	for (size_t p = 0; p < points; p++) {
		t->is_known[p] = t->match.kind[p] == OSSAI_MATCH_SURE || !t->is_sure_piece[t->to.piece_of_point[p]];
		if (t->is_known[p]) ossai_surface_match_take(&t->match, p, t->rig->mesh->triangles, &t->source, p, &t->weights);
	}
	return OSSA_OK;
}

static ossa_status inpaint(transfer *t)
{
	const size_t points = t->to.view.vertex_count;
	ossai_laplacian laplacian;
	double *positions = ossai_arena_new(t->arena, points, 3 * sizeof *positions);
	if (!positions) return ossa_context_error(t->context)->status;
	for (size_t i = 0; i < 3 * points; i++) positions[i] = t->to.positions[i];
	OSSAI_TRY(ossai_laplacian_make(t->arena, &t->to.view, &laplacian));
	ossai_laplacian_fill(t->context, positions, &laplacian);
	return ossai_weights_inpaint(t->arena, &laplacian, t->is_known, &t->weights);
}

/* ---- vertices that no face uses ---- */

static ossa_status match_loose(const transfer *t, const uint32_t *loose, size_t count, ossai_surface_match *match)
{
	ossai_match_surface points = {.piece_count = 1};
	points.positions = ossai_arena_new(t->arena, count, 3 * sizeof *points.positions);
	points.normals = ossai_arena_zero(t->arena, count, 3 * sizeof *points.normals);
	points.spread = ossai_arena_zero(t->arena, count, sizeof *points.spread);
	points.piece_of_point = ossai_arena_zero(t->arena, count, sizeof *points.piece_of_point);
	if (!points.positions || !points.normals || !points.spread || !points.piece_of_point)
		return ossa_context_error(t->context)->status;
	for (size_t i = 0; i < 3 * count; i++) points.positions[i] = t->mesh->positions[3 * (size_t)loose[i / 3] + i % 3];
	points.view = ossai_view_of_floats(count, points.positions, 0, NULL);
	return ossai_surface_match_make(t->arena, &points, &t->from, INFINITY, t->options->angle, match);
}

/* ---- the rig ---- */

/* the weights of vertices: those of their points; of loose ones those at the nearest place */
static ossa_status spread_weights(transfer *t, ossai_bone_weights *all)
{
	const size_t vertices = t->mesh->vertex_count, width = t->weights.width;
	OSSAI_TRY(ossai_bone_weights_new(t->arena, vertices, t->weights.bone_count, width, all));
	uint32_t *loose = ossai_arena_new(t->arena, vertices, sizeof *loose);
	if (!loose) return ossa_context_error(t->context)->status;
	for (uint32_t v = 0; v < vertices; v++) {
		const uint32_t point = t->to.weld.point_of_vertex[v];
		if (point == OSSA_NONE) {
			loose[t->facts->loose_count++] = v;
			continue;
		}
		memcpy(all->bone + v * width, t->weights.bone + point * width, width * sizeof *all->bone);
		memcpy(all->value + v * width, t->weights.value + point * width, width * sizeof *all->value);
		all->count[v] = t->weights.count[point];
	}
	ossai_surface_match match;
	if (t->facts->loose_count == 0) return OSSA_OK;
	OSSAI_TRY(match_loose(t, loose, t->facts->loose_count, &match));
	/* the places of loose vertices are numbered apart */
	for (size_t i = 0; i < t->facts->loose_count; i++) {
		ossai_surface_match_take(&match, i, t->rig->mesh->triangles, &t->source, loose[i], all);
	}
	return OSSA_OK;
}

static ossa_status fill_rig(transfer *t, ossa_rig *rig)
{
	ossai_bone_weights all;
	OSSAI_TRY(ossai_rig_copy_bones(t->context, t->rig, rig));
	if (t->placed) ossai_rig_place(&t->placing, rig);
	OSSAI_TRY(spread_weights(t, &all));
	ossai_bone_weights_round(&all, NULL, NULL, &rig->weights);
	return OSSA_OK;
}

/* ---- facts ---- */

static void count_vertices(const transfer *t)
{
	ossa_transfer_facts *facts = t->facts;
	double sum = 0;
	for (size_t v = 0; v < t->mesh->vertex_count; v++) {
		const uint32_t point = t->to.weld.point_of_vertex[v];
		if (point == OSSA_NONE) continue;
		const ossai_match_kind kind = (ossai_match_kind)t->match.kind[point];
		facts->far_count += kind == OSSAI_MATCH_FAR;
		facts->turned_count += kind == OSSAI_MATCH_TURNED;
		if (kind == OSSAI_MATCH_SURE) facts->sure_count++;
		else if (t->is_known[point]) facts->nearest_count++;
		else facts->inpainted_count++;
		sum += t->match.distance[point];
		facts->largest_distance = ossai_larger(facts->largest_distance, t->match.distance[point]);
	}
	facts->mean_distance = sum / (double)(t->mesh->vertex_count - facts->loose_count);
	for (size_t i = 0; i < t->to.piece_count; i++) facts->unsure_pieces += !t->is_sure_piece[i];
}

static void warn(const transfer *t)
{
	const ossa_transfer_facts *facts = t->facts;
	if (facts->far_count > 0) {
		ossai_warn(t->context, "far-vertices", (int64_t)facts->far_count,
			"vertices are farther than %g %% of the size from the surface of the rig, up to %.3g; their weights continue those "
			"of the others around",
			t->options->distance, facts->largest_distance);
	}
	if (ossai_morphs_driven(t->rig->mesh) > 0) {
		ossai_warn(t->context, "shapes-left-out", (int64_t)ossai_morphs_driven(t->rig->mesh),
			"corrective shapes of the rig are for its own mesh: the other one goes without");
	}
	if (facts->unsure_pieces > 0) {
		ossai_warn(t->context, "unsure-pieces", (int64_t)facts->unsure_pieces,
			"pieces of the mesh are nowhere near a surface of the rig that looks the same way: %zu vertices have the weights "
			"at "
			"the nearest place",
			facts->nearest_count);
	}
}

static ossa_status run(transfer *t, ossa_rig **result)
{
	OSSAI_TRY(check(t));
	OSSAI_TRY(find_place(t));
	OSSAI_TRY(match(t));
	OSSAI_TRY(load_weights(t));
	OSSAI_TRY(take_known(t));
	OSSAI_TRY(inpaint(t));
	ossa_rig *made;
	OSSAI_TRY(ossa_rig_create(t->context, t->mesh, t->rig->skeleton.bone_count, t->rig->weights.influences, &made));
	const ossa_status status = fill_rig(t, made);
	if (status != OSSA_OK) {
		ossa_rig_free(t->context, made);
		return status;
	}
	*result = made;
	count_vertices(t);
	warn(t);
	return OSSA_OK;
}

ossa_status ossa_rig_transfer(ossa_context *context, const ossa_rig *rig, const ossa_mesh *mesh,
	const ossa_transfer_options *options, ossa_rig **result, ossa_transfer_facts *facts)
{
	ossa_transfer_facts unwanted;
	if (!facts) facts = &unwanted;
	if (!options) options = &defaults;
	*facts = (ossa_transfer_facts){.scale = 1};
	if (result) *result = NULL;
	OSSAI_NEED(context, rig, mesh, result);
	OSSAI_TRY(ossa_options_check(context, ossa_transfer_option_table(), options));
	ossai_arena arena = ossai_arena_begin(context);
	transfer t = {.context = context, .arena = &arena, .rig = rig, .mesh = mesh, .options = options, .facts = facts};
	ossai_stage_begin(context, "transfer");
	const ossa_status status = run(&t, result);
	ossai_stage_end(context);
	ossa_mesh_free(context, t.placed);
	ossai_arena_end(&arena);
	return status;
}
