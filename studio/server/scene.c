/* studio/server/scene.c: the rig of the current state in memory, shared between the threads of
   requests.

   Place in the path: behind the answers that need a rig (positions, errors, weights).  A scene
   never changes; after a new state the next request loads another. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>

void studio_scene_free(studio_scene *scene)
{
	if (!scene) return;
	studio_unmap_frames(&scene->frames);
	ossa_rig_free(scene->context, scene->rig);
	ossa_context_free(scene->context);
	free(scene);
}

/* under the session's lock, so that no job removes the file meanwhile and it is loaded once */
static studio_scene *load(studio_session *session, studio_answer *answer)
{
	char path[STUDIO_PATH_SIZE], message[STUDIO_MESSAGE_SIZE] = "nothing is open yet";
	const json_t *stored = json_object_get(session->facts, "stored");
	const char *name = json_string_value(json_object_get(stored, "rig"));
	if (!name) name = json_string_value(json_object_get(stored, "mesh"));
	studio_scene *scene = calloc(1, sizeof *scene);
	if (!scene) {
		studio_no_memory(answer);
		return NULL;
	}
	*scene = (studio_scene){.revision = session->revision};
	ossa_context_options options = ossa_context_default();
	options.threads = 1;
	options.memory_limit = session->studio->options.memory_limit;
	bool good = ossa_context_create(&options, &scene->context) == OSSA_OK;
	good = good && name && studio_path(path, sizeof path, session->path, name) &&
		studio_rig_load(scene->context, path, &scene->rig, message, sizeof message) == OSSA_OK;
	good = studio_map_frames(session, session->facts, &scene->frames) && good;
	if (good) return scene;
	studio_scene_free(scene);
	studio_refuse(answer, name ? 500 : 404, "input", "%s", message);
	return NULL;
}

studio_scene *studio_scene_take(studio_session *session, studio_answer *answer)
{
	studio_scene *old = NULL;
	pthread_mutex_lock(&session->lock);
	if (session->scene && session->scene->revision != session->revision) {
		if (session->scene->uses == 0) old = session->scene;
		session->scene = NULL;
	}
	if (!session->scene) session->scene = load(session, answer);
	studio_scene *scene = session->scene;
	if (scene) scene->uses++;
	pthread_mutex_unlock(&session->lock);
	studio_scene_free(old);
	return scene;
}

void studio_scene_drop(studio_session *session, studio_scene *scene)
{
	if (!scene) return;
	pthread_mutex_lock(&session->lock);
	scene->uses--;
	/* the last reader of one that is out of date */
	const bool is_last = scene->uses == 0 && session->scene != scene;
	pthread_mutex_unlock(&session->lock);
	if (is_last) studio_scene_free(scene);
}
