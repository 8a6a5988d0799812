/* conventions/find_roles.c: see find_roles.h. */
#include "conventions/find_roles.h"

#include "conventions/roles_by_name.h"
#include "conventions/roles_by_tree.h"
#include "math/vec.h"

#include <stdio.h>

/* of the angle between legs and trunk: a human's is 180 degrees, a quadruped's 90; between these */
static const double standing = -0.5;

/* a front leg reaches at least half as far down as a hind leg; hands of hanging arms do not reach
   feet either, but these are on a trunk that stands */
static const double reach_share = 0.5;

int32_t ossai_bone_of_role(const ossa_role *role, size_t bone_count, ossa_body_part part, int side)
{
	int32_t found = -1;
	for (size_t b = 0; b < bone_count; b++) {
		if (role[b].part != part || role[b].side != side) continue;
		if (found < 0 || role[b].number < role[found].number) found = (int32_t)b;
	}
	return found;
}

static bool has_pair(const ossa_role *role, size_t bone_count, ossa_body_part part)
{
	return ossai_bone_of_role(role, bone_count, part, 1) >= 0 && ossai_bone_of_role(role, bone_count, part, -1) >= 0;
}

/* names of both kinds tell neither */
ossa_body_kind ossai_kind_of_roles(const ossa_role *role, size_t count)
{
	if (ossai_bone_of_role(role, count, OSSA_PART_HIPS, 0) < 0) return OSSA_BODY_NONE;
	const bool legs = has_pair(role, count, OSSA_PART_UPPER_LEG) && has_pair(role, count, OSSA_PART_LOWER_LEG);
	const bool arms = has_pair(role, count, OSSA_PART_UPPER_ARM);
	const bool hind = has_pair(role, count, OSSA_PART_BACK_UPPER_LEG) && has_pair(role, count, OSSA_PART_BACK_LOWER_LEG);
	const bool fore = has_pair(role, count, OSSA_PART_FRONT_UPPER_LEG) && has_pair(role, count, OSSA_PART_FRONT_LOWER_LEG);
	const bool any_human = has_pair(role, count, OSSA_PART_LOWER_LEG) || has_pair(role, count, OSSA_PART_LOWER_ARM);
	const bool any_animal = hind || fore || has_pair(role, count, OSSA_PART_BACK_UPPER_LEG);
	if (any_human && any_animal) return OSSA_BODY_NONE;
	if (hind && fore) return OSSA_BODY_QUADRUPED;
	return legs && arms ? OSSA_BODY_HUMAN : OSSA_BODY_NONE;
}

static bool is_of_animals(ossa_body_part part)
{
	return part >= OSSA_PART_FRONT_UPPER_LEG && part != OSSA_PART_TAIL && part != OSSA_PART_EAR;
}

ossa_body_kind ossai_partial_kind_of_roles(const ossa_role *role, size_t count)
{
	bool has_more = false;
	for (size_t b = 0; b < count; b++) {
		if (is_of_animals(role[b].part)) return OSSA_BODY_NONE;
		has_more = has_more || role[b].part == OSSA_PART_HEAD || role[b].part == OSSA_PART_UPPER_ARM;
	}
	const bool legs = has_pair(role, count, OSSA_PART_UPPER_LEG) && has_pair(role, count, OSSA_PART_LOWER_LEG) &&
		has_pair(role, count, OSSA_PART_FOOT);
	const bool has_hips = ossai_bone_of_role(role, count, OSSA_PART_HIPS, 0) >= 0;
	return has_hips && legs && has_more ? OSSA_BODY_HUMAN : OSSA_BODY_NONE;
}

static size_t count_roles(const ossa_role *role, size_t bone_count)
{
	size_t count = 0;
	for (size_t b = 0; b < bone_count; b++) count += role[b].part != OSSA_PART_NONE;
	return count;
}

/* ---- humans' names of animals ---- */

/* the last bone of a limb that has a role: foot or hand, not toes or fingers */
static int32_t end_of_limb(const ossa_role *role, size_t count, ossa_body_part lower, int side)
{
	const int32_t end = ossai_bone_of_role(role, count, (ossa_body_part)(lower + 1), side);
	return end >= 0 ? end : ossai_bone_of_role(role, count, lower, side);
}

/* the mean of both limbs from the first joint of the upper part to the end's; false: there is no
   pair */
