/* edit/solve_split.c: splits a bone in two.

   Place in the path: solve_load -> here -> joints, weights, motion of the halves.
   With motion: the faces of the bone's largest weights are split at the last merge of two parts of
   some size in the merge hierarchy: the rig's own where it is stored, else one of these faces
   alone; then each face goes to the half whose motion fits it better. The halves' rigid motions
   determine the joint. Without motion: where the joints of a limb would be (joint_energy.h), which
   is the middle or where the flesh is narrow. */
#include "edit/solve_work.h"

#include "edit/split_parts.h"
#include "skeleton/from_motion/joints.h"
#include "skeleton/from_curve/joint_energy.h"

#include <string.h>

/* where the rig reproduces the frames this well (RMS, diagonals), they do not determine where to
   split a bone */
static const double repeated_rms = 1e-4;
/* over this share of a bone's length weights blend from one half to the other where the shape
   splits them */
static const double border_share = 0.3;
enum { SECTIONS = 32 };

/* ---- the bone's own faces ---- */

static double share_of(const ossai_splitting *s, size_t v)
{
	const ossai_bone_weights *weights = &s->w->weights;
	return ossai_bone_weight_of(weights, v, s->bone) + ossai_bone_weight_of(weights, v, s->half);
}

/* vertices that follow both halves together more than any other bone */
static void mark_vertices(ossai_splitting *s)
{
	const ossai_bone_weights *weights = &s->w->weights;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const double share = share_of(s, v);
		double most = 0;
		for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
			const bool own = weights->bone[i] == s->bone || weights->bone[i] == s->half;
			if (!own) most = fmax(most, weights->value[i]);
		}
		s->of_vertex[v] = share > 0 && share >= most ? UPPER : OTHER;
	}
}

static size_t mark_faces(ossai_splitting *s)
{
	const ossai_posed_surface *surface = s->w->surface;
	size_t count = 0;
	for (size_t f = 0; f < surface->face_count; f++) {
		size_t own = 0;
		for (size_t i = 0; i < 3; i++) own += s->of_vertex[surface->triangles[3 * f + i]] == UPPER;
		s->part[f] = own >= 2 ? UPPER : OTHER;
		if (own < 2) continue;
		s->area += surface->face_area[f];
		count++;
	}
	return count;
}

/* ---- halves ---- */

/* where along the bone a part is */
static double place_of(const ossai_splitting *s, uint8_t part)
{
	const ossai_solve_work *w = s->w;
	const ossai_vec3 path = ossai_sub(w->tail[s->half], w->joint[s->bone]);
	double sum = 0, area = 0;
	for (size_t f = 0; f < w->surface->face_count; f++) {
		for (size_t i = 0; i < 3 && s->part[f] == part; i++) {
			const ossai_vec3 p = ossai_rest_point(w->surface, w->surface->triangles[3 * f + i]);
			sum += w->surface->face_area[f] * ossai_dot(ossai_sub(p, w->joint[s->bone]), path);
			area += w->surface->face_area[f];
		}
	}
	return area > 0 ? sum / area : 0;
}

/* the part nearer to the bone's joint is the upper one */
static void order_parts(ossai_splitting *s)
{
	const size_t poses = s->w->surface->pose_count;
	if (place_of(s, UPPER) <= place_of(s, LOWER)) return;
	for (size_t f = 0; f < s->w->surface->face_count; f++) {
		if (s->part[f] != OTHER) s->part[f] = s->part[f] == UPPER ? LOWER : UPPER;
	}
	for (size_t k = 0; k < poses; k++) {
		const ossai_rigid swap = s->motion[k];
		s->motion[k] = s->motion[poses + k];
		s->motion[poses + k] = swap;
	}
}

/* vertices by the faces around them: of the half that has more area there; where neither has any,
   of the half whose motion fits better */
static ossa_status part_vertices(ossai_splitting *s)
{
	const ossai_solve_work *w = s->w;
	const ossai_posed_surface *surface = w->surface;
	double *area = ossai_arena_zero(w->arena, surface->vertex_count, 2 * sizeof *area);
	if (!area) return ossa_context_error(w->context)->status;
	for (size_t f = 0; f < surface->face_count; f++) {
		for (size_t i = 0; i < 3 && s->part[f] != OTHER; i++) {
			area[2 * surface->triangles[3 * f + i] + s->part[f]] += surface->face_area[f];
		}
	}
	for (size_t v = 0; v < surface->vertex_count; v++) {
		if (!(share_of(s, v) > 0)) continue;
		const double more = area[2 * v + LOWER] - area[2 * v + UPPER];
		const bool is_lower = more > 0 ||
			(more == 0 && ossai_split_vertex_error(s, v, LOWER) < ossai_split_vertex_error(s, v, UPPER));
		s->of_vertex[v] = is_lower ? LOWER : UPPER;
	}
	return OSSA_OK;
}

