/* conventions/tables.c: see convention.h. */
#include "conventions/convention.h"

#include <string.h>

static const ossai_convention body = {
	.name = "body",
	.title = "ossa's own",
	.prefix = "",
	.side = {"L", "R"},
	.row = {{OSSA_PART_HIPS, "pelvis"}, {OSSA_PART_SPINE, "spine_#"}, {OSSA_PART_SPINE, "torso"}, {OSSA_PART_NECK, "neck"},
		{OSSA_PART_NECK, "neck_#"}, {OSSA_PART_HEAD, "head"}, {OSSA_PART_CLAVICLE, "clavicle_*"},
		{OSSA_PART_UPPER_ARM, "upperarm_*"}, {OSSA_PART_UPPER_ARM, "upperarm_#_*"}, {OSSA_PART_LOWER_ARM, "lowerarm_*"},
		{OSSA_PART_LOWER_ARM, "lowerarm_#_*"}, {OSSA_PART_HAND, "hand_*"}, {OSSA_PART_HAND, "hand_#_*"},
		{OSSA_PART_HAND, "hand"}, {OSSA_PART_UPPER_LEG, "thigh_*"}, {OSSA_PART_UPPER_LEG, "thigh_#_*"},
		{OSSA_PART_LOWER_LEG, "calf_*"}, {OSSA_PART_LOWER_LEG, "calf_#_*"}, {OSSA_PART_FOOT, "foot_*"},
		{OSSA_PART_FOOT, "foot_#_*"}, {OSSA_PART_TOES, "toe_*"}, {OSSA_PART_TOES, "toe_#_*"},
		{OSSA_PART_FRONT_UPPER_LEG, "upperleg_front_*"}, {OSSA_PART_FRONT_UPPER_LEG, "upperleg_front_#_*"},
		{OSSA_PART_FRONT_LOWER_LEG, "lowerleg_front_*"}, {OSSA_PART_FRONT_LOWER_LEG, "lowerleg_front_#_*"},
		{OSSA_PART_FRONT_FOOT, "foot_front_*"}, {OSSA_PART_FRONT_FOOT, "foot_front_#_*"}, {OSSA_PART_FRONT_TOES, "toe_front_*"},
		{OSSA_PART_FRONT_TOES, "toe_front_#_*"}, {OSSA_PART_BACK_UPPER_LEG, "upperleg_back_*"},
		{OSSA_PART_BACK_UPPER_LEG, "upperleg_back_#_*"}, {OSSA_PART_BACK_LOWER_LEG, "lowerleg_back_*"},
		{OSSA_PART_BACK_LOWER_LEG, "lowerleg_back_#_*"}, {OSSA_PART_BACK_FOOT, "foot_back_*"},
		{OSSA_PART_BACK_FOOT, "foot_back_#_*"}, {OSSA_PART_BACK_TOES, "toe_back_*"}, {OSSA_PART_BACK_TOES, "toe_back_#_*"},
		{OSSA_PART_TAIL, "tail_#"}, {OSSA_PART_EAR, "ear_#_*"}, {OSSA_PART_EAR, "ear_*"}, {OSSA_PART_WING, "wing_#_*"},
		{OSSA_PART_WING, "wing_*"}},
	.fingers = {"@_%_*", {"thumb", "index", "middle", "ring", "pinky"}, {"01", "02", "03"}, {0}},
};

static const ossai_convention mixamo = {
	.name = "mixamo",
	.title = "Mixamo, HumanIK and MotionBuilder",
	.prefix = "mixamorig#_",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "Spine#"}, {OSSA_PART_NECK, "Neck#"}, {OSSA_PART_HEAD, "Head"},
		{OSSA_PART_CLAVICLE, "*Shoulder"}, {OSSA_PART_UPPER_ARM, "*Arm"}, {OSSA_PART_LOWER_ARM, "*ForeArm"},
		{OSSA_PART_HAND, "*Hand"}, {OSSA_PART_UPPER_LEG, "*UpLeg"}, {OSSA_PART_LOWER_LEG, "*Leg"}, {OSSA_PART_FOOT, "*Foot"},
		{OSSA_PART_TOES, "*ToeBase"}, {OSSA_PART_TOES, "*Toe"}, {OSSA_PART_NONE, "HeadTop_End"}, {OSSA_PART_NONE, "*Toe_End"}},
	.fingers = {"*Hand@%", {"Thumb", "Index", "Middle", "Ring", "Pinky"}, {"1", "2", "3"}, {0}},
	.spine = {.first = "Spine", .numbered = "Spine#", .digits = 1},
	.neck = {.first = "Neck", .numbered = "Neck#", .digits = 1},
};

