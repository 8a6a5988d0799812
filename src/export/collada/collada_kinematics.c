/* export/collada/collada_kinematics.c: the kinematics of Collada 1.5: how far each joint may turn,
   for programs that pose by joints.

   Place in the path: inside the Collada writer.
   Input: bones with limits.
   Output: a kinematics model in which every bone is a chain of three hinges (about its frame's z,
   y and x, as many programs do not support joints of several axes), a hinge one, a joint that
   slides one prismatic joint, an articulated system with the limits once more (some programs read
   these, some the joints' own; all in degrees), a scene that names the axes, and the bindings of
   the axes to the turns of the nodes, each at its current angle: that of the first frame of the
   motion, 0 without one.

   Names are addresses: MODEL/JOINT/axis0 begins with the id of the model, not of its instance, and
   the axes of the scene end in inst_JOINT_axis0: collada_to_urdf and three.js require these
   names. */
#include "export/collada/collada.h"

#include "math/euler.h"
#include "rig/hinge.h"
#include "rig/slides.h"
#include "rig/turns.h"
#include "rig/universal_joint.h"

/* an axis of a bone with the names that belong to it */
typedef struct hinge {
	ossai_joint_axis axis;
	char joint[OSSAI_COLLADA_ID]; /* "arm_rz" */
	char link[OSSAI_COLLADA_ID];  /* what it moves: the bone, or what is between two of its axes */
} hinge;

static size_t count_of(const ossai_collada *file, size_t bone)
{
	return ossai_joint_axis_count(&file->rig->skeleton.bones[bone]);
}

static hinge hinge_of(const ossai_collada *file, size_t bone, size_t i)
{
	ossai_joint_axis axes[3];
	const size_t count = ossai_joint_axes(&file->rig->skeleton.bones[bone], axes);
	hinge one = {.axis = axes[i]};
	snprintf(one.joint, sizeof one.joint, "%s%s", file->stems[bone], one.axis.name);
	if (i + 1 == count) snprintf(one.link, sizeof one.link, "%s", file->ids[bone]);
	else snprintf(one.link, sizeof one.link, "ossa-%zu%s", bone, one.axis.name);
	return one;
}

/* ---- the model ---- */

static void put_number(ossai_markup *markup, const char *element, double value)
{
	ossai_markup_open(markup, element, NULL);
	ossai_markup_double(markup, value);
	ossai_markup_close(markup, element);
}

static void put_hinge(ossai_collada *file, const hinge *one)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "joint", "sid", one->joint, "name", one->joint, NULL);
	const char *kind = one->axis.slides ? "prismatic" : "revolute";
	ossai_markup_open(markup, kind, "sid", "axis0", NULL);
	ossai_markup_open(markup, "axis", NULL);
	ossai_markup_doubles(markup, one->axis.direction, 3);
	ossai_markup_close(markup, "axis");
	ossai_markup_open(markup, "limits", NULL);
	put_number(markup, "min", one->axis.limits[0]);
	put_number(markup, "max", one->axis.limits[1]);
	ossai_markup_close(markup, "limits");
	ossai_markup_close(markup, kind);
	ossai_markup_close(markup, "joint");
}

/* the transform of a joint in its parent's frame: its position and rotation, as axis and degrees */
static void put_place(ossai_collada *file, size_t bone)
{
	const ossai_rigid rest = ossai_collada_rest(&file->rig->skeleton, bone);
	const ossai_quat q = ossai_mat3_quat(&rest.r);
	const ossai_vec3 axis = ossai_unit(ossai_v3(q.x, q.y, q.z), ossai_v3(1, 0, 0));
	const double place[3] = {rest.t.x, rest.t.y, rest.t.z};
	const double turn[4] = {axis.x, axis.y, axis.z, ossai_quat_angle(q) * 180 / OSSAI_PI};
	ossai_markup_open(&file->markup, "translate", NULL);
	ossai_markup_doubles(&file->markup, place, 3);
	ossai_markup_close(&file->markup, "translate");
	ossai_markup_open(&file->markup, "rotate", NULL);
	ossai_markup_doubles(&file->markup, turn, 4);
	ossai_markup_close(&file->markup, "rotate");
}

/* links, each the child of the one before by one hinge; only the first is moved to the
   joint's position */
static void open_links(ossai_collada *file, size_t bone)
{
	for (size_t i = 0; i < count_of(file, bone); i++) {
		const hinge one = hinge_of(file, bone, i);
		char joint[OSSAI_COLLADA_ADDRESS];
		snprintf(joint, sizeof joint, "ossa-kinematics/%s", one.joint);
		ossai_markup_open(&file->markup, "attachment_full", "joint", joint, NULL);
		if (i == 0) put_place(file, bone);
		ossai_markup_open(&file->markup, "link", "sid", one.link, "name", one.link, NULL);
	}
}

