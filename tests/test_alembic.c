/* tests/test_alembic.c: Alembic files: meshes over time, transforms, attributes, instances; and files that are broken or made to harm.
   The files are made by support/ogawa.c, which knows the layout alone. */
#include "import/alembic/alembic.h"
#include "support/ogawa.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a scene to read ---- */

/* a quad and a triangle, clockwise seen from +z as Alembic has it */
static const float rest[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0};
static const int32_t face_counts[2] = {4, 3}, face_indices[7] = {0, 3, 2, 1, 1, 2, 4};
/* the same from the other side, each face from the same corner on */
static const uint32_t expected_corners[7] = {0, 1, 2, 3, 1, 4, 2};

enum { VERTICES = 5, CORNERS = 7 };

/* How the parts of the scene are written: what a test varies. Zero is the plainest file. */
typedef struct scene_form {
	int hint;                 /* of all headers */
	int position_pod;         /* 0: F32 */
	int stored;               /* position samples; 0: 3. Sample s is moved up by s */
	ogawa_property positions; /* what its header says besides: sample_count, is_constant, has_changes, first, last, sampling */
	const float *values;      /* instead of the rest's, of the second sample */
	bool other_faces, other_count; /* in its second sample */
	int repeats;                   /* 1: the faces have a second sample of the same data, 2: of data that is the same */
	const char *geometry_metadata; /* of the attributes; NULL: "geoScope=fvr" and "geoScope=vtx" */
	bool plain_attributes;         /* not indexed: vertex UVs */
	bool is_subd;
	const char *mesh_metadata; /* NULL: the schema, indexed */
	uint64_t dimensions;       /* of positions, written although there is one alone; 0: not written */
} scene_form;

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

static void add_positions(ogawa_bytes *file, ogawa_list *geometry, const scene_form *form)
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
		memcpy(values, form->values && s == 1 ? form->values : rest, sizeof values);
		for (size_t v = 0; v < VERTICES; v++) values[3 * v + 1] += (float)s;
		samples[s] = position_sample(file, p.pod, values, form->other_count && s == 1 ? 12 : 15);
	}
	if (form->dimensions) p.dimensions = ogawa_data(file, &form->dimensions, 8);
	ogawa_add(file, geometry, &p, stored, samples);
}

static void add_integers(
	ogawa_bytes *file, ogawa_list *list, const scene_form *form, const char *name, int pod, const int32_t *values, size_t count)
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

