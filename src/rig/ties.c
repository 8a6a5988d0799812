/* rig/ties.c: see ties.h. */
#include "rig/ties.h"

#include "math/cholesky.h"
#include "rig/ik_followers.h"

#include <string.h>

enum { ROUNDS_MAX = 60, AXES = OSSAI_IK_AXES };

/* of the length of all joints that turn: what rounding leaves */
static const double near_enough = 1e-12;
/* radians of one joint in one round */
static const double largest_turn = 0.35;
/* of the mean square of the derivatives: initial damping, its least, and where it gives up */
static const double first_damping = 1e-6, least_damping = 1e-10, most_damping = 1e4;

typedef struct tying {
	const ossa_rig *rig;
	ossa_clip *clip;
	size_t frame;
	size_t tie_count;
	const ossai_tie *ties;
	size_t link_count;
	ossai_ik_link *links, *tried;
	/* tie_count x link_count: 1 above the first bone alone, -1 above the second alone, else 0 */
	int8_t *side;
	double *matrices; /* B x 12: the pose that was placed last */
	ossai_mat3 *up;   /* world rotations of the links' parents */
	ossai_vec3 *axis; /* link_count x AXES, in the world */
	/* tie_count x link_count x AXES: the derivative of each gap */
	ossai_vec3 *column;
	ossai_vec3 *gap, *wanted; /* of each tie; the latter less what limits leave to others */
	double *turn;             /* link_count x AXES, radians */
	uint8_t *is_held;
	double *normal, *y; /* (3 tie_count)^2 and 3 tie_count */
	double length;
	ossai_ik_followers followers;
} tying;

ossai_vec3 ossai_point_of_bone(const ossa_bone *bone, ossai_vec3 point)
{
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation)));
	return ossai_mat3_tmul_v(&frame, ossai_sub(point, ossai_v3_of(bone->joint)));
}

ossai_tie ossai_tie_of_loop(const ossa_rig *rig, const ossa_loop *loop)
{
	ossai_tie tie = {{loop->bones[0], loop->bones[1]}, {{0, 0, 0}, {0, 0, 0}}};
	for (int end = 0; end < 2; end++)
		tie.point[end] = ossai_point_of_bone(&rig->skeleton.bones[tie.bone[end]], ossai_v3_of(loop->center));
	return tie;
}

void ossai_tie_keep_gap(const ossai_rigid world[2], ossai_tie *tie)
{
	const ossai_rigid back = ossai_rigid_inverse(&world[0]);
	tie->point[0] = ossai_rigid_point(&back, ossai_rigid_point(&world[1], tie->point[1]));
}

/* ---- the pose ---- */

static ossai_vec3 place_of(const tying *t, const ossai_tie *tie, int end)
{
	if (tie->bone[end] < 0) return tie->point[end];
	const ossai_rigid world = ossai_rigid_of(t->matrices + 12 * (size_t)tie->bone[end]);
	return ossai_rigid_point(&world, tie->point[end]);
}

static double *rotation_of(const tying *t, const ossai_ik_link *l)
{
	return t->clip->rotations + 4 * (t->frame * t->clip->bone_count + l->bone);
}

/* poses the links; returns the sum of the squared gaps */
static double place(tying *t, const ossai_ik_link *links)
{
	double sum = 0;
	for (size_t i = 0; i < t->link_count; i++) ossai_quat_store(links[i].local, rotation_of(t, &links[i]));
	ossa_rig_joint_matrices(t->rig, t->clip, t->frame, t->matrices);
	for (size_t k = 0; k < t->tie_count; k++) {
		t->gap[k] = ossai_sub(place_of(t, &t->ties[k], 1), place_of(t, &t->ties[k], 0));
		sum += ossai_length2(t->gap[k]);
	}
	return sum;
}

/* ---- effect of rotations ---- */

