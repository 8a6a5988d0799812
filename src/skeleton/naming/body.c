/* skeleton/naming/body.c: see body.h. */
#include "skeleton/naming/body.h"

#include "base/csr.h"

/* shares of the box's height: what is this low stands on the ground */
static const double ground_height = 0.05;
/* of the diagonal: the largest distance of a bone's mirror image from its partner */
static const double mirror_tolerance = 0.08;
/* of the surface: the least share that must have a partner */
static const double least_symmetry = 0.6;
/* of the height: bones that differ by more are no initial pair */
static const double pair_height = 0.1;
/* of a patch's length: its last part, whose mean is the tip */
static const double tip_share = 0.9;
/* of the diagonal: bones closer than this side by side belong to one foot */
static const double foot_width = 0.08;
/* of a foot's sole: a bone with less of it does not stand */
static const double sole_share = 0.2;
/* leaves of the tree that are tried in pairs as left and right */
enum { ENDS_TRIED = 12 };

/* the bone of a vertex's largest weight, or OSSA_NONE */
static uint32_t bone_of(const ossai_body *body, size_t vertex)
{
	const size_t at = vertex * (size_t)body->weights->influences;
	return body->weights->values[at] > 0 ? body->weights->bones[at] : OSSA_NONE;
}

/* ---- the skin of every bone ---- */

static void measure_box(ossai_body *body)
{
	const ossa_mesh *mesh = body->mesh;
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
		const float *p = mesh->positions + 3 * (size_t)mesh->triangles[i];
		low = ossai_v3(fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2]));
		high = ossai_v3(fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2]));
	}
	const double diagonal = ossai_distance(low, high);
	body->scale = diagonal > 0 ? 1 / diagonal : 0;
	body->origin = ossai_v3((low.x + high.x) / 2, low.y, (low.z + high.z) / 2);
	body->height = (high.y - low.y) * body->scale;
}

static void measure_surface(ossai_body *body)
{
	const ossa_mesh *mesh = body->mesh;
	double whole = 0;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		const uint32_t *v = mesh->triangles + 3 * t;
		const ossai_vec3 a = ossai_body_point(body, v[0]), ab = ossai_sub(ossai_body_point(body, v[1]), a),
						 ac = ossai_sub(ossai_body_point(body, v[2]), a);
		const double area = ossai_length(ossai_cross(ab, ac)) / 2;
		for (int k = 0; k < 3; k++) body->surface[v[k]] += area / 3;
		whole += area;
	}
	body->area = whole;
	for (size_t v = 0; v < mesh->vertex_count && whole > 0; v++) body->surface[v] /= whole;
}

static void measure_bones(ossai_body *body)
{
	const ossa_weights *w = body->weights;
	const size_t pairs = (size_t)w->influences;
	for (size_t b = 0; b < body->bone_count; b++) body->low[b] = INFINITY;
	for (size_t v = 0; v < w->vertex_count; v++) {
		if (!(body->surface[v] > 0)) continue;
		const ossai_vec3 p = ossai_body_point(body, v);
		for (size_t i = v * pairs; i < (v + 1) * pairs; i++) {
			const double share = w->values[i] * body->surface[v];
			body->share[w->bones[i]] += share;
			body->center[w->bones[i]] = ossai_madd(body->center[w->bones[i]], share, p);
		}
		const uint32_t bone = bone_of(body, v);
		if (bone != OSSA_NONE) body->low[bone] = fmin(body->low[bone], p.y);
	}
	for (size_t b = 0; b < body->bone_count; b++) {
		const ossai_vec3 joint = ossai_v3_of(body->skeleton->bones[b].joint);
		if (body->share[b] > 0) body->center[b] = ossai_scale(body->center[b], 1 / body->share[b]);
		else body->center[b] = ossai_scale(ossai_sub(joint, body->origin), body->scale);
	}
}

/* ---- where bones meet ---- */

/* of two bones of a vertex the one whose parent is the other, or OSSA_NONE */
static uint32_t child_of_pair(const ossa_skeleton *skeleton, uint32_t a, uint32_t b)
{
	if (skeleton->bones[a].parent == (int32_t)b) return a;
	return skeleton->bones[b].parent == (int32_t)a ? b : OSSA_NONE;
}