static const ossai_convention unreal = {
	.name = "unreal",
	.title = "Unreal Engine's mannequins",
	.prefix = "",
	.side = {"l", "r"},
	.row = {{OSSA_PART_HIPS, "pelvis"}, {OSSA_PART_SPINE, "spine_#"}, {OSSA_PART_NECK, "neck_#"}, {OSSA_PART_HEAD, "head"},
		{OSSA_PART_CLAVICLE, "clavicle_*"}, {OSSA_PART_UPPER_ARM, "upperarm_*"}, {OSSA_PART_LOWER_ARM, "lowerarm_*"},
		{OSSA_PART_HAND, "hand_*"}, {OSSA_PART_UPPER_LEG, "thigh_*"}, {OSSA_PART_LOWER_LEG, "calf_*"},
		{OSSA_PART_FOOT, "foot_*"}, {OSSA_PART_TOES, "ball_*"}, {OSSA_PART_NONE, "root"},
		{OSSA_PART_NONE, "upperarm_twist_#_*"}, {OSSA_PART_NONE, "lowerarm_twist_#_*"}, {OSSA_PART_NONE, "thigh_twist_#_*"},
		{OSSA_PART_NONE, "calf_twist_#_*"}, {OSSA_PART_NONE, "ik_foot_root"}, {OSSA_PART_NONE, "ik_hand_root"},
		{OSSA_PART_NONE, "ik_hand_gun"}, {OSSA_PART_NONE, "ik_foot_*"}, {OSSA_PART_NONE, "ik_hand_*"}},
	.fingers = {"@_%_*", {"thumb", "index", "middle", "ring", "pinky"}, {"01", "02", "03"}, {0}},
	.spine = {.numbered = "spine_#", .digits = 2, .begin = 1},
	.neck = {.numbered = "neck_#", .digits = 2, .begin = 1},
};

static const ossai_convention vrm = {
	.name = "vrm",
	.title = "VRM 1.0",
	.prefix = "",
	.side = {"left", "right"},
	.row = {{OSSA_PART_HIPS, "hips"}, {OSSA_PART_SPINE, "spine"}, {OSSA_PART_SPINE, "chest"}, {OSSA_PART_SPINE, "upperChest"},
		{OSSA_PART_NECK, "neck"}, {OSSA_PART_HEAD, "head"}, {OSSA_PART_CLAVICLE, "*Shoulder"},
		{OSSA_PART_UPPER_ARM, "*UpperArm"}, {OSSA_PART_LOWER_ARM, "*LowerArm"}, {OSSA_PART_HAND, "*Hand"},
		{OSSA_PART_UPPER_LEG, "*UpperLeg"}, {OSSA_PART_LOWER_LEG, "*LowerLeg"}, {OSSA_PART_FOOT, "*Foot"},
		{OSSA_PART_TOES, "*Toes"}, {OSSA_PART_NONE, "*Eye"}, {OSSA_PART_NONE, "jaw"}},
	.fingers = {"*@%", {"Thumb", "Index", "Middle", "Ring", "Little"}, {"Proximal", "Intermediate", "Distal"},
		{"Metacarpal", "Proximal", "Distal"}},
	.spine = {.fixed = {"spine", "chest", "upperChest"}},
	.neck = {.first = "neck"},
};

static const ossai_convention unity = {
	.name = "unity",
	.title = "Unity's humanoid",
	.prefix = "",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "Spine"}, {OSSA_PART_SPINE, "Chest"}, {OSSA_PART_SPINE, "UpperChest"},
		{OSSA_PART_NECK, "Neck"}, {OSSA_PART_HEAD, "Head"}, {OSSA_PART_CLAVICLE, "*Shoulder"},
		{OSSA_PART_UPPER_ARM, "*UpperArm"}, {OSSA_PART_LOWER_ARM, "*LowerArm"}, {OSSA_PART_HAND, "*Hand"},
		{OSSA_PART_UPPER_LEG, "*UpperLeg"}, {OSSA_PART_LOWER_LEG, "*LowerLeg"}, {OSSA_PART_FOOT, "*Foot"},
		{OSSA_PART_TOES, "*Toes"}, {OSSA_PART_NONE, "*Eye"}, {OSSA_PART_NONE, "Jaw"}},
	.fingers = {"*@%", {"Thumb", "Index", "Middle", "Ring", "Little"}, {"Proximal", "Intermediate", "Distal"}, {0}},
	.spine = {.fixed = {"Spine", "Chest", "UpperChest"}},
	.neck = {.first = "Neck"},
};

