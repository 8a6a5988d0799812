/* skeleton/from_motion/bodies.c: see bodies.h. */
#include "skeleton/from_motion/bodies.h"

#include "base/csr.h"
#include "base/search.h"
#include "base/union_find.h"
#include "skeleton/from_motion/joints.h"
#include "skeleton/from_motion/piece_contacts.h"
#include "skeleton/from_motion/slide_fit.h"
#include "surface/sheets.h"

#include <stdlib.h>
#include <string.h>

/* how far the two images of a joint's point lie apart in pieces that are joined: as a share of how
   far other points of these pieces move apart; at least as a share of the smaller piece's size */
static const double joint_share = 0.4, joint_slack = 0.01;
/* a piece that never moves is joined to one that does where the odds are above e to 1 per pose; of
   two that move, where they are even */
static const double still_odds = 1;

typedef struct finder {
	ossa_context *context;
	ossai_arena *arena, *scratch;
	ossai_bodies *bodies;
	ossai_piece_clusters of;
	uint8_t *has_still_part; /* P */
	uint8_t *is_floor;       /* P: never moves, and is flat and wide */
	ossai_csr beside;        /* C: clusters of the same piece that share an edge */
	ossai_piece_slides slides;
	ossai_piece_contact *contacts;
	size_t contact_count;
} finder;

static ossa_status last_error(const finder *f) { return ossa_context_error(f->context)->status; }

/* a piece never moves where no part of it moves by more than a joint's slack */
static bool is_still_cluster(const finder *f, size_t c)
{
	const ossai_piece_cluster *own = &f->of.items[c];
	const double slack = joint_slack * f->of.piece_size[own->piece];
	return own->spread * own->spread <= slack * slack + 9 * own->noise * own->noise;
}

static void mark_still(finder *f)
{
	memset(f->bodies->is_still, 1, f->of.surface.piece_count);
	for (size_t c = 0; c < f->of.count; c++) {
		if (is_still_cluster(f, c)) f->has_still_part[f->of.items[c].piece] = 1;
		else f->bodies->is_still[f->of.items[c].piece] = 0;
	}
}

/* pieces that never move and that others could stand on: each is tested once */
static ossa_status mark_floors(finder *f)
{
	const ossai_posed_surface *s = &f->of.surface;
	uint8_t *is_known = ossai_arena_zero(f->scratch, s->piece_count, 1);
	ossai_csr faces;
	if (!is_known) return last_error(f);
	OSSAI_TRY(ossai_csr_of_keys(f->scratch, s->piece_count, s->face_count, s->piece_of_face, &faces));
	for (size_t i = 0; i < f->bodies->joint_count; i++) {
		const ossai_piece_joint *joint = &f->bodies->joints[i];
		if (!joint->is_still) continue;
		const uint32_t still = f->bodies->is_still[joint->a] ? joint->a : joint->b;
		const uint32_t other = still == joint->a ? joint->b : joint->a;
		if (!f->has_still_part[other] || is_known[still]) continue;
		bool is_sheet;
		OSSAI_TRY(ossai_is_sheet(f->scratch, s, ossai_csr_size(&faces, still), faces.item + faces.start[still], &is_sheet));
		f->is_floor[still] = is_sheet;
		is_known[still] = 1;
	}
	return OSSA_OK;
}

/* ---- joints ---- */

static ossa_status find_beside(finder *f)
{
	const ossai_adjacency *adjacency = &f->of.surface.adjacency;
	uint32_t *edge = ossai_arena_new(f->scratch, adjacency->face_pair_count, 2 * sizeof *edge);
	size_t count = 0;
	if (!edge) return last_error(f);
	for (size_t i = 0; i < adjacency->face_pair_count; i++) {
		const uint32_t a = f->of.cluster_of_face[adjacency->face_pairs[2 * i]];
		const uint32_t b = f->of.cluster_of_face[adjacency->face_pairs[2 * i + 1]];
		if (a == b) continue;
		edge[2 * count] = a;
		edge[2 * count++ + 1] = b;
	}
	return ossai_csr_of_edges(f->scratch, f->of.count, count, edge, &f->beside);
}

