/* report/bones.c: octahedra, balls and their contours.

   Place in the path: pictures.
   Input: posed joints.
   Output: triangles, lit ones first, contours after.
   A bone is drawn from its joint to each child's joint, or to its tail where it has no child, so
   that the skeleton looks connected even where free bones do not. Bones without weights, such as an
   animator's handles, are not drawn. */
#include "report/bones.h"

enum {
	BALL_RINGS = 8, /* of a ball, from pole to pole */
	BALL_SIDES = 14,
	BALL_VERTICES = (BALL_RINGS - 1) * BALL_SIDES + 2,
	BALL_TRIANGLES = 2 * (BALL_RINGS - 1) * BALL_SIDES,
	BONE_TRIANGLES = 8
};

/* sizes in shares of the diagonal */
static const double ball_radius = 0.0092, ball_share = 0.12, ball_pixels = 1.6;
static const double bone_width = 0.085, bone_width_max = 0.0165, bone_pixels = 1.3, contour_pixels = 1.35;
static const double root_scale = 1.75;

static const ossai_light bone_light = {0.90f, 0.89f, 0.86f};
static const ossai_light joint_light = {0.36f, 0.40f, 0.46f};
static const ossai_light root_light = {1.0f, 0.70f, 0.02f};
static const ossai_light contour_light = {0.018f, 0.020f, 0.026f};

/* the unit ball that every joint copies */
typedef struct ball_shape {
	float points[BALL_VERTICES][3];
	uint32_t triangles[BALL_TRIANGLES][3];
} ball_shape;

static void fill_ball(ball_shape *ball)
{
	size_t v = 0, t = 0;
	for (int ring = 1; ring < BALL_RINGS; ring++) {
		double height, radius;
		ossai_turn(0.5 * ring / BALL_RINGS, &height, &radius);
		for (int side = 0; side < BALL_SIDES; side++, v++) {
			double x, z;
			ossai_turn((double)side / BALL_SIDES, &z, &x);
			ball->points[v][0] = (float)(radius * x);
			ball->points[v][1] = (float)height;
			ball->points[v][2] = (float)(radius * z);
		}
	}
	const uint32_t top = (uint32_t)v, bottom = top + 1;
	const float poles[2][3] = {{0, 1, 0}, {0, -1, 0}};
	for (int i = 0; i < 3; i++) {
		ball->points[top][i] = poles[0][i];
		ball->points[bottom][i] = poles[1][i];
	}
	for (uint32_t ring = 0; ring < BALL_RINGS; ring++) {
		for (uint32_t side = 0; side < BALL_SIDES; side++) {
			const uint32_t next = (side + 1) % BALL_SIDES, above = (ring - 1) * BALL_SIDES, below = ring * BALL_SIDES;
			const bool first = ring == 0, last = ring == BALL_RINGS - 1;
			const uint32_t a = first ? top : above + side, b = first ? top : above + next;
			const uint32_t c = last ? bottom : below + side, d = last ? bottom : below + next;
			const uint32_t pair[2][3] = {{a, c, d}, {a, d, b}};
			for (int half = 0; half < 2; half++) {
				if ((half == 0 && last) || (half == 1 && first)) continue;
				for (int i = 0; i < 3; i++) ball->triangles[t][i] = pair[half][i];
				t++;
			}
		}
	}
}

/* what is being built */
typedef struct builder {
	ossai_solid *solid;
	const ball_shape *ball;
} builder;

static uint32_t add_vertex(builder *b, ossai_vec3 position, ossai_vec3 normal, ossai_light color)
{
	ossai_solid *s = b->solid;
	const double values[6] = {position.x, position.y, position.z, normal.x, normal.y, normal.z};
	for (int i = 0; i < 3; i++) {
		s->positions[3 * s->vertex_count + (size_t)i] = (float)values[i];
		s->normals[3 * s->vertex_count + (size_t)i] = (float)values[3 + i];
	}
	s->colors[s->vertex_count] = color;
	return (uint32_t)s->vertex_count++;
}

static void add_triangle(builder *b, uint32_t p, uint32_t q, uint32_t r)
{
	uint32_t *t = b->solid->triangles + 3 * b->solid->triangle_count++;
	t[0] = p;
	t[1] = q;
	t[2] = r;
}

/* inside_out: a contour's hull, of which only the far side faces the eye */
static void add_ball(builder *b, ossai_vec3 center, double radius, ossai_light color, bool inside_out)
{
	const uint32_t first = (uint32_t)b->solid->vertex_count;
	for (int i = 0; i < BALL_VERTICES; i++) {
		const ossai_vec3 normal = ossai_v3_of_float(b->ball->points[i]);
		add_vertex(b, ossai_madd(center, radius, normal), normal, color);
	}
	for (int i = 0; i < BALL_TRIANGLES; i++) {
		const uint32_t *t = b->ball->triangles[i];
		if (inside_out) add_triangle(b, first + t[0], first + t[2], first + t[1]);
		else add_triangle(b, first + t[0], first + t[1], first + t[2]);
	}
}

