/* studio/server/http_library.c: see http_library.h. */
#include "http_library.h"

#include <dlfcn.h>
#include <string.h>

/* POSIX lets the address of a function be that of an object, C does not: copied, not cast */
static bool find(void *from, const char *name, void *call)
{
	void *found = dlsym(from, name);
	memcpy(call, &found, sizeof found);
	return found != NULL;
}

bool http_library_load(http_library *l)
{
	void *from = dlopen(OSSA_MICROHTTPD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	return from && find(from, "MHD_start_daemon", &l->start_daemon) && find(from, "MHD_stop_daemon", &l->stop_daemon) &&
		find(from, "MHD_lookup_connection_value", &l->lookup) && find(from, "MHD_get_connection_info", &l->get_info) &&
		find(from, "MHD_create_response_from_callback", &l->response_of_stream) &&
		find(from, "MHD_create_response_from_buffer_with_free_callback", &l->response_of_text) &&
		find(from, "MHD_create_response_from_fd_at_offset64", &l->response_of_file) &&
		find(from, "MHD_add_response_header", &l->add_header) && find(from, "MHD_queue_response", &l->queue_response) &&
		find(from, "MHD_destroy_response", &l->destroy_response);
}
