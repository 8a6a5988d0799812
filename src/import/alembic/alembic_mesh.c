/* import/alembic/alembic_mesh.c: polygon meshes of Alembic files, and the cages of subdivision
   surfaces.

   Place in the path: alembic.c -> meshes of the asset.
   Input: an object of the schema AbcGeom_PolyMesh or AbcGeom_SubD.
   Output: the mesh at its first sample, and a function that reads the positions of any other from
   the file.
   In .geom: P positions, .faceCounts corners of each face, .faceIndices their vertices; uv and N,
   each an array or, with numbers for the elements, .vals and .indices; their metadata's geoScope
   says what an element is. Faces are clockwise and are reversed here, each keeping its first
   corner. Child objects of the schema AbcGeom_FaceSet name faces: they become materials.
   Source: Alembic's library, lib/Alembic/AbcGeom (IPolyMesh, ISubD, IGeomParam, IFaceSet). */
#include "import/alembic/alembic_attribute.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>

/* memory that a vertex and a corner take in a mesh, at most: for the budget */
enum { VERTEX_COST = 64, CORNER_COST = 64 };

/* ---- the samples ---- */

static ossa_status find_arrays(ossai_alembic_mesh *w)
{
	ossai_alembic_archive *archive = &w->reader->archive;
	OSSAI_TRY(ossai_alembic_find(archive, &w->geometry, "P", &w->positions));
	OSSAI_TRY(ossai_alembic_find(archive, &w->geometry, ".faceIndices", &w->indices));
	OSSAI_TRY(ossai_alembic_find(archive, &w->geometry, ".faceCounts", &w->counts));
	const ossai_alembic_property *p = &w->positions, *i = &w->indices, *c = &w->counts;
	if (p->kind == OSSAI_ALEMBIC_ARRAY && ossai_pod_is_real(p->pod) && p->extent == 3 && i->kind == OSSAI_ALEMBIC_ARRAY &&
		ossai_pod_is_whole(i->pod) && i->extent == 1 && c->kind == OSSAI_ALEMBIC_ARRAY && ossai_pod_is_whole(c->pod) &&
		c->extent == 1) {
		return OSSA_OK;
	}
	return ossai_alembic_object_fail(
		w->reader, w->object, "has no positions, faces and corners of the usual types; export it again");
}

/* the first sample that differs from sample 0 (where `counts_alone`, in its number of values), or
   SIZE_MAX */
static ossa_status find_difference(
	const ossai_alembic_mesh *w, const ossai_alembic_property *property, bool counts_alone, size_t *difference)
{
	ossai_alembic_archive *archive = &w->reader->archive;
	ossai_alembic_sample first, other;
	*difference = SIZE_MAX;
	if (ossai_alembic_is_constant(property)) return OSSA_OK;
	OSSAI_TRY(ossai_alembic_check_count(archive, property));
	OSSAI_TRY(ossai_alembic_sample_at(archive, property, 0, &first));
	for (size_t s = 1; s < property->sample_count; s++) {
		OSSAI_TRY(ossai_alembic_sample_at(archive, property, s, &other));
		/* writers store the same data once */
		const bool same = other.bytes == first.bytes || counts_alone;
		const size_t bytes = same ? 0 : (size_t)((ossai_pod_is_whole(property->pod) ? 8 : 1) * first.count);
		OSSAI_TRY(ossai_ogawa_charge(&archive->file, 16 + bytes));
		bool equal = other.count == first.count;
		for (size_t k = 0; !same && equal && k < first.count; k++) {
			equal = ossai_alembic_whole(property->pod, &first, k) == ossai_alembic_whole(property->pod, &other, k);
		}
		if (equal) continue;
		*difference = s;
		return OSSA_OK;
	}
	return OSSA_OK;
}

static ossa_status check_topology(const ossai_alembic_mesh *w)
{
	size_t points, indices, counts;
	OSSAI_TRY(find_difference(w, &w->positions, true, &points));
	OSSAI_TRY(find_difference(w, &w->indices, false, &indices));
	OSSAI_TRY(find_difference(w, &w->counts, false, &counts));
	const size_t faces = indices < counts ? indices : counts;
	if (points == SIZE_MAX && faces == SIZE_MAX) return OSSA_OK;
	return ossai_alembic_object_fail(w->reader, w->object,
		"its sample %zu has %s than its first: ossa needs the same vertices and faces in every frame",
		(points < faces ? points : faces) + 1, points < faces ? "another number of vertices" : "other faces");
}

