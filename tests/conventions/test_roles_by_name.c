/* tests/conventions/test_roles_by_name.c: which part of a body each bone is, by its name. */
#include "conventions/roles_by_name.h"
#include "support/named_bones.h"

#include <string.h>

typedef struct expected_role {
	const char *bone, *role;
} expected_role;

/* a skeleton of one convention, and the roles of some of its bones */
typedef struct example {
	const char *convention; /* NULL: plain words */
	const char *tree;
	size_t matched;
	expected_role roles[24];
} example;

static void check(const example *e)
{
	ossa_context *context = test_context(1);
	named_bones made;
	ossa_role role[NAMED_BONES_MAX];
	const ossai_convention *convention;
	size_t matched;
	named_bones_of(&made, e->tree);
	assert_ok(context, ossai_roles_by_name(context, &made.skeleton, role, &convention, &matched));
	assert_string_equal(convention ? convention->name : "words", e->convention ? e->convention : "words");
	for (size_t i = 0; e->roles[i].bone; i++) assert_role_of(&made, role, e->roles[i].bone, e->roles[i].role);
	assert_int_equal(matched, e->matched);
	test_context_end(context);
}

static void ossas_own(void **state)
{
	(void)state;
	check(&(example){"body",
		"pelvis(spine_01(spine_02(neck_01(neck_02(head)),clavicle_L(upperarm_L(upperarm_twist_01_L,lowerarm_L(hand_L("
		"thumb_01_L(thumb_02_L))))))),thigh_L(calf_01_L(calf_02_L(foot_L(toe_L)))),thigh_R(calf_R(foot_R)))",
		20,
		{{"pelvis", "pelvis"}, {"spine_01", "spine 1"}, {"spine_02", "spine 2"}, {"neck_01", "neck 1"}, {"neck_02", "neck 2"},
			{"upperarm_L", "left upperarm"}, {"upperarm_twist_01_L", ""}, {"thumb_02_L", "left thumb 2"},
			{"calf_01_L", "left calf 1"}, {"calf_02_L", "left calf 2"}, {"calf_R", "right calf"}, {"toe_L", "left toe"}, {0}}});
}

static void mixamo_with_prefix(void **state)
{
	(void)state;
	check(&(example){"mixamo",
		"mixamorig1:Hips(mixamorig1:Spine(mixamorig1:Spine1(mixamorig1:Spine2(mixamorig1:Neck(mixamorig1:Head("
		"mixamorig1:HeadTop_End)),mixamorig1:LeftShoulder(mixamorig1:LeftArm(mixamorig1:LeftForeArm(mixamorig1:LeftHand("
		"mixamorig1:LeftHandThumb1(mixamorig1:LeftHandThumb2(mixamorig1:LeftHandThumb3(mixamorig1:LeftHandThumb4)))))))))),"
		"mixamorig1:LeftUpLeg(mixamorig1:LeftLeg(mixamorig1:LeftFoot(mixamorig1:LeftToeBase(mixamorig1:LeftToe_End)))))",
		17,
		{{"mixamorig1_Spine", "spine 1"}, {"mixamorig1_Spine2", "spine 3"}, {"mixamorig1_HeadTop_End", ""},
			{"mixamorig1_LeftShoulder", "left clavicle"}, {"mixamorig1_LeftArm", "left upperarm"},
			{"mixamorig1_LeftHandThumb1", "left thumb 1"}, {"mixamorig1_LeftHandThumb3", "left thumb 3"},
			{"mixamorig1_LeftHandThumb4", ""}, {"mixamorig1_LeftLeg", "left calf"}, {"mixamorig1_LeftToeBase", "left toe"},
			{"mixamorig1_LeftToe_End", ""}, {0}}});
}

