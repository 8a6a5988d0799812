/* import/asset/asset_morphs.c: the morph targets of an asset's meshes as those of the joined mesh.

   Place in the path: inside the asset layer, after the meshes are joined.
   Input: targets of each mesh, in its space.
   Output: targets of the joined mesh, in the rig's; those of one name in several meshes (a face and
   its teeth) are one, if they have one weight at rest and move alike. */
#include "import/asset/asset_parts.h"
#include "scene/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a target of one mesh */
typedef struct part {
	const ossai_block *block;
	const ossai_asset_target *target;
	uint32_t *morph; /* that it becomes */
	uint64_t motion; /* how it moves */
	char name[64];
	const char *whole; /* the name, however long */
} part;

static bool moves(const float *delta) { return delta[0] != 0 || delta[1] != 0 || delta[2] != 0; }

static size_t count_moved(const part *p)
{
	size_t count = 0;
	for (size_t v = 0; v < p->block->own; v++) count += moves(p->target->deltas + 3 * v);
	return count;
}

static void add_part(const part *p, ossa_morph *morph, size_t *filled)
{
	for (size_t v = 0; v < p->block->own; v++) {
		const float *delta = p->target->deltas + 3 * v;
		if (!moves(delta)) continue;
		const ossai_mat3 turn = ossai_block_turn(p->block, v);
		const ossai_vec3 turned = ossai_mat3_mul_v(&turn, ossai_v3_of_float(delta));
		morph->vertices[*filled] = (uint32_t)(p->block->base + v);
		morph->deltas[3 * *filled] = (float)turned.x;
		morph->deltas[3 * *filled + 1] = (float)turned.y;
		morph->deltas[3 * (*filled)++ + 2] = (float)turned.z;
	}
}

static ossa_status list_parts(ossai_asset *asset, const ossai_blocks *blocks, part **parts, size_t *count)
{
	size_t total = 0;
	*count = 0;
	*parts = NULL;
	for (size_t b = 0; b < blocks->count; b++) total += blocks->items[b].from->target_count;
	uint64_t **motion = ossai_asset_morph_motion(asset);
	if (!motion) return ossa_context_error(asset->context)->status;
	*parts = ossai_arena_zero(&asset->arena, total, sizeof **parts);
	if (!*parts) return ossa_context_error(asset->context)->status;
	for (size_t b = 0; b < blocks->count; b++) {
		const ossai_asset_mesh *from = blocks->items[b].from;
		const size_t number = (size_t)(from - asset->meshes);
		asset->meshes[number].target_morphs = ossai_arena_new(&asset->arena, from->target_count, sizeof(uint32_t));
		if (!from->target_morphs) return ossa_context_error(asset->context)->status;
		for (size_t t = 0; t < from->target_count; t++) {
			part *p = &(*parts)[(*count)++];
			*p = (part){.block = &blocks->items[b],
				.target = &from->targets[t],
				.morph = &from->target_morphs[t],
				.motion = motion[number][t]};
			const char *own = from->targets[t].name;
			if (own && own[0]) ossai_name_copy(p->name, (ossai_word){own, strlen(own)});
			else snprintf(p->name, sizeof p->name, "morph_%02zu", t + 1);
			p->whole = own && own[0] ? own : p->name;
		}
	}
	return OSSA_OK;
}

static int compare_names(const void *a, const void *b)
{
	const part *const *p = a, *const *q = b;
	const int order = strcmp((*p)->whole, (*q)->whole);
	if (order != 0) return order;
	const double left = (*p)->target->weight, right = (*q)->target->weight;
	if (left != right) return left < right ? -1 : 1;
	if ((*p)->motion != (*q)->motion) return (*p)->motion < (*q)->motion ? -1 : 1;
	return *p < *q ? -1 : *p > *q;
}

/* the parts of one name, from the first mesh on: vertices rise from mesh to mesh */
static ossa_status add_group(ossai_asset *asset, part **sorted, size_t count, ossa_mesh *mesh)
{
	size_t moved = 0, filled = 0;
	ossa_morph *morph;
	for (size_t i = 0; i < count; i++) moved += count_moved(sorted[i]);
	OSSAI_TRY(ossai_morphs_add(asset->context, mesh, sorted[0]->name, moved, &morph));
	morph->weight = sorted[0]->target->weight;
	for (size_t i = 0; i < count; i++) {
		add_part(sorted[i], morph, &filled);
		*sorted[i]->morph = (uint32_t)(mesh->morph_count - 1);
	}
	return OSSA_OK;
}

static int compare_groups(const void *a, const void *b)
{
	part *const *const *p = a, *const *const *q = b;
	return **p < **q ? -1 : **p > **q;
}

/* two parts of one name are different targets where they are of one mesh, have other weights, or
   move in another way */
static bool begins_group(part **sorted, size_t i)
{
	return i == 0 || strcmp(sorted[i]->whole, sorted[i - 1]->whole) != 0 || sorted[i]->block == sorted[i - 1]->block ||
		sorted[i]->target->weight != sorted[i - 1]->target->weight || sorted[i]->motion != sorted[i - 1]->motion;
}

ossa_status ossai_asset_take_morphs(ossai_asset *asset, const ossai_blocks *blocks, ossa_mesh *mesh)
{
	part *parts;
	size_t count, groups = 0;
	OSSAI_TRY(list_parts(asset, blocks, &parts, &count));
	part **sorted = ossai_arena_new(&asset->arena, count + 1, sizeof *sorted);
	part ***first = ossai_arena_new(&asset->arena, count + 1, sizeof *first);
	if (!sorted || !first) return ossa_context_error(asset->context)->status;
	for (size_t i = 0; i < count; i++) sorted[i] = &parts[i];
	sorted[count] = NULL;
	if (count > 0) qsort(sorted, count, sizeof *sorted, compare_names);
	for (size_t i = 0; i < count; i++) {
		if (begins_group(sorted, i)) first[groups++] = &sorted[i];
	}
	/* in the order of the file again */
	if (groups > 0) qsort(first, groups, sizeof *first, compare_groups);
	for (size_t g = 0; g < groups; g++) {
		size_t size = 1;
		while (first[g][size] && !begins_group(sorted, (size_t)(first[g] - sorted) + size)) size++;
		OSSAI_TRY(add_group(asset, first[g], size, mesh));
	}
	return OSSA_OK;
}