/* nearly all files have floats, which are copied at the speed of memory */
static void convert(ossai_alembic_pod pod, const ossai_alembic_sample *sample, float *values)
{
	if (pod == OSSAI_POD_F32) {
		for (size_t i = 0; i < sample->count; i++) values[i] = ossai_float_of_bits(ossai_little_32(sample->bytes + 4 * i));
	} else {
		for (size_t i = 0; i < sample->count; i++) values[i] = (float)ossai_alembic_real(pod, sample, i);
	}
}

/* V x 3 floats of one sample */
static ossa_status read_positions(const ossai_alembic_archive *archive, const ossai_alembic_property *property, size_t index,
	size_t vertex_count, float *positions)
{
	ossai_alembic_sample sample;
	OSSAI_TRY(ossai_alembic_sample_at(archive, property, index, &sample));
	if (sample.count != 3 * vertex_count) {
		return ossai_alembic_fail(
			archive, property, sample.bytes, "has %zu numbers for %zu vertices", sample.count, vertex_count);
	}
	convert(property->pod, &sample, positions);
	for (size_t i = 0; i < sample.count; i++) {
		if (isfinite(positions[i])) continue;
		ossai_place place = ossai_in_file(archive->file.source->path);
		place.frame = (int64_t)index;
		place.vertex = (int64_t)(i / 3);
		return ossai_fail(archive->file.context, OSSA_ERROR_INPUT, &place, "the position is not finite: export the mesh again");
	}
	return OSSA_OK;
}

/* ossai_asset_mesh.read_sample */
static ossa_status read_sample(void *state, const ossai_asset_mesh *mesh, size_t sample, float *positions)
{
	const ossai_alembic_reader *reader = state;
	return read_positions(&reader->archive, mesh->sample_data, sample, mesh->mesh->vertex_count, positions);
}

/* ---- texture coordinates and normals ---- */

static ossa_status add_values(ossai_alembic_mesh *w, const ossai_attribute *texcoords, const ossai_attribute *normals)
{
	ossai_ogawa *file = &w->reader->archive.file;
	const ossai_attribute *t = texcoords, *n = normals;
	OSSAI_TRY(ossai_ogawa_charge(file, 16 * (t->value_count + n->value_count)));
	for (size_t i = 0; t->scope != OSSAI_SCOPE_NONE && i < t->value_count; i++) {
		OSSAI_TRY(ossai_builder_texcoord(&w->builder, (float)ossai_alembic_real(t->pod, &t->values, 2 * i),
			(float)ossai_alembic_real(t->pod, &t->values, 2 * i + 1)));
	}
	for (size_t i = 0; n->scope != OSSAI_SCOPE_NONE && i < n->value_count; i++) {
		float normal[3];
		for (size_t k = 0; k < 3; k++) normal[k] = (float)ossai_alembic_real(n->pod, &n->values, 3 * i + k);
		OSSAI_TRY(ossai_builder_normal(&w->builder, normal));
	}
	return OSSA_OK;
}

/* ---- face sets ---- */

/* Sets of faces, in the order of the file; their names are the materials'. */
typedef struct face_sets {
	ossai_word *names;
	size_t count, capacity;
} face_sets;

static ossa_status read_face_set(ossai_alembic_mesh *w, const ossai_alembic_object *set, uint32_t index)
{
	ossai_alembic_archive *archive = &w->reader->archive;
	ossai_ogawa_group properties;
	ossai_alembic_property compound, faces;
	ossai_alembic_sample sample;
	OSSAI_TRY(ossai_alembic_properties(archive, set, &properties));
	OSSAI_TRY(ossai_alembic_find(archive, &properties, ".faceset", &compound));
	if (compound.kind != OSSAI_ALEMBIC_COMPOUND) return OSSA_OK;
	OSSAI_TRY(ossai_alembic_find(archive, &compound.group, ".faces", &faces));
	OSSAI_TRY(ossai_attribute_sample(w, &faces, true, 1, &sample));
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, 8 * sample.count));
	for (size_t i = 0; i < sample.count; i++) {
		const int64_t face = ossai_alembic_whole(faces.pod, &sample, i);
		/* missing faces are ignored */
		if (face >= 0 && (uint64_t)face < w->face_sizes.count) w->set_of_face[face] = index;
	}
	return OSSA_OK;
}

