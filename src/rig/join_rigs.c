/* rig/join_rigs.c: see join_rigs.h. */
#include "rig/join_rigs.h"

#include "mesh/bounds.h"
#include "rig/flatten.h"
#include "rig/pose.h"
#include "rig/slides.h"
#include "weights/bone_weights.h"

#include <stdio.h>
#include <string.h>

typedef struct joining {
	ossa_context *context;
	const ossa_mesh *mesh;
	size_t count;
	const ossai_rig_part *parts;
	size_t *first; /* count: the number of each part's root */
	size_t trees;  /* parts that slide on nothing */
	bool is_tree;  /* there is one, and no root above */
	ossa_rig *rig;
} joining;

size_t ossai_rig_body_count(const ossa_skeleton *skeleton)
{
	size_t count = 0;
	for (size_t b = 1; b < skeleton->bone_count; b++) count += ossai_is_body_root(&skeleton->bones[b]);
	return count;
}

ossa_status ossai_rig_check_one_tree(ossa_context *context, const ossa_rig *rig)
{
	const size_t count = ossai_rig_body_count(&rig->skeleton);
	if (ossai_skeleton_is_free(&rig->skeleton)) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"the bones of this face move freely, and this is solved for bones that keep their lengths: fit the motion alone, "
			"or "
			"rig its frames again with `articulation face`");
	}
	if (count == 0 && ossai_rig_slides(&rig->skeleton)) {
		return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
			"joints of the rig slide, and this is solved for bones that keep their lengths: fit the motion alone, or rig its "
			"frames again");
	}
	if (count == 0) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_INPUT, NULL,
		"the rig has %zu bodies with a root each, and this is solved for rigs of one tree: rig its frames again with `roots "
		"one`, or each body by itself",
		count);
}

/* ---- bones ---- */

static void name_bone(const joining *j, size_t part, size_t bone, char name[64])
{
	const ossai_rig_part *own = &j->parts[part];
	const char *old = own->rig->skeleton.bones[bone].name;
	const unsigned number = own->number > 0 ? own->number : (unsigned)part + 1;
	if (own->slides && bone == 0) snprintf(name, 64, "slide_%02u", number);
	else if (own->slides) snprintf(name, 64, "slide_%02u_%.40s", number, old);
	else if (j->is_tree) snprintf(name, 64, "%s", old);
	else if (own->rig->skeleton.bone_count == 1) snprintf(name, 64, "body_%u", number);
	else snprintf(name, 64, "body_%u_%.40s", number, old);
}

/* of the root of a part */
static int32_t parent_of(const joining *j, size_t part)
{
	const ossai_rig_part *own = &j->parts[part];
	if (own->slides) return (int32_t)(j->first[own->up] + own->up_bone);
	return j->is_tree ? -1 : 0;
}

static void put_bones(const joining *j, size_t part)
{
	const ossa_rig *from = j->parts[part].rig;
	for (size_t b = 0; b < from->skeleton.bone_count; b++) {
		ossa_bone *to = &j->rig->skeleton.bones[j->first[part] + b];
		*to = from->skeleton.bones[b];
		to->parent = b == 0 ? parent_of(j, part) : to->parent + (int32_t)j->first[part];
		if (b == 0 && !j->parts[part].slides) to->kind = OSSA_JOINT_ROOT;
		name_bone(j, part, b, to->name);
	}
}

/* below the mean of the bodies' roots, at the lowest point of the mesh, upright */
static void put_root(const joining *j)
{
	const ossai_bounds bounds = ossai_bounds_make(j->mesh->vertex_count, j->mesh->positions);
	ossa_bone *root = &j->rig->skeleton.bones[0];
	ossai_vec3 mean = {0, 0, 0};
	for (size_t i = 0; i < j->count; i++) {
		if (j->parts[i].slides) continue;
		mean = ossai_madd(mean, 1 / (double)j->trees, ossai_v3_of(j->parts[i].rig->skeleton.bones[0].joint));
	}
	*root = (ossa_bone){.name = "root", .parent = -1, .kind = OSSA_JOINT_ROOT, .role = {.part = OSSA_PART_NONE}};
	const double height = fmax(mean.y - bounds.minimum.y, 0.1 * bounds.diagonal);
	ossai_v3_store(ossai_v3(mean.x, bounds.minimum.y, mean.z), root->joint);
	ossai_v3_store(ossai_v3(mean.x, bounds.minimum.y + height, mean.z), root->tail);
	root->orientation[3] = 1;
}

