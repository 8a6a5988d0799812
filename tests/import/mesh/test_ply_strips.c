/* tests/import/mesh/test_ply_strips.c: triangle strips of PLY files: winding, restarts, degenerate
   triangles, the three encodings, and files that are damaged. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { VERTICES = 6 };

/* Two rows of three vertices: 0 2 4 above 1 3 5, all in the plane z = 0. */
static const float positions[VERTICES][3] = {{0, 1, 0}, {0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {2, 1, 0}, {2, 0, 0}};

typedef enum ply_encoding { ASCII, LITTLE, BIG, ENCODINGS } ply_encoding;

typedef struct ply_file {
	ply_encoding encoding;
	unsigned char bytes[2048];
	size_t size;
} ply_file;

static void put_text(ply_file *file, const char *text)
{
	memcpy(file->bytes + file->size, text, strlen(text));
	file->size += strlen(text);
}

static void put_32(ply_file *file, uint32_t bits)
{
	for (int i = 0; i < 4; i++) file->bytes[file->size++] = (unsigned char)(bits >> 8 * (file->encoding == BIG ? 3 - i : i));
}

static void put_float(ply_file *file, float value)
{
	uint32_t bits;
	char text[32];
	snprintf(text, sizeof text, "%g ", (double)value);
	memcpy(&bits, &value, sizeof bits);
	if (file->encoding == ASCII) put_text(file, text);
	else put_32(file, bits);
}

static void put_int(ply_file *file, int value)
{
	char text[32];
	snprintf(text, sizeof text, "%d ", value);
	if (file->encoding == ASCII) put_text(file, text);
	else put_32(file, (uint32_t)value);
}

static void put_line_end(ply_file *file)
{
	if (file->encoding == ASCII) put_text(file, "\n");
}

static void begin(ply_file *file, ply_encoding encoding)
{
	static const char *const names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
	*file = (ply_file){.encoding = encoding};
	put_text(file, "ply\nformat ");
	put_text(file, names[encoding]);
	put_text(file, " 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n");
}

static void put_vertices(ply_file *file)
{
	put_text(file, "end_header\n");
	for (size_t v = 0; v < VERTICES; v++) {
		for (size_t k = 0; k < 3; k++) put_float(file, positions[v][k]);
		put_line_end(file);
	}
}

static void put_list(ply_file *file, size_t count, const int *values)
{
	put_int(file, (int)count);
	for (size_t i = 0; i < count; i++) put_int(file, values[i]);
	put_line_end(file);
}

#define STRIPS "element tristrips 1\nproperty list int int vertex_indices\n"

static void make_file(ply_file *file, ply_encoding encoding, size_t count, const int *strip)
{
	begin(file, encoding);
	put_text(file, STRIPS);
	put_vertices(file);
	put_list(file, count, strip);
}

static void assert_triangles(ossa_context *context, const ply_file *file, size_t count, const uint32_t *expected)
{
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("strips.ply", file->bytes, file->size), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_no_warnings(context);
	assert_int_equal(mesh->vertex_count, VERTICES);
	assert_memory_equal(mesh->positions, positions, sizeof positions);
	assert_int_equal(mesh->triangle_count, count);
	assert_memory_equal(mesh->triangles, expected, 3 * count * sizeof expected[0]);
	ossa_mesh_free(context, mesh);
}

/* the strip's triangles for every encoding */
static void expect(size_t length, const int *strip, size_t count, const uint32_t *triangles)
{
	ossa_context *context = test_context(1);
	for (ply_encoding encoding = ASCII; encoding < ENCODINGS; encoding++) {
		ply_file file;
		make_file(&file, encoding, length, strip);
		assert_triangles(context, &file, count, triangles);
	}
	test_context_end(context);
}

static void every_second_triangle_is_turned(void **state)
{
	(void)state;
	const int strip[] = {0, 1, 2, 3, 4, 5};
	const uint32_t triangles[] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
	expect(6, strip, 4, triangles);
}

/* after two triangles or one, the next strip begins with an unturned one */
static void a_restart_begins_unturned(void **state)
{
	(void)state;
	const int strips[] = {0, 1, 2, -1, 2, 1, 3, 4, -1, 4, 3, 5, -1};
	const uint32_t triangles[] = {0, 1, 2, 2, 1, 3, 3, 1, 4, 4, 3, 5};
	expect(13, strips, 4, triangles);
}

/* a repeated vertex joins strips; the winding continues */
static void degenerate_triangles_are_dropped(void **state)
{
	(void)state;
	const int first_twice[] = {0, 0, 1, 2};
	const uint32_t turned[] = {1, 0, 2};
	expect(4, first_twice, 1, turned);
	const int around[] = {0, 1, 2, 1, 4};
	const uint32_t both[] = {0, 1, 2, 2, 1, 4};
	expect(5, around, 2, both);
	const int joined[] = {0, 1, 2, 2, 3, 3, 4, 5};
	const uint32_t joined_triangles[] = {0, 1, 2, 4, 3, 5};
	expect(8, joined, 2, joined_triangles);
}

static void short_strips_make_nothing(void **state)
{
	(void)state;
	const int strips[] = {-1, -1, 5, -1, 4, 5, -1, 0, 1, 2};
	const uint32_t triangles[] = {0, 1, 2};
	expect(10, strips, 1, triangles);
}

static void several_lists_and_unsigned_restarts(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (ply_encoding encoding = LITTLE; encoding < ENCODINGS; encoding++) {
		ply_file file;
		begin(&file, encoding);
		put_text(&file, "element tristrips 2\nproperty list uint uint vertex_indices\n");
		put_vertices(&file);
		put_list(&file, 7, (const int[]){0, 1, 2, -1, 2, 1, 3});
		put_list(&file, 3, (const int[]){2, 3, 4});
		assert_triangles(context, &file, 3, (const uint32_t[]){0, 1, 2, 2, 1, 3, 2, 3, 4});
	}
	test_context_end(context);
}

/* Polygons and strips in one file, with edges and a range grid between, which are stepped over. */
static void faces_and_strips_and_other_elements(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (ply_encoding encoding = ASCII; encoding < ENCODINGS; encoding++) {
		ply_file file;
		begin(&file, encoding);
		put_text(&file,
			"element edge 1\nproperty int vertex1\nproperty int vertex2\n"
			"element face 1\nproperty list int int vertex_indices\n"
			"element range_grid 2\nproperty list int int vertex_indices\n" STRIPS);
		put_vertices(&file);
		put_int(&file, 0);
		put_int(&file, 99);
		put_line_end(&file);
		put_list(&file, 3, (const int[]){0, 1, 2});
		put_list(&file, 0, NULL);
		put_list(&file, 1, (const int[]){77});
		put_list(&file, 4, (const int[]){2, 1, 3, 4});
		assert_triangles(context, &file, 3, (const uint32_t[]){0, 1, 2, 2, 1, 3, 3, 1, 4});
	}
	test_context_end(context);
}

static const char *const attributes_file =
	"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\n"
	"property float ny\nproperty float nz\nproperty float s\nproperty float t\n"
	"element tristrips 1\nproperty uchar flags\nproperty list uchar int vertex_indices\nend_header\n"
	"0 0 0 0 0 1 0 0\n1 0 0 0 0 1 1 0\n0 1 0 0 0 1 0 1\n9 3 2 0 1";

static void corners_take_the_attributes_of_vertices(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("strips.ply", attributes_file, 0), NULL, &mesh));
	const uint32_t corners[] = {2, 0, 1};
	assert_int_equal(mesh->corner_count, 3);
	assert_memory_equal(mesh->corner_vertex, corners, sizeof corners);
	assert_memory_equal(mesh->corner_normal, corners, sizeof corners);
	assert_memory_equal(mesh->corner_texcoord, corners, sizeof corners);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

