/* tools/ossa/render_stages.c: a stage of contraction as a rig that can be drawn.

   Place in the path: the top; uses the public API only.
   Input: a mesh.
   Output: a rig: of the mesh graph its edges as thin tubes, those that join pieces and those that
   were removed following bones of their own, so that they have colours of their own; of control
   points the mesh, each region following its point. */
#include "render.h"

#include <ossa/contraction_stages.h>

#include <math.h>
#include <string.h>

enum { SIDES = 3, TUBE_VERTICES = 2 * SIDES, TUBE_TRIANGLES = 2 * SIDES };

/* of a tube, in shares of the diagonal */
static const double tube_radius = 0.0007;

/* ---- which stage ---- */

/* "graph", a number of steps, "last", "points" */
static ossa_status read_stage(command_run *run, const char *text, const ossa_contraction_stages *s, size_t *step)
{
	char *end;
	*step = 0;
	if (strcmp(text, "graph") == 0 || strcmp(text, "points") == 0) return OSSA_OK;
	*step = s->step_count;
	if (strcmp(text, "last") == 0) return OSSA_OK;
	const unsigned long number = strtoul(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || number > s->step_count) {
		return command_fail(run, OSSA_ERROR_ARGUMENT,
			"--stage is graph, a number of steps up to %zu, last, or points, not \"%s\"", s->step_count, text);
	}
	*step = number;
	return OSSA_OK;
}

/* ---- bones ---- */

static void put_bone(ossa_bone *bone, size_t index, int parent, const double joint[3], const double tail[3])
{
	snprintf(bone->name, sizeof bone->name, "point_%zu", index);
	bone->parent = parent;
	bone->kind = parent < 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_UNKNOWN;
	memcpy(bone->joint, joint, sizeof bone->joint);
	memcpy(bone->tail, tail, sizeof bone->tail);
	bone->orientation[3] = 1;
}

/* ---- the graph ---- */

typedef struct tubes {
	const double *points;
	double radius;
	float *positions;
	uint32_t *triangles;
	size_t count;
} tubes;

