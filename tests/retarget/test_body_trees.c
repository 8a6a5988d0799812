/* tests/retarget/test_body_trees.c: people of one rig: joined by ossa, or two skeletons of a
   foreign file, in which nothing but names says what is a body. */
#include "retarget/body_trees.h"

#include "rig/join_rigs.h"
#include "support/bent_body.h"
#include "support/faults.h"
#include "support/people.h"

#include <math.h>
#include <ossa/rest_pose.h>
#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 2 };

/* in an exact T with the arms lowered by so many degrees, beside each other */
static person person_at(ossa_context *context, int which, double degrees)
{
	person p = person_make(context, (person_form){.names = PERSON_MIXAMO});
	assert_ok(context, ossa_rig_set_rest_pose(context, p.rig, OSSA_REST_T));
	for (int side = 0; side < 2; side++)
		person_bend(&p, PERSON_UPPER_ARM, side, ossai_v3(0, 0, 1), side == 0 ? -degrees : degrees);
	for (size_t v = 0; v < p.rig->mesh->vertex_count; v++) p.rig->mesh->positions[3 * v] += 2 * (float)which;
	for (size_t b = 0; b < p.rig->skeleton.bone_count; b++) {
		p.rig->skeleton.bones[b].joint[0] += 2 * which;
		p.rig->skeleton.bones[b].tail[0] += 2 * which;
		memset(p.rig->skeleton.bones[b].modelled, 0, sizeof p.rig->skeleton.bones[b].modelled);
	}
	return p;
}

/* both as one rig; first: the number of each one's root */
static ossa_rig *join(const person *people, size_t *first)
{
	ossa_context *context = people[0].context;
	const ossa_mesh *mesh = people[0].rig->mesh;
	const size_t each = mesh->vertex_count, faces = mesh->triangle_count;
	float *positions = malloc(PEOPLE * each * 3 * sizeof *positions);
	uint32_t *corners = malloc(PEOPLE * faces * 3 * sizeof *corners),
			 *numbers = malloc(PEOPLE * (each + faces) * sizeof *numbers);
	ossai_rig_part parts[PEOPLE];
	ossa_mesh *whole;
	ossa_rig *rig;
	assert_true(positions && corners && numbers);
	for (uint32_t i = 0; i < PEOPLE * (each + faces); i++) numbers[i] = i;
	for (size_t k = 0; k < PEOPLE; k++) {
		memcpy(positions + 3 * k * each, people[k].rig->mesh->positions, 3 * each * sizeof *positions);
		for (size_t i = 0; i < 3 * faces; i++)
			corners[3 * k * faces + i] = people[k].rig->mesh->triangles[i] + (uint32_t)(k * each);
		parts[k] = (ossai_rig_part){.rig = people[k].rig, .vertices = numbers + k * each, .triangles = numbers + k * faces};
	}
	assert_ok(context, ossa_mesh_create(context, PEOPLE * each, positions, PEOPLE * faces, corners, &whole));
	assert_ok(context, ossai_rigs_join(context, whole, PEOPLE, parts, first, &rig));
	ossa_mesh_free(context, whole);
	free(positions);
	free(corners);
	free(numbers);
	return rig;
}

/* as it is read from a file of another program: names alone are left, those of the second with a
   number */
static void make_foreign(ossa_rig *rig, size_t second)
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b];
		if (b > 0) memmove(bone->name, bone->name + strlen("body_1_"), strlen(bone->name) - strlen("body_1_") + 1);
		if (b >= second) strcat(bone->name, "_2");
		if (b > 0) bone->kind = OSSA_JOINT_UNKNOWN;
		bone->role = (ossa_role){.part = OSSA_PART_NONE};
	}
	rig->body.kind = rig->body.runner_up = OSSA_BODY_NONE;
}

static double angle_to(ossa_context *context, const ossa_rig *rig, int pose)
{
	double degrees;
	assert_ok(context, ossa_rig_rest_angle(context, rig, pose, &degrees));
	return degrees;
}

