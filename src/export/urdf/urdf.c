/* export/urdf/urdf.c: the Unified Robot Description Format (.urdf): links and joints as robots'
   programs have them.

   Place in the path: a writer of the registry.
   Input: a checked rig, z up, in metres.
   Output: a .urdf, and the meshes of its links beside it (urdf_meshes.c).

   A link is rigid and a joint turns about one axis (urdf_links.c). Meshes are in the rig's space,
   and the origin of each takes them into the frame of its link: so all meshes opened together are
   the rig at rest. A dependent bone mimics its driver. URDF demands the largest effort and speed of
   a joint with limits, of which a shape says nothing: the numbers are higher than any joint
   needs. There is no motion.
   Source: wiki.ros.org/urdf/XML (link, joint). */
#include "export/urdf/urdf.h"

#include "export/export.h"
#include "math/euler.h"
#include "rig/dependencies.h"

#include <string.h>

/* newtons or newton metres, metres or radians a second: no limit in practice */
static const double ANY_EFFORT = 1000, ANY_SPEED = 1000;

static const char *const type_names[] = {"fixed", "revolute", "continuous", "floating", "prismatic"};

/* ---- elements ---- */

/* roll, pitch and yaw are Rz Ry Rx; sums have no negative zeros */
static void put_origin(ossai_urdf *file, const ossai_rigid *origin)
{
	const double none[3] = {0, 0, 0}, place[3] = {origin->t.x + 0.0, origin->t.y + 0.0, origin->t.z + 0.0};
	double turn[3];
	ossai_euler_near(ossai_mat3_quat(&origin->r), OSSAI_EULER_ZYX, none, turn);
	for (int k = 0; k < 3; k++) turn[k] = turn[k] * OSSAI_PI / 180 + 0.0;
	ossai_markup_open(&file->markup, "origin", NULL);
	ossai_markup_attribute_doubles(&file->markup, "xyz", place, 3);
	ossai_markup_attribute_doubles(&file->markup, "rpy", turn, 3);
	ossai_markup_close(&file->markup, "origin");
}

static void put_visual(ossai_urdf *file, size_t bone)
{
	const ossai_rigid rest = ossai_urdf_rest(&file->rig->skeleton.bones[bone]), back = ossai_rigid_inverse(&rest);
	ossai_markup_open(&file->markup, "visual", NULL);
	put_origin(file, &back);
	ossai_markup_open(&file->markup, "geometry", NULL);
	ossai_markup_empty(&file->markup, "mesh", "filename", file->meshes[bone], NULL);
	ossai_markup_close(&file->markup, "geometry");
	ossai_markup_close(&file->markup, "visual");
}

static void put_inertial(ossai_urdf *file, const ossai_urdf_solid *solid)
{
	static const char *const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
	const ossai_rigid place = {ossai_mat3_identity(), ossai_v3_of(solid->center)};
	ossai_markup_open(&file->markup, "inertial", NULL);
	put_origin(file, &place);
	ossai_markup_open(&file->markup, "mass", NULL);
	ossai_markup_attribute_double(&file->markup, "value", solid->mass);
	ossai_markup_close(&file->markup, "mass");
	ossai_markup_open(&file->markup, "inertia", NULL);
	for (int i = 0; i < 6; i++) ossai_markup_attribute_double(&file->markup, names[i], solid->inertia[i]);
	ossai_markup_close(&file->markup, "inertia");
	ossai_markup_close(&file->markup, "inertial");
}

static void put_link(ossai_urdf *file, size_t link)
{
	ossai_markup_open(&file->markup, "link", "name", file->names[link], NULL);
	const bool has_mesh = link < file->rig->skeleton.bone_count && file->meshes[link];
	if (has_mesh && file->solids[link].mass > 0) put_inertial(file, &file->solids[link]);
	if (has_mesh) put_visual(file, link);
	ossai_markup_close(&file->markup, "link");
}

