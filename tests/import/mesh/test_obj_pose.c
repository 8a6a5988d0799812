/* tests/import/mesh/test_obj_pose.c: the vertices of OBJ files whose faces are written alike,
   against the ordinary reader: what is taken must be what that one reads. */
#include "import/readers.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDITS = 40000, SIZE_MOST = 512, VERTICES = 5 };

static const char *const known = "# made by hand\nmtllib a.mtl\no thing\nv 0 0 0\nv 1 0 0\nv 1 1 0.5 1\nv 0 1 0 .1 .2 .3\n"
								 "vn 0 0 1\nusemtl a\nf 1 2 3\nf 1//1 3//1 4//1\ns off\nv 2.25 -1e-1 0\nf -5 -4 -1\nf 3 2 5";

static ossai_source source_of(const char *text, size_t size)
{
	return (ossai_source){.path = "input.obj", .bytes = (const uint8_t *)text, .size = size};
}

/* the ordinary reader's answer; NULL: it refuses the file */
static ossa_mesh *read_plainly(ossa_context *context, const ossai_source *source, ossai_parts parts)
{
	ossa_mesh *mesh = NULL;
	if (ossai_obj_read(context, source, parts, &mesh) == OSSA_OK) return mesh;
	ossa_context_reset(context);
	return NULL;
}

static void same_positions(const ossa_mesh *mesh, const float *positions)
{
	assert_non_null(mesh);
	assert_int_equal(mesh->vertex_count, VERTICES);
	assert_memory_equal(mesh->positions, positions, 3 * VERTICES * sizeof *positions);
}

static void same_faces(const ossa_mesh *a, const ossa_mesh *b)
{
	assert_int_equal(a->polygon_count, b->polygon_count);
	assert_memory_equal(a->polygon_start, b->polygon_start, (a->polygon_count + 1) * sizeof *a->polygon_start);
	assert_memory_equal(a->corner_vertex, b->corner_vertex, a->corner_count * sizeof *a->corner_vertex);
}

/* Whether the text is taken as a pose of the known one, with its faces or with any: then it must
   be one. */
static bool is_taken(ossa_context *context, const ossai_face_text *faces, const ossa_mesh *rest, const char *text, size_t size)
{
	const ossai_source source = source_of(text, size);
	float positions[3 * VERTICES];
	const bool taken = ossai_obj_read_pose(&source, faces, VERTICES, positions);
	if (!taken) return false;
	ossa_mesh *mesh = read_plainly(context, &source, faces ? OSSAI_PARTS_FACES : OSSAI_PARTS_POSITIONS);
	same_positions(mesh, positions);
	if (faces) same_faces(mesh, rest);
	ossa_mesh_free(context, mesh);
	return true;
}

/* What every test begins with. */
typedef struct fixture {
	ossa_context *context;
	ossai_arena arena;
	ossai_face_text faces;
	ossa_mesh *rest;
} fixture;

static fixture begin(void)
{
	fixture f = {.context = test_context(1)};
	const ossai_source source = source_of(known, strlen(known));
	bool is_plain;
	f.arena = ossai_arena_begin(f.context);
	assert_ok(f.context, ossai_obj_find_faces(&f.arena, &source, &f.faces, &is_plain));
	assert_true(is_plain);
	assert_int_equal(f.faces.vertex_count, VERTICES);
	assert_int_equal(f.faces.count, 2);
	f.rest = read_plainly(f.context, &source, OSSAI_PARTS_FACES);
	assert_non_null(f.rest);
	return f;
}

static void end(fixture *f)
{
	ossa_mesh_free(f->context, f->rest);
	ossai_arena_end(&f->arena);
	test_context_end(f->context);
}

