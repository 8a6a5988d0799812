/* methods/shapes.c: corrective shapes for a rig that has motion.

   Place in the path: after the rig is made, before export.
   Input: a rig, the frames of its clip.
   Output: morph targets with drivers.
   The rig's own bones and weights stay. What they leave of the frames is explained greedily: the
   joint and ramp of the largest gain in frames that are left out becomes a shape, as long as that
   gain is worth it; after each one all displacements are fitted again to what the others leave.
   Source: see ossa/shapes.h. Ours: one joint and one angle for each shape, where pose space
   deformation interpolates between poses of several; ramps, which other programs have too (driven
   keys, drivers), in place of radial functions. */
#include "methods/shape_fit.h"

#include "base/options.h"
#include "mesh/bounds.h"
#include "metrics/errors.h"
#include "metrics/metrics.h"
#include "rig/clip_morphs.h"
#include "rig/pose.h"
#include "scene/mesh.h"

#include <stdio.h>
#include <string.h>

enum {
	/* evenly spaced ones of more: an angle's function needs no more */
	MOST_FRAMES = 128,
	/* and of large meshes as many as so many numbers hold, but a few at least */
	MOST_NUMBERS = 1 << 27,
	LEAST_FRAMES = 16,
	REFIT_ROUNDS = 20
};

/* rounds end when one lowers the error by less than this share */
static const double CONVERGED = 1e-5;

/* Share of the diagonal: an error below this is rounding, as in the choice of methods
   (make_rig.c). */
static const double ROUNDING = 1e-5;

/* ---- options ---- */

#define SHAPE(field) offsetof(ossa_shape_options, field)

static const ossa_shape_options defaults = {.cookie = OSSAI_COOKIE('s', 'h', ossa_shape_options), .add_shapes = 0, .worth = 2};

ossa_shape_options ossa_shape_default(void) { return defaults; }

const ossa_option_table *ossa_shape_option_table(void)
{
	static const ossa_option options[] = {
		{"add-shapes", OSSA_OPTION_INT, SHAPE(add_shapes), 0, 1000, "shapes", "",
			"from motion: add at most so many corrective shapes, morph targets that follow the turn of a joint, each of which "
			"is worth `shape-worth`",
			"ours: none, as games pay for each"},
		{"shape-worth", OSSA_OPTION_DOUBLE, SHAPE(worth), 0, 100, "%", "",
			"by how much a corrective shape must lower the mean squared error of frames that it was not fitted to, in percent "
			"of what the bones leave",
			"ours"},
	};
	static const ossa_option_group groups[] = {
		{"Motion", "", "add-shapes|shape-worth"},
		{NULL, NULL, NULL},
	};
	static const ossa_option_table table = {"shapes", options, sizeof options / sizeof options[0], &defaults,
		.size = sizeof(ossa_shape_options), .cookie = OSSAI_COOKIE('s', 'h', ossa_shape_options), .groups = groups};
	return &table;
}

/* ---- what the bones leave ---- */

static size_t choose_count(const ossai_shape_work *w, size_t all)
{
	size_t most = MOST_NUMBERS / (3 * (w->vertices + 1));
	if (most > MOST_FRAMES) most = MOST_FRAMES;
	if (most < LEAST_FRAMES) most = LEAST_FRAMES;
	return all < most ? all : most;
}

static ossa_status take_arrays(ossai_shape_work *w)
{
	const size_t all = w->rig->clip->frame_count;
	w->frames = choose_count(w, all);
	w->blocks = w->frames < OSSAI_SHAPE_BLOCKS ? w->frames : OSSAI_SHAPE_BLOCKS;
	w->frame = ossai_arena_new(w->arena, w->frames, sizeof *w->frame);
	w->block = ossai_arena_new(w->arena, w->frames, sizeof *w->block);
	w->used = ossai_arena_zero(w->arena, w->vertices, sizeof *w->used);
	w->matrices = ossai_arena_new(w->arena, w->frames * w->bones, 12 * sizeof *w->matrices);
	w->error = ossai_arena_new(w->arena, w->vertices * w->frames, 3 * sizeof *w->error);
	w->square = ossai_arena_zero(w->arena, w->vertices, sizeof *w->square);
	w->least = ossai_arena_zero(w->arena, w->vertices, sizeof *w->least);
	if (!w->frame || !w->block || !w->used || !w->matrices || !w->error || !w->square || !w->least)
		return ossa_context_error(w->context)->status;
	for (size_t k = 0; k < w->frames; k++) {
		w->frame[k] = k * all / w->frames;
		w->block[k] = (uint8_t)(k * w->blocks / w->frames);
	}
	const ossa_mesh *mesh = w->rig->mesh;
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) w->used[mesh->triangles[i]] = 1;
	return OSSA_OK;
}

