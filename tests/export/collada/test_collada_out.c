/* tests/export/collada/test_collada_out.c: Collada files of rigs: valid addresses, exact
   numbers, unambiguous names, limits. */
#include "base/context.h"
#include "math/vec.h"
#include "rig/hinge.h"
#include "rig/turns.h"
#include "support/check_collada.h"
#include "support/rich_rig.h"
#include "support/support.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* writes, checks and opens */
static xmlDoc *write_rig(ossa_context *context, const ossa_rig *rig, const ossa_write_options *options)
{
	assert_ok(context, ossa_write_rig(context, rig, test_path("out.dae"), options));
	xmlDoc *document = test_xml_open(test_path("out.dae"));
	test_check_collada_document(document);
	return document;
}

static xmlNode *at_path(xmlNode *element, const char *a, const char *b, const char *c)
{
	const char *const names[] = {a, b, c};
	for (size_t i = 0; i < 3 && element && names[i]; i++) element = test_xml_find(element, names[i]);
	return element;
}

static void assert_text(const xmlNode *element, const char *expected)
{
	assert_non_null(element);
	xmlChar *text = xmlNodeGetContent(element);
	assert_string_equal((const char *)text, expected);
	xmlFree(text);
}

static void assert_numbers(const xmlNode *element, const double *expected, size_t count)
{
	size_t found;
	assert_non_null(element);
	double *values = test_xml_numbers(element, &found);
	assert_int_equal(found, count);
	for (size_t i = 0; i < count; i++) {
		if (values[i] != expected[i]) fail_msg("number %zu is %.17g, not %.17g", i, values[i], expected[i]);
	}
	free(values);
}

/* ---- rigs ---- */

