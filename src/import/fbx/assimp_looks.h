/* import/fbx/assimp_looks.h: what assimp says of a material, as the processes share it.

   Place in the path: inside the FBX reader, between assimp_process.c and assimp_materials.c. */
#ifndef OSSAI_IMPORT_ASSIMP_LOOKS_H
#define OSSAI_IMPORT_ASSIMP_LOOKS_H

#include "import/fbx/assimp.h"

struct aiMaterial;
struct ossai_assimp_library;

typedef enum ossai_assimp_slot {
	OSSAI_SLOT_BASE_COLOR,
	OSSAI_SLOT_NORMAL,
	OSSAI_SLOT_EMISSION,
	OSSAI_SLOT_METALLIC,
	OSSAI_SLOT_ROUGHNESS,
	OSSAI_SLOT_OCCLUSION,
	OSSAI_SLOT_OPACITY,
	OSSAI_SLOT_OTHER, /* there is one that the model has no place for */
	OSSAI_SLOT_COUNT
} ossai_assimp_slot;

typedef struct ossai_assimp_texture {
	const char *path;   /* as the file has it; NULL: none */
	float placement[5]; /* offset, scale, rotation in degrees */
	int uv_set;
} ossai_assimp_texture;

/* Numbers are NaN where the file does not say. */
typedef struct ossai_assimp_look {
	const char *name;
	float color[3], emission[3], reflection[3];
	float opacity, metallic, roughness, reflectivity, bump;
	float alpha, alpha_cutoff, double_sided, occlusion; /* ossa's own */
	ossai_assimp_texture textures[OSSAI_SLOT_COUNT];
} ossai_assimp_look;

/* Zeroed shared memory, in the child; NULL where it is used up. */
void *ossai_share_take(struct ossai_assimp_share *share, size_t count, size_t size);

/* Fills a look from assimp's material, in the child. */
void ossai_assimp_copy_look(struct ossai_assimp_share *share, const struct ossai_assimp_library *library,
	const struct aiMaterial *from, ossai_assimp_look *look);

#endif