/* of MotionBuilder, with a prefix of its own; of three.js, without a separator */
static void mixamo_with_other_prefixes(void **state)
{
	(void)state;
	check(&(example){"mixamo",
		"Character1_Hips(Character1_Spine(Character1_LeftArm(Character1_LeftForeArm)),Character1_LeftUpLeg)", 5,
		{{"Character1_LeftForeArm", "left lowerarm"}, {"Character1_LeftUpLeg", "left thigh"}, {0}}});
	check(&(example){"mixamo", "mixamorigHips(mixamorigSpine(mixamorigLeftArm(mixamorigLeftForeArm)),mixamorigLeftUpLeg)", 5,
		{{"mixamorigLeftForeArm", "left lowerarm"}, {0}}});
}

static void unreal(void **state)
{
	(void)state;
	check(&(example){"unreal",
		"root(pelvis(spine_01(spine_02(spine_03(spine_04(spine_05(neck_01(neck_02(head)),clavicle_l(upperarm_l("
		"upperarm_twist_01_l,lowerarm_l(hand_l(index_metacarpal_l(index_01_l(index_02_l)),thumb_01_l))))))))),"
		"thigh_l(calf_l(foot_l(ball_l)))),ik_foot_root(ik_foot_l))",
		20,
		{{"root", ""}, {"pelvis", "pelvis"}, {"spine_05", "spine 5"}, {"neck_02", "neck 2"}, {"upperarm_twist_01_l", ""},
			{"index_metacarpal_l", ""}, {"index_01_l", "left index 1"}, {"ball_l", "left toe"}, {"ik_foot_l", ""}, {0}}});
}

/* the thumb's bones are metacarpal, proximal, distal in VRM and Godot; Unity calls the same ones
   proximal, intermediate, distal */
static void thumbs_of_humanoids(void **state)
{
	(void)state;
	check(&(example){"vrm",
		"hips(spine(chest(upperChest(neck(head(leftEye)),leftShoulder(leftUpperArm(leftLowerArm(leftHand(leftThumbMetacarpal("
		"leftThumbProximal(leftThumbDistal)),leftIndexProximal(leftIndexIntermediate(leftIndexDistal))))))))),"
		"leftUpperLeg(leftLowerLeg(leftFoot(leftToes))))",
		20,
		{{"chest", "spine 2"}, {"upperChest", "spine 3"}, {"leftThumbMetacarpal", "left thumb 1"},
			{"leftThumbProximal", "left thumb 2"}, {"leftThumbDistal", "left thumb 3"}, {"leftIndexProximal", "left index 1"},
			{"leftEye", ""}, {0}}});
	check(&(example){"unity",
		"Hips(Spine(Chest(LeftUpperArm(LeftLowerArm(LeftHand(LeftThumbProximal(LeftThumbIntermediate(LeftThumbDistal))))))))",
		9,
		{{"LeftThumbProximal", "left thumb 1"}, {"LeftThumbIntermediate", "left thumb 2"}, {"LeftThumbDistal", "left thumb 3"},
			{0}}});
	check(&(example){"godot",
		"Root(Hips(Spine(Chest(LeftUpperArm(LeftLowerArm(LeftHand(LeftThumbMetacarpal(LeftThumbProximal(LeftThumbDistal))))))))"
		")",
		9,
		{{"LeftThumbMetacarpal", "left thumb 1"}, {"LeftThumbProximal", "left thumb 2"}, {"LeftThumbDistal", "left thumb 3"},
			{0}}});
}

/* a first bone of the spine that is not above the legs is no pelvis of Rigify */
static void hips_are_above_the_legs(void **state)
{
	(void)state;
	check(&(example){NULL,
		"hips(spine(chest(neck(head),upperarm-l(forearm-l(hand-l)),upperarm-r(forearm-r(hand-r)))),thigh-l(shin-l(foot-l("
		"toe-l))),thigh-r(shin-r(foot-r(toe-r))))",
		19, {{"hips", "pelvis"}, {"spine", "spine 1"}, {"chest", "spine 2"}, {"head", "head"}, {"shin-l", "left calf"}, {0}}});
}

