/* methods/characters/check.c: whether characters have one topology, and options that are of all.

   Place in the path: inside of characters, first. */
#include "methods/characters/characters.h"

#include "methods/registry.h"
#include "methods/rig_options.h"
#include "scene/poses.h"

#include <stdio.h>
#include <string.h>

ossa_status ossai_characters_blame(const ossai_characters *c, const ossai_member *m, ossa_status status)
{
	char message[512];
	if (status != OSSA_ERROR_INPUT) return status;
	snprintf(message, sizeof message, "%s", ossa_context_error(c->context)->message);
	return ossai_fail(c->context, status, NULL, "%s: %s", m->name, message);
}

/* ---- topology ---- */

static bool same_polygons(const ossa_mesh *a, const ossa_mesh *b)
{
	return a->polygon_count == b->polygon_count && a->corner_count == b->corner_count &&
		memcmp(a->polygon_start, b->polygon_start, (a->polygon_count + 1) * sizeof *a->polygon_start) == 0 &&
		memcmp(a->corner_vertex, b->corner_vertex, a->corner_count * sizeof *a->corner_vertex) == 0;
}

static ossa_status check_counts(const ossai_characters *c, const ossai_member *first, const ossai_member *other)
{
	const ossa_mesh *a = first->character->mesh, *b = other->character->mesh;
	if (a->vertex_count != b->vertex_count) {
		return ossai_fail(c->context, OSSA_ERROR_INPUT, NULL,
			"%s has %zu vertices and %s has %zu: characters that share a rig must be of one topology", other->name,
			b->vertex_count, first->name, a->vertex_count);
	}
	if (a->polygon_count == b->polygon_count) return OSSA_OK;
	return ossai_fail(c->context, OSSA_ERROR_INPUT, NULL,
		"%s has %zu faces and %s has %zu: characters that share a rig must be of one topology", other->name, b->polygon_count,
		first->name, a->polygon_count);
}

static ossa_status check_topology(const ossai_characters *c, const ossai_member *other)
{
	const ossai_member *first = &c->members[0];
	const ossa_mesh *mesh = other->character->mesh;
	char reason[300];
	OSSAI_TRY(ossai_characters_blame(c, other, ossa_mesh_validate(c->context, mesh)));
	OSSAI_TRY(check_counts(c, first, other));
	if (same_polygons(first->character->mesh, mesh)) return OSSA_OK;
	const ossa_status status = ossai_pose_check(c->context, first->character->mesh, mesh, other->name, true);
	if (status == OSSA_OK) {
		return ossai_fail(c->context, OSSA_ERROR_INPUT, NULL,
			"%s has the faces of %s in another order or beginning at other corners: export both with the same settings",
			other->name, first->name);
	}
	if (status != OSSA_ERROR_INPUT) return status;
	snprintf(reason, sizeof reason, "%.290s", ossa_context_error(c->context)->message);
	return ossai_fail(c->context, status, NULL, "%s and %s are not of one topology: %s", first->name, other->name, reason);
}

/* ---- mirror images ---- */

static ossai_vec3 point_of(const ossa_mesh *mesh, uint32_t v) { return ossai_v3_of_float(mesh->positions + 3 * (size_t)v); }

/* of the corners of all triangles */
static ossai_vec3 middle_of(const ossa_mesh *shape, const ossa_mesh *mesh)
{
	const size_t corners = 3 * mesh->triangle_count;
	ossai_vec3 sum = {0, 0, 0};
	for (size_t i = 0; i < corners; i++) sum = ossai_add(sum, point_of(shape, mesh->triangles[i]));
	return ossai_scale(sum, 1 / (double)corners);
}

/* six times the volume inside of the surface: negative where its faces look inwards */
static double volume_of(const ossa_mesh *shape, const ossa_mesh *mesh, ossai_vec3 middle)
{
	double sum = 0;
	for (size_t t = 0; t < mesh->triangle_count; t++) {
		ossai_vec3 p[3];
		for (size_t i = 0; i < 3; i++) p[i] = ossai_sub(point_of(shape, mesh->triangles[3 * t + i]), middle);
		sum += ossai_dot(p[0], ossai_cross(p[1], p[2]));
	}
	return sum;
}

/* Whether one shape is the other one's mirror image, bent and stretched: the best affine map of its
   vertices reflects, and its faces look the other way. The first alone can come of limbs that point
   elsewhere, the second of an open surface. */
