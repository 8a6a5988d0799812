/* tests/methods/test_file_order.c: a rig from motion does not depend on the order in which a file
   has its vertices and faces. */
#include "support/compare.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct shuffled {
	ossa_mesh *mesh;
	ossa_frames *frames;
	uint32_t *vertex; /* V: which of the sample's each is */
	uint32_t *face;   /* T: likewise */
} shuffled;

static void shuffle(uint32_t *list, size_t count, uint64_t *random)
{
	for (size_t i = 0; i < count; i++) list[i] = (uint32_t)i;
	for (size_t i = count; i > 1; i--) {
		*random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
		const size_t j = (size_t)(*random >> 33) % i;
		const uint32_t spare = list[i - 1];
		list[i - 1] = list[j];
		list[j] = spare;
	}
}

/* every face has vertices of its own, as files have them that know no shared ones */
static void split_vertices(ossa_context *context, const ossa_sample *sample, ossa_mesh **mesh, ossa_frames **frames)
{
	const ossa_mesh *whole = sample->rig->mesh;
	const size_t count = 3 * whole->triangle_count, all = sample->frames->frame_count;
	float *positions = malloc(3 * count * sizeof *positions);
	uint32_t *triangles = malloc(count * sizeof *triangles);
	assert_true(positions && triangles);
	assert_ok(context, ossa_frames_create(context, all, count, 24, frames));
	for (size_t i = 0; i < count; i++) {
		const size_t from = whole->triangles[i];
		triangles[i] = (uint32_t)i;
		memcpy(positions + 3 * i, whole->positions + 3 * from, 3 * sizeof *positions);
		for (size_t k = 0; k < all; k++) {
			const float *place = sample->frames->positions + 3 * (k * whole->vertex_count + from);
			memcpy((*frames)->positions + 3 * (k * count + i), place, 3 * sizeof *place);
		}
	}
	assert_ok(context, ossa_mesh_create(context, count, positions, whole->triangle_count, triangles, mesh));
	free(positions);
	free(triangles);
}

/* faces begin with another corner, too */
static shuffled shuffle_shape(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames, uint64_t random)
{
	const size_t vertices = mesh->vertex_count, faces = mesh->triangle_count;
	shuffled s = {.vertex = malloc(vertices * sizeof *s.vertex), .face = malloc(faces * sizeof *s.face)};
	uint32_t *place = malloc(vertices * sizeof *place), *triangles = malloc(3 * faces * sizeof *triangles);
	float *positions = malloc(3 * vertices * sizeof *positions);
	assert_true(s.vertex && s.face && place && triangles && positions);
	shuffle(s.vertex, vertices, &random);
	shuffle(s.face, faces, &random);
	for (size_t v = 0; v < vertices; v++) {
		place[s.vertex[v]] = (uint32_t)v;
		memcpy(positions + 3 * v, mesh->positions + 3 * s.vertex[v], 3 * sizeof *positions);
	}
	for (size_t i = 0; i < 3 * faces; i++) {
		const size_t f = i / 3;
		triangles[i] = place[mesh->triangles[3 * s.face[f] + (i + f) % 3]];
	}
	assert_ok(context, ossa_mesh_create(context, vertices, positions, faces, triangles, &s.mesh));
	assert_ok(context, ossa_frames_create(context, frames->frame_count, vertices, 24, &s.frames));
	for (size_t i = 0; i < frames->frame_count * vertices; i++) {
		const size_t from = i / vertices * vertices + s.vertex[i % vertices];
		memcpy(s.frames->positions + 3 * i, frames->positions + 3 * from, 3 * sizeof(float));
	}
	free(place);
	free(triangles);
	free(positions);
	return s;
}

static ossa_rig_result rig_of(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames)
{
	ossa_rig_result made;
	ossa_frame_stream *stream;
	ossa_rig_options options = ossa_rig_default();
	options.body = OSSA_BODY_NONE; /* names are those of the rest shape, whose methods are others */
	assert_ok(context, ossa_frame_stream_of_frames(context, frames, &stream));
	assert_ok(context, ossa_rig_make(context, &(ossa_rig_input){mesh, stream}, &options, &made));
	assert_ok(context, ossa_rig_validate(context, made.rig));
	ossa_frame_stream_free(context, stream);
	return made;
}

