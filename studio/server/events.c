/* studio/server/events.c: changes of a session as a stream of server-sent events.

   Place in the path: behind GET events.  Nothing is queued: each stream remembers what it has
   sent and sends what has changed since, so that an idle client costs nothing. */
#include "server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct event_stream {
	studio_stream stream; /* first */
	studio_session *session;
	uint64_t seen; /* sequence */
	int64_t revision;
	uint64_t page; /* of the page's document */
	bool has_begun;
	char *text; /* being sent */
	size_t size, sent;
} event_stream;

/* "event: NAME\ndata: JSON\n\n"; takes the value */
static void put_event(event_stream *events, const char *name, json_t *value)
{
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	const size_t capacity = (text ? strlen(text) : 0) + 64;
	json_decref(value);
	events->text = text ? malloc(capacity) : NULL;
	const int length = events->text ? snprintf(events->text, capacity, "event: %s\ndata: %s\n\n", name, text) : 0;
	events->size = length > 0 ? (size_t)length : 0;
	events->sent = 0;
	free(text);
}

/* the first job that changed since, or NULL */
static const studio_job *next_job(const event_stream *events)
{
	const studio_session *session = events->session;
	const studio_job *next = NULL;
	for (size_t i = 0; i < session->job_count; i++) {
		const studio_job *job = &session->jobs[i];
		if (job->sequence > events->seen && (!next || job->sequence < next->sequence)) next = job;
	}
	return next;
}

/* under the session's lock: fills the text where something changed */
static void look(event_stream *events)
{
	studio_session *session = events->session;
	if (!events->has_begun) {
		/* jobs that ended before are not sent again; a running one is, and one that failed last,
		   because perhaps no page was connected */
		const studio_job *last = session->job_count > 0 ? &session->jobs[session->job_count - 1] : NULL;
		const bool is_news = last && (last->state == STUDIO_JOB_RUNNING || last->state == STUDIO_JOB_FAILED);
		events->has_begun = true;
		events->page = session->page_count;
		events->seen = is_news ? last->sequence - 1 : session->sequence;
	}
	const studio_job *job = next_job(events);
	if (job) {
		events->seen = job->sequence;
		put_event(events, "job", studio_job_json(job));
	} else if (events->revision != session->revision) {
		events->revision = session->revision;
		put_event(events, "state", json_pack("{s:I}", "revision", (json_int_t)session->revision));
	} else if (events->page != session->page_count) {
		events->page = session->page_count;
		put_event(events, "page", json_object());
	}
}

/* false when it is over; without text when nothing happened for a second */
static bool wait_for_text(event_stream *events)
{
	studio_session *session = events->session;
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	int waited = 0;
	pthread_mutex_lock(&session->lock);
	bool goes_on = true;
	while (goes_on && !events->text && waited == 0) {
		goes_on = !session->is_gone && !atomic_load(&session->studio->is_ending);
		if (goes_on) look(events);
		if (goes_on && !events->text) waited = pthread_cond_timedwait(&session->moved, &session->lock, &until);
	}
	pthread_mutex_unlock(&session->lock);
	return goes_on;
}

static int read_events(studio_stream *stream, char *to, size_t size)
{
	event_stream *events = (event_stream *)stream;
	if (!events->text && !wait_for_text(events)) return -1;
	if (!events->text) return 0;
	const size_t left = events->size - events->sent, count = left < size ? left : size;
	memcpy(to, events->text + events->sent, count);
	events->sent += count;
	if (events->sent == events->size) {
		free(events->text);
		events->text = NULL;
	}
	return (int)count;
}

static void free_events(studio_stream *stream)
{
	event_stream *events = (event_stream *)stream;
	studio_server *studio = events->session->studio;
	studio_session_drop(events->session);
	pthread_mutex_lock(&studio->lock);
	studio->streams--;
	pthread_mutex_unlock(&studio->lock);
	free(events->text);
	free(events);
}

studio_stream *studio_events(studio_session *session)
{
	event_stream *events = calloc(1, sizeof *events);
	if (!events) return NULL;
	*events = (event_stream){.stream = {read_events, free_events}, .session = session, .revision = -1};
	/* after a break the page reconnects soon */
	events->text = strdup("retry: 1000\n\n");
	events->size = events->text ? strlen(events->text) : 0;
	return &events->stream;
}