static void find_columns_of(tying *t, size_t k)
{
	const ossai_vec3 end[2] = {place_of(t, &t->ties[k], 0), place_of(t, &t->ties[k], 1)};
	ossai_vec3 *column = t->column + AXES * t->link_count * k;
	for (size_t i = 0; i < t->link_count; i++) {
		const int side = t->side[k * t->link_count + i];
		const double *m = t->matrices + 12 * (size_t)t->links[i].bone;
		const ossai_vec3 arm = ossai_sub(end[side < 0], ossai_v3(m[3], m[7], m[11]));
		for (size_t a = AXES * i; a < AXES * (i + 1); a++) column[a] = ossai_scale(ossai_cross(t->axis[a], arm), side);
	}
	ossai_ik_join_columns(&t->followers, t->links, t->axis, column);
}

/* returns the mean square of the derivatives of a gap's coordinate */
static double find_columns(tying *t)
{
	double sum = 0;
	for (size_t i = 0; i < t->link_count; i++) {
		const int32_t parent = t->rig->skeleton.bones[t->links[i].bone].parent;
		t->up[i] = ossai_rigid_of(t->matrices + 12 * (size_t)parent).r;
		t->links[i].world = ossai_rigid_of(t->matrices + 12 * (size_t)t->links[i].bone);
		ossai_ik_link_axes(&t->links[i], &t->up[i], t->axis + AXES * i);
	}
	for (size_t k = 0; k < t->tie_count; k++) find_columns_of(t, k);
	for (size_t a = 0; a < AXES * t->link_count * t->tie_count; a++) sum += ossai_length2(t->column[a]);
	return sum / (3 * (double)t->tie_count);
}

/* ---- one round ---- */

/* adds the products of the columns of an angle to the lower half of J J^T */
static void add_products(tying *t, size_t angle)
{
	const size_t width = 3 * t->tie_count, stride = AXES * t->link_count;
	for (size_t i = 0; i < t->tie_count; i++) {
		const ossai_vec3 c = t->column[i * stride + angle];
		const double row[3] = {c.x, c.y, c.z};
		if (!(ossai_length2(c) > 0)) continue;
		for (size_t j = 0; j <= i; j++) {
			const ossai_vec3 d = t->column[j * stride + angle];
			for (size_t r = 0; r < 3; r++) {
				double *to = t->normal + (3 * i + r) * width + 3 * j;
				to[0] += row[r] * d.x;
				to[1] += row[r] * d.y;
				to[2] += row[r] * d.z;
			}
		}
	}
}

/* y of (J J^T + damping) y = wanted, over the angles that are not held */
static bool solve(tying *t, double damping)
{
	const size_t width = 3 * t->tie_count;
	memset(t->normal, 0, width * width * sizeof *t->normal);
	for (size_t i = 0; i < width; i++) t->normal[i * width + i] = damping;
	for (size_t a = 0; a < AXES * t->link_count; a++) {
		if (!t->is_held[a]) add_products(t, a);
	}
	for (size_t k = 0; k < t->tie_count; k++) ossai_v3_store(t->wanted[k], t->y + 3 * k);
	return ossai_cholesky_solve(width, t->normal, t->y);
}

/* clamps angles that would leave their range; the others make up for it. Returns whether any was */
static bool hold_at_limits(tying *t, double share)
{
	bool any = false;
	for (size_t i = 0; i < AXES * t->link_count; i++) {
		const ossai_ik_link *l = &t->links[i / AXES];
		const double to = l->angle[i % AXES] + share * t->turn[i] * 180 / OSSAI_PI;
		if (!l->has_ranges || t->is_held[i] || (to >= l->low[i % AXES] && to <= l->high[i % AXES])) continue;
		const double end = to < l->low[i % AXES] ? l->low[i % AXES] : l->high[i % AXES];
		t->turn[i] = (end - l->angle[i % AXES]) * OSSAI_PI / 180;
		t->is_held[i] = 1;
		for (size_t k = 0; k < t->tie_count; k++)
			t->wanted[k] = ossai_madd(t->wanted[k], -t->turn[i], t->column[k * AXES * t->link_count + i]);
		any = true;
	}
	return any;
}