static void put_skeleton(const joining *j)
{
	bool has_body = false;
	if (!j->is_tree) put_root(j);
	for (size_t i = 0; i < j->count; i++) {
		const ossa_body *body = &j->parts[i].rig->body;
		put_bones(j, i);
		if (!has_body && ossa_body_is_known(body)) j->rig->body = *body;
		has_body = has_body || ossa_body_is_known(body);
	}
}

/* ---- weights ---- */

static void put_weights(const joining *j, size_t part, const ossa_weights *from, ossa_weights *to)
{
	const size_t width = (size_t)from->influences, wide = (size_t)to->influences;
	for (size_t v = 0; v < from->vertex_count; v++) {
		const size_t at = wide * j->parts[part].vertices[v];
		for (size_t i = 0; i < width; i++) {
			const float value = from->values[width * v + i];
			to->values[at + i] = value;
			to->bones[at + i] = value > 0 ? (uint16_t)(j->first[part] + from->bones[width * v + i]) : 0;
		}
	}
}

static const ossa_weights *free_weights_of(const ossa_rig *rig)
{
	return rig->free_weights.vertex_count > 0 ? &rig->free_weights : &rig->weights;
}

static ossa_status put_free_weights(const joining *j)
{
	ossa_weights *to = &j->rig->free_weights;
	bool has_some = false;
	to->influences = 1;
	for (size_t i = 0; i < j->count; i++) {
		const ossa_weights *from = free_weights_of(j->parts[i].rig);
		has_some = has_some || j->parts[i].rig->free_weights.vertex_count > 0;
		to->influences = to->influences > from->influences ? to->influences : from->influences;
	}
	if (!has_some) return OSSA_OK;
	const size_t pairs = j->mesh->vertex_count * (size_t)to->influences;
	to->bones = ossa_alloc(j->context, pairs, sizeof *to->bones);
	to->values = to->bones ? ossa_alloc(j->context, pairs, sizeof *to->values) : NULL;
	if (!to->values) return ossa_context_error(j->context)->status;
	to->vertex_count = j->mesh->vertex_count;
	for (size_t i = 0; i < j->count; i++) put_weights(j, i, free_weights_of(j->parts[i].rig), to);
	return OSSA_OK;
}

/* ---- motion ---- */

/* the frame of a bone in the world, of those that are there already */
static ossai_rigid world_of(const joining *j, const ossa_clip *clip, size_t frame, int32_t bone)
{
	ossai_rigid world = {ossai_mat3_identity(), ossai_v3(0, 0, 0)};
	for (int32_t b = bone; b >= 0; b = j->rig->skeleton.bones[b].parent) {
		const size_t at = frame * clip->bone_count + (size_t)b;
		const ossai_rigid local = {
			ossai_quat_matrix(ossai_quat_of(clip->rotations + 4 * at)), ossai_v3_of(clip->translations + 3 * at)};
		world = ossai_rigid_mul(&local, &world);
	}
	return world;
}

/* the root of a part against the bone that it slides on, as it moves by itself */
static void put_slide(const joining *j, size_t part, size_t frame, const ossa_clip *from, ossa_clip *to)
{
	const size_t root = j->first[part];
	const ossai_rigid up = world_of(j, to, frame, j->rig->skeleton.bones[root].parent), back = ossai_rigid_inverse(&up);
	const ossai_rigid own = {ossai_quat_matrix(ossai_quat_of(from->rotations + 4 * frame * from->bone_count)),
		ossai_v3_of(from->root_positions + 3 * frame)};
	const ossai_rigid local = ossai_rigid_mul(&back, &own);
	double *at = to->rotations + 4 * (frame * to->bone_count + root);
	ossai_quat q = ossai_mat3_quat(&local.r);
	ossai_quat_store_after(q, frame > 0 ? at - 4 * to->bone_count : NULL, at);
	ossai_v3_store(local.t, to->translations + 3 * (frame * to->bone_count + root));
}