/* the trunk is one chain from the hips to the head, limbs are split in two */
static void rigify(void **state)
{
	(void)state;
	check(&(example){"rigify",
		"DEF-spine(DEF-spine.001(DEF-spine.002(DEF-spine.003(DEF-spine.004(DEF-spine.005(DEF-spine.006)),DEF-shoulder.L("
		"DEF-upper_arm.L(DEF-upper_arm.L.001(DEF-forearm.L(DEF-forearm.L.001(DEF-hand.L(DEF-f_index.01.L(DEF-f_index.02.L),"
		"DEF-palm.01.L))))))))),DEF-thigh.L(DEF-thigh.L.001(DEF-shin.L(DEF-shin.L.001(DEF-foot.L(DEF-toe.L))))))",
		21,
		{{"DEF-spine", "pelvis"}, {"DEF-spine_003", "spine 3"}, {"DEF-spine_004", "neck 1"}, {"DEF-spine_006", "head"},
			{"DEF-upper_arm_L", "left upperarm 1"}, {"DEF-upper_arm_L_001", "left upperarm 2"},
			{"DEF-f_index_02_L", "left index 2"}, {"DEF-palm_01_L", ""}, {"DEF-shin_L_001", "left calf 2"},
			{"DEF-toe_L", "left toe"}, {0}}});
}

static void motion_libraries(void **state)
{
	(void)state;
	check(&(example){"cmu",
		"Hips(LHipJoint(LeftUpLeg(LeftLeg(LeftFoot(LeftToeBase)))),LowerBack(Spine(Spine1(Neck(Neck1(Head)),LeftShoulder("
		"LeftArm("
		"LeftForeArm(LeftHand(LeftFingerBase(LeftHandIndex1),LThumb))))))))",
		17,
		{{"LHipJoint", ""}, {"LowerBack", "spine 1"}, {"Spine1", "spine 3"}, {"Neck1", "neck 2"}, {"LThumb", "left thumb 1"},
			{"LeftHandIndex1", "left index 1"}, {0}}});
	check(&(example){"acclaim",
		"root(lhipjoint(lfemur(ltibia(lfoot(ltoes)))),lowerback(upperback(thorax(lowerneck(upperneck(head)),lclavicle(lhumerus("
		"lradius(lwrist(lhand(lfingers),lthumb))))))))",
		17,
		{{"root", "pelvis"}, {"thorax", "spine 3"}, {"lradius", "left lowerarm 1"}, {"lwrist", "left lowerarm 2"},
			{"lhand", "left hand"}, {"ltoes", "left toe"}, {0}}});
	check(&(example){"biovision",
		"Hips(Chest(Chest2(Neck(Head),LeftCollar(LeftShoulder(LeftElbow(LeftWrist))))),LeftHip(LeftKnee(LeftAnkle(LeftToe))))",
		13,
		{{"Chest2", "spine 2"}, {"LeftCollar", "left clavicle"}, {"LeftShoulder", "left upperarm"}, {"LeftWrist", "left hand"},
			{"LeftHip", "left thigh"}, {"LeftAnkle", "left foot"}, {0}}});
	check(&(example){"xsens",
		"Pelvis(L5(L3(T12(T8(Neck(Head),RightShoulder(RightUpperArm(RightForeArm(RightHand))))))),RightUpperLeg(RightLowerLeg("
		"RightFoot(RightToe))))",
		15, {{"L5", "spine 1"}, {"T8", "spine 4"}, {"RightForeArm", "right lowerarm"}, {"RightToe", "right toe"}, {0}}});
	check(&(example){"neuron",
		"Hips(RightUpLeg(RightLeg(RightFoot)),Spine(Spine1(Spine2(Spine3(Neck(Head),RightShoulder(RightArm(RightForeArm("
		"RightHand("
		"RightInHandIndex(RightHandIndex1))))))))))",
		15, {{"Spine3", "spine 4"}, {"RightInHandIndex", ""}, {"RightHandIndex1", "right index 1"}, {0}}});
	check(&(example){"biped",
		"Bip01(Bip01 Pelvis(Bip01 Spine(Bip01 Spine1(Bip01 Neck(Bip01 Head(Bip01 HeadNub),Bip01 L Clavicle(Bip01 L UpperArm("
		"Bip01 L Forearm(Bip01 L Hand(Bip01 L Finger0(Bip01 L Finger01),Bip01 L Finger1(Bip01 L Finger11)))))))),Bip01 L Thigh("
		"Bip01 L Calf(Bip01 L Foot(Bip01 L Toe0)))))",
		17,
		{{"Bip01", ""}, {"Bip01_L_Finger0", "left thumb 1"}, {"Bip01_L_Finger01", "left thumb 2"},
			{"Bip01_L_Finger1", "left index 1"}, {"Bip01_L_Finger11", "left index 2"}, {"Bip01_L_Toe0", "left toe"}, {0}}});
	check(&(example){"smpl",
		"pelvis(left_hip(left_knee(left_ankle(left_foot))),spine1(spine2(spine3(neck(head),left_collar(left_shoulder(left_"
		"elbow("
		"left_wrist(left_index1(left_index2))))))))",
		16,
		{{"left_hip", "left thigh"}, {"left_ankle", "left foot"}, {"left_foot", "left toe"}, {"left_shoulder", "left upperarm"},
			{"left_wrist", "left hand"}, {"left_index2", "left index 2"}, {0}}});
}

