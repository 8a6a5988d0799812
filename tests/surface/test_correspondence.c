/* tests/surface/test_correspondence.c: vertices of one mesh in another one of the same shape, and
   frames read through them. */
#include "support/faults.h"
#include "support/support.h"
#include "surface/correspondence.h"

#include <ossa/stream.h>

#include <stdio.h>
#include <string.h>

/* two quads that touch along an edge, each with vertices of its own there: upper 0 1 2 3, lower 4 5
   6 7 */
static const float lips[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, -1, 0}, {1, -1, 0}, {1, 0, 0}, {0, 0, 0}};
static const uint32_t lip_faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};

static ossa_mesh *lip_mesh(ossa_context *context, const uint32_t order[8])
{
	float positions[8][3];
	uint32_t faces[4][3], place[8];
	ossa_mesh *mesh;
	for (uint32_t i = 0; i < 8; i++) {
		memcpy(positions[i], lips[order[i]], sizeof positions[i]);
		place[order[i]] = i;
	}
	for (int i = 0; i < 12; i++) faces[i / 3][i % 3] = place[lip_faces[i / 3][i % 3]];
	assert_ok(context, ossa_mesh_create(context, 8, positions[0], 4, faces[0], &mesh));
	return mesh;
}

static ossai_correspondence_target places_of(const ossa_mesh *mesh)
{
	return (ossai_correspondence_target){mesh->vertex_count, mesh->positions, mesh->triangle_count, mesh->triangles};
}

static void touching_surfaces_stay_apart(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static const uint32_t same[8] = {0, 1, 2, 3, 4, 5, 6, 7}, mixed[8] = {6, 3, 0, 5, 7, 1, 4, 2};
	ossa_mesh *mesh = lip_mesh(context, same), *other = lip_mesh(context, mixed);
	uint32_t images[8];
	size_t missing = 9;
	ossai_correspondence_target places = places_of(other);
	assert_ok(context, ossai_correspondence_find(context, mesh, &places, images, &missing));
	assert_int_equal(missing, 0);
	for (uint32_t v = 0; v < 8; v++) assert_int_equal(mixed[images[v]], v);
	/* without faces the first of coinciding ones */
	places.triangles = NULL;
	places.triangle_count = 0;
	assert_ok(context, ossai_correspondence_find(context, mesh, &places, images, &missing));
	assert_int_equal(missing, 0);
	assert_int_equal(images[0], 2);
	assert_int_equal(images[7], 2);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, other);
	test_context_end(context);
}

static void as_far_as_the_tolerance(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	static const uint32_t same[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	/* the diagonal is sqrt(5) */
	static const struct {
		float off;
		size_t missing;
	} cases[] = {{2.2e-4F, 0}, {2.3e-4F, 1}, {0.5F, 1}, {1e30F, 1}};
	ossa_mesh *mesh = lip_mesh(context, same), *other = lip_mesh(context, same);
	uint32_t images[8];
	size_t missing;
	const ossai_correspondence_target places = places_of(other);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		other->positions[3 * 3 + 2] = cases[i].off;
		assert_ok(context, ossai_correspondence_find(context, mesh, &places, images, &missing));
		assert_int_equal(missing, cases[i].missing);
		assert_int_equal(images[3], missing ? OSSA_NONE : 3);
	}
	/* nothing to find, nothing to find it in */
	const ossai_correspondence_target none = {0};
	assert_ok(context, ossai_correspondence_find(context, mesh, &none, images, &missing));
	assert_int_equal(missing, 8);
	ossa_mesh_free(context, mesh);
	ossa_mesh_free(context, other);
	test_context_end(context);
}

/* ---- through files ---- */

