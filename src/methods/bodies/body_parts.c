/* methods/bodies/body_parts.c: the bodies of a mesh as meshes.

   Place in the path: mesh and key frames -> here -> make_bodies.
   Input: a mesh, poses.
   Output: ossai_body_parts. */
#include "methods/bodies/bodies.h"

#include "mesh/bounds.h"
#include "mesh/pieces.h"
#include "skeleton/from_motion/bodies.h"
#include "surface/coarse_surface.h"
#include "weights/bone_weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* of larger meshes so many vertices stand for all: as where parts and tree are found */
enum { VERTICES_MOST = 8000, VERTICES_LEFT = 2000 };

/* ---- which body each face is of ---- */

static void store_bodies(const ossai_posed_surface *s, const ossai_bodies *bodies, const ossai_coarse_surface *coarse,
	size_t faces, uint32_t *body_of_face)
{
	for (size_t f = 0; f < faces; f++) {
		const uint32_t face = coarse ? coarse->of_face[f] : (uint32_t)f;
		body_of_face[f] = bodies->of_piece[s->piece_of_face[face]];
	}
}

/* or another one slides on it */
static bool slides(const ossai_bodies *bodies, uint32_t body)
{
	for (size_t i = 0; i < bodies->slide_count; i++) {
		if (bodies->slides[i].body == body || bodies->slides[i].up == body) return true;
	}
	return false;
}

static ossa_status count_rigid_pieces(
	ossai_arena *arena, const ossai_posed_surface *s, const ossai_bodies *bodies, ossai_body_parts *parts)
{
	uint32_t *part_of_piece = ossai_arena_new(arena, s->piece_count, sizeof *part_of_piece);
	uint8_t *bends = ossai_arena_zero(arena, bodies->count, 1);
	parts->rigid_pieces = ossai_arena_zero(arena, bodies->count, sizeof *parts->rigid_pieces);
	if (!part_of_piece || !bends || !parts->rigid_pieces) return ossa_context_error(arena->context)->status;
	for (size_t p = 0; p < s->piece_count; p++) part_of_piece[p] = OSSA_NONE;
	for (size_t f = 0; f < s->face_count; f++) {
		uint32_t *own = &part_of_piece[s->piece_of_face[f]];
		const uint32_t body = bodies->of_piece[s->piece_of_face[f]], part = bodies->part_of_face[f];
		if (*own == OSSA_NONE) parts->rigid_pieces[body]++;
		else bends[body] = bends[body] || *own != part;
		*own = part;
	}
	for (uint32_t b = 0; b < bodies->count; b++) {
		if (bends[b] || !slides(bodies, b)) parts->rigid_pieces[b] = 0;
	}
	return OSSA_OK;
}

/* in the mesh's units; part_of_face is there already */
static ossa_status store_slides(ossai_arena *arena, const ossai_posed_surface *s, const ossai_bodies *bodies,
	const ossai_coarse_surface *coarse, size_t faces, ossai_body_parts *parts)
{
	if (bodies->slide_count == 0) return OSSA_OK;
	OSSAI_TRY(count_rigid_pieces(arena, s, bodies, parts));
	for (size_t f = 0; f < faces; f++) parts->part_of_face[f] = bodies->part_of_face[coarse ? coarse->of_face[f] : (uint32_t)f];
	parts->slides = ossai_arena_new(arena, bodies->slide_count, sizeof *parts->slides);
	if (!parts->slides) return ossa_context_error(arena->context)->status;
	parts->slide_count = bodies->slide_count;
	for (size_t i = 0; i < bodies->slide_count; i++) {
		ossai_body_slide *to = &parts->slides[i];
		*to = bodies->slides[i];
		to->place = ossai_posed_surface_place(s, to->place);
		to->slack *= s->scale;
	}
	return OSSA_OK;
}

/* bodies that may be limbs of each other: what never moves, and what slides, is none */
static ossa_status store_touch(
	ossai_arena *arena, const ossai_posed_surface *s, const ossai_bodies *bodies, ossai_body_faces *faces)
{
	ossai_body_touch *touch = ossai_arena_new(arena, bodies->joint_count, sizeof *touch);
	if (!touch) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < bodies->joint_count; i++) {
		const ossai_piece_joint *joint = &bodies->joints[i];
		const uint32_t a = bodies->of_piece[joint->a], b = bodies->of_piece[joint->b];
		if (a == b || joint->apart > 0 || joint->is_still || slides(bodies, a) || slides(bodies, b)) continue;
		touch[faces->touch_count++] = (ossai_body_touch){a, b, joint->gap * s->scale};
	}
	faces->touch = touch;
	return OSSA_OK;
}