static void refused(const ply_file *file, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = (ossa_mesh *)1;
	assert_fails(context, ossa_read_mesh(context, test_file("strips.ply", file->bytes, file->size), NULL, &mesh),
		OSSA_ERROR_INPUT, words);
	assert_null(mesh);
	test_context_end(context);
}

static void indices_without_vertex_are_refused(void **state)
{
	(void)state;
	ply_file file;
	make_file(&file, ASCII, 7, (const int[]){0, 1, 2, -1, 0, 1, 6});
	refused(&file, "line 16: triangle strip 1 has the vertex index 6, but there are only 6 vertices");
	make_file(&file, ASCII, 3, (const int[]){0, 1, -2});
	refused(&file, "line 16: triangle strip 0 has the vertex index -2");
	for (ply_encoding encoding = LITTLE; encoding < ENCODINGS; encoding++) {
		char words[64];
		make_file(&file, encoding, 3, (const int[]){0, 1, 6});
		snprintf(words, sizeof words, "byte %zu: triangle strip 0 has the vertex index 6", file.size);
		refused(&file, words);
	}
}

static void damaged_files_are_refused(void **state)
{
	(void)state;
	ply_file file;
	begin(&file, ASCII);
	put_text(&file, "element tristrips 1\nproperty int a\n");
	put_vertices(&file);
	refused(&file, "the triangle strips have no list vertex_indices");
	make_file(&file, ASCII, 5, (const int[]){0, 1, -1, 2, 2});
	refused(&file, "no faces");
	begin(&file, BIG);
	put_text(&file, "element range_grid 1\nproperty list uchar int vertex_indices\n");
	put_vertices(&file);
	refused(&file, "range_grid");
}

static void every_truncation_is_survived(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	for (ply_encoding encoding = ASCII; encoding < ENCODINGS; encoding++) {
		ply_file file;
		make_file(&file, encoding, 6, (const int[]){0, 1, 2, -1, 3, 4});
		/* the blank and the line end after the last number may be missing */
		const size_t whole = encoding == ASCII ? file.size - 2 : file.size;
		for (size_t size = 1; size < whole; size++) {
			ossa_mesh *mesh;
			assert_fails(context, ossa_read_mesh(context, test_file("cut.ply", file.bytes, size), NULL, &mesh),
				OSSA_ERROR_INPUT, "cut.ply");
			assert_null(mesh);
		}
	}
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_sweep_read_mesh(test_file("sweep.ply", attributes_file, 0), 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_second_triangle_is_turned),
		cmocka_unit_test(a_restart_begins_unturned),
		cmocka_unit_test(degenerate_triangles_are_dropped),
		cmocka_unit_test(short_strips_make_nothing),
		cmocka_unit_test(several_lists_and_unsigned_restarts),
		cmocka_unit_test(faces_and_strips_and_other_elements),
		cmocka_unit_test(corners_take_the_attributes_of_vertices),
		cmocka_unit_test(indices_without_vertex_are_refused),
		cmocka_unit_test(damaged_files_are_refused),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
