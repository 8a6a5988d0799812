/* tests/mesh/test_weld.c: vertices that coincide at rest and in all poses are welded: a surface
   that is split along seams gets the rig of the whole one, and opens nowhere. */
#include "support/support.h"
#include "support/surfaces.h"
#include "mesh/weld.h"

#include <ossa/examples.h>
#include <ossa/sequence.h>
#include <ossa/examples.h>
#include <ossa/sequence.h>

#include <string.h>

/* a soup: vertices of its own for every triangle, vertex i that of corner i of the whole surface */
static void tear(const test_surface *from, ossa_mesh **mesh, ossa_frames **frames)
{
	const size_t corners = 3 * from->mesh->triangle_count, poses = from->frames->frame_count,
				 vertices = from->mesh->vertex_count;
	float *positions = ossai_arena_new((ossai_arena *)&from->arena, corners, 3 * sizeof *positions);
	uint32_t *triangles = ossai_arena_new((ossai_arena *)&from->arena, corners, sizeof *triangles);
	assert_true(positions && triangles);
	assert_ok(from->context, ossa_frames_create(from->context, poses, corners, 24, frames));
	for (uint32_t i = 0; i < corners; i++) {
		const size_t v = from->mesh->triangles[i];
		triangles[i] = i;
		memcpy(positions + 3 * i, from->mesh->positions + 3 * v, 3 * sizeof *positions);
		for (size_t k = 0; k < poses; k++) {
			const float *p = from->frames->positions + 3 * (k * vertices + v);
			memcpy((*frames)->positions + 3 * (k * corners + i), p, 3 * sizeof *p);
		}
	}
	assert_ok(from->context, ossa_mesh_create(from->context, corners, positions, corners / 3, triangles, mesh));
}

static void torn_surface_is_the_whole_one(void **state)
{
	(void)state;
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_TUBE, 1000, 3);
	ossa_mesh *mesh;
	ossa_frames *frames;
	tear(&t, &mesh, &frames);
	ossai_posed_surface s;
	assert_ok(t.context, ossai_posed_surface_make(t.context, &t.arena, mesh, frames, true, &s));
	assert_int_equal(s.used_count, t.s.used_count);
	assert_int_equal(s.piece_count, t.s.piece_count);
	assert_int_equal(s.adjacency.face_pair_count, t.s.adjacency.face_pair_count);
	for (size_t i = 0; i < 3 * s.face_count; i++) {
		const uint32_t first = s.triangles[i];
		assert_true(s.used[first] && first == s.first_of_vertex[i] && first <= i);
		/* the same corners are one, no others */
		assert_int_equal(t.s.triangles[first], t.s.triangles[i]);
	}
	assert_near(s.area, t.s.area, 1e-9 * s.area);
	ossa_mesh_free(t.context, mesh);
	ossa_frames_free(t.context, frames);
	test_surface_end(&t);
}

static void surface_without_seams_is_as_it_was(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 5, 4, 2);
	assert_null(t.s.first_of_vertex);
	assert_ptr_equal(t.s.triangles, t.mesh->triangles);
	test_surface_end(&t);
}

static void vertices_that_part_in_a_pose_are_two(void **state)
{
	(void)state;
	/* 0, 3, 6 and 7 lie together at rest; 3 leaves in the second pose; 7 and 10 are of no face,
	   0 is at -0 */
	const float rest[] = {
		-0.0f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, -0.0f, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 5, 5, 5};
	const uint32_t triangles[] = {0, 1, 2, 3, 4, 5, 6, 8, 9};
	float poses[66];
	memcpy(poses, rest, sizeof rest);
	memcpy(poses + 33, rest, sizeof rest);
	poses[33 + 3 * 3 + 2] = 0.01f;
	test_surface t = test_surface_make(1, 11, rest, 3, triangles, 2, poses);
	const uint32_t wanted[] = {0, 1, 2, 3, 4, 5, 0, 0, 8, 9, 10};
	assert_memory_equal(t.s.first_of_vertex, wanted, sizeof wanted);
	const uint8_t used[] = {1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0};
	assert_memory_equal(t.s.used, used, sizeof used);
	assert_int_equal(t.s.used_count, 8);
	test_surface_end(&t);
}

