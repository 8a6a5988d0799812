/* contraction/contract.c: see contract.h.

   Departures, unless as printed: W_L is given as a time (strength = W_L^2 times the vertex area of
   an isotropic mesh), so that a step has the same effect at any resolution; attraction is
   proportional to a vertex's initial area. Always: a guard ends the contraction when the area or
   the bounding box grows. */
#include "contraction/contract.h"

#include "contraction/flow.h"
#include "math/vec.h"

#include <string.h>

/* The least mass of a vertex, relative to the mean: a smaller one would hardly be attracted to its
   own position. */
static const double least_mass = 1e-3;
/* The ratio of first to current area beyond which a vertex's surface counts as a line; and the
   largest increase of its attraction. */
static const double line_shrunk = 20;
static const double most_hold = 1e7;
/* The first step's strength where it is chosen, in squared sizes: parts thinner than about its
   square root contract in the first step. */
static const double chosen_contraction = 1e-4;
/* The same for W_L as printed, which the paper sets by hand: the square of the length over which
   the first step smooths, in squared sizes. Tried on 32 meshes: 3e-4, 1e-3, 3e-3 and 1e-2 take 13,
   11, 8 and 6 steps on average; from 1e-3 on more faces are left on fine meshes, and 1e-2 loses
   legs of a spider. */
static const double printed_contraction = 3e-4;
/* s_L where it is chosen */
static const double chosen_growth = 3, printed_growth = 2;
/* Where a step as printed has no solution, triangles are taken to be at least this high, as a share
   of their longest side; then higher by a factor each time, until they are as high as long. */
static const double first_height = 1e-8, higher = 10;
/* A step this strong, in squared sizes, has smoothed the whole body: what has not become a line
   by then never will. */
static const double strongest = 4;
/* A step may increase the area or change the volume by rounding errors only; and the bounding box
   may be larger than at first by as much as least squares makes sharp rims swell. */
static const double tolerance = 1e-3, swelling = 0.02;

ossai_contraction_options ossai_contraction_default(void)
{
	return (ossai_contraction_options){
		.flow = OSSA_FLOW_AUTO, .contraction = 0, .growth = 0, .attraction = 1, .volume = 1e-6, .steps = 30};
}

/* The size of a contracted state. */
typedef struct state_size {
	double area, volume, box; /* volume: signed; box: the diagonal */
} state_size;

typedef struct contraction {
	ossa_context *context;
	const ossai_proxy *proxy;
	const ossai_contraction_options *options;
	ossai_flow flow;
	double *now, *next; /* N x 3 */
	double *first_mass; /* N: thirds of areas; floored, unless as printed */
	double *row_mass;   /* N: that of the rows of the system */
	double *hold;       /* N */
	state_size first;
	double growth;
	double least_height; /* of triangles, as printed */
} contraction;

/* ---- measuring ---- */

/* all NaN where some position is not finite */
static state_size measure(const ossai_proxy *proxy, const double *positions)
{
	state_size size = {0};
	ossai_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
	for (size_t f = 0; f < proxy->face_count; f++) {
		const uint32_t *t = proxy->triangles + 3 * f;
		const ossai_vec3 a = ossai_v3_of(positions + 3 * (size_t)t[0]), b = ossai_v3_of(positions + 3 * (size_t)t[1]);
		const ossai_vec3 c = ossai_v3_of(positions + 3 * (size_t)t[2]);
		size.area += 0.5 * ossai_length(ossai_cross(ossai_sub(b, a), ossai_sub(c, a)));
		size.volume += ossai_dot(a, ossai_cross(b, c)) / 6;
	}
	double sum = 0;
	for (size_t v = 0; v < proxy->vertex_count; v++) {
		const double *p = positions + 3 * v;
		sum += p[0] + p[1] + p[2];
		low = ossai_v3(fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2]));
		high = ossai_v3(fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2]));
	}
	size.box = proxy->vertex_count > 0 ? ossai_distance(low, high) : 0;
	if (!isfinite(sum)) size = (state_size){NAN, NAN, NAN};
	return size;
}

static double area_share(const contraction *c, const state_size *size)
{
	return c->first.area > 0 ? size->area / c->first.area : 0;
}

/* The remaining share of the volume, signed. Where the proxy is open it is that of a tube whose
   radius has shrunk as its area has; and, unless as printed, where it has folded so that volumes of
   opposite sign cancel. */
