/* studio/server/shelf.c: the sessions of the folder: made, listed, removed, taken back.

   Place in the path: behind requests about sessions; session.c takes one of them into memory.
   FOLDER/ID         a session
   FOLDER/.gone-ID   a removed one, its folder's date being that of the removal
   FOLDER/.trash-ID  one that is being deleted for good */
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char gone[] = ".gone-", trash[] = ".trash-";

bool studio_session_make(studio_server *studio, const char *from, char id[STUDIO_ID_SIZE])
{
	char path[STUDIO_PATH_SIZE], folder[STUDIO_PATH_SIZE], random[17];
	if (!studio_make_token(random, sizeof random)) return false;
	snprintf(id, STUDIO_ID_SIZE, "s%s", random);
	if (!studio_path(path, sizeof path, studio->folder, id) || mkdir(path, 0700) != 0) return false;
	json_t *facts = studio_facts_empty(from);
	char *text = facts ? json_dumps(facts, JSON_COMPACT) : NULL;
	json_decref(facts);
	bool good = text && studio_write_kept(path, "session.json", text, strlen(text)) && studio_keep(studio->folder);
	good = good && studio_path(folder, sizeof folder, path, "files") && mkdir(folder, 0700) == 0;
	good = good && studio_path(folder, sizeof folder, path, "exports") && mkdir(folder, 0700) == 0;
	const int reason = errno;
	free(text);
	if (!good) studio_remove_folder(path);
	errno = reason;
	return good;
}

/* ---- the list ---- */

/* the small file beside the state, or defaults without it */
static json_t *read_title(const char *path)
{
	size_t size;
	struct stat facts;
	char *text = studio_read_whole(path, "title.json", 65536, &size);
	json_t *parsed = text ? json_loadb(text, size, 0, NULL) : NULL;
	free(text);
	if (json_is_object(parsed)) return parsed;
	json_decref(parsed);
	const time_t changed = stat(path, &facts) == 0 ? facts.st_mtime : 0;
	return json_pack("{s:s, s:I}", "title", "", "changed", (json_int_t)changed);
}

static void add_described(json_t *list, const char *path, const char *id, bool is_removed)
{
	struct stat facts;
	json_t *described = read_title(path);
	json_object_set_new(described, "id", json_string(id));
	json_object_set_new(described, "bytes", json_integer((json_int_t)studio_folder_bytes(path)));
	if (is_removed && stat(path, &facts) == 0) {
		json_object_set_new(described, "removed", json_integer((json_int_t)facts.st_mtime));
	}
	json_array_append_new(list, described);
}

/* of the folder's names the sessions that are in use, or those that were removed */
static json_t *described_all(const studio_server *studio, json_t *names, bool is_removed)
{
	json_t *list = json_array();
	for (size_t i = 0; i < json_array_size(names); i++) {
		char path[STUDIO_PATH_SIZE];
		const char *name = json_string_value(json_array_get(names, i)), *id = name;
		if (is_removed) id = strncmp(name, gone, sizeof gone - 1) == 0 ? name + sizeof gone - 1 : "";
		if (!studio_session_id_is_good(id) || !studio_path(path, sizeof path, studio->folder, name)) continue;
		add_described(list, path, id, is_removed);
	}
	return list;
}

json_t *studio_session_list(studio_server *studio)
{
	json_t *names = studio_folder_names(studio->folder), *hidden = studio_folder_hidden(studio->folder);
	json_t *list = names && hidden ? json_pack("{s:o, s:o}", "sessions", described_all(studio, names, false), "removed",
										 described_all(studio, hidden, true))
								   : NULL;
	json_decref(names);
	json_decref(hidden);
	return list;
}

/* ---- removed sessions ---- */

static bool gone_path(const studio_server *studio, const char *id, char path[STUDIO_PATH_SIZE])
{
	char name[STUDIO_ID_SIZE + sizeof gone];
	if (!studio_session_id_is_good(id)) return false;
	snprintf(name, sizeof name, "%s%s", gone, id);
	return studio_path(path, STUDIO_PATH_SIZE, studio->folder, name);
}

