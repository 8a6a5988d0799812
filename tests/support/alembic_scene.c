/* tests/support/alembic_scene.c: see alembic_scene.h. */
#include "support/alembic_scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* a quad and a triangle, clockwise seen from +z as Alembic has it */
const float alembic_rest[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0};
static const int32_t face_counts[2] = {4, 3}, face_indices[7] = {0, 3, 2, 1, 1, 2, 4};
/* the same from the other side, each face from the same corner on */
const uint32_t alembic_corners[7] = {0, 1, 2, 3, 1, 4, 2};

static uint64_t half_sample(ogawa_bytes *file, const float *values, size_t count)
{
	unsigned char bytes[2 * 64];
	for (size_t i = 0; i < count; i++) {
		/* small whole numbers and their halves: exponent and the fraction's upper bits */
		int exponent = 0;
		const double fraction = frexp(fabs((double)values[i]), &exponent);
		const int bits = values[i] == 0 ? 0 : (exponent + 14) << 10 | ((int)(fraction * 2048) & 1023);
		const int whole = bits | (values[i] < 0 ? 0x8000 : 0);
		bytes[2 * i] = (unsigned char)whole;
		bytes[2 * i + 1] = (unsigned char)(whole >> 8);
	}
	return ogawa_sample(file, bytes, 2 * count);
}

static uint64_t position_sample(ogawa_bytes *file, int pod, const float *values, size_t count)
{
	double wide[64];
	if (pod == OGAWA_F16) return half_sample(file, values, count);
	for (size_t i = 0; i < count; i++) wide[i] = (double)values[i];
	return pod == OGAWA_F64 ? ogawa_sample(file, wide, 8 * count) : ogawa_sample(file, values, 4 * count);
}

static void add_positions(ogawa_bytes *file, ogawa_list *geometry, const alembic_form *form)
{
	uint64_t samples[64];
	ogawa_property p = form->positions;
	p.name = "P";
	p.kind = OGAWA_ARRAY;
	p.pod = form->position_pod ? form->position_pod : OGAWA_F32;
	p.extent = 3;
	p.hint = form->hint;
	const size_t stored = form->stored ? (size_t)form->stored : 3;
	for (size_t s = 0; s < stored; s++) {
		float values[15];
		memcpy(values, form->values && s == 1 ? form->values : alembic_rest, sizeof values);
		for (size_t v = 0; v < ALEMBIC_VERTICES; v++) values[3 * v + 1] += (float)s;
		samples[s] = position_sample(file, p.pod, values, form->other_count && s == 1 ? 12 : 15);
	}
	if (form->dimensions) p.dimensions = ogawa_data(file, &form->dimensions, 8);
	ogawa_add(file, geometry, &p, stored, samples);
}

static void add_integers(ogawa_bytes *file, ogawa_list *list, const alembic_form *form, const char *name, int pod,
	const int32_t *values, size_t count)
{
	uint64_t samples[2];
	const ogawa_property p = {.name = name,
		.kind = OGAWA_ARRAY,
		.pod = pod,
		.extent = 1,
		.hint = form->hint,
		.is_constant = !(form->other_faces && strcmp(name, ".faceIndices") == 0) && !form->repeats};
	samples[0] = ogawa_sample(file, values, 4 * count);
	int32_t other[16];
	for (size_t i = 0; i < count; i++) other[i] = form->repeats ? values[i] : values[count - 1 - i];
	samples[1] = form->repeats == 1 ? samples[0] : ogawa_sample(file, other, 4 * count);
	ogawa_add(file, list, &p, p.is_constant ? 1 : 2, samples);
}

static void add_floats(ogawa_bytes *file, ogawa_list *list, const alembic_form *form, const char *name, const char *metadata,
	int extent, const float *values, size_t count)
{
	const ogawa_property p = {.name = name,
		.metadata = metadata,
		.kind = OGAWA_ARRAY,
		.pod = OGAWA_F32,
		.extent = extent,
		.hint = form->hint,
		.is_constant = 1};
	const uint64_t sample = ogawa_sample(file, values, 4 * count);
	ogawa_add(file, list, &p, 1, &sample);
}

