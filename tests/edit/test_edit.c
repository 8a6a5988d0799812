/* tests/edit/test_edit.c: edits of a rig: the effect of each on tree, joints, weights and
   motion, and what it leaves unchanged. */
#include "edit/editor.h"
#include "math/vec.h"
#include "support/compare.h"
#include "support/edits.h"
#include "support/support.h"

#include "samples/samples.h"

#include <math.h>
#include <string.h>

/* of the diagonal: what an edit that moves nothing may move */
static const double NOTHING = 1e-6;

static size_t bone_of(const ossa_rig *rig, const char *name)
{
	const int32_t bone = ossa_rig_bone(rig, name);
	if (bone < 0) fail_msg("there is no bone %s", name);
	return (size_t)bone;
}

static const ossa_bone *bone_named(const ossa_rig *rig, const char *name) { return &rig->skeleton.bones[bone_of(rig, name)]; }

static const char *parent_of(const ossa_rig *rig, const char *name)
{
	const int32_t parent = bone_named(rig, name)->parent;
	return parent < 0 ? "" : rig->skeleton.bones[parent].name;
}

static void assert_at(const double *place, double x, double y, double z)
{
	const ossai_vec3 p = ossai_v3_of(place);
	if (ossai_distance(p, ossai_v3(x, y, z)) > 1e-9) fail_msg("%g %g %g is not %g %g %g", p.x, p.y, p.z, x, y, z);
}

static void do_line(ossa_context *context, ossa_editor *editor, const char *line)
{
	assert_ok(context, ossa_editor_do_line(context, editor, line));
	test_edits_check(context, ossa_editor_rig(editor), line);
}

/* ---- literal rigs ---- */

static ossa_editor *chain_editor(ossa_context *context)
{
	ossa_rig *rig = test_edits_chain(context);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	ossa_rig_free(context, rig);
	return editor;
}

static void split_parts_a_bone(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_editor *editor = chain_editor(context);
	do_line(context, editor, "split b 0.25");
	const ossa_rig *rig = ossa_editor_rig(editor);
	assert_int_equal(rig->skeleton.bone_count, 5);
	assert_int_equal(bone_of(rig, "b_02"), bone_of(rig, "b") + 1);
	assert_string_equal(parent_of(rig, "b_02"), "b");
	assert_string_equal(parent_of(rig, "c"), "b_02");
	assert_at(bone_named(rig, "b")->tail, 1.5, 0, 0);
	assert_at(bone_named(rig, "b_02")->joint, 1.5, 0, 0);
	assert_at(bone_named(rig, "b_02")->tail, 3, 0, 0);
	assert_true(ossa_editor_is_stale(editor));
	/* the box of b runs from 1 to nearly 3: its vertices near 1 follow the first half, the others
	   the second */
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) {
		const double x = (double)rig->mesh->positions[3 * v];
		const float w = test_weight_named(rig, v, "b") + test_weight_named(rig, v, "b_02");
		if (w > 0) assert_near(test_weight_named(rig, v, "b_02"), x > 2 ? 1 : 0, 1e-6);
	}
	do_line(context, editor, "split d_L 0.5");
	assert_string_equal(parent_of(ossa_editor_rig(editor), "d_02_L"), "d_L");
	ossa_editor_free(context, editor);
	test_context_end(context);
}

static void remove_and_merge(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_editor *editor = chain_editor(context);
	do_line(context, editor, "remove c");
	const ossa_rig *rig = ossa_editor_rig(editor);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_string_equal(parent_of(rig, "d_L"), "b");
	assert_at(bone_named(rig, "b")->tail, 4, 0, 0);
	assert_ok(context, ossa_editor_undo(context, editor));
	do_line(context, editor, "merge c b");
	rig = ossa_editor_rig(editor);
	assert_int_equal(rig->skeleton.bone_count, 3);
	assert_string_equal(parent_of(rig, "c"), "a");
	assert_string_equal(parent_of(rig, "d_L"), "c");
	assert_at(bone_named(rig, "c")->joint, 1, 0, 0);
	assert_at(bone_named(rig, "c")->tail, 4, 0, 0);
	/* the root goes to its first child */
	do_line(context, editor, "remove a");
	rig = ossa_editor_rig(editor);
	assert_string_equal(rig->skeleton.bones[0].name, "c");
	assert_int_equal(rig->skeleton.bones[0].kind, OSSA_JOINT_ROOT);
	do_line(context, editor, "remove d_L");
	assert_fails(context, ossa_editor_do_line(context, editor, "remove c"), OSSA_ERROR_ARGUMENT, "only bone");
	ossa_editor_free(context, editor);
	test_context_end(context);
}

