/* methods/still.c: see still.h. */
#include "methods/still.h"

#include "methods/pieces/sheets.h"
#include "rig/levels.h"
#include "weights/transfer.h"

#include <string.h>

/* The size of a mesh is so many times its spread: about its diagonal, which is so many times the spread of the median of the creatures in
   docs/results.md. */
static const double size_of_spread = 4.36;
/* of such a length: places are told to one of so many parts */
static const double place_steps = 1 << 24;

/* ---- shape ---- */

/* The rest shape on a scale of its own: what lengths are compared with does not change when the shape turns, as its box does. What moving and
   scaling a mesh leaves of differences, in the last digits of doubles, could turn one of many choices between edges and with it the
   curve: places are rounded to what floats tell. */
ossa_status ossai_still_prepare(ossai_still_work *work)
{
	ossai_posed_surface *s = &work->surface;
	OSSAI_TRY(ossai_posed_surface_make(work->context, work->arena, work->mesh, NULL, work->link_pieces, s));
	const double spread = ossai_posed_surface_spread(s);
	if (spread > 0) ossai_posed_surface_rescale(s, size_of_spread * spread * s->scale);
	for (size_t i = 0; i < 3 * s->vertex_count; i++) s->rest[i] = nearbyint(s->rest[i] * place_steps) / place_steps;
	return OSSA_OK;
}

/* ---- weights ---- */

ossa_status ossai_still_check_weights(ossa_context *context, const char *method, int weights)
{
	if (weights != OSSA_WEIGHTS_LEAST_SQUARES) return OSSA_OK;
	return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
		"weights by least squares are fitted to motion, and the method %s looks at none: take heat, geodesic or coverage",
		method);
}

ossa_status ossai_still_skin_make(ossai_still_work *work, const ossai_proxy *proxy, ossai_posed_surface *skin)
{
	ossai_arena scratch = ossai_arena_begin(work->context);
	ossa_mesh *mesh = NULL;
	float *positions = ossai_arena_new(&scratch, proxy->vertex_count, 3 * sizeof *positions);
	ossa_status status = positions ? OSSA_OK : ossa_context_error(work->context)->status;
	for (size_t i = 0; positions && i < 3 * proxy->vertex_count; i++) positions[i] = (float)proxy->positions[i];
	if (status == OSSA_OK) {
		status = ossa_mesh_create(work->context, proxy->vertex_count, positions, proxy->face_count, proxy->triangles, &mesh);
	}
	if (status == OSSA_OK) status = ossai_posed_surface_make(work->context, work->arena, mesh, NULL, true, skin);
	/* the faces outlive the mesh; where floats made vertices one the skin has its own */
	if (status == OSSA_OK && !skin->first_of_vertex) skin->triangles = proxy->triangles;
	ossa_mesh_free(work->context, mesh);
	ossai_arena_end(&scratch);
	return status;
}

ossa_status ossai_still_carry(ossai_still_work *work, const ossai_proxy *proxy, const ossai_posed_surface *skin,
	ossai_bone_weights *found, size_t influences, ossai_bone_weights *weights)
{
	ossai_bone_weights_spread(skin->first_of_vertex, found);
	OSSAI_TRY(ossai_bone_weights_new(work->arena, work->surface.vertex_count, found->bone_count, influences, weights));
	return ossai_weights_transfer(work->context, proxy, found, &work->surface, weights);
}

ossa_status ossai_still_weigh(ossai_still_work *work, const ossai_proxy *proxy, const ossai_rest_bones *bones,
	const ossai_rest_weights_options *options, ossai_bone_weights *weights)
{
	const size_t count = bones->tree->bone_count;
	ossai_vec3 *joint = ossai_arena_new(work->arena, count, sizeof *joint);
	ossai_vec3 *tail = ossai_arena_new(work->arena, count, sizeof *tail);
	if (!joint || !tail) return ossa_context_error(work->context)->status;
	ossai_posed_surface skin;
	OSSAI_TRY(ossai_still_skin_make(work, proxy, &skin));
	for (size_t b = 0; b < count; b++) {
		joint[b] = ossai_still_to_skin(&skin, bones->joint[b]);
		tail[b] = ossai_still_to_skin(&skin, bones->tail[b]);
	}
	const ossai_rest_bones in_skin = {bones->tree, joint, tail, NULL};
	ossai_bone_weights found;
	OSSAI_TRY(ossai_rest_weights(work->arena, &skin, &in_skin, NULL, options, &found));
	return ossai_still_carry(work, proxy, &skin, &found, options->influences, weights);
}