static void crowds_at_one_point_end(void **state)
{
	(void)state;
	enum { CROWD = 4000 };
	ossa_context *context = test_context(1);
	float *rest = ossa_alloc(context, CROWD, 3 * sizeof *rest), *pose = ossa_alloc(context, CROWD, 3 * sizeof *pose);
	uint8_t *used = ossa_alloc(context, CROWD, 1);
	uint32_t *first = ossa_alloc(context, CROWD, sizeof *first);
	assert_true(rest && pose && used && first);
	/* pairs that follow each other stay together, all others part */
	for (size_t v = 0; v < CROWD; v++) {
		used[v] = 1;
		pose[3 * v] = (float)(v / 2);
	}
	size_t others;
	assert_ok(context, ossai_weld_vertices(context, CROWD, used, rest, 1, pose, first, &others));
	assert_int_equal(others, CROWD / 2);
	for (uint32_t v = 0; v < CROWD; v++) assert_int_equal(first[v], v / 2 * 2);
	ossa_free(context, rest);
	ossa_free(context, pose);
	ossa_free(context, used);
	ossa_free(context, first);
	test_context_end(context);
}

/* a cut along the center line: faces left of it have vertices of their own, V behind the whole
   one's; no vertex is left out */
static void cut(const test_surface *from, ossa_mesh **mesh, ossa_frames **frames)
{
	const size_t vertices = from->mesh->vertex_count, faces = from->mesh->triangle_count, poses = from->frames->frame_count;
	float *positions = ossai_arena_new((ossai_arena *)&from->arena, 2 * vertices, 3 * sizeof *positions);
	uint32_t *triangles = ossai_arena_new((ossai_arena *)&from->arena, faces, 3 * sizeof *triangles);
	assert_true(positions && triangles);
	assert_ok(from->context, ossa_frames_create(from->context, poses, 2 * vertices, 24, frames));
	for (size_t half = 0; half < 2; half++) {
		memcpy(positions + 3 * half * vertices, from->mesh->positions, 3 * vertices * sizeof *positions);
		for (size_t k = 0; k < poses; k++) {
			memcpy((*frames)->positions + 3 * (2 * k + half) * vertices, from->frames->positions + 3 * k * vertices,
				3 * vertices * sizeof *positions);
		}
	}
	for (size_t f = 0; f < faces; f++) {
		const uint32_t *t = from->mesh->triangles + 3 * f;
		const float x = positions[3 * t[0]] + positions[3 * t[1]] + positions[3 * t[2]];
		for (int i = 0; i < 3; i++) triangles[3 * f + (size_t)i] = t[i] + (x < 0 ? (uint32_t)vertices : 0);
	}
	assert_ok(from->context, ossa_mesh_create(from->context, 2 * vertices, positions, faces, triangles, mesh));
}

/* the bone of the other rig at the same joint */
static size_t same_bone(const ossa_rig *rig, const double joint[3])
{
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		if (ossai_distance(ossai_v3_of(rig->skeleton.bones[b].joint), ossai_v3_of(joint)) < 1e-3) return b;
	}
	fail_msg("no joint at %g %g %g", joint[0], joint[1], joint[2]);
	return 0;
}

static double weight_of(const ossa_rig *rig, size_t vertex, size_t bone)
{
	double sum = 0;
	for (size_t i = vertex * (size_t)rig->weights.influences; i < (vertex + 1) * (size_t)rig->weights.influences; i++) {
		if (rig->weights.bones[i] == bone) sum += rig->weights.values[i];
	}
	return sum;
}

/* bones, parents and weights of a torn mesh are the whole one's; corner i of the torn one is corner
   i of the whole one */
static void check_rig(const test_surface *t, const ossa_rig *whole, const ossa_rig *torn)
{
	size_t place[64];
	assert_int_equal(torn->skeleton.bone_count, whole->skeleton.bone_count);
	assert_in_range(whole->skeleton.bone_count, 2, 64);
	for (size_t b = 0; b < whole->skeleton.bone_count; b++) {
		const ossa_bone *bone = &whole->skeleton.bones[b];
		place[b] = same_bone(torn, bone->joint);
		const int32_t parent = torn->skeleton.bones[place[b]].parent;
		if (bone->parent < 0) assert_int_equal(parent, -1);
		else assert_int_equal(parent, place[bone->parent]);
	}
	for (size_t i = 0; i < 3 * t->mesh->triangle_count; i++) {
		for (size_t b = 0; b < whole->skeleton.bone_count; b++) {
			const double found = weight_of(torn, torn->mesh->triangles[i], place[b]);
			assert_near(found, weight_of(whole, t->mesh->triangles[i], b), 1e-3);
		}
	}
}

