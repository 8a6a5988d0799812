/* export/urdf/urdf_links.c: bones as links and joints of a robot.

   Place in the path: inside the URDF writer.
   Input: bones with kinds and limits.
   Output: a tree of links, each attached by a joint of one axis at most.

   The base is the rig's space, and the root bone is fixed to it: how that moves is a matter of
   who places the robot. A bone's link has the bone's frame at rest, a hinge is one joint about
   its own axis, a joint that slides one along it, a universal joint two, and a joint about any
   axis three: about z, y and x of its frame, as limits have it (ossa/rig.h), with links between
   them that are nothing but frames. */
#include "export/urdf/urdf.h"

#include "export/joint_axes.h"
#include "scene/names.h"

#include <stdio.h>
#include <string.h>

/* degrees: the widest limit that ossa/rig.h allows; a joint that reaches it goes round */
static const double WIDEST = 360;
/* metres: no limit in practice */
static const double ANY_LENGTH = 1000;

ossai_rigid ossai_urdf_rest(const ossa_bone *bone)
{
	return (ossai_rigid){ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation))), ossai_v3_of(bone->joint)};
}

/* of bodies under a common root, and of a face */
static bool moves_freely(const ossa_bone *bone)
{
	return bone->parent >= 0 && (bone->kind == OSSA_JOINT_ROOT || bone->kind == OSSA_JOINT_FREE);
}

/* of its own joint */
static size_t axis_count(const ossa_bone *bone)
{
	if (bone->parent < 0 || moves_freely(bone) || bone->kind == OSSA_JOINT_WELDED) return 0;
	return ossai_joint_axis_count(bone);
}

static size_t base_of(const ossai_urdf *file) { return file->link_count - 1; }

/* ---- joints ---- */

/* a slide demands limits */
static void set_slide(const ossa_bone *bone, const ossai_joint_axis *axis, ossai_urdf_link *link)
{
	link->type = OSSAI_URDF_PRISMATIC;
	memcpy(link->axis, axis->direction, sizeof link->axis);
	for (int i = 0; i < 2; i++) link->limits[i] = bone->has_limits ? axis->limits[i] : i ? ANY_LENGTH : -ANY_LENGTH;
}

static void set_axis(const ossa_bone *bone, const ossai_joint_axis *axis, ossai_urdf_link *link)
{
	if (axis->slides) {
		set_slide(bone, axis, link);
		return;
	}
	const bool is_limited = bone->has_limits && axis->limits[0] > -WIDEST && axis->limits[1] < WIDEST;
	link->type = is_limited ? OSSAI_URDF_REVOLUTE : OSSAI_URDF_CONTINUOUS;
	memcpy(link->axis, axis->direction, sizeof link->axis);
	for (int i = 0; i < 2; i++) link->limits[i] = axis->limits[i] * OSSAI_PI / 180;
}

/* the bone's joint, its outer axes by the links from `between` on; answers the first that is
   left */
static size_t link_bone(ossai_urdf *file, size_t bone, size_t between)
{
	const ossa_bone *bones = file->rig->skeleton.bones, *own = &bones[bone];
	const ossai_rigid none = {ossai_mat3_identity(), {0, 0, 0}};
	const size_t count = axis_count(own);
	ossai_rigid origin = ossai_urdf_rest(own);
	uint32_t parent = (uint32_t)base_of(file);
	if (own->parent >= 0) {
		const ossai_rigid above = ossai_urdf_rest(&bones[own->parent]), back = ossai_rigid_inverse(&above);
		origin = ossai_rigid_mul(&back, &origin);
		parent = (uint32_t)own->parent;
	}
	ossai_joint_axis axes[3];
	if (count > 0) ossai_joint_axes(own, axes);
	for (size_t i = 0; i + 1 < count; i++) {
		file->links[between] = (ossai_urdf_link){.parent = parent, .origin = i == 0 ? origin : none};
		set_axis(own, &axes[i], &file->links[between]);
		parent = (uint32_t)between++;
	}
	ossai_urdf_link *last = &file->links[bone];
	*last = (ossai_urdf_link){.parent = parent, .origin = count > 1 ? none : origin};
	if (count > 0) set_axis(own, &axes[count - 1], last);
	else if (moves_freely(own)) last->type = OSSAI_URDF_FLOATING;
	return between;
}

/* ---- names ---- */

/* bones keep theirs; joints have those of bones, followed by the axis where there are several */
static ossa_status name_links(ossai_urdf *file)
{
	const ossa_skeleton *skeleton = &file->rig->skeleton;
	size_t between = skeleton->bone_count;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const char *name = skeleton->bones[b].name;
		const size_t count = axis_count(&skeleton->bones[b]);
		snprintf(file->names[b], sizeof *file->names, "%s", name);
		snprintf(file->joints[b], sizeof *file->joints, "%.60s%s", name, count > 1 ? ossai_axis_names[count - 1] : "");
		for (size_t i = 0; i + 1 < count; i++, between++) {
			snprintf(file->names[between], sizeof *file->names, "%.60s%s", name, ossai_axis_names[i]);
			snprintf(file->joints[between], sizeof *file->joints, "%.60s%s", name, ossai_axis_names[i]);
		}
	}
	snprintf(file->names[between], sizeof *file->names, "base_link");
	OSSAI_TRY(ossai_names_apart(file->context, file->link_count, file->names));
	return ossai_names_apart(file->context, file->link_count - 1, file->joints);
}

/* ---- the whole ---- */

ossa_status ossai_urdf_link_bones(ossai_urdf *file)
{
	const ossa_skeleton *skeleton = &file->rig->skeleton;
	int64_t split = 0;
	file->link_count = skeleton->bone_count + 1;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const size_t count = axis_count(&skeleton->bones[b]);
		file->link_count += count > 1 ? count - 1 : 0;
		split += count > 1;
	}
	file->links = ossai_arena_new(&file->arena, file->link_count, sizeof *file->links);
	file->names = ossai_arena_new(&file->arena, file->link_count, sizeof *file->names);
	file->joints = ossai_arena_new(&file->arena, file->link_count, sizeof *file->joints);
	if (!file->links || !file->names || !file->joints) return ossa_context_error(file->context)->status;
	file->links[base_of(file)] = (ossai_urdf_link){.parent = OSSA_NONE};
	size_t between = skeleton->bone_count;
	for (size_t b = 0; b < skeleton->bone_count; b++) between = link_bone(file, b, between);
	if (split > 0) {
		ossai_warn(file->context, "balls-split", split,
			"%s: URDF has no joints about several axes: they are hinges one after the other, of balls about z, y and x of the "
			"bone, with links without mass between them",
			file->path);
	}
	return name_links(file);
}