static void poses_are_taken(void **state)
{
	(void)state;
	static const char *const poses[] = {
		/* other places, names, comments, normals */
		"o pose\nv 9 8 7\nv 1 0 0\nv 1 1 0.5\nv 0 1 0\nvn 1 0 0\nvn 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\ns 1\nv 2 2 2\nf -5 -4 "
		"-1\nf 3 2 5\n",
		/* line ends of another program behind what is compared as a whole */
		"v 9 8 7\r\nv 1 0 0\r\nv 1 1 0.5\r\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\r\nv 2 2 2 # last\nf -5 -4 -1\nf 3 2 5\r\n",
	};
	fixture f = begin();
	assert_true(is_taken(f.context, &f.faces, f.rest, known, strlen(known)));
	assert_true(is_taken(f.context, NULL, f.rest, known, strlen(known)));
	for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
		assert_true(is_taken(f.context, &f.faces, f.rest, poses[i], strlen(poses[i])));
	}
	end(&f);
}

static void other_files_are_left_to_the_reader(void **state)
{
	(void)state;
	static const char *const others[] = {
		/* another face; one more; one less; in another place, where -1 is another vertex */
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 4\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\nf 1 2 3\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nf -5 -4 -1\nf 3 2 5\nv 2 2 2\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 51\n",
		/* another number of vertices */
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\nv 0 0 0\n",
		/* no number, not finite, too few; a line that goes on; one that ends with CR; blanks */
		"v 9 8 a\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n",
		"v 9 8 nan\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n",
		"v 9 8\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\no a\\\nv 2 2 2\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\no a\rv 2 2 2\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n",
		"v 9 8 7\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1//1 3//1 4//1\nv 2 2 2\nf -5 -4 -1\nf 3 2 5\n f 1 2 3\n",
		"",
	};
	fixture f = begin();
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		assert_false(is_taken(f.context, &f.faces, f.rest, others[i], strlen(others[i])));
	}
	/* a zero byte, as damaged files have them */
	char text[SIZE_MOST];
	memcpy(text, known, strlen(known));
	text[3] = 0;
	assert_false(is_taken(f.context, &f.faces, f.rest, text, strlen(known)));
	end(&f);
}

/* what is inserted: everything that means something to one of the two readers */
static const char *const pieces[] = {"\n", "\r", "\r\n", " ", "\\", "\\\n", "#", "v ", "f ", "v 1 2 3\n", "f 1 2 3\n", "1", "-",
	".", "e5", "/", "nan", "vn 1 2 3\n", "o b\n", "\t", "\xEF\xBB\xBF", "x"};

static size_t edit(char *text, size_t size, uint32_t *random)
{
	const size_t at = test_random_bits(random) % (size + 1), kind = test_random_bits(random) % 4;
	if (kind == 0 && at < size) {
		text[at] = (char)(test_random_bits(random) % 128);
	} else if (kind == 1 && at < size) {
		memmove(text + at, text + at + 1, size - at - 1);
		return size - 1;
	} else {
		const char *piece = pieces[test_random_bits(random) % (sizeof pieces / sizeof *pieces)];
		const size_t length = strlen(piece);
		if (size + length > SIZE_MOST) return size;
		memmove(text + at + length, text + at, size - at);
		memcpy(text + at, piece, length);
		return size + length;
	}
	return size;
}

static void what_is_taken_is_what_the_reader_reads(void **state)
{
	(void)state;
	fixture f = begin();
	uint32_t random = 1;
	size_t taken = 0;
	for (int i = 0; i < EDITS; i++) {
		char text[SIZE_MOST];
		size_t size = strlen(known);
		memcpy(text, known, size);
		const uint32_t edits = 1 + test_random_bits(&random) % 3;
		for (uint32_t e = 0; e < edits; e++) size = edit(text, size, &random);
		taken += is_taken(f.context, i % 2 ? &f.faces : NULL, f.rest, text, size);
	}
	/* edits of coordinates and of what does not count, which are many */
	assert_in_range(taken, EDITS / 10, EDITS);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poses_are_taken),
		cmocka_unit_test(other_files_are_left_to_the_reader),
		cmocka_unit_test(what_is_taken_is_what_the_reader_reads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