static ossa_status read_face_sets(ossai_alembic_mesh *w, face_sets *sets)
{
	ossai_alembic_archive *archive = &w->reader->archive;
	ossai_alembic_children children;
	ossai_alembic_object child;
	bool found;
	OSSAI_TRY(ossai_alembic_children_begin(archive, &w->object->group, &children));
	for (;;) {
		OSSAI_TRY(ossai_alembic_children_next(archive, &children, &child, &found));
		if (!found) return OSSA_OK;
		if (!ossai_alembic_says(child.metadata, "schema", "AbcGeom_FaceSet_v1")) continue;
		if (!w->set_of_face) {
			w->set_of_face = ossai_arena_new(&w->scratch, w->face_sizes.count, sizeof *w->set_of_face);
			if (!w->set_of_face) return ossa_context_error(w->scratch.context)->status;
			memset(w->set_of_face, 0xFF, w->face_sizes.count * sizeof *w->set_of_face);
		}
		OSSAI_TRY(ossai_arena_reserve(&w->scratch, &sets->names, &sets->capacity, sets->count, sizeof *sets->names));
		sets->names[sets->count] = child.name;
		OSSAI_TRY(read_face_set(w, &child, (uint32_t)sets->count++));
	}
}

/* ---- the mesh ---- */

static ossa_status add_vertices(ossai_alembic_mesh *w)
{
	float *positions = ossai_arena_new(&w->scratch, w->vertex_count, 3 * sizeof *positions);
	if (!positions) return ossa_context_error(w->scratch.context)->status;
	OSSAI_TRY(read_positions(&w->reader->archive, &w->positions, 0, w->vertex_count, positions));
	for (size_t v = 0; v < w->vertex_count; v++) OSSAI_TRY(ossai_builder_vertex(&w->builder, positions + 3 * v));
	return OSSA_OK;
}

static ossa_status add_face(ossai_alembic_mesh *w, size_t face, size_t begin, size_t size, const ossai_attribute *texcoords,
	const ossai_attribute *normals)
{
	for (size_t k = 0; k < size; k++) {
		/* the first corner, then the others from the last */
		const size_t corner = begin + (k == 0 ? 0 : size - k);
		const int64_t vertex = ossai_alembic_whole(w->indices.pod, &w->corner_vertices, corner);
		if (vertex < 0 || (uint64_t)vertex >= w->vertex_count) {
			return ossai_alembic_object_fail(
				w->reader, w->object, "its face %zu names vertex %lld of %zu", face, (long long)vertex, w->vertex_count);
		}
		OSSAI_TRY(
			ossai_builder_corner(&w->builder, (uint32_t)vertex, ossai_attribute_at(texcoords, face, (size_t)vertex, corner),
				ossai_attribute_at(normals, face, (size_t)vertex, corner)));
	}
	return OSSA_OK;
}

static ossa_status add_faces(
	ossai_alembic_mesh *w, const face_sets *sets, const ossai_attribute *texcoords, const ossai_attribute *normals)
{
	size_t begin = 0;
	uint32_t set = OSSA_NONE;
	for (size_t f = 0; f < w->face_sizes.count; f++) {
		const int64_t size = ossai_alembic_whole(w->counts.pod, &w->face_sizes, f);
		if (size < 3 || (uint64_t)size > w->corner_vertices.count - begin) {
			return ossai_alembic_object_fail(w->reader, w->object, "its face %zu has %lld corners%s", f, (long long)size,
				size < 3 ? ": at least 3 are needed" : ", more than there are");
		}
		if (w->set_of_face && w->set_of_face[f] != set) {
			set = w->set_of_face[f];
			if (set == OSSA_NONE) w->builder.material = OSSA_NONE;
			else OSSAI_TRY(ossai_builder_material(&w->builder, sets->names[set], sets->names[set]));
		}
		OSSAI_TRY(add_face(w, f, begin, (size_t)size, texcoords, normals));
		OSSAI_TRY(ossai_builder_polygon(&w->builder));
		begin += (size_t)size;
	}
	if (begin == w->corner_vertices.count) return OSSA_OK;
	return ossai_alembic_object_fail(
		w->reader, w->object, "its faces have %zu corners together, but it lists %zu", begin, w->corner_vertices.count);
}

static ossa_status fill_mesh(ossai_alembic_mesh *w)
{
	ossai_attribute texcoords, normals;
	face_sets sets = {NULL, 0, 0};
	OSSAI_TRY(ossai_attribute_find(w, "uv", 2, &texcoords));
	OSSAI_TRY(ossai_attribute_find(w, "N", 3, &normals));
	OSSAI_TRY(read_face_sets(w, &sets));
	OSSAI_TRY(ossai_builder_expect(&w->builder, w->vertex_count, w->face_sizes.count, w->corner_vertices.count));
	ossai_name_copy(w->builder.mesh->name, w->object->name);
	OSSAI_TRY(add_vertices(w));
	OSSAI_TRY(add_values(w, &texcoords, &normals));
	return add_faces(w, &sets, &texcoords, &normals);
}

