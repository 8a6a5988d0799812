/* studio/server/page.c: the files of the page, as they were built into a folder.

   Place in the path: for addresses below the token that are not under api/. */
#include "server.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char *type_of(const char *name)
{
	static const struct {
		const char *ending, *type;
	} types[] = {{".html", "text/html; charset=utf-8"}, {".js", "text/javascript; charset=utf-8"},
		{".mjs", "text/javascript; charset=utf-8"}, {".css", "text/css; charset=utf-8"}, {".svg", "image/svg+xml"},
		{".png", "image/png"}, {".ico", "image/x-icon"}, {".json", "application/json"}, {".map", "application/json"},
		{".woff2", "font/woff2"}, {".wasm", "application/wasm"}, {".txt", "text/plain; charset=utf-8"},
		{".glb", "model/gltf-binary"}};
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++) {
		if (strcasecmp(dot, types[i].ending) == 0) return types[i].type;
	}
	return "application/octet-stream";
}

/* opens folder by folder, so that no name can leave the page's folder */
static int open_below(const char *folder, const char *path)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (at >= 0) {
		char name[STUDIO_NAME_SIZE];
		const size_t length = strcspn(path, "/");
		const bool is_last = path[length] == 0;
		const bool good = studio_unescape(path, length, name, sizeof name) && studio_name_is_good(name);
		const int next = good ? openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_last ? 0 : O_DIRECTORY))
							  : -1;
		close(at);
		if (is_last) return next;
		at = next;
		path += length + 1;
	}
	return -1;
}

/* where the page was not built, its address shows how to */
static void plain_page(studio_answer *answer)
{
	static const char text[] =
		"<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>ossa studio</title><body><h1>ossa studio</h1>"
		"<p>The server runs, but its page was not built. In the folder of ossa's source run</p><pre>make studio</pre>"
		"<p>(it needs Node and npm: <code>scripts/setup studio</code> installs them), then load this page "
		"again.</p></body></html>\n";
	char *copy = strdup(text);
	if (!copy) {
		studio_no_memory(answer);
		return;
	}
	studio_answer_text(answer, "text/html; charset=utf-8", copy, sizeof text - 1);
	answer->is_page = true;
}

void studio_page(const studio_server *studio, const char *path, studio_answer *answer)
{
	const char *name = path[0] ? path : "index.html";
	const int file = studio->page[0] ? open_below(studio->page, name) : -1;
	if (file < 0 && !path[0]) {
		plain_page(answer);
		return;
	}
	studio_answer_file(answer, type_of(name), file);
	answer->is_page = answer->status == 200;
}
