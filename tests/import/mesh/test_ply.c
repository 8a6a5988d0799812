/* tests/import/mesh/test_ply.c: the PLY reader: both byte orders and text, any order of properties
   and elements, and broken files. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A PLY file being put together. */
typedef struct ply_file {
	unsigned char bytes[4096];
	size_t size;
	bool big;
} ply_file;

static void put_text(ply_file *file, const char *text)
{
	memcpy(file->bytes + file->size, text, strlen(text));
	file->size += strlen(text);
}

static void put_bits(ply_file *file, uint64_t bits, int size)
{
	for (int i = 0; i < size; i++) file->bytes[file->size++] = (unsigned char)(bits >> 8 * (file->big ? size - 1 - i : i));
}

static void put_float(ply_file *file, float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_bits(file, bits, 4);
}

static void put_double(ply_file *file, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_bits(file, bits, 8);
}

static ossa_status read_file(ossa_context *context, const ply_file *file, ossa_mesh **mesh)
{
	return ossa_read_mesh(context, test_file("mesh.ply", file->bytes, file->size), NULL, mesh);
}

static void refused(const char *text, const char *words)
{
	ossa_context *context = test_context(1);
	ossa_mesh *mesh = (ossa_mesh *)1;
	assert_fails(context, ossa_read_mesh(context, test_file("mesh.ply", text, 0), NULL, &mesh), OSSA_ERROR_INPUT, words);
	assert_null(mesh);
	test_context_end(context);
}

static const char *const text_file =
	"ply\nformat ascii 1.0\ncomment made by hand\nobj_info none\nelement vertex 5\nproperty float x\nproperty double y\n"
	"property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nproperty float nx\nproperty float ny\n"
	"property float nz\nproperty float s\nproperty float t\nproperty int quality\nelement face 2\n"
	"property list uchar int vertex_indices\nproperty uchar flags\nend_header\n"
	"0 0 0 255 0 0 0 0 1 0 0 7\n1 0 0 0 255 0 0 0 1 1 0 7\n1 1 0 0 0 255 0 0 1 1 1 7\n\n0 1 0 0 0 0 0 0 1 0 1 7\n-1 .5 0 9 9 9 "
	"0 0 1 0 .5 7\n"
	"5 0 1 2 3 4 0\n3 0 1 2 1";

static void text_with_everything(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	assert_ok(context, ossa_read_mesh(context, test_file("mesh.ply", text_file, 0), NULL, &mesh));
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->vertex_count, 5);
	assert_int_equal(mesh->polygon_count, 2);
	assert_int_equal(mesh->triangle_count, 4);
	assert_true(mesh->positions[12] == -1 && mesh->positions[13] == .5F);
	assert_true(mesh->colors[0] == 1 && mesh->colors[1] == 0 && mesh->colors[3] == 1);
	assert_true(mesh->normals[2] == 1);
	assert_true(mesh->texcoords[9] == .5F);
	const uint32_t corners[] = {0, 1, 2, 3, 4, 0, 1, 2};
	assert_memory_equal(mesh->corner_vertex, corners, sizeof corners);
	assert_memory_equal(mesh->corner_normal, corners, sizeof corners);
	assert_memory_equal(mesh->corner_texcoord, corners, sizeof corners);
	ossa_mesh_free(context, mesh);
	test_context_end(context);
}

/* faces before vertices, odd types, an unknown element with lists between, wedge texture
   coordinates */
static void make_binary(ply_file *file, bool big)
{
	*file = (ply_file){.big = big};
	put_text(file, big ? "ply\nformat binary_big_endian 1.0\n" : "ply\r\nformat binary_little_endian 1.0\r\n");
	put_text(file,
		"element face 2\nproperty list uchar float texcoord\nproperty list int ushort vertex_index\n"
		"element thing 2\nproperty short a\nproperty list ushort double b\n"
		"element vertex 4\nproperty double z\nproperty uchar alpha\nproperty float y\nproperty ushort red\nproperty short x\n"
		"property ushort green\nproperty ushort blue\nend_header\n");
	put_bits(file, 6, 1);
	for (int i = 0; i < 6; i++) put_float(file, (float)i);
	put_bits(file, 3, 4);
	for (int i = 0; i < 3; i++) put_bits(file, (uint64_t)i, 2);
	put_bits(file, 0, 1);
	put_bits(file, 4, 4);
	for (int i = 0; i < 4; i++) put_bits(file, (uint64_t)(3 - i), 2);
	for (int i = 0; i < 2; i++) {
		put_bits(file, 0xFFFF, 2);
		put_bits(file, 2, 2);
		put_double(file, 1e300);
		put_double(file, NAN);
	}
	const int xy[][2] = {{0, 0}, {1, 0}, {1, 1}, {-1, 1}};
	for (int i = 0; i < 4; i++) {
		put_double(file, 0.5);
		put_bits(file, 51, 1);
		put_float(file, (float)xy[i][1]);
		put_bits(file, 65535, 2);
		put_bits(file, (uint64_t)(int64_t)xy[i][0], 2);
		put_bits(file, 0, 2);
		put_bits(file, 0, 2);
	}
}

