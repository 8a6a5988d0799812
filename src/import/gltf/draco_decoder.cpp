/* import/gltf/draco_decoder.cpp: a C interface to Draco's decoder of meshes.

   Place in the path: below gltf_draco.c.
   Input: untrusted bytes and how much may come of them.
   Output: corners of faces, numbers of points. Draco takes memory for what a file says it holds. So
   its decoders are derived here, and what they announce is compared with the limits at the two
   places where the memory is taken afterwards: the faces, and the attributes of the points. No
   exception leaves this file.
   Source: Draco bitstream 2.2, the one version that KHR_draco_mesh_compression allows. */
#include "import/gltf/draco_decoder.h"

#include <draco/compression/mesh/mesh_edgebreaker_decoder.h>
#include <draco/compression/mesh/mesh_sequential_decoder.h>
#include <draco/core/varint_decoding.h>

#include <memory>
#include <new>

struct ossai_draco_mesh {
	draco::Mesh mesh;
};

namespace
{

/* what both decoders check */
struct watch {
	const ossai_draco_limits *limits;
	bool is_exceeded;

	bool accept(size_t faces, size_t points, size_t attributes)
	{
		is_exceeded = faces > limits->faces || points > limits->points || attributes > limits->attributes;
		return !is_exceeded;
	}

	bool accept_attributes(const draco::PointCloud &cloud)
	{
		size_t numbers = 0;
		for (int i = 0; i < cloud.num_attributes(); i++) numbers += cloud.attribute(i)->num_components();
		is_exceeded = is_exceeded || cloud.num_points() > limits->points || numbers > limits->numbers;
		return !is_exceeded;
	}
};

/* one of Draco's decoders that asks before it makes attributes */
template <class decoder> class watched : public decoder
{
  public:
	explicit watched(watch *w) : watch_(w) {}

  protected:
	bool DecodeAllAttributes() override
	{
		return watch_->accept_attributes(*this->point_cloud()) && decoder::DecodeAllAttributes();
	}

	watch *watch_;
};

class sequential_decoder : public watched<draco::MeshSequentialDecoder>
{
  public:
	using watched::watched;

  protected:
	bool DecodeConnectivity() override
	{
		/* the numbers that come next are read from a copy */
		draco::DecoderBuffer ahead(*buffer());
		uint32_t faces, points;
		if (!draco::DecodeVarint(&faces, &ahead) || !draco::DecodeVarint(&points, &ahead)) return false;
		return watch_->accept(faces, points, 0) && draco::MeshSequentialDecoder::DecodeConnectivity();
	}
};

class edgebreaker_decoder : public watched<draco::MeshEdgebreakerDecoder>
{
  public:
	using watched::watched;