/* nothing opens: what lay together follows the same bones, to the last digit */
static void check_seams(const test_surface *t, const ossa_rig *torn)
{
	const size_t width = (size_t)torn->weights.influences;
	uint32_t *seen = ossai_arena_new((ossai_arena *)&t->arena, t->mesh->vertex_count, sizeof *seen);
	assert_non_null(seen);
	for (size_t v = 0; v < t->mesh->vertex_count; v++) seen[v] = OSSA_NONE;
	for (size_t i = 0; i < 3 * t->mesh->triangle_count; i++) {
		uint32_t *first = &seen[t->mesh->triangles[i]];
		const uint32_t v = torn->mesh->triangles[i];
		if (*first == OSSA_NONE) *first = v;
		assert_memory_equal(torn->weights.values + v * width, torn->weights.values + *first * width, width * sizeof(float));
		assert_memory_equal(torn->weights.bones + v * width, torn->weights.bones + *first * width, width * sizeof(uint16_t));
	}
}

typedef void (*tearing)(const test_surface *from, ossa_mesh **mesh, ossa_frames **frames);

static void compare_rigs(tearing tear_it, const char *method, ossa_weights_kind weights)
{
	test_surface t = test_surface_sample(1, OSSA_SAMPLE_BIPED, 1500, 8);
	ossa_mesh *mesh;
	ossa_frames *frames;
	tear_it(&t, &mesh, &frames);
	ossa_examples_options options = ossa_examples_default();
	ossa_sequence_options sequence = ossa_sequence_default();
	options.bones = sequence.bones = 19;
	options.weights = sequence.weights = weights;
	ossa_rig *whole, *torn;
	if (strcmp(method, "sequence") == 0) {
		assert_ok(t.context, ossa_rig_from_sequence(t.context, t.mesh, t.frames, &sequence, &whole));
		assert_ok(t.context, ossa_rig_from_sequence(t.context, mesh, frames, &sequence, &torn));
	} else {
		assert_ok(t.context, ossa_rig_from_examples(t.context, t.mesh, t.frames, &options, &whole));
		assert_ok(t.context, ossa_rig_from_examples(t.context, mesh, frames, &options, &torn));
	}
	check_rig(&t, whole, torn);
	check_seams(&t, torn);
	ossa_rig_free(t.context, whole);
	ossa_rig_free(t.context, torn);
	ossa_mesh_free(t.context, mesh);
	ossa_frames_free(t.context, frames);
	test_surface_end(&t);
}

static void rig_of_a_soup_is_that_of_the_whole(void **state)
{
	(void)state;
	compare_rigs(tear, "examples", OSSA_WEIGHTS_AUTO);
	compare_rigs(tear, "sequence", OSSA_WEIGHTS_HEAT);
}

static void rig_of_a_cut_surface_is_that_of_the_whole(void **state)
{
	(void)state;
	compare_rigs(cut, "examples", OSSA_WEIGHTS_AUTO);
	compare_rigs(cut, "sequence", OSSA_WEIGHTS_GEODESIC);
}

typedef struct inputs {
	ossa_mesh *mesh;
	ossa_frames *frames;
} inputs;

static ossa_status make_in_sweep(ossa_context *context, void *arg)
{
	const inputs *in = arg;
	ossai_arena arena = ossai_arena_begin(context);
	ossai_posed_surface s;
	const ossa_status status = ossai_posed_surface_make(context, &arena, in->mesh, in->frames, true, &s);
	ossai_arena_end(&arena);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_surface t = test_surface_grid(1, 6, 4, 2);
	inputs in;
	tear(&t, &in.mesh, &in.frames);
	test_allocation_sweep(make_in_sweep, &in, 100, 1);
	ossa_mesh_free(t.context, in.mesh);
	ossa_frames_free(t.context, in.frames);
	test_surface_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(torn_surface_is_the_whole_one),
		cmocka_unit_test(surface_without_seams_is_as_it_was),
		cmocka_unit_test(vertices_that_part_in_a_pose_are_two),
		cmocka_unit_test(crowds_at_one_point_end),
		cmocka_unit_test(rig_of_a_soup_is_that_of_the_whole),
		cmocka_unit_test(rig_of_a_cut_surface_is_that_of_the_whole),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
