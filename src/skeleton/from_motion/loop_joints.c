/* skeleton/from_motion/loop_joints.c: see loop_joints.h. */
#include "skeleton/from_motion/loop_joints.h"

#include "base/union_find.h"
#include "skeleton/from_motion/joint_kind.h"
#include "skeleton/from_motion/joints.h"

/* joints of the tree that turn in a loop */
enum { LEAST_TURNING = 3 };

typedef struct search {
	const ossai_loop_search *in;
	double poses;     /* independent ones */
	uint8_t *turns;   /* B: the joint of the bone with its parent turns */
	uint8_t *welded;  /* by pair of the graph: not turning, whatever the tree says */
	size_t pairs;     /* that are compared */
	uint32_t *parent; /* B: union-find over bones that take a point to the same place */
	ossai_loop_joint *found;
	size_t found_count;
} search;

/* ---- two bones at a point ---- */

static double mean_gap(const ossai_bone_motion *motion, uint32_t a, uint32_t b, ossai_vec3 x)
{
	double sum = 0;
	for (size_t k = 0; k < motion->pose_count; k++) {
		const ossai_rigid *p = &motion->rigid[a * motion->pose_count + k], *q = &motion->rigid[b * motion->pose_count + k];
		sum += ossai_length2(ossai_sub(ossai_rigid_point(p, x), ossai_rigid_point(q, x)));
	}
	return sum / (double)motion->pose_count;
}

/* the mean square of the gap in units of its variance */
static double share_of(const search *s, uint32_t a, uint32_t b, ossai_vec3 x)
{
	return mean_gap(s->in->motion, a, b, x) / ossai_gap_variance(s->in->core, a, b, s->in->motion->pose_count, x);
}

static bool agree(double share) { return share - 1 - log(fmax(share, 1)) < 2; }

/* of few poses, which could not show two axes: whether there are these does not matter; axis: of a
   hinge, else 0 */
static bool turn_about(const search *s, uint32_t a, uint32_t b, ossai_vec3 *axis)
{
	double noise[9];
	ossai_vec3 axes[2];
	const ossai_turning turning = {s->in->motion, a, b, 0};
	ossai_turn_noise(s->in->core, a, b, s->in->motion->pose_count, noise);
	const ossa_joint_kind kind = ossai_joint_kind_find(&turning, noise, axes);
	*axis = kind == OSSA_JOINT_HINGE ? axes[0] : ossai_v3(0, 0, 0);
	return kind != OSSA_JOINT_WELDED;
}

static bool turn_against(const search *s, uint32_t a, uint32_t b)
{
	ossai_vec3 axis;
	return turn_about(s, a, b, &axis);
}

static bool is_known(const ossai_bone_core *core) { return core->weight > 0; }

/* ---- where they meet ---- */

/* what two bones turn about: a point, or a line through it */
typedef struct pivot {
	const ossai_loop_joint *joint;
	ossai_vec3 axis; /* 0: a point */
} pivot;

static double distance_to_pivot(const pivot *p, ossai_vec3 x)
{
	const ossai_vec3 d = ossai_sub(x, p->joint->place);
	return ossai_length(ossai_madd(d, -ossai_dot(d, p->axis), p->axis));
}

static void take_nearer(const search *s, const pivot *p, uint32_t v, uint32_t w, double *nearest)
{
	const ossai_loop_joint *loop = p->joint;
	const ossai_posed_surface *surface = s->in->surface;
	const uint32_t a = s->in->graph->bone_of_vertex[v], b = s->in->graph->bone_of_vertex[w];
	if (!(a == loop->a && b == loop->b) && !(a == loop->b && b == loop->a)) return;
	const ossai_vec3 sum = ossai_add(ossai_rest_point(surface, v), ossai_rest_point(surface, w));
	*nearest = fmin(*nearest, distance_to_pivot(p, ossai_scale(sum, 0.5)));
}

/* From the joint to the nearest edge, or link of two pieces, between the patches of the bones.
   Where on its axis a hinge lies its motion does not say, so that it is the axis that comes
   near. */
static double distance_to_contact(const search *s, const pivot *p)
{
	const ossai_posed_surface *surface = s->in->surface;
	const ossai_adjacency *adjacency = &surface->adjacency;
	double nearest = INFINITY;
	for (uint32_t v = 0; v < surface->vertex_count; v++) {
		for (uint32_t i = adjacency->vertex_start[v]; i < adjacency->vertex_start[v + 1]; i++)
			take_nearer(s, p, v, adjacency->vertex_neighbor[i], &nearest);
	}
	for (size_t i = 0; i < surface->link_count; i++) {
		const uint32_t *t[2] = {
			surface->triangles + 3 * (size_t)surface->links[2 * i], surface->triangles + 3 * (size_t)surface->links[2 * i + 1]};
		for (size_t j = 0; j < 3; j++) take_nearer(s, p, t[0][j], t[1][j], &nearest);
	}
	return nearest;
}

/* ---- the tree ---- */

/* joints that turn on the way between two bones */
static size_t count_turning(const search *s, const uint32_t *depth, uint32_t a, uint32_t b)
{
	size_t count = 0;
	while (a != b) {
		uint32_t *lower = depth[a] >= depth[b] ? &a : &b;
		count += s->turns[*lower];
		*lower = s->in->tree->parent[*lower];
	}
	return count;
}