static void put_motion(const joining *j, size_t part, const ossa_clip *from, ossa_clip *to)
{
	const ossa_rig *own = j->parts[part].rig;
	const ossai_vec3 root = j->is_tree ? ossai_v3(0, 0, 0) : ossai_v3_of(j->rig->skeleton.bones[0].joint);
	for (size_t f = 0; f < to->frame_count; f++) {
		for (size_t b = 0; b < from->bone_count; b++) {
			const size_t here = f * from->bone_count + b, there = f * to->bone_count + j->first[part] + b;
			memcpy(to->rotations + 4 * there, from->rotations + 4 * here, 4 * sizeof *to->rotations);
			ossai_vec3 t = b > 0 && !from->translations ? ossai_rest_offset(own->skeleton.bones, b) : ossai_v3(0, 0, 0);
			if (b > 0 && from->translations) t = ossai_v3_of(from->translations + 3 * here);
			if (b == 0) t = ossai_sub(ossai_v3_of(from->root_positions + 3 * f), root);
			ossai_v3_store(t, to->translations + 3 * there);
		}
		if (j->parts[part].slides) put_slide(j, part, f, from, to);
		else if (j->is_tree) memcpy(to->root_positions + 3 * f, from->root_positions + 3 * f, 3 * sizeof *to->root_positions);
	}
}

/* the root stands still */
static ossa_status make_clip(const joining *j, const ossa_clip *like, ossa_clip **clip)
{
	const size_t bones = j->rig->skeleton.bone_count;
	OSSAI_TRY(ossa_clip_create(j->context, like->frame_count, bones, true, clip));
	memcpy((*clip)->name, like->name, sizeof like->name);
	memcpy((*clip)->times, like->times, like->frame_count * sizeof *like->times);
	for (size_t f = 0; f < like->frame_count && !j->is_tree; f++) {
		const double *root = j->rig->skeleton.bones[0].joint;
		(*clip)->rotations[4 * f * bones + 3] = 1;
		memcpy((*clip)->root_positions + 3 * f, root, 3 * sizeof *root);
		memcpy((*clip)->translations + 3 * f * bones, root, 3 * sizeof *root);
	}
	return OSSA_OK;
}

static ossa_status put_clips(const joining *j)
{
	bool is_free = false;
	if (!j->parts[0].rig->clip) return OSSA_OK;
	OSSAI_TRY(make_clip(j, j->parts[0].rig->clip, &j->rig->clip));
	for (size_t i = 0; i < j->count; i++) {
		put_motion(j, i, j->parts[i].rig->clip, j->rig->clip);
		is_free = is_free || j->parts[i].rig->free_clip;
	}
	OSSAI_TRY(ossai_slides_project(j->context, j->rig, j->rig->clip));
	if (!is_free) return OSSA_OK;
	OSSAI_TRY(make_clip(j, j->parts[0].rig->clip, &j->rig->free_clip));
	for (size_t i = 0; i < j->count; i++) {
		const ossa_rig *own = j->parts[i].rig;
		put_motion(j, i, own->free_clip ? own->free_clip : own->clip, j->rig->free_clip);
	}
	return OSSA_OK;
}

/* ---- faces that moved together ---- */

/* of each part: how its errors, in its own diagonals, are in those of the whole */
static double error_scale(const joining *j, size_t part)
{
	const ossa_mesh *own = j->parts[part].rig->mesh;
	const double whole = ossai_bounds_make(j->mesh->vertex_count, j->mesh->positions).diagonal;
	const double share = ossai_bounds_make(own->vertex_count, own->positions).diagonal / whole;
	return share * share * share * share;
}

static void put_clusters(const joining *j, size_t part)
{
	const ossa_rig *own = j->parts[part].rig;
	for (size_t f = 0; f < own->mesh->triangle_count; f++) {
		const uint32_t first = own->face_clusters ? own->face_clusters[f] : own->merge_count > 0 ? (uint32_t)f : 0;
		j->rig->face_clusters[j->parts[part].triangles[f]] = j->parts[part].triangles[first];
	}
}

/* the cheapest merge of any part comes next */
static void put_merges(const joining *j, size_t *next, const double *scale)
{
	for (size_t i = 0; i < j->rig->merge_count; i++) {
		size_t best = j->count;
		double error = 0;
		for (size_t p = 0; p < j->count; p++) {
			const ossa_rig *own = j->parts[p].rig;
			if (next[p] == own->merge_count) continue;
			const double here = scale[p] * own->merges[next[p]].error;
			if (best < j->count && here >= error) continue;
			best = p;
			error = here;
		}
		const ossa_merge *merge = &j->parts[best].rig->merges[next[best]++];
		const uint32_t *triangles = j->parts[best].triangles;
		j->rig->merges[i] = (ossa_merge){triangles[merge->kept], triangles[merge->gone], error};
	}
}

