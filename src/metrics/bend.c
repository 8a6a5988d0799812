/* metrics/bend.c: volume change and self-intersections of a surface whose joints are bent one at a
   time.

   Place in the path: metrics.
   Input: a rig.
   Output: ossa_bend, for command, report and studio alike.
   Where one joint alone rotates, all its descendants move as one and the other bones stay: linear
   blending takes a vertex v to v + s (M v - v), with M the rotation about the joint and s the sum
   of the vertex's weights below it. Faces that stay and faces that move wholly are as they were
   at rest among themselves, so only the others are tested for crossings. All is measured on a
   copy of the unit diagonal at the origin: floats of larger coordinates are too coarse. */
#include "metrics/weight_bleeding.h"
#include "rig/pose.h"
#include "mesh/bounds.h"
#include "query/crossings.h"
#include "mesh/pairs.h"
#include "mesh/weld.h"

#include <ossa/metrics.h>

enum { VERTICES_PER_RANGE = 4096, TURNS = 4 };

static const double HALF_BEND = OSSAI_PI / 4, FULL_BEND = OSSAI_PI / 2;
/* the shares of weight above and below which a vertex moves wholly or not at all */
static const double WHOLE = 1 - 1e-6, NOTHING = 1e-6;
/* of the diagonal's cube: a closed surface that holds less holds nothing */
static const double LEAST_VOLUME = 1e-9;

/* how a vertex or face takes part: the numbers of the groups of faces */
enum { STAYS = 0, MOVES = 1 };

typedef struct bending {
	ossa_context *context;
	ossai_arena arena;
	const ossa_rig *rig;
	const ossa_mesh *mesh;
	const ossa_weights *weights;
	ossai_vec3 center;
	double scale;     /* mesh units of the unit diagonal */
	uint8_t *used;    /* V */
	double *rest;     /* V x 3, normalised */
	float *posed;     /* V x 3 */
	uint32_t *points; /* F x 3: the faces' corners as the first vertex at their place */
	bool closed;
	double volume; /* at rest */
	ossai_face_tree tree;
	double *share;    /* V: of the weights below the current joint */
	uint32_t *group;  /* F */
	uint8_t *at_rest; /* F: crosses others at rest */
	uint8_t *crosses; /* F */
	ossai_rigid turn; /* of the current pose, normalised */
} bending;

static size_t face_count(const bending *b) { return b->mesh->triangle_count; }

/* ---- the surface at rest ---- */

static ossa_status make_rest(bending *b)
{
	const size_t vertex_count = b->mesh->vertex_count;
	const ossai_bounds bounds = ossai_bounds_make(vertex_count, b->mesh->positions);
	b->used = ossai_arena_zero(&b->arena, vertex_count, 1);
	b->rest = ossai_arena_new(&b->arena, vertex_count, 3 * sizeof *b->rest);
	b->posed = ossai_arena_new(&b->arena, vertex_count, 3 * sizeof *b->posed);
	b->share = ossai_arena_new(&b->arena, vertex_count, sizeof *b->share);
	if (!b->used || !b->rest || !b->posed || !b->share) return ossa_context_error(b->context)->status;
	b->center = ossai_lerp(bounds.minimum, bounds.maximum, 0.5);
	b->scale = bounds.diagonal > 0 ? bounds.diagonal : 1;
	for (size_t i = 0; i < 3 * face_count(b); i++) b->used[b->mesh->triangles[i]] = 1;
	for (size_t v = 0; v < vertex_count; v++) {
		const ossai_vec3 p = ossai_sub(ossai_v3_of_float(b->mesh->positions + 3 * v), b->center);
		ossai_v3_store(ossai_scale(p, 1 / b->scale), b->rest + 3 * v);
		for (size_t k = 0; k < 3; k++) b->posed[3 * v + k] = (float)b->rest[3 * v + k];
	}
	return OSSA_OK;
}

