/* tools/ossa/batch/child.c: processes of a batch.

   Place in the path: the command's batch, below the run.
   Input: words of a command, limits.
   Output: how it ended, what it printed, its time and memory.

   A child reads nothing, and what it prints comes through pipes. They are closed when it and all
   that it has started have ended, so that waiting for output is waiting for the end, too. */
#define _DEFAULT_SOURCE /* wait4 */
#include "batch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* seconds from the request to stop to the end by force */
static const double GRACE = 5;

enum { EXIT_NOT_STARTED = 127 };

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

/* ---- starting ---- */

static bool open_pipe(int ends[2])
{
	if (pipe(ends) != 0) return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return true;
}

static void close_pipe(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* a batch that is killed does not leave processes behind that write what another shard writes */
static void end_with(pid_t parent)
{
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent) _exit(EXIT_NOT_STARTED);
}

/* in the child: never returns. program: by which this command was called; NULL: another one is
   meant */
static void become(const char *program, const char *const *words, const child_limits *limits, int out, int errors, pid_t parent)
{
	/* exec changes no word, but its type says that it may */
	char *const *arguments = (char *const *)words;
	end_with(parent);
	setpgid(0, 0);
	const int nothing = open("/dev/null", O_RDONLY);
	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out, 1) < 0 || dup2(errors, 2) < 0) _exit(EXIT_NOT_STARTED);
	/* sanitizers take terabytes of addresses for themselves */
	if (limits->address_bytes > 0 && !IS_SANITIZED) {
		const struct rlimit most = {limits->address_bytes, limits->address_bytes};
		setrlimit(RLIMIT_AS, &most);
	}
	/* a crash is in the report; it leaves no file besides */
	const struct rlimit none = {0, 0};
	setrlimit(RLIMIT_CORE, &none);
	/* the program that runs, even where its file was replaced since */
	if (program) execv("/proc/self/exe", arguments);
	execvp(program ? program : words[0], arguments);
	static const char text[] = "the program is not there\n";
	(void)!write(2, text, sizeof text - 1);
	_exit(EXIT_NOT_STARTED);
}

static ossa_status start(
	command_run *run, const char *program, const char *const *words, child_limits limits, batch_child *child)
{
	int out[2], errors[2];
	*child = (batch_child){.out.pipe = -1, .errors.pipe = -1};
	if (!open_pipe(out)) return command_fail(run, OSSA_ERROR_LIMIT, "no pipe for a further process: %s", strerror(errno));
	if (!open_pipe(errors)) {
		close_pipe(out);
		return command_fail(run, OSSA_ERROR_LIMIT, "no pipe for a further process: %s", strerror(errno));
	}
	const pid_t parent = getpid();
	child->begin = command_clock();
	child->deadline = limits.seconds > 0 ? child->begin + limits.seconds : INFINITY;
	child->pid = fork();
	if (child->pid == 0) become(program, words, &limits, out[1], errors[1], parent);
	if (child->pid < 0) {
		close_pipe(out);
		close_pipe(errors);
		child->pid = 0;
		return command_fail(
			run, OSSA_ERROR_LIMIT, "no further process can be started: %s; ask for fewer --jobs", strerror(errno));
	}
	/* in both processes, so that it is done before either goes on */
	setpgid(child->pid, child->pid);
	close(out[1]);
	close(errors[1]);
	child->out.pipe = out[0];
	child->errors.pipe = errors[0];
	return OSSA_OK;
}

ossa_status batch_child_start(command_run *run, const char *const *words, child_limits limits, batch_child *child)
{
	return start(run, run->program, words, limits, child);
}

ossa_status batch_child_start_program(command_run *run, const char *const *words, child_limits limits, batch_child *child)
{
	return start(run, NULL, words, limits, child);
}

/* ---- listening ---- */

/* space for a piece of output, or none */
static bool make_space(child_output *output, size_t more, size_t most)
{
	if (output->size + more <= output->capacity) return true;
	size_t wanted = output->capacity ? 2 * output->capacity : 16384;
	if (wanted > most) wanted = most;
	char *larger = output->size + more <= wanted ? realloc(output->bytes, wanted + 1) : NULL;
	if (!larger) return false;
	output->bytes = larger;
	output->capacity = wanted;
	return true;
}