/* the smallest turns that close the gaps and that limits allow */
static bool find_turns(tying *t, double damping)
{
	memset(t->is_held, 0, AXES * t->link_count);
	/* columns are of the first points less the second ones */
	memcpy(t->wanted, t->gap, t->tie_count * sizeof *t->wanted);
	for (bool again = true; again;) {
		double most = largest_turn;
		if (!solve(t, damping)) return false;
		for (size_t i = 0; i < AXES * t->link_count; i++) {
			if (t->is_held[i]) continue;
			t->turn[i] = 0;
			for (size_t k = 0; k < t->tie_count; k++)
				t->turn[i] += ossai_dot(t->column[k * AXES * t->link_count + i], ossai_v3_of(t->y + 3 * k));
			most = fmax(most, fabs(t->turn[i]));
		}
		again = hold_at_limits(t, largest_turn / most);
		for (size_t i = 0; i < AXES * t->link_count && !again; i++) t->turn[i] *= t->is_held[i] ? 1 : largest_turn / most;
	}
	return true;
}

/* one step: true where the gaps decreased */
static bool try_step(tying *t, double damping, double *square)
{
	if (!find_turns(t, damping)) return false;
	memcpy(t->tried, t->links, t->link_count * sizeof *t->links);
	for (size_t i = 0; i < t->link_count; i++) ossai_ik_link_turn(&t->tried[i], &t->up[i], t->turn + AXES * i);
	ossai_ik_follow(&t->followers, t->links, t->tried);
	const double after = place(t, t->tried);
	if (!(after < *square)) return false;
	memcpy(t->links, t->tried, t->link_count * sizeof *t->links);
	*square = after;
	return true;
}

/* one round: true where the gaps decreased; damping grows until they do */
static bool improve(tying *t, ossai_vec3 *gap, double *square, double *damping)
{
	const double level = find_columns(t);
	memcpy(gap, t->gap, t->tie_count * sizeof *gap);
	while (*damping < most_damping) {
		memcpy(t->gap, gap, t->tie_count * sizeof *gap);
		if (try_step(t, *damping * level + 1e-300, square)) {
			*damping = fmax(*damping / 8, least_damping);
			return true;
		}
		*damping *= 4;
	}
	return false;
}

/* ---- the joints that turn ---- */

/* marks what is above a bone with 1 in `above`, or 0 where that is marked already */
static void toggle_above(const ossa_skeleton *skeleton, int32_t bone, uint8_t *above)
{
	for (; bone >= 0; bone = skeleton->bones[bone].parent) above[bone] ^= 1;
}

static void forget_limits(ossai_ik_link *l)
{
	for (size_t a = l->is_universal ? 1 : 0; a < AXES; a++) {
		l->low[a] = -INFINITY;
		l->high[a] = INFINITY;
	}
}

static ossa_status begin_links(ossai_arena *arena, const uint8_t *turns, bool has_limits, tying *t)
{
	const ossa_skeleton *skeleton = &t->rig->skeleton;
	uint8_t *above = ossai_arena_new(arena, skeleton->bone_count, 1);
	if (!above) return ossa_context_error(arena->context)->status;
	for (size_t b = 1; b < skeleton->bone_count; b++) {
		if (!turns[b]) continue;
		ossai_ik_link *l = &t->links[t->link_count++];
		ossai_ik_link_begin(t->rig, t->clip, t->frame, (uint32_t)b, l);
		if (!has_limits) forget_limits(l);
		t->length += ossai_length(l->offset);
	}
	for (size_t k = 0; k < t->tie_count; k++) {
		const ossai_tie *tie = &t->ties[k];
		memset(above, 0, skeleton->bone_count);
		for (int end = 0; end < 2; end++) toggle_above(skeleton, tie->bone[end], above);
		for (int end = 0; end < 2; end++) t->length += tie->bone[end] < 0 ? 0 : ossai_length(tie->point[end]);
		for (size_t i = 0; i < t->link_count; i++) {
			const uint32_t bone = t->links[i].bone;
			const bool is_first = ossai_is_above(skeleton, (int32_t)bone, tie->bone[0]);
			t->side[k * t->link_count + i] = (int8_t)(!above[bone] ? 0 : is_first ? 1 : -1);
		}
	}
	return ossai_ik_followers_find(arena, t->rig, t->clip, t->frame, t->link_count, t->links, &t->followers);
}

