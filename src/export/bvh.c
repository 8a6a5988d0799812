/* export/bvh.c: Biovision hierarchies (.bvh): a skeleton and its motion as text.

   Place in the path: a writer of the registry.
   Input: a checked rig.
   Output: a .bvh.

   BVH has no rest orientation: at rest every joint's frame is the world's, so that a joint turns
   by
       G_b = W_b(frame) W_b(rest)^-1   against the world and by   G_parent^-1 G_b   against its
       parent,
   written as degrees in the order Z X Y (the product Rz Rx Ry), or in another one where a joint
   would come near gimbal lock, near those of the frame before. OFFSETs are the rest pose's.
   Position channels stand in place of the OFFSET, as Blender, Maya and MotionBuilder read them;
   some programs add the two, so the root's OFFSET is 0, and only free bones have positions besides
   the root. One frame time holds for all frames (even_clip.c). */
#include "export/even_clip.h"
#include "export/export.h"
#include "export/print.h"
#include "base/file.h"
#include "math/euler.h"

#include <string.h>

typedef struct bvh_writer {
	ossa_context *context;
	ossai_arena arena;
	const ossa_rig *rig;
	const ossa_clip *clip; /* NULL: one frame at rest */
	double step;           /* seconds */
	/* bones in the order of the file: each followed by its descendants */
	uint32_t *order;
	uint32_t *depth;     /* how deep in the tree, by bone */
	int digits;          /* of lengths after the decimal point */
	double *matrices;    /* of the frame being written: count x 12 */
	ossai_rigid *world;  /* the same */
	double (*angles)[3]; /* of the last frame */
	int *euler;          /* orders of the turns by bone: numbers in ossai_euler_orders */
	bool in_line;        /* numbers are before this one on the line */
	ossai_printer printer;
} bvh_writer;

/* ---- order ---- */

/* depth first, children in their own order, without recursion */
static ossa_status find_order(bvh_writer *w)
{
	const ossa_skeleton *skeleton = &w->rig->skeleton;
	const size_t count = skeleton->bone_count;
	uint32_t *child = ossai_arena_new(&w->arena, count, sizeof *child),
			 *sibling = ossai_arena_new(&w->arena, count, sizeof *sibling);
	w->order = ossai_arena_new(&w->arena, count, sizeof *w->order);
	w->depth = ossai_arena_zero(&w->arena, count, sizeof *w->depth);
	if (!child || !sibling || !w->order || !w->depth) return ossa_context_error(w->context)->status;
	memset(child, 0xff, count * sizeof *child);
	memset(sibling, 0xff, count * sizeof *sibling);
	for (size_t b = count; b-- > 1;) {
		const size_t parent = (size_t)skeleton->bones[b].parent;
		sibling[b] = child[parent];
		child[parent] = (uint32_t)b;
	}
	uint32_t at = 0;
	for (size_t n = 0; n < count; n++) {
		w->order[n] = at;
		if (at > 0) w->depth[at] = w->depth[skeleton->bones[at].parent] + 1;
		if (child[at] != OSSA_NONE) {
			at = child[at];
			continue;
		}
		while (at > 0 && sibling[at] == OSSA_NONE) at = (uint32_t)skeleton->bones[at].parent;
		at = at > 0 ? sibling[at] : 0;
	}
	return OSSA_OK;
}

/* enough digits for a hundred-millionth of the skeleton's size at the end of a long chain */
static int digits_for(const ossa_rig *rig)
{
	double size = 0;
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		for (int k = 0; k < 3; k++) {
			size = fmax(size, fabs(bone->joint[k] - rig->skeleton.bones[0].joint[k]));
			size = fmax(size, fabs(bone->tail[k] - rig->skeleton.bones[0].joint[k]));
		}
	}
	const double digits = size > 0 ? ceil(10 - log10(size)) : 10;
	return digits < 3 ? 3 : digits > 20 ? 20 : (int)digits;
}

/* ---- turns ---- */

/* the turn of a bone against the rest pose, in world axes */
static ossai_mat3 turn_of(const bvh_writer *w, size_t bone)
{
	const ossai_mat3 rest = ossai_quat_matrix(ossai_quat_of(w->rig->skeleton.bones[bone].orientation));
	const ossai_mat3 back = ossai_mat3_transpose(&rest);
	return ossai_mat3_mul(&w->world[bone].r, &back);
}