static const ossai_convention godot = {
	.name = "godot",
	.title = "Godot's SkeletonProfileHumanoid",
	.prefix = "",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "Spine"}, {OSSA_PART_SPINE, "Chest"}, {OSSA_PART_SPINE, "UpperChest"},
		{OSSA_PART_NECK, "Neck"}, {OSSA_PART_HEAD, "Head"}, {OSSA_PART_CLAVICLE, "*Shoulder"},
		{OSSA_PART_UPPER_ARM, "*UpperArm"}, {OSSA_PART_LOWER_ARM, "*LowerArm"}, {OSSA_PART_HAND, "*Hand"},
		{OSSA_PART_UPPER_LEG, "*UpperLeg"}, {OSSA_PART_LOWER_LEG, "*LowerLeg"}, {OSSA_PART_FOOT, "*Foot"},
		{OSSA_PART_TOES, "*Toes"}, {OSSA_PART_NONE, "Root"}, {OSSA_PART_NONE, "*Eye"}, {OSSA_PART_NONE, "Jaw"}},
	.fingers = {"*@%", {"Thumb", "Index", "Middle", "Ring", "Little"}, {"Proximal", "Intermediate", "Distal"},
		{"Metacarpal", "Proximal", "Distal"}},
	.spine = {.fixed = {"Spine", "Chest", "UpperChest"}},
	.neck = {.first = "Neck"},
};

/* the chain of the trunk: spine is the hips; .004 and .005 are the neck of the usual human */
static const ossai_convention rigify = {
	.name = "rigify",
	.title = "Blender's Rigify",
	.prefix = "DEF-",
	.side = {"L", "R"},
	.row = {{OSSA_PART_HIPS, "spine"}, {OSSA_PART_SPINE, "spine.001"}, {OSSA_PART_SPINE, "spine.002"},
		{OSSA_PART_SPINE, "spine.003"}, {OSSA_PART_NECK, "spine.004"}, {OSSA_PART_NECK, "spine.005"},
		{OSSA_PART_HEAD, "spine.006"}, {OSSA_PART_HEAD, "head"}, {OSSA_PART_CLAVICLE, "shoulder.*"},
		{OSSA_PART_UPPER_ARM, "upper_arm.*"}, {OSSA_PART_UPPER_ARM, "upper_arm.*.#"}, {OSSA_PART_LOWER_ARM, "forearm.*"},
		{OSSA_PART_LOWER_ARM, "forearm.*.#"}, {OSSA_PART_HAND, "hand.*"}, {OSSA_PART_UPPER_LEG, "thigh.*"},
		{OSSA_PART_UPPER_LEG, "thigh.*.#"}, {OSSA_PART_LOWER_LEG, "shin.*"}, {OSSA_PART_LOWER_LEG, "shin.*.#"},
		{OSSA_PART_FOOT, "foot.*"}, {OSSA_PART_TOES, "toe.*"}},
	.fingers = {"@.%.*", {"thumb", "f_index", "f_middle", "f_ring", "f_pinky"}, {"01", "02", "03"}, {0}},
	.spine = {.numbered = "spine.#", .digits = 3, .begin = 1},
	.neck = {.numbered = "spine.#", .digits = 3, .begin = 4},
};

/* as BVH; LHipJoint and LeftFingerBase lie between the parts of a body */
static const ossai_convention cmu = {
	.name = "cmu",
	.title = "CMU's motion library (BVH)",
	.prefix = "",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "LowerBack"}, {OSSA_PART_SPINE, "Spine#"}, {OSSA_PART_NECK, "Neck#"},
		{OSSA_PART_HEAD, "Head"}, {OSSA_PART_CLAVICLE, "*Shoulder"}, {OSSA_PART_UPPER_ARM, "*Arm"},
		{OSSA_PART_LOWER_ARM, "*ForeArm"}, {OSSA_PART_HAND, "*Hand"}, {OSSA_PART_UPPER_LEG, "*UpLeg"},
		{OSSA_PART_LOWER_LEG, "*Leg"}, {OSSA_PART_FOOT, "*Foot"}, {OSSA_PART_TOES, "*ToeBase"},
		{OSSA_PART_INDEX, "*HandIndex1"}, {OSSA_PART_THUMB, "*Thumb"}, {OSSA_PART_NONE, "*HipJoint"},
		{OSSA_PART_NONE, "*FingerBase"}},
};

