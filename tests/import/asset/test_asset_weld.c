/* tests/import/asset/test_asset_weld.c: vertices that always coincide are welded, and no others. */
#include "import/asset/asset.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct moving {
	ossa_mesh *mesh;
	ossa_frames *frames;
} moving;

/* a mesh of triangles over these vertices, all still */
static moving make_moving(ossa_context *context, size_t vertex_count, const float *positions, size_t triangle_count,
	const uint32_t *triangles, size_t frame_count)
{
	moving m;
	assert_ok(context, ossa_mesh_create(context, vertex_count, positions, triangle_count, triangles, &m.mesh));
	assert_ok(context, ossa_frames_create(context, frame_count, vertex_count, 1, &m.frames));
	for (size_t f = 0; f < frame_count; f++) {
		memcpy(m.frames->positions + 3 * f * vertex_count, positions, 3 * vertex_count * sizeof *positions);
	}
	return m;
}

static void end_moving(ossa_context *context, moving *m)
{
	assert_ok(context, ossa_mesh_validate(context, m->mesh));
	assert_ok(context, ossa_frames_validate(context, m->frames));
	assert_int_equal(m->mesh->vertex_count, m->frames->vertex_count);
	ossa_mesh_free(context, m->mesh);
	ossa_frames_free(context, m->frames);
}

static ossa_status read_frame(void *user, size_t frame, float *positions)
{
	const ossa_frames *frames = user;
	const size_t count = 3 * frames->vertex_count;
	memcpy(positions, frames->positions + frame * count, count * sizeof *positions);
	return OSSA_OK;
}

/* the mesh's vertices, and those of the frames that stay */
static ossa_status weld(ossa_context *context, ossa_mesh *mesh, ossa_frames *frames)
{
	ossai_arena arena = ossai_arena_begin(context);
	uint32_t *kept;
	size_t count;
	const ossa_status status = ossai_mesh_weld(&arena, mesh, frames->frame_count, read_frame, frames, &count, &kept);
	for (size_t f = 0; status == OSSA_OK && f < frames->frame_count; f++) {
		for (size_t v = 0; v < count; v++) {
			const float *from = frames->positions + 3 * (f * frames->vertex_count + kept[v]);
			memmove(frames->positions + 3 * (f * count + v), from, 3 * sizeof *from);
		}
	}
	if (status == OSSA_OK) frames->vertex_count = count;
	ossai_arena_end(&arena);
	return status;
}

/* ---- two triangles that share an edge whose ends are there twice ---- */

static const float two[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
static const uint32_t two_faces[6] = {0, 1, 2, 3, 5, 4};

static void edges_are_closed(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	moving m = make_moving(context, 6, two, 2, two_faces, 3);
	assert_ok(context, weld(context, m.mesh, m.frames));
	assert_int_equal(m.mesh->vertex_count, 4);
	static const uint32_t triangles[6] = {0, 1, 2, 1, 3, 2};
	assert_memory_equal(m.mesh->triangles, triangles, sizeof triangles);
	assert_memory_equal(m.mesh->corner_vertex, triangles, sizeof triangles);
	assert_memory_equal(m.frames->positions + 12 + 9, two + 15, 3 * sizeof(float));
	assert_int_equal(ossa_context_warning_count(context), 0);
	end_moving(context, &m);
	test_context_end(context);
}

/* one frame in which they part is enough, however little, if it can be seen */
static void what_parts_in_one_frame_stays_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	static const float steps[] = {5e-8F, 1e-5F};
	for (int i = 0; i < 2; i++) {
		moving m = make_moving(context, 6, two, 2, two_faces, 9);
		m.frames->positions[7 * 18 + 3 * 3 + 2] = steps[i];
		assert_ok(context, weld(context, m.mesh, m.frames));
		assert_int_equal(m.mesh->vertex_count, i == 0 ? 4 : 5);
		end_moving(context, &m);
		/* at rest too */
		m = make_moving(context, 6, two, 2, two_faces, 1);
		m.mesh->positions[3 * 4 + 1] += i == 0 ? 1e-7F : steps[1];
		assert_ok(context, weld(context, m.mesh, m.frames));
		assert_int_equal(m.mesh->vertex_count, i == 0 ? 4 : 5);
		end_moving(context, &m);
	}
	test_context_end(context);
}

