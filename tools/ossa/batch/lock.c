/* tools/ossa/batch/lock.c: locks for machines that share a file system.

   Place in the path: the command's batch, below the run.
   Input: a path.
   Output: a file there, made by one process alone.

   A lock is a file that is made with O_EXCL, which network file systems honour as well; locks of
   fcntl they may not. Its text says who holds it. The holder's sign of life is the file's time of
   change: others compare it with what they saw before, by their own clock that only rises, so that
   clocks may differ or jump.

   A dead holder's lock is taken over by making the file of its successor, whose name is the hash of
   the dead one's text: of all that find it dead one alone can make that. Nobody removes the lock of
   another before, so that no lock that lives is ever removed. */
#include "batch/lock.h"
#include "batch/siphash.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- who ---- */

static void read_word(const char *path, char *text, size_t size)
{
	FILE *stream = fopen(path, "re");
	text[0] = 0;
	if (!stream) return;
	if (!fgets(text, (int)size, stream)) text[0] = 0;
	text[strcspn(text, "\n")] = 0;
	fclose(stream);
}

/* the time at which a process began, in ticks since the machine did; "" where the system does not
   tell: of two processes with one number only one is meant */
static void find_begin(long process, char *text, size_t size)
{
	char path[64], line[512];
	snprintf(path, sizeof path, "/proc/%ld/stat", process);
	read_word(path, line, sizeof line);
	/* the name in brackets may hold anything; behind it the time is the 20th word */
	char *at = strrchr(line, ')');
	for (int word = 0; at && word < 20; word++) at = strchr(at + 1, ' ');
	snprintf(text, size, "%.*s", at ? (int)strcspn(at + 1, " ") : 0, at ? at + 1 : "");
}

/* the machine since its start and the processes that this one can see: where two agree, the number
   of a process means the same */
static void find_machine(char *text, size_t size)
{
	char host[128] = "", boot[64], space[64] = "";
	if (gethostname(host, sizeof host - 1) != 0) snprintf(host, sizeof host, "unknown");
	for (char *at = host; *at; at++) *at = *at == ' ' || *at == '\n' ? '_' : *at;
	read_word("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
	const ssize_t length = readlink("/proc/self/ns/pid", space, sizeof space - 1);
	space[length > 0 ? length : 0] = 0;
	snprintf(text, size, "%s %s %s", host, boot[0] ? boot : "-", space[0] ? space : "-");
}

/* "HOST BOOT SPACE PROCESS BEGIN TIME": the time, of whatever clock, keeps two locks of one process
   apart */
static void name_self(char text[LOCK_TEXT])
{
	char machine[272], begin[24];
	struct timespec now;
	find_machine(machine, sizeof machine);
	find_begin((long)getpid(), begin, sizeof begin);
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, LOCK_TEXT, "%.250s %ld %s %lld.%09ld", machine, (long)getpid(), begin[0] ? begin : "-",
		(long long)now.tv_sec, now.tv_nsec);
}

/* whether a holder is certainly gone: only its own machine can tell */
static bool is_gone(const char *holder)
{
	char machine[272], begin[24];
	long process;
	find_machine(machine, sizeof machine);
	const size_t length = strlen(machine);
	if (strncmp(holder, machine, length) != 0 || holder[length] != ' ' || strstr(machine, " -")) return false;
	if (sscanf(holder + length, "%ld", &process) != 1) return false;
	if (kill((pid_t)process, 0) != 0 && errno == ESRCH) return true;
	find_begin(process, begin, sizeof begin);
	const char *then = strchr(holder + length + 1, ' ');
	return begin[0] && then && strncmp(then + 1, begin, strlen(begin)) != 0;
}

void batch_lock_describe(const lock_holder *holder, char *text, size_t size)
{
	char host[128] = "?";
	long process = 0;
	sscanf(holder->text, "%127s %*s %*s %ld", host, &process);
	snprintf(text, size, "host '%s', process %ld", host, process);
}

/* ---- files ---- */

static int make_lock(const char *path, const char *text)
{
	const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0) return errno;
	const size_t size = strlen(text);
	int error = write(file, text, size) == (ssize_t)size ? 0 : errno ? errno : ENOSPC;
	if (close(file) != 0 && error == 0) error = errno;
	if (error != 0) remove(path);
	return error;
}

