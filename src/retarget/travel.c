/* retarget/travel.c: see travel.h.

   A pelvis sways in every step: to both sides, ahead and back, and about the vertical (J. B. Saunders,
   V. T. Inman, H. D. Eberhart, "The major determinants in normal and pathological gait", 1953: some
   25 mm and 4 degrees to either side). What a body does over the ground besides is found as the
   shortest path that stays within that sway of the hips' path: a straight line at an even speed for a
   walk ahead, a standstill for an idle, corners and curves where the hips leave the sway. */
#include "retarget/travel.h"

#include "conventions/find_roles.h"
#include "math/taut_string.h"
#include "retarget/body_frame.h"

#include <string.h>

/* of the height of the hips over the lowest joint at rest: the sway to either side. People of the
   corpus sway by up to 0.04 in walks and runs, animals by 0.14; from 0.29 on what a dodge does besides
   going straight is taken for sway */
static const double SWAY = 0.15;
/* radians: the same of the heading. Walks of the corpus: up to 8 degrees; from 20 on a slow curve is
   taken for sway */
static const double HEADING_SWAY = 10 * OSSAI_PI / 180;
/* Bodies that come back have gone nowhere unless they left their feet behind: as far as hips get, and
   turn, over feet that stay. Of the same height: a roll on the spot and a horse that lowers its head
   get to 0.48; and radians */
static const double REACH = 0.6, HEADING_REACH = OSSAI_PI / 2;

typedef struct tracking {
	ossai_arena *arena;
	const ossa_rig *rig;
	const ossa_clip *clip;
	ossai_travel *travel;
	double sway, reach; /* mesh units */
	ossai_vec3 *hips;   /* F: joint in the world */
	double *turn;       /* F: radians about up since rest, continuous */
	double *values;     /* F: scratch */
	double *path;       /* F: scratch */
} tracking;

/* ---- which bone, which axis ---- */

static bool moves_vertices(const ossa_weights *weights, size_t bone)
{
	const size_t pairs = weights->vertex_count * (size_t)weights->influences;
	for (size_t i = 0; i < pairs; i++) {
		if (weights->bones[i] == bone && weights->values[i] > 0) return true;
	}
	return false;
}

/* of a body without hips: the root, or what it carries where that is one bone and it moves nothing */
static uint32_t carried_bone(const ossa_rig *rig)
{
	size_t children = 0;
	for (size_t b = 1; b < rig->skeleton.bone_count; b++) children += rig->skeleton.bones[b].parent == 0;
	return children == 1 && !moves_vertices(&rig->weights, 0) ? 1 : 0;
}

ossa_status ossai_find_carried(ossai_arena *arena, const ossa_rig *rig, uint32_t *bone, ossai_vec3 *up)
{
	const ossa_skeleton *skeleton = &rig->skeleton;
	ossa_role *role = ossai_arena_new(arena, skeleton->bone_count, sizeof *role);
	ossai_body_frame frame;
	if (!role) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_find_roles(arena->context, skeleton, role, NULL));
	const int32_t hips = ossai_bone_of_role(role, skeleton->bone_count, OSSA_PART_HIPS, 0);
	*bone = hips < 0 ? carried_bone(rig) : (uint32_t)hips;
	*up = ossai_find_body_frame(skeleton, role, &frame) ? frame.up : ossai_v3(0, 1, 0);
	return OSSA_OK;
}

static void find_sway(tracking *t)
{
	const ossa_skeleton *skeleton = &t->rig->skeleton;
	const ossai_vec3 hips = ossai_v3_of(skeleton->bones[t->travel->hips].joint);
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const double height = ossai_dot(ossai_sub(hips, ossai_v3_of(skeleton->bones[b].joint)), t->travel->up);
		t->travel->height = fmax(t->travel->height, height);
	}
	t->sway = SWAY * t->travel->height;
	t->reach = REACH * t->travel->height;
}

/* ---- the hips over time ---- */

/* the turn about up in the rotation of the hips since rest; near a half turn about another axis it has
   none of its own and is that of the frame before */
static double turn_about_up(const tracking *t, ossai_quat turn, double before)
{
	const ossai_vec3 up = t->travel->up;
	const double along = ossai_dot(ossai_v3(turn.x, turn.y, turn.z), up);
	if (along * along + turn.w * turn.w < 1e-6) return before;
	const double angle = 2 * atan2(along, turn.w);
	return angle - 2 * OSSAI_PI * nearbyint((angle - before) / (2 * OSSAI_PI));
}

