/* tests/command/compress_gltf.cpp: compresses a .glb with the encoders of Draco and meshoptimizer,
   for tests/command/test_compressed.py: what ossa reads is made by the libraries themselves.

   usage: compress_gltf IN.glb OUT.glb meshopt|filters|fallback|sequential|edgebreaker */
#include <draco/compression/expert_encode.h>
#include <draco/mesh/mesh.h>

#include <jansson.h>
#include <meshoptimizer.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

typedef std::vector<unsigned char> bytes;

static json_t *root;
static bytes before, after; /* binary data: of the input, of the output */
static size_t placeholder;  /* bytes that the views would take without compression */

static void need(bool condition, const char *what)
{
	if (condition) return;
	fprintf(stderr, "compress_gltf: %s\n", what);
	exit(1);
}

static size_t number(const json_t *item, const char *key, size_t fallback)
{
	const json_t *value = json_object_get(item, key);
	return value ? (size_t)json_integer_value(value) : fallback;
}

static json_t *item(const char *list, size_t index) { return json_array_get(json_object_get(root, list), index); }

static void set(json_t *object, const char *key, size_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void use_extension(const char *name, bool required)
{
	for (const char *key : {"extensionsUsed", "extensionsRequired"}) {
		if (strcmp(key, "extensionsRequired") == 0 && !required) continue;
		if (!json_object_get(root, key)) json_object_set_new(root, key, json_array());
		json_array_append_new(json_object_get(root, key), json_string(name));
	}
}

/* where data begins that is put at a multiple of four bytes */
static size_t put(const void *data, size_t size)
{
	after.resize((after.size() + 3) & ~(size_t)3);
	const size_t at = after.size();
	after.insert(after.end(), (const unsigned char *)data, (const unsigned char *)data + size);
	return at;
}

/* ---- accessors, each with a view of its own ---- */

struct accessor {
	json_t *own, *view;
	size_t count, width, size; /* elements, numbers of each, bytes of a number */
	bytes data;                /* packed */
};

static accessor open(size_t index)
{
	accessor a;
	a.own = item("accessors", index);
	a.view = item("bufferViews", number(a.own, "bufferView", 0));
	const size_t component = number(a.own, "componentType", 0);
	const std::string type = json_string_value(json_object_get(a.own, "type"));
	a.count = number(a.own, "count", 0);
	a.width = type == "SCALAR" ? 1 : type == "MAT4" ? 16 : (size_t)(type[3] - '0');
	a.size = component <= 5121 ? 1 : component <= 5123 ? 2 : 4;
	const size_t at = number(a.view, "byteOffset", 0) + number(a.own, "byteOffset", 0);
	const size_t stride = number(a.view, "byteStride", a.width * a.size);
	for (size_t i = 0; i < a.count; i++) {
		const unsigned char *from = before.data() + at + i * stride;
		a.data.insert(a.data.end(), from, from + a.width * a.size);
	}
	return a;
}

/* elements of four floats, as the encoders of filters take them */
static std::vector<float> fours(const accessor &a)
{
	std::vector<float> all(4 * a.count);
	for (size_t i = 0; i < a.count; i++) memcpy(&all[4 * i], &a.data[i * a.width * 4], a.width * 4);
	return all;
}

/* ---- meshoptimizer ---- */

static void put_view(accessor *a, const bytes &encoded, size_t stride, const char *mode, const char *filter, bool required)
{
	json_t *extension = json_object();
	set(extension, "buffer", 0);
	set(extension, "byteOffset", put(encoded.data(), encoded.size()));
	set(extension, "byteLength", encoded.size());
	set(extension, "byteStride", stride);
	set(extension, "count", a->count);
	json_object_set_new(extension, "mode", json_string(mode));
	if (filter) json_object_set_new(extension, "filter", json_string(filter));
	json_object_set_new(a->view, "extensions", json_pack("{s:o}", "EXT_meshopt_compression", extension));
	json_object_del(a->own, "byteOffset");
	set(a->view, "byteLength", a->count * stride);
	if (required) {
		set(a->view, "buffer", 1);
		set(a->view, "byteOffset", placeholder);
		placeholder += (a->count * stride + 3) & ~(size_t)3;
	} else {
		set(a->view, "byteOffset", put(a->data.data(), a->data.size()));
	}
}

static void compress_attribute(accessor *a, size_t stride, const char *filter, bool required)
{
	bytes encoded(meshopt_encodeVertexBufferBound(a->count, stride));
	encoded.resize(meshopt_encodeVertexBuffer(encoded.data(), encoded.size(), a->data.data(), a->count, stride));
	put_view(a, encoded, stride, "ATTRIBUTES", filter, required);
	if (stride != a->width * a->size) set(a->view, "byteStride", stride);
}

static void compress_indices(accessor *a, bool are_triangles, bool required)
{
	std::vector<unsigned> indices;
	for (size_t i = 0; i < a->count; i++) {
		unsigned index = 0;
		memcpy(&index, &a->data[i * a->size], a->size);
		indices.push_back(index);
	}
	need(a->size > 1, "indices of one byte cannot be compressed");
	bytes encoded(meshopt_encodeIndexBufferBound(a->count, 1 << 20) + meshopt_encodeIndexSequenceBound(a->count, 1 << 20));
	encoded.resize(are_triangles ? meshopt_encodeIndexBuffer(encoded.data(), encoded.size(), indices.data(), a->count)
								 : meshopt_encodeIndexSequence(encoded.data(), encoded.size(), indices.data(), a->count));
	put_view(a, encoded, a->size, are_triangles ? "TRIANGLES" : "INDICES", NULL, required);
}

static void set_type(accessor *a, size_t component, size_t size)
{
	set(a->own, "componentType", component);
	json_object_set_new(a->own, "normalized", json_true());
	a->size = size;
}

/* what a name calls for: positions lose digits, directions and turns become integers */
static void compress_filtered(accessor *a, const std::string &name)
{
	const bool is_float = number(a->own, "componentType", 0) == 5126;
	const std::vector<float> values = is_float && a->width <= 4 ? fours(*a) : std::vector<float>();
	if (is_float && (name == "NORMAL" || name == "TANGENT")) {
		const bool is_normal = name == "NORMAL";
		const size_t stride = is_normal ? 4 : 8;
		a->data.resize(a->count * stride);
		meshopt_encodeFilterOct(a->data.data(), a->count, stride, is_normal ? 8 : 12, values.data());
		set_type(a, is_normal ? 5120 : 5122, is_normal ? 1 : 2);
		compress_attribute(a, stride, "OCTAHEDRAL", true);
	} else if (is_float && name == "rotation") {
		a->data.resize(a->count * 8);
		meshopt_encodeFilterQuat(a->data.data(), a->count, 8, 16, values.data());
		set_type(a, 5122, 2);
		compress_attribute(a, 8, "QUATERNION", true);
	} else if (is_float && name == "POSITION") {
		const std::vector<float> own((const float *)a->data.data(), (const float *)(a->data.data() + a->data.size()));
		meshopt_encodeFilterExp(a->data.data(), a->count, 12, 15, own.data());
		compress_attribute(a, 12, "EXPONENTIAL", true);
	} else {
		compress_attribute(a, a->width * a->size, "NONE", true);
	}
}

struct use {
	size_t accessor;
	std::string name;
};

/* every accessor that is used, once, with the name of what it is */
static std::vector<use> list_uses()
{
	std::vector<use> uses;
	size_t i, k, t;
	json_t *mesh, *primitive, *target, *value, *animation, *channel;
	const char *key;
	json_array_foreach(json_object_get(root, "meshes"), i, mesh)
	{
		json_array_foreach(json_object_get(mesh, "primitives"), k, primitive)
		{
			json_object_foreach(json_object_get(primitive, "attributes"), key, value)
				uses.push_back({(size_t)json_integer_value(value), key});
			if (json_object_get(primitive, "indices")) uses.push_back({number(primitive, "indices", 0), "indices"});
			json_array_foreach(json_object_get(primitive, "targets"), t, target)
			{
				/* differences are of any length */
				json_object_foreach(target, key, value) uses.push_back({(size_t)json_integer_value(value), "difference"});
			}
		}
	}
	json_array_foreach(json_object_get(root, "animations"), i, animation)
	{
		json_array_foreach(json_object_get(animation, "channels"), k, channel)
		{
			const json_t *sampler = json_array_get(json_object_get(animation, "samplers"), number(channel, "sampler", 0));
			const char *path = json_string_value(json_object_get(json_object_get(channel, "target"), "path"));
			uses.push_back({number(sampler, "input", 0), "times"});
			uses.push_back({number(sampler, "output", 0), path});
		}
	}
	return uses;
}

static void compress_views(bool filters, bool required)
{
	std::set<size_t> done;
	use_extension("EXT_meshopt_compression", required);
	if (filters) use_extension("KHR_mesh_quantization", true);
	for (const use &u : list_uses()) {
		if (!done.insert(u.accessor).second) continue;
		accessor a = open(u.accessor);
		if (u.name == "indices") compress_indices(&a, done.size() % 2 == 0, required);
		else if (filters) compress_filtered(&a, u.name);
		else compress_attribute(&a, a.width * a.size, NULL, required);
	}
	if (!required) return;
	json_array_append_new(json_object_get(root, "buffers"),
		json_pack("{s:I, s:{s:{s:b}}}", "byteLength", (json_int_t)placeholder, "extensions", "EXT_meshopt_compression",
			"fallback", 1));
}

/* ---- Draco ---- */

static draco::GeometryAttribute::Type type_of(const std::string &name)
{
	if (name == "POSITION") return draco::GeometryAttribute::POSITION;
	if (name == "NORMAL") return draco::GeometryAttribute::NORMAL;
	if (name.compare(0, 8, "TEXCOORD") == 0) return draco::GeometryAttribute::TEX_COORD;
	return name.compare(0, 5, "COLOR") == 0 ? draco::GeometryAttribute::COLOR : draco::GeometryAttribute::GENERIC;
}

static int add_attribute(draco::Mesh *mesh, const accessor &a, const std::string &name)
{
	static const draco::DataType types[] = {draco::DT_INT8, draco::DT_UINT8, draco::DT_INT16, draco::DT_UINT16,
		draco::DT_INVALID, draco::DT_UINT32, draco::DT_FLOAT32};
	draco::GeometryAttribute form;
	form.Init(type_of(name), NULL, (uint8_t)a.width, types[number(a.own, "componentType", 0) - 5120],
		json_is_true(json_object_get(a.own, "normalized")), (int64_t)(a.width * a.size), 0);
	const int id = mesh->AddAttribute(form, true, (uint32_t)a.count);
	for (size_t i = 0; i < a.count; i++)
		mesh->attribute(id)->SetAttributeValue(draco::AttributeValueIndex((uint32_t)i), &a.data[i * a.width * a.size]);
	return id;
}

static void compress_primitive(json_t *primitive, bool by_edges)
{
	draco::Mesh mesh;
	json_t *ids = json_object(), *value;
	const char *name;
	std::vector<json_t *> emptied;
	const accessor indices = open(number(primitive, "indices", 0));
	for (size_t f = 0; f < indices.count / 3; f++) {
		draco::Mesh::Face face;
		for (size_t k = 0; k < 3; k++) {
			uint32_t index = 0;
			memcpy(&index, &indices.data[(3 * f + k) * indices.size], indices.size);
			face[(int)k] = draco::PointIndex(index);
		}
		mesh.AddFace(face);
	}
	emptied.push_back(indices.own);
	json_object_foreach(json_object_get(primitive, "attributes"), name, value)
	{
		const accessor a = open((size_t)json_integer_value(value));
		mesh.set_num_points((uint32_t)a.count);
		const int id = add_attribute(&mesh, a, name);
		set(ids, name, mesh.attribute(id)->unique_id());
		emptied.push_back(a.own);
	}
	draco::ExpertEncoder encoder(mesh);
	encoder.SetEncodingMethod(by_edges ? draco::MESH_EDGEBREAKER_ENCODING : draco::MESH_SEQUENTIAL_ENCODING);
	encoder.SetTrackEncodedProperties(true);
	encoder.SetSpeedOptions(by_edges ? 0 : 10, 5);
	for (int i = 0; i < mesh.num_attributes(); i++) encoder.SetAttributeQuantization(i, 14);
	draco::EncoderBuffer buffer;
	need(encoder.EncodeToBuffer(&buffer).ok(), "Draco cannot encode this");
	json_t *view = json_object();
	set(view, "buffer", 0);
	set(view, "byteOffset", put(buffer.data(), buffer.size()));
	set(view, "byteLength", buffer.size());
	json_array_append_new(json_object_get(root, "bufferViews"), view);
	json_object_set_new(primitive, "extensions",
		json_pack("{s:{s:I, s:o}}", "KHR_draco_mesh_compression", "bufferView",
			(json_int_t)json_array_size(json_object_get(root, "bufferViews")) - 1, "attributes", ids));
	for (json_t *own : emptied) json_object_set_new(own, "emptied", json_true());
	if (!by_edges) return;
	set(indices.own, "count", 3 * encoder.num_encoded_faces());
	json_object_foreach(json_object_get(primitive, "attributes"), name, value)
		set(item("accessors", (size_t)json_integer_value(value)), "count", encoder.num_encoded_points());
}

/* each primitive with accessors of its own and without morph targets: its vertices come in another
   order and number */
static void separate(json_t *primitive)
{
	json_t *accessors = json_object_get(root, "accessors"), *value;
	const char *name;
	json_object_foreach(json_object_get(primitive, "attributes"), name, value)
	{
		json_array_append_new(accessors, json_deep_copy(json_array_get(accessors, (size_t)json_integer_value(value))));
		json_integer_set(value, (json_int_t)json_array_size(accessors) - 1);
	}
	json_object_del(primitive, "targets");
}

static void compress_primitives(bool by_edges)
{
	json_t *mesh, *primitive, *own;
	size_t m, p, i;
	use_extension("KHR_draco_mesh_compression", true);
	if (by_edges) json_object_del(root, "animations");
	json_array_foreach(json_object_get(root, "meshes"), m, mesh)
	{
		json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
		{
			json_object_set_new(primitive, "attributes", json_deep_copy(json_object_get(primitive, "attributes")));
			if (by_edges) separate(primitive);
		}
		if (by_edges) json_object_del(mesh, "weights");
		if (by_edges) json_object_del(mesh, "extras");
		json_array_foreach(json_object_get(mesh, "primitives"), p, primitive) compress_primitive(primitive, by_edges);
	}
	/* the others keep their data */
	json_array_foreach(json_object_get(root, "accessors"), i, own)
	{
		const bool is_emptied = json_object_get(own, "emptied") != NULL;
		const accessor a = is_emptied ? accessor() : open(i);
		json_object_del(own, "emptied");
		if (is_emptied) {
			/* nothing names this view any more */
			json_t *view = item("bufferViews", number(own, "bufferView", 0));
			set(view, "byteOffset", 0);
			set(view, "byteLength", 4);
			json_object_del(own, "bufferView");
		} else {
			set(a.view, "byteOffset", put(a.data.data(), a.data.size()));
		}
	}
}

/* ---- the file ---- */

static unsigned word(const bytes &from, size_t at)
{
	unsigned value;
	memcpy(&value, &from[at], 4);
	return value;
}

static void read_file(const char *path)
{
	std::ifstream file(path, std::ios::binary);
	const bytes all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
	need(all.size() > 20 && memcmp(all.data(), "glTF", 4) == 0, "the input is no .glb");
	const size_t length = word(all, 12);
	root = json_loadb((const char *)&all[20], length, 0, NULL);
	need(root != NULL, "the input's JSON is broken");
	before.assign(all.begin() + (long)(28 + length), all.end());
}

static void write_file(const char *path)
{
	set(item("buffers", 0), "byteLength", after.size());
	after.resize((after.size() + 3) & ~(size_t)3);
	char *dumped = json_dumps(root, JSON_COMPACT);
	std::string text(dumped);
	free(dumped);
	text.resize((text.size() + 3) & ~(size_t)3, ' ');
	const unsigned size = (unsigned)after.size(), length = (unsigned)text.size();
	const unsigned head[5] = {0x46546C67, 2, 28 + length + size, length, 0x4E4F534A}, chunk[2] = {size, 0x004E4942};
	std::ofstream file(path, std::ios::binary);
	file.write((const char *)head, sizeof head).write(text.data(), length);
	file.write((const char *)chunk, sizeof chunk).write((const char *)after.data(), size);
	need(file.good(), "the output cannot be written");
}

/* images stay as they are */
static void keep_images()
{
	json_t *image;
	size_t i;
	json_array_foreach(json_object_get(root, "images"), i, image)
	{
		json_t *view = item("bufferViews", number(image, "bufferView", SIZE_MAX));
		if (view) set(view, "byteOffset", put(&before[number(view, "byteOffset", 0)], number(view, "byteLength", 0)));
	}
}

int main(int count, char **words)
{
	need(count == 4, "usage: compress_gltf IN.glb OUT.glb meshopt|filters|fallback|sequential|edgebreaker");
	const std::string kind = words[3];
	read_file(words[1]);
	keep_images();
	if (kind == "sequential" || kind == "edgebreaker") compress_primitives(kind == "edgebreaker");
	else compress_views(kind == "filters", kind != "fallback");
	write_file(words[2]);
	return 0;
}