/* wrist is the outer third of the forearm, which turns */
static const ossai_convention acclaim = {
	.name = "acclaim",
	.title = "Acclaim (ASF), as of CMU",
	.prefix = "",
	.side = {"l", "r"},
	.row = {{OSSA_PART_HIPS, "root"}, {OSSA_PART_SPINE, "lowerback"}, {OSSA_PART_SPINE, "upperback"},
		{OSSA_PART_SPINE, "thorax"}, {OSSA_PART_NECK, "lowerneck"}, {OSSA_PART_NECK, "upperneck"}, {OSSA_PART_HEAD, "head"},
		{OSSA_PART_CLAVICLE, "*clavicle"}, {OSSA_PART_UPPER_ARM, "*humerus"}, {OSSA_PART_LOWER_ARM, "*radius"},
		{OSSA_PART_LOWER_ARM, "*wrist"}, {OSSA_PART_HAND, "*hand"}, {OSSA_PART_UPPER_LEG, "*femur"},
		{OSSA_PART_LOWER_LEG, "*tibia"}, {OSSA_PART_FOOT, "*foot"}, {OSSA_PART_TOES, "*toes"}, {OSSA_PART_THUMB, "*thumb"},
		{OSSA_PART_NONE, "*hipjoint"}, {OSSA_PART_NONE, "*fingers"}},
};

static const ossai_convention biovision = {
	.name = "biovision",
	.title = "Biovision and Xsens (BVH)",
	.prefix = "",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "Chest#"}, {OSSA_PART_SPINE, "Spine#"}, {OSSA_PART_NECK, "Neck#"},
		{OSSA_PART_HEAD, "Head"}, {OSSA_PART_CLAVICLE, "*Collar"}, {OSSA_PART_UPPER_ARM, "*Shoulder"},
		{OSSA_PART_LOWER_ARM, "*Elbow"}, {OSSA_PART_HAND, "*Wrist"}, {OSSA_PART_UPPER_LEG, "*Hip"},
		{OSSA_PART_LOWER_LEG, "*Knee"}, {OSSA_PART_FOOT, "*Ankle"}, {OSSA_PART_TOES, "*Toe"}},
};

static const ossai_convention biped = {
	.name = "biped",
	.title = "3ds Max Biped",
	.prefix = "Bip#_",
	.side = {"L", "R"},
	.row = {{OSSA_PART_HIPS, "Pelvis"}, {OSSA_PART_SPINE, "Spine#"}, {OSSA_PART_NECK, "Neck#"}, {OSSA_PART_HEAD, "Head"},
		{OSSA_PART_CLAVICLE, "* Clavicle"}, {OSSA_PART_UPPER_ARM, "* UpperArm"}, {OSSA_PART_LOWER_ARM, "* Forearm"},
		{OSSA_PART_HAND, "* Hand"}, {OSSA_PART_UPPER_LEG, "* Thigh"}, {OSSA_PART_LOWER_LEG, "* Calf"},
		{OSSA_PART_FOOT, "* Foot"}, {OSSA_PART_TOES, "* Toe0"}, {OSSA_PART_TAIL, "Tail#"}, {OSSA_PART_NONE, "HeadNub"},
		{OSSA_PART_NONE, "* Toe0Nub"}},
	.fingers = {"* Finger@%", {"0", "1", "2", "3", "4"}, {"", "1", "2"}, {0}},
};

static const ossai_convention xsens = {
	.name = "xsens",
	.title = "Xsens MVN",
	.prefix = "",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Pelvis"}, {OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "L5"}, {OSSA_PART_SPINE, "L3"},
		{OSSA_PART_SPINE, "T12"}, {OSSA_PART_SPINE, "T8"}, {OSSA_PART_NECK, "Neck"}, {OSSA_PART_HEAD, "Head"},
		{OSSA_PART_CLAVICLE, "*Shoulder"}, {OSSA_PART_UPPER_ARM, "*UpperArm"}, {OSSA_PART_LOWER_ARM, "*ForeArm"},
		{OSSA_PART_HAND, "*Hand"}, {OSSA_PART_UPPER_LEG, "*UpperLeg"}, {OSSA_PART_LOWER_LEG, "*LowerLeg"},
		{OSSA_PART_FOOT, "*Foot"}, {OSSA_PART_TOES, "*Toe"}},
};