static void close_links(ossai_collada *file, size_t bone)
{
	for (size_t i = 0; i < count_of(file, bone); i++) {
		ossai_markup_close(&file->markup, "link");
		ossai_markup_close(&file->markup, "attachment_full");
	}
}

static void put_model(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossai_collada_walk walk = {0, false};
	ossai_markup_open(markup, "library_kinematics_models", NULL);
	ossai_markup_open(markup, "kinematics_model", "id", "ossa-kinematics", "name", "kinematics", NULL);
	ossai_markup_open(markup, "technique_common", NULL);
	for (size_t b = 0; b < file->rig->skeleton.bone_count; b++) {
		for (size_t i = 0; i < count_of(file, b); i++) {
			const hinge one = hinge_of(file, b, i);
			put_hinge(file, &one);
		}
	}
	ossai_markup_open(markup, "link", "sid", "ossa-base", "name", "ossa-base", NULL);
	do {
		if (walk.leaving) close_links(file, walk.bone);
		else open_links(file, walk.bone);
	} while (ossai_collada_walk_on(file, &walk));
	ossai_markup_close(markup, "link");
	ossai_markup_close(markup, "technique_common");
	ossai_markup_close(markup, "kinematics_model");
	ossai_markup_close(markup, "library_kinematics_models");
}

/* ---- the system and the scene ---- */

/* a parameter that stands for an address */
static void put_reference(ossai_markup *markup, const char *sid, const char *address)
{
	ossai_markup_open(markup, "newparam", "sid", sid, NULL);
	ossai_markup_text_element(markup, "SIDREF", address);
	ossai_markup_close(markup, "newparam");
}

/* for each axis the parameter PREFIX_inst_JOINT_axis0, which stands for an address made of the
   joint's name */
static void put_references(ossai_collada *file, const char *prefix, const char *before, const char *after)
{
	for (size_t b = 0; b < file->rig->skeleton.bone_count; b++) {
		for (size_t i = 0; i < count_of(file, b); i++) {
			const hinge one = hinge_of(file, b, i);
			char sid[OSSAI_COLLADA_ADDRESS], address[OSSAI_COLLADA_ADDRESS];
			snprintf(sid, sizeof sid, "%s_inst_%s_axis0", prefix, one.joint);
			snprintf(address, sizeof address, "%s%s%s", before, one.joint, after);
			put_reference(&file->markup, sid, address);
		}
	}
}

/* <NAME><TYPE>value</TYPE></NAME> */
static void put_value(ossai_markup *markup, const char *name, const char *type, const char *value)
{
	ossai_markup_open(markup, name, NULL);
	ossai_markup_text_element(markup, type, value);
	ossai_markup_close(markup, name);
}

static void put_axis_info(ossai_collada *file, const hinge *one)
{
	ossai_markup *markup = &file->markup;
	char sid[OSSAI_COLLADA_ADDRESS], address[OSSAI_COLLADA_ADDRESS];
	snprintf(sid, sizeof sid, "inst_%s", one->joint);
	snprintf(address, sizeof address, "ossa-kinematics/%s/axis0", one->joint);
	ossai_markup_open(markup, "axis_info", "sid", sid, "axis", address, NULL);
	put_value(markup, "active", "bool", "true");
	put_value(markup, "locked", "bool", "false");
	ossai_markup_open(markup, "limits", NULL);
	ossai_markup_open(markup, "min", NULL);
	put_number(markup, "float", one->axis.limits[0]);
	ossai_markup_close(markup, "min");
	ossai_markup_open(markup, "max", NULL);
	put_number(markup, "float", one->axis.limits[1]);
	ossai_markup_close(markup, "max");
	ossai_markup_close(markup, "limits");
	ossai_markup_close(markup, "axis_info");
}

static void put_system(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "library_articulated_systems", NULL);
	ossai_markup_open(markup, "articulated_system", "id", "ossa-system", NULL);
	ossai_markup_open(markup, "kinematics", NULL);
	ossai_markup_open(markup, "instance_kinematics_model", "url", "#ossa-kinematics", "sid", "model", NULL);
	put_reference(markup, "system_model", "ossa-system/model");
	put_references(file, "system", "ossa-system/model/", "/axis0");
	ossai_markup_close(markup, "instance_kinematics_model");
	ossai_markup_open(markup, "technique_common", NULL);
	for (size_t b = 0; b < file->rig->skeleton.bone_count; b++) {
		for (size_t i = 0; i < count_of(file, b); i++) {
			const hinge one = hinge_of(file, b, i);
			put_axis_info(file, &one);
		}
	}
	ossai_markup_empty(markup, "frame_origin", "link", "ossa-kinematics/ossa-base", NULL);
	ossai_markup_empty(markup, "frame_tip", "link", "ossa-kinematics/ossa-base", NULL);
	ossai_markup_close(markup, "technique_common");
	ossai_markup_close(markup, "kinematics");
	ossai_markup_close(markup, "articulated_system");
	ossai_markup_close(markup, "library_articulated_systems");
}