/* the surface stays in `surface`, whole */
static ossa_status find_bodies(ossai_arena *keep, ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses,
	ossai_posed_surface *surface, ossai_body_faces *found, ossai_body_parts *parts)
{
	ossa_context *context = arena->context;
	ossai_coarse_surface coarse;
	ossai_bodies bodies;
	OSSAI_TRY(ossai_posed_surface_make(context, arena, mesh, poses, false, surface));
	found->count = 0;
	if (surface->piece_count < 2) return OSSA_OK;
	const bool is_coarse = surface->used_count > VERTICES_MOST;
	if (is_coarse) OSSAI_TRY(ossai_coarse_surface_make(context, arena, surface, VERTICES_LEFT, &coarse));
	const ossai_posed_surface *few = is_coarse ? &coarse.surface : surface;
	OSSAI_TRY(ossai_bodies_find(context, arena, few, &bodies));
	if (bodies.count < 2) return OSSA_OK;
	found->count = bodies.count;
	store_bodies(few, &bodies, is_coarse ? &coarse : NULL, surface->face_count, found->of_face);
	OSSAI_TRY(store_touch(arena, few, &bodies, found));
	return store_slides(keep, few, &bodies, is_coarse ? &coarse : NULL, surface->face_count, parts);
}

/* ---- their errors as rigid bodies ---- */

/* of each body the sum of squares by the rigid motions of `count` sets of faces; energy: bodies */
static ossa_status sum_errors(ossai_arena *arena, const ossai_posed_surface *s, size_t count, const uint32_t *set_of_face,
	const uint32_t *body_of_face, double *energy)
{
	ossai_bone_motion motion;
	OSSAI_TRY(ossai_bone_motion_new(arena, count, s->pose_count, &motion));
	OSSAI_TRY(ossai_bone_motion_from_clusters(arena->context, s, set_of_face, &motion));
	for (size_t f = 0; f < s->face_count; f++)
		ossai_add_face_error(s, f, motion.rigid + set_of_face[f] * s->pose_count, &energy[body_of_face[f]]);
	return OSSA_OK;
}

static double percent_of(const ossai_posed_surface *s, const ossai_body_part *part, double energy, double area)
{
	const double size = ossai_bounds_make(part->mesh->vertex_count, part->mesh->positions).diagonal;
	const double share = area * (double)s->pose_count;
	const double rms = share > 0 ? sqrt(energy / share) * s->scale : 0;
	return size > 0 ? 100 * rms / size : 0;
}

static ossa_status measure(
	ossai_arena *arena, const ossai_posed_surface *s, const uint32_t *body_of_face, ossai_body_parts *parts)
{
	double *area = ossai_arena_zero(arena, parts->count, sizeof *area);
	double *energy = ossai_arena_zero(arena, parts->count, 2 * sizeof *energy), *noise = energy + parts->count;
	if (!area || !energy) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(sum_errors(arena, s, parts->count, body_of_face, body_of_face, energy));
	size_t sets = 0;
	for (size_t f = 0; f < s->face_count; f++) {
		area[body_of_face[f]] += s->face_area[f];
		if (parts->rigid_pieces && parts->part_of_face[f] >= sets) sets = parts->part_of_face[f] + 1;
	}
	if (sets > 0) OSSAI_TRY(sum_errors(arena, s, sets, parts->part_of_face, body_of_face, noise));
	for (size_t i = 0; i < parts->count; i++) {
		ossai_body_part *part = &parts->items[i];
		part->energy = energy[i];
		part->rigid_percent = percent_of(s, part, energy[i], area[i]);
		part->noise_percent = percent_of(s, part, noise[i], area[i]);
	}
	return OSSA_OK;
}

/* ---- as meshes ---- */

ossa_status ossai_body_faces_split(
	ossai_arena *arena, const ossa_mesh *mesh, const ossai_body_faces *bodies, ossai_body_part *items)
{
	ossa_mesh whole = *mesh;
	ossai_object_parts objects;
	ossa_object *object = ossai_arena_zero(arena, bodies->count, sizeof *object);
	uint32_t *of_polygon = ossai_arena_new(arena, mesh->polygon_count, sizeof *of_polygon);
	if (!object || !of_polygon) return ossa_context_error(arena->context)->status;
	for (size_t i = 0; i < bodies->count; i++) snprintf(object[i].name, sizeof object[i].name, "body_%zu", i + 1);
	/* the triangles of a polygon follow each other, two fewer than its corners */
	for (size_t p = 0; p < mesh->polygon_count; p++) of_polygon[p] = bodies->of_face[mesh->polygon_start[p] - 2 * p];
	whole.object_count = bodies->count;
	whole.objects = object;
	whole.polygon_object = of_polygon;
	whole.morph_count = 0;
	OSSAI_TRY(ossai_objects_split(arena, &whole, NULL, OSSAI_AXES_MESH, &objects));
	for (size_t i = 0; i < objects.count; i++) {
		const ossai_object_part *from = &objects.items[i];
		items[i] = (ossai_body_part){.mesh = from->mesh, .vertices = from->vertices, .triangles = from->triangles};
	}
	return OSSA_OK;
}

/* ---- the whole ---- */