/* of SMPL's FBX files */
static void smpl_with_letters(void **state)
{
	(void)state;
	check(&(example){"smpl",
		"m_avg_Pelvis(m_avg_L_Hip(m_avg_L_Knee(m_avg_L_Ankle(m_avg_L_Foot))),m_avg_Spine1(m_avg_Spine2(m_avg_Neck(m_avg_Head),"
		"m_avg_L_Collar(m_avg_L_Shoulder(m_avg_L_Elbow(m_avg_L_Wrist(m_avg_L_Hand)))))))",
		13, {{"m_avg_L_Foot", "left toe"}, {"m_avg_L_Hand", ""}, {"m_avg_L_Shoulder", "left upperarm"}, {0}}});
}

static void words_of_games(void **state)
{
	(void)state;
	/* a shoulder above an upper arm is a clavicle; a hand is a better hand than a wrist */
	check(&(example){NULL,
		"root(hips(spine(chest(head,shoulder.l(upperarm.l(lowerarm.l(wrist.l(hand.l(handslot.l))))))),upperleg.l(lowerleg.l("
		"foot.l("
		"toes.l)))),kneeIK.l)",
		12,
		{{"shoulder_l", "left clavicle"}, {"wrist_l", ""}, {"hand_l", "left hand"}, {"handslot_l", ""}, {"kneeIK_l", ""},
			{0}}});
	/* an arm above a forearm, a leg below a thigh; sides before the words */
	check(&(example){NULL,
		"hip(waist(chest(neck(head),r-arm(r-forearm),l-arm(l-forearm))),r-thigh(r-leg(r-foot)),l-thigh(l-leg))", 14,
		{{"hip", "pelvis"}, {"waist", "spine 1"}, {"r-arm", "right upperarm"}, {"r-leg", "right calf"}, {0}}});
	/* sides between the words; a number at the end counts bones */
	check(&(example){NULL,
		"_rootJoint(b_Root_00(b_Hip_01(b_Spine01_02(b_Spine02_03(b_Neck_04,b_LeftUpperArm_09(b_LeftForeArm_010))),b_Tail01_012("
		"b_Tail02_013),b_LeftLeg01_015(b_LeftLeg02_016(b_LeftFoot01_017(b_LeftFoot02_018))))))",
		12,
		{{"b_Hip_01", "pelvis"}, {"b_Spine02_03", "spine 2"}, {"b_Tail02_013", "tail 2"}, {"b_LeftLeg01_015", "left thigh"},
			{"b_LeftLeg02_016", "left calf"}, {"b_LeftFoot01_017", "left foot"}, {"b_LeftFoot02_018", "left toe"}, {0}}});
}