static void move_tail_rename_limits(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_editor *editor = chain_editor(context);
	do_line(context, editor, "move c 2.5,0.5,0");
	const ossa_rig *rig = ossa_editor_rig(editor);
	assert_at(bone_named(rig, "c")->joint, 2.5, 0.5, 0);
	assert_at(bone_named(rig, "b")->tail, 2.5, 0.5, 0);
	/* +Y runs along the bone as it did */
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_of(bone_named(rig, "b")->orientation));
	const ossai_vec3 y = ossai_mat3_mul_v(&frame, ossai_v3(0, 1, 0));
	assert_near_vec3(y, ossai_unit(ossai_v3(1.5, 0.5, 0), y), 1e-9);
	do_line(context, editor, "tail D.l 4 2 0");
	assert_at(bone_named(ossa_editor_rig(editor), "d_L")->tail, 4, 2, 0);
	assert_fails(context, ossa_editor_do_line(context, editor, "tail b 4 2 0"), OSSA_ERROR_ARGUMENT, "move c");
	assert_fails(
		context, ossa_editor_do_line(context, editor, "move b 1e9 0 0"), OSSA_ERROR_ARGUMENT, "too far from the shape");
	do_line(context, editor, "rename b middle");
	assert_string_equal(ossa_editor_rig(editor)->skeleton.bones[1].name, "middle");
	assert_fails(context, ossa_editor_do_line(context, editor, "rename a c"), OSSA_ERROR_ARGUMENT, "already");
	assert_fails(
		context, ossa_editor_do_line(context, editor, "move midle 0 0 0"), OSSA_ERROR_ARGUMENT, "did you mean \"middle\"");
	do_line(context, editor, "limits c -10 20 0 0 -90 90");
	assert_true(bone_named(ossa_editor_rig(editor), "c")->has_limits);
	assert_near(bone_named(ossa_editor_rig(editor), "c")->limits[2][1], 90, 0);
	assert_fails(context, ossa_editor_do_line(context, editor, "limits c 5 20 0 0 0 0"), OSSA_ERROR_ARGUMENT, "they contain 0");
	do_line(context, editor, "limits c none");
	assert_false(bone_named(ossa_editor_rig(editor), "c")->has_limits);
	ossa_editor_free(context, editor);
	test_context_end(context);
}

static void connect_and_root(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_editor *editor = chain_editor(context);
	do_line(context, editor, "connect c a");
	assert_string_equal(parent_of(ossa_editor_rig(editor), "c"), "a");
	assert_fails(context, ossa_editor_do_line(context, editor, "connect a c"), OSSA_ERROR_ARGUMENT, "is the root");
	assert_fails(context, ossa_editor_do_line(context, editor, "connect c d_L"), OSSA_ERROR_ARGUMENT, "is a descendant of");
	assert_ok(context, ossa_editor_undo(context, editor));
	do_line(context, editor, "root c");
	const ossa_rig *rig = ossa_editor_rig(editor);
	assert_string_equal(rig->skeleton.bones[0].name, "c");
	assert_string_equal(parent_of(rig, "b"), "c");
	assert_string_equal(parent_of(rig, "a"), "b");
	assert_string_equal(parent_of(rig, "d_L"), "c");
	/* they meet where they met */
	assert_at(bone_named(rig, "b")->joint, 3, 0, 0);
	assert_at(bone_named(rig, "b")->tail, 1, 0, 0);
	assert_at(bone_named(rig, "a")->joint, 1, 0, 0);
	assert_at(bone_named(rig, "c")->tail, 4, 0, 0);
	/* the old root reaches farther than it did: without motion weights follow from where bones
	   run */
	assert_at(bone_named(rig, "a")->tail, -1, 0, 0);
	assert_true(ossa_editor_is_stale(editor));
	ossa_editor_free(context, editor);
	test_context_end(context);
}