static ossa_status read_errors(ossai_shape_work *w, float *target)
{
	const ossa_rig *rig = w->rig;
	for (size_t k = 0; k < w->frames; k++) {
		double *matrices = w->matrices + 12 * w->bones * k;
		OSSAI_TRY(ossa_frame_stream_read(w->context, w->stream, w->frame[k], target));
		ossai_skin_matrices(rig, rig->clip, w->frame[k], matrices);
		for (size_t v = 0; v < w->vertices; v++) {
			const ossai_vec3 p = ossai_skin_vertex(rig->mesh->positions + 3 * v, &rig->weights, v, matrices);
			const ossai_vec3 e = ossai_sub(ossai_v3_of_float(target + 3 * v), p);
			float *to = w->error + 3 * (v * w->frames + k);
			to[0] = (float)e.x;
			to[1] = (float)e.y;
			to[2] = (float)e.z;
			if (w->used[v]) w->square[v] += ossai_length2(e);
		}
		OSSAI_TRY(ossai_progress(w->context, 0.3 * (double)(k + 1) / (double)w->frames));
	}
	for (size_t v = 0; v < w->vertices; v++) w->total += w->square[v];
	return OSSA_OK;
}

static void set_worth(ossai_shape_work *w)
{
	const double size = ROUNDING * ossai_bounds_make(w->vertices, w->rig->mesh->positions).diagonal;
	const double rounding = (double)w->frames * size * size;
	double all = 0;
	for (size_t v = 0; v < w->vertices; v++) {
		if (!w->used[v]) continue;
		w->least[v] = w->worth * fmax(w->square[v], rounding);
		all += rounding;
	}
	w->enough = w->worth * fmax(w->total, all);
}

static ossa_status load(ossai_shape_work *w)
{
	OSSAI_TRY(take_arrays(w));
	float *target = ossai_arena_new(w->arena, w->vertices, 3 * sizeof *target);
	if (!target) return ossa_context_error(w->context)->status;
	OSSAI_TRY(read_errors(w, target));
	set_worth(w);
	return ossai_shape_joints_make(w);
}

/* ---- shapes, one by one ---- */

/* joints near a shape's vertices are searched again */
static void forget_near(ossai_shape_work *w, const ossai_shape *shape, uint8_t *moved)
{
	memset(moved, 0, w->vertices);
	for (size_t i = 0; i < shape->count; i++) moved[shape->vertex[i]] = 1;
	for (size_t b = 0; b < w->bones; b++) {
		const ossai_shape_joint *joint = &w->joint[b];
		bool any = false;
		for (size_t i = 0; i < joint->vertex_count && !any; i++) any = moved[joint->vertex[i]];
		if (any) w->joint[b].gain = -1;
	}
}

static uint32_t best_joint(const ossai_shape_work *w)
{
	uint32_t best = 0;
	for (uint32_t b = 1; b < w->bones; b++) best = w->joint[b].gain > w->joint[best].gain ? b : best;
	return best;
}

static void refit(ossai_shape_work *w, ossai_shape *shapes, size_t count)
{
	for (int round = 0; round < REFIT_ROUNDS && count > 1; round++) {
		const double before = w->total;
		for (size_t s = 0; s < count; s++) ossai_shape_refit(w, &shapes[s]);
		if (!(before - w->total > CONVERGED * before)) return;
	}
}

/* The error of left out frames falls by `held` in all. */
static ossa_status find_shapes(ossai_shape_work *w, size_t most, ossai_shape *shapes, size_t *count, double *held)
{
	uint8_t *moved = ossai_arena_new(w->arena, w->vertices, 1);
	if (!moved) return ossa_context_error(w->context)->status;
	while (*count < most) {
		ossai_shape_search(w);
		const uint32_t best = best_joint(w);
		double gain;
		if (!(w->joint[best].gain > w->enough)) return OSSA_OK;
		OSSAI_TRY(ossai_shape_try(w, best, &shapes[*count], &gain));
		OSSAI_TRY(ossai_progress(w->context, 0.3 + 0.5 * (double)*count / (double)most));
		w->joint[best].gain = 0;
		if (!(gain > w->enough)) continue;
		*held += gain;
		ossai_shape_apply(w, &shapes[*count], -1);
		refit(w, shapes, ++*count);
		for (size_t s = 0; s < *count; s++) forget_near(w, &shapes[s], moved);
	}
	return OSSA_OK;
}

/* ---- the rig's ---- */

static bool is_taken(const ossa_mesh *mesh, const char *name)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		if (strcmp(mesh->morphs[m].name, name) == 0) return true;
	}
	return false;
}

static void name_shape(const ossa_mesh *mesh, const char *bone, char name[64])
{
	snprintf(name, 64, "%.50s_shape", bone);
	for (size_t n = 2; is_taken(mesh, name); n++) snprintf(name, 64, "%.50s_shape_%zu", bone, n);
}