static void rigs_are_sound(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (int round = 0; round < 8; round++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = round & 1;
		options.leaf_bones = (round & 2) != 0;
		options.up = round & 4 ? OSSA_UP_Z : OSSA_UP_Y;
		options.unit = round & 4 ? 0.01 : 1;
		assert_ok(context, test_rich_rig(context, 1000, 3, round & 2 ? 6 : 4, &rig));
		xmlDoc *document = write_rig(context, rig, &options);
		xmlNode *root = xmlDocGetRootElement(document);
		assert_string_equal(test_xml_attribute(root, "version"), round & 1 ? "1.4.1" : "1.5.0");
		assert_true((test_xml_find(root, "kinematics_model") != NULL) == !(round & 1));
		assert_text(test_xml_find(root, "up_axis"), round & 4 ? "Z_UP" : "Y_UP");
		assert_string_equal(test_xml_attribute(test_xml_find(root, "unit"), "meter"), round & 4 ? "0.01" : "1");
		assert_string_equal(test_xml_attribute(test_xml_find(root, "unit"), "name"), round & 4 ? "centimeter" : "meter");
		xmlFreeDoc(document);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* id, sid and name of a joint's node are the bone's name; what ossa knows of it is beside */
static void bones_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	assert_ok(context, ossa_rig_find_limits(context, rig, 5));
	rig->skeleton.bones[2].fit_residual = 0.1;
	xmlDoc *document = write_rig(context, rig, NULL);
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		xmlNode *node = test_xml_by_id(document, bone->name), *parent = node->parent, *extra = NULL;
		assert_string_equal(test_xml_attribute(node, "sid"), bone->name);
		assert_string_equal(test_xml_attribute(node, "name"), bone->name);
		assert_string_equal(test_xml_attribute(node, "type"), "JOINT");
		if (b > 0) assert_string_equal(test_xml_attribute(parent, "id"), rig->skeleton.bones[bone->parent].name);
		/* children come first */
		for (xmlNode *at = xmlFirstElementChild(node); at; at = xmlNextElementSibling(at)) extra = at;
		assert_string_equal(test_xml_attribute(extra, "type"), "ossa");
		assert_numbers(at_path(extra, "technique", "tail", NULL), bone->tail, 3);
		assert_numbers(at_path(extra, "technique", "turn", NULL), &bone->turn_degrees, 1);
		assert_numbers(at_path(extra, "technique", "residual", NULL), &bone->fit_residual, 1);
		assert_numbers(at_path(extra, "technique", "limits", NULL), bone->limits[0], 6);
		if (bone->kind == OSSA_JOINT_HINGE) assert_numbers(at_path(extra, "technique", "axis", NULL), bone->axis, 3);
		else assert_null(at_path(extra, "technique", "axis", NULL));
	}
	xmlFreeDoc(document);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* how often an axis is in the model and in the system, with its direction and limits */
static size_t count_axis(xmlNode *root, const char *joint, const double axis[3], const double limits[2])
{
	xmlNode *system = test_xml_find(root, "articulated_system"), *model = test_xml_find(root, "kinematics_model");
	char info[160];
	size_t found = 0;
	snprintf(info, sizeof info, "inst_%s", joint);
	for (xmlNode *at = model; at; at = test_xml_walk(model, at)) {
		if (strcmp(test_xml_attribute(at, "sid"), joint) != 0) continue;
		assert_numbers(at_path(at, "revolute", "axis", NULL), axis, 3);
		assert_numbers(at_path(at, "revolute", "limits", "min"), &limits[0], 1);
		assert_numbers(at_path(at, "revolute", "limits", "max"), &limits[1], 1);
		found++;
	}
	for (xmlNode *at = system; at; at = test_xml_walk(system, at)) {
		if (strcmp(test_xml_attribute(at, "sid"), info) != 0) continue;
		assert_numbers(at_path(at, "limits", "min", "float"), &limits[0], 1);
		assert_numbers(at_path(at, "limits", "max", "float"), &limits[1], 1);
		found++;
	}
	return found;
}

/* the joint's limits and those of the axis are the bone's, in degrees; the axes are the frame's, or
   a hinge's only one */
static void limits_are_written(void **state)
{
	(void)state;
	static const char *const names[] = {"_rx", "_ry", "_rz"};
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	xmlDoc *document = write_rig(context, rig, NULL);
	xmlNode *root = xmlDocGetRootElement(document);
	assert_ok(context, ossa_rig_find_limits(context, rig, 5));
	size_t hinges = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		const bool is_hinge = bone->kind == OSSA_JOINT_HINGE;
		char joint[128];
		for (int k = 0; k < 3; k++) {
			const double axis[3] = {k == 0, k == 1, k == 2};
			snprintf(joint, sizeof joint, "%s%s", bone->name, names[k]);
			assert_int_equal(count_axis(root, joint, axis, bone->limits[k]), is_hinge ? 0 : 2);
		}
		double axis[3], limits[2] = {0, 0};
		ossai_v3_store(ossai_hinge_axis(bone), axis);
		if (is_hinge) ossai_hinge_limits(bone, limits);
		snprintf(joint, sizeof joint, "%s_hinge", bone->name);
		assert_int_equal(count_axis(root, joint, axis, limits), is_hinge ? 2 : 0);
		hinges += is_hinge;
	}
	assert_true(hinges > 1);
	xmlFreeDoc(document);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* names that are no ids of XML, that are other names with an axis behind, or that hold what
   programs cut names at */
static void every_name_is_safe(void **state)
{
	(void)state;
	static const char *const names[] = {"arm", "arm_rz", "arm_rz_rz", "r", "rz", "_rz", "transform", "axis", "spine_axis",
		"inst_", "dist_inst", "ossa-mesh", "_ossa-mesh", "ossa-3", "01_hip", "_01_hip", "__01_hip"};
	static const char *const ids[] = {"arm", "arm_rz", "arm_rz_rz", "r", "rz", "_rz", "transform", "axis", "spine_axis",
		"inst_", "dist_inst", "__ossa-mesh", "_ossa-mesh", "_ossa-3", "___01_hip", "_01_hip", "__01_hip"};
	enum { NAMES = sizeof names / sizeof names[0] };
	ossa_context *context = test_context(1);
	for (int round = 0; round < 4; round++) {
		ossa_write_options options = ossa_write_default();
		ossa_rig *rig;
		options.collada = round & 1;
		options.leaf_bones = round < 2;
		assert_ok(context, test_rich_rig(context, 1000, 2, 4, &rig));
		assert_true(rig->skeleton.bone_count >= NAMES);
		for (size_t i = 0; i < NAMES; i++) strcpy(rig->skeleton.bones[i].name, names[i]);
		strcpy(rig->mesh->name, round < 2 ? "arm" : "a \"b\" <c> & \x01\xff\xc3\xa4");
		strcpy(rig->clip->name, round < 2 ? "arm_rz" : "walk 2");
		xmlDoc *document = write_rig(context, rig, &options);
		for (size_t i = 0; i < NAMES; i++) {
			xmlNode *node = test_xml_by_id(document, ids[i]);
			assert_non_null(node);
			assert_string_equal(test_xml_attribute(node, "name"), ids[i]);
			xmlNode *extra = xmlLastElementChild(node);
			if (strcmp(names[i], ids[i]) != 0) assert_text(at_path(extra, "technique", "name", NULL), names[i]);
			else assert_null(at_path(extra, "technique", "name", NULL));
		}
		assert_string_not_equal(test_xml_attribute(test_xml_by_id(document, "ossa-mesh"), "name"), "arm");
		const char *clip_name = test_xml_attribute(test_xml_find(xmlDocGetRootElement(document), "animation_clip"), "name");
		assert_string_equal(clip_name, round < 2 ? "arm_rz" : round == 2 ? "walk 2" : "walk_2");
		xmlFreeDoc(document);
		ossa_rig_free(context, rig);
	}
	test_context_end(context);
}

/* the matrices of a frame are the clip's, root and free bones with their translations */
static void motion_is_of_matrices(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	ossa_clip *clip = rig->clip;
	const size_t bones = clip->bone_count;
	clip->translations = ossa_alloc(context, clip->frame_count * bones * 3, sizeof *clip->translations);
	for (size_t i = 0; i < clip->frame_count * bones * 3; i++) clip->translations[i] = (double)(i % 7) - 3;
	xmlDoc *document = write_rig(context, rig, NULL);
	for (size_t b = 0; b < bones; b++) {
		char id[64];
		size_t count;
		snprintf(id, sizeof id, "ossa-motion-%zu-array", b);
		double *values = test_xml_numbers(test_xml_by_id(document, id), &count);
		assert_int_equal(count, clip->frame_count * 16);
		for (size_t f = 0; f < clip->frame_count; f++) {
			const double *rows = values + 16 * f, *q = clip->rotations + 4 * (f * bones + b);
			const double *t = b == 0 ? clip->root_positions + 3 * f : clip->translations + 3 * (f * bones + b);
			const ossai_mat3 turn = ossai_quat_matrix(ossai_quat_of(q));
			for (size_t i = 0; i < 12; i++) {
				const double expected = i % 4 == 3 ? t[i / 4] : turn.m[i / 4][i % 4];
				assert_near(rows[i], expected, 1e-7 * fmax(1, fabs(expected)));
			}
			for (size_t i = 12; i < 16; i++) assert_true(rows[i] == (i == 15));
		}
		free(values);
	}
	assert_numbers(test_xml_by_id(document, "ossa-times-array"), clip->times, clip->frame_count);
	xmlFreeDoc(document);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* a chain of bones, each of the first vertex alone; its mesh may have no vertices */
/* the turn that the bindings of a joint's axes, z before y before x or its own, say it has; the
   next binding */
static xmlNode *read_turn(const xmlNode *root, const ossa_bone *bone, xmlNode *at, ossai_quat *turn)
{
	const bool is_hinge = bone->kind == OSSA_JOINT_HINGE;
	*turn = ossai_quat_identity();
	for (int k = 2; k >= (is_hinge ? 2 : 0); k--) {
		while (at && strcmp((const char *)at->name, "bind_joint_axis") != 0) at = test_xml_walk(root, at);
		assert_non_null(at);
		size_t count;
		double *degrees = test_xml_numbers(at_path(at, "value", "float", NULL), &count);
		assert_int_equal(count, 1);
		const ossai_vec3 axis = is_hinge ? ossai_hinge_axis(bone) : ossai_v3(k == 0, k == 1, k == 2);
		*turn = ossai_quat_mul(*turn, ossai_quat_axis_angle(axis, *degrees * OSSAI_PI / 180));
		free(degrees);
		at = test_xml_walk(root, at);
	}
	return at;
}

/* the current angles of the joints are those of the pose that the file begins with: the first
   frame, or the rest where there is no motion */
static void angles_are_those_of_the_pose(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig;
	assert_ok(context, test_rich_rig(context, 1000, 4, 4, &rig));
	for (int has_motion = 1; has_motion >= 0; has_motion--) {
		xmlDoc *document = write_rig(context, rig, NULL);
		xmlNode *root = xmlDocGetRootElement(document), *at = test_xml_find(root, "bind_joint_axis");
		double most = 0;
		for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
			ossai_quat turn;
			at = read_turn(root, &rig->skeleton.bones[b], at, &turn);
			const ossai_quat rest = ossai_rest_rotation(rig->skeleton.bones, b);
			const ossai_quat local = has_motion ? ossai_quat_unit(ossai_quat_of(rig->clip->rotations + 4 * b)) : rest;
			const ossai_quat apart = ossai_quat_mul(ossai_quat_conjugate(ossai_quat_mul(rest, turn)), local);
			assert_near(ossai_quat_angle(apart), 0, 1e-6);
			most = fmax(most, ossai_quat_angle(turn));
		}
		assert_true(has_motion ? most > 0.01 : most == 0);
		xmlFreeDoc(document);
		ossa_clip_free(context, rig->clip);
		rig->clip = NULL;
	}
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static ossa_rig *make_chain(ossa_context *context, size_t bone_count, bool with_mesh)
{
	static const float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, with_mesh ? 3 : 0, corners, with_mesh, (uint32_t[]){0, 1, 2}, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, bone_count, 1, &rig));
	ossa_mesh_free(context, mesh);
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) rig->weights.values[v] = 1;
	for (size_t b = 0; b < bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		snprintf(bone->name, sizeof bone->name, "b%zu", b);
		bone->parent = (int32_t)b - 1;
		bone->kind = b == 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		bone->joint[1] = (double)b;
		bone->tail[1] = (double)b + 1;
		bone->orientation[3] = 1;
	}
	assert_ok(context, ossa_clip_create(context, 2, bone_count, false, &rig->clip));
	rig->clip->times[1] = 1;
	for (size_t i = 0; i < 2 * bone_count; i++) rig->clip->rotations[4 * i + 3] = 1;
	return rig;
}