/* sums over the vertices that follow a bone and its parent, by the lesser weight */
static void add_seams(ossai_body *body, size_t vertex, double *shared)
{
	const ossa_weights *w = body->weights;
	const size_t begin = vertex * (size_t)w->influences, end = begin + (size_t)w->influences;
	for (size_t i = begin; i < end; i++) {
		for (size_t j = begin; j < i; j++) {
			const double less = (double)fminf(w->values[i], w->values[j]) * body->surface[vertex];
			const uint32_t child = less > 0 ? child_of_pair(body->skeleton, w->bones[i], w->bones[j]) : OSSA_NONE;
			if (child == OSSA_NONE) continue;
			shared[child] += less;
			body->seam[child] = ossai_madd(body->seam[child], less, ossai_body_point(body, vertex));
		}
	}
}

/* rigid parts share no vertex: the bone's vertex nearest to the parent's center */
static void find_rigid_seams(ossai_body *body, const double *shared, double *nearest)
{
	for (size_t b = 0; b < body->bone_count; b++) nearest[b] = INFINITY;
	for (size_t v = 0; v < body->weights->vertex_count; v++) {
		const uint32_t bone = body->surface[v] > 0 ? bone_of(body, v) : OSSA_NONE;
		if (bone == OSSA_NONE || shared[bone] > 0 || body->skeleton->bones[bone].parent < 0) continue;
		const ossai_vec3 p = ossai_body_point(body, v);
		const double away = ossai_distance(p, body->center[body->skeleton->bones[bone].parent]);
		if (away < nearest[bone]) body->seam[bone] = p;
		nearest[bone] = fmin(nearest[bone], away);
	}
	for (size_t b = 1; b < body->bone_count; b++) {
		if (shared[b] > 0) body->seam[b] = ossai_scale(body->seam[b], 1 / shared[b]);
		else if (nearest[b] == INFINITY) body->seam[b] = body->center[b];
	}
}

static ossa_status measure_seams(ossai_arena *arena, ossai_body *body)
{
	double *shared = ossai_arena_zero(arena, body->bone_count, sizeof *shared);
	double *nearest = ossai_arena_new(arena, body->bone_count, sizeof *nearest);
	if (!shared || !nearest) return ossa_context_error(arena->context)->status;
	for (size_t v = 0; v < body->weights->vertex_count; v++) {
		if (body->surface[v] > 0) add_seams(body, v, shared);
	}
	find_rigid_seams(body, shared, nearest);
	return OSSA_OK;
}

static ossa_status find_neighbors(ossai_arena *arena, ossai_body *body)
{
	const ossa_skeleton *s = body->skeleton;
	ossai_csr around;
	OSSAI_TRY(ossai_csr_begin(arena, s->bone_count, &around));
	for (size_t b = 1; b < s->bone_count; b++) {
		ossai_csr_count(&around, b);
		ossai_csr_count(&around, (size_t)s->bones[b].parent);
	}
	OSSAI_TRY(ossai_csr_take_items(arena, &around));
	for (size_t b = 1; b < s->bone_count; b++) {
		ossai_csr_put(&around, b, (uint32_t)s->bones[b].parent);
		ossai_csr_put(&around, (size_t)s->bones[b].parent, (uint32_t)b);
	}
	body->neighbor_first = around.start;
	body->neighbors = around.item;
	return OSSA_OK;
}

/* ---- feet ---- */

/* the foot that a bone on the ground belongs to: its parent's, or that of a close sibling; parents
   come before their children. OSSA_NONE: a new one. */
static uint32_t find_foot(const ossai_body *body, size_t bone)
{
	const int32_t parent = body->skeleton->bones[bone].parent;
	if (parent < 0 || body->foot_of_bone[parent] != OSSA_NONE) return parent < 0 ? OSSA_NONE : body->foot_of_bone[parent];
	for (size_t b = (size_t)parent + 1; b < bone; b++) {
		if (body->skeleton->bones[b].parent != parent || body->foot_of_bone[b] == OSSA_NONE) continue;
		if (ossai_distance(body->center[b], body->center[bone]) < foot_width) return body->foot_of_bone[b];
	}
	return OSSA_NONE;
}

