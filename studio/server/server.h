/* studio/server/server.h: what the server's files share: the server, sessions and jobs; and by
   request.h requests with their answers.

   Place in the path: http.c receives a request, guard.c checks access, routes.c finds the
   handler; sessions live in folders (store.c), long work in jobs (jobs.c, work_*.c). Everything
   but http.c works without a socket. */
#ifndef STUDIO_SERVER_H
#define STUDIO_SERVER_H

#include "request.h"

/* ---- the server ---- */

struct studio {
	studio_options options;
	char folder[STUDIO_PATH_SIZE];
	char page[STUDIO_PATH_SIZE]; /* "" for none */
	int lock_file;
	char key[STUDIO_KEY_SIZE];   /* of the folder */
	char run[STUDIO_TOKEN_SIZE]; /* a public number of this run */
	char token[STUDIO_TOKEN_SIZE];
	int port, last_port; /* and that of the run before, 0 for none */
	char address[STUDIO_ADDRESS_SIZE];
	char *about; /* the answer of api/about */
	struct http_server *http;
	pthread_mutex_t lock; /* of what follows; taken before a session's */
	studio_session *sessions;
	uint64_t clock; /* rises with every use of a session */
	uint64_t job_count;
	int jobs_running, streams;
	atomic_bool is_ending;
};

/* studio.c: writes its address for other processes, before it listens */
void studio_set_port(studio_server *studio, int port);

/* http.c: the only file that uses libmicrohttpd. NULL, and a message, where the port is taken or
   the library is not here. */
struct http_server *studio_http_start(studio_server *studio, int port, char message[STUDIO_MESSAGE_SIZE]);
void studio_http_stop(struct http_server *server);

/* about.c, page.c */
char *studio_about_text(const studio_server *studio);
void studio_page(const studio_server *studio, const char *path, studio_answer *answer);

/* ---- sessions ---- */

typedef enum studio_job_state { STUDIO_JOB_RUNNING, STUDIO_JOB_DONE, STUDIO_JOB_FAILED, STUDIO_JOB_CANCELLED } studio_job_state;

/* A job as the page sees it. */
typedef struct studio_job {
	uint64_t number;   /* "j12" */
	uint64_t sequence; /* of the session: when it was last changed */
	char verb[12];     /* "rig" */
	studio_job_state state;
	char stage[STUDIO_STAGE_SIZE];
	double fraction;
	char code[16]; /* of the error, "" for none */
	char message[640];
	json_t *result; /* or NULL */
} studio_job;

/* A session in memory. `lock` guards everything below it. */
struct studio_session {
	studio_session *next;
	studio_server *studio;
	char id[STUDIO_ID_SIZE];
	char path[STUDIO_PATH_SIZE];
	int uses;       /* these three are the studio's lock's */
	uint64_t clock; /* of the last use */
	time_t used_at; /* when it ended, in seconds of the monotonic clock */

	pthread_mutex_t lock;
	pthread_cond_t moved; /* a job or the revision changed */
	bool is_gone;         /* its folder is removed */
	/* what session.json holds: never changed, only replaced by another value */
	json_t *facts;
	int64_t revision;
	uint64_t sequence;
	uint64_t page_count; /* rises when the page's document changes */
	size_t job_count;
	studio_job jobs[STUDIO_JOBS_KEPT]; /* the oldest first */
	bool is_working;                   /* a job runs: it is the last of `jobs` */
	atomic_bool is_cancelled;
	struct studio_scene *scene; /* the rig for requests, or NULL */
	studio_work *work;          /* the job that runs; these are its thread's alone */
	/* of the last job that opened or rigged: its warnings and costs, for the report; or NULL */
	ossa_context *history;
	/* the editor that is kept from one edit to the next, or NULL; only the running job uses it */
	studio_desk *desk;
};

/* session.c: takes a session into use, from memory or its folder; NULL where there is none. */
studio_session *studio_session_take(studio_server *studio, const char *id);
void studio_session_drop(studio_session *session);
/* Frees what unused sessions hold in memory, after a while: a page that shows one uses it. */
void studio_sessions_rest(studio_server *studio);
bool studio_session_id_is_good(const char *id);
/* What session.json holds of a session that has nothing yet. from: the one that was shown when its
   file was opened, or NULL. */
