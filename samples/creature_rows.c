/* samples/creature_rows.c: rows of tables to bones and flesh, on one side or on both: see
   creature_rows.h. */
#include "samples/creature_rows.h"

#include <stdio.h>
#include <string.h>

static int find_bone(const ossai_creature *creature, const char *name, size_t length)
{
	for (int b = 0; b < creature->bone_count; b++) {
		if (strlen(creature->bones[b].name) == length && strncmp(creature->bones[b].name, name, length) == 0) return b;
	}
	return -1;
}

static bool is_left(const char *name)
{
	const size_t length = strlen(name);
	return length > 2 && strcmp(name + length - 2, "-l") == 0;
}

/* a name of the table on one side: "shin-l" becomes "shin-r" on the right */
static void name_on_side(const char *name, bool right, char out[64])
{
	snprintf(out, 64, "%s", name);
	if (right && is_left(out)) out[strlen(out) - 1] = 'r';
}

/* a point on one side */
static ossai_vec3 point_on_side(const double *at, bool right) { return ossai_v3(right ? -at[0] : at[0], at[1], at[2]); }

/* a turn's axis on one side: mirrored turns keep x and reverse y and z */
static ossai_vec3 axis_on_side(double x, double y, double z, bool right)
{
	return right ? ossai_v3(x, -y, -z) : ossai_v3(x, y, z);
}

static ossa_joint_kind kind_of(const bone_row *row, bool hinge, bool universal)
{
	if (row->slides) return OSSA_JOINT_PRISMATIC;
	if (universal) return OSSA_JOINT_UNIVERSAL;
	return hinge ? OSSA_JOINT_HINGE : OSSA_JOINT_BALL;
}

void ossai_creature_add_bone(ossai_creature *creature, const bone_row *row, bool right)
{
	const int index = creature->bone_count;
	creature_bone *bone = &creature->bones[index];
	char name[64];
	name_on_side(row->name, right, bone->name);
	bone->parent = -1;
	if (row->parent) {
		name_on_side(row->parent, right, name);
		bone->parent = find_bone(creature, name, strlen(name));
	}
	bone->joint = point_on_side(row->joint, right);
	bone->tail = point_on_side(row->tail, right);
	const bool hinge = row->hinge[0] != 0 || row->hinge[1] != 0 || row->hinge[2] != 0;
	const ossai_vec3 second = axis_on_side(row->second[0], row->second[1], row->second[2], right);
	const bool universal = ossai_length2(second) > 0;
	bone->kind = kind_of(row, hinge, universal);
	if (index == 0) bone->kind = OSSA_JOINT_ROOT;
	for (int k = 0; k < 3; k++) {
		bone->axes[k] = axis_on_side(k == 0, k == 1, k == 2, right);
		bone->low[k] = row->low[k];
		bone->high[k] = row->high[k];
	}
	if (hinge) bone->axes[0] = ossai_unit(axis_on_side(row->hinge[0], row->hinge[1], row->hinge[2], right), ossai_v3(1, 0, 0));
	if (universal) bone->axes[1] = ossai_unit(second, ossai_v3(1, 0, 0));
	bone->goes_round = row->goes_round;
	bone->like = row->like ? find_bone(creature, row->like, strlen(row->like)) : index;
	creature->bone_count++;
}

static void add_limb(ossai_creature *creature, const limb_row *row, bool right, int piece)
{
	creature_limb *limb = &creature->limbs[creature->limb_count++];
	for (const char *at = row->bones; *at;) {
		char word[64], name[64];
		const size_t length = strcspn(at, " ");
		snprintf(word, sizeof word, "%.*s", (int)length, at);
		name_on_side(word, right, name);
		limb->bones[limb->bone_count++] = find_bone(creature, name, strlen(name));
		at += length + (at[length] == ' ');
	}
	for (int i = 0; i < LIMB_POINTS && row->points[i][3] > 0; i++) {
		limb->points[i] = point_on_side(row->points[i], right);
		limb->radii[i] = row->points[i][3];
		limb->point_count++;
	}
	limb->flat = ossai_v3_of(row->flat);
	limb->box = ossai_v3_of(row->box);
	limb->blend = row->blend;
	limb->piece = piece;
}

void ossai_creature_add_bones(ossai_creature *creature, const bone_row *rows, size_t count)
{
	// a side's bones follow each other, so that parents come first
	for (int right = 0; right < 2; right++) {
		for (size_t i = 0; i < count; i++) {
			if (!right || is_left(rows[i].name)) ossai_creature_add_bone(creature, &rows[i], right);
		}
	}
}

/* `pieces`: a row that melts into nothing before it starts a closed surface of its own, on each
   side it has */
void ossai_creature_add_limbs(ossai_creature *creature, const limb_row *rows, size_t count, bool pieces)
{
	int first = 0, sides = 1;
	for (size_t i = 0; i < count; i++) {
		const int row_sides = rows[i].has_image || strstr(rows[i].bones, "-l") ? 2 : 1;
		if (i == 0 || (pieces && rows[i].blend == 0)) {
			first = creature->piece_count;
			sides = pieces ? row_sides : 1;
			creature->piece_count += sides;
		}
		for (int right = 0; right < row_sides; right++) {
			add_limb(creature, &rows[i], right, first + (sides == 2 ? right : 0));
		}
	}
}

void ossai_creature_add_linkage(ossai_creature *creature, const linkage_row *row)
{
	creature->linkages[creature->linkage_count++] = (creature_linkage){find_bone(creature, row->crank, strlen(row->crank)),
		find_bone(creature, row->coupler, strlen(row->coupler)), find_bone(creature, row->rocker, strlen(row->rocker)),
		ossai_v3_of(row->pin)};
}

void ossai_creature_skin_below(ossai_creature *creature, const char *name, const char *above)
{
	creature->bones[find_bone(creature, name, strlen(name))].skin_below = find_bone(creature, above, strlen(above));
}

void ossai_creature_add_twist(ossai_creature *creature, const twist_row *row)
{
	creature_bone *bone = &creature->bones[find_bone(creature, row->bone, strlen(row->bone))];
	bone->axes[0] = ossai_unit(ossai_sub(bone->tail, bone->joint), ossai_v3(1, 0, 0));
	bone->like = find_bone(creature, row->driver, strlen(row->driver));
	bone->twist = row->ratio;
	if (row->skin_below) ossai_creature_skin_below(creature, row->bone, row->skin_below);
}

/* a bone's tail is the mean of its children's joints; tables give it for the others */
void ossai_creature_place_tails(ossai_creature *creature)
{
	for (int b = 0; b < creature->bone_count; b++) {
		ossai_vec3 sum = {0, 0, 0};
		int count = 0;
		for (int c = b + 1; c < creature->bone_count; c++) {
			if (creature->bones[c].parent != b) continue;
			sum = ossai_add(sum, creature->bones[c].joint);
			count++;
		}
		if (count) creature->bones[b].tail = ossai_scale(sum, 1.0 / count);
	}
}
