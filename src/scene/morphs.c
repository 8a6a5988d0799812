/* scene/morphs.c: the morph targets of a mesh.

   Place in the path: beside ossa_mesh.
   Input and output: lists of the vertices that targets move. */
#include "base/scan.h"
#include "scene/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void ossai_morphs_free(ossa_context *context, ossa_morph *morphs, size_t count)
{
	for (size_t m = 0; morphs && m < count; m++) {
		ossa_free(context, morphs[m].vertices);
		ossa_free(context, morphs[m].deltas);
	}
	ossa_free(context, morphs);
}

static ossa_status fill(ossa_context *context, const char *name, size_t count, ossa_morph *morph)
{
	*morph = (ossa_morph){.count = count};
	snprintf(morph->name, sizeof morph->name, "%s", name);
	morph->vertices = ossai_new(context, count, sizeof *morph->vertices);
	morph->deltas = ossai_new(context, count, 3 * sizeof *morph->deltas);
	return morph->vertices && morph->deltas ? OSSA_OK : ossa_context_error(context)->status;
}

ossa_status ossai_morphs_add(ossa_context *context, ossa_mesh *mesh, const char *name, size_t count, ossa_morph **added)
{
	ossa_morph *list = ossai_resize(context, mesh->morphs, mesh->morph_count + 1, sizeof *list);
	if (!list) return ossa_context_error(context)->status;
	mesh->morphs = list;
	*added = &list[mesh->morph_count++];
	return fill(context, name, count, *added);
}

ossa_status ossai_morphs_copy(ossa_context *context, const ossa_mesh *mesh, ossa_mesh *copy)
{
	if (mesh->morph_count == 0) return OSSA_OK;
	copy->morphs = ossa_alloc(context, mesh->morph_count, sizeof *copy->morphs);
	if (!copy->morphs) return ossa_context_error(context)->status;
	copy->morph_count = mesh->morph_count;
	for (size_t m = 0; m < mesh->morph_count; m++) {
		const ossa_morph *from = &mesh->morphs[m];
		OSSAI_TRY(fill(context, from->name, from->count, &copy->morphs[m]));
		copy->morphs[m].weight = from->weight;
		copy->morphs[m].driver = from->driver;
		if (from->count == 0) continue;
		memcpy(copy->morphs[m].vertices, from->vertices, from->count * sizeof *from->vertices);
		memcpy(copy->morphs[m].deltas, from->deltas, from->count * 3 * sizeof *from->deltas);
	}
	return OSSA_OK;
}

bool ossai_driver_fits(const ossa_morph *morph)
{
	const ossa_driver *d = &morph->driver;
	const double length2 = d->axis[0] * d->axis[0] + d->axis[1] * d->axis[1] + d->axis[2] * d->axis[2];
	const bool rises = d->from >= 0 && d->from < d->to && d->to <= 180;
	const bool falls = d->from <= 0 && d->to < d->from && d->to >= -180;
	return fabs(length2 - 1) <= 1e-6 && (rises || falls) && morph->weight == 0;
}

static ossa_status check_driver(ossa_context *context, const ossa_morph *morph)
{
	if (!memchr(morph->driver.bone, 0, sizeof morph->driver.bone))
		return ossai_fail(
			context, OSSA_ERROR_INPUT, NULL, "morph target %s: the name of its bone is not terminated", morph->name);
	if (morph->driver.bone[0] == 0 || ossai_driver_fits(morph)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"morph target %s: its driver has no unit axis, no range of angles from 0 on, or a weight at rest", morph->name);
}

static ossa_status check(ossa_context *context, const ossa_mesh *mesh, const ossa_morph *morph)
{
	if (!memchr(morph->name, 0, sizeof morph->name))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the name of a morph target is not terminated");
	if (morph->count > 0 && (!morph->vertices || !morph->deltas))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "morph target %s has no vertices or no deltas", morph->name);
	for (size_t i = 0; i < morph->count; i++) {
		if (morph->vertices[i] < mesh->vertex_count && (i == 0 || morph->vertices[i] > morph->vertices[i - 1])) continue;
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"morph target %s: its vertices are not rising, or are not in the mesh", morph->name);
	}
	OSSAI_TRY(check_driver(context, morph));
	if (!isfinite(morph->weight))
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "morph target %s has a weight that is not finite", morph->name);
	if (ossai_all_finite(morph->deltas, 3 * morph->count)) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "morph target %s has deltas that are not finite", morph->name);
}

