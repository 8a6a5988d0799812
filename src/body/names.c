/* body/names.c: see names.h. */
#include "body/names.h"

#include <stdio.h>

/* of the mannequin of Unreal Engine, with sides as in Blender */
static const char *const words[] = {
	[OSSA_PART_NONE] = "",
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
	const char *side = role.side > 0 ? "_L" : role.side < 0 ? "_R" : "";
	if (role.limb > 0) snprintf(name, size, "%s_%d_%02d%s", words[role.part], role.limb, role.number, side);
	else if (role.number > 0) snprintf(name, size, "%s_%02d%s", words[role.part], role.number, side);
	else snprintf(name, size, "%s%s", words[role.part], side);
}