/* ---- bones without skin ---- */

typedef struct idle_bones {
	uint8_t *moves;     /* B */
	uint8_t *stays;     /* B: its image does */
	uint8_t *gone;      /* B */
	uint32_t *children; /* B: that stay, or what hangs on those that go */
	uint32_t *image;    /* B: itself where it has none */
} idle_bones;

static size_t mark_gone(const ossa_skeleton *skeleton, idle_bones *idle)
{
	size_t count = 0;
	memset(idle->children, 0, skeleton->bone_count * sizeof *idle->children);
	for (size_t b = skeleton->bone_count; b-- > 1;) {
		idle->gone[b] = !idle->moves[b] && !idle->stays[b] && idle->children[b] < 2;
		count += idle->gone[b];
		idle->children[skeleton->bones[b].parent] += idle->gone[b] ? idle->children[b] : 1;
	}
	return count;
}

/* what goes on one side only, because the mesh is not cut as the shape is, stays on both */
static size_t find_gone(const ossa_skeleton *skeleton, idle_bones *idle)
{
	for (;;) {
		const size_t count = mark_gone(skeleton, idle);
		bool even = true;
		for (size_t b = 1; b < skeleton->bone_count; b++) {
			if (!idle->gone[b] || idle->gone[idle->image[b]]) continue;
			idle->stays[b] = 1;
			even = false;
		}
		if (even) return count;
	}
}

static ossa_status take_idle(
	ossai_still_work *work, const ossa_rig *rig, const ossai_tree *tree, const uint32_t *mirrored, idle_bones *idle)
{
	const size_t bones = rig->skeleton.bone_count;
	uint32_t *place = ossai_arena_new(work->arena, bones, sizeof *place);
	idle->stays = ossai_arena_zero(work->arena, bones, 1);
	idle->gone = ossai_arena_zero(work->arena, bones, 1);
	idle->children = ossai_arena_new(work->arena, bones, sizeof *idle->children);
	idle->image = ossai_arena_new(work->arena, bones, sizeof *idle->image);
	if (!place || !idle->stays || !idle->gone || !idle->children || !idle->image)
		return ossa_context_error(work->context)->status;
	OSSAI_TRY(ossai_find_moving_bones(work->arena, &work->surface, rig, &idle->moves));
	if (work->has_common_root) idle->moves[0] = 1;
	for (uint32_t i = 0; i < bones; i++) place[tree->order[i]] = i;
	for (uint32_t i = 0; i < bones; i++) {
		const uint32_t image = mirrored ? mirrored[tree->order[i]] : OSSA_NONE;
		idle->image[i] = image == OSSA_NONE ? i : place[image];
	}
	return OSSA_OK;
}

ossa_status ossai_still_drop_idle(
	ossai_still_work *work, const ossai_tree *tree, const uint32_t *mirrored, uint32_t *order, ossa_rig **rig)
{
	const size_t bones = (*rig)->skeleton.bone_count;
	idle_bones idle;
	OSSAI_TRY(take_idle(work, *rig, tree, mirrored, &idle));
	const size_t count = find_gone(&(*rig)->skeleton, &idle);
	for (size_t b = 0, kept = 0; order && b < bones; b++) {
		if (!idle.gone[b]) order[kept++] = tree->order[b];
	}
	if (count == 0) return OSSA_OK;
	ossa_rig *fewer;
	OSSAI_TRY(ossai_rig_without(work->context, *rig, idle.gone, &fewer));
	ossa_rig_free(work->context, *rig);
	*rig = fewer;
	ossai_warn(work->context, "fewer-bones", (int64_t)count,
		"%zu of %zu bones would move no vertex and %s left out: the mesh is coarser than its shape is intricate; a number of "
		"bones keeps %s",
		count, bones, count == 1 ? "was" : "were", count == 1 ? "it" : "them");
	return ossa_rig_name_bones(work->context, *rig, OSSA_NAMES_BODY);
}

