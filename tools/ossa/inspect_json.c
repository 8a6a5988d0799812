/* tools/ossa/inspect_json.c: what `ossa inspect` found, as JSON.

   Place in the path: the top. */
#include "inspect.h"

static json_t *json_vector(const double *v)
{
	return json_pack("[o, o, o]", command_json_real(v[0]), command_json_real(v[1]), command_json_real(v[2]));
}

static json_int_t json_count(size_t count) { return (json_int_t)count; }

static json_t *mesh_as_json(const ossa_mesh *mesh, const ossa_mesh_facts *facts)
{
	json_t *value = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "vertices", json_count(mesh->vertex_count), "faces",
		json_count(mesh->polygon_count), "face_triangles", json_count(facts->polygons_by_corners[0]), "face_quads",
		json_count(facts->polygons_by_corners[1]), "face_larger", json_count(facts->polygons_by_corners[2]), "triangles",
		json_count(mesh->triangle_count));
	json_object_update_new(value,
		json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "pieces", json_count(facts->pieces), "edges", json_count(facts->edges),
			"border_edges", json_count(facts->border_edges), "crowded_edges", json_count(facts->crowded_edges),
			"degenerate_triangles", json_count(facts->degenerate_triangles), "unused_vertices",
			json_count(facts->unused_vertices)));
	json_object_update_new(value,
		json_pack("{s:o, s:o, s:o, s:o, s:o}", "minimum", json_vector(facts->minimum), "maximum", json_vector(facts->maximum),
			"diagonal", command_json_real(facts->diagonal), "area", command_json_real(facts->area), "volume",
			command_json_real(facts->volume)));
	json_object_update_new(value,
		json_pack("{s:b, s:I, s:b, s:b, s:I}", "uvs", mesh->corner_texcoord != NULL, "uv_sets",
			json_count(ossa_mesh_uv_set_count(mesh)), "normals", mesh->corner_normal != NULL, "colors", mesh->colors != NULL,
			"materials", json_count(mesh->material_count)));
	return value;
}

static json_t *rig_as_json(const inspect_work *work)
{
	const ossa_rig *rig = work->rig;
	json_t *bones = json_array();
	for (size_t b = 0; b < rig->skeleton.bone_count; b++) {
		const ossa_bone *bone = &rig->skeleton.bones[b];
		json_t *item = json_pack("{s:s, s:i, s:s, s:o, s:o, s:I}", "name", bone->name, "parent", (int)bone->parent, "kind",
			command_joint_kind(bone), "joint", json_vector(bone->joint), "tail", json_vector(bone->tail), "vertices",
			json_count(work->bone_vertices[b]));
		inspect_add_role(item, bone);
		json_array_append_new(bones, item);
	}
	json_t *clip = json_null();
	if (rig->clip) {
		const size_t count = rig->clip->frame_count;
		clip = json_pack("{s:s, s:I, s:o, s:b}", "name", rig->clip->name, "frames", json_count(count), "seconds",
			command_json_real(count > 0 ? rig->clip->times[count - 1] : 0), "free_bones", rig->clip->translations != NULL);
	}
	return json_pack("{s:i, s:o, s:o, s:o}", "influences", work->influences, "body", inspect_body_as_json(&rig->body), "bones",
		bones, "clip", clip);
}

static json_t *bend_as_json(const inspect_work *work)
{
	json_t *value = command_json_metrics(ossa_bend_table(), &work->bend), *joints = json_array();
	for (size_t b = 0; b < work->rig->skeleton.bone_count; b++) {
		json_t *joint = json_pack("{s:s}", "name", inspect_joint_name(work, (int)b));
		json_object_update_new(joint, command_json_metrics(ossa_joint_bend_table(), &work->joint_bends[b]));
		json_array_append_new(joints, joint);
	}
	json_object_set_new(value, "bones", joints);
	return value;
}

static json_t *clips_as_json(const inspect_work *work)
{
	json_t *list = json_array();
	for (size_t i = 0; i < work->clip_count; i++) {
		const ossa_clip_facts *clip = &work->clips[i];
		json_array_append_new(list,
			json_pack("{s:s, s:I, s:o, s:b, s:b, s:b}", "name", clip->name, "keys", json_count(clip->key_count), "seconds",
				command_json_real(clip->seconds), "joints", clip->moves_joints, "shapes", clip->moves_shapes, "parts",
				clip->moves_parts));
	}
	return list;
}

ossa_status inspect_print_json(command_run *run, const inspect_work *work)
{
	json_t *value = json_pack("{s:s, s:s}", "file", work->path, "format", work->format->name);
	if (inspect_is_sequence(work)) json_object_set_new(value, "files", json_integer(json_count(work->file_count)));
	if (work->mesh) json_object_set_new(value, "mesh", mesh_as_json(work->mesh, &work->facts));
	if (work->mesh) {
		json_object_set_new(value, "objects", inspect_objects_as_json(work->mesh));
		json_object_set_new(value, "uv_sets", inspect_uv_sets_as_json(work->mesh));
		json_object_set_new(value, "materials", inspect_materials_as_json(work->mesh));
		json_object_set_new(value, "images", inspect_images_as_json(run, work->mesh));
		json_object_set_new(value, "morphs", inspect_morphs_as_json(work->mesh));
	}
	inspect_add_scene(work, value);
	if (work->rig) json_object_set_new(value, "rig", rig_as_json(work));
	if (work->joint_bends) json_object_set_new(value, "bend", bend_as_json(work));
	if (work->contraction.positions) json_object_set_new(value, "contraction", inspect_contraction_as_json(work));
	if (work->stages.segments) json_object_set_new(value, "voxels", inspect_voxels_as_json(run, work));
	json_object_set_new(value, "animations", clips_as_json(work));
	if (work->frames) {
		json_object_set_new(value, "frames",
			json_pack("{s:I, s:I}", "frames", json_count(work->frames->frame_count), "vertices",
				json_count(work->frames->vertex_count)));
	}
	json_object_set_new(value, "warnings", command_json_warnings(run));
	return command_print_json(run, value);
}