static bool is_mirrored(const ossa_mesh *a, const ossa_mesh *b)
{
	const ossai_vec3 p = middle_of(a, a), q = middle_of(b, a);
	ossai_mat3 cross = {{{0}}};
	for (size_t i = 0; i < 3 * a->triangle_count; i++) {
		double x[3], y[3];
		ossai_v3_store(ossai_sub(point_of(a, a->triangles[i]), p), x);
		ossai_v3_store(ossai_sub(point_of(b, a->triangles[i]), q), y);
		for (int k = 0; k < 9; k++) cross.m[k / 3][k % 3] += y[k / 3] * x[k % 3];
	}
	/* the map is this, times the inverse of a positive matrix */
	return ossai_mat3_det(&cross) < 0 && volume_of(a, a, p) * volume_of(b, a, q) < 0;
}

static void warn_of_mirrored(const ossai_characters *c)
{
	const ossai_member *first = &c->members[0];
	for (size_t i = 1; i < c->count; i++) {
		if (!is_mirrored(first->character->mesh, c->members[i].character->mesh)) continue;
		ossai_warn(c->context, "mirrored-character", 1,
			"%s is a mirror image of %s with the same faces: what is left on one is right on the other, by bones and their "
			"names, "
			"too",
			c->members[i].name, first->name);
	}
}

/* ---- frames ---- */

static ossa_status check_frames(const ossai_characters *c, const ossai_member *m)
{
	const ossa_frame_stream *frames = m->character->frames;
	if (!frames || ossa_frame_stream_vertex_count(frames) == m->character->mesh->vertex_count) return OSSA_OK;
	return ossai_fail(c->context, OSSA_ERROR_INPUT, NULL, "%s has %zu vertices, and its frames have %zu", m->name,
		m->character->mesh->vertex_count, ossa_frame_stream_vertex_count(frames));
}

/* ---- options ---- */

static int choice_of(const ossa_rig_options *options, size_t method, const char *name, int usual)
{
	const int *value = ossai_method_value(options, method, name);
	return value ? *value : usual;
}

/* of every method that could be chosen */
static ossa_status check_method_options(const ossai_characters *c)
{
	for (size_t m = 0; m < ossa_method_count(); m++) {
		const ossa_method *method = ossa_method_at(m);
		if (!method->takes_motion) continue;
		if (choice_of(c->options, m, "symmetry", OSSA_SYMMETRY_OFF) != OSSA_SYMMETRY_OFF) {
			return ossai_fail(c->context, OSSA_ERROR_ARGUMENT, NULL,
				"`symmetry` is of one shape, and weights are solved for several characters: leave it out");
		}
		if (choice_of(c->options, m, "refine", 1) == 0) {
			return ossai_fail(c->context, OSSA_ERROR_ARGUMENT, NULL,
				"`refine 0` is a paper's procedure for one mesh; characters are refined together: leave it out");
		}
	}
	return OSSA_OK;
}

static ossa_status check_options(const ossai_characters *c)
{
	const ossa_rig_options *o = c->options;
	const char *unusable = NULL;
	if (o->reference != 0) unusable = "`reference` takes another rest pose: the characters' are those of their meshes";
	if (o->twist > 0) unusable = "`twist` splits weights by one shape: add twist bones to each rig afterwards";
	if (o->articulation == OSSA_ARTICULATION_FACE) unusable = "`articulation face` has no joints that characters could share";
	if (unusable) return ossai_fail(c->context, OSSA_ERROR_ARGUMENT, NULL, "several characters: %s", unusable);
	OSSAI_TRY(ossa_rig_options_check(c->context, o));
	return check_method_options(c);
}

/* ---- all ---- */

static void name_member(size_t index, ossai_member *m)
{
	if (m->character->name) snprintf(m->name, sizeof m->name, "%s", m->character->name);
	else snprintf(m->name, sizeof m->name, "character %zu", index + 1);
}

ossa_status ossai_characters_check(ossai_characters *c)
{
	OSSAI_TRY(check_options(c));
	for (size_t i = 0; i < c->count; i++) {
		ossai_member *m = &c->members[i];
		name_member(i, m);
		if (!m->character->mesh) {
			return ossai_fail(c->context, OSSA_ERROR_ARGUMENT, NULL, "the mesh of %s is NULL", m->name);
		}
	}
	for (size_t i = 0; i < c->count; i++) {
		OSSAI_TRY(check_topology(c, &c->members[i]));
		OSSAI_TRY(check_frames(c, &c->members[i]));
	}
	warn_of_mirrored(c);
	return OSSA_OK;
}
