/* export/usd/usd_skeleton.c: joints and their motion in a USD file.

   Place in the path: inside the USD writer.
   Input: a rig.
   Output: a Skeleton prim with the rest pose twice, as worlds (bindTransforms) and against the
   parents (restTransforms), and for each clip a SkelAnimation with a sample of all joints for each
   frame, of which the first is bound.
   Source: OpenUSD, UsdSkel schemas. A joint is named by its path ("hips/spine"); matrices are for
   row vectors: the translation is the last row. */
#include "export/usd/usd.h"
#include "scene/mesh.h"

#include <string.h>

/* bytes: a chain of thousands of bones repeats its names in every path */
static const size_t LONGEST_PATHS = (size_t)1 << 28;

/* ---- joints ---- */

static ossai_rigid rest_of(const ossa_bone *bone, const double *position)
{
	return (ossai_rigid){ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation))), ossai_v3_of(position)};
}

static ossa_status name_joints(ossai_usd *usd)
{
	ossai_usd_name *names = ossai_arena_new(&usd->arena, usd->joint_count, sizeof *names);
	if (!names) return ossa_context_error(usd->context)->status;
	for (size_t j = 0; j < usd->joint_count; j++) names[j] = usd->joints[j].name;
	OSSAI_TRY(ossai_usd_make_names(usd->context, usd->joint_count, names));
	for (size_t j = 0; j < usd->joint_count; j++) usd->joints[j].name = names[j];
	return OSSA_OK;
}

/* bones without children get an end at their tail */
static ossa_status add_ends(ossai_usd *usd, const ossa_skeleton *skeleton)
{
	bool *is_parent = ossai_arena_zero(&usd->arena, skeleton->bone_count, sizeof *is_parent);
	if (!is_parent) return ossa_context_error(usd->context)->status;
	for (size_t b = 1; b < skeleton->bone_count; b++) is_parent[skeleton->bones[b].parent] = true;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		if (is_parent[b]) continue;
		ossai_usd_joint *end = &usd->joints[usd->joint_count++];
		*end = (ossai_usd_joint){.parent = (uint32_t)b, .bind = rest_of(bone, bone->tail)};
		ossai_usd_set_name(&end->name, bone->name);
		strcat(end->name.text, "_end");
	}
	return OSSA_OK;
}

ossa_status ossai_usd_make_joints(ossai_usd *usd, const ossa_skeleton *skeleton)
{
	const size_t count = skeleton->bone_count;
	usd->joints = ossai_arena_new(&usd->arena, 2 * count, sizeof *usd->joints);
	if (!usd->joints) return ossa_context_error(usd->context)->status;
	for (size_t b = 0; b < count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		const uint32_t parent = bone->parent < 0 ? OSSA_NONE : (uint32_t)bone->parent;
		usd->joints[b] = (ossai_usd_joint){.parent = parent, .bind = rest_of(bone, bone->joint)};
		ossai_usd_set_name(&usd->joints[b].name, bone->name);
	}
	usd->joint_count = count;
	if (usd->options->leaf_bones) OSSAI_TRY(add_ends(usd, skeleton));
	return name_joints(usd);
}

/* the root's name first */
static ossa_status put_joint_paths(ossai_usd *usd)
{
	size_t *length = ossai_arena_new(&usd->arena, usd->joint_count, sizeof *length), total = 0;
	uint32_t *above = ossai_arena_new(&usd->arena, usd->joint_count, sizeof *above);
	if (!length || !above) return ossa_context_error(usd->context)->status;
	for (size_t j = 0; j < usd->joint_count; j++) {
		const uint32_t parent = usd->joints[j].parent;
		length[j] = strlen(usd->joints[j].name.text) + 1 + (parent != OSSA_NONE ? length[parent] : 0);
		total += length[j];
		if (total <= LONGEST_PATHS) continue;
		return ossai_fail(usd->context, OSSA_ERROR_LIMIT, NULL,
			"the chains of bones are too long for USD, which names each joint by all those above it");
	}
	ossai_usd_open_list(usd, "uniform token[] joints");
	for (uint32_t j = 0; j < usd->joint_count; j++) {
		size_t count = 0;
		for (uint32_t at = j; at != OSSA_NONE; at = usd->joints[at].parent) above[count++] = at;
		ossai_usd_item(usd);
		char lead = '"';
		while (count > 0) {
			ossai_print_char(&usd->printer, lead);
			ossai_print_text(&usd->printer, usd->joints[above[--count]].name.text);
			lead = '/';
		}
		ossai_print_char(&usd->printer, '"');
	}
	ossai_usd_close_list(usd, NULL);
	return OSSA_OK;
}

/* ---- rest pose ---- */

static ossai_rigid local_of(const ossai_usd *usd, size_t joint)
{
	const ossai_usd_joint *own = &usd->joints[joint];
	if (own->parent == OSSA_NONE) return own->bind;
	const ossai_rigid back = ossai_rigid_inverse(&usd->joints[own->parent].bind);
	return ossai_rigid_mul(&back, &own->bind);
}

/* ( (r00, r10, r20, 0), ..., (tx, ty, tz, 1) ): the rows of the transpose */
static void put_matrix(ossai_usd *usd, const ossai_rigid *map)
{
	const double position[3] = {map->t.x, map->t.y, map->t.z};
	ossai_usd_item(usd);
	for (int row = 0; row < 4; row++) {
		ossai_print_text(&usd->printer, row == 0 ? "((" : ", (");
		for (int column = 0; column < 3; column++) {
			ossai_print_double(&usd->printer, row < 3 ? map->r.m[column][row] : position[column]);
			ossai_print_text(&usd->printer, ", ");
		}
		ossai_print_text(&usd->printer, row < 3 ? "0)" : "1))");
	}
}