json_t *studio_facts_empty(const char *from);
void studio_facts_lasting(json_t *facts); /* puts what no step changes into the state */
void studio_sessions_free(studio_server *studio);
/* The name under `key` of a stored file of a state, in the session's folder; "" for none. */
void studio_session_stored(studio_session *session, const char *key, char name[64]);
/* Opens the file stored under `key` in the current state, and gives its revision; -1 where there
   is none. */
int studio_session_open(studio_session *session, const char *key, int64_t *revision);

/* shelf.c: makes a session; `from`: as of studio_facts_empty. */
bool studio_session_make(studio_server *studio, const char *from, char id[STUDIO_ID_SIZE]);
/* 0, or errno's reason, EBUSY while a job runs. It can be restored for STUDIO_REMOVED_DAYS, as long
   as it takes less than STUDIO_REMOVED_BYTES together with those that were removed later. */
int studio_session_remove(studio_session *session);
bool studio_session_restore(studio_server *studio, const char *id);
/* a removed session, for good; those that are over these limits */
bool studio_removed_forget(studio_server *studio, const char *id);
void studio_removed_trim(studio_server *studio);
json_t *studio_session_list(studio_server *studio); /* and the removed ones */

/* store.c: files of a folder, written whole or not at all */
bool studio_make_folders(const char *path);
bool studio_write_whole(const char *folder, const char *name, const char *text, size_t size);
/* The same, and a power cut afterwards loses nothing of it: the file and its folder are on the
   disk itself. */
bool studio_write_kept(const char *folder, const char *name, const char *text, size_t size);
/* syncs a written file, or the names in a folder, to the disk */
bool studio_keep(const char *path);
bool studio_sync(int file);
/* malloc's, ended by 0; NULL */
char *studio_read_whole(const char *folder, const char *name, size_t limit, size_t *size);
/* with everything in it */
bool studio_remove_folder(const char *path);
uint64_t studio_folder_bytes(const char *path);
bool studio_copy_file(const char *from, const char *to);
/* false where it is too long */
bool studio_path(char *path, size_t size, const char *folder, const char *name);
/* Every name of a folder but those with a dot before (which are being written), in order; NULL
   for want of memory. Then those alone. */
json_t *studio_folder_names(const char *path);
json_t *studio_folder_hidden(const char *path);
bool studio_file_size(const char *folder, const char *name, uint64_t *size);

/* ---- jobs ---- */

/* What a job works with. */
struct studio_work {
	studio_session *session;
	uint64_t number;
	json_t *wanted;        /* the body that asked for it */
	ossa_context *context; /* of this job alone */
	json_t *facts;         /* a copy of the session's, to be changed: kept only on success */
	bool changes_state;    /* `facts` becomes the session's */
	json_t *result;        /* the job's result, or NULL */
	char message[640];     /* of an error of our own; "": the context's */
	double wall_begin, cpu_begin;
	double reported_at; /* when progress was reported last, in seconds */
	double from, to;    /* the share of the whole of the running part */
};

typedef ossa_status studio_worker(studio_work *work);

#define STUDIO_TRY(call)                                                                                                       \
	do {                                                                                                                       \
		const ossa_status studio_status_ = (call);                                                                             \
		if (studio_status_ != OSSA_OK) return studio_status_;                                                                  \
	} while (0)

