/* tests/export/urdf/test_urdf.c: links, joints and files of robots. tests/command/test_urdf.py
   moves them. */
#include "support/dressed.h"
#include "support/faults.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static char text[1 << 16];

static const char *load(const char *path)
{
	text[test_read_bytes(path, text, sizeof text - 1)] = 0;
	return text;
}

static size_t count_of(const char *words)
{
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, words)); at++) count++;
	return count;
}

static void assert_once(const char *words)
{
	if (count_of(words) != 1) fail_msg("%zu times %s in\n%s", count_of(words), words, text);
}

/* two triangles with materials, each of a bone of its own; the second's joint is of any kind */
static ossa_rig *dressed_rig(ossa_context *context, ossa_joint_kind kind)
{
	ossa_mesh *mesh = test_dressed(context);
	ossa_rig *rig;
	assert_ok(context, ossa_rig_create(context, mesh, 2, 1, &rig));
	ossa_bone *bones = rig->skeleton.bones;
	for (int b = 0; b < 2; b++) {
		snprintf(bones[b].name, sizeof bones[b].name, "%s", b ? "arm" : "body");
		bones[b].parent = b - 1;
		bones[b].kind = b ? kind : OSSA_JOINT_ROOT;
		bones[b].orientation[3] = 1;
		bones[b].joint[0] = b;
		bones[b].tail[0] = b + 1;
		bones[b].axis[0] = kind == OSSA_JOINT_HINGE ? b : 0;
	}
	for (size_t v = 0; v < mesh->vertex_count; v++) rig->weights.values[v] = 1;
	/* two corners of the second triangle, one of the first */
	rig->weights.bones[2] = rig->weights.bones[3] = 1;
	ossa_mesh_free(context, mesh);
	return rig;
}

static void write_dressed(ossa_joint_kind kind, double most, const char *name)
{
	ossa_context *context = test_context(1);
	ossa_rig *rig = dressed_rig(context, kind);
	ossa_bone *bone = &rig->skeleton.bones[1];
	bone->has_limits = most > 0;
	for (int k = 0; k < 3 && most > 0; k++) {
		bone->limits[k][0] = kind == OSSA_JOINT_HINGE && k > 0 ? 0 : -90;
		bone->limits[k][1] = kind == OSSA_JOINT_HINGE && k > 0 ? 0 : most;
	}
	assert_ok(context, ossa_write_rig(context, rig, test_path(name), NULL));
	load(test_path(name));
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void kinds_are_joints(void **state)
{
	(void)state;
	write_dressed(OSSA_JOINT_HINGE, 45, "hinge.urdf");
	assert_once("<joint name=\"arm\" type=\"revolute\">");
	assert_once("<axis xyz=\"1 0 0\"/>");
	assert_once("<limit lower=\"-1.5707963267948966\" upper=\"0.785398163");
	write_dressed(OSSA_JOINT_HINGE, 0, "free.urdf");
	assert_once("<joint name=\"arm\" type=\"continuous\">");
	assert_int_equal(count_of("<limit"), 0);
	/* a wheel: a motion of several rounds ends at the widest limit */
	write_dressed(OSSA_JOINT_HINGE, 360, "wheel.urdf");
	assert_once("<joint name=\"arm\" type=\"continuous\">");
	write_dressed(OSSA_JOINT_WELDED, 0, "welded.urdf");
	assert_once("<joint name=\"arm\" type=\"fixed\">");
	write_dressed(OSSA_JOINT_BALL, 45, "ball.urdf");
	assert_once("<joint name=\"arm_rz\" type=\"revolute\">");
	assert_once("<joint name=\"arm_rx\" type=\"revolute\">");
	assert_once("<link name=\"arm_ry\"/>");
	/* of several bodies each moves freely */
	write_dressed(OSSA_JOINT_ROOT, 0, "bodies.urdf");
	assert_once("<joint name=\"arm\" type=\"floating\">");
	assert_once("<joint name=\"body\" type=\"fixed\">");
}

static void names_are_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = dressed_rig(context, OSSA_JOINT_BALL);
	snprintf(rig->skeleton.bones[0].name, sizeof rig->skeleton.bones[0].name, "arm_rz");
	assert_ok(context, ossa_write_rig(context, rig, test_path("apart.urdf"), NULL));
	load(test_path("apart.urdf"));
	assert_once("<link name=\"arm_rz\">");
	assert_once("<link name=\"arm_rz_2\"/>");
	assert_once("<joint name=\"arm_rz\" ");
	assert_once("<joint name=\"arm_rz_2\" ");
	snprintf(rig->skeleton.bones[0].name, sizeof rig->skeleton.bones[0].name, "base_link");
	assert_ok(context, ossa_write_rig(context, rig, test_path("apart.urdf"), NULL));
	load(test_path("apart.urdf"));
	assert_once("<link name=\"base_link\">");
	assert_once("<link name=\"base_link_2\"/>");
	assert_int_equal(test_warned(context, "balls-split"), 2);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void links_share_a_library(void **state)
{
	(void)state;
	char bytes[32];
	/* a name with letters that mean something in addresses */
	write_dressed(OSSA_JOINT_HINGE, 45, "a&b.urdf");
	assert_once("<mesh filename=\"a_b_body.obj\"/>");
	assert_once("<mesh filename=\"a_b_arm.obj\"/>");
	assert_non_null(strstr(load(test_path("a_b_body.obj")), "mtllib a&b.mtl\no body\n"));
	assert_int_equal(count_of("\nusemtl"), 1);
	assert_int_equal(count_of("\nv "), 3);
	assert_int_equal(count_of("\nf "), 1);
	assert_non_null(strstr(load(test_path("a_b_arm.obj")), "mtllib a&b.mtl\no arm\n"));
	assert_once("usemtl glass");
	assert_int_equal(test_read_bytes(test_path("a&b_color.png"), bytes, sizeof bytes), 16);
	/* again over the same files */
	write_dressed(OSSA_JOINT_HINGE, 45, "a&b.urdf");
	assert_once("<mesh filename=\"a_b_arm.obj\"/>");
	assert_non_null(strstr(load(test_path("a_b_arm.obj")), "mtllib a&b.mtl\no arm\n"));
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = dressed_rig(context, OSSA_JOINT_BALL);
	test_sweep_write(&(test_writing){.rig = rig}, "sweep.urdf", 20);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void a_full_disk_leaves_nothing(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rig = dressed_rig(context, OSSA_JOINT_BALL);
	test_full_disk(context, &(test_writing){.rig = rig}, "full.urdf", "full.urdf", 800);
	test_full_disk(context, &(test_writing){.rig = rig}, "none.urdf", "none.mtl", 100);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_joints),
		cmocka_unit_test(names_are_apart),
		cmocka_unit_test(links_share_a_library),
		cmocka_unit_test(every_allocation_may_fail),
		cmocka_unit_test(a_full_disk_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