/* positions over time, where they change */
static ossa_status add_samples(ossai_alembic_mesh *w, ossai_asset_mesh *mesh)
{
	ossai_arena *arena = &w->reader->asset->arena;
	if (ossai_alembic_is_constant(&w->positions)) return OSSA_OK;
	ossai_alembic_property *property = ossai_arena_new(arena, 1, sizeof *property);
	mesh->sample_times = ossai_arena_new(arena, w->positions.sample_count, sizeof *mesh->sample_times);
	if (!property || !mesh->sample_times) return ossa_context_error(arena->context)->status;
	*property = w->positions;
	mesh->sample_data = property;
	mesh->read_sample = read_sample;
	mesh->sample_count = w->positions.sample_count;
	return ossai_alembic_times(&w->reader->archive, &w->positions, mesh->sample_times);
}

static ossa_status make_mesh(ossai_alembic_mesh *w, uint32_t node)
{
	ossai_asset *asset = w->reader->asset;
	const ossai_source *source = w->reader->archive.file.source;
	OSSAI_TRY(ossai_arena_reserve(
		&asset->arena, &asset->meshes, &w->reader->mesh_capacity, asset->mesh_count, sizeof(ossai_asset_mesh)));
	ossai_asset_mesh *mesh = &asset->meshes[asset->mesh_count];
	*mesh = (ossai_asset_mesh){.node = node, .skin = OSSA_NONE};
	OSSAI_TRY(add_samples(w, mesh));
	OSSAI_TRY(ossai_builder_begin(asset->context, source, OSSAI_PARTS_ALL, &w->builder));
	OSSAI_TRY(ossai_builder_end(&w->builder, fill_mesh(w), &mesh->mesh));
	asset->mesh_count++;
	return OSSA_OK;
}

static ossa_status read_mesh(ossai_alembic_mesh *w, uint32_t node)
{
	ossai_alembic_archive *archive = &w->reader->archive;
	ossai_alembic_sample positions;
	OSSAI_TRY(find_arrays(w));
	if (w->positions.sample_count == 0 || w->indices.sample_count == 0 || w->counts.sample_count == 0) {
		return ossai_alembic_object_fail(w->reader, w->object, "has no samples; export it again");
	}
	OSSAI_TRY(check_topology(w));
	OSSAI_TRY(ossai_alembic_sample_at(archive, &w->positions, 0, &positions));
	OSSAI_TRY(ossai_alembic_sample_at(archive, &w->indices, 0, &w->corner_vertices));
	OSSAI_TRY(ossai_alembic_sample_at(archive, &w->counts, 0, &w->face_sizes));
	w->vertex_count = positions.count / 3;
	/* everything is read from samples that are in the file, so these do not overflow */
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, VERTEX_COST * w->vertex_count));
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, CORNER_COST * (w->corner_vertices.count + w->face_sizes.count)));
	OSSAI_TRY(ossai_ogawa_charge(&archive->file, 8 * w->positions.sample_count));
	if (w->vertex_count > 0 && w->face_sizes.count > 0) return make_mesh(w, node);
	ossai_warn(archive->file.context, "alembic-empty", 1, "%s: meshes without vertices or without faces are left out",
		archive->file.source->path);
	return OSSA_OK;
}

ossa_status ossai_alembic_read_mesh(ossai_alembic_reader *reader, const ossai_alembic_object *object, uint32_t node)
{
	ossai_alembic_mesh w = {.reader = reader, .object = object, .scratch = ossai_arena_begin(reader->asset->context)};
	ossai_ogawa_group properties;
	ossai_alembic_property compound;
	OSSAI_TRY(ossai_alembic_properties(&reader->archive, object, &properties));
	OSSAI_TRY(ossai_alembic_find(&reader->archive, &properties, ".geom", &compound));
	if (compound.kind != OSSAI_ALEMBIC_COMPOUND) {
		return ossai_alembic_object_fail(reader, object, "is a mesh without geometry; export it again");
	}
	w.geometry = compound.group;
	const ossa_status status = read_mesh(&w, node);
	ossai_arena_end(&w.scratch);
	return status;
}