static ossa_status weld_points(bending *b)
{
	size_t others;
	uint32_t *first = ossai_arena_new(&b->arena, b->mesh->vertex_count, sizeof *first);
	b->points = ossai_arena_new(&b->arena, face_count(b), 3 * sizeof *b->points);
	if (!first || !b->points) return ossa_context_error(b->context)->status;
	OSSAI_TRY(ossai_weld_vertices(b->context, b->mesh->vertex_count, b->used, b->mesh->positions, 0, NULL, first, &others));
	for (size_t i = 0; i < 3 * face_count(b); i++) b->points[i] = first[b->mesh->triangles[i]];
	return OSSA_OK;
}

/* a surface is closed where its faces run along every edge equally often in both directions */
static ossa_status find_closed(bending *b)
{
	ossai_arena scratch = ossai_arena_begin(b->context);
	ossai_pair *edges = ossai_arena_new(&scratch, face_count(b), 3 * sizeof *edges);
	ossa_status status = edges ? OSSA_OK : ossa_context_error(b->context)->status;
	size_t count = 0;
	for (size_t i = 0; edges && i < 3 * face_count(b); i++) {
		const uint32_t from = b->points[i], to = b->points[i % 3 == 2 ? i - 2 : i + 1];
		if (from != to) edges[count++] = ossai_pair_of(from, to, from < to);
	}
	if (edges) status = ossai_pairs_sort(b->context, edges, count, b->mesh->vertex_count);
	b->closed = status == OSSA_OK && count > 0;
	for (size_t begin = 0, end; b->closed && begin < count; begin = end) {
		end = ossai_pairs_run_end(edges, count, begin);
		size_t rising = 0;
		for (size_t i = begin; i < end; i++) rising += edges[i].tag;
		b->closed = 2 * rising == end - begin;
	}
	ossai_arena_end(&scratch);
	return status;
}

/* signed, of the surface as it is posed */
static double posed_volume(const bending *b)
{
	double sum = 0;
	for (size_t f = 0; f < face_count(b); f++) {
		const uint32_t *t = b->mesh->triangles + 3 * f;
		const ossai_vec3 p = ossai_v3_of_float(b->posed + 3 * (size_t)t[0]);
		const ossai_vec3 q = ossai_v3_of_float(b->posed + 3 * (size_t)t[1]);
		const ossai_vec3 r = ossai_v3_of_float(b->posed + 3 * (size_t)t[2]);
		sum += ossai_dot(p, ossai_cross(q, r)) / 6;
	}
	return sum;
}

static ossa_status find_rest_crossings(bending *b, ossa_bend *bend)
{
	b->group = ossai_arena_new(&b->arena, face_count(b), sizeof *b->group);
	b->at_rest = ossai_arena_new(&b->arena, face_count(b), 1);
	b->crosses = ossai_arena_new(&b->arena, face_count(b), 1);
	if (!b->group || !b->at_rest || !b->crosses) return ossa_context_error(b->context)->status;
	const ossai_mesh_view posed = ossai_view_of_floats(b->mesh->vertex_count, b->posed, face_count(b), b->mesh->triangles);
	OSSAI_TRY(ossai_face_tree_make(&b->arena, &posed, &b->tree));
	const ossai_crossing_query query = {&b->tree, face_count(b), b->points, NULL, NULL};
	ossai_face_crossings(b->context, &query, b->at_rest);
	size_t crossing = 0;
	for (size_t f = 0; f < face_count(b); f++) crossing += b->at_rest[f];
	bend->crossing_rest_percent = 100 * (double)crossing / (double)face_count(b);
	return OSSA_OK;
}

/* ---- one joint ---- */

/* each vertex's sum of weights of the joint's bone and its descendants; returns whether any is
   above 0 */
static bool find_shares(bending *b, const uint8_t *below)
{
	const size_t slots = (size_t)b->weights->influences;
	bool any = false;
	for (size_t v = 0; v < b->mesh->vertex_count; v++) {
		double sum = 0;
		for (size_t i = v * slots; i < (v + 1) * slots; i++) {
			if (below[b->weights->bones[i]]) sum += b->weights->values[i];
		}
		b->share[v] = sum > WHOLE ? 1 : sum < NOTHING ? 0 : sum;
		any = any || (b->used[v] && b->share[v] > 0);
	}
	for (size_t f = 0; any && f < face_count(b); f++) {
		const uint32_t *t = b->mesh->triangles + 3 * f;
		const double sum = b->share[t[0]] + b->share[t[1]] + b->share[t[2]];
		b->group[f] = sum == 0 ? STAYS : sum == 3 ? MOVES : OSSA_NONE;
	}
	if (any) ossai_face_tree_set_groups(&b->tree, b->group);
	return any;
}

