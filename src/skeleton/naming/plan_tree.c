/* skeleton/naming/plan_tree.c: see plan_tree.h. */
#include "skeleton/naming/plan_tree.h"

#include "skeleton/naming/part_names.h"

typedef struct planner {
	const ossa_skeleton *rest;
	const ossai_shared_skin *skin;
	const ossa_bone *bone; /* ours */
	size_t count;
	uint32_t root;
	uint32_t *up;    /* B: the parent in our own tree, seen from the hips; OSSA_NONE */
	uint32_t *first; /* B: the first bone of the part in the plan; OSSA_NONE: of no part */
	/* R: of a part's first bone: ours that the next part begins on, the last of several */
	uint32_t *stand_in;
	ossai_plan_tree *found;
} planner;

/* ---- parts ---- */

/* the first bone of the plan that is of this part; OSSA_NONE */
static uint32_t first_of_part(const planner *p, const ossa_role *role)
{
	for (uint32_t r = 0; role->part != OSSA_PART_NONE && r < p->rest->bone_count; r++) {
		if (ossai_are_one_part(role, &p->rest->bones[r].role)) return r;
	}
	return OSSA_NONE;
}

static bool is_of_plan(const planner *p, uint32_t b) { return p->first[b] != OSSA_NONE && !p->found->is_helper[b]; }

static bool is_spine(const planner *p, uint32_t b)
{
	return p->first[b] != OSSA_NONE && p->bone[b].role.part == OSSA_PART_SPINE;
}

static double skin_of_part(const planner *p, uint32_t b)
{
	double sum = 0;
	for (size_t r = 0; r < p->rest->bone_count; r++) {
		if (ossai_are_one_part(&p->bone[b].role, &p->rest->bones[r].role)) sum += p->skin->overlap[b * p->rest->bone_count + r];
	}
	return sum;
}

static bool is_above(const planner *p, uint32_t b, uint32_t other)
{
	uint32_t up = p->up[other];
	while (up != OSSA_NONE && up != b) up = p->up[up];
	return up == b;
}

/* a segment of a limb begins where the one before ends */
static ossa_body_part segment_before(ossa_body_part part)
{
	switch (part) {
	case OSSA_PART_LOWER_ARM: return OSSA_PART_UPPER_ARM;
	case OSSA_PART_HAND: return OSSA_PART_LOWER_ARM;
	case OSSA_PART_LOWER_LEG: return OSSA_PART_UPPER_LEG;
	case OSSA_PART_FOOT: return OSSA_PART_LOWER_LEG;
	case OSSA_PART_TOES: return OSSA_PART_FOOT;
	default: return OSSA_PART_NONE;
	}
}

/* whether bone `b` is of the segment that ends where that of `next` begins */
static bool is_segment_before(const planner *p, uint32_t b, uint32_t next)
{
	const ossa_role *own = &p->bone[b].role, *other = &p->bone[next].role;
	return own->part != OSSA_PART_NONE && own->part == segment_before(other->part) && own->side == other->side;
}

/* how many of the two joints of a segment our own tree has with bone b: that with the segment
   before, and that with the one after, or with none where there is none */
static int count_joints(const planner *p, uint32_t b)
{
	const uint32_t up = p->up[b];
	bool has_after = false, bears_after = false;
	for (uint32_t other = 0; other < p->count; other++) {
		if (!is_segment_before(p, b, other)) continue;
		has_after = true;
		bears_after = bears_after || p->up[other] == b;
	}
	const bool is_segment = segment_before(p->bone[b].role.part) != OSSA_PART_NONE;
	const bool follows = !is_segment || (up != OSSA_NONE && is_segment_before(p, up, b));
	return follows + (bears_after || !has_after);
}

/* The hips are the root. Of others one that has skin of the part, of these the one with which most
   of our own tree can stay, then that with most skin. */
static bool stands_before(const planner *p, uint32_t b, uint32_t other)
{
	const double skin = skin_of_part(p, b), others = skin_of_part(p, other);
	if (b == p->root || other == p->root) return b == p->root;
	if ((skin > 0) != (others > 0)) return skin > 0;
	const int joints = count_joints(p, b), other_joints = count_joints(p, other);
	return joints != other_joints ? joints > other_joints : skin > others;
}

static void take_single(const planner *p, uint32_t b)
{
	uint32_t *own = &p->stand_in[p->first[b]];
	const bool is_it = *own == OSSA_NONE || stands_before(p, b, *own);
	if (is_it && *own != OSSA_NONE) p->found->is_helper[*own] = 1;
	p->found->is_helper[b] = !is_it;
	if (is_it) *own = b;
}

/* A clavicle or a neck stands between two others: one that bears no arm or no head in our own tree
   is beside them. */