/* the centroid of the border between the halves */
static ossai_vec3 border_of(const ossai_splitting *s)
{
	const ossai_posed_surface *surface = s->w->surface;
	ossai_vec3 sum = {0, 0, 0};
	double count = 0;
	for (size_t i = 0; i < surface->adjacency.face_pair_count; i++) {
		const uint32_t *pair = surface->adjacency.face_pairs + 2 * i;
		if (s->part[pair[0]] == OTHER || s->part[pair[1]] == OTHER || s->part[pair[0]] == s->part[pair[1]]) continue;
		for (size_t j = 0; j < 6; j++)
			sum = ossai_add(sum, ossai_rest_point(surface, surface->triangles[3 * pair[j / 3] + j % 3]));
		count += 6;
	}
	return count > 0 ? ossai_scale(sum, 1 / count) : s->w->joint[s->half];
}

/* takes both halves out of a vertex; how many other bones it has */
static size_t take_out(ossai_splitting *s, size_t v)
{
	ossai_bone_weights *weights = &s->w->weights;
	const size_t first = v * weights->width, count = weights->count[v];
	size_t kept = first;
	for (size_t i = first; i < first + count; i++) {
		if (weights->bone[i] == s->bone || weights->bone[i] == s->half) continue;
		weights->bone[kept] = weights->bone[i];
		weights->value[kept++] = weights->value[i];
	}
	weights->count[v] = (uint8_t)(kept - first);
	return kept - first;
}

/* the weight of both halves at a vertex goes to the one it belongs to */
static void part_weights(ossai_splitting *s)
{
	ossai_solve_work *w = s->w;
	ossai_bone_weights *weights = &w->weights;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const double share = share_of(s, v);
		if (!(share > 0) || w->fixed[v]) continue;
		take_out(s, v);
		ossai_bone_weights_keep(weights, v, s->of_vertex[v] == LOWER ? s->half : s->bone, share);
		w->changed[v] = 1;
	}
}

static bool keeps_joint(const ossai_solve_work *w, size_t bone)
{
	return w->bounds->joint_locked && w->bounds->joint_locked[bone];
}

/* ---- split by shape ---- */

/* the thickness of the bone's flesh along it, in sections; empty ones repeat the one before */
static void measure_sections(const ossai_splitting *s, ossai_vec3 path, double *radius)
{
	const ossai_solve_work *w = s->w;
	double count[SECTIONS] = {0};
	memset(radius, 0, SECTIONS * sizeof *radius);
	for (size_t v = 0; v < w->surface->vertex_count; v++) {
		if (s->of_vertex[v] == OTHER || !w->surface->used[v]) continue;
		const ossai_vec3 p = ossai_sub(ossai_rest_point(w->surface, v), w->joint[s->bone]);
		const double along = ossai_dot(p, path) / ossai_length2(path);
		if (along < 0 || along >= 1) continue;
		radius[(size_t)(along * SECTIONS)] += ossai_distance(p, ossai_scale(path, along));
		count[(size_t)(along * SECTIONS)] += 1;
	}
	for (size_t i = 0; i < SECTIONS; i++) {
		if (count[i] > 0) radius[i] /= count[i];
		else if (i > 0) radius[i] = radius[i - 1];
	}
}

/* the weight of both halves at a vertex is divided by its position along the bone */
static void share_weights(ossai_splitting *s, ossai_vec3 path, double along)
{
	ossai_solve_work *w = s->w;
	ossai_bone_weights *weights = &w->weights;
	if (ossai_solve_is_locked(w, s->bone) || ossai_solve_is_locked(w, s->half)) return;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		const double share = share_of(s, v);
		if (!(share > 0) || w->fixed[v]) continue;
		const ossai_vec3 p = ossai_sub(ossai_rest_point(w->surface, v), w->joint[s->bone]);
		const double at = ossai_dot(p, path) / ossai_length2(path);
		const double t = fmin(fmax((at - along) / border_share + 0.5, 0), 1), smooth = t * t * (3 - 2 * t);
		/* where only one of them fits it is the larger */
		const bool fits = take_out(s, v) + 2 <= weights->width;
		const double lower = fits ? smooth : (double)(smooth > 0.5);
		if (lower < 1) ossai_bone_weights_keep(weights, v, s->bone, share * (1 - lower));
		if (lower > 0) ossai_bone_weights_keep(weights, v, s->half, share * lower);
		w->changed[v] = 1;
	}
}

