/* import/fbx/assimp_looks.c: assimp's materials as plain values: see assimp_looks.h.

   Place in the path: inside the FBX reader, in the process that runs assimp.
   Input: aiMaterial, a list of keys and values.
   Output: ossai_assimp_look in memory that the processes share. */
#include "import/fbx/assimp_looks.h"

#include "import/fbx/assimp_library.h"

#include <math.h>
#include <string.h>

/* which of assimp's kinds of textures a slot is, the likeliest first; programs put normal maps at
   bump maps' place */
static const struct {
	ossai_assimp_slot slot;
	enum aiTextureType type;
} kinds[] = {
	{OSSAI_SLOT_BASE_COLOR, aiTextureType_BASE_COLOR},
	{OSSAI_SLOT_BASE_COLOR, aiTextureType_DIFFUSE},
	{OSSAI_SLOT_NORMAL, aiTextureType_NORMAL_CAMERA},
	{OSSAI_SLOT_NORMAL, aiTextureType_NORMALS},
	{OSSAI_SLOT_NORMAL, aiTextureType_HEIGHT},
	{OSSAI_SLOT_EMISSION, aiTextureType_EMISSION_COLOR},
	{OSSAI_SLOT_EMISSION, aiTextureType_EMISSIVE},
	{OSSAI_SLOT_METALLIC, aiTextureType_METALNESS},
	{OSSAI_SLOT_ROUGHNESS, aiTextureType_DIFFUSE_ROUGHNESS},
	{OSSAI_SLOT_OCCLUSION, aiTextureType_AMBIENT_OCCLUSION},
	{OSSAI_SLOT_OPACITY, aiTextureType_OPACITY},
	{OSSAI_SLOT_OTHER, aiTextureType_SPECULAR},
	{OSSAI_SLOT_OTHER, aiTextureType_SHININESS},
	{OSSAI_SLOT_OTHER, aiTextureType_REFLECTION},
	{OSSAI_SLOT_OTHER, aiTextureType_DISPLACEMENT},
};

static const char *copy_text(struct ossai_assimp_share *share, const struct aiString *from)
{
	char *to = ossai_share_take(share, strlen(from->data) + 1, 1);
	return to ? strcpy(to, from->data) : NULL;
}

static void read_floats(const ossai_assimp_library *library, const struct aiMaterial *from, const char *key, unsigned type,
	float *values, unsigned count)
{
	unsigned found = count;
	for (unsigned i = 0; i < count; i++) values[i] = NAN;
	library->get_floats(from, key, type, 0, values, &found);
}

static void copy_texture(struct ossai_assimp_share *share, const ossai_assimp_library *library, const struct aiMaterial *from,
	enum aiTextureType type, ossai_assimp_texture *texture)
{
	struct aiString path;
	unsigned one = 1;
	if (texture->path || library->get_string(from, AI_MATKEY_TEXTURE(type, 0), &path) != AI_SUCCESS || !path.data[0]) return;
	texture->path = copy_text(share, &path);
	read_floats(library, from, _AI_MATKEY_UVTRANSFORM_BASE, type, texture->placement, 5);
	if (library->get_integers(from, AI_MATKEY_UVWSRC(type, 0), &texture->uv_set, &one) != AI_SUCCESS) texture->uv_set = 0;
}

void ossai_assimp_copy_look(struct ossai_assimp_share *share, const ossai_assimp_library *library,
	const struct aiMaterial *from, ossai_assimp_look *look)
{
	const struct {
		const char *key;
		float *values;
		unsigned count;
	} numbers[] = {{"$clr.diffuse", look->color, 3}, {"$clr.emissive", look->emission, 3},
		{"$clr.reflective", look->reflection, 3}, {"$mat.opacity", &look->opacity, 1},
		{"$mat.metallicFactor", &look->metallic, 1}, {"$mat.roughnessFactor", &look->roughness, 1},
		{"$mat.reflectivity", &look->reflectivity, 1}, {"$mat.bumpscaling", &look->bump, 1},
		{"$raw.ossa|alpha", &look->alpha, 1}, {"$raw.ossa|alphaCutoff", &look->alpha_cutoff, 1},
		{"$raw.ossa|doubleSided", &look->double_sided, 1}, {"$raw.ossa|occlusionStrength", &look->occlusion, 1}};
	struct aiString name = {.length = 0};
	library->get_string(from, AI_MATKEY_NAME, &name);
	look->name = copy_text(share, &name);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		read_floats(library, from, numbers[i].key, 0, numbers[i].values, numbers[i].count);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		copy_texture(share, library, from, kinds[i].type, &look->textures[kinds[i].slot]);
}