ossa_status ossai_still_tell_bones(const ossai_still_work *work, const ossa_rig *rig)
{
	OSSAI_TRY(ossai_tell_idle_bones(work->arena, &work->surface, work->has_common_root, rig));
	return ossai_tell_outside_joints(work->arena, work->has_common_root, work->is_flat, rig);
}

/* ---- shapes without limbs ---- */

/* whether a closed surface of one piece has handles: its Euler characteristic is below a ball's 2 */
static bool has_handles(const ossai_proxy *proxy)
{
	if (proxy->kind != OSSA_PROXY_SURFACE || !proxy->is_closed || proxy->link_count > 0) return false;
	return proxy->vertex_count < proxy->face_count / 2 + 2;
}

/* whether the whole mesh is one */
static ossa_status is_flat_sheet(const ossai_still_work *work, bool *is)
{
	const ossai_posed_surface *s = &work->surface;
	uint32_t *faces = ossai_arena_new(work->arena, s->face_count, sizeof *faces);
	if (!faces) return ossa_context_error(work->context)->status;
	for (uint32_t f = 0; f < s->face_count; f++) faces[f] = f;
	return ossai_is_sheet(work->arena, s, s->face_count, faces, is);
}

ossa_status ossai_still_bone_count(const ossai_still_work *work, const ossai_proxy *proxy, const ossai_tips *tips,
	const ossai_curve *curve, size_t wanted, size_t *count)
{
	bool is_flat = false;
	*count = wanted;
	if (wanted > 0 || curve->cut_count > 0 || has_handles(proxy)) return OSSA_OK;
	if (ossai_tips_are_limbs(tips)) {
		OSSAI_TRY(is_flat_sheet(work, &is_flat));
		if (!is_flat) return OSSA_OK;
	}
	*count = 1;
	ossai_warn(work->context, "no-limbs", 0,
		"the shape has no limbs: nothing on it is long for its girth; it gets one bone; `bones N` asks for more");
	return OSSA_OK;
}

/* ---- loops ---- */

void ossai_still_warn_of_cuts(const ossai_still_work *work, const ossai_curve *curve)
{
	if (curve->cut_count == 0) return;
	const ossai_posed_surface *s = &work->surface;
	const ossai_vec3 at = ossai_madd(s->rest_center, s->scale, curve->cuts[0].center);
	ossai_warn(work->context, "loop-cut", (int64_t)curve->cut_count,
		"the shape has loops that were cut to make a tree of bones, the first near (%.4g, %.4g, %.4g)", at.x, at.y, at.z);
}

ossa_status ossai_still_keep_cuts(const ossai_still_work *work, const ossai_curve *curve, const ossai_tree *tree,
	uint32_t first, const ossai_cut_sides *sides, ossa_rig *rig)
{
	const ossai_posed_surface *s = &work->surface;
	if (curve->cut_count == 0) return OSSA_OK;
	int32_t *place = ossai_arena_new(work->arena, tree->bone_count, sizeof *place);
	ossa_loop *loops = place ? ossai_new(work->context, rig->loop_count + curve->cut_count, sizeof *loops) : NULL;
	if (!loops) return ossa_context_error(work->context)->status;
	/* the rig has the bones in the tree's order */
	for (size_t b = 0; b < tree->bone_count; b++) place[tree->order[b]] = (int32_t)b;
	if (rig->loop_count > 0) memcpy(loops, rig->loops, rig->loop_count * sizeof *loops);
	ossa_free(work->context, rig->loops);
	rig->loops = loops;
	for (size_t i = 0; i < curve->cut_count; i++) {
		ossa_loop *loop = &loops[rig->loop_count++];
		ossai_v3_store(ossai_madd(s->rest_center, s->scale, curve->cuts[i].center), loop->center);
		for (int side = 0; side < 2; side++) loop->bones[side] = place[first + sides[i].bones[side]];
	}
	return OSSA_OK;
}