/* as Mixamo but for the metacarpals, RightInHandIndex and others, which are no part of their own */
static const ossai_convention neuron = {
	.name = "neuron",
	.title = "Perception Neuron",
	.prefix = "Robot_",
	.side = {"Left", "Right"},
	.row = {{OSSA_PART_HIPS, "Hips"}, {OSSA_PART_SPINE, "Spine#"}, {OSSA_PART_NECK, "Neck#"}, {OSSA_PART_HEAD, "Head"},
		{OSSA_PART_CLAVICLE, "*Shoulder"}, {OSSA_PART_UPPER_ARM, "*Arm"}, {OSSA_PART_LOWER_ARM, "*ForeArm"},
		{OSSA_PART_HAND, "*Hand"}, {OSSA_PART_UPPER_LEG, "*UpLeg"}, {OSSA_PART_LOWER_LEG, "*Leg"}, {OSSA_PART_FOOT, "*Foot"},
		{OSSA_PART_NONE, "*InHandThumb"}, {OSSA_PART_NONE, "*InHandIndex"}, {OSSA_PART_NONE, "*InHandMiddle"},
		{OSSA_PART_NONE, "*InHandRing"}, {OSSA_PART_NONE, "*InHandPinky"}},
	.fingers = {"*Hand@%", {"Thumb", "Index", "Middle", "Ring", "Pinky"}, {"1", "2", "3"}, {0}},
};

/* a joint is called after where the bone begins: hip for the thigh, foot for the toes */
static const ossai_convention smpl = {
	.name = "smpl",
	.title = "SMPL and SMPL-X",
	.prefix = "",
	.side = {"left", "right"},
	.row = {{OSSA_PART_HIPS, "pelvis"}, {OSSA_PART_SPINE, "spine#"}, {OSSA_PART_NECK, "neck"}, {OSSA_PART_HEAD, "head"},
		{OSSA_PART_CLAVICLE, "*_collar"}, {OSSA_PART_UPPER_ARM, "*_shoulder"}, {OSSA_PART_LOWER_ARM, "*_elbow"},
		{OSSA_PART_HAND, "*_wrist"}, {OSSA_PART_UPPER_LEG, "*_hip"}, {OSSA_PART_LOWER_LEG, "*_knee"},
		{OSSA_PART_FOOT, "*_ankle"}, {OSSA_PART_TOES, "*_foot"}, {OSSA_PART_NONE, "*_hand"}, {OSSA_PART_NONE, "jaw"}},
	.fingers = {"*_@%", {"thumb", "index", "middle", "ring", "pinky"}, {"1", "2", "3"}, {0}},
};

static const ossai_convention daz = {
	.name = "daz",
	.title = "Daz Genesis and Poser",
	.prefix = "",
	.side = {"l", "r"},
	.row = {{OSSA_PART_HIPS, "hip"}, {OSSA_PART_SPINE, "abdomen"}, {OSSA_PART_SPINE, "abdomenLower"},
		{OSSA_PART_SPINE, "abdomenUpper"}, {OSSA_PART_SPINE, "chest"}, {OSSA_PART_SPINE, "chestLower"},
		{OSSA_PART_SPINE, "chestUpper"}, {OSSA_PART_NECK, "neck"}, {OSSA_PART_NECK, "neckLower"}, {OSSA_PART_NECK, "neckUpper"},
		{OSSA_PART_HEAD, "head"}, {OSSA_PART_CLAVICLE, "*Collar"}, {OSSA_PART_UPPER_ARM, "*ShldrBend"},
		{OSSA_PART_UPPER_ARM, "*ShldrTwist"}, {OSSA_PART_UPPER_ARM, "*Shldr"}, {OSSA_PART_LOWER_ARM, "*ForearmBend"},
		{OSSA_PART_LOWER_ARM, "*ForearmTwist"}, {OSSA_PART_LOWER_ARM, "*ForeArm"}, {OSSA_PART_HAND, "*Hand"},
		{OSSA_PART_UPPER_LEG, "*ThighBend"}, {OSSA_PART_UPPER_LEG, "*ThighTwist"}, {OSSA_PART_UPPER_LEG, "*Thigh"},
		{OSSA_PART_LOWER_LEG, "*Shin"}, {OSSA_PART_FOOT, "*Foot"}, {OSSA_PART_TOES, "*Toe"}},
	.fingers = {"*@%", {"Thumb", "Index", "Mid", "Ring", "Pinky"}, {"1", "2", "3"}, {0}},
};

static const ossai_convention *const conventions[] = {
	&body, &mixamo, &unreal, &vrm, &unity, &godot, &rigify, &cmu, &acclaim, &biovision, &biped, &xsens, &neuron, &smpl, &daz};

size_t ossai_convention_count(void) { return sizeof conventions / sizeof conventions[0]; }

const ossai_convention *ossai_convention_at(size_t index) { return conventions[index]; }

const ossai_convention *ossai_convention_of_name(const char *name)
{
	for (size_t i = 0; i < ossai_convention_count(); i++) {
		if (strcmp(conventions[i]->name, name) == 0) return conventions[i];
	}
	return NULL;
}