ossa_status ossai_morphs_check(ossa_context *context, const ossa_mesh *mesh)
{
	if (mesh->morph_count > 0 && !mesh->morphs)
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL, "the mesh is not whole: it has no morph targets");
	for (size_t m = 0; m < mesh->morph_count; m++) OSSAI_TRY(check(context, mesh, &mesh->morphs[m]));
	return OSSA_OK;
}

ossa_morph *ossai_morphs_borrow(ossai_arena *arena, const ossa_mesh *mesh)
{
	ossa_morph *list = ossai_arena_new(arena, mesh->morph_count, sizeof *list);
	for (size_t m = 0; list && m < mesh->morph_count; m++) {
		list[m] = mesh->morphs[m];
		list[m].deltas = ossai_arena_new(arena, list[m].count, 3 * sizeof *list[m].deltas);
		if (!list[m].deltas) return NULL;
		if (list[m].count > 0) memcpy(list[m].deltas, mesh->morphs[m].deltas, 3 * list[m].count * sizeof *list[m].deltas);
	}
	return list;
}

void ossai_morphs_weld(ossa_mesh *mesh, const uint32_t *kept, const uint32_t *to)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		ossa_morph *morph = &mesh->morphs[m];
		size_t left = 0;
		for (size_t i = 0; i < morph->count; i++) {
			const uint32_t v = morph->vertices[i];
			if (kept[v] != v) continue;
			morph->vertices[left] = to[v];
			memmove(morph->deltas + 3 * left++, morph->deltas + 3 * i, 3 * sizeof *morph->deltas);
		}
		morph->count = left;
	}
}

bool ossai_morphs_alike(const ossa_mesh *a, const ossa_mesh *b)
{
	const size_t count = a ? a->morph_count : 0;
	if (count != (b ? b->morph_count : 0)) return false;
	for (size_t m = 0; m < count; m++) {
		if (strcmp(a->morphs[m].name, b->morphs[m].name) != 0) return false;
	}
	return true;
}

size_t ossai_morphs_driven(const ossa_mesh *mesh)
{
	size_t count = 0;
	for (size_t m = 0; mesh->morphs && m < mesh->morph_count; m++) count += mesh->morphs[m].driver.bone[0] != 0;
	return count;
}

void ossai_morphs_drop_driven(ossa_context *context, ossa_mesh *mesh)
{
	size_t left = 0;
	for (size_t m = 0; m < mesh->morph_count; m++) {
		if (!mesh->morphs[m].driver.bone[0]) {
			mesh->morphs[left++] = mesh->morphs[m];
			continue;
		}
		ossa_free(context, mesh->morphs[m].vertices);
		ossa_free(context, mesh->morphs[m].deltas);
	}
	mesh->morph_count = left;
}

bool ossai_morphs_weigh(const ossa_mesh *mesh)
{
	for (size_t m = 0; m < mesh->morph_count; m++) {
		if (mesh->morphs[m].weight != 0) return true;
	}
	return false;
}

float *ossai_morphs_base(ossai_arena *arena, const ossa_mesh *mesh, const float *positions)
{
	const size_t size = 3 * mesh->vertex_count;
	float *base = ossai_arena_new(arena, mesh->vertex_count, 3 * sizeof *base);
	if (base && size > 0) memcpy(base, positions, size * sizeof *base);
	for (size_t m = 0; base && m < mesh->morph_count; m++) {
		const ossa_morph *morph = &mesh->morphs[m];
		for (size_t i = 0; morph->weight != 0 && i < 3 * morph->count; i++) {
			float *to = &base[3 * (size_t)morph->vertices[i / 3] + i % 3];
			*to = (float)((double)*to - morph->weight * (double)morph->deltas[i]);
		}
	}
	if (!base || ossai_all_finite(base, size)) return base;
	ossai_fail(arena->context, OSSA_ERROR_LIMIT, NULL,
		"the mesh without its morph targets is farther out than a float can hold: their weights or deltas are too large");
	return NULL;
}
