/* tests/skeleton/from_curve/test_curve_enforce.c: a cross with arms of different length becomes
   symmetric: the longer arm is kept, and what is near the plane is moved onto it. */
#include "skeleton/from_curve/curve_enforce.h"
#include "support/curves.h"
#include "support/proxies.h"
#include "support/support.h"

static const ossai_mirror mirror = {.exists = true, .normal = {1, 0, 0}};

typedef struct bone {
	double joint[3], tail[3];
	uint32_t parent;
} bone;

/* a trunk that leans by less than its radius; an arm of two bones to the left, one bone to the
   right; a head beside the plane by `off` */
static ossai_curve_bones cross_of(test_curve_bench *b, double off)
{
	const bone literal[] = {{{0.01, 0, 0}, {0.03, 1, 0}, OSSA_NONE}, {{0.03, 1, 0}, {-1, 1, 0}, 0},
		{{-1, 1, 0}, {-2, 1, 0.5}, 1}, {{0.03, 1, 0}, {1.5, 1, 0}, 0}, {{0.03, 1, 0}, {off, 2, 0}, 0}};
	ossai_curve_bones bones;
	assert_ok(b->context, ossai_curve_bones_new(&b->arena, 5, 8, &bones));
	for (size_t i = 0; i < 5; i++) {
		bones.joint[i] = ossai_v3_of(literal[i].joint);
		bones.tail[i] = ossai_v3_of(literal[i].tail);
		bones.tree.parent[i] = literal[i].parent;
		bones.radius[i] = 0.1;
	}
	/* the vertices of a box: those on the right follow the right arm */
	for (size_t v = 0; v < 8; v++) bones.bone_of_vertex[v] = v & 1 ? 3 : 2;
	bones.tree.root = 0;
	ossai_tree_sort(&bones.tree);
	return bones;
}

/* corners in the order of the bits x, y, z of their numbers */
static ossai_proxy box_of(ossai_arena *arena)
{
	static const uint32_t triangles[] = {
		0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
	double positions[24];
	for (size_t i = 0; i < 24; i++) positions[i] = (i / 3) >> (i % 3) & 1 ? 2 : -2;
	return test_proxy(arena, 8, positions, 12, triangles);
}

static void the_longer_arm_is_kept_and_mirrored(void **state)
{
	(void)state;
	test_curve_bench b = test_curve_begin();
	ossai_curve_bones bones = cross_of(&b, 0.05);
	const ossai_proxy box = box_of(&b.arena);
	assert_ok(b.context, ossai_curve_bones_enforce(&b.arena, &box, &mirror, &bones));
	/* trunk, two bones of each arm, head */
	assert_int_equal(bones.tree.bone_count, 6);
	size_t on_plane = 0;
	for (uint32_t i = 0; i < 6; i++) {
		const uint32_t image = bones.mirrored[i];
		assert_int_equal(bones.mirrored[image], i);
		assert_near(ossai_distance(bones.joint[image], ossai_mirror_point(&mirror, bones.joint[i])), 0, 1e-12);
		assert_near(ossai_distance(bones.tail[image], ossai_mirror_point(&mirror, bones.tail[i])), 0, 1e-12);
		if (bones.tree.parent[i] != OSSA_NONE) assert_int_equal(bones.tree.parent[image], bones.mirrored[bones.tree.parent[i]]);
		on_plane += image == i;
	}
	assert_int_equal(on_plane, 2);
	double reach = 0;
	for (uint32_t i = 0; i < 6; i++) reach = fmax(reach, bones.tail[i].x);
	assert_near(reach, 2, 1e-12);
	/* the skin of the short arm follows the image of the arm that replaced it */
	for (uint32_t v = 0; v < 8; v++) {
		const ossai_vec3 tail = bones.tail[bones.bone_of_vertex[v]];
		assert_near(tail.x, v & 1 ? 2 : -2, 1e-12);
	}
	test_curve_end(&b);
}

/* its radius, 0.1, is larger than the share of the size that counts for thin bones */
static void what_is_within_its_radius_lies_on_the_plane(void **state)
{
	(void)state;
	static const double off[] = {0.099, 0.101};
	for (int i = 0; i < 2; i++) {
		test_curve_bench b = test_curve_begin();
		ossai_curve_bones bones = cross_of(&b, off[i]);
		const ossai_proxy box = box_of(&b.arena);
		assert_ok(b.context, ossai_curve_bones_enforce(&b.arena, &box, &mirror, &bones));
		/* a head beside the plane, on the side that is not kept, is lost with that side */
		size_t on_plane = 0;
		for (uint32_t k = 0; k < bones.tree.bone_count; k++) on_plane += bones.mirrored[k] == k;
		assert_int_equal(on_plane, i == 0 ? 2 : 1);
		assert_int_equal(bones.tree.bone_count, i == 0 ? 6 : 5);
		test_curve_end(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longer_arm_is_kept_and_mirrored), cmocka_unit_test(what_is_within_its_radius_lies_on_the_plane)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