/* of the errors the last bytes are kept, of the output the first */
static void keep(child_output *output, const char *bytes, size_t size, bool is_tail)
{
	const size_t most = is_tail ? CHILD_ERRORS_MAX : CHILD_OUTPUT_MAX;
	if (is_tail && output->size + size > most) {
		const size_t drop = output->size + size - most;
		memmove(output->bytes, output->bytes + drop, output->size - drop);
		output->size -= drop;
		output->dropped += drop;
	}
	if (!make_space(output, size, most)) {
		output->dropped += size;
		return;
	}
	memcpy(output->bytes + output->size, bytes, size);
	output->size += size;
	output->bytes[output->size] = 0;
}

static void take(child_output *output, bool is_tail)
{
	char bytes[8192];
	while (output->pipe >= 0) {
		const ssize_t got = read(output->pipe, bytes, sizeof bytes);
		if (got > 0) keep(output, bytes, (size_t)got, is_tail);
		else if (got < 0 && errno == EINTR) continue;
		else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
		else {
			close(output->pipe);
			output->pipe = -1;
		}
	}
}

static void enforce(batch_child *child, double now)
{
	if (child->pid == 0 || now < child->deadline) return;
	if (child->is_stopping) {
		kill(-child->pid, SIGKILL);
		child->deadline = now + GRACE;
		return;
	}
	child->is_late = true;
	batch_child_stop(child);
}

void batch_child_stop(batch_child *child)
{
	if (child->pid == 0 || child->is_stopping) return;
	child->is_stopping = true;
	child->deadline = command_clock() + GRACE;
	kill(-child->pid, SIGTERM);
}

/* when the next limit is over, if that is earlier */
static double time_until(batch_child *const *children, size_t count, double seconds)
{
	const double now = command_clock();
	double least = seconds;
	for (size_t i = 0; i < count; i++) {
		if (children[i]->pid != 0 && children[i]->deadline - now < least) least = children[i]->deadline - now;
		/* it has closed its output, and will end any time now */
		if (children[i]->pid != 0 && children[i]->out.pipe < 0 && children[i]->errors.pipe < 0 && least > 0.002) least = 0.002;
	}
	return least > 0 ? least : 0;
}

void batch_children_listen(batch_child *const *children, size_t count, double seconds)
{
	struct pollfd *pipes = calloc(2 * count + 1, sizeof *pipes);
	nfds_t open = 0;
	for (size_t i = 0; i < count && pipes; i++) {
		const int both[2] = {children[i]->out.pipe, children[i]->errors.pipe};
		for (int k = 0; k < 2; k++) {
			if (both[k] >= 0) pipes[open++] = (struct pollfd){.fd = both[k], .events = POLLIN};
		}
	}
	/* a signal ends it early */
	poll(pipes, open, (int)ceil(1000 * time_until(children, count, pipes ? seconds : 0.01)));
	free(pipes);
	const double now = command_clock();
	for (size_t i = 0; i < count; i++) {
		take(&children[i]->out, false);
		take(&children[i]->errors, true);
		enforce(children[i], now);
	}
}

/* ---- the end ---- */

bool batch_child_ended(batch_child *child)
{
	struct rusage used;
	int status;
	if (child->out.pipe >= 0 || child->errors.pipe >= 0) return false;
	if (wait4(child->pid, &status, WNOHANG, &used) != child->pid) return false;
	/* what it has started and left */
	kill(-child->pid, SIGKILL);
	child->status = status;
	child->seconds = command_clock() - child->begin;
	child->peak_bytes = (uint64_t)used.ru_maxrss * 1024;
	child->pid = 0;
	return true;
}

void batch_child_free(batch_child *child)
{
	free(child->out.bytes);
	free(child->errors.bytes);
	*child = (batch_child){.out.pipe = -1, .errors.pipe = -1};
}

int batch_core_count(const command_run *run)
{
	const char *cpus = getenv("SLURM_CPUS_PER_TASK");
	if (!cpus) cpus = getenv("SLURM_CPUS_ON_NODE");
	const int count = cpus ? (int)strtol(cpus, NULL, 10) : 0;
	return count > 0 ? count : ossa_context_threads(run->context);
}
