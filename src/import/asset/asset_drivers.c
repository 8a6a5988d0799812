/* import/asset/asset_drivers.c: what moves the corrective shapes of a rig, from the extras of
   ossa's own files.

   Place in the path: asset_rig.c, once the rig has its bones.
   Input: drivers of the targets of each mesh, nodes by name.
   Output: drivers of the rig's morph targets. Other programs may have changed the file and kept the
   extras: what does not fit is left out, with a warning. */
#include "import/asset/asset_parts.h"
#include "scene/mesh.h"

#include <string.h>

static const ossa_bone *find_bone(const ossai_asset *asset, const ossai_bones *bones, const ossa_rig *rig, const char *name)
{
	for (size_t b = 0; b < bones->count; b++) {
		if (bones->node[b] == OSSA_NONE) continue;
		const char *own = asset->nodes[bones->node[b]].name;
		if (own && strcmp(own, name) == 0) return &rig->skeleton.bones[b];
	}
	return NULL;
}

static ossa_morph *find_morph(const ossa_mesh *mesh, const char *name)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		if (strcmp(mesh->morphs[m].name, name) == 0) return &mesh->morphs[m];
	}
	return NULL;
}

/* whether the target follows a bone now */
static bool take_driver(
	const ossai_asset *asset, const ossai_bones *bones, const ossai_mat3 *turn, const ossai_asset_target *target, ossa_rig *rig)
{
	char name[64] = "";
	if (target->name) ossai_name_copy(name, (ossai_word){target->name, strlen(target->name)});
	const ossa_bone *bone = find_bone(asset, bones, rig, target->driver->bone);
	ossa_morph *morph = find_morph(rig->mesh, name);
	if (!bone || !morph || !bones->fits_rest) return false;
	ossa_morph tried = *morph;
	tried.driver = *target->driver;
	memcpy(tried.driver.bone, bone->name, sizeof tried.driver.bone);
	ossai_v3_store(ossai_mat3_mul_v(turn, ossai_v3_of(target->driver->axis)), tried.driver.axis);
	if (!ossai_driver_fits(&tried)) return false;
	morph->driver = tried.driver;
	return true;
}

void ossai_asset_take_drivers(const ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig)
{
	double scale;
	int64_t lost = 0;
	const ossai_mat3 turn = ossai_affine_rotation(&map->r, &scale);
	for (size_t m = 0; m < asset->mesh_count; m++) {
		for (size_t t = 0; t < asset->meshes[m].target_count; t++) {
			const ossai_asset_target *target = &asset->meshes[m].targets[t];
			lost += target->driver && !take_driver(asset, bones, &turn, target, rig);
		}
	}
	if (lost == 0) return;
	ossai_warn(asset->context, "shapes-unbound", lost,
		"%s: corrective shapes whose joints are not there, or have another rest pose than the mesh was bound in: they are "
		"morph targets that nothing moves now",
		asset->path);
}