static void assert_same_skeleton(const ossa_rig *a, const ossa_rig *b, double diagonal)
{
	assert_int_equal(a->skeleton.bone_count, b->skeleton.bone_count);
	for (size_t i = 0; i < a->skeleton.bone_count; i++) {
		const ossa_bone *p = &a->skeleton.bones[i], *q = &b->skeleton.bones[i];
		assert_int_equal(p->parent, q->parent);
		assert_int_equal(p->kind, q->kind);
		for (int k = 0; k < 3; k++) assert_true(fabs(p->joint[k] - q->joint[k]) < 1e-9 * diagonal);
		for (int k = 0; k < 3; k++) assert_true(fabs(p->tail[k] - q->tail[k]) < 1e-6 * diagonal);
	}
}

static void assert_same_weights(const ossa_rig *a, const ossa_rig *b, const shuffled *s)
{
	const size_t width = (size_t)a->weights.influences;
	assert_int_equal(width, b->weights.influences);
	for (size_t v = 0; v < a->weights.vertex_count; v++) {
		const size_t from = s->vertex[v] * width;
		assert_memory_equal(b->weights.bones + v * width, a->weights.bones + from, width * sizeof *a->weights.bones);
		assert_memory_equal(b->weights.values + v * width, a->weights.values + from, width * sizeof *a->weights.values);
	}
}

/* Clusters are named by their smallest faces, which are others; faces are together in both or in
   none. */
static void assert_same_clusters(const ossa_rig *a, const ossa_rig *b, const shuffled *s)
{
	const size_t faces = a->mesh->triangle_count;
	assert_int_equal(a->face_clusters != NULL, b->face_clusters != NULL);
	assert_int_equal(a->merge_count, b->merge_count);
	uint32_t *name = malloc(faces * sizeof *name);
	assert_non_null(name);
	memset(name, 0xff, faces * sizeof *name);
	for (size_t f = 0; f < faces; f++) {
		const uint32_t one = a->face_clusters ? a->face_clusters[s->face[f]] : s->face[f];
		const uint32_t other = b->face_clusters ? b->face_clusters[f] : (uint32_t)f;
		if (name[one] == OSSA_NONE) name[one] = other;
		assert_int_equal(name[one], other);
		assert_true(other <= f);
	}
	for (size_t i = 0; i < a->merge_count; i++) {
		const ossa_merge *p = &a->merges[i], *q = &b->merges[i];
		const uint32_t kept = name[p->kept], gone = name[p->gone], low = kept < gone ? kept : gone;
		assert_true(p->error == q->error);
		assert_int_equal(q->kept, low);
		assert_int_equal(q->gone, kept + gone - low);
		name[p->kept] = low;
	}
	free(name);
}

static void shuffle_and_compare(ossa_context *context, const ossa_mesh *mesh, const ossa_frames *frames)
{
	shuffled s = shuffle_shape(context, mesh, frames, 7);
	ossa_rig_result own = rig_of(context, mesh, frames), other = rig_of(context, s.mesh, s.frames);
	assert_string_equal(own.rig->method, other.rig->method);
	assert_same_skeleton(own.rig, other.rig, test_diagonal(mesh));
	assert_same_weights(own.rig, other.rig, &s);
	assert_same_clusters(own.rig, other.rig, &s);
	ossa_rig_result_free(context, &own);
	ossa_rig_result_free(context, &other);
	ossa_mesh_free(context, s.mesh);
	ossa_frames_free(context, s.frames);
	free(s.vertex);
	free(s.face);
}

static ossa_sample *sample_of(ossa_context *context, int kind, int faces)
{
	ossa_sample *sample;
	ossa_sample_options options = ossa_sample_default();
	options.kind = kind;
	options.faces = faces;
	options.frames = 10;
	options.noise = 0.05;
	assert_ok(context, ossa_sample_create(context, &options, &sample));
	return sample;
}

static void the_order_of_a_file_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		int kind, faces;
	} cases[] = {
		{OSSA_SAMPLE_HAND, 3000}, {OSSA_SAMPLE_BIPED, 3000}, {OSSA_SAMPLE_QUADRUPED, 20000}, {OSSA_SAMPLE_LINKAGE, 3000}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ossa_context *context = test_context(2);
		ossa_sample *sample = sample_of(context, cases[i].kind, cases[i].faces);
		shuffle_and_compare(context, sample->rig->mesh, sample->frames);
		ossa_sample_free(context, sample);
		test_context_end(context);
	}
}

static void nor_does_that_of_vertices_at_one_place(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_sample *sample = sample_of(context, OSSA_SAMPLE_HAND, 2000);
	ossa_mesh *mesh;
	ossa_frames *frames;
	split_vertices(context, sample, &mesh, &frames);
	shuffle_and_compare(context, mesh, frames);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	ossa_sample_free(context, sample);
	test_context_end(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_of_a_file_changes_nothing),
		cmocka_unit_test(nor_does_that_of_vertices_at_one_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
