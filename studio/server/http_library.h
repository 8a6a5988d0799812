/* studio/server/http_library.h: libmicrohttpd, loaded when the studio starts.

   Linked, the loader would find it and the ten libraries that it needs, those of TLS among them, at
   every start of every other command. */
#ifndef OSSA_STUDIO_HTTP_LIBRARY_H
#define OSSA_STUDIO_HTTP_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

/* what is called of it, of the types that its header declares */
typedef struct http_library {
	__typeof__(MHD_start_daemon) *start_daemon;
	__typeof__(MHD_stop_daemon) *stop_daemon;
	__typeof__(MHD_lookup_connection_value) *lookup;
	__typeof__(MHD_get_connection_info) *get_info;
	__typeof__(MHD_create_response_from_callback) *response_of_stream;
	__typeof__(MHD_create_response_from_buffer_with_free_callback) *response_of_text;
	__typeof__(MHD_create_response_from_fd_at_offset64) *response_of_file;
	__typeof__(MHD_add_response_header) *add_header;
	__typeof__(MHD_queue_response) *queue_response;
	__typeof__(MHD_destroy_response) *destroy_response;
} http_library;

/* False where it is not here. */
bool http_library_load(http_library *library);

#endif