/* what stands in a lock now; opening it has a network file system ask for the present state */
static bool look(const char *path, lock_holder *now)
{
	struct stat status;
	const int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) return false;
	const ssize_t got = read(file, now->text, sizeof now->text - 1);
	const bool seen = got >= 0 && fstat(file, &status) == 0;
	close(file);
	if (!seen) return false;
	now->text[got] = 0;
	now->seconds = (int64_t)status.st_mtim.tv_sec;
	now->nanoseconds = status.st_mtim.tv_nsec;
	return true;
}

/* whether a lock is dead by now; remembers what was seen */
static bool is_dead(const lock_holder *now, double patience, lock_holder *holder)
{
	const double clock = command_clock();
	const bool is_same = strcmp(now->text, holder->text) == 0 && now->seconds == holder->seconds &&
		now->nanoseconds == holder->nanoseconds;
	const bool was_seen = holder->seen > 0 && is_same;
	const double since = was_seen ? holder->seen : clock;
	*holder = *now;
	holder->seen = since;
	return is_gone(now->text) || (was_seen && clock - since >= patience);
}

static bool name_successor(const char *path, const char *text, char *name, size_t size)
{
	char digits[BATCH_HASH_TEXT];
	batch_hash_print(batch_hash_of(text, strlen(text)), digits);
	return (size_t)snprintf(name, size, "%s-%.16s", path, digits) < size;
}

/* the successor of a dead lock: it counts only while that is still there, because a lock that was
   released in between is free for all */
static lock_result succeed(const char *path, const char *dead, const char *own, const char *text, batch_lock *lock, int *error)
{
	lock_holder now;
	*error = make_lock(own, text);
	if (*error != 0) return *error == EEXIST ? LOCK_HELD : LOCK_FAILED;
	if (!look(path, &now) || strcmp(now.text, dead) != 0) {
		remove(own);
		return LOCK_HELD;
	}
	snprintf(lock->path, sizeof lock->path, "%s", own);
	snprintf(lock->first, sizeof lock->first, "%s", path);
	return LOCK_TAKEN_OVER;
}

lock_result batch_lock_take(const char *path, double patience, lock_holder *holder, batch_lock *lock, int *error)
{
	char text[LOCK_TEXT], own[COMMAND_PATH_SIZE], at[COMMAND_PATH_SIZE];
	lock_holder now;
	*lock = (batch_lock){.path = ""};
	name_self(text);
	*error = make_lock(path, text);
	if (*error == 0) {
		snprintf(lock->path, sizeof lock->path, "%s", path);
		return LOCK_TAKEN;
	}
	if (*error != EEXIST) return LOCK_FAILED;
	if (!look(path, &now)) return LOCK_HELD;
	char dead[LOCK_TEXT];
	snprintf(dead, sizeof dead, "%s", now.text);
	/* the last of those that took over from one another holds it */
	snprintf(at, sizeof at, "%s", path);
	while (name_successor(path, now.text, own, sizeof own) && look(own, &now)) snprintf(at, sizeof at, "%s", own);
	if (!look(at, &now) || !is_dead(&now, patience, holder)) return LOCK_HELD;
	return succeed(path, dead, own, text, lock, error);
}

void batch_lock_touch(const batch_lock *lock)
{
	if (lock->path[0]) utimensat(AT_FDCWD, lock->path, NULL, 0);
}

/* removes the files between the first and the own: successors of dead ones */
static void remove_chain(const batch_lock *lock)
{
	char at[COMMAND_PATH_SIZE], next[COMMAND_PATH_SIZE];
	lock_holder now;
	snprintf(at, sizeof at, "%s", lock->first);
	while (look(at, &now) && name_successor(lock->first, now.text, next, sizeof next)) {
		remove(at);
		snprintf(at, sizeof at, "%s", next);
	}
}

void batch_lock_release(batch_lock *lock)
{
	if (lock->first[0]) remove_chain(lock);
	else if (lock->path[0]) remove(lock->path);
	*lock = (batch_lock){.path = ""};
}