static void bend_range(void *arg, size_t begin, size_t end)
{
	const bending *b = arg;
	for (size_t v = begin; v < end; v++) {
		const ossai_vec3 p = ossai_v3_of(b->rest + 3 * v);
		const ossai_vec3 displacement = ossai_sub(ossai_rigid_point(&b->turn, p), p),
						 to = ossai_madd(p, b->share[v], displacement);
		b->posed[3 * v] = (float)to.x;
		b->posed[3 * v + 1] = (float)to.y;
		b->posed[3 * v + 2] = (float)to.z;
	}
}

/* the rotation of pose 0 .. TURNS - 1 of a joint: both directions about both axes across the
   bone */
static ossai_rigid turn_of(const bending *b, const ossa_bone *bone, int pose, double radians)
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(bone->orientation));
	const int column = pose < 2 ? 0 : 2;
	const ossai_vec3 axis = ossai_v3(frame.m[0][column], frame.m[1][column], frame.m[2][column]);
	const ossai_vec3 joint = ossai_scale(ossai_sub(ossai_v3_of(bone->joint), b->center), 1 / b->scale);
	ossai_rigid turn = {.r = ossai_quat_matrix(ossai_quat_axis_angle(axis, pose % 2 ? -radians : radians))};
	turn.t = ossai_sub(joint, ossai_mat3_mul_v(&turn.r, joint));
	return turn;
}

/* adds one pose's measures to the means of its joint */
static void measure_pose(bending *b, double *volume, double *crossing)
{
	ossai_parallel_for(b->context, b->mesh->vertex_count, VERTICES_PER_RANGE, bend_range, b);
	if (b->closed) *volume += 100 * fabs(posed_volume(b) / b->volume - 1) / TURNS;
	ossai_face_tree_refit(&b->tree, b->posed);
	const ossai_crossing_query query = {&b->tree, face_count(b), b->points, b->group, b->at_rest};
	ossai_face_crossings(b->context, &query, b->crosses);
	size_t count = 0;
	for (size_t f = 0; f < face_count(b); f++) count += b->crosses[f];
	*crossing += 100 * (double)count / (double)face_count(b) / TURNS;
}

static void measure_joint(bending *b, size_t joint, ossa_joint_bend *measured)
{
	const ossa_bone *bone = &b->rig->skeleton.bones[joint];
	*measured = (ossa_joint_bend){0, 0, 0, 0};
	for (int pose = 0; pose < TURNS; pose++) {
		b->turn = turn_of(b, bone, pose, HALF_BEND);
		measure_pose(b, &measured->volume_45_percent, &measured->crossing_45_percent);
		b->turn = turn_of(b, bone, pose, FULL_BEND);
		measure_pose(b, &measured->volume_90_percent, &measured->crossing_90_percent);
	}
	if (!b->closed) measured->volume_45_percent = measured->volume_90_percent = NAN;
}

/* ---- all joints ---- */

static void add_joint(ossa_bend *bend, const ossa_joint_bend *measured, int joint)
{
	bend->joints++;
	bend->volume_45_percent += measured->volume_45_percent;
	bend->volume_90_percent += measured->volume_90_percent;
	bend->crossing_45_percent += measured->crossing_45_percent;
	bend->crossing_90_percent += measured->crossing_90_percent;
	if (measured->volume_90_percent > bend->volume_worst_percent) {
		bend->volume_worst_percent = measured->volume_90_percent;
		bend->volume_worst_joint = joint;
	}
	if (measured->crossing_90_percent > bend->crossing_worst_percent) {
		bend->crossing_worst_percent = measured->crossing_90_percent;
		bend->crossing_worst_joint = joint;
	}
}

