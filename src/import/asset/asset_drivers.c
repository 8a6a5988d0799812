/* import/asset/asset_drivers.c: what moves the corrective shapes of a rig, from the extras of
   ossa's own files.

   Place in the path: asset_rig.c, once the rig has its bones.
   Input: drivers of the targets of each mesh, nodes by name.
   Output: drivers of the rig's morph targets. Other programs may have changed the file and kept the
   extras: what does not fit is left out, with a warning. */
#include "import/asset/asset_parts.h"
#include "scene/mesh.h"

#include <stdlib.h>
#include <string.h>

/* Names with their places in a list, sorted. */
typedef struct sorted_names {
	size_t count;
	struct named {
		const char *name;
		uint32_t index;
	} * items;
} sorted_names;

static int compare(const void *a, const void *b)
{
	const struct named *p = a, *q = b;
	const int order = strcmp(p->name, q->name);
	return order != 0 ? order : p->index < q->index ? -1 : p->index > q->index;
}

/* the first of that name, or OSSA_NONE */
static uint32_t find(const sorted_names *names, const char *name)
{
	size_t begin = 0, end = names->count;
	while (begin < end) {
		const size_t middle = begin + (end - begin) / 2;
		if (strcmp(names->items[middle].name, name) < 0) begin = middle + 1;
		else end = middle;
	}
	return begin < names->count && strcmp(names->items[begin].name, name) == 0 ? names->items[begin].index : OSSA_NONE;
}

/* what the steps below share */
typedef struct driving {
	const ossai_asset *asset;
	const ossai_bones *bones;
	ossa_rig *rig;
	ossai_mat3 turn;
	sorted_names bone, morph; /* bones by the names of their nodes */
} driving;

static ossa_status sort_names(ossai_asset *asset, driving *d)
{
	d->bone.items = ossai_arena_new(&asset->arena, d->bones->count, sizeof *d->bone.items);
	d->morph.items = ossai_arena_new(&asset->arena, d->rig->mesh->morph_count, sizeof *d->morph.items);
	if (!d->bone.items || !d->morph.items) return ossa_context_error(asset->context)->status;
	for (uint32_t b = 0; b < d->bones->count; b++) {
		const char *name = d->bones->node[b] == OSSA_NONE ? NULL : asset->nodes[d->bones->node[b]].name;
		if (name) d->bone.items[d->bone.count++] = (struct named){name, b};
	}
	for (uint32_t m = 0; m < d->rig->mesh->morph_count; m++)
		d->morph.items[d->morph.count++] = (struct named){d->rig->mesh->morphs[m].name, m};
	if (d->bone.count > 0) qsort(d->bone.items, d->bone.count, sizeof *d->bone.items, compare);
	if (d->morph.count > 0) qsort(d->morph.items, d->morph.count, sizeof *d->morph.items, compare);
	return OSSA_OK;
}

/* whether the target follows a bone now */
static bool take_driver(const driving *d, const ossai_asset_target *target)
{
	char name[64] = "";
	if (target->name) ossai_name_copy(name, (ossai_word){target->name, strlen(target->name)});
	const uint32_t bone = find(&d->bone, target->driver->bone), morph = find(&d->morph, name);
	if (bone == OSSA_NONE || morph == OSSA_NONE || !d->bones->fits_rest) return false;
	ossa_morph tried = d->rig->mesh->morphs[morph];
	tried.driver = *target->driver;
	memcpy(tried.driver.bone, d->rig->skeleton.bones[bone].name, sizeof tried.driver.bone);
	ossai_v3_store(ossai_mat3_mul_v(&d->turn, ossai_v3_of(target->driver->axis)), tried.driver.axis);
	if (!ossai_driver_fits(&tried)) return false;
	d->rig->mesh->morphs[morph].driver = tried.driver;
	return true;
}

static int64_t take_all(const driving *d)
{
	int64_t lost = 0;
	for (size_t m = 0; m < d->asset->mesh_count; m++) {
		for (size_t t = 0; t < d->asset->meshes[m].target_count; t++) {
			const ossai_asset_target *target = &d->asset->meshes[m].targets[t];
			lost += target->driver && !take_driver(d, target);
		}
	}
	return lost;
}

ossa_status ossai_asset_take_drivers(ossai_asset *asset, const ossai_bones *bones, const ossai_rigid *map, ossa_rig *rig)
{
	double scale;
	driving d = {.asset = asset, .bones = bones, .rig = rig, .turn = ossai_affine_rotation(&map->r, &scale)};
	OSSAI_TRY(sort_names(asset, &d));
	const int64_t lost = take_all(&d);
	if (lost == 0) return OSSA_OK;
	ossai_warn(asset->context, "shapes-unbound", lost,
		"%s: corrective shapes whose joints are not there, or have another rest pose than the mesh was bound in: they are "
		"morph targets that nothing moves now",
		asset->path);
	return OSSA_OK;
}