static void keep_between(const planner *p)
{
	static const ossa_role between[][2] = {{{OSSA_PART_NECK, 0, 0, 0}, {OSSA_PART_HEAD, 0, 0, 0}},
		{{OSSA_PART_CLAVICLE, 1, 0, 0}, {OSSA_PART_UPPER_ARM, 1, 0, 0}},
		{{OSSA_PART_CLAVICLE, -1, 0, 0}, {OSSA_PART_UPPER_ARM, -1, 0, 0}}};
	for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
		const uint32_t part = first_of_part(p, &between[i][0]), next = first_of_part(p, &between[i][1]);
		if (part == OSSA_NONE || next == OSSA_NONE || p->stand_in[part] == OSSA_NONE || p->stand_in[next] == OSSA_NONE)
			continue;
		uint32_t best = OSSA_NONE;
		for (uint32_t b = 0; b < p->count; b++) {
			if (p->first[b] != part) continue;
			p->found->is_helper[b] = 1;
			if (!is_above(p, b, p->stand_in[next])) continue;
			if (best == OSSA_NONE || skin_of_part(p, b) > skin_of_part(p, best)) best = b;
		}
		p->stand_in[part] = best;
		if (best != OSSA_NONE) p->found->is_helper[best] = 0;
	}
}

/* a finger's bones in the order of their numbers */
static void take_finger(const planner *p, uint32_t b)
{
	uint32_t *last = &p->stand_in[p->first[b]];
	p->found->number[b] = p->bone[b].role.number;
	if (*last == OSSA_NONE || p->found->number[b] > p->found->number[*last]) *last = b;
}

static void find_parts(const planner *p)
{
	for (uint32_t r = 0; r < p->rest->bone_count; r++) p->stand_in[r] = OSSA_NONE;
	for (uint32_t b = 0; b < p->count; b++) {
		p->first[b] = first_of_part(p, &p->bone[b].role);
		if (p->first[b] == OSSA_NONE || is_spine(p, b)) continue;
		if (p->rest->bones[p->first[b]].role.number > 0) take_finger(p, b);
		else take_single(p, b);
	}
}

/* ---- the spine ---- */

/* arms and neck, each by its first bone that is there */
static size_t find_branches(const planner *p, uint32_t branch[3])
{
	static const ossa_body_part part[3][2] = {
		{OSSA_PART_NECK, OSSA_PART_HEAD}, {OSSA_PART_CLAVICLE, OSSA_PART_UPPER_ARM}, {OSSA_PART_CLAVICLE, OSSA_PART_UPPER_ARM}};
	static const int side[3] = {0, 1, -1};
	size_t count = 0;
	for (size_t i = 0; i < 3; i++) {
		uint32_t own = OSSA_NONE;
		for (size_t k = 0; k < 2 && own == OSSA_NONE; k++) {
			const uint32_t first = first_of_part(p, &(ossa_role){.part = part[i][k], .side = side[i]});
			if (first != OSSA_NONE) own = p->stand_in[first];
		}
		if (own != OSSA_NONE) branch[count++] = own;
	}
	return count;
}

static bool bears_most(const planner *p, uint32_t b, size_t branches, const uint32_t *branch)
{
	size_t borne = 0;
	for (size_t i = 0; i < branches; i++) borne += is_above(p, b, branch[i]);
	return 2 * borne > branches;
}

/* the bone with most of the spine's skin; OSSA_NONE */
static uint32_t largest_of_spine(const planner *p)
{
	uint32_t best = OSSA_NONE;
	for (uint32_t b = 0; b < p->count; b++) {
		if (!is_spine(p, b)) continue;
		if (best == OSSA_NONE || skin_of_part(p, b) > skin_of_part(p, best)) best = b;
	}
	return best;
}

/* Bones that each bear more than half of the branches are on one path, and so is the largest one of
   a body without branches with those above it; others are beside the spine. */
static void find_spine(const planner *p)
{
	uint32_t branch[3], last = OSSA_NONE;
	int number = 0;
	const size_t branches = find_branches(p, branch);
	const uint32_t end = branches == 0 ? largest_of_spine(p) : OSSA_NONE;
	for (uint32_t b = 0; b < p->count; b++) {
		if (!is_spine(p, b)) continue;
		const bool is_in = branches > 0 ? bears_most(p, b, branches, branch) : b == end || is_above(p, b, end);
		p->found->is_helper[b] = !is_in;
		if (!is_in) continue;
		number++;
		if (last == OSSA_NONE || is_above(p, last, b)) last = b;
	}
	if (last == OSSA_NONE) return;
	p->stand_in[p->first[last]] = last;
	for (uint32_t b = last; b != OSSA_NONE; b = p->up[b]) {
		if (is_spine(p, b) && !p->found->is_helper[b]) p->found->number[b] = number--;
	}
}

/* ---- parents ---- */