/* an octahedron from head to tail, widest near the head, with flat faces */
static void add_octahedron(builder *b, ossai_vec3 head, ossai_vec3 tail, double width, ossai_light color, bool inside_out)
{
	const ossai_vec3 along = ossai_unit(ossai_sub(tail, head), ossai_v3(0, 1, 0));
	const ossai_vec3 helper = fabs(along.y) < 0.8 ? ossai_v3(0, 1, 0) : ossai_v3(1, 0, 0);
	const ossai_vec3 side = ossai_unit(ossai_cross(along, helper), ossai_v3(1, 0, 0)), third = ossai_cross(along, side);
	const double length = ossai_distance(head, tail), shoulder = fmin(0.16 * length, 1.6 * width);
	const ossai_vec3 middle = ossai_madd(head, shoulder, along);
	const ossai_vec3 ring[4] = {ossai_madd(middle, width, side), ossai_madd(middle, width, third),
		ossai_madd(middle, -width, side), ossai_madd(middle, -width, third)};
	for (int i = 0; i < 4; i++) {
		for (int end = 0; end < 2; end++) {
			const ossai_vec3 tip = end ? tail : head;
			const ossai_vec3 p = end == inside_out ? ring[(i + 1) % 4] : ring[i],
							 q = end == inside_out ? ring[i] : ring[(i + 1) % 4];
			const ossai_vec3 normal = ossai_unit(ossai_cross(ossai_sub(p, tip), ossai_sub(q, tip)), along);
			const uint32_t first = add_vertex(b, tip, normal, color);
			add_vertex(b, p, normal, color);
			add_vertex(b, q, normal, color);
			add_triangle(b, first, first + 1, first + 2);
		}
	}
}

/* the ends and sizes of every part */
typedef struct part {
	ossai_vec3 head, tail;
	double width; /* 0: nothing to draw */
} part;

typedef struct sizes {
	double ball, contour;
} sizes;

static part part_of(const ossai_posed_bones *bones, size_t from, const float *to, double pixel)
{
	part p = {ossai_v3_of_float(bones->joints + 3 * from), ossai_v3_of_float(to), 0};
	const double length = ossai_distance(p.head, p.tail);
	if (length > 1e-6) p.width = fmax(fmin(bone_width * length, bone_width_max), bone_pixels * pixel);
	return p;
}

/* one part for each bone but the root, from its parent's joint to its own, and one for each bone
   that ends */
static size_t find_parts(const ossai_posed_bones *bones, double pixel, part *parts)
{
	size_t found = 0;
	for (size_t i = 0; i < bones->skeleton->bone_count; i++) {
		if (!bones->shown[i]) continue;
		const int32_t parent = bones->skeleton->bones[i].parent;
		if (parent >= 0) parts[found++] = part_of(bones, (size_t)parent, bones->joints + 3 * i, pixel);
		if (bones->ends[i]) parts[found++] = part_of(bones, i, bones->tails + 3 * i, pixel);
	}
	return found;
}

/* many short bones want small balls */
static sizes find_sizes(const part *parts, size_t count, double pixel)
{
	double sum = 0;
	size_t drawn = 0;
	for (size_t i = 0; i < count; i++) {
		if (parts[i].width <= 0) continue;
		sum += ossai_distance(parts[i].head, parts[i].tail);
		drawn++;
	}
	double ball = drawn > 0 ? fmin(ball_radius, ball_share * sum / (double)drawn) : ball_radius;
	ball = fmax(ball, ball_pixels * pixel);
	return (sizes){ball, contour_pixels * pixel};
}

static void build(builder *b, const ossai_posed_bones *bones, const part *parts, size_t part_count, sizes size)
{
	for (int contour = 0; contour < 2; contour++) {
		if (contour) b->solid->lit_count = b->solid->triangle_count;
		const double more = contour ? size.contour : 0;
		for (size_t i = 0; i < part_count; i++) {
			if (parts[i].width <= 0) continue;
			const ossai_vec3 along = ossai_unit(ossai_sub(parts[i].tail, parts[i].head), ossai_v3(0, 1, 0));
			/* the hull reaches past the sharp tail as a drawn line would, at most some line
			   widths */
			const ossai_vec3 head = ossai_madd(parts[i].head, -2 * more, along),
							 tail = ossai_madd(parts[i].tail, 3 * more, along);
			add_octahedron(b, head, tail, parts[i].width + 1.3 * more, contour ? contour_light : bone_light, contour != 0);
		}
		for (size_t i = 0; i < bones->skeleton->bone_count; i++) {
			if (!bones->shown[i]) continue;
			const double radius = size.ball * (i == 0 ? root_scale : 1);
			const ossai_light color = i == 0 ? root_light : joint_light;
			add_ball(b, ossai_v3_of_float(bones->joints + 3 * i), radius + more, contour ? contour_light : color, contour != 0);
		}
	}
}

ossa_status ossai_bones_solid(
	ossai_arena *arena, const ossai_posed_bones *bones, const ossai_camera *camera, ossai_solid *solid)
{
	const size_t count = bones->skeleton->bone_count;
	const double pixel = camera->distance / camera->scale;
	*solid = (ossai_solid){0};
	part *parts = ossai_arena_new(arena, 2 * count, sizeof *parts);
	ball_shape *ball = parts ? ossai_arena_new(arena, 1, sizeof *ball) : NULL;
	if (!ball) return ossa_context_error(arena->context)->status;
	fill_ball(ball);
	const size_t part_count = find_parts(bones, pixel, parts);
	const size_t vertices = 2 * (3 * BONE_TRIANGLES * part_count + BALL_VERTICES * count);
	const size_t triangles = 2 * (BONE_TRIANGLES * part_count + BALL_TRIANGLES * count);
	solid->positions = ossai_arena_new(arena, vertices, 3 * sizeof *solid->positions);
	solid->normals = solid->positions ? ossai_arena_new(arena, vertices, 3 * sizeof *solid->normals) : NULL;
	solid->colors = solid->normals ? ossai_arena_new(arena, vertices, sizeof *solid->colors) : NULL;
	solid->triangles = solid->colors ? ossai_arena_new(arena, triangles, 3 * sizeof *solid->triangles) : NULL;
	if (!solid->triangles) return ossa_context_error(arena->context)->status;
	builder b = {solid, ball};
	build(&b, bones, parts, part_count, find_sizes(parts, part_count, pixel));
	return OSSA_OK;
}