/* the same against its parent's */
static ossai_mat3 local_turn(const bvh_writer *w, size_t bone)
{
	const int32_t parent = w->rig->skeleton.bones[bone].parent;
	const ossai_mat3 turn = turn_of(w, bone);
	if (parent < 0) return turn;
	const ossai_mat3 above = turn_of(w, (size_t)parent), back = ossai_mat3_transpose(&above);
	return ossai_mat3_mul(&back, &turn);
}

static void pose_bones(bvh_writer *w, size_t frame)
{
	ossa_rig_joint_matrices(w->rig, w->clip, frame, w->matrices);
	for (size_t b = 0; b < w->rig->skeleton.bone_count; b++) w->world[b] = ossai_rigid_of(w->matrices + 12 * b);
}

/* the usual order where it serves, by all frames */
static ossa_status find_euler_orders(bvh_writer *w)
{
	const size_t count = w->rig->skeleton.bone_count;
	ossai_euler_locks *locks = ossai_arena_zero(&w->arena, count, sizeof *locks);
	w->matrices = ossai_arena_new(&w->arena, count, 12 * sizeof *w->matrices);
	w->world = ossai_arena_new(&w->arena, count, sizeof *w->world);
	w->angles = ossai_arena_zero(&w->arena, count, sizeof *w->angles);
	w->euler = ossai_arena_new(&w->arena, count, sizeof *w->euler);
	if (!locks || !w->matrices || !w->world || !w->angles || !w->euler) return ossa_context_error(w->context)->status;
	for (size_t f = 0; w->clip && f < w->clip->frame_count; f++) {
		pose_bones(w, f);
		for (size_t b = 0; b < count; b++) {
			const ossai_mat3 turn = local_turn(w, b);
			ossai_euler_watch(&locks[b], ossai_mat3_quat(&turn));
		}
	}
	for (size_t b = 0; b < count; b++) w->euler[b] = ossai_euler_choose(&locks[b], OSSAI_EULER_YXZ);
	return OSSA_OK;
}

/* ---- hierarchy ---- */

/* tabs; their number is bounded for chains of thousands of bones */
static void print_indent(bvh_writer *w, size_t depth)
{
	for (size_t i = 0; i < depth && i < 64; i++) ossai_print_char(&w->printer, '\t');
}

static void print_offset(bvh_writer *w, size_t depth, ossai_vec3 offset)
{
	const double values[3] = {offset.x, offset.y, offset.z};
	print_indent(w, depth);
	ossai_print_text(&w->printer, "OFFSET");
	for (int k = 0; k < 3; k++) {
		ossai_print_char(&w->printer, ' ');
		ossai_print_fixed(&w->printer, values[k], w->digits);
	}
	ossai_print_char(&w->printer, '\n');
}

static bool has_positions(const bvh_writer *w, size_t bone) { return bone == 0 || (w->clip && w->clip->translations); }

