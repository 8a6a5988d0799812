/* studio/server/proof.c: the token of a run, and the proof by which an open page recognizes the
   server after a restart, before it sends the token.

   Place in the path: studio.c makes the token; "GET /hello/NONCE" is answered without one.
   The folder keeps a key, which pages get while they are served. Every run has a number of its own,
   random and public; its token is a keyed hash of it. A page that lost the server asks the program
   that listens on the port for the run's number and for a keyed hash of port, run and the page's
   nonce. Only a server of this folder, on this port, can answer, and the page computes the new
   token itself: another program gets neither token nor key, also not by passing the question on
   to the server on its new port. */
#include "routes.h"
#include "sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char key_name[] = ".key";

/* of the first bytes of a hash: size - 1 digits */
static void print_digits(const unsigned char *bytes, char *digits, size_t size)
{
	for (size_t i = 0; 2 * i + 2 < size; i++) snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
}

static void print_keyed(const studio_server *studio, const char *text, char *digits, size_t size)
{
	unsigned char hash[STUDIO_HASH_SIZE];
	studio_keyed_hash((const unsigned char *)studio->key, STUDIO_KEY_SIZE - 1, text, hash);
	print_digits(hash, digits, size);
}

static bool read_key(studio_server *studio)
{
	size_t size = 0;
	char *text = studio_read_whole(studio->folder, key_name, 4096, &size);
	const bool good = text && size == STUDIO_KEY_SIZE - 1 && strspn(text, "0123456789abcdef") == size;
	if (good) memcpy(studio->key, text, size + 1);
	free(text);
	return good;
}

/* only its owner can read a file that studio_write_kept writes */
static bool make_key(studio_server *studio)
{
	return studio_make_token(studio->key, sizeof studio->key) &&
		studio_write_kept(studio->folder, key_name, studio->key, STUDIO_KEY_SIZE - 1);
}

bool studio_begin_run(studio_server *studio)
{
	char text[sizeof studio->run + 8];
	if (!studio_make_token(studio->run, sizeof studio->run)) return false;
	if ((studio->options.is_fresh || !read_key(studio)) && !make_key(studio)) return false;
	snprintf(text, sizeof text, "token %s", studio->run);
	print_keyed(studio, text, studio->token, sizeof studio->token);
	return true;
}

void studio_get_hello(const studio_server *studio, const char *nonce, studio_answer *answer)
{
	char text[STUDIO_NONCE_MAX + 96], proof[2 * STUDIO_HASH_SIZE + 1];
	const size_t length = strlen(nonce);
	if (length < 16 || length > STUDIO_NONCE_MAX || strspn(nonce, "0123456789abcdef") != length) {
		studio_refuse(answer, 400, "argument", "give 16 to %d hexadecimal digits", STUDIO_NONCE_MAX);
		return;
	}
	snprintf(text, sizeof text, "server %d %s %s", studio->port, studio->run, nonce);
	print_keyed(studio, text, proof, sizeof proof);
	studio_answer_json(answer, 200, json_pack("{s:s, s:s}", "run", studio->run, "proof", proof));
}

void studio_get_key(studio_server *studio, studio_request *request, studio_answer *answer)
{
	(void)request;
	studio_answer_json(answer, 200, json_pack("{s:s}", "key", studio->key));
}