/* mean square over poses of how far two clusters move a point apart */
static double gap_at(const finder *f, uint32_t a, uint32_t b, ossai_vec3 point)
{
	const size_t poses = f->of.surface.pose_count;
	double square = 0;
	for (size_t k = 0; k < poses; k++) {
		const ossai_vec3 here = ossai_rigid_point(&f->of.motion.rigid[a * poses + k], point);
		const ossai_vec3 there = ossai_rigid_point(&f->of.motion.rigid[b * poses + k], point);
		square += ossai_length2(ossai_sub(here, there)) / (double)poses;
	}
	return square;
}

/* The spread of a cluster, or of one beside it, in its own piece, that stays at the joint's point
   as closely: a forearm turns about its own elbow, and the elbow's motion is what counts. */
static double spread_at(const finder *f, uint32_t number, ossai_vec3 point, double gap2, uint32_t a, uint32_t b)
{
	double least = ossai_piece_cluster_spread(&f->of, number, a, b);
	for (uint32_t i = f->beside.start[number]; i < f->beside.start[number + 1]; i++) {
		const uint32_t other = f->beside.item[i];
		const double spread = ossai_piece_cluster_spread(&f->of, other, a, b);
		if (spread < least && gap_at(f, number, other, point) <= gap2) least = spread;
	}
	return least;
}

/* Of a joint the two images of its point differ by the slack, of independent motion by the spread
   of both: two normal distributions of the gap. */
static double odds_of(double gap2, double spread2, double slack2)
{
	const double free2 = spread2 + slack2, joined2 = joint_share * joint_share * spread2 + slack2;
	return ossai_joined_odds(gap2, joined2, free2);
}

/* the pair of pieces that a contact is of, the smaller number first */
static uint64_t pieces_of(const finder *f, const ossai_piece_contact *c)
{
	const uint64_t a = f->of.items[c->a].piece, b = f->of.items[c->b].piece;
	return a < b ? a << 32 | b : b << 32 | a;
}

/* how far two clusters are apart, a face aside */
static double distance_of(const finder *f, const ossai_piece_contact *nearest)
{
	return fmax(sqrt(nearest->distance2) - sqrt(f->of.surface.face_area[nearest->face]), 0);
}

/* Joints lie where pieces are nearest to each other: a distance beyond that counts as a gap, and
   the nearest one, in sizes of the smaller piece, like a deviation of a normal distribution. */
static ossai_piece_joint try_joint(const finder *f, const ossai_piece_contact *first, size_t count, double nearest)
{
	const ossai_piece_cluster *a = &f->of.items[first->a], *b = &f->of.items[first->b];
	const double small = fmin(f->of.piece_size[a->piece], f->of.piece_size[b->piece]) + OSSAI_JOINT_NOISE;
	const double doubt = fmax(fmin(a->size, b->size), OSSAI_JOINT_NOISE);
	const bool is_still = f->bodies->is_still[a->piece] || f->bodies->is_still[b->piece];
	const ossai_joint joint = ossai_joint_fit_soft(
		&f->of.motion, first->a, first->b, ossai_piece_contacts_middle(&f->of.surface, first, count), doubt, OSSAI_JOINT_NOISE);
	const double residual2 = joint.residual * joint.residual;
	const double spread2 = is_still ? a->spread * a->spread + b->spread * b->spread
									: spread_at(f, first->a, joint.position, residual2, a->piece, b->piece) +
			spread_at(f, first->b, joint.position, residual2, a->piece, b->piece);
	const double slack2 = a->noise * a->noise + b->noise * b->noise + joint_slack * joint_slack * small * small;
	const double beyond = distance_of(f, first) - nearest, far = nearest / small;
	const double gap2 = residual2 + beyond * beyond;
	const uint64_t pieces = pieces_of(f, first);
	return (ossai_piece_joint){.a = (uint32_t)(pieces >> 32),
		.b = (uint32_t)pieces,
		.place = joint.position,
		.gap = sqrt(gap2),
		.spread = sqrt(spread2),
		.slack = sqrt(slack2),
		.apart = nearest,
		.odds = odds_of(gap2, spread2, slack2) - far * far / 3,
		.is_still = is_still};
}

static int compare_joints(const void *a, const void *b)
{
	const ossai_piece_joint *x = a, *y = b;
	if (x->a != y->a) return x->a < y->a ? -1 : 1;
	if (x->b != y->b) return x->b < y->b ? -1 : 1;
	return x->odds > y->odds ? -1 : x->odds < y->odds;
}

/* those of one pair of clusters */
static size_t contacts_alike(const finder *f, size_t i)
{
	return ossai_piece_contacts_alike(f->contacts + i, f->contact_count - i);
}