static void add_a_branch(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_editor *editor = chain_editor(context);
	do_line(context, editor, "add b 2 1 0 wing");
	const ossa_rig *rig = ossa_editor_rig(editor);
	assert_string_equal(parent_of(rig, "wing"), "b");
	assert_at(bone_named(rig, "wing")->joint, 2, 0, 0);
	assert_at(bone_named(rig, "wing")->tail, 2, 1, 0);
	assert_at(bone_named(rig, "b")->tail, 3, 0, 0);
	assert_fails(context, ossa_editor_do_line(context, editor, "add b 2 0 0"), OSSA_ERROR_ARGUMENT, "no length");
	assert_fails(context, ossa_editor_do_line(context, editor, "add b 2 1 0 a"), OSSA_ERROR_ARGUMENT, "already");
	do_line(context, editor, "add d_L 5 1 0");
	assert_string_equal(parent_of(ossa_editor_rig(editor), "d_branch_L"), "d_L");
	ossa_editor_free(context, editor);
	test_context_end(context);
}

/* ---- motion ---- */

/* edits that leave every vertex of every frame where it was */
static void some_edits_move_nothing(void **unused)
{
	(void)unused;
	static const struct {
		int kind;
		const char *lines[3];
	} cases[] = {
		{OSSA_SAMPLE_BIPED, {"split thigh-l 0.3", "split forearm-r"}},
		{OSSA_SAMPLE_BIPED, {"root shin-l", "root hand-r", "root hips"}},
		{OSSA_SAMPLE_BIPED, {"connect upperarm-l hips", "connect toe-r head"}},
		{OSSA_SAMPLE_BIPED, {"rename spine back", "split back 0.5 upper_back", "root upper_back"}},
		{OSSA_SAMPLE_QUADRUPED, {"add spine-2 0 1.5 0 hump"}},
		{OSSA_SAMPLE_HAND, {NULL}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		ossa_context *context = test_context(1);
		ossa_rig *rig = test_edits_rig(context, cases[i].kind, 1000, 5);
		ossa_editor *editor;
		assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
		for (int k = 0; k < 3 && cases[i].lines[k]; k++) {
			if (ossa_editor_do_line(context, editor, cases[i].lines[k]) != OSSA_OK) {
				fail_msg("%s: %s", cases[i].lines[k], ossa_context_error(context)->message);
			}
			const double moved = test_largest_difference(context, rig, ossa_editor_rig(editor), NULL);
			if (!(moved <= NOTHING)) fail_msg("\"%s\" moves the surface by %g", cases[i].lines[k], moved);
			test_edits_check(context, ossa_editor_rig(editor), cases[i].lines[k]);
		}
		ossa_editor_free(context, editor);
		ossa_rig_free(context, rig);
		test_context_end(context);
	}
}

/* ---- mirror ---- */

/* the vertex at the point opposite to another's */
static size_t opposite_vertex(const ossa_mesh *mesh, size_t vertex)
{
	const float *p = mesh->positions + 3 * vertex;
	size_t best = 0;
	double least = INFINITY;
	for (size_t v = 0; v < mesh->vertex_count; v++) {
		const float *q = mesh->positions + 3 * v;
		const double distance = ossai_distance(ossai_v3(-(double)p[0], (double)p[1], (double)p[2]), ossai_v3_of_float(q));
		if (distance < least) best = v;
		least = fmin(least, distance);
	}
	return least < 1e-5 ? best : SIZE_MAX;
}

/* where a bone brings a point that it moves back as the mesh was modelled */
static ossai_vec3 as_modelled(const ossa_bone *bone, ossai_vec3 p)
{
	const ossai_mat3 r = ossai_quat_matrix(ossai_quat_of(bone->modelled));
	return ossai_add(ossai_mat3_mul_v(&r, p), ossai_v3_of(bone->modelled + 4));
}

static void mirror_makes_both_sides_alike(void **unused)
{
	(void)unused;
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_rig(context, OSSA_SAMPLE_BIPED, 2000, 3);
	const double posed[7] = {0.48, 0.6, 0, 0.64, 0.1, 0.2, 0.3};
	memcpy(rig->skeleton.bones[ossa_rig_bone(rig, "upperarm-l")].modelled, posed, sizeof posed);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	do_line(context, editor, "split forearm-l 0.5 mid-l");
	do_line(context, editor, "limits upperarm-l -10 20 -30 40 -50 60");
	do_line(context, editor, "lock joint hand-r");
	do_line(context, editor, "mirror upperarm-l");
	const ossa_rig *now = ossa_editor_rig(editor);
	assert_int_equal(now->skeleton.bone_count, rig->skeleton.bone_count + 2);
	assert_string_equal(parent_of(now, "mid-r"), "forearm-r");
	assert_string_equal(parent_of(now, "hand-r"), "mid-r");
	assert_string_equal(parent_of(now, "upperarm-r"), "chest");
	/* as exactly as the mesh's floats define the plane */
	const double *joint = bone_named(now, "mid-l")->joint, *image = bone_named(now, "mid-r")->joint;
	assert_near_vec3(ossai_v3(-joint[0], joint[1], joint[2]), ossai_v3_of(image), 1e-6);
	const ossai_vec3 left = as_modelled(bone_named(now, "upperarm-l"), ossai_v3(0.3, 1.2, 0.1));
	const ossai_vec3 right = as_modelled(bone_named(now, "upperarm-r"), ossai_v3(-0.3, 1.2, 0.1));
	assert_near_vec3(ossai_v3(-left.x, left.y, left.z), right, 1e-5);
	const double wanted[] = {-10, 20, -40, 30, -60, 50};
	for (int i = 0; i < 6; i++) assert_near(bone_named(now, "upperarm-r")->limits[i / 2][i % 2], wanted[i], 1e-12);
	assert_true(ossa_editor_constraint(editor, 0).is_on);
	/* the skin too */
	size_t compared = 0;
	for (size_t v = 0; v < now->mesh->vertex_count; v += 7) {
		const size_t opposite = opposite_vertex(now->mesh, v);
		if (opposite == SIZE_MAX || now->mesh->positions[3 * v] < 0.02F) continue;
		assert_near(test_weight_named(now, v, "mid-l"), test_weight_named(now, opposite, "mid-r"), 1e-4);
		assert_near(test_weight_named(now, v, "hand-l"), test_weight_named(now, opposite, "hand-r"), 1e-4);
		compared++;
	}
	assert_true(compared > 20);
	assert_fails(
		context, ossa_editor_do_line(context, editor, "mirror spine"), OSSA_ERROR_ARGUMENT, "on the plane of symmetry");
	/* a limb that is on one side only */
	do_line(context, editor, "remove hand-r");
	do_line(context, editor, "mirror hand-l");
	assert_string_equal(parent_of(ossa_editor_rig(editor), "hand-r"), "mid-r");
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* where names do not identify the other side's bone, positions do */
static void mirror_finds_what_is_there_by_its_place(void **unused)
{
	(void)unused;
	static const char *const lines[] = {"rename upperarm-l a", "rename forearm-l b", "rename hand-l c", "rename upperarm-r d",
		"rename forearm-r e", "rename hand-r f", "lock joint f", "limits b -10 20 -30 40 -50 60"};
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_rig(context, OSSA_SAMPLE_BIPED, 2000, 3);
	ossa_editor *editor;
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) do_line(context, editor, lines[i]);
	do_line(context, editor, "mirror a");
	const ossa_rig *now = ossa_editor_rig(editor);
	assert_int_equal(now->skeleton.bone_count, rig->skeleton.bone_count);
	assert_string_equal(parent_of(now, "d"), "chest");
	assert_string_equal(parent_of(now, "e"), "d");
	assert_string_equal(parent_of(now, "f"), "e");
	assert_near(bone_named(now, "e")->limits[0][0], -10, 1e-12);
	assert_true(ossa_editor_constraint(editor, 0).is_on);
	/* a mirrored hand is the child of the other arm; one that exists on one side only is new
	   there */
	do_line(context, editor, "mirror c");
	assert_string_equal(parent_of(ossa_editor_rig(editor), "f"), "e");
	do_line(context, editor, "remove f");
	do_line(context, editor, "split b 0.5 b2");
	do_line(context, editor, "mirror b2");
	now = ossa_editor_rig(editor);
	assert_int_equal(now->skeleton.bone_count, rig->skeleton.bone_count + 2);
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

/* ---- history ---- */

static void undo_gives_the_same_bytes(void **unused)
{
	(void)unused;
	static const char *const lines[] = {"split thigh-l", "remove neck", "connect hand-r forearm-l", "root shin-r", "solve"};
	enum { COUNT = sizeof lines / sizeof lines[0] };
	ossa_context *context = test_context(1);
	ossa_rig *rig = test_edits_rig(context, OSSA_SAMPLE_BIPED, 1000, 4);
	ossa_editor *editor, *again;
	test_bytes bytes[COUNT + 1];
	assert_ok(context, ossa_editor_create(context, rig, NULL, &editor));
	bytes[0] = test_rig_bytes(context, ossa_editor_rig(editor));
	for (size_t i = 0; i < COUNT; i++) {
		do_line(context, editor, lines[i]);
		bytes[i + 1] = test_rig_bytes(context, ossa_editor_rig(editor));
		assert_false(test_same_bytes(bytes[i], bytes[i + 1]));
	}
	/* with all states, then with few of them */
	for (int round = 0; round < 2; round++) {
		for (size_t i = COUNT; i > 0; i--) {
			assert_ok(context, ossa_editor_undo(context, editor));
			test_bytes now = test_rig_bytes(context, ossa_editor_rig(editor));
			assert_true(test_same_bytes(now, bytes[i - 1]));
			ossa_free(context, now.bytes);
		}
		assert_fails(context, ossa_editor_undo(context, editor), OSSA_ERROR_ARGUMENT, "no edit to undo");
		for (size_t i = 0; i < COUNT; i++) {
			assert_ok(context, ossa_editor_redo(context, editor));
			test_bytes now = test_rig_bytes(context, ossa_editor_rig(editor));
			assert_true(test_same_bytes(now, bytes[i + 1]));
			ossa_free(context, now.bytes);
		}
		ossai_editor_limit(context, editor, 1);
		assert_int_equal(ossai_editor_kept(editor), 2);
	}
	char *log;
	assert_ok(context, ossa_editor_log(context, editor, &log));
	assert_ok(context, ossa_editor_create(context, rig, NULL, &again));
	assert_ok(context, ossa_editor_replay(context, again, log));
	test_bytes now = test_rig_bytes(context, ossa_editor_rig(again));
	assert_true(test_same_bytes(now, bytes[COUNT]));
	ossa_free(context, now.bytes);
	ossa_free(context, log);
	for (size_t i = 0; i <= COUNT; i++) ossa_free(context, bytes[i].bytes);
	ossa_editor_free(context, again);
	ossa_editor_free(context, editor);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(split_parts_a_bone),
		cmocka_unit_test(remove_and_merge),
		cmocka_unit_test(move_tail_rename_limits),
		cmocka_unit_test(connect_and_root),
		cmocka_unit_test(add_a_branch),
		cmocka_unit_test(some_edits_move_nothing),
		cmocka_unit_test(mirror_makes_both_sides_alike),
		cmocka_unit_test(mirror_finds_what_is_there_by_its_place),
		cmocka_unit_test(undo_gives_the_same_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
