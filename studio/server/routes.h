/* studio/server/routes.h: what handlers are, and who they are.

   Place in the path: between requests and everything that answers them. */
#ifndef STUDIO_ROUTES_H
#define STUDIO_ROUTES_H

#include "server.h"

typedef void studio_handler(studio_server *studio, studio_request *request, studio_answer *answer);

/* One kind of request. A '*' of the pattern stands for one part of the path; behind "api/sessions/" it is a session, which is there. */
typedef struct studio_route {
	const char *method;
	const char *pattern;
	studio_body_kind body;
	studio_handler *handler;
} studio_route;

/* handlers.c: sessions, their files and jobs */
studio_handler studio_get_about, studio_get_sessions, studio_post_sessions, studio_delete_session, studio_get_files,
	studio_put_file, studio_get_file, studio_delete_file, studio_post_job, studio_get_job, studio_delete_job, studio_get_events;

/* arrays.c: what there is */
studio_handler studio_get_state, studio_get_rig_glb, studio_get_before_glb, studio_get_weights, studio_get_frames,
	studio_get_errors, studio_get_clip, studio_post_positions, studio_get_export, studio_get_log, studio_get_report,
	studio_get_faces, studio_get_page, studio_put_page;

#endif