static double volume_share(const contraction *c, const state_size *size)
{
	const double tube = area_share(c, size) * area_share(c, size);
	const bool has_volume = c->proxy->is_closed && fabs(c->first.volume) > 1e-3 * pow(c->first.area, 1.5);
	const double own = has_volume ? size->volume / c->first.volume : tube;
	return c->options->as_printed || fabs(own) > tube ? own : tube;
}

/* ---- steps ---- */

/* the areas of the vertices, and the masses of the rows: the areas, or 1 as printed */
static void fill_masses(contraction *c)
{
	const size_t n = c->proxy->vertex_count;
	const bool as_printed = c->options->as_printed;
	double sum = 0;
	for (size_t v = 0; v < n; v++) sum += c->flow.laplacian.mass[v];
	const double least = as_printed ? 0 : least_mass * sum / (double)n;
	for (size_t v = 0; v < n; v++) {
		c->first_mass[v] = fmax(c->flow.laplacian.mass[v], least);
		if (!(c->first_mass[v] > 0)) c->first_mass[v] = 1;
		c->row_mass[v] = as_printed ? 1 : c->first_mass[v];
	}
}

static void fill_flow(contraction *c)
{
	if (c->options->as_printed) ossai_flow_fill_printed(&c->flow, c->now, c->least_height);
	else ossai_flow_fill(&c->flow, c->now);
}

static ossa_status begin(ossai_arena *temporary, const ossai_proxy *proxy, contraction *c)
{
	const size_t n = proxy->vertex_count;
	const bool as_printed = c->options->as_printed;
	const ossa_flow_kind chosen_flow = as_printed ? OSSA_FLOW_LEAST_SQUARES : OSSA_FLOW_IMPLICIT;
	const ossa_flow_kind flow = c->options->flow == OSSA_FLOW_AUTO ? chosen_flow : c->options->flow;
	c->growth = c->options->growth > 0 ? c->options->growth : as_printed ? printed_growth : chosen_growth;
	c->next = ossai_arena_new(temporary, n, 3 * sizeof *c->next);
	c->first_mass = ossai_arena_new(temporary, n, sizeof *c->first_mass);
	c->row_mass = ossai_arena_new(temporary, n, sizeof *c->row_mass);
	c->hold = ossai_arena_new(temporary, n, sizeof *c->hold);
	if (!c->next || !c->first_mass || !c->row_mass || !c->hold) return ossa_context_error(c->context)->status;
	OSSAI_TRY(ossai_flow_make(temporary, proxy, flow, &c->flow));
	fill_flow(c);
	fill_masses(c);
	c->first = measure(proxy, c->now);
	return OSSA_OK;
}

/* W_H^2 as printed: W_H,i = W_H,i0 sqrt(A_i0 / A_i), of the current areas */
static void fill_printed_hold(contraction *c)
{
	const double attraction = c->options->attraction * c->options->attraction;
	for (size_t v = 0; v < c->proxy->vertex_count; v++) {
		const double shrunk = c->first_mass[v] / fmax(c->flow.laplacian.mass[v], 1e-30);
		c->hold[v] = attraction * fmin(shrunk, most_hold);
	}
}

/* The paper's W_H^2: it grows as the area around a vertex shrinks; and it grows much more once that
   is nearly a line, which would otherwise go on to straighten and to shorten at its ends while
   thicker parts still contract. */
static void fill_hold(contraction *c)
{
	const double attraction = c->options->attraction * c->options->attraction;
	for (size_t v = 0; v < c->proxy->vertex_count; v++) {
		const double shrunk = fmax(c->first_mass[v] / fmax(c->flow.laplacian.mass[v], 1e-30), 1);
		const double line = shrunk / line_shrunk;
		c->hold[v] = attraction * c->first_mass[v] * fmin(shrunk * (1 + line * line), most_hold);
	}
}

/* whether `next` is no worse than `now` */
static bool is_better(const contraction *c, const state_size *now, const state_size *next)
{
	const double volume = volume_share(c, next);
	return isfinite(next->area) && next->area <= now->area * (1 + tolerance) && next->box <= c->first.box * (1 + swelling) &&
		volume > -tolerance;
}

static ossa_status solve(contraction *c, double strength, bool *solved)
{
	const ossa_status status = ossai_flow_solve(&c->flow, strength, c->row_mass, c->hold, c->now, c->next);
	*solved = status == OSSA_OK;
	/* a system that rounding has made indefinite ends the contraction, as a growing area does */
	return status == OSSA_ERROR_INPUT ? OSSA_OK : status;
}