static bool limb_direction(
	const ossa_skeleton *skeleton, const ossa_role *role, ossa_body_part upper, ossai_vec3 *direction, ossai_vec3 *from)
{
	const size_t count = skeleton->bone_count;
	*direction = *from = ossai_v3(0, 0, 0);
	for (int side = -1; side <= 1; side += 2) {
		const int32_t first = ossai_bone_of_role(role, count, upper, side);
		const int32_t last = end_of_limb(role, count, (ossa_body_part)(upper + 1), side);
		if (first < 0 || last < 0) return false;
		const ossai_vec3 begin = ossai_v3_of(skeleton->bones[first].joint), end = ossai_v3_of(skeleton->bones[last].joint);
		*direction = ossai_madd(*direction, 0.5, ossai_sub(end, begin));
		*from = ossai_madd(*from, 0.5, begin);
	}
	return true;
}

static bool is_on_fours(const ossa_skeleton *skeleton, const ossa_role *role)
{
	ossai_vec3 leg, arm, hip, shoulder;
	if (!limb_direction(skeleton, role, OSSA_PART_UPPER_LEG, &leg, &hip)) return false;
	if (!limb_direction(skeleton, role, OSSA_PART_UPPER_ARM, &arm, &shoulder)) return false;
	const ossai_vec3 zero = ossai_v3(0, 0, 0), trunk = ossai_unit(ossai_sub(shoulder, hip), zero), down = ossai_unit(leg, zero);
	if (ossai_dot(trunk, down) < standing) return false;
	return ossai_dot(arm, down) > reach_share * ossai_length(leg);
}

/* "LeftUpperArm" of a fox */
static void name_quadruped(const ossa_skeleton *skeleton, ossa_role *role)
{
	if (!is_on_fours(skeleton, role)) return;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_body_part part = role[b].part;
		if (part >= OSSA_PART_UPPER_ARM && part <= OSSA_PART_HAND)
			role[b].part = (ossa_body_part)(OSSA_PART_FRONT_UPPER_LEG + (part - OSSA_PART_UPPER_ARM));
		else if (part >= OSSA_PART_UPPER_LEG && part <= OSSA_PART_TOES)
			role[b].part = (ossa_body_part)(OSSA_PART_BACK_UPPER_LEG + (part - OSSA_PART_UPPER_LEG));
	}
}

/* ---- */

static void keep(const ossa_skeleton *skeleton, ossa_role *role)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) role[b] = skeleton->bones[b].role;
}

/* by the tree where that finds a whole body; then the names are forgotten */
static ossa_status try_tree(ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role, ossai_roles_source *source)
{
	ossa_role *found = ossai_new(context, skeleton->bone_count, sizeof *found);
	ossa_body_kind kind = OSSA_BODY_NONE;
	size_t matched = 0;
	if (!found) return ossa_context_error(context)->status;
	const ossa_status status = ossai_roles_by_tree(context, skeleton, found, &kind, &matched);
	if (status == OSSA_OK && kind != OSSA_BODY_NONE) {
		for (size_t b = 0; b < skeleton->bone_count; b++) role[b] = found[b];
		*source = (ossai_roles_source){.origin = OSSAI_ROLES_TREE, .matched = matched, .kind = kind};
	}
	ossa_free(context, found);
	return status;
}

ossa_status ossai_find_roles(ossa_context *context, const ossa_skeleton *skeleton, ossa_role *role, ossai_roles_source *source)
{
	ossai_roles_source own = {.origin = OSSAI_ROLES_KEPT};
	const size_t bones = skeleton->bone_count;
	keep(skeleton, role);
	own.matched = count_roles(role, bones);
	if (own.matched == 0) {
		OSSAI_TRY(ossai_roles_by_name(context, skeleton, role, &own.convention, &own.matched));
		name_quadruped(skeleton, role);
		own.origin = own.matched > 0 ? OSSAI_ROLES_NAMES : OSSAI_ROLES_NONE;
	}
	own.kind = ossai_kind_of_roles(role, bones);
	if (own.origin != OSSAI_ROLES_KEPT && own.kind == OSSA_BODY_NONE) OSSAI_TRY(try_tree(context, skeleton, role, &own));
	if (source) *source = own;
	return OSSA_OK;
}

const char *ossai_roles_source_print(const ossai_roles_source *source, char *text, size_t size)
{
	switch (source->origin) {
	case OSSAI_ROLES_KEPT: snprintf(text, size, "the rig's own roles"); break;
	case OSSAI_ROLES_TREE: snprintf(text, size, "the shape of the tree"); break;
	case OSSAI_ROLES_NAMES:
		if (source->convention) snprintf(text, size, "names of %s", source->convention->title);
		else snprintf(text, size, "plain words");
		break;
	default: snprintf(text, size, "nothing");
	}
	return text;
}