static ossa_status allocate(ossai_arena *arena, size_t links, tying *t)
{
	const size_t ties = t->tie_count;
	t->links = ossai_arena_new(arena, links, sizeof *t->links);
	t->tried = ossai_arena_new(arena, links, sizeof *t->tried);
	t->side = ossai_arena_zero(arena, ties * links, 1);
	t->matrices = ossai_arena_new(arena, t->rig->skeleton.bone_count, 12 * sizeof *t->matrices);
	t->up = ossai_arena_new(arena, links, sizeof *t->up);
	t->axis = ossai_arena_new(arena, links, AXES * sizeof *t->axis);
	t->column = ossai_arena_new(arena, ties * links, AXES * sizeof *t->column);
	t->gap = ossai_arena_new(arena, ties, sizeof *t->gap);
	t->wanted = ossai_arena_new(arena, ties, sizeof *t->wanted);
	t->turn = ossai_arena_zero(arena, links, AXES * sizeof *t->turn);
	t->is_held = ossai_arena_zero(arena, links, AXES);
	t->normal = ossai_arena_new(arena, 3 * ties, 3 * ties * sizeof *t->normal);
	t->y = ossai_arena_new(arena, ties, 3 * sizeof *t->y);
	const bool all = t->links && t->tried && t->side && t->matrices && t->up && t->axis && t->column && t->gap && t->wanted &&
		t->turn && t->is_held && t->normal && t->y;
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}

static void keep_sign(const ossai_ik_link *links, tying *t, const ossai_quat *before)
{
	for (size_t i = 0; i < t->link_count; i++) {
		const bool turned = ossai_quat_dot(links[i].local, before[i]) < 0;
		ossai_quat_store(turned ? ossai_quat_negate(links[i].local) : links[i].local, rotation_of(t, &links[i]));
	}
}

ossa_status ossai_ties_close(ossai_arena *scratch, const ossa_rig *rig, ossa_clip *clip, size_t frame, size_t count,
	const ossai_tie *ties, const uint8_t *turns, bool has_limits, double *gap)
{
	tying t = {.rig = rig, .clip = clip, .frame = frame, .tie_count = count, .ties = ties};
	size_t links = 0;
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) links += turns[b] != 0;
	ossai_vec3 *space = ossai_arena_new(scratch, count, sizeof *space);
	ossai_quat *before = ossai_arena_new(scratch, links, sizeof *before);
	if (!space || !before) return ossa_context_error(scratch->context)->status;
	OSSAI_TRY(allocate(scratch, links, &t));
	OSSAI_TRY(begin_links(scratch, turns, has_limits, &t));
	for (size_t i = 0; i < links; i++) before[i] = ossai_quat_of(rotation_of(&t, &t.links[i]));
	double square = place(&t, t.links), damping = first_damping;
	const double least = near_enough * t.length;
	for (int round = 0; round < ROUNDS_MAX && square > least * least; round++) {
		if (!improve(&t, space, &square, &damping)) break;
	}
	place(&t, t.links);
	for (size_t k = 0; k < count; k++) gap[k] = ossai_length(t.gap[k]);
	keep_sign(t.links, &t, before);
	return OSSA_OK;
}