/* slides and pieces of bodies that have other numbers now; those that slide were not joined */
static void renumber(const ossai_body_faces *bodies, size_t before, ossai_body_parts *parts)
{
	for (size_t i = 0; i < parts->slide_count; i++) {
		parts->slides[i].body = bodies->number[parts->slides[i].body];
		parts->slides[i].up = bodies->number[parts->slides[i].up];
	}
	/* numbers are never larger than before */
	for (size_t b = 0; parts->rigid_pieces && b < before; b++) {
		const size_t pieces = parts->rigid_pieces[b];
		parts->rigid_pieces[b] = 0;
		if (pieces > 0) parts->rigid_pieces[bodies->number[b]] = pieces;
	}
}

static ossa_status find(ossai_arena *arena, ossai_arena *scratch, const ossa_mesh *mesh, const ossa_frames *poses,
	ossai_body_faces *bodies, ossai_body_parts *parts)
{
	ossai_posed_surface surface;
	bool is_one = true;
	bodies->of_face = ossai_arena_new(scratch, mesh->triangle_count, sizeof *bodies->of_face);
	parts->part_of_face = ossai_arena_new(arena, mesh->triangle_count, sizeof *parts->part_of_face);
	if (!bodies->of_face || !parts->part_of_face) return ossa_context_error(arena->context)->status;
	/* without looking at the poses: most meshes are one piece, vertices at seams aside */
	OSSAI_TRY(ossai_pieces_are_one(arena->context, mesh->vertex_count, mesh->triangle_count, mesh->triangles, &is_one));
	if (is_one) return OSSA_OK;
	OSSAI_TRY(find_bodies(arena, scratch, mesh, poses, &surface, bodies, parts));
	if (bodies->count < 2) return OSSA_OK;
	const size_t before = bodies->count;
	OSSAI_TRY(ossai_body_limbs_join(scratch, mesh, bodies));
	if (bodies->number) renumber(bodies, before, parts);
	if (bodies->count < 2) return OSSA_OK;
	parts->count = bodies->count;
	parts->items = ossai_arena_zero(arena, parts->count, sizeof *parts->items);
	if (!parts->items) return ossa_context_error(arena->context)->status;
	OSSAI_TRY(ossai_body_faces_split(arena, mesh, bodies, parts->items));
	return measure(scratch, &surface, bodies->of_face, parts);
}

/* a joint that turns cannot follow them */
static void warn_of_limbs(ossa_context *context, const ossai_body_faces *bodies)
{
	if (bodies->joined == 0) return;
	ossai_warn(context, "limbs-apart", (int64_t)bodies->joined,
		"parts of a %s move away from it; as they complete its shape at rest, they were rigged as its limbs, with a larger "
		"error: "
		"where they are things of their own, `body none` leaves them so, and takes the names of bones, too",
		ossa_body_kind_name(bodies->kind));
}

ossa_status ossai_body_parts_find(
	ossai_arena *arena, const ossa_mesh *mesh, const ossa_frames *poses, ossa_body_kind kind, ossai_body_parts *parts)
{
	*parts = (ossai_body_parts){0};
	/* whatever is wrong with mesh or poses, the methods say; and warnings are theirs */
	if (mesh->triangle_count == 0 || poses->frame_count == 0 || poses->vertex_count != mesh->vertex_count) return OSSA_OK;
	ossai_body_faces bodies = {.wanted = kind};
	ossai_arena scratch = ossai_arena_begin(arena->context);
	ossai_warnings *saved = ossai_warnings_save(arena->context);
	ossa_status status = saved ? OSSA_OK : ossa_context_error(arena->context)->status;
	if (status == OSSA_OK) status = find(arena, &scratch, mesh, poses, &bodies, parts);
	if (saved) ossai_warnings_restore(arena->context, saved);
	if (status == OSSA_OK) warn_of_limbs(arena->context, &bodies);
	ossa_free(arena->context, saved);
	ossai_arena_end(&scratch);
	return status;
}

/* ---- a number of bones ---- */

/* how many bones a body surely needs */
static size_t pieces_of(const ossai_body_parts *parts, size_t body)
{
	return parts->rigid_pieces && parts->rigid_pieces[body] > 0 ? parts->rigid_pieces[body] : 1;
}

void ossai_body_parts_share(const ossai_body_parts *parts, size_t wanted, size_t *bones)
{
	double total = 0;
	size_t pieces = 0, used = 0, given = 0;
	for (size_t i = 0; i < parts->count; i++) pieces += pieces_of(parts, i);
	for (size_t i = 0; i < parts->count; i++) {
		bones[i] = pieces <= wanted ? pieces_of(parts, i) : 1;
		used += bones[i];
		total += sqrt(parts->items[i].energy);
	}
	const size_t left = wanted > used ? wanted - used : 0;
	for (size_t i = 0; i < parts->count && total > 0; i++) {
		const size_t own = (size_t)((double)left * sqrt(parts->items[i].energy) / total);
		bones[i] += own;
		given += own;
	}
	/* the rest, lost by rounding, to the bodies with the largest error for each bone */
	for (; given < left && total > 0; given++) {
		size_t best = 0;
		for (size_t i = 1; i < parts->count; i++) {
			const double here = sqrt(parts->items[i].energy) / (double)bones[i];
			if (here > sqrt(parts->items[best].energy) / (double)bones[best]) best = i;
		}
		bones[best]++;
	}
}
