/* methods/rest_mirror.c: the rest shape's rig made the same on both sides of a plane, for a rig
   from motion that is; see rest_rig.h. */
#include "methods/rest_rig.h"

#include "rig/weight_pairs.h"
#include "skeleton/naming/part_names.h"

#include <string.h>

typedef struct mirroring {
	ossai_arena *arena;
	const ossai_mirror *plane;
	const uint32_t *counterpart;
	ossa_rig *rest;
	uint32_t *image; /* R: the bone of the other side; itself: a central one, or one without */
} mirroring;

static void find_images(const mirroring *m)
{
	for (uint32_t r = 0; r < m->rest->skeleton.bone_count; r++) {
		const uint32_t other = ossai_image_of_bone(&m->rest->skeleton, r);
		m->image[r] = other == OSSA_NONE ? r : other;
	}
}

/* the mean of a point and the mirrored one of the image */
static void share_point(const mirroring *m, const double *image, double *point)
{
	const ossai_vec3 other = ossai_mirror_point(m->plane, ossai_v3_of(image));
	ossai_v3_store(ossai_lerp(ossai_v3_of(point), other, 0.5), point);
}

static ossa_status mirror_bones(const mirroring *m)
{
	const size_t count = m->rest->skeleton.bone_count;
	ossa_bone *bones = m->rest->skeleton.bones, *before = ossai_arena_new(m->arena, count, sizeof *before);
	if (!before) return ossa_context_error(m->arena->context)->status;
	memcpy(before, bones, count * sizeof *before);
	for (size_t r = 0; r < count; r++) {
		const bool is_lone = m->image[r] == r && bones[r].role.side != 0;
		if (is_lone || bones[r].role.part == OSSA_PART_NONE) continue;
		share_point(m, before[m->image[r]].joint, bones[r].joint);
		share_point(m, before[m->image[r]].tail, bones[r].tail);
	}
	return OSSA_OK;
}

static void add_half(const ossa_weights *from, size_t vertex, const uint32_t *image, ossai_weight_pairs *pairs)
{
	const size_t width = (size_t)from->influences;
	for (size_t i = vertex * width; i < (vertex + 1) * width; i++) {
		if (!(from->values[i] > 0)) continue;
		ossai_weight_pairs_add(pairs, image ? image[from->bones[i]] : from->bones[i], 0.5 * (double)from->values[i]);
	}
}

/* The largest, as many as the width: of two that are alike, as on the plane the bones of both sides
   are, none where only one would fit. */
static size_t count_kept(const ossai_weight_pairs *pairs, size_t width)
{
	size_t kept = pairs->count < width ? pairs->count : width;
	if (pairs->count <= width) return kept;
	while (kept > 1 && pairs->value[kept - 1] <= pairs->value[width]) kept--;
	return kept;
}

static ossa_status mirror_weights(const mirroring *m)
{
	ossa_weights *to = &m->rest->weights, before = *to;
	const size_t width = (size_t)to->influences, all = to->vertex_count * width;
	before.bones = ossai_arena_new(m->arena, all, sizeof *before.bones);
	before.values = ossai_arena_new(m->arena, all, sizeof *before.values);
	if (!before.bones || !before.values) return ossa_context_error(m->arena->context)->status;
	memcpy(before.bones, to->bones, all * sizeof *before.bones);
	memcpy(before.values, to->values, all * sizeof *before.values);
	for (size_t v = 0; v < to->vertex_count; v++) {
		ossai_weight_pairs pairs = {.count = 0};
		if (m->counterpart[v] == OSSA_NONE) continue;
		add_half(&before, v, NULL, &pairs);
		add_half(&before, m->counterpart[v], m->image, &pairs);
		ossai_weight_pairs_sort(&pairs);
		ossai_weight_pairs_store_largest(&pairs, count_kept(&pairs, width), to, v);
	}
	return OSSA_OK;
}

ossa_status ossai_rest_rig_mirror(ossa_context *context, const ossai_mirror *plane, const uint32_t *counterpart, ossa_rig *rest)
{
	ossai_arena arena = ossai_arena_begin(context);
	const mirroring m = {.arena = &arena,
		.plane = plane,
		.counterpart = counterpart,
		.rest = rest,
		.image = ossai_arena_new(&arena, rest->skeleton.bone_count, sizeof *m.image)};
	ossa_status status = m.image ? OSSA_OK : ossa_context_error(context)->status;
	if (status == OSSA_OK) {
		find_images(&m);
		status = mirror_bones(&m);
	}
	if (status == OSSA_OK) status = mirror_weights(&m);
	ossai_arena_end(&arena);
	return status;
}