  protected:
	bool DecodeConnectivity() override
	{
		draco::DecoderBuffer ahead(*buffer());
		uint32_t vertices, faces;
		uint8_t seams; /* attributes that are split where the surface is not */
		if (!draco::DecodeVarint(&vertices, &ahead) || !draco::DecodeVarint(&faces, &ahead) || !ahead.Decode(&seams))
			return false;
		return watch_->accept(faces, vertices, seams) && draco::MeshEdgebreakerDecoder::DecodeConnectivity();
	}
};

ossai_draco_outcome decode(const uint8_t *bytes, size_t size, watch *w, draco::Mesh *mesh)
{
	draco::DecoderBuffer buffer, head;
	draco::DracoHeader header;
	head.Init((const char *)bytes, size);
	if (!draco::PointCloudDecoder::DecodeHeader(&head, &header).ok()) return OSSAI_DRACO_DAMAGED;
	const bool is_known = header.version_major == 2 && header.version_minor == 2;
	if (!is_known || header.encoder_type != draco::TRIANGULAR_MESH) return OSSAI_DRACO_DAMAGED;
	std::unique_ptr<draco::MeshDecoder> decoder;
	if (header.encoder_method == draco::MESH_SEQUENTIAL_ENCODING) decoder.reset(new sequential_decoder(w));
	else if (header.encoder_method == draco::MESH_EDGEBREAKER_ENCODING) decoder.reset(new edgebreaker_decoder(w));
	else return OSSAI_DRACO_DAMAGED;
	const draco::DecoderOptions options;
	buffer.Init((const char *)bytes, size);
	const bool is_decoded = decoder->Decode(options, &buffer, mesh).ok();
	if (w->is_exceeded) return OSSAI_DRACO_TOO_LARGE;
	/* the decoder checks few of the corners */
	for (draco::FaceIndex f(0); is_decoded && f < mesh->num_faces(); ++f) {
		for (int k = 0; k < 3; k++) {
			if (mesh->face(f)[k] >= mesh->num_points()) return OSSAI_DRACO_DAMAGED;
		}
	}
	return is_decoded ? OSSAI_DRACO_DONE : OSSAI_DRACO_DAMAGED;
}

template <typename number> bool convert(const draco::PointAttribute &from, size_t points, uint8_t *to, size_t stride)
{
	const int8_t width = (int8_t)from.num_components();
	for (draco::PointIndex p(0); p < (uint32_t)points; ++p, to += stride) {
		const draco::AttributeValueIndex value = from.mapped_index(p);
		if (value >= (uint32_t)from.size()) return false;
		if (!from.ConvertValue<number>(value, width, reinterpret_cast<number *>(to))) return false;
	}
	return true;
}

} // namespace

extern "C" {

ossai_draco_outcome ossai_draco_open(
	const uint8_t *bytes, size_t size, const ossai_draco_limits *limits, ossai_draco_mesh **mesh)
{
	*mesh = NULL;
	try {
		watch w = {limits, false};
		std::unique_ptr<ossai_draco_mesh> made(new ossai_draco_mesh);
		const ossai_draco_outcome outcome = decode(bytes, size, &w, &made->mesh);
		if (outcome == OSSAI_DRACO_DONE) *mesh = made.release();
		return outcome;
	} catch (const std::bad_alloc &) {
		return OSSAI_DRACO_NO_MEMORY;
	} catch (...) {
		return OSSAI_DRACO_DAMAGED;
	}
}

void ossai_draco_close(ossai_draco_mesh *mesh) { delete mesh; }

size_t ossai_draco_face_count(const ossai_draco_mesh *mesh) { return mesh->mesh.num_faces(); }

size_t ossai_draco_point_count(const ossai_draco_mesh *mesh) { return mesh->mesh.num_points(); }

void ossai_draco_corners(const ossai_draco_mesh *mesh, uint32_t *corners)
{
	for (draco::FaceIndex f(0); f < mesh->mesh.num_faces(); ++f) {
		for (int k = 0; k < 3; k++) *corners++ = mesh->mesh.face(f)[k].value();
	}
}

size_t ossai_draco_width(const ossai_draco_mesh *mesh, uint32_t attribute)
{
	const draco::PointAttribute *found = mesh->mesh.GetAttributeByUniqueId(attribute);
	return found ? found->num_components() : 0;
}

bool ossai_draco_values(const ossai_draco_mesh *mesh, uint32_t attribute, ossai_draco_type type, uint8_t *to, size_t stride)
{
	const draco::PointAttribute &from = *mesh->mesh.GetAttributeByUniqueId(attribute);
	const size_t points = mesh->mesh.num_points();
	switch (type) {
	case OSSAI_DRACO_I8: return convert<int8_t>(from, points, to, stride);
	case OSSAI_DRACO_U8: return convert<uint8_t>(from, points, to, stride);
	case OSSAI_DRACO_I16: return convert<int16_t>(from, points, to, stride);
	case OSSAI_DRACO_U16: return convert<uint16_t>(from, points, to, stride);
	case OSSAI_DRACO_U32: return convert<uint32_t>(from, points, to, stride);
	case OSSAI_DRACO_F32: return convert<float>(from, points, to, stride);
	}
	return false;
}
}