static void put_limit(ossai_urdf *file, const ossai_urdf_link *link)
{
	ossai_markup_open(&file->markup, "limit", NULL);
	ossai_markup_attribute_double(&file->markup, "lower", link->limits[0]);
	ossai_markup_attribute_double(&file->markup, "upper", link->limits[1]);
	ossai_markup_attribute_double(&file->markup, "effort", ANY_EFFORT);
	ossai_markup_attribute_double(&file->markup, "velocity", ANY_SPEED);
	ossai_markup_close(&file->markup, "limit");
}

/* of a link that is a dependent bone's */
static void put_mimic(ossai_urdf *file, size_t link)
{
	for (size_t i = 0; i < file->rig->dependency_count; i++) {
		const ossa_dependency *d = &file->rig->dependencies[i];
		if ((size_t)d->bone != link || ossai_drives_by_twist(d)) continue;
		ossai_markup_open(&file->markup, "mimic", "joint", file->joints[d->driver], NULL);
		ossai_markup_attribute_double(&file->markup, "multiplier", d->ratio);
		ossai_markup_attribute_double(&file->markup, "offset", d->offset_degrees * OSSAI_PI / 180);
		ossai_markup_close(&file->markup, "mimic");
	}
}

static void warn_of_twists(const ossai_urdf *file)
{
	int64_t left = 0;
	for (size_t i = 0; i < file->rig->dependency_count; i++) left += ossai_drives_by_twist(&file->rig->dependencies[i]);
	if (left == 0) return;
	ossai_warn(file->context, "drivers-left", left,
		"URDF has no driver of a twist bone, as the twist of a joint is no joint's angle there: the bone turns on its own");
}

static void put_joint(ossai_urdf *file, size_t index)
{
	ossai_markup *markup = &file->markup;
	const ossai_urdf_link *link = &file->links[index];
	const bool turns = link->type == OSSAI_URDF_REVOLUTE || link->type == OSSAI_URDF_CONTINUOUS;
	const bool slides = link->type == OSSAI_URDF_PRISMATIC;
	ossai_markup_open(markup, "joint", "name", file->joints[index], "type", type_names[link->type], NULL);
	put_origin(file, &link->origin);
	ossai_markup_empty(markup, "parent", "link", file->names[link->parent], NULL);
	ossai_markup_empty(markup, "child", "link", file->names[index], NULL);
	if (turns || slides) {
		ossai_markup_open(markup, "axis", NULL);
		ossai_markup_attribute_doubles(markup, "xyz", link->axis, 3);
		ossai_markup_close(markup, "axis");
	}
	if (link->type == OSSAI_URDF_REVOLUTE || slides) put_limit(file, link);
	if (turns) put_mimic(file, index);
	ossai_markup_close(markup, "joint");
}

/* ---- the file ---- */

static ossa_status put_robot(ossai_urdf *file)
{
	const char *name = file->rig->mesh->name;
	OSSAI_TRY(ossai_markup_begin(file->context, file->path, &file->markup));
	warn_of_twists(file);
	ossai_markup_open(&file->markup, "robot", "name", name[0] ? name : "robot", NULL);
	/* from the base on */
	put_link(file, file->link_count - 1);
	for (size_t i = 0; i + 1 < file->link_count; i++) put_link(file, i);
	for (size_t i = 0; i + 1 < file->link_count; i++) put_joint(file, i);
	ossai_markup_close(&file->markup, "robot");
	return ossai_markup_commit(&file->markup);
}

ossa_status ossai_urdf_write_rig(
	ossa_context *context, const ossa_rig *rig, const char *path, const ossa_write_options *options)
{
	ossai_batch batch;
	ossai_urdf file = {.context = context, .arena = ossai_arena_begin(context), .rig = rig, .path = path, .options = options};
	ossai_batch_begin(context, &batch);
	ossa_status status = ossai_urdf_link_bones(&file);
	if (status == OSSA_OK) status = ossai_urdf_write_meshes(&file);
	if (status == OSSA_OK) status = put_robot(&file);
	status = ossai_batch_end(&batch, status);
	ossai_arena_end(&file.arena);
	return status;
}