/* what stands for the nearest part above that has a bone of ours; the root's has */
static uint32_t above_part(const planner *p, uint32_t first)
{
	int32_t up = p->rest->bones[first].parent;
	for (; up > 0; up = p->rest->bones[up].parent) {
		const uint32_t part = first_of_part(p, &p->rest->bones[up].role);
		if (part != OSSA_NONE && part != first && p->stand_in[part] != OSSA_NONE) return p->stand_in[part];
	}
	return p->root;
}

/* the bone that the plan has above b */
static uint32_t planned_parent(const planner *p, uint32_t b)
{
	uint32_t before = OSSA_NONE;
	for (uint32_t other = 0; other < p->count; other++) {
		if (!is_of_plan(p, other) || p->first[other] != p->first[b] || p->found->number[other] >= p->found->number[b]) continue;
		if (before == OSSA_NONE || p->found->number[other] > p->found->number[before]) before = other;
	}
	return before != OSSA_NONE ? before : above_part(p, p->first[b]);
}

/* the nearest bone of the plan above b, as parents are now: those of helpers and of bones of no
   part are known */
static uint32_t nearest_above(const planner *p, uint32_t b)
{
	uint32_t up = p->up[b];
	while (up != p->root && !is_of_plan(p, up)) up = p->found->parent[up];
	return up;
}

/* whether the plan has a part at or above another one */
static bool is_inward(const planner *p, uint32_t first, uint32_t other)
{
	for (int32_t up = (int32_t)other; up >= 0; up = p->rest->bones[up].parent) {
		if (first_of_part(p, &p->rest->bones[up].role) == first) return true;
	}
	return false;
}

/* A helper bends with its own part or one farther in: on another limb, or farther out, it would
   carry its skin along when that one is posed. */
static uint32_t parent_of_helper(const planner *p, uint32_t b)
{
	const uint32_t first = p->first[b];
	uint32_t up = p->up[b];
	while (up != p->root && !is_of_plan(p, up)) up = p->up[up];
	if (is_inward(p, p->first[up], first)) return p->up[b];
	return p->stand_in[first] != OSSA_NONE ? p->stand_in[first] : above_part(p, first);
}

static uint32_t parent_in_plan(const planner *p, uint32_t b)
{
	const uint32_t wanted = planned_parent(p, b);
	if (segment_before(p->bone[b].role.part) != OSSA_PART_NONE) return wanted;
	return nearest_above(p, b) == wanted ? p->up[b] : wanted;
}

/* our own tree, seen from the hips */
static void find_ups(const planner *p)
{
	for (size_t b = 0; b < p->count; b++) p->up[b] = p->bone[b].parent < 0 ? OSSA_NONE : (uint32_t)p->bone[b].parent;
	uint32_t below = OSSA_NONE;
	for (uint32_t b = p->root; b != OSSA_NONE;) {
		const uint32_t next = p->up[b];
		p->up[b] = below;
		below = b;
		b = next;
	}
}

/* bones of the plan come after the others, as some of these go elsewhere */
static void find_parents(const planner *p)
{
	uint32_t *parent = p->found->parent;
	for (uint32_t b = 0; b < p->count; b++) {
		if (!is_of_plan(p, b)) parent[b] = p->first[b] == OSSA_NONE ? p->up[b] : parent_of_helper(p, b);
	}
	for (uint32_t b = 0; b < p->count; b++) {
		if (is_of_plan(p, b)) parent[b] = b == p->root ? OSSA_NONE : parent_in_plan(p, b);
		if (parent[b] != p->up[b]) p->found->is_new = true;
	}
}

ossa_status ossai_plan_tree_find(
	ossai_arena *arena, const ossa_skeleton *rest, const ossai_shared_skin *skin, uint32_t root, ossai_plan_tree *found)
{
	const size_t bones = skin->skeleton->bone_count;
	*found = (ossai_plan_tree){.parent = ossai_arena_new(arena, bones, sizeof *found->parent),
		.is_helper = ossai_arena_zero(arena, bones, sizeof *found->is_helper),
		.number = ossai_arena_zero(arena, bones, sizeof *found->number)};
	const planner p = {.rest = rest,
		.skin = skin,
		.bone = skin->skeleton->bones,
		.count = bones,
		.root = root,
		.up = ossai_arena_new(arena, bones, sizeof *p.up),
		.first = ossai_arena_new(arena, bones, sizeof *p.first),
		.stand_in = ossai_arena_new(arena, rest->bone_count, sizeof *p.stand_in),
		.found = found};
	const bool ready = found->parent && found->is_helper && found->number && p.up && p.first && p.stand_in;
	if (!ready) return ossa_context_error(arena->context)->status;
	find_ups(&p);
	find_parts(&p);
	keep_between(&p);
	find_spine(&p);
	find_parents(&p);
	return OSSA_OK;
}
