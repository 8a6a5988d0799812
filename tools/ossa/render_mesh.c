/* tools/ossa/render_mesh.c: a mesh without a rig as one that can be drawn.

   Place in the path: the top, behind cmd_render.c; uses the public API only.
   Input: a file.
   Output: its mesh with a single bone, which nothing moves. */
#include "render.h"

#include <string.h>

static void fill_bone(ossa_rig *rig)
{
	ossa_bone *bone = &rig->skeleton.bones[0];
	snprintf(bone->name, sizeof bone->name, "mesh");
	bone->parent = -1;
	bone->kind = OSSA_JOINT_ROOT;
	bone->orientation[3] = 1;
	for (int k = 0; k < 3; k++) bone->joint[k] = bone->tail[k] = (double)rig->mesh->positions[k];
	for (size_t v = 0; v < rig->mesh->vertex_count; v++) rig->weights.values[v] = 1;
}

ossa_status render_make_mesh(command_run *run, const char *path, ossa_rig **rig)
{
	ossa_mesh *mesh;
	COMMAND_TRY(ossa_read_mesh(run->context, path, NULL, &mesh));
	const ossa_status status = ossa_rig_create(run->context, mesh, 1, 1, rig);
	if (status == OSSA_OK && mesh->vertex_count > 0) fill_bone(*rig);
	ossa_mesh_free(run->context, mesh);
	return status;
}
