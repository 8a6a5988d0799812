/* import/gltf/draco_decoder.h: a C interface to Draco's decoder of meshes.

   Place in the path: below gltf_draco.c. draco_decoder.cpp is the only file that includes the
   library.
   Input: untrusted bytes and how much may come of them.
   Output: corners of faces, numbers of points. */
#ifndef OSSAI_IMPORT_DRACO_DECODER_H
#define OSSAI_IMPORT_DRACO_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ossai_draco_mesh ossai_draco_mesh;

typedef enum ossai_draco_outcome {
	OSSAI_DRACO_DONE,
	OSSAI_DRACO_DAMAGED,
	OSSAI_DRACO_TOO_LARGE, /* more than the limits */
	OSSAI_DRACO_NO_MEMORY
} ossai_draco_outcome;

/* What may be decoded; checked before the memory is taken. */
typedef struct ossai_draco_limits {
	size_t faces, points;
	size_t attributes, numbers; /* of a point */
} ossai_draco_limits;

typedef enum ossai_draco_type {
	OSSAI_DRACO_I8,
	OSSAI_DRACO_U8,
	OSSAI_DRACO_I16,
	OSSAI_DRACO_U16,
	OSSAI_DRACO_U32,
	OSSAI_DRACO_F32
} ossai_draco_type;

/* *mesh is NULL unless it is done; ossai_draco_close frees it. */
ossai_draco_outcome ossai_draco_open(
	const uint8_t *bytes, size_t size, const ossai_draco_limits *limits, ossai_draco_mesh **mesh);
void ossai_draco_close(ossai_draco_mesh *mesh);

size_t ossai_draco_face_count(const ossai_draco_mesh *mesh);
size_t ossai_draco_point_count(const ossai_draco_mesh *mesh);

/* Three points for each face. */
void ossai_draco_corners(const ossai_draco_mesh *mesh, uint32_t *corners);

/* Numbers of each point in the attribute with this identifier; 0: there is none. */
size_t ossai_draco_width(const ossai_draco_mesh *mesh, uint32_t attribute);

/* The attribute of every point as numbers of a type, an element every `stride` bytes. False where
   they do not fit that type. */
bool ossai_draco_values(const ossai_draco_mesh *mesh, uint32_t attribute, ossai_draco_type type, uint8_t *to, size_t stride);

#ifdef __cplusplus
}
#endif
#endif
