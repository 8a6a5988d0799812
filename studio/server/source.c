/* studio/server/source.c: the file that a session's mesh came from, for what the session itself
   does not keep: materials, images, morph targets, cameras.

   Place in the path: between opening and exporting.
   Input: how the file was read when it was opened.
   Output: a mesh with what its file holds beside it. */
#include "server.h"

#include <stdio.h>
#include <string.h>

void studio_source_keep(studio_work *work, const char *name, const char *how)
{
	json_t *options = json_object_get(work->wanted, "options"), *text = json_string(name);
	json_object_set_new(studio_state_of(work->facts), "source",
		json_pack("{s:o, s:s, s:O*}", "file", text ? text : json_string(""), "as", how, "options", options));
}

static ossa_status read_source(
	studio_work *work, const char *path, const char *how, const ossa_read_options *options, ossa_mesh **mesh)
{
	ossa_rig *rig = NULL;
	if (strcmp(how, "mesh") == 0) return ossa_read_mesh(work->context, path, options, mesh);
	if (strcmp(how, "animation") == 0) return ossa_read_animation(work->context, path, options, mesh, NULL);
	STUDIO_TRY(ossa_read_rig(work->context, path, options, &rig));
	const ossa_status status = ossa_mesh_copy(work->context, rig->mesh, mesh);
	ossa_rig_free(work->context, rig);
	return status;
}

ossa_status studio_source_adopt(studio_work *work, ossa_mesh *mesh)
{
	const json_t *source = json_object_get(studio_state_of(work->facts), "source");
	const char *name = json_string_value(json_object_get(source, "file"));
	const char *how = json_string_value(json_object_get(source, "as"));
	char path[STUDIO_PATH_SIZE], inside[STUDIO_NAME_SIZE + 8];
	ossa_read_options options = ossa_read_default();
	ossa_mesh *from = NULL;
	/* sessions from before have none */
	if (!name || !how || !studio_name_is_good(name)) return OSSA_OK;
	snprintf(inside, sizeof inside, "files/%s", name);
	if (!studio_path(path, sizeof path, work->session->path, inside)) return OSSA_OK;
	const json_t *texts = json_object_get(source, "options");
	if (texts) STUDIO_TRY(studio_options_fill(work, ossa_read_option_table(), &options, texts));
	/* the rig is exported, whatever became of the file */
	if (read_source(work, path, how, &options, &from) == OSSA_OK) {
		bool adopted;
		const ossa_status status = ossa_mesh_adopt(work->context, mesh, from, &adopted);
		ossa_mesh_free(work->context, from);
		return status;
	}
	work->message[0] = 0;
	return OSSA_OK;
}