/* under another name first: a server that is killed meanwhile leaves no half of a session */
static bool delete_gone(const studio_server *studio, const char *id)
{
	char path[STUDIO_PATH_SIZE], away[STUDIO_PATH_SIZE], name[STUDIO_ID_SIZE + sizeof trash];
	if (!gone_path(studio, id, path)) return false;
	snprintf(name, sizeof name, "%s%s", trash, id);
	return studio_path(away, sizeof away, studio->folder, name) && rename(path, away) == 0 && studio_remove_folder(away);
}

/* what a killed server was deleting */
static void delete_trash(const studio_server *studio, const json_t *hidden)
{
	for (size_t i = 0; i < json_array_size(hidden); i++) {
		char path[STUDIO_PATH_SIZE];
		const char *name = json_string_value(json_array_get(hidden, i));
		if (strncmp(name, trash, sizeof trash - 1) != 0) continue;
		if (studio_path(path, sizeof path, studio->folder, name)) studio_remove_folder(path);
	}
}

static int compare_removed(const void *a, const void *b)
{
	const json_int_t first = json_integer_value(json_object_get(*(json_t *const *)a, "removed"));
	const json_int_t second = json_integer_value(json_object_get(*(json_t *const *)b, "removed"));
	return (first < second) - (first > second);
}

/* the last removed one stays, whatever its size */
static void trim_sorted(const studio_server *studio, size_t count, json_t **sorted)
{
	const json_int_t oldest = (json_int_t)time(NULL) - (json_int_t)STUDIO_REMOVED_DAYS * 24 * 3600;
	uint64_t bytes = 0;
	for (size_t i = 0; i < count; i++) {
		bytes += (uint64_t)json_integer_value(json_object_get(sorted[i], "bytes"));
		const bool is_old = json_integer_value(json_object_get(sorted[i], "removed")) < oldest;
		if (!is_old && (i == 0 || bytes <= STUDIO_REMOVED_BYTES)) continue;
		delete_gone(studio, json_string_value(json_object_get(sorted[i], "id")));
	}
}

/* under the studio's lock */
static void trim(const studio_server *studio)
{
	json_t *hidden = studio_folder_hidden(studio->folder), *list = described_all(studio, hidden, true);
	const size_t count = json_array_size(list);
	delete_trash(studio, hidden);
	json_t **sorted = count > 0 ? malloc(count * sizeof *sorted) : NULL;
	for (size_t i = 0; sorted && i < count; i++) sorted[i] = json_array_get(list, i);
	if (sorted) {
		qsort(sorted, count, sizeof *sorted, compare_removed);
		trim_sorted(studio, count, sorted);
	}
	free(sorted);
	json_decref(list);
	json_decref(hidden);
}

void studio_removed_trim(studio_server *studio)
{
	pthread_mutex_lock(&studio->lock);
	trim(studio);
	pthread_mutex_unlock(&studio->lock);
}

int studio_session_remove(studio_session *session)
{
	char away[STUDIO_PATH_SIZE];
	studio_server *studio = session->studio;
	pthread_mutex_lock(&studio->lock);
	pthread_mutex_lock(&session->lock);
	int fault = session->is_working ? EBUSY : 0;
	/* under this name no request finds it */
	if (fault == 0 && (!gone_path(studio, session->id, away) || rename(session->path, away) != 0)) fault = errno;
	session->is_gone = session->is_gone || fault == 0;
	pthread_cond_broadcast(&session->moved);
	pthread_mutex_unlock(&session->lock);
	if (fault == 0) {
		utimensat(AT_FDCWD, away, NULL, 0);
		trim(studio);
	}
	pthread_mutex_unlock(&studio->lock);
	return fault;
}

bool studio_session_restore(studio_server *studio, const char *id)
{
	char away[STUDIO_PATH_SIZE], path[STUDIO_PATH_SIZE];
	struct stat found;
	if (!gone_path(studio, id, away) || !studio_path(path, sizeof path, studio->folder, id)) return false;
	pthread_mutex_lock(&studio->lock);
	const bool good = lstat(path, &found) != 0 && rename(away, path) == 0;
	pthread_mutex_unlock(&studio->lock);
	return good;
}

bool studio_removed_forget(studio_server *studio, const char *id)
{
	pthread_mutex_lock(&studio->lock);
	const bool good = delete_gone(studio, id);
	pthread_mutex_unlock(&studio->lock);
	return good;
}