/* UVs: u is a tenth of the vertex, v one for the second face; normals: z is the vertex */
static const float uv_values[12] = {0, 0, 0.1F, 0, 0.2F, 0, 0.3F, 0, 0.1F, 1, 0.2F, 1};
static const int32_t uv_indices[ALEMBIC_CORNERS] = {0, 3, 2, 1, 4, 5, 5};
static const float normal_values[15] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4};

static void add_attributes(ogawa_bytes *file, ogawa_list *geometry, const alembic_form *form)
{
	const char *corner = form->geometry_metadata ? form->geometry_metadata : "geoScope=fvr;x=y";
	const char *vertex = form->geometry_metadata ? form->geometry_metadata : "a=b;geoScope=vtx";
	if (form->plain_attributes) add_floats(file, geometry, form, "uv", vertex, 2, uv_values, 10);
	else {
		ogawa_list uv = {0};
		add_floats(file, &uv, form, ".vals", corner, 2, uv_values, 12);
		add_integers(file, &uv, form, ".indices", OGAWA_U32, uv_indices, ALEMBIC_CORNERS);
		ogawa_add_compound(geometry, "uv", corner, ogawa_close_compound(file, &uv));
	}
	if (!form->is_subd) add_floats(file, geometry, form, "N", vertex, 3, normal_values, 15);
}

static uint64_t make_face_set(ogawa_bytes *file, int32_t face)
{
	const alembic_form plain = {0};
	ogawa_list set = {0}, properties = {0};
	add_integers(file, &set, &plain, ".faces", OGAWA_I32, &face, 1);
	ogawa_add_compound(&properties, ".faceset", NULL, ogawa_close_compound(file, &set));
	ogawa_list object = ogawa_object(ogawa_close_compound(file, &properties));
	return ogawa_close_object(file, &object);
}

uint64_t alembic_make_mesh(ogawa_bytes *file, const alembic_form *form, bool with_sets)
{
	ogawa_list geometry = {0}, properties = {0};
	add_positions(file, &geometry, form);
	add_integers(file, &geometry, form, ".faceIndices", OGAWA_I32, face_indices, ALEMBIC_CORNERS);
	add_integers(file, &geometry, form, ".faceCounts", OGAWA_I32, face_counts, 2);
	add_attributes(file, &geometry, form);
	ogawa_add_compound(&properties, ".geom", NULL, ogawa_close_compound(file, &geometry));
	ogawa_list object = ogawa_object(ogawa_close_compound(file, &properties));
	if (with_sets) {
		ogawa_add_object(&object, "cloth", "schema=AbcGeom_FaceSet_v1", 0, make_face_set(file, 1));
		ogawa_add_object(&object, "beyond", "schema=AbcGeom_FaceSet_v1", 0, make_face_set(file, 7));
	}
	return ogawa_close_object(file, &object);
}

void alembic_finish(ogawa_bytes *file, ogawa_list *top)
{
	ogawa_bytes samplings = {0}, metadata = {0};
	const double zero = 0, first = 1 / 24.0;
	ogawa_append_sampling(&samplings, 1, 1, &zero);
	ogawa_append_sampling(&samplings, 1 / 24.0, 1, &first);
	ogawa_append_sampling(&samplings, 0.5, 2, (const double[]){1, 1.1});
	ogawa_append_sampling(&samplings, OGAWA_ACYCLIC, 3, (const double[]){-1, 0.25, 7});
	ogawa_append_sampling(&samplings, OGAWA_ACYCLIC, 3, (const double[]){1, 1, 2});
	ogawa_append_metadata(&metadata, "schema=AbcGeom_PolyMesh_v1;schemaObjTitle=AbcGeom_PolyMesh_v1:.geom");
	ogawa_append_metadata(&metadata, "x=1;schema=AbcGeom_Xform_v3");
	const uint64_t position = ogawa_close_object(file, top);
	ogawa_archive(file, position, &samplings, &metadata);
}

