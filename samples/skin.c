/* samples/skin.c: the nets of a creature (skin_net.c), smoothed along the field in a few rounds, as
   one skin.

   Place in the path: grid -> nets -> skin -> rest mesh. */
#include "samples/skin.h"

#include "samples/face.h"
#include "samples/skin_net.h"

#include <string.h>

enum { SMOOTHING_ROUNDS = 5, PROBE_FACES = 20000, STEP_TRIALS = 10 };

/* ---- smoothing ---- */

typedef struct smoothing_job {
	const ossai_flesh *flesh;
	const ossai_creature *creature;
	skin_net *net;
	ossai_vec3 *sums; /* of neighbours, each as often as quads join it */
	uint32_t *counts;
	bool smooth; /* move towards the neighbours before going to the skin */
} smoothing_job;

static void sum_neighbours(smoothing_job *job)
{
	const skin_net *net = job->net;
	memset(job->sums, 0, net->vertex_count * sizeof *job->sums);
	memset(job->counts, 0, net->vertex_count * sizeof *job->counts);
	for (size_t i = 0; i < net->quad_count; i++) {
		for (int k = 0; k < 4; k++) {
			const uint32_t a = net->quads[i][k], b = net->quads[i][(k + 1) % 4];
			job->sums[a] = ossai_add(job->sums[a], net->vertices[b].at);
			job->sums[b] = ossai_add(job->sums[b], net->vertices[a].at);
			job->counts[a]++;
			job->counts[b]++;
		}
	}
}

/* one Newton step onto the skin, within the plane of the vertex's cut if it has one */
static void go_to_skin(const smoothing_job *job, net_vertex *vertex)
{
	const ossai_brick *brick = &job->net->grid.bricks[vertex->brick];
	double at[3], normal[3];
	ossai_vec3 gradient;
	ossai_v3_store(vertex->at, at);
	const creature_cut *cut = vertex->cut >= 0 ? &job->creature->cuts[vertex->cut] : NULL;
	if (cut) at[cut->axis] = cut->at;
	const double field = ossai_flesh_at(
		job->flesh, job->net->grid.cones + brick->first_cone, brick->cone_count, ossai_v3_of(at), &gradient);
	ossai_v3_store(gradient, normal);
	if (cut) normal[cut->axis] = 0;
	const double length2 = ossai_length2(ossai_v3_of(normal));
	// melted flesh can have a flat field: no step is longer than a cell's
	const double most = job->net->grid.step;
	const double move = fmax(-most, fmin(most, length2 > 0.01 ? -field / length2 : 0));
	vertex->at = ossai_madd(ossai_v3_of(at), move, ossai_v3_of(normal));
}

static void smooth_range(void *arg, size_t begin, size_t end)
{
	const smoothing_job *job = arg;
	for (size_t i = begin; i < end; i++) {
		net_vertex *vertex = &job->net->vertices[i];
		if (job->smooth && vertex->cut < 0) {
			vertex->at = ossai_lerp(vertex->at, ossai_scale(job->sums[i], 1.0 / job->counts[i]), 0.6);
		}
		go_to_skin(job, vertex);
	}
}

static ossa_status smooth_net(ossa_context *context, const skin_nets *nets, skin_net *net)
{
	ossai_arena arena = ossai_arena_begin(context);
	smoothing_job job = {.flesh = &nets->flesh, .creature = nets->flesh.creature, .net = net, .smooth = true};
	job.sums = ossai_arena_new(&arena, net->vertex_count, sizeof *job.sums);
	job.counts = ossai_arena_new(&arena, net->vertex_count, sizeof *job.counts);
	if (!job.sums || !job.counts) {
		ossai_arena_end(&arena);
		return ossa_context_error(context)->status;
	}
	for (int round = 0; round < SMOOTHING_ROUNDS; round++) {
		sum_neighbours(&job);
		ossai_parallel_for(context, net->vertex_count, 1024, smooth_range, &job);
	}
	job.smooth = false;
	for (int round = 0; round < 2; round++) ossai_parallel_for(context, net->vertex_count, 1024, smooth_range, &job);
	ossai_arena_end(&arena);
	return OSSA_OK;
}

/* ---- the skin ---- */

/* the heaviest weights, sorted, sum 1 as floats */
static void pack_weights(const double *weights, uint16_t *bones, float *values)
{
	double heaviest[SKIN_INFLUENCES] = {0}, sum = 0;
	for (int i = 0; i < SKIN_INFLUENCES; i++) bones[i] = 0;
	for (int b = 0; b < CREATURE_BONES; b++) {
		if (!(weights[b] > 1e-4)) continue;
		int at = SKIN_INFLUENCES;
		while (at > 0 && weights[b] > heaviest[at - 1]) at--;
		for (int k = SKIN_INFLUENCES - 1; k > at; k--) {
			heaviest[k] = heaviest[k - 1];
			bones[k] = bones[k - 1];
		}
		if (at == SKIN_INFLUENCES) continue;
		heaviest[at] = weights[b];
		bones[at] = (uint16_t)b;
	}
	for (int i = 0; i < SKIN_INFLUENCES; i++) sum += heaviest[i];
	double rest = 1;
	for (int i = SKIN_INFLUENCES - 1; i > 0; i--) {
		values[i] = (float)(heaviest[i] / sum);
		rest -= (double)values[i];
	}
	values[0] = (float)rest;
}

typedef struct skin_job {
	const skin_nets *nets;
	const skin_net *net;
	ossai_skin *skin;
	size_t first_vertex, first_triangle;
} skin_job;