/* the least distance of each two pieces, by pairs in order */
typedef struct nearness {
	uint64_t pieces;
	double distance;
} nearness;

static int compare_nearness(const void *a, const void *b)
{
	const nearness *x = a, *y = b;
	if (x->pieces != y->pieces) return x->pieces < y->pieces ? -1 : 1;
	return x->distance < y->distance ? -1 : x->distance > y->distance;
}

static size_t find_nearness(const finder *f, nearness *near)
{
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < f->contact_count; i += contacts_alike(f, i)) {
		near[count++] = (nearness){pieces_of(f, &f->contacts[i]), distance_of(f, &f->contacts[i])};
	}
	qsort(near, count, sizeof *near, compare_nearness);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || near[kept - 1].pieces != near[i].pieces) near[kept++] = near[i];
	}
	return kept;
}

static int compare_pieces(const void *item, const void *key)
{
	const uint64_t pieces = ((const nearness *)item)->pieces, wanted = *(const uint64_t *)key;
	return (pieces > wanted) - (pieces < wanted);
}

static double nearest_of(const nearness *near, size_t count, uint64_t pieces)
{
	return near[ossai_search(&pieces, near, count, sizeof *near, compare_pieces)].distance;
}

/* the best joint of each two pieces */
static ossa_status find_joints(finder *f)
{
	ossai_piece_joint *all = ossai_arena_new(f->scratch, f->contact_count, sizeof *all);
	nearness *near = ossai_arena_new(f->scratch, f->contact_count, sizeof *near);
	size_t count = 0, kept = 0;
	if (!all || !near) return last_error(f);
	const size_t pairs = find_nearness(f, near);
	for (size_t i = 0, alike; i < f->contact_count; i += alike) {
		alike = contacts_alike(f, i);
		all[count++] = try_joint(f, f->contacts + i, alike, nearest_of(near, pairs, pieces_of(f, &f->contacts[i])));
	}
	qsort(all, count, sizeof *all, compare_joints);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || all[i].a != all[kept - 1].a || all[i].b != all[kept - 1].b) all[kept++] = all[i];
	}
	f->bodies->joints = ossai_arena_new(f->arena, kept, sizeof *all);
	if (!f->bodies->joints) return last_error(f);
	memcpy(f->bodies->joints, all, kept * sizeof *all);
	f->bodies->joint_count = kept;
	return OSSA_OK;
}

/* ---- bodies ---- */

/* what has a still part of its own turns about that, and not about the floor: a dog whose paws
   stay. An arm whose shoulder stays with a body that never moves is a part of it. */
static bool stands_on(const finder *f, uint32_t piece, uint32_t floor)
{
	return f->has_still_part[piece] && !f->bodies->is_still[piece] && f->is_floor[floor];
}

static bool slides(const finder *f, const ossai_piece_joint *joint)
{
	for (size_t i = 0; i < f->slides.count; i++) {
		if (f->slides.items[i].a == joint->a && f->slides.items[i].b == joint->b) return true;
	}
	return false;
}

/* the gap is noise and play, without slip */
static bool is_exact(const ossai_piece_joint *joint)
{
	const double slack2 = joint->slack * joint->slack, free2 = joint->spread * joint->spread + slack2;
	return ossai_joined_odds(joint->gap * joint->gap, slack2, free2) > 0;
}

/* Pieces that slide are connected: what slips between them, or between others that exact joints and
   slides connect, is no joint. */
static void leave_slides(const finder *f, uint32_t *set)
{
	ossai_bodies *bodies = f->bodies;
	if (f->slides.count == 0) return;
	for (size_t i = 0; i < f->slides.count; i++) ossai_union_join(set, f->slides.items[i].a, f->slides.items[i].b);
	for (size_t i = 0; i < bodies->joint_count; i++) {
		ossai_piece_joint *joint = &bodies->joints[i];
		joint->is_joined = joint->is_joined && !slides(f, joint);
		if (joint->is_joined && is_exact(joint)) ossai_union_join(set, joint->a, joint->b);
	}
	for (size_t i = 0; i < bodies->joint_count; i++) {
		ossai_piece_joint *joint = &bodies->joints[i];
		const bool is_connected = ossai_union_find(set, joint->a) == ossai_union_find(set, joint->b);
		joint->is_joined = joint->is_joined && (is_exact(joint) || !is_connected);
	}
}

