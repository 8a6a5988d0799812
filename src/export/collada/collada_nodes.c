/* export/collada/collada_nodes.c: the visual scene of a Collada file: nodes of the objects and
   beside them the tree of joints.

   Place in the path: inside the Collada writer.
   Input: bones at rest.
   Output: nodes. Each joint has its rest transform as one matrix, which the animation replaces;
   after it, in 1.5, the turns about its own z, y and x, or about a hinge's axis, which are 0 at
   rest and which the kinematics set. ossa's other data is in <extra>. */
#include "export/collada/collada.h"
#include "rig/universal_joint.h"

#include "rig/dependencies.h"

ossai_rigid ossai_collada_rest(const ossa_skeleton *skeleton, size_t index)
{
	const ossa_bone *bone = &skeleton->bones[index];
	const ossai_quat turn = ossai_quat_unit(ossai_quat_of(bone->orientation));
	const ossai_rigid world = {ossai_quat_matrix(turn), ossai_v3_of(bone->joint)};
	if (bone->parent < 0) return world;
	const ossa_bone *above = &skeleton->bones[bone->parent];
	const ossai_quat parent_turn = ossai_quat_unit(ossai_quat_of(above->orientation));
	const ossai_rigid parent = {ossai_quat_matrix(parent_turn), ossai_v3_of(above->joint)}, up = ossai_rigid_inverse(&parent);
	return ossai_rigid_mul(&up, &world);
}

static void put_transform(ossai_collada *file, const ossai_rigid *map)
{
	ossai_markup *markup = &file->markup;
	double rows[16] = {0};
	ossai_rigid_store(map, rows);
	rows[15] = 1;
	ossai_markup_open(markup, "matrix", "sid", file->matrix_sid, NULL);
	ossai_markup_doubles(markup, rows, 16);
	ossai_markup_close(markup, "matrix");
}

static void put_numbers(ossai_markup *markup, const char *element, const double *values, size_t count)
{
	ossai_markup_open(markup, element, NULL);
	ossai_markup_doubles(markup, values, count);
	ossai_markup_close(markup, element);
}

/* name of the driver; ratio, offset, error, cost; of a twist its axis */
static void put_dependency(ossai_collada *file, const ossa_dependency *d)
{
	const double numbers[4] = {d->ratio, d->offset_degrees, d->error_degrees, d->cost};
	ossai_markup_text_element(&file->markup, "driver", file->rig->skeleton.bones[d->driver].name);
	put_numbers(&file->markup, "dependency", numbers, 4);
	if (ossai_drives_by_twist(d)) put_numbers(&file->markup, "driver_axis", d->driver_axis, 3);
}

static void put_bone_extra(ossai_collada *file, size_t index)
{
	const ossa_bone *bone = &file->rig->skeleton.bones[index];
	ossai_markup *markup = &file->markup;
	ossai_collada_open_extra(file);
	if (file->ids[index] != bone->name) ossai_markup_text_element(markup, "name", bone->name);
	put_numbers(markup, "tail", bone->tail, 3);
	ossai_markup_text_element(markup, "kind", ossa_joint_kind_name(bone->kind));
	if (ossai_joint_has_axis(bone->kind)) put_numbers(markup, "axis", bone->axis, 3);
	if (bone->kind == OSSA_JOINT_UNIVERSAL) {
		put_numbers(markup, "second_axis", bone->second_axis, 3);
		put_numbers(markup, "axis_limits", bone->axis_limits[0], 4);
	}
	put_numbers(markup, "turn", &bone->turn_degrees, 1);
	put_numbers(markup, "residual", &bone->fit_residual, 1);
	if (bone->has_limits) put_numbers(markup, "limits", bone->limits[0], 6);
	if (bone->has_limits && bone->kind == OSSA_JOINT_PRISMATIC) put_numbers(markup, "slide_limits", bone->slide_limits, 2);
	const int32_t dependency = ossa_rig_dependency_of(file->rig, index);
	if (dependency >= 0) put_dependency(file, &file->rig->dependencies[dependency]);
	ossai_collada_close_extra(file);
}

/* a joint at the tail of a leaf, turned like the leaf */
static void put_end(ossai_collada *file, size_t index)
{
	const ossa_bone *bone = &file->rig->skeleton.bones[index];
	const char *id = file->ends[index];
	const ossai_mat3 frame = ossai_quat_matrix(ossai_quat_unit(ossai_quat_of(bone->orientation)));
	const ossai_vec3 along = ossai_sub(ossai_v3_of(bone->tail), ossai_v3_of(bone->joint));
	const ossai_rigid place = {ossai_mat3_identity(), ossai_mat3_tmul_v(&frame, along)};
	ossai_markup_open(&file->markup, "node", "id", id, "name", id, "sid", id, "type", "JOINT", NULL);
	put_transform(file, &place);
	ossai_collada_open_extra(file);
	ossai_markup_text_element(&file->markup, "end", "true");
	ossai_collada_close_extra(file);
	ossai_markup_close(&file->markup, "node");
}