static void fill_vertices(void *arg, size_t begin, size_t end)
{
	const skin_job *job = arg;
	for (size_t i = begin; i < end; i++) {
		const net_vertex *vertex = &job->net->vertices[i];
		const ossai_brick *brick = &job->net->grid.bricks[vertex->brick];
		const size_t v = job->first_vertex + i;
		double weights[CREATURE_BONES];
		ossai_flesh_weights(
			&job->nets->flesh, job->net->grid.cones + brick->first_cone, brick->cone_count, vertex->at, weights);
		ossai_face_weights(job->nets->flesh.creature, vertex->at, weights);
		pack_weights(weights, job->skin->bones + v * SKIN_INFLUENCES, job->skin->values + v * SKIN_INFLUENCES);
		job->skin->positions[3 * v] = (float)vertex->at.x;
		job->skin->positions[3 * v + 1] = (float)vertex->at.y;
		job->skin->positions[3 * v + 2] = (float)vertex->at.z;
	}
}

/* each quad along its shorter diagonal */
static void fill_triangles(const skin_job *job)
{
	const skin_net *net = job->net;
	for (size_t i = 0; i < net->quad_count; i++) {
		const uint32_t *q = net->quads[i];
		const double d02 = ossai_distance(net->vertices[q[0]].at, net->vertices[q[2]].at);
		const double d13 = ossai_distance(net->vertices[q[1]].at, net->vertices[q[3]].at);
		const int first = d02 <= d13 ? 0 : 1;
		static const int corners[6] = {0, 1, 2, 0, 2, 3};
		uint32_t *triangles = job->skin->triangles + 3 * (job->first_triangle + 2 * i);
		for (int k = 0; k < 6; k++) triangles[k] = (uint32_t)job->first_vertex + q[(corners[k] + first) % 4];
	}
}

static ossa_status fill_skin(ossa_context *context, skin_nets *nets, ossai_skin *skin)
{
	skin->vertex_count = nets->vertex_count;
	skin->triangle_count = 2 * nets->quad_count;
	skin->positions = ossai_new(context, skin->vertex_count, 3 * sizeof *skin->positions);
	skin->triangles = ossai_new(context, skin->triangle_count, 3 * sizeof *skin->triangles);
	skin->bones = ossai_new(context, skin->vertex_count, SKIN_INFLUENCES * sizeof *skin->bones);
	skin->values = ossai_new(context, skin->vertex_count, SKIN_INFLUENCES * sizeof *skin->values);
	if (!skin->positions || !skin->triangles || !skin->bones || !skin->values) return ossa_context_error(context)->status;
	skin_job job = {.nets = nets, .skin = skin};
	for (int i = 0; i < nets->count; i++) {
		skin_net *net = &nets->pieces[i];
		OSSAI_TRY(smooth_net(context, nets, net));
		job.net = net;
		ossai_parallel_for(context, net->vertex_count, 1024, fill_vertices, &job);
		fill_triangles(&job);
		job.first_vertex += net->vertex_count;
		job.first_triangle += 2 * net->quad_count;
	}
	return OSSA_OK;
}

/* Nets with about `faces` faces: tries steps until the count is within `tolerance`, or the best of
   the trials. The count goes with the inverse square of the step. */
static ossa_status nets_of_size(
	ossa_context *context, const ossai_creature *creature, double faces, double tolerance, double *step, skin_nets *nets)
{
	double best_step = *step, best_miss = 1e30;
	for (int trial = 0;; trial++) {
		const bool last = trial == STEP_TRIALS;
		if (last) *step = best_step;
		OSSAI_TRY(ossai_skin_nets_build(context, creature, *step, nets));
		const double ratio = 2.0 * (double)nets->quad_count / faces, miss = fabs(ratio - 1);
		if (last || miss <= tolerance) return OSSA_OK;
		if (miss < best_miss) {
			best_miss = miss;
			best_step = *step;
		}
		*step *= sqrt(fmax(0.05, ratio));
		ossai_skin_nets_free(context, nets);
	}
}

static ossa_status first_step(ossa_context *context, const ossai_creature *creature, double faces, double *step)
{
	ossai_arena arena = ossai_arena_begin(context);
	ossai_flesh flesh;
	const ossa_status status = ossai_flesh_build(creature, 0, &arena, &flesh);
	// a net has about 3 faces for each square of a step, and most of the cones' sides is inside others
	if (status == OSSA_OK) *step = sqrt(flesh.area / faces);
	ossai_arena_end(&arena);
	return status;
}

ossa_status ossai_skin_build(ossa_context *context, const ossai_creature *creature, int faces, ossai_skin *skin)
{
	*skin = (ossai_skin){0};
	double step;
	skin_nets nets;
	OSSAI_TRY(first_step(context, creature, faces < PROBE_FACES ? faces : PROBE_FACES, &step));
	if (faces > PROBE_FACES) {
		OSSAI_TRY(nets_of_size(context, creature, PROBE_FACES, 0.05, &step, &nets));
		step *= sqrt(2.0 * (double)nets.quad_count / faces);
		ossai_skin_nets_free(context, &nets);
	}
	OSSAI_TRY(nets_of_size(context, creature, faces, faces > PROBE_FACES ? 0.05 : 0.02, &step, &nets));
	const ossa_status status = fill_skin(context, &nets, skin);
	ossai_skin_nets_free(context, &nets);
	if (status != OSSA_OK) ossai_skin_free(context, skin);
	return status;
}

void ossai_skin_free(ossa_context *context, ossai_skin *skin)
{
	ossa_free(context, skin->positions);
	ossa_free(context, skin->triangles);
	ossa_free(context, skin->bones);
	ossa_free(context, skin->values);
	*skin = (ossai_skin){0};
}