static void cross(const double a[3], const double b[3], double to[3])
{
	for (int k = 0; k < 3; k++) to[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void normalize(double v[3])
{
	const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	for (int k = 0; k < 3; k++) v[k] = length > 0 ? v[k] / length : k == 0;
}

/* a prism around the edge, open at its ends */
static void add_tube(tubes *t, uint32_t a, uint32_t b)
{
	const double *ends[2] = {t->points + 3 * (size_t)a, t->points + 3 * (size_t)b};
	double along[3], side[3], third[3], helper[3] = {0, 0, 0};
	for (int k = 0; k < 3; k++) along[k] = ends[1][k] - ends[0][k];
	normalize(along);
	helper[fabs(along[1]) < 0.8 ? 1 : 0] = 1;
	cross(along, helper, side);
	normalize(side);
	cross(along, side, third);
	const uint32_t first = (uint32_t)(TUBE_VERTICES * t->count);
	for (int i = 0; i < TUBE_VERTICES; i++) {
		const double angle = 2 * 3.14159265358979323846 * (i % SIDES) / SIDES;
		for (int k = 0; k < 3; k++) {
			t->positions[3 * (first + (uint32_t)i) + (uint32_t)k] = (float)(ends[i / SIDES][k] +
				t->radius * (cos(angle) * side[k] + sin(angle) * third[k]));
		}
	}
	uint32_t *triangle = t->triangles + 3 * TUBE_TRIANGLES * t->count++;
	for (uint32_t i = 0; i < SIDES; i++) {
		const uint32_t next = (i + 1) % SIDES;
		const uint32_t both[6] = {
			first + i, first + next, first + SIDES + i, first + next, first + SIDES + next, first + SIDES + i};
		memcpy(triangle + 6 * (size_t)i, both, sizeof both);
	}
}

/* sides of all faces, so that those on a border are there too */
static void add_edges(tubes *t, const ossa_contraction_stages *s, size_t step)
{
	for (size_t i = 0; i < 3 * s->face_count; i++) {
		const uint32_t a = s->triangles[i], b = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
		add_tube(t, a, b);
	}
	for (size_t i = 0; i < s->join_count; i++) add_tube(t, s->joins[2 * i], s->joins[2 * i + 1]);
	for (size_t i = 0; i < s->split_count && step == 0; i++) add_tube(t, s->splits[2 * i], s->splits[2 * i + 1]);
}

static double diagonal_of(size_t count, const double *points)
{
	double sum = 0;
	for (size_t k = 0; k < 3; k++) {
		double low = INFINITY, high = -INFINITY;
		for (size_t v = 0; v < count; v++) {
			low = fmin(low, points[3 * v + k]);
			high = fmax(high, points[3 * v + k]);
		}
		sum += (high - low) * (high - low);
	}
	return sqrt(sum);
}

/* bone 0 moves edges of faces, 1 those that join, 2 those that were removed */
static ossa_status rig_of_tubes(command_run *run, const ossa_contraction_stages *s, const tubes *t, ossa_rig **rig)
{
	ossa_mesh *mesh;
	COMMAND_TRY(
		ossa_mesh_create(run->context, TUBE_VERTICES * t->count, t->positions, TUBE_TRIANGLES * t->count, t->triangles, &mesh));
	const ossa_status status = ossa_rig_create(run->context, mesh, 3, 1, rig);
	ossa_mesh_free(run->context, mesh);
	if (status != OSSA_OK) return status;
	const size_t removed = t->count > s->split_count && s->split_count > 0 ? t->count - s->split_count : t->count;
	for (size_t b = 0; b < 3; b++) put_bone(&(*rig)->skeleton.bones[b], b, (int)b - 1, t->points, t->points);
	for (size_t v = 0; v < TUBE_VERTICES * t->count; v++) {
		const size_t tube = v / TUBE_VERTICES, joined = removed - s->join_count;
		(*rig)->weights.bones[v] = (uint16_t)(tube < joined ? 0 : tube < removed ? 1 : 2);
		(*rig)->weights.values[v] = 1;
	}
	return OSSA_OK;
}

static ossa_status draw_graph(command_run *run, const ossa_contraction_stages *s, size_t step, ossa_rig **rig)
{
	const size_t most = 3 * s->face_count + s->join_count + s->split_count;
	tubes t = {.points = s->positions + 3 * step * s->vertex_count,
		.radius = tube_radius * diagonal_of(s->vertex_count, s->positions),
		.positions = ossa_alloc(run->context, most, 3 * TUBE_VERTICES * sizeof *t.positions),
		.triangles = ossa_alloc(run->context, most, 3 * TUBE_TRIANGLES * sizeof *t.triangles)};
	ossa_status status = t.positions && t.triangles ? OSSA_OK : ossa_context_error(run->context)->status;
	if (status == OSSA_OK) {
		add_edges(&t, s, step);
		status = rig_of_tubes(run, s, &t, rig);
	}
	ossa_free(run->context, t.positions);
	ossa_free(run->context, t.triangles);
	return status;
}

/* ---- control points ---- */

/* bones from the root outward: bone_of_point, and the parents of bones */
static size_t walk_curve(const ossa_contraction_stages *s, uint32_t *bone_of_point, uint32_t *point_of_bone, int *parent)
{
	size_t count = 1;
	for (size_t i = 0; i < s->point_count; i++) bone_of_point[i] = OSSA_NONE;
	bone_of_point[s->root] = 0;
	point_of_bone[0] = (uint32_t)s->root;
	parent[0] = -1;
	for (size_t b = 0; b < count; b++) {
		for (size_t e = 0; e < 2 * s->curve_count; e++) {
			const uint32_t other = s->curve[e ^ 1];
			if (s->curve[e] != point_of_bone[b] || bone_of_point[other] != OSSA_NONE) continue;
			bone_of_point[other] = (uint32_t)count;
			point_of_bone[count] = other;
			parent[count++] = (int)b;
		}
	}
	return count;
}

static ossa_status rig_of_points(
	command_run *run, const ossa_contraction_stages *s, const ossa_mesh *mesh, uint32_t *scratch, ossa_rig **rig)
{
	uint32_t *bone_of_point = scratch, *point_of_bone = scratch + s->point_count;
	int *parent = (int *)(scratch + 2 * s->point_count);
	const size_t bones = walk_curve(s, bone_of_point, point_of_bone, parent);
	COMMAND_TRY(ossa_rig_create(run->context, mesh, bones, 1, rig));
	for (size_t b = 0; b < bones; b++) {
		const double *at = s->centers + 3 * (size_t)point_of_bone[b];
		put_bone(&(*rig)->skeleton.bones[b], b, parent[b], at, at);
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const uint32_t vertex = s->graph_vertices[v];
		const uint32_t bone = vertex == OSSA_NONE ? 0 : bone_of_point[s->graph_points[vertex]];
		(*rig)->weights.bones[v] = (uint16_t)(bone == OSSA_NONE ? 0 : bone);
		(*rig)->weights.values[v] = 1;
	}
	return OSSA_OK;
}

static ossa_status draw_points(command_run *run, const ossa_contraction_stages *s, const ossa_mesh *mesh, ossa_rig **rig)
{
	uint32_t *scratch = ossa_alloc(run->context, s->point_count, 3 * sizeof *scratch);
	if (!scratch) return ossa_context_error(run->context)->status;
	const ossa_status status = rig_of_points(run, s, mesh, scratch, rig);
	ossa_free(run->context, scratch);
	return status;
}

ossa_status render_make_stage(command_run *run, const char *path, const char *stage, ossa_rig **rig)
{
	ossa_mesh *mesh;
	ossa_contraction_stages stages;
	size_t step;
	COMMAND_TRY(ossa_read_mesh(run->context, path, NULL, &mesh));
	ossa_status status = ossa_contraction_stages_make(run->context, mesh, NULL, &stages);
	if (status == OSSA_OK) status = read_stage(run, stage, &stages, &step);
	if (status == OSSA_OK) {
		const bool of_points = strcmp(stage, "points") == 0;
		status = of_points ? draw_points(run, &stages, mesh, rig) : draw_graph(run, &stages, step, rig);
	}
	ossa_contraction_stages_free(run->context, &stages);
	ossa_mesh_free(run->context, mesh);
	return status;
}
