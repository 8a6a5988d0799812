/* methods/moving_body.c: see moving_body.h; complete.c adds bones. */
#include "methods/moving_body.h"

#include "math/vec.h"
#include "mesh/bounds.h"
#include "rig/bone_names.h"
#include "rig/rebuild.h"

#include <string.h>

/* ---- the root ---- */

/* of the diagonal: what rounding moves a joint off the plane by */
static const double ON_PLANE = 1e-6;

static double off_plane(const ossai_mirror *plane, const double *point)
{
	return ossai_dot(plane->normal, ossai_v3_of(point)) - plane->offset;
}

/* the root of a symmetric rig is a central bone */
static bool may_be_root(const ossai_mirror *plane, const ossa_rig *rig, uint32_t bone)
{
	const double near = ON_PLANE * ossai_bounds_make(rig->mesh->vertex_count, rig->mesh->positions).diagonal;
	return !plane->exists || fabs(off_plane(plane, rig->skeleton.bones[bone].joint)) <= near;
}

/* on the plane of a symmetric rig, where it may be the root of that */
static void put_on_plane(const ossai_mirror *plane, const ossa_rig *rig, uint32_t bone, double joint[3])
{
	if (!plane->exists || !may_be_root(plane, rig, bone)) return;
	ossai_v3_store(ossai_madd(ossai_v3_of(joint), -off_plane(plane, joint), plane->normal), joint);
}

/* No motion shows where the root of a tree begins: the rest shape does. Bodies without hips
   (snakes, fish, hands) keep the root of the motion. */
static ossa_status root_at_hips(
	ossa_context *context, const ossai_mirror *plane, const ossa_rig *rest, uint32_t root, ossa_rig *rig)
{
	double joint[3];
	if (root == OSSA_NONE || rest->skeleton.bones[0].role.part != OSSA_PART_HIPS) return OSSA_OK;
	if (!may_be_root(plane, rig, root)) return OSSA_OK;
	memcpy(joint, rest->skeleton.bones[0].joint, sizeof joint);
	put_on_plane(plane, rig, root, joint);
	return ossai_rig_reroot(context, root, joint, rig);
}

/* in the middle of the bone's skin */
static ossa_status find_center(ossa_context *context, const ossa_rig *rig, uint32_t bone, double joint[3])
{
	ossai_arena arena = ossai_arena_begin(context);
	const double *area = ossai_vertex_areas(&arena, rig->mesh);
	if (area) ossai_v3_store(ossai_skin_center(rig, area, bone), joint);
	ossai_arena_end(&arena);
	return area ? OSSA_OK : ossa_context_error(context)->status;
}

static ossa_status root_at(ossa_context *context, const ossai_mirror *plane, const char *name, ossa_rig *rig)
{
	double joint[3];
	const int32_t bone = ossa_rig_bone(rig, name);
	if (bone < 0) {
		return ossai_fail(context, OSSA_ERROR_ARGUMENT, NULL,
			"no bone is called %.60s, as `root-bone` wants: the rig has %zu bones, the first is %s; `root-bone auto` takes the "
			"hips",
			name, rig->skeleton.bone_count, rig->skeleton.bones[0].name);
	}
	if (bone == 0) return OSSA_OK;
	OSSAI_TRY(find_center(context, rig, (uint32_t)bone, joint));
	put_on_plane(plane, rig, (uint32_t)bone, joint);
	return ossai_rig_reroot(context, (uint32_t)bone, joint, rig);
}

/* ---- names and root ---- */

ossa_status ossai_moving_take_body(ossa_context *context, const ossai_moving_wish *wish, ossa_rig *rig, ossa_rig **rest)
{
	const bool is_auto = !wish->root_bone[0] || strcmp(wish->root_bone, "auto") == 0;
	uint32_t root = OSSA_NONE;
	if (wish->rest_task) OSSAI_TRY(ossai_rest_rig_end(context, wish->rest_task, rest));
	if (wish->is_planned) root = 0;
	else if (*rest) OSSAI_TRY(ossai_rest_rig_name(context, *rest, rig, &root));
	if (strcmp(wish->root_bone, "center") == 0 || (is_auto && wish->is_published)) return OSSA_OK;
	if (*rest) OSSAI_TRY(root_at_hips(context, &wish->plane, *rest, root, rig));
	if (is_auto) return OSSA_OK;
	if (wish->names == OSSA_NAMES_NUMBERS) OSSAI_TRY(ossai_rig_name_bones(context, rig, wish->names));
	return root_at(context, &wish->plane, wish->root_bone, rig);
}