static ossa_status put_faces(const joining *j)
{
	ossa_rig *rig = j->rig;
	size_t merges = 0;
	for (size_t i = 0; i < j->count; i++) merges += j->parts[i].rig->merge_count;
	rig->face_clusters = ossai_new(j->context, j->mesh->triangle_count, sizeof *rig->face_clusters);
	rig->merges = ossai_new(j->context, merges, sizeof *rig->merges);
	ossai_arena arena = ossai_arena_begin(j->context);
	size_t *next = ossai_arena_zero(&arena, j->count, sizeof *next);
	double *scale = ossai_arena_new(&arena, j->count, sizeof *scale);
	const bool ready = rig->face_clusters && rig->merges && next && scale;
	rig->merge_count = ready ? merges : 0;
	for (size_t i = 0; ready && i < j->count; i++) {
		put_clusters(j, i);
		scale[i] = error_scale(j, i);
	}
	if (ready) put_merges(j, next, scale);
	ossai_arena_end(&arena);
	return ready ? OSSA_OK : ossa_context_error(j->context)->status;
}

static ossa_status put_loops(const joining *j)
{
	size_t count = 0;
	for (size_t i = 0; i < j->count; i++) count += j->parts[i].rig->loop_count;
	if (count == 0) return OSSA_OK;
	j->rig->loops = ossai_new(j->context, count, sizeof *j->rig->loops);
	if (!j->rig->loops) return ossa_context_error(j->context)->status;
	for (size_t i = 0; i < j->count; i++) {
		for (size_t k = 0; k < j->parts[i].rig->loop_count; k++) {
			ossa_loop *loop = &j->rig->loops[j->rig->loop_count++];
			*loop = j->parts[i].rig->loops[k];
			for (int end = 0; end < 2; end++) loop->bones[end] += (int32_t)j->first[i];
		}
	}
	return OSSA_OK;
}

/* ---- the whole ---- */

static ossa_status put_all(const joining *j)
{
	put_skeleton(j);
	for (size_t i = 0; i < j->count; i++) put_weights(j, i, &j->parts[i].rig->weights, &j->rig->weights);
	OSSAI_TRY(put_loops(j));
	OSSAI_TRY(put_free_weights(j));
	OSSAI_TRY(put_clips(j));
	return put_faces(j);
}

static ossa_status join(joining *j, ossa_rig **rig)
{
	int influences = 1;
	for (size_t i = 0; i < j->count; i++) j->trees += !j->parts[i].slides;
	j->is_tree = j->trees == 1;
	size_t bones = j->is_tree ? 0 : 1;
	for (size_t i = 0; i < j->count; i++) {
		const ossa_rig *own = j->parts[i].rig;
		j->first[i] = bones;
		bones += own->skeleton.bone_count;
		influences = own->weights.influences > influences ? own->weights.influences : influences;
	}
	OSSAI_TRY(ossa_rig_create(j->context, j->mesh, bones, influences, &j->rig));
	snprintf(j->rig->method, sizeof j->rig->method, "%s", j->parts[0].rig->method);
	const ossa_status status = put_all(j);
	if (status == OSSA_OK) *rig = j->rig;
	else ossa_rig_free(j->context, j->rig);
	return status;
}

ossa_status ossai_rigs_join(
	ossa_context *context, const ossa_mesh *mesh, size_t count, const ossai_rig_part *parts, size_t *first_bone, ossa_rig **rig)
{
	*rig = NULL;
	ossai_arena arena = ossai_arena_begin(context);
	joining j = {.context = context, .mesh = mesh, .count = count, .parts = parts};
	j.first = ossai_arena_new(&arena, count, sizeof *j.first);
	const ossa_status status = j.first ? join(&j, rig) : ossa_context_error(context)->status;
	if (status == OSSA_OK && first_bone) memcpy(first_bone, j.first, count * sizeof *first_bone);
	ossai_arena_end(&arena);
	return status;
}