/* whether a joint certainly moves the point */
static bool moves(const search *s, uint32_t a, uint32_t b, ossai_vec3 x)
{
	if (!is_known(&s->in->core[a]) || !is_known(&s->in->core[b])) return false;
	const double evidence = (s->poses - 1) * log(1 + share_of(s, a, b, x));
	return evidence > OSSAI_STRONG_EVIDENCE + 2 * log((double)s->pairs);
}

/* whether a way over other joints keeps the point in place, as far as the motion shows */
static bool is_implied(const search *s, const ossai_loop_joint *loop)
{
	const ossai_tree *tree = s->in->tree;
	ossai_union_begin(s->parent, tree->bone_count);
	for (uint32_t b = 0; b < tree->bone_count; b++) {
		if (tree->parent[b] != OSSA_NONE && !moves(s, b, tree->parent[b], loop->place))
			ossai_union_join(s->parent, b, tree->parent[b]);
	}
	for (size_t i = 0; i < s->in->graph->pair_count; i++) {
		const ossai_bone_pair *pair = &s->in->graph->pairs[i];
		if (s->welded[i] && !moves(s, pair->a, pair->b, loop->place)) ossai_union_join(s->parent, pair->a, pair->b);
	}
	for (size_t i = 0; i < s->found_count; i++) {
		if (!moves(s, s->found[i].a, s->found[i].b, loop->place)) ossai_union_join(s->parent, s->found[i].a, s->found[i].b);
	}
	return ossai_union_find(s->parent, loop->a) == ossai_union_find(s->parent, loop->b);
}

/* ---- the whole ---- */

static bool is_edge(const ossai_tree *tree, const ossai_bone_pair *pair)
{
	return tree->parent[pair->a] == pair->b || tree->parent[pair->b] == pair->a;
}

static bool is_candidate(const search *s, const ossai_bone_pair *pair)
{
	return pair->contact > 0 && !is_edge(s->in->tree, pair) && is_known(&s->in->core[pair->a]) &&
		is_known(&s->in->core[pair->b]);
}

/* pairs that have a joint, whatever others say, the surest first */
static ossai_loop_joint *find_joints(const search *s, ossai_arena *arena, const uint32_t *depth, size_t *count)
{
	const ossai_loop_search *in = s->in;
	ossai_loop_joint *list = ossai_arena_new(arena, s->pairs, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < in->graph->pair_count && list; i++) {
		const ossai_bone_pair *pair = &in->graph->pairs[i];
		if (!is_candidate(s, pair) || count_turning(s, depth, pair->a, pair->b) < LEAST_TURNING) continue;
		const ossai_vec3 x = ossai_joint_posterior_find(in->motion, in->core, pair->a, pair->b, &in->prior[i]).mean;
		const ossai_loop_joint joint = {pair->a, pair->b, x, share_of(s, pair->a, pair->b, x)};
		const double doubt = ossai_joint_doubt(in->size, pair->a, pair->b, OSSAI_JOINT_DOUBT);
		pivot p = {.joint = &joint};
		if (!agree(joint.share) || !turn_about(s, pair->a, pair->b, &p.axis)) continue;
		if (distance_to_contact(s, &p) > OSSAI_JOINT_PULLED * doubt) continue;
		size_t at = (*count)++;
		for (; at > 0 && list[at - 1].share > joint.share; at--) list[at] = list[at - 1];
		list[at] = joint;
	}
	return list;
}

static ossa_status find(search *s, ossai_arena *arena, ossai_arena *scratch)
{
	const ossai_tree *tree = s->in->tree;
	size_t count;
	uint32_t *depth = ossai_tree_depths(scratch, tree);
	s->turns = ossai_arena_zero(scratch, tree->bone_count, 1);
	s->welded = ossai_arena_zero(scratch, s->in->graph->pair_count, 1);
	s->parent = ossai_arena_new(scratch, tree->bone_count, sizeof *s->parent);
	if (!depth || !s->turns || !s->welded || !s->parent) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_independent_poses_of(scratch, s->in->motion, tree->parent, s->in->core, &s->poses));
	for (uint32_t b = 0; b < tree->bone_count; b++)
		s->turns[b] = tree->parent[b] != OSSA_NONE && turn_against(s, tree->parent[b], b);
	for (size_t i = 0; i < s->in->graph->pair_count; i++) {
		const ossai_bone_pair *pair = &s->in->graph->pairs[i];
		s->pairs += is_candidate(s, pair);
		s->welded[i] = is_known(&s->in->core[pair->a]) && is_known(&s->in->core[pair->b]) && !turn_against(s, pair->a, pair->b);
	}
	const ossai_loop_joint *list = find_joints(s, scratch, depth, &count);
	s->found = ossai_arena_new(arena, count, sizeof *s->found);
	if (!list || !s->found) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < count; i++) {
		if (!is_implied(s, &list[i])) s->found[s->found_count++] = list[i];
	}
	return OSSA_OK;
}

ossa_status ossai_loop_joints_find(ossai_arena *arena, const ossai_loop_search *in, ossai_loop_joint **loops, size_t *count)
{
	search s = {.in = in};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	const ossa_status status = find(&s, arena, &scratch);
	ossai_arena_end(&scratch);
	*loops = s.found;
	*count = s.found_count;
	return status;
}
