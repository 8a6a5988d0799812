/* tests/support/walker.c: see walker.h. */
#include "support/walker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct walker_bone {
	const char *name, *parent;
	ossai_vec3 joint;
} walker_bone;

static const walker_bone bones[] = {
	{"root", NULL, {0, 0, 0}},
	{"hips", "root", {0, 1, 0}},
	{"spine", "hips", {0, 1.2, 0}},
	{"head", "spine", {0, 1.6, 0}},
	{"thigh_L", "hips", {0.1, 1, 0}},
	{"calf_L", "thigh_L", {0.1, 0.5, 0}},
	{"foot_L", "calf_L", {0.1, 0, 0}},
	{"thigh_R", "hips", {-0.1, 1, 0}},
	{"calf_R", "thigh_R", {-0.1, 0.5, 0}},
	{"foot_R", "calf_R", {-0.1, 0, 0}},
};
enum { BONE_COUNT = sizeof bones / sizeof bones[0] };

static void fill_bones(ossa_rig *rig, size_t skipped)
{
	for (size_t b = skipped; b < BONE_COUNT; b++) {
		ossa_bone *bone = &rig->skeleton.bones[b - skipped];
		strcpy(bone->name, bones[b].name);
		bone->parent = bones[b].parent ? ossa_rig_bone(rig, bones[b].parent) : -1;
		bone->kind = bone->parent < 0 ? OSSA_JOINT_ROOT : OSSA_JOINT_BALL;
		ossai_v3_store(bones[b].joint, bone->joint);
		ossai_v3_store(ossai_add(bones[b].joint, ossai_v3(0, 0.1, 0)), bone->tail);
		bone->orientation[3] = 1;
	}
}

/* the hips over the ground and about the vertical */
static void move_hips(const test_walk *walk, double share, ossa_clip *clip, size_t frame, size_t hips)
{
	const double phase = 4 * OSSAI_PI * share;
	const double turn = (walk->turn * share + walk->sway_turn * sin(phase)) * OSSAI_PI / 180;
	const ossai_vec3 place = ossai_v3(walk->sway * sin(phase), 0.02 * cos(2 * phase), walk->ahead * share);
	const ossai_vec3 rest = bones[1].joint;
	ossai_quat_store(ossai_quat_axis_angle(ossai_v3(0, 1, 0), turn), clip->rotations + 4 * (frame * clip->bone_count + hips));
	if (hips == 0) ossai_v3_store(ossai_add(rest, place), clip->root_positions + 3 * frame);
	if (clip->translations) ossai_v3_store(ossai_add(rest, place), clip->translations + 3 * (frame * clip->bone_count + hips));
}

ossa_rig *test_walker(ossa_context *context, const test_walk *walk)
{
	const size_t skipped = walk->has_root ? 0 : 1, frames = walk->frames ? walk->frames : 61, count = BONE_COUNT - skipped;
	ossa_mesh *mesh;
	ossa_rig *rig;
	assert_ok(context, ossa_mesh_create(context, 0, NULL, 0, NULL, &mesh));
	assert_ok(context, ossa_rig_create(context, mesh, count, 1, &rig));
	ossa_mesh_free(context, mesh);
	fill_bones(rig, skipped);
	assert_ok(context, ossa_clip_create(context, frames, count, walk->has_root, &rig->clip));
	strcpy(rig->clip->name, "walk");
	for (size_t f = 0; f < frames; f++) {
		const double share = frames > 1 ? (double)f / (double)(frames - 1) : 0;
		rig->clip->times[f] = 0.5 + share;
		for (size_t b = 0; b < count; b++) {
			const double turn = 0.5 * sin(4 * OSSAI_PI * share + (double)b) + walk->drift * share * OSSAI_PI / 180;
			const bool stays = strcmp(rig->skeleton.bones[b].name, "root") == 0;
			double *to = rig->clip->rotations + 4 * (f * count + b);
			ossai_quat_store(ossai_quat_axis_angle(ossai_v3(1, 0, 0), stays ? 0 : turn), to);
			if (walk->has_root && b > 0) {
				const ossai_vec3 up = ossai_v3_of(rig->skeleton.bones[rig->skeleton.bones[b].parent].joint);
				ossai_v3_store(
					ossai_sub(ossai_v3_of(rig->skeleton.bones[b].joint), up), rig->clip->translations + 3 * (f * count + b));
			}
		}
		move_hips(walk, share, rig->clip, f, 1 - skipped);
	}
	assert_ok(context, ossa_rig_validate(context, rig));
	return rig;
}

ossai_rigid test_joint_at(const ossa_rig *rig, const ossa_clip *clip, const char *bone, size_t frame)
{
	double *worlds = malloc(rig->skeleton.bone_count * 12 * sizeof *worlds);
	const int32_t index = ossa_rig_bone(rig, bone);
	assert_true(worlds && index >= 0);
	ossa_rig_joint_matrices(rig, clip, frame, worlds);
	const ossai_rigid world = ossai_rigid_of(worlds + 12 * (size_t)index);
	free(worlds);
	return world;
}