static void print_joint(bvh_writer *w, size_t bone)
{
	const ossa_bone *bones = w->rig->skeleton.bones;
	const size_t depth = w->depth[bone];
	const ossai_vec3 joint = ossai_v3_of(bones[bone].joint);
	print_indent(w, depth);
	ossai_print_format(&w->printer, "%s %s\n", bone == 0 ? "ROOT" : "JOINT", bones[bone].name);
	print_indent(w, depth);
	ossai_print_text(&w->printer, "{\n");
	print_offset(w, depth + 1, bone == 0 ? ossai_v3(0, 0, 0) : ossai_sub(joint, ossai_v3_of(bones[bones[bone].parent].joint)));
	print_indent(w, depth + 1);
	ossai_print_text(&w->printer, has_positions(w, bone) ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3");
	for (int n = 0; n < 3; n++) {
		ossai_print_format(&w->printer, " %crotation", "XYZ"[ossai_euler_orders[w->euler[bone]].axis[n]]);
	}
	ossai_print_char(&w->printer, '\n');
}

static void print_end(bvh_writer *w, size_t bone)
{
	const ossa_bone *leaf = &w->rig->skeleton.bones[bone];
	const size_t depth = w->depth[bone] + 1;
	print_indent(w, depth);
	ossai_print_text(&w->printer, "End Site\n");
	print_indent(w, depth);
	ossai_print_text(&w->printer, "{\n");
	print_offset(w, depth + 1, ossai_sub(ossai_v3_of(leaf->tail), ossai_v3_of(leaf->joint)));
	print_indent(w, depth);
	ossai_print_text(&w->printer, "}\n");
}

static void print_hierarchy(bvh_writer *w)
{
	const size_t count = w->rig->skeleton.bone_count;
	ossai_print_text(&w->printer, "HIERARCHY\n");
	for (size_t n = 0; n < count; n++) {
		const size_t bone = w->order[n], depth = w->depth[bone];
		const size_t next = n + 1 < count ? w->depth[w->order[n + 1]] : 0;
		print_joint(w, bone);
		if (next > depth) continue;
		print_end(w, bone);
		/* closes the bone and every ancestor that has no more children */
		for (size_t open = depth + 1; open-- > next;) {
			print_indent(w, open);
			ossai_print_text(&w->printer, "}\n");
		}
	}
}

/* ---- motion ---- */

static void print_numbers(bvh_writer *w, const double *values, const int *which, int digits)
{
	for (int k = 0; k < 3; k++) {
		if (w->in_line) ossai_print_char(&w->printer, ' ');
		ossai_print_fixed(&w->printer, values[which[k]], digits);
		w->in_line = true;
	}
}

static void print_channels(bvh_writer *w, size_t bone)
{
	static const int xyz[3] = {0, 1, 2};
	const ossai_euler_order order = ossai_euler_orders[w->euler[bone]];
	const int32_t parent = w->rig->skeleton.bones[bone].parent;
	const ossai_mat3 turn = local_turn(w, bone);
	ossai_vec3 position = w->world[bone].t;
	if (parent >= 0) {
		const ossai_mat3 above = turn_of(w, (size_t)parent);
		position = ossai_mat3_tmul_v(&above, ossai_sub(position, w->world[parent].t));
	}
	if (has_positions(w, bone)) {
		const double values[3] = {position.x, position.y, position.z};
		print_numbers(w, values, xyz, w->digits);
	}
	double near[3];
	memcpy(near, w->angles[bone], sizeof near);
	ossai_euler_near(ossai_mat3_quat(&turn), order, near, w->angles[bone]);
	print_numbers(w, w->angles[bone], order.axis, 7);
}

static void print_motion(bvh_writer *w)
{
	const size_t count = w->rig->skeleton.bone_count, frames = w->clip ? w->clip->frame_count : 1;
	ossai_print_text(&w->printer, "MOTION\nFrames: ");
	ossai_print_unsigned(&w->printer, frames);
	ossai_print_text(&w->printer, "\nFrame Time: ");
	ossai_print_fixed(&w->printer, w->step, 12);
	ossai_print_char(&w->printer, '\n');
	for (size_t f = 0; f < frames; f++) {
		pose_bones(w, f);
		w->in_line = false;
		for (size_t n = 0; n < count; n++) print_channels(w, w->order[n]);
		ossai_print_char(&w->printer, '\n');
	}
}

static ossa_status write_file(bvh_writer *w, const char *path)
{
	ossai_output output;
	OSSAI_TRY(find_order(w));
	OSSAI_TRY(find_euler_orders(w));
	w->digits = digits_for(w->rig);
	OSSAI_TRY(ossai_output_begin(w->context, path, &output));
	ossai_print_begin(&w->printer, output.stream);
	print_hierarchy(w);
	print_motion(w);
	ossai_print_end(&w->printer);
	return ossai_output_commit(&output);
}

ossa_status ossai_bvh_write_rig(ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	(void)options;
	ossai_even_clip even = {.step = 1.0 / 24};
	bvh_writer w = {.context = context, .arena = ossai_arena_begin(context), .rig = rig};
	ossa_status status = OSSA_OK;
	if (rig->clip && rig->clip->frame_count > 0) status = ossai_even_clip_make(context, rig->clip, &even);
	w.clip = even.clip;
	w.step = even.step;
	if (status == OSSA_OK) status = write_file(&w, path);
	ossai_even_clip_end(context, &even);
	ossai_arena_end(&w.arena);
	return status;
}