static void put_turns(ossai_collada *file, size_t index)
{
	ossai_joint_axis axes[3];
	const size_t count = ossai_joint_axes(&file->rig->skeleton.bones[index], axes);
	for (size_t i = 0; i < count; i++) {
		const double *axis = axes[i].direction, turn[4] = {axis[0], axis[1], axis[2], 0};
		char sid[OSSAI_COLLADA_ID];
		snprintf(sid, sizeof sid, "%s%s", file->stems[index], axes[i].name);
		if (axes[i].slides) {
			const double none[3] = {0, 0, 0};
			ossai_markup_open(&file->markup, "translate", "sid", sid, NULL);
			ossai_markup_doubles(&file->markup, none, 3);
			ossai_markup_close(&file->markup, "translate");
			continue;
		}
		ossai_markup_open(&file->markup, "rotate", "sid", sid, NULL);
		ossai_markup_doubles(&file->markup, turn, 4);
		ossai_markup_close(&file->markup, "rotate");
	}
}

static void open_joint(ossai_collada *file, size_t index)
{
	const char *id = file->ids[index];
	const ossai_rigid rest = ossai_collada_rest(&file->rig->skeleton, index);
	ossai_markup_open(&file->markup, "node", "id", id, "name", id, "sid", id, "type", "JOINT", NULL);
	put_transform(file, &rest);
	if (file->newer) put_turns(file, index);
	if (file->ends[index]) put_end(file, index);
}

static void put_joints(ossai_collada *file)
{
	ossai_collada_walk walk = {0, false};
	do {
		if (!walk.leaving) {
			open_joint(file, walk.bone);
		} else {
			put_bone_extra(file, walk.bone);
			ossai_markup_close(&file->markup, "node");
		}
	} while (ossai_collada_walk_on(file, &walk));
}

/* where an object is that no joints move */
static void put_place(ossai_collada *file)
{
	const ossai_rigid none = {ossai_mat3_identity(), {0, 0, 0}}, *place = &file->part->transform;
	double rows[16] = {0};
	if (file->rig || ossai_rigid_same(place, &none)) return;
	ossai_rigid_store(place, rows);
	rows[15] = 1;
	put_numbers(&file->markup, "matrix", rows, 16);
}

static void put_mesh_node(ossai_collada *file, const char *name)
{
	ossai_markup *markup = &file->markup;
	const char *instance = file->rig ? "instance_controller" : "instance_geometry";
	char id[OSSAI_COLLADA_ID];
	ossai_markup_open(markup, "node", "id", ossai_collada_part_id(file, "ossa-mesh", id), NULL);
	ossai_collada_put_name(file, name);
	ossai_markup_attribute(markup, "type", "NODE");
	put_place(file);
	ossai_collada_part_id(file, file->rig ? "#ossa-controller" : "#ossa-geometry", id);
	ossai_markup_open(markup, instance, "url", id, NULL);
	if (file->rig) {
		char root[OSSAI_COLLADA_ID];
		snprintf(root, sizeof root, "#%s", file->ids[0]);
		ossai_markup_text_element(markup, "skeleton", root);
	}
	ossai_collada_put_material_bindings(file);
	ossai_markup_close(markup, instance);
	if (file->part->object) ossai_collada_put_whole_name(file, name);
	ossai_markup_close(markup, "node");
}

static void put_mesh_nodes(ossai_collada *file)
{
	for (size_t i = 0; i < file->parts.count; i++) {
		ossai_collada_select(file, i);
		put_mesh_node(file, file->mesh_names[i]);
	}
	if (file->parts.count > 0) ossai_collada_select(file, 0);
}

void ossai_collada_put_nodes(ossai_collada *file)
{
	ossai_markup *markup = &file->markup;
	ossai_markup_open(markup, "library_visual_scenes", NULL);
	ossai_markup_open(markup, "visual_scene", "id", "ossa-scene", "name", "scene", NULL);
	put_mesh_nodes(file);
	if (file->rig) {
		put_joints(file);
		ossai_collada_open_extra(file);
		ossai_markup_text_element(markup, "method", file->rig->method);
		ossai_collada_close_extra(file);
	}
	ossai_markup_close(markup, "visual_scene");
	ossai_markup_close(markup, "library_visual_scenes");
}