static void skeletons_alone_are_written(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = make_chain(context, 3, false);
	xmlDoc *document = write_rig(context, rig, NULL);
	xmlNode *root = xmlDocGetRootElement(document);
	assert_null(test_xml_find(root, "geometry"));
	assert_null(test_xml_find(root, "controller"));
	assert_non_null(test_xml_find(root, "animation"));
	assert_non_null(test_xml_find(root, "bind_joint_axis"));
	xmlFreeDoc(document);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static size_t depth_of(xmlNode *root)
{
	size_t most = 0;
	for (xmlNode *at = root; at; at = test_xml_walk(root, at)) {
		size_t depth = 0;
		for (xmlNode *up = at; up && up->type == XML_ELEMENT_NODE; up = up->parent) depth++;
		most = depth > most ? depth : most;
	}
	return most;
}

/* elements that are too deep for programs are left out, with a warning; the longest chains that fit
   are written completely */
static void long_chains_lose_their_kinematics(void **state)
{
	(void)state;
	static const size_t counts[] = {41, 42, 250, 251};
	for (size_t i = 0; i < 4; i++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = make_chain(context, counts[i], true);
		assert_ok(context, ossa_write_rig(context, rig, test_path("chain.dae"), NULL));
		xmlDoc *document = xmlReadFile(test_path("chain.dae"), NULL, XML_PARSE_NONET | (i == 3 ? XML_PARSE_HUGE : 0));
		assert_non_null(document);
		xmlNode *root = xmlDocGetRootElement(document);
		test_check_collada_document(document);
		assert_true((test_xml_find(root, "kinematics_model") != NULL) == (i == 0));
		assert_true((test_warned(context, "collada-kinematics") > 0) == (i > 0));
		assert_true((test_warned(context, "collada-deep") > 0) == (i == 3));
		/* one bone less or more is the difference */
		if (i != 1) assert_true((depth_of(root) <= 256) == (i < 3));
		if (i == 0) assert_true(depth_of(root) > 250);
		if (i == 2) assert_int_equal(depth_of(root), 256);
		xmlFreeDoc(document);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* ---- meshes ---- */

/* polygons stay, sorted by material; what a corner lacks is filled in; every float comes back */
static void polygons_stay(void **state)
{
	(void)state;
	static const double triangle[] = {3, 3, 2, 2, 2, 2, 7, 7, 2}, quad[] = {0, 0, 0, 1, 1, 1, 2, 2, 0, 3, 3, 1},
						pentagon[] = {1, 1, 2, 4, 8, 2, 5, 5, 2, 6, 6, 2, 2, 2, 2};
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = test_mixed_mesh(context, "fur");
	for (int collada = 0; collada < 2; collada++) {
		xmlDoc *document = test_collada_mesh(context, mesh, NULL, collada);
		xmlNode *root = xmlDocGetRootElement(document), *list = test_xml_find(root, "polylist");
		assert_numbers(test_xml_find(list, "p"), triangle, 9);
		assert_string_equal(test_xml_attribute(list, "material"), "ossa-material-0");
		list = xmlNextElementSibling(list);
		assert_numbers(test_xml_find(list, "p"), quad, 12);
		assert_string_equal(test_xml_attribute(list, "material"), "ossa-material-1");
		list = xmlNextElementSibling(list);
		assert_numbers(test_xml_find(list, "p"), pentagon, 15);
		assert_string_equal(test_xml_attribute(list, "material"), "ossa-none");
		assert_null(xmlNextElementSibling(list));
		test_xml_floats(document, "ossa-positions-array", mesh->positions, 24);
		test_xml_floats(document, "ossa-texcoords-array", mesh->texcoords, 4);
		xmlNode *material = test_xml_by_id(document, "ossa-material-0");
		const char *name = test_xml_attribute(material, "name");
		assert_string_equal(name, collada ? "skin____bone_" : "skin & \"bone\"");
		if (collada) assert_text(at_path(material, "extra", "technique", "name"), "skin & \"bone\"");
		xmlFreeDoc(document);
	}
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rigs_are_sound),
		cmocka_unit_test(bones_are_reported),
		cmocka_unit_test(limits_are_written),
		cmocka_unit_test(every_name_is_safe),
		cmocka_unit_test(motion_is_of_matrices),
		cmocka_unit_test(angles_are_those_of_the_pose),
		cmocka_unit_test(skeletons_alone_are_written),
		cmocka_unit_test(long_chains_lose_their_kinematics),
		cmocka_unit_test(polygons_stay),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