static void add_floats(ogawa_bytes *file, ogawa_list *list, const scene_form *form, const char *name, const char *metadata,
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
static const int32_t uv_indices[CORNERS] = {0, 3, 2, 1, 4, 5, 5};
static const float normal_values[15] = {0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4};

static void add_attributes(ogawa_bytes *file, ogawa_list *geometry, const scene_form *form)
{
	const char *corner = form->geometry_metadata ? form->geometry_metadata : "geoScope=fvr;x=y";
	const char *vertex = form->geometry_metadata ? form->geometry_metadata : "a=b;geoScope=vtx";
	if (form->plain_attributes) add_floats(file, geometry, form, "uv", vertex, 2, uv_values, 10);
	else {
		ogawa_list uv = {0};
		add_floats(file, &uv, form, ".vals", corner, 2, uv_values, 12);
		add_integers(file, &uv, form, ".indices", OGAWA_U32, uv_indices, CORNERS);
		ogawa_add_compound(geometry, "uv", corner, ogawa_close_compound(file, &uv));
	}
	if (!form->is_subd) add_floats(file, geometry, form, "N", vertex, 3, normal_values, 15);
}

static uint64_t make_face_set(ogawa_bytes *file, int32_t face)
{
	const scene_form plain = {0};
	ogawa_list set = {0}, properties = {0};
	add_integers(file, &set, &plain, ".faces", OGAWA_I32, &face, 1);
	ogawa_add_compound(&properties, ".faceset", NULL, ogawa_close_compound(file, &set));
	ogawa_list object = ogawa_object(ogawa_close_compound(file, &properties));
	return ogawa_close_object(file, &object);
}

static uint64_t make_mesh(ogawa_bytes *file, const scene_form *form, bool with_sets)
{
	ogawa_list geometry = {0}, properties = {0};
	add_positions(file, &geometry, form);
	add_integers(file, &geometry, form, ".faceIndices", OGAWA_I32, face_indices, CORNERS);
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

/* metadata 1 and 2, times 1 (24 a second from frame 1 on), 2 (a cycle), 3 (all there are), 4 (do not increase) */
static void finish_scene(ogawa_bytes *file, ogawa_list *top)
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

/* one mesh at the top */
static ogawa_bytes make_scene(const scene_form *form)
{
	ogawa_bytes file = ogawa_begin();
	const uint64_t mesh = make_mesh(&file, form, true);
	ogawa_list top = ogawa_object(0);
	ogawa_add_object(&top, "shape", form->mesh_metadata, 1, mesh);
	finish_scene(&file, &top);
	return file;
}

/* ---- reading ---- */

static ossa_status open_asset(ossa_context *context, const ogawa_bytes *file, ossai_source *source, ossai_asset *asset)
{
	*source = (ossai_source){"scene.abc", file->bytes, file->size};
	return ossai_asset_open(context, source, ossai_alembic_read_asset, NULL, asset);
}

static void refused(const ogawa_bytes *file, ossa_status expected, const char *words)
{
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	assert_fails(context, open_asset(context, file, &source, &asset), expected, words);
	test_context_end(context);
}

static void check_shape(ossa_context *context, const ossa_mesh *mesh)
{
	assert_ok(context, ossa_mesh_validate(context, mesh));
	assert_int_equal(mesh->vertex_count, VERTICES);
	assert_int_equal(mesh->polygon_count, 2);
	assert_int_equal(mesh->polygon_start[1], 4);
	for (size_t i = 0; i < 15; i++) assert_true(mesh->positions[i] == rest[i]);
	assert_memory_equal(mesh->corner_vertex, expected_corners, sizeof expected_corners);
}

/* opens a scene, checks its mesh, and gives it for more */
static void open_scene(ossa_context *context, const ogawa_bytes *file, ossai_source *source, ossai_asset *asset)
{
	assert_ok(context, open_asset(context, file, source, asset));
	assert_int_equal(asset->mesh_count, 1);
	check_shape(context, asset->meshes[0].mesh);
}

static void check_sample(ossa_context *context, const ossai_asset *asset, size_t sample, float height)
{
	float positions[15];
	const ossai_asset_mesh *mesh = &asset->meshes[0];
	assert_ok(context, mesh->read_sample(asset->reader, mesh, sample, positions));
	for (size_t i = 0; i < 15; i++) assert_true(positions[i] == rest[i] + (i % 3 == 1 ? height : 0));
}

/* ---- meshes ---- */

static void a_mesh_comes_whole(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ogawa_bytes file = make_scene(&(scene_form){.positions.sampling = 1});
	ossai_source source;
	ossai_asset asset;
	assert_true(ossai_alembic_detect(file.bytes, file.size));
	open_scene(context, &file, &source, &asset);
	const ossa_mesh *mesh = asset.meshes[0].mesh;
	assert_string_equal(mesh->name, "shape");
	/* what belongs to a corner goes with it when the face turns round */
	for (size_t c = 0; c < CORNERS; c++) {
		const float *uv = mesh->texcoords + 2 * mesh->corner_texcoord[c];
		const uint32_t v = expected_corners[c];
		assert_true(uv[0] == (v == 4 ? 0.2F : (float)v / 10) && uv[1] == (c >= 4 ? 1 : 0));
		assert_true(mesh->normals[3 * mesh->corner_normal[c] + 2] == (float)v);
	}
	assert_int_equal(mesh->material_count, 1);
	assert_string_equal(mesh->materials[0], "cloth");
	assert_int_equal(mesh->polygon_material[0], OSSA_NONE);
	assert_int_equal(mesh->polygon_material[1], 0);
	assert_int_equal(asset.meshes[0].sample_count, 3);
	for (size_t s = 0; s < 3; s++) {
		assert_float_equal(asset.meshes[0].sample_times[s], (double)(s + 1) / 24, 1e-12);
		check_sample(context, &asset, s, (float)s);
	}
	assert_int_equal(asset.node_count, 0);
	assert_int_equal(asset.clip_count, 0);
	assert_int_equal(ossa_context_warning_count(context), 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void every_way_of_writing_gives_the_same(void **state)
{
	(void)state;
	const scene_form forms[] = {
		{.hint = 1},
		{.hint = 2, .mesh_metadata = "schema=AbcGeom_PolyMesh_v1"},
		{.position_pod = OGAWA_F64},
		{.position_pod = OGAWA_F16},
		{.geometry_metadata = "interpretation=vector"},
		{.plain_attributes = true},
		{.is_subd = true, .mesh_metadata = "a=b;schema=AbcGeom_SubD_v1"},
		{.repeats = 1},
		{.repeats = 2},
		{.dimensions = 5},
	};
	ossa_context *context = test_context(1);
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		ogawa_bytes file = make_scene(&forms[i]);
		ossai_source source;
		ossai_asset asset;
		open_scene(context, &file, &source, &asset);
		const ossa_mesh *mesh = asset.meshes[0].mesh;
		for (size_t s = 0; s < 3; s++) check_sample(context, &asset, s, (float)s);
		assert_int_equal(mesh->texcoord_count, forms[i].plain_attributes ? 5 : 6);
		assert_int_equal(mesh->corner_texcoord[5], forms[i].plain_attributes ? 4 : 5);
		assert_int_equal(mesh->normal_count, forms[i].is_subd ? 0 : 5);
		ossai_asset_close(&asset);
		ogawa_free(&file);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void samples_that_are_alike_are_stored_once(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* four stored: 0 for samples 0 and 1, then 2, 3 and from 4 on */
	ogawa_bytes file = make_scene(
		&(scene_form){.stored = 4, .positions = {.sample_count = 7, .has_changes = 1, .first = 2, .last = 4}});
	ossai_source source;
	ossai_asset asset;
	open_scene(context, &file, &source, &asset);
	assert_int_equal(asset.meshes[0].sample_count, 7);
	const float heights[] = {0, 0, 1, 2, 3, 3, 3};
	for (size_t s = 0; s < 7; s++) check_sample(context, &asset, s, heights[s]);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	/* a constant one has many samples and is at rest */
	file = make_scene(&(scene_form){.stored = 1, .positions = {.hint = 2, .sample_count = 200, .is_constant = 1}});
	open_scene(context, &file, &source, &asset);
	assert_int_equal(asset.meshes[0].sample_count, 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	file = make_scene(&(scene_form){.hint = 2, .positions = {.sample_count = 100000}});
	refused(&file, OSSA_ERROR_INPUT, "property \"P\" tells of 100000 samples and holds 6");
	ogawa_free(&file);
	file = make_scene(&(scene_form){.positions = {.sample_count = 3, .has_changes = 1, .first = 2, .last = 1}});
	refused(&file, OSSA_ERROR_INPUT, "changes last before it changes first");
	ogawa_free(&file);
	test_context_end(context);
}

static void times_are_even_cyclic_or_listed(void **state)
{
	(void)state;
	static const struct {
		int sampling;
		double times[5];
	} forms[] = {
		{0, {0, 1, 2, 3, 4}},
		{1, {1 / 24.0, 2 / 24.0, 3 / 24.0, 4 / 24.0, 5 / 24.0}},
		{2, {1, 1.1, 1.5, 1.6, 2}},
	};
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	for (size_t i = 0; i < 3; i++) {
		ogawa_bytes file = make_scene(&(scene_form){.stored = 5, .positions.sampling = forms[i].sampling});
		open_scene(context, &file, &source, &asset);
		for (size_t s = 0; s < 5; s++) assert_float_equal(asset.meshes[0].sample_times[s], forms[i].times[s], 1e-12);
		ossai_asset_close(&asset);
		ogawa_free(&file);
	}
	ogawa_bytes file = make_scene(&(scene_form){.positions.sampling = 3});
	open_scene(context, &file, &source, &asset);
	assert_true(asset.meshes[0].sample_times[0] == -1 && asset.meshes[0].sample_times[2] == 7);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	assert_int_equal(ossa_context_warning_count(context), 0);
	/* times that stand still, and fewer times than samples */
	for (int i = 3; i < 5; i++) {
		file = make_scene(&(scene_form){.stored = i == 3 ? 4 : 3, .positions.sampling = i});
		open_scene(context, &file, &source, &asset);
		assert_float_equal(asset.meshes[0].sample_times[2], 2 / 24.0, 1e-12);
		ossai_asset_close(&asset);
		ogawa_free(&file);
	}
	assert_string_equal(ossa_context_warning(context, 0)->code, "alembic-times");
	assert_int_equal(ossa_context_warning(context, 0)->count, 2);
	file = make_scene(&(scene_form){.positions.sampling = 5});
	refused(&file, OSSA_ERROR_INPUT, "property \"P\" has the times number 5 of 5");
	ogawa_free(&file);
	test_context_end(context);
}

static void changing_meshes_are_refused(void **state)
{
	(void)state;
	ogawa_bytes file = make_scene(&(scene_form){.other_faces = true});
	refused(&file, OSSA_ERROR_INPUT, "scene.abc: /shape: its sample 2 has other faces than its first");
	ogawa_free(&file);
	file = make_scene(&(scene_form){.dimensions = 6});
	refused(&file, OSSA_ERROR_INPUT, "property \"P\" has other dimensions than values");
	ogawa_free(&file);
	file = make_scene(&(scene_form){.other_count = true});
	refused(&file, OSSA_ERROR_INPUT, "/shape: its sample 2 has another number of vertices than its first");
	ogawa_free(&file);
}

static void positions_that_are_no_numbers_are_named(void **state)
{
	(void)state;
	float values[15];
	memcpy(values, rest, sizeof values);
	values[7] = NAN;
	ossa_context *context = test_context(1);
	ogawa_bytes file = make_scene(&(scene_form){.values = values});
	ossai_source source;
	ossai_asset asset;
	open_scene(context, &file, &source, &asset);
	float positions[15];
	check_sample(context, &asset, 0, 0);
	assert_fails(context, asset.meshes[0].read_sample(asset.reader, asset.meshes, 1, positions), OSSA_ERROR_INPUT,
		"scene.abc, frame 1, vertex 2: the position is not finite");
	check_sample(context, &asset, 2, 2);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void attributes_that_do_not_fit_are_dropped(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* one value for each face: six are not */
	ogawa_bytes file = make_scene(&(scene_form){.geometry_metadata = "geoScope=uni"});
	ossai_source source;
	ossai_asset asset;
	open_scene(context, &file, &source, &asset);
	assert_null(asset.meshes[0].mesh->texcoords);
	assert_null(asset.meshes[0].mesh->normals);
	assert_string_equal(ossa_context_warning(context, 0)->code, "alembic-attribute");
	assert_int_equal(ossa_context_warning(context, 0)->count, 2);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

/* ---- transforms ---- */

/* A transform: its operations, and numbers for each of its samples. */
typedef struct xform_form {
	size_t op_count, width, samples;
	unsigned char ops[8];
	double values[40];
	int sampling;
	bool as_array, alone; /* alone: does not inherit */
} xform_form;

static uint64_t make_xform_properties(ogawa_bytes *file, const xform_form *form)
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

/* /outer/inner/shape, and a second mesh at /outer/group/second */
static ogawa_bytes make_hierarchy(const xform_form *outer, const xform_form *inner)
{
	ogawa_bytes file = ogawa_begin();
	const scene_form form = {.stored = 1, .positions.is_constant = 1};
	ogawa_list in = ogawa_object(make_xform_properties(&file, inner));
	ogawa_add_object(&in, "shape", NULL, 1, make_mesh(&file, &form, false));
	ogawa_list group = ogawa_object(0);
	ogawa_add_object(&group, "second", NULL, 1, make_mesh(&file, &form, false));
	ogawa_list out = ogawa_object(make_xform_properties(&file, outer));
	const uint64_t in_position = ogawa_close_object(&file, &in), group_position = ogawa_close_object(&file, &group);
	ogawa_add_object(&out, "inner", NULL, 2, in_position);
	ogawa_add_object(&out, "group", NULL, 0, group_position);
	ogawa_list top = ogawa_object(0);
	const uint64_t out_position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, out_position);
	finish_scene(&file, &top);
	return file;
}

static const xform_form no_ops = {.samples = 1};

/* what an op does to a point, from its definition */
static ossai_vec3 apply_op(const ossai_op *op, ossai_vec3 p)
{
	const double *v = op->values;
	switch (op->kind) {
	case OSSAI_OP_TRANSLATE: return ossai_add(p, ossai_v3_of(v));
	case OSSAI_OP_SCALE: return ossai_v3(p.x * v[0], p.y * v[1], p.z * v[2]);
	case OSSAI_OP_MATRIX:
		return ossai_v3(v[0] * p.x + v[1] * p.y + v[2] * p.z + v[3], v[4] * p.x + v[5] * p.y + v[6] * p.z + v[7],
			v[8] * p.x + v[9] * p.y + v[10] * p.z + v[11]);
	case OSSAI_OP_TURN:
	case OSSAI_OP_ROTATE: break;
	}
	const ossai_quat q = op->kind == OSSAI_OP_ROTATE
		? ossai_quat_of(v)
		: ossai_quat_axis_angle(ossai_unit(ossai_v3_of(v), ossai_v3(0, 0, 0)), v[3] * OSSAI_PI / 180);
	const ossai_mat3 m = ossai_quat_matrix(q);
	return ossai_mat3_mul_v(&m, p);
}

static void check_point(const ossai_asset_node *node, ossai_vec3 p, double x, double y, double z)
{
	for (size_t i = node->op_count; i-- > 0;) p = apply_op(&node->ops[i], p);
	assert_float_equal(p.x, x, 1e-12);
	assert_float_equal(p.y, y, 1e-12);
	assert_float_equal(p.z, z, 1e-12);
}

static void transforms_become_nodes(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* move, turn about y by 90 degrees, turn about x, y and z, scale: the last is done first */
	const xform_form outer = {
		.op_count = 3, .width = 10, .samples = 1, .ops = {16, 32, 0}, .values = {1, 2, 3, 0, 2, 0, 90, 2, 3, 4}};
	const xform_form inner = {.op_count = 4,
		.width = 19,
		.samples = 1,
		.ops = {64, 80, 96 | 1, 48},
		.as_array = true,
		.values = {90, 90, 90,
			/* x to y, y to z, z to x, then moved: rows are where the axes go */
			0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 5, 6, 7, 1}};
	ogawa_bytes file = make_hierarchy(&outer, &inner);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, open_asset(context, &file, &source, &asset));
	assert_int_equal(asset.node_count, 2);
	assert_string_equal(asset.nodes[0].name, "outer");
	assert_int_equal(asset.nodes[0].parent, OSSA_NONE);
	assert_int_equal(asset.nodes[1].parent, 0);
	assert_int_equal(asset.nodes[1].op_count, 4);
	/* (1,1,1) scaled (2,3,4), turned about y: x = z, z = -x, moved */
	check_point(&asset.nodes[0], ossai_v3(1, 1, 1), 5, 5, 1);
	/* (1,0,0): matrix (5,7,7); about z: (-7,5,7); about y: (7,5,7); about x: (7,-7,5) */
	check_point(&asset.nodes[1], ossai_v3(1, 0, 0), 7, -7, 5);
	assert_int_equal(asset.mesh_count, 2);
	assert_string_equal(asset.meshes[0].mesh->name, "shape");
	assert_int_equal(asset.meshes[0].node, 1);
	assert_string_equal(asset.meshes[1].mesh->name, "second");
	assert_int_equal(asset.meshes[1].node, 0);
	assert_int_equal(asset.clip_count, 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void a_transform_may_stand_alone(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	const xform_form inner = {.op_count = 1, .width = 3, .samples = 1, .ops = {16}, .values = {1, 2, 3}, .alone = true};
	ogawa_bytes file = make_hierarchy(&inner, &inner);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, open_asset(context, &file, &source, &asset));
	assert_int_equal(asset.nodes[0].parent, OSSA_NONE);
	assert_int_equal(asset.nodes[1].parent, OSSA_NONE);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	file = make_hierarchy(&no_ops, &no_ops);
	assert_ok(context, open_asset(context, &file, &source, &asset));
	assert_int_equal(asset.nodes[1].op_count, 0);
	assert_int_equal(asset.nodes[1].parent, 0);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static const ossai_asset_channel *find_channel(const ossai_asset *asset, uint32_t node, uint32_t op)
{
	for (size_t i = 0; i < asset->clips[0].channel_count; i++) {
		const ossai_asset_channel *channel = &asset->clips[0].channels[i];
		if (channel->node == node && channel->op == op) return channel;
	}
	return NULL;
}

static void moving_transforms_become_channels(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	/* move (moves), turn (its angle), scale (stays), matrix (its shift) */
	const xform_form outer = {.op_count = 3,
		.width = 10,
		.samples = 3,
		.ops = {16, 32, 0},
		.sampling = 2,
		.values = {1, 2, 3, 0, 1, 0, 10, 2, 2, 2, 1, 2, 4, 0, 1, 0, 20, 2, 2, 2, 1, 2, 5, 0, 1, 0, 350, 2, 2, 2}};
	/* turn about an axis that changes */
	const xform_form inner = {
		.op_count = 2, .width = 5, .samples = 2, .ops = {32, 64}, .sampling = 1, .values = {1, 0, 0, 90, 30, 0, 0, 3, 90, 30}};
	ogawa_bytes file = make_hierarchy(&outer, &inner);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, open_asset(context, &file, &source, &asset));
	assert_int_equal(asset.clip_count, 1);
	assert_int_equal(asset.clips[0].channel_count, 3);
	const ossai_asset_channel *move = find_channel(&asset, 0, 0), *turn = find_channel(&asset, 0, 1);
	assert_true(move && move->first == 0 && move->width == 3 && move->key_count == 3);
	assert_float_equal(move->times[2], 1.5, 1e-12);
	assert_memory_equal(move->values, ((const float[]){1, 2, 3, 1, 2, 4, 1, 2, 5}), 36);
	assert_true(turn && turn->first == 3 && turn->width == 1);
	assert_memory_equal(turn->values, ((const float[]){10, 20, 350}), 12);
	const ossai_asset_channel *spin = find_channel(&asset, 1, 0);
	assert_true(spin && spin->first == 0 && spin->width == 4 && spin->key_count == 2);
	assert_int_equal(asset.nodes[1].ops[0].kind, OSSAI_OP_ROTATE);
	assert_float_equal(spin->values[0], sqrt(0.5), 1e-7);
	assert_float_equal(spin->values[6], sqrt(0.5), 1e-7);
	check_point(&asset.nodes[1], ossai_v3(0, 1, 0), 0, -0.5, sqrt(0.75));
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void bad_transforms_are_refused(void **state)
{
	(void)state;
	static const struct {
		xform_form form;
		const char *words;
	} bad[] = {
		{{.op_count = 1, .width = 2, .samples = 1, .ops = {16}},
			"/outer/inner: has 2 numbers in sample 0; its operations need 3"},
		{{.op_count = 1, .width = 3, .samples = 1, .ops = {112}}, "operation 0 of no known kind"},
		{{.op_count = 1, .width = 3, .samples = 1, .ops = {16}, .values = {0, (double)INFINITY, 0}}, "not finite"},
		{{.op_count = 1, .width = 16, .samples = 1, .ops = {48}, .values = {1, 0, 0, 0.5}}, "last column is not 0 0 0 1"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ogawa_bytes file = make_hierarchy(&no_ops, &bad[i].form);
		refused(&file, OSSA_ERROR_INPUT, bad[i].words);
		ogawa_free(&file);
	}
}

/* ---- instances ---- */

static uint64_t make_instance(ogawa_bytes *file, const char *path)
{
	ogawa_list properties = {0};
	const uint64_t sample = ogawa_sample(file, path, strlen(path) + 1);
	ogawa_add(file, &properties,
		&(ogawa_property){.name = ".instanceSource", .kind = OGAWA_SCALAR, .pod = OGAWA_STRING, .extent = 1, .is_constant = 1},
		1, &sample);
	ogawa_list object = ogawa_object(ogawa_close_compound(file, &properties));
	return ogawa_close_object(file, &object);
}

/* /outer/shape and /copy, an instance of `path`; and inside of outer an instance of `inner_path` */
static ogawa_bytes make_instances(const char *path, const char *inner_path)
{
	ogawa_bytes file = ogawa_begin();
	const scene_form form = {0};
	const xform_form move = {.op_count = 1, .width = 3, .samples = 1, .ops = {16}, .values = {1, 2, 3}};
	ogawa_list out = ogawa_object(make_xform_properties(&file, &move));
	ogawa_add_object(&out, "shape", NULL, 1, make_mesh(&file, &form, false));
	if (inner_path) ogawa_add_object(&out, "again", "isInstance=1", 0, make_instance(&file, inner_path));
	ogawa_list top = ogawa_object(0);
	const uint64_t out_position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, out_position);
	ogawa_add_object(&top, "copy", "isInstance=1", 0, make_instance(&file, path));
	finish_scene(&file, &top);
	return file;
}

static void instances_are_copies(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ogawa_bytes file = make_instances("/outer", NULL);
	ossai_source source;
	ossai_asset asset;
	assert_ok(context, open_asset(context, &file, &source, &asset));
	assert_int_equal(asset.node_count, 2);
	assert_string_equal(asset.nodes[1].name, "copy");
	assert_int_equal(asset.nodes[1].op_count, 1);
	assert_int_equal(asset.mesh_count, 2);
	assert_int_equal(asset.meshes[1].node, 1);
	check_shape(context, asset.meshes[1].mesh);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	file = make_instances("/outer/shape", NULL);
	assert_ok(context, open_asset(context, &file, &source, &asset));
	assert_int_equal(asset.mesh_count, 2);
	assert_int_equal(asset.meshes[1].node, OSSA_NONE);
	assert_string_equal(asset.meshes[1].mesh->name, "copy");
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

static void instances_of_nothing_are_refused(void **state)
{
	(void)state;
	static const struct {
		const char *path, *inner, *words;
	} bad[] = {
		{"/outer/nobody", NULL, "/copy: is an instance of /outer/nobody, which is not in the file"},
		{"/copy", NULL, "which is an instance itself"},
		{"/outer/again/shape", "/outer/shape", "which is an instance itself or inside one"},
		{"", NULL, "an instance, but of nothing"},
		{"/outer", "/outer", "/outer/again: stands above itself"},
		{"/", NULL, "/copy: stands above itself"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		ogawa_bytes file = make_instances(bad[i].path, bad[i].inner);
		refused(&file, OSSA_ERROR_INPUT, bad[i].words);
		ogawa_free(&file);
	}
}

/* each of the levels holds two instances of the one below: 2^40 objects in some kilobytes */
static void instances_do_not_multiply_without_end(void **state)
{
	(void)state;
	ogawa_bytes file = ogawa_begin();
	const scene_form form = {0};
	ogawa_list top = ogawa_object(0);
	ogawa_list base = ogawa_object(0);
	ogawa_add_object(&base, "shape", NULL, 1, make_mesh(&file, &form, false));
	ogawa_add_object(&top, "l0", NULL, 0, ogawa_close_object(&file, &base));
	for (int i = 1; i <= 40; i++) {
		char below[16], name[16];
		snprintf(below, sizeof below, "/l%d", i - 1);
		snprintf(name, sizeof name, "l%d", i);
		ogawa_list level = ogawa_object(0);
		ogawa_add_object(&level, "a", "isInstance=1", 0, make_instance(&file, below));
		ogawa_add_object(&level, "b", "isInstance=1", 0, make_instance(&file, below));
		ogawa_add_object(&top, name, NULL, 0, ogawa_close_object(&file, &level));
	}
	finish_scene(&file, &top);
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	assert_fails(context, open_asset(context, &file, &source, &asset), OSSA_ERROR_LIMIT, "export it without instances");
	assert_true(ossa_context_peak_bytes(context) < (size_t)256 << 20);
	test_context_end(context);
	ogawa_free(&file);
}

/* ---- through the front door ---- */

/* a transform and the mesh in it, both moving at the same two times */
static const char *write_moving(const char *name, bool mesh_moves)
{
	const xform_form move = {.op_count = 1, .width = 3, .samples = 2, .ops = {16}, .sampling = 1, .values = {1, 2, 3, 1, 2, 4}};
	const scene_form form = {.stored = mesh_moves ? 2 : 1, .positions = {.sampling = 1, .is_constant = !mesh_moves}};
	ogawa_bytes file = ogawa_begin();
	ogawa_list out = ogawa_object(make_xform_properties(&file, &move));
	ogawa_add_object(&out, "shape", NULL, 1, make_mesh(&file, &form, true));
	ogawa_list top = ogawa_object(0);
	const uint64_t position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, position);
	finish_scene(&file, &top);
	const char *path = test_file(name, file.bytes, file.size);
	ogawa_free(&file);
	return path;
}

/* frames at these shares of the way */
static void check_motion(ossa_context *context, const ossa_frames *frames, size_t count, const double *shares, bool mesh_moves)
{
	assert_ok(context, ossa_frames_validate(context, frames));
	assert_int_equal(frames->frame_count, count);
	assert_int_equal(frames->vertex_count, VERTICES);
	for (size_t f = 0; f < count; f++) {
		const double shift[3] = {1, 2 + (mesh_moves ? shares[f] : 0), 3 + shares[f]};
		for (size_t i = 0; i < 15; i++) {
			assert_float_equal(frames->positions[15 * f + i], (double)rest[i] + shift[i % 3], 1e-6);
		}
	}
}

static void animations_are_read(void **state)
{
	(void)state;
	ossa_context *context = test_context(2);
	ossa_mesh *mesh;
	ossa_frames *frames;
	for (int moves = 0; moves < 2; moves++) {
		const char *path = write_moving("moving.abc", moves);
		const ossa_read_format *format;
		assert_ok(context, ossa_read_detect(context, path, &format));
		assert_string_equal(format->name, "abc");
		assert_ok(context, ossa_read_animation(context, path, NULL, &mesh, &frames));
		assert_ok(context, ossa_mesh_validate(context, mesh));
		check_motion(context, frames, 2, (const double[]){0, 1}, moves);
		assert_float_equal(frames->times[1], 1 / 24.0, 1e-9);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
		ossa_read_options options = ossa_read_default();
		options.frames_per_second = 96;
		strcpy(options.frames, "2::2");
		assert_ok(context, ossa_read_animation(context, path, &options, &mesh, &frames));
		check_motion(context, frames, 2, (const double[]){0.25, 0.75}, moves);
		ossa_frames_free(context, frames);
		ossa_mesh_free(context, mesh);
	}
	assert_int_equal(ossa_context_warning_count(context), 0);
	test_context_end(context);
}

static void animations_are_poses(void **state)
{
	(void)state;
	ossa_context *context = test_context(1);
	ossa_mesh *mesh;
	ossa_frames *frames;
	const char *paths[] = {write_moving("walk-1.abc", true), write_moving("walk-2.abc", false), test_path("walk-3.abc")};
	ogawa_bytes file = make_scene(&(scene_form){.stored = 1, .positions.is_constant = 1});
	test_file("walk-3.abc", file.bytes, file.size);
	ogawa_free(&file);
	assert_ok(context, ossa_read_mesh(context, paths[0], NULL, &mesh));
	assert_ok(context, ossa_read_frames(context, mesh, 1, paths, false, NULL, &frames));
	check_motion(context, frames, 2, (const double[]){0, 1}, true);
	assert_string_equal(frames->names[1], "walk-1-2");
	ossa_frames_free(context, frames);
	/* one after the other, the last a pose that stands still */
	assert_ok(context, ossa_read_frames(context, mesh, 3, paths, false, NULL, &frames));
	assert_int_equal(frames->frame_count, 5);
	assert_float_equal(frames->positions[15 * 3 + 2], 4, 1e-6);
	assert_true(frames->positions[15 * 4 + 2] == 0);
	for (size_t f = 0; f < 5; f++) assert_float_equal(frames->times[f], (double)f / 24, 1e-9);
	assert_string_equal(frames->names[4], "walk-3");
	ossa_frames_free(context, frames);
	ossa_read_options options = ossa_read_default();
	strcpy(options.frames, "2");
	for (size_t count = 1; count < 4; count += 2) {
		assert_ok(context, ossa_read_frames(context, mesh, count, paths, false, &options, &frames));
		check_motion(context, frames, 1, (const double[]){1}, true);
		ossa_frames_free(context, frames);
	}
	/* turned once, not twice */
	options = ossa_read_default();
	options.input_up = OSSA_UP_Z;
	assert_ok(context, ossa_read_frames(context, mesh, 1, paths, false, &options, &frames));
	assert_float_equal(frames->positions[1], 3, 1e-6);
	assert_float_equal(frames->positions[2], -2, 1e-6);
	ossa_frames_free(context, frames);
	ossa_mesh_free(context, mesh);
	assert_ok(context, ossa_mesh_create(context, 3, rest, 1, (const uint32_t[]){0, 1, 2}, &mesh));
	assert_fails(context, ossa_read_frames(context, mesh, 1, paths, false, NULL, &frames), OSSA_ERROR_INPUT,
		"walk-1.abc: has another number of vertices than the rest mesh mesh, which has 3");
	ossa_mesh_free(context, mesh);
	assert_fails(
		context, ossa_read_frames(context, NULL, 1, paths, false, NULL, &frames), OSSA_ERROR_INPUT, "need the rest mesh");
	test_context_end(context);
}

static ossa_status sweep_frames(ossa_context *context, void *path)
{
	ossa_mesh *mesh = NULL;
	ossa_frames *frames = NULL;
	const char *paths[] = {path, path};
	ossa_status status = ossa_read_mesh(context, path, NULL, &mesh);
	if (status == OSSA_OK) status = ossa_read_frames(context, mesh, 2, paths, false, NULL, &frames);
	ossa_mesh_free(context, mesh);
	ossa_frames_free(context, frames);
	return status;
}

static void every_allocation_of_frames_may_fail(void **state)
{
	(void)state;
	char path[512];
	strcpy(path, write_moving("sweep.abc", true));
	assert_true(test_allocation_sweep(sweep_frames, path, 2000, 1) > 100);
}

/* ---- broken files ---- */

static void other_containers_are_refused_by_name(void **state)
{
	(void)state;
	unsigned char hdf[64] = "\211HDF\r\n\032\n";
	assert_true(ossai_alembic_detect(hdf, sizeof hdf));
	assert_false(ossai_alembic_detect((const uint8_t *)"Ogre", 4));
	refused(&(ogawa_bytes){hdf, sizeof hdf, 0}, OSSA_ERROR_INPUT,
		"HDF5 (or another HDF5 file), which ossa does not read: export it as");
	ogawa_bytes file = make_scene(&(scene_form){0});
	file.bytes[5] = 0;
	refused(&file, OSSA_ERROR_INPUT, "was not finished");
	file.bytes[5] = 0xFF;
	file.bytes[7] = 2;
	refused(&file, OSSA_ERROR_INPUT, "Ogawa of version 2");
	file.bytes[7] = 1;
	memset(file.bytes + 8, 0, 8);
	refused(&file, OSSA_ERROR_INPUT, "no Alembic archive");
	ogawa_free(&file);
}

static void files_without_meshes_are_refused(void **state)
{
	(void)state;
	ogawa_bytes file = make_scene(&(scene_form){.mesh_metadata = "schema=AbcGeom_Curve_v2"});
	refused(&file, OSSA_ERROR_INPUT, "holds no polygon mesh");
	ogawa_free(&file);
	file = make_scene(&(scene_form){.mesh_metadata = "schema=AbcGeom_Camera_v1"});
	refused(&file, OSSA_ERROR_INPUT, "holds no polygon mesh");
	ogawa_free(&file);
}

/* a chain of `depth` objects; where `loops`, the last has the first as its child */
static ogawa_bytes make_chain(int depth, bool loops)
{
	ogawa_bytes file = ogawa_begin();
	const scene_form form = {0};
	uint64_t below = make_mesh(&file, &form, false), loop_at = 0;
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
	finish_scene(&file, &top);
	return file;
}

static void loops_and_depths_are_refused(void **state)
{
	(void)state;
	ogawa_bytes file = make_chain(20, true);
	/* what stood there was called a mesh, which it is not now */
	refused(&file, OSSA_ERROR_INPUT, "is a mesh without geometry");
	ogawa_free(&file);
	file = make_chain(300, false);
	refused(&file, OSSA_ERROR_INPUT, "lies 256 objects deep");
	ogawa_free(&file);
	ossa_context *context = test_context(1);
	ossai_source source;
	ossai_asset asset;
	file = make_chain(250, false);
	open_scene(context, &file, &source, &asset);
	ossai_asset_close(&asset);
	ogawa_free(&file);
	test_context_end(context);
}

/* everything at once, for the sweeps */
static ogawa_bytes make_everything(void)
{
	const xform_form outer = {.op_count = 2,
		.width = 7,
		.samples = 2,
		.ops = {16, 32},
		.sampling = 1,
		.values = {1, 2, 3, 0, 1, 0, 10, 1, 2, 4, 0, 1, 0, 20}};
	ogawa_bytes file = ogawa_begin();
	const scene_form form = {.positions.sampling = 2}, subd = {.is_subd = true, .position_pod = OGAWA_F16};
	ogawa_list out = ogawa_object(make_xform_properties(&file, &outer));
	ogawa_add_object(&out, "shape", NULL, 1, make_mesh(&file, &form, true));
	ogawa_add_object(&out, "cage", "schema=AbcGeom_SubD_v1", 0, make_mesh(&file, &subd, false));
	ogawa_list top = ogawa_object(0);
	const uint64_t out_position = ogawa_close_object(&file, &out);
	ogawa_add_object(&top, "outer", NULL, 2, out_position);
	ogawa_add_object(&top, "copy", "isInstance=1", 0, make_instance(&file, "/outer/shape"));
	finish_scene(&file, &top);
	return file;
}

/* reads all there is; whatever comes must be whole */
static ossa_status read_all(ossa_context *context, const ogawa_bytes *file)
{
	ossai_source source;
	ossai_asset asset;
	OSSAI_TRY(open_asset(context, file, &source, &asset));
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
		cmocka_unit_test(a_mesh_comes_whole),
		cmocka_unit_test(every_way_of_writing_gives_the_same),
		cmocka_unit_test(samples_that_are_alike_are_stored_once),
		cmocka_unit_test(times_are_even_cyclic_or_listed),
		cmocka_unit_test(changing_meshes_are_refused),
		cmocka_unit_test(positions_that_are_no_numbers_are_named),
		cmocka_unit_test(attributes_that_do_not_fit_are_dropped),
		cmocka_unit_test(transforms_become_nodes),
		cmocka_unit_test(a_transform_may_stand_alone),
		cmocka_unit_test(moving_transforms_become_channels),
		cmocka_unit_test(bad_transforms_are_refused),
		cmocka_unit_test(instances_are_copies),
		cmocka_unit_test(instances_of_nothing_are_refused),
		cmocka_unit_test(instances_do_not_multiply_without_end),
		cmocka_unit_test(animations_are_read),
		cmocka_unit_test(animations_are_poses),
		cmocka_unit_test(every_allocation_of_frames_may_fail),
		cmocka_unit_test(other_containers_are_refused_by_name),
		cmocka_unit_test(files_without_meshes_are_refused),
		cmocka_unit_test(loops_and_depths_are_refused),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(no_byte_can_harm),
		cmocka_unit_test(every_allocation_may_fail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