/* corners of one face stay two vertices, also where it is only their neighbours that tie them
   together */
static void faces_keep_their_corners(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	/* the first face has two coinciding corners; two more faces have a vertex each there */
	static const float positions[24] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0, 1, 0, 0, 0, 3, 0};
	for (int turned = 0; turned < 2; turned++) {
		const uint32_t faces[9] = {0, turned ? 2 : 1, turned ? 1 : 2, 3, 4, 5, 6, 5, 7};
		moving m = make_moving(context, 8, positions, 3, faces, 2);
		assert_ok(context, weld(context, m.mesh, m.frames));
		assert_int_equal(m.mesh->triangle_count, 3);
		for (size_t t = 0; t < 3; t++) {
			const uint32_t *c = m.mesh->triangles + 3 * t;
			assert_true(c[0] != c[1] && c[1] != c[2] && c[0] != c[2]);
		}
		assert_int_equal(m.mesh->vertex_count, 6);
		assert_string_equal(ossa_context_warning(context, 0)->code, "degenerate-faces");
		assert_int_equal(ossa_context_warning(context, 0)->count, turned + 1);
		end_moving(context, &m);
	}
	test_context_end(context);
}

static void lost_colors_are_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	moving m = make_moving(context, 6, two, 2, two_faces, 2);
	m.mesh->colors = ossa_alloc(context, 6, 4 * sizeof *m.mesh->colors);
	m.mesh->colors[4 * 3] = 1;
	m.mesh->colors[4 * 5] = 0.5F;
	assert_ok(context, weld(context, m.mesh, m.frames));
	assert_true(m.mesh->colors[4] == 0 && m.mesh->colors[12] == 0.5F);
	assert_string_equal(ossa_context_warning(context, 0)->code, "colors-merged");
	assert_int_equal(ossa_context_warning(context, 0)->count, 1);
	end_moving(context, &m);
	test_context_end(context);
}

/* ---- against every pair ---- */

enum { PLACES = 60, VERTICES = 400, FRAMES = 5 };

/* vertices at a few positions, with a few motions; copies differ by float rounding */
static moving make_random(ossa_context *context, uint32_t seed, uint32_t *kind_of)
{
	uint32_t state = seed;
	float places[PLACES][1 + FRAMES][3], positions[3 * VERTICES];
	uint32_t triangles[3 * (VERTICES / 3)];
	for (size_t i = 0; i < PLACES; i++) {
		for (size_t f = 0; f < 1 + FRAMES; f++) {
			/* half of the positions coincide with another in all frames but one */
			const bool same = i % 2 == 1 && f != i % (1 + FRAMES);
			for (int k = 0; k < 3; k++) {
				places[i][f][k] = same ? places[i - 1][f][k] : (float)(test_random_bits(&state) % 1000) / 100;
			}
		}
	}
	for (size_t v = 0; v < VERTICES; v++) {
		kind_of[v] = test_random_bits(&state) % PLACES;
		memcpy(positions + 3 * v, places[kind_of[v]][0], 3 * sizeof(float));
	}
	for (uint32_t i = 0; i < 3 * (VERTICES / 3); i++) triangles[i] = i;
	moving m = make_moving(context, VERTICES, positions, VERTICES / 3, triangles, FRAMES);
	for (size_t f = 0; f < FRAMES; f++) {
		for (size_t v = 0; v < VERTICES; v++) {
			float *p = m.frames->positions + 3 * (f * VERTICES + v);
			memcpy(p, places[kind_of[v]][1 + f], 3 * sizeof(float));
			p[f % 3] = test_random_bits(&state) % 3 == 0 ? nextafterf(p[f % 3], 1000) : p[f % 3];
		}
	}
	return m;
}