ogawa_bytes alembic_make_scene(const alembic_form *form)
{
	ogawa_bytes file = ogawa_begin();
	const uint64_t mesh = alembic_make_mesh(&file, form, true);
	ogawa_list top = ogawa_object(0);
	ogawa_add_object(&top, "shape", form->mesh_metadata, 1, mesh);
	alembic_finish(&file, &top);
	return file;
}

uint64_t alembic_make_xform(ogawa_bytes *file, const alembic_xform *form)
{
	ogawa_list xform = {0}, properties = {0};
	uint64_t samples[8];
	const unsigned char inherits = !form->alone;
	samples[0] = ogawa_sample(file, &inherits, 1);
	ogawa_add(file, &xform,
		&(ogawa_property){.name = ".inherits", .kind = OGAWA_SCALAR, .pod = OGAWA_BOOL, .extent = 1, .is_constant = 1}, 1,
		samples);
	samples[0] = ogawa_sample(file, form->ops, form->op_count);
	ogawa_add(file, &xform,
		&(ogawa_property){
			.name = ".ops", .kind = OGAWA_SCALAR, .pod = OGAWA_U8, .extent = (int)form->op_count, .is_constant = 1},
		1, samples);
	for (size_t s = 0; s < form->samples; s++) {
		samples[s] = ogawa_sample(file, form->values + s * form->width, 8 * form->width);
	}
	ogawa_add(file, &xform,
		&(ogawa_property){.name = ".vals",
			.kind = form->as_array ? OGAWA_ARRAY : OGAWA_SCALAR,
			.pod = OGAWA_F64,
			.extent = form->as_array ? 1 : (int)form->width,
			.sampling = form->sampling},
		form->samples, samples);
	ogawa_add_compound(&properties, ".xform", NULL, ogawa_close_compound(file, &xform));
	return ogawa_close_compound(file, &properties);
}

uint64_t alembic_make_instance(ogawa_bytes *file, const char *path)
{
	ogawa_list properties = {0};
	const uint64_t sample = ogawa_sample(file, path, strlen(path) + 1);
	ogawa_add(file, &properties,
		&(ogawa_property){.name = ".instanceSource", .kind = OGAWA_SCALAR, .pod = OGAWA_STRING, .extent = 1, .is_constant = 1},
		1, &sample);
	ogawa_list object = ogawa_object(ogawa_close_compound(file, &properties));
	return ogawa_close_object(file, &object);
}

ossa_status alembic_open(ossa_context *context, const ogawa_bytes *file, ossai_source *source, ossai_asset *asset)
{
	*source = (ossai_source){.path = "scene.abc", .bytes = file->bytes, .size = file->size};
	return ossai_asset_open(context, source, ossai_alembic_read_asset, NULL, asset);
}

void alembic_refused(const ogawa_bytes *file, ossa_status expected, const char *words)
{
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	assert_fails(context, alembic_open(context, file, &source, &asset), expected, words);
	test_context_end(context);
}

void alembic_check_shape(ossa_context *context, const ossa_mesh *mesh)
{
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->vertex_count, ALEMBIC_VERTICES);
	assert_int_equal(mesh->polygon_count, 2);
	assert_int_equal(mesh->polygon_start[1], 4);
	for (size_t i = 0; i < 15; i++) assert_true(mesh->positions[i] == alembic_rest[i]);
	assert_memory_equal(mesh->corner_vertex, alembic_corners, sizeof alembic_corners);
}

void alembic_open_shape(ossa_context *context, const ogawa_bytes *file, ossai_source *source, ossai_asset *asset)
{
	assert_ok(context, alembic_open(context, file, source, asset));
	assert_int_equal(asset->mesh_count, 1);
	alembic_check_shape(context, asset->meshes[0].mesh);
}

void alembic_check_sample(ossa_context *context, const ossai_asset *asset, size_t sample, float height)
{
	float positions[15];
	const ossai_asset_mesh *mesh = &asset->meshes[0];
	assert_ok(context, mesh->read_sample(asset->reader, mesh, sample, positions));
	for (size_t i = 0; i < 15; i++) assert_true(positions[i] == alembic_rest[i] + (i % 3 == 1 ? height : 0));
}