/* a fan that bends, its vertices in another order than those of the mesh, one of them twice */
static const char own_text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\nf 1 4 5\n";
static const char rest_text[] = "v 0 1 0\nv 1 1 0\nv -1 1 0\nv 0 0 0\nv 1 0 0\nv 0 0 0\nf 4 5 2\nf 4 2 1\nf 6 1 3\n";
static const char bent_text[] = "v 0 1 1\nv 1 1 2\nv -1 1 3\nv 0 0 4\nv 1 0 5\nv 0 0 4\nf 4 5 2\nf 4 2 1\nf 6 1 3\n";

static ossa_status sweep_body(ossa_context *context, void *arg)
{
	const char *const *paths = arg;
	ossa_mesh *mesh = NULL;
	ossa_frame_stream *stream = NULL;
	ossa_frames *frames = NULL;
	ossa_status status = ossa_read_mesh(context, paths[0], NULL, &mesh);
	if (status == OSSA_OK) {
		status = ossa_frame_stream_open_matched(context, mesh, NULL, 2, paths + 1, false, NULL, &stream);
	}
	if (status == OSSA_OK) status = ossa_frame_stream_frames(context, stream, 0, NULL, &frames);
	if (status == OSSA_OK) {
		for (int v = 0; v < 5; v++)
			assert_true(frames->positions[15 + 3 * v + 2] == (float)(v == 0 ? 4 : v == 1 ? 5 : v == 2 ? 2 : v == 3 ? 1 : 3));
		assert_string_equal(frames->names[1], "t_2");
		assert_int_equal(ossa_context_warning_count(context), 1);
		assert_string_equal(ossa_context_warning(context, 0)->code, "vertices-matched");
		assert_int_equal(ossa_context_warning(context, 0)->count, 5);
	}
	ossa_frames_free(context, frames);
	ossa_frame_stream_free(context, stream);
	ossa_mesh_free(context, mesh);
	return status;
}

static void frames_in_another_order(void **state)
{
	(void)state;
	const char *paths[] = {
		test_file("own.obj", own_text, 0), test_file("t_1.obj", rest_text, 0), test_file("t_2.obj", bent_text, 0)};
	assert_true(test_allocation_sweep(sweep_body, paths, 300, 5) > 20);
}

static void what_is_wrong_is_reported(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frame_stream *stream = (ossa_frame_stream *)1;
	const char *rest = test_file("r.obj", rest_text, 0), *bent = test_file("b.obj", bent_text, 0);
	assert_ok(context, ossa_read_mesh(context, test_file("own.obj", own_text, 0), NULL, &mesh));
	assert_fails(context, ossa_frame_stream_open_matched(context, mesh, NULL, 1, &bent, false, NULL, &stream), OSSA_ERROR_INPUT,
		"5 of the 5 of own have none");
	assert_null(stream);
	assert_ok(context, ossa_frame_stream_open_matched(context, mesh, rest, 1, &bent, false, NULL, &stream));
	assert_int_equal(ossa_frame_stream_vertex_count(stream), 5);
	ossa_frame_stream_free(context, stream);
	/* what cannot be read as frames of anything keeps its own error */
	const char *bad = test_file("n.obj", "v 0 0 0\nv nan 0 0\nv 1 1 0\nf 1 2 3\n", 0);
	assert_fails(context, ossa_frame_stream_open_matched(context, mesh, NULL, 1, &bad, false, NULL, &stream), OSSA_ERROR_INPUT,
		"n.obj, line 2");
	assert_int_equal(ossa_context_error(context)->line, 2);
	assert_fails(context, ossa_frame_stream_open_matched(context, mesh, NULL, 0, &bad, false, NULL, &stream),
		OSSA_ERROR_ARGUMENT, "name at least one");
	/* frames in order are read as they are: no warning */
	ossa_context_reset(context);
	const char *own = test_path("own.obj");
	assert_ok(context, ossa_frame_stream_open_matched(context, mesh, NULL, 1, &own, false, NULL, &stream));
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossa_frame_stream_free(context, stream);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(touching_surfaces_stay_apart),
		cmocka_unit_test(as_far_as_the_tolerance),
		cmocka_unit_test(frames_in_another_order),
		cmocka_unit_test(what_is_wrong_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