static ossa_status store(ossa_context *context, const ossai_shape *shape, ossa_mesh *mesh)
{
	char name[64];
	ossa_morph *morph;
	name_shape(mesh, shape->driver.bone, name);
	OSSAI_TRY(ossai_morphs_add(context, mesh, name, shape->count, &morph));
	morph->driver = shape->driver;
	for (size_t i = 0; i < shape->count; i++) {
		morph->vertices[i] = shape->vertex[i];
		const double delta[3] = {shape->delta[i].x, shape->delta[i].y, shape->delta[i].z};
		for (size_t k = 0; k < 3; k++) morph->deltas[3 * i + k] = (float)delta[k];
	}
	return OSSA_OK;
}

static size_t count_moved(const ossai_shape_work *w, const ossai_shape *shapes, size_t count, uint8_t *moved)
{
	size_t sum = 0;
	memset(moved, 0, w->vertices);
	for (size_t s = 0; s < count; s++) {
		for (size_t i = 0; i < shapes[s].count; i++) moved[shapes[s].vertex[i]] = 1;
	}
	for (size_t v = 0; v < w->vertices; v++) sum += moved[v];
	return sum;
}

static ossa_status add(ossai_shape_work *w, size_t most, ossa_mesh *mesh, ossa_shape_facts *facts)
{
	ossai_shape *shapes = ossai_arena_new(w->arena, most, sizeof *shapes);
	double held = 0;
	size_t count = 0, used = 0;
	if (!shapes) return ossa_context_error(w->context)->status;
	OSSAI_TRY(load(w));
	const double before = w->total;
	OSSAI_TRY(find_shapes(w, most, shapes, &count, &held));
	for (size_t v = 0; v < w->vertices; v++) used += w->used[v];
	const double diagonal = ossai_bounds_make(w->vertices, mesh->positions).diagonal;
	const double numbers = (double)used * (double)w->frames * diagonal * diagonal;
	facts->shape_count = count;
	facts->vertex_count = count_moved(w, shapes, count, w->used);
	facts->before_percent = ossai_rms_percent(before, numbers);
	facts->rms_percent = ossai_rms_percent(w->total, numbers);
	facts->held_percent = ossai_rms_percent(fmax(before - held, 0), numbers);
	for (size_t s = 0; s < count; s++) OSSAI_TRY(store(w->context, &shapes[s], mesh));
	return OSSA_OK;
}

static ossa_status check(ossa_context *context, const ossa_rig *rig, const ossa_frame_stream *stream)
{
	OSSAI_TRY(ossai_rig_check_fit(context, rig, &rig->weights, rig->clip));
	OSSAI_TRY(ossai_rig_check_faces(context, rig));
	const size_t frames = ossa_frame_stream_frame_count(stream), vertices = ossa_frame_stream_vertex_count(stream);
	const size_t own = rig->clip ? rig->clip->frame_count : 0;
	if (own > 0 && frames == own && vertices == rig->mesh->vertex_count) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"corrective shapes are found in the frames of the rig's motion: it has %zu of %zu vertices, and there are %zu of %zu",
		own, rig->mesh->vertex_count, frames, vertices);
}

static ossa_status run(ossai_shape_work *w, size_t most, ossa_rig *rig, double *bone_rms, ossa_shape_facts *facts)
{
	ossai_stage_begin(w->context, "shapes");
	const ossa_status status = add(w, most, rig->mesh, facts);
	ossai_stage_end(w->context);
	if (status != OSSA_OK) ossai_rig_drop_shapes(w->context, rig);
	OSSAI_TRY(status);
	if (bone_rms) OSSAI_TRY(ossai_rig_errors(w->context, rig, NULL, NULL, w->stream, NULL, bone_rms));
	return ossai_rig_measure_stream(w->context, rig, NULL, NULL, w->stream, &facts->metrics);
}

ossa_status ossa_rig_add_shapes(ossa_context *context, ossa_rig *rig, ossa_frame_stream *stream,
	const ossa_shape_options *options, double *bone_rms, ossa_shape_facts *facts)
{
	ossa_shape_facts unwanted;
	if (!facts) facts = &unwanted;
	*facts = (ossa_shape_facts){.before_percent = NAN, .rms_percent = NAN, .held_percent = NAN, .metrics = ossai_no_metrics()};
	OSSAI_NEED(context, rig, stream);
	if (!options) options = &defaults;
	OSSAI_TRY(ossa_options_check(context, ossa_shape_option_table(), options));
	OSSAI_TRY(check(context, rig, stream));
	ossai_rig_drop_shapes(context, rig);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_shape_work work = {.context = context,
		.arena = &arena,
		.rig = rig,
		.stream = stream,
		.worth = options->worth / 100,
		.vertices = rig->mesh->vertex_count,
		.bones = rig->skeleton.bone_count};
	const ossa_status status = run(&work, (size_t)options->add_shapes, rig, bone_rms, facts);
	ossai_arena_end(&arena);
	return status;
}
