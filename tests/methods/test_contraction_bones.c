/* tests/methods/test_contraction_bones.c: how many bones a coarse mesh gets where no number is
   given: one for two vertices at most. */
#include "methods/contraction.h"
#include "support/support.h"

#include <string.h>

/* a tetrahedron with a long spike on each face, and faces divided at their centers: the same shape
   for any number of vertices */
enum { CORNERS = 4, TIPS = 4, SPIKED = CORNERS + TIPS, MOST_VERTICES = 64 };

typedef struct star {
	uint32_t vertex_count, face_count;
	float positions[3 * MOST_VERTICES];
	uint32_t triangles[3 * 2 * MOST_VERTICES];
} star;

static void put_face(star *s, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t corners[3] = {a, b, c};
	memcpy(s->triangles + 3 * s->face_count++, corners, sizeof corners);
}

static uint32_t put_vertex(star *s, ossai_vec3 p)
{
	float *to = s->positions + 3 * s->vertex_count;
	to[0] = (float)p.x;
	to[1] = (float)p.y;
	to[2] = (float)p.z;
	return s->vertex_count++;
}

static ossai_vec3 center_of(const star *s, const uint32_t *face)
{
	ossai_vec3 sum = {0, 0, 0};
	for (int k = 0; k < 3; k++) sum = ossai_madd(sum, 1.0 / 3, ossai_v3_of_float(s->positions + 3 * face[k]));
	return sum;
}

static star star_of(uint32_t vertex_count)
{
	static const uint32_t faces[CORNERS][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
	star s = {.vertex_count = 0};
	put_vertex(&s, ossai_v3(1, 1, 1));
	put_vertex(&s, ossai_v3(-1, -1, 1));
	put_vertex(&s, ossai_v3(-1, 1, -1));
	put_vertex(&s, ossai_v3(1, -1, -1));
	for (uint32_t f = 0; f < CORNERS; f++) {
		/* the spikes' lengths differ, so that none is like another */
		const uint32_t tip = put_vertex(&s, ossai_scale(center_of(&s, faces[f]), 16 + 2.0 * f));
		for (int k = 0; k < 3; k++) put_face(&s, faces[f][k], faces[f][(k + 1) % 3], tip);
	}
	for (uint32_t f = 0; s.vertex_count < vertex_count; f++) {
		uint32_t *face = s.triangles + 3 * f, old[3];
		memcpy(old, face, sizeof old);
		const uint32_t center = put_vertex(&s, center_of(&s, old));
		face[2] = center;
		put_face(&s, old[1], old[2], center);
		put_face(&s, old[2], old[0], center);
	}
	return s;
}

typedef struct counts {
	size_t suggested, made;
	int64_t fewer; /* by the warning */
} counts;

static counts count_bones(uint32_t vertex_count)
{
	const star s = star_of(vertex_count);
	ossa_context *context = test_context(1);
	ossai_arena arena = ossai_arena_begin(context);
	ossai_contraction c = {.own = ossa_contraction_default()};
	ossa_mesh *mesh;
	assert_int_equal(s.vertex_count, vertex_count);
	assert_ok(context, ossa_mesh_create(context, s.vertex_count, s.positions, s.face_count, s.triangles, &mesh));
	c.own.proxy_size = 1500;
	assert_ok(context, ossai_contraction_begin(context, mesh, &c));
	c.still.arena = &arena;
	assert_ok(context, ossai_still_prepare(&c.still));
	assert_ok(context, ossai_contraction_refined_proxy(&c));
	assert_ok(context, ossai_contraction_refined_contract(&c));
	assert_ok(context, ossai_contraction_refined_curve(&c));
	assert_ok(context, ossai_contraction_refined_skeleton(&c));
	const counts result = {c.suggested, c.bones.tree.bone_count, test_warned(context, "fewer-bones")};
	ossa_mesh_free(context, mesh);
	ossai_arena_end(&arena);
	test_context_end(context);
	return result;
}

static void a_bone_has_two_vertices(void **state)
{
	(void)state;
	const counts fine = count_bones(MOST_VERTICES);
	const uint32_t suggested = (uint32_t)fine.suggested;
	assert_true(suggested > TIPS && 2 * suggested < MOST_VERTICES);
	assert_int_equal(fine.made, suggested);
	assert_int_equal(fine.fewer, 0);
	/* just enough vertices, and one less */
	const counts enough = count_bones(2 * suggested), few = count_bones(2 * suggested - 1);
	assert_int_equal(enough.suggested, suggested);
	assert_int_equal(enough.made, suggested);
	assert_int_equal(enough.fewer, 0);
	assert_int_equal(few.suggested, suggested);
	assert_true(few.made < suggested);
	assert_int_equal(few.fewer, suggested - few.made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_bone_has_two_vertices)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