static void groups_are_those_that_every_pair_makes(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	for (uint32_t seed = 1; seed <= 20; seed++) {
		uint32_t kind_of[VERTICES], first_of[PLACES];
		moving m = make_random(context, seed, kind_of);
		/* faces that use a kind twice keep both vertices: they are left out of the comparison */
		uint8_t doubled[PLACES] = {0};
		for (size_t v = 0; v + 2 < VERTICES; v += 3) {
			for (size_t k = 0; k < 3; k++) {
				if (kind_of[v + k] == kind_of[v + (k + 1) % 3]) doubled[kind_of[v + k]] = 1;
			}
		}
		uint32_t *corners = calloc(VERTICES, sizeof *corners);
		assert_ok(context, weld(context, m.mesh, m.frames));
		memcpy(corners, m.mesh->corner_vertex, m.mesh->corner_count * sizeof *corners);
		memset(first_of, 0xff, sizeof first_of);
		for (size_t v = 0; v < m.mesh->corner_count; v++) {
			if (doubled[kind_of[v]]) continue;
			if (first_of[kind_of[v]] == OSSA_NONE) first_of[kind_of[v]] = corners[v];
			assert_int_equal(first_of[kind_of[v]], corners[v]);
		}
		for (size_t a = 0; a < PLACES; a++) {
			for (size_t b = 0; b < a; b++) assert_true(first_of[a] == OSSA_NONE || first_of[a] != first_of[b]);
		}
		free(corners);
		end_moving(context, &m);
	}
	test_context_end(context);
}

/* ---- cost ---- */

/* many vertices that coincide at rest and all move differently, and a plane: neither may take
   quadratic time */
static void crowds_cost_little(void **state)
{
	(void)state;
	ossa_context *context = test_context(0);
	enum { CROWD = 60000 };
	float *positions = calloc(3 * CROWD, sizeof *positions);
	uint32_t *triangles = calloc(CROWD, sizeof *triangles);
	for (uint32_t i = 0; i < CROWD; i++) triangles[i] = i;
	for (int plane = 0; plane < 2; plane++) {
		for (size_t v = 0; plane && v < CROWD; v++) {
			positions[3 * v] = (float)(v % 245);
			positions[3 * v + 1] = (float)(v / 245);
		}
		moving m = make_moving(context, CROWD, positions, CROWD / 3, triangles, 2);
		for (size_t v = 0; !plane && v < CROWD; v++) m.frames->positions[3 * (CROWD + v) + v % 3] = (float)v / 7;
		m.mesh->positions[0] = -100;
		const clock_t begin = clock();
		assert_ok(context, weld(context, m.mesh, m.frames));
		assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
		assert_true(m.mesh->vertex_count > CROWD - 10);
		end_moving(context, &m);
	}
	free(positions);
	free(triangles);
	test_context_end(context);
}

static ossa_status weld_two(ossa_context *context, void *arg)
{
	(void)arg;
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	ossa_status status = ossa_mesh_create(context, 6, two, 2, two_faces, &mesh);
	if (status == OSSA_OK) status = ossa_frames_create(context, 2, 6, 1, &frames);
	if (status == OSSA_OK) status = weld(context, mesh, frames);
	/* arrays that cannot be shrunk keep their size: the result is still valid */
	if (status == OSSA_OK) status = ossa_mesh_validate(context, mesh);
	if (status == OSSA_OK) status = ossa_context_error(context)->status;
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	return status;
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	assert_true(test_allocation_sweep(weld_two, NULL, 100, 1) > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_are_closed),
		cmocka_unit_test(what_parts_in_one_frame_stays_apart),
		cmocka_unit_test(faces_keep_their_corners),
		cmocka_unit_test(lost_colors_are_reported),
		cmocka_unit_test(groups_are_those_that_every_pair_makes),
		cmocka_unit_test(crowds_cost_little),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