static void end_means(const bending *b, ossa_bend *bend)
{
	const double joints = bend->joints;
	bend->volume_45_percent = b->closed ? bend->volume_45_percent / joints : NAN;
	bend->volume_90_percent = b->closed ? bend->volume_90_percent / joints : NAN;
	if (!b->closed || bend->joints == 0) bend->volume_worst_percent = NAN;
	bend->crossing_45_percent /= joints;
	bend->crossing_90_percent /= joints;
	if (bend->joints == 0) bend->crossing_worst_percent = NAN;
}

static ossa_status bend_joints(bending *b, ossa_joint_bend *joints, ossa_bend *bend)
{
	const ossa_skeleton *skeleton = &b->rig->skeleton;
	uint8_t *below = ossai_arena_new(&b->arena, skeleton->bone_count, 1);
	if (!below) return ossa_context_error(b->context)->status;
	for (size_t j = 0; j < skeleton->bone_count; j++) {
		ossa_joint_bend measured = {NAN, NAN, NAN, NAN};
		/* parents come before their children */
		for (size_t i = 0; i < skeleton->bone_count; i++) {
			below[i] = i == j || (i > j && skeleton->bones[i].parent >= 0 && below[skeleton->bones[i].parent]);
		}
		if (skeleton->bones[j].parent >= 0 && find_shares(b, below)) {
			measure_joint(b, j, &measured);
			add_joint(bend, &measured, (int)j);
		}
		if (joints) joints[j] = measured;
		OSSAI_TRY(ossai_progress(b->context, (double)(j + 1) / (double)skeleton->bone_count));
	}
	end_means(b, bend);
	return OSSA_OK;
}

static ossa_status measure(bending *b, ossa_joint_bend *joints, ossa_bend *bend)
{
	if (face_count(b) == 0) {
		return ossai_fail(b->context, OSSA_ERROR_INPUT, NULL, "the rig has no faces to bend; give a rig with its mesh");
	}
	OSSAI_TRY(ossai_rig_check_fit(b->context, b->rig, b->weights, NULL));
	OSSAI_TRY(ossai_rig_check_faces(b->context, b->rig));
	OSSAI_TRY(make_rest(b));
	OSSAI_TRY(weld_points(b));
	OSSAI_TRY(find_closed(b));
	b->volume = posed_volume(b);
	b->closed = b->closed && fabs(b->volume) > LEAST_VOLUME;
	OSSAI_TRY(find_rest_crossings(b, bend));
	OSSAI_TRY(
		ossai_weight_bleeding_measure(b->context, &b->rig->skeleton, b->weights, b->used, &bend->limbs, &bend->leak_percent));
	bend->leak_percent *= 100;
	return bend_joints(b, joints, bend);
}

static ossa_bend no_bend(double value)
{
	return (ossa_bend){.volume_45_percent = value,
		.volume_90_percent = value,
		.volume_worst_percent = value,
		.volume_worst_joint = -1,
		.crossing_rest_percent = value,
		.crossing_45_percent = value,
		.crossing_90_percent = value,
		.crossing_worst_percent = value,
		.crossing_worst_joint = -1,
		.leak_percent = value};
}

ossa_status ossa_rig_measure_bend(
	ossa_context *context, const ossa_rig *rig, const ossa_weights *weights, ossa_joint_bend *joints, ossa_bend *bend)
{
	ossa_bend unwanted;
	if (!bend) bend = &unwanted;
	*bend = no_bend(0);
	OSSAI_NEED(context, rig);
	OSSAI_TRY(ossai_rig_check_whole(context, rig));
	bending b = {.context = context,
		.arena = ossai_arena_begin(context),
		.rig = rig,
		.mesh = rig->mesh,
		.weights = weights ? weights : &rig->weights};
	ossai_stage_begin(context, "bend");
	const ossa_status status = measure(&b, joints, bend);
	ossai_arena_end(&b.arena);
	ossai_stage_end(context);
	if (status != OSSA_OK) *bend = no_bend(NAN);
	return status;
}