static void binary_of_both_orders(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		ossa_context *context = test_context(1);
		ply_file file;
		ossa_mesh *mesh;
		make_binary(&file, big);
		assert_ok(context, read_file(context, &file, &mesh));
		assert_ok(context, ossa_mesh_validate(context, mesh));
		assert_int_equal(mesh->vertex_count, 4);
		assert_int_equal(mesh->triangle_count, 3);
		const float last[] = {-1, 1, .5F};
		assert_memory_equal(mesh->positions + 9, last, sizeof last);
		assert_true(mesh->colors[0] == 1 && mesh->colors[1] == 0);
		assert_near(mesh->colors[3], 0.2, 1e-6);
		const uint32_t vertices[] = {0, 1, 2, 3, 2, 1, 0}, texcoords[] = {0, 1, 2, OSSA_NONE, OSSA_NONE, OSSA_NONE, OSSA_NONE};
		assert_memory_equal(mesh->corner_vertex, vertices, sizeof vertices);
		assert_memory_equal(mesh->corner_texcoord, texcoords, sizeof texcoords);
		assert_true(mesh->texcoords[5] == 5);
		ossa_mesh_free(context, mesh);
		test_context_end(context);
	}
}

#define HEAD "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACE "element face 1\nproperty list uchar int vertex_indices\nend_header\n"

static void broken_files_are_refused(void **state)
{
	(void)state;
	refused("ply\n", "no end_header");
	refused("ply\nformat ascii 1.0\nelement vertex 3\n", "no end_header");
	refused("ply\nformat utf8 1.0\nend_header\n", "line 2: format \"utf8\" is none of");
	refused("ply\nproperty float x\n", "line 2: property before any element");
	refused("ply\nformat ascii 1.0\nelement vertex\n", "line 3: element without a count");
	refused("ply\nformat ascii 1.0\nelement vertex -3\n", "line 3: element without a count");
	refused("ply\nformat ascii 1.0\nelement vertex 3\nproperty quad x\n", "unknown type \"quad\"");
	refused("ply\nformat ascii 1.0\nelement vertex 3\nproperty list float int x\n", "cannot be a fraction");
	refused("ply\nformat ascii 1.0\nelement vertex 3\nelement vertex 3\n", "line 4: element vertex is there twice");
	refused("ply\nelement vertex 1\nproperty float x\nend_header\n", "no format");
	refused("ply\nformat ascii 1.0\nhello\nend_header\n", "line 3: the header has a line");
	refused("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n", "x, y and z");
	refused(HEAD "element face 1\nproperty int a\nend_header\n", "no list vertex_indices");
	refused(HEAD "end_header\n0 0 0\n1 0 0\n0 1 0\n", "no faces");
	refused(HEAD FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 13: face 0 has the vertex index 3, but there are only 3");
	refused(HEAD FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 13: face 0 has the vertex index -1");
	refused(HEAD FACE "0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "line 13: face 0 has 2 corners");
	refused(HEAD FACE "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "length -3");
	refused(HEAD FACE "0 0 0\n1 0 0\n0 1 0\n3 0 1 2.5\n", "\"2.5\" where a whole number must be");
	refused(HEAD FACE "0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "line 11: the line ends before");
	refused(HEAD FACE "0 0 0\n1 0 0 0\n0 1 0\n3 0 1 2\n", "line 11: the line has more values");
	refused(HEAD FACE "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "line 11: vertex 1 has a coordinate that is not finite");
	refused(HEAD FACE "0 0 0\n1 zero 0\n0 1 0\n3 0 1 2\n", "\"zero\" where a number must be");
	refused("ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nproperty float y\nproperty float "
			"z\nend_header\n0 0 0\n",
		"at most 4294967294");
	refused("ply\nformat ascii 1.0\nelement vertex 999999999\nproperty float x\nproperty float y\nproperty float "
			"z\nend_header\n0 0 0\n",
		"the file ends before");
	refused(
		"ply\nformat binary_little_endian 1.0\nelement vertex 999999999\nproperty float x\nproperty float y\nproperty float z\n"
		"element nothing 4000000000000\nend_header\n",
		"byte 153: the file ends before");
}

/* every beginning of every form is a mesh or a clear error */
static void every_truncation_is_survived(void **state)
{
	(void)state;
	ply_file files[3] = {{.size = 0}};
	put_text(&files[0], text_file);
	make_binary(&files[1], false);
	make_binary(&files[2], true);
	ossa_context *context = test_context(1);
	for (int i = 0; i < 3; i++) {
		for (size_t size = 1; size <= files[i].size; size++) {
			ossa_mesh *mesh;
			const ossa_status status = ossa_read_mesh(context, test_file("cut.ply", files[i].bytes, size), NULL, &mesh);
			/* only the last value of the text may be missing unseen: nothing, or a digit of it */
			if (size < files[i].size) assert_fails(context, status, OSSA_ERROR_INPUT, "cut.ply");
			else assert_ok(context, status);
			ossa_mesh_free(context, mesh);
		}
	}
	test_context_end(context);
}

static void every_allocation_may_fail(void **state)
{
	(void)state;
	test_sweep_read_mesh(test_file("sweep.ply", text_file, 0), 21);
	ply_file file;
	make_binary(&file, true);
	test_sweep_read_mesh(test_file("sweep.ply", file.bytes, file.size), 21);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_with_everything),
		cmocka_unit_test(binary_of_both_orders),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(every_truncation_is_survived),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