static ossa_status follow_hips(tracking *t)
{
	const size_t frames = t->clip->frame_count;
	double *worlds = ossai_arena_new(t->arena, t->rig->skeleton.bone_count, 12 * sizeof *worlds);
	t->hips = ossai_arena_new(t->arena, frames, sizeof *t->hips);
	t->turn = ossai_arena_new(t->arena, frames, sizeof *t->turn);
	if (!worlds || !t->hips || !t->turn) return ossa_context_error(t->arena->context)->status;
	const ossai_quat back = ossai_quat_conjugate(ossai_quat_of(t->rig->skeleton.bones[t->travel->hips].orientation));
	for (size_t f = 0; f < frames; f++) {
		ossa_rig_joint_matrices(t->rig, t->clip, f, worlds);
		const ossai_rigid world = ossai_rigid_of(worlds + 12 * (size_t)t->travel->hips);
		t->hips[f] = world.t;
		t->turn[f] = turn_about_up(t, ossai_quat_mul(ossai_mat3_quat(&world.r), back), f > 0 ? t->turn[f - 1] : 0);
	}
	return OSSA_OK;
}

/* ---- the travel ---- */

/* the taut string through `values`, which begin at 0; whether it ends elsewhere */
static ossa_status pull(tracking *t, double radius, bool ends_elsewhere)
{
	const size_t frames = t->clip->frame_count;
	const double last = ends_elsewhere ? t->values[frames - 1] : 0;
	return ossai_taut_string(t->arena, frames, t->clip->times, t->values, radius, 0, last, t->path);
}

static ossai_vec3 over_ground(const tracking *t, size_t frame)
{
	const ossai_vec3 way = ossai_sub(t->hips[frame], t->hips[0]);
	return ossai_madd(way, -ossai_dot(way, t->travel->up), t->travel->up);
}

/* the direction in which the hips are farthest from their start, so that the same motion that faces
   elsewhere travels alike */
static ossai_vec3 main_direction(const tracking *t)
{
	ossai_vec3 farthest = {0, 0, 0};
	for (size_t f = 0; f < t->clip->frame_count; f++) {
		const ossai_vec3 way = over_ground(t, f);
		if (ossai_length2(way) > ossai_length2(farthest)) farthest = way;
	}
	const ossai_vec3 up = t->travel->up, any = fabs(up.x) > 0.5 ? ossai_v3(0, 0, 1) : ossai_v3(1, 0, 0);
	return ossai_unit(farthest, any);
}

static ossa_status find_shift(tracking *t)
{
	const size_t frames = t->clip->frame_count;
	const ossai_vec3 ahead = main_direction(t), axes[2] = {ahead, ossai_cross(t->travel->up, ahead)};
	memset(t->travel->shift, 0, frames * sizeof *t->travel->shift);
	t->travel->moves = ossai_length(over_ground(t, frames - 1)) > t->sway;
	for (int k = 0; k < 2; k++) {
		for (size_t f = 0; f < frames; f++) t->values[f] = ossai_dot(over_ground(t, f), axes[k]);
		OSSAI_TRY(pull(t, t->travel->moves ? t->sway : t->reach, t->travel->moves));
		for (size_t f = 0; f < frames; f++) t->travel->shift[f] = ossai_madd(t->travel->shift[f], t->path[f], axes[k]);
	}
	return OSSA_OK;
}

static ossa_status find_heading(tracking *t)
{
	const size_t frames = t->clip->frame_count;
	for (size_t f = 0; f < frames; f++) t->values[f] = t->turn[f] - t->turn[0];
	t->travel->turns = fabs(t->values[frames - 1]) > HEADING_SWAY;
	OSSAI_TRY(pull(t, t->travel->turns ? HEADING_SWAY : HEADING_REACH, t->travel->turns));
	memcpy(t->travel->heading, t->path, frames * sizeof *t->path);
	return OSSA_OK;
}

ossa_status ossai_travel_find(ossai_arena *arena, const ossa_rig *rig, const ossa_clip *clip, ossai_travel *travel)
{
	const size_t frames = clip->frame_count;
	tracking t = {.arena = arena, .rig = rig, .clip = clip, .travel = travel};
	*travel = (ossai_travel){.frame_count = frames};
	travel->shift = ossai_arena_new(arena, frames, sizeof *travel->shift);
	travel->heading = ossai_arena_new(arena, frames, sizeof *travel->heading);
	t.values = ossai_arena_new(arena, frames, sizeof *t.values);
	t.path = ossai_arena_new(arena, frames, sizeof *t.path);
	if (!travel->shift || !travel->heading || !t.values || !t.path) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_find_carried(arena, rig, &travel->hips, &travel->up));
	find_sway(&t);
	OSSAI_TRY(follow_hips(&t));
	travel->center = t.hips[0];
	OSSAI_TRY(find_shift(&t));
	return find_heading(&t);
}

ossai_rigid ossai_travel_at(const ossai_travel *travel, size_t frame)
{
	const ossai_quat turn = ossai_quat_axis_angle(travel->up, travel->heading[frame]);
	ossai_rigid map = {ossai_quat_matrix(turn), {0, 0, 0}};
	map.t = ossai_add(ossai_sub(travel->center, ossai_mat3_mul_v(&map.r, travel->center)), travel->shift[frame]);
	return map;
}
