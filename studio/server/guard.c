/* studio/server/guard.c: access control: only a page that was opened by the address with the token,
   on this machine, may send requests.

   Place in the path: first of all, before anything of a request is used. Other pages of the same
   browser can send requests here, and other host names can be resolved to this address; neither
   has the token, and the browser's headers (Host, Origin, Sec-Fetch-Site) are checked too. */
#include "server.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool studio_make_token(char *token, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char random[64];
	FILE *source = fopen("/dev/urandom", "rb");
	const size_t count = size / 2;
	const bool is_read = source && count <= sizeof random && fread(random, 1, count, source) == count;
	if (source) fclose(source);
	for (size_t i = 0; is_read && i + 1 < size; i++) token[i] = digits[random[i / 2] >> (i % 2 ? 4 : 0) & 15];
	token[size - 1] = 0;
	return is_read;
}

/* in constant time */
static bool is_token(const char *token, const char *given, size_t length)
{
	unsigned char difference = length != STUDIO_TOKEN_SIZE - 1;
	for (size_t i = 0; i < STUDIO_TOKEN_SIZE - 1; i++) {
		difference |= (unsigned char)(token[i] ^ (i < length ? given[i] : 0));
	}
	return difference == 0;
}

/* "127.0.0.1:PORT" or "localhost:PORT", behind `prefix` */
static bool is_ours(const studio_server *studio, const char *prefix, const char *text)
{
	static const char *const names[] = {"127.0.0.1", "localhost"};
	for (size_t i = 0; i < 2; i++) {
		char wanted[64];
		snprintf(wanted, sizeof wanted, "%s%s:%d", prefix, names[i], studio->port);
		if (strcasecmp(text, wanted) == 0) return true;
	}
	return false;
}

/* a followed link or a typed address: the answer becomes a page of its own, which the linking
   page cannot read */
static bool is_visit(const studio_request *request, const char *rest)
{
	const char *mode = request->header(request->user, "Sec-Fetch-Mode"), *to = request->header(request->user, "Sec-Fetch-Dest");
	return mode && to && strcmp(mode, "navigate") == 0 && strcmp(to, "document") == 0 && strcmp(request->method, "GET") == 0 &&
		strncmp(rest, "api", 3) != 0;
}

static bool is_known_site(const studio_request *request, const char *rest)
{
	const char *site = request->header(request->user, "Sec-Fetch-Site");
	return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0 || is_visit(request, rest);
}

const char *studio_nonce_of(const studio_server *studio, const studio_request *request)
{
	static const char path[] = "/hello/";
	const char *host = request->header(request->user, "Host"), *origin = request->header(request->user, "Origin");
	if (strncmp(request->path, path, sizeof path - 1) != 0 || strcmp(request->method, "GET") != 0) return NULL;
	if (!host || !is_ours(studio, "", host) || (origin && !is_ours(studio, "http://", origin))) return NULL;
	return is_known_site(request, "api") ? request->path + sizeof path - 1 : NULL;
}

bool studio_guard(const studio_server *studio, const studio_request *request, const char **rest, studio_answer *answer)
{
	const char *host = request->header(request->user, "Host"), *origin = request->header(request->user, "Origin");
	if (!host || !is_ours(studio, "", host)) {
		studio_refuse(answer, 403, "forbidden", "this address is not the studio's; use the one that it printed");
		return false;
	}
	const char *path = request->path[0] == '/' ? request->path + 1 : "";
	const size_t length = strcspn(path, "/");
	if (!is_token(studio->token, path, length)) {
		studio_refuse(answer, 403, "forbidden", "the address lacks the token of this run; use the one that the studio printed");
		return false;
	}
	*rest = path[length] == '/' ? path + length + 1 : NULL;
	if ((origin && !is_ours(studio, "http://", origin)) || !is_known_site(request, *rest ? *rest : "")) {
		studio_refuse(answer, 403, "forbidden", "requests from other pages are refused");
		return false;
	}
	return true;
}
