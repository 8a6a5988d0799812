/* tests/import/alembic/test_alembic_bad.c: other files named Alembic, and truncated, corrupted
   or malicious ones. */
#include "support/alembic_scene.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static void other_containers_are_refused_by_name(void **state)
{
	(void)state;
	unsigned char hdf[64] = "\211HDF\r\n\032\n";
	assert_true(ossai_alembic_detect(hdf, sizeof hdf));
	assert_false(ossai_alembic_detect((const uint8_t *)"Ogre", 4));
	alembic_refused(&(ogawa_bytes){hdf, sizeof hdf, 0}, OSSA_ERROR_INPUT,
		"HDF5 (or another HDF5 file), which ossa does not read: export it as");
	ogawa_bytes file = alembic_make_scene(&(alembic_form){0});
	file.bytes[5] = 0;
	alembic_refused(&file, OSSA_ERROR_INPUT, "was not finished");
	file.bytes[5] = 0xFF;
	file.bytes[7] = 2;
	alembic_refused(&file, OSSA_ERROR_INPUT, "Ogawa of version 2");
	file.bytes[7] = 1;
	memset(file.bytes + 8, 0, 8);
	alembic_refused(&file, OSSA_ERROR_INPUT, "no Alembic archive");
	ogawa_free(&file);
}

static void files_without_meshes_are_refused(void **state)
{
	(void)state;
	ogawa_bytes file = alembic_make_scene(&(alembic_form){.mesh_metadata = "schema=AbcGeom_Curve_v2"});
	alembic_refused(&file, OSSA_ERROR_INPUT, "holds no polygon mesh");
	ogawa_free(&file);
	file = alembic_make_scene(&(alembic_form){.mesh_metadata = "schema=AbcGeom_Camera_v1"});
	alembic_refused(&file, OSSA_ERROR_INPUT, "holds no polygon mesh");
	ogawa_free(&file);
}

/* a chain of `depth` objects; where `loops`, the last has the first as its child */
static ogawa_bytes make_chain(int depth, bool loops)
{
	ogawa_bytes file = ogawa_begin();
	const alembic_form form = {0};
	uint64_t below = alembic_make_mesh(&file, &form, false), loop_at = 0;
	for (int i = 0; i < depth; i++) {
		ogawa_list object = ogawa_object(0);
		ogawa_add_object(&object, i == 0 ? "shape" : "o", NULL, i == 0 ? 1 : 0, below);
		below = ogawa_close_object(&file, &object);
		if (i == 0) loop_at = below;
	}
	ogawa_list top = ogawa_object(0);
	ogawa_add_object(&top, "o", NULL, 0, below);
	/* the innermost group is a count, its properties, the mesh and the headers */
	for (int i = 0; loops && i < 8; i++) file.bytes[loop_at + 16 + (size_t)i] = (unsigned char)(below >> 8 * i);
	alembic_finish(&file, &top);
	return file;
}

static void loops_and_depths_are_refused(void **state)
{
	(void)state;
	ogawa_bytes file = make_chain(20, true);
	/* what stood there was called a mesh, which it is not now */
	alembic_refused(&file, OSSA_ERROR_INPUT, "is a mesh without geometry");
	ogawa_free(&file);
	file = make_chain(300, false);
	alembic_refused(&file, OSSA_ERROR_INPUT, "lies 256 objects deep");
	ogawa_free(&file);
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	file = make_chain(250, false);
	alembic_open_shape(context, &file, &source, &asset);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

/* everything at once, for the sweeps */
static ogawa_bytes make_everything(void)
{
	const alembic_xform outer = {.op_count = 2,
		.width = 7,
		.samples = 2,
		.ops = {16, 32},
		.sampling = 1,
		.values = {1, 2, 3, 0, 1, 0, 10, 1, 2, 4, 0, 1, 0, 20}};
	ogawa_bytes file = ogawa_begin();
	const alembic_form form = {.positions.sampling = 2}, subd = {.is_subd = true, .position_pod = OGAWA_F16};
	ogawa_list out = ogawa_object(alembic_make_xform(&file, &outer));
	ogawa_add_object(&out, "shape", NULL, 1, alembic_make_mesh(&file, &form, true));
	ogawa_add_object(&out, "cage", "schema=AbcGeom_SubD_v1", 0, alembic_make_mesh(&file, &subd, false));
	ogawa_list top = ogawa_object(0);
	const uint64_t out_position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, out_position);
	ogawa_add_object(&top, "copy", "isInstance=1", 0, alembic_make_instance(&file, "/outer/shape"));
	alembic_finish(&file, &top);
	return file;
}

/* reads all there is; whatever comes must be whole */
static ossa_status read_all(ossa_context *context, const ogawa_bytes *file)
{
	ossai_source source;
	ossai_asset asset;
	OSSAI_TRY(alembic_open(context, file, &source, &asset));
	ossa_status status = OSSA_OK;
	for (size_t m = 0; m < asset.mesh_count && status == OSSA_OK; m++) {
		const ossai_asset_mesh *mesh = &asset.meshes[m];
		assert_ok(context, ossa_mesh_validate(context, mesh->mesh));
		float *positions = calloc(3 * mesh->mesh->vertex_count, sizeof *positions);
		assert_non_null(positions);
		for (size_t s = 0; s < mesh->sample_count && status == OSSA_OK; s++) {
			status = mesh->read_sample(asset.reader, mesh, s, positions);
		}
		free(positions);
	}
	ossai_asset_close(&asset);
	return status;
}

static void every_truncation_is_refused(void **state)
{
	(void)state;
	ogawa_bytes file = make_everything();
	ossa_context *context = test_context(1);
	assert_ok(context, read_all(context, &file));
	for (size_t size = 0; size < file.size; size++) {
		/* a copy of that size, so that a step beyond is noticed */
		ogawa_bytes cut = {malloc(size + 1), size, 0};
		memcpy(cut.bytes, file.bytes, size);
		cut.bytes = realloc(cut.bytes, size ? size : 1);
		assert_int_equal(read_all(context, &cut), OSSA_ERROR_INPUT);
		assert_true(ossa_context_error(context)->message[0]);
		free(cut.bytes);
	}
	test_context_end(context);
	ogawa_free(&file);
}

static void no_byte_can_harm(void **state)
{
	(void)state;
	static const unsigned char masks[] = {0xFF, 0x80, 0x01, 0x20};
	ogawa_bytes file = make_everything();
	ossa_context *context = test_context(1);
	size_t refusals = 0;
	for (size_t i = 0; i < file.size; i++) {
		for (size_t k = 0; k < sizeof masks; k++) {
			file.bytes[i] ^= masks[k];
			const ossa_status status = read_all(context, &file);
			assert_true(status == OSSA_OK || status == OSSA_ERROR_INPUT || status == OSSA_ERROR_LIMIT);
			refusals += status != OSSA_OK;
			file.bytes[i] ^= masks[k];
		}
	}
	assert_true(refusals > file.size);
	assert_true(ossa_context_peak_bytes(context) < (size_t)1 << 20);
	test_context_end(context);
	ogawa_free(&file);
}

static ossa_status sweep_body(ossa_context *context, void *file) { return read_all(context, file); }

static void every_allocation_may_fail(void **state)
{
	(void)state;
	ogawa_bytes file = make_everything();
	assert_true(test_allocation_sweep(sweep_body, &file, 2000, 1) > 60);
	ogawa_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_containers_are_refused_by_name),
		cmocka_unit_test(files_without_meshes_are_refused),
		cmocka_unit_test(loops_and_depths_are_refused),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(no_byte_can_harm),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
