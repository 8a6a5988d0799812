/* math/taut_string.c: see taut_string.h.

   A funnel is drawn from the last fixed vertex of the path, its apex: the shortest lines from there
   to the upper and to the lower end of the tube at the current time. The upper line bends upward
   around points of the tube's upper side, the lower one downward. Where one line would cross the
   other, the apex moves along that other. */
#include "math/taut_string.h"

typedef struct corner {
	double time, value;
} corner;

/* a line of the funnel from the apex on; what is before `first` was left behind */
typedef struct line {
	corner *at;
	size_t first, end;
} line;

typedef struct funnel {
	line side[2]; /* upper, lower */
	corner *path;
	size_t path_count;
} funnel;

static double slope(corner from, corner to) { return (to.value - from.value) / (to.time - from.time); }

/* whether a line of this side bends the wrong way, or not at all, at its end `b` towards `to` */
static bool is_hidden(int side, corner a, corner b, corner to)
{
	return side == 0 ? slope(a, b) >= slope(b, to) : slope(a, b) <= slope(b, to);
}

/* whether the line from `apex` to `to`, of this side, is beyond the first piece of the other */
static bool crosses(int side, corner apex, corner other, corner to)
{
	return side == 0 ? slope(apex, to) <= slope(apex, other) : slope(apex, to) >= slope(apex, other);
}

static void add(funnel *f, int side, corner to)
{
	line *own = &f->side[side], *other = &f->side[1 - side];
	while (own->end - own->first > 1 && is_hidden(side, own->at[own->end - 2], own->at[own->end - 1], to)) own->end--;
	if (own->end - own->first == 1) {
		/* the apex moves along the other line */
		while (other->end - other->first > 1 && other->at[other->first + 1].time < to.time &&
			crosses(side, other->at[other->first], other->at[other->first + 1], to)) {
			other->first++;
			f->path[f->path_count++] = other->at[other->first];
		}
		own->first = own->end - 1;
		own->at[own->first] = other->at[other->first];
	}
	own->at[own->end++] = to;
}

static void read_off(const funnel *f, size_t count, const double *times, double *path)
{
	for (size_t i = 0, k = 0; i < count; i++) {
		while (k + 2 < f->path_count && f->path[k + 1].time <= times[i]) k++;
		path[i] = f->path[k].value + (times[i] - f->path[k].time) * slope(f->path[k], f->path[k + 1]);
	}
}

ossa_status ossai_taut_string(ossai_arena *arena, size_t count, const double *times, const double *values, double radius,
	double first, double last, double *path)
{
	funnel f = {.path_count = 0};
	path[0] = first;
	if (count < 2) return OSSA_OK;
	f.path = ossai_arena_new(arena, 2 * count, sizeof *f.path);
	for (int side = 0; side < 2; side++) f.side[side].at = ossai_arena_new(arena, 2 * count, sizeof *f.side[side].at);
	if (!f.path || !f.side[0].at || !f.side[1].at) return ossa_context_error(arena->context)->status;
	f.path[f.path_count++] = (corner){times[0], first};
	for (int side = 0; side < 2; side++) f.side[side].at[f.side[side].end++] = f.path[0];
	for (size_t i = 1; i + 1 < count; i++) {
		add(&f, 0, (corner){times[i], values[i] + radius});
		add(&f, 1, (corner){times[i], values[i] - radius});
	}
	add(&f, 0, (corner){times[count - 1], last});
	for (size_t i = f.side[0].first + 1; i < f.side[0].end; i++) f.path[f.path_count++] = f.side[0].at[i];
	read_off(&f, count, times, path);
	path[count - 1] = last;
	return OSSA_OK;
}
