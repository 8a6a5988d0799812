/* report/roles.c: see roles.h. */
#include "report/roles.h"

#include "body/names.h"

#include <stdio.h>
#include <string.h>

/* Hues in full turns of OKLab's circle: from red over yellow to green, blue and purple. */
static const double left_hue = 0.13, right_hue = 0.70, middle_hue = 0.40, hue_spread = 0.11;

/* Neighbours along a limb differ in lightness as well. */
enum { LEVELS = 3 };
static const float lightness[LEVELS] = {0.64f, 0.75f, 0.86f};
static const float chroma = 0.12f;

static const ossai_color unknown = {0.72f, 0, 0};

ossai_color ossai_role_color(ossa_role role)
{
	if (role.part == OSSA_PART_NONE) return unknown;
	/* the golden section spreads any run of parts evenly over the side's hues */
	const double golden = 0.61803398874989485, step = golden * (double)role.part, share = step - floor(step);
	const double hue = role.side > 0 ? left_hue : role.side < 0 ? right_hue : middle_hue;
	double cosine, sine;
	ossai_turn(hue + hue_spread * (2 * share - 1), &cosine, &sine);
	const float light = lightness[((int)role.part + role.number) % LEVELS];
	return (ossai_color){light, chroma * (float)cosine, chroma * (float)sine};
}

void ossai_palette_roles(const ossa_skeleton *skeleton, ossai_color *bone_colors)
{
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_bone *bone = &skeleton->bones[b];
		/* twist bones belong to the part that they twist */
		const bool is_twist = bone->parent >= 0 && strstr(bone->name, "_twist_");
		bone_colors[b] = is_twist ? bone_colors[bone->parent] : ossai_role_color(bone->role);
	}
}

/* the first bone of a part and side, OSSA_NONE */
static uint32_t first_of(const ossa_skeleton *skeleton, int part, int side)
{
	for (uint32_t b = 0; b < skeleton->bone_count; b++) {
		const ossa_role *role = &skeleton->bones[b].role;
		if ((int)role->part == part && (role->side == side || part == OSSA_PART_NONE)) return b;
	}
	return OSSA_NONE;
}

static void add_row(ossa_role role, ossai_legend_row *row)
{
	row->color = ossai_color_light(ossai_role_color(role));
	/* of several bones of a part the first stands for all */
	role.number = role.limb = 0;
	if (role.part == OSSA_PART_NONE) snprintf(row->text, sizeof row->text, "no part known");
	else ossa_role_print(role, row->text, sizeof row->text);
}

size_t ossai_role_rows(const ossa_skeleton *skeleton, ossai_legend_row *rows)
{
	static const int sides[] = {0, 1, -1};
	size_t count = 0;
	for (int part = OSSA_PART_NONE + 1; part < OSSAI_BODY_PARTS; part++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t bone = first_of(skeleton, part, sides[k]);
			if (bone != OSSA_NONE) add_row(skeleton->bones[bone].role, &rows[count++]);
		}
	}
	const uint32_t none = first_of(skeleton, OSSA_PART_NONE, 0);
	if (none != OSSA_NONE) add_row(skeleton->bones[none].role, &rows[count++]);
	return count;
}

/* ---- doubts ---- */

enum { RING_SIDES = 40 };

static const ossai_light doubt_light = {0.80f, 0.10f, 0.02f};
static const double ring_pixels = 1.6;

/* a flat ring between two radii, seen from the camera */
static void add_ring(ossai_solid *s, const ossai_camera *camera, ossai_vec3 center, double radius, double width)
{
	const uint32_t first = (uint32_t)s->vertex_count;
	for (uint32_t i = 0; i < 2 * RING_SIDES; i++) {
		double cosine, sine;
		ossai_turn((double)(i / 2) / RING_SIDES, &cosine, &sine);
		const double r = radius + (i % 2 ? width : -width) / 2;
		const ossai_vec3 p = ossai_madd(ossai_madd(center, r * cosine, camera->right), r * sine, camera->up);
		const ossai_vec3 values[2] = {p, camera->back};
		for (int k = 0; k < 3; k++) {
			s->positions[3 * s->vertex_count + (size_t)k] = (float)(&values[0].x)[k];
			s->normals[3 * s->vertex_count + (size_t)k] = (float)(&values[1].x)[k];
		}
		s->colors[s->vertex_count++] = doubt_light;
	}
	for (uint32_t i = 0; i < RING_SIDES; i++) {
		const uint32_t a = first + 2 * i, b = a + 1, c = first + 2 * ((i + 1) % RING_SIDES), d = c + 1;
		const uint32_t corners[6] = {a, b, d, a, d, c};
		for (int k = 0; k < 6; k++) s->triangles[3 * s->triangle_count + (size_t)k] = corners[k];
		s->triangle_count += 2;
	}
}

ossa_status ossai_doubts_solid(
	ossai_arena *arena, const ossai_posed_bones *bones, double scale, const ossai_camera *camera, ossai_solid *solid)
{
	const ossa_skeleton *skeleton = bones->skeleton;
	const size_t vertices = 2 * RING_SIDES * skeleton->bone_count, triangles = 2 * RING_SIDES * skeleton->bone_count;
	*solid = (ossai_solid){0};
	solid->positions = ossai_arena_new(arena, vertices, 3 * sizeof *solid->positions);
	solid->normals = ossai_arena_new(arena, vertices, 3 * sizeof *solid->normals);
	solid->colors = ossai_arena_new(arena, vertices, sizeof *solid->colors);
	solid->triangles = ossai_arena_new(arena, triangles, 3 * sizeof *solid->triangles);
	if (!solid->positions || !solid->normals || !solid->colors || !solid->triangles)
		return ossa_context_error(arena->context)->status;
	const double width = ring_pixels * camera->distance / camera->scale;
	for (size_t b = 0; b < skeleton->bone_count; b++) {
		const double radius = skeleton->bones[b].deviation * scale;
		if (bones->shown[b] && radius > 0)
			add_ring(solid, camera, ossai_v3_of_float(bones->joints + 3 * b), fmax(radius, width), width);
	}
	return OSSA_OK;
}
