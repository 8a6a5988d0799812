/* studio/server/routes.h: the type of handlers, and their declarations.

   Place in the path: between requests and handlers. */
#ifndef STUDIO_ROUTES_H
#define STUDIO_ROUTES_H

#include "server.h"

typedef void studio_handler(studio_server *studio, studio_request *request, studio_answer *answer);

/* One kind of request. A '*' of the pattern stands for one part of the path; behind
   "api/sessions/" it is an existing session. */
typedef struct studio_route {
	const char *method;
	const char *pattern;
	studio_body_kind body;
	studio_handler *handler;
} studio_route;

/* handlers.c: sessions, their files and jobs */
studio_handler studio_get_about, studio_get_sessions, studio_post_sessions, studio_delete_session, studio_delete_removed,
	studio_get_files, studio_put_file, studio_get_file, studio_delete_file, studio_post_job, studio_get_job, studio_delete_job,
	studio_get_events;

/* proof.c */
studio_handler studio_get_key;

/* arrays.c: the session's contents */
studio_handler studio_get_state, studio_get_rig_glb, studio_get_before_glb, studio_get_weights, studio_get_frames,
	studio_get_errors, studio_get_clip, studio_get_export, studio_get_log, studio_get_report, studio_get_stages,
	studio_get_faces, studio_get_page, studio_put_page;

/* whole.c: all of that at once */
studio_handler studio_get_whole, studio_get_source;

/* looks.c: materials, texture coordinates and images */
studio_handler studio_get_looks;

/* poses.c: requests about poses */
studio_handler studio_post_positions, studio_post_ik;
/* V x 3 of a clip's frame, malloc's; NULL and an answer where it fails */
float *studio_pose(const studio_session *session, const ossa_rig *rig, const ossa_clip *clip, size_t frame, ossa_blend blend,
	studio_answer *answer);

/* poses.c: a context for one answer: its memory and its error; NULL, and an answer, where there
   is no memory */
ossa_context *studio_answer_context(const studio_session *session, studio_answer *answer);

/* arrays.c, for poses.c: takes the values; false, and an answer, where there is no rig */
void studio_send_array(studio_answer *answer, void *values, size_t size, int64_t revision);
bool studio_has_bones(const studio_scene *scene, studio_answer *answer);

#endif