static void find_feet(ossai_body *body)
{
	const double ground = ground_height * body->height;
	for (size_t b = 0; b < body->bone_count; b++) {
		body->foot_of_bone[b] = OSSA_NONE;
		if (!(body->low[b] <= ground)) continue;
		const uint32_t foot = find_foot(body, b);
		body->foot_of_bone[b] = foot != OSSA_NONE ? foot : (uint32_t)body->foot_count++;
	}
	for (size_t v = 0; v < body->weights->vertex_count; v++) {
		const ossai_vec3 p = ossai_body_point(body, v);
		const uint32_t bone = body->surface[v] > 0 && p.y <= ground ? bone_of(body, v) : OSSA_NONE;
		if (bone == OSSA_NONE) continue;
		ossai_foot *foot = &body->feet[body->foot_of_bone[bone]];
		foot->sole = ossai_madd(foot->sole, body->surface[v], p);
		foot->surface += body->surface[v];
		body->ground[bone] += body->surface[v];
	}
	for (size_t i = 0; i < body->foot_count; i++) {
		body->feet[i].sole = ossai_scale(body->feet[i].sole, 1 / body->feet[i].surface);
	}
}

static ossa_status allocate(ossai_arena *arena, ossai_body *body)
{
	const size_t bones = body->bone_count;
	body->surface = ossai_arena_zero(arena, body->mesh->vertex_count, sizeof *body->surface);
	body->share = ossai_arena_zero(arena, bones, sizeof *body->share);
	body->center = ossai_arena_zero(arena, bones, sizeof *body->center);
	body->low = ossai_arena_new(arena, bones, sizeof *body->low);
	body->ground = ossai_arena_zero(arena, bones, sizeof *body->ground);
	body->seam = ossai_arena_zero(arena, bones, sizeof *body->seam);
	body->feet = ossai_arena_zero(arena, bones, sizeof *body->feet);
	body->foot_of_bone = ossai_arena_new(arena, bones, sizeof *body->foot_of_bone);
	body->up = ossai_arena_new(arena, bones, sizeof *body->up);
	body->order = ossai_arena_new(arena, bones, sizeof *body->order);
	body->tip = ossai_arena_zero(arena, bones, sizeof *body->tip);
	body->reach = ossai_arena_zero(arena, bones, sizeof *body->reach);
	body->beyond = ossai_arena_zero(arena, bones, sizeof *body->beyond);
	body->scratch = ossai_arena_zero(arena, bones, sizeof *body->scratch);
	const bool all = body->surface && body->share && body->center && body->low && body->ground && body->seam && body->feet &&
		body->foot_of_bone && body->up && body->order && body->tip && body->reach && body->beyond && body->scratch;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

ossa_status ossai_body_measure(
	ossai_arena *arena, const ossa_skeleton *skeleton, const ossa_mesh *mesh, const ossa_weights *weights, ossai_body *body)
{
	*body = (ossai_body){.skeleton = skeleton, .mesh = mesh, .weights = weights, .bone_count = skeleton->bone_count};
	OSSAI_TRY(allocate(arena, body));
	measure_box(body);
	measure_surface(body);
	measure_bones(body);
	OSSAI_TRY(find_neighbors(arena, body));
	OSSAI_TRY(measure_seams(arena, body));
	find_feet(body);
	return OSSA_OK;
}

/* ---- left and right ---- */

typedef struct mirror_plane {
	ossai_vec3 across;
	double middle, score;
} mirror_plane;

static ossai_vec3 reflect(const mirror_plane *plane, ossai_vec3 p)
{
	return ossai_madd(p, 2 * (plane->middle - ossai_dot(plane->across, p)), plane->across);
}

/* the bone nearest to the mirror image of `bone`: it may be itself */
static uint32_t find_partner(const ossai_body *body, const mirror_plane *plane, size_t bone, double *away)
{
	const ossai_vec3 image = reflect(plane, body->center[bone]);
	uint32_t best = (uint32_t)bone;
	*away = INFINITY;
	for (size_t b = 0; b < body->bone_count; b++) {
		const double distance = ossai_distance(body->center[b], image);
		if (distance < *away) best = (uint32_t)b;
		*away = fmin(*away, distance);
	}
	return best;
}

static double score_of(const ossai_body *body, const mirror_plane *plane)
{
	double score = 0;
	for (size_t b = 0; b < body->bone_count; b++) {
		double away;
		find_partner(body, plane, b, &away);
		if (away < mirror_tolerance) score += body->share[b] * (1 - away / mirror_tolerance);
	}
	return score;
}

/* the same number of feet on both sides, and at least one */
static bool parts_feet(const ossai_body *body, const mirror_plane *plane)
{
	double widest = 0;
	for (size_t i = 0; i < body->foot_count; i++) {
		widest = fmax(widest, fabs(ossai_dot(plane->across, body->feet[i].sole) - plane->middle));
	}
	int balance = 0, sides = 0;
	for (size_t i = 0; i < body->foot_count; i++) {
		const double offset = ossai_dot(plane->across, body->feet[i].sole) - plane->middle;
		if (fabs(offset) < widest / 3) continue;
		balance += offset > 0 ? 1 : -1;
		sides++;
	}
	return sides > 0 && balance == 0;
}

/* the bisecting plane of two points, if they could be a pair */
static void try_pair(const ossai_body *body, ossai_vec3 a, ossai_vec3 b, mirror_plane *best)
{
	const ossai_vec3 between = ossai_v3(a.x - b.x, 0, a.z - b.z);
	if (fabs(a.y - b.y) > pair_height * body->height || !(ossai_length(between) > 1e-6)) return;
	mirror_plane plane = {.across = ossai_unit(between, ossai_v3(1, 0, 0))};
	plane.middle = ossai_dot(plane.across, ossai_scale(ossai_add(a, b), 0.5));
	if (!parts_feet(body, &plane)) return;
	plane.score = score_of(body, &plane);
	if (plane.score > best->score) *best = plane;
}

/* fits the plane to all pairs, weighted by their surface */
static void refine_plane(const ossai_body *body, mirror_plane *plane)
{
	ossai_vec3 across = {0, 0, 0};
	for (size_t b = 0; b < body->bone_count; b++) {
		double away;
		const uint32_t partner = find_partner(body, plane, b, &away);
		if (away >= mirror_tolerance || partner == b) continue;
		const ossai_vec3 d = ossai_sub(body->center[b], body->center[partner]);
		const double sign = ossai_dot(d, plane->across) > 0 ? 1 : -1;
		across = ossai_madd(across, sign * fmin(body->share[b], body->share[partner]), ossai_v3(d.x, 0, d.z));
	}
	mirror_plane refined = {.across = ossai_unit(across, plane->across)};
	double sum = 0, whole = 0;
	for (size_t b = 0; b < body->bone_count; b++) {
		double away;
		const uint32_t partner = find_partner(body, plane, b, &away);
		if (away >= mirror_tolerance) continue;
		const ossai_vec3 half = ossai_scale(ossai_add(body->center[b], body->center[partner]), 0.5);
		sum += body->share[b] * ossai_dot(refined.across, half);
		whole += body->share[b];
	}
	refined.middle = whole > 0 ? sum / whole : plane->middle;
	refined.score = score_of(body, &refined);
	if (refined.score > plane->score && parts_feet(body, &refined)) *plane = refined;
}

/* the largest leaves of the tree */
static size_t find_ends(const ossai_body *body, uint32_t ends[ENDS_TRIED])
{
	size_t count = 0;
	for (uint32_t b = 0; b < body->bone_count; b++) {
		if (body->neighbor_first[b + 1] - body->neighbor_first[b] != 1) continue;
		size_t at = count < ENDS_TRIED ? count++ : ENDS_TRIED;
		for (; at > 0 && body->share[ends[at - 1]] < body->share[b]; at--) {
			if (at < ENDS_TRIED) ends[at] = ends[at - 1];
		}
		if (at < ENDS_TRIED) ends[at] = b;
	}
	return count;
}

void ossai_body_mirror(ossai_body *body)
{
	mirror_plane best = {.score = 0};
	uint32_t ends[ENDS_TRIED];
	const size_t end_count = find_ends(body, ends), feet = body->foot_count < ENDS_TRIED ? body->foot_count : ENDS_TRIED;
	for (size_t i = 0; i < feet; i++) {
		for (size_t j = 0; j < i; j++) try_pair(body, body->feet[i].sole, body->feet[j].sole, &best);
	}
	for (size_t i = 0; i < end_count; i++) {
		for (size_t j = 0; j < i; j++) try_pair(body, body->center[ends[i]], body->center[ends[j]], &best);
	}
	if (best.score > 0) refine_plane(body, &best);
	body->mirrored = best.score >= least_symmetry;
	body->across = best.across;
	body->middle = best.middle;
	body->symmetry = best.score;
}

/* ---- the tree, rooted at the trunk ---- */

ossai_vec3 ossai_body_seam(const ossai_body *body, uint32_t bone)
{
	const uint32_t above = body->up[bone];
	return body->skeleton->bones[bone].parent == (int32_t)above ? body->seam[bone] : body->seam[above];
}

static void sort_from_anchor(ossai_body *body, uint32_t anchor)
{
	size_t count = 1;
	body->order[0] = anchor;
	body->up[anchor] = OSSA_NONE;
	for (size_t i = 0; i < count; i++) {
		const uint32_t bone = body->order[i];
		for (uint32_t at = body->neighbor_first[bone]; at < body->neighbor_first[bone + 1]; at++) {
			const uint32_t next = body->neighbors[at];
			if (next == body->up[bone]) continue;
			body->up[next] = bone;
			body->order[count++] = next;
		}
	}
}

/* the mean of a patch's farthest part; a bone without a patch ends at its center */
static void find_tips(ossai_body *body)
{
	double *farthest = body->reach; /* until the reach is known */
	for (size_t b = 0; b < body->bone_count; b++) {
		farthest[b] = 0;
		body->tip[b] = ossai_v3(0, 0, 0);
	}
	const size_t vertices = body->weights->vertex_count;
	for (size_t v = 0; v < vertices; v++) {
		const uint32_t bone = body->surface[v] > 0 ? bone_of(body, v) : OSSA_NONE;
		if (bone == OSSA_NONE || body->up[bone] == OSSA_NONE) continue;
		farthest[bone] = fmax(farthest[bone], ossai_distance(ossai_body_point(body, v), ossai_body_seam(body, bone)));
	}
	double *sum = body->scratch;
	for (size_t b = 0; b < body->bone_count; b++) sum[b] = 0;
	for (size_t v = 0; v < vertices; v++) {
		const uint32_t bone = body->surface[v] > 0 ? bone_of(body, v) : OSSA_NONE;
		if (bone == OSSA_NONE || body->up[bone] == OSSA_NONE) continue;
		const ossai_vec3 p = ossai_body_point(body, v);
		if (ossai_distance(p, ossai_body_seam(body, bone)) < tip_share * farthest[bone]) continue;
		body->tip[bone] = ossai_madd(body->tip[bone], body->surface[v], p);
		sum[bone] += body->surface[v];
	}
	for (size_t b = 0; b < body->bone_count; b++) {
		body->tip[b] = sum[b] > 0 ? ossai_scale(body->tip[b], 1 / sum[b]) : body->center[b];
	}
}

void ossai_body_reroot(ossai_body *body, uint32_t anchor)
{
	body->anchor = anchor;
	sort_from_anchor(body, anchor);
	find_tips(body);
	/* length of the path to the seam above, then out to the tip */
	double *to_seam = body->reach;
	to_seam[anchor] = 0;
	for (size_t i = 1; i < body->bone_count; i++) {
		const uint32_t bone = body->order[i], above = body->up[bone];
		const ossai_vec3 from = above == anchor ? body->center[anchor] : ossai_body_seam(body, above);
		to_seam[bone] = to_seam[above] + ossai_distance(from, ossai_body_seam(body, bone));
	}
	for (size_t i = 0; i < body->foot_count; i++) body->feet[i].bone = OSSA_NONE;
	for (size_t b = 0; b < body->bone_count; b++) body->beyond[b] = body->share[b];
	for (size_t i = body->bone_count; i-- > 1;) {
		const uint32_t bone = body->order[i];
		body->beyond[body->up[bone]] += body->beyond[bone];
		body->reach[bone] += ossai_distance(ossai_body_seam(body, bone), body->tip[bone]);
		const uint32_t foot = body->foot_of_bone[bone];
		if (foot == OSSA_NONE || body->ground[bone] < sole_share * body->feet[foot].surface) continue;
		const uint32_t last = body->feet[foot].bone;
		if (last == OSSA_NONE || body->reach[bone] > body->reach[last]) body->feet[foot].bone = bone;
	}
}