/* of Character Creator, VRoid, Second Life, DeepMotion, Roblox, Kinect */
static void words_of_programs(void **state)
{
	(void)state;
	check(&(example){NULL,
		"CC_Base_BoneRoot(CC_Base_Hip(CC_Base_Pelvis(CC_Base_L_Thigh(CC_Base_L_Calf(CC_Base_L_Foot(CC_Base_L_ToeBase)),"
		"CC_Base_L_ThighTwist01)),CC_Base_Waist(CC_Base_Spine01(CC_Base_NeckTwist01(CC_Base_NeckTwist02(CC_Base_Head)),"
		"CC_Base_L_Clavicle(CC_Base_L_Upperarm(CC_Base_L_Forearm(CC_Base_L_Hand(CC_Base_L_Mid1(CC_Base_L_Mid2)))))))))",
		16,
		{{"CC_Base_Hip", "pelvis"}, {"CC_Base_Pelvis", ""}, {"CC_Base_Waist", "spine 1"}, {"CC_Base_NeckTwist02", "neck 2"},
			{"CC_Base_L_ThighTwist01", ""}, {"CC_Base_L_Mid2", "left middle 2"}, {0}}});
	check(&(example){NULL,
		"Root(J_Bip_C_Hips(J_Bip_C_Spine(J_Bip_C_Chest(J_Bip_C_UpperChest(J_Bip_C_Neck(J_Bip_C_Head(J_Sec_Hair1_01,J_Sec_Hair1_"
		"02,"
		"J_Sec_Hair1_03,J_Sec_Hair1_04,J_Sec_Hair1_05,J_Sec_Hair1_06,J_Sec_Hair1_07,J_Sec_Hair1_08,J_Sec_Hair1_09,J_Sec_Hair1_"
		"10,"
		"J_Sec_Hair1_11,J_Sec_Hair1_12,J_Sec_Hair1_13,J_Sec_Hair1_14,J_Sec_Hair1_15,J_Sec_Hair1_16)),J_Bip_L_Shoulder("
		"J_Bip_L_UpperArm(J_Bip_L_LowerArm(J_Bip_L_Hand(J_Bip_L_Little1(J_Bip_L_Little2)))))))),J_Bip_L_UpperLeg(J_Bip_L_"
		"LowerLeg)))",
		14,
		{{"J_Bip_C_UpperChest", "spine 3"}, {"J_Bip_L_Shoulder", "left clavicle"}, {"J_Bip_L_Little2", "left pinky 2"},
			{"J_Sec_Hair1_03", ""}, {0}}});
	check(&(example){NULL,
		"mPelvis(mTorso(mChest(mNeck(mHead),mCollarLeft(mShoulderLeft(mElbowLeft(mWristLeft))))),mHipLeft(mKneeLeft(mAnkleLeft("
		"mFootLeft(mToeLeft)))))",
		13,
		{{"mCollarLeft", "left clavicle"}, {"mShoulderLeft", "left upperarm"}, {"mElbowLeft", "left lowerarm"},
			{"mHipLeft", "left thigh"}, {"mKneeLeft", "left calf"}, {0}}});
	check(&(example){NULL, "hips_JNT(spine_JNT(l_arm_JNT(l_forearm_JNT(l_hand_JNT(l_handThumb1_JNT)))),l_upleg_JNT(l_leg_JNT))",
		8, {{"l_arm_JNT", "left upperarm"}, {"l_handThumb1_JNT", "left thumb 1"}, {"l_leg_JNT", "left calf"}, {0}}});
	check(&(example){"unity",
		"HumanoidRootPart(LowerTorso(UpperTorso(Head,Left_UpperArm_1),LeftUpperLeg(LeftLowerLeg),RightUpperLeg(RightLowerLeg))"
		")",
		8, {{"LowerTorso", "pelvis"}, {"UpperTorso", "spine 1"}, {0}}});
}

