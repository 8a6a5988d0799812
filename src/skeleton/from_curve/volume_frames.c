/* skeleton/from_curve/volume_frames.c: see volume_frames.h. */
#include "skeleton/from_curve/volume_frames.h"

#include <ossa/mesh.h>

/* sine of the angle below which two directions define no plane: 3 degrees, the effect of voxel
   corners on a straight limb */
static const double parallel = 0.05;

typedef struct framer {
	const ossai_tree *tree;
	const ossai_vec3 *joint, *tail;
	ossai_vec3 *along; /* B: z */
	ossai_vec3 *above; /* B: the direction nearest above that is not parallel to z; 0: none */
	ossai_vec3 *below; /* B: the same below */
} framer;

static bool is_zero(ossai_vec3 a) { return !(ossai_length2(a) > 0); }

static bool span_plane(ossai_vec3 a, ossai_vec3 b) { return ossai_length(ossai_cross(a, b)) > parallel; }

static ossai_vec3 direction(ossai_vec3 from, ossai_vec3 to, ossai_vec3 fallback)
{
	return ossai_unit(ossai_sub(to, from), fallback);
}

/* the direction to bone b from its parent's joint, which may be within the parent's segment */
static ossai_vec3 before(const framer *f, uint32_t b)
{
	const uint32_t parent = f->tree->parent[b];
	return direction(f->joint[parent], f->joint[b], f->along[parent]);
}

static void look_up(framer *f)
{
	for (size_t i = 0; i < f->tree->bone_count; i++) {
		const uint32_t b = f->tree->order[i], parent = f->tree->parent[b];
		const ossai_vec3 up = parent == OSSA_NONE ? ossai_v3(0, 1, 0) : f->along[parent];
		f->along[b] = direction(f->joint[b], f->tail[b], up);
		f->above[b] = ossai_v3(0, 0, 0);
		if (parent == OSSA_NONE) continue;
		const ossai_vec3 incoming = before(f, b), further = f->above[parent];
		if (span_plane(incoming, f->along[b])) f->above[b] = incoming;
		else if (span_plane(further, f->along[b])) f->above[b] = further;
	}
}

static void look_down(framer *f)
{
	for (size_t i = 0; i < f->tree->bone_count; i++) f->below[i] = ossai_v3(0, 0, 0);
	for (size_t i = f->tree->bone_count; i-- > 1;) {
		const uint32_t b = f->tree->order[i], parent = f->tree->parent[b];
		if (span_plane(f->along[parent], f->along[b])) f->below[parent] = f->along[b];
		else if (is_zero(f->below[parent]) && span_plane(f->along[parent], f->below[b])) f->below[parent] = f->below[b];
	}
}

/* the world's axis that is least along z */
static ossai_vec3 least_axis(ossai_vec3 z)
{
	const double x = fabs(z.x), y = fabs(z.y), w = fabs(z.z);
	if (x <= y && x <= w) return ossai_v3(1, 0, 0);
	return y <= w ? ossai_v3(0, 1, 0) : ossai_v3(0, 0, 1);
}

static ossai_mat3 frame_of(const framer *f, uint32_t b)
{
	const ossai_vec3 z = f->along[b];
	ossai_vec3 across;
	if (!is_zero(f->above[b])) across = ossai_cross(f->above[b], z);
	else if (!is_zero(f->below[b])) across = ossai_cross(z, f->below[b]);
	else across = ossai_cross(least_axis(z), z);
	const ossai_vec3 x = ossai_unit(across, ossai_v3(1, 0, 0)), y = ossai_cross(z, x);
	return (ossai_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

ossa_status ossai_volume_frames_make(
	ossai_arena *arena, const ossai_tree *tree, const ossai_vec3 *joint, const ossai_vec3 *tail, ossai_mat3 *frame)
{
	ossai_arena scratch = ossai_arena_begin(arena->context);
	framer f = {.tree = tree, .joint = joint, .tail = tail};
	f.along = ossai_arena_new(&scratch, tree->bone_count, sizeof *f.along);
	f.above = ossai_arena_new(&scratch, tree->bone_count, sizeof *f.above);
	f.below = ossai_arena_new(&scratch, tree->bone_count, sizeof *f.below);
	const bool all = f.along && f.above && f.below;
	if (all) {
		look_up(&f);
		look_down(&f);
		for (uint32_t b = 0; b < tree->bone_count; b++) frame[b] = frame_of(&f, b);
	}
	ossai_arena_end(&scratch);
	return all ? OSSA_OK : ossa_context_error(arena->context)->status;
}