static void put_kinematics_scene(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "library_kinematics_scenes", NULL);
	ossai_markup_open(markup, "kinematics_scene", "id", "ossa-kinematics-scene", NULL);
	ossai_markup_open(markup, "instance_articulated_system", "sid", "system", "url", "#ossa-system", NULL);
	/* robotics programs take the robot's name from here */
	ossai_collada_put_name(file, file->mesh ? file->mesh_names[0] : "skeleton");
	put_reference(markup, "kscene_model", "ossa-system/system_model");
	put_references(file, "kscene", "ossa-system/system_inst_", "_axis0");
	ossai_markup_close(markup, "instance_articulated_system");
	ossai_markup_close(markup, "kinematics_scene");
	ossai_markup_close(markup, "library_kinematics_scenes");
}

void ossai_collada_put_kinematics(ossai_collada *file)
{
	put_model(file);
	put_system(file);
	put_kinematics_scene(file);
}

/* the first axis comes first, as z does */
static void universal_angles(const ossa_bone *bone, ossai_quat turn, double angles[3])
{
	const double none[2] = {0, 0};
	double own[2];
	ossai_universal_angles(ossai_universal_frame(bone), turn, none, own, &angles[0]);
	angles[2] = own[0];
	angles[1] = own[1];
}

/* the turn of a joint in the first frame of the motion about each of its axes, in degrees to a
   millionth, or how far it slides; at rest without a motion */
static void current_angles(const ossai_collada *file, size_t bone, double degrees[3])
{
	const ossai_quat rest = ossai_rest_rotation(file->rig->skeleton.bones, bone);
	const ossa_bone *own = &file->rig->skeleton.bones[bone];
	const double none[3] = {0, 0, 0};
	double angles[3] = {0, 0, 0};
	if (file->clip) {
		const ossai_quat local = ossai_quat_unit(ossai_quat_of(file->clip->rotations + 4 * bone));
		const ossai_quat turn = ossai_quat_mul(ossai_quat_conjugate(rest), local);
		if (own->kind == OSSA_JOINT_PRISMATIC) angles[2] = ossai_slide_in(file->rig, file->clip, 0, bone);
		else if (own->kind == OSSA_JOINT_HINGE) angles[2] = ossai_hinge_angle(turn, ossai_hinge_axis(own), 0);
		else if (own->kind == OSSA_JOINT_UNIVERSAL) universal_angles(own, turn, angles);
		else ossai_euler_near(turn, OSSAI_EULER_ZYX, none, angles);
	}
	/* z comes first; the sum has no negative zero */
	for (int i = 0; i < 3; i++) degrees[i] = nearbyint(1e6 * angles[2 - i]) / 1e6 + 0.0;
}

static void put_current_angle(ossai_markup *markup, double degrees)
{
	ossai_markup_open(markup, "value", NULL);
	put_number(markup, "float", degrees);
	ossai_markup_close(markup, "value");
}

void ossai_collada_put_kinematics_instance(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "instance_kinematics_scene", "url", "#ossa-kinematics-scene", NULL);
	ossai_markup_open(markup, "bind_kinematics_model", "node", file->ids[0], NULL);
	ossai_markup_text_element(markup, "param", "kscene_model");
	ossai_markup_close(markup, "bind_kinematics_model");
	for (size_t b = 0; b < file->rig->skeleton.bone_count; b++) {
		double degrees[3];
		current_angles(file, b, degrees);
		for (size_t i = 0; i < count_of(file, b); i++) {
			const hinge one = hinge_of(file, b, i);
			char target[OSSAI_COLLADA_ADDRESS], axis[OSSAI_COLLADA_ADDRESS];
			snprintf(target, sizeof target, "%s/%s", file->ids[b], one.joint);
			snprintf(axis, sizeof axis, "kscene_inst_%s_axis0", one.joint);
			ossai_markup_open(markup, "bind_joint_axis", "target", target, NULL);
			put_value(markup, "axis", "param", axis);
			put_current_angle(markup, degrees[i]);
			ossai_markup_close(markup, "bind_joint_axis");
		}
	}
	ossai_markup_close(markup, "instance_kinematics_scene");
}