/* as printed, with triangles as flat as they are, unless the system has no solution to working
   precision */
static ossa_status printed_step(contraction *c, double strength, bool *solved)
{
	fill_printed_hold(c);
	for (;;) {
		/* the flow's K has half of the sums of cotangents that the paper's L has */
		OSSAI_TRY(solve(c, 2 * strength, solved));
		if (*solved || c->least_height >= 1) return OSSA_OK;
		c->least_height = fmax(c->least_height * higher, first_height);
		ossai_flow_fill_printed(&c->flow, c->now, c->least_height);
	}
}

static ossa_status step(contraction *c, double strength, bool *solved)
{
	if (c->options->as_printed) return printed_step(c, strength, solved);
	fill_hold(c);
	return solve(c, strength, solved);
}

/* W_L, or the time, of the first step */
static double first_strength(const contraction *c)
{
	if (c->options->contraction > 0) return c->options->contraction;
	if (!c->options->as_printed || !(c->first.area > 0)) return chosen_contraction;
	const double mean = c->first.area / (double)c->proxy->face_count;
	/* with sums of cotangents for weights, L is 4 mean areas of faces times the Laplacian of the
	   surface */
	return printed_contraction / (4 * mean);
}

static bool is_done(const contraction *c, const state_size *now, double next_strength)
{
	if (fabs(volume_share(c, now)) <= c->options->volume) return true;
	return !c->options->as_printed && next_strength > strongest;
}

/* records a state; the array holds one for each step and the first */
static ossa_status record(ossai_arena *arena, const contraction *c, const state_size *size, double pull, ossai_contracted *to)
{
	const size_t n = c->proxy->vertex_count;
	if (!c->options->keeps_states) return OSSA_OK;
	if (!to->states) to->states = ossai_arena_new(arena, (size_t)c->options->steps + 1, sizeof *to->states);
	double *positions = to->states ? ossai_arena_new(arena, n, 3 * sizeof *positions) : NULL;
	if (!positions) return ossa_context_error(c->context)->status;
	memcpy(positions, c->now, n * 3 * sizeof *positions);
	to->states[to->steps] = (ossai_contraction_state){
		positions, pull, c->least_height, volume_share(c, size), area_share(c, size)};
	return OSSA_OK;
}

static ossa_status run(ossai_arena *arena, contraction *c, ossai_contracted *contracted)
{
	double strength = first_strength(c);
	state_size now = c->first;
	contracted->end = OSSAI_CONTRACTION_STEPS;
	OSSAI_TRY(record(arena, c, &now, 0, contracted));
	for (int i = 0; i < c->options->steps; i++) {
		OSSAI_TRY(ossai_progress(c->context, (double)i / c->options->steps));
		bool solved;
		OSSAI_TRY(step(c, strength, &solved));
		const state_size next = solved ? measure(c->proxy, c->next) : (state_size){NAN, NAN, NAN};
		if (!solved || !is_better(c, &now, &next)) {
			contracted->end = OSSAI_CONTRACTION_GUARD;
			break;
		}
		memcpy(c->now, c->next, c->proxy->vertex_count * 3 * sizeof *c->now);
		contracted->steps = i + 1;
		now = next;
		OSSAI_TRY(record(arena, c, &now, strength, contracted));
		if (is_done(c, &now, strength * c->growth)) {
			contracted->end = OSSAI_CONTRACTION_DONE;
			break;
		}
		fill_flow(c);
		strength *= c->growth;
	}
	contracted->area_share = area_share(c, &now);
	contracted->volume_share = volume_share(c, &now);
	return OSSA_OK;
}

ossa_status ossai_contract(
	ossai_arena *arena, const ossai_proxy *proxy, const ossai_contraction_options *options, ossai_contracted *contracted)
{
	const size_t n = proxy->vertex_count;
	*contracted = (ossai_contracted){.positions = ossai_arena_new(arena, n, 3 * sizeof *contracted->positions)};
	if (!contracted->positions) return ossa_context_error(arena->context)->status;
	memcpy(contracted->positions, proxy->positions, n * 3 * sizeof *contracted->positions);
	ossai_arena temporary = ossai_arena_begin(arena->context);
	contraction c = {.context = arena->context, .proxy = proxy, .options = options, .now = contracted->positions};
	ossa_status status = begin(&temporary, proxy, &c);
	if (status == OSSA_OK) status = run(arena, &c, contracted);
	ossai_arena_end(&temporary);
	return status;
}