static void join_still(const finder *f, uint32_t *set)
{
	const size_t pieces = f->of.surface.piece_count;
	uint32_t first = OSSA_NONE;
	ossai_union_begin(set, pieces);
	for (uint32_t p = 0; p < pieces; p++) {
		if (!f->bodies->is_still[p]) continue;
		if (first == OSSA_NONE) first = p;
		ossai_union_join(set, first, p);
	}
}

static ossa_status join_pieces(finder *f)
{
	ossai_bodies *bodies = f->bodies;
	const size_t pieces = f->of.surface.piece_count;
	uint32_t *set = ossai_arena_new(f->scratch, pieces, sizeof *set);
	uint32_t *number = ossai_arena_new(f->scratch, pieces, sizeof *number);
	if (!set || !number) return last_error(f);
	for (size_t i = 0; i < bodies->joint_count; i++) {
		ossai_piece_joint *joint = &bodies->joints[i];
		const bool stands = joint->is_still && (stands_on(f, joint->a, joint->b) || stands_on(f, joint->b, joint->a));
		joint->is_joined = !stands && joint->odds > (joint->is_still ? still_odds : 0);
	}
	join_still(f, set);
	leave_slides(f, set);
	join_still(f, set);
	for (size_t i = 0; i < bodies->joint_count; i++) {
		if (bodies->joints[i].is_joined) ossai_union_join(set, bodies->joints[i].a, bodies->joints[i].b);
	}
	bodies->count = 0;
	for (uint32_t p = 0; p < pieces; p++) number[p] = OSSA_NONE;
	for (uint32_t p = 0; p < pieces; p++) {
		const uint32_t root = ossai_union_find(set, p);
		if (number[root] == OSSA_NONE) number[root] = (uint32_t)bodies->count++;
		bodies->of_piece[p] = number[root];
	}
	return OSSA_OK;
}

static ossa_status find_slides(finder *f)
{
	const ossai_slide_measure measure = {joint_share, joint_slack};
	OSSAI_TRY(ossai_piece_slides_find(f->scratch, &f->of, f->contact_count, f->contacts, measure, &f->slides));
	const size_t size = f->of.surface.face_count * sizeof *f->bodies->part_of_face;
	f->bodies->part_of_face = ossai_arena_new(f->arena, f->of.surface.face_count, sizeof *f->bodies->part_of_face);
	if (!f->bodies->part_of_face) return last_error(f);
	memcpy(f->bodies->part_of_face, f->slides.part_of_face, size);
	return OSSA_OK;
}

static ossa_status find(finder *f, const ossai_posed_surface *surface)
{
	OSSAI_TRY(ossai_piece_clusters_make(f->context, f->scratch, surface, &f->of));
	f->has_still_part = ossai_arena_zero(f->scratch, surface->piece_count, 1);
	f->is_floor = ossai_arena_zero(f->scratch, surface->piece_count, 1);
	if (!f->has_still_part || !f->is_floor) return last_error(f);
	mark_still(f);
	OSSAI_TRY(ossai_piece_contacts_find(f->context, f->scratch, &f->of, f->bodies->is_still, &f->contacts, &f->contact_count));
	OSSAI_TRY(find_beside(f));
	OSSAI_TRY(find_joints(f));
	OSSAI_TRY(mark_floors(f));
	OSSAI_TRY(find_slides(f));
	OSSAI_TRY(join_pieces(f));
	return ossai_bodies_choose_slides(f->arena, &f->of.surface, &f->slides, f->bodies);
}

ossa_status ossai_bodies_find(
	ossa_context *context, ossai_arena *arena, const ossai_posed_surface *surface, ossai_bodies *bodies)
{
	ossai_arena scratch = ossai_arena_begin(context);
	finder f = {.context = context, .arena = arena, .scratch = &scratch, .bodies = bodies};
	*bodies = (ossai_bodies){.count = 1};
	bodies->of_piece = ossai_arena_zero(arena, surface->piece_count, sizeof *bodies->of_piece);
	bodies->is_still = ossai_arena_zero(arena, surface->piece_count, 1);
	ossa_status status = bodies->of_piece && bodies->is_still ? OSSA_OK : last_error(&f);
	if (status == OSSA_OK && surface->piece_count > 1 && surface->pose_count > 0) status = find(&f, surface);
	ossai_arena_end(&scratch);
	return status;
}
