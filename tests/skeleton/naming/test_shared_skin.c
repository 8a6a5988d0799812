/* tests/skeleton/naming/test_shared_skin.c: skin that bones have in common, by what it says about
   sides, of a body of four triangles: hips and two thighs. */
#include "skeleton/naming/shared_skin.h"
#include "support/support.h"

#include <string.h>

enum { HIPS, LEFT, RIGHT, REST };
enum { HIPS_LEFT, HIPS_RIGHT, THIGH_LEFT, THIGH_RIGHT, FACES };

/* hips from -1 to 1 as two faces, and a thigh beside each; every face has three vertices of its
   own */
static const float middle_of_face[FACES] = {0.5F, -0.5F, 1.5F, -1.5F};
static const uint16_t rest_bone_of_face[FACES] = {HIPS, HIPS, LEFT, RIGHT};

static ossa_mesh *make_mesh(ossa_context *context)
{
	float positions[9 * FACES];
	uint32_t triangles[3 * FACES];
	for (uint32_t f = 0; f < FACES; f++) {
		const float corner[9] = {-0.4F, 0, 0, 0.4F, 0, 0, 0, 1, 0};
		for (uint32_t i = 0; i < 9; i++) positions[9 * f + i] = corner[i] + (i % 3 == 0 ? middle_of_face[f] : 0);
		for (uint32_t k = 0; k < 3; k++) triangles[3 * f + k] = 3 * f + k;
	}
	ossa_mesh *mesh;
	assert_ok(context, ossa_mesh_create(context, 3 * (size_t)FACES, positions, FACES, triangles, &mesh));
	return mesh;
}

/* each face follows one bone */
static ossa_rig *make_rig(ossa_context *context, size_t bones, const uint16_t bone_of_face[FACES])
{
	ossa_mesh *mesh = make_mesh(context);
	ossa_rig *rig;
	assert_ok(context, ossa_rig_create(context, mesh, bones, 1, &rig));
	ossa_mesh_free(context, mesh);
	for (size_t v = 0; v < 3 * (size_t)FACES; v++) {
		rig->weights.bones[v] = bone_of_face[v / 3];
		rig->weights.values[v] = 1;
	}
	for (size_t b = 0; b < bones; b++) rig->skeleton.bones[b].parent = b == 0 ? -1 : 0;
	return rig;
}

static ossa_rig *make_rest(ossa_context *context)
{
	static const ossa_role roles[REST] = {
		{OSSA_PART_HIPS, 0, 0, 0}, {OSSA_PART_UPPER_LEG, 1, 0, 0}, {OSSA_PART_UPPER_LEG, -1, 0, 0}};
	ossa_rig *rest = make_rig(context, REST, rest_bone_of_face);
	for (size_t b = 0; b < REST; b++) {
		rest->skeleton.bones[b].role = roles[b];
		rest->skeleton.bones[b].tail[1] = 1;
	}
	rest->body = (ossa_body){.kind = OSSA_BODY_HUMAN, .up = {0, 1, 0}, .front = {0, 0, 1}};
	return rest;
}

/* what the first of two bones has in common with the rest shape's, in shares of a face, and
   beside */
static void check_roles(const ossa_role *roles, const uint16_t bone_of_face[FACES], const double expected[REST + 1])
{
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossa_rig *rest = make_rest(context), *rig = make_rig(context, 2, bone_of_face);
	for (size_t b = 0; roles && b < REST; b++) rest->skeleton.bones[b].role = roles[b];
	ossai_shared_skin skin;
	assert_ok(context, ossai_shared_skin_find(&arena, rest, rig, &skin));
	for (size_t r = 0; r < REST; r++) assert_near(skin.overlap[r] / 0.4, expected[r], 1e-6);
	assert_near(skin.beside[0] / 0.4, expected[REST], 1e-6);
	ossai_arena_end(&arena);
	ossa_rig_free(context, rest);
	ossa_rig_free(context, rig);
	test_context_end(context);
}

static void check(const uint16_t bone_of_face[FACES], const double expected[REST + 1])
{
	check_roles(NULL, bone_of_face, expected);
}

static void the_middle_stays_in_the_middle(void **state)
{
	(void)state;
	check((const uint16_t[FACES]){0, 0, 1, 1}, (const double[]){2, 0, 0, 0});
}

static void of_both_thighs_is_the_middle(void **state)
{
	(void)state;
	check((const uint16_t[FACES]){0, 0, 0, 0}, (const double[]){4, 0, 0, 0});
}

static void of_one_side_of_the_hips_is_the_thigh_there(void **state)
{
	(void)state;
	check((const uint16_t[FACES]){0, 1, 0, 1}, (const double[]){0, 2, 0, 0});
	check((const uint16_t[FACES]){1, 0, 1, 0}, (const double[]){0, 0, 2, 0});
}

/* it has nothing of a limb */
static void of_one_side_alone_is_beside(void **state)
{
	(void)state;
	check((const uint16_t[FACES]){0, 1, 1, 1}, (const double[]){0, 0, 0, 1});
}

/* a tail that ends in two fins, which are of the middle */
static void of_both_fins_is_the_tail(void **state)
{
	(void)state;
	static const ossa_role roles[REST] = {{OSSA_PART_TAIL, 0, 1, 0}, {OSSA_PART_TAIL, 0, 1, 1}, {OSSA_PART_TAIL, 0, 1, 2}};
	check_roles(roles, (const uint16_t[FACES]){1, 1, 0, 0}, (const double[]){2, 0, 0, 0});
	check_roles(roles, (const uint16_t[FACES]){1, 1, 0, 1}, (const double[]){0, 1, 0, 0});
}

static ossa_status sweep_skin(ossa_context *context, void *arg)
{
	ossa_rig *const *rigs = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_shared_skin skin;
	const ossa_status status = ossai_shared_skin_find(&arena, rigs[0], rigs[1], &skin);
	ossai_arena_end(&arena);
	return status;
}

static void memory_may_be_short(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_rig *rigs[2] = {make_rest(context), make_rest(context)};
	test_allocation_sweep(sweep_skin, rigs, SIZE_MAX, 1);
	ossa_rig_free(context, rigs[0]);
	ossa_rig_free(context, rigs[1]);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_middle_stays_in_the_middle),
		cmocka_unit_test(of_both_thighs_is_the_middle), cmocka_unit_test(of_one_side_of_the_hips_is_the_thigh_there),
		cmocka_unit_test(of_one_side_alone_is_beside), cmocka_unit_test(of_both_fins_is_the_tail),
		cmocka_unit_test(memory_may_be_short)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