static void valve_and_optitrack(void **state)
{
	(void)state;
	check(&(example){"biped",
		"ValveBiped.Bip01_Pelvis(ValveBiped.Bip01_Spine(ValveBiped.Bip01_Spine4(ValveBiped.Bip01_Neck1(ValveBiped.Bip01_Head1),"
		"ValveBiped.Bip01_L_UpperArm)),ValveBiped.Bip01_L_Thigh)",
		7, {{"ValveBiped_Bip01_Head1", "head"}, {"ValveBiped_Bip01_L_Thigh", "left thigh"}, {0}}});
	check(&(example){"optitrack", "Hip(Ab(Chest(Neck(Head),LShoulder(LUArm(LFArm(LHand))))),LThigh(LShin(LFoot(LToe))))", 13,
		{{"Ab", "spine 1"}, {"LUArm", "left upperarm"}, {"LShin", "left calf"}, {0}}});
}

static void words_of_animals(void **state)
{
	(void)state;
	check(&(example){NULL,
		"Body(Back(Torso(Neck1(Neck2(Head(Ear1.L))),FrontUpperLeg.L(FrontLowerLeg.L(front_paw_L)),FrontUpperLeg.R("
		"FrontLowerLeg.R)),"
		"HindUpperLeg.L(HindLowerLeg.L),HindUpperLeg.R(HindLowerLeg.R),Tail1(Tail2)))",
		17,
		{{"Back", "pelvis"}, {"Torso", "spine 1"}, {"FrontUpperLeg_L", "left upperleg_front"},
			{"front_paw_L", "left foot_front"}, {"HindLowerLeg_R", "right lowerleg_back"}, {"Tail2", "tail 2"},
			{"Ear1_L", "left ear"}, {0}}});
}

/* the convention of more bones is taken, the other's names are left */
static void two_conventions(void **state)
{
	(void)state;
	check(&(example){"mixamo",
		"Hips(Spine(LeftShoulder(LeftArm(LeftForeArm)),RightShoulder(RightArm(RightForeArm)),clavicle_l(upperarm_l(lowerarm_l))"
		"),"
		"LeftUpLeg(LeftLeg),thigh_l(calf_l))",
		10, {{"LeftArm", "left upperarm"}, {"upperarm_l", ""}, {"calf_l", ""}, {0}}});
}

/* of two bones of one role the one that is spelled as the convention does */
static void one_role_twice(void **state)
{
	(void)state;
	check(&(example){"mixamo", "Hips(Spine(Left_Hand,LeftHand,LeftForeArm,RightForeArm),LeftUpLeg,RightUpLeg)", 7,
		{{"Left_Hand", ""}, {"LeftHand", "left hand"}, {0}}});
}

static void names_of_nothing(void **state)
{
	(void)state;
	check(&(example){NULL, "root(bone_01(bone_02))", 0, {{"root", ""}, {"bone_01", ""}, {0}}});
	check(&(example){NULL, "Hips(Spine(Head))", 3, {{"Hips", "pelvis"}, {"Head", "head"}, {0}}});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ossas_own),
		cmocka_unit_test(mixamo_with_prefix),
		cmocka_unit_test(mixamo_with_other_prefixes),
		cmocka_unit_test(unreal),
		cmocka_unit_test(thumbs_of_humanoids),
		cmocka_unit_test(hips_are_above_the_legs),
		cmocka_unit_test(rigify),
		cmocka_unit_test(motion_libraries),
		cmocka_unit_test(smpl_with_letters),
		cmocka_unit_test(words_of_games),
		cmocka_unit_test(words_of_programs),
		cmocka_unit_test(valve_and_optitrack),
		cmocka_unit_test(words_of_animals),
		cmocka_unit_test(two_conventions),
		cmocka_unit_test(one_role_twice),
		cmocka_unit_test(names_of_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