/* of both people the one that is farther away, whichever is the first */
static void the_angle_is_the_largest_of_all_people(void **state)
{
	(void)state;
	static const double lowered[][PEOPLE] = {{10, 70}, {70, 10}, {0, 45}};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 2 * sizeof lowered / sizeof lowered[0]; i++) {
		const double *down = lowered[i / 2];
		person people[PEOPLE] = {person_at(context, 0, down[0]), person_at(context, 1, down[1])};
		size_t first[PEOPLE];
		ossa_rig *rig = join(people, first);
		if (i % 2 > 0) make_foreign(rig, first[1]);
		assert_near(angle_to(context, rig, OSSA_REST_T), fmax(down[0], down[1]), 1e-3);
		assert_near(angle_to(context, rig, OSSA_REST_A), fmax(fabs(down[0] - 45), fabs(down[1] - 45)), 1e-3);
		ossa_rig_free(context, rig);
		for (int k = 0; k < PEOPLE; k++) person_end(&people[k]);
	}
	test_context_end(context);
}

/* against each one posed alone */
static void people_of_foreign_files_are_posed_each(void **state)
{
	(void)state;
	static const int poses[] = {OSSA_REST_T, OSSA_REST_A};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < 2; i++) {
		person people[PEOPLE] = {person_at(context, 0, 20), person_at(context, 1, 80)};
		size_t first[PEOPLE];
		ossa_rig *rig = join(people, first);
		make_foreign(rig, first[1]);
		assert_ok(context, ossa_rig_set_rest_pose(context, rig, poses[i]));
		assert_near(angle_to(context, rig, poses[i]), 0, 1e-3);
		const size_t each = people[0].rig->mesh->vertex_count;
		for (size_t k = 0; k < PEOPLE; k++) {
			assert_ok(context, ossa_rig_set_rest_pose(context, people[k].rig, poses[i]));
			assert_true(test_farthest(rig->mesh->positions + 3 * k * each, people[k].rig->mesh->positions, each) < 1e-6);
			for (size_t b = 0; b < people[k].rig->skeleton.bone_count; b++)
				assert_near_array(3, rig->skeleton.bones[first[k] + b].joint, people[k].rig->skeleton.bones[b].joint, 1e-9);
			person_end(&people[k]);
		}
		assert_ok(context, ossa_rig_validate(context, rig));
		ossa_rig_free(context, rig);
	}
	assert_no_warnings(context);
	test_context_end(context);
}

/* legs, arms and trunk of one human are no bodies */
static void one_human_is_one_tree(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person p = person_make(context, (person_form){.names = PERSON_UNREAL});
	ossai_arena arena = ossai_arena_begin(context);
	ossai_body_trees trees;
	assert_ok(context, ossai_body_trees_find(&arena, p.rig, &trees));
	assert_int_equal(trees.kind, OSSA_BODY_HUMAN);
	for (size_t b = 0; b < p.rig->skeleton.bone_count; b++) assert_int_equal(trees.body[b], 0);
	ossai_arena_end(&arena);
	person_end(&p);
	test_context_end(context);
}

static ossa_status measure(ossa_context *context, void *rig)
{
	double degrees;
	return ossa_rig_rest_angle(context, rig, OSSA_REST_A, &degrees);
}

static void no_memory(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	person people[PEOPLE] = {person_at(context, 0, 20), person_at(context, 1, 80)};
	size_t first[PEOPLE];
	ossa_rig *rig = join(people, first);
	make_foreign(rig, first[1]);
	assert_true(test_allocation_sweep(measure, rig, SIZE_MAX, 1) > 5);
	ossa_rig_free(context, rig);
	for (int k = 0; k < PEOPLE; k++) person_end(&people[k]);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_angle_is_the_largest_of_all_people),
		cmocka_unit_test(people_of_foreign_files_are_posed_each), cmocka_unit_test(one_human_is_one_tree),
		cmocka_unit_test(no_memory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