/* where two bones along a limb of these sections cost least: a share of its length */
static ossa_status find_cheapest(const ossai_splitting *s, ossai_vec3 path, double *radius, double *along)
{
	enum { SAMPLES = OSSAI_CHAIN_SAMPLES };
	double arc[SECTIONS];
	ossai_vec3 point[SECTIONS];
	for (size_t i = 0; i < SECTIONS; i++) {
		point[i] = ossai_madd(s->w->joint[s->bone], ((double)i + 0.5) / SECTIONS, path);
		arc[i] = ossai_distance(point[0], point[i]);
	}
	ossai_chain chain = {.parent = OSSA_NONE, .count = SECTIONS, .length = arc[SECTIONS - 1], .mirrored = OSSA_NONE};
	const ossai_chains limb = {.count = 1, .chain = &chain, .point = point, .arc = arc, .radius = radius};
	ossai_joint_energy *e = ossai_arena_new(s->w->arena, 1, sizeof *e);
	if (!e) return ossa_context_error(s->w->context)->status;
	ossai_joint_energy_of(&ossai_joint_weights_calibrated, &limb, 1, &(uint32_t){0}, &(double){0}, e);
	double least = INFINITY;
	for (size_t i = 1; i < SAMPLES; i++) {
		const double cost = e->bone[0][i] + e->joint[i] + e->bone[i][SAMPLES];
		if (!(cost < least)) continue;
		least = cost;
		*along = (0.5 + (double)i / SAMPLES * (SECTIONS - 1)) / SECTIONS;
	}
	return OSSA_OK;
}

static ossa_status split_by_shape(ossai_splitting *s)
{
	ossai_solve_work *w = s->w;
	const ossai_vec3 path = ossai_sub(w->tail[s->half], w->joint[s->bone]);
	double radius[SECTIONS], along = 0.5;
	if (keeps_joint(w, s->half) || !(ossai_length2(path) > 0)) return OSSA_OK;
	measure_sections(s, path, radius);
	OSSAI_TRY(find_cheapest(s, path, radius, &along));
	w->joint[s->half] = w->prior[s->half] = ossai_madd(w->joint[s->bone], along, path);
	w->joints_solved = true;
	if (w->frames) share_weights(s, path, along);
	return OSSA_OK;
}

static ossa_status split_by_motion(ossai_splitting *s)
{
	ossai_solve_work *w = s->w;
	const size_t poses = w->surface->pose_count;
	bool found = false;
	if (mark_faces(s) >= 2) OSSAI_TRY(ossai_split_find_parts(s, &found));
	/* one face, or none: the result of the edit stays */
	if (!found) return OSSA_OK;
	OSSAI_TRY(ossai_split_assign_parts(s));
	order_parts(s);
	OSSAI_TRY(part_vertices(s));
	if (!ossai_solve_is_locked(w, s->bone) && !ossai_solve_is_locked(w, s->half)) part_weights(s);
	memcpy(&w->motion.rigid[s->bone * poses], s->motion, poses * sizeof *s->motion);
	memcpy(&w->motion.rigid[s->half * poses], s->motion + poses, poses * sizeof *s->motion);
	w->is_half[s->half] = 1;
	if (keeps_joint(w, s->half)) return OSSA_OK;
	w->prior[s->half] = border_of(s);
	const ossai_joint joint = ossai_joint_fit_soft(
		&w->motion, s->bone, s->half, w->prior[s->half], OSSAI_JOINT_DOUBT, OSSAI_JOINT_NOISE);
	w->joint[s->half] = joint.position;
	w->joints_solved = true;
	return OSSA_OK;
}

/* ---- all splits ---- */

/* whether the frames have motion that the undivided bone cannot reproduce */
static bool separates(const ossai_splitting *s)
{
	const ossai_solve_work *w = s->w;
	const ossai_bone_weights *weights = &w->weights;
	const size_t poses = w->surface->pose_count;
	double sum = 0, count = 0;
	for (size_t v = 0; v < weights->vertex_count; v++) {
		if (s->of_vertex[v] == OTHER || !w->surface->used[v]) continue;
		count += (double)poses;
		for (size_t k = 0; k < poses; k++) {
			ossai_vec3 off = ossai_scale(ossai_pose_point(w->surface, v, k), -1);
			for (size_t i = v * weights->width; i < v * weights->width + weights->count[v]; i++) {
				const ossai_rigid *x = &w->motion.rigid[weights->bone[i] * poses + k];
				off = ossai_madd(off, weights->value[i], ossai_rigid_point(x, ossai_rest_point(w->surface, v)));
			}
			sum += ossai_length2(off);
		}
	}
	return sum > repeated_rms * repeated_rms * count;
}

ossa_status ossai_solve_splits(ossai_solve_work *w)
{
	const ossai_posed_surface *surface = w->surface;
	for (uint32_t b = 0; b < w->bones; b++) {
		const uint32_t half = w->bounds->half ? w->bounds->half[b] : b + 1;
		if (!(w->stale[b] & OSSAI_STALE_SPLIT) || half >= w->bones || w->tree.parent[half] != b) continue;
		ossai_splitting s = {.w = w, .bone = b, .half = half};
		s.part = ossai_arena_new(w->arena, surface->face_count, sizeof *s.part);
		s.of_vertex = ossai_arena_new(w->arena, surface->vertex_count, sizeof *s.of_vertex);
		s.motion = ossai_arena_new(w->arena, surface->pose_count, 2 * sizeof *s.motion);
		if (!s.part || !s.of_vertex || !s.motion) return ossa_context_error(w->context)->status;
		mark_vertices(&s);
		OSSAI_TRY(w->frames && separates(&s) ? split_by_motion(&s) : split_by_shape(&s));
	}
	return OSSA_OK;
}
