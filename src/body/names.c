/* body/names.c: see names.h. */
#include "body/names.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_words[OSSAI_BODY_KINDS] = {
	[OSSA_BODY_AUTO] = "none", /* nobody looked */
	[OSSA_BODY_NONE] = "none",
	[OSSA_BODY_HUMAN] = "human",
	[OSSA_BODY_QUADRUPED] = "quadruped",
	[OSSA_BODY_BIRD] = "bird",
	[OSSA_BODY_THEROPOD] = "theropod",
	[OSSA_BODY_FISH] = "fish",
	[OSSA_BODY_SNAKE] = "snake",
	[OSSA_BODY_HAND] = "hand",
	[OSSA_BODY_INSECT] = "insect",
	[OSSA_BODY_SPIDER] = "spider",
	[OSSA_BODY_OCTOPUS] = "octopus",
};

/* of the mannequin of Unreal Engine, with sides as in Blender */
static const char *const words[OSSAI_BODY_PARTS] = {
	[OSSA_PART_NONE] = "none",
	[OSSA_PART_HIPS] = "pelvis",
	[OSSA_PART_SPINE] = "spine",
	[OSSA_PART_NECK] = "neck",
	[OSSA_PART_HEAD] = "head",
	[OSSA_PART_CLAVICLE] = "clavicle",
	[OSSA_PART_UPPER_ARM] = "upperarm",
	[OSSA_PART_LOWER_ARM] = "lowerarm",
	[OSSA_PART_HAND] = "hand",
	[OSSA_PART_THUMB] = "thumb",
	[OSSA_PART_INDEX] = "index",
	[OSSA_PART_MIDDLE] = "middle",
	[OSSA_PART_RING] = "ring",
	[OSSA_PART_LITTLE] = "pinky",
	[OSSA_PART_UPPER_LEG] = "thigh",
	[OSSA_PART_LOWER_LEG] = "calf",
	[OSSA_PART_FOOT] = "foot",
	[OSSA_PART_TOES] = "toe",
	[OSSA_PART_FRONT_UPPER_LEG] = "upperleg_front",
	[OSSA_PART_FRONT_LOWER_LEG] = "lowerleg_front",
	[OSSA_PART_FRONT_FOOT] = "foot_front",
	[OSSA_PART_FRONT_TOES] = "toe_front",
	[OSSA_PART_BACK_UPPER_LEG] = "upperleg_back",
	[OSSA_PART_BACK_LOWER_LEG] = "lowerleg_back",
	[OSSA_PART_BACK_FOOT] = "foot_back",
	[OSSA_PART_BACK_TOES] = "toe_back",
	[OSSA_PART_TAIL] = "tail",
	[OSSA_PART_EAR] = "ear",
	[OSSA_PART_WING] = "wing",
	[OSSA_PART_FIN] = "fin",
	[OSSA_PART_LEG] = "leg",
	[OSSA_PART_ARM] = "arm",
	[OSSA_PART_ANTENNA] = "antenna",
	[OSSA_PART_BODY] = "body",
};

void ossai_role_name(ossa_role role, char *name, size_t size)
{
	if (role.part == OSSA_PART_NONE) {
		name[0] = 0;
		return;
	}
	const char *side = role.side > 0 ? "_L" : role.side < 0 ? "_R" : "";
	if (role.limb > 0) snprintf(name, size, "%s_%d_%02d%s", words[role.part], role.limb, role.number, side);
	else if (role.number > 0) snprintf(name, size, "%s_%02d%s", words[role.part], role.number, side);
	else snprintf(name, size, "%s%s", words[role.part], side);
}

const char *ossa_body_kind_name(ossa_body_kind kind)
{
	return kind_words[(size_t)kind < OSSAI_BODY_KINDS && kind_words[kind] ? kind : OSSA_BODY_NONE];
}

ossa_body_kind ossa_body_kind_of_name(const char *name)
{
	for (int kind = OSSA_BODY_NONE; name && kind < OSSAI_BODY_KINDS; kind++) {
		if (strcmp(name, ossa_body_kind_name((ossa_body_kind)kind)) == 0) return (ossa_body_kind)kind;
	}
	return OSSA_BODY_NONE;
}

const char *ossa_body_part_name(ossa_body_part part)
{
	return words[(size_t)part < OSSAI_BODY_PARTS && words[part] ? part : OSSA_PART_NONE];
}

ossa_body_part ossa_body_part_of_name(const char *name)
{
	for (int part = 0; name && part < OSSAI_BODY_PARTS; part++) {
		if (strcmp(name, ossa_body_part_name((ossa_body_part)part)) == 0) return (ossa_body_part)part;
	}
	return OSSA_PART_NONE;
}

const char *ossa_body_side_name(int side) { return side > 0 ? "left" : side < 0 ? "right" : "middle"; }

bool ossa_body_is_known(const ossa_body *body)
{
	return body && body->kind > OSSA_BODY_NONE && (size_t)body->kind < OSSAI_BODY_KINDS;
}