static void put_rest(ossai_usd *usd)
{
	ossai_usd_open_list(usd, "uniform matrix4d[] bindTransforms");
	for (size_t j = 0; j < usd->joint_count; j++) put_matrix(usd, &usd->joints[j].bind);
	ossai_usd_close_list(usd, NULL);
	ossai_usd_open_list(usd, "uniform matrix4d[] restTransforms");
	for (size_t j = 0; j < usd->joint_count; j++) {
		const ossai_rigid local = local_of(usd, j);
		put_matrix(usd, &local);
	}
	ossai_usd_close_list(usd, NULL);
}

/* ---- motion ---- */

/* (w, x, y, z) */
static void put_turn(ossai_usd *usd, ossai_quat q)
{
	const float values[4] = {(float)q.w, (float)q.x, (float)q.y, (float)q.z};
	ossai_usd_floats(usd, values, 4);
}

static void put_rotations(ossai_usd *usd, const ossa_clip *clip)
{
	ossai_usd_open_samples(usd, "quatf[] rotations");
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossai_usd_begin_sample(usd, clip->times[f]);
		for (size_t b = 0; b < clip->bone_count; b++) {
			put_turn(usd, ossai_quat_unit(ossai_quat_of(clip->rotations + (f * clip->bone_count + b) * 4)));
		}
		/* ends are turned as their bones */
		for (size_t j = clip->bone_count; j < usd->joint_count; j++) put_turn(usd, ossai_quat_identity());
		ossai_usd_end_sample(usd);
	}
	ossai_usd_close(usd);
}

static void put_translations(ossai_usd *usd, const ossa_clip *clip)
{
	ossai_usd_open_samples(usd, "float3[] translations");
	for (size_t f = 0; f < clip->frame_count; f++) {
		ossai_usd_begin_sample(usd, clip->times[f]);
		for (size_t j = 0; j < usd->joint_count; j++) {
			ossai_vec3 t = local_of(usd, j).t;
			if (j == 0) t = ossai_v3_of(clip->root_positions + 3 * f);
			else if (clip->translations && j < clip->bone_count)
				t = ossai_v3_of(clip->translations + 3 * (f * clip->bone_count + j));
			const float values[3] = {(float)t.x, (float)t.y, (float)t.z};
			ossai_usd_floats(usd, values, 3);
		}
		ossai_usd_end_sample(usd);
	}
	ossai_usd_close(usd);
}

static ossa_status put_animation(
	ossai_usd *usd, const ossa_rig *rig, const ossa_mesh *mesh, const ossa_clip *clip, const char *name)
{
	ossai_usd_open_prim(usd, "SkelAnimation", name, NULL);
	OSSAI_TRY(put_joint_paths(usd));
	put_rotations(usd, clip);
	/* a SkelAnimation is valid with all three of its parts only */
	ossai_usd_open_list(usd, "half3[] scales");
	for (size_t j = 0; j < usd->joint_count; j++) {
		ossai_usd_item(usd);
		ossai_print_text(&usd->printer, "(1, 1, 1)");
	}
	ossai_usd_close_list(usd, NULL);
	put_translations(usd, clip);
	ossai_usd_put_weights(usd, rig, mesh, clip);
	ossai_usd_close(usd);
	return OSSA_OK;
}

/* prims beside the one that is bound: programs play another where the skeleton's animationSource
   names it */
static ossa_status put_others(ossai_usd *usd, const ossa_rig *rig, const ossa_mesh *mesh)
{
	const size_t count = rig->other_clip_count;
	ossai_usd_name *names = ossai_arena_new(&usd->arena, count + 1, sizeof *names);
	if (!names) return ossa_context_error(usd->context)->status;
	ossai_usd_set_name(&names[0], "Animation");
	for (size_t i = 0; i < count; i++) {
		const ossa_clip *clip = rig->other_clips[i];
		ossai_usd_set_name(&names[i + 1], clip->name[0] ? clip->name : "motion");
	}
	OSSAI_TRY(ossai_usd_make_names(usd->context, count + 1, names));
	for (size_t i = 0; i < count; i++) {
		if (rig->other_clips[i]->frame_count > 0)
			OSSAI_TRY(put_animation(usd, rig, mesh, rig->other_clips[i], names[i + 1].text));
	}
	return OSSA_OK;
}

ossa_status ossai_usd_put_skeleton(ossai_usd *usd, const ossa_rig *rig, const ossa_mesh *mesh)
{
	const bool moves = rig->clip && rig->clip->frame_count > 0;
	ossai_usd_open_prim(usd, "Skeleton", "Skeleton", "\"SkelBindingAPI\"");
	OSSAI_TRY(put_joint_paths(usd));
	put_rest(usd);
	if (moves) {
		ossai_usd_line(usd, "rel skel:animationSource = </%s/Skeleton/Animation>", usd->root.text);
		OSSAI_TRY(put_animation(usd, rig, mesh, rig->clip, "Animation"));
		OSSAI_TRY(put_others(usd, rig, mesh));
	} else if (ossai_morphs_weigh(mesh)) {
		ossai_usd_put_rest_animation(usd, mesh);
	}
	ossai_usd_close(usd);
	return OSSA_OK;
}