/* Begins a job, and takes `wanted`; answers 202, or 400, 409, 429. */
void studio_job_begin(studio_session *session, json_t *wanted, studio_answer *answer);
json_t *studio_job_json(const studio_job *job);
ossa_status studio_work_fail(studio_work *work, ossa_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* of the job that runs in it */
bool studio_work_progress(void *session, const char *stage, double fraction);
/* Maps the progress of the work that follows to the range from..to of the whole. */
void studio_work_part(studio_work *work, double from, double to);
bool studio_make_context(const studio_work *work, ossa_context **context);
void studio_jobs_end(studio_server *studio);

studio_worker studio_work_open, studio_work_rig, studio_work_motion, studio_work_measure, studio_work_report,
	studio_work_export, studio_work_stages;

/* export_options.c: the options of `ossa convert` for names, motions and programs, which change the
   rig, and those of writing for the file of that path */
ossa_status studio_export_options(
	studio_work *work, json_t *texts, const char *path, ossa_rig *rig, ossa_write_options *options);
const ossa_option_table *studio_shape_option_table(void);
json_t *studio_targets_json(void);

/* work_edit.c: the editor of a session stays from one job to the next */
studio_worker studio_work_edit, studio_edit_undo, studio_edit_redo, studio_edit_goto;
/* Begins edits again on the rig that is stored as their base, with the constraints there were. */
ossa_status studio_edit_constrain(studio_work *work);
void studio_desk_free(studio_desk *desk);
/* After each job: frees an editor that is ahead of the current state. */
void studio_desk_commit(studio_session *session, bool is_kept);
json_t *studio_verbs_json(void);

/* changed.c: the weights of a rig before edits, and of how many vertices they are others
   afterwards; -1 where that is not known */
typedef struct studio_weights_before {
	ossa_weights weights;
	size_t bone_count;
	char (*names)[OSSA_EDIT_NAME_SIZE];
} studio_weights_before;
bool studio_weights_copy(const ossa_rig *rig, studio_weights_before *before);
int64_t studio_weights_changed(const studio_weights_before *before, const ossa_rig *rig);
void studio_weights_free(studio_weights_before *before);

/* history.c: the steps that replace what is open. A job begins one before it changes the state and
   ends it with what the step is called; undo and redo do the same for edits, then for steps. */
void studio_history_begin(studio_work *work);
void studio_history_end(studio_work *work, const char *words);
void studio_history_branch(studio_work *work); /* after an edit no later step can be gone to */
/* the step of that number, counted from 0 */
ossa_status studio_history_go(studio_work *work, size_t target);
size_t studio_history_past(json_t *facts); /* how many there are before the current one */
studio_worker studio_work_undo, studio_work_redo, studio_work_goto, studio_work_name;

/* clips.c: puts the clip of that name, or number from 1 on, before the others, if there is one */
void studio_clips_lead(ossa_rig *rig, const char *wanted);
/* Adds a clip behind those that there are, under a name of its own; after a failure it is the
   caller's. */
ossa_status studio_clips_add(ossa_context *context, ossa_rig *rig, ossa_clip *clip);
/* Adds a list of clips, and takes it, also after a failure. */
ossa_status studio_clips_add_all(ossa_context *context, ossa_rig *rig, size_t count, ossa_clip **clips);
/* Gives a new rig of the same mesh the motions of an old one, but the first where that is the
   input's. */
ossa_status studio_clips_keep(studio_work *work, const ossa_rig *old, bool has_input, ossa_rig *rig);

/* work_motion.c: carries the motions of a file of the session onto a rig, and keeps their source */
ossa_status studio_carry(studio_work *work, ossa_rig *rig, const char *file, json_t *options, const json_t *map);
/* A clip of a motion of the state once more, for another rig. */
ossa_status studio_carry_again(studio_work *work, const json_t *motion, size_t index, const ossa_rig *rig, ossa_clip **clip);
/* source.c: how the file of the mesh was read ("rig", "animation", "mesh"), into the state; and
   the materials, images and morph targets of that file for a mesh of the session. Nothing where
   the file is gone, or has other vertices now. */
void studio_source_keep(studio_work *work, const char *name, const char *how);
ossa_status studio_source_adopt(studio_work *work, ossa_mesh *mesh);

json_t *studio_retarget_json(const ossa_retarget_facts *facts);

/* pose_json.c: `count` finite numbers; a pose {"rotations", "root"} into a frame of `clip`, the
   frames before it being there: false, and why */
bool studio_numbers(const json_t *list, double *values, size_t count);
bool studio_read_pose(
	const ossa_rig *rig, const json_t *body, ossa_clip *clip, size_t frame, char message[STUDIO_MESSAGE_SIZE]);

/* side_files.c: paths below a folder that a file of it refers to, there or not; NULL for want of
   memory */
json_t *studio_side_files(const char *folder, const char *file);

/* events.c: the stream of a session; takes the session's use over */
studio_stream *studio_events(studio_session *session);

/* ---- what a session holds ---- */

/* Frames of a memory-mapped file. */
typedef struct studio_frames {
	ossa_frames frames; /* frame_count 0: none */
	void *mapping;
	size_t mapped;
} studio_frames;

/* rig_file.c, rig_load.c: a rig or a mesh alone (no bones), every bit of it, in one file */
ossa_status studio_rig_save(ossa_context *context, const ossa_rig *rig, const char *path, char *message, size_t size);
ossa_status studio_rig_load(ossa_context *context, const char *path, ossa_rig **rig, char *message, size_t size);

/* holdings.c: from and into a session's folder, by the names in a state's "stored" */
ossa_status studio_load_rig(studio_work *work, const char *key, ossa_rig **rig);
ossa_status studio_store_rig(studio_work *work, const char *key, const ossa_rig *rig);
/* as glTF: vertices are the mesh's, one by one */
ossa_status studio_write_page(ossa_context *context, const ossa_rig *rig, const char *path);
ossa_status studio_store_page(studio_work *work, const char *key, const ossa_rig *rig);
void studio_forget(studio_work *work, const char *key);
/* A new file's name "key-REVISION.ending", its path, and the state that names it. */
ossa_status studio_new_file(studio_work *work, const char *key, const char *ending, char path[STUDIO_PATH_SIZE]);
bool studio_has(const json_t *facts, const char *key);
/* What is stored under the key; the frames are unmapped with studio_unmap_frames. No error where
   there are none. */
bool studio_map_frames(const studio_session *session, const json_t *facts, studio_frames *frames);
void studio_unmap_frames(studio_frames *frames);
/* Removes what no state names any more. */
void studio_sweep(const studio_session *session, const json_t *facts);
/* Removes what a killed server was writing: only before the session is in use. */
void studio_sweep_parts(const studio_session *session);

/* state.c: the parts of the state that the page gets */
json_t *studio_state_empty(const char *title);
ossa_status studio_state_mesh(studio_work *work, const ossa_mesh *mesh);
ossa_status studio_state_rig(studio_work *work, const ossa_rig *rig, const double *bone_errors);
json_t *studio_bones_json(const ossa_rig *rig);        /* as in the state */
json_t *studio_dependencies_json(const ossa_rig *rig); /* as in the state and in files of rigs */
/* the file that the page shows as the previous rig */
void studio_state_before(studio_work *work);
void studio_state_input(studio_work *work, const ossa_frames *frames);
ossa_status studio_state_exports(studio_work *work);
json_t *studio_state_of(json_t *facts); /* the part that the page gets, borrowed */
void studio_state_warnings(studio_work *work, const ossa_context *context);
char *studio_state_text(studio_session *session, int64_t *revision); /* malloc's */
/* The advice on a warning, "" where there is none. */
const char *studio_advice(const char *code);
const char *studio_meaning(const char *code);
json_t *studio_words_json(void); /* all of them */

/* scene.c: the rig of the current state, shared by requests */
typedef struct studio_scene {
	int uses;
	int64_t revision;
	ossa_context *context;
	ossa_rig *rig; /* with its mesh; without bones where there is no rig yet */
	studio_frames frames;
} studio_scene;
studio_scene *studio_scene_take(studio_session *session, studio_answer *answer);
void studio_scene_drop(studio_session *session, studio_scene *scene);
void studio_scene_free(studio_scene *scene);

/* rig_methods.c: a rig by the method and the options that are wanted; the methods as data */
ossa_status studio_make_rig(studio_work *work, const ossa_mesh *mesh, const ossa_frames *frames, ossa_rig_result *made);
/* "auto", then the library's; with the options of each; NULL past the last */
json_t *studio_method_json(size_t index);
json_t *studio_table_json(const ossa_option_table *table);
/* Fills a struct of `table` from a JSON object of texts. */
ossa_status studio_options_fill(studio_work *work, const ossa_option_table *table, void *options, const json_t *texts);

/* report_part.c: the errors of the rig against the input, into the state, and `with_page` as a
   document; what the work has cost counts from studio_work_clock on */
ossa_status studio_state_report(studio_work *work, const ossa_rig *rig, const studio_frames *input, bool with_page);
void studio_work_clock(studio_work *work);
void studio_work_cost(studio_work *work); /* what it has cost so far, into the state */

#endif
